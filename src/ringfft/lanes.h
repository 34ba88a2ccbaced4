/* Pairs of rings that are transformed together: of an even number of samples one ring per lane of a
 * vector, of an odd one a pair. They have as many samples as the longest rings of the grid and one
 * stride. Rings of an even length may have the commonest shift, and orders below their length;
 * others none, and orders below half of it. docs/mathematics.md (4.10) to (4.12). */
#ifndef ARMILLA_RINGFFT_LANES_H
#define ARMILLA_RINGFFT_LANES_H

#include "fft/lane_fft_plan.h"
#include "ringfft/plan.h"

/* Can more than half of the rings go in lanes, and is that faster than one by one? */
int armilla_ringfft_lanes_pay(const armilla_ringfft *ringfft);

/* Releases what armilla_ringfft_plan_lanes made. */
void armilla_ringfft_clear_lanes(armilla_ringfft *ringfft);

/* Doubles of scratch, 0 without lanes. */
int64_t armilla_ringfft_lanes_scratch_size(const armilla_ringfft *ringfft);

#endif

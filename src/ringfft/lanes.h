/* Pairs of rings that are transformed together, one per lane: short rings without shift and
 * without folding, all of the grid's greatest length. docs/mathematics.md section 4, Together. */
#ifndef ARMILLA_RINGFFT_LANES_H
#define ARMILLA_RINGFFT_LANES_H

#include "fft/lane_fft_plan.h"
#include "ringfft/plan.h"

/* Are transforms of n samples in lanes faster than one by one? */
int armilla_ringfft_lanes_pay(armilla_isa isa, int64_t n);

/* Releases what armilla_ringfft_plan_lanes made. */
void armilla_ringfft_clear_lanes(armilla_ringfft *ringfft);

/* Doubles of scratch, 0 without lanes. */
int64_t armilla_ringfft_lanes_scratch_size(const armilla_ringfft *ringfft);

#endif

/* Pairs of rings that are transformed together: of an even number of samples one ring per lane of a
 * vector, of an odd one a pair. They have as many samples as the longest rings of the grid and one
 * stride. Rings of an even length may have the commonest shift, and orders below their length;
 * others none, and orders below half of it. docs/mathematics.md (4.10) to (4.12). */
#ifndef ARMILLA_RINGFFT_LANES_H
#define ARMILLA_RINGFFT_LANES_H

#include "base/memory.h"
#include "fft/lane_fft_plan.h"
#include "ringfft/plan.h"

/* Samples of the rings in lanes; 0: no lanes. */
static inline int64_t armilla_lanes_length(const armilla_ringfft *ringfft)
{
    return ringfft->lane_turn ? 2 * ringfft->lane_fft.n : ringfft->lane_fft.n;
}

/* Doubles of the scratch's ring of zeros. */
static inline int64_t armilla_lanes_zeros(const armilla_ringfft *ringfft)
{
    return armilla_round_line(armilla_lanes_length(ringfft));
}

/* Doubles from one ring of floats to the next; one cache line more, for they must not meet in the
 * cache. There is room for them in every plan: it does not know its maps. */
static inline int64_t armilla_lanes_distance(const armilla_ringfft *ringfft)
{
    return armilla_lanes_zeros(ringfft) + 8;
}

/* Can more than half of the rings go in lanes, and is that faster than one by one? */
int armilla_ringfft_lanes_pay(const armilla_ringfft *ringfft);

/* Releases what armilla_ringfft_plan_lanes made. */
void armilla_ringfft_clear_lanes(armilla_ringfft *ringfft);

/* Doubles of scratch, 0 without lanes. */
int64_t armilla_ringfft_lanes_scratch_size(const armilla_ringfft *ringfft);

#endif

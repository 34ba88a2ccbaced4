/* Pairs of rings that are transformed together: of an even number of samples one ring per lane of a
 * vector, of an odd one a pair. They have as many samples as the longest rings of the grid and one
 * stride. Rings of an even length may have the commonest shift, and orders below their length;
 * others none, and orders below half of it. docs/mathematics.md (4.10) to (4.12). */
#ifndef ARMILLA_RINGFFT_LANES_H
#define ARMILLA_RINGFFT_LANES_H

#include "base/memory.h"
#include "ringfft/plan.h"

/* Doubles of the scratch's ring of zeros. */
static inline int64_t armilla_lanes_zeros(const armilla_ringfft *ringfft)
{
    return armilla_round_line(ringfft->choices.longest);
}

/* Doubles from one ring of floats to the next; one cache line more, for they must not meet in the
 * cache. There is room for them in every plan: it does not know its maps. */
static inline int64_t armilla_lanes_distance(const armilla_ringfft *ringfft)
{
    return armilla_lanes_zeros(ringfft) + 8;
}

/* Makes the tables of a plan whose choice is lanes, and chooses their groups. Errors: MEMORY. */
armilla_status armilla_ringfft_make_lanes(const armilla_ring_question *question,
                                          armilla_ringfft *ringfft);

/* Doubles of scratch, 0 without lanes. */
int64_t armilla_lanes_scratch_size(const armilla_ringfft *ringfft);

/* Can this pair, of orders up to the plan's mmax, go in lanes? */
int armilla_lanes_take(const armilla_ringfft *ringfft, const armilla_ring_pair *pair);

#endif

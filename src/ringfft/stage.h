/* The ring FFT stage over a whole leg: leg <-> maps. It runs its loop over the ring pairs of the
 * leg on the team, reports no progress of its own but stops when the call is cancelled, and leaves
 * results that do not depend on the number of threads. They do not depend on the pair's neighbours
 * either: a leg of some of the pairs gives the same bits on them as one of all. */
#ifndef ARMILLA_RINGFFT_STAGE_H
#define ARMILLA_RINGFFT_STAGE_H

#include "base/work.h"
#include "leg/leg.h"
#include "ringfft/ringfft.h"

enum { ARMILLA_RING_BATCH = 8 }; /* ring pairs of a task of the team */

/* The maps of the sets of a leg: set s begins at item s distance. On a GPU alone, where `together`
 * is not 0, at item (s / together * step + s % together) distance. */
typedef struct armilla_ring_maps {
    armilla_array values;
    int64_t distance;
    int weighted; /* samples are multiplied by the rings' weights */
    int64_t together, step;
} armilla_ring_maps;

/* leg -> maps.
 * Given: a leg whose orders are not LISTED and whose limits are at most the plan's mmax; pairs with
 * at least one ring. FIRST and SECOND need a plan with parts and run one after the other, FIRST
 * first, on the same maps: in between, these hold what SECOND needs and nothing else of use.
 * Scratch: armilla_ringfft_scratch_size doubles per thread; where some pairs of the leg wait
 * elsewhere, armilla_leg_columns_scratch of armilla_ringfft_lanes pairs comes on top of them.
 * Notes: both rings' numbers of an entry are read; a ring that is missing may have any numbers
 * there that are finite. */
void armilla_ringfft_to_maps(const armilla_ringfft *ringfft, const armilla_leg *leg,
                             const armilla_ring_maps *maps, const armilla_work *work);

/* The same, added to what the maps hold: all orders. */
void armilla_ringfft_add_to_maps(const armilla_ringfft *ringfft, const armilla_leg *leg,
                                 const armilla_ring_maps *maps, const armilla_work *work);

/* maps -> leg: the transpose, which leaves the maps as they are. FIRST and SECOND are independent.
 * Entries of rings that are missing become zeros. Of the entries that do not exist, those with rows
 * may be written, but not beyond the columns of the block's pairs. */
void armilla_ringfft_from_maps(const armilla_ringfft *ringfft, const armilla_leg *leg,
                               const armilla_ring_maps *maps, const armilla_work *work);

#endif

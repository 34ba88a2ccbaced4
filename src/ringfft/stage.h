/* The ring FFT stage over a whole leg: leg <-> maps. It runs its loop over the ring pairs of the
 * leg on the team, reports no progress of its own but stops when the call is cancelled, and leaves
 * results that do not depend on the number of threads. */
#ifndef ARMILLA_RINGFFT_STAGE_H
#define ARMILLA_RINGFFT_STAGE_H

#include "base/work.h"
#include "leg/leg.h"
#include "ringfft/ringfft.h"

/* The maps of the sets of a leg: set s begins at item s distance. */
typedef struct armilla_ring_maps {
    armilla_array values;
    int64_t distance;
    int weighted; /* samples are multiplied by the rings' weights */
} armilla_ring_maps;

/* leg -> maps. The leg's orders are not LISTED. FIRST runs before SECOND, on the same maps: in
 * between, they hold what SECOND needs and nothing else of use.
 * Scratch: armilla_ringfft_scratch_size doubles per thread. */
void armilla_ringfft_to_maps(const armilla_ringfft *ringfft, const armilla_leg *leg,
                             const armilla_ring_maps *maps, const armilla_work *work);

/* maps -> leg: the transpose. */
void armilla_ringfft_from_maps(const armilla_ringfft *ringfft, const armilla_leg *leg,
                               const armilla_ring_maps *maps, const armilla_work *work);

#endif

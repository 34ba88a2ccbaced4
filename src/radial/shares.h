/* Plans on several GPUs whose calls are shared by maps: those of the method RINGS and of the mode
 * STANDARD. Each GPU has a plan of its own, with a stream there. */
#ifndef ARMILLA_RADIAL_SHARES_H
#define ARMILLA_RADIAL_SHARES_H

#include "radial/sums.h"

typedef struct armilla_radial_shares armilla_radial_shares;

/* Given:    radial  complete, on devices[0];  devices[ndevices]  the numbers of ndevices > 1 GPUs.
 * Returned: *shares  new, with plans like this one on the other GPUs.
 * Errors:   MEMORY, UNSUPPORTED: names the GPU. */
armilla_status armilla_radial_shares_new(const armilla_radial *radial, const int *devices,
                                         int64_t ndevices, armilla_radial_shares **shares);
void armilla_radial_shares_free(armilla_radial_shares *shares); /* NULL is allowed */

/* A call of such a plan: deals its maps, or pairs, out, neighbours to the same GPU, and waits for
 * all GPUs; where there are fewer maps than GPUs some of these have none. Bits are those of one
 * GPU. Errors: as of one; names the GPU; ARGUMENT (arrays of a GPU, a stream). */
armilla_status armilla_radial_shares_run(const armilla_radial_call *call, const armilla_maps *maps,
                                         const armilla_exec *exec);

#endif

/* Deflected directions of the pixels of a rank's rings: points over ranks, numbered as on one rank,
 * and the angles by which values are turned. Plans for several fields share them. */
#ifndef ARMILLA_RANKS_POINTS_DIRECTIONS_H
#define ARMILLA_RANKS_POINTS_DIRECTIONS_H

#include "armilla/distributed_lensing.h"
#include "armilla/redistribution.h"
#include "call/place.h"
#include "ranks/distribution.h"

#include <stdatomic.h>

/* Pixels are those of the rank's map: ring by ring, as the distribution has them. */
typedef struct armilla_rank_directions {
    _Atomic int64_t users;
    int64_t npix, nspans;
    double *points, *gamma; /* [npix][2], [npix] */
    armilla_span *spans;    /* numbers of the pixels among those of all ranks */
} armilla_rank_directions;

/* Not collective. Takes a caller's deflection of fields with a distribution on the rank. Errors:
 * ARGUMENT, UNSUPPORTED (groups). */
armilla_status armilla_rank_deflection_take(const armilla_distributed_deflection *given,
                                            const armilla_distribution *fields,
                                            const armilla_transport *transport,
                                            const armilla_delegation *delegation,
                                            armilla_distributed_deflection *taken);

/* Collective, with a deflection that ranks have agreed on. Returned: *directions  new, with one
 * user. Errors: ARGUMENT (a deflection that is not finite), MEMORY, UNSUPPORTED, TRANSPORT. */
armilla_status armilla_rank_directions_new(const armilla_transport *transport,
                                           const armilla_distribution *fields,
                                           const armilla_distributed_deflection *deflection,
                                           const armilla_points_options *options,
                                           armilla_rank_directions **directions);
armilla_rank_directions *armilla_rank_directions_share(armilla_rank_directions *directions);
void armilla_rank_directions_release(armilla_rank_directions *directions); /* NULL is allowed */
int64_t armilla_rank_directions_bytes(const armilla_rank_directions *directions);

#endif

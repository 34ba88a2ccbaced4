/* Which rank has which strips of colatitude (points/plan.h), with all points that lie in them. */
#ifndef ARMILLA_RANKS_POINTS_OWNERS_H
#define ARMILLA_RANKS_POINTS_OWNERS_H

#include "armilla/transport.h"
#include "points/plan.h"

/* Neighbouring strips each; ranks without any are fine. */
typedef struct armilla_strip_owners {
    int64_t *first; /* of each rank, and the number of strips: nranks + 1 */
    int64_t *owner; /* of each band */
} armilla_strip_owners;

/* Deals strips by what they cost. Collective.
 * Given:  status  of this rank so far, on which ranks agree here;  core  whose strips have their
 *         places;  npoints, band  of the rank's own points.
 * Errors: MEMORY, TRANSPORT; *owners must be cleared all the same. */
armilla_status armilla_strip_owners_make(const armilla_transport *transport, armilla_status status,
                                         const armilla_points_core *core, int64_t npoints,
                                         const int64_t *band, armilla_strip_owners *owners);
void armilla_strip_owners_clear(armilla_strip_owners *owners);

#endif

/* How points find the rank that has their strip, and values the rank that asked: two
 * redistributions of the points of all ranks. */
#ifndef ARMILLA_RANKS_POINTS_ROUTES_H
#define ARMILLA_RANKS_POINTS_ROUTES_H

#include "ranks/points/owners.h"
#include "ranks/points/survey.h"

/* A rank has here the points of its own strips and of the bands beside them, whose windows reach
 * into these; by number. */
typedef struct armilla_point_routes {
    int64_t here;                      /* points that the rank has here */
    armilla_redistribution *to_strips; /* own points -> points here */
    armilla_redistribution *to_askers; /* points here, of own strips -> own points */
} armilla_point_routes;

/* What a rank knows of its own points. */
typedef struct armilla_routed_points {
    armilla_point_numbers numbers;
    const int64_t *band; /* by place */
    int64_t nbands;
    const int64_t *owner; /* of each band */
} armilla_routed_points;

/* Collective. Given: status  of this rank so far, on which ranks agree here.
 * Errors: ARGUMENT (too many points on a rank), MEMORY, TRANSPORT; *routes must be cleared all the
 * same. */
armilla_status armilla_point_routes_make(const armilla_transport *transport, armilla_status status,
                                         const armilla_routed_points *points,
                                         armilla_point_routes *routes);
void armilla_point_routes_clear(armilla_point_routes *routes);

#endif

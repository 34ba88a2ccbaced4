/* Inside of armilla/leg.h: either stage of a transform over the caller's leg, pass by pass:
 *
 *     alm --legendre--> leg of a pass --copied--> caller's leg --copied--> leg of a pass --> map
 *
 * A pass is small, so that little memory is taken besides the caller's. */
#ifndef ARMILLA_SHT_LEG_H
#define ARMILLA_SHT_LEG_H

#include "armilla/leg.h"
#include "base/array.h"
#include "base/status.h"

/* alm <-> leg, planned. Errors: ARGUMENT, MEMORY, UNSUPPORTED. */
typedef struct armilla_leg_alm armilla_leg_alm;
armilla_status armilla_leg_alm_new(const armilla_leg_problem *problem, armilla_leg_alm **plan);
void armilla_leg_alm_free(armilla_leg_alm *plan);
armilla_status armilla_leg_alm_run(const armilla_leg_alm *plan, int64_t ntrans, int to_leg,
                                   armilla_array alm, armilla_array leg);

/* leg <-> map, planned. Errors: ARGUMENT, MEMORY, UNSUPPORTED. */
typedef struct armilla_leg_map armilla_leg_map;
armilla_status armilla_leg_map_new(const armilla_leg_rings *rings, armilla_leg_map **plan);
void armilla_leg_map_free(armilla_leg_map *plan);
armilla_status armilla_leg_map_run(const armilla_leg_map *plan, int64_t ntrans, int to_map,
                                   armilla_array leg, armilla_array map);

static inline int64_t armilla_leg_order(const armilla_leg_problem *problem, int64_t index)
{
    return problem->orders ? problem->orders[index] : index;
}

/* Where a_0m of an order would be. */
static inline int64_t armilla_leg_start(const armilla_leg_problem *problem, int64_t index)
{
    int64_t m = armilla_leg_order(problem, index);
    return problem->mstart ? problem->mstart[index] : m * (2 * problem->lmax + 1 - m) / 2;
}

/* ARMILLA_ERROR_ARGUMENT unless the problem makes sense; *resolved is a copy in which numbers stand
 * for defaults. */
armilla_status armilla_leg_check(const armilla_leg_problem *problem, armilla_leg_problem *resolved);

#endif

/* Inside of armilla/leg.h: the checked problem of alm <-> leg. */
#ifndef ARMILLA_SHT_LEG_H
#define ARMILLA_SHT_LEG_H

#include "armilla/leg.h"
#include "base/status.h"

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

/* ARMILLA_ERROR_ARGUMENT unless the problem makes sense; *resolved is a copy without defaults. */
armilla_status armilla_leg_check(const armilla_leg_problem *problem, armilla_leg_problem *resolved);

#endif

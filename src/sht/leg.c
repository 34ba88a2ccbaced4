/* The functions of armilla/leg.h: arguments, then the planned stages of leg.h. Const is cast away
 * only to share one type of arrays; inputs are never written. */
#include "sht/leg.h"

#include "base/memory.h"
#include "grid/grid.h"

struct armilla_leg_plan {
    armilla_leg_alm *alm; /* NULL: planned without a problem */
    armilla_leg_map *map; /* NULL: planned without rings */
};

armilla_status armilla_leg_plan_new(const armilla_leg_problem *problem,
                                    const armilla_leg_rings *rings, armilla_leg_plan **plan)
{
    armilla_leg_plan *made;
    armilla_status status = armilla_check_given("plan", plan);
    if (!status && !problem && !rings)
        status = armilla_fail(ARMILLA_ERROR_ARGUMENT,
                              "problem = NULL: must be a struct where rings is NULL, too");
    if (status || (status = armilla_allocate_zero(&made, 1, sizeof *made))) return status;
    if (problem) status = armilla_leg_alm_new(problem, &made->alm);
    if (rings && !status) status = armilla_leg_map_new(rings, &made->map);
    if (status)
        armilla_leg_plan_free(made);
    else
        *plan = made;
    return status;
}

void armilla_leg_plan_free(armilla_leg_plan *plan)
{
    if (!plan) return;
    armilla_leg_alm_free(plan->alm);
    armilla_leg_map_free(plan->map);
    armilla_release(plan);
}

static armilla_status check_array(const char *name, const void *array)
{
    if (array) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = NULL: must be an array", name);
}

/* --- alm <-> leg ------------------------------------------------------------------------------ */

static armilla_status run_alm(const armilla_leg_plan *plan, int64_t ntrans, int to_leg,
                              const void *alm, const void *leg, int is_float)
{
    armilla_status status;
    if (!plan) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "plan = NULL: must be a plan");
    if (!plan->alm)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "plan: was made without an armilla_leg_problem");
    if ((status = armilla_grid_check_count("ntrans", ntrans, 0)) || !ntrans) return status;
    if ((status = check_array("alm", alm)) || (status = check_array("leg", leg))) return status;
    return armilla_leg_alm_run(plan->alm, ntrans, to_leg, (armilla_array){(void *)alm, is_float},
                               (armilla_array){(void *)leg, is_float});
}

/* Plans for one call. */
static armilla_status once_alm(const armilla_leg_problem *problem, int to_leg, const void *alm,
                               const void *leg, int is_float)
{
    armilla_leg_plan plan = {.alm = NULL};
    armilla_status status;
    if ((status = check_array("alm", alm)) || (status = check_array("leg", leg)) ||
        (status = armilla_leg_alm_new(problem, &plan.alm)))
        return status;
    status = run_alm(&plan, 1, to_leg, alm, leg, is_float);
    armilla_leg_alm_free(plan.alm);
    return status;
}

armilla_status armilla_leg_from_alm(const armilla_leg_problem *problem, const double *alm,
                                    double *leg)
{
    return once_alm(problem, 1, alm, leg, 0);
}

armilla_status armilla_leg_from_alm_float(const armilla_leg_problem *problem, const float *alm,
                                          float *leg)
{
    return once_alm(problem, 1, alm, leg, 1);
}

armilla_status armilla_leg_to_alm(const armilla_leg_problem *problem, const double *leg,
                                  double *alm)
{
    return once_alm(problem, 0, alm, leg, 0);
}

armilla_status armilla_leg_to_alm_float(const armilla_leg_problem *problem, const float *leg,
                                        float *alm)
{
    return once_alm(problem, 0, alm, leg, 1);
}

armilla_status armilla_leg_plan_from_alm(const armilla_leg_plan *plan, int64_t ntrans,
                                         const double *alm, double *leg)
{
    return run_alm(plan, ntrans, 1, alm, leg, 0);
}

armilla_status armilla_leg_plan_from_alm_float(const armilla_leg_plan *plan, int64_t ntrans,
                                               const float *alm, float *leg)
{
    return run_alm(plan, ntrans, 1, alm, leg, 1);
}

armilla_status armilla_leg_plan_to_alm(const armilla_leg_plan *plan, int64_t ntrans,
                                       const double *leg, double *alm)
{
    return run_alm(plan, ntrans, 0, alm, leg, 0);
}

armilla_status armilla_leg_plan_to_alm_float(const armilla_leg_plan *plan, int64_t ntrans,
                                             const float *leg, float *alm)
{
    return run_alm(plan, ntrans, 0, alm, leg, 1);
}

/* --- leg <-> map ------------------------------------------------------------------------------ */

static armilla_status run_map(const armilla_leg_plan *plan, int64_t ntrans, int to_map,
                              const void *leg, const void *map, int is_float)
{
    armilla_status status;
    if (!plan) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "plan = NULL: must be a plan");
    if (!plan->map)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "plan: was made without armilla_leg_rings");
    if ((status = armilla_grid_check_count("ntrans", ntrans, 0)) || !ntrans) return status;
    if ((status = check_array("leg", leg)) || (status = check_array("map", map))) return status;
    return armilla_leg_map_run(plan->map, ntrans, to_map, (armilla_array){(void *)leg, is_float},
                               (armilla_array){(void *)map, is_float});
}

static armilla_status once_map(const armilla_leg_rings *rings, int to_map, const void *leg,
                               const void *map, int is_float)
{
    armilla_leg_plan plan = {.map = NULL};
    armilla_status status;
    if ((status = check_array("leg", leg)) || (status = check_array("map", map)) ||
        (status = armilla_leg_map_new(rings, &plan.map)))
        return status;
    status = run_map(&plan, 1, to_map, leg, map, is_float);
    armilla_leg_map_free(plan.map);
    return status;
}

armilla_status armilla_leg_to_map(const armilla_leg_rings *rings, const double *leg, double *map)
{
    return once_map(rings, 1, leg, map, 0);
}

armilla_status armilla_leg_to_map_float(const armilla_leg_rings *rings, const float *leg,
                                        float *map)
{
    return once_map(rings, 1, leg, map, 1);
}

armilla_status armilla_leg_from_map(const armilla_leg_rings *rings, const double *map, double *leg)
{
    return once_map(rings, 0, leg, map, 0);
}

armilla_status armilla_leg_from_map_float(const armilla_leg_rings *rings, const float *map,
                                          float *leg)
{
    return once_map(rings, 0, leg, map, 1);
}

armilla_status armilla_leg_plan_to_map(const armilla_leg_plan *plan, int64_t ntrans,
                                       const double *leg, double *map)
{
    return run_map(plan, ntrans, 1, leg, map, 0);
}

armilla_status armilla_leg_plan_to_map_float(const armilla_leg_plan *plan, int64_t ntrans,
                                             const float *leg, float *map)
{
    return run_map(plan, ntrans, 1, leg, map, 1);
}

armilla_status armilla_leg_plan_from_map(const armilla_leg_plan *plan, int64_t ntrans,
                                         const double *map, double *leg)
{
    return run_map(plan, ntrans, 0, leg, map, 0);
}

armilla_status armilla_leg_plan_from_map_float(const armilla_leg_plan *plan, int64_t ntrans,
                                               const float *map, float *leg)
{
    return run_map(plan, ntrans, 0, leg, map, 1);
}

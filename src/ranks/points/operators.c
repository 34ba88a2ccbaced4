/* The public operators of plans for points over ranks, and their description. Const is cast away
 * only to share one view type; inputs are never written. */
#include "base/integer.h"
#include "base/options.h"
#include "ranks/points/plan.h"

static armilla_status operate(const armilla_distributed_points *plan, int to_points,
                              const void *alm, const void *values, int is_float,
                              const armilla_exec *exec)
{
    armilla_status status = armilla_check_given("plan", plan);
    if (status) return status;
    return armilla_distributed_points_run(plan, to_points, (armilla_array){(void *)alm, is_float},
                                          (armilla_array){(void *)values, is_float}, exec);
}

armilla_status armilla_distributed_points_synthesis(const armilla_distributed_points *plan,
                                                    const double *alm, double *values,
                                                    const armilla_exec *exec)
{
    return operate(plan, 1, alm, values, 0, exec);
}

armilla_status armilla_distributed_points_adjoint_synthesis(const armilla_distributed_points *plan,
                                                            const double *values, double *alm,
                                                            const armilla_exec *exec)
{
    return operate(plan, 0, alm, values, 0, exec);
}

armilla_status armilla_distributed_points_synthesis_float(const armilla_distributed_points *plan,
                                                          const float *alm, float *values,
                                                          const armilla_exec *exec)
{
    return operate(plan, 1, alm, values, 1, exec);
}

armilla_status
armilla_distributed_points_adjoint_synthesis_float(const armilla_distributed_points *plan,
                                                   const float *values, float *alm,
                                                   const armilla_exec *exec)
{
    return operate(plan, 0, alm, values, 1, exec);
}

/* --- Description ----------------------------------------------------------------------------- */

static int64_t plan_bytes(const armilla_distributed_points *plan)
{
    const armilla_points_core *core = plan->core;
    return armilla_points_order_bytes(&plan->order) + core->legendre->bytes +
           armilla_theta_bytes(core->theta) + armilla_ringfft_bytes(core->ringfft) +
           armilla_leg_layout_bytes(&core->leg) + armilla_ring_pairs_bytes(&core->near) +
           armilla_ring_pairs_bytes(&core->fine) + (core->mmax + 1) * (int64_t)sizeof(double) +
           armilla_strip_exchange_bytes(&plan->exchange);
}

armilla_status
armilla_distributed_points_describe(const armilla_distributed_points *plan, int nthreads,
                                    armilla_distributed_points_description *description)
{
    armilla_status status = armilla_check_given("plan", plan);
    if (status) return status;
    if (nthreads < 0) return armilla_fail_argument("nthreads", nthreads, "must be 0 (all) or more");
    const armilla_points_core *core = plan->core;
    const armilla_distributed_points_description made = {
        .npoints = plan->npoints,
        .all_points = plan->all_points,
        .points_here = plan->routes.here,
        .strips = core->end_strip - core->first_strip,
        .nstrips = core->nstrips,
        .alm_size = armilla_distributed_points_alm(plan),
        .ncomp = core->nmap,
        .alm_ncomp = core->nalm,
        .moves_alm = plan->alm_to_orders != NULL,
        .chunks = plan->exchange.nchunks,
        .plan_bytes = plan_bytes(plan),
        .workspace_bytes =
            8 * armilla_larger(armilla_distributed_points_workspace(plan, 0, 0, nthreads),
                               armilla_distributed_points_workspace(plan, 1, 0, nthreads))};
    return armilla_description_give("description", "armilla_distributed_points_description", &made,
                                    sizeof made, description);
}

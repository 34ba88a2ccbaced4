/* The public operators of plans for skies seen through beams over ranks, and their description.
 * Const is cast away only to share one view type; inputs are never written. */
#include "base/integer.h"
#include "base/options.h"
#include "ranks/beams/plan.h"

/* Arrays of doubles or floats, one of which is written. */
static armilla_status operate(const armilla_distributed_beams *plan, armilla_beams_operator op,
                              const void *sky, const void *beam, const void *samples, int is_float,
                              const armilla_exec *exec)
{
    const armilla_beams_arrays arrays = {.sky = {(void *)sky, is_float},
                                         .beam = {(void *)beam, is_float},
                                         .samples = {(void *)samples, is_float}};
    const armilla_status status = armilla_check_given("plan", plan);
    return status ? status : armilla_distributed_beams_run(plan, op, &arrays, exec);
}

armilla_status armilla_distributed_beams_convolve(const armilla_distributed_beams *plan,
                                                  const double *sky, const double *beam,
                                                  double *samples, const armilla_exec *exec)
{
    return operate(plan, ARMILLA_BEAMS_CONVOLVE, sky, beam, samples, 0, exec);
}

armilla_status armilla_distributed_beams_convolve_float(const armilla_distributed_beams *plan,
                                                        const float *sky, const float *beam,
                                                        float *samples, const armilla_exec *exec)
{
    return operate(plan, ARMILLA_BEAMS_CONVOLVE, sky, beam, samples, 1, exec);
}

armilla_status armilla_distributed_beams_adjoint(const armilla_distributed_beams *plan,
                                                 const double *samples, const double *beam,
                                                 double *sky, const armilla_exec *exec)
{
    return operate(plan, ARMILLA_BEAMS_ADJOINT, sky, beam, samples, 0, exec);
}

armilla_status armilla_distributed_beams_adjoint_float(const armilla_distributed_beams *plan,
                                                       const float *samples, const float *beam,
                                                       float *sky, const armilla_exec *exec)
{
    return operate(plan, ARMILLA_BEAMS_ADJOINT, sky, beam, samples, 1, exec);
}

armilla_status armilla_distributed_beams_beam_adjoint(const armilla_distributed_beams *plan,
                                                      const double *samples, const double *sky,
                                                      double *beam, const armilla_exec *exec)
{
    return operate(plan, ARMILLA_BEAMS_BEAM_ADJOINT, sky, beam, samples, 0, exec);
}

armilla_status armilla_distributed_beams_beam_adjoint_float(const armilla_distributed_beams *plan,
                                                            const float *samples, const float *sky,
                                                            float *beam, const armilla_exec *exec)
{
    return operate(plan, ARMILLA_BEAMS_BEAM_ADJOINT, sky, beam, samples, 1, exec);
}

/* --- Description ----------------------------------------------------------------------------- */

static int64_t most_workspace(const armilla_distributed_beams *plan, int nthreads)
{
    int64_t most = 0;
    for (int op = ARMILLA_BEAMS_CONVOLVE; op <= ARMILLA_BEAMS_BEAM_ADJOINT; op++)
        most = armilla_larger(most, armilla_distributed_beams_workspace(
                                        plan, (armilla_beams_operator)op, 0, nthreads));
    return 8 * most;
}

armilla_status
armilla_distributed_beams_describe(const armilla_distributed_beams *plan, int nthreads,
                                   armilla_distributed_beams_description *description)
{
    armilla_distributed_points_description points = {.size = sizeof points};
    armilla_status status = armilla_check_given("plan", plan);
    if (!status) status = armilla_distributed_points_describe(plan->points, nthreads, &points);
    if (status) return status;
    const armilla_distributed_beams_description made = {
        .npointings = points.npoints,
        .all_pointings = points.all_points,
        .pointings_here = points.points_here,
        .alm_size = points.alm_size,
        .blm_size = plan->here.blm_size,
        .plan_bytes = points.plan_bytes + armilla_beams_own_bytes(&plan->here),
        .workspace_bytes = most_workspace(plan, nthreads)};
    return armilla_description_give("description", "armilla_distributed_beams_description", &made,
                                    sizeof made, description);
}

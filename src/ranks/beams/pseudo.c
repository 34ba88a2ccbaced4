/* The sky that fits samples of all ranks best: least squares of points over ranks, with a beam that
 * all ranks have. */
#include "ranks/beams/plan.h"
#include "ranks/points/pseudo.h"

/* A plan with its beam: a linear map of skies. */
typedef struct {
    const armilla_distributed_beams *plan;
    const double *beam;
} beamed;

static armilla_status convolve(const void *context, const double *in, double *out,
                               const armilla_exec *exec)
{
    const beamed *b = context;
    return armilla_distributed_beams_convolve(b->plan, in, b->beam, out, exec);
}

static armilla_status adjoint(const void *context, const double *in, double *out,
                              const armilla_exec *exec)
{
    const beamed *b = context;
    return armilla_distributed_beams_adjoint(b->plan, in, b->beam, out, exec);
}

armilla_status armilla_distributed_beams_deconvolve(
    const armilla_distributed_beams *plan, const double *samples, const double *beam, double *sky,
    const armilla_pseudo_options *options, armilla_pseudo_report *report, const armilla_exec *exec)
{
    const armilla_beams_arrays arrays = {armilla_array_of_doubles(sky),
                                         armilla_array_of_doubles(beam),
                                         armilla_array_of_doubles(samples)};
    const beamed operator= {plan, beam};
    armilla_call call;
    armilla_status status = armilla_check_given("plan", plan);
    if (status) return status;
    status = armilla_distributed_beams_open(plan, ARMILLA_BEAMS_ADJOINT, &arrays, exec, &call);
    if (!status) status = armilla_beams_check_fit(&plan->here, beam, call.exec.ntrans);
    const armilla_pseudo_field field = {.plan = &operator,
                                        .synthesis = convolve,
                                        .adjoint = adjoint,
                                        .nmap = 1,
                                        .nalm = plan->here.components,
                                        .map_name = "samples",
                                        .pixel_name = "pointing"};
    status = armilla_rank_samples_fit(plan->points, &field, status, &call, options, report);
    return armilla_rank_close(&plan->points->transport, &plan->here.gpus, &call, status);
}

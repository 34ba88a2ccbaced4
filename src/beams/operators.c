/* The operators of skies seen through beams, and least squares with them. See armilla/beams.h;
 * src/sht/pseudo_job.h does the work of these. */
#include "beams/execute.h"

#include "base/directions.h"
#include "sht/pseudo_job.h"

armilla_status armilla_beams_check_host(const armilla_beams *plan, armilla_beams_operator op,
                                        const armilla_beams_arrays *arrays)
{
    const int reads_sky = op == ARMILLA_BEAMS_BEAM_ADJOINT;
    armilla_status status = armilla_check_given("beam", arrays->beam.values);
    if (!status) status = armilla_delegation_check_host(&plan->gpus, "beam", arrays->beam.values);
    return status || !reads_sky
               ? status
               : armilla_delegation_check_host(&plan->gpus, "sky", arrays->sky.values);
}

static armilla_status open_call(const armilla_beams *plan, armilla_beams_operator op,
                                const armilla_beams_arrays *arrays, const armilla_exec *exec,
                                armilla_call *call)
{
    armilla_status status = armilla_check_given("plan", plan);
    if (!status) status = armilla_beams_check_host(plan, op, arrays);
    if (status) return status;
    const armilla_call_arrays of_plan = {.alm_size = plan->alm_size,
                                         .nalm = plan->components,
                                         .npix = plan->order.count,
                                         .nmap = 1,
                                         .samples = "samples",
                                         .coefficients = "sky",
                                         .delegation = plan->gpus};
    *call = armilla_call_of(op == ARMILLA_BEAMS_CONVOLVE, arrays->sky, arrays->samples);
    call->alm_is_read = op == ARMILLA_BEAMS_BEAM_ADJOINT;
    return armilla_call_open(&of_plan, exec, call);
}

/* One of the arrays is written; the others are only read. */
static armilla_status operate(const armilla_beams *plan, armilla_beams_operator op,
                              const armilla_beams_arrays *arrays, const armilla_exec *exec)
{
    armilla_call call;
    armilla_status status = open_call(plan, op, arrays, exec, &call);
    if (status) return status;
    const armilla_beams_arrays here = {call.alm, arrays->beam, call.map};
    status = plan->on_gpu ? armilla_beams_device_run(plan, op, &here, &call)
                          : armilla_beams_run(plan, op, &here, &call.exec);
    return armilla_call_close(&call, status);
}

static armilla_beams_arrays doubles(const double *sky, const double *beam, const double *samples)
{
    return (armilla_beams_arrays){armilla_array_of_doubles(sky), armilla_array_of_doubles(beam),
                                  armilla_array_of_doubles(samples)};
}

static armilla_beams_arrays floats(const float *sky, const float *beam, const float *samples)
{
    return (armilla_beams_arrays){armilla_array_of_floats(sky), armilla_array_of_floats(beam),
                                  armilla_array_of_floats(samples)};
}

armilla_status armilla_beams_convolve(const armilla_beams *plan, const double *sky,
                                      const double *beam, double *samples, const armilla_exec *exec)
{
    const armilla_beams_arrays arrays = doubles(sky, beam, samples);
    return operate(plan, ARMILLA_BEAMS_CONVOLVE, &arrays, exec);
}

armilla_status armilla_beams_convolve_float(const armilla_beams *plan, const float *sky,
                                            const float *beam, float *samples,
                                            const armilla_exec *exec)
{
    const armilla_beams_arrays arrays = floats(sky, beam, samples);
    return operate(plan, ARMILLA_BEAMS_CONVOLVE, &arrays, exec);
}

armilla_status armilla_beams_adjoint(const armilla_beams *plan, const double *samples,
                                     const double *beam, double *sky, const armilla_exec *exec)
{
    const armilla_beams_arrays arrays = doubles(sky, beam, samples);
    return operate(plan, ARMILLA_BEAMS_ADJOINT, &arrays, exec);
}

armilla_status armilla_beams_adjoint_float(const armilla_beams *plan, const float *samples,
                                           const float *beam, float *sky, const armilla_exec *exec)
{
    const armilla_beams_arrays arrays = floats(sky, beam, samples);
    return operate(plan, ARMILLA_BEAMS_ADJOINT, &arrays, exec);
}

armilla_status armilla_beams_beam_adjoint(const armilla_beams *plan, const double *samples,
                                          const double *sky, double *beam, const armilla_exec *exec)
{
    const armilla_beams_arrays arrays = doubles(sky, beam, samples);
    return operate(plan, ARMILLA_BEAMS_BEAM_ADJOINT, &arrays, exec);
}

armilla_status armilla_beams_beam_adjoint_float(const armilla_beams *plan, const float *samples,
                                                const float *sky, float *beam,
                                                const armilla_exec *exec)
{
    const armilla_beams_arrays arrays = floats(sky, beam, samples);
    return operate(plan, ARMILLA_BEAMS_BEAM_ADJOINT, &arrays, exec);
}

/* --- Least squares ---------------------------------------------------------------------------- */

/* A plan with its beam: a linear map of skies. */
typedef struct {
    const armilla_beams *plan;
    const double *beam;
} beamed;

static armilla_status convolve(const void *context, const double *in, double *out,
                               const armilla_exec *exec)
{
    const beamed *b = context;
    return armilla_beams_convolve(b->plan, in, b->beam, out, exec);
}

static armilla_status adjoint(const void *context, const double *in, double *out,
                              const armilla_exec *exec)
{
    const beamed *b = context;
    return armilla_beams_adjoint(b->plan, in, b->beam, out, exec);
}

armilla_status armilla_beams_check_fit(const armilla_beams *plan, const double *beam,
                                       int64_t ntrans)
{
    if (ntrans != 1)
        return armilla_fail_argument("exec->ntrans", ntrans, "must be 1: a call fits one sky");
    /* one that is not finite would end the iterations at once, with a sky of zeros */
    return armilla_check_finite("beam", plan->nbeams * plan->components * plan->blm_size, 2, beam);
}

armilla_status armilla_beams_deconvolve(const armilla_beams *plan, const double *samples,
                                        const double *beam, double *sky,
                                        const armilla_pseudo_options *options,
                                        armilla_pseudo_report *report, const armilla_exec *exec)
{
    const armilla_beams_arrays arrays = doubles(sky, beam, samples);
    const beamed operator= {plan, beam};
    armilla_call call;
    armilla_pseudo_job job;
    armilla_status status = open_call(plan, ARMILLA_BEAMS_ADJOINT, &arrays, exec, &call);
    if (status) return status;
    const armilla_pseudo_field field = {.plan = &operator,
                                        .synthesis = convolve,
                                        .adjoint = adjoint,
                                        .layout = plan->layout,
                                        .nmap = 1,
                                        .nalm = plan->components,
                                        .npix = plan->order.count,
                                        .map_name = "samples",
                                        .pixel_name = "pointing"};
    status = armilla_beams_check_fit(plan, beam, call.exec.ntrans);
    if (!status) status = armilla_pseudo_job_init(&job, &field, options, &call.exec, &call.relay);
    if (!status) {
        armilla_pseudo_set_arrays(&job.arrays, call.map.values, call.alm.values, 0);
        status = armilla_pseudo_job_run(&job, 1, report);
    }
    return armilla_call_close(&call, status);
}

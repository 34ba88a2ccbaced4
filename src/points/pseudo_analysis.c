/* Least squares from values at points; see armilla/points.h. src/sht/pseudo_job.h does the work. */
#include "points/check.h"
#include "points/plan.h"
#include "sht/pseudo_job.h"

static armilla_status synthesis(const void *plan, const double *in, double *out,
                                const armilla_exec *exec)
{
    return armilla_points_synthesis(plan, in, out, exec);
}

static armilla_status adjoint(const void *plan, const double *in, double *out,
                              const armilla_exec *exec)
{
    return armilla_points_adjoint_synthesis(plan, in, out, exec);
}

static armilla_pseudo_field field_of(const armilla_points *plan)
{
    const armilla_points_core *core = plan->core;
    return (armilla_pseudo_field){.plan = plan,
                                  .synthesis = synthesis,
                                  .adjoint = adjoint,
                                  .layout = core->layout,
                                  .spin = core->spin,
                                  .nmap = core->nmap,
                                  .nalm = core->nalm,
                                  .npix = plan->order.count,
                                  .map_name = "values",
                                  .pixel_name = "point"};
}

static armilla_status pseudo_analysis(const armilla_points *plan, armilla_array values,
                                      armilla_array alm, const armilla_pseudo_options *options,
                                      armilla_pseudo_report *reports, const armilla_exec *exec)
{
    armilla_call call = armilla_call_of(0, alm, values);
    armilla_pseudo_job job;
    armilla_status status = armilla_points_open(plan, exec, &call);
    if (!status)
        status =
            armilla_pseudo_check_host(plan->core->on_device, "values", values.values, alm.values);
    if (status) return status;
    const armilla_pseudo_field field = field_of(plan);
    status = armilla_pseudo_job_init(&job, &field, options, &call.exec, &call.relay);
    if (status) return status;
    armilla_pseudo_set_arrays(&job.arrays, values.values, alm.values, values.is_float);
    return armilla_pseudo_job_run(&job, call.exec.ntrans, reports);
}

armilla_status armilla_points_pseudo_analysis(const armilla_points *plan, const double *values,
                                              double *alm, const armilla_pseudo_options *options,
                                              armilla_pseudo_report *reports,
                                              const armilla_exec *exec)
{
    return pseudo_analysis(plan, armilla_array_of_doubles(values), armilla_array_of_doubles(alm),
                           options, reports, exec);
}

armilla_status armilla_points_pseudo_analysis_float(const armilla_points *plan, const float *values,
                                                    float *alm,
                                                    const armilla_pseudo_options *options,
                                                    armilla_pseudo_report *reports,
                                                    const armilla_exec *exec)
{
    return pseudo_analysis(plan, armilla_array_of_floats(values), armilla_array_of_floats(alm),
                           options, reports, exec);
}

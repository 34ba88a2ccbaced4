/* The public calls of the iterative analysis of one field; pseudo_job.h does the work. */
#include "base/options.h"
#include "sht/execute.h"
#include "sht/plan.h"
#include "sht/pseudo_job.h"

void armilla_pseudo_options_init_sized(armilla_pseudo_options *options, size_t size)
{
    const armilla_pseudo_options defaults = {
        .method = ARMILLA_PSEUDO_LSMR, .tolerance = 1e-10, .max_iterations = 100};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* --- Operators of a plan ---------------------------------------------------------------------- */

static armilla_status synthesis(const void *plan, const double *in, double *out,
                                const armilla_exec *exec)
{
    return armilla_sht_synthesis(plan, in, out, exec);
}

static armilla_status adjoint(const void *plan, const double *in, double *out,
                              const armilla_exec *exec)
{
    return armilla_sht_adjoint_synthesis(plan, in, out, exec);
}

static armilla_status analysis(const void *plan, const double *in, double *out,
                               const armilla_exec *exec)
{
    return armilla_sht_analysis(plan, in, out, exec);
}

armilla_pseudo_field armilla_sht_pseudo_field(const armilla_sht *sht)
{
    return (armilla_pseudo_field){.plan = sht,
                                  .synthesis = synthesis,
                                  .adjoint = adjoint,
                                  .analysis = analysis,
                                  .grid = sht->grid,
                                  .layout = armilla_sht_get_layout(sht),
                                  .is_exact =
                                      !sht->degree_factor && armilla_sht_exactness(sht) == 1,
                                  .has_factors = sht->degree_factor != NULL,
                                  .spin = sht->spin,
                                  .nmap = sht->nmap,
                                  .nalm = sht->nalm,
                                  .npix = sht->npix,
                                  .map_name = "map",
                                  .pixel_name = "pixel"};
}

/* --- Public ----------------------------------------------------------------------------------- */

armilla_status armilla_sht_solve(const armilla_sht *sht, armilla_array map, armilla_array alm,
                                 const armilla_pseudo_options *options,
                                 armilla_pseudo_report *reports, const armilla_exec *exec)
{
    armilla_call call = armilla_call_of(0, alm, map);
    armilla_pseudo_job job;
    if (!sht) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    const armilla_call_arrays arrays = armilla_sht_call_arrays(sht, 1);
    armilla_status status = armilla_call_take(&arrays, exec, &call);
    if (!status && sht->form.packed)
        status = armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                              "options->form = ARMILLA_ALM_REAL: pseudo_analysis has complex "
                              "coefficients");
    if (!status)
        status = armilla_pseudo_check_host(sht->cuda != NULL, "map", map.values, alm.values);
    if (status) return status;
    const armilla_pseudo_field field = armilla_sht_pseudo_field(sht);
    status = armilla_pseudo_job_init(&job, &field, options, &call.exec, &call.relay);
    if (status) return status;
    armilla_pseudo_set_arrays(&job.arrays, map.values, alm.values, map.is_float);
    status = armilla_call_check_missing(&arrays, map, job.arrays.weights, &call.exec);
    return status ? status : armilla_pseudo_job_run(&job, call.exec.ntrans, reports);
}

armilla_status armilla_sht_pseudo_analysis(const armilla_sht *sht, const double *map, double *alm,
                                           const armilla_pseudo_options *options,
                                           armilla_pseudo_report *reports, const armilla_exec *exec)
{
    return armilla_sht_solve(sht, armilla_array_of_doubles(map), armilla_array_of_doubles(alm),
                             options, reports, exec);
}

armilla_status armilla_sht_pseudo_analysis_float(const armilla_sht *sht, const float *map,
                                                 float *alm, const armilla_pseudo_options *options,
                                                 armilla_pseudo_report *reports,
                                                 const armilla_exec *exec)
{
    return armilla_sht_solve(sht, armilla_array_of_floats(map), armilla_array_of_floats(alm),
                             options, reports, exec);
}

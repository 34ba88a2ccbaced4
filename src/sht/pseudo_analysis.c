/* The public calls of the iterative analysis of one field; pseudo_job.h does the work. */
#include "sht/plan.h"
#include "sht/pseudo_job.h"

void armilla_pseudo_options_init(armilla_pseudo_options *options)
{
    if (!options) return;
    *options = (armilla_pseudo_options){.size = sizeof *options,
                                        .method = ARMILLA_PSEUDO_LSMR,
                                        .tolerance = 1e-10,
                                        .max_iterations = 100};
}

static armilla_status solve_all(armilla_pseudo_job *job, int64_t ntrans,
                                armilla_pseudo_report *reports)
{
    armilla_status status = armilla_pseudo_job_check(job, ntrans);
    if (!status) status = armilla_pseudo_job_allocate(job);
    const double share = 1 / (double)ntrans;
    for (int64_t t = 0; t < ntrans && !status; t++) {
        status = armilla_pseudo_job_solve(job, t, share * (double)t, share,
                                          reports ? reports + t : NULL);
        if (!status) armilla_pseudo_job_store(job, t);
    }
    armilla_pseudo_job_release(job);
    return status;
}

static armilla_status pseudo_analysis(const armilla_sht *sht, const void *map, void *alm,
                                      int is_float, const armilla_pseudo_options *options,
                                      armilla_pseudo_report *reports, const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_relay relay;
    armilla_pseudo_job job;
    armilla_status status = armilla_sht_check_exec(sht, exec, &resolved);
    if (!status) status = armilla_alm_check_array("map", map);
    if (!status) status = armilla_alm_check_array("alm", alm);
    if (!status) status = armilla_sht_check_host_array(sht, "map", map);
    if (!status) status = armilla_sht_check_host_array(sht, "alm", alm);
    if (!status) status = armilla_pseudo_job_init(&job, sht, options, &resolved, &relay);
    if (status) return status;
    armilla_relay_start(&relay, resolved.progress, resolved.progress_data);
    armilla_pseudo_set_arrays(&job.arrays, map, alm, is_float);
    return solve_all(&job, resolved.ntrans, reports);
}

armilla_status armilla_sht_pseudo_analysis(const armilla_sht *sht, const double *map, double *alm,
                                           const armilla_pseudo_options *options,
                                           armilla_pseudo_report *reports, const armilla_exec *exec)
{
    return pseudo_analysis(sht, map, alm, 0, options, reports, exec);
}

armilla_status armilla_sht_pseudo_analysis_float(const armilla_sht *sht, const float *map,
                                                 float *alm, const armilla_pseudo_options *options,
                                                 armilla_pseudo_report *reports,
                                                 const armilla_exec *exec)
{
    return pseudo_analysis(sht, map, alm, 1, options, reports, exec);
}

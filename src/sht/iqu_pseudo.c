/* Iterative analysis of polarised maps: a job of each field (pseudo_job.h), both checked before any
 * work and both solved before the alm of a transform are written. */
#include "sht/iqu.h"
#include "sht/pseudo_job.h"

enum { SCALAR, POLAR, JOBS };

static armilla_status solve_fields(armilla_pseudo_job *job, int64_t t, double share,
                                   double scalar_share, armilla_pseudo_report *reports)
{
    const double begin = share * (double)t, part = share * scalar_share;
    armilla_status status = armilla_pseudo_job_allocate(&job[SCALAR]);
    if (!status) status = armilla_pseudo_job_solve(&job[SCALAR], t, begin, part, reports);
    armilla_pseudo_job_release_work(&job[SCALAR]);
    if (!status) status = armilla_pseudo_job_allocate(&job[POLAR]);
    if (status) return status;
    return armilla_pseudo_job_solve(&job[POLAR], t, begin + part, share - part,
                                    reports ? reports + 1 : NULL);
}

/* One transform. The memory of I is given back before that of Q and U is taken. */
static armilla_status solve(armilla_pseudo_job *job, int64_t t, double share, double scalar_share,
                            armilla_pseudo_report *reports)
{
    armilla_pseudo_report made[JOBS];
    armilla_status status = solve_fields(job, t, share, scalar_share, reports ? made : NULL);
    for (int field = SCALAR; field <= POLAR; field++) {
        if (!status) armilla_pseudo_job_store(&job[field], t);
        if (!status && reports) reports[field] = made[field];
        armilla_pseudo_job_release(&job[field]);
    }
    return status;
}

static armilla_status init_jobs(armilla_pseudo_job *job, const armilla_iqu *iqu,
                                const armilla_pseudo_options *options, const armilla_exec *exec,
                                armilla_relay *relay)
{
    const armilla_pseudo_field scalar = armilla_sht_pseudo_field(iqu->scalar);
    const armilla_pseudo_field polar = armilla_sht_pseudo_field(iqu->polar);
    armilla_status status = armilla_pseudo_job_init(&job[SCALAR], &scalar, options, exec, relay);
    if (!status) status = armilla_pseudo_job_init(&job[POLAR], &polar, options, exec, relay);
    job[POLAR].arrays.first = 1;
    return status;
}

static armilla_status pseudo_analysis(const armilla_iqu *iqu, const void *map, void *alm,
                                      int is_float, const armilla_pseudo_options *options,
                                      armilla_pseudo_report *reports, const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_relay relay;
    armilla_pseudo_job job[JOBS];
    armilla_status status = armilla_iqu_check(iqu, map, alm, exec, &resolved);
    if (!status) status = armilla_sht_check_host_array(iqu->scalar, "map", map);
    if (!status) status = armilla_sht_check_host_array(iqu->scalar, "alm", alm);
    if (!status) status = init_jobs(job, iqu, options, &resolved, &relay);
    if (status) return status;
    for (int field = SCALAR; field <= POLAR; field++) {
        armilla_pseudo_arrays *arrays = &job[field].arrays;
        armilla_pseudo_set_arrays(arrays, map, alm, is_float);
        arrays->map_period = arrays->alm_period = ARMILLA_IQU_FIELDS;
    }
    armilla_relay_start(&relay, resolved.progress, resolved.progress_data);
    status = armilla_iqu_check_missing(iqu, job[SCALAR].arrays.map, job[SCALAR].arrays.weights,
                                       &resolved);
    if (!status) status = armilla_pseudo_job_check(&job[SCALAR], resolved.ntrans);
    if (!status) status = armilla_pseudo_job_check(&job[POLAR], resolved.ntrans);
    for (int64_t t = 0; t < resolved.ntrans && !status; t++)
        status = solve(job, t, 1 / (double)resolved.ntrans, iqu->scalar_share,
                       reports ? reports + JOBS * t : NULL);
    return status;
}

armilla_status armilla_iqu_pseudo_analysis(const armilla_iqu *iqu, const double *map, double *alm,
                                           const armilla_pseudo_options *options,
                                           armilla_pseudo_report *reports, const armilla_exec *exec)
{
    return pseudo_analysis(iqu, map, alm, 0, options, reports, exec);
}

armilla_status armilla_iqu_pseudo_analysis_float(const armilla_iqu *iqu, const float *map,
                                                 float *alm, const armilla_pseudo_options *options,
                                                 armilla_pseudo_report *reports,
                                                 const armilla_exec *exec)
{
    return pseudo_analysis(iqu, map, alm, 1, options, reports, exec);
}

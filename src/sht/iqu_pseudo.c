/* Iterative analysis of polarised maps: a job of each field (pseudo_job.h), both checked before any
 * work and both solved before the alm of a transform are written. */
#include "sht/iqu_pseudo.h"
#include "sht/iqu.h"

enum { SCALAR = ARMILLA_IQU_SCALAR, POLAR = ARMILLA_IQU_POLAR, JOBS = ARMILLA_IQU_JOBS };

/* --- Two jobs -------------------------------------------------------------------------------- */

armilla_status armilla_iqu_pseudo_init(armilla_iqu_pseudo *pseudo,
                                       const armilla_pseudo_field fields[ARMILLA_IQU_JOBS],
                                       double scalar_share, const armilla_pseudo_options *options,
                                       const armilla_exec *exec)
{
    armilla_status status = ARMILLA_OK;
    pseudo->scalar_share = scalar_share;
    for (int field = SCALAR; field <= POLAR && !status; field++)
        status = armilla_pseudo_job_init(&pseudo->job[field], &fields[field], options, exec,
                                         &pseudo->relay);
    return status;
}

void armilla_iqu_pseudo_set_arrays(armilla_iqu_pseudo *pseudo, const void *map, void *alm,
                                   int is_float)
{
    for (int field = SCALAR; field <= POLAR; field++) {
        armilla_pseudo_arrays *arrays = &pseudo->job[field].arrays;
        armilla_pseudo_set_arrays(arrays, map, alm, is_float);
        arrays->first = field;
        arrays->map_period = arrays->alm_period = ARMILLA_IQU_FIELDS;
    }
}

static armilla_status solve_fields(armilla_iqu_pseudo *pseudo, int64_t t, double share,
                                   armilla_pseudo_report *reports)
{
    armilla_pseudo_job *job = pseudo->job;
    const double begin = share * (double)t, part = share * pseudo->scalar_share;
    armilla_status status = armilla_pseudo_job_allocate(&job[SCALAR]);
    if (!status) status = armilla_pseudo_job_solve(&job[SCALAR], t, begin, part, reports);
    armilla_pseudo_job_release_work(&job[SCALAR]);
    if (!status) status = armilla_pseudo_job_allocate(&job[POLAR]);
    if (status) return status;
    return armilla_pseudo_job_solve(&job[POLAR], t, begin + part, share - part,
                                    reports ? reports + 1 : NULL);
}

/* One transform. The memory of I is given back before that of Q and U is taken. */
static armilla_status solve(armilla_iqu_pseudo *pseudo, int64_t t, double share,
                            armilla_pseudo_report *reports)
{
    armilla_pseudo_report made[JOBS];
    armilla_status status = solve_fields(pseudo, t, share, reports ? made : NULL);
    for (int field = SCALAR; field <= POLAR; field++) {
        if (!status) armilla_pseudo_job_store(&pseudo->job[field], t);
        if (!status && reports) reports[field] = made[field];
        armilla_pseudo_job_release(&pseudo->job[field]);
    }
    return status;
}

armilla_status armilla_iqu_pseudo_run(armilla_iqu_pseudo *pseudo, const armilla_exec *exec,
                                      armilla_pseudo_report *reports)
{
    const int64_t ntrans = exec->ntrans;
    armilla_relay_start(&pseudo->relay, exec->progress, exec->progress_data);
    armilla_status status = armilla_pseudo_job_check(&pseudo->job[SCALAR], ntrans);
    if (!status) status = armilla_pseudo_job_check(&pseudo->job[POLAR], ntrans);
    for (int64_t t = 0; t < ntrans && !status; t++)
        status = solve(pseudo, t, 1 / (double)ntrans, reports ? reports + JOBS * t : NULL);
    return status;
}

/* --- Public ----------------------------------------------------------------------------------- */

armilla_status armilla_iqu_solve(const armilla_iqu *iqu, armilla_array map, armilla_array alm,
                                 const armilla_pseudo_options *options,
                                 armilla_pseudo_report *reports, const armilla_exec *exec)
{
    armilla_call call = armilla_call_of(0, alm, map);
    armilla_iqu_pseudo pseudo;
    if (!iqu) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "iqu = NULL: must be a plan");
    const armilla_call_arrays arrays = armilla_sht_call_arrays(iqu->scalar, ARMILLA_IQU_FIELDS);
    armilla_status status = armilla_call_take(&arrays, exec, &call);
    if (!status)
        status =
            armilla_pseudo_check_host(iqu->scalar->cuda != NULL, "map", map.values, alm.values);
    if (status) return status;
    const armilla_pseudo_field fields[JOBS] = {armilla_sht_pseudo_field(iqu->scalar),
                                               armilla_sht_pseudo_field(iqu->polar)};
    status = armilla_iqu_pseudo_init(&pseudo, fields, iqu->scalar_share, options, &call.exec);
    if (status) return status;
    armilla_iqu_pseudo_set_arrays(&pseudo, map.values, alm.values, map.is_float);
    status =
        armilla_call_check_missing(&arrays, map, pseudo.job[SCALAR].arrays.weights, &call.exec);
    return status ? status : armilla_iqu_pseudo_run(&pseudo, &call.exec, reports);
}

armilla_status armilla_iqu_pseudo_analysis(const armilla_iqu *iqu, const double *map, double *alm,
                                           const armilla_pseudo_options *options,
                                           armilla_pseudo_report *reports, const armilla_exec *exec)
{
    return armilla_iqu_solve(iqu, armilla_array_of_doubles(map), armilla_array_of_doubles(alm),
                             options, reports, exec);
}

armilla_status armilla_iqu_pseudo_analysis_float(const armilla_iqu *iqu, const float *map,
                                                 float *alm, const armilla_pseudo_options *options,
                                                 armilla_pseudo_report *reports,
                                                 const armilla_exec *exec)
{
    return armilla_iqu_solve(iqu, armilla_array_of_floats(map), armilla_array_of_floats(alm),
                             options, reports, exec);
}

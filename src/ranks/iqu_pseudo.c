/* Iterative analysis of polarised maps that are spread over ranks: the two jobs of one rank
 * (sht/iqu_pseudo.h), of I and of Q with U, over one link to the other ranks. */
#include "sht/iqu_pseudo.h"
#include "ranks/iqu.h"
#include "ranks/missing.h"
#include "ranks/pseudo.h"
#include "ranks/agree.h"
#include "sht/iqu.h"

/* What one rank does before all of them agree. */
static armilla_status prepare(const armilla_distributed_iqu *iqu, armilla_pseudo_link *link,
                              const armilla_pseudo_options *options, const armilla_exec *exec,
                              armilla_iqu_pseudo *pseudo)
{
    armilla_pseudo_link_open(link, iqu->scalar);
    const armilla_pseudo_field fields[ARMILLA_IQU_JOBS] = {
        armilla_pseudo_link_field(link, iqu->scalar), armilla_pseudo_link_field(link, iqu->polar)};
    return armilla_iqu_pseudo_init(pseudo, fields, iqu->scalar_share, options, exec);
}

static armilla_status pseudo_analysis(const armilla_distributed_iqu *iqu, const void *map,
                                      void *alm, int is_float,
                                      const armilla_pseudo_options *options,
                                      armilla_pseudo_report *reports, const armilla_exec *exec)
{
    armilla_pseudo_link link;
    armilla_exec resolved;
    armilla_iqu_pseudo pseudo;
    if (!iqu) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "iqu = NULL: must be a plan");
    const armilla_call_arrays arrays =
        armilla_sht_call_arrays(iqu->scalar->sht, ARMILLA_IQU_FIELDS);
    armilla_status status =
        armilla_distributed_pseudo_check(iqu->scalar, &arrays, map, alm, exec, &resolved);
    if (!status) status = prepare(iqu, &link, options, &resolved, &pseudo);
    status = armilla_distributed_pseudo_agree(&iqu->scalar->transport, status,
                                              &pseudo.job[ARMILLA_IQU_SCALAR], &resolved,
                                              reports != NULL);
    if (!status) {
        const armilla_pseudo_arrays *given = &pseudo.job[ARMILLA_IQU_SCALAR].arrays;
        armilla_iqu_pseudo_set_arrays(&pseudo, map, alm, is_float);
        const armilla_missing_maps maps = {given->map, resolved.map_distance, given->weights};
        status = armilla_rank_check_missing(iqu->scalar, ARMILLA_IQU_FIELDS, &maps, &resolved);
    }
    if (status) return status;
    return armilla_pseudo_link_end(&link, armilla_iqu_pseudo_run(&pseudo, &resolved, reports));
}

armilla_status armilla_distributed_iqu_pseudo_analysis(const armilla_distributed_iqu *iqu,
                                                       const double *map, double *alm,
                                                       const armilla_pseudo_options *options,
                                                       armilla_pseudo_report *reports,
                                                       const armilla_exec *exec)
{
    return pseudo_analysis(iqu, map, alm, 0, options, reports, exec);
}

armilla_status armilla_distributed_iqu_pseudo_analysis_float(const armilla_distributed_iqu *iqu,
                                                             const float *map, float *alm,
                                                             const armilla_pseudo_options *options,
                                                             armilla_pseudo_report *reports,
                                                             const armilla_exec *exec)
{
    return pseudo_analysis(iqu, map, alm, 1, options, reports, exec);
}

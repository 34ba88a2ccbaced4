/* Iterative analysis of maps that are spread over ranks: the job of one rank (sht/pseudo_job.h)
 * with the operators of a distributed plan, sums of squares ring by ring and order by order that
 * all ranks tell each other, and one answer for all wherever a rank could stop. */
#include "ranks/pseudo.h"

#include "grid/grid.h"
#include "ranks/agree.h"
#include "ranks/digest.h"
#include "ranks/execute.h"
#include "ranks/missing.h"
#include "ranks/threads.h"

#include <string.h>

/* Doubles that are not negative are in the sequence of their bits as whole numbers. */
static void largest(void *context, int64_t count, double *values)
{
    armilla_pseudo_link *link = context;
    const armilla_transport *transport = link->transport;
    if (!link->failed)
        link->failed =
            transport->largest(transport->context, count, (int64_t *)(void *)values) != 0;
}

static armilla_status agree(void *context, armilla_status status)
{
    armilla_pseudo_link *link = context;
    if (link->failed) return armilla_fail_transport();
    status = armilla_agree(link->transport, status);
    link->failed = status == ARMILLA_ERROR_TRANSPORT;
    return status;
}

/* --- Operators of a plan ---------------------------------------------------------------------- */

static armilla_status synthesis(const void *plan, const double *in, double *out,
                                const armilla_exec *exec)
{
    return armilla_distributed_sht_synthesis(plan, in, out, exec);
}

static armilla_status adjoint(const void *plan, const double *in, double *out,
                              const armilla_exec *exec)
{
    return armilla_distributed_sht_adjoint_synthesis(plan, in, out, exec);
}

static armilla_status analysis(const void *plan, const double *in, double *out,
                               const armilla_exec *exec)
{
    return armilla_distributed_sht_analysis(plan, in, out, exec);
}

/* --- Links ------------------------------------------------------------------------------------ */

void armilla_pseudo_link_start(armilla_pseudo_link *link, const armilla_transport *transport)
{
    *link = (armilla_pseudo_link){.transport = transport};
    link->ranks = (armilla_pseudo_ranks){.rank = transport->rank,
                                         .nranks = transport->nranks,
                                         .largest = largest,
                                         .agree = agree,
                                         .context = link};
}

void armilla_pseudo_link_open(armilla_pseudo_link *link, const armilla_distributed_sht *plan)
{
    const armilla_distribution *d = plan->distribution;
    const int64_t member = armilla_distribution_member(d, plan->transport.rank);
    const int64_t first = d->rings.start[member];
    armilla_pseudo_link_start(link, &plan->transport);
    link->ranks.grid = d->grid;
    link->ranks.nrings = d->rings.start[member + 1] - first;
    link->ranks.number = d->rings.list + first;
}

armilla_status armilla_pseudo_link_end(const armilla_pseudo_link *link, armilla_status status)
{
    return !status && link->failed ? armilla_fail_transport() : status;
}

armilla_pseudo_field armilla_pseudo_link_field(const armilla_pseudo_link *link,
                                               const armilla_distributed_sht *plan)
{
    armilla_pseudo_field field = armilla_sht_pseudo_field(plan->sht);
    field.plan = plan, field.grid = NULL, field.ranks = &link->ranks;
    field.synthesis = synthesis, field.adjoint = adjoint, field.analysis = analysis;
    return field;
}

/* --- Checks ----------------------------------------------------------------------------------- */

armilla_status armilla_distributed_pseudo_check(const armilla_distributed_sht *plan,
                                                const armilla_call_arrays *arrays, const void *map,
                                                const void *alm, const armilla_exec *exec,
                                                armilla_exec *resolved)
{
    armilla_status status = armilla_call_check(arrays, exec, resolved);
    if (status) return status;
    resolved->nthreads = armilla_rank_threads(&plan->transport, resolved->nthreads);
    status = armilla_distribution_check_group("distribution", plan->distribution,
                                              ARMILLA_OPERATION_PSEUDO);
    if (!status) status = armilla_rank_check_arrays(plan, resolved->ntrans, alm, map);
    if (status) return status;
    const armilla_sht *sht = plan->sht;
    return armilla_pseudo_check_host(sht->cuda != NULL, "map", sht->npix ? map : NULL,
                                     sht->layout->size ? alm : NULL);
}

enum { COMMON = 7 };

/* What decides how often ranks ask each other. */
static void list_common(const armilla_pseudo_job *job, const armilla_exec *exec, int has_reports,
                        armilla_common values[COMMON])
{
    const armilla_common list[COMMON] = {
        {"options->method", (int64_t)job->options.method},
        {"options->max_iterations", job->options.max_iterations},
        {"options->tolerance (its bits)", armilla_digest_double(job->options.tolerance)},
        {"options->weights (1: given)", job->options.weights != NULL},
        {"options->guess (1: given)", job->options.guess != NULL},
        {"exec->missing", (int64_t)exec->missing},
        {"exec->ntrans, twice, plus 1 where reports are given", 2 * exec->ntrans + has_reports}};
    memcpy(values, list, sizeof list);
}

armilla_status armilla_distributed_pseudo_agree(const armilla_transport *transport,
                                                armilla_status status,
                                                const armilla_pseudo_job *job,
                                                const armilla_exec *exec, int has_reports)
{
    armilla_common values[COMMON] = {{NULL, 0}};
    if (!status) list_common(job, exec, has_reports, values);
    return armilla_agree_on(transport, status, COMMON, values, NULL);
}

/* --- One field -------------------------------------------------------------------------------- */

static armilla_status pseudo_analysis(const armilla_distributed_sht *plan, const void *map,
                                      void *alm, int is_float,
                                      const armilla_pseudo_options *options,
                                      armilla_pseudo_report *reports, const armilla_exec *exec)
{
    armilla_pseudo_link link;
    armilla_exec resolved;
    armilla_relay relay;
    armilla_pseudo_job job;
    if (!plan) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    const armilla_call_arrays arrays = armilla_sht_call_arrays(plan->sht, 1);
    armilla_status status =
        armilla_distributed_pseudo_check(plan, &arrays, map, alm, exec, &resolved);
    armilla_pseudo_link_open(&link, plan);
    const armilla_pseudo_field field = armilla_pseudo_link_field(&link, plan);
    if (!status) status = armilla_pseudo_job_init(&job, &field, options, &resolved, &relay);
    status = armilla_distributed_pseudo_agree(&plan->transport, status, &job, &resolved,
                                              reports != NULL);
    if (!status) {
        armilla_relay_start(&relay, resolved.progress, resolved.progress_data);
        armilla_pseudo_set_arrays(&job.arrays, map, alm, is_float);
        const armilla_missing_maps maps = {job.arrays.map, resolved.map_distance,
                                           job.arrays.weights};
        status = armilla_rank_check_missing(plan, plan->sht->nmap, &maps, &resolved);
    }
    if (status) return status;
    return armilla_pseudo_link_end(&link, armilla_pseudo_job_run(&job, resolved.ntrans, reports));
}

armilla_status armilla_distributed_sht_pseudo_analysis(const armilla_distributed_sht *sht,
                                                       const double *map, double *alm,
                                                       const armilla_pseudo_options *options,
                                                       armilla_pseudo_report *reports,
                                                       const armilla_exec *exec)
{
    return pseudo_analysis(sht, map, alm, 0, options, reports, exec);
}

armilla_status armilla_distributed_sht_pseudo_analysis_float(const armilla_distributed_sht *sht,
                                                             const float *map, float *alm,
                                                             const armilla_pseudo_options *options,
                                                             armilla_pseudo_report *reports,
                                                             const armilla_exec *exec)
{
    return pseudo_analysis(sht, map, alm, 1, options, reports, exec);
}

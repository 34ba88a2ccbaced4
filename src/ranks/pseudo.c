/* Iterative analysis of maps that are spread over ranks: the job of one rank (sht/pseudo_job.h)
 * with the operators of a distributed plan, sums of squares ring by ring and order by order that
 * all ranks tell each other, and one answer for all wherever a rank could stop. */
#include "armilla/distributed.h"
#include "base/memory.h"
#include "base/options.h"
#include "grid/grid.h"
#include "ranks/agree.h"
#include "ranks/execute.h"
#include "sht/call.h"
#include "sht/pseudo_job.h"

#include <string.h>

/* What a call shares with other ranks. */
typedef struct {
    const armilla_transport *transport;
    int failed; /* a message was lost: nothing more is sent */
} link_of_ranks;

/* Doubles that are not negative are in the sequence of their bits as whole numbers. */
static void largest(void *context, int64_t count, double *values)
{
    link_of_ranks *ranks = context;
    const armilla_transport *transport = ranks->transport;
    if (!ranks->failed)
        ranks->failed =
            transport->largest(transport->context, count, (int64_t *)(void *)values) != 0;
}

static armilla_status agree(void *context, armilla_status status)
{
    link_of_ranks *ranks = context;
    if (ranks->failed) return armilla_fail_transport();
    status = armilla_agree(ranks->transport, status);
    ranks->failed = status == ARMILLA_ERROR_TRANSPORT;
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

/* --- A call ---------------------------------------------------------------------------------- */

typedef struct {
    link_of_ranks link;
    armilla_pseudo_ranks ranks;
    armilla_pseudo_field field;
    int64_t *length; /* of ranks */
} scene;

static armilla_status open_scene(const armilla_distributed_sht *plan, scene *s)
{
    const armilla_distribution *d = plan->distribution;
    const armilla_sht *sht = plan->sht;
    const int64_t member = armilla_distribution_member(d, plan->transport.rank);
    const int64_t first = d->rings.start[member], count = d->rings.start[member + 1] - first;
    s->link = (link_of_ranks){.transport = &plan->transport};
    s->field = armilla_sht_pseudo_field(sht);
    s->field.plan = plan, s->field.grid = NULL, s->field.ranks = &s->ranks;
    s->field.synthesis = synthesis, s->field.adjoint = adjoint, s->field.analysis = analysis;
    armilla_status status = armilla_allocate(&s->length, count, sizeof *s->length);
    for (int64_t i = 0; i < count && !status; i++)
        s->length[i] = d->grid->rings[d->rings.list[first + i]].nphi;
    s->ranks = (armilla_pseudo_ranks){.nrings = count,
                                      .length = s->length,
                                      .number = d->rings.list + first,
                                      .all_rings = d->rings.count,
                                      .largest = largest,
                                      .agree = agree,
                                      .context = &s->link};
    return status;
}

static armilla_status check(const armilla_distributed_sht *plan, const void *map, const void *alm,
                            const armilla_exec *exec, armilla_exec *resolved)
{
    const armilla_sht *sht = plan->sht;
    const armilla_call_arrays arrays = {sht->layout->size, sht->nalm, sht->npix, sht->nmap};
    armilla_status status = armilla_call_check(&arrays, 0, exec, resolved);
    if (status) return status;
    if (plan->distribution->nmembers != plan->distribution->nranks)
        return armilla_fail(
            ARMILLA_ERROR_UNSUPPORTED,
            "groups of fields: pseudo_analysis runs on all ranks; give each group a "
            "communicator of its own");
    if (resolved->missing)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "exec->missing: distributed transforms propagate missing values");
    return armilla_rank_check_arrays(plan, resolved->ntrans, alm, map);
}

enum { COMMON = 6 };

/* What decides how often ranks ask each other. */
static void list_common(const armilla_pseudo_job *job, const armilla_exec *exec,
                        const void *reports, armilla_common values[COMMON])
{
    int64_t tolerance;
    memcpy(&tolerance, &job->options.tolerance, sizeof tolerance);
    const armilla_common list[COMMON] = {
        {"options->method", (int64_t)job->options.method},
        {"options->max_iterations", job->options.max_iterations},
        {"options->tolerance (its bits)", tolerance / 2},
        {"options->weights (1: given)", job->options.weights != NULL},
        {"options->guess (1: given)", job->options.guess != NULL},
        {"exec->ntrans, twice, plus 1 where reports are given",
         2 * exec->ntrans + (reports != NULL)}};
    memcpy(values, list, sizeof list);
}

static armilla_status pseudo_analysis(const armilla_distributed_sht *plan, const void *map,
                                      void *alm, int is_float,
                                      const armilla_pseudo_options *options,
                                      armilla_pseudo_report *reports, const armilla_exec *exec)
{
    scene s = {.length = NULL};
    armilla_exec resolved;
    armilla_relay relay;
    armilla_pseudo_job job;
    armilla_common values[COMMON] = {{NULL, 0}};
    if (!plan) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "sht = NULL: must be a plan");
    armilla_status status = check(plan, map, alm, exec, &resolved);
    if (!status) status = open_scene(plan, &s);
    if (!status) status = armilla_pseudo_job_init(&job, &s.field, options, &resolved, &relay);
    if (!status) list_common(&job, &resolved, reports, values);
    status = armilla_agree_on(&plan->transport, status, COMMON, values, NULL);
    if (!status) {
        armilla_relay_start(&relay, resolved.progress, resolved.progress_data);
        armilla_pseudo_set_arrays(&job.arrays, map, alm, is_float);
        status = armilla_pseudo_job_run(&job, resolved.ntrans, reports);
        if (!status && s.link.failed) status = armilla_fail_transport();
    }
    armilla_release(s.length);
    return status;
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

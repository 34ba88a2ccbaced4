/* Least squares from values at points that are spread over ranks: the job of one rank
 * (sht/pseudo_job.h) with the operators of a distributed plan. Sums of squares are those of one
 * rank that has the points of all, those of rank 0 first. */
#include "ranks/points/pseudo.h"

#include "base/memory.h"
#include "ranks/agree.h"
#include "ranks/pseudo.h"
#include "ranks/threads.h"

static armilla_status synthesis(const void *plan, const double *in, double *out,
                                const armilla_exec *exec)
{
    return armilla_distributed_points_synthesis(plan, in, out, exec);
}

static armilla_status adjoint(const void *plan, const double *in, double *out,
                              const armilla_exec *exec)
{
    return armilla_distributed_points_adjoint_synthesis(plan, in, out, exec);
}

/* What a call holds besides its job. */
typedef struct {
    armilla_pseudo_link link;
    int64_t *start;             /* of the points of each rank, and the end */
    armilla_alm_layout *layout; /* of the caller's alm */
} held;

static void release(held *h)
{
    armilla_release(h->start);
    armilla_alm_layout_free(h->layout);
}

/* Collective. */
static armilla_status find_starts(const armilla_distributed_points *plan, armilla_status status,
                                  held *h)
{
    const armilla_transport *transport = &plan->transport;
    const int64_t nranks = transport->nranks;
    if (!status) status = armilla_allocate_zero(&h->start, nranks + 1, sizeof *h->start);
    if ((status = armilla_agree(transport, status))) return status;
    h->start[transport->rank + 1] = plan->npoints;
    if (transport->largest(transport->context, nranks + 1, h->start))
        return armilla_fail_transport();
    for (int64_t rank = 0; rank < nranks; rank++) h->start[rank + 1] += h->start[rank];
    armilla_pseudo_link_start(&h->link, transport);
    h->link.ranks.start = h->start;
    return ARMILLA_OK;
}

armilla_status armilla_rank_samples_fit(const armilla_distributed_points *plan,
                                        const armilla_pseudo_field *of, armilla_status status,
                                        armilla_call *call, const armilla_pseudo_options *options,
                                        armilla_pseudo_report *reports)
{
    held h = {.start = NULL};
    armilla_pseudo_job job;
    armilla_pseudo_field field = *of;
    if (!status) status = armilla_distributed_points_layout(plan, plan->given, &h.layout);
    if (!(status = find_starts(plan, status, &h))) {
        field.layout = h.layout, field.npix = plan->npoints, field.ranks = &h.link.ranks;
        call->exec.nthreads = armilla_rank_threads(&plan->transport, call->exec.nthreads);
        status = armilla_pseudo_job_init(&job, &field, options, &call->exec, &call->relay);
        status = armilla_distributed_pseudo_agree(&plan->transport, status, &job, &call->exec,
                                                  reports != NULL);
    }
    if (!status) {
        armilla_pseudo_set_arrays(&job.arrays, call->map.values, call->alm.values,
                                  call->map.is_float);
        status = armilla_pseudo_link_end(&h.link,
                                         armilla_pseudo_job_run(&job, call->exec.ntrans, reports));
    }
    release(&h);
    return status;
}

static armilla_status pseudo_analysis(const armilla_distributed_points *plan, armilla_array values,
                                      armilla_array alm, const armilla_pseudo_options *options,
                                      armilla_pseudo_report *reports, const armilla_exec *exec)
{
    armilla_call call = armilla_call_of(0, alm, values);
    armilla_status status = armilla_check_given("plan", plan);
    if (status) return status;
    const armilla_points_core *core = plan->core;
    const armilla_pseudo_field field = {.plan = plan,
                                        .synthesis = synthesis,
                                        .adjoint = adjoint,
                                        .spin = core->spin,
                                        .nmap = core->nmap,
                                        .nalm = core->nalm,
                                        .map_name = "values",
                                        .pixel_name = "point"};
    status = armilla_distributed_points_open(plan, exec, &call);
    status = armilla_rank_samples_fit(plan, &field, status, &call, options, reports);
    return armilla_rank_close(&plan->transport, &plan->delegation, &call, status);
}

armilla_status armilla_distributed_points_pseudo_analysis(const armilla_distributed_points *plan,
                                                          const double *values, double *alm,
                                                          const armilla_pseudo_options *options,
                                                          armilla_pseudo_report *reports,
                                                          const armilla_exec *exec)
{
    return pseudo_analysis(plan, armilla_array_of_doubles(values), armilla_array_of_doubles(alm),
                           options, reports, exec);
}

armilla_status armilla_distributed_points_pseudo_analysis_float(
    const armilla_distributed_points *plan, const float *values, float *alm,
    const armilla_pseudo_options *options, armilla_pseudo_report *reports, const armilla_exec *exec)
{
    return pseudo_analysis(plan, armilla_array_of_floats(values), armilla_array_of_floats(alm),
                           options, reports, exec);
}

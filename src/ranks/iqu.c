/* Polarised maps over ranks: a scalar plan for I and one of spin 2 for Q and U. As on one rank, all
 * fields of I go together, Q and U field by field, and memory of the host is there for both before
 * anything is written; that of a GPU is not. */
#include "armilla/distributed.h"
#include "base/memory.h"
#include "base/progress.h"
#include "call/call.h"
#include "ranks/agree.h"
#include "ranks/execute.h"
#include "ranks/iqu.h"
#include "ranks/missing.h"

enum { FIELDS = 3 };

armilla_status armilla_distributed_iqu_new(const armilla_transport *transport,
                                           const armilla_distribution *distribution,
                                           const armilla_sht_options *options,
                                           const armilla_distributed_options *distributed,
                                           armilla_distributed_iqu **iqu)
{
    armilla_sht_options scalar, polar;
    armilla_distributed_iqu *result = NULL;
    armilla_status status = armilla_check_transport(transport);
    if (status) return status;
    if (!(status = armilla_check_given("iqu", iqu)) &&
        !(status = armilla_sht_take_options(options, &scalar)))
        status = armilla_allocate_zero(&result, 1, sizeof *result);
    if ((status = armilla_agree(transport, status))) {
        armilla_release(result);
        return status;
    }
    scalar.spin = 0, scalar.mode = ARMILLA_SHT_STANDARD;
    polar = scalar, polar.spin = 2;
    status =
        armilla_distributed_sht_new(transport, distribution, &scalar, distributed, &result->scalar);
    if (!status)
        status = armilla_distributed_sht_new(transport, distribution, &polar, distributed,
                                             &result->polar);
    if (status) {
        armilla_distributed_iqu_free(result);
        return status;
    }
    const double once = armilla_legendre_flops(result->scalar->sht->flow.legendre);
    const double twice = armilla_legendre_flops(result->polar->sht->flow.legendre);
    result->scalar_share = once + twice > 0 ? once / (once + twice) : 0.5;
    *iqu = result;
    return ARMILLA_OK;
}

void armilla_distributed_iqu_free(armilla_distributed_iqu *iqu)
{
    if (!iqu) return;
    armilla_distributed_sht_free(iqu->scalar);
    armilla_distributed_sht_free(iqu->polar);
    armilla_release(iqu);
}

/* --- A call ---------------------------------------------------------------------------------- */

typedef struct {
    const armilla_distributed_iqu *iqu;
    armilla_rank_operation op;
    armilla_exec exec;
    armilla_relay relay;
} call;

/* Transforms of one plan, whose first component is number `component` and which are `step`
 * components apart; ntrans: of all groups. */
static armilla_status run_field(call *c, const armilla_distributed_sht *plan, int64_t component,
                                int64_t step, int64_t ntrans, double width)
{
    armilla_exec inner = c->exec;
    armilla_rank_operation op = c->op;
    op.alm = armilla_array_from(op.alm, 2 * component * inner.alm_distance);
    op.map = armilla_array_from(op.map, component * inner.map_distance);
    inner.ntrans = ntrans;
    inner.alm_distance *= step, inner.map_distance *= step;
    if (inner.progress) inner.progress = armilla_relay_report, inner.progress_data = &c->relay;
    return armilla_distributed_run(plan, &op, &inner, armilla_relay_next(&c->relay, width));
}

/* How many groups have more than t fields: the first ones. */
static int64_t groups_with(const armilla_distribution *d, int64_t nfields, int64_t t)
{
    const int64_t groups = d->nranks / d->nmembers, rest = nfields - t * groups;
    return rest < groups ? rest : groups;
}

static armilla_status run_fields(call *c)
{
    const armilla_distributed_iqu *iqu = c->iqu;
    const armilla_distribution *d = iqu->scalar->distribution;
    const int64_t nfields = c->exec.ntrans;
    const int64_t rounds = armilla_distribution_fields(d, 0, nfields, NULL);
    const double rest = (1 - iqu->scalar_share) / (double)(rounds ? rounds : 1);
    armilla_status status = run_field(c, iqu->scalar, 0, FIELDS, nfields, iqu->scalar_share);
    for (int64_t t = 0; t < rounds && !status; t++)
        status = run_field(c, iqu->polar, FIELDS * t + 1, 1, groups_with(d, nfields, t), rest);
    return status;
}

static armilla_status check(const call *c, const armilla_exec *exec, armilla_exec *resolved)
{
    const armilla_distributed_sht *plan = c->iqu->scalar;
    const armilla_call_arrays arrays = armilla_sht_call_arrays(plan->sht, FIELDS);
    armilla_status status = armilla_call_check(&arrays, exec, resolved);
    if (status) return status;
    const int64_t nfields = armilla_distribution_fields(plan->distribution, plan->transport.rank,
                                                        resolved->ntrans, NULL);
    return armilla_rank_check_arrays(plan, nfields, c->op.alm.values, c->op.map.values);
}

static armilla_status check_missing(const call *c)
{
    const armilla_missing_maps maps = {c->op.map, c->exec.map_distance, NULL};
    return armilla_rank_check_missing(c->iqu->scalar, FIELDS, &maps, &c->exec);
}

static armilla_status run(const armilla_distributed_iqu *iqu, armilla_rank_operation op,
                          const armilla_exec *exec)
{
    call c = {.iqu = iqu, .op = op};
    if (!iqu) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "iqu = NULL: must be a plan");
    armilla_status status = check(&c, exec, &c.exec);
    if (!status) status = armilla_distributed_reserve(iqu->polar, &op, c.exec.nthreads);
    const armilla_common values[] = {{"exec->ntrans", c.exec.ntrans},
                                     {"exec->missing", (int64_t)c.exec.missing}};
    status = armilla_agree_on(&iqu->scalar->transport, status, 2, values, NULL);
    if (!status && !op.to_map) status = check_missing(&c);
    if (status) return status;
    c.exec.missing = ARMILLA_MISSING_PROPAGATE;
    armilla_relay_start(&c.relay, c.exec.progress, c.exec.progress_data);
    return run_fields(&c);
}

armilla_status armilla_distributed_iqu_synthesis(const armilla_distributed_iqu *iqu,
                                                 const double *alm, double *map,
                                                 const armilla_exec *exec)
{
    return run(iqu, armilla_rank_doubles(0, 1, alm, map), exec);
}

armilla_status armilla_distributed_iqu_adjoint_synthesis(const armilla_distributed_iqu *iqu,
                                                         const double *map, double *alm,
                                                         const armilla_exec *exec)
{
    return run(iqu, armilla_rank_doubles(0, 0, alm, map), exec);
}

armilla_status armilla_distributed_iqu_analysis(const armilla_distributed_iqu *iqu,
                                                const double *map, double *alm,
                                                const armilla_exec *exec)
{
    return run(iqu, armilla_rank_doubles(1, 0, alm, map), exec);
}

armilla_status armilla_distributed_iqu_adjoint_analysis(const armilla_distributed_iqu *iqu,
                                                        const double *alm, double *map,
                                                        const armilla_exec *exec)
{
    return run(iqu, armilla_rank_doubles(1, 1, alm, map), exec);
}

armilla_status armilla_distributed_iqu_synthesis_float(const armilla_distributed_iqu *iqu,
                                                       const float *alm, float *map,
                                                       const armilla_exec *exec)
{
    return run(iqu, armilla_rank_floats(0, 1, alm, map), exec);
}

armilla_status armilla_distributed_iqu_adjoint_synthesis_float(const armilla_distributed_iqu *iqu,
                                                               const float *map, float *alm,
                                                               const armilla_exec *exec)
{
    return run(iqu, armilla_rank_floats(0, 0, alm, map), exec);
}

armilla_status armilla_distributed_iqu_analysis_float(const armilla_distributed_iqu *iqu,
                                                      const float *map, float *alm,
                                                      const armilla_exec *exec)
{
    return run(iqu, armilla_rank_floats(1, 0, alm, map), exec);
}

armilla_status armilla_distributed_iqu_adjoint_analysis_float(const armilla_distributed_iqu *iqu,
                                                              const float *alm, float *map,
                                                              const armilla_exec *exec)
{
    return run(iqu, armilla_rank_floats(1, 1, alm, map), exec);
}

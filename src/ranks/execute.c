/* Runs the operators of a distributed plan: a table of stages for the executor, whose first stages
 * work chunk by chunk and exchange entries meanwhile, and whose second stages work on what came.
 *
 *     synthesis  own orders of all pairs: chunk k --> packed, sent | chunk k - 1 --> own pairs
 *     analysis   own pairs of all orders: chunk k --> packed, sent | chunk k - 1 --> own orders
 */
#include "ranks/execute.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "executor/executor.h"
#include "ranks/agree.h"
#include "ranks/exchange.h"
#include "sht/call.h"
#include "sht/choose.h"
#include "sht/execute.h"

typedef struct {
    const armilla_distributed_sht *plan;
    const armilla_sht *sht;
    const armilla_flow *flow;
    const armilla_flow_way *way;
    const armilla_schedule *schedule;
    int to_map;
    int64_t nfields, batch;        /* of the own group */
    int64_t chunk_size, sums_size; /* doubles */
    int watched;                   /* has any rank a progress function? */
    int64_t questions;             /* that `reached` has asked */
    double *chunk;                 /* the leg of a chunk */
    armilla_exchange exchange;
    armilla_work work;
    armilla_progress progress;
} run;

/* --- Stages ---------------------------------------------------------------------------------- */

static armilla_leg chunk_leg(const run *r, int64_t k, int64_t nsets)
{
    return (armilla_leg){
        .layout = &r->schedule->chunks[k].layout, .nsets = nsets, .values = r->chunk};
}

/* The own half of a stage, chunk by chunk; what a chunk has sent comes while the next one is made.
 */
static void run_chunks(run *r, const armilla_pass *pass)
{
    const int64_t n = r->schedule->nchunks;
    r->exchange.nsets = pass->nsets;
    for (int64_t k = 0; k < n; k++) {
        const armilla_leg leg = chunk_leg(r, k, pass->nsets);
        if (r->to_map)
            armilla_flow_to_leg(r->flow, &pass->alm, &leg, &r->work);
        else
            armilla_ringfft_from_maps(r->sht->ringfft, &leg, &pass->maps, &r->work);
        armilla_exchange_start(&r->exchange, k, &leg);
        if (k > 0) armilla_exchange_finish(&r->exchange, k - 1);
    }
    if (n > 0) armilla_exchange_finish(&r->exchange, n - 1);
}

static void alm_to_leg(void *call, const armilla_pass *pass)
{
    run_chunks(call, pass);
}

static void maps_to_leg(void *call, const armilla_pass *pass)
{
    run_chunks(call, pass);
}

static void leg_to_maps(void *call, const armilla_pass *pass)
{
    const run *r = call;
    for (int64_t i = 0; i < r->schedule->legs.pieces[ARMILLA_BY_PAIR].count; i++) {
        const armilla_leg leg = armilla_exchange_leg(&r->exchange, i);
        armilla_ringfft_to_maps(r->sht->ringfft, &leg, &pass->maps, &r->work);
    }
}

/* Where passes have all orders of some pairs each, sums go on from piece to piece. */
static void leg_to_alm(void *call, const armilla_pass *pass)
{
    const run *r = call;
    const int64_t count = r->schedule->legs.pieces[ARMILLA_BY_ORDER].count;
    const int several = r->way->norder_passes > 1;
    armilla_alm_rows rows = pass->alm;
    for (int64_t i = 0; i < count; i++) {
        const armilla_leg leg = armilla_exchange_leg(&r->exchange, i);
        rows.later = several && i > 0;
        rows.last = !several || i + 1 == count;
        armilla_flow_from_leg(r->flow, &leg, &rows, &r->work);
    }
}

/* All ranks stop at the same place, where one of them was cancelled, or a message was lost. */
static armilla_status reached(void *call, int pass_is_over)
{
    run *r = call;
    (void)pass_is_over;
    r->questions++;
    armilla_status status = armilla_progress_status(&r->progress);
    if (r->exchange.failed) return armilla_fail_transport();
    return r->watched ? armilla_agree(&r->plan->transport, status) : status;
}

static const armilla_backend ranks = {.alm_to_leg = alm_to_leg,
                                      .leg_to_maps = leg_to_maps,
                                      .maps_to_leg = maps_to_leg,
                                      .leg_to_alm = leg_to_alm,
                                      .reached = reached};

/* --- Memory ---------------------------------------------------------------------------------- */

static int64_t ring_scratch_size(const run *r)
{
    return armilla_ringfft_scratch_size(r->sht->ringfft);
}

static int64_t slots_of(const run *r)
{
    return armilla_smaller(r->schedule->nchunks, ARMILLA_TRANSPORT_SLOTS);
}

static int count_threads(const run *r, int nthreads)
{
    const int64_t most = r->plan->transport.most_threads, count = armilla_team_size(nthreads);
    return (int)(most > 0 ? armilla_smaller(count, most) : count);
}

/* Flow, way, transforms at once and sizes. Returned: doubles of the workspace. */
static int64_t set_sizes(run *r, int weighted, int is_float, int nthreads)
{
    const armilla_sht *sht = r->sht;
    r->flow = armilla_sht_flow(sht, weighted);
    r->batch = armilla_larger(armilla_sht_batch(sht, r->flow, r->to_map, r->nfields), 1);
    const int64_t sets = r->batch * sht->nmap;
    r->way = armilla_flow_find_way(r->flow, r->to_map,
                                   armilla_sht_lends_output(r->flow, r->to_map, sets, is_float));
    r->schedule = armilla_distributed_schedule(r->plan, r->flow, r->way, r->to_map);
    const armilla_schedule *s = r->schedule;
    const int64_t pieces = s->legs.pieces[armilla_leg_side_other(s->first)].count;
    r->chunk_size = sets * s->chunk_size;
    r->sums_size = 0;
    if (!r->to_map && is_float && r->way->norder_passes > 1)
        r->sums_size = armilla_round_line(2 * r->batch * sht->nalm * sht->layout->size);
    r->work.nthreads = count_threads(r, nthreads);
    r->work.scratch_size =
        armilla_larger(armilla_flow_scratch_size(r->flow, r->way, sets), ring_scratch_size(r));
    return r->chunk_size + r->sums_size + sets * s->places[pieces] +
           slots_of(r) *
               (armilla_round_line(sets * s->out_size) + armilla_round_line(sets * s->in_size)) +
           r->work.scratch_size * r->work.nthreads;
}

static void place_all(run *r, double *memory)
{
    const armilla_schedule *s = r->schedule;
    const int64_t sets = r->batch * r->sht->nmap;
    const int64_t pieces = s->legs.pieces[armilla_leg_side_other(s->first)].count;
    r->chunk = memory, memory += r->chunk_size + r->sums_size;
    r->exchange.whole = memory, memory += sets * s->places[pieces];
    for (int64_t slot = 0; slot < slots_of(r); slot++) {
        r->exchange.out[slot] = memory, memory += armilla_round_line(sets * s->out_size);
        r->exchange.in[slot] = memory, memory += armilla_round_line(sets * s->in_size);
    }
    r->work.scratch = memory;
    r->work.progress = &r->progress;
}

int64_t armilla_distributed_workspace_size(const armilla_distributed_sht *plan, int weighted,
                                           int to_map, int nthreads)
{
    run r = {.plan = plan, .sht = plan->sht, .to_map = to_map, .nfields = 1};
    return set_sizes(&r, weighted, 0, nthreads);
}

/* --- A call ---------------------------------------------------------------------------------- */

armilla_status armilla_rank_check_arrays(const armilla_distributed_sht *plan, int64_t nfields,
                                         const void *alm, const void *map)
{
    const int64_t has_alm = nfields * plan->sht->layout->size, has_map = nfields * plan->sht->npix;
    armilla_status status = has_alm ? armilla_alm_check_array("alm", alm) : ARMILLA_OK;
    return status || !has_map ? status : armilla_alm_check_array("map", map);
}

/* Arrays of the own fields; ntrans: of all fields. */
static armilla_status check_call(run *r, const armilla_rank_operation *op, const armilla_exec *exec,
                                 armilla_exec *resolved)
{
    const armilla_sht *sht = r->sht;
    const armilla_distribution *d = r->plan->distribution;
    const armilla_call_arrays arrays = {sht->layout->size, sht->nalm, sht->npix, sht->nmap};
    armilla_status status = armilla_call_check(&arrays, 0, exec, resolved);
    if (!status && op->weighted) status = armilla_sht_check_weights(sht);
    if (status) return status;
    if (resolved->missing)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "exec->missing: distributed transforms propagate missing values");
    r->nfields = armilla_distribution_fields(d, r->plan->transport.rank, resolved->ntrans, NULL);
    return armilla_rank_check_arrays(r->plan, r->nfields, op->alm.values, op->map.values);
}

/* Batches of the largest group, which is the first one. */
static int64_t count_rounds(const run *r, int64_t nfields)
{
    const armilla_distribution *d = r->plan->distribution;
    const int64_t most = armilla_distribution_fields(d, 0, nfields, NULL);
    const int64_t batch = armilla_larger(armilla_sht_batch(r->sht, r->flow, r->to_map, most), 1);
    return (most + batch - 1) / batch;
}

/* Before anything is exchanged: have all ranks their memory, do they run the same operator, and
 * does one of them report? Ranks with an error do not know how many transforms there are. */
static armilla_status begin(run *r, const armilla_rank_operation *op, int64_t ntrans, int reports,
                            armilla_status status)
{
    const armilla_common values[] = {{"exec->ntrans", ntrans},
                                     {"the operator", 2 * op->weighted + r->to_map},
                                     {"floats (1) or doubles (0)", op->alm.is_float}};
    const int64_t count = sizeof values / sizeof *values;
    r->watched = reports;
    return armilla_agree_on(&r->plan->transport, status, count, values, &r->watched);
}

static armilla_execution execution_of(run *r, const armilla_rank_operation *op,
                                      const armilla_exec *exec)
{
    armilla_execution execution = {.backend = &ranks,
                                   .call = r,
                                   .to_map = r->to_map,
                                   .ntrans = r->nfields,
                                   .batch = r->batch,
                                   .npasses = 1,
                                   .norder_passes = 1,
                                   .pass.alm =
                                       armilla_sht_alm_rows(r->sht, op->alm, exec->alm_distance),
                                   .pass.maps = {.values = op->map,
                                                 .distance = exec->map_distance,
                                                 .weighted = op->weighted && !r->flow->weighted}};
    if (r->sums_size) {
        execution.pass.alm.sums = r->chunk + r->chunk_size;
        execution.pass.alm.sums_size = 2 * r->sht->layout->size;
        execution.pass.alm.sums_as_array = 1;
    }
    return execution;
}

/* Groups with fewer batches answer as often as the largest one. */
static armilla_status end(run *r, int64_t rounds, armilla_status status)
{
    while (r->watched && !status && r->questions < 2 * rounds) status = reached(r, 1);
    return status;
}

static armilla_status execute(run *r, const armilla_rank_operation *op, const armilla_exec *exec,
                              double *memory)
{
    const double degrees = (double)r->sht->layout->size * (double)r->nfields;
    armilla_progress_start(&r->progress, exec->progress, exec->progress_data,
                           degrees * (double)(r->to_map ? 1 : r->way->norder_passes));
    r->exchange.transport = &r->plan->transport, r->exchange.schedule = r->schedule;
    r->exchange.first_rank = r->plan->first_rank;
    r->exchange.nthreads = r->work.nthreads;
    if (r->plan->transport.poke)
        armilla_progress_set_poke(&r->progress, armilla_exchange_poke, &r->exchange);
    place_all(r, memory);
    armilla_execution execution = execution_of(r, op, exec);
    const armilla_status status = armilla_execute(&execution);
    return end(r, count_rounds(r, exec->ntrans), status);
}

armilla_status armilla_distributed_run(const armilla_distributed_sht *plan,
                                       const armilla_rank_operation *op, const armilla_exec *exec,
                                       armilla_status status)
{
    run r = {.plan = plan, .sht = plan->sht, .to_map = op->to_map};
    armilla_exec resolved = {.ntrans = 0};
    double *memory = NULL;
    if (!status && !(status = check_call(&r, op, exec, &resolved))) {
        const int64_t size = set_sizes(&r, op->weighted, op->alm.is_float, resolved.nthreads);
        status = armilla_workspace_take(plan->sht->workspace, size, &memory);
        if (!status)
            status = armilla_allocate(&r.exchange.list, 2 * plan->distribution->nmembers,
                                      sizeof *r.exchange.list);
    }
    status = begin(&r, op, resolved.ntrans, resolved.progress != NULL, status);
    if (!status) status = execute(&r, op, &resolved, memory);
    armilla_release(r.exchange.list);
    if (memory) armilla_workspace_give(plan->sht->workspace, memory);
    return status;
}

/* Runs the operators of a distributed plan: a table of stages for the executor, whose first stages
 * work chunk by chunk and exchange entries meanwhile, and whose second stages work on what came.
 *
 *     synthesis  own orders of all pairs: chunk k --> packed, sent | chunk k - 1 --> own pairs
 *     analysis   own pairs of all orders: chunk k --> packed, sent | chunk k - 1 --> own orders
 */
#include "ranks/execute.h"

#include "base/integer.h"
#include "base/memory.h"
#include "call/call.h"
#include "executor/executor.h"
#include "ranks/agree.h"
#include "ranks/exchange.h"
#include "ranks/missing.h"
#include "ranks/stages.h"
#include "ranks/threads.h"
#include "sht/choose.h"
#include "sht/execute.h"

typedef struct {
    const armilla_distributed_sht *plan;
    const armilla_sht *sht;
    const armilla_flow *flow;
    const armilla_flow_way *way;
    const armilla_schedule *schedule;
    int weighted, to_map;
    int64_t nfields, batch;         /* of the own group */
    armilla_cuda_share_sizes sizes; /* of legs and messages, wherever they are */
    int64_t sums_size;              /* doubles */
    int watched;                    /* do ranks ask each other whether one has to stop? */
    int64_t questions;              /* that `reached` has asked */
    double *chunk;                  /* the leg of a chunk */
    armilla_exchange exchange;
    armilla_rank_stages stages;
    armilla_progress progress;
} run;

/* --- Stages ---------------------------------------------------------------------------------- */

static armilla_leg chunk_leg(const run *r, int64_t k, int64_t nsets)
{
    return (armilla_leg){
        .layout = &r->schedule->chunks[k].layout, .nsets = nsets, .values = r->chunk};
}

/* A GPU makes all chunks of a piece at once. */
static int makes_chunk(const run *r, int64_t k)
{
    const armilla_chunk *chunks = r->schedule->chunks;
    return !r->stages.device || k == 0 || chunks[k].piece != chunks[k - 1].piece;
}

/* The own half of a stage, chunk by chunk; what a chunk has sent comes while the next one is made.
 */
static void run_chunks(run *r, const armilla_pass *pass)
{
    const int64_t n = r->schedule->nchunks;
    armilla_pass piece = *pass;
    r->exchange.nsets = pass->nsets;
    for (int64_t k = 0; k < n; k++) {
        const armilla_leg leg = chunk_leg(r, k, pass->nsets);
        piece.number = r->schedule->chunks[k].piece;
        if (makes_chunk(r, k))
            armilla_rank_run_stage(&r->stages, r->to_map ? ARMILLA_ALM_TO_LEG : ARMILLA_MAPS_TO_LEG,
                                   &piece, &leg);
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
    const int64_t count = r->schedule->legs.pieces[ARMILLA_BY_PAIR].count;
    armilla_pass piece = *pass;
    for (piece.number = 0; piece.number < count; piece.number++) {
        const armilla_leg leg = armilla_exchange_leg(&r->exchange, piece.number);
        armilla_rank_run_stage(&r->stages, ARMILLA_LEG_TO_MAPS, &piece, &leg);
    }
}

/* Where passes have all orders of some pairs each, sums go on from piece to piece. */
static void leg_to_alm(void *call, const armilla_pass *pass)
{
    const run *r = call;
    const int64_t count = r->schedule->legs.pieces[ARMILLA_BY_ORDER].count;
    const int several = r->way->norder_passes > 1;
    armilla_pass piece = *pass;
    for (int64_t i = 0; i < count; i++) {
        const armilla_leg leg = armilla_exchange_leg(&r->exchange, i);
        piece.number = i;
        piece.alm.later = several && i > 0;
        piece.alm.last = !several || i + 1 == count;
        armilla_rank_run_stage(&r->stages, ARMILLA_LEG_TO_ALM, &piece, &leg);
    }
}

/* All ranks stop at the same place, where one of them was cancelled, or its GPU has failed, or a
 * message was lost. */
static armilla_status reached(void *call, int pass_is_over)
{
    run *r = call;
    (void)pass_is_over;
    r->questions++;
    if (r->stages.device) armilla_progress_advance(&r->progress, 1, 0);
    armilla_status status = armilla_progress_status(&r->progress);
    if (r->exchange.failed) return armilla_fail_transport();
    if (!status && r->stages.device) status = armilla_cuda()->share->wait(r->stages.device);
    return r->watched ? armilla_agree(&r->plan->transport, status) : status;
}

static void begin_batch(void *call, int64_t count, armilla_array *alm, armilla_array *map)
{
    const run *r = call;
    if (r->stages.device) armilla_cuda()->share->begin_batch(r->stages.device, count, alm, map);
}

static void end_batch(void *call, int64_t count, armilla_array alm, armilla_array map)
{
    const run *r = call;
    if (r->stages.device) armilla_cuda()->share->end_batch(r->stages.device, count, alm, map);
}

static const armilla_backend ranks = {.begin_batch = begin_batch,
                                      .end_batch = end_batch,
                                      .alm_to_leg = alm_to_leg,
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

static int64_t batch_of(const run *r, int64_t nfields)
{
    const int64_t batch = r->sht->cuda
                              ? armilla_smaller(nfields, r->plan->batch[r->weighted][r->to_map])
                              : armilla_sht_batch(r->sht, r->flow, r->to_map, nfields);
    return armilla_larger(batch, 1);
}

/* What the processor's stages take, with its legs. Returned: doubles. */
static int64_t set_stage_sizes(run *r, int is_float, int64_t sets)
{
    const armilla_sht *sht = r->sht;
    armilla_work *work = &r->stages.work;
    r->sums_size = 0;
    if (sht->cuda) return 0;
    if (!r->to_map && is_float && r->way->norder_passes > 1)
        r->sums_size = armilla_round_line(2 * r->batch * sht->nalm * sht->layout->size);
    work->scratch_size =
        armilla_larger(armilla_flow_scratch_size(r->flow, r->way, sets), ring_scratch_size(r));
    return r->sizes.leg + r->sizes.whole + r->sums_size + work->scratch_size * work->nthreads;
}

/* Are there messages in host memory? */
static int has_host_messages(const run *r)
{
    return !r->sht->cuda || !r->plan->transport.takes_device_memory;
}

/* Doubles that a list of messages takes: those that go, and those that come. */
static int64_t list_size(const run *r)
{
    const int64_t count = 2 * r->plan->distribution->nmembers;
    return armilla_round_line(count * (int64_t)sizeof(armilla_message) / 8);
}

/* Flow, way, transforms at once and sizes. Returned: doubles of the workspace. */
static int64_t set_sizes(run *r, int is_float, int nthreads)
{
    const armilla_sht *sht = r->sht;
    r->flow = armilla_sht_flow(sht, r->weighted);
    r->batch = batch_of(r, r->nfields);
    const int64_t sets = r->batch * sht->nmap;
    r->way = armilla_flow_find_way(r->flow, r->to_map,
                                   armilla_sht_lends_output(r->flow, r->to_map, sets, is_float));
    r->schedule = armilla_distributed_schedule(r->plan, r->flow, r->way, r->to_map);
    const armilla_schedule *s = r->schedule;
    const int64_t pieces = s->legs.pieces[armilla_leg_side_other(s->first)].count;
    r->sizes = (armilla_cuda_share_sizes){.leg = sets * s->chunk_size,
                                          .whole = sets * s->places[pieces],
                                          .out = armilla_round_line(sets * s->out_size),
                                          .in = armilla_round_line(sets * s->in_size)};
    r->stages.work.nthreads = armilla_rank_threads(&r->plan->transport, nthreads);
    return list_size(r) + set_stage_sizes(r, is_float, sets) +
           (has_host_messages(r) ? slots_of(r) * (r->sizes.out + r->sizes.in) : 0);
}

/* Legs and what stages need, in host memory. Returned: the memory behind. */
static double *place_stages(run *r, double *memory)
{
    r->chunk = memory, memory += r->sizes.leg + r->sums_size;
    r->exchange.whole = memory, memory += r->sizes.whole;
    r->stages.work.scratch = memory;
    r->stages.work.progress = &r->progress;
    return memory + r->stages.work.scratch_size * r->stages.work.nthreads;
}

static void place_on_device(run *r)
{
    armilla_exchange_device *device = &r->exchange.device;
    device->share = r->stages.device;
    device->rows = &armilla_distributed_schedules(r->plan, r->flow)->rows[r->to_map];
    device->staged = has_host_messages(r);
    r->chunk = device->share->leg, r->exchange.whole = device->share->whole;
}

static void place_all(run *r, double *memory)
{
    armilla_exchange *x = &r->exchange;
    const int on_host = has_host_messages(r);
    x->list = (armilla_message *)(void *)memory, memory += list_size(r);
    if (r->stages.device)
        place_on_device(r);
    else
        memory = place_stages(r, memory);
    for (int64_t slot = 0; slot < slots_of(r); slot++) {
        if (on_host) {
            x->out[slot] = memory, memory += r->sizes.out;
            x->in[slot] = memory, memory += r->sizes.in;
        } else
            x->out[slot] = x->device.share->out[slot], x->in[slot] = x->device.share->in[slot];
    }
}

int64_t armilla_distributed_workspace_size(const armilla_distributed_sht *plan, int weighted,
                                           int to_map, int nthreads)
{
    run r = {.plan = plan, .sht = plan->sht, .weighted = weighted, .to_map = to_map, .nfields = 1};
    return set_sizes(&r, 0, nthreads);
}

armilla_status armilla_distributed_reserve(const armilla_distributed_sht *plan,
                                           const armilla_rank_operation *op, int nthreads)
{
    run r = {.plan = plan,
             .sht = plan->sht,
             .weighted = op->weighted,
             .to_map = op->to_map,
             .nfields = 1};
    armilla_workspace_store *store = plan->sht->workspace;
    const int64_t size = set_sizes(&r, op->alm.is_float, nthreads);
    double *memory;
    const armilla_status status = armilla_workspace_take(store, size, &memory);
    if (!status) armilla_workspace_give(store, memory);
    return status;
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
    const armilla_call_arrays arrays = armilla_sht_call_arrays(sht, 1);
    armilla_status status = armilla_call_check(&arrays, exec, resolved);
    if (!status && op->weighted) status = armilla_sht_check_weights(sht);
    if (status) return status;
    r->nfields = armilla_distribution_fields(d, r->plan->transport.rank, resolved->ntrans, NULL);
    return armilla_rank_check_arrays(r->plan, r->nfields, op->alm.values, op->map.values);
}

/* Batches of the largest group, which is the first one. */
static int64_t count_rounds(const run *r, int64_t nfields)
{
    const armilla_distribution *d = r->plan->distribution;
    const int64_t most = armilla_distribution_fields(d, 0, nfields, NULL);
    const int64_t batch = batch_of(r, most);
    return (most + batch - 1) / batch;
}

/* Before anything is exchanged: have all ranks their memory, do they run the same operator, does
 * one of them report, and are the values of maps there? Ranks with an error do not know how many
 * transforms there are. */
static armilla_status begin(run *r, const armilla_rank_operation *op, const armilla_exec *exec,
                            armilla_status status)
{
    const armilla_common values[] = {{"exec->ntrans", exec->ntrans},
                                     {"exec->missing", (int64_t)exec->missing},
                                     {"the operator", 2 * op->weighted + r->to_map},
                                     {"floats (1) or doubles (0)", op->alm.is_float}};
    const int64_t count = sizeof values / sizeof *values;
    r->watched = exec->progress || r->sht->cuda;
    status = armilla_agree_on(&r->plan->transport, status, count, values, &r->watched);
    if (status || r->to_map) return status;
    const armilla_missing_maps maps = {op->map, exec->map_distance, NULL};
    return armilla_rank_check_missing(r->plan, r->sht->nmap, &maps, exec);
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
                                       armilla_sht_alm_rows(r->sht, 0, op->alm, exec->alm_distance),
                                   .pass.maps = {.values = op->map,
                                                 .distance = exec->map_distance,
                                                 .weighted = op->weighted && !r->flow->weighted}};
    if (r->stages.device) {
        execution.pass.alm = r->stages.device->rows;
        execution.pass.maps = r->stages.device->maps;
    }
    if (r->sums_size) {
        execution.pass.alm.sums = r->chunk + r->sizes.leg;
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
    const int64_t rounds = count_rounds(r, exec->ntrans);
    armilla_progress_start(&r->progress, exec->progress, exec->progress_data,
                           r->stages.device
                               ? 2 * (double)rounds
                               : degrees * (double)(r->to_map ? 1 : r->way->norder_passes));
    r->exchange.transport = &r->plan->transport, r->exchange.schedule = r->schedule;
    r->exchange.first_rank = r->plan->first_rank;
    r->exchange.nthreads = r->stages.work.nthreads;
    r->stages.flow = r->flow, r->stages.ringfft = r->sht->ringfft;
    if (r->plan->transport.poke)
        armilla_progress_set_poke(&r->progress, armilla_exchange_poke, &r->exchange);
    place_all(r, memory);
    armilla_execution execution = execution_of(r, op, exec);
    const armilla_status status = armilla_execute(&execution);
    return end(r, rounds, status);
}

/* --- On a GPU --------------------------------------------------------------------------------- */

static armilla_status open_device(run *r, const armilla_rank_operation *op,
                                  const armilla_exec *exec)
{
    if (!r->sht->cuda) return ARMILLA_OK;
    armilla_cuda_call call = {.to_map = op->to_map,
                              .weighted = op->weighted,
                              .alm = op->alm,
                              .map = op->map,
                              .exec = *exec};
    call.exec.ntrans = r->batch, call.exec.progress = NULL;
    return armilla_cuda()->share->begin(r->sht->cuda, &call, &r->sizes, &r->stages.device);
}

/* status: of all ranks so far; where it is good they agree once more, on what came behind it. */
static armilla_status close_device(run *r, armilla_status status)
{
    if (!r->stages.device) return status;
    const armilla_status own = armilla_cuda()->share->end(r->stages.device);
    return status ? status : armilla_agree(&r->plan->transport, own);
}

/* --- All -------------------------------------------------------------------------------------- */

armilla_status armilla_distributed_run(const armilla_distributed_sht *plan,
                                       const armilla_rank_operation *op, const armilla_exec *exec,
                                       armilla_status status)
{
    run r = {.plan = plan, .sht = plan->sht, .weighted = op->weighted, .to_map = op->to_map};
    armilla_exec resolved = {.ntrans = 0};
    double *memory = NULL;
    if (!status && !(status = check_call(&r, op, exec, &resolved))) {
        const int64_t size = set_sizes(&r, op->alm.is_float, resolved.nthreads);
        status = armilla_workspace_take(plan->sht->workspace, size, &memory);
        if (!status) status = open_device(&r, op, &resolved);
    }
    status = begin(&r, op, &resolved, status);
    if (!status) status = execute(&r, op, &resolved, memory);
    status = close_device(&r, status);
    if (memory) armilla_workspace_give(plan->sht->workspace, memory);
    return status;
}

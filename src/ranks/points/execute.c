/* Runs the operators of a plan for points over ranks, a transform at a time. Chunks of orders are
 * made, or used, while others are under way.
 *
 *     synthesis  chunk k of own orders --> sent | chunk k - 1 --> strips;  values --> askers
 *     adjoint    values --> strips;  chunk k + 1 --> sent | chunk k --> own orders
 */
#include "base/integer.h"
#include "base/memory.h"
#include "call/call.h"
#include "points/check.h"
#include "points/execute.h"
#include "points/strip_stage.h"
#include "ranks/agree.h"
#include "ranks/points/plan.h"
#include "ranks/threads.h"
#include "theta/stage.h"

typedef struct {
    const armilla_distributed_points *plan;
    const armilla_points_core *core;
    armilla_exec exec;
    int to_points, is_float;
    int64_t alm_size, here; /* of the rows of the stages; points here */
    int watched;            /* has any rank a progress function? */
    armilla_array alm;      /* of the stages: the caller's, or a copy */
    int64_t alm_distance;
    armilla_array values; /* of the points here */
    double *chunk;
    armilla_leg by_strips;
    armilla_strip_traffic traffic;
    armilla_work work;
    armilla_progress progress;
} run;

/* --- Memory ---------------------------------------------------------------------------------- */

/* Doubles for so many items. */
static int64_t room_for(const run *r, int64_t items)
{
    return armilla_round_line(r->is_float ? (items + 1) / 2 : items);
}

/* Parts of the workspace, doubles. */
typedef struct {
    int64_t by_strips, chunk, out, in, values, alm, scratch, total;
} sizes;

static sizes sizes_of(const run *r)
{
    const armilla_distributed_points *plan = r->plan;
    const armilla_strip_exchange *x = &plan->exchange;
    const int64_t nmap = r->core->nmap, slots = ARMILLA_TRANSPORT_SLOTS;
    sizes s = {.by_strips = nmap * r->core->leg.size,
               .chunk = nmap * x->chunk_size,
               .out = armilla_round_line(nmap * armilla_strip_exchange_out(x, r->to_points)),
               .in = armilla_round_line(nmap * armilla_strip_exchange_in(x, r->to_points)),
               .values = room_for(r, nmap * r->here),
               .scratch = armilla_points_scratch_size(r->core)};
    if (plan->alm_to_orders) s.alm = room_for(r, 2 * r->core->nalm * r->alm_size);
    s.total = s.by_strips + s.chunk + slots * (s.out + s.in) + s.values + s.alm +
              r->work.nthreads * s.scratch;
    return s;
}

static void place_all(run *r, const sizes *s, double *memory)
{
    armilla_strip_traffic *t = &r->traffic;
    r->by_strips = (armilla_leg){&r->core->leg, r->core->nmap, memory, NULL};
    r->chunk = memory += s->by_strips;
    memory += s->chunk;
    for (int slot = 0; slot < ARMILLA_TRANSPORT_SLOTS; slot++) {
        t->out[slot] = memory, memory += s->out;
        t->in[slot] = memory, memory += s->in;
    }
    r->values = (armilla_array){memory, r->is_float}, memory += s->values;
    r->alm = (armilla_array){memory, r->is_float}, memory += s->alm;
    r->work.scratch = memory, r->work.scratch_size = s->scratch;
    r->work.progress = &r->progress;
}

int64_t armilla_distributed_points_workspace(const armilla_distributed_points *plan, int to_points,
                                             int is_float, int nthreads)
{
    run r = {.plan = plan,
             .core = plan->core,
             .to_points = to_points,
             .is_float = is_float,
             .alm_size = plan->core->layout->size,
             .here = plan->routes.here};
    r.work.nthreads = armilla_rank_threads(&plan->transport, nthreads);
    return sizes_of(&r).total;
}

/* --- Stages ---------------------------------------------------------------------------------- */

static armilla_leg chunk_leg(const run *r, int64_t k)
{
    return (armilla_leg){&r->plan->exchange.chunks[k], r->core->nmap, r->chunk, NULL};
}

static void orders_to_strips(run *r, const armilla_alm_rows *alm)
{
    const int64_t n = r->plan->exchange.nchunks;
    for (int64_t k = 0; k < n; k++) {
        const armilla_leg leg = chunk_leg(r, k);
        armilla_theta_to_leg(r->core->theta, r->core->legendre, alm, &leg, &r->work);
        armilla_strip_traffic_start(&r->traffic, k, &leg);
        if (k > 0) armilla_strip_traffic_finish(&r->traffic, k - 1, &leg);
    }
    armilla_strip_traffic_finish(&r->traffic, n - 1, NULL);
}

static void strips_to_orders(run *r, const armilla_alm_rows *alm)
{
    const int64_t n = r->plan->exchange.nchunks;
    armilla_strip_traffic_start(&r->traffic, 0, NULL);
    for (int64_t k = 0; k < n; k++) {
        const armilla_leg leg = chunk_leg(r, k);
        if (k + 1 < n) armilla_strip_traffic_start(&r->traffic, k + 1, NULL);
        armilla_strip_traffic_finish(&r->traffic, k, &leg);
        armilla_theta_from_leg(r->core->theta, r->core->legendre, &leg, alm, &r->work);
    }
    armilla_points_clear_orders(r->core, alm, r->work.scratch);
}

static void run_strips(const run *r)
{
    const armilla_points_pass pass = {.core = r->core,
                                      .order = &r->plan->order,
                                      .to_points = r->to_points,
                                      .values = r->values,
                                      .component = r->here,
                                      .leg = r->by_strips,
                                      .work = &r->work};
    armilla_points_run_strips(&pass);
}

/* All ranks stop at the same place, where one of them was cancelled, or a message was lost. */
static armilla_status reached(run *r)
{
    const armilla_status status = armilla_progress_status(&r->progress);
    if (r->traffic.failed) return armilla_fail_transport();
    return r->watched ? armilla_agree(&r->plan->transport, status) : status;
}

/* --- Between the caller's arrays and those of the stages ---------------------------------------
 */

static int64_t item_size(const run *r)
{
    return armilla_array_item_size((armilla_array){NULL, r->is_float});
}

static armilla_status take_alm(run *r, armilla_array given)
{
    const armilla_distributed_points *plan = r->plan;
    if (!plan->alm_to_orders) {
        r->alm = given, r->alm_distance = r->exec.alm_distance;
        return ARMILLA_OK;
    }
    r->alm_distance = r->alm_size;
    if (!r->to_points) return ARMILLA_OK;
    return armilla_redistribution_run(plan->alm_to_orders, 2 * item_size(r), r->core->nalm,
                                      given.values, r->exec.alm_distance, r->alm.values,
                                      r->alm_size);
}

static armilla_status give_alm(run *r, armilla_array given)
{
    const armilla_distributed_points *plan = r->plan;
    if (!plan->alm_to_orders) return ARMILLA_OK;
    return armilla_redistribution_run(plan->alm_to_given, 2 * item_size(r), r->core->nalm,
                                      r->alm.values, r->alm_size, given.values,
                                      r->exec.alm_distance);
}

static armilla_status take_values(run *r, armilla_array given)
{
    return armilla_redistribution_run(r->plan->routes.to_strips, item_size(r), r->core->nmap,
                                      given.values, r->exec.map_distance, r->values.values,
                                      r->here);
}

static armilla_status give_values(run *r, armilla_array given)
{
    return armilla_redistribution_run(r->plan->routes.to_askers, item_size(r), r->core->nmap,
                                      r->values.values, r->here, given.values,
                                      r->exec.map_distance);
}

static armilla_status synthesis(run *r, armilla_array alm, armilla_array values)
{
    armilla_status status = take_alm(r, alm);
    if (status) return status;
    const armilla_alm_rows rows = armilla_points_alm_rows(r->core, r->alm, r->alm_distance);
    orders_to_strips(r, &rows);
    if ((status = reached(r))) return status;
    run_strips(r);
    if ((status = reached(r))) return status;
    return give_values(r, values);
}

static armilla_status adjoint(run *r, armilla_array alm, armilla_array values)
{
    armilla_status status = take_values(r, values);
    if (!status) status = take_alm(r, alm);
    if (status) return status;
    const armilla_alm_rows rows = armilla_points_alm_rows(r->core, r->alm, r->alm_distance);
    run_strips(r);
    if ((status = reached(r))) return status;
    strips_to_orders(r, &rows);
    if ((status = reached(r))) return status;
    return give_alm(r, alm);
}

/* --- A call ---------------------------------------------------------------------------------- */

static armilla_status check_call(run *r, const armilla_exec *exec, armilla_call *call)
{
    const armilla_distributed_points *plan = r->plan;
    const int64_t size = armilla_distributed_points_alm(plan);
    const armilla_call_arrays arrays = {.alm_size = size,
                                        .nalm = r->core->nalm,
                                        .npix = plan->npoints,
                                        .nmap = r->core->nmap,
                                        .samples = "values",
                                        .delegation = plan->delegation};
    const armilla_status status = armilla_call_open(&arrays, exec, call);
    r->exec = call->exec;
    return status;
}

static double count_degrees(const armilla_distributed_points *plan)
{
    const armilla_points_core *core = plan->core;
    double degrees = 0;
    for (int64_t i = 0; i < core->norders; i++)
        degrees += (double)(core->lmax - core->orders[i] + 1);
    return degrees;
}

/* Before anything is exchanged: have all ranks their memory, and do they run the same operator? */
static armilla_status begin(run *r, armilla_status status)
{
    const armilla_common values[] = {{"exec->ntrans", r->exec.ntrans},
                                     {"the operator", r->to_points},
                                     {"floats (1) or doubles (0)", r->is_float}};
    r->watched = !status && r->exec.progress != NULL;
    return armilla_agree_on(&r->plan->transport, status, 3, values, &r->watched);
}

static armilla_status execute(run *r, armilla_array alm, armilla_array values)
{
    armilla_status status = ARMILLA_OK;
    armilla_progress_start(&r->progress, r->exec.progress, r->exec.progress_data,
                           count_degrees(r->plan) * (double)r->exec.ntrans);
    if (r->plan->transport.poke)
        armilla_progress_set_poke(&r->progress, armilla_strip_traffic_poke, &r->traffic);
    const armilla_array copy = r->alm;
    for (int64_t t = 0; t < r->exec.ntrans && !status; t++) {
        const armilla_array alm_of =
            armilla_array_from(alm, 2 * t * r->core->nalm * r->exec.alm_distance);
        const armilla_array values_of =
            armilla_array_from(values, t * r->core->nmap * r->exec.map_distance);
        r->alm = copy;
        status = r->to_points ? synthesis(r, alm_of, values_of) : adjoint(r, alm_of, values_of);
    }
    return status;
}

armilla_status armilla_distributed_points_run(const armilla_distributed_points *plan, int to_points,
                                              armilla_array alm, armilla_array values,
                                              const armilla_exec *exec)
{
    run r = {.plan = plan,
             .core = plan->core,
             .to_points = to_points,
             .is_float = alm.is_float,
             .alm_size = plan->core->layout->size,
             .here = plan->routes.here};
    double *memory = NULL;
    armilla_call call = armilla_call_of(to_points, alm, values);
    armilla_status status = check_call(&r, exec, &call);
    r.work.nthreads = armilla_rank_threads(&plan->transport, r.exec.nthreads);
    r.traffic = (armilla_strip_traffic){.exchange = &plan->exchange,
                                        .to_points = to_points,
                                        .nsets = r.core->nmap,
                                        .nthreads = r.work.nthreads,
                                        .by_strips = &r.by_strips};
    const sizes s = sizes_of(&r);
    if (!status) status = armilla_workspace_take(r.core->workspace, s.total, &memory);
    if (!status) {
        place_all(&r, &s, memory);
        status =
            armilla_allocate(&r.traffic.list, 2 * plan->transport.nranks, sizeof *r.traffic.list);
    }
    if (!(status = begin(&r, status))) status = execute(&r, call.alm, call.map);
    status = armilla_rank_close(&plan->transport, &plan->delegation, &call, status);
    armilla_release(r.traffic.list);
    if (memory) armilla_workspace_give(r.core->workspace, memory);
    return status;
}

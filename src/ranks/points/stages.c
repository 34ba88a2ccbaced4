/* Chunks of orders are made, or used, while others are under way.
 *
 *     synthesis  chunk k of own orders --> sent | chunk k - 1 --> strips --> values here
 *     adjoint    values here --> strips;  chunk k + 1 --> sent | chunk k --> own orders
 */
#include "ranks/points/stages.h"

#include "base/integer.h"
#include "base/memory.h"
#include "points/execute.h"
#include "ranks/agree.h"
#include "ranks/threads.h"
#include "theta/stage.h"

/* --- A call ---------------------------------------------------------------------------------- */

void armilla_rank_stages_init(armilla_rank_stages *stages, const armilla_distributed_points *plan,
                              int to_points, int nthreads)
{
    *stages = (armilla_rank_stages){.plan = plan, .to_points = to_points};
    stages->work.nthreads = armilla_rank_threads(&plan->transport, nthreads);
}

/* Parts of the workspace, doubles. */
typedef struct {
    int64_t by_strips, chunk, out, in;
} sizes;

static sizes sizes_of(const armilla_rank_stages *stages)
{
    const armilla_strip_exchange *x = &stages->plan->exchange;
    const int64_t nmap = stages->plan->core->nmap;
    return (sizes){
        .by_strips = nmap * stages->plan->core->leg.size,
        .chunk = nmap * x->chunk_size,
        .out = armilla_round_line(nmap * armilla_strip_exchange_out(x, stages->to_points)),
        .in = armilla_round_line(nmap * armilla_strip_exchange_in(x, stages->to_points))};
}

int64_t armilla_rank_stages_size(const armilla_rank_stages *stages, int64_t scratch)
{
    const sizes s = sizes_of(stages);
    return s.by_strips + s.chunk + ARMILLA_TRANSPORT_SLOTS * (s.out + s.in) +
           stages->work.nthreads * scratch;
}

armilla_status armilla_rank_stages_open(armilla_rank_stages *stages, int64_t scratch,
                                        double *memory)
{
    const armilla_distributed_points *plan = stages->plan;
    const sizes s = sizes_of(stages);
    armilla_strip_traffic *t = &stages->traffic;
    *t = (armilla_strip_traffic){.exchange = &plan->exchange,
                                 .to_points = stages->to_points,
                                 .nthreads = stages->work.nthreads,
                                 .by_strips = &stages->by_strips};
    stages->by_strips = (armilla_leg){&plan->core->leg, plan->core->nmap, memory, NULL, 0};
    stages->chunk = memory += s.by_strips;
    memory += s.chunk;
    for (int slot = 0; slot < ARMILLA_TRANSPORT_SLOTS; slot++) {
        t->out[slot] = memory, memory += s.out;
        t->in[slot] = memory, memory += s.in;
    }
    stages->work.scratch = memory, stages->work.scratch_size = scratch;
    stages->work.progress = &stages->progress;
    return armilla_allocate(&t->list, 2 * plan->transport.nranks, sizeof *t->list);
}

void armilla_rank_stages_clear(armilla_rank_stages *stages)
{
    armilla_release(stages->traffic.list);
}

double armilla_rank_stages_degrees(const armilla_distributed_points *plan)
{
    const armilla_points_core *core = plan->core;
    double degrees = 0;
    for (int64_t i = 0; i < core->norders; i++)
        degrees += (double)(core->lmax - core->orders[i] + 1);
    return degrees;
}

void armilla_rank_stages_start(armilla_rank_stages *stages, const armilla_exec *exec, double units)
{
    armilla_progress_start(&stages->progress, exec->progress, exec->progress_data, units);
    if (stages->plan->transport.poke)
        armilla_progress_set_poke(&stages->progress, armilla_strip_traffic_poke, &stages->traffic);
}

/* --- Steps ----------------------------------------------------------------------------------- */

static armilla_leg chunk_leg(const armilla_rank_stages *s, const armilla_points_core *core,
                             int64_t k)
{
    return (armilla_leg){&s->plan->exchange.chunks[k], core->nmap, s->chunk, NULL, 0};
}

static void orders_to_strips(armilla_rank_stages *s, const armilla_points_core *core,
                             const armilla_alm_rows *alm)
{
    const int64_t n = s->plan->exchange.nchunks;
    for (int64_t k = 0; k < n; k++) {
        const armilla_leg leg = chunk_leg(s, core, k);
        armilla_theta_to_leg(core->theta, core->legendre, alm, &leg, &s->work);
        armilla_strip_traffic_start(&s->traffic, k, &leg);
        if (k > 0) armilla_strip_traffic_finish(&s->traffic, k - 1, &leg);
    }
    armilla_strip_traffic_finish(&s->traffic, n - 1, NULL);
}

static void strips_to_orders(armilla_rank_stages *s, const armilla_points_core *core,
                             const armilla_alm_rows *alm)
{
    const int64_t n = s->plan->exchange.nchunks;
    armilla_strip_traffic_start(&s->traffic, 0, NULL);
    for (int64_t k = 0; k < n; k++) {
        const armilla_leg leg = chunk_leg(s, core, k);
        if (k + 1 < n) armilla_strip_traffic_start(&s->traffic, k + 1, NULL);
        armilla_strip_traffic_finish(&s->traffic, k, &leg);
        armilla_theta_from_leg(core->theta, core->legendre, &leg, alm, &s->work);
    }
    armilla_points_clear_orders(core, alm, s->work.scratch);
}

/* All ranks stop at the same place, where one of them was cancelled, or a message was lost. */
static armilla_status reached(armilla_rank_stages *s)
{
    const armilla_status status = armilla_progress_status(&s->progress);
    if (s->traffic.failed) return armilla_fail_transport();
    return s->watched ? armilla_agree(&s->plan->transport, status) : status;
}

static armilla_status run_strips(armilla_rank_stages *s, const armilla_points_pass *pass)
{
    armilla_points_pass strips = *pass;
    strips.to_points = s->to_points, strips.leg = s->by_strips, strips.work = &s->work;
    armilla_points_run_strips(&strips);
    return reached(s);
}

static void begin_field(armilla_rank_stages *s, const armilla_points_core *core)
{
    s->by_strips.nsets = s->traffic.nsets = core->nmap;
}

armilla_status armilla_rank_stages_to_points(armilla_rank_stages *stages,
                                             const armilla_alm_rows *alm,
                                             const armilla_points_pass *pass)
{
    begin_field(stages, pass->core);
    orders_to_strips(stages, pass->core, alm);
    const armilla_status status = reached(stages);
    return status ? status : run_strips(stages, pass);
}

armilla_status armilla_rank_stages_from_points(armilla_rank_stages *stages,
                                               const armilla_alm_rows *alm,
                                               const armilla_points_pass *pass)
{
    begin_field(stages, pass->core);
    const armilla_status status = run_strips(stages, pass);
    if (status) return status;
    strips_to_orders(stages, pass->core, alm);
    return reached(stages);
}

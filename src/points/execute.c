/* The steps of an operator, a transform at a time: alm, leg, values at points. See plan.h. */
#include "points/execute.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "executor/executor.h"
#include "points/device.h"
#include "points/strip_stage.h"
#include "points/turns.h"
#include "theta/stage.h"

#include <string.h>

typedef struct {
    const armilla_points *plan;
    const armilla_points_core *core;
    const armilla_points_end *end;
    double *sorted; /* values in turns */
    armilla_leg leg;
    armilla_work work;
    armilla_progress progress;
} run;

/* --- Coefficients ----------------------------------------------------------------------------- */

armilla_alm_rows armilla_points_alm_rows(const armilla_points_core *core, armilla_array alm,
                                         int64_t distance)
{
    armilla_alm_rows rows = armilla_alm_rows_of(core->layout, core->layout->mstart, core->spin,
                                                core->nalm, core->nmap, alm, distance);
    rows.factor = core->degree_factor, rows.order_factor = core->order_factor;
    return rows;
}

void armilla_points_clear_orders(const armilla_points_core *core, const armilla_alm_rows *rows,
                                 double *row)
{
    armilla_alm_rows alm = *rows;
    alm.order_factor = NULL; /* there is none for these */
    for (int64_t m = core->mmax + 1; m <= core->layout->mmax; m++)
        for (int64_t set = 0; set < core->nmap && armilla_alm_layout_has(core->layout, m); set++) {
            memset(row, 0, (size_t)(2 * (core->lmax - m + 1)) * sizeof *row);
            armilla_alm_rows_write(&alm, set, m, row);
        }
}

static int64_t leg_size(const armilla_points_core *core)
{
    return core->nmap * core->leg.size;
}

int64_t armilla_points_workspace_size(const armilla_points *plan, int nthreads)
{
    const armilla_points_core *core = plan->core;
    const int64_t turns = plan->order.turn ? armilla_round_line(2 * plan->order.count) : 0;
    return leg_size(core) + turns + armilla_points_scratch_size(core) * nthreads;
}

/* --- Steps ------------------------------------------------------------------------------------ */

static void to_leg(void *call, const armilla_pass *pass)
{
    const run *r = call;
    armilla_theta_to_leg(r->core->theta, r->core->legendre, &pass->alm, &r->leg, &r->work);
}

static void to_alm(void *call, const armilla_pass *pass)
{
    const run *r = call;
    armilla_theta_from_leg(r->core->theta, r->core->legendre, &r->leg, &pass->alm, &r->work);
    armilla_points_clear_orders(r->core, &pass->alm, r->work.scratch);
}

/* leg <-> the points in their own sequence <-> the caller's values, or those of the end. */
static void run_strips(run *r, int to_points, const armilla_ring_maps *map)
{
    const armilla_points_order *order = &r->plan->order;
    const int apart = r->end && r->end->values.values.values;
    const armilla_ring_maps *values = apart ? &r->end->values : map;
    const armilla_array sorted = {r->sorted, values->values.is_float};
    const armilla_turns turns = {order->count, order->turn, values->values, sorted,
                                 values->distance};
    const armilla_points_pass pass = {.core = r->core,
                                      .order = order,
                                      .to_points = to_points,
                                      .values = order->turn ? sorted : values->values,
                                      .component = order->turn ? 1 : values->distance,
                                      .leg = r->leg,
                                      .work = &r->work};
    if (!to_points && r->end) r->end->run(r->end, 0, values, map);
    if (!to_points && order->turn) armilla_turns_from_values(&turns, r->work.nthreads);
    armilla_points_run_strips(&pass);
    if (!to_points || armilla_progress_status(&r->progress)) return;
    if (order->turn) armilla_turns_to_values(&turns, r->work.nthreads);
    if (r->end) r->end->run(r->end, 1, values, map);
}

static void to_values(void *call, const armilla_pass *pass)
{
    run_strips(call, 1, &pass->maps);
}

static void from_values(void *call, const armilla_pass *pass)
{
    run_strips(call, 0, &pass->maps);
}

static const armilla_backend processor = {.alm_to_leg = to_leg,
                                          .leg_to_maps = to_values,
                                          .maps_to_leg = from_values,
                                          .leg_to_alm = to_alm};

/* --- A call ----------------------------------------------------------------------------------- */

int armilla_points_team(const armilla_points_core *core, int nthreads)
{
    const int64_t tasks = armilla_larger(core->nstrips, core->mmax / ARMILLA_THETA_BATCH + 1);
    nthreads = armilla_team_size(nthreads);
    return nthreads < tasks ? nthreads : (int)tasks;
}

armilla_status armilla_points_run(const armilla_points *plan, const armilla_call *call,
                                  const armilla_points_end *end)
{
    const armilla_points_core *core = plan->core;
    const armilla_exec *exec = &call->exec;
    run r = {.plan = plan, .core = core, .end = end};
    const int nthreads = armilla_points_team(core, exec->nthreads);
    double *memory;
    if (core->on_device)
        return armilla_points_device_run(plan, call->to_map, call->alm, call->map, exec);
    armilla_status status = armilla_workspace_take(
        core->workspace, armilla_points_workspace_size(plan, nthreads), &memory);
    if (status) return status;
    r.leg = (armilla_leg){&core->leg, core->nmap, memory, NULL, 0};
    r.work = (armilla_work){nthreads, armilla_points_scratch_size(core), memory + leg_size(core),
                            &r.progress};
    r.sorted = r.work.scratch + nthreads * armilla_points_scratch_size(core);
    armilla_progress_start(&r.progress, exec->progress, exec->progress_data,
                           (double)armilla_alm_size(core->lmax, core->mmax) * (double)exec->ntrans);
    armilla_execution execution = {
        .backend = &processor,
        .call = &r,
        .progress = &r.progress,
        .to_map = call->to_map,
        .ntrans = exec->ntrans,
        .batch = 1,
        .npasses = 1,
        .norder_passes = 1,
        .pass.alm = armilla_points_alm_rows(core, call->alm, exec->alm_distance),
        .pass.maps = {.values = call->map, .distance = exec->map_distance}};
    status = armilla_execute(&execution);
    armilla_workspace_give(core->workspace, memory);
    return status;
}

/* One call of an operator, a transform at a time: see plan.h. */
#include "points/execute.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "points/device.h"
#include "points/strip_stage.h"
#include "points/turns.h"
#include "theta/stage.h"

#include <string.h>

typedef struct {
    const armilla_points *plan;
    const armilla_points_core *core;
    const armilla_exec *exec;
    int to_points;
    armilla_array alm;
    armilla_array values; /* of all components: the caller's, or sorted, in turns */
    int64_t component;    /* items from one to the next */
    armilla_leg leg;
    armilla_work work;
    armilla_progress progress;
} run;

/* --- A call ----------------------------------------------------------------------------------- */

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

static void run_transform(run *r)
{
    const armilla_points_core *core = r->core;
    const armilla_alm_rows alm = armilla_points_alm_rows(core, r->alm, r->exec->alm_distance);
    const armilla_points_pass pass = {.core = core,
                                      .order = &r->plan->order,
                                      .to_points = r->to_points,
                                      .values = r->values,
                                      .component = r->component,
                                      .leg = r->leg,
                                      .work = &r->work};
    if (r->to_points) armilla_theta_to_leg(core->theta, core->legendre, &alm, &r->leg, &r->work);
    if (armilla_progress_status(&r->progress)) return;
    armilla_points_run_strips(&pass);
    if (armilla_progress_status(&r->progress) || r->to_points) return;
    armilla_theta_from_leg(core->theta, core->legendre, &r->leg, &alm, &r->work);
    armilla_points_clear_orders(core, &alm, r->work.scratch);
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

static void run_with_values(run *r, armilla_array values, double *memory)
{
    const armilla_points_order *order = &r->plan->order;
    const armilla_array sorted = {memory, values.is_float};
    const armilla_turns turns = {order->count, order->turn, values, sorted, r->exec->map_distance};
    r->values = order->turn ? sorted : values;
    r->component = order->turn ? 1 : r->exec->map_distance;
    if (order->turn && !r->to_points) armilla_turns_from_values(&turns, r->work.nthreads);
    run_transform(r);
    if (order->turn && r->to_points && !armilla_progress_status(&r->progress))
        armilla_turns_to_values(&turns, r->work.nthreads);
}

static int team_of(const armilla_points_core *core, int nthreads)
{
    const int64_t tasks = armilla_larger(core->nstrips, core->mmax / ARMILLA_THETA_BATCH + 1);
    nthreads = armilla_team_size(nthreads);
    return nthreads < tasks ? nthreads : (int)tasks;
}

armilla_status armilla_points_run(const armilla_points *plan, int to_points, armilla_array alm,
                                  armilla_array values, const armilla_exec *exec)
{
    const armilla_points_core *core = plan->core;
    run r = {.plan = plan, .core = core, .exec = exec, .to_points = to_points};
    const double degrees = (double)armilla_alm_size(core->lmax, core->mmax);
    const int nthreads = team_of(core, exec->nthreads);
    double *memory;
    if (core->on_device) return armilla_points_device_run(plan, to_points, alm, values, exec);
    armilla_status status = armilla_workspace_take(
        core->workspace, armilla_points_workspace_size(plan, nthreads), &memory);
    if (status) return status;
    r.leg = (armilla_leg){&core->leg, core->nmap, memory, NULL};
    r.work = (armilla_work){nthreads, armilla_points_scratch_size(core), memory + leg_size(core),
                            &r.progress};
    double *turns = r.work.scratch + nthreads * armilla_points_scratch_size(core);
    armilla_progress_start(&r.progress, exec->progress, exec->progress_data,
                           degrees * (double)exec->ntrans);
    for (int64_t t = 0; t < exec->ntrans && !status; t++) {
        r.alm = armilla_array_from(alm, 2 * t * core->nalm * exec->alm_distance);
        run_with_values(&r, armilla_array_from(values, t * core->nmap * exec->map_distance), turns);
        status = armilla_progress_status(&r.progress);
    }
    armilla_workspace_give(core->workspace, memory);
    return status;
}

/* Calls on the host: all stages of a plane, and the memory of a call. */
#include "beams/execute.h"

#include "base/integer.h"
#include "base/memory.h"
#include "points/execute.h"
#include "points/strip_stage.h"
#include "theta/stage.h"

typedef struct {
    const armilla_beams *plan;
    armilla_leg leg;
    armilla_work work;
    armilla_progress progress;
} host;

static armilla_alm_rows rows_of(const host *h, const armilla_points_core *core, double *rows)
{
    return armilla_points_alm_rows(core, (armilla_array){rows, 0}, h->plan->alm_size);
}

static void run_strips(host *h, const armilla_points_core *core, int to_points, double *values)
{
    const armilla_points_pass pass = {.core = core,
                                      .order = &h->plan->order,
                                      .to_points = to_points,
                                      .values = {values, 0},
                                      .component = 1,
                                      .leg = h->leg,
                                      .work = &h->work};
    armilla_points_run_strips(&pass);
}

static armilla_status to_values(void *context, int64_t k, double *rows, double *values)
{
    host *h = context;
    const armilla_points_core *core = &h->plan->spins.of[k];
    const armilla_alm_rows alm = rows_of(h, core, rows);
    h->leg.nsets = core->nmap;
    armilla_theta_to_leg(core->theta, core->legendre, &alm, &h->leg, &h->work);
    run_strips(h, core, 1, values);
    return armilla_progress_status(&h->progress);
}

static armilla_status from_values(void *context, int64_t k, double *rows, double *values)
{
    host *h = context;
    const armilla_points_core *core = &h->plan->spins.of[k];
    const armilla_alm_rows alm = rows_of(h, core, rows);
    h->leg.nsets = core->nmap;
    run_strips(h, core, 0, values);
    armilla_theta_from_leg(core->theta, core->legendre, &h->leg, &alm, &h->work);
    armilla_points_clear_orders(core, &alm, h->work.scratch);
    return armilla_progress_status(&h->progress);
}

/* --- Memory ----------------------------------------------------------------------------------- */

int64_t armilla_beams_scratch(const armilla_beams *plan)
{
    int64_t most = 0;
    for (int64_t k = 0; k <= plan->kmax; k++)
        most = armilla_larger(most, armilla_points_scratch_size(&plan->spins.of[k]));
    return most;
}

static int64_t leg_size(const armilla_beams *plan)
{
    const armilla_points_core *core = plan->spins.whole;
    return core->nmap * core->leg.size;
}

int64_t armilla_beams_workspace_size(const armilla_beams *plan, armilla_beams_operator op,
                                     int is_float, int nthreads)
{
    return leg_size(plan) +
           armilla_points_team(plan->spins.whole, nthreads) * armilla_beams_scratch(plan) +
           armilla_beams_transform_size(plan, op, is_float, NULL);
}

/* --- A call ----------------------------------------------------------------------------------- */

armilla_status armilla_beams_run(const armilla_beams *plan, armilla_beams_operator op,
                                 const armilla_beams_arrays *arrays, const armilla_exec *exec)
{
    const armilla_points_core *core = plan->spins.whole;
    const int nthreads = armilla_points_team(core, exec->nthreads);
    host h = {.plan = plan};
    const armilla_beams_place place = {
        .context = &h, .nthreads = nthreads, .to_values = to_values, .from_values = from_values};
    double *memory;
    armilla_status status = armilla_workspace_take(
        core->workspace, armilla_beams_workspace_size(plan, op, arrays->beam.is_float, nthreads),
        &memory);
    if (status) return status;
    h.leg = (armilla_leg){&core->leg, 1, memory, NULL, 0};
    h.work =
        (armilla_work){nthreads, armilla_beams_scratch(plan), memory + leg_size(plan), &h.progress};
    armilla_progress_start(
        &h.progress, exec->progress, exec->progress_data,
        armilla_beams_units(plan, (double)armilla_alm_size(core->lmax, core->mmax)) *
            (double)exec->ntrans);
    status = armilla_beams_transforms(plan, op, arrays, exec, &place,
                                      h.work.scratch + nthreads * h.work.scratch_size);
    armilla_workspace_give(core->workspace, memory);
    return status;
}

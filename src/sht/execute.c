/* Runs the operators of a plan: on a GPU, whose backend has what it needs, or on the processor,
 * whose backend is here: stages over a whole leg, each with its own loop over the thread team, and
 * the memory of a call. */
#include "sht/execute.h"

#include "base/integer.h"
#include "base/progress.h"
#include "executor/executor.h"
#include "grid/grid.h"
#include "ringfft/stage.h"
#include "sht/choose.h"

typedef struct {
    const armilla_sht *sht;
    const armilla_flow *flow;
    const armilla_flow_way *way;
    int to_map;
    int64_t leg_size, sums_size; /* doubles; sums_size: of alm.sums, for all components */
    int64_t batch;               /* transforms at once */
    int64_t alm_distance, map_distance;
    double *leg;
    armilla_leg_home home;
    armilla_work work;
    armilla_progress progress;
} run;

/* --- Stages ---------------------------------------------------------------------------------- */

static armilla_leg leg_of(const run *r, const armilla_pass *pass)
{
    return (armilla_leg){.layout = &r->way->passes.layouts[pass->number],
                         .nsets = pass->nsets,
                         .values = r->leg,
                         .home = &r->home};
}

static void alm_to_leg(void *call, const armilla_pass *pass)
{
    const run *r = call;
    const armilla_leg leg = leg_of(r, pass);
    armilla_flow_to_leg(r->flow, &pass->alm, &leg, &r->work);
}

static void leg_to_maps(void *call, const armilla_pass *pass)
{
    const run *r = call;
    const armilla_leg leg = leg_of(r, pass);
    armilla_ringfft_to_maps(r->sht->ringfft, &leg, &pass->maps, &r->work);
}

static void maps_to_leg(void *call, const armilla_pass *pass)
{
    const run *r = call;
    const armilla_leg leg = leg_of(r, pass);
    armilla_ringfft_from_maps(r->sht->ringfft, &leg, &pass->maps, &r->work);
}

static void leg_to_alm(void *call, const armilla_pass *pass)
{
    const run *r = call;
    const armilla_leg leg = leg_of(r, pass);
    armilla_flow_from_leg(r->flow, &leg, &pass->alm, &r->work);
}

/* A stage of a cancelled call is not begun: what the stage before left is unfinished. */
/* The arrays of these transforms. What does not fit into the maps lies behind the leg of the pass.
 */
static void find_home(void *call, int64_t count, armilla_array *alm, armilla_array *map)
{
    run *r = call;
    armilla_leg_home *home = &r->home;
    if (!r->way->home.npairs) return; /* leg is in memory */
    *home = r->way->home;
    home->values = r->to_map ? map->values : alm->values;
    home->distance = r->to_map ? r->map_distance : 2 * r->alm_distance;
    home->rest = r->leg + count * r->sht->nmap * r->way->passes.size;
    home->lmax = r->sht->layout->lmax, home->mstart = r->sht->layout->mstart;
}

static const armilla_backend processor = {.begin_batch = find_home,
                                          .alm_to_leg = alm_to_leg,
                                          .leg_to_maps = leg_to_maps,
                                          .maps_to_leg = maps_to_leg,
                                          .leg_to_alm = leg_to_alm};

/* --- A call ---------------------------------------------------------------------------------- */

armilla_alm_rows armilla_sht_alm_rows(const armilla_sht *sht, int weighted, armilla_array alm,
                                      int64_t distance)
{
    const armilla_sht_form *form = &sht->form;
    const double *degree = form->degree[weighted != 0];
    const armilla_alm_layout *layout = sht->layout;
    const int rows = sht->mres > 1;
    armilla_alm_rows made =
        armilla_alm_rows_of(layout, layout->mstart, sht->spin, sht->nalm, sht->nmap, alm, distance);
    made.factor = degree ? degree : sht->degree_factor;
    made.order_factor = form->order[weighted != 0];
    made.packed = form->packed, made.conjugate = form->conjugate;
    made.sums_size = 2 * (rows ? layout->size : armilla_sht_degrees(sht));
    made.sums_as_array = rows;
    return made;
}

int64_t armilla_sht_batch(const armilla_sht *sht, const armilla_flow *flow, int to_map,
                          int64_t ntrans)
{
    return armilla_legendre_batch(flow->legendre, sht->nmap, to_map, ntrans);
}

/* What the ring stage needs per thread. */
static int64_t ring_scratch_size(const armilla_sht *sht, const armilla_flow_way *way)
{
    return armilla_ringfft_scratch_size(sht->ringfft) +
           armilla_leg_columns_scratch(&way->home, armilla_sht_orders(sht),
                                       armilla_ringfft_lanes(sht->ringfft));
}

/* Flow, transforms at once, threads and the parts of the workspace. Returns its doubles. */
static int64_t set_sizes(run *r, int weighted, int is_float, const armilla_exec *exec)
{
    const armilla_sht *sht = r->sht;
    const armilla_array none = {.values = NULL};
    r->flow = armilla_sht_flow(sht, weighted);
    r->batch = armilla_sht_batch(sht, r->flow, r->to_map, exec->ntrans);
    const int64_t sets = r->batch * sht->nmap;
    r->way = armilla_flow_find_way(r->flow, r->to_map,
                                   armilla_sht_lends_output(r->flow, r->to_map, sets, is_float));
    r->leg_size = armilla_flow_leg_size(r->way, sets);
    r->sums_size = 0;
    if (!r->to_map && is_float && r->way->norder_passes > 1)
        r->sums_size = armilla_round_line(r->batch * sht->nalm *
                                          armilla_sht_alm_rows(sht, 0, none, 0).sums_size);
    r->work.nthreads = armilla_sht_threads(sht, exec->nthreads);
    r->work.scratch_size = armilla_larger(armilla_flow_scratch_size(r->flow, r->way, sets),
                                          ring_scratch_size(sht, r->way));
    return r->leg_size + r->sums_size + r->work.scratch_size * r->work.nthreads;
}

int64_t armilla_sht_workspace_size(const armilla_sht *sht, int weighted, int to_map, int is_float,
                                   const armilla_exec *exec)
{
    run r = {.sht = sht, .to_map = to_map};
    return sht->cuda ? 0 : set_sizes(&r, weighted, is_float, exec);
}

armilla_status armilla_sht_check_weights(const armilla_sht *sht)
{
    if (sht->weighted_flow.legendre || armilla_grid_has_weights(sht->grid)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "grid: its rings have no weights, which analysis and its adjoint need; "
                        "pseudo_analysis by least squares needs none");
}

static armilla_status execute_on_device(const armilla_sht *sht, int weighted, int to_map,
                                        const armilla_sht_arrays *arrays, const armilla_exec *exec)
{
    const armilla_cuda_call call = {.to_map = to_map,
                                    .weighted = weighted,
                                    .alm = arrays->alm,
                                    .map = arrays->map,
                                    .step = arrays->step,
                                    .exec = *exec,
                                    .room = sht->room};
    return armilla_cuda()->transform->run(sht->cuda, &call);
}

static armilla_status execute_on_processor(const armilla_sht *sht, int weighted, int to_map,
                                           armilla_array alm, armilla_array map,
                                           const armilla_exec *exec)
{
    run r = {.sht = sht,
             .to_map = to_map,
             .alm_distance = exec->alm_distance,
             .map_distance = exec->map_distance};
    const int64_t size = set_sizes(&r, weighted, alm.is_float, exec);
    const double degrees = (double)armilla_sht_degrees(sht);
    armilla_progress_start(&r.progress, exec->progress, exec->progress_data,
                           degrees * (double)r.way->norder_passes * (double)exec->ntrans);
    double *memory;
    armilla_status status = armilla_workspace_take(sht->workspace, size, &memory);
    if (status) return status;
    r.leg = memory;
    r.work.scratch = memory + r.leg_size + r.sums_size;
    r.work.progress = &r.progress;
    armilla_execution execution = {.backend = &processor,
                                   .call = &r,
                                   .progress = &r.progress,
                                   .to_map = to_map,
                                   .ntrans = exec->ntrans,
                                   .batch = r.batch,
                                   .npasses = r.way->passes.count,
                                   .norder_passes = r.way->norder_passes,
                                   .pass.alm =
                                       armilla_sht_alm_rows(sht, weighted, alm, exec->alm_distance),
                                   .pass.maps = {.values = map,
                                                 .distance = exec->map_distance,
                                                 .weighted = weighted && !r.flow->weighted}};
    if (r.sums_size) execution.pass.alm.sums = memory + r.leg_size;
    status = armilla_execute(&execution);
    armilla_workspace_give(sht->workspace, memory);
    return status;
}

/* exec: complete, as armilla_call_check leaves it. */
static armilla_status execute(const armilla_sht *sht, int weighted, int to_map,
                              const armilla_sht_arrays *arrays, const armilla_exec *exec)
{
    const armilla_status status = weighted ? armilla_sht_check_weights(sht) : ARMILLA_OK;
    if (status) return status;
    return sht->cuda ? execute_on_device(sht, weighted, to_map, arrays, exec)
                     : execute_on_processor(sht, weighted, to_map, arrays->alm, arrays->map, exec);
}

armilla_status armilla_sht_run(const armilla_sht *sht, int weighted, const armilla_call *call)
{
    const armilla_sht_arrays arrays = {call->alm, call->map, 0};
    return execute(sht, weighted, call->to_map, &arrays, &call->exec);
}

armilla_status armilla_sht_run_step(const armilla_sht *sht, int weighted, int to_map,
                                    const armilla_sht_arrays *arrays, const armilla_exec *exec)
{
    const armilla_call_arrays sizes = armilla_sht_call_arrays(sht, 1);
    armilla_exec resolved;
    const armilla_status status = armilla_call_check(&sizes, exec, &resolved);
    return status ? status : execute(sht, weighted, to_map, arrays, &resolved);
}

armilla_status armilla_sht_to_map(const armilla_sht *sht, int weighted, armilla_array alm,
                                  armilla_array map, const armilla_exec *exec)
{
    const armilla_sht_arrays arrays = {alm, map, 0};
    return armilla_sht_run_step(sht, weighted, 1, &arrays, exec);
}

armilla_status armilla_sht_to_alm(const armilla_sht *sht, int weighted, armilla_array map,
                                  armilla_array alm, const armilla_exec *exec)
{
    const armilla_sht_arrays arrays = {alm, map, 0};
    return armilla_sht_run_step(sht, weighted, 0, &arrays, exec);
}

/* One call of an operator, pass by pass:
 *
 *     alm --legendre [theta]--> leg --ringfft--> map          synthesis; analysis is the other way
 *
 * A stage is a function over a whole leg, which runs its own loop over the thread team. */
#include "sht/execute.h"

#include "base/machine.h"
#include "base/integer.h"
#include "base/progress.h"
#include "grid/grid.h"
#include "sht/backend.h"
#include "sht/choose.h"
#include "theta/dispatch.h"

typedef struct {
    const armilla_sht *sht;
    const armilla_backend *backend;
    const armilla_flow *flow;
    armilla_flow_way way;
    int to_map;
    int64_t leg_size, sums_size; /* doubles; sums_size: of alm.sums, for all components */
    int64_t batch;               /* transforms at once */
    armilla_alm_rows alm;
    armilla_ring_maps maps;
    double *leg;
    armilla_leg_parking parking;
    armilla_work work;
    armilla_progress progress;
} run;

/* --- Stages ---------------------------------------------------------------------------------- */

static void alm_to_leg(const run *r, const armilla_leg *leg)
{
    const armilla_flow *flow = r->flow;
    if (flow->theta)
        r->backend->theta_to_leg(flow->theta, flow->legendre, &r->alm, leg, &r->work);
    else
        r->backend->legendre_to_leg(flow->legendre, &r->alm, leg, &r->work);
}

static void leg_to_alm(const run *r, const armilla_leg *leg)
{
    const armilla_flow *flow = r->flow;
    if (flow->theta)
        r->backend->theta_from_leg(flow->theta, flow->legendre, leg, &r->alm, &r->work);
    else
        r->backend->legendre_from_leg(flow->legendre, leg, &r->alm, &r->work);
}

/* A stage of a cancelled call is not begun: what the stage before left is unfinished. */
static void run_pass(run *r, int64_t pass)
{
    armilla_leg leg = {.layout = &r->way.passes->layouts[pass],
                       .nsets = r->batch * r->sht->nmap,
                       .values = r->leg};
    if (r->to_map) {
        leg.parking = armilla_flow_way_parks(&r->way) ? &r->parking : NULL;
        alm_to_leg(r, &leg);
    } else {
        leg.parking = armilla_flow_way_parks(&r->way) && pass == 0
                          ? &r->parking
                          : NULL; /* all orders: once is enough */
        r->backend->ringfft_from_maps(r->sht->ringfft, &leg, &r->maps, &r->work);
        leg.parking = armilla_flow_way_parks(&r->way) ? &r->parking : NULL;
    }
    if (armilla_progress_status(&r->progress)) return;
    if (r->to_map)
        r->backend->ringfft_to_maps(r->sht->ringfft, &leg, &r->maps, &r->work);
    else
        leg_to_alm(r, &leg);
}

/* Says where entries are parked: in the arrays of these transforms. What does not fit into the maps
 * lies behind the leg of the pass. */
static void park(run *r)
{
    const int64_t sets = r->batch * r->sht->nmap;
    const armilla_leg_layout *layout = r->way.passes->layouts;
    const armilla_theta_kernels *kernels =
        armilla_theta_kernels_find(r->flow->legendre->machine.isa);
    const int64_t size = 4 * sets * layout->pairs->count * layout->norders;
    r->parking = (armilla_leg_parking){
        .maps = r->way.maps,
        .rest = r->leg + sets * r->way.passes->size,
        .copy = kernels->entries,
        .stream = armilla_machine_stores_far(&r->flow->legendre->machine, 8 * size, 1),
        .stream_end = kernels->stream_end,
        .values = r->maps.values.values,
        .distance = r->maps.distance};
    if (r->to_map) return;
    r->parking.pairs = layout->pairs, r->parking.npairs = r->way.alm_pairs;
    r->parking.lmax = r->alm.lmax, r->parking.mstart = r->alm.mstart;
    r->parking.values = r->alm.values.values, r->parking.distance = 2 * r->alm.distance;
}

static armilla_status run_passes(run *r)
{
    const int64_t count = r->way.passes->count;
    armilla_status status = ARMILLA_OK;
    if (armilla_flow_way_parks(&r->way)) park(r);
    for (int64_t pass = 0; pass < count && !status; pass++) {
        r->alm.later = pass > 0 && r->way.norder_passes > 1;
        r->alm.last = pass + 1 == count || r->way.norder_passes == 1;
        run_pass(r, pass);
        status = armilla_progress_status(&r->progress);
    }
    return status;
}

/* --- A call ---------------------------------------------------------------------------------- */

static armilla_status run_transforms(run *r, int64_t ntrans)
{
    const armilla_sht *sht = r->sht;
    const int64_t most = r->batch;
    const armilla_array alm = r->alm.values, map = r->maps.values;
    armilla_status status = ARMILLA_OK;
    for (int64_t t = 0; t < ntrans && !status; t += most) {
        r->batch = armilla_smaller(most, ntrans - t);
        r->alm.values = armilla_array_from(alm, 2 * t * sht->nalm * r->alm.distance);
        r->maps.values = armilla_array_from(map, t * sht->nmap * r->maps.distance);
        status = run_passes(r);
    }
    return status;
}

static armilla_alm_rows alm_rows(const armilla_sht *sht, armilla_array alm, int64_t distance)
{
    const armilla_alm_layout *layout = sht->layout;
    return (armilla_alm_rows){.values = alm,
                              .distance = distance,
                              .ncomp = sht->nalm,
                              .nsets = sht->nmap,
                              .lmax = layout->lmax,
                              .stride = layout->stride,
                              .mstart = layout->mstart,
                              .spin = sht->spin < 0 ? -sht->spin : sht->spin,
                              .factor = sht->degree_factor,
                              .real = 1,
                              .sums_size = 2 * armilla_alm_size(layout->lmax, layout->mmax)};
}

/* Of the ring stage, per thread. */
static int64_t ring_scratch_size(const armilla_sht *sht, const armilla_flow_way *way)
{
    return armilla_flow_way_parks(way)
               ? armilla_ringfft_parking_scratch_size(sht->ringfft, sht->layout->mmax)
               : armilla_ringfft_scratch_size(sht->ringfft);
}

/* Flow, transforms at once, threads and the parts of the workspace. Returns its doubles. */
static int64_t set_sizes(run *r, int weighted, int is_float, const armilla_exec *exec)
{
    const armilla_sht *sht = r->sht;
    const armilla_alm_layout *layout = sht->layout;
    r->backend = &armilla_backend_cpu;
    r->flow = armilla_sht_flow(sht, weighted);
    r->maps.weighted = weighted && !r->flow->weighted;
    const int64_t most = r->to_map ? r->flow->legendre->choices.synthesis_sets : ARMILLA_SETS_MAX;
    r->batch = sht->nmap > 1 ? 1 : armilla_smaller(exec->ntrans, most);
    const int64_t sets = r->batch * sht->nmap;
    r->way = armilla_flow_find_way(r->flow, r->to_map,
                                   armilla_sht_may_park(r->flow, r->to_map, sets, is_float));
    r->leg_size = armilla_flow_leg_size(&r->way, sets);
    r->sums_size = 0;
    if (!r->to_map && is_float && r->way.norder_passes > 1)
        r->sums_size = armilla_round_line(2 * r->batch * sht->nalm *
                                          armilla_alm_size(layout->lmax, layout->mmax));
    r->work.nthreads = armilla_sht_threads(sht, exec->nthreads);
    r->work.scratch_size = armilla_larger(armilla_flow_scratch_size(r->flow, &r->way, sets),
                                          ring_scratch_size(sht, &r->way));
    return r->leg_size + r->sums_size + r->work.scratch_size * r->work.nthreads;
}

int64_t armilla_sht_workspace_size(const armilla_sht *sht, int weighted, int to_map, int is_float,
                                   const armilla_exec *exec)
{
    run r = {.sht = sht, .to_map = to_map};
    return sht->cuda ? 0 : set_sizes(&r, weighted, is_float, exec);
}

static armilla_status execute_on_device(const armilla_sht *sht, int weighted, int to_map,
                                        armilla_array alm, armilla_array map,
                                        const armilla_exec *exec)
{
    const armilla_cuda_call call = {.to_map = to_map,
                                    .weighted = weighted,
                                    .alm = alm,
                                    .map = map,
                                    .ntrans = exec->ntrans,
                                    .alm_distance = exec->alm_distance,
                                    .map_distance = exec->map_distance,
                                    .memory = exec->memory,
                                    .stream = exec->stream,
                                    .progress = exec->progress,
                                    .progress_data = exec->progress_data};
    return armilla_cuda_transform_run(sht->cuda, &call);
}

/* Analysis with weights that are all 0 would be 0 whatever the map holds. */
static armilla_status check_weights(const armilla_sht *sht)
{
    const armilla_grid *grid = sht->grid;
    int64_t r = 0;
    if (sht->weighted_flow.legendre) return ARMILLA_OK;
    while (r < grid->nrings && grid->rings[r].weight == 0) r++;
    if (r < grid->nrings) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "grid: its rings have no weights, which analysis and its adjoint need; "
                        "pseudo_analysis by least squares needs none");
}

static armilla_status execute(const armilla_sht *sht, int weighted, int to_map, armilla_array alm,
                              armilla_array map, const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_status status = armilla_sht_check_exec(sht, exec, &resolved);
    if (!status && weighted) status = check_weights(sht);
    if (status) return status;
    if (sht->cuda) return execute_on_device(sht, weighted, to_map, alm, map, &resolved);
    run r = {.sht = sht, .to_map = to_map};
    const int64_t size = set_sizes(&r, weighted, alm.is_float, &resolved);
    const double degrees = (double)armilla_alm_size(sht->layout->lmax, sht->layout->mmax);
    double *memory;
    r.alm = alm_rows(sht, alm, resolved.alm_distance);
    r.maps.values = map, r.maps.distance = resolved.map_distance;
    armilla_progress_start(&r.progress, resolved.progress, resolved.progress_data,
                           degrees * (double)r.way.norder_passes * (double)resolved.ntrans);
    if ((status = armilla_workspace_take(sht->workspace, size, &memory))) return status;
    r.leg = memory;
    r.alm.sums = r.sums_size ? memory + r.leg_size : NULL;
    r.work.scratch = memory + r.leg_size + r.sums_size;
    r.work.progress = &r.progress;
    status = run_transforms(&r, resolved.ntrans);
    armilla_workspace_give(sht->workspace, memory);
    return status;
}

armilla_status armilla_sht_to_map(const armilla_sht *sht, int weighted, armilla_array alm,
                                  armilla_array map, const armilla_exec *exec)
{
    return execute(sht, weighted, 1, alm, map, exec);
}

armilla_status armilla_sht_to_alm(const armilla_sht *sht, int weighted, armilla_array map,
                                  armilla_array alm, const armilla_exec *exec)
{
    return execute(sht, weighted, 0, alm, map, exec);
}

/* The order of stages, pass by pass:
 *     synthesis  for each order: alm row -> leg row;      then for each ring pair: leg -> map
 *     analysis   for each ring pair: map -> leg;          then for each order: leg row -> alm row
 * Orders, and batches of ring pairs, are the tasks of the thread team. No task depends on another
 * one of its stage, and sums run in a fixed order: results do not depend on the number of threads.
 */
#include "sht/execute.h"

#include "base/memory.h"
#include "base/team.h"
#include "grid/grid.h"
#include "sht/fewer_rings.h"
#include "sht/run.h"

#include <string.h>

/* Doubles between the leg of two sets: set by set, so that neighbouring orders are near. */
static int64_t set_length(const armilla_run *r)
{
    return r->pass.norders * armilla_legendre_row_length(&r->pass.block);
}

static double *leg_row(const armilla_run *r, int64_t m)
{
    return r->leg + (m - r->pass.first_order) * armilla_legendre_row_length(&r->pass.block);
}

/* W mixes the rings of one order: gather the column in the grid's order, apply, put back. */
static void apply_theta_weights(const armilla_run *r, int64_t m, double *row, double *work)
{
    const armilla_sht *sht = r->sht;
    double *scratch = work + armilla_round_line(2 * sht->grid->nrings);
    for (int64_t i = 0; i < sht->grid->nrings; i++)
        memcpy(work + 2 * i, row + 2 * sht->ring_column[i], 2 * sizeof *work);
    armilla_theta_weights_apply(sht->theta_weights, m, work, scratch);
    for (int64_t i = 0; i < sht->grid->nrings; i++)
        memcpy(row + 2 * sht->ring_column[i], work + 2 * i, 2 * sizeof *work);
}

/* Entries that the Legendre stage leaves alone must be zeros before rings are mixed. */
static void clear_small(const armilla_run *r, int64_t m, double *row)
{
    const armilla_legendre *legendre = r->sht->legendre;
    for (int64_t i = 0; i < legendre->npairs; i++)
        if (legendre->limit[i] < m) memset(row + 4 * i, 0, 4 * sizeof *row);
}

static armilla_legendre_sets sets_of(const armilla_run *r, int64_t m, double *rows)
{
    return (armilla_legendre_sets){.count = r->sets,
                                   .alm = rows,
                                   .alm_stride = armilla_legendre_alm_row(r->sht->legendre, 0),
                                   .leg = leg_row(r, m),
                                   .leg_stride = set_length(r)};
}

static void synthesis_order(void *context, int64_t index, int thread)
{
    armilla_run *r = context;
    const armilla_legendre *legendre = r->sht->legendre;
    int64_t m = r->pass.first_order + index;
    const armilla_legendre_sets sets = sets_of(r, m, armilla_run_scratch(r, thread));
    double *scratch = sets.alm + sets.count * sets.alm_stride;
    if (armilla_progress_advance(&r->progress, r->batch * (legendre->lmax - m + 1), thread)) return;
    armilla_run_synthesis(r, &r->pass.block, m, &sets, scratch);
    for (int64_t set = 0; set < sets.count && r->mixed; set++) {
        clear_small(r, m, sets.leg + set * sets.leg_stride);
        apply_theta_weights(r, m, sets.leg + set * sets.leg_stride, scratch);
    }
}

static void analysis_order(void *context, int64_t index, int thread)
{
    armilla_run *r = context;
    const armilla_legendre *legendre = r->sht->legendre;
    int64_t m = r->pass.first_order + index;
    const armilla_legendre_sets sets = sets_of(r, m, armilla_run_scratch(r, thread));
    double *scratch = sets.alm + sets.count * sets.alm_stride;
    if (armilla_progress_advance(&r->progress, r->batch * (legendre->lmax - m + 1), thread)) return;
    for (int64_t set = 0; set < sets.count && r->mixed; set++)
        apply_theta_weights(r, m, sets.leg + set * sets.leg_stride, scratch);
    armilla_run_analysis(r, &r->pass.block, m, &sets, scratch);
}

/* One pair, with the orders this pass holds. Returns 0 for a filler. */
static int get_pair(const armilla_run *r, int64_t pair, armilla_ring_pair *rings)
{
    const armilla_legendre *legendre = r->sht->legendre;
    if (pair >= legendre->npairs || (legendre->north[pair] < 0 && legendre->south[pair] < 0))
        return 0;
    int64_t last = r->pass.first_order + r->pass.norders - 1;
    if (!r->mixed && legendre->limit[pair] < last) last = legendre->limit[pair];
    *rings = (armilla_ring_pair){legendre->north[pair], legendre->south[pair], r->pass.first_order,
                                 last};
    return 1;
}

/* Fillers of a vector: the Legendre stage reads them. */
static void clear_padding(const armilla_run *r, double *leg)
{
    int64_t row_length = armilla_legendre_row_length(&r->pass.block);
    for (int64_t i = 0; i < r->sets * r->pass.norders; i++)
        memset(leg + i * row_length, 0, 4 * sizeof *leg);
}

static armilla_ringfft_mode ring_mode(const armilla_run *r)
{
    return (armilla_ringfft_mode){.weighted = r->weighted && !r->mixed,
                                  .add = r->mixed && r->pass_index > 0};
}

static void run_pair(armilla_run *r, const armilla_ring_pair *rings, double *leg, double *scratch,
                     int to_map)
{
    const armilla_ringfft_mode mode = ring_mode(r);
    const int64_t row_length = armilla_legendre_row_length(&r->pass.block);
    for (int64_t set = 0; set < r->sets; set++) {
        double *row = leg + set * set_length(r);
        if (to_map)
            armilla_ringfft_synthesis(r->sht->ringfft, rings, mode, row, row_length,
                                      armilla_run_map(r, set), scratch);
        else
            armilla_ringfft_analysis(r->sht->ringfft, rings, mode, armilla_run_map(r, set), row,
                                     row_length, scratch);
    }
}

/* Pairs in lanes; returns 0 where they do not fit. */
static int run_lanes(armilla_run *r, const armilla_ring_pair *rings, double *leg, double *scratch,
                     int to_map)
{
    const armilla_ringfft *ringfft = r->sht->ringfft;
    const armilla_ringfft_mode mode = ring_mode(r);
    const int64_t row_length = armilla_legendre_row_length(&r->pass.block);
    if (!armilla_ringfft_lanes_fit(ringfft, rings, mode, r->map)) return 0;
    for (int64_t set = 0; set < r->sets; set++) {
        double *row = leg + set * set_length(r);
        if (to_map)
            armilla_ringfft_lanes_synthesis(ringfft, rings, mode, row, row_length,
                                            armilla_run_map(r, set), scratch);
        else
            armilla_ringfft_lanes_analysis(ringfft, rings, mode, armilla_run_map(r, set), row,
                                           row_length, scratch);
    }
    return 1;
}

/* Pairs of a block from `first` on, as many as go in lanes, or one. */
static void run_neighbours(armilla_run *r, int64_t first, int64_t count, double *scratch,
                           int to_map)
{
    armilla_ring_pair rings[ARMILLA_PAIR_BATCH] = {{0}};
    int exists[ARMILLA_PAIR_BATCH];
    double *leg = r->leg + 4 * first;
    for (int64_t i = 0; i < count; i++) {
        rings[i] = (armilla_ring_pair){.north = -1, .south = -1};
        exists[i] = get_pair(r, r->pass.block.first + first + i, &rings[i]);
        if (!exists[i] && !to_map) clear_padding(r, leg + 4 * i);
    }
    if (run_lanes(r, rings, leg, scratch, to_map)) return;
    for (int64_t i = 0; i < count; i++)
        if (exists[i]) run_pair(r, &rings[i], leg + 4 * i, scratch, to_map);
}

/* Blocks are whole vectors, so lanes never reach beyond them. */
static void run_pairs(armilla_run *r, int64_t batch, int thread, int to_map)
{
    if (armilla_progress_advance(&r->progress, 0, thread)) return; /* only looks for cancellation */
    const int64_t first = batch * ARMILLA_PAIR_BATCH, end = first + ARMILLA_PAIR_BATCH;
    const int64_t npairs = r->pass.block.npairs, lanes = armilla_ringfft_lanes(r->sht->ringfft);
    const int64_t count = lanes ? lanes : 1;
    for (int64_t i = first; i < end && i < npairs; i += count)
        run_neighbours(r, i, count, armilla_run_scratch(r, thread), to_map);
}

static void synthesis_pairs(void *context, int64_t batch, int thread)
{
    run_pairs(context, batch, thread, 1);
}

static void analysis_pairs(void *context, int64_t batch, int thread)
{
    run_pairs(context, batch, thread, 0);
}

/* A stage of a cancelled call is not begun: what the stage before left is unfinished. */
static void run_passes(armilla_run *r, int to_map)
{
    for (r->pass_index = 0;; r->pass_index++) {
        if (!armilla_sht_get_pass(r->sht, r->mixed, r->pass_index, &r->pass)) return;
        const int64_t pairs = r->pass.block.npairs;
        for (int stage = 0; stage < 2; stage++) {
            if (armilla_progress_status(&r->progress)) return;
            if (stage == to_map)
                armilla_team_run(r->nthreads, (pairs + ARMILLA_PAIR_BATCH - 1) / ARMILLA_PAIR_BATCH,
                                 to_map ? synthesis_pairs : analysis_pairs, r);
            else
                armilla_team_run(r->nthreads, r->pass.norders,
                                 to_map ? synthesis_order : analysis_order, r);
        }
    }
}

/* How often the Legendre stage meets each order. */
static int64_t count_passes(const armilla_sht *sht, int mixed)
{
    armilla_sht_pass pass;
    int64_t count = 0;
    if (mixed || sht->fewer) return 1;
    while (armilla_sht_get_pass(sht, mixed, count, &pass)) count++;
    return count;
}

static armilla_status run_transforms(armilla_run *r, int64_t ntrans, int to_map)
{
    const armilla_sht *sht = r->sht;
    const int64_t most = r->batch;
    const armilla_array alm = r->alm;
    const armilla_array map = r->map;
    armilla_status status = ARMILLA_OK;
    for (int64_t t = 0; t < ntrans && !status; t += r->batch) {
        r->batch = ntrans - t < most ? ntrans - t : most;
        r->sets = r->batch * sht->nmap;
        r->alm.values =
            armilla_run_shift(alm.values, alm.is_float, 2 * t * sht->nalm * r->alm_distance);
        r->map.values =
            armilla_run_shift(map.values, map.is_float, t * sht->nmap * r->map_distance);
        if (sht->fewer)
            armilla_fewer_rings_run(r, to_map);
        else
            run_passes(r, to_map);
        status = armilla_progress_status(&r->progress);
    }
    return status;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Threads, passes, transforms at once and the parts of the workspace. Returns its doubles. */
static int64_t set_sizes(armilla_run *r, int to_map, const armilla_exec *exec)
{
    const armilla_sht *sht = r->sht;
    const armilla_alm_layout *layout = sht->layout;
    r->mixed = r->weighted && sht->theta_weights;
    r->nthreads = armilla_sht_threads(sht, exec->nthreads);
    r->npasses = count_passes(sht, r->mixed);
    const int64_t most = to_map ? ARMILLA_SETS_MAX : armilla_legendre_analysis_sets(sht->legendre);
    r->batch = sht->nmap > 1 ? 1 : smaller(exec->ntrans, most);
    const int64_t sets = r->batch * sht->nmap;
    r->leg_size = armilla_sht_leg_size(sht, r->mixed, sets);
    r->scratch_size = armilla_sht_scratch_size(sht, r->mixed, sets);
    r->sums_size = 0;
    if (!to_map && r->alm.is_float && r->npasses > 1)
        r->sums_size = 2 * r->batch * sht->nalm * armilla_alm_size(layout->lmax, layout->mmax);
    return r->leg_size + r->scratch_size * r->nthreads + r->sums_size;
}

int64_t armilla_sht_workspace_size(const armilla_sht *sht, int weighted, int to_map, int is_float,
                                   const armilla_exec *exec)
{
    armilla_run r = {.sht = sht, .weighted = weighted, .alm = {.is_float = is_float}};
    return set_sizes(&r, to_map, exec);
}

static armilla_status execute(const armilla_sht *sht, int weighted, int to_map, armilla_array alm,
                              armilla_array map, const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_status status = armilla_sht_check_exec(sht, exec, &resolved);
    if (status) return status;
    armilla_run r = {.sht = sht, .weighted = weighted, .alm = alm, .map = map};
    const int64_t size = set_sizes(&r, to_map, &resolved);
    double degrees = (double)armilla_alm_size(sht->layout->lmax, sht->layout->mmax);
    armilla_progress_start(&r.progress, resolved.progress, resolved.progress_data,
                           degrees * (double)r.npasses * (double)resolved.ntrans);
    double *memory;
    r.alm_distance = resolved.alm_distance, r.map_distance = resolved.map_distance;
    status = armilla_workspace_take(sht->workspace, size, &memory);
    if (status) return status;
    r.leg = memory, r.scratch = memory + r.leg_size;
    r.sums = r.sums_size ? r.scratch + r.scratch_size * r.nthreads : NULL;
    status = run_transforms(&r, resolved.ntrans, to_map);
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

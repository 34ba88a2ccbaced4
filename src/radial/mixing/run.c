/* Convolves maps with a radial kernel by the mixing of rings: slab by slab it reads rings,
 * multiplies their orders by K_m tile by tile (plan.h), and writes the rings that are done.
 * The layout of the workspace is in slots.h. */
#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "radial/mixing/slots.h"

enum {
    TILE = ARMILLA_MIXING_TILE,
    WIDTH = ARMILLA_MIXING_WIDTH,
    MOST_BLOCKS = ARMILLA_MIXING_SHARE,
    TILE_SIZE = (TILE * TILE + 1) * WIDTH /* doubles; one row for what fills up groups */
};

/* K_m of a segment: blocks low and high; spin 2 has W_m and W_(-m). */
enum { LOW, HIGH, BLOCKS };
typedef double *tiles[BLOCKS][2];

/* A task: some blocks of the lower half and those opposite to them. Its scratch:
 *
 *     tiles of K_m | waves of each block and the one opposite to it, of a table not folded
 */
typedef struct {
    const armilla_mixing_call *r;
    double *scratch;
    struct {
        int32_t table;
        int64_t count; /* samples that are there, 0 at first */
    } made[MOST_BLOCKS][BLOCKS];
} mixing_task;

/* --- Memory ---------------------------------------------------------------------------------- */

/* Doubles that hold so many structs, whole cache lines. */
static int64_t doubles_of(int64_t count, size_t size)
{
    return armilla_round_line((count * (int64_t)size + 7) / 8);
}

static int64_t tiles_size(const armilla_mixing *mixing)
{
    return (mixing->profile->turns ? 2 : 1) * BLOCKS * TILE_SIZE;
}

int64_t armilla_mixing_scratch_size(const armilla_mixing *mixing)
{
    const int64_t ringfft = armilla_ringfft_scratch_size(mixing->ringfft);
    const int64_t own = tiles_size(mixing) + mixing->most_share * BLOCKS * mixing->waves_size;
    return armilla_round_line(ringfft < own ? own : ringfft);
}

/* Of a round: segments, groups and samples. */
static int64_t round_size(const armilla_mixing *mixing)
{
    return doubles_of(mixing->most_segments, sizeof(armilla_mixing_segment)) +
           doubles_of(mixing->most_groups, sizeof(armilla_mixing_group)) +
           armilla_round_line(mixing->most_samples);
}

/* What only a round needs, or only reading and writing a slab: one place for both. */
static int64_t shared_size(const armilla_mixing *mixing, int64_t nsets)
{
    return armilla_larger(armilla_round_line(nsets * mixing->leg_size), round_size(mixing));
}

int64_t armilla_mixing_workspace_size(const armilla_mixing *mixing, int64_t nsets)
{
    return 2 * mixing->nslots * armilla_mixing_slot_size(mixing, nsets) +
           shared_size(mixing, nsets) + doubles_of(nsets * mixing->frame.nrings, 1);
}

static armilla_mixing_call open_run(const armilla_mixing *mixing, armilla_mixing_job job,
                                    const armilla_work *work, double *workspace)
{
    armilla_mixing_call r = {.mixing = mixing, .job = job, .work = work};
    const int64_t slots = mixing->nslots * armilla_mixing_slot_size(mixing, job.nsets);
    r.leg = workspace;
    r.slots[0] = workspace + shared_size(mixing, job.nsets), r.slots[1] = r.slots[0] + slots;
    double *next = workspace;
    r.segments = (armilla_mixing_segment *)next;
    next += doubles_of(mixing->most_segments, sizeof(armilla_mixing_segment));
    r.groups = (armilla_mixing_group *)next;
    r.samples = next + doubles_of(mixing->most_groups, sizeof(armilla_mixing_group));
    r.zero = (uint8_t *)(r.slots[1] + slots);
    return r;
}

/* --- Mixing ---------------------------------------------------------------------------------- */

/* A piece of the round; its groups and samples lie behind those of the pieces before. */
static void fill_piece(void *context, int64_t index, int thread)
{
    const armilla_mixing_call *r = context;
    const armilla_mixing *mixing = r->mixing;
    const int64_t first = r->round->from, piece = first + index;
    int64_t tile = r->round->first;
    while (piece >= mixing->tiles[tile].piece + mixing->tiles[tile].nsegments) tile++;
    const int64_t number = piece - mixing->tiles[tile].piece;
    armilla_mixing_rows rows = {.segments = r->segments,
                                .groups = r->groups,
                                .samples = r->samples,
                                .nsegments = index,
                                .from = number,
                                .to = number + 1};
    rows.ngroups = mixing->pieces[piece].groups - mixing->pieces[first].groups;
    rows.nsamples = mixing->pieces[piece].samples - mixing->pieces[first].samples;
    if (armilla_progress_advance(r->work->progress, 0, thread)) return;
    armilla_mixing_fill_rows(mixing, tile, &rows);
}

/* Cosines of a block of a table, of spin 2 sines too; NULL: the table does not have it. */
typedef struct {
    const double *cosines, *sines;
} waves;

/* At least `count` samples of the waves of a table that is not folded, of block number `index` of
 * the task or the one opposite to it. The task keeps them for its next segment. */
static waves make_waves(mixing_task *task, int32_t number, int64_t block, int index, int side,
                        int64_t count)
{
    const armilla_mixing *mixing = task->r->mixing;
    const armilla_mixing_table *table = &mixing->tables[number];
    double *cosines =
        task->scratch + tiles_size(mixing) + (index * BLOCKS + side) * mixing->waves_size;
    double *sines = mixing->profile->turns ? cosines + table->count * WIDTH : NULL;
    const int64_t have =
        task->made[index][side].table == number ? task->made[index][side].count : 0;
    if (have < count)
        armilla_mixing_table_fill_block(mixing->kernels, table, block, have, count, cosines, sines);
    task->made[index][side].table = number;
    task->made[index][side].count = armilla_larger(have, count);
    return (waves){cosines, sines};
}

static waves find_waves(mixing_task *task, int32_t number, int64_t block, int index, int side,
                        int64_t count)
{
    const armilla_mixing *mixing = task->r->mixing;
    const armilla_mixing_table *table = number < 0 ? NULL : &mixing->tables[number];
    if (!table || block >= (table->folded ? 2 : 1) * table->nblocks) return (waves){NULL, NULL};
    if (table->circle) return make_waves(task, number, block, index, side, count);
    const int64_t place = block * table->count * WIDTH;
    return (waves){table->cosine + place, mixing->profile->turns ? table->odd + place : NULL};
}

/* K_m of rows; without waves 0. Given: high, NULL: the block of the waves alone. */
static void sum_rows(const armilla_mixing_call *r, const armilla_mixing_group *group, waves from,
                     double *const *low, double *const *high)
{
    const armilla_mixing_kernels *kernels = r->mixing->kernels;
    const double *samples = r->samples + group->first;
    armilla_mixing_group rows = *group;
    if (!from.cosines) rows.count = 0;
    if (!r->mixing->profile->turns) {
        kernels->cosine_sums(&rows, samples, from.cosines, low[0], high ? high[0] : NULL);
        return;
    }
    const armilla_mixing_turned turned = {.even = samples,
                                          .odd = samples + rows.count * ARMILLA_MIXING_ROWS,
                                          .cosines = from.cosines,
                                          .sines = from.sines,
                                          .low = {low[0], low[1]},
                                          .high = {high ? high[0] : NULL, high ? high[1] : NULL}};
    kernels->turned_sums(&rows, &turned);
}

/* K_m of a segment, blocks low and high. Rows without sums of their own for a block are 0. */
static void sum_segment(mixing_task *task, const armilla_mixing_segment *segment, int index,
                        const int64_t block[BLOCKS], tiles k)
{
    const armilla_mixing_call *r = task->r;
    const armilla_mixing_group *group = r->groups + segment->first_group;
    const armilla_mixing_group *end = group + segment->ngroups;
    waves from[BLOCKS];
    int32_t before = INT32_MIN;
    int folded = 0;
    for (; group < end; before = group->table, group++) {
        if (group->table != before) {
            folded = group->table >= 0 && r->mixing->tables[group->table].folded;
            for (int side = 0; side < (folded ? 1 : BLOCKS); side++)
                from[side] = find_waves(task, group->table, block[side], index, side, group->count);
        }
        if (folded)
            sum_rows(r, group, from[LOW], k[LOW], k[HIGH]);
        else
            for (int side = 0; side < BLOCKS; side++) sum_rows(r, group, from[side], k[side], NULL);
    }
}

/* What the tile's pairs get from the segment's, and the other way round unless they are the same.
 * Spin 2: the second set of a pair takes W_(-m), as does what goes back to where it is crossed;
 * crossed sets exchange. */
static void multiply_segment(const armilla_mixing_call *r, int64_t tile,
                             const armilla_mixing_segment *segment, int64_t block,
                             double *const k[2])
{
    const armilla_mixing *mixing = r->mixing;
    const int64_t from = segment->from, count = armilla_mixing_tile_end(mixing, tile) - from;
    const int64_t other = segment->first / TILE;
    const int64_t corner = (from % TILE * TILE + segment->first % TILE) * WIDTH;
    const int turns = mixing->profile->turns, exchanged = turns && segment->crossed;
    const armilla_mixing_product to_tile = {count, segment->count, TILE * WIDTH, WIDTH,
                                            segment->crossed};
    const armilla_mixing_product to_segment = {segment->count, count, WIDTH, TILE * WIDTH,
                                               segment->crossed};
    for (int64_t set = 0; set < r->job.nsets; set++) {
        const int64_t source = set ^ exchanged;
        const int odd = turns && set % 2;
        if (mixing->tiles[tile].wanted)
            mixing->kernels->multiply(
                &to_tile, k[odd] + corner,
                armilla_mixing_orders(r, ARMILLA_MIXING_INPUT, source, block, segment->first),
                armilla_mixing_orders(r, ARMILLA_MIXING_OUTPUT, set, block, from));
        if (other == tile || !mixing->tiles[other].wanted) continue;
        mixing->kernels->multiply(
            &to_segment, k[odd ^ exchanged] + corner,
            armilla_mixing_orders(r, ARMILLA_MIXING_INPUT, source, block, from),
            armilla_mixing_orders(r, ARMILLA_MIXING_OUTPUT, set, block, segment->first));
    }
}

/* Block number `index` of the task and the one opposite to it. */
static void mix_segment(mixing_task *task, int64_t tile, const armilla_mixing_segment *segment,
                        int64_t low, int index)
{
    const armilla_mixing_call *r = task->r;
    const int64_t last = armilla_mixing_end_of_pass(r, r->mixing->tiles[tile].nblocks) - 1;
    const int64_t block[BLOCKS] = {low, last - (low - r->first_block)};
    double *scratch = task->scratch;
    tiles k = {{scratch, scratch + 2 * TILE_SIZE}, {scratch + TILE_SIZE, scratch + 3 * TILE_SIZE}};
    sum_segment(task, segment, index, block, k);
    for (int b = 0; b < BLOCKS; b++) multiply_segment(r, tile, segment, block[b], k[b]);
}

/* Blocks of the lower half of what a pass has of a round. */
static int64_t half_of_pass(const armilla_mixing_call *r)
{
    const int64_t first = r->first_block;
    return (armilla_mixing_end_of_pass(r, r->mixing->tiles[r->round->first].nblocks) - first) / 2;
}

/* Some blocks of the lower half, all tiles of the round. Samples of a segment serve all blocks
 * while they are in the cache. */
static void mix_blocks(void *context, int64_t index, int thread)
{
    const armilla_mixing_call *r = context;
    const int64_t first = index * r->share, half = half_of_pass(r);
    const int64_t end = armilla_smaller(first + r->share, half);
    const armilla_mixing_round *round = r->round;
    const armilla_mixing_segment *segment = r->segments;
    mixing_task task = {.r = r, .scratch = armilla_work_scratch(r->work, thread)}; /* count 0 */
    for (int64_t tile = round->first; tile < round->first + round->count; tile++) {
        const int64_t all = r->mixing->tiles[tile].nsegments, some = round->to - round->from;
        const int64_t done = round->last ? (end - first) * TILE : 0;
        if (armilla_progress_advance(r->work->progress, done, thread)) return;
        for (int64_t s = 0; s < armilla_smaller(all, some); s++, segment++)
            for (int64_t b = first; b < end; b++)
                mix_segment(&task, tile, segment, r->first_block + b, (int)(b - first));
    }
}

double armilla_mixing_units(const armilla_mixing *mixing)
{
    double units = 0;
    for (int64_t tile = 0; tile < mixing->ntiles; tile++)
        units += TILE * (double)mixing->tiles[tile].nblocks / 2;
    return units;
}

/* Blocks of a task: as many as share samples well, but four tasks or more for each thread. Sums do
 * not depend on it. */
static int64_t choose_share(const armilla_mixing *mixing, int64_t blocks, int nthreads)
{
    const int64_t share = blocks / (4 * (int64_t)nthreads);
    return armilla_larger(1, armilla_smaller(share, mixing->most_share));
}

static void run_round(armilla_mixing_call *r, const armilla_mixing_round *round)
{
    const int threads = r->work->nthreads;
    r->round = round;
    const int64_t blocks = half_of_pass(r);
    if (blocks <= 0) return;
    r->share = choose_share(r->mixing, blocks, threads);
    armilla_team_run(threads, round->to - round->from, fill_piece, r);
    armilla_team_run(threads, (blocks + r->share - 1) / r->share, mix_blocks, r);
}

/* Returned: is the call cancelled? */
static int run_pass(armilla_mixing_call *r, const armilla_maps *maps)
{
    const armilla_mixing *mixing = r->mixing;
    int64_t ready = 0, round = 0;
    for (int64_t slab = 0; slab < mixing->nslabs; slab++) {
        for (; ready <= mixing->slab_last[slab]; ready++) armilla_mixing_read_slab(r, maps, ready);
        for (; round < mixing->nrounds && mixing->rounds[round].first * TILE / mixing->slab == slab;
             round++) {
            if (armilla_progress_advance(r->work->progress, 0, 0)) return 1;
            run_round(r, &mixing->rounds[round]);
        }
        armilla_mixing_write_slab(r, maps, slab);
    }
    return 0;
}

void armilla_mixing_run(const armilla_mixing *mixing, armilla_mixing_job job,
                        const armilla_maps *maps, const armilla_work *work, double *workspace)
{
    armilla_mixing_call r = open_run(mixing, job, work, workspace);
    for (r.pass = 0; r.pass < mixing->npasses; r.pass++) {
        r.first_block = r.pass * mixing->span;
        if (run_pass(&r, maps)) return;
    }
}

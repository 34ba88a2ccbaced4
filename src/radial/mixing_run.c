/* See mixing.h, mixing_plan.h and mixing_slots.h. */
#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "radial/mixing_slots.h"

enum {
    TILE = ARMILLA_MIXING_TILE,
    WIDTH = ARMILLA_MIXING_WIDTH,
    MOST_BLOCKS = 8,                      /* of a task */
    TILE_SIZE = (TILE * TILE + 1) * WIDTH /* doubles; one row for what fills up groups */
};

/* K_m of a segment: blocks low and high; spin 2 has W_m and W_(-m). */
enum { LOW, HIGH, BLOCKS };
typedef double *tiles[BLOCKS][2];

/* --- Memory ---------------------------------------------------------------------------------- */

/* Doubles that hold so many structs, whole cache lines. */
static int64_t doubles_of(int64_t count, size_t size)
{
    return armilla_round_line((count * (int64_t)size + 7) / 8);
}

int64_t armilla_mixing_scratch_size(const armilla_mixing *mixing)
{
    const int64_t ringfft = armilla_ringfft_scratch_size(mixing->ringfft);
    const int64_t own = (mixing->profile->turns ? 2 : 1) * BLOCKS * TILE_SIZE;
    return armilla_round_line(ringfft < own ? own : ringfft);
}

int64_t armilla_mixing_workspace_size(const armilla_mixing *mixing, int64_t nsets)
{
    return armilla_round_line(nsets * mixing->leg_size) +
           2 * mixing->nslots * armilla_mixing_slot_size(mixing, nsets) +
           doubles_of(mixing->most_segments, sizeof(armilla_mixing_segment)) +
           doubles_of(mixing->most_groups, sizeof(armilla_mixing_group)) +
           armilla_round_line(mixing->most_samples) + doubles_of(nsets * mixing->frame.nrings, 1);
}

static armilla_mixing_call open_run(const armilla_mixing *mixing, const armilla_mixing_maps *maps,
                                    const armilla_work *work, double *workspace)
{
    armilla_mixing_call r = {.mixing = mixing, .maps = maps, .work = work, .leg = workspace};
    const int64_t slots = mixing->nslots * armilla_mixing_slot_size(mixing, maps->nsets);
    r.slots[0] = workspace + armilla_round_line(maps->nsets * mixing->leg_size);
    r.slots[1] = r.slots[0] + slots;
    double *next = r.slots[1] + slots;
    r.segments = (armilla_mixing_segment *)next;
    next += doubles_of(mixing->most_segments, sizeof(armilla_mixing_segment));
    r.groups = (armilla_mixing_group *)next;
    r.samples = next + doubles_of(mixing->most_groups, sizeof(armilla_mixing_group));
    r.zero = (uint8_t *)(r.samples + armilla_round_line(mixing->most_samples));
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

/* K_m of rows, from sums of a block of their table. Given: high, NULL: that block alone. */
static void sum_rows(const armilla_mixing_call *r, const armilla_mixing_group *rows, int64_t block,
                     double *const *low, double *const *high)
{
    const armilla_mixing_kernels *kernels = r->mixing->kernels;
    const armilla_mixing_table *table = rows->count ? &r->mixing->tables[rows->table] : NULL;
    const int64_t place = table ? block * table->count * WIDTH : 0;
    const double *samples = r->samples + rows->first,
                 *cosines = table ? table->cosine + place : NULL;
    if (!r->mixing->profile->turns) {
        kernels->cosine_sums(rows, samples, cosines, low[0], high ? high[0] : NULL);
        return;
    }
    const armilla_mixing_turned turned = {.even = samples,
                                          .odd = samples + rows->count * ARMILLA_MIXING_ROWS,
                                          .cosines = cosines,
                                          .sines = table ? table->odd + place : NULL,
                                          .low = {low[0], low[1]},
                                          .high = {high ? high[0] : NULL, high ? high[1] : NULL}};
    kernels->turned_sums(rows, &turned);
}

/* K_m of a segment, blocks low and high. Rows without sums of their own for a block are 0. */
static void sum_segment(const armilla_mixing_call *r, const armilla_mixing_segment *segment,
                        const int64_t block[BLOCKS], tiles k)
{
    for (int64_t g = segment->first_group; g < segment->first_group + segment->ngroups; g++) {
        armilla_mixing_group rows = r->groups[g];
        const armilla_mixing_table *table = rows.table < 0 ? NULL : &r->mixing->tables[rows.table];
        if (table && table->folded) {
            sum_rows(r, &rows, block[LOW], k[LOW], k[HIGH]);
            continue;
        }
        for (int i = 0; i < BLOCKS; i++) {
            rows.count = table && block[i] < table->nblocks ? r->groups[g].count : 0;
            sum_rows(r, &rows, block[i], k[i], NULL);
        }
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
    const int64_t first = tile * TILE, rest = mixing->frame.pairs.count - first;
    const int64_t count = rest < TILE ? rest : TILE;
    const int turns = mixing->profile->turns, exchanged = turns && segment->crossed;
    const armilla_mixing_product to_tile = {count, segment->count, TILE * WIDTH, WIDTH,
                                            segment->crossed};
    const armilla_mixing_product to_segment = {segment->count, count, WIDTH, TILE * WIDTH,
                                               segment->crossed};
    for (int64_t set = 0; set < r->maps->nsets; set++) {
        const int64_t from = set ^ exchanged;
        const int odd = turns && set % 2;
        if (mixing->tiles[tile].wanted)
            mixing->kernels->multiply(
                &to_tile, k[odd],
                armilla_mixing_orders(r, ARMILLA_MIXING_INPUT, from, block, segment->first),
                armilla_mixing_orders(r, ARMILLA_MIXING_OUTPUT, set, block, first));
        if (segment->first == first || !mixing->tiles[segment->first / TILE].wanted) continue;
        mixing->kernels->multiply(
            &to_segment, k[odd ^ exchanged],
            armilla_mixing_orders(r, ARMILLA_MIXING_INPUT, from, block, first),
            armilla_mixing_orders(r, ARMILLA_MIXING_OUTPUT, set, block, segment->first));
    }
}

/* One block and the one opposite to it. */
static void mix_segment(const armilla_mixing_call *r, int64_t tile,
                        const armilla_mixing_segment *segment, int64_t low, double *scratch)
{
    const int64_t last = armilla_mixing_end_of_pass(r, r->mixing->tiles[tile].nblocks) - 1;
    const int64_t block[BLOCKS] = {low, last - (low - r->first_block)};
    tiles k = {{scratch, scratch + 2 * TILE_SIZE}, {scratch + TILE_SIZE, scratch + 3 * TILE_SIZE}};
    sum_segment(r, segment, block, k);
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
    for (int64_t tile = round->first; tile < round->first + round->count; tile++) {
        const int64_t all = r->mixing->tiles[tile].nsegments, some = round->to - round->from;
        const int64_t done = round->last ? (end - first) * TILE : 0;
        if (armilla_progress_advance(r->work->progress, done, thread)) return;
        for (int64_t s = 0; s < armilla_smaller(all, some); s++, segment++)
            for (int64_t b = first; b < end; b++)
                mix_segment(r, tile, segment, r->first_block + b,
                            armilla_work_scratch(r->work, thread));
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
static int64_t choose_share(int64_t blocks, int nthreads)
{
    const int64_t share = blocks / (4 * (int64_t)nthreads);
    return share < 1 ? 1 : share < MOST_BLOCKS ? share : MOST_BLOCKS;
}

static void run_round(armilla_mixing_call *r, const armilla_mixing_round *round)
{
    const int threads = r->work->nthreads;
    r->round = round;
    const int64_t blocks = half_of_pass(r);
    if (blocks <= 0) return;
    r->share = choose_share(blocks, threads);
    armilla_team_run(threads, round->to - round->from, fill_piece, r);
    armilla_team_run(threads, (blocks + r->share - 1) / r->share, mix_blocks, r);
}

/* Returned: is the call cancelled? */
static int run_pass(armilla_mixing_call *r)
{
    const armilla_mixing *mixing = r->mixing;
    int64_t ready = 0, round = 0;
    for (int64_t slab = 0; slab < mixing->nslabs; slab++) {
        for (; ready <= mixing->slab_last[slab]; ready++) armilla_mixing_read_slab(r, ready);
        for (; round < mixing->nrounds && mixing->rounds[round].first * TILE / mixing->slab == slab;
             round++) {
            if (armilla_progress_advance(r->work->progress, 0, 0)) return 1;
            run_round(r, &mixing->rounds[round]);
        }
        armilla_mixing_write_slab(r, slab);
    }
    return 0;
}

void armilla_mixing_run(const armilla_mixing *mixing, const armilla_mixing_maps *maps,
                        const armilla_work *work, double *workspace)
{
    armilla_mixing_call r = open_run(mixing, maps, work, workspace);
    for (r.pass = 0; r.pass < mixing->npasses; r.pass++) {
        r.first_block = r.pass * mixing->span;
        if (run_pass(&r)) return;
    }
}

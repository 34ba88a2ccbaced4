/* See mixing.h and mixing_plan.h. Workspace:
 *
 *     leg of a slab | slots of input | slots of output | segments | groups | samples
 *
 * A slot holds the orders of a slab by blocks: [set][block][pair][4][WIDTH], so that a task that
 * mixes blocks b and nblocks - 1 - b, whose K_m come from the same sums of cosines, reads and
 * writes what no other task of the round does. */
#include "base/memory.h"
#include "base/team.h"
#include "radial/mixing_plan.h"
#include "radial/mixing_tiles.h"
#include "ringfft/stage.h"

#include <string.h>

enum {
    TILE = ARMILLA_MIXING_TILE,
    WIDTH = ARMILLA_MIXING_WIDTH,
    PAIR = ARMILLA_MIXING_PAIR,
    MOST_BLOCKS = 8,                      /* of a task */
    TILE_SIZE = (TILE * TILE + 1) * WIDTH /* doubles; one row for what fills up groups */
};

/* K_m of a segment: blocks low and high; spin 2 has W_m and W_(-m). */
enum { LOW, HIGH, BLOCKS };
typedef double *tiles[BLOCKS][2];

typedef struct {
    const armilla_mixing *mixing;
    const armilla_mixing_maps *maps;
    const armilla_work *work;
    double *leg;
    double *slots[2]; /* of input and output */
    armilla_mixing_segment *segments;
    armilla_mixing_group *groups;
    double *samples;
    int64_t slab;                      /* that is read or written */
    const armilla_mixing_round *round; /* that is run */
    int64_t share;                     /* blocks of a task */
} run;

/* --- Memory ---------------------------------------------------------------------------------- */

static int64_t slot_size(const armilla_mixing *mixing, int64_t nsets)
{
    return nsets * mixing->nblocks * mixing->slab * PAIR;
}

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
           2 * mixing->nslots * slot_size(mixing, nsets) +
           doubles_of(mixing->most_segments, sizeof(armilla_mixing_segment)) +
           doubles_of(mixing->most_groups, sizeof(armilla_mixing_group)) + mixing->most_samples;
}

static run open_run(const armilla_mixing *mixing, const armilla_mixing_maps *maps,
                    const armilla_work *work, double *workspace)
{
    run r = {.mixing = mixing, .maps = maps, .work = work, .leg = workspace};
    const int64_t slots = mixing->nslots * slot_size(mixing, maps->nsets);
    r.slots[0] = workspace + armilla_round_line(maps->nsets * mixing->leg_size);
    r.slots[1] = r.slots[0] + slots;
    double *next = r.slots[1] + slots;
    r.segments = (armilla_mixing_segment *)next;
    next += doubles_of(mixing->most_segments, sizeof(armilla_mixing_segment));
    r.groups = (armilla_mixing_group *)next;
    r.samples = next + doubles_of(mixing->most_groups, sizeof(armilla_mixing_group));
    return r;
}

/* Where a pair's orders of a block are. */
static double *find_orders(const run *r, int side, int64_t set, int64_t block, int64_t pair)
{
    const armilla_mixing *mixing = r->mixing;
    const int64_t slab = pair / mixing->slab, slot = slab % mixing->nslots;
    return r->slots[side] + slot * slot_size(mixing, r->maps->nsets) +
           ((set * mixing->nblocks + block) * mixing->slab + pair % mixing->slab) * PAIR;
}

/* --- Reading and writing a slab -------------------------------------------------------------- */

static armilla_leg leg_of(const run *r, int side)
{
    return (armilla_leg){&r->mixing->side[side].layouts[r->slab], r->maps->nsets, r->leg};
}

/* Between the orders of a pair's block and its column of leg; those beyond its limit are 0. */
static void copy_pair(const run *r, const armilla_leg *leg, int output, int64_t set, int64_t block,
                      int64_t pair)
{
    const armilla_mixing_side *side = &r->mixing->side[output];
    const int64_t place = side->place[pair], first = block * WIDTH;
    const int64_t limit = place < 0 ? -1 : side->pairs.limit[place];
    const int64_t count = limit - first + 1 < WIDTH ? limit - first + 1 : WIDTH;
    double *orders = find_orders(r, output, set, block, pair);
    if (count < WIDTH && !output) memset(orders, 0, PAIR * sizeof *orders);
    if (count <= 0) return;
    const armilla_leg_block *rows = leg->layout->blocks;
    double *column = armilla_leg_row(leg, rows, set, first) + 4 * (place - rows->first);
    for (int64_t m = 0; m < count; m++)
        for (int c = 0; c < 4; c++) {
            if (output)
                column[m * rows->row_length + c] = orders[c * WIDTH + m];
            else
                orders[c * WIDTH + m] = column[m * rows->row_length + c];
        }
}

static int64_t end_of_slab(const run *r)
{
    const int64_t end = (r->slab + 1) * r->mixing->slab, count = r->mixing->frame.pairs.count;
    return end < count ? end : count;
}

/* A block of orders of the slab that has been transformed; its sums begin at 0. */
static void take_block(void *context, int64_t block, int thread)
{
    const run *r = context;
    const armilla_leg leg = leg_of(r, ARMILLA_MIXING_INPUT);
    (void)thread;
    for (int64_t set = 0; set < r->maps->nsets; set++)
        for (int64_t pair = r->slab * r->mixing->slab; pair < end_of_slab(r); pair++) {
            copy_pair(r, &leg, ARMILLA_MIXING_INPUT, set, block, pair);
            memset(find_orders(r, ARMILLA_MIXING_OUTPUT, set, block, pair), 0,
                   PAIR * sizeof(double));
        }
}

static void give_block(void *context, int64_t block, int thread)
{
    const run *r = context;
    const armilla_leg leg = leg_of(r, ARMILLA_MIXING_OUTPUT);
    (void)thread;
    for (int64_t set = 0; set < r->maps->nsets; set++)
        for (int64_t pair = r->slab * r->mixing->slab; pair < end_of_slab(r); pair++)
            copy_pair(r, &leg, ARMILLA_MIXING_OUTPUT, set, block, pair);
}

/* --- Zeros ----------------------------------------------------------------------------------- */

/* A ring and its mirror image are transformed as one complex ring, so that rounding of the one
 * (1e-17 of its values) comes out on the other. What a ring that is 0 gives, and what a ring gets
 * that sees nothing else, must be exactly 0: then point sources leave nothing beyond the support.
 * Both tests end at the first value that is not 0, that is, at once in most maps. */

static int is_ring_zero(armilla_array map, const armilla_ring *ring)
{
    for (int64_t j = 0; j < ring->nphi; j++)
        if (armilla_array_get(map, ring->offset + j * ring->stride) != 0) return 0;
    return 1;
}

/* Orders of the northern or southern ring of a pair of the slab. */
static int are_orders_zero(const run *r, int64_t set, int64_t pair, int south)
{
    for (int64_t block = 0; block < r->mixing->slab_blocks[r->slab]; block++) {
        const double *orders =
            find_orders(r, ARMILLA_MIXING_OUTPUT, set, block, pair) + 2 * south * WIDTH;
        for (int i = 0; i < 2 * WIDTH; i++)
            if (orders[i] != 0) return 0;
    }
    return 1;
}

static void clear_orders(const run *r, int64_t set, int64_t pair, int south)
{
    for (int64_t block = 0; block < r->mixing->slab_blocks[r->slab]; block++)
        memset(find_orders(r, ARMILLA_MIXING_INPUT, set, block, pair) + 2 * south * WIDTH, 0,
               2 * WIDTH * sizeof(double));
}

/* The ring of a pair that is read or written; NULL: it is not. */
static const armilla_ring *find_ring(const run *r, int side, int64_t pair, int south)
{
    const armilla_mixing_side *of = &r->mixing->side[side];
    if (of->place[pair] < 0) return NULL;
    const int64_t ring = (south ? of->pairs.south : of->pairs.north)[of->place[pair]];
    return ring < 0 ? NULL : &r->mixing->frame.rings[ring];
}

static void keep_zeros_read(void *context, int64_t index, int thread)
{
    const run *r = context;
    const int64_t pair = r->slab * r->mixing->slab + index;
    (void)thread;
    for (int64_t set = 0; set < r->maps->nsets; set++)
        for (int south = 0; south < 2; south++) {
            const armilla_ring *ring = find_ring(r, ARMILLA_MIXING_INPUT, pair, south);
            const armilla_array map = armilla_array_from(r->maps->in, set * r->maps->in_distance);
            if (ring && is_ring_zero(map, ring)) clear_orders(r, set, pair, south);
        }
}

static void keep_zeros_written(void *context, int64_t index, int thread)
{
    const run *r = context;
    const int64_t pair = r->slab * r->mixing->slab + index;
    (void)thread;
    for (int64_t set = 0; set < r->maps->nsets; set++)
        for (int south = 0; south < 2; south++) {
            const armilla_ring *ring = find_ring(r, ARMILLA_MIXING_OUTPUT, pair, south);
            const armilla_array map = armilla_array_from(r->maps->out, set * r->maps->out_distance);
            if (!ring || !are_orders_zero(r, set, pair, south)) continue;
            for (int64_t j = 0; j < ring->nphi; j++)
                armilla_array_put(map, ring->offset + j * ring->stride, 0);
        }
}

/* --- Spin 2 ---------------------------------------------------------------------------------- */

/* (8.21): sets of a pair, Q and U, are mixed as Q + i U of the north with Q - i U of the south, and
 * the other way round. Of a northern ring q, u -> q + i u, q - i u; of a southern one exchanged. */
static void turn_orders(double *q, double *u)
{
    for (int south = 0; south < 2; south++, q += 2 * WIDTH, u += 2 * WIDTH)
        for (int i = 0; i < WIDTH; i++) {
            const double sign = south ? -1 : 1;
            const double re = q[i], im = q[WIDTH + i];
            const double u_re = sign * u[i], u_im = sign * u[WIDTH + i];
            q[i] = re - u_im, q[WIDTH + i] = im + u_re;
            u[i] = re + u_im, u[WIDTH + i] = im - u_re;
        }
}

static void turn_back(double *a, double *b)
{
    for (int south = 0; south < 2; south++, a += 2 * WIDTH, b += 2 * WIDTH)
        for (int i = 0; i < WIDTH; i++) {
            const double sign = south ? -0.5 : 0.5;
            const double re = a[i], im = a[WIDTH + i], b_re = b[i], b_im = b[WIDTH + i];
            a[i] = (re + b_re) / 2, a[WIDTH + i] = (im + b_im) / 2;
            b[i] = sign * (im - b_im), b[WIDTH + i] = sign * (b_re - re);
        }
}

static void turn_read(void *context, int64_t index, int thread)
{
    const run *r = context;
    const int64_t pair = r->slab * r->mixing->slab + index;
    (void)thread;
    for (int64_t set = 0; set < r->maps->nsets; set += 2)
        for (int64_t block = 0; block < r->mixing->slab_blocks[r->slab]; block++)
            turn_orders(find_orders(r, ARMILLA_MIXING_INPUT, set, block, pair),
                        find_orders(r, ARMILLA_MIXING_INPUT, set + 1, block, pair));
}

static void turn_written(void *context, int64_t index, int thread)
{
    const run *r = context;
    const int64_t pair = r->slab * r->mixing->slab + index;
    (void)thread;
    for (int64_t set = 0; set < r->maps->nsets; set += 2)
        for (int64_t block = 0; block < r->mixing->slab_blocks[r->slab]; block++)
            turn_back(find_orders(r, ARMILLA_MIXING_OUTPUT, set, block, pair),
                      find_orders(r, ARMILLA_MIXING_OUTPUT, set + 1, block, pair));
}

/* --- Slabs ----------------------------------------------------------------------------------- */

static int64_t pairs_of_slab(const run *r)
{
    return end_of_slab(r) - r->slab * r->mixing->slab;
}

static void read_slab(run *r, int64_t slab)
{
    const armilla_mixing_maps *maps = r->maps;
    r->slab = slab;
    const armilla_leg leg = leg_of(r, ARMILLA_MIXING_INPUT);
    armilla_ringfft_from_maps(
        r->mixing->ringfft, &leg,
        &(armilla_ring_maps){maps->in, maps->in_distance, !maps->weights_at_output}, r->work);
    armilla_team_run(r->work->nthreads, r->mixing->slab_blocks[slab], take_block, r);
    armilla_team_run(r->work->nthreads, pairs_of_slab(r), keep_zeros_read, r);
    if (r->mixing->profile->turns)
        armilla_team_run(r->work->nthreads, pairs_of_slab(r), turn_read, r);
}

static void write_slab(run *r, int64_t slab)
{
    const armilla_mixing_maps *maps = r->maps;
    r->slab = slab;
    const armilla_leg leg = leg_of(r, ARMILLA_MIXING_OUTPUT);
    if (leg.layout->nblocks == 0) return;
    const int64_t blocks = (leg.layout->blocks->nrows + WIDTH - 1) / WIDTH;
    if (r->mixing->profile->turns)
        armilla_team_run(r->work->nthreads, pairs_of_slab(r), turn_written, r);
    armilla_team_run(r->work->nthreads, blocks, give_block, r);
    armilla_ringfft_to_maps(
        r->mixing->ringfft, &leg,
        &(armilla_ring_maps){maps->out, maps->out_distance, maps->weights_at_output}, r->work);
    armilla_team_run(r->work->nthreads, pairs_of_slab(r), keep_zeros_written, r);
}

/* --- Mixing ---------------------------------------------------------------------------------- */

/* Segments, groups and samples of a tile of the round lie behind those of the tiles before. */
static armilla_mixing_rows rows_of_tile(const run *r, int64_t tile)
{
    armilla_mixing_rows rows = {r->segments, r->groups, r->samples, 0, 0, 0};
    for (int64_t i = r->round->first; i < tile; i++) {
        rows.nsegments += r->mixing->tiles[i].nsegments;
        rows.ngroups += r->mixing->tiles[i].ngroups;
        rows.nsamples += r->mixing->tiles[i].nsamples;
    }
    return rows;
}

static void fill_tile(void *context, int64_t index, int thread)
{
    const run *r = context;
    armilla_mixing_rows rows = rows_of_tile(r, r->round->first + index);
    if (armilla_progress_advance(r->work->progress, 0, thread)) return;
    armilla_mixing_fill_rows(r->mixing, r->round->first + index, &rows);
}

/* K_m of rows, from sums of a block of their table. Given: high, NULL: that block alone. */
static void sum_rows(const run *r, const armilla_mixing_group *rows, int64_t block,
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
static void sum_segment(const run *r, const armilla_mixing_segment *segment,
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
static void multiply_segment(const run *r, int64_t tile, const armilla_mixing_segment *segment,
                             int64_t block, double *const k[2])
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
                &to_tile, k[odd], find_orders(r, ARMILLA_MIXING_INPUT, from, block, segment->first),
                find_orders(r, ARMILLA_MIXING_OUTPUT, set, block, first));
        if (segment->first == first || !mixing->tiles[segment->first / TILE].wanted) continue;
        mixing->kernels->multiply(
            &to_segment, k[odd ^ exchanged],
            find_orders(r, ARMILLA_MIXING_INPUT, from, block, first),
            find_orders(r, ARMILLA_MIXING_OUTPUT, set, block, segment->first));
    }
}

/* One block and the one opposite to it. */
static void mix_segment(const run *r, int64_t tile, const armilla_mixing_segment *segment,
                        int64_t low, double *scratch)
{
    const int64_t block[BLOCKS] = {low, r->mixing->tiles[tile].nblocks - 1 - low};
    tiles k = {{scratch, scratch + 2 * TILE_SIZE}, {scratch + TILE_SIZE, scratch + 3 * TILE_SIZE}};
    sum_segment(r, segment, block, k);
    for (int b = 0; b < BLOCKS; b++) multiply_segment(r, tile, segment, block[b], k[b]);
}

/* Some blocks of the lower half, all tiles of the round. Samples of a segment serve all blocks
 * while they are in the cache. */
static void mix_blocks(void *context, int64_t index, int thread)
{
    const run *r = context;
    const armilla_mixing *mixing = r->mixing;
    const int64_t first = index * r->share, half = mixing->tiles[r->round->first].nblocks / 2;
    const int64_t end = first + r->share < half ? first + r->share : half;
    const armilla_mixing_segment *segment = r->segments;
    for (int64_t i = 0; i < r->round->count; i++) {
        const int64_t tile = r->round->first + i;
        if (armilla_progress_advance(r->work->progress, (end - first) * TILE, thread)) return;
        for (int64_t s = 0; s < mixing->tiles[tile].nsegments; s++, segment++)
            for (int64_t b = first; b < end; b++)
                mix_segment(r, tile, segment, b, armilla_work_scratch(r->work, thread));
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

static void run_round(run *r, const armilla_mixing_round *round)
{
    const int threads = r->work->nthreads;
    const int64_t blocks = r->mixing->tiles[round->first].nblocks / 2;
    r->round = round;
    r->share = choose_share(blocks, threads);
    armilla_team_run(threads, round->count, fill_tile, r);
    armilla_team_run(threads, (blocks + r->share - 1) / r->share, mix_blocks, r);
}

void armilla_mixing_run(const armilla_mixing *mixing, const armilla_mixing_maps *maps,
                        const armilla_work *work, double *workspace)
{
    run r = open_run(mixing, maps, work, workspace);
    int64_t ready = 0, round = 0;
    for (int64_t slab = 0; slab < mixing->nslabs; slab++) {
        for (; ready <= mixing->slab_last[slab]; ready++) read_slab(&r, ready);
        for (; round < mixing->nrounds && mixing->rounds[round].first * TILE / mixing->slab == slab;
             round++) {
            if (armilla_progress_advance(work->progress, 0, 0)) return;
            run_round(&r, &mixing->rounds[round]);
        }
        write_slab(&r, slab);
    }
}

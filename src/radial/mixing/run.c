/* Convolves maps with a radial kernel by the mixing of rings: slab by slab it reads rings,
 * multiplies their orders by K_m segment by segment (plan.h), and writes the rings that are done.
 * The layout of the workspace is in slabs.h. */
#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "radial/mixing/slabs.h"

enum {
    TILE = ARMILLA_MIXING_TILE,
    WIDTH = ARMILLA_MIXING_WIDTH,
    MOST_SPANS = ARMILLA_MIXING_TASK,
    SIZE = (TILE * TILE + 1) * WIDTH /* doubles of K_m; one (p, q) more for what fills up fours */
};

/* K_m of a segment: spans low and high; spin 2 has W_m and W_(-m). */
enum { LOW, HIGH, HALVES };
typedef double *factors[HALVES][2];

/* A task: some spans of the lower half and those opposite to them. Its scratch:
 *
 *     K_m of a segment | waves of each span and the one opposite to it, of a table not folded
 */
typedef struct {
    const armilla_mixing_call *r;
    double *scratch;
    struct {
        int32_t table;
        int64_t count; /* samples that are there, 0 at first */
    } made[MOST_SPANS][HALVES];
} mixing_task;

/* --- Memory ---------------------------------------------------------------------------------- */

/* Doubles that hold so many structs, whole cache lines. */
static int64_t doubles_of(int64_t count, size_t size)
{
    return armilla_round_line((count * (int64_t)size + 7) / 8);
}

static int64_t factors_size(const armilla_mixing *mixing)
{
    return (mixing->profile->turns ? 2 : 1) * HALVES * SIZE;
}

int64_t armilla_mixing_scratch_size(const armilla_mixing *mixing)
{
    const int64_t ringfft = armilla_ringfft_scratch_size(mixing->ringfft);
    const int64_t own = factors_size(mixing) + mixing->most_in_task * HALVES * mixing->waves_size;
    return armilla_round_line(ringfft < own ? own : ringfft);
}

/* A round has segments, fours and samples. */
static int64_t round_size(const armilla_mixing *mixing)
{
    return doubles_of(mixing->most_segments, sizeof(armilla_mixing_segment)) +
           doubles_of(mixing->most_fours, sizeof(armilla_mixing_four)) +
           armilla_round_line(mixing->most_samples);
}

/* What only a round needs, or only reading and writing a slab: one place for both. */
static int64_t shared_size(const armilla_mixing *mixing, int64_t nsets)
{
    return armilla_larger(armilla_round_line(nsets * mixing->leg_size), round_size(mixing));
}

int64_t armilla_mixing_part_workspace(const armilla_mixing *mixing, int64_t nsets)
{
    return shared_size(mixing, nsets) + doubles_of(nsets * mixing->frame.nrings, 1);
}

int64_t armilla_mixing_workspace_size(const armilla_mixing *mixing, int64_t nsets)
{
    return 2 * mixing->nkept * armilla_mixing_slab_size(mixing, nsets) +
           armilla_mixing_part_workspace(mixing, nsets);
}

armilla_mixing_call armilla_mixing_open(const armilla_mixing *mixing, armilla_mixing_job job,
                                        const armilla_work *work, double *workspace)
{
    armilla_mixing_call r = {.mixing = mixing, .job = job, .work = work, .leg = workspace};
    double *next = workspace;
    r.segments = (armilla_mixing_segment *)next;
    next += doubles_of(mixing->most_segments, sizeof(armilla_mixing_segment));
    r.fours = (armilla_mixing_four *)next;
    r.samples = next + doubles_of(mixing->most_fours, sizeof(armilla_mixing_four));
    r.zero = (uint8_t *)(workspace + shared_size(mixing, job.nsets));
    return r;
}

/* --- Mixing ---------------------------------------------------------------------------------- */

/* A segment of the round; its fours and samples lie behind those of the segments before. */
static void fill_segment(void *context, int64_t index, int thread)
{
    const armilla_mixing_call *r = context;
    const armilla_mixing *mixing = r->mixing;
    const int64_t first = r->round->from, segment = first + index;
    int64_t tile = r->round->first;
    while (segment >= mixing->tiles[tile].first_segment + mixing->tiles[tile].nsegments) tile++;
    const int64_t number = segment - mixing->tiles[tile].first_segment;
    armilla_mixing_list list = {.segments = r->segments,
                                .fours = r->fours,
                                .samples = r->samples,
                                .nsegments = index,
                                .from = number,
                                .to = number + 1};
    list.nfours = mixing->starts[segment].fours - mixing->starts[first].fours;
    list.nsamples = mixing->starts[segment].samples - mixing->starts[first].samples;
    if (armilla_progress_advance(r->work->progress, 0, thread)) return;
    armilla_mixing_list_segments(mixing, tile, &list);
}

/* Cosines of a span of a table, of spin 2 sines too; NULL: the table does not have it. */
typedef struct {
    const double *cosines, *sines;
} waves;

/* At least `count` samples of the waves of a table that is not folded, of span number `index` of
 * the task or the one opposite to it. The task keeps them for its next segment. */
static waves make_waves(mixing_task *task, int32_t number, int64_t span, int index, int side,
                        int64_t count)
{
    const armilla_mixing *mixing = task->r->mixing;
    const armilla_mixing_table *table = &mixing->tables[number];
    double *cosines =
        task->scratch + factors_size(mixing) + (index * HALVES + side) * mixing->waves_size;
    double *sines = mixing->profile->turns ? cosines + table->count * WIDTH : NULL;
    const int64_t have =
        task->made[index][side].table == number ? task->made[index][side].count : 0;
    if (have < count)
        armilla_mixing_table_fill_span(mixing->kernels, table, span, have, count, cosines, sines);
    task->made[index][side].table = number;
    task->made[index][side].count = armilla_larger(have, count);
    return (waves){cosines, sines};
}

static waves find_waves(mixing_task *task, int32_t number, int64_t span, int index, int side,
                        int64_t count)
{
    const armilla_mixing *mixing = task->r->mixing;
    const armilla_mixing_table *table = number < 0 ? NULL : &mixing->tables[number];
    if (!table || span >= (table->folded ? 2 : 1) * table->nspans) return (waves){NULL, NULL};
    if (table->circle) return make_waves(task, number, span, index, side, count);
    const int64_t place = span * table->count * WIDTH;
    return (waves){table->cosine + place, mixing->profile->turns ? table->odd + place : NULL};
}

/* K_m of a four; without waves 0. Given: high, NULL: the span of the waves alone. */
static void sum_four(const armilla_mixing_call *r, const armilla_mixing_four *four, waves from,
                     double *const *low, double *const *high)
{
    const armilla_mixing_kernels *kernels = r->mixing->kernels;
    const double *samples = r->samples + four->first;
    armilla_mixing_four some = *four;
    if (!from.cosines) some.count = 0;
    if (!r->mixing->profile->turns) {
        kernels->cosine_sums(&some, samples, from.cosines, low[0], high ? high[0] : NULL);
        return;
    }
    const armilla_mixing_turned turned = {.even = samples,
                                          .odd = samples + some.count * ARMILLA_MIXING_FOUR,
                                          .cosines = from.cosines,
                                          .sines = from.sines,
                                          .low = {low[0], low[1]},
                                          .high = {high ? high[0] : NULL, high ? high[1] : NULL}};
    kernels->turned_sums(&some, &turned);
}

/* K_m of a segment, spans low and high, one of which a rank may have no use for. Rings without sums
 * of their own for a span have 0. */
static void sum_segment(mixing_task *task, const armilla_mixing_segment *segment, int index,
                        const int64_t span[HALVES], factors k)
{
    const armilla_mixing_call *r = task->r;
    const armilla_mixing_four *four = r->fours + segment->first_four;
    const armilla_mixing_four *end = four + segment->nfours;
    waves from[HALVES];
    int32_t before = INT32_MIN;
    int folded = 0;
    for (; four < end; before = four->table, four++) {
        if (four->table != before) {
            folded = four->table >= 0 && r->mixing->tables[four->table].folded;
            for (int side = 0; side < (folded ? 1 : HALVES); side++)
                from[side] = find_waves(task, four->table, span[side], index, side, four->count);
        }
        if (folded)
            sum_four(r, four, from[LOW], k[LOW], k[HIGH]);
        else
            for (int side = 0; side < HALVES; side++)
                if (armilla_mixing_holds(r, span[side]))
                    sum_four(r, four, from[side], k[side], NULL);
    }
}

/* What the tile's pairs get from the segment's, and the other way round unless they are the same.
 * Spin 2: the second set of a pair takes W_(-m), as does what goes back to where it is crossed;
 * crossed sets exchange. */
static void multiply_segment(const armilla_mixing_call *r, int64_t tile,
                             const armilla_mixing_segment *segment, int64_t span,
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
                armilla_mixing_orders(r, ARMILLA_MIXING_INPUT, source, span, segment->first),
                armilla_mixing_orders(r, ARMILLA_MIXING_OUTPUT, set, span, from));
        if (other == tile || !mixing->tiles[other].wanted) continue;
        mixing->kernels->multiply(
            &to_segment, k[odd ^ exchanged] + corner,
            armilla_mixing_orders(r, ARMILLA_MIXING_INPUT, source, span, from),
            armilla_mixing_orders(r, ARMILLA_MIXING_OUTPUT, set, span, segment->first));
    }
}

/* Span number `index` of the task and the one opposite to it. */
static void mix_segment(mixing_task *task, int64_t tile, const armilla_mixing_segment *segment,
                        int64_t low, int index)
{
    const armilla_mixing_call *r = task->r;
    const int64_t last = armilla_mixing_end_of_pass(r, r->mixing->tiles[tile].nspans) - 1;
    const int64_t span[HALVES] = {low, last - (low - r->first_span)};
    double *scratch = task->scratch;
    factors k = {{scratch, scratch + 2 * SIZE}, {scratch + SIZE, scratch + 3 * SIZE}};
    sum_segment(task, segment, index, span, k);
    for (int b = 0; b < HALVES; b++)
        if (armilla_mixing_holds(r, span[b])) multiply_segment(r, tile, segment, span[b], k[b]);
}

/* Spans of what a pass has of a round. */
static int64_t count_spans(const armilla_mixing_call *r)
{
    const int64_t nspans = r->mixing->tiles[r->round->first].nspans;
    return armilla_mixing_end_of_pass(r, nspans) - r->first_span;
}

/* Has the rank number b of the lower half of them, or the span opposite to it? */
static int is_needed(const armilla_mixing_call *r, int64_t b)
{
    const int64_t first = r->first_span, last = first + count_spans(r) - 1;
    return armilla_mixing_holds(r, first + b) || armilla_mixing_holds(r, last - b);
}

/* Units of a tile for spans of the lower half, first .. end - 1, and those opposite to them: half
 * a tile for each that is here. */
static int64_t count_done(const armilla_mixing_call *r, int64_t first, int64_t end)
{
    const int64_t last = r->first_span + count_spans(r) - 1;
    int64_t here = 0;
    for (int64_t b = first; b < end; b++)
        here += armilla_mixing_holds(r, r->first_span + b) + armilla_mixing_holds(r, last - b);
    return here * TILE / 2;
}

/* Some spans of the lower half, all tiles of the round. Samples of a segment serve all spans
 * while they are in the cache. */
static void mix_spans(void *context, int64_t index, int thread)
{
    const armilla_mixing_call *r = context;
    const int64_t first = index * r->in_task, half = count_spans(r) / 2;
    const int64_t end = armilla_smaller(first + r->in_task, half);
    const armilla_mixing_round *round = r->round;
    const armilla_mixing_segment *segment = r->segments;
    mixing_task task = {.r = r, .scratch = armilla_work_scratch(r->work, thread)}; /* count 0 */
    for (int64_t tile = round->first; tile < round->first + round->count; tile++) {
        const int64_t all = r->mixing->tiles[tile].nsegments, some = round->to - round->from;
        const int64_t done = round->last ? count_done(r, first, end) : 0;
        if (armilla_progress_advance(r->work->progress, done, thread)) return;
        for (int64_t s = 0; s < armilla_smaller(all, some); s++, segment++)
            for (int64_t b = first; b < end; b++)
                if (is_needed(r, b))
                    mix_segment(&task, tile, segment, r->first_span + b, (int)(b - first));
    }
}

double armilla_mixing_units(const armilla_mixing *mixing)
{
    double units = 0;
    for (int64_t tile = 0; tile < mixing->ntiles; tile++)
        units += TILE * (double)mixing->tiles[tile].nspans / 2;
    return units;
}

/* Spans of a task: as many as share samples well, but four tasks or more for each thread. Sums do
 * not depend on it. */
static int64_t choose_task(const armilla_mixing *mixing, int64_t spans, int nthreads)
{
    const int64_t some = spans / (4 * (int64_t)nthreads);
    return armilla_larger(1, armilla_smaller(some, mixing->most_in_task));
}

static void run_round(armilla_mixing_call *r, const armilla_mixing_round *round)
{
    const int threads = r->work->nthreads;
    r->round = round;
    const int64_t spans = count_spans(r) / 2;
    int64_t needed = 0;
    for (int64_t b = 0; b < spans; b++) needed += is_needed(r, b);
    if (needed == 0) return;
    r->in_task = choose_task(r->mixing, spans, threads);
    armilla_team_run(threads, round->to - round->from, fill_segment, r);
    armilla_team_run(threads, (spans + r->in_task - 1) / r->in_task, mix_spans, r);
}

void armilla_mixing_mix(armilla_mixing_call *r)
{
    for (int64_t round = 0; round < r->mixing->nrounds; round++) {
        if (armilla_progress_advance(r->work->progress, 0, 0)) return;
        run_round(r, &r->mixing->rounds[round]);
    }
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
    armilla_mixing_call r = armilla_mixing_open(mixing, job, work, workspace);
    r.orders[0] = workspace + armilla_mixing_part_workspace(mixing, job.nsets);
    r.orders[1] = r.orders[0] + mixing->nkept * armilla_mixing_slab_size(mixing, job.nsets);
    for (r.pass = 0; r.pass < mixing->npasses; r.pass++) {
        r.first_span = r.pass * mixing->in_pass;
        if (run_pass(&r, maps)) return;
    }
}

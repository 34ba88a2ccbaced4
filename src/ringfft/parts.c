/* Transforms pairs of rings in two passes, each with one part of the orders (leg/orders.h).
 *
 * Synthesis needs nothing but room for the orders of the first part until those of the second are
 * there, and the map itself is such room: in the first pass the rows, four numbers each, wait in
 * the samples of their pair's rings; the second pass joins them with its own. Rings with fewer
 * samples than the rows need are transformed twice instead. Analysis cannot write to its map: each
 * pass folds the samples so that only its own residues of orders remain, and transforms those.
 *
 * Lanes have all orders. There the rows of both parts meet in the scratch, and analysis makes all
 * orders twice, of which each pass takes its own. */
#include "ringfft/way.h"

#include "base/compiler.h"
#include "base/integer.h"
#include "base/memory.h"
#include "ringfft/alone.h"
#include "ringfft/lanes.h"

#include <string.h>

enum { ROW = 4, ROW_BYTES = ROW * (int)sizeof(double) };

/* --- Rows that wait -------------------------------------------------------------------------- */

static int64_t first_half(int64_t rows)
{
    return (rows + 1) / 2;
}

/* How many rows of the first part wait in a pair of rings of n samples; 0: they do not fit. */
static int64_t waiting_rows(const armilla_ring_pair *pair, int64_t n)
{
    const int64_t rows = armilla_orders_rows(ARMILLA_ORDERS_FIRST, pair->last);
    return ROW * first_half(rows) <= n ? rows : 0;
}

/* Any two rings: to 2 count complex numbers whose real parts are the north ring's numbers of the
 * rows, whose imaginary parts the south ring's, so that a ring that does not exist takes only its
 * own numbers with it. The same again is the inverse. from = to is allowed for row_length = 4. */
static void transpose(int64_t count, const double *from, int64_t row_length, double *to)
{
    for (int64_t i = 0; i < count; i++, from += row_length, to += ROW) {
        const double im = from[1], south = from[2];
        to[0] = from[0], to[1] = south, to[2] = im, to[3] = from[3];
    }
}

/* Rows become samples. Of doubles without gaps, the first half of the rows lies in the north ring,
 * the rest in the south ring, each row as in leg. */
static void put_rows(const armilla_pair_call *call, int64_t rows)
{
    const int64_t half = first_half(rows), row_length = call->row_length;
    const double ones[2] = {1, 1};
    double *samples[2], *kept = call->scratch.kept;
    if (!armilla_pair_rows(call, samples)) {
        transpose(rows, call->leg, row_length, kept);
        armilla_pair_write(call, 2 * rows, ones, 0, kept);
        return;
    }
    for (int64_t i = 0; i < half; i++)
        memcpy(samples[0] + ROW * i, call->leg + i * row_length, ROW_BYTES);
    for (int64_t i = half; i < rows; i++)
        memcpy(samples[1] + ROW * (i - half), call->leg + i * row_length, ROW_BYTES);
}

/* The inverse, to rows of four doubles one behind the other. */
static void take_rows(const armilla_pair_call *call, int64_t rows)
{
    const int64_t half = first_half(rows);
    double *samples[2], *kept = call->scratch.kept;
    if (!armilla_pair_rows(call, samples)) {
        armilla_pair_read(call, 2 * rows, kept);
        transpose(rows, kept, ROW, kept);
        return;
    }
    memcpy(kept, samples[0], ROW_BYTES * (size_t)half);
    memcpy(kept + ROW * half, samples[1], ROW_BYTES * (size_t)(rows - half));
}

/* --- Pairs one by one ------------------------------------------------------------------------ */

static void synthesize(const armilla_pair_call *call)
{
    const int is_first = call->mode.part == ARMILLA_ORDERS_FIRST;
    const int64_t rows = waiting_rows(&call->pair, call->ringfft->rings[call->ring].nphi);
    if (rows && is_first) {
        put_rows(call, rows);
        return;
    }
    armilla_leg_column columns[2] = {armilla_pair_column(call)};
    if (rows) {
        take_rows(call, rows);
        columns[1] = columns[0];
        columns[1].part = ARMILLA_ORDERS_FIRST;
        columns[1].values = call->scratch.kept, columns[1].row_length = ROW;
    }
    armilla_pair_make_samples(call, rows ? 2 : 1, columns, !is_first && !rows);
}

/* Even places, and odd ones by residue modulo 8: upper has those of r below 0, whose first place is
 * repeated behind its last one. */
static armilla_spectrum place_residues(int64_t n, const double *even, const double *lower,
                                       const double *upper)
{
    armilla_spectrum spectrum = {.n = n, .period = 8};
    for (int64_t r = 0; r < 8; r++) {
        const int64_t odd_step = upper ? 2 : 8;
        const double *odd = !upper ? lower + 2 * (r / 2) : r < 4 ? lower : upper + 2;
        spectrum.residue[r] = r % 2 ? odd : even + 2 * (r / 4);
        spectrum.step[r] = r % 2 ? odd_step : 4;
    }
    return spectrum;
}

/* The spectrum of the part's orders from the samples of the longest rings. */
static armilla_spectrum transform_part(const armilla_pair_call *call, const armilla_ring_fold *fold,
                                       double *const samples[2])
{
    const armilla_ringfft *ringfft = call->ringfft;
    const armilla_fft *even_fft = ringfft->parts.fft[0], *odd_fft = ringfft->parts.fft[1];
    const int64_t n = fold->n, step = armilla_round_line(2 * ringfft->parts.scratch);
    double *even = call->scratch.folded, *lower = even + armilla_round_line(n / 2);
    double *upper = lower + armilla_round_line(n / 4), *space = call->scratch.space;
    const int is_eighths = ringfft->choices.part_kind == ARMILLA_PART_EIGHTHS;
    if (is_eighths)
        ringfft->kernels->fold_eighths(fold, samples[0], samples[1], even, lower, upper);
    else
        ringfft->kernels->fold_quarters(fold, samples[0], samples[1], even, lower);
    const double *evens = armilla_fft_execute(even_fft, even, space);
    const double *lowers = armilla_fft_execute(odd_fft, lower, space + step);
    if (!is_eighths) return place_residues(n, evens, lowers, NULL);
    double *uppers = (double *)armilla_fft_execute(odd_fft, upper, space + 2 * step);
    memcpy(uppers + n / 4, uppers, 2 * sizeof *uppers);
    return place_residues(n, evens, lowers, uppers);
}

static void analyze_longest(const armilla_pair_call *call)
{
    const armilla_ringfft *ringfft = call->ringfft;
    double *z = call->scratch.z, *samples[2] = {z, z + 1};
    const int direct = armilla_pair_rows_to_fold(call, samples);
    const armilla_ring_fold fold = {ringfft->choices.longest,
                                    call->mode.part == ARMILLA_ORDERS_SECOND, direct ? 1 : 2,
                                    ringfft->longest_twist};
    if (!direct) armilla_pair_read(call, fold.n, z);
    const armilla_spectrum spectrum = transform_part(call, &fold, samples);
    armilla_pair_take_column(call, &spectrum);
}

static void analyze(const armilla_pair_call *call)
{
    const armilla_ring_choices *choices = &call->ringfft->choices;
    if (choices->part_kind != ARMILLA_PART_WHOLE &&
        call->ringfft->rings[call->ring].nphi == choices->longest)
        analyze_longest(call);
    else
        armilla_pair_analyze(call);
}

static void run(const armilla_ring_batch *batch, int to_maps)
{
    armilla_pairs_run(batch, to_maps, to_maps ? synthesize : analyze);
}

const armilla_ring_way armilla_ring_way_parts = {.run = run};

/* --- Lanes ----------------------------------------------------------------------------------- */

/* Some neighbouring columns of a leg, `width` doubles, of all orders up to `last`, one row behind
 * the other. */
typedef struct {
    double *values;
    int64_t width, last;
} all_rows;

/* Widths that are frequent are copied without a call. */
ARMILLA_ALWAYS_INLINE void copy_columns(double *to, const double *from, int64_t width)
{
    if (width == 4 * ROW)
        memcpy(to, from, 4 * ROW_BYTES);
    else if (width == 2 * ROW)
        memcpy(to, from, 2 * ROW_BYTES);
    else
        memcpy(to, from, sizeof *to * (size_t)width);
}

/* Orders of a part repeat after four rows, with 8 added. */
static void find_first_orders(armilla_orders part, int64_t first[ROW])
{
    for (int64_t row = 0; row < ROW; row++) first[row] = armilla_orders_at(part, row);
}

/* The rows of a part, from its leg or to it. */
ARMILLA_ALWAYS_INLINE void copy_part(armilla_orders part, double *leg, int64_t row_length,
                                     const all_rows *all, const int to_leg)
{
    int64_t first[ROW];
    find_first_orders(part, first);
    for (int64_t low = 0; low <= all->last; low += 8)
        for (int64_t i = 0; i < ROW; i++, leg += row_length) {
            double *row = all->values + (low + first[i]) * all->width;
            if (low + first[i] > all->last) continue;
            copy_columns(to_leg ? leg : row, to_leg ? row : leg, all->width);
        }
}

/* Rows of a pair that wait, to the columns from `column` on. */
static void take_rows_of_all(int64_t last, double *const samples[2], int64_t column,
                             const all_rows *all)
{
    const int64_t rows = armilla_orders_rows(ARMILLA_ORDERS_FIRST, last), half = first_half(rows);
    double *to = all->values + column;
    int64_t first[ROW];
    find_first_orders(ARMILLA_ORDERS_FIRST, first);
    for (int64_t row = 0; row < rows; row++) {
        const int64_t m = row / ROW * 8 + first[row % ROW];
        const double *from = row < half ? samples[0] + ROW * row : samples[1] + ROW * (row - half);
        if (m <= all->last) memcpy(to + m * all->width, from, ROW_BYTES);
    }
}

/* Pairs whose rows all wait in the map, which go in lanes. */
static int fits_lanes(const armilla_ring_batch *batch, const armilla_ring_pair *pair, int to_maps)
{
    const armilla_ringfft *ringfft = batch->ringfft;
    const armilla_orders part = batch->mode.part;
    if (!ringfft->choices.lane_parts || (to_maps && part == ARMILLA_ORDERS_FIRST)) return 0;
    return !batch->map.is_float && !ringfft->nested.nside && ringfft->choices.lane_stride == 1 &&
           pair->north >= 0 && pair->south >= 0 && armilla_lanes_take(ringfft, pair) &&
           !armilla_ringfft_must_split(ringfft, pair) &&
           waiting_rows(pair, ringfft->choices.longest) > 0;
}

/* Behind the scratch of the lanes are rows of both parts. */
static int64_t lanes_scratch_size(const armilla_ringfft *ringfft)
{
    const armilla_ring_choices *choices = &ringfft->choices;
    if (!choices->lane_parts) return 0;
    return armilla_lanes_scratch_size(ringfft) + 4 * choices->lane_pairs * (ringfft->mmax + 1);
}

/* Pairs that go together, on one map: all orders of the batch's first columns. */
static void synthesize_group(const armilla_ring_batch *group, armilla_orders part, double *leg,
                             int64_t row_length, const all_rows *all)
{
    copy_part(part, leg, row_length, all, 0);
    for (int64_t k = 0; k < group->count; k++) {
        const armilla_ring_pair *pair = &group->pairs[k];
        const armilla_ring *rings = group->ringfft->rings;
        double *map = group->map.values;
        double *const samples[2] = {map + rings[pair->north].offset,
                                    map + rings[pair->south].offset};
        take_rows_of_all(pair->last, samples, 4 * k, all);
    }
    armilla_ring_way_lanes.run(group, 1);
}

static void run_group(const armilla_ring_batch *batch, int64_t i, int64_t count, int to_maps)
{
    const armilla_ring_sets *sets = &batch->sets;
    armilla_ring_batch group = *batch;
    all_rows all = {batch->scratch + armilla_lanes_scratch_size(batch->ringfft), 4 * count, 0};
    for (int64_t k = i; k < i + count; k++)
        all.last = armilla_larger(all.last, batch->pairs[k].last);
    group.mode.part = ARMILLA_ORDERS_ALL;
    group.mode.stream = to_maps && batch->mode.stream;
    group.sets = (armilla_ring_sets){1, all.width, 0, 0};
    group.count = count, group.pairs += i, group.leg = all.values;
    for (int64_t set = 0; set < sets->count; set++) {
        double *leg = batch->leg + 4 * i + set * sets->leg_step;
        group.map = armilla_array_from(batch->map, set * sets->map_step);
        if (to_maps) {
            synthesize_group(&group, batch->mode.part, leg, sets->row_length, &all);
            continue;
        }
        armilla_ring_way_lanes.run(&group, 0);
        copy_part(batch->mode.part, leg, sets->row_length, &all, 1);
    }
}

static void run_in_lanes(const armilla_ring_batch *batch, int to_maps)
{
    const int64_t most = batch->ringfft->choices.lane_pairs;
    for (int64_t i = 0; i < batch->count; i += most)
        run_group(batch, i, armilla_smaller(most, batch->count - i), to_maps);
}

const armilla_ring_way armilla_ring_way_part_lanes = {
    .fits = fits_lanes, .scratch_size = lanes_scratch_size, .run = run_in_lanes};

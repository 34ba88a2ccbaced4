/* Transforms pairs of rings one by one. North and south rings of equal length are the real and
 * imaginary part of one complex FFT (docs/mathematics.md (4.1), (4.2)); rings that differ in length
 * or shift have one each. How leg becomes a spectrum is in spectrum.h. */
#include "ringfft/alone.h"

#include "base/integer.h"
#include "ringfft/nested_samples.h"
#include "ringfft/samples.h"
#include "ringfft/stage.h"
#include "ringfft/transform.h"

#include <string.h>

static double *ring_values(const armilla_pair_call *call, int64_t ring)
{
    return (double *)call->map.values + call->ringfft->rings[ring].offset;
}

/* The kernels read and write samples of doubles without gaps directly. */
int armilla_pair_rows(const armilla_pair_call *call, double *rows[2])
{
    const int64_t north = call->pair.north, south = call->pair.south;
    const armilla_ring *rings = call->ringfft->rings;
    if (call->rows && north >= 0 && south >= 0) {
        rows[0] = call->rows, rows[1] = call->rows + rings[north].nphi;
        return 1;
    }
    if (call->map.is_float || north < 0 || south < 0 || rings[north].stride != 1 ||
        rings[south].stride != 1)
        return 0;
    rows[0] = ring_values(call, north);
    rows[1] = ring_values(call, south);
    return 1;
}

/* Two rings of doubles in NESTED order, to be brought to or from `space`, one behind the other. */
static int may_stage(const armilla_pair_call *call, double *space, double *rows[2])
{
    if (!call->ringfft->nested.nside || call->map.is_float || call->pair.north < 0 ||
        call->pair.south < 0)
        return 0;
    rows[0] = space, rows[1] = space + call->ringfft->rings[call->ring].nphi;
    return 1;
}

armilla_leg_column armilla_pair_column(const armilla_pair_call *call)
{
    const int64_t last = call->pair.last;
    const double *phase =
        armilla_ringfft_phases(call->ringfft, call->ring, last, call->mode.again, &call->scratch);
    return (armilla_leg_column){call->mode.part, last, call->row_length, call->leg, phase};
}

/* Factor times the weights of the two rings, or times ones. */
static void find_scale(const armilla_pair_call *call, double factor, double scale[2])
{
    const int64_t number[2] = {call->pair.north, call->pair.south};
    for (int i = 0; i < 2; i++)
        scale[i] = call->mode.weighted && number[i] >= 0
                       ? factor * call->ringfft->rings[number[i]].weight
                       : factor;
}

/* --- Samples --------------------------------------------------------------------------------- */

/* map[ring] = scale * z[0, step, ...], the first `count` samples, or += ; step is 2, or in NESTED
 * order any. */
static void write_ring(const armilla_pair_call *call, int64_t number, int64_t count, double scale,
                       int add, int step, const double *z)
{
    const armilla_nested_ring nested = {call->ringfft->nested, number, 0, count};
    armilla_ring ring = call->ringfft->rings[number];
    ring.nphi = count;
    if (nested.scheme.nside && add)
        armilla_nested_add(call->map, &nested, scale, z);
    else if (nested.scheme.nside)
        armilla_nested_write(call->map, &nested, scale, z, step);
    else if (add)
        armilla_samples_add(call->map, &ring, scale, z);
    else
        armilla_samples_write(call->map, &ring, scale, z);
}

static void read_ring(const armilla_pair_call *call, int64_t number, int64_t count, int step,
                      double *z)
{
    const armilla_nested_ring nested = {call->ringfft->nested, number, 0, count};
    if (nested.scheme.nside && number >= 0)
        armilla_nested_read(call->map, &nested, z, step);
    else
        armilla_samples_read(call->map, number < 0 ? NULL : &call->ringfft->rings[number], count,
                             z);
}

void armilla_pair_write(const armilla_pair_call *call, int64_t count, const double scale[2],
                        int add, const double *z)
{
    double *rows[2];
    if (!add && armilla_pair_rows(call, rows)) {
        call->ringfft->kernels->split(count, z, scale, rows[0], rows[1]);
        return;
    }
    for (int part = 0; part < 2; part++) {
        int64_t number = part ? call->pair.south : call->pair.north;
        if (number >= 0) write_ring(call, number, count, scale[part], add, 2, z + part);
    }
}

void armilla_pair_read(const armilla_pair_call *call, int64_t count, double *z)
{
    double *rows[2];
    if (armilla_pair_rows(call, rows)) {
        call->ringfft->kernels->join(count, rows[0], rows[1], z);
        return;
    }
    for (int part = 0; part < 2; part++) {
        int64_t number = part ? call->pair.south : call->pair.north;
        read_ring(call, number, count, 2, z + part);
    }
}

int armilla_pair_rows_to_fold(const armilla_pair_call *call, double *rows[2])
{
    if (armilla_pair_rows(call, rows)) return 1;
    if (!may_stage(call, call->scratch.z, rows)) return 0;
    read_ring(call, call->pair.north, call->ringfft->rings[call->ring].nphi, 1, rows[0]);
    read_ring(call, call->pair.south, call->ringfft->rings[call->ring].nphi, 1, rows[1]);
    return 1;
}

void armilla_pair_make_samples(const armilla_pair_call *call, int ncolumns,
                               const armilla_leg_column *columns, int add)
{
    const armilla_ringfft *ringfft = call->ringfft;
    const armilla_ringfft_scratch *s = &call->scratch;
    armilla_spectrum spectrum = armilla_ringfft_empty_spectrum(ringfft, call->ring, s);
    armilla_spectrum_spread(ringfft->kernels, &spectrum, ncolumns, columns);
    double scale[2], *rows[2];
    find_scale(call, 1, scale);
    const int direct = !add && armilla_pair_rows(call, rows);
    const int staged =
        !add && !direct && spectrum.n == ringfft->choices.fours && may_stage(call, s->folded, rows);
    const double *z = armilla_ringfft_backward(ringfft, call->ring, &spectrum, scale,
                                               direct || staged ? rows : NULL, s);
    if (z) armilla_pair_write(call, spectrum.n, scale, add, z);
    if (!staged) return;
    write_ring(call, call->pair.north, spectrum.n, 1, 0, 1, rows[0]);
    write_ring(call, call->pair.south, spectrum.n, 1, 0, 1, rows[1]);
}

void armilla_pair_take_column(const armilla_pair_call *call, const armilla_spectrum *spectrum)
{
    const armilla_leg_column column = armilla_pair_column(call);
    double scale[2];
    find_scale(call, 0.5, scale);
    if (call->pair.north < 0) scale[0] = 0;
    if (call->pair.south < 0) scale[1] = 0;
    armilla_spectrum_gather(call->ringfft->kernels, spectrum, scale, &column);
}

/* --- Pairs ----------------------------------------------------------------------------------- */

static void synthesize(const armilla_pair_call *call)
{
    const armilla_leg_column column = armilla_pair_column(call);
    armilla_pair_make_samples(call, 1, &column, call->mode.add);
}

void armilla_pair_analyze(const armilla_pair_call *call)
{
    const armilla_ringfft *ringfft = call->ringfft;
    const armilla_ringfft_scratch *s = &call->scratch;
    double *rows[2];
    const int64_t n = ringfft->rings[call->ring].nphi;
    const int direct = n == ringfft->choices.fours ? armilla_pair_rows_to_fold(call, rows)
                                                   : armilla_pair_rows(call, rows);
    if (!direct) armilla_pair_read(call, n, s->z);
    const armilla_spectrum spectrum =
        armilla_ringfft_forward(ringfft, call->ring, direct ? rows : NULL, s);
    armilla_pair_take_column(call, &spectrum);
}

typedef void (*pair_function)(const armilla_pair_call *call);

/* A ring of the pair, without the other one. The scratch has the phases of the other ring. */
static void run_ring(const armilla_pair_call *call, int south, pair_function one)
{
    armilla_pair_call single = *call;
    single.mode.again = 0;
    if (south)
        single.pair.north = -1, single.ring = call->pair.south;
    else
        single.pair.south = -1, single.ring = call->pair.north;
    one(&single);
}

/* Each ring alone writes zeros for the other: the south entries are set aside while the other
 * ring's come. */
static void analyze_apart(const armilla_pair_call *call, pair_function one)
{
    const int64_t rows = armilla_orders_rows(call->mode.part, call->pair.last);
    double *kept = call->scratch.kept, *south = call->leg + 2;
    run_ring(call, 1, one);
    for (int64_t i = 0; i < rows; i++)
        memcpy(kept + 2 * i, south + i * call->row_length, 2 * sizeof *kept);
    run_ring(call, 0, one);
    for (int64_t i = 0; i < rows; i++)
        memcpy(south + i * call->row_length, kept + 2 * i, 2 * sizeof *kept);
}

static void run_pair(const armilla_pair_call *call, int to_maps, pair_function one)
{
    if (!armilla_ringfft_must_split(call->ringfft, &call->pair))
        one(call);
    else if (to_maps)
        run_ring(call, 0, one), run_ring(call, 1, one);
    else
        analyze_apart(call, one);
}

/* --- NESTED order ---------------------------------------------------------------------------- */

/* Behind the parts of the scratch is room that lanes have, for rings whose samples go to the map
 * together, or come from there. */
static int64_t room_for_rows(const armilla_ringfft *ringfft)
{
    return ringfft->scratch_size - ringfft->place[ARMILLA_RINGFFT_PLACES];
}

static double *find_rows(const armilla_ringfft *ringfft, double *scratch)
{
    return scratch + ringfft->place[ARMILLA_RINGFFT_PLACES];
}

static int may_have_rows(const armilla_ring_batch *batch, const armilla_ring_pair *pair,
                         int to_maps)
{
    const armilla_ringfft_mode *mode = &batch->mode;
    const int whole = !to_maps || (mode->part == ARMILLA_ORDERS_ALL && !mode->add);
    return batch->ringfft->nested.nside && whole && !batch->map.is_float && pair->north >= 0 &&
           pair->south >= 0 && !armilla_ringfft_must_split(batch->ringfft, pair);
}

static int64_t samples_of(const armilla_ring_batch *batch, int64_t i)
{
    return 2 * batch->ringfft->rings[batch->pairs[i].north].nphi;
}

/* How many pairs from number `first` on have their rows in the scratch at once, of all sets. */
static int64_t count_with_rows(const armilla_ring_batch *batch, int64_t first, int to_maps)
{
    const int64_t room = room_for_rows(batch->ringfft) / batch->sets.count;
    int64_t i = first, size = 0;
    while (i < batch->count && i - first < ARMILLA_RING_BATCH &&
           may_have_rows(batch, &batch->pairs[i], to_maps) && size + samples_of(batch, i) <= room)
        size += samples_of(batch, i++);
    return i - first;
}

/* The rows of `count` pairs and one set. */
static void move_rows(const armilla_ring_batch *batch, int64_t first, int64_t count, int64_t set,
                      double *rows, int to_maps)
{
    const armilla_array map = armilla_array_from(batch->map, set * batch->sets.map_step);
    for (int south = 0; south < 2; south++) {
        armilla_nested_row list[ARMILLA_RING_BATCH];
        double *row = rows;
        for (int64_t i = 0; i < count; i++, row += samples_of(batch, first + i - 1)) {
            const armilla_ring_pair *pair = &batch->pairs[first + i];
            const int64_t n = samples_of(batch, first + i) / 2;
            list[i] = (armilla_nested_row){south ? pair->south : pair->north, n, row + south * n};
        }
        armilla_nested_move_rows(map, &batch->ringfft->nested, count, list, to_maps);
    }
}

static void move_sets(const armilla_ring_batch *batch, int64_t first, int64_t count, int to_maps)
{
    double *rows = find_rows(batch->ringfft, batch->scratch);
    int64_t size = 0;
    for (int64_t i = 0; i < count; i++) size += samples_of(batch, first + i);
    for (int64_t set = 0; set < batch->sets.count; set++)
        move_rows(batch, first, count, set, rows + set * size, to_maps);
}

/* --- Batches --------------------------------------------------------------------------------- */

/* Pairs first .. first + count - 1 of all sets. call: what all have in common. */
static void run_pairs(const armilla_ring_batch *batch, int64_t first, int64_t count, int has_rows,
                      int to_maps, pair_function one, armilla_pair_call *call)
{
    const armilla_ring_sets *sets = &batch->sets;
    double *rows = find_rows(batch->ringfft, batch->scratch);
    int64_t size = 0;
    for (int64_t i = first; i < first + count && has_rows; i++) size += samples_of(batch, i);
    for (int64_t i = first; i < first + count; i++) {
        call->pair = batch->pairs[i];
        call->ring = call->pair.north >= 0 ? call->pair.north : call->pair.south;
        for (int64_t set = 0; set < sets->count; set++) {
            call->mode.again = (batch->mode.again && batch->count == 1) || set > 0;
            call->leg = batch->leg + 4 * i + set * sets->leg_step;
            call->map = armilla_array_from(batch->map, set * sets->map_step);
            call->rows = has_rows ? rows + set * size : NULL;
            run_pair(call, to_maps, one);
        }
        if (has_rows) rows += samples_of(batch, i);
    }
}

void armilla_pairs_run(const armilla_ring_batch *batch, int to_maps, pair_function one)
{
    const armilla_ring_sets *sets = &batch->sets;
    armilla_pair_call call = {.ringfft = batch->ringfft,
                              .mode = batch->mode,
                              .row_length = sets->row_length,
                              .scratch =
                                  armilla_ringfft_split_scratch(batch->ringfft, batch->scratch)};
    for (int64_t i = 0, count; i < batch->count; i += count) {
        const int64_t with_rows = count_with_rows(batch, i, to_maps);
        count = armilla_larger(with_rows, 1);
        if (!to_maps) move_sets(batch, i, with_rows, 0);
        run_pairs(batch, i, count, with_rows > 0, to_maps, one, &call);
        if (to_maps) move_sets(batch, i, with_rows, 1);
    }
}

/* --- The way --------------------------------------------------------------------------------- */

static int64_t scratch_size(const armilla_ringfft *ringfft)
{
    return ringfft->place[ARMILLA_RINGFFT_PLACES];
}

static void run(const armilla_ring_batch *batch, int to_maps)
{
    armilla_pairs_run(batch, to_maps, to_maps ? synthesize : armilla_pair_analyze);
}

/* Rings in NESTED order share cache lines of the map, which several pairs at once read or write
 * once.
 */
static int64_t together(const armilla_ringfft *ringfft)
{
    return ringfft->nested.nside ? armilla_larger(1, ringfft->choices.lane_pairs) : 1;
}

const armilla_ring_way armilla_ring_way_alone = {
    .together = together, .scratch_size = scratch_size, .run = run};

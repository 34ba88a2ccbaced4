/* Reads and writes slabs: transforms rings, and copies between the legs of the Fourier transforms
 * and spans of orders. */
#include "radial/mixing/slabs.h"

#include "base/integer.h"
#include "base/team.h"
#include "grid/grid.h"
#include "radial/mixing/spectra.h"
#include "ringfft/stage.h"

#include <string.h>

enum { TILE = ARMILLA_MIXING_TILE, WIDTH = ARMILLA_MIXING_WIDTH, PAIR = ARMILLA_MIXING_PAIR };

/* --- Reading and writing a slab -------------------------------------------------------------- */

static armilla_leg leg_of(const armilla_mixing_call *r, int side)
{
    return (armilla_leg){&r->mixing->side[side].layouts[r->slab], r->job.nsets, r->leg, NULL, 0};
}

/* Between the orders of a pair's span and its column of leg; those beyond its limit are 0, and so
 * are in leg those of other passes. */
static void copy_pair(const armilla_mixing_call *r, const armilla_leg *leg, int output, int64_t set,
                      int64_t span, int64_t pair)
{
    const armilla_mixing_side *side = &r->mixing->side[output];
    const int64_t place = side->place[pair], first = span * WIDTH;
    const int64_t limit = place < 0 ? -1 : side->pairs.limit[place];
    const int64_t count = armilla_smaller(limit - first + 1, WIDTH);
    const int other_pass = span < r->first_span || span >= r->first_span + r->mixing->in_pass;
    double *orders = other_pass ? NULL : armilla_mixing_orders(r, output, set, span, pair);
    if (count < WIDTH && !output) memset(orders, 0, PAIR * sizeof *orders);
    if (count <= 0) return;
    const armilla_leg_block *rows = leg->layout->blocks;
    double *column = armilla_leg_row(leg, rows, set, first) + 4 * (place - rows->first);
    for (int64_t m = 0; m < count; m++)
        for (int c = 0; c < 4; c++) {
            if (output)
                column[m * rows->row_length + c] = orders ? orders[c * WIDTH + m] : 0;
            else
                orders[c * WIDTH + m] = column[m * rows->row_length + c];
        }
}

/* Behind the last span that the pass has of the slab. */
static int64_t end_of_spans(const armilla_mixing_call *r)
{
    return armilla_mixing_end_of_pass(r, r->mixing->slab_spans[r->slab]);
}

static int64_t first_pair(const armilla_mixing_call *r)
{
    const int64_t first = r->slab * r->mixing->slab;
    return r->part ? armilla_larger(first, r->part->begin) : first;
}

static int64_t end_of_slab(const armilla_mixing_call *r)
{
    const int64_t end = r->part ? r->part->end : r->mixing->frame.pairs.count;
    return armilla_smaller((r->slab + 1) * r->mixing->slab, end);
}

/* Has a pair a column of leg with all orders of a span of the pass? */
static int is_whole(const armilla_mixing_call *r, int output, int64_t span, int64_t pair)
{
    const armilla_mixing_side *side = &r->mixing->side[output];
    const int64_t place = side->place[pair];
    return place >= 0 && side->pairs.limit[place] >= (span + 1) * WIDTH - 1 &&
           span >= r->first_span && span < r->first_span + r->mixing->in_pass;
}

/* A span of all pairs of the slab. Whole pairs go together as long as their columns are
 * neighbours: that is, where none of them is missing. */
static void copy_span(const armilla_mixing_call *r, int output, int64_t set, int64_t span)
{
    const armilla_leg leg = leg_of(r, output);
    const armilla_leg_block *rows = leg.layout->blocks;
    const armilla_mixing_kernels *kernels = r->mixing->kernels;
    for (int64_t pair = first_pair(r), end; pair < end_of_slab(r); pair = end) {
        end = pair;
        while (end < end_of_slab(r) && is_whole(r, output, span, end)) end++;
        if (end == pair) {
            copy_pair(r, &leg, output, set, span, pair);
            end++;
            continue;
        }
        double *orders = armilla_mixing_orders(r, output, set, span, pair);
        double *column = armilla_leg_row(&leg, rows, set, span * WIDTH) +
                         4 * (r->mixing->side[output].place[pair] - rows->first);
        if (output)
            kernels->give(end - pair, rows->row_length, orders, column);
        else
            kernels->take(end - pair, rows->row_length, column, orders);
    }
}

/* A span of orders of the slab that has been transformed; its sums, which are on other ranks where
 * there are ranks, begin at 0. */
static void take_span(void *context, int64_t index, int thread)
{
    const armilla_mixing_call *r = context;
    const int64_t span = r->first_span + index, count = end_of_slab(r) - first_pair(r);
    (void)thread;
    for (int64_t set = 0; set < r->job.nsets; set++) {
        copy_span(r, ARMILLA_MIXING_INPUT, set, span);
        if (r->part) continue;
        memset(armilla_mixing_orders(r, ARMILLA_MIXING_OUTPUT, set, span, first_pair(r)), 0,
               (size_t)(count * PAIR) * sizeof(double));
    }
}

static void give_span(void *context, int64_t span, int thread)
{
    const armilla_mixing_call *r = context;
    (void)thread;
    for (int64_t set = 0; set < r->job.nsets; set++) copy_span(r, ARMILLA_MIXING_OUTPUT, set, span);
}

/* --- Zeros ----------------------------------------------------------------------------------- */

/* A ring and its mirror image are transformed as one complex ring, so that rounding of the one
 * (1e-17 of its values) comes out on the other. What a ring that is 0 gives, and what a ring gets
 * that sees nothing else, must be exactly 0: then point sources leave nothing beyond the support.
 * Both tests end at the first value that is not 0, that is, at once in most maps. */

static int is_ring_zero(armilla_array map, const armilla_ring *ring, int64_t nested)
{
    for (int64_t j = 0; j < ring->nphi; j++)
        if (armilla_array_get(map, armilla_ring_item(ring, nested, j)) != 0) return 0;
    return 1;
}

/* Orders of the northern or southern ring of a pair of the slab. */
static int are_orders_zero(const armilla_mixing_call *r, int64_t set, int64_t pair, int south)
{
    for (int64_t span = r->first_span; span < end_of_spans(r); span++) {
        const double *orders =
            armilla_mixing_orders(r, ARMILLA_MIXING_OUTPUT, set, span, pair) + 2 * south * WIDTH;
        for (int i = 0; i < 2 * WIDTH; i++)
            if (orders[i] != 0) return 0;
    }
    return 1;
}

static void clear_orders(const armilla_mixing_call *r, int64_t set, int64_t pair, int south)
{
    for (int64_t span = r->first_span; span < end_of_spans(r); span++)
        memset(armilla_mixing_orders(r, ARMILLA_MIXING_INPUT, set, span, pair) + 2 * south * WIDTH,
               0, 2 * WIDTH * sizeof(double));
}

/* The ring of a pair that is read or written; NULL: it is not. */
static const armilla_ring *find_ring(const armilla_mixing_call *r, int side, int64_t pair,
                                     int south)
{
    const armilla_mixing_side *of = &r->mixing->side[side];
    if (of->place[pair] < 0) return NULL;
    const int64_t ring = (south ? of->pairs.south : of->pairs.north)[of->place[pair]];
    return ring < 0 ? NULL : &r->mixing->frame.rings[ring];
}

/* Rings of a slab's pairs, and the maps that they are read from or written to. */
typedef struct {
    const armilla_mixing_call *r;
    const armilla_maps *maps;
} slab_rings;

static void keep_zeros_read(void *context, int64_t index, int thread)
{
    const slab_rings *slab = context;
    const armilla_mixing_call *r = slab->r;
    const int64_t pair = first_pair(r) + index;
    (void)thread;
    for (int64_t set = 0; set < r->job.nsets; set++)
        for (int south = 0; south < 2; south++) {
            const armilla_ring *ring = find_ring(r, ARMILLA_MIXING_INPUT, pair, south);
            if (ring &&
                is_ring_zero(armilla_maps_from(slab->maps, set).in, ring, r->mixing->frame.nested))
                clear_orders(r, set, pair, south);
        }
}

static int stays_zero(const armilla_mixing_call *r, int64_t set, int64_t pair, int south,
                      const armilla_ring *ring)
{
    const armilla_mixing_frame *frame = &r->mixing->frame;
    uint8_t *zero = &r->zero[set * frame->nrings + (ring - frame->rings)];
    *zero = (r->pass == 0 || *zero) && are_orders_zero(r, set, pair, south);
    return *zero;
}

static void keep_zeros_written(void *context, int64_t index, int thread)
{
    const slab_rings *slab = context;
    const armilla_mixing_call *r = slab->r;
    const int64_t pair = first_pair(r) + index;
    (void)thread;
    for (int64_t set = 0; set < r->job.nsets; set++)
        for (int south = 0; south < 2; south++) {
            const armilla_ring *ring = find_ring(r, ARMILLA_MIXING_OUTPUT, pair, south);
            const armilla_array map = armilla_maps_from(slab->maps, set).out;
            if (!ring || !stays_zero(r, set, pair, south, ring)) continue;
            for (int64_t j = 0; j < ring->nphi; j++)
                armilla_array_put(map, armilla_ring_item(ring, r->mixing->frame.nested, j), 0);
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

static void turn_pair(const armilla_mixing_call *r, int side, int64_t pair,
                      void (*turn)(double *, double *))
{
    for (int64_t set = 0; set < r->job.nsets; set += 2)
        for (int64_t span = r->first_span; span < end_of_spans(r); span++)
            turn(armilla_mixing_orders(r, side, set, span, pair),
                 armilla_mixing_orders(r, side, set + 1, span, pair));
}

static void turn_read(void *context, int64_t index, int thread)
{
    const armilla_mixing_call *r = context;
    (void)thread;
    turn_pair(r, ARMILLA_MIXING_INPUT, first_pair(r) + index, turn_orders);
}

static void turn_written(void *context, int64_t index, int thread)
{
    const armilla_mixing_call *r = context;
    (void)thread;
    turn_pair(r, ARMILLA_MIXING_OUTPUT, first_pair(r) + index, turn_back);
}

/* --- Slabs ----------------------------------------------------------------------------------- */

static int64_t pairs_of_slab(const armilla_mixing_call *r)
{
    return end_of_slab(r) - first_pair(r);
}

/* Transforms rings, or takes what was made of them for several plans. */
static void read_rings(const armilla_mixing_call *r, const armilla_leg *leg,
                       const armilla_ring_maps *read)
{
    const armilla_mixing_spectra *spectra = r->job.spectra;
    const armilla_mixing_range range = {r->mixing->side[ARMILLA_MIXING_INPUT].place, first_pair(r),
                                        end_of_slab(r)};
    if (!spectra || !armilla_mixing_spectra_get(spectra, &range, leg, r->work->nthreads))
        armilla_ringfft_from_maps(r->mixing->ringfft, leg, read, r->work);
}

void armilla_mixing_read_slab(armilla_mixing_call *r, const armilla_maps *maps, int64_t slab)
{
    const int nthreads = r->work->nthreads, turns = r->mixing->profile->turns;
    r->slab = slab;
    const armilla_leg leg = leg_of(r, ARMILLA_MIXING_INPUT);
    const int64_t nspans = end_of_spans(r) - r->first_span, npairs = pairs_of_slab(r);
    const armilla_ring_maps read = {
        .values = maps->in, .distance = maps->in_distance, .weighted = !r->job.weights_at_output};
    slab_rings rings = {r, maps};
    read_rings(r, &leg, &read);
    armilla_team_run(nthreads, nspans, take_span, r);
    armilla_team_run(nthreads, npairs, keep_zeros_read, &rings);
    if (turns) armilla_team_run(nthreads, npairs, turn_read, r);
}

void armilla_mixing_write_slab(armilla_mixing_call *r, const armilla_maps *maps, int64_t slab)
{
    const int nthreads = r->work->nthreads;
    r->slab = slab;
    const armilla_leg leg = leg_of(r, ARMILLA_MIXING_OUTPUT);
    if (leg.layout->nblocks == 0) return;
    const int64_t nspans = (leg.layout->blocks->nrows + WIDTH - 1) / WIDTH;
    const int64_t npairs = pairs_of_slab(r);
    const armilla_ring_maps written = {
        .values = maps->out, .distance = maps->out_distance, .weighted = r->job.weights_at_output};
    slab_rings rings = {r, maps};
    if (r->mixing->profile->turns) armilla_team_run(nthreads, npairs, turn_written, r);
    armilla_team_run(nthreads, nspans, give_span, r);
    if (r->pass)
        armilla_ringfft_add_to_maps(r->mixing->ringfft, &leg, &written, r->work);
    else
        armilla_ringfft_to_maps(r->mixing->ringfft, &leg, &written, r->work);
    armilla_team_run(nthreads, npairs, keep_zeros_written, &rings);
}

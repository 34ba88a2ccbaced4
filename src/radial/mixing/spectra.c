/* Transforms the rings of maps for several plans at once, and copies to the legs of their slabs
 * what each of them reads. The plans' orders differ by their kernels; a pair of rings is given the
 * most that any of them has. */
#include "radial/mixing/spectra.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "radial/mixing/plan.h"
#include "ringfft/stage.h"

#include <string.h>

enum { SPAN = 16 /* orders of a task */, BLOCK = 32 /* pairs of a block */, ENTRY = 4 };

/* --- Room ------------------------------------------------------------------------------------- */

/* The largest order of a pair that a plan reads; -1: none. */
static int64_t find_limit(const armilla_mixing *mixing, int64_t pair)
{
    if (!mixing) return -1;
    const armilla_mixing_side *side = &mixing->side[ARMILLA_MIXING_INPUT];
    return side->place[pair] < 0 ? -1 : side->pairs.limit[side->place[pair]];
}

static int64_t largest_order(const armilla_mixing *mixing)
{
    int64_t most = -1;
    for (int64_t p = 0; mixing && p < mixing->frame.pairs.count; p++)
        most = armilla_larger(most, find_limit(mixing, p));
    return most;
}

/* Pairs of the reader, with the limits of all plans, which rise within a block. */
static void list_pairs(int64_t count, const armilla_mixing *const *mixings,
                       armilla_mixing_spectra *spectra)
{
    const armilla_mixing_side *side = &spectra->reader->side[ARMILLA_MIXING_INPUT];
    armilla_ring_pairs *pairs = &spectra->pairs;
    int64_t limit = 0;
    pairs->count = 0;
    for (int64_t p = 0; p < spectra->reader->frame.pairs.count; p++) {
        const int64_t from = side->place[p];
        spectra->place[p] = -1;
        if (from < 0) continue;
        const int64_t i = spectra->place[p] = pairs->count++;
        if (i % BLOCK == 0) limit = 0;
        for (int64_t k = 0; k < count; k++)
            limit = armilla_larger(limit, find_limit(mixings[k], p));
        pairs->north[i] = side->pairs.north[from], pairs->south[i] = side->pairs.south[from];
        pairs->theta[i] = side->pairs.theta[from];
        pairs->south_theta[i] = side->pairs.south_theta[from];
        pairs->limit[i] = limit;
    }
}

static armilla_status make_leg(armilla_mixing_spectra *spectra)
{
    const armilla_leg_shape shape = {.pairs = &spectra->pairs,
                                     .npairs = spectra->pairs.count,
                                     .block_size = BLOCK,
                                     .mmax = largest_order(spectra->reader)};
    const armilla_status status = armilla_leg_layout_make(&shape, &spectra->layout);
    if (status) return status;
    return armilla_allocate(&spectra->values, spectra->nsets * spectra->layout.size,
                            sizeof *spectra->values);
}

armilla_status armilla_mixing_spectra_make(int64_t count, const armilla_mixing *const *mixings,
                                           int64_t nsets, armilla_mixing_spectra *spectra)
{
    int64_t most = -1;
    *spectra = (armilla_mixing_spectra){.nsets = nsets};
    for (int64_t i = 0; i < count; i++) {
        const int64_t order = largest_order(mixings[i]);
        if (order > most) most = order, spectra->reader = mixings[i];
    }
    if (!spectra->reader) return ARMILLA_OK;
    const int64_t npairs = spectra->reader->frame.pairs.count;
    armilla_status status = armilla_ring_pairs_allocate(npairs, &spectra->pairs);
    if (!status) status = armilla_allocate(&spectra->place, npairs, sizeof *spectra->place);
    if (!status) {
        list_pairs(count, mixings, spectra);
        status = make_leg(spectra);
    }
    if (status) armilla_mixing_spectra_clear(spectra);
    return status;
}

int64_t armilla_mixing_spectra_bytes(const armilla_mixing_spectra *spectra, int64_t nsets)
{
    enum { OF_PAIR = 6 }; /* numbers: those of armilla_ring_pairs, and its place */
    if (!spectra->reader) return 0;
    return (int64_t)sizeof(double) *
           (nsets * spectra->layout.size + OF_PAIR * spectra->reader->frame.pairs.count);
}

void armilla_mixing_spectra_clear(armilla_mixing_spectra *spectra)
{
    armilla_release(spectra->values);
    armilla_leg_layout_clear(&spectra->layout);
    armilla_release(spectra->place);
    armilla_ring_pairs_clear(&spectra->pairs);
    *spectra = (armilla_mixing_spectra){0};
}

/* --- Transforms and copies -------------------------------------------------------------------- */

static armilla_leg leg_of(const armilla_mixing_spectra *spectra, int64_t nsets)
{
    return (armilla_leg){&spectra->layout, nsets, spectra->values, NULL, 0};
}

void armilla_mixing_spectra_read(const armilla_mixing_spectra *spectra, const armilla_maps *maps,
                                 int64_t nmaps, const armilla_work *work)
{
    const armilla_leg leg = leg_of(spectra, nmaps);
    const armilla_ring_maps read = {
        .values = maps->in, .distance = maps->in_distance, .weighted = 1};
    armilla_ringfft_from_maps(spectra->reader->ringfft, &leg, &read, work);
}

typedef struct {
    const armilla_mixing_spectra *spectra;
    const armilla_mixing_range *range;
    const armilla_leg *leg;
} copy;

static int64_t limit_of(const copy *c, int64_t pair)
{
    const int64_t place = c->range->place[pair];
    return place < 0 ? -1 : c->leg->layout->pairs->limit[place];
}

/* An order of a set. Limits rise along the range: the pairs that have it are its last ones. */
static void copy_row(const copy *c, int64_t set, int64_t m)
{
    const armilla_leg from = leg_of(c->spectra, c->leg->nsets);
    const armilla_leg_block *rows = c->leg->layout->blocks;
    double *row = armilla_leg_row(c->leg, rows, set, m);
    for (int64_t pair = c->range->first; pair < c->range->end; pair++) {
        if (limit_of(c, pair) < m) continue;
        const int64_t place = c->spectra->place[pair];
        const armilla_leg_block *block = &from.layout->blocks[place / BLOCK];
        memcpy(row + ENTRY * (c->range->place[pair] - rows->first),
               armilla_leg_row(&from, block, set, m) + ENTRY * (place - block->first),
               ENTRY * sizeof *row);
    }
}

static void copy_span(void *context, int64_t span, int thread)
{
    const copy *c = context;
    const int64_t end = armilla_smaller((span + 1) * SPAN, c->leg->layout->blocks->nrows);
    (void)thread;
    for (int64_t set = 0; set < c->leg->nsets; set++)
        for (int64_t m = span * SPAN; m < end; m++) copy_row(c, set, m);
}

int armilla_mixing_spectra_get(const armilla_mixing_spectra *spectra,
                               const armilla_mixing_range *range, const armilla_leg *leg,
                               int nthreads)
{
    copy c = {spectra, range, leg};
    for (int64_t p = range->first; p < range->end; p++) {
        const int64_t limit = limit_of(&c, p), place = spectra->place[p];
        if (limit >= 0 && (place < 0 || spectra->pairs.limit[place] < limit)) return 0;
    }
    if (leg->layout->nblocks)
        armilla_team_run(nthreads, (leg->layout->blocks->nrows + SPAN - 1) / SPAN, copy_span, &c);
    return 1;
}

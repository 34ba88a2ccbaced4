/* Cuts the work of a plan into slabs, passes and rounds, so that little of it is in memory at once:
 * see plan.h. */
#include "radial/mixing/plan.h"

#include "base/integer.h"
#include "base/memory.h"
#include "radial/mixing/tiles.h"

enum { TILE = ARMILLA_MIXING_TILE, PAIR = ARMILLA_MIXING_PAIR };

/* --- Slabs ----------------------------------------------------------------------------------- */

/* The last pair that a tile sees. */
static int64_t last_seen(const armilla_mixing *mixing, int64_t tile)
{
    const armilla_mixing_frame *frame = &mixing->frame;
    const int64_t p = armilla_mixing_tile_end(mixing, tile) - 1;
    return frame->across[p] < frame->pairs.count ? frame->pairs.count - 1 : frame->last[p];
}

/* Slabs of so many pairs that are in memory at once. */
static int64_t count_kept(const armilla_mixing *mixing, int64_t slab)
{
    int64_t most = 1;
    for (int64_t tile = 0; tile < mixing->ntiles; tile++)
        most = armilla_larger(most, last_seen(mixing, tile) / slab - tile * TILE / slab + 1);
    return most;
}

/* Doubles of the orders that are in memory at once, input and output. */
static int64_t slabs_size(const armilla_mixing *mixing, int64_t slab, int64_t in_pass)
{
    return 2 * count_kept(mixing, slab) * slab * in_pass * PAIR;
}

/* Spans of orders, in twos. */
static int64_t count_twos(const armilla_mixing *mixing)
{
    return (mixing->nspans + 1) / 2;
}

/* As many as keep orders in memory below 15 % of input and output, or 7/8 of a megabyte, all alike.
 * Each one makes the samples of the kernel again: five take a sixth more time than one (a disc of
 * 16 degrees, 1024 Gauss-Legendre rings). A smooth kernel's spans of orders share their sums in
 * twos, so that they go together. */
static int64_t count_passes(const armilla_mixing *mixing, int64_t slab)
{
    const int64_t twos = count_twos(mixing), two = slabs_size(mixing, slab, 2);
    const int64_t most = armilla_larger(mixing->npixels * 3 / 10, 7 << 14);
    const int64_t fit = armilla_larger(1, most / two);
    return mixing->frame.smooth || twos == 0 ? 1 : (twos + fit - 1) / fit;
}

/* A slab holds at least two tiles, or one where that spares passes. */
static int64_t least_slab(const armilla_mixing *mixing)
{
    return count_passes(mixing, TILE) < count_passes(mixing, 2 * TILE) ? TILE : 2 * TILE;
}

/* A slab is at most 1/25 of all pairs, and orders in memory are at most 12 % of input and
 * output, as far as the least slab allows. */
static armilla_status choose_slabs(armilla_mixing *mixing)
{
    const int64_t count = mixing->frame.pairs.count, most = mixing->npixels * 6 / 25;
    const int64_t least = least_slab(mixing);
    int64_t slab = count / 25 / TILE * TILE;
    while (slab > least && slabs_size(mixing, slab, mixing->nspans) > most)
        slab = slab * 3 / 4 / TILE * TILE;
    mixing->slab = armilla_larger(slab, least);
    mixing->nkept = count_kept(mixing, mixing->slab);
    mixing->nslabs = (count + mixing->slab - 1) / mixing->slab;
    mixing->npasses = count_passes(mixing, mixing->slab);
    mixing->in_pass = 2 * ((count_twos(mixing) + mixing->npasses - 1) / mixing->npasses);
    const armilla_status status =
        armilla_allocate_zero(&mixing->slab_spans, mixing->nslabs, sizeof(int64_t));
    return status ? status
                  : armilla_allocate_zero(&mixing->slab_last, mixing->nslabs, sizeof(int64_t));
}

static void find_slabs(armilla_mixing *mixing)
{
    for (int64_t tile = 0; tile < mixing->ntiles; tile++) {
        const int64_t s = tile * TILE / mixing->slab, last = last_seen(mixing, tile) / mixing->slab;
        mixing->slab_last[s] = armilla_larger(mixing->slab_last[s], last);
        for (int64_t i = s; i <= last; i++)
            mixing->slab_spans[i] =
                armilla_larger(mixing->slab_spans[i], mixing->tiles[tile].nspans);
    }
}

/* --- Rounds ---------------------------------------------------------------------------------- */

static int64_t end_of_segments(const armilla_mixing_tile *tile)
{
    return tile->first_segment + tile->nsegments;
}

static armilla_status make_segments(armilla_mixing *mixing)
{
    for (int64_t tile = 0; tile < mixing->ntiles; tile++) {
        armilla_mixing_list none = {.to = 0};
        armilla_mixing_list_segments(mixing, tile, &none);
        mixing->tiles[tile].first_segment = mixing->nsegments;
        mixing->tiles[tile].nsegments = none.seen;
        mixing->nsegments += none.seen;
    }
    armilla_status status =
        armilla_allocate(&mixing->starts, mixing->nsegments + 1, sizeof *mixing->starts);
    if (status) return status;
    armilla_mixing_list list = {.to = INT64_MAX};
    for (int64_t tile = 0; tile < mixing->ntiles; tile++) {
        list.seen = 0, list.starts = mixing->starts + mixing->tiles[tile].first_segment;
        armilla_mixing_list_segments(mixing, tile, &list);
    }
    mixing->starts[mixing->nsegments] = (armilla_mixing_start){list.nfours, list.nsamples};
    return ARMILLA_OK;
}

static int has_room(const armilla_mixing *mixing, int64_t from, int64_t to)
{
    return mixing->starts[to].samples - mixing->starts[from].samples <= armilla_mixing_room(mixing);
}

static int fits_round(const armilla_mixing *mixing, const armilla_mixing_round *round, int64_t tile)
{
    const int64_t first = round->first;
    return tile * TILE / mixing->slab == first * TILE / mixing->slab &&
           mixing->tiles[tile].nspans == mixing->tiles[first].nspans &&
           has_room(mixing, round->from, end_of_segments(&mixing->tiles[tile]));
}

/* Counts a round, and stores it if there is room. */
static void add_round(armilla_mixing *mixing, const armilla_mixing_round *round)
{
    const armilla_mixing_start *from = &mixing->starts[round->from],
                               *to = &mixing->starts[round->to];
    if (mixing->rounds) mixing->rounds[mixing->nrounds] = *round;
    mixing->nrounds++;
    mixing->most_samples = armilla_larger(mixing->most_samples, to->samples - from->samples);
    mixing->most_fours = armilla_larger(mixing->most_fours, to->fours - from->fours);
    mixing->most_segments = armilla_larger(mixing->most_segments, round->to - round->from);
}

/* Tiles from `first` on, at least one; of one that is too large, segments from `from` on. */
static armilla_mixing_round next_round(const armilla_mixing *mixing, int64_t first, int64_t from)
{
    armilla_mixing_round round = {.first = first, .count = 1, .from = from};
    const int64_t end = end_of_segments(&mixing->tiles[first]);
    round.to = end;
    while (round.to > from + 1 && !has_room(mixing, from, round.to)) round.to--;
    round.last = round.to == end;
    if (from > mixing->tiles[first].first_segment || !round.last) return round;
    while (first + round.count < mixing->ntiles && fits_round(mixing, &round, first + round.count))
        round.to = end_of_segments(&mixing->tiles[first + round.count++]);
    return round;
}

static void make_rounds(armilla_mixing *mixing)
{
    mixing->nrounds = 0;
    for (int64_t tile = 0, from = 0; tile < mixing->ntiles;) {
        const armilla_mixing_round round = next_round(mixing, tile, from);
        add_round(mixing, &round);
        from = round.to;
        if (round.last) tile += round.count;
    }
}

armilla_status armilla_mixing_make_slabs(armilla_mixing *mixing)
{
    armilla_status status = choose_slabs(mixing);
    if (status) return status;
    find_slabs(mixing);
    if ((status = make_segments(mixing))) return status;
    make_rounds(mixing);
    if ((status = armilla_allocate(&mixing->rounds, mixing->nrounds, sizeof *mixing->rounds)))
        return status;
    make_rounds(mixing);
    return ARMILLA_OK;
}

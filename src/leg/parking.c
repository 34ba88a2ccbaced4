/* Stores entries of the ring spectrum in the very map or alm that the call will write in the end,
 * and takes them out again just before they are overwritten, so that little memory besides is
 * needed. */
#include "leg/parking.h"

#include "base/compiler.h"
#include "base/integer.h"
#include "base/memory.h"
#include "base/nested.h"

#include <string.h>

enum {
    ENTRY = 4,
    ENTRY_BYTES = ENTRY * (int)sizeof(double),
    TOGETHER = 8, /* orders that are not torn apart */
    LINE = 8      /* doubles of a cache line */
};

/* --- In maps --------------------------------------------------------------------------------- */

/* How many of `count` entries the ring of a number takes; number -1: there is no ring. */
static int64_t room_of_ring(const armilla_ring *rings, int64_t number, int64_t count)
{
    if (number < 0 || (rings[number].stride != 1 && rings[number].stride != 0)) return 0;
    const int64_t rows = (rings[number].nphi - (LINE - 1)) / ENTRY;
    return rows >= count ? count : armilla_larger(rows, 0) / TOGETHER * TOGETHER;
}

static armilla_home_place place_pair(const armilla_ring_pairs *pairs, const armilla_ring *rings,
                                     int nested, int64_t pair, int64_t *rest_size)
{
    const int64_t number[2] = {pairs->north[pair], pairs->south[pair]};
    armilla_home_place place = {.rest = *rest_size};
    int64_t count = armilla_ring_pairs_orders(pairs, pair);
    for (int i = 0; i < 2; i++) {
        if (number[i] >= 0) place.ring[i] = nested ? number[i] : rings[number[i]].offset;
        place.nrows[i] = room_of_ring(rings, number[i], count);
        count -= place.nrows[i];
    }
    *rest_size += armilla_round_line(ENTRY * count);
    return place;
}

armilla_status armilla_leg_home_in_maps(const armilla_ring_pairs *pairs, const armilla_ring *rings,
                                        int64_t nside, armilla_leg_home *home)
{
    *home = (armilla_leg_home){.npairs = 0};
    armilla_status status = armilla_allocate(&home->places, pairs->count, sizeof *home->places);
    if (status) return status;
    home->pairs = pairs, home->npairs = pairs->count;
    if (nside) home->nested = armilla_nested_scheme(nside);
    for (int64_t pair = 0; pair < pairs->count; pair++)
        home->places[pair] = place_pair(pairs, rings, nside > 0, pair, &home->rest_size);
    return ARMILLA_OK;
}

void armilla_leg_home_clear(armilla_leg_home *home)
{
    armilla_release(home->places);
    *home = (armilla_leg_home){.npairs = 0};
}

int64_t armilla_leg_home_bytes(const armilla_leg_home *home)
{
    return home->places ? home->npairs * (int64_t)sizeof *home->places : 0;
}

static double *next_line(double *place)
{
    const uintptr_t line = LINE * sizeof(double);
    return place + (line - (uintptr_t)place % line) % line / sizeof(double);
}

/* Entries from an order on, between the pixels of a ring and rows, `row_length` doubles apart. */
ARMILLA_ALWAYS_INLINE void move_nested(const armilla_leg_home *home, int64_t ring, int64_t first,
                                       int64_t count, double *map, double *rows, int64_t row_length,
                                       const int put)
{
    const int64_t end = ENTRY * (first + count);
    int64_t i = 0; /* of an entry */
    for (int64_t j = ENTRY * first; j < end;) {
        armilla_nested_run run = armilla_nested_run_at(&home->nested, ring, j, end - j);
        double *face = map + run.face;
        j += run.count;
        for (int64_t k = 0; k < run.count; k++) {
            double *pixel = &face[run.x | run.y];
            if (put)
                *pixel = rows[i];
            else
                rows[i] = *pixel;
            armilla_nested_step(&run);
            if (++i == ENTRY) i = 0, rows += row_length;
        }
    }
}

/* The same where the entry of order m of a pair is, or the rest. Returned: how many entries, at
 * most `most`. */
ARMILLA_ALWAYS_INLINE int64_t move_entries(const armilla_leg_home *home, int64_t set, int64_t pair,
                                           int64_t m, int64_t most, double *rows,
                                           int64_t row_length, const int put)
{
    const armilla_home_place *place = &home->places[pair];
    double *map = home->values + set * home->distance;
    for (int i = 0; i < 2; i++) {
        const int64_t count = armilla_smaller(place->nrows[i] - m, most);
        if (count > 0) {
            move_nested(home, place->ring[i], m, count, map, rows, row_length, put);
            return count;
        }
        m -= place->nrows[i];
    }
    double *rest = home->rest + set * home->rest_size + place->rest + ENTRY * m;
    for (int64_t k = 0; k < most; k++, rest += ENTRY, rows += row_length)
        memcpy(put ? rest : rows, put ? rows : rest, ENTRY_BYTES);
    return most;
}

/* Where the entry of an order is, and, in *count, how many orders from it on are there in sequence.
 * Order m is m steps here. */
static double *find_entry(const armilla_leg_home *home, int64_t set, int64_t pair, int64_t m,
                          int64_t *count)
{
    const armilla_home_place *place = &home->places[pair];
    double *map = home->values + set * home->distance;
    for (int i = 0; i < 2; i++) {
        *count = place->nrows[i] - m;
        if (*count > 0) return next_line(map + place->ring[i]) + ENTRY * m;
        m -= place->nrows[i];
    }
    *count = INT64_MAX;
    return home->rest + set * home->rest_size + place->rest + ENTRY * m;
}

void armilla_parking_put_orders(const armilla_leg_home *home, const armilla_leg_copies *copies,
                                int far, int64_t set, int64_t first, int64_t count,
                                const double *rows, int64_t row_length)
{
    const armilla_ring_pairs *pairs = home->pairs;
    const int64_t least = armilla_ring_pairs_first(pairs, first * pairs->step);
    for (int64_t pair = least; pair < pairs->count; pair++) {
        const double *from = rows + ENTRY * pair;
        const int64_t end = armilla_smaller(count, armilla_ring_pairs_orders(pairs, pair) - first);
        int64_t together;
        for (int64_t i = 0; i < end && home->nested.nside; i += together)
            together = move_entries(home, set, pair, first + i, end - i,
                                    (double *)from + i * row_length, row_length, 1);
        if (home->nested.nside) continue;
        for (int64_t i = 0; i < end; i += together, from += together * row_length) {
            double *to = find_entry(home, set, pair, first + i, &together);
            together = armilla_smaller(together, end - i);
            copies->entries(to, from, row_length, together, far);
        }
    }
}

/* Orders of one pair, to every width'th place of columns. */
static void take_pair(const armilla_leg_home *home, int64_t set, int64_t pair, int64_t width,
                      double *columns)
{
    const int64_t end = armilla_ring_pairs_orders(home->pairs, pair);
    int64_t together;
    for (int64_t m = 0; m < end; m += together) {
        const double *from = find_entry(home, set, pair, m, &together);
        together = armilla_smaller(together, end - m);
        for (int64_t k = 0; k < together; k++, columns += width)
            memcpy(columns, from + ENTRY * k, ENTRY_BYTES);
    }
}

/* A few orders of all pairs at a time: their entries share cache lines. */
static void take_nested(const armilla_leg_home *home, int64_t set, int64_t pair, int64_t count,
                        double *columns)
{
    const int64_t *limit = home->pairs->limit + pair, width = ENTRY * count;
    for (int64_t first = 0; first <= limit[count - 1]; first += 2 * TOGETHER)
        for (int64_t i = 0; i < count; i++) {
            const int64_t end = armilla_smaller(first + 2 * TOGETHER, limit[i] + 1);
            double *to = columns + first * width + ENTRY * i;
            for (int64_t m = first, some; m < end; m += some, to += some * width)
                some = move_entries(home, set, pair + i, m, end - m, to, width, 0);
        }
}

void armilla_parking_take_pairs(const armilla_leg_home *home, int64_t set, int64_t pair,
                                int64_t count, double *columns)
{
    if (home->nested.nside) {
        take_nested(home, set, pair, count, columns);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        take_pair(home, set, pair + i, ENTRY * count, columns + ENTRY * i);
}

/* --- In alm ---------------------------------------------------------------------------------- */

/* Entries of an order lie at the end of its row, that of the last pair last. */
armilla_leg_home armilla_leg_home_in_alm(const armilla_ring_pairs *pairs, int64_t lmax,
                                         int64_t mmax)
{
    armilla_leg_home home = {.pairs = pairs, .npairs = pairs->count};
    for (int64_t m = 0; m <= mmax; m += pairs->step) {
        const int64_t end = armilla_ring_pairs_first(pairs, m) + (lmax - m + 1) * 2 / ENTRY;
        home.npairs = armilla_smaller(home.npairs, end);
    }
    return home;
}

static double *find_in_alm(const armilla_leg_home *home, int64_t set, int64_t pair, int64_t m)
{
    const int64_t end = 2 * (home->mstart[m] + home->lmax + 1);
    return home->values + set * home->distance + end - ENTRY * (home->npairs - pair);
}

void armilla_parking_put_pairs(const armilla_leg_home *home, int64_t set, int64_t pair,
                               int64_t count, const double *columns)
{
    const int64_t *limit = home->pairs->limit + pair;
    const int64_t step = home->pairs->step;
    for (int64_t m = 0, i = 0; m <= limit[count - 1]; m += step, columns += ENTRY * count) {
        while (limit[i] < m) i++;
        memcpy(find_in_alm(home, set, pair + i, m), columns + ENTRY * i,
               ENTRY_BYTES * (size_t)(count - i));
    }
}

void armilla_parking_take_order(const armilla_leg_home *home, int64_t set, int64_t m, double *row)
{
    const int64_t first = armilla_ring_pairs_first(home->pairs, m);
    if (first >= home->npairs) return;
    memcpy(row + ENTRY * first, find_in_alm(home, set, first, m),
           ENTRY_BYTES * (size_t)(home->npairs - first));
}

/* Stores entries of the ring spectrum in the very map or alm that the call will write in the end,
 * and takes them out again just before they are overwritten, so that little memory besides is
 * needed. */
#include "leg/parking.h"

#include "base/integer.h"
#include "base/memory.h"

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
    if (number < 0 || rings[number].stride != 1) return 0;
    const int64_t rows = (rings[number].nphi - (LINE - 1)) / ENTRY;
    return rows >= count ? count : armilla_larger(rows, 0) / TOGETHER * TOGETHER;
}

static armilla_home_place place_pair(const armilla_ring_pairs *pairs, const armilla_ring *rings,
                                     int64_t pair, int64_t *rest_size)
{
    const int64_t number[2] = {pairs->north[pair], pairs->south[pair]};
    armilla_home_place place = {.rest = *rest_size};
    int64_t count = armilla_ring_pairs_orders(pairs, pair);
    for (int i = 0; i < 2; i++) {
        place.ring[i] = number[i] < 0 ? 0 : rings[number[i]].offset;
        place.nrows[i] = room_of_ring(rings, number[i], count);
        count -= place.nrows[i];
    }
    *rest_size += armilla_round_line(ENTRY * count);
    return place;
}

armilla_status armilla_leg_home_in_maps(const armilla_ring_pairs *pairs, const armilla_ring *rings,
                                        armilla_leg_home *home)
{
    *home = (armilla_leg_home){.npairs = 0};
    armilla_status status = armilla_allocate(&home->places, pairs->count, sizeof *home->places);
    if (status) return status;
    home->pairs = pairs, home->npairs = pairs->count;
    for (int64_t pair = 0; pair < pairs->count; pair++)
        home->places[pair] = place_pair(pairs, rings, pair, &home->rest_size);
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

void armilla_parking_take_pairs(const armilla_leg_home *home, int64_t set, int64_t pair,
                                int64_t count, double *columns)
{
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

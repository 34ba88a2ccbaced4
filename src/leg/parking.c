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

static armilla_parking_place place_pair(const armilla_ring_pairs *pairs, const armilla_ring *rings,
                                        int64_t pair, int64_t *rest_size)
{
    const int64_t number[2] = {pairs->north[pair], pairs->south[pair]};
    armilla_parking_place place = {.rest = *rest_size};
    int64_t count = pairs->limit[pair] + 1;
    for (int i = 0; i < 2; i++) {
        place.ring[i] = number[i] < 0 ? 0 : rings[number[i]].offset;
        place.nrows[i] = room_of_ring(rings, number[i], count);
        count -= place.nrows[i];
    }
    *rest_size += armilla_round_line(ENTRY * count);
    return place;
}

armilla_status armilla_map_parking_make(const armilla_ring_pairs *pairs, const armilla_ring *rings,
                                        armilla_map_parking *parking)
{
    *parking = (armilla_map_parking){.pairs = pairs};
    armilla_status status =
        armilla_allocate(&parking->places, pairs->count, sizeof *parking->places);
    if (status) {
        armilla_map_parking_clear(parking);
        return status;
    }
    for (int64_t pair = 0; pair < pairs->count; pair++)
        parking->places[pair] = place_pair(pairs, rings, pair, &parking->rest_size);
    return ARMILLA_OK;
}

void armilla_map_parking_clear(armilla_map_parking *parking)
{
    armilla_release(parking->places);
    *parking = (armilla_map_parking){.pairs = NULL};
}

int64_t armilla_map_parking_bytes(const armilla_map_parking *parking)
{
    return parking->places ? parking->pairs->count * (int64_t)sizeof *parking->places : 0;
}

static double *next_line(double *place)
{
    const uintptr_t line = LINE * sizeof(double);
    return place + (line - (uintptr_t)place % line) % line / sizeof(double);
}

/* Where the entry of an order is, and, in *count, how many orders from it on are there in sequence.
 */
static double *find_entry(const armilla_leg_parking *parking, int64_t set, int64_t pair, int64_t m,
                          int64_t *count)
{
    const armilla_map_parking *maps = parking->maps;
    const armilla_parking_place *place = &maps->places[pair];
    double *map = parking->values + set * parking->distance;
    for (int i = 0; i < 2; i++) {
        *count = place->nrows[i] - m;
        if (*count > 0) return next_line(map + place->ring[i]) + ENTRY * m;
        m -= place->nrows[i];
    }
    *count = INT64_MAX;
    return parking->rest + set * maps->rest_size + place->rest + ENTRY * m;
}

void armilla_parking_put_orders(const armilla_leg_parking *parking, int64_t set, int64_t first,
                                int64_t count, const double *rows, int64_t row_length)
{
    const armilla_ring_pairs *pairs = parking->maps->pairs;
    for (int64_t pair = armilla_ring_pairs_first(pairs, first); pair < pairs->count; pair++) {
        const double *from = rows + ENTRY * pair;
        const int64_t end = armilla_smaller(count, pairs->limit[pair] + 1 - first);
        int64_t together;
        for (int64_t i = 0; i < end; i += together, from += together * row_length) {
            double *to = find_entry(parking, set, pair, first + i, &together);
            together = armilla_smaller(together, end - i);
            parking->copy(to, from, row_length, together, parking->stream);
        }
    }
    if (parking->stream) parking->stream_end();
}

/* Orders of one pair, to every width'th place of columns. */
static void take_pair(const armilla_leg_parking *parking, int64_t set, int64_t pair, int64_t width,
                      double *columns)
{
    const int64_t end = parking->maps->pairs->limit[pair] + 1;
    int64_t together;
    for (int64_t m = 0; m < end; m += together) {
        const double *from = find_entry(parking, set, pair, m, &together);
        together = armilla_smaller(together, end - m);
        for (int64_t k = 0; k < together; k++, columns += width)
            memcpy(columns, from + ENTRY * k, ENTRY_BYTES);
    }
}

void armilla_parking_take_pairs(const armilla_leg_parking *parking, int64_t set, int64_t pair,
                                int64_t count, double *columns)
{
    for (int64_t i = 0; i < count; i++)
        take_pair(parking, set, pair + i, ENTRY * count, columns + ENTRY * i);
}

/* --- In alm ---------------------------------------------------------------------------------- */

/* Entries of an order lie at the end of its row, that of the last pair last. */
int64_t armilla_alm_parking_pairs(const armilla_ring_pairs *pairs, int64_t lmax, int64_t mmax)
{
    int64_t count = pairs->count;
    for (int64_t m = 0; m <= mmax; m++)
        count =
            armilla_smaller(count, armilla_ring_pairs_first(pairs, m) + (lmax - m + 1) * 2 / ENTRY);
    return count;
}

static double *find_in_alm(const armilla_leg_parking *parking, int64_t set, int64_t pair, int64_t m)
{
    const int64_t end = 2 * (parking->mstart[m] + parking->lmax + 1);
    return parking->values + set * parking->distance + end - ENTRY * (parking->npairs - pair);
}

void armilla_parking_put_pairs(const armilla_leg_parking *parking, int64_t set, int64_t pair,
                               int64_t count, const double *columns)
{
    const int64_t *limit = parking->pairs->limit + pair;
    for (int64_t m = 0, i = 0; m <= limit[count - 1]; m++, columns += ENTRY * count) {
        while (limit[i] < m) i++;
        memcpy(find_in_alm(parking, set, pair + i, m), columns + ENTRY * i,
               ENTRY_BYTES * (size_t)(count - i));
    }
}

void armilla_parking_take_order(const armilla_leg_parking *parking, int64_t set, int64_t m,
                                double *row)
{
    const int64_t first = armilla_ring_pairs_first(parking->pairs, m);
    if (first >= parking->npairs) return;
    memcpy(row + ENTRY * first, find_in_alm(parking, set, first, m),
           ENTRY_BYTES * (size_t)(parking->npairs - first));
}

/* Where leg has no room in memory, it waits in the array that the call will write in the end:
 *
 *     synthesis   in the samples of the map, pair by pair: all orders of a pair
 *     analysis    in alm, order by order: of order m, the pairs from the poles on whose entries fit
 *                 into its row
 *
 * The stage that writes leg puts entries there; the other stage takes those of an order or a pair
 * just before it writes the same memory. Maps and alm hold doubles, alm without gaps in its rows.
 * docs/architecture.md 1. */
#ifndef ARMILLA_LEG_PARKING_H
#define ARMILLA_LEG_PARKING_H

#include "armilla/grid.h"
#include "leg/pairs.h"

/* --- In maps --------------------------------------------------------------------------------- */

/* The first orders of a pair are in its north ring, the next ones in its south ring. Those for
 * which the samples have no room, the rest, are in memory of the call. All three begin at a cache
 * line: in a ring at its first one, wherever the map begins. */
typedef struct armilla_parking_place {
    int64_t ring[2];  /* place of the first sample in the map */
    int64_t nrows[2]; /* orders in each ring, a multiple of eight unless it has all of them */
    int64_t rest;     /* place of the others, doubles */
} armilla_parking_place;

typedef struct armilla_map_parking {
    const armilla_ring_pairs *pairs; /* borrowed */
    armilla_parking_place *places;   /* of each pair */
    int64_t rest_size; /* doubles in memory of the call, for one set; whole cache lines */
} armilla_map_parking;

/* Given: the rings of the pairs; no two pairs share one. Errors: MEMORY; *parking is empty then. */
armilla_status armilla_map_parking_make(const armilla_ring_pairs *pairs, const armilla_ring *rings,
                                        armilla_map_parking *parking);
void armilla_map_parking_clear(armilla_map_parking *parking);
int64_t armilla_map_parking_bytes(const armilla_map_parking *parking);

/* --- A call ---------------------------------------------------------------------------------- */

/* Copies the first four doubles of each of `count` rows, one behind the other. stream: past the
 * caches where `to` allows that, see base/machine.h. */
typedef void (*armilla_parking_copy)(double *to, const double *from, int64_t row_length,
                                     int64_t count, int stream);

/* In maps (synthesis), then maps != NULL; or in alm (analysis), then npairs > 0. */
typedef struct armilla_leg_parking {
    const armilla_map_parking *maps;
    double *rest; /* of all sets */
    armilla_parking_copy copy;
    int stream;
    void (*stream_end)(void); /* comes before other threads read what went past the caches */

    const armilla_ring_pairs *pairs;
    int64_t npairs; /* in alm: the pairs 0 .. npairs - 1 */
    int64_t lmax;
    const int64_t *mstart; /* a_lm is complex number mstart[m] + l of its set */

    double *values;   /* map or alm */
    int64_t distance; /* doubles between the arrays of two sets */
} armilla_leg_parking;

/* How many pairs can have all their entries in alm. */
int64_t armilla_alm_parking_pairs(const armilla_ring_pairs *pairs, int64_t lmax, int64_t mmax);

/* The orders first .. first + count - 1 of all pairs and one set, from rows with all pairs, to the
 * map: entries that exist. From a multiple of eight on, that many are whole cache lines. */
void armilla_parking_put_orders(const armilla_leg_parking *parking, int64_t set, int64_t first,
                                int64_t count, const double *rows, int64_t row_length);

/* All orders of neighbouring pairs from the map, to rows of 4 count doubles. */
void armilla_parking_take_pairs(const armilla_leg_parking *parking, int64_t set, int64_t pair,
                                int64_t count, double *columns);

/* In alm it is the reverse. All orders of neighbouring pairs are put there, from rows of 4 count
 * doubles, and one order is taken, to the places of its pairs in a row with all pairs. */
void armilla_parking_put_pairs(const armilla_leg_parking *parking, int64_t set, int64_t pair,
                               int64_t count, const double *columns);
void armilla_parking_take_order(const armilla_leg_parking *parking, int64_t set, int64_t m,
                                double *row);

#endif

/* Puts entries of leg into the array that is their home, and takes them from there (leg/home.h). */
#ifndef ARMILLA_LEG_PARKING_H
#define ARMILLA_LEG_PARKING_H

#include "leg/home.h"
#include "leg/kernels/copies.h"

/* Maps: the rows first .. first + count - 1, of all orders, of all pairs and one set, from rows
 * with all pairs: entries that exist. From a multiple of eight on, that many are whole cache lines.
 * far: past the caches. */
void armilla_parking_put_orders(const armilla_leg_home *home, const armilla_leg_copies *copies,
                                int far, int64_t set, int64_t first, int64_t count,
                                const double *rows, int64_t row_length);

/* All orders of neighbouring pairs, to rows of 4 count doubles. */
void armilla_parking_take_pairs(const armilla_leg_home *home, int64_t set, int64_t pair,
                                int64_t count, double *columns);

/* In alm it is the reverse. All orders of neighbouring pairs are put there, from rows of 4 count
 * doubles, and one order is taken, to the places of its pairs in a row with all pairs. */
void armilla_parking_put_pairs(const armilla_leg_home *home, int64_t set, int64_t pair,
                               int64_t count, const double *columns);
void armilla_parking_take_order(const armilla_leg_home *home, int64_t set, int64_t m, double *row);

#endif

/* Synthesis of orders in two parts: what waits in the map in between. The first part's rows of leg,
 * four numbers each, are parked in the samples of their pair's rings, which the second part
 * overwrites. */
#ifndef ARMILLA_RINGFFT_PARKED_H
#define ARMILLA_RINGFFT_PARKED_H

#include "ringfft/ringfft.h"

/* How many rows of the first part a pair of rings of n samples parks; 0 where they do not fit. */
int64_t armilla_parked_rows(const armilla_ring_pair *pair, int64_t n);

/* Both rings exist, their samples are doubles without gaps: the first half of the rows lies in the
 * north ring, the rest in the south ring, each row as in leg. */
void armilla_rows_park(int64_t count, const double *leg, int64_t row_length,
                       double *const samples[2]);

/* The inverse, to rows of four doubles one behind the other. */
void armilla_rows_fetch(int64_t count, double *const samples[2], double *rows);

/* Any two rings: to 2 count complex numbers whose real parts are the north ring's numbers of the
 * rows, whose imaginary parts the south ring's, so that a ring that does not exist takes only its
 * own numbers with it. The same again is the inverse. from = to is allowed for row_length = 4. */
void armilla_rows_transpose(int64_t count, const double *from, int64_t row_length, double *to);

/* --- Rows of all orders ---------------------------------------------------------------------- */

/* Some neighbouring columns of a leg, `width` doubles, of all orders up to `last`. */
typedef struct armilla_all_rows {
    double *values; /* one row behind the other */
    int64_t width, last;
} armilla_all_rows;

/* The rows of a part, from its leg or to it; row 0 is at leg. */
void armilla_rows_from_part(armilla_orders part, const double *leg, int64_t row_length,
                            const armilla_all_rows *all);
void armilla_rows_to_part(armilla_orders part, const armilla_all_rows *all, double *leg,
                          int64_t row_length);

/* Parked rows of a pair whose last order is `last`, to the columns from `column` on. */
void armilla_rows_fetch_all(int64_t last, double *const samples[2], int64_t column,
                            const armilla_all_rows *all);

#endif

/* Which orders the rows of a leg have. All of them, or, to halve its memory, one of two parts, or a
 * list. Where a transform has every step'th order only (leg/pairs.h), an order here is a number of
 * steps. */
#ifndef ARMILLA_LEG_ORDERS_H
#define ARMILLA_LEG_ORDERS_H

#include <stdint.h>

/* The residues modulo 8 of a part are closed under change of sign, so that each part of a ring's
 * orders has Fourier transforms of its own, shorter ones (docs/mathematics.md (4.5)). Even and odd
 * orders take turns: the theta stage takes them in twos. */
typedef enum armilla_orders {
    ARMILLA_ORDERS_ALL = 0,    /* m = 0, 1, 2, ... */
    ARMILLA_ORDERS_FIRST = 1,  /* m = 0, 1, 4, 7 modulo 8 */
    ARMILLA_ORDERS_SECOND = 2, /* m = 2, 3, 6, 5 modulo 8 */
    ARMILLA_ORDERS_LISTED = 3  /* any list */
} armilla_orders;

/* Rows that hold the orders up to mmax. One row of a part may have an order above mmax (6, where
 * mmax is 5 modulo 8). */
int64_t armilla_orders_rows(armilla_orders kind, int64_t mmax);

/* The order of a row. Not of LISTED. */
int64_t armilla_orders_at(armilla_orders kind, int64_t row);

/* The inverse; -1 for an order of the other part. Not of LISTED. */
int64_t armilla_orders_row(armilla_orders kind, int64_t m);

/* Orders in twos, an even and an odd one of the same part: 0 1, 2 3, 4 7, 6 5, and so on modulo 8.
 * The theta stage transforms them together, so that bits of one depend on the other. Returned: the
 * number of the two to which m belongs. */
int64_t armilla_orders_two(int64_t m);

#endif

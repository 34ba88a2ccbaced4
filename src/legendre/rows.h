/* Rows of alm of one order, of all sets of a call, as the Legendre stage works on them: the
 * caller's own where they need no change on the way, else copies. */
#ifndef ARMILLA_LEGENDRE_ROWS_H
#define ARMILLA_LEGENDRE_ROWS_H

#include "alm/rows.h"
#include "legendre/legendre.h"

/* What the orders of a call have in common. */
typedef struct armilla_legendre_rows {
    const armilla_alm_rows *alm;
    int64_t in_place; /* the order from which on rows are the caller's */
    int64_t length;   /* doubles of a copy */
} armilla_legendre_rows;

armilla_legendre_rows armilla_legendre_rows_of(const armilla_legendre *legendre,
                                               const armilla_alm_rows *alm);

/* The part of the next function that makes copies. */
void armilla_legendre_rows_copy(const armilla_legendre_rows *rows, int64_t m, double *copies,
                                int filled, armilla_legendre_sets *sets);

/* Sets alm, alm_stride and add = 0 of sets. Given: sets->count; copies: length doubles for each
 * set. filled: with the array's numbers, for synthesis. Inline: small band limits have an order
 * every 50 nanoseconds. */
static inline void armilla_legendre_rows_bring(const armilla_legendre_rows *rows, int64_t m,
                                               double *copies, int filled,
                                               armilla_legendre_sets *sets)
{
    sets->add = 0;
    if (m < rows->in_place) {
        armilla_legendre_rows_copy(rows, m, copies, filled, sets);
        return;
    }
    sets->alm = armilla_alm_rows_place(rows->alm, m);
    sets->alm_stride = sets->count > 1 ? 2 * rows->alm->distance : 0;
}

/* What analysis has left goes to the array. */
void armilla_legendre_rows_return(const armilla_legendre_rows *rows, int64_t m,
                                  const armilla_legendre_sets *sets);

#endif

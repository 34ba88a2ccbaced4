/* Rows of alm of one order, of all sets of a call, as the Legendre stage works on them: the
 * caller's own where they need no change on the way, else copies; and the one way from there to
 * rows of leg and back, on which every stage with Legendre functions goes. */
#ifndef ARMILLA_LEGENDRE_ROWS_H
#define ARMILLA_LEGENDRE_ROWS_H

#include "alm/rows.h"
#include "leg/home.h"
#include "legendre/legendre.h"

/* What the orders of a call have in common. */
typedef struct armilla_legendre_rows {
    const armilla_legendre *legendre;
    const armilla_alm_rows *alm;
    int to_leg;       /* alm -> leg, or leg -> alm */
    int64_t in_place; /* the order from which on rows are the caller's */
    int64_t length;   /* doubles of a copy */
} armilla_legendre_rows;

armilla_legendre_rows armilla_legendre_rows_of(const armilla_legendre *legendre,
                                               const armilla_alm_rows *alm, int to_leg);

/* The part of the next function that makes copies. */
void armilla_legendre_rows_copy(const armilla_legendre_rows *rows, int64_t m, double *copies,
                                armilla_legendre_sets *sets);

/* Sets alm and alm_stride of sets. Given: sets->count; copies: length doubles for each set, which
 * get the array's numbers on the way to leg. Inline: small band limits have an order every 50
 * nanoseconds. */
static inline void armilla_legendre_rows_bring(const armilla_legendre_rows *rows, int64_t m,
                                               double *copies, armilla_legendre_sets *sets)
{
    if (m < rows->in_place) {
        armilla_legendre_rows_copy(rows, m, copies, sets);
        return;
    }
    sets->alm = armilla_alm_rows_place(rows->alm, m);
    sets->alm_stride = sets->count > 1 ? 2 * rows->alm->distance : 0;
}

/* What analysis has left goes to the array. */
void armilla_legendre_rows_return(const armilla_legendre_rows *rows, int64_t m,
                                  const armilla_legendre_sets *sets);

/* Row i of leg from the rows of alm of its order, or these from it: zeros where leg has no entry of
 * the order. Given: count, alm, alm_stride of sets. */
static inline void armilla_legendre_run_row(const armilla_legendre *legendre,
                                            const armilla_leg_rows *leg, int64_t i, int to_leg,
                                            armilla_legendre_sets *sets, double *scratch)
{
    const armilla_leg_layout *layout = leg->leg->layout;
    const int64_t row = leg->row + i, m = layout->orders[row];
    sets->add = 0;
    for (int64_t b = 0; b < layout->nblocks; b++) {
        const armilla_leg_block *block = &layout->blocks[b];
        if (row >= block->nrows) continue;
        sets->leg = armilla_leg_row(leg->leg, block, leg->set, row);
        sets->leg_stride = armilla_leg_set_length(block);
        (to_leg ? armilla_legendre_synthesis : armilla_legendre_analysis)(
            legendre, block->first, block->npairs, m, sets, scratch);
        sets->add = 1;
    }
    if (!to_leg && !sets->add) armilla_legendre_analysis(legendre, 0, 0, m, sets, scratch);
}

/* Brings the rows of alm, runs row i of leg, and returns them. */
void armilla_legendre_rows_run(const armilla_legendre_rows *rows, const armilla_leg_rows *leg,
                               int64_t i, double *copies, double *scratch);

#endif

/* Least squares min |b - A x| with an A that is known by its products only.
 * Of all solutions the one nearest to the first guess is found: without one that of smallest |x|.
 */
#ifndef ARMILLA_SHT_LSMR_H
#define ARMILLA_SHT_LSMR_H

#include "armilla/sht.h"
#include "sht/vector.h"

/* out <- A in, or out <- A^T in. Entries that it never writes count as 0. */
typedef armilla_status (*armilla_lsmr_operator)(void *context, const double *in, double *out);

typedef struct armilla_lsmr_problem {
    int64_t nrows, ncolumns;                    /* of this rank */
    const armilla_vector_space *rows, *columns; /* where vectors are cut, and other ranks; NULL:
                                                   blocks of equal length, one rank */
    armilla_lsmr_operator forward;              /* x, ncolumns values -> nrows values */
    armilla_lsmr_operator adjoint;              /* nrows values -> ncolumns values */
    void *context;                              /* of the operators */
    double tolerance;                           /* relative; used as at least the unit roundoff */
    int64_t max_iterations;
    int has_guess; /* x holds a first guess; else 0 is the guess */
    armilla_status (*agree)(void *context, armilla_status status); /* of ranks: an error of one is
                                                                      that of all; NULL: one rank */
    int nthreads;                 /* of the vector arithmetic, 0 = all; never changes a result */
    armilla_progress_fn progress; /* may be NULL; called before each iteration */
    void *progress_data;
} armilla_lsmr_problem;

/* Given:    problem;  b  nrows finite values, whose squares neither over- nor underflow;  x  the
 *           first guess, if there is one, of which the same holds.
 * Returned: x  ncolumns values, 0 if b is 0;  *report  as in armilla/sht.h, with map = b, Y = A, a
 * = x; norms are the running estimates of the method. b is overwritten. Errors:   MEMORY,
 * CANCELLED, what an operator returns; x is then undefined. */
armilla_status armilla_lsmr_solve(const armilla_lsmr_problem *problem, double *b, double *x,
                                  armilla_pseudo_report *report);

#endif

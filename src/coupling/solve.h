/* Square systems of equations that are small and dense: LU factors with rows exchanged, and how
 * well they can be solved. */
#ifndef ARMILLA_COUPLING_SOLVE_H
#define ARMILLA_COUPLING_SOLVE_H

#include <stdint.h>

/* Replaces a matrix of n rows by its factors.
 * Given:    lu  [n][n];  work[3 n].
 * Returned: lu, pivots[n];  *column  the first column that is a sum of those before it to rounding,
 *           or -1; then lu is of no use.
 *           The value: an estimate, from below, of the condition number in the 1-norm.
 * Reference: Higham 2002, Accuracy and Stability of Numerical Algorithms, algorithms 9.2 and 15.1.
 */
double armilla_lu_factorize(int64_t n, double *lu, int64_t *pivots, double *work, int64_t *column);

/* Solves A x = b in place. */
void armilla_lu_solve(int64_t n, const double *lu, const int64_t *pivots, double *x);

#endif

/* Long vectors on a team of threads. Sums run over blocks of fixed length that are added in a fixed
 * order: results do not depend on the number of threads. */
#ifndef ARMILLA_SHT_VECTOR_H
#define ARMILLA_SHT_VECTOR_H

#include <stdint.h>

/* Doubles of scratch the functions below need for vectors of up to n values. */
int64_t armilla_vector_scratch(int64_t n);

/* Returned: Euclidean norm of x. */
double armilla_vector_norm(int64_t n, const double *x, double *scratch, int nthreads);

/* y <- a x + b y. Returned: Euclidean norm of the new y. */
double armilla_vector_combine(int64_t n, double a, const double *x, double b, double *y,
                              double *scratch, int nthreads);

/* y[i] <- w[i] y[i], w >= 0. Returned: sqrt(sum w y^2) of the y before: its norm by these weights.
 */
double armilla_vector_weigh(int64_t n, const double *w, double *y, double *scratch, int nthreads);

/* y <- factor y */
void armilla_vector_scale(int64_t n, double factor, double *y, int nthreads);

#endif

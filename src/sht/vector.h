/* Long vectors on a team of threads, of one rank or spread over several. A vector falls into
 * segments, each of which is summed for itself; the sums of segments are added in a fixed order. So
 * results depend neither on the number of threads nor on which rank has which segments. */
#ifndef ARMILLA_SHT_VECTOR_H
#define ARMILLA_SHT_VECTOR_H

#include "base/status.h"

/* Replaces each of so many numbers >= 0 by the largest that any rank has. */
typedef void (*armilla_largest_fn)(void *context, int64_t count, double *values);

/* Where vectors of one kind are cut. Made by armilla_vector_space_make; then ranks may set the last
 * four fields. */
typedef struct armilla_vector_space {
    int64_t n;                  /* values of this rank */
    int64_t nsegments, *begin;  /* nsegments + 1 places */
    int64_t ntasks, *task;      /* ntasks + 1 numbers of segments: what a thread takes at once */
    double *sums;               /* of the segments of all ranks */
    int64_t nsums;              /* segments of all ranks */
    int64_t *number;            /* of each own segment among them; NULL: 0, 1, ... */
    armilla_largest_fn largest; /* NULL: there is one rank */
    void *context;
} armilla_vector_space;

/* Given:    lengths  of the segments; NULL: segments of one length, n values in all.
 *           nsums  of all ranks; 0: as many as there are here.
 * Errors:   MEMORY; *space is empty then. */
armilla_status armilla_vector_space_make(int64_t n, int64_t nsegments, const int64_t *lengths,
                                         int64_t nsums, armilla_vector_space *space);

/* Frees what the struct holds (number, too) and empties it. */
void armilla_vector_space_clear(armilla_vector_space *space);

/* Returned: Euclidean norm of x. */
double armilla_vector_norm(const armilla_vector_space *space, const double *x, int nthreads);

/* y <- a x + b y. Returned: Euclidean norm of the new y. */
double armilla_vector_combine(const armilla_vector_space *space, double a, const double *x,
                              double b, double *y, int nthreads);

/* y <- a x + b y, without a norm: nobody asks other ranks. */
void armilla_vector_add(const armilla_vector_space *space, double a, const double *x, double b,
                        double *y, int nthreads);

/* y[i] <- w[i] y[i], w >= 0. Returned: sqrt(sum w y^2) of the y before: its norm by these weights.
 */
double armilla_vector_weigh(const armilla_vector_space *space, const double *w, double *y,
                            int nthreads);

/* y <- factor y */
void armilla_vector_scale(const armilla_vector_space *space, double factor, double *y,
                          int nthreads);

#endif

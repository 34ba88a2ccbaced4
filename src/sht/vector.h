/* Long vectors on a team of threads, of one rank or spread over several. A vector falls into
 * segments, each of which is summed for itself; the sums of segments are added in a fixed order. So
 * results depend neither on the number of threads nor on which rank has which segments, or which
 * parts of one. */
#ifndef ARMILLA_SHT_VECTOR_H
#define ARMILLA_SHT_VECTOR_H

#include "base/status.h"

/* Replaces each of so many numbers >= 0 by the largest that any rank has. */
typedef void (*armilla_largest_fn)(void *context, int64_t count, double *values);

/* A segment of which several ranks have parts: all of them sum up the values of all. */
typedef struct armilla_shared_segment {
    int64_t number, length; /* among the segments of all ranks; values of all ranks */
    int64_t first;          /* of this rank's part, the place in the segment */
    int64_t values;         /* where its values begin, behind the sums; _share sets it */
} armilla_shared_segment;

/* Where vectors of one kind are cut. Made by armilla_vector_space_make; then ranks may set the
 * fields from `number` on. */
typedef struct armilla_vector_space {
    int64_t n;                 /* values of this rank */
    int64_t nsegments, *begin; /* nsegments + 1 places */
    int64_t ntasks, *task;     /* ntasks + 1 numbers of segments: what a thread takes at once */
    double *sums;              /* of the segments of all ranks; then values of shared ones */
    int64_t nsums, nvalues;    /* segments of all ranks; those values */
    int64_t *number;           /* of each own segment among them; NULL: 0, 1, ...; -1 - i: a part
                                  of shared[i] */
    int64_t nshared;
    armilla_shared_segment *shared;
    armilla_largest_fn largest; /* NULL: there is one rank */
    void *context;
} armilla_vector_space;

/* Given:    lengths  of the segments; NULL: segments of one length, n values in all.
 *           nsums  of all ranks; 0: as many as there are here.
 * Errors:   MEMORY; *space is empty then. */
armilla_status armilla_vector_space_make(int64_t n, int64_t nsegments, const int64_t *lengths,
                                         int64_t nsums, armilla_vector_space *space);

/* Makes room for the values of shared segments, which become the space's own: they are released
 * where that fails, too. Errors: MEMORY. */
armilla_status armilla_vector_space_share(armilla_vector_space *space, int64_t nshared,
                                          armilla_shared_segment *shared);

/* Frees what the struct holds (number and shared, too) and empties it. */
void armilla_vector_space_clear(armilla_vector_space *space);

/* Returned: Euclidean norm of x. */
double armilla_vector_norm(const armilla_vector_space *space, const double *x, int nthreads);

/* y <- a x + b y. Returned: Euclidean norm of the new y. */
double armilla_vector_combine(const armilla_vector_space *space, double a, const double *x,
                              double b, double *y, int nthreads);

/* y <- a x + b y, without a norm: nobody asks other ranks. */
void armilla_vector_add(const armilla_vector_space *space, double a, const double *x, double b,
                        double *y, int nthreads);

/* y[i] <- w[i] y[i] */
void armilla_vector_multiply(const armilla_vector_space *space, const double *w, double *y,
                             int nthreads);

/* The same, w >= 0, in a space without shared segments. Returned: sqrt(sum w y^2) of the y before:
 * its norm by these weights. */
double armilla_vector_weigh(const armilla_vector_space *space, const double *w, double *y,
                            int nthreads);

/* y <- factor y */
void armilla_vector_scale(const armilla_vector_space *space, double factor, double *y,
                          int nthreads);

#endif

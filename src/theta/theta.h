/* Between the rows of leg on two sets of rings, by way of the circle through both poles
 * (docs/mathematics.md 6):
 *
 *     from  ->  coefficients of the circle, frequencies up to a band  ->  to
 *
 * A column of order m is even in theta for even m + spin, else odd. The rings `from` are
 * equidistant: with their mirror images they fill a circle of P points, so that their samples
 * determine the coefficients up to frequency P / 2. The rings `to` are any. The other direction is
 * the exact transpose. Three uses:
 *
 * Fewer rings: the Legendre stage works on few equidistant rings, `from`; `to` are the rings of a
 * map. Exact, to rounding, for columns that are harmonics up to the band.
 *
 * Oversampling: `to` are equidistant, more than needed, and each frequency is divided by the
 * transform of a kernel, through which points anywhere see them (src/points). Frequencies may fade
 * around P / 2, those above it being made of their images below: for columns that are right on a
 * part of the rings only.
 *
 * Quadrature: `from` are the rings of a map; the Legendre stage works on Gauss-Legendre rings,
 * `to`, with their weights as factors: docs/mathematics.md (5.8a).
 *
 * `near` are the rings of the Legendre stage, `far` those of the leg that meets the ring FFTs. */
#ifndef ARMILLA_THETA_THETA_H
#define ARMILLA_THETA_THETA_H

#include "base/choice.h"
#include "leg/pairs.h"

typedef struct armilla_theta armilla_theta;

typedef struct armilla_theta_problem {
    armilla_machine machine;
    int64_t spin; /* any sign; adds to the parity of a column */
    int64_t band; /* highest frequency; 0 <= 2 band <= P. One of 2 band = P is cos of
                     P (theta - theta_0) / 2 for theta_0 of the first point. Where to_length is
                     given, band < P: the samples have the same coefficient at k and, conjugated
                     and turned, at P - k, and to_transform says how much of it either gets */
    const armilla_ring_pairs *from, *to; /* must outlive the object */
    int64_t circle_length;               /* P */
    int64_t half_shifted, first; /* ring r of `from` is at pi (2 (r + first) + half_shifted) / P */
    const double *to_factor;     /* of each pair of `to`; NULL: 1. Copied */
    int near_is_to;              /* quadrature */
    /* equidistant rings `to`: ring r is at pi (2 r + 1) / to_length, and no pair has a factor */
    int64_t to_length;          /* even, its half possible for a lane FFT; >= 2 band + 1; 0: the
                                   rings are any */
    const double *to_transform; /* band + 1 numbers: frequency k is divided by the k-th, INFINITY
                                   leaves it out; NULL: 1 */

    armilla_forced *forced; /* choices by name, see choose.c; NULL: nothing is */
} armilla_theta_problem;

/* Errors: ARGUMENT, MEMORY. */
armilla_status armilla_theta_new(const armilla_theta_problem *problem, armilla_theta **theta);

/* NULL is allowed. */
void armilla_theta_free(armilla_theta *theta);

/* Memory that the object holds. */
int64_t armilla_theta_bytes(const armilla_theta *theta);

/* Tells the choices of the object. */
void armilla_theta_tell(const armilla_theta *theta, const armilla_teller *teller);

const armilla_machine *armilla_theta_machine(const armilla_theta *theta);
const armilla_ring_pairs *armilla_theta_near(const armilla_theta *theta);
const armilla_ring_pairs *armilla_theta_far(const armilla_theta *theta);

/* The highest frequency of order m in harmonics of degrees up to lmax: all higher ones are below
 * 1e-16 of the column's norm. An object made for this band in place of lmax serves all the orders
 * from m on. */
int64_t armilla_theta_band(int64_t lmax, int64_t m);

/* Rows of orders on both sides: [row][pair][4], north re, im, south re, im. Entry (m, pair) exists
 * if m <= limit[pair]: others are neither read nor written, and count as zeros. What a pair has of
 * a ring that is missing is not read either, and becomes 0. */
typedef struct armilla_theta_batch {
    int64_t count; /* rows; fastest for multiples of ARMILLA_THETA_BATCH, half of them even */
    const int64_t *orders; /* of each row, >= 0 */
    double *near, *far;
    int64_t near_length, far_length; /* doubles between rows */
} armilla_theta_batch;

enum { ARMILLA_THETA_BATCH = 8 }; /* rows that share the widest vectors */

/* Doubles of scratch, 64-byte aligned, that a call needs. */
int64_t armilla_theta_scratch_size(const armilla_theta *theta);

/* All rows at once. The orders of a two (leg/orders.h) share numbers, to rounding only: for results
 * that do not depend on how orders are put into batches, keep them in the same eight rows. Nothing
 * else that is in a batch changes bits.
 * Thread rule: any number of threads at once, each with its own scratch. */
void armilla_theta_to_far(const armilla_theta *theta, const armilla_theta_batch *batch,
                          double *scratch);
void armilla_theta_to_near(const armilla_theta *theta, const armilla_theta_batch *batch,
                           double *scratch);

#endif

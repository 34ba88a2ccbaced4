/* Between minimal equidistant rings and any rings: what lets the Legendre stage work on lmax + 2
 * rings however many a map has (docs/mathematics.md 6).
 *
 * The coarse rings lie at theta_i = pi i / (n - 1), 0 <= i < n, poles included. Both sides are rows
 * of leg, one per order, of ring pairs:
 *
 *     row[pair][4]    north re, north im, south re, south im
 *
 * Coarse pair i < (n + 1) / 2 holds the rings i and n - 1 - i; where these are one (n odd, the last
 * pair), it is north, and south is not read and becomes 0. Fine pair i holds the rings at theta[i]
 * and pi - theta[i].
 *
 * forward is exact, to rounding, for columns that are harmonics up to lmax: trigonometric
 * polynomials, even in theta for even m + spin, else odd. adjoint is its transpose on all rows. */
#ifndef ARMILLA_SHT_THETA_RESAMPLE_H
#define ARMILLA_SHT_THETA_RESAMPLE_H

#include "base/cpu.h"

typedef struct armilla_theta_resample armilla_theta_resample;

/* Rows of consecutive orders on one side. */
typedef struct armilla_theta_side {
    double *rows;          /* row of the first order */
    int64_t row_length;    /* doubles between rows */
    const int64_t *places; /* position of each pair in a row, in pairs; NULL: in order */
    int64_t first;         /* pairs before it are taken as 0 and not written */
} armilla_theta_side;

/* Number of coarse rings for a band limit: lmax + 2 or a few more. */
int64_t armilla_theta_resample_rings(int64_t lmax);

/* The highest frequency of order m in harmonics of degrees up to lmax: all higher ones are below
 * 1e-16 of the column's norm. A resample made for this band in place of lmax serves all the orders
 * from m on. */
int64_t armilla_theta_resample_band(int64_t lmax, int64_t m);

/* Given:    isa, which this machine can run;  npairs >= 0;  theta[npairs], 0 <= theta <= pi / 2
 *           (copied; fastest if sorted);  lmax >= 0;  spin, which adds to the parity of a column.
 * Errors:   ARGUMENT, MEMORY. */
armilla_status armilla_theta_resample_new(armilla_isa isa, int64_t npairs, const double *theta,
                                          int64_t lmax, int64_t spin,
                                          armilla_theta_resample **resample);

/* NULL is allowed. */
void armilla_theta_resample_free(armilla_theta_resample *resample);

int64_t armilla_theta_resample_coarse_rings(const armilla_theta_resample *resample);

/* Orders that are as cheap as one. */
int64_t armilla_theta_resample_batch(const armilla_theta_resample *resample);

/* Doubles of scratch, 64-byte aligned, that a call needs. */
int64_t armilla_theta_resample_scratch_size(const armilla_theta_resample *resample);

/* Memory that the object holds. */
int64_t armilla_theta_resample_bytes(const armilla_theta_resample *resample);

/* Fine rows of the orders m .. m + norders - 1 from their coarse rows. Two orders
 * that share a lane do so to rounding only: for results that do not depend on the number of
 * threads, put the same orders together.
 * Thread rule: any number of threads at once, each with its own scratch. */
void armilla_theta_resample_forward(const armilla_theta_resample *resample, int64_t m,
                                    int64_t norders, const armilla_theta_side *coarse,
                                    const armilla_theta_side *fine, double *scratch);

/* Coarse rows from fine rows: the transpose. */
void armilla_theta_resample_adjoint(const armilla_theta_resample *resample, int64_t m,
                                    int64_t norders, const armilla_theta_side *fine,
                                    const armilla_theta_side *coarse, double *scratch);

#endif

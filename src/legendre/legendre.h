/* Legendre stage: alm <-> leg for scalar fields (docs/mathematics.md (1.9), (1.12), section 2).
 *
 *     synthesis  F_m(theta_r) = sum_l a_lm lambda_lm(theta_r)
 *     analysis   a_lm = sum_r lambda_lm(theta_r) G_m(theta_r)
 *
 * Rings come in pairs (theta, pi - theta), sorted from the pole to the equator; a ring without a
 * mirror image is half a pair. The layout of leg, fixed here once for all stages:
 *
 *     leg[m - mfirst][pair - block.first][4]   north re, north im, south re, south im
 *
 * for one block of pairs, rows `armilla_legendre_row_length(block)` doubles apart. Entries of pairs
 * whose limit is below m are neither written nor read. */
#ifndef ARMILLA_LEGENDRE_LEGENDRE_H
#define ARMILLA_LEGENDRE_LEGENDRE_H

#include "base/cpu.h"
#include "legendre/kernels/kernels.h"

typedef struct armilla_legendre {
    armilla_isa isa;
    const armilla_kernels *kernels;
    int64_t lmax, mfirst, mmax;

    /* ring pairs */
    int64_t npairs, npadded;
    int64_t *north, *south;       /* ring numbers; -1: missing (both: a filler) */
    int64_t *limit;               /* largest order that matters on the pair */
    double *argument, *cos_theta; /* as in armilla_kernel_order */
    int64_t ngroups;
    armilla_kernel_group *groups;
    int64_t nhigh;                           /* rows of the tables of high powers */
    double *power_mantissa, *power_exponent; /* [64 + nhigh][npadded]: sin^j, then sin^(64 j) */

    /* recurrence */
    double *root;                 /* sqrt(i) */
    double *scale, *square_scale; /* 1 / sqrt(4 l^2 - 1), 1 / (4 l^2 - 1) */
    double *start;                /* p_0 / sin^m theta, per order */
    int64_t *table_start;         /* first step of each order in the next two */
    double *a, *alpha;            /* a_k, alpha_k */
    int64_t bytes;                /* memory held */
} armilla_legendre;

/* A run of groups that is transformed at once. */
typedef struct armilla_legendre_block {
    int64_t first_group, ngroups;
    int64_t first, npairs; /* pairs, padding included in the last block */
} armilla_legendre_block;

/* Makes the tables for orders mfirst..mmax on rings with the given colatitudes (radians, copied).
 * Errors: MEMORY, UNSUPPORTED. */
armilla_status armilla_legendre_new(armilla_isa isa, int64_t lmax, int64_t mfirst, int64_t mmax,
                                    int64_t nrings, const double *theta,
                                    armilla_legendre **legendre);
void armilla_legendre_free(armilla_legendre *legendre);

/* Cuts the pairs into blocks of whole groups, at least npairs each but the last; index runs from 0.
 * Returned: 0 past the end. */
int armilla_legendre_get_block(const armilla_legendre *legendre, int64_t npairs, int64_t index,
                               armilla_legendre_block *block);
int64_t armilla_legendre_row_length(const armilla_legendre_block *block);

/* Scratch of one thread: doubles, 64-byte aligned. */
int64_t armilla_legendre_scratch_size(const armilla_legendre *legendre, int64_t block_npairs);

/* Doubles in the alm row of order m: complex numbers for l = m .. lmax and zeros behind. */
int64_t armilla_legendre_alm_row(const armilla_legendre *legendre, int64_t m);

/* One order on one block. alm: row as above, zeros behind lmax. leg_row: row m of leg.
 * Thread rule: any number of threads at once, each with its own scratch. */
void armilla_legendre_synthesis(const armilla_legendre *legendre,
                                const armilla_legendre_block *block, int64_t m, const double *alm,
                                double *leg_row, double *scratch);

/* Adds to alm. Entries behind lmax are undefined afterwards. */
void armilla_legendre_analysis(const armilla_legendre *legendre,
                               const armilla_legendre_block *block, int64_t m,
                               const double *leg_row, double *alm, double *scratch);

/* lambda_lm(theta) for l = m .. lmax with the kernels and tables of the transforms (for tests).
 * Error: <= 5e-16 max(l, 100) times the largest |lambda_lm| of the degree. */
armilla_status armilla_legendre_row(armilla_isa isa, int64_t lmax, int64_t m, double theta,
                                    double *lambda);

/* Useful flops of one synthesis or analysis: 3 per degree, order and ring, where l sin theta > m.
 */
double armilla_legendre_flops(const armilla_legendre *legendre);

/* --- inside src/legendre --- */
armilla_status armilla_legendre_make_pairs(armilla_legendre *legendre, int64_t nrings,
                                           const double *theta);
armilla_status armilla_legendre_make_tables(armilla_legendre *legendre);
int64_t armilla_legendre_steps(const armilla_legendre *legendre, int64_t m);
enum { ARMILLA_LEGENDRE_LOW = 64 }; /* sin^m = low[m % 64] * high[m / 64] */

#endif

/* Legendre stage: alm <-> leg (docs/mathematics.md (1.9), (1.12), sections 2 and 3).
 *
 *     synthesis  F_m(theta_r) = sum_l a_lm lambda_lm(theta_r)
 *     analysis   a_lm = sum_r lambda_lm(theta_r) G_m(theta_r)
 *
 * and the same for fields of spin s, whose two components (E, B in alm; Q, U in leg) are the two
 * sets of a call. A call for scalars may hold several transforms, which share the recurrence.
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
#include "base/memory.h"
#include "leg/leg.h"
#include "legendre/kernels/kernels.h"

typedef struct armilla_legendre_spin armilla_legendre_spin; /* legendre/spin.h */

typedef struct armilla_legendre_problem {
    armilla_isa isa;
    int64_t lmax, mfirst, mmax;
    int64_t spin;        /* any sign */
    int recurrence_only; /* spin 1, 2, 3: never as sums of scalar functions */
    int64_t nrings;
    const double *theta; /* radians, copied */
} armilla_legendre_problem;

/* What belongs to the steps of an order, whatever the colatitude; (2.4), (2.11) and kernels.h. */
typedef struct armilla_legendre_table {
    double *a;
    double *pair;    /* u_k, alpha_k */
    double *v;       /* v[-1] is there, too */
    double *ceiling; /* one per ARMILLA_KERNEL_STEPS steps */
} armilla_legendre_table;

typedef struct armilla_legendre {
    armilla_isa isa;
    const armilla_kernels *kernels;
    int64_t lmax, mfirst, mmax;
    int64_t spin;  /* >= 0 */
    double twist;  /* -1 for a negative spin, else 1 */
    double border; /* colatitude below which the groups are ARMILLA_FORM_SPIN */
    int64_t top;   /* last degree of the scalar recurrence: lmax + spin if groups use it */

    /* ring pairs */
    int64_t npairs, npadded;
    int64_t *north, *south;       /* ring numbers; -1: missing (both: a filler) */
    int64_t *limit;               /* largest order that matters on the pair */
    double *theta;                /* [npadded], <= pi/2 */
    double *argument, *cos_theta; /* as in armilla_kernel_order */
    int64_t ngroups;
    armilla_kernel_group *groups;
    int64_t nhigh;                           /* rows of the tables of high powers */
    double *power_mantissa, *power_exponent; /* [64 + nhigh][npadded]: sin^j, then sin^(64 j) */
    double *inverse_sine;                    /* +-1 / sin^spin theta, (3.5); NULL for spin 0 */

    /* recurrence */
    double *root;                     /* sqrt(i) */
    double *scale, *square_scale;     /* 1 / sqrt(4 l^2 - 1), 1 / (4 l^2 - 1) */
    double *start;                    /* p_0 / sin^m theta, per order */
    int64_t *table_start;             /* first step of each order in `table` */
    armilla_legendre_table table;     /* of all orders; NULL: made for each order of a call */
    armilla_legendre_spin *functions; /* NULL for spin 0 */
    int64_t bytes;                    /* memory held */
} armilla_legendre;

/* A run of groups that is transformed at once. */
typedef struct armilla_legendre_block {
    int64_t first_group, ngroups;
    int64_t first, npairs; /* pairs, padding included in the last block */
} armilla_legendre_block;

/* Makes the tables for orders mfirst..mmax. Errors: MEMORY. */
armilla_status armilla_legendre_new(const armilla_legendre_problem *problem,
                                    armilla_legendre **legendre);
void armilla_legendre_free(armilla_legendre *legendre);

/* Cuts the pairs into blocks of whole groups, at least npairs each but the last; index runs from 0.
 * Returned: 0 past the end. */
int armilla_legendre_get_block(const armilla_legendre *legendre, int64_t npairs, int64_t index,
                               armilla_legendre_block *block);
int64_t armilla_legendre_row_length(const armilla_legendre_block *block);

/* Scratch of one thread for calls of up to nsets sets: doubles, 64-byte aligned. */
int64_t armilla_legendre_scratch_size(const armilla_legendre *legendre, int64_t block_npairs,
                                      int64_t nsets);

/* Steps of order m, with padding. */
static inline int64_t armilla_legendre_steps(const armilla_legendre *legendre, int64_t m)
{
    int64_t steps = (legendre->top - m) / 2 + 1;
    return (steps + ARMILLA_KERNEL_STEPS - 1) / ARMILLA_KERNEL_STEPS * ARMILLA_KERNEL_STEPS;
}

/* Doubles in the alm row of order m: complex numbers for l = m .. lmax and zeros behind. */
static inline int64_t armilla_legendre_alm_row(const armilla_legendre *legendre, int64_t m)
{
    return armilla_round_line(4 * armilla_legendre_steps(legendre, m) + 4 +
                              (legendre->spin ? 2 * ARMILLA_KERNEL_STEPS : 0));
}

/* Sets of scalars that one call of analysis should hold at most. With vectors of eight lanes and
 * few steps, the kernel for one set is the faster one: what it does besides the sums is little, and
 * the sums of several sets are read again and again. */
static inline int64_t armilla_legendre_analysis_sets(const armilla_legendre *legendre)
{
    return legendre->kernels->vector_length > 4 && legendre->lmax < 700 ? 1 : ARMILLA_SETS_MAX;
}

/* The coefficients and leg rows of one call: 1 .. ARMILLA_SETS_MAX sets, 2 for spin > 0. */
typedef struct armilla_legendre_sets {
    int64_t count;
    double *alm; /* rows of armilla_legendre_alm_row doubles, zeros behind lmax */
    int64_t alm_stride;
    double *leg; /* rows of armilla_legendre_row_length(block) doubles */
    int64_t leg_stride;
} armilla_legendre_sets;

/* One order on one block: alm -> leg.
 * Thread rule: any number of threads at once, each with its own scratch. */
void armilla_legendre_synthesis(const armilla_legendre *legendre,
                                const armilla_legendre_block *block, int64_t m,
                                const armilla_legendre_sets *sets, double *scratch);

/* leg -> alm: adds to alm. Entries behind lmax are undefined afterwards. */
void armilla_legendre_analysis(const armilla_legendre *legendre,
                               const armilla_legendre_block *block, int64_t m,
                               const armilla_legendre_sets *sets, double *scratch);

/* lambda_lm(theta) for l = m .. lmax with the kernels and tables of the transforms (for tests).
 * Error: <= 5e-16 max(l, 100) times the largest |lambda_lm| of the degree. */
armilla_status armilla_legendre_row(armilla_isa isa, int64_t lmax, int64_t m, double theta,
                                    double *lambda);

/* Useful flops of one synthesis or analysis, counted where l sin theta > m, per degree, order and
 * ring: 3 for scalars; 5 for spin functions as sums of scalar ones, 12 by their own recurrence. */
double armilla_legendre_flops(const armilla_legendre *legendre);

/* --- inside src/legendre --- */
armilla_status armilla_legendre_make_pairs(armilla_legendre *legendre,
                                           const armilla_legendre_problem *problem);
armilla_status armilla_legendre_make_tables(armilla_legendre *legendre);

/* The steps of order m. work: armilla_legendre_table_work doubles. */
int64_t armilla_legendre_table_work(const armilla_legendre *legendre);
void armilla_legendre_fill_table(const armilla_legendre *legendre, int64_t m,
                                 const armilla_legendre_table *table, double *work);
void armilla_legendre_kept_table(const armilla_legendre *legendre, int64_t m,
                                 armilla_legendre_table *table);
void armilla_legendre_power(const armilla_legendre *legendre, int64_t exponent,
                            armilla_kernel_power *power);
enum {
    ARMILLA_LEGENDRE_LOW = 64,                              /* sin^m = low[m % 64] * high[m / 64] */
    ARMILLA_LEGENDRE_PADDING = 2 * ARMILLA_KERNEL_STEPS + 8 /* degrees behind the last one that
                                                               step arrays may touch */
};

/* value 2^shift as mantissa 2^exponent, 1/2 <= |mantissa| < 1 (0: exponent 0) */
void armilla_legendre_split(long double value, int64_t shift, double *mantissa, double *exponent);

#endif

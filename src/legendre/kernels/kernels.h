/* The inner loops of the Legendre stage, as the stage sees them: one table of functions per
 * instruction set.
 *
 * A kernel works on a group: up to `vectors` vectors of ring pairs (colatitudes theta, pi - theta)
 * at one order m. Step k of the recurrence covers the degrees l = m + 2k and m + 2k + 1:
 *
 *     p_{k+1} = (a_k y + b_k) p_k + p_{k-1}                              docs/mathematics.md (2.7)
 *
 * y is cos^2 theta, or sin^2 theta with a, b changed to suit near the poles, so that the rounding
 * of y never matters. Where y is nearly 0 (next to the equator or a pole) |b_k| is nearly 2 and a
 * rounding error would grow like the number of steps; there the fine forms carry the difference
 * from the solution for y = 0 instead of p_{k-1}:
 *
 *     d_{k+1} = (c0_k y) p_k + c1_k d_k,  p_{k+1} = c2_k p_k + d_{k+1},  d_0 = p_0          (2.9)
 *
 * Range: a value is p 2^(512 n) with a whole number n <= 0 per ring pair; n = 0 holds before |p|
 * reaches 2^-56. Only pairs with n = 0 contribute: what is dropped is below 2e-17 of the largest
 * coefficient.
 *
 * Assumptions: pair arrays are padded to whole vectors and 64-byte aligned; step arrays are padded
 * with zero steps to a multiple of ARMILLA_KERNEL_STEPS. Kernels do not allocate, fail, or keep
 * state. */
#ifndef ARMILLA_LEGENDRE_KERNELS_KERNELS_H
#define ARMILLA_LEGENDRE_KERNELS_KERNELS_H

#include <stdint.h>

enum {
    ARMILLA_KERNEL_STEPS = 8,     /* steps between two tests of the range */
    ARMILLA_ANALYSIS_STEPS = 128, /* steps whose lane sums stay in the first-level cache */
    ARMILLA_VECTOR_MAX = 8        /* largest VLEN */
};

/* How the recurrence is written on a group. */
enum {
    ARMILLA_FORM_EQUATOR = 0,      /* y = cos^2 theta */
    ARMILLA_FORM_POLE = 1,         /* y = sin^2 theta */
    ARMILLA_FORM_FINE_EQUATOR = 2, /* the same with differences */
    ARMILLA_FORM_FINE_POLE = 3,
    ARMILLA_FORM_COUNT = 4
};

/* Everything that belongs to one order m. Pair arrays are indexed by ring pair. */
typedef struct armilla_kernel_order {
    const double *argument;      /* y of each pair */
    const double *cos_theta;     /* of the northern ring, >= 0 */
    const double *high_mantissa; /* sin^m theta = high * low, mantissa * 2^exponent each */
    const double *high_exponent;
    const double *low_mantissa;
    const double *low_exponent;
    double start_mantissa;                        /* p_0 / sin^m theta */
    int64_t nsteps;                               /* multiple of ARMILLA_KERNEL_STEPS */
    const double *recurrence[ARMILLA_FORM_COUNT]; /* nsteps values of a, then of b; or c0, c1, c2 */
    const double *ceiling;      /* of scaled |p|, per ARMILLA_KERNEL_STEPS steps */
    const double *coefficients; /* synthesis: even re, even im, odd re, odd im per step */
} armilla_kernel_order;

typedef struct armilla_kernel_group {
    int64_t first;  /* first pair */
    int32_t nvec;   /* vectors */
    int32_t form;   /* ARMILLA_FORM_... */
    int64_t mlimit; /* largest order that matters on these rings */
} armilla_kernel_group;

/* Per-thread state of an analysis: arrays over the pairs of a block of rings. */
typedef struct armilla_kernel_state {
    double *values[4]; /* N + S re, im; x (N - S) re, im */
    double *current;   /* p_k */
    double *previous;  /* p_{k-1} */
    double *scale;     /* n */
} armilla_kernel_state;

typedef struct armilla_kernels {
    int vector_length;
    int vectors;

    /* Writes north re, im, south re, im of each pair of the group to leg[4 * (pair -
     * group->first)]. */
    void (*synthesis)(const armilla_kernel_order *order, const armilla_kernel_group *group,
                      double *leg);

    /* Loads a group's ring values (as synthesis writes them) and sets p_0. state arrays are indexed
     * by pair - base. */
    void (*analysis_start)(const armilla_kernel_order *order, const armilla_kernel_group *group,
                           int64_t base, const double *leg, const armilla_kernel_state *state);

    /* Advances a group by nsteps <= ARMILLA_ANALYSIS_STEPS (a multiple of ARMILLA_KERNEL_STEPS)
     * from step first and adds to the lane sums, 4 vectors per step. fresh: sums hold nothing yet.
     */
    void (*analysis_steps)(const armilla_kernel_order *order, const armilla_kernel_group *group,
                           int64_t base, int64_t first, int64_t nsteps,
                           const armilla_kernel_state *state, double *sums, int fresh);

    /* Sums over lanes: out[4 step + i]. */
    void (*analysis_reduce)(int64_t nsteps, const double *sums, double *out);

    /* From the plan's tables to what the other kernels read; see stream.c. work: nsteps
     * doubles. */
    void (*recurrence)(int64_t m, int64_t nsteps, const double *a, const double *square_scale,
                       double *equator, double *pole, double *ceiling, double *work);
    void (*fine_equator)(int64_t m, int64_t nsteps, const double *a, const double *square_scale,
                         double *c);
    void (*fine_pole)(int64_t m, int64_t nsteps, const double *a, const double *square_scale,
                      double *c);
    void (*coefficients)(int64_t m, int64_t nsteps, const double *alpha, const double *root,
                         const double *scale, const double *alm, double *out);
    void (*degrees)(int64_t m, int64_t nsteps, const double *alpha, const double *root,
                    const double *scale, const double *sums, double *alm);
} armilla_kernels;

#endif

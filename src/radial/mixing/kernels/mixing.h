/* Inner loops of the mixing of rings, compiled once per instruction set. Orders come in spans of
 * ARMILLA_MIXING_WIDTH, whatever the vectors are, so that all sets share their arrays:
 *
 *     K_m     [p, q][WIDTH]          of rings p of one tile and q of another
 *     rings   [ring pair][4][WIDTH]  north re, north im, south re, south im
 *
 * All arrays are 64-byte aligned. Kernels do not allocate, fail, or keep state. */
#ifndef ARMILLA_RADIAL_KERNELS_MIXING_H
#define ARMILLA_RADIAL_KERNELS_MIXING_H

#include "base/isa_table.h"

#include <stdint.h>

enum {
    ARMILLA_MIXING_WIDTH = 16,                      /* orders of a span */
    ARMILLA_MIXING_PAIR = 4 * ARMILLA_MIXING_WIDTH, /* doubles of a ring pair */
    ARMILLA_MIXING_FOUR = 4                         /* rings (p, q) that share their cosines */
};

/* K(x) = sum of coef[i] (2 x / end - 1)^i for x <= cut, else 0. */
typedef struct armilla_mixing_polynomial {
    int degree;
    const double *coef;
    double end, cut;
} armilla_mixing_polynomial;

/* Four (p, q) of a segment whose samples stand side by side: [count][FOUR]. */
typedef struct armilla_mixing_four {
    int32_t table;                      /* which cosines */
    int32_t count;                      /* of samples; even */
    int32_t place[ARMILLA_MIXING_FOUR]; /* of each (p, q) in K_m, doubles */
    int64_t first;                      /* of the samples, doubles */
} armilla_mixing_four;

/* Spin 2. */
typedef struct armilla_mixing_turned {
    const double *even, *odd;      /* samples of the four */
    const double *cosines, *sines; /* of a span of orders */
    double *low[2], *high[2];      /* W_m and W_(-m); high: NULL, or of the span opposite */
} armilla_mixing_turned;

/* Waves of the orders first .. first + WIDTH - 1 at the angles phi_j of `count` samples, by
 * addition of angles: first phi_j, of which the sines and cosines are circle[(start + j step) mod
 * length], and those of the orders below WIDTH. */
typedef struct armilla_mixing_waves {
    int64_t count;
    const double *cosine, *sine; /* [count][WIDTH] of the orders below WIDTH */
    const double *circle;        /* [length][2] cosines and sines of 2 pi k / length */
    int64_t length, start, step; /* start, step < length */
} armilla_mixing_waves;

/* out[a] += sum over b < nb of k_m[step_a a + step_b b] in[b], for every a < na. */
typedef struct armilla_mixing_product {
    int64_t na, nb;
    int64_t step_a, step_b; /* doubles of K_m */
    int crossed;            /* north of in goes to south of out, and the other way round */
} armilla_mixing_product;

/* Each kernel: F(x, name, arguments), see base/isa_table.h.
 *
 * values       values[i] = factor K(x[i]); count is a multiple of 8.
 * cosine_sums  even and odd sums over samples j times cosines[j][WIDTH], E and O: low = E + O;
 *              high = E - O with its orders in reverse, unless it is NULL.
 * multiply     the product above.
 * take         orders <- leg: WIDTH rows of leg, row_length apart, with four numbers of each of
 *              `count` pairs, to [pair][4][WIDTH].
 * give         the way back.
 * turn         even holds K; (even, odd) = K exp(2 i t) of (8.18), z = p + i q; count is a multiple
 *              of 8.
 * waves        cosines[count][WIDTH], and sines likewise unless that is NULL.
 * turned_sums  cosine_sums of the even part, E, sine sums of the odd one, O (their high orders have
 *              the sign -1 besides): W_m = E + O and W_(-m) = E - O. */
#define ARMILLA_MIXING_KERNEL_LIST(F, x)                                                           \
    F(x, values,                                                                                   \
      (const armilla_mixing_polynomial *, double factor, int64_t count, const double *x,           \
       double *values))                                                                            \
    F(x, cosine_sums,                                                                              \
      (const armilla_mixing_four *, const double *samples, const double *cosines, double *low,     \
       double *high))                                                                              \
    F(x, multiply,                                                                                 \
      (const armilla_mixing_product *, const double *k_m, const double *in, double *out))          \
    F(x, take, (int64_t count, int64_t row_length, const double *leg, double *orders))             \
    F(x, give, (int64_t count, int64_t row_length, const double *orders, double *leg))             \
    F(x, waves, (const armilla_mixing_waves *, double *cosines, double *sines))                    \
    F(x, turn, (int64_t count, const double *p, const double *q, double *even, double *odd))       \
    F(x, turned_sums, (const armilla_mixing_four *, const armilla_mixing_turned *))

typedef struct armilla_mixing_kernels {
    int vector_length;
    ARMILLA_MIXING_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_mixing_kernels;

/* Where kernels are compiled, their prototypes. */
#ifdef ARMILLA_ISA_NAME
ARMILLA_MIXING_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_mixing)
#endif

#endif

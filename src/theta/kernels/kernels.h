/* The inner loops of the theta stage, as src/theta/theta.c sees them.
 *
 * A lane holds one real column: the real or the imaginary part of two orders, one even and one odd
 * on the circle through both poles, added up. A vector holds the same sample of VLEN such columns,
 * and all of the arithmetic is real:
 *
 *     circle[j][lane]         samples at angles 2 pi j / (2 n), 0 <= j < 2 n
 *     complex[j][2][lane]     the same memory seen as n complex numbers x_{2j} + i x_{2j+1}
 *
 * Kernels do not allocate, fail, or keep state; all arrays are 64-byte aligned. */
#ifndef ARMILLA_THETA_KERNELS_KERNELS_H
#define ARMILLA_THETA_KERNELS_KERNELS_H

#include "base/isa_table.h"
#include "fft/kernels/lane_fft_tables.h"

#include <stdint.h>

enum {
    ARMILLA_THETA_SLOTS = 4, /* most pairs of orders, one even and one odd, in a vector */
    ARMILLA_THETA_TILE = 16  /* ring pairs whose lanes are transposed at once */
};

/* Rows of leg that share a vector: row[parity][slot] has four doubles per ring pair; columns of
 * parity 0 are even. The chunk of a row that a kernel reads begins at the address given: its real
 * part, and for vectors of more than one lane the imaginary part behind it. */
typedef struct armilla_theta_rows {
    double *row[2][ARMILLA_THETA_SLOTS];   /* NULL: zeros, not written */
    int64_t first[2][ARMILLA_THETA_SLOTS]; /* pairs before it are zeros and not written */
    int64_t least;                         /* the smallest first */
} armilla_theta_rows;

/* A circle of 2 n samples and its transform. */
typedef struct armilla_theta_circle {
    armilla_lane_fft fft; /* of n complex numbers, in place */
    double *root;         /* exp(-2 pi i k / (2 n)), 0 <= k <= n / 2 */
    int32_t *spot;        /* where number k of the result stands, complex vectors; k = n: behind
                             the others, for a frequency that the packing hides in number 0; behind
                             that, frequencies above n, which the circle sees as 2 n - k */
    int64_t last;         /* frequency that has a spot */
} armilla_theta_circle;

/* The rings of ring pairs as samples of a circle. North, its image at -theta, south, its image:
 * vectors, in the sequence that the transform wants its input in, or leaves its result in. A pole
 * is its own image. -1: there is no such ring. */
typedef struct armilla_theta_samples {
    int64_t npairs;
    int32_t (*input)[4], (*output)[4];
} armilla_theta_samples;

/* Two neighbouring northern rings of a tile, two southern ones, and the samples of the circle that
 * they share. */
typedef struct armilla_theta_group {
    int8_t pair[2][2];  /* [north, south][ring]: pair of the tile; -1: none */
    int8_t same, two;   /* same: weights and place of both sides are one; two: not only one ring */
    int32_t taps;       /* samples from the place on */
    int64_t place[2];   /* of each side: the first sample, around theta or pi - theta of the pair */
    int64_t weights[2]; /* of each side: [taps][ring] begins at number ... of the weights */
} armilla_theta_group;

/* Rings that see a circle through a window. */
typedef struct armilla_theta_rings {
    int64_t npairs;
    int64_t length;      /* samples of the circle */
    int64_t margin;      /* samples in front of and behind the circle that repeat it */
    int missing;         /* some pairs have one ring only */
    double sign;         /* 1; -1: the circle is reversed, sample j at angle -2 pi j / length */
    int64_t *tile_first; /* first group of each tile, and the end */
    armilla_theta_group *groups;
    int64_t nweights;
    double *weights; /* begins with zeros, for rings that are missing */
} armilla_theta_rings;

/* From the samples of one circle to those of another by way of their coefficients. */
typedef struct armilla_theta_transform {
    const armilla_theta_circle *from, *to;
    const double *samples; /* of `from`, in sequence; NULL: they stand in `spectrum` as the
                              transform wants them */
    double *spectrum;      /* complex vectors of `from`, as far as its columns and spots reach */
    double *result;        /* the same of `to`; may be the memory of samples */
    const double *factor;  /* for 0 <= k <= band: real numbers, or complex ones if turned */
    int turned;
    int64_t band; /* below 2 n of both; above n of one only if turned */
} armilla_theta_transform;

/* Each kernel: F(x, name, arguments), see base/isa_table.h. tile: ARMILLA_THETA_TILE * 4 vectors.
 *
 * put          rows -> samples of a circle. take: its transpose.
 * interpolate  circle -> rows, through the window. spread: its transpose, which adds to the
 *              circle. The circle has its margins around it.
 * transform    the result is reversed: its sample j lies at angle -2 pi j / (2 n). */
#define ARMILLA_THETA_KERNEL_LIST(F, x)                                                            \
    F(x, put,                                                                                      \
      (const armilla_theta_samples *, const armilla_theta_rows *, double *circle, double *tile))   \
    F(x, take,                                                                                     \
      (const armilla_theta_samples *, const armilla_theta_rows *, const double *circle,            \
       double *tile))                                                                              \
    F(x, interpolate,                                                                              \
      (const armilla_theta_rings *, const armilla_theta_rows *, const double *circle,              \
       double *tile))                                                                              \
    F(x, spread,                                                                                   \
      (const armilla_theta_rings *, const armilla_theta_rows *, double *circle, double *tile))     \
    F(x, transform, (const armilla_theta_transform *))

typedef struct armilla_theta_kernels {
    int vector_length;
    ARMILLA_THETA_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_theta_kernels;

/* Where kernels are compiled, their prototypes. */
#ifdef ARMILLA_ISA_NAME
ARMILLA_THETA_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_theta_kernel)
#endif

#endif

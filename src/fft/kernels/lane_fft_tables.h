/* Tables of the Fourier transforms in lanes, for every instruction set; lane_fft.h. */
#ifndef ARMILLA_FFT_KERNELS_LANE_FFT_TABLES_H
#define ARMILLA_FFT_KERNELS_LANE_FFT_TABLES_H

#include "fft/kernels/kernels.h"

enum {
    ARMILLA_LANE_PASSES = 24,     /* most passes of one half of a transform */
    ARMILLA_LANE_RADIX_MOST = 128 /* largest prime radix, whose sums are direct */
};

/* A transform of length n by a convolution: with c_j = exp(-pi i j^2 / n),
 * X_k = c_k sum_j (c_j x_j) conj(c_{k-j}); docs/mathematics.md (4.8). */
typedef struct armilla_lane_chirp {
    armilla_convolution convolution; /* of a length of 2 n - 1 or more */
    double *chirp;                   /* n complex numbers c_j */
    double *spectrum; /* of the conjugate chirp over the length of the convolution, in
                         the sequence that its forward passes leave */
} armilla_lane_chirp;

/* VLEN complex transforms at once of length n = length[0] length[1], in two halves: first columns
 * of length[0], then rows of length[1], each short enough for the first-level cache. Where large
 * prime factors make that slow or impossible, or no two halves are long enough, all of it is one
 * convolution: length[0] = n, length[1] = 1, no passes. */
typedef struct armilla_lane_fft {
    int64_t n, length[2];
    int npasses[2];
    int radix[2][ARMILLA_LANE_PASSES];       /* 2, 3, 4, 5, 7, 8, 16, or a prime */
    int64_t rest[2][ARMILLA_LANE_PASSES];    /* length over the product of the radices so far */
    double *twiddle[2][ARMILLA_LANE_PASSES]; /* lane_fft.c */
    double *roots[2][ARMILLA_LANE_PASSES];   /* of a prime above 7: armilla_direct_roots_fill */
    armilla_lane_chirp *whole;               /* the convolution, or NULL */
    int64_t *place[2];                       /* where each number of the input belongs */
    int32_t *input, *output; /* doubles from the first column to each number of the input, and of
                                the result; NULL: not made */
    int64_t step;            /* complex vectors from column to column, >= length[0] */
    int64_t room;            /* complex vectors of all columns, or of the convolution */
} armilla_lane_fft;

#endif

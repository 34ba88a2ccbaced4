/* Tables of the Fourier transforms in lanes, for every instruction set; lane_fft.h. */
#ifndef ARMILLA_FFT_KERNELS_LANE_FFT_TABLES_H
#define ARMILLA_FFT_KERNELS_LANE_FFT_TABLES_H

#include <stdint.h>

enum { ARMILLA_LANE_PASSES = 24 }; /* most passes of one half of a transform */

/* VLEN complex transforms at once of length n = length[0] length[1], in two halves: first columns
 * of length[0], then rows of length[1], each short enough for the first-level cache. */
typedef struct armilla_lane_fft {
    int64_t n, length[2];
    int npasses[2];
    int radix[2][ARMILLA_LANE_PASSES];       /* 2, 3, 4, 5, 7, 8 or 16 */
    int64_t rest[2][ARMILLA_LANE_PASSES];    /* length over the product of the radices so far */
    double *twiddle[2][ARMILLA_LANE_PASSES]; /* lane_fft.c */
    int64_t *place[2];                       /* where each number of the input belongs */
    int64_t step; /* complex vectors from column to column, >= length[0] */
} armilla_lane_fft;

#endif

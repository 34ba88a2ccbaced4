/* Tables and kernels of Fourier transforms one by one, or a few at a time: kernels/row_fft.c. */
#ifndef ARMILLA_FFT_KERNELS_ROW_FFT_TABLES_H
#define ARMILLA_FFT_KERNELS_ROW_FFT_TABLES_H

#include "base/isa_table.h"

#include <stdint.h>

enum {
    ARMILLA_ROW_PASSES = 24,         /* most passes */
    ARMILLA_ROWS_TOGETHER = 4,       /* rows of one call of the kernel `together` */
    ARMILLA_ROWS_TOGETHER_MOST = 128 /* longest of them, by the work that the kernel has */
};

/* Lanes whose twiddles are in a table: the powers of two below the number of lanes, at most 8. */
#define ARMILLA_CROSS_TABLES(lanes) ((lanes) > 4 ? 3 : (lanes) > 2 ? 2 : (lanes) > 1 ? 1 : 0)

/* One length n. */
typedef struct armilla_row_fft {
    int64_t n;
    int64_t m; /* points that the passes transform: n over the lanes; n where rows are lanes */
    int npasses;
    int radix[ARMILLA_ROW_PASSES];       /* 2, 3, 4, 5, 7, 8, 11, 13, 16 */
    double *twiddle[ARMILLA_ROW_PASSES]; /* of each pass but the last, as in convolve.c */
    int32_t *place; /* alone: the vector in which the passes leave each of the m frequencies;
                       together: the frequency of the first output of each block of the last pass */
    double *cross;  /* alone: twiddles between lanes, [group][lane 1, 2, 4][re, im][VLEN] */
} armilla_row_fft;

/* Each kernel: F(x, name, arguments), see base/isa_table.h. `count` rows of n numbers, one behind
 * the other. input is destroyed; output is apart from it.
 *
 * alone     one by one, n = VLEN m, m >= VLEN or VLEN = 1. input: aligned to the vector.
 * together  n <= ARMILLA_ROWS_TOGETHER_MOST; ARMILLA_ROWS_TOGETHER divides count, and VLEN that. */
#define ARMILLA_ROW_KERNEL_LIST(F, x)                                                              \
    F(x, alone, (const armilla_row_fft *, int64_t count, double *input, double *output))           \
    F(x, together, (const armilla_row_fft *, int64_t count, double *input, double *output))

typedef struct armilla_row_kernels {
    int vector_length;
    ARMILLA_ROW_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_row_kernels;

/* Where kernels are compiled, their prototypes. */
#ifdef ARMILLA_ISA_NAME
ARMILLA_ROW_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_row)
#endif

#endif

/* Inner loops of transforms of length smooth * rough, compiled once per instruction set.
 *
 * Rows of the prime factor grid are lanes of vectors. Kernels do not allocate, fail, or keep state;
 * all arrays are 64-byte aligned. */
#ifndef ARMILLA_FFT_KERNELS_KERNELS_H
#define ARMILLA_FFT_KERNELS_KERNELS_H

#include "base/isa_table.h"

#include <stdint.h>

enum {
    ARMILLA_CONVOLUTION_PASSES = 16,
    ARMILLA_ROUGH_LANES = 8, /* work of one group of rows: this many lanes */
    ARMILLA_ROUGH_ROWS = 4   /* rows of a group in Bluestein's transform: two lanes each */
};

/* Cyclic convolutions of length n; with half_turn, of length 2 n: as two of length n, one for the
 * even, one for the odd frequencies. */
typedef struct armilla_convolution {
    int64_t n;
    int npasses;
    int radix[ARMILLA_CONVOLUTION_PASSES];       /* 2, 3, 4, 5, 7 or 8 */
    double *twiddle[ARMILLA_CONVOLUTION_PASSES]; /* see convolve.h; none for the last */
    double *half_turn;                           /* n complex numbers exp(-pi i j / n), or NULL */
} armilla_convolution;

/* Tables of one odd length q. */
typedef struct armilla_rough {
    int64_t q;
    const armilla_convolution *convolution; /* n >= q; NULL: direct sums */
    double *chirp;    /* Bluestein: (q + 1) / 2 complex numbers c_j = exp(-pi i j^2 / q);
                         c_{q-j} = -c_j */
    double *spectrum; /* Bluestein: of the conjugate chirp, even, then odd frequencies, sorted as
                         the passes leave them */
    double *roots;    /* direct: armilla_direct_roots_fill */
} armilla_rough;

/* The rough transforms of a prime factor transform of length r q. */
typedef struct armilla_rough_rows {
    const armilla_rough *rough;
    int64_t r;
    const double *data; /* r q complex numbers */
    double *grid;       /* [q][r] complex numbers */
} armilla_rough_rows;

/* Each kernel: F(x, name, arguments), see base/isa_table.h.
 *
 * spectrum   fills rough->spectrum. work: ARMILLA_ROUGH_LANES * n complex numbers, n the length of
 *            the convolution.
 * bluestein  grid[k][a] for four a, from first on; if there are fewer, r < 4 and first = 0, the
 *            places of the missing ones behind the last row are overwritten. work: as above.
 * direct     grid[k][a] for eight a, from first on, or for those that are left.
 *            work: ARMILLA_ROUGH_LANES * q complex numbers.
 * collect    result[k + q t] = grid[k][(k + q t) mod r] */
#define ARMILLA_ROUGH_KERNEL_LIST(F, x)                                                            \
    F(x, spectrum, (const armilla_rough *, double *work))                                          \
    F(x, bluestein, (const armilla_rough_rows *, int64_t first, double *work))                     \
    F(x, direct, (const armilla_rough_rows *, int64_t first, double *work))                        \
    F(x, collect, (int64_t r, int64_t q, const double *grid, double *result))

typedef struct armilla_rough_kernels {
    ARMILLA_ROUGH_KERNEL_LIST(ARMILLA_KERNEL_FIELD, )
} armilla_rough_kernels;

/* Where kernels are compiled, their prototypes. */
#ifdef ARMILLA_ISA_NAME
ARMILLA_ROUGH_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_rough)
#endif

#endif

/* Butterflies of the transforms of rows, with what they read and write in one of three layouts, and
 * the lists of their radices. */
#ifndef ARMILLA_FFT_KERNELS_ROW_BUTTERFLY_H
#define ARMILLA_FFT_KERNELS_ROW_BUTTERFLY_H

#include "fft/kernels/butterfly.h"

/* Point i of a transform in lanes: */
enum {
    VECTORS, /* real parts in a vector, imaginary ones in the next: data + i COMPLEX */
    NUMBERS, /* VLEN complex numbers, also at data + i COMPLEX */
    ROWS     /* number i of each of VLEN rows */
};

/* One side of a butterfly: points first, first + step, ... */
typedef struct {
    int layout;
    double *data;
    double *const *rows;
    int64_t first, step;
} side;

ARMILLA_ALWAYS_INLINE complex_vec take_point(const side *from, const int i)
{
    const int64_t point = from->first + i * from->step;
    complex_vec x;
    if (from->layout == VECTORS) return load_complex(from->data + point * COMPLEX);
    if (from->layout == NUMBERS)
        v_load2(from->data + point * COMPLEX, &x.re, &x.im);
    else
        v_load_rows((const double *const *)from->rows, 2 * point, &x.re, &x.im);
    return x;
}

/* w: twiddles of the points but the first, or NULL: all 1. */
ARMILLA_ALWAYS_INLINE void put_point(const side *to, const double *w, const int i, complex_vec x)
{
    const int64_t point = to->first + i * to->step;
    if (w && i > 0) x = times(x, v_all(w[2 * i - 2]), v_all(w[2 * i - 1]));
    if (to->layout == ROWS)
        v_spread_rows(to->rows, 2 * point, x.re, x.im);
    else
        store_complex(to->data + point * COMPLEX, x);
}

/* 16 as 4 x 4, quarter by quarter, so that few vectors are in flight at once. */
ARMILLA_ALWAYS_INLINE void run_butterfly16(const side *from, const double *w, const side *to)
{
    complex_vec y[4][4], x[4], z[4];
    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) x[b] = take_point(from, a + 4 * b);
        butterfly4(x, y[a]);
        y[a][1] = turn16(a, y[a][1]), y[a][2] = turn16(2 * a, y[a][2]);
        y[a][3] = turn16(3 * a, y[a][3]);
    }
    for (int c = 0; c < 4; c++) {
        for (int a = 0; a < 4; a++) x[a] = y[a][c];
        butterfly4(x, z);
        for (int d = 0; d < 4; d++) put_point(to, w, c + 4 * d, z[d]);
    }
}

ARMILLA_ALWAYS_INLINE void run_butterfly(const int radix, const side *from, const double *w,
                                         const side *to)
{
    complex_vec x[16];
    if (radix == 16) {
        run_butterfly16(from, w, to);
        return;
    }
    for (int a = 0; a < radix; a++) x[a] = take_point(from, a);
    butterfly(radix, x);
    for (int c = 0; c < radix; c++) put_point(to, w, c, x[c]);
}

#define FOR_EACH_RADIX(F) F(2) F(3) F(4) F(5) F(7) F(8) F(11) F(13) F(16)
enum { LARGEST_RADIX = 16 };

#endif

/* Fourier transforms of an odd length with large prime factors, as convolutions of a smooth length,
 * several at a time. */
#ifndef ARMILLA_FFT_BLUESTEIN_H
#define ARMILLA_FFT_BLUESTEIN_H

#include "fft/rows.h"

typedef struct armilla_bluestein {
    int64_t n;                 /* length of the transform */
    const armilla_rows *batch; /* rows of the convolution's length >= 2 n - 1 */
    double *chirp;             /* n complex numbers exp(-pi i j^2 / n) */
    double *kernel; /* batch->n / 2 + 1 complex numbers: spectrum of the conjugate chirp, divided
                       by batch->n */
} armilla_bluestein;

/* chirp: the first `count` of the numbers c_j = exp(-pi i j^2 / n), any n. Where n is odd c_{n-j} =
 * -c_j, so that (n + 1) / 2 say all. */
void armilla_bluestein_chirp(int64_t n, int64_t count, double *chirp);

/* The conjugates of the n numbers of chirp around a circle of `padded` numbers, divided by its
 * length. Given: padded >= 2 n - 1, circle cleared. */
void armilla_bluestein_circle(int64_t n, int64_t padded, const double *chirp, double *circle);

/* A length >= 2 n - 1 from a ladder of few, fast lengths. */
int64_t armilla_bluestein_padded(int64_t n);

/* Given: n odd; batch, planned for armilla_bluestein_padded(n). Errors: MEMORY. */
armilla_status armilla_bluestein_make(int64_t n, const armilla_rows *batch,
                                      armilla_bluestein *bluestein);

/* A cleared one is allowed. */
void armilla_bluestein_clear(armilla_bluestein *bluestein);

/* The three steps of a transform. Lengths and strides count complex numbers. Rows of work, batch->n
 * long, may hold anything before they are loaded. */

/* row_j = chirp_j input[(start + j stride) mod size]; 0 <= start < size, stride <= size. */
void armilla_bluestein_load(const armilla_bluestein *bluestein, const double *input, int64_t start,
                            int64_t stride, int64_t size, double *row);

/* Convolves all batch->rows rows, and conjugates them. work, and other of the same size, which is
 * overwritten: 16-byte aligned. */
void armilla_bluestein_convolve(const armilla_bluestein *bluestein, double *work, double *other);

/* output[k stride] = chirp_k conj(row_k) */
void armilla_bluestein_store(const armilla_bluestein *bluestein, const double *row, double *output,
                             int64_t stride);

#endif

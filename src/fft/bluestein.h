/* Fourier transform of a length with large prime factors, as a convolution of a smooth length. */
#ifndef ARMILLA_FFT_BLUESTEIN_H
#define ARMILLA_FFT_BLUESTEIN_H

#include "fft/fftw_pair.h"

typedef struct armilla_bluestein {
    int64_t n;      /* length of the transform */
    int64_t padded; /* length of the convolution, >= 2 n - 1 */
    double *chirp;  /* n complex numbers exp(-pi i j^2 / n) */
    double *kernel; /* padded / 2 + 1 complex numbers: spectrum of the conjugate chirp / padded */
} armilla_bluestein;

/* A length >= 2 n - 1 from a ladder of few, fast lengths. */
int64_t armilla_bluestein_padded(int64_t n);

/* Given: n >= 1; pair, planned for armilla_bluestein_padded(n). Errors: MEMORY. */
armilla_status armilla_bluestein_make(int64_t n, const armilla_fftw_pair *pair,
                                      armilla_bluestein *bluestein);

/* A cleared one is allowed. */
void armilla_bluestein_clear(armilla_bluestein *bluestein);

/* Transforms input[0], input[stride], ... (complex numbers); the first n complex numbers of work
 * receive the result. sign < 0: forward, else backward. work: padded complex numbers, 16-byte
 * aligned, not overlapping input. */
void armilla_bluestein_execute(const armilla_bluestein *bluestein, const armilla_fftw_pair *pair,
                               int sign, const double *input, int64_t stride, double *work);

#endif

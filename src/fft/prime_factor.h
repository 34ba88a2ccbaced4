/* Transforms of a length smooth * rough by the prime factor algorithm. */
#ifndef ARMILLA_FFT_PRIME_FACTOR_H
#define ARMILLA_FFT_PRIME_FACTOR_H

#include "fft/bluestein.h"

/* Complex numbers of scratch. smooth: rows of the smooth factor's length, in place. */
int64_t armilla_prime_factor_scratch(const armilla_fftw_pair *smooth,
                                     const armilla_bluestein *rough);

/* Transforms data, smooth->n * rough->n complex numbers, in place; the two lengths are coprime.
 * sign < 0: forward, else backward. */
void armilla_prime_factor_execute(const armilla_fftw_pair *smooth, const armilla_bluestein *rough,
                                  int sign, double *data, double *scratch);

#endif

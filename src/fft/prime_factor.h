/* Transforms of a length smooth * rough by the prime factor algorithm. */
#ifndef ARMILLA_FFT_PRIME_FACTOR_H
#define ARMILLA_FFT_PRIME_FACTOR_H

#include "fft/bluestein.h"
#include "fft/rough.h"

/* The two lengths are coprime. */
typedef struct armilla_prime_factor {
    const armilla_fftw_pair *smooth;        /* rows of the smooth factor's length, in place */
    const armilla_rough *rough;             /* the rough factor in lanes, or NULL: */
    const armilla_bluestein *bluestein;     /* by FFTW */
    const armilla_rough_kernels *kernels;
} armilla_prime_factor;

/* Complex numbers of scratch. */
int64_t armilla_prime_factor_scratch(const armilla_prime_factor *factors);

/* Transforms data, smooth times rough complex numbers, in place. sign < 0: forward, else backward.
 */
void armilla_prime_factor_execute(const armilla_prime_factor *factors, int sign, double *data,
                                  double *scratch);

#endif

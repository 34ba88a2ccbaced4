/* Transforms of a length smooth * rough by the prime factor algorithm. */
#ifndef ARMILLA_FFT_PRIME_FACTOR_H
#define ARMILLA_FFT_PRIME_FACTOR_H

#include "fft/bluestein.h"
#include "fft/rough.h"

/* The two lengths are coprime. */
typedef struct armilla_prime_factor {
    const armilla_rows *smooth;         /* rows of the smooth factor's length */
    const armilla_rough *rough;         /* the rough factor in lanes, or NULL: */
    const armilla_bluestein *bluestein; /* in rows */
    const armilla_rough_kernels *kernels;
} armilla_prime_factor;

/* Complex numbers of scratch. */
int64_t armilla_prime_factor_scratch(const armilla_prime_factor *factors);

/* Transforms data, smooth times rough complex numbers, which are overwritten. The result is in
 * scratch. */
void armilla_prime_factor_execute(const armilla_prime_factor *factors, double *data,
                                  double *scratch);

#endif

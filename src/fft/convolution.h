/* Plans of convolutions in lanes (kernels/convolve.c). */
#ifndef ARMILLA_FFT_CONVOLUTION_H
#define ARMILLA_FFT_CONVOLUTION_H

#include "base/status.h"
#include "fft/kernels/kernels.h"

/* The n >= minimum that takes least time. Given: minimum >= 2. */
int64_t armilla_convolution_length(int64_t minimum);

/* Nanoseconds of a convolution of length n, 2 to 3 GHz, AVX-512: for comparisons. 1e300: not
 * possible. */
double armilla_convolution_cost(int64_t n);

/* Where the forward passes leave frequency k. */
int64_t armilla_convolution_position(const armilla_convolution *convolution, int64_t k);

/* halves: with the table for convolutions of 2 n as two of n. Given: n >= 2 without prime factors
 * above 7. Errors: MEMORY. */
armilla_status armilla_convolution_make(int64_t n, int halves, armilla_convolution *convolution);

/* A cleared one is allowed. */
void armilla_convolution_clear(armilla_convolution *convolution);

/* Memory of the tables. */
int64_t armilla_convolution_bytes(const armilla_convolution *convolution);

#endif

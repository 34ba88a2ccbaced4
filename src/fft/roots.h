/* Roots of unity to the last digit. */
#ifndef ARMILLA_FFT_ROOTS_H
#define ARMILLA_FFT_ROOTS_H

#include <stdint.h>

/* root[0] + i root[1] = exp(2 pi i k / n), each part in error by less than 2e-16.
 * Given: 0 <= k < n <= 2^59. */
void armilla_root_of_unity(int64_t k, int64_t n, double root[2]);

enum { ARMILLA_DIRECT_BLOCK = 4 }; /* outputs k and q - k of a direct sum, at most, made together */

/* The roots of direct sums of odd length q (kernels/direct_sums.h), so many complex numbers:
 * [k / 4][j][k % 4] cos, sin of 2 pi (j + 1)(k + 1) / q, j and k < (q - 1) / 2. */
int64_t armilla_direct_roots(int64_t q);
void armilla_direct_roots_fill(int64_t q, double *roots);

#endif

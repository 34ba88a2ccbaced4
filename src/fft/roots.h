/* Roots of unity to the last digit. */
#ifndef ARMILLA_FFT_ROOTS_H
#define ARMILLA_FFT_ROOTS_H

#include <stdint.h>

/* root[0] + i root[1] = exp(2 pi i k / n), each part in error by less than 2e-16.
 * Given: 0 <= k < n <= 2^59. */
void armilla_root_of_unity(int64_t k, int64_t n, double root[2]);

#endif

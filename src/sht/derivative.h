/* Derivatives are spin transforms of scaled coefficients, docs/mathematics.md (3.12). */
#ifndef ARMILLA_SHT_DERIVATIVE_H
#define ARMILLA_SHT_DERIVATIVE_H

#include <math.h>
#include <stdint.h>

/* The factor of a_lm; spin 1 or 2. */
static inline double armilla_derivative_factor(int64_t spin, double l)
{
    if (spin == 1) return sqrt(l * (l + 1));
    return l < 2 ? 0 : -sqrt((l - 1) * l * (l + 1) * (l + 2));
}

#endif

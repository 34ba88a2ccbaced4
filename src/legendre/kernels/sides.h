/* Between the sums of a pair of rings and its entry of leg (north re, im, south re, im),
 * docs/mathematics.md (2.12), (2.13); with the factor of (3.5) for fields of spin s. Included by
 * the kernels of the scalar recurrence. x: cos theta. factor: where it lies; NULL: 1. */
#ifndef ARMILLA_LEGENDRE_KERNELS_SIDES_H
#define ARMILLA_LEGENDRE_KERNELS_SIDES_H

#include "legendre/simd/simd.h"

#include <stddef.h>

/* sum: even re, im, odd re, im */
ARMILLA_ALWAYS_INLINE void entry_of_sums(vec x, const double *factor, const vec *sum, vec *entry)
{
    vec even_re = sum[0], even_im = sum[1];
    if (factor) {
        vec f = v_load(factor);
        x = v_mul(x, f), even_re = v_mul(even_re, f), even_im = v_mul(even_im, f);
    }
    vec odd_re = v_mul(x, sum[2]), odd_im = v_mul(x, sum[3]);
    entry[0] = v_add(even_re, odd_re), entry[1] = v_add(even_im, odd_im);
    entry[2] = v_sub(even_re, odd_re), entry[3] = v_sub(even_im, odd_im);
}

/* values: N + S re, im, x (N - S) re, im */
ARMILLA_ALWAYS_INLINE void values_of_entry(vec x, const double *factor, const vec *entry,
                                           vec *values)
{
    const vec f = factor ? v_load(factor) : v_all(1.0);
    x = v_mul(x, f);
    for (int j = 0; j < 2; j++) {
        values[j] = v_mul(f, v_add(entry[j], entry[2 + j]));
        values[2 + j] = v_mul(x, v_sub(entry[j], entry[2 + j]));
    }
}

#endif

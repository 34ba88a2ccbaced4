/* The sums of functions of spin s, and between those of a pair of rings and its two entries of leg,
 * docs/mathematics.md (3.10), (3.11). Sums in synthesis and values in analysis of a pair are
 * N+ re, im, S- re, im, N- re, im, S+ re, im. Included by the kernels. */
#ifndef ARMILLA_LEGENDRE_KERNELS_SPIN_SIDES_H
#define ARMILLA_LEGENDRE_KERNELS_SPIN_SIDES_H

#include "legendre/simd/simd.h"

/* Adds one step to the sums of a pair. a: a+ re, im, a- re, im of the step. plus, minus: d+ and d-.
 * odd: the step has an odd number, where terms of the southern rings are subtracted. */
ARMILLA_ALWAYS_INLINE void spin_add_sums(const vec *a, vec plus, vec minus, vec *sum, const int odd)
{
    for (int j = 0; j < 2; j++) {
        sum[j] = v_fma(a[j], plus, sum[j]);
        sum[2 + j] = odd ? v_fnma(a[2 + j], plus, sum[2 + j]) : v_fma(a[2 + j], plus, sum[2 + j]);
        sum[4 + j] = v_fma(a[2 + j], minus, sum[4 + j]);
        sum[6 + j] = odd ? v_fnma(a[j], minus, sum[6 + j]) : v_fma(a[j], minus, sum[6 + j]);
    }
}

/* Adds the values of a pair to the sums of a step: a+ re, im, a- re, im. */
ARMILLA_ALWAYS_INLINE void spin_add_values(vec plus, vec minus, const vec *value, vec *sum,
                                           const int odd)
{
    for (int j = 0; j < 2; j++) {
        sum[j] = v_fma(plus, value[j], sum[j]);
        sum[j] = odd ? v_fnma(minus, value[6 + j], sum[j]) : v_fma(minus, value[6 + j], sum[j]);
        sum[2 + j] = v_fma(minus, value[4 + j], sum[2 + j]);
        sum[2 + j] =
            odd ? v_fnma(plus, value[2 + j], sum[2 + j]) : v_fma(plus, value[2 + j], sum[2 + j]);
    }
}

/* q, u: entries of Q and U, [2 south + imaginary] */
ARMILLA_ALWAYS_INLINE void spin_entries_of_sums(vec mirror, vec twist, const vec *sum, vec *q,
                                                vec *u)
{
    vec plus[2][2] = {{sum[0], sum[1]}, {v_mul(mirror, sum[6]), v_mul(mirror, sum[7])}};
    vec minus[2][2] = {{sum[4], sum[5]}, {v_mul(mirror, sum[2]), v_mul(mirror, sum[3])}};
    for (int side = 0; side < 2; side++) {
        q[2 * side] = v_add(plus[side][0], minus[side][0]);
        q[2 * side + 1] = v_add(plus[side][1], minus[side][1]);
        u[2 * side] = v_mul(twist, v_sub(plus[side][1], minus[side][1]));
        u[2 * side + 1] = v_mul(twist, v_sub(minus[side][0], plus[side][0]));
    }
}

ARMILLA_ALWAYS_INLINE void spin_values_of_entries(vec mirror, vec twist, const vec *q, vec *u,
                                                  vec *value)
{
    for (int j = 0; j < 4; j++) u[j] = v_mul(twist, u[j]);
    value[0] = v_sub(q[0], u[1]), value[1] = v_add(q[1], u[0]);
    value[4] = v_add(q[0], u[1]), value[5] = v_sub(q[1], u[0]);
    value[6] = v_mul(mirror, v_sub(q[2], u[3])), value[7] = v_mul(mirror, v_add(q[3], u[2]));
    value[2] = v_mul(mirror, v_add(q[2], u[3])), value[3] = v_mul(mirror, v_sub(q[3], u[2]));
}

#endif

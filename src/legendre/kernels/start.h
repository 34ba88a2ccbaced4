/* p_0 of a group of ring pairs, and keeping p in range. Included by the kernels only. */
#ifndef ARMILLA_LEGENDRE_KERNELS_START_H
#define ARMILLA_LEGENDRE_KERNELS_START_H

#include "legendre/kernels/kernels.h"
#include "legendre/simd/simd.h"

/* The range of p, docs/mathematics.md (2.15).
 *
 * A pair with n < 0 is moved up, p 2^-512, before a block of steps in which |p| could pass 2^456:
 * so what is dropped is below 2^(456 - 512) = 2^-56 at every step, and nothing overflows. `ceiling`
 * holds that limit, 2^456 over the largest growth within the block, for each block (stream.c). */
#define RANGE_STEP  512.0
#define RANGE_DOWN  0x1p-512
#define RANGE_SHIFT 200.0 /* centre of the exponents of scaled values */

#define DECLARE_KERNEL(x, name, arguments) void ARMILLA_KERNEL(armilla_kernel_##name) arguments;
ARMILLA_KERNEL_LIST(DECLARE_KERNEL, )

/* mantissa 2^exponent as *value * 2^(512 *scale), exponents being whole numbers held in doubles and
 * |mantissa| neither tiny nor huge. */
ARMILLA_ALWAYS_INLINE void split_range(vec mantissa, vec exponent, vec *value, vec *scale)
{
    vec n = v_mul(v_sub(exponent, v_all(RANGE_SHIFT)), v_all(1 / RANGE_STEP));
    n = v_sub(v_add(n, v_all(V_ROUND)), v_all(V_ROUND));
    n = v_min(n, v_all(0.0));
    vec rest = v_fma(n, v_all(-RANGE_STEP), exponent);
    *value = v_mul(mantissa, v_exp2(v_add(rest, v_all(V_EXP2))));
    *scale = n;
}

/* sin^j theta: the product of two mantissas in [1/2, 1). */
ARMILLA_ALWAYS_INLINE void sine_power(const armilla_kernel_power *power, int64_t pair,
                                      vec *mantissa, vec *exponent)
{
    *mantissa = v_mul(v_load(power->high_mantissa + pair), v_load(power->low_mantissa + pair));
    *exponent = v_add(v_load(power->high_exponent + pair), v_load(power->low_exponent + pair));
}

/* p_0 = start * sin^m theta */
ARMILLA_ALWAYS_INLINE void start_value(const armilla_kernel_order *order, int64_t pair, vec *value,
                                       vec *scale)
{
    vec mantissa, exponent;
    sine_power(&order->power, pair, &mantissa, &exponent);
    split_range(v_mul(mantissa, v_all(order->start_mantissa)), exponent, value, scale);
}

/* State of one vector before the first step. */
ARMILLA_ALWAYS_INLINE void start_vector(const armilla_kernel_order *order, int64_t pair, int fine,
                                        vec *current, vec *previous, vec *scale)
{
    start_value(order, pair, current, scale);
    *previous = fine ? *current : v_all(0.0);
}

ARMILLA_ALWAYS_INLINE void rescale(vec *current, vec *previous, vec *scale, double ceiling)
{
    vmask large = v_larger(v_select(v_negative(*scale), *current, v_all(0.0)), ceiling);
    if (ARMILLA_LIKELY(!v_lanes(large))) return;
    vec factor = v_select(large, v_all(RANGE_DOWN), v_all(1.0));
    *current = v_mul(*current, factor);
    *previous = v_mul(*previous, factor);
    *scale = v_add(*scale, v_select(large, v_all(1.0), v_all(0.0)));
}

/* p_k of vector i: plain vectors exchange `current` and `previous` with every step (odd: k is odd),
 * the first nfine ones, in fine form, do not. */
ARMILLA_ALWAYS_INLINE vec value_now(const vec *current, const vec *previous, const int i,
                                    const int odd, const int nfine)
{
    return odd && i >= nfine ? previous[i] : current[i];
}

/* One step for every vector. Plain: p_{k-1} becomes p_{k+1}. Fine: `previous` holds the difference
 * d_k and becomes d_{k+1}, `current` becomes p_{k+1}. */
ARMILLA_ALWAYS_INLINE void advance(const double *c, int64_t n, const vec *y, vec *current,
                                   vec *previous, const int odd, const int nvec, const int nfine)
{
    for (int i = 0; i < nvec; i++) {
        if (i < nfine) {
            previous[i] =
                v_fma(v_mul(v_all(c[0]), y[i]), current[i], v_mul(v_all(c[2 * n]), previous[i]));
            current[i] = v_fma(v_all(c[3 * n]), current[i], previous[i]);
        } else {
            vec *p = odd ? previous : current, *other = odd ? current : previous;
            other[i] = v_fma(v_fma(v_all(c[0]), y[i], v_all(c[n])), p[i], other[i]);
        }
    }
}

/* In a block of steps |p| grows at most by the product of the factors `growth`, one per step, which
 * are overwritten: what |p| may be before it. Products in vectors of blocks. */
ARMILLA_ALWAYS_INLINE void fill_ceilings(int64_t nsteps, double *restrict growth,
                                         double *restrict ceiling)
{
    const int64_t half = nsteps / 2, quarter = nsteps / 4, blocks = nsteps / ARMILLA_KERNEL_STEPS;
    for (int64_t i = 0; i < half; i++) growth[i] = growth[2 * i] * growth[2 * i + 1];
    for (int64_t i = 0; i < quarter; i++) growth[i] = growth[2 * i] * growth[2 * i + 1];
    for (int64_t i = 0; i < blocks; i++) ceiling[i] = 0x1p456 / (growth[2 * i] * growth[2 * i + 1]);
}

/* Recurrence alone while no pair of the group matters. Returns the step reached. */
ARMILLA_ALWAYS_INLINE int64_t skip_steps(const double *c, int64_t n, const double *ceiling,
                                         int64_t nsteps, const vec *y, vec *current, vec *previous,
                                         vec *scale, const int nvec, const int nfine)
{
    for (int64_t k = 0; k < nsteps; k += ARMILLA_KERNEL_STEPS) {
        int matters = 0;
        for (int i = 0; i < nvec; i++) {
            rescale(&current[i], &previous[i], &scale[i], ceiling[k / ARMILLA_KERNEL_STEPS]);
            matters |= v_lanes(v_negative(scale[i])) != LANES_ALL;
        }
        if (matters) return k;
        for (int j = 0; j < ARMILLA_KERNEL_STEPS; j += 2, c += 2) {
            advance(c, n, y, current, previous, 0, nvec, nfine);
            advance(c + 1, n, y, current, previous, 1, nvec, nfine);
        }
    }
    return nsteps;
}

/* Is there a pair with n < 0? */
ARMILLA_ALWAYS_INLINE int any_waits(const vec *scale, const int nvec)
{
    vec least = scale[0];
    for (int i = 1; i < nvec; i++) least = v_min(least, scale[i]);
    return v_lanes(v_negative(least));
}

/* Brings one vector into range for the next block; *weight = 1 for lanes that matter, 0 for the
 * others. Returns the bits of the others. */
ARMILLA_ALWAYS_INLINE int matter_weights(double ceiling, vec *p, vec *other, vec *scale,
                                         vec *weight)
{
    rescale(p, other, scale, ceiling);
    vmask small = v_negative(*scale);
    *weight = v_select(small, v_all(0.0), v_all(1.0));
    return v_lanes(small);
}

/* The same for the vectors of a group; small: the bits of each. Returns the bits of any. */
ARMILLA_ALWAYS_INLINE int group_weights(double ceiling, vec *p, vec *other, vec *scale, vec *weight,
                                        int *small, const int nvec)
{
    int any = 0;
    for (int i = 0; i < nvec; i++) {
        small[i] = matter_weights(ceiling, &p[i], &other[i], &scale[i], &weight[i]);
        any |= small[i];
    }
    return any;
}

/* ARMILLA_KERNEL_STEPS steps of one vector without sums. */
ARMILLA_ALWAYS_INLINE void advance_block(const double *c, int64_t n, const vec *y, vec *current,
                                         vec *previous, const int fine)
{
    for (int j = 0; j < ARMILLA_KERNEL_STEPS; j++)
        advance(c + j, n, y, current, previous, j % 2, 1, fine);
}

#endif

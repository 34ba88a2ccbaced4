/* Keeping p in the range of doubles. Included by the kernels only. */
#ifndef ARMILLA_LEGENDRE_KERNELS_RANGE_H
#define ARMILLA_LEGENDRE_KERNELS_RANGE_H

#include "legendre/kernels/recurrence.h"

/* The range of p, docs/mathematics.md (2.15).
 *
 * A pair with n < 0 is moved up, p 2^-512, before a block of steps in which |p| could pass 2^456:
 * so what is dropped is below 2^(456 - 512) = 2^-56 at every step, and nothing overflows. `ceiling`
 * holds that limit, 2^456 over the largest growth within the block, for each block (stream.c). */
#define RANGE_STEP  512.0
#define RANGE_DOWN  0x1p-512
#define RANGE_SHIFT 200.0

/* mantissa 2^exponent as *value * 2^(step *scale), exponents being whole numbers held in doubles
 * and |mantissa| neither tiny nor huge. shift: centre of the exponents of scaled values. */
ARMILLA_ALWAYS_INLINE void split_exponent(vec mantissa, vec exponent, const double step,
                                          const double shift, vec *value, vec *scale)
{
    vec n = v_mul(v_sub(exponent, v_all(shift)), v_all(1 / step));
    n = v_sub(v_add(n, v_all(V_ROUND)), v_all(V_ROUND));
    n = v_min(n, v_all(0.0));
    vec rest = v_fma(n, v_all(-step), exponent);
    *value = v_mul(mantissa, v_exp2(v_add(rest, v_all(V_EXP2))));
    *scale = n;
}

ARMILLA_ALWAYS_INLINE void split_range(vec mantissa, vec exponent, vec *value, vec *scale)
{
    split_exponent(mantissa, exponent, RANGE_STEP, RANGE_SHIFT, value, scale);
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

/* In a block of steps |p| grows at most by the product of the factors `growth`, one per step, which
 * are overwritten: what |p| may be before it. Products in vectors of blocks. */
ARMILLA_ALWAYS_INLINE void fill_ceilings(int64_t nsteps, double *ARMILLA_RESTRICT growth,
                                         double *ARMILLA_RESTRICT ceiling)
{
    const int64_t half = nsteps / 2, quarter = nsteps / 4, blocks = nsteps / ARMILLA_KERNEL_STEPS;
    for (int64_t i = 0; i < half; i++) growth[i] = growth[2 * i] * growth[2 * i + 1];
    for (int64_t i = 0; i < quarter; i++) growth[i] = growth[2 * i] * growth[2 * i + 1];
    for (int64_t i = 0; i < blocks; i++) ceiling[i] = 0x1p456 / (growth[2 * i] * growth[2 * i + 1]);
}

/* Runs the recurrence, without any sums, up to the first step at which some pair of the group
 * matters. Returns that step. */
ARMILLA_ALWAYS_INLINE int64_t skip_steps(const step_run *run, const double *ceiling, const vec *y,
                                         vec *current, vec *previous, vec *scale, const int nvec,
                                         const int nfine)
{
    const double *c = run->c;
    const int64_t n = run->n;
    for (int64_t k = 0; k < run->nsteps; k += ARMILLA_KERNEL_STEPS) {
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
    return run->nsteps;
}

/* Is there a pair that does not matter yet (n < 0)? */
ARMILLA_ALWAYS_INLINE int any_waits(const vec *scale, const int nvec)
{
    vec least = scale[0];
    for (int i = 1; i < nvec; i++) least = v_min(least, scale[i]);
    return v_lanes(v_negative(least));
}

/* Brings one vector into range for the next block. *weight becomes 1 in lanes that matter and 0 in
 * the others. Returns one bit for each lane that does not matter. */
ARMILLA_ALWAYS_INLINE int matter_weights(double ceiling, vec *p, vec *other, vec *scale,
                                         vec *weight)
{
    rescale(p, other, scale, ceiling);
    vmask small = v_negative(*scale);
    *weight = v_select(small, v_all(0.0), v_all(1.0));
    return v_lanes(small);
}

/* The same for all vectors of a group. small[i]: what the function above returns for vector i.
 * Returned: nonzero if some lane of some vector does not matter yet. */
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

#endif

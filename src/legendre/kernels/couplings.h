/* Between a row of alm and the coefficients, or sums, of steps, docs/mathematics.md (2.11), (2.14):
 *
 *     e_k = u_k a_{l-1} + v_k a_{l+1},  o_k = alpha_k a_l,   l = m + 2k + 1
 *
 * Included by kernels. */
#ifndef ARMILLA_LEGENDRE_KERNELS_COUPLINGS_H
#define ARMILLA_LEGENDRE_KERNELS_COUPLINGS_H

#include "legendre/simd/simd.h"

/* Steps that a vector takes. */
#ifdef QUADS
enum { WHOLE_STEPS = QUADS };
#else
enum { WHOLE_STEPS = 1 };
#endif

/* Whole steps. pair: u_k, alpha_k in turns. alm: complex a_l for l = m, m + 1, ..., one more degree
 * than the steps have. */
ARMILLA_ALWAYS_INLINE void fill_whole(int64_t nsteps, const double *restrict pair,
                                      const double *restrict v, const double *restrict alm,
                                      double *restrict out)
{
#ifdef QUADS
    ARMILLA_UNROLL_TWICE
    for (int64_t k = 0; k < nsteps; k += QUADS) {
        vec first = v_quads_of_pairs(pair + 2 * k), next = v_quads_of_halves(v + k);
        vec result = v_mul(first, v_load_any(alm + 4 * k));
        v_store_any(out + 4 * k, v_fma(next, v_load_any(alm + 4 * k + 4), result));
    }
#else
    for (int64_t k = 0; k < nsteps; k++)
        for (int i = 0; i < 2; i++) {
            out[4 * k + i] = pair[2 * k] * alm[4 * k + i] + v[k] * alm[4 * k + 4 + i];
            out[4 * k + 2 + i] = pair[2 * k + 1] * alm[4 * k + 2 + i];
        }
#endif
}

/* Coefficients of nsteps steps, an even number. alm ends after `count` complex numbers. */
ARMILLA_ALWAYS_INLINE void fill_coefficients(int64_t count, int64_t nsteps,
                                             const double *restrict pair, const double *restrict v,
                                             const double *restrict alm, double *restrict out)
{
    const int64_t whole = count < 2 ? 0 : (count - 2) / (2 * WHOLE_STEPS) * WHOLE_STEPS;
    int64_t k = whole;
    fill_whole(whole, pair, v, alm, out);
    for (; 2 * k < count; k++) {
        const int64_t left = count - 2 * k;
        const double *here = alm + 4 * k;
        const quad even = left > 2 ? q_load_half(here + 4) : q_all(0.0);
        const quad own = left > 1 ? q_load(here) : q_load_half(here);
        q_store(out + 4 * k,
                q_fma_sum(q_of_half(v + k), even, q_mul(q_of_pair(pair + 2 * k), own)));
    }
    for (; k < nsteps; k++) q_store(out + 4 * k, q_all(0.0));
}

/* Whole steps. sums: E re, im, O re, im per step, `width` doubles from one to the next, preceded by
 * four zeros in the place of another one; v preceded by any finite number. add: alm is added to,
 * else written. Degree by degree, so that no step waits for the one before. */
ARMILLA_ALWAYS_INLINE void sum_whole(int64_t nsteps, const double *restrict pair,
                                     const double *restrict v, const double *restrict sums,
                                     int64_t width, const int add, double *restrict alm)
{
#ifdef QUADS
    ARMILLA_UNROLL_TWICE
    for (int64_t k = 0; k < nsteps; k += QUADS) {
        const double *own = sums + width * k;
        vec here = v_quads_of_pairs(pair + 2 * k), before = v_quads_of_halves(v + k - 1);
        vec old = add ? v_load_any(alm + 4 * k) : v_all(0.0);
        vec result = v_fma(here, v_load_quads(own, width), old);
        v_store_any(alm + 4 * k, v_fma(before, v_load_quads(own - width, width), result));
    }
#else
    for (int64_t k = 0; k < nsteps; k++)
        for (int i = 0; i < 2; i++) {
            const double *own = sums + width * k;
            double *even = alm + 4 * k + i, *odd = even + 2;
            *even = (add ? *even : 0) + pair[2 * k] * own[i] + v[k - 1] * own[i - width];
            *odd = (add ? *odd : 0) + pair[2 * k + 1] * own[2 + i];
        }
#endif
}

/* All of an alm row that ends after `count` complex numbers. */
ARMILLA_ALWAYS_INLINE void sum_degrees(int64_t count, const double *restrict pair,
                                       const double *restrict v, const double *restrict sums,
                                       int64_t width, const int add, double *restrict alm)
{
    const int64_t whole = count / (2 * WHOLE_STEPS) * WHOLE_STEPS;
    sum_whole(whole, pair, v, sums, width, add, alm);
    for (int64_t k = whole; 2 * k < count; k++) {
        const int is_half = 2 * k + 1 == count;
        const double *own = sums + width * k;
        double *to = alm + 4 * k;
        quad result = add ? (is_half ? q_load_half(to) : q_load(to)) : q_all(0.0);
        result = q_fma_sum(q_of_pair(pair + 2 * k), q_load(own), result);
        result = q_fma_sum(q_of_half(v + k - 1), q_load(own - width), result);
        if (is_half)
            q_store_half(to, result);
        else
            q_store(to, result);
    }
}

/* The same, with code of its own for either `add`. */
ARMILLA_ALWAYS_INLINE void fill_degrees(int64_t count, const double *restrict pair,
                                        const double *restrict v, const double *restrict sums,
                                        int64_t width, int add, double *restrict alm)
{
    if (add)
        sum_degrees(count, pair, v, sums, width, 1, alm);
    else
        sum_degrees(count, pair, v, sums, width, 0, alm);
}

#endif

/* The recurrence over steps, docs/mathematics.md (2.7) and (2.9), on vectors of ring pairs: see
 * kernels.h. Included by the kernels only. */
#ifndef ARMILLA_LEGENDRE_KERNELS_RECURRENCE_H
#define ARMILLA_LEGENDRE_KERNELS_RECURRENCE_H

#include "legendre/kernels/kernels.h"
#include "legendre/simd/simd.h"

/* Steps in a row: c is the first one's a, whose b, c1 and c2 stand n, 2n and 3n doubles further. */
typedef struct {
    const double *c;
    int64_t n, nsteps;
} step_run;

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

/* ARMILLA_KERNEL_STEPS steps of one vector without sums. */
ARMILLA_ALWAYS_INLINE void advance_block(const double *c, int64_t n, const vec *y, vec *current,
                                         vec *previous, const int fine)
{
    for (int j = 0; j < ARMILLA_KERNEL_STEPS; j++)
        advance(c + j, n, y, current, previous, j % 2, 1, fine);
}

#endif

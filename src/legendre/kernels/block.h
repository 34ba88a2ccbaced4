/* p_k of a block of steps in memory, for kernels that use it more than once: several sets share it.
 * Lanes that do not matter yet are 0. Included by sets_synthesis.c and sets_analysis.c. */
#ifndef ARMILLA_LEGENDRE_KERNELS_BLOCK_H
#define ARMILLA_LEGENDRE_KERNELS_BLOCK_H

#include "legendre/kernels/start.h"
#include <stddef.h>

/* The recurrence on one group. */
typedef struct {
    vec y[VECTORS], current[VECTORS], previous[VECTORS], scale[VECTORS];
} block_state;

/* One step's p. weight: 0 for lanes that do not matter; NULL: all do. */
ARMILLA_ALWAYS_INLINE void store_step(const block_state *s, const vec *weight, double *out,
                                      const int odd, const int nvec, const int nfine)
{
    for (int i = 0; i < nvec; i++) {
        vec p = value_now(s->current, s->previous, i, odd, nfine);
        v_store(out + i * VLEN, weight ? v_mul(weight[i], p) : p);
    }
}

/* nsteps (even) steps: p of step j, vector i at p[(j far + i) VLEN]. */
ARMILLA_ALWAYS_INLINE void store_steps(const double *c, int64_t n, int64_t nsteps, block_state *s,
                                       const vec *weight, double *p, int64_t far, const int nvec,
                                       const int nfine)
{
    for (int64_t k = 0; k < nsteps; k += 2, c += 2, p += 2 * far * VLEN) {
        store_step(s, weight, p, 0, nvec, nfine);
        advance(c, n, s->y, s->current, s->previous, 0, nvec, nfine);
        store_step(s, weight, p + far * VLEN, 1, nvec, nfine);
        advance(c + 1, n, s->y, s->current, s->previous, 1, nvec, nfine);
    }
}

ARMILLA_ALWAYS_INLINE void store_zeros(int64_t nsteps, double *p, int64_t far, const int nvec)
{
    for (int64_t k = 0; k < nsteps; k++)
        for (int i = 0; i < nvec; i++) v_store(p + (k * far + i) * VLEN, v_all(0.0));
}

/* nsteps steps from c, ceiling on. Returns the first step that matters (a multiple of
 * ARMILLA_KERNEL_STEPS, or nsteps): p before it is not written. */
ARMILLA_ALWAYS_INLINE int64_t fill_block(const double *c, int64_t n, const double *ceiling,
                                         int64_t nsteps, block_state *s, double *p, int64_t far,
                                         const int nvec, const int nfine)
{
    int64_t k = 0, begin = 0;
    if (any_waits(s->scale, nvec)) {
        k = skip_steps(c, n, ceiling, nsteps, s->y, s->current, s->previous, s->scale, nvec, nfine);
        begin = k;
        for (; k < nsteps; k += ARMILLA_KERNEL_STEPS) {
            vec weight[VECTORS];
            int small[VECTORS];
            if (!group_weights(ceiling[k / ARMILLA_KERNEL_STEPS], s->current, s->previous, s->scale,
                               weight, small, nvec))
                break;
            store_steps(c + k, n, ARMILLA_KERNEL_STEPS, s, weight, p + k * far * VLEN, far, nvec,
                        nfine);
        }
    }
    store_steps(c + k, n, nsteps - k, s, NULL, p + k * far * VLEN, far, nvec, nfine);
    return begin;
}

#endif

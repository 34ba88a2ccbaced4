/* p_k of a block of steps in memory, for kernels that use it more than once: several sets share it.
 * Lanes that do not matter yet are 0. Included by sets_synthesis.c and sets_analysis.c. */
#ifndef ARMILLA_LEGENDRE_KERNELS_BLOCK_H
#define ARMILLA_LEGENDRE_KERNELS_BLOCK_H

#include "legendre/kernels/start.h"

/* The recurrence on one group. */
typedef struct {
    vec y[VECTORS], current[VECTORS], previous[VECTORS], scale[VECTORS];
} block_state;

/* Steps from ARMILLA_KERNEL_STEPS on, plain: p of step j, vector i at p[(j far + i) VLEN]. */
ARMILLA_ALWAYS_INLINE void store_steps(const double *c, int64_t n, int64_t nsteps, block_state *s,
                                       double *p, int64_t far, const int nvec, const int fine)
{
    vec *next = fine ? s->current : s->previous, *other = fine ? s->previous : s->current;
    for (int64_t k = 0; k < nsteps; k += 2, c += 2, p += 2 * far * VLEN) {
        for (int i = 0; i < nvec; i++) v_store(p + i * VLEN, s->current[i]);
        advance(c, n, s->y, s->current, s->previous, nvec, fine);
        for (int i = 0; i < nvec; i++) v_store(p + (far + i) * VLEN, next[i]);
        advance(c + 1, n, s->y, next, other, nvec, fine);
    }
}

/* ARMILLA_KERNEL_STEPS steps of which some lanes matter. */
ARMILLA_ALWAYS_INLINE void store_masked(const double *c, int64_t n, block_state *s,
                                        const vec *weight, double *p, int64_t far, const int nvec,
                                        const int fine)
{
    vec *next = fine ? s->current : s->previous, *other = fine ? s->previous : s->current;
    for (int k = 0; k < ARMILLA_KERNEL_STEPS; k += 2, c += 2, p += 2 * far * VLEN) {
        for (int i = 0; i < nvec; i++) v_store(p + i * VLEN, v_mul(weight[i], s->current[i]));
        advance(c, n, s->y, s->current, s->previous, nvec, fine);
        for (int i = 0; i < nvec; i++) v_store(p + (far + i) * VLEN, v_mul(weight[i], next[i]));
        advance(c + 1, n, s->y, next, other, nvec, fine);
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
                                         const int nvec, const int fine)
{
    int64_t k = 0, begin = 0;
    if (any_waits(s->scale, nvec)) {
        k = skip_steps(c, n, ceiling, nsteps, s->y, s->current, s->previous, s->scale, nvec, fine);
        begin = k;
        for (; k < nsteps; k += ARMILLA_KERNEL_STEPS) {
            vec weight[VECTORS];
            int waiting = 0;
            for (int i = 0; i < nvec; i++)
                waiting |= matter_weights(ceiling[k / ARMILLA_KERNEL_STEPS], &s->current[i],
                                          &s->previous[i], &s->scale[i], &weight[i]);
            if (!waiting) break;
            store_masked(c + k, n, s, weight, p + k * far * VLEN, far, nvec, fine);
        }
    }
    store_steps(c + k, n, nsteps - k, s, p + k * far * VLEN, far, nvec, fine);
    return begin;
}

#endif

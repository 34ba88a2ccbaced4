/* p_k of a block of steps in memory, for kernels that use it more than once: several sets share it.
 * Lanes that do not matter yet are 0. Included by sets_synthesis.c and sets_analysis.c. */
#ifndef ARMILLA_LEGENDRE_KERNELS_BLOCK_H
#define ARMILLA_LEGENDRE_KERNELS_BLOCK_H

#include "legendre/kernels/groups.h"
#include "legendre/kernels/kept.h"
#include "legendre/kernels/start.h"

#include <stddef.h>

/* Doubles between p of one step and the next, whatever vectors a group has: a constant, for code
 * that adds it to an address needs no register. */
enum { BLOCK_ROW = GROUP_VECTORS * VLEN };

/* The state of the recurrence on one group. */
typedef struct {
    vec y[GROUP_VECTORS], current[GROUP_VECTORS], previous[GROUP_VECTORS], scale[GROUP_VECTORS];
} block_state;

/* A block of steps, from step `first` on, and where their p go: of step j of the block and vector i
 * to p[j BLOCK_ROW + i VLEN]. */
typedef struct {
    int64_t first, nsteps;
    double *p;
} p_block;

/* Stores p of one step. weight: 0 for lanes that do not matter yet, else 1; NULL: all matter. */
ARMILLA_ALWAYS_INLINE void store_step(const block_state *s, const vec *weight, double *out,
                                      const int odd, const int nvec, const int nfine)
{
    for (int i = 0; i < nvec; i++) {
        vec p = value_now(s->current, s->previous, i, odd, nfine);
        v_store(out + i * VLEN, weight ? v_mul(weight[i], p) : p);
    }
}

/* Runs an even number of steps. p of step j and vector i goes to p[(j far + i) VLEN]. */
ARMILLA_ALWAYS_INLINE void store_steps(const step_run *run, block_state *s, const vec *weight,
                                       double *p, int64_t far, const int nvec, const int nfine)
{
    const double *c = run->c;
    const int64_t n = run->n;
    for (int64_t k = 0; k < run->nsteps; k += 2, c += 2, p += 2 * far * VLEN) {
        store_step(s, weight, p, 0, nvec, nfine);
        advance(c, n, s->y, s->current, s->previous, 0, nvec, nfine);
        store_step(s, weight, p + far * VLEN, 1, nvec, nfine);
        advance(c + 1, n, s->y, s->current, s->previous, 1, nvec, nfine);
    }
}

ARMILLA_ALWAYS_INLINE void store_zeros(int64_t nsteps, double *p, const int nvec)
{
    for (int64_t k = 0; k < nsteps; k++)
        for (int i = 0; i < nvec; i++) v_store(p + k * BLOCK_ROW + i * VLEN, v_all(0.0));
}

/* Runs steps whose ceilings begin at `ceiling`. Returns the first one that matters on some pair (a
 * multiple of ARMILLA_KERNEL_STEPS, or their number if none does): p of the steps before it is not
 * written. */
ARMILLA_ALWAYS_INLINE int64_t fill_block(const step_run *run, const double *ceiling, block_state *s,
                                         double *p, const int nvec, const int nfine)
{
    int64_t k = 0, begin = 0;
    if (any_waits(s->scale, nvec)) {
        k = skip_steps(run, ceiling, s->y, s->current, s->previous, s->scale, nvec, nfine);
        begin = k;
        for (; k < run->nsteps; k += ARMILLA_KERNEL_STEPS) {
            vec weight[GROUP_VECTORS];
            int small[GROUP_VECTORS];
            if (!group_weights(ceiling[k / ARMILLA_KERNEL_STEPS], s->current, s->previous, s->scale,
                               weight, small, nvec))
                break;
            store_steps(&(step_run){run->c + k, run->n, ARMILLA_KERNEL_STEPS}, s, weight,
                        p + k * BLOCK_ROW, GROUP_VECTORS, nvec, nfine);
        }
    }
    store_steps(&(step_run){run->c + k, run->n, run->nsteps - k}, s, NULL, p + k * BLOCK_ROW,
                GROUP_VECTORS, nvec, nfine);
    return begin;
}

/* fill_block from kept starts: vectors that begin in a later block take part with zeros. What uses
 * p goes by ARMILLA_KERNEL_STEPS steps. */
ARMILLA_ALWAYS_INLINE int64_t fill_kept(const armilla_kernel_order *order,
                                        const armilla_kernel_group *group, const p_block *b,
                                        block_state *s, const int nvec, const int nfine)
{
    const part_starts starts =
        find_starts(order, vector_pair(group, 0), vector_distance(group), nvec);
    const double *c = order->recurrence[group->form];
    const int64_t first = b->first, end = first + b->nsteps;
    int64_t k = next_start(&starts, -1, end, nvec), next;
    if (k < first) k = first;
    const int64_t begin = (k - first) / ARMILLA_KERNEL_STEPS * ARMILLA_KERNEL_STEPS;
    store_zeros(k - first - begin, b->p + begin * BLOCK_ROW, nvec);
    for (; k < end; k = next) {
        next = next_start(&starts, k, end, nvec);
        begin_vectors(order, &starts, k, s->current, s->previous, nvec, nfine);
        store_steps(&(step_run){c + k, order->nsteps, next - k}, s, NULL,
                    b->p + (k - first) * BLOCK_ROW, GROUP_VECTORS, nvec, nfine);
    }
    return begin;
}

/* The next block of steps of a group. kept: from kept starts. */
ARMILLA_ALWAYS_INLINE int64_t next_block(const armilla_kernel_order *order,
                                         const armilla_kernel_group *group, const p_block *b,
                                         block_state *s, const int kept, const int nvec,
                                         const int nfine)
{
    const step_run run = {order->recurrence[group->form] + b->first, order->nsteps, b->nsteps};
    if (kept) return fill_kept(order, group, b, s, nvec, nfine);
    return fill_block(&run, order->ceiling + b->first / ARMILLA_KERNEL_STEPS, s, b->p, nvec, nfine);
}

#endif

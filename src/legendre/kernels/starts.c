/* Where each vector of ring pairs begins to matter, for plans that keep it: kernels.h,
 * armilla_kernel_starts. */
#include "legendre/kernels/groups.h"
#include "legendre/kernels/start.h"

#include <string.h>

/* Vectors of a part of a group, which begin together: 16 pairs or so. A loop of many vectors that
 * one more joins at every few steps is slower than steps that do not matter on some. */
enum { PART_VECTORS = 16 / VLEN < GROUP_VECTORS ? 16 / VLEN : GROUP_VECTORS };

typedef struct {
    vec y[PART_VECTORS], current[PART_VECTORS], previous[PART_VECTORS], scale[PART_VECTORS];
} part_state;

/* Has a lane with n = 0 reached 2^-56? */
ARMILLA_ALWAYS_INLINE int some_matter(const part_state *s, const int odd, const int nvec,
                                      const int nfine)
{
    int matter = 0;
    for (int i = 0; i < nvec; i++) {
        const vec p = value_now(s->current, s->previous, i, odd, nfine);
        const vec own = v_select(v_negative(s->scale[i]), v_all(0.0), p);
        matter |= v_lanes(v_larger(own, 0x1p-56)) != 0;
    }
    return matter;
}

/* The first of two steps that matters on some pair, an even one. */
ARMILLA_ALWAYS_INLINE int64_t find_first(const armilla_kernel_order *order, const double *c,
                                         part_state *s, const int nvec, const int nfine)
{
    const int64_t n = order->nsteps, end = order->ncount;
    int64_t k =
        skip_steps(c, n, order->ceiling, end, s->y, s->current, s->previous, s->scale, nvec, nfine);
    for (; k < end; k += 2) {
        for (int i = 0; i < nvec && k % ARMILLA_KERNEL_STEPS == 0; i++)
            rescale(&s->current[i], &s->previous[i], &s->scale[i],
                    order->ceiling[k / ARMILLA_KERNEL_STEPS]);
        part_state next = *s;
        if (some_matter(&next, 0, nvec, nfine)) break;
        advance(c + k, n, next.y, next.current, next.previous, 0, nvec, nfine);
        if (some_matter(&next, 1, nvec, nfine)) break;
        advance(c + k + 1, n, next.y, next.current, next.previous, 1, nvec, nfine);
        *s = next;
    }
    return k < end ? k : end;
}

/* p as it is, without a range: 0 where it is below 2^-568. */
ARMILLA_ALWAYS_INLINE vec without_range(vec p, vec scale)
{
    const vec tiny = v_add(scale, v_all(1.0)); /* negative for n < -1 */
    const vec factor = v_select(v_negative(scale), v_all(RANGE_DOWN), v_all(1.0));
    return v_mul(p, v_select(v_negative(tiny), v_all(0.0), factor));
}

/* Is there a pair that has an entry of leg and is below 2^-568? */
static int some_lost(const armilla_kernel_order *order, const armilla_kernel_group *group,
                     int64_t place, vec scale)
{
    double n[VLEN];
    memcpy(n, &scale, sizeof n);
    for (int64_t i = 0; i < VLEN; i++) {
        const int64_t pair = group->pair + place - group->first + i;
        if (n[i] < -1 && pair >= order->least_pair) return 1;
    }
    return 0;
}

ARMILLA_ALWAYS_INLINE void start_part(const armilla_kernel_order *order,
                                      const armilla_kernel_group *group, int index, int32_t *step,
                                      double *current, double *previous, const int nvec,
                                      const int nfine)
{
    const int64_t first = vector_pair(group, index), far = vector_distance(group);
    part_state s;
    for (int i = 0; i < nvec; i++) {
        s.y[i] = v_load(order->argument + first + i * far);
        start_vector(order, first + i * far, i < nfine, &s.current[i], &s.previous[i], &s.scale[i]);
    }
    const int64_t k = find_first(order, order->recurrence[group->form], &s, nvec, nfine);
    for (int i = 0; i < nvec; i++) {
        const int64_t place = first + i * far, at = place - group->first;
        const int lost = k < order->ncount && some_lost(order, group, place, s.scale[i]);
        step[at / VLEN] = lost ? -1 : (int32_t)k;
        v_store(current + at, without_range(s.current[i], s.scale[i]));
        v_store(previous + at, without_range(s.previous[i], s.scale[i]));
    }
}

#define WORK(index, nsets, nvec, nfine)                                                            \
    start_part(order, group, index, step, current, previous, nvec, nfine)

#define WHOLE(nvec, nfine) WORK(0, 1, nvec, nfine)

void ARMILLA_KERNEL(armilla_kernel_starts)(const armilla_kernel_order *order,
                                           const armilla_kernel_group *group, int32_t *step,
                                           double *current, double *previous)
{
    if (PART_VECTORS < GROUP_VECTORS)
        FOR_PARTS(group, 1, PART_VECTORS, WORK)
    else
        FOR_GROUP(group, WHOLE)
}

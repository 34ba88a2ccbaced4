/* Where each vector of ring pairs begins to matter, for plans that keep it: kernels.h,
 * armilla_kernel_starts.
 *
 * The state of the recurrence at a step is two numbers for each pair, p_k and, in plain form,
 * p_{k-1}. Where p is still below 2^-56, one of them is enough. The sequence q with q_{k-1} = 0 and
 * q_k = p_k is a sum of one that grows as p does and one that falls: after some steps q is a
 * multiple of p, and p_k times that p / q is the value with which a recurrence from (0, value)
 * becomes p. Until then it differs from p by what has fallen from |p_{k-1}|, below 2^-56. When p
 * has grown by a factor G, the falling part of q / p is down to G^-2: 2^-56 at G = 2^28. */
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
    int64_t k = skip_steps(&(step_run){c, n, end}, order->ceiling, s->y, s->current, s->previous,
                           s->scale, nvec, nfine);
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

/* Growth of p after which q is a multiple of it. */
static const double GROWTH = 0x1p28;

/* p and q at a step, and what they say of p / q. */
typedef struct {
    part_state p, q;
    vec size[PART_VECTORS];   /* 1 / (GROWTH p) of the first step */
    vec factor[PART_VECTORS]; /* p / q; 0: not known yet */
} part_match;

/* On a ring at a pole p is 0: its factor is 1. */
ARMILLA_ALWAYS_INLINE void start_match(const part_state *s, part_match *m, const int nvec)
{
    m->p = m->q = *s;
    for (int i = 0; i < nvec; i++) {
        const vmask some = v_larger(s->current[i], 0);
        m->q.previous[i] = v_all(0.0);
        m->factor[i] = v_select(some, v_all(0.0), v_all(1.0));
        m->size[i] = v_div(v_all(1 / GROWTH), v_select(some, s->current[i], v_all(1.0)));
    }
}

/* Moves p up, and q with it. */
ARMILLA_ALWAYS_INLINE void rescale_match(part_match *m, double ceiling, const int nvec)
{
    for (int i = 0; i < nvec; i++) {
        const vec before = m->p.scale[i];
        rescale(&m->p.current[i], &m->p.previous[i], &m->p.scale[i], ceiling);
        const vmask moved = v_larger(v_sub(m->p.scale[i], before), 0.5);
        const vec down = v_select(moved, v_all(RANGE_DOWN), v_all(1.0));
        m->q.current[i] = v_mul(m->q.current[i], down);
        m->q.previous[i] = v_mul(m->q.previous[i], down);
        m->size[i] = v_div(m->size[i], down);
    }
}

/* Fills the factors of lanes that have none and where p, times `size`, is above the limit.
 * Returned: whether all lanes have one then. */
ARMILLA_ALWAYS_INLINE int find_factors(part_match *m, double limit, const int nvec)
{
    int all = LANES_ALL;
    for (int i = 0; i < nvec; i++) {
        const vmask grown = v_larger(v_mul(m->p.current[i], m->size[i]), limit);
        const vmask known = v_larger(m->factor[i], 0);
        if (v_lanes(grown) & ~v_lanes(known)) {
            const vec q = v_select(grown, m->q.current[i], v_all(1.0));
            const vec now = v_select(grown, v_div(m->p.current[i], q), v_all(0.0));
            m->factor[i] = v_select(known, m->factor[i], now);
        }
        all &= v_lanes(v_larger(m->factor[i], 0));
    }
    return all == LANES_ALL;
}

/* What p of step k > 0 is to be multiplied with. Where an order ends before p has grown, its last
 * even step counts. */
ARMILLA_ALWAYS_INLINE void match_part(const armilla_kernel_order *order, const double *c, int64_t k,
                                      const part_state *s, vec *factor, const int nvec,
                                      const int nfine)
{
    const int64_t n = order->nsteps;
    part_match m;
    start_match(s, &m, nvec);
    for (; k + 2 < order->ncount && !find_factors(&m, 1, nvec); k += 2) {
        if (k % ARMILLA_KERNEL_STEPS == 0)
            rescale_match(&m, order->ceiling[k / ARMILLA_KERNEL_STEPS], nvec);
        for (int odd = 0; odd < 2; odd++) {
            advance(c + k + odd, n, s->y, m.p.current, m.p.previous, odd, nvec, nfine);
            advance(c + k + odd, n, s->y, m.q.current, m.q.previous, odd, nvec, nfine);
        }
    }
    find_factors(&m, 0, nvec);
    for (int i = 0; i < nvec; i++) factor[i] = m.factor[i];
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
                                      double *value, const int nvec, const int nfine)
{
    const int64_t first = vector_pair(group, index), far = vector_distance(group);
    const double *c = order->recurrence[group->form];
    vec factor[PART_VECTORS];
    part_state s;
    for (int i = 0; i < nvec; i++) {
        s.y[i] = v_load(order->argument + first + i * far);
        start_vector(order, first + i * far, i < nfine, &s.current[i], &s.previous[i], &s.scale[i]);
    }
    const int64_t k = find_first(order, c, &s, nvec, nfine);
    for (int i = 0; i < nvec; i++) factor[i] = v_all(1.0);
    if (k > 0 && k < order->ncount) match_part(order, c, k, &s, factor, nvec, nfine);
    for (int i = 0; i < nvec; i++) {
        const int64_t place = first + i * far, at = place - group->first;
        const int lost = k < order->ncount && some_lost(order, group, place, s.scale[i]);
        step[at / VLEN] = lost ? -1 : (int32_t)k;
        v_store(value + at, without_range(v_mul(factor[i], s.current[i]), s.scale[i]));
    }
}

#define WORK(index, nsets, nvec, nfine) start_part(order, group, index, step, value, nvec, nfine)

#define WHOLE(nvec, nfine) WORK(0, 1, nvec, nfine)

void ARMILLA_KERNEL(armilla_kernel_starts)(const armilla_kernel_order *order,
                                           const armilla_kernel_group *group, int32_t *step,
                                           double *value)
{
    if (PART_VECTORS < GROUP_VECTORS)
        FOR_PARTS(group, 1, PART_VECTORS, WORK)
    else
        FOR_GROUP(group, WHOLE)
}

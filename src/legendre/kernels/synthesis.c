/* Legendre synthesis on one group of ring pairs, docs/mathematics.md (2.12):
 *     even = sum_k e_k p_k,  odd = x sum_k o_k p_k,  north = even + odd,  south = even - odd.
 * Per step and vector: 2 FMA for the recurrence, 4 for the sums. Three phases: no pair matters yet
 * (recurrence only), some do (masked sums), all do. */
#include "legendre/kernels/start.h"

typedef struct {
    vec y[VECTORS], current[VECTORS], previous[VECTORS];
    vec scale[VECTORS];
    vec sum[VECTORS][4];
} group_state;

ARMILLA_ALWAYS_INLINE void add_step(const double *f, const vec *p, vec (*sum)[4], const int nvec)
{
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < nvec; i++) sum[i][j] = v_fma(v_all(f[j]), p[i], sum[i][j]);
}

/* A block of steps of one vector of which some pairs matter. */
ARMILLA_ALWAYS_INLINE void masked_block(const double *c, int64_t n, const double *f, const vec *y,
                                        vec *p, vec *other, vec weight, vec sum[4], const int fine)
{
    vec s[1][4] = {{sum[0], sum[1], sum[2], sum[3]}};
    vec *next = fine ? p : other, *last = fine ? other : p;
    for (int j = 0; j < ARMILLA_KERNEL_STEPS; j += 2) {
        vec value = v_mul(weight, *p);
        add_step(f + 4 * j, &value, s, 1);
        advance(c + j, n, y, p, other, 1, fine);
        value = v_mul(weight, *next);
        add_step(f + 4 * j + 4, &value, s, 1);
        advance(c + j + 1, n, y, next, last, 1, fine);
    }
    for (int j = 0; j < 4; j++) sum[j] = s[0][j];
}

/* Steps in which some pairs matter, until all do: vector by vector, for they begin to matter one
 * after the other. Returns the step reached. */
ARMILLA_ALWAYS_INLINE int64_t masked_steps(const double *c, int64_t n, const double *ceiling,
                                           const double *f, int64_t k, int64_t nsteps,
                                           group_state *s, const int nvec, const int fine)
{
    for (; k < nsteps; k += ARMILLA_KERNEL_STEPS) {
        vec weight[VECTORS];
        int small[VECTORS], waiting = 0;
        for (int i = 0; i < nvec; i++) {
            small[i] = matter_weights(ceiling[k / ARMILLA_KERNEL_STEPS], &s->current[i],
                                      &s->previous[i], &s->scale[i], &weight[i]);
            waiting |= small[i];
        }
        if (!waiting) return k;
        for (int i = 0; i < nvec; i++) {
            if (small[i] == LANES_ALL)
                advance_block(c + k, n, &s->y[i], &s->current[i], &s->previous[i], fine);
            else
                masked_block(c + k, n, f + 4 * k, &s->y[i], &s->current[i], &s->previous[i],
                             weight[i], s->sum[i], fine);
        }
    }
    return nsteps;
}

ARMILLA_ALWAYS_INLINE void plain_steps(const double *c, int64_t n, const double *f, int64_t nsteps,
                                       group_state *s, const int nvec, const int fine)
{
    vec *next = fine ? s->current : s->previous, *other = fine ? s->previous : s->current;
    for (int64_t k = 0; k < nsteps; k += 2, c += 2, f += 8) {
        add_step(f, s->current, s->sum, nvec);
        advance(c, n, s->y, s->current, s->previous, nvec, fine);
        add_step(f + 4, next, s->sum, nvec);
        advance(c + 1, n, s->y, next, other, nvec, fine);
    }
}

ARMILLA_ALWAYS_INLINE void synthesis_group(const armilla_kernel_order *order,
                                           const armilla_kernel_group *group, double *leg,
                                           const int nvec, const int fine)
{
    group_state s;
    for (int i = 0; i < nvec; i++) {
        int64_t pair = group->first + i * VLEN;
        s.y[i] = v_load(order->argument + pair);
        start_value(order, pair, &s.current[i], &s.scale[i]);
        s.previous[i] = fine ? s.current[i] : v_all(0.0);
        for (int j = 0; j < 4; j++) s.sum[i][j] = v_all(0.0);
    }
    const double *c = order->recurrence[group->form], *f = order->coefficients;
    const int64_t n = order->nsteps;
    const double *ceiling = order->ceiling;
    int64_t k =
        skip_steps(c, n, ceiling, order->nsteps, s.y, s.current, s.previous, s.scale, nvec, fine);
    k = masked_steps(c, n, ceiling, f, k, order->nsteps, &s, nvec, fine);
    plain_steps(c + k, n, f + 4 * k, order->nsteps - k, &s, nvec, fine);
    for (int i = 0; i < nvec; i++) {
        vec x = v_load(order->cos_theta + group->first + i * VLEN);
        vec odd_re = v_mul(x, s.sum[i][2]), odd_im = v_mul(x, s.sum[i][3]);
        v_store4(leg + 4 * i * VLEN, v_add(s.sum[i][0], odd_re), v_add(s.sum[i][1], odd_im),
                 v_sub(s.sum[i][0], odd_re), v_sub(s.sum[i][1], odd_im));
    }
}

#define SYNTHESIS(nvec, fine) synthesis_group(order, group, leg, nvec, fine)

void ARMILLA_KERNEL(armilla_kernel_synthesis)(const armilla_kernel_order *order,
                                              const armilla_kernel_group *group, double *leg);

void ARMILLA_KERNEL(armilla_kernel_synthesis)(const armilla_kernel_order *order,
                                              const armilla_kernel_group *group, double *leg)
{
    FOR_GROUP_SIZE(group, SYNTHESIS)
}

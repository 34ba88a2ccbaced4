/* Legendre synthesis on one group of ring pairs (docs/mathematics.md 2):
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

/* Steps with sums over the pairs that matter, until all do. Returns the step reached. */
ARMILLA_ALWAYS_INLINE int64_t masked_steps(const double *ab, const double *ceiling, const double *f,
                                           int64_t k, int64_t nsteps, group_state *s,
                                           const int nvec)
{
    for (; k < nsteps; k += ARMILLA_KERNEL_STEPS) {
        vec weight[VECTORS], p[VECTORS];
        if (!matter_weights(ceiling[k / ARMILLA_KERNEL_STEPS], s->current, s->previous, s->scale,
                            weight, nvec))
            return k;
        for (int j = 0; j < ARMILLA_KERNEL_STEPS; j += 2) {
            for (int i = 0; i < nvec; i++) p[i] = v_mul(weight[i], s->current[i]);
            add_step(f + 4 * (k + j), p, s->sum, nvec);
            RECURRENCE_STEP(nvec, ab + 2 * (k + j), s->y, s->current, s->previous);
            for (int i = 0; i < nvec; i++) p[i] = v_mul(weight[i], s->previous[i]);
            add_step(f + 4 * (k + j) + 4, p, s->sum, nvec);
            RECURRENCE_STEP(nvec, ab + 2 * (k + j) + 2, s->y, s->previous, s->current);
        }
    }
    return nsteps;
}

ARMILLA_ALWAYS_INLINE void plain_steps(const double *ab, const double *f, int64_t nsteps,
                                       group_state *s, const int nvec)
{
    for (int64_t k = 0; k < nsteps; k += 2, ab += 4, f += 8) {
        add_step(f, s->current, s->sum, nvec);
        RECURRENCE_STEP(nvec, ab, s->y, s->current, s->previous);
        add_step(f + 4, s->previous, s->sum, nvec);
        RECURRENCE_STEP(nvec, ab + 2, s->y, s->previous, s->current);
    }
}

ARMILLA_ALWAYS_INLINE void synthesis_group(const armilla_kernel_order *order,
                                           const armilla_kernel_group *group, double *leg,
                                           const int nvec)
{
    group_state s;
    for (int i = 0; i < nvec; i++) {
        int64_t pair = group->first + i * VLEN;
        s.y[i] = v_load(order->argument + pair);
        start_value(order, pair, &s.current[i], &s.scale[i]);
        s.previous[i] = v_all(0.0);
        for (int j = 0; j < 4; j++) s.sum[i][j] = v_all(0.0);
    }
    const double *ab = order->recurrence[group->form], *f = order->coefficients;
    const double *ceiling = order->ceiling;
    int64_t k = skip_steps(ab, ceiling, order->nsteps, s.y, s.current, s.previous, s.scale, nvec);
    k = masked_steps(ab, ceiling, f, k, order->nsteps, &s, nvec);
    plain_steps(ab + 2 * k, f + 4 * k, order->nsteps - k, &s, nvec);
    for (int i = 0; i < nvec; i++) {
        vec x = v_load(order->cos_theta + group->first + i * VLEN);
        vec odd_re = v_mul(x, s.sum[i][2]), odd_im = v_mul(x, s.sum[i][3]);
        v_store4(leg + 4 * i * VLEN, v_add(s.sum[i][0], odd_re), v_add(s.sum[i][1], odd_im),
                 v_sub(s.sum[i][0], odd_re), v_sub(s.sum[i][1], odd_im));
    }
}

void ARMILLA_KERNEL(armilla_kernel_synthesis)(const armilla_kernel_order *order,
                                              const armilla_kernel_group *group, double *leg);

void ARMILLA_KERNEL(armilla_kernel_synthesis)(const armilla_kernel_order *order,
                                              const armilla_kernel_group *group, double *leg)
{
    switch (group->nvec) {
    case 1:
        synthesis_group(order, group, leg, 1);
        break;
    case 2:
        synthesis_group(order, group, leg, 2);
        break;
#if VECTORS > 2
    case 3:
        synthesis_group(order, group, leg, 3);
        break;
    default:
        synthesis_group(order, group, leg, 4);
#endif
    }
}

/* Legendre synthesis on one group of ring pairs, docs/mathematics.md (2.12):
 *     even = sum_k e_k p_k,  odd = x sum_k o_k p_k,  north = even + odd,  south = even - odd.
 * Per step and vector: 2 FMA for the recurrence, 4 for the sums. Three phases: no pair matters yet
 * (recurrence only), some do (masked sums), all do. */
#define PART_VECTORS VECTORS_OF_TWO
#include "legendre/kernels/groups.h"
#include "legendre/kernels/start.h"
#include "legendre/kernels/values.h"

typedef vec group_sums[8]; /* of one or two sets */

typedef struct {
    vec y[VECTORS], current[VECTORS], previous[VECTORS];
    vec scale[VECTORS];
    group_sums sum[VECTORS];
} group_state;

/* f: coefficients of a step; sets lie `far` doubles apart. */
ARMILLA_ALWAYS_INLINE void add_step(const double *f, int64_t far, const vec *p, group_sums *sum,
                                    const int nsets, const int nvec)
{
    for (int j = 0; j < 4 * nsets; j++)
        for (int i = 0; i < nvec; i++)
            sum[i][j] = v_fma(v_all(f[j / 4 * far + j % 4]), p[i], sum[i][j]);
}

/* A block of steps of one vector of which some pairs matter. */
ARMILLA_ALWAYS_INLINE void masked_block(const double *c, int64_t n, const double *f, const vec *y,
                                        vec *p, vec *other, vec weight, group_sums *sum,
                                        const int nsets, const int fine)
{
    group_sums s[1];
    for (int j = 0; j < 4 * nsets; j++) s[0][j] = (*sum)[j];
    vec *next = fine ? p : other, *last = fine ? other : p;
    for (int j = 0; j < ARMILLA_KERNEL_STEPS; j += 2) {
        vec value = v_mul(weight, *p);
        add_step(f + 4 * j, 4 * n, &value, s, nsets, 1);
        advance(c + j, n, y, p, other, 1, fine);
        value = v_mul(weight, *next);
        add_step(f + 4 * j + 4, 4 * n, &value, s, nsets, 1);
        advance(c + j + 1, n, y, next, last, 1, fine);
    }
    for (int j = 0; j < 4 * nsets; j++) (*sum)[j] = s[0][j];
}

/* Steps in which some pairs matter, until all do: vector by vector, for they begin to matter one
 * after the other. Returns the step reached. */
ARMILLA_ALWAYS_INLINE int64_t masked_steps(const double *c, int64_t n, const double *ceiling,
                                           const double *f, int64_t k, int64_t nsteps,
                                           group_state *s, const int nsets, const int nvec,
                                           const int fine)
{
    for (; k < nsteps; k += ARMILLA_KERNEL_STEPS) {
        vec weight[VECTORS];
        int small[VECTORS];
        if (!group_weights(ceiling[k / ARMILLA_KERNEL_STEPS], s->current, s->previous, s->scale,
                           weight, small, nvec))
            return k;
        for (int i = 0; i < nvec; i++) {
            if (small[i] == LANES_ALL)
                advance_block(c + k, n, &s->y[i], &s->current[i], &s->previous[i], fine);
            else
                masked_block(c + k, n, f + 4 * k, &s->y[i], &s->current[i], &s->previous[i],
                             weight[i], &s->sum[i], nsets, fine);
        }
    }
    return nsteps;
}

ARMILLA_ALWAYS_INLINE void plain_steps(const double *c, int64_t n, const double *f, int64_t nsteps,
                                       group_state *s, const int nsets, const int nvec,
                                       const int fine)
{
    vec *next = fine ? s->current : s->previous, *other = fine ? s->previous : s->current;
    for (int64_t k = 0; k < nsteps; k += 2, c += 2, f += 8) {
        add_step(f, 4 * n, s->current, s->sum, nsets, nvec);
        advance(c, n, s->y, s->current, s->previous, nvec, fine);
        add_step(f + 4, 4 * n, next, s->sum, nsets, nvec);
        advance(c + 1, n, s->y, next, other, nvec, fine);
    }
}

/* nvec vectors from pair `first` on. */
ARMILLA_ALWAYS_INLINE void synthesis_vectors(const armilla_kernel_order *order, int64_t first,
                                             const double *c, double *leg, const int nsets,
                                             const int nvec, const int fine)
{
    group_state s;
    for (int i = 0; i < nvec; i++) {
        int64_t pair = first + i * VLEN;
        s.y[i] = v_load(order->argument + pair);
        start_value(order, pair, &s.current[i], &s.scale[i]);
        s.previous[i] = fine ? s.current[i] : v_all(0.0);
        for (int j = 0; j < 4 * nsets; j++) s.sum[i][j] = v_all(0.0);
    }
    const double *f = order->coefficients, *ceiling = order->ceiling;
    const int64_t n = order->nsteps;
    int64_t k = skip_steps(c, n, ceiling, n, s.y, s.current, s.previous, s.scale, nvec, fine);
    k = masked_steps(c, n, ceiling, f, k, n, &s, nsets, nvec, fine);
    plain_steps(c + k, n, f + 4 * k, n - k, &s, nsets, nvec, fine);
    for (int i = 0; i < nvec; i++)
        for (int set = 0; set < nsets; set++)
            write_values(order, first + i * VLEN, s.sum[i] + 4 * set,
                         leg + 4 * i * VLEN + set * order->leg_stride);
}

#define WORK(skip, nsets, nvec, fine)                                                              \
    synthesis_vectors(order, group->first + (skip)*VLEN, order->recurrence[group->form],           \
                      leg + 4 * (skip)*VLEN, nsets, nvec, fine)

#define ONE_SET(nvec, fine) WORK(0, 1, nvec, fine)

void ARMILLA_KERNEL(armilla_kernel_synthesis)(const armilla_kernel_order *order,
                                              const armilla_kernel_group *group, double *leg)
{
    if (order->nsets == 2)
        FOR_PARTS(group, WORK)
    else
        FOR_GROUP(group, ONE_SET)
}

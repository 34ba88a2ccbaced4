/* Legendre analysis on one group of ring pairs, the transpose of synthesis.c,
 * docs/mathematics.md (2.13):
 *     E_k += sum over pairs of p_k (N + S),  O_k += sum over pairs of p_k x (N - S).
 * The sums of a step stay vectors (one partial sum per lane) while all groups of a block of rings
 * pass; lanes are added once per block of steps. Steps go in blocks of ARMILLA_ANALYSIS_STEPS so
 * that the lane sums stay in the first-level cache; each group's p and range are kept in `state`
 * between blocks. */
#define PART_VECTORS VECTORS_OF_TWO_ANALYSIS
#include "legendre/kernels/groups.h"
#include "legendre/kernels/start.h"
#include "legendre/kernels/values.h"

#include <string.h>

typedef vec group_values[8]; /* of one or two sets */

typedef struct {
    vec y[VECTORS], current[VECTORS], previous[VECTORS];
    vec scale[VECTORS];
    group_values value[VECTORS];
} group_state;

void ARMILLA_KERNEL(armilla_kernel_analysis_start)(const armilla_kernel_order *order,
                                                   const armilla_kernel_group *group, int64_t base,
                                                   const double *leg,
                                                   const armilla_kernel_state *state)
{
    int64_t count = (int64_t)group->nvec * VLEN, offset = group->first - base;
    int fine = group->form >= ARMILLA_FORM_FINE_EQUATOR;
    for (int64_t i = 0; i < count; i += VLEN) {
        vec value, scale;
        for (int64_t set = 0; set < order->nsets; set++)
            read_values(order, group->first + i, leg + 4 * i + set * order->leg_stride,
                        state->values + 4 * set, offset + i);
        start_value(order, group->first + i, &value, &scale);
        v_store(state->current[0] + offset + i, value);
        v_store(state->previous[0] + offset + i, fine ? value : v_all(0.0));
        v_store(state->scale[0] + offset + i, scale);
    }
}

/* Doubles between the lane sums of two sets. */
#define SUMS_FAR(nsets) (4 * VLEN * (ARMILLA_ANALYSIS_STEPS / (nsets)))

/* fresh: the first group to reach these sums, which hold nothing yet */
ARMILLA_ALWAYS_INLINE void add_step(const vec *p, const group_values *value, double *sums,
                                    const int fresh, const int nsets, const int nvec)
{
    for (int set = 0; set < nsets; set++, sums += SUMS_FAR(nsets)) {
        vec sum[4];
        for (int j = 0; j < 4; j++) sum[j] = fresh ? v_all(0.0) : v_load(sums + j * VLEN);
        for (int i = 0; i < nvec; i++)
            for (int j = 0; j < 4; j++) sum[j] = v_fma(value[i][4 * set + j], p[i], sum[j]);
        for (int j = 0; j < 4; j++) v_store(sums + j * VLEN, sum[j]);
    }
}

/* A block of steps of one vector of which some pairs matter. */
ARMILLA_ALWAYS_INLINE void masked_block(const double *c, int64_t n, const vec *y, vec *p,
                                        vec *other, vec weight, const group_values *value,
                                        double *sums, const int nsets, const int fine)
{
    group_values weighted[1];
    for (int j = 0; j < 4 * nsets; j++) weighted[0][j] = v_mul(weight, (*value)[j]);
    vec *next = fine ? p : other, *last = fine ? other : p;
    for (int j = 0; j < ARMILLA_KERNEL_STEPS; j += 2, sums += 8 * VLEN) {
        add_step(p, weighted, sums, 0, nsets, 1);
        advance(c + j, n, y, p, other, 1, fine);
        add_step(next, weighted, sums + 4 * VLEN, 0, nsets, 1);
        advance(c + j + 1, n, y, next, last, 1, fine);
    }
}

/* Steps in which some pairs matter, until all do: vector by vector, for they begin to matter one
 * after the other. Returns the step reached. */
ARMILLA_ALWAYS_INLINE int64_t masked_steps(const double *c, int64_t n, const double *ceiling,
                                           int64_t k, int64_t nsteps, group_state *s, double *sums,
                                           const int nsets, const int nvec, const int fine)
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
                masked_block(c + k, n, &s->y[i], &s->current[i], &s->previous[i], weight[i],
                             &s->value[i], sums + 4 * VLEN * k, nsets, fine);
        }
    }
    return nsteps;
}

ARMILLA_ALWAYS_INLINE void plain_steps(const double *c, int64_t n, int64_t nsteps, group_state *s,
                                       double *sums, const int fresh, const int nsets,
                                       const int nvec, const int fine)
{
    vec *next = fine ? s->current : s->previous, *other = fine ? s->previous : s->current;
    for (int64_t k = 0; k < nsteps; k += 2, c += 2, sums += 8 * VLEN) {
        add_step(s->current, s->value, sums, fresh, nsets, nvec);
        advance(c, n, s->y, s->current, s->previous, nvec, fine);
        add_step(next, s->value, sums + 4 * VLEN, fresh, nsets, nvec);
        advance(c + 1, n, s->y, next, other, nvec, fine);
    }
}

ARMILLA_ALWAYS_INLINE void clear_sums(double *sums, int64_t nsteps, const int nsets)
{
    for (int set = 0; set < nsets; set++)
        memset(sums + set * SUMS_FAR(nsets), 0, sizeof *sums * (size_t)(4 * VLEN * nsteps));
}

/* nvec vectors whose state begins at offset. c: recurrence at step k0, n its stride. */
ARMILLA_ALWAYS_INLINE void analysis_vectors(const armilla_kernel_order *order, int64_t first_pair,
                                            int64_t offset, const double *c, const double *ceiling,
                                            int64_t nsteps, const armilla_kernel_state *state,
                                            double *sums, int fresh, const int nsets,
                                            const int nvec, const int fine)
{
    group_state s;
    for (int i = 0; i < nvec; i++) {
        int64_t at = offset + i * VLEN;
        s.y[i] = v_load(order->argument + first_pair + i * VLEN);
        s.current[i] = v_load(state->current[0] + at);
        s.previous[i] = v_load(state->previous[0] + at);
        s.scale[i] = v_load(state->scale[0] + at);
        for (int j = 0; j < 4 * nsets; j++) s.value[i][j] = v_load(state->values[j] + at);
    }
    const int64_t n = order->nsteps;
    int64_t k = 0;
    if (any_waits(s.scale, nvec)) {
        if (fresh) clear_sums(sums, nsteps, nsets);
        fresh = 0;
        k = skip_steps(c, n, ceiling, nsteps, s.y, s.current, s.previous, s.scale, nvec, fine);
        k = masked_steps(c, n, ceiling, k, nsteps, &s, sums, nsets, nvec, fine);
    }
    if (fresh)
        plain_steps(c, n, nsteps, &s, sums, 1, nsets, nvec, fine);
    else
        plain_steps(c + k, n, nsteps - k, &s, sums + 4 * VLEN * k, 0, nsets, nvec, fine);
    for (int i = 0; i < nvec; i++) {
        int64_t at = offset + i * VLEN;
        v_store(state->current[0] + at, s.current[i]);
        v_store(state->previous[0] + at, s.previous[i]);
        v_store(state->scale[0] + at, s.scale[i]);
    }
}

#define WORK(vector, nsets, nvec, fine)                                                            \
    analysis_vectors(order, group->first + (vector)*VLEN, group->first - base + (vector)*VLEN,     \
                     order->recurrence[group->form] + first,                                       \
                     order->ceiling + first / ARMILLA_KERNEL_STEPS, nsteps, state, sums,           \
                     fresh && (vector) == 0, nsets, nvec, fine)

#define ONE_SET(nvec, fine) WORK(0, 1, nvec, fine)

void ARMILLA_KERNEL(armilla_kernel_analysis_steps)(const armilla_kernel_order *order,
                                                   const armilla_kernel_group *group, int64_t base,
                                                   int64_t first, int64_t nsteps,
                                                   const armilla_kernel_state *state, double *sums,
                                                   int fresh)
{
    if (order->nsets == 2)
        FOR_PARTS(group, WORK)
    else
        FOR_GROUP(group, ONE_SET)
}

void ARMILLA_KERNEL(armilla_kernel_analysis_reduce)(int64_t nsteps, const double *sums, double *out)
{
    for (int64_t k = 0; k < nsteps; k += 2, sums += 8 * VLEN, out += 8) {
        vec v[8];
        for (int j = 0; j < 8; j++) v[j] = v_load(sums + j * VLEN);
        v_reduce8(out, v);
    }
}

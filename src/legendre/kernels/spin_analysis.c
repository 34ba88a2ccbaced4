/* Analysis of a field of spin s on one group of ring pairs, the transpose of spin_synthesis.c
 * (docs/mathematics.md (3.11)): with P+ = Q + i U, P- = Q - i U in north and south,
 *     a+ += sum over pairs of d+ N+ +- (-1)^j d- S+,  a- += sum of d- N- +- (-1)^j d+ S-.
 * Lane sums: 4 vectors per step, a+ re, im, a- re, im; see analysis.c. */
#include "legendre/kernels/pairs.h"
#include "legendre/kernels/spin.h"
#include "legendre/kernels/spin_sides.h"

#include <string.h>

typedef struct {
    spin_state s;
    vec value[SPIN_VECTORS][8];
} group_state;

/* leg: entry of the vector's first pair */
ARMILLA_ALWAYS_INLINE void read_leg(const armilla_kernel_spin *order, leg_lanes lanes,
                                    const double *leg, vec *value)
{
    vec q[4], u[4];
    load_entries(leg, lanes, q);
    load_entries(leg + order->leg_stride, lanes, u);
    spin_values_of_entries(v_all(order->mirror), v_all(order->twist), q, u, value);
}

void ARMILLA_KERNEL(armilla_kernel_spin_start)(const armilla_kernel_spin *order,
                                               const armilla_kernel_group *group, const double *leg,
                                               const armilla_kernel_state *state)
{
    for (int i = 0; i < group->nvec; i++) {
        int64_t pair = group->first + i * VLEN, offset = pair - state->base;
        vec value[8];
        read_leg(order, find_lanes(group, i * VLEN, order->least_pair), leg + 4 * i * VLEN, value);
        for (int j = 0; j < 8; j++) v_store(state_row(state, STATE_VALUES + j) + offset, value[j]);
        for (int function = 0; function < 2; function++) {
            vec p, scale, zero = v_all(0.0);
            spin_start_value(order, pair, function, &p, &scale);
            v_store(state_row(state, STATE_CURRENT + function) + offset, p);
            v_store(state_row(state, STATE_PREVIOUS + function) + offset,
                    group->form == ARMILLA_FORM_FINE_SPIN ? p : zero);
            v_store(state_row(state, STATE_SCALE + function) + offset, scale);
        }
    }
}

/* fresh: the sums are written, not added to */
ARMILLA_ALWAYS_INLINE void block(const double *c, int64_t n, group_state *g, double *sums,
                                 int fresh, const vec (*weight)[SPIN_VECTORS], const int nvec,
                                 const int fine)
{
    for (int k = 0; k < ARMILLA_KERNEL_STEPS; k++, sums += 4 * VLEN) {
        const int swapped = k % 2 && !fine;
        vec sum[4];
        for (int j = 0; j < 4; j++) sum[j] = fresh ? v_all(0.0) : v_load(sums + j * VLEN);
        for (int i = 0; i < nvec; i++) {
            vec d[2];
            spin_values_of(&g->s, i, swapped, weight, d);
            spin_add_values(d[0], d[1], g->value[i], sum, k % 2);
        }
        for (int j = 0; j < 4; j++) v_store(sums + j * VLEN, sum[j]);
        spin_advance_all(c + k, n, &g->s, swapped, nvec, fine);
    }
}

ARMILLA_ALWAYS_INLINE void exchange_state(const armilla_kernel_state *state, int64_t offset,
                                          spin_state *s, const int nvec, const int store)
{
    for (int function = 0; function < 2; function++)
        for (int i = 0; i < nvec; i++) {
            int64_t at = offset + i * VLEN;
            double *arrays[3] = {state_row(state, STATE_CURRENT + function) + at,
                                 state_row(state, STATE_PREVIOUS + function) + at,
                                 state_row(state, STATE_SCALE + function) + at};
            vec *values[3] = {&s->p[function][i], &s->other[function][i], &s->scale[function][i]};
            for (int j = 0; j < 3; j++)
                if (store)
                    v_store(arrays[j], *values[j]);
                else
                    *values[j] = v_load(arrays[j]);
        }
}

/* nvec vectors from pair `pair` on. fresh: the block's sums hold nothing yet. */
ARMILLA_ALWAYS_INLINE void spin_vectors(const armilla_kernel_spin *order, int64_t pair,
                                        const armilla_kernel_state *state,
                                        const armilla_kernel_block *steps, int fresh,
                                        const int nvec, const int fine)
{
    const int64_t size = 4 * VLEN * ARMILLA_KERNEL_STEPS; /* of the sums between two tests */
    const int64_t first = steps->first, nsteps = steps->nsteps, offset = pair - state->base;
    double *sums = steps->sums;
    group_state g;
    exchange_state(state, offset, &g.s, nvec, 0);
    for (int i = 0; i < nvec; i++) {
        g.s.y[i] = v_load(order->argument + pair + i * VLEN);
        for (int j = 0; j < 8; j++)
            g.value[i][j] = v_load(state_row(state, STATE_VALUES + j) + offset + i * VLEN);
    }
    const double *c = order->recurrence[fine] + first;
    const double *ceiling = order->ceiling + first / ARMILLA_KERNEL_STEPS;
    const int64_t n = order->nsteps;
    int64_t k = 0;
    for (; k < nsteps; k += ARMILLA_KERNEL_STEPS, sums += size) {
        spin_weights weight;
        int waits = spin_range(ceiling[k / ARMILLA_KERNEL_STEPS], &g.s, weight, nvec);
        if (!waits) break;
        if (waits == 2) {
            spin_skip(c + k, n, &g.s, nvec, fine);
            if (fresh) memset(sums, 0, sizeof *sums * (size_t)size);
        } else {
            block(c + k, n, &g, sums, fresh, (const vec(*)[SPIN_VECTORS])weight, nvec, fine);
        }
    }
    for (; k < nsteps; k += ARMILLA_KERNEL_STEPS, sums += size)
        block(c + k, n, &g, sums, fresh, NULL, nvec, fine);
    exchange_state(state, offset, &g.s, nvec, 1);
}

#define WORK(vector, nvec, fine)                                                                   \
    spin_vectors(order, group->first + (vector)*VLEN, state, steps, steps->fresh && (vector) == 0, \
                 nvec, fine)

void ARMILLA_KERNEL(armilla_kernel_spin_steps)(const armilla_kernel_spin *order,
                                               const armilla_kernel_group *group,
                                               const armilla_kernel_state *state,
                                               const armilla_kernel_block *steps)
{
    FOR_SPIN_GROUP(group, WORK)
}

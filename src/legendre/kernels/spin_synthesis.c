/* Synthesis of a field of spin s on one group of ring pairs, docs/mathematics.md (3.10):
 *     N+ = sum a+ d+,  N- = sum a- d-,  S+ = +-sum (-1)^j a+ d-,  S- = +-sum (-1)^j a- d+
 * over steps j; then Q = P+ + P-, U = -i (P+ - P-) for north and south. Per step and vector 4 FMA
 * for the two recurrences, 8 for the sums. */
#include "legendre/kernels/spin.h"
#include <stddef.h>

typedef vec spin_sums[8]; /* N+ re, im, S- re, im, N- re, im, S+ re, im */

/* Adds one step to the sums. plus, minus: d+ and d-. odd: the step has an odd number, where terms
 * of the southern rings are subtracted. */
ARMILLA_ALWAYS_INLINE void add_step(const double *f, vec plus, vec minus, vec *sum, const int odd)
{
    const vec a[4] = {v_all(f[0]), v_all(f[1]), v_all(f[2]), v_all(f[3])};
    for (int j = 0; j < 2; j++) {
        sum[j] = v_fma(a[j], plus, sum[j]);
        sum[2 + j] = odd ? v_fnma(a[2 + j], plus, sum[2 + j]) : v_fma(a[2 + j], plus, sum[2 + j]);
        sum[4 + j] = v_fma(a[2 + j], minus, sum[4 + j]);
        sum[6 + j] = odd ? v_fnma(a[j], minus, sum[6 + j]) : v_fma(a[j], minus, sum[6 + j]);
    }
}

/* Runs a block of steps. weight: 1 where a function of a pair matters, else 0; NULL: all matter. */
ARMILLA_ALWAYS_INLINE void block(const double *c, int64_t n, const double *f, spin_state *s,
                                 spin_sums *sum, const vec (*weight)[SPIN_VECTORS], const int nvec,
                                 const int fine)
{
    for (int k = 0; k < ARMILLA_KERNEL_STEPS; k++) {
        const int swapped = k % 2 && !fine;
        for (int i = 0; i < nvec; i++) {
            vec d[2];
            spin_values_of(s, i, swapped, weight, d);
            add_step(f + 4 * k, d[0], d[1], sum[i], k % 2);
        }
        spin_advance_all(c + k, n, s, swapped, nvec, fine);
    }
}

/* leg: entry of the vector's first pair */
ARMILLA_ALWAYS_INLINE void write_leg(const armilla_kernel_spin *order, leg_lanes lanes,
                                     const vec *sum, double *leg)
{
    const vec mirror = v_all(order->mirror), twist = v_all(order->twist);
    vec plus[2][2] = {{sum[0], sum[1]}, {v_mul(mirror, sum[6]), v_mul(mirror, sum[7])}};
    vec minus[2][2] = {{sum[4], sum[5]}, {v_mul(mirror, sum[2]), v_mul(mirror, sum[3])}};
    vec q[4], u[4]; /* [2 south + imaginary] */
    for (int side = 0; side < 2; side++) {
        q[2 * side] = v_add(plus[side][0], minus[side][0]);
        q[2 * side + 1] = v_add(plus[side][1], minus[side][1]);
        u[2 * side] = v_mul(twist, v_sub(plus[side][1], minus[side][1]));
        u[2 * side + 1] = v_mul(twist, v_sub(minus[side][0], plus[side][0]));
    }
    store_entries(leg, lanes, q[0], q[1], q[2], q[3]);
    store_entries(leg + order->leg_stride, lanes, u[0], u[1], u[2], u[3]);
}

/* nvec vectors of a group from its vector `vector` on */
ARMILLA_ALWAYS_INLINE void spin_vectors(const armilla_kernel_spin *order,
                                        const armilla_kernel_group *group, int64_t vector,
                                        double *leg, const int nvec, const int fine)
{
    const int64_t first = group->first + vector * VLEN;
    spin_state s;
    spin_sums sum[SPIN_VECTORS];
    for (int i = 0; i < nvec; i++) {
        s.y[i] = v_load(order->argument + first + i * VLEN);
        for (int function = 0; function < 2; function++) {
            spin_start_value(order, first + i * VLEN, function, &s.p[function][i],
                             &s.scale[function][i]);
            s.other[function][i] = fine ? s.p[function][i] : v_all(0.0);
        }
        for (int j = 0; j < 8; j++) sum[i][j] = v_all(0.0);
    }
    const double *c = order->recurrence[fine], *f = order->coefficients;
    const int64_t n = order->nsteps;
    int64_t k = 0;
    for (; k < n; k += ARMILLA_KERNEL_STEPS) {
        spin_weights weight;
        int waits = spin_range(order->ceiling[k / ARMILLA_KERNEL_STEPS], &s, weight, nvec);
        if (!waits) break;
        if (waits == 2)
            spin_skip(c + k, n, &s, nvec, fine);
        else
            block(c + k, n, f + 4 * k, &s, sum, (const vec(*)[SPIN_VECTORS])weight, nvec, fine);
    }
    for (; k < n; k += ARMILLA_KERNEL_STEPS) block(c + k, n, f + 4 * k, &s, sum, NULL, nvec, fine);
    for (int i = 0; i < nvec; i++) {
        const int64_t offset = (vector + i) * VLEN;
        write_leg(order, find_lanes(group, offset, order->least_pair), sum[i], leg + 4 * offset);
    }
}

#define WORK(vector, nvec, fine) spin_vectors(order, group, vector, leg, nvec, fine)

void ARMILLA_KERNEL(armilla_kernel_spin_synthesis)(const armilla_kernel_spin *order,
                                                   const armilla_kernel_group *group, double *leg)
{
    FOR_SPIN_GROUP(group, WORK)
}

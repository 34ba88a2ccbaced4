/* Synthesis of a field of spin s on one group of ring pairs, docs/mathematics.md (3.10):
 *     N+ = sum a+ d+,  N- = sum a- d-,  S+ = +-sum (-1)^j a+ d-,  S- = +-sum (-1)^j a- d+
 * over steps j; then Q = P+ + P-, U = -i (P+ - P-) for north and south. Per step and vector 4 FMA
 * for the two recurrences, 8 for the sums. Steps before the first coefficient that is not 0 have no
 * sums, and those behind the last one are left out. */
#include "legendre/kernels/pairs.h"
#include "legendre/kernels/spin.h"
#include "legendre/kernels/spin_sides.h"
#include <stddef.h>

typedef vec spin_sums[8];

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
            const vec a[4] = {v_all(f[4 * k]), v_all(f[4 * k + 1]), v_all(f[4 * k + 2]),
                              v_all(f[4 * k + 3])};
            spin_add_sums(a, d[0], d[1], sum[i], k % 2);
        }
        spin_advance_all(c + k, n, s, swapped, nvec, fine);
    }
}

/* leg: entry of the vector's first pair */
ARMILLA_ALWAYS_INLINE void write_leg(const armilla_kernel_spin *order, leg_lanes lanes,
                                     const vec *sum, double *leg)
{
    vec q[4], u[4];
    spin_entries_of_sums(v_all(order->mirror), v_all(order->twist), sum, q, u);
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
    const int64_t n = order->nsteps, end = order->used.end;
    const int64_t begin = order->used.begin / ARMILLA_KERNEL_STEPS * ARMILLA_KERNEL_STEPS;
    int64_t k = 0;
    for (; k < end; k += ARMILLA_KERNEL_STEPS) {
        spin_weights weight;
        int waits = spin_range(order->ceiling[k / ARMILLA_KERNEL_STEPS], &s, weight, nvec);
        if (!waits) break;
        if (waits == 2 || k < begin)
            spin_skip(c + k, n, &s, nvec, fine);
        else
            block(c + k, n, f + 4 * k, &s, sum, (const vec(*)[SPIN_VECTORS])weight, nvec, fine);
    }
    for (; k < begin; k += ARMILLA_KERNEL_STEPS) spin_skip(c + k, n, &s, nvec, fine);
    for (; k < end; k += ARMILLA_KERNEL_STEPS)
        block(c + k, n, f + 4 * k, &s, sum, NULL, nvec, fine);
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

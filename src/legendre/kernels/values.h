/* Between sums of one vector of ring pairs and leg, docs/mathematics.md (2.12), (2.13); with the
 * factor of (3.5) for fields of spin s. Included by the kernels of the scalar recurrence. */
#ifndef ARMILLA_LEGENDRE_KERNELS_VALUES_H
#define ARMILLA_LEGENDRE_KERNELS_VALUES_H

#include "legendre/kernels/pairs.h"

/* sum: even re, im, odd re, im. leg: the entry of the group's first pair. pair: the vector's place
 * in the tables. */
ARMILLA_ALWAYS_INLINE void write_values(const armilla_kernel_order *order,
                                        const armilla_kernel_group *group, int64_t pair,
                                        const vec *sum, double *leg)
{
    const int64_t offset = pair - group->first;
    const leg_lanes lanes = find_lanes(group, offset, order->least_pair);
    vec x = v_load(order->cos_theta + pair), even_re = sum[0], even_im = sum[1];
    if (order->factor) {
        vec factor = v_load(order->factor + pair);
        x = v_mul(x, factor), even_re = v_mul(even_re, factor), even_im = v_mul(even_im, factor);
    }
    vec odd_re = v_mul(x, sum[2]), odd_im = v_mul(x, sum[3]);
    store_entries(leg + 4 * offset, lanes, v_add(even_re, odd_re), v_add(even_im, odd_im),
                  v_sub(even_re, odd_re), v_sub(even_im, odd_im));
}

/* values: N + S re, im, x (N - S) re, im */
ARMILLA_ALWAYS_INLINE void read_values(const armilla_kernel_order *order,
                                       const armilla_kernel_group *group, int64_t pair,
                                       const double *leg, vec *values)
{
    const int64_t offset = pair - group->first;
    vec entry[4], *north = entry, *south = entry + 2, x = v_load(order->cos_theta + pair);
    vec factor = order->factor ? v_load(order->factor + pair) : v_all(1.0);
    load_entries(leg + 4 * offset, find_lanes(group, offset, order->least_pair), entry);
    x = v_mul(x, factor);
    for (int j = 0; j < 2; j++) {
        values[j] = v_mul(factor, v_add(north[j], south[j]));
        values[2 + j] = v_mul(x, v_sub(north[j], south[j]));
    }
}

#endif

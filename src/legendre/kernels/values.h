/* Between sums of one vector of ring pairs and leg, docs/mathematics.md (2.12), (2.13); with the
 * factor of (3.5) for fields of spin s. Included by the kernels of the scalar recurrence. */
#ifndef ARMILLA_LEGENDRE_KERNELS_VALUES_H
#define ARMILLA_LEGENDRE_KERNELS_VALUES_H

#include "legendre/kernels/pairs.h"
#include "legendre/kernels/sides.h"

/* sum: even re, im, odd re, im. leg: the entry of the group's first pair. pair: the vector's place
 * in the tables. */
ARMILLA_ALWAYS_INLINE void write_values(const armilla_kernel_order *order,
                                        const armilla_kernel_group *group, int64_t pair,
                                        const vec *sum, double *leg)
{
    const int64_t offset = pair - group->first;
    const leg_lanes lanes = find_lanes(group, offset, order->least_pair);
    vec entry[4];
    entry_of_sums(v_load(order->cos_theta + pair), order->factor ? order->factor + pair : NULL, sum,
                  entry);
    store_entries(leg + 4 * offset, lanes, entry[0], entry[1], entry[2], entry[3]);
}

/* values: N + S re, im, x (N - S) re, im */
ARMILLA_ALWAYS_INLINE void read_values(const armilla_kernel_order *order,
                                       const armilla_kernel_group *group, int64_t pair,
                                       const double *leg, vec *values)
{
    const int64_t offset = pair - group->first;
    vec entry[4];
    load_entries(leg + 4 * offset, find_lanes(group, offset, order->least_pair), entry);
    values_of_entry(v_load(order->cos_theta + pair), order->factor ? order->factor + pair : NULL,
                    entry, values);
}

#endif

/* Entries of leg as values of the pairs, four numbers of a set side by side: the transpose of
 * values.h, for kernels whose lanes do not belong to pairs. Included by them. */
#ifndef ARMILLA_LEGENDRE_KERNELS_PLACED_H
#define ARMILLA_LEGENDRE_KERNELS_PLACED_H

#include "legendre/kernels/pairs.h"

/* What turns entries of leg (north re, im, south re, im) into values: f, f, x f, x f of each pair
 * of a vector, with the factor f of (3.5) and x = cos theta. */
ARMILLA_ALWAYS_INLINE void find_factors(const armilla_kernel_order *order, int64_t pair,
                                        double *factors)
{
    const vec f = order->factor ? v_load(order->factor + pair) : v_all(1.0);
    const vec x = v_mul(v_load(order->cos_theta + pair), f);
    v_store4(factors, f, f, x, x);
}

/* Values of one set on a vector of pairs: N + S re, im, x (N - S) re, im times f. */
ARMILLA_ALWAYS_INLINE void place_values(const double *entries, const double *factors, int64_t width,
                                        double *values)
{
#ifdef QUADS
    static const double sides[8] = {1, 1, -1, -1, 1, 1, -1, -1};
    const vec side = v_load_any(sides);
    for (int i = 0; i < VLEN; i += QUADS) {
        const vec entry = v_load_any(entries + 4 * i);
        const vec sum = v_fma(entry, side, v_quads_swapped(entry));
        v_store_quads(values + i * width, width, v_mul(v_load_any(factors + 4 * i), sum));
    }
#else
    for (int i = 0; i < VLEN; i++, entries += 4, factors += 4, values += width)
        for (int j = 0; j < 2; j++) {
            values[j] = factors[j] * (entries[j] + entries[2 + j]);
            values[2 + j] = factors[2 + j] * (entries[j] - entries[2 + j]);
        }
#endif
}

/* Places the entries of all sets on a vector of pairs: width doubles from pair to pair, far from
 * set to set. Lanes without an entry are 0. */
static void place_vector(const armilla_kernel_order *order, const armilla_kernel_group *group,
                         int64_t pair, const double *leg, int64_t width, int64_t far,
                         double *values)
{
    const int64_t offset = pair - group->first;
    const leg_lanes lanes = find_lanes(group, offset, order->least_pair);
    double factors[4 * VLEN], some[4 * VLEN];
    find_factors(order, pair, factors);
    for (int64_t set = 0; set < order->nsets; set++, leg += order->leg_stride) {
        const double *entries = leg + 4 * offset;
        if (ARMILLA_UNLIKELY(lanes.begin > 0 || lanes.end < VLEN)) {
            load_some(entries, lanes, some);
            entries = some;
        }
        place_values(entries, factors, width, values + set * far);
    }
}

#endif

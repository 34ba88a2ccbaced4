/* Between a vector of ring pairs and leg, of which each pair has an entry of four doubles: see
 * leg/leg.h. Pairs of leg stand one behind the other; vectors are whole, so that the last one of a
 * group may have lanes without a pair, and the first ones may have pairs on which the order does
 * not matter. Included by the kernels. */
#ifndef ARMILLA_LEGENDRE_KERNELS_PAIRS_H
#define ARMILLA_LEGENDRE_KERNELS_PAIRS_H

#include "legendre/kernels/kernels.h"
#include "legendre/simd/simd.h"

#include <string.h>

/* Which lanes of a vector have an entry of leg: begin .. end - 1. begin may be negative, end larger
 * than VLEN. */
typedef struct {
    int64_t begin, end;
} leg_lanes;

/* The lanes of the vector that begins `offset` pairs behind the first one of the group. least: the
 * first pair on which the order matters. */
ARMILLA_ALWAYS_INLINE leg_lanes find_lanes(const armilla_kernel_group *group, int64_t offset,
                                           int64_t least)
{
    return (leg_lanes){least - group->pair - offset, group->npairs - offset};
}

ARMILLA_RARE void load_some(const double *leg, leg_lanes lanes, double *entries)
{
    memset(entries, 0, 4 * VLEN * sizeof *entries);
    for (int64_t i = lanes.begin > 0 ? lanes.begin : 0; i < lanes.end && i < VLEN; i++)
        memcpy(entries + 4 * i, leg + 4 * i, 4 * sizeof *entries);
}

ARMILLA_RARE void store_some(const double *entries, leg_lanes lanes, double *leg)
{
    for (int64_t i = 0; i < lanes.end && i < VLEN; i++)
        memcpy(leg + 4 * i, entries + 4 * i, 4 * sizeof *entries);
}

/* Lanes without an entry are 0. */
ARMILLA_ALWAYS_INLINE void load_entries(const double *leg, leg_lanes lanes, vec *entry)
{
    double some[4 * VLEN];
    if (ARMILLA_UNLIKELY(lanes.begin > 0 || lanes.end < VLEN)) {
        load_some(leg, lanes, some);
        leg = some;
    }
    v_load4(leg, &entry[0], &entry[1], &entry[2], &entry[3]);
}

/* Lanes without a pair are left out. */
ARMILLA_ALWAYS_INLINE void store_entries(double *leg, leg_lanes lanes, vec a, vec b, vec c, vec d)
{
    double some[4 * VLEN];
    if (ARMILLA_LIKELY(lanes.end >= VLEN)) {
        v_store4(leg, a, b, c, d);
    } else {
        v_store4(some, a, b, c, d);
        store_some(some, lanes, leg);
    }
}

#endif

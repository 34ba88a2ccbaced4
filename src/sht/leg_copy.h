/* Between leg of a pass, pairs of rings by orders, and the caller's leg (set, ring, order). */
#ifndef ARMILLA_SHT_LEG_COPY_H
#define ARMILLA_SHT_LEG_COPY_H

#include "base/array.h"
#include "base/work.h"
#include "leg/leg.h"

typedef struct armilla_leg_copy {
    armilla_array values; /* complex numbers [set][nrings][norders] */
    int64_t nrings, norders;
    int64_t first_set, first_order; /* of the pass, in the caller's array */
    int real; /* of real maps: order 0 has no imaginary part; only where the caller's is read */
} armilla_leg_copy;

/* leg -> caller's array: entries that do not exist are 0 there. */
void armilla_leg_copy_out(const armilla_leg_copy *copy, const armilla_leg *leg,
                          const armilla_work *work);

/* caller's array -> leg: rings that are missing are 0. */
void armilla_leg_copy_in(const armilla_leg_copy *copy, const armilla_leg *leg,
                         const armilla_work *work);

#endif

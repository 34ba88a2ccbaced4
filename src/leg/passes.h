/* The passes of a call: legs that fit its memory, which they take one after the other. */
#ifndef ARMILLA_LEG_PASSES_H
#define ARMILLA_LEG_PASSES_H

#include "leg/leg.h"

typedef struct armilla_leg_passes {
    int64_t count;
    armilla_leg_layout *layouts;
    int64_t size; /* doubles of the largest one, for one set: any of them may be it */
} armilla_leg_passes;

/* Each cuts the leg of a shape. Errors: MEMORY; *passes is empty then. */

/* All orders of `size` pairs, one block, after the other. */
armilla_status armilla_leg_passes_by_pairs(const armilla_leg_shape *shape, int64_t size,
                                           armilla_leg_passes *passes);

/* The same for the pairs before ends[0], then for those from there on before ends[1], and so on;
 * ends[count - 1] = shape->npairs. */
armilla_status armilla_leg_passes_by_ends(const armilla_leg_shape *shape, int64_t count,
                                          const int64_t *ends, armilla_leg_passes *passes);

/* All pairs; `size` orders of a list (LISTED) after the other. */
armilla_status armilla_leg_passes_by_orders(const armilla_leg_shape *shape, int64_t size,
                                            armilla_leg_passes *passes);

/* All pairs; the orders FIRST, then SECOND. */
armilla_status armilla_leg_passes_by_parts(const armilla_leg_shape *shape,
                                           armilla_leg_passes *passes);

/* Frees what the struct holds and empties it. */
void armilla_leg_passes_clear(armilla_leg_passes *passes);

int64_t armilla_leg_passes_bytes(const armilla_leg_passes *passes);

#endif

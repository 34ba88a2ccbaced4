/* Leg on the fine rings that a core's own strips see <-> values at points. */
#ifndef ARMILLA_POINTS_STRIP_STAGE_H
#define ARMILLA_POINTS_STRIP_STAGE_H

#include "base/work.h"
#include "points/plan.h"

typedef struct armilla_points_pass {
    const armilla_points_core *core;
    const armilla_points_order *order; /* all points of the own strips; for the adjoint those of the
                                          bands beside them, too */
    int to_points;
    armilla_array values; /* of all components: in the sequence of points, or sorted, in turns */
    int64_t component;    /* items from one to the next */
    armilla_leg leg;      /* core->leg: what strips see; the adjoint writes what they own */
    const armilla_work *work; /* scratch: armilla_points_scratch_size */
} armilla_points_pass;

/* Doubles of one thread, for this stage and the theta stage. */
int64_t armilla_points_scratch_size(const armilla_points_core *core);

void armilla_points_run_strips(const armilla_points_pass *pass);

#endif

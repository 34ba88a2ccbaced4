/* One call of an operator. */
#ifndef ARMILLA_POINTS_EXECUTE_H
#define ARMILLA_POINTS_EXECUTE_H

#include "call/call.h"
#include "points/plan.h"
#include "ringfft/stage.h"

/* Doubles of workspace that a call with nthreads threads takes. */
int64_t armilla_points_workspace_size(const armilla_points *plan, int nthreads);

/* Threads of a call that asks for so many; 0: all. No more than there are tasks. */
int armilla_points_team(const armilla_points_core *core, int nthreads);

/* The rows of a caller's alm. */
armilla_alm_rows armilla_points_alm_rows(const armilla_points_core *core, armilla_array alm,
                                         int64_t distance);

/* The adjoint's orders that no point needs, which the stages do not write. row: scratch of a
 * thread. */
void armilla_points_clear_orders(const armilla_points_core *core, const armilla_alm_rows *rows,
                                 double *row);

/* What values at a plan's points become on the way to the caller's map, and the other way round: a
 * step more at the end of the list, for one transform at a time. */
typedef struct armilla_points_end {
    armilla_ring_maps values; /* of the points; no array: they are where the map's are */
    void (*run)(const struct armilla_points_end *end, int to_map, const armilla_ring_maps *values,
                const armilla_ring_maps *map);
    const void *context;
    int nthreads;
} armilla_points_end;

/* The steps of all transforms of a call. end: NULL: values at points are the caller's. */
armilla_status armilla_points_run(const armilla_points *plan, const armilla_call *call,
                                  const armilla_points_end *end);

#endif

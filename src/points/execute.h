/* One call of an operator. */
#ifndef ARMILLA_POINTS_EXECUTE_H
#define ARMILLA_POINTS_EXECUTE_H

#include "points/plan.h"

/* Doubles of workspace that a call with nthreads threads takes. */
int64_t armilla_points_workspace_size(const armilla_points *plan, int nthreads);

/* The rows of a caller's alm. */
armilla_alm_rows armilla_points_alm_rows(const armilla_points_core *core, armilla_array alm,
                                         int64_t distance);

/* The adjoint's orders that no point needs, which the stages do not write. row: scratch of a
 * thread. */
void armilla_points_clear_orders(const armilla_points_core *core, const armilla_alm_rows *rows,
                                 double *row);

armilla_status armilla_points_run(const armilla_points *plan, int to_points, armilla_array alm,
                                  armilla_array values, const armilla_exec *exec);

#endif

/* One call of an operator. */
#ifndef ARMILLA_POINTS_EXECUTE_H
#define ARMILLA_POINTS_EXECUTE_H

#include "points/plan.h"

/* Doubles of workspace that a call with nthreads threads takes. */
int64_t armilla_points_workspace_size(const armilla_points *plan, int nthreads);

armilla_status armilla_points_run(const armilla_points *plan, int to_points, armilla_array alm,
                                  armilla_array values, const armilla_exec *exec);

#endif

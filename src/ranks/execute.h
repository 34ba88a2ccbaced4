/* Running one operator of a distributed plan. */
#ifndef ARMILLA_RANKS_EXECUTE_H
#define ARMILLA_RANKS_EXECUTE_H

#include "base/array.h"
#include "ranks/plan.h"

/* Collective. alm -> map: Y, or W Y if weighted; else map -> alm: Y^T, or Y^T W. Given: the status
 * of this rank so far: with an error it takes part in the agreement alone. exec: as the caller gave
 * it, or NULL. */
armilla_status armilla_distributed_run(const armilla_distributed_sht *plan, int weighted,
                                       int to_map, armilla_array alm, armilla_array map,
                                       const armilla_exec *exec, armilla_status status);

/* Doubles of workspace of a call with so many fields of the own group. */
int64_t armilla_distributed_workspace_size(const armilla_distributed_sht *plan, int weighted,
                                           int to_map, int nthreads);

#endif

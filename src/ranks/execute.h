/* Running one operator of a distributed plan. */
#ifndef ARMILLA_RANKS_EXECUTE_H
#define ARMILLA_RANKS_EXECUTE_H

#include "base/array.h"
#include "ranks/plan.h"

/* alm -> map: Y, or W Y if weighted; else map -> alm: Y^T, or Y^T W. */
typedef struct armilla_rank_operation {
    int weighted, to_map;
    armilla_array alm, map;
} armilla_rank_operation;

/* Collective. Given: exec  as the caller gave it, or NULL; status  of this rank so far: with an
 * error it takes part in the agreement alone. */
armilla_status armilla_distributed_run(const armilla_distributed_sht *plan,
                                       const armilla_rank_operation *op, const armilla_exec *exec,
                                       armilla_status status);

/* Doubles of workspace of a call with so many fields of the own group. */
int64_t armilla_distributed_workspace_size(const armilla_distributed_sht *plan, int weighted,
                                           int to_map, int nthreads);

#endif

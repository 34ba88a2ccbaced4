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

/* Const is cast away only to share one view type; inputs are never written. */
static inline armilla_rank_operation armilla_rank_doubles(int weighted, int to_map,
                                                          const double *alm, const double *map)
{
    return (armilla_rank_operation){weighted, to_map, {(void *)alm, 0}, {(void *)map, 0}};
}

static inline armilla_rank_operation armilla_rank_floats(int weighted, int to_map, const float *alm,
                                                         const float *map)
{
    return (armilla_rank_operation){weighted, to_map, {(void *)alm, 1}, {(void *)map, 1}};
}

/* ARMILLA_ERROR_ARGUMENT for NULL where the rank's fields have orders, or rings. */
armilla_status armilla_rank_check_arrays(const armilla_distributed_sht *plan, int64_t nfields,
                                         const void *alm, const void *map);

/* Collective. Given: exec  as the caller gave it, or NULL; status  of this rank so far: with an
 * error it takes part in the agreement alone. */
armilla_status armilla_distributed_run(const armilla_distributed_sht *plan,
                                       const armilla_rank_operation *op, const armilla_exec *exec,
                                       armilla_status status);

/* Doubles of workspace of a call with so many fields of the own group. */
int64_t armilla_distributed_workspace_size(const armilla_distributed_sht *plan, int weighted,
                                           int to_map, int nthreads);

/* Not collective: the plan keeps the workspace of such a call on one field of the own group, so
 * that the next one of this rank has it. Errors: MEMORY. */
armilla_status armilla_distributed_reserve(const armilla_distributed_sht *plan,
                                           const armilla_rank_operation *op, int nthreads);

#endif

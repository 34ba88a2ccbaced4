/* Running one operator of a plan on arrays of double or float. */
#ifndef ARMILLA_SHT_EXECUTE_H
#define ARMILLA_SHT_EXECUTE_H

#include "base/array.h"
#include "sht/plan.h"

/* Arrays of an operator. */
typedef struct armilla_sht_arrays {
    armilla_array alm, map;
    int64_t step; /* on a GPU: components from one transform to the next; 0: as many as it has */
} armilla_sht_arrays;

/* An operator of a plan: Y or W Y to maps, Y^T or Y^T W to alm, weighted: those with W.
 * Given: call, of armilla_call_open. */
armilla_status armilla_sht_run(const armilla_sht *sht, int weighted, const armilla_call *call);

/* The same for calls inside of others, whose exec is checked here. */
armilla_status armilla_sht_run_step(const armilla_sht *sht, int weighted, int to_map,
                                    const armilla_sht_arrays *arrays, const armilla_exec *exec);
armilla_status armilla_sht_to_map(const armilla_sht *sht, int weighted, armilla_array alm,
                                  armilla_array map, const armilla_exec *exec);
armilla_status armilla_sht_to_alm(const armilla_sht *sht, int weighted, armilla_array map,
                                  armilla_array alm, const armilla_exec *exec);

/* armilla_sht_pseudo_analysis. */
armilla_status armilla_sht_solve(const armilla_sht *sht, armilla_array map, armilla_array alm,
                                 const armilla_pseudo_options *options,
                                 armilla_pseudo_report *reports, const armilla_exec *exec);

/* The rows of a plan's alm, whose arrays of components are so many complex numbers apart. */
armilla_alm_rows armilla_sht_alm_rows(const armilla_sht *sht, int weighted, armilla_array alm,
                                      int64_t distance);

/* How many transforms of a call go together. */
int64_t armilla_sht_batch(const armilla_sht *sht, const armilla_flow *flow, int to_map,
                          int64_t ntrans);

/* ARMILLA_ERROR_ARGUMENT if analysis has no weights, since it would be 0 whatever the map holds. */
armilla_status armilla_sht_check_weights(const armilla_sht *sht);

/* Doubles of workspace that a call takes; exec as armilla_call_check resolves it. */
int64_t armilla_sht_workspace_size(const armilla_sht *sht, int weighted, int to_map, int is_float,
                                   const armilla_exec *exec);

#endif

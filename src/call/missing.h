/* Looks for missing values of maps wherever they are: in the memory of the host by
 * src/grid/missing.c; in that of a GPU by a kernel, which says whether there may be one, and then
 * by the host, component by component. So one rule, and one error, holds for both. */
#ifndef ARMILLA_CALL_MISSING_H
#define ARMILLA_CALL_MISSING_H

#include "grid/missing.h"

/* As armilla_missing_find, for plans on a GPU, with the threads, memory and stream of exec.
 * Given:  device  of the plan, or its first one;  size  values of a component, of the rank's map
 *         where there is a part.
 * Errors: ARGUMENT (the map is where the call cannot read it), MEMORY, UNSUPPORTED (a stream that
 * is captured, an error of CUDA). */
armilla_status armilla_missing_find_there(int device, const armilla_grid *grid, int64_t ncomponents,
                                          int64_t size, const armilla_missing_maps *maps,
                                          const armilla_missing_part *part,
                                          const armilla_exec *exec, armilla_missing_values *found);

/* As armilla_missing_check, for plans on a GPU. Errors: ARGUMENT, MEMORY, UNSUPPORTED. */
armilla_status armilla_missing_check_there(int device, const armilla_grid *grid,
                                           int64_t ncomponents, const armilla_missing_maps *maps,
                                           const armilla_exec *exec);

#endif

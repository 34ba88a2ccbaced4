/* Running one operator of a plan on arrays of double or float. */
#ifndef ARMILLA_SHT_EXECUTE_H
#define ARMILLA_SHT_EXECUTE_H

#include "base/array.h"
#include "sht/plan.h"

/* alm -> map: Y, or W Y if weighted. map -> alm: Y^T, or Y^T W if weighted. */
armilla_status armilla_sht_to_map(const armilla_sht *sht, int weighted, armilla_array alm,
                                  armilla_array map, const armilla_exec *exec);
armilla_status armilla_sht_to_alm(const armilla_sht *sht, int weighted, armilla_array map,
                                  armilla_array alm, const armilla_exec *exec);

/* Doubles of workspace that a call takes; exec as armilla_sht_check_exec resolves it. */
int64_t armilla_sht_workspace_size(const armilla_sht *sht, int weighted, int to_map, int is_float,
                                   const armilla_exec *exec);

#endif

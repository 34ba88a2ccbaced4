/* Missing values in maps that are spread over ranks. */
#ifndef ARMILLA_RANKS_MISSING_H
#define ARMILLA_RANKS_MISSING_H

#include "grid/missing.h"
#include "ranks/plan.h"

/* Collective, on ranks with the same exec->missing and exec->ntrans: looks for missing values in
 * the maps of all ranks if exec->missing is ARMILLA_MISSING_ERROR.
 * Given:  maps  of the rank's fields, `ncomp` components each;  exec  checked, ntrans of all.
 * Errors: those of one rank that has all maps, npix values apart, on all ranks. */
armilla_status armilla_rank_check_missing(const armilla_distributed_sht *plan, int64_t ncomp,
                                          const armilla_missing_maps *maps,
                                          const armilla_exec *exec);

#endif

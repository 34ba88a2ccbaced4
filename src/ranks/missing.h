/* Missing values in maps that are spread over ranks. */
#ifndef ARMILLA_RANKS_MISSING_H
#define ARMILLA_RANKS_MISSING_H

#include "grid/missing.h"
#include "ranks/plan.h"

/* What a rank has of maps that are spread over ranks. */
typedef struct armilla_rank_maps {
    const armilla_transport *transport;
    const armilla_grid *grid;
    armilla_missing_part part;
    int64_t ncomp, nfields; /* components of a field; fields of this rank */
    const void *cuda;       /* its plan's part on a GPU, where maps may be; NULL: none */
    int64_t samples;        /* on a GPU: of the rank's component */
} armilla_rank_maps;

/* Collective, on ranks with the same exec->missing and exec->ntrans: looks for missing values in
 * the maps of all ranks if exec->missing is ARMILLA_MISSING_ERROR.
 * Given:  exec  checked, ntrans of all.
 * Errors: those of one rank that has all maps, npix values apart, on all ranks. */
armilla_status armilla_rank_look(const armilla_rank_maps *own, const armilla_missing_maps *maps,
                                 const armilla_exec *exec);

/* The same for the rank's fields of a plan, with `ncomp` components each. */
armilla_status armilla_rank_check_missing(const armilla_distributed_sht *plan, int64_t ncomp,
                                          const armilla_missing_maps *maps,
                                          const armilla_exec *exec);

#endif

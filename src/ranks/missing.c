/* Looks for missing values rank by rank. The rank that has the first one of all tells the others.
 */
#include "ranks/missing.h"

#include "call/missing.h"
#include "grid/grid.h"
#include "ranks/agree.h"
#include "ranks/moves/sums.h"
#include "ranks/threads.h"

armilla_status armilla_rank_check_missing(const armilla_distributed_sht *plan, int64_t ncomp,
                                          const armilla_missing_maps *maps,
                                          const armilla_exec *exec)
{
    const armilla_transport *transport = &plan->transport;
    const armilla_distribution *d = plan->distribution;
    armilla_missing_part part = {.places = plan->share.places};
    armilla_missing_values found;
    if (exec->missing != ARMILLA_MISSING_ERROR) return ARMILLA_OK;
    armilla_exec own_exec = *exec;
    own_exec.nthreads = armilla_rank_threads(transport, exec->nthreads);
    const int64_t nfields =
        armilla_distribution_fields(d, transport->rank, exec->ntrans, &part.first);
    part.first *= ncomp;
    armilla_status status =
        plan->sht->cuda ? armilla_missing_find_there(armilla_cuda_device(plan->sht->cuda), d->grid,
                                                     nfields * ncomp, plan->share.samples, maps,
                                                     &part, &own_exec, &found)
                        : armilla_missing_find(d->grid, nfields * ncomp, maps, &part,
                                               own_exec.nthreads, &found);
    const int64_t own = !status && found.count ? -found.first : INT64_MIN;
    int64_t least = own;
    status = armilla_agree_largest(transport, status, 1, &least);
    if (status || least == INT64_MIN) return status;
    if ((status = armilla_ranks_add(transport, ARMILLA_OK, 1, &found.count))) return status;
    if (own == least) status = armilla_missing_fail(&found, exec->ntrans * ncomp, d->grid->npix);
    return armilla_agree(transport, status);
}

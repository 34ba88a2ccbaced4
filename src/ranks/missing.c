/* Looks for missing values rank by rank. The rank that has the first one of all tells the others.
 */
#include "ranks/missing.h"

#include "call/missing.h"
#include "grid/grid.h"
#include "ranks/agree.h"
#include "ranks/moves/sums.h"
#include "ranks/threads.h"

static armilla_status find(const armilla_rank_maps *own, const armilla_missing_maps *maps,
                           const armilla_exec *exec, armilla_missing_values *found)
{
    const int64_t ncomponents = own->nfields * own->ncomp;
    armilla_exec here = *exec;
    here.nthreads = armilla_rank_threads(own->transport, exec->nthreads);
    return own->cuda
               ? armilla_missing_find_there(armilla_cuda_device(own->cuda), own->grid, ncomponents,
                                            own->samples, maps, &own->part, &here, found)
               : armilla_missing_find(own->grid, ncomponents, maps, &own->part, here.nthreads,
                                      found);
}

armilla_status armilla_rank_look(const armilla_rank_maps *own, const armilla_missing_maps *maps,
                                 const armilla_exec *exec)
{
    const armilla_transport *transport = own->transport;
    armilla_missing_values found;
    if (exec->missing != ARMILLA_MISSING_ERROR) return ARMILLA_OK;
    armilla_status status = find(own, maps, exec, &found);
    const int64_t first = !status && found.count ? -found.first : INT64_MIN;
    int64_t least = first;
    status = armilla_agree_largest(transport, status, 1, &least);
    if (status || least == INT64_MIN) return status;
    if ((status = armilla_ranks_add(transport, ARMILLA_OK, 1, &found.count))) return status;
    if (first == least)
        status = armilla_missing_fail(&found, exec->ntrans * own->ncomp, own->part.npix);
    return armilla_agree(transport, status);
}

armilla_status armilla_rank_check_missing(const armilla_distributed_sht *plan, int64_t ncomp,
                                          const armilla_missing_maps *maps,
                                          const armilla_exec *exec)
{
    const armilla_distribution *d = plan->distribution;
    armilla_rank_maps own = {.transport = &plan->transport,
                             .grid = d->grid,
                             .part = {.places = plan->share.places, .npix = d->grid->npix},
                             .ncomp = ncomp,
                             .cuda = plan->sht->cuda,
                             .samples = plan->share.samples};
    own.nfields =
        armilla_distribution_fields(d, plan->transport.rank, exec->ntrans, &own.part.first);
    own.part.first *= ncomp;
    return armilla_rank_look(&own, maps, exec);
}

/* Looks for missing values rank by rank. The rank that has the first one of all tells the others.
 */
#include "ranks/missing.h"

#include "base/memory.h"
#include "cuda/transform.h"
#include "grid/grid.h"
#include "ranks/agree.h"
#include "ranks/threads.h"

/* The sum of a number of each rank: numbers go in a list that has a place for each rank. */
static armilla_status add_up(const armilla_transport *transport, int64_t own, int64_t *sum)
{
    int64_t *numbers;
    armilla_status status = armilla_allocate_zero(&numbers, transport->nranks, sizeof *numbers);
    if (!(status = armilla_agree(transport, status))) {
        numbers[transport->rank] = own;
        if (transport->largest(transport->context, transport->nranks, numbers))
            status = armilla_fail_transport();
    }
    *sum = 0;
    for (int64_t rank = 0; rank < transport->nranks && !status; rank++) *sum += numbers[rank];
    armilla_release(numbers);
    return status;
}

armilla_status armilla_rank_check_missing(const armilla_distributed_sht *plan, int64_t ncomp,
                                          const armilla_missing_maps *maps,
                                          const armilla_exec *exec)
{
    const armilla_transport *transport = &plan->transport;
    const armilla_distribution *d = plan->distribution;
    armilla_missing_part part = {.places = plan->share.places};
    armilla_missing_values found;
    if (exec->missing != ARMILLA_MISSING_ERROR) return ARMILLA_OK;
    const int on_device = plan->sht->cuda && armilla_cuda_is_device_array(maps->map.values);
    const int64_t nfields =
        armilla_distribution_fields(d, transport->rank, exec->ntrans, &part.first);
    part.first *= ncomp;
    armilla_status status =
        armilla_missing_find(d->grid, on_device ? 0 : nfields * ncomp, maps, &part,
                             armilla_rank_threads(transport, exec->nthreads), &found);
    const int64_t own = !status && found.count ? -found.first : INT64_MIN;
    int64_t least = own;
    status = armilla_agree_largest(transport, status, 1, &least);
    if (status || least == INT64_MIN) return status;
    if ((status = add_up(transport, found.count, &found.count))) return status;
    if (own == least) status = armilla_missing_fail(&found, exec->ntrans * ncomp, d->grid->npix);
    return armilla_agree(transport, status);
}

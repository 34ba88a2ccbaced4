/* Means over weights of plans on a GPU. PIXELS sums weights beside the maps; of RINGS and STANDARD
 * the sums of weights are maps of their own, which the plan of scalars makes. Weights in the memory
 * of the GPU stay there where the maps are there too, and come to the host otherwise, or where maps
 * have gaps, in which weights may be anything, or where missing values are an error, for which
 * values that weights of 0 cover are none. */
#include "radial/device_means.h"

#include "base/memory.h"
#include "cuda/runtime/device.h"
#include "grid/grid.h"
#include "radial/device.h"
#include "radial/execute.h"

#include <math.h>

/* nothing: below it a sum of weights is rounding alone, but by PIXELS. */
static armilla_status run(const armilla_radial_call *call, double nothing, const armilla_maps *maps,
                          const armilla_exec *exec)
{
    const armilla_cuda_radial_plan *plan = call->radial->cuda;
    const int by_pixels = !call->radial->inner && !call->radial->mixing;
    armilla_radial_weights means = *call->weights;
    armilla_radial_call there = *call;
    if (!by_pixels) means.least = fmax(means.least, nothing);
    there.weights = &means, there.weight_scale = armilla_radial_weight_scale(nothing);
    return armilla_radial_run_device(&plan, 1, &there, maps, exec);
}

/* Weights of the host. */
static armilla_status run_from_host(const armilla_radial_call *call, const armilla_maps *maps,
                                    const armilla_exec *exec)
{
    const armilla_radial *radial = call->radial;
    double nothing;
    armilla_status status = armilla_radial_check_weights(radial, call->weights);
    if (!status) status = armilla_radial_check_missing(radial, maps, call->weights->values, exec);
    if (!status) status = armilla_radial_nothing(radial, call->weights->values, &nothing);
    return status ? status : run(call, nothing, maps, exec);
}

static armilla_status take_to_host(const armilla_radial_call *call, const armilla_maps *maps,
                                   const armilla_exec *exec)
{
    const int64_t npix = call->radial->grid->npix;
    armilla_radial_weights weights = *call->weights;
    armilla_radial_call here = *call;
    double *copy;
    armilla_status status = armilla_allocate(&copy, npix, sizeof *copy);
    if (status) return status;
    status = armilla_cuda()->radial->take_weights(armilla_cuda_device(call->radial->cuda),
                                                  weights.values, npix, exec->stream, copy);
    weights.values = copy, here.weights = &weights;
    if (!status) status = run_from_host(&here, maps, exec);
    armilla_release(copy);
    return status;
}

/* Weights of the GPU, where the maps are there too. */
static armilla_status run_from_device(armilla_radial_call call, const armilla_maps *maps,
                                      const armilla_exec *exec)
{
    const armilla_radial *radial = call.radial;
    double largest;
    const armilla_status status = armilla_cuda()->radial->look_at_weights(
        armilla_cuda_device(radial->cuda), call.weights->values, radial->grid->npix, exec->stream,
        &largest);
    call.weights_there = 1;
    return status ? status : run(&call, armilla_radial_nothing_of(largest), maps, exec);
}

armilla_status armilla_radial_run_device_means(const armilla_radial_call *call,
                                               const armilla_maps *maps, const armilla_exec *exec)
{
    const armilla_grid *grid = call->radial->grid;
    int weights_there = 0, map_there = 0;
    armilla_status status = armilla_check_given("weights", call->weights->values);
    if (!status) status = armilla_radial_check_least(call->weights);
    if (!status) status = armilla_cuda()->gpus->find_array(call->weights->values, &weights_there);
    if (status || !weights_there) return status ? status : run_from_host(call, maps, exec);
    if ((status = armilla_cuda()->gpus->find_array(maps->in.values, &map_there))) return status;
    return map_there && exec->missing != ARMILLA_MISSING_ERROR &&
                   armilla_grid_samples(grid) == grid->npix
               ? run_from_device(*call, maps, exec)
               : take_to_host(call, maps, exec);
}

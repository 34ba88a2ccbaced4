/* The operators of a plan. See armilla/radial.h. */
#include "radial/execute.h"

#include "base/team.h"
#include "grid/grid.h"
#include "radial/device.h"
#include "radial/device_means.h"
#include "radial/shares.h"

#include <math.h>

/* --- Arguments -------------------------------------------------------------------------------- */

armilla_call_arrays armilla_radial_call_arrays(const armilla_radial *radial)
{
    return (armilla_call_arrays){.npix = radial->grid->npix,
                                 .nmap = armilla_radial_ncomp(radial),
                                 .grid = radial->grid,
                                 .ndevices = radial->cuda != NULL,
                                 .device = armilla_cuda_device(radial->cuda)};
}

armilla_status armilla_radial_check_exec(const armilla_radial *radial, const armilla_exec *given,
                                         armilla_exec *exec)
{
    const armilla_call_arrays arrays = armilla_radial_call_arrays(radial);
    return armilla_call_check(&arrays, given, exec);
}

armilla_status armilla_radial_check_least(const armilla_radial_weights *weights)
{
    if (weights->least >= 0 && weights->least <= 1) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "least = %g: must be 0 to 1", weights->least);
}

armilla_status armilla_radial_check_weights(const armilla_radial *radial,
                                            const armilla_radial_weights *weights)
{
    if (!weights) return ARMILLA_OK;
    armilla_status status = armilla_check_given("weights", weights->values);
    if (!status) status = armilla_radial_check_least(weights);
    if (status) return status;
    for (int64_t r = 0; r < radial->grid->nrings; r++) {
        const armilla_ring *ring = &radial->grid->rings[r];
        for (int64_t j = 0; j < ring->nphi; j++) {
            const int64_t pixel = armilla_grid_place(radial->grid, r, j);
            if (!(weights->values[pixel] >= 0 && weights->values[pixel] <= 1e300))
                return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                    "weights[%lld] = %g: must be 0 or more, and finite",
                                    (long long)pixel, weights->values[pixel]);
        }
    }
    return ARMILLA_OK;
}

armilla_status armilla_radial_check_missing(const armilla_radial *radial, const armilla_maps *maps,
                                            const double *weights, const armilla_exec *exec)
{
    const armilla_call_arrays arrays = armilla_radial_call_arrays(radial);
    return armilla_call_check_missing(&arrays, maps->in, weights, exec);
}

armilla_status armilla_radial_run_one(const armilla_radial_call *call, const armilla_maps *maps,
                                      const armilla_exec *exec)
{
    const armilla_cuda_radial_plan *plan = call->radial->cuda;
    if (call->weights) return armilla_radial_run_device_means(call, maps, exec);
    return armilla_radial_run_device(&plan, 1, call, maps, exec);
}

armilla_status armilla_radial_run_there(const armilla_radial_call *call, const armilla_maps *maps,
                                        const armilla_exec *exec)
{
    return (call->radial->shares ? armilla_radial_shares_run : armilla_radial_run_one)(call, maps,
                                                                                       exec);
}

/* On the processor. */
static armilla_status run_here(armilla_radial_call call, const armilla_maps *maps,
                               const armilla_exec *exec)
{
    armilla_progress progress;
    call.nthreads = armilla_team_size(exec->nthreads);
    call.progress = &progress;
    armilla_progress_start(&progress, exec->progress, exec->progress_data,
                           armilla_radial_units(&call));
    return armilla_radial_apply(&call, maps);
}

/* Given: call with its plan, direction and weights. */
static armilla_status execute(armilla_radial_call call, armilla_array map, armilla_array out,
                              const armilla_exec *given)
{
    const armilla_radial *radial = call.radial;
    armilla_exec exec;
    armilla_status status = armilla_check_given("radial", radial);
    if (!status) status = armilla_check_given("map", map.values);
    if (!status) status = armilla_check_given("out", out.values);
    if (!status) status = armilla_radial_check_exec(radial, given, &exec);
    if (status) return status;
    const int there = radial->cuda != NULL;
    const double *weights = call.weights ? call.weights->values : NULL;
    const armilla_maps maps = {map, out, exec.map_distance, exec.map_distance};
    call.nmaps = exec.ntrans * armilla_radial_ncomp(radial);
    if (!there) status = armilla_radial_check_weights(radial, call.weights);
    if (!status && !(there && call.weights)) /* weights on the GPU are read later */
        status = armilla_radial_check_missing(radial, &maps, weights, &exec);
    if (status) return status;
    return there ? armilla_radial_run_there(&call, &maps, &exec) : run_here(call, &maps, &exec);
}

armilla_status armilla_radial_convolve(const armilla_radial *radial, const double *map, double *out,
                                       const armilla_exec *exec)
{
    return execute((armilla_radial_call){.radial = radial}, armilla_array_of_doubles(map),
                   armilla_array_of_doubles(out), exec);
}

armilla_status armilla_radial_convolve_float(const armilla_radial *radial, const float *map,
                                             float *out, const armilla_exec *exec)
{
    return execute((armilla_radial_call){.radial = radial}, armilla_array_of_floats(map),
                   armilla_array_of_floats(out), exec);
}

armilla_status armilla_radial_adjoint(const armilla_radial *radial, const double *map, double *out,
                                      const armilla_exec *exec)
{
    return execute((armilla_radial_call){.radial = radial, .transposed = 1},
                   armilla_array_of_doubles(map), armilla_array_of_doubles(out), exec);
}

armilla_status armilla_radial_adjoint_float(const armilla_radial *radial, const float *map,
                                            float *out, const armilla_exec *exec)
{
    return execute((armilla_radial_call){.radial = radial, .transposed = 1},
                   armilla_array_of_floats(map), armilla_array_of_floats(out), exec);
}

armilla_status armilla_radial_convolve_weighted(const armilla_radial *radial, const double *map,
                                                const double *weights, double least, double fill,
                                                double *out, const armilla_exec *exec)
{
    const armilla_radial_weights means = {weights, least, fill};
    return execute((armilla_radial_call){.radial = radial, .weights = &means},
                   armilla_array_of_doubles(map), armilla_array_of_doubles(out), exec);
}

armilla_status armilla_radial_convolve_weighted_float(const armilla_radial *radial,
                                                      const float *map, const double *weights,
                                                      double least, double fill, float *out,
                                                      const armilla_exec *exec)
{
    const armilla_radial_weights means = {weights, least, fill};
    return execute((armilla_radial_call){.radial = radial, .weights = &means},
                   armilla_array_of_floats(map), armilla_array_of_floats(out), exec);
}

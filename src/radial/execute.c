/* The operators of a plan. See armilla/radial.h. */
#include "radial/execute.h"

#include "base/exec.h"
#include "base/team.h"
#include "grid/grid.h"
#include "radial/device.h"
#include "radial/device_means.h"
#include "radial/shares.h"
#include "sht/missing.h"

#include <math.h>

/* --- Arguments -------------------------------------------------------------------------------- */

armilla_status armilla_radial_check_exec(const armilla_radial *radial, const armilla_exec *given,
                                         armilla_exec *exec)
{
    armilla_status status = armilla_exec_take(given, exec);
    if (!status) status = armilla_exec_check_memory(exec, radial->cuda != NULL);
    if (status) return status;
    const int64_t npix = radial->grid->npix, ncomp = armilla_radial_ncomp(radial);
    if (exec->map_distance == 0 || (exec->ntrans == 1 && ncomp == 1)) exec->map_distance = npix;
    return armilla_exec_check_distance("map_distance", exec->map_distance, npix, exec->ntrans,
                                       ncomp);
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
                                            const double *weights, int64_t nmaps,
                                            const armilla_exec *exec)
{
    const armilla_missing_maps read = {maps->in, maps->in_distance, weights};
    return armilla_missing_check_there(radial->gpu, radial->grid, nmaps, &read, exec);
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

/* On a GPU. */
static armilla_status execute_there(armilla_radial_call call, const void *map, void *out,
                                    int is_float, const armilla_exec *exec)
{
    const int64_t distance = exec->map_distance;
    const armilla_maps maps = {{(void *)map, is_float}, {out, is_float}, distance, distance};
    call.nmaps = exec->ntrans * armilla_radial_ncomp(call.radial);
    const armilla_status status =
        call.weights ? ARMILLA_OK
                     : armilla_radial_check_missing(call.radial, &maps, NULL, call.nmaps, exec);
    return status ? status : armilla_radial_run_there(&call, &maps, exec);
}

/* Given: call with its plan, direction and weights. */
static armilla_status execute(armilla_radial_call call, const void *map, void *out, int is_float,
                              const armilla_exec *given)
{
    armilla_exec exec;
    armilla_progress progress;
    armilla_status status = armilla_check_given("radial", call.radial);
    if (!status) status = armilla_check_given("map", map);
    if (!status) status = armilla_check_given("out", out);
    if (!status) status = armilla_radial_check_exec(call.radial, given, &exec);
    if (!status && call.radial->cuda) return execute_there(call, map, out, is_float, &exec);
    if (!status) status = armilla_radial_check_weights(call.radial, call.weights);
    if (status) return status;
    call.nmaps = exec.ntrans * armilla_radial_ncomp(call.radial);
    call.nthreads = armilla_team_size(exec.nthreads);
    call.progress = &progress;
    const int64_t distance = exec.map_distance;
    const armilla_maps maps = {{(void *)map, is_float}, {out, is_float}, distance, distance};
    const double *weights = call.weights ? call.weights->values : NULL;
    const armilla_missing_maps read = {maps.in, distance, weights};
    if ((status = armilla_missing_check(call.radial->grid, call.nmaps, &read, &exec)))
        return status;
    armilla_progress_start(&progress, exec.progress, exec.progress_data,
                           armilla_radial_units(&call));
    return armilla_radial_apply(&call, &maps);
}

armilla_status armilla_radial_convolve(const armilla_radial *radial, const double *map, double *out,
                                       const armilla_exec *exec)
{
    return execute((armilla_radial_call){.radial = radial}, map, out, 0, exec);
}

armilla_status armilla_radial_convolve_float(const armilla_radial *radial, const float *map,
                                             float *out, const armilla_exec *exec)
{
    return execute((armilla_radial_call){.radial = radial}, map, out, 1, exec);
}

armilla_status armilla_radial_adjoint(const armilla_radial *radial, const double *map, double *out,
                                      const armilla_exec *exec)
{
    return execute((armilla_radial_call){.radial = radial, .transposed = 1}, map, out, 0, exec);
}

armilla_status armilla_radial_adjoint_float(const armilla_radial *radial, const float *map,
                                            float *out, const armilla_exec *exec)
{
    return execute((armilla_radial_call){.radial = radial, .transposed = 1}, map, out, 1, exec);
}

armilla_status armilla_radial_convolve_weighted(const armilla_radial *radial, const double *map,
                                                const double *weights, double least, double fill,
                                                double *out, const armilla_exec *exec)
{
    const armilla_radial_weights means = {weights, least, fill};
    return execute((armilla_radial_call){.radial = radial, .weights = &means}, map, out, 0, exec);
}

armilla_status armilla_radial_convolve_weighted_float(const armilla_radial *radial,
                                                      const float *map, const double *weights,
                                                      double least, double fill, float *out,
                                                      const armilla_exec *exec)
{
    const armilla_radial_weights means = {weights, least, fill};
    return execute((armilla_radial_call){.radial = radial, .weights = &means}, map, out, 1, exec);
}

/* The operators of a plan. See armilla/radial.h. */
#include "radial/execute.h"

#include "base/exec.h"
#include "grid/missing.h"
#include "base/team.h"
#include "grid/grid.h"

#include <math.h>

/* --- Arguments -------------------------------------------------------------------------------- */

armilla_status armilla_radial_check_exec(const armilla_radial *radial, const armilla_exec *given,
                                         armilla_exec *exec)
{
    armilla_status status = armilla_exec_take(given, exec);
    if (status) return status;
    const int64_t npix = radial->grid->npix, ncomp = armilla_radial_ncomp(radial);
    if (exec->map_distance == 0 || (exec->ntrans == 1 && ncomp == 1)) exec->map_distance = npix;
    return armilla_exec_check_distance("map_distance", exec->map_distance, npix, exec->ntrans,
                                       ncomp);
}

static armilla_status check_call(const armilla_radial *radial, const void *map, const void *out)
{
    armilla_status status = armilla_check_given("radial", radial);
    if (!status) status = armilla_check_given("map", map);
    return status ? status : armilla_check_given("out", out);
}

/* The weights of the grid's pixels. */
static armilla_status check_weights(const armilla_radial *radial, const double *weights)
{
    for (int64_t r = 0; r < radial->grid->nrings; r++) {
        const armilla_ring *ring = &radial->grid->rings[r];
        for (int64_t j = 0; j < ring->nphi; j++) {
            const int64_t pixel = ring->offset + j * ring->stride;
            if (!(weights[pixel] >= 0 && weights[pixel] <= 1e300))
                return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                    "weights[%lld] = %g: must be 0 or more, and finite",
                                    (long long)pixel, weights[pixel]);
        }
    }
    return ARMILLA_OK;
}

/* --- A call ----------------------------------------------------------------------------------- */

static void start(const armilla_radial *radial, const armilla_exec *exec, int weighted,
                  armilla_progress *progress, armilla_radial_call *call)
{
    call->radial = radial;
    call->ntrans = exec->ntrans * armilla_radial_ncomp(radial);
    call->map_distance = call->distance = exec->map_distance;
    call->nthreads = armilla_team_size(exec->nthreads);
    call->progress = progress;
    armilla_progress_start(progress, exec->progress, exec->progress_data,
                           armilla_radial_units(call, weighted));
}

static armilla_status check_missing(const armilla_radial *radial, armilla_array map,
                                    const double *weights, const armilla_exec *exec)
{
    const armilla_missing_maps maps = {radial->grid, map,
                                       exec->ntrans * armilla_radial_ncomp(radial),
                                       exec->map_distance, weights};
    return armilla_missing_check(&maps, exec);
}

static armilla_status execute(const armilla_radial *radial, int transposed, const void *map,
                              void *out, int is_float, const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_progress progress;
    armilla_status status = check_call(radial, map, out);
    if (status || (status = armilla_radial_check_exec(radial, exec, &resolved))) return status;
    armilla_radial_call call = {
        .transposed = transposed, .map = {(void *)map, is_float}, .out = {out, is_float}};
    if ((status = check_missing(radial, call.map, NULL, &resolved))) return status;
    start(radial, &resolved, 0, &progress, &call);
    return armilla_radial_apply(&call);
}

static armilla_status execute_weighted(const armilla_radial *radial, const void *map,
                                       const double *weights, double least, double fill, void *out,
                                       int is_float, const armilla_exec *exec)
{
    armilla_exec resolved;
    armilla_progress progress;
    armilla_status status = check_call(radial, map, out);
    if (!status) status = armilla_check_given("weights", weights);
    if (!status && !(least >= 0 && least <= 1))
        status = armilla_fail(ARMILLA_ERROR_ARGUMENT, "least = %g: must be 0 to 1", least);
    if (status || (status = armilla_radial_check_exec(radial, exec, &resolved)) ||
        (status = check_weights(radial, weights)))
        return status;
    armilla_radial_call call = {.map = {(void *)map, is_float}, .out = {out, is_float}};
    if ((status = check_missing(radial, call.map, weights, &resolved))) return status;
    start(radial, &resolved, 1, &progress, &call);
    return armilla_radial_apply_weighted(&call, weights, least, fill);
}

armilla_status armilla_radial_convolve(const armilla_radial *radial, const double *map, double *out,
                                       const armilla_exec *exec)
{
    return execute(radial, 0, map, out, 0, exec);
}

armilla_status armilla_radial_convolve_float(const armilla_radial *radial, const float *map,
                                             float *out, const armilla_exec *exec)
{
    return execute(radial, 0, map, out, 1, exec);
}

armilla_status armilla_radial_adjoint(const armilla_radial *radial, const double *map, double *out,
                                      const armilla_exec *exec)
{
    return execute(radial, 1, map, out, 0, exec);
}

armilla_status armilla_radial_adjoint_float(const armilla_radial *radial, const float *map,
                                            float *out, const armilla_exec *exec)
{
    return execute(radial, 1, map, out, 1, exec);
}

armilla_status armilla_radial_convolve_weighted(const armilla_radial *radial, const double *map,
                                                const double *weights, double least, double fill,
                                                double *out, const armilla_exec *exec)
{
    return execute_weighted(radial, map, weights, least, fill, out, 0, exec);
}

armilla_status armilla_radial_convolve_weighted_float(const armilla_radial *radial,
                                                      const float *map, const double *weights,
                                                      double least, double fill, float *out,
                                                      const armilla_exec *exec)
{
    return execute_weighted(radial, map, weights, least, fill, out, 1, exec);
}

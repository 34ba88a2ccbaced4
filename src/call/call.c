/* Checks what the caller of an operator asks for against the operator's own arrays, fills in the
 * distances between transforms that were left 0, and looks for missing values. */
#include "call/call.h"

#include "alm/layout.h"
#include "base/exec.h"
#include "base/status.h"
#include "call/missing.h"
#include "cuda/device.h"

/* A distance that was 0, or separates nothing, becomes the size of what it separates. */
static void settle(int64_t ntrans, int64_t ncomp, int64_t size, int64_t *distance)
{
    if (*distance == 0 || (ntrans == 1 && ncomp == 1)) *distance = size;
}

armilla_status armilla_call_check(const armilla_call_arrays *arrays, const armilla_exec *exec,
                                  armilla_exec *resolved)
{
    armilla_status status = armilla_exec_take(exec, resolved);
    if (!status) status = armilla_exec_check_memory(resolved, arrays->ndevices > 0);
    if (status) return status;
    settle(resolved->ntrans, arrays->nalm, arrays->alm_size, &resolved->alm_distance);
    settle(resolved->ntrans, arrays->nmap, arrays->npix, &resolved->map_distance);
    if (arrays->nalm)
        status = armilla_exec_check_distance("alm_distance", resolved->alm_distance,
                                             arrays->alm_size, resolved->ntrans, arrays->nalm);
    return status ? status
                  : armilla_exec_check_distance("map_distance", resolved->map_distance,
                                                arrays->npix, resolved->ntrans, arrays->nmap);
}

armilla_status armilla_call_check_missing(const armilla_call_arrays *arrays, armilla_array map,
                                          const double *weights, const armilla_exec *exec)
{
    if (exec->missing != ARMILLA_MISSING_ERROR) return ARMILLA_OK;
    if (!arrays->grid)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "exec->missing = ERROR: values at points are not looked at; leave "
                            "points without a value away");
    const armilla_missing_maps maps = {map, exec->map_distance, weights};
    const int64_t ncomponents = exec->ntrans * arrays->nmap;
    return arrays->ndevices
               ? armilla_missing_check_there(arrays->device, arrays->grid, ncomponents, &maps, exec)
               : armilla_missing_check(arrays->grid, ncomponents, &maps, exec);
}

armilla_status armilla_call_take(const armilla_call_arrays *arrays, const armilla_exec *exec,
                                 armilla_call *call)
{
    const char *samples = arrays->samples ? arrays->samples : "map";
    const void *alm = call->alm.values, *map = call->map.values;
    armilla_status status = armilla_call_check(arrays, exec, &call->exec);
    const armilla_cuda_shared shared = {
        {"alm", samples}, {alm, map}, call->exec.memory, call->exec.stream};
    armilla_relay_start(&call->relay, call->exec.progress, call->exec.progress_data);
    if (!status && arrays->alm_size) status = armilla_alm_check_array("alm", alm);
    if (!status && arrays->npix) status = armilla_alm_check_array(samples, map);
    return status || arrays->ndevices <= 1 ? status : armilla_cuda()->gpus->check_shared(&shared);
}

armilla_status armilla_call_open(const armilla_call_arrays *arrays, const armilla_exec *exec,
                                 armilla_call *call)
{
    const armilla_status status = armilla_call_take(arrays, exec, call);
    if (status || call->to_map) return status;
    return armilla_call_check_missing(arrays, call->map, NULL, &call->exec);
}

armilla_exec armilla_call_inner(armilla_call *call)
{
    armilla_exec inner = call->exec;
    inner.ntrans = 1, inner.missing = ARMILLA_MISSING_PROPAGATE;
    if (inner.progress) inner.progress = armilla_relay_report, inner.progress_data = &call->relay;
    return inner;
}

/* Checks what the caller of an operator asks for against the operator's own arrays, fills in the
 * distances between transforms that were left 0, and looks for missing values. Where the host runs
 * a call for a GPU, the call has copies of the arrays that are there. */
#include "call/call.h"

#include "alm/layout.h"
#include "base/exec.h"
#include "base/memory.h"
#include "base/status.h"
#include "call/missing.h"
#include "cuda/runtime/device.h"

/* A distance that was 0, or separates nothing, becomes the size of what it separates. */
static void settle(int64_t ntrans, int64_t ncomp, int64_t size, int64_t *distance)
{
    if (*distance == 0 || (ntrans == 1 && ncomp == 1)) *distance = size;
}

/* GPUs of the plan, whoever runs its calls. */
static int64_t count_devices(const armilla_call_arrays *arrays)
{
    return arrays->ndevices + arrays->delegation.ndevices;
}

armilla_status armilla_call_check(const armilla_call_arrays *arrays, const armilla_exec *exec,
                                  armilla_exec *resolved)
{
    armilla_status status = armilla_exec_take(exec, resolved);
    if (!status) status = armilla_exec_check_memory(resolved, count_devices(arrays) > 0);
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

static const char *alm_name(const armilla_call_arrays *arrays)
{
    return arrays->coefficients ? arrays->coefficients : "alm";
}

static const char *map_name(const armilla_call_arrays *arrays)
{
    return arrays->samples ? arrays->samples : "map";
}

/* --- Calls that the host runs for a GPU ------------------------------------------------------- */

static armilla_cuda_guest map_guest(const armilla_call_arrays *arrays, const armilla_call *call)
{
    const int64_t unit = arrays->map_unit ? arrays->map_unit : 1;
    return (armilla_cuda_guest){.name = map_name(arrays),
                                .values = call->map,
                                .ncomp = call->exec.ntrans * arrays->nmap,
                                .size = unit * arrays->npix,
                                .distance = unit * call->exec.map_distance,
                                .written = call->to_map};
}

static armilla_cuda_guest alm_guest(const armilla_call_arrays *arrays, const armilla_call *call)
{
    armilla_cuda_guest guest = map_guest(arrays, call);
    guest.name = alm_name(arrays), guest.values = call->alm,
    guest.written = !call->to_map && !call->alm_is_read;
    if (arrays->alm_is_map) return guest;
    guest.ncomp = call->exec.ntrans * arrays->nalm;
    guest.size = 2 * arrays->alm_size, guest.distance = 2 * call->exec.alm_distance;
    return guest;
}

static armilla_status bring(const armilla_call_arrays *arrays, armilla_call *call)
{
    armilla_cuda_guest *guest = call->there.guest;
    call->there =
        (armilla_cuda_delegated){.guest = {alm_guest(arrays, call), map_guest(arrays, call)},
                                 .memory = call->exec.memory,
                                 .stream = call->exec.stream,
                                 .device = arrays->delegation.device};
    const armilla_status status = armilla_cuda()->delegate->bring(&call->there);
    if (guest[0].copy) call->alm.values = guest[0].copy;
    if (guest[1].copy) call->map.values = guest[1].copy;
    call->exec.memory = ARMILLA_MEMORY_HOST, call->exec.stream = NULL;
    return status;
}

armilla_status armilla_call_close(armilla_call *call, armilla_status status)
{
    armilla_cuda_guest *guest = call->there.guest;
    if (!status && (guest[0].copy || guest[1].copy))
        status = armilla_cuda()->delegate->take_back(&call->there);
    for (int i = 0; i < 2; i++) armilla_release(guest[i].copy), guest[i].copy = NULL;
    return status;
}

/* --- Calls ------------------------------------------------------------------------------------ */

armilla_status armilla_call_take(const armilla_call_arrays *arrays, const armilla_exec *exec,
                                 armilla_call *call)
{
    const char *names[2] = {alm_name(arrays), map_name(arrays)};
    const void *alm = call->alm.values, *map = call->map.values;
    armilla_status status = armilla_call_check(arrays, exec, &call->exec);
    const armilla_cuda_shared shared = {
        {names[0], names[1]}, {alm, map}, call->exec.memory, call->exec.stream};
    armilla_relay_start(&call->relay, call->exec.progress, call->exec.progress_data);
    if (!status && arrays->alm_size) status = armilla_alm_check_array(names[0], alm);
    if (!status && arrays->npix) status = armilla_alm_check_array(names[1], map);
    if (!status && count_devices(arrays) > 1) status = armilla_cuda()->gpus->check_shared(&shared);
    return status || arrays->delegation.ndevices != 1 ? status : bring(arrays, call);
}

armilla_status armilla_call_open(const armilla_call_arrays *arrays, const armilla_exec *exec,
                                 armilla_call *call)
{
    armilla_status status = armilla_call_take(arrays, exec, call);
    if (status || call->to_map) return status;
    status = armilla_call_check_missing(arrays, call->map, NULL, &call->exec);
    return status ? armilla_call_close(call, status) : ARMILLA_OK;
}

armilla_exec armilla_call_inner(armilla_call *call)
{
    armilla_exec inner = call->exec;
    inner.ntrans = 1, inner.missing = ARMILLA_MISSING_PROPAGATE;
    if (inner.progress) inner.progress = armilla_relay_report, inner.progress_data = &call->relay;
    return inner;
}

/* Runs the kernel that looks for missing values, on the device that has the maps, and waits for its
 * answer. See missing.h. */
#include "cuda/missing.h"

#include "base/memory.h"
#include "cuda/capture.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/kernels/missing_kernels.h"
#include "cuda/transform.h"
#include "cuda/work.h"

enum { WARPS = ARMILLA_CUDA_SUSPECT_WARPS };

static const char WHAT[] = "looking for missing values";

/* The device that has the maps becomes the current one. */
static armilla_status enter_device_of(const void *values, int *device, int *before)
{
    struct cudaPointerAttributes attributes;
    const armilla_status status =
        armilla_cuda_status(cudaPointerGetAttributes(&attributes, values), WHAT);
    if (status) return status;
    *device = attributes.device;
    return armilla_cuda_enter_device(*device, before);
}

static armilla_status check_capture(const armilla_cuda_looked *maps, int device)
{
    const armilla_cuda_captured captured = {
        .stream = maps->stream,
        .device = device,
        .waits = "exec->missing = ERROR: maps cannot be looked at on a stream that is captured, "
                 "which does not run; set missing = PROPAGATE"};
    return armilla_cuda_check_capture(&captured);
}

/* found: [WARPS], there and on the host. */
static cudaError_t run(const armilla_cuda_looked *maps, int device, char *memory, int32_t *found)
{
    const armilla_cuda_suspects suspects = {maps->values.values, maps->ncomp, maps->distance,
                                            maps->size, (int32_t *)(void *)memory};
    armilla_cuda_work work = {.stream = maps->stream};
    armilla_cuda_note(&work,
                      armilla_cuda_suspects_find(&suspects, maps->values.is_float, work.stream));
    armilla_cuda_note(&work, cudaMemcpyAsync(found, memory, WARPS * sizeof *found,
                                             cudaMemcpyDeviceToHost, work.stream));
    armilla_cuda_note(&work, armilla_cuda_pool_give_back(device, memory, work.stream));
    armilla_cuda_note(&work, cudaStreamSynchronize(work.stream));
    return work.error;
}

static armilla_status look(const armilla_cuda_looked *maps, int device, int32_t *found)
{
    char *memory;
    armilla_status status = check_capture(maps, device);
    if (!status)
        status = armilla_cuda_pool_obtain(device, WARPS * (int64_t)sizeof *found, maps->stream,
                                          WHAT, 0, &memory);
    return status ? status : armilla_cuda_status(run(maps, device, memory, found), WHAT);
}

armilla_status armilla_cuda_find_suspects(const armilla_cuda_looked *maps, int *found)
{
    int32_t *of_warps;
    int device, before;
    armilla_status status = armilla_allocate_zero(&of_warps, WARPS, sizeof *of_warps);
    if (status) return status;
    *found = 0;
    if (!(status = enter_device_of(maps->values.values, &device, &before))) {
        status = look(maps, device, of_warps);
        armilla_cuda_leave_device(device, before);
    }
    for (int i = 0; i < WARPS; i++) *found |= of_warps[i];
    armilla_release(of_warps);
    return status;
}

armilla_status armilla_cuda_fetch_component(const armilla_cuda_looked *maps, int64_t component,
                                            void *host)
{
    const armilla_array from = armilla_array_from(maps->values, component * maps->distance);
    armilla_cuda_work work = {.stream = maps->stream};
    int device, before;
    const armilla_status status = enter_device_of(maps->values.values, &device, &before);
    if (status) return status;
    armilla_cuda_note(&work, cudaMemcpyAsync(host, from.values,
                                             (size_t)(maps->size * armilla_array_item_size(from)),
                                             cudaMemcpyDeviceToHost, work.stream));
    armilla_cuda_note(&work, cudaStreamSynchronize(work.stream));
    armilla_cuda_leave_device(device, before);
    return armilla_cuda_status(work.error, WHAT);
}

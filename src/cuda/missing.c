/* Runs the kernel that looks for missing values, on the plan's device, and waits for its answer.
 * See missing.h. */
#include "cuda/missing.h"

#include "base/memory.h"
#include "cuda/call.h"
#include "cuda/capture.h"
#include "cuda/device.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/kernels/missing_kernels.h"
#include "cuda/work.h"

enum { WARPS = ARMILLA_CUDA_SUSPECT_WARPS };

static const char WHAT[] = "looking for missing values";

static armilla_status check_capture(const armilla_cuda_looked *maps)
{
    const armilla_cuda_captured captured = {
        .stream = maps->stream,
        .device = maps->device,
        .waits = "exec->missing = ERROR: maps cannot be looked at on a stream that is captured, "
                 "which does not run; set missing = PROPAGATE"};
    return armilla_cuda_check_capture(&captured);
}

static armilla_status wait_for(const armilla_cuda_looked *maps)
{
    int before;
    armilla_status status = check_capture(maps);
    if (status || (status = armilla_cuda_enter_device(maps->device, &before))) return status;
    status = armilla_cuda_status(cudaStreamSynchronize(maps->stream), WHAT);
    armilla_cuda_leave_device(maps->device, before);
    return status;
}

/* Memory of a GPU that the caller says is the host's is looked at there all the same. */
static armilla_status find_maps(armilla_memory memory, armilla_cuda_looked *maps, int *there)
{
    armilla_cuda_array array = {.values = maps->values};
    if (memory == ARMILLA_MEMORY_HOST) memory = ARMILLA_MEMORY_ASK;
    const armilla_status status = armilla_cuda_find_place("map", memory, maps->device, &array);
    *there = array.on_device;
    maps->values = array.values;
    return !status && array.copied.pinned && !array.on_device ? wait_for(maps) : status;
}

/* found: [WARPS], there and on the host. */
static armilla_status run(const armilla_cuda_looked *maps, char *memory, int32_t *found)
{
    const armilla_cuda_suspects suspects = {maps->values.values, maps->ncomp, maps->distance,
                                            maps->size, (int32_t *)(void *)memory};
    armilla_cuda_work work = {.stream = maps->stream};
    armilla_cuda_note(&work,
                      armilla_cuda_suspects_find(&suspects, maps->values.is_float, work.stream));
    armilla_cuda_note(&work, cudaMemcpyAsync(found, memory, WARPS * sizeof *found,
                                             cudaMemcpyDeviceToHost, work.stream));
    armilla_cuda_note(&work, armilla_cuda_pool_give_back(maps->device, memory, work.stream));
    armilla_cuda_note(&work, cudaStreamSynchronize(work.stream));
    return armilla_cuda_work_status(&work, WHAT);
}

static armilla_status look_here(const armilla_cuda_looked *maps, int32_t *found)
{
    char *memory;
    armilla_status status = check_capture(maps);
    if (!status)
        status = armilla_cuda_pool_obtain(maps->device, WARPS * (int64_t)sizeof *found,
                                          maps->stream, WHAT, 0, &memory);
    return status ? status : run(maps, memory, found);
}

armilla_status armilla_cuda_find_suspects(const armilla_cuda_looked *maps, int *found)
{
    int32_t *of_warps;
    int before;
    armilla_status status = armilla_allocate_zero(&of_warps, WARPS, sizeof *of_warps);
    if (status) return status;
    *found = 0;
    if (!(status = armilla_cuda_enter_device(maps->device, &before))) {
        status = look_here(maps, of_warps);
        armilla_cuda_leave_device(maps->device, before);
    }
    for (int i = 0; i < WARPS; i++) *found |= of_warps[i];
    armilla_release(of_warps);
    return status;
}

static armilla_status look(armilla_memory memory, armilla_cuda_looked *maps, int *there, int *found)
{
    const armilla_status status = find_maps(memory, maps, there);
    return status || !*there ? status : armilla_cuda_find_suspects(maps, found);
}

static armilla_status fetch(const armilla_cuda_looked *maps, int64_t component, void *host)
{
    const armilla_array from = armilla_array_from(maps->values, component * maps->distance);
    armilla_cuda_work work = {.stream = maps->stream};
    int before;
    const armilla_status status = armilla_cuda_enter_device(maps->device, &before);
    if (status) return status;
    armilla_cuda_note(&work, cudaMemcpyAsync(host, from.values,
                                             (size_t)(maps->size * armilla_array_item_size(from)),
                                             cudaMemcpyDeviceToHost, work.stream));
    armilla_cuda_note(&work, cudaStreamSynchronize(work.stream));
    armilla_cuda_leave_device(maps->device, before);
    return armilla_cuda_work_status(&work, WHAT);
}

const armilla_cuda_missing_table armilla_cuda_missing_functions = {.look = look, .fetch = fetch};

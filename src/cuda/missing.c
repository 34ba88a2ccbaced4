/* Runs the kernel that looks for missing values, on the plan's device, and waits for its answer.
 * See missing.h. */
#include "cuda/missing.h"

#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/frame.h"
#include "cuda/kernels/missing_kernels.h"

enum { WARPS = ARMILLA_CUDA_SUSPECT_WARPS };

static armilla_cuda_frame frame_of(const armilla_cuda_looked *maps, const armilla_exec *exec)
{
    return (armilla_cuda_frame){
        .what = "looking for missing values",
        .device = maps->device,
        .exec = exec,
        .waits = "exec->missing = ERROR: maps cannot be looked at on a stream that is captured, "
                 "which does not run; set missing = PROPAGATE"};
}

/* Pinned memory of the host may still be written by work of the stream. */
static armilla_status wait_for(const armilla_cuda_looked *maps)
{
    const armilla_exec exec = {.stream = maps->stream};
    armilla_cuda_frame f = frame_of(maps, &exec);
    const armilla_status status = armilla_cuda_frame_open(&f);
    return status ? status : armilla_cuda_frame_close(&f, ARMILLA_OK);
}

/* Memory of a GPU that the caller says is the host's is looked at there all the same. */
static armilla_status find_maps(armilla_memory memory, armilla_cuda_looked *maps, int *there)
{
    armilla_cuda_array array = {.name = "map", .values = maps->values};
    if (memory == ARMILLA_MEMORY_HOST) memory = ARMILLA_MEMORY_ASK;
    const armilla_status status = armilla_cuda_find_place(memory, maps->device, &array);
    *there = array.on_device;
    maps->values = array.values;
    return !status && array.copied.pinned && !array.on_device ? wait_for(maps) : status;
}

/* found: [WARPS], on the host. */
static armilla_status run(const armilla_cuda_looked *maps, armilla_cuda_frame *f, int32_t *found)
{
    const int64_t bytes = WARPS * (int64_t)sizeof *found;
    const armilla_status status = armilla_cuda_frame_take(f, bytes, 0);
    if (status) return status;
    const armilla_cuda_suspects suspects = {maps->values.values, maps->ncomp, maps->distance,
                                            maps->size, (int32_t *)(void *)f->memory};
    armilla_cuda_note(&f->work,
                      armilla_cuda_suspects_find(&suspects, maps->values.is_float, f->work.stream));
    armilla_cuda_note(&f->work, cudaMemcpyAsync(found, f->memory, (size_t)bytes,
                                                cudaMemcpyDeviceToHost, f->work.stream));
    return ARMILLA_OK;
}

armilla_status armilla_cuda_find_suspects(const armilla_cuda_looked *maps, int *found)
{
    const armilla_exec exec = {.stream = maps->stream};
    armilla_cuda_frame f = frame_of(maps, &exec);
    int32_t *of_warps;
    armilla_status status = armilla_allocate_zero(&of_warps, WARPS, sizeof *of_warps);
    if (status) return status;
    *found = 0;
    if (!(status = armilla_cuda_frame_open(&f)))
        status = armilla_cuda_frame_close(&f, run(maps, &f, of_warps));
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
    const armilla_exec exec = {.stream = maps->stream};
    armilla_cuda_frame f = frame_of(maps, &exec);
    const armilla_status status = armilla_cuda_frame_open(&f);
    if (status) return status;
    armilla_cuda_note(&f.work, cudaMemcpyAsync(host, from.values,
                                               (size_t)(maps->size * armilla_array_item_size(from)),
                                               cudaMemcpyDeviceToHost, f.work.stream));
    return armilla_cuda_frame_close(&f, ARMILLA_OK);
}

const armilla_cuda_missing_table armilla_cuda_missing_functions = {.look = look, .fetch = fetch};

/* Finds out where the arrays of a call are, takes what memory it needs from the device's pool
 * (device_pool.h), in the stream's own sequence, and copies what is on the host. So calls on
 * several streams never share memory, and none of them waits. A stream that is being captured gets
 * the same work; what would wait is refused before any of it. */
#include "cuda/call.h"

#include "armilla/alm.h"
#include "base/integer.h"
#include "cuda/device_memory.h"
#include "cuda/device_pool.h"
#include "cuda/marks.h"

const armilla_cuda_flow *armilla_cuda_choose_flow(const armilla_cuda_transform *t, int weighted)
{
    return weighted && t->weighted_flow.legendre ? &t->weighted_flow : &t->flow;
}

/* --- Where arrays are ------------------------------------------------------------------------- */

/* Can the GPU use the array as it is? Then *values becomes its address there, which may be another
 * one for memory that the caller has pinned or registered. Such memory is the host's, unless the
 * caller says that the device is meant. */
static armilla_status find_place(const armilla_cuda_transform *t, const char *name,
                                 armilla_memory memory, void **values, int *on_device)
{
    struct cudaPointerAttributes attributes;
    *on_device = 0;
    if (memory == ARMILLA_MEMORY_HOST) return ARMILLA_OK;
    armilla_status status = armilla_cuda_status(cudaPointerGetAttributes(&attributes, *values),
                                                "asking where an array is");
    if (status) return status;
    const enum cudaMemoryType type = attributes.type;
    if (type == cudaMemoryTypeDevice && attributes.device != t->device)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "%s: is in the memory of GPU %d, but the plan is on GPU %d", name,
                            attributes.device, t->device);
    *on_device =
        type == cudaMemoryTypeDevice || type == cudaMemoryTypeManaged ||
        (type == cudaMemoryTypeHost && memory == ARMILLA_MEMORY_DEVICE && attributes.devicePointer);
    if (*on_device) *values = attributes.devicePointer;
    if (memory != ARMILLA_MEMORY_DEVICE || *on_device) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s: is in host memory, but exec->memory = ARMILLA_MEMORY_DEVICE", name);
}

int armilla_cuda_is_device_array(const void *values)
{
    struct cudaPointerAttributes attributes;
    const cudaError_t error = cudaPointerGetAttributes(&attributes, values);
    armilla_cuda_forget(error);
    return !error && attributes.type == cudaMemoryTypeDevice;
}

static armilla_status find_places(armilla_cuda_run *r)
{
    const armilla_cuda_call *call = r->call;
    r->alm = call->alm, r->map = call->map;
    r->alm_on_device = r->map_on_device = 1; /* nothing is copied of arrays of no numbers */
    armilla_status status = ARMILLA_OK;
    if (r->t->problem.layout->size && call->alm.values)
        status = find_place(r->t, "alm", call->memory, &r->alm.values, &r->alm_on_device);
    if (!status && r->t->problem.npix && call->map.values)
        status = find_place(r->t, "map", call->memory, &r->map.values, &r->map_on_device);
    return status;
}

/* A stream that is being captured runs nothing: a call that must wait for it is refused, while
 * nothing has been put on it. */
static armilla_status check_capture(const armilla_cuda_run *r)
{
    enum cudaStreamCaptureStatus capture;
    const armilla_status status = armilla_cuda_status(
        cudaStreamIsCapturing(r->work.stream, &capture), "asking whether the stream is captured");
    if (status || capture == cudaStreamCaptureStatusNone) return status;
    const char *reason =
        capture == cudaStreamCaptureStatusInvalidated ? "exec->stream: its capture is broken"
        : r->over_ranks ? "exec->stream: transforms over ranks cannot be captured, as ranks wait"
        : !r->alm_on_device ? "alm: host arrays cannot be captured, as a call waits for its result"
        : !r->map_on_device ? "map: host arrays cannot be captured, as a call waits for its result"
        : r->call->progress
            ? "exec->progress: cannot be told of a stream that is captured, and does not run"
        : !armilla_cuda_pool_exists(r->t->device)
            ? "exec->stream: cannot be captured on a GPU without memory pools"
            : NULL;
    return reason ? armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "%s", reason) : ARMILLA_OK;
}

/* --- Memory ---------------------------------------------------------------------------------- */

/* The parts of a call's memory. Returns their bytes. */
static int64_t set_sizes(armilla_cuda_run *r)
{
    const armilla_cuda_problem *p = &r->t->problem;
    const armilla_cuda_call *call = r->call;
    const int64_t batch = r->batch;
    r->alm_items = 2 * ((batch * p->nalm - 1) * call->alm_distance + p->layout->size);
    r->map_items = (batch * p->nmap - 1) * call->map_distance + p->npix;
    r->leg_bytes = armilla_cuda_round_part(r->leg_bytes);
    r->scratch_bytes = armilla_cuda_round_part(
        armilla_cuda_flow_scratch(r->flow, p->nmap * batch, call->to_map, r->t->most));
    if (!call->to_map && call->alm.is_float && r->flow->problem.passes->count > 1)
        r->sums_bytes = armilla_cuda_round_part(16 * batch * p->nalm * p->alm_numbers);
    if (!r->alm_on_device)
        r->alm_bytes = armilla_cuda_round_part(r->alm_items * armilla_array_item_size(call->alm));
    if (!r->map_on_device)
        r->map_bytes = armilla_cuda_round_part(r->map_items * armilla_array_item_size(call->map));
    return r->leg_bytes + r->scratch_bytes + r->sums_bytes + r->alm_bytes + r->map_bytes;
}

static armilla_status take_memory(armilla_cuda_run *r, int64_t bytes)
{
    void *memory;
    const cudaError_t error = armilla_cuda_pool_take(r->t->device, bytes, r->work.stream, &memory);
    r->memory = memory;
    if (error != cudaErrorMemoryAllocation)
        return armilla_cuda_status(error, "memory for a transform");
    char text[ARMILLA_SIZE_TEXT];
    return armilla_fail(ARMILLA_ERROR_MEMORY,
                        "a transform: %s of device memory are not to be had; set "
                        "options->device_bytes",
                        armilla_size_text((double)bytes, text));
}

/* Legs, scratch, sums, copies. */
static void cut_memory(armilla_cuda_run *r)
{
    char *scratch = r->memory + r->leg_bytes, *sums = scratch + r->scratch_bytes;
    r->leg = (double *)(void *)r->memory;
    r->work.scratch = scratch, r->work.scratch_bytes = r->scratch_bytes;
    r->sums = r->sums_bytes ? (double *)(void *)sums : NULL;
    r->alm_copy = sums + r->sums_bytes, r->map_copy = r->alm_copy + r->alm_bytes;
}

armilla_status armilla_cuda_run_open(armilla_cuda_run *r)
{
    armilla_status status = find_places(r);
    if (status || (status = check_capture(r))) return status;
    const int64_t bytes = set_sizes(r);
    if ((status = take_memory(r, armilla_larger(bytes, ARMILLA_CUDA_ALIGNMENT)))) return status;
    cut_memory(r);
    return ARMILLA_OK;
}

armilla_status armilla_cuda_run_close(armilla_cuda_run *r)
{
    armilla_cuda_note(&r->work,
                      armilla_cuda_pool_give_back(r->t->device, r->memory, r->work.stream));
    if (!r->alm_on_device || !r->map_on_device || r->over_ranks)
        armilla_cuda_note(&r->work, cudaStreamSynchronize(r->work.stream));
    return armilla_cuda_status(r->work.error, "a transform");
}

/* --- One batch of transforms ------------------------------------------------------------------ */

static void copy(armilla_cuda_run *r, void *to, const void *from, int64_t bytes,
                 enum cudaMemcpyKind kind)
{
    armilla_cuda_note(&r->work, cudaMemcpyAsync(to, from, (size_t)bytes, kind, r->work.stream));
}

/* Has the array of the caller places that the call must leave as they are? */
static int alm_has_gaps(const armilla_cuda_run *r)
{
    const armilla_alm_layout *layout = r->t->problem.layout;
    return layout->size != r->t->problem.alm_numbers ||
           (r->batch * r->t->problem.nalm > 1 && r->call->alm_distance != layout->size);
}

static int map_has_gaps(const armilla_cuda_run *r)
{
    const armilla_cuda_problem *p = &r->t->problem;
    return p->npix != p->samples || (r->batch * p->nmap > 1 && r->call->map_distance != p->npix);
}

static int64_t alm_bytes(const armilla_cuda_run *r, int64_t count)
{
    const armilla_cuda_problem *p = &r->t->problem;
    return 2 * armilla_array_item_size(r->call->alm) *
           ((count * p->nalm - 1) * r->call->alm_distance + p->layout->size);
}

static int64_t map_bytes(const armilla_cuda_run *r, int64_t count)
{
    const armilla_cuda_problem *p = &r->t->problem;
    return armilla_array_item_size(r->call->map) *
           ((count * p->nmap - 1) * r->call->map_distance + p->npix);
}

/* What the caller has on the host is copied to the device where it is read, or where the result
 * leaves some of it as it is. */
void armilla_cuda_run_begin_batch(void *call, int64_t count, armilla_array *alm, armilla_array *map)
{
    armilla_cuda_run *r = call;
    const int to_map = r->call->to_map;
    armilla_cuda_mark("begin", r->work.stream);
    if (!r->alm_on_device) {
        if (to_map || alm_has_gaps(r))
            copy(r, r->alm_copy, alm->values, alm_bytes(r, count), cudaMemcpyHostToDevice);
        alm->values = r->alm_copy;
    }
    if (!r->map_on_device) {
        if (!to_map || map_has_gaps(r))
            copy(r, r->map_copy, map->values, map_bytes(r, count), cudaMemcpyHostToDevice);
        map->values = r->map_copy;
    }
    armilla_cuda_mark("copy to device", r->work.stream);
}

void armilla_cuda_run_end_batch(void *call, int64_t count, armilla_array alm, armilla_array map)
{
    armilla_cuda_run *r = call;
    const int to_map = r->call->to_map;
    if (to_map && !r->map_on_device)
        copy(r, map.values, r->map_copy, map_bytes(r, count), cudaMemcpyDeviceToHost);
    if (!to_map && !r->alm_on_device)
        copy(r, alm.values, r->alm_copy, alm_bytes(r, count), cudaMemcpyDeviceToHost);
    armilla_cuda_mark("copy to host", r->work.stream);
}

/* --- Rows of alm ------------------------------------------------------------------------------ */

armilla_alm_rows armilla_cuda_run_rows(const armilla_cuda_run *r)
{
    const armilla_cuda_problem *problem = &r->t->problem;
    const armilla_alm_layout *layout = problem->layout;
    return (armilla_alm_rows){.values = r->alm,
                              .distance = r->call->alm_distance,
                              .ncomp = problem->nalm,
                              .nsets = problem->nmap,
                              .lmax = layout->lmax,
                              .stride = layout->stride,
                              .mstart = r->t->mstart,
                              .spin = problem->spin,
                              .factor = r->t->factor,
                              .real = 1,
                              .sums = r->sums,
                              .sums_size = 2 * problem->alm_numbers,
                              .sums_as_array = problem->places != NULL};
}

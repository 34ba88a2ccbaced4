/* Brings arrays of a GPU to the host, which runs a call for it, and takes them back. See
 * delegate.h. */
#include "cuda/delegate.h"

#include "base/memory.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/frame.h"

enum { GUESTS = ARMILLA_CUDA_ARRAYS };

/* Finds the arrays; the frame is open then. */
static armilla_status open_frame(const armilla_cuda_delegated *call, const armilla_exec *exec,
                                 armilla_cuda_frame *f)
{
    *f = (armilla_cuda_frame){
        .what = "a call that the host runs for it",
        .device = call->device,
        .exec = exec,
        .waits = "exec->stream: calls that the host runs for a GPU (options->delegate) cannot be "
                 "captured, as they wait for the stream"};
    for (int i = 0; i < GUESTS; i++) {
        const armilla_cuda_guest *guest = &call->guest[i];
        f->array[i] = armilla_cuda_array_of(guest->name, guest->values, guest->ncomp, guest->size,
                                            guest->distance);
    }
    return armilla_cuda_frame_open(f);
}

static armilla_status allocate_copy(armilla_cuda_guest *guest)
{
    char *copy;
    if (!guest->there) return ARMILLA_OK;
    const int64_t count = (guest->ncomp - 1) * guest->distance + guest->size;
    const armilla_status status =
        armilla_allocate(&copy, count, (size_t)armilla_array_item_size(guest->values));
    if (!status) guest->copy = copy;
    return status;
}

/* What lies between components is not touched. */
static void copy_guest(const armilla_cuda_guest *guest, int back, armilla_cuda_work *work)
{
    const int64_t item = armilla_array_item_size(guest->values);
    for (int64_t k = 0; k < guest->ncomp && guest->there; k++) {
        const int64_t at = k * guest->distance * item;
        char *there = (char *)guest->there + at, *here = (char *)guest->copy + at;
        armilla_cuda_note(
            work,
            cudaMemcpyAsync(back ? there : here, back ? here : there, (size_t)(item * guest->size),
                            back ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, work->stream));
    }
}

static armilla_status bring(armilla_cuda_delegated *call)
{
    const armilla_exec exec = {.memory = call->memory, .stream = call->stream};
    armilla_cuda_guest *guest = call->guest;
    armilla_cuda_frame f;
    armilla_status status = open_frame(call, &exec, &f);
    if (status) return status;
    for (int i = 0; i < GUESTS && !status; i++) {
        const int is_there = f.array[i].on_device && guest[i].size;
        guest[i].there = is_there ? f.array[i].values.values : NULL;
        if (!(status = allocate_copy(&guest[i]))) copy_guest(&guest[i], 0, &f.work);
    }
    status = armilla_cuda_frame_close(&f, status);
    for (int i = 0; i < GUESTS && status; i++) armilla_release(guest[i].copy), guest[i].copy = NULL;
    return status;
}

static armilla_status take_back(const armilla_cuda_delegated *call)
{
    const armilla_exec exec = {.memory = call->memory, .stream = call->stream};
    armilla_cuda_frame f;
    const armilla_status status = open_frame(call, &exec, &f);
    if (status) return status;
    for (int i = 0; i < GUESTS; i++)
        if (call->guest[i].written) copy_guest(&call->guest[i], 1, &f.work);
    return armilla_cuda_frame_close(&f, ARMILLA_OK);
}

const armilla_cuda_delegate_table armilla_cuda_delegate_functions = {.bring = bring,
                                                                     .take_back = take_back};

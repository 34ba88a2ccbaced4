/* What every call on a GPU does around its kernels. Memory comes from the device's pool
 * (device_pool.h), in the stream's own sequence: so calls on several streams never share memory,
 * and none of them waits, but for calls of one plan that share its second stream. A stream that is
 * being captured gets the same work; what would wait is refused before any of it. */
#include "cuda/runtime/frame.h"

#include "base/integer.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/device_pool.h"
#include "cuda/runtime/marks.h"

/* --- Where arrays are ------------------------------------------------------------------------- */

armilla_cuda_array armilla_cuda_array_of(const char *name, armilla_array values, int64_t ncomp,
                                         int64_t items, int64_t distance)
{
    const int64_t item = armilla_array_item_size(values);
    const armilla_cuda_copied copied = {
        .size = item * items, .distance = item * distance, .ncomp = ncomp, .step = ncomp};
    return (armilla_cuda_array){.name = name, .values = values, .on_device = 1, .copied = copied};
}

/* Can the GPU use the array as it is? Then its address becomes that there, which may be another one
 * for memory that the caller has pinned or registered. Such memory is the host's, unless the caller
 * says that the device is meant. */
armilla_status armilla_cuda_find_place(armilla_memory memory, int device, armilla_cuda_array *array)
{
    struct cudaPointerAttributes attributes;
    armilla_status status = armilla_cuda_status(
        cudaPointerGetAttributes(&attributes, array->values.values), "asking where an array is");
    if (status) return status;
    const enum cudaMemoryType type = attributes.type;
    array->copied.pinned = type == cudaMemoryTypeHost;
    array->on_device = 0;
    if (memory == ARMILLA_MEMORY_HOST) return ARMILLA_OK;
    if (type == cudaMemoryTypeDevice && attributes.device != device)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "%s: is in the memory of GPU %d, but the plan is on GPU %d",
                            array->name, attributes.device, device);
    array->on_device =
        type == cudaMemoryTypeDevice || type == cudaMemoryTypeManaged ||
        (type == cudaMemoryTypeHost && memory == ARMILLA_MEMORY_DEVICE && attributes.devicePointer);
    if (array->on_device) array->values.values = attributes.devicePointer;
    if (memory != ARMILLA_MEMORY_DEVICE || array->on_device) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s: is in host memory, but exec->memory = ARMILLA_MEMORY_DEVICE",
                        array->name);
}

static cudaError_t ask_device(const void *values, int *there)
{
    struct cudaPointerAttributes attributes;
    const cudaError_t error = cudaPointerGetAttributes(&attributes, values);
    *there = !error && attributes.type == cudaMemoryTypeDevice;
    return error;
}

int armilla_cuda_is_device_array(const void *values)
{
    int there;
    armilla_cuda_forget(ask_device(values, &there));
    return there;
}

armilla_status armilla_cuda_find_device_array(const void *values, int *there)
{
    return armilla_cuda_status(ask_device(values, there), "asking where an array is");
}

/* An array of no numbers is nowhere, and counts as one of the device. */
static armilla_status find_arrays(armilla_cuda_frame *f)
{
    armilla_status status = ARMILLA_OK;
    for (int i = 0; i < ARMILLA_CUDA_ARRAYS && !status; i++) {
        armilla_cuda_array *array = &f->array[i];
        array->on_device = 1;
        if (array->name && array->copied.size && array->values.values)
            status = armilla_cuda_find_place(f->exec->memory, f->device, array);
    }
    return status;
}

/* The first array that is on the host; NULL: there is none. */
static const char *find_host_array(const armilla_cuda_frame *f)
{
    for (int i = 0; i < ARMILLA_CUDA_ARRAYS; i++)
        if (!f->array[i].on_device) return f->array[i].name;
    return NULL;
}

int armilla_cuda_frame_is_on_host(const armilla_cuda_frame *f)
{
    return find_host_array(f) != NULL;
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* Why a call cannot be made on a stream that is being captured for a CUDA graph: nothing runs
 * there, so that nobody can wait for it. NULL: it can. */
static const char *reason_of(const armilla_cuda_frame *f, enum cudaStreamCaptureStatus capture)
{
    if (capture == cudaStreamCaptureStatusInvalidated) return "exec->stream: its capture is broken";
    if (f->waits) return f->waits;
    if (f->exec->progress)
        return "exec->progress: cannot be told of a stream that is captured, and does not run";
    return f->takes_no_memory || armilla_cuda_pool_exists(f->device)
               ? NULL
               : "exec->stream: cannot be captured on a GPU without memory pools";
}

static armilla_status check_capture(const armilla_cuda_frame *f)
{
    enum cudaStreamCaptureStatus capture;
    const char *host = f->waits ? NULL : find_host_array(f);
    const armilla_status status = armilla_cuda_status(
        cudaStreamIsCapturing(f->work.stream, &capture), "asking whether the stream is captured");
    if (status || capture == cudaStreamCaptureStatusNone) return status;
    if (host && capture == cudaStreamCaptureStatusActive)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "%s: host arrays cannot be captured, as a call waits for its result",
                            host);
    const char *reason = reason_of(f, capture);
    return reason ? armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "%s", reason) : ARMILLA_OK;
}

armilla_status armilla_cuda_frame_open(armilla_cuda_frame *f)
{
    f->work = (armilla_cuda_work){.stream = f->exec->stream};
    f->first = f->last = &f->work;
    f->slots = 1;
    armilla_status status = armilla_cuda_enter_device(f->device, &f->before);
    if (status) return status;
    if ((status = find_arrays(f)) || (status = check_capture(f))) {
        armilla_cuda_leave_device(f->device, f->before);
        return status;
    }
    if (f->lock) pthread_mutex_lock(f->lock);
    return ARMILLA_OK;
}

void armilla_cuda_frame_lock(armilla_cuda_frame *f, pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    f->lock = lock;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static int64_t bytes_of(const armilla_cuda_array *array, int64_t batch)
{
    if (array->on_device) return 0;
    return armilla_cuda_round_part(batch * array->copied.ncomp * array->copied.size);
}

int64_t armilla_cuda_frame_copy_bytes(const armilla_cuda_frame *f, int64_t batch)
{
    const int64_t a = bytes_of(&f->array[0], batch), b = bytes_of(&f->array[1], batch);
    return f->share_copy ? armilla_larger(a, b) : a + b;
}

int64_t armilla_cuda_frame_cut(const armilla_cuda_frame *f, int64_t ntrans, int64_t batch)
{
    enum { LEAST = 4 };
    const int64_t usual = 2 * armilla_cuda_copier_buffer();
    int64_t bytes = 0;
    for (int i = 0; i < ARMILLA_CUDA_ARRAYS; i++)
        if (!f->array[i].on_device) bytes += f->array[i].copied.size * f->array[i].copied.ncomp;
    if (!bytes) return batch;
    batch = armilla_smaller(batch, armilla_larger(LEAST, usual / bytes));
    const int64_t batches = (ntrans + batch - 1) / batch;
    return (ntrans + batches - 1) / batches;
}

void armilla_cuda_frame_plan(armilla_cuda_frame *f, int64_t batch, int64_t slots)
{
    const int64_t most =
        armilla_larger(bytes_of(&f->array[0], batch), bytes_of(&f->array[1], batch));
    if (slots) f->copier = armilla_cuda_copier_take(f->device, most);
    f->slots = f->copier ? slots : 1;
    f->slot_bytes = armilla_cuda_frame_copy_bytes(f, batch);
    f->second = f->share_copy ? 0 : bytes_of(&f->array[0], batch);
}

armilla_status armilla_cuda_frame_take(armilla_cuda_frame *f, int64_t own, int bounded)
{
    const int64_t bytes = own + f->slots * f->slot_bytes;
    if (!bytes) return ARMILLA_OK;
    armilla_status status = ARMILLA_OK;
    if (!(f->memory = f->lent))
        status = armilla_cuda_pool_obtain(f->device, bytes, f->work.stream, f->what, bounded,
                                          &f->memory);
    if (status) return status;
    for (int64_t slot = 0; slot < f->slots; slot++) {
        char *copy = f->memory + own + slot * f->slot_bytes;
        f->array[0].copy[slot] = copy, f->array[1].copy[slot] = copy + f->second;
    }
    if (f->copier) armilla_cuda_copier_begin(f->copier, &f->work); /* memory comes first */
    return ARMILLA_OK;
}

/* --- Batches ---------------------------------------------------------------------------------- */

/* The slot of a batch; with one slot, 0. */
static int slot_of(const armilla_cuda_frame *f, int64_t batch)
{
    return (int)(batch % f->slots);
}

void armilla_cuda_frame_begin(armilla_cuda_frame *f, int64_t count, armilla_array *here)
{
    const int slot = slot_of(f, f->done);
    armilla_cuda_mark("begin", f->work.stream);
    armilla_cuda_copier_wait(f->copier, slot, &f->work);
    for (int i = 0; i < ARMILLA_CUDA_ARRAYS; i++) {
        const armilla_cuda_array *array = &f->array[i];
        if (array->on_device) continue;
        if (array->comes)
            armilla_cuda_copy_to_device(f->copier, &array->copied, count, array->copy[slot],
                                        here[i].values, &f->work);
        if (array->goes) f->place = here[i].values;
        here[i].values = array->copy[slot];
    }
    armilla_cuda_copier_arrive(f->copier, f->first);
    armilla_cuda_mark("copy to device", f->work.stream);
}

/* Copies the result of a batch back, which waits for that. */
static void take_waiting(armilla_cuda_frame *f, int64_t batch)
{
    const int slot = slot_of(f, batch);
    for (int i = 0; i < ARMILLA_CUDA_ARRAYS && f->waiting; i++) {
        const armilla_cuda_array *array = &f->array[i];
        if (array->on_device || !array->goes) continue;
        armilla_cuda_copier_wait(f->copier, slot, &f->work);
        armilla_cuda_copy_to_host(f->copier, &array->copied, f->waiting, f->waiting_place,
                                  array->copy[slot], &f->work);
    }
    f->waiting = 0;
}

/* With two slots a result is copied back while the kernels of the next batch run. */
void armilla_cuda_frame_end(armilla_cuda_frame *f, int64_t count)
{
    armilla_cuda_copier_computed(f->copier, slot_of(f, f->done), f->last);
    if (f->slots > 1 && f->waiting) take_waiting(f, f->done - 1);
    f->waiting = count, f->waiting_place = f->place;
    if (f->slots == 1) take_waiting(f, f->done);
    f->done++;
    armilla_cuda_mark("copy to host", f->work.stream);
}

/* --- Progress and the end --------------------------------------------------------------------- */

/* The function may leave another device current. */
static void tell(armilla_cuda_frame *f, int64_t units)
{
    int device, other = -1;
    armilla_cuda_note(&f->work, cudaGetDevice(&device));
    if (f->work.error) return;
    if (f->lock) pthread_mutex_unlock(f->lock);
    armilla_progress_advance(&f->progress, units, 0);
    if (f->lock) pthread_mutex_lock(f->lock);
    armilla_cuda_note(&f->work, cudaGetDevice(&other));
    if (other != device) armilla_cuda_note(&f->work, cudaSetDevice(device));
}

armilla_status armilla_cuda_frame_reached(armilla_cuda_frame *f, int64_t units)
{
    if (units && f->progress.callback && !f->work.error) {
        armilla_cuda_note(&f->work, cudaStreamSynchronize(f->work.stream));
        tell(f, units);
    }
    const armilla_status status = armilla_progress_status(&f->progress);
    return status ? status : armilla_cuda_work_status(&f->work, f->what);
}

armilla_status armilla_cuda_frame_close(armilla_cuda_frame *f, armilla_status status)
{
    if (!status && f->waiting) take_waiting(f, f->done - 1);
    if (f->copier) armilla_cuda_copier_end(f->copier, &f->work);
    if (f->memory && !f->lent)
        armilla_cuda_note(&f->work,
                          armilla_cuda_pool_give_back(f->device, f->memory, f->work.stream));
    if (f->waits || armilla_cuda_frame_is_on_host(f))
        armilla_cuda_note(&f->work, cudaStreamSynchronize(f->work.stream));
    if (f->lock) pthread_mutex_unlock(f->lock);
    armilla_cuda_leave_device(f->device, f->before);
    return status ? status : armilla_cuda_work_status(&f->work, f->what);
}

/* --- Calls that a call is made of ------------------------------------------------------------- */

armilla_exec armilla_cuda_inner_exec(int64_t map_distance, const armilla_cuda_work *work)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.map_distance = map_distance, exec.memory = ARMILLA_MEMORY_DEVICE;
    exec.stream = work->stream;
    return exec;
}

armilla_exec armilla_cuda_member_exec(const armilla_exec *exec, int64_t ntrans, void *stream,
                                      const armilla_listener *listener)
{
    armilla_exec own = *exec;
    own.ntrans = ntrans, own.memory = ARMILLA_MEMORY_HOST, own.stream = stream;
    own.progress = listener->progress, own.progress_data = listener->data;
    return own;
}

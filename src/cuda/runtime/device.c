/* Is there a GPU, what is it, which one is the calling thread's current one, and is a call what
 * several of them can share? */
#include "base/device_list.h"
#include "base/integer.h"
#include "cuda/runtime/frame.h"
#include "cuda/runtime/device.h"
#include "cuda/runtime/device_memory.h"

#include <stdio.h>

armilla_status armilla_cuda_count_devices(int *count)
{
    *count = 0;
    const cudaError_t error = cudaGetDeviceCount(count);
    if (error == cudaErrorInsufficientDriver || error == cudaErrorNoDevice || (!error && !*count)) {
        armilla_cuda_forget(error);
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "no GPU can be used: %s (nvidia-smi tells more)",
                            error ? cudaGetErrorString(error) : "this machine has no GPU");
    }
    return armilla_cuda_status(error, "looking for a GPU");
}

armilla_status armilla_cuda_check_devices(const int *devices, int64_t ndevices)
{
    int count;
    const armilla_status status = armilla_cuda_count_devices(&count);
    if (status) return status;
    for (int64_t i = 0; i < ndevices; i++)
        if (devices[i] >= count)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "options->devices[%lld] = %d: the process sees %d GPUs",
                                (long long)i, devices[i], count);
    return ARMILLA_OK;
}

armilla_status armilla_cuda_current_device(int *device)
{
    return armilla_cuda_status(cudaGetDevice(device), "the current device");
}

armilla_status armilla_cuda_enter_device(int device, int *before)
{
    armilla_status status = armilla_cuda_status(cudaGetDevice(before), "the current device");
    if (!status && *before != device)
        status = armilla_cuda_status(cudaSetDevice(device), "the plan's device");
    if (status) *before = device;
    return status;
}

void armilla_cuda_leave_device(int device, int before)
{
    if (before != device) armilla_cuda_forget(cudaSetDevice(before));
}

static armilla_status spare_bytes_of(int device, int64_t *bytes)
{
    size_t free_bytes = 0, all_bytes = 0;
    int before;
    armilla_status status = armilla_cuda_enter_device(device, &before);
    if (status) return status;
    status = armilla_cuda_status(cudaMemGetInfo(&free_bytes, &all_bytes), "its memory");
    *bytes = armilla_smaller((int64_t)free_bytes / 2, (int64_t)all_bytes / 4);
    armilla_cuda_leave_device(device, before);
    return status;
}

static armilla_status spare_bytes(const int *devices, int64_t ndevices, int64_t *bytes)
{
    int current;
    armilla_status status = devices ? ARMILLA_OK : armilla_cuda_current_device(&current);
    if (!devices) devices = &current, ndevices = 1;
    *bytes = INT64_MAX;
    for (int64_t i = 0; i < ndevices && !status; i++) {
        int64_t spare = 0;
        status = spare_bytes_of(devices[i], &spare);
        *bytes = armilla_smaller(*bytes, spare);
    }
    return status;
}

void armilla_cuda_enter_to_free(int device, int *before)
{
    if (armilla_cuda_enter_device(device, before)) (void)armilla_cuda_enter_device(device, before);
}

static armilla_status precision_ratio(int *ratio)
{
    int device;
    const armilla_status status =
        armilla_cuda_status(cudaGetDevice(&device), "asking for the device");
    if (status) return status;
    return armilla_cuda_status(
        cudaDeviceGetAttribute(ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device),
        "asking how fast the device is in single precision");
}

static armilla_status describe(armilla_device_description *whole)
{
    struct cudaDeviceProp p;
    int index, driver, runtime;
    size_t free_bytes, all_bytes;
    armilla_status status;
    if ((status = armilla_cuda_status(cudaGetDevice(&index), "asking for the device")) ||
        (status = armilla_cuda_status(cudaGetDeviceProperties(&p, index), "asking what it is")) ||
        (status = armilla_cuda_status(cudaMemGetInfo(&free_bytes, &all_bytes), "its memory")) ||
        (status = armilla_cuda_status(cudaDriverGetVersion(&driver), "the driver's version")) ||
        (status = armilla_cuda_status(cudaRuntimeGetVersion(&runtime), "the runtime's version")))
        return status;
    snprintf(whole->name, sizeof whole->name, "%.*s", (int)sizeof whole->name - 1, p.name);
    whole->memory_bytes = (int64_t)all_bytes, whole->free_bytes = (int64_t)free_bytes;
    whole->multiprocessors = p.multiProcessorCount;
    whole->compute_capability = 10 * p.major + p.minor;
    whole->driver_version = driver, whole->runtime_version = runtime;
    return ARMILLA_OK;
}

/* --- Streams ---------------------------------------------------------------------------------- */

armilla_status armilla_cuda_stream_new(int device, void **stream)
{
    int before;
    cudaStream_t made = NULL;
    *stream = NULL;
    armilla_status status = armilla_cuda_enter_device(device, &before);
    if (status) return status;
    status = armilla_cuda_status(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking),
                                 "a stream of a plan");
    armilla_cuda_leave_device(device, before);
    if (!status) *stream = made;
    return status;
}

void armilla_cuda_stream_free(int device, void *stream)
{
    int before;
    if (!stream) return;
    armilla_cuda_enter_to_free(device, &before);
    armilla_cuda_forget(cudaStreamDestroy(stream));
    armilla_cuda_leave_device(device, before);
}

/* --- Several GPUs ----------------------------------------------------------------------------- */

armilla_status armilla_cuda_member_make(int device, armilla_cuda_make_fn make, const void *problem,
                                        void *member, void **stream)
{
    int before;
    armilla_status status = armilla_cuda_enter_device(device, &before);
    if (!status) {
        status = make(problem, member);
        armilla_cuda_leave_device(device, before);
    }
    if (!stream) return status;
    if (!status) status = armilla_cuda_stream_new(device, stream);
    return armilla_device_name(device, status);
}

static armilla_status check_array(const char *name, const void *values)
{
    if (!name || !armilla_cuda_is_device_array(values)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "%s: is in the memory of a GPU; a plan on several GPUs "
                        "(options->devices) takes arrays of the host",
                        name);
}

armilla_status armilla_cuda_check_shared(const armilla_cuda_shared *call)
{
    armilla_status status = check_array(call->name[0], call->values[0]);
    if (status || (status = check_array(call->name[1], call->values[1]))) return status;
    if (call->memory == ARMILLA_MEMORY_DEVICE)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "exec->memory = ARMILLA_MEMORY_DEVICE: a plan on several GPUs "
                            "(options->devices) takes arrays of the host");
    if (call->stream)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "exec->stream: must be NULL for a plan on several GPUs "
                            "(options->devices), which has a stream on each of them");
    return ARMILLA_OK;
}

const armilla_cuda_device_table armilla_cuda_device_functions = {
    .count = armilla_cuda_count_devices,
    .current = armilla_cuda_current_device,
    .enter = armilla_cuda_enter_device,
    .leave = armilla_cuda_leave_device,
    .make_member = armilla_cuda_member_make,
    .free_stream = armilla_cuda_stream_free,
    .find_array = armilla_cuda_find_device_array,
    .check_shared = armilla_cuda_check_shared,
    .spare_bytes = spare_bytes,
    .precision_ratio = precision_ratio,
    .describe = describe};

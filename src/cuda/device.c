/* Is there a GPU, what is it, and which one is the calling thread's current one? */
#include "base/integer.h"
#include "cuda/device_memory.h"
#include "cuda/transform.h"

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

armilla_status armilla_cuda_check_device(void)
{
    int count;
    return armilla_cuda_count_devices(&count);
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

armilla_status armilla_cuda_spare_bytes(const int *devices, int64_t ndevices, int64_t *bytes)
{
    armilla_status status = ARMILLA_OK;
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

armilla_status armilla_cuda_precision_ratio(int *ratio)
{
    int device;
    const armilla_status status =
        armilla_cuda_status(cudaGetDevice(&device), "asking for the device");
    if (status) return status;
    return armilla_cuda_status(
        cudaDeviceGetAttribute(ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device),
        "asking how fast the device is in single precision");
}

armilla_status armilla_cuda_describe_device(armilla_device_description *whole)
{
    struct cudaDeviceProp p;
    int index, driver, runtime;
    size_t free_bytes, all_bytes;
    armilla_status status = armilla_cuda_check_device();
    if (status || (status = armilla_cuda_status(cudaGetDevice(&index), "asking for the device")) ||
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

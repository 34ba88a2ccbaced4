/* CUDA's calls for device memory without a pool: taking it, freeing it, and asking whose it is. */
#include "machine.h"

using namespace emulation;

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    const guard lock(everything);
    watch_faults();
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    if (!pointer) return report(cudaErrorInvalidValue);
    if (check_unsafe()) return report(cudaErrorStreamCaptureUnsupported);
    if (allocation_fails()) return report(cudaErrorMemoryAllocation);
    *pointer = nullptr;
    if (!size) return cudaSuccess;
    const int device = current_device();
    if (size <= (size_t)bytes_of(device) && (int64_t)size <= room_of(device))
        *pointer = allocate(device, size, nullptr);
    return *pointer ? cudaSuccess : report(cudaErrorMemoryAllocation);
}

/* As CUDA's, waits for what is on the way on the memory's device, whatever the current one is. */
cudaError_t cudaFree(void *pointer)
{
    const guard lock(everything);
    if (!pointer) return cudaSuccess;
    if (check_unsafe()) return report(cudaErrorStreamCaptureUnsupported);
    if (free_managed(pointer)) return cudaSuccess;
    if (!is_block(pointer)) return report(cudaErrorInvalidValue);
    const int device = device_of(pointer);
    drain_device(device);
    if (!is_block(pointer)) return report(cudaErrorInvalidValue); /* freed on a stream before */
    if (pool_of(pointer))
        return_to_pool(static_cast<char *>(pointer));
    else
        release(static_cast<char *>(pointer));
    settle_pools(device);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    *free_bytes = (size_t)room_of(current_device());
    *total = (size_t)bytes_of(current_device());
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    if (pinned_attributes(pointer, attributes)) return cudaSuccess;
    const bool device = is_allocated(pointer, 1);
    attributes->type = device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    attributes->device = device ? device_of(pointer) : -2; /* cudaInvalidDeviceId */
    attributes->devicePointer = device ? const_cast<void *>(pointer) : nullptr;
    attributes->hostPointer = device ? nullptr : const_cast<void *>(pointer);
    return cudaSuccess;
}

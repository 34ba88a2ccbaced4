/* Devices: how many, which one a thread works on, what they are. */
#include "machine.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace emulation
{
static int count_devices()
{
    const char *text = getenv("ARMILLA_EMULATION_DEVICES");
    const int count = text ? atoi(text) : 1;
    return count < CUDA_EMULATION_DEVICES ? count : (int)CUDA_EMULATION_DEVICES;
}

static int devices = count_devices();
static thread_local int current;
static const char *device_name = "CUDA emulation";
static int capabilities[CUDA_EMULATION_DEVICES] = {90, 90, 90, 90}; /* 10 major + minor */
static int precision_ratio = 2;                                     /* a Hopper's */
static int pools = 1;
static int target; /* 0: that of the device */

const size_t shared_plain = 49152, shared_most = 232448;

cudaError_t device_error()
{
    return devices ? cudaSuccess : cudaErrorNoDevice;
}

int current_device()
{
    return current;
}

bool is_device(int device)
{
    return device >= 0 && device < devices;
}

bool pools_supported()
{
    return pools != 0;
}

void set_capability(int device, int capability)
{
    capabilities[device] = capability;
}

int capability_of(int device)
{
    return capabilities[device];
}

int target_of(int device)
{
    return target ? target : capabilities[device];
}
} // namespace emulation

using namespace emulation;

cudaError_t cudaGetDeviceCount(int *count)
{
    const guard lock(everything);
    *count = 0;
    if (call_fails()) return report(cudaErrorUnknown);
    *count = devices;
    return report(device_error());
}

cudaError_t cudaGetDevice(int *device)
{
    const guard lock(everything);
    *device = current;
    if (call_fails()) return report(cudaErrorUnknown);
    return report(device_error());
}

cudaError_t cudaSetDevice(int device)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    if (!is_device(device)) return report(cudaErrorInvalidDevice);
    current = device;
    return cudaSuccess;
}

/* The properties of an H100, but for the name and the memory. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (!is_device(device)) return report(cudaErrorInvalidDevice);
    size_t unused;
    std::memset(prop, 0, sizeof *prop);
    cudaMemGetInfo(&unused, &prop->totalGlobalMem);
    snprintf(prop->name, sizeof prop->name, "%s", device_name);
    prop->sharedMemPerBlock = shared_plain;
    prop->sharedMemPerBlockOptin = shared_most;
    prop->sharedMemPerMultiprocessor = 233472;
    prop->regsPerMultiprocessor = 65536;
    prop->warpSize = warpSize;
    prop->maxThreadsPerBlock = 1024;
    prop->maxThreadsPerMultiProcessor = 2048;
    prop->maxBlocksPerMultiProcessor = 32;
    prop->multiProcessorCount = 132;
    prop->major = capabilities[device] / 10;
    prop->minor = capabilities[device] % 10;
    prop->l2CacheSize = 50 << 20;
    prop->memoryBusWidth = 5120;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (!is_device(device)) return report(cudaErrorInvalidDevice);
    if (attribute != cudaDevAttrSingleToDoublePrecisionPerfRatio &&
        attribute != cudaDevAttrMemoryPoolsSupported)
        return report(cudaErrorInvalidValue);
    *value = attribute == cudaDevAttrMemoryPoolsSupported ? pools : precision_ratio;
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version)
{
    *version = devices ? CUDART_VERSION : 0;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = CUDART_VERSION;
    return cudaSuccess;
}

void cuda_emulation_set_devices(int count)
{
    const guard lock(everything);
    devices = count < CUDA_EMULATION_DEVICES ? count : (int)CUDA_EMULATION_DEVICES;
}

void cuda_emulation_set_pools(int supported)
{
    const guard lock(everything);
    pools = supported != 0;
}

void cuda_emulation_set_precision_ratio(int ratio)
{
    const guard lock(everything);
    precision_ratio = ratio;
}

void cuda_emulation_set_capability(int of_device)
{
    const guard lock(everything);
    for (int device = 0; device < CUDA_EMULATION_DEVICES; device++)
        set_capability(device, of_device);
}

void cuda_emulation_set_target(int capability)
{
    const guard lock(everything);
    target = capability;
}

void cuda_emulation_set_device_name(const char *name)
{
    const guard lock(everything);
    device_name = name;
}

/* Errors, the device and its properties, launches, failures on demand. */
#include "machine.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unistd.h>

namespace emulation
{
static thread_local cudaError_t last_error;
static int devices = 1;
static const char *device_name = "CUDA emulation";
static int precision_ratio = 2; /* a Hopper's */

struct countdown {
    int64_t left = -1, asked = 0;

    bool fails()
    {
        asked++;
        return left >= 0 && left-- == 0;
    }
    int64_t start(int64_t successes)
    {
        const int64_t result = asked;
        asked = 0;
        left = successes;
        return result;
    }
};
static countdown calls, allocations;
static std::map<const void *, size_t> shared_limits; /* cudaFuncSetAttribute */

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "CUDA emulation: ");
    vfprintf(stderr, format, arguments);
    if (*running()) fprintf(stderr, "\n    in %s", running());
    fprintf(stderr, "\n");
    va_end(arguments);
    _exit(CUDA_EMULATION_EXIT);
}

cudaError_t report(cudaError_t error)
{
    if (error) last_error = error;
    return error;
}

bool call_fails()
{
    return calls.fails();
}

bool allocation_fails()
{
    return allocations.fails();
}

cudaError_t device_error()
{
    return devices ? cudaSuccess : cudaErrorNoDevice;
}

/* --- Launches -------------------------------------------------------------------------------- */

static const size_t shared_plain = 49152, shared_most = 232448;

static cudaError_t check_launch(const launch &what)
{
    const dim3 g = what.grid, b = what.block;
    const size_t threads = (size_t)b.x * b.y * b.z;
    const auto limit = shared_limits.find(what.function);
    if (!g.x || !g.y || !g.z || g.x > 2147483647u || g.y > 65535 || g.z > 65535)
        return cudaErrorInvalidConfiguration;
    if (!threads || b.x > 1024 || b.y > 1024 || b.z > 64 || threads > 1024)
        return cudaErrorInvalidConfiguration;
    return what.shared_bytes > (limit == shared_limits.end() ? shared_plain : limit->second)
               ? cudaErrorInvalidValue
               : cudaSuccess;
}

/* An int at the end of a struct has anything behind it, such as half of a pointer. Pointers do not
 * end like that: where threads' heaps begin, at multiples of 2^26, malloc has its own data. */
static bool is_padded_int(const void *word)
{
    return ((size_t)word & 0xffffffff) < 256;
}

/* A word of the arguments that is an address of the host's memory is a host pointer: nothing else
 * looks like one, neither doubles nor counts. */
static void check_arguments(const launch &what, const argument *arguments, int count)
{
    for (int i = 0; i < count; i++) {
        const char *bytes = static_cast<const char *>(arguments[i].bytes);
        for (size_t at = 0; at + sizeof(void *) <= arguments[i].size; at += sizeof(void *)) {
            const void *word;
            std::memcpy(&word, bytes + at, sizeof word);
            if (!is_padded_int(word) && is_host_memory(word))
                fail("%s:%d: kernel %s: argument %d has the host pointer %p (byte %zu)",
                     what.where.file, what.where.line, what.name, i + 1, word, at);
        }
    }
}

void enqueue(const launch &what, const argument *arguments, int count,
             const std::function<void()> &thread)
{
    const guard lock(everything);
    const cudaError_t error = device_error() ? device_error() : check_launch(what);
    if (error) {
        report(error);
        return;
    }
    if (plant_fails(what.name)) {
        report(cudaErrorLaunchFailure);
        return;
    }
    check_arguments(what, arguments, count);
    put(what.stream, [=] {
        const open_memory open;
        count_launch(what.from);
        run_grid(what, thread);
    });
}

/* --- Numbers --------------------------------------------------------------------------------- */

/* x is brought to [-1/4, 1/4] exactly; long double then gives the nearest double but for rare ties.
 */
void sincos_pi(double x, double *sine, double *cosine)
{
    const double nearest = std::nearbyint(2 * std::fmod(x, 2.0));
    const long double angle =
        3.14159265358979323846264338327950288L * (std::fmod(x, 2.0) - nearest / 2);
    const double s = (double)std::sin(angle), c = (double)std::cos(angle);
    const int quarter = (int)nearest & 3;
    *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
}
} // namespace emulation

using namespace emulation;

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
    if (value < 0 || (size_t)value > shared_most) return report(cudaErrorInvalidValue);
    shared_limits[function] = (size_t)value;
    return cudaSuccess;
}

long long emulation::tick()
{
    static long long ticks;
    return ++ticks;
}

/* Memory of the host that the GPU can reach: here any. */
cudaError_t cudaMallocHost(void **pointer, size_t size)
{
    const guard lock(everything);
    *pointer = nullptr;
    if (device_error()) return report(device_error());
    if (call_fails()) return report(cudaErrorUnknown);
    *pointer = malloc(size ? size : 1);
    return *pointer ? cudaSuccess : report(cudaErrorMemoryAllocation);
}

cudaError_t cudaFreeHost(void *pointer)
{
    free(pointer);
    return cudaSuccess;
}

/* --- Errors ---------------------------------------------------------------------------------- */

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last_error;
    last_error = cudaSuccess;
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    return last_error;
}

struct error_words {
    cudaError_t error;
    const char *name, *text;
};

static const error_words all_errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
};

static const error_words *words_of(cudaError_t error)
{
    static const error_words unknown = {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"};
    for (const error_words &words : all_errors)
        if (words.error == error) return &words;
    return &unknown;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return words_of(error)->text;
}

const char *cudaGetErrorName(cudaError_t error)
{
    return words_of(error)->name;
}

/* --- The device ------------------------------------------------------------------------------ */

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
    *device = 0;
    return report(device_error());
}

cudaError_t cudaSetDevice(int device)
{
    if (device_error()) return report(device_error());
    return device < 0 || device >= devices ? report(cudaErrorInvalidDevice) : cudaSuccess;
}

/* Of an H100, but for the name and the memory. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device < 0 || device >= devices) return report(cudaErrorInvalidDevice);
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
    prop->major = 9;
    prop->l2CacheSize = 50 << 20;
    prop->memoryBusWidth = 5120;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device < 0 || device >= devices) return report(cudaErrorInvalidDevice);
    if (attribute != cudaDevAttrSingleToDoublePrecisionPerfRatio)
        return report(cudaErrorInvalidValue);
    *value = precision_ratio;
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
    devices = count;
}

void cuda_emulation_set_precision_ratio(int ratio)
{
    const guard lock(everything);
    precision_ratio = ratio;
}

void cuda_emulation_set_device_name(const char *name)
{
    const guard lock(everything);
    device_name = name;
}

int64_t cuda_emulation_fail_after(int64_t successes)
{
    const guard lock(everything);
    return allocations.start(successes);
}

int64_t cuda_emulation_fail_call_after(int64_t successes)
{
    const guard lock(everything);
    return calls.start(successes);
}

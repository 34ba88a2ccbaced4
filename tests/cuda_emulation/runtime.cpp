/* Errors, launches, failures on demand. */
#include "machine.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unistd.h>

namespace emulation
{
static thread_local cudaError_t last_error;

struct countdown {
    int64_t left = -1, asked = 0, failures = 0;

    bool fails()
    {
        asked++;
        if (left != 0) {
            if (left > 0) left--;
            return false;
        }
        if (--failures == 0) left = -1;
        return true;
    }
    int64_t start(int64_t successes, int64_t times)
    {
        const int64_t result = asked;
        asked = 0;
        left = successes < 0 ? -1 : successes;
        failures = times;
        return result;
    }
};
static countdown calls, allocations, waits;
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

void check_call(bool done, const char *call)
{
    if (!done) fail("%s: %s", call, strerror(errno));
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

bool wait_is_left_out()
{
    return waits.fails();
}

/* --- Launches -------------------------------------------------------------------------------- */

static cudaError_t check_launch(const launch &what)
{
    const dim3 g = what.grid, b = what.block;
    const size_t threads = (size_t)b.x * b.y * b.z;
    const auto limit = shared_limits.find(what.function);
    const cudaStream_t stream = find_stream(what.stream);
    if (!stream || stream->device != current_device()) return cudaErrorInvalidResourceHandle;
    if (!g.x || !g.y || !g.z || g.x > 2147483647u || g.y > 65535 || g.z > 65535)
        return cudaErrorInvalidConfiguration;
    if (!threads || b.x > 1024 || b.y > 1024 || b.z > 64 || threads > 1024)
        return cudaErrorInvalidConfiguration;
    return what.shared_bytes > (limit == shared_limits.end() ? shared_plain : limit->second)
               ? cudaErrorInvalidValue
               : cudaSuccess;
}

/* An int at the end of a struct has anything behind it, such as half of a pointer. Pointers do not
 * end like that: where threads' heaps begin, at multiples of 2^26, malloc has its own data, and an
 * array of a device that has a multiple of 2^32 in it is hardly passed from there on. */
static bool is_padded_int(const void *word)
{
    return ((size_t)word & 0xffffffff) < 256;
}

typedef std::function<void(size_t argument, size_t at, const void *word)> word_function;

/* Calls the function with each word of the arguments that may be a pointer; arguments count from 1.
 */
static void for_words(const kernel_code &code, void **arguments, const word_function &look)
{
    for (size_t i = 0; i < code.sizes.size(); i++)
        for (size_t at = 0; at + sizeof(void *) <= code.sizes[i]; at += sizeof(void *)) {
            const void *word;
            std::memcpy(&word, static_cast<const char *>(arguments[i]) + at, sizeof word);
            if (!is_padded_int(word)) look(i + 1, at, word);
        }
}

/* A word of the arguments that is an address of the host's memory is a host pointer: nothing else
 * looks like one, neither doubles nor counts. Memory of another device cannot be reached, either.
 */
static void check_word(const launch &what, size_t argument, size_t at, const void *word)
{
    if (is_host_memory(word))
        fail("%s:%d: kernel %s: argument %zu has the host pointer %p (byte %zu)", what.where.file,
             what.where.line, what.name, argument, word, at);
    const int device = device_of(word);
    if (device >= 0 && device != current_device() && !is_seen_by_all(word))
        fail("%s:%d: kernel %s: argument %zu has memory of device %d on device %d (byte %zu)",
             what.where.file, what.where.line, what.name, argument, device, current_device(), at);
}

static void check_arguments(const launch &what, const kernel_code &code, void **arguments)
{
    for_words(code, arguments, [&](size_t argument, size_t at, const void *word) {
        check_word(what, argument, at, word);
    });
}

/* The arguments' words that are memory whose allocation is still to come on its stream. */
static std::vector<const void *> find_unreached(const kernel_code &code, void **arguments)
{
    std::vector<const void *> result;
    for_words(code, arguments, [&](size_t, size_t, const void *word) {
        if (is_unreached(word)) result.push_back(word);
    });
    return result;
}

static std::map<const void *, kernel_code> kernels; /* that were launched */
static observer *watcher;

void observe(observer *who)
{
    const guard lock(everything);
    watcher = who;
}

/* For the observer, who sees them when the kernel runs. */
static std::vector<std::vector<char>> copy_arguments(const kernel_code &code, void **arguments)
{
    std::vector<std::vector<char>> result;
    for (size_t i = 0; i < code.sizes.size() && watcher; i++) {
        const char *from = static_cast<const char *>(arguments[i]);
        result.emplace_back(from, from + code.sizes[i]);
    }
    return result;
}

static void run_observed(const launch &what, const std::function<void()> &thread,
                         const std::vector<std::vector<char>> &arguments)
{
    if (watcher) watcher->before(what, arguments);
    run_grid(what, thread);
    if (watcher) watcher->after(what);
}

static cudaError_t enqueue(const launch &what, const kernel_code &code, void **arguments)
{
    const guard lock(everything);
    const cudaError_t error = device_error() ? device_error() : check_launch(what);
    if (error) return report(error);
    if (plant_fails(what.name)) return report(cudaErrorLaunchFailure);
    check_arguments(what, code, arguments);
    const std::function<void()> thread = code.bind(arguments);
    const int device = current_device();
    const std::vector<const void *> unreached = find_unreached(code, arguments);
    const std::vector<std::vector<char>> copies = copy_arguments(code, arguments);
    return put(what.stream, [=] {
        const open_memory open(device);
        for (const void *word : unreached) check_reached(word, what.name, "an argument");
        count_launch(what.from);
        run_observed(what, thread, copies);
    });
}

static launch launch_of(const char *name, const char *from, place where,
                        const cudaLaunchConfig_t &config, const void *function)
{
    return launch{function,
                  name,
                  from,
                  where,
                  config.gridDim,
                  config.blockDim,
                  config.dynamicSmemBytes,
                  config.stream,
                  current_device()};
}

cudaError_t launch_at(const kernel_code &code, const char *from, place where,
                      const cudaLaunchConfig_t &config, const void *function, void **arguments)
{
    const guard lock(everything);
    kernels[function] = code;
    return enqueue(launch_of(code.name, from, where, config, function), code, arguments);
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

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function,
                                void **arguments)
{
    const guard lock(everything);
    const auto found = kernels.find(function);
    if (found == kernels.end()) return report(cudaErrorInvalidDeviceFunction);
    const char *name = found->second.name;
    return enqueue(launch_of(name, name, {"cudaLaunchKernelExC", 0}, *config, function),
                   found->second, arguments);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    std::memset(attributes, 0, sizeof *attributes);
    attributes->ptxVersion = target_of(current_device());
    attributes->binaryVersion = capability_of(current_device());
    return cudaSuccess;
}

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
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {cudaErrorStreamCaptureImplicit, "cudaErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
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

int64_t cuda_emulation_fail_after(int64_t successes)
{
    const guard lock(everything);
    return allocations.start(successes, 1);
}

int64_t cuda_emulation_fail_call_after(int64_t successes)
{
    const guard lock(everything);
    return calls.start(successes, 1);
}

int64_t cuda_emulation_leave_out_wait_after(int64_t waited)
{
    const guard lock(everything);
    return waits.start(waited, 1);
}

int64_t cuda_emulation_fail_twice_after(int64_t successes)
{
    const guard lock(everything);
    return allocations.start(successes, 2);
}

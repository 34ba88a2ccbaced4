/* Streams and copies. What is put on a stream runs at once, or, if streams are deferred, when
 * somebody waits for it: then a host that does not wait reads what was there before. Other streams
 * then run as late as they can, as early as they can, or step by step beside that stream: what does
 * not wait for another stream comes too early in one of the first two, and what two streams write
 * at the same time is spoilt in the third. */
#include "machine.h"

#include <chrono>
#include <cstdlib>
#include <cstring>

namespace emulation
{
std::recursive_mutex everything;

static CUstream_st default_streams[CUDA_EMULATION_DEVICES];

static std::set<CUstream_st *> make_streams()
{
    std::set<CUstream_st *> result;
    for (int device = 0; device < CUDA_EMULATION_DEVICES; device++) {
        default_streams[device].device = device;
        result.insert(&default_streams[device]);
    }
    return result;
}
static std::set<CUstream_st *> streams = make_streams();
static int64_t launches;
static int64_t crossings;
static double (*cost)(const char *); /* cuda_emulation_set_cost */
static double spent;

static int number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}
static int deferred = number_of("ARMILLA_EMULATION_DEFERRED");
enum { OTHERS_FIRST = 2, TAKING_TURNS = 3 };
static bool late_copies = number_of("ARMILLA_EMULATION_LATE_COPIES") == 1;

cudaStream_t find_stream(cudaStream_t stream)
{
    if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return &default_streams[current_device()];
    return streams.count(stream) ? stream : nullptr;
}

const std::set<cudaStream_t> &all_streams()
{
    return streams;
}

static void run_next(CUstream_st *stream)
{
    const std::function<void()> work = stream->waiting.front().work;
    stream->waiting.pop_front();
    stream->busy = true;
    work();
    stream->busy = false;
}

/* The next work of a stream, if there is any that does not have to wait. Returned: was there? */
static bool advance(CUstream_st *stream)
{
    if (stream->busy || stream->waiting.empty()) return false;
    const std::shared_ptr<mark> after = stream->waiting.front().after;
    if (after && !after->reached) return false;
    run_next(stream);
    return true;
}

/* The other streams: as far as they go, or one step each. */
static void advance_others(const CUstream_st *stream)
{
    for (bool moves = deferred >= OTHERS_FIRST; moves;) {
        moves = false;
        for (CUstream_st *other : streams) moves = (other != stream && advance(other)) || moves;
        if (deferred == TAKING_TURNS) break;
    }
}

void drain(cudaStream_t stream, const mark *until)
{
    if (stream->busy) return; /* work that waits for its own stream */
    while (!stream->waiting.empty() && !(until && until->reached)) {
        advance_others(stream);
        run_next(stream);
    }
}

void reach(const std::shared_ptr<mark> &mark)
{
    if (mark && !mark->reached) drain(mark->stream, mark.get());
}

/* The default stream waits for the others, and they for it. */
static void drain_for(CUstream_st *stream)
{
    CUstream_st *main = &default_streams[stream->device];
    if (!stream->blocking) return;
    if (stream != main) return drain(main);
    for (CUstream_st *other : streams)
        if (other != stream && other->blocking && other->device == stream->device) drain(other);
}

void drain_device(int device)
{
    for (CUstream_st *stream : streams)
        if (stream->device == device) drain(stream);
}

void drain_all()
{
    for (CUstream_st *stream : streams) drain(stream);
}

cudaError_t put(cudaStream_t stream, const std::function<void()> &work,
                const std::shared_ptr<mark> &after)
{
    const guard lock(everything);
    watch_faults();
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    CUstream_st *where = find_stream(stream);
    if (!where) return report(cudaErrorInvalidResourceHandle);
    if (where->capture) {
        if (where->capture->broken) return report(cudaErrorStreamCaptureInvalidated);
        where->capture->work.push_back(work);
        return cudaSuccess;
    }
    if (check_implicit(where)) return report(cudaErrorStreamCaptureImplicit);
    drain_for(where);
    if (!deferred) {
        drain(where);
        work();
        return cudaSuccess;
    }
    where->waiting.push_back({work, after});
    return cudaSuccess;
}

cudaError_t put_late(const std::function<void()> &work)
{
    const guard lock(everything);
    watch_faults();
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    default_streams[current_device()].waiting.push_back({work, nullptr});
    return cudaSuccess;
}

void count_launch(const char *from)
{
    launches++;
    if (cost) spent += cost(from);
}

double milliseconds_now()
{
    typedef std::chrono::duration<double, std::milli> milliseconds;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return cost ? spent : std::chrono::duration_cast<milliseconds>(now).count();
}

/* --- Copies ---------------------------------------------------------------------------------- */

static bool right_side(const void *pointer, size_t count, bool device)
{
    return device ? is_allocated(pointer, count) : !is_device_address(pointer);
}

static cudaError_t check_copy(const void *to, const void *from, size_t count,
                              enum cudaMemcpyKind kind)
{
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (!to || !from) return cudaErrorInvalidValue;
    const bool guess = kind == cudaMemcpyDefault;
    const bool to_device = guess ? is_device_address(to) : kind & 1 || kind == 3;
    const bool from_device = guess ? is_device_address(from) : kind >= 2;
    return right_side(to, count, to_device) && right_side(from, count, from_device)
               ? cudaSuccess
               : cudaErrorInvalidValue;
}

/* Does the copy leave pageable memory of the host? Then it is staged: the source may change as soon
 * as the call has returned. */
static bool is_staged(const void *to, const void *from)
{
    return is_device_address(to) && !is_device_address(from) && !is_managed(from, 1) &&
           !is_pinned(from, 1);
}

/* A copy that a stream makes is between its device's memory and the host's. CUDA may allow more, as
 * here for copies that wait, which go from any memory to any other. */
static void check_copy_device(const void *to, const void *from, int device)
{
    check_device_of(to, device, "a copy", "its target");
    check_device_of(from, device, "a copy", "its source");
}

/* The device whose memory it is; that of the copy for memory of the host. */
static int home_of(const void *address, int device)
{
    const int home = device_of(address);
    return home < 0 ? device : home;
}

/* stream: null where the copy waits. */
static std::function<void()> copy_of(void *to, const void *from, size_t count,
                                     const CUstream_st *stream)
{
    const int device = stream ? stream->device : current_device();
    const int target = home_of(to, device), source = home_of(from, device);
    crossings += is_device_address(to) != is_device_address(from);
    if (stream) check_copy_device(to, from, device);
    if (!is_staged(to, from))
        return [=] {
            const open_memory open_target(target), open_source(source);
            check_reached(to, "a copy", "its target");
            check_reached(from, "a copy", "its source");
            if (count) std::memmove(to, from, count);
        };
    const char *bytes = static_cast<const char *>(from);
    const std::vector<char> stage(bytes, bytes + count);
    return [=] {
        const open_memory open(target);
        check_reached(to, "a copy", "its target");
        std::memcpy(to, stage.data(), count);
    };
}
} // namespace emulation

using namespace emulation;

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const guard lock(everything);
    const cudaError_t error = count ? check_copy(to, from, count, kind) : cudaSuccess;
    return error ? report(error)
                 : put(
                       stream, count ? copy_of(to, from, count, find_stream(stream)) : [] {});
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t count, enum cudaMemcpyKind kind)
{
    const guard lock(everything);
    cudaError_t error = count ? check_copy(to, from, count, kind) : cudaSuccess;
    if (!error) error = check_unsafe();
    if (error) return report(error);
    if (count && late_copies && is_staged(to, from))
        return put_late(copy_of(to, from, count, nullptr));
    error = put(
        nullptr, count ? copy_of(to, from, count, nullptr) : [] {});
    if (!error) drain(&default_streams[current_device()]);
    return error;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t count, cudaStream_t stream)
{
    const guard lock(everything);
    if (count && !is_allocated(to, count)) return report(cudaErrorInvalidValue);
    const cudaStream_t where = find_stream(stream);
    const int device = where ? where->device : current_device();
    check_device_of(to, device, "a memset", "its target");
    return put(stream, [=] {
        const open_memory open(device);
        check_reached(to, "a memset", "its target");
        if (count) std::memset(to, value, count);
    });
}

cudaError_t cudaMemset(void *to, int value, size_t count)
{
    return cudaMemsetAsync(to, value, count, nullptr);
}

/* --- Streams --------------------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    *stream = new CUstream_st;
    (*stream)->blocking = !(flags & cudaStreamNonBlocking);
    (*stream)->device = current_device();
    streams.insert(*stream);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    *least = 0, *greatest = -5;
    return cudaSuccess;
}

/* Who runs first is decided elsewhere. */
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int)
{
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    const guard lock(everything);
    if (!stream || find_stream(stream) != stream) return report(cudaErrorInvalidResourceHandle);
    drain(stream);
    streams.erase(stream);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    CUstream_st *where = find_stream(stream);
    if (!where) return report(cudaErrorInvalidResourceHandle);
    if (where->capture) return report(break_capture(where));
    if (check_implicit(where)) return report(cudaErrorStreamCaptureImplicit);
    drain_for(where);
    drain(where);
    settle_pools(where->device);
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    const guard lock(everything);
    CUstream_st *where = find_stream(stream);
    if (!where) return report(cudaErrorInvalidResourceHandle);
    if (where->capture) return report(break_capture(where));
    return where->waiting.empty() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaDeviceSynchronize(void)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    for (CUstream_st *stream : streams)
        if (stream->device == current_device() && stream->capture)
            return report(break_capture(stream));
    drain_device(current_device());
    settle_pools(current_device());
    return cudaSuccess;
}

cudaError_t cudaDeviceReset(void)
{
    return cudaDeviceSynchronize();
}

void cuda_emulation_set_deferred(int how)
{
    const guard lock(everything);
    drain_all();
    deferred = how;
}

void cuda_emulation_set_late_copies(int late)
{
    const guard lock(everything);
    drain_all();
    late_copies = late != 0;
}

void cuda_emulation_set_cost(double (*milliseconds)(const char *from))
{
    const guard lock(everything);
    cost = milliseconds;
}

int64_t cuda_emulation_crossings(void)
{
    const guard lock(everything);
    const int64_t result = crossings;
    crossings = 0;
    return result;
}

int64_t cuda_emulation_launches(void)
{
    const guard lock(everything);
    const int64_t result = launches;
    launches = 0;
    return result;
}

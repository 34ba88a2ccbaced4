/* Streams, events, copies. What is put on a stream runs at once, or, if streams are deferred, when
 * somebody waits for it: then a host that does not wait reads what was there before. */
#include "machine.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <set>

struct CUevent_st {
    bool recorded = false, done = false; /* done: the last record has been reached */
    struct CUstream_st *stream = nullptr;
    double time = 0; /* milliseconds */
};

struct CUstream_st {
    std::deque<std::function<void()>> waiting;
    bool blocking = true; /* meets the default stream */
    bool busy = false;
};

namespace emulation
{
std::recursive_mutex everything;

static CUstream_st default_stream;
static std::set<CUstream_st *> streams = {&default_stream};
static std::set<CUevent_st *> events;
static int64_t launches;
static double (*cost)(const char *); /* cuda_emulation_set_cost */
static double spent;

static bool is_deferred()
{
    static const char *text = getenv("ARMILLA_EMULATION_DEFERRED");
    return text && *text == '1';
}
static bool deferred = is_deferred();

static CUstream_st *find(cudaStream_t stream)
{
    if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread)
        return &default_stream;
    return streams.count(stream) ? stream : nullptr;
}

/* The work of a stream, up to the time when `until` is done. */
static void drain(CUstream_st *stream, const CUevent_st *until = nullptr)
{
    if (stream->busy) return; /* work that waits for its own stream */
    stream->busy = true;
    while (!stream->waiting.empty() && !(until && until->done)) {
        const std::function<void()> work = stream->waiting.front();
        stream->waiting.pop_front();
        work();
    }
    stream->busy = false;
}

/* The default stream waits for the others, and they for it. */
static void drain_for(CUstream_st *stream)
{
    if (!stream->blocking) return;
    if (stream != &default_stream) return drain(&default_stream);
    for (CUstream_st *other : streams)
        if (other != stream && other->blocking) drain(other);
}

void drain_all()
{
    for (CUstream_st *stream : streams) drain(stream);
}

cudaError_t put(cudaStream_t stream, const std::function<void()> &work)
{
    const guard lock(everything);
    watch_faults();
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    CUstream_st *where = find(stream);
    if (!where) return report(cudaErrorInvalidResourceHandle);
    drain_for(where);
    if (!deferred) {
        drain(where);
        work();
        return cudaSuccess;
    }
    where->waiting.push_back(work);
    return cudaSuccess;
}

void count_launch(const char *from)
{
    launches++;
    if (cost) spent += cost(from);
}

static double milliseconds_now()
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

static cudaError_t put_copy(void *to, const void *from, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const guard lock(everything);
    const cudaError_t error = count ? check_copy(to, from, count, kind) : cudaSuccess;
    if (error) return report(error);
    return put(stream, [=] {
        const open_memory open;
        if (count) std::memmove(to, from, count);
    });
}
} // namespace emulation

using namespace emulation;

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return put_copy(to, from, count, kind, stream);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t count, enum cudaMemcpyKind kind)
{
    const cudaError_t error = put_copy(to, from, count, kind, nullptr);
    if (!error) drain(&default_stream);
    return error;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t count, cudaStream_t stream)
{
    const guard lock(everything);
    if (count && !is_allocated(to, count)) return report(cudaErrorInvalidValue);
    return put(stream, [=] {
        const open_memory open;
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
    streams.insert(*stream);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    const guard lock(everything);
    if (find(stream) != stream) return report(cudaErrorInvalidResourceHandle);
    drain(stream);
    streams.erase(stream);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    CUstream_st *where = find(stream);
    if (!where) return report(cudaErrorInvalidResourceHandle);
    drain_for(where);
    drain(where);
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    const guard lock(everything);
    const CUstream_st *where = find(stream);
    if (!where) return report(cudaErrorInvalidResourceHandle);
    return where->waiting.empty() ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaDeviceSynchronize(void)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    drain_all();
    return cudaSuccess;
}

cudaError_t cudaDeviceReset(void)
{
    return cudaDeviceSynchronize();
}

void cuda_emulation_set_deferred(int on)
{
    const guard lock(everything);
    drain_all();
    deferred = on != 0;
}

void cuda_emulation_set_cost(double (*milliseconds)(const char *from))
{
    const guard lock(everything);
    cost = milliseconds;
}

int64_t cuda_emulation_launches(void)
{
    const guard lock(everything);
    const int64_t result = launches;
    launches = 0;
    return result;
}

/* --- Events ---------------------------------------------------------------------------------- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    *event = new CUevent_st;
    events.insert(*event);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    const guard lock(everything);
    if (!events.count(event)) return report(cudaErrorInvalidResourceHandle);
    if (event->stream && !event->done) drain(event->stream, event);
    events.erase(event);
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    const guard lock(everything);
    if (!events.count(event)) return report(cudaErrorInvalidResourceHandle);
    event->recorded = true;
    event->done = false;
    event->stream = find(stream);
    return put(stream, [=] {
        event->done = true;
        event->time = milliseconds_now();
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (!events.count(event)) return report(cudaErrorInvalidResourceHandle);
    if (event->recorded && !event->done) drain(event->stream, event);
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    const guard lock(everything);
    if (!events.count(event)) return report(cudaErrorInvalidResourceHandle);
    return event->recorded && !event->done ? cudaErrorNotReady : cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int)
{
    const guard lock(everything);
    if (!events.count(event)) return report(cudaErrorInvalidResourceHandle);
    return put(stream, [=] {
        if (event->recorded && !event->done) drain(event->stream, event);
    });
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    const guard lock(everything);
    if (!events.count(start) || !events.count(end)) return report(cudaErrorInvalidResourceHandle);
    if (!start->recorded || !end->recorded) return report(cudaErrorInvalidResourceHandle);
    if (!start->done || !end->done) return report(cudaErrorNotReady);
    *milliseconds = (float)(end->time - start->time);
    return cudaSuccess;
}

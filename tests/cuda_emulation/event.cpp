/* Events: marks in the sequence of a stream, which others wait for. */
#include "machine.h"

namespace emulation
{
static std::set<CUevent_st *> events;
} // namespace emulation

using namespace emulation;

static bool is_done(cudaEvent_t event)
{
    return !event->last || event->last->reached;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (device_error()) return report(device_error());
    *event = new CUevent_st;
    (*event)->device = current_device();
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
    reach(event->last);
    events.erase(event);
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    const guard lock(everything);
    CUstream_st *where = find_stream(stream);
    if (!events.count(event) || !where || where->device != event->device)
        return report(cudaErrorInvalidResourceHandle);
    event->capture = where->capture;
    if (event->capture) return put(stream, [] {});
    const std::shared_ptr<mark> record(new mark{where});
    const cudaError_t error = put(stream, [=] {
        record->reached = true;
        if (events.count(event)) event->time = milliseconds_now();
    });
    if (!error) event->last = record;
    return error;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (!events.count(event)) return report(cudaErrorInvalidResourceHandle);
    if (event->capture) return report(cudaErrorStreamCaptureUnsupported);
    reach(event->last);
    settle_pools(event->device);
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    const guard lock(everything);
    if (!events.count(event)) return report(cudaErrorInvalidResourceHandle);
    if (check_unsafe()) return report(cudaErrorStreamCaptureUnsupported);
    return is_done(event) ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int)
{
    const guard lock(everything);
    CUstream_st *where = find_stream(stream);
    if (!events.count(event) || !where) return report(cudaErrorInvalidResourceHandle);
    if (event->capture && !where->capture) where->capture = event->capture; /* joins it */
    if (event->capture) return put(stream, [] {});
    if (wait_is_left_out()) return cudaSuccess;
    const std::shared_ptr<mark> record = event->last;
    return put(
        stream, [=] { reach(record); }, record);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    const guard lock(everything);
    if (!events.count(start) || !events.count(end)) return report(cudaErrorInvalidResourceHandle);
    if (!start->last || !end->last) return report(cudaErrorInvalidResourceHandle);
    if (!is_done(start) || !is_done(end)) return report(cudaErrorNotReady);
    *milliseconds = (float)(end->time - start->time);
    return cudaSuccess;
}

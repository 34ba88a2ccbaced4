/* Captures and graphs: what is put on a captured stream is written down, and runs when the graph is
 * launched, in the same sequence. What would wait for such a stream breaks the capture. */
#include "machine.h"

#include <algorithm>
#include <cstring>

struct CUgraph_st {
    std::shared_ptr<emulation::recording> what;
};

struct CUgraphExec_st {
    std::shared_ptr<emulation::recording> what;
};

namespace emulation
{
static std::set<cudaGraph_t> graphs;
static std::set<cudaGraphExec_t> executables;

recording::~recording()
{
    const guard lock(everything);
    for (char *address : memory) release(address);
}

cudaError_t break_capture(cudaStream_t stream)
{
    stream->capture->broken = true;
    return cudaErrorStreamCaptureUnsupported;
}

static thread_local enum cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

cudaError_t check_unsafe()
{
    cudaError_t result = cudaSuccess;
    if (thread_mode == cudaStreamCaptureModeRelaxed) return result;
    for (cudaStream_t stream : all_streams()) {
        if (!stream->capture) continue;
        const enum cudaStreamCaptureMode mode = stream->capture->mode;
        const bool mine = stream->capture->thread == std::this_thread::get_id();
        if (mode == cudaStreamCaptureModeGlobal ||
            (mode == cudaStreamCaptureModeThreadLocal && mine))
            result = break_capture(stream);
    }
    return result;
}

/* A blocking stream of the device that is captured, if `stream` is the default one. */
static cudaStream_t implied(cudaStream_t stream)
{
    if (stream != find_stream(nullptr)) return nullptr;
    for (cudaStream_t other : all_streams())
        if (other->capture && other->blocking && other->device == stream->device) return other;
    return nullptr;
}

cudaError_t check_implicit(cudaStream_t stream)
{
    const cudaStream_t other = implied(stream);
    if (!other) return cudaSuccess;
    break_capture(other);
    return cudaErrorStreamCaptureImplicit;
}

/* --- Memory of graphs ------------------------------------------------------------------------ */

/* As fresh as that of any other allocation; after the end nobody should find numbers there. */
static std::function<void()> spoil(char *address, size_t size)
{
    const int device = device_of(address);
    return [=] {
        const open_memory open(device);
        std::memset(address, 0xff, size);
    };
}

cudaError_t capture_memory(cudaStream_t stream, int device, size_t size, void **pointer)
{
    if (allocation_fails() || (int64_t)size > room_of(device)) return cudaErrorMemoryAllocation;
    char *address = allocate(device, size, nullptr);
    if (!address) return cudaErrorMemoryAllocation;
    stream->capture->memory.push_back(address);
    *pointer = address;
    return put(stream, spoil(address, size));
}

cudaError_t capture_free(cudaStream_t stream, void *pointer)
{
    const std::vector<char *> &memory = stream->capture->memory;
    char *address = static_cast<char *>(pointer);
    if (std::find(memory.begin(), memory.end(), address) == memory.end())
        return cudaErrorInvalidValue;
    return put(stream, spoil(address, size_of(address)));
}
} // namespace emulation

using namespace emulation;

/* --- Captures -------------------------------------------------------------------------------- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    const cudaStream_t where = find_stream(stream);
    if (!where) return report(cudaErrorInvalidResourceHandle);
    if (where == find_stream(nullptr) || where->capture)
        return report(cudaErrorStreamCaptureUnsupported);
    where->capture = std::make_shared<recording>();
    where->capture->origin = where;
    where->capture->mode = mode;
    where->capture->thread = std::this_thread::get_id();
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    const guard lock(everything);
    *graph = nullptr;
    const cudaStream_t where = find_stream(stream);
    if (!where) return report(cudaErrorInvalidResourceHandle);
    const std::shared_ptr<recording> what = where->capture;
    if (!what || what->origin != where) return report(cudaErrorStreamCaptureUnmatched);
    for (cudaStream_t other : all_streams())
        if (other->capture == what) other->capture = nullptr;
    if (what->broken) return report(cudaErrorStreamCaptureInvalidated);
    *graph = new CUgraph_st{what};
    graphs.insert(*graph);
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    const cudaStream_t where = find_stream(stream);
    if (!where) return report(cudaErrorInvalidResourceHandle);
    if (implied(where)) return report(cudaErrorStreamCaptureImplicit);
    *status = !where->capture          ? cudaStreamCaptureStatusNone
              : where->capture->broken ? cudaStreamCaptureStatusInvalidated
                                       : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

/* --- Graphs ---------------------------------------------------------------------------------- */

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    std::swap(thread_mode, *mode);
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long)
{
    const guard lock(everything);
    if (call_fails()) return report(cudaErrorUnknown);
    if (!graphs.count(graph)) return report(cudaErrorInvalidValue);
    *executable = new CUgraphExec_st{graph->what};
    executables.insert(*executable);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    const guard lock(everything);
    if (!executables.count(executable)) return report(cudaErrorInvalidValue);
    const std::shared_ptr<recording> what = executable->what;
    return put(stream, [=] {
        for (const std::function<void()> &work : what->work) work();
    });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    const guard lock(everything);
    if (!executables.erase(executable)) return report(cudaErrorInvalidValue);
    delete executable;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    const guard lock(everything);
    if (!graphs.erase(graph)) return report(cudaErrorInvalidValue);
    delete graph;
    return cudaSuccess;
}

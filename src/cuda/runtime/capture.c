/* Refuses calls on a stream that is being captured which would have to wait for it. See capture.h.
 */
#include "cuda/runtime/capture.h"

#include "base/status.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/runtime/device_pool.h"

static const char *reason_of(const armilla_cuda_captured *call)
{
    if (call->tells_progress)
        return "exec->progress: cannot be told of a stream that is captured, and does not run";
    return call->takes_memory && !armilla_cuda_pool_exists(call->device)
               ? "exec->stream: cannot be captured on a GPU without memory pools"
               : NULL;
}

int armilla_cuda_is_captured(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus capture;
    const cudaError_t error = cudaStreamIsCapturing(stream, &capture);
    armilla_cuda_forget(error);
    return error || capture != cudaStreamCaptureStatusNone;
}

armilla_status armilla_cuda_check_capture(const armilla_cuda_captured *call)
{
    enum cudaStreamCaptureStatus capture;
    const armilla_status status = armilla_cuda_status(cudaStreamIsCapturing(call->stream, &capture),
                                                      "asking whether the stream is captured");
    if (status || capture == cudaStreamCaptureStatusNone) return status;
    if (capture == cudaStreamCaptureStatusInvalidated)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "exec->stream: its capture is broken");
    if (call->waits) return armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "%s", call->waits);
    if (call->host)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "%s: host arrays cannot be captured, as a call waits for its result",
                            call->host);
    const char *reason = reason_of(call);
    return reason ? armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "%s", reason) : ARMILLA_OK;
}

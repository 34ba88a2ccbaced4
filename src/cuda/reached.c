/* Waits for what a call has put on its stream, and lets the caller's progress function hear of it
 * while other calls of the plan go on. */
#include "cuda/reached.h"

#include "cuda/device_memory.h"

/* The function may leave another device current. */
static void tell(const armilla_cuda_listened *call, int64_t units)
{
    int device, other = -1;
    armilla_cuda_note(call->work, cudaGetDevice(&device));
    if (call->work->error) return;
    if (call->held) pthread_mutex_unlock(call->held);
    armilla_progress_advance(call->progress, units, 0);
    if (call->held) pthread_mutex_lock(call->held);
    armilla_cuda_note(call->work, cudaGetDevice(&other));
    if (other != device) armilla_cuda_note(call->work, cudaSetDevice(device));
}

armilla_status armilla_cuda_reached(const armilla_cuda_listened *call, int64_t units)
{
    if (units && call->progress->callback && !call->work->error) {
        armilla_cuda_note(call->work, cudaStreamSynchronize(call->work->stream));
        tell(call, units);
    }
    const armilla_status status = armilla_progress_status(call->progress);
    return status ? status : armilla_cuda_work_status(call->work, call->what);
}

/* Memory of a call on a GPU: one pool per device for the whole process, in which what calls gave
 * back stays for the next ones, whatever plans they are of.
 *
 * What stays reserved: as much as calls side by side have needed at one time. The pool has no
 * threshold above which memory goes back whenever somebody waits for the device: the next call
 * would have to ask the driver for it again, which takes longer than a small transform. It goes
 * back
 *
 *     when the last plan of the device is freed,
 *     when device memory is short for a call or a plan: then it is asked for once more.
 *
 * Streams: a block that was freed on one stream is reused on another one only where the order is
 * known, or once the work before is done. The pool never makes a stream wait for another one.
 * Devices without pools (cudaDevAttrMemoryPoolsSupported is 0) have cudaMalloc and cudaFree in
 * their place, which wait.
 *
 * Thread rule: all of it may be called from any thread. The device is the current one of the
 * calling thread. */
#ifndef ARMILLA_CUDA_RUNTIME_DEVICE_POOL_H
#define ARMILLA_CUDA_RUNTIME_DEVICE_POOL_H

#include "base/status.h"
#include "cuda/runtime/runtime.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A plan begins and ends: the first one of a device makes its pool, the last one takes it away,
 * with all that it holds. Each open has one close. Errors: UNSUPPORTED, MEMORY (of the device);
 * then it is not open. */
armilla_status armilla_cuda_pool_open(int device);
void armilla_cuda_pool_close(int device);

/* Does the device have a pool? If not, calls wait for memory, and cannot be captured in a graph.
 * Given: a plan of the device is open, here and below. */
int armilla_cuda_pool_exists(int device);

/* Memory for work on a stream, in its order: free before the work that comes behind a
 * give_back. Where memory is short the pool is trimmed, and asked once more, but not for a stream
 * that is captured: trimming waits for the device, which would break the capture. Returned: CUDA's
 * error; *memory is NULL then. cudaErrorMemoryAllocation leaves no error behind. */
cudaError_t armilla_cuda_pool_take(int device, int64_t bytes, cudaStream_t stream, void **memory);
cudaError_t armilla_cuda_pool_give_back(int device, void *memory, cudaStream_t stream);

/* As armilla_cuda_pool_take, for a call of `what`. bounded: options->device_bytes bounds what it
 * takes, which the error says. Errors: MEMORY (names the bytes), UNSUPPORTED (a CUDA error);
 * *memory is NULL then. */
armilla_status armilla_cuda_pool_obtain(int device, int64_t bytes, cudaStream_t stream,
                                        const char *what, int bounded, char **memory);

/* Is the stream being captured, or can that not be known? Nobody can wait for such a stream. */
int armilla_cuda_is_captured(cudaStream_t stream);

/* Waits for the device, and gives back to it what its pool holds and nobody uses. Returned: was
 * there anything? If not, asking once more for memory is of no use. */
int armilla_cuda_pool_trim(int device);

#ifdef __cplusplus
}
#endif
#endif

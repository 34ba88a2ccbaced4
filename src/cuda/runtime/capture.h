/* What a call cannot do on a stream that is being captured for a CUDA graph: nothing runs there, so
 * that nobody can wait for it. */
#ifndef ARMILLA_CUDA_RUNTIME_CAPTURE_H
#define ARMILLA_CUDA_RUNTIME_CAPTURE_H

#include "armilla/status.h"
#include "cuda/runtime/runtime.h"

typedef struct armilla_cuda_captured {
    cudaStream_t stream;
    int device;
    const char *host;   /* an argument that is an array of the host, or NULL */
    const char *waits;  /* why such a call waits in any case, or NULL */
    int tells_progress; /* is there an exec->progress? */
    int takes_memory;   /* of the pool */
} armilla_cuda_captured;

/* Errors: UNSUPPORTED if the stream is being captured and the call would have to wait; nothing has
 * been put on the stream then. */
armilla_status armilla_cuda_check_capture(const armilla_cuda_captured *call);

/* Is the stream being captured, or can that not be known? Nobody can wait for such a stream. */
int armilla_cuda_is_captured(cudaStream_t stream);

#endif

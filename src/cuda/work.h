/* What a stage on a GPU works with. Nothing here waits for the device: work is put on the stream,
 * and errors are kept for the end of the call. C and CUDA. */
#ifndef ARMILLA_CUDA_WORK_H
#define ARMILLA_CUDA_WORK_H

#include "cuda/runtime.h"

#include <stdint.h>

typedef struct armilla_cuda_work {
    cudaStream_t stream;
    void *scratch; /* device memory, 256-byte aligned: as many bytes as the stage asks for */
    int64_t scratch_bytes;
    cudaError_t error; /* the first one */
} armilla_cuda_work;

/* Device memory is cut into parts that begin at multiples of this. */
enum { ARMILLA_CUDA_ALIGNMENT = 256 };

static inline int64_t armilla_cuda_round_part(int64_t bytes)
{
    return (bytes + ARMILLA_CUDA_ALIGNMENT - 1) / ARMILLA_CUDA_ALIGNMENT * ARMILLA_CUDA_ALIGNMENT;
}

/* Keeps the first error. What a call of ours has left behind for cudaGetLastError is cleared at
 * once: all that is pending afterwards is the application's. */
static inline void armilla_cuda_note(armilla_cuda_work *work, cudaError_t error)
{
    if (error && cudaPeekAtLastError() == error) cudaGetLastError();
    if (!work->error) work->error = error;
}

#endif

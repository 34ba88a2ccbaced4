/* What a stage on a GPU works with. Nothing here waits for the device: work is put on the stream,
 * and errors are kept for the end of the call. C and CUDA. */
#ifndef ARMILLA_CUDA_RUNTIME_WORK_H
#define ARMILLA_CUDA_RUNTIME_WORK_H

#include "cuda/runtime/runtime.h"

#include <stdint.h>

typedef struct armilla_cuda_work {
    cudaStream_t stream;
    void *scratch; /* device memory, 256-byte aligned: as many bytes as the stage asks for */
    int64_t scratch_bytes;
    cudaError_t error;  /* the first one, and what it is of: */
    const char *kernel; /* that could not be launched, or NULL */
    int fft_result;     /* of cuFFT, in transforms of fft_length; 0: it is CUDA's */
    int64_t fft_length;
} armilla_cuda_work;

/* Device memory is cut into parts that begin at multiples of this. */
enum { ARMILLA_CUDA_ALIGNMENT = 256 };

static inline int64_t armilla_cuda_round_part(int64_t bytes)
{
    return (bytes + ARMILLA_CUDA_ALIGNMENT - 1) / ARMILLA_CUDA_ALIGNMENT * ARMILLA_CUDA_ALIGNMENT;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps the first error, with the kernel if the calling thread has just failed to launch one. What
 * a call of ours has left behind for cudaGetLastError is cleared at once: all that is pending
 * afterwards is the application's. */
void armilla_cuda_keep_error(armilla_cuda_work *work, cudaError_t error);
static inline void armilla_cuda_note(armilla_cuda_work *work, cudaError_t error)
{
    if (error) armilla_cuda_keep_error(work, error);
}

/* The same for a result of cuFFT, of transforms of a length. */
void armilla_cuda_note_fft(armilla_cuda_work *work, cufftResult result, int64_t length);

/* The first error, if there is one, of work that has a scratch of its own. */
void armilla_cuda_take_error(armilla_cuda_work *work, const armilla_cuda_work *of);

#ifdef __cplusplus
}
#endif
#endif

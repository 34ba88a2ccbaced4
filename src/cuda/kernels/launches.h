/* Which kernel could not be launched: a launch is an error without a name, and messages want one. C
 * and CUDA. */
#ifndef ARMILLA_CUDA_KERNELS_LAUNCHES_H
#define ARMILLA_CUDA_KERNELS_LAUNCHES_H

#include "cuda/runtime/runtime.h"

#ifdef __cplusplus
/* What the calling thread launched last. In this header, so that a program of kernels alone
 * (bench/gpu/probe.cu) needs no library. */
struct armilla_cuda_last_launch {
    const char *kernel;
    cudaError_t error;
};
inline thread_local armilla_cuda_last_launch armilla_cuda_launched;

/* Returned: the error. kernel: a literal, perhaps with template arguments and parentheses. */
inline cudaError_t armilla_cuda_remember_launch(const char *kernel, cudaError_t error)
{
    armilla_cuda_launched = {kernel, error};
    return error;
}

extern "C" {
#endif

/* The kernel whose launch by the calling thread has just failed with this error; NULL: the error is
 * of something else. An error is asked for once: whoever asks keeps the name with it. */
const char *armilla_cuda_take_failed_kernel(cudaError_t error);

#ifdef __cplusplus
}
#endif
#endif

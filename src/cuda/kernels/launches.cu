/* Says in C which kernel could not be launched. See launches.h. */
#include "cuda/kernels/launches.h"

const char *armilla_cuda_take_failed_kernel(cudaError_t error)
{
    const armilla_cuda_last_launch last = armilla_cuda_launched;
    armilla_cuda_launched = {};
    return error && last.error == error ? last.kernel : nullptr;
}

/* What kernels are written with beside the language itself. Included by .cu files only.
 *
 *   ARMILLA_LAUNCH(kernel, blocks, threads, shared_bytes, stream, arguments...)
 *                                launches, and is the error that this launch had: cudaGetLastError
 *                                would take and clear an earlier one that is the application's
 *   ARMILLA_SHARED(type, name)   the block's shared memory, all of it, as an array: its size is an
 *                                argument of the launch, so that the emulation can fill it with NaN
 *
 * Kernels exchange data through shared memory and __syncthreads(), warp votes and shuffles with
 * full masks, nothing else; every sum has a fixed sequence, so that bits do not change from run to
 * run. */
#ifndef ARMILLA_CUDA_KERNELS_DEVICE_H
#define ARMILLA_CUDA_KERNELS_DEVICE_H

#include "cuda/runtime.h"

#include <stdint.h>

#ifdef __CUDACC__
#include <tuple>
#include <type_traits>

/* Arguments become what the kernel takes; the launch reads them at these addresses. */
template <typename... P, typename... A>
cudaError_t armilla_cuda_launch(void (*kernel)(P...), dim3 blocks, dim3 threads,
                                size_t shared_bytes, cudaStream_t stream, A &&...values)
{
    std::tuple<typename std::decay<P>::type...> parameters(static_cast<P>(values)...);
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks, config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes, config.stream = stream;
    return std::apply(
        [&](auto &...p) {
            void *addresses[] = {&p..., nullptr};
            return cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(kernel), addresses);
        },
        parameters);
}

#define ARMILLA_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...)                         \
    armilla_cuda_launch(kernel, dim3(blocks), dim3(threads), (size_t)(shared_bytes), (stream),     \
                        __VA_ARGS__)
#define ARMILLA_SHARED(type, name)                                                                 \
    extern __shared__ double2 armilla_shared_memory[];                                             \
    type *name = reinterpret_cast<type *>(armilla_shared_memory)
#endif /* the emulation's cuda_runtime.h defines both as well */

#endif

/* What kernels are written with beside the language itself. Included by .cu files only.
 *
 *   ARMILLA_LAUNCH(kernel, blocks, threads, shared_bytes, stream, arguments...)
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
#define ARMILLA_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...)                         \
    kernel<<<(blocks), (threads), (shared_bytes), (stream)>>>(__VA_ARGS__)
#define ARMILLA_SHARED(type, name)                                                                 \
    extern __shared__ double2 armilla_shared_memory[];                                             \
    type *name = reinterpret_cast<type *>(armilla_shared_memory)
#endif /* the emulation's cuda_runtime.h defines both as well */

#endif

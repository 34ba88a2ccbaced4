/* Shapes of blocks of threads that the kernels of the Legendre stage are compiled for, and how the
 * one that a block of leg needs is launched. Shapes of plans: cuda/stages/shape.c. Included by .cu
 * files only. */
#ifndef ARMILLA_CUDA_KERNELS_LEGENDRE_SHAPE_H
#define ARMILLA_CUDA_KERNELS_LEGENDRE_SHAPE_H

#include "cuda/kernels/device.h"
#include "cuda/kernels/launch_rows.h"
#include "cuda/kernels/legendre_view.h"

/* V: most vectors of a group; W: most warps of a block of threads. */
template <int V, int W> struct kernel_shape {
    enum { VECTORS = V, WARPS = W, THREADS = W * ARMILLA_CUDA_WARP };
};

/* Blocks of threads of a multiprocessor at once, given how many there would be of four warps. */
constexpr int blocks_of_shape(int of_four_warps, int warps)
{
    return (of_four_warps * 4 + warps - 1) / warps;
}

/* Most sets that share a scalar recurrence in one kernel. Sums of four sets and eight warps would
 * take more shared memory than a launch has without asking for it. */
template <typename IN> constexpr int most_sets(int warps)
{
    return warps > 4 || IN::SETS < 4 ? 2 : 4;
}

/* Calls launch(kernel_shape<>()) for the shape of a block of leg. Groups may have fewer vectors
 * than the shape, tiles fewer warps. */
template <typename Launch>
void with_shape(const armilla_cuda_leg_block &block, const Launch &launch)
{
    if (block.warps > 4)
        launch(kernel_shape<2, 8>());
    else if (block.vectors == 1)
        launch(kernel_shape<1, 4>());
    else if (block.vectors == 2)
        launch(kernel_shape<2, 4>());
    else
        launch(kernel_shape<4, 4>());
}

/* Calls launch(shape, blocks, threads, first lot), which says what ARMILLA_LAUNCH says, for a
 * kernel that goes over the tiles and orders of a block of leg (as many as a grid takes:
 * cuda/stages/legendre_lots.c), and over `lots` of sets: a row of blocks each. */
template <typename Launch>
void launch_shape(const armilla_cuda_leg_block &block, int64_t lots, armilla_cuda_work *work,
                  const Launch &launch)
{
    const unsigned threads = (unsigned)block.warps * ARMILLA_CUDA_WARP;
    with_shape(block, [&](auto shape) {
        armilla_cuda_launch_rows(lots, [&](int64_t first, unsigned rows) {
            const dim3 blocks((unsigned)(block.norders * block.ntiles), rows);
            armilla_cuda_note(work, launch(shape, blocks, threads, first));
        });
    });
}

/* target: the compute capability that this kernel was compiled for, 10 major + minor, where the
 * current GPU runs it; the GPU's own one may be another. */
template <typename... P> cudaError_t find_target(void (*kernel)(P...), int *target)
{
    struct cudaFuncAttributes of;
    const cudaError_t error = cudaFuncGetAttributes(&of, reinterpret_cast<const void *>(kernel));
    *target = error ? 0 : of.ptxVersion;
    return error;
}

#endif

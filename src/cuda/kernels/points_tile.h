/* What the kernels between samples and points share: which tile a block of threads works on, where
 * its samples are, and values of taps. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_POINTS_TILE_H
#define ARMILLA_CUDA_KERNELS_POINTS_TILE_H

#include "cuda/kernels/points_place.h"

enum {
    THREADS = 256,
    LANES = ARMILLA_CUDA_TAPS, /* of a point: half a warp, a lane for each column */
    TOGETHER = THREADS / LANES,
    PITCH = ARMILLA_CUDA_TILE_PITCH,
    TILE = ARMILLA_CUDA_TILE_SIZE,
    WEIGHTS = (ARMILLA_CUDA_DEGREE + 1) * ARMILLA_CUDA_TAPS
};

#define FOR_THREADS(i, count) for (int i = threadIdx.x; i < (count); i += THREADS)

static __device__ __forceinline__ armilla_cuda_point_task
find_task(const armilla_cuda_point_view &view)
{
    const int64_t block = blockIdx.x, north = view.ntasks[0];
    return block < north ? view.tasks[0][block] : view.tasks[1][block - north];
}

/* A tile's first sample: of which side, at which ring and column. */
struct tile_corner {
    int south;
    int64_t ring, column;
};

static __device__ __forceinline__ tile_corner find_corner(const armilla_cuda_point_view &view,
                                                          uint32_t tile)
{
    const uint32_t row = tile / (uint32_t)view.ncolumns, nbands = (uint32_t)view.nbands;
    const int64_t band = row % nbands, before = middle_tap(view.taps);
    const int south = row >= nbands;
    const int64_t ring =
        south ? view.nrings - ARMILLA_CUDA_TILE_RINGS * (band + 1) : ARMILLA_CUDA_TILE_RINGS * band;
    const int64_t column = tile % (uint32_t)view.ncolumns * ARMILLA_CUDA_TILE_SAMPLES;
    return {south, ring - before, column - before};
}

/* Item of number i of a tile in the samples of the first component; below 0 where there is none.
 * begin, end: of the rings that count. */
static __device__ __forceinline__ int64_t sample_item(const armilla_cuda_point_view &view,
                                                      const tile_corner &corner, int i,
                                                      int64_t begin, int64_t end)
{
    const armilla_cuda_point_side &side = view.side[corner.south];
    const int64_t ring = corner.ring + i / PITCH, column = corner.column + i % PITCH + view.left;
    if (ring < begin || ring >= end || column < 0 || column >= view.pitch) return -1;
    return side.offset + (ring - side.first) * view.pitch + column;
}

/* Numbers of a tile's rows, which are so many rows. */
static __device__ __forceinline__ int tile_numbers(const armilla_cuda_point_view &view)
{
    return (ARMILLA_CUDA_TILE_RINGS + view.taps) * PITCH;
}

template <typename T>
static __device__ __forceinline__ void copy_weights(const armilla_cuda_point_view &view, T *weights)
{
    const T *from = static_cast<const T *>(view.weights);
    FOR_THREADS(i, (view.degree + 1) * ARMILLA_CUDA_TAPS) weights[i] = from[i];
}

/* Tap number `lane` of a point's rows and of its columns; 0 for lanes without a tap. */
template <typename T> struct two_taps {
    T row, column;
};

template <typename T>
static __device__ __forceinline__ two_taps<T> arguments_of(const armilla_cuda_point_view &view,
                                                           int64_t point)
{
    if (view.arguments_are_float) {
        const float2 both = static_cast<const float2 *>(view.argument)[point];
        return {(T)both.x, (T)both.y};
    }
    const double2 both = static_cast<const double2 *>(view.argument)[point];
    return {(T)both.x, (T)both.y};
}

template <typename T>
static __device__ __forceinline__ two_taps<T> taps_of(const armilla_cuda_point_view &view,
                                                      const T *weights, int lane, int64_t point)
{
    const two_taps<T> argument = arguments_of<T>(view, point);
    const T s = argument.row, t = argument.column;
    two_taps<T> taps = {weights[lane], weights[lane]};
    for (int n = 1; n <= view.degree; n++) {
        const T next = weights[n * ARMILLA_CUDA_TAPS + lane];
        taps.row = fma(taps.row, s, next), taps.column = fma(taps.column, t, next);
    }
    return taps;
}

/* Calls launch(T(), components, blocks) for the kind of numbers and components of a view. */
#define FOR_KINDS(view, RUN)                                                                       \
    const unsigned blocks = (unsigned)((view)->ntasks[0] + (view)->ntasks[1]);                     \
    if (blocks == 0) return cudaSuccess;                                                           \
    if ((view)->single) return (view)->ncomp == 1 ? RUN(float, 1) : RUN(float, 2);                 \
    return (view)->ncomp == 1 ? RUN(double, 1) : RUN(double, 2)

#endif

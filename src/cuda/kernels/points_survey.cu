/* Where points lie: points_kernels.h. A warp takes every so many points, and its lanes' extremes
 * are put together by shuffles: no barrier, and the host puts those of warps together. */
#include "cuda/kernels/points_place.h"

namespace
{

enum { THREADS = 256, WARP = 32, WARPS = THREADS / WARP };

__device__ __forceinline__ void take_point(double2 point, armilla_cuda_point_bounds *bounds)
{
    const double theta = armilla_colatitude_taken(point.x);
    bounds->wrong += !is_point(point.x, point.y);
    bounds->north = fmin(bounds->north, theta), bounds->south = fmax(bounds->south, theta);
    bounds->from_equator = fmin(bounds->from_equator, fabs(theta - 1.5707963267948966));
}

__global__ void __launch_bounds__(THREADS)
    survey_points(int64_t count, const double *points, armilla_cuda_point_bounds *warps)
{
    const int64_t first = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    armilla_cuda_point_bounds mine = ARMILLA_CUDA_NO_BOUNDS;
    for (int64_t i = first; i < count; i += (int64_t)gridDim.x * THREADS)
        take_point(point_at(points, i), &mine);
    for (int bits = WARP / 2; bits > 0; bits /= 2) {
        mine.north = fmin(mine.north, __shfl_xor_sync(0xffffffffu, mine.north, bits, WARP));
        mine.south = fmax(mine.south, __shfl_xor_sync(0xffffffffu, mine.south, bits, WARP));
        mine.from_equator =
            fmin(mine.from_equator, __shfl_xor_sync(0xffffffffu, mine.from_equator, bits, WARP));
        mine.wrong += __shfl_xor_sync(0xffffffffu, mine.wrong, bits, WARP);
    }
    if (threadIdx.x % WARP == 0) warps[first / WARP] = mine;
}

__global__ void __launch_bounds__(THREADS)
    sample_points(int64_t count, const int64_t *number, const double *points, double *sample)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= count) return;
    const double2 point = point_at(points, number[i]);
    sample[2 * i] = point.x, sample[2 * i + 1] = point.y;
}

unsigned blocks_of(int64_t count, int64_t most)
{
    const int64_t blocks = (count + THREADS - 1) / THREADS;
    return (unsigned)(blocks < most ? blocks : most);
}

} // namespace

cudaError_t armilla_cuda_points_bound(int64_t count, const double *points,
                                      armilla_cuda_point_bounds *warps, cudaStream_t stream)
{
    static_assert(ARMILLA_CUDA_SURVEY_WARPS % WARPS == 0, "whole blocks");
    return ARMILLA_LAUNCH(survey_points, blocks_of(count, ARMILLA_CUDA_SURVEY_WARPS / WARPS),
                          THREADS, 0, stream, count, points, warps);
}

cudaError_t armilla_cuda_points_sample(int64_t count, const int64_t *number, const double *points,
                                       double *sample, cudaStream_t stream)
{
    return ARMILLA_LAUNCH(sample_points, blocks_of(count, INT32_MAX), THREADS, 0, stream, count,
                          number, points, sample);
}

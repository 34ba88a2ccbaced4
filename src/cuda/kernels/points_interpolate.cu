/* Samples -> values at points: points_kernels.h. A block of threads has a tile's samples in shared
 * memory and up to 1024 of its points, half a warp a point: a lane adds up a column, rows with
 * their weights first. Then the lanes are added up. */
#include "cuda/kernels/points_tile.h"

namespace
{

template <typename T, int NCOMP> struct read_memory {
    T tile[NCOMP][TILE], weights[WEIGHTS], rows[TOGETHER][LANES];
};

template <typename T, int NCOMP>
__device__ __forceinline__ void copy_tile(const armilla_cuda_point_view &view, uint32_t number,
                                          read_memory<T, NCOMP> *memory)
{
    const tile_corner corner = find_corner(view, number);
    const armilla_cuda_point_side &side = view.side[corner.south];
    const T *samples = static_cast<const T *>(view.samples);
    FOR_THREADS(i, tile_numbers(view))
    {
        const int64_t item = sample_item(view, corner, i, side.first, side.first + side.rows);
        for (int c = 0; c < NCOMP; c++)
            memory->tile[c][i] = item < 0 ? 0 : samples[item + c * view.component];
    }
}

__device__ __forceinline__ void put_value(const armilla_cuda_point_view &view, int64_t point, int c,
                                          double value)
{
    const int64_t item = c * view.distance + view.place[point];
    if (view.values_are_float)
        static_cast<float *>(view.values)[item] = (float)value;
    else
        static_cast<double *>(view.values)[item] = value;
}

/* A lane's column of a component, then all of them. */
template <typename T, int NCOMP>
__device__ __forceinline__ T sum_samples(const armilla_cuda_point_view &view,
                                         const read_memory<T, NCOMP> *memory, int spot, int c,
                                         T column)
{
    const int lane = threadIdx.x % LANES;
    const T *rows = memory->rows[threadIdx.x / LANES];
    const T *from = memory->tile[c] + spot / ARMILLA_CUDA_TILE_SAMPLES * PITCH +
                    spot % ARMILLA_CUDA_TILE_SAMPLES + lane;
    T sum = 0;
    for (int k = 0; k < view.taps; k++) sum = fma(rows[k], from[k * PITCH], sum);
    sum *= column;
    for (int bits = LANES / 2; bits > 0; bits /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, bits, LANES);
    return sum;
}

/* Halves of warps without a point do as the last one does. */
template <typename T, int NCOMP>
__global__ void __launch_bounds__(THREADS) interpolate_points(const armilla_cuda_point_view view)
{
    typedef read_memory<T, NCOMP> shared;
    ARMILLA_SHARED(shared, memory);
    const armilla_cuda_point_task task = find_task(view);
    const int half = threadIdx.x / LANES, lane = threadIdx.x % LANES, count = (int)task.count;
    copy_tile(view, task.tile, memory);
    copy_weights(view, memory->weights);
    __syncthreads();
    for (int first = 0; first < count; first += TOGETHER) {
        const int64_t point = task.first + min(first + half, count - 1);
        const int spot = view.spot[point];
        const two_taps<T> taps = taps_of(view, memory->weights, lane, point);
        __syncwarp();
        memory->rows[half][lane] = taps.row;
        __syncwarp();
        for (int c = 0; c < NCOMP; c++) {
            const T sum = sum_samples(view, memory, spot, c, taps.column);
            if (lane == 0 && first + half < count) put_value(view, point, c, (double)sum);
        }
    }
}

} // namespace

#define RUN(T, NCOMP)                                                                              \
    ARMILLA_LAUNCH((interpolate_points<T, NCOMP>), blocks, THREADS, sizeof(read_memory<T, NCOMP>), \
                   stream, *view)

cudaError_t armilla_cuda_points_read(const armilla_cuda_point_view *view, cudaStream_t stream)
{
    FOR_KINDS(view, RUN);
}

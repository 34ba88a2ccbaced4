/* Values at points -> samples: points_kernels.h. A block of threads adds the points of a tile to
 * shared memory, in their sequence and without atomic operations: each number belongs to one
 * thread. A warp has four rows, each half of it two, and a lane the columns that are the same
 * modulo 16, of which a point has one at most. Taps of sixteen points are made together. */
#include "cuda/kernels/points_tile.h"

namespace
{

enum { WARP = 32, WARP_ROWS = 4 };
static_assert(THREADS / WARP * WARP_ROWS == ARMILLA_CUDA_TILE_RINGS + ARMILLA_CUDA_TAPS,
              "each row has a warp");

template <typename T, int NCOMP> struct add_memory {
    T tile[NCOMP][TILE], weights[WEIGHTS];
    T rows[TOGETHER][LANES], columns[TOGETHER][LANES], value[TOGETHER][NCOMP];
    int spot[TOGETHER];
};
static_assert(sizeof(add_memory<double, 2>) <= 48 * 1024, "no more than every GPU has");

template <typename T>
__device__ __forceinline__ T get_value(const armilla_cuda_point_view &view, int64_t point, int c)
{
    const int64_t item = c * view.distance + view.place[point];
    return view.values_are_float ? (T) static_cast<const float *>(view.values)[item]
                                 : (T) static_cast<const double *>(view.values)[item];
}

/* Makes the taps of the points first .. first + count - 1, of at most TOGETHER. */
template <typename T, int NCOMP>
__device__ __forceinline__ void weigh_points(const armilla_cuda_point_view &view, int64_t first,
                                             int count, add_memory<T, NCOMP> *memory)
{
    const int number = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    if (number >= count) return;
    const two_taps<T> taps = taps_of(view, memory->weights, lane, first + number);
    memory->rows[number][lane] = taps.row, memory->columns[number][lane] = taps.column;
    if (lane < NCOMP) memory->value[number][lane] = get_value<T>(view, first + number, lane);
    if (lane == 0) memory->spot[number] = view.spot[first + number];
}

/* What a point gives to the numbers of this thread. */
template <typename T, int NCOMP>
__device__ __forceinline__ void add_point(const armilla_cuda_point_view &view, int number,
                                          add_memory<T, NCOMP> *memory)
{
    const int spot = memory->spot[number], lane = threadIdx.x % LANES;
    const int first = spot / ARMILLA_CUDA_TILE_SAMPLES, from = spot % ARMILLA_CUDA_TILE_SAMPLES;
    const int tap = (lane - from) & (LANES - 1), row = threadIdx.x / LANES * 2;
    const T weight = memory->columns[number][tap];
    for (int i = 0; i < 2; i++) {
        const int k = row + i - first;
        if (k < 0 || k >= view.taps) continue;
        const T height = memory->rows[number][k];
        for (int c = 0; c < NCOMP; c++) {
            T *to = &memory->tile[c][(row + i) * PITCH + from + tap];
            *to = fma(height, memory->value[number][c] * weight, *to);
        }
    }
}

/* The tile's numbers, of which a thread has all that it wrote itself. */
template <typename T, int NCOMP>
__device__ __forceinline__ void add_points(const armilla_cuda_point_view &view,
                                           const armilla_cuda_point_task &task,
                                           add_memory<T, NCOMP> *memory)
{
    const int count = (int)task.count;
    copy_weights(view, memory->weights);
    for (int c = 0; c < NCOMP; c++) FOR_THREADS(i, TILE) memory->tile[c][i] = 0;
    for (int first = 0; first < count; first += TOGETHER) {
        const int some = min((int)TOGETHER, count - first);
        __syncthreads();
        weigh_points(view, task.first + first, some, memory);
        __syncthreads();
        for (int i = 0; i < some; i++) add_point(view, i, memory);
    }
    __syncthreads();
}

template <typename T, int NCOMP>
__global__ void __launch_bounds__(THREADS) add_pieces(const armilla_cuda_point_view view)
{
    typedef add_memory<T, NCOMP> shared;
    ARMILLA_SHARED(shared, memory);
    const armilla_cuda_point_task task = find_task(view);
    T *buffer = static_cast<T *>(view.buffers) + (int64_t)task.buffer * NCOMP * TILE;
    add_points(view, task, memory);
    for (int c = 0; c < NCOMP; c++)
        FOR_THREADS(i, tile_numbers(view)) buffer[c * TILE + i] = memory->tile[c][i];
}

/* Number i of component c, of all buffers of a task, one after the other. */
template <typename T, int NCOMP>
__device__ __forceinline__ T sum_buffers(const armilla_cuda_point_view &view,
                                         const armilla_cuda_point_task &task, int c, int i)
{
    const T *from =
        static_cast<const T *>(view.buffers) + ((int64_t)task.buffer * NCOMP + c) * TILE + i;
    double sum = 0;
    for (uint32_t n = 0; n < task.count; n++) sum += (double)from[(int64_t)n * NCOMP * TILE];
    return (T)sum;
}

template <typename T, int NCOMP>
__global__ void __launch_bounds__(THREADS) spread_points(const armilla_cuda_point_view view)
{
    typedef add_memory<T, NCOMP> shared;
    ARMILLA_SHARED(shared, memory);
    const armilla_cuda_point_task task = find_task(view);
    const tile_corner corner = find_corner(view, task.tile);
    const armilla_cuda_point_side &side = view.side[corner.south];
    T *samples = static_cast<T *>(view.samples);
    if (task.buffer < 0) add_points(view, task, memory);
    FOR_THREADS(i, tile_numbers(view))
    {
        const int64_t item = sample_item(view, corner, i, side.begin, side.end);
        if (item < 0 || i % PITCH >= ARMILLA_CUDA_TILE_SAMPLES + view.taps) continue;
        for (int c = 0; c < NCOMP; c++)
            samples[item + c * view.component] +=
                task.buffer < 0 ? memory->tile[c][i] : sum_buffers<T, NCOMP>(view, task, c, i);
    }
}

} // namespace

#define PIECES(T, NCOMP)                                                                           \
    ARMILLA_LAUNCH((add_pieces<T, NCOMP>), blocks, THREADS, sizeof(add_memory<T, NCOMP>), stream,  \
                   *view)
#define SPREAD(T, NCOMP)                                                                           \
    ARMILLA_LAUNCH((spread_points<T, NCOMP>), blocks, THREADS, sizeof(add_memory<T, NCOMP>),       \
                   stream, *view)

cudaError_t armilla_cuda_points_pieces(const armilla_cuda_point_view *view, cudaStream_t stream)
{
    FOR_KINDS(view, PIECES);
}

cudaError_t armilla_cuda_points_add(const armilla_cuda_point_view *view, cudaStream_t stream)
{
    FOR_KINDS(view, SPREAD);
}

/* Values at points -> samples: points_kernels.h. A warp adds the points of a tile to shared memory,
 * in their sequence and without atomic operations: point by point, lanes have its columns, as many
 * rows at a time as go into a warp. Rows of a tile lie one behind the other, 64 + w numbers each,
 * so that what the lanes of a point have in sequence lies in banks in sequence, too. Thirty-two
 * points are fetched while those before are added, and eight have their taps made together. */
#include "cuda/kernels/points_tile.h"

namespace
{

enum {
    WARP = 32,
    BATCH = 8,         /* points whose taps are made together */
    TOGETHER_ROWS = 4, /* of a lane, which are read before one is written */
    COLUMNS = 3,       /* of a lane, where a tile goes to the samples */
    MOST_PITCH = ARMILLA_CUDA_TILE_SAMPLES + ARMILLA_CUDA_TAPS,
};
static_assert(COLUMNS * WARP >= MOST_PITCH, "each column has a lane");
static_assert(WARP == 2 * LANES, "half a warp has the taps of rows, half those of columns");

/* Behind it are the tile's numbers of each component, and weights. */
template <typename T, int NCOMP> struct add_memory {
    T taps[BATCH][2 * LANES]; /* of rows, of columns */
    T argument[WARP][2], value[NCOMP][WARP];
    int spot[WARP]; /* number of the first sample in the tile */
};

template <typename T, int NCOMP> constexpr size_t shared_bytes(int numbers, int degree)
{
    return sizeof(add_memory<T, NCOMP>) +
           sizeof(T) * (size_t)(NCOMP * numbers + LANES * (degree + 1));
}
static_assert(shared_bytes<double, 2>(TILE, ARMILLA_CUDA_DEGREE) <= 48 * 1024,
              "no more than every GPU has");

/* A warp's work, and what a lane does of a point: rows row, row + step, ... of one column. */
template <typename T, int NCOMP> struct adder {
    add_memory<T, NCOMP> *memory;
    T *tile, *weights;
    int taps, pitch, numbers; /* of a tile */
    int row, step, column;
};

static __device__ __forceinline__ int lane_number()
{
    return (int)threadIdx.x;
}

static __device__ __forceinline__ int tile_rows(const armilla_cuda_point_view &view)
{
    return ARMILLA_CUDA_TILE_RINGS + view.taps;
}

static __host__ __device__ __forceinline__ int tile_pitch(int taps)
{
    return ARMILLA_CUDA_TILE_SAMPLES + taps;
}

template <typename T, int NCOMP>
__device__ __forceinline__ adder<T, NCOMP> start(const armilla_cuda_point_view &view,
                                                 add_memory<T, NCOMP> *memory)
{
    const int pitch = tile_pitch(view.taps), numbers = tile_rows(view) * pitch;
    const int lane = lane_number(), step = WARP / view.taps, row = lane / view.taps;
    T *tile = reinterpret_cast<T *>(memory + 1), *weights = tile + NCOMP * numbers;
    const T *from = static_cast<const T *>(view.weights);
    for (int i = lane; i < (view.degree + 1) * LANES; i += WARP) weights[i] = from[i];
    for (int i = lane; i < NCOMP * numbers; i += WARP) tile[i] = 0;
    return {memory,
            tile,
            weights,
            view.taps,
            pitch,
            numbers,
            row < step ? row : view.taps,
            step,
            lane - row * view.taps};
}

/* --- Points ---------------------------------------------------------------------------------- */

/* A lane's point of the next thirty-two. */
template <typename T, int NCOMP> struct fetched {
    two_taps<T> argument;
    T value[NCOMP];
    int spot;
};

template <typename T>
__device__ __forceinline__ T get_value(const armilla_cuda_point_view &view, int64_t item)
{
    return view.values_are_float ? (T) static_cast<const float *>(view.values)[item]
                                 : (T) static_cast<const double *>(view.values)[item];
}

/* The last point stands for those that there are not. */
template <typename T, int NCOMP>
__device__ __forceinline__ fetched<T, NCOMP> fetch(const armilla_cuda_point_view &view,
                                                   const armilla_cuda_point_task &task, int first)
{
    const int64_t point = task.first + min(first + lane_number(), (int)task.count - 1);
    const int64_t place = view.place[point];
    fetched<T, NCOMP> next = {arguments_of<T>(view, point), {}, (int)view.spot[point]};
#pragma unroll
    for (int c = 0; c < NCOMP; c++) next.value[c] = get_value<T>(view, c * view.distance + place);
    return next;
}

template <typename T, int NCOMP>
__device__ __forceinline__ void keep(const adder<T, NCOMP> &a, const fetched<T, NCOMP> &next)
{
    const int lane = lane_number();
    a.memory->argument[lane][0] = next.argument.row;
    a.memory->argument[lane][1] = next.argument.column;
    a.memory->spot[lane] =
        next.spot / ARMILLA_CUDA_TILE_SAMPLES * a.pitch + next.spot % ARMILLA_CUDA_TILE_SAMPLES;
#pragma unroll
    for (int c = 0; c < NCOMP; c++) a.memory->value[c][lane] = next.value[c];
}

/* Makes the taps of the kept points first .. first + BATCH - 1. */
template <typename T, int NCOMP>
__device__ __forceinline__ void make_taps(const adder<T, NCOMP> &a, int degree, int first)
{
    const int lane = lane_number(), direction = lane / LANES;
    const T *weight = a.weights + lane % LANES;
    T x[BATCH], y[BATCH];
#pragma unroll
    for (int j = 0; j < BATCH; j++) x[j] = a.memory->argument[first + j][direction], y[j] = *weight;
    for (int n = 1; n <= degree; n++) {
        const T next = weight[n * LANES];
#pragma unroll
        for (int j = 0; j < BATCH; j++) y[j] = fma(y[j], x[j], next);
    }
#pragma unroll
    for (int j = 0; j < BATCH; j++) a.memory->taps[j][lane] = y[j];
}

/* Point number i of those that are kept, whose taps are number j. A lane reads some rows before it
 * writes one, so that no row waits for another. */
template <typename T, int NCOMP>
__device__ __forceinline__ void add_point(const adder<T, NCOMP> &a, int i, int j)
{
    const T *taps = a.memory->taps[j];
    const T column = taps[LANES + a.column];
    T *to = a.tile + a.memory->spot[i] + a.row * a.pitch + a.column, part[NCOMP];
    const int skip = a.step * a.pitch;
#pragma unroll
    for (int c = 0; c < NCOMP; c++) part[c] = a.memory->value[c][i] * column;
    for (int row = a.row; row < a.taps; row += TOGETHER_ROWS * a.step, to += TOGETHER_ROWS * skip) {
        T sum[TOGETHER_ROWS][NCOMP];
#pragma unroll
        for (int k = 0; k < TOGETHER_ROWS; k++) {
            if (row + k * a.step >= a.taps) continue;
            const T height = taps[row + k * a.step];
#pragma unroll
            for (int c = 0; c < NCOMP; c++)
                sum[k][c] = fma(height, part[c], to[c * a.numbers + k * skip]);
        }
#pragma unroll
        for (int k = 0; k < TOGETHER_ROWS; k++)
#pragma unroll
            for (int c = 0; c < NCOMP; c++)
                if (row + k * a.step < a.taps) to[c * a.numbers + k * skip] = sum[k][c];
    }
}

template <typename T, int NCOMP>
__device__ __forceinline__ void add_points(const armilla_cuda_point_view &view,
                                           const armilla_cuda_point_task &task,
                                           const adder<T, NCOMP> &a)
{
    const int count = (int)task.count;
    fetched<T, NCOMP> next = fetch<T, NCOMP>(view, task, 0);
    for (int first = 0; first < count; first += WARP) {
        const int some = min((int)WARP, count - first);
        keep(a, next);
        __syncwarp();
        next = fetch<T, NCOMP>(view, task, first + WARP);
        for (int i = 0; i < some; i += BATCH) {
            make_taps(a, view.degree, i);
            __syncwarp();
            for (int j = 0; j < min((int)BATCH, some - i); j++) {
                add_point(a, i + j, j);
                __syncwarp(); /* the next point may have other lanes' numbers */
            }
        }
    }
}

/* --- Tiles ----------------------------------------------------------------------------------- */

template <typename T, int NCOMP>
__global__ void __launch_bounds__(WARP) add_pieces(const armilla_cuda_point_view view)
{
    typedef add_memory<T, NCOMP> shared;
    ARMILLA_SHARED(shared, memory);
    const armilla_cuda_point_task task = find_task(view);
    T *buffer = static_cast<T *>(view.buffers) + (int64_t)task.buffer * NCOMP * TILE;
    const adder<T, NCOMP> a = start(view, memory);
    add_points(view, task, a);
    for (int c = 0; c < NCOMP; c++)
        for (int i = lane_number(); i < a.numbers; i += WARP)
            buffer[c * TILE + i] = a.tile[c * a.numbers + i];
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

/* Item of a tile's number in the samples of the first component; below 0 where there is none. */
__device__ __forceinline__ int64_t item_of(const armilla_cuda_point_view &view,
                                           const tile_corner &corner, int row, int column)
{
    const armilla_cuda_point_side &side = view.side[corner.south];
    const int64_t ring = corner.ring + row, at = corner.column + column + view.left;
    if (row >= tile_rows(view) || column >= tile_pitch(view.taps) || ring < side.begin ||
        ring >= side.end || at < 0 || at >= view.pitch)
        return -1;
    return side.offset + (ring - side.first) * view.pitch + at;
}

/* Adds some rows of a component of the tile, or of its buffers, to the samples: all are read before
 * one is written. */
template <typename T, int NCOMP>
__device__ __forceinline__ void add_rows(const armilla_cuda_point_view &view,
                                         const armilla_cuda_point_task &task,
                                         const tile_corner &corner, const T *tile, int row, int c)
{
    enum { NUMBERS = ARMILLA_CUDA_ADD_ROWS * COLUMNS };
    T *samples = static_cast<T *>(view.samples) + c * view.component, sum[NUMBERS];
    int64_t item[NUMBERS];
#pragma unroll
    for (int n = 0; n < NUMBERS; n++) {
        const int at = row + n / COLUMNS, column = lane_number() + n % COLUMNS * WARP;
        const int i = at * tile_pitch(view.taps) + column;
        item[n] = item_of(view, corner, at, column);
        if (item[n] < 0) continue;
        sum[n] = samples[item[n]] + (tile ? tile[i] : sum_buffers<T, NCOMP>(view, task, c, i));
    }
#pragma unroll
    for (int n = 0; n < NUMBERS; n++)
        if (item[n] >= 0) samples[item[n]] = sum[n];
}

template <typename T, int NCOMP>
__global__ void __launch_bounds__(WARP) spread_points(const armilla_cuda_point_view view)
{
    typedef add_memory<T, NCOMP> shared;
    ARMILLA_SHARED(shared, memory);
    const armilla_cuda_point_task task = find_task(view);
    const tile_corner corner = find_corner(view, task.tile);
    if (task.buffer >= 0) {
        for (int c = 0; c < NCOMP; c++)
            add_rows<T, NCOMP>(view, task, corner, NULL, (int)task.first, c);
        return;
    }
    const adder<T, NCOMP> a = start(view, memory);
    add_points(view, task, a);
    for (int c = 0; c < NCOMP; c++)
        for (int row = 0; row < tile_rows(view); row += ARMILLA_CUDA_ADD_ROWS)
            add_rows<T, NCOMP>(view, task, corner, a.tile + c * a.numbers, row, c);
}

template <typename T, int NCOMP> size_t bytes_of(const armilla_cuda_point_view *view)
{
    const int rows = ARMILLA_CUDA_TILE_RINGS + view->taps;
    return shared_bytes<T, NCOMP>(rows * tile_pitch(view->taps), view->degree);
}

} // namespace

#define PIECES(T, NCOMP)                                                                           \
    ARMILLA_LAUNCH((add_pieces<T, NCOMP>), blocks, WARP, (bytes_of<T, NCOMP>(view)), stream, *view)
#define SPREAD(T, NCOMP)                                                                           \
    ARMILLA_LAUNCH((spread_points<T, NCOMP>), blocks, WARP, (bytes_of<T, NCOMP>(view)), stream,    \
                   *view)

cudaError_t armilla_cuda_points_pieces(const armilla_cuda_point_view *view, cudaStream_t stream)
{
    FOR_KINDS(view, PIECES);
}

cudaError_t armilla_cuda_points_add(const armilla_cuda_point_view *view, cudaStream_t stream)
{
    FOR_KINDS(view, SPREAD);
}

/* Rings of one length <-> samples with what is around them: strip_kernels.h. To samples a thread
 * has a column of a row of both hemispheres, and finds the one number of data that belongs there;
 * back a thread has a number of data, and adds up all the places that have its samples. */
#include "cuda/kernels/device.h"
#include "cuda/kernels/strip_kernels.h"

namespace
{

enum { THREADS = 128 };

/* North and south. */
struct two_samples {
    double north, south;
};

/* The number of a row that a thread has. */
__device__ __forceinline__ int thread_column(unsigned tiles)
{
    return (int)(blockIdx.x % tiles * THREADS + threadIdx.x);
}

/* Item (0, 0) of a pair's rows of the block's set. */
struct pair_rows {
    int64_t north, south;
};

__device__ __forceinline__ pair_rows find_rows(const armilla_cuda_strip_view &view, int64_t pair)
{
    const int64_t row = pair - view.first, set = blockIdx.y;
    const int64_t north = (2 * set * view.most_rows + row) * view.pitch;
    return {north, north + (view.most_rows + view.rows - 1 - 2 * row) * view.pitch};
}

__device__ __forceinline__ double2 *find_data(const armilla_cuda_strip_view &view, int64_t row)
{
    return reinterpret_cast<double2 *>(view.data) +
           (blockIdx.y * view.data_pairs + row) * view.nphi;
}

/* --- To samples ------------------------------------------------------------------------------ */

__device__ __forceinline__ void write_sample(const armilla_cuda_strip_view &view, int64_t item,
                                             double value)
{
    if (view.is_float)
        reinterpret_cast<float *>(view.samples)[item] = (float)value;
    else
        reinterpret_cast<double *>(view.samples)[item] = value;
}

/* The ring's sample at a column. */
__device__ __forceinline__ int sample_at(const armilla_cuda_strip_view &view, int column)
{
    const int n = (int)view.nphi, j = (column - (int)view.left) % n;
    return j < 0 ? j + n : j;
}

/* Where it was on the other side of the pole. */
__device__ __forceinline__ int half_turn(const armilla_cuda_strip_view &view, int j)
{
    const int half = (int)view.nphi / 2;
    return j < half ? j + half : j - half;
}

__global__ void __launch_bounds__(THREADS)
    put_samples(const armilla_cuda_strip_view view, unsigned tiles)
{
    const int column = thread_column(tiles);
    const int64_t pair = view.first + blockIdx.x / tiles;
    if (column >= view.pitch) return;
    const int beyond_pole = pair < 0, beyond_equator = pair >= view.half;
    const int64_t ring = beyond_pole ? -1 - pair : beyond_equator ? 2 * view.half - 1 - pair : pair;
    int j = sample_at(view, column);
    if (beyond_pole) j = half_turn(view, j);
    const double2 z = find_data(view, ring - view.first_pair)[j];
    const double sign = beyond_pole && view.odd_spin ? -1 : 1;
    const pair_rows rows = find_rows(view, pair);
    write_sample(view, rows.north + column, sign * (beyond_equator ? z.y : z.x));
    write_sample(view, rows.south + column, sign * (beyond_equator ? z.x : z.y));
}

/* --- From samples ---------------------------------------------------------------------------- */

__device__ __forceinline__ double read_sample(const armilla_cuda_strip_view &view, int64_t item)
{
    if (view.is_float) return reinterpret_cast<const float *>(view.samples)[item];
    return reinterpret_cast<const double *>(view.samples)[item];
}

/* All columns of two rows that have sample j. */
__device__ __forceinline__ two_samples add_columns(const armilla_cuda_strip_view &view,
                                                   pair_rows rows, int j)
{
    const int n = (int)view.nphi, pitch = (int)view.pitch;
    two_samples sum = {0, 0};
    for (int column = ((int)view.left + j) % n; column < pitch; column += n) {
        sum.north += read_sample(view, rows.north + column);
        sum.south += read_sample(view, rows.south + column);
    }
    return sum;
}

/* All places of sample j of a pair. */
__device__ __forceinline__ two_samples add_places(const armilla_cuda_strip_view &view, int64_t pair,
                                                  int j)
{
    const int64_t across = -1 - pair, below = 2 * view.half - 1 - pair;
    two_samples sum = add_columns(view, find_rows(view, pair), j);
    if (across >= view.first) {
        const two_samples more = add_columns(view, find_rows(view, across), half_turn(view, j));
        const double sign = view.odd_spin ? -1 : 1;
        sum.north += sign * more.north, sum.south += sign * more.south;
    }
    if (below < view.first + view.rows) {
        const two_samples more = add_columns(view, find_rows(view, below), j);
        sum.north += more.south, sum.south += more.north;
    }
    return sum;
}

__global__ void __launch_bounds__(THREADS)
    take_samples(const armilla_cuda_strip_view view, unsigned tiles)
{
    const int j = thread_column(tiles);
    const int64_t row = blockIdx.x / tiles;
    if (j >= view.nphi) return;
    two_samples sum = {0, 0};
    if (row < view.npairs) sum = add_places(view, view.first_pair + row, j);
    find_data(view, row)[j] = make_double2(sum.north, -sum.south);
}

/* --- Launches -------------------------------------------------------------------------------- */

struct named_kernel {
    void (*run)(const armilla_cuda_strip_view, unsigned);
    const char *name;
};

/* Threads for `length` numbers of each of some rows. */
cudaError_t launch(const named_kernel &kernel, const armilla_cuda_strip_view *view, int64_t rows,
                   int64_t length, cudaStream_t stream)
{
    const unsigned tiles = (unsigned)((length + THREADS - 1) / THREADS);
    const dim3 blocks((unsigned)rows * tiles, (unsigned)view->nsets);
    return ARMILLA_LAUNCH_NAMED(kernel.name, kernel.run, blocks, THREADS, 0, stream, *view, tiles);
}

} // namespace

cudaError_t armilla_cuda_strip_put(const armilla_cuda_strip_view *view, cudaStream_t stream)
{
    return launch({put_samples, "put_samples"}, view, view->rows, view->pitch, stream);
}

cudaError_t armilla_cuda_strip_take(const armilla_cuda_strip_view *view, cudaStream_t stream)
{
    return launch({take_samples, "take_samples"}, view, view->data_pairs, view->nphi, stream);
}

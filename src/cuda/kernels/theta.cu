/* The kernels of the theta stage: theta_kernels.h. A thread has a ring, a sample or a frequency of
 * one column; where the window is used, of four, which share its weights. */
#include "cuda/kernels/device.h"
#include "cuda/kernels/theta_kernels.h"

namespace
{

enum { THREADS = 128, TOGETHER = 4 };

/* Sum of two complex numbers, and their difference. */
__device__ __forceinline__ double2 plus(double2 a, double2 b)
{
    return make_double2(a.x + b.x, a.y + b.y);
}

__device__ __forceinline__ double2 minus(double2 a, double2 b)
{
    return make_double2(a.x - b.x, a.y - b.y);
}

__device__ __forceinline__ double2 times(double re, double im, double2 z)
{
    return make_double2(re * z.x - im * z.y, re * z.y + im * z.x);
}

__device__ __forceinline__ void add_scaled(double scale, double2 z, double2 *sum)
{
    sum->x = fma(scale, z.x, sum->x), sum->y = fma(scale, z.y, sum->y);
}

__device__ __forceinline__ int64_t thread_index()
{
    return (int64_t)blockIdx.x * THREADS + threadIdx.x;
}

/* The rows of a column: entries of ring 0 and the first rings with an entry; first rings behind all
 * others where there is no such order. Number 0 is even in theta, 1 odd. */
struct column_rows {
    double2 *row[2];
    int64_t first[2];
};

__device__ __forceinline__ column_rows find_rows(const armilla_cuda_theta_view &view,
                                                 const armilla_cuda_theta_columns &columns,
                                                 const int64_t *least, int64_t column)
{
    column_rows rows;
    const unsigned number = (unsigned)(columns.first + column);
    const unsigned set = number / (unsigned)columns.ncolumns;
    const int64_t of_set = number - set * (unsigned)columns.ncolumns;
    double *leg = columns.leg + set * columns.set_length;
    for (int i = 0; i < 2; i++) {
        const int64_t row = column < columns.count ? view.rows[2 * of_set + i] : -1;
        rows.row[i] = reinterpret_cast<double2 *>(leg + (row < 0 ? 0 : row) * columns.row_length);
        rows.first[i] = row < 0 ? INT64_MAX : 2 * least[row];
    }
    return rows;
}

__device__ __forceinline__ double2 read_entry(const column_rows &rows, int odd, int64_t ring)
{
    return ring >= rows.first[odd] ? rows.row[odd][ring] : make_double2(0, 0);
}

__device__ __forceinline__ void write_entry(const column_rows &rows, int odd, int64_t ring,
                                            double2 value)
{
    if (ring >= rows.first[odd]) rows.row[odd][ring] = value;
}

__device__ __forceinline__ double2 *circle(double *circles, int64_t column, int64_t length)
{
    return reinterpret_cast<double2 *>(circles) + column * length;
}

/* --- Rings that are samples ------------------------------------------------------------------ */

/* The samples of one circle. */
struct circle_side {
    const armilla_cuda_theta_sample *samples;
    int64_t count, length, shift;
    const int64_t *least;
    double *circles;
};

/* Sample 0 without a shift is at a pole, its own image, like the one half a circle away. */
__device__ __forceinline__ int64_t image_of(const circle_side &side, int64_t place)
{
    const int64_t image = side.length - side.shift - place;
    return image == side.length ? 0 : image;
}

/* At a pole, which is its own image, the odd row is left out. Factors of frequencies have what
 * halves E and O. */
__global__ void __launch_bounds__(THREADS)
    put(const armilla_cuda_theta_view view, const armilla_cuda_theta_columns columns,
        const circle_side side)
{
    const int64_t number = thread_index(), column = blockIdx.y;
    if (number >= side.count) return;
    const armilla_cuda_theta_sample sample = side.samples[number];
    if (sample.place < 0) return;
    const column_rows rows = find_rows(view, columns, side.least, column);
    double2 *to = circle(side.circles, column, side.length);
    double2 even = make_double2(0, 0), odd = even;
    if (sample.ring >= 0)
        even = read_entry(rows, 0, sample.ring), odd = read_entry(rows, 1, sample.ring);
    const int64_t image = image_of(side, sample.place);
    to[sample.place] = sample.place == image ? even : plus(even, odd);
    if (sample.place != image) to[image] = minus(even, odd);
}

__global__ void __launch_bounds__(THREADS)
    take(const armilla_cuda_theta_view view, const armilla_cuda_theta_columns columns,
         const circle_side side)
{
    const int64_t number = thread_index(), column = blockIdx.y;
    if (number >= side.count) return;
    const armilla_cuda_theta_sample sample = side.samples[number];
    if (sample.ring < 0) return;
    const column_rows rows = find_rows(view, columns, side.least, column);
    const double2 *from = circle(side.circles, column, side.length);
    double2 even = make_double2(0, 0), odd = even;
    if (sample.place >= 0) {
        const int64_t place = image_of(side, sample.place);
        const double2 image = from[place];
        even = from[sample.place];
        if (sample.place != place) odd = minus(even, image), even = plus(even, image);
    }
    write_entry(rows, 0, sample.ring, even);
    write_entry(rows, 1, sample.ring, odd);
}

/* --- Coefficients ---------------------------------------------------------------------------- */

/* The coefficient of frequency k, |k| <= band, from the transform of the coarse circle. */
__device__ __forceinline__ double2 coefficient(const armilla_cuda_theta_view &view,
                                               const double2 *coarse, int64_t k)
{
    const int64_t size = k < 0 ? -k : k;
    const double re = view.factor[2 * size], im = view.factor[2 * size + 1];
    return times(re, k < 0 ? -im : im, coarse[k < 0 ? view.coarse + k : k]);
}

__global__ void __launch_bounds__(THREADS)
    widen(const armilla_cuda_theta_view view, const armilla_cuda_theta_columns columns)
{
    const int64_t i = thread_index(), column = blockIdx.y;
    if (i >= view.fine) return;
    const double2 *coarse = circle(columns.coarse, column, view.coarse);
    double2 value = make_double2(0, 0);
    if (i <= view.band)
        value = coefficient(view, coarse, i);
    else if (view.fine - i <= view.band)
        value = coefficient(view, coarse, i - view.fine);
    circle(columns.fine, column, view.fine)[i] = value;
}

/* Frequencies P / 2 and -P / 2 are one number of the coarse circle. */
__global__ void __launch_bounds__(THREADS)
    narrow(const armilla_cuda_theta_view view, const armilla_cuda_theta_columns columns)
{
    const int64_t i = thread_index(), column = blockIdx.y, k = view.coarse - i;
    if (i >= view.coarse) return;
    const double2 *fine = circle(columns.fine, column, view.fine);
    const double *factor = view.factor;
    double2 value = make_double2(0, 0);
    if (i <= view.band) value = times(factor[2 * i], factor[2 * i + 1], fine[i]);
    if (i > 0 && k <= view.band)
        value = plus(value, times(factor[2 * k], -factor[2 * k + 1], fine[view.fine - k]));
    circle(columns.coarse, column, view.coarse)[i] = value;
}

/* --- Rings that see a circle through the window ------------------------------------------------
 */

/* Halves of sums and differences are in the weights. */
__global__ void __launch_bounds__(THREADS)
    interpolate(const armilla_cuda_theta_view view, const armilla_cuda_theta_columns columns)
{
    const int64_t number = thread_index(), first = (int64_t)blockIdx.y * TOGETHER;
    if (number >= view.npoints) return;
    const armilla_cuda_theta_point point = view.points[number];
    if (point.sign < 0) return;
    const int together = (int)min((int64_t)TOGETHER, columns.count - first);
    const double2 *fine = circle(columns.fine, first, view.fine);
    double2 here[TOGETHER], there[TOGETHER];
    for (int c = 0; c < TOGETHER; c++) here[c] = there[c] = make_double2(0, 0);
    for (int64_t tap = 0; tap < view.taps && point.sign; tap++) {
        const double weight = view.weights[tap * view.npoints + number];
        const int64_t j = point.place + tap, place = j < 0 ? j + view.fine : j;
        const int64_t image = place == 0 ? 0 : view.fine - place;
        for (int c = 0; c < TOGETHER; c++) {
            if (c >= together) continue;
            add_scaled(weight, fine[c * view.fine + place], &here[c]);
            add_scaled(weight, fine[c * view.fine + image], &there[c]);
        }
    }
    for (int c = 0; c < TOGETHER; c++) {
        const column_rows rows = find_rows(view, columns, view.least_to, first + c);
        write_entry(rows, 0, point.ring, plus(here[c], there[c]));
        write_entry(rows, 1, point.ring, minus(here[c], there[c]));
    }
}

/* Samples j and -j. */
__global__ void __launch_bounds__(THREADS)
    spread(const armilla_cuda_theta_view view, const armilla_cuda_theta_columns columns)
{
    const int64_t j = thread_index(), first = (int64_t)blockIdx.y * TOGETHER;
    if (2 * j > view.fine) return;
    column_rows rows[TOGETHER];
    double2 even[TOGETHER], odd[TOGETHER];
    for (int c = 0; c < TOGETHER; c++) {
        rows[c] = find_rows(view, columns, view.least_to, first + c);
        even[c] = odd[c] = make_double2(0, 0);
    }
    for (int64_t number = view.range[2 * j]; number < view.range[2 * j + 1]; number++) {
        const armilla_cuda_theta_point point = view.points[number];
        const double weight = view.weights[(j - point.place) * view.npoints + number];
        for (int c = 0; c < TOGETHER; c++) {
            add_scaled(weight, read_entry(rows[c], 0, point.ring), &even[c]);
            add_scaled(point.sign * weight, read_entry(rows[c], 1, point.ring), &odd[c]);
        }
    }
    for (int c = 0; c < TOGETHER && first + c < columns.count; c++) {
        double2 *fine = circle(columns.fine, first + c, view.fine);
        fine[j] = plus(even[c], odd[c]);
        if (j > 0 && 2 * j < view.fine) fine[view.fine - j] = minus(even[c], odd[c]);
    }
}

/* --- Launches -------------------------------------------------------------------------------- */

dim3 count_blocks(int64_t threads, int64_t columns)
{
    return dim3((unsigned)((threads + THREADS - 1) / THREADS), (unsigned)columns);
}

struct named_kernel {
    void (*run)(const armilla_cuda_theta_view, const armilla_cuda_theta_columns);
    const char *name;
};

cudaError_t launch(const named_kernel &kernel, const armilla_cuda_theta_view *view,
                   const armilla_cuda_theta_columns *columns, int64_t threads, int64_t together,
                   cudaStream_t stream)
{
    const dim3 blocks = count_blocks(threads, (columns->count + together - 1) / together);
    return ARMILLA_LAUNCH_NAMED(kernel.name, kernel.run, blocks, THREADS, 0, stream, *view,
                                *columns);
}

struct named_side_kernel {
    void (*run)(const armilla_cuda_theta_view, const armilla_cuda_theta_columns, const circle_side);
    const char *name;
};

/* On the circle of the rings `from`, or on that of the rings `to`. */
cudaError_t launch_side(const named_side_kernel &kernel, const armilla_cuda_theta_view *view,
                        const armilla_cuda_theta_columns *columns, int to, cudaStream_t stream)
{
    const circle_side from_side = {view->samples, view->nsamples,   view->coarse,
                                   view->shift,   view->least_from, columns->coarse};
    const circle_side to_side = {view->spots, view->nspots,   view->fine,
                                 1,           view->least_to, columns->fine};
    const circle_side side = to ? to_side : from_side;
    return ARMILLA_LAUNCH_NAMED(kernel.name, kernel.run, count_blocks(side.count, columns->count),
                                THREADS, 0, stream, *view, *columns, side);
}

} // namespace

cudaError_t armilla_cuda_theta_put(const armilla_cuda_theta_view *view,
                                   const armilla_cuda_theta_columns *columns, cudaStream_t stream)
{
    return launch_side({put, "put"}, view, columns, 0, stream);
}

cudaError_t armilla_cuda_theta_take(const armilla_cuda_theta_view *view,
                                    const armilla_cuda_theta_columns *columns, cudaStream_t stream)
{
    return launch_side({take, "take"}, view, columns, 0, stream);
}

cudaError_t armilla_cuda_theta_widen(const armilla_cuda_theta_view *view,
                                     const armilla_cuda_theta_columns *columns, cudaStream_t stream)
{
    return launch({widen, "widen"}, view, columns, view->fine, 1, stream);
}

cudaError_t armilla_cuda_theta_narrow(const armilla_cuda_theta_view *view,
                                      const armilla_cuda_theta_columns *columns,
                                      cudaStream_t stream)
{
    return launch({narrow, "narrow"}, view, columns, view->coarse, 1, stream);
}

cudaError_t armilla_cuda_theta_interpolate(const armilla_cuda_theta_view *view,
                                           const armilla_cuda_theta_columns *columns,
                                           cudaStream_t stream)
{
    if (view->spots) return launch_side({take, "take"}, view, columns, 1, stream);
    return launch({interpolate, "interpolate"}, view, columns, view->npoints, TOGETHER, stream);
}

cudaError_t armilla_cuda_theta_spread(const armilla_cuda_theta_view *view,
                                      const armilla_cuda_theta_columns *columns,
                                      cudaStream_t stream)
{
    if (view->spots) return launch_side({put, "put"}, view, columns, 1, stream);
    return launch({spread, "spread"}, view, columns, view->fine / 2 + 1, TOGETHER, stream);
}

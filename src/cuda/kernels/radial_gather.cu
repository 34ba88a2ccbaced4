/* The kernels of radial convolution: radial_kernels.h. A thread has a position of a row, all lanes
 * of it; a block reads each piece of a source once for its threads. */
#include "cuda/kernels/device.h"
#include "cuda/kernels/radial_kernels.h"

namespace
{

enum {
    THREADS = ARMILLA_CUDA_RADIAL_TILE,
    LANES = ARMILLA_CUDA_RADIAL_LANES,
    PIECE = 2 * THREADS /* positions of a source in shared memory */
};

/* --- Places ----------------------------------------------------------------------------------- */

/* Pixel of the ring that lies at a position of an arc, which may be negative, or beyond the arc. */
__device__ __forceinline__ int32_t find_pixel(const armilla_cuda_radial_row &row, int image,
                                              int arc, int32_t position)
{
    int32_t pixel = row.first[image] + arc * row.arc + position;
    while (pixel < 0) pixel += row.n;
    while (pixel >= row.n) pixel -= row.n;
    return pixel;
}

/* The nearest position of the source, and how far east of it the row's position is, radians. */
__device__ __forceinline__ int32_t find_nearest(const armilla_cuda_radial_link &link, int32_t n,
                                                int32_t n_source, int32_t position, double *delta)
{
    const double at = (double)position * (double)n_source;
    const double nearest = rint((at + link.offset) / (double)n);
    *delta = (fma(-nearest, (double)n, at) + link.offset) *
             (6.283185307179586 / ((double)n * (double)n_source));
    return (int32_t)nearest;
}

/* The first position of the source that counts. */
__device__ __forceinline__ int32_t find_first(const armilla_cuda_radial_link &link, int32_t n,
                                              int32_t n_source, int32_t position, double *delta,
                                              const bool uniform)
{
    if (uniform) return position + link.first;
    return find_nearest(link, n, n_source, position, delta) + link.first;
}

/* --- Values ----------------------------------------------------------------------------------- */

__device__ __forceinline__ double cell_value(const armilla_cuda_radial_view &view, double x)
{
    const double last = (double)view.ncells - 1;
    const double place = sqrt(fmin(x, view.end) * (1 / view.end)) * (last + 1);
    const double cell = fmin(fmax(rint(place - 0.5), 0.0), last);
    const double t = fma(2.0, place - cell, -1.0);
    const int64_t number = (int64_t)cell;
    const double *coef = view.coef + (2 * number + !(t < view.border[number])) * (view.degree + 1);
    double sum = coef[view.degree];
    for (int k = view.degree - 1; k >= 0; k--) sum = fma(sum, t, coef[k]);
    return sum;
}

/* The radial kernel at a difference in longitude; 0 beyond the support. */
__device__ __forceinline__ double find_value(const armilla_cuda_radial_view &view,
                                             const armilla_cuda_radial_link &link, double delta)
{
    const double square = delta * delta;
    double sine = view.term[link.nterms - 1];
    for (int t = link.nterms - 2; t >= 0; t--) sine = fma(sine, square, view.term[t]);
    const double x = fma(link.slope, sine * square, link.x0);
    if (x > view.end) return 0;
    if (view.ncells) return cell_value(view, x);
    const double s = fma(2 / view.end, x, -1.0);
    double sum = view.coef[view.degree];
    for (int k = view.degree - 1; k >= 0; k--) sum = fma(sum, s, view.coef[k]);
    return sum;
}

/* --- Sources ---------------------------------------------------------------------------------- */

/* What a pixel of a source is multiplied by. */
__device__ __forceinline__ double find_scale(const armilla_cuda_radial_view &view,
                                             const armilla_cuda_radial_maps &maps,
                                             const armilla_cuda_radial_row &source,
                                             int32_t position)
{
    if (!maps.adjoint) return source.weight;
    if (!view.divisor) return 1;
    int32_t at = position;
    while (at < 0) at += source.arc;
    while (at >= source.arc) at -= source.arc;
    return 1 / view.divisor[source.divisor + source.divisor_step * at];
}

/* Positions begin .. begin + count - 1 of all lanes of a source to piece[lane][PIECE]. */
__device__ __forceinline__ void load_piece(const armilla_cuda_radial_view &view,
                                           const armilla_cuda_radial_maps &maps,
                                           const armilla_cuda_radial_row &source, int32_t begin,
                                           int32_t count, double *piece)
{
    const double *in = maps.in + (int64_t)blockIdx.z * maps.distance;
    for (int32_t j = (int32_t)threadIdx.x; j < count; j += THREADS) {
        const double scale = find_scale(view, maps, source, begin + j);
#pragma unroll
        for (int lane = 0; lane < LANES; lane++) {
            const int image = lane >= view.arcs, arc = lane - image * view.arcs;
            double value = 0;
            if (lane < source.images * view.arcs) {
                const int32_t pixel = find_pixel(source, image, arc, begin + j);
                value = in[source.offset[image] + pixel * source.stride[image]] * scale;
            }
            piece[lane * PIECE + j] = value;
        }
    }
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* What a thread sees of a source: where its values begin, and the longitude there. */
struct window {
    int32_t begin;
    double delta, step; /* radians; between pixels of the source */
};

/* What positions from .. from + count - 1 of a source, in shared memory, give to a thread. */
__device__ __forceinline__ void add_piece(const armilla_cuda_radial_view &view,
                                          const armilla_cuda_radial_link &link, const window &w,
                                          int32_t from, int32_t count, const double *piece,
                                          double *sum, const bool uniform)
{
    const int32_t k0 = from > w.begin ? from - w.begin : 0;
    const int32_t left = from + count - w.begin, k1 = left < link.count ? left : link.count;
    for (int32_t k = k0; k < k1; k++) {
        const double value = uniform ? view.values[link.values + k]
                                     : find_value(view, link, fma(-(double)k, w.step, w.delta));
#pragma unroll
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] = fma(value, piece[lane * PIECE + w.begin + k - from], sum[lane]);
    }
}

/* What a source gives to the tile. */
__device__ __forceinline__ void add_source(const armilla_cuda_radial_view &view,
                                           const armilla_cuda_radial_maps &maps,
                                           const armilla_cuda_radial_row &row, int32_t number,
                                           int32_t tile_first, double *piece, double *sum,
                                           const bool uniform)
{
    const armilla_cuda_radial_link link = view.links[row.link + number];
    const armilla_cuda_radial_row &source = view.rows[row.from + number];
    const int32_t last = tile_first + THREADS < row.arc ? tile_first + THREADS - 1 : row.arc - 1;
    const int32_t mine = tile_first + (int32_t)threadIdx.x;
    const double step = 6.283185307179586 / (double)source.n;
    double delta = 0;
    const int32_t from = find_first(link, row.n, source.n, tile_first, &delta, uniform);
    const int32_t end = find_first(link, row.n, source.n, last, &delta, uniform) + link.count;
    const int32_t begin = find_first(link, row.n, source.n, mine, &delta, uniform);
    const window w = {begin, delta - (double)link.first * step, step};
    for (int32_t at = from; at < end; at += PIECE) {
        const int32_t count = end - at < PIECE ? end - at : (int32_t)PIECE;
        __syncthreads(); /* all threads have used the piece before */
        load_piece(view, maps, source, at, count, piece);
        __syncthreads();
        if (mine <= last) add_piece(view, link, w, at, count, piece, sum, uniform);
    }
}

__device__ __forceinline__ void write_sums(const armilla_cuda_radial_view &view,
                                           const armilla_cuda_radial_maps &maps,
                                           const armilla_cuda_radial_row &row, int32_t position,
                                           const double *sum)
{
    double *out = maps.out + (int64_t)blockIdx.z * maps.distance;
    double scale = maps.adjoint ? row.weight : 1;
    if (!maps.adjoint && view.divisor)
        scale = 1 / view.divisor[row.divisor + row.divisor_step * position];
#pragma unroll
    for (int lane = 0; lane < LANES; lane++) {
        const int image = lane >= view.arcs, arc = lane - image * view.arcs;
        if (lane >= (row.images - row.own) * view.arcs || arc * row.arc + position >= row.n)
            continue;
        const int32_t pixel = find_pixel(row, image, arc, position);
        out[row.offset[image] + pixel * row.stride[image]] = scale * sum[lane];
    }
}

__device__ __forceinline__ void gather_tile(const armilla_cuda_radial_view &view,
                                            const armilla_cuda_radial_maps &maps,
                                            const armilla_cuda_radial_tile &tile, double *piece,
                                            const bool uniform)
{
    const armilla_cuda_radial_row &row = view.rows[tile.row];
    const int32_t position = tile.first + (int32_t)threadIdx.x;
    double sum[LANES] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int32_t i = 0; i < row.nlinks; i++)
        add_source(view, maps, row, i, tile.first, piece, sum, uniform);
    if (position < row.arc) write_sums(view, maps, row, position, sum);
}

__global__ void __launch_bounds__(THREADS)
    gather_uniform(const armilla_cuda_radial_view view, const armilla_cuda_radial_maps maps)
{
    ARMILLA_SHARED(double, piece);
    gather_tile(view, maps, view.tiles[blockIdx.x], piece, true);
}

__global__ void __launch_bounds__(THREADS)
    gather_other(const armilla_cuda_radial_view view, const armilla_cuda_radial_maps maps)
{
    ARMILLA_SHARED(double, piece);
    gather_tile(view, maps, view.tiles[view.nuniform + blockIdx.x], piece, false);
}

} // namespace

cudaError_t armilla_cuda_radial_gather(const armilla_cuda_radial_view *view,
                                       const armilla_cuda_radial_maps *maps, cudaStream_t stream)
{
    const size_t bytes = (size_t)LANES * PIECE * sizeof(double);
    const unsigned sets = (unsigned)maps->count;
    cudaError_t error = cudaSuccess;
    if (view->nuniform)
        error = ARMILLA_LAUNCH(gather_uniform, dim3((unsigned)view->nuniform, 1, sets), THREADS,
                               bytes, stream, *view, *maps);
    if (!error && view->nother)
        error = ARMILLA_LAUNCH(gather_other, dim3((unsigned)view->nother, 1, sets), THREADS, bytes,
                               stream, *view, *maps);
    return error;
}

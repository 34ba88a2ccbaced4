/* The kernels of radial convolution: radial_kernels.h. A thread has a position of a row, all lanes
 * of it; a block reads each piece of a source once for its threads. */
#include "cuda/kernels/radial_places.h"
#include "cuda/kernels/radial_values.h"

namespace
{

enum {
    THREADS = ARMILLA_CUDA_RADIAL_TILE,
    LANES = ARMILLA_CUDA_RADIAL_LANES,
    PIECE = 2 * THREADS /* positions of a source in shared memory */
};

/* What is summed: a map; a pair of Q and U; the weights of pixels. */
enum sums_of { SCALAR, PAIR, WEIGHTS };

template <sums_of KIND> struct sums {
    static const int NCOMP = KIND == PAIR ? 2 : 1;
    double sum[NCOMP][LANES];
    double norm; /* of WEIGHTS: what weights of 1 would give */
};

/* --- Places ----------------------------------------------------------------------------------- */

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

/* --- Sources ---------------------------------------------------------------------------------- */

/* Positions begin .. begin + count - 1 of all lanes of a source to piece[component][lane][PIECE].
 * U of a mirror image has the other sign, so that one value even + i odd serves all lanes. */
template <int NCOMP>
__device__ __forceinline__ void
load_piece(const armilla_cuda_radial_view &view, const armilla_cuda_radial_maps &maps,
           const armilla_cuda_radial_row &source, int32_t begin, int32_t count, double *piece)
{
    const int64_t component = (int64_t)blockIdx.z * NCOMP;
    for (int32_t j = (int32_t)threadIdx.x; j < count; j += THREADS) {
        const double scale = find_scale(view, maps, source, begin + j);
#pragma unroll
        for (int lane = 0; lane < LANES; lane++) {
            const int image = lane >= view.arcs, arc = lane - image * view.arcs;
            const bool exists = lane < source.images * view.arcs;
            int64_t item = 0;
            if (exists)
                item = find_item(view, maps.in_layout, source, image,
                                 find_pixel(source, image, arc, begin + j));
#pragma unroll
            for (int c = 0; c < NCOMP; c++)
                piece[(c * LANES + lane) * PIECE + j] =
                    exists ? get_weighted(maps, component + c, item) * (c && image ? -scale : scale)
                           : 0;
        }
    }
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* What a thread sees of a source: where its values begin, and the longitude there. */
struct window {
    int32_t begin;
    double delta, step; /* radians; between pixels of the source */
    double nearest;     /* from the nearest pixel */
};

template <bool TURNS, bool UNIFORM>
__device__ __forceinline__ kernel_value value_at(const armilla_cuda_radial_view &view,
                                                 const armilla_cuda_radial_link &link,
                                                 const window &w, int32_t k)
{
    if (UNIFORM) return read_value<TURNS>(view, link, k);
    if (link.nfit) return find_fitted<TURNS>(view, link, k, w.nearest);
    return find_value<TURNS>(view, link, fma(-(double)k, w.step, w.delta));
}

/* One value times the pixels of all lanes that stand at `at`. */
template <sums_of KIND>
__device__ __forceinline__ void add_products(const kernel_value &value, const double *at,
                                             sums<KIND> *s)
{
#pragma unroll
    for (int lane = 0; lane < LANES; lane++) {
        const double q = at[lane * PIECE];
        s->sum[0][lane] = fma(value.even, q, s->sum[0][lane]);
        if (KIND != PAIR) continue;
        const double u = at[(LANES + lane) * PIECE];
        double *other = s->sum[sums<KIND>::NCOMP - 1];
        s->sum[0][lane] = fma(-value.odd, u, s->sum[0][lane]);
        other[lane] = fma(value.odd, q, fma(value.even, u, other[lane]));
    }
}

/* What positions from .. from + count - 1 of a source, in shared memory, give to a thread. */
template <sums_of KIND, bool UNIFORM>
__device__ __forceinline__ void add_piece(const armilla_cuda_radial_view &view,
                                          const armilla_cuda_radial_link &link, const window &w,
                                          int32_t from, int32_t count, const double *piece,
                                          double weight, sums<KIND> *s)
{
    const int32_t k0 = from > w.begin ? from - w.begin : 0;
    const int32_t left = from + count - w.begin, k1 = left < link.count ? left : link.count;
    for (int32_t k = k0; k < k1; k++) {
        const kernel_value value = value_at<KIND == PAIR, UNIFORM>(view, link, w, k);
        add_products<KIND>(value, piece + w.begin + k - from, s);
        if (KIND == WEIGHTS) s->norm = fma(weight, value.even, s->norm);
    }
}

/* What a source gives to the tile. */
template <sums_of KIND, bool UNIFORM>
__device__ __forceinline__ void add_source(const armilla_cuda_radial_view &view,
                                           const armilla_cuda_radial_maps &maps,
                                           const armilla_cuda_radial_row &row, int32_t number,
                                           int32_t tile_first, double *piece, sums<KIND> *s)
{
    const armilla_cuda_radial_link link = view.links[row.link + number];
    const armilla_cuda_radial_row &source = view.rows[row.from + number];
    const int32_t last = tile_first + THREADS < row.arc ? tile_first + THREADS - 1 : row.arc - 1;
    const int32_t mine = tile_first + (int32_t)threadIdx.x;
    const double step = 6.283185307179586 / (double)source.n;
    double delta = 0;
    const int32_t from = find_first(link, row.n, source.n, tile_first, &delta, UNIFORM);
    const int32_t end = find_first(link, row.n, source.n, last, &delta, UNIFORM) + link.count;
    const int32_t begin = find_first(link, row.n, source.n, mine, &delta, UNIFORM);
    const window w = {begin, delta - (double)link.first * step, step, delta};
    for (int32_t at = from; at < end; at += PIECE) {
        const int32_t count = end - at < PIECE ? end - at : (int32_t)PIECE;
        __syncthreads(); /* all threads have used the piece before */
        load_piece<sums<KIND>::NCOMP>(view, maps, source, at, count, piece);
        __syncthreads();
        if (mine <= last)
            add_piece<KIND, UNIFORM>(view, link, w, at, count, piece, source.weight, s);
    }
}

/* --- Results ---------------------------------------------------------------------------------- */

/* A sum becomes a pixel. */
template <sums_of KIND>
__device__ __forceinline__ double finish(const armilla_cuda_radial_maps &maps, double sum,
                                         double norm, double scale, int64_t item)
{
    if (KIND == WEIGHTS) return sum > 0 && sum >= maps.least * norm ? sum : 0;
    if (!maps.means) return scale * sum;
    return maps.means[item] > 0 ? sum / maps.means[item] : maps.fill;
}

template <sums_of KIND>
__device__ __forceinline__ void
write_sums(const armilla_cuda_radial_view &view, const armilla_cuda_radial_maps &maps,
           const armilla_cuda_radial_row &row, int32_t position, const sums<KIND> &s)
{
    const int NCOMP = sums<KIND>::NCOMP;
    double scale = maps.adjoint ? row.weight : 1;
    if (!maps.adjoint && view.divisor)
        scale = 1 / view.divisor[row.divisor + row.divisor_step * position];
#pragma unroll
    for (int lane = 0; lane < LANES; lane++) {
        const int image = lane >= view.arcs, arc = lane - image * view.arcs;
        if (lane >= (row.images - row.own) * view.arcs || arc * row.arc + position >= row.n)
            continue;
        const int32_t pixel = find_pixel(row, image, arc, position);
        const int64_t item = find_item(view, maps.out_layout, row, image, pixel);
#pragma unroll
        for (int c = 0; c < NCOMP; c++)
            put_item(maps, (int64_t)blockIdx.z * NCOMP + c, item,
                     finish<KIND>(maps, c && image ? -s.sum[c][lane] : s.sum[c][lane], s.norm,
                                  scale, item));
    }
}

template <sums_of KIND, bool UNIFORM>
__device__ __forceinline__ void gather_tile(const armilla_cuda_radial_view &view,
                                            const armilla_cuda_radial_maps &maps, double *piece)
{
    const armilla_cuda_radial_tile tile = view.tiles[maps.tile[!UNIFORM] + blockIdx.x];
    const armilla_cuda_radial_row &row = view.rows[tile.row];
    const int32_t position = tile.first + (int32_t)threadIdx.x;
    sums<KIND> s;
#pragma unroll
    for (int i = 0; i < sums<KIND>::NCOMP * LANES; i++) s.sum[i / LANES][i % LANES] = 0;
    s.norm = 0;
    for (int32_t i = 0; i < row.nlinks; i++)
        add_source<KIND, UNIFORM>(view, maps, row, i, tile.first, piece, &s);
    if (position < row.arc) write_sums<KIND>(view, maps, row, position, s);
}

template <sums_of KIND>
__global__ void __launch_bounds__(THREADS, KIND == PAIR ? 3 : 4)
    gather_uniform(const armilla_cuda_radial_view view, const armilla_cuda_radial_maps maps)
{
    ARMILLA_SHARED(double, piece);
    gather_tile<KIND, true>(view, maps, piece);
}

template <sums_of KIND>
__global__ void __launch_bounds__(THREADS, KIND == PAIR ? 3 : 4)
    gather_other(const armilla_cuda_radial_view view, const armilla_cuda_radial_maps maps)
{
    ARMILLA_SHARED(double, piece);
    gather_tile<KIND, false>(view, maps, piece);
}

/* --- Launches --------------------------------------------------------------------------------- */

template <sums_of KIND>
cudaError_t gather(const armilla_cuda_radial_view *view, const armilla_cuda_radial_maps *maps,
                   cudaStream_t stream)
{
    const size_t bytes = (size_t)sums<KIND>::NCOMP * LANES * PIECE * sizeof(double);
    const unsigned sets = (unsigned)maps->count;
    cudaError_t error = cudaSuccess;
    if (maps->ntiles[0])
        error = ARMILLA_LAUNCH(gather_uniform<KIND>, dim3((unsigned)maps->ntiles[0], 1, sets),
                               THREADS, bytes, stream, *view, *maps);
    if (!error && maps->ntiles[1])
        error = ARMILLA_LAUNCH(gather_other<KIND>, dim3((unsigned)maps->ntiles[1], 1, sets),
                               THREADS, bytes, stream, *view, *maps);
    return error;
}

} // namespace

cudaError_t armilla_cuda_radial_gather(const armilla_cuda_radial_view *view,
                                       const armilla_cuda_radial_maps *maps, cudaStream_t stream)
{
    return view->ncomp == 2 ? gather<PAIR>(view, maps, stream) : gather<SCALAR>(view, maps, stream);
}

cudaError_t armilla_cuda_radial_gather_weights(const armilla_cuda_radial_view *view,
                                               const armilla_cuda_radial_maps *maps,
                                               cudaStream_t stream)
{
    return gather<WEIGHTS>(view, maps, stream);
}

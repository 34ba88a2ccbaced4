/* The kernels of radial convolution: radial_kernels.h. A thread has two neighbouring positions of a
 * row, or of two rows of equal length, all lanes of them, and goes over what they see: each pixel
 * that it reads from shared memory serves all. A block reads each piece of a source once for its
 * threads. */
#include "cuda/kernels/radial_places.h"
#include "cuda/kernels/radial_values.h"

namespace
{

enum {
    TILE = ARMILLA_CUDA_RADIAL_TILE,
    MINE = 2, /* positions of a thread */
    THREADS = TILE / MINE,
    LANES = ARMILLA_CUDA_RADIAL_LANES,
    PIECE = 192, /* positions of a source in shared memory, of each lane */
    NEAR = 6     /* blocks of a multiprocessor, at least */
};

/* What is summed: a map; a pair of Q and U; the weights of pixels. */
enum sums_of { SCALAR, PAIR, WEIGHTS };

/* The sums of a position. */
template <sums_of KIND> struct sums {
    static const int NCOMP = KIND == PAIR ? 2 : 1;
    static const int ROWS = NCOMP * LANES; /* of shared memory; of WEIGHTS one more: norms */
    double sum[NCOMP][LANES];
    double norm; /* of WEIGHTS: what weights of 1 would give */
};

/* Where a position of a piece is in shared memory. Neighbouring threads use every other one: even
 * positions come before odd ones. */
__device__ __forceinline__ int32_t place_of(int32_t position)
{
    return (position & 1) * (PIECE / 2) + (position >> 1);
}

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

/* Positions begin .. begin + count - 1 of a source go to piece[component][lane][PIECE], all lanes.
 * U of a mirror image has the other sign, so that one value even + i odd serves all lanes. */
struct part {
    const armilla_cuda_radial_view &view;
    const armilla_cuda_radial_maps &maps;
    const armilla_cuda_radial_row &source;
    int32_t begin, count;
    double *piece;
};

/* May plain_pixels read the map? */
__device__ __forceinline__ bool is_plain(const part &p)
{
    const int64_t most = INT32_MAX / (int64_t)sizeof(double);
    bool narrow = true;
    for (int image = 0; image < 2; image++)
        narrow = narrow && p.source.stride[image] <= most && p.source.stride[image] >= -most;
    return !p.maps.weights && (p.maps.in_layout.packed || (!p.view.nside && narrow));
}

/* How a block reads pixels of a map of T, where they have no weights and rings have strides. */
template <int NCOMP, typename T> struct plain_pixels {
    enum { TOGETHER = LANES / NCOMP }; /* lanes that a thread reads at once */
    const char *first[2];              /* pixel 0 of the ring and its image */
    int32_t step[2];                   /* bytes */
    int64_t distance;                  /* components */

    __device__ __forceinline__ explicit plain_pixels(const part &p)
        : distance(p.maps.in_layout.distance)
    {
        const T *in = (const T *)p.maps.in + (int64_t)blockIdx.z * NCOMP * distance;
        const bool packed = p.maps.in_layout.packed;
        for (int i = 0; i < 2; i++) {
            first[i] = (const char *)(in + find_row_item(p.maps.in_layout, p.source, i, 0));
            step[i] = (int32_t)sizeof(T) * (packed ? 1 : (int32_t)p.source.stride[i]);
        }
    }
    __device__ __forceinline__ void get(int image, int32_t pixel, double values[NCOMP]) const
    {
        const T *at = (const T *)((image ? first[1] : first[0]) +
                                  (int64_t)pixel * (image ? step[1] : step[0]));
        for (int c = 0; c < NCOMP; c++) values[c] = (double)at[c * distance];
    }
};

/* Pixels of any map. */
template <int NCOMP> struct any_pixels {
    enum { TOGETHER = 1 };
    const part &p;

    __device__ __forceinline__ void get(int image, int32_t pixel, double values[NCOMP]) const
    {
        const int64_t item = find_item(p.view, p.maps.in_layout, p.source, image, pixel);
        for (int c = 0; c < NCOMP; c++)
            values[c] = get_weighted(p.maps, (int64_t)blockIdx.z * NCOMP + c, item);
    }
};

/* The first position of a piece, or of the tile, that a thread takes: of the 32 of a warp each half
 * has those that are together in shared memory. */
__device__ __forceinline__ int32_t find_share(void)
{
    const int32_t thread = (int32_t)threadIdx.x;
    return (thread & ~31) + 2 * (thread & 15) + (thread >> 4 & 1);
}

/* A thread reads a position of some lanes before it writes any. Lanes that do not exist are that of
 * the last one: nothing waits for a branch. */
template <int NCOMP, class Pixels>
__device__ __forceinline__ void load_pixels(const part &p, const Pixels &pixels)
{
    enum { TOGETHER = Pixels::TOGETHER };
    const int32_t n = p.source.n, arcs = p.view.arcs, last = p.source.images * arcs - 1;
    int32_t first[LANES];
#pragma unroll
    for (int i = 0; i < LANES; i++) {
        const int lane = i < last ? i : last, image = lane >= arcs;
        first[i] = find_pixel(p.source, image, lane - image * arcs, p.begin);
    }
#pragma unroll 1
    for (int32_t j = find_share(); j < p.count; j += THREADS) {
        const double scale = find_scale(p.view, p.maps, p.source, p.begin + j);
        double values[TOGETHER][NCOMP];
        int32_t rest = j;
        while (rest >= n) rest -= n;
#pragma unroll
        for (int i = 0; i < LANES; i++) {
            const int image = (i < last ? i : last) >= arcs, l = i % TOGETHER;
            const int32_t pixel = first[i] + rest;
            pixels.get(image, pixel < n ? pixel : pixel - n, values[l]);
            values[l][0] *= scale;
            if (NCOMP == 2) values[l][NCOMP - 1] *= image ? -scale : scale;
            if (l != TOGETHER - 1) continue;
#pragma unroll
            for (int k = 0; k < TOGETHER * NCOMP; k++) {
                const int lane = i - l + k / NCOMP, c = k % NCOMP;
                p.piece[(c * LANES + lane) * PIECE + place_of(j)] = values[k / NCOMP][c];
            }
        }
    }
}

template <int NCOMP> __device__ __forceinline__ void load_piece(const part &p)
{
    if (!is_plain(p))
        load_pixels<NCOMP>(p, any_pixels<NCOMP>{p});
    else if (p.maps.in_layout.is_float)
        load_pixels<NCOMP>(p, plain_pixels<NCOMP, float>(p));
    else
        load_pixels<NCOMP>(p, plain_pixels<NCOMP, double>(p));
}

/* --- Sums ------------------------------------------------------------------------------------- */

/* What a position sees of a source: where its values begin and how many there are, and the
 * longitude there. */
struct window {
    int32_t begin, count;
    double delta, step; /* radians; between pixels of the source */
    double nearest;     /* from the nearest pixel */
};

template <bool UNIFORM>
__device__ __forceinline__ window find_window(const armilla_cuda_radial_link &link,
                                              const armilla_cuda_radial_row &row, int32_t n_source,
                                              int32_t position)
{
    const double step = 6.283185307179586 / (double)n_source;
    double delta = 0;
    const int32_t begin = find_first(link, row.n, n_source, position, &delta, UNIFORM);
    return {begin, position < row.arc ? link.count : 0, delta - (double)link.first * step, step,
            delta};
}

template <bool TURNS, bool UNIFORM>
__device__ __forceinline__ kernel_value value_at(const armilla_cuda_radial_view &view,
                                                 const armilla_cuda_radial_link &link,
                                                 const window &w, int32_t k)
{
    if (UNIFORM) return read_value<TURNS>(view, link, k);
    if (link.nfit) {
        kernel_value value;
        find_fitted<TURNS, 1>(view, link, k, &w.nearest, &value);
        return value;
    }
    return find_value<TURNS>(view, link, fma(-(double)k, w.step, w.delta));
}

/* A value times a pixel of a lane. */
template <sums_of KIND>
__device__ __forceinline__ void add_product(const kernel_value &value, double q, double u, int lane,
                                            sums<KIND> *s)
{
    double *other = s->sum[sums<KIND>::NCOMP - 1];
    s->sum[0][lane] = fma(value.even, q, s->sum[0][lane]);
    if (KIND != PAIR) return;
    s->sum[0][lane] = fma(-value.odd, u, s->sum[0][lane]);
    other[lane] = fma(value.odd, q, fma(value.even, u, other[lane]));
}

/* What a thread sees of a source, from all its positions: those of the tile's rows, MINE of each.
 */
template <int ROWS> struct view_of_source {
    armilla_cuda_radial_link link[ROWS];
    window w[ROWS * MINE];
    int32_t begin, end;           /* of the thread's windows */
    int32_t tile_begin, tile_end; /* of all windows of the tile */
};

/* Adds the products of a piece in shared memory. Where the second window begins one behind the
 * first, its values have the polynomials that those of the first had a step before. */
template <sums_of KIND, bool UNIFORM, int ROWS>
__device__ __forceinline__ void add_piece(const part &p, const view_of_source<ROWS> &seen,
                                          sums<KIND> s[ROWS * MINE])
{
    const bool TURNS = KIND == PAIR;
    const int32_t left = p.begin + p.count, to = left < seen.end ? left : seen.end;
    const int32_t first = p.begin > seen.begin ? p.begin : seen.begin;
    const bool follows =
        !UNIFORM && !TURNS && seen.link[0].nfit && seen.w[1].begin == seen.w[0].begin + 1;
    kernel_value ahead = {0, 0}; /* of the second position, one step on */
    for (int32_t at = first; at < to; at++) {
        const double *pixels = p.piece + place_of(at - p.begin);
        kernel_value value[ROWS * MINE];
        bool counts[ROWS * MINE];
#pragma unroll
        for (int i = 0; i < ROWS * MINE; i++) {
            const armilla_cuda_radial_link &link = seen.link[i / MINE];
            const int32_t k = at - seen.w[i].begin;
            counts[i] = k >= 0 && k < seen.w[i].count;
            if (!counts[i]) continue;
            if (!follows || (i && at == first))
                value[i] = value_at<TURNS, UNIFORM>(p.view, link, seen.w[i], k);
            else if (i)
                value[i] = ahead;
        }
        if (follows && counts[0]) {
            const double nearest[MINE] = {seen.w[0].nearest, seen.w[1].nearest};
            kernel_value both[MINE];
            find_fitted<TURNS, MINE>(p.view, seen.link[0], at - seen.w[0].begin, nearest, both);
            value[0] = both[0], ahead = both[1];
        }
#pragma unroll
        for (int i = 0; i < ROWS * MINE; i++)
            if (KIND == WEIGHTS && counts[i])
                s[i].norm = fma(p.source.weight, value[i].even, s[i].norm);
#pragma unroll
        for (int lane = 0; lane < LANES; lane++) {
            const double q = pixels[lane * PIECE];
            const double u = KIND == PAIR ? pixels[(LANES + lane) * PIECE] : 0;
#pragma unroll
            for (int i = 0; i < ROWS * MINE; i++)
                if (counts[i]) add_product<KIND>(value[i], q, u, lane, &s[i]);
        }
    }
}

/* The rows that a block has: one, or it and the next. */
template <int ROWS> struct tile_rows {
    int32_t first, count, position; /* the first row, how many, their first position */
};

__device__ __forceinline__ int32_t smaller_of(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

__device__ __forceinline__ int32_t larger_of(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Given: the source's number among rows, which one of the tile's rows sees. */
template <bool UNIFORM, int ROWS>
__device__ __forceinline__ view_of_source<ROWS>
find_view(const armilla_cuda_radial_view &view, const tile_rows<ROWS> &tile, int32_t number)
{
    view_of_source<ROWS> seen;
    const int32_t n_source = view.rows[number].n;
    seen.begin = seen.tile_begin = INT32_MAX, seen.end = seen.tile_end = INT32_MIN;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const armilla_cuda_radial_row &row = view.rows[tile.first + (r < tile.count ? r : 0)];
        const int32_t link = number - row.from;
        const bool sees = ROWS == 1 || (r < tile.count && link >= 0 && link < row.nlinks);
        for (int i = 0; i < MINE; i++) seen.w[r * MINE + i].begin = seen.w[r * MINE + i].count = 0;
        if (!sees) continue;
        const int32_t last = smaller_of(tile.position + TILE, row.arc) - 1;
        const int32_t mine = tile.position + MINE * (int32_t)threadIdx.x;
        double delta = 0;
        seen.link[r] = view.links[row.link + link];
        const int32_t count = seen.link[r].count;
        for (int i = 0; i < MINE; i++)
            seen.w[r * MINE + i] = find_window<UNIFORM>(seen.link[r], row, n_source, mine + i);
        if (mine <= last) {
            seen.begin = smaller_of(seen.begin, seen.w[r * MINE].begin);
            seen.end = larger_of(seen.end, seen.w[r * MINE + MINE - 1].begin + count);
        }
        seen.tile_begin = smaller_of(seen.tile_begin, find_first(seen.link[r], row.n, n_source,
                                                                 tile.position, &delta, UNIFORM));
        seen.tile_end = larger_of(seen.tile_end, count + find_first(seen.link[r], row.n, n_source,
                                                                    last, &delta, UNIFORM));
    }
    return seen;
}

/* What a source gives to the tile. */
template <sums_of KIND, bool UNIFORM, int ROWS>
__device__ __forceinline__ void
add_source(const armilla_cuda_radial_view &view, const armilla_cuda_radial_maps &maps,
           const tile_rows<ROWS> &tile, int32_t number, double *piece, sums<KIND> s[ROWS * MINE])
{
    const view_of_source<ROWS> seen = find_view<UNIFORM>(view, tile, number);
    for (int32_t at = seen.tile_begin; at < seen.tile_end; at += PIECE) {
        const int32_t count = smaller_of(seen.tile_end - at, PIECE);
        const part p = {view, maps, view.rows[number], at, count, piece};
        __syncthreads(); /* all threads have used the piece before */
        load_piece<sums<KIND>::NCOMP>(p);
        __syncthreads();
        add_piece<KIND, UNIFORM>(p, seen, s);
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

/* A thread gives its sums to the threads that write them: neighbouring positions at once. */
template <sums_of KIND>
__device__ __forceinline__ void exchange_sums(const sums<KIND> s[MINE], double *piece)
{
    __syncthreads(); /* all threads have used the last piece */
#pragma unroll
    for (int p = 0; p < MINE; p++) {
        double *to = piece + place_of(MINE * (int32_t)threadIdx.x + p);
#pragma unroll
        for (int i = 0; i < sums<KIND>::ROWS; i++) to[i * PIECE] = s[p].sum[i / LANES][i % LANES];
        if (KIND == WEIGHTS) to[sums<KIND>::ROWS * PIECE] = s[p].norm;
    }
    __syncthreads();
}

/* from: the sums of a position, those of lanes PIECE apart. */
template <sums_of KIND>
__device__ __forceinline__ void
write_sums(const armilla_cuda_radial_view &view, const armilla_cuda_radial_maps &maps,
           const armilla_cuda_radial_row &row, int32_t position, const double *from)
{
    const int NCOMP = sums<KIND>::NCOMP;
    const double norm = KIND == WEIGHTS ? from[sums<KIND>::ROWS * PIECE] : 0;
    double scale = maps.adjoint ? row.weight : 1;
    if (!maps.adjoint && view.divisor)
        scale = 1 / view.divisor[row.divisor + row.divisor_step * position];
#pragma unroll 1
    for (int lane = 0; lane < (row.images - row.own) * view.arcs; lane++) {
        const int image = lane >= view.arcs, arc = lane - image * view.arcs;
        if (arc * row.arc + position >= row.n) continue;
        const int32_t pixel = find_pixel(row, image, arc, position);
        const int64_t item = find_item(view, maps.out_layout, row, image, pixel);
#pragma unroll
        for (int c = 0; c < NCOMP; c++) {
            const double sum = from[(c * LANES + lane) * PIECE];
            put_item(maps, (int64_t)blockIdx.z * NCOMP + c, item,
                     finish<KIND>(maps, c && image ? -sum : sum, norm, scale, item));
        }
    }
}

/* Are these two rows, of a launch for uniform ones, worked on together? */
__device__ __forceinline__ bool are_together(const armilla_cuda_radial_view &view, int32_t even)
{
    const armilla_cuda_radial_row &a = view.rows[even], &b = view.rows[even + 1];
    return a.uniform && b.uniform && a.n == b.n && a.arc == b.arc;
}

/* The rows of this block; none, where the block of the row before has this one as well. */
template <bool UNIFORM, int ROWS>
__device__ __forceinline__ tile_rows<ROWS> find_tile(const armilla_cuda_radial_view &view,
                                                     const armilla_cuda_radial_maps &maps)
{
    const armilla_cuda_radial_tile *tiles = view.tiles + maps.tile[!UNIFORM];
    const armilla_cuda_radial_tile mine = tiles[blockIdx.x];
    if (ROWS == 1) return {mine.row, 1, mine.first};
    const int32_t even = mine.row & ~1;
    const bool both =
        tiles[0].row <= even && even < tiles[gridDim.x - 1].row && are_together(view, even);
    return {mine.row, both ? 2 * (mine.row == even) : 1, mine.first};
}

template <sums_of KIND, bool UNIFORM>
__device__ __forceinline__ void gather_tile(const armilla_cuda_radial_view &view,
                                            const armilla_cuda_radial_maps &maps, double *piece)
{
    enum { ROWS = UNIFORM && KIND != PAIR ? 2 : 1 };
    const tile_rows<ROWS> tile = find_tile<UNIFORM, ROWS>(view, maps);
    sums<KIND> s[ROWS * MINE];
    if (!tile.count) return;
#pragma unroll
    for (int p = 0; p < ROWS * MINE; p++) {
        for (int i = 0; i < sums<KIND>::ROWS; i++) s[p].sum[i / LANES][i % LANES] = 0;
        s[p].norm = 0;
    }
    const armilla_cuda_radial_row &row = view.rows[tile.first];
    const armilla_cuda_radial_row &last = view.rows[tile.first + tile.count - 1];
    const int32_t end = larger_of(row.from + row.nlinks, last.from + last.nlinks);
    for (int32_t i = smaller_of(row.from, last.from); i < end; i++)
        add_source<KIND, UNIFORM>(view, maps, tile, i, piece, s);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        if (r >= tile.count) break;
        exchange_sums<KIND>(s + r * MINE, piece);
        for (int32_t at = find_share(); at < TILE; at += THREADS)
            if (tile.position + at < row.arc)
                write_sums<KIND>(view, maps, view.rows[tile.first + r], tile.position + at,
                                 piece + place_of(at));
    }
}

template <sums_of KIND>
__global__ void __launch_bounds__(THREADS, NEAR)
    gather_uniform(const armilla_cuda_radial_view view, const armilla_cuda_radial_maps maps)
{
    ARMILLA_SHARED(double, piece);
    gather_tile<KIND, true>(view, maps, piece);
}

template <sums_of KIND>
__global__ void __launch_bounds__(THREADS, NEAR)
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
    const size_t rows = (size_t)sums<KIND>::ROWS + (KIND == WEIGHTS);
    const size_t bytes = rows * PIECE * sizeof(double);
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

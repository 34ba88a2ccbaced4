/* The kernels of radial convolution by Fourier coefficients of rings: radial_mixing_tables.h says
 * what blocks and threads have. Of spin 2, (8.21), a tile is half as large, and its samples have an
 * even and an odd part: all arrays have the same sizes. */
#include "cuda/kernels/radial_mixing_kernels.h"
#include "cuda/kernels/radial_profile.h"

namespace
{

enum {
    THREADS = ARMILLA_CUDA_MIXING_ORDERS,
    WIDTH = ARMILLA_CUDA_MIXING_WIDTH,
    GROUP = ARMILLA_CUDA_MIXING_GROUP,
    SLOTS = ARMILLA_CUDA_MIXING_TILE * GROUP, /* numbers of a longitude: (p, q), or their parts */
    PIECE = 128                               /* longitudes in shared memory, even */
};

/* What spin 2 changes. */
template <bool TURNS> struct shape {
    enum {
        PAIRS = TURNS ? ARMILLA_CUDA_MIXING_TILE / 2 : ARMILLA_CUDA_MIXING_TILE,
        MATCHES = PAIRS * GROUP, /* (p, q) */
        NUMBERS = TURNS ? 8 : 4  /* of an entry: of a set, or of both */
    };
};

/* --- Samples ---------------------------------------------------------------------------------- */

/* Between two rings: x = base + sines sin^2(phi / 2), and of spin 2 z of (8.18). */
struct match {
    double base, sines, difference, sum;
};

__device__ __forceinline__ match find_match(const armilla_cuda_mixing_view &view,
                                            const armilla_cuda_mixing_tile &tile,
                                            const armilla_cuda_mixing_group &group, int number)
{
    const int32_t p = tile.pair[number / GROUP], q = group.pair[number % GROUP];
    if (p < 0 || q < 0) return {4, 0, 1, 1}; /* beyond any support */
    const double other = 0.5 * (view.theta[p] - view.theta[q]);
    const double both = 0.5 * (view.theta[p] + view.theta[q]);
    const double s = group.crossed ? cos(both) : sin(other);
    match m = {s * s, view.sine[p] * view.sine[q], 0, 0};
    if (!view.turns) return m;
    m.difference = group.crossed ? sin(both) : cos(other);
    m.sum = group.crossed ? -sin(other) : cos(both);
    return m;
}

/* K; 0 beyond the support. The antipode of a pixel may have an x that is rounded above 1. */
__device__ __forceinline__ double find_value(const armilla_cuda_mixing_view &view, double x)
{
    return profile_value(view, x < 2 ? fmin(x, 1.0) : x);
}

/* K conj(z^4) / |z|^4, z = p + i q; 0 near the antipode, where there is no direction
 * (radial/profile/kernels/turned.h). */
__device__ __forceinline__ double2 turn_value(double value, double p, double q)
{
    const double least = 1e-24;
    const double re = p * p - q * q, im = 2 * p * q, size = p * p + q * q;
    const double scale = size < least ? 0 : value / (size * size);
    return make_double2(scale * (re * re - im * im), -2 * scale * re * im);
}

/* `count` longitudes from `begin` on, to samples[longitude][SLOTS]. A thread has one (p, q). */
template <bool TURNS>
__device__ __forceinline__ void fill_samples(const armilla_cuda_mixing_view &view,
                                             const armilla_cuda_mixing_table &table, const match &m,
                                             int64_t begin, int count, double *samples)
{
    enum { MATCHES = shape<TURNS>::MATCHES };
    const int number = (int)threadIdx.x % MATCHES;
    for (int i = (int)threadIdx.x / MATCHES; i < count; i += THREADS / MATCHES) {
        const int64_t j = begin + i;
        const double x = fma(m.sines, view.numbers[table.sine + j], m.base);
        const double value = find_value(view, x) * view.numbers[table.weight + j];
        double *slot = samples + i * SLOTS + number;
        slot[0] = value;
        if (!TURNS) continue;
        const double *angle = view.numbers + table.half_angle + j;
        const double2 turned =
            turn_value(value, m.difference * angle[0], m.sum * angle[table.count]);
        slot[0] = turned.x, slot[MATCHES] = turned.y;
    }
}

/* --- Waves ------------------------------------------------------------------------------------ */

/* Cosine and sine of an order at one longitude after the other: those of the order below WIDTH that
 * it is modulo WIDTH, turned by a root of unity. */
struct wave {
    const double *low, *circle;
    int32_t odd, length, at, step; /* odd: from cosines to sines */

    __device__ __forceinline__ wave(const armilla_cuda_mixing_view &view,
                                    const armilla_cuda_mixing_table &table, int64_t m)
        : low(view.numbers + table.waves + m % WIDTH), circle(view.numbers + table.circle),
          odd((int32_t)table.count * WIDTH), length((int32_t)table.length)
    {
        const int32_t begin = (int32_t)(m - m % WIDTH) % length;
        const bool half = table.length != table.n;
        at = half ? begin : 0;
        step = half ? 2 * begin % length : begin;
    }
    __device__ __forceinline__ double2 next()
    {
        const double2 root = reinterpret_cast<const double2 *>(circle)[at];
        const double c = low[0], s = low[odd];
        low += WIDTH, at += step;
        if (at >= length) at -= length;
        return make_double2(fma(-root.y, s, root.x * c), fma(root.y, c, root.x * s));
    }
};

/* --- Sums over longitudes --------------------------------------------------------------------- */

/* One longitude. */
template <bool TURNS>
__device__ __forceinline__ void add_sample(const double *samples, double2 w, double *sum)
{
#pragma unroll
    for (int r = 0; r < SLOTS; r++)
        sum[r] = fma(samples[r], TURNS && r >= shape<TURNS>::MATCHES ? w.y : w.x, sum[r]);
}

/* Even and odd longitudes apart; or all of them, for both orders of the thread. */
template <bool TURNS>
__device__ __forceinline__ void add_piece(bool folded, int count, const double *samples, wave *low,
                                          wave *high, double first[SLOTS], double second[SLOTS])
{
    if (folded) {
        for (int j = 0; j < count; j += 2) {
            add_sample<TURNS>(samples + j * SLOTS, low->next(), first);
            add_sample<TURNS>(samples + (j + 1) * SLOTS, low->next(), second);
        }
        return;
    }
    for (int j = 0; j < count; j++) {
        add_sample<TURNS>(samples + j * SLOTS, low->next(), first);
        add_sample<TURNS>(samples + j * SLOTS, high->next(), second);
    }
}

/* Orders n / 2 and -n / 2 are one, and there are none beyond. */
__device__ __forceinline__ double end_scale(int64_t m, int64_t n)
{
    return 2 * m < n ? 1 : 2 * m == n ? 0.5 : 0;
}

/* E_m and O_m of (8.21) become W_m and W_(-m). */
__device__ __forceinline__ void turn_sums(double sum[SLOTS])
{
#pragma unroll
    for (int r = 0; r < SLOTS / 2; r++) {
        const double even = sum[r], odd = sum[r + SLOTS / 2];
        sum[r] = even + odd, sum[r + SLOTS / 2] = even - odd;
    }
}

/* Sums become those of the thread's orders, the low one's first. */
template <bool TURNS>
__device__ __forceinline__ void finish_sums(const armilla_cuda_mixing_table &table, int64_t low,
                                            int64_t high, double first[SLOTS], double second[SLOTS])
{
    enum { MATCHES = shape<TURNS>::MATCHES };
    const double low_scale = table.folded ? 1 : end_scale(low, table.n);
    const double high_scale = table.folded ? 1 : end_scale(high, table.n);
#pragma unroll
    for (int r = 0; r < SLOTS; r++) {
        const double even = first[r], odd = second[r];
        const double other = TURNS && r >= MATCHES ? odd - even : even - odd;
        first[r] = table.folded ? even + odd : low_scale * even;
        second[r] = table.folded ? other : high_scale * odd;
    }
    if (!TURNS) return;
    turn_sums(first);
    turn_sums(second);
}

/* --- Mixing ----------------------------------------------------------------------------------- */

/* The entry of an order and a pair, north and south exchanged where crossed. */
__device__ __forceinline__ void get_set(const double *values, bool crossed, double *entry)
{
    const double2 north = reinterpret_cast<const double2 *>(values)[0];
    const double2 south = reinterpret_cast<const double2 *>(values)[1];
    entry[0] = crossed ? south.x : north.x, entry[1] = crossed ? south.y : north.y;
    entry[2] = crossed ? north.x : south.x, entry[3] = crossed ? north.y : south.y;
}

/* Q and U become Q + i U of the north with Q - i U of the south, and the other way round. Where
 * crossed, north and south have changed places, and so do sets: signs stay where they were. */
__device__ __forceinline__ void turn_sets(double *entry)
{
#pragma unroll
    for (int south = 0; south < 2; south++) {
        double *q = entry + 2 * south, *u = q + 4;
        const double sign = south ? -1 : 1;
        const double re = q[0], im = q[1], u_re = sign * u[0], u_im = sign * u[1];
        q[0] = re - u_im, q[1] = im + u_re;
        u[0] = re + u_im, u[1] = im - u_re;
    }
}

template <bool TURNS>
__device__ __forceinline__ void get_entry(const armilla_cuda_mixing_legs &legs, int64_t m,
                                          int32_t pair, bool crossed, double *entry)
{
    const double *values = legs.in + m * legs.in_row + 4 * (int64_t)pair;
    get_set(values, crossed, entry);
    if (!TURNS) return;
    get_set(values + legs.in_set, crossed, entry + 4);
    turn_sets(entry);
}

/* What a group gives to the tile's sums of an order. */
template <bool TURNS>
__device__ __forceinline__ void
add_products(const armilla_cuda_mixing_view &view, const armilla_cuda_mixing_legs &legs,
             const armilla_cuda_mixing_group &group, int64_t m, const double k[SLOTS],
             double sum[shape<TURNS>::PAIRS][shape<TURNS>::NUMBERS])
{
    enum { PAIRS = shape<TURNS>::PAIRS, NUMBERS = shape<TURNS>::NUMBERS };
#pragma unroll
    for (int q = 0; q < GROUP; q++) {
        const int32_t pair = group.pair[q];
        double entry[NUMBERS];
        if (pair < 0 || m > view.limit[pair]) continue;
        get_entry<TURNS>(legs, m, pair, group.crossed != 0, entry);
#pragma unroll
        for (int p = 0; p < PAIRS; p++)
#pragma unroll
            for (int c = 0; c < NUMBERS; c++)
                sum[p][c] = fma(k[(p + c / 4 * PAIRS) * GROUP + q], entry[c], sum[p][c]);
    }
}

__device__ __forceinline__ void put_set(const double *entry, double *values)
{
    reinterpret_cast<double2 *>(values)[0] = make_double2(entry[0], entry[1]);
    reinterpret_cast<double2 *>(values)[1] = make_double2(entry[2], entry[3]);
}

/* The way back from turn_sets. */
__device__ __forceinline__ void turn_back(double *entry)
{
#pragma unroll
    for (int south = 0; south < 2; south++) {
        double *a = entry + 2 * south, *b = a + 4;
        const double sign = south ? -0.5 : 0.5;
        const double re = a[0], im = a[1], b_re = b[0], b_im = b[1];
        a[0] = 0.5 * (re + b_re), a[1] = 0.5 * (im + b_im);
        b[0] = sign * (im - b_im), b[1] = sign * (b_re - re);
    }
}

template <bool TURNS>
__device__ __forceinline__ void put_sums(const armilla_cuda_mixing_view &view,
                                         const armilla_cuda_mixing_legs &legs,
                                         const armilla_cuda_mixing_tile &tile, int64_t m,
                                         double sum[shape<TURNS>::PAIRS][shape<TURNS>::NUMBERS])
{
#pragma unroll
    for (int p = 0; p < shape<TURNS>::PAIRS; p++) {
        const int32_t pair = tile.pair[p];
        if (pair < 0 || m > view.limit[pair]) continue;
        double *values = legs.out + m * legs.out_row + 4 * (int64_t)pair;
        if (TURNS) turn_back(sum[p]);
        put_set(sum[p], values);
        if (TURNS) put_set(sum[p] + 4, values + legs.out_set);
    }
}

/* --- A block ---------------------------------------------------------------------------------- */

/* K_m of a group for the thread's two orders. */
template <bool TURNS>
__device__ __forceinline__ void
sum_group(const armilla_cuda_mixing_view &view, const armilla_cuda_mixing_tile &tile,
          const armilla_cuda_mixing_group &group, int64_t low, double *samples, double first[SLOTS],
          double second[SLOTS])
{
    const armilla_cuda_mixing_table &table = view.tables[group.table];
    const match m = find_match(view, tile, group, (int)threadIdx.x % shape<TURNS>::MATCHES);
    const bool mine = 2 * low < tile.top;
    const int64_t high = mine ? tile.top - low : 0;
    wave low_wave(view, table, low), high_wave(view, table, high);
#pragma unroll
    for (int r = 0; r < SLOTS; r++) first[r] = second[r] = 0;
    for (int64_t begin = 0; begin < group.count; begin += PIECE) {
        const int64_t rest = group.count - begin;
        const int count = rest < PIECE ? (int)rest : (int)PIECE;
        __syncthreads(); /* all threads have used the piece before */
        fill_samples<TURNS>(view, table, m, begin, count, samples);
        __syncthreads();
        if (mine)
            add_piece<TURNS>(table.folded != 0, count, samples, &low_wave, &high_wave, first,
                             second);
    }
    finish_sums<TURNS>(table, low, high, first, second);
}

template <bool TURNS>
__device__ __forceinline__ void mix_task(const armilla_cuda_mixing_view &view,
                                         const armilla_cuda_mixing_legs &legs, double *samples)
{
    enum { PAIRS = shape<TURNS>::PAIRS, NUMBERS = shape<TURNS>::NUMBERS };
    const armilla_cuda_mixing_task task = view.tasks[blockIdx.x];
    const armilla_cuda_mixing_tile &tile = view.tiles[task.tile];
    const int64_t low = task.first + (int64_t)threadIdx.x;
    const bool mine = 2 * low < tile.top;
    double sum[2][PAIRS][NUMBERS] = {}, first[SLOTS], second[SLOTS];
    for (int64_t g = tile.group; g < tile.group + tile.ngroups; g++) {
        const armilla_cuda_mixing_group group = view.groups[g];
        sum_group<TURNS>(view, tile, group, low, samples, first, second);
        if (!mine) continue;
        add_products<TURNS>(view, legs, group, low, first, sum[0]);
        add_products<TURNS>(view, legs, group, tile.top - low, second, sum[1]);
    }
    if (!mine) return;
    put_sums<TURNS>(view, legs, tile, low, sum[0]);
    put_sums<TURNS>(view, legs, tile, tile.top - low, sum[1]);
}

__global__ void __launch_bounds__(THREADS, 3)
    mix_rings(const armilla_cuda_mixing_view view, const armilla_cuda_mixing_legs legs)
{
    ARMILLA_SHARED(double, samples);
    mix_task<false>(view, legs, samples);
}

__global__ void __launch_bounds__(THREADS, 3)
    mix_turned_rings(const armilla_cuda_mixing_view view, const armilla_cuda_mixing_legs legs)
{
    ARMILLA_SHARED(double, samples);
    mix_task<true>(view, legs, samples);
}

/* --- Divisors --------------------------------------------------------------------------------- */

enum { PIXELS = 256 };

template <typename T>
__device__ __forceinline__ void divide_pixel(int64_t count, const double *divisor, const T *from,
                                             T *to)
{
    const int64_t i = (int64_t)blockIdx.x * PIXELS + threadIdx.x;
    if (i < count && divisor[i] != 0) to[i] = (T)((double)from[i] / divisor[i]);
}

__global__ void __launch_bounds__(PIXELS)
    divide_doubles(int64_t count, const double *divisor, const double *from, double *to)
{
    divide_pixel(count, divisor, from, to);
}

__global__ void __launch_bounds__(PIXELS)
    divide_floats(int64_t count, const double *divisor, const float *from, float *to)
{
    divide_pixel(count, divisor, from, to);
}

} // namespace

cudaError_t armilla_cuda_mixing_mix(const armilla_cuda_mixing_view *view,
                                    const armilla_cuda_mixing_legs *legs, cudaStream_t stream)
{
    const size_t bytes = (size_t)PIECE * SLOTS * sizeof(double);
    const unsigned blocks = (unsigned)view->ntasks;
    if (view->turns)
        return ARMILLA_LAUNCH(mix_turned_rings, blocks, THREADS, bytes, stream, *view, *legs);
    return ARMILLA_LAUNCH(mix_rings, blocks, THREADS, bytes, stream, *view, *legs);
}

cudaError_t armilla_cuda_mixing_divide(int64_t count, const double *divisor, int is_float,
                                       const void *from, void *to, cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((count + PIXELS - 1) / PIXELS);
    if (is_float)
        return ARMILLA_LAUNCH(divide_floats, blocks, PIXELS, 0, stream, count, divisor,
                              (const float *)from, (float *)to);
    return ARMILLA_LAUNCH(divide_doubles, blocks, PIXELS, 0, stream, count, divisor,
                          (const double *)from, (double *)to);
}

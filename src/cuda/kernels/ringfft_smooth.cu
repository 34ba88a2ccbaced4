/* Rings of smooth lengths n, from leg to map and back in one kernel each: a block has a slot of one
 * set in shared memory, or several where they are short, and transforms it there by passes of R = 2
 * to 8 numbers. With s the product of the radices before, stretches of s numbers have transforms of
 * their own, and R of them become one of R s,
 *
 *     y_{r + t s} = sum_q exp(2 pi i q t / R) exp(2 pi i q r / (R s)) x_{r + q s},   0 <= r < s,
 *
 * in place: a thread reads and writes the same numbers, r of R stretches. Numbers are put at first
 * where the table of the slot says, so that they lie in sequence at last. */
#include "cuda/kernels/ringfft_classes.h"
#include "cuda/kernels/ringfft_orders.h"
#include "cuda/kernels/ringfft_pixels.h"
#include "cuda/kernels/ringfft_radix.h"

namespace
{

enum { SMOOTH_THREADS = 256, SMOOTH_NEAR = 768 }; /* of a block, of a multiprocessor */

/* Slots of a block that have so much room each, 3 * 2^k numbers; each has as many threads. */
__host__ __device__ __forceinline__ int rows_of_room(int64_t room)
{
    return ARMILLA_CUDA_RING_SMOOTH / (int)room;
}

/* A slot of the block, of its set or pair of sets; its numbers and table, and what this thread is
 * of its threads. */
template <typename REAL> struct smooth_row {
    typedef complex_of<REAL> COMPLEX;
    const armilla_cuda_ring_slot *slot; /* NULL: there is none */
    unsigned number;                    /* of the set or pair */
    COMPLEX *numbers;
    const int32_t *places;
    const factor_of<REAL> *roots;
    int n, thread, threads;

    __device__ __forceinline__ smooth_row(const armilla_cuda_ring_slots &slots,
                                          const armilla_cuda_ring_class &some,
                                          const factor_of<REAL> *tables, COMPLEX *shared)
        : places(NULL), roots(NULL), n(0)
    {
        const int rows = rows_of_room(some.padded);
        const ring_group<REAL> group(slots, some, (unsigned)rows);
        number = group.number;
        threads = SMOOTH_THREADS / rows;
        const int row = (int)threadIdx.x / threads;
        thread = (int)threadIdx.x % threads;
        numbers = shared + row * (int)some.padded;
        slot = group.find((unsigned)row).slot;
        if (!slot) return;
        n = (int)slot->n;
        places = reinterpret_cast<const int32_t *>(tables + slot->filter);
        roots = tables + slot->filter + armilla_cuda_ring_places_size(n);
    }
    /* Number k before the first pass, and after the last one. */
    __device__ __forceinline__ COMPLEX &before(int k) const
    {
        return numbers[__ldg(&places[k])];
    }
    __device__ __forceinline__ COMPLEX &after(int k) const
    {
        return numbers[armilla_cuda_ring_fold(k)];
    }
};

/* --- Passes ---------------------------------------------------------------------------------- */

/* b / s for b s < 2^31, where inverse = 2^31 / s + 1. */
__device__ __forceinline__ int divide(int b, uint32_t inverse)
{
    return (int)(((uint64_t)(2 * b) * inverse) >> 32);
}

/* One pass, after those whose radices have the product s. */
template <int R, typename REAL>
__device__ __forceinline__ void run_pass(const smooth_row<REAL> &row, int s,
                                         const factor_of<REAL> *roots)
{
    typedef complex_of<REAL> COMPLEX;
    const uint32_t inverse = 0x80000000u / (uint32_t)s + 1;
#pragma unroll 1
    for (int b = row.thread; b * R < row.n; b += row.threads) {
        const int stretch = divide(b, inverse) * s, r = b - stretch;
        COMPLEX x[R];
        for (int q = 0; q < R; q++) x[q] = row.after(stretch * R + r + q * s);
        if (s > 1) turn_powers<R>(__ldg(&roots[r]), x);
        few<R, 1>::transform(x);
        for (int q = 0; q < R; q++) row.after(stretch * R + r + q * s) = x[q];
    }
}

/* All threads of the block meet the barriers of as many passes, some of which are empty. */
template <typename REAL>
__device__ __forceinline__ void run_passes(const smooth_row<REAL> &row, int passes)
{
    uint32_t radices = row.slot ? row.slot->radices : 0;
    const factor_of<REAL> *roots = row.roots;
    int s = 1;
#pragma unroll 1
    for (int pass = 0; pass < passes; pass++, radices >>= 4) {
        const int radix = (int)(radices & 15);
        __syncthreads();
        if (radix == 2) run_pass<2>(row, s, roots);
        if (radix == 3) run_pass<3>(row, s, roots);
        if (radix == 4) run_pass<4>(row, s, roots);
        if (radix == 5) run_pass<5>(row, s, roots);
        if (radix == 6) run_pass<6>(row, s, roots);
        if (radix == 7) run_pass<7>(row, s, roots);
        if (radix == 8) run_pass<8>(row, s, roots);
        if (s > 1) roots += s;
        s *= radix;
    }
    __syncthreads();
}

/* --- Rings ----------------------------------------------------------------------------------- */

template <typename REAL>
__global__ void __launch_bounds__(SMOOTH_THREADS, SMOOTH_NEAR / SMOOTH_THREADS)
    write_smooth(const armilla_cuda_ring_slots slots, const armilla_cuda_ring_classes classes,
                 const armilla_cuda_ring_rows rows, const armilla_cuda_ring_map map,
                 const factor_of<REAL> *tables)
{
    ARMILLA_SHARED(complex_of<REAL>, shared);
    const armilla_cuda_ring_class some = find_class(classes);
    const smooth_row<REAL> row(slots, some, tables, shared);
    const armilla_cuda_ring_rows from = set_rows<REAL>(rows, row.number, slots.nsets);
#pragma unroll 1
    for (int k = row.thread; row.slot && 2 * k <= row.n; k += row.threads) {
        const place_values<REAL> v = add_orders<REAL>(from, *row.slot, k);
        row.before(k) = v.plus;
        if (!is_alone(k, row.n)) row.before(row.n - k) = v.minus;
    }
    run_passes(row, (int)some.parts);
    const armilla_cuda_ring_map to = find_map<REAL>(map, row.number, slots.nsets);
#pragma unroll 1
    for (int j = row.thread; j < row.n; j += row.threads)
        write_samples(to, *row.slot, j, row.after(j));
}

template <typename REAL>
__global__ void __launch_bounds__(SMOOTH_THREADS, SMOOTH_NEAR / SMOOTH_THREADS)
    read_smooth(const armilla_cuda_ring_slots slots, const armilla_cuda_ring_classes classes,
                const armilla_cuda_ring_rows rows, const armilla_cuda_ring_map map,
                const factor_of<REAL> *tables)
{
    ARMILLA_SHARED(complex_of<REAL>, shared);
    const armilla_cuda_ring_class some = find_class(classes);
    const smooth_row<REAL> row(slots, some, tables, shared);
    const armilla_cuda_ring_map from = find_map<REAL>(map, row.number, slots.nsets);
#pragma unroll 1
    for (int j = row.thread; j < row.n; j += row.threads)
        row.before(j) = read_samples<REAL>(from, *row.slot, j);
    run_passes(row, (int)some.parts);
    const armilla_cuda_ring_rows to = set_rows<REAL>(rows, row.number, slots.nsets);
#pragma unroll 1
    for (int k = row.thread; row.slot && 2 * k <= row.n && k <= row.slot->limit; k += row.threads) {
        place_values<REAL> v;
        v.plus = v.minus = armilla_ring_conj(row.after(k));
        if (!is_alone(k, row.n)) v.minus = armilla_ring_conj(row.after(row.n - k));
        put_orders(to, *row.slot, (int)map.weighted, k, v);
    }
}

/* --- Launches -------------------------------------------------------------------------------- */

/* Calls launch(a number of the arithmetic, classes, blocks). */
template <typename Launch>
cudaError_t launch_smooth(const armilla_cuda_ring_slots *slots,
                          const armilla_cuda_ring_whole *whole, const Launch &launch)
{
    return armilla_ring_in(slots->is_float, [&](auto real) {
        return launch_some_classes(
            whole->classes, whole->count, count_numbers(slots),
            [](const armilla_cuda_ring_class &some) { return rows_of_room(some.padded); },
            [&](const armilla_cuda_ring_classes &some, unsigned blocks) {
                return launch(real, some, blocks);
            });
    });
}

} // namespace

cudaError_t armilla_cuda_ring_write_smooth(const armilla_cuda_ring_slots *slots,
                                           const armilla_cuda_ring_whole *whole,
                                           const armilla_cuda_ring_rows *rows,
                                           const armilla_cuda_ring_map *map, cudaStream_t stream)
{
    return launch_smooth(
        slots, whole, [&](auto real, const armilla_cuda_ring_classes &some, unsigned blocks) {
            typedef of_rings<decltype(real)> REAL;
            return ARMILLA_LAUNCH(write_smooth<REAL>, blocks, SMOOTH_THREADS,
                                  ARMILLA_CUDA_RING_SMOOTH * sizeof(complex_of<REAL>), stream,
                                  *slots, some, *rows, *map,
                                  static_cast<const factor_of<REAL> *>(whole->filters));
        });
}

cudaError_t armilla_cuda_ring_read_smooth(const armilla_cuda_ring_slots *slots,
                                          const armilla_cuda_ring_whole *whole,
                                          const armilla_cuda_ring_rows *rows,
                                          const armilla_cuda_ring_map *map, cudaStream_t stream)
{
    return launch_smooth(
        slots, whole, [&](auto real, const armilla_cuda_ring_classes &some, unsigned blocks) {
            typedef of_rings<decltype(real)> REAL;
            return ARMILLA_LAUNCH(read_smooth<REAL>, blocks, SMOOTH_THREADS,
                                  ARMILLA_CUDA_RING_SMOOTH * sizeof(complex_of<REAL>), stream,
                                  *slots, some, *rows, *map,
                                  static_cast<const factor_of<REAL> *>(whole->filters));
        });
}

/* Rings by Bluestein's convolutions in shared memory, from leg to map and back in one kernel each:
 * a block has all of a slot, of one set (two in single precision), or several slots where they are
 * short. It puts a spectrum
 * into `data`, convolves it part by part, and writes samples; or the other way round. What it puts
 * there it reads again soon, mostly from the second-level cache; the padding is in shared memory
 * alone. The passes: ringfft_passes.h. */
#include "cuda/kernels/ringfft_orders.h"
#include "cuda/kernels/ringfft_passes.h"
#include "cuda/kernels/ringfft_pixels.h"

namespace
{

/* --- Convolutions ---------------------------------------------------------------------------- */

/* What data have of a part: numbers of orders, or samples, which analysis has at -j. */
enum part_end { ORDERS, SAMPLES, SAMPLES_BACK };

/* Which of a part's padded numbers data have. */
struct part_numbers {
    int h, reach, length; /* h = 0: none */
    __device__ __forceinline__ explicit part_numbers(const armilla_cuda_ring_slot *slot)
        : h(slot ? (int)armilla_ring_part(*slot) : 0),
          reach(slot ? (int)armilla_ring_reach(*slot) : -1), length(slot ? (int)slot->length : 0)
    {
    }
    /* The place in data of padded number j + k L / 8 of L, j < L / 8; -1: a zero at first, and of
     * no interest in the end. Orders are in the first quarter and in the last one. */
    template <int L, part_end END> __device__ __forceinline__ int find(int j, int k) const
    {
        const int i = j + k * (L / 8);
        if (END == SAMPLES) return i < h ? i : -1;
        if (END == SAMPLES_BACK && i == 0) return h ? 0 : -1;
        if (END == SAMPLES_BACK) return i > L - h ? i - L + length : -1;
        if (k < 2) return i <= reach && 2 * i < h ? i : -1;
        return k >= 6 && i >= L - reach ? i - L + length : -1;
    }
};

template <int L, part_end END, typename COMPLEX>
__device__ __forceinline__ void read_part(const COMPLEX *data, const part_numbers &numbers,
                                          const eight<L> &of, COMPLEX x[8])
{
    for (int k = 0; k < 8; k++) {
        const int place = numbers.find<L, END>(of.j, k);
        x[k] = place >= 0 ? data[place] : COMPLEX{};
    }
}

template <int L, part_end END, typename COMPLEX>
__device__ __forceinline__ void write_part(COMPLEX *data, const part_numbers &numbers,
                                           const eight<L> &of, const COMPLEX x[8])
{
    for (int k = 0; k < 8; k++) {
        const int place = numbers.find<L, END>(of.j, k);
        if (place >= 0) data[place] = x[k];
    }
}

/* Transforms stretches of M numbers, multiplies, and transforms back. */
template <int L, typename REAL>
__device__ __forceinline__ void multiply_middle(int thread, const ring_group<REAL> &group,
                                                const factor_of<REAL> *filters,
                                                complex_of<REAL> *shared)
{
    typedef complex_of<REAL> COMPLEX;
    enum { M = convolution<L>::MIDDLE, OUTER = convolution<L>::OUTER };
    for (int i = thread; i < convolution<L>::TOTAL / M; i += convolution<L>::THREADS) {
        const armilla_cuda_ring_slot *slot = group.find((unsigned)i / OUTER).slot;
        COMPLEX x[M];
        if (!slot) continue;
        const factor_of<REAL> *filter = filters + slot->filter + i % OUTER;
        for (int k = 0; k < M; k++) x[k] = shared[swizzle(i * M + k)];
        few<M, -1>::transform(x);
        for (int k = 0; k < M; k++) x[k] = armilla_ring_product(x[k], __ldg(&filter[k * OUTER]));
        few<M, 1>::transform(x);
        for (int k = 0; k < M; k++) shared[swizzle(i * M + k)] = x[k];
    }
}

/* All parts, one after the other. A part's numbers are read before the first barrier, and written
 * after the last one; a thread reads and writes the same places of the block's memory at both ends,
 * so that parts need no barrier between them. */
template <int L, part_end FROM, part_end TO, typename REAL>
__device__ __forceinline__ void
convolve_parts(const ring_group<REAL> &group, const ring_row<REAL> &mine, unsigned parts,
               const factor_of<REAL> *filters, const factor_of<REAL> *roots,
               complex_of<REAL> *shared)
{
    const part_numbers numbers(mine.slot);
    complex_of<REAL> *data = mine.data, x[8];
#pragma unroll 1
    for (unsigned part = 0; part < parts; part++) {
        /* The thread, thrice: the compiler does not know that there are four parts at most, and so
         * makes addresses anew for each of them, rather than keep them in registers. */
        const int down = (int)(threadIdx.x + (part >> 2));
        const int middle = (int)(threadIdx.x + (part >> 3)), up = (int)(threadIdx.x + (part >> 4));
        read_part<L, FROM>(data, numbers, eight<L>(down), x);
        lower(eight<L>(down), roots, x, shared);
        lower_all<L>(down, roots, shared);
        multiply_middle<L>(middle, group, filters, shared);
        raise_all<L>(up, roots, shared);
        raise(eight<L>(up), roots, shared, x);
        write_part<L, TO>(data, numbers, eight<L>(up), x);
        data += numbers.length;
    }
}

/* --- Rings ----------------------------------------------------------------------------------- */

/* Both directions of the slots of a block, by convolutions of L numbers. */
template <typename REAL> struct ring_ends {
    typedef complex_of<REAL> COMPLEX;
    const armilla_cuda_ring_slots &slots;
    const armilla_cuda_ring_class &some;
    const armilla_cuda_ring_rows &rows;
    const armilla_cuda_ring_map &map;
    const factor_of<REAL> *filters, *roots;
    COMPLEX *shared;

    template <int L, part_end FROM, part_end TO>
    __device__ __forceinline__ void convolve(const ring_group<REAL> &group,
                                             const ring_row<REAL> &mine) const
    {
        convolve_parts<L, FROM, TO>(group, mine, (unsigned)some.parts, filters,
                                    roots + convolution<L>::ROOTS, shared);
    }
    __device__ __forceinline__ armilla_ring_kept_turns<factor_of<REAL>> turns() const
    {
        return {filters};
    }

    /* Places from 0 to n / 2 that have orders, and if asked those of which they have the numbers:
     * all that are read. */
    static __device__ __forceinline__ int last_place(const ring_row<REAL> &row, int all)
    {
        if (!row.slot) return -1;
        const int64_t parts = row.slot->parts, half = row.slot->n / 2;
        const int64_t last =
            all ? parts * armilla_ring_reach(*row.slot) + parts - 1 : row.slot->limit;
        return (int)(last < half ? last : half);
    }

    template <int L> __device__ __forceinline__ void write() const
    {
        enum { STEP = L / 8 };
        const ring_group<REAL> group(slots, some, convolution<L>::ROWS);
        const ring_row<REAL> mine = group.find(threadIdx.x / STEP);
        const int first = (int)(threadIdx.x % STEP),
                  h = mine.slot ? (int)armilla_ring_part(*mine.slot) : 0;
        const armilla_cuda_ring_rows from = set_rows<REAL>(rows, group.number, slots.nsets);
        const int last = last_place(mine, 1);
#pragma unroll 1
        for (int k = first; k <= last; k += STEP)
            put_places(*mine.slot, k, add_orders<REAL>(from, *mine.slot, k), turns(), mine.data);
        __syncthreads();
        convolve<L, ORDERS, SAMPLES>(group, mine);
        const armilla_cuda_ring_map to = find_map<REAL>(map, group.number, slots.nsets);
#pragma unroll 1
        for (int j = first; j < h; j += STEP) store_numbers(to, *mine.slot, j, turns(), mine.data);
    }

    template <int L> __device__ __forceinline__ void read() const
    {
        enum { STEP = L / 8 };
        const ring_group<REAL> group(slots, some, convolution<L>::ROWS);
        const ring_row<REAL> mine = group.find(threadIdx.x / STEP);
        const int first = (int)(threadIdx.x % STEP),
                  h = mine.slot ? (int)armilla_ring_part(*mine.slot) : 0;
        const armilla_cuda_ring_map from = find_map<REAL>(map, group.number, slots.nsets);
#pragma unroll 1
        for (int j = (STEP - first) % STEP; j < h; j += STEP)
            load_numbers(from, *mine.slot, j, turns(), mine.data);
        convolve<L, SAMPLES_BACK, ORDERS>(group, mine);
        __syncthreads();
        const armilla_cuda_ring_rows to = set_rows<REAL>(rows, group.number, slots.nsets);
        const int last = last_place(mine, 0);
#pragma unroll 1
        for (int k = first; k <= last; k += STEP)
            put_orders(to, *mine.slot, (int)map.weighted, k,
                       get_places<REAL>(*mine.slot, k, turns(), mine.data));
    }
};

template <typename REAL, int THREADS>
__global__ void __launch_bounds__(THREADS, NEAR / THREADS)
    write_rings(const armilla_cuda_ring_slots slots, const armilla_cuda_ring_classes classes,
                const armilla_cuda_ring_rows rows, const armilla_cuda_ring_map map,
                const factor_of<REAL> *filters, const factor_of<REAL> *roots)
{
    ARMILLA_SHARED(complex_of<REAL>, shared);
    const armilla_cuda_ring_class some = find_class(classes);
    const ring_ends<REAL> ends = {slots, some, rows, map, filters, roots, shared};
    with_length<THREADS>(some.padded,
                         [&](auto length) { ends.template write<decltype(length)::value>(); });
}

template <typename REAL, int THREADS>
__global__ void __launch_bounds__(THREADS, NEAR / THREADS)
    read_rings(const armilla_cuda_ring_slots slots, const armilla_cuda_ring_classes classes,
               const armilla_cuda_ring_rows rows, const armilla_cuda_ring_map map,
               const factor_of<REAL> *filters, const factor_of<REAL> *roots)
{
    ARMILLA_SHARED(complex_of<REAL>, shared);
    const armilla_cuda_ring_class some = find_class(classes);
    const ring_ends<REAL> ends = {slots, some, rows, map, filters, roots, shared};
    with_length<THREADS>(some.padded,
                         [&](auto length) { ends.template read<decltype(length)::value>(); });
}

/* --- Filters --------------------------------------------------------------------------------- */

/* What armilla_ring_kept_turns finds behind a filter: numbers from `first` on, `step` apart. */
template <typename COMPLEX>
__device__ __forceinline__ void keep_turns(const armilla_cuda_ring_filter &filter, int first,
                                           int step, COMPLEX *values)
{
    COMPLEX *turns = values + filter.place + filter.length;
#pragma unroll 1
    for (int64_t j = first; j < filter.h; j += step) {
        turns[j] = armilla_ring_round<COMPLEX>(armilla_ring_chirp(j, filter.h));
        if (filter.parts == 4)
            turns[filter.h + j] =
                armilla_ring_round<COMPLEX>(armilla_ring_root(2 * j, 4 * filter.h));
    }
}

/* Filters of the class from number `first` on: in double precision, rounded in the end. */
template <int L, typename COMPLEX>
__device__ __forceinline__ void make_rows(const armilla_cuda_ring_filter *filters, int64_t first,
                                          int64_t count, COMPLEX *values, const double2 *roots,
                                          double2 *shared)
{
    enum { M = convolution<L>::MIDDLE, OUTER = convolution<L>::OUTER };
    const int64_t number = first + threadIdx.x / (L / 8);
    const eight<L> whole((int)threadIdx.x);
    double2 x[8];
    for (int k = 0; k < 8; k++)
        x[k] = number < count ? armilla_ring_filter_value(filters[number], whole.j + k * (L / 8))
                              : make_double2(0, 0);
    lower(whole, roots, x, shared);
    lower_all<L>((int)threadIdx.x, roots, shared);
    for (int i = (int)threadIdx.x; i < convolution<L>::TOTAL / M; i += convolution<L>::THREADS) {
        if (first + i / OUTER >= count) continue;
        COMPLEX *to = values + filters[first + i / OUTER].place + i % OUTER;
        for (int k = 0; k < M; k++) x[k] = shared[swizzle(i * M + k)];
        few<M, -1>::transform(x);
        for (int k = 0; k < M; k++) to[k * OUTER] = armilla_ring_round<COMPLEX>(x[k]);
    }
    if (number < count) keep_turns(filters[number], (int)threadIdx.x % (L / 8), L / 8, values);
}

template <typename REAL, int THREADS>
__global__ void __launch_bounds__(THREADS, NEAR / THREADS)
    make_shared(const armilla_cuda_ring_filter *filters, const armilla_cuda_ring_classes classes,
                complex_of<REAL> *values, const double2 *roots)
{
    ARMILLA_SHARED(double2, shared);
    const armilla_cuda_ring_class some = find_class(classes);
    with_length<THREADS>(some.padded, [&](auto length) {
        enum { L = decltype(length)::value };
        const int64_t first = (int64_t)(blockIdx.x - some.block) * convolution<L>::ROWS;
        make_rows<L>(filters + some.first, first, some.count, values, roots + convolution<L>::ROOTS,
                     shared);
    });
}

/* --- Launches -------------------------------------------------------------------------------- */

/* Calls launch(threads, a number of the arithmetic, classes, blocks) for both kernels. */
template <typename Launch>
cudaError_t launch_classes(const armilla_cuda_ring_class *classes, int64_t count, int64_t nsets,
                           int64_t is_float, const Launch &launch)
{
    const auto of_kernel = [&](auto threads, auto real) {
        constexpr int THREADS = decltype(threads)::value;
        const auto rows_of = [](const armilla_cuda_ring_class &some) {
            return (some.padded % 3 == 0) == (THREADS == (int)THREES) ? 8 * THREADS / some.padded
                                                                      : 0;
        };
        return launch_some_classes(classes, count, nsets, rows_of,
                                   [&](const armilla_cuda_ring_classes &some, unsigned blocks) {
                                       return launch(threads, real, some, blocks);
                                   });
    };
    return armilla_ring_in(is_float, [&](auto real) {
        const cudaError_t error = of_kernel(std::integral_constant<int, TWOS>(), real);
        return error ? error : of_kernel(std::integral_constant<int, THREES>(), real);
    });
}

} // namespace

cudaError_t armilla_cuda_ring_write(const armilla_cuda_ring_slots *slots,
                                    const armilla_cuda_ring_whole *whole,
                                    const armilla_cuda_ring_rows *rows,
                                    const armilla_cuda_ring_map *map, cudaStream_t stream)
{
    return launch_classes(
        whole->classes, whole->count, count_numbers(slots), slots->is_float,
        [&](auto threads, auto real, const armilla_cuda_ring_classes &some, unsigned blocks) {
            enum { THREADS = decltype(threads)::value };
            typedef of_rings<decltype(real)> REAL;
            typedef const factor_of<REAL> FACTOR;
            return ARMILLA_LAUNCH((write_rings<REAL, THREADS>), blocks, THREADS,
                                  THREADS * 8 * sizeof(complex_of<REAL>), stream, *slots, some,
                                  *rows, *map, static_cast<FACTOR *>(whole->filters),
                                  static_cast<FACTOR *>(whole->roots));
        });
}

cudaError_t armilla_cuda_ring_read(const armilla_cuda_ring_slots *slots,
                                   const armilla_cuda_ring_whole *whole,
                                   const armilla_cuda_ring_rows *rows,
                                   const armilla_cuda_ring_map *map, cudaStream_t stream)
{
    return launch_classes(
        whole->classes, whole->count, count_numbers(slots), slots->is_float,
        [&](auto threads, auto real, const armilla_cuda_ring_classes &some, unsigned blocks) {
            enum { THREADS = decltype(threads)::value };
            typedef of_rings<decltype(real)> REAL;
            typedef const factor_of<REAL> FACTOR;
            return ARMILLA_LAUNCH((read_rings<REAL, THREADS>), blocks, THREADS,
                                  THREADS * 8 * sizeof(complex_of<REAL>), stream, *slots, some,
                                  *rows, *map, static_cast<FACTOR *>(whole->filters),
                                  static_cast<FACTOR *>(whole->roots));
        });
}

cudaError_t armilla_cuda_ring_make_shared(const armilla_cuda_ring_filter *filters,
                                          const armilla_cuda_ring_class *classes, int64_t count,
                                          void *values, int is_float, const double *roots,
                                          cudaStream_t stream)
{
    return launch_classes(
        classes, count, 1, is_float,
        [&](auto threads, auto real, const armilla_cuda_ring_classes &some, unsigned blocks) {
            enum { THREADS = decltype(threads)::value };
            typedef decltype(real) REAL;
            return ARMILLA_LAUNCH((make_shared<REAL, THREADS>), blocks, THREADS,
                                  THREADS * 8 * sizeof(double2), stream, filters, some,
                                  static_cast<complex_of<REAL> *>(values),
                                  reinterpret_cast<const double2 *>(roots));
        });
}

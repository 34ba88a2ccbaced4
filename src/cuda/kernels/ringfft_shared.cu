/* Bluestein's convolutions in shared memory: a block brings the h numbers of one part of a ring (of
 * some parts, where they are short), transforms them, multiplies by the filter's transform, goes
 * back, and leaves h numbers; nothing of the padding ever sees device memory.
 *
 * A transform of L = 8 ... 8 M numbers is in place. From a stretch of N numbers, at first all L,
 *
 *     x_j, x_{j + N/8}, ..., x_{j + 7 N/8}  ->  their transform, number q times exp(-2 pi i j q /
 * N)
 *
 * leaves number q where x_{j + q N/8} was: eight stretches of N / 8. Stretches of M numbers are the
 * last ones; there a thread transforms, multiplies, and transforms back, in registers. The way back
 * takes the same passes in reverse. So nothing is put in sequence: filters lie as passes leave
 * them. The first pass reads device memory, the last one writes it.
 *
 * Number i lies at i ^ (i / 8 % 8) of its 16 bytes: threads with neighbouring numbers, or with
 * every fourth or eighth one, meet different banks. */
#include "cuda/kernels/ringfft_radix.h"

namespace
{

/* Where the tables of this length begin: each has L / 8 + L / 64 numbers, L / 512 more where there
 * are three passes by eights. */
constexpr int first_root(int64_t padded)
{
    return padded == 128    ? 0
           : padded == 256  ? 18
           : padded == 512  ? 54
           : padded == 1024 ? 126
           : padded == 1536 ? 272
           : padded == 2048 ? 491
                            : 783;
}

/* Two kernels have all lengths, one those that 3 divides: blocks of one launch are equally large.
 */
enum { TWOS = 256, THREES = 384, NEAR = 768 }; /* threads of a block, of a multiprocessor */

/* A block for transforms of L numbers. */
template <int L> struct convolution {
    enum {
        OUTER = L > 512 ? 512 : 64, /* 8 for each pass by eights */
        MIDDLE = L / OUTER,
        THREADS = L % 3 ? TWOS : THREES,
        TOTAL = 8 * THREADS,       /* numbers of a block */
        ROWS = TOTAL / L,          /* transforms of a block */
        ROOTS = first_root(L),     /* the first number of the tables */
        ROOTS_1 = L / 8,           /* the first number of the table for stretches of L / 8 */
        ROOTS_2 = ROOTS_1 + L / 64 /* for L / 64 */
    };
};

__device__ __forceinline__ int swizzle(int i)
{
    return i ^ (i >> 3 & 7);
}

/* A thread's eight numbers of a stretch of N. */
template <int N> struct eight {
    int j, first; /* in the stretch; of the block's numbers */
    __device__ __forceinline__ explicit eight()
    {
        j = (int)threadIdx.x % (N / 8);
        first = (int)threadIdx.x / (N / 8) * N + j;
    }
    __device__ __forceinline__ void get(const double2 *shared, double2 x[8]) const
    {
        for (int k = 0; k < 8; k++) x[k] = shared[swizzle(first + k * (N / 8))];
    }
    __device__ __forceinline__ void put(const double2 x[8], double2 *shared) const
    {
        for (int k = 0; k < 8; k++) shared[swizzle(first + k * (N / 8))] = x[k];
    }
};

/* Forward: x are the numbers of a stretch; their transform goes to shared memory. */
template <int N>
__device__ __forceinline__ void lower(const eight<N> &of, const double2 *roots, double2 x[8],
                                      double2 *shared)
{
    few<8, -1>::transform(x);
    turn_powers(armilla_ring_conj(__ldg(&roots[of.j])), x);
    of.put(x, shared);
}

/* Back: from shared memory to x. */
template <int N>
__device__ __forceinline__ void raise(const eight<N> &of, const double2 *roots,
                                      const double2 *shared, double2 x[8])
{
    of.get(shared, x);
    turn_powers(__ldg(&roots[of.j]), x);
    few<8, 1>::transform(x);
}

/* The passes by eights after the first one. */
template <int L> __device__ __forceinline__ void lower_all(const double2 *roots, double2 *shared)
{
    double2 x[8];
    __syncthreads();
    const eight<L / 8> second;
    second.get(shared, x);
    lower(second, roots + convolution<L>::ROOTS_1, x, shared);
    if constexpr (convolution<L>::OUTER == 512) {
        __syncthreads();
        const eight<L / 64> third;
        third.get(shared, x);
        lower(third, roots + convolution<L>::ROOTS_2, x, shared);
    }
    __syncthreads();
}

/* And before the last one on the way back. */
template <int L> __device__ __forceinline__ void raise_all(const double2 *roots, double2 *shared)
{
    double2 x[8];
    __syncthreads();
    if constexpr (convolution<L>::OUTER == 512) {
        const eight<L / 64> third;
        raise(third, roots + convolution<L>::ROOTS_2, shared, x);
        third.put(x, shared);
        __syncthreads();
    }
    const eight<L / 8> second;
    raise(second, roots + convolution<L>::ROOTS_1, shared, x);
    second.put(x, shared);
    __syncthreads();
}

/* --- Classes --------------------------------------------------------------------------------- */

/* The class of this block. */
__device__ __forceinline__ armilla_cuda_ring_class
find_class(const armilla_cuda_ring_classes &classes)
{
    int i = 0;
    while (i + 1 < classes.count && blockIdx.x >= classes.list[i + 1].block) i++;
    return classes.list[i];
}

/* Calls run(a constant L) for a length that blocks of so many threads have. */
template <int THREADS, typename Run>
__device__ __forceinline__ void with_length(int64_t padded, const Run &run)
{
    if constexpr (THREADS == THREES) {
        if (padded == 1536) run(std::integral_constant<int, 1536>());
        if (padded == 3072) run(std::integral_constant<int, 3072>());
    } else {
        if (padded == 128) run(std::integral_constant<int, 128>());
        if (padded == 256) run(std::integral_constant<int, 256>());
        if (padded == 512) run(std::integral_constant<int, 512>());
        if (padded == 1024) run(std::integral_constant<int, 1024>());
        if (padded == 2048) run(std::integral_constant<int, 2048>());
    }
}

/* --- Convolutions ---------------------------------------------------------------------------- */

/* One part of a slot, of the block's set; no numbers: there is none. */
struct part_row {
    double2 *data;
    int h;
    int64_t filter;
};

/* What a block works on: parts of slots from number `first` of the class on, of one set. */
struct part_rows {
    const armilla_cuda_ring_slots &slots;
    const armilla_cuda_ring_slot *class_slots;
    unsigned parts, count, first, set;

    __device__ __forceinline__ part_rows(const armilla_cuda_ring_slots &all,
                                         const armilla_cuda_ring_class &some, unsigned rows)
        : slots(all), class_slots(all.slots + some.first), parts((unsigned)some.parts),
          count((unsigned)(some.parts * some.count))
    {
        const unsigned block = blockIdx.x - (unsigned)some.block, nsets = (unsigned)all.nsets;
        first = block / nsets * rows, set = block % nsets;
    }
    __device__ __forceinline__ part_row find(unsigned row) const
    {
        const unsigned number = first + row;
        if (number >= count) return {NULL, 0, 0};
        const armilla_cuda_ring_slot &slot = class_slots[number / parts];
        double2 *data = reinterpret_cast<double2 *>(slots.data) + slot.place +
                        slot.run * (slots.nsets - 1) + set * slot.run_size +
                        number % parts * slot.length;
        return {data, (int)slot.n / (int)parts, slot.filter};
    }
};

/* Half of the padded numbers are zeros at first, and of no interest in the end. */
template <int L>
__device__ __forceinline__ void read_part(const part_row &row, const eight<L> &of, double2 x[8])
{
    for (int k = 0; k < 8; k++) {
        const int place = of.j + k * (L / 8);
        x[k] = k < 4 && place < row.h ? row.data[place] : make_double2(0, 0);
    }
}

template <int L>
__device__ __forceinline__ void write_part(const part_row &row, const eight<L> &of,
                                           const double2 x[8])
{
    for (int k = 0; k < 4; k++) {
        const int place = of.j + k * (L / 8);
        if (place < row.h) row.data[place] = x[k];
    }
}

/* Transforms stretches of M numbers, multiplies, and transforms back. */
template <int L>
__device__ __forceinline__ void multiply_middle(const part_rows &rows, const double2 *filters,
                                                double2 *shared)
{
    enum { M = convolution<L>::MIDDLE, OUTER = convolution<L>::OUTER };
    for (int i = (int)threadIdx.x; i < convolution<L>::TOTAL / M; i += convolution<L>::THREADS) {
        const part_row row = rows.find((unsigned)i / OUTER);
        double2 x[M];
        if (row.h == 0) continue;
        for (int k = 0; k < M; k++) x[k] = shared[swizzle(i * M + k)];
        few<M, -1>::transform(x);
        for (int k = 0; k < M; k++)
            x[k] = armilla_ring_product(x[k], __ldg(&filters[row.filter + k * OUTER + i % OUTER]));
        few<M, 1>::transform(x);
        for (int k = 0; k < M; k++) shared[swizzle(i * M + k)] = x[k];
    }
}

template <int L>
__device__ __forceinline__ void convolve_rows(const part_rows &rows, const double2 *filters,
                                              const double2 *roots, double2 *shared)
{
    const eight<L> whole;
    double2 x[8];
    read_part(rows.find(threadIdx.x / (L / 8)), whole, x);
    lower(whole, roots, x, shared);
    lower_all<L>(roots, shared);
    multiply_middle<L>(rows, filters, shared);
    raise_all<L>(roots, shared);
    raise(whole, roots, shared, x);
    write_part(rows.find(threadIdx.x / (L / 8)), whole, x);
}

/* What a block does, for with_length. */
struct rows_to_convolve {
    const armilla_cuda_ring_slots &slots;
    const armilla_cuda_ring_class &some;
    const double2 *filters, *roots;
    double2 *shared;

    template <int L>
    __device__ __forceinline__ void operator()(std::integral_constant<int, L> /*length*/) const
    {
        convolve_rows<L>(part_rows(slots, some, convolution<L>::ROWS), filters,
                         roots + convolution<L>::ROOTS, shared);
    }
};

/* Sets of a part are neighbouring blocks, which read the same filter. */
template <int THREADS>
__global__ void __launch_bounds__(THREADS, NEAR / THREADS)
    convolve(const armilla_cuda_ring_slots slots, const armilla_cuda_ring_classes classes,
             const double2 *filters, const double2 *roots)
{
    ARMILLA_SHARED(double2, shared);
    const armilla_cuda_ring_class some = find_class(classes);
    with_length<THREADS>(some.padded, rows_to_convolve{slots, some, filters, roots, shared});
}

/* --- Filters --------------------------------------------------------------------------------- */

/* Filters of the class from number `first` on. */
template <int L>
__device__ __forceinline__ void make_rows(const armilla_cuda_ring_filter *filters, int64_t first,
                                          int64_t count, double2 *values, const double2 *roots,
                                          double2 *shared)
{
    enum { M = convolution<L>::MIDDLE, OUTER = convolution<L>::OUTER };
    const int64_t number = first + threadIdx.x / (L / 8);
    const eight<L> whole;
    double2 x[8];
    for (int k = 0; k < 8; k++)
        x[k] = number < count ? armilla_ring_filter_value(filters[number], whole.j + k * (L / 8))
                              : make_double2(0, 0);
    lower(whole, roots, x, shared);
    lower_all<L>(roots, shared);
    for (int i = (int)threadIdx.x; i < convolution<L>::TOTAL / M; i += convolution<L>::THREADS) {
        if (first + i / OUTER >= count) continue;
        double2 *to = values + filters[first + i / OUTER].place + i % OUTER;
        for (int k = 0; k < M; k++) x[k] = shared[swizzle(i * M + k)];
        few<M, -1>::transform(x);
        for (int k = 0; k < M; k++) to[k * OUTER] = x[k];
    }
}

/* What a block does, for with_length. */
struct filters_to_make {
    const armilla_cuda_ring_filter *filters;
    const armilla_cuda_ring_class &some;
    double2 *values;
    const double2 *roots;
    double2 *shared;

    template <int L>
    __device__ __forceinline__ void operator()(std::integral_constant<int, L> /*length*/) const
    {
        const int64_t first = (int64_t)(blockIdx.x - some.block) * convolution<L>::ROWS;
        make_rows<L>(filters + some.first, first, some.count, values, roots + convolution<L>::ROOTS,
                     shared);
    }
};

template <int THREADS>
__global__ void __launch_bounds__(THREADS, NEAR / THREADS)
    make_shared(const armilla_cuda_ring_filter *filters, const armilla_cuda_ring_classes classes,
                double2 *values, const double2 *roots)
{
    ARMILLA_SHARED(double2, shared);
    const armilla_cuda_ring_class some = find_class(classes);
    with_length<THREADS>(some.padded, filters_to_make{filters, some, values, roots, shared});
}

/* --- Launches -------------------------------------------------------------------------------- */

/* Calls launch(classes, blocks) for those of a kernel, as many at once as a grid has room for.
 * Returned: the first launch's error. */
template <int THREADS, typename Launch>
cudaError_t launch_kernel(const armilla_cuda_ring_class *classes, int64_t count, int64_t nsets,
                          const Launch &launch)
{
    armilla_cuda_ring_classes some = {0, {}};
    int64_t blocks = 0;
    cudaError_t error = cudaSuccess;
    const auto flush = [&] {
        if (some.count && !error) error = launch(some, (unsigned)blocks);
        some.count = blocks = 0;
    };
    for (int64_t i = 0; i < count; i++) {
        armilla_cuda_ring_class piece = classes[i];
        if ((piece.padded % 3 == 0) != (THREADS == THREES)) continue;
        const int64_t rows = 8 * THREADS / piece.padded, most = INT32_MAX / (piece.parts * nsets);
        armilla_cuda_launch_pieces(classes[i].count, most, [&](int64_t first, int64_t slots) {
            const int64_t more = (slots * piece.parts + rows - 1) / rows * nsets;
            if (blocks + more > INT32_MAX || some.count == ARMILLA_CUDA_RING_CLASSES) flush();
            piece.first = classes[i].first + first, piece.count = slots, piece.block = blocks;
            some.list[some.count++] = piece;
            blocks += more;
        });
    }
    flush();
    return error;
}

/* Calls launch(threads, classes, blocks) for both kernels. */
template <typename Launch>
cudaError_t launch_classes(const armilla_cuda_ring_class *classes, int64_t count, int64_t nsets,
                           const Launch &launch)
{
    const auto of_kernel = [&](auto threads) {
        return launch_kernel<decltype(threads)::value>(
            classes, count, nsets, [&](const armilla_cuda_ring_classes &some, unsigned blocks) {
                return launch(threads, some, blocks);
            });
    };
    const cudaError_t error = of_kernel(std::integral_constant<int, TWOS>());
    return error ? error : of_kernel(std::integral_constant<int, THREES>());
}

} // namespace

cudaError_t armilla_cuda_ring_convolve(const armilla_cuda_ring_slots *slots,
                                       const armilla_cuda_ring_class *classes, int64_t count,
                                       const double *filters, const double *roots,
                                       cudaStream_t stream)
{
    return launch_classes(
        classes, count, slots->nsets,
        [&](auto threads, const armilla_cuda_ring_classes &some, unsigned blocks) {
            enum { THREADS = decltype(threads)::value };
            return ARMILLA_LAUNCH(convolve<THREADS>, blocks, THREADS, THREADS * 8 * 16, stream,
                                  *slots, some, reinterpret_cast<const double2 *>(filters),
                                  reinterpret_cast<const double2 *>(roots));
        });
}

cudaError_t armilla_cuda_ring_make_shared(const armilla_cuda_ring_filter *filters,
                                          const armilla_cuda_ring_class *classes, int64_t count,
                                          double *values, const double *roots, cudaStream_t stream)
{
    return launch_classes(
        classes, count, 1,
        [&](auto threads, const armilla_cuda_ring_classes &some, unsigned blocks) {
            enum { THREADS = decltype(threads)::value };
            return ARMILLA_LAUNCH(make_shared<THREADS>, blocks, THREADS, THREADS * 8 * 16, stream,
                                  filters, some, reinterpret_cast<double2 *>(values),
                                  reinterpret_cast<const double2 *>(roots));
        });
}

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

/* A block for transforms of L numbers. */
template <int L> struct convolution {
    enum {
        OUTER = L > 512 ? 512 : 64, /* 8 for each pass by eights */
        MIDDLE = L / OUTER,
        TOTAL = L < 1024 ? 1024 : L, /* numbers of a block */
        ROWS = TOTAL / L,            /* transforms of a block */
        THREADS = TOTAL / 8,
        BLOCKS = 768 / THREADS,     /* of a multiprocessor: 80 registers for each thread */
        ROOTS_1 = L / 8,            /* the first number of the table for stretches of L / 8 */
        ROOTS_2 = ROOTS_1 + L / 64, /* for L / 64 */
        BYTES = TOTAL * (int)sizeof(double2)
    };
};

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

/* --- Convolutions ---------------------------------------------------------------------------- */

/* One part of a slot, of the block's set; no numbers: there is none. */
struct part_row {
    double2 *data;
    int h;
    int64_t filter;
};

__device__ __forceinline__ part_row find_part(const armilla_cuda_ring_slots &slots, unsigned parts,
                                              unsigned number)
{
    const unsigned nsets = (unsigned)slots.nsets, set = blockIdx.x % nsets;
    if (number >= parts * (unsigned)slots.count) return {NULL, 0, 0};
    const armilla_cuda_ring_slot &slot = slots.slots[number / parts];
    double2 *data = reinterpret_cast<double2 *>(slots.data) + slot.place +
                    slot.run * (slots.nsets - 1) + set * slot.run_size +
                    number % parts * slot.length;
    return {data, (int)slot.n / (int)parts, slot.filter};
}

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
__device__ __forceinline__ void multiply_middle(const armilla_cuda_ring_slots &slots,
                                                unsigned parts, unsigned first,
                                                const double2 *filters, double2 *shared)
{
    enum { M = convolution<L>::MIDDLE, OUTER = convolution<L>::OUTER };
    for (int i = (int)threadIdx.x; i < convolution<L>::TOTAL / M; i += convolution<L>::THREADS) {
        const part_row row = find_part(slots, parts, first + i / OUTER);
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

/* Sets of a part are neighbouring blocks, which read the same filter. */
template <int L>
__global__ void __launch_bounds__(convolution<L>::THREADS, convolution<L>::BLOCKS)
    convolve(armilla_cuda_ring_slots slots, unsigned parts, const double2 *filters,
             const double2 *roots)
{
    ARMILLA_SHARED(double2, shared);
    const unsigned first = blockIdx.x / (unsigned)slots.nsets * convolution<L>::ROWS;
    const eight<L> whole;
    double2 x[8];
    read_part(find_part(slots, parts, first + threadIdx.x / (L / 8)), whole, x);
    lower(whole, roots, x, shared);
    lower_all<L>(roots, shared);
    multiply_middle<L>(slots, parts, first, filters, shared);
    raise_all<L>(roots, shared);
    raise(whole, roots, shared, x);
    write_part(find_part(slots, parts, first + threadIdx.x / (L / 8)), whole, x);
}

/* --- Filters --------------------------------------------------------------------------------- */

template <int L>
__global__ void __launch_bounds__(convolution<L>::THREADS, convolution<L>::BLOCKS)
    make_shared(const armilla_cuda_ring_filter *filters, int64_t count, double2 *values,
                const double2 *roots)
{
    enum { M = convolution<L>::MIDDLE, OUTER = convolution<L>::OUTER };
    ARMILLA_SHARED(double2, shared);
    const int64_t first = (int64_t)blockIdx.x * convolution<L>::ROWS;
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

/* --- Launches -------------------------------------------------------------------------------- */

/* Calls launch(a constant L) for the length. */
template <typename Launch> cudaError_t launch_length(int64_t padded, const Launch &launch)
{
    switch (padded) {
    case 128:
        return launch(std::integral_constant<int, 128>());
    case 256:
        return launch(std::integral_constant<int, 256>());
    case 512:
        return launch(std::integral_constant<int, 512>());
    case 1024:
        return launch(std::integral_constant<int, 1024>());
    case 1536:
        return launch(std::integral_constant<int, 1536>());
    case 2048:
        return launch(std::integral_constant<int, 2048>());
    case 3072:
        return launch(std::integral_constant<int, 3072>());
    }
    return cudaErrorInvalidValue;
}

/* Blocks of so many transforms of length L. */
template <int L> unsigned count_blocks(int64_t transforms)
{
    enum { ROWS = convolution<L>::ROWS };
    return (unsigned)((transforms + ROWS - 1) / ROWS);
}

} // namespace

cudaError_t armilla_cuda_ring_convolve(const armilla_cuda_ring_slots *slots, int64_t padded,
                                       int64_t parts, const double *filters, const double *roots,
                                       cudaStream_t stream)
{
    const unsigned of_slot = (unsigned)(parts * slots->nsets); /* at most: blocks of a slot */
    const auto launch_some = [&](const armilla_cuda_ring_slots &some, auto length) {
        enum { L = decltype(length)::value };
        const unsigned blocks = count_blocks<L>(parts * some.count) * (unsigned)slots->nsets;
        return ARMILLA_LAUNCH(convolve<L>, blocks, convolution<L>::THREADS, convolution<L>::BYTES,
                              stream, some, (unsigned)parts,
                              reinterpret_cast<const double2 *>(filters),
                              reinterpret_cast<const double2 *>(roots) + first_root(L));
    };
    return armilla_ring_launch(slots, 1, of_slot, [&](const armilla_cuda_ring_slots &some, dim3) {
        return launch_length(padded, [&](auto length) { return launch_some(some, length); });
    });
}

cudaError_t armilla_cuda_ring_make_shared(const armilla_cuda_ring_filter *filters, int64_t count,
                                          int64_t padded, double *values, const double *roots,
                                          cudaStream_t stream)
{
    return launch_length(padded, [&](auto length) {
        enum { L = decltype(length)::value };
        return ARMILLA_LAUNCH(make_shared<L>, count_blocks<L>(count), convolution<L>::THREADS,
                              convolution<L>::BYTES, stream, filters, count,
                              reinterpret_cast<double2 *>(values),
                              reinterpret_cast<const double2 *>(roots) + first_root(L));
    });
}

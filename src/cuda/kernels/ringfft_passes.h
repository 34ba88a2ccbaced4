/* Fourier transforms of L numbers in the shared memory of a block, L = 8 ... 8 M, in place. From a
 * stretch of N numbers, at first all L,
 *
 *     x_j, x_{j + N/8}, ..., x_{j + 7 N/8}  ->  their transform, number q times exp(-2 pi i j q /
 * N)
 *
 * leaves number q where x_{j + q N/8} was: eight stretches of N / 8. Stretches of M numbers are the
 * last ones; there a thread transforms, multiplies, and transforms back, in registers. The way back
 * takes the same passes in reverse. So nothing is put in sequence: filters lie as passes leave
 * them.
 *
 * Number i, of 16 bytes, lies at i ^ (i / 8 % 8), so that threads with neighbouring numbers, or
 * with every fourth or eighth one, meet different banks. Included by .cu files only. */
#ifndef ARMILLA_CUDA_KERNELS_RINGFFT_PASSES_H
#define ARMILLA_CUDA_KERNELS_RINGFFT_PASSES_H

#include "cuda/kernels/ringfft_classes.h"
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
    __device__ __forceinline__ explicit eight(int thread)
    {
        j = thread % (N / 8);
        first = thread / (N / 8) * N + j;
    }
    template <typename COMPLEX>
    __device__ __forceinline__ void get(const COMPLEX *shared, COMPLEX x[8]) const
    {
        for (int k = 0; k < 8; k++) x[k] = shared[swizzle(first + k * (N / 8))];
    }
    template <typename COMPLEX>
    __device__ __forceinline__ void put(const COMPLEX x[8], COMPLEX *shared) const
    {
        for (int k = 0; k < 8; k++) shared[swizzle(first + k * (N / 8))] = x[k];
    }
};

/* Forward: x are the numbers of a stretch; their transform goes to shared memory. */
template <int N, typename FACTOR, typename COMPLEX>
__device__ __forceinline__ void lower(const eight<N> &of, const FACTOR *roots, COMPLEX x[8],
                                      COMPLEX *shared)
{
    few<8, -1>::transform(x);
    turn_powers<8>(armilla_ring_conj(__ldg(&roots[of.j])), x);
    of.put(x, shared);
}

/* Back: from shared memory to x. */
template <int N, typename FACTOR, typename COMPLEX>
__device__ __forceinline__ void raise(const eight<N> &of, const FACTOR *roots,
                                      const COMPLEX *shared, COMPLEX x[8])
{
    of.get(shared, x);
    turn_powers<8>(__ldg(&roots[of.j]), x);
    few<8, 1>::transform(x);
}

/* The passes by eights after the first one. */
template <int L, typename FACTOR, typename COMPLEX>
__device__ __forceinline__ void lower_all(int thread, const FACTOR *roots, COMPLEX *shared)
{
    COMPLEX x[8];
    __syncthreads();
    const eight<L / 8> second(thread);
    second.get(shared, x);
    lower(second, roots + convolution<L>::ROOTS_1, x, shared);
    if constexpr (convolution<L>::OUTER == 512) {
        __syncthreads();
        const eight<L / 64> third(thread);
        third.get(shared, x);
        lower(third, roots + convolution<L>::ROOTS_2, x, shared);
    }
    __syncthreads();
}

/* And before the last one on the way back. */
template <int L, typename FACTOR, typename COMPLEX>
__device__ __forceinline__ void raise_all(int thread, const FACTOR *roots, COMPLEX *shared)
{
    COMPLEX x[8];
    __syncthreads();
    if constexpr (convolution<L>::OUTER == 512) {
        const eight<L / 64> third(thread);
        raise(third, roots + convolution<L>::ROOTS_2, shared, x);
        third.put(x, shared);
        __syncthreads();
    }
    const eight<L / 8> second(thread);
    raise(second, roots + convolution<L>::ROOTS_1, shared, x);
    second.put(x, shared);
    __syncthreads();
}

/* --- Lengths --------------------------------------------------------------------------------- */

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

} // namespace

#endif

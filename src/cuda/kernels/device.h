/* What kernels are written with beside the language itself. Included by .cu files only.
 *
 *   ARMILLA_LAUNCH(kernel, blocks, threads, shared_bytes, stream, arguments...)
 *                                launches, and is the error that this launch had: cudaGetLastError
 *                                would take and clear an earlier one that is the application's.
 *                                The thread keeps the kernel's name for messages (launches.h)
 *   ARMILLA_LAUNCH_NAMED(name, kernel, ...)
 *                                the same of a kernel whose pointer says nothing
 *   ARMILLA_SHARED(type, name)   the block's shared memory, all of it, as an array: its size is an
 *                                argument of the launch, so that the emulation can fill it with NaN
 *   ARMILLA_MULTIPLY_MATRICES(a, b, c)
 *                                of all lanes of a warp together: c += a b by tensor cores, 8 x 4
 *                                and 4 x 8 numbers in double precision, where the GPU has them
 *                                (ARMILLA_TENSOR_CORES). With q = lane / 4 and r = lane % 4 a lane
 *                                has a at row q, column r; b at row r, column q; c[i] at row q,
 *                                column 2 r + i
 *   ARMILLA_MULTIPLY_TALL(a, b, c)
 *                                the same of 16 x 4 and 4 x 8 numbers: a[0], c[0], c[1] as above,
 *                                a[1], c[2] and c[3] eight rows below. One instruction on a GPU of
 *                                compute capability 9.0; elsewhere two products of eight rows, with
 *                                the same sums of the same products in the same sequence
 *   ARMILLA_MULTIPLY_HALVES(a, b, c)
 *                                of all lanes of a warp: c += a b by tensor cores, 16 x 16 and 16 x
 *                                8 numbers of 16 bits (halves), sums in single precision, which
 *                                are cut, not rounded. With q and r as above a lane has c[i] at row
 *                                q + 8 (i / 2), column 2 r + i % 2, two neighbours in a[i] at row
 *                                q + 8 (i % 2), columns 2 r + 8 (i / 2) and one more, and two
 *                                in b[i] at column q, rows 2 r + 8 i and one more; the first of two
 *                                has the low bits
 *   ARMILLA_LOAD_ROWS(row, to)   of all lanes of a warp: four matrices of 8 x 8 halves from shared
 *                                memory, where lane i says where row i % 8 of matrix i / 8 is, 16
 *                                bytes; to[i]: of matrix i row q, columns 2 r and 2 r + 1
 *   ARMILLA_LOAD_COLUMNS(row, to)
 *                                the same; to[i]: of matrix i column q, rows 2 r and 2 r + 1
 *   ARMILLA_PACK_HALVES(low, high)
 *                                two floats, each rounded to a half
 *   ARMILLA_LOW_HALF(bits), ARMILLA_HIGH_HALF(bits)
 *                                either of them, as a float
 *
 * Kernels exchange data through shared memory and __syncthreads(), warp votes, shuffles with full
 * masks and products of whole warps, nothing else; every sum has a fixed sequence, so that bits do
 * not change from run to run. */
#ifndef ARMILLA_CUDA_KERNELS_DEVICE_H
#define ARMILLA_CUDA_KERNELS_DEVICE_H

#include "cuda/kernels/launches.h"
#include "cuda/runtime/runtime.h"
#include "cuda/stages/tensor_target.h"

#include <stdint.h>

/* Kernels for tensor cores are compiled where a GPU has fast ones for doubles; elsewhere their
 * bodies are left out, and the host, which asks the kernel (cuda/stages/shape.c), never launches
 * them. */
#if !defined(__CUDA_ARCH__) || ARMILLA_CUDA_TENSOR_TARGET(__CUDA_ARCH__ / 10)
#define ARMILLA_TENSOR_CORES 1
#else
#define ARMILLA_TENSOR_CORES 0
#endif

#ifdef __CUDACC__
#include <tuple>
#include <type_traits>

/* Arguments become what the kernel takes; the launch reads them at these addresses. */
template <typename... P, typename... A>
cudaError_t armilla_cuda_launch(void (*kernel)(P...), dim3 blocks, dim3 threads,
                                size_t shared_bytes, cudaStream_t stream, A &&...values)
{
    std::tuple<typename std::decay<P>::type...> parameters(static_cast<P>(values)...);
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks, config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes, config.stream = stream;
    return std::apply(
        [&](auto &...p) {
            void *addresses[] = {&p..., nullptr};
            return cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(kernel), addresses);
        },
        parameters);
}

#define ARMILLA_START(name, kernel, blocks, threads, shared_bytes, stream, ...)                    \
    armilla_cuda_launch(kernel, dim3(blocks), dim3(threads), (size_t)(shared_bytes), (stream),     \
                        __VA_ARGS__)
#define ARMILLA_SHARED(type, name)                                                                 \
    extern __shared__ double2 armilla_shared_memory[];                                             \
    type *name = reinterpret_cast<type *>(armilla_shared_memory)

static __device__ __forceinline__ void armilla_cuda_multiply_matrices(double a, double b,
                                                                      double c[2])
{
#if ARMILLA_TENSOR_CORES && defined(__CUDA_ARCH__)
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(c[0]), "+d"(c[1])
        : "d"(a), "d"(b));
#else
    (void)a, (void)b, (void)c;
    __trap();
#endif
}
#define ARMILLA_MULTIPLY_MATRICES(a, b, c) armilla_cuda_multiply_matrices(a, b, c)

static __device__ __forceinline__ void armilla_cuda_multiply_tall(const double a[2], double b,
                                                                  double c[4])
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
    asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
        "{%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(b));
#else
    armilla_cuda_multiply_matrices(a[0], b, c);
    armilla_cuda_multiply_matrices(a[1], b, c + 2);
#endif
}
#define ARMILLA_MULTIPLY_TALL(a, b, c) armilla_cuda_multiply_tall(a, b, c)

static __device__ __forceinline__ void armilla_cuda_multiply_halves(const unsigned a[4],
                                                                    const unsigned b[2], float c[4])
{
#if ARMILLA_TENSOR_CORES && defined(__CUDA_ARCH__)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    (void)a, (void)b, (void)c;
    __trap();
#endif
}
#define ARMILLA_MULTIPLY_HALVES(a, b, c) armilla_cuda_multiply_halves(a, b, c)

/* volatile, and with memory as what it may change: other lanes have written there. */
#define ARMILLA_LOAD_MATRICES(order, row, to)                                                      \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" order ".shared.b16 {%0, %1, %2, %3}, [%4];"       \
                 : "=r"((to)[0]), "=r"((to)[1]), "=r"((to)[2]), "=r"((to)[3])                      \
                 : "r"((unsigned)__cvta_generic_to_shared(row))                                    \
                 : "memory")
#define ARMILLA_LOAD_ROWS(row, to)    ARMILLA_LOAD_MATRICES("", row, to)
#define ARMILLA_LOAD_COLUMNS(row, to) ARMILLA_LOAD_MATRICES(".trans", row, to)

static __device__ __forceinline__ unsigned armilla_cuda_pack_halves(float low, float high)
{
    unsigned bits;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return bits;
}
#define ARMILLA_PACK_HALVES(low, high) armilla_cuda_pack_halves(low, high)

static __device__ __forceinline__ float armilla_cuda_float_of_half(unsigned short bits)
{
    float number;
    asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(bits));
    return number;
}
#define ARMILLA_LOW_HALF(bits)  armilla_cuda_float_of_half((unsigned short)(bits))
#define ARMILLA_HIGH_HALF(bits) armilla_cuda_float_of_half((unsigned short)((bits) >> 16))
#endif /* the emulation's cuda_runtime.h defines them as well */

#define ARMILLA_LAUNCH_NAMED(name, ...)                                                            \
    armilla_cuda_remember_launch(name, ARMILLA_START(name, __VA_ARGS__))
#define ARMILLA_LAUNCH(kernel, ...) ARMILLA_LAUNCH_NAMED(#kernel, kernel, __VA_ARGS__)

#endif

/* Numbers held as two floats, for GPUs whose double precision is slow: some 45 bits, in the range
 * of floats; and the vocabulary of simd_cuda.h for floats. Included by .cu files only.
 *
 * Each product and sum of two floats below is rounded by itself: __fmul_rn keeps the compiler from
 * making a product and the sum behind it one fused operation, after which the error of the product
 * would be counted twice. */
#ifndef ARMILLA_CUDA_KERNELS_TWO_FLOATS_H
#define ARMILLA_CUDA_KERNELS_TWO_FLOATS_H

#include "cuda/kernels/device.h"
#include "legendre/simd/simd.h"

/* high + low, |low| at most half of high's last bit. */
struct two_floats {
    float high, low;
};

static __device__ __forceinline__ two_floats two_of(double a)
{
    two_floats result;
    result.high = (float)a, result.low = (float)(a - (double)result.high);
    return result;
}

/* a + b exactly: 6 additions */
static __device__ __forceinline__ two_floats exact_sum(float a, float b)
{
    two_floats result;
    result.high = a + b;
    const float part = result.high - a;
    result.low = (a - (result.high - part)) + (b - part);
    return result;
}

/* The larger part takes what it can hold: 3 additions. */
static __device__ __forceinline__ two_floats tidy(two_floats a)
{
    two_floats result;
    result.high = a.high + a.low;
    result.low = a.low - (result.high - a.high);
    return result;
}

/* a b + c, not tidied: 4 products, 8 additions. Error: some 2^-45 of |a b| + |c|. */
static __device__ __forceinline__ two_floats multiply_add(two_floats a, two_floats b, two_floats c)
{
    const float product = __fmul_rn(a.high, b.high);
    float rest = fmaf(a.high, b.high, -product);
    rest = fmaf(a.high, b.low, rest), rest = fmaf(a.low, b.high, rest);
    two_floats result = exact_sum(c.high, product);
    result.low += c.low + rest;
    return result;
}

/* Not tidied, either. */
static __device__ __forceinline__ two_floats operator+(two_floats a, two_floats b)
{
    two_floats result = exact_sum(a.high, b.high);
    result.low += a.low + b.low;
    return result;
}

/* From one kind of number to another. */
static __device__ __forceinline__ void put_number(double from, double *to)
{
    *to = from;
}

static __device__ __forceinline__ void put_number(double from, float *to)
{
    *to = (float)from;
}

static __device__ __forceinline__ void put_number(double from, two_floats *to)
{
    *to = two_of(from);
}

/* From one kind of sum to another. */
static __device__ __forceinline__ void put_sum(float from, float *to)
{
    *to = from;
}

static __device__ __forceinline__ void put_sum(float from, two_floats *to)
{
    to->high = from, to->low = 0;
}

static __device__ __forceinline__ void put_sum(two_floats from, two_floats *to)
{
    *to = tidy(from);
}

static __device__ __forceinline__ void put_sum(two_floats from, float *to)
{
    *to = from.high + from.low;
}

static __device__ __forceinline__ void put_sum(float from, double *to)
{
    *to = from;
}

static __device__ __forceinline__ void put_sum(two_floats from, double *to)
{
    *to = (double)from.high + (double)from.low;
}

static __device__ __forceinline__ two_floats shuffle_xor(two_floats a, int bits)
{
    a.high = __shfl_xor_sync(0xffffffffu, a.high, bits);
    a.low = __shfl_xor_sync(0xffffffffu, a.low, bits);
    return a;
}

static __device__ __forceinline__ float shuffle_xor(float a, int bits)
{
    return __shfl_xor_sync(0xffffffffu, a, bits);
}

static __device__ __forceinline__ double shuffle_xor(double a, int bits)
{
    return __shfl_xor_sync(0xffffffffu, a, bits);
}

/* --- Floats: see simd_cuda.h ----------------------------------------------------------------- */

static __device__ __forceinline__ two_floats v_mul(float a, two_floats b)
{
    b.high *= a, b.low *= a; /* exact where a is 0 or 1 */
    return b;
}
static __device__ __forceinline__ vmask v_negative(float a)
{
    return a < 0;
}
static __device__ __forceinline__ float v_select(vmask m, float yes, float no)
{
    return m ? yes : no;
}

#endif

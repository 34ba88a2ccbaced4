/* The scalar recurrence by operations in single precision, for the kernels that legendre_device.h
 * has in double: p, y and the coefficients of steps are two floats each. Values and sums are floats
 * in calls of floats, in_single, and two floats in calls of doubles, in_two_floats.
 * docs/gpu_inside.md, "Single precision", has errors, operations, and why the ranges are these. The
 * plain form (2.7) serves every ring: with 45 bits it loses less than the sums of floats do.
 *
 * Range, as in legendre/kernels/range.h: p 2^(STEP n), n <= 0, of which only n = 0 counts. A pair
 * with n < 0 is moved up before a block of four steps in which |p| could pass 2^36: what is dropped
 * is below 2^(36 - STEP), which is 2^-28 with the step of in_single, 64, and 2^-52 with that of
 * in_two_floats, 88. In four steps |p| grows by 2^40 (m / 2047)^4 at most; up to
 * ARMILLA_CUDA_SINGLE_LMAX by less than 2^60, so that a moved value is 2^(36 - 60 - 64) = 2^-88 or
 * more; up to ARMILLA_CUDA_TWO_FLOATS_LMAX by less than 2^53, a moved value 2^(36 - 53 - 88) =
 * 2^-105 or more. Either keeps 20 bits of its second float above 2^-149, the least float. */
#ifndef ARMILLA_CUDA_KERNELS_LEGENDRE_SINGLE_H
#define ARMILLA_CUDA_KERNELS_LEGENDRE_SINGLE_H

#include "cuda/kernels/legendre_unit.h"

#include <type_traits>

enum { SINGLE_BLOCK = ARMILLA_CUDA_SINGLE_STEPS };

/* CHUNK steps of an order in shared memory: a, b, two floats each. */
struct single_chunk {
    float4 plain[CHUNK];
    float ceiling[CHUNK / SINGLE_BLOCK];
    int of_warps[ARMILLA_CUDA_TILE_WARPS]; /* legendre_unit.h */
};

struct __align__(16) two_coefficients
{
    two_floats x, y;
};

/* p 2^(STEP n) in two floats, n in one. The exponents of first values lie around STEP / 2 below 36,
 * with room for m^0.75. */
template <int STEP> struct single_range {
    static __device__ __forceinline__ void start(const armilla_kernel_order *order, int64_t place,
                                                 int, two_floats *current, two_floats *previous,
                                                 float *scale)
    {
        const double centre = 24 - STEP / 2;
        vec mantissa, exponent, value, n;
        sine_power(&order->power, place, &mantissa, &exponent);
        split_exponent(mantissa * order->start_mantissa, exponent, STEP, centre, &value, &n);
        *current = two_of(value), *previous = two_floats();
        *scale = (float)n;
    }

    static __device__ __forceinline__ void
    bring_into_range(two_floats *current, two_floats *previous, float *scale, float ceiling)
    {
        const vmask large = *scale < 0 && fabsf(current->high) > ceiling;
        if (!v_lanes(large)) return;
        const float down = 1.0f / (float)(UINT64_C(1) << STEP / 2);
        const float factor = large ? down * down : 1.0f;
        current->high *= factor, current->low *= factor;
        previous->high *= factor, previous->low *= factor;
        *scale += large ? 1.0f : 0.0f;
    }
};

struct in_single : single_range<64> {
    typedef float number;
    typedef two_coefficients coefficients;
    typedef two_floats state;
    typedef float value, total;
    typedef unit_one unit;
    typedef single_chunk chunk;
    template <int NFINE> using sum = typename std::conditional<NFINE != 0, two_floats, float>::type;
    enum { PRECISION = 1, BLOCK = SINGLE_BLOCK, SETS = 4 };
};

/* Sums of four sets would need more registers than a thread has. */
struct in_two_floats : single_range<88> {
    typedef float number;
    typedef two_coefficients coefficients;
    typedef two_floats state, value, total;
    typedef unit_power unit;
    typedef single_chunk chunk;
    template <int NFINE> using sum = two_floats;
    enum { PRECISION = 2, BLOCK = SINGLE_BLOCK, SETS = 2 };
};

static __device__ __forceinline__ void add_product(two_floats v, two_floats p, float *sum,
                                                   const int fresh)
{
    *sum = fresh ? v.high * p.high : fmaf(v.high, p.high, *sum);
}

/* 12 operations for 1 */
static __device__ __forceinline__ void add_product(two_floats v, two_floats p, two_floats *sum,
                                                   const int fresh)
{
    two_floats product;
    product.high = __fmul_rn(v.high, p.high);
    product.low = fmaf(v.high, p.high, -product.high);
    product.low = fmaf(v.low, p.high, fmaf(v.high, p.low, product.low));
    *sum = fresh ? product : *sum + product;
}

/* v: of leg, one float */
template <typename SUM>
static __device__ __forceinline__ void add_product(float v, two_floats p, SUM *sum, const int fresh)
{
    const two_floats value = {v, 0};
    add_product(value, p, sum, fresh);
}

/* As stage_scalar of legendre_device.h. The tables have the form of the equator, a y + b; with the
 * pole's argument 1 - y it is (a + b) - a (1 - y). */
static __device__ __forceinline__ void stage_scalar(const armilla_cuda_view &view, int64_t,
                                                    int form, int64_t start, int64_t first,
                                                    int count, single_chunk *chunk)
{
    const float4 *steps = reinterpret_cast<const float4 *>(view.single_steps) + start + first;
    const float *ceilings = view.single_ceiling + (start + first) / SINGLE_BLOCK;
    FOR_THREADS(i, count)
    {
        float4 c = steps[i];
        if (form == ARMILLA_FORM_POLE) {
            const two_floats a = {c.x, c.y}, b = {c.z, c.w}, sum = tidy(a + b);
            c = make_float4(-a.high, -a.low, sum.high, sum.low);
        }
        chunk->plain[i] = c;
    }
    FOR_THREADS(i, count / SINGLE_BLOCK) chunk->ceiling[i] = ceilings[i];
}

template <int NVEC, int NFINE>
static __device__ __forceinline__ void take_step(const single_chunk *chunk, int k,
                                                 const two_floats *y, two_floats *current,
                                                 two_floats *previous, const int odd)
{
    const float4 c = chunk->plain[k];
    const two_floats a = {c.x, c.y}, b = {c.z, c.w};
    ARMILLA_UNROLLED
    for (int i = 0; i < NVEC; i++) {
        two_floats *p = odd ? previous : current, *other = odd ? current : previous;
        other[i] = tidy(multiply_add(multiply_add(a, y[i], b), p[i], other[i]));
    }
}

/* The value of vector i at a step. */
static __device__ __forceinline__ two_floats value_now(const two_floats *current,
                                                       const two_floats *previous, const int i,
                                                       const int odd, const int)
{
    return odd ? previous[i] : current[i];
}

static __device__ __forceinline__ void set_argument(double y, two_floats *argument)
{
    *argument = two_of(y);
}

static __device__ __forceinline__ void put_coefficients(double2 from, two_coefficients *to)
{
    to->x = two_of(from.x), to->y = two_of(from.y);
}

#endif

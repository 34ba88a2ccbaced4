/* The scalar recurrence in single precision, for the kernels that legendre_device.h has in double:
 * p, y and the coefficients of steps are two floats each, values and sums are floats.
 * docs/gpu_inside.md, "Single precision", has errors, operations, and why the range is this one.
 * The plain form (2.7) serves every ring: with 45 bits it loses less than the sums do.
 *
 * Range, as in legendre/kernels/range.h: p 2^(64 n), n <= 0, of which only n = 0 counts. A pair
 * with n < 0 is moved up before a block of four steps in which |p| could pass 2^36: what is dropped
 * is below 2^(36 - 64) = 2^-28. In four steps |p| grows by 2^40 (m / 2047)^4 at most; up to
 * ARMILLA_CUDA_SINGLE_LMAX by less than 2^60, so that a moved value, 2^(36 - 60 - 64) = 2^-88 or
 * more, keeps the bits of its second float (from 2^-112 on) above 2^-149, the least float. */
#ifndef ARMILLA_CUDA_KERNELS_LEGENDRE_SINGLE_H
#define ARMILLA_CUDA_KERNELS_LEGENDRE_SINGLE_H

#include "cuda/kernels/legendre_device.h"

#include <type_traits>

enum { SINGLE_BLOCK = ARMILLA_CUDA_SINGLE_STEPS };

#define SINGLE_STEP  64.0 /* of n, in exponents of two */
#define SINGLE_DOWN  0x1p-64f
#define SINGLE_SHIFT (-8.0) /* first values are 2^-42 to 2^36, m^0.75 included */

/* CHUNK steps of an order in shared memory: a, b, two floats each. */
struct single_chunk {
    float4 plain[CHUNK];
    float ceiling[CHUNK / SINGLE_BLOCK];
};

struct __align__(16) two_coefficients
{
    two_floats x, y;
};

struct in_single {
    typedef float number;
    typedef two_coefficients coefficients;
    typedef two_floats state;
    typedef single_chunk chunk;
    template <int NFINE> using sum = typename std::conditional<NFINE != 0, two_floats, float>::type;
    enum { PRECISION = 1, BLOCK = SINGLE_BLOCK };
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

static __device__ __forceinline__ void start_vector(const armilla_kernel_order *order,
                                                    int64_t place, int, two_floats *current,
                                                    two_floats *previous, float *scale)
{
    vec mantissa, exponent, value, n;
    sine_power(&order->power, place, &mantissa, &exponent);
    split_exponent(mantissa * order->start_mantissa, exponent, SINGLE_STEP, SINGLE_SHIFT, &value,
                   &n);
    *current = two_of(value), *previous = two_floats();
    *scale = (float)n;
}

static __device__ __forceinline__ void rescale(two_floats *current, two_floats *previous,
                                               float *scale, float ceiling)
{
    const vmask large = *scale < 0 && fabsf(current->high) > ceiling;
    if (!v_lanes(large)) return;
    const float factor = large ? SINGLE_DOWN : 1.0f;
    current->high *= factor, current->low *= factor;
    previous->high *= factor, previous->low *= factor;
    *scale += large ? 1.0f : 0.0f;
}

static __device__ __forceinline__ void put_coefficients(double2 from, two_coefficients *to)
{
    to->x = two_of(from.x), to->y = two_of(from.y);
}

#endif

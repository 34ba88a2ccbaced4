/* Fourier transforms of 2 to 8 complex numbers in the registers of a thread,
 *
 *     X_q = sum_k x_k exp(SIGN 2 pi i k q / R),   0 <= q < R,   in place,
 *
 * and the products with roots of unity between two passes of a longer transform. Included by .cu
 * files only. */
#ifndef ARMILLA_CUDA_KERNELS_RINGFFT_RADIX_H
#define ARMILLA_CUDA_KERNELS_RINGFFT_RADIX_H

#include "cuda/kernels/ringfft_device.h"

namespace
{

/* The numbers of which a complex one is made, or a pair of these. */
template <typename COMPLEX> using scalar_in = scalar_of<real_of<COMPLEX>>;

template <typename REAL> constexpr REAL HALF_ROOT_2 = (REAL)0.70710678118654752440;
template <typename REAL> constexpr REAL HALF_ROOT_3 = (REAL)0.86602540378443864676;

template <typename COMPLEX> __device__ __forceinline__ COMPLEX sum_of(COMPLEX a, COMPLEX b)
{
    return {a.x + b.x, a.y + b.y};
}

template <typename COMPLEX> __device__ __forceinline__ COMPLEX difference_of(COMPLEX a, COMPLEX b)
{
    return {a.x - b.x, a.y - b.y};
}

template <typename COMPLEX>
__device__ __forceinline__ COMPLEX times(scalar_in<COMPLEX> factor, COMPLEX a)
{
    return {a.x * factor, a.y * factor};
}

/* SIGN i a */
template <int SIGN, typename COMPLEX> __device__ __forceinline__ COMPLEX quarter_turn(COMPLEX a)
{
    return SIGN > 0 ? COMPLEX{-a.y, a.x} : COMPLEX{a.y, -a.x};
}

/* (re + SIGN i im) a */
template <int SIGN, typename COMPLEX>
__device__ __forceinline__ COMPLEX turn(COMPLEX a, scalar_in<COMPLEX> re, scalar_in<COMPLEX> im)
{
    return {a.x * re - a.y * (SIGN * im), a.y * re + a.x * (SIGN * im)};
}

/* a exp(SIGN pi i / 4) */
template <int SIGN, typename COMPLEX> __device__ __forceinline__ COMPLEX eighth_turn(COMPLEX a)
{
    return times(HALF_ROOT_2<scalar_in<COMPLEX>>,
                 SIGN > 0 ? COMPLEX{a.x - a.y, a.x + a.y} : COMPLEX{a.x + a.y, a.y - a.x});
}

/* a, b become a + b, a - b */
template <typename COMPLEX> __device__ __forceinline__ void cross(COMPLEX *a, COMPLEX *b)
{
    const COMPLEX sum = sum_of(*a, *b);
    *b = difference_of(*a, *b), *a = sum;
}

/* a plus factor times b */
template <typename COMPLEX>
__device__ __forceinline__ COMPLEX add_times(COMPLEX a, scalar_in<COMPLEX> factor, COMPLEX b)
{
    return {a.x + b.x * factor, a.y + b.y * factor};
}

/* middle + SIGN i side and middle - SIGN i side: numbers q and R - q of an odd R. */
template <int SIGN, typename COMPLEX>
__device__ __forceinline__ void mirror(COMPLEX middle, COMPLEX side, COMPLEX *a, COMPLEX *b)
{
    side = quarter_turn<SIGN>(side);
    *a = sum_of(middle, side), *b = difference_of(middle, side);
}

template <int R, int SIGN> struct few {
};

template <int SIGN> struct few<2, SIGN> {
    template <typename COMPLEX> static __device__ __forceinline__ void transform(COMPLEX x[2])
    {
        cross(&x[0], &x[1]);
    }
};

template <int SIGN> struct few<3, SIGN> {
    template <typename COMPLEX> static __device__ __forceinline__ void transform(COMPLEX x[3])
    {
        typedef scalar_in<COMPLEX> REAL;
        const COMPLEX sum = sum_of(x[1], x[2]), difference = difference_of(x[1], x[2]);
        const COMPLEX middle = difference_of(x[0], times((REAL)0.5, sum));
        const COMPLEX side = quarter_turn<SIGN>(times(HALF_ROOT_3<REAL>, difference));
        x[0] = sum_of(x[0], sum);
        x[1] = sum_of(middle, side), x[2] = difference_of(middle, side);
    }
};

template <int SIGN> struct few<4, SIGN> {
    template <typename COMPLEX> static __device__ __forceinline__ void transform(COMPLEX x[4])
    {
        COMPLEX even = x[0], odd = x[1], even_rest = x[2], odd_rest = x[3];
        cross(&even, &even_rest);
        cross(&odd, &odd_rest);
        odd_rest = quarter_turn<SIGN>(odd_rest);
        x[0] = sum_of(even, odd), x[2] = difference_of(even, odd);
        x[1] = sum_of(even_rest, odd_rest), x[3] = difference_of(even_rest, odd_rest);
    }
};

template <int SIGN> struct few<5, SIGN> {
    template <typename COMPLEX> static __device__ __forceinline__ void transform(COMPLEX x[5])
    {
        typedef scalar_in<COMPLEX> REAL;
        const REAL cos_1 = (REAL)0.30901699437494742410, cos_2 = (REAL)-0.80901699437494742410;
        const REAL sin_1 = (REAL)0.95105651629515357212, sin_2 = (REAL)0.58778525229247312917;
        const COMPLEX zero = x[0];
        cross(&x[1], &x[4]);
        cross(&x[2], &x[3]);
        const COMPLEX sum_1 = x[1], sum_2 = x[2], rest_1 = x[4], rest_2 = x[3];
        x[0] = sum_of(zero, sum_of(sum_1, sum_2));
        mirror<SIGN>(add_times(add_times(zero, cos_1, sum_1), cos_2, sum_2),
                     add_times(times(sin_1, rest_1), sin_2, rest_2), &x[1], &x[4]);
        mirror<SIGN>(add_times(add_times(zero, cos_2, sum_1), cos_1, sum_2),
                     add_times(times(sin_2, rest_1), -sin_1, rest_2), &x[2], &x[3]);
    }
};

/* From the transforms of numbers 0, 2, 4, ... and of numbers 1, 3, 5, ..., these with their roots.
 */
template <int H, typename COMPLEX>
__device__ __forceinline__ void join(const COMPLEX even[H], const COMPLEX odd[H], COMPLEX x[2 * H])
{
    for (int q = 0; q < H; q++)
        x[q] = sum_of(even[q], odd[q]), x[q + H] = difference_of(even[q], odd[q]);
}

template <int SIGN> struct few<6, SIGN> {
    template <typename COMPLEX> static __device__ __forceinline__ void transform(COMPLEX x[6])
    {
        typedef scalar_in<COMPLEX> REAL;
        COMPLEX even[3] = {x[0], x[2], x[4]}, odd[3] = {x[1], x[3], x[5]};
        few<3, SIGN>::transform(even);
        few<3, SIGN>::transform(odd);
        odd[1] = turn<SIGN>(odd[1], (REAL)0.5, HALF_ROOT_3<REAL>);
        odd[2] = turn<SIGN>(odd[2], (REAL)-0.5, HALF_ROOT_3<REAL>);
        join<3>(even, odd, x);
    }
};

template <int SIGN> struct few<7, SIGN> {
    template <typename COMPLEX> static __device__ __forceinline__ void transform(COMPLEX x[7])
    {
        typedef scalar_in<COMPLEX> REAL;
        const REAL cosine[3] = {(REAL)0.62348980185873353053, (REAL)-0.22252093395631440429,
                                (REAL)-0.90096886790241912624};
        const REAL sine[3] = {(REAL)0.78183148246802980871, (REAL)0.97492791218182360702,
                              (REAL)0.43388373911755812048};
        const COMPLEX zero = x[0];
        for (int k = 1; k < 4; k++) cross(&x[k], &x[7 - k]);
        const COMPLEX sum[3] = {x[1], x[2], x[3]}, rest[3] = {x[6], x[5], x[4]};
        x[0] = sum_of(sum_of(zero, sum[0]), sum_of(sum[1], sum[2]));
        for (int q = 1; q < 4; q++) {
            COMPLEX middle = zero, side = {};
            for (int k = 1; k < 4; k++) {
                const int turns = q * k % 7, angle = turns < 4 ? turns : 7 - turns;
                middle = add_times(middle, cosine[angle - 1], sum[k - 1]);
                side = add_times(side, turns < 4 ? sine[angle - 1] : -sine[angle - 1], rest[k - 1]);
            }
            mirror<SIGN>(middle, side, &x[q], &x[7 - q]);
        }
    }
};

template <int SIGN> struct few<8, SIGN> {
    template <typename COMPLEX> static __device__ __forceinline__ void transform(COMPLEX x[8])
    {
        COMPLEX even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
        few<4, SIGN>::transform(even);
        few<4, SIGN>::transform(odd);
        odd[1] = eighth_turn<SIGN>(odd[1]);
        odd[2] = quarter_turn<SIGN>(odd[2]);
        odd[3] = eighth_turn<SIGN>(quarter_turn<SIGN>(odd[3]));
        join<4>(even, odd, x);
    }
};

/* x_q times root^q, 0 <= q < R <= 8 */
template <int R, typename FACTOR, typename COMPLEX>
__device__ __forceinline__ void turn_powers(FACTOR root, COMPLEX x[R])
{
    const FACTOR second = armilla_ring_product(root, root);
    const FACTOR third = armilla_ring_product(second, root);
    const FACTOR fourth = armilla_ring_product(second, second);
    x[1] = armilla_ring_product(x[1], root);
    if constexpr (R > 2) x[2] = armilla_ring_product(x[2], second);
    if constexpr (R > 3) x[3] = armilla_ring_product(x[3], third);
    if constexpr (R > 4) x[4] = armilla_ring_product(x[4], fourth);
    if constexpr (R > 5) x[5] = armilla_ring_product(x[5], armilla_ring_product(fourth, root));
    if constexpr (R > 6) x[6] = armilla_ring_product(x[6], armilla_ring_product(third, third));
    if constexpr (R > 7) x[7] = armilla_ring_product(x[7], armilla_ring_product(fourth, third));
}

} // namespace

#endif

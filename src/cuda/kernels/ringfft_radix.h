/* Fourier transforms of 2, 3, 4, 6 and 8 complex numbers in the registers of a thread,
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

constexpr double HALF_ROOT_2 = 0.70710678118654752440, HALF_ROOT_3 = 0.86602540378443864676;

__device__ __forceinline__ double2 sum_of(double2 a, double2 b)
{
    return make_double2(a.x + b.x, a.y + b.y);
}

__device__ __forceinline__ double2 difference_of(double2 a, double2 b)
{
    return make_double2(a.x - b.x, a.y - b.y);
}

/* SIGN i a */
template <int SIGN> __device__ __forceinline__ double2 quarter_turn(double2 a)
{
    return SIGN > 0 ? make_double2(-a.y, a.x) : make_double2(a.y, -a.x);
}

/* (re + SIGN i im) a */
template <int SIGN> __device__ __forceinline__ double2 turn(double2 a, double re, double im)
{
    return make_double2(re * a.x - SIGN * im * a.y, re * a.y + SIGN * im * a.x);
}

/* a exp(SIGN pi i / 4) */
template <int SIGN> __device__ __forceinline__ double2 eighth_turn(double2 a)
{
    return SIGN > 0 ? make_double2(HALF_ROOT_2 * (a.x - a.y), HALF_ROOT_2 * (a.x + a.y))
                    : make_double2(HALF_ROOT_2 * (a.x + a.y), HALF_ROOT_2 * (a.y - a.x));
}

/* a, b become a + b, a - b */
__device__ __forceinline__ void cross(double2 *a, double2 *b)
{
    const double2 sum = sum_of(*a, *b);
    *b = difference_of(*a, *b), *a = sum;
}

template <int R, int SIGN> struct few {
};

template <int SIGN> struct few<2, SIGN> {
    static __device__ __forceinline__ void transform(double2 x[2])
    {
        cross(&x[0], &x[1]);
    }
};

template <int SIGN> struct few<3, SIGN> {
    static __device__ __forceinline__ void transform(double2 x[3])
    {
        const double2 sum = sum_of(x[1], x[2]), difference = difference_of(x[1], x[2]);
        const double2 middle = make_double2(x[0].x - 0.5 * sum.x, x[0].y - 0.5 * sum.y);
        const double2 side = quarter_turn<SIGN>(
            make_double2(HALF_ROOT_3 * difference.x, HALF_ROOT_3 * difference.y));
        x[0] = sum_of(x[0], sum);
        x[1] = sum_of(middle, side), x[2] = difference_of(middle, side);
    }
};

template <int SIGN> struct few<4, SIGN> {
    static __device__ __forceinline__ void transform(double2 x[4])
    {
        double2 even = x[0], odd = x[1], even_rest = x[2], odd_rest = x[3];
        cross(&even, &even_rest);
        cross(&odd, &odd_rest);
        odd_rest = quarter_turn<SIGN>(odd_rest);
        x[0] = sum_of(even, odd), x[2] = difference_of(even, odd);
        x[1] = sum_of(even_rest, odd_rest), x[3] = difference_of(even_rest, odd_rest);
    }
};

/* From the transforms of numbers 0, 2, 4, ... and of numbers 1, 3, 5, ..., these with their roots.
 */
template <int H>
__device__ __forceinline__ void join(const double2 even[H], const double2 odd[H], double2 x[2 * H])
{
    for (int q = 0; q < H; q++)
        x[q] = sum_of(even[q], odd[q]), x[q + H] = difference_of(even[q], odd[q]);
}

template <int SIGN> struct few<6, SIGN> {
    static __device__ __forceinline__ void transform(double2 x[6])
    {
        double2 even[3] = {x[0], x[2], x[4]}, odd[3] = {x[1], x[3], x[5]};
        few<3, SIGN>::transform(even);
        few<3, SIGN>::transform(odd);
        odd[1] = turn<SIGN>(odd[1], 0.5, HALF_ROOT_3);
        odd[2] = turn<SIGN>(odd[2], -0.5, HALF_ROOT_3);
        join<3>(even, odd, x);
    }
};

template <int SIGN> struct few<8, SIGN> {
    static __device__ __forceinline__ void transform(double2 x[8])
    {
        double2 even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
        few<4, SIGN>::transform(even);
        few<4, SIGN>::transform(odd);
        odd[1] = eighth_turn<SIGN>(odd[1]);
        odd[2] = quarter_turn<SIGN>(odd[2]);
        odd[3] = eighth_turn<SIGN>(quarter_turn<SIGN>(odd[3]));
        join<4>(even, odd, x);
    }
};

/* x_q times root^q, 0 <= q < 8 */
__device__ __forceinline__ void turn_powers(double2 root, double2 x[8])
{
    const double2 second = armilla_ring_product(root, root);
    const double2 third = armilla_ring_product(second, root);
    const double2 fourth = armilla_ring_product(second, second);
    x[1] = armilla_ring_product(x[1], root);
    x[2] = armilla_ring_product(x[2], second);
    x[3] = armilla_ring_product(x[3], third);
    x[4] = armilla_ring_product(x[4], fourth);
    x[5] = armilla_ring_product(x[5], armilla_ring_product(fourth, root));
    x[6] = armilla_ring_product(x[6], armilla_ring_product(third, third));
    x[7] = armilla_ring_product(x[7], armilla_ring_product(fourth, third));
}

} // namespace

#endif

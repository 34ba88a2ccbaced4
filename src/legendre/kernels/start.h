/* p_0 of a group of ring pairs. Included by the kernels only. */
#ifndef ARMILLA_LEGENDRE_KERNELS_START_H
#define ARMILLA_LEGENDRE_KERNELS_START_H

#include "legendre/kernels/range.h"

#ifdef ARMILLA_ISA_NAME
ARMILLA_KERNEL_LIST(ARMILLA_KERNEL_DECLARE, armilla_kernel)
#endif

/* sin^j theta: the product of two mantissas in [1/2, 1). */
ARMILLA_ALWAYS_INLINE void sine_power(const armilla_kernel_power *power, int64_t pair,
                                      vec *mantissa, vec *exponent)
{
    *mantissa = v_mul(v_load(power->high_mantissa + pair), v_load(power->low_mantissa + pair));
    *exponent = v_add(v_load(power->high_exponent + pair), v_load(power->low_exponent + pair));
}

/* p_0 = start * sin^m theta */
ARMILLA_ALWAYS_INLINE void start_value(const armilla_kernel_order *order, int64_t pair, vec *value,
                                       vec *scale)
{
    vec mantissa, exponent;
    sine_power(&order->power, pair, &mantissa, &exponent);
    split_range(v_mul(mantissa, v_all(order->start_mantissa)), exponent, value, scale);
}

/* State of one vector before the first step. */
ARMILLA_ALWAYS_INLINE void start_vector(const armilla_kernel_order *order, int64_t pair, int fine,
                                        vec *current, vec *previous, vec *scale)
{
    start_value(order, pair, current, scale);
    *previous = fine ? *current : v_all(0.0);
}

#endif

/* What the recurrences of an order have at each step, from a_k or a_l: one number after the other,
 * for the arrays of stream.c, spin_stream.c and for the blocks of steps of src/cuda/kernels. See
 * those two files for the formulas. */
#ifndef ARMILLA_LEGENDRE_KERNELS_STEPS_H
#define ARMILLA_LEGENDRE_KERNELS_STEPS_H

#include "base/compiler.h"

#include <stdint.h>

/* Step k of order m: l - m and l + m of its odd degree l = m + 2k + 1, 1 / (4 l^2 - 1) of l and of
 * l + 1, A_l^2 and A_{l+1}^2. */
typedef struct {
    double step, up, first, second, odd, even;
} scalar_step;

/* square_scale[l] = 1 / (4 l^2 - 1) */
ARMILLA_ALWAYS_INLINE scalar_step find_step(int64_t m, int64_t k, const double *square_scale)
{
    scalar_step s;
    s.step = 2.0 * (double)(int32_t)k + 1, s.up = s.step + 2 * (double)m;
    s.first = square_scale[m + 2 * k + 1], s.second = square_scale[m + 2 * k + 2];
    s.odd = s.step * s.up * s.first, s.even = (s.step + 1) * (s.up + 1) * s.second;
    return s;
}

ARMILLA_ALWAYS_INLINE void equator_plain(scalar_step s, double a_k, double *a, double *b)
{
    *a = a_k, *b = -a_k * (s.odd + s.even);
}

ARMILLA_ALWAYS_INLINE void equator_fine(scalar_step s, double a_k, double *c1, double *c2)
{
    *c1 = -a_k * s.odd, *c2 = -a_k * s.even;
}

ARMILLA_ALWAYS_INLINE void pole_plain(scalar_step s, double a_k, double *a, double *b)
{
    *a = -a_k, *b = a_k * (1 - s.odd - s.even);
}

ARMILLA_ALWAYS_INLINE void pole_fine(scalar_step s, double a_k, double *c1, double *c2)
{
    *c1 = a_k * (s.step * (s.step - 1) * s.first);
    *c2 = a_k * ((s.up + 1) * (s.up + 2) * s.second);
}

/* Spin s: product = m s. Returned: what |p| grows by at most, the largest 1 + |a y + b| for
 * 0 <= y <= 1. */
ARMILLA_ALWAYS_INLINE double spin_plain(double product, double l, double a_l, double *a,
                                        double *plus, double *minus)
{
    const double across = product / (l * (l + 1)), size = a_l < 0 ? -a_l : a_l;
    *a = -a_l, *plus = (1 + across) * a_l, *minus = (1 - across) * a_l;
    return 1 + size * (1 + across);
}

/* large, small: max(m, s), min(m, s). c: c1+, c1-, c2+, c2- */
ARMILLA_ALWAYS_INLINE void spin_fine(double large, double small, double l, double a_l, double c[4])
{
    const double down = a_l * (l - large) / (l * (2 * l + 1));
    const double up = a_l * (l + 1 + large) / ((l + 1) * (2 * l + 1));
    c[0] = down * (l - small), c[1] = down * (l + small);
    c[2] = up * (l + 1 + small), c[3] = up * (l + 1 - small);
}

/* Between coefficients of spin s and of spin s - 1: tables of an order, number i being degree
 * m + i; kernels.h, armilla_kernel_ladder. order: m, or -m for a negative spin. */
typedef struct {
    const double *root, *sum_root, *scale, *up, *down, *across;
    double order;
} ladder_order;

/* What degree m + i takes of its neighbours: see spin_stream.c. */
typedef struct {
    double up, down, across;
} ladder_links;

ARMILLA_ALWAYS_INLINE ladder_links find_links(const ladder_order *o, int64_t i, const int raise)
{
    const int64_t j = i + raise, k = i + 1 - raise; /* places in the tables */
    ladder_links links;
    links.up = o->root[j] * o->sum_root[j] * o->scale[j] * o->up[j];
    links.down = -o->root[k] * o->sum_root[k] * o->scale[k] * o->down[i - raise];
    links.across = o->order * o->across[i];
    return links;
}

#endif

/* Inside of a convention of coefficients: what its words mean in numbers. */
#ifndef ARMILLA_ALM_CONVENTION_H
#define ARMILLA_ALM_CONVENTION_H

#include "armilla/convention.h"

/* ARMILLA_ERROR_ARGUMENT where a field has no such value, or two contradict each other. */
armilla_status armilla_convention_check(const armilla_convention *convention);

/* ARMILLA_ERROR_ARGUMENT where a factor of degrees up to lmax and orders up to mmax is no normal
 * double. */
armilla_status armilla_convention_check_factors(const armilla_convention *convention, int64_t lmax,
                                                int64_t mmax);

/* (l - m)! / (l + m)! = (high + low) 2^exponent, which no double holds for large l and m. */
typedef struct armilla_factorials {
    double high, low;
    int64_t exponent;
} armilla_factorials;

/* The first order's first degree: l = m = 0. */
void armilla_factorials_begin(armilla_factorials *start);

/* Factors of one order, l = m .. lmax, to factor[l].
 * Given: start  of l = m; it becomes that of m + 1. */
void armilla_convention_factors(const armilla_convention *convention, int64_t lmax, int64_t m,
                                armilla_factorials *start, double *factor);

/* Does a packing have items of both signs of m? */
static inline int armilla_packing_is_two_sided(int packing)
{
    return packing >= ARMILLA_PACKING_PLANES;
}

/* Doubles of an item. */
static inline int armilla_convention_width(const armilla_convention *convention)
{
    return !armilla_packing_is_two_sided(convention->packing) ||
                   convention->harmonics == ARMILLA_HARMONICS_COMPLEX
               ? 2
               : 1;
}

#endif

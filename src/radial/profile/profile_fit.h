/* Making profiles: what profile.c and profile_cells.c share. */
#ifndef ARMILLA_RADIAL_PROFILE_FIT_H
#define ARMILLA_RADIAL_PROFILE_FIT_H

#include "radial/profile/kernel.h"

/* A Chebyshev series: sum over k < count of coef[k] T_k(s), s = 2 x / end - 1. */
typedef struct armilla_series {
    int64_t count;
    long double *coef;
} armilla_series;

/* Bounds, of the peak: of the fit; of the sum of |coefficients|, which is what rounding in the
 * evaluation is in proportion to. */
#define ARMILLA_PROFILE_ERROR  2e-16L
#define ARMILLA_PROFILE_GROWTH 8

/* Powers of s from Chebyshev coefficients, count <= ARMILLA_PROFILE_DEGREE + 1; returns the sum of
 * their absolute values. */
long double armilla_chebyshev_powers(int count, const long double *chebyshev, long double *power);

/* At s = 2 y^2 - 1, 0 <= y <= 1. */
long double armilla_series_value(const armilla_series *series, long double y);

/* The profile in cells; support, end and peak are set. series: of a smooth kernel; NULL for a
 * table. Errors: ARGUMENT if the cells would be too many, MEMORY; *profile owns nothing then. */
armilla_status armilla_profile_make_cells(const armilla_kernel *kernel,
                                          const armilla_series *series, armilla_profile *profile);

#endif

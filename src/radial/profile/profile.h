/* A kernel cut at its support, in the form that inner loops evaluate: as a function of
 *
 *     x = sin^2(angle / 2),    0 <= x <= end = sin^2(support / 2);  0 beyond, K(end) included.
 *
 * Smooth kernels are one polynomial in s = 2 x / end - 1. Others are polynomials on equal cells of
 * y = sqrt(x / end): cell c holds y = (c + (1 + t) / 2) / ncells, -1 <= t <= 1, and one polynomial
 * in t on each side of border[c], at which a table may have a kink. */
#ifndef ARMILLA_RADIAL_PROFILE_H
#define ARMILLA_RADIAL_PROFILE_H

#include "armilla/kernel.h"
#include "base/status.h"

enum {
    ARMILLA_PROFILE_DEGREE = 63, /* most, of one polynomial */
    ARMILLA_PROFILE_CELL_DEGREE = 9
};

typedef struct armilla_profile {
    /* At most what was asked for: the kernel beyond is 0, or below 1e-17 of its peak */
    double support, end;
    double peak;    /* the largest |K| */
    int turns;      /* spin 2: K multiplies exp(2 i t) of (8.17). Set by who made it; here 0 */
    int degree;     /* of one polynomial, or in cells */
    int64_t ncells; /* 0: one polynomial */
    double *coef;   /* [degree + 1], or [ncells][2][degree + 1]: side 0 is t < border */
    double *border; /* [ncells]; 2: none in the cell */
} armilla_profile;

/* Given:    kernel;  0 < support <= pi;  factor  multiplies the kernel.
 * Returned: *profile, to be freed with armilla_profile_free; error 2e-16 of the peak, plus
 *           rounding of the evaluation, up to 2e-15 of it.
 * Errors:   MEMORY; ARGUMENT for a kernel that would need more than 65536 cells (nodes of a table
 *           that are too near each other, a window of too many degrees). *profile is then empty. */
armilla_status armilla_profile_make(const armilla_kernel *kernel, double support, double factor,
                                    armilla_profile *profile);
void armilla_profile_free(armilla_profile *profile);

/* K at x; 0 for x > end. */
double armilla_profile_value(const armilla_profile *profile, double x);

/* Integral of the kernel over the disc of radius `support`. */
double armilla_kernel_integral(const armilla_kernel *kernel, double support);

/* Is K(theta) < 0 by more than rounding somewhere within the support? */
int armilla_kernel_is_negative(const armilla_kernel *kernel, double support);

/* The angle at which |K| first falls to half of |K(0)|; pi if it does not. */
double armilla_kernel_half_width(const armilla_kernel *kernel);

/* A copy that owns what it needs. Errors: MEMORY. */
armilla_status armilla_kernel_copy(const armilla_kernel *kernel, armilla_kernel **copy);

#endif

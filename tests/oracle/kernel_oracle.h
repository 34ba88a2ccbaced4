/* Oracle: values of radial kernels in long double, from their definitions in armilla/kernel.h, and
 * the integral of a kernel over a disc. */
#ifndef ARMILLA_TESTS_KERNEL_ORACLE_H
#define ARMILLA_TESTS_KERNEL_ORACLE_H

#include <stdint.h>

enum { ORACLE_MOST_VALUES = 64 };

/* What the numbers of a kernel mean. */
typedef enum oracle_kernel_kind {
    ORACLE_GAUSSIAN,    /* width: full width at half maximum */
    ORACLE_MEXICAN_HAT, /* the same */
    ORACLE_TOPHAT,      /* width: the radius */
    ORACLE_TABLE,       /* count nodes at theta[], with value[] */
    ORACLE_WINDOW       /* value[l] = b_l, l = 0 .. count - 1 */
} oracle_kernel_kind;

typedef struct oracle_kernel {
    oracle_kernel_kind kind;
    double width;
    int64_t count; /* at most ORACLE_MOST_VALUES */
    double theta[ORACLE_MOST_VALUES], value[ORACLE_MOST_VALUES];
} oracle_kernel;

/* Integral of exp(-1 / (1 - v^2)) from -1 to u, which makes the step of needlets. */
long double oracle_bump_integral(long double u);

/* The window of a needlet. Given: base^(scale + 1) <= ORACLE_MOST_VALUES. */
oracle_kernel oracle_needlet(double base, int64_t scale);

/* values[i] = K(theta[i]). Gaussians are the sum over l of (2 l + 1) / (4 pi)
 * exp(-l (l + 1) sigma^2 / 2) P_l(cos theta), Mexican hats the same with a factor
 * l (l + 1) sigma^2, windows that with b_l, tables monotone cubics in the chord. */
void oracle_kernel_values(const oracle_kernel *kernel, int64_t count, const double *theta,
                          double *values);

/* Integral of K over the disc of radius `support`, relative error 1e-15 of that of |K|.
 * breaks: nbreaks ascending angles at which K may have a kink or a jump. */
long double oracle_kernel_integral(const oracle_kernel *kernel, double support, int64_t nbreaks,
                                   const double *breaks);

#endif

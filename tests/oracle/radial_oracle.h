/* Oracle: convolution with a radial kernel as the sum over all pixels that it is, in long double.
 *
 *     s_p = factor sum over q within the support of w_q K(angle(p, q)) v_q map_q
 *
 * Angles: sin^2(a / 2) = sin^2((t - t0) / 2) + sin t sin t0 sin^2((phi - phi0) / 2), longitudes by
 * whole numbers of pixels. */
#ifndef ARMILLA_TESTS_RADIAL_ORACLE_H
#define ARMILLA_TESTS_RADIAL_ORACLE_H

#include "armilla/armilla.h"

/* Values of K; `kernel` is what the function below expects. */
typedef void (*radial_values)(const void *kernel, int64_t count, const double *theta,
                              double *values);

/* kernel: an armilla_kernel. */
void radial_library_values(const void *kernel, int64_t count, const double *theta, double *values);

/* kernel: const double *, the full width at half maximum of a Gaussian beam. Shares nothing with
 * the library: sum over l of (2 l + 1) / (4 pi) exp(-l (l + 1) sigma^2 / 2) P_l(cos theta), in long
 * double. Mexican hats: the same with a factor l (l + 1) sigma^2. */
void radial_gaussian_values(const void *kernel, int64_t count, const double *theta, double *values);
void radial_mexican_hat_values(const void *kernel, int64_t count, const double *theta,
                               double *values);

typedef struct radial_oracle {
    int64_t nrings;
    const armilla_ring *rings;
    radial_values values;
    const void *kernel;
    double support;
    long double factor; /* multiplies K */
    int adjoint;        /* w_q is left out */
} radial_oracle;

/* Of one pixel p. A pixel q whose angle is that of the support to 1e-12 is a tie: rounding says
 * whether it counts. (No ties where the support is pi: nothing is further away.) */
typedef struct radial_sum {
    long double value;   /* s_p, with the ties */
    long double divisor; /* the same of a map of ones */
    long double size;    /* sum of |w_q K v_q|, factor included */
    long double tie;     /* sum of |w_q K v_q map_q| over the ties */
    long double ties;    /* sum of |w_q K v_q| over the ties */
} radial_sum;

/* map: NULL means ones. v: one per pixel of the map, or NULL: ones; where it is 0 the map is not
 * read. */
radial_sum oracle_radial_sum(const radial_oracle *oracle, int64_t ring, int64_t pixel,
                             const double *map, const double *v);

/* The angle between two pixels, radians. */
long double oracle_radial_angle(const armilla_ring *a, int64_t i, const armilla_ring *b, int64_t j);

/* Integral of K over the disc of radius `support`, relative error 1e-15 of that of |K|.
 * breaks: nbreaks ascending angles at which K may have a kink or a jump. */
long double oracle_radial_integral(radial_values values, const void *kernel, double support,
                                   int64_t nbreaks, const double *breaks);

#endif

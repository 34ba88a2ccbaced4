/* Oracle: convolution with a radial kernel as the sum over all pixels that it is, in long double.
 *
 *     s_p = factor sum over q within the support of w_q K(angle(p, q)) v_q map_q
 *
 * Angles: sin^2(a / 2) = sin^2((t - t0) / 2) + sin t sin t0 sin^2((phi - phi0) / 2), longitudes by
 * whole numbers of pixels. */
#ifndef ARMILLA_TESTS_RADIAL_ORACLE_H
#define ARMILLA_TESTS_RADIAL_ORACLE_H

#include "armilla/grid.h"
#include "oracle/kernel_oracle.h"

typedef struct radial_oracle {
    int64_t nrings;
    const armilla_ring *rings;
    const oracle_kernel *kernel;
    double support;
    long double factor; /* multiplies K */
    int adjoint;        /* w_q is left out */
} radial_oracle;

/* The sum of one pixel p. A pixel q whose angle is that of the support to 1e-12 is a tie: rounding
 * says whether it counts. (No ties where the support is pi: nothing is further away.) */
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

#endif

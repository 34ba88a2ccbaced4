/* The directions of HEALPix pixels as short functions for loops over pixels, on top of their
 * numbers (base/healpix.h). The formulas are those of healpix_pixels.c; docs/mathematics.md (12.1),
 * (12.2).
 */
#ifndef ARMILLA_GRID_HEALPIX_SCHEME_H
#define ARMILLA_GRID_HEALPIX_SCHEME_H

#include "armilla/healpix.h"
#include "base/healpix.h"
#include "base/status.h"
#include <math.h>

/* Errors: ARGUMENT unless nside is 1 to 876706528, and a power of two for nested numbers. */
armilla_status armilla_scheme_make(int64_t nside, int nested, armilla_scheme *scheme);

/* --- Directions --------------------------------------------------------------------------------
 */

/* cos and sin of the colatitude of a ring, each with all its digits at the poles, too. */
static inline void armilla_ring_height(const armilla_scheme *s, int64_t ring, double *z,
                                       double *sine)
{
    int64_t quarter = armilla_ring_quarter(s, ring);
    double n = (double)s->nside;
    if (quarter < s->nside) {
        double part = (double)quarter / n, gap = part * part / 3; /* 1 - |z| */
        *z = ring < 2 * s->nside ? 1 - gap : gap - 1;
        *sine = sqrt(gap * (2 - gap));
    } else {
        *z = (double)(2 * (2 * s->nside - ring)) / (3 * n);
        *sine = sqrt((1 - *z) * (1 + *z));
    }
}

static inline double armilla_ring_theta(const armilla_scheme *s, int64_t ring)
{
    int64_t quarter = armilla_ring_quarter(s, ring);
    double n = (double)s->nside;
    if (quarter == s->nside) return acos((double)(2 * (2 * s->nside - ring)) / (3 * n));
    double theta = 2 * asin((double)quarter / (2.449489742783178 * n)); /* sqrt(6) */
    return ring < 2 * s->nside ? theta : M_PI - theta;
}

/* The ring that a colatitude, 0 to pi, is on or south of: 0 .. 4 nside - 1. */
static inline int64_t armilla_ring_above(const armilla_scheme *s, double theta)
{
    double n = (double)s->nside, z = cos(theta);
    if (fabs(z) <= 2.0 / 3) return (int64_t)(n * (2 - 1.5 * z));
    double away = 2.449489742783178 * n * sin((z > 0 ? theta : M_PI - theta) / 2); /* sqrt(6) */
    return z > 0 ? (int64_t)away : 4 * s->nside - 1 - (int64_t)away;
}

/* Longitude of pixel j of a ring. */
static inline double armilla_ring_longitude(const armilla_scheme *s, int64_t ring, int64_t j)
{
    return (double)(2 * j + armilla_ring_shift(s, ring)) *
           (M_PI / (double)(4 * armilla_ring_quarter(s, ring)));
}

#endif

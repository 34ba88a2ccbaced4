/* A point (theta, phi) of the caller, in radians: is it one, and what is wrong with it. */
#ifndef ARMILLA_BASE_POINT_H
#define ARMILLA_BASE_POINT_H

#include "base/status.h"

#include <math.h>
#include <stdint.h>

static inline int armilla_point_is_good(double theta, double phi)
{
    return theta >= 0 && theta <= M_PI && isfinite(phi);
}

/* ARGUMENT, naming point number i. Given: it is not a good one. */
static inline armilla_status armilla_point_fail(int64_t i, double theta, double phi)
{
    if (!(theta >= 0 && theta <= M_PI))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "points: theta of point %lld = %.17g: must be 0 to pi", (long long)i,
                            theta);
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "points: phi of point %lld = %.17g: must be finite",
                        (long long)i, phi);
}

#endif

/* A point (theta, phi) of the caller, in radians: is it one, and what is wrong with it. */
#ifndef ARMILLA_BASE_POINT_H
#define ARMILLA_BASE_POINT_H

#include "base/colatitude.h"
#include "base/status.h"

#include <math.h>
#include <stdint.h>

static inline int armilla_point_is_good(double theta, double phi)
{
    return armilla_colatitude_is_good(theta) && isfinite(phi);
}

/* ARGUMENT, naming point number i. Given: it is not a good one. */
static inline armilla_status armilla_point_fail(int64_t i, double theta, double phi)
{
    if (!armilla_colatitude_is_good(theta))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "points: theta of point %lld = %.17g: must be 0 to pi", (long long)i,
                            theta);
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "points: phi of point %lld = %.17g: must be finite",
                        (long long)i, phi);
}

/* Points [count][stride], theta first, as they are taken: *points stays where all colatitudes are
 * 0 to pi; where some are the float above pi, *points becomes *own, a copy with pi there, which the
 * caller releases. Given: good ones. Errors: MEMORY; *own is then NULL, as without a copy. */
armilla_status armilla_points_settle(int64_t count, int64_t stride, const double **points,
                                     double **own);

#endif

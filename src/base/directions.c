/* Checks lists of directions and of numbers. */
#include "base/directions.h"

#include "base/colatitude.h"

#include <math.h>

armilla_status armilla_directions_check(const armilla_directions *given)
{
    static const char *const angles[] = {"theta", "phi", "psi"};
    const armilla_status status = armilla_check_given(given->names, given->angles);
    for (int64_t i = 0; i < given->count * given->nangles && !status; i++) {
        const int64_t which = i % given->nangles;
        const double angle = given->angles[i];
        if (which ? isfinite(angle) : armilla_colatitude_is_good(angle)) continue;
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s: %s of %s %lld = %.17g: must be %s",
                            given->names, angles[which], given->name,
                            (long long)(i / given->nangles), angle, which ? "finite" : "0 to pi");
    }
    return status;
}

armilla_status armilla_check_finite(const char *name, int64_t count, int64_t width,
                                    const double *values)
{
    const armilla_status status = armilla_check_given(name, values);
    for (int64_t i = 0; i < count * width && !status; i++)
        if (!isfinite(values[i]))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s[%lld] = %g: must be finite", name,
                                (long long)(i / width), values[i]);
    return status;
}

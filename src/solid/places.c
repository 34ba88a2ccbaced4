/* Checks points in space, and sorts them by their distance from the poles. */
#include "solid/places.h"

#include "base/colatitude.h"

#include <math.h>
#include <stdlib.h>

static const double largest = 1e100, most_growth = 550;
static const double near_sine = 0.4; /* below, the rounding of cos theta counts */

static armilla_status fail(int64_t i, const char *what, double value, const char *rule)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "points[%lld]: %s = %.17g: %s", (long long)i, what,
                        value, rule);
}

static armilla_status check_point(const armilla_solid_places *places, int64_t i, int64_t degrees)
{
    const double *point = places->points + 3 * i, r = point[2];
    if (!armilla_colatitude_is_good(point[0]))
        return fail(i, "theta", point[0], "must be 0 to pi, radians");
    if (!isfinite(point[1])) return fail(i, "phi", point[1], "must be finite");
    if (!(places->interior ? r >= 0 : r > 0) || !isfinite(r))
        return fail(i, "r", r,
                    places->interior ? "must be finite and not negative"
                                     : "must be finite and above 0");
    const double s = armilla_solid_ratio(places, r);
    if (!(s <= largest) || (!places->interior && s < 1 / largest))
        return fail(i, "r", r, "must be within a factor of 1e100 of the radius");
    if (s > 1 && (double)degrees * log(s) > most_growth)
        return fail(i, "r", r,
                    places->interior
                        ? "is so far above the radius that (r / radius)^lmax might overflow"
                        : "is so far below the radius that (radius / r)^lmax might overflow");
    return ARMILLA_OK;
}

armilla_status armilla_solid_places_check(const armilla_solid_places *places, int64_t degrees)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < places->count && !status; i++) status = check_point(places, i, degrees);
    return status;
}

/* Near the poles, and at the centre of an interior, V_t and V_p are no quotients by r sin theta. */
static int compare(const void *left, const void *right)
{
    const armilla_solid_place *a = left, *b = right;
    if (a->near != b->near) return a->near ? -1 : 1;
    if (a->sine != b->sine) return a->sine < b->sine ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

void armilla_solid_places_sort(armilla_solid_places *places)
{
    places->near = 0;
    for (int64_t i = 0; i < places->count; i++) {
        armilla_solid_place *place = &places->place[i];
        const double *point = places->points + 3 * place->number;
        place->sine = fabs(sin(point[0]));
        place->near =
            place->sine < near_sine || armilla_solid_ratio(places, point[2]) < 1 / largest;
        places->near += place->near;
    }
    qsort(places->place, (size_t)places->count, sizeof *places->place, compare);
}

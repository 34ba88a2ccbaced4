/* Pixels in discs, convex polygons and strips: arguments, and the circles that a polygon is made
 * of. Each side of a polygon is a great circle: the polygon is what the halves of the sphere on
 * their inner sides have in common. Pixels that overlap with each half need not overlap with the
 * polygon (beyond sharp corners), so the smallest circle around it is asked as well. */
#include "grid/healpix_region.h"

#include "base/integer.h"
#include "base/memory.h"

static armilla_status check_query(int64_t nside, int nested, int64_t fact, void *ranges,
                                  armilla_scheme *scheme)
{
    armilla_status status = armilla_scheme_make(nside, nested, scheme);
    if (!status) status = armilla_check_given("ranges", ranges);
    if (status) return status;
    int64_t most = (nested ? (int64_t)1 << 29 : (int64_t)876706528) / nside;
    if (nested && nside > (int64_t)1 << 29)
        return armilla_fail_argument("nside", nside, "must be at most 2^29, in nested order");
    if (fact < 0 || fact > most)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "fact = %lld: must be 0 to %lld, with nside = %lld", (long long)fact,
                            (long long)most, (long long)nside);
    if (nested && (fact & (fact - 1)) != 0)
        return armilla_fail_argument("fact", fact, "must be a power of two, in nested order");
    return ARMILLA_OK;
}

/* The vector at length 1. Returned: 0 unless it is finite and not 0. */
static int normalise(const double *given, double *made)
{
    double most = fmax(fmax(fabs(given[0]), fabs(given[1])), fabs(given[2])), square = 0;
    if (!(isfinite(given[0]) && isfinite(given[1]) && isfinite(given[2]) && most > 0)) return 0;
    for (int k = 0; k < 3; k++) {
        made[k] = given[k] / most;
        square += made[k] * made[k];
    }
    for (int k = 0; k < 3; k++) made[k] /= sqrt(square);
    return 1;
}

static armilla_status add_region(const armilla_scheme *scheme, const armilla_region *region,
                                 armilla_healpix_ranges *made)
{
    return scheme->nested ? armilla_region_nested(scheme, region, made)
                          : armilla_region_rings(scheme, region, made);
}

/* Hands over the pixels of a region; *found is untouched if that fails. */
static armilla_status find(const armilla_scheme *scheme, const armilla_region *region,
                           armilla_healpix_ranges **found)
{
    armilla_healpix_ranges *made = NULL;
    armilla_status status = armilla_ranges_new(&made);
    if (!status) status = add_region(scheme, region, made);
    if (status)
        armilla_healpix_ranges_free(made);
    else
        *found = made;
    return status;
}

/* --- Discs ------------------------------------------------------------------------------------
 */

static armilla_status check_disc(const double *centre, double radius, double *unit)
{
    armilla_status status = armilla_check_given("centre", centre);
    if (status) return status;
    if (!normalise(centre, unit))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "centre = %g, %g, %g: must be finite, and not 0", centre[0], centre[1],
                            centre[2]);
    if (isnan(radius))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "radius = NaN: must be a number");
    return ARMILLA_OK;
}

static armilla_status add_disc(const armilla_scheme *scheme, const double *unit, double radius,
                               int64_t fact, armilla_healpix_ranges *made)
{
    armilla_circle circle = {armilla_direction_of(unit), radius + ARMILLA_RADIUS_SLACK};
    armilla_region region = {1, &circle, &circle, fact};
    if (radius >= 0 && radius < M_PI) return add_region(scheme, &region, made);
    armilla_ranges_add(made, 0, radius < 0 ? 0 : scheme->npix);
    return ARMILLA_OK;
}

armilla_status armilla_healpix_query_disc(int64_t nside, int nested, const double *centre,
                                          double radius, int64_t fact,
                                          armilla_healpix_ranges **ranges)
{
    armilla_scheme scheme;
    double unit[3];
    armilla_healpix_ranges *made = NULL;
    armilla_status status = check_query(nside, nested, fact, ranges, &scheme);
    if (!status) status = check_disc(centre, radius, unit);
    if (!status) status = armilla_ranges_new(&made);
    if (!status) status = add_disc(&scheme, unit, radius, fact, made);
    if (status)
        armilla_healpix_ranges_free(made);
    else
        *ranges = made;
    return status;
}

armilla_status armilla_healpix_query_disc_pixels(int64_t nside, int nested, const double *centre,
                                                 double radius, int64_t fact, int64_t capacity,
                                                 int64_t *npixels, int64_t *pixels)
{
    armilla_scheme scheme;
    double unit[3];
    armilla_healpix_ranges made;
    armilla_status status = check_query(nside, nested, fact, &made, &scheme);
    if (!status) status = check_disc(centre, radius, unit);
    if (!status) status = armilla_check_given("npixels", npixels);
    if (!status && capacity < 0)
        status = armilla_fail_argument("capacity", capacity, "must be at least 0");
    if (!status && capacity > 0) status = armilla_check_given("pixels", pixels);
    if (status) return status;
    armilla_ranges_start(&made);
    status = add_disc(&scheme, unit, radius, fact, &made);
    int64_t count = armilla_healpix_ranges_npixels(&made);
    if (!status && count > 0 && count <= capacity)
        status = armilla_healpix_ranges_pixels(&made, pixels);
    if (!status) *npixels = count;
    armilla_ranges_end(&made);
    return status;
}

/* --- Polygons ----------------------------------------------------------------------------------
 */

static void cross(const double *a, const double *b, double *made)
{
    made[0] = a[1] * b[2] - a[2] * b[1];
    made[1] = a[2] * b[0] - a[0] * b[2];
    made[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double *a, const double *b, double *made)
{
    for (int k = 0; k < 3; k++) made[k] = a[k] - b[k];
}

static double distance_square(const double *a, const double *b)
{
    double apart[3];
    subtract(a, b, apart);
    return dot(apart, apart);
}

/* A circle as its middle and the square of the chord to its edge. */
typedef struct cap {
    double middle[3], square;
} cap;

static cap cap_of_two(const double *a, const double *b)
{
    cap made;
    double sum[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    normalise(sum, made.middle);
    made.square = fmax(distance_square(a, made.middle), distance_square(b, made.middle));
    return made;
}

static cap cap_of_three(const double *a, const double *b, const double *c)
{
    cap made;
    double ab[3], ac[3], normal[3];
    subtract(b, a, ab);
    subtract(c, a, ac);
    cross(ab, ac, normal);
    if (!normalise(normal, made.middle)) return cap_of_two(a, b); /* two of them are one point */
    if (dot(made.middle, a) < 0)
        for (int k = 0; k < 3; k++) made.middle[k] = -made.middle[k];
    made.square = distance_square(a, made.middle);
    return made;
}

static int is_outside(const cap *around, const double *point)
{
    return distance_square(point, around->middle) > around->square * (1 + 1e-12);
}

/* The smallest circle around points. A point that is outside the smallest circle around those
 * before it lies on the edge of the new one (Welzl 1991, without the shuffling): one such point,
 * then two, then three are held. */
static cap smallest_cap(const double (*points)[3], int64_t count)
{
    cap best = cap_of_two(points[0], points[1]);
    for (int64_t i = 2; i < count; i++) {
        if (!is_outside(&best, points[i])) continue;
        best = cap_of_two(points[0], points[i]);
        for (int64_t j = 1; j < i; j++) {
            if (!is_outside(&best, points[j])) continue;
            best = cap_of_two(points[i], points[j]);
            for (int64_t k = 0; k < j; k++)
                if (is_outside(&best, points[k]))
                    best = cap_of_three(points[i], points[j], points[k]);
        }
    }
    return best;
}

/* Inner normals of the sides of a polygon, as circles of a quarter turn. */
static armilla_status make_sides(int64_t n, const double (*corners)[3], armilla_circle *sides)
{
    double first_side = 0;
    for (int64_t i = 0; i < n; i++) {
        const double *from = corners[i], *to = corners[(i + 1) % n], *then = corners[(i + 2) % n];
        double along[3], normal[3], unit[3];
        subtract(to, from, along);
        cross(from, along, normal);
        double side = normalise(normal, unit) ? dot(unit, then) : 0;
        if (!(fabs(side) > 1e-10))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "vertices[%lld] to [%lld]: repeated, or on one great circle",
                                (long long)i, (long long)((i + 2) % n));
        if (i == 0) first_side = side;
        if (side * first_side < 0)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "vertices[%lld]: the polygon must be convex", (long long)i);
        for (int k = 0; k < 3; k++) unit[k] = side > 0 ? unit[k] : -unit[k];
        sides[i] = (armilla_circle){armilla_direction_of(unit), M_PI / 2 + ARMILLA_RADIUS_SLACK};
    }
    return ARMILLA_OK;
}

static armilla_status find_polygon(const armilla_scheme *scheme, int64_t n,
                                   const double (*corners)[3], int64_t fact,
                                   armilla_circle *circles, armilla_healpix_ranges **ranges)
{
    armilla_status status = make_sides(n, corners, circles);
    if (status) return status;
    cap around = smallest_cap(corners, n);
    double radius = 2 * asin(fmin(1, sqrt(around.square) / 2));
    circles[n] =
        (armilla_circle){armilla_direction_of(around.middle), radius + ARMILLA_RADIUS_SLACK};
    armilla_region region = {fact > 0 ? n + 1 : n, circles, circles + n, fact};
    return find(scheme, &region, ranges);
}

armilla_status armilla_healpix_query_polygon(int64_t nside, int nested, int64_t nvertices,
                                             const double *vertices, int64_t fact,
                                             armilla_healpix_ranges **ranges)
{
    armilla_scheme scheme;
    double(*corners)[3] = NULL;
    armilla_circle *circles = NULL;
    armilla_status status = check_query(nside, nested, fact, ranges, &scheme);
    if (!status) status = armilla_check_given("vertices", vertices);
    if (status) return status;
    if (nvertices < 3 || nvertices > 1 << 20)
        return armilla_fail_argument("nvertices", nvertices, "must be 3 to 2^20");
    status = armilla_allocate(&corners, nvertices, sizeof *corners);
    if (!status) status = armilla_allocate(&circles, nvertices + 1, sizeof *circles);
    for (int64_t i = 0; !status && i < nvertices; i++)
        if (!normalise(vertices + 3 * i, corners[i]))
            status = armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                  "vertices[%lld]: must be finite, and not 0", (long long)i);
    if (!status)
        status =
            find_polygon(&scheme, nvertices, (const double(*)[3])corners, fact, circles, ranges);
    armilla_release(corners);
    armilla_release(circles);
    return status;
}

/* --- Strips ------------------------------------------------------------------------------------
 */

/* Rings with theta1 <= theta <= theta2, and one more on each side for inclusive ones. */
static void rings_between(const armilla_scheme *s, double theta1, double theta2, int inclusive,
                          int64_t *rings)
{
    int64_t last = 4 * s->nside - 1;
    rings[0] = theta1 <= 0 ? 1 : armilla_ring_above(s, fmin(theta1, M_PI)) + 1;
    if (theta1 > 0 && rings[0] > 1 && armilla_ring_theta(s, rings[0] - 1) >= theta1) rings[0]--;
    rings[1] = theta2 < 0 ? 0 : theta2 >= M_PI ? last : armilla_ring_above(s, theta2);
    if (theta2 >= 0 && rings[1] < last && armilla_ring_theta(s, rings[1] + 1) <= theta2) rings[1]++;
    rings[0] = armilla_larger(1, rings[0] - inclusive);
    rings[1] = armilla_smaller(last, rings[1] + inclusive);
}

armilla_status armilla_healpix_query_strip(int64_t nside, int nested, double theta1, double theta2,
                                           int inclusive, armilla_healpix_ranges **ranges)
{
    armilla_scheme scheme;
    armilla_healpix_ranges *made = NULL;
    int64_t rings[4] = {0, -1, 0, -1};
    armilla_status status = check_query(nside, nested, 0, ranges, &scheme);
    if (!status && (isnan(theta1) || isnan(theta2)))
        status = armilla_fail(ARMILLA_ERROR_ARGUMENT, "theta1 = %g, theta2 = %g: must be numbers",
                              theta1, theta2);
    if (!status) status = armilla_ranges_new(&made);
    if (status) return status;
    if (theta1 <= theta2) {
        rings_between(&scheme, theta1, theta2, inclusive != 0, rings);
    } else {
        rings_between(&scheme, 0, theta2, inclusive != 0, rings);
        rings_between(&scheme, theta1, M_PI, inclusive != 0, rings + 2);
        rings[2] = armilla_larger(rings[2], rings[1] + 1);
    }
    if (nested) armilla_rings_nested(&scheme, rings, made);
    for (int k = 0; !nested && k < 4; k += 2)
        if (rings[k] <= rings[k + 1])
            armilla_ranges_add(made, armilla_ring_first(&scheme, rings[k]),
                               rings[k + 1] == 4 * nside - 1
                                   ? scheme.npix
                                   : armilla_ring_first(&scheme, rings[k + 1] + 1));
    status = made->status;
    if (status)
        armilla_healpix_ranges_free(made);
    else
        *ranges = made;
    return status;
}

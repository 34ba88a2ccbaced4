/* Projections of the sphere to the plane and back; docs/mathematics.md (12.3).
 *
 * Mollweide, with v = y and t = arcsin v:
 *
 *   sin(latitude) = (2 t + sin 2t) / pi        longitude = pi x / (2 cos t)
 *
 * The azimuthal ones keep the direction from the middle, and put the angle c from it at the radius
 *
 *   sin c (orthographic)   tan c (gnomonic)   2 sin(c / 2) (Lambert)   c   2 tan(c / 2)
 *
 * Reference: Snyder 1987, USGS Professional Paper 1395, pp. 90, 145, 154, 164, 182, 191, 249. */
#include "picture/projection.h"

#include "base/status.h"
#include <math.h>

static const double EDGE = 1e-12;    /* points that rounding has put beyond the edge are on it */
static const double HORIZON = 0.001; /* gnomonic: cos c of the farthest that is shown */

static const armilla_unit_vector NOWHERE = {NAN, NAN, NAN};

/* --- Mollweide -------------------------------------------------------------------------------- */

/* 2 t + sin 2t = pi z by bisection: the function is flat at the poles, where Newton's steps fail.
 */
static double auxiliary_angle(double z)
{
    double low = -M_PI_2, high = M_PI_2;
    for (int i = 0; i < 54; i++) {
        const double middle = 0.5 * (low + high);
        if (2.0 * middle + sin(2.0 * middle) < M_PI * z)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static armilla_point to_mollweide(armilla_unit_vector v)
{
    const double t = auxiliary_angle(v.z);
    return (armilla_point){atan2(v.y, v.x) * M_2_PI * cos(t), sin(t)};
}

static armilla_unit_vector along(double longitude, double z)
{
    const double sine = sqrt(fmax((1.0 - z) * (1.0 + z), 0.0));
    return (armilla_unit_vector){sine * cos(longitude), sine * sin(longitude), z};
}

static armilla_unit_vector from_mollweide(armilla_point p)
{
    if (!(0.25 * p.x * p.x + p.y * p.y <= 1.0 + EDGE)) return NOWHERE;
    const double v = fmin(fmax(p.y, -1.0), 1.0), t = asin(v);
    const double z = fmin(fmax((2.0 * t + sin(2.0 * t)) / M_PI, -1.0), 1.0);
    return along(M_PI_2 * p.x / fmax(cos(t), EDGE), z);
}

/* --- Equirectangular -------------------------------------------------------------------------- */

static armilla_point to_equirectangular(armilla_unit_vector v)
{
    return (armilla_point){atan2(v.y, v.x), atan2(v.z, hypot(v.x, v.y))};
}

static armilla_unit_vector from_equirectangular(armilla_point p)
{
    if (!(fabs(p.y) <= M_PI_2 + EDGE)) return NOWHERE;
    const double c = cos(p.y);
    return (armilla_unit_vector){c * cos(p.x), c * sin(p.x), sin(p.y)};
}

/* --- Azimuthal -------------------------------------------------------------------------------- */

int armilla_projection_is_azimuthal(armilla_projection projection)
{
    return projection != ARMILLA_PROJECTION_MOLLWEIDE &&
           projection != ARMILLA_PROJECTION_EQUIRECTANGULAR;
}

double armilla_projection_radius(armilla_projection projection, double angle)
{
    switch (projection) {
    case ARMILLA_PROJECTION_ORTHOGRAPHIC:
        return sin(angle);
    case ARMILLA_PROJECTION_GNOMONIC:
        return tan(angle);
    case ARMILLA_PROJECTION_LAMBERT:
        return 2.0 * sin(0.5 * angle);
    case ARMILLA_PROJECTION_STEREOGRAPHIC:
        return 2.0 * tan(0.5 * angle);
    default:
        return angle;
    }
}

/* The angle from the middle; NaN where there is none. */
static double angle_of(armilla_projection projection, double r)
{
    switch (projection) {
    case ARMILLA_PROJECTION_ORTHOGRAPHIC:
        return r <= 1.0 + EDGE ? asin(fmin(r, 1.0)) : NAN;
    case ARMILLA_PROJECTION_GNOMONIC:
        return atan(r);
    case ARMILLA_PROJECTION_LAMBERT:
        return r <= 2.0 + EDGE ? 2.0 * asin(fmin(0.5 * r, 1.0)) : NAN;
    case ARMILLA_PROJECTION_STEREOGRAPHIC:
        return 2.0 * atan(0.5 * r);
    default:
        return r <= M_PI + EDGE ? fmin(r, M_PI) : NAN;
    }
}

/* Nothing behind the horizon; of the stereographic plane the point behind is at infinity. */
static int is_hidden(armilla_projection projection, armilla_unit_vector v)
{
    if (projection == ARMILLA_PROJECTION_ORTHOGRAPHIC) return !(v.x >= 0.0);
    if (projection == ARMILLA_PROJECTION_GNOMONIC) return !(v.x > HORIZON);
    return projection == ARMILLA_PROJECTION_STEREOGRAPHIC && !(v.x > HORIZON - 1.0);
}

static armilla_point to_azimuthal(armilla_projection projection, armilla_unit_vector v)
{
    if (is_hidden(projection, v)) return (armilla_point){NAN, NAN};
    if (projection == ARMILLA_PROJECTION_ORTHOGRAPHIC) return (armilla_point){v.y, v.z};
    if (projection == ARMILLA_PROJECTION_GNOMONIC) return (armilla_point){v.y / v.x, v.z / v.x};
    const double sine = hypot(v.y, v.z);
    const double r = armilla_projection_radius(projection, atan2(sine, v.x));
    if (sine > 0.0) return (armilla_point){r * (v.y / sine), r * (v.z / sine)};
    return (armilla_point){v.x > 0.0 ? 0.0 : r, 0.0}; /* the point behind: any of its places */
}

static armilla_unit_vector from_azimuthal(armilla_projection projection, armilla_point p)
{
    const double r = hypot(p.x, p.y), c = angle_of(projection, r);
    const double ratio = r > 0.0 ? sin(c) / r : 1.0;
    return (armilla_unit_vector){cos(c), isnan(c) ? NAN : ratio * p.x,
                                 isnan(c) ? NAN : ratio * p.y};
}

/* --- All -------------------------------------------------------------------------------------- */

armilla_point armilla_project(armilla_projection projection, armilla_unit_vector v)
{
    if (isnan(v.x + v.y + v.z)) return (armilla_point){NAN, NAN};
    if (projection == ARMILLA_PROJECTION_MOLLWEIDE) return to_mollweide(v);
    if (projection == ARMILLA_PROJECTION_EQUIRECTANGULAR) return to_equirectangular(v);
    return to_azimuthal(projection, v);
}

armilla_unit_vector armilla_unproject(armilla_projection projection, armilla_point p)
{
    if (projection == ARMILLA_PROJECTION_MOLLWEIDE) return from_mollweide(p);
    if (projection == ARMILLA_PROJECTION_EQUIRECTANGULAR) return from_equirectangular(p);
    return from_azimuthal(projection, p);
}

static armilla_status check(armilla_projection projection, int64_t n, int all_given)
{
    const int64_t number = (int64_t)projection;
    if (number < 0 || number > ARMILLA_PROJECTION_STEREOGRAPHIC)
        return armilla_fail_argument("projection", number, "must be one of armilla_projection");
    if (n < 0) return armilla_fail_argument("n", n, "must be 0 or more");
    if (n > 0 && !all_given)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "vectors, x, y: none may be NULL");
    return ARMILLA_OK;
}

armilla_status armilla_projection_forward(armilla_projection projection, int64_t n,
                                          const double *vectors, double *x, double *y)
{
    armilla_status status = check(projection, n, vectors && x && y);
    for (int64_t i = 0; i < n && !status; i++) {
        const armilla_unit_vector v = {vectors[i], vectors[n + i], vectors[2 * n + i]};
        const armilla_point p = armilla_project(projection, v);
        x[i] = p.x, y[i] = p.y;
    }
    return status;
}

armilla_status armilla_projection_inverse(armilla_projection projection, int64_t n, const double *x,
                                          const double *y, double *vectors)
{
    armilla_status status = check(projection, n, vectors && x && y);
    for (int64_t i = 0; i < n && !status; i++) {
        const armilla_unit_vector v = armilla_unproject(projection, (armilla_point){x[i], y[i]});
        vectors[i] = v.x, vectors[n + i] = v.y, vectors[2 * n + i] = v.z;
    }
    return status;
}

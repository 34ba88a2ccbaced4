/* Deflections as walks in long double: the judge of the tests of lensing. Included after cmocka.h.
 */
#ifndef ARMILLA_TESTS_LENSING_VECTORS_H
#define ARMILLA_TESTS_LENSING_VECTORS_H

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <math.h>

typedef long double real;

typedef struct {
    real x, y, z;
} vector;

static inline vector combine(real a, vector u, real b, vector v)
{
    return (vector){a * u.x + b * v.x, a * u.y + b * v.y, a * u.z + b * v.z};
}

static inline real dot(vector u, vector v)
{
    return u.x * v.x + u.y * v.y + u.z * v.z;
}

static inline vector cross(vector u, vector v)
{
    return (vector){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

static inline real distance(vector u, vector v)
{
    const vector d = combine(1, u, -1, v);
    return sqrtl(dot(d, d));
}

typedef struct {
    vector theta, phi, n;
} frame;

static inline frame frame_at(real theta, real phi)
{
    const real c = cosl(theta), s = sinl(theta), a = cosl(phi), b = sinl(phi);
    return (frame){{c * a, c * b, -s}, {-b, a, 0}, {s * a, s * b, c}};
}

/* Rodrigues: v turned by the angle about a unit vector. */
static inline vector turned(vector v, vector axis, real angle)
{
    const vector flat = combine(cosl(angle), v, sinl(angle), cross(axis, v));
    return combine(1, flat, (1 - cosl(angle)) * dot(axis, v), axis);
}

/* n, and a vector that is e_theta there, at the end of the geodesic: both turned about n x alpha.
 */
typedef struct {
    vector axis, n, carried;
    real length;
} walk;

static inline walk walk_from(double theta, double phi, double alpha_theta, double alpha_phi)
{
    const frame start = frame_at(theta, phi);
    const real a = hypotl(alpha_theta, alpha_phi);
    if (a == 0) return (walk){start.n, start.n, start.theta, 0};
    const vector axis = combine(-alpha_phi / a, start.theta, alpha_theta / a, start.phi);
    return (walk){axis, turned(start.n, axis, a), turned(start.theta, axis, a), a};
}

#endif

/* One direction moved along a geodesic: docs/mathematics.md (7.4) to (7.6).
 *
 * The frame (e_theta, e_phi, n) of a direction is the rotation Rz(phi) Ry(theta). Walking along the
 * geodesic turns it about the axis n x alpha by |alpha|, and the frame that arrives is that of n',
 * turned by -gamma about n':
 *
 *     Rz(phi) Ry(theta) R(n x alpha) = Rz(phi') Ry(theta') Rz(-gamma)
 *
 * As quaternions both sides have four numbers, whose polar forms are theta', and the sum and the
 * difference of phi' - phi and gamma. Close to a pole one of the two is all rounding, but it enters
 * phi' and gamma alike, and a field's value does not notice: at the north pole only
 * phi' - gamma - phi means something, at the south pole only phi' + gamma - phi. */
#ifndef ARMILLA_BASE_GEODESIC_H
#define ARMILLA_BASE_GEODESIC_H

#include "base/host_device.h"

#include <math.h>

typedef struct armilla_colatitude {
    double theta, cosine, sine; /* of theta / 2 */
} armilla_colatitude;

ARMILLA_HOST_DEVICE armilla_colatitude armilla_colatitude_of(double theta)
{
    return (armilla_colatitude){theta, cos(0.5 * theta), sin(0.5 * theta)};
}

/* cos(a / 2), and h = sin(a / 2) / a, for deflections of length a. By series where a is small: a
 * may be 0, or its square may be; and most deflections are, so that these cost a few products. */
typedef struct armilla_half_walk {
    double cosine, h;
} armilla_half_walk;

ARMILLA_HOST_DEVICE armilla_half_walk armilla_half_walk_of(double alpha_theta, double alpha_phi)
{
    const double square = alpha_theta * alpha_theta + alpha_phi * alpha_phi;
    if (square < 1e-4) /* the terms that are left out: a^6 / 46080 = 2e-17, a^6 / 645120 */
        return (armilla_half_walk){1 - square * (1.0 / 8 - square * (1.0 / 384)),
                                   0.5 - square * (1.0 / 48 - square * (1.0 / 3840))};
    const double half = hypot(0.5 * alpha_theta, 0.5 * alpha_phi); /* a itself may overflow */
    return (armilla_half_walk){cos(half), 0.5 * (sin(half) / half)};
}

/* atan2(y, x); its series where that is below 0.01: t^9 / 9 = 1e-19 is left out. */
ARMILLA_HOST_DEVICE double armilla_arc(double y, double x)
{
    if (!(fabs(y) < 0.01 * x)) return atan2(y, x);
    const double t = y / x, q = t * t;
    return t * (1 - q * (1.0 / 3 - q * (1.0 / 5 - q * (1.0 / 7))));
}

/* Into -pi .. pi; |angle| <= 2 pi. */
ARMILLA_HOST_DEVICE double armilla_wrap_angle(double angle)
{
    if (angle > M_PI) return angle - 2 * M_PI;
    return angle < -M_PI ? angle + 2 * M_PI : angle;
}

/* theta' from the cosine and the sine of its half. Close to theta, as most are, from the sine of
 * half the difference, whose rounding is that of theta' too; asin(x) but for 3e-20. */
ARMILLA_HOST_DEVICE double armilla_end_colatitude(armilla_colatitude start, double cosine,
                                                  double sine)
{
    const double x = start.cosine * sine - start.sine * cosine, q = x * x;
    if (!(fabs(x) < 0.01)) return 2 * atan2(sine, cosine);
    const double arc = x * (1 + q * (1.0 / 6 + q * (3.0 / 40 + q * (15.0 / 336))));
    const double theta = start.theta + 2 * arc;
    return theta < 0 ? 0 : theta > M_PI ? M_PI : theta;
}

/* phi + dphi; within 0 .. 2 pi where phi is. */
ARMILLA_HOST_DEVICE double armilla_move_longitude(double phi, double dphi)
{
    const double moved = phi + dphi;
    if (!(phi >= 0 && phi <= 2 * M_PI)) return moved;
    if (moved < 0) return moved + 2 * M_PI;
    return moved > 2 * M_PI ? moved - 2 * M_PI : moved;
}

/* Returned: gamma, within -pi .. pi; deflected: theta', phi'. */
ARMILLA_HOST_DEVICE double armilla_deflect_point(armilla_colatitude start, double phi,
                                                 double alpha_theta, double alpha_phi,
                                                 double *deflected)
{
    deflected[0] = start.theta, deflected[1] = phi;
    if (alpha_theta == 0 && alpha_phi == 0) return 0; /* without rounding */
    const armilla_half_walk half = armilla_half_walk_of(alpha_theta, alpha_phi);
    const double along = half.cosine, h = half.h;
    const double w = start.cosine * along - h * start.sine * alpha_theta;
    const double z = h * start.sine * alpha_phi;
    const double y = start.sine * along + h * start.cosine * alpha_theta;
    const double minus_x = h * start.cosine * alpha_phi;
    const double difference = armilla_arc(z, w); /* (dphi - gamma) / 2 */
    const double sum = armilla_arc(minus_x, y);  /* (dphi + gamma) / 2 */
    deflected[0] =
        armilla_end_colatitude(start, sqrt(w * w + z * z), sqrt(y * y + minus_x * minus_x));
    deflected[1] = armilla_move_longitude(phi, armilla_wrap_angle(sum + difference));
    return armilla_wrap_angle(sum - difference);
}

/* Turns a value of two components. */
ARMILLA_HOST_DEVICE void armilla_turn_value(double angle, double *value)
{
    const double c = cos(angle), s = sin(angle), real = value[0];
    value[0] = c * real - s * value[1];
    value[1] = s * real + c * value[1];
}

#endif

/* Euler angles z-y-z and matrices: R = Rz(phi) Ry(theta) Rz(psi). With c, s = cos, sin of theta,
 *
 *         ( cos phi cos psi c - sin phi sin psi   -cos phi sin psi c - sin phi cos psi   cos phi s
 * ) R = ( sin phi cos psi c + cos phi sin psi   -sin phi sin psi c + cos phi cos psi   sin phi s )
 *         ( -s cos psi                             s sin psi                             c )
 */
#include "alm/rotation.h"

#include "alm/layout.h"
#include "base/status.h"
#include <math.h>

static const double orthogonal_tolerance = 1e-8; /* published matrices have nine digits */

static armilla_status check_angle(const char *name, const char *field, double angle)
{
    if (isfinite(angle)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s%s = %g: must be finite", name, field, angle);
}

armilla_status armilla_rotation_check(const char *name, const armilla_rotation *rotation)
{
    if (!rotation)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = NULL: must be a rotation", name);
    armilla_status status = check_angle(name, "->psi", rotation->psi);
    if (!status) status = check_angle(name, "->theta", rotation->theta);
    if (!status) status = check_angle(name, "->phi", rotation->phi);
    return status;
}

static armilla_status check_target(const char *name, const void *pointer)
{
    if (pointer) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = NULL: must be a rotation", name);
}

armilla_status armilla_rotation_from_euler(double psi, double theta, double phi,
                                           armilla_rotation *rotation)
{
    armilla_status status = check_angle("", "psi", psi);
    if (!status) status = check_angle("", "theta", theta);
    if (!status) status = check_angle("", "phi", phi);
    if (!status) status = check_target("rotation", rotation);
    if (!status) *rotation = (armilla_rotation){psi, theta, phi};
    return status;
}

static double determinant(const double *m)
{
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
           m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/* Largest |element| of M M^T - 1; infinite if one is not a number. */
static double deviation(const double *m)
{
    double largest = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            const double *a = m + 3 * i, *b = m + 3 * j;
            double d = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - (i == j));
            if (!(d <= largest)) largest = isnan(d) ? INFINITY : d;
        }
    return largest;
}

static armilla_status check_matrix(const double *matrix)
{
    armilla_status status = armilla_alm_check_array("matrix", matrix);
    if (status) return status;
    double off = deviation(matrix), det = determinant(matrix);
    if (off > orthogonal_tolerance)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "matrix: not orthogonal; M M^T differs from the unit matrix by %.3g, "
                            "at most %g allowed",
                            off, orthogonal_tolerance);
    if (det < 0)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "matrix: determinant %.9g: must be +1 (this one also reflects)", det);
    return ARMILLA_OK;
}

/* psi and phi have to be found together where theta is near 0 or pi, for only their sum or their
 * difference is well defined there. */
static armilla_rotation angles(const double *m)
{
    armilla_rotation r = {.psi = 0};
    double sine = hypot(m[2], m[5]);
    r.theta = atan2(sine, m[8]);
    if (m[6] != 0 || m[7] != 0) r.psi = atan2(m[7], -m[6]);
    if (m[8] >= 0)
        r.phi = atan2(m[3] - m[1], m[0] + m[4]) - r.psi;
    else
        r.phi = atan2(-(m[1] + m[3]), m[4] - m[0]) + r.psi;
    r.phi = remainder(r.phi, 2 * M_PI);
    return r;
}

armilla_status armilla_rotation_from_matrix(const double *matrix, armilla_rotation *rotation)
{
    armilla_status status = check_matrix(matrix);
    if (!status) status = check_target("rotation", rotation);
    if (!status) *rotation = angles(matrix);
    return status;
}

armilla_status armilla_rotation_invert(const armilla_rotation *rotation, armilla_rotation *inverse)
{
    armilla_status status = armilla_rotation_check("rotation", rotation);
    if (!status) status = check_target("inverse", inverse);
    if (!status) *inverse = (armilla_rotation){-rotation->phi, -rotation->theta, -rotation->psi};
    return status;
}

void armilla_rotation_multiply(const double *a, const double *b, double *product)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            product[3 * i + j] =
                a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

void armilla_rotation_about_z(double angle, double *matrix)
{
    double c = cos(angle), s = sin(angle);
    const double values[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    for (int i = 0; i < 9; i++) matrix[i] = values[i];
}

void armilla_rotation_about_y(double angle, double *matrix)
{
    double c = cos(angle), s = sin(angle);
    const double values[9] = {c, 0, s, 0, 1, 0, -s, 0, c};
    for (int i = 0; i < 9; i++) matrix[i] = values[i];
}

static void to_matrix(const armilla_rotation *rotation, double *matrix)
{
    double first[9], second[9], third[9], product[9];
    armilla_rotation_about_z(rotation->psi, first);
    armilla_rotation_about_y(rotation->theta, second);
    armilla_rotation_about_z(rotation->phi, third);
    armilla_rotation_multiply(second, first, product);
    armilla_rotation_multiply(third, product, matrix);
}

armilla_status armilla_rotation_matrix(const armilla_rotation *rotation, double *matrix)
{
    armilla_status status = armilla_rotation_check("rotation", rotation);
    if (!status) status = armilla_alm_check_array("matrix", matrix);
    if (!status) to_matrix(rotation, matrix);
    return status;
}

armilla_status armilla_rotation_compose(const armilla_rotation *first,
                                        const armilla_rotation *second, armilla_rotation *rotation)
{
    double a[9], b[9], product[9];
    armilla_status status = armilla_rotation_check("first", first);
    if (!status) status = armilla_rotation_check("second", second);
    if (!status) status = check_target("rotation", rotation);
    if (status) return status;
    to_matrix(first, a);
    to_matrix(second, b);
    armilla_rotation_multiply(b, a, product);
    *rotation = angles(product);
    return ARMILLA_OK;
}

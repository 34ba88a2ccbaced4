/* Coordinate systems of the sky, all for J2000. Two steps, both from the equatorial system C (FK5):
 *
 *   to G   The north galactic pole and the position angle that Blaauw et al. 1960 (MNRAS 121, 123)
 *          define for B1950, carried to J2000: pole at 192.8594812065348, 27.12825118085622 deg,
 *          longitude of the celestial pole 122.9319185680026 deg (the values of astropy 4 to 8;
 *          Reid & Brunthaler 2004, ApJ 616, 872, give them with 7 decimals).
 *   to E   FK5 -> ICRS by the frame bias (-19.9, 9.1, -22.9 mas; USNO Circular 179, 2005, and
 *          Hilton & Hohenkerk 2004, A&A 413, 765), then ICRS -> mean ecliptic and equinox of J2000
 *          by the Fukushima-Williams angles of the IAU 2006 precession (Capitaine, Wallace &
 *          Chapront 2003, A&A 412, 567; Hilton et al. 2006): gamma = -0.052928",
 *          phi = 84381.412819", psi = -0.041775".
 *
 * Turning the axes by an angle is moving the sky by its negative, so that every angle below has the
 * other sign than in the sources. */
#include "alm/rotation.h"

#include "base/status.h"
#include <math.h>
#include <string.h>

static const double degree = M_PI / 180, arcsec = M_PI / 180 / 3600;

static void about_x(double angle, double *matrix)
{
    double c = cos(angle), s = sin(angle);
    const double values[9] = {1, 0, 0, 0, c, -s, 0, s, c};
    memcpy(matrix, values, sizeof values);
}

/* matrix <- next matrix */
static void follow(const double *next, double *matrix)
{
    double product[9];
    armilla_rotation_multiply(next, matrix, product);
    memcpy(matrix, product, sizeof product);
}

static void transpose(const double *matrix, double *transposed)
{
    for (int i = 0; i < 9; i++) transposed[i] = matrix[3 * (i % 3) + i / 3];
}

static void equatorial_to_galactic(double *matrix)
{
    double step[9];
    armilla_rotation_about_z(-192.8594812065348 * degree, matrix);
    armilla_rotation_about_y(-(90 - 27.12825118085622) * degree, step);
    follow(step, matrix);
    armilla_rotation_about_z(-(180 - 122.9319185680026) * degree, step);
    follow(step, matrix);
}

static void equatorial_to_ecliptic(double *matrix)
{
    double step[9];
    about_x(19.9e-3 * arcsec, matrix); /* FK5 -> ICRS */
    armilla_rotation_about_y(9.1e-3 * arcsec, step);
    follow(step, matrix);
    armilla_rotation_about_z(-22.9e-3 * arcsec, step);
    follow(step, matrix);
    armilla_rotation_about_z(0.052928 * arcsec, step); /* ICRS -> ecliptic */
    follow(step, matrix);
    about_x(-84381.412819 * arcsec, step);
    follow(step, matrix);
    armilla_rotation_about_z(-0.041775 * arcsec, step);
    follow(step, matrix);
}

static void from_equatorial(char to, double *matrix)
{
    if (to == 'G')
        equatorial_to_galactic(matrix);
    else if (to == 'E')
        equatorial_to_ecliptic(matrix);
    else
        about_x(0, matrix);
}

static armilla_status check_system(const char *name, char system)
{
    if (system && strchr("CEG", system)) return ARMILLA_OK;
    if (system > ' ' && system <= '~')
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = '%c': must be 'C', 'E' or 'G'", name,
                            system);
    return armilla_fail_argument(name, system, "must be 'C', 'E' or 'G'");
}

armilla_status armilla_rotation_from_coordinates(char from, char to, armilla_rotation *rotation)
{
    double there[9], back[9], matrix[9];
    armilla_status status = check_system("from", from);
    if (!status) status = check_system("to", to);
    if (status) return status;
    if (from == to) return armilla_rotation_from_euler(0, 0, 0, rotation);
    from_equatorial(to, there);
    from_equatorial(from, matrix);
    transpose(matrix, back);
    armilla_rotation_multiply(there, back, matrix);
    return armilla_rotation_from_matrix(matrix, rotation);
}

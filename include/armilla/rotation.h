/* Rotations of the sphere, and of fields given by their coefficients.
 *
 * A rotation is held as Euler angles z-y-z: it turns first by psi about the z axis, then by theta
 * about the original y axis, then by phi about the original z axis, all right-handed and in
 * radians. As a matrix: R = Rz(phi) Ry(theta) Rz(psi). It moves things, not axes: a direction n
 * goes to R n, and a field f becomes f'(n) = f(R^-1 n). healpy's rotate_alm and DUCC's take the
 * same three angles in the same order. */
#ifndef ARMILLA_ROTATION_H
#define ARMILLA_ROTATION_H

#include "sht.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A value, which can be copied freely and need not be freed. Any finite angles are allowed. */
typedef struct armilla_rotation {
    double psi;   /* first, about z */
    double theta; /* then, about the original y */
    double phi;   /* then, about the original z */
} armilla_rotation;

/* Given:    psi, theta, phi  radians, any finite numbers.
 * Returned: *rotation  with just these angles. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_rotation_from_euler(double psi, double theta, double phi,
                                                       armilla_rotation *rotation);

/* Given:    matrix  9 values, row by row: R n for a column n. The rows must be orthonormal to 1e-8
 *           and the determinant +1; the message of the error says how far off they are.
 * Returned: *rotation  with 0 <= theta <= pi and psi, phi within -pi .. pi. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_rotation_from_matrix(const double *matrix,
                                                        armilla_rotation *rotation);

/* The rotation that takes a field from one coordinate system of the sky to another: R n are the
 * coordinates in system `to` of the direction whose coordinates in system `from` are n.
 * Given:    from, to  'C' equatorial: FK5, equator and equinox J2000;
 *                     'G' galactic: north pole at 192.8594812065348, 27.12825118085622 degrees in
 *                     C, longitude 122.9319185680026 degrees of the north pole of C (the B1950
 *                     definition, Blaauw et al. 1960, carried to J2000);
 *                     'E' ecliptic: mean ecliptic and equinox J2000 of the IAU 2006 precession.
 * Returned: *rotation. Errors: ARGUMENT.
 * Notes:    the matrices of healpy's Rotator(coord=[from, to]) to 1e-14. */
ARMILLA_API armilla_status armilla_rotation_from_coordinates(char from, char to,
                                                             armilla_rotation *rotation);

/* R^-1: the angles -phi, -theta, -psi, without rounding.
 * Returned: *inverse, which may be rotation itself. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_rotation_invert(const armilla_rotation *rotation,
                                                   armilla_rotation *inverse);

/* `first`, and then `second`: R = R_second R_first.
 * Returned: *rotation, which may be one of the two. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_rotation_compose(const armilla_rotation *first,
                                                    const armilla_rotation *second,
                                                    armilla_rotation *rotation);

/* Returned: matrix  9 values, row by row. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_rotation_matrix(const armilla_rotation *rotation,
                                                   double *matrix);

/* The coefficients of the rotated field. E and B (any spin) rotate as a scalar does; fields of one
 * call share the work on the Wigner matrices, so give T, E and B together.
 * Given:    rotation;  alm  triangular layout, lmax, mmax;  mmax_out  largest order to be returned:
 *           a rotation makes orders up to lmax from any mmax, so only mmax_out = lmax is the whole
 *           result;  exec  or NULL: nthreads, ntrans = number of fields, alm_distance = complex
 *           numbers from one field to the next, in both arrays (0: each is contiguous), progress.
 * Returned: out  triangular layout, lmax, mmax_out. It may be alm itself if mmax_out = mmax.
 * Errors:   ARGUMENT, MEMORY, UNSUPPORTED (environment variable ARMILLA_ISA), CANCELLED (out is
 *           then undefined).
 * Notes:    it takes O(lmax^3) operations and O(lmax) memory; the result does not depend on
 *           nthreads. Imaginary parts of m = 0 are ignored on input. */
ARMILLA_API armilla_status armilla_alm_rotate(const armilla_rotation *rotation, int64_t lmax,
                                              int64_t mmax, const double *alm, int64_t mmax_out,
                                              double *out, const armilla_exec *exec);

#ifdef __cplusplus
}
#endif
#endif

/* Longitudes of many turns: the same direction as a small angle. */
#ifndef ARMILLA_BASE_ANGLE_H
#define ARMILLA_BASE_ANGLE_H

/* Angles up to this are small enough: products with orders lose nothing that counts. */
#define ARMILLA_ANGLE_NEAR 1e3

/* Returned: phi itself where |phi| <= ARMILLA_ANGLE_NEAR, else the double next to phi - 2 pi k that
 * lies in [-pi, pi]; *rest is what that double misses. The reduction is exact for every finite phi,
 * taken as the number that the double holds. Given: phi finite; rest may be NULL. */
double armilla_angle_reduce(double phi, double *rest);

#endif

/* The four pixels around a direction, on any grid of rings, and their weights in bilinear
 * interpolation: two on the ring above and two on the ring below. Beyond the first and the last
 * ring the second pair is on the other side of the pole, on the same ring. */
#ifndef ARMILLA_CLI_PIXEL_FOUR_H
#define ARMILLA_CLI_PIXEL_FOUR_H

#include "pixel_grid.h"

enum { FOUR = 4 };

/* Refuses a grid whose rings leave out more around a pole than they are apart, or do not go from
 * north to south. what: the option. An exit code, after a message unless CLI_OK. */
int pixel_four_check(const pixel_grid *on, const char *what);

/* Given:    theta, phi  radians, of count directions; theta from 0 to pi.
 * Returned: pixels, weights  [FOUR][count];  axes  [2][FOUR][count], theta and phi of the
 *           pixels, or NULL. */
armilla_status pixel_four_find(const pixel_grid *on, int64_t count, const double *theta,
                               const double *phi, int64_t *pixels, double *weights, double *axes,
                               int nthreads);

#endif

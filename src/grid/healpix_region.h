/* Regions of the sphere and the pixels in them: the intersection of circles (a disc is one of them,
 * a convex polygon one half of the sphere for each side), walked through ring by ring or, for
 * NESTED numbers, from large pixels to small ones. */
#ifndef ARMILLA_GRID_HEALPIX_REGION_H
#define ARMILLA_GRID_HEALPIX_REGION_H

#include "grid/healpix_ranges.h"

/* What rounding may take from a distance: circles are made larger by as much, so that a point that
 * is exactly on the edge is inside. */
#define ARMILLA_RADIUS_SLACK 4e-15

/* A direction as the walks need it. */
typedef struct armilla_direction {
    double vector[3]; /* of length 1 */
    double sine, theta, phi;
} armilla_direction;

/* All directions within radius, 0 to pi, of the centre. */
typedef struct armilla_circle {
    armilla_direction centre;
    double radius;
} armilla_circle;

typedef struct armilla_region {
    int64_t ncircles;
    const armilla_circle *circles;
    const armilla_circle *bound; /* holds the region: rings elsewhere are not looked at */
    int64_t fact; /* 0: pixels by their centres; else those that overlap, judged by fact^2 parts */
} armilla_region;

/* The direction of a vector of length 1. */
armilla_direction armilla_direction_of(const double *unit_vector);

/* Square of the length of the chord of an angle; angles above pi: that of pi and more. */
double armilla_chord_square(double angle);

/* Largest distance from the centre of a pixel to its corners. */
double armilla_largest_pixel_radius(int64_t nside);

/* Errors: MEMORY. */
armilla_status armilla_region_rings(const armilla_scheme *scheme, const armilla_region *region,
                                    armilla_healpix_ranges *ranges);
armilla_status armilla_region_nested(const armilla_scheme *scheme, const armilla_region *region,
                                     armilla_healpix_ranges *ranges);

/* NESTED pixels of which the ring is first .. last or first2 .. last2 (pairs in rings[4]). */
void armilla_rings_nested(const armilla_scheme *scheme, const int64_t *rings,
                          armilla_healpix_ranges *ranges);

#endif

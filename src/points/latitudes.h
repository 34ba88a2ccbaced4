/* Points as pixels of the rings that they lie on: points of one colatitude share a ring, and two
 * rings that mirror each other share a pair. */
#ifndef ARMILLA_POINTS_LATITUDES_H
#define ARMILLA_POINTS_LATITUDES_H

#include "leg/pairs.h"

typedef struct armilla_latitude_point {
    int64_t entry;  /* of a row of leg: 2 pair, and 1 more in the south */
    int64_t number; /* the caller's */
    double phi;
} armilla_latitude_point;

typedef struct armilla_latitudes {
    int64_t npoints, nrings, npairs;
    double *theta;                 /* of the rings, rising */
    armilla_latitude_point *point; /* by entry, then by number */
    int64_t *first;                /* [npairs + 1]: first point of each pair */
} armilla_latitudes;

/* Given:  points [npoints][2], within range.  Errors: MEMORY; *latitudes is empty then. */
armilla_status armilla_latitudes_make(int64_t npoints, const double *points,
                                      armilla_latitudes *latitudes);
void armilla_latitudes_clear(armilla_latitudes *latitudes);

/* Distinct colatitudes of points, mirror images counted once. Errors: MEMORY. */
armilla_status armilla_latitudes_count(int64_t npoints, const double *points, int64_t *npairs);

#endif

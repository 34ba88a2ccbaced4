/* Which rings mirror each other at the equator. */
#ifndef ARMILLA_LEG_MIRROR_H
#define ARMILLA_LEG_MIRROR_H

#include "base/status.h"

typedef struct armilla_ring_place {
    double theta;      /* of the northern ring, or pi - theta of a lone southern one */
    double colatitude; /* as given */
    int64_t ring;
} armilla_ring_place;

/* Rings sorted from the poles to the equator, mirror images next to each other.
 * Given:    theta[nrings] in [0, pi].  Returned: *places  new, free with armilla_release.
 * Errors:   MEMORY. */
armilla_status armilla_mirror_sort(int64_t nrings, const double *theta,
                                   armilla_ring_place **places);

/* Are place i and the next one a pair of mirror images? */
int armilla_mirror_is_pair(const armilla_ring_place *places, int64_t nrings, int64_t i);

/* Takes one pair, or a lone ring, from place i on: its rings (-1: none) and colatitude <= pi/2.
 * Returns the places taken, 1 or 2. */
int64_t armilla_mirror_take(const armilla_ring_place *places, int64_t nrings, int64_t i,
                            int64_t *north, int64_t *south, double *theta);

#endif

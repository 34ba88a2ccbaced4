/* Points in space as lanes for the inner loop: sorted by their distance from the poles, so that
 * neighbours leave out the same orders, and those near the poles apart. */
#ifndef ARMILLA_SOLID_PLACES_H
#define ARMILLA_SOLID_PLACES_H

#include "base/status.h"

#include <stdint.h>

typedef struct armilla_solid_place {
    double sine;    /* of theta */
    int near;       /* near the poles, or the centre: see places.c */
    int64_t number; /* the caller's */
} armilla_solid_place;

/* Points, and in what sequence they are worked on. */
typedef struct armilla_solid_places {
    int64_t count;
    const double *points;       /* [count][3]: theta, phi, r */
    armilla_solid_place *place; /* those that are near, then others, each with rising sine */
    int64_t near;               /* how many */
    double radius;
    int interior;
} armilla_solid_places;

/* s = R / r or r / R. */
static inline double armilla_solid_ratio(const armilla_solid_places *places, double r)
{
    return places->interior ? r / places->radius : places->radius / r;
}

/* Looks at every point; degrees: the highest power of s. Errors: ARGUMENT. */
armilla_status armilla_solid_places_check(const armilla_solid_places *places, int64_t degrees);

/* Sorts places[0 .. count - 1], whose numbers are given. */
void armilla_solid_places_sort(armilla_solid_places *places);

#endif

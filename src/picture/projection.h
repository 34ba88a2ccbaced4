/* One direction or one point of the plane at a time; the arrays of armilla/picture.h are loops over
 * these. */
#ifndef ARMILLA_PICTURE_PROJECTION_H
#define ARMILLA_PICTURE_PROJECTION_H

#include "armilla/picture.h"

typedef struct armilla_point {
    double x, y; /* NaN: nowhere */
} armilla_point;

typedef struct armilla_unit_vector {
    double x, y, z; /* NaN: nowhere */
} armilla_unit_vector;

armilla_point armilla_project(armilla_projection projection, armilla_unit_vector v);
armilla_unit_vector armilla_unproject(armilla_projection projection, armilla_point p);

/* Is it one of those that show circles around the middle as circles? */
int armilla_projection_is_azimuthal(armilla_projection projection);

/* Distance in the plane of what is at `angle` (radians) from the middle; azimuthal only. */
double armilla_projection_radius(armilla_projection projection, double angle);

#endif

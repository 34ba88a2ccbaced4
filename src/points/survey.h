/* Where points are, as far as the choice of a plan's samples needs to know. */
#ifndef ARMILLA_POINTS_SURVEY_H
#define ARMILLA_POINTS_SURVEY_H

#include "points/kernels/kernels.h"
#include "points/sampling.h"

/* ARGUMENT, naming the first point that is out of range, or ARMILLA_OK. */
armilla_status armilla_points_check(int64_t count, const double *points);

/* The caller's points, and what the kernels' survey tells of them. */
typedef struct armilla_points_locations {
    const armilla_points_kernels *kernels;
    int64_t count;
    const double *points;
    armilla_points_bounds bounds;
} armilla_points_locations;

/* Errors as those of armilla_points_check. */
armilla_status armilla_points_survey(const armilla_points_kernels *kernels, int64_t count,
                                     const double *points, armilla_points_locations *locations);

/* No points have the extent of the whole sphere. */
armilla_points_extent armilla_points_extent_of(const armilla_points_locations *locations);

#endif

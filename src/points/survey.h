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
    const double *points; /* the caller's, or own */
    double *own;          /* with pi for floats above it: see base/point.h; mostly NULL */
    armilla_points_bounds bounds;
} armilla_points_locations;

/* Errors as those of armilla_points_check, and MEMORY. Clear *locations, whatever the status is,
 * when the points have been used. */
armilla_status armilla_points_survey(const armilla_points_kernels *kernels, int64_t count,
                                     const double *points, armilla_points_locations *locations);

void armilla_points_locations_clear(armilla_points_locations *locations);

/* No points have the extent of the whole sphere. */
armilla_points_extent armilla_points_extent_of(const armilla_points_locations *locations);

/* --- Points of several ranks --------------------------------------------------------------------
 */

enum { ARMILLA_SURVEY_SAMPLE = 1024 }; /* points that are looked at, or all of fewer ones */

/* The numbers of the points of the sample, of `all` points. Returned: how many they are. */
int64_t armilla_points_take_sample(int64_t all, int64_t number[ARMILLA_SURVEY_SAMPLE]);

/* Which cell of the sky a point lies in. */
int64_t armilla_points_cell(const double *point);

/* The extent of `all` points by their bounds and the cells of their sample. */
armilla_points_extent armilla_points_extent_by(const armilla_points_bounds *bounds, int64_t all,
                                               const int64_t *cell);

#endif

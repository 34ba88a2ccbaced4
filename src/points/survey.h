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

/* --- Points of several ranks --------------------------------------------------------------------
 */

enum { ARMILLA_SURVEY_SAMPLE = 1024 }; /* points that are looked at, or all of fewer ones */

/* The locations are the points from number `first` on of `all` points. Returned: how many points
 * the sample of all has, and in `cell` the cell of each one that is among the locations, else -1.
 */
int64_t armilla_points_take_sample(const armilla_points_locations *locations, int64_t first,
                                   int64_t all, int64_t cell[ARMILLA_SURVEY_SAMPLE]);

/* The extent of `all` points by their bounds and the cells of their sample. */
armilla_points_extent armilla_points_extent_by(const armilla_points_bounds *bounds, int64_t all,
                                               const int64_t *cell);

#endif

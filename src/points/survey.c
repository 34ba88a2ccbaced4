/* Checks that points lie within range, and finds out which part of the sky they cover and, by the
 * chance that two of them fall into one cell of equal area, whether they are spread over it. */
#include "points/survey.h"

#include "base/angle.h"
#include "base/memory.h"
#include "base/point.h"

#include <math.h>

armilla_status armilla_points_check(int64_t count, const double *points)
{
    for (int64_t i = 0; i < count; i++) {
        const double theta = points[2 * i], phi = points[2 * i + 1];
        if (armilla_point_is_good(theta, phi)) continue;
        return armilla_point_fail(i, theta, phi);
    }
    return ARMILLA_OK;
}

armilla_status armilla_points_survey(const armilla_points_kernels *kernels, int64_t count,
                                     const double *points, armilla_points_locations *locations)
{
    const armilla_points_bounds nothing = {{M_PI, 0}, M_PI_2, 0, 0};
    *locations = (armilla_points_locations){kernels, count, points, NULL, nothing};
    armilla_points_bounds *bounds = &locations->bounds;
    kernels->survey(count, points, bounds);
    if (bounds->wrong == 0 && bounds->theta[0] >= 0 && bounds->theta[1] <= M_PI) return ARMILLA_OK;
    armilla_status status = armilla_points_check(count, points);
    if (!status) status = armilla_points_settle(count, 2, &locations->points, &locations->own);
    if (status) return status;
    *bounds = nothing;
    kernels->survey(count, locations->points, bounds);
    return ARMILLA_OK;
}

void armilla_points_locations_clear(armilla_points_locations *locations)
{
    armilla_release(locations->own);
    locations->own = NULL;
}

/* --- Are they spread over the sky? ------------------------------------------------------------ */

/* Cells of equal area, and how many points are looked at. As many points as there are in a cell, on
 * average over the points, may be at one place; so there must be some hundred cells. */
enum { PARALLELS = 16, MERIDIANS = 32, LEAST_COUNT = 200, LEAST_CELLS = 100 };

int64_t armilla_points_cell(const double *point)
{
    const double turns = armilla_angle_reduce(point[1], NULL) / (2 * M_PI);
    const int column = (int)((turns - floor(turns)) * MERIDIANS);
    const int row = (int)(0.5 * (1 - cos(point[0])) * PARALLELS);
    return (row < PARALLELS ? row : PARALLELS - 1) * MERIDIANS + column % MERIDIANS;
}

static int64_t sample_size(int64_t count)
{
    return count < ARMILLA_SURVEY_SAMPLE ? count : ARMILLA_SURVEY_SAMPLE;
}

/* All points if they are few, else some at random, the same ones whenever they are asked for. */
int64_t armilla_points_take_sample(int64_t all, int64_t number[ARMILLA_SURVEY_SAMPLE])
{
    const int64_t taken = sample_size(all);
    uint64_t random = 1;
    for (int64_t i = 0; i < taken; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U; /* Knuth's MMIX */
        const uint64_t any = (random >> 32) * (uint64_t)all >> 32;
        number[i] = taken < ARMILLA_SURVEY_SAMPLE ? i : (int64_t)any;
    }
    return taken;
}

/* The chance that two of them are in one cell. */
static int is_spread(int64_t all, const int64_t *cell)
{
    int inside[PARALLELS * MERIDIANS] = {0};
    if (all < LEAST_COUNT) return 0;
    for (int64_t i = 0; i < sample_size(all); i++) inside[cell[i]]++;
    const double taken = (double)sample_size(all);
    double pairs = 0;
    for (int i = 0; i < PARALLELS * MERIDIANS; i++) pairs += (double)inside[i] * (inside[i] - 1);
    return pairs * LEAST_CELLS < taken * (taken - 1);
}

armilla_points_extent armilla_points_extent_by(const armilla_points_bounds *bounds, int64_t all,
                                               const int64_t *cell)
{
    if (all == 0) return (armilla_points_extent){0, M_PI, 0, 0};
    return (armilla_points_extent){bounds->theta[0], bounds->theta[1], bounds->from_equator,
                                   is_spread(all, cell)};
}

armilla_points_extent armilla_points_extent_of(const armilla_points_locations *l)
{
    int64_t cell[ARMILLA_SURVEY_SAMPLE];
    const int64_t taken = armilla_points_take_sample(l->count, cell);
    for (int64_t i = 0; i < taken; i++) cell[i] = armilla_points_cell(l->points + 2 * cell[i]);
    return armilla_points_extent_by(&l->bounds, l->count, cell);
}

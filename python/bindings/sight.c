/* One sight: a plan for points, or for the directions to which a map of deflections moves the
 * pixels of a grid. */
#include "sight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "held.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

static const char no_memory[] = "no memory for values at positions";

/* Pixels of all rings. */
static armilla_status count_pixels(const armilla_grid *grid, int64_t *npoints)
{
    const int64_t nrings = armilla_grid_nrings(grid);
    *npoints = 0;
    for (int64_t i = 0; i < nrings; i++) {
        armilla_ring ring;
        armilla_status status = armilla_grid_ring(grid, i, &ring);
        if (status) return status;
        *npoints += ring.nphi;
    }
    return ARMILLA_OK;
}

/* Where a pixel that has this number in RING order, pixel j of its ring, is in a map. */
static int64_t place_of(const armilla_grid *grid, const armilla_ring *ring, int64_t j,
                        int64_t number)
{
    const int64_t nside = (armilla_grid_nrings(grid) + 1) / 4;
    return ring->stride ? ring->offset + ring->stride * j
                        : armilla_healpix_ring_to_nest(nside, number);
}

/* Directions of the pixels in the sequence of the rings, and their places in a map.
 * Returned: *in_sequence: are the places 0, 1, ...? */
static armilla_status list_pixels(const armilla_grid *grid, double (*loc)[2], int64_t *places,
                                  int *in_sequence)
{
    const int64_t nrings = armilla_grid_nrings(grid);
    int64_t point = 0;
    *in_sequence = 1;
    for (int64_t i = 0; i < nrings; i++) {
        armilla_ring ring;
        armilla_status status = armilla_grid_ring(grid, i, &ring);
        if (status) return status;
        for (int64_t j = 0; j < ring.nphi; j++, point++) {
            loc[point][0] = ring.theta;
            loc[point][1] = ring.phi0 + 2 * M_PI * (double)j / (double)ring.nphi;
            places[point] = place_of(grid, &ring, j, point);
            if (places[point] != point) *in_sequence = 0;
        }
    }
    return ARMILLA_OK;
}

/* Moves the pixels of the grid by the sight's positions. loc: [npoints][2]. */
static armilla_status deflect_pixels(armilla_python_sight *sight, const armilla_grid *grid,
                                     double (*loc)[2], double *alpha)
{
    int in_sequence;
    armilla_status status = list_pixels(grid, loc, sight->places, &in_sequence);
    if (status) return status;
    for (int64_t i = 0; i < sight->npoints; i++) {
        alpha[i] = sight->positions[sight->places[i]];
        alpha[sight->npoints + i] = sight->positions[sight->count + sight->places[i]];
    }
    if (in_sequence && sight->npoints == sight->count) {
        free(sight->places);
        sight->places = NULL;
    }
    return armilla_lensing_deflect(sight->npoints, &loc[0][0], alpha, sight->field.nthreads,
                                   &loc[0][0], sight->gamma);
}

static armilla_status make_plan(armilla_python_sight *sight, const double *loc)
{
    const armilla_python_field *field = &sight->field;
    const armilla_points_options options = armilla_python_field_options(field);
    armilla_status status =
        armilla_points_new(field->lmax, field->mmax, sight->npoints, loc, &options, &sight->plan);
    if (status) return status;
    armilla_points_description told = {.size = sizeof told};
    status = armilla_points_describe(sight->plan, 0, &told);
    sight->bytes = told.plan_bytes + told.workspace_bytes + 16 * sight->count +
                   (sight->gamma ? 8 * sight->npoints : 0) +
                   (sight->places ? 8 * sight->npoints : 0);
    return status;
}

/* The plan of a lensed map. */
static armilla_status look_from_grid(armilla_python_sight *sight, const armilla_grid *grid,
                                     const char **message)
{
    if (sight->count != armilla_grid_npix(grid)) {
        *message = "deflection: has another number of pixels than the grid";
        return ARMILLA_ERROR_ARGUMENT;
    }
    armilla_status status = count_pixels(grid, &sight->npoints);
    if (status) return status;
    const size_t n = (size_t)sight->npoints + 1; /* never 0 */
    double(*loc)[2] = malloc(n * sizeof *loc);
    double *alpha = malloc(2 * n * sizeof *alpha);
    sight->gamma = malloc(n * sizeof *sight->gamma);
    sight->places = malloc(n * sizeof *sight->places);
    if (loc && alpha && sight->gamma && sight->places) {
        status = deflect_pixels(sight, grid, loc, alpha);
        if (!status) status = make_plan(sight, &loc[0][0]);
    } else {
        status = ARMILLA_ERROR_MEMORY;
        *message = no_memory;
    }
    free(loc);
    free(alpha);
    return status;
}

static armilla_status look(armilla_python_sight *sight, const char **message)
{
    if (!sight->field.grid) {
        sight->npoints = sight->count;
        return make_plan(sight, sight->positions);
    }
    const armilla_python_held *held = armilla_python_share(sight->field.grid);
    if (!held || held->kind != ARMILLA_PYTHON_GRID) {
        if (held) armilla_python_release(sight->field.grid);
        *message = "grid: is gone, or is none";
        return ARMILLA_ERROR_ARGUMENT;
    }
    armilla_status status = look_from_grid(sight, held->object, message);
    armilla_python_release(sight->field.grid);
    return status;
}

armilla_status armilla_python_sight_new(const armilla_python_field *field, int64_t count,
                                        const double *positions, armilla_python_sight **result,
                                        const char **message)
{
    const size_t bytes = 2 * (size_t)count * sizeof *positions;
    armilla_python_sight *sight = calloc(1, sizeof *sight);
    double *copy = malloc(bytes + 1);
    if (!sight || !copy) {
        free(sight);
        free(copy);
        *message = no_memory;
        return ARMILLA_ERROR_MEMORY;
    }
    memcpy(copy, positions, bytes);
    *sight =
        (armilla_python_sight){.field = *field, .count = count, .positions = copy, .owners = 1};
    armilla_status status = look(sight, message);
    if (status) {
        armilla_python_sight_free(sight);
        return status;
    }
    *result = sight;
    return ARMILLA_OK;
}

void armilla_python_sight_free(armilla_python_sight *sight)
{
    armilla_points_free(sight->plan);
    free(sight->positions);
    free(sight->gamma);
    free(sight->places);
    free(sight);
}

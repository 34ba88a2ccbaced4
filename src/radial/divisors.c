/* Makes what the normalization SUM divides by: the sums over a map of ones, one per position of an
 * arc where PIXELS makes all rings, else one per pixel. */
#include "radial/divisors.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "grid/grid.h"
#include "radial/apply.h"
#include "radial/part.h"
#include "radial/ranks.h"

#include <math.h>

static int count_threads(const armilla_radial *radial)
{
    const int all = armilla_team_size(0);
    return radial->ranks ? (int)armilla_smaller(all, radial->ranks->most_threads) : all;
}

/* Gives each row of this rank a place. */
static armilla_status place_divisors(armilla_radial *radial, int64_t *total)
{
    armilla_radial_pixels *pixels = &radial->pixels;
    const armilla_radial_rows *rows = &pixels->rows;
    armilla_radial_run run = {0, 0};
    armilla_status status =
        armilla_allocate(&pixels->divisor_first, rows->count, sizeof *pixels->divisor_first);
    *total = 0;
    while (!status && armilla_radial_next_run(radial, &run))
        for (int64_t i = run.first; i < run.end; i++) {
            pixels->divisor_first[i] = *total;
            if (rows->mirrored) pixels->divisor_first[rows->count - 1 - i] = *total;
            *total += rows->row[i].uniform ? 1 : rows->row[i].arc;
        }
    return status;
}

static armilla_status make_run(const armilla_radial *radial, const armilla_radial_run *run,
                               armilla_progress *progress)
{
    const armilla_radial_job job = {.pixels = &radial->pixels,
                                    .divisor = radial->pixels.divisor,
                                    .first = run->first,
                                    .end = run->end};
    armilla_work work = {.nthreads = count_threads(radial), .progress = progress};
    work.scratch_size = armilla_round_line(armilla_radial_pixels_scratch(&job, work.nthreads));
    const armilla_status status =
        armilla_allocate(&work.scratch, work.scratch_size * work.nthreads, sizeof(double));
    if (!status) armilla_radial_pixels_run(&job, NULL, &work);
    armilla_release(work.scratch);
    return status;
}

/* By PIXELS alone: one per position of an arc is enough. */
static armilla_status make_arcs(armilla_radial *radial, armilla_progress *progress)
{
    int64_t total;
    armilla_radial_run run = {0, 0};
    armilla_status status = place_divisors(radial, &total);
    if (!status) status = armilla_allocate(&radial->pixels.divisor, total, sizeof(double));
    while (!status && armilla_radial_next_run(radial, &run))
        status = make_run(radial, &run, progress);
    return status;
}

static armilla_status make_map(armilla_radial *radial, armilla_progress *progress)
{
    const armilla_radial_call call = {
        .radial = radial, .nthreads = count_threads(radial), .progress = progress};
    double *ones, *sums = NULL;
    armilla_status status = armilla_allocate(&ones, radial->grid->npix, sizeof *ones);
    if (!status) status = armilla_allocate_zero(&sums, radial->grid->npix, sizeof *sums);
    status = armilla_radial_agree(radial, status);
    if (!status) status = armilla_radial_sum_weights(&call, NULL, ones, sums);
    radial->divisor_map = sums;
    armilla_release(ones);
    return status;
}

static armilla_status fail_empty(const armilla_radial *radial, double theta)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "normalization = SUM: around pixels at theta = %g the kernel is 0 on all "
                        "pixels with a weight (support %g rad); a wider kernel, INTEGRAL or NONE "
                        "are possible",
                        theta, radial->pixels.rows.support);
}

/* A divisor of 0 would make pixels that are no numbers. */
static armilla_status check_arcs(const armilla_radial *radial)
{
    const armilla_radial_pixels *pixels = &radial->pixels;
    armilla_radial_run run = {0, 0};
    while (armilla_radial_next_run(radial, &run))
        for (int64_t i = run.first; i < run.end; i++) {
            const armilla_radial_row *row = &pixels->rows.row[i];
            const double *divisor = pixels->divisor + pixels->divisor_first[i];
            if (row->role == ARMILLA_RADIAL_SOURCE) continue;
            for (int64_t j = 0; j < (row->uniform ? 1 : row->arc); j++)
                if (divisor[j] == 0) return fail_empty(radial, row->theta);
        }
    return ARMILLA_OK;
}

/* By RINGS what is nothing has rounding. */
static armilla_status check_map(const armilla_radial *radial)
{
    const armilla_grid *grid = radial->grid;
    double least;
    const armilla_status status = armilla_radial_nothing(radial, radial->divisor_map, &least);
    if (status) return status;
    for (int64_t r = 0; r < grid->nrings; r++) {
        const armilla_ring *ring = &grid->rings[r];
        for (int64_t j = 0; j < ring->nphi; j++)
            if (!(fabs(radial->divisor_map[armilla_grid_place(grid, r, j)]) > least))
                return fail_empty(radial, ring->theta);
    }
    return ARMILLA_OK;
}

armilla_status armilla_radial_make_divisors(armilla_radial *radial)
{
    armilla_progress progress;
    if (radial->options.normalization != ARMILLA_RADIAL_SUM) return ARMILLA_OK;
    if (radial->scalar && (radial->scalar->divisor_map || !radial->mixing)) {
        radial->divisor_map = radial->scalar->divisor_map;
        if (radial->divisor_map) return ARMILLA_OK;
        radial->pixels.divisor = radial->scalar->pixels.divisor;
        radial->pixels.divisor_first = radial->scalar->pixels.divisor_first;
        return ARMILLA_OK;
    }
    armilla_progress_start(&progress, NULL, NULL, 1);
    armilla_status status =
        radial->mixing ? make_map(radial, &progress) : make_arcs(radial, &progress);
    if (status) return status;
    return radial->mixing ? check_map(radial) : check_arcs(radial);
}

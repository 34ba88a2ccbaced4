/* Makes what the normalization SUM divides by: the sums over a map of ones, one per position of an
 * arc where PIXELS makes all rings, else one per pixel. */
#include "radial/divisors.h"

#include "base/memory.h"
#include "base/team.h"
#include "grid/grid.h"
#include "radial/apply.h"

#include <math.h>

static armilla_status place_divisors(armilla_radial_pixels *pixels, int64_t *total)
{
    const armilla_radial_rows *rows = &pixels->rows;
    armilla_status status =
        armilla_allocate(&pixels->divisor_first, rows->count, sizeof *pixels->divisor_first);
    *total = 0;
    for (int64_t i = 0; i < rows->nout && !status; i++) {
        pixels->divisor_first[i] = *total;
        if (rows->mirrored) pixels->divisor_first[rows->count - 1 - i] = *total;
        *total += rows->row[i].uniform ? 1 : rows->row[i].arc;
    }
    return status;
}

/* By PIXELS alone: one per position of an arc is enough. */
static armilla_status make_arcs(armilla_radial_pixels *pixels, armilla_progress *progress)
{
    int64_t total;
    armilla_status status = place_divisors(pixels, &total);
    if (status || (status = armilla_allocate(&pixels->divisor, total, sizeof(double))))
        return status;
    const armilla_radial_job job = {.pixels = pixels, .divisor = pixels->divisor};
    armilla_work work = {.nthreads = armilla_team_size(0), .progress = progress};
    work.scratch_size = armilla_round_line(armilla_radial_pixels_scratch(&job, work.nthreads));
    status = armilla_allocate(&work.scratch, work.scratch_size * work.nthreads, sizeof(double));
    if (!status) armilla_radial_pixels_run(&job, NULL, &work);
    armilla_release(work.scratch);
    return status;
}

static armilla_status make_map(armilla_radial *radial, armilla_progress *progress)
{
    const armilla_radial_call call = {
        .radial = radial, .nthreads = armilla_team_size(0), .progress = progress};
    double *ones, *sums;
    armilla_status status = armilla_allocate(&ones, radial->grid->npix, sizeof *ones);
    if (status) return status;
    status = armilla_allocate_zero(&sums, radial->grid->npix, sizeof *sums);
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
    for (int64_t i = 0; i < pixels->rows.nout; i++) {
        const armilla_radial_row *row = &pixels->rows.row[i];
        const double *divisor = pixels->divisor + pixels->divisor_first[i];
        for (int64_t j = 0; j < (row->uniform ? 1 : row->arc); j++)
            if (divisor[j] == 0) return fail_empty(radial, row->theta);
    }
    return ARMILLA_OK;
}

/* By RINGS what is nothing has rounding. */
static armilla_status check_map(const armilla_radial *radial)
{
    const armilla_grid *grid = radial->grid;
    const double least = armilla_radial_nothing(grid, radial->divisor_map);
    for (int64_t r = 0; r < grid->nrings; r++) {
        const armilla_ring *ring = &grid->rings[r];
        for (int64_t j = 0; j < ring->nphi; j++)
            if (!(fabs(radial->divisor_map[ring->offset + j * ring->stride]) > least))
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
        radial->mixing ? make_map(radial, &progress) : make_arcs(&radial->pixels, &progress);
    if (status) return status;
    return radial->mixing ? check_map(radial) : check_arcs(radial);
}

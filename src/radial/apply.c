/* Runs a plan for convolution with a radial kernel on maps, by the methods PIXELS and RINGS that it
 * chose, also as means with weights, and makes the divisors of the mode SUM. */
#include "radial/apply.h"

#include "base/integer.h"
#include "base/memory.h"
#include "base/team.h"
#include "grid/grid.h"
#include "radial/standard.h"

#include <math.h>

/* --- Maps that are made together -------------------------------------------------------------- */

/* Units of progress of ntrans maps (pairs of spin 2) that go together. */
static double units_of(const armilla_radial *radial, int64_t ntrans)
{
    if (radial->standard)
        return (double)ntrans * units_of(armilla_radial_standard_inner(radial->standard), 1);
    const int64_t nmaps = ntrans * armilla_radial_ncomp(radial);
    const double calls = (double)((nmaps + ARMILLA_RADIAL_MAPS - 1) / ARMILLA_RADIAL_MAPS);
    double units = radial->mixing ? armilla_mixing_units(radial->mixing) : 0;
    for (int64_t i = 0; i < radial->rows.count; i++)
        if (!radial->rows.row[i].elsewhere) units += (double)radial->rows.row[i].n;
    return units * calls;
}

/* Scratch of a thread for the pixels that are made by PIXELS. */
static int64_t pixels_size(const armilla_radial *radial, const armilla_radial_job *job,
                           int nthreads)
{
    return radial->all_mixed ? 0 : armilla_round_line(armilla_radial_pixels_scratch(job, nthreads));
}

/* PIXELS and RINGS come one after the other, in the same memory. */
static int64_t workspace_size(const armilla_radial *radial, const armilla_radial_job *job,
                              int nthreads)
{
    const int64_t pixels = nthreads * pixels_size(radial, job, nthreads);
    if (!radial->mixing) return pixels;
    const int64_t mixing =
        nthreads * armilla_round_line(armilla_mixing_scratch_size(radial->mixing)) +
        armilla_round_line(armilla_mixing_workspace_size(radial->mixing, job->nmaps));
    return armilla_larger(pixels, mixing);
}

int64_t armilla_radial_workspace_bytes(const armilla_radial *radial, int nthreads, int64_t nmaps)
{
    nmaps = armilla_smaller(nmaps * armilla_radial_ncomp(radial), ARMILLA_RADIAL_MAPS);
    const armilla_radial_job job = {.radial = radial, .nmaps = nmaps};
    return 8 * workspace_size(radial, &job, nthreads);
}

static void run_pixels(const armilla_radial_job *job, armilla_work *work, double *memory)
{
    work->scratch = memory;
    work->scratch_size = pixels_size(job->radial, job, work->nthreads);
    armilla_radial_pixels_run(job, work);
}

static void run_mixing(const armilla_radial_job *job, armilla_work *work, double *memory)
{
    const armilla_mixing *mixing = job->radial->mixing;
    const armilla_mixing_maps maps = {.in = job->map,
                                      .out = job->out,
                                      .in_distance = job->map_distance,
                                      .out_distance = job->distance,
                                      .nsets = job->nmaps,
                                      .weights_at_output = job->adjoint};
    work->scratch = memory;
    work->scratch_size = armilla_round_line(armilla_mixing_scratch_size(mixing));
    armilla_mixing_run(mixing, &maps, work, memory + work->nthreads * work->scratch_size);
}

/* ntrans maps, in batches. */
static armilla_status run(armilla_radial_job job, const armilla_radial_call *call)
{
    const armilla_radial *radial = call->radial;
    armilla_work work = {.nthreads = call->nthreads, .progress = call->progress};
    double *memory;
    job.map_distance = call->map_distance, job.distance = call->distance;
    job.nmaps = armilla_smaller(call->ntrans, ARMILLA_RADIAL_MAPS);
    armilla_status status = armilla_workspace_take(
        radial->workspace, workspace_size(radial, &job, work.nthreads), &memory);
    if (status) return status;
    for (int64_t t = 0; t < call->ntrans && !status; t += ARMILLA_RADIAL_MAPS) {
        job.nmaps = armilla_smaller(call->ntrans - t, ARMILLA_RADIAL_MAPS);
        job.map = armilla_array_from(call->map, t * call->map_distance);
        job.out = armilla_array_from(call->out, t * call->distance);
        if (!radial->all_mixed) run_pixels(&job, &work, memory);
        status = armilla_progress_status(call->progress);
        if (radial->mixing && !status) {
            run_mixing(&job, &work, memory);
            status = armilla_progress_status(call->progress);
        }
    }
    armilla_workspace_give(radial->workspace, memory);
    return status;
}

/* --- Pixel by pixel --------------------------------------------------------------------------- */

/* Calls `change` for every pixel of the grid's rings, and of ntrans maps. */
typedef struct {
    const armilla_radial *radial;
    int64_t ntrans, from_distance, to_distance;
    armilla_array from, to;
    const double *by, *norm;
    double least, fill;
} pixels;

enum { PIXELS_DIVIDE, PIXELS_MULTIPLY, PIXELS_FINISH };

static double change(const pixels *p, int kind, double value, int64_t pixel)
{
    const double by = p->by[pixel];
    if (kind == PIXELS_DIVIDE) return value / by;
    if (kind == PIXELS_MULTIPLY) return by == 0 ? 0 : value * by;
    return by > 0 && by >= p->least * p->norm[pixel] ? value / by : p->fill;
}

static void change_pixels(const pixels *p, int kind)
{
    for (int64_t t = 0; t < p->ntrans; t++) {
        const armilla_array from = armilla_array_from(p->from, t * p->from_distance);
        const armilla_array to = armilla_array_from(p->to, t * p->to_distance);
        for (int64_t r = 0; r < p->radial->grid->nrings; r++) {
            const armilla_ring *ring = &p->radial->grid->rings[r];
            for (int64_t j = 0; j < ring->nphi; j++) {
                const int64_t pixel = ring->offset + j * ring->stride;
                armilla_array_put(to, pixel,
                                  change(p, kind, armilla_array_get(from, pixel), pixel));
            }
        }
    }
}

/* --- Calls ------------------------------------------------------------------------------------ */

static int divides(const armilla_radial_call *call)
{
    return call->radial->divisor_map && !call->plain;
}

/* Are the sums of weights maps of their own? */
static int weighs_apart(const armilla_radial *radial)
{
    return radial->mixing || radial->standard || radial->scalar;
}

/* Maps go together, but one after the other where their pixels are divided or multiplied first.
 * Sums of weights that are maps of their own are two maps more. */
double armilla_radial_units(const armilla_radial_call *call, int weighted)
{
    const armilla_radial *radial = call->radial;
    const armilla_radial *scalar = radial->scalar ? radial->scalar : radial;
    const int64_t ntrans = call->ntrans / armilla_radial_ncomp(radial);
    const int apart = weighted && weighs_apart(radial);
    if (!apart && !(divides(call) && call->transposed)) return units_of(radial, ntrans);
    const double alone = (double)ntrans * units_of(radial, 1);
    return apart ? alone + 2 * units_of(scalar, 1) : alone;
}

/* One map or pair after the other, over the divisors first. */
static armilla_status apply_divided(const armilla_radial_call *call)
{
    const armilla_radial *radial = call->radial;
    const int64_t npix = radial->grid->npix, ncomp = armilla_radial_ncomp(radial);
    armilla_radial_call one = *call;
    double *divided;
    armilla_status status = armilla_allocate_zero(&divided, ncomp * npix, sizeof *divided);
    if (status) return status;
    one.ntrans = ncomp;
    one.plain = 1;
    one.map = (armilla_array){divided, 0}, one.map_distance = npix;
    for (int64_t t = 0; t < call->ntrans && !status; t += ncomp) {
        pixels p = {.radial = radial,
                    .ntrans = ncomp,
                    .from_distance = call->map_distance,
                    .to_distance = npix,
                    .to = one.map,
                    .by = radial->divisor_map};
        p.from = armilla_array_from(call->map, t * call->map_distance);
        change_pixels(&p, PIXELS_DIVIDE);
        one.out = armilla_array_from(call->out, t * call->distance);
        status = armilla_radial_apply(&one);
    }
    armilla_release(divided);
    return status;
}

armilla_status armilla_radial_apply(const armilla_radial_call *call)
{
    const armilla_radial *radial = call->radial;
    if (radial->standard) return armilla_radial_standard_apply(call);
    if (divides(call) && call->transposed) return apply_divided(call);
    armilla_status status = run(
        (armilla_radial_job){.radial = radial, .adjoint = call->transposed, .plain = call->plain},
        call);
    if (status || !divides(call)) return status;
    const pixels p = {.radial = radial,
                      .ntrans = call->ntrans,
                      .from_distance = call->distance,
                      .to_distance = call->distance,
                      .from = call->out,
                      .to = call->out,
                      .by = radial->divisor_map};
    change_pixels(&p, PIXELS_DIVIDE);
    return ARMILLA_OK;
}

/* sums[pixel] = sum of weights and kernel values, of spin 2 of the scalar kernel; values NULL:
 * weights of 1. */
static armilla_status sum_weights(const armilla_radial_call *call, const double *values,
                                  double *ones, double *sums)
{
    armilla_radial_call one = *call;
    one.ntrans = 1, one.plain = 1;
    if (call->radial->scalar) one.radial = call->radial->scalar;
    one.map = (armilla_array){values ? (void *)values : ones, 0};
    one.out = (armilla_array){sums, 0};
    for (int64_t i = 0; i < call->radial->grid->npix && !values; i++) ones[i] = 1;
    return armilla_radial_apply(&one);
}

/* Sums by Fourier coefficients have rounding where nothing is: 1e-15 of those of the largest
 * weight. With less than this share of them no mean is made; with as much its error is 1e-5 of the
 * map. */
static const double NOTHING = 1e-10;

static double largest_weight(const armilla_grid *grid, const double *weights)
{
    double largest = 0;
    for (int64_t r = 0; r < grid->nrings; r++) {
        const armilla_ring *ring = &grid->rings[r];
        for (int64_t j = 0; j < ring->nphi; j++)
            largest = fmax(largest, weights[ring->offset + j * ring->stride]);
    }
    return largest;
}

/* Plans with a mixing, of the mode STANDARD, and of spin 2: the sums of weights are maps of their
 * own. work: 2 + ncomp times npix doubles. */
static armilla_status weigh_maps(const armilla_radial_call *call, const double *weights,
                                 double least, double fill, double *work)
{
    const int64_t npix = call->radial->grid->npix, ncomp = armilla_radial_ncomp(call->radial);
    double *sums = work, *norm = work + npix, *weighted = work + 2 * npix;
    armilla_radial_call one = *call;
    armilla_status status = sum_weights(call, weights, NULL, sums);
    if (!status) status = sum_weights(call, NULL, weighted, norm);
    pixels p = {.radial = call->radial, .ntrans = ncomp, .norm = norm, .fill = fill};
    p.least = fmax(least, NOTHING * largest_weight(call->radial->grid, weights));
    one.ntrans = ncomp, one.plain = 1;
    one.map = (armilla_array){weighted, 0}, one.map_distance = npix;
    for (int64_t t = 0; t < call->ntrans && !status; t += ncomp) {
        one.out = armilla_array_from(call->out, t * call->distance);
        p.from = armilla_array_from(call->map, t * call->map_distance);
        p.to = one.map, p.by = weights;
        p.from_distance = call->map_distance, p.to_distance = npix;
        change_pixels(&p, PIXELS_MULTIPLY);
        if ((status = armilla_radial_apply(&one))) return status;
        p.from = p.to = one.out, p.by = sums;
        p.from_distance = p.to_distance = call->distance;
        change_pixels(&p, PIXELS_FINISH);
    }
    return status;
}

armilla_status armilla_radial_apply_weighted(const armilla_radial_call *call, const double *weights,
                                             double least, double fill)
{
    const armilla_radial *radial = call->radial;
    double *work;
    if (!weighs_apart(radial))
        return run(
            (armilla_radial_job){
                .radial = radial, .weights = weights, .least = least, .fill = fill},
            call);
    armilla_status status = armilla_allocate_zero(
        &work, (2 + armilla_radial_ncomp(radial)) * radial->grid->npix, sizeof *work);
    if (status) return status;
    status = weigh_maps(call, weights, least, fill, work);
    armilla_release(work);
    return status;
}

/* --- The divisors of SUM ---------------------------------------------------------------------- */

static armilla_status place_divisors(armilla_radial *radial, int64_t *total)
{
    armilla_status status =
        armilla_allocate(&radial->divisor_first, radial->rows.count, sizeof *radial->divisor_first);
    *total = 0;
    for (int64_t i = 0; i < radial->rows.nout && !status; i++) {
        radial->divisor_first[i] = *total;
        if (radial->rows.mirrored) radial->divisor_first[radial->rows.count - 1 - i] = *total;
        *total += radial->rows.row[i].uniform ? 1 : radial->rows.row[i].arc;
    }
    return status;
}

/* By PIXELS alone: one per position of an arc is enough. */
static armilla_status make_arcs(armilla_radial *radial, armilla_progress *progress)
{
    int64_t total;
    armilla_status status = place_divisors(radial, &total);
    if (status || (status = armilla_allocate(&radial->divisor, total, sizeof(double))))
        return status;
    const armilla_radial_job job = {.radial = radial, .divisor = radial->divisor};
    armilla_work work = {.nthreads = armilla_team_size(0), .progress = progress};
    work.scratch_size = armilla_round_line(armilla_radial_pixels_scratch(&job, work.nthreads));
    status = armilla_allocate(&work.scratch, work.scratch_size * work.nthreads, sizeof(double));
    if (!status) armilla_radial_pixels_run(&job, &work);
    armilla_release(work.scratch);
    return status;
}

static armilla_status make_map(armilla_radial *radial, armilla_progress *progress)
{
    const armilla_radial_call call = {.radial = radial,
                                      .nthreads = armilla_team_size(0),
                                      .progress = progress,
                                      .map_distance = radial->grid->npix,
                                      .distance = radial->grid->npix};
    double *ones, *sums;
    armilla_status status = armilla_allocate(&ones, radial->grid->npix, sizeof *ones);
    if (status) return status;
    status = armilla_allocate_zero(&sums, radial->grid->npix, sizeof *sums);
    if (!status) status = sum_weights(&call, NULL, ones, sums);
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
                        theta, radial->rows.support);
}

/* A divisor of 0 would make pixels that are no numbers. */
static armilla_status check_arcs(const armilla_radial *radial)
{
    for (int64_t i = 0; i < radial->rows.nout; i++) {
        const armilla_radial_row *row = &radial->rows.row[i];
        const double *divisor = radial->divisor + radial->divisor_first[i];
        for (int64_t j = 0; j < (row->uniform ? 1 : row->arc); j++)
            if (divisor[j] == 0) return fail_empty(radial, row->theta);
    }
    return ARMILLA_OK;
}

/* By RINGS what is nothing has rounding. */
static armilla_status check_map(const armilla_radial *radial)
{
    const armilla_grid *grid = radial->grid;
    const double least = NOTHING * largest_weight(grid, radial->divisor_map);
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
    armilla_progress_start(&progress, NULL, NULL, 1);
    armilla_status status =
        radial->mixing ? make_map(radial, &progress) : make_arcs(radial, &progress);
    if (status) return status;
    return radial->mixing ? check_map(radial) : check_arcs(radial);
}

/* Makes the sums of a plan over a few maps, some rings by the method PIXELS and the others by
 * RINGS, and divides by the divisors of the normalization SUM where there is one for every pixel.
 */
#include "radial/sums.h"

#include "base/integer.h"
#include "base/memory.h"
#include "radial/pixelwise.h"
#include "radial/ranks.h"

#include <math.h>

double armilla_radial_sum_units(const armilla_radial *radial)
{
    const armilla_radial_rows *rows = &radial->pixels.rows;
    if (radial->ranks) return radial->ranks->units;
    double units = radial->mixing ? armilla_mixing_units(radial->mixing) : 0;
    for (int64_t i = 0; i < rows->count; i++)
        if (armilla_radial_row_is_made(&rows->row[i], 0)) units += (double)rows->row[i].n;
    return units;
}

/* Doubles: of a thread by each method, and of a call. The methods come one after the other, in the
 * same memory. */
typedef struct {
    int64_t pixels, mixing, call;
} sizes;

static sizes find_sizes(const armilla_radial *radial, const armilla_radial_job *job, int nthreads)
{
    sizes s = {0};
    if (!radial->all_mixed)
        s.pixels = armilla_round_line(armilla_radial_pixels_scratch(job, nthreads));
    s.call = nthreads * s.pixels;
    if (!radial->mixing) return s;
    s.mixing = armilla_round_line(armilla_mixing_scratch_size(radial->mixing));
    s.call = armilla_larger(
        s.call, nthreads * s.mixing +
                    armilla_round_line(armilla_mixing_workspace_size(radial->mixing, job->nmaps)));
    return s;
}

int64_t armilla_radial_sum_bytes(const armilla_radial *radial, int64_t nmaps, int nthreads)
{
    const armilla_radial_job job = {.pixels = &radial->pixels, .nmaps = nmaps};
    return 8 * find_sizes(radial, &job, nthreads).call;
}

int armilla_radial_divides_first(const armilla_radial_call *call)
{
    return call->radial->divisor_map && !call->plain && call->transposed;
}

armilla_radial_job armilla_radial_make_job(const armilla_radial_call *call)
{
    armilla_radial_job job = {.pixels = &call->radial->pixels,
                              .adjoint = call->transposed,
                              .plain = call->plain,
                              .nmaps = call->nmaps};
    if (!call->weights) return job;
    job.weights = call->weights->values;
    job.least = call->weights->least, job.fill = call->weights->fill;
    return job;
}

static double divide(const void *divisors, int64_t pixel, double value)
{
    return value / ((const double *)divisors)[pixel];
}

void armilla_radial_divide(const armilla_radial *radial, int64_t nmaps, const armilla_maps *maps)
{
    armilla_radial_each_pixel(radial->grid, nmaps, maps, divide, radial->divisor_map);
}

/* divided: room for maps over their divisors; NULL: these come last, if at all. */
static armilla_status run_methods(const armilla_radial_call *call, armilla_maps maps,
                                  double *divided, armilla_work *work)
{
    const armilla_radial *radial = call->radial;
    const armilla_radial_job job = armilla_radial_make_job(call);
    const armilla_mixing_job mixing = {job.nmaps, job.adjoint, call->spectra};
    const sizes s = find_sizes(radial, &job, work->nthreads);
    if (divided) {
        const armilla_maps first = {maps.in, {divided, 0}, maps.in_distance, radial->grid->npix};
        armilla_radial_divide(radial, job.nmaps, &first);
        maps.in = first.out, maps.in_distance = first.out_distance;
    }
    work->scratch_size = s.pixels;
    if (!radial->all_mixed) armilla_radial_pixels_run(&job, &maps, work);
    armilla_status status = armilla_progress_status(work->progress);
    if (radial->mixing && !status) {
        double *workspace = work->scratch + work->nthreads * s.mixing;
        work->scratch_size = s.mixing;
        armilla_mixing_run(radial->mixing, mixing, &maps, work, workspace);
        status = armilla_progress_status(work->progress);
    }
    if (status || divided || !radial->divisor_map || call->plain) return status;
    maps.in = maps.out, maps.in_distance = maps.out_distance;
    armilla_radial_divide(radial, job.nmaps, &maps);
    return ARMILLA_OK;
}

armilla_status armilla_radial_sum(const armilla_radial_call *call, const armilla_maps *maps)
{
    const armilla_radial *radial = call->radial;
    if (radial->ranks) return radial->ranks->sum(radial->ranks->context, call, maps);
    const armilla_radial_job job = armilla_radial_make_job(call);
    armilla_work work = {.nthreads = call->nthreads, .progress = call->progress};
    double *divided = NULL;
    armilla_status status = armilla_workspace_take(
        radial->workspace, find_sizes(radial, &job, work.nthreads).call, &work.scratch);
    if (status) return status;
    if (armilla_radial_divides_first(call))
        status = armilla_allocate_zero(&divided, job.nmaps * radial->grid->npix, sizeof *divided);
    if (!status) status = run_methods(call, *maps, divided, &work);
    armilla_release(divided);
    armilla_workspace_give(radial->workspace, work.scratch);
    return status;
}

/* Sums by Fourier coefficients have rounding where nothing is: 1e-15 of those of the largest
 * weight. With less than this share of them no mean is made; with as much its error is 1e-5 of the
 * map. */
static const double NOTHING = 1e-10;

double armilla_radial_nothing_of(double largest)
{
    return NOTHING * largest;
}

/* A power of two, so that bits do not depend on it. */
double armilla_radial_weight_scale(double nothing)
{
    const double largest = nothing / NOTHING, least = 1e-300;
    return largest > least ? ldexp(1, -ilogb(largest)) : 1 / least;
}

armilla_status armilla_radial_nothing(const armilla_radial *radial, const double *weights,
                                      double *least)
{
    const armilla_grid *grid = radial->grid;
    const armilla_radial_ranks *ranks = radial->ranks;
    double largest = 0;
    for (int64_t r = 0; r < grid->nrings; r++) {
        const armilla_ring *ring = &grid->rings[r];
        for (int64_t j = 0; j < ring->nphi; j++)
            largest = fmax(largest, weights[armilla_grid_place(grid, r, j)]);
    }
    const armilla_status status = ranks ? ranks->largest(ranks->context, &largest) : ARMILLA_OK;
    *least = armilla_radial_nothing_of(largest);
    return status;
}

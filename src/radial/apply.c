/* Takes the maps of a call through their sums, a few at once, on a plan of either mode, and makes
 * means where the sums over weights are maps of their own. */
#include "radial/apply.h"

#include "base/integer.h"
#include "base/memory.h"
#include "radial/pixelwise.h"
#include "radial/ranks.h"
#include "radial/standard.h"

#include <math.h>

/* Are the sums of weights maps of their own? */
static int weighs_apart(const armilla_radial_call *call)
{
    const armilla_radial *radial = call->radial;
    return call->weights && (radial->mixing || radial->standard || radial->scalar);
}

/* Maps that go together: one, or a pair, where their pixels or rings are changed first. */
static int64_t maps_at_once(const armilla_radial_call *call)
{
    const int alone =
        weighs_apart(call) || call->radial->standard || armilla_radial_divides_first(call);
    return alone ? armilla_radial_ncomp(call->radial) : ARMILLA_RADIAL_MAPS;
}

static double units_at_once(const armilla_radial *radial)
{
    return armilla_radial_sum_units(armilla_radial_maker(radial));
}

/* Sums of weights that are maps of their own are two maps more. */
double armilla_radial_units(const armilla_radial_call *call)
{
    const armilla_radial *radial = call->radial;
    const int64_t most = maps_at_once(call), steps = (call->nmaps + most - 1) / most;
    const double units = (double)steps * units_at_once(radial);
    if (!weighs_apart(call)) return units;
    return units + 2 * units_at_once(radial->scalar ? radial->scalar : radial);
}

int64_t armilla_radial_call_bytes(const armilla_radial *radial, int64_t nmaps, int nthreads)
{
    const armilla_radial_call call = {.radial = radial};
    const int64_t most = armilla_smaller(nmaps, maps_at_once(&call));
    const int64_t sums = armilla_radial_sum_bytes(armilla_radial_maker(radial), most, nthreads);
    return sums + (radial->standard ? armilla_radial_standard_workspace(radial, nthreads) : 0);
}

static armilla_status sum(const armilla_radial_call *call, const armilla_maps *maps)
{
    return call->radial->standard ? armilla_radial_standard_sum(call, maps)
                                  : armilla_radial_sum(call, maps);
}

/* --- Weights ---------------------------------------------------------------------------------- */

/* Sums of weights around each pixel, and of weights of 1: where the first are below `least` times
 * the second there is no mean, but fill. Weights of maps are multiplied by scale. */
typedef struct {
    const double *weights, *sums, *norm;
    double least, fill, scale;
} means;

static double finish(const void *context, int64_t pixel, double value)
{
    const means *m = context;
    const double sum = m->sums[pixel];
    return sum > 0 && sum >= m->least * m->norm[pixel] ? value / (sum * m->scale) : m->fill;
}

/* A weight of 0 makes 0 of any number, and of what is none. */
static double multiply(const void *context, int64_t pixel, double value)
{
    const means *m = context;
    const double weight = m->weights[pixel];
    return weight == 0 ? 0 : value * (weight * m->scale);
}

armilla_status armilla_radial_sum_weights(const armilla_radial_call *call, const double *values,
                                          double *ones, double *sums)
{
    const int64_t npix = call->radial->grid->npix;
    const armilla_maps maps = {{values ? (void *)values : ones, 0}, {sums, 0}, npix, npix};
    armilla_radial_call one = *call;
    one.nmaps = 1, one.plain = 1, one.weights = NULL;
    if (call->radial->scalar) one.radial = call->radial->scalar;
    for (int64_t i = 0; i < npix && !values; i++) ones[i] = 1;
    return sum(&one, &maps);
}

/* memory: the sums of weights and the norm, and room for maps times their weights. */
static armilla_status weigh(const armilla_radial_call *call, double *memory, means *mean)
{
    const armilla_grid *grid = call->radial->grid;
    const armilla_radial_weights *weights = call->weights;
    double *sums = memory, *norm = sums + grid->npix, *ones = norm + grid->npix;
    double nothing;
    armilla_status status = armilla_radial_nothing(call->radial, weights->values, &nothing);
    if (status) return status;
    *mean = (means){.weights = weights->values,
                    .sums = sums,
                    .norm = norm,
                    .least = fmax(weights->least, nothing),
                    .fill = weights->fill,
                    .scale = armilla_radial_weight_scale(nothing)};
    status = armilla_radial_sum_weights(call, weights->values, NULL, sums);
    return status ? status : armilla_radial_sum_weights(call, NULL, ones, norm);
}

/* --- A call ----------------------------------------------------------------------------------- */

/* mean: NULL, or what makes means of sums; weighted: room for maps times their weights. */
static armilla_status run_steps(armilla_radial_call call, const armilla_maps *maps,
                                const means *mean, double *weighted)
{
    const armilla_grid *grid = call.radial->grid;
    const int64_t nmaps = call.nmaps, most = maps_at_once(&call);
    armilla_status status = ARMILLA_OK;
    if (mean) call.weights = NULL, call.plain = 1;
    for (int64_t t = 0; t < nmaps && !status; t += most) {
        armilla_maps step = armilla_maps_from(maps, t);
        call.nmaps = armilla_smaller(nmaps - t, most);
        if (mean) {
            const armilla_maps first = {step.in, {weighted, 0}, step.in_distance, grid->npix};
            armilla_radial_each_pixel(grid, call.nmaps, &first, multiply, mean);
            step.in = first.out, step.in_distance = grid->npix;
        }
        status = sum(&call, &step);
        if (status || !mean) continue;
        step.in = step.out, step.in_distance = step.out_distance;
        armilla_radial_each_pixel(grid, call.nmaps, &step, finish, mean);
    }
    return status;
}

armilla_status armilla_radial_apply(const armilla_radial_call *call, const armilla_maps *maps)
{
    const int64_t npix = call->radial->grid->npix, ncomp = armilla_radial_ncomp(call->radial);
    const int apart = weighs_apart(call);
    means mean;
    double *memory = NULL;
    armilla_status status = ARMILLA_OK;
    if (apart) {
        status = armilla_allocate_zero(&memory, (2 + ncomp) * npix, sizeof *memory);
        status = armilla_radial_agree(call->radial, status);
    }
    if (apart && !status) status = weigh(call, memory, &mean);
    if (!status)
        status = run_steps(*call, maps, apart ? &mean : NULL, apart ? memory + 2 * npix : NULL);
    armilla_release(memory);
    return status;
}

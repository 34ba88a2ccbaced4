/* Makes the plans by which the commands convolve HEALPix maps with a radial kernel, tells in a note
 * what they do, and convolves one field, or Q and U together, in place. */
#include "radial.h"

#include "message.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double arcmin = M_PI / 180 / 60;

static armilla_status make_plan(const radial_request *request, const armilla_kernel *kernel,
                                const armilla_radial_options *options, radial *self)
{
    armilla_radial_options turned = *options;
    const int64_t nside = request->nside;
    const int pol = request->pol;
    turned.spin = 2;
    armilla_status status = request->ring_weights
                                ? armilla_grid_new_healpix_weighted(nside, 2 * nside, &self->grid)
                                : armilla_grid_new_healpix(nside, &self->grid);
    if (!status) status = armilla_radial_new(self->grid, kernel, options, &self->plan);
    if (!status && pol) status = armilla_radial_new(self->grid, kernel, &turned, &self->pair);
    if (!status) status = armilla_radial_describe(self->plan, self->nthreads, &self->told);
    if (!status && pol)
        status = armilla_radial_describe(self->pair, self->nthreads, &self->pair_told);
    return status;
}

int radial_new(const radial_request *request, const armilla_kernel *kernel,
               const armilla_radial_options *options, radial *self)
{
    radial result = {.told.size = sizeof result.told,
                     .pair_told.size = sizeof result.pair_told,
                     .nthreads = (int)request->threads};
    result.npix = armilla_healpix_npix(request->nside);
    armilla_status status = make_plan(request, kernel, options, &result);
    if (status) {
        radial_free(&result);
        return library_error(status, NULL);
    }
    *self = result;
    return CLI_OK;
}

void radial_free(radial *self)
{
    armilla_radial_free(self->plan);
    armilla_radial_free(self->pair);
    armilla_grid_free(self->grid);
    memset(self, 0, sizeof *self);
}

void radial_note(const radial *self, const char *kernel)
{
    const armilla_radial_description *told = &self->told;
    double width = 2 * told->width; /* full width at half maximum */
    const char *pair = self->pair ? self->pair_told.method : "";
    note("kernel %s: support %.6g arcmin, truncation error %.2g, normalization %s; method %s%s%s, "
         "%s",
         kernel, told->support / arcmin, told->truncation_error, told->normalization, told->method,
         self->pair ? ", of Q and U " : "", pair, told->isa);
    if (width < told->pixel)
        warning("kernel %s: is %.3g arcmin wide at half maximum, narrower than a pixel, %.3g "
                "arcmin: pixels sample it badly",
                kernel, width / arcmin, told->pixel / arcmin);
}

int radial_apply(const radial *self, int pair, double *const *fields, const double *weights,
                 double least)
{
    const armilla_radial *plan = pair ? self->pair : self->plan;
    const int64_t count = pair ? 2 : 1;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = self->nthreads;
    exec.progress = progress_report;
    size_t bytes = (size_t)self->npix * sizeof **fields;
    double *out = malloc((size_t)(pair ? 2 * count : count) * bytes), *in = fields[0];
    if (!out) return memory_error();
    if (pair) in = out + count * self->npix; /* one after the other */
    for (int64_t i = 0; i < count && pair; i++) memcpy(in + i * self->npix, fields[i], bytes);
    progress_stage(pair ? "convolution of Q and U" : "convolution", 0, 1);
    armilla_status status = weights ? armilla_radial_convolve_weighted(plan, in, weights, least,
                                                                       ARMILLA_UNSEEN, out, &exec)
                                    : armilla_radial_convolve(plan, in, out, &exec);
    for (int64_t i = 0; i < count && !status; i++) memcpy(fields[i], out + i * self->npix, bytes);
    free(out);
    return status ? data_error(status, NULL) : CLI_OK;
}

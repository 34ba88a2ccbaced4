/* Makes the plans by which the commands convolve maps with a radial kernel, tells in a note
 * what they do, and convolves one field, or Q and U together, in place. */
#include "radial.h"

#include "message.h"
#include "progress.h"
#include "ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double arcmin = M_PI / 180 / 60;

static armilla_radial_options turned(const armilla_radial_options *options)
{
    armilla_radial_options result = *options;
    result.spin = 2;
    return result;
}

static armilla_status make_plans(const radial_request *request, const armilla_kernel *kernel,
                                 const armilla_radial_options *options, radial *self)
{
    const armilla_radial_options pair = turned(options);
    const int pol = request->pol;
    armilla_status status = armilla_radial_new(self->grid, kernel, options, &self->plan);
    if (!status && pol) status = armilla_radial_new(self->grid, kernel, &pair, &self->pair);
    if (!status) status = armilla_radial_describe(self->plan, self->nthreads, &self->told);
    if (!status && pol)
        status = armilla_radial_describe(self->pair, self->nthreads, &self->pair_told);
    return status;
}

/* --- Kernels at offsets ----------------------------------------------------------------------- */

/* What radial_note tells. */
static armilla_status describe_asymmetric(const armilla_asymmetric *plan, int nthreads,
                                          const armilla_radial_options *options,
                                          armilla_radial_description *told)
{
    static const char *const normalizations[] = {"auto", "none", "integral", "sum"};
    armilla_asymmetric_description given = {.size = sizeof given};
    const armilla_status status = armilla_asymmetric_describe(plan, nthreads, &given);
    if (status) return status;
    told->isa = given.isa, told->method = "pixels";
    told->normalization = normalizations[options->normalization];
    told->support = given.support, told->truncation_error = given.truncation_error;
    told->width = given.width, told->pixel = given.pixel;
    return ARMILLA_OK;
}

static armilla_status make_asymmetric(const radial_request *request,
                                      const armilla_radial_options *options, radial *self)
{
    const asymmetric_table *table = request->table;
    const int64_t nrings = armilla_grid_nrings(self->grid);
    double *psi = malloc((size_t)nrings * sizeof *psi);
    if (!psi) return ARMILLA_ERROR_MEMORY;
    for (int64_t r = 0; r < nrings; r++) psi[r] = request->psi;
    armilla_status status = armilla_asymmetric_new(
        self->grid, table->count, (const armilla_kernel *const *)table->kernels, table->offsets,
        table->weights, psi, options, &self->asymmetric);
    free(psi);
    if (status) return status;
    return describe_asymmetric(self->asymmetric, self->nthreads, options, &self->told);
}

/* --- Over ranks ------------------------------------------------------------------------------- */

/* What radial_note tells. */
static armilla_status describe(const armilla_distributed_radial *plan, int64_t all,
                               armilla_radial_description *told)
{
    armilla_distributed_radial_description given = {.size = sizeof given};
    armilla_status status = armilla_distributed_radial_describe(plan, &given);
    if (status) return status;
    told->isa = given.isa, told->method = given.method;
    told->normalization = given.normalization;
    told->support = given.support, told->truncation_error = given.truncation_error;
    told->width = given.width, told->pixel = sqrt(4 * M_PI / (double)all);
    return ARMILLA_OK;
}

static armilla_status make_one(const radial_request *request, const armilla_kernel *kernel,
                               const armilla_radial_options *options, const armilla_grid *grid,
                               armilla_distributed_radial **plan)
{
    const pixel_share *pixels = request->pixels;
    return armilla_distributed_radial_new(ranks_transport(), grid, kernel, options, pixels->nspans,
                                          pixels->spans, plan);
}

static armilla_status make_over_ranks(const radial_request *request, const armilla_kernel *kernel,
                                      const armilla_radial_options *options, radial *self)
{
    const armilla_radial_options pair = turned(options);
    const int64_t all = request->pixels->all;
    armilla_status status = make_one(request, kernel, options, self->grid, &self->ranks_plan);
    if (!status) status = describe(self->ranks_plan, all, &self->told);
    if (status || !request->pol) return status;
    status = make_one(request, kernel, &pair, self->grid, &self->ranks_pair);
    return status ? status : describe(self->ranks_pair, all, &self->pair_told);
}

/* --- Plans ------------------------------------------------------------------------------------ */

static int make(const radial_request *request, const armilla_kernel *kernel,
                const armilla_radial_options *options, radial *self)
{
    const pixel_grid *on = &request->pixels->on;
    armilla_status status = ARMILLA_OK;
    const int code = ranks_agree(pixel_grid_weigh(on, request->ring_weights, &self->weighted));
    if (code != CLI_OK) return code;
    self->grid = self->weighted ? self->weighted : on->grid;
    if (request->table)
        status = make_asymmetric(request, options, self);
    else
        status = (ranks_transport() ? make_over_ranks : make_plans)(request, kernel, options, self);
    return status ? library_error(status, NULL) : CLI_OK;
}

int radial_new(const radial_request *request, const armilla_kernel *kernel,
               const armilla_radial_options *options, radial *self)
{
    radial result = {.told.size = sizeof result.told,
                     .pair_told.size = sizeof result.pair_told,
                     .nthreads = (int)request->threads,
                     .npix = request->pixels->npix,
                     .is_made = 1};
    const int code = make(request, kernel, options, &result);
    if (code == CLI_OK)
        *self = result;
    else
        radial_free(&result);
    return code;
}

void radial_free(radial *self)
{
    armilla_distributed_radial_free(self->ranks_plan);
    armilla_distributed_radial_free(self->ranks_pair);
    armilla_asymmetric_free(self->asymmetric);
    armilla_radial_free(self->plan);
    armilla_radial_free(self->pair);
    armilla_grid_free(self->weighted);
    memset(self, 0, sizeof *self);
}

void radial_note(const radial *self, const char *kernel)
{
    const armilla_radial_description *told = &self->told;
    double width = 2 * told->width; /* full width at half maximum */
    const char *pair = self->pair_told.method ? self->pair_told.method : "";
    const char *where = told->device_plan_bytes > 0 ? "on the GPU" : told->isa;
    note("kernel %s: support %.6g arcmin, truncation error %.2g, normalization %s; method %s%s%s, "
         "%s",
         kernel, told->support / arcmin, told->truncation_error, told->normalization, told->method,
         *pair ? ", of Q and U " : "", pair, where);
    if (width < told->pixel)
        warning("kernel %s: is %.3g arcmin wide at half maximum, narrower than a pixel (%.3g "
                "arcmin), so pixels sample it badly",
                kernel, width / arcmin, told->pixel / arcmin);
}

static armilla_status convolve(const radial *self, int pair, const double *in,
                               const double *weights, double least, double *out)
{
    const armilla_radial *plan = pair ? self->pair : self->plan;
    const armilla_distributed_radial *ranks = pair ? self->ranks_pair : self->ranks_plan;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = self->nthreads;
    exec.progress = progress_report;
    if (self->asymmetric) return armilla_asymmetric_convolve(self->asymmetric, in, out, &exec);
    if (ranks && weights)
        return armilla_distributed_radial_convolve_weighted(ranks, in, weights, least,
                                                            ARMILLA_UNSEEN, out, &exec);
    if (ranks) return armilla_distributed_radial_convolve(ranks, in, out, &exec);
    if (weights)
        return armilla_radial_convolve_weighted(plan, in, weights, least, ARMILLA_UNSEEN, out,
                                                &exec);
    return armilla_radial_convolve(plan, in, out, &exec);
}

int radial_apply(const radial *self, int pair, const reals *fields, const double *weights,
                 double least)
{
    const int64_t count = pair ? 2 : 1;
    size_t bytes = (size_t)self->npix * sizeof(double);
    double *out = malloc((size_t)(pair ? 2 * count : count) * bytes + 1), *in = fields[0].doubles;
    const int code = ranks_agree(out ? CLI_OK : memory_error());
    if (code != CLI_OK) {
        free(out);
        return code;
    }
    if (pair) in = out + count * self->npix; /* one after the other */
    for (int64_t i = 0; i < count && pair; i++)
        memcpy(in + i * self->npix, fields[i].doubles, bytes);
    progress_stage(pair ? "convolution of Q and U" : "convolution", 0, 1);
    const armilla_status status = convolve(self, pair, in, weights, least, out);
    for (int64_t i = 0; i < count && !status; i++)
        memcpy(fields[i].doubles, out + i * self->npix, bytes);
    free(out);
    return status ? data_error(status, NULL) : CLI_OK;
}

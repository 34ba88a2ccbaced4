/* Decides whether armilla smooth sums over pixels or goes through harmonic space. Left to itself
 * (--method auto) it sums where the other options allow it, where pixels sample the beam well, and
 * where the library's model of time finds the sum faster. */
#include "smoothing.h"

#include "beam.h"
#include "message.h"
#include "ranks.h"
#include "transform.h"

#include <math.h>
#include <string.h>

/* Pixels of this many to a beam's FWHM sample it to 1e-8: the first degree that aliases onto the
 * monopole has b_l = exp(-2 pi^2 (sigma / pixel)^2) = 2e-10, sigma = FWHM / 2.355. */
static const double pixels_per_beam = 2.5;

static int is_method(const smoothing *self, const char *name)
{
    return strcmp(self->method, name) == 0;
}

/* Why radial cannot do it, or would do something else than harmonic; NULL: it can. The sum over
 * pixels is HEALPix' quadrature, as with --iter 0: on a map of low degrees it differs from three
 * iterations by 2.6e-3 of the maximum at nside 32, by 1 / nside^2 of that beyond. */
static const char *obstacle(const smoothing *self)
{
    if (self->fwhm < 0) return "it takes only Gaussian beams, --fwhm";
    if (self->lmax >= 0) return "--lmax belongs to the harmonic method";
    if (self->iterations > 0 || self->iterations == STEPS_AUTO)
        return "--iter belongs to the harmonic method";
    return NULL;
}

int smoothing_check(const smoothing *self)
{
    if (!is_method(self, "harmonic") && !is_method(self, "radial") && !is_method(self, "auto"))
        return usage_error("--method \"%s\": must be harmonic, radial or auto", self->method);
    const char *reason = obstacle(self);
    if (reason && is_method(self, "radial")) return usage_error("--method radial: %s", reason);
    return CLI_OK;
}

static int make_plan(const smoothing *self, radial *plan)
{
    armilla_kernel *kernel;
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.device = self->device;
    options.devices = device_numbers(&self->devices), options.ndevices = self->devices.count;
    armilla_status status = armilla_kernel_new_gaussian(self->fwhm, &kernel);
    const radial_request request = {.pixels = self->pixels,
                                    .threads = self->threads,
                                    .pol = self->nfields > 1,
                                    .ring_weights = self->ring_weights};
    int code = ranks_agree(status ? library_error(status, "--fwhm") : CLI_OK);
    if (code == CLI_OK) code = radial_new(&request, kernel, &options, plan);
    if (!status) armilla_kernel_free(kernel);
    return code;
}

/* The same of Q and U, in addition. */
static armilla_status add_pair(const radial *plan, int64_t lmax, double *sum, double *transforms)
{
    armilla_sht_options options;
    armilla_sht *sht;
    double more = 0, harmonic = 0;
    armilla_sht_options_init(&options);
    options.spin = 2;
    armilla_status status = armilla_sht_new(plan->grid, lmax, lmax, &options, &sht);
    if (status) return status;
    status = armilla_radial_compare(plan->pair, sht, &more, &harmonic);
    armilla_sht_free(sht);
    *sum += more, *transforms += harmonic;
    return status;
}

/* By the library's model: seconds of the sum, and of all transforms of the harmonic way. */
static int find_seconds(const smoothing *self, const radial *plan, double *sum, double *transforms)
{
    transform sht = {.grid = NULL};
    const common arguments = {.threads = self->threads};
    analysis_options options = analysis_defaults(); /* of degrees, see obstacle */
    options.iterations = self->iterations;
    if (analysis_check(&options, &self->pixels->on) != CLI_OK) return CLI_USAGE;
    const int64_t lmax = options.lmax;
    int code = transform_new(self->pixels, lmax, lmax, 1, 0, &arguments, &sht);
    if (code != CLI_OK) return code;
    armilla_status status = armilla_radial_compare(plan->plan, sht.scalar, sum, transforms);
    transform_free(&sht);
    if (!status && plan->pair) status = add_pair(plan, lmax, sum, transforms);
    *transforms *= (double)(1 + transform_steps(options.iterations)); /* analysis and synthesis */
    return status ? data_error(status, NULL) : CLI_OK;
}

/* Is radial the faster way? *plan is kept where it is. */
static int compare(const smoothing *self, radial *plan)
{
    double sum = 0, transforms = 0;
    int code = make_plan(self, plan);
    if (code == CLI_OK) code = find_seconds(self, plan, &sum, &transforms);
    if (code != CLI_OK) return code;
    const int is_radial = sum < transforms;
    note("method %s: by the model it takes %.2g s of one core, %s %.2g s",
         is_radial ? "radial" : "harmonic", is_radial ? sum : transforms,
         is_radial ? "harmonic" : "radial", is_radial ? transforms : sum);
    if (!is_radial) radial_free(plan);
    return CLI_OK;
}

/* The distance of pixels, radians: their size, and on other grids than HEALPix also that of rings.
 */
static double pixel_distance(const pixel_share *pixels)
{
    const double size = sqrt(4 * M_PI / (double)pixels->all);
    const double step = M_PI / (double)armilla_grid_nrings(pixels->on.grid);
    return pixels->on.nside ? size : fmax(size, step);
}

int smoothing_choose(const smoothing *self, radial *plan)
{
    if (is_method(self, "harmonic")) return CLI_OK;
    int code = CLI_OK;
    const char *reason = obstacle(self);
    if (!reason && self->fwhm < pixels_per_beam * pixel_distance(self->pixels))
        reason = "the pixels are too large for this beam to be sampled well";
    if (is_method(self, "radial"))
        code = make_plan(self, plan);
    else if (reason)
        note("method harmonic; not radial: %s", reason);
    else
        code = compare(self, plan);
    if (code == CLI_OK && plan->is_made) radial_note(plan, beam_text(self->fwhm));
    return code;
}

/* Makes and runs the spherical harmonic transforms of the commands on the grids of their maps. It
 * also lists the options that all analyses share, chooses quadrature, Jacobi iteration or LSMR by
 * them, and notes where the pixels do not support an lmax. */
#include "transform.h"

#include "message.h"
#include "points.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "transform_float.h"
#include "transform_ranks.h"

#include <stdlib.h>
#include <string.h>

#define FIT_TOLERANCE   1e-10 /* where rings have no weights and nothing is said */
#define FLOAT_TOLERANCE 1e-6  /* of a least-squares solution in single precision */

typedef struct analysis_arguments {
    common base;
    analysis_options analysis;
} analysis_arguments;

#define AT(field) offsetof(analysis_arguments, analysis.field)

const option analysis_rows[] = {
    {"lmax", OPTION_INTEGER, AT(lmax), "L",
     "largest degree; default: 3 nside - 1 on HEALPix (iterations converge up to 2.5 nside), else "
     "the largest exact one",
     0, MAX_DEGREE},
    {"nlmax", OPTION_INTEGER, AT(lmax), "L", NULL, 0, MAX_DEGREE},
    {"iter", OPTION_STEPS, AT(iterations), "N|auto",
     "iterations, or auto: as many as help; default: 3 on HEALPix, else auto", 0, 1000},
    {"iter_order", OPTION_STEPS, AT(iterations), "N|auto", NULL, 0, 1000},
    {"mask", OPTION_INPUT, AT(mask), "FILE",
     "multiply the map by this mask; pixels where it is 0 are left out", 0, 0},
    {"maskfile", OPTION_INPUT, AT(mask), "FILE", NULL, 0, 0},
    {"field", OPTION_TEXT, AT(field), "N",
     "column of the map: a number from 0, or a name; default 0", 0, 0},
    {"hdu", OPTION_TEXT, AT(hdu), "N|NAME",
     "HDU of the map: a number (0: the primary image) or a name; default: the first", 0, 0},
    {.name = NULL},
};

sky_request analysis_request(const char *path, int pol, int single, const analysis_options *options)
{
    return (sky_request){.path = path,
                         .field = options->field,
                         .mask = options->mask,
                         .hdu = options->hdu,
                         .pol = pol,
                         .single = single};
}

analysis_options analysis_defaults(void)
{
    return (analysis_options){.lmax = -1, .mmax = -1, .iterations = STEPS_DEFAULT};
}

/* What depends on the grid of the map. */
static void complete(analysis_options *options, const pixel_grid *grid)
{
    if (options->lmax < 0) options->lmax = pixel_grid_lmax(grid);
    if (options->mmax < 0) options->mmax = options->lmax;
    if (options->tolerance > 0 || options->iterations != STEPS_DEFAULT) return;
    if (!pixel_grid_has_weights(grid)) {
        options->tolerance = FIT_TOLERANCE;
        return;
    }
    const int is_exact = pixel_grid_is_exact(grid, options->lmax, options->mmax);
    options->iterations = grid->nside ? TRANSFORM_ITERATIONS : is_exact ? 0 : STEPS_AUTO;
}

int analysis_check(analysis_options *options, const pixel_grid *grid)
{
    if (options->tolerance > 0 && options->iterations != STEPS_DEFAULT)
        return usage_error("--iter and --tol are two methods; give only one of them");
    if (options->tolerance > 0 && options->ring_weights)
        return usage_error("--ring-weights has no effect with --tol; omit one of them");
    options->has_default_lmax = options->lmax < 0;
    if (grid) complete(options, grid);
    if (options->lmax >= 0 && options->mmax > options->lmax)
        return usage_error("--mmax \"%lld\": must not exceed lmax = %lld", (long long)options->mmax,
                           (long long)options->lmax);
    return CLI_OK;
}

/* Errors of the coefficients of a sky with power at all degrees, after 0, 3 and 12 iterations
 * (healpy, nside 32 and 64): 2e-2, 2e-4, 4e-10 for lmax = 2.5 nside; 8e-2, 5e-2, 3e-2 for 2.75;
 * 1e-1 in all for 3; 0.7, 0.8, 10 to 30 for 4. */
static void note_healpix(const transform *self, const analysis_options *options)
{
    const int64_t nside = self->on->nside, limit = 5 * nside / 2;
    const int iterates = options->tolerance <= 0 && options->iterations != 0;
    if (self->lmax >= 3 * nside && options->tolerance <= 0)
        warning(
            "lmax %lld: analysis does not invert synthesis: the pixels of nside %lld hold little "
            "above l = 3 nside - 1 = %lld%s",
            (long long)self->lmax, (long long)nside, (long long)(3 * nside - 1),
            iterates && self->lmax >= 4 * nside ? ", and iterations make it worse" : "");
    else if (iterates && self->lmax > limit)
        note("lmax %lld: above 2.5 nside iterations hardly improve a_lm; --lmax %lld or less "
             "converges",
             (long long)self->lmax, (long long)limit);
}

static void note_exact(const transform *self, const analysis_options *options)
{
    const int64_t exact = armilla_grid_exact_lmax_for(self->grid, -1);
    const int64_t nrings = armilla_grid_nrings(self->grid);
    if (options->tolerance > 0 || options->iterations == STEPS_AUTO) return;
    if (pixel_grid_is_exact(self->on, self->lmax, self->mmax)) return;
    if (self->lmax >= nrings)
        warning("lmax %lld: analysis does not invert synthesis: the %lld rings of %s hold degrees "
                "up to lmax %lld only",
                (long long)self->lmax, (long long)nrings, self->on->text, (long long)(nrings - 1));
    else if (exact < 0)
        note("lmax %lld: %s has no exact quadrature; analyze --tol fits a_lm",
             (long long)self->lmax, self->on->text);
    else
        note("lmax %lld: the quadrature of %s is exact up to lmax %lld only; analyze --tol fits "
             "a_lm",
             (long long)self->lmax, self->on->text, (long long)exact);
}

void transform_note_lmax(const transform *self, const analysis_options *options)
{
    if (options->has_default_lmax) return;
    (self->on->nside ? note_healpix : note_exact)(self, options);
}

static armilla_status make_plan(const common *arguments, transform *self)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.device = (armilla_device)arguments->device;
    options.devices = device_numbers(&arguments->devices),
    options.ndevices = arguments->devices.count;
    if (self->ncomp > 1)
        return armilla_iqu_new(self->grid, self->lmax, self->mmax, &options, &self->polar);
    return armilla_sht_new(self->grid, self->lmax, self->mmax, &options, &self->scalar);
}

/* The plan of this process, or over ranks. */
static int make(const pixel_share *pixels, int ring_weights, const common *arguments,
                transform *self)
{
    const int code = ranks_agree(pixel_grid_weigh(self->on, ring_weights, &self->weighted));
    self->grid = self->weighted ? self->weighted : self->on->grid;
    if (code != CLI_OK || ranks_transport())
        return code == CLI_OK ? transform_ranks_new(pixels, self) : code;
    const armilla_status status = make_plan(arguments, self);
    return status ? library_error(status, NULL) : CLI_OK;
}

static transform describe(const pixel_share *pixels, int64_t lmax, int64_t mmax, int64_t ncomp,
                          const common *arguments)
{
    return (transform){.on = pixels ? &pixels->on : NULL,
                       .npix = pixels ? pixels->npix : 0,
                       .lmax = lmax,
                       .mmax = mmax,
                       .alm_size = armilla_alm_size(lmax, mmax),
                       .ncomp = ncomp,
                       .nthreads = (int)arguments->threads,
                       .single = arguments->single,
                       .stored = arguments->single ? ARMILLA_IO_FLOAT : ARMILLA_IO_DOUBLE};
}

static int give(int code, transform *made, transform *self)
{
    if (code == CLI_OK)
        *self = *made;
    else
        transform_free(made);
    return code;
}

int transform_new(const pixel_share *pixels, int64_t lmax, int64_t mmax, int64_t ncomp,
                  int ring_weights, const common *arguments, transform *self)
{
    transform result = describe(pixels, lmax, mmax, ncomp, arguments);
    if (ncomp > 1 && lmax < 2)
        return usage_error("--pol: polarisation begins at l = 2, but lmax is %lld",
                           (long long)lmax);
    return give(make(pixels, ring_weights, arguments, &result), &result, self);
}

int transform_new_coefficients(const pixel_share *pixels, int64_t lmax, int64_t mmax, int64_t ncomp,
                               const common *arguments, transform *self)
{
    transform result = describe(NULL, lmax, mmax, ncomp, arguments);
    if (pixels) result.grid = pixels->on.grid;
    const int code = ranks_transport() ? transform_ranks_deal(pixels, &result) : CLI_OK;
    result.grid = NULL;
    return give(code, &result, self);
}

void transform_free(transform *self)
{
    transform_ranks_free(self->ranks);
    armilla_iqu_free(self->polar);
    armilla_sht_free(self->scalar);
    armilla_grid_free(self->weighted);
    memset(self, 0, sizeof *self);
}

static const char *reason_of(const armilla_pseudo_report *report)
{
    static const char *const reasons[] = {
        [ARMILLA_STOP_ZERO] = "the map is zero",
        [ARMILLA_STOP_RESIDUAL] = "the coefficients reproduce the map to the tolerance",
        [ARMILLA_STOP_GRADIENT] = "the least squares solution is reached to the tolerance",
        [ARMILLA_STOP_CONDITION] = "the problem is singular in working precision",
        [ARMILLA_STOP_CHANGE] = "one more would change last digits only",
        [ARMILLA_STOP_EXACT] = "the quadrature is exact",
        [ARMILLA_STOP_ITERATIONS] = "the iteration limit was reached",
    };
    const size_t stop = (size_t)report->stop;
    const char *reason = stop < sizeof reasons / sizeof *reasons ? reasons[stop] : NULL;
    return reason ? reason : "unknown reason";
}

static int ended_early(const armilla_pseudo_report *report)
{
    return report->stop == ARMILLA_STOP_ITERATIONS || report->stop == ARMILLA_STOP_CONDITION;
}

static void report_lsmr(const armilla_pseudo_report *report, double tolerance, const char *what)
{
    const char *reason = reason_of(report);
    report_open(NULL, '{');
    report_integer("iterations", report->iterations);
    report_real("residual", report->residual);
    report_real("gradient", report->gradient);
    report_text("stop", reason);
    report_close();
    note("LSMR%s: %lld iterations, relative residual %.3g, gradient %.3g; stopped because %s", what,
         (long long)report->iterations, report->residual, report->gradient, reason);
    if (ended_early(report))
        warning("--tol %g was not reached%s: %s after %lld iterations, with a relative residual of "
                "%.3g and a gradient of %.3g",
                tolerance, what, reason, (long long)report->iterations, report->residual,
                report->gradient);
}

/* Real numbers that a field's coefficients are; those of m = 0 have one value of each ring. */
static void warn_if_one_of_many(const transform *self)
{
    const int64_t unknowns = 2 * self->alm_size - (self->lmax + 1);
    const int64_t npix = self->on->npix, nrings = armilla_grid_nrings(self->grid);
    const char *least = "the solution is one of many, the one of least norm";
    if (unknowns > npix)
        warning("--tol: %lld pixels cannot determine %lld real coefficients: %s", (long long)npix,
                (long long)unknowns, least);
    else if (self->lmax >= nrings)
        warning("--tol: %lld rings cannot determine %lld real coefficients with m = 0: %s",
                (long long)nrings, (long long)(self->lmax + 1), least);
}

static void report_steps(const armilla_pseudo_report *report, const char *what)
{
    const char *reason =
        report->stop == ARMILLA_STOP_CONDITION ? "one more would make it worse" : reason_of(report);
    report_open(NULL, '{');
    report_integer("iterations", report->iterations);
    report_real("change", report->gradient);
    report_text("stop", reason);
    report_close();
    note("--iter auto%s: %lld iterations, the last of which changed a_lm by %.3g of its norm; "
         "stopped because %s",
         what, (long long)report->iterations, report->gradient, reason);
    if (ended_early(report))
        warning("--iter auto: iterations do not lead to a solution%s: %s after %lld, the last of "
                "which changed a_lm by %.3g of its norm; --tol fits a_lm by least squares",
                what, reason, (long long)report->iterations, report->gradient);
}

static void report_end(const analysis_options *options, const armilla_pseudo_report *report,
                       const char *what)
{
    if (options->tolerance > 0)
        report_lsmr(report, options->tolerance, what);
    else
        report_steps(report, what);
}

int64_t transform_steps(int64_t iterations)
{
    const int64_t usual = 8; /* of auto in double precision, up to lmax = nside */
    return iterations < 0 ? usual : iterations;
}

static armilla_pseudo_options pseudo_options(const analysis_options *options)
{
    armilla_pseudo_options pseudo;
    armilla_pseudo_options_init(&pseudo);
    if (options->tolerance > 0) {
        pseudo.tolerance = options->tolerance;
    } else if (options->iterations == STEPS_AUTO) {
        pseudo.method = ARMILLA_PSEUDO_AUTO;
    } else {
        pseudo.method = ARMILLA_PSEUDO_JACOBI;
        pseudo.max_iterations = transform_steps(options->iterations);
    }
    return pseudo;
}

/* The fields one after the other, as a plan takes them: the only one itself, or room for three. */
static double *one_array(const transform *self, const reals *maps)
{
    if (!self->polar) return maps[0].doubles;
    double *array = malloc((size_t)(self->ncomp * self->npix) * sizeof *array);
    if (!array) memory_error();
    return array;
}

static void give_array(const transform *self, double *array)
{
    if (self->polar) free(array);
}

static size_t field_bytes(const transform *self)
{
    return (size_t)self->npix * sizeof(double);
}

int transform_is_plain(const armilla_pseudo_options *options)
{
    return options->method == ARMILLA_PSEUDO_JACOBI && options->max_iterations == 0;
}

static armilla_status analyze_doubles(const transform *self, const armilla_pseudo_options *options,
                                      const double *map, double *alm,
                                      armilla_pseudo_report *reports, const armilla_exec *exec)
{
    if (transform_is_plain(options))
        return self->polar ? armilla_iqu_analysis(self->polar, map, alm, exec)
                           : armilla_sht_analysis(self->scalar, map, alm, exec);
    return self->polar
               ? armilla_iqu_pseudo_analysis(self->polar, map, alm, options, reports, exec)
               : armilla_sht_pseudo_analysis(self->scalar, map, alm, options, reports, exec);
}

static int analyze_alone(const transform *self, const armilla_pseudo_options *options,
                         const reals *maps, double *alm, armilla_pseudo_report *reports)
{
    armilla_exec exec = points_exec(self->nthreads);
    if (transform_is_plain(options)) exec.missing = ARMILLA_MISSING_ERROR;
    if (self->single) return transform_float_analysis(self, options, maps, alm, reports, &exec);
    double *map = one_array(self, maps);
    if (!map) return CLI_FAILED;
    for (int64_t i = 0; i < self->ncomp && self->polar; i++)
        memcpy(map + i * self->npix, maps[i].doubles, field_bytes(self));
    const armilla_status status = analyze_doubles(self, options, map, alm, reports, &exec);
    give_array(self, map);
    return status ? data_error(status, NULL) : CLI_OK;
}

static int analyze_over_ranks(const transform *self, const armilla_pseudo_options *options,
                              const reals *maps, double *alm, armilla_pseudo_report *reports)
{
    const armilla_exec exec = points_exec(self->nthreads);
    armilla_status status = transform_ranks_analysis(self, maps, alm, options, reports, &exec);
    return status ? data_error(status, NULL) : CLI_OK;
}

int transform_analysis(const transform *self, const analysis_options *options, const reals *maps,
                       double *alm)
{
    if (self->single && options->tolerance > 0 && options->tolerance < FLOAT_TOLERANCE)
        return usage_error("--tol %g: --float reaches %g; omit --float", options->tolerance,
                           FLOAT_TOLERANCE);
    armilla_pseudo_options pseudo = pseudo_options(options);
    armilla_pseudo_report report[2];
    const int code =
        (self->ranks ? analyze_over_ranks : analyze_alone)(self, &pseudo, maps, alm, report);
    if (code != CLI_OK || pseudo.method == ARMILLA_PSEUDO_JACOBI) return code;
    report_open(options->tolerance > 0 ? "lsmr" : "steps", '[');
    report_end(options, &report[0], self->ncomp > 1 ? " of T" : "");
    if (self->ncomp > 1) report_end(options, &report[1], " of E and B");
    report_close();
    if (options->tolerance > 0) warn_if_one_of_many(self);
    return CLI_OK;
}

static int synthesize_alone(const transform *self, double *alm, const reals *maps)
{
    armilla_exec exec = points_exec(self->nthreads);
    if (self->single) return transform_float_synthesis(self, alm, maps, &exec);
    double *map = one_array(self, maps);
    if (!map) return CLI_FAILED;
    armilla_status status = self->polar ? armilla_iqu_synthesis(self->polar, alm, map, &exec)
                                        : armilla_sht_synthesis(self->scalar, alm, map, &exec);
    for (int64_t i = 0; i < self->ncomp && self->polar && !status; i++)
        memcpy(maps[i].doubles, map + i * self->npix, field_bytes(self));
    give_array(self, map);
    return status ? data_error(status, NULL) : CLI_OK;
}

int transform_synthesis(const transform *self, double *alm, const reals *maps)
{
    if (!self->ranks) return synthesize_alone(self, alm, maps);
    const armilla_exec exec = points_exec(self->nthreads);
    armilla_status status = transform_ranks_synthesis(self, alm, maps, &exec);
    return status ? data_error(status, NULL) : CLI_OK;
}

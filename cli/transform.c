/* See transform.h. */
#include "transform.h"

#include "message.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_ITERATIONS = 3 };

analysis_options analysis_defaults(void)
{
    return (analysis_options){.lmax = -1, .mmax = -1, .iterations = -1};
}

int analysis_check(analysis_options *options, int64_t nside)
{
    if (options->tolerance > 0 && options->iterations >= 0)
        return usage_error("--iter and --tol are two methods; give only one of them");
    if (options->tolerance > 0 && options->ring_weights)
        return usage_error("--ring-weights has no effect with --tol; leave one of them away");
    if (nside > 0 && options->lmax < 0) options->lmax = 3 * nside - 1;
    if (nside > 0 && options->mmax < 0) options->mmax = options->lmax;
    if (options->lmax >= 0 && options->mmax > options->lmax)
        return usage_error("--mmax \"%lld\": must not exceed lmax = %lld", (long long)options->mmax,
                           (long long)options->lmax);
    return CLI_OK;
}

/* Errors of the coefficients of a sky with power at all degrees, after 0, 3 and 12 iterations
 * (healpy, nside 32 and 64): 2e-2, 2e-4, 4e-10 for lmax = 2.5 nside; 8e-2, 5e-2, 3e-2 for 2.75;
 * 1e-1 in all for 3; 0.7, 0.8, 10 to 30 for 4. */
void transform_note_lmax(const transform *self, const analysis_options *options)
{
    int iterates = options->tolerance <= 0 && options->iterations != 0;
    int64_t limit = 5 * self->nside / 2;
    if (self->lmax >= 4 * self->nside)
        note("lmax %lld: the pixels of nside %lld hold little above l = %lld%s",
             (long long)self->lmax, (long long)self->nside, (long long)(3 * self->nside - 1),
             iterates ? ", and iterations make it worse" : "");
    else if (iterates && self->lmax > limit)
        note("lmax %lld: above 2.5 nside iterations hardly improve a_lm; --lmax %lld or less "
             "converges",
             (long long)self->lmax, (long long)limit);
}

static armilla_status make_plans(int ring_weights, transform *self)
{
    int64_t nside = self->nside;
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = 2;
    armilla_status status = ring_weights
                                ? armilla_grid_new_healpix_weighted(nside, 2 * nside, &self->grid)
                                : armilla_grid_new_healpix(nside, &self->grid);
    if (!status) status = armilla_sht_new(self->grid, self->lmax, self->mmax, NULL, &self->scalar);
    if (!status && self->ncomp > 1)
        status = armilla_sht_new(self->grid, self->lmax, self->mmax, &options, &self->polar);
    return status;
}

int transform_new(int64_t nside, int64_t lmax, int64_t mmax, int64_t ncomp, int ring_weights,
                  int64_t threads, transform *self)
{
    transform result = {.nside = nside, .lmax = lmax, .mmax = mmax, .ncomp = ncomp};
    if (ncomp > 1 && lmax < 2)
        return usage_error("--pol: polarisation begins at l = 2, but lmax is %lld",
                           (long long)lmax);
    result.nthreads = (int)threads;
    result.npix = armilla_healpix_npix(nside);
    result.alm_size = armilla_alm_size(lmax, mmax);
    armilla_status status = make_plans(ring_weights, &result);
    if (status) {
        transform_free(&result);
        return library_error(status, NULL);
    }
    *self = result;
    return CLI_OK;
}

void transform_free(transform *self)
{
    armilla_sht_free(self->polar);
    armilla_sht_free(self->scalar);
    armilla_grid_free(self->grid);
    memset(self, 0, sizeof *self);
}

static armilla_exec make_exec(const transform *self)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = self->nthreads;
    exec.progress = progress_report;
    return exec;
}

/* Of three components T takes a third of the time, E and B the rest. */
static void part(const transform *self, int is_polar)
{
    double third = 1.0 / 3;
    if (self->polar) progress_part(is_polar ? third : 0, is_polar ? 1 : third);
}

static void report_lsmr(const armilla_pseudo_report *report, double tolerance, const char *what)
{
    static const char *const reasons[] = {
        [ARMILLA_STOP_ZERO] = "the map is zero",
        [ARMILLA_STOP_RESIDUAL] = "the coefficients reproduce the map to the tolerance",
        [ARMILLA_STOP_GRADIENT] = "the least squares solution is reached to the tolerance",
        [ARMILLA_STOP_CONDITION] = "the problem is singular in working precision",
        [ARMILLA_STOP_ITERATIONS] = "the iteration limit was reached",
    };
    size_t stop = (size_t)report->stop;
    const char *reason = stop < sizeof reasons / sizeof *reasons ? reasons[stop] : NULL;
    if (!reason) reason = "unknown reason";
    note("LSMR%s: %lld iterations, relative residual %.3g, gradient %.3g; stopped because %s", what,
         (long long)report->iterations, report->residual, report->gradient, reason);
    if (report->stop == ARMILLA_STOP_ITERATIONS || report->stop == ARMILLA_STOP_CONDITION)
        warning("--tol %g was not reached%s: %s", tolerance, what, reason);
}

/* One plan: one map, or Q and U one after the other. */
static int analyze(const transform *self, int is_polar, const analysis_options *options,
                   const double *map, double *alm)
{
    armilla_exec exec = make_exec(self);
    armilla_pseudo_options pseudo;
    armilla_pseudo_report report;
    armilla_pseudo_options_init(&pseudo);
    int lsmr = options->tolerance > 0;
    if (lsmr) {
        pseudo.tolerance = options->tolerance;
    } else {
        pseudo.method = ARMILLA_PSEUDO_JACOBI;
        pseudo.max_iterations = options->iterations >= 0 ? options->iterations : DEFAULT_ITERATIONS;
    }
    part(self, is_polar);
    armilla_status status = armilla_sht_pseudo_analysis(is_polar ? self->polar : self->scalar, map,
                                                        alm, &pseudo, &report, &exec);
    if (status) return data_error(status, NULL);
    const char *what = !self->polar ? "" : is_polar ? " of E and B" : " of T";
    if (lsmr) report_lsmr(&report, options->tolerance, what);
    return CLI_OK;
}

/* Room for Q and U one after the other, as a plan of spin 2 takes them. */
static double *new_pair(const transform *self)
{
    double *pair = malloc((size_t)self->npix * 2 * sizeof *pair);
    if (!pair) memory_error();
    return pair;
}

int transform_analysis(const transform *self, const analysis_options *options, double *const *maps,
                       double *alm)
{
    int code = analyze(self, 0, options, maps[0], alm);
    if (code != CLI_OK || !self->polar) return code;
    double *pair = new_pair(self);
    if (!pair) return CLI_FAILED;
    memcpy(pair, maps[1], (size_t)self->npix * sizeof *pair);
    memcpy(pair + self->npix, maps[2], (size_t)self->npix * sizeof *pair);
    code = analyze(self, 1, options, pair, alm + 2 * self->alm_size);
    free(pair);
    return code;
}

static int synthesize(const transform *self, int is_polar, const double *alm, double *map)
{
    armilla_exec exec = make_exec(self);
    part(self, is_polar);
    armilla_status status =
        armilla_sht_synthesis(is_polar ? self->polar : self->scalar, alm, map, &exec);
    return status ? data_error(status, NULL) : CLI_OK;
}

int transform_synthesis(const transform *self, const double *alm, double *const *maps)
{
    int code = synthesize(self, 0, alm, maps[0]);
    if (code != CLI_OK || !self->polar) return code;
    double *pair = new_pair(self);
    if (!pair) return CLI_FAILED;
    code = synthesize(self, 1, alm + 2 * self->alm_size, pair);
    if (code == CLI_OK) {
        memcpy(maps[1], pair, (size_t)self->npix * sizeof *pair);
        memcpy(maps[2], pair + self->npix, (size_t)self->npix * sizeof *pair);
    }
    free(pair);
    return code;
}

double *transform_alm(const transform *self)
{
    double *alm = malloc((size_t)(self->ncomp * self->alm_size) * 2 * sizeof *alm);
    if (!alm) memory_error();
    return alm;
}

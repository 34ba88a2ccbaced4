/* armilla analyze: map -> spherical harmonic coefficients. */
#include "commands.h"
#include "message.h"
#include "paths.h"
#include "progress.h"
#include "report.h"
#include "sky.h"
#include "transform.h"

#include <stdlib.h>

typedef struct arguments {
    common base; /* these two first: see analysis_rows */
    analysis_options analysis;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"mmax", OPTION_INTEGER, AT(analysis.mmax), "M", "largest order; default: lmax", 0, MAX_DEGREE},
    {"nmmax", OPTION_INTEGER, AT(analysis.mmax), "M", NULL, 0, MAX_DEGREE},
    {"tol", OPTION_TOLERANCE, AT(analysis.tolerance), "T",
     "instead of --iter: solve by least squares (LSMR) to relative tolerance T", 0, 0},
    {"ring-weights", OPTION_FLAG, AT(analysis.ring_weights), "",
     "use ring weights: a quadrature that is exact up to l = 2 nside", 0, 0},
    {.name = NULL},
};

static void defaults(void *self)
{
    arguments *a = self;
    a->analysis = analysis_defaults();
}

static int check(void *self)
{
    arguments *a = self;
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}, {"--mask", a->analysis.mask}},
        .outputs = {{"-o", a->base.output}},
        .overwrite = a->base.overwrite,
    };
    int code = analysis_check(&a->analysis, NULL);
    return code == CLI_OK ? paths_check(&paths) : code;
}

static int write_alm(const arguments *a, const sky *map, const transform *sht, const double *alm)
{
    if (progress_stopped()) return CLI_FAILED;
    const int code =
        transform_write_alm(sht, a->base.output, map->map->coordsys, alm, a->base.overwrite);
    if (code != CLI_OK) return code;
    report_integer("components", sht->ncomp);
    report_integer("lmax", sht->lmax);
    report_integer("mmax", sht->mmax);
    pixel_grid_report(&map->share.on);
    sky_report_missing(map);
    note("wrote %s: %slmax %lld, mmax %lld, from %s with %s pixels left out", a->base.output,
         sht->ncomp > 1 ? "T, E and B, " : "", (long long)sht->lmax, (long long)sht->mmax,
         map->share.on.text, sky_missing_text(map));
    return CLI_OK;
}

static int work(void *self)
{
    arguments *a = self;
    sky map = {.map = NULL};
    transform sht = {.grid = NULL};
    double *alm = NULL;
    const sky_request request =
        analysis_request(a->base.files[0], a->base.pol, a->base.single, &a->analysis);
    int code = sky_read(&request, &map);
    if (code == CLI_OK) code = analysis_check(&a->analysis, &map.share.on);
    if (code == CLI_OK)
        code = transform_new(&map.share, a->analysis.lmax, a->analysis.mmax, map.nfields,
                             a->analysis.ring_weights, &a->base, &sht);
    if (code == CLI_OK) {
        sky_weight(&map);
        alm = transform_alm(&sht);
        code = alm ? CLI_OK : CLI_FAILED;
    }
    progress_stage("analysis", 0, 1);
    if (code == CLI_OK) code = transform_analysis(&sht, &a->analysis, map.values, alm);
    if (code == CLI_OK) transform_note_lmax(&sht, &a->analysis);
    if (code == CLI_OK) code = write_alm(a, &map, &sht, alm);
    free(alm);
    transform_free(&sht);
    sky_free(&map);
    return code;
}

const command analyze_command = {
    .name = "analyze",
    .summary = "compute the spherical harmonic coefficients of a map",
    .usage = "analyze MAP -o alm.fits [options]",
    .text =
        "Computes the coefficients a_lm of a map on the grid that its file names. Missing pixels\n"
        "count as 0. On grids with an exact quadrature one sum over pixels is enough, up to the\n"
        "default lmax. HEALPix has no exact quadrature: --iter N repeats the transform N times on "
        "the\n"
        "residual, --iter auto until a further step would change only the last digits. Iterations\n"
        "converge for lmax up to 2.5 nside. --tol T solves for the best coefficients and reports "
        "how\n"
        "good they are: it ends where the residual is a few times T of the map, at most\n"
        "T (|map| + |Y| |a|), or can shrink no more. With --pol the columns I, Q and U of the map\n"
        "become T, E and B.",
    .example = "armilla analyze map.fits -o alm.fits --lmax 1024 --tol 1e-8",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the MAP is missing",
    .report =
        "lsmr (with --tol) or steps (with --iter auto), which are arrays of objects, one for each\n"
        "solution; components (1, or 3: T, E, B), lmax, mmax, nside (of HEALPix), grid (its "
        "name),\n"
        "missing (the number of pixels left out, for each field). An object of lsmr has "
        "iterations,\n"
        "residual, gradient and stop (the reason); an object of steps has iterations, change (of "
        "a_lm\n"
        "in the last one) and stop",
    .in_floats = 1,
    .over_ranks = 1,
    .tables = {analysis_rows, table, work_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

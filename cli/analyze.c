/* armilla analyze: map -> spherical harmonic coefficients. */
#include "commands.h"
#include "message.h"
#include "paths.h"
#include "progress.h"
#include "sky.h"
#include "transform.h"

#include <stdlib.h>

typedef struct arguments {
    common base;
    analysis_options analysis;
    const char *mask;
    int64_t field;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"lmax", OPTION_INTEGER, AT(analysis.lmax), "L", "default: 3 nside - 1", 0, MAX_DEGREE},
    {"nlmax", OPTION_INTEGER, AT(analysis.lmax), "L", NULL, 0, MAX_DEGREE},
    {"mmax", OPTION_INTEGER, AT(analysis.mmax), "M", "default: lmax", 0, MAX_DEGREE},
    {"nmmax", OPTION_INTEGER, AT(analysis.mmax), "M", NULL, 0, MAX_DEGREE},
    {"iter", OPTION_INTEGER, AT(analysis.iterations), "N", "HEALPix' iterations; default 3", 0,
     1000},
    {"iter_order", OPTION_INTEGER, AT(analysis.iterations), "N", NULL, 0, 1000},
    {"tol", OPTION_TOLERANCE, AT(analysis.tolerance), "T",
     "instead: least squares (LSMR) to relative accuracy T", 0, 0},
    {"ring-weights", OPTION_FLAG, AT(analysis.ring_weights), "",
     "better quadrature: exact up to l = 2 nside", 0, 0},
    {"mask", OPTION_TEXT, AT(mask), "FILE", "multiply by this map; 0 leaves a pixel out", 0, 0},
    {"maskfile", OPTION_TEXT, AT(mask), "FILE", NULL, 0, 0},
    {"field", OPTION_INTEGER, AT(field), "N", "column of the map, from 0; default 0", 0, 9999},
    {.name = NULL},
};

static int write_alm(const arguments *a, const sky *map, const transform *sht, double *alm)
{
    armilla_alm_file file = {.lmax = sht->lmax, .mmax = sht->mmax, .ncomp = 1, .alm = alm};
    file.coordsys = map->map->coordsys;
    if (progress_stopped()) return CLI_FAILED;
    armilla_status status = armilla_alm_write(a->base.output, &file, a->base.overwrite);
    if (status) return data_error(status, a->base.output);
    note("wrote %s: lmax %lld, mmax %lld, from nside %lld with %lld pixels left out",
         a->base.output, (long long)sht->lmax, (long long)sht->mmax, (long long)map->nside,
         (long long)map->nmissing);
    return CLI_OK;
}

static int work(arguments *a, sky *map)
{
    transform sht = {.grid = NULL};
    double *alm = NULL;
    int code = analysis_check(&a->analysis, map->nside);
    if (code == CLI_OK) code = sky_read_mask(map, a->mask);
    if (code != CLI_OK) return code;
    sky_weight(map);
    code = transform_new(map->nside, a->analysis.lmax, a->analysis.mmax, a->analysis.ring_weights,
                         a->base.threads, &sht);
    if (code == CLI_OK) {
        alm = transform_alm(&sht);
        if (!alm) code = CLI_FAILED;
    }
    progress_stage("analysis", 0, 1);
    if (code == CLI_OK) code = transform_analysis(&sht, &a->analysis, map->values, alm);
    if (code == CLI_OK) transform_note_lmax(&sht, &a->analysis);
    if (code == CLI_OK) code = write_alm(a, map, &sht, alm);
    free(alm);
    transform_free(&sht);
    return code;
}

static int run(const command *self, int argc, char **argv)
{
    arguments a = {.analysis = analysis_defaults()};
    sky map = {.map = NULL};
    int code = options_parse(self, argc, argv, &a);
    if (code == CLI_OK) code = analysis_check(&a.analysis, 0);
    const path_list paths = {
        .inputs = {{"", a.base.files[0]}, {"--mask", a.mask}},
        .outputs = {{"-o", a.base.output}},
        .overwrite = a.base.overwrite,
    };
    if (code == CLI_OK) code = paths_check(&paths);
    if (code != CLI_OK) return code;
    message_setup(self->name, a.base.quiet);
    progress_setup(a.base.quiet);
    code = sky_read(a.base.files[0], a.field, &map);
    if (code != CLI_OK) return code;
    code = work(&a, &map);
    sky_free(&map);
    return code;
}

const command analyze_command = {
    .name = "analyze",
    .summary = "map to spherical harmonic coefficients",
    .usage = "analyze MAP -o alm.fits [options]",
    .text = "Computes the coefficients a_lm of a HEALPix map. Missing pixels count as 0.\n"
            "HEALPix has no exact quadrature: --iter repeats the transform on what is left, --tol\n"
            "solves for the best coefficients and reports how good they are.",
    .example = "armilla analyze map.fits -o alm.fits --lmax 1024 --tol 1e-8",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the MAP is missing",
    .tables = {table, work_options},
    .run = run,
};

/* armilla spectrum: auto spectrum of a map or cross spectrum of two, in the order of HEALPix'
 * anafast: leave pixels out, remove monopole and dipole, multiply by the mask, transform. */
#include "commands.h"
#include "message.h"
#include "paths.h"
#include "progress.h"
#include "sky.h"
#include "spectra.h"
#include "transform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    common base;
    analysis_options analysis;
    const char *mask;
    int64_t field;
    int remove_monopole, remove_dipole;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"lmax", OPTION_INTEGER, AT(analysis.lmax), "L", "default: 3 nside - 1", 0, MAX_DEGREE},
    {"nlmax", OPTION_INTEGER, AT(analysis.lmax), "L", NULL, 0, MAX_DEGREE},
    {"iter", OPTION_INTEGER, AT(analysis.iterations), "N", "HEALPix' iterations; default 3", 0,
     1000},
    {"iter_order", OPTION_INTEGER, AT(analysis.iterations), "N", NULL, 0, 1000},
    {"mask", OPTION_TEXT, AT(mask), "FILE", "multiply by this map; 0 leaves a pixel out", 0, 0},
    {"maskfile", OPTION_TEXT, AT(mask), "FILE", NULL, 0, 0},
    {"remove-monopole", OPTION_FLAG, AT(remove_monopole), "", "subtract the mean of valid pixels",
     0, 0},
    {"remove-dipole", OPTION_FLAG, AT(remove_dipole), "",
     "subtract monopole and dipole fitted to valid pixels", 0, 0},
    {"field", OPTION_INTEGER, AT(field), "N", "column of the maps, from 0; default 0", 0, 9999},
    {.name = NULL},
};

/* Reads a map and makes it ready for the transform. */
static int prepare(const arguments *a, const char *path, sky *map)
{
    int code = sky_read(path, a->field, map);
    if (code != CLI_OK) return code;
    code = sky_read_mask(map, a->mask);
    if (code == CLI_OK && (a->remove_monopole || a->remove_dipole))
        code = sky_remove_multipoles(map, a->remove_dipole);
    if (code == CLI_OK)
        sky_weight(map);
    else
        sky_free(map);
    return code;
}

/* The coefficients of one map. */
static int analyze(const arguments *a, const transform *sht, const sky *map, double **alm)
{
    *alm = transform_alm(sht);
    return *alm ? transform_analysis(sht, &a->analysis, map->values, *alm) : CLI_FAILED;
}

/* "uK^2", or "uK mK" for two units; "" where one is unknown. */
static void product_unit(const char *a, const char *b, char unit[2 * ARMILLA_IO_NAME_SIZE])
{
    if (!*a || !*b)
        unit[0] = '\0';
    else if (strcmp(a, b) == 0)
        snprintf(unit, 2 * ARMILLA_IO_NAME_SIZE, "%s^2", a);
    else
        snprintf(unit, 2 * ARMILLA_IO_NAME_SIZE, "%s %s", a, b);
}

static int write_cl(const arguments *a, const sky *maps, int64_t lmax, const double *cl)
{
    char unit[2 * ARMILLA_IO_NAME_SIZE];
    const armilla_field *first = maps[0].map->fields, *second = first;
    if (a->base.nfiles == 2) second = maps[1].map->fields;
    product_unit(first->unit, second->unit, unit);
    const char *name = a->field == 0 || !*first->name ? "TEMPERATURE" : first->name;
    if (progress_stopped()) return CLI_FAILED;
    int code = spectrum_write(a->base.output, lmax, cl, name, unit, a->base.overwrite);
    if (code == CLI_OK)
        note("wrote %s: C_l for l = 0 to %lld, %lld of %lld pixels left out", a->base.output,
             (long long)lmax, (long long)maps[0].nmissing, (long long)maps[0].npix);
    return code;
}

static int compute(const arguments *a, const transform *sht, const sky *maps, double *cl)
{
    double *alm[2] = {NULL, NULL};
    int64_t nmaps = a->base.nfiles;
    int code = CLI_OK;
    for (int64_t i = 0; i < nmaps && code == CLI_OK; i++) {
        progress_stage("analysis", (double)i / (double)nmaps, (double)(i + 1) / (double)nmaps);
        code = analyze(a, sht, &maps[i], &alm[i]);
    }
    if (code == CLI_OK) {
        armilla_status status =
            armilla_spectrum_compute(sht->lmax, sht->mmax, alm[0], alm[nmaps - 1], cl);
        if (status) code = data_error(status, NULL);
    }
    free(alm[1]);
    free(alm[0]);
    return code;
}

static int work(arguments *a, const sky *maps)
{
    transform sht;
    double *cl = NULL;
    if (a->base.nfiles == 2 && maps[0].nside != maps[1].nside)
        return usage_error("\"%s\" has nside %lld, but \"%s\" has nside %lld", maps[0].path,
                           (long long)maps[0].nside, maps[1].path, (long long)maps[1].nside);
    int code = analysis_check(&a->analysis, maps[0].nside);
    if (code != CLI_OK) return code;
    int64_t lmax = a->analysis.lmax;
    code = transform_new(maps[0].nside, lmax, lmax, 0, a->base.threads, &sht);
    if (code != CLI_OK) return code;
    cl = calloc((size_t)lmax + 1, sizeof *cl);
    code = cl ? compute(a, &sht, maps, cl) : memory_error();
    if (code == CLI_OK) transform_note_lmax(&sht, &a->analysis);
    if (code == CLI_OK) code = write_cl(a, maps, lmax, cl);
    free(cl);
    transform_free(&sht);
    return code;
}

static int run(const command *self, int argc, char **argv)
{
    arguments a = {.analysis = analysis_defaults()};
    sky maps[2] = {{.map = NULL}, {.map = NULL}};
    int code = options_parse(self, argc, argv, &a);
    const path_list paths = {
        .inputs = {{"", a.base.files[0]}, {"", a.base.files[1]}, {"--mask", a.mask}},
        .outputs = {{"-o", a.base.output}},
        .overwrite = a.base.overwrite,
    };
    if (code == CLI_OK) code = paths_check(&paths);
    if (code != CLI_OK) return code;
    message_setup(self->name, a.base.quiet);
    progress_setup(a.base.quiet);
    for (int64_t i = 0; i < a.base.nfiles && code == CLI_OK; i++)
        code = prepare(&a, a.base.files[i], &maps[i]);
    if (code == CLI_OK) code = work(&a, maps);
    sky_free(&maps[1]);
    sky_free(&maps[0]);
    return code;
}

const command spectrum_command = {
    .name = "spectrum",
    .summary = "power spectrum of a map, or cross spectrum of two",
    .usage = "spectrum MAP [MAP2] -o cl.fits [options]",
    .text = "Computes C_l as HEALPix' anafast does. Missing and masked pixels take no part in the\n"
            "fit of monopole and dipole, then count as 0. C_l is that of the masked map: it is\n"
            "not divided by the fraction of the sky. Text is written if the output ends in .txt.",
    .example = "armilla spectrum map.fits -o cl.txt --mask mask.fits --remove-monopole",
    .min_files = 1,
    .max_files = 2,
    .file_missing = "the MAP is missing",
    .tables = {table, work_options},
    .run = run,
};

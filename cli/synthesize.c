/* armilla synthesize: spherical harmonic coefficients -> map. */
#include "beam.h"
#include "commands.h"
#include "mapfile.h"
#include "message.h"
#include "paths.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "transform.h"

#include <stdlib.h>

typedef struct arguments {
    common base;
    grid_choice grid;
    int64_t lmax;
    double fwhm;
    int store_double;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"grid", OPTION_GRID, AT(grid), "NAME", PIXEL_GRID_HELP, 0, 0},
    {"nside", OPTION_NSIDE, AT(grid), "N", NULL, 1, MAX_NSIDE},
    {"nsmax", OPTION_NSIDE, AT(grid), "N", NULL, 1, MAX_NSIDE},
    {"lmax", OPTION_INTEGER, AT(lmax), "L", "use degrees up to L only; default: all", 0,
     MAX_DEGREE},
    {"nlmax", OPTION_INTEGER, AT(lmax), "L", NULL, 0, MAX_DEGREE},
    {"fwhm", OPTION_ANGLE, AT(fwhm), "ANGLE", "smooth with a Gaussian beam", 0, 0},
    {"fwhm_arcmin", OPTION_ARCMIN, AT(fwhm), "NUMBER", NULL, 0, 0},
    {"double", OPTION_FLAG, AT(store_double), "", "store the map in 64 bits instead of 32", 0, 0},
    {.name = NULL},
};

static void defaults(void *self)
{
    arguments *a = self;
    a->lmax = -1;
    a->fwhm = -1;
}

static int check(void *self)
{
    const arguments *a = self;
    int code = pixel_grid_check(&a->grid);
    if (code != CLI_OK) return code;
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}},
        .outputs = {{"-o", a->base.output}},
        .overwrite = a->base.overwrite,
    };
    return paths_check(&paths);
}

static int write_map(const arguments *a, const pixel_share *pixels, armilla_map *map,
                     const reals *values, const transform *sht)
{
    if (progress_stopped()) return CLI_FAILED;
    for (int64_t i = 0; i < map->nfields && a->store_double; i++)
        map->fields[i].type = ARMILLA_IO_DOUBLE;
    const int code = mapfile_write(a->base.output, pixels, map, values, a->base.overwrite);
    if (code != CLI_OK) return code;
    report_integer("fields", map->nfields);
    pixel_grid_report(&pixels->on);
    report_integer("lmax", sht->lmax);
    report_integer("mmax", sht->mmax);
    report_real("fwhm", a->fwhm < 0 ? 0 : a->fwhm);
    note("wrote %s: %s%s from lmax %lld, mmax %lld%s%s", a->base.output,
         map->nfields > 1 ? "I, Q and U, " : "", pixels->on.text, (long long)sht->lmax,
         (long long)sht->mmax, a->fwhm < 0 ? "" : ", beam ", a->fwhm < 0 ? "" : beam_text(a->fwhm));
    return CLI_OK;
}

static int fill_map(const arguments *a, const armilla_alm_input *input, const transform *sht,
                    const reals *values)
{
    double *alm = transform_alm(sht);
    if (!alm) return CLI_FAILED;
    int code = transform_read_alm(sht, a->base.files[0], input, alm);
    if (code == CLI_OK) code = beam_apply_gaussian(a->fwhm, sht, alm);
    progress_stage("synthesis", 0, 1);
    if (code == CLI_OK) code = transform_synthesis(sht, alm, values);
    free(alm);
    return code;
}

/* The degrees and components that the options ask for must be in the file. */
static int check_file(const arguments *a, int64_t ncomp, const armilla_alm_file *file)
{
    if (a->lmax > file->lmax)
        return usage_error("--lmax \"%lld\": \"%s\" ends at l = %lld", (long long)a->lmax,
                           a->base.files[0], (long long)file->lmax);
    if (ncomp > file->ncomp)
        return usage_error("--pol: \"%s\" has %lld table%s of coefficients; T, E and B are needed; "
                           "without --pol the command takes the first one",
                           a->base.files[0], (long long)file->ncomp, file->ncomp == 1 ? "" : "s");
    return CLI_OK;
}

static int synthesize(const arguments *a, const armilla_alm_input *input)
{
    pixel_share pixels = {.npix = 0};
    transform sht = {.grid = NULL};
    armilla_map *map = NULL;
    reals values[TRANSFORM_FIELDS] = {{.doubles = NULL}};
    const armilla_alm_file *file = armilla_alm_input_alm(input);
    const int64_t ncomp = a->base.pol ? 3 : 1;
    const int64_t lmax = a->lmax >= 0 && a->lmax < file->lmax ? a->lmax : file->lmax;
    const int64_t mmax = file->mmax < lmax ? file->mmax : lmax;
    int code = ranks_agree(check_file(a, ncomp, file));
    if (code == CLI_OK) code = ranks_check_alike(lmax, a->base.files[0], "lmax");
    if (code == CLI_OK) code = ranks_check_alike(mmax, a->base.files[0], "mmax");
    if (code == CLI_OK) code = share_choose(&a->grid, &pixels);
    if (code == CLI_OK) code = mapfile_new(&pixels, ncomp, a->base.single, &map, values);
    if (code == CLI_OK) code = transform_new(&pixels, lmax, mmax, ncomp, 0, &a->base, &sht);
    if (code == CLI_OK) code = fill_map(a, input, &sht, values);
    if (code == CLI_OK) {
        map->coordsys = file->coordsys;
        code = write_map(a, &pixels, map, values, &sht);
    }
    transform_free(&sht);
    mapfile_free(map, values);
    share_free(&pixels);
    return code;
}

static int work(void *self)
{
    const arguments *a = self;
    armilla_alm_input *input = NULL;
    armilla_status status = armilla_alm_input_open(a->base.files[0], a->base.pol ? 0 : 1, &input);
    int code = ranks_agree(status ? data_error(status, a->base.files[0]) : CLI_OK);
    if (code == CLI_OK) code = synthesize(a, input);
    armilla_alm_input_free(input);
    return code;
}

const command synthesize_command = {
    .name = "synthesize",
    .summary = "make a map from spherical harmonic coefficients",
    .usage = "synthesize ALM -o map.fits --grid NAME [options]",
    .text = "Sums the spherical harmonics of a coefficient file on the pixels of a grid. Uses the "
            "first\n"
            "table, the temperature, or with --pol the tables T, E and B, which make I, Q and "
            "U.\n" PIXEL_GRID_NAMES,
    .example = "armilla synthesize alm.fits -o map.fits --grid healpix:512 --fwhm 1deg",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the file ALM of coefficients is missing",
    .report = "fields (1, or 3: I, Q, U), nside (of HEALPix), grid (its name), lmax, mmax, fwhm\n"
              "(radians)",
    .in_floats = 1,
    .over_ranks = 1,
    .tables = {table, work_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

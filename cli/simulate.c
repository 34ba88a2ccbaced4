/* armilla simulate: a Gaussian sky with a given power spectrum. */
#include "beam.h"
#include "commands.h"
#include "mapfile.h"
#include "message.h"
#include "paths.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "spectra.h"
#include "transform.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef struct arguments {
    common base;
    const char *cl, *spectrum, *alm;
    grid_choice grid;
    int64_t lmax;
    double fwhm;
    uint64_t seed;
    int store_double;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"cl", OPTION_INPUT, AT(cl), "FILE", "power spectrum: FITS, or text with columns l, TT, ...", 0,
     0},
    {"infile", OPTION_INPUT, AT(cl), "FILE", NULL, 0, 0},
    {"grid", OPTION_GRID, AT(grid), "NAME", PIXEL_GRID_HELP, 0, 0},
    {"nside", OPTION_NSIDE, AT(grid), "N", NULL, 1, MAX_NSIDE},
    {"nsmax", OPTION_NSIDE, AT(grid), "N", NULL, 1, MAX_NSIDE},
    {"lmax", OPTION_INTEGER, AT(lmax), "L",
     "largest degree; default: 3 nside - 1 on HEALPix, else the largest exact one, or where the "
     "spectrum ends",
     0, MAX_DEGREE},
    {"nlmax", OPTION_INTEGER, AT(lmax), "L", NULL, 0, MAX_DEGREE},
    {"fwhm", OPTION_ANGLE, AT(fwhm), "ANGLE", "smooth with a Gaussian beam", 0, 0},
    {"fwhm_arcmin", OPTION_ARCMIN, AT(fwhm), "NUMBER", NULL, 0, 0},
    {"seed", OPTION_SEED, AT(seed), "S",
     "the same seed gives the same sky; default: a new seed each time", 0, 0},
    {"iseed", OPTION_SEED, AT(seed), "S", NULL, 0, 0},
    {"rand_seed", OPTION_SEED, AT(seed), "S", NULL, 0, 0},
    {"spectrum", OPTION_TEXT, AT(spectrum), "NAME",
     "which spectrum of --cl: a name, or a number from 0; default 0", 0, 0},
    {"column", OPTION_TEXT, AT(spectrum), "NAME", NULL, 0, 0},
    {"alm", OPTION_TEXT, AT(alm), "FILE", "also write the coefficients (beam included)", 0, 0},
    {"outfile_alms", OPTION_TEXT, AT(alm), "FILE", NULL, 0, 0},
    {"double", OPTION_FLAG, AT(store_double), "", "store the map in 64 bits instead of 32", 0, 0},
    {.name = NULL},
};

/* A seed that differs from call to call: clock and process number, mixed as in SplitMix64 (Steele
 * et al. 2014). 32 bits, so that it can be typed again. */
static uint64_t new_seed(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t z = (uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec;
    z ^= (uint64_t)getpid() << 40;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) >> 32;
}

static void defaults(void *self)
{
    arguments *a = self;
    a->lmax = -1;
    a->fwhm = -1;
    a->seed = (uint64_t)ranks_from_first((int64_t)new_seed());
}

static int check(void *self)
{
    const arguments *a = self;
    if (!a->cl) return usage_error("--cl FILE is missing: name the file of the power spectrum");
    if (pixel_grid_check(&a->grid) != CLI_OK) return CLI_USAGE;
    if (a->base.pol && a->spectrum)
        return usage_error(
            "--spectrum \"%s\": names one spectrum, but --pol uses all spectra of the file",
            a->spectrum);
    const path_list paths = {
        .inputs = {{"--cl", a->cl}},
        .outputs = {{"-o", a->base.output}, {"--alm", a->alm}},
        .overwrite = a->base.overwrite,
    };
    return paths_check(&paths);
}

static int choose_lmax(arguments *a, const spectra *cl, const pixel_grid *grid)
{
    if (a->lmax > cl->lmax)
        return usage_error("--lmax \"%lld\": \"%s\" ends at l = %lld", (long long)a->lmax, a->cl,
                           (long long)cl->lmax);
    const int64_t limit = pixel_grid_lmax(grid);
    if (a->lmax < 0) a->lmax = limit < cl->lmax ? limit : cl->lmax;
    return CLI_OK;
}

static int draw_polarised(const arguments *a, const spectra *cl, const transform *sht, double *alm)
{
    double *covariance = NULL;
    int code = spectra_covariance(cl, a->lmax, &covariance);
    if (code != CLI_OK) return code;
    armilla_status status = transform_random(sht, a->lmax + 1, covariance, a->seed, alm);
    free(covariance);
    return status ? data_error(status, a->cl) : CLI_OK;
}

static int draw_scalar(const arguments *a, const spectra *cl, const transform *sht, double *alm)
{
    armilla_status status = transform_random(sht, cl->lmax + 1, cl->values[0], a->seed, alm);
    return status ? data_error(status, a->cl) : CLI_OK;
}

static int draw(const arguments *a, const spectra *cl, const transform *sht, double *alm)
{
    const int code = ranks_agree((sht->ncomp > 1 ? draw_polarised : draw_scalar)(a, cl, sht, alm));
    return code == CLI_OK ? beam_apply_gaussian(a->fwhm, sht, alm) : code;
}

static int write_map(const arguments *a, const spectra *cl, const pixel_share *pixels,
                     armilla_map *map, const reals *values)
{
    if (progress_stopped()) return CLI_FAILED;
    for (int64_t i = 0; i < map->nfields; i++) {
        spectra_map_unit(cl, map->fields[i].unit);
        if (a->store_double) map->fields[i].type = ARMILLA_IO_DOUBLE;
    }
    const int code = mapfile_write(a->base.output, pixels, map, values, a->base.overwrite);
    if (code != CLI_OK) return code;
    report_integer("fields", map->nfields);
    pixel_grid_report(&pixels->on);
    report_integer("lmax", a->lmax);
    report_real("fwhm", a->fwhm < 0 ? 0 : a->fwhm);
    report_unsigned("seed", a->seed);
    report_text("alm", a->alm);
    note("wrote %s: %s%s, lmax %lld, %s%s%sseed %llu", a->base.output,
         map->nfields > 1 ? "I, Q and U, " : "", pixels->on.text, (long long)a->lmax,
         a->fwhm < 0 ? "" : "beam ", a->fwhm < 0 ? "" : beam_text(a->fwhm), a->fwhm < 0 ? "" : ", ",
         (unsigned long long)a->seed);
    return CLI_OK;
}

/* Coefficients and map, the two files. */
static int fill_map(const arguments *a, const spectra *cl, const pixel_share *pixels,
                    const transform *sht, armilla_map *map, const reals *values)
{
    double *alm = transform_alm(sht);
    if (!alm) return CLI_FAILED;
    int code = draw(a, cl, sht, alm);
    progress_stage("synthesis", 0, 1);
    if (code == CLI_OK) code = transform_synthesis(sht, alm, values);
    if (code == CLI_OK) code = write_map(a, cl, pixels, map, values);
    if (code == CLI_OK && a->alm)
        code = transform_write_alm(sht, a->alm, 0, alm, a->base.overwrite);
    free(alm);
    return code;
}

static int make_sky(arguments *a, const spectra *cl)
{
    pixel_share pixels = {.npix = 0};
    transform sht = {.grid = NULL};
    armilla_map *map = NULL;
    reals values[TRANSFORM_FIELDS] = {{.doubles = NULL}};
    const int64_t ncomp = a->base.pol ? 3 : 1;
    int code = share_choose(&a->grid, &pixels);
    if (code == CLI_OK) code = choose_lmax(a, cl, &pixels.on);
    if (code == CLI_OK) code = mapfile_new(&pixels, ncomp, a->base.single, &map, values);
    if (code == CLI_OK) code = transform_new(&pixels, a->lmax, a->lmax, ncomp, 0, &a->base, &sht);
    if (code == CLI_OK) code = fill_map(a, cl, &pixels, &sht, map, values);
    transform_free(&sht);
    mapfile_free(map, values);
    share_free(&pixels);
    return code;
}

static int work(void *self)
{
    arguments *a = self;
    spectra cl = {.file = NULL};
    int code = a->base.pol ? spectra_read_polarised(a->cl, &cl)
                           : spectra_read(a->cl, "--spectrum", a->spectrum, &cl);
    code = ranks_agree(code);
    if (code == CLI_OK) code = make_sky(a, &cl);
    spectra_free(&cl);
    return code;
}

const command simulate_command = {
    .name = "simulate",
    .summary = "make a Gaussian sky from a power spectrum",
    .usage = "simulate --cl FILE --grid NAME | --nside N -o map.fits [options]",
    .text =
        "Draws Gaussian coefficients with the given power spectrum and makes a map from them. "
        "Each\n"
        "mode depends only on the seed, l and m, so another lmax or grid shows the same sky in "
        "more\n"
        "or less detail. With --pol the sky has I, Q and U; the file must then hold TT, EE, BB "
        "and\n"
        "TE, and may hold TB and EB. Columns without names are taken in this order. I is the same\n"
        "with and without --pol.\n" PIXEL_GRID_NAMES,
    .example = "armilla simulate --cl cl.txt --nside 512 --seed 1 -o sky.fits",
    .report =
        "fields (1, or 3: I, Q, U), nside (of HEALPix), grid (its name), lmax, fwhm (radians),\n"
        "seed, alm (the file, or null)",
    .in_floats = 1,
    .over_ranks = 1,
    .tables = {table, work_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

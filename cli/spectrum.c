/* armilla spectrum: auto spectrum of a map or cross spectrum of two, in the order of HEALPix'
 * anafast: leave pixels out, remove monopole and dipole, multiply by the mask, transform. */
#include "commands.h"
#include "decouple.h"
#include "labelled.h"
#include "message.h"
#include "paths.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "sky.h"
#include "spectra.h"
#include "transform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    common base; /* these two first: see analysis_rows */
    analysis_options analysis;
    int64_t regression; /* HEALPix: 1 monopole, 2 monopole and dipole */
    int remove_monopole, remove_dipole;
    decouple_options decoupling;
    labelled_arguments labelled;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"remove-monopole", OPTION_FLAG, AT(remove_monopole), "", "subtract the mean of valid pixels",
     0, 0},
    {"remove-dipole", OPTION_FLAG, AT(remove_dipole), "",
     "subtract monopole and dipole fitted to valid pixels", 0, 0},
    {"regression", OPTION_INTEGER, AT(regression), "N",
     "HEALPix parameter: 1 is --remove-monopole, 2 is --remove-dipole", 0, 2},
    {"decouple", OPTION_FLAG, AT(decoupling.is_wanted), "",
     "powers in bands of degrees, corrected for mask and missing pixels", 0, 0},
    {"bands", OPTION_TEXT, AT(decoupling.bands), "N|FILE",
     "with --decouple: number of degrees in a band, from l = 2 on, or a file of first and last "
     "degrees",
     0, 0},
    {"dl", OPTION_FLAG, AT(decoupling.dl), "",
     "with --decouple: powers of l (l + 1) / (2 pi) C_l, taken as constant in each band", 0, 0},
    {"errors", OPTION_FLAG, AT(decoupling.errors), "",
     "with --decouple: add columns of Gaussian standard deviations", 0, 0},
    {"covariance", OPTION_TEXT, AT(decoupling.covariance), "FILE",
     "with --decouple: write the Gaussian covariance of all powers, a matrix", 0, 0},
    {"cl", OPTION_INPUT, AT(decoupling.cl), "FILE",
     "with --errors or --covariance: spectra of signal and noise; default: those of the map", 0, 0},
    {"var", OPTION_TEXT, AT(labelled.var), "NAMES",
     "NetCDF, Zarr, GRIB: variables, such as ua,va; default: all on the grid", 0, 0},
    {"kind", OPTION_TEXT, AT(labelled.kind), "power|ke",
     "for these: power (default) of each variable, or kinetic energy of a wind", 0, 0},
    {"grid", OPTION_GRID_NAME, AT(labelled.grid), "NAME",
     "for these: the grid, such as F320, if labels do not name it", 0, 0},
    {"missing", OPTION_TEXT, AT(labelled.missing), "error|propagate|zero|fit",
     "for these: what to do about missing values; default: error", 0, 0},
    {.name = NULL},
};

static void defaults(void *self)
{
    arguments *a = self;
    a->analysis = analysis_defaults();
}

/* Options that maps in FITS have, and that labelled arrays have not. */
static int check_labelled(const arguments *a)
{
    const struct {
        const char *name;
        int is_given;
    } others[] = {{"a second map", a->base.nfiles > 1},
                  {"--pol", a->base.pol},
                  {"--json", a->base.json},
                  {"--float", a->base.single},
                  {"--device cuda", a->base.device},
                  {"--mask", a->analysis.mask != NULL},
                  {"--field", a->analysis.field != NULL},
                  {"--hdu", a->analysis.hdu != NULL},
                  {"--remove-monopole", a->remove_monopole},
                  {"--remove-dipole", a->remove_dipole},
                  {"--decouple", a->decoupling.is_wanted},
                  {"--bands", a->decoupling.bands != NULL},
                  {"--dl", a->decoupling.dl},
                  {"--errors", a->decoupling.errors},
                  {"--covariance", a->decoupling.covariance != NULL},
                  {"--cl", a->decoupling.cl != NULL},
                  {"--regression", a->regression > 0}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].is_given)
            return usage_error("%s: works only with maps in FITS, and \"%s\" is not one; omit it",
                               others[i].name, a->base.files[0]);
    if (!a->base.output) return usage_error("the output is missing: -o FILE");
    return labelled_check(&a->labelled);
}

/* Options that only these have. */
static int check_fits(const arguments *a)
{
    const labelled_arguments *l = &a->labelled;
    const char *name = l->var ? "--var" : l->kind ? "--kind" : l->grid ? "--grid" : "--missing";
    if (!l->var && !l->kind && !l->grid && !l->missing) return CLI_OK;
    return usage_error("%s: applies only to NetCDF, Zarr and GRIB, whose names end in .nc, .zarr "
                       "or .grib, unlike \"%s\"",
                       name, a->base.files[0]);
}

static int check(void *self)
{
    arguments *a = self;
    if (labelled_is(a->base.files[0])) return check_labelled(a);
    if (check_fits(a) != CLI_OK || decouple_check(&a->decoupling) != CLI_OK) return CLI_USAGE;
    if (a->decoupling.cl && a->base.nfiles > 1)
        return usage_error("--cl: applies only to one map; errors of two maps are computed from "
                           "their own spectra");
    const named_path cl = {"--cl", a->decoupling.cl};
    if (cl.path && paths_check_input(&cl) != CLI_OK) return CLI_USAGE;
    if (a->regression > 0) a->remove_monopole = 1;
    if (a->regression > 1) a->remove_dipole = 1;
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}, {"", a->base.files[1]}, {"--mask", a->analysis.mask}},
        .outputs = {{"-o", a->base.output}, {"--covariance", a->decoupling.covariance}},
        .format = PATH_SPECTRA,
        .overwrite = a->base.overwrite,
        .is_optional = a->base.json,
    };
    return paths_check(&paths);
}

/* Reads a map and makes it ready for the transform. */
static int prepare(const arguments *a, const char *path, sky *map)
{
    const sky_request request = analysis_request(path, a->base.pol, a->base.single, &a->analysis);
    int code = sky_read(&request, map);
    if (code == CLI_OK && (a->remove_monopole || a->remove_dipole))
        code = sky_remove_multipoles(map, a->remove_dipole);
    if (code == CLI_OK) sky_weight(map);
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

/* Names and unit; of several fields only a unit that all of them have. */
static void label(const sky *maps, int64_t nmaps, armilla_cl_file *cl)
{
    char unit[2 * ARMILLA_IO_NAME_SIZE];
    const armilla_field *first = maps[0].map->fields, *second = maps[nmaps - 1].map->fields;
    product_unit(first->unit, second->unit, unit);
    for (int64_t i = 1; i < maps[0].nfields; i++)
        if (strcmp(first[i].unit, first->unit) != 0 || strcmp(second[i].unit, second->unit) != 0)
            unit[0] = '\0';
    snprintf(cl->unit, sizeof cl->unit, "%.*s", ARMILLA_IO_NAME_SIZE - 1, unit);
    if (cl->nspectra == 1 && maps[0].column > 0 && *first->name)
        snprintf(cl->names[0], sizeof *cl->names, "%s", first->name);
}

static void report_columns(const char *name, int64_t first, int64_t end, const armilla_cl_file *cl)
{
    report_open(name, '{');
    for (int64_t i = first; i < end; i++)
        report_reals(spectra_canonical(cl->names[i]), cl->lmax + 1, cl->cl + i * (cl->lmax + 1));
    report_close();
}

/* Powers and their errors by the names of the spectra. */
static void report_decoupled(const decoupled *made)
{
    const armilla_cl_file *powers = made->powers;
    const int64_t nbands = powers->lmax + 1;
    report_columns("bands", 0, DECOUPLE_EDGES, powers);
    report_columns("powers", DECOUPLE_EDGES, DECOUPLE_EDGES + made->nspectra, powers);
    if (powers->nspectra == DECOUPLE_EDGES + made->nspectra) return;
    report_open("errors", '{');
    for (int64_t i = DECOUPLE_EDGES; i < DECOUPLE_EDGES + made->nspectra; i++)
        report_reals(spectra_canonical(powers->names[i]), nbands,
                     powers->cl + (i + made->nspectra) * nbands);
    report_close();
}

/* made: in place of cl's spectra, where it has any. */
static void report(const sky *map, const armilla_cl_file *cl, const decoupled *made)
{
    pixel_grid_report(&map->share.on);
    sky_report_missing(map);
    report_integer("lmax", cl->lmax);
    report_text("unit", cl->unit);
    if (made->powers)
        report_decoupled(made);
    else
        report_columns("spectra", 0, cl->nspectra, cl);
}

static int write_powers(const arguments *a, const armilla_cl_file *powers)
{
    const char *text = a->decoupling.dl ? "mean l (l + 1) / (2 pi) C_l of bands, without the mask"
                                        : "mean C_l of bands, without the mask";
    return spectra_write_bands(a->base.output, powers, text, a->base.overwrite);
}

static int write_covariance(const arguments *a, const armilla_cl_file *covariance)
{
    const char *path = a->decoupling.covariance;
    const int64_t most = 999; /* columns of FITS */
    if (covariance->nspectra > most && !path_is_text(path))
        return work_error(
            "--covariance \"%s\": a table of FITS has at most %lld columns, and there "
            "are %lld powers; write text (.txt)",
            path, (long long)most, (long long)covariance->nspectra);
    return spectra_write_bands(path, covariance, "covariance of powers of bands, 1 is the first",
                               a->base.overwrite);
}

static int write_files(const arguments *a, const armilla_cl_file *cl, const decoupled *made)
{
    int code = CLI_OK;
    if (a->base.output)
        code = made->powers ? write_powers(a, made->powers)
                            : spectra_write(a->base.output, cl, a->base.overwrite);
    if (code == CLI_OK && made->covariance) code = write_covariance(a, made->covariance);
    return code;
}

static void note_decoupled(const arguments *a, const sky *maps, const decoupled *made)
{
    if (a->base.output)
        note("wrote %s: powers of %lld bands%s without the mask, %s of %lld pixels left out",
             a->base.output, (long long)made->powers->lmax + 1,
             made->nspectra > 1 ? " of TT, EE, BB, TE, TB, EB" : "", sky_missing_text(&maps[0]),
             (long long)maps[0].all);
    if (made->covariance)
        note("wrote %s: covariance of %lld powers", a->decoupling.covariance,
             (long long)made->covariance->nspectra);
}

static int write_cl(const arguments *a, const sky *maps, const armilla_cl_file *cl,
                    const decoupled *made)
{
    if (progress_stopped()) return CLI_FAILED;
    const int code = ranks_agree(ranks_is_first() ? write_files(a, cl, made) : CLI_OK);
    if (code != CLI_OK) return code;
    report(maps, cl, made);
    if (made->powers)
        note_decoupled(a, maps, made);
    else if (a->base.output)
        note("wrote %s: C_l%s for l = 0 to %lld, %s of %lld pixels left out", a->base.output,
             cl->nspectra > 1 ? " (TT, EE, BB, TE, TB, EB)" : "", (long long)cl->lmax,
             sky_missing_text(&maps[0]), (long long)maps[0].all);
    return code;
}

/* XY: X of the first map, Y of the second. */
static int correlate(const transform *sht, const double *first, const double *second,
                     armilla_cl_file *cl)
{
    int code = CLI_OK;
    for (int64_t i = 0; i < cl->nspectra && code == CLI_OK; i++) {
        const int *fields = spectra_fields[i];
        code =
            transform_spectrum(sht, first + 2 * fields[0] * sht->alm_size,
                               second + 2 * fields[1] * sht->alm_size, cl->cl + i * (cl->lmax + 1));
    }
    return code;
}

static int compute(const arguments *a, const transform *sht, const sky *maps, armilla_cl_file *cl,
                   decoupled *made)
{
    double *alm[2] = {NULL, NULL};
    int64_t nmaps = a->base.nfiles;
    int code = CLI_OK;
    for (int64_t i = 0; i < nmaps && code == CLI_OK; i++) {
        progress_stage("analysis", (double)i / (double)nmaps, (double)(i + 1) / (double)nmaps);
        code = analyze(a, sht, &maps[i], &alm[i]);
    }
    if (code == CLI_OK && a->decoupling.is_wanted)
        code = decouple(&a->decoupling, &a->analysis, &a->base, sht, maps, nmaps, alm, made);
    else if (code == CLI_OK)
        code = correlate(sht, alm[0], alm[nmaps - 1], cl);
    free(alm[1]);
    free(alm[0]);
    return code;
}

static int make_spectra(const arguments *a, const sky *maps)
{
    transform sht = {.grid = NULL};
    armilla_cl_file *cl = NULL;
    decoupled made = {.powers = NULL};
    int64_t lmax = a->analysis.lmax, nfields = maps[0].nfields;
    int code = transform_new(&maps[0].share, lmax, lmax, nfields, 0, &a->base, &sht);
    if (code != CLI_OK) return code;
    armilla_status status = armilla_cl_file_new(lmax, nfields > 1 ? SPECTRA_MAX : 1, &cl);
    code = ranks_agree(status ? data_error(status, NULL) : CLI_OK);
    if (code == CLI_OK) code = compute(a, &sht, maps, cl, &made);
    if (code == CLI_OK) {
        transform_note_lmax(&sht, &a->analysis);
        label(maps, a->base.nfiles, cl);
        if (made.powers) snprintf(made.powers->unit, sizeof made.powers->unit, "%s", cl->unit);
        code = write_cl(a, maps, cl, &made);
    }
    decoupled_free(&made);
    armilla_cl_file_free(cl);
    transform_free(&sht);
    return code;
}

static int work_labelled(const arguments *a)
{
    labelled_arguments given = a->labelled;
    given.lmax = a->analysis.lmax;
    given.iterations = a->analysis.iterations;
    return labelled_run("spectrum", &a->base, a->base.output, &given);
}

static int work(void *self)
{
    arguments *a = self;
    if (labelled_is(a->base.files[0])) return work_labelled(a);
    sky maps[2] = {{.map = NULL}, {.map = NULL}};
    int code = CLI_OK;
    for (int64_t i = 0; i < a->base.nfiles && code == CLI_OK; i++)
        code = prepare(a, a->base.files[i], &maps[i]);
    if (code == CLI_OK && a->base.nfiles == 2)
        code = sky_check_same("", maps[1].path, maps[1].map, maps[0].path, maps[0].map);
    if (code == CLI_OK) code = analysis_check(&a->analysis, &maps[0].share.on);
    if (code == CLI_OK) code = make_spectra(a, maps);
    sky_free(&maps[1]);
    sky_free(&maps[0]);
    return code;
}

const command spectrum_command = {
    .name = "spectrum",
    .summary = "compute the power spectrum of a map, or the cross spectrum of two",
    .usage = "spectrum MAP [MAP2] (-o cl.fits | --json) [options]",
    .text =
        "Computes C_l as HEALPix' anafast does. Missing and masked pixels are left out of the fit "
        "of\n"
        "monopole and dipole, then count as 0. C_l is the spectrum of the masked map: it is not\n"
        "divided by the fraction of the sky. Text is written if the output ends in .txt or .dat, "
        "or\n"
        "is -, standard output. With --pol the spectra are TT, EE, BB, TE, TB and EB of maps of I, "
        "Q\n"
        "and U; the mask is applied to all three, and monopole and dipole are removed from I. For "
        "two\n"
        "maps, TE is T of the first with E of the second.\n"
        "\n"
        "With --decouple the result is powers in bands of degrees, corrected for the mask and for\n"
        "missing pixels. A row has the first, the last and the mean degree of a band, then its\n"
        "powers. They are exact for any mask; EE and BB mix in noise, not in the mean. --errors "
        "adds\n"
        "a column of standard deviations for each spectrum, --covariance FILE writes a matrix with "
        "a\n"
        "row and a column for each spectrum and band, TT_1, TT_2, ... Both are Gaussian, in the\n"
        "narrow-kernel approximation, from the power of signal and noise in the maps; --cl names "
        "a\n"
        "file of spectra of signal and noise to use instead. The first band is the least "
        "accurate.\n"
        "\n"
        "Files of NetCDF, Zarr and GRIB (names in .nc, .zarr, .grib) are read by the Python "
        "package\n"
        "(" LABELLED_INSTALL "). Each field has a spectrum: the mean square\n"
        "of each degree, or with --kind ke the kinetic energy with its rotational and divergent\n"
        "parts. The grid follows from the labels; spectral fields of GRIB need none. The output "
        "is\n"
        "text, or ends in .nc or .zarr. --lmax cuts degrees; the default is all that the grid "
        "holds.\n"
        "--iter is auto by default, which is 0 where the grid has an exact rule.",
    .example = "armilla spectrum map.fits -o cl.txt --mask mask.fits --remove-monopole",
    .report =
        "nside (of HEALPix), grid (its name), missing (the number of pixels left out, for each\n"
        "field), lmax, unit, spectra (an object: TT or all six, arrays of C_l from l = 0 on; with\n"
        "--decouple there are bands, powers and, with --errors, errors instead: objects of arrays\n"
        "with a number for each band); -o may then be omitted",
    .min_files = 1,
    .max_files = 2,
    .file_missing = "the MAP is missing",
    .in_floats = 1,
    .over_ranks = 1,
    .tables = {analysis_rows, table, work_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

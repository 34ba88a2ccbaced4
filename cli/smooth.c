/* armilla smooth: convolution of a map with a beam, in harmonic space, as HEALPix' smoothing does:
 * analysis, a_lm b_l, synthesis. */
#include "beam.h"
#include "commands.h"
#include "message.h"
#include "paths.h"
#include "progress.h"
#include "sky.h"
#include "transform.h"

#include <stdlib.h>

typedef struct arguments {
    common base; /* these two first: see analysis_rows */
    analysis_options analysis;
    const char *beam;
    double fwhm;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"fwhm", OPTION_ANGLE, AT(fwhm), "ANGLE", "full width at half maximum of a Gaussian beam", 0,
     0},
    {"fwhm_arcmin", OPTION_ARCMIN, AT(fwhm), "NUMBER", NULL, 0, 0},
    {"beam", OPTION_TEXT, AT(beam), "FILE", "instead: window b_l, FITS or text (columns l, b_l)", 0,
     0},
    {"beam_file", OPTION_TEXT, AT(beam), "FILE", NULL, 0, 0},
    {.name = NULL},
};

static void defaults(void *self)
{
    arguments *a = self;
    a->analysis = analysis_defaults();
    a->fwhm = -1;
}

static int check(void *self)
{
    const arguments *a = self;
    if (a->fwhm < 0 && !a->beam)
        return usage_error(
            "the beam is missing: --fwhm ANGLE, such as --fwhm 1deg, or --beam FILE");
    if (a->fwhm >= 0 && a->beam) return usage_error("--fwhm and --beam: give only one of them");
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}, {"--mask", a->analysis.mask}, {"--beam", a->beam}},
        .outputs = {{"-o", a->base.output}},
        .overwrite = a->base.overwrite,
    };
    return paths_check(&paths);
}

static int write_map(const arguments *a, sky *map)
{
    for (int64_t i = 0; i < map->nfields; i++) {
        armilla_field *field = &map->map->fields[i];
        if (field->type != ARMILLA_IO_DOUBLE) field->type = ARMILLA_IO_FLOAT;
    }
    map->map->order = ARMILLA_IO_RING;
    map->map->iau = 0;
    sky_mark_missing(map);
    if (progress_stopped()) return CLI_FAILED;
    armilla_status status = armilla_map_write(a->base.output, map->map, a->base.overwrite);
    if (status) return data_error(status, a->base.output);
    note("wrote %s: %snside %lld, lmax %lld, beam %s, %s pixels missing", a->base.output,
         map->nfields > 1 ? "I, Q and U, " : "", (long long)map->nside, (long long)a->analysis.lmax,
         a->beam ? a->beam : beam_text(a->fwhm), sky_missing_text(map));
    return CLI_OK;
}

static int convolve(const arguments *a, const transform *sht, const double *windows, sky *map)
{
    double *alm = transform_alm(sht);
    if (!alm) return CLI_FAILED;
    int64_t iterations = a->analysis.iterations < 0 ? 3 : a->analysis.iterations;
    double share = (double)(2 * iterations + 1) / (double)(2 * iterations + 2);
    progress_stage("analysis", 0, share);
    int code = transform_analysis(sht, &a->analysis, map->values, alm);
    if (code == CLI_OK) code = beam_apply(windows, sht->lmax, sht->mmax, sht->ncomp, alm);
    progress_stage("synthesis", share, 1);
    if (code == CLI_OK) code = transform_synthesis(sht, alm, map->values);
    free(alm);
    return code;
}

static int work(void *self)
{
    arguments *a = self;
    sky map = {.map = NULL};
    transform sht = {.grid = NULL};
    double *windows = NULL;
    int code = sky_read(a->base.files[0], a->analysis.field, a->base.pol, a->analysis.mask, &map);
    if (code == CLI_OK) code = analysis_check(&a->analysis, map.nside);
    int64_t lmax = a->analysis.lmax;
    if (code == CLI_OK) code = beam_windows(a->fwhm, a->beam, lmax, map.nfields, &windows);
    if (code == CLI_OK)
        code = transform_new(map.nside, lmax, lmax, map.nfields, 0, a->base.threads, &sht);
    if (code == CLI_OK) {
        sky_weight(&map);
        code = convolve(a, &sht, windows, &map);
    }
    if (code == CLI_OK) transform_note_lmax(&sht, &a->analysis);
    if (code == CLI_OK) code = write_map(a, &map);
    free(windows);
    transform_free(&sht);
    sky_free(&map);
    return code;
}

const command smooth_command = {
    .name = "smooth",
    .summary = "smooth a map with a beam",
    .usage = "smooth MAP -o out.fits (--fwhm ANGLE | --beam FILE) [options]",
    .text =
        "Multiplies the map's coefficients by the window of the beam. Missing and masked\n"
        "pixels count as 0 and are missing in the result. One field is smoothed, or with --pol\n"
        "I, Q and U (E and B by the beam's window of spin 2; of a FILE by its columns 2 and 3,\n"
        "if it has them); names, units and coordinates are kept.",
    .example = "armilla smooth map.fits -o smooth.fits --fwhm 30arcmin",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the MAP is missing",
    .tables = {table, analysis_rows, work_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

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
    common base;
    analysis_options analysis;
    const char *mask, *beam;
    int64_t field;
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
    {"lmax", OPTION_INTEGER, AT(analysis.lmax), "L", "default: 3 nside - 1", 0, MAX_DEGREE},
    {"nlmax", OPTION_INTEGER, AT(analysis.lmax), "L", NULL, 0, MAX_DEGREE},
    {"iter", OPTION_INTEGER, AT(analysis.iterations), "N", "HEALPix' iterations; default 3", 0,
     1000},
    {"iter_order", OPTION_INTEGER, AT(analysis.iterations), "N", NULL, 0, 1000},
    {"mask", OPTION_TEXT, AT(mask), "FILE", "multiply by this map; 0 leaves a pixel out", 0, 0},
    {"maskfile", OPTION_TEXT, AT(mask), "FILE", NULL, 0, 0},
    {"field", OPTION_INTEGER, AT(field), "N", "column of the map, from 0; default 0", 0, 9999},
    {.name = NULL},
};

static int write_map(const arguments *a, sky *map)
{
    armilla_field *field = map->map->fields;
    if (field->type != ARMILLA_IO_DOUBLE) field->type = ARMILLA_IO_FLOAT;
    map->map->order = ARMILLA_IO_RING;
    map->map->iau = 0;
    sky_mark_missing(map);
    if (progress_stopped()) return CLI_FAILED;
    armilla_status status = armilla_map_write(a->base.output, map->map, a->base.overwrite);
    if (status) return data_error(status, a->base.output);
    note("wrote %s: nside %lld, lmax %lld, beam %s, %lld pixels missing", a->base.output,
         (long long)map->nside, (long long)a->analysis.lmax, a->beam ? a->beam : beam_text(a->fwhm),
         (long long)map->nmissing);
    return CLI_OK;
}

static int convolve(const arguments *a, const transform *sht, const double *window, sky *map)
{
    double *alm = transform_alm(sht);
    if (!alm) return CLI_FAILED;
    int64_t iterations = a->analysis.iterations < 0 ? 3 : a->analysis.iterations;
    double share = (double)(2 * iterations + 1) / (double)(2 * iterations + 2);
    progress_stage("analysis", 0, share);
    int code = transform_analysis(sht, &a->analysis, map->values, alm);
    if (code == CLI_OK) {
        armilla_status status =
            armilla_alm_multiply_window(sht->lmax, sht->mmax, sht->lmax + 1, window, alm);
        if (status) code = data_error(status, NULL);
    }
    progress_stage("synthesis", share, 1);
    if (code == CLI_OK) code = transform_synthesis(sht, alm, map->values);
    free(alm);
    return code;
}

static int work(arguments *a, sky *map)
{
    transform sht = {.grid = NULL};
    double *window = NULL;
    int code = analysis_check(&a->analysis, map->nside);
    if (code == CLI_OK) code = beam_window(a->fwhm, a->beam, a->analysis.lmax, &window);
    if (code == CLI_OK) code = sky_read_mask(map, a->mask);
    if (code == CLI_OK) {
        int64_t lmax = a->analysis.lmax;
        sky_weight(map);
        code = transform_new(map->nside, lmax, lmax, 0, a->base.threads, &sht);
    }
    if (code == CLI_OK) code = convolve(a, &sht, window, map);
    if (code == CLI_OK) transform_note_lmax(&sht, &a->analysis);
    if (code == CLI_OK) code = write_map(a, map);
    transform_free(&sht);
    free(window);
    return code;
}

static int check(const arguments *a)
{
    if (a->fwhm < 0 && !a->beam)
        return usage_error(
            "the beam is missing: --fwhm ANGLE, such as --fwhm 1deg, or --beam FILE");
    if (a->fwhm >= 0 && a->beam) return usage_error("--fwhm and --beam: give only one of them");
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}, {"--mask", a->mask}, {"--beam", a->beam}},
        .outputs = {{"-o", a->base.output}},
        .overwrite = a->base.overwrite,
    };
    return paths_check(&paths);
}

static int run(const command *self, int argc, char **argv)
{
    arguments a = {.analysis = analysis_defaults(), .fwhm = -1};
    sky map = {.map = NULL};
    int code = options_parse(self, argc, argv, &a);
    if (code == CLI_OK) code = check(&a);
    if (code != CLI_OK) return code;
    message_setup(self->name, a.base.quiet);
    progress_setup(a.base.quiet);
    code = sky_read(a.base.files[0], a.field, &map);
    if (code != CLI_OK) return code;
    code = work(&a, &map);
    sky_free(&map);
    return code;
}

const command smooth_command = {
    .name = "smooth",
    .summary = "smooth a map with a beam",
    .usage = "smooth MAP -o out.fits (--fwhm ANGLE | --beam FILE) [options]",
    .text = "Multiplies the map's coefficients by the window of the beam. Missing and masked\n"
            "pixels count as 0 and are missing in the result. One field is smoothed; its name,\n"
            "unit and coordinates are kept.",
    .example = "armilla smooth map.fits -o smooth.fits --fwhm 30arcmin",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the MAP is missing",
    .tables = {table, work_options},
    .run = run,
};

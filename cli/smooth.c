/* armilla smooth: convolution of a map with a beam, in harmonic space, as HEALPix' smoothing does:
 * analysis, a_lm b_l, synthesis; or pixel by pixel (smoothing.h). */
#include "beam.h"
#include "commands.h"
#include "message.h"
#include "paths.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "sky.h"
#include "smoothing.h"
#include "transform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    common base; /* these two first: see analysis_rows */
    analysis_options analysis;
    const char *beam, *method;
    double fwhm;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"fwhm", OPTION_ANGLE, AT(fwhm), "ANGLE", "full width at half maximum of a Gaussian beam", 0,
     0},
    {"fwhm_arcmin", OPTION_ARCMIN, AT(fwhm), "NUMBER", NULL, 0, 0},
    {"beam", OPTION_INPUT, AT(beam), "FILE",
     "instead of --fwhm: window b_l, FITS or text (columns l, b_l)", 0, 0},
    {"beam_file", OPTION_INPUT, AT(beam), "FILE", NULL, 0, 0},
    {"method", OPTION_TEXT, AT(method), "harmonic|radial|auto",
     "harmonic (default); radial: pixel by pixel, without ringing; auto: the faster one", 0, 0},
    {"ring-weights", OPTION_FLAG, AT(analysis.ring_weights), "",
     "use ring weights for integrals over the map, exact up to l = 2 nside", 0, 0},
    {.name = NULL},
};

static void defaults(void *self)
{
    arguments *a = self;
    a->analysis = analysis_defaults();
    a->fwhm = -1;
    a->method = "harmonic";
}

static smoothing smoothing_of(const arguments *a, const pixel_share *pixels)
{
    return (smoothing){.method = a->method,
                       .fwhm = a->fwhm,
                       .pixels = pixels,
                       .lmax = a->analysis.lmax,
                       .nfields = a->base.pol ? 3 : 1,
                       .iterations = a->analysis.iterations,
                       .ring_weights = a->analysis.ring_weights,
                       .threads = a->base.threads,
                       .device = (armilla_device)a->base.device,
                       .devices = a->base.devices};
}

static int check(void *self)
{
    const arguments *a = self;
    if (a->fwhm < 0 && !a->beam)
        return usage_error(
            "the beam is missing: --fwhm ANGLE, such as --fwhm 1deg, or --beam FILE");
    if (a->fwhm >= 0 && a->beam) return usage_error("--fwhm and --beam: give only one of them");
    const smoothing way = smoothing_of(a, NULL);
    if (smoothing_check(&way) != CLI_OK) return CLI_USAGE;
    if (a->base.device != ARMILLA_CPU && strcmp(a->method, "auto") == 0)
        return usage_error("--method auto: its model of the cost is for the CPU; with --device "
                           "cuda name the method");
    if (a->base.single && strcmp(a->method, "harmonic") != 0)
        return usage_error("--method %s: may work in double precision; omit --float", a->method);
    if (ranks_transport() && strcmp(a->method, "auto") == 0)
        return usage_error(
            "--method auto: its model of the cost is for one process; name the method");
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}, {"--mask", a->analysis.mask}, {"--beam", a->beam}},
        .outputs = {{"-o", a->base.output}},
        .overwrite = a->base.overwrite,
    };
    return paths_check(&paths);
}

/* lmax -1: there was no band limit. */
static int write_map(const arguments *a, int64_t lmax, sky *map)
{
    int code = sky_write(map, a->base.output, a->base.overwrite);
    if (code != CLI_OK) return code;
    char limit[40] = "";
    if (lmax >= 0) snprintf(limit, sizeof limit, "lmax %lld, ", (long long)lmax);
    report_integer("fields", map->nfields);
    pixel_grid_report(&map->share.on);
    if (lmax >= 0) report_integer("lmax", lmax);
    report_real("fwhm", a->fwhm < 0 ? (double)NAN : a->fwhm);
    report_text("beam", a->beam);
    sky_report_missing(map);
    note("wrote %s: %s%s, %sbeam %s, %s pixels missing", a->base.output,
         map->nfields > 1 ? "I, Q and U, " : "", map->share.on.text, limit,
         a->beam ? a->beam : beam_text(a->fwhm), sky_missing_text(map));
    return CLI_OK;
}

static int convolve(const arguments *a, const transform *sht, const double *windows, sky *map)
{
    double *alm = transform_alm(sht);
    if (!alm) return CLI_FAILED;
    const int64_t iterations = transform_steps(a->analysis.iterations);
    double share = (double)(2 * iterations + 1) / (double)(2 * iterations + 2);
    progress_stage("analysis", 0, share);
    int code = transform_analysis(sht, &a->analysis, map->values, alm);
    if (code == CLI_OK) code = transform_apply_windows(sht, windows, alm);
    progress_stage("synthesis", share, 1);
    if (code == CLI_OK) code = transform_synthesis(sht, alm, map->values);
    free(alm);
    return code;
}

static int smooth_harmonic(arguments *a, sky *map)
{
    transform sht = {.grid = NULL};
    double *windows = NULL;
    int code = analysis_check(&a->analysis, &map->share.on);
    int64_t lmax = a->analysis.lmax;
    if (code == CLI_OK)
        code = ranks_agree(beam_windows(a->fwhm, a->beam, lmax, map->nfields, &windows));
    if (code == CLI_OK)
        code = transform_new(&map->share, lmax, lmax, map->nfields, a->analysis.ring_weights,
                             &a->base, &sht);
    if (code == CLI_OK) {
        sky_weight(map);
        code = convolve(a, &sht, windows, map);
    }
    if (code == CLI_OK) transform_note_lmax(&sht, &a->analysis);
    if (code == CLI_OK) code = write_map(a, lmax, map);
    free(windows);
    transform_free(&sht);
    return code;
}

static int smooth_radial(const arguments *a, const radial *plan, sky *map)
{
    sky_weight(map);
    int code = radial_apply(plan, 0, map->values, NULL, 0);
    if (code == CLI_OK && a->base.pol) code = radial_apply(plan, 1, map->values + 1, NULL, 0);
    return code == CLI_OK ? write_map(a, -1, map) : code;
}

static int work(void *self)
{
    arguments *a = self;
    sky map = {.map = NULL};
    radial plan = {.grid = NULL};
    const sky_request request =
        analysis_request(a->base.files[0], a->base.pol, a->base.single, &a->analysis);
    int code = sky_read(&request, &map);
    const smoothing way = smoothing_of(a, &map.share);
    if (code == CLI_OK) code = smoothing_choose(&way, &plan);
    if (code == CLI_OK)
        code = plan.is_made ? smooth_radial(a, &plan, &map) : smooth_harmonic(a, &map);
    radial_free(&plan);
    sky_free(&map);
    return code;
}

const command smooth_command = {
    .name = "smooth",
    .summary = "smooth a map with a beam",
    .usage = "smooth MAP -o out.fits (--fwhm ANGLE | --beam FILE) [options]",
    .text = "Multiplies the map's coefficients by the window of the beam, or with --method radial "
            "sums\n"
            "the Gaussian over the pixels around each pixel. Missing and masked pixels count as 0 "
            "and are\n"
            "missing in the result. One field is smoothed, or with --pol I, Q and U: E and B are\n"
            "multiplied by the beam's window of spin 2, or by columns 2 and 3 of a FILE that has "
            "them.\n"
            "Names, units and coordinates are kept.",
    .example = "armilla smooth map.fits -o smooth.fits --fwhm 30arcmin",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the MAP is missing",
    .report =
        "fields (1, or 3: I, Q, U), nside (of HEALPix), grid (its name), lmax (with --method\n"
        "harmonic), fwhm (radians, or null), beam (the file, or null), missing (the number of\n"
        "pixels, for each field)",
    .in_floats = 1,
    .over_ranks = 1,
    .tables = {table, analysis_rows, work_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

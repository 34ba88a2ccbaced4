/* armilla observe: samples of a sky that is seen through a beam of any shape, at any pointings. */
#include "coefficients.h"
#include "commands.h"
#include "message.h"
#include "observe_beam.h"
#include "paths.h"
#include "points.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "transform_ranks.h"

#include <armilla/armilla.h>
#include <stdlib.h>

static const double ANALYSIS_SHARE = 0.8; /* of the progress, for a map */

typedef struct arguments {
    common base; /* these two first: see analysis_rows */
    analysis_options analysis;
    const char *points;
    beam_options beam;
    double epsilon;
    int lonlat;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"points", OPTION_INPUT, AT(points), "FILE",
     "text file with theta, phi and psi in radians, one pointing per line", 0, 0},
    {"lonlat", OPTION_FLAG, AT(lonlat), "", "FILE holds longitude, latitude and psi in degrees", 0,
     0},
    {"beam", OPTION_INPUT, AT(beam.path), "FILE",
     "FITS file with the coefficients b_lk of the beam, T or T, E, B; its mmax is kmax", 0, 0},
    {"fwhm", OPTION_ANGLE, AT(beam.fwhm), "ANGLE",
     "instead of --beam: a Gaussian of this full width at half maximum", 0, 0},
    {"fwhm-max", OPTION_ANGLE, AT(beam.fwhm_max), "ANGLE",
     "make the Gaussian an ellipse: the width of its long axis", 0, 0},
    {"psi", OPTION_TEXT, AT(beam.psi_text), "ANGLE",
     "angle of the long axis in the beam's frame, from x to y; default 0deg", 0, 0},
    {"polarisation", OPTION_TEXT, AT(beam.polariser_text), "ANGLE",
     "angle of the polariser before a Gaussian beam, likewise; default 0deg", 0, 0},
    {"polarization", OPTION_TEXT, AT(beam.polariser_text), "ANGLE", NULL, 0, 0},
    {"kmax", OPTION_INTEGER, AT(beam.kmax), "K",
     "largest order of the beam; default: that of FILE, or for an ellipse what --epsilon requires",
     0, MAX_DEGREE},
    {"intensity", OPTION_FLAG, AT(beam.intensity), "", "the detector measures T only", 0, 0},
    {"epsilon", OPTION_TOLERANCE, AT(epsilon), "E",
     "accuracy of interpolation, 1e-13 to 0.1; default 1e-7", 0, 0},
    {"tol", OPTION_TOLERANCE, AT(analysis.tolerance), "T",
     "for a map, instead of --iter: least squares (LSMR) to tolerance T", 0, 0},
    {"threads", OPTION_INTEGER, AT(base.threads), "N",
     "use N threads; 0 (default): ARMILLA_NUM_THREADS, OMP_NUM_THREADS, or all", 0, 4096},
    {.name = NULL},
};

static void defaults(void *self)
{
    arguments *a = self;
    a->analysis = analysis_defaults();
    a->beam = beam_options_defaults();
    a->epsilon = POINTS_EPSILON;
}

static int check(void *self)
{
    arguments *a = self;
    if (!a->points) return usage_error("--points FILE is missing: name the file of pointings");
    const path_list paths = {
        .inputs = {{"", a->base.files[0]},
                   {"--points", a->points},
                   {"--beam", a->beam.path},
                   {"--mask", a->analysis.mask}},
        .outputs = {{"-o", a->base.output}},
        .format = PATH_TEXT,
        .overwrite = a->base.overwrite,
    };
    int code = beam_options_check(&a->beam);
    if (code == CLI_OK) code = points_check_epsilon(a->epsilon);
    if (code == CLI_OK) code = analysis_check(&a->analysis, NULL);
    return code == CLI_OK ? paths_check(&paths) : code;
}

/* --- Samples ---------------------------------------------------------------------------------- */

/* What the samples are made of. */
typedef struct observation {
    const transform *sht; /* which coefficients are here */
    const armilla_alm_file *alm;
    observed_beam beam;
    const columns *file;
    double *samples; /* [file->count] */
} observation;

static int write_samples(const arguments *a, const observation *made)
{
    const long long count = made->file->count, lmax = made->alm->lmax, mmax = made->alm->mmax;
    const long long kmax = made->beam.kmax, ncomp = made->beam.ncomp;
    const char *beam = a->beam.path ? message_shown(a->beam.path) : "a Gaussian";
    const int code = points_write(&a->base, made->file, a->lonlat, 1, made->samples,
                                  "samples of %s through %s, to %g",
                                  message_shown(a->base.files[0]), beam, a->epsilon);
    if (code != CLI_OK) return code;
    report_integer("pointings", count);
    report_integer("lmax", lmax);
    report_integer("mmax", mmax);
    report_integer("kmax", kmax);
    report_integer("components", ncomp);
    report_real("epsilon", a->epsilon);
    note("wrote %s: %lld pointing%s, lmax %lld, mmax %lld, kmax %lld, %s, epsilon %g",
         a->base.output, count, count == 1 ? "" : "s", lmax, mmax, kmax,
         ncomp == 1 ? "T" : "T, E and B", a->epsilon);
    return CLI_OK;
}

/* How pointings see the sky. */
typedef struct convolution {
    const arguments *a;
    const observation *of;
    const double *pointings;
} convolution;

/* The beam's first components of the sky: all, or T. */
static armilla_beams_options options_of(const arguments *a, const observation *of)
{
    armilla_beams_options options;
    armilla_beams_options_init(&options);
    options.components = of->beam.ncomp, options.epsilon = a->epsilon;
    options.nthreads = (int)a->base.threads;
    return options;
}

static armilla_status convolve_range(const void *context, const armilla_span *range,
                                     double *samples)
{
    const convolution *c = context;
    const observation *of = c->of;
    const armilla_beams_options options = options_of(c->a, of);
    const armilla_exec exec = points_exec(c->a->base.threads);
    armilla_distributed_beams *plan;
    armilla_status status = armilla_distributed_beams_new(
        ranks_transport(), of->sht->ranks->distribution, of->beam.kmax, range->count,
        c->pointings + 3 * range->begin, &options, NULL, &plan);
    if (status) return status;
    status = armilla_distributed_beams_convolve(plan, of->alm->alm, of->beam.blm, samples, &exec);
    armilla_distributed_beams_free(plan);
    return status;
}

static armilla_status convolve_alone(const arguments *a, const double *pointings,
                                     const observation *of)
{
    const armilla_alm_file *alm = of->alm;
    const armilla_beams_options options = options_of(a, of);
    const armilla_exec exec = points_exec(a->base.threads);
    armilla_beams *plan;
    armilla_status status = armilla_beams_new(alm->lmax, alm->mmax, of->beam.kmax, of->file->count,
                                              pointings, &options, &plan);
    if (status) return status;
    status = armilla_beams_convolve(plan, alm->alm, of->beam.blm, of->samples, &exec);
    armilla_beams_free(plan);
    return status;
}

static int convolve(const arguments *a, const double *pointings, const observation *of)
{
    const convolution over_ranks = {a, of, pointings};
    if (of->sht->ranks)
        return points_by_ranges(1, of->file->count, convolve_range, &over_ranks, of->samples);
    const armilla_status status = convolve_alone(a, pointings, of);
    return status ? data_error(status, NULL) : CLI_OK;
}

static int make_samples(const arguments *a, int of_map, observation *of)
{
    double *pointings = points_radians(of->file, a->lonlat);
    of->samples = malloc((size_t)of->file->count * sizeof(double) + 1);
    if (pointings && !of->samples) memory_error();
    int code = ranks_agree(pointings && of->samples ? CLI_OK : CLI_FAILED);
    if (code == CLI_OK && of->file->count) {
        progress_stage("observation", of_map ? ANALYSIS_SHARE : 0, 1);
        code = convolve(a, pointings, of);
    }
    free(pointings);
    return code;
}

static int check_sky(const arguments *a, const armilla_alm_file *alm)
{
    if (alm->ncomp == 1 || alm->ncomp == 3) return CLI_OK;
    return work_error("\"%s\": has %lld tables of coefficients; T, or T, E and B, are needed",
                      a->base.files[0], (long long)alm->ncomp);
}

static int observe(const arguments *a, const coefficients *seen, const columns *file)
{
    const armilla_alm_file *alm = &seen->alm;
    observation of = {.sht = &seen->sht, .alm = alm, .file = file};
    int code = check_sky(a, alm);
    if (code == CLI_OK)
        code =
            ranks_agree(observed_beam_make(&a->beam, alm->lmax, alm->ncomp, a->epsilon, &of.beam));
    if (code == CLI_OK) code = make_samples(a, seen->is_map, &of);
    if (code == CLI_OK) code = write_samples(a, &of);
    observed_beam_free(&of.beam);
    free(of.samples);
    return code;
}

static int work(void *self)
{
    const arguments *a = self;
    const char *path = a->base.files[0];
    coefficients seen = {.is_map = 0};
    columns file = points_file(a->points, 3, a->lonlat);
    int64_t spin = 0;
    int code = a->beam.intensity ? CLI_OK : coefficients_find_spin(path, &a->analysis, &spin);
    if (code == CLI_OK) code = columns_read(&file);
    code = ranks_agree(code);
    if (code == CLI_OK) code = ranks_check_alike(file.count, a->points, "number of rows");
    if (code == CLI_OK)
        code = coefficients_read(path, spin, &a->analysis, &a->base, ANALYSIS_SHARE, &seen);
    if (code == CLI_OK) code = observe(a, &seen, &file);
    free(file.rows);
    coefficients_free(&seen);
    return code;
}

const command observe_command = {
    .name = "observe",
    .summary = "observe a sky through a beam of any shape",
    .usage = "observe ALM|MAP --points FILE -o samples.txt (--beam FILE | --fwhm ANGLE) [options]",
    .text =
        "Turns a beam to each pointing listed in a text file, multiplies it by a sky, and "
        "integrates\n"
        "over the sphere. The beam looks along the z axis of its own frame. A pointing takes it "
        "to\n"
        "the direction (theta, phi) with its x axis to the south, turned by psi about its own "
        "axis\n"
        "from south to east. Each row of the output has a pointing as it was given, then the "
        "sample.\n"
        "The sky is T, or T, E and B, of a coefficient file, or a MAP, which is first analyzed as\n"
        "armilla analyze does: one column or, where Q and U follow it, I, Q and U. The beam is a "
        "FILE\n"
        "of coefficients, cut or padded with zeros to the sky's lmax, or a Gaussian, whose "
        "integral\n"
        "over the sphere is 1; with --fwhm-max it is an ellipse. A Gaussian measures T + Q cos 2 a "
        "+\n"
        "U sin 2 a with a = psi + --polarisation, or only T if the sky has no E and B. Without "
        "--kmax\n"
        "an ellipse uses all orders whose norm over l is at least --epsilon times that of order "
        "0.\n"
        "--epsilon is also the largest rms error, relative to the sum of the rms of all orders of "
        "the\n"
        "samples over the sphere.",
    .example = "armilla observe alm.fits --fwhm 30arcmin --fwhm-max 40arcmin --points scan.txt "
               "-o samples.txt",
    .report = "lsmr (for a map with --tol, as in analyze), pointings, lmax, mmax, kmax,\n"
              "components (1: T, 3: T, E, B), epsilon",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the file ALM of coefficients, or a MAP, is missing",
    .over_ranks = 1,
    .tables = {table, analysis_rows, output_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

/* armilla evaluate: values of a field at any directions. */
#include "coefficients.h"
#include "commands.h"
#include "message.h"
#include "paths.h"
#include "points.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"

#include <armilla/armilla.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 6 }; /* of a direction */

static const double ANALYSIS_SHARE = 0.8; /* of the progress, for a map */

typedef struct arguments {
    common base; /* these two first: see analysis_rows */
    analysis_options analysis;
    const char *points, *method;
    int64_t spin, derivatives;
    double epsilon;
    int lonlat;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"points", OPTION_INPUT, AT(points), "FILE",
     "text file with theta and phi in radians, one direction per line", 0, 0},
    {"lonlat", OPTION_FLAG, AT(lonlat), "", "FILE holds longitude and latitude in degrees", 0, 0},
    {"spin", OPTION_INTEGER, AT(spin), "S",
     "spin of the field that E and B make; default 0: the first table, T", 0, MAX_DEGREE},
    {"derivatives", OPTION_INTEGER, AT(derivatives), "D",
     "1: also the gradient; 2: also second derivatives (spin 0 only)", 0, 2},
    {"method", OPTION_TEXT, AT(method), "direct|interpolate|auto", "how to evaluate; default: auto",
     0, 0},
    {"epsilon", OPTION_TOLERANCE, AT(epsilon), "E",
     "accuracy of interpolation, 1e-13 to 0.1; default 1e-7", 0, 0},
    {"tol", OPTION_TOLERANCE, AT(analysis.tolerance), "T",
     "for a map, instead of --iter: least squares (LSMR) to tolerance T", 0, 0},
    {"device", OPTION_DEVICE, AT(base.device), "cpu|cuda",
     "where to interpolate and transform: cpu (default) or cuda, an NVIDIA GPU", 0, 0},
    {"devices", OPTION_DEVICES, AT(base.devices), "N,N,...", DEVICES_HELP, 0, 0},
    {"threads", OPTION_INTEGER, AT(base.threads), "N",
     "use N threads; 0 (default): ARMILLA_NUM_THREADS, OMP_NUM_THREADS, or all", 0, 4096},
    {.name = NULL},
};

static void defaults(void *self)
{
    arguments *a = self;
    a->analysis = analysis_defaults();
    a->epsilon = POINTS_EPSILON;
    a->method = "auto";
}

static int is_method(const arguments *a, const char *name)
{
    return strcmp(a->method, name) == 0;
}

static int check_method(const arguments *a)
{
    if (!is_method(a, "auto") && !is_method(a, "direct") && !is_method(a, "interpolate"))
        return usage_error("--method \"%s\": must be auto, direct or interpolate", a->method);
    if (a->derivatives && is_method(a, "interpolate"))
        return usage_error("--derivatives %lld: omit --method interpolate",
                           (long long)a->derivatives);
    if (a->derivatives > 1 && a->spin)
        return usage_error("--derivatives %lld: must be 0 or 1 with --spin %lld",
                           (long long)a->derivatives, (long long)a->spin);
    if (a->base.device != ARMILLA_CPU && (a->derivatives || is_method(a, "direct")))
        return usage_error("--device cuda: only interpolates values; %s needs sums on the CPU",
                           a->derivatives ? "--derivatives" : "--method direct");
    return points_check_epsilon(a->epsilon);
}

static int check(void *self)
{
    arguments *a = self;
    if (!a->points) return usage_error("--points FILE is missing: name the file of directions");
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}, {"--points", a->points}, {"--mask", a->analysis.mask}},
        .outputs = {{"-o", a->base.output}},
        .format = PATH_TEXT,
        .overwrite = a->base.overwrite,
    };
    int code = check_method(a);
    if (code == CLI_OK) code = analysis_check(&a->analysis, NULL);
    return code == CLI_OK ? paths_check(&paths) : code;
}

/* --- Values ----------------------------------------------------------------------------------- */

/* What is written: values[component][direction], and how they were made. */
typedef struct result {
    int64_t ncomp;
    int direct; /* sums of harmonics, else interpolated */
    double *values;
} result;

static armilla_points_options choose_options(const arguments *a)
{
    armilla_points_options options = points_options(a->spin, a->epsilon, &a->base);
    options.derivatives = a->derivatives;
    return options;
}

/* Says what the columns are. */
static const char *describe_columns(const arguments *a)
{
    if (a->derivatives == 2) return "f, D_t f, D_p f, D_tt f, D_tp f, D_pp f";
    if (a->derivatives) return a->spin ? "Q, U, D_t Q, D_t U, D_p Q, D_p U" : "f, D_t f, D_p f";
    return a->spin ? "two parts" : "values";
}

static int write_values(const arguments *a, const armilla_alm_file *alm, const columns *file,
                        const result *made)
{
    char accuracy[32] = "to rounding", how[64] = "direct sums, exact to rounding";
    if (!made->direct) {
        snprintf(accuracy, sizeof accuracy, "to %g", a->epsilon);
        snprintf(how, sizeof how, "interpolated, epsilon %g", a->epsilon);
    }
    const int code = points_write(&a->base, file, a->lonlat, made->ncomp, made->values,
                                  "%s of the field of spin %lld of %s, %s", describe_columns(a),
                                  (long long)a->spin, message_shown(a->base.files[0]), accuracy);
    if (code != CLI_OK) return code;
    report_integer("directions", file->count);
    report_integer("values", made->ncomp);
    report_integer("spin", a->spin);
    report_integer("lmax", alm->lmax);
    report_integer("mmax", alm->mmax);
    report_real("epsilon", made->direct ? 0 : a->epsilon);
    note("wrote %s: %lld direction%s, spin %lld, lmax %lld, mmax %lld, %s", a->base.output,
         (long long)file->count, file->count == 1 ? "" : "s", (long long)a->spin,
         (long long)alm->lmax, (long long)alm->mmax, how);
    return CLI_OK;
}

/* Is it faster to sum the harmonics? Or there is no other way. */
static int choose_method(const arguments *a, const armilla_alm_file *alm, int64_t count,
                         const double *points, int *direct)
{
    const armilla_points_options options = choose_options(a);
    armilla_status status = ARMILLA_OK;
    if (a->base.device == ARMILLA_CPU)
        status = armilla_points_few(alm->lmax, alm->mmax, count, points, &options, direct);
    const int code = ranks_agree(status ? data_error(status, NULL) : CLI_OK);
    if (a->derivatives || is_method(a, "direct")) *direct = 1;
    if (is_method(a, "interpolate")) *direct = 0;
    *direct = (int)ranks_from_first(*direct);
    return code;
}

/* Over ranks all coefficients go to the first, which sums. */
static int sum_harmonics(const arguments *a, const transform *sht, int64_t count,
                         const double *points, const double *from, double *values)
{
    const armilla_points_options options = choose_options(a);
    const armilla_exec exec = points_exec(a->base.threads);
    double *whole = NULL;
    armilla_status status = ARMILLA_OK;
    const int code = transform_gather(sht, a->spin ? 2 : 1, from, &whole);
    if (code == CLI_OK && ranks_is_first())
        status = armilla_points_evaluate(sht->lmax, sht->mmax, count, points, &options,
                                         whole ? whole : from, values, &exec);
    free(whole);
    return code == CLI_OK ? ranks_agree(status ? data_error(status, NULL) : CLI_OK) : code;
}

static int synthesize(const arguments *a, const coefficients *of, int64_t count,
                      const double *points, result *made)
{
    const armilla_points_options options = choose_options(a);
    /* E and B are the last two tables of T, E, B */
    const int64_t first = a->spin ? of->alm.ncomp - 2 : 0;
    const double *from = of->alm.alm + 2 * first * of->sht.alm_size;
    const int code = choose_method(a, &of->alm, count, points, &made->direct);
    if (code != CLI_OK) return code;
    progress_stage("evaluation", of->is_map ? ANALYSIS_SHARE : 0, 1);
    return made->direct ? sum_harmonics(a, &of->sht, count, points, from, made->values)
                        : points_interpolate(&of->sht, &options, count, points, from, made->values);
}

/* How many values a direction has. */
static int64_t count_values(const arguments *a)
{
    static const int64_t of_scalar[] = {1, 3, 6};
    return a->spin ? 2 + 4 * a->derivatives : of_scalar[a->derivatives];
}

static int evaluate(const arguments *a, const coefficients *of, const columns *file)
{
    result made = {.ncomp = count_values(a)};
    double *points = points_radians(file, a->lonlat);
    made.values = points ? malloc((size_t)file->count * MOST_VALUES * sizeof(double) + 1) : NULL;
    if (points && !made.values) memory_error();
    int code = ranks_agree(made.values ? CLI_OK : CLI_FAILED);
    if (code == CLI_OK) code = synthesize(a, of, file->count, points, &made);
    if (code == CLI_OK) code = write_values(a, &of->alm, file, &made);
    free(made.values);
    free(points);
    return code;
}

static int check_alm(const arguments *a, const armilla_alm_file *alm)
{
    if (a->spin && alm->ncomp < 2)
        return usage_error("--spin %lld: \"%s\" has one table of coefficients; E and B are needed",
                           (long long)a->spin, a->base.files[0]);
    if (a->spin > alm->lmax)
        return usage_error("--spin %lld: must not exceed lmax = %lld of \"%s\"", (long long)a->spin,
                           (long long)alm->lmax, a->base.files[0]);
    return CLI_OK;
}

static int work(void *self)
{
    const arguments *a = self;
    coefficients of;
    columns file = points_file(a->points, 2, a->lonlat);
    int code =
        coefficients_read(a->base.files[0], a->spin, &a->analysis, &a->base, ANALYSIS_SHARE, &of);
    if (code == CLI_OK) code = check_alm(a, &of.alm);
    if (code == CLI_OK) code = ranks_agree(columns_read(&file));
    if (code == CLI_OK) code = ranks_check_alike(file.count, a->points, "number of rows");
    if (code == CLI_OK) code = evaluate(a, &of, &file);
    free(file.rows);
    coefficients_free(&of);
    return code;
}

const command evaluate_command = {
    .name = "evaluate",
    .summary = "evaluate coefficients, or a map, at any directions",
    .usage = "evaluate ALM|MAP --points FILE -o values.txt [options]",
    .text =
        "Evaluates the field of a coefficient file at the directions listed in a text file. Uses "
        "the\n"
        "first table; with --spin S the last two (E and B), which make the two components of a "
        "field\n"
        "of that spin (2: Q and U) along the local theta and phi. Each row of the output has a\n"
        "direction as it was given, then the value or the two components. --derivatives adds the\n"
        "covariant derivatives along theta and phi. A few directions are evaluated one by one, "
        "exact\n"
        "to rounding, and many by interpolation; --method chooses one of the two. --epsilon is "
        "the\n"
        "largest rms error of interpolated values, relative to the field's rms over the sphere. A "
        "MAP\n"
        "is first analyzed as armilla analyze does: the field is the one with degrees up to "
        "--lmax\n"
        "that fits it. With --device cuda all values are interpolated, however few they are.",
    .example = "armilla evaluate alm.fits --points sources.txt --lonlat -o values.txt",
    .report = "lsmr (for a map with --tol, as in analyze), directions, values (for each "
              "direction), spin,\n"
              "lmax, mmax, epsilon (0: direct sums, exact to rounding)",
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

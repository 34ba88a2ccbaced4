/* armilla evaluate: values of a field at any directions. */
#include "columns.h"
#include "commands.h"
#include "message.h"
#include "paths.h"
#include "points.h"
#include "progress.h"
#include "textfile.h"

#include <armilla/armilla.h>
#include <math.h>
#include <stdlib.h>

/* Rows of the file of directions: 64 GB of text. */
enum { MOST_ROWS = 1 << 30 };

typedef struct arguments {
    common base;
    const char *points;
    int64_t spin;
    double epsilon;
    int lonlat;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"points", OPTION_TEXT, AT(points), "FILE", "text: theta and phi in radians, a row each", 0, 0},
    {"lonlat", OPTION_FLAG, AT(lonlat), "", "FILE holds longitude and latitude in degrees", 0, 0},
    {"spin", OPTION_INTEGER, AT(spin), "S", "of E and B; default 0: of the first table, T", 0,
     MAX_DEGREE},
    {"epsilon", OPTION_TOLERANCE, AT(epsilon), "E", "accuracy, 1e-13 to 0.1; default 1e-7", 0, 0},
    {"threads", OPTION_INTEGER, AT(base.threads), "N", "use N threads; 0 (default): all", 0, 4096},
    {.name = NULL},
};

static void defaults(void *self)
{
    ((arguments *)self)->epsilon = POINTS_EPSILON;
}

static int check(void *self)
{
    const arguments *a = self;
    if (!a->points)
        return usage_error("--points FILE is missing: at which directions shall the values be?");
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}, {"--points", a->points}},
        .outputs = {{"-o", a->base.output}},
        .overwrite = a->base.overwrite,
    };
    int code = points_check_epsilon(a->epsilon);
    return code == CLI_OK ? paths_check(&paths) : code;
}

/* --- Directions ------------------------------------------------------------------------------- */

static const char *check_angles(const double *row)
{
    return row[0] >= 0 && row[0] <= M_PI ? NULL : "theta must be 0 to pi, in radians";
}

static const char *check_lonlat(const double *row)
{
    return fabs(row[1]) <= 90 ? NULL : "the latitude must be -90 to 90, in degrees";
}

static double within(double value, double most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* theta and phi of the rows: new; NULL after a message. */
static double *make_points(const arguments *a, const columns *file)
{
    double *points = malloc((size_t)file->count * COLUMNS * sizeof *points + 1);
    if (!points) memory_error();
    for (int64_t i = 0; points && i < COLUMNS * file->count; i += COLUMNS) {
        const double *row = file->rows + i;
        points[i] = a->lonlat ? within((90 - row[1]) * (M_PI / 180), M_PI) : row[0];
        points[i + 1] = a->lonlat ? row[0] * (M_PI / 180) : row[1];
    }
    return points;
}

/* --- Values ----------------------------------------------------------------------------------- */

static int write_rows(const arguments *a, const columns *file, const double *values, FILE *stream)
{
    fprintf(stream, "# %s, then the %s of spin %lld of %s, to %g\n",
            a->lonlat ? "longitude and latitude, degrees" : "theta and phi, radians",
            a->spin ? "two parts of the field" : "field", (long long)a->spin, a->base.files[0],
            a->epsilon);
    for (int64_t i = 0; i < file->count; i++) {
        const double *row = file->rows + COLUMNS * i;
        fprintf(stream, "%.17g %.17g %.17g", row[0], row[1], values[i]);
        if (a->spin) fprintf(stream, " %.17g", values[i + file->count]);
        fputc('\n', stream);
    }
    return CLI_OK;
}

static int write_values(const arguments *a, const armilla_alm_file *alm, const columns *file,
                        const double *values)
{
    textfile text;
    if (progress_stopped()) return CLI_FAILED;
    int code = textfile_open(a->base.output, a->base.overwrite, &text);
    if (code != CLI_OK) return code;
    write_rows(a, file, values, text.stream);
    code = textfile_close(&text);
    if (code == CLI_OK)
        note("wrote %s: %lld direction%s, spin %lld, lmax %lld, mmax %lld, epsilon %g",
             a->base.output, (long long)file->count, file->count == 1 ? "" : "s",
             (long long)a->spin, (long long)alm->lmax, (long long)alm->mmax, a->epsilon);
    return code;
}

static int synthesize(const arguments *a, const armilla_alm_file *alm, int64_t count,
                      const double *points, double *values)
{
    armilla_points *plan;
    const armilla_points_options options = points_options(a->spin, a->epsilon);
    const armilla_exec exec = points_exec(a->base.threads);
    /* E and B are the last two tables of T, E, B */
    const int64_t first = a->spin ? alm->ncomp - 2 : 0;
    const double *from = alm->alm + 2 * first * armilla_alm_size(alm->lmax, alm->mmax);
    progress_stage("evaluation", 0, 1);
    armilla_status status =
        armilla_points_new(alm->lmax, alm->mmax, count, points, &options, &plan);
    if (status) return data_error(status, NULL);
    status = armilla_points_synthesis(plan, from, values, &exec);
    armilla_points_free(plan);
    return status ? data_error(status, NULL) : CLI_OK;
}

static int evaluate(const arguments *a, const armilla_alm_file *alm, const columns *file)
{
    double *points = make_points(a, file);
    double *values = points ? malloc((size_t)file->count * 2 * sizeof *values + 1) : NULL;
    int code = values ? synthesize(a, alm, file->count, points, values) : CLI_FAILED;
    if (points && !values) memory_error();
    if (code == CLI_OK) code = write_values(a, alm, file, values);
    free(values);
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
    armilla_alm_file *alm = NULL;
    columns file = {.path = a->points,
                    .names = a->lonlat ? "longitude and latitude" : "theta and phi",
                    .most = MOST_ROWS,
                    .check = a->lonlat ? check_lonlat : check_angles};
    armilla_status status = armilla_alm_read(a->base.files[0], a->spin ? 0 : 1, &alm);
    int code = status ? data_error(status, a->base.files[0]) : check_alm(a, alm);
    if (code == CLI_OK) code = columns_read(&file);
    if (code == CLI_OK) code = evaluate(a, alm, &file);
    free(file.rows);
    armilla_alm_file_free(alm);
    return code;
}

const command evaluate_command = {
    .name = "evaluate",
    .summary = "spherical harmonic coefficients to values at any directions",
    .usage = "evaluate ALM --points FILE -o values.txt [options]",
    .text = "Sums the harmonics of a coefficient file at the directions of a text file: those of\n"
            "its first table, or with --spin S of E and B, its last two, which make the two parts\n"
            "of a field of that spin (2: Q and U) along the local theta and phi. Writes a row for\n"
            "each direction: as it was given, then the value or the two. --epsilon is the largest\n"
            "error of all values together, relative to their rms.",
    .example = "armilla evaluate alm.fits --points sources.txt --lonlat -o values.txt",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the file ALM of coefficients is missing",
    .tables = {table, output_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

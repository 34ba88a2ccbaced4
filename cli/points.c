/* Reads the directions of the commands that work at arbitrary ones, evaluate, observe and lens,
 * fills in the library's options of plans and of calls for them, and checks their --epsilon. */
#include "points.h"

#include "message.h"
#include "number.h"
#include "progress.h"
#include "ranks.h"
#include "textfile.h"
#include "transform_ranks.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

/* Rows of a file of directions: 64 GB of text. */
enum { MOST_ROWS = 1 << 30 };

static const double DEGREE = M_PI / 180;

static const char *check_angles(const double *row)
{
    return row[0] >= 0 && row[0] <= NUMBER_FLOAT_PI ? NULL : "theta must be 0 to pi, in radians";
}

static const char *check_lonlat(const double *row)
{
    return fabs(row[1]) * DEGREE <= 0.5 * NUMBER_FLOAT_PI
               ? NULL
               : "the latitude must be -90 to 90, in degrees";
}

columns points_file(const char *path, int64_t width, int lonlat)
{
    static const char *const names[][2] = {
        {"theta and phi", "theta, phi and psi"},
        {"longitude and latitude", "longitude, latitude and psi"}};
    return (columns){.path = path,
                     .names = names[lonlat != 0][width - 2],
                     .width = width,
                     .most = MOST_ROWS,
                     .check = lonlat ? check_lonlat : check_angles};
}

static double within(double value, double most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

double *points_radians(const columns *file, int lonlat)
{
    const int64_t width = file->width;
    double *points = malloc((size_t)(file->count * width) * sizeof *points + 1);
    if (!points) memory_error();
    for (int64_t i = 0; points && i < width * file->count; i += width) {
        const double *row = file->rows + i;
        points[i] = lonlat ? within((90 - row[1]) * DEGREE, M_PI) : row[0];
        points[i + 1] = lonlat ? row[0] * DEGREE : row[1];
        if (width > 2) points[i + 2] = lonlat ? row[2] * DEGREE : row[2];
    }
    return points;
}

static void write_row(const columns *file, int64_t i, int64_t ncomp, const double *values,
                      FILE *stream)
{
    const double *row = file->rows + file->width * i;
    fprintf(stream, "%.17g", row[0]);
    for (int64_t k = 1; k < file->width; k++) fprintf(stream, " %.17g", row[k]);
    for (int64_t c = 0; c < ncomp; c++) fprintf(stream, " %.17g", values[c * file->count + i]);
    fputc('\n', stream);
}

int points_write(const common *base, const columns *file, int lonlat, int64_t ncomp,
                 const double *values, const char *words, ...)
{
    textfile text;
    va_list arguments;
    if (progress_stopped()) return CLI_FAILED;
    if (!ranks_is_first()) return ranks_agree(CLI_OK);
    const int code = textfile_open(base->output, base->overwrite, &text);
    if (code != CLI_OK) return ranks_agree(code);
    fprintf(text.stream, "# %s, %s, then ", file->names, lonlat ? "degrees" : "radians");
    va_start(arguments, words);
    vfprintf(text.stream, words, arguments);
    va_end(arguments);
    fputc('\n', text.stream);
    for (int64_t i = 0; i < file->count; i++) write_row(file, i, ncomp, values, text.stream);
    return ranks_agree(textfile_close(&text));
}

int points_check_epsilon(double epsilon)
{
    if (epsilon >= 1e-13 && epsilon <= 0.1) return CLI_OK;
    return usage_error("--epsilon \"%g\": must be 1e-13 to 0.1", epsilon);
}

armilla_points_options points_options(int64_t spin, double epsilon, const common *base)
{
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = spin;
    options.epsilon = epsilon;
    options.nthreads = (int)base->threads;
    options.device = (armilla_device)base->device;
    options.devices = device_numbers(&base->devices), options.ndevices = base->devices.count;
    return options;
}

armilla_exec points_exec(int64_t threads)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = (int)threads;
    exec.progress = progress_report;
    return exec;
}

static armilla_status interpolate_alone(const transform *sht, const armilla_points_options *options,
                                        int64_t count, const double *points, const double *alm,
                                        double *values)
{
    armilla_points *plan;
    const armilla_exec exec = points_exec(sht->nthreads);
    armilla_status status = armilla_points_new(sht->lmax, sht->mmax, count, points, options, &plan);
    if (status) return status;
    status = armilla_points_synthesis(plan, alm, values, &exec);
    armilla_points_free(plan);
    return status;
}

/* part: values of the points of one rank, which are a range of all. */
static armilla_status gather(int64_t ncomp, int64_t count, const armilla_span *range,
                             const double *part, double *values)
{
    const armilla_span all = {0, count, 0};
    armilla_redistribution *to_first;
    armilla_status status =
        armilla_redistribution_new(ranks_transport(), range->count > 0, range,
                                   ranks_is_first() && count > 0, &all, NULL, &to_first);
    if (status) return status;
    status = armilla_redistribution_run(to_first, sizeof *part, ncomp, part, 0, values, 0);
    armilla_redistribution_free(to_first);
    return status;
}

int points_by_ranges(int64_t ncomp, int64_t count, points_part_fn make, const void *context,
                     double *values)
{
    const armilla_transport *ranks = ranks_transport();
    const int64_t first = count * ranks->rank / ranks->nranks;
    const armilla_span range = {first, count * (ranks->rank + 1) / ranks->nranks - first, 0};
    double *part = malloc((size_t)(ncomp * range.count) * sizeof *part + 1);
    const int code = ranks_agree(part ? CLI_OK : memory_error());
    armilla_status status = ARMILLA_OK;
    if (code == CLI_OK) status = make(context, &range, part);
    if (code == CLI_OK && !status) status = gather(ncomp, count, &range, part, values);
    free(part);
    return status ? data_error(status, NULL) : code;
}

/* What values are interpolated of. */
typedef struct field {
    const transform *sht;
    const armilla_points_options *options;
    const double *points, *alm;
} field;

static armilla_status interpolate_range(const void *context, const armilla_span *range,
                                        double *part)
{
    const field *f = context;
    armilla_distributed_points *plan;
    const armilla_exec exec = points_exec(f->sht->nthreads);
    armilla_status status =
        armilla_distributed_points_new(ranks_transport(), f->sht->ranks->distribution, range->count,
                                       f->points + 2 * range->begin, f->options, NULL, &plan);
    if (status) return status;
    status = armilla_distributed_points_synthesis(plan, f->alm, part, &exec);
    armilla_distributed_points_free(plan);
    return status;
}

int points_interpolate(const transform *sht, const armilla_points_options *options, int64_t count,
                       const double *points, const double *alm, double *values)
{
    const field f = {sht, options, points, alm};
    if (sht->ranks)
        return points_by_ranges(options->spin ? 2 : 1, count, interpolate_range, &f, values);
    const armilla_status status = interpolate_alone(sht, options, count, points, alm, values);
    return status ? data_error(status, NULL) : CLI_OK;
}

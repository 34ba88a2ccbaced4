/* What the commands that work at arbitrary directions share. */
#ifndef ARMILLA_CLI_POINTS_H
#define ARMILLA_CLI_POINTS_H

#include "columns.h"
#include "options.h"
#include "transform.h"

#include <armilla/armilla.h>

#define POINTS_EPSILON 1e-7 /* where --epsilon says nothing */

/* Makes a request for columns_read: rows of width 2 are theta and phi in radians, of width 3 psi
 * follows; with lonlat they are longitude and latitude, and psi, in degrees. */
columns points_file(const char *path, int64_t width, int lonlat);

/* Makes radians of those rows, theta first: new; NULL after a message. */
double *points_radians(const columns *file, int lonlat);

/* CLI_OK, or CLI_USAGE after a message: is there a plan with this accuracy? */
int points_check_epsilon(double epsilon);

/* Interpolates all values[components][count], on rank 0, of coefficients that are spread over
 * ranks, or of a process that is alone. Each rank takes a range of the points, which all have.
 * Collective. An exit code, after a message unless CLI_OK. */
int points_interpolate(const transform *sht, const armilla_points_options *options, int64_t count,
                       const double *points, const double *alm, double *values);

/* A rank's part of what is made of count points: values[components][range->count] of a range. */
typedef armilla_status (*points_part_fn)(const void *context, const armilla_span *range,
                                         double *values);

/* Makes values[components][count] on rank 0 of parts, each rank one. Collective, and so is `make`.
 * An exit code, after a message unless CLI_OK. */
int points_by_ranges(int64_t ncomp, int64_t count, points_part_fn make, const void *context,
                     double *values);

/* Writes the output of base: rows of the file as they are, then values[ncomp][file->count], which
 * the printf-style words of the first line describe. Collective; an exit code, after a message
 * unless CLI_OK. */
int points_write(const common *base, const columns *file, int lonlat, int64_t ncomp,
                 const double *values, const char *words, ...);

armilla_points_options points_options(int64_t spin, double epsilon, const common *base);

/* Reports to the progress bar. */
armilla_exec points_exec(int64_t threads);

#endif

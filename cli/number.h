/* Numbers and angles as people type them. Strict: nothing may follow the number, nan and inf are
 * refused, the decimal point is a point whatever the locale (the command never leaves "C"). */
#ifndef ARMILLA_CLI_NUMBER_H
#define ARMILLA_CLI_NUMBER_H

#include <math.h>
#include <stdint.h>

/* The float nearest to pi, which lies above it: colatitudes of files of floats are up to this one,
 * as they are in the library. */
#define NUMBER_FLOAT_PI ((double)(float)M_PI)

/* NULL if text is a number, which is then in *value; else what is wrong with it, as the end of a
 * message such as `must be a whole number`. */
const char *number_integer(const char *text, int64_t *value);
const char *number_unsigned(const char *text, uint64_t *value);
const char *number_real(const char *text, double *value);

/* As above, for an angle with a unit; *radians. */
const char *number_angle(const char *text, double *radians);

/* Radians in one of a unit, named deg, arcmin, arcsec or rad. */
const char *number_unit(const char *name, double *radians);

/* Two numbers A,B with A < B into range[0], range[1]. */
const char *number_range(const char *text, double *range);

#endif

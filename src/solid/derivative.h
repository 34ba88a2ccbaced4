/* Which derivatives of a potential are fields, and what they multiply its coefficients by; see
 * table.c. */
#ifndef ARMILLA_SOLID_DERIVATIVE_H
#define ARMILLA_SOLID_DERIVATIVE_H

#include "solid/table.h"

#include <math.h>

typedef enum { ARMILLA_ALONG_X, ARMILLA_ALONG_Y, ARMILLA_ALONG_Z } armilla_solid_axis;

/* Which derivatives make a field. */
typedef struct {
    int count;
    armilla_solid_axis along[2];
} armilla_solid_field;

static const armilla_solid_field armilla_solid_fields[ARMILLA_SOLID_FIELDS] = {
    {0, {ARMILLA_ALONG_X, ARMILLA_ALONG_X}}, {1, {ARMILLA_ALONG_X, ARMILLA_ALONG_X}},
    {1, {ARMILLA_ALONG_Y, ARMILLA_ALONG_X}}, {1, {ARMILLA_ALONG_Z, ARMILLA_ALONG_X}},
    {2, {ARMILLA_ALONG_X, ARMILLA_ALONG_X}}, {2, {ARMILLA_ALONG_X, ARMILLA_ALONG_Y}},
    {2, {ARMILLA_ALONG_X, ARMILLA_ALONG_Z}}, {2, {ARMILLA_ALONG_Y, ARMILLA_ALONG_Z}},
    {2, {ARMILLA_ALONG_Z, ARMILLA_ALONG_Z}}};

/* The factor of order M -+ 1 in order M of d_+-; `sign` is +1 or -1. */
static inline double armilla_solid_across(int interior, int64_t l, int64_t m, int sign)
{
    const double k = (double)(2 * l + (interior ? 3 : -1)) / (double)(2 * l + 1);
    const int64_t n = interior ? l - sign * m + 2 : l + sign * m;
    const double product = (double)n * (double)(n - 1);
    return product > 0 ? sign * sqrt(k * product) : 0;
}

static inline double armilla_solid_along(int interior, int64_t l, int64_t m)
{
    const double k = (double)(2 * l + (interior ? 3 : -1)) / (double)(2 * l + 1);
    const int64_t n = interior ? l + 1 : l;
    const double product = (double)(n - m) * (double)(n + m);
    return product > 0 ? (interior ? 1 : -1) * sqrt(k * product) : 0;
}

#endif

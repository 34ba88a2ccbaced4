/* Checks lists of directions and of numbers that a caller gives, and names the first wrong one. */
#ifndef ARMILLA_BASE_DIRECTIONS_H
#define ARMILLA_BASE_DIRECTIONS_H

#include "base/status.h"

#include <stdint.h>

/* Rows of angles, given one by one: theta, phi and, if there are three, psi. */
typedef struct armilla_directions {
    const char *names, *name; /* of the array and of a row: "pointings", "pointing" */
    int64_t count, nangles;
    const double *angles; /* [count][nangles] */
} armilla_directions;

/* ARGUMENT where there are none, where a theta is not 0 to pi, or where another angle is not
 * finite: "offsets: phi of offset 1 = inf: must be finite". */
armilla_status armilla_directions_check(const armilla_directions *given);

/* ARGUMENT where values is NULL or values[count][width] holds a number that is not finite: "name[7]
 * = nan: must be finite", by the item. */
armilla_status armilla_check_finite(const char *name, int64_t count, int64_t width,
                                    const double *values);

#endif

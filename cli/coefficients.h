/* Coefficients that a command works on: those of a file, or of a map, which is analyzed first. */
#ifndef ARMILLA_CLI_COEFFICIENTS_H
#define ARMILLA_CLI_COEFFICIENTS_H

#include "transform.h"

#include <armilla/armilla.h>

typedef struct coefficients {
    transform sht;        /* without plans: which of them are here */
    armilla_alm_file alm; /* T, or T, E and B, as far as they are here */
    int is_map;           /* were they a map's? */
} coefficients;

/* Given:    path;  pol  whether E and B are needed;  options  of the analysis, where that is
 * needed; base  its threads and device are those of the analysis; share  of the progress that it
 * is. Returned: *self, to be freed with coefficients_free in any case; an exit code, after a
 * message. Collective. */
int coefficients_read(const char *path, int64_t spin, const analysis_options *options,
                      const common *base, double share, coefficients *self);

/* *spin = 2, for coefficients_read, where a file of coefficients is, or a map that has Q and U
 * behind the column that the options name; else 0. An exit code, after a message. */
int coefficients_find_spin(const char *path, const analysis_options *options, int64_t *spin);
void coefficients_free(coefficients *self); /* zeros are allowed */

#endif

/* Powers of bands of degrees of a masked map, without what the mask has done to them: for armilla
 * spectrum --decouple. Exact whatever the mask is, for pixels that are exact. */
#ifndef ARMILLA_CLI_DECOUPLE_H
#define ARMILLA_CLI_DECOUPLE_H

#include "transform.h"

enum { DECOUPLE_EDGES = 3 }; /* columns of a result in front of the powers: first, last, mean l */

/* What the options say. */
typedef struct decouple_options {
    int is_wanted;
    const char *bands; /* a width in degrees, or a file of first and last degrees */
    int64_t width;     /* of bands from l = 2 on; 0: those of the file. Set by decouple_check */
    int dl;            /* powers are of l (l + 1) / (2 pi) C_l */
    int errors;        /* columns of standard deviations are wanted */
    const char *covariance, *cl; /* a file for their covariance, and one that has its spectra */
} decouple_options;

/* Powers of bands, a row for each: DECOUPLE_EDGES columns, then nspectra of powers, by the names of
 * the spectra, then, where errors are wanted, as many of those. */
typedef struct decoupled {
    armilla_cl_file *powers;
    armilla_cl_file *covariance; /* a column for each power; NULL: not wanted */
    int64_t nspectra;
} decoupled;

void decoupled_free(decoupled *self); /* zeros are allowed */

/* Whether they make sense: an exit code, after a message. Not collective. */
int decouple_check(decouple_options *options);

/* Powers of the bands of TT, or of all six.
 * Given:    sht  that has made alm of the maps, times their masks;  alm[nmaps], nmaps 1 or 2, of
 *           maps, as transform_analysis leaves them.
 * Returned: *made, to be freed in any case. An exit code, the same on all ranks. */
int decouple(const decouple_options *options, const analysis_options *analysis,
             const common *arguments, const transform *sht, const sky *maps, int64_t nmaps,
             double *const *alm, decoupled *made);

#endif

/* The colour scale of a picture: which values it spans, and what part of it a value has. */
#ifndef ARMILLA_PICTURE_SCALE_H
#define ARMILLA_PICTURE_SCALE_H

#include "armilla/picture.h"
#include "base/status.h"

/* Is it a value that is missing: ARMILLA_UNSEEN (to 1e-5, as files in float round it) or NaN? */
int armilla_picture_missing(double value);

/* Ends of the colour scale.
 * Given:    values  npix of them, of which those larger than `above` count;  *minimum, *maximum
 *           what the caller asked for, NaN = from data.
 * Returned: *minimum < *maximum, finite, whatever the data: an empty range is widened.
 * Errors:   ARGUMENT (infinite, or minimum > maximum), MEMORY. */
armilla_status armilla_picture_range(int64_t npix, const double *values, double above,
                                     double *minimum, double *maximum);

enum { ARMILLA_SCALE_RANKS = 512 };

typedef struct armilla_scale {
    armilla_color_scale kind;
    double minimum, maximum, threshold;
    double low, high;                      /* the ends as the scale has them: logarithms, ... */
    double ranks[ARMILLA_SCALE_RANKS + 1]; /* EQUALISED: quantiles of the map */
} armilla_scale;

/* Given:    kind, minimum, maximum, threshold in *scale, NaN: from the data;  values of the map.
 * Returned: the other fields. Errors: ARGUMENT, MEMORY. */
armilla_status armilla_scale_make(int64_t npix, const double *values, armilla_scale *scale);

/* Returned: 0 at the minimum and below, 1 at the maximum and above. Not for NaN. */
double armilla_scale_share(const armilla_scale *scale, double value);

/* The value of a share 0 .. 1. */
double armilla_scale_value(const armilla_scale *scale, double share);

#endif

/* The colour scale of a picture: which values it spans, and the numbers below it. */
#ifndef ARMILLA_IO_PICTURE_SCALE_H
#define ARMILLA_IO_PICTURE_SCALE_H

#include "base/status.h"

/* Is it a value that is missing: ARMILLA_UNSEEN (to 1e-5, as files in float round it) or NaN? */
int armilla_picture_missing(double value);

/* Ends of the colour scale.
 * Given:    values  npix of them;  *minimum, *maximum  what the caller asked for, NaN = from data.
 * Returned: *minimum < *maximum, finite, whatever the data: an empty range is widened.
 * Errors:   ARGUMENT (infinite, or minimum > maximum), MEMORY. */
armilla_status armilla_picture_range(int64_t npix, const double *values, double *minimum,
                                     double *maximum);

enum { ARMILLA_TICKS_MOST = 12, ARMILLA_TICK_LABEL_SIZE = 40 };

/* Round numbers on a colour scale, multiples of step = 1, 2 or 5 times a power of ten. */
typedef struct armilla_ticks {
    int count; /* >= 1; >= 2 if most >= 3 */
    double values[ARMILLA_TICKS_MOST];
    char labels[ARMILLA_TICKS_MOST][ARMILLA_TICK_LABEL_SIZE]; /* UTF-8 */
    double widest;                                            /* label, in capital heights */
} armilla_ticks;

/* Given:    minimum < maximum;  most  <= ARMILLA_TICKS_MOST ticks wanted at most (2 or more). */
void armilla_ticks_make(double minimum, double maximum, int most, armilla_ticks *ticks);

#endif

/* Names of grids: what one says, and what is wrong with it. */
#ifndef ARMILLA_GRID_NAME_H
#define ARMILLA_GRID_NAME_H

#include "grid/grid.h"

/* The forms that names have. */
typedef enum armilla_name_form {
    ARMILLA_NAME_OCTAHEDRAL, /* O1280, TCo1279 */
    ARMILLA_NAME_CLASSIC,    /* N320, TL639 */
    ARMILLA_NAME_FULL,       /* F640, T63 */
    ARMILLA_NAME_HEALPIX,    /* H512, H512n, healpix:512, healpix:512:nested, hp512 */
    ARMILLA_NAME_REDUCED,    /* rgl:128:127 */
    ARMILLA_NAME_RECTANGLE   /* gl:257x512, cc:721x1440, ..., r360x180, 0.25 */
} armilla_name_form;

typedef struct armilla_name_read {
    armilla_name_form form;
    armilla_grid_kind kind;
    int64_t number; /* n, nside, or nrings */
    int64_t second; /* nphi of a rectangle, lmax of rgl */
    int nested;
    int south_first; /* the first row of a map is the ring furthest south */
    double phi0;     /* radians, added to the longitudes of all pixels */
} armilla_name_read;

/* Errors: ARGUMENT, which names what is wrong and the nearest name that is right. */
armilla_status armilla_name_parse(const char *name, armilla_name_read *read);

/* The same for the names that other programs have.
 * Returned: *is_one  0: it is no such name, nothing was read, and the status is OK. */
armilla_status armilla_name_parse_foreign(const char *name, armilla_name_read *read, int *is_one);

/* The word of an equidistant or Gauss-Legendre kind, such as "cc"; NULL: there is none. */
const char *armilla_name_word(armilla_grid_kind kind);

/* --- What the two parsers share --------------------------------------------------------------- */

/* The error of a name: which rule it breaks, and an example of a name that does not. */
armilla_status armilla_name_fail(const char *name, const char *rule, const char *example);

/* Digits from *at on, which moves behind them. Returned: -1 if there are none; what is too large
 * for any grid comes as one more than that. */
int64_t armilla_name_take_number(const char **at);

/* Are these characters that word, in upper or lower case? The word is in lower case. */
int armilla_name_is_word(const char *text, size_t length, const char *word);

/* Does the text begin with that word, in upper or lower case? */
int armilla_name_begins(const char *text, const char *word);

#endif

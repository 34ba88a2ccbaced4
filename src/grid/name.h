/* Names of grids: what one says, and what is wrong with it. */
#ifndef ARMILLA_GRID_NAME_H
#define ARMILLA_GRID_NAME_H

#include "grid/grid.h"

/* The forms that names have. */
typedef enum armilla_name_form {
    ARMILLA_NAME_OCTAHEDRAL, /* O1280 */
    ARMILLA_NAME_CLASSIC,    /* N320 */
    ARMILLA_NAME_FULL,       /* F640 */
    ARMILLA_NAME_HEALPIX,    /* H512, H512n, healpix:512, healpix:512:nested */
    ARMILLA_NAME_REDUCED,    /* rgl:128:127 */
    ARMILLA_NAME_RECTANGLE   /* gl:257x512, cc:721x1440, ... */
} armilla_name_form;

typedef struct armilla_name_read {
    armilla_name_form form;
    armilla_grid_kind kind;
    int64_t number; /* n, nside, or nrings */
    int64_t second; /* nphi of a rectangle, lmax of rgl */
    int nested;
} armilla_name_read;

/* Errors: ARGUMENT, which names what is wrong and the nearest name that is right. */
armilla_status armilla_name_parse(const char *name, armilla_name_read *read);

/* The word of an equidistant or Gauss-Legendre kind, such as "cc"; NULL: there is none. */
const char *armilla_name_word(armilla_grid_kind kind);

#endif

/* What the operations of armilla map share: the arguments, the maps that are read, and the one that
 * is written. */
#ifndef ARMILLA_CLI_MAP_WORK_H
#define ARMILLA_CLI_MAP_WORK_H

#include "formula.h"
#include "options.h"
#include "pieces.h"
#include "pixel_grid.h"

typedef struct map_arguments {
    common base;
    const char *calc, *mask, *coord, *euler, *order, *field, *taper, *unit, *power, *hdu;
    int64_t nside;
    double apodize; /* radians; below 0: not given */
    int fsky, pessimistic, store_double;
    armilla_rotation rotation; /* of coord or euler */
    double exponent;           /* of power */
    formula formula;           /* of calc */
} map_arguments;

typedef struct map_work {
    map_arguments *a;
    int64_t nsources;
    map_source sources[FORMULA_MAPS];
    pixel_grid on; /* of all of them */
    map_source mask;
    int64_t column; /* of --field in the first map; -1: all */
    map_target target;
    double *values; /* a piece of pixels */
    int64_t piece;
    double done, all; /* pieces, for the progress bar */
} map_work;

/* How many columns the result has where each column of the first map makes one, and the column of a
 * map that column k of the result comes from. */
int64_t map_ncolumns(const map_work *self);
int64_t map_column(const map_work *self, int64_t k);

/* Begins the result, with the columns of the first map. nside, coordsys: of the result; with the
 * nside of the first map, which can be 0, it is on the same grid. Here and below: an exit code,
 * after a message unless CLI_OK. */
int map_begin(map_work *self, int64_t nside, char coordsys);

/* The same with columns of one's own. */
int map_begin_with(map_work *self, int64_t nside, char coordsys, int64_t ncolumns,
                   armilla_field *fields);

/* Tells the progress bar that a piece is done, of so many in all. CLI_FAILED: a signal asks for an
 * end. */
int map_step(map_work *self);

/* Reads a whole column: new, to be freed with free; NULL after a message. */
double *map_read_all(map_work *self, const map_source *source, int64_t column);

/* The operations. Each begins and fills the result. */
int map_calculate(map_work *self); /* --calc */
int map_copy(map_work *self);      /* --mask, or --order and --field alone */
int map_change_nside(map_work *self);
int map_turn(map_work *self); /* --coord, --euler */
int map_apodize(map_work *self);
int map_fsky(map_work *self); /* makes no map */

#endif

/* The grid of the maps that a command makes or reads. It is made here alone, of what --grid or
 * --nside say or of a map that was read, and says what depends on it: the degrees that are usual,
 * whether analysis is exact, and its name in messages and reports. */
#ifndef ARMILLA_CLI_PIXEL_GRID_H
#define ARMILLA_CLI_PIXEL_GRID_H

#include "options.h"

#include <armilla/armilla.h>

enum { PIXEL_GRID_TEXT = ARMILLA_GRID_NAME_SIZE + 24 };

typedef struct pixel_grid {
    armilla_grid *grid;
    int64_t nside; /* of HEALPix, which is in RING order; else 0 */
    int64_t npix;
    char name[ARMILLA_GRID_NAME_SIZE]; /* "healpix:64", "O160", ..; "": it has none */
    char text[PIXEL_GRID_TEXT];        /* for messages: "nside 64", "grid O160" */
} pixel_grid;

#define PIXEL_GRID_HELP "grid of the map: healpix:512, O160, F80, gl:96x192, cc:181x360, ..."
#define PIXEL_GRID_NAMES                                                                           \
    "Names of grids: healpix:NSIDE (or --nside NSIDE); O160 and N160 (reduced Gaussian), F160\n"   \
    "(full Gaussian); gl, cc, f1, f2, dh, mw, mwss and mwflip:NRINGSxNPHI; rgl:NRINGS:LMAX; "      \
    "0.25,\n"                                                                                      \
    "r360x180, TCo1279 and TL639, named as in ECMWF and CDO (rows go from north to south);\n"      \
    "latitudes:FILE:NPHI (rings of NPHI pixels at latitudes in degrees, from a text file)."

/* Exit codes, after a message unless CLI_OK. */

/* Was a grid chosen, and is it not too large? */
int pixel_grid_check(const grid_choice *choice);

/* The grid that was chosen, or that of a map; on success free with pixel_grid_free. */
int pixel_grid_new(const grid_choice *choice, pixel_grid *self);
int pixel_grid_of_map(const armilla_map *map, const char *path, pixel_grid *self);
void pixel_grid_free(pixel_grid *self); /* one of zeros is allowed */

/* Have both the same pixels? */
int pixel_grid_is_same(const pixel_grid *a, const pixel_grid *b);

/* The lmax of commands that are given none: 3 nside - 1, or the largest that analysis recovers. */
int64_t pixel_grid_lmax(const pixel_grid *self);

/* The largest lmax that analysis recovers, or what pixels without an exact rule hold well: of
 * HEALPix 2 nside. */
int64_t pixel_grid_usual_lmax(const armilla_grid *grid);

/* Does analysis invert synthesis? Never on HEALPix. */
int pixel_grid_is_exact(const pixel_grid *self, int64_t lmax, int64_t mmax);

/* Has any ring a weight of quadrature? Analysis fits coefficients where none has. The second
 * refuses such a grid. */
int pixel_grid_has_weights(const pixel_grid *self);
int pixel_grid_needs_weights(const pixel_grid *self, const char *what);

/* Refuses by its name a grid that is not HEALPix. what: the option or the command; instead: the way
 * on, of which the message says nothing if it is NULL. */
int pixel_grid_needs_healpix(const pixel_grid *self, const char *what, const char *instead);

/* Returned: *weighted  HEALPix with ring weights, exact up to l = 2 nside, to be freed; NULL
 * without ring_weights. Other grids are refused. */
int pixel_grid_weigh(const pixel_grid *self, int ring_weights, armilla_grid **weighted);

/* Where some pixels are, in the order that files have (RING).
 * Given:    pixels  count of them, rising, from 0 to npix - 1.
 * Returned: theta, phi  radians. */
armilla_status pixel_grid_angles(const pixel_grid *self, int64_t count, const int64_t *pixels,
                                 double *theta, double *phi);

/* The same as unit vectors, [count][3]. */
armilla_status pixel_grid_vectors(const pixel_grid *self, int64_t count, const int64_t *pixels,
                                  double *vectors, int nthreads);

/* For --json: "nside" of HEALPix, and "grid", the name or null. */
void pixel_grid_report(const pixel_grid *self);

#endif

/* Maps as FITS images: the whole sky in the projection CAR (plate carree) with its reference point
 * on the equator, so that rows are rings of latitude and columns meridians. Planes are fields.
 * Reference: Calabretta & Greisen 2002, A&A 395, 1077. */
#ifndef ARMILLA_IO_IMAGE_HEADER_H
#define ARMILLA_IO_IMAGE_HEADER_H

#include "armilla/grid.h"
#include "io/fits_file.h"

typedef struct armilla_image_header {
    int64_t width, height, planes;
    armilla_grid *grid; /* owned; ring after ring, from north to south */
    int64_t column;     /* of pixel 0 of each ring, from 0 */
    int is_westward;    /* longitudes fall along a row */
    int is_north_first; /* the first row is the ring furthest north */
    int planes_are;     /* io/image_planes.h */
    int iau;
    char coordsys;
    char unit[ARMILLA_IO_NAME_SIZE];
    armilla_io_type type;
} armilla_image_header;

/* The colatitudes of a family of n rings: (first + i) * 180 deg / span. */
typedef struct armilla_image_rows {
    armilla_grid_kind kind;
    double first, span;
} armilla_image_rows;

/* Returned: 1 and *rows;  0: the family has no equidistant rings. */
int armilla_image_rows_of(armilla_grid_kind kind, int64_t n, armilla_image_rows *rows);

/* CTYPE1 and CTYPE2 of the coordinates 'G', 'E' or 'C'. */
const char *const *armilla_image_axes(char coordsys);

/* Given:    the current HDU, an image.
 * Returned: *header; end it with armilla_image_header_clear. Nothing is left after an error.
 * Errors:   FORMAT (names the card: no map of the whole sky in CAR, or damaged), UNSUPPORTED (a
 *           compressed image), MEMORY. */
armilla_status armilla_image_header_read(const armilla_fits *fits, armilla_image_header *header);
void armilla_image_header_clear(armilla_image_header *header);

/* Does HDU number hdu hold an image with rows? For hdu = 0: the first image of the sky, in whatever
 * projection, if no table of the file is a map; in a file without tables the first image at all.
 * ARMILLA_IO_PRIMARY: HDU 0, whatever it holds. Returned: its number, or -1. */
int armilla_image_find(const armilla_fits *fits, int hdu);

#endif

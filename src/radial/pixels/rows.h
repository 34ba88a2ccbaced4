/* The rings of a grid as the rows of octets that the method PIXELS works on: sorted by colatitude,
 * cut into arcs, with their mirror images where every ring has one. */
#ifndef ARMILLA_RADIAL_ROWS_H
#define ARMILLA_RADIAL_ROWS_H

#include "armilla/grid.h"
#include "base/status.h"
#include "radial/pixels/kernels/kernels.h"

/* What rings are to a convolution. Its adjoint reads targets, and makes sources. */
typedef enum armilla_radial_role {
    ARMILLA_RADIAL_BOTH = 0,
    ARMILLA_RADIAL_SOURCE = 1, /* it is read alone */
    ARMILLA_RADIAL_TARGET = 2  /* it is made alone; its weight plays no part */
} armilla_radial_role;

typedef struct armilla_radial_row {
    double theta, sine;
    double half[2];   /* cosine and sine of theta / 2 */
    double shift;     /* longitude of position 0, in pixels: 0 <= shift < 1 */
    int64_t n;        /* pixels of the ring */
    int64_t arc;      /* positions: n / arcs, rounded up where all rings have n pixels */
    int64_t margin;   /* positions in front of and behind the arc that a row as a source may need */
    int64_t from, to; /* its sources: the rows from .. to - 1 */
    int64_t ring[2];  /* of the grid: the ring itself, and its mirror image or -1 */
    int64_t base[2];  /* number of the pixel at position 0 of arc 0 */
    int64_t slot;     /* doubles of all rows before this one, as sources, with their margins */
    double taps; /* products of a kernel value and a pixel, for each pixel of the row; with very
                  * many rings in the support those of a neighbouring row */
    int uniform; /* all sources have n pixels */
    armilla_radial_role role;
    int elsewhere; /* its ring, and the image, are made by the method RINGS */
} armilla_radial_row;

typedef struct armilla_radial_rows {
    int64_t count;     /* rings */
    int64_t nout;      /* rows 0 .. nout - 1 hold every ring once: (count + 1) / 2 with images */
    int mirrored;      /* lanes arcs .. 2 arcs - 1 hold the mirror image, row count - 1 - i */
    int arcs;          /* 1, 2, 4 or 8; lanes beyond the last one are 0 */
    int reflects;      /* the reflection of the longitudes maps every ring onto itself */
    double support;    /* radians */
    double half;       /* sin(support / 2) */
    int64_t window;    /* most sources of a row */
    int64_t most_taps; /* of a pair of rows */
    armilla_radial_row *row; /* count, and one more for the end of the slots */
} armilla_radial_rows;

/* Which pixels of row e are within the support of a pixel of row r, whatever the rows' shifts:
 * those whose longitude differs by up to (reach + 1/2) pixels of e; whole != 0: all of them. */
typedef struct armilla_radial_reach {
    int64_t reach;
    int whole;
    double largest; /* difference in longitude within the support, radians, or pi */
} armilla_radial_reach;

/* Given: 0 < support <= pi;  nsources: the first rings are sources alone, all others targets alone;
 *        0: all are both.
 * Returned: *rows; free with armilla_radial_rows_free. Errors: MEMORY. */
armilla_status armilla_radial_rows_make(const armilla_grid *grid, double support, int64_t nsources,
                                        armilla_radial_rows *rows);
void armilla_radial_rows_free(armilla_radial_rows *rows);

armilla_radial_reach armilla_radial_rows_reach(const armilla_radial_rows *rows,
                                               const armilla_radial_row *r,
                                               const armilla_radial_row *e);

/* Does row r, where it is made, read row e? */
static inline int armilla_radial_row_reads(const armilla_radial_row *r, const armilla_radial_row *e)
{
    return !r->role || r->role != e->role;
}

/* Does the method PIXELS make this row? */
static inline int armilla_radial_row_is_made(const armilla_radial_row *row, int adjoint)
{
    return !row->elsewhere &&
           row->role != (adjoint ? ARMILLA_RADIAL_TARGET : ARMILLA_RADIAL_SOURCE);
}

/* Products of a kernel value and a pixel that a convolution of one map takes, values beyond the
 * support that are made along with the others included; rows that are made elsewhere left out. */
double armilla_radial_rows_products(const armilla_radial_rows *rows);

#endif

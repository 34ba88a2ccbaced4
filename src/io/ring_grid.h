/* The grid of a map in a file that is no HEALPix map. Cards of the map's table say which it is:
 *
 *     PIXTYPE = 'RING GRID'      GRID = 'O160'      its name (armilla_grid_new_named), or none
 *     PHI0    = 0.01             what its layout adds to the longitudes, radians; absent: 0
 *     NRINGS, NPIX               what must come out
 *
 * Without GRID a table RINGS behind the map lists the rings: THETA, NPHI, PHI0, WEIGHT. */
#ifndef ARMILLA_IO_RING_GRID_H
#define ARMILLA_IO_RING_GRID_H

#include "armilla/grid.h"
#include "io/fits_output.h"

#define ARMILLA_RING_GRID "RING GRID" /* PIXTYPE */

typedef struct armilla_ring_grid {
    char name[ARMILLA_GRID_NAME_SIZE]; /* GRID; "": the rings are to be listed */
    double phi0;                       /* PHI0 */
} armilla_ring_grid;

/* Do the pixels follow each other ring after ring? Errors: ARGUMENT. */
armilla_status armilla_ring_grid_check(const armilla_grid *grid);

/* Is it HEALPix in RING order, whatever its weights? Returned: nside or 0. Errors: MEMORY. */
armilla_status armilla_ring_grid_nside(const armilla_grid *grid, int64_t *nside);

/* Its name, as of armilla_grid_name, or "" where it has none. Errors: MEMORY. */
armilla_status armilla_ring_grid_name(const armilla_grid *grid, char name[ARMILLA_GRID_NAME_SIZE]);

/* How cards name the grid. Errors: MEMORY. */
armilla_status armilla_ring_grid_describe(const armilla_grid *grid, armilla_ring_grid *found);

/* A new grid of the same pixels, ring after ring. Errors: MEMORY. */
armilla_status armilla_ring_grid_copy(const armilla_grid *grid, armilla_grid **copy);

/* The cards of the current table; and, where the grid has no name, the table RINGS, once the map's
 * rows are written. Errors: IO, MEMORY. */
armilla_status armilla_ring_grid_write(const armilla_grid *grid, const armilla_ring_grid *told,
                                       armilla_output *output);
armilla_status armilla_ring_grid_list(const armilla_grid *grid, armilla_output *output);

/* The grid of the map in the current HDU, which stays the current one.
 * Given:    most  values that a column of the table has.
 * Returned: *grid  new. Errors: FORMAT: cards contradict one another, or the table. */
armilla_status armilla_ring_grid_read(const armilla_fits *fits, int64_t most, armilla_grid **grid);

#endif

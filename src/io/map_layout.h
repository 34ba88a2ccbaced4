/* The table of a map that is written: columns, keywords, values in their type. */
#ifndef ARMILLA_IO_MAP_LAYOUT_H
#define ARMILLA_IO_MAP_LAYOUT_H

#include "io/fits_output.h"
#include "io/ring_grid.h"

typedef struct armilla_map_layout {
    const armilla_map *map; /* values play no part; not owned */
    armilla_write_options options;
    int64_t ncolumns;
    armilla_output_column *columns; /* PIXEL first where the map is partial */
    char *flips;                    /* fields whose sign changes */
    int has_u;
    int64_t repeat;              /* pixels per row */
    armilla_ring_grid ring_grid; /* of a map that is no HEALPix map */
} armilla_map_layout;

/* Checks the map and the options.
 * Returned: *layout; end it with armilla_map_layout_clear, after errors as well.
 * Errors:   ARGUMENT, MEMORY. */
armilla_status armilla_map_layout_make(const armilla_map *map, const armilla_write_options *options,
                                       armilla_map_layout *layout);
void armilla_map_layout_clear(armilla_map_layout *layout);

/* Has any field a value at this pixel, a number of RING order? Partial maps list only those. */
int armilla_map_is_observed(const armilla_map *map, int64_t ring);

/* Chooses the numbers that mark missing pixels of fields of ARMILLA_IO_UINT8 that have any: the
 * largest one that no pixel has. Without this call such fields hold no missing pixels.
 * Given:    the map with its values. Errors: ARGUMENT (a field has all 256 numbers). */
armilla_status armilla_map_layout_find_nulls(armilla_map_layout *layout);

/* Appends the table with its keywords. Errors: ARGUMENT, IO, MEMORY. */
armilla_status armilla_map_layout_begin(const armilla_map_layout *layout, int64_t rows,
                                        armilla_output *output);

/* Does the grid need a table of its rings behind the map, which armilla_ring_grid_list appends? */
int armilla_map_layout_lists_rings(const armilla_map_layout *layout);

/* Stores pixels of a field, one behind the other, as the file has them.
 * Returned: how many; less than count: that value does not fit. */
int64_t armilla_map_layout_store(const armilla_map_layout *layout, int64_t field, int64_t count,
                                 const double *values, unsigned char *bytes);

/* The column of a field. */
const armilla_output_column *armilla_map_layout_column(const armilla_map_layout *layout,
                                                       int64_t field);

#endif

/* What the keywords of a map say, on HEALPix or another grid of rings, checked against the size of
 * its table. */
#ifndef ARMILLA_IO_MAP_HEADER_H
#define ARMILLA_IO_MAP_HEADER_H

#include "armilla/grid.h"
#include "io/fits_table.h"

typedef struct armilla_map_header {
    int64_t nside, npix; /* nside: HEALPix, else 0 */
    armilla_grid *grid;  /* where nside = 0; owned */
    int64_t repeat;      /* pixels per row, the same in every field that can be read */
    int64_t first;       /* pixel number of the first value (IMPLICIT) */
    int64_t count;       /* values of a column */
    int64_t pixel;       /* column of pixel numbers (EXPLICIT), or -1 */
    int64_t nfields;     /* columns that are fields */
    armilla_io_order order;
    int iau;
    int has_bad;
    double bad; /* BAD_DATA */
    char coordsys;
} armilla_map_header;

/* Given:    the current HDU and its table.
 * Returned: *header; end it with armilla_map_header_clear. Nothing is left after an error.
 * Errors:   FORMAT: a keyword contradicts another one or the table. */
armilla_status armilla_map_header_read(const armilla_fits *fits, const armilla_table *table,
                                       armilla_map_header *header);

void armilla_map_header_clear(armilla_map_header *header);

/* POLCCONV of the current HDU. Returned: *iau. Errors: FORMAT. */
armilla_status armilla_map_header_signs(const armilla_fits *fits, int *iau);

/* Which sky the file has, for messages: "NSIDE = 64", "GRID = 'O160'". Returned: text. */
enum { ARMILLA_SKY_TEXT = 96 };
const char *armilla_map_header_sky(const armilla_map_header *header, char text[ARMILLA_SKY_TEXT]);

/* Do the keywords of the current HDU say that it is a map? */
int armilla_map_header_fits(const armilla_fits *fits, const armilla_table *table);

/* Returned: column of the table that holds a field (0, 1, ...; the PIXEL column does not count). */
int64_t armilla_map_header_column(const armilla_map_header *header, int64_t field);

/* --- Rules that reading and writing share ------------------------------------------------------
 */

/* Which columns change their sign with POLCCONV = IAU? U does, and the covariances IU and QU; by
 * name, or, where no name says so, by position in (Q, U) and (I, Q, U).
 * Given:    names of all nfields fields of the file.
 * Returned: flips[i] = 1 or 0; whether there is any. */
int armilla_map_find_u(const char *const *names, int64_t nfields, char *flips);

/* Sets map->grid_name from nside; or grid (copied) and grid_name. Errors: MEMORY. */
void armilla_map_name_healpix(armilla_map *map);
armilla_status armilla_map_set_grid(armilla_map *map, const armilla_grid *grid);

/* Name that HEALPix gives to column index of nfields: TEMPERATURE, Q_POLARISATION, COLUMN_4, ... */
void armilla_map_column_name(int64_t nfields, int64_t index, char name[ARMILLA_IO_NAME_SIZE]);

#endif

/* What the keywords of a HEALPix map say, checked against the size of its table. */
#ifndef ARMILLA_IO_MAP_HEADER_H
#define ARMILLA_IO_MAP_HEADER_H

#include "io/fits_table.h"

typedef struct armilla_map_header {
    int64_t nside, npix;
    int64_t repeat;  /* pixels per row, the same in every field that can be read */
    int64_t first;   /* pixel number of the first value (IMPLICIT) */
    int64_t count;   /* values of a column */
    int64_t pixel;   /* column of pixel numbers (EXPLICIT), or -1 */
    int64_t nfields; /* columns that are fields */
    armilla_io_order order;
    int iau;
    int has_bad;
    double bad; /* BAD_DATA */
    char coordsys;
} armilla_map_header;

/* Given:    the current HDU and its table.
 * Errors:   FORMAT: a keyword contradicts another one or the table. */
armilla_status armilla_map_header_read(const armilla_fits *fits, const armilla_table *table,
                                       armilla_map_header *header);

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

/* Name that HEALPix gives to column index of nfields: TEMPERATURE, Q_POLARISATION, COLUMN_4, ... */
void armilla_map_column_name(int64_t nfields, int64_t index, char name[ARMILLA_IO_NAME_SIZE]);

#endif

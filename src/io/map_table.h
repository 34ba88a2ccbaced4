/* The table of a file that holds a map: found, checked, its columns as fields. */
#ifndef ARMILLA_IO_MAP_TABLE_H
#define ARMILLA_IO_MAP_TABLE_H

#include "io/map_header.h"

typedef struct armilla_map_table {
    const char *path; /* of the file, for messages; not owned */
    armilla_table table;
    armilla_map_header header;
    char *flips; /* fields whose sign changes; NULL: none */
} armilla_map_table;

/* Given:    hdu  1 = first extension, or 0 for the first table that holds a map.
 * Returned: *map, and the table is the current HDU; end it with armilla_map_table_clear, after
 *           errors as well.
 * Errors:   IO, FORMAT, ARGUMENT, MEMORY. */
armilla_status armilla_map_table_open(const armilla_fits *fits, int hdu, armilla_map_table *map);
void armilla_map_table_clear(armilla_map_table *map);

/* The column of a field that exists. */
const armilla_column *armilla_map_table_column(const armilla_map_table *map, int64_t field);

/* Can the field be read as pixels? Errors: ARGUMENT (it does not exist), FORMAT. */
armilla_status armilla_map_table_check(const armilla_map_table *map, int64_t field);

/* A map of nfields fields of the file, without values (NULL); fields NULL: 0, 1, ...
 * Returned: *described  new; armilla_map_free. */
armilla_status armilla_map_table_describe(const armilla_map_table *map, int64_t nfields,
                                          const int64_t *fields, armilla_map **described);

/* FORMAT (names the column) if one of `count` stored values of a field, one after the other, is an
 * integer that no double is. */
armilla_status armilla_map_table_exact(const armilla_map_table *map, int64_t field,
                                       const unsigned char *bytes, int64_t count);

/* Decoded values of a field: missing ones become ARMILLA_UNSEEN, signs those of COSMO. */
void armilla_map_table_mark(const armilla_map_table *map, int64_t field, int64_t count,
                            double *values);

#endif

/* Tables of FITS files: columns, and their rows as numbers.
 *
 * Rows are read as bytes, block after block, and decoded here:
 *
 *     row   | column 1: repeat values | column 2 | ... |     big endian (binary tables)
 *           | characters              | ...      |           decimal text (ASCII tables)
 *
 * value = TZERO + TSCAL * stored. Reference: FITS standard 4.0, sections 7.2 and 7.3. */
#ifndef ARMILLA_IO_FITS_TABLE_H
#define ARMILLA_IO_FITS_TABLE_H

#include "io/fits_file.h"

typedef struct armilla_column {
    char name[ARMILLA_IO_NAME_SIZE];
    char unit[ARMILLA_IO_NAME_SIZE];
    char form;      /* letter of TFORM: L X B I J K A E D C M P Q; in ASCII tables A I E (F D) */
    int64_t repeat; /* values per row */
    int64_t offset; /* of the first byte in the row */
    int64_t width;  /* bytes per value */
    double scale, zero;
    int has_null;
    int64_t null; /* TNULL of an integer column */
    char null_text[ARMILLA_IO_NAME_SIZE];
} armilla_column;

typedef struct armilla_table {
    int is_text; /* ASCII table */
    int64_t rows, row_bytes, ncolumns;
    armilla_column *columns;
} armilla_table;

/* Describes the table in the current HDU and makes sure that the file is long enough to hold it.
 * Returned: *table; end it with armilla_table_clear. Errors: FORMAT, MEMORY. */
armilla_status armilla_table_open(const armilla_fits *fits, int type, armilla_table *table);
void armilla_table_clear(armilla_table *table);

/* Does the column hold real numbers, which decode makes doubles of? */
int armilla_column_is_number(const armilla_column *column);
/* Does it hold whole numbers, TSCAL and TZERO applied? */
int armilla_column_is_integer(const armilla_column *column);

/* The type to store the column's values without loss. */
armilla_io_type armilla_column_type(const armilla_column *column);

/* The first of `count` stored values, one after the other, that is an integer which no double is;
 * -1: none is. */
int64_t armilla_column_inexact(const armilla_column *column, const unsigned char *bytes,
                               int64_t count);

/* Values of a number column out of bytes of a binary table; missing = NaN. */
void armilla_column_decode(const armilla_column *column, const unsigned char *bytes, int64_t count,
                           double *values);

/* Index of the column of this name (any case), or -1. */
int64_t armilla_table_find(const armilla_table *table, const char *name);

/* --- Rows ------------------------------------------------------------------------------------- */

/* A walk through the rows in blocks that fit a cache. */
typedef struct armilla_rows {
    const armilla_fits *fits;
    const armilla_table *table;
    unsigned char *bytes;
    int64_t capacity;     /* rows per block */
    int64_t first, count; /* rows in bytes */
} armilla_rows;

armilla_status armilla_rows_begin(const armilla_fits *fits, const armilla_table *table,
                                  armilla_rows *rows);

/* Reads the next block; rows->count = 0 at the end. Errors: FORMAT, IO. */
armilla_status armilla_rows_next(armilla_rows *rows);
void armilla_rows_end(armilla_rows *rows);

/* Values of a number column in the block: rows->count * column->repeat of them; missing = NaN. */
void armilla_rows_decode(const armilla_rows *rows, const armilla_column *column, double *values);

/* The same, exactly, for an integer column; TNULL is not looked at. */
void armilla_rows_decode_integer(const armilla_rows *rows, const armilla_column *column,
                                 int64_t *values);

#endif

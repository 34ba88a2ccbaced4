/* Writing FITS tables: a file of binary tables that appears whole or not at all. */
#ifndef ARMILLA_IO_FITS_OUTPUT_H
#define ARMILLA_IO_FITS_OUTPUT_H

#include "io/atomic_file.h"
#include "io/fits_file.h"

typedef struct armilla_output {
    armilla_atomic_file *file;
    armilla_fits fits;
    int is_packed;     /* by gzip, once it is whole */
    int64_t row_bytes; /* of the current table */
} armilla_output;

typedef struct armilla_output_column {
    const char *name, *unit; /* not owned; "" for none */
    armilla_io_type type;
    int64_t repeat; /* values per row */
    int has_null;   /* an integer column may hold missing values, which TNULL marks */
    int64_t offset; /* of the column in a row; set by armilla_output_table */
    int64_t null;   /* of ARMILLA_IO_UINT8: its TNULL; the others have their smallest number */
} armilla_output_column;

/* Begins the file, with an empty primary HDU; a name that ends in .gz makes a file packed by gzip.
 * On success end with armilla_output_end. */
armilla_status armilla_output_begin(const char *path, int overwrite, armilla_output *output);

/* Appends a table; its keywords follow, then its rows. Errors: ARGUMENT (a name that
 * FITS cannot hold), IO, MEMORY. */
armilla_status armilla_output_table(armilla_output *output, int64_t rows, int64_t ncolumns,
                                    armilla_output_column *columns);

/* Keywords of the current table. */
armilla_status armilla_output_text(armilla_output *output, const char *keyword, const char *value,
                                   const char *comment);
armilla_status armilla_output_integer(armilla_output *output, const char *keyword, int64_t value,
                                      const char *comment);
armilla_status armilla_output_number(armilla_output *output, const char *keyword, double value,
                                     const char *comment); /* with all of its digits */

/* The caller's keywords; they replace those that are there. Errors: ARGUMENT, IO. */
armilla_status armilla_output_keywords(armilla_output *output,
                                       const armilla_write_options *options);

/* Given:    words  end with NULL; "CRVAL#": with a number behind it;  why  they are no caller's.
 * Errors:   ARGUMENT: a keyword of the caller is one of the words. */
armilla_status armilla_keywords_refuse(const armilla_write_options *options,
                                       const char *const *words, const char *why);

/* Copies the caller's options, NULL: the defaults; overwrite stands in all of them.
 * Errors:   ARGUMENT (a size or a number that cannot be). */
armilla_status armilla_write_options_take(const armilla_write_options *given,
                                          armilla_write_options *options);

/* Rows first .. first + count - 1 (from 0), as bytes. */
armilla_status armilla_output_rows(armilla_output *output, int64_t first, int64_t count,
                                   unsigned char *bytes);

/* Given:    status  ARMILLA_OK: publishes the file;  else: removes what there is.
 * Returned: status, or the error of publishing. */
armilla_status armilla_output_end(armilla_output *output, armilla_status status);

/* --- Values ----------------------------------------------------------------------------------- */

/* Bytes of one value; 0: no such type. */
int64_t armilla_type_width(armilla_io_type type);

/* "double", "float", "int16", ... */
const char *armilla_type_name(armilla_io_type type);

/* Stores a number as double or float, in big endian.
 * Returned: 0, nothing stored: it does not fit. */
int armilla_real_store(armilla_io_type type, double value, unsigned char *bytes);

/* Stores count of them, one behind the other.
 * Returned: how many; less than count: that value does not fit. */
int64_t armilla_reals_store(armilla_io_type type, int64_t count, const double *values,
                            unsigned char *bytes);

/* Stores a pixel as any type; missing (NaN or ARMILLA_UNSEEN) becomes ARMILLA_UNSEEN, in integer
 * columns the smallest number of the type, which TNULL marks, in bool the byte 0, which is FITS'
 * own mark; uint8 has no number to spare. Fractions are rounded.
 * Returned: 0, nothing stored: it does not fit. */
int armilla_value_store(armilla_io_type type, double value, unsigned char *bytes);

/* Stores a whole number that fits. */
void armilla_integer_store(armilla_io_type type, int64_t value, unsigned char *bytes);

#endif

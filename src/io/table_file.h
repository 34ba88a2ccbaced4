/* Files of tables whose rows are written where they belong, in any sequence. cfitsio writes the
 * headers, of tables without rows, and is closed again: it would fill a table with zeros up to the
 * first row that is written, write every byte twice, and keep other files from being opened. */
#ifndef ARMILLA_IO_TABLE_FILE_H
#define ARMILLA_IO_TABLE_FILE_H

#include "io/fits_output.h"

typedef struct armilla_table_file {
    char *path;
    armilla_output output; /* its file; NULL: published, or never begun */
    int descriptor;        /* of the temporary file; -1: none */
    int64_t ntables;
    int64_t *start; /* of the rows of each table */
} armilla_table_file;

/* Begins a file. The caller then appends its tables to file->output, with no rows and all their
 * keywords (armilla_output_table and what follows it).
 * Returned: *file; end it with armilla_table_file_clear, after errors as well.
 * Errors:   ARGUMENT, IO, MEMORY. */
armilla_status armilla_table_file_begin(const char *path, int overwrite, armilla_table_file *file);

/* Given:    status  of the tables: an error is handed back, and cfitsio closed;
 *           ntables, rows  of each, all of file->output.row_bytes.
 * Returned: the file has its whole length, with bytes of 0 in place of rows, and takes the room on
 *           the disk at once; file->start is known. The thread has its signals back.
 * Errors:   IO (also a disk without the room), MEMORY. */
armilla_status armilla_table_file_lay_out(armilla_table_file *file, armilla_status status,
                                          int64_t ntables, int64_t rows);

/* Bytes at any place of the rows. Errors: IO, ARGUMENT (finished before). */
armilla_status armilla_table_file_write(armilla_table_file *file, int64_t at, int64_t count,
                                        const unsigned char *bytes);

/* The name of the temporary file; NULL: it is finished. */
const char *armilla_table_file_temporary(const armilla_table_file *file);

/* ARMILLA_OK, or ARGUMENT: it is finished. */
armilla_status armilla_table_file_check(const armilla_table_file *file);

/* Forces the file to disk and gives it its name, packed where the name asks for it.
 * Errors:   IO, MEMORY, ARGUMENT; nothing is then left. */
armilla_status armilla_table_file_finish(armilla_table_file *file);

/* Also removes what is not finished. A file of zeros is allowed. */
void armilla_table_file_clear(armilla_table_file *file);

#endif

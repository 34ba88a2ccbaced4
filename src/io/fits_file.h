/* FITS files through cfitsio: opening, moving, keywords, errors.
 *
 * cfitsio does three things for us: it finds HDUs, finds keywords, and moves bytes. Values are
 * decoded here (fits_table.h), so that neither the locale nor the size in a damaged header
 * matters. One lock serialises all use of cfitsio: its message stack is global, and not every
 * build of it is safe for threads. */
#ifndef ARMILLA_IO_FITS_FILE_H
#define ARMILLA_IO_FITS_FILE_H

#include "armilla/io.h"
#include "base/status.h"
#include "io/gzip_file.h"
#include <fitsio.h>

typedef struct armilla_fits {
    fitsfile *handle;
    const char *path; /* as the caller gave it, for messages; not owned */
    int64_t size;     /* bytes of the (unpacked) file; 0 while writing, as the next three */
    int count;        /* HDUs that can be read, the primary one included */
    int is_cut;       /* another one follows that cannot */
    int64_t lacking;  /* bytes of the last one's data that are not in the file */
} armilla_fits;

/* What the first bytes of a file say. */
typedef enum armilla_file_kind {
    ARMILLA_FILE_FITS,
    ARMILLA_FILE_TEXT,
    ARMILLA_FILE_OTHER
} armilla_file_kind;

typedef struct armilla_file_look {
    armilla_file_kind kind; /* of the contents, where the file is packed */
    int64_t size;           /* of the file, bytes */
    armilla_packing packing;
    const char *description; /* static text for ARMILLA_FILE_OTHER */
} armilla_file_look;

/* Looks at a regular file.
 * Errors:   ARGUMENT (no path), IO (does not exist, no permission, directory, pipe, ...). */
armilla_status armilla_file_inspect(const char *path, armilla_file_look *look);

/* Opens a file for reading: the name is taken as it is, with no extended syntax of cfitsio. A file
 * that gzip or bzip2 made is unpacked first. Takes the lock; on success end with
 * armilla_fits_close. Errors: IO, FORMAT, MEMORY. */
armilla_status armilla_fits_open(const char *path, armilla_fits *fits);

/* The same, and *descriptor, for the caller to read and close: the file's bytes, unpacked, also
 * after armilla_fits_close. */
armilla_status armilla_fits_open_bytes(const char *path, armilla_fits *fits, int *descriptor);

/* Creates a file that does not exist, path being the name for messages. Takes the lock. */
armilla_status armilla_fits_create(const char *name, const char *path, armilla_fits *fits);

/* Closes a file that was written and gives the lock back. Errors: IO. */
armilla_status armilla_fits_finish(armilla_fits *fits);

/* Closes a file that was read, or whose contents do not matter any more; keeps the message of the
 * last error. */
void armilla_fits_close(armilla_fits *fits);

/* Records "PATH: could not ACTION: what cfitsio says" for a cfitsio status. */
armilla_status armilla_fits_fail(const armilla_fits *fits, const char *action, int code);

/* Moves to extension hdu (0 = primary, as healpy counts).
 * Returned: *type  IMAGE_HDU, ASCII_TBL or BINARY_TBL.
 * Errors:   ARGUMENT (beyond the end), FORMAT. */
armilla_status armilla_fits_move(const armilla_fits *fits, int hdu, int *type);

/* Does the file end where it should? Errors: FORMAT. */
armilla_status armilla_fits_check_end(const armilla_fits *fits);

/* A keyword of the current HDU.
 * Returned: 1 and the value;  0, value untouched: absent, or not of this kind.
 * Text comes without quotes and blanks around it. */
int armilla_fits_text(const armilla_fits *fits, const char *keyword,
                      char value[ARMILLA_IO_NAME_SIZE]);
int armilla_fits_integer(const armilla_fits *fits, const char *keyword, int64_t *value);
int armilla_fits_number(const armilla_fits *fits, const char *keyword, double *value);

/* Records "PATH: CARD = VALUE: RULE", or that the card is missing, and returns FORMAT. */
armilla_status armilla_fits_refuse(const armilla_fits *fits, const char *card, const char *rule);

/* Is the text equal to word, in any case? */
int armilla_text_is(const char *text, const char *word);

/* 'G', 'E', 'C' or 0 from the keyword COORDSYS. */
char armilla_fits_coordsys(const armilla_fits *fits);

#endif

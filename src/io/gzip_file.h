/* Compressed files: by gzip or bzip2, unpacked before they are read; by gzip, packed after they are
 * written.
 *
 * Both go through files and not through memory, so that a small file that unpacks to a huge one
 * fills a disk, which is an error, and not the memory, which would be the end of the process. */
#ifndef ARMILLA_IO_GZIP_FILE_H
#define ARMILLA_IO_GZIP_FILE_H

#include "base/status.h"
#include <sys/types.h>

typedef enum armilla_packing {
    ARMILLA_PACKING_NONE = 0,
    ARMILLA_PACKING_GZIP = 1,
    ARMILLA_PACKING_BZIP2 = 2
} armilla_packing;

/* What these first bytes of a file say about it. */
armilla_packing armilla_packing_of(const unsigned char *bytes, size_t length);

/* Reads the first bytes of what is packed.
 * Returned: their number, less than size at the end of the contents; -1: damaged. */
ssize_t armilla_packing_peek(armilla_packing packing, int descriptor, unsigned char *bytes,
                             size_t size);

/* The contents of a file as they are without compression. */
typedef struct armilla_plain_file {
    const char *name; /* to open: the path itself, or that of a temporary file */
    int64_t size;     /* bytes */
    char *temporary;  /* NULL: none */
} armilla_plain_file;

/* Given:    path, size  of a regular file;  packing  of its bytes.
 * Returned: *plain; end it with armilla_plain_close, which may come before the file is closed.
 * Errors:   IO, FORMAT (damaged or truncated), MEMORY, UNSUPPORTED (bzip2 in a build without it).
 * Notes:    the temporary file is in $TMPDIR, or else in /tmp. */
armilla_status armilla_plain_open(const char *path, int64_t size, armilla_packing packing,
                                  armilla_plain_file *plain);
void armilla_plain_close(armilla_plain_file *plain);

/* Does the name of a file to be written ask for compression, by ending in ".gz"? */
int armilla_gzip_is_name(const char *path);

/* Puts the packed contents of the file `name` in its place; path is the name for messages.
 * The same contents always give the same bytes: neither name nor time is stored.
 * Errors:   IO, MEMORY; then `name` may be gone. */
armilla_status armilla_gzip_pack(const char *name, const char *path);

#endif

/* Files compressed by bzip2, which are read only: their contents as they are without compression.
 * In a build without libbz2 both functions say so. */
#ifndef ARMILLA_IO_BZIP2_FILE_H
#define ARMILLA_IO_BZIP2_FILE_H

#include "base/status.h"
#include <sys/types.h>

/* Do these first bytes of a file say that bzip2 made it? */
int armilla_bzip2_is_magic(const unsigned char *bytes, size_t length);

/* Reads the first bytes of what is packed.
 * Returned: their number, less than size at the end of the contents; -1: damaged, or this build
 * cannot tell. */
ssize_t armilla_bzip2_peek(int descriptor, unsigned char *bytes, size_t size);

/* Writes the contents of the file `from` to the file `to`; *size grows by their bytes. Several
 * streams one after the other, as parallel programs make them, are one file.
 * Given:    path  for messages.
 * Errors:   IO, FORMAT (damaged or truncated), MEMORY, UNSUPPORTED (a build without libbz2). */
armilla_status armilla_bzip2_unpack(int from, const char *path, int to, int64_t *size);

#endif

/* Reads and writes stretches of open files whole, whatever interrupts the system's calls. */
#ifndef ARMILLA_IO_BYTES_H
#define ARMILLA_IO_BYTES_H

#include <stdint.h>

/* Moves bytes at a place of the file. Returned: 0: errno says why; EIO at the end of the file. */
int armilla_bytes_read(int descriptor, int64_t at, int64_t count, unsigned char *bytes);
int armilla_bytes_write(int descriptor, int64_t at, int64_t count, const unsigned char *bytes);

#endif

/* Repeats the system's reads and writes at a place of a file until all bytes have been moved. */
#include "io/bytes.h"

#include <errno.h>
#include <unistd.h>

int armilla_bytes_read(int descriptor, int64_t at, int64_t count, unsigned char *bytes)
{
    while (count > 0) {
        const ssize_t done = pread(descriptor, bytes, (size_t)count, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done == 0) errno = EIO;
        if (done <= 0) return 0;
        bytes += done;
        at += done;
        count -= done;
    }
    return 1;
}

int armilla_bytes_write(int descriptor, int64_t at, int64_t count, const unsigned char *bytes)
{
    while (count > 0) {
        const ssize_t done = pwrite(descriptor, bytes, (size_t)count, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return 0;
        bytes += done;
        at += done;
        count -= done;
    }
    return 1;
}

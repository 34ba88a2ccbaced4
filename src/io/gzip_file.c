/* Unpacks files compressed by gzip or bzip2 into temporary files, from which they are then read,
 * and compresses those that are written where their names end in .gz. It uses zlib for gzip, and
 * bzip2_file.c for bzip2. */
#include "io/gzip_file.h"

#include "base/memory.h"
#include "io/bytes.h"
#include "io/bzip2_file.h"
#include "io/file_error.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { CHUNK = 1 << 18 }; /* bytes per read and write */

armilla_packing armilla_packing_of(const unsigned char *bytes, size_t length)
{
    if (length >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) return ARMILLA_PACKING_GZIP;
    return armilla_bzip2_is_magic(bytes, length) ? ARMILLA_PACKING_BZIP2 : ARMILLA_PACKING_NONE;
}

int armilla_gzip_is_name(const char *path)
{
    size_t length = strlen(path);
    return length >= 3 && !strcmp(path + length - 3, ".gz");
}

/* A stream that closes its own copy of the descriptor; NULL: errno says why. */
static gzFile open_stream(int descriptor, const char *mode)
{
    errno = ENOMEM; /* the reason that zlib does not tell */
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    gzFile stream = copy < 0 ? NULL : gzdopen(copy, mode);
    if (!stream && copy >= 0) close(copy);
    return stream;
}

static ssize_t gzip_peek(int descriptor, unsigned char *bytes, size_t size)
{
    if (lseek(descriptor, 0, SEEK_SET)) return -1;
    gzFile stream = open_stream(descriptor, "rb");
    if (!stream) return -1;
    int length = gzread(stream, bytes, (unsigned)size);
    gzclose_r(stream);
    return length;
}

ssize_t armilla_packing_peek(armilla_packing packing, int descriptor, unsigned char *bytes,
                             size_t size)
{
    return packing == ARMILLA_PACKING_BZIP2 ? armilla_bzip2_peek(descriptor, bytes, size)
                                            : gzip_peek(descriptor, bytes, size);
}

/* --- Unpacking -------------------------------------------------------------------------------- */

/* What zlib says about a stream that could not be read. */
static armilla_status fail_stream(const char *path, int code, const char *text)
{
    if (code == Z_ERRNO) return armilla_fail_file(path, "read it", errno ? errno : EIO);
    if (code == Z_MEM_ERROR) return armilla_fail_file(path, "unpack it", ENOMEM);
    return armilla_fail(
        ARMILLA_ERROR_FORMAT, "%s: %s: copy or download it again", armilla_path_shown(path),
        code == Z_BUF_ERROR ? "truncated: its compressed data end too early" : text);
}

static armilla_status unpack_stream(gzFile stream, const char *path, int to, int64_t *size)
{
    unsigned char *bytes = NULL;
    int length = 0, code = Z_OK;
    armilla_status status = armilla_allocate(&bytes, CHUNK, 1);
    while (!status && (length = gzread(stream, bytes, CHUNK)) > 0) {
        if (!armilla_bytes_write(to, *size, length, bytes))
            status = armilla_fail_file(path, "unpack it into TMPDIR", errno);
        *size += length;
    }
    if (!status) gzerror(stream, &code);
    if (!status && code != Z_OK)
        status = fail_stream(path, code, "its compressed data are damaged");
    armilla_release(bytes);
    return status;
}

static armilla_status gzip_unpack(int from, const char *path, int to, int64_t *size)
{
    gzFile stream = open_stream(from, "rb");
    armilla_status status = stream ? unpack_stream(stream, path, to, size)
                                   : armilla_fail_file(path, "unpack it", errno);
    int code = stream ? gzclose_r(stream) : Z_OK; /* Z_BUF_ERROR: the end is missing */
    if (!status && code != Z_OK) status = fail_stream(path, code, "its end is damaged");
    return status;
}

static armilla_status unpack_to(const char *path, armilla_packing packing, int to, int64_t *size)
{
    int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0) return armilla_fail_file(path, "open it", errno);
    armilla_status status = packing == ARMILLA_PACKING_BZIP2
                                ? armilla_bzip2_unpack(from, path, to, size)
                                : gzip_unpack(from, path, to, size);
    close(from);
    return status;
}

static armilla_status create_temporary(const char *path, char **name, int *descriptor)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder) folder = "/tmp";
    size_t size = strlen(folder) + sizeof "/armilla-XXXXXX";
    armilla_status status = armilla_allocate(name, (int64_t)size, 1);
    if (status) return status;
    snprintf(*name, size, "%s/armilla-XXXXXX", folder);
    *descriptor = mkstemp(*name);
    if (*descriptor >= 0) return ARMILLA_OK;
    status = armilla_fail_file(path, "unpack it: no file can be created in TMPDIR", errno);
    armilla_release(*name);
    *name = NULL;
    return status;
}

armilla_status armilla_plain_open(const char *path, int64_t size, armilla_packing packing,
                                  armilla_plain_file *plain)
{
    int descriptor = -1;
    *plain = (armilla_plain_file){path, size, NULL};
    if (packing == ARMILLA_PACKING_NONE) return ARMILLA_OK;
    armilla_status status = create_temporary(path, &plain->temporary, &descriptor);
    if (status) return status;
    plain->size = 0;
    status = unpack_to(path, packing, descriptor, &plain->size);
    if (close(descriptor) && !status)
        status = armilla_fail_file(path, "unpack it into TMPDIR", errno);
    plain->name = plain->temporary;
    if (status) armilla_plain_close(plain);
    return status;
}

void armilla_plain_close(armilla_plain_file *plain)
{
    if (plain->temporary) unlink(plain->temporary);
    armilla_release(plain->temporary);
    plain->temporary = NULL;
}

/* --- Packing ---------------------------------------------------------------------------------- */

static ssize_t read_some(int descriptor, unsigned char *bytes)
{
    ssize_t length;
    do {
        length = read(descriptor, bytes, CHUNK);
    } while (length < 0 && errno == EINTR);
    return length;
}

/* Returned: 0, or errno. */
static int pack_stream(int from, gzFile stream, unsigned char *bytes)
{
    ssize_t length;
    while ((length = read_some(from, bytes)) > 0) {
        errno = 0;
        if (gzwrite(stream, bytes, (unsigned)length) != (int)length) return errno ? errno : EIO;
    }
    return length < 0 ? errno : 0;
}

static armilla_status pack_to(int from, int to, const char *path)
{
    unsigned char *bytes = NULL;
    armilla_status status = armilla_allocate(&bytes, CHUNK, 1);
    if (status) return status;
    gzFile stream = open_stream(to, "wb");
    int error = stream ? pack_stream(from, stream, bytes) : errno;
    errno = 0;
    if (stream && gzclose_w(stream) != Z_OK && !error) error = errno ? errno : EIO;
    armilla_release(bytes);
    return error ? armilla_fail_file(path, "compress it", error) : ARMILLA_OK;
}

/* The name goes to a new file while the old one, without a name, is still open: a kill leaves no
 * second temporary file. */
armilla_status armilla_gzip_pack(const char *name, const char *path)
{
    int from = open(name, O_RDONLY | O_CLOEXEC);
    if (from < 0) return armilla_fail_file(path, "reopen what was written", errno);
    unlink(name);
    int to = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    armilla_status status = to < 0 ? armilla_fail_file(path, "create a compressed file", errno)
                                   : pack_to(from, to, path);
    if (to >= 0 && close(to) && !status) status = armilla_fail_file(path, "compress it", errno);
    close(from);
    return status;
}

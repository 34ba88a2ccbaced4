/* Unpacks files that bzip2 has compressed, with libbz2, or reports that this build cannot. The
 * format begins with "BZh" and a digit; after the end of a stream another one may begin. */
#include "io/bzip2_file.h"

#include "io/file_error.h"
#include <string.h>
#ifdef ARMILLA_WITH_BZIP2
#include "base/memory.h"
#include "io/bytes.h"
#include <bzlib.h>
#include <errno.h>
#include <unistd.h>
#endif

int armilla_bzip2_is_magic(const unsigned char *bytes, size_t length)
{
    return length >= 4 && !memcmp(bytes, "BZh", 3) && bytes[3] >= '1' && bytes[3] <= '9';
}

#ifdef ARMILLA_WITH_BZIP2

enum { CHUNK = 1 << 18 }; /* bytes per read and write */

typedef struct unpacker {
    int from;
    bz_stream stream;
    int is_open;     /* a stream has begun */
    int code, error; /* of bzip2, of the system; BZ_OK, 0: none */
    char packed[CHUNK];
} unpacker;

/* Fills the packed bytes. Returned: 0 at the end of the file, and after errors. */
static int refill(unpacker *u)
{
    ssize_t length;
    if (u->stream.avail_in > 0) return 1;
    do {
        length = read(u->from, u->packed, CHUNK);
    } while (length < 0 && errno == EINTR);
    if (length < 0) u->error = errno;
    u->stream.next_in = u->packed;
    u->stream.avail_in = length > 0 ? (unsigned)length : 0;
    return length > 0;
}

/* Ends the stream; what is left of the packed bytes belongs to the next one. */
static void end_stream(unpacker *u)
{
    const bz_stream rest = u->stream;
    if (u->is_open) BZ2_bzDecompressEnd(&u->stream);
    u->is_open = 0;
    memset(&u->stream, 0, sizeof u->stream);
    u->stream.next_in = rest.next_in;
    u->stream.avail_in = rest.avail_in;
}

/* The next bytes of the contents. Returned: their number; 0 at the end, and after errors. */
static size_t unpack_some(unpacker *u, char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size && u->code == BZ_OK) {
        const int has_input = refill(u); /* without, there may still be output in the stream */
        if (u->error || (!has_input && !u->is_open)) break;
        if (!u->is_open) u->code = BZ2_bzDecompressInit(&u->stream, 0, 0);
        if (u->code != BZ_OK) break;
        u->is_open = 1;
        const size_t before = done;
        u->stream.next_out = bytes + done;
        u->stream.avail_out = (unsigned)(size - done);
        const int code = BZ2_bzDecompress(&u->stream);
        done = size - u->stream.avail_out;
        if (code == BZ_STREAM_END)
            end_stream(u);
        else
            u->code = code;
        if (!has_input && done == before) break;
    }
    return done;
}

static void begin(int from, unpacker *u)
{
    memset(u, 0, offsetof(unpacker, packed));
    u->from = from;
}

ssize_t armilla_bzip2_peek(int descriptor, unsigned char *bytes, size_t size)
{
    unpacker *u = NULL;
    if (lseek(descriptor, 0, SEEK_SET) || armilla_allocate(&u, 1, sizeof *u)) return -1;
    begin(descriptor, u);
    const size_t length = unpack_some(u, (char *)bytes, size);
    const int failed = u->code != BZ_OK || u->error;
    end_stream(u);
    armilla_release(u);
    return failed && length == 0 ? -1 : (ssize_t)length;
}

/* The packed bytes end: is it where a stream does? */
static armilla_status check_end(const unpacker *u, const char *path)
{
    if (u->error) return armilla_fail_file(path, "read it", u->error);
    if (u->code == BZ_MEM_ERROR) return armilla_fail_file(path, "unpack it", ENOMEM);
    if (u->code == BZ_OK && !u->is_open) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: %s: copy or download it again",
                        armilla_path_shown(path),
                        u->code == BZ_OK ? "truncated: its compressed data end too early"
                                         : "its compressed data are damaged");
}

armilla_status armilla_bzip2_unpack(int from, const char *path, int to, int64_t *size)
{
    unpacker *u = NULL;
    unsigned char *bytes = NULL;
    size_t length;
    armilla_status status = armilla_allocate(&u, 1, sizeof *u);
    if (!status) status = armilla_allocate(&bytes, CHUNK, 1);
    if (!status) begin(from, u);
    while (!status && (length = unpack_some(u, (char *)bytes, CHUNK)) > 0) {
        if (!armilla_bytes_write(to, *size, (int64_t)length, bytes))
            status = armilla_fail_file(path, "unpack it into TMPDIR", errno);
        *size += (int64_t)length;
    }
    if (!status) status = check_end(u, path);
    if (u && bytes) end_stream(u);
    armilla_release(bytes);
    armilla_release(u);
    return status;
}

#else

ssize_t armilla_bzip2_peek(int descriptor, unsigned char *bytes, size_t size)
{
    (void)descriptor, (void)bytes, (void)size;
    return -1;
}

armilla_status armilla_bzip2_unpack(int from, const char *path, int to, int64_t *size)
{
    (void)from, (void)to, (void)size;
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "%s: is compressed by bzip2, which this build cannot unpack: bunzip2 does",
                        armilla_path_shown(path));
}

#endif

/* Makes files of tables whose rows come later, in any sequence: headers first, each with the number
 * of rows put into its card, then moved to where the tables before it leave room, and the file gets
 * its whole length. */
#include "io/table_file.h"

#include "base/memory.h"
#include "base/platform.h"
#include "io/bytes.h"
#include "io/file_error.h"
#include "io/gzip_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 2880, CARD = 80, ROWS_CARD = 4, VALUE_AT = 10, VALUE_SIZE = 20 };

/* --- Beginning -------------------------------------------------------------------------------- */

armilla_status armilla_table_file_begin(const char *path, int overwrite, armilla_table_file *file)
{
    memset(file, 0, sizeof *file);
    file->descriptor = -1;
    armilla_status status = armilla_check_given("path", path);
    if (status) return status;
    const int64_t size = (int64_t)strlen(path) + 1;
    if ((status = armilla_allocate(&file->path, size, 1))) return status;
    memcpy(file->path, path, (size_t)size);
    status = armilla_output_begin(file->path, overwrite, &file->output);
    if (status) file->output.file = NULL; /* it is gone already */
    return status;
}

/* --- Headers ---------------------------------------------------------------------------------- */

/* Where the header of each table begins, and in head[ntables] where the file ends. */
static armilla_status find_headers(const armilla_fits *fits, int64_t ntables, int64_t *head)
{
    LONGLONG header = 0, data = 0, end = 0;
    int code = 0;
    for (int64_t i = 0; i < ntables && !code; i++) {
        fits_movabs_hdu(fits->handle, (int)i + 2, NULL, &code);
        fits_get_hduaddrll(fits->handle, &header, &data, &end, &code);
        head[i] = header;
        head[i + 1] = data;
    }
    return code ? armilla_fits_fail(fits, "find the table", code) : ARMILLA_OK;
}

/* cfitsio's part ends here, after errors as well. */
static armilla_status close_headers(armilla_table_file *file, armilla_status status,
                                    int64_t ntables, int64_t *head)
{
    armilla_fits *fits = &file->output.fits;
    if (!status) status = find_headers(fits, ntables, head);
    if (!status) return armilla_fits_finish(fits);
    armilla_fits_close(fits);
    return status;
}

/* Puts the number of rows into a header, whose table has none so far. */
static armilla_status set_rows(const armilla_table_file *file, int64_t rows, unsigned char *header)
{
    char number[VALUE_SIZE + 1];
    unsigned char *card = header + ROWS_CARD * CARD;
    if (memcmp(card, "NAXIS2  = ", VALUE_AT) != 0)
        return armilla_fail(ARMILLA_ERROR_INTERNAL, "%s: no NAXIS2 where it should be",
                            armilla_path_shown(file->path));
    snprintf(number, sizeof number, "%*lld", VALUE_SIZE, (long long)rows);
    memcpy(card + VALUE_AT, number, VALUE_SIZE);
    return ARMILLA_OK;
}

/* --- Room ------------------------------------------------------------------------------------- */

/* Takes the room on the disk at once: a full one is found before the work and not after it. Headers
 * that will move are cut off first, so that nothing is left where they were. */
static armilla_status set_length(const armilla_table_file *file, int64_t kept, int64_t length)
{
    if (ftruncate(file->descriptor, (off_t)kept))
        return armilla_fail_file(file->path, "write it", errno);
    const int error = armilla_platform_take_room(file->descriptor, length);
    return error ? armilla_fail_file(file->path, "write it", error) : ARMILLA_OK;
}

/* The headers, whose bytes are given from head[0] on, to their places. */
static armilla_status place_headers(armilla_table_file *file, int64_t rows, const int64_t *head,
                                    unsigned char *bytes)
{
    const int64_t data = (rows * file->output.row_bytes + BLOCK - 1) / BLOCK * BLOCK;
    armilla_status status = set_length(file, head[0], head[file->ntables] + file->ntables * data);
    for (int64_t i = 0; i < file->ntables && !status; i++) {
        const int64_t size = head[i + 1] - head[i], at = head[i] + i * data;
        unsigned char *header = bytes + (head[i] - head[0]);
        file->start[i] = at + size;
        status = set_rows(file, rows, header);
        if (!status && !armilla_bytes_write(file->descriptor, at, size, header))
            status = armilla_fail_file(file->path, "write it", errno);
    }
    return status;
}

static armilla_status lay_out(armilla_table_file *file, int64_t rows, const int64_t *head)
{
    const int64_t size = head[file->ntables] - head[0];
    unsigned char *bytes = NULL;
    file->descriptor = open(armilla_atomic_name(file->output.file), O_RDWR | O_CLOEXEC);
    if (file->descriptor < 0)
        return armilla_fail_file(file->path, "reopen what was written", errno);
    armilla_status status = armilla_allocate(&bytes, size, 1);
    if (!status && !armilla_bytes_read(file->descriptor, head[0], size, bytes))
        status = armilla_fail_file(file->path, "read what was written", errno);
    if (!status) status = place_headers(file, rows, head, bytes);
    armilla_release(bytes);
    return status;
}

armilla_status armilla_table_file_lay_out(armilla_table_file *file, armilla_status status,
                                          int64_t ntables, int64_t rows)
{
    int64_t *head = NULL;
    file->ntables = ntables;
    if (!status) status = armilla_allocate(&file->start, ntables, sizeof *file->start);
    if (!status) status = armilla_allocate_zero(&head, ntables + 1, sizeof *head);
    status = close_headers(file, status, ntables, head);
    if (!status) status = lay_out(file, rows, head);
    armilla_release(head);
    if (!status) armilla_atomic_pause(file->output.file);
    return status;
}

/* --- Rows ------------------------------------------------------------------------------------- */

const char *armilla_table_file_temporary(const armilla_table_file *file)
{
    return file->output.file ? armilla_atomic_name(file->output.file) : NULL;
}

armilla_status armilla_table_file_check(const armilla_table_file *file)
{
    if (file->output.file) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s: is finished already",
                        armilla_path_shown(file->path));
}

armilla_status armilla_table_file_write(armilla_table_file *file, int64_t at, int64_t count,
                                        const unsigned char *bytes)
{
    armilla_status status = armilla_table_file_check(file);
    if (status) return status;
    armilla_atomic_resume(file->output.file);
    if (!armilla_bytes_write(file->descriptor, at, count, bytes))
        status = armilla_fail_file(file->path, "write it", errno);
    armilla_atomic_pause(file->output.file);
    return status;
}

/* --- End -------------------------------------------------------------------------------------- */

static armilla_status close_descriptor(armilla_table_file *file)
{
    const int failed = close(file->descriptor);
    file->descriptor = -1;
    return failed ? armilla_fail_file(file->path, "finish it", errno) : ARMILLA_OK;
}

armilla_status armilla_table_file_finish(armilla_table_file *file)
{
    armilla_status status = armilla_table_file_check(file);
    if (status) return status;
    armilla_atomic_file *atomic = file->output.file;
    file->output.file = NULL;
    armilla_atomic_resume(atomic);
    status = close_descriptor(file);
    if (!status && file->output.is_packed)
        status = armilla_gzip_pack(armilla_atomic_name(atomic), file->path);
    if (!status) return armilla_atomic_commit(atomic);
    armilla_atomic_abort(atomic);
    return status;
}

void armilla_table_file_clear(armilla_table_file *file)
{
    if (!file->path) return; /* never begun */
    if (file->descriptor >= 0) close(file->descriptor);
    armilla_atomic_abort(file->output.file);
    armilla_release(file->start);
    armilla_release(file->path);
    memset(file, 0, sizeof *file);
}

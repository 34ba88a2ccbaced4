/* Maps written into files in pieces. See armilla/io.h.
 *
 * cfitsio writes the header, of a table of no rows, and is closed again. Then the number of rows is
 * put into its card, the file gets its whole length, and cells are written where they belong, in
 * any order: cfitsio would first fill the table with zeros, from its start to the first pixel that
 * is written, and write every byte twice. */
#include "armilla/grid.h"
#include "armilla/io.h"
#include "base/memory.h"
#include "io/bytes.h"
#include "io/file_error.h"
#include "io/gzip_file.h"
#include "io/map_cells.h"
#include "io/map_layout.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 2880, CARD = 80, ROWS_CARD = 4, VALUE_AT = 10, VALUE_SIZE = 20, MAX_FIELDS = 998 };

struct armilla_map_output {
    char *path;
    armilla_map map; /* a copy, without values */
    armilla_map_layout layout;
    armilla_output output; /* its file; NULL: published, or never begun */
    int descriptor;        /* of the temporary file; -1: none */
    int64_t start;         /* of the table's rows */
};

/* --- Header ----------------------------------------------------------------------------------- */

/* The fields without their values; what is wrong with the map armilla_map_layout_make tells. */
static armilla_status copy_map(const armilla_map *map, armilla_map *copy)
{
    armilla_status status = armilla_check_given("map", map);
    if (status) return status;
    *copy = *map;
    copy->fields = NULL;
    if (!map->fields || map->nfields < 1 || map->nfields > MAX_FIELDS) return ARMILLA_OK;
    status = armilla_allocate(&copy->fields, map->nfields, sizeof *copy->fields);
    for (int64_t i = 0; !status && i < map->nfields; i++) {
        copy->fields[i] = map->fields[i];
        copy->fields[i].values = NULL;
    }
    return status;
}

static armilla_status check_order(const armilla_map *map)
{
    if (map->partial)
        return armilla_fail_argument("map->partial", map->partial,
                                     "must be 0 for a map that is written in pieces");
    if (map->order != ARMILLA_IO_RING)
        return armilla_fail_argument("map->order", map->order,
                                     "must be RING for a map that is written in pieces");
    return ARMILLA_OK;
}

/* The file has a header, and its table has no rows: puts their number in. *head: where the header
 * begins. */
static armilla_status set_rows(const armilla_map_output *output, int64_t head, int64_t rows)
{
    unsigned char card[CARD];
    char number[VALUE_SIZE + 1];
    const int64_t at = head + ROWS_CARD * CARD;
    if (!armilla_bytes_read(output->descriptor, at, CARD, card))
        return armilla_fail_file(output->path, "read what was written", errno);
    if (memcmp(card, "NAXIS2  = ", VALUE_AT) != 0)
        return armilla_fail(ARMILLA_ERROR_INTERNAL, "%s: no NAXIS2 where it should be",
                            armilla_path_shown(output->path));
    snprintf(number, sizeof number, "%*lld", VALUE_SIZE, (long long)rows);
    if (armilla_bytes_write(output->descriptor, at + VALUE_AT, VALUE_SIZE,
                            (const unsigned char *)number))
        return ARMILLA_OK;
    return armilla_fail_file(output->path, "write it", errno);
}

/* Takes the room on the disk at once: a full one is found before the work and not after it. */
static armilla_status set_length(armilla_map_output *output, int64_t rows)
{
    struct stat info;
    if (fstat(output->descriptor, &info))
        return armilla_fail_file(output->path, "read what was written", errno);
    output->start = (int64_t)info.st_size;
    const int64_t blocks = (rows * output->output.row_bytes + BLOCK - 1) / BLOCK;
    const off_t length = (off_t)(output->start + blocks * BLOCK);
    int error = posix_fallocate(output->descriptor, 0, length);
    if (error == EINVAL || error == EOPNOTSUPP || error == ENOSYS) /* this filesystem cannot */
        error = ftruncate(output->descriptor, length) ? errno : 0;
    return error ? armilla_fail_file(output->path, "write it", error) : ARMILLA_OK;
}

/* The header through cfitsio. *head: where that of the table begins. */
static armilla_status write_header(armilla_map_output *output, int64_t *head)
{
    LONGLONG header = 0, data = 0, end = 0;
    int code = 0;
    armilla_fits *fits = &output->output.fits;
    armilla_status status = armilla_map_layout_begin(&output->layout, 0, &output->output);
    if (!status) fits_get_hduaddrll(fits->handle, &header, &data, &end, &code);
    if (code) status = armilla_fits_fail(fits, "find the table", code);
    *head = header;
    if (!status) return armilla_fits_finish(fits);
    armilla_fits_close(fits);
    return status;
}

static armilla_status begin_file(armilla_map_output *output)
{
    int64_t head = 0;
    const int64_t rows = output->map.npix / output->layout.repeat;
    armilla_status status =
        armilla_output_begin(output->path, output->layout.options.overwrite, &output->output);
    if (status) {
        output->output.file = NULL; /* it is gone already */
        return status;
    }
    if ((status = write_header(output, &head))) return status;
    output->descriptor = open(armilla_atomic_name(output->output.file), O_RDWR | O_CLOEXEC);
    if (output->descriptor < 0)
        return armilla_fail_file(output->path, "reopen what was written", errno);
    status = set_rows(output, head, rows);
    return status ? status : set_length(output, rows);
}

static armilla_status make_output(const char *path, const armilla_map *map,
                                  const armilla_write_options *options, armilla_map_output *output)
{
    const int64_t size = (int64_t)strlen(path) + 1;
    output->descriptor = -1;
    armilla_status status = copy_map(map, &output->map);
    if (!status) status = armilla_map_layout_make(&output->map, options, &output->layout);
    if (!status) status = check_order(&output->map);
    if (!status) status = armilla_allocate(&output->path, size, 1);
    if (status) return status;
    memcpy(output->path, path, (size_t)size);
    status = begin_file(output);
    output->layout.options.keywords = NULL; /* the caller's; they are written */
    output->layout.options.nkeywords = 0;
    return status;
}

armilla_status armilla_map_output_new(const char *path, const armilla_map *map,
                                      const armilla_write_options *options,
                                      armilla_map_output **output)
{
    armilla_map_output *new = NULL;
    armilla_status status = armilla_check_given("output", output);
    if (!status) status = armilla_check_given("path", path);
    if (!status) status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (status) return status;
    status = make_output(path, map, options, new);
    if (status) {
        armilla_map_output_free(new);
        return status;
    }
    armilla_atomic_pause(new->output.file);
    *output = new;
    return ARMILLA_OK;
}

void armilla_map_output_free(armilla_map_output *output)
{
    if (!output) return;
    if (output->descriptor >= 0) close(output->descriptor);
    armilla_atomic_abort(output->output.file);
    armilla_map_layout_clear(&output->layout);
    armilla_release(output->map.fields);
    armilla_release(output->path);
    armilla_release(output);
}

/* --- Pixels ----------------------------------------------------------------------------------- */

static armilla_status fail_value(const armilla_map_output *output, int64_t field, int64_t pixel,
                                 double value)
{
    const armilla_io_type type = output->map.fields[field].type;
    const int is_missing = isnan(value) || value == ARMILLA_UNSEEN;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "field %lld, pixel %lld = %g: does not fit into the type %s%s",
                        (long long)field, (long long)pixel, value, armilla_type_name(type),
                        is_missing ? ", which has no mark of missing pixels in a map that is "
                                     "written in pieces: take int16"
                                   : "");
}

/* Stores the pixels from `first` on that are in a window, cell by cell. */
static armilla_status store_window(const armilla_map_output *output, int64_t field,
                                   const armilla_cells *cells, int64_t first,
                                   const armilla_cells_window *window, const double *values,
                                   unsigned char *bytes)
{
    const int64_t end = first + window->count;
    for (int64_t pixel = first, run; pixel < end; pixel += run, values += run) {
        run = window->is_whole ? window->count : armilla_cells_run(cells, pixel);
        if (run > end - pixel) run = end - pixel;
        unsigned char *at = bytes + (armilla_cells_byte(cells, pixel) - window->at);
        const int64_t done = armilla_map_layout_store(&output->layout, field, run, values, at);
        if (done < run) return fail_value(output, field, pixel + done, values[done]);
    }
    return ARMILLA_OK;
}

static armilla_status write_pixels(const armilla_map_output *output, int64_t field, int64_t first,
                                   int64_t count, const double *values)
{
    const armilla_output_column *column = armilla_map_layout_column(&output->layout, field);
    const armilla_cells cells = {.start = output->start,
                                 .row_bytes = output->output.row_bytes,
                                 .offset = column->offset,
                                 .width = armilla_type_width(column->type),
                                 .repeat = column->repeat};
    const int descriptor = output->descriptor;
    unsigned char *bytes = NULL;
    armilla_status status = armilla_allocate(&bytes, armilla_cells_room(&cells, count), 1);
    while (!status && count > 0) {
        const armilla_cells_window window = armilla_cells_look(&cells, first, count);
        int is_done =
            window.is_whole || armilla_bytes_read(descriptor, window.at, window.bytes, bytes);
        if (is_done) {
            status = store_window(output, field, &cells, first, &window, values, bytes);
            is_done = status || armilla_bytes_write(descriptor, window.at, window.bytes, bytes);
        }
        if (!is_done) status = armilla_fail_file(output->path, "write it", errno);
        first += window.count;
        count -= window.count;
        values += window.count;
    }
    armilla_release(bytes);
    return status;
}

static armilla_status check_open(const armilla_map_output *output)
{
    armilla_status status = armilla_check_given("output", output);
    if (status || output->output.file) return status;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s: is finished already",
                        armilla_path_shown(output->path));
}

armilla_status armilla_map_output_write(armilla_map_output *output, int64_t field, int64_t first,
                                        int64_t count, const double *values)
{
    armilla_status status = check_open(output);
    if (!status) status = armilla_check_given("values", values);
    if (!status && (field < 0 || field >= output->map.nfields))
        status = armilla_fail_argument("field", field, "must be a field of the map");
    if (!status) status = armilla_cells_check(first, count, output->map.npix);
    if (status) return status;
    armilla_atomic_resume(output->output.file);
    status = write_pixels(output, field, first, count, values);
    armilla_atomic_pause(output->output.file);
    return status;
}

/* --- End -------------------------------------------------------------------------------------- */

static armilla_status close_file(armilla_map_output *output)
{
    const int failed = close(output->descriptor);
    output->descriptor = -1;
    return failed ? armilla_fail_file(output->path, "finish it", errno) : ARMILLA_OK;
}

armilla_status armilla_map_output_finish(armilla_map_output *output)
{
    armilla_status status = check_open(output);
    if (status) return status;
    armilla_atomic_file *file = output->output.file;
    output->output.file = NULL;
    armilla_atomic_resume(file);
    status = close_file(output);
    if (!status && output->output.is_packed)
        status = armilla_gzip_pack(armilla_atomic_name(file), output->path);
    if (!status) return armilla_atomic_commit(file);
    armilla_atomic_abort(file);
    return status;
}

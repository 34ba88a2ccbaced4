/* Maps of files, read in pieces. See armilla/io.h.
 *
 * cfitsio reads the header and is closed again: it can have but one file open at a time here (its
 * lock), and a copy of output would need two. Pixels then come by pread from a descriptor of our
 * own, so that any number of threads may read at once. */
#include "armilla/grid.h"
#include "armilla/io.h"
#include "base/integer.h"
#include "base/memory.h"
#include "io/bytes.h"
#include "io/file_error.h"
#include "io/image_header.h"
#include "io/map_cells.h"
#include "io/map_table.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

struct armilla_map_input {
    char *path;
    int descriptor; /* -1: none */
    int64_t start;  /* of the table's rows */
    armilla_map_table source;
    armilla_map *map; /* without values */
};

/* --- Opening ---------------------------------------------------------------------------------- */

static armilla_status refuse(const armilla_map_input *input, const char *what)
{
    return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                        "%s: %s, so it cannot be read in pieces: armilla_map_read reads it whole, "
                        "and armilla_map_write makes a RING map of the full sky of it",
                        armilla_path_shown(input->path), what);
}

/* UNSUPPORTED for an image that armilla_map_read reads; FORMAT for others. */
static armilla_status refuse_image(const armilla_map_input *input, const armilla_fits *fits,
                                   int hdu)
{
    int type;
    armilla_image_header header = {.width = 0};
    armilla_status status = armilla_fits_move(fits, armilla_image_find(fits, hdu), &type);
    if (!status) status = armilla_image_header_read(fits, &header);
    if (status) return status;
    armilla_image_header_clear(&header);
    return refuse(input, "its map is an image");
}

static armilla_status check_whole(const armilla_map_input *input)
{
    const armilla_map_header *header = &input->source.header;
    if (header->pixel >= 0) return refuse(input, "it is partial, with a list of its pixels");
    if (header->count != header->npix) return refuse(input, "it holds a part of the sky");
    return ARMILLA_OK;
}

static armilla_status find_rows(const armilla_fits *fits, int64_t *start)
{
    LONGLONG header = 0, data = 0, end = 0;
    int code = 0;
    fits_get_hduaddrll(fits->handle, &header, &data, &end, &code);
    *start = data;
    return code ? armilla_fits_fail(fits, "find the table", code) : ARMILLA_OK;
}

static armilla_status open_map(armilla_map_input *input, int hdu)
{
    armilla_fits fits;
    armilla_status status = armilla_fits_open_bytes(input->path, &fits, &input->descriptor);
    if (status) {
        input->descriptor = -1;
        return status;
    }
    if (armilla_image_find(&fits, hdu) >= 0) status = refuse_image(input, &fits, hdu);
    if (!status) status = armilla_map_table_open(&fits, hdu, &input->source);
    if (!status) status = find_rows(&fits, &input->start);
    armilla_fits_close(&fits);
    if (!status) status = check_whole(input);
    if (status) return status;
    return armilla_map_table_describe(&input->source, input->source.header.nfields, NULL,
                                      &input->map);
}

armilla_status armilla_map_input_open(const char *path, int hdu, armilla_map_input **input)
{
    armilla_map_input *new = NULL;
    armilla_status status = armilla_check_given("input", input);
    if (!status) status = armilla_check_given("path", path);
    if (!status) status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (status) return status;
    new->descriptor = -1;
    status = armilla_allocate(&new->path, (int64_t)strlen(path) + 1, 1);
    if (!status) {
        memcpy(new->path, path, strlen(path) + 1);
        status = open_map(new, hdu);
    }
    if (status)
        armilla_map_input_free(new);
    else
        *input = new;
    return status;
}

void armilla_map_input_free(armilla_map_input *input)
{
    if (!input) return;
    if (input->descriptor >= 0) close(input->descriptor);
    armilla_map_table_clear(&input->source);
    armilla_map_free(input->map);
    armilla_release(input->path);
    armilla_release(input);
}

const armilla_map *armilla_map_input_map(const armilla_map_input *input)
{
    return input ? input->map : NULL;
}

/* --- Reading ---------------------------------------------------------------------------------- */

static armilla_cells cells_of(const armilla_map_input *input, const armilla_column *column)
{
    return (armilla_cells){.start = input->start,
                           .row_bytes = input->source.table.row_bytes,
                           .offset = column->offset,
                           .width = column->width,
                           .repeat = column->repeat};
}

/* Decodes the pixels from `first` on that are in a window, cell by cell. */
static armilla_status decode_window(const armilla_map_input *input, int64_t field, int64_t first,
                                    const armilla_cells_window *window, const unsigned char *bytes,
                                    double *values)
{
    const armilla_column *column = armilla_map_table_column(&input->source, field);
    const armilla_cells cells = cells_of(input, column);
    const int64_t end = first + window->count;
    armilla_status status = ARMILLA_OK;
    for (int64_t pixel = first, run; !status && pixel < end; pixel += run) {
        const unsigned char *at = bytes + (armilla_cells_byte(&cells, pixel) - window->at);
        run = window->is_whole ? window->count : armilla_cells_run(&cells, pixel);
        if (run > end - pixel) run = end - pixel;
        armilla_column_decode(column, at, run, values + (pixel - first));
        status = armilla_map_table_exact(&input->source, field, at, run);
    }
    return status;
}

/* Neighbours of the file. */
static armilla_status read_pixels(const armilla_map_input *input, int64_t field, int64_t first,
                                  int64_t count, unsigned char *bytes, double *values)
{
    const armilla_column *column = armilla_map_table_column(&input->source, field);
    const armilla_cells cells = cells_of(input, column);
    while (count > 0) {
        const armilla_cells_window window = armilla_cells_look(&cells, first, count);
        if (!armilla_bytes_read(input->descriptor, window.at, window.bytes, bytes))
            return armilla_fail_file(input->path, "read it", errno);
        const armilla_status status = decode_window(input, field, first, &window, bytes, values);
        if (status) return status;
        armilla_map_table_mark(&input->source, field, window.count, values);
        first += window.count;
        count -= window.count;
        values += window.count;
    }
    return ARMILLA_OK;
}

/* --- NESTED files ----------------------------------------------------------------------------- */

/* Pixels of a square are neighbours of the file, and lie on few rings: a range of RING pixels is
 * read square by square. */
enum { SMALL_SIDE = 32, LARGE_SIDE = 128 };

typedef struct range {
    const armilla_map_input *input;
    int64_t field, first, count;
    double *values;       /* of the range */
    double *square;       /* of a square */
    unsigned char *bytes; /* room for its bytes */
} range;

/* x grows to the north-east, y to the north-west; begin: its first pixel of the file. */
typedef struct square {
    int64_t face, x, y, side, begin;
} square;

/* The RING number of the first pixel of a ring, 1 .. 4 nside; of 4 nside the number of pixels. */
static int64_t ring_begin(int64_t nside, int64_t ring)
{
    const int64_t south = 4 * nside - ring;
    if (ring < nside) return 2 * ring * (ring - 1);
    if (ring > 3 * nside) return 12 * nside * nside - 2 * south * (south + 1);
    return 2 * nside * (nside - 1) + (ring - nside) * 4 * nside;
}

static armilla_status read_square(const range *r, const square *s)
{
    const int64_t nside = r->input->map->nside, count = s->side * s->side;
    armilla_status status = read_pixels(r->input, r->field, s->begin, count, r->bytes, r->square);
    for (int64_t i = 0; i < count && !status; i++) {
        const int64_t at = armilla_healpix_nest_to_ring(nside, s->begin + i) - r->first;
        if (at >= 0 && at < r->count) r->values[at] = r->square[i];
    }
    return status;
}

/* Reads the square, or the parts of it that the range meets. */
static armilla_status read_part(const range *r, const square *s)
{
    const int64_t nside = r->input->map->nside, end = r->first + r->count, half = s->side / 2;
    const int64_t south = (2 + (s->face >> 2)) * nside - s->x - s->y - 1; /* its last ring */
    const int64_t lowest = ring_begin(nside, south - 2 * (s->side - 1));
    const int64_t beyond = ring_begin(nside, south + 1);
    const int is_inside = lowest >= r->first && beyond <= end;
    if (beyond <= r->first || lowest >= end) return ARMILLA_OK;
    if (s->side <= (is_inside ? LARGE_SIDE : SMALL_SIDE)) return read_square(r, s);
    armilla_status status = ARMILLA_OK;
    for (int64_t quarter = 0; quarter < 4 && !status; quarter++)
        status = read_part(r, &(square){.face = s->face,
                                        .x = s->x + (quarter & 1) * half,
                                        .y = s->y + (quarter >> 1) * half,
                                        .side = half,
                                        .begin = s->begin + quarter * half * half});
    return status;
}

static armilla_status read_range(range *r)
{
    const int64_t nside = r->input->map->nside;
    const int64_t side = armilla_smaller(nside, LARGE_SIDE);
    armilla_status status = armilla_allocate(&r->square, side * side, sizeof *r->square);
    for (int64_t face = 0; face < 12 && !status; face++)
        status =
            read_part(r, &(square){.face = face, .side = nside, .begin = face * nside * nside});
    armilla_release(r->square);
    return status;
}

armilla_status armilla_map_input_read(const armilla_map_input *input, int64_t field, int64_t first,
                                      int64_t count, double *values)
{
    unsigned char *bytes = NULL;
    armilla_status status = armilla_check_given("input", input);
    if (!status) status = armilla_check_given("values", values);
    if (!status) status = armilla_map_table_check(&input->source, field);
    if (!status) status = armilla_cells_check(first, count, input->map->npix);
    if (status) return status;
    const armilla_cells cells = cells_of(input, armilla_map_table_column(&input->source, field));
    const int is_nested = input->map->order == ARMILLA_IO_NESTED;
    const int64_t most = is_nested ? LARGE_SIDE * LARGE_SIDE : count;
    status = armilla_allocate(&bytes, armilla_cells_room(&cells, most), 1);
    if (!status && is_nested)
        status = read_range(&(range){input, field, first, count, values, NULL, bytes});
    else if (!status)
        status = read_pixels(input, field, first, count, bytes, values);
    armilla_release(bytes);
    return status;
}

/* Reads doubles of a map piece by piece into floats, and writes floats so. What the library reads
 * or writes as a whole alone (partial maps, images, and grids without a name, which are read in
 * pieces) has room for doubles meanwhile. */
#include "mapfile_float.h"

#include "message.h"
#include "pieces.h"

#include <stdlib.h>

/* One piece of doubles, or in `whole` all of them. */
typedef struct piece {
    double *buffer;
    int64_t size;
} piece;

static int new_piece(int64_t size, int64_t npix, piece *self)
{
    self->size = size < npix ? size : npix;
    self->buffer = malloc((size_t)(self->size + 1) * sizeof *self->buffer);
    return self->buffer ? CLI_OK : memory_error();
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void take_floats(const double *from, int64_t count, float *to)
{
    for (int64_t i = 0; i < count; i++) to[i] = (float)from[i];
}

static armilla_status read_column(const armilla_map_input *input, int64_t column, int64_t npix,
                                  const piece *room, float *values)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t first = 0; first < npix && !status; first += room->size) {
        const int64_t left = npix - first, count = left < room->size ? left : room->size;
        status = armilla_map_input_read(input, column, first, count, room->buffer);
        if (!status) take_floats(room->buffer, count, values + first);
    }
    return status;
}

static int read_columns(const mapfile_request *request, const armilla_map_input *input,
                        int64_t npix, const reals *values)
{
    const map_source like = {.map = armilla_map_input_map(input)};
    piece room;
    int code = new_piece(piece_size(&like), npix, &room);
    for (int64_t i = 0; i < request->ncolumns && code == CLI_OK; i++) {
        const armilla_status status =
            read_column(input, request->columns[i], npix, &room, values[i].floats);
        if (status) code = request->fail(status, request->data);
    }
    free(room.buffer);
    return code;
}

/* input or whole is NULL. */
static int read_from(const mapfile_request *request, const armilla_map_input *input,
                     const armilla_map *whole, pixel_share *share, armilla_map **map, reals *values)
{
    const armilla_map *told = whole ? whole : armilla_map_input_map(input);
    mapfile_request wanted = *request;
    pixel_grid grid = {.grid = NULL};
    if (whole) wanted.columns = NULL; /* which has no others */
    int code = pixel_grid_of_map(told, request->path, &grid);
    if (code == CLI_OK) code = share_new(&grid, share);
    if (code == CLI_OK) code = mapfile_new_part(share, told, &wanted, map, values);
    if (code == CLI_OK && input) code = read_columns(request, input, share->npix, values);
    for (int64_t i = 0; i < request->ncolumns && code == CLI_OK && whole; i++)
        take_floats(whole->fields[i].values, share->npix, values[i].floats);
    return code;
}

int mapfile_read_floats(const mapfile_request *request, pixel_share *share, armilla_map **map,
                        reals *values)
{
    armilla_map_input *input = NULL;
    armilla_map *whole = NULL;
    armilla_status status = mapfile_open(request, &input);
    if (status == ARMILLA_ERROR_UNSUPPORTED)
        status = armilla_map_read(request->path, request->hdu, request->ncolumns, request->columns,
                                  &whole);
    const int code = status ? request->fail(status, request->data)
                            : read_from(request, input, whole, share, map, values);
    armilla_map_free(whole);
    armilla_map_input_free(input);
    return code;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void give_doubles(const float *from, int64_t count, double *to)
{
    for (int64_t i = 0; i < count; i++) to[i] = real_of_float(from[i]);
}

static armilla_status write_field(armilla_map_output *output, int64_t field, int64_t npix,
                                  const piece *room, const float *values)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t first = 0; first < npix && !status; first += room->size) {
        const int64_t left = npix - first, count = left < room->size ? left : room->size;
        give_doubles(values + first, count, room->buffer);
        status = armilla_map_output_write(output, field, first, count, room->buffer);
    }
    return status;
}

static int write_fields(const char *path, armilla_map_output *output, const armilla_map *map,
                        int64_t npix, const reals *values)
{
    const map_source like = {.map = map};
    armilla_status status = ARMILLA_OK;
    piece room;
    const int code = new_piece(piece_size(&like), npix, &room);
    for (int64_t i = 0; i < map->nfields && code == CLI_OK && !status; i++)
        status = write_field(output, i, npix, &room, values[i].floats);
    free(room.buffer);
    if (code == CLI_OK && !status) status = armilla_map_output_finish(output);
    return status ? data_error(status, path) : code;
}

static int write_whole(const char *path, const armilla_map *map, int64_t npix, const reals *values,
                       int overwrite)
{
    armilla_map whole = *map;
    armilla_status status = ARMILLA_OK;
    piece room;
    const int64_t all = map->nfields * npix;
    int code = new_piece(all, all, &room);
    whole.fields = calloc((size_t)map->nfields, sizeof *whole.fields);
    if (code == CLI_OK && !whole.fields) code = memory_error();
    for (int64_t i = 0; i < map->nfields && code == CLI_OK; i++) {
        whole.fields[i] = map->fields[i];
        whole.fields[i].values = room.buffer + i * npix;
        give_doubles(values[i].floats, npix, whole.fields[i].values);
    }
    if (code == CLI_OK) status = armilla_map_write(path, &whole, overwrite);
    free(whole.fields);
    free(room.buffer);
    return status ? data_error(status, path) : code;
}

int mapfile_write_floats(const char *path, const pixel_share *share, const armilla_map *map,
                         const reals *values, int overwrite)
{
    armilla_map_output *output = NULL;
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.overwrite = overwrite;
    const armilla_status status = map->partial
                                      ? ARMILLA_ERROR_UNSUPPORTED
                                      : armilla_map_output_new(path, map, &options, &output);
    if (status == ARMILLA_ERROR_UNSUPPORTED)
        return write_whole(path, map, share->npix, values, overwrite);
    const int code =
        status ? data_error(status, path) : write_fields(path, output, map, share->npix, values);
    armilla_map_output_free(output);
    return code;
}

/* Reads and writes the maps of a command: by armilla_map_read and armilla_map_write where this
 * process is alone, else by armilla_map_input and armilla_map_output, of whose pixels each rank
 * holds its share. Floats are read and written piece by piece (mapfile_float.c). The bytes of the
 * file are the same. */
#include "mapfile.h"

#include "mapfile_float.h"
#include "message.h"
#include "pieces.h"
#include "ranks.h"
#include "ranks_output.h"
#include "windows.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 8 /* of a map that a command reads or writes */ };

/* --- Maps of a share -------------------------------------------------------------------------- */

int mapfile_new_part(const pixel_share *share, const armilla_map *like,
                     const mapfile_request *request, armilla_map **map, reals *values)
{
    const int64_t nfields = request->ncolumns;
    armilla_map *new = malloc(sizeof *new);
    armilla_field *fields = calloc((size_t)nfields, sizeof *fields);
    const reals room = reals_new(request->single, nfields * share->npix);
    if (!new || !fields || !reals_are_there(room)) {
        free(new);
        free(fields);
        reals_free(room);
        return memory_error();
    }
    *new = *like;
    new->nside = share->on.nside, new->npix = share->all;
    new->grid = share->on.nside ? NULL : share->on.grid;
    new->nfields = nfields, new->fields = fields;
    for (int64_t i = 0; i < nfields; i++) {
        fields[i] = like->fields[request->columns ? request->columns[i] : i];
        values[i] = reals_from(room, i * share->npix);
        fields[i].values = values[i].doubles;
    }
    *map = new;
    return CLI_OK;
}

static int new_zeros(const pixel_share *share, int64_t nfields, int single, armilla_map **map,
                     reals *values)
{
    armilla_map *like;
    armilla_status status = armilla_map_new(1, nfields, &like);
    if (status) return library_error(status, NULL);
    const mapfile_request all = {.ncolumns = nfields, .single = single};
    const int code = mapfile_new_part(share, like, &all, map, values);
    armilla_map_free(like);
    return code;
}

/* The values that the fields themselves have. */
static void take_values(const armilla_map *map, reals *values)
{
    for (int64_t i = 0; i < map->nfields; i++)
        values[i] = (reals){.doubles = map->fields[i].values};
}

int mapfile_new(const pixel_share *share, int64_t nfields, int single, armilla_map **map,
                reals *values)
{
    if (ranks_transport() || single)
        return ranks_agree(new_zeros(share, nfields, single, map, values));
    armilla_status status = armilla_map_new_grid(share->on.grid, nfields, map);
    if (status) return library_error(status, NULL);
    take_values(*map, values);
    return CLI_OK;
}

void mapfile_free(armilla_map *map, const reals *values)
{
    if (!map) return;
    if (!ranks_transport() && !values->floats) {
        armilla_map_free(map);
        return;
    }
    reals_free(*values);
    free(map->fields);
    free(map);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static int fail(const mapfile_request *request, armilla_status status)
{
    return request->fail(status, request->data);
}

int mapfile_is_partial(const char *path)
{
    return usage_error("\"%s\": is a partial map, or an image, which ranks cannot read; run "
                       "armilla on one process",
                       path);
}

armilla_status mapfile_open(const mapfile_request *request, armilla_map_input **input)
{
    double none;
    armilla_status status = armilla_map_input_open(request->path, request->hdu, input);
    for (int64_t i = 0; i < request->ncolumns && !status; i++)
        status = armilla_map_input_read(*input, request->columns[i], 0, 0, &none);
    return status;
}

static int open_columns(const mapfile_request *request, armilla_map_input **input)
{
    const armilla_status status = mapfile_open(request, input);
    if (status == ARMILLA_ERROR_UNSUPPORTED) return mapfile_is_partial(request->path);
    return status ? fail(request, status) : CLI_OK;
}

typedef struct reader {
    const armilla_map_input *input;
    const int64_t *columns;
} reader;

static armilla_status read_pixels(void *data, int64_t field, int64_t first, int64_t count,
                                  double *values)
{
    const reader *self = data;
    return armilla_map_input_read(self->input, self->columns[field], first, count, values);
}

static int read_part(const mapfile_request *request, const armilla_map_input *input,
                     pixel_share *share, armilla_map **map, reals *values)
{
    double *doubles[MOST_FIELDS];
    const armilla_map *told = armilla_map_input_map(input);
    reader self = {input, request->columns};
    pixel_grid grid = {.grid = NULL};
    int code = ranks_agree(ranks_check_alike(told->nside, request->path, "nside"));
    if (code == CLI_OK) code = ranks_check_alike(told->npix, request->path, "pixels");
    if (code == CLI_OK) code = ranks_agree(pixel_grid_of_map(told, request->path, &grid));
    if (code == CLI_OK) code = share_new(&grid, share);
    if (code != CLI_OK) return code;
    code = ranks_agree(mapfile_new_part(share, told, request, map, values));
    if (code != CLI_OK) return code;
    for (int64_t i = 0; i < request->ncolumns; i++) doubles[i] = values[i].doubles;
    return windows_read(share, request->ncolumns, doubles, request->path, read_pixels, &self);
}

static int read_over_ranks(const mapfile_request *request, pixel_share *share, armilla_map **map,
                           reals *values)
{
    armilla_map_input *input = NULL;
    int code = ranks_agree(open_columns(request, &input));
    if (code == CLI_OK) code = read_part(request, input, share, map, values);
    armilla_map_input_free(input);
    return code;
}

int mapfile_read(const mapfile_request *request, pixel_share *share, armilla_map **map,
                 reals *values)
{
    if (ranks_transport()) return read_over_ranks(request, share, map, values);
    if (request->single) return mapfile_read_floats(request, share, map, values);
    armilla_status status =
        armilla_map_read(request->path, request->hdu, request->ncolumns, request->columns, map);
    if (status) return fail(request, status);
    take_values(*map, values);
    pixel_grid grid = {.grid = NULL};
    const int code = pixel_grid_of_map(*map, request->path, &grid);
    return code == CLI_OK ? share_new(&grid, share) : code;
}

armilla_status mapfile_column_name(const char *path, int hdu, int64_t column,
                                   char name[ARMILLA_IO_NAME_SIZE])
{
    armilla_map *map = NULL;
    armilla_map_input *input = NULL;
    double none;
    if (!ranks_transport()) {
        armilla_status status = armilla_map_read(path, hdu, 1, &column, &map);
        if (!status) memcpy(name, map->fields[0].name, ARMILLA_IO_NAME_SIZE);
        armilla_map_free(map);
        return status;
    }
    armilla_status status = armilla_map_input_open(path, hdu, &input);
    if (!status) status = armilla_map_input_read(input, column, 0, 0, &none);
    if (!status)
        memcpy(name, armilla_map_input_map(input)->fields[column].name, ARMILLA_IO_NAME_SIZE);
    armilla_map_input_free(input);
    return status;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Rank 0 has one of the last two: what the library does not write in pieces, maps on grids without
 * a name, is gathered there. */
typedef struct writer {
    const char *path;
    const pixel_share *share;
    const armilla_map *map;
    int overwrite;
    armilla_map_output *output;
    armilla_map *whole;
} writer;

static armilla_status begin_output(writer *self)
{
    armilla_write_options options;
    if (!ranks_is_first()) return ARMILLA_OK;
    armilla_write_options_init(&options);
    options.overwrite = self->overwrite;
    const armilla_status status =
        armilla_map_output_new(self->path, self->map, &options, &self->output);
    return status == ARMILLA_ERROR_UNSUPPORTED ? map_new_like(self->map, &self->whole) : status;
}

static armilla_status write_pixels(void *data, int64_t field, int64_t first, int64_t count,
                                   const double *values)
{
    const writer *self = data;
    if (self->output) return armilla_map_output_write(self->output, field, first, count, values);
    memcpy(self->whole->fields[field].values + first, values, (size_t)count * sizeof *values);
    return ARMILLA_OK;
}

static int fill_output(void *data)
{
    writer *self = data;
    double *values[MOST_FIELDS];
    for (int64_t i = 0; i < self->map->nfields; i++) values[i] = self->map->fields[i].values;
    return windows_write(self->share, self->map->nfields, values, self->path, write_pixels, self);
}

static armilla_status finish_output(void *data)
{
    const writer *self = data;
    return self->output ? armilla_map_output_finish(self->output)
                        : armilla_map_write(self->path, self->whole, self->overwrite);
}

static int write_over_ranks(const char *path, const pixel_share *share, const armilla_map *map,
                            int overwrite)
{
    writer self = {.path = path, .share = share, .map = map, .overwrite = overwrite};
    ranks_output output = {
        .path = path, .fill = fill_output, .finish = finish_output, .data = &self};
    output.begun = begin_output(&self);
    output.temporary = armilla_map_output_temporary(self.output);
    const int code = ranks_output_write(&output);
    armilla_map_output_free(self.output);
    armilla_map_free(self.whole);
    return code;
}

int mapfile_write(const char *path, const pixel_share *share, const armilla_map *map,
                  const reals *values, int overwrite)
{
    if (ranks_transport()) return write_over_ranks(path, share, map, overwrite);
    if (values->floats) return mapfile_write_floats(path, share, map, values, overwrite);
    armilla_status status = armilla_map_write(path, map, overwrite);
    return status ? data_error(status, path) : CLI_OK;
}

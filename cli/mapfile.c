/* Reads and writes the maps of a command: by armilla_map_read and armilla_map_write where this
 * process is alone, else by armilla_map_input and armilla_map_output, of whose pixels each rank
 * holds its share. The bytes of the file are the same. */
#include "mapfile.h"

#include "message.h"
#include "ranks.h"
#include "ranks_output.h"
#include "windows.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 8 /* of a map that a command reads or writes */ };

/* --- Maps of a share -------------------------------------------------------------------------- */

/* Fields as in `like`, whose values, zeros, are neighbours. */
static int new_part(const pixel_share *share, const armilla_map *like, int64_t nfields,
                    const int64_t *columns, armilla_map **map)
{
    armilla_map *new = malloc(sizeof *new);
    armilla_field *fields = calloc((size_t)nfields, sizeof *fields);
    double *values = calloc((size_t)(nfields * share->npix + 1), sizeof *values);
    if (!new || !fields || !values) {
        free(new);
        free(fields);
        free(values);
        return memory_error();
    }
    *new = *like;
    new->nside = share->on.nside, new->npix = share->all;
    new->grid = share->on.nside ? NULL : share->on.grid;
    new->nfields = nfields, new->fields = fields;
    for (int64_t i = 0; i < nfields; i++) {
        fields[i] = like->fields[columns ? columns[i] : i];
        fields[i].values = values + i * share->npix;
    }
    *map = new;
    return CLI_OK;
}

static int new_zeros(const pixel_share *share, int64_t nfields, armilla_map **map)
{
    armilla_map *like;
    armilla_status status = armilla_map_new(1, nfields, &like);
    if (status) return library_error(status, NULL);
    const int code = new_part(share, like, nfields, NULL, map);
    armilla_map_free(like);
    return code;
}

int mapfile_new(const pixel_share *share, int64_t nfields, armilla_map **map)
{
    if (ranks_transport()) return ranks_agree(new_zeros(share, nfields, map));
    armilla_status status = armilla_map_new_grid(share->on.grid, nfields, map);
    return status ? library_error(status, NULL) : CLI_OK;
}

void mapfile_free(armilla_map *map)
{
    if (!map || !ranks_transport()) {
        armilla_map_free(map);
        return;
    }
    free(map->fields->values);
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
    return usage_error("\"%s\": is a partial map, or an image, which ranks cannot read; give it to "
                       "armilla, on one process",
                       path);
}

/* Opens the file and finds the columns. */
static int open_columns(const mapfile_request *request, armilla_map_input **input)
{
    double none;
    armilla_status status = armilla_map_input_open(request->path, request->hdu, input);
    if (status == ARMILLA_ERROR_UNSUPPORTED) return mapfile_is_partial(request->path);
    for (int64_t i = 0; i < request->ncolumns && !status; i++)
        status = armilla_map_input_read(*input, request->columns[i], 0, 0, &none);
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
                     pixel_share *share, armilla_map **map)
{
    double *values[MOST_FIELDS];
    const armilla_map *told = armilla_map_input_map(input);
    reader self = {input, request->columns};
    pixel_grid grid = {.grid = NULL};
    int code = ranks_agree(ranks_check_alike(told->nside, request->path, "nside"));
    if (code == CLI_OK) code = ranks_check_alike(told->npix, request->path, "pixels");
    if (code == CLI_OK) code = ranks_agree(pixel_grid_of_map(told, request->path, &grid));
    if (code == CLI_OK) code = share_new(&grid, share);
    if (code != CLI_OK) return code;
    code = ranks_agree(new_part(share, told, request->ncolumns, request->columns, map));
    if (code != CLI_OK) return code;
    for (int64_t i = 0; i < request->ncolumns; i++) values[i] = (*map)->fields[i].values;
    return windows_read(share, request->ncolumns, values, request->path, read_pixels, &self);
}

static int read_over_ranks(const mapfile_request *request, pixel_share *share, armilla_map **map)
{
    armilla_map_input *input = NULL;
    int code = ranks_agree(open_columns(request, &input));
    if (code == CLI_OK) code = read_part(request, input, share, map);
    armilla_map_input_free(input);
    return code;
}

int mapfile_read(const mapfile_request *request, pixel_share *share, armilla_map **map)
{
    if (ranks_transport()) return read_over_ranks(request, share, map);
    armilla_status status =
        armilla_map_read(request->path, request->hdu, request->ncolumns, request->columns, map);
    if (status) return fail(request, status);
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

static armilla_status write_pixels(void *data, int64_t field, int64_t first, int64_t count,
                                   const double *values)
{
    return armilla_map_output_write(data, field, first, count, values);
}

typedef struct writer {
    const char *path;
    const pixel_share *share;
    const armilla_map *map;
    armilla_map_output *output; /* on rank 0 */
} writer;

static armilla_status begin_output(writer *self, int overwrite)
{
    armilla_write_options options;
    if (!ranks_is_first()) return ARMILLA_OK;
    armilla_write_options_init(&options);
    options.overwrite = overwrite;
    return armilla_map_output_new(self->path, self->map, &options, &self->output);
}

static int fill_output(void *data)
{
    const writer *self = data;
    double *values[MOST_FIELDS];
    for (int64_t i = 0; i < self->map->nfields; i++) values[i] = self->map->fields[i].values;
    return windows_write(self->share, self->map->nfields, values, self->path, write_pixels,
                         self->output);
}

static armilla_status finish_output(void *data)
{
    return armilla_map_output_finish(((writer *)data)->output);
}

static int write_over_ranks(const char *path, const pixel_share *share, const armilla_map *map,
                            int overwrite)
{
    writer self = {path, share, map, NULL};
    ranks_output output = {
        .path = path, .fill = fill_output, .finish = finish_output, .data = &self};
    output.begun = begin_output(&self, overwrite);
    output.temporary = armilla_map_output_temporary(self.output);
    const int code = ranks_output_write(&output);
    armilla_map_output_free(self.output);
    return code;
}

int mapfile_write(const char *path, const pixel_share *share, const armilla_map *map, int overwrite)
{
    if (ranks_transport()) return write_over_ranks(path, share, map, overwrite);
    armilla_status status = armilla_map_write(path, map, overwrite);
    return status ? data_error(status, path) : CLI_OK;
}

/* Reads and writes maps through armilla_map_input and armilla_map_output, or as a whole where these
 * do not take them. */
#include "pieces.h"

#include "hdu.h"
#include "message.h"
#include "number.h"
#include "sky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 18, MOST_EXTENSIONS = 9999 };

int64_t piece_size(const map_source *source)
{
    const int64_t rings = 256 * source->map->nside;
    return source->map->order == ARMILLA_IO_NESTED && rings > PIECE ? rings : PIECE;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Opens this extension, or for 0 the first one with a map. */
static armilla_status open_input(const char *path, int hdu, map_source *self)
{
    const int is_told = hdu != 0;
    armilla_status status = ARMILLA_ERROR_FORMAT;
    for (int i = is_told ? hdu : 1; i <= (is_told ? hdu : MOST_EXTENSIONS); i++) {
        self->hdu = i;
        status = armilla_map_input_open(path, self->hdu, &self->input);
        if (status == ARMILLA_OK || status == ARMILLA_ERROR_UNSUPPORTED) return status;
        if (status != ARMILLA_ERROR_FORMAT) break;
    }
    if (is_told) return status;
    self->hdu = 0; /* of an image, and the error of a file without maps is that of a search */
    return armilla_map_input_open(path, 0, &self->input);
}

int source_open(const char *path, const char *hdu, map_source *self)
{
    *self = (map_source){.path = path};
    int number = 0;
    const int code = hdu_find(path, hdu, &number);
    if (code != CLI_OK) return code;
    armilla_status status = open_input(path, number, self);
    if (status == ARMILLA_ERROR_UNSUPPORTED)
        status = armilla_map_read(path, self->hdu, 0, NULL, &self->whole);
    if (status) return data_error(status, path);
    self->map = self->input ? armilla_map_input_map(self->input) : self->whole;
    return CLI_OK;
}

static int is_missing(double value)
{
    return isinf(value) || sky_is_missing(value);
}

int source_read(const map_source *self, int64_t column, int64_t first, int64_t count,
                double *values)
{
    armilla_status status = ARMILLA_OK;
    if (self->input)
        status = armilla_map_input_read(self->input, column, first, count, values);
    else
        memcpy(values, self->whole->fields[column].values + first, (size_t)count * sizeof *values);
    if (status) return data_error(status, self->path);
    for (int64_t i = 0; i < count; i++)
        if (is_missing(values[i])) values[i] = (double)NAN;
    return CLI_OK;
}

void source_free(map_source *self)
{
    armilla_map_input_free(self->input);
    armilla_map_free(self->whole);
    memset(self, 0, sizeof *self);
}

int64_t source_find_column(const map_source *self, const char *name)
{
    int64_t column = 0;
    const int64_t count = self->map->nfields;
    if (number_integer(name, &column) == NULL) return column >= 0 && column < count ? column : -1;
    for (column = 0; column < count; column++)
        if (sky_name_means(name, self->map->fields[column].name)) return column;
    return -1;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static armilla_write_options options_of(const map_target *self, int overwrite)
{
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.overwrite = overwrite;
    options.nkeywords = self->kept.count;
    options.keywords = self->kept.keywords;
    return options;
}

armilla_status map_new_like(const armilla_map *like, armilla_map **map)
{
    armilla_map *whole = NULL;
    const armilla_status status = like->grid
                                      ? armilla_map_new_grid(like->grid, like->nfields, &whole)
                                      : armilla_map_new(like->nside, like->nfields, &whole);
    if (status) return status;
    for (int64_t i = 0; i < like->nfields; i++) {
        double *values = whole->fields[i].values;
        whole->fields[i] = like->fields[i];
        whole->fields[i].values = values;
    }
    whole->order = like->order;
    whole->partial = like->partial;
    whole->coordsys = like->coordsys;
    *map = whole;
    return ARMILLA_OK;
}

static armilla_status begin(map_target *self, int overwrite)
{
    const armilla_write_options options = options_of(self, overwrite);
    armilla_status status = ARMILLA_ERROR_UNSUPPORTED; /* also of a grid without a name */
    if (self->map.order == ARMILLA_IO_RING && !self->map.partial)
        status = armilla_map_output_new(self->path, &self->map, &options, &self->output);
    return status == ARMILLA_ERROR_UNSUPPORTED ? map_new_like(&self->map, &self->whole) : status;
}

int target_open(const char *path, int overwrite, const armilla_map *map, const map_source *source,
                const char *history, map_target *self)
{
    *self = (map_target){.path = path, .map = *map};
    self->map.iau = 0;
    self->map.fields = calloc((size_t)map->nfields, sizeof *self->map.fields);
    if (!self->map.fields) return memory_error();
    memcpy(self->map.fields, map->fields, (size_t)map->nfields * sizeof *map->fields);
    const int code = cards_read(source->path, source->hdu, history, &self->kept);
    if (code != CLI_OK) return code;
    armilla_status status = begin(self, overwrite);
    return status ? data_error(status, path) : CLI_OK;
}

int target_write(map_target *self, int64_t field, int64_t first, int64_t count, double *values)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < count; i++) {
        if (!is_missing(values[i])) continue;
        values[i] = ARMILLA_UNSEEN;
        self->missing++;
    }
    if (self->output)
        status = armilla_map_output_write(self->output, field, first, count, values);
    else
        memcpy(self->whole->fields[field].values + first, values, (size_t)count * sizeof *values);
    return status ? data_error(status, self->path) : CLI_OK;
}

int target_finish(map_target *self, int overwrite)
{
    const armilla_write_options options = options_of(self, overwrite);
    armilla_status status = self->output
                                ? armilla_map_output_finish(self->output)
                                : armilla_map_write_with(self->path, self->whole, &options);
    return status ? data_error(status, self->path) : CLI_OK;
}

void target_free(map_target *self)
{
    armilla_map_output_free(self->output);
    armilla_map_free(self->whole);
    cards_free(&self->kept);
    free(self->map.fields);
    memset(self, 0, sizeof *self);
}

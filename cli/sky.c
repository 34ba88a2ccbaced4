/* Reads the map and the mask that a command works on, keeps account of the pixels that are missing
 * in either, and writes the resulting map. Monopole and dipole are in multipoles.c, names of
 * columns in sky_column.c. */
#include "sky.h"

#include "hdu.h"
#include "mapfile.h"
#include "message.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "rotation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Flags the missing pixels of one field. */
static int find_missing(sky *self, int64_t field)
{
    for (int64_t i = 0; i < self->npix; i++) {
        const double value = reals_get(self->values[field], i);
        if (sky_is_missing(value))
            self->missing[field][i] = 1;
        else if (!isfinite(value))
            return work_error("\"%s\": pixel %lld is infinite%s", self->path,
                              (long long)share_pixel(&self->share, i),
                              self->values[field].floats ? ", or too large for --float" : "");
    }
    return CLI_OK;
}

static void count_missing(sky *self)
{
    for (int64_t field = 0; field < self->nfields; field++) {
        self->nmissing[field] = 0;
        for (int64_t i = 0; i < self->npix; i++) self->nmissing[field] += self->missing[field][i];
    }
    ranks_add(self->nfields, self->nmissing);
}

/* Does some field have no pixel left? */
static int is_empty(const sky *self)
{
    return self->nmissing[0] == self->all || self->nmissing[self->nfields - 1] == self->all;
}

static int flag_missing(sky *self)
{
    int code = CLI_OK;
    for (int64_t field = 0; field < self->nfields && code == CLI_OK; field++) {
        self->missing[field] = field < 2 ? calloc((size_t)self->npix + 1, 1) : self->missing[1];
        code = self->missing[field] ? find_missing(self, field) : memory_error();
    }
    code = ranks_agree(code);
    if (code != CLI_OK) return code;
    count_missing(self);
    if (!is_empty(self)) return CLI_OK;
    return work_error("\"%s\": has no valid pixel%s", self->path,
                      self->nmissing[0] == self->all ? "" : " of Q and U");
}

/* The library's error of a file that does not have the columns asked for. */
static int columns_missing(armilla_status status, const void *data)
{
    const sky_request *request = data;
    if (status != ARMILLA_ERROR_ARGUMENT) return data_error(status, request->path);
    return sky_lacks_columns(request);
}

static int read_fields(const sky_request *request, sky *self)
{
    int64_t column = 0;
    int hdu = 0, code = ranks_agree(hdu_find(request->path, request->hdu, &hdu));
    if (code == CLI_OK) code = ranks_agree(sky_find_column(request, hdu, &column));
    if (code != CLI_OK) return code;
    const int64_t columns[SKY_FIELDS] = {column, column + 1, column + 2};
    const mapfile_request file = {.path = request->path,
                                  .hdu = hdu,
                                  .ncolumns = request->pol ? 3 : 1,
                                  .columns = columns,
                                  .single = request->single,
                                  .fail = columns_missing,
                                  .data = request};
    code = mapfile_read(&file, &self->share, &self->map, self->values);
    if (code != CLI_OK) return code;
    self->npix = self->share.npix;
    self->all = self->share.all;
    self->nfields = self->map->nfields;
    self->column = column;
    self->path = request->path;
    return flag_missing(self);
}

void sky_free(sky *self)
{
    mapfile_free(self->map, self->values);
    share_free(&self->share);
    free(self->missing[0]);
    free(self->missing[1]);
    reals_free(self->weights);
    memset(self, 0, sizeof *self);
}

static int take_weights(sky *self, const sky *mask)
{
    int64_t nflags = self->nfields < 2 ? self->nfields : 2;
    self->weights = reals_new(mask->values[0].floats != NULL, self->npix);
    if (!reals_are_there(self->weights)) return memory_error();
    for (int64_t i = 0; i < self->npix; i++) {
        double weight = mask->missing[0][i] ? 0 : reals_get(mask->values[0], i);
        if (weight < 0)
            return sky_mask_is_negative("--mask", mask->path, share_pixel(&self->share, i));
        reals_set(self->weights, i, weight);
        for (int64_t k = 0; k < nflags && weight == 0; k++) self->missing[k][i] = 1;
    }
    return CLI_OK;
}

static int take_mask(sky *self, const sky *mask)
{
    const int code = ranks_agree(take_weights(self, mask));
    if (code != CLI_OK) return code;
    count_missing(self);
    if (!is_empty(self)) return CLI_OK;
    return work_error("--mask \"%s\": leaves no pixel of the map", mask->path);
}

int sky_mask_is_negative(const char *label, const char *path, int64_t pixel)
{
    return work_error("%s%s\"%s\": pixel %lld is negative; a mask is 0 where pixels are to be left "
                      "out, 1 elsewhere",
                      label, *label ? " " : "", path, (long long)pixel);
}

int sky_check_same(const char *label, const char *path, const armilla_map *map,
                   const char *first_path, const armilla_map *first)
{
    pixel_grid own = {.grid = NULL}, others = {.grid = NULL};
    int code = pixel_grid_of_map(map, path, &own);
    if (code == CLI_OK) code = pixel_grid_of_map(first, first_path, &others);
    if (code == CLI_OK && !pixel_grid_is_same(&own, &others))
        code = *label ? usage_error("%s \"%s\": has %s, but \"%s\" has %s", label, path, own.text,
                                    first_path, others.text)
                      : usage_error("\"%s\" has %s, but \"%s\" has %s", first_path, others.text,
                                    path, own.text);
    pixel_grid_free(&own);
    pixel_grid_free(&others);
    if (code != CLI_OK) return code;
    return rotation_check_same(label, path, map->coordsys, first_path, first->coordsys);
}

static int read_mask(sky *self, const char *path, int single)
{
    sky mask = {.map = NULL};
    int code = read_fields(&(sky_request){.path = path, .single = single}, &mask);
    if (code == CLI_OK) code = sky_check_same("--mask", path, mask.map, self->path, self->map);
    if (code == CLI_OK) code = take_mask(self, &mask);
    sky_free(&mask);
    return code;
}

int sky_read(const sky_request *request, sky *self)
{
    int code = read_fields(request, self);
    return code == CLI_OK && request->mask ? read_mask(self, request->mask, request->single) : code;
}

void sky_weight(sky *self)
{
    const int is_masked = reals_are_there(self->weights);
    for (int64_t field = 0; field < self->nfields; field++) {
        const reals values = self->values[field];
        for (int64_t i = 0; i < self->npix; i++) {
            if (self->missing[field][i])
                reals_set(values, i, 0);
            else if (is_masked)
                reals_set(values, i, reals_get(values, i) * reals_get(self->weights, i));
        }
    }
}

void sky_mark_missing(sky *self)
{
    for (int64_t field = 0; field < self->nfields; field++)
        for (int64_t i = 0; i < self->npix; i++)
            if (self->missing[field][i]) reals_set(self->values[field], i, ARMILLA_UNSEEN);
}

int sky_write(sky *self, const char *path, int overwrite)
{
    for (int64_t i = 0; i < self->nfields; i++) {
        armilla_field *field = &self->map->fields[i];
        if (field->type != ARMILLA_IO_DOUBLE) field->type = ARMILLA_IO_FLOAT;
    }
    self->map->order = ARMILLA_IO_RING;
    self->map->iau = 0;
    sky_mark_missing(self);
    if (progress_stopped()) return CLI_FAILED;
    return mapfile_write(path, &self->share, self->map, self->values, overwrite);
}

const char *sky_missing_text(const sky *self)
{
    static char text[64];
    long long scalar = self->nmissing[0], polar = self->nmissing[self->nfields - 1];
    if (scalar == polar)
        snprintf(text, sizeof text, "%lld", scalar);
    else
        snprintf(text, sizeof text, "%lld (I), %lld (Q, U)", scalar, polar);
    return text;
}

void sky_report_missing(const sky *self)
{
    report_open("missing", '[');
    for (int64_t i = 0; i < self->nfields; i++) report_integer(NULL, self->nmissing[i]);
    report_close();
}

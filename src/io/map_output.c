/* Maps written into files in pieces: the table's header first, then pixels wherever they belong.
 * See armilla/io.h. */
#include "armilla/grid.h"
#include "armilla/io.h"
#include "base/memory.h"
#include "io/bytes.h"
#include "io/file_error.h"
#include "io/map_cells.h"
#include "io/map_layout.h"
#include "io/table_file.h"
#include <errno.h>
#include <math.h>
#include <string.h>

enum { MAX_FIELDS = 998 };

struct armilla_map_output {
    armilla_map map; /* a copy, without values */
    armilla_map_layout layout;
    armilla_table_file file;
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

static armilla_status check_order(const armilla_map_layout *layout)
{
    const armilla_map *map = layout->map;
    if (layout->options.image)
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "options->image = 1: armilla_map_write_with writes an image whole, in "
                            "pieces it cannot be written");
    if (armilla_map_layout_lists_rings(layout))
        return armilla_fail(ARMILLA_ERROR_UNSUPPORTED,
                            "map->grid: has no name, so that its rings must be listed behind the "
                            "map: armilla_map_write writes such a map whole, in pieces it cannot "
                            "be written");
    if (map->partial)
        return armilla_fail_argument("map->partial", map->partial,
                                     "must be 0 for a map that is written in pieces");
    if (map->order != ARMILLA_IO_RING)
        return armilla_fail_argument("map->order", map->order,
                                     "must be RING for a map that is written in pieces");
    return ARMILLA_OK;
}

static armilla_status begin_file(const char *path, armilla_map_output *output)
{
    armilla_table_file *file = &output->file;
    const int64_t rows = output->map.npix / output->layout.repeat;
    armilla_status status = armilla_table_file_begin(path, output->layout.options.overwrite, file);
    if (status) return status;
    status = armilla_map_layout_begin(&output->layout, 0, &file->output);
    return armilla_table_file_lay_out(file, status, 1, rows);
}

static armilla_status make_output(const char *path, const armilla_map *map,
                                  const armilla_write_options *options, armilla_map_output *output)
{
    armilla_status status = copy_map(map, &output->map);
    if (!status) status = armilla_map_layout_make(&output->map, options, &output->layout);
    if (!status) status = check_order(&output->layout);
    if (!status) status = begin_file(path, output);
    output->map.grid = NULL;                /* the caller's; the header is written */
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
    if (status)
        armilla_map_output_free(new);
    else
        *output = new;
    return status;
}

void armilla_map_output_free(armilla_map_output *output)
{
    if (!output) return;
    armilla_table_file_clear(&output->file);
    armilla_map_layout_clear(&output->layout);
    armilla_release(output->map.fields);
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

/* A window's bytes, with the pixels in them. What is between pixels is read first. */
static armilla_status write_window(armilla_map_output *output, int64_t field,
                                   const armilla_cells *cells, int64_t first,
                                   const armilla_cells_window *window, const double *values,
                                   unsigned char *bytes)
{
    armilla_table_file *file = &output->file;
    if (!window->is_whole &&
        !armilla_bytes_read(file->descriptor, window->at, window->bytes, bytes))
        return armilla_fail_file(file->path, "write it", errno);
    armilla_status status = store_window(output, field, cells, first, window, values, bytes);
    return status ? status : armilla_table_file_write(file, window->at, window->bytes, bytes);
}

static armilla_status write_pixels(armilla_map_output *output, int64_t field, int64_t first,
                                   int64_t count, const double *values)
{
    const armilla_output_column *column = armilla_map_layout_column(&output->layout, field);
    const armilla_cells cells = {.start = output->file.start[0],
                                 .row_bytes = output->file.output.row_bytes,
                                 .offset = column->offset,
                                 .width = armilla_type_width(column->type),
                                 .repeat = column->repeat};
    unsigned char *bytes = NULL;
    armilla_status status = armilla_allocate(&bytes, armilla_cells_room(&cells, count), 1);
    while (!status && count > 0) {
        const armilla_cells_window window = armilla_cells_look(&cells, first, count);
        status = write_window(output, field, &cells, first, &window, values, bytes);
        first += window.count;
        count -= window.count;
        values += window.count;
    }
    armilla_release(bytes);
    return status;
}

armilla_status armilla_map_output_write(armilla_map_output *output, int64_t field, int64_t first,
                                        int64_t count, const double *values)
{
    armilla_status status = armilla_check_given("output", output);
    if (!status) status = armilla_table_file_check(&output->file);
    if (!status) status = armilla_check_given("values", values);
    if (!status && (field < 0 || field >= output->map.nfields))
        status = armilla_fail_argument("field", field, "must be a field of the map");
    if (!status) status = armilla_cells_check(first, count, output->map.npix);
    return status ? status : write_pixels(output, field, first, count, values);
}

const char *armilla_map_output_temporary(const armilla_map_output *output)
{
    return output ? armilla_table_file_temporary(&output->file) : NULL;
}

armilla_status armilla_map_output_finish(armilla_map_output *output)
{
    const armilla_status status = armilla_check_given("output", output);
    return status ? status : armilla_table_file_finish(&output->file);
}

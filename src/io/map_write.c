/* Maps into FITS tables: those of HEALPix as healpy and HEALPix read them.
 *
 * IMPLICIT:  all pixels in file order, rows of gcd(npix, 1024) pixels (1024 is what HEALPix' own
 *            programs write from NSIDE = 16 on).
 * EXPLICIT:  column PIXEL and one row for each pixel that is observed in some field.
 * A block of pixels is listed first (number in the file, RING number), then stored field by field.
 */
#include "armilla/grid.h"
#include "armilla/io.h"
#include "base/memory.h"
#include "io/image_map.h"
#include <math.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 };

typedef struct writer {
    const armilla_map *map;
    armilla_map_layout layout;
    armilla_output output;
    int64_t capacity;       /* pixels per block, a multiple of those of a row */
    int64_t next;           /* first pixel, in file order, that is not listed yet */
    int64_t count;          /* pixels in the block */
    int64_t *pixels, *ring; /* their numbers in the file, and in memory */
    double *values;         /* of one field */
    unsigned char *bytes;
} writer;

/* --- Pixels ----------------------------------------------------------------------------------- */

static int64_t to_ring(const armilla_map *map, int64_t pixel)
{
    return map->order == ARMILLA_IO_RING ? pixel : armilla_healpix_nest_to_ring(map->nside, pixel);
}

static int64_t count_listed(const armilla_map *map)
{
    int64_t count = 0;
    if (!map->partial) return map->npix;
    for (int64_t i = 0; i < map->npix; i++) count += armilla_map_is_observed(map, i);
    return count;
}

static void list_block(writer *w)
{
    for (w->count = 0; w->count < w->capacity && w->next < w->map->npix; w->next++) {
        int64_t ring = to_ring(w->map, w->next);
        if (w->map->partial && !armilla_map_is_observed(w->map, ring)) continue;
        w->pixels[w->count] = w->next;
        w->ring[w->count++] = ring;
    }
}

/* --- Values ----------------------------------------------------------------------------------- */

static armilla_status fail_value(int64_t field, int64_t pixel, double value, armilla_io_type type)
{
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "map->fields[%lld].values[%lld] = %g: does not fit into the type %s",
                        (long long)field, (long long)pixel, value, armilla_type_name(type));
}

/* Whole numbers of 64 bits, which doubles need not hold. */
static void store_integers(const writer *w, int64_t index)
{
    const int64_t *const integers = w->layout.options.integers[index], repeat = w->layout.repeat;
    const double *const values = w->map->fields[index].values;
    unsigned char *start = w->bytes + armilla_map_layout_column(&w->layout, index)->offset;
    for (int64_t i = 0; i < w->count; i++) {
        const int64_t pixel = w->ring[i];
        unsigned char *at = start + i / repeat * w->output.row_bytes + i % repeat * 8;
        if (values[pixel] == ARMILLA_UNSEEN || isnan(values[pixel]))
            armilla_value_store(ARMILLA_IO_INT64, ARMILLA_UNSEEN, at);
        else
            armilla_integer_store(ARMILLA_IO_INT64, integers[pixel], at);
    }
}

static armilla_status store_field(const writer *w, int64_t index)
{
    const int64_t *const *integers = w->layout.options.integers;
    const armilla_field *field = &w->map->fields[index];
    const int64_t repeat = w->layout.repeat;
    unsigned char *at = w->bytes + armilla_map_layout_column(&w->layout, index)->offset;
    if (integers && integers[index] && field->type == ARMILLA_IO_INT64) {
        store_integers(w, index);
        return ARMILLA_OK;
    }
    for (int64_t i = 0; i < w->count; i++) w->values[i] = field->values[w->ring[i]];
    for (int64_t i = 0; i < w->count; i += repeat, at += w->output.row_bytes) {
        int64_t done = armilla_map_layout_store(&w->layout, index, repeat, w->values + i, at);
        if (done == repeat) continue;
        const int64_t pixel = w->ring[i + done];
        return fail_value(index, pixel, field->values[pixel], field->type);
    }
    return ARMILLA_OK;
}

static void store_pixels(const writer *w)
{
    const armilla_io_type type = w->layout.columns[0].type;
    for (int64_t i = 0; i < w->count; i++)
        armilla_integer_store(type, w->pixels[i], w->bytes + i * w->output.row_bytes);
}

static armilla_status write_rows(writer *w)
{
    armilla_status status = ARMILLA_OK;
    int64_t first = 0;
    list_block(w);
    while (!status && w->count > 0) {
        if (w->map->partial) store_pixels(w);
        for (int64_t i = 0; !status && i < w->map->nfields; i++) status = store_field(w, i);
        int64_t rows = w->count / w->layout.repeat;
        if (!status) status = armilla_output_rows(&w->output, first, rows, w->bytes);
        first += rows;
        list_block(w);
    }
    return status;
}

/* --- Writing ---------------------------------------------------------------------------------- */

static armilla_status check_values(const armilla_map *map)
{
    for (int64_t i = 0; i < map->nfields; i++)
        if (!map->fields[i].values)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "map->fields[%lld].values = NULL",
                                (long long)i);
    return ARMILLA_OK;
}

static armilla_status prepare(writer *w)
{
    const int64_t repeat = w->layout.repeat, row_values = w->layout.ncolumns;
    w->capacity = (BLOCK_BYTES / (8 * row_values) / repeat + 1) * repeat;
    armilla_status status = armilla_allocate(&w->pixels, w->capacity, sizeof *w->pixels);
    if (!status) status = armilla_allocate(&w->ring, w->capacity, sizeof *w->ring);
    if (!status) status = armilla_allocate(&w->values, w->capacity, sizeof *w->values);
    if (!status) status = armilla_allocate(&w->bytes, w->capacity, (size_t)row_values * 8);
    return status;
}

static armilla_status write_file(writer *w, const char *path)
{
    const int64_t rows = count_listed(w->map) / w->layout.repeat;
    armilla_status status = armilla_output_begin(path, w->layout.options.overwrite, &w->output);
    if (status) return status;
    status = armilla_map_layout_begin(&w->layout, rows, &w->output);
    if (!status) status = write_rows(w);
    if (!status && armilla_map_layout_lists_rings(&w->layout))
        status = armilla_ring_grid_list(w->map->grid, &w->output);
    return armilla_output_end(&w->output, status);
}

armilla_status armilla_map_write_with(const char *path, const armilla_map *map,
                                      const armilla_write_options *options)
{
    writer w;
    memset(&w, 0, sizeof w);
    w.map = map;
    armilla_status status = armilla_map_layout_make(map, options, &w.layout);
    if (!status) status = check_values(map);
    if (!status && w.layout.options.image) {
        status = armilla_image_write(path, &w.layout);
        armilla_map_layout_clear(&w.layout);
        return status;
    }
    if (!status) status = armilla_map_layout_find_nulls(&w.layout);
    if (!status) status = prepare(&w);
    if (!status) status = write_file(&w, path);
    armilla_map_layout_clear(&w.layout);
    armilla_release(w.pixels);
    armilla_release(w.ring);
    armilla_release(w.values);
    armilla_release(w.bytes);
    return status;
}

armilla_status armilla_map_write(const char *path, const armilla_map *map, int overwrite)
{
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.overwrite = overwrite;
    return armilla_map_write_with(path, map, &options);
}

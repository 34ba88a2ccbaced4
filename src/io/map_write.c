/* HEALPix maps into FITS tables, as healpy and HEALPix read them.
 *
 * IMPLICIT:  all pixels in file order, rows of gcd(npix, 1024) pixels (1024 is what HEALPix' own
 *            programs write from NSIDE = 16 on).
 * EXPLICIT:  column PIXEL and one row for each pixel that is observed in some field.
 * A block of pixels is listed first (number in the file, RING number), then stored field by field.
 */
#include "armilla/grid.h"
#include "armilla/io.h"
#include "base/memory.h"
#include "io/file_error.h"
#include "io/fits_output.h"
#include "io/map_header.h"
#include <math.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20, MAX_FIELDS = 998, MAX_REPEAT = 1024 };

typedef struct writer {
    const armilla_map *map;
    armilla_write_options options;
    armilla_output output;
    armilla_output_column *columns; /* PIXEL first where the map is partial */
    char *flips;                    /* fields whose sign changes; NULL: none */
    int64_t repeat;                 /* pixels per row */
    int64_t rows;
    int64_t capacity;       /* pixels per block, a multiple of repeat */
    int64_t next;           /* first pixel, in file order, that is not listed yet */
    int64_t count;          /* pixels in the block */
    int64_t *pixels, *ring; /* their numbers in the file, and in memory */
    unsigned char *bytes;
} writer;

/* --- Checks ----------------------------------------------------------------------------------- */

static armilla_status check_fields(const armilla_map *map)
{
    if (!map->fields) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "map->fields = NULL");
    for (int64_t i = 0; i < map->nfields; i++) {
        if (!map->fields[i].values)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "map->fields[%lld].values = NULL",
                                (long long)i);
        if (!armilla_type_width(map->fields[i].type))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "map->fields[%lld].type = %d: unknown",
                                (long long)i, (int)map->fields[i].type);
    }
    return ARMILLA_OK;
}

static armilla_status check_map(const armilla_map *map)
{
    if (!map) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "map = NULL");
    int64_t npix = armilla_healpix_npix(map->nside);
    if (npix < 0) return armilla_fail_argument("map->nside", map->nside, "must be at least 1");
    if (map->npix != npix)
        return armilla_fail_argument("map->npix", map->npix, "must be 12 nside^2");
    if (map->nfields < 1 || map->nfields > MAX_FIELDS)
        return armilla_fail_argument("map->nfields", map->nfields, "must be from 1 to 998");
    if (map->order != ARMILLA_IO_RING && map->order != ARMILLA_IO_NESTED)
        return armilla_fail_argument("map->order", map->order, "must be RING or NESTED");
    if (map->order == ARMILLA_IO_NESTED && (map->nside & (map->nside - 1)))
        return armilla_fail_argument("map->nside", map->nside,
                                     "must be a power of two in NESTED order");
    if (map->coordsys && !strchr("GEC", map->coordsys))
        return armilla_fail_argument("map->coordsys", map->coordsys, "must be 'G', 'E', 'C' or 0");
    return check_fields(map);
}

/* --- Pixels ----------------------------------------------------------------------------------- */

static int64_t to_ring(const armilla_map *map, int64_t pixel)
{
    return map->order == ARMILLA_IO_RING ? pixel : armilla_healpix_nest_to_ring(map->nside, pixel);
}

static int is_observed(const armilla_map *map, int64_t ring)
{
    for (int64_t i = 0; i < map->nfields; i++) {
        double value = map->fields[i].values[ring];
        if (value != ARMILLA_UNSEEN && !isnan(value)) return 1;
    }
    return 0;
}

static int64_t count_listed(const armilla_map *map)
{
    int64_t count = 0;
    if (!map->partial) return map->npix;
    for (int64_t i = 0; i < map->npix; i++) count += is_observed(map, i);
    return count;
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void list_block(writer *w)
{
    for (w->count = 0; w->count < w->capacity && w->next < w->map->npix; w->next++) {
        int64_t ring = to_ring(w->map, w->next);
        if (w->map->partial && !is_observed(w->map, ring)) continue;
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

static int is_floating(armilla_io_type type)
{
    return type == ARMILLA_IO_DOUBLE || type == ARMILLA_IO_FLOAT;
}

static armilla_status store_field(const writer *w, int64_t index, unsigned char *bytes)
{
    const armilla_field *field = &w->map->fields[index];
    int64_t width = armilla_type_width(field->type), rows = w->count / w->repeat;
    int must_flip = w->flips && w->flips[index];
    for (int64_t row = 0, i = 0; row < rows; row++) {
        unsigned char *at = bytes + row * w->output.row_bytes;
        for (int64_t k = 0; k < w->repeat; k++, i++, at += width) {
            double value = field->values[w->ring[i]];
            if (must_flip && value != ARMILLA_UNSEEN) value = -value;
            int is_stored = w->options.keep_nan && isnan(value) && is_floating(field->type)
                                ? armilla_real_store(field->type, value, at)
                                : armilla_value_store(field->type, value, at);
            if (!is_stored) return fail_value(index, w->ring[i], value, field->type);
        }
    }
    return ARMILLA_OK;
}

static void store_pixels(const writer *w)
{
    for (int64_t i = 0; i < w->count; i++)
        armilla_integer_store(w->columns[0].type, w->pixels[i], w->bytes + i * w->output.row_bytes);
}

static armilla_status write_rows(writer *w)
{
    armilla_status status = ARMILLA_OK;
    int shift = w->map->partial != 0;
    int64_t first = 0;
    list_block(w);
    while (!status && w->count > 0) {
        if (shift) store_pixels(w);
        for (int64_t i = 0; !status && i < w->map->nfields; i++)
            status = store_field(w, i, w->bytes + w->columns[i + shift].offset);
        int64_t rows = w->count / w->repeat;
        if (!status) status = armilla_output_rows(&w->output, first, rows, w->bytes);
        first += rows;
        list_block(w);
    }
    return status;
}

/* --- Header ----------------------------------------------------------------------------------- */

static armilla_status write_sky_keywords(writer *w)
{
    armilla_output *output = &w->output;
    armilla_status status = ARMILLA_OK;
    if (!w->map->partial) {
        status = armilla_output_integer(output, "FIRSTPIX", 0, "First pixel # (0 based)");
        if (!status)
            status = armilla_output_integer(output, "LASTPIX", w->map->npix - 1,
                                            "Last pixel # (0 based)");
    }
    if (!status)
        status = armilla_output_text(output, "INDXSCHM", w->map->partial ? "EXPLICIT" : "IMPLICIT",
                                     "Indexing: IMPLICIT or EXPLICIT");
    if (!status)
        status = armilla_output_text(output, "OBJECT", w->map->partial ? "PARTIAL" : "FULLSKY",
                                     "Sky coverage, either FULLSKY or PARTIAL");
    return status;
}

static armilla_status write_keywords(writer *w, int has_u)
{
    armilla_output *output = &w->output;
    const armilla_map *map = w->map;
    const char coordsys[2] = {map->coordsys, '\0'};
    armilla_status status =
        armilla_output_text(output, "PIXTYPE", "HEALPIX", "HEALPIX pixelisation");
    if (!status)
        status = armilla_output_text(output, "ORDERING", map->order ? "NESTED" : "RING",
                                     "Pixel ordering scheme, either RING or NESTED");
    if (!status && map->coordsys)
        status = armilla_output_text(output, "COORDSYS", coordsys,
                                     "Ecliptic, Galactic or Celestial (equatorial)");
    if (!status)
        status = armilla_output_text(output, "EXTNAME", "xtension",
                                     "name of this binary table extension");
    if (!status)
        status =
            armilla_output_integer(output, "NSIDE", map->nside, "Resolution parameter of HEALPIX");
    if (!status) status = write_sky_keywords(w);
    if (!status && has_u)
        status = armilla_output_text(output, "POLCCONV", map->iau ? "IAU" : "COSMO",
                                     "Sign of U: COSMO or IAU");
    if (!status)
        status = armilla_output_text(output, "CREATOR", "Armilla " ARMILLA_VERSION,
                                     "Software creating the FITS file");
    return status;
}

static armilla_status find_flips(writer *w, int *has_u)
{
    const char **names = NULL;
    armilla_status status = armilla_allocate(&names, w->map->nfields, sizeof *names);
    if (!status) status = armilla_allocate(&w->flips, w->map->nfields, 1);
    for (int64_t i = 0; !status && i < w->map->nfields; i++) names[i] = w->map->fields[i].name;
    if (!status) *has_u = armilla_map_find_u(names, w->map->nfields, w->flips);
    armilla_release(names);
    if (status || w->map->iau) return status;
    memset(w->flips, 0, (size_t)w->map->nfields);
    return status;
}

static void fill_columns(writer *w)
{
    armilla_output_column *column = w->columns;
    if (w->map->partial) {
        column->name = "PIXEL";
        column->unit = "";
        column->type = w->map->npix - 1 > INT32_MAX ? ARMILLA_IO_INT64 : ARMILLA_IO_INT32;
        column++->repeat = 1;
    }
    for (int64_t i = 0; i < w->map->nfields; i++, column++) {
        column->name = w->map->fields[i].name;
        column->unit = w->map->fields[i].unit;
        column->type = w->map->fields[i].type;
        column->repeat = w->repeat;
        column->has_null = 1;
    }
}

/* --- Writing ---------------------------------------------------------------------------------- */

static armilla_status prepare(writer *w)
{
    int64_t listed = count_listed(w->map);
    int64_t ncolumns = w->map->nfields + (w->map->partial != 0);
    w->repeat = w->options.row_pixels;
    if (!w->repeat) w->repeat = common_divisor(w->map->npix, MAX_REPEAT);
    if (w->map->partial) w->repeat = 1;
    if (w->repeat > w->map->npix || w->map->npix % w->repeat)
        return armilla_fail_argument("options->row_pixels", w->repeat,
                                     "must divide the number of pixels");
    w->rows = listed / w->repeat;
    w->capacity = (BLOCK_BYTES / (8 * ncolumns) / w->repeat + 1) * w->repeat;
    armilla_status status = armilla_allocate_zero(&w->columns, ncolumns, sizeof *w->columns);
    if (!status) status = armilla_allocate(&w->pixels, w->capacity, sizeof *w->pixels);
    if (!status) status = armilla_allocate(&w->ring, w->capacity, sizeof *w->ring);
    if (!status) status = armilla_allocate(&w->bytes, w->capacity, (size_t)ncolumns * 8);
    if (!status) fill_columns(w);
    return status;
}

static armilla_status write_file(writer *w, const char *path, int has_u)
{
    armilla_status status = armilla_output_begin(path, w->options.overwrite, &w->output);
    if (status) return status;
    int64_t ncolumns = w->map->nfields + (w->map->partial != 0);
    status = armilla_output_table(&w->output, w->rows, ncolumns, w->columns);
    if (!status) status = write_keywords(w, has_u);
    if (!status) status = armilla_output_keywords(&w->output, &w->options);
    if (!status) status = write_rows(w);
    return armilla_output_end(&w->output, status);
}

armilla_status armilla_map_write_with(const char *path, const armilla_map *map,
                                      const armilla_write_options *options)
{
    writer w;
    int has_u = 0;
    memset(&w, 0, sizeof w);
    w.map = map;
    armilla_status status = check_map(map);
    if (status) return status;
    status = armilla_write_options_take(options, &w.options);
    if (!status) status = prepare(&w);
    if (!status) status = find_flips(&w, &has_u);
    if (!status) status = write_file(&w, path, has_u);
    armilla_release(w.columns);
    armilla_release(w.flips);
    armilla_release(w.pixels);
    armilla_release(w.ring);
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

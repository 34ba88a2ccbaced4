/* Maps out of FITS tables.
 *
 * One walk through the rows serves all fields: a block of rows is decoded column by column,
 * missing values get their mark, and the values go to their RING pixels. IMPLICIT maps in RING
 * order are decoded straight into the field; else a block-sized list of RING pixel numbers, made
 * once per block, says where each value belongs. */
#include "armilla/grid.h"
#include "armilla/io.h"
#include "base/memory.h"
#include "base/platform.h"
#include "io/file_error.h"
#include "io/image_map.h"
#include "io/map_table.h"
#include <math.h>
#include <string.h>

typedef struct reader {
    const armilla_fits *fits;
    armilla_map_table source;
    armilla_rows rows;
    const int64_t *fields; /* as asked for; NULL: all */
    armilla_map *map;
    int64_t *target; /* RING pixel of each value of a block; NULL: they follow each other */
    double *values;  /* decoded values of a block, where target is used */
} reader;

static int64_t field_of(const reader *r, int64_t index)
{
    return r->fields ? r->fields[index] : index;
}

static armilla_status check_columns(const reader *r, int64_t nfields)
{
    for (int64_t i = 0; i < nfields; i++) {
        armilla_status status = armilla_map_table_check(&r->source, field_of(r, i));
        if (status) return status;
    }
    return ARMILLA_OK;
}

/* A map of listed pixels may need far more memory than its file has bytes. Systems that promise
 * memory they do not have would end the process later. */
static armilla_status check_memory(const reader *r, int64_t nfields)
{
    const armilla_map_header *header = &r->source.header;
    double needed = 8.0 * (double)header->npix * (double)nfields;
    double machine = armilla_platform_memory();
    if (header->count == header->npix || machine <= 0 || needed <= machine) return ARMILLA_OK;
    char sky[ARMILLA_SKY_TEXT];
    return armilla_fail(ARMILLA_ERROR_MEMORY,
                        "%s: %s: the full sky needs %.1f GB, this machine has %.1f GB",
                        armilla_path_shown(r->fits->path), armilla_map_header_sky(header, sky),
                        needed / 1e9, machine / 1e9);
}

/* --- Map in memory ---------------------------------------------------------------------------- */

static armilla_status new_values(const reader *r, armilla_field *field)
{
    const armilla_map_header *header = &r->source.header;
    armilla_status status = armilla_allocate(&field->values, r->map->npix, sizeof(double));
    int is_full = header->pixel < 0 && header->count == r->map->npix;
    if (status || is_full) return status;
    for (int64_t i = 0; i < r->map->npix; i++) field->values[i] = ARMILLA_UNSEEN;
    return ARMILLA_OK;
}

static armilla_status new_map(reader *r, int64_t nfields)
{
    armilla_status status = armilla_map_table_describe(&r->source, nfields, r->fields, &r->map);
    for (int64_t i = 0; !status && i < nfields; i++) status = new_values(r, &r->map->fields[i]);
    return status;
}

/* --- Values ----------------------------------------------------------------------------------- */

/* Pixel numbers that are stored as reals, or scaled: the whole ones below the first number that the
 * type could have rounded to are exact. */
static armilla_status take_real_pixels(reader *r, const armilla_column *column, int64_t count)
{
    const double limit = column->form == 'E' ? 0x1p24 : 0x1p53;
    armilla_rows_decode(&r->rows, column, r->values);
    for (int64_t i = 0; i < count; i++) {
        const double value = r->values[i];
        const int is_exact = fabs(value) < limit;
        if (!is_exact || value != rint(value))
            return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: row %lld: PIXEL = %.17g: %s",
                                armilla_path_shown(r->fits->path),
                                (long long)(r->rows.first + i / column->repeat + 1), value,
                                is_exact || isnan(value)
                                    ? "must be a whole number"
                                    : "reals of this type hold no whole numbers so large exactly");
        r->target[i] = (int64_t)value;
    }
    return ARMILLA_OK;
}

static armilla_status list_pixels(reader *r, int64_t count)
{
    const armilla_map_header *header = &r->source.header;
    const armilla_column *column = &r->source.table.columns[header->pixel];
    armilla_status status = ARMILLA_OK;
    char sky[ARMILLA_SKY_TEXT];
    if (armilla_column_is_integer(column))
        armilla_rows_decode_integer(&r->rows, column, r->target);
    else
        status = take_real_pixels(r, column, count);
    if (status) return status;
    for (int64_t i = 0; i < count; i++)
        if (r->target[i] < 0 || r->target[i] >= header->npix)
            return armilla_fail(
                ARMILLA_ERROR_FORMAT, "%s: row %lld: PIXEL = %lld: must be from 0 to %lld at %s",
                armilla_path_shown(r->fits->path),
                (long long)(r->rows.first + i / header->repeat + 1), (long long)r->target[i],
                (long long)header->npix - 1, armilla_map_header_sky(header, sky));
    return ARMILLA_OK;
}

static armilla_status find_targets(reader *r, int64_t first, int64_t count)
{
    const armilla_map_header *header = &r->source.header;
    armilla_status status = ARMILLA_OK;
    if (header->pixel >= 0)
        status = list_pixels(r, count);
    else
        for (int64_t i = 0; i < count; i++) r->target[i] = first + i;
    if (status || header->order == ARMILLA_IO_RING) return status;
    for (int64_t i = 0; i < count; i++)
        r->target[i] = armilla_healpix_nest_to_ring(header->nside, r->target[i]);
    return ARMILLA_OK;
}

/* Puts the values of a block where they belong. A pixel may be listed twice with one value. */
static armilla_status store_values(const reader *r, int64_t index, int64_t count)
{
    double *field = r->map->fields[index].values;
    for (int64_t i = 0; i < count; i++) {
        double *to = &field[r->target[i]];
        if (*to != ARMILLA_UNSEEN && *to != r->values[i] && r->source.header.pixel >= 0)
            return armilla_fail(ARMILLA_ERROR_FORMAT,
                                "%s: row %lld: its pixel is listed twice, with the values %g and "
                                "%g",
                                armilla_path_shown(r->fits->path),
                                (long long)(r->rows.first + i / r->source.header.repeat + 1), *to,
                                r->values[i]);
        *to = r->values[i];
    }
    return ARMILLA_OK;
}

static armilla_status check_exact(const reader *r, int64_t field)
{
    const armilla_column *column = armilla_map_table_column(&r->source, field);
    const unsigned char *bytes = r->rows.bytes + column->offset;
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; !status && i < r->rows.count && column->form == 'K'; i++)
        status = armilla_map_table_exact(&r->source, field, bytes + i * r->source.table.row_bytes,
                                         column->repeat);
    return status;
}

static armilla_status read_block(reader *r)
{
    const armilla_map_header *header = &r->source.header;
    int64_t first = header->first + r->rows.first * header->repeat;
    int64_t count = r->rows.count * header->repeat;
    armilla_status status = r->target ? find_targets(r, first, count) : ARMILLA_OK;
    for (int64_t i = 0; !status && i < r->map->nfields; i++) {
        double *field = r->map->fields[i].values;
        double *values = r->target ? r->values : field + first;
        armilla_rows_decode(&r->rows, armilla_map_table_column(&r->source, field_of(r, i)), values);
        armilla_map_table_mark(&r->source, field_of(r, i), count, values);
        status = check_exact(r, field_of(r, i));
        if (!status && r->target) status = store_values(r, i, count);
    }
    return status;
}

static armilla_status read_values(reader *r)
{
    const armilla_map_header *header = &r->source.header;
    armilla_status status = armilla_rows_begin(r->fits, &r->source.table, &r->rows);
    int64_t block = r->rows.capacity * header->repeat;
    if (header->pixel >= 0 || header->order == ARMILLA_IO_NESTED) {
        if (!status) status = armilla_allocate(&r->target, block, sizeof *r->target);
        if (!status) status = armilla_allocate(&r->values, block, sizeof *r->values);
    }
    if (!status) status = armilla_rows_next(&r->rows);
    while (!status && r->rows.count > 0) {
        status = read_block(r);
        if (!status) status = armilla_rows_next(&r->rows);
    }
    armilla_release(r->target);
    armilla_release(r->values);
    armilla_rows_end(&r->rows);
    return status;
}

static armilla_status read_map(reader *r, int hdu, int64_t nfields)
{
    armilla_status status = armilla_map_table_open(r->fits, hdu, &r->source);
    if (!r->fields) nfields = r->source.header.nfields;
    if (!status) status = check_columns(r, nfields);
    if (!status) status = check_memory(r, nfields);
    if (!status) status = new_map(r, nfields);
    if (!status) status = read_values(r);
    return status;
}

armilla_status armilla_map_read(const char *path, int hdu, int64_t nfields, const int64_t *fields,
                                armilla_map **map)
{
    if (fields && (nfields < 1 || nfields > 1 << 20))
        return armilla_fail_argument("nfields", nfields, "must be from 1 to 2^20");
    armilla_fits fits;
    armilla_status status = armilla_check_given("map", map);
    if (!status) status = armilla_fits_open(path, &fits);
    if (status) return status;
    const int image = armilla_image_find(&fits, hdu);
    if (image >= 0) {
        status = armilla_image_read(&fits, image, nfields, fields, map);
        armilla_fits_close(&fits);
        return status;
    }
    reader r;
    memset(&r, 0, sizeof r);
    r.fits = &fits;
    r.fields = fields;
    status = read_map(&r, hdu, nfields);
    armilla_map_table_clear(&r.source);
    armilla_fits_close(&fits);
    if (status)
        armilla_map_free(r.map);
    else
        *map = r.map;
    return status;
}

armilla_status armilla_map_load(const char *path, armilla_map **map)
{
    return armilla_map_read(path, 0, 0, NULL, map);
}

/* HEALPix maps out of FITS tables.
 *
 * One walk through the rows serves all fields: a block of rows is decoded column by column,
 * missing values get their mark, and the values go to their RING pixels. IMPLICIT maps in RING
 * order are decoded straight into the field; else a block-sized list of RING pixel numbers, made
 * once per block, says where each value belongs. */
#include "armilla/grid.h"
#include "armilla/io.h"
#include "base/memory.h"
#include "io/alm_table.h"
#include "io/file_error.h"
#include "io/map_header.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

#define UNSEEN_TOLERANCE 1e-5 /* healpy's: float files hold UNSEEN to 24 bits */

typedef struct reader {
    const armilla_fits *fits;
    armilla_table table;
    armilla_map_header header;
    armilla_rows rows;
    const int64_t *fields; /* as asked for; NULL: all */
    armilla_map *map;
    char *flips;     /* fields of the file whose sign changes; NULL: none */
    int64_t *target; /* RING pixel of each value of a block; NULL: they follow each other */
    double *values;  /* decoded values of a block, where target is used */
} reader;

/* --- Choosing columns ------------------------------------------------------------------------- */

static int64_t field_of(const reader *r, int64_t index)
{
    return r->fields ? r->fields[index] : index;
}

static const armilla_column *column_of(const reader *r, int64_t index)
{
    return &r->table.columns[armilla_map_header_column(&r->header, field_of(r, index))];
}

static armilla_status check_column(const reader *r, int64_t field)
{
    const char *shown = armilla_path_shown(r->fits->path);
    if (field < 0 || field >= r->header.nfields)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "field = %lld: %s has %lld field(s), counted from 0", (long long)field,
                            shown, (long long)r->header.nfields);
    int64_t number = armilla_map_header_column(&r->header, field);
    const armilla_column *column = &r->table.columns[number];
    if (!armilla_column_is_number(column))
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: column %lld ('%s') has type %c: not a map",
                            shown, (long long)number + 1, column->name, column->form);
    if (column->repeat != r->header.repeat)
        return armilla_fail(ARMILLA_ERROR_FORMAT,
                            "%s: column %lld ('%s') has %lld values per row, others have %lld",
                            shown, (long long)number + 1, column->name, (long long)column->repeat,
                            (long long)r->header.repeat);
    return ARMILLA_OK;
}

static armilla_status check_columns(const reader *r, int64_t nfields)
{
    for (int64_t i = 0; i < nfields; i++) {
        armilla_status status = check_column(r, field_of(r, i));
        if (status) return status;
    }
    return ARMILLA_OK;
}

/* A map of listed pixels may need far more memory than its file has bytes. Systems that promise
 * memory they do not have would end the process later. */
static armilla_status check_memory(const reader *r, int64_t nfields)
{
    double needed = 8.0 * (double)r->header.npix * (double)nfields;
    double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (r->header.count == r->header.npix || machine <= 0 || needed <= machine) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_MEMORY,
                        "%s: NSIDE = %lld: the full sky needs %.1f GB, this machine has %.1f GB",
                        armilla_path_shown(r->fits->path), (long long)r->header.nside, needed / 1e9,
                        machine / 1e9);
}

/* --- Map in memory ---------------------------------------------------------------------------- */

static armilla_status new_field(const reader *r, int64_t index)
{
    armilla_field *field = &r->map->fields[index];
    const armilla_column *column = column_of(r, index);
    memcpy(field->name, column->name, sizeof field->name);
    memcpy(field->unit, column->unit, sizeof field->unit);
    field->type = armilla_column_type(column);
    armilla_status status = armilla_allocate(&field->values, r->map->npix, sizeof(double));
    int is_full = r->header.pixel < 0 && r->header.count == r->map->npix;
    if (status || is_full) return status;
    for (int64_t i = 0; i < r->map->npix; i++) field->values[i] = ARMILLA_UNSEEN;
    return ARMILLA_OK;
}

/* POLCCONV speaks of all fields of the file, whichever of them are read. */
static armilla_status find_flips(reader *r)
{
    if (!r->header.iau) return ARMILLA_OK;
    const char **names = NULL;
    armilla_status status = armilla_allocate(&names, r->header.nfields, sizeof *names);
    if (!status) status = armilla_allocate(&r->flips, r->header.nfields, 1);
    for (int64_t i = 0; !status && i < r->header.nfields; i++)
        names[i] = r->table.columns[armilla_map_header_column(&r->header, i)].name;
    if (!status) armilla_map_find_u(names, r->header.nfields, r->flips);
    armilla_release(names);
    return status;
}

static armilla_status new_map(reader *r, int64_t nfields)
{
    armilla_status status = armilla_allocate_zero(&r->map, 1, sizeof *r->map);
    if (status) return status;
    r->map->nside = r->header.nside;
    r->map->npix = r->header.npix;
    r->map->nfields = nfields;
    r->map->order = r->header.order;
    r->map->partial = r->header.pixel >= 0;
    r->map->iau = r->header.iau;
    r->map->coordsys = r->header.coordsys;
    status = armilla_allocate_zero(&r->map->fields, nfields, sizeof *r->map->fields);
    for (int64_t i = 0; !status && i < nfields; i++) status = new_field(r, i);
    return status;
}

/* --- Values ----------------------------------------------------------------------------------- */

static int is_near(double value, double mark)
{
    return fabs(value - mark) <= UNSEEN_TOLERANCE * fabs(mark);
}

static void mark_missing(const armilla_map_header *header, int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++)
        if (isnan(values[i]) || is_near(values[i], ARMILLA_UNSEEN)) values[i] = ARMILLA_UNSEEN;
    if (!header->has_bad) return;
    for (int64_t i = 0; i < count; i++)
        if (is_near(values[i], header->bad)) values[i] = ARMILLA_UNSEEN;
}

static void flip_sign(int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++)
        if (values[i] != ARMILLA_UNSEEN) values[i] = -values[i];
}

static armilla_status list_pixels(reader *r, int64_t count)
{
    const armilla_column *column = &r->table.columns[r->header.pixel];
    armilla_rows_decode_integer(&r->rows, column, r->target);
    for (int64_t i = 0; i < count; i++)
        if (r->target[i] < 0 || r->target[i] >= r->header.npix)
            return armilla_fail(ARMILLA_ERROR_FORMAT,
                                "%s: row %lld: PIXEL = %lld: must be from 0 to %lld at NSIDE = "
                                "%lld",
                                armilla_path_shown(r->fits->path),
                                (long long)(r->rows.first + i / r->header.repeat + 1),
                                (long long)r->target[i], (long long)r->header.npix - 1,
                                (long long)r->header.nside);
    return ARMILLA_OK;
}

static armilla_status find_targets(reader *r, int64_t first, int64_t count)
{
    armilla_status status = ARMILLA_OK;
    if (r->header.pixel >= 0)
        status = list_pixels(r, count);
    else
        for (int64_t i = 0; i < count; i++) r->target[i] = first + i;
    if (status || r->header.order == ARMILLA_IO_RING) return status;
    for (int64_t i = 0; i < count; i++)
        r->target[i] = armilla_healpix_nest_to_ring(r->header.nside, r->target[i]);
    return ARMILLA_OK;
}

static armilla_status read_block(reader *r)
{
    int64_t first = r->header.first + r->rows.first * r->header.repeat;
    int64_t count = r->rows.count * r->header.repeat;
    armilla_status status = r->target ? find_targets(r, first, count) : ARMILLA_OK;
    for (int64_t i = 0; !status && i < r->map->nfields; i++) {
        double *field = r->map->fields[i].values;
        double *values = r->target ? r->values : field + first;
        armilla_rows_decode(&r->rows, column_of(r, i), values);
        mark_missing(&r->header, count, values);
        if (r->flips && r->flips[field_of(r, i)]) flip_sign(count, values);
        for (int64_t k = 0; r->target && k < count; k++) field[r->target[k]] = values[k];
    }
    return status;
}

static armilla_status read_values(reader *r)
{
    armilla_status status = armilla_rows_begin(r->fits, &r->table, &r->rows);
    int64_t block = r->rows.capacity * r->header.repeat;
    if (r->header.pixel >= 0 || r->header.order == ARMILLA_IO_NESTED) {
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

/* --- Finding the table ------------------------------------------------------------------------ */

static armilla_status open_table(reader *r, int hdu)
{
    int type;
    armilla_status status = armilla_fits_move(r->fits, hdu, &type);
    return status ? status : armilla_table_open(r->fits, type, &r->table);
}

/* hdu = 0: the first table that holds a map; if there is only one table, that one, so that the
 * message says what is wrong with it. */
static armilla_status open_first_map(reader *r)
{
    int type, count = r->fits->count, tables = 0, last = 0;
    for (int hdu = 1; hdu < count; hdu++) {
        armilla_status status = armilla_fits_move(r->fits, hdu, &type);
        if (!status && type == IMAGE_HDU) continue;
        tables++;
        last = hdu;
        if (!status) status = armilla_table_open(r->fits, type, &r->table);
        if (status == ARMILLA_ERROR_MEMORY) return status;
        if (status) continue;
        if (armilla_map_header_fits(r->fits, &r->table)) return ARMILLA_OK;
        armilla_table_clear(&r->table);
    }
    if (tables == 1) return open_table(r, last);
    if (r->fits->is_cut) return armilla_fits_check_end(r->fits);
    return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: no HEALPix map in its %d table(s)",
                        armilla_path_shown(r->fits->path), tables);
}

static armilla_status read_map(reader *r, int hdu, int64_t nfields)
{
    armilla_status status = hdu == 0 ? open_first_map(r) : open_table(r, hdu);
    if (status) return status;
    if (armilla_alm_table_fits(&r->table))
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: holds coefficients a_lm, not a map",
                            armilla_path_shown(r->fits->path));
    status = armilla_map_header_read(r->fits, &r->table, &r->header);
    if (!r->fields) nfields = r->header.nfields;
    if (!status) status = check_columns(r, nfields);
    if (!status) status = check_memory(r, nfields);
    if (!status) status = find_flips(r);
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
    reader r;
    memset(&r, 0, sizeof r);
    r.fits = &fits;
    r.fields = fields;
    status = read_map(&r, hdu, nfields);
    armilla_release(r.flips);
    armilla_table_clear(&r.table);
    armilla_fits_close(&fits);
    if (status)
        armilla_map_free(r.map);
    else
        *map = r.map;
    return status;
}

/* Finds the table of a FITS file that holds a map, describes its columns as fields of a
 * map, and gives decoded pixels the mark ARMILLA_UNSEEN where they are missing and the signs of
 * COSMO. */
#include "io/map_table.h"

#include "base/memory.h"
#include "io/alm_table.h"
#include "io/file_error.h"
#include <math.h>
#include <string.h>

#define UNSEEN_TOLERANCE 1e-5 /* healpy's: float files hold UNSEEN to 24 bits */

/* --- Finding the table ------------------------------------------------------------------------ */

static armilla_status open_table(const armilla_fits *fits, int hdu, armilla_table *table)
{
    int type;
    armilla_status status = armilla_fits_move(fits, hdu, &type);
    return status ? status : armilla_table_open(fits, type, table);
}

/* hdu = 0: the first table that holds a map; if there is only one table, that one, so that the
 * message says what is wrong with it. */
static armilla_status open_first_map(const armilla_fits *fits, armilla_table *table)
{
    int type, count = fits->count, tables = 0, last = 0;
    for (int hdu = 1; hdu < count; hdu++) {
        armilla_status status = armilla_fits_move(fits, hdu, &type);
        if (!status && type == IMAGE_HDU) continue;
        tables++;
        last = hdu;
        if (!status) status = armilla_table_open(fits, type, table);
        if (status == ARMILLA_ERROR_MEMORY) return status;
        if (status) continue;
        if (armilla_map_header_fits(fits, table)) return ARMILLA_OK;
        armilla_table_clear(table);
    }
    if (tables == 1) return open_table(fits, last, table);
    if (fits->is_cut) return armilla_fits_check_end(fits);
    return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: no HEALPix map in its %d table(s)",
                        armilla_path_shown(fits->path), tables);
}

/* POLCCONV speaks of all fields of the file, whichever of them are read. */
static armilla_status find_flips(armilla_map_table *map)
{
    const int64_t nfields = map->header.nfields;
    if (!map->header.iau) return ARMILLA_OK;
    const char **names = NULL;
    armilla_status status = armilla_allocate(&names, nfields, sizeof *names);
    if (!status) status = armilla_allocate(&map->flips, nfields, 1);
    for (int64_t i = 0; !status && i < nfields; i++)
        names[i] = armilla_map_table_column(map, i)->name;
    if (!status) armilla_map_find_u(names, nfields, map->flips);
    armilla_release(names);
    return status;
}

armilla_status armilla_map_table_open(const armilla_fits *fits, int hdu, armilla_map_table *map)
{
    memset(map, 0, sizeof *map);
    map->path = fits->path;
    armilla_status status =
        hdu == 0 ? open_first_map(fits, &map->table) : open_table(fits, hdu, &map->table);
    if (status) return status;
    if (armilla_alm_table_fits(&map->table))
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: holds coefficients a_lm, not a map",
                            armilla_path_shown(fits->path));
    status = armilla_map_header_read(fits, &map->table, &map->header);
    return status ? status : find_flips(map);
}

void armilla_map_table_clear(armilla_map_table *map)
{
    armilla_release(map->flips);
    armilla_map_header_clear(&map->header);
    armilla_table_clear(&map->table);
    map->flips = NULL;
}

/* --- Fields ----------------------------------------------------------------------------------- */

const armilla_column *armilla_map_table_column(const armilla_map_table *map, int64_t field)
{
    return &map->table.columns[armilla_map_header_column(&map->header, field)];
}

armilla_status armilla_map_table_check(const armilla_map_table *map, int64_t field)
{
    const char *shown = armilla_path_shown(map->path);
    const armilla_map_header *header = &map->header;
    if (field < 0 || field >= header->nfields)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "field = %lld: %s has %lld field(s), counted from 0", (long long)field,
                            shown, (long long)header->nfields);
    int64_t number = armilla_map_header_column(header, field);
    const armilla_column *column = &map->table.columns[number];
    if (!armilla_column_is_number(column))
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: column %lld ('%s') has type %c: not a map",
                            shown, (long long)number + 1, column->name, column->form);
    if (column->repeat != header->repeat)
        return armilla_fail(ARMILLA_ERROR_FORMAT,
                            "%s: column %lld ('%s') has %lld values per row, others have %lld",
                            shown, (long long)number + 1, column->name, (long long)column->repeat,
                            (long long)header->repeat);
    return ARMILLA_OK;
}

static void describe_field(const armilla_column *column, armilla_field *field)
{
    memcpy(field->name, column->name, sizeof field->name);
    memcpy(field->unit, column->unit, sizeof field->unit);
    field->type = armilla_column_type(column);
}

armilla_status armilla_map_table_describe(const armilla_map_table *map, int64_t nfields,
                                          const int64_t *fields, armilla_map **described)
{
    const armilla_map_header *header = &map->header;
    armilla_map *new = NULL;
    armilla_status status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (status) return status;
    new->nside = header->nside;
    new->npix = header->npix;
    new->nfields = nfields;
    new->order = header->order;
    new->partial = header->pixel >= 0;
    new->iau = header->iau;
    new->coordsys = header->coordsys;
    if (header->grid)
        status = armilla_map_set_grid(new, header->grid);
    else
        armilla_map_name_healpix(new);
    if (!status) status = armilla_allocate_zero(&new->fields, nfields, sizeof *new->fields);
    for (int64_t i = 0; !status && i < nfields; i++)
        describe_field(armilla_map_table_column(map, fields ? fields[i] : i), &new->fields[i]);
    if (status)
        armilla_map_free(new);
    else
        *described = new;
    return status;
}

armilla_status armilla_map_table_exact(const armilla_map_table *map, int64_t field,
                                       const unsigned char *bytes, int64_t count)
{
    const armilla_column *column = armilla_map_table_column(map, field);
    if (armilla_column_inexact(column, bytes, count) < 0) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: column '%s' has integers beyond 2^53 that no double is, and the "
                        "values of maps are doubles: armilla.io.read_table in Python, or "
                        "armilla_raw_table_read in C, gives them as they are",
                        armilla_path_shown(map->path), column->name);
}

/* --- Values ----------------------------------------------------------------------------------- */

/* What is near the mark becomes ARMILLA_UNSEEN. Every value is stored, so that compilers take
 * several at a time. */
static void replace(double mark, int64_t count, double *values)
{
    const double tolerance = UNSEEN_TOLERANCE * fabs(mark);
    for (int64_t i = 0; i < count; i++)
        values[i] = fabs(values[i] - mark) <= tolerance ? ARMILLA_UNSEEN : values[i];
}

static void mark_missing(const armilla_map_header *header, int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++) values[i] = isnan(values[i]) ? ARMILLA_UNSEEN : values[i];
    replace(ARMILLA_UNSEEN, count, values);
    if (header->has_bad) replace(header->bad, count, values);
}

static void flip_sign(int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++)
        if (values[i] != ARMILLA_UNSEEN) values[i] = -values[i];
}

void armilla_map_table_mark(const armilla_map_table *map, int64_t field, int64_t count,
                            double *values)
{
    mark_missing(&map->header, count, values);
    if (map->flips && map->flips[field]) flip_sign(count, values);
}

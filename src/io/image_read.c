/* Maps out of FITS images: rows become rings from north to south, and columns pixels eastward from
 * the smallest longitude, wherever the image begins and whichever way it goes. */
#include "base/memory.h"
#include "io/file_error.h"
#include "io/fits_output.h"
#include "io/fits_table.h"
#include "io/image_map.h"
#include "io/image_planes.h"
#include "io/map_table.h"
#include <math.h>
#include <string.h>

typedef struct reader {
    const armilla_fits *fits;
    armilla_image_header header;
    armilla_map_table marks; /* of missing values and signs; no table */
    armilla_map *map;
    const int64_t *fields; /* NULL: all */
    double *row;
    armilla_column integers; /* where the form is K, the image holds integers of 64 bits */
    LONGLONG *stored;        /* a row of them */
} reader;

static int64_t plane_of(const reader *r, int64_t index)
{
    return r->fields ? r->fields[index] : index;
}

static armilla_status check_fields(const reader *r, int64_t nfields)
{
    for (int64_t i = 0; i < nfields; i++)
        if (plane_of(r, i) < 0 || plane_of(r, i) >= r->header.planes)
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "field = %lld: %s has %lld plane(s), counted from 0",
                                (long long)plane_of(r, i), armilla_path_shown(r->fits->path),
                                (long long)r->header.planes);
    return ARMILLA_OK;
}

/* The names of planes tell which of them is U. */
static armilla_status set_marks(reader *r)
{
    const int64_t planes = r->header.planes;
    char(*names)[ARMILLA_IO_NAME_SIZE] = NULL;
    const char **name = NULL;
    r->marks.header.has_bad = armilla_fits_number(r->fits, "BAD_DATA", &r->marks.header.bad);
    if (!r->header.iau || r->header.planes_are == ARMILLA_PLANES_OTHER) return ARMILLA_OK;
    armilla_status status = armilla_allocate(&names, planes, sizeof *names);
    if (!status) status = armilla_allocate(&name, planes, sizeof *name);
    if (!status) status = armilla_allocate(&r->marks.flips, planes, 1);
    for (int64_t i = 0; !status && i < planes; i++) {
        armilla_image_plane_read(r->fits, &r->header, i, names[i]);
        name[i] = names[i];
    }
    if (!status) armilla_map_find_u(name, planes, r->marks.flips);
    armilla_release(names);
    armilla_release(name);
    return status;
}

static armilla_status new_map(reader *r, int64_t nfields)
{
    const armilla_image_header *header = &r->header;
    armilla_status status = armilla_map_new_grid(header->grid, nfields, &r->map);
    for (int64_t i = 0; !status && i < nfields; i++) {
        armilla_field *field = &r->map->fields[i];
        armilla_image_plane_read(r->fits, header, plane_of(r, i), field->name);
        memcpy(field->unit, header->unit, sizeof field->unit);
        field->type = header->type;
    }
    if (status) return status;
    r->map->coordsys = header->coordsys;
    r->map->iau = header->iau;
    return ARMILLA_OK;
}

/* --- Integers of 64 bits ---------------------------------------------------------------------- */

/* They are decoded as those of tables: cfitsio rounds those that no double is. */
static armilla_status begin_integers(reader *r)
{
    armilla_column *column = &r->integers;
    int64_t bits = 0;
    int code = 0;
    armilla_fits_integer(r->fits, "BITPIX", &bits);
    if (bits != LONGLONG_IMG) return ARMILLA_OK;
    *column = (armilla_column){.form = 'K', .width = 8, .scale = 1};
    armilla_fits_number(r->fits, "BSCALE", &column->scale);
    armilla_fits_number(r->fits, "BZERO", &column->zero);
    column->has_null = armilla_fits_integer(r->fits, "BLANK", &column->null);
    fits_set_bscale(r->fits->handle, 1, 0, &code); /* of the numbers that are read */
    if (code) return armilla_fits_fail(r->fits, "read the image", code);
    return armilla_allocate(&r->stored, r->header.width, sizeof *r->stored);
}

static armilla_status decode_row(const reader *r, int64_t plane)
{
    const int64_t width = r->header.width;
    unsigned char *bytes = (unsigned char *)r->stored;
    for (int64_t i = 0; i < width; i++)
        armilla_integer_store(ARMILLA_IO_INT64, r->stored[i], bytes + 8 * i);
    if (armilla_column_inexact(&r->integers, bytes, width) >= 0)
        return armilla_fail(ARMILLA_ERROR_FORMAT,
                            "%s: plane %lld has integers beyond 2^53 that no double is, and the "
                            "values of maps are doubles: astropy.io.fits gives them as they are",
                            armilla_path_shown(r->fits->path), (long long)plane + 1);
    armilla_column_decode(&r->integers, bytes, width, r->row);
    return ARMILLA_OK;
}

/* --- Rows ------------------------------------------------------------------------------------- */

static armilla_status read_row(const reader *r, int64_t plane, int64_t y)
{
    const int is_integer = r->stored != NULL;
    const int64_t width = r->header.width, first = (plane * r->header.height + y) * width + 1;
    double nothing = (double)NAN;
    int code = 0, any = 0;
    fits_read_img(r->fits->handle, is_integer ? TLONGLONG : TDOUBLE, first, width,
                  is_integer ? NULL : &nothing, is_integer ? (void *)r->stored : (void *)r->row,
                  &any, &code);
    if (code) return armilla_fits_fail(r->fits, "read the image", code);
    return is_integer ? decode_row(r, plane) : ARMILLA_OK;
}

/* A row of the image into a ring. */
static void put_row(const armilla_image_header *header, const double *row, double *ring)
{
    const int64_t n = header->width, step = header->is_westward ? n - 1 : 1;
    for (int64_t j = 0, column = header->column; j < n; j++, column = (column + step) % n)
        ring[j] = row[column];
}

static armilla_status read_plane(const reader *r, int64_t index)
{
    const int64_t width = r->header.width, height = r->header.height, plane = plane_of(r, index);
    for (int64_t y = 0; y < height; y++) {
        const int64_t ring = r->header.is_north_first ? y : height - 1 - y;
        armilla_status status = read_row(r, plane, y);
        if (status) return status;
        armilla_map_table_mark(&r->marks, plane, width, r->row);
        put_row(&r->header, r->row, r->map->fields[index].values + ring * width);
    }
    return ARMILLA_OK;
}

armilla_status armilla_image_read(const armilla_fits *fits, int hdu, int64_t nfields,
                                  const int64_t *fields, armilla_map **map)
{
    int type;
    reader r = {.fits = fits, .fields = fields};
    armilla_status status = armilla_fits_move(fits, hdu, &type);
    if (!status) status = armilla_image_header_read(fits, &r.header);
    if (!fields) nfields = r.header.planes;
    if (!status) status = check_fields(&r, nfields);
    if (!status) status = set_marks(&r);
    if (!status) status = new_map(&r, nfields);
    if (!status) status = armilla_allocate(&r.row, r.header.width, sizeof *r.row);
    if (!status) status = begin_integers(&r);
    for (int64_t i = 0; !status && i < nfields; i++) status = read_plane(&r, i);
    armilla_release(r.row);
    armilla_release(r.stored);
    armilla_map_table_clear(&r.marks);
    armilla_image_header_clear(&r.header);
    if (status)
        armilla_map_free(r.map);
    else
        *map = r.map;
    return status;
}

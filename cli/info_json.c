/* Tells, table by table, what a FITS file holds: a map (whose pixels are read in pieces), the
 * coefficients or the spectra of a table, or another extension. */
#include "info_json.h"

#include "cards.h"
#include "report.h"
#include "sky.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 17 }; /* pixels looked at together */

/* --- Maps ------------------------------------------------------------------------------------- */

static const char *type_name(armilla_io_type type)
{
    static const char *const names[] = {
        [ARMILLA_IO_DOUBLE] = "double", [ARMILLA_IO_FLOAT] = "float", [ARMILLA_IO_INT16] = "int16",
        [ARMILLA_IO_INT32] = "int32",   [ARMILLA_IO_INT64] = "int64", [ARMILLA_IO_UINT8] = "uint8",
        [ARMILLA_IO_BOOL] = "bool"};
    const size_t index = (size_t)type;
    return index < sizeof names / sizeof *names ? names[index] : NULL;
}

typedef struct range {
    double minimum, maximum;
    int64_t missing;
} range;

static void add(const double *values, int64_t count, range *seen)
{
    for (int64_t i = 0; i < count; i++) {
        if (sky_is_missing(values[i]))
            seen->missing++;
        else if (!(seen->minimum <= values[i]) || !(seen->maximum >= values[i])) {
            if (!(seen->minimum <= values[i])) seen->minimum = values[i];
            if (!(seen->maximum >= values[i])) seen->maximum = values[i];
        }
    }
}

/* Columns of numbers alone have a range. */
static void tell_column(const armilla_field *field, const range *seen)
{
    report_open(NULL, '{');
    report_text("name", field->name);
    report_text("unit", field->unit);
    report_text("type", seen ? type_name(field->type) : NULL);
    report_real("minimum", seen ? seen->minimum : (double)NAN);
    report_real("maximum", seen ? seen->maximum : (double)NAN);
    report_integer("missing", seen ? seen->missing : 0);
    report_close();
}

static const char *coordinates(char system)
{
    return system == 'G' ? "G" : system == 'E' ? "E" : system == 'C' ? "C" : NULL;
}

static void tell_map(const armilla_map *map)
{
    report_text("kind", "map");
    if (map->nside) report_integer("nside", map->nside);
    report_text("grid", *map->grid_name ? map->grid_name : NULL);
    report_integer("npix", map->npix);
    report_text("ordering", map->order == ARMILLA_IO_RING ? "RING" : "NESTED");
    report_flag("partial", map->partial);
    report_text("coordinates", coordinates(map->coordsys));
    report_text("polarisation", map->iau ? "IAU" : "COSMO");
}

static armilla_status walk(const armilla_map_input *input, int64_t field, double *values,
                           range *seen)
{
    const int64_t npix = armilla_map_input_map(input)->npix;
    armilla_status status = ARMILLA_OK;
    for (int64_t at = 0; at < npix && !status; at += CHUNK) {
        const int64_t count = npix - at < CHUNK ? npix - at : CHUNK;
        status = armilla_map_input_read(input, field, at, count, values);
        if (!status) add(values, count, seen);
    }
    return status;
}

static armilla_status tell_columns(const armilla_map_input *input)
{
    const armilla_map *map = armilla_map_input_map(input);
    double *values = malloc(CHUNK * sizeof *values);
    if (!values) return ARMILLA_ERROR_MEMORY;
    tell_map(map);
    report_open("columns", '[');
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; i < map->nfields && !status; i++) {
        range seen = {(double)NAN, (double)NAN, 0};
        status = walk(input, i, values, &seen);
        const int is_number = status != ARMILLA_ERROR_FORMAT; /* damage is found by _verify */
        tell_column(&map->fields[i], is_number ? &seen : NULL);
        if (!is_number) status = ARMILLA_OK;
    }
    report_close();
    free(values);
    return status;
}

/* Partial maps and images are read as a whole. */
static armilla_status tell_partial(const char *path, int hdu)
{
    armilla_map *map;
    armilla_status status = armilla_map_read(path, hdu, 0, NULL, &map);
    if (status) return status;
    tell_map(map);
    report_open("columns", '[');
    for (int64_t i = 0; i < map->nfields; i++) {
        range seen = {(double)NAN, (double)NAN, 0};
        add(map->fields[i].values, map->npix, &seen);
        tell_column(&map->fields[i], &seen);
    }
    report_close();
    armilla_map_free(map);
    return ARMILLA_OK;
}

/* --- Others ----------------------------------------------------------------------------------- */

static int tell_alm(const char *path, int hdu)
{
    armilla_alm_input *input;
    if (armilla_alm_input_open(path, hdu, &input)) return 0;
    const armilla_alm_file *alm = armilla_alm_input_alm(input);
    report_text("kind", "alm");
    report_integer("lmax", alm->lmax);
    report_integer("mmax", alm->mmax);
    report_text("type", type_name(alm->type));
    report_text("coordinates", coordinates(alm->coordsys));
    armilla_alm_input_free(input);
    return 1;
}

/* A table of numbers that is neither a map nor coefficients. */
static int tell_cl(const char *path, int hdu)
{
    armilla_cl_file *cl;
    if (armilla_cl_read_hdu(path, hdu, &cl)) return 0;
    report_text("kind", "cl");
    report_integer("lmax", cl->lmax);
    report_text("unit", cl->unit);
    report_open("spectra", '[');
    for (int64_t i = 0; i < cl->nspectra; i++) report_text(NULL, cl->names[i]);
    report_close();
    armilla_cl_file_free(cl);
    return 1;
}

static void tell_other(const char *header)
{
    char value[80];
    cards_find(header, "XTENSION", value);
    const int is_table = strstr(value, "TABLE") != NULL;
    report_text("kind", is_table ? "table" : "image");
    if (!is_table) return;
    cards_find(header, "NAXIS2", value);
    report_integer("rows", strtoll(value, NULL, 10));
    cards_find(header, "TFIELDS", value);
    report_integer("ncolumns", strtoll(value, NULL, 10));
}

/* --- The file --------------------------------------------------------------------------------- */

/* The primary HDU has a map where it is an image of the sky. */
static armilla_status open_map(const char *path, int hdu, const char *header,
                               armilla_map_input **input)
{
    char value[80];
    if (hdu > 0) return armilla_map_input_open(path, hdu, input);
    cards_find(header, "NAXIS", value);
    if (strtoll(value, NULL, 10) < 2) return ARMILLA_ERROR_FORMAT;
    const armilla_status status = armilla_map_input_open(path, hdu, input);
    return status ? status : ARMILLA_ERROR_FORMAT; /* a map in an extension is told there */
}

static armilla_status tell_hdu(const char *path, int hdu, const char *header)
{
    armilla_map_input *input = NULL;
    char name[80];
    report_integer("hdu", hdu);
    cards_find(header, "EXTNAME", name);
    report_text("name", name);
    armilla_status status = open_map(path, hdu, header, &input);
    if (status == ARMILLA_OK)
        status = tell_columns(input);
    else if (status == ARMILLA_ERROR_UNSUPPORTED)
        status = tell_partial(path, hdu);
    else if (status != ARMILLA_ERROR_MEMORY) {
        status = ARMILLA_OK;
        if (hdu == 0 || (!tell_alm(path, hdu) && !tell_cl(path, hdu))) tell_other(header);
    }
    armilla_map_input_free(input);
    return status;
}

armilla_status info_json_file(const char *path)
{
    char *header;
    armilla_status status = armilla_io_header(path, 0, &header);
    report_text("path", path);
    report_open("hdus", '[');
    for (int hdu = 0; !status; hdu++) {
        report_open(NULL, '{');
        status = tell_hdu(path, hdu, header);
        report_close();
        armilla_io_text_free(header);
        if (!status && armilla_io_header(path, hdu + 1, &header)) break;
    }
    report_close();
    return status;
}

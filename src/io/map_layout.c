/* Decides which table a map is written as: it checks the map, chooses the columns, the
 * pixels of a row and the marks of missing ones, writes the keywords, and stores pixels with the
 * file's signs and types. */
#include "io/map_layout.h"

#include "armilla/grid.h"
#include "base/memory.h"
#include "io/map_header.h"
#include <math.h>
#include <string.h>

enum { MAX_FIELDS = 998, MAX_REPEAT = 1024, CHUNK = 512 };

/* --- Checks ----------------------------------------------------------------------------------- */

static armilla_status check_types(const armilla_map *map)
{
    if (!map->fields) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "map->fields = NULL");
    for (int64_t i = 0; i < map->nfields; i++)
        if (!armilla_type_width(map->fields[i].type))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT, "map->fields[%lld].type = %d: unknown",
                                (long long)i, (int)map->fields[i].type);
    return ARMILLA_OK;
}

static armilla_status check_healpix(const armilla_map *map)
{
    const int64_t npix = armilla_healpix_npix(map->nside);
    if (npix < 0) return armilla_fail_argument("map->nside", map->nside, "must be at least 1");
    if (map->npix != npix)
        return armilla_fail_argument("map->npix", map->npix, "must be 12 nside^2");
    return ARMILLA_OK;
}

static armilla_status check_grid(const armilla_map *map)
{
    if (map->nside)
        return armilla_fail_argument("map->nside", map->nside, "must be 0 where map->grid is set");
    if (map->npix != armilla_grid_npix(map->grid))
        return armilla_fail_argument("map->npix", map->npix, "must be that of map->grid");
    if (map->order != ARMILLA_IO_RING)
        return armilla_fail_argument("map->order", map->order, "must be RING with map->grid");
    return armilla_ring_grid_check(map->grid);
}

static armilla_status check_map(const armilla_map *map)
{
    if (!map) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "map = NULL");
    const armilla_status status = map->grid ? check_grid(map) : check_healpix(map);
    if (status) return status;
    if (map->nfields < 1 || map->nfields > MAX_FIELDS)
        return armilla_fail_argument("map->nfields", map->nfields, "must be from 1 to 998");
    if (map->order != ARMILLA_IO_RING && map->order != ARMILLA_IO_NESTED)
        return armilla_fail_argument("map->order", map->order, "must be RING or NESTED");
    if (map->order == ARMILLA_IO_NESTED && (map->nside & (map->nside - 1)))
        return armilla_fail_argument("map->nside", map->nside,
                                     "must be a power of two in NESTED order");
    if (map->coordsys && !strchr("GEC", map->coordsys))
        return armilla_fail_argument("map->coordsys", map->coordsys, "must be 'G', 'E', 'C' or 0");
    return check_types(map);
}

/* --- Layout ----------------------------------------------------------------------------------- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static armilla_status find_flips(armilla_map_layout *layout)
{
    const char **names = NULL;
    armilla_status status = armilla_allocate(&names, layout->map->nfields, sizeof *names);
    if (!status) status = armilla_allocate(&layout->flips, layout->map->nfields, 1);
    for (int64_t i = 0; !status && i < layout->map->nfields; i++)
        names[i] = layout->map->fields[i].name;
    if (!status) layout->has_u = armilla_map_find_u(names, layout->map->nfields, layout->flips);
    armilla_release(names);
    if (status || layout->map->iau) return status;
    memset(layout->flips, 0, (size_t)layout->map->nfields);
    return status;
}

static void fill_columns(armilla_map_layout *layout)
{
    armilla_output_column *column = layout->columns;
    if (layout->map->partial) {
        column->name = "PIXEL";
        column->unit = "";
        column->type = layout->map->npix - 1 > INT32_MAX ? ARMILLA_IO_INT64 : ARMILLA_IO_INT32;
        column++->repeat = 1;
    }
    for (int64_t i = 0; i < layout->map->nfields; i++, column++) {
        column->name = layout->map->fields[i].name;
        column->unit = layout->map->fields[i].unit;
        column->type = layout->map->fields[i].type;
        column->repeat = layout->repeat;
        column->has_null = column->type != ARMILLA_IO_UINT8;
    }
}

static armilla_status choose_repeat(armilla_map_layout *layout)
{
    const armilla_map *map = layout->map;
    layout->repeat = layout->options.row_pixels;
    if (!layout->repeat) layout->repeat = common_divisor(map->npix, MAX_REPEAT);
    if (map->partial) layout->repeat = 1;
    if (layout->repeat <= map->npix && map->npix % layout->repeat == 0) return ARMILLA_OK;
    return armilla_fail_argument("options->row_pixels", layout->repeat,
                                 "must divide the number of pixels");
}

/* Cards of another map, which callers may pass on, must not say what is not so. */
static armilla_status check_keywords(const armilla_map_layout *layout)
{
    static const char *const grid[] = {"PIXTYPE", "GRID", "PHI0", "NRINGS", "NPIX", "NSIDE", NULL};
    static const char *const image[] = {"CTYPE#", "CUNIT#", "CRVAL#",  "CRPIX#",
                                        "CDELT#", "CROTA#", "LONPOLE", "LATPOLE",
                                        "PC#",    "CD#",    "PV#",     NULL};
    const char *why = "says where the pixels are, which follows from the map's grid";
    armilla_status status = ARMILLA_OK;
    if (layout->map->grid) status = armilla_keywords_refuse(&layout->options, grid, why);
    if (!status && layout->options.image)
        status = armilla_keywords_refuse(&layout->options, image, why);
    return status;
}

armilla_status armilla_map_layout_make(const armilla_map *map, const armilla_write_options *options,
                                       armilla_map_layout *layout)
{
    memset(layout, 0, sizeof *layout);
    layout->map = map;
    armilla_status status = check_map(map);
    if (!status) status = armilla_write_options_take(options, &layout->options);
    if (!status) status = check_keywords(layout);
    if (!status) status = choose_repeat(layout);
    if (!status && map->grid) status = armilla_ring_grid_describe(map->grid, &layout->ring_grid);
    if (status) return status;
    layout->ncolumns = map->nfields + (map->partial != 0);
    status = armilla_allocate_zero(&layout->columns, layout->ncolumns, sizeof *layout->columns);
    if (status) return status;
    fill_columns(layout);
    return find_flips(layout);
}

void armilla_map_layout_clear(armilla_map_layout *layout)
{
    armilla_release(layout->columns);
    armilla_release(layout->flips);
    layout->columns = NULL;
    layout->flips = NULL;
}

const armilla_output_column *armilla_map_layout_column(const armilla_map_layout *layout,
                                                       int64_t field)
{
    return &layout->columns[field + (layout->map->partial != 0)];
}

/* --- Values ----------------------------------------------------------------------------------- */

static int is_floating(armilla_io_type type)
{
    return type == ARMILLA_IO_DOUBLE || type == ARMILLA_IO_FLOAT;
}

/* Values as the file has them: signs, and the mark of what is missing. */
static void convert(const armilla_map_layout *layout, int64_t field, int64_t count,
                    const double *values, double *converted)
{
    const int must_mark =
        !(layout->options.keep_nan && is_floating(layout->map->fields[field].type));
    const int must_flip = layout->flips[field];
    for (int64_t i = 0; i < count; i++) {
        const double value = (must_flip & (values[i] != ARMILLA_UNSEEN)) ? -values[i] : values[i];
        converted[i] = (must_mark & (value != value)) ? ARMILLA_UNSEEN : value;
    }
}

/* --- Missing pixels in bytes ------------------------------------------------------------------ */

int armilla_map_is_observed(const armilla_map *map, int64_t ring)
{
    for (int64_t i = 0; i < map->nfields; i++) {
        double value = map->fields[i].values[ring];
        if (value != ARMILLA_UNSEEN && !isnan(value)) return 1;
    }
    return 0;
}

static armilla_status find_null(const armilla_map_layout *layout, int64_t index,
                                armilla_output_column *column)
{
    const armilla_map *map = layout->map;
    char is_taken[UINT8_MAX + 1] = {0};
    int64_t null = UINT8_MAX;
    for (int64_t i = 0; i < map->npix; i++) {
        double value;
        if (map->partial && !armilla_map_is_observed(map, i)) continue;
        convert(layout, index, 1, &map->fields[index].values[i], &value);
        value = rint(value);
        if (value >= 0 && value <= UINT8_MAX)
            is_taken[(int)value] = 1;
        else if (value == ARMILLA_UNSEEN)
            column->has_null = 1; /* what else does not fit is found when it is stored */
    }
    if (!column->has_null) return ARMILLA_OK;
    while (null >= 0 && is_taken[null]) null--;
    column->null = null;
    if (null >= 0) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                        "map->fields[%lld]: has missing pixels and all 256 numbers of the type "
                        "uint8, so that none is left to mark them: write it as int16",
                        (long long)index);
}

armilla_status armilla_map_layout_find_nulls(armilla_map_layout *layout)
{
    const armilla_map *map = layout->map;
    armilla_output_column *columns = layout->columns + (map->partial != 0);
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; !status && i < map->nfields; i++)
        if (map->fields[i].type == ARMILLA_IO_UINT8) status = find_null(layout, i, &columns[i]);
    return status;
}

/* --- Header ----------------------------------------------------------------------------------- */

static armilla_status write_sky_keywords(const armilla_map *map, armilla_output *output)
{
    armilla_status status = ARMILLA_OK;
    if (!map->partial) {
        status = armilla_output_integer(output, "FIRSTPIX", 0, "First pixel # (0 based)");
        if (!status)
            status =
                armilla_output_integer(output, "LASTPIX", map->npix - 1, "Last pixel # (0 based)");
    }
    if (!status)
        status = armilla_output_text(output, "INDXSCHM", map->partial ? "EXPLICIT" : "IMPLICIT",
                                     "Indexing: IMPLICIT or EXPLICIT");
    if (!status)
        status = armilla_output_text(output, "OBJECT", map->partial ? "PARTIAL" : "FULLSKY",
                                     "Sky coverage, either FULLSKY or PARTIAL");
    return status;
}

static armilla_status write_keywords(const armilla_map_layout *layout, armilla_output *output)
{
    const armilla_map *map = layout->map;
    const char coordsys[2] = {map->coordsys, '\0'};
    armilla_status status =
        map->grid ? armilla_ring_grid_write(map->grid, &layout->ring_grid, output)
                  : armilla_output_text(output, "PIXTYPE", "HEALPIX", "HEALPIX pixelisation");
    if (!status)
        status = armilla_output_text(output, "ORDERING", map->order ? "NESTED" : "RING",
                                     "Pixel ordering scheme, either RING or NESTED");
    if (!status && map->coordsys)
        status = armilla_output_text(output, "COORDSYS", coordsys,
                                     "Ecliptic, Galactic or Celestial (equatorial)");
    if (!status)
        status = armilla_output_text(output, "EXTNAME", "xtension",
                                     "name of this binary table extension");
    if (!status && !map->grid)
        status =
            armilla_output_integer(output, "NSIDE", map->nside, "Resolution parameter of HEALPIX");
    if (!status) status = write_sky_keywords(map, output);
    if (!status && layout->has_u)
        status = armilla_output_text(output, "POLCCONV", map->iau ? "IAU" : "COSMO",
                                     "Sign of U: COSMO or IAU");
    if (!status)
        status = armilla_output_text(output, "CREATOR", "Armilla " ARMILLA_VERSION,
                                     "Software creating the FITS file");
    return status;
}

armilla_status armilla_map_layout_begin(const armilla_map_layout *layout, int64_t rows,
                                        armilla_output *output)
{
    armilla_status status = armilla_output_table(output, rows, layout->ncolumns, layout->columns);
    if (!status) status = write_keywords(layout, output);
    return status ? status : armilla_output_keywords(output, &layout->options);
}

int armilla_map_layout_lists_rings(const armilla_map_layout *layout)
{
    return layout->map->grid && !*layout->ring_grid.name;
}

/* --- Columns -----------------------------------------------------------------------------------
 */

/* Up to CHUNK values of a column. */
static int64_t store_chunk(const armilla_output_column *column, int64_t count, const double *values,
                           unsigned char *bytes)
{
    const armilla_io_type type = column->type;
    const int64_t width = armilla_type_width(type);
    const int has_byte = type == ARMILLA_IO_UINT8 && column->has_null;
    if (is_floating(type)) return armilla_reals_store(type, count, values, bytes);
    for (int64_t i = 0; i < count; i++)
        if (has_byte && values[i] == ARMILLA_UNSEEN)
            bytes[i] = (unsigned char)column->null;
        else if (!armilla_value_store(type, values[i], bytes + i * width))
            return i;
    return count;
}

int64_t armilla_map_layout_store(const armilla_map_layout *layout, int64_t field, int64_t count,
                                 const double *values, unsigned char *bytes)
{
    const armilla_output_column *column = armilla_map_layout_column(layout, field);
    const int64_t width = armilla_type_width(column->type);
    double converted[CHUNK];
    for (int64_t first = 0; first < count; first += CHUNK) {
        const int64_t n = count - first < CHUNK ? count - first : CHUNK;
        convert(layout, field, n, values + first, converted);
        const int64_t done = store_chunk(column, n, converted, bytes + first * width);
        if (done < n) return first + done;
    }
    return count;
}

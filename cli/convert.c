/* armilla convert: a map from one format of files to another. */
#include "cards.h"
#include "commands.h"
#include "labelled.h"
#include "message.h"
#include "paths.h"
#include "pieces.h"
#include "pixel_grid.h"
#include "progress.h"
#include "report.h"

#include <string.h>

typedef struct arguments {
    common base;
    labelled_arguments labelled;
    const char *hdu;
    int store_double;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"image", OPTION_FLAG, AT(labelled.image), "",
     "write a FITS image in plate carree, of equidistant rings, not a table", 0, 0},
    {"coordsys", OPTION_TEXT, AT(labelled.coordsys), "G|E|C",
     "galactic, ecliptic or equatorial, if the file does not say", 0, 0},
    {"double", OPTION_FLAG, AT(store_double), "", "store the map in 64 bits instead of 32", 0, 0},
    {"hdu", OPTION_TEXT, AT(hdu), "N|NAME",
     "HDU of the map: a number (0: the primary image) or a name; default: the first", 0, 0},
    {"var", OPTION_TEXT, AT(labelled.var), "NAMES",
     "variables of NetCDF, Zarr or GRIB, such as ua,va; default: all on the grid", 0, 0},
    {"from", OPTION_GRID_NAME, AT(labelled.from), "NAME",
     "the grid of such variables, if their labels do not name it", 0, 0},
    {.name = NULL},
};

static void defaults(void *self)
{
    arguments *a = self;
    a->labelled.lmax = a->labelled.iterations = -1;
}

/* --- Checks ----------------------------------------------------------------------------------- */

static int check_labelled(arguments *a)
{
    const char *input = a->base.files[0];
    if (a->base.json) return usage_error("--json: NetCDF, Zarr and GRIB have no report; omit it");
    if (a->hdu && labelled_is(input)) return usage_error("--hdu: \"%s\" is not a FITS file", input);
    if (a->labelled.var && !labelled_is(input))
        return usage_error("--var: \"%s\" is not a file of NetCDF, Zarr or GRIB", input);
    if (a->labelled.from && !labelled_is(input))
        return usage_error("--from: \"%s\" is not a file of NetCDF, Zarr or GRIB", input);
    if (a->labelled.image && labelled_is(a->base.output))
        return usage_error("--image: \"%s\" is not a FITS file", a->base.output);
    a->labelled.store_double = a->store_double;
    a->labelled.hdu = a->hdu;
    return labelled_check(&a->labelled);
}

static int check(void *self)
{
    arguments *a = self;
    const char *coordsys = a->labelled.coordsys;
    if (a->base.nfiles > 1 && a->base.output)
        return usage_error("\"%s\" and -o \"%s\": two outputs; give only one of them",
                           a->base.files[1], a->base.output);
    if (a->base.nfiles > 1) a->base.output = a->base.files[1];
    if (coordsys && (strlen(coordsys) != 1 || !strchr("GEC", *coordsys)))
        return usage_error("--coordsys \"%s\": must be G, E or C", coordsys);
    if (!a->base.output) return usage_error("the output is missing: -o FILE");
    if (labelled_is(a->base.files[0]) || labelled_is(a->base.output)) return check_labelled(a);
    if (a->labelled.var || a->labelled.from)
        return usage_error("--%s: applies only to NetCDF, Zarr and GRIB",
                           a->labelled.var ? "var" : "from");
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}},
        .outputs = {{"-o", a->base.output}},
        .overwrite = a->base.overwrite,
    };
    return paths_check(&paths);
}

/* --- Work ------------------------------------------------------------------------------------- */

/* The map, and the cards that its successor keeps. */
static int read_map(const arguments *a, armilla_map **map, cards *kept)
{
    const char *path = a->base.files[0];
    map_source source;
    armilla_status status = ARMILLA_OK;
    int code = source_open(path, a->hdu, &source);
    if (code == CLI_OK) code = cards_read(path, source.hdu, "armilla convert", kept);
    if (code == CLI_OK && !source.whole)
        status = armilla_map_read(path, source.hdu, 0, NULL, &source.whole);
    if (status) code = data_error(status, path);
    if (code == CLI_OK) *map = source.whole, source.whole = NULL;
    source_free(&source);
    return code;
}

/* Are the latitudes of the rings equidistant, and all rings of one length? */
static int is_equidistant(const pixel_grid *grid)
{
    const armilla_grid_kind kind = armilla_grid_get_kind(grid->grid);
    return kind != ARMILLA_GRID_CUSTOM && kind != ARMILLA_GRID_HEALPIX &&
           kind != ARMILLA_GRID_GAUSS_LEGENDRE && kind != ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE;
}

/* What the options change in a map. */
static int change(const arguments *a, const pixel_grid *grid, armilla_map *map)
{
    const char *asked = a->labelled.coordsys;
    int is_wide = a->store_double;
    for (int64_t i = 0; i < map->nfields; i++) {
        const armilla_io_type type = map->fields[i].type;
        is_wide = is_wide || type == ARMILLA_IO_DOUBLE || type == ARMILLA_IO_INT32 ||
                  type == ARMILLA_IO_INT64;
    }
    for (int64_t i = 0; i < map->nfields && (a->labelled.image || a->store_double); i++)
        map->fields[i].type = is_wide ? ARMILLA_IO_DOUBLE : ARMILLA_IO_FLOAT;
    if (a->labelled.image) map->partial = 0; /* of which all pixels are in memory */
    if (asked && map->coordsys && map->coordsys != *asked)
        return usage_error("--coordsys \"%s\": \"%s\" is in %c; armilla map --coord rotates maps",
                           asked, a->base.files[0], map->coordsys);
    if (asked) map->coordsys = *asked;
    if (a->labelled.image && !is_equidistant(grid))
        return usage_error("--image: needs equidistant rings, such as those of cc:181x360, but the "
                           "map is on %s; armilla analyze and synthesize --grid change the grid",
                           grid->text);
    if (a->labelled.image && !map->coordsys)
        return usage_error("--image: needs coordinates on the sky, but \"%s\" does not name them; "
                           "give --coordsys G, E or C",
                           a->base.files[0]);
    return CLI_OK;
}

static int write_map(const arguments *a, const armilla_map *map, const pixel_grid *grid,
                     const cards *kept)
{
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.overwrite = a->base.overwrite;
    options.image = a->labelled.image;
    options.nkeywords = kept->count;
    options.keywords = kept->keywords;
    const armilla_status status = armilla_map_write_with(a->base.output, map, &options);
    if (status) return data_error(status, a->base.output);
    report_integer("fields", map->nfields);
    pixel_grid_report(grid);
    report_text("format", a->labelled.image ? "image" : "table");
    note("wrote %s: %s of %lld field%s, %s", a->base.output,
         a->labelled.image ? "an image" : "a table", (long long)map->nfields,
         map->nfields == 1 ? "" : "s", grid->text);
    return CLI_OK;
}

static int work(void *self)
{
    const arguments *a = self;
    armilla_map *map = NULL;
    pixel_grid grid = {.nside = 0};
    cards kept = {.count = 0};
    if (labelled_is(a->base.files[0]) || labelled_is(a->base.output))
        return labelled_run("convert", &a->base, a->base.output, &a->labelled);
    int code = read_map(a, &map, &kept);
    if (code == CLI_OK) code = pixel_grid_of_map(map, a->base.files[0], &grid);
    if (code == CLI_OK) code = change(a, &grid, map);
    if (code == CLI_OK && progress_stopped()) code = CLI_FAILED;
    if (code == CLI_OK) code = write_map(a, map, &grid, &kept);
    cards_free(&kept);
    pixel_grid_free(&grid);
    armilla_map_free(map);
    return code;
}

const command convert_command = {
    .name = "convert",
    .summary = "convert a map from one file format to another",
    .usage = "convert MAP OUT [--image] [options]",
    .text = "Writes the map of a file, on any grid of rings, as a FITS table or, with --image, as "
            "a FITS\n"
            "image in plate carree, which other programs show with its coordinates. A name that "
            "ends in\n"
            ".nc, .zarr or .grib is read or written in that format (GRIB is only read). The pixels "
            "are\n"
            "not changed: armilla regrid and armilla synthesize change grids. NetCDF, Zarr and "
            "GRIB need\n"
            "the Python package with xarray (" LABELLED_INSTALL ").",
    .example = "armilla convert map.fits image.fits --image --coordsys G",
    .min_files = 1,
    .max_files = 2,
    .file_missing = "the file MAP is missing",
    .report = "fields, nside (of HEALPix), grid (its name), format (table or image)",
    .tables = {table, output_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

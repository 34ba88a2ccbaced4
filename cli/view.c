/* armilla view: a picture of a map. */
#include "commands.h"
#include "message.h"
#include "number.h"
#include "paths.h"
#include "pictures.h"
#include "progress.h"
#include "rotation.h"
#include "sky.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct arguments {
    common base;
    const char *title, *unit, *projection, *field, *rotation, *coordinates, *colors, *flip;
    const char *threshold_text, *hdu;
    int64_t width;
    double range[2], fov;
    int half_sky, graticule, log, symlog, hist;
    /* What check makes of them: */
    unsigned kind, palette;      /* indices of projections and color_maps */
    double threshold, angles[3]; /* angles: longitude, latitude, psi, radians */
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"field", OPTION_TEXT, AT(field), "N",
     "column of the map: a number from 0, or a name; default 0", 0, 0},
    {"hdu", OPTION_TEXT, AT(hdu), "N|NAME",
     "HDU of the map: a number (0: the primary image) or a name; default: the first", 0, 0},
    {"projection", OPTION_TEXT, AT(projection), "NAME",
     "mollweide (default), orthographic, gnomonic, equirectangular or polar", 0, 0},
    {"rot", OPTION_TEXT, AT(rotation), "LON,LAT[,PSI]",
     "centre of the view in degrees, and a turn around it; default 0,0, or 0,90 for polar", 0, 0},
    {"fov", OPTION_ANGLE, AT(fov), "ANGLE",
     "diameter of the view; default: gnomonic 20deg, others all they can show", 0, 0},
    {"half-sky", OPTION_FLAG, AT(half_sky), "",
     "orthographic and polar: only one disc, without the other hemisphere", 0, 0},
    {"coord", OPTION_TEXT, AT(coordinates), "FROM,TO",
     "coordinate systems of map and picture: G, C or E, such as G,C", 0, 0},
    {"flip", OPTION_TEXT, AT(flip), "NAME",
     "astro (default): longitudes grow to the left; geo: to the right", 0, 0},
    {"graticule", OPTION_FLAG, AT(graticule), "", "draw parallels and meridians with their degrees",
     0, 0},
    {"cmap", OPTION_TEXT, AT(colors), "NAME",
     "colours: diverging (default), planck, viridis, magma or grey", 0, 0},
    {"range", OPTION_RANGE, AT(range), "A,B", "ends of the colour scale; default: from the data", 0,
     0},
    {"log", OPTION_FLAG, AT(log), "", "a logarithmic colour scale", 0, 0},
    {"symlog", OPTION_FLAG, AT(symlog), "",
     "a colour scale that is linear around 0 and logarithmic outside", 0, 0},
    {"threshold", OPTION_TEXT, AT(threshold_text), "X",
     "with --symlog: where the linear part ends; default: 1/100 of the scale", 0, 0},
    {"hist", OPTION_FLAG, AT(hist), "",
     "equal numbers of pixels in each colour (histogram equalised)", 0, 0},
    {"title", OPTION_TEXT, AT(title), "TEXT",
     "title of the picture; default: the name of the column", 0, 0},
    {"unit", OPTION_TEXT, AT(unit), "TEXT",
     "unit below the colour bar; default: that of the column", 0, 0},
    {"width", OPTION_INTEGER, AT(width), "N", "width in pixels; default 1600", 200, 20000},
    {"threads", OPTION_INTEGER, AT(base.threads), "N",
     "use N threads; 0 (default): ARMILLA_NUM_THREADS, OMP_NUM_THREADS, or all", 0, 4096},
    {.name = NULL},
};

/* --- What the options mean -------------------------------------------------------------------- */

static const char *const projections[] = {"mollweide", "orthographic", "gnomonic",
                                          "equirectangular", "polar"};
static const char *const color_maps[] = {"diverging", "planck", "viridis", "magma", "grey"};
static const char *const coordinate_pairs[] = {"G,C", "G,E", "C,G", "C,E", "E,G", "E,C"};
enum { MOLLWEIDE, ORTHOGRAPHIC, GNOMONIC, EQUIRECTANGULAR, POLAR };

#define COUNT(names) (int)(sizeof(names) / sizeof *(names))

/* The index of a name in a list; 0 for NULL, -1 where it is not there. */
static int find(const char *name, const char *const *names, int count)
{
    for (int i = 0; i < count && name; i++)
        if (strcmp(name, names[i]) == 0) return i;
    return name ? -1 : 0;
}

/* LON,LAT or LON,LAT,PSI in degrees. */
static int read_rotation(arguments *a)
{
    char words[128];
    const double degree = M_PI / 180;
    a->angles[0] = a->angles[2] = 0, a->angles[1] = a->kind == POLAR ? M_PI_2 : 0;
    if (!a->rotation) return CLI_OK;
    int count = 0, is_wrong = strlen(a->rotation) >= sizeof words;
    snprintf(words, sizeof words, "%s", a->rotation);
    for (char *word = words; word && !is_wrong;) {
        char *comma = strchr(word, ',');
        if (comma) *comma++ = '\0';
        is_wrong = count == 3 || number_real(word, &a->angles[count]) != NULL;
        if (!is_wrong) a->angles[count++] *= degree;
        word = comma;
    }
    if (is_wrong || count < 2 || fabs(a->angles[1]) > 0.5 * NUMBER_FLOAT_PI)
        return usage_error("--rot \"%s\": must be LON,LAT or LON,LAT,PSI in degrees, LAT -90 to 90",
                           a->rotation);
    return CLI_OK;
}

static int check_names(arguments *a)
{
    const int kind = find(a->projection, projections, COUNT(projections));
    const int palette = find(a->colors, color_maps, COUNT(color_maps));
    if (kind < 0)
        return usage_error("--projection \"%s\": must be mollweide, orthographic, gnomonic, "
                           "equirectangular or polar",
                           a->projection);
    if (palette < 0)
        return usage_error("--cmap \"%s\": must be diverging, planck, viridis, magma or grey",
                           a->colors);
    if (find(a->coordinates, coordinate_pairs, COUNT(coordinate_pairs)) < 0)
        return usage_error("--coord \"%s\": must be FROM,TO, two of G, C and E, such as G,C",
                           a->coordinates);
    if (a->flip && strcmp(a->flip, "astro") != 0 && strcmp(a->flip, "geo") != 0)
        return usage_error("--flip \"%s\": must be astro or geo", a->flip);
    a->kind = (unsigned)kind, a->palette = (unsigned)palette;
    return CLI_OK;
}

static int check_scale(arguments *a)
{
    if (a->log + a->symlog + a->hist > 1)
        return usage_error("%s and %s: give only one of them", a->log ? "--log" : "--symlog",
                           a->hist ? "--hist" : "--symlog");
    if (a->log && a->range[0] <= 0)
        return usage_error("--range %g,%g: must be positive with --log", a->range[0], a->range[1]);
    if (!a->threshold_text) return CLI_OK;
    if (!a->symlog)
        return usage_error("--threshold \"%s\": applies only with --symlog", a->threshold_text);
    if (number_real(a->threshold_text, &a->threshold) || a->threshold <= 0)
        return usage_error("--threshold \"%s\": must be a positive number", a->threshold_text);
    return CLI_OK;
}

static int check_size(const arguments *a)
{
    const unsigned kind = a->kind;
    const int has_discs = kind == ORTHOGRAPHIC || kind == POLAR;
    if (a->half_sky && !has_discs)
        return usage_error("--half-sky: applies only to --projection orthographic and polar");
    if (isnan(a->fov)) return CLI_OK;
    if (kind == MOLLWEIDE || kind == EQUIRECTANGULAR)
        return usage_error("--fov: --projection %s shows the whole sky; give orthographic, "
                           "gnomonic or polar",
                           projections[kind]);
    const double most = (kind == GNOMONIC ? 170 : 180) * M_PI / 180;
    if (a->fov < 1e-6 || a->fov > most * (1 + 1e-12))
        return usage_error("--fov: must be 1e-6rad to %ddeg with --projection %s",
                           kind == GNOMONIC ? 170 : 180, projections[kind]);
    return CLI_OK;
}

static void set_view(const arguments *a, armilla_picture_options *options)
{
    static const armilla_projection planes[] = {
        ARMILLA_PROJECTION_MOLLWEIDE, ARMILLA_PROJECTION_ORTHOGRAPHIC, ARMILLA_PROJECTION_GNOMONIC,
        ARMILLA_PROJECTION_EQUIRECTANGULAR, ARMILLA_PROJECTION_LAMBERT};
    const unsigned kind = a->kind;
    const int has_discs = kind == ORTHOGRAPHIC || kind == POLAR;
    options->projection = planes[kind];
    options->two_sides = has_discs && !a->half_sky;
    options->fov = a->fov;
    options->longitude = a->angles[0], options->latitude = a->angles[1];
    options->angle = a->angles[2];
    if (a->coordinates) options->from = a->coordinates[0], options->to = a->coordinates[2];
    options->east_right = a->flip && strcmp(a->flip, "geo") == 0;
    options->graticule = a->graticule;
}

static void set_colors(const arguments *a, armilla_picture_options *options)
{
    static const armilla_color_map maps[] = {ARMILLA_COLORS_DIVERGING, ARMILLA_COLORS_PLANCK,
                                             ARMILLA_COLORS_VIRIDIS, ARMILLA_COLORS_MAGMA,
                                             ARMILLA_COLORS_GREY};
    options->colors = maps[a->palette];
    options->scale = a->log      ? ARMILLA_SCALE_LOG
                     : a->symlog ? ARMILLA_SCALE_SYMLOG
                     : a->hist   ? ARMILLA_SCALE_EQUALISED
                                 : ARMILLA_SCALE_LINEAR;
    options->threshold = a->threshold;
    options->minimum = a->range[0];
    options->maximum = a->range[1];
}

static int draw(const arguments *a, const sky *map)
{
    const armilla_field *field = map->map->fields;
    armilla_picture_options options;
    armilla_picture_options_init(&options);
    options.width = a->width;
    options.title = a->title ? a->title : field->name;
    options.unit = a->unit ? a->unit : field->unit;
    options.nthreads = a->base.threads;
    set_view(a, &options);
    set_colors(a, &options);
    pictures_warn_unknown("title", options.title);
    pictures_warn_unknown("unit", options.unit);
    armilla_status status = armilla_picture_write_map(
        a->base.output, map->share.on.grid, map->values[0].doubles, &options, a->base.overwrite);
    if (status) return data_error(status, a->base.output);
    note("wrote %s: field %lld (%s) of %s, %s", a->base.output, (long long)map->column,
         *field->name ? field->name : "no name", map->path, map->share.on.text);
    return CLI_OK;
}

static void defaults(void *self)
{
    arguments *a = self;
    a->width = 1600;
    a->range[0] = a->range[1] = a->fov = a->threshold = NAN;
}

static int check(void *self)
{
    arguments *a = self;
    int code = check_names(a);
    if (code == CLI_OK) code = read_rotation(a);
    if (code == CLI_OK) code = check_scale(a);
    if (code == CLI_OK) code = check_size(a);
    if (code != CLI_OK) return code;
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}},
        .outputs = {{"-o", a->base.output}},
        .format = PATH_PICTURE,
        .overwrite = a->base.overwrite,
    };
    return paths_check(&paths);
}

static int work(void *self)
{
    const arguments *a = self;
    sky map = {.map = NULL};
    int code =
        sky_read(&(sky_request){.path = a->base.files[0], .hdu = a->hdu, .field = a->field}, &map);
    if (code == CLI_OK && a->coordinates)
        code = rotation_check_file(a->coordinates, map.path, map.map->coordsys);
    if (code == CLI_OK) {
        sky_mark_missing(&map);
        code = progress_stopped() ? CLI_FAILED : draw(a, &map);
    }
    sky_free(&map);
    return code;
}

const command view_command = {
    .name = "view",
    .summary = "draw a map",
    .usage = "view MAP -o map.png [options]",
    .text =
        "Draws a map with a colour bar, as PNG or, if the name ends in .svg, as SVG: the whole sky "
        "in\n"
        "the Mollweide projection, or another view, with longitude 0 in the centre and longitudes\n"
        "growing to the left. orthographic shows two hemispheres from outside; polar shows those\n"
        "around the poles with equal areas (Lambert), with longitude 0 at the bottom. Missing "
        "pixels\n"
        "are grey. --field takes a number or a name: U means a column such as U_POLARISATION.",
    .example = "armilla view map.fits -o map.png --range -300,300 --cmap planck --graticule",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the MAP is missing",
    .tables = {table, output_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

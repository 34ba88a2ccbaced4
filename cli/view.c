/* armilla view: a picture of a map. */
#include "commands.h"
#include "message.h"
#include "paths.h"
#include "progress.h"
#include "sky.h"

#include <math.h>
#include <string.h>

typedef struct arguments {
    common base;
    const char *title, *projection;
    int64_t field, width;
    double range[2];
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"field", OPTION_INTEGER, AT(field), "N", "column of the map, from 0; default 0", 0, 9999},
    {"range", OPTION_RANGE, AT(range), "A,B", "ends of the colour scale; default: from the data", 0,
     0},
    {"title", OPTION_TEXT, AT(title), "TEXT", "default: the name of the column", 0, 0},
    {"width", OPTION_INTEGER, AT(width), "N", "width in pixels; default 1600", 200, 20000},
    {"projection", OPTION_TEXT, AT(projection), "NAME", "mollweide (the only one yet)", 0, 0},
    {"threads", OPTION_INTEGER, AT(base.threads), "N", "use N threads; 0 (default): all", 0, 4096},
    {.name = NULL},
};

static int draw(const arguments *a, const sky *map)
{
    const armilla_field *field = map->map->fields;
    armilla_picture_options options;
    armilla_picture_options_init(&options);
    options.width = a->width;
    options.minimum = a->range[0];
    options.maximum = a->range[1];
    options.title = a->title ? a->title : field->name;
    options.unit = field->unit;
    options.nthreads = a->base.threads;
    armilla_status status =
        armilla_picture_write(a->base.output, map->nside, map->values, &options, a->base.overwrite);
    if (status) return data_error(status, a->base.output);
    note("wrote %s: field %lld (%s) of %s, nside %lld", a->base.output, (long long)a->field,
         *field->name ? field->name : "no name", map->path, (long long)map->nside);
    return CLI_OK;
}

static int check(const arguments *a)
{
    if (a->projection && strcmp(a->projection, "mollweide") != 0)
        return usage_error("--projection \"%s\": not in this version; there is mollweide",
                           a->projection);
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}},
        .outputs = {{"-o", a->base.output}},
        .overwrite = a->base.overwrite,
    };
    int code = paths_check(&paths);
    if (code == CLI_OK && !path_ends_in(a->base.output, ".png"))
        return usage_error("-o \"%s\": the picture is a PNG; let the name end in .png",
                           a->base.output);
    return code;
}

static int run(const command *self, int argc, char **argv)
{
    arguments a = {.width = 1600, .range = {NAN, NAN}};
    sky map = {.map = NULL};
    int code = options_parse(self, argc, argv, &a);
    if (code == CLI_OK) code = check(&a);
    if (code != CLI_OK) return code;
    message_setup(self->name, a.base.quiet);
    progress_setup(a.base.quiet);
    code = sky_read(a.base.files[0], a.field, &map);
    if (code != CLI_OK) return code;
    sky_mark_missing(&map);
    code = progress_stopped() ? CLI_FAILED : draw(&a, &map);
    sky_free(&map);
    return code;
}

const command view_command = {
    .name = "view",
    .summary = "picture of a map",
    .usage = "view MAP -o map.png [options]",
    .text = "Draws the whole sky in Mollweide's projection with a colour bar: longitude 0 in the\n"
            "centre, growing to the left. Missing pixels are grey.",
    .example = "armilla view map.fits -o map.png --range -300,300 --title \"CMB\"",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the MAP is missing",
    .tables = {table, output_options},
    .run = run,
};

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
    const char *title, *projection, *field;
    int64_t width, hdu;
    double range[2];
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"field", OPTION_TEXT, AT(field), "N", "column of the map, number from 0 or name; default 0", 0,
     0},
    {"hdu", OPTION_INTEGER, AT(hdu), "N",
     "extension of the map, from 1; default: the first with one", 1, 9999},
    {"range", OPTION_RANGE, AT(range), "A,B", "ends of the colour scale; default: from the data", 0,
     0},
    {"title", OPTION_TEXT, AT(title), "TEXT", "default: the name of the column", 0, 0},
    {"width", OPTION_INTEGER, AT(width), "N", "width in pixels; default 1600", 200, 20000},
    {"projection", OPTION_TEXT, AT(projection), "NAME", "mollweide (the only one yet)", 0, 0},
    {"threads", OPTION_INTEGER, AT(base.threads), "N",
     "use N threads; 0 (default): ARMILLA_NUM_THREADS, OMP_NUM_THREADS, or all", 0, 4096},
    {.name = NULL},
};

/* Names the characters of a text that the picture shows as "?". */
static void warn_unknown(const char *what, const char *text)
{
    char list[64] = "";
    size_t used = 0;
    for (const char *at = text; (at = armilla_picture_unknown(at));) {
        size_t length = 1; /* of UTF-8, continuation bytes included */
        while ((at[length] & 0xC0) == 0x80) length++;
        if (used + length + 2 > sizeof list) break;
        list[used++] = ' ';
        memcpy(list + used, at, length);
        at += length, used += length;
    }
    list[used] = '\0';
    if (used) warning("%s \"%s\": the picture has a ? in place of%s", what, text, list);
}

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
    warn_unknown("title", options.title);
    warn_unknown("unit", options.unit);
    armilla_status status = armilla_picture_write(a->base.output, map->nside, map->values[0],
                                                  &options, a->base.overwrite);
    if (status) return data_error(status, a->base.output);
    note("wrote %s: field %lld (%s) of %s, nside %lld", a->base.output, (long long)map->column,
         *field->name ? field->name : "no name", map->path, (long long)map->nside);
    return CLI_OK;
}

static void defaults(void *self)
{
    arguments *a = self;
    a->width = 1600;
    a->range[0] = a->range[1] = NAN;
}

static int check(void *self)
{
    const arguments *a = self;
    if (a->projection && strcmp(a->projection, "mollweide") != 0)
        return usage_error("--projection \"%s\": not in this version; there is mollweide",
                           a->projection);
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
    if (code == CLI_OK) {
        sky_mark_missing(&map);
        code = progress_stopped() ? CLI_FAILED : draw(a, &map);
    }
    sky_free(&map);
    return code;
}

const command view_command = {
    .name = "view",
    .summary = "picture of a map",
    .usage = "view MAP -o map.png [options]",
    .text = "Draws the whole sky in Mollweide's projection with a colour bar: longitude 0 in the\n"
            "centre, growing to the left. Missing pixels are grey. --field takes a number, or a\n"
            "name: U means a column such as U_POLARISATION.",
    .example = "armilla view map.fits -o map.png --range -300,300 --title \"CMB\"",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the MAP is missing",
    .tables = {table, output_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

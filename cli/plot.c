/* armilla plot: a plot of power spectra. */
#include "commands.h"
#include "message.h"
#include "paths.h"
#include "pictures.h"
#include "spectra.h"

#include <armilla/armilla.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CURVES = 16, MOST_NAMES = 6, LABEL_SIZE = 80, LIST_SIZE = 512 };

typedef struct arguments {
    common base;
    const char *title, *names, *labels, *theory, *unit;
    int64_t width;
    double range[2], degrees[2];
    int log, log_l, plain;
} arguments;

#define AT(field) offsetof(arguments, field)

static const option table[] = {
    {"spectra", OPTION_TEXT, AT(names), "LIST",
     "which spectra of each file, such as TT,EE or 0,1; default: the first", 0, 0},
    {"theory", OPTION_INPUT, AT(theory), "CL", "a file whose spectra are drawn dashed", 0, 0},
    {"labels", OPTION_TEXT, AT(labels), "LIST",
     "names of the curves in the legend, separated by commas; default: those of the files", 0, 0},
    {"log", OPTION_FLAG, AT(log), "", "logarithmic axis of powers; negative powers are lighter", 0,
     0},
    {"log-l", OPTION_FLAG, AT(log_l), "", "logarithmic axis of degrees", 0, 0},
    {"plain", OPTION_FLAG, AT(plain), "", "draw C_l; default: D_l = l (l + 1) C_l / 2 pi", 0, 0},
    {"lrange", OPTION_RANGE, AT(degrees), "A,B", "range of degrees; default: 2 to the last", 0, 0},
    {"range", OPTION_RANGE, AT(range), "A,B", "range of powers; default: from the data", 0, 0},
    {"title", OPTION_TEXT, AT(title), "TEXT", "title above the plot", 0, 0},
    {"unit", OPTION_TEXT, AT(unit), "TEXT", "unit of the spectra; default: that of the files", 0,
     0},
    {"width", OPTION_INTEGER, AT(width), "N", "width in pixels; default 1200", 200, 20000},
    {.name = NULL},
};

/* Words of a list with commas, in a copy of it. */
typedef struct list {
    char text[LIST_SIZE];
    const char *words[MOST_CURVES];
    int64_t count;
} list;

/* What is drawn. */
typedef struct plot {
    spectra files[MOST_CURVES];
    armilla_curve curves[MOST_CURVES];
    char labels[MOST_CURVES][LABEL_SIZE];
    int64_t nfiles, ncurves;
    list names, given;
    const char *unit;
    int units_differ;
} plot;

/* --- Reading ---------------------------------------------------------------------------------- */

static int split(const char *name, const char *text, int most, list *words)
{
    words->count = 0;
    if (!text) return CLI_OK;
    if (strlen(text) >= sizeof words->text)
        return usage_error("%s: is longer than %d letters", name, LIST_SIZE - 1);
    strcpy(words->text, text);
    for (char *word = words->text; word; words->count++) {
        if (words->count == most)
            return usage_error("%s \"%s\": has more than %d parts", name, text, most);
        words->words[words->count] = word;
        word = strchr(word, ',');
        if (word) *word++ = '\0';
    }
    return CLI_OK;
}

/* The file's name without its folder and its ending. */
static void short_name(const char *path, char name[LABEL_SIZE])
{
    const char *slash = strrchr(path, '/');
    snprintf(name, LABEL_SIZE, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && dot != name) *dot = '\0';
}

static void set_label(plot *self, const arguments *a, const char *path, const char *name)
{
    const int64_t i = self->ncurves;
    char file[LABEL_SIZE];
    short_name(path, file);
    if (i < self->given.count)
        snprintf(self->labels[i], LABEL_SIZE, "%s", self->given.words[i]);
    else if (self->names.count < 2)
        snprintf(self->labels[i], LABEL_SIZE, "%s", file);
    else if (a->base.nfiles + (a->theory != NULL) < 2)
        snprintf(self->labels[i], LABEL_SIZE, "%s", name);
    else
        snprintf(self->labels[i], LABEL_SIZE, "%.60s %.16s", file, name);
    self->curves[i].label = self->labels[i];
}

/* Takes one spectrum of a file; name NULL: the first. */
static int add(plot *self, const arguments *a, const char *path, const char *name)
{
    if (self->ncurves == MOST_CURVES)
        return usage_error("at most %d spectra can be drawn", MOST_CURVES);
    spectra *file = &self->files[self->nfiles++];
    const int code = spectra_read(path, "--spectra", name, file);
    if (code != CLI_OK) return code;
    armilla_curve *curve = &self->curves[self->ncurves];
    curve->cl = file->values[0], curve->lmax = file->lmax;
    curve->dashed = path == a->theory;
    set_label(self, a, path, name ? name : "");
    if (!self->unit) self->unit = file->file->unit;
    if (strcmp(self->unit, file->file->unit) != 0) self->units_differ = 1;
    self->ncurves++;
    return CLI_OK;
}

static int add_file(plot *self, const arguments *a, const char *path)
{
    int code = self->names.count == 0 ? add(self, a, path, NULL) : CLI_OK;
    for (int64_t i = 0; i < self->names.count && code == CLI_OK; i++)
        code = add(self, a, path, self->names.words[i]);
    return code;
}

static int read_all(plot *self, const arguments *a)
{
    int code = split("--spectra", a->names, MOST_NAMES, &self->names);
    if (code == CLI_OK) code = split("--labels", a->labels, MOST_CURVES, &self->given);
    for (int64_t i = 0; i < a->base.nfiles && code == CLI_OK; i++)
        code = add_file(self, a, a->base.files[i]);
    if (code == CLI_OK && a->theory) code = add_file(self, a, a->theory);
    if (code == CLI_OK && self->given.count > self->ncurves)
        code = usage_error("--labels \"%s\": has %lld names for %lld curves", a->labels,
                           (long long)self->given.count, (long long)self->ncurves);
    return code;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

static int draw(plot *self, const arguments *a)
{
    armilla_plot_options options;
    armilla_plot_options_init(&options);
    options.width = a->width, options.title = a->title;
    options.unit = a->unit ? a->unit : self->units_differ ? NULL : self->unit;
    options.plain = a->plain, options.log_degree = a->log_l, options.log_power = a->log;
    options.first = a->degrees[0], options.last = a->degrees[1];
    options.lowest = a->range[0], options.highest = a->range[1];
    if (self->units_differ && !a->unit)
        warning("the units of the files differ, so the plot shows none; --unit names one");
    pictures_warn_unknown("title", options.title ? options.title : "");
    for (int64_t i = 0; i < self->ncurves; i++) pictures_warn_unknown("label", self->labels[i]);
    if (self->ncurves == 1 && self->given.count == 0) self->curves[0].label = NULL;
    armilla_status status = armilla_picture_write_spectra(
        a->base.output, self->ncurves, self->curves, &options, a->base.overwrite);
    if (status) return data_error(status, a->base.output);
    note("wrote %s: %lld curve%s", a->base.output, (long long)self->ncurves,
         self->ncurves == 1 ? "" : "s");
    return CLI_OK;
}

static void defaults(void *self)
{
    arguments *a = self;
    a->width = 1200;
    a->range[0] = a->range[1] = a->degrees[0] = a->degrees[1] = NAN;
}

static int check(void *self)
{
    const arguments *a = self;
    if (a->base.nfiles > MOST_CURVES)
        return usage_error("%lld files: at most %d spectra can be drawn", (long long)a->base.nfiles,
                           MOST_CURVES);
    if (a->log && a->range[0] <= 0)
        return usage_error("--range %g,%g: must be positive with --log", a->range[0], a->range[1]);
    if (a->degrees[0] < (a->log_l ? 1 : 0))
        return usage_error("--lrange %g,%g: must begin at %d or later%s", a->degrees[0],
                           a->degrees[1], a->log_l ? 1 : 0, a->log_l ? " with --log-l" : "");
    for (int64_t i = 1; i < a->base.nfiles; i++) {
        const int code = paths_check_input(&(named_path){"", a->base.files[i]});
        if (code != CLI_OK) return code;
    }
    const path_list paths = {
        .inputs = {{"", a->base.files[0]}, {"--theory", a->theory}},
        .outputs = {{"-o", a->base.output}},
        .format = PATH_PICTURE,
        .overwrite = a->base.overwrite,
    };
    return paths_check(&paths);
}

static int work(void *self)
{
    const arguments *a = self;
    plot drawn = {.nfiles = 0};
    int code = read_all(&drawn, a);
    if (code == CLI_OK) code = draw(&drawn, a);
    for (int64_t i = 0; i < drawn.nfiles; i++) spectra_free(&drawn.files[i]);
    return code;
}

const command plot_command = {
    .name = "plot",
    .summary = "plot power spectra",
    .usage = "plot CL [CL ...] -o plot.png [options]",
    .text = "Draws power spectra, of FITS or text files, as curves of D_l = l (l + 1) C_l / 2 pi,\n"
            "as PNG or, if the name ends in .svg, as SVG.",
    .example = "armilla plot cl.txt --theory lcdm.txt -o cl.png --labels \"this sky,theory\"",
    .min_files = 1,
    .max_files = MANY_FILES,
    .file_missing = "the file of a spectrum CL is missing",
    .tables = {table, output_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

/* armilla map: arithmetic, masks, resolution, order and coordinates of maps, without transforms. */
#include "commands.h"
#include "map_work.h"
#include "message.h"
#include "number.h"
#include "paths.h"
#include "progress.h"
#include "report.h"
#include "rotation.h"
#include "sky.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(map_arguments, field)

enum { SMALL_PIECE = 1 << 16 /* where many numbers belong to a pixel */ };

static const option table[] = {
    {"calc", OPTION_TEXT, AT(calc), "FORMULA", "combine the maps a, b, c, ...; see above", 0, 0},
    {"mask", OPTION_INPUT, AT(mask), "FILE",
     "multiply by this mask; the result is missing where it is 0", 0, 0},
    {"maskfile", OPTION_INPUT, AT(mask), "FILE", NULL, 0, 0},
    {"nside", OPTION_INTEGER, AT(nside), "N",
     "change the resolution to N, a power of two, as ud_grade does", 1, MAX_NSIDE},
    {"nsmax", OPTION_INTEGER, AT(nside), "N", NULL, 1, MAX_NSIDE},
    {"pessimistic", OPTION_FLAG, AT(pessimistic), "",
     "with --nside: a mean is missing if any of its pixels is missing", 0, 0},
    {"power", OPTION_TEXT, AT(power), "P", "with --nside: multiply by (new nside / old nside)^P", 0,
     0},
    {"coord", OPTION_TEXT, AT(coord), "FROM,TO",
     "rotate to other coordinates: G, E or C, as in G,E", 0, 0},
    {"euler", OPTION_TEXT, AT(euler), "A,B,C", "rotate by angles psi, theta, phi, as rotate does",
     0, 0},
    {"apodize", OPTION_ANGLE, AT(apodize), "ANGLE",
     "let a mask rise smoothly from its zeros, over ANGLE", 0, 0},
    {"apodise", OPTION_ANGLE, AT(apodize), "ANGLE", NULL, 0, 0},
    {"taper", OPTION_TEXT, AT(taper), "c1|c2",
     "with --apodize: c1 (default) or c2, as NaMaster names them", 0, 0},
    {"fsky", OPTION_FLAG, AT(fsky), "", "print what fraction of the sky a mask leaves; takes no -o",
     0, 0},
    {"order", OPTION_TEXT, AT(order), "ring|nested",
     "order of the pixels in the output: ring (default) or nested", 0, 0},
    {"ordering", OPTION_TEXT, AT(order), "ring|nested", NULL, 0, 0},
    {"field", OPTION_TEXT, AT(field), "N",
     "only one column: a number from 0, or a name; default: all", 0, 0},
    {"hdu", OPTION_TEXT, AT(hdu), "N|NAME",
     "HDU of the maps: a number (0: the primary image) or a name; default: the first", 0, 0},
    {"unit", OPTION_TEXT, AT(unit), "TEXT", "unit of the result; default: that of the map", 0, 0},
    {"double", OPTION_FLAG, AT(store_double), "", "store the map in 64 bits instead of 32", 0, 0},
    {"threads", OPTION_INTEGER, AT(base.threads), "N",
     "use N threads; 0 (default): ARMILLA_NUM_THREADS, OMP_NUM_THREADS, or all", 0, 4096},
    {.name = NULL},
};

static void defaults(void *self)
{
    map_arguments *a = self;
    a->apodize = -1;
}

/* --- Checks ----------------------------------------------------------------------------------- */

/* The operation that is asked for. */
typedef struct operation {
    const char *name;
    int is_given;
    int (*run)(map_work *self);
    const char *instead; /* of HEALPix alone: the way on with other grids; NULL: of any grid */
} operation;

/* Returned: the operation; name NULL: a copy. *count: how many were given. */
static operation find_operation(const map_arguments *a, int *count)
{
    static const char *const change = "armilla analyze and synthesize --grid change the grid";
    const operation all[] = {{"--calc", a->calc != NULL, map_calculate, NULL},
                             {"--mask", a->mask != NULL, map_copy, NULL},
                             {"--nside", a->nside > 0, map_change_nside, change},
                             {"--coord", a->coord != NULL, map_turn, NULL},
                             {"--euler", a->euler != NULL, map_turn, NULL},
                             {"--apodize", a->apodize >= 0, map_apodize, NULL},
                             {"--fsky", a->fsky, map_fsky, NULL}};
    operation found = {NULL, 1, map_copy, NULL};
    *count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].is_given && ++*count == 1) found = all[i];
    return found;
}

/* Options that belong to others. */
static int check_company(const map_arguments *a)
{
    if (a->pessimistic && !a->nside) return usage_error("--pessimistic: applies only with --nside");
    if (a->power && !a->nside) return usage_error("--power: applies only with --nside");
    if (a->taper && a->apodize < 0) return usage_error("--taper: applies only with --apodize");
    if (a->fsky && a->base.output)
        return usage_error("--fsky prints numbers and writes no map; omit -o");
    if (a->fsky && (a->order || a->unit || a->store_double))
        return usage_error("--fsky writes no map; omit --order, --unit and --double");
    return CLI_OK;
}

static int check_values(map_arguments *a)
{
    if (a->order && strcmp(a->order, "ring") != 0 && strcmp(a->order, "nested") != 0)
        return usage_error("--order \"%s\": must be ring or nested", a->order);
    if (!a->taper) a->taper = "c1";
    if (strcmp(a->taper, "c1") != 0 && strcmp(a->taper, "c2") != 0)
        return usage_error("--taper \"%s\": must be c1 or c2", a->taper);
    if (a->apodize == 0) return usage_error("--apodize: must be above 0");
    const char *wrong = a->power ? number_real(a->power, &a->exponent) : NULL;
    if (wrong) return usage_error("--power \"%s\": %s", a->power, wrong);
    if (a->nside && armilla_healpix_npix(a->nside) < 0)
        return usage_error("--nside \"%lld\": too large", (long long)a->nside);
    wrong = a->calc ? formula_parse(a->calc, a->base.nfiles, &a->formula) : NULL;
    if (wrong) return usage_error("--calc \"%s\": %s", a->calc, wrong);
    return a->coord || a->euler ? rotation_parse(a->coord, a->euler, &a->rotation) : CLI_OK;
}

static int check_operation(const map_arguments *a)
{
    int count = 0;
    const operation found = find_operation(a, &count);
    if (count > 1)
        return usage_error("only one thing can be done at a time: give one of --calc, --mask, "
                           "--nside, --coord, --euler, --apodize and --fsky");
    if (count == 0 && !a->order && !a->field)
        return usage_error("what to do is missing: --calc, --mask, --nside, --coord, --euler, "
                           "--apodize, --fsky, --order or --field");
    if (a->base.nfiles > 1 && !a->calc)
        return usage_error("%s takes one map, and \"%s\" is a second one",
                           count      ? found.name
                           : a->order ? "--order"
                                      : "--field",
                           a->base.files[1]);
    return CLI_OK;
}

static int check(void *self)
{
    map_arguments *a = self;
    int code = check_operation(a);
    if (code == CLI_OK) code = check_company(a);
    if (code == CLI_OK) code = check_values(a);
    for (int64_t i = 0; i < a->base.nfiles && code == CLI_OK; i++) {
        const path_list paths = {
            .inputs = {{"", a->base.files[i]}, {"--mask", a->mask}},
            .outputs = {{"-o", a->base.output}},
            .overwrite = a->base.overwrite,
            .is_optional = a->fsky,
        };
        code = paths_check(&paths);
    }
    return code;
}

/* --- What operations share -------------------------------------------------------------------- */

int64_t map_ncolumns(const map_work *self)
{
    return self->column >= 0 ? 1 : self->sources[0].map->nfields;
}

int64_t map_column(const map_work *self, int64_t k)
{
    return self->column >= 0 ? self->column : k;
}

int map_begin_with(map_work *self, int64_t nside, char coordsys, int64_t ncolumns,
                   armilla_field *fields)
{
    const map_arguments *a = self->a;
    char history[400];
    int count = 0;
    const operation found = find_operation(a, &count);
    const int is_nested = a->order && strcmp(a->order, "nested") == 0;
    const armilla_map *first = self->sources[0].map;
    const int is_same = nside == first->nside;
    if (is_nested && (nside & (nside - 1)))
        return usage_error("--order nested: nside %lld is not a power of two", (long long)nside);
    const armilla_map map = {.nside = nside,
                             .npix = is_same ? first->npix : armilla_healpix_npix(nside),
                             .grid = is_same ? first->grid : NULL,
                             .nfields = ncolumns,
                             .fields = fields,
                             .order = is_nested ? ARMILLA_IO_NESTED : ARMILLA_IO_RING,
                             .partial = first->partial,
                             .coordsys = coordsys};
    snprintf(history, sizeof history, "armilla map %s %s", count ? found.name : "--order",
             a->calc    ? a->calc
             : a->coord ? a->coord
             : a->euler ? a->euler
                        : "");
    return target_open(a->base.output, a->base.overwrite, &map, &self->sources[0], history,
                       &self->target);
}

/* Whole numbers stay what they are where nothing is done to them. */
static armilla_io_type type_of(const map_arguments *a, armilla_io_type old)
{
    int count = 0;
    find_operation(a, &count);
    if (a->store_double) return ARMILLA_IO_DOUBLE;
    if (count == 0) return old;
    const int is_wide =
        old == ARMILLA_IO_DOUBLE || old == ARMILLA_IO_INT32 || old == ARMILLA_IO_INT64;
    return is_wide ? ARMILLA_IO_DOUBLE : ARMILLA_IO_FLOAT;
}

int map_begin(map_work *self, int64_t nside, char coordsys)
{
    const int64_t ncolumns = self->a->apodize >= 0 ? 1 : map_ncolumns(self);
    armilla_field *fields = calloc((size_t)ncolumns, sizeof *fields);
    if (!fields) return memory_error();
    for (int64_t k = 0; k < ncolumns; k++) {
        fields[k] = self->sources[0].map->fields[map_column(self, k)];
        fields[k].type = type_of(self->a, fields[k].type);
        if (self->a->unit) snprintf(fields[k].unit, sizeof fields[k].unit, "%s", self->a->unit);
    }
    const int code = map_begin_with(self, nside, coordsys, ncolumns, fields);
    free(fields);
    return code;
}

int map_step(map_work *self)
{
    self->done += 1 / self->all;
    if (!progress_report(NULL, self->done < 1 ? self->done : 1)) return CLI_OK;
    return progress_stopped() ? CLI_FAILED : CLI_OK;
}

double *map_read_all(map_work *self, const map_source *source, int64_t column)
{
    (void)self;
    double *values = malloc((size_t)source->map->npix * sizeof *values);
    if (!values) memory_error();
    if (values && source_read(source, column, 0, source->map->npix, values) != CLI_OK) {
        free(values);
        values = NULL;
    }
    return values;
}

/* --- Work ------------------------------------------------------------------------------------- */

static int open_sources(map_work *self)
{
    const map_arguments *a = self->a;
    int code = CLI_OK;
    for (; self->nsources < a->base.nfiles && code == CLI_OK; self->nsources++) {
        map_source *source = &self->sources[self->nsources];
        code = source_open(a->base.files[self->nsources], a->hdu, source);
        if (code == CLI_OK)
            code = sky_check_same("", source->path, source->map, self->sources[0].path,
                                  self->sources[0].map);
    }
    if (code == CLI_OK && a->mask) code = source_open(a->mask, NULL, &self->mask);
    if (code == CLI_OK && a->mask)
        code = sky_check_same("--mask", self->mask.path, self->mask.map, self->sources[0].path,
                              self->sources[0].map);
    if (code != CLI_OK || !a->field || a->calc) return code;
    self->column = source_find_column(&self->sources[0], a->field);
    if (self->column >= 0) return CLI_OK;
    return usage_error("--field \"%s\": \"%s\" has %lld columns; give a number from 0, or a name",
                       a->field, self->sources[0].path, (long long)self->sources[0].map->nfields);
}

/* The grid, and whether the operation is there for it. */
static int check_grid(map_work *self)
{
    const map_source *source = &self->sources[0];
    const char *order = self->a->order;
    int count = 0, code = pixel_grid_of_map(source->map, source->path, &self->on);
    const operation found = find_operation(self->a, &count);
    if (code == CLI_OK && found.instead)
        code = pixel_grid_needs_healpix(&self->on, found.name, found.instead);
    if (code == CLI_OK && order && !strcmp(order, "nested"))
        code =
            pixel_grid_needs_healpix(&self->on, "--order nested", "its pixels go ring after ring");
    return code;
}

static int make_room(map_work *self)
{
    const map_source *source = &self->sources[0];
    const int is_small = self->a->coord || self->a->euler || self->a->apodize >= 0;
    const int64_t npix = self->a->nside > source->map->nside ? armilla_healpix_npix(self->a->nside)
                                                             : source->map->npix;
    self->piece = is_small ? SMALL_PIECE : piece_size(source);
    if (self->piece > npix) self->piece = npix;
    self->values = malloc((size_t)self->piece * sizeof *self->values);
    self->all = ceil((double)npix / (double)self->piece) * (double)map_ncolumns(self);
    return self->values ? CLI_OK : memory_error();
}

static int finish(map_work *self)
{
    map_target *made = &self->target;
    if (progress_stopped()) return CLI_FAILED;
    pixel_grid_free(&self->on);
    int code = pixel_grid_of_map(&made->map, self->a->base.output, &self->on);
    if (code == CLI_OK) code = target_finish(made, self->a->base.overwrite);
    if (code != CLI_OK) return code;
    const char *order = made->map.order == ARMILLA_IO_RING ? "RING" : "NESTED";
    report_integer("fields", made->map.nfields);
    pixel_grid_report(&self->on);
    report_text("ordering", order);
    report_integer("missing", made->missing);
    note("wrote %s: %s, %s, %lld column%s, %lld value%s missing", self->a->base.output,
         self->on.text, order, (long long)made->map.nfields, made->map.nfields == 1 ? "" : "s",
         (long long)made->missing, made->missing == 1 ? "" : "s");
    return CLI_OK;
}

static int work(void *self)
{
    map_work *job = calloc(1, sizeof *job);
    if (!job) return memory_error();
    int count = 0;
    job->a = self;
    job->column = -1;
    const operation found = find_operation(job->a, &count);
    int code = open_sources(job);
    if (code == CLI_OK) code = check_grid(job);
    if (code == CLI_OK) code = make_room(job);
    progress_stage("map", 0, 1);
    if (code == CLI_OK) code = found.run(job);
    if (code == CLI_OK && !job->a->fsky) code = finish(job);
    target_free(&job->target);
    for (int64_t i = 0; i < job->nsources; i++) source_free(&job->sources[i]);
    source_free(&job->mask);
    pixel_grid_free(&job->on);
    free(job->values);
    free(job);
    return code;
}

const command map_command = {
    .name = "map",
    .summary = "calculate with maps; change mask, resolution, order or coordinates",
    .usage = "map MAP... -o out.fits (--calc FORMULA | --nside N | ...) [options]",
    .text =
        "Makes a map from maps, pixel by pixel, without transforms; one operation in each call:\n"
        "--calc     the value of a formula, in which a, b, c, ... are the maps in the order "
        "given;\n"
        "           a[1] or a[Q] is one column, plain a is every column. + - * / ^,\n"
        "           < <= > >= == != (1 or 0), pi, sqrt abs exp log log10 sin cos (x),\n"
        "           min max (x, y), missing(x) (1 or 0), where(condition, x, y).\n"
        "--mask     the map times a mask; the result is missing where the mask is 0\n"
        "--nside    another resolution: coarser pixels are means of the pixels that have values,\n"
        "           finer pixels repeat values\n"
        "--coord, --euler  the sky rotated by bilinear interpolation, which blurs by about a "
        "pixel;\n"
        "           Q and U turn with their axes. (For band-limited maps: analyze, rotate,\n"
        "           synthesize.)\n"
        "--apodize  a mask times a taper of the distance to its nearest zero, by NaMaster's\n"
        "           formulas: c1 is x - sin(2 pi x) / (2 pi), c2 is (1 - cos(pi x)) / 2, where x\n"
        "           is the chord of the distance divided by the chord of ANGLE\n"
        "--fsky     numbers instead of a map: the fraction of the sky where a mask is above 0, "
        "and\n"
        "           w1, w2, w4, the means of its first, second and fourth power, by areas of "
        "pixels\n"
        "--order, --field  if nothing else is given: a copy in this order, or of this column\n"
        "The maps may be on any grid, but all on the same one; --nside and --order nested are for\n"
        "HEALPix. (For other grids: analyze, then synthesize --grid.)\n"
        "A pixel is missing where its value is UNSEEN, NaN or infinite; results that are computed\n"
        "from a missing value, or undefined (1/0), are missing. Names, units, coordinates and "
        "other\n"
        "cards of the first map are kept, and a line of HISTORY is added; U follows the COSMO\n"
        "convention. Maps of the full sky are processed in pieces: only the coarser map of "
        "--nside,\n"
        "and what --coord, --apodize and --order nested work on, is held in memory as a whole.",
    .example = "armilla map sky.fits dust.fits -o clean.fits --calc \"a - 0.8 * b\"",
    .report =
        "for a map: fields, nside (of HEALPix), grid (its name), ordering, missing (values);\n"
        "for --fsky: fsky, w1, w2, w4, npix, missing",
    .min_files = 1,
    .max_files = FORMULA_MAPS,
    .file_missing = "the MAP is missing",
    .tables = {table, output_options},
    .arguments_size = sizeof(map_arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

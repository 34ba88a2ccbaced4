/* armilla convolve: convolution of a map with a kernel of the angle alone, pixel by pixel, or for
 * wide kernels by Fourier coefficients of rings. */
#include "commands.h"
#include "convolve_stream.h"
#include "kernel.h"
#include "message.h"
#include "number.h"
#include "paths.h"
#include "radial.h"
#include "ranks.h"
#include "report.h"
#include "sky.h"

#include <stdlib.h>
#include <string.h>

typedef struct arguments {
    common base;
    const char *kernel, *asymmetric, *psi, *mask, *field, *mode, *normalization, *method, *memory,
        *hdu;
    double support, truncation_error, least, turn; /* turn: psi, radians */
    int fill, scalar, stream, ring_weights;
} arguments;

#define AT(name) offsetof(arguments, name)

/* Where less than this part of a kernel's weight lies on pixels that are there, a mean of them says
 * little about the place. */
static const double default_least = 1e-3;

static const option table[] = {
    {"kernel", OPTION_TEXT, AT(kernel), "KERNEL", "the kernel, see above", 0, 0},
    {"asymmetric", OPTION_INPUT, AT(asymmetric), "FILE",
     "instead of --kernel: a table of kernels at offsets, see above", 0, 0},
    {"psi", OPTION_TEXT, AT(psi), "ANGLE",
     "with --asymmetric: turn the beam about its axis by ANGLE", 0, 0},
    {"support", OPTION_ANGLE, AT(support), "ANGLE",
     "cut the kernel at ANGLE; default: by --truncation-error", 0, 0},
    {"truncation-error", OPTION_TOLERANCE, AT(truncation_error), "E",
     "cut the kernel where this changes a white map by E; default 1e-7", 0, 0},
    {"mode", OPTION_TEXT, AT(mode), "exact|standard",
     "exact (default), or standard: band-limited rings, as in ARKCoS", 0, 0},
    {"normalization", OPTION_TEXT, AT(normalization), "auto|none|integral|sum",
     "none, integral, sum or auto (default): none if the kernel is negative somewhere, sum if it "
     "is narrow, else integral",
     0, 0},
    {"method", OPTION_TEXT, AT(method), "auto|pixels|rings",
     "pixels: pixel by pixel; rings: by Fourier coefficients of rings; auto (default): the faster",
     0, 0},
    {"ring-weights", OPTION_FLAG, AT(ring_weights), "",
     "use ring weights for the integral, exact up to l = 2 nside", 0, 0},
    {"mask", OPTION_INPUT, AT(mask), "FILE", "weights of pixels; pixels where it is 0 are left out",
     0, 0},
    {"maskfile", OPTION_INPUT, AT(mask), "FILE", NULL, 0, 0},
    {"field", OPTION_TEXT, AT(field), "N",
     "column of the map: a number from 0, or a name; default 0", 0, 0},
    {"hdu", OPTION_TEXT, AT(hdu), "N|NAME",
     "HDU of the map: a number (0: the primary image) or a name; default: the first", 0, 0},
    {"fill", OPTION_FLAG, AT(fill), "",
     "fill missing pixels with the mean of the pixels around them", 0, 0},
    {"least", OPTION_TOLERANCE, AT(least), "F",
     "a pixel is missing if less than F of its kernel has values; default 0.001", 0, 0},
    {"stream", OPTION_FLAG, AT(stream), "",
     "work from file to file by --method pixels, for maps larger than memory", 0, 0},
    {"memory", OPTION_TEXT, AT(memory), "GB",
     "with --stream: limit of all memory that is used; default about 1.2", 0, 0},
    {"threads", OPTION_INTEGER, offsetof(common, threads), "N",
     "use N threads; 0 (default): ARMILLA_NUM_THREADS, OMP_NUM_THREADS, or all", 0, 4096},
    {"device", OPTION_DEVICE, offsetof(common, device), "cpu|cuda",
     "where to convolve: cpu (default) or cuda, an NVIDIA GPU", 0, 0},
    {"devices", OPTION_DEVICES, offsetof(common, devices), "N,N,...", DEVICES_HELP, 0, 0},
    {"pol", OPTION_FLAG, offsetof(common, pol), "", "convolve I, Q and U, three columns", 0, 0},
    {"polarisation", OPTION_FLAG, offsetof(common, pol), "", NULL, 0, 0},
    {"scalar", OPTION_FLAG, AT(scalar), "", "convolve a column Q or U as a scalar", 0, 0},
    {.name = NULL},
};

static void defaults(void *self)
{
    arguments *a = self;
    a->support = -1;
    a->least = -1; /* not given */
    a->mode = "exact";
    a->normalization = "auto";
    a->method = "auto";
}

/* The place of a word in a list that ends with NULL; -1: it is not there. */
static int find_word(const char *word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0) return i;
    return -1;
}

/* In the order of the library's enumerations. */
static const char *const modes[] = {"exact", "standard", NULL};
static const char *const normalizations[] = {"auto", "none", "integral", "sum", NULL};
static const char *const methods[] = {"auto", "pixels", "rings", NULL};

static int check_words(const arguments *a)
{
    if (find_word(a->mode, modes) < 0)
        return usage_error("--mode \"%s\": must be exact or standard", a->mode);
    if (find_word(a->normalization, normalizations) < 0)
        return usage_error("--normalization \"%s\": must be auto, none, integral or sum",
                           a->normalization);
    if (find_word(a->method, methods) < 0)
        return usage_error("--method \"%s\": must be auto, pixels or rings", a->method);
    if (a->support == 0) return usage_error("--support: must be above 0");
    if (a->support > 0 && a->truncation_error > 0)
        return usage_error("--support and --truncation-error: give only one of them");
    return CLI_OK;
}

/* What names the kernel in notes and reports. */
static const char *kernel_text(const arguments *a)
{
    return a->asymmetric ? a->asymmetric : a->kernel;
}

static int check_asymmetric(arguments *a)
{
    const char *wrong = a->psi ? number_angle(a->psi, &a->turn) : NULL;
    if (wrong) return usage_error("--psi \"%s\": %s", a->psi, wrong);
    if (a->psi && !a->asymmetric) return usage_error("--psi: applies only with --asymmetric");
    if (!a->asymmetric) return CLI_OK;
    if (a->kernel) return usage_error("--kernel and --asymmetric: give only one of them");
    if (a->base.pol) return usage_error("--asymmetric: convolves scalars; omit --pol");
    if (a->stream) return usage_error("--asymmetric: maps are not streamed; omit --stream");
    if (a->base.device != ARMILLA_CPU)
        return usage_error("--asymmetric: runs on the processor; omit --device");
    if (ranks_transport()) return usage_error("--asymmetric: does not run over ranks");
    if (find_word(a->mode, modes) != ARMILLA_RADIAL_EXACT)
        return usage_error("--asymmetric: sums are exact, so --mode standard is not possible");
    if (find_word(a->method, methods) == ARMILLA_RADIAL_RINGS)
        return usage_error("--asymmetric: sums pixel by pixel, so --method rings is not possible");
    if (a->fill)
        return usage_error("--asymmetric: sums of kernels may be negative, so there is no mean to "
                           "fill with; omit --fill");
    if (a->least >= 0)
        return usage_error("--asymmetric: sums of kernels may be negative, and a missing pixel "
                           "counts as 0; omit --least");
    return CLI_OK;
}

static int check_pol(const arguments *a)
{
    if (!a->base.pol) return CLI_OK;
    if (a->scalar) return usage_error("--pol and --scalar: give only one of them");
    if (a->stream) return usage_error("--pol: Q and U are not streamed");
    return CLI_OK;
}

static int check_stream(const arguments *a)
{
    if (a->stream && ranks_transport())
        return usage_error("--stream: ranks hold parts of the map in memory; omit it");
    if (a->stream && a->base.device != ARMILLA_CPU)
        return usage_error("--device cuda: maps are not streamed there; omit --stream");
    if (a->memory && !a->stream) return usage_error("--memory: applies only with --stream");
    if (a->stream && find_word(a->method, methods) == ARMILLA_RADIAL_RINGS)
        return usage_error("--stream: sums pixel by pixel, so --method rings is not possible");
    return a->memory ? stream_check_memory(a->memory) : CLI_OK;
}

static int check(void *self)
{
    arguments *a = self;
    if (!a->kernel && !a->asymmetric)
        return usage_error("the kernel is missing: --kernel KERNEL, such as --kernel "
                           "gaussian:1deg");
    if (check_words(a) != CLI_OK || check_asymmetric(a) != CLI_OK || check_pol(a) != CLI_OK ||
        check_stream(a) != CLI_OK)
        return CLI_USAGE;
    if (a->least < 0) a->least = default_least;
    const path_list paths = {
        .inputs = {{"", a->base.files[0]},
                   {"--mask", a->mask},
                   {a->asymmetric ? "--asymmetric" : "--kernel",
                    a->asymmetric ? a->asymmetric : kernel_file(a->kernel)}},
        .outputs = {{"-o", a->base.output}},
        .overwrite = a->base.overwrite,
    };
    return paths_check(&paths);
}

static int check_column(const arguments *a, int64_t column, const char *name)
{
    if (a->scalar || !(sky_name_means("Q", name) || sky_name_means("U", name))) return CLI_OK;
    return usage_error(
        "column %lld of \"%s\" is %s: Q and U must be convolved together, as their axes turn from "
        "pixel to pixel; --pol convolves I, Q and U, --scalar treats this column as a scalar",
        (long long)column, a->base.files[0], name);
}

/* Sums of kernels at offsets may be negative. */
static int has_mean(const radial *plan)
{
    return !plan->asymmetric && strcmp(plan->told.normalization, "none") != 0;
}

/* One kernel, or a table of kernels at offsets. */
typedef struct kernels {
    armilla_kernel *one;
    asymmetric_table table;
} kernels;

static int read_kernels(const arguments *a, kernels *k)
{
    return a->asymmetric ? asymmetric_read(a->asymmetric, &k->table)
                         : kernel_new(a->kernel, &k->one);
}

static void free_kernels(kernels *k)
{
    armilla_kernel_free(k->one);
    asymmetric_free(&k->table);
}

static int make_plan(const arguments *a, const kernels *k, const pixel_share *pixels, radial *plan)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.mode = (armilla_radial_mode)find_word(a->mode, modes);
    options.normalization =
        (armilla_radial_normalization)find_word(a->normalization, normalizations);
    options.method =
        a->stream ? ARMILLA_RADIAL_PIXELS : (armilla_radial_method)find_word(a->method, methods);
    options.device = (armilla_device)a->base.device;
    options.devices = device_numbers(&a->base.devices), options.ndevices = a->base.devices.count;
    if (a->support > 0) options.support = a->support;
    if (a->truncation_error > 0) options.truncation_error = a->truncation_error;
    const radial_request request = {
        pixels, a->base.threads, a->base.pol, a->ring_weights, a->asymmetric ? &k->table : NULL,
        a->turn};
    int code = radial_new(&request, k->one, &options, plan);
    if (code == CLI_OK && a->fill && !has_mean(plan))
        code =
            usage_error("--fill: the kernel is not normalized, so there is no mean to fill with");
    if (code == CLI_OK) radial_note(plan, kernel_text(a));
    return code;
}

/* What is convolved together: I, or any other field alone; Q and U. */
typedef struct part {
    int field, count; /* the first one, and how many */
} part;

static const part parts[] = {{0, 1}, {1, 2}};

/* The mean of what is there: *weights for the library, to be freed; NULL after a message. */
static double *pixel_weights(const sky *map, const part *p)
{
    const int is_masked = reals_are_there(map->weights);
    double *weights = malloc((size_t)(map->npix + 1) * sizeof *weights);
    if (!weights) memory_error();
    for (int64_t i = 0; i < map->npix && weights; i++)
        weights[i] = map->missing[p->field][i] ? 0 : is_masked ? reals_get(map->weights, i) : 1;
    return weights;
}

/* Missing in the result: where too little was there, and without --fill what was missing before. Q
 * and U share their flags. */
static void find_missing(const arguments *a, const part *p, sky *map)
{
    unsigned char *missing = map->missing[p->field];
    int64_t count = 0;
    for (int64_t i = 0; i < map->npix; i++) {
        int is_empty = reals_get(map->values[p->field], i) == ARMILLA_UNSEEN;
        missing[i] = is_empty || (missing[i] && !a->fill);
        count += missing[i];
    }
    ranks_add(1, &count);
    for (int i = 0; i < p->count; i++) map->nmissing[p->field + i] = count;
}

static int apply(const radial *plan, const part *p, const double *weights, double least, sky *map)
{
    return radial_apply(plan, p->count == 2, map->values + p->field, weights, least);
}

static int convolve_weighted(const arguments *a, const radial *plan, const part *p, sky *map)
{
    double *weights = pixel_weights(map, p);
    int code = ranks_agree(weights ? CLI_OK : CLI_FAILED);
    if (code == CLI_OK) code = apply(plan, p, weights, a->least, map);
    free(weights);
    if (code == CLI_OK) find_missing(a, p, map);
    return code;
}

/* Weighted, or plain. */
static int convolve_parts(const arguments *a, const radial *plan, int weighted, sky *map)
{
    int code = CLI_OK;
    for (int i = 0; i < (map->nfields > 1 ? 2 : 1) && code == CLI_OK; i++)
        code = weighted ? convolve_weighted(a, plan, &parts[i], map)
                        : apply(plan, &parts[i], NULL, 0, map);
    return code;
}

/* What happens to missing pixels. */
static const char *missing_text(const radial *plan)
{
    if (has_mean(plan)) return "the kernel's weighted mean of the others is taken";
    return plan->asymmetric ? "they count as 0, as sums of kernels at offsets may be negative"
                            : "they count as 0, as the kernel is not normalized";
}

/* A kernel that is not normalised has no mean to offer: there missing pixels count as 0. */
static int convolve(const arguments *a, const radial *plan, sky *map)
{
    const int is_masked = reals_are_there(map->weights);
    const int has_holes = map->nmissing[0] || map->nmissing[map->nfields - 1] || is_masked;
    if (!has_holes) return convolve_parts(a, plan, 0, map);
    int is_mean = has_mean(plan);
    note("%s of %lld pixels are missing%s: %s", sky_missing_text(map), (long long)map->all,
         is_masked ? " or masked" : "", missing_text(plan));
    if (!is_mean) sky_weight(map);
    return convolve_parts(a, plan, is_mean, map);
}

static int work_in_pieces(const arguments *a)
{
    const stream_request request = {.path = a->base.files[0],
                                    .field = a->field,
                                    .hdu = a->hdu,
                                    .mask = a->mask,
                                    .output = a->base.output,
                                    .memory = a->memory,
                                    .overwrite = a->base.overwrite,
                                    .fill = a->fill,
                                    .least = a->least};
    stream files = {.input = NULL};
    radial plan = {.grid = NULL};
    kernels k = {.one = NULL};
    int code = read_kernels(a, &k);
    if (code == CLI_OK) code = convolve_stream_open(&request, &files);
    if (code == CLI_OK) code = check_column(a, files.column, files.field.name);
    if (code == CLI_OK) code = make_plan(a, &k, &files.pixels, &plan);
    if (code == CLI_OK) code = stream_convolve(&files, &plan, has_mean(&plan));
    report_integer("fields", 1);
    pixel_grid_report(&files.pixels.on);
    report_text("kernel", a->kernel);
    report_text("mode", a->mode);
    report_open("missing", '[');
    report_integer(NULL, files.nlost);
    report_close();
    if (code == CLI_OK)
        note("wrote %s: %s, kernel %s, %s mode, %lld pixels missing", a->base.output,
             files.pixels.on.text, a->kernel, a->mode, (long long)files.nlost);
    radial_free(&plan);
    free_kernels(&k);
    stream_free(&files);
    return code;
}

static void report(const arguments *a, const sky *map)
{
    report_integer("fields", map->nfields);
    pixel_grid_report(&map->share.on);
    report_text("kernel", kernel_text(a));
    report_text("mode", a->mode);
    sky_report_missing(map);
}

static int work(void *self)
{
    const arguments *a = self;
    const sky_request request = {.path = a->base.files[0],
                                 .field = a->field,
                                 .mask = a->mask,
                                 .hdu = a->hdu,
                                 .pol = a->base.pol};
    if (a->stream) return work_in_pieces(a);
    sky map = {.map = NULL};
    radial plan = {.grid = NULL};
    kernels k = {.one = NULL};
    int code = ranks_agree(read_kernels(a, &k));
    if (code == CLI_OK) code = sky_read(&request, &map);
    if (code == CLI_OK) code = check_column(a, map.column, map.map->fields[0].name);
    if (code == CLI_OK) code = make_plan(a, &k, &map.share, &plan);
    if (code == CLI_OK) code = convolve(a, &plan, &map);
    if (code == CLI_OK) code = sky_write(&map, a->base.output, a->base.overwrite);
    if (code == CLI_OK) report(a, &map);
    if (code == CLI_OK)
        note("wrote %s: %s%s, kernel %s, %s mode, %s pixels missing", a->base.output,
             map.nfields > 1 ? "I, Q and U, " : "", map.share.on.text, kernel_text(a), a->mode,
             sky_missing_text(&map));
    radial_free(&plan);
    free_kernels(&k);
    sky_free(&map);
    return code;
}

const command convolve_command = {
    .name = "convolve",
    .summary = "convolve a map with a radial kernel, pixel by pixel",
    .usage = "convolve MAP -o out.fits --kernel KERNEL | --asymmetric FILE [options]",
    .text =
        "Sums kernel times map over the pixels around each pixel, exactly and without ringing.\n"
        "Pixels beyond the kernel's support have no influence (with --method rings: only by\n"
        "rounding).\n" KERNEL_HELP "\n"
        "If pixels are missing or masked, the result is the kernel's weighted mean of the others;\n"
        "under a kernel that is not normalized they count as 0. They stay missing in the result,\n"
        "unless --fill is given. One scalar field is convolved, or with --pol I, and Q and U as a\n"
        "pair, which is rotated on the way from pixel to pixel; a Gaussian is then that of\n"
        "\"smooth --pol\". Names, units and coordinates are kept.\n\n" ASYMMETRIC_HELP "\n\n"
        "With --stream the map is read and the result is written piece by piece; the output is\n"
        "byte-identical to that of --method pixels. The map must cover the full sky, and a mask\n"
        "may only hold 0 and 1. Before it begins, the command reports the most memory that it\n"
        "takes.",
    .example = "armilla convolve map.fits -o smooth.fits --kernel gaussian:30arcmin",
    .min_files = 1,
    .max_files = 1,
    .file_missing = "the MAP is missing",
    .report = "fields (1, or 3: I, Q, U), nside (of HEALPix), grid (its name), kernel, mode,\n"
              "missing (the number of pixels, for each field)",
    .over_ranks = 1,
    .tables = {table, output_options},
    .arguments_size = sizeof(arguments),
    .defaults = defaults,
    .check = check,
    .work = work,
};

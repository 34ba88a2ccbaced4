/* Mollweide pictures of HEALPix maps; docs/mathematics.md (12.3).
 *
 * With (u, v) in -1 .. 1 along the axes of the ellipse (v to the north), t = arcsin v:
 *
 *   sin(latitude) = (2 t + sin 2t) / pi        longitude = -pi u / cos t     (east is left)
 *
 * Reference: Snyder 1987, USGS Professional Paper 1395, p. 249. Each pixel is the mean colour of
 * n x n directions, n growing with the number of map pixels under it. Bands of rows are painted by
 * all threads, then written; so even the largest picture needs little memory. */
#include "armilla/io.h"

#include "armilla/grid.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/team.h"
#include "io/atomic_file.h"
#include "io/font.h"
#include "io/picture.h"
#include "io/picture_scale.h"
#include "io/png_writer.h"
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    BAND_ROWS = 64,
    DEFAULT_WIDTH = 1600,
    SMALLEST_WIDTH = 200,
    LARGEST_WIDTH = 20000,
    SAMPLES_LEAST = 2, /* per pixel and direction */
    SAMPLES_MOST = 4,
    INK = 30,
    OUTLINE_INK = 70
};

static const armilla_rgb GREY = {150, 150, 150};
static const armilla_rgb WHITE = {255, 255, 255};

typedef struct {
    int64_t nside;
    const double *values;
    const char *title, *unit; /* never NULL */
    double minimum, maximum;
    armilla_picture_layout layout;
    armilla_ticks ticks;
    int samples, nthreads;
    armilla_rgb colors[ARMILLA_COLORMAP_SIZE];
    armilla_canvas canvas;
} picture;

/* --- The sky ---------------------------------------------------------------------------------- */

/* A line of constant y across the ellipse: all of it has one colatitude. */
typedef struct {
    double v2;        /* v^2 */
    double theta;     /* colatitude */
    double longitude; /* at u = 1 */
} parallel;

static parallel parallel_at(const armilla_picture_layout *l, double y)
{
    double v = fmin(fmax((l->center_y - y) / l->semi_y, -1.0), 1.0);
    double t = asin(v), sin_latitude = (2.0 * t + sin(2.0 * t)) / M_PI;
    double cos_t = fmax(sqrt((1.0 - v) * (1.0 + v)), 1e-300);
    parallel line = {v * v, acos(fmin(fmax(sin_latitude, -1.0), 1.0)), -M_PI / cos_t};
    return line;
}

/* Colour at a point of the line; white outside of the ellipse. */
static armilla_rgb color_at(const picture *p, const parallel *line, double x)
{
    double u = (x - p->layout.center_x) / p->layout.semi_x;
    if (u * u + line->v2 >= 1.0) return WHITE;
    double value =
        p->values[armilla_healpix_ang_to_ring(p->nside, line->theta, line->longitude * u)];
    if (armilla_picture_missing(value)) return GREY;
    return p->colors[armilla_colormap_index(value, p->minimum, p->maximum)];
}

static armilla_rgb mean_color(const picture *p, const parallel *lines, int64_t x)
{
    int n = p->samples, r = 0, g = 0, b = 0;
    for (int i = 0; i < n * n; i++) {
        armilla_rgb c = color_at(p, &lines[i / n], (double)x + (i % n + 0.5) / n);
        r += c.r, g += c.g, b += c.b;
    }
    int all = n * n, half = all / 2;
    armilla_rgb mean = {(unsigned char)((r + half) / all), (unsigned char)((g + half) / all),
                        (unsigned char)((b + half) / all)};
    return mean;
}

/* Share of the pixel that the ellipse's line covers: from the distance to first order, F / |grad F|
 * of F = u^2 + v^2 - 1. */
static double outline_coverage(const armilla_picture_layout *l, int64_t x, int64_t y)
{
    double u = ((double)x + 0.5 - l->center_x) / l->semi_x;
    double v = ((double)y + 0.5 - l->center_y) / l->semi_y;
    double gradient = 2.0 * hypot(u / l->semi_x, v / l->semi_y);
    double distance = fabs(u * u + v * v - 1.0) / fmax(gradient, 1e-300);
    return fmin(fmax(0.5 * l->outline + 0.5 - distance, 0.0), 1.0);
}

static unsigned char blend(unsigned char color, double coverage)
{
    return (unsigned char)lrint(color + coverage * (OUTLINE_INK - color));
}

static armilla_rgb sky_pixel(const picture *p, const parallel *lines, int64_t x, int64_t y)
{
    armilla_rgb color = mean_color(p, lines, x);
    double coverage = outline_coverage(&p->layout, x, y);
    if (coverage <= 0.0) return color;
    color.r = blend(color.r, coverage);
    color.g = blend(color.g, coverage);
    color.b = blend(color.b, coverage);
    return color;
}

static void paint_sky_row(picture *p, armilla_rgb *row, int64_t y)
{
    const armilla_picture_layout *l = &p->layout;
    double reach = l->semi_x + l->outline + 1.0;
    int64_t first = (int64_t)floor(l->center_x - reach), last = (int64_t)ceil(l->center_x + reach);
    if (first < 0) first = 0;
    if (last > l->width) last = l->width;
    parallel lines[SAMPLES_MOST];
    for (int i = 0; i < p->samples; i++)
        lines[i] = parallel_at(l, (double)y + (i + 0.5) / p->samples);
    for (int64_t x = first; x < last; x++) row[x] = sky_pixel(p, lines, x, y);
}

static void paint_bar_row(picture *p, armilla_rgb *row)
{
    const armilla_picture_layout *l = &p->layout;
    for (int64_t i = 0; i < l->bar_width; i++)
        row[l->bar_left + i] = p->colors[i * ARMILLA_COLORMAP_SIZE / l->bar_width];
}

static void paint_row(void *context, int64_t index, int thread)
{
    picture *p = context;
    (void)thread;
    const armilla_picture_layout *l = &p->layout;
    int64_t y = p->canvas.top + index;
    armilla_rgb *row = p->canvas.pixels + index * l->width;
    memset(row, 255, (size_t)l->width * sizeof *row);
    if (fabs((double)y + 0.5 - l->center_y) < l->semi_y + l->outline + 1.0)
        paint_sky_row(p, row, y);
    if (y >= l->bar_top && y < l->bar_top + l->bar_height) paint_bar_row(p, row);
}

/* --- Lines and text --------------------------------------------------------------------------- */

static void draw_frame(picture *p)
{
    const armilla_picture_layout *l = &p->layout;
    double half = 0.5 * l->outline; /* the line lies outside: it hides no colour */
    double left = (double)l->bar_left - half, right = (double)(l->bar_left + l->bar_width) + half;
    double top = (double)l->bar_top - half, bottom = (double)(l->bar_top + l->bar_height) + half;
    armilla_canvas_stroke(&p->canvas, left, top, right, top, half, OUTLINE_INK);
    armilla_canvas_stroke(&p->canvas, left, bottom, right, bottom, half, OUTLINE_INK);
    armilla_canvas_stroke(&p->canvas, left, top, left, bottom, half, OUTLINE_INK);
    armilla_canvas_stroke(&p->canvas, right, top, right, bottom, half, OUTLINE_INK);
}

/* Text centred on x, in room pixels at most. */
static void draw_centered(picture *p, const char *text, double x, double base, double size,
                          double room)
{
    double width = fmin(armilla_font_width(text) * size, room);
    armilla_font_draw(&p->canvas, text, x - 0.5 * width, base, size, room, INK);
}

static void draw_ticks(picture *p)
{
    const armilla_picture_layout *l = &p->layout;
    double bottom = (double)(l->bar_top + l->bar_height) + l->outline;
    for (int i = 0; i < p->ticks.count; i++) {
        double share = (p->ticks.values[i] - p->minimum) / (p->maximum - p->minimum);
        double x = (double)l->bar_left + share * (double)l->bar_width;
        x = floor(x) + 0.5; /* on a column of pixels: sharp */
        armilla_canvas_stroke(&p->canvas, x, bottom, x, bottom + l->tick, 0.5 * l->outline,
                              OUTLINE_INK);
        draw_centered(p, p->ticks.labels[i], x, l->label_base, l->label_size, (double)l->width);
    }
}

static void draw_texts(picture *p)
{
    const armilla_picture_layout *l = &p->layout;
    double room = (double)l->width - 2.0 * l->margin;
    draw_centered(p, p->title, l->center_x, l->title_base, l->title_size, room);
    draw_centered(p, p->unit, l->center_x, l->unit_base, l->label_size, room);
}

static void paint_band(picture *p, int64_t top)
{
    int64_t left = p->layout.height - top;
    p->canvas.top = top, p->canvas.rows = left < BAND_ROWS ? left : BAND_ROWS;
    armilla_team_run(p->nthreads, p->canvas.rows, paint_row, p);
    draw_frame(p);
    draw_ticks(p);
    draw_texts(p);
}

/* --- Preparation ------------------------------------------------------------------------------ */

void armilla_picture_options_init_sized(armilla_picture_options *options, size_t size)
{
    const armilla_picture_options defaults = {
        .width = DEFAULT_WIDTH, .minimum = NAN, .maximum = NAN};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

static armilla_status check(const char *path, int64_t nside, const double *values,
                            const armilla_picture_options *options)
{
    if (!path || !values)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = NULL: must be given",
                            path ? "values" : "path");
    if (armilla_healpix_npix(nside) < 0)
        return armilla_fail_argument("nside", nside, "must be at least 1 and 12 nside^2 must fit");
    if (options->width < SMALLEST_WIDTH || options->width > LARGEST_WIDTH)
        return armilla_fail_argument("width", options->width, "must be 200 to 20000");
    if (options->nthreads < 0 || options->nthreads > INT_MAX)
        return armilla_fail_argument("nthreads", options->nthreads, "must be 0 (all) or more");
    return ARMILLA_OK;
}

/* As many ticks as leave the labels room to breathe. */
static void choose_ticks(picture *p)
{
    const armilla_picture_layout *l = &p->layout;
    for (int most = ARMILLA_TICKS_MOST - 3; most >= 2; most--) {
        armilla_ticks_make(p->minimum, p->maximum, most, &p->ticks);
        double label = (p->ticks.widest + 1.5) * l->label_size;
        double step = p->ticks.count > 1 ? p->ticks.values[1] - p->ticks.values[0] : INFINITY;
        if (label <= step / (p->maximum - p->minimum) * (double)l->bar_width) return;
    }
}

/* About one direction per map pixel, within limits. The ellipse covers pi/4 of 2 semi_x x 2 semi_y.
 */
static int choose_samples(const picture *p)
{
    const armilla_picture_layout *l = &p->layout;
    double map_pixels = (double)armilla_healpix_npix(p->nside);
    double per_pixel = map_pixels / (M_PI * l->semi_x * l->semi_y);
    return (int)fmin(fmax(ceil(sqrt(per_pixel)), SAMPLES_LEAST), SAMPLES_MOST);
}

static armilla_status prepare(picture *p, int64_t nside, const double *values,
                              const armilla_picture_options *options)
{
    p->nside = nside, p->values = values;
    p->title = options->title ? options->title : "";
    p->unit = options->unit ? options->unit : "";
    p->minimum = options->minimum, p->maximum = options->maximum;
    armilla_status status =
        armilla_picture_range(armilla_healpix_npix(nside), values, &p->minimum, &p->maximum);
    if (status) return status;
    armilla_picture_layout_make(options->width, *p->title != 0, *p->unit != 0, &p->layout);
    choose_ticks(p);
    p->samples = choose_samples(p);
    p->nthreads = (int)options->nthreads;
    armilla_colormap_fill(p->colors);
    p->canvas.width = options->width;
    return armilla_allocate(&p->canvas.pixels, BAND_ROWS * options->width, sizeof(armilla_rgb));
}

/* --- Writing ---------------------------------------------------------------------------------- */

static armilla_status write_bands(picture *p, const char *path)
{
    armilla_png *png;
    armilla_status status = armilla_png_open(path, p->layout.width, p->layout.height, &png);
    if (status) return status;
    for (int64_t top = 0; top < p->layout.height && !status; top += BAND_ROWS) {
        paint_band(p, top);
        status = armilla_png_write_rows(png, p->canvas.pixels, p->canvas.rows);
    }
    if (!status) return armilla_png_finish(png);
    armilla_png_abandon(png);
    return status;
}

static armilla_status write_file(picture *p, const char *path, int overwrite)
{
    armilla_atomic_file *file;
    armilla_status status = armilla_atomic_begin(path, overwrite, &file);
    if (status) return status;
    status = write_bands(p, armilla_atomic_name(file));
    if (!status) return armilla_atomic_commit(file);
    armilla_atomic_abort(file);
    return status;
}

const char *armilla_picture_unknown(const char *text)
{
    return text ? armilla_font_first_unknown(text) : NULL;
}

armilla_status armilla_picture_write(const char *path, int64_t nside, const double *values,
                                     const armilla_picture_options *options, int overwrite)
{
    armilla_picture_options chosen;
    armilla_picture_options_init(&chosen);
    armilla_status status =
        armilla_options_copy("options", "armilla_picture_options", options,
                             ARMILLA_END_OF(armilla_picture_options, unit), sizeof chosen, &chosen);
    if (!status) status = check(path, nside, values, &chosen);
    if (status) return status;
    picture *p;
    status = armilla_allocate_zero(&p, 1, sizeof *p);
    if (status) return status;
    status = prepare(p, nside, values, &chosen);
    if (!status) status = write_file(p, path, overwrite);
    armilla_release(p->canvas.pixels);
    armilla_release(p);
    return status;
}

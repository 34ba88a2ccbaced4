/* Pictures of maps: each pixel of the image is the mean colour of n x n directions, n growing with
 * the number of map pixels under it. Frames, numbers and text are a drawing over the image. */
#include "armilla/picture.h"

#include "base/memory.h"
#include "base/options.h"
#include "grid/locate.h"
#include "picture/font.h"
#include "picture/graticule.h"
#include "picture/sky_layout.h"
#include "picture/output.h"
#include "picture/ticks.h"
#include <limits.h>
#include <math.h>

enum {
    DEFAULT_WIDTH = 1600,
    SAMPLES_LEAST = 2, /* per pixel and direction */
    SAMPLES_MOST = 4
};

static const armilla_rgb GREY = {150, 150, 150}, WHITE = {255, 255, 255}, INK = {30, 30, 30},
                         FRAME_INK = {70, 70, 70};

typedef struct picture {
    const armilla_grid *grid;
    const double *values;
    armilla_picture_options options;
    armilla_sky_layout layout;
    armilla_locator *locator;
    armilla_scale scale;
    armilla_ticks ticks;
    armilla_rgb colors[ARMILLA_PALETTE_SIZE];
    armilla_drawing drawing;
    int samples;
} picture;

/* --- The sky ---------------------------------------------------------------------------------- */

static armilla_rgb color_of(const picture *p, double value)
{
    if (armilla_picture_missing(value)) return GREY;
    return p->colors[armilla_palette_index(armilla_scale_share(&p->scale, value))];
}

static armilla_rgb color_at(const picture *p, const armilla_panel *panel, double x, double y)
{
    const armilla_unit_vector seen = armilla_panel_look(panel, x, y);
    if (isnan(seen.x)) return WHITE;
    const armilla_unit_vector v = armilla_turn_back(panel->whole, seen);
    const int64_t pixel =
        armilla_locator_find(p->locator, atan2(hypot(v.x, v.y), v.z), atan2(v.y, v.x));
    return pixel < 0 ? GREY : color_of(p, p->values[pixel]);
}

static armilla_rgb mean_color(const picture *p, const armilla_panel *panel, int64_t x, int64_t y)
{
    const int n = p->samples, all = n * n, half = all / 2;
    int r = half, g = half, b = half;
    for (int i = 0; i < all; i++) {
        const armilla_rgb c =
            color_at(p, panel, (double)x + (i % n + 0.5) / n, (double)y + (i / n + 0.5) / n);
        r += c.r, g += c.g, b += c.b;
    }
    return (armilla_rgb){(unsigned char)(r / all), (unsigned char)(g / all),
                         (unsigned char)(b / all)};
}

static void paint_row(const void *context, int64_t y, armilla_rgb *row)
{
    const picture *p = context;
    const armilla_sky_layout *l = &p->layout;
    for (int i = 0; i < l->npanels; i++) {
        const armilla_panel *panel = &l->panels[i];
        const double half = panel->scale * panel->half_x;
        const int64_t first = (int64_t)fmax(floor(panel->center_x - half) - 1.0, 0.0);
        const int64_t last = (int64_t)fmin(ceil(panel->center_x + half) + 1.0, (double)l->width);
        for (int64_t x = first; x < last; x++) row[x] = mean_color(p, panel, x, y);
    }
}

/* --- Frames, numbers, text -------------------------------------------------------------------- */

static void frame_panels(picture *p)
{
    const armilla_style style = {FRAME_INK, 1.0, p->layout.outline};
    for (int i = 0; i < p->layout.npanels; i++) {
        const armilla_panel *at = &p->layout.panels[i];
        const double x = at->scale * at->half_x, y = at->scale * at->half_y;
        if (at->projection == ARMILLA_PROJECTION_GNOMONIC ||
            at->projection == ARMILLA_PROJECTION_EQUIRECTANGULAR)
            armilla_drawing_rectangle(&p->drawing, style, at->center_x - x, at->center_y - y,
                                      at->center_x + x, at->center_y + y);
        else
            armilla_drawing_ellipse(&p->drawing, style, at->center_x, at->center_y, x, y);
    }
}

/* Each colour reaches to the end of the bar, and the next lies on it: no seams. */
static void draw_bar(picture *p)
{
    const armilla_sky_layout *l = &p->layout;
    enum { STEPS = 256 };
    const double right = l->bar_left + l->bar_width, bottom = l->bar_top + l->bar_height;
    for (int i = 0; i < STEPS; i++) {
        const int index = armilla_palette_index((i + 0.5) / STEPS);
        const armilla_style style = {p->colors[index], 1.0, 0.0};
        armilla_drawing_rectangle(&p->drawing, style, l->bar_left + l->bar_width * i / STEPS,
                                  l->bar_top, right, bottom);
    }
    const double half = 0.5 * l->outline; /* the line lies outside: it hides no colour */
    armilla_drawing_rectangle(&p->drawing, (armilla_style){FRAME_INK, 1.0, l->outline},
                              l->bar_left - half, l->bar_top - half, right + half, bottom + half);
}

static void draw_ticks(picture *p)
{
    const armilla_sky_layout *l = &p->layout;
    const double bottom = l->bar_top + l->bar_height + l->outline;
    const armilla_style style = {FRAME_INK, 1.0, l->outline};
    for (int i = 0; i < p->ticks.count; i++) {
        const double share = armilla_scale_share(&p->scale, p->ticks.values[i]);
        const double x = floor(l->bar_left + share * l->bar_width) + 0.5; /* sharp */
        armilla_drawing_segment(&p->drawing, style, x, bottom, x, bottom + l->tick);
        armilla_font_draw(&p->drawing, &(armilla_label){.text = p->ticks.labels[i],
                                                        .x = x,
                                                        .y = l->label_base,
                                                        .size = l->label_size,
                                                        .at = 0.5,
                                                        .color = INK});
    }
}

static void draw_text(picture *p, const char *text, double base, double size)
{
    const armilla_sky_layout *l = &p->layout;
    if (!text) return;
    armilla_font_draw(&p->drawing, &(armilla_label){.text = text,
                                                    .x = 0.5 * (double)l->width,
                                                    .y = base,
                                                    .size = size,
                                                    .at = 0.5,
                                                    .room = (double)l->width - 2.0 * l->margin,
                                                    .color = INK});
}

static void draw(picture *p)
{
    const armilla_picture_options *o = &p->options;
    const armilla_sky_layout *l = &p->layout;
    const int is_azimuthal = armilla_projection_is_azimuthal(o->projection);
    double field = is_azimuthal ? M_PI : 2.0 * M_PI;
    if (o->projection == ARMILLA_PROJECTION_GNOMONIC) field = M_PI / 9.0;
    if (!isnan(o->fov)) field = o->fov;
    p->drawing.width = l->width, p->drawing.height = l->height;
    if (o->graticule) armilla_graticule_draw(&p->drawing, l, field);
    frame_panels(p);
    draw_bar(p);
    draw_ticks(p);
    draw_text(p, o->title, l->title_base, l->title_size);
    if (!o->unit) return;
    char unit[ARMILLA_FONT_UNIT_SIZE];
    armilla_font_unit(o->unit, unit);
    draw_text(p, unit, l->unit_base, l->label_size);
}

/* --- Preparation ------------------------------------------------------------------------------ */

void armilla_picture_options_init_sized(armilla_picture_options *options, size_t size)
{
    const armilla_picture_options defaults = {
        .width = DEFAULT_WIDTH, .minimum = NAN, .maximum = NAN, .fov = NAN, .threshold = NAN};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

/* Do the labels have room to breathe? */
static int has_room(const picture *p)
{
    const armilla_sky_layout *l = &p->layout;
    for (int i = 1; i < p->ticks.count; i++) {
        const double before = armilla_scale_share(&p->scale, p->ticks.values[i - 1]);
        const double share = armilla_scale_share(&p->scale, p->ticks.values[i]);
        const double width = 0.5 * (armilla_font_width(p->ticks.labels[i - 1]) +
                                    armilla_font_width(p->ticks.labels[i]));
        if ((width + 1.0) * l->label_size > (share - before) * l->bar_width) return 0;
    }
    return 1;
}

static void choose_ticks(picture *p)
{
    for (int most = ARMILLA_TICKS_MOST - 3; most >= 2; most--) {
        armilla_ticks_of_scale(&p->scale, most, &p->ticks);
        if (has_room(p)) return;
    }
}

/* About one direction per map pixel, within limits. */
static int choose_samples(const picture *p)
{
    const armilla_panel *panel = &p->layout.panels[0];
    const double pixels =
        p->layout.npanels * M_PI * panel->scale * panel->scale * panel->half_x * panel->half_y;
    const double per_pixel = (double)armilla_grid_npix(p->grid) / pixels;
    return (int)fmin(fmax(ceil(sqrt(per_pixel)), SAMPLES_LEAST), SAMPLES_MOST);
}

static armilla_status prepare(picture *p)
{
    const armilla_picture_options *o = &p->options;
    armilla_status status = armilla_sky_layout_make(o, &p->layout);
    if (!status) status = armilla_locator_new(p->grid, &p->locator);
    if (status) return status;
    p->scale.kind = o->scale, p->scale.threshold = o->threshold;
    p->scale.minimum = o->minimum, p->scale.maximum = o->maximum;
    status = armilla_scale_make(armilla_grid_npix(p->grid), p->values, &p->scale);
    if (status) return status;
    choose_ticks(p);
    p->samples = choose_samples(p);
    armilla_palette_fill(o->colors, p->colors);
    draw(p);
    return p->drawing.status;
}

static armilla_status write(picture *p, const char *path, int overwrite)
{
    const armilla_panel *panel = &p->layout.panels[0];
    const double half = panel->scale * panel->half_y;
    const armilla_layer layer = {.top = (int64_t)floor(panel->center_y - half) - 1,
                                 .bottom = (int64_t)ceil(panel->center_y + half) + 1,
                                 .paint = paint_row,
                                 .context = p};
    return armilla_output_write(path, &p->drawing, &layer, (int)p->options.nthreads, overwrite);
}

const char *armilla_picture_unknown(const char *text)
{
    return text ? armilla_font_first_unknown(text) : NULL;
}

static armilla_status write_map(const char *path, picture *p, int overwrite)
{
    armilla_status status = prepare(p);
    if (!status) status = write(p, path, overwrite);
    armilla_drawing_clear(&p->drawing);
    armilla_locator_free(p->locator);
    armilla_release(p);
    return status;
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {ARMILLA_END_OF(armilla_picture_options, unit),
                                  ARMILLA_END_OF(armilla_picture_options, nthreads),
                                  sizeof(armilla_picture_options), 0};

armilla_status armilla_picture_write_map(const char *path, const armilla_grid *grid,
                                         const double *values,
                                         const armilla_picture_options *options, int overwrite)
{
    armilla_picture_options chosen;
    armilla_picture_options_init(&chosen);
    armilla_status status =
        armilla_options_copy("options", "armilla_picture_options", options, VERSIONS, &chosen);
    if (!status) status = armilla_check_given("path", path);
    if (!status) status = armilla_check_given("grid", grid);
    if (!status) status = armilla_check_given("values", values);
    if (!status && (chosen.nthreads < 0 || chosen.nthreads > INT_MAX))
        status = armilla_fail_argument("nthreads", chosen.nthreads, "must be 0 (all) or more");
    if (status) return status;
    picture *p;
    status = armilla_allocate_zero(&p, 1, sizeof *p);
    if (status) return status;
    p->grid = grid, p->values = values, p->options = chosen;
    return write_map(path, p, overwrite);
}

armilla_status armilla_picture_write(const char *path, int64_t nside, const double *values,
                                     const armilla_picture_options *options, int overwrite)
{
    armilla_grid *grid;
    armilla_status status = armilla_grid_new_healpix(nside, &grid);
    if (status) return status;
    status = armilla_picture_write_map(path, grid, values, options, overwrite);
    armilla_grid_free(grid);
    return status;
}

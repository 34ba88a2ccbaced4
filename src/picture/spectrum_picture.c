/* Plots of power spectra: C_l, or D_l = l (l + 1) C_l / 2 pi, over the degree l. */
#include "armilla/picture.h"

#include "base/options.h"
#include "picture/axes.h"
#include "picture/font.h"
#include "picture/output.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CURVES = 16, SMALLEST_WIDTH = 200, LARGEST_WIDTH = 20000 };

static const armilla_rgb INKS[] = {{31, 90, 170},  {214, 60, 30},  {40, 140, 60}, {150, 90, 190},
                                   {235, 150, 20}, {20, 160, 180}, {140, 90, 70}, {110, 110, 110}};
static const armilla_rgb INK = {30, 30, 30}, WHITE = {255, 255, 255}, FRAME_INK = {70, 70, 70};
static const double DEEPEST = 1e-12; /* of the largest value: the end of a logarithmic axis */

typedef struct plot {
    const armilla_curve *curves;
    int64_t ncurves;
    armilla_plot_options options;
    armilla_axes axes;
    armilla_drawing drawing;
} plot;

/* Dashed curves are dark, so that they are seen on those that follow them. */
static armilla_rgb ink_of(const plot *p, int64_t i)
{
    return p->curves[i].dashed ? INK : INKS[i % (int64_t)(sizeof INKS / sizeof INKS[0])];
}

/* What is drawn of a degree: NaN where there is nothing to draw. */
static double shown(const plot *p, const armilla_curve *curve, int64_t l)
{
    if (l > curve->lmax || l < 0) return NAN;
    const double factor = p->options.plain ? 1.0 : (double)l * ((double)l + 1.0) / (2.0 * M_PI);
    const double value = factor * curve->cl[l];
    if (!isfinite(value) || (p->options.log_power && value == 0.0)) return NAN;
    return value;
}

/* --- Ranges ----------------------------------------------------------------------------------- */

static armilla_status choose_degrees(plot *p)
{
    const armilla_plot_options *o = &p->options;
    armilla_axis *x = &p->axes.x;
    int64_t lmax = 0;
    for (int64_t i = 0; i < p->ncurves; i++)
        if (p->curves[i].lmax > lmax) lmax = p->curves[i].lmax;
    x->is_log = o->log_degree != 0;
    x->first = isnan(o->first) ? (lmax > 2 ? 2.0 : x->is_log ? 1.0 : 0.0) : o->first;
    x->last = isnan(o->last) ? fmax((double)lmax, x->first + 1.0) : o->last;
    if (!(isfinite(x->first) && isfinite(x->last) && x->first < x->last && x->first >= 0.0))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "first, last = %g, %g: must be degrees, 0 <= first < last", x->first,
                            x->last);
    if (x->is_log && x->first < 1.0)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "first = %g: must be at least 1 on a logarithmic axis", x->first);
    return ARMILLA_OK;
}

/* The least and the largest value within the degrees that are shown; of absolute values where the
 * axis is logarithmic. */
static void survey(const plot *p, double *least, double *largest)
{
    *least = INFINITY, *largest = -INFINITY;
    for (int64_t i = 0; i < p->ncurves; i++) {
        const double lmax = (double)p->curves[i].lmax;
        const int64_t first = (int64_t)fmin(ceil(p->axes.x.first), lmax + 1.0);
        const int64_t last = (int64_t)fmin(floor(p->axes.x.last), lmax);
        for (int64_t l = first; l <= last; l++) {
            double value = shown(p, &p->curves[i], l);
            if (isnan(value)) continue;
            if (p->options.log_power) value = fabs(value);
            *least = fmin(*least, value), *largest = fmax(*largest, value);
        }
    }
}

static void choose_linear(armilla_axis *y, double least, double largest)
{
    const double margin = 0.05 * (largest - least);
    y->first = least >= 0.0 && least < 0.5 * largest ? 0.0 : least - margin;
    y->last = largest + margin;
    if (y->last - y->first > 1e-12 * fmax(fabs(least), fabs(largest)) && y->last > y->first) return;
    const double half = largest != 0.0 ? 0.5 * fabs(largest) : 1.0;
    y->first = largest - half, y->last = largest + half;
}

static armilla_status choose_powers(plot *p)
{
    const armilla_plot_options *o = &p->options;
    armilla_axis *y = &p->axes.y;
    double least, largest;
    survey(p, &least, &largest);
    if (least > largest)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "curves: none has a value to show at degrees %g to %g", p->axes.x.first,
                            p->axes.x.last);
    y->is_log = o->log_power != 0;
    if (y->is_log)
        y->last = 2.0 * largest, y->first = fmax(0.5 * least, DEEPEST * largest);
    else
        choose_linear(y, least, largest);
    if (!isnan(o->lowest)) y->first = o->lowest;
    if (!isnan(o->highest)) y->last = o->highest;
    if (!(isfinite(y->last - y->first) && y->first < y->last))
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "lowest, highest = %g, %g: must be numbers, lowest < highest", y->first,
                            y->last);
    if (y->is_log && y->first <= 0.0)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "lowest = %g: must be positive on a logarithmic axis", y->first);
    return ARMILLA_OK;
}

/* --- Curves ----------------------------------------------------------------------------------- */

/* sign: of the values that are drawn, on a logarithmic axis; 0: all. */
static void draw_curve(plot *p, int64_t index, int sign)
{
    const armilla_curve *curve = &p->curves[index];
    const armilla_axes *a = &p->axes;
    const double width = (curve->dashed ? 1.7 : 1.4) * a->line, alpha = sign < 0 ? 0.4 : 1.0;
    armilla_track track = {.box = {a->x.from, a->y.to, a->x.to, a->y.from},
                           .dash = curve->dashed ? 6.0 * a->line : 0.0};
    armilla_track_start(&track, &p->drawing, (armilla_style){ink_of(p, index), alpha, width});
    const int64_t first =
        (int64_t)fmin(fmax(ceil(a->x.first), a->x.is_log ? 1.0 : 0.0), (double)curve->lmax + 1.0);
    const int64_t last = (int64_t)fmin(floor(a->x.last), (double)curve->lmax);
    for (int64_t l = first; l <= last; l++) {
        const double value = shown(p, curve, l);
        const int is_drawn = !isnan(value) && (sign == 0 || (value > 0.0) == (sign > 0));
        const double x = is_drawn ? armilla_axis_place(&a->x, (double)l) : NAN;
        armilla_track_to(&track, x, armilla_axis_place(&a->y, sign ? fabs(value) : value));
    }
}

static void draw_curves(plot *p)
{
    for (int64_t i = 0; i < p->ncurves; i++) {
        draw_curve(p, i, p->options.log_power ? 1 : 0);
        if (p->options.log_power) draw_curve(p, i, -1);
    }
}

/* --- Legend ----------------------------------------------------------------------------------- */

typedef struct box {
    double left, top, right, bottom;
} box;

static int has_label(const armilla_curve *curve)
{
    return curve->label && *curve->label;
}

/* Points of curves in a box. */
static int64_t count_points(const plot *p, const box *b)
{
    int64_t count = 0;
    for (int64_t i = 0; i < p->ncurves; i++)
        for (int64_t l = 1; l <= p->curves[i].lmax; l++) {
            double value = shown(p, &p->curves[i], l);
            if (isnan(value)) continue;
            if (p->options.log_power) value = fabs(value);
            const double x = armilla_axis_place(&p->axes.x, (double)l);
            const double y = armilla_axis_place(&p->axes.y, value);
            count += x >= b->left && x <= b->right && y >= b->top && y <= b->bottom;
        }
    return count;
}

/* The corner of the frame in which the fewest points are hidden: right above first. */
static box choose_corner(const plot *p, double width, double height)
{
    const armilla_axes *a = &p->axes;
    const double gap = 0.7 * a->label_size;
    box best = {0};
    int64_t fewest = INT64_MAX;
    for (int corner = 0; corner < 4; corner++) {
        const double left = corner % 2 ? a->x.from + gap : a->x.to - gap - width;
        const double top = corner / 2 ? a->y.from - gap - height : a->y.to + gap;
        const box b = {left, top, left + width, top + height};
        const int64_t hidden = count_points(p, &b);
        if (hidden < fewest) fewest = hidden, best = b;
    }
    return best;
}

static void draw_legend_row(plot *p, int64_t index, const box *b, double y)
{
    const double size = p->axes.label_size, left = b->left + 0.6 * size;
    const armilla_curve *curve = &p->curves[index];
    armilla_track track = {.box = {b->left, b->top, b->right, b->bottom},
                           .dash = curve->dashed ? 6.0 * p->axes.line : 0.0};
    armilla_track_start(&track, &p->drawing,
                        (armilla_style){ink_of(p, index), 1.0, 2.0 * p->axes.line});
    armilla_track_to(&track, left, y);
    armilla_track_to(&track, left + 2.0 * size, y);
    armilla_font_draw(&p->drawing, &(armilla_label){.text = curve->label,
                                                    .x = left + 2.5 * size,
                                                    .y = y + 0.36 * size,
                                                    .size = size,
                                                    .room = b->right - left - 3.0 * size,
                                                    .color = INK});
}

static void draw_legend(plot *p)
{
    const double size = p->axes.label_size, most = 0.6 * (p->axes.x.to - p->axes.x.from);
    double widest = 0.0, rows = 0.0;
    for (int64_t i = 0; i < p->ncurves; i++)
        if (has_label(&p->curves[i])) {
            widest = fmax(widest, armilla_font_width(p->curves[i].label));
            rows++;
        }
    if (rows == 0.0) return;
    const box b = choose_corner(p, fmin((widest + 3.7) * size, most), (1.45 * rows + 0.35) * size);
    armilla_drawing_rectangle(&p->drawing, (armilla_style){WHITE, 0.85, 0.0}, b.left, b.top,
                              b.right, b.bottom);
    armilla_drawing_rectangle(&p->drawing, (armilla_style){FRAME_INK, 0.5, 0.8 * p->axes.line},
                              b.left, b.top, b.right, b.bottom);
    double y = b.top + 0.9 * size;
    for (int64_t i = 0; i < p->ncurves; i++) {
        if (!has_label(&p->curves[i])) continue;
        draw_legend_row(p, i, &b, y);
        y += 1.45 * size;
    }
}

/* --- Text ------------------------------------------------------------------------------------- */

/* "D_l [unit]" or "C_l [unit]" along the axis, the l below the line. */
static void draw_power_name(plot *p)
{
    const armilla_axes *a = &p->axes;
    const double size = 1.1 * a->label_size, small = 0.72 * size;
    const char *letter = p->options.plain ? "C" : "D";
    char unit[ARMILLA_FONT_UNIT_SIZE] = "", text[ARMILLA_FONT_UNIT_SIZE + 8] = "";
    if (p->options.unit && *p->options.unit) {
        armilla_font_unit(p->options.unit, unit);
        snprintf(text, sizeof text, " [%s]", unit);
    }
    const double first = size * armilla_font_width(letter);
    const double second = small * armilla_font_width("\u2113");
    const double length = first + second + size * armilla_font_width(text);
    armilla_label label = {
        .text = letter, .x = 1.35 * size, .size = size, .upwards = 1, .color = INK};
    label.y = 0.5 * (a->y.from + a->y.to) + 0.5 * length;
    armilla_font_draw(&p->drawing, &label);
    label.text = "\u2113", label.y -= first, label.size = small, label.x += 0.22 * size;
    armilla_font_draw(&p->drawing, &label);
    label.text = text, label.y -= second, label.size = size, label.x -= 0.22 * size;
    armilla_font_draw(&p->drawing, &label);
}

static void draw_texts(plot *p)
{
    const armilla_axes *a = &p->axes;
    armilla_label label = {.text = "multipole \u2113",
                           .x = 0.5 * (a->x.from + a->x.to),
                           .y = (double)a->height - 0.75 * a->label_size,
                           .size = 1.1 * a->label_size,
                           .at = 0.5,
                           .color = INK};
    armilla_font_draw(&p->drawing, &label);
    draw_power_name(p);
    if (!p->options.title) return;
    label.text = p->options.title, label.y = a->title_base, label.size = a->title_size;
    label.room = a->x.to - a->x.from;
    armilla_font_draw(&p->drawing, &label);
}

/* --- All -------------------------------------------------------------------------------------- */

void armilla_plot_options_init_sized(armilla_plot_options *options, size_t size)
{
    const armilla_plot_options defaults = {
        .width = 1200, .first = NAN, .last = NAN, .lowest = NAN, .highest = NAN};
    armilla_options_give(&defaults, sizeof defaults, options, size);
}

static armilla_status check_curves(int64_t ncurves, const armilla_curve *curves)
{
    if (ncurves < 1 || ncurves > MOST_CURVES)
        return armilla_fail_argument("ncurves", ncurves, "must be 1 to 16");
    armilla_status status = armilla_check_given("curves", curves);
    for (int64_t i = 0; i < ncurves && !status; i++) {
        if (!curves[i].cl)
            status = armilla_fail(ARMILLA_ERROR_ARGUMENT, "curves[%lld].cl = NULL: must be given",
                                  (long long)i);
        else if (curves[i].lmax < 0)
            status = armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                  "curves[%lld].lmax = %lld: must be 0 or "
                                  "more",
                                  (long long)i, (long long)curves[i].lmax);
    }
    return status;
}

static armilla_status draw(plot *p)
{
    armilla_status status = choose_degrees(p);
    if (!status) status = choose_powers(p);
    if (status) return status;
    armilla_axes_place(&p->axes, p->options.width, p->options.title && *p->options.title);
    p->drawing.width = p->axes.width, p->drawing.height = p->axes.height;
    armilla_axes_draw_grid(&p->drawing, &p->axes);
    draw_curves(p);
    armilla_axes_draw_frame(&p->drawing, &p->axes);
    draw_legend(p);
    draw_texts(p);
    return p->drawing.status;
}

/* Sizes that its versions had. */
static const size_t VERSIONS[] = {sizeof(armilla_plot_options), 0};

armilla_status armilla_picture_write_spectra(const char *path, int64_t ncurves,
                                             const armilla_curve *curves,
                                             const armilla_plot_options *options, int overwrite)
{
    plot p = {.curves = curves, .ncurves = ncurves};
    armilla_plot_options_init(&p.options);
    armilla_status status =
        armilla_options_copy("options", "armilla_plot_options", options, VERSIONS, &p.options);
    if (!status) status = armilla_check_given("path", path);
    if (!status) status = check_curves(ncurves, curves);
    if (!status && (p.options.width < SMALLEST_WIDTH || p.options.width > LARGEST_WIDTH))
        status = armilla_fail_argument("width", p.options.width, "must be 200 to 20000");
    if (!status) status = draw(&p);
    if (!status) status = armilla_output_write(path, &p.drawing, NULL, 1, overwrite);
    armilla_drawing_clear(&p.drawing);
    return status;
}

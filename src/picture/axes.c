/* Places and draws the axes of a plot. All lengths grow with the width, but text stays readable in
 * small pictures. */
#include "picture/axes.h"

#include "picture/font.h"
#include <math.h>

static const armilla_rgb GRID_INK = {200, 200, 200}, FRAME_INK = {70, 70, 70}, INK = {30, 30, 30};
static const double LABEL_SMALLEST = 9.0, TITLE_SMALLEST = 12.0; /* pixels of an em */

double armilla_axis_place(const armilla_axis *a, double value)
{
    double share = (value - a->first) / (a->last - a->first);
    if (a->is_log) share = (log(value) - log(a->first)) / (log(a->last) - log(a->first));
    return a->from + share * (a->to - a->from);
}

/* As many ticks as leave `room` pixels for each number, of which the widest counts on x. */
static void choose_ticks(armilla_axis *a, double size, int is_x)
{
    for (int most = is_x ? 9 : 7; most >= 2; most--) {
        int has_room = 1;
        if (a->is_log)
            armilla_ticks_make_log(a->first, a->last, most, &a->ticks);
        else
            armilla_ticks_make(a->first, a->last, most, &a->ticks);
        const double wanted = size * (is_x ? a->ticks.widest + 1.0 : 1.8);
        for (int i = 1; i < a->ticks.count; i++)
            if (fabs(armilla_axis_place(a, a->ticks.values[i]) -
                     armilla_axis_place(a, a->ticks.values[i - 1])) < wanted)
                has_room = 0;
        if (has_room) return;
    }
}

void armilla_axes_place(armilla_axes *axes, int64_t width, int has_title)
{
    const double w = (double)width;
    axes->width = width, axes->height = llrint(0.625 * w);
    axes->line = fmax(1.0, 0.0012 * w);
    axes->label_size = fmax(LABEL_SMALLEST, 0.0185 * w);
    axes->title_size = fmax(TITLE_SMALLEST, 0.024 * w);
    const double size = axes->label_size;
    double top = 0.03 * w;
    if (has_title) {
        axes->title_base = top + 0.75 * axes->title_size;
        top += 1.5 * axes->title_size;
    }
    axes->y.from = floor((double)axes->height - 3.4 * size) + 0.5;
    axes->y.to = ceil(top) + 0.5;
    axes->x.to = floor(0.965 * w) + 0.5;
    choose_ticks(&axes->y, size, 0);
    axes->x.from = ceil(2.5 * size + (0.7 + axes->y.ticks.widest) * size) + 0.5;
    choose_ticks(&axes->x, size, 1);
}

static void vertical(armilla_drawing *d, armilla_style style, double x, double from, double to)
{
    armilla_drawing_segment(d, style, x, from, x, to);
}

static void horizontal(armilla_drawing *d, armilla_style style, double y, double from, double to)
{
    armilla_drawing_segment(d, style, from, y, to, y);
}

void armilla_axes_draw_grid(armilla_drawing *d, const armilla_axes *axes)
{
    const armilla_style style = {GRID_INK, 0.6, 0.8 * axes->line};
    for (int i = 0; i < axes->x.ticks.count; i++)
        vertical(d, style, floor(armilla_axis_place(&axes->x, axes->x.ticks.values[i])) + 0.5,
                 axes->y.from, axes->y.to);
    for (int i = 0; i < axes->y.ticks.count; i++)
        horizontal(d, style, floor(armilla_axis_place(&axes->y, axes->y.ticks.values[i])) + 0.5,
                   axes->x.from, axes->x.to);
}

/* Twos to nines of each power of ten, on a logarithmic axis of up to eight. */
static void draw_minor(armilla_drawing *d, const armilla_axes *axes, int is_x)
{
    const armilla_axis *a = is_x ? &axes->x : &axes->y;
    const armilla_style style = {FRAME_INK, 1.0, 0.8 * axes->line};
    const double length = 0.16 * axes->label_size;
    if (!a->is_log || log10(a->last / a->first) > 8.0) return;
    for (double power = pow(10.0, floor(log10(a->first))); power > 0.0 && power < a->last;
         power *= 10.0) /* 0: the axis is where doubles end */
        for (int k = 2; k < 10; k++) {
            if (k * power < a->first || k * power > a->last) continue;
            const double at = floor(armilla_axis_place(a, k * power)) + 0.5;
            if (is_x)
                vertical(d, style, at, axes->y.from, axes->y.from + length);
            else
                horizontal(d, style, at, axes->x.from - length, axes->x.from);
        }
}

static void draw_numbers(armilla_drawing *d, const armilla_axes *axes, int is_x)
{
    const armilla_axis *a = is_x ? &axes->x : &axes->y;
    const armilla_style style = {FRAME_INK, 1.0, axes->line};
    const double size = axes->label_size, length = 0.3 * size;
    for (int i = 0; i < a->ticks.count; i++) {
        const double at = floor(armilla_axis_place(a, a->ticks.values[i])) + 0.5;
        armilla_label label = {
            .text = a->ticks.labels[i], .size = size, .at = is_x ? 0.5 : 1.0, .color = INK};
        label.x = is_x ? at : axes->x.from - length - 0.25 * size;
        label.y = is_x ? axes->y.from + length + size : at + 0.5 * ARMILLA_FONT_CAPITAL * size;
        if (is_x)
            vertical(d, style, at, axes->y.from, axes->y.from + length);
        else
            horizontal(d, style, at, axes->x.from - length, axes->x.from);
        armilla_font_draw(d, &label);
    }
}

void armilla_axes_draw_frame(armilla_drawing *d, const armilla_axes *axes)
{
    const armilla_style style = {FRAME_INK, 1.0, axes->line};
    armilla_drawing_rectangle(d, style, axes->x.from, axes->y.to, axes->x.to, axes->y.from);
    for (int is_x = 0; is_x < 2; is_x++) {
        draw_minor(d, axes, is_x);
        draw_numbers(d, axes, is_x);
    }
}

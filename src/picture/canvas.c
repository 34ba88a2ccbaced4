/* Paints shapes on a band of rows, with anti-aliased edges.
 *
 * Filled shapes: how much of each pixel lies within is exact. An edge adds to the pixel in which a
 * piece of it lies the height of the piece times the part of the pixel to its right, and the rest
 * of the height to the next pixel; the sum along a row is then the area (with the sign of the
 * winding, whose size is cut at 1). Lines: a pixel's cover is half the width + 1/2 - the distance
 * of its centre from the line, clipped to 0 .. 1, the largest of all segments of the shape: so
 * lines join without a seam. */
#include "picture/canvas.h"

#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { CURVE_STEPS = 6 };
static const double THINNEST = 0.9; /* pixels: thinner lines become fainter instead */

armilla_status armilla_canvas_allocate(armilla_canvas *c, int64_t most_rows)
{
    armilla_status status = armilla_allocate(&c->pixels, most_rows * c->width, sizeof *c->pixels);
    if (status) return status;
    status = armilla_allocate_zero(&c->cover, most_rows * (c->width + 2), sizeof *c->cover);
    if (status) armilla_canvas_release(c);
    return status;
}

void armilla_canvas_release(armilla_canvas *c)
{
    armilla_release(c->pixels);
    armilla_release(c->cover);
    c->pixels = NULL, c->cover = NULL;
}

static float *cover_row(armilla_canvas *c, int64_t row)
{
    return c->cover + row * (c->width + 2);
}

static int64_t clip(double value, int64_t low, int64_t high)
{
    if (!(value > (double)low)) return low;
    return value < (double)high ? (int64_t)value : high;
}

/* --- Filled shapes ---------------------------------------------------------------------------- */

/* A piece of an edge within one row, from x0 to x1, of the height given (with the edge's sign). */
static void add_piece(float *row, double width, double x0, double x1, double height)
{
    if (x0 > x1) {
        const double x = x0;
        x0 = x1, x1 = x;
    }
    x0 = fmin(fmax(x0, 0.0), width), x1 = fmin(fmax(x1, 0.0), width);
    const double length = x1 - x0;
    for (int64_t i = (int64_t)x0; (double)i <= x1; i++) {
        const double from = fmax(x0, (double)i), to = fmin(x1, (double)(i + 1));
        const double part = length > 0.0 ? height * (to - from) / length : height;
        const double right = 1.0 - (0.5 * (from + to) - (double)i);
        row[i] += (float)(part * right);
        row[i + 1] += (float)(part * (1.0 - right));
        if (length <= 0.0) return;
    }
}

static void add_edge(armilla_canvas *c, double x0, double y0, double x1, double y1)
{
    const double sign = y0 < y1 ? 1.0 : -1.0, slope = (x1 - x0) / (y1 - y0);
    const double top = fmin(y0, y1) - (double)c->top, bottom = fmax(y0, y1) - (double)c->top;
    if (!(top < bottom)) return;
    const int64_t last = clip(ceil(bottom), 0, c->rows);
    for (int64_t j = clip(floor(top), 0, c->rows); j < last; j++) {
        const double from = fmax(top, (double)j), to = fmin(bottom, (double)(j + 1));
        const double y = (double)c->top - y0;
        if (from < to)
            add_piece(cover_row(c, j), (double)c->width, x0 + (from + y) * slope,
                      x0 + (to + y) * slope, sign * (to - from));
    }
}

/* --- Lines ------------------------------------------------------------------------------------ */

static double distance(const double line[4], double x, double y)
{
    const double dx = line[2] - line[0], dy = line[3] - line[1], length2 = dx * dx + dy * dy;
    const double px = x - line[0], py = y - line[1];
    const double along = length2 > 0.0 ? (px * dx + py * dy) / length2 : 0.0;
    const double part = fmin(fmax(along, 0.0), 1.0);
    return hypot(px - part * dx, py - part * dy);
}

static void add_line(armilla_canvas *c, const double line[4], double radius)
{
    const double reach = radius + 1.0, top = (double)c->top;
    const int64_t left = clip(floor(fmin(line[0], line[2]) - reach), 0, c->width);
    const int64_t right = clip(ceil(fmax(line[0], line[2]) + reach), 0, c->width);
    const int64_t first = clip(floor(fmin(line[1], line[3]) - reach - top), 0, c->rows);
    const int64_t last = clip(ceil(fmax(line[1], line[3]) + reach - top), 0, c->rows);
    for (int64_t j = first; j < last; j++) {
        float *row = cover_row(c, j);
        for (int64_t i = left; i < right; i++) {
            const double far = distance(line, (double)i + 0.5, top + (double)j + 0.5);
            const float cover = (float)fmin(radius + 0.5 - far, 1.0);
            if (cover > row[i]) row[i] = cover;
        }
    }
}

/* --- Shapes ----------------------------------------------------------------------------------- */

static void add_segment(armilla_canvas *c, const armilla_style *style, const double line[4])
{
    if (style->width > 0.0)
        add_line(c, line, 0.5 * fmax(style->width, THINNEST));
    else
        add_edge(c, line[0], line[1], line[2], line[3]);
}

/* From the node before last over a bend to the last. */
static void add_curve(armilla_canvas *c, const armilla_style *style, const armilla_node *node)
{
    const armilla_node *a = node - 2, *bend = node - 1;
    double line[4] = {a->x, a->y, a->x, a->y};
    for (int i = 1; i <= CURVE_STEPS; i++) {
        const double t = (double)i / CURVE_STEPS, u = 1.0 - t;
        line[2] = u * u * a->x + 2.0 * u * t * bend->x + t * t * node->x;
        line[3] = u * u * a->y + 2.0 * u * t * bend->y + t * t * node->y;
        add_segment(c, style, line);
        line[0] = line[2], line[1] = line[3];
    }
}

static void add_shape(armilla_canvas *c, const armilla_drawing *d, const armilla_shape *shape)
{
    for (int64_t i = 0; i < shape->count; i++) {
        const armilla_node *node = &d->nodes[shape->first + i];
        if (node->step == ARMILLA_STEP_CURVE) add_curve(c, &shape->style, node);
        if (node->step != ARMILLA_STEP_LINE) continue;
        const double line[4] = {node[-1].x, node[-1].y, node->x, node->y};
        add_segment(c, &shape->style, line);
    }
}

static unsigned char blend(unsigned char under, unsigned char ink, double cover)
{
    return (unsigned char)lrint(under + cover * (ink - under));
}

/* Gives the band the shape's colour, and the cover its zeros back. */
static void lay(armilla_canvas *c, const armilla_shape *shape)
{
    const armilla_style *s = &shape->style;
    const double margin = 0.5 * s->width + 2.0, top = (double)c->top;
    const double faint = s->width > 0.0 ? fmin(s->width / THINNEST, 1.0) : 1.0;
    const int64_t left = clip(floor(shape->left - margin), 0, c->width);
    const int64_t right = clip(ceil(shape->right + margin), 0, c->width);
    const int64_t first = clip(floor(shape->top - margin - top), 0, c->rows);
    const int64_t last = clip(ceil(shape->bottom + margin - top), 0, c->rows);
    for (int64_t j = first; j < last; j++) {
        float *row = cover_row(c, j), sum = 0.0f;
        armilla_rgb *pixels = c->pixels + j * c->width;
        for (int64_t i = left; i < right; i++) {
            sum = s->width > 0.0 ? row[i] : sum + row[i];
            const double cover = fmin(fabs((double)sum), 1.0) * s->alpha * faint;
            if (cover <= 1e-4) continue;
            pixels[i].r = blend(pixels[i].r, s->color.r, cover);
            pixels[i].g = blend(pixels[i].g, s->color.g, cover);
            pixels[i].b = blend(pixels[i].b, s->color.b, cover);
        }
        memset(row + left, 0, (size_t)(right + 2 - left) * sizeof *row);
    }
}

void armilla_canvas_paint(armilla_canvas *c, const armilla_drawing *d)
{
    for (int64_t i = 0; i < d->nshapes; i++) {
        const armilla_shape *shape = &d->shapes[i];
        const double margin = 0.5 * shape->style.width + 2.0;
        if (shape->bottom + margin < (double)c->top) continue;
        if (shape->top - margin > (double)(c->top + c->rows)) continue;
        add_shape(c, d, shape);
        lay(c, shape);
    }
}

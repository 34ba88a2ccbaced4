/* Collects the shapes of a drawing in two arrays that grow, and cuts lines at the edges of a box
 * (Liang and Barsky 1984, ACM Trans. Graphics 3, 1) and into dashes. */
#include "picture/drawing.h"

#include "base/memory.h"
#include <math.h>
#include <string.h>

enum { FIRST_ROOM = 256, ELLIPSE_STEPS = 256 };

void armilla_drawing_clear(armilla_drawing *d)
{
    armilla_release(d->nodes);
    armilla_release(d->shapes);
    memset(d, 0, sizeof *d);
}

/* Makes room for one more. */
static void grow(armilla_drawing *d, void *array, int64_t count, int64_t *most, size_t size)
{
    void *larger, *old;
    if (d->status || count < *most) return;
    const int64_t room = *most ? 2 * *most : FIRST_ROOM;
    d->status = armilla_allocate(&larger, room, size);
    if (d->status) return;
    memcpy(&old, array, sizeof old);
    if (count) memcpy(larger, old, (size_t)count * size);
    armilla_release(old);
    memcpy(array, &larger, sizeof larger);
    *most = room;
}

void armilla_drawing_begin(armilla_drawing *d, armilla_style style)
{
    grow(d, &d->shapes, d->nshapes, &d->most_shapes, sizeof *d->shapes);
    if (d->status) return;
    d->shapes[d->nshapes++] =
        (armilla_shape){style, d->nnodes, 0, INFINITY, INFINITY, -INFINITY, -INFINITY};
}

static void add(armilla_drawing *d, double x, double y, armilla_step step)
{
    grow(d, &d->nodes, d->nnodes, &d->most_nodes, sizeof *d->nodes);
    if (d->status || d->nshapes == 0) return;
    armilla_shape *shape = &d->shapes[d->nshapes - 1];
    d->nodes[d->nnodes++] = (armilla_node){x, y, step};
    shape->count++;
    shape->left = fmin(shape->left, x), shape->right = fmax(shape->right, x);
    shape->top = fmin(shape->top, y), shape->bottom = fmax(shape->bottom, y);
}

void armilla_drawing_move(armilla_drawing *d, double x, double y)
{
    add(d, x, y, ARMILLA_STEP_MOVE);
}

void armilla_drawing_line(armilla_drawing *d, double x, double y)
{
    add(d, x, y, ARMILLA_STEP_LINE);
}

void armilla_drawing_curve(armilla_drawing *d, double bend_x, double bend_y, double x, double y)
{
    add(d, bend_x, bend_y, ARMILLA_STEP_BEND);
    add(d, x, y, ARMILLA_STEP_CURVE);
}

/* --- Whole shapes ----------------------------------------------------------------------------- */

void armilla_drawing_segment(armilla_drawing *d, armilla_style style, double x0, double y0,
                             double x1, double y1)
{
    armilla_drawing_begin(d, style);
    armilla_drawing_move(d, x0, y0);
    armilla_drawing_line(d, x1, y1);
}

void armilla_drawing_rectangle(armilla_drawing *d, armilla_style style, double left, double top,
                               double right, double bottom)
{
    armilla_drawing_begin(d, style);
    armilla_drawing_move(d, left, top);
    armilla_drawing_line(d, right, top);
    armilla_drawing_line(d, right, bottom);
    armilla_drawing_line(d, left, bottom);
    armilla_drawing_line(d, left, top);
}

void armilla_drawing_ellipse(armilla_drawing *d, armilla_style style, double x, double y,
                             double radius_x, double radius_y)
{
    armilla_drawing_begin(d, style);
    armilla_drawing_move(d, x + radius_x, y);
    for (int i = 1; i <= ELLIPSE_STEPS; i++) {
        const double angle = 2.0 * M_PI * i / ELLIPSE_STEPS;
        armilla_drawing_line(d, x + radius_x * cos(angle), y + radius_y * sin(angle));
    }
}

/* --- Lines that are cut ----------------------------------------------------------------------- */

void armilla_track_start(armilla_track *t, armilla_drawing *drawing, armilla_style style)
{
    t->drawing = drawing;
    t->x = t->y = t->end_x = t->end_y = NAN;
    t->run = 0.0;
    armilla_drawing_begin(drawing, style);
}

/* Narrows the part first .. last of a line to where `at + part * step <= limit`. */
static void narrow(double at, double step, double limit, double *first, double *last)
{
    const double part = (limit - at) / step;
    if (step > 0.0)
        *last = fmin(*last, part);
    else if (step < 0.0)
        *first = fmax(*first, part);
    else if (at > limit)
        *last = -1.0;
}

static void piece(armilla_track *t, double x0, double y0, double x1, double y1)
{
    if (!(x0 == t->end_x && y0 == t->end_y)) armilla_drawing_move(t->drawing, x0, y0);
    armilla_drawing_line(t->drawing, x1, y1);
    t->end_x = x1, t->end_y = y1;
}

/* A piece within the box, in dashes. */
static void dashes(armilla_track *t, double x0, double y0, double x1, double y1)
{
    const double length = hypot(x1 - x0, y1 - y0);
    if (t->dash <= 0.0 || length <= 0.0) {
        piece(t, x0, y0, x1, y1);
        return;
    }
    for (double from = 0.0; from < length;) {
        const double phase = fmod(t->run, 2.0 * t->dash);
        const double rest = (phase < t->dash ? t->dash : 2.0 * t->dash) - phase;
        const double to = fmin(from + fmax(rest, 1e-6 * t->dash), length);
        const double a = from / length, b = to / length;
        if (phase < t->dash)
            piece(t, x0 + a * (x1 - x0), y0 + a * (y1 - y0), x0 + b * (x1 - x0),
                  y0 + b * (y1 - y0));
        t->run += to - from, from = to;
    }
}

void armilla_track_to(armilla_track *t, double x, double y)
{
    const double x0 = t->x, y0 = t->y, dx = x - x0, dy = y - y0;
    t->x = x, t->y = y;
    if (isnan(dx + dy)) return;
    double first = 0.0, last = 1.0;
    narrow(x0, dx, t->box[2], &first, &last);
    narrow(-x0, -dx, -t->box[0], &first, &last);
    narrow(y0, dy, t->box[3], &first, &last);
    narrow(-y0, -dy, -t->box[1], &first, &last);
    if (first < last) dashes(t, x0 + first * dx, y0 + first * dy, x0 + last * dx, y0 + last * dy);
}

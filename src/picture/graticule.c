/* Draws parallels and meridians, and writes their degrees next to them: outside of the panel where
 * a line reaches its edge, else on the line. A number that would lie on another is left out. */
#include "picture/graticule.h"

#include "picture/font.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SAMPLES = 1441, MOST_BOXES = 160, LABEL_SIZE = 24 };

static const double DEGREE = M_PI / 180.0;
static const armilla_rgb LINE_INK = {40, 40, 40}, TEXT_INK = {40, 40, 40}, LIGHT = {255, 255, 255};

typedef struct box {
    double left, top, right, bottom;
} box;

typedef struct graticule {
    armilla_drawing *drawing;
    const armilla_sky_layout *layout;
    const armilla_panel *panel;
    double latitude, reach; /* degrees: of the middle, and as far as the panel shows */
    double longitude, longitude_reach;
    double step, longitude_step;
    box boxes[MOST_BOXES]; /* numbers that are written */
    int nboxes;
} graticule;

/* A line as it stands in the picture, and where its number could be. */
typedef struct line {
    int is_parallel;
    double degrees;
    double x[SAMPLES], y[SAMPLES]; /* NaN: not in the panel */
    double along[SAMPLES];         /* the other coordinate, degrees */
} line;

/* --- Which lines ------------------------------------------------------------------------------ */

static double nice_step(double most)
{
    static const double STEPS[] = {30.0, 15.0, 10.0, 5.0,  2.0,  1.0,  0.5,
                                   0.2,  0.1,  0.05, 0.02, 0.01, 0.005};
    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0]; i++)
        if (STEPS[i] <= most) return STEPS[i];
    return 0.002;
}

/* What part of the sphere the panel may show, as ranges of latitude and longitude. */
static void survey(graticule *g, double field)
{
    const armilla_unit_vector middle =
        armilla_turn_back(g->panel->turn, (armilla_unit_vector){1.0, 0.0, 0.0});
    const int is_square = g->panel->projection == ARMILLA_PROJECTION_GNOMONIC;
    const double reach = 0.5 * field * (is_square ? M_SQRT2 : 1.0) / DEGREE;
    g->latitude = atan2(middle.z, hypot(middle.x, middle.y)) / DEGREE;
    g->longitude = atan2(middle.y, middle.x) / DEGREE;
    g->reach = reach, g->longitude_reach = 180.0;
    g->step = nice_step(0.25 * field / DEGREE);
    g->longitude_step = g->step;
    const double cosine = cos(fmin(fabs(g->latitude), 90.0) * DEGREE);
    if (fabs(g->latitude) + reach < 89.0)
        g->longitude_reach = asin(fmin(sin(reach * DEGREE) / cosine, 1.0)) / DEGREE;
    if (cosine < 1.0)
        g->longitude_step = nice_step(fmin(g->step / fmax(cosine, 1e-3) * 1.001, 30.0));
}

static void sample(const graticule *g, line *l)
{
    double first = g->longitude - g->longitude_reach, last = g->longitude + g->longitude_reach;
    if (!l->is_parallel)
        first = fmax(g->latitude - g->reach, -90.0), last = fmin(g->latitude + g->reach, 90.0);
    for (int i = 0; i < SAMPLES; i++) {
        const double at = first + (last - first) * i / (SAMPLES - 1);
        const double lat = (l->is_parallel ? l->degrees : at) * DEGREE;
        const double lon = (l->is_parallel ? at : l->degrees) * DEGREE;
        const armilla_unit_vector v = {cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)};
        const armilla_point p = armilla_panel_place(g->panel, armilla_turn(g->panel->turn, v));
        l->x[i] = p.x, l->y[i] = p.y, l->along[i] = at;
    }
}

static void draw_line(const graticule *g, const line *l, armilla_style style)
{
    const armilla_panel *p = g->panel;
    const double width = p->scale * p->half_x, height = p->scale * p->half_y;
    armilla_track track = {.box = {p->center_x - width, p->center_y - height, p->center_x + width,
                                   p->center_y + height}};
    armilla_track_start(&track, g->drawing, style);
    for (int i = 0; i < SAMPLES; i++) {
        const int is_jump = hypot(l->x[i] - track.x, l->y[i] - track.y) > 0.5 * width;
        if (is_jump) armilla_track_to(&track, NAN, NAN);
        armilla_track_to(&track, l->x[i], l->y[i]);
    }
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static int is_free(const graticule *g, box b)
{
    const double w = (double)g->layout->width;
    if (b.left < 1.0 || b.right > w - 1.0 || g->nboxes == MOST_BOXES) return 0;
    for (int i = 0; i < g->nboxes; i++) {
        const box *o = &g->boxes[i];
        if (b.left < o->right && b.right > o->left && b.top < o->bottom && b.bottom > o->top)
            return 0;
    }
    return 1;
}

/* at: part of the text left of x; y: its middle. */
static void write_number(graticule *g, const char *text, double x, double y, double at, double halo)
{
    const double size = 0.85 * g->layout->label_size, length = size * armilla_font_width(text);
    const double gap = 0.25 * size, left = x - at * length;
    const box b = {left - gap, y - 0.5 * size, left + length + gap, y + 0.5 * size};
    if (!is_free(g, b)) return;
    g->boxes[g->nboxes++] = b;
    armilla_font_draw(g->drawing, &(armilla_label){.text = text,
                                                   .x = x,
                                                   .y = y + 0.5 * ARMILLA_FONT_CAPITAL * size,
                                                   .size = size,
                                                   .at = at,
                                                   .color = TEXT_INK,
                                                   .halo = halo});
}

static int is_rectangle(const armilla_panel *p)
{
    return p->projection == ARMILLA_PROJECTION_GNOMONIC ||
           p->projection == ARMILLA_PROJECTION_EQUIRECTANGULAR;
}

/* How near to the edge a point of the panel is: 1 on it. */
static double nearness(const armilla_panel *p, double x, double y)
{
    const double u = (x - p->center_x) / (p->scale * p->half_x);
    const double v = (y - p->center_y) / (p->scale * p->half_y);
    if (is_rectangle(p)) return fmax(fabs(u), fabs(v));
    return hypot(u, v);
}

/* Does this number belong outside at this point, which is on the edge? Parallels have theirs on the
 * left, and on panels with corners meridians below; never where meridians meet. */
static int suits_edge(const graticule *g, const line *l, int i)
{
    const armilla_panel *p = g->panel;
    if (nearness(p, l->x[i], l->y[i]) < 0.997) return 0;
    if (is_rectangle(p) && l->is_parallel)
        return (p->center_x - l->x[i]) / (p->scale * p->half_x) > 0.997;
    if (is_rectangle(p)) return (l->y[i] - p->center_y) / (p->scale * p->half_y) > 0.997;
    return l->is_parallel ? l->x[i] < p->center_x : fabs(l->along[i]) < 75.0;
}

/* Is the line a part of the edge itself? Then it needs no number. */
static int runs_along_edge(const graticule *g, const line *l)
{
    int near = 0, all = 0;
    for (int i = 0; i < SAMPLES; i++) {
        if (isnan(l->x[i])) continue;
        all++;
        near += nearness(g->panel, l->x[i], l->y[i]) > 0.99;
    }
    return !is_rectangle(g->panel) && 2 * near > all;
}

/* The point of the edge that suits best: the leftmost of a parallel, the lowest of a meridian. */
static int edge_point(const graticule *g, const line *l)
{
    int best = -1;
    for (int i = 0; i < SAMPLES; i++) {
        if (isnan(l->x[i]) || !suits_edge(g, l, i)) continue;
        if (best < 0 || (l->is_parallel ? l->x[i] < l->x[best] : l->y[i] > l->y[best])) best = i;
    }
    return best;
}

static void number_outside(graticule *g, const line *l, const char *text, int i)
{
    const armilla_panel *p = g->panel;
    const double em = 0.85 * g->layout->label_size;
    double dx = (l->x[i] - p->center_x) / p->half_x, dy = (l->y[i] - p->center_y) / p->half_y;
    if (is_rectangle(p)) dx = l->is_parallel ? -1.0 : 0.0, dy = l->is_parallel ? 0.0 : 1.0;
    dx /= p->half_x, dy /= p->half_y; /* the normal of an ellipse */
    const double length = fmax(hypot(dx, dy), 1e-300);
    dx /= length, dy /= length;
    write_number(g, text, l->x[i] + 0.5 * em * dx, l->y[i] + 0.75 * em * dy, 0.5 * (1.0 - dx), 0.0);
}

/* On the line: at the latitude next to the equator, or on the lowest point of a parallel. */
static void number_inside(graticule *g, const line *l, const char *text)
{
    const double em = 0.85 * g->layout->label_size;
    int best = -1;
    for (int i = 0; i < SAMPLES; i++) {
        if (isnan(l->x[i]) || nearness(g->panel, l->x[i], l->y[i]) > 0.93) continue;
        if (best < 0 ||
            (l->is_parallel ? l->y[i] > l->y[best] : fabs(l->along[i]) < fabs(l->along[best])))
            best = i;
    }
    if (best < 0 || (!l->is_parallel && fabs(l->along[best]) > 75.0)) return;
    write_number(g, text, l->x[best] + 0.3 * em, l->y[best] - 0.65 * em, 0.0, 0.36 * em);
}

/* Degrees with as many decimals as the step has, a true minus sign and a point. */
static void write_degrees(double degrees, double step, char text[LABEL_SIZE])
{
    int decimals = 0;
    for (double s = step; s < 0.999 && decimals < 4; s *= 10.0) decimals++;
    snprintf(text, LABEL_SIZE, "%s%.*f\u00B0", degrees < -1e-9 ? "\u2212" : "", decimals,
             fabs(degrees));
    char *comma = strchr(text, ',');
    if (comma) *comma = '.';
}

static void put_number(graticule *g, const line *l)
{
    char text[LABEL_SIZE];
    double shown = l->degrees;
    if (runs_along_edge(g, l)) return;
    if (!l->is_parallel) {
        shown = fmod(l->degrees + 720.0, 360.0);
        if (g->panel->east > 0.0 && shown > 180.0 + 1e-9) shown -= 360.0;
    }
    write_degrees(shown, l->is_parallel ? g->step : g->longitude_step, text);
    const int edge = edge_point(g, l);
    if (edge >= 0)
        number_outside(g, l, text, edge);
    else if (l->is_parallel || !is_rectangle(g->panel))
        number_inside(g, l, text);
}

/* --- All -------------------------------------------------------------------------------------- */

static void draw_lines(graticule *g, line *l, int with_numbers)
{
    const double step = l->is_parallel ? g->step : g->longitude_step;
    const double middle = l->is_parallel ? g->latitude : g->longitude;
    const double reach = l->is_parallel ? g->reach : g->longitude_reach;
    double first = ceil((middle - reach) / step - 1e-9),
           last = floor((middle + reach) / step + 1e-9);
    if (!l->is_parallel) last = fmin(last, first + rint(360.0 / step) - 1.0);
    for (double i = first; i <= last; i++) {
        l->degrees = i * step;
        if (l->is_parallel && fabs(l->degrees) > 89.999) continue;
        sample(g, l);
        if (with_numbers) {
            put_number(g, l);
            continue;
        } /* dark on light: seen on all colours */
        draw_line(g, l, (armilla_style){LIGHT, 0.4, 2.0 * g->layout->outline});
        draw_line(g, l, (armilla_style){LINE_INK, 0.7, 0.8 * g->layout->outline});
    }
}

void armilla_graticule_draw(armilla_drawing *drawing, const armilla_sky_layout *layout,
                            double field)
{
    graticule g = {.drawing = drawing, .layout = layout};
    line l;
    for (int pass = 0; pass < 4; pass++) /* lines of both kinds, then numbers over them */
        for (int i = 0; i < layout->npanels; i++) {
            g.panel = &layout->panels[i];
            survey(&g, field);
            l.is_parallel = pass % 2 == 0;
            draw_lines(&g, &l, pass > 1);
        }
}

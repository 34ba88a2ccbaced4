/* Draws anti-aliased lines on a band of rows of a picture. The coverage of a pixel by a stroke is
 * radius + 1/2 - distance of its centre from the segment, clipped to 0 .. 1: exact for straight
 * edges along the axes, and close elsewhere. */
#include "io/picture_canvas.h"

#include <math.h>

typedef struct {
    double x, y, dx, dy, length2;
} segment;

static double distance(const segment *line, double x, double y)
{
    double px = x - line->x, py = y - line->y;
    double along = line->length2 > 0.0 ? (px * line->dx + py * line->dy) / line->length2 : 0.0;
    along = fmin(fmax(along, 0.0), 1.0);
    return hypot(px - along * line->dx, py - along * line->dy);
}

static void darken(armilla_rgb *pixel, double coverage, int level)
{
    unsigned char value = (unsigned char)lrint(255.0 - fmin(coverage, 1.0) * (255 - level));
    if (value < pixel->r) pixel->r = value;
    if (value < pixel->g) pixel->g = value;
    if (value < pixel->b) pixel->b = value;
}

static int64_t clip(double value, int64_t low, int64_t high)
{
    if (value <= (double)low) return low;
    return value >= (double)high ? high : (int64_t)value;
}

void armilla_canvas_stroke(armilla_canvas *canvas, double x0, double y0, double x1, double y1,
                           double radius, int level)
{
    segment line = {x0, y0, x1 - x0, y1 - y0, 0.0};
    line.length2 = line.dx * line.dx + line.dy * line.dy;
    int64_t bottom = canvas->top + canvas->rows;
    double reach = radius + 1.0;
    int64_t left = clip(floor(fmin(x0, x1) - reach), 0, canvas->width);
    int64_t right = clip(ceil(fmax(x0, x1) + reach), 0, canvas->width);
    int64_t first = clip(floor(fmin(y0, y1) - reach), canvas->top, bottom);
    int64_t last = clip(ceil(fmax(y0, y1) + reach), canvas->top, bottom);
    for (int64_t y = first; y < last; y++) {
        armilla_rgb *row = canvas->pixels + (y - canvas->top) * canvas->width;
        for (int64_t x = left; x < right; x++) {
            double coverage = radius + 0.5 - distance(&line, (double)x + 0.5, (double)y + 0.5);
            if (coverage > 0.0) darken(&row[x], coverage, level);
        }
    }
}

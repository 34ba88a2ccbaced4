/* Computes from a picture's width where its title, ellipse, colour bar and labels are, and how high
 * it must be. All lengths grow with the width, but text stays readable in small pictures. */
#include "io/picture.h"

#include <math.h>

static const double TITLE_SMALLEST = 8.0, LABEL_SMALLEST = 6.5; /* pixels */

void armilla_picture_layout_make(int64_t width, int has_title, int has_unit,
                                 armilla_picture_layout *layout)
{
    armilla_picture_layout l = {.width = width};
    double w = (double)width, y = floor(0.025 * w);
    l.margin = floor(0.025 * w);
    l.outline = fmax(1.0, 0.0012 * w);
    l.title_size = fmax(TITLE_SMALLEST, 0.0165 * w);
    l.label_size = fmax(LABEL_SMALLEST, 0.0115 * w);
    if (has_title) y += l.title_size, l.title_base = y, y += floor(1.3 * l.title_size);
    l.semi_x = 0.5 * w - l.margin, l.semi_y = 0.5 * l.semi_x;
    l.center_x = 0.5 * w, l.center_y = y + l.semi_y;
    y = ceil(y + 2.0 * l.semi_y + 0.03 * w);
    l.bar_width = llrint(0.55 * w), l.bar_left = (width - l.bar_width) / 2;
    l.bar_top = (int64_t)y, l.bar_height = llrint(fmax(6.0, 0.016 * w));
    l.tick = 0.4 * l.label_size;
    y += (double)l.bar_height + l.tick + 1.6 * l.label_size;
    l.label_base = y;
    if (has_unit) y += 1.9 * l.label_size, l.unit_base = y;
    l.height = (int64_t)ceil(y + fmax(0.02 * w, 0.6 * l.label_size));
    *layout = l;
}

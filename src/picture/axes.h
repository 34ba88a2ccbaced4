/* The frame of a plot: which numbers its axes span, and where they stand in the picture. */
#ifndef ARMILLA_PICTURE_AXES_H
#define ARMILLA_PICTURE_AXES_H

#include "picture/drawing.h"
#include "picture/ticks.h"

typedef struct armilla_axis {
    double first, last; /* first < last; both positive on a logarithmic axis */
    int is_log;
    double from, to; /* pixels of the two ends */
    armilla_ticks ticks;
} armilla_axis;

typedef struct armilla_axes {
    int64_t width, height;
    armilla_axis x, y;
    double line;       /* width of the frame's lines */
    double label_size; /* em */
    double title_size, title_base;
} armilla_axes;

/* Where the frame is, and its ticks.
 * Given:    width; first, last, is_log of both axes. */
void armilla_axes_place(armilla_axes *axes, int64_t width, int has_title);

/* The pixel of a number; beyond the ends, too. Not for numbers <= 0 on a logarithmic axis. */
double armilla_axis_place(const armilla_axis *axis, double value);

/* The lines behind the curves; frame, ticks and numbers over them. */
void armilla_axes_draw_grid(armilla_drawing *drawing, const armilla_axes *axes);
void armilla_axes_draw_frame(armilla_drawing *drawing, const armilla_axes *axes);

#endif

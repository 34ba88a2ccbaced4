/* A band of rows of a picture, and ink on it. x grows to the right, y downwards, in pixels; pixel
 * (i, j) covers i .. i + 1, j .. j + 1. Pictures are made band by band, so that their size is not
 * bounded by memory; everything drawn is clipped to the band. */
#ifndef ARMILLA_IO_PICTURE_CANVAS_H
#define ARMILLA_IO_PICTURE_CANVAS_H

#include "io/colormap.h"
#include <stdint.h>

typedef struct armilla_canvas {
    armilla_rgb *pixels; /* rows * width */
    int64_t width;
    int64_t top, rows; /* first row of the band in the picture, and their number */
} armilla_canvas;

/* A line from (x0, y0) to (x1, y1) with round ends, anti-aliased. Ink only darkens: where strokes
 * overlap, they join without a seam.
 * Given:    radius  half the line's width, pixels;  level  0 (black) .. 255 (no ink). */
void armilla_canvas_stroke(armilla_canvas *canvas, double x0, double y0, double x1, double y1,
                           double radius, int level);

#endif

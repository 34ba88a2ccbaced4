/* A band of rows of a picture, and shapes on it. Pixel (i, j) covers i .. i + 1, j .. j + 1.
 * Pictures are made band by band, so that their size is not bounded by memory; everything drawn is
 * clipped to the band. */
#ifndef ARMILLA_PICTURE_CANVAS_H
#define ARMILLA_PICTURE_CANVAS_H

#include "picture/drawing.h"

typedef struct armilla_canvas {
    armilla_rgb *pixels; /* rows * width */
    int64_t width;
    int64_t top, rows; /* first row of the band in the picture, and their number */
    float *cover;      /* most rows * (width + 2), zeros between shapes */
} armilla_canvas;

/* Given: width, pixels and cover NULL. Errors: MEMORY. */
armilla_status armilla_canvas_allocate(armilla_canvas *canvas, int64_t most_rows);
void armilla_canvas_release(armilla_canvas *canvas);

/* Paints the shapes that reach into the band, anti-aliased. */
void armilla_canvas_paint(armilla_canvas *canvas, const armilla_drawing *drawing);

#endif

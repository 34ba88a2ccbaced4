/* Picture files: a layer of pixels, if there is one, and a drawing over it, as PNG or SVG. */
#ifndef ARMILLA_PICTURE_OUTPUT_H
#define ARMILLA_PICTURE_OUTPUT_H

#include "picture/drawing.h"
#include <stdio.h>

/* An image within the picture; its rows are painted by several threads. */
typedef struct armilla_layer {
    int64_t top, bottom; /* rows of the picture that it has, as wide as the picture */
    /* Paints row y; the row is white before. */
    void (*paint)(const void *context, int64_t y, armilla_rgb *row);
    const void *context;
} armilla_layer;

/* Given:    path  SVG if it ends in ".svg", else PNG;  layer  or NULL;  nthreads  0: all.
 * Errors:   IO, MEMORY, and what the drawing's status says. */
armilla_status armilla_output_write(const char *path, const armilla_drawing *drawing,
                                    const armilla_layer *layer, int nthreads, int overwrite);

/* The same, to a file that is open: an SVG (in svg_writer.c). */
armilla_status armilla_svg_write(FILE *file, const armilla_drawing *drawing,
                                 const armilla_layer *layer, int nthreads);

/* Rows first .. first + rows - 1 of the layer: white where it has none. */
void armilla_layer_paint(const armilla_layer *layer, int nthreads, int64_t width, int64_t first,
                         int64_t rows, armilla_rgb *pixels);

#endif

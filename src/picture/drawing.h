/* What is drawn over a picture: a list of shapes made of lines and quadratic curves, in pixels with
 * y downwards. Canvases paint it in pixels, SVG files hold it as it is. A drawing whose memory ran
 * out takes nothing more, and says so in its status. */
#ifndef ARMILLA_PICTURE_DRAWING_H
#define ARMILLA_PICTURE_DRAWING_H

#include "base/status.h"
#include "picture/palette.h"

typedef struct armilla_style {
    armilla_rgb color;
    double alpha; /* 0 clear .. 1 opaque */
    double width; /* of a line; 0: the shape is filled */
} armilla_style;

typedef enum armilla_step {
    ARMILLA_STEP_MOVE,
    ARMILLA_STEP_LINE,
    ARMILLA_STEP_BEND, /* the control point of the curve that ends at the next node */
    ARMILLA_STEP_CURVE
} armilla_step;

typedef struct armilla_node {
    double x, y;
    armilla_step step;
} armilla_node;

typedef struct armilla_shape {
    armilla_style style;
    int64_t first, count;            /* of its nodes */
    double left, top, right, bottom; /* around all nodes, without the width of lines */
} armilla_shape;

typedef struct armilla_drawing {
    int64_t width, height; /* of the picture */
    armilla_node *nodes;
    armilla_shape *shapes;
    int64_t nnodes, most_nodes, nshapes, most_shapes;
    armilla_status status;
} armilla_drawing;

/* A drawing of zeros is empty. */
void armilla_drawing_clear(armilla_drawing *drawing);

/* Begins a shape; nodes follow, which belong to it. */
void armilla_drawing_begin(armilla_drawing *drawing, armilla_style style);
void armilla_drawing_move(armilla_drawing *drawing, double x, double y);
void armilla_drawing_line(armilla_drawing *drawing, double x, double y);
void armilla_drawing_curve(armilla_drawing *drawing, double bend_x, double bend_y, double x,
                           double y);

/* Whole shapes. */
void armilla_drawing_segment(armilla_drawing *drawing, armilla_style style, double x0, double y0,
                             double x1, double y1);
void armilla_drawing_rectangle(armilla_drawing *drawing, armilla_style style, double left,
                               double top, double right, double bottom);
void armilla_drawing_ellipse(armilla_drawing *drawing, armilla_style style, double x, double y,
                             double radius_x, double radius_y);

/* A line through points that comes in pieces: what lies outside of the box is cut away.
 * Given:    box  left, top, right, bottom;  dash  0: a whole line; else the length of dashes and
 *           of gaps;  *run  how far along the dashes the line is, 0 at its start. */
typedef struct armilla_track {
    armilla_drawing *drawing;
    double box[4];
    double dash, run;
    double x, y; /* NaN: the next point begins a piece */
    double end_x, end_y;
} armilla_track;
void armilla_track_start(armilla_track *track, armilla_drawing *drawing, armilla_style style);
void armilla_track_to(armilla_track *track, double x, double y); /* NaN: a gap */

#endif

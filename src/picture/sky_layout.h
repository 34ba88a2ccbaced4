/* Where the parts of a map's picture are, in pixels with y downwards, and which direction of the
 * sky a pixel shows. Internal: shared with the tests. */
#ifndef ARMILLA_PICTURE_SKY_LAYOUT_H
#define ARMILLA_PICTURE_SKY_LAYOUT_H

#include "picture/projection.h"

/* One image of the sky; there are two where both sides of it are shown. */
typedef struct armilla_panel {
    armilla_projection projection;
    double center_x, center_y;
    double scale;          /* pixels in a unit of the plane */
    double half_x, half_y; /* half of its width and height in the plane */
    double east;           /* -1: to the left, 1: to the right */
    double turn[9];        /* from directions of the picture's system to those of the plane */
    double whole[9];       /* likewise from those of the map's system */
} armilla_panel;

typedef struct armilla_sky_layout {
    int64_t width, height;
    int npanels;
    armilla_panel panels[2];
    double outline; /* width of lines */
    double margin;  /* left and right, no text beyond */
    double bar_left, bar_top, bar_width, bar_height;
    double tick;                              /* length of a tick mark */
    double title_size, label_size;            /* of the em */
    double title_base, label_base, unit_base; /* base lines */
} armilla_sky_layout;

/* Given:    options  complete.
 * Errors:   ARGUMENT (names the option). */
armilla_status armilla_sky_layout_make(const armilla_picture_options *options,
                                       armilla_sky_layout *layout);

/* The pixel where a direction of the plane's system stands; NaN: it is not in the panel. */
armilla_point armilla_panel_place(const armilla_panel *panel, armilla_unit_vector v);

/* The direction of the plane's system at a pixel; NaN: outside of the panel. */
armilla_unit_vector armilla_panel_look(const armilla_panel *panel, double x, double y);

/* matrix v, and its transpose v. */
armilla_unit_vector armilla_turn(const double matrix[9], armilla_unit_vector v);
armilla_unit_vector armilla_turn_back(const double matrix[9], armilla_unit_vector v);

#endif

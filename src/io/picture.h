/* Where the parts of a picture are, in pixels, y downwards. Internal: shared with the tests. */
#ifndef ARMILLA_IO_PICTURE_H
#define ARMILLA_IO_PICTURE_H

#include <stdint.h>

typedef struct armilla_picture_layout {
    int64_t width, height;
    double center_x, center_y, semi_x, semi_y; /* the ellipse; semi_x = 2 semi_y */
    double outline;                            /* width of its line */
    int64_t bar_left, bar_top, bar_width, bar_height;
    double tick;                              /* length of a tick mark */
    double title_size, label_size;            /* heights of a capital */
    double title_base, label_base, unit_base; /* base lines */
    double margin;                            /* left and right, no text beyond */
} armilla_picture_layout;

/* Given: width >= 200;  has_title, has_unit  0: no room is left for it. */
void armilla_picture_layout_make(int64_t width, int has_title, int has_unit,
                                 armilla_picture_layout *layout);

#endif

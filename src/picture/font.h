/* Text as outlines of DejaVu Sans: ASCII, Latin-1, Greek, digits above and below the line, signs of
 * units and of mathematics. Sizes are those of the em. */
#ifndef ARMILLA_PICTURE_FONT_H
#define ARMILLA_PICTURE_FONT_H

#include "picture/drawing.h"

/* One character. Outline: letters m (move), l (line), q (curve: its bend, its end), each followed
 * by one or two pairs of whole numbers: steps from the point before, 1/1000 of the em, y upwards.
 */
typedef struct armilla_glyph {
    uint32_t character; /* 0 ends a table */
    int width;          /* from this origin to the next, 1/1000 of the em */
    const char *outline;
} armilla_glyph;

extern const armilla_glyph armilla_font_ascii[], armilla_font_latin[], armilla_font_greek[],
    armilla_font_signs[];

#define ARMILLA_FONT_CAPITAL 0.729 /* height of a capital letter, in units of the em */

/* Returned: where in a text the first character begins that has no glyph; NULL: all have. */
const char *armilla_font_first_unknown(const char *text);

/* Given:    text  UTF-8 (a byte that is not UTF-8 counts as one unknown character).
 * Returned: its width in units of the em. */
double armilla_font_width(const char *text);

/* A unit of a file as people write it: uK^2 becomes one with the micro sign and a 2 above the line.
 * What is too long is cut. */
enum { ARMILLA_FONT_UNIT_SIZE = 256 };
void armilla_font_unit(const char *unit, char text[ARMILLA_FONT_UNIT_SIZE]);

typedef struct armilla_label {
    const char *text;
    double x, y; /* where its base line is */
    double size; /* of the em, pixels */
    double at;   /* part of the text left of x: 0, 0.5 (centred) or 1 */
    double room; /* pixels: wider text is cut, with an ellipsis; 0: no limit */
    int upwards; /* the base line runs from below to above */
    armilla_rgb color;
    double halo; /* width of a white seam around the letters, pixels; 0: none */
} armilla_label;

void armilla_font_draw(armilla_drawing *drawing, const armilla_label *label);

#endif

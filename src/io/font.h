/* Text as strokes: printable ASCII, the Greek alphabet, digits above and below the line, signs of
 * units and of mathematics. Sizes are heights of a capital letter. */
#ifndef ARMILLA_IO_FONT_H
#define ARMILLA_IO_FONT_H

#include "io/picture_canvas.h"

/* One character: the width of its ink and its strokes, on a grid where capitals are 70 high. */
typedef struct armilla_glyph {
    int width;
    const char *strokes; /* see font_glyphs.c */
} armilla_glyph;

/* A glyph as it stands in a line: smaller, and above or below it. */
typedef struct armilla_placed_glyph {
    const armilla_glyph *glyph;
    double scale, shift; /* shift upwards, grid units */
} armilla_placed_glyph;

/* Returned: *placed  the character's glyph, that of blank for control characters; 0: there is none,
 *           and it is that of '?'. */
int armilla_font_place(uint32_t character, armilla_placed_glyph *placed);

/* Returned: where in a text the first character begins that has no glyph; NULL: all have. */
const char *armilla_font_first_unknown(const char *text);

/* Given:    text  UTF-8 (a byte that is not UTF-8 counts as one unknown character).
 * Returned: its width in units of the capital height. */
double armilla_font_width(const char *text);

/* Draws text with its left end at x and its base line at y.
 * Given:    height  of a capital, pixels;  room  the text is cut, with "..." at the end, where it
 *           would be wider than this many pixels;  level  0 (black) .. 255. */
void armilla_font_draw(armilla_canvas *canvas, const char *text, double x, double y, double height,
                       double room, int level);

#endif

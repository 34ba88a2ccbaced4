/* Text as strokes: printable ASCII and a few signs of units (micro, degree, squared, cubed, minus,
 * times). Sizes are heights of a capital letter. */
#ifndef ARMILLA_IO_FONT_H
#define ARMILLA_IO_FONT_H

#include "io/picture_canvas.h"

/* One character: the width of its ink and its strokes, on a grid where capitals are 70 high. */
typedef struct armilla_glyph {
    int width;
    const char *strokes; /* see font_glyphs.c */
} armilla_glyph;

/* Returned: the character's glyph; that of '?' if there is none, of blank for control characters.
 */
const armilla_glyph *armilla_font_glyph(uint32_t character);

/* Given:    text  UTF-8 (a byte that is not UTF-8 counts as one unknown character).
 * Returned: its width in units of the capital height. */
double armilla_font_width(const char *text);

/* Draws text with its left end at x and its base line at y.
 * Given:    height  of a capital, pixels;  room  the text is cut, with "..." at the end, where it
 *           would be wider than this many pixels;  level  0 (black) .. 255. */
void armilla_font_draw(armilla_canvas *canvas, const char *text, double x, double y, double height,
                       double room, int level);

#endif

/* Measures text in UTF-8 and draws it on a picture from the strokes in font_glyphs.c. Curves become
 * chains of short segments; every stroke is drawn with a round pen. */
#include "io/font.h"

#include <math.h>
#include <stdlib.h>

enum { CAPITAL = 70, GAP = 19, CURVE_STEP_DEGREES = 9 };

static const double PEN = 4.3;          /* radius of the pen, grid units */
static const double THINNEST_PEN = 0.5; /* pixels: thinner strokes look broken */
static const char ELLIPSIS[] = "...";

/* --- UTF-8 ------------------------------------------------------------------------------------ */

/* Length of the sequence that starts with this byte; 1 for bytes that start none. */
static int sequence_length(unsigned char lead)
{
    if (lead >= 0xC2 && lead <= 0xDF) return 2;
    if (lead >= 0xE0 && lead <= 0xEF) return 3;
    return lead >= 0xF0 && lead <= 0xF4 ? 4 : 1;
}

/* Next character; *text moves behind it. 0 at the end. */
static uint32_t next_character(const char **text)
{
    const unsigned char *bytes = (const unsigned char *)*text;
    int length = sequence_length(bytes[0]);
    uint32_t character = length == 1 ? bytes[0] : bytes[0] & (0x7Fu >> length);
    for (int i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            *text += 1;
            return 0xFFFD;
        }
        character = character << 6 | (bytes[i] & 0x3Fu);
    }
    *text += character ? length : 0;
    return length == 1 && character >= 0x80 ? 0xFFFD : character;
}

/* --- Width ------------------------------------------------------------------------------------ */

static double width_of(const armilla_placed_glyph *placed)
{
    return placed->scale * placed->glyph->width;
}

double armilla_font_width(const char *text)
{
    armilla_placed_glyph placed;
    double total = 0;
    for (uint32_t c = next_character(&text); c; c = next_character(&text)) {
        armilla_font_place(c, &placed);
        total += width_of(&placed) + GAP;
    }
    return total > 0 ? (total - GAP) / CAPITAL : 0.0;
}

const char *armilla_font_first_unknown(const char *text)
{
    armilla_placed_glyph placed;
    const char *at = text;
    for (uint32_t c = next_character(&text); c; at = text, c = next_character(&text))
        if (!armilla_font_place(c, &placed)) return at;
    return NULL;
}

/* --- Strokes ---------------------------------------------------------------------------------- */

typedef struct {
    armilla_canvas *canvas;
    double x, y, scale; /* the grid's origin and unit in the picture */
    double radius;
    int level;
    double at_x, at_y; /* where the pen stands, grid units */
} pen;

static void line_to(pen *p, double x, double y)
{
    armilla_canvas_stroke(p->canvas, p->x + p->scale * p->at_x, p->y - p->scale * p->at_y,
                          p->x + p->scale * x, p->y - p->scale * y, p->radius, p->level);
    p->at_x = x, p->at_y = y;
}

/* e: centre, radii, first and last angle, as in font_glyphs.c. */
static void arc(pen *p, const double e[6])
{
    int steps = (int)ceil(fabs(e[5] - e[4]) / CURVE_STEP_DEGREES);
    for (int i = 0; i <= steps; i++) {
        double angle = (e[4] + (e[5] - e[4]) * i / steps) * M_PI / 180.0;
        double x = e[0] + e[2] * cos(angle), y = e[1] + e[3] * sin(angle);
        if (i == 0)
            p->at_x = x, p->at_y = y;
        else
            line_to(p, x, y);
    }
}

static const char *read_numbers(const char *text, int count, double *numbers)
{
    for (int i = 0; i < count; i++) {
        char *end;
        numbers[i] = (double)strtol(text, &end, 10);
        text = end;
    }
    return text;
}

static void draw_glyph(pen *p, const armilla_glyph *glyph)
{
    double n[6];
    for (const char *s = glyph->strokes; *s;) {
        char command = *s++;
        if (command == 'M' || command == 'L') s = read_numbers(s, 2, n);
        if (command == 'M') p->at_x = n[0], p->at_y = n[1];
        if (command == 'L') line_to(p, n[0], n[1]);
        if (command == 'E') {
            s = read_numbers(s, 6, n);
            arc(p, n);
        }
    }
}

/* Draws the characters that end left of `limit` (picture's x); returns 0 when one did not fit. */
static int draw_characters(pen *p, const char *text, double limit)
{
    for (uint32_t c = next_character(&text); c; c = next_character(&text)) {
        armilla_placed_glyph placed;
        armilla_font_place(c, &placed);
        if (p->x + p->scale * width_of(&placed) > limit) return 0;
        pen own = *p;
        own.y -= p->scale * placed.shift;
        own.scale *= placed.scale;
        draw_glyph(&own, placed.glyph);
        p->x += p->scale * (width_of(&placed) + GAP);
    }
    return 1;
}

void armilla_font_draw(armilla_canvas *canvas, const char *text, double x, double y, double height,
                       double room, int level)
{
    double scale = height / CAPITAL, slack = 1e-6 * height;
    pen p = {canvas, x, y, scale, fmax(scale * PEN, THINNEST_PEN), level, 0.0, 0.0};
    if (armilla_font_width(text) * height <= room + slack) {
        draw_characters(&p, text, x + room + 2.0 * slack);
        return;
    }
    double dots = (armilla_font_width(ELLIPSIS) + (double)GAP / CAPITAL) * height;
    draw_characters(&p, text, x + room - dots);
    draw_characters(&p, ELLIPSIS, INFINITY);
}

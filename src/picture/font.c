/* Measures text in UTF-8 and adds the outlines of its letters to a drawing. */
#include "picture/font.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char ELLIPSIS[] = "\u2026";
static const armilla_rgb WHITE = {255, 255, 255};
enum { MISSING = '?', EM = 1000 };

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

/* --- Glyphs ----------------------------------------------------------------------------------- */

static const armilla_glyph *look_up(uint32_t character)
{
    static const armilla_glyph *const TABLES[] = {armilla_font_ascii, armilla_font_latin,
                                                  armilla_font_greek, armilla_font_signs};
    for (size_t i = 0; i < sizeof TABLES / sizeof TABLES[0]; i++)
        for (const armilla_glyph *glyph = TABLES[i]; glyph->character; glyph++)
            if (glyph->character == character) return glyph;
    return NULL;
}

/* Names of one thing: the micro sign is the letter mu, a space that does not break is a space. */
static uint32_t usual(uint32_t character)
{
    if (character < 0x20 || character == 0x7F || character == 0xA0 || character == 0x2009)
        return ' ';
    if (character == 0x2126) return 0x3A9;
    return character == 0x212B ? 0xC5 : character;
}

static const armilla_glyph *glyph_of(uint32_t character)
{
    const armilla_glyph *glyph = look_up(usual(character));
    return glyph ? glyph : look_up(MISSING);
}

double armilla_font_width(const char *text)
{
    int64_t total = 0;
    for (uint32_t c = next_character(&text); c; c = next_character(&text))
        total += glyph_of(c)->width;
    return (double)total / EM;
}

const char *armilla_font_first_unknown(const char *text)
{
    const char *at = text;
    for (uint32_t c = next_character(&text); c; at = text, c = next_character(&text))
        if (!look_up(usual(c))) return at;
    return NULL;
}

/* --- Drawing ---------------------------------------------------------------------------------- */

typedef struct pen {
    armilla_drawing *drawing;
    double origin_x, origin_y; /* of the glyph, pixels */
    double scale;              /* pixels in a unit */
    int upwards;
    int64_t x, y; /* where the pen is, units */
} pen;

static armilla_node place(const pen *p, int64_t x, int64_t y)
{
    const double along = p->scale * (double)x, above = p->scale * (double)y;
    if (p->upwards)
        return (armilla_node){p->origin_x - above, p->origin_y - along, ARMILLA_STEP_LINE};
    return (armilla_node){p->origin_x + along, p->origin_y - above, ARMILLA_STEP_LINE};
}

/* Moves the pen by the next pair of numbers. */
static armilla_node advance(pen *p, const char **text)
{
    char *end;
    p->x += strtol(*text, &end, 10);
    p->y += strtol(end, &end, 10);
    *text = end;
    return place(p, p->x, p->y);
}

static void draw_glyph(pen *p, const armilla_glyph *glyph)
{
    p->x = p->y = 0;
    for (const char *s = glyph->outline; *s;) {
        const char step = *s++;
        const armilla_node first = advance(p, &s);
        if (step == 'm') armilla_drawing_move(p->drawing, first.x, first.y);
        if (step == 'l') armilla_drawing_line(p->drawing, first.x, first.y);
        if (step != 'q') continue;
        const armilla_node last = advance(p, &s);
        armilla_drawing_curve(p->drawing, first.x, first.y, last.x, last.y);
    }
}

static void draw_character(pen *p, const armilla_glyph *glyph)
{
    draw_glyph(p, glyph);
    const armilla_node next = place(p, glyph->width, 0);
    p->origin_x = next.x, p->origin_y = next.y;
}

/* Draws as many characters as fit into `room` (pixels), and the ellipsis where some do not. */
static void draw_text(pen *p, const char *text, double room)
{
    const int fits = armilla_font_width(text) * EM * p->scale <= room * (1.0 + 1e-9);
    double left = fits ? INFINITY : room - armilla_font_width(ELLIPSIS) * EM * p->scale;
    for (uint32_t c = next_character(&text); c; c = next_character(&text)) {
        const armilla_glyph *glyph = glyph_of(c);
        left -= glyph->width * p->scale;
        if (left < 0.0) break;
        draw_character(p, glyph);
    }
    const char *dots = ELLIPSIS;
    if (!fits) draw_character(p, glyph_of(next_character(&dots)));
}

static void draw_as(armilla_drawing *d, const armilla_label *label, armilla_style style)
{
    const double room = label->room > 0.0 ? label->room : INFINITY;
    const double length = fmin(armilla_font_width(label->text) * label->size, room);
    pen p = {d, label->x, label->y, label->size / EM, label->upwards, 0, 0};
    if (label->upwards)
        p.origin_y += label->at * length;
    else
        p.origin_x -= label->at * length;
    armilla_drawing_begin(d, style);
    draw_text(&p, label->text, room);
}

void armilla_font_draw(armilla_drawing *d, const armilla_label *label)
{
    if (label->halo > 0.0) draw_as(d, label, (armilla_style){WHITE, 0.85, label->halo});
    draw_as(d, label, (armilla_style){label->color, 1.0, 0.0});
}

/* --- Units ------------------------------------------------------------------------------------ */

void armilla_font_unit(const char *unit, char text[ARMILLA_FONT_UNIT_SIZE])
{
    size_t used = 0;
    for (const char *at = unit; *at && used + 4 < ARMILLA_FONT_UNIT_SIZE; at++) {
        const char *sign = NULL;
        if (at[0] == 'u' && at[1] == 'K' && at == unit) sign = "\u00B5";
        if (at[0] == '^' && at[1] == '2') sign = "\u00B2", at++;
        if (sign) {
            memcpy(text + used, sign, 2);
            used += 2;
        } else {
            text[used++] = *at;
        }
    }
    text[used] = '\0';
}

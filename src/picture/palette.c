/* Fills the tables of colours in which pictures show values. viridis and magma are tables of 256
 * colours (palette_tables.c), Planck's has seven, between which it is linear. The diverging one,
 * from blue through white to red, is a formula in Oklab (B. Ottosson 2020), a space in which equal
 * distances look equal. With t from -1 (minimum) to 1 (maximum), u = |t|:
 *
 *   lightness  L = 0.96 - 0.60 u^1.1
 *              the same on both sides: neither end shouts
 *   chroma     C = peak sin(pi u^0.9 / 1.32)
 *              no jump at the centre, dark ends calmer
 *   hue        h = from + (to - from) u^0.6
 *              sky to navy (t < 0), amber to red (t > 0)
 *
 * so lightness falls strictly from the white centre to both ends: it also reads in grey. */
#include "picture/palette.h"

#include "base/status.h"
#include <math.h>
#include <stdint.h>

typedef struct {
    double peak, from, to; /* chroma, and hues in degrees next to the centre and at the end */
} side;

static const side COLD = {0.135, 225.0, 268.0};
static const side WARM = {0.175, 88.0, 25.0};

static unsigned char encode(double linear)
{
    double c = linear < 0.0 ? 0.0 : linear > 1.0 ? 1.0 : linear;
    c = c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1.0 / 2.4) - 0.055; /* IEC 61966-2-1 */
    return (unsigned char)lrint(255.0 * c);
}

static armilla_rgb from_oklab(double lightness, double a, double b)
{
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    armilla_rgb color = {encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                         encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                         encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
    return color;
}

static armilla_rgb diverging(double t)
{
    const side *half = t < 0.0 ? &COLD : &WARM;
    double u = fabs(t);
    double lightness = 0.96 - 0.60 * pow(u, 1.1);
    double chroma = half->peak * sin(M_PI * pow(u, 0.9) / 1.32);
    double hue = (half->from + (half->to - half->from) * pow(u, 0.6)) * M_PI / 180.0;
    return from_oklab(lightness, chroma * cos(hue), chroma * sin(hue));
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* Planck 2013 results, the map of the CMB: as HEALPix' planck_colors has it, after S. Colombi. */
static const armilla_rgb PLANCK[] = {{0, 0, 255},   {0, 112, 255}, {0, 221, 255}, {255, 237, 217},
                                     {255, 180, 0}, {255, 75, 0},  {100, 0, 0}};
enum { PLANCK_LAST = sizeof PLANCK / sizeof PLANCK[0] - 1, TABLE_LAST = 255 };

static unsigned char between(unsigned char a, unsigned char b, double part)
{
    return (unsigned char)lrint(a + part * (b - a));
}

static armilla_rgb mixed(armilla_rgb a, armilla_rgb b, double part)
{
    return (armilla_rgb){between(a.r, b.r, part), between(a.g, b.g, part), between(a.b, b.b, part)};
}

static int hex_digit(char letter)
{
    return letter <= '9' ? letter - '0' : letter - 'a' + 10;
}

static unsigned char hex_pair(const char *text)
{
    return (unsigned char)(16 * hex_digit(text[0]) + hex_digit(text[1]));
}

static armilla_rgb table_color(const char *table, int index)
{
    const char *text = table + 6 * (size_t)index;
    return (armilla_rgb){hex_pair(text), hex_pair(text + 2), hex_pair(text + 4)};
}

/* part: 0 to 1 */
static armilla_rgb from_table(const char *table, double part)
{
    const int i = (int)fmin(part * TABLE_LAST, TABLE_LAST - 1.0);
    return mixed(table_color(table, i), table_color(table, i + 1), part * TABLE_LAST - i);
}

static armilla_rgb planck(double part)
{
    const int i = (int)fmin(part * PLANCK_LAST, PLANCK_LAST - 1.0);
    return mixed(PLANCK[i], PLANCK[i + 1], part * PLANCK_LAST - i);
}

static armilla_rgb color_at(armilla_color_map map, double part)
{
    static const armilla_rgb DARK = {20, 20, 20}, LIGHT = {245, 245, 245};
    switch (map) {
    case ARMILLA_COLORS_PLANCK:
        return planck(part);
    case ARMILLA_COLORS_VIRIDIS:
        return from_table(armilla_palette_viridis, part);
    case ARMILLA_COLORS_MAGMA:
        return from_table(armilla_palette_magma, part);
    case ARMILLA_COLORS_GREY:
        return mixed(DARK, LIGHT, part);
    default:
        return diverging(2.0 * part - 1.0);
    }
}

void armilla_palette_fill(armilla_color_map map, armilla_rgb *table)
{
    for (int i = 0; i < ARMILLA_PALETTE_SIZE; i++)
        table[i] = color_at(map, (double)i / (ARMILLA_PALETTE_SIZE - 1));
}

int armilla_palette_index(double share)
{
    const int index = (int)(share * ARMILLA_PALETTE_SIZE);
    return index < ARMILLA_PALETTE_SIZE ? index : ARMILLA_PALETTE_SIZE - 1;
}

armilla_status armilla_picture_colors(armilla_color_map colors, int64_t n, unsigned char *rgb)
{
    const int64_t number = (int64_t)colors;
    if (number < 0 || number > ARMILLA_COLORS_GREY)
        return armilla_fail_argument("colors", number, "must be one of armilla_color_map");
    if (n < 2) return armilla_fail_argument("n", n, "must be 2 or more");
    armilla_status status = armilla_check_given("rgb", rgb);
    for (int64_t i = 0; i < n && !status; i++) {
        const armilla_rgb color = color_at(colors, (double)i / (double)(n - 1));
        rgb[3 * i] = color.r, rgb[3 * i + 1] = color.g, rgb[3 * i + 2] = color.b;
    }
    return status;
}

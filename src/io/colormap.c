/* Computes the table of colours, from blue through white to red, in which pictures show values, and
 * finds the colour of a value in it. The colours come from a formula in Oklab (B. Ottosson 2020), a
 * space in which equal distances look equal. With t from -1 (minimum) to 1 (maximum), u = |t|:
 *
 *   lightness  L = 0.96 - 0.60 u^1.1
 *              the same on both sides: neither end shouts
 *   chroma     C = peak sin(pi u^0.9 / 1.32)
 *              no jump at the centre, dark ends calmer
 *   hue        h = from + (to - from) u^0.6
 *              sky to navy (t < 0), amber to red (t > 0)
 *
 * so lightness falls strictly from the white centre to both ends: it also reads in grey. */
#include "io/colormap.h"

#include <math.h>

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

static armilla_rgb color_at(double t)
{
    const side *half = t < 0.0 ? &COLD : &WARM;
    double u = fabs(t);
    double lightness = 0.96 - 0.60 * pow(u, 1.1);
    double chroma = half->peak * sin(M_PI * pow(u, 0.9) / 1.32);
    double hue = (half->from + (half->to - half->from) * pow(u, 0.6)) * M_PI / 180.0;
    return from_oklab(lightness, chroma * cos(hue), chroma * sin(hue));
}

void armilla_colormap_fill(armilla_rgb *table)
{
    for (int i = 0; i < ARMILLA_COLORMAP_SIZE; i++)
        table[i] = color_at(2.0 * i / (ARMILLA_COLORMAP_SIZE - 1) - 1.0);
}

int armilla_colormap_index(double value, double minimum, double maximum)
{
    if (value <= minimum) return 0;
    if (value >= maximum) return ARMILLA_COLORMAP_SIZE - 1;
    int index = (int)((value - minimum) / (maximum - minimum) * ARMILLA_COLORMAP_SIZE);
    return index < ARMILLA_COLORMAP_SIZE ? index : ARMILLA_COLORMAP_SIZE - 1;
}

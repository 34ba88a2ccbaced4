/* Colours of pictures: a diverging colour map, blue - white - red. */
#ifndef ARMILLA_IO_COLORMAP_H
#define ARMILLA_IO_COLORMAP_H

enum { ARMILLA_COLORMAP_SIZE = 1024 };

typedef struct armilla_rgb {
    unsigned char r, g, b;
} armilla_rgb;

/* Returned: table  ARMILLA_COLORMAP_SIZE colours (sRGB), from the minimum to the maximum. */
void armilla_colormap_fill(armilla_rgb *table);

/* Returned: index of value on a table that spans minimum .. maximum (minimum < maximum); values
 * beyond the ends, infinite ones too, get the colour of the end. Not for NaN. */
int armilla_colormap_index(double value, double minimum, double maximum);

#endif

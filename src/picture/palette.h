/* Colours of pictures: colour maps as tables from the smallest to the largest value. */
#ifndef ARMILLA_PICTURE_PALETTE_H
#define ARMILLA_PICTURE_PALETTE_H

#include "armilla/picture.h"

enum { ARMILLA_PALETTE_SIZE = 1024 };

typedef struct armilla_rgb {
    unsigned char r, g, b;
} armilla_rgb;

/* Returned: table  ARMILLA_PALETTE_SIZE colours (sRGB), from the minimum to the maximum. */
void armilla_palette_fill(armilla_color_map map, armilla_rgb *table);

/* The colour of a share 0 .. 1 of the scale, by its index in the table. */
int armilla_palette_index(double share);

/* 256 colours of six hexadecimal digits each. */
extern const char armilla_palette_viridis[], armilla_palette_magma[];

#endif

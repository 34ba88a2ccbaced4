/* The numbers of a scale: where they stand and how they are written. */
#ifndef ARMILLA_PICTURE_TICKS_H
#define ARMILLA_PICTURE_TICKS_H

#include "picture/scale.h"

enum { ARMILLA_TICKS_MOST = 12, ARMILLA_TICK_LABEL_SIZE = 40 };

typedef struct armilla_ticks {
    int count; /* >= 1; >= 2 if most >= 3 */
    double values[ARMILLA_TICKS_MOST];
    char labels[ARMILLA_TICKS_MOST][ARMILLA_TICK_LABEL_SIZE]; /* UTF-8 */
    double widest;                                            /* label, in units of the em */
} armilla_ticks;

/* Multiples of 1, 2 or 5 times a power of ten.
 * Given:    minimum < maximum;  most  <= ARMILLA_TICKS_MOST ticks wanted at most (2 or more). */
void armilla_ticks_make(double minimum, double maximum, int most, armilla_ticks *ticks);

/* Powers of ten; as above where fewer than two lie between the ends. Given: 0 < minimum. */
void armilla_ticks_make_log(double minimum, double maximum, int most, armilla_ticks *ticks);

/* Ticks that suit a scale of colours. */
void armilla_ticks_of_scale(const armilla_scale *scale, int most, armilla_ticks *ticks);

#endif

/* Which samples a point sees through a window: one rounding for all that sort points, copy samples
 * for them, or evaluate windows, on processors and GPUs. */
#ifndef ARMILLA_BASE_FIRST_SAMPLE_H
#define ARMILLA_BASE_FIRST_SAMPLE_H

#include "base/compiler.h"

#include <math.h>
#include <stdint.h>

/* The first sample that a point at x sees with a window of 2 half taps, and 2 t - 1, of which the
 * values of taps are polynomials (points/window.h). */
ARMILLA_ALWAYS_INLINE int64_t armilla_first_sample(double half, double x, double *s)
{
    const double first = ceil(x - half);
    *s = 2 * (first - x + half) - 1;
    return (int64_t)first;
}

#endif

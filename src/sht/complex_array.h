/* Single complex numbers of an array of doubles or floats. */
#ifndef ARMILLA_SHT_COMPLEX_ARRAY_H
#define ARMILLA_SHT_COMPLEX_ARRAY_H

#include "sht/coefficients.h"

static inline void armilla_complex_get(armilla_array array, int64_t index, double *number)
{
    if (array.is_float) {
        const float *values = (const float *)array.values + 2 * index;
        number[0] = (double)values[0], number[1] = (double)values[1];
    } else {
        const double *values = (const double *)array.values + 2 * index;
        number[0] = values[0], number[1] = values[1];
    }
}

static inline void armilla_complex_put(armilla_array array, int64_t index, const double *number)
{
    if (array.is_float) {
        float *values = (float *)array.values + 2 * index;
        values[0] = (float)number[0], values[1] = (float)number[1];
    } else {
        double *values = (double *)array.values + 2 * index;
        values[0] = number[0], values[1] = number[1];
    }
}

#endif

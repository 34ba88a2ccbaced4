/* What the tests of alm, spectra and LSMR share. */
#ifndef TEST_ALM_SUPPORT_H
#define TEST_ALM_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/compiler.h"
#include <math.h>
#include <stdlib.h>

/* |a - b| <= tolerance; false for NaN. A macro, so that cmocka reports the caller's line. */
#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* count values in [-1/2, 1/2), the same for the same seed; to be freed. */
static inline double *noise(int64_t count, uint32_t seed)
{
    double *values = malloc((size_t)count * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (double)seed / 4294967296.0 - 0.5;
    }
    return values;
}

#endif

/* What the tests of coupled spectra share: plans with two pairs of masks for several spins, and
 * bands. */
#ifndef TEST_COUPLING_SUPPORT_H
#define TEST_COUPLING_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "armilla/coupling.h"
#include "base/memory.h"
#include "base/progress.h"
#include "oracle/checks.h"
#include "oracle/coupling_oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LMAX = 12, LENGTH = LMAX + 1, MASKS = 2 };

static const int64_t spins[][2] = {{0, 0}, {0, 1}, {2, 0}, {1, 1}, {2, 2}, {1, 2}, {3, 2}, {4, 3}};
enum { SPINS = sizeof spins / sizeof *spins };

/* W_L of two pairs of masks: a steep one, and one with both signs. */
static inline double *new_masks(int64_t lmask)
{
    double *masks = checked_malloc(MASKS * (lmask + 1), 8);
    for (int64_t l = 0; l <= lmask; l++) {
        masks[l] = 3 / (1 + 0.3 * (double)(l * l));
        masks[lmask + 1 + l] = l ? sin(1.7 * (double)l) / (double)(l + 2) : 6;
    }
    return masks;
}

static inline armilla_coupling *new_plan(int64_t lmax, int64_t lmask, const int64_t spin[2])
{
    armilla_coupling *plan;
    armilla_coupling_options options;
    double *masks = new_masks(lmask);
    armilla_coupling_options_init(&options);
    options.spin1 = spin[0], options.spin2 = spin[1];
    check_ok(armilla_coupling_new(lmax, lmask, MASKS, masks, &options, &plan));
    free(masks);
    return plan;
}

static inline double *new_random(int64_t count, uint64_t seed)
{
    double *values = checked_malloc(count, 8);
    random_fill(seed, count, values);
    return values;
}

static inline double dot(const double *a, const double *b, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static const int64_t BEGIN[] = {2, 5, 20, 38, 70}, END[] = {5, 20, 40, 60, 101};
enum { BANDS = 5 };

/* Bands of l (l + 1) / (2 pi) C_l, with weights. */
static inline armilla_bands new_bands(int64_t lmax, double *memory)
{
    armilla_bands bands;
    armilla_bands_init(&bands);
    bands.nbands = BANDS, bands.begin = BEGIN, bands.end = END;
    bands.weights = memory, bands.factor = memory + lmax + 1;
    for (int64_t l = 0; l <= lmax; l++) {
        memory[l] = 1 + 0.01 * (double)l;
        memory[lmax + 1 + l] = (double)(l * (l + 1)) / (2 * M_PI);
    }
    return bands;
}

/* The message has these words. */
static inline void check_refused(armilla_status status, const char *words)
{
    assert_int_equal(status, ARMILLA_ERROR_ARGUMENT);
    if (!strstr(armilla_status_message(), words))
        fail_msg("'%s' lacks '%s'", armilla_status_message(), words);
}

#endif

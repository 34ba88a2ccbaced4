/* A plan keeps the workspace of its last call for the next. What is left in it does not matter:
 * after a call whose input was all NaN, every operator gives the bits that a fresh plan gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_sht_scene.h"
#include <math.h>
#include <string.h>

enum { PLAIN_OPERATORS = 4 }; /* pseudo_analysis refuses NaN, and is made of these */

/* A scene with the inputs of s, or with NaN. */
static void spoil(const scene *s, int operation, double *output)
{
    scene spoilt = *s;
    spoilt.alm = checked_malloc(s->size, sizeof(double));
    spoilt.map = checked_malloc(s->npix, sizeof(double));
    for (int64_t i = 0; i < s->size; i++) spoilt.alm[i] = (double)NAN;
    for (int64_t i = 0; i < s->npix; i++) spoilt.map[i] = (double)NAN;
    check_ok(run(operation, &spoilt, output, NULL));
    free(spoilt.map);
    free(spoilt.alm);
}

static void check_after_nan(const scene *s, const char *label)
{
    const int64_t length = s->size > s->npix ? s->size : s->npix;
    double *output = checked_malloc(length, sizeof *output);
    double *expected = checked_malloc(length, sizeof *expected);
    for (int operation = 0; operation < PLAIN_OPERATORS; operation++) {
        const size_t bytes = (size_t)output_size(operation, s) * sizeof *output;
        scene fresh = *s;
        fresh.sht = spin_plan(s->grid, &s->c);
        check_ok(run(operation, &fresh, expected, NULL));
        armilla_sht_free(fresh.sht);
        for (int before = 0; before < PLAIN_OPERATORS; before++) {
            spoil(s, before, output);
            check_ok(run(operation, s, output, NULL));
            if (memcmp(output, expected, bytes))
                fail_msg("%s, spin %d: operator %d after operator %d of NaN", label, (int)s->c.spin,
                         operation, before);
        }
    }
    free(expected);
    free(output);
}

static void check_spins(armilla_grid *grid, int64_t lmax, armilla_sht_method rings,
                        const char *label)
{
    scene s;
    for (int64_t spin = 0; spin < 4; spin++) {
        const spin_case c = {.lmax = lmax, .mmax = lmax - 1, .spin = spin, .rings = rings};
        scene_open_spin(&s, grid, &c);
        check_after_nan(&s, label);
        free(s.map);
        free(s.alm);
        armilla_sht_free(s.sht);
    }
    armilla_grid_free(grid);
}

static void exact_grids(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        check_spins(exact_grid(exact_kinds[kind], 41, 40, 1, 0), 41, ARMILLA_SHT_AUTO,
                    armilla_grid_kind_name(exact_kinds[kind]));
}

/* Near the poles, and on HEALPix with blocks of rings of which some have no use for an order. */
static void healpix_of_either_method(void **state)
{
    (void)state;
    static const int64_t nsides[] = {8, 24, 33}, lmaxs[] = {12, 41, 70};
    for (int i = 0; i < 3; i++) {
        check_spins(healpix(nsides[i]), lmaxs[i], ARMILLA_SHT_DIRECT, "HEALPix, direct");
        check_spins(healpix(nsides[i]), lmaxs[i], ARMILLA_SHT_RESAMPLE, "HEALPix, resampled");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_grids),
        cmocka_unit_test(healpix_of_either_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

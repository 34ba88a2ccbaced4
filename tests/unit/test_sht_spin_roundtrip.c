/* Checks that alm -> map -> alm gives the same alm again for fields of spin s on every grid with
 * an exact rule; threads, and what degrees below |s| hold. Error: as in test_sht_roundtrip.c, at
 * most 3e-13 (1 + lmax / 1000). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/spin_checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const spin_case variants[] = {
    {.spin = 1},
    {.spin = 2},
    {.spin = 3},
    {.spin = 37},
    {.spin = -2},
    {.spin = 3, .method = ARMILLA_SPIN_RECURRENCE},
    {.spin = 2, .mode = ARMILLA_SHT_GRADIENT_ONLY},
    {.spin = 1, .rings = ARMILLA_SHT_RESAMPLE},
    {.spin = 2, .rings = ARMILLA_SHT_RESAMPLE},
    {.spin = 5, .rings = ARMILLA_SHT_DIRECT},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static double double_bound(int64_t lmax)
{
    return 3e-13 * (1 + (double)lmax / 1000);
}

static double float_bound(int64_t lmax)
{
    return 1e-6 * (1 + (double)lmax / 1000);
}

static void check_zero_below(const spin_case *c, const double *alm)
{
    const int64_t size = 2 * armilla_alm_size(c->lmax, c->mmax), spin = llabs(c->spin);
    for (int64_t k = 0; k < spin_ncomp(c); k++)
        for (int64_t m = 0; m <= c->mmax; m++)
            for (int64_t l = m; l < spin; l++) {
                const double *a = alm + k * size + 2 * armilla_alm_index(c->lmax, l, m);
                check_at_most(larger_or_nan(fabs(a[0]), fabs(a[1])), 0, "degree %d below spin %d",
                              (int)l, (int)spin);
            }
}

static void check_double(const armilla_sht *sht, int64_t npix, const spin_case *c,
                         const char *label)
{
    const int64_t size = spin_size(c);
    double *alm = checked_malloc(size, 8), *back = checked_malloc(size, 8);
    double *map = checked_malloc(2 * npix, 8);
    spin_random_alm(71, c, 0, alm);
    random_fill(72, size, back);
    uint64_t before = checksum(alm, (size_t)size * 8);
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    assert_true(before == checksum(alm, (size_t)size * 8));
    before = checksum(map, (size_t)(2 * npix) * 8);
    check_ok(armilla_sht_analysis(sht, map, back, NULL));
    assert_true(before == checksum(map, (size_t)(2 * npix) * 8));
    check_at_most(rms_error(size, alm, back), double_bound(c->lmax),
                  "%s, lmax = %d, mmax = %d, spin = %d, mode %d, method %d", label, (int)c->lmax,
                  (int)c->mmax, (int)c->spin, (int)c->mode, (int)c->method);
    check_zero_below(c, back);
    free(map);
    free(back);
    free(alm);
}

static void check_float(const armilla_sht *sht, int64_t npix, const spin_case *c, const char *label)
{
    const int64_t size = spin_size(c);
    double *alm = checked_malloc(size, 8), *back = checked_malloc(size, 8);
    float *narrow = checked_malloc(size, 4), *map = checked_malloc(2 * npix, 4);
    spin_random_alm(73, c, 0, alm);
    to_float(size, alm, narrow);
    check_ok(armilla_sht_synthesis_float(sht, narrow, map, NULL));
    check_ok(armilla_sht_analysis_float(sht, map, narrow, NULL));
    to_double(size, narrow, back);
    check_at_most(rms_error(size, alm, back), float_bound(c->lmax), "%s float, lmax = %d, spin %d",
                  label, (int)c->lmax, (int)c->spin);
    check_zero_below(c, back);
    free(map);
    free(narrow);
    free(back);
    free(alm);
}

static void round_trip(armilla_grid_kind kind, const spin_case *variant, int64_t lmax, int64_t mmax,
                       int64_t extra_rings)
{
    spin_case c = *variant;
    c.lmax = lmax, c.mmax = mmax;
    armilla_grid *grid = exact_grid(kind, lmax, mmax, extra_rings, 0);
    armilla_sht *sht = spin_plan(grid, &c);
    check_double(sht, armilla_grid_npix(grid), &c, armilla_grid_kind_name(kind));
    check_float(sht, armilla_grid_npix(grid), &c, armilla_grid_kind_name(kind));
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* --- Round trips ----------------------------------------------------------------------------- */

/* With the fewest rings and one more; quick: either, by turns. */
static void every_grid_small_band_limits(void **state)
{
    (void)state;
    static const int64_t lmaxs[] = {1, 2, 3, 4, 5, 10, 38, 90};
    int count = 0;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (size_t i = 0; i < sizeof lmaxs / sizeof *lmaxs; i++)
            for (int64_t extra = 0; extra < 2; extra++)
                for (int v = 0; v < VARIANTS; v++) {
                    if (llabs(variants[v].spin) > lmaxs[i]) continue; /* there is no such field */
                    if (checks_quick() && (extra + v + (int64_t)i) % 2) continue;
                    round_trip(exact_kinds[kind], &variants[v], lmaxs[i], lmaxs[i], extra);
                    count++;
                }
    /* variants whose spin is at most 1, 2, 3, 4, 5, 10, 38, 90 */
    const int rings = checks_quick() ? 1 : 2;
    assert_int_equal(count, EXACT_KINDS * rings * (2 + 6 + 8 + 8 + 9 + 9 + 10 + 10));
}

/* Spins above the largest order among them. */
static void every_grid_with_few_orders(void **state)
{
    (void)state;
    static const int64_t mmaxs[] = {0, 1, 2, 7, 49};
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (size_t i = 0; i < sizeof mmaxs / sizeof *mmaxs; i++)
            for (int v = 0; v < VARIANTS; v++)
                round_trip(exact_kinds[kind], &variants[v], 50, mmaxs[i], (int64_t)i % 2);
}

static void spin_as_large_as_the_band_limit(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (int64_t lmax = 1; lmax < 80; lmax += 1 + lmax / 2) {
            const spin_case c = {.spin = lmax}, d = {.spin = -lmax};
            round_trip(exact_kinds[kind], &c, lmax, lmax, 0);
            round_trip(exact_kinds[kind], &d, lmax, lmax / 3, 1);
        }
}

static void large_band_limits(void **state)
{
    (void)state;
    const int64_t lmax = checks_quick() ? 150 : 800;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        round_trip(exact_kinds[kind], &variants[kind % VARIANTS], lmax, lmax, 0);
    if (checks_quick()) return;
    for (int v = 0; v < VARIANTS; v++) /* resampling is for grids of many more rings */
        if (variants[v].rings != ARMILLA_SHT_RESAMPLE)
            round_trip(ARMILLA_GRID_GAUSS_LEGENDRE, &variants[v], 3000, 60, 0);
    round_trip(ARMILLA_GRID_CC, &variants[1], 3000, 60, 0);
    round_trip(ARMILLA_GRID_MW, &variants[1], 3000, 60, 0);
}

/* --- Degrees below the spin, several transforms, threads ------------------------------------- */

static void degrees_below_the_spin_do_not_matter(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANTS; v++) {
        spin_case c = variants[v];
        c.lmax = 45, c.mmax = 41;
        armilla_grid *grid = exact_grid(ARMILLA_GRID_CC, 45, 41, 0, 0);
        armilla_sht *sht = spin_plan(grid, &c);
        const int64_t npix = 2 * armilla_grid_npix(grid);
        double *alm = checked_malloc(spin_size(&c), 8), *map = checked_malloc(npix, 8);
        double *other = checked_malloc(npix, 8);
        spin_random_alm(74, &c, 0, alm);
        check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
        spin_random_alm(74, &c, (double)NAN, alm);
        check_ok(armilla_sht_synthesis(sht, alm, other, NULL));
        assert_memory_equal(map, other, (size_t)npix * 8);
        check_ok(armilla_sht_adjoint_analysis(sht, alm, map, NULL));
        spin_random_alm(74, &c, 1e30, alm);
        check_ok(armilla_sht_adjoint_analysis(sht, alm, other, NULL));
        assert_memory_equal(map, other, (size_t)npix * 8);
        check_at_most(dot_maps(npix, map, map), 1e300, "finite");
        random_fill(75, spin_size(&c), alm);
        check_ok(armilla_sht_adjoint_synthesis(sht, map, alm, NULL));
        check_zero_below(&c, alm);
        free(other);
        free(map);
        free(alm);
        armilla_sht_free(sht);
        armilla_grid_free(grid);
    }
}

static void check_threads(const armilla_grid *grid, const spin_case *c)
{
    const int64_t size = spin_size(c);
    armilla_sht *sht = spin_plan(grid, c);
    double *alm = checked_malloc(size, 8);
    spin_random_alm(77, c, 0, alm);
    check_threads_agree(sht, size, 2 * armilla_grid_npix(grid), alm);
    free(alm);
    armilla_sht_free(sht);
}

static void same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    for (int v = 0; v < VARIANTS; v++) {
        spin_case c = variants[v];
        armilla_grid *grid = exact_grid(exact_kinds[v % EXACT_KINDS], 61, 50, 0, 0);
        c.lmax = 61, c.mmax = 50;
        check_threads(grid, &c);
        armilla_grid_free(grid);
        check_ok(armilla_grid_new_healpix(16, &grid));
        c.lmax = c.mmax = 40;
        check_threads(grid, &c);
        armilla_grid_free(grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_grid_small_band_limits),
        cmocka_unit_test(every_grid_with_few_orders),
        cmocka_unit_test(spin_as_large_as_the_band_limit),
        cmocka_unit_test(large_band_limits),
        cmocka_unit_test(degrees_below_the_spin_do_not_matter),
        cmocka_unit_test(same_bits_for_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

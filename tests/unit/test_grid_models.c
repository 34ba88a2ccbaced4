/* Checks the grids of weather models: numbers of pixels against published totals, rings against the
 * Gauss rule, and what is said of their analysis against the analysis of every single mode. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static armilla_grid *octahedral(int64_t n)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_octahedral(n, &grid));
    return grid;
}

static armilla_grid *classic(int64_t n)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_classic(n, &grid));
    return grid;
}

/* Rings are those of the Gauss rule, mirrored, and weights are per pixel. */
static void check_rings(const armilla_grid *grid, int64_t n)
{
    armilla_grid *full;
    armilla_ring *rings = grid_rings(grid), *gauss;
    double area = 0;
    int64_t offset = 0;
    check_ok(armilla_grid_new_gauss_legendre(2 * n, 4, &full));
    gauss = grid_rings(full);
    for (int64_t r = 0; r < 2 * n; r++) {
        const double weight = gauss[r].weight * 4 / (double)rings[r].nphi;
        assert_true(rings[r].theta == gauss[r].theta && rings[r].phi0 == 0);
        assert_true(fabs(rings[r].weight / weight - 1) < 4e-16);
        assert_int_equal(rings[r].nphi, rings[2 * n - 1 - r].nphi);
        assert_int_equal(rings[r].offset, offset);
        offset += rings[r].nphi;
        area += rings[r].weight * (double)rings[r].nphi;
    }
    assert_true(fabs(area / (4 * M_PI) - 1) < 4e-15);
    assert_int_equal(armilla_grid_npix(grid), offset);
    assert_int_equal(armilla_grid_get_kind(grid), ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE);
    assert_int_equal(armilla_grid_exact_lmax(grid), 2 * n - 1);
    free(rings), free(gauss);
    armilla_grid_free(full);
}

/* Totals: ECMWF's documentation of its grids (O320 421 120, O640 1 661 440, O1280 6 599 680). */
static void octahedral_grids_have_the_published_pixels(void **state)
{
    (void)state;
    static const int64_t published[][2] = {{1, 40}, {320, 421120}, {640, 1661440}, {1280, 6599680}};
    for (int i = 0; i < 4; i++) {
        const int64_t n = published[i][0];
        armilla_grid *grid = octahedral(n);
        armilla_ring first, last;
        check_ok(armilla_grid_ring(grid, 0, &first));
        check_ok(armilla_grid_ring(grid, n - 1, &last));
        assert_int_equal(first.nphi, 20);
        assert_int_equal(last.nphi, 4 * n + 16);
        assert_int_equal(armilla_grid_npix(grid), published[i][1]);
        if (n < 1000) check_rings(grid, n);
        armilla_grid_free(grid);
    }
}

/* Totals: ECMWF's documentation of its grids, except for those that it does not list: 0. */
static void classic_grids_have_the_published_pixels(void **state)
{
    (void)state;
    static const int64_t published[][2] = {
        {16, 0},          {24, 0},          {32, 6114},       {48, 13280},     {64, 0},
        {80, 35718},      {96, 0},          {128, 88838},     {160, 138346},   {200, 213988},
        {256, 348528},    {320, 542080},    {400, 843490},    {512, 1373624},  {576, 0},
        {640, 2140702},   {800, 0},         {1024, 5447118},  {1280, 8505906}, {1600, 0},
        {2000, 20696844}, {4000, 80555170}, {8000, 321462824}};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const int64_t n = published[i][0];
        armilla_grid *grid = classic(n);
        armilla_ring last;
        check_ok(armilla_grid_ring(grid, n - 1, &last));
        assert_int_equal(last.nphi, 4 * n);
        if (published[i][1]) assert_int_equal(armilla_grid_npix(grid), published[i][1]);
        if (n < 1000) check_rings(grid, n);
        armilla_grid_free(grid);
    }
}

/* From a pole to the equator, as GRIB files with these grids list them. */
static void lists_of_pixels_are_those_of_files(void **state)
{
    (void)state;
    static const int64_t n16[] = {20, 27, 32, 40, 45, 48, 60, 60, 64, 64, 64, 64, 64, 64, 64, 64};
    static const int64_t n32[] = {20,  27,  36,  40,  45,  50,  60,  64,  72,  75,  80,
                                  90,  90,  96,  100, 108, 108, 120, 120, 120, 128, 128,
                                  128, 128, 128, 128, 128, 128, 128, 128, 128, 128};
    for (int i = 0; i < 2; i++) {
        armilla_grid *grid = classic(i ? 32 : 16);
        armilla_ring *rings = grid_rings(grid);
        for (int64_t r = 0; r < (i ? 32 : 16); r++)
            assert_int_equal(rings[r].nphi, (i ? n32 : n16)[r]);
        free(rings);
        armilla_grid_free(grid);
    }
}

static void any_list_of_pixels_is_a_grid(void **state)
{
    (void)state;
    const int64_t nphi[5] = {7, 1, 30, 12, 9};
    armilla_grid *grid = NULL;
    armilla_ring ring;
    check_ok(armilla_grid_new_reduced(5, nphi, &grid));
    for (int64_t r = 0; r < 5; r++) {
        check_ok(armilla_grid_ring(grid, r, &ring));
        assert_int_equal(ring.nphi, nphi[r]);
    }
    assert_int_equal(armilla_grid_npix(grid), 59);
    assert_int_equal(armilla_grid_exact_lmax(grid), 4);
    assert_int_equal(armilla_grid_exact_lmax_for(grid, -1), 0); /* one pixel on ring 1 */
    assert_int_equal(armilla_grid_exact_lmax_for(grid, 0), 4);
    armilla_grid_free(grid);
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    const int64_t bad[3] = {4, 0, 4}, large[1] = {((int64_t)1 << 30) + 1};
    armilla_grid *grid = NULL;
    check_error(armilla_grid_new_octahedral(0, &grid), ARMILLA_ERROR_ARGUMENT, "n = 0");
    check_error(armilla_grid_new_octahedral((int64_t)1 << 28, &grid), ARMILLA_ERROR_ARGUMENT,
                "n = 268435456");
    check_error(armilla_grid_new_octahedral(4, NULL), ARMILLA_ERROR_ARGUMENT, "grid = NULL");
    check_error(armilla_grid_new_classic(321, &grid), ARMILLA_ERROR_ARGUMENT, "is N320");
    check_error(armilla_grid_new_classic(-5, &grid), ARMILLA_ERROR_ARGUMENT, "is N16");
    check_error(armilla_grid_new_classic(INT64_MAX, &grid), ARMILLA_ERROR_ARGUMENT, "is N8000");
    check_error(armilla_grid_new_classic(16, NULL), ARMILLA_ERROR_ARGUMENT, "grid = NULL");
    check_error(armilla_grid_new_reduced(3, bad, &grid), ARMILLA_ERROR_ARGUMENT, "nphi[1] = 0");
    check_error(armilla_grid_new_reduced(1, large, &grid), ARMILLA_ERROR_ARGUMENT, "nphi[0] = 107");
    check_error(armilla_grid_new_reduced(0, bad, &grid), ARMILLA_ERROR_ARGUMENT, "nrings = 0");
    check_error(armilla_grid_new_reduced(3, NULL, &grid), ARMILLA_ERROR_ARGUMENT, "nphi = NULL");
    assert_null(grid);
}

/* --- Exactness, mode by mode ------------------------------------------------------------------ */

/* The largest number by which a coefficient of 1 changes any coefficient when it goes to a map and
 * back. Real and imaginary parts of all modes, each alone. */
static double largest_leak(const armilla_grid *grid, int64_t lmax)
{
    armilla_sht *sht;
    const int64_t size = (lmax + 1) * (lmax + 2) / 2;
    double *alm = checked_malloc(2 * size, sizeof *alm),
           *back = checked_malloc(2 * size, sizeof *back);
    double *map = checked_malloc(armilla_grid_npix(grid), sizeof *map), most = 0;
    check_ok(armilla_sht_new(grid, lmax, lmax, NULL, &sht));
    for (int64_t i = 0; i < 2 * size; i++) {
        if (i % 2 && i / 2 <= lmax) continue; /* imaginary parts of m = 0 */
        memset(alm, 0, 2 * (size_t)size * sizeof *alm);
        alm[i] = 1;
        check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
        check_ok(armilla_sht_analysis(sht, map, back, NULL));
        for (int64_t k = 0; k < 2 * size; k++)
            most = larger_or_nan(most, fabs(back[k] - (k == i ? 1 : 0)));
    }
    armilla_sht_free(sht);
    free(alm), free(back), free(map);
    return most;
}

/* What is called exact is so, and the next lmax is not, or not within a factor of the bound. */
static void check_claim(armilla_grid *grid, int64_t least, int64_t most)
{
    const int64_t exact = armilla_grid_exact_lmax_for(grid, -1), n = armilla_grid_nrings(grid) / 2;
    if (exact < least || exact > most)
        fail_msg("n = %lld: exact up to %lld", (long long)n, (long long)exact);
    check_at_most(largest_leak(grid, exact), 1.3e-12, "n = %lld, lmax %lld", (long long)n,
                  (long long)exact);
    if (exact < 2 * n - 1)
        check_at_most(1e-12 / largest_leak(grid, exact + 1), 1, "n = %lld, lmax %lld", (long long)n,
                      (long long)exact + 1);
    armilla_grid_free(grid);
}

/* Cubic truncations, n - 1, are exact; quadratic and linear ones are not. */
static void octahedral_grids_keep_their_promise(void **state)
{
    (void)state;
    for (int64_t n = 4; n <= 16; n += 4) check_claim(octahedral(n), n - 1, n < 16 ? 2 * n - 1 : 18);
    if (checks_quick()) return;
    check_claim(octahedral(32), 31, 33);
    check_claim(octahedral(40), 39, 41);
}

static void classic_grids_keep_their_promise(void **state)
{
    (void)state;
    check_claim(classic(16), 15, 30);
    if (!checks_quick()) check_claim(classic(24), 23, 46);
}

/* The bound of what is exact lies just above what octahedral grids of n = 100 to 200 need. */
static void cubic_truncations_are_exact_at_every_size(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 1280; n += n < 200 ? 1 : 90) {
        armilla_grid *grid = octahedral(n);
        const int64_t exact = armilla_grid_exact_lmax_for(grid, -1);
        if (exact < n - 1 || (n > 16 && exact >= (4 * n) / 3))
            fail_msg("O%lld: exact up to %lld", (long long)n, (long long)exact);
        armilla_grid_free(grid);
    }
}

/* With power at all degrees, where leaks are largest. */
static void errors_of_cubic_truncations_are_small_in_the_mean(void **state)
{
    (void)state;
    const int64_t n = checks_quick() ? 48 : 128, size = n * (n + 1);
    armilla_grid *grid = octahedral(n);
    armilla_sht *sht;
    double *alm = checked_malloc(size, sizeof *alm), *back = checked_malloc(size, sizeof *back);
    double *map = checked_malloc(armilla_grid_npix(grid), sizeof *map);
    random_alm_triangle(3, n - 1, n - 1, alm);
    check_ok(armilla_sht_new(grid, n - 1, n - 1, NULL, &sht));
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    check_ok(armilla_sht_analysis(sht, map, back, NULL));
    check_at_most(rms_error(size, alm, back), 2e-13, "O%lld", (long long)n);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    free(alm), free(back), free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(octahedral_grids_have_the_published_pixels),
        cmocka_unit_test(classic_grids_have_the_published_pixels),
        cmocka_unit_test(lists_of_pixels_are_those_of_files),
        cmocka_unit_test(any_list_of_pixels_is_a_grid),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(octahedral_grids_keep_their_promise),
        cmocka_unit_test(classic_grids_keep_their_promise),
        cmocka_unit_test(cubic_truncations_are_exact_at_every_size),
        cmocka_unit_test(errors_of_cubic_truncations_are_small_in_the_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

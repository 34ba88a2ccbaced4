/* Checks up to which lmax and mmax analysis inverts synthesis: what the library says is what round
 * trips show; and that custom grids are found out that give a family's rule away. */
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

/* --- What is said is what happens ------------------------------------------------------------- */

static int told_of(const armilla_sht *sht)
{
    armilla_sht_description told = {.size = sizeof told};
    check_ok(armilla_sht_describe(sht, 1, &told));
    return told.exact;
}

static double round_trip(const armilla_sht *sht, const armilla_grid *grid, const spin_case *c)
{
    const int64_t size = spin_size(c), npix = armilla_grid_npix(grid) * (c->spin ? 2 : 1);
    double *alm = checked_malloc(size, sizeof *alm), *back = checked_malloc(size, sizeof *back);
    double *map = checked_malloc(npix, sizeof *map);
    spin_random_alm(7, c, 0, alm);
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    check_ok(armilla_sht_analysis(sht, map, back, NULL));
    const double error = rms_error(size, alm, back);
    free(map);
    free(back);
    free(alm);
    return error;
}

/* may_be_exact: where the library does not promise it, as it is careful. */
static void check_promise(const armilla_grid *grid, const spin_case *c, int may_be_exact)
{
    armilla_sht *sht = spin_plan(grid, c);
    const int exact = armilla_grid_exact_lmax_for(grid, c->mmax) >= c->lmax;
    const double error = round_trip(sht, grid, c);
    assert_int_equal(told_of(sht), exact);
    if (exact || !may_be_exact)
        check_at_most(exact ? error : 1e-3 / error, exact ? 1e-13 : 1,
                      "%s, %lld rings, %lld pixels, lmax %lld, mmax %lld, spin %lld: %s, error %g",
                      armilla_grid_kind_name(armilla_grid_get_kind(grid)),
                      (long long)armilla_grid_nrings(grid), (long long)armilla_grid_npix(grid),
                      (long long)c->lmax, (long long)c->mmax, (long long)c->spin,
                      exact ? "exact" : "not exact", error);
    armilla_sht_free(sht);
}

/* Band limits around the last exact one; F2 and DH are a little better than their rule. */
static void promises_are_kept(void **state)
{
    (void)state;
    enum { NPHI = 9 };
    for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP + 1; kind++)
        for (int64_t nrings = 5; nrings <= 8; nrings++) {
            armilla_grid *grid;
            check_ok(
                kind > ARMILLA_GRID_MWFLIP
                    ? armilla_grid_new_gauss_legendre(nrings, NPHI, &grid)
                    : armilla_grid_new_equidistant((armilla_grid_kind)kind, nrings, NPHI, &grid));
            const int64_t most = armilla_grid_exact_lmax(grid);
            for (int64_t lmax = most - 1; lmax <= most + 1; lmax++)
                for (int64_t mmax = 0; mmax <= lmax && mmax <= 5; mmax++)
                    for (int64_t spin = 0; spin <= 2 && spin <= lmax; spin += 2) {
                        const spin_case c = {.lmax = lmax, .mmax = mmax, .spin = spin};
                        check_promise(grid, &c, lmax > most);
                    }
            armilla_grid_free(grid);
        }
}

/* As few pixels as their orders need, near the poles too; more of them than a pixel row tells. */
static void reduced_grids_keep_their_orders(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_reduced_gauss_legendre(61, 60, &grid));
    assert_int_equal(armilla_grid_exact_lmax_for(grid, -1), 60);
    for (int64_t mmax = 0; mmax <= 60; mmax += 20)
        assert_int_equal(armilla_grid_exact_lmax_for(grid, mmax), 60);
    for (int64_t spin = 0; spin <= 24; spin += 6) {
        const spin_case c = {.lmax = 60, .mmax = 60, .spin = spin};
        check_promise(grid, &c, 0);
    }
    armilla_grid_free(grid);
    check_ok(armilla_grid_new_reduced_gauss_legendre(61, 30, &grid));
    assert_int_equal(armilla_grid_exact_lmax_for(grid, -1), 30);
    const spin_case beyond = {.lmax = 60, .mmax = 60};
    check_promise(grid, &beyond, 0);
    armilla_grid_free(grid);
}

static void numbers_of_pixels_limit_orders(void **state)
{
    (void)state;
    static const struct {
        int64_t nphi, mmax, lmax;
    } wanted[] = {{64, -1, 31},  {64, 0, 63},   {64, 31, 63},  {64, 32, -1},  {64, 63, -1},
                  {126, -1, 62}, {126, 62, 63}, {127, -1, 63}, {127, 63, 63}, {127, 64, -1},
                  {1, -1, 0},    {1, 0, 63},    {1, 1, -1},    {200, -2, -1}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_gauss_legendre(64, wanted[i].nphi, &grid));
        assert_int_equal(armilla_grid_exact_lmax(grid), 63);
        assert_int_equal(armilla_grid_exact_lmax_for(grid, wanted[i].mmax), wanted[i].lmax);
        armilla_grid_free(grid);
    }
    armilla_grid *healpix = healpix_grid(2);
    const spin_case c = {.lmax = 3, .mmax = 3};
    armilla_sht *sht = spin_plan(healpix, &c);
    assert_int_equal(armilla_grid_exact_lmax_for(healpix, 0), -1);
    assert_int_equal(armilla_grid_exact_lmax_for(NULL, 0), -1);
    assert_int_equal(told_of(sht), -1);
    armilla_sht_free(sht);
    armilla_grid_free(healpix);
}

/* --- Custom grids ----------------------------------------------------------------------------- */

/* The same rings, from south to north, with weights times a factor. */
static armilla_grid *custom_of(const armilla_grid *family, double factor)
{
    const int64_t nrings = armilla_grid_nrings(family);
    armilla_ring *rings = grid_rings(family);
    armilla_grid *made;
    for (int64_t r = 0; r < nrings; r++) rings[r].weight *= factor, rings[r].phi0 = 0.1;
    for (int64_t r = 0; r < nrings / 2; r++) {
        const armilla_ring north = rings[r];
        rings[r] = rings[nrings - 1 - r];
        rings[nrings - 1 - r] = north;
    }
    check_ok(armilla_grid_new_custom(nrings, rings, &made));
    free(rings);
    return made;
}

static int is_kind(armilla_grid_kind found, armilla_grid_kind kind)
{
    if (kind == ARMILLA_GRID_MWSS) kind = ARMILLA_GRID_CC; /* the same rings */
    return found == kind;
}

/* A rule is lost where the family's analysis is exact and that of the custom grid is not. */
static void check_loss(const armilla_grid *family, double factor)
{
    const armilla_grid_kind kind = armilla_grid_get_kind(family);
    armilla_grid *custom = custom_of(family, factor);
    for (int64_t lmax = 0; lmax <= armilla_grid_exact_lmax(family) + 1; lmax++)
        for (int64_t mmax = 0; mmax <= lmax; mmax += 3) {
            const spin_case c = {.lmax = lmax, .mmax = mmax};
            armilla_sht *sht = spin_plan(custom, &c);
            const int wanted = armilla_grid_exact_lmax_for(family, mmax) >= lmax &&
                               round_trip(sht, custom, &c) > 1e-12;
            const armilla_grid_kind found = armilla_grid_lost_rule(custom, lmax, mmax);
            assert_int_equal(told_of(sht), -1);
            if (!(wanted ? is_kind(found, kind) : found == ARMILLA_GRID_CUSTOM))
                fail_msg("%s, %lld rings, factor %g, lmax %lld, mmax %lld: found %s",
                         armilla_grid_kind_name(kind), (long long)armilla_grid_nrings(family),
                         factor, (long long)lmax, (long long)mmax, armilla_grid_kind_name(found));
            armilla_sht_free(sht);
        }
    armilla_grid_free(custom);
}

static void custom_grids_lose_the_rule_of_a_family(void **state)
{
    (void)state;
    for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP + 1; kind++)
        for (int64_t nrings = 4; nrings <= 9; nrings++) {
            armilla_grid *family;
            check_ok(
                kind > ARMILLA_GRID_MWFLIP
                    ? armilla_grid_new_gauss_legendre(nrings, 9, &family)
                    : armilla_grid_new_equidistant((armilla_grid_kind)kind, nrings, 9, &family));
            check_loss(family, 1);
            check_loss(family, 1.01);
            armilla_grid_free(family);
        }
}

static void other_grids_lose_nothing(void **state)
{
    (void)state;
    armilla_ring rings[] = {{1.0, 9, 0, 0, 1, 1}, {1.1, 9, 0, 9, 1, 1}, {3.0, 9, 0, 18, 1, 1}};
    armilla_grid *family, *custom;
    check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_F1, 3, 9, &family));
    assert_int_equal(armilla_grid_lost_rule(family, 2, 2), ARMILLA_GRID_CUSTOM);
    check_ok(armilla_grid_new_custom(3, rings, &custom));
    assert_int_equal(armilla_grid_lost_rule(custom, 2, 2), ARMILLA_GRID_CUSTOM);
    armilla_grid_free(custom);
    for (int r = 0; r < 3; r++) rings[r].theta = M_PI * (2 * r + 1) / 6;
    check_ok(armilla_grid_new_custom(3, rings, &custom));
    assert_int_equal(armilla_grid_lost_rule(custom, 2, 2), ARMILLA_GRID_F1);
    assert_int_equal(armilla_grid_lost_rule(custom, 3, 2), ARMILLA_GRID_CUSTOM);
    assert_int_equal(armilla_grid_lost_rule(custom, 2, 3), ARMILLA_GRID_CUSTOM);
    assert_int_equal(armilla_grid_lost_rule(custom, 2, -1), ARMILLA_GRID_CUSTOM);
    armilla_grid_free(custom);
    rings[2].nphi = 8; /* no family has such */
    check_ok(armilla_grid_new_custom(3, rings, &custom));
    assert_int_equal(armilla_grid_lost_rule(custom, 2, 2), ARMILLA_GRID_CUSTOM);
    assert_int_equal(armilla_grid_lost_rule(NULL, 2, 2), ARMILLA_GRID_CUSTOM);
    armilla_grid_free(custom);
    armilla_grid_free(family);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(promises_are_kept),
        cmocka_unit_test(reduced_grids_keep_their_orders),
        cmocka_unit_test(numbers_of_pixels_limit_orders),
        cmocka_unit_test(custom_grids_lose_the_rule_of_a_family),
        cmocka_unit_test(other_grids_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

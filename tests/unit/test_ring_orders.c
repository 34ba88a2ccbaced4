/* Checks plans whose rings have fewer orders than they could: ecTrans' numbers, synthesis against
 * transforms of fewer orders, adjoints, what is called exact, and what is refused. */
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

static armilla_grid *named(const char *name)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_named(name, &grid));
    return grid;
}

/* Made by a Fortran program with the rule of ecTrans 1.7, setup_geom_mod.F90, gfortran 12. */
static const struct {
    const char *name;
    int64_t lmax, limits[16];
} numbers[] = {
    {"O16", 15, {8, 10, 12, 13, 14, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15}},
    {"O16", 20, {9, 11, 13, 14, 15, 17, 18, 19, 19, 20, 20, 20, 20, 20, 20, 20}},
    {"O16", 21, {9, 11, 13, 15, 17, 19, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21}},
    {"O16", 31, {9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 31, 31, 31, 31}},
    {"N16", 31, {9, 13, 15, 19, 22, 23, 29, 29, 31, 31, 31, 31, 31, 31, 31, 31}},
    {"N16", 20, {9, 12, 14, 18, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20}},
    {"N16", 15, {8, 11, 13, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15}},
    {"F16", 15, {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15}},
    {"gl:32x8", 7, {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}},
};

static void limits_are_those_of_ectrans(void **state)
{
    (void)state;
    int64_t limits[32];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        armilla_grid *grid = named(numbers[i].name);
        check_ok(armilla_grid_ectrans_limits(grid, numbers[i].lmax, limits));
        for (int r = 0; r < 16; r++) {
            assert_int_equal(limits[r], numbers[i].limits[r]);
            assert_int_equal(limits[31 - r], numbers[i].limits[r]);
        }
        armilla_grid_free(grid);
    }
    armilla_grid *grid = named("O16");
    check_error(armilla_grid_ectrans_limits(NULL, 4, limits), ARMILLA_ERROR_ARGUMENT, "grid");
    check_error(armilla_grid_ectrans_limits(grid, 4, NULL), ARMILLA_ERROR_ARGUMENT, "limits");
    check_error(armilla_grid_ectrans_limits(grid, -1, limits), ARMILLA_ERROR_ARGUMENT, "lmax = -1");
    armilla_grid_free(grid);
}

/* --- Transforms ------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    spin_case c;
    int64_t *limits; /* of each ring */
    int64_t host_bytes;
} limited_case;

static armilla_sht *limited_plan(const armilla_grid *grid, const limited_case *k, int listed)
{
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = k->c.spin, options.host_bytes = k->host_bytes;
    options.ring_orders = listed ? ARMILLA_RING_ORDERS_LISTED : ARMILLA_RING_ORDERS_ECTRANS;
    options.ring_limits = listed ? k->limits : NULL;
    check_ok(armilla_sht_new(grid, k->c.lmax, k->c.mmax, &options, &sht));
    return sht;
}

/* Coefficients without orders above m: what is left of each component. */
static void keep_orders(const spin_case *c, int64_t most, double *alm)
{
    const int64_t ncomp = spin_ncomp(c), size = spin_size(c) / ncomp;
    for (int64_t i = 0; i < ncomp; i++)
        for (int64_t m = most + 1; m <= c->mmax; m++) {
            const int64_t start = m * (2 * c->lmax + 1 - m) / 2 + m;
            memset(alm + i * size + 2 * start, 0, 16 * (size_t)(c->lmax - m + 1));
        }
}

/* Each ring's samples from a whole transform of the orders that the ring has. */
static void judge(const armilla_grid *grid, const limited_case *k, const double *alm, double *map)
{
    const int64_t nrings = armilla_grid_nrings(grid), npix = armilla_grid_npix(grid);
    const int64_t size = spin_size(&k->c), nmap = k->c.spin ? 2 : 1;
    armilla_ring *rings = grid_rings(grid);
    armilla_sht *whole = spin_plan(grid, &k->c);
    double *some = checked_malloc(size, sizeof *some);
    double *made = checked_malloc(nmap * npix, sizeof *made);
    for (int64_t r = 0; r < nrings; r++) {
        if (r && k->limits[r] == k->limits[r - 1]) goto copy;
        memcpy(some, alm, (size_t)size * sizeof *some);
        keep_orders(&k->c, k->limits[r], some);
        check_ok(armilla_sht_synthesis(whole, some, made, NULL));
    copy:
        for (int64_t i = 0; i < nmap; i++)
            memcpy(map + i * npix + rings[r].offset, made + i * npix + rings[r].offset,
                   (size_t)rings[r].nphi * sizeof *map);
    }
    armilla_sht_free(whole);
    free(some), free(made), free(rings);
}

static void check_case(limited_case k, int listed)
{
    armilla_grid *grid = named(k.name);
    const int64_t nrings = armilla_grid_nrings(grid), size = spin_size(&k.c);
    const int64_t npix = armilla_grid_npix(grid) * (k.c.spin ? 2 : 1);
    double *alm = checked_malloc(size, 8), *back = checked_malloc(size, 8);
    double *map = checked_malloc(npix, 8), *other = checked_malloc(npix, 8);
    k.limits = checked_malloc(nrings, sizeof *k.limits);
    check_ok(armilla_grid_ectrans_limits(grid, k.c.lmax, k.limits));
    for (int64_t r = 0; listed && r < nrings; r++) {
        armilla_ring ring;
        check_ok(armilla_grid_ring(grid, r, &ring));
        k.limits[r] = (int64_t)(0.6 * (double)k.c.lmax * sin(ring.theta) + 1e-6);
    }
    armilla_sht *sht = limited_plan(grid, &k, listed);
    spin_random_alm(4, &k.c, 0, alm);
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    judge(grid, &k, alm, other);
    check_at_most(rms_error(npix, other, map), 1e-14, "%s, lmax %lld, mmax %lld, spin %lld, %s",
                  k.name, (long long)k.c.lmax, (long long)k.c.mmax, (long long)k.c.spin,
                  listed ? "listed" : "ectrans");
    for (int weighted = 0; weighted < 2; weighted++) {
        random_fill(8, npix, other);
        check_ok(weighted ? armilla_sht_analysis(sht, other, back, NULL)
                          : armilla_sht_adjoint_synthesis(sht, other, back, NULL));
        if (weighted) check_ok(armilla_sht_adjoint_analysis(sht, alm, map, NULL));
        const double left = dot_maps(npix, map, other), right = spin_dot_alm(&k.c, alm, back);
        const double scale = sqrt(dot_maps(npix, map, map) * dot_maps(npix, other, other));
        check_at_most(fabs(left - right) / scale, 1e-14, "%s: adjoint %d", k.name, weighted);
    }
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    free(alm), free(back), free(map), free(other), free(k.limits);
}

static void rings_have_their_orders(void **state)
{
    (void)state;
    const limited_case cases[] = {
        {.name = "O16", .c = {.lmax = 15, .mmax = 15}},
        {.name = "O16", .c = {.lmax = 15, .mmax = 9}},
        {.name = "O16", .c = {.lmax = 31, .mmax = 31, .spin = 2}},
        {.name = "N16", .c = {.lmax = 31, .mmax = 31}},
        {.name = "N32", .c = {.lmax = 63, .mmax = 63, .spin = 1}},
        {.name = "O80", .c = {.lmax = 159, .mmax = 159}},
        {.name = "O80", .c = {.lmax = 159, .mmax = 159}, .host_bytes = 200000},
        {.name = "gl:33x20", .c = {.lmax = 32, .mmax = 32}},
        {.name = "H16", .c = {.lmax = 40, .mmax = 40}},
        {.name = "dh:33x40", .c = {.lmax = 15, .mmax = 15}},
        {.name = "O1", .c = {.lmax = 0, .mmax = 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int listed = 0; listed < 2; listed++) check_case(cases[i], listed);
}

static void larger_plans_have_passes(void **state)
{
    (void)state;
    if (checks_quick()) return;
    const limited_case large = {.name = "O400", .c = {.lmax = 399, .mmax = 399}};
    check_case(large, 0);
    const limited_case tight = {.name = "O400", .c = large.c, .host_bytes = 1000000};
    check_case(tight, 1);
}

/* --- What is said of them --------------------------------------------------------------------- */

static int exactness(const char *name, int64_t lmax, const int64_t *limits)
{
    armilla_grid *grid = named(name);
    const limited_case k = {
        .name = name, .c = {.lmax = lmax, .mmax = lmax}, .limits = (int64_t *)limits};
    armilla_sht *sht = limited_plan(grid, &k, limits != NULL);
    armilla_sht_description told = {.size = sizeof told};
    check_ok(armilla_sht_describe(sht, 1, &told));
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    return told.exact;
}

static void what_is_missing_is_not_exact(void **state)
{
    (void)state;
    int64_t limits[32];
    for (int r = 0; r < 32; r++) limits[r] = 15;
    assert_int_equal(exactness("F16", 15, limits), 1);
    limits[0] = limits[31] = 8; /* functions of order 9 are 1e-12 there */
    assert_int_equal(exactness("F16", 15, limits), 1);
    limits[0] = limits[31] = 2;
    assert_int_equal(exactness("F16", 15, limits), 0);
    assert_int_equal(exactness("F16", 15, NULL), 1); /* ecTrans: all of them */
    assert_int_equal(exactness("N16", 31, NULL), 0);
    assert_int_equal(exactness("H16", 15, NULL), -1);
}

/* Steps find the coefficients of maps that the plan itself makes. */
static void steps_agree_with_the_limits(void **state)
{
    (void)state;
    armilla_grid *grid = named("N32");
    const limited_case k = {.name = "N32", .c = {.lmax = 63, .mmax = 63}};
    armilla_sht *sht = limited_plan(grid, &k, 0);
    const int64_t size = spin_size(&k.c), npix = armilla_grid_npix(grid);
    double *alm = checked_malloc(size, 8), *back = checked_malloc(size, 8);
    double *map = checked_malloc(npix, 8);
    armilla_pseudo_options options;
    armilla_pseudo_report report;
    armilla_pseudo_options_init(&options);
    options.method = ARMILLA_PSEUDO_AUTO;
    spin_random_alm(2, &k.c, 0, alm);
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    check_ok(armilla_sht_pseudo_analysis(sht, map, back, &options, &report, NULL));
    assert_int_equal(report.stop, ARMILLA_STOP_CHANGE);
    check_at_most(rms_error(size, alm, back), 1e-13, "%lld steps", (long long)report.iterations);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    free(alm), free(back), free(map);
}

static void two_plans_of_polarisation_have_the_limits(void **state)
{
    (void)state;
    enum { L = 31 };
    armilla_grid *grid = named("N16");
    const limited_case k = {.name = "N16", .c = {.lmax = L, .mmax = L}};
    const spin_case c2 = {.lmax = L, .mmax = L, .spin = 2};
    const limited_case k2 = {.name = "N16", .c = c2};
    armilla_sht *scalar = limited_plan(grid, &k, 0), *polar = limited_plan(grid, &k2, 0);
    armilla_iqu *iqu;
    armilla_sht_options options;
    const int64_t size = spin_size(&k.c), npix = armilla_grid_npix(grid);
    double *alm = checked_malloc(3 * size, 8), *map = checked_malloc(3 * npix, 8);
    double *other = checked_malloc(3 * npix, 8);
    armilla_sht_options_init(&options);
    options.ring_orders = ARMILLA_RING_ORDERS_ECTRANS;
    check_ok(armilla_iqu_new(grid, L, L, &options, &iqu));
    spin_random_alm(2, &k.c, 0, alm);
    spin_random_alm(3, &c2, 0, alm + size);
    check_ok(armilla_iqu_synthesis(iqu, alm, map, NULL));
    check_ok(armilla_sht_synthesis(scalar, alm, other, NULL));
    check_ok(armilla_sht_synthesis(polar, alm + size, other + npix, NULL));
    assert_memory_equal(map, other, 24 * (size_t)npix);
    armilla_iqu_free(iqu);
    armilla_sht_free(scalar), armilla_sht_free(polar);
    armilla_grid_free(grid);
    free(alm), free(map), free(other);
}

/* --- What is refused -------------------------------------------------------------------------- */

static void check_refused(const char *name, armilla_sht_options options, armilla_status status,
                          const char *text)
{
    armilla_grid *grid = named(name);
    armilla_sht *sht = NULL;
    check_error(armilla_sht_new(grid, 7, 7, &options, &sht), status, text);
    assert_null(sht);
    armilla_grid_free(grid);
}

static void what_is_not_honoured_is_refused(void **state)
{
    (void)state;
    int64_t limits[16] = {1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 4, 3, 2, 1};
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.ring_orders = ARMILLA_RING_ORDERS_ECTRANS;
    check_refused("cc:16x32", options, ARMILLA_ERROR_ARGUMENT, "options->ring_orders");
    options.method = ARMILLA_SHT_RESAMPLE;
    check_refused("O8", options, ARMILLA_ERROR_ARGUMENT, "ARMILLA_SHT_RESAMPLE");
    options.method = ARMILLA_SHT_AUTO, options.choices = "sht.flow=1";
    check_refused("O8", options, ARMILLA_ERROR_ARGUMENT, "sht.flow");
    options.choices = NULL, options.mres = 7;
    check_refused("O8", options, ARMILLA_ERROR_ARGUMENT, "options->ring_orders");
    options.mres = 1, options.device = ARMILLA_CUDA;
    check_refused("O8", options, ARMILLA_ERROR_UNSUPPORTED, "options->ring_orders");
    options.device = ARMILLA_CPU, options.ring_limits = limits;
    check_refused("O8", options, ARMILLA_ERROR_ARGUMENT, "options->ring_orders = 1");
    options.ring_orders = ARMILLA_RING_ORDERS_LISTED, options.ring_limits = NULL;
    check_refused("O8", options, ARMILLA_ERROR_ARGUMENT, "options->ring_limits = NULL");
    options.ring_limits = limits, limits[15] = 0;
    check_refused("O8", options, ARMILLA_ERROR_ARGUMENT, "options->ring_limits[15] = 0");
    limits[15] = 1, limits[5] = limits[10] = 4;
    check_refused("O8", options, ARMILLA_ERROR_ARGUMENT, "must not fall");
    limits[5] = -1;
    check_refused("O8", options, ARMILLA_ERROR_ARGUMENT, "options->ring_limits[5] = -1");
    options.ring_orders = (armilla_ring_orders)3;
    check_refused("O8", options, ARMILLA_ERROR_ARGUMENT, "options->ring_orders = 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_those_of_ectrans),
        cmocka_unit_test(rings_have_their_orders),
        cmocka_unit_test(larger_plans_have_passes),
        cmocka_unit_test(what_is_missing_is_not_exact),
        cmocka_unit_test(steps_agree_with_the_limits),
        cmocka_unit_test(two_plans_of_polarisation_have_the_limits),
        cmocka_unit_test(what_is_not_honoured_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

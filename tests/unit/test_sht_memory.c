/* Checks that a call takes no more memory beyond input and output than docs/architecture.md 1
 * allows, by default and with host_bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>

static armilla_sht *new_plan_of_orders(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                       int64_t spin, int64_t host_bytes)
{
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = spin, options.host_bytes = host_bytes;
    check_ok(armilla_sht_new(grid, lmax, mmax, &options, &sht));
    return sht;
}

static armilla_sht *new_plan(const armilla_grid *grid, int64_t lmax, int64_t spin,
                             int64_t host_bytes)
{
    return new_plan_of_orders(grid, lmax, lmax, spin, host_bytes);
}

static armilla_sht_description describe(const armilla_sht *sht)
{
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_sht_describe(sht, 1, &d));
    return d;
}

static double array_bytes(const armilla_sht_description *d)
{
    return (double)(8 * d->npix * d->ncomp + 16 * d->alm_size * d->alm_ncomp);
}

/* Half of leg, and none of the caps, where it waits in the arrays of the call. */
static void leg_is_mostly_in_the_arrays(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(1024);
    for (int64_t lmax = 2047; lmax <= 3071; lmax += 1024) {
        armilla_sht *sht = new_plan(grid, lmax, 0, 0);
        const armilla_sht_description d = describe(sht);
        assert_true((double)d.workspace_bytes < 0.27 * array_bytes(&d));
        armilla_sht_free(sht);
    }
    armilla_grid_free(grid);
}

static double part_of_input_and_output(const armilla_grid *grid, int64_t lmax, int64_t spin)
{
    armilla_sht *sht = new_plan(grid, lmax, spin, 0);
    const armilla_sht_description d = describe(sht);
    armilla_sht_free(sht);
    return (double)(d.plan_bytes + d.workspace_bytes) / array_bytes(&d);
}

static void check_memory(const char *name, armilla_grid *grid, int64_t lmax)
{
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        double part = part_of_input_and_output(grid, lmax, spin);
        if (!(part <= 0.44))
            print_error("%s lmax %lld spin %lld: %.1f %% of input and output\n", name,
                        (long long)lmax, (long long)spin, 100 * part);
        assert_true(part <= 0.44);
    }
    armilla_grid_free(grid);
}

static void large_transforms_need_little_memory(void **state)
{
    (void)state;
    armilla_grid *grid;
    for (int64_t nside = 1024; nside <= 2048; nside *= 2) {
        check_ok(armilla_grid_new_healpix(nside, &grid));
        check_memory("HEALPix", grid, 2 * nside);
    }
    check_ok(armilla_grid_new_gauss_legendre(2048, 4096, &grid));
    check_memory("Gauss-Legendre", grid, 2047);
}

/* What a plan and a call take of the host_bytes that are `times` the arrays. */
static double part_of_host_bytes(const armilla_grid *grid, int64_t lmax, int64_t spin, double times)
{
    armilla_sht *sht = new_plan(grid, lmax, spin, 0);
    armilla_sht_description d = describe(sht);
    const double bytes = times * array_bytes(&d);
    armilla_sht_free(sht);
    sht = new_plan(grid, lmax, spin, (int64_t)bytes);
    d = describe(sht);
    armilla_sht_free(sht);
    return (double)(d.plan_bytes + d.workspace_bytes) / bytes;
}

static void host_bytes_are_taken_and_no_more(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(1024);
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        const double little = part_of_host_bytes(grid, 2048, spin, 0.38);
        const double much = part_of_host_bytes(grid, 2048, spin, 1.5);
        assert_true(little > 0.9 && little <= 1); /* 0.82 without starts */
        assert_true(much > 0.7 && much <= 1);
    }
    armilla_grid_free(grid);
}

/* Plans with as little memory as possible, and with plenty. */
static void check_results(const char *name, const armilla_grid *grid, int64_t lmax, int64_t mmax,
                          int64_t spin)
{
    armilla_sht *some = new_plan_of_orders(grid, lmax, mmax, spin, 1);
    armilla_sht *much = new_plan_of_orders(grid, lmax, mmax, spin, 1 << 30);
    const armilla_sht_description d = describe(some), e = describe(much);
    const int64_t nmap = d.npix * d.ncomp, nalm = 2 * d.alm_size * d.alm_ncomp;
    double *alm = checked_malloc(nalm, sizeof *alm), *back = checked_malloc(2 * nalm, sizeof *back);
    double *map = checked_malloc(2 * nmap, sizeof *map);
    for (int64_t c = 0; c < d.alm_ncomp; c++)
        random_alm_triangle(5 + (uint64_t)c, lmax, mmax, alm + 2 * c * d.alm_size);
    assert_true(d.workspace_bytes < e.workspace_bytes);
    check_ok(armilla_sht_synthesis(some, alm, map, NULL));
    check_ok(armilla_sht_synthesis(much, alm, map + nmap, NULL));
    check_at_most(rms_error(nmap, map + nmap, map), 1e-13, "%s, spin %d: synthesis", name,
                  (int)spin);
    check_ok(armilla_sht_analysis(some, map, back, NULL));
    check_ok(armilla_sht_analysis(much, map, back + nalm, NULL));
    check_at_most(rms_error(nalm, back + nalm, back), 1e-13, "%s, spin %d: analysis", name,
                  (int)spin);
    check_threads_agree(some, nalm, nmap, alm);
    armilla_sht_free(some), armilla_sht_free(much);
    free(alm), free(map), free(back);
}

static void results_do_not_depend_on_memory(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        armilla_grid *grid;
        grid = healpix_grid(320);
        check_results("HEALPix", grid, 640, 640, spin);
        check_results("HEALPix", grid, 640, 400, spin);
        armilla_grid_free(grid);
        check_ok(armilla_grid_new_gauss_legendre(1400, 500, &grid));
        check_results("Gauss-Legendre", grid, 240, 240, spin);
        armilla_grid_free(grid);
        check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_MW, 661, 1322, &grid));
        check_results("MW", grid, 660, 660, spin);
        armilla_grid_free(grid);
        grid = exact_grid(ARMILLA_GRID_CC, 500, 500, 0, 0);
        check_results("CC", grid, 500, 300, spin);
        armilla_grid_free(grid);
    }
}

/* --- Leg in the arrays of a call ------------------------------------------------------------- */

enum { NSIDE = 320, BAND = 640 };

/* A plan with as little memory as possible, whose leg waits in maps and in alm. */
static armilla_sht *new_small(const armilla_alm_layout *layout, armilla_sht_mode mode, int64_t spin)
{
    armilla_sht *sht;
    armilla_sht_options options;
    armilla_grid *grid = healpix_grid(NSIDE);
    armilla_sht_options_init(&options);
    options.layout = layout, options.mode = mode, options.spin = spin, options.host_bytes = 1;
    check_ok(armilla_sht_new(grid, BAND, BAND, &options, &sht));
    armilla_grid_free(grid);
    return sht;
}

/* Several transforms at once, arrays with gaps that begin anywhere; then one by one. */
static void several_transforms_have_their_own_arrays(void **state)
{
    (void)state;
    enum { NTRANS = 3, GAP = 5 };
    armilla_sht *sht = new_small(NULL, ARMILLA_SHT_STANDARD, 0);
    const armilla_sht_description d = describe(sht);
    const int64_t nalm = 2 * (d.alm_size + GAP), nmap = d.npix + GAP;
    double *alm = checked_calloc(2 * NTRANS * nalm, sizeof *alm);
    double *map = checked_calloc(2 * NTRANS * nmap, sizeof *map), *back = alm + NTRANS * nalm;
    double *single = map + NTRANS * nmap;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = NTRANS, exec.alm_distance = d.alm_size + GAP, exec.map_distance = nmap;
    for (int64_t t = 0; t < NTRANS; t++)
        random_alm_triangle(20 + (uint64_t)t, BAND, BAND, alm + t * nalm);
    check_ok(armilla_sht_synthesis(sht, alm, map + 1, &exec));
    check_ok(armilla_sht_adjoint_synthesis(sht, map + 1, back, &exec));
    double *expected = checked_malloc(nalm, sizeof *expected);
    for (int64_t t = 0; t < NTRANS; t++) {
        check_ok(armilla_sht_synthesis(sht, alm + t * nalm, single, NULL));
        check_at_most(rms_error(d.npix, single, map + 1 + t * nmap), 1e-14, "map %d", (int)t);
        check_ok(armilla_sht_adjoint_synthesis(sht, map + 1 + t * nmap, expected, NULL));
        check_at_most(rms_error(2 * d.alm_size, expected, back + t * nalm), 1e-14, "alm %d",
                      (int)t);
    }
    armilla_sht_free(sht);
    free(alm), free(map), free(expected);
}

/* Arrays that leg cannot wait in: floats, coefficients with others between them, one set of
 * coefficients for two maps. */
static void other_arrays_have_the_same_results(void **state)
{
    (void)state;
    armilla_alm_layout *wide;
    int64_t mstart[BAND + 1];
    for (int64_t m = 0; m <= BAND; m++) mstart[m] = 2 * (armilla_alm_index(BAND, m, m) - m);
    check_ok(armilla_alm_layout_new_custom(BAND, BAND, mstart, 2, &wide));
    armilla_sht *sht = new_small(NULL, ARMILLA_SHT_STANDARD, 0);
    armilla_sht *strided = new_small(wide, ARMILLA_SHT_STANDARD, 0);
    const int64_t nalm = 2 * describe(sht).alm_size, npix = describe(sht).npix;
    double *alm = checked_malloc(4 * nalm, sizeof *alm), *found = alm + nalm,
           *spread = found + nalm;
    double *map = checked_malloc(2 * npix, sizeof *map), *other = map + npix;
    float *single = checked_malloc(nalm + npix, sizeof *single), *small_map = single + nalm;
    random_alm_triangle(30, BAND, BAND, alm);
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    check_ok(armilla_sht_adjoint_synthesis(sht, map, found, NULL));
    check_ok(armilla_sht_adjoint_synthesis(strided, map, spread, NULL));
    for (int64_t i = 0; i < nalm / 2; i++)
        assert_true(fabs(spread[4 * i] - found[2 * i]) <= 1e-7 &&
                    fabs(spread[4 * i + 1] - found[2 * i + 1]) <= 1e-7);
    to_float(nalm, alm, single);
    check_ok(armilla_sht_synthesis_float(sht, single, small_map, NULL));
    to_double(npix, small_map, other);
    check_at_most(rms_error(npix, map, other), 1e-6, "map of floats");
    check_ok(armilla_sht_adjoint_synthesis_float(sht, small_map, single, NULL));
    to_double(nalm, single, spread);
    check_at_most(rms_error(nalm, found, spread), 1e-6, "coefficients of floats");
    armilla_sht_free(sht), armilla_sht_free(strided);
    armilla_alm_layout_free(wide);
    free(alm), free(map), free(single);
}

static void one_set_of_coefficients_has_two_maps(void **state)
{
    (void)state;
    armilla_sht *two = new_small(NULL, ARMILLA_SHT_STANDARD, 1);
    armilla_sht *one = new_small(NULL, ARMILLA_SHT_GRADIENT_ONLY, 1);
    const int64_t nalm = 2 * describe(one).alm_size, npix = describe(one).npix;
    double *alm = checked_malloc(3 * nalm, sizeof *alm);
    double *map = checked_malloc(2 * npix, sizeof *map);
    random_fill(31, 2 * npix, map);
    check_ok(armilla_sht_adjoint_synthesis(two, map, alm, NULL));
    check_ok(armilla_sht_adjoint_synthesis(one, map, alm + 2 * nalm, NULL));
    check_at_most(rms_error(nalm, alm, alm + 2 * nalm), 1e-13, "gradient");
    armilla_sht_free(one), armilla_sht_free(two);
    free(alm), free(map);
}

/* The plan of spin 2 takes its orders in parts, with the rings' transforms of the scalar plan,
 * which does not. */
static void plans_of_iqu_may_take_orders_differently(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(NSIDE);
    armilla_iqu *iqu[2];
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    for (int i = 0; i < 2; i++) {
        options.host_bytes = i ? 1 << 30 : 25000000;
        check_ok(armilla_iqu_new(grid, BAND, BAND, &options, &iqu[i]));
    }
    const int64_t npix = armilla_grid_npix(grid), size = 2 * armilla_alm_size(BAND, BAND);
    float *map = checked_malloc(3 * npix, sizeof *map),
          *alm = checked_malloc(6 * size, sizeof *alm);
    double *values = checked_malloc(3 * npix, sizeof *values);
    random_fill(40, 3 * npix, values);
    to_float(3 * npix, values, map);
    for (int i = 0; i < 2; i++)
        check_ok(armilla_iqu_analysis_float(iqu[i], map, alm + i * 3 * size, NULL));
    to_double(3 * size, alm, values);
    double *other = checked_malloc(3 * size, sizeof *other);
    to_double(3 * size, alm + 3 * size, other);
    check_at_most(rms_error(3 * size, other, values), 1e-6, "T, E and B");
    for (int i = 0; i < 2; i++) armilla_iqu_free(iqu[i]);
    armilla_grid_free(grid);
    free(map), free(alm), free(values), free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_transforms_need_little_memory),
        cmocka_unit_test(leg_is_mostly_in_the_arrays),
        cmocka_unit_test(host_bytes_are_taken_and_no_more),
        cmocka_unit_test(results_do_not_depend_on_memory),
        cmocka_unit_test(several_transforms_have_their_own_arrays),
        cmocka_unit_test(other_arrays_have_the_same_results),
        cmocka_unit_test(one_set_of_coefficients_has_two_maps),
        cmocka_unit_test(plans_of_iqu_may_take_orders_differently),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

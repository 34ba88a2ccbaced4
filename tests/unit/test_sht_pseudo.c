/* Checks pseudo_analysis: LSMR finds the band-limited field or the least squares solution, Jacobi
 * is the iteration it says it is, reports tell the truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_sht_problem.h"
#include <stdlib.h>
#include <string.h>

static void check_recovery(int64_t nside, int64_t spin)
{
    problem p;
    problem_open_spin(&p, healpix_grid(nside), 3 * nside / 2, spin);
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.tolerance = 1e-12;
    armilla_pseudo_report report;
    check_ok(armilla_sht_pseudo_analysis(p.sht, p.map, p.found, &options, &report, NULL));
    check_at_most(rms_error(p.size, p.alm, p.found), 1e-9, "nside = %d, spin = %d", (int)nside,
                  (int)spin);
    assert_true(report.stop == ARMILLA_STOP_RESIDUAL || report.stop == ARMILLA_STOP_GRADIENT);
    assert_true(report.iterations > 0 && report.iterations < 100);
    check_at_most(report.residual, 1e-11, "reported residual, nside = %d", (int)nside);
    check_at_most(subtract_model(&p), 1e-11, "true residual, nside = %d", (int)nside);
    problem_close(&p);
}

static void lsmr_recovers_band_limited_fields(void **state)
{
    (void)state;
    static const int64_t nsides[] = {1, 2, 5, 8, 16, 32};
    for (size_t i = 0; i < sizeof nsides / sizeof *nsides; i++) check_recovery(nsides[i], 0);
    for (size_t i = 1; i < sizeof nsides / sizeof *nsides; i++) check_recovery(nsides[i], 2);
    check_recovery(8, -1);
    check_recovery(8, 5);
}

/* Noise is not band-limited: the gradient Y^T (map - Y a) vanishes instead of the residual. */
static void lsmr_solves_least_squares(void **state)
{
    (void)state;
    problem p;
    problem_open(&p, healpix_grid(8), 12);
    random_fill(42, p.npix, p.map);
    armilla_pseudo_report report;
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.tolerance = 1e-11;
    check_ok(armilla_sht_pseudo_analysis(p.sht, p.map, p.found, &options, &report, NULL));
    assert_int_equal(report.stop, ARMILLA_STOP_GRADIENT);
    double residual = subtract_model(&p);
    check_at_most(fabs(report.residual - residual), 1e-6 * residual, "reported residual");
    check_ok(armilla_sht_adjoint_synthesis(p.sht, p.model, p.alm, NULL));
    double gradient = sqrt(dot_alm(12, 12, p.alm, p.alm));
    double norm_y = sqrt((double)p.npix / (4 * M_PI)); /* Y^T Y is nearly npix / (4 pi) */
    double scale = norm_y * residual * sqrt(dot_maps(p.npix, p.map, p.map));
    check_at_most(gradient / scale, 1e-10, "true gradient");
    check_at_most(report.gradient, 1e-11, "reported gradient");
    problem_close(&p);
}

static void check_jacobi(int64_t spin)
{
    for (int64_t niter = 0; niter < 5; niter++) {
        problem p;
        problem_open_spin(&p, healpix_grid(8), 20, spin);
        random_fill(43, p.npix, p.map);
        armilla_pseudo_options options;
        armilla_pseudo_options_init(&options);
        options.method = ARMILLA_PSEUDO_JACOBI;
        options.max_iterations = niter;
        armilla_pseudo_report report;
        check_ok(armilla_sht_pseudo_analysis(p.sht, p.map, p.alm, &options, &report, NULL));
        double *step = checked_malloc(p.size, sizeof *step);
        check_ok(armilla_sht_analysis(p.sht, p.map, p.found, NULL));
        for (int64_t i = 0; i < niter; i++) {
            subtract_model(&p);
            check_ok(armilla_sht_analysis(p.sht, p.model, step, NULL));
            for (int64_t k = 0; k < p.size; k++) p.found[k] += step[k];
        }
        check_at_most(rms_error(p.size, p.found, p.alm), 1e-14, "niter = %d, spin = %d", (int)niter,
                      (int)spin);
        assert_int_equal(report.iterations, niter);
        assert_int_equal(report.stop, ARMILLA_STOP_ITERATIONS);
        assert_true(isnan(report.gradient));
        double residual = subtract_model(&p);
        check_at_most(fabs(report.residual - residual), 1e-9 * residual, "residual, niter = %d",
                      (int)niter);
        free(step);
        problem_close(&p);
    }
}

static void jacobi_equals_explicit_iteration(void **state)
{
    (void)state;
    check_jacobi(0);
    check_jacobi(2);
}

static void several_maps_zero_map_and_limit(void **state)
{
    (void)state;
    problem p;
    problem_open(&p, healpix_grid(8), 12);
    double *maps = checked_calloc(3 * p.npix, sizeof *maps);
    double *alms = checked_malloc(3 * p.size, sizeof *alms);
    memcpy(maps, p.map, (size_t)p.npix * sizeof *maps);
    random_fill(44, p.npix, maps + 2 * p.npix);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = 3;
    armilla_pseudo_report reports[3];
    check_ok(armilla_sht_pseudo_analysis(p.sht, maps, alms, NULL, reports, &exec));
    check_at_most(rms_error(p.size, p.alm, alms), 1e-8, "first of three maps");
    assert_int_equal(reports[1].stop, ARMILLA_STOP_ZERO);
    check_at_most(dot_maps(p.size, alms + p.size, alms + p.size), 0, "zero map");
    check_ok(armilla_sht_pseudo_analysis(p.sht, maps + 2 * p.npix, p.found, NULL, NULL, NULL));
    check_at_most(rms_error(p.size, p.found, alms + 2 * p.size), 1e-12, "third of three maps");

    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.max_iterations = 2;
    check_ok(armilla_sht_pseudo_analysis(p.sht, p.map, p.found, &options, reports, NULL));
    assert_int_equal(reports[0].stop, ARMILLA_STOP_ITERATIONS);
    assert_int_equal(reports[0].iterations, 2);
    check_at_most(fabs(reports[0].residual - subtract_model(&p)), 1e-9, "residual at the limit");
    free(alms);
    free(maps);
    problem_close(&p);
}

/* A number of 2^1023 or more, which a map may hold, has no power of two above it. */
static void largest_numbers(void **state)
{
    (void)state;
    problem p;
    problem_open(&p, healpix_grid(4), 6);
    memset(p.map, 0, (size_t)p.npix * sizeof *p.map);
    p.map[17] = 1.5;
    check_ok(armilla_sht_pseudo_analysis(p.sht, p.map, p.alm, NULL, NULL, NULL));
    p.map[17] = 0x1.8p1023;
    check_ok(armilla_sht_pseudo_analysis(p.sht, p.map, p.found, NULL, NULL, NULL));
    for (int64_t i = 0; i < p.size; i++) p.found[i] = ldexp(p.found[i], -1023);
    check_at_most(rms_error(p.size, p.alm, p.found), 1e-12, "2^1023 times as large");
    problem_close(&p);
}

static void float_maps(void **state)
{
    (void)state;
    problem p;
    problem_open(&p, healpix_grid(8), 12);
    float *map = checked_malloc(p.npix, sizeof *map), *alm = checked_malloc(p.size, sizeof *alm);
    to_float(p.npix, p.map, map);
    armilla_pseudo_report report;
    check_ok(armilla_sht_pseudo_analysis_float(p.sht, map, alm, NULL, &report, NULL));
    to_double(p.size, alm, p.found);
    check_at_most(rms_error(p.size, p.alm, p.found), 1e-6, "float");
    free(alm);
    free(map);
    problem_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lsmr_recovers_band_limited_fields),
        cmocka_unit_test(lsmr_solves_least_squares),
        cmocka_unit_test(jacobi_equals_explicit_iteration),
        cmocka_unit_test(several_maps_zero_map_and_limit),
        cmocka_unit_test(largest_numbers),
        cmocka_unit_test(float_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks the analysis that goes on until it is right: no step where the quadrature is exact, a few
 * on grids of weather models, and an honest end where steps lead nowhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/progress.h"
#include "oracle/checks.h"
#include "oracle/spin_checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A plan, a random field, its map, and what comes back. */
typedef struct {
    spin_case c;
    armilla_grid *grid;
    armilla_sht *sht;
    int64_t size, npix;
    double *alm, *map, *back;
    armilla_pseudo_options options;
    armilla_pseudo_report report;
} scene;

static scene open_scene(const char *name, int64_t lmax, int64_t spin)
{
    scene s = {.c = {.lmax = lmax, .mmax = lmax, .spin = spin}};
    check_ok(armilla_grid_new_named(name, &s.grid));
    s.sht = spin_plan(s.grid, &s.c);
    s.size = spin_size(&s.c), s.npix = armilla_grid_npix(s.grid) * (spin ? 2 : 1);
    s.alm = checked_malloc(s.size, sizeof *s.alm), s.back = checked_malloc(s.size, sizeof *s.alm);
    s.map = checked_malloc(s.npix, sizeof *s.map);
    spin_random_alm(5, &s.c, 0, s.alm);
    check_ok(armilla_sht_synthesis(s.sht, s.alm, s.map, NULL));
    armilla_pseudo_options_init(&s.options);
    s.options.method = ARMILLA_PSEUDO_AUTO;
    return s;
}

static double run(scene *s)
{
    memset(s->back, 0, (size_t)s->size * sizeof *s->back);
    check_ok(armilla_sht_pseudo_analysis(s->sht, s->map, s->back, &s->options, &s->report, NULL));
    return rms_error(s->size, s->alm, s->back);
}

static void close_scene(scene *s)
{
    free(s->alm), free(s->map), free(s->back);
    armilla_sht_free(s->sht);
    armilla_grid_free(s->grid);
}

static void exact_analysis_takes_no_step(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t lmax;
    } cases[] = {{"O32", 31}, {"N32", 31}, {"F32", 63}, {"cc:33x63", 31}, {"gl:1x1", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int64_t spin = 0; spin <= 2 && spin <= cases[i].lmax; spin += 2) {
            scene s = open_scene(cases[i].name, cases[i].lmax, spin);
            check_at_most(run(&s), 1e-13, "%s, spin %lld", cases[i].name, (long long)spin);
            assert_int_equal(s.report.stop, ARMILLA_STOP_EXACT);
            assert_int_equal(s.report.iterations, 0);
            assert_true(s.report.gradient == 0 && isnan(s.report.residual));
            double *plain = checked_malloc(s.size, sizeof *plain);
            check_ok(armilla_sht_analysis(s.sht, s.map, plain, NULL));
            check_at_most(rms_error(s.size, plain, s.back), 1e-15, "%s: analysis", cases[i].name);
            free(plain);
            close_scene(&s);
        }
}

static void reduced_grids_take_few_steps(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int64_t lmax, most;
    } cases[] = {{"N32", 63, 3}, {"N48", 95, 3}, {"O32", 42, 2}, {"H32", 48, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int64_t spin = 0; spin <= 2; spin += 2) {
            scene s = open_scene(cases[i].name, cases[i].lmax, spin);
            check_at_most(run(&s), 3e-14, "%s, spin %lld", cases[i].name, (long long)spin);
            assert_int_equal(s.report.stop, ARMILLA_STOP_CHANGE);
            if (s.report.iterations < 1 || s.report.iterations > cases[i].most)
                fail_msg("%s, spin %lld: %lld steps", cases[i].name, (long long)spin,
                         (long long)s.report.iterations);
            assert_true(s.report.gradient < 1e-10 && s.report.residual < 1e-6);
            close_scene(&s);
        }
}

static void floats_end_where_they_are_right(void **state)
{
    (void)state;
    scene s = open_scene("N32", 63, 0);
    float *map = checked_malloc(s.npix, sizeof *map), *alm = checked_malloc(s.size, sizeof *alm);
    to_float(s.npix, s.map, map);
    check_ok(armilla_sht_pseudo_analysis_float(s.sht, map, alm, &s.options, &s.report, NULL));
    to_double(s.size, alm, s.back);
    check_at_most(rms_error(s.size, s.alm, s.back), 1e-6, "floats");
    assert_int_equal(s.report.stop, ARMILLA_STOP_CHANGE);
    assert_in_range(s.report.iterations, 1, 2);
    free(map), free(alm);
    close_scene(&s);
}

/* Where lmax is far above what the pixels hold, steps grow; the result is the best there was. */
static void steps_that_grow_are_told(void **state)
{
    (void)state;
    scene s = open_scene("H8", 32, 0);
    armilla_pseudo_options plain = s.options;
    plain.method = ARMILLA_PSEUDO_JACOBI;
    double *best = checked_malloc(s.size, sizeof *best);
    run(&s);
    assert_int_equal(s.report.stop, ARMILLA_STOP_CONDITION);
    assert_true(s.report.gradient > 1e-3);
    plain.max_iterations = s.report.iterations;
    check_ok(armilla_sht_pseudo_analysis(s.sht, s.map, best, &plain, NULL, NULL));
    check_at_most(rms_error(s.size, best, s.back), 1e-12, "what is given back");
    free(best);
    close_scene(&s);
}

static void the_limit_is_kept(void **state)
{
    (void)state;
    scene s = open_scene("H16", 32, 0);
    s.options.max_iterations = 2;
    run(&s);
    assert_int_equal(s.report.stop, ARMILLA_STOP_ITERATIONS);
    assert_int_equal(s.report.iterations, 2);
    s.options.max_iterations = 0;
    run(&s);
    assert_int_equal(s.report.stop, ARMILLA_STOP_ITERATIONS);
    assert_int_equal(s.report.iterations, 0);
    close_scene(&s);
}

/* A mask takes the exactness away; a guess saves steps; a map of zeros is one. */
static void masks_guesses_and_zeros(void **state)
{
    (void)state;
    scene s = open_scene("F16", 15, 0);
    double *weights = checked_malloc(s.npix, sizeof *weights);
    for (int64_t p = 0; p < s.npix; p++) weights[p] = p % 50 ? 1 : 0.5;
    s.options.weights = weights;
    check_at_most(run(&s), 1e-13, "with weights");
    assert_int_equal(s.report.stop, ARMILLA_STOP_CHANGE);
    assert_true(s.report.iterations > 1);
    s.options.weights = NULL, s.options.guess = s.alm;
    check_at_most(run(&s), 1e-13, "from the solution");
    assert_int_equal(s.report.stop, ARMILLA_STOP_CHANGE);
    assert_in_range(s.report.iterations, 0, 2);
    memset(s.map, 0, (size_t)s.npix * sizeof *s.map);
    check_ok(armilla_sht_pseudo_analysis(s.sht, s.map, s.back, &s.options, &s.report, NULL));
    assert_int_equal(s.report.stop, ARMILLA_STOP_ZERO);
    s.options.method = (armilla_pseudo_method)3;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, s.back, &s.options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "ARMILLA_PSEUDO_AUTO");
    free(weights);
    close_scene(&s);
}

/* l (l + 1) in the coefficients: analysis does not invert that. */
static void derivatives_are_not_exact(void **state)
{
    (void)state;
    scene s = open_scene("F8", 15, 0);
    const spin_case c = {.lmax = 15, .mmax = 15, .spin = 1, .mode = ARMILLA_SHT_DERIVATIVES};
    armilla_sht *sht = spin_plan(s.grid, &c);
    double *map = checked_malloc(2 * s.npix, sizeof *map);
    check_ok(armilla_sht_synthesis(sht, s.alm, map, NULL));
    check_ok(armilla_sht_pseudo_analysis(sht, map, s.back, &s.options, &s.report, NULL));
    assert_int_equal(s.report.stop, ARMILLA_STOP_CONDITION);
    s.options.method = ARMILLA_PSEUDO_JACOBI, s.options.max_iterations = 3;
    check_error(armilla_sht_pseudo_analysis(sht, map, s.back, &s.options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "ARMILLA_PSEUDO_LSMR with DERIVATIVES");
    s.options.max_iterations = 0, s.options.guess = s.alm;
    check_error(armilla_sht_pseudo_analysis(sht, map, s.back, &s.options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "ARMILLA_PSEUDO_JACOBI");
    s.options.guess = NULL; /* plain analysis */
    check_ok(armilla_sht_pseudo_analysis(sht, map, s.back, &s.options, NULL, NULL));
    free(map);
    armilla_sht_free(sht);
    close_scene(&s);
}

static int count_reports(void *data, double fraction)
{
    double *before = data;
    assert_true(fraction >= *before && fraction <= 1);
    *before = fraction;
    return 0;
}

static void progress_rises(void **state)
{
    (void)state;
    scene s = open_scene("H16", 24, 0);
    double before = 0;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.progress = count_reports, exec.progress_data = &before;
    armilla_progress_set_interval(0);
    check_ok(armilla_sht_pseudo_analysis(s.sht, s.map, s.back, &s.options, &s.report, &exec));
    assert_true(before > 0);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_analysis_takes_no_step),
        cmocka_unit_test(reduced_grids_take_few_steps),
        cmocka_unit_test(floats_end_where_they_are_right),
        cmocka_unit_test(steps_that_grow_are_told),
        cmocka_unit_test(the_limit_is_kept),
        cmocka_unit_test(masks_guesses_and_zeros),
        cmocka_unit_test(derivatives_are_not_exact),
        cmocka_unit_test(progress_rises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

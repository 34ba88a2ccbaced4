/* Checks least squares from values at points: those of pixels are those of the grid's map; minima
 * are minima; weights, guesses, limits; what is wrong is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "unit/test_points_scene.h"
#include "unit/test_watcher.h"

enum { LMAX = 12, COUNT = 700 };

static const spin_case scalar = {.lmax = LMAX, .mmax = LMAX};
static const spin_case polar = {.lmax = LMAX, .mmax = LMAX, .spin = 2};

static armilla_pseudo_options to_tolerance(double tolerance)
{
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.tolerance = tolerance;
    return options;
}

static double alm_error(const spin_case *c, const double *wanted, const double *alm)
{
    return rms_error(spin_size(c), wanted, alm);
}

/* --- What is found ---------------------------------------------------------------------------- */

static void coefficients_are_found(void **state)
{
    (void)state;
    const spin_case cases[] = {
        scalar,
        polar,
        {.lmax = LMAX, .mmax = 9, .spin = -1},
        {.lmax = LMAX, .mmax = LMAX, .spin = 1, .mode = ARMILLA_SHT_DERIVATIVES},
        {.lmax = LMAX, .mmax = LMAX, .spin = 2, .mode = ARMILLA_SHT_GRADIENT_ONLY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        points_scene s;
        points_scene_open(&s, &cases[i], 1e-12, RANDOM, COUNT);
        if (cases[i].mode == ARMILLA_SHT_DERIVATIVES) s.alm[0] = 0; /* has no derivative */
        double *values = checked_malloc(points_values(&s), 8), *alm = checked_malloc(s.size, 8);
        const armilla_pseudo_options options = to_tolerance(1e-12);
        armilla_pseudo_report report;
        random_fill(3, s.size, alm);
        check_ok(armilla_points_synthesis(s.plan, s.alm, values, NULL));
        check_ok(armilla_points_pseudo_analysis(s.plan, values, alm, &options, &report, NULL));
        check_at_most(alm_error(&cases[i], s.alm, alm), 1e-10, "case %d", (int)i);
        assert_true(report.stop == ARMILLA_STOP_RESIDUAL || report.stop == ARMILLA_STOP_GRADIENT);
        assert_true(report.iterations > 3 && report.iterations < 100);
        check_at_most(report.residual, 1e-11, "residual");
        free(alm), free(values);
        points_scene_close(&s);
    }
}

/* Points that are the pixels of a grid, of any values and weights: the same minimum, by the same
 * iterations. */
static void pixels_give_what_the_grid_gives(void **state)
{
    (void)state;
    enum { NSIDE = 8, NPIX = 768 };
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(NSIDE, &grid));
    armilla_ring *rings = grid_rings(grid);
    double *points = checked_malloc(2 * NPIX, 8), *weights = checked_malloc(NPIX, 8);
    for (int64_t r = 0; r < armilla_grid_nrings(grid); r++)
        for (int64_t j = 0; j < rings[r].nphi; j++) {
            double *p = points + 2 * (rings[r].offset + j);
            p[0] = rings[r].theta;
            p[1] = rings[r].phi0 + 2 * M_PI * (double)j / (double)rings[r].nphi;
        }
    random_fill(8, NPIX, weights);
    for (int64_t i = 0; i < NPIX; i++) weights[i] = i % 50 ? 1 + 0.9 * weights[i] : 0;
    for (int i = 0; i < 2; i++) {
        const spin_case *c = i ? &polar : &scalar;
        armilla_points_options made;
        armilla_points_options_init(&made);
        made.spin = c->spin, made.epsilon = 1e-13;
        armilla_points *plan;
        armilla_sht *sht = spin_plan(grid, c);
        check_ok(armilla_points_new(LMAX, LMAX, NPIX, points, &made, &plan));
        double *map = checked_malloc(2 * NPIX, 8), *alm[2];
        armilla_pseudo_report report[2];
        armilla_pseudo_options options = to_tolerance(1e-11);
        options.weights = weights;
        random_fill(9, 2 * NPIX, map);
        map[0] = map[100] = NAN; /* of weight 0 */
        for (int k = 0; k < 2; k++) alm[k] = checked_malloc(spin_size(c), 8);
        check_ok(armilla_points_pseudo_analysis(plan, map, alm[0], &options, &report[0], NULL));
        check_ok(armilla_sht_pseudo_analysis(sht, map, alm[1], &options, &report[1], NULL));
        check_at_most(alm_error(c, alm[1], alm[0]), 1e-9, "spin %d", (int)c->spin);
        assert_int_equal(report[0].stop, ARMILLA_STOP_GRADIENT);
        assert_int_equal(report[0].iterations, report[1].iterations);
        check_at_most(fabs(report[0].residual / report[1].residual - 1), 1e-9, "residual");
        assert_true(report[0].residual > 0.5);
        for (int k = 0; k < 2; k++) free(alm[k]);
        free(map);
        armilla_sht_free(sht);
        armilla_points_free(plan);
    }
    free(weights), free(points), free(rings);
    armilla_grid_free(grid);
}

/* Y^T w (Y a - values) = 0 at the minimum, whatever epsilon is: the adjoint is exact. */
static void minima_are_minima(void **state)
{
    (void)state;
    points_scene s;
    points_scene_open(&s, &polar, 1e-3, RANDOM, COUNT);
    const int64_t count = points_values(&s);
    double *values = checked_malloc(count, 8), *weights = checked_malloc(COUNT, 8);
    double *alm = checked_malloc(s.size, 8), *rest = checked_malloc(count, 8);
    double *gradient[2] = {checked_malloc(s.size, 8), checked_malloc(s.size, 8)};
    random_fill(1, count, values);
    random_fill(2, COUNT, weights);
    for (int64_t i = 0; i < COUNT; i++) weights[i] = 3 + 2 * weights[i];
    armilla_pseudo_options options = to_tolerance(1e-13);
    options.weights = weights;
    check_ok(armilla_points_pseudo_analysis(s.plan, values, alm, &options, NULL, NULL));
    check_ok(armilla_points_synthesis(s.plan, alm, rest, NULL));
    for (int64_t i = 0; i < count; i++) {
        rest[i] = weights[i % COUNT] * (rest[i] - values[i]);
        values[i] *= weights[i % COUNT];
    }
    check_ok(armilla_points_adjoint_synthesis(s.plan, rest, gradient[0], NULL));
    check_ok(armilla_points_adjoint_synthesis(s.plan, values, gradient[1], NULL));
    const double size = sqrt(spin_dot_alm(&polar, gradient[0], gradient[0]) /
                             spin_dot_alm(&polar, gradient[1], gradient[1]));
    check_at_most(size, 1e-11, "gradient");
    free(gradient[0]), free(gradient[1]), free(rest), free(alm), free(weights), free(values);
    points_scene_close(&s);
}

static void guesses_save_iterations(void **state)
{
    (void)state;
    points_scene s;
    points_scene_open(&s, &scalar, 1e-12, RANDOM, COUNT);
    double values[COUNT], *alm = checked_malloc(s.size, 8);
    armilla_pseudo_options options = to_tolerance(1e-9);
    armilla_pseudo_report far, near;
    check_ok(armilla_points_synthesis(s.plan, s.alm, values, NULL));
    check_ok(armilla_points_pseudo_analysis(s.plan, values, alm, &options, &far, NULL));
    options.guess = alm; /* may be alm itself */
    memcpy(alm, s.alm, (size_t)s.size * 8);
    for (int64_t i = 0; i < s.size; i += 2) alm[i] *= 1 + 1e-6;
    check_ok(armilla_points_pseudo_analysis(s.plan, values, alm, &options, &near, NULL));
    check_at_most(alm_error(&scalar, s.alm, alm), 5e-8, "from a guess");
    assert_true(near.iterations > 0 && near.iterations < far.iterations);
    memcpy(alm, s.alm, (size_t)s.size * 8);
    check_ok(armilla_points_pseudo_analysis(s.plan, values, alm, &options, &near, NULL));
    assert_int_equal(near.iterations, 0);
    free(alm);
    points_scene_close(&s);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* Transforms at distances, in floats as well: each as alone; what lies between stays. */
static void several_transforms(void **state)
{
    (void)state;
    enum { NTRANS = 3, FAR = 5 };
    points_scene s;
    points_scene_open(&s, &polar, 1e-8, RANDOM, COUNT);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = NTRANS, exec.map_distance = COUNT + FAR;
    exec.alm_distance = armilla_alm_size(LMAX, LMAX) + FAR;
    const int64_t nval = 2 * NTRANS * exec.map_distance, nalm = 4 * NTRANS * exec.alm_distance;
    double *values = checked_malloc(nval, 8), *alm = checked_malloc(nalm, 8);
    double *wanted = checked_malloc(nalm, 8);
    float *values32 = checked_malloc(nval, 4), *alm32 = checked_malloc(nalm, 4);
    const armilla_pseudo_options options = to_tolerance(1e-9);
    armilla_pseudo_report reports[NTRANS], one;
    random_fill(1, nval, values);
    to_float(nval, values, values32);
    to_double(nval, values32, values);
    for (int64_t i = 0; i < nalm; i++) alm[i] = wanted[i] = 7, alm32[i] = 7;
    check_ok(armilla_points_pseudo_analysis(s.plan, values, alm, &options, reports, &exec));
    check_ok(armilla_points_pseudo_analysis_float(s.plan, values32, alm32, &options, NULL, &exec));
    exec.ntrans = 1;
    for (int64_t t = 0; t < NTRANS; t++) {
        check_ok(armilla_points_pseudo_analysis(s.plan, values + 2 * t * exec.map_distance,
                                                wanted + 4 * t * exec.alm_distance, &options, &one,
                                                &exec));
        assert_memory_equal(&one.residual, &reports[t].residual, sizeof one.residual);
        assert_int_equal(one.iterations, reports[t].iterations);
    }
    assert_memory_equal(alm, wanted, (size_t)nalm * 8);
    for (int64_t i = 0; i < nalm; i++) assert_true(alm32[i] == (float)wanted[i]);
    free(alm32), free(values32), free(wanted), free(alm), free(values);
    points_scene_close(&s);
}

static void limits_and_errors(void **state)
{
    (void)state;
    points_scene s;
    points_scene_open(&s, &scalar, 1e-8, RANDOM, COUNT);
    double values[COUNT], weights[COUNT] = {0}, *alm = checked_malloc(s.size, 8);
    armilla_pseudo_report report;
    armilla_pseudo_options options = to_tolerance(1e-14);
    random_fill(1, COUNT, values);
    options.max_iterations = 2;
    check_ok(armilla_points_pseudo_analysis(s.plan, values, alm, &options, &report, NULL));
    assert_true(report.stop == ARMILLA_STOP_ITERATIONS && report.iterations == 2);
    options.weights = weights;
    check_error(armilla_points_pseudo_analysis(s.plan, values, alm, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "options->weights: all are 0");
    weights[4] = -1;
    check_error(armilla_points_pseudo_analysis(s.plan, values, alm, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "options->weights[4] = -1");
    options.weights = NULL, options.method = ARMILLA_PSEUDO_JACOBI;
    check_error(armilla_points_pseudo_analysis(s.plan, values, alm, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "must be ARMILLA_PSEUDO_LSMR where no quadrature");
    options.method = ARMILLA_PSEUDO_AUTO;
    check_error(armilla_points_pseudo_analysis(s.plan, values, alm, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "must be ARMILLA_PSEUDO_LSMR where no quadrature");
    values[6] = INFINITY;
    check_error(armilla_points_pseudo_analysis(s.plan, values, alm, NULL, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "values[6] = inf: must be finite (point 6 of component 0)");
    check_error(armilla_points_pseudo_analysis(NULL, values, alm, NULL, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "plan = NULL");
    check_error(armilla_points_pseudo_analysis(s.plan, values, NULL, NULL, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "alm = NULL");
    check_error(armilla_points_pseudo_analysis(s.plan, NULL, alm, NULL, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "values = NULL");
    free(alm);
    points_scene_close(&s);
}

static void no_points(void **state)
{
    (void)state;
    armilla_points *plan;
    armilla_pseudo_report report;
    armilla_pseudo_options options = to_tolerance(1e-9);
    options.weights = (double[]){1};
    double alm[20] = {1, 2, 3};
    check_ok(armilla_points_new(3, 3, 0, NULL, NULL, &plan));
    check_ok(armilla_points_pseudo_analysis(plan, NULL, alm, &options, &report, NULL));
    assert_int_equal(report.stop, ARMILLA_STOP_ZERO);
    for (int64_t i = 0; i < 20; i++) assert_true(alm[i] == 0);
    armilla_points_free(plan);
}

static void every_allocation_fails(void **state)
{
    (void)state;
    points_scene s;
    points_scene_open(&s, &polar, 1e-6, RANDOM, COUNT);
    const int64_t count = points_values(&s);
    double *values = checked_malloc(count, 8), *alm = checked_malloc(s.size, 8), weights[COUNT];
    armilla_pseudo_options options = to_tolerance(1e-3);
    options.weights = weights;
    for (int64_t i = 0; i < COUNT; i++) weights[i] = 1;
    random_fill(1, count, values);
    check_ok(armilla_points_synthesis(s.plan, s.alm, values, NULL)); /* whose workspace stays */
    armilla_memory_fail_after(-1);
    check_ok(armilla_points_pseudo_analysis(s.plan, values, alm, &options, NULL, NULL));
    const int64_t allocations = armilla_memory_fail_after(-1);
    assert_true(allocations > 8);
    for (int64_t i = 0; i < allocations; i++) {
        armilla_memory_fail_after(i);
        const armilla_status status =
            armilla_points_pseudo_analysis(s.plan, values, alm, &options, NULL, NULL);
        armilla_memory_fail_after(-1);
        assert_int_equal(status, ARMILLA_ERROR_MEMORY);
    }
    free(alm), free(values);
    points_scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_are_found),
        cmocka_unit_test(pixels_give_what_the_grid_gives),
        cmocka_unit_test(minima_are_minima),
        cmocka_unit_test(guesses_save_iterations),
        cmocka_unit_test(several_transforms),
        cmocka_unit_test(limits_and_errors),
        cmocka_unit_test(no_points),
        cmocka_unit_test(every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, report_every_unit, NULL);
}

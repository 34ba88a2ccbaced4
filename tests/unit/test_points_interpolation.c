/* Checks that values of maps between their pixels are those of the coefficients that made the map,
 * on grids with and without an exact rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "unit/test_points_scene.h"

enum { COUNT = 40, MOST = 6 * COUNT };

/* A map of random coefficients, and what its values at points are. */
typedef struct {
    armilla_grid *grid;
    spin_case c;
    int64_t npix, nvalues;
    double *alm, *map, points[2 * COUNT], wanted[MOST];
    armilla_interpolation_options options;
} scene;

static void scene_open(scene *s, armilla_grid *grid, const spin_case *c, int64_t derivatives)
{
    *s = (scene){.grid = grid, .c = *c};
    armilla_interpolation_options_init(&s->options);
    s->options.spin = c->spin, s->options.derivatives = derivatives;
    s->npix = (c->spin ? 2 : 1) * armilla_grid_npix(grid);
    s->nvalues = COUNT * (c->spin            ? (derivatives ? 6 : 2)
                          : derivatives == 2 ? 6
                          : derivatives      ? 3
                                             : 1);
    s->alm = checked_malloc(spin_size(c), 8), s->map = checked_calloc(s->npix, 8);
    spin_random_alm(5, c, 0, s->alm);
    fill_points(RANDOM, COUNT, s->points);
    armilla_sht *sht = spin_plan(grid, c);
    check_ok(armilla_sht_synthesis(sht, s->alm, s->map, NULL));
    armilla_sht_free(sht);
    armilla_points_options at;
    armilla_points_options_init(&at);
    at.spin = c->spin, at.derivatives = derivatives;
    check_ok(
        armilla_points_evaluate(c->lmax, c->mmax, COUNT, s->points, &at, s->alm, s->wanted, NULL));
}

static void scene_close(scene *s)
{
    free(s->map), free(s->alm);
    armilla_grid_free(s->grid);
}

static double error_of(const scene *s, armilla_pseudo_report *report)
{
    double values[MOST];
    check_ok(armilla_points_interpolate(s->grid, s->map, COUNT, s->points, &s->options, values,
                                        report, NULL));
    return rms_error(s->nvalues, s->wanted, values);
}

/* Every grid with an exact rule, its own band limit and a lower one, to rounding. */
static void exact_grids(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (int64_t spin = 0; spin <= 2; spin++)
            for (int lower = 0; lower < 2; lower++) {
                const int64_t lmax = 20;
                const spin_case c = {.lmax = lmax, .mmax = lmax, .spin = spin};
                armilla_pseudo_report report;
                scene s;
                scene_open(&s, exact_grid(exact_kinds[kind], lmax, lmax, lower, 0), &c,
                           spin == 1 ? 1 : 0);
                if (lower) s.options.lmax = lmax;
                check_at_most(error_of(&s, &report), 5e-14, "kind %d, spin %d", kind, (int)spin);
                assert_true(report.stop == ARMILLA_STOP_RESIDUAL && report.iterations == 0);
                scene_close(&s);
            }
}

static void healpix_by_least_squares(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2)
        for (int digits = 4; digits <= 10; digits += 3) {
            const int64_t lmax = digits == 4 ? 18 : 14; /* orders beyond the rings' own, too */
            const spin_case c = {.lmax = lmax, .mmax = lmax, .spin = spin};
            armilla_pseudo_report report;
            armilla_grid *grid;
            scene s;
            check_ok(armilla_grid_new_healpix(8, &grid));
            scene_open(&s, grid, &c, 0);
            s.options.lmax = lmax, s.options.epsilon = pow(10, -digits);
            check_at_most(error_of(&s, &report), s.options.epsilon, "spin %d, digits %d", (int)spin,
                          digits);
            assert_true(report.iterations > 1 && report.iterations < 40);
            scene_close(&s);
        }
}

/* Too many for direct sums: a plan, with its epsilon. Floats are floats. */
static void many_points(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    const spin_case c = {.lmax = 40, .mmax = 40, .spin = 2};
    scene s;
    scene_open(&s, exact_grid(ARMILLA_GRID_CC, 40, 40, 0, 0), &c, 0);
    double *points = checked_malloc(2 * MANY, 8), *values = checked_malloc(2 * MANY, 8);
    double *wanted = checked_malloc(2 * MANY, 8);
    float *map = checked_malloc(s.npix, 4), *floats = checked_malloc(2 * MANY, 4);
    int few = 1;
    fill_points(RANDOM, MANY, points);
    s.options.epsilon = 1e-5;
    armilla_points_options at;
    armilla_points_options_init(&at);
    at.spin = 2;
    check_ok(armilla_points_few(40, 40, MANY, points, &at, &few));
    assert_int_equal(few, 0);
    check_ok(armilla_points_evaluate(40, 40, MANY, points, &at, s.alm, wanted, NULL));
    check_ok(
        armilla_points_interpolate(s.grid, s.map, MANY, points, &s.options, values, NULL, NULL));
    const double error = rms_error(2 * MANY, wanted, values);
    check_at_most(error, 1e-5, "epsilon");
    check_at_most(1e-8, error, "less than interpolation's error: was there a plan?");
    to_float(s.npix, s.map, map);
    check_ok(armilla_points_interpolate_float(s.grid, map, MANY, points, &s.options, floats, NULL,
                                              NULL));
    to_double(2 * MANY, floats, values);
    check_at_most(rms_error(2 * MANY, wanted, values), 1.1e-5, "epsilon, floats");
    check_ok(armilla_points_interpolate_float(s.grid, map, COUNT, s.points, &s.options, floats,
                                              NULL, NULL));
    to_double(2 * COUNT, floats, values);
    check_at_most(rms_error(2 * COUNT, s.wanted, values), 3e-7, "floats, directly");
    free(floats), free(map), free(wanted), free(values), free(points);
    scene_close(&s);
}

static void several_maps(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 16, .mmax = 16};
    scene s;
    scene_open(&s, exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 16, 16, 0, 0), &c, 2);
    double *maps = checked_malloc(2 * s.npix, 8), values[2 * MOST];
    for (int64_t i = 0; i < s.npix; i++) maps[i] = 3 * s.map[i], maps[s.npix + i] = s.map[i];
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = 2;
    armilla_pseudo_report reports[2];
    check_ok(armilla_points_interpolate(s.grid, maps, COUNT, s.points, &s.options, values, reports,
                                        &exec));
    check_at_most(rms_error(MOST, s.wanted, values + MOST), 1e-13, "second map");
    for (int64_t i = 0; i < MOST; i++) values[i] /= 3;
    check_at_most(rms_error(MOST, s.wanted, values), 1e-13, "first map");
    free(maps);
    scene_close(&s);
}

static void check_refused(const scene *s, const char *text)
{
    double values[MOST];
    check_error(armilla_points_interpolate(s->grid, s->map, COUNT, s->points, &s->options, values,
                                           NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, text);
}

static void wrong_arguments(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 9, .mmax = 9};
    armilla_grid *grid;
    scene s;
    check_ok(armilla_grid_new_healpix(4, &grid));
    scene_open(&s, grid, &c, 0);
    check_refused(&s, "options->lmax = -1: must be given for a grid without an exact rule");
    s.options.lmax = 9, s.options.mmax = 10;
    check_refused(&s, "mmax = 10");
    s.options.mmax = -1, s.options.epsilon = 0;
    check_refused(&s, "options->epsilon");
    s.options.epsilon = 1e-3, s.options.derivatives = 3;
    check_refused(&s, "options->derivatives = 3");
    s.options.derivatives = 0, s.options.max_iterations = -1;
    check_refused(&s, "options->max_iterations = -1");
    s.options.max_iterations = 9, s.points[3] = NAN;
    check_refused(&s, "phi of point 1");
    s.points[3] = 0, s.options.size = 1;
    check_refused(&s, "size");
    s.options.size = sizeof s.options;
    double values[MOST];
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.map_distance = 9;
    check_error(
        armilla_points_interpolate(s.grid, s.map, COUNT, s.points, &s.options, values, NULL, &exec),
        ARMILLA_ERROR_ARGUMENT, "map_distance = 9: must be 0");
    check_error(
        armilla_points_interpolate(NULL, s.map, COUNT, s.points, &s.options, values, NULL, NULL),
        ARMILLA_ERROR_ARGUMENT, "grid = NULL");
    check_error(
        armilla_points_interpolate(s.grid, NULL, COUNT, s.points, &s.options, values, NULL, NULL),
        ARMILLA_ERROR_ARGUMENT, "map = NULL");
    check_ok(armilla_points_interpolate(s.grid, s.map, 0, NULL, &s.options, NULL, NULL, NULL));
    scene_close(&s);
}

static void every_allocation_fails(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 9, .mmax = 9, .spin = 2};
    armilla_grid *grid;
    scene s;
    check_ok(armilla_grid_new_healpix(4, &grid));
    scene_open(&s, grid, &c, 1);
    s.options.lmax = 8, s.options.max_iterations = 2;
    double values[MOST];
    armilla_memory_fail_after(-1);
    check_ok(
        armilla_points_interpolate(s.grid, s.map, COUNT, s.points, &s.options, values, NULL, NULL));
    const int64_t count = armilla_memory_fail_after(-1);
    assert_true(count > 50);
    for (int64_t i = 0; i < count; i++) {
        armilla_memory_fail_after(i);
        const armilla_status status = armilla_points_interpolate(s.grid, s.map, COUNT, s.points,
                                                                 &s.options, values, NULL, NULL);
        armilla_memory_fail_after(-1);
        assert_int_equal(status, ARMILLA_ERROR_MEMORY);
    }
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_grids),     cmocka_unit_test(healpix_by_least_squares),
        cmocka_unit_test(many_points),     cmocka_unit_test(several_maps),
        cmocka_unit_test(wrong_arguments), cmocka_unit_test(every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks calls of armilla_points_evaluate: layouts, no points; that what is wrong is named; and
 * when points are few. What all calls promise: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_points_scene.h"
#include "unit/test_watcher.h"

enum { LMAX = 20, COUNT = 50, NCOMP = 6 };

typedef struct {
    armilla_points_options options;
    int64_t nalm; /* components of alm */
    double points[2 * COUNT];
} scene;

static void scene_open(scene *s, int64_t spin)
{
    armilla_points_options_init(&s->options);
    s->options.spin = spin, s->options.derivatives = spin ? 1 : 2;
    s->nalm = spin ? 2 : 1;
    fill_points(RANDOM, COUNT, s->points);
}

static armilla_status evaluate(const scene *s, const double *alm, double *values,
                               const armilla_exec *exec)
{
    return armilla_points_evaluate(LMAX, LMAX, COUNT, s->points, &s->options, alm, values, exec);
}

static armilla_status adjoint(const scene *s, const double *values, double *alm,
                              const armilla_exec *exec)
{
    return armilla_points_adjoint_evaluate(LMAX, LMAX, COUNT, s->points, &s->options, values, alm,
                                           exec);
}

/* Against sums in long double, relative to the field over the sphere, of which zonal fields have
 * several times as much at a pole. */
static void check_counts(int64_t lmax, int64_t mmax, point_kind kind)
{
    enum { MOST = 17 };
    double points[2 * MOST], exact[MOST], values[MOST];
    const int64_t size = armilla_alm_size(lmax, mmax);
    const oracle_field field = {lmax, mmax, 0, MOST, points};
    double *alm = checked_malloc(2 * size, sizeof *alm), *back = checked_malloc(2 * size, 8);
    fill_points(kind, MOST, points);
    random_alm_triangle(4, lmax, mmax, alm);
    oracle_field_values(&field, alm, exact);
    const double rms = oracle_field_rms(&field, alm);
    for (int64_t count = 1; count <= MOST; count++) {
        check_ok(armilla_points_evaluate(lmax, mmax, count, points, NULL, alm, values, NULL));
        for (int64_t i = 0; i < count; i++)
            check_at_most(fabs(values[i] - exact[i]) / rms, 4e-15 * (double)(lmax + 10),
                          "lmax %d, mmax %d, point %d of %d", (int)lmax, (int)mmax, (int)i,
                          (int)count);
        check_ok(
            armilla_points_adjoint_evaluate(lmax, mmax, count, points, NULL, values, back, NULL));
        const double norm = dot_maps(count, values, values);
        check_at_most(fabs(dot_alm(lmax, mmax, alm, back) - norm) / norm, 1e-13,
                      "adjoint, lmax %d, mmax %d, %d points", (int)lmax, (int)mmax, (int)count);
    }
    free(back);
    free(alm);
}

/* Points that do not fill a vector, or are so few that no stage is set up; orders that end before,
 * at and behind a block of 64. */
static void counts_of_points_and_orders(void **state)
{
    (void)state;
    for (int kind = 0; kind < FAR_TURNS; kind++)
        for (int64_t lmax = 0; lmax <= 18; lmax += lmax < 4 ? 1 : 4)
            for (int64_t mmax = 0; mmax <= lmax; mmax += lmax > 3 ? 3 : 1)
                check_counts(lmax, mmax, (point_kind)kind);
    const int64_t limits[] = {0, 1, 2, 62, 63, 64, 65, 70};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) check_counts(70, limits[i], RANDOM);
}

static void any_layout(void **state)
{
    (void)state;
    int64_t mstart[LMAX + 1];
    for (int64_t m = 0; m <= LMAX; m++) mstart[m] = 3 + 70 * m;
    armilla_alm_layout *layout;
    check_ok(armilla_alm_layout_new_custom(LMAX, LMAX, mstart, 3, &layout));
    scene s, other;
    scene_open(&s, 0);
    other = s;
    other.options.layout = layout;
    const int64_t size = 2 * armilla_alm_size(LMAX, LMAX);
    double *alm = checked_malloc(size, 8), *back = checked_malloc(size, 8);
    double *spread = checked_calloc(2 * armilla_alm_layout_size(layout), 8);
    double values[2][NCOMP * COUNT];
    random_fill(1, size, alm);
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t l = m; l <= LMAX; l++)
            memcpy(spread + 2 * (mstart[m] + 3 * l), alm + 2 * armilla_alm_index(LMAX, l, m), 16);
    check_ok(evaluate(&s, alm, values[0], NULL));
    check_ok(evaluate(&other, spread, values[1], NULL));
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    check_ok(adjoint(&s, values[0], back, NULL));
    check_ok(adjoint(&other, values[0], spread, NULL));
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t l = m; l <= LMAX; l++)
            assert_memory_equal(spread + 2 * (mstart[m] + 3 * l),
                                back + 2 * armilla_alm_index(LMAX, l, m), 16);
    free(spread), free(back), free(alm);
    armilla_alm_layout_free(layout);
}

static void no_points(void **state)
{
    (void)state;
    double alm[2 * 10] = {1, 2, 3};
    check_ok(armilla_points_evaluate(3, 3, 0, NULL, NULL, alm, NULL, NULL));
    check_ok(armilla_points_adjoint_evaluate(3, 3, 0, NULL, NULL, NULL, alm, NULL));
    for (int64_t i = 0; i < 20; i++) assert_true(alm[i] == 0);
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void check_refused(const scene *s, int64_t npoints, const double *points, const char *text)
{
    double values[NCOMP * COUNT], alm[2] = {0, 0};
    int few;
    check_error(
        armilla_points_evaluate(LMAX, LMAX, npoints, points, &s->options, alm, values, NULL),
        ARMILLA_ERROR_ARGUMENT, text);
    check_error(armilla_points_adjoint_evaluate(LMAX, LMAX, npoints, points, &s->options, values,
                                                alm, NULL),
                ARMILLA_ERROR_ARGUMENT, text);
    check_error(armilla_points_few(LMAX, LMAX, npoints, points, &s->options, &few),
                ARMILLA_ERROR_ARGUMENT, text);
}

static void wrong_arguments(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 0);
    const double wrong[][2] = {{-1e-9, 0}, {3.2, 0}, {NAN, 0}, {1, NAN}, {1, INFINITY}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const double points[6] = {1, 2, 3, 4, wrong[i][0], wrong[i][1]};
        check_refused(&s, 3, points, i < 3 ? "theta of point 2" : "phi of point 2");
    }
    check_refused(&s, -1, s.points, "npoints = -1");
    check_refused(&s, 1, NULL, "points = NULL");
    s.options.derivatives = 3;
    check_refused(&s, 1, s.points, "options->derivatives = 3: must be 0, 1 or 2");
    s.options.derivatives = -1;
    check_refused(&s, 1, s.points, "options->derivatives = -1");
    s.options.derivatives = 2, s.options.spin = 1;
    check_refused(&s, 1, s.points, "must be 0 or 1");
    s.options.derivatives = 1, s.options.spin = LMAX + 1;
    check_refused(&s, 1, s.points, "options->spin");
    scene_open(&s, 0);
    double values[NCOMP * COUNT];
    check_error(evaluate(&s, NULL, values, NULL), ARMILLA_ERROR_ARGUMENT, "alm = NULL");
    check_error(evaluate(&s, values, NULL, NULL), ARMILLA_ERROR_ARGUMENT, "values = NULL");
    check_error(armilla_points_few(LMAX, LMAX, COUNT, s.points, NULL, NULL), ARMILLA_ERROR_ARGUMENT,
                "few = NULL");
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.map_distance = COUNT - 1;
    check_error(evaluate(&s, values, values, &exec), ARMILLA_ERROR_ARGUMENT, "map_distance = 49");
    armilla_points *plan;
    check_error(armilla_points_new(LMAX, LMAX, COUNT, s.points, &s.options, &plan),
                ARMILLA_ERROR_ARGUMENT, "options->derivatives = 2: must be 0 in a plan");
}

/* A caller of the first armilla_points_options, which ended with epsilon. */
static void older_options(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 0);
    s.options.size = offsetof(armilla_points_options, derivatives);
    double *alm = checked_calloc(2 * armilla_alm_size(LMAX, LMAX), 8);
    double values[NCOMP * COUNT];
    for (int64_t i = 0; i < NCOMP * COUNT; i++) values[i] = 5;
    check_ok(evaluate(&s, alm, values, NULL));
    assert_true(values[0] == 0 && values[COUNT - 1] == 0 && values[COUNT] == 5);
    free(alm);
}

/* --- Cost ------------------------------------------------------------------------------------- */

static int is_few(int64_t lmax, int64_t npoints, const double *points)
{
    int few = -1;
    check_ok(armilla_points_few(lmax, lmax, npoints, points, NULL, &few));
    return few;
}

static void when_points_are_few(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    double *points = checked_malloc(2 * MANY, 8);
    fill_points(RANDOM, MANY, points);
    for (int64_t lmax = 30; lmax <= 8000; lmax *= 2) {
        assert_int_equal(is_few(lmax, 1, points), 1);
        assert_int_equal(is_few(lmax, MANY, points), 0);
    }
    assert_int_equal(is_few(2000, 300, points), 1);
    for (int64_t i = 0; i < MANY; i++) points[2 * i] = 1; /* a parallel */
    assert_int_equal(is_few(2000, MANY / 2, points), 1);
    assert_int_equal(is_few(100, 0, NULL), 1);
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_points_and_orders),
        cmocka_unit_test(any_layout),
        cmocka_unit_test(no_points),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(older_options),
        cmocka_unit_test(when_points_are_few),
    };
    return cmocka_run_group_tests(tests, report_every_unit, NULL);
}

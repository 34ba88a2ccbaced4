/* Checks calls of plans for arbitrary points: layouts, floats, other points, no points; that what
 * is wrong is named; and that every failing allocation of a plan is an error. What all calls
 * promise: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "unit/test_points_scene.h"

enum { LMAX = 20, COUNT = 50 };

static const spin_case scalar = {.lmax = LMAX, .mmax = LMAX};
static const spin_case polar = {.lmax = LMAX, .mmax = LMAX, .spin = 2};

/* Many points in enough tiles that neighbours are far from each other: values in turns, turns.h. */
enum { WIDE_LMAX = 100, MANY = 40000 };

static const spin_case scattered = {.lmax = WIDE_LMAX, .mmax = WIDE_LMAX, .spin = 2};

static void check_floats(const spin_case *c, int64_t npoints)
{
    points_scene s;
    points_scene_open(&s, c, 1e-6, RANDOM, npoints);
    const int64_t count = points_values(&s);
    float *alm = checked_malloc(s.size, 4), *values = checked_malloc(count, 4);
    double *wide = checked_malloc(s.size, 8), *wanted = checked_malloc(count, 8);
    to_float(s.size, s.alm, alm);
    to_double(s.size, alm, wide);
    check_ok(armilla_points_synthesis(s.plan, wide, wanted, NULL));
    check_ok(armilla_points_synthesis_float(s.plan, alm, values, NULL));
    for (int64_t i = 0; i < count; i++) assert_true(values[i] == (float)wanted[i]);
    to_double(count, values, wanted);
    check_ok(armilla_points_adjoint_synthesis(s.plan, wanted, wide, NULL));
    check_ok(armilla_points_adjoint_synthesis_float(s.plan, values, alm, NULL));
    for (int64_t i = 0; i < s.size; i++) assert_true(alm[i] == (float)wide[i]);
    free(wanted), free(wide), free(values), free(alm);
    points_scene_close(&s);
}

static void floats_are_doubles_rounded(void **state)
{
    (void)state;
    check_floats(&polar, COUNT);
    check_floats(&scattered, MANY);
}

static void any_layout(void **state)
{
    (void)state;
    int64_t mstart[LMAX + 1];
    for (int64_t m = 0; m <= LMAX; m++) mstart[m] = 3 + 70 * m;
    armilla_points_options options;
    armilla_points_options_init(&options);
    armilla_alm_layout *layout;
    check_ok(armilla_alm_layout_new_custom(LMAX, LMAX, mstart, 3, &layout));
    options.layout = layout;
    points_scene s;
    points_scene_open(&s, &scalar, 1e-7, RANDOM, COUNT);
    armilla_points *other;
    check_ok(armilla_points_new(LMAX, LMAX, COUNT, s.points, &options, &other));
    double *spread = checked_calloc(2 * armilla_alm_layout_size(layout), 8);
    double values[2][COUNT], *back = checked_malloc(s.size, 8);
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t l = m; l <= LMAX; l++)
            memcpy(spread + 2 * (mstart[m] + 3 * l), s.alm + 2 * armilla_alm_index(LMAX, l, m), 16);
    check_ok(armilla_points_synthesis(s.plan, s.alm, values[0], NULL));
    check_ok(armilla_points_synthesis(other, spread, values[1], NULL));
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    check_ok(armilla_points_adjoint_synthesis(s.plan, values[0], back, NULL));
    check_ok(armilla_points_adjoint_synthesis(other, values[0], spread, NULL));
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t l = m; l <= LMAX; l++)
            assert_memory_equal(spread + 2 * (mstart[m] + 3 * l),
                                back + 2 * armilla_alm_index(LMAX, l, m), 16);
    free(back), free(spread);
    armilla_points_free(other);
    armilla_alm_layout_free(layout);
    points_scene_close(&s);
}

/* --- Scattered points --------------------------------------------------------------------------
 */

/* By narrow zones, and by longitude within them. */
static int compare_places(const void *a, const void *b)
{
    const double *x = a, *y = b, zone = floor(30 * x[0]) - floor(30 * y[0]);
    return zone != 0 ? (zone < 0 ? -1 : 1) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Points of two components that lie scattered over the caller's arrays go another way (turns.h)
 * than the same points in a sequence like that of a map; each of them has the same bits. */
static void any_sequence_of_points(void **state)
{
    (void)state;
    enum { MANY_FAR = MANY + 7 };
    points_scene s;
    points_scene_open(&s, &scattered, 1e-7, RANDOM, MANY);
    double(*sorted)[3] = checked_malloc(MANY, sizeof *sorted);
    double *points = checked_malloc(2 * MANY, 8), *values = checked_malloc(4 * MANY_FAR, 8);
    double *wanted = values + 2 * MANY_FAR, *alm = checked_malloc(2 * s.size, 8);
    armilla_points *plan;
    for (int i = 0; i < MANY; i++)
        sorted[i][0] = s.points[2 * i], sorted[i][1] = s.points[2 * i + 1], sorted[i][2] = i;
    qsort(sorted, MANY, sizeof *sorted, compare_places);
    for (int i = 0; i < 2 * MANY; i++) points[i] = sorted[i / 2][i % 2];
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = 2;
    check_ok(armilla_points_new(WIDE_LMAX, WIDE_LMAX, MANY, points, &options, &plan));
    armilla_points_description d[2] = {{.size = sizeof *d}, {.size = sizeof *d}};
    check_ok(armilla_points_describe(s.plan, 1, &d[0]));
    check_ok(armilla_points_describe(plan, 1, &d[1]));
    assert_int_equal(d[0].workspace_bytes - d[1].workspace_bytes, 16 * MANY);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.map_distance = MANY_FAR, exec.nthreads = 2;
    check_ok(armilla_points_synthesis(s.plan, s.alm, values, &exec));
    check_ok(armilla_points_synthesis(plan, s.alm, wanted, &exec));
    for (int i = 0; i < 2 * MANY; i++) {
        const int c = i / MANY * MANY_FAR;
        assert_true(wanted[c + i % MANY] == values[c + (int)sorted[i % MANY][2]]);
    }
    check_ok(armilla_points_adjoint_synthesis(s.plan, values, alm, &exec));
    check_ok(armilla_points_adjoint_synthesis(plan, wanted, alm + s.size, &exec));
    check_at_most(rms_error(s.size, alm, alm + s.size), 1e-14, "adjoint");
    check_points_threads(&s, 3);
    armilla_points_free(plan);
    free(alm), free(values), free(points), free(sorted);
    points_scene_close(&s);
}

/* --- Points ------------------------------------------------------------------------------------
 */

/* Other points on the same band limit; either plan may be freed first. */
static void other_points(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        points_scene s;
        points_scene_open(&s, &scalar, 1e-9, PATCH, COUNT);
        double points[2 * COUNT], values[COUNT], wanted[COUNT];
        fill_points(RANDOM, COUNT, points);
        armilla_points *other, *alone;
        armilla_points_options options;
        armilla_points_options_init(&options);
        options.epsilon = 1e-9;
        check_ok(armilla_points_new_beside(s.plan, COUNT, points, &other));
        check_ok(armilla_points_new(LMAX, LMAX, COUNT, points, &options, &alone));
        if (first) armilla_points_free(s.plan), s.plan = NULL;
        check_ok(armilla_points_synthesis(other, s.alm, values, NULL));
        check_ok(armilla_points_synthesis(alone, s.alm, wanted, NULL));
        assert_memory_equal(values, wanted, sizeof values);
        armilla_points_free(alone);
        armilla_points_free(other);
        points_scene_close(&s);
    }
}

static void no_points(void **state)
{
    (void)state;
    armilla_points *plan;
    check_ok(armilla_points_new(LMAX, LMAX, 0, NULL, NULL, &plan));
    double *alm = checked_malloc(spin_size(&scalar), 8);
    random_fill(1, spin_size(&scalar), alm);
    check_ok(armilla_points_synthesis(plan, alm, NULL, NULL));
    check_ok(armilla_points_adjoint_synthesis(plan, NULL, alm, NULL));
    for (int64_t i = 0; i < spin_size(&scalar); i++) assert_true(alm[i] == 0);
    free(alm);
    armilla_points_free(plan);
}

/* --- Errors ------------------------------------------------------------------------------------
 */

static void check_refused(int64_t npoints, const double *points,
                          const armilla_points_options *options, const char *text)
{
    armilla_points *plan = NULL;
    check_error(armilla_points_new(LMAX, LMAX, npoints, points, options, &plan),
                ARMILLA_ERROR_ARGUMENT, text);
    assert_null(plan);
}

static void wrong_arguments(void **state)
{
    (void)state;
    const double wrong[][2] = {{-1e-9, 0}, {3.2, 0}, {NAN, 0}, {1, NAN}, {1, INFINITY}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double points[6] = {1, 2, 3, 4, wrong[i][0], wrong[i][1]};
        check_refused(3, points, NULL, i < 3 ? "theta of point 2" : "phi of point 2");
    }
    const double point[2] = {1, 1};
    armilla_points_options options;
    armilla_points_options_init(&options);
    const double accuracies[] = {0, 1e-14, 0.2, NAN, -1};
    for (size_t i = 0; i < sizeof accuracies / sizeof *accuracies; i++) {
        options.epsilon = accuracies[i];
        check_refused(1, point, &options, "options->epsilon");
    }
    check_refused(-1, point, NULL, "npoints = -1");
    check_refused((int64_t)1 << 32, point, NULL, "npoints = 4294967296");
    check_refused(1, NULL, NULL, "points = NULL");
    armilla_points_options_init(&options);
    options.spin = LMAX + 1;
    check_refused(1, point, &options, "options->spin");
    armilla_points_options_init(&options);
    options.size = 3;
    check_refused(1, point, &options, "size");
    check_error(armilla_points_new(-1, 0, 1, point, NULL, NULL), ARMILLA_ERROR_ARGUMENT, "lmax");
    check_error(armilla_points_new(LMAX, LMAX, 1, point, NULL, NULL), ARMILLA_ERROR_ARGUMENT,
                "plan = NULL");
}

static void layouts_of_other_sizes(void **state)
{
    (void)state;
    const double point[] = {1, 2};
    armilla_points_options options;
    armilla_alm_layout *layout;
    armilla_points *plan;
    armilla_points_options_init(&options);
    check_ok(armilla_alm_layout_new(LMAX, LMAX - 1, &layout));
    options.layout = layout;
    check_error(armilla_points_new(LMAX + 1, LMAX - 1, 1, point, &options, &plan),
                ARMILLA_ERROR_ARGUMENT, "differs from the lmax of options->layout");
    check_error(armilla_points_new(LMAX, LMAX, 1, point, &options, &plan), ARMILLA_ERROR_ARGUMENT,
                "differs from the mmax of options->layout");
    armilla_alm_layout_free(layout);
}

static void wrong_calls(void **state)
{
    (void)state;
    points_scene s;
    points_scene_open(&s, &polar, 1e-6, RANDOM, COUNT);
    double values[2 * COUNT];
    armilla_exec exec;
    armilla_exec_init(&exec);
    check_error(armilla_points_synthesis(NULL, s.alm, values, NULL), ARMILLA_ERROR_ARGUMENT,
                "plan = NULL");
    check_error(armilla_points_synthesis(s.plan, NULL, values, NULL), ARMILLA_ERROR_ARGUMENT,
                "alm = NULL");
    check_error(armilla_points_synthesis(s.plan, s.alm, NULL, NULL), ARMILLA_ERROR_ARGUMENT,
                "values = NULL");
    exec.map_distance = COUNT - 1;
    check_error(armilla_points_synthesis(s.plan, s.alm, values, &exec), ARMILLA_ERROR_ARGUMENT,
                "map_distance = 49");
    exec.map_distance = 0, exec.ntrans = 0;
    check_error(armilla_points_synthesis(s.plan, s.alm, values, &exec), ARMILLA_ERROR_ARGUMENT,
                "ntrans = 0");
    armilla_points_description d = {.size = 1};
    check_error(armilla_points_describe(s.plan, 1, &d), ARMILLA_ERROR_ARGUMENT, "size = 1");
    points_scene_close(&s);
}

static void every_allocation_fails(void **state)
{
    (void)state;
    double *points = checked_malloc(2 * MANY, 8);
    fill_points(RANDOM, MANY, points);
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        const int64_t npoints = spin ? MANY : COUNT, lmax = spin ? WIDE_LMAX : LMAX;
        armilla_points_options options;
        armilla_points_options_init(&options);
        options.spin = spin;
        armilla_memory_fail_after(-1);
        armilla_points *plan = NULL, *other = NULL;
        check_ok(armilla_points_new(lmax, lmax, npoints, points, &options, &plan));
        const int64_t count = armilla_memory_fail_after(-1);
        for (int64_t i = 0; i < count; i++) {
            armilla_points *failed = NULL;
            armilla_memory_fail_after(i);
            const armilla_status status =
                armilla_points_new(lmax, lmax, npoints, points, &options, &failed);
            armilla_memory_fail_after(-1);
            assert_int_equal(status, ARMILLA_ERROR_MEMORY);
            assert_null(failed);
        }
        check_ok(armilla_points_new_beside(plan, npoints, points, &other));
        const int64_t few = armilla_memory_fail_after(-1);
        for (int64_t i = 0; i < few; i++) {
            armilla_points *failed = NULL;
            armilla_memory_fail_after(i);
            const armilla_status status = armilla_points_new_beside(plan, npoints, points, &failed);
            armilla_memory_fail_after(-1);
            assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        }
        double *values = checked_malloc(2 * npoints, 8);
        double *alm = checked_calloc(4 * armilla_alm_size(lmax, lmax), 8);
        armilla_memory_fail_after(0);
        check_error(armilla_points_synthesis(other, alm, values, NULL), ARMILLA_ERROR_MEMORY, "");
        armilla_memory_fail_after(-1);
        check_ok(armilla_points_synthesis(other, alm, values, NULL));
        free(alm), free(values);
        armilla_points_free(other);
        armilla_points_free(plan);
    }
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_are_doubles_rounded),
        cmocka_unit_test(any_layout),
        cmocka_unit_test(layouts_of_other_sizes),
        cmocka_unit_test(other_points),
        cmocka_unit_test(no_points),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(every_allocation_fails),
        cmocka_unit_test(any_sequence_of_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

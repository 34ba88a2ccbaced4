/* Checks lensing plans: memory that runs out while they are made, threads, plans beside others,
 * wrong arguments. What all calls promise: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "unit/test_lensing_scene.h"
#include "unit/test_watcher.h"

static const spin_case polar = {.lmax = 12, .mmax = 10, .spin = 2};

/* --- Memory ------------------------------------------------------------------------------------
 */

enum { MOST_ALLOCATIONS = 500 };

/* 0: a plan, 1: a plan beside one. */
static armilla_status make_plan(const lensing_scene *s, int way, armilla_lensing **lensing)
{
    const spin_case *c = &s->c;
    return way ? armilla_lensing_new_beside(s->lensing, c->lmax, c->mmax, &s->options, lensing)
               : armilla_lensing_new(s->grid, &s->deflection, c->lmax, c->mmax, &s->options,
                                     lensing);
}

static void check_map(const lensing_scene *s, const armilla_lensing *lensing)
{
    const int64_t count = lensing_values(s);
    double *map = checked_calloc(count, 8), *expected = checked_calloc(count, 8);
    check_ok(armilla_lensing_alm2lenmap(s->lensing, s->alm, expected, NULL));
    check_ok(armilla_lensing_alm2lenmap(lensing, s->alm, map, NULL));
    assert_memory_equal(map, expected, (size_t)count * 8);
    free(expected);
    free(map);
}

static void check_failing_plans(const lensing_scene *s, int way)
{
    armilla_lensing *const untouched = (armilla_lensing *)(uintptr_t)0x1230;
    armilla_status status = ARMILLA_ERROR_MEMORY;
    int64_t n = 0;
    for (; status; n++) {
        armilla_lensing *lensing = untouched;
        armilla_memory_fail_after(n);
        status = make_plan(s, way, &lensing);
        armilla_memory_fail_after(-1);
        if (!status) {
            check_map(s, lensing);
            armilla_lensing_free(lensing);
            break;
        }
        check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
        assert_ptr_equal(lensing, untouched);
        assert_true(n < MOST_ALLOCATIONS);
    }
    assert_true(n > 5);
}

static void plans_survive_every_failing_allocation(void **state)
{
    (void)state;
    for (int kind = 0; kind < LENSING_GRIDS; kind++) {
        lensing_scene s;
        lensing_scene_open(&s, (lensing_grid)kind, &polar, 1e-4, 0.1);
        check_failing_plans(&s, 0);
        check_failing_plans(&s, 1);
        lensing_scene_close(&s);
    }
}

/* 0: alm2lenmap, 1: adjoint. */
static armilla_status operate(const armilla_lensing *lensing, int way, const double *input,
                              double *output, const armilla_exec *exec)
{
    return way ? armilla_lensing_adjoint(lensing, input, output, exec)
               : armilla_lensing_alm2lenmap(lensing, input, output, exec);
}

/* --- Threads, several transforms ---------------------------------------------------------------
 */

static void threads_give_the_same_bits(void **state)
{
    (void)state;
    lensing_scene s;
    lensing_scene_open(&s, GAUSS_GRID, &polar, 1e-6, 0.1);
    const int64_t count = lensing_values(&s), size = spin_size(&polar);
    double *map[2], *alm[2];
    for (int i = 0; i < 2; i++) {
        armilla_exec exec;
        armilla_lensing *lensing;
        armilla_exec_init(&exec);
        s.deflection.nthreads = exec.nthreads = i ? 5 : 1;
        check_ok(make_plan(&s, 0, &lensing));
        map[i] = checked_malloc(count, 8), alm[i] = checked_malloc(size, 8);
        check_ok(armilla_lensing_alm2lenmap(lensing, s.alm, map[i], &exec));
        check_ok(armilla_lensing_adjoint(lensing, map[0], alm[i], &exec));
        armilla_lensing_free(lensing);
    }
    assert_memory_equal(map[0], map[1], (size_t)count * 8);
    assert_memory_equal(alm[0], alm[1], (size_t)size * 8);
    for (int i = 0; i < 2; i++) free(map[i]), free(alm[i]);
    lensing_scene_close(&s);
}

static void plans_beside_each_other_outlive_each_other(void **state)
{
    (void)state;
    const spin_case scalar = {.lmax = 15, .mmax = 15};
    lensing_scene s;
    lensing_scene_open(&s, GRID_WITH_GAPS, &scalar, 1e-6, 0.1);
    armilla_lensing *first = s.lensing;
    free(s.alm);
    s.c = polar, s.options.spin = polar.spin;
    s.alm = checked_malloc(spin_size(&polar), sizeof *s.alm);
    spin_random_alm(6, &polar, 0, s.alm);
    check_ok(make_plan(&s, 1, &s.lensing));
    armilla_lensing_free(first);
    armilla_lensing *alone;
    check_ok(make_plan(&s, 0, &alone));
    check_map(&s, alone);
    armilla_lensing_free(alone);
    lensing_scene_close(&s);
}

static void descriptions_count_the_directions(void **state)
{
    (void)state;
    lensing_scene s;
    lensing_scene_open(&s, HEALPIX_GRID, &polar, 1e-6, 0.1);
    armilla_points_description d = {.size = sizeof d};
    check_ok(armilla_lensing_describe(s.lensing, 1, &d));
    assert_int_equal(d.npoints, 768);
    assert_int_equal(d.ncomp, 2);
    assert_true(d.plan_bytes > 768 * 5 * 8); /* directions, gamma; and the sorted points */
    d = (armilla_points_description){.size = offsetof(armilla_points_description, plan_bytes)};
    check_ok(armilla_lensing_describe(s.lensing, 1, &d));
    assert_int_equal(d.plan_bytes, 0);
    lensing_scene_close(&s);
}

/* --- Arguments ---------------------------------------------------------------------------------
 */

static void check_refused(const lensing_scene *s, const armilla_deflection *d, const char *text)
{
    armilla_lensing *const untouched = (armilla_lensing *)(uintptr_t)0x1230;
    armilla_lensing *lensing = untouched;
    check_error(armilla_lensing_new(s->grid, d, s->c.lmax, s->c.mmax, &s->options, &lensing),
                ARMILLA_ERROR_ARGUMENT, text);
    assert_ptr_equal(lensing, untouched);
}

static void deflections_are_checked(void **state)
{
    (void)state;
    lensing_scene s;
    lensing_scene_open(&s, HEALPIX_GRID, &polar, 1e-6, 0.1);
    const armilla_deflection good = s.deflection;
    armilla_deflection d = good;
    check_refused(&s, NULL, "deflection = NULL");
    d.size = 3;
    check_refused(&s, &d, "deflection->size = 3");
    d = good, d.lmax = 0;
    check_refused(&s, &d, "deflection->lmax = 0");
    d = good, d.mmax = d.lmax + 1;
    check_refused(&s, &d, "deflection->mmax = 11");
    d = good, d.kind = (armilla_deflection_kind)3;
    check_refused(&s, &d, "deflection->kind = 3");
    d = good, d.nthreads = -1;
    check_refused(&s, &d, "deflection->nthreads = -1");
    d = good, d.gradient = NULL;
    check_refused(&s, &d, "deflection->gradient = NULL");
    s.potentials[2 * DEFLECTION_LMAX] = (double)NAN;
    check_refused(&s, &good, "deflection: at pixel 0 it is (nan, ");
    s.options.epsilon = 1; /* is seen first: a deflection takes time */
    check_refused(&s, &good, "options->epsilon = 1");
    s.options.derivatives = 1, s.options.epsilon = 1e-6;
    check_refused(&s, &good, "options->derivatives = 1");
    armilla_deflection_init(NULL);
    armilla_lensing_free(NULL);
    lensing_scene_close(&s);
}

static void calls_are_checked(void **state)
{
    (void)state;
    lensing_scene s;
    lensing_scene_open(&s, HEALPIX_GRID, &polar, 1e-6, 0.1);
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    double *map = checked_calloc(lensing_values(&s), 8);
    armilla_lensing *other;
    armilla_exec exec;
    armilla_points_description d = {.size = 1};
    check_error(armilla_lensing_new(NULL, &s.deflection, 4, 4, NULL, &other), wrong, "grid = NULL");
    check_error(armilla_lensing_new(s.grid, &s.deflection, 4, 4, NULL, NULL), wrong,
                "lensing = NULL");
    check_error(armilla_lensing_new_beside(NULL, 4, 4, NULL, &other), wrong, "lensing = NULL");
    check_error(armilla_lensing_new_beside(s.lensing, 4, 4, NULL, NULL), wrong, "result = NULL");
    check_error(armilla_lensing_new_beside(s.lensing, 4, 5, NULL, &other), wrong, "mmax = 5");
    for (int way = 0; way < 2; way++) {
        double *input = way ? map : s.alm, *output = way ? s.alm : map;
        check_error(operate(NULL, way, input, output, NULL), wrong, "lensing = NULL");
        check_error(operate(s.lensing, way, NULL, output, NULL), wrong,
                    way ? "map = NULL" : "alm = NULL");
        check_error(operate(s.lensing, way, input, NULL, NULL), wrong,
                    way ? "alm = NULL" : "map = NULL");
        armilla_exec_init(&exec);
        exec.ntrans = 0;
        check_error(operate(s.lensing, way, input, output, &exec), wrong, "ntrans = 0");
        exec.ntrans = 1, exec.nthreads = -1;
        check_error(operate(s.lensing, way, input, output, &exec), wrong, "nthreads = -1");
        exec.nthreads = 1, exec.map_distance = 767;
        check_error(operate(s.lensing, way, input, output, &exec), wrong, "map_distance = 767");
        exec.map_distance = 768, exec.alm_distance = 1;
        check_error(operate(s.lensing, way, input, output, &exec), wrong, "alm_distance = 1");
    }
    check_error(armilla_lensing_angles(NULL, map, NULL), wrong, "lensing = NULL");
    check_error(armilla_lensing_describe(NULL, 1, &d), wrong, "lensing = NULL");
    check_error(armilla_lensing_describe(s.lensing, 1, &d), wrong, "description->size = 1");
    free(map);
    lensing_scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_survive_every_failing_allocation),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(plans_beside_each_other_outlive_each_other),
        cmocka_unit_test(descriptions_count_the_directions),
        cmocka_unit_test(deflections_are_checked),
        cmocka_unit_test(calls_are_checked),
    };
    return cmocka_run_group_tests(tests, report_every_unit, NULL);
}

/* Points on a GPU that is slow in double precision: calls of floats make their Legendre functions
 * in single precision where the plan's error allows it, keep that error, and calls of doubles are
 * what they are elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/points_plan_scene.h"

enum { FAST = 2, SLOW = 64 }; /* operations in single precision for one in double */

static void open_on(int ratio, points_scene *s, const plan_case *of)
{
    cuda_emulation_set_precision_ratio(ratio);
    plan_open(s, of);
    cuda_emulation_set_precision_ratio(FAST);
}

static int64_t plan_bytes(int ratio, const plan_case *of)
{
    points_scene s;
    armilla_points_description d = {.size = sizeof d};
    open_on(ratio, &s, of);
    check_ok(armilla_points_describe(s.plan, 1, &d));
    points_scene_close(&s);
    return d.device_plan_bytes;
}

/* Values of a call of floats, as doubles. */
static void synthesize_floats(const points_scene *s, double *values)
{
    const int64_t count = points_values(s);
    float *alm = checked_malloc(s->size, 4), *made = checked_malloc(count, 4);
    for (int64_t i = 0; i < s->size; i++) alm[i] = (float)s->alm[i];
    check_ok(armilla_points_synthesis_float(s->plan, alm, made, NULL));
    for (int64_t i = 0; i < count; i++) values[i] = made[i];
    free(alm), free(made);
}

/* Coefficients of an adjoint of floats, and of doubles: their difference. */
static double difference_of_adjoints(const points_scene *s)
{
    const int64_t count = points_values(s);
    double *values = checked_malloc(count, 8), *alm = checked_malloc(s->size, 8);
    double *made = checked_malloc(s->size, 8);
    float *from = checked_malloc(count, 4), *to = checked_malloc(s->size, 4);
    random_fill(3, count, values);
    for (int64_t i = 0; i < count; i++) from[i] = (float)values[i];
    check_ok(armilla_points_adjoint_synthesis(s->plan, values, alm, NULL));
    check_ok(armilla_points_adjoint_synthesis_float(s->plan, from, to, NULL));
    for (int64_t i = 0; i < s->size; i++) made[i] = to[i];
    const double error = rms_error(s->size, alm, made);
    free(values), free(alm), free(made), free(from), free(to);
    return error;
}

/* What single precision errs is too much for this error: floats are made in two floats, too. */
static void floats_of_small_errors_are_made_in_two_floats(void **state)
{
    (void)state;
    const plan_case of = {.c = {.lmax = 250, .mmax = 250}, .epsilon = 1e-6, .npoints = 300};
    points_scene slow, fast;
    open_on(SLOW, &slow, &of), open_on(FAST, &fast, &of);
    const int64_t count = points_values(&slow);
    double *made = checked_malloc(count, 8), *wanted = checked_malloc(count, 8);
    synthesize_floats(&slow, made), synthesize_floats(&fast, wanted);
    check_at_most(rms_error(count, wanted, made), 6e-8, "floats");
    check_ok(armilla_points_synthesis(slow.plan, slow.alm, made, NULL));
    check_ok(armilla_points_synthesis(fast.plan, fast.alm, wanted, NULL));
    assert_memory_not_equal(made, wanted, (size_t)count * 8);
    check_at_most(rms_error(count, wanted, made), 1e-12, "doubles");
    free(made), free(wanted);
    points_scene_close(&slow), points_scene_close(&fast);
}

static void floats_are_made_in_single_precision(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 3; spin++) {
        const plan_case of = {

            .c = {.lmax = 250, .mmax = 250, .spin = spin}, .epsilon = 1e-4, .npoints = 300};
        points_scene slow, fast;
        open_on(SLOW, &slow, &of), open_on(FAST, &fast, &of);
        const int64_t count = points_values(&slow);
        double *exact = exact_values(&slow), *made = checked_malloc(count, 8);
        double *wanted = checked_malloc(count, 8);
        synthesize_floats(&slow, made), synthesize_floats(&fast, wanted);
        assert_memory_not_equal(made, wanted, (size_t)count * 8);
        check_at_most(rms_error(count, wanted, made), 5e-6, "floats, spin %d", (int)spin);
        check_at_most(rms_error(count, exact, made), of.epsilon, "error, spin %d", (int)spin);
        check_at_most(difference_of_adjoints(&slow), 2e-6, "adjoint, spin %d", (int)spin);
        check_ok(armilla_points_synthesis(slow.plan, slow.alm, made, NULL));
        check_ok(armilla_points_synthesis(fast.plan, fast.alm, wanted, NULL));
        assert_memory_not_equal(made, wanted, (size_t)count * 8); /* two floats */
        check_at_most(rms_error(count, wanted, made), 1e-12, "doubles, spin %d", (int)spin);
        free(exact), free(made), free(wanted);
        points_scene_close(&slow), points_scene_close(&fast);
    }
}

/* A smaller error, functions of spin s by their own recurrence: no tables of floats are made. */
static void others_stay_in_double_precision(void **state)
{
    (void)state;
    plan_case of = {.c = {.lmax = 40, .mmax = 40}, .epsilon = 2e-4, .npoints = 10};
    assert_true(plan_bytes(SLOW, &of) > plan_bytes(FAST, &of));
    of.epsilon = 2.1e-11; /* two floats, which may err 2e-12 (1 + lmax / 1000), are good enough */
    assert_true(plan_bytes(SLOW, &of) > plan_bytes(FAST, &of));
    of.epsilon = 2e-11;
    assert_int_equal(plan_bytes(SLOW, &of), plan_bytes(FAST, &of));
    of.epsilon = 5e-11, of.c.lmax = 1600, of.c.mmax = 2;
    assert_int_equal(plan_bytes(SLOW, &of), plan_bytes(FAST, &of));
    of.epsilon = 2e-4;
    of.c = (spin_case){.lmax = 40, .mmax = 40, .spin = 2, .method = ARMILLA_SPIN_RECURRENCE};
    assert_int_equal(plan_bytes(SLOW, &of), plan_bytes(FAST, &of));
    of.c = (spin_case){.lmax = 40, .mmax = 40, .spin = -4};
    assert_int_equal(plan_bytes(SLOW, &of), plan_bytes(FAST, &of));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_are_made_in_single_precision),
        cmocka_unit_test(floats_of_small_errors_are_made_in_two_floats),
        cmocka_unit_test(others_stay_in_double_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

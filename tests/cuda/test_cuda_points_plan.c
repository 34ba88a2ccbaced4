/* Values at points on a GPU: as accurate as was asked for against exact sums, with an exact
 * adjoint, whatever the spin, the points, the memory, and where arrays are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/points_plan_scene.h"
#include "points/plan.h"

static double error_of(const points_scene *s)
{
    double *exact = exact_values(s);
    const double error = points_error(s, exact);
    free(exact);
    return error;
}

/* Errors as promised, and the adjoint. */
static void check_plan(const plan_case *of, const char *what)
{
    const double rounding = 2e-16 * (double)(of->c.lmax + 10);
    points_scene s;
    plan_open(&s, of);
    /* of 1e7 turns, a double knows 2e-9 */
    const double epsilon = of->kind == FAR_TURNS ? fmax(of->epsilon, 3e-7) : of->epsilon;
    check_at_most(error_of(&s), fmax(epsilon, rounding), "%s: spin %d, epsilon %g", what,
                  (int)of->c.spin, of->epsilon);
    check_at_most(plan_adjoint_error(&s), 1e-13, "%s: adjoint, spin %d, epsilon %g", what,
                  (int)of->c.spin, of->epsilon);
    points_scene_close(&s);
}

static void every_accuracy(void **state)
{
    (void)state;
    const int64_t spins[] = {0, 1, 2, 3, 7, -2};
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++)
        for (int digits = 1; digits <= 12; digits++) {
            if (spins[i] && digits % 3) continue;
            const plan_case of = {.c = {.lmax = 30, .mmax = 30, .spin = spins[i]},
                                  .epsilon = pow(10, -digits),
                                  .npoints = 150};
            check_plan(&of, "accuracy");
        }
}

static void every_kind_of_points(void **state)
{
    (void)state;
    for (int kind = 0; kind < POINT_KINDS; kind++)
        for (int64_t spin = 0; spin <= 2; spin++) {
            const plan_case of = {.c = {.lmax = 90, .mmax = 80, .spin = spin},
                                  .epsilon = 1e-8,
                                  .kind = (point_kind)kind,
                                  .npoints = 100,
                                  .device_bytes = spin < 2, /* several strips */
                                  .there = spin == 1};
            check_plan(&of, "kind of points");
        }
}

static void small_band_limits_and_modes(void **state)
{
    (void)state;
    const int64_t limits[][2] = {{0, 0}, {1, 0}, {2, 1}, {5, 5}, {33, 2}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (int64_t spin = 0; spin <= 2 && spin <= limits[i][0]; spin++) {
            const plan_case of = {.c = {.lmax = limits[i][0], .mmax = limits[i][1], .spin = spin},
                                  .epsilon = 1e-11,
                                  .npoints = 50};
            check_plan(&of, "band limit");
        }
    for (int mode = 1; mode <= 2; mode++) {
        const plan_case of = {
            .c = {.lmax = 20, .mmax = 20, .spin = mode, .mode = (armilla_sht_mode)mode},
            .epsilon = 1e-9,
            .npoints = 50};
        check_plan(&of, "mode");
    }
}

/* --- Floats ----------------------------------------------------------------------------------- */

/* Calls of floats, whose samples are floats from 1e-5 on. Errors over the field's. */
static void floats(void **state)
{
    (void)state;
    const double epsilons[] = {1e-2, 1e-5, 1e-7};
    for (int64_t spin = 0; spin <= 2; spin += 2)
        for (size_t i = 0; i < 3; i++) {
            const plan_case of = {.c = {.lmax = 30, .mmax = 30, .spin = spin},
                                  .epsilon = epsilons[i],
                                  .npoints = 200};
            points_scene s;
            plan_open(&s, &of);
            const int64_t count = points_values(&s);
            float *alm = checked_malloc(s.size, 4), *values = checked_malloc(count, 4);
            double *exact = exact_values(&s), *made = checked_malloc(count, 8);
            double *back = checked_malloc(s.size, 8), *wanted = checked_malloc(s.size, 8);
            to_float(s.size, s.alm, alm);
            check_ok(armilla_points_synthesis_float(s.plan, alm, values, NULL));
            to_double(count, values, made);
            check_at_most(rms_error(count, exact, made), fmax(2 * epsilons[i], 5e-7),
                          "floats, epsilon %g", epsilons[i]);
            check_ok(armilla_points_adjoint_synthesis_float(s.plan, values, alm, NULL));
            to_double(s.size, alm, back);
            check_ok(armilla_points_adjoint_synthesis(s.plan, made, wanted, NULL));
            check_at_most(rms_error(s.size, wanted, back), 2e-6, "adjoint of floats, epsilon %g",
                          epsilons[i]);
            free(alm), free(values), free(exact), free(made), free(back), free(wanted);
            points_scene_close(&s);
        }
}

/* --- Bits ------------------------------------------------------------------------------------- */

/* Both operators on `ntrans` transforms with arrays where the flags say. */
static void run_both(const points_scene *s, int alm_there, int values_there, int64_t ntrans,
                     const double *alm, double *values, double *back)
{
    const int64_t alm_bytes = 8 * ntrans * s->size, bytes = 8 * ntrans * points_values(s);
    double *const a = alm_there ? put_there(alm, alm_bytes) : (double *)alm;
    double *const v = values_there ? put_there(values, bytes) : values;
    double *const b = alm_there ? put_there(back, alm_bytes) : back;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans;
    if (alm_there && values_there) exec.memory = ARMILLA_MEMORY_DEVICE;
    check_ok(armilla_points_synthesis(s->plan, a, v, &exec));
    check_ok(armilla_points_adjoint_synthesis(s->plan, v, b, &exec));
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    if (values_there) take_back(values, v, bytes);
    if (alm_there) take_back(back, b, alm_bytes), assert_int_equal(cudaFree(a), cudaSuccess);
}

enum { TRANSFORMS = 3 };

typedef struct {
    double *values, *back;
} results;

static results results_of(const plan_case *of, int alm_there, int values_there, int64_t ntrans)
{
    points_scene s;
    plan_open(&s, of);
    const results r = {checked_calloc(ntrans * points_values(&s), 8),
                       checked_calloc(ntrans * s.size, 8)};
    double *alm = checked_malloc(ntrans * s.size, 8);
    for (int64_t t = 0; t < ntrans; t++)
        spin_random_alm(5 + (uint64_t)t, &of->c, 0, alm + t * s.size);
    run_both(&s, alm_there, values_there, ntrans, alm, r.values, r.back);
    free(alm);
    points_scene_close(&s);
    return r;
}

static void check_same(const plan_case *of, const results *wanted, results made)
{
    const int64_t count = of->npoints * (of->c.spin ? 2 : 1);
    assert_memory_equal(wanted->values, made.values, (size_t)(TRANSFORMS * count) * 8);
    assert_memory_equal(wanted->back, made.back, (size_t)(TRANSFORMS * spin_size(&of->c)) * 8);
    free(made.values), free(made.back);
}

static void arrays_anywhere_have_the_same_bits(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        plan_case of = {
            .c = {.lmax = 24, .mmax = 20, .spin = spin}, .epsilon = 1e-7, .npoints = 300};
        const results wanted = results_of(&of, 0, 0, TRANSFORMS);
        for (int places = 1; places < 4; places++)
            check_same(&of, &wanted, results_of(&of, places % 2, places / 2, TRANSFORMS));
        of.there = 1;
        check_same(&of, &wanted, results_of(&of, 1, 1, TRANSFORMS));
        of.there = 0;
        cuda_emulation_set_order(CUDA_EMULATION_REVERSED, 0);
        check_same(&of, &wanted, results_of(&of, 0, 0, TRANSFORMS));
        cuda_emulation_set_order(CUDA_EMULATION_RANDOM, 4);
        check_same(&of, &wanted, results_of(&of, 1, 1, TRANSFORMS));
        cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
        free(wanted.values), free(wanted.back);
    }
}

static int64_t strips_of(const plan_case *of)
{
    points_scene s;
    plan_open(&s, of);
    const int64_t count = s.plan->core->nstrips;
    points_scene_close(&s);
    return count;
}

/* As few bytes as possible: strips of one band or two, one transform at a time. */
static void little_memory_has_the_same_bits(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        plan_case of = {
            .c = {.lmax = 100, .mmax = 100, .spin = spin}, .epsilon = 1e-9, .npoints = 200};
        assert_int_equal(strips_of(&of), 1);
        const results wanted = results_of(&of, 0, 0, TRANSFORMS);
        of.device_bytes = 1;
        assert_true(strips_of(&of) > 2);
        check_same(&of, &wanted, results_of(&of, 0, 0, TRANSFORMS));
        check_plan(&of, "little memory");
        free(wanted.values), free(wanted.back);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_accuracy),
        cmocka_unit_test(every_kind_of_points),
        cmocka_unit_test(small_band_limits_and_modes),
        cmocka_unit_test(floats),
        cmocka_unit_test(arrays_anywhere_have_the_same_bits),
        cmocka_unit_test(little_memory_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Values at points on several GPUs: each has some strips of samples and their points, and results
 * have the bits of one GPU, whatever the points are and however they are dealt out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/progress.h"
#include "base/parts.h"
#include "cuda/stages/points_plan.h"
#include "cuda/points_several_scene.h"
#include "points/device.h"

#include <pthread.h>

static plan_case case_of(int64_t lmax, int64_t spin, int64_t npoints)
{
    return (plan_case){
        .c = {.lmax = lmax, .mmax = lmax, .spin = spin}, .epsilon = 1e-7, .npoints = npoints};
}

/* --- Bits ------------------------------------------------------------------------------------- */

enum { ENOUGH = 100 }; /* lmax of points that three GPUs share, a strip each */

/* Lists of `least` GPUs and more, of which so many have work. */
static void check_counts(const plan_case *of, int64_t ntrans, int least, int working,
                         const char *what)
{
    several_scene t;
    several_open(&t, of, ntrans);
    for (int count = least; count <= MOST; count++) {
        armilla_points *plan = plan_on(&t, count);
        assert_int_equal(armilla_points_device_needs(plan).ngpus,
                         count < working ? count : working);
        check_same_bits(&t, plan, what);
        armilla_points_free(plan);
    }
    several_close(&t);
}

static void bits_do_not_depend_on_how_many(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        plan_case of = case_of(ENOUGH, spin, 400);
        check_counts(&of, 1 + spin / 2, 1, 3, "a strip for each GPU");
        of.device_bytes = 1, of.c.lmax = 160, of.c.mmax = 90;
        check_counts(&of, 2 - spin / 2, MOST, 3, "several strips for each GPU");
    }
}

static void whatever_the_points_are(void **state)
{
    (void)state;
    const int working[POINT_KINDS] = {3, 3, 1, 3, 1, 3};
    for (int kind = 0; kind < POINT_KINDS; kind++) {
        plan_case of = case_of(ENOUGH, kind % 2 ? 2 : 0, kind == PATCH ? 3000 : 90);
        of.kind = (point_kind)kind;
        check_counts(&of, 1, MOST, working[kind], "kind of points");
    }
    for (int64_t npoints = 0; npoints < 2; npoints++) {
        const plan_case of = case_of(ENOUGH, 0, npoints);
        check_counts(&of, 2, MOST, npoints ? 1 : 3, npoints ? "one point" : "no points");
    }
    const plan_case small = case_of(2, 1, 30), constant = case_of(0, 0, 5);
    check_counts(&small, 3, 2, 1, "fewer bands than GPUs");
    check_counts(&constant, 1, MOST, 1, "lmax 0");
}

/* Values of the processor's plan, so that the plan without a list is not the only witness. */
static void values_are_right(void **state)
{
    (void)state;
    plan_case of = case_of(ENOUGH, 2, 200);
    of.epsilon = 1e-11;
    several_scene t;
    several_open(&t, &of, 1);
    armilla_points_free(t.s.plan);
    t.s.plan = plan_on(&t, MOST);
    double *exact = exact_values(&t.s);
    check_at_most(points_error(&t.s, exact), of.epsilon, "against exact sums");
    check_at_most(plan_adjoint_error(&t.s), 1e-13, "adjoint");
    free(exact);
    several_close(&t);
}

/* Samples are doubles for 1e-7 and floats for 1e-3. */
static void floats_have_the_same_bits(void **state)
{
    (void)state;
    const double epsilons[] = {1e-7, 1e-3};
    for (int i = 0; i < 2; i++) {
        plan_case of = case_of(ENOUGH, 2 * i, 300);
        several_scene t;
        of.epsilon = epsilons[i];
        several_open(&t, &of, 2);
        const armilla_exec exec = exec_for(&t);
        armilla_points *plans[2] = {t.s.plan, plan_on(&t, MOST)};
        float *alm = checked_malloc(t.nalm, 4), *values = checked_malloc(t.nvalues, 4);
        float *to[2], *back[2];
        to_float(t.nalm, t.alm, alm), to_float(t.nvalues, t.values, values);
        for (int k = 0; k < 2; k++) {
            to[k] = checked_malloc(t.nvalues, 4), back[k] = checked_malloc(t.nalm, 4);
            check_ok(armilla_points_synthesis_float(plans[k], alm, to[k], &exec));
            check_ok(armilla_points_adjoint_synthesis_float(plans[k], values, back[k], &exec));
        }
        assert_memory_equal(to[0], to[1], (size_t)t.nvalues * 4);
        assert_memory_equal(back[0], back[1], (size_t)t.nalm * 4);
        for (int k = 0; k < 2; k++) free(to[k]), free(back[k]);
        free(alm), free(values);
        armilla_points_free(plans[1]);
        several_close(&t);
    }
}

/* Distances between components, and what lies between them. */
static void gaps_stay(void **state)
{
    (void)state;
    enum { GAP = 3 };
    const plan_case of = case_of(ENOUGH, 2, 100);
    several_scene t;
    several_open(&t, &of, 2);
    armilla_points *plans[2] = {t.s.plan, plan_on(&t, MOST)};
    armilla_exec exec = exec_for(&t);
    exec.map_distance = of.npoints + GAP;
    const int64_t count = 2 * 2 * exec.map_distance;
    double *values[2], *alm[2];
    for (int i = 0; i < 2; i++) {
        values[i] = checked_malloc(count, 8), alm[i] = checked_malloc(t.nalm, 8);
        random_fill(5, count, values[i]);
        check_ok(armilla_points_synthesis(plans[i], t.alm, values[i], &exec));
        check_ok(armilla_points_adjoint_synthesis(plans[i], values[i], alm[i], &exec));
    }
    assert_memory_equal(values[0], values[1], (size_t)count * 8);
    assert_memory_equal(alm[0], alm[1], (size_t)t.nalm * 8);
    for (int i = 0; i < 2; i++) free(values[i]), free(alm[i]);
    armilla_points_free(plans[1]);
    several_close(&t);
}

/* Memory that has room for two transforms, but not for copies of their numbers: a GPU runs its part
 * of a batch one by one. */
static void batches_of_gpus_may_be_smaller(void **state)
{
    (void)state;
    plan_case of = case_of(ENOUGH, 0, 6000);
    several_scene t;
    of.c.mmax = 30;
    several_open(&t, &of, 2);
    armilla_points_description d = {.size = sizeof d};
    armilla_points *plan = plan_on(&t, MOST);
    check_ok(armilla_points_describe(plan, 1, &d));
    armilla_points_free(plan);
    for (int tenths = 15; tenths < 19; tenths++) {
        t.of.device_bytes = tenths * d.device_workspace_bytes / 10;
        plan = plan_on(&t, MOST);
        check_same_bits(&t, plan, "smaller batches");
        armilla_points_free(plan);
    }
    several_close(&t);
}

/* How a tile is cut depends on the points of all GPUs, not on those of its own. */
static void pieces_are_those_of_all_points(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    const double coefficient[2] = {0.5, 0.5};
    armilla_cuda_points_problem problem = {.whole = 64,
                                           .nrings = 64,
                                           .nphi = 128,
                                           .taps = 2,
                                           .coefficient = coefficient,
                                           .row_length = 2,
                                           .epsilon = 0.1};
    double *points = checked_malloc(2 * COUNT, 8);
    fill_points(ONE_PLACE, COUNT, points);
    const int64_t totals[] = {0, COUNT, INT64_C(5000000)}, buffers[] = {3, 3, 2};
    for (int i = 0; i < 3; i++) {
        armilla_cuda_points *made;
        problem.total = totals[i];
        check_ok(armilla_cuda_points_new(&problem, COUNT, points, 0, NULL, &made));
        assert_int_equal(made->tasks.nbuffers, buffers[i]);
        armilla_cuda_points_free(made);
    }
    free(points);
}

/* Beside a plan on a list whose memory is gone: the same core, and one of its own. */
static void points_beside_have_the_same_gpus(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        plan_case of = case_of(ENOUGH, 0, 300);
        int list[2] = {1, 0};
        several_scene t;
        of.kind = kind ? RANDOM : PATCH;
        several_open(&t, &of, 1);
        armilla_points_options options = options_on(&of, 2);
        double *points = checked_malloc(2 * 200, 8);
        armilla_points *first, *beside;
        options.devices = list;
        fill_points(RANDOM, 200, points);
        check_ok(armilla_points_new(ENOUGH, ENOUGH, 200, points, &options, &first));
        list[0] = list[1] = 77;
        check_ok(armilla_points_new_beside(first, of.npoints, t.s.points, &beside));
        armilla_points_free(first);
        assert_int_equal(beside->core->ndevices, 2);
        if (kind) check_same_bits(&t, beside, "beside");
        double *value = checked_malloc(of.npoints, 8);
        const double before = (double)room_on(0);
        check_ok(armilla_points_synthesis(beside, t.alm, value, NULL));
        assert_true(kind == 0 || (double)room_on(0) <= before);
        free(value), free(points);
        armilla_points_free(beside);
        several_close(&t);
    }
}

static void least_squares_run_on_all(void **state)
{
    (void)state;
    plan_case of = case_of(20, 0, 900);
    of.epsilon = 1e-11;
    several_scene t;
    several_open(&t, &of, 1);
    armilla_points *plan = plan_on(&t, 2);
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.tolerance = 1e-10, options.max_iterations = 200;
    double *alm = checked_malloc(t.nalm, 8);
    check_ok(armilla_points_synthesis(plan, t.alm, t.values, NULL));
    check_ok(armilla_points_pseudo_analysis(plan, t.values, alm, &options, NULL, NULL));
    check_at_most(rms_error(t.nalm, t.alm, alm), 1e-8, "least squares");
    free(alm);
    armilla_points_free(plan);
    several_close(&t);
}

/* --- Who works, and what it takes ------------------------------------------------------------- */

/* Tables and points are in the memory of all; calls take it from the pools. */
static void all_devices_work(void **state)
{
    (void)state;
    for (int to_points = 0; to_points < 2; to_points++) {
        const plan_case of = case_of(ENOUGH, 0, 600);
        several_scene t;
        size_t free_then[MOST], with_plan[MOST];
        several_open(&t, &of, 1);
        for (int device = 0; device < MOST; device++) free_then[device] = room_on(device);
        armilla_points *plan = plan_on(&t, MOST);
        for (int device = 0; device < MOST; device++) {
            with_plan[device] = room_on(device);
            assert_true(with_plan[device] < free_then[device]);
        }
        const armilla_exec exec = exec_for(&t);
        double *out = checked_malloc(numbers_out(&t, to_points), 8);
        check_ok(run_one(&t, plan, to_points, out, &exec));
        assert_int_equal(current_device(), 0);
        for (int device = 0; device < MOST; device++)
            assert_true(room_on(device) < with_plan[device]);
        free(out);
        armilla_points_free(plan);
        several_close(&t);
    }
}

static void a_description_tells_of_the_fullest(void **state)
{
    (void)state;
    const plan_case of = case_of(ENOUGH, 0, 20000);
    several_scene t;
    several_open(&t, &of, 1);
    armilla_points_description one = {.size = sizeof one}, several = {.size = sizeof several};
    check_ok(armilla_points_describe(t.s.plan, 1, &one));
    size_t before[MOST];
    for (int device = 0; device < MOST; device++) before[device] = room_on(device);
    armilla_points *plan = plan_on(&t, MOST);
    check_ok(armilla_points_describe(plan, 1, &several));
    int64_t most = 0;
    for (int device = 0; device < MOST; device++) {
        const int64_t taken = (int64_t)(before[device] - room_on(device));
        if (taken > most) most = taken;
    }
    assert_true(several.device_plan_bytes <= most);
    /* points are two thirds of the plan's bytes, and no GPU has all of them */
    assert_true((double)several.device_plan_bytes < 0.9 * (double)one.device_plan_bytes);
    assert_true(several.device_workspace_bytes > 0 &&
                several.device_workspace_bytes <= one.device_workspace_bytes);
    armilla_points_free(plan);
    several_close(&t);
}

typedef struct {
    int strips, shared;
} told;

static void take_choice(void *data, const armilla_choice *choice)
{
    told *t = data;
    if (strcmp(choice->name, "points.strips")) return;
    t->strips++,
        t->shared += strstr(choice->value, "3 strips of samples, shared by 3 GPUs") != NULL;
}

static void choices_name_the_gpus(void **state)
{
    (void)state;
    const plan_case of = case_of(ENOUGH, 0, 100);
    several_scene t;
    told seen = {0, 0};
    several_open(&t, &of, 1);
    armilla_points *plan = plan_on(&t, MOST);
    check_ok(armilla_points_explain(plan, take_choice, &seen));
    assert_true(seen.strips == 1 && seen.shared == 1);
    armilla_points_free(plan);
    several_close(&t);
}

/* --- Threads ---------------------------------------------------------------------------------- */

static void calls_do_without_threads(void **state)
{
    (void)state;
    const plan_case of = case_of(ENOUGH, 2, 200);
    several_scene t;
    several_open(&t, &of, 2);
    armilla_points *plan = plan_on(&t, MOST);
    for (int most = 0; most < 2; most++) {
        armilla_parts_limit_threads(most);
        check_same_bits(&t, plan, "few threads");
    }
    armilla_parts_limit_threads(-1);
    armilla_points_free(plan);
    several_close(&t);
}

typedef struct {
    const several_scene *t;
    const armilla_points *plan;
    int to_points;
    double *made;
    armilla_status status;
} caller;

static void *call_twice(void *data)
{
    caller *c = data;
    const armilla_exec exec = exec_for(c->t);
    for (int i = 0; i < 2 && !c->status; i++)
        c->status = run_one(c->t, c->plan, c->to_points, c->made, &exec);
    return NULL;
}

static void several_threads_may_call(void **state)
{
    (void)state;
    enum { CALLERS = 4 };
    const plan_case of = case_of(ENOUGH, 0, 200);
    several_scene t;
    pthread_t threads[CALLERS];
    caller callers[CALLERS];
    double *wanted[2];
    several_open(&t, &of, 2);
    const armilla_exec exec = exec_for(&t);
    armilla_points *plan = plan_on(&t, MOST);
    for (int i = 0; i < 2; i++) {
        wanted[i] = checked_malloc(numbers_out(&t, i), 8);
        check_ok(run_one(&t, t.s.plan, i, wanted[i], &exec));
    }
    for (int i = 0; i < CALLERS; i++) {
        callers[i] =
            (caller){&t, plan, i % 2, checked_malloc(numbers_out(&t, i % 2), 8), ARMILLA_OK};
        assert_int_equal(pthread_create(&threads[i], NULL, call_twice, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        check_ok(callers[i].status);
        assert_memory_equal(callers[i].made, wanted[i % 2], 8 * (size_t)numbers_out(&t, i % 2));
        free(callers[i].made);
    }
    free(wanted[0]), free(wanted[1]);
    armilla_points_free(plan);
    several_close(&t);
}

/* --- Progress --------------------------------------------------------------------------------- */

static void the_caller_hears_of_all(void **state)
{
    (void)state;
    plan_case of = case_of(ENOUGH, 0, 60);
    several_scene t;
    of.device_bytes = 1;
    several_open(&t, &of, 3);
    armilla_points *plan = plan_on(&t, MOST);
    armilla_exec exec = exec_for(&t);
    armilla_progress_set_interval(0);
    for (int round = 0; round < 4; round++) {
        const int to_points = round / 2;
        listener l = {.thread = pthread_self(), .stop = round % 2};
        double *out = checked_malloc(numbers_out(&t, to_points), 8);
        exec.progress = hear, exec.progress_data = &l;
        const armilla_status status = run_one(&t, plan, to_points, out, &exec);
        assert_int_equal(status, l.stop ? ARMILLA_ERROR_CANCELLED : ARMILLA_OK);
        assert_true(l.stop ? l.calls == 1 : l.calls >= 1);
        free(out);
    }
    armilla_progress_set_interval(0.05);
    armilla_points_free(plan);
    several_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bits_do_not_depend_on_how_many, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(whatever_the_points_are, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(values_are_right, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(floats_have_the_same_bits, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(gaps_stay, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(batches_of_gpus_may_be_smaller, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(pieces_are_those_of_all_points, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(points_beside_have_the_same_gpus, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(least_squares_run_on_all, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(all_devices_work, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(a_description_tells_of_the_fullest, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(choices_name_the_gpus, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(calls_do_without_threads, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(several_threads_may_call, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(the_caller_hears_of_all, set_devices, reset_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Plans for points on a GPU: what they refuse and by which name, what they take of the device, how
 * few launches a call has, and points beside those of another plan. Failures: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/points_plan_scene.h"

static const plan_case SMALL = {.c = {.lmax = 12, .mmax = 10}, .epsilon = 1e-6, .npoints = 80};
static const plan_case SPIN = {
    .c = {.lmax = 12, .mmax = 10, .spin = 2}, .epsilon = 1e-6, .npoints = 80};

/* --- What is refused -------------------------------------------------------------------------- */

static armilla_status try_options(const armilla_points_options *options, const double *points)
{
    armilla_points *plan = NULL;
    const armilla_status status = armilla_points_new(4, 4, 1, points, options, &plan);
    if (status) assert_null(plan);
    armilla_points_free(plan);
    return status;
}

static void options_are_refused_by_name(void **state)
{
    (void)state;
    const double point[2] = {1, 2};
    double alm[2 * 15] = {0}, value;
    armilla_points_options options = plan_options(&SMALL);
    cuda_emulation_set_devices(0);
    check_error(try_options(&options, point), ARMILLA_ERROR_UNSUPPORTED, "no GPU can be used");
    cuda_emulation_set_devices(1);
    check_error(armilla_points_evaluate(4, 4, 1, point, &options, alm, &value, NULL),
                ARMILLA_ERROR_UNSUPPORTED,
                "options->device: values at points without a plan are not");
    options.points_memory = ARMILLA_MEMORY_DEVICE;
    check_error(try_options(&options, point), ARMILLA_ERROR_ARGUMENT,
                "options->points_memory = ARMILLA_MEMORY_DEVICE");
    options.device = ARMILLA_CPU;
    check_error(try_options(&options, point), ARMILLA_ERROR_ARGUMENT, "runs on the CPU");
    options.points_memory = (armilla_memory)5;
    check_error(try_options(&options, point), ARMILLA_ERROR_ARGUMENT, "points_memory = 5");
    options = plan_options(&SMALL), options.device = (armilla_device)3;
    check_error(try_options(&options, point), ARMILLA_ERROR_ARGUMENT, "options->device = 3");
    options = plan_options(&SMALL), options.device_bytes = -1;
    check_error(try_options(&options, point), ARMILLA_ERROR_ARGUMENT, "device_bytes = -1");
}

/* The first one that is none, of either memory. */
static void wrong_points_are_named(void **state)
{
    (void)state;
    const double points[4] = {1, 2, 4, 0};
    const armilla_points_options options = plan_options(&SMALL);
    armilla_points *plan = NULL;
    double *there = put_there(points, sizeof points);
    check_error(armilla_points_new(4, 4, 2, points, &options, &plan), ARMILLA_ERROR_ARGUMENT,
                "point 1");
    check_error(armilla_points_new(4, 4, 2, there, &options, &plan), ARMILLA_ERROR_ARGUMENT,
                "point 1");
    assert_int_equal(cudaFree(there), cudaSuccess);
}

/* Points of the device at an address that is no multiple of 16 bytes, an odd number of them. */
static void points_at_any_address(void **state)
{
    (void)state;
    enum { COUNT = 7 };
    double flat[1 + 2 * COUNT] = {0}, alm[2 * 91], values[2][COUNT];
    const armilla_points_options options = plan_options(&SMALL);
    fill_points(RANDOM, COUNT, flat + 1);
    random_fill(5, 2 * 91, alm);
    double *there = put_there(flat, sizeof flat);
    for (int i = 0; i < 2; i++) {
        armilla_points *plan;
        check_ok(armilla_points_new(12, 12, COUNT, (i ? there : flat) + 1, &options, &plan));
        check_ok(armilla_points_synthesis(plan, alm, values[i], NULL));
        armilla_points_free(plan);
    }
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    assert_int_equal(cudaFree(there), cudaSuccess);
}

/* Pinned points are the host's, unless the caller says otherwise; values are the same. */
static void pinned_points(void **state)
{
    (void)state;
    points_scene s;
    plan_open(&s, &SMALL);
    armilla_points_options options = plan_options(&SMALL);
    double *wanted = checked_malloc(s.npoints, 8), *made = checked_malloc(s.npoints, 8);
    void *pinned;
    assert_int_equal(cudaMallocHost(&pinned, (size_t)s.npoints * 16), cudaSuccess);
    memcpy(pinned, s.points, (size_t)s.npoints * 16);
    check_ok(armilla_points_synthesis(s.plan, s.alm, wanted, NULL));
    for (int memory = 0; memory < 3; memory++) {
        armilla_points *plan;
        options.points_memory = (armilla_memory)memory;
        check_ok(armilla_points_new(s.c.lmax, s.c.mmax, s.npoints, pinned, &options, &plan));
        check_ok(armilla_points_synthesis(plan, s.alm, made, NULL));
        assert_memory_equal(wanted, made, (size_t)s.npoints * 8);
        armilla_points_free(plan);
    }
    assert_int_equal(cudaFreeHost(pinned), cudaSuccess);
    free(wanted), free(made);
    points_scene_close(&s);
}

/* The float nearest to pi, which is above it: points of the host and of the device. */
static void a_floats_pi_is_the_south_pole(void **state)
{
    (void)state;
    for (int there = 0; there < 2; there++) {
        plan_case of = SMALL;
        double wanted[80], made[80];
        points_scene s;
        armilla_points *plan;
        plan_open(&s, &of);
        const armilla_points_options options = plan_options(&of);
        for (int k = 0; k < 3; k++) {
            s.points[4] = k == 0 ? M_PI : k == 1 ? (double)(float)M_PI : 3.1415928;
            double *points = there ? put_there(s.points, 16 * s.npoints) : s.points;
            const armilla_status status =
                armilla_points_new(s.c.lmax, s.c.mmax, s.npoints, points, &options, &plan);
            if (there) assert_int_equal(cudaFree(points), cudaSuccess);
            if (k == 2) {
                check_error(status, ARMILLA_ERROR_ARGUMENT, "theta of point 2 = 3.14159");
                continue;
            }
            check_ok(status);
            check_ok(armilla_points_synthesis(plan, s.alm, k ? made : wanted, NULL));
            armilla_points_free(plan);
        }
        assert_memory_equal(wanted, made, (size_t)s.npoints * sizeof(double));
        points_scene_close(&s);
    }
}

static void arrays_on_the_wrong_side(void **state)
{
    (void)state;
    points_scene s;
    plan_open(&s, &SMALL);
    double *values = checked_malloc(s.npoints, 8);
    double *there = put_there(values, 8 * s.npoints);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(armilla_points_synthesis(s.plan, s.alm, there, &exec), ARMILLA_ERROR_ARGUMENT,
                "alm: is in host memory");
    check_error(armilla_points_pseudo_analysis(s.plan, there, s.alm, NULL, NULL, NULL),
                ARMILLA_ERROR_UNSUPPORTED, "values: is in device memory");
    exec.memory = ARMILLA_MEMORY_ASK, exec.missing = ARMILLA_MISSING_ERROR;
    check_error(armilla_points_adjoint_synthesis(s.plan, values, s.alm, &exec),
                ARMILLA_ERROR_UNSUPPORTED, "exec->missing");
    assert_int_equal(cudaFree(there), cudaSuccess);
    free(values);
    points_scene_close(&s);
}

/* --- What fails ------------------------------------------------------------------------------- */

static int stop_at_once(void *data, double fraction)
{
    (void)data, (void)fraction;
    return 1;
}

/* A captured call runs when its graph is launched, with the bits of a plain one; what would have to
 * wait is refused. */
static void graphs_of_calls(void **state)
{
    (void)state;
    points_scene s;
    plan_open(&s, &SPIN);
    const int64_t bytes = 8 * points_values(&s);
    double *wanted = checked_malloc(points_values(&s), 8);
    double *made = checked_calloc(points_values(&s), 8);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    armilla_exec exec;
    armilla_exec_init(&exec);
    check_ok(armilla_points_synthesis(s.plan, s.alm, wanted, NULL));
    double *alm = put_there(s.alm, 8 * s.size), *values = put_there(made, bytes);
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    exec.stream = stream;
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    check_error(armilla_points_synthesis(s.plan, s.alm, values, &exec), ARMILLA_ERROR_UNSUPPORTED,
                "alm: host arrays cannot be captured");
    check_error(armilla_points_synthesis(s.plan, alm, made, &exec), ARMILLA_ERROR_UNSUPPORTED,
                "values: host arrays cannot be captured");
    exec.progress = stop_at_once;
    check_error(armilla_points_synthesis(s.plan, alm, values, &exec), ARMILLA_ERROR_UNSUPPORTED,
                "exec->progress");
    exec.progress = NULL;
    check_ok(armilla_points_synthesis(s.plan, alm, values, &exec));
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(executable, stream), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    take_back(made, values, bytes);
    assert_memory_equal(wanted, made, (size_t)bytes);
    assert_int_equal(cudaGraphExecDestroy(executable), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    assert_int_equal(cudaFree(alm), cudaSuccess);
    free(wanted), free(made);
    points_scene_close(&s);
}

/* --- What a plan takes ------------------------------------------------------------------------ */

/* describe knows the bytes of the plan and of a call beforehand; a synthesis has few launches. */
static void bytes_and_launches(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        plan_case of = SMALL;
        of.c = (spin_case){.lmax = 64, .mmax = 64, .spin = spin}, of.npoints = 1000;
        const int64_t before = cuda_emulation_live_bytes();
        points_scene s;
        plan_open(&s, &of);
        armilla_points_description d = {.size = sizeof d};
        check_ok(armilla_points_describe(s.plan, 1, &d));
        assert_string_equal(d.backend, "cuda");
        assert_int_equal(d.device_plan_bytes, cuda_emulation_live_bytes() - before);
        const int64_t bytes = 8 * points_values(&s);
        double *alm = put_there(s.alm, 8 * s.size), *values = put_there(s.alm, bytes);
        const int64_t held = cuda_emulation_live_bytes();
        cuda_emulation_most_bytes(), cuda_emulation_launches();
        check_ok(armilla_points_synthesis(s.plan, alm, values, NULL));
        assert_true(cuda_emulation_launches() <= (spin ? 13 : 11));
        check_ok(armilla_points_adjoint_synthesis(s.plan, values, alm, NULL));
        assert_int_equal(d.device_workspace_bytes, cuda_emulation_most_bytes() - held);
        assert_int_equal(cudaFree(alm), cudaSuccess);
        assert_int_equal(cudaFree(values), cudaSuccess);
        points_scene_close(&s);
        assert_int_equal(cuda_emulation_live_bytes(), before);
    }
}

/* armilla_choice_fn: counts what is told of strips. */
static void count_strips(void *data, const armilla_choice *choice)
{
    *(int *)data += strstr(choice->name, "points.strips") != NULL;
}

static void choices_are_told(void **state)
{
    (void)state;
    points_scene s;
    int told = 0;
    plan_open(&s, &SMALL);
    check_ok(armilla_points_explain(s.plan, count_strips, &told));
    assert_int_equal(told, 1);
    points_scene_close(&s);
}

/* Each plane of a beam has a plan of its own. */
static void choices_of_beams_are_told(void **state)
{
    (void)state;
    static const double pointings[6] = {0.2, 1, 0, 0.4, 2, 1};
    int told = 0;
    armilla_beams *beams;
    armilla_beams_options options;
    armilla_beams_options_init(&options);
    options.device = ARMILLA_CUDA;
    check_ok(armilla_beams_new(31, 31, 2, 2, pointings, &options, &beams));
    check_ok(armilla_beams_explain(beams, count_strips, &told));
    assert_int_equal(told, 3);
    armilla_beams_free(beams);
}

/* --- Numbers of points ------------------------------------------------------------------------ */

static void no_points_and_one(void **state)
{
    (void)state;
    for (int64_t count = 0; count < 2; count++) {
        plan_case of = SMALL;
        of.npoints = count;
        points_scene s;
        plan_open(&s, &of);
        double value = 7, *alm = checked_malloc(s.size, 8);
        random_fill(1, s.size, alm);
        check_ok(armilla_points_synthesis(s.plan, s.alm, count ? &value : NULL, NULL));
        check_ok(armilla_points_adjoint_synthesis(s.plan, count ? &value : NULL, alm, NULL));
        for (int64_t i = 0; i < s.size && !count; i++) assert_true(alm[i] == 0);
        double *exact = count ? exact_values(&s) : NULL;
        if (count) check_at_most(fabs(value - exact[0]), 1e-5, "one point");
        free(exact), free(alm);
        points_scene_close(&s);
    }
}

static void many_points_of_which_most_are_in_one_tile(void **state)
{
    (void)state;
    const int64_t count = checks_quick() ? 20000 : 100000;
    plan_case of = SMALL;
    of.npoints = count, of.kind = PATCH;
    points_scene s;
    plan_open(&s, &of);
    double *exact = exact_values(&s);
    check_at_most(points_error(&s, exact), of.epsilon, "many points");
    check_at_most(plan_adjoint_error(&s), 1e-13, "adjoint of many points");
    free(exact);
    points_scene_close(&s);
}

/* With the bits of a plan of their own; nothing is made but what belongs to the points. */
static void points_beside_others(void **state)
{
    (void)state;
    points_scene s, own;
    plan_case of = SMALL;
    of.npoints = 300;
    plan_open(&own, &of);
    of.npoints = 400;
    plan_open(&s, &of);
    armilla_points *beside;
    armilla_points_description d = {.size = sizeof d};
    check_ok(armilla_points_describe(s.plan, 1, &d));
    const int64_t before = cuda_emulation_live_bytes();
    check_ok(armilla_points_new_beside(s.plan, own.npoints, own.points, &beside));
    assert_true(cuda_emulation_live_bytes() - before < d.device_plan_bytes / 2);
    double *wanted = checked_malloc(own.npoints, 8), *made = checked_malloc(own.npoints, 8);
    check_ok(armilla_points_synthesis(own.plan, s.alm, wanted, NULL));
    points_scene_close(&own);
    armilla_points_free(s.plan), s.plan = NULL;
    check_ok(armilla_points_synthesis(beside, s.alm, made, NULL));
    assert_memory_equal(wanted, made, 300 * 8);
    armilla_points_free(beside);
    free(wanted), free(made);
    points_scene_close(&s);
}

/* Least squares with arrays of the host: each product of the iteration is on the GPU. */
static void least_squares(void **state)
{
    (void)state;
    plan_case of = SMALL;
    of.npoints = 900, of.epsilon = 1e-11;
    points_scene s;
    plan_open(&s, &of);
    double *values = checked_malloc(s.npoints, 8), *alm = checked_malloc(s.size, 8);
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.tolerance = 1e-10, options.max_iterations = 200;
    check_ok(armilla_points_synthesis(s.plan, s.alm, values, NULL));
    check_ok(armilla_points_pseudo_analysis(s.plan, values, alm, &options, NULL, NULL));
    check_at_most(rms_error(s.size, s.alm, alm), 1e-8, "least squares");
    free(values), free(alm);
    points_scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_refused_by_name),
        cmocka_unit_test(wrong_points_are_named),
        cmocka_unit_test(points_at_any_address),
        cmocka_unit_test(pinned_points),
        cmocka_unit_test(a_floats_pi_is_the_south_pole),
        cmocka_unit_test(arrays_on_the_wrong_side),
        cmocka_unit_test(graphs_of_calls),
        cmocka_unit_test(bytes_and_launches),
        cmocka_unit_test(choices_are_told),
        cmocka_unit_test(choices_of_beams_are_told),
        cmocka_unit_test(no_points_and_one),
        cmocka_unit_test(many_points_of_which_most_are_in_one_tile),
        cmocka_unit_test(points_beside_others),
        cmocka_unit_test(least_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

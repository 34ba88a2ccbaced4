/* What goes wrong with values at points on several GPUs: lists that are none, points, arrays and
 * streams of one of them, plans that have no lists. Failures: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/parts.h"
#include "cuda/points_several_scene.h"
#include "points/device.h"

enum { LMAX = 72 }; /* of points that two GPUs share */

static const plan_case SMALL = {
    .c = {.lmax = LMAX, .mmax = 6, .spin = 2}, .epsilon = 1e-3, .npoints = 60};

static armilla_status try_points(const armilla_points_options *options, const double *points)
{
    armilla_points *plan = NULL;
    const armilla_status status =
        armilla_points_new(LMAX, SMALL.c.mmax, SMALL.npoints, points, options, &plan);
    if (status) assert_null(plan);
    armilla_points_free(plan);
    return status;
}

static armilla_status try_options(const armilla_points_options *options)
{
    double points[2 * 60];
    fill_points(RANDOM, 60, points);
    return try_points(options, points);
}

/* --- Lists ------------------------------------------------------------------------------------ */

static void check_list(const int *devices, int64_t count, const char *words)
{
    armilla_points_options options = plan_options(&SMALL);
    options.devices = devices, options.ndevices = count;
    check_error(try_options(&options), ARMILLA_ERROR_ARGUMENT, words);
}

static void wrong_lists_are_named(void **state)
{
    (void)state;
    const int twice[] = {0, 2, 0}, negative[] = {1, -1}, unknown[] = {0, MOST};
    check_list(twice, 3, "options->devices[2] = 0: is in the list twice");
    check_list(negative, 2, "options->devices[1] = -1: must be the number of a GPU");
    check_list(unknown, 2, "options->devices[1] = 3: the process sees 3 GPUs");
    check_list(NULL, 2, "options->ndevices = 2: must be 0 where devices is NULL");
    check_list(twice, 0, "options->ndevices = 0: must be at least 1 where devices is given");
    armilla_points_options options = options_on(&SMALL, 2);
    cuda_emulation_set_devices(0);
    check_error(try_options(&options), ARMILLA_ERROR_UNSUPPORTED, "no GPU can be used");
    cuda_emulation_set_devices(MOST);
    options.device = ARMILLA_CPU;
    check_error(try_options(&options), ARMILLA_ERROR_ARGUMENT,
                "options->devices: must be NULL where device is ARMILLA_CPU");
}

static void who_has_no_lists_refuses_them(void **state)
{
    (void)state;
    const double point[2] = {1, 2};
    double alm[2 * 15] = {0}, value;
    armilla_points_options options = options_on(&SMALL, 1);
    options.spin = 0;
    check_error(armilla_points_evaluate(4, 4, 1, point, &options, alm, &value, NULL),
                ARMILLA_ERROR_UNSUPPORTED,
                "options->device: values at points without a plan are not");
}

/* --- Points, arrays and streams of one GPU ---------------------------------------------------- */

static void points_of_a_gpu_are_refused(void **state)
{
    (void)state;
    double points[2 * 60];
    fill_points(RANDOM, 60, points);
    armilla_points_options options = options_on(&SMALL, 2);
    double *there = put_there(points, sizeof points);
    check_error(try_points(&options, there), ARMILLA_ERROR_ARGUMENT,
                "points: is in the memory of a GPU");
    options.points_memory = ARMILLA_MEMORY_DEVICE;
    check_error(try_points(&options, points), ARMILLA_ERROR_ARGUMENT,
                "options->points_memory = ARMILLA_MEMORY_DEVICE");
    options.points_memory = ARMILLA_MEMORY_HOST;
    check_ok(try_points(&options, points));
    points[21] = 1e308 * 10;
    check_error(try_points(&options, points), ARMILLA_ERROR_ARGUMENT, "phi of point 10");
    assert_int_equal(cudaFree(there), cudaSuccess);
}

static void what_belongs_to_one_gpu_is_refused(void **state)
{
    (void)state;
    several_scene t;
    cudaStream_t stream;
    several_open(&t, &SMALL, 1);
    armilla_points *plan = plan_on(&t, 2);
    armilla_exec exec = exec_for(&t);
    double *alm = put_there(t.alm, 8 * t.nalm), *values = put_there(t.values, 8 * t.nvalues);
    check_error(armilla_points_synthesis(plan, alm, t.values, &exec), ARMILLA_ERROR_ARGUMENT,
                "alm: is in the memory of a GPU");
    check_error(armilla_points_adjoint_synthesis(plan, values, t.alm, &exec),
                ARMILLA_ERROR_ARGUMENT, "values: is in the memory of a GPU");
    exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(armilla_points_synthesis(plan, t.alm, t.values, &exec), ARMILLA_ERROR_ARGUMENT,
                "exec->memory = ARMILLA_MEMORY_DEVICE");
    exec = exec_for(&t);
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    exec.stream = stream;
    check_error(armilla_points_synthesis(plan, t.alm, t.values, &exec), ARMILLA_ERROR_ARGUMENT,
                "exec->stream: must be NULL");
    cudaStreamDestroy(stream), cudaFree(alm), cudaFree(values);
    armilla_points_free(plan);
    several_close(&t);
}

/* A list of one has all that a plan on one GPU has, points of its memory among it. */
static void a_list_of_one_is_that_gpu(void **state)
{
    (void)state;
    several_scene t;
    several_open(&t, &SMALL, 1);
    const armilla_points_options options = options_on(&SMALL, 1);
    const armilla_exec exec = exec_for(&t);
    armilla_points *plan;
    double *wanted = checked_malloc(t.nvalues, 8), *made = checked_malloc(t.nvalues, 8);
    check_ok(armilla_points_synthesis(t.s.plan, t.alm, wanted, &exec));
    assert_int_equal(cudaSetDevice(lists[0][0]), cudaSuccess);
    double *points = put_there(t.s.points, 16 * SMALL.npoints);
    double *there = put_there(wanted, 8 * t.nvalues);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    check_ok(armilla_points_new(LMAX, SMALL.c.mmax, SMALL.npoints, points, &options, &plan));
    check_ok(armilla_points_synthesis(plan, t.alm, there, &exec));
    take_back(made, there, 8 * t.nvalues);
    assert_memory_equal(made, wanted, 8 * (size_t)t.nvalues);
    assert_int_equal(cudaFree(points), cudaSuccess);
    free(wanted), free(made);
    armilla_points_free(plan);
    several_close(&t);
}

/* --- Failures --------------------------------------------------------------------------------- */

static void the_gpu_with_too_little_memory_is_named(void **state)
{
    (void)state;
    several_scene t;
    several_open(&t, &SMALL, 1);
    const armilla_points_options options = options_on(&SMALL, 2);
    const armilla_exec exec = exec_for(&t);
    double *made = checked_malloc(t.nvalues, 8);
    armilla_points *plan = NULL;
    cuda_emulation_set_device(1, 1000, 90);
    check_error(try_options(&options), ARMILLA_ERROR_MEMORY, "GPU 1: ");
    cuda_emulation_set_device(1, (int64_t)1 << 30, 90);
    check_ok(armilla_points_new(LMAX, SMALL.c.mmax, SMALL.npoints, t.s.points, &options, &plan));
    armilla_points_free(t.s.plan), t.s.plan = NULL; /* its pool is that of device 0 */
    cuda_emulation_set_device(1, 0, 90);
    check_error(armilla_points_synthesis(plan, t.alm, made, &exec), ARMILLA_ERROR_MEMORY,
                "GPU 1: ");
    cuda_emulation_set_device(1, (int64_t)1 << 30, 90);
    check_ok(armilla_points_synthesis(plan, t.alm, made, &exec));
    free(made);
    armilla_points_free(plan);
    several_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wrong_lists_are_named, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(who_has_no_lists_refuses_them, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(points_of_a_gpu_are_refused, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(what_belongs_to_one_gpu_is_refused, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(a_list_of_one_is_that_gpu, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(the_gpu_with_too_little_memory_is_named, set_devices,
                                        reset_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Radial convolution on several GPUs: maps of a call are dealt out, or rows where there are fewer
 * maps, with the bits of one GPU; what cannot be shared is refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/progress.h"
#include "cuda/several_scene.h"
#include "oracle/checks.h"
#include "oracle/spin_checks.h"

#include <stdlib.h>
#include <string.h>

enum { NMAPS = 4, KINDS = 3 /* of a call: the convolution, its adjoint, means over weights */ };

typedef struct {
    armilla_grid *grid;
    armilla_kernel *kernel;
    int64_t spin, npix, count; /* count: values of NMAPS maps */
    double *map, *weights, *wanted, *made;
} scene;

static scene scene_open(armilla_grid *grid, int64_t spin)
{
    scene s = {.grid = grid, .spin = spin, .npix = armilla_grid_npix(grid)};
    s.count = NMAPS * (spin ? 2 : 1) * s.npix;
    s.map = checked_malloc(s.count, 8), s.weights = checked_malloc(s.npix, 8);
    s.wanted = checked_malloc(s.count, 8), s.made = checked_malloc(s.count, 8);
    random_fill(1, s.count, s.map);
    for (int64_t i = 0; i < s.npix; i++) s.weights[i] = i % 5 ? 1 + (double)(i % 3) : 0;
    check_ok(armilla_kernel_new_gaussian(0.3, &s.kernel));
    return s;
}

static void scene_close(scene *s)
{
    free(s->made), free(s->wanted), free(s->weights), free(s->map);
    armilla_kernel_free(s->kernel);
    armilla_grid_free(s->grid);
}

static armilla_radial_options on_list(const scene *s, int count)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.device = ARMILLA_CUDA, options.spin = s->spin;
    options.normalization = ARMILLA_RADIAL_SUM;
    options.devices = lists[count - 1], options.ndevices = count;
    return options;
}

static armilla_radial *plan_on(const scene *s, int count, int64_t device_bytes)
{
    armilla_radial *radial;
    armilla_radial_options options = on_list(s, count);
    options.device_bytes = device_bytes;
    check_ok(armilla_radial_new(s->grid, s->kernel, &options, &radial));
    return radial;
}

static armilla_status call(int kind, const scene *s, const armilla_radial *radial, double *out,
                           const armilla_exec *exec)
{
    if (kind == 0) return armilla_radial_convolve(radial, s->map, out, exec);
    if (kind == 1) return armilla_radial_adjoint(radial, s->map, out, exec);
    return armilla_radial_convolve_weighted(radial, s->map, s->weights, 0.5, -7, out, exec);
}

static armilla_exec exec_of(int64_t ntrans)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans;
    return exec;
}

/* As many maps as GPUs and more, and fewer. */
static void check_bits(const scene *s, const armilla_radial *one, const armilla_radial *several)
{
    const int64_t sizes[] = {1, NMAPS};
    for (int size = 0; size < 2; size++)
        for (int kind = 0; kind < KINDS; kind++) {
            const armilla_exec exec = exec_of(sizes[size]);
            random_fill(9, s->count, s->wanted);
            memcpy(s->made, s->wanted, 8 * (size_t)s->count);
            check_ok(call(kind, s, one, s->wanted, &exec));
            check_ok(call(kind, s, several, s->made, &exec));
            if (memcmp(s->wanted, s->made, 8 * (size_t)s->count))
                fail_msg("call %d of %d maps: other bits", kind, (int)sizes[size]);
        }
}

static void bits_do_not_depend_on_how_many(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        scene s = scene_open(healpix_grid(8), spin);
        for (int count = 2; count <= MOST; count++)
            for (int64_t bytes = 0; bytes <= 4096; bytes += 4096) { /* whole maps, slabs */
                armilla_radial *one = plan_on(&s, 1, 0), *several = plan_on(&s, count, bytes);
                check_bits(&s, one, several);
                armilla_radial_free(several);
                armilla_radial_free(one);
            }
        scene_close(&s);
    }
}

/* The list of the options is not looked at after the plan was made. */
static void lists_need_not_outlive_the_options(void **state)
{
    (void)state;
    scene s = scene_open(healpix_grid(4), 2);
    int list[MOST] = {0, 1, 2};
    armilla_radial *radial;
    armilla_radial_options options = on_list(&s, MOST);
    options.devices = list;
    check_ok(armilla_radial_new(s.grid, s.kernel, &options, &radial));
    list[0] = list[1] = list[2] = -1;
    const armilla_exec exec = exec_of(NMAPS);
    check_ok(armilla_radial_convolve(radial, s.map, s.made, &exec));
    armilla_radial_free(radial);
    scene_close(&s);
}

static void all_devices_have_tables_and_work(void **state)
{
    (void)state;
    scene s = scene_open(healpix_grid(4), 0);
    size_t before[MOST], with_plan[MOST];
    armilla_radial_description d = {.size = sizeof d};
    const armilla_exec exec = exec_of(1);
    for (int device = 0; device < MOST; device++) before[device] = room_on(device);
    armilla_radial *radial = plan_on(&s, MOST, 0);
    check_ok(armilla_radial_describe(radial, 1, &d));
    for (int device = 0; device < MOST; device++) {
        with_plan[device] = room_on(device);
        assert_int_equal(before[device] - with_plan[device], d.device_plan_bytes);
    }
    check_ok(armilla_radial_convolve(radial, s.map, s.made, &exec));
    for (int device = 0; device < MOST; device++) assert_true(room_on(device) < with_plan[device]);
    armilla_radial_free(radial);
    scene_close(&s);
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void check_refused(const scene *s, armilla_radial_options options, armilla_status status,
                          const char *words)
{
    armilla_radial *radial = NULL;
    check_error(armilla_radial_new(s->grid, s->kernel, &options, &radial), status, words);
    assert_null(radial);
}

static void wrong_lists_are_named(void **state)
{
    (void)state;
    const int twice[] = {1, 1}, unknown[] = {MOST};
    scene s = scene_open(healpix_grid(2), 0);
    armilla_radial_options options = on_list(&s, 2);
    options.devices = twice;
    check_refused(&s, options, ARMILLA_ERROR_ARGUMENT, "devices[1] = 1: is in the list twice");
    options.devices = unknown, options.ndevices = 1;
    check_refused(&s, options, ARMILLA_ERROR_ARGUMENT, "devices[0] = 3: the process sees 3 GPUs");
    options = on_list(&s, 2);
    options.device = ARMILLA_CPU;
    check_refused(&s, options, ARMILLA_ERROR_ARGUMENT, "devices: must be NULL where device is");
    scene_close(&s);
}

static void what_belongs_to_one_gpu_is_refused(void **state)
{
    (void)state;
    scene s = scene_open(healpix_grid(2), 0);
    armilla_radial *radial = plan_on(&s, 2, 0);
    armilla_exec exec = exec_of(1);
    void *there;
    assert_int_equal(cudaMalloc(&there, 8 * (size_t)s.npix), cudaSuccess);
    check_error(armilla_radial_convolve(radial, there, s.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "map: is in the memory of a GPU");
    check_error(armilla_radial_adjoint(radial, s.map, there, &exec), ARMILLA_ERROR_ARGUMENT,
                "out: is in the memory of a GPU");
    exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(armilla_radial_convolve(radial, s.map, s.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "exec->memory");
    exec = exec_of(1);
    exec.stream = cudaStreamPerThread;
    check_error(armilla_radial_convolve(radial, s.map, s.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "exec->stream");
    cudaFree(there);
    armilla_radial_free(radial);
    scene_close(&s);
}

static void the_gpu_with_too_little_memory_is_named(void **state)
{
    (void)state;
    scene s = scene_open(healpix_grid(4), 0);
    const armilla_exec exec = exec_of(1);
    cuda_emulation_set_device(2, 1000, 90);
    check_refused(&s, on_list(&s, MOST), ARMILLA_ERROR_MEMORY, "GPU 2: ");
    cuda_emulation_set_device(2, (int64_t)1 << 30, 90);
    armilla_radial *radial = plan_on(&s, MOST, 0);
    cuda_emulation_set_device(2, 0, 90);
    check_error(armilla_radial_convolve(radial, s.map, s.made, &exec), ARMILLA_ERROR_MEMORY,
                "GPU 2: ");
    cuda_emulation_set_device(2, (int64_t)1 << 30, 90);
    check_ok(armilla_radial_convolve(radial, s.map, s.made, &exec));
    armilla_radial_free(radial);
    scene_close(&s);
}

static int stop(void *data, double fraction)
{
    (void)fraction;
    ++*(int *)data;
    return 1;
}

static void plans_and_calls_survive_failures(void **state)
{
    (void)state;
    scene s = scene_open(healpix_grid(2), 2);
    for (int64_t n = 0, failed = 1; failed; n++) {
        armilla_radial *radial = NULL;
        const armilla_radial_options options = on_list(&s, 2);
        cuda_emulation_fail_after(n);
        failed = armilla_radial_new(s.grid, s.kernel, &options, &radial) != ARMILLA_OK;
        cuda_emulation_fail_after(-1);
        assert_true(failed ? !radial : n > 8);
        armilla_radial_free(radial);
        assert_int_equal(cuda_emulation_live_bytes(), 0);
    }
    armilla_radial *radial = plan_on(&s, 2, 0);
    armilla_exec exec = exec_of(1);
    int calls = 0;
    exec.progress = stop, exec.progress_data = &calls;
    armilla_progress_set_interval(0);
    check_error(armilla_radial_convolve(radial, s.map, s.made, &exec), ARMILLA_ERROR_CANCELLED, "");
    assert_int_equal(calls, 1);
    armilla_progress_set_interval(0.05);
    armilla_radial_free(radial);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bits_do_not_depend_on_how_many, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(lists_need_not_outlive_the_options, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(all_devices_have_tables_and_work, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(wrong_lists_are_named, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(what_belongs_to_one_gpu_is_refused, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(the_gpu_with_too_little_memory_is_named, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(plans_and_calls_survive_failures, set_devices,
                                        reset_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

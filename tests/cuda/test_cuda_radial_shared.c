/* Radial convolution by RINGS and in the mode STANDARD on several GPUs, whose calls are dealt out
 * by maps, and with bounds on their memory: bits are those of one GPU without bounds; memory is
 * what the plan tells, and within the bound down to its floor; what cannot be shared is refused by
 * name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/progress.h"
#include "cuda/radial_rings_scene.h"
#include "cuda/several_scene.h"

enum { NMAPS = 4, WAYS = 3, KINDS = 3 /* the convolution, its adjoint, means over weights */ };

static armilla_radial_options options_of(int way, int64_t spin, int count)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.mode = way ? ARMILLA_RADIAL_STANDARD : ARMILLA_RADIAL_EXACT;
    options.method = way == 1 ? ARMILLA_RADIAL_PIXELS : ARMILLA_RADIAL_RINGS;
    options.spin = spin, options.normalization = ARMILLA_RADIAL_SUM;
    options.device = ARMILLA_CUDA;
    if (count) options.devices = lists[count - 1], options.ndevices = count;
    return options;
}

static armilla_status make_shared_plan(const armilla_grid *grid,
                                       const armilla_radial_options *options,
                                       armilla_radial **radial)
{
    armilla_kernel *kernel;
    check_ok(armilla_kernel_new_gaussian(0.5, &kernel));
    const armilla_status status = armilla_radial_new(grid, kernel, options, radial);
    armilla_kernel_free(kernel);
    return status;
}

static armilla_radial *plan_of(const armilla_grid *grid, armilla_radial_options options)
{
    armilla_radial *radial;
    check_ok(make_shared_plan(grid, &options, &radial));
    return radial;
}

/* NMAPS fields. */
typedef struct {
    int64_t npix, count;
    double *map, *weights, *wanted, *made;
} fields;

static fields fields_of(const armilla_grid *grid, int64_t spin)
{
    fields f = {.npix = armilla_grid_npix(grid)};
    f.count = NMAPS * (spin ? 2 : 1) * f.npix;
    f.map = checked_malloc(f.count, 8), f.weights = checked_malloc(f.npix, 8);
    f.wanted = checked_malloc(f.count, 8), f.made = checked_malloc(f.count, 8);
    random_fill(1, f.count, f.map);
    for (int64_t i = 0; i < f.npix; i++) f.weights[i] = i % 5 ? 1 + (double)(i % 3) : 0;
    return f;
}

static void fields_free(fields *f)
{
    free(f->map), free(f->weights), free(f->wanted), free(f->made);
}

static armilla_status call(int kind, const fields *f, const armilla_radial *radial, double *out,
                           const armilla_exec *exec)
{
    if (kind < 2) return apply(kind, radial, f->map, out, exec);
    return armilla_radial_convolve_weighted(radial, f->map, f->weights, 0.3, -7, out, exec);
}

static armilla_exec exec_with(int64_t ntrans)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans;
    return exec;
}

static void check_bits(const fields *f, const armilla_radial *one, const armilla_radial *other,
                       int64_t ntrans)
{
    const armilla_exec exec = exec_with(ntrans);
    for (int kind = 0; kind < KINDS; kind++) {
        random_fill(9, f->count, f->wanted);
        memcpy(f->made, f->wanted, 8 * (size_t)f->count);
        check_ok(call(kind, f, one, f->wanted, &exec));
        check_ok(call(kind, f, other, f->made, &exec));
        if (memcmp(f->wanted, f->made, 8 * (size_t)f->count))
            fail_msg("call %d of %d maps: other bits", kind, (int)ntrans);
    }
}

/* --- Several GPUs ----------------------------------------------------------------------------- */

/* As many maps as GPUs and more, and fewer. */
static void bits_do_not_depend_on_how_many(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    for (int way = 0; way < WAYS; way++)
        for (int64_t spin = 0; spin <= 2; spin += 2) {
            fields f = fields_of(grid, spin);
            armilla_radial *one = plan_of(grid, options_of(way, spin, 0));
            for (int count = 1; count <= MOST; count++) {
                armilla_radial *several = plan_of(grid, options_of(way, spin, count));
                check_bits(&f, one, several, 1), check_bits(&f, one, several, NMAPS);
                armilla_radial_free(several);
            }
            armilla_radial_free(one);
            fields_free(&f);
        }
    armilla_grid_free(grid);
}

static void several_kernels_are_one_by_one(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    armilla_radial *list[WAYS];
    fields f = fields_of(grid, 0);
    double *all = checked_malloc(WAYS * f.count, 8);
    const armilla_exec exec = exec_with(NMAPS);
    for (int i = 0; i < WAYS; i++) list[i] = plan_of(grid, options_of(i == 2, 0, MOST));
    check_ok(
        armilla_radial_convolve_many((const armilla_radial *const *)list, WAYS, f.map, all, &exec));
    for (int i = 0; i < WAYS; i++) {
        check_ok(armilla_radial_convolve(list[i], f.map, f.made, &exec));
        assert_memory_equal(f.made, all + i * f.count, 8 * (size_t)f.count);
        armilla_radial_free(list[i]);
    }
    free(all), fields_free(&f);
    armilla_grid_free(grid);
}

/* The list of the options is not looked at after the plan was made. */
static void all_devices_have_tables_and_work(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    fields f = fields_of(grid, 2);
    size_t before[MOST], with_plan[MOST];
    int list[MOST] = {2, 0, 1};
    armilla_radial_description d = {.size = sizeof d};
    armilla_radial_options options = options_of(0, 2, MOST);
    const armilla_exec exec = exec_with(MOST);
    options.devices = list;
    for (int device = 0; device < MOST; device++) before[device] = room_on(device);
    armilla_radial *radial = plan_of(grid, options);
    list[0] = list[1] = list[2] = -1;
    check_ok(armilla_radial_describe(radial, 1, &d));
    for (int device = 0; device < MOST; device++) {
        with_plan[device] = room_on(device);
        assert_int_equal(before[device] - with_plan[device], d.device_plan_bytes);
    }
    check_ok(armilla_radial_convolve(radial, f.map, f.made, &exec));
    for (int device = 0; device < MOST; device++) assert_true(room_on(device) < with_plan[device]);
    armilla_radial_free(radial);
    fields_free(&f);
    armilla_grid_free(grid);
}

static void what_belongs_to_one_gpu_is_refused(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(2);
    fields f = fields_of(grid, 0);
    armilla_radial *radial = plan_of(grid, options_of(0, 0, 2));
    armilla_exec exec = exec_with(1);
    double *there = to_device(f.map, 8 * f.npix);
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    check_error(armilla_radial_convolve(radial, there, f.made, &exec), wrong,
                "map: is in the memory of a GPU");
    check_error(armilla_radial_adjoint(radial, f.map, there, &exec), wrong,
                "out: is in the memory of a GPU");
    check_error(armilla_radial_convolve_weighted(radial, f.map, there, 0, 0, f.made, &exec), wrong,
                "weights: is in the memory of a GPU");
    exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(armilla_radial_convolve(radial, f.map, f.made, &exec), wrong, "exec->memory");
    exec = exec_with(1);
    exec.stream = cudaStreamPerThread;
    check_error(armilla_radial_convolve(radial, f.map, f.made, &exec), wrong, "exec->stream");
    cudaFree(there);
    armilla_radial_free(radial);
    fields_free(&f);
    armilla_grid_free(grid);
}

/* By their places in the caller's arrays, before any GPU begins. */
static void wrong_numbers_are_named(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(2);
    for (int way = 0; way < WAYS; way++) {
        fields f = fields_of(grid, 0);
        armilla_radial *radial = plan_of(grid, options_of(way, 0, MOST));
        armilla_exec exec = exec_with(NMAPS);
        char words[64];
        exec.missing = ARMILLA_MISSING_ERROR;
        f.map[2 * f.npix + 3] = NAN, f.weights[3] = 1;
        snprintf(words, sizeof words, "map[%d]", (int)(2 * f.npix + 3));
        for (int kind = 0; kind < KINDS; kind++)
            check_error(call(kind, &f, radial, f.made, &exec), ARMILLA_ERROR_ARGUMENT, words);
        assert_null(strstr(armilla_status_message(), "GPU"));
        f.weights[7] = -1;
        check_error(call(2, &f, radial, f.made, &exec), ARMILLA_ERROR_ARGUMENT, "weights[7]");
        assert_null(strstr(armilla_status_message(), "GPU"));
        armilla_radial_free(radial);
        fields_free(&f);
    }
    armilla_grid_free(grid);
}

static void the_gpu_with_too_little_memory_is_named(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    fields f = fields_of(grid, 0);
    const armilla_exec exec = exec_with(NMAPS);
    for (int way = 0; way < WAYS; way++) {
        const armilla_radial_options options = options_of(way, 0, MOST);
        armilla_radial *radial = NULL;
        cuda_emulation_set_device(2, 1000, 90);
        check_error(make_shared_plan(grid, &options, &radial), ARMILLA_ERROR_MEMORY, "GPU 2: ");
        cuda_emulation_set_device(2, (int64_t)1 << 30, 90);
        radial = plan_of(grid, options);
        cuda_emulation_set_device(2, 0, 90);
        check_error(armilla_radial_convolve(radial, f.map, f.made, &exec), ARMILLA_ERROR_MEMORY,
                    "GPU 2: ");
        cuda_emulation_set_device(2, (int64_t)1 << 30, 90);
        check_ok(armilla_radial_convolve(radial, f.map, f.made, &exec));
        armilla_radial_free(radial);
    }
    fields_free(&f);
    armilla_grid_free(grid);
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
    armilla_grid *grid = healpix_grid(1);
    const armilla_radial_options options = options_of(1, 2, 2);
    for (int64_t n = 0, failed = 1; failed; n++) {
        armilla_radial *radial = NULL;
        cuda_emulation_fail_after(n);
        failed = make_shared_plan(grid, &options, &radial) != ARMILLA_OK;
        cuda_emulation_fail_after(-1);
        assert_true(failed ? !radial : n > 8);
        armilla_radial_free(radial);
        assert_int_equal(cuda_emulation_live_bytes(), 0);
    }
    fields f = fields_of(grid, 2);
    armilla_radial *radial = plan_of(grid, options);
    armilla_exec exec = exec_with(2);
    int calls = 0;
    exec.progress = stop, exec.progress_data = &calls;
    armilla_progress_set_interval(0);
    check_error(armilla_radial_convolve(radial, f.map, f.made, &exec), ARMILLA_ERROR_CANCELLED, "");
    assert_true(calls > 0);
    armilla_progress_set_interval(0.05);
    armilla_radial_free(radial);
    fields_free(&f);
    armilla_grid_free(grid);
}

/* --- Bounds on memory ------------------------------------------------------------------------- */

static int64_t told_bytes(const armilla_radial *radial)
{
    armilla_radial_description d = {.size = sizeof d};
    check_ok(armilla_radial_describe(radial, 1, &d));
    return d.device_workspace_bytes;
}

/* Half of what the ring stage takes without a bound, and nothing for it: the floor. */
static void check_bounds(const armilla_grid *grid, int way, int64_t spin)
{
    fields f = fields_of(grid, spin);
    armilla_radial_options options = options_of(way, spin, 0);
    armilla_radial *free_one = plan_of(grid, options);
    options.device_bytes = 1;
    armilla_radial *least = plan_of(grid, options);
    const int64_t all = told_bytes(free_one), floor = told_bytes(least);
    assert_true(floor < all);
    options.device_bytes = (all + 2 * floor) / 3;
    armilla_radial *between = plan_of(grid, options);
    if (way < 2) assert_true(told_bytes(between) <= options.device_bytes);
    assert_true(told_bytes(between) >= floor && told_bytes(between) < all);
    const armilla_radial *const plans[] = {least, between};
    for (int i = 0; i < 2; i++) {
        check_bits(&f, free_one, plans[i], 1);
        cuda_emulation_most_bytes();
        const int64_t before = cuda_emulation_live_bytes();
        check_ok(armilla_radial_adjoint(plans[i], f.map, f.made, NULL));
        assert_int_equal(cuda_emulation_most_bytes() - before, told_bytes(plans[i]));
    }
    armilla_radial_free(free_one), armilla_radial_free(least), armilla_radial_free(between);
    fields_free(&f);
}

static void memory_is_bounded_and_bits_are_kept(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(32);
    for (int way = 0; way < WAYS; way++) check_bounds(grid, way, way == 2 ? 2 : 0);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bits_do_not_depend_on_how_many, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(several_kernels_are_one_by_one, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(all_devices_have_tables_and_work, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(wrong_numbers_are_named, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(what_belongs_to_one_gpu_is_refused, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(the_gpu_with_too_little_memory_is_named, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(plans_and_calls_survive_failures, set_devices,
                                        reset_devices),
        cmocka_unit_test(memory_is_bounded_and_bits_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

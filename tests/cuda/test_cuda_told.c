/* What descriptions tell of calls on the emulated GPU: the memory that calls take, how many
 * transforms go together, on how many streams. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

static armilla_grid *grid_of(int number)
{
    static const char *const names[] = {"O16", "healpix:8", "cc:13x26", "gl:13x25"};
    armilla_grid *grid;
    check_ok(armilla_grid_new_named(names[number], &grid));
    return grid;
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Bytes that an operator takes on the device, besides its arrays there. */
static int64_t taken_by(const pair_of_plans *p, int operation, int is_float)
{
    const armilla_exec exec = exec_of(p);
    double *in = to_device(input(p, operation), 8 * count_in(p, operation));
    double *out = to_device(p->made, 8 * count_out(p, operation));
    const int64_t before = cuda_emulation_live_bytes();
    cuda_emulation_most_bytes();
    if (is_float)
        check_ok(
            operate_float(operation, p->gpu, (float *)(void *)in, (float *)(void *)out, &exec));
    else
        check_ok(operate(operation, p->gpu, in, out, &exec));
    const int64_t taken = cuda_emulation_most_bytes() - before;
    cudaFree(out), cudaFree(in);
    return taken;
}

/* What is told of a call of all transforms is what its largest operator takes. Returned: how many
 * go together. */
static int64_t check_told(armilla_grid *grid, int64_t ntrans, const armilla_sht_options *options)
{
    pair_of_plans p;
    armilla_sht_description d = {.size = sizeof d}, one = d;
    int64_t most = 0;
    plans_open(&p, grid, 11, 10, ntrans, options);
    cuda_emulation_set_blocks(1);
    check_ok(armilla_sht_describe_many(p.gpu, 1, ntrans, &d));
    const int floats = options->device_precision == ARMILLA_DEVICE_PRECISION_SINGLE ||
                       options->device_precision == ARMILLA_DEVICE_PRECISION_HALVES;
    for (int i = 0; i < (1 + floats) * OPERATORS; i++) {
        const int64_t taken = taken_by(&p, i / (1 + floats), i % (1 + floats));
        if (taken > most) most = taken;
    }
    cuda_emulation_set_blocks(0);
    assert_int_equal(d.device_workspace_bytes, most);
    check_ok(armilla_sht_describe(p.gpu, 1, &one));
    assert_int_equal(one.device_batch, 1);
    assert_true(d.device_batch == 1 || d.device_workspace_bytes > one.device_workspace_bytes);
    plans_close(&p);
    return d.device_batch;
}

static void calls_take_what_is_told_beforehand(void **state)
{
    (void)state;
    for (int grid = 0; grid < 4; grid++)
        for (int64_t spin = 0; spin <= 2; spin += 2) {
            armilla_sht_options options = on_gpu();
            options.spin = spin;
            assert_int_equal(check_told(grid_of(grid), 1, &options), 1);
            assert_int_equal(check_told(grid_of(grid), 23, &options), 23);
            options.device_bytes = 200000;
            const int64_t batch = check_told(grid_of(grid), 70, &options);
            assert_true(batch > 1 && batch < 70);
            options.device_bytes = 1;
            assert_int_equal(check_told(grid_of(grid), 9, &options), 1);
            options.device_bytes = 0, options.device_streams = 2;
            assert_int_equal(check_told(grid_of(grid), 23, &options), 4);
        }
}

/* Floats may have other batches than doubles. */
static void calls_of_floats_take_what_is_told_beforehand(void **state)
{
    (void)state;
    for (int precision = ARMILLA_DEVICE_PRECISION_SINGLE;
         precision <= ARMILLA_DEVICE_PRECISION_HALVES; precision++)
        for (int streams = 1; streams <= 2; streams++) {
            armilla_sht_options options = on_gpu();
            options.device_precision = precision, options.device_streams = streams;
            check_told(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 16, 32, 0, 0), 40, &options);
            options.device_bytes = 200000;
            check_told(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 16, 32, 0, 0), 70, &options);
        }
}

static void check_descriptions(const armilla_sht *sht, int64_t batch)
{
    armilla_sht_description one = {.size = sizeof one}, many = one;
    check_ok(armilla_sht_describe(sht, 2, &one));
    check_ok(armilla_sht_describe_many(sht, 2, 1, &many));
    assert_memory_equal(&one, &many, sizeof one);
    check_ok(armilla_sht_describe_many(sht, 2, 16, &many));
    assert_int_equal(many.device_batch, batch);
    assert_true(many.workspace_bytes >= one.workspace_bytes);
    check_error(armilla_sht_describe_many(sht, 2, 0, &many), ARMILLA_ERROR_ARGUMENT, "ntrans = 0");
    check_error(armilla_sht_describe_many(sht, 2, INT64_MAX / 16, &many), ARMILLA_ERROR_ARGUMENT,
                "ntrans = ");
}

static void descriptions_of_many_have_bounds(void **state)
{
    (void)state;
    const armilla_sht_options options = on_gpu();
    pair_of_plans p;
    plans_open(&p, healpix_grid(4), 8, 8, 1, &options);
    check_descriptions(p.gpu, 16);
    check_descriptions(p.cpu, 0);
    check_error(armilla_sht_describe_many(NULL, 1, 1, NULL), ARMILLA_ERROR_ARGUMENT, "sht = NULL");
    plans_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_take_what_is_told_beforehand),
        cmocka_unit_test(calls_of_floats_take_what_is_told_beforehand),
        cmocka_unit_test(descriptions_of_many_have_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

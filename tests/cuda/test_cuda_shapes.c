/* Shapes of the Legendre stage's kernels on a GPU: each gives the processor's results and the same
 * bits from run to run; one is chosen by the table, by name, or by measurement, whose outcome is
 * kept. What a launch costs is made up here, so that any shape can win. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

/* 600 ring pairs: tiles of more than four warps. 1024: 512 nearer to the poles than 45 degrees and
 * 512 others, so that each lane of each shape's largest block of threads has a pair. */
enum { SHAPES = 4, NRINGS = 1200, FULL_RINGS = 2048, MMAX = 3 };

static const char *const shapes[SHAPES] = {"v1w4", "v2w4", "v2w8", "v4w4"};

static armilla_grid *many_rings(int64_t nrings)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, 2 * MMAX + 2, &grid));
    return grid;
}

static void shapes_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) assert_string_equal(armilla_device_shape_name(i), shapes[i]);
    assert_string_equal(armilla_device_shape_name(SHAPES), "v4w4t"); /* test_cuda_tensor.c */
    assert_null(armilla_device_shape_name(SHAPES + 1));
    assert_null(armilla_device_shape_name(-1));
}

/* --- Costs ------------------------------------------------------------------------------------ */

static char cheap[32];        /* the template arguments of the shape that costs less */
static double cheap_cost = 1; /* others: 2 */
static int64_t paid;          /* launches of the Legendre stage's large kernels */

static double cost_of(const char *from)
{
    if (!strstr(from, "kernel_shape")) return 0.125;
    paid++;
    return strstr(from, cheap) ? cheap_cost : 2;
}

/* name: "v2w8"; costs of 2 for all others. */
static void make_cheap(const char *name, double cost)
{
    snprintf(cheap, sizeof cheap, "kernel_shape<%c, %c>", name[1], name[3]);
    cheap_cost = cost, paid = 0;
    cuda_emulation_set_cost(cost_of);
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Measured: 1.7e-14 at most. Each operator, and the same bits with threads in another sequence. */
static void check_shape(int64_t spin, int64_t ntrans, const char *shape)
{
    armilla_sht_options options = on_gpu();
    armilla_sht_description d = {.size = sizeof d};
    options.spin = spin, options.device_shape = shape;
    pair_of_plans p;
    plans_open(&p, many_rings(FULL_RINGS), 20, MMAX, ntrans, &options);
    check_ok(armilla_sht_describe(p.gpu, 1, &d));
    assert_string_equal(d.device_shape, shape);
    const armilla_exec exec = exec_of(&p);
    make_cheap(shape, 1);
    for (int operation = 0; operation < OPERATORS; operation++) {
        const size_t bytes = (size_t)count_out(&p, operation) * sizeof(double);
        check_ok(operate(operation, p.cpu, input(&p, operation), p.wanted, &exec));
        check_ok(operate(operation, p.gpu, input(&p, operation), p.made, &exec));
        const double error = relative_error(count_out(&p, operation), p.wanted, p.made);
        if (getenv("ARMILLA_TEST_VERBOSE"))
            print_message("%s spin %lld: %.2g\n", shape, (long long)spin, error);
        check_at_most(error, 1e-13, "%s, spin %lld, operator %d", shape, (long long)spin,
                      operation);
        if (operation > 1) continue; /* the kernels of synthesis and of its adjoint once more */
        memcpy(p.wanted, p.made, bytes);
        cuda_emulation_set_order(CUDA_EMULATION_RANDOM, 5);
        check_ok(operate(operation, p.gpu, input(&p, operation), p.made, &exec));
        cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
        assert_memory_equal(p.wanted, p.made, bytes);
    }
    cuda_emulation_set_cost(NULL);
    assert_true(paid > 0);
    plans_close(&p);
}

/* Numbers of transforms: kernels of four sets and of one; of two fields and of one; of two sets.
 * Quick: the smallest shape and the largest. */
static void every_shape_gives_the_results_of_the_processor(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i += checks_quick() ? SHAPES - 1 : 1) {
        check_shape(0, 5, shapes[i]);
        check_shape(4, 3, shapes[i]);
        if (!checks_quick()) check_shape(2, 1, shapes[i]);
    }
}

/* The kernels that run are those of the shape: else a choice would mean nothing. */
static void every_shape_runs_its_own_kernels(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++)
        for (int64_t spin = 0; spin <= 4; spin += 4) {
            armilla_sht_options options = on_gpu();
            cudaEvent_t begin, end;
            float elapsed;
            options.spin = spin, options.device_shape = shapes[i];
            pair_of_plans p;
            plans_open(&p, many_rings(NRINGS), 20, MMAX, 1, &options);
            make_cheap(shapes[i], 0);
            assert_int_equal(cudaEventCreate(&begin), cudaSuccess);
            assert_int_equal(cudaEventCreate(&end), cudaSuccess);
            for (int operation = 0; operation < 2; operation++) {
                assert_int_equal(cudaEventRecord(begin, NULL), cudaSuccess);
                check_ok(operate(operation, p.gpu, input(&p, operation), p.made, NULL));
                assert_int_equal(cudaEventRecord(end, NULL), cudaSuccess);
                assert_int_equal(cudaEventSynchronize(end), cudaSuccess);
                assert_int_equal(cudaEventElapsedTime(&elapsed, begin, end), cudaSuccess);
                assert_true(elapsed > 0 && elapsed < 2); /* one launch of another shape costs 2 */
            }
            assert_true(paid > 0);
            cudaEventDestroy(end);
            cudaEventDestroy(begin);
            cuda_emulation_set_cost(NULL);
            plans_close(&p);
        }
}

/* --- The choice ------------------------------------------------------------------------------- */

/* What a plan for so many rings says about its shape. launches: of the stage's large kernels while
 * it was made; what they cost is made up, so that some blocks of each are enough. */
static const char *shape_of(int64_t nrings, int64_t lmax, const armilla_sht_options *options,
                            int64_t *launches)
{
    static char name[16];
    armilla_sht *sht;
    armilla_sht_description d = {.size = sizeof d};
    armilla_grid *grid = many_rings(nrings);
    paid = 0;
    cuda_emulation_set_blocks(1);
    check_ok(armilla_sht_new(grid, lmax, MMAX, options, &sht));
    cuda_emulation_set_blocks(0);
    if (launches) *launches = paid;
    check_ok(armilla_sht_describe(sht, 1, &d));
    snprintf(name, sizeof name, "%s", d.device_shape);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    return name;
}

static void check_chosen(int64_t nrings, int64_t lmax, const armilla_sht_options *options,
                         const char *shape, int is_measured)
{
    int64_t launches;
    assert_string_equal(shape_of(nrings, lmax, options, &launches), shape);
    if (is_measured)
        assert_true(launches >= 4 * SHAPES);
    else
        assert_int_equal(launches, 0);
}

static void the_table_goes_by_ring_pairs(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    assert_string_equal(shape_of(8, 6, &options, NULL), "v1w4");
    assert_string_equal(shape_of(498, 6, &options, NULL), "v1w4");
    assert_string_equal(shape_of(500, 6, &options, NULL), "v2w4");
    assert_string_equal(shape_of(1000, 6, &options, NULL), "v4w4");
    options.device_precision = ARMILLA_DEVICE_PRECISION_TWO_FLOATS;
    assert_string_equal(shape_of(2498, 6, &options, NULL), "v1w4");
    assert_string_equal(shape_of(2500, 6, &options, NULL), "v2w4");
    assert_string_equal(shape_of(5200, 6, &options, NULL), "v4w4");
}

/* lmax 5 and 4 are in one octave. The choice stays while another shape has become cheap. */
static void the_fastest_shape_is_chosen_and_kept(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE;
    make_cheap("v2w8", 1);
    check_chosen(NRINGS, 5, &options, "v2w8", 1);
    make_cheap("v1w4", 1);
    check_chosen(NRINGS, 5, &options, "v2w8", 0);
    check_chosen(NRINGS, 4, &options, "v2w8", 0);
    check_chosen(NRINGS, 9, &options, "v1w4", 1); /* another octave of lmax */
    make_cheap("v2w4", 1);
    check_chosen(2100, 5, &options, "v2w4", 1); /* of ring pairs */
    make_cheap("v4w4", 1);
    options.spin = 2;
    check_chosen(NRINGS, 5, &options, "v4w4", 1); /* another kind of functions */
    make_cheap("v1w4", 1);
    options.spin = -3;
    check_chosen(NRINGS, 5, &options, "v4w4", 0);
    options.spin_method = ARMILLA_SPIN_RECURRENCE;
    check_chosen(NRINGS, 5, &options, "v1w4", 1);
    options.spin = 4, options.spin_method = ARMILLA_SPIN_AUTO;
    check_chosen(NRINGS, 5, &options, "v1w4", 0);
    options.spin = 0;
    cuda_emulation_set_device_name("another GPU");
    check_chosen(NRINGS, 5, &options, "v1w4", 1);
    cuda_emulation_set_device_name("CUDA emulation");
    check_chosen(NRINGS, 5, &options, "v2w8", 0);
    cuda_emulation_set_cost(NULL);
}

/* Plans that do not ask for it are not touched by what others measured, nor is a name. */
static void only_plans_that_ask_are_tuned(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    make_cheap("v2w8", 1);
    options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE;
    check_chosen(NRINGS, 40, &options, "v2w8", 1);
    options.device_shape = "v2w4";
    check_chosen(NRINGS, 40, &options, "v2w4", 0);
    options = on_gpu();
    check_chosen(NRINGS, 40, &options, "v4w4", 0);
    cuda_emulation_set_cost(NULL);
}

/* Two launches of 2 against two of 1.97, and others of 0.125 in both: less than 2 %. */
static void noise_does_not_move_the_choice(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE;
    make_cheap("v1w4", 1.97);
    check_chosen(NRINGS, 70, &options, "v4w4", 1);
    cuda_emulation_set_cost(NULL);
}

/* The two plans of I, Q, U choose for themselves; the description has that of I. */
static void plans_of_i_q_u_are_tuned(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    armilla_grid *grid = many_rings(NRINGS);
    armilla_iqu *iqu;
    armilla_sht_description d = {.size = sizeof d};
    options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE;
    make_cheap("v2w4", 1);
    cuda_emulation_set_blocks(1);
    check_ok(armilla_iqu_new(grid, 130, 1, &options, &iqu));
    cuda_emulation_set_blocks(0);
    check_ok(armilla_iqu_describe(iqu, 1, &d));
    assert_string_equal(d.device_shape, "v2w4");
    assert_true(paid >= 8 * SHAPES);
    cuda_emulation_set_cost(NULL);
    armilla_iqu_free(iqu);
    armilla_grid_free(grid);
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void wrong_arguments(void **state)
{
    (void)state;
    armilla_sht *sht = NULL;
    armilla_grid *grid = many_rings(8);
    armilla_sht_options options = on_gpu();
    options.device_tune = (armilla_device_tune)7;
    check_error(armilla_sht_new(grid, 6, MMAX, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->device_tune = 7");
    options = on_gpu();
    options.device_shape = "v9w9";
    check_error(armilla_sht_new(grid, 6, MMAX, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->device_shape = \"v9w9\"");
    armilla_grid_free(grid);
}

/* Makes a plan by a search of its own: for a GPU that nothing is known of. */
static armilla_status try_search(const armilla_grid *grid)
{
    static char name[32];
    static int number;
    armilla_sht *sht = NULL;
    armilla_sht_options options = on_gpu();
    options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE;
    snprintf(name, sizeof name, "GPU %d", number++);
    cuda_emulation_set_device_name(name);
    cuda_emulation_set_blocks(1);
    const armilla_status status = armilla_sht_new(grid, 6, MMAX, &options, &sht);
    cuda_emulation_set_blocks(0);
    armilla_sht_free(sht);
    return status;
}

/* Each allocation of the device fails in turn, again where it is asked for once more, and some of
 * the other calls: a search goes on after one that frees. */
static void failures_of_a_search_are_reported(void **state)
{
    (void)state;
    armilla_grid *grid = many_rings(8);
    for (int kind = 0; kind < 2; kind++) {
        int64_t (*const fail_after)(int64_t) =
            kind ? cuda_emulation_fail_call_after : cuda_emulation_fail_twice_after;
        const int64_t before = cuda_emulation_live_bytes();
        fail_after(-1);
        check_ok(try_search(grid));
        const int64_t count = fail_after(-1);
        assert_true(count > 25 * (SHAPES + 1)); /* each shape's plan, and the last one */
        int64_t tried = 0, reported = 0;
        for (int64_t i = 0; i < count; i += kind ? 11 : 1) {
            fail_after(i);
            const armilla_status status = try_search(grid);
            fail_after(-1);
            assert_true((kind && !status) || status == ARMILLA_ERROR_MEMORY ||
                        status == ARMILLA_ERROR_UNSUPPORTED);
            tried++;
            reported += status != ARMILLA_OK;
            if (!kind)
                assert_int_equal(cuda_emulation_live_bytes(), before); /* a call that fails
                                                                          may be one to free */
        }
        assert_true(kind ? 2 * reported > tried : reported == tried);
    }
    cuda_emulation_set_device_name("CUDA emulation");
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_names),
        cmocka_unit_test(every_shape_gives_the_results_of_the_processor),
        cmocka_unit_test(every_shape_runs_its_own_kernels),
        cmocka_unit_test(the_table_goes_by_ring_pairs),
        cmocka_unit_test(the_fastest_shape_is_chosen_and_kept),
        cmocka_unit_test(only_plans_that_ask_are_tuned),
        cmocka_unit_test(noise_does_not_move_the_choice),
        cmocka_unit_test(plans_of_i_q_u_are_tuned),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(failures_of_a_search_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

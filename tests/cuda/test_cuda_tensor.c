/* Sums of the Legendre stage by the tensor cores of a GPU: which sets have them, that results are
 * the processor's and the same bits in any sequence of threads, which GPUs refuse them, and that
 * they are never chosen unmeasured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

static const char TENSOR[] = "v4w4t";

static armilla_grid *gauss(int64_t nrings, int64_t nphi)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, nphi, &grid));
    return grid;
}

static armilla_sht_options tensor_options(int64_t spin)
{
    armilla_sht_options options = on_gpu();
    options.spin = spin, options.device_shape = TENSOR;
    return options;
}

/* --- Which sets ------------------------------------------------------------------------------- */

static int of_two, of_four, others; /* launches of the scalar recurrence's kernels */

static double count_kernel(const char *from)
{
    const int two = strstr(from, "launch_tensor<2>") != NULL;
    const int four = strstr(from, "launch_tensor<4>") != NULL;
    if (!strstr(from, "kernel_shape")) return 0.125;
    of_two += two, of_four += four, others += !two && !four;
    return two || four ? 1 : 2;
}

static void check_launches(int64_t ntrans, int twos, int fours, int rest)
{
    const armilla_sht_options options = tensor_options(0);
    pair_of_plans p;
    plans_open(&p, gauss(20, 4), 6, 1, ntrans, &options);
    const armilla_exec exec = exec_of(&p);
    cuda_emulation_set_cost(count_kernel);
    for (int operation = 0; operation < 2; operation++) {
        of_two = of_four = others = 0;
        check_ok(operate(operation, p.gpu, input(&p, operation), p.made, &exec));
        if (of_two != twos || of_four != fours || others != rest)
            fail_msg("%lld sets, operator %d: %d launches of two sets, %d of four, %d others",
                     (long long)ntrans, operation, of_two, of_four, others);
    }
    cuda_emulation_set_cost(NULL);
    plans_close(&p);
}

/* Fours of sets are one launch; what is left over, at most one set, has no matrix to fill. */
static void sets_that_fill_a_matrix_have_tensor_cores(void **state)
{
    (void)state;
    check_launches(1, 0, 0, 1);
    check_launches(2, 1, 0, 0);
    check_launches(3, 1, 0, 1);
    check_launches(4, 0, 1, 0);
    check_launches(6, 1, 1, 0);
    check_launches(9, 0, 1, 1);
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Takes the grid. Every operator against the processor. */
static void check_results(armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t spin,
                          int64_t ntrans)
{
    const armilla_sht_options options = tensor_options(spin);
    pair_of_plans p;
    plans_open(&p, grid, lmax, mmax, ntrans, &options);
    const armilla_exec exec = exec_of(&p);
    for (int operation = 0; operation < OPERATORS; operation++) {
        check_ok(operate(operation, p.cpu, input(&p, operation), p.wanted, &exec));
        check_ok(operate(operation, p.gpu, input(&p, operation), p.made, &exec));
        check_at_most(relative_error(count_out(&p, operation), p.wanted, p.made), 1e-13,
                      "%lld rings, lmax %lld, spin %lld, %lld transforms, operator %d",
                      (long long)armilla_grid_nrings(grid), (long long)lmax, (long long)spin,
                      (long long)ntrans, operation);
    }
    plans_close(&p);
}

/* Groups of one, two and four vectors; all phases: pairs that come into range one after the other.
 */
static void results_are_those_of_the_processor(void **state)
{
    (void)state;
    for (int64_t ntrans = 2; ntrans <= 7; ntrans++) check_results(gauss(44, 90), 43, 43, 0, ntrans);
    check_results(gauss(200, 8), 140, 3, 0, 6);
    check_results(gauss(1200, 8), 20, 3, 0, 6);
    check_results(gauss(90, 180), 89, 89, 0, 2);
    check_results(healpix_grid(9), 26, 26, 0, 3);
}

static void every_spin(void **state)
{
    (void)state;
    for (int64_t spin = -4; spin <= 4; spin++) check_results(gauss(40, 80), 38, 38, spin, 1);
    check_results(gauss(160, 12), 140, 5, 2, 3);
    check_results(gauss(160, 12), 100, 5, 4, 3);
}

static void smallest_problems(void **state)
{
    (void)state;
    for (int64_t ntrans = 2; ntrans <= 5; ntrans++) {
        check_results(gauss(1, 1), 0, 0, 0, ntrans);
        check_results(gauss(2, 1), 0, 0, 0, ntrans);
        check_results(healpix_grid(1), 1, 1, 0, ntrans);
    }
    check_results(gauss(3, 5), 2, 2, 2, 1);
}

/* Both directions, threads and blocks forward, backwards, and mixed. */
static void bits_do_not_depend_on_sequences(void **state)
{
    (void)state;
    const armilla_sht_options options = tensor_options(0);
    pair_of_plans p;
    plans_open(&p, gauss(600, 8), 150, 3, 7, &options);
    const armilla_exec exec = exec_of(&p);
    for (int operation = 0; operation < 2; operation++) {
        const size_t bytes = (size_t)count_out(&p, operation) * sizeof(double);
        check_ok(operate(operation, p.gpu, input(&p, operation), p.wanted, &exec));
        for (int order = CUDA_EMULATION_REVERSED; order <= CUDA_EMULATION_RANDOM; order++) {
            memset(p.made, 0xff, bytes);
            cuda_emulation_set_order((cuda_emulation_order)order, 9);
            check_ok(operate(operation, p.gpu, input(&p, operation), p.made, &exec));
            assert_memory_equal(p.wanted, p.made, bytes);
        }
        cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
    }
    plans_close(&p);
}

/* Floats in single precision have the kernels of v4w4. */
static void single_precision_has_the_other_units(void **state)
{
    (void)state;
    armilla_sht_options options = tensor_options(0);
    options.device_precision = ARMILLA_DEVICE_PRECISION_SINGLE;
    pair_of_plans p;
    plans_open(&p, gauss(20, 40), 19, 19, 2, &options);
    of_two = of_four = others = 0;
    cuda_emulation_set_cost(count_kernel);
    float *in = checked_malloc(p.nalm, sizeof *in), *out = checked_malloc(p.nmap, sizeof *out);
    to_float(p.nalm, p.alm, in);
    const armilla_exec exec = exec_of(&p);
    check_ok(operate_float(0, p.gpu, in, out, &exec));
    free(out);
    free(in);
    cuda_emulation_set_cost(NULL);
    assert_int_equal(of_two + of_four, 0);
    assert_true(others > 0);
    plans_close(&p);
}

/* --- The choice ------------------------------------------------------------------------------- */

/* What a search measures is made up: some blocks of each launch are enough. */
static armilla_status try_capability(int capability, const armilla_sht_options *options,
                                     const char **shape)
{
    armilla_sht *sht = NULL;
    armilla_sht_description d = {.size = sizeof d};
    armilla_grid *grid = gauss(1200, 8);
    cuda_emulation_set_capability(capability), cuda_emulation_set_blocks(1);
    const armilla_status status = armilla_sht_new(grid, 6, 3, options, &sht);
    cuda_emulation_set_capability(90), cuda_emulation_set_blocks(0);
    if (!status) check_ok(armilla_sht_describe(sht, 1, &d));
    *shape = status ? NULL : d.device_shape;
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    return status;
}

static void other_gpus_refuse_them_by_name(void **state)
{
    (void)state;
    static const int without[] = {75, 86, 87, 88, 89, 100, 103, 120, 121};
    armilla_sht_options options = tensor_options(0);
    const char *shape;
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        check_error(try_capability(without[i], &options, &shape), ARMILLA_ERROR_UNSUPPORTED,
                    "options->device_shape = \"v4w4t\"");
    check_ok(try_capability(80, &options, &shape));
    assert_string_equal(shape, TENSOR);
    check_ok(try_capability(90, &options, &shape));
    assert_string_equal(shape, TENSOR);
    options.device_shape = "v4w4";
    check_ok(try_capability(75, &options, &shape));
}

/* A GPU of 9.0 runs PTX that was made for an earlier one, of whose kernels for tensor cores the
 * bodies were left out (CMAKE_CUDA_ARCHITECTURES=86): they are refused, and no search tries them. A
 * launch would end this process, as it would take a context with it on a GPU. */
static void kernels_that_were_left_out_are_never_launched(void **state)
{
    (void)state;
    armilla_sht_options options = tensor_options(0);
    const char *shape;
    cuda_emulation_set_target(86);
    check_error(try_capability(90, &options, &shape), ARMILLA_ERROR_UNSUPPORTED,
                "which has 9.0, were compiled for 8.6");
    options.device_shape = NULL, options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE_MANY;
    cuda_emulation_set_device_name("a Hopper with kernels for an Ampere");
    cuda_emulation_set_cost(count_kernel);
    of_two = of_four = 0;
    check_ok(try_capability(90, &options, &shape));
    assert_string_not_equal(shape, TENSOR);
    assert_int_equal(of_two + of_four, 0);
    cuda_emulation_set_cost(NULL);
    cuda_emulation_set_device_name("CUDA emulation");
    cuda_emulation_set_target(80);
    check_results(gauss(44, 90), 43, 43, 0, 6);
    cuda_emulation_set_target(0);
}

/* Kernels with tensor cores cost half of the others; a field of spin 2 has two sets. */
static void they_are_chosen_where_they_were_measured(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    const char *shape;
    options.spin = 2;
    check_ok(try_capability(90, &options, &shape));
    assert_string_equal(shape, "v4w4");
    options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE;
    cuda_emulation_set_cost(count_kernel);
    check_ok(try_capability(90, &options, &shape));
    assert_string_equal(shape, TENSOR);
    check_ok(try_capability(86, &options, &shape));
    assert_string_not_equal(shape, TENSOR);
    options.spin = 0;
    check_ok(try_capability(90, &options, &shape));
    assert_string_not_equal(shape, TENSOR);
    cuda_emulation_set_cost(NULL);
}

/* Eight scalars at once are sets of a matrix. What is found for them is not what is found for one.
 */
static void they_are_chosen_where_many_were_measured(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    const char *shape;
    options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE_MANY;
    cuda_emulation_set_cost(count_kernel);
    of_four = 0;
    check_ok(try_capability(90, &options, &shape));
    assert_string_equal(shape, TENSOR);
    assert_true(of_four >= 8); /* four runs each of two operators */
    of_four = 0;
    check_ok(try_capability(90, &options, &shape));
    assert_string_equal(shape, TENSOR);
    assert_int_equal(of_four, 0);
    check_ok(try_capability(86, &options, &shape));
    assert_string_not_equal(shape, TENSOR);
    options.spin_method = ARMILLA_SPIN_RECURRENCE, options.spin = 2;
    check_ok(try_capability(90, &options, &shape));
    assert_string_not_equal(shape, TENSOR);
    options = on_gpu(), options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE;
    check_ok(try_capability(90, &options, &shape));
    assert_string_not_equal(shape, TENSOR);
    cuda_emulation_set_cost(NULL);
}

/* A search whose requests for memory fail one after the other, each twice as it is made once more:
 * the first plan's tables are needed, but the arrays of eight transforms are not. A search makes
 * more than 25 requests for each of five shapes. */
static void fewer_are_measured_where_many_have_no_room(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    armilla_status status = ARMILLA_ERROR_MEMORY;
    const char *shape;
    const int64_t before = cuda_emulation_live_bytes();
    int64_t failing = 0;
    options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE_MANY;
    cuda_emulation_set_device_name("a GPU with little memory");
    for (; status == ARMILLA_ERROR_MEMORY && failing < 60; failing++) {
        cuda_emulation_fail_twice_after(failing);
        status = try_capability(90, &options, &shape);
        cuda_emulation_fail_twice_after(-1);
        assert_int_equal(cuda_emulation_live_bytes(), before);
    }
    check_ok(status);
    assert_true(failing > 1);
    cuda_emulation_set_device_name("CUDA emulation");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_that_fill_a_matrix_have_tensor_cores),
        cmocka_unit_test(results_are_those_of_the_processor),
        cmocka_unit_test(every_spin),
        cmocka_unit_test(smallest_problems),
        cmocka_unit_test(bits_do_not_depend_on_sequences),
        cmocka_unit_test(single_precision_has_the_other_units),
        cmocka_unit_test(other_gpus_refuse_them_by_name),
        cmocka_unit_test(kernels_that_were_left_out_are_never_launched),
        cmocka_unit_test(they_are_chosen_where_they_were_measured),
        cmocka_unit_test(they_are_chosen_where_many_were_measured),
        cmocka_unit_test(fewer_are_measured_where_many_have_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

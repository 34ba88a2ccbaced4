/* Transforms on a GPU are those of the processor, to rounding: every grid, spin and operator,
 * arrays of the host and of the device, in double and in float, in one pass or many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"

static armilla_sht_options defaults(void)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    return options;
}

/* Measured: 4e-14 at most. */
static const double BOUND = 1e-13;

static void check_operator(const pair_of_plans *p, int operation, const char *what)
{
    const armilla_exec exec = exec_of(p);
    const int64_t count = count_out(p, operation);
    const double *in = input(p, operation);
    const uint64_t before = checksum(in, (size_t)count_in(p, operation) * sizeof(double));
    check_ok(operate(operation, p->cpu, in, p->wanted, &exec));
    random_fill(3, count, p->made);
    check_ok(operate(operation, p->gpu, in, p->made, &exec));
    check_at_most(relative_error(count, p->wanted, p->made), BOUND, "%s: operator %d", what,
                  operation);
    assert_true(before == checksum(in, (size_t)count_in(p, operation) * sizeof(double)));
}

static void every_grid(void **state)
{
    (void)state;
    armilla_sht_options options = defaults();
    for (int i = 0; i < EXACT_KINDS; i++)
        for (options.spin = 0; options.spin <= 2; options.spin += 2)
            check_operators(check_operator, exact_grid(exact_kinds[i], 14, 11, 1, 0), 14, 11, 1,
                            &options, "exact grid");
    for (int64_t nside = 1; nside <= 4; nside++)
        for (options.spin = 0; options.spin <= 2; options.spin++)
            check_operators(check_operator, healpix_grid(nside), 3 * nside, 3 * nside, 1, &options,
                            "HEALPix");
}

static void every_spin_and_mode(void **state)
{
    (void)state;
    armilla_sht_options options = defaults();
    const int64_t spins[] = {1, -1, 2, -2, 3, 4};
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
        options.spin = spins[i];
        options.mode = ARMILLA_SHT_STANDARD;
        check_operators(check_operator, healpix_grid(4), 11, 9, 2, &options, "spin");
        options.mode = ARMILLA_SHT_GRADIENT_ONLY;
        check_operators(check_operator, healpix_grid(4), 11, 9, 1, &options, "gradient only");
    }
    options.mode = ARMILLA_SHT_DERIVATIVES;
    for (options.spin = 1; options.spin <= 2; options.spin++)
        check_operators(check_operator, healpix_grid(3), 7, 7, 1, &options, "derivatives");
    options = defaults();
    options.spin = 2, options.spin_method = ARMILLA_SPIN_RECURRENCE;
    check_operators(check_operator, healpix_grid(4), 11, 11, 1, &options, "recurrence");
}

static void small_and_large_band_limits(void **state)
{
    (void)state;
    const armilla_sht_options options = defaults();
    check_operators(check_operator, healpix_grid(1), 0, 0, 1, &options, "lmax 0");
    check_operators(check_operator, healpix_grid(2), 1, 0, 1, &options, "mmax 0");
    check_operators(check_operator, healpix_grid(2), 40, 40, 1, &options, "far beyond the pixels");
    const int64_t lmax = checks_quick() ? 48 : 150;
    check_operators(check_operator, exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, lmax, lmax, 0, 0), lmax,
                    lmax, 1, &options, "Gauss-Legendre");
}

static void any_number_of_transforms(void **state)
{
    (void)state;
    armilla_sht_options options = defaults();
    for (int64_t ntrans = 2; ntrans <= 9; ntrans++)
        check_operators(check_operator, healpix_grid(2), 6, 6, ntrans, &options, "several");
}

/* As few bytes as possible: a pass for each group of pairs, rings in batches. */
static void little_memory_gives_the_same(void **state)
{
    (void)state;
    armilla_sht_options options = defaults();
    const int64_t nside = checks_quick() ? 20 : 24;
    for (options.spin = 0; options.spin <= 2; options.spin += 2) {
        pair_of_plans p;
        armilla_sht *large;
        options.device_bytes = 1;
        plans_open(&p, healpix_grid(nside), 20, 20, 3, &options);
        options.device_bytes = 0, options.device = ARMILLA_CUDA;
        check_ok(armilla_sht_new(p.grid, 20, 20, &options, &large));
        armilla_sht_description little = {.size = sizeof little}, much = little;
        check_ok(armilla_sht_describe(p.gpu, 1, &little));
        check_ok(armilla_sht_describe(large, 1, &much));
        assert_string_equal(little.backend, "cuda");
        assert_true(little.device_workspace_bytes < much.device_workspace_bytes);
        for (int operation = 0; operation < OPERATORS; operation++)
            check_operator(&p, operation, "little memory");
        armilla_sht_free(large);
        plans_close(&p);
    }
}

/* --- Where arrays are ------------------------------------------------------------------------- */

/* operation with its arrays on the device where the flags say so; the result in p->made. */
static void run_on_device(const pair_of_plans *p, int operation, int in_there, int out_there,
                          armilla_exec *exec)
{
    const int64_t in_bytes = 8 * count_in(p, operation), out_bytes = 8 * count_out(p, operation);
    const double *in = input(p, operation);
    double *device_in = in_there ? to_device(in, in_bytes) : NULL;
    double *device_out = out_there ? to_device(p->wanted, out_bytes) : NULL;
    check_ok(operate(operation, p->gpu, in_there ? device_in : in, out_there ? device_out : p->made,
                     exec));
    if (out_there) assert_int_equal(cudaStreamSynchronize(exec->stream), cudaSuccess);
    if (out_there) from_device(p->made, device_out, out_bytes);
    cudaFree(device_in);
    cudaFree(device_out);
}

static void arrays_of_the_device(void **state)
{
    (void)state;
    armilla_sht_options options = defaults();
    options.spin = 2;
    pair_of_plans p;
    plans_open(&p, healpix_grid(4), 10, 10, 2, &options);
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    for (int operation = 0; operation < OPERATORS; operation++)
        for (int places = 0; places < 4; places++) {
            armilla_exec exec = exec_of(&p);
            check_ok(operate(operation, p.gpu, input(&p, operation), p.wanted, &exec));
            if (places % 2) exec.stream = stream;
            if (places == 3) exec.memory = ARMILLA_MEMORY_DEVICE;
            run_on_device(&p, operation, places % 2, places / 2, &exec);
            assert_memory_equal(p.wanted, p.made, (size_t)count_out(&p, operation) * 8);
        }
    cudaStreamDestroy(stream);
    plans_close(&p);
}

static void floats(void **state)
{
    (void)state;
    armilla_sht_options options = defaults();
    for (int few = 0; few < 2; few++) {
        pair_of_plans p;
        options.device_bytes = few;
        plans_open(&p, healpix_grid(32), 16, 16, 2, &options);
        for (int operation = 0; operation < OPERATORS; operation++) check_floats(&p, operation);
        plans_close(&p);
    }
}

/* --- Layouts and gaps ------------------------------------------------------------------------- */

/* What lies between the places of the result stays as it is. */
static void gaps_stay(void **state)
{
    (void)state;
    enum { LMAX = 8, FAR = 5 };
    armilla_alm_layout *layout;
    const int64_t mstart[LMAX + 1] = {3, 20, 40, 58, 76, 90, 106, 120, 140};
    check_ok(armilla_alm_layout_new_custom(LMAX, LMAX, mstart, 2, &layout));
    armilla_sht_options options = defaults();
    options.layout = layout;
    pair_of_plans p;
    p.grid = healpix_grid(3);
    options.device = ARMILLA_CPU;
    check_ok(armilla_sht_new(p.grid, LMAX, LMAX, &options, &p.cpu));
    options.device = ARMILLA_CUDA;
    check_ok(armilla_sht_new(p.grid, LMAX, LMAX, &options, &p.gpu));
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = 3;
    exec.alm_distance = armilla_alm_layout_size(layout) + FAR;
    exec.map_distance = armilla_grid_npix(p.grid) + FAR;
    p.nalm = 2 * 3 * exec.alm_distance, p.nmap = 3 * exec.map_distance;
    const int64_t most = p.nalm > p.nmap ? p.nalm : p.nmap;
    p.alm = checked_malloc(most, 8), p.map = checked_malloc(most, 8);
    p.wanted = checked_malloc(most, 8), p.made = checked_malloc(most, 8);
    random_fill(5, most, p.alm);
    random_fill(6, most, p.map);
    for (int operation = 0; operation < OPERATORS; operation++) {
        random_fill(7, most, p.wanted);
        memcpy(p.made, p.wanted, (size_t)most * 8);
        check_ok(operate(operation, p.cpu, input(&p, operation), p.wanted, &exec));
        check_ok(operate(operation, p.gpu, input(&p, operation), p.made, &exec));
        check_at_most(relative_error(most, p.wanted, p.made), BOUND, "gaps: operator %d",
                      operation);
    }
    armilla_alm_layout_free(layout);
    plans_close(&p);
}

static void polarised_plans(void **state)
{
    (void)state;
    armilla_sht_options options = defaults();
    armilla_grid *grid = healpix_grid(4);
    armilla_iqu *cpu, *gpu;
    check_ok(armilla_iqu_new(grid, 10, 10, &options, &cpu));
    options.device = ARMILLA_CUDA;
    check_ok(armilla_iqu_new(grid, 10, 10, &options, &gpu));
    const int64_t nalm = 6 * armilla_alm_size(10, 10), nmap = 3 * armilla_grid_npix(grid);
    double *map = checked_malloc(nmap, 8), *wanted = checked_malloc(nmap, 8);
    double *made = checked_malloc(nmap, 8);
    random_fill(8, nmap, map);
    check_ok(armilla_iqu_analysis(cpu, map, wanted, NULL));
    check_ok(armilla_iqu_analysis(gpu, map, made, NULL));
    check_at_most(relative_error(nalm, wanted, made), BOUND, "analysis of I, Q, U");
    check_ok(armilla_iqu_pseudo_analysis(cpu, map, wanted, NULL, NULL, NULL));
    check_ok(armilla_iqu_pseudo_analysis(gpu, map, made, NULL, NULL, NULL));
    check_at_most(relative_error(nalm, wanted, made), 1e-9, "iterations");
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_iqu_describe(gpu, 1, &d));
    assert_string_equal(d.backend, "cuda");
    assert_true(d.device_plan_bytes > 0 && d.device_workspace_bytes > 0);
    free(made);
    free(wanted);
    free(map);
    armilla_iqu_free(gpu);
    armilla_iqu_free(cpu);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_grid),
        cmocka_unit_test(every_spin_and_mode),
        cmocka_unit_test(small_and_large_band_limits),
        cmocka_unit_test(any_number_of_transforms),
        cmocka_unit_test(little_memory_gives_the_same),
        cmocka_unit_test(arrays_of_the_device),
        cmocka_unit_test(floats),
        cmocka_unit_test(gaps_stay),
        cmocka_unit_test(polarised_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

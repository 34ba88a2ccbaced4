/* Many sets of a call in one launch of every stage on the emulated GPU: how many launches calls
 * take, on grids whose rings have many lengths as well, and that sets have the bits that they have
 * alone, in whatever batches memory makes them go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "cuda/runtime/copies.h"
#include "emulation.h"

/* --- Grids ----------------------------------------------------------------------------------- */

/* The rings of an octahedral grid O<size>: 20, 24, 28, ... samples from either pole on, colatitudes
 * evenly spaced. */
static armilla_grid *octahedral_grid(int64_t size)
{
    const int64_t nrings = 2 * size;
    armilla_ring *rings = checked_malloc(nrings, sizeof *rings);
    armilla_grid *grid = NULL;
    int64_t offset = 0;
    for (int64_t i = 0; i < nrings; i++) {
        const int64_t from_pole = i < size ? i : nrings - 1 - i;
        const double theta = M_PI * ((double)i + 0.5) / (double)nrings;
        rings[i] = (armilla_ring){theta, 20 + 4 * from_pole, 0, offset, 1, sin(theta)};
        offset += rings[i].nphi;
    }
    check_ok(armilla_grid_new_custom(nrings, rings, &grid));
    free(rings);
    return grid;
}

/* --- Launches -------------------------------------------------------------------------------- */

/* Launches of an operator with arrays in device memory. Blocks: some of each launch alone run. */
static int64_t count_launches(const armilla_sht *sht, int operation, int64_t ntrans, void *alm,
                              void *map)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans;
    cuda_emulation_launches();
    check_ok(operate(operation, sht, gives_map(operation) ? alm : map,
                     gives_map(operation) ? map : alm, &exec));
    return cuda_emulation_launches();
}

/* Takes the grid. The most launches of any operator. */
static int64_t most_launches(armilla_grid *grid, int64_t lmax, int64_t ntrans,
                             const armilla_sht_options *options)
{
    const int64_t components = options->spin ? 2 : 1;
    const int64_t nalm = 2 * armilla_alm_size(lmax, lmax) * components * ntrans;
    const int64_t nmap = armilla_grid_npix(grid) * components * ntrans;
    double *zeros = checked_calloc(nalm > nmap ? nalm : nmap, sizeof *zeros);
    double *alm = to_device(zeros, 8 * nalm), *map = to_device(zeros, 8 * nmap);
    int64_t most = 0;
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, lmax, lmax, options, &sht));
    cuda_emulation_set_blocks(2);
    for (int operation = 0; operation < OPERATORS; operation++) {
        const int64_t launches = count_launches(sht, operation, ntrans, alm, map);
        if (launches > most) most = launches;
    }
    cuda_emulation_set_blocks(0);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    cudaFree(map), cudaFree(alm);
    free(zeros);
    return most;
}

static void check_launches(armilla_grid *grid, int64_t lmax, int64_t ntrans,
                           const armilla_sht_options *options, int64_t bound, const char *what)
{
    const int64_t launches = most_launches(grid, lmax, ntrans, options);
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("%s: %lld launches\n", what, (long long)launches);
    if (launches > bound) fail_msg("%s: %lld launches", what, (long long)launches);
}

/* By default: coefficients, synthesis, and rings of smooth lengths in one. The emulation's cuFFT
 * has a work area as large as the data, so longer rings go in two parts: two times fill, cuFFT and
 * store.
 */
static void many_scalars_take_few_launches(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    check_launches(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 256, 512, 0, 0), 255, 64, &options, 3,
                   "64 scalars, lmax 255");
    check_launches(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 32, 4099, 0, 0), 31, 64, &options, 12,
                   "64 scalars, long rings");
    check_launches(exact_grid(ARMILLA_GRID_CC, 66, 130, 0, 0), 63, 64, &options, 14,
                   "64 scalars, weights that mix rings");
    check_launches(healpix_grid(32), 63, 64, &options, 12, "64 scalars, HEALPix nside 32");
    options.spin = 2;
    check_launches(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 64, 128, 0, 0), 63, 32, &options, 12,
                   "32 fields of spin 2");
}

/* Rings of O160 have five times as many lengths as those of O32, and lengths up to 656 for 144: one
 * padded length for every power of two. */
static void launches_do_not_count_rings(void **state)
{
    (void)state;
    const armilla_sht_options options = on_gpu();
    const int64_t few = most_launches(octahedral_grid(32), 47, 16, &options);
    const int64_t many = most_launches(octahedral_grid(160), 191, 16, &options);
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("O32: %lld launches, O160: %lld\n", (long long)few, (long long)many);
    assert_true(few <= 12);
    assert_true(many <= few + 6);
}

static void note_rings(void *data, const armilla_choice *choice)
{
    if (!strcmp(choice->name, "device.rings")) snprintf(data, 120, "%s", choice->value);
}

static void check_ways_of_rings(armilla_grid *grid, const char *ways)
{
    const armilla_sht_options options = on_gpu();
    char told[120] = "";
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, 11, 10, &options, &sht));
    check_ok(armilla_sht_explain(sht, note_rings, told));
    assert_string_equal(told, ways);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* O16 has pairs of 20, 24, 28, ..., 80 samples, of which 44, 52, 68 and 76 are not smooth; 65 rings
 * of one length are 32 pairs and one ring. */
static void ways_of_rings_are_told(void **state)
{
    (void)state;
    check_ways_of_rings(octahedral_grid(16),
                        "sums 0, cuFFT 0, smooth 12, convolutions in shared memory 4, by cuFFT 0");
    check_ways_of_rings(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 64, 5, 0, 4099),
                        "sums 0, cuFFT 33, smooth 0, convolutions in shared memory 0, by cuFFT 0");
}

/* --- Bits ------------------------------------------------------------------------------------ */

static armilla_grid *grid_of(int number)
{
    return number == 0   ? octahedral_grid(16)
           : number == 1 ? healpix_grid(8)
           : number == 2 ? exact_grid(ARMILLA_GRID_CC, 13, 12, 0, 0)
                         : exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 13, 25, 0, 0);
}

enum { BUDGETS = 4 };

/* An operator one by one, and at once by plans of less and less memory: the first one has all of
 * the transforms, the others `some`. */
static void check_budgets(const pair_of_plans *p, armilla_sht *const *plans, int budgets,
                          int operation, int64_t some)
{
    armilla_exec exec = exec_of(p);
    const int64_t in = count_in(p, operation) / p->ntrans;
    const int64_t out = count_out(p, operation) / p->ntrans;
    const double *from = input(p, operation);
    for (int64_t t = 0; t < p->ntrans; t++)
        check_ok(operate(operation, p->gpu, from + t * in, p->wanted + t * out, NULL));
    for (int i = 0; i < budgets; i++) {
        exec.ntrans = i ? some : p->ntrans;
        random_fill(3, out * exec.ntrans, p->made);
        check_ok(operate(operation, plans[i], from, p->made, &exec));
        if (memcmp(p->wanted, p->made, (size_t)(out * exec.ntrans) * 8))
            fail_msg("budget %d: operator %d: bits differ", i, operation);
    }
    exec.ntrans = p->ntrans;
    check_ok(operate(operation, p->cpu, from, p->made, &exec));
    check_at_most(relative_error(count_out(p, operation), p->made, p->wanted), 1e-13, "operator %d",
                  operation);
}

/* Takes the grid. */
static void check_sets(armilla_grid *grid, int64_t lmax, int64_t mmax, armilla_sht_options options,
                       int budgets, int64_t all, int64_t some)
{
    static const int64_t bytes[BUDGETS] = {0, 200000, 60000, 1};
    armilla_sht *plans[BUDGETS];
    pair_of_plans p;
    plans_open(&p, grid, lmax, mmax, all, &options);
    plans[0] = p.gpu;
    for (int i = 1; i < budgets; i++) {
        options.device_bytes = bytes[i];
        check_ok(armilla_sht_new(grid, lmax, mmax, &options, &plans[i]));
    }
    for (int operation = 0; operation < OPERATORS; operation++)
        check_budgets(&p, plans, budgets, operation, some);
    for (int i = 1; i < budgets; i++) armilla_sht_free(plans[i]);
    plans_close(&p);
}

/* Numbers of sets that plans of cuFFT are not made for, and memory for all of them down to none. */
static void sets_have_the_bits_that_they_have_alone(void **state)
{
    (void)state;
    armilla_sht_options scalar = on_gpu(), spin = on_gpu();
    spin.spin = 2;
    for (int grid = 0; grid < 4; grid++) {
        check_sets(grid_of(grid), 11, 10, scalar, BUDGETS, 70, 23);
        check_sets(grid_of(grid), 11, 10, spin, BUDGETS, 9, 9);
    }
}

/* A block that makes degrees has the first steps of 64 tiles in shared memory: here are 66, of 128
 * pairs each. */
static void there_are_more_tiles_than_a_block_keeps(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    options.device_shape = "v1w4";
    check_sets(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 16800, 3, 0, 0), 5, 1, options, 1, 1, 1);
}

/* --- I, Q, U --------------------------------------------------------------------------------- */

static armilla_status operate_iqu(int operation, const armilla_iqu *iqu, const double *in,
                                  double *out, const armilla_exec *exec)
{
    return operation == 0   ? armilla_iqu_synthesis(iqu, in, out, exec)
           : operation == 1 ? armilla_iqu_adjoint_synthesis(iqu, in, out, exec)
           : operation == 2 ? armilla_iqu_analysis(iqu, in, out, exec)
                            : armilla_iqu_adjoint_analysis(iqu, in, out, exec);
}

/* Six times I, Q, U in one call: the bits of calls of one each, for arrays of the host and of the
 * device, with room between components; and the launches of two calls. */
static void polarised_fields_share_launches(void **state)
{
    (void)state;
    enum { LMAX = 11, NTRANS = 6, FAR = 5 };
    armilla_sht_options options = on_gpu();
    armilla_grid *grid = healpix_grid(4);
    armilla_iqu *iqu;
    check_ok(armilla_iqu_new(grid, LMAX, LMAX, &options, &iqu));
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.alm_distance = armilla_alm_size(LMAX, LMAX) + FAR;
    exec.map_distance = armilla_grid_npix(grid) + FAR;
    const int64_t alm = 6 * exec.alm_distance, map = 3 * exec.map_distance;
    const int64_t most = NTRANS * (alm > map ? alm : map);
    double *in = checked_malloc(most, 8), *wanted = checked_malloc(most, 8);
    double *made = checked_malloc(most, 8);
    random_fill(8, most, in);
    for (int operation = 0; operation < OPERATORS; operation++) {
        const int64_t from = gives_map(operation) ? alm : map,
                      to = gives_map(operation) ? map : alm;
        random_fill(9, most, wanted);
        memcpy(made, wanted, (size_t)most * 8);
        double *device_in = to_device(in, 8 * most), *device_out = to_device(wanted, 8 * most);
        exec.ntrans = 1;
        for (int64_t t = 0; t < NTRANS; t++)
            check_ok(operate_iqu(operation, iqu, in + t * from, wanted + t * to, &exec));
        exec.ntrans = NTRANS;
        check_ok(operate_iqu(operation, iqu, in, made, &exec));
        assert_memory_equal(wanted, made, (size_t)most * 8);
        cuda_emulation_launches();
        check_ok(operate_iqu(operation, iqu, device_in, device_out, &exec));
        const int64_t launches = cuda_emulation_launches();
        if (launches > 24) fail_msg("operator %d: %lld launches", operation, (long long)launches);
        from_device(made, device_out, 8 * most);
        assert_memory_equal(wanted, made, (size_t)most * 8);
        cudaFree(device_out), cudaFree(device_in);
    }
    free(made), free(wanted), free(in);
    armilla_iqu_free(iqu);
    armilla_grid_free(grid);
}

/* --- Arrays of the host ----------------------------------------------------------------------- */

/* All operators by batches whose copies go beside kernels, through buffers of few bytes: the bits
 * that arrays of the device give. */
static void check_copies(const pair_of_plans *p, const char *what)
{
    const armilla_exec exec = exec_of(p);
    for (int operation = 0; operation < OPERATORS; operation++) {
        const int64_t nin = 8 * count_in(p, operation), nout = 8 * count_out(p, operation);
        double *in = to_device(input(p, operation), nin), *out = to_device(p->made, nout);
        check_ok(operate(operation, p->gpu, in, out, &exec));
        assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
        from_device(p->wanted, out, nout);
        random_fill(9, count_out(p, operation), p->made);
        check_ok(operate(operation, p->gpu, input(p, operation), p->made, &exec));
        if (memcmp(p->wanted, p->made, (size_t)nout)) fail_msg("%s: operator %d", what, operation);
        cudaFree(out), cudaFree(in);
    }
}

/* Legs of two transforms at once, so that there are many batches; buffers smaller than a component,
 * and larger than a batch. Late copies are what a stream of its own must wait for. */
static void copies_go_beside_kernels(void **state)
{
    (void)state;
    const int64_t buffers[] = {1000, 1 << 20};
    for (int i = 0; i < 2; i++)
        for (int64_t spin = 0; spin <= 2; spin += 2) {
            armilla_sht_options options = on_gpu();
            armilla_cuda_copier_set_sizes(buffers[i], 1);
            options.spin = spin, options.device_bytes = 70000;
            pair_of_plans p;
            plans_open(&p, healpix_grid(8), 14, 14, 7, &options);
            check_copies(&p, "beside kernels");
            cuda_emulation_set_deferred(1);
            check_copies(&p, "beside kernels, late");
            cuda_emulation_set_deferred(0);
            plans_close(&p);
            armilla_cuda_copier_set_sizes(0, 0);
        }
}

static int stop_late(void *data, double fraction)
{
    (void)data;
    return fraction > 0.3;
}

/* A call that is cancelled leaves a plan that works; captures of host arrays are refused. */
static void calls_end_early(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    armilla_cuda_copier_set_sizes(1000, 1);
    options.device_bytes = 70000;
    pair_of_plans p;
    plans_open(&p, healpix_grid(8), 14, 14, 40, &options);
    armilla_exec exec = exec_of(&p);
    exec.progress = stop_late;
    const armilla_status status = armilla_sht_synthesis(p.gpu, p.alm, p.made, &exec);
    assert_true(status == ARMILLA_ERROR_CANCELLED || !status); /* heard of twenty times a second */
    check_copies(&p, "after one that was cancelled");
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    exec = exec_of(&p), exec.stream = stream;
    check_error(armilla_sht_synthesis(p.gpu, p.alm, p.made, &exec), ARMILLA_ERROR_UNSUPPORTED,
                "alm: host arrays cannot be captured");
    cudaGraph_t graph;
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    plans_close(&p);
    armilla_cuda_copier_set_sizes(0, 0);
}

/* One call of a plan of its own, whose request number i fails. Returned: how many there were. */
static int64_t fail_one(const pair_of_plans *p, int operation, const armilla_sht_options *options,
                        int64_t (*fail_after)(int64_t), int64_t i)
{
    const armilla_exec exec = exec_of(p);
    armilla_sht *fresh;
    check_ok(armilla_sht_new(p->grid, 8, 8, options, &fresh));
    fail_after(i);
    const armilla_status status = operate(operation, fresh, input(p, operation), p->made, &exec);
    const int64_t count = fail_after(-1);
    assert_true(!status || status == ARMILLA_ERROR_MEMORY || status == ARMILLA_ERROR_UNSUPPORTED);
    if (!status) assert_memory_equal(p->wanted, p->made, (size_t)count_out(p, operation) * 8);
    armilla_sht_free(fresh);
    return count;
}

/* Every allocation of device memory and every other call that can fail, fails once: the call fails,
 * or goes without buffers, with the same bits. Nothing is left behind, unless what fails is the
 * call that gives the memory back. */
static void failures_of_copies(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    armilla_cuda_copier_set_sizes(1000, 1);
    options.device_bytes = 20000;
    for (int operation = 0; operation < 2; operation++)
        for (int calls = 0; calls < 2; calls++) {
            int64_t (*const fail_after)(int64_t) =
                calls ? cuda_emulation_fail_call_after : cuda_emulation_fail_after;
            int64_t leaks = 0;
            pair_of_plans p;
            plans_open(&p, healpix_grid(4), 8, 8, 5, &options);
            const armilla_exec exec = exec_of(&p);
            check_ok(operate(operation, p.gpu, input(&p, operation), p.wanted, &exec));
            armilla_sht_free(p.gpu);
            p.gpu = NULL;
            const int64_t count = fail_one(&p, operation, &options, fail_after, -1);
            assert_true(count > (calls ? 30 : 0));
            for (int64_t i = 0; i < count; i++) {
                const int64_t before = cuda_emulation_live_bytes();
                fail_one(&p, operation, &options, fail_after, i);
                leaks += cuda_emulation_live_bytes() != before;
            }
            assert_true(leaks <= calls);
            plans_close(&p);
        }
    armilla_cuda_copier_set_sizes(0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_scalars_take_few_launches),
        cmocka_unit_test(launches_do_not_count_rings),
        cmocka_unit_test(sets_have_the_bits_that_they_have_alone),
        cmocka_unit_test(ways_of_rings_are_told),
        cmocka_unit_test(there_are_more_tiles_than_a_block_keeps),
        cmocka_unit_test(polarised_fields_share_launches),
        cmocka_unit_test(copies_go_beside_kernels),
        cmocka_unit_test(calls_end_early),
        cmocka_unit_test(failures_of_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

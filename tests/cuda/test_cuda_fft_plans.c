/* Plans of cuFFT for several sets of a leg: they are made when a call first has so many, calls go
 * on without those that cannot be made, and what another thread captures is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

enum { LMAX = 12, SETS = 4 };

/* Rings that go by cuFFT. */
static armilla_grid *even_rings(void)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(LMAX + 1, 4099, &grid));
    return grid;
}

/* Plenty, so that sets go together. Takes the grid. */
static void open_plans(pair_of_plans *p, armilla_grid *grid)
{
    armilla_sht_options options = on_gpu();
    options.device_bytes = INT64_C(1) << 28;
    plans_open(p, grid, LMAX, LMAX, SETS, &options);
}

/* Calls of one transform, or of all; the results must be those of the processor. */
static void check_calls(pair_of_plans *p, int64_t ntrans)
{
    armilla_exec exec = exec_of(p);
    exec.ntrans = ntrans;
    for (int operation = 0; operation < OPERATORS; operation++) {
        const int64_t count = count_out(p, operation) / SETS * ntrans;
        check_ok(operate(operation, p->cpu, input(p, operation), p->wanted, &exec));
        check_ok(operate(operation, p->gpu, input(p, operation), p->made, &exec));
        check_at_most(relative_error(count, p->wanted, p->made), 1e-12,
                      "operator %d, %lld transforms", operation, (long long)ntrans);
    }
}

/* Takes the grid. */
static void check_when_made(armilla_grid *grid)
{
    pair_of_plans p;
    const int64_t before = cuda_emulation_fft_plans();
    open_plans(&p, grid);
    const int64_t of_one = cuda_emulation_fft_plans();
    assert_true(of_one > before);
    check_calls(&p, 1);
    assert_int_equal(cuda_emulation_fft_plans(), of_one);
    check_calls(&p, SETS);
    const int64_t all = cuda_emulation_fft_plans();
    assert_true(all > of_one);
    check_calls(&p, SETS);
    assert_int_equal(cuda_emulation_fft_plans(), all);
    plans_close(&p);
    assert_int_equal(cuda_emulation_fft_plans(), before);
}

static void plans_of_several_sets_are_made_when_needed(void **state)
{
    (void)state;
    check_when_made(even_rings());
    check_when_made(exact_grid(ARMILLA_GRID_MW, LMAX, LMAX, 0, 0));
}

/* A plan for one set has as many rows as the grid has rings at most; one for two has more. */
static void calls_go_on_without_plans_that_fail(void **state)
{
    (void)state;
    pair_of_plans p;
    armilla_grid *grid = even_rings();
    cuda_emulation_set_fft_rows(armilla_grid_nrings(grid));
    const int64_t before = cuda_emulation_fft_plans();
    open_plans(&p, grid);
    const int64_t of_one = cuda_emulation_fft_plans();
    cudaGetLastError();
    for (int round = 0; round < 2; round++) {
        check_calls(&p, SETS);
        assert_int_equal(cuda_emulation_fft_plans(), of_one);
        assert_int_equal(cudaPeekAtLastError(), cudaSuccess);
        cuda_emulation_set_fft_rows(0); /* what could not be made is not tried again */
    }
    plans_close(&p);
    assert_int_equal(cuda_emulation_fft_plans(), before);
}

/* A call on a stream of its own makes them while another stream is captured, whose own call makes
 * none. */
static void captures_are_left_alone(void **state)
{
    (void)state;
    pair_of_plans p;
    cudaStream_t streams[2];
    cudaGraph_t graph;
    open_plans(&p, even_rings());
    armilla_exec exec = exec_of(&p);
    double *alm = to_device(p.alm, 8 * p.nalm), *map = to_device(p.map, 8 * p.nmap);
    for (int i = 0; i < 2; i++)
        assert_int_equal(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking), 0);
    const int64_t of_one = cuda_emulation_fft_plans();
    assert_int_equal(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal), 0);
    exec.stream = streams[0];
    check_ok(armilla_sht_synthesis(p.gpu, alm, map, &exec));
    assert_int_equal(cuda_emulation_fft_plans(), of_one);
    exec.stream = streams[1];
    check_ok(armilla_sht_synthesis(p.gpu, alm, map, &exec));
    assert_true(cuda_emulation_fft_plans() > of_one);
    assert_int_equal(cudaStreamEndCapture(streams[0], &graph), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    from_device(p.made, map, 8 * p.nmap);
    check_ok(armilla_sht_synthesis(p.cpu, p.alm, p.wanted, &exec));
    check_at_most(relative_error(p.nmap, p.wanted, p.made), 1e-12, "beside a capture");
    cudaGraphDestroy(graph);
    for (int i = 0; i < 2; i++) cudaStreamDestroy(streams[i]);
    cudaFree(alm);
    cudaFree(map);
    plans_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_of_several_sets_are_made_when_needed),
        cmocka_unit_test(calls_go_on_without_plans_that_fail),
        cmocka_unit_test(captures_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

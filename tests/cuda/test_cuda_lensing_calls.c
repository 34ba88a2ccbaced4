/* Plans and calls for lensed maps on a GPU: memory is what the plan tells, failures leave nothing
 * behind, and what is not offered is refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/memory.h"
#include "base/progress.h"
#include "cuda/lensing_scene.h"

/* --- Memory and failures ---------------------------------------------------------------------- */

static void memory_is_what_the_plan_tells(void **state)
{
    (void)state;
    for (int kind = 0; kind < GRIDS; kind += 4) {
        pair p = pair_open(kind, &cases[1], 0.3);
        armilla_points_description d = {.size = sizeof d};
        check_ok(armilla_lensing_describe(p.gpu, 1, &d));
        assert_string_equal(d.backend, "cuda");
        assert_int_equal(cuda_emulation_live_bytes(), d.device_plan_bytes);
        double *alm = to_device(p.s.alm, 8 * p.nalm), *map = to_device(p.map, 8 * p.nmap);
        int64_t most = 0;
        for (int way = 0; way < 2; way++) {
            const int64_t before = cuda_emulation_live_bytes();
            cuda_emulation_most_bytes();
            check_ok(run(p.gpu, way, way ? map : alm, way ? alm : map, NULL));
            const int64_t taken = cuda_emulation_most_bytes() - before;
            most = taken > most ? taken : most;
        }
        assert_true(most <= d.device_workspace_bytes);
        assert_true(d.device_workspace_bytes <= 3 * most);
        cudaFree(alm), cudaFree(map);
        pair_close(&p);
    }
}

static armilla_status try_all(const pair *p, double *alm, double *map)
{
    armilla_lensing *lensing = NULL;
    armilla_status status = new_on_gpu(&p->s, &lensing);
    if (!status) status = armilla_lensing_alm2lenmap(lensing, p->s.alm, map, NULL);
    if (!status) status = armilla_lensing_adjoint(lensing, p->map, alm, NULL);
    armilla_lensing_free(lensing);
    return status;
}

/* Each allocation of host and device fails: an error, and nothing is left. Plans of cuFFT for
 * several sets, whose emulation takes memory of the host, may be missing without one. */
static void failures_leave_nothing(void **state)
{
    (void)state;
    int64_t (*const fails[])(int64_t) = {armilla_memory_fail_after,
                                         cuda_emulation_fail_twice_after};
    pair p = pair_open(4, &cases[1], 0.3);
    armilla_lensing_free(p.gpu);
    p.gpu = NULL;
    for (int kind = 0; kind < 2; kind++) {
        fails[kind](-1);
        check_ok(try_all(&p, p.made, p.wanted));
        const int64_t count = fails[kind](-1);
        assert_true(count > 10);
        for (int64_t n = 0; n < count; n++) {
            fails[kind](n);
            const armilla_status status = try_all(&p, p.made, p.wanted);
            fails[kind](-1);
            assert_true(status == ARMILLA_ERROR_MEMORY || (status == ARMILLA_OK && kind == 0));
            assert_int_equal(cuda_emulation_live_bytes(), 0);
        }
    }
    pair_close(&p);
}

/* Each call of CUDA in a call of ours: an error, and the plan stays usable. */
static void failing_calls(void **state)
{
    (void)state;
    pair p = pair_open(4, &cases[1], 0.3);
    for (int way = 0; way < 2; way++) {
        const size_t bytes = 8 * (size_t)lensing_outputs(&p, way);
        memset(p.wanted, 0, bytes), memset(p.made, 0, bytes);
        check_ok(run(p.gpu, way, lensing_input(&p, way), p.wanted, NULL)); /* makes cuFFT's plans */
        cuda_emulation_fail_call_after(-1);
        check_ok(run(p.gpu, way, lensing_input(&p, way), p.wanted, NULL));
        const int64_t count = cuda_emulation_fail_call_after(-1);
        assert_true(count > 10);
        for (int64_t n = 0; n < count; n++) {
            cuda_emulation_fail_call_after(n);
            const armilla_status status = run(p.gpu, way, lensing_input(&p, way), p.made, NULL);
            cuda_emulation_fail_call_after(-1);
            assert_true(status == ARMILLA_ERROR_MEMORY || status == ARMILLA_ERROR_UNSUPPORTED);
        }
        memset(p.made, 0, bytes);
        check_ok(run(p.gpu, way, lensing_input(&p, way), p.made, NULL));
        assert_memory_equal(p.made, p.wanted, bytes);
    }
    pair_close(&p);
}

/* --- What is refused -------------------------------------------------------------------------- */

static void plans_that_are_refused(void **state)
{
    (void)state;
    pair p = pair_open(1, &cases[1], 0.3);
    const spin_case *c = &cases[1];
    armilla_points_options options = gpu_options(&p.s);
    armilla_lensing *made = NULL;
    options.points_memory = ARMILLA_MEMORY_HOST;
    check_error(armilla_lensing_new(p.s.grid, &p.s.deflection, c->lmax, c->mmax, &options, &made),
                ARMILLA_ERROR_ARGUMENT, "options->points_memory");
    check_error(armilla_lensing_new_beside(p.gpu, c->lmax, c->mmax, &p.s.options, &made),
                ARMILLA_ERROR_ARGUMENT, "options->device = ARMILLA_CPU");
    options = gpu_options(&p.s);
    check_error(armilla_lensing_new_beside(p.s.lensing, c->lmax, c->mmax, &options, &made),
                ARMILLA_ERROR_ARGUMENT, "options->device = ARMILLA_CUDA");
    cuda_emulation_set_devices(0);
    check_error(new_on_gpu(&p.s, &made), ARMILLA_ERROR_UNSUPPORTED, "no GPU");
    cuda_emulation_set_devices(1);
    assert_null(made);
    pair_close(&p);
}

/* The pixel of the map is named, as on the processor. */
static void deflections_that_are_not_finite_are_named(void **state)
{
    (void)state;
    const int64_t live = cuda_emulation_live_bytes(); /* what calls that failed to free it keep */
    for (int kind = 0; kind < GRIDS; kind++) {
        pair p = pair_open(kind, &cases[0], 0.3);
        const spin_case *c = &cases[0];
        armilla_lensing *made = NULL;
        p.s.potentials[2] = 1e308 * 10;
        check_error(
            armilla_lensing_new(p.s.grid, &p.s.deflection, c->lmax, c->mmax, &p.s.options, &made),
            ARMILLA_ERROR_ARGUMENT, "deflection: at pixel");
        char wanted[60];
        snprintf(wanted, sizeof wanted, "%.40s", armilla_status_message());
        check_error(new_on_gpu(&p.s, &made), ARMILLA_ERROR_ARGUMENT, "deflection: at pixel");
        const size_t end = strcspn(wanted, "(");
        assert_true(!strncmp(wanted, armilla_status_message(), end));
        assert_null(made);
        pair_close(&p);
    }
    assert_int_equal(cuda_emulation_live_bytes(), live);
}

static void calls_that_are_refused(void **state)
{
    (void)state;
    pair p = pair_open(0, &cases[1], 0.3);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(run(p.gpu, 0, p.s.alm, p.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "alm: is in host memory");
    check_error(run(p.s.lensing, 0, p.s.alm, p.made, &exec), ARMILLA_ERROR_ARGUMENT, "CPU");
    armilla_exec_init(&exec);
    exec.missing = ARMILLA_MISSING_ERROR;
    for (int i = 0; i < 2; i++) /* a good map: it is looked at, then used */
        check_ok(run(i ? p.gpu : p.s.lensing, 1, p.map, i ? p.made : p.wanted, &exec));
    check_at_most(relative_error(p.nalm, p.wanted, p.made), BOUND, "missing");
    p.map[5] = (double)NAN;
    check_error(run(p.gpu, 1, p.map, p.made, &exec), ARMILLA_ERROR_ARGUMENT, "map[5]");
    pair_close(&p);
}

/* Runs a call on arrays of the device into a graph. Returned: the call's status; ends the capture,
 * which a call that is refused must leave as it was. */
static armilla_status capture_run(const pair *p, int way, const double *in, double *out,
                                  cudaStream_t stream)
{
    armilla_exec exec;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    armilla_exec_init(&exec);
    exec.stream = stream;
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    const armilla_status status = run(p->gpu, way, in, out, &exec);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    cuda_emulation_launches();
    assert_int_equal(cudaGraphLaunch(executable, stream), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    assert_int_equal(cuda_emulation_launches() > 0, status == ARMILLA_OK);
    assert_int_equal(cudaGraphExecDestroy(executable), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    return status;
}

/* Graphs give the bits of calls, also where values at points have memory of their own; without
 * memory pools nothing is captured. */
static void graphs_of_calls(void **state)
{
    (void)state;
    for (int pools = 1; pools >= 0; pools--) {
        cuda_emulation_set_pools(pools);
        pair p = pair_open(4, &cases[1], 0.3);
        cudaStream_t stream;
        assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
        for (int way = 0; way < 2; way++) {
            const int64_t inputs = way ? p.nmap : p.nalm, outputs = lensing_outputs(&p, way);
            memset(p.wanted, 0, 8 * (size_t)outputs);
            double *in = to_device(lensing_input(&p, way), 8 * inputs);
            double *out = to_device(p.wanted, 8 * outputs);
            check_ok(run(p.gpu, way, lensing_input(&p, way), p.wanted, NULL));
            assert_int_equal(capture_run(&p, way, in, out, stream),
                             pools ? ARMILLA_OK : ARMILLA_ERROR_UNSUPPORTED);
            cudaMemcpy(p.made, out, 8 * (size_t)outputs, cudaMemcpyDeviceToHost);
            if (pools) assert_memory_equal(p.made, p.wanted, 8 * (size_t)outputs);
            cudaFree(in), cudaFree(out);
        }
        assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
        pair_close(&p);
    }
    cuda_emulation_set_pools(1);
}

/* --- Several transforms ------------------------------------------------------------------------
 */

enum { NTRANS = 5 };

typedef struct {
    int64_t launches, bytes;
} taken;

/* A call of the same input NTRANS times, arrays on the device or the host; `out` is 7 before. */
static taken run_many(const armilla_lensing *plan, const pair *p, int way, int on_device,
                      double *out)
{
    const int64_t nin = lensing_outputs(p, !way), nout = lensing_outputs(p, way);
    double *in = checked_malloc(NTRANS * nin, 8);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = NTRANS;
    for (int64_t i = 0; i < NTRANS * nin; i++)
        in[i] = lensing_input(p, way)[i % nin] * (1 + (double)(i / nin));
    for (int64_t i = 0; i < NTRANS * nout; i++) out[i] = 7;
    double *in_there = to_device(in, 8 * NTRANS * nin), *there = to_device(out, 8 * NTRANS * nout);
    const int64_t before = cuda_emulation_live_bytes();
    cuda_emulation_most_bytes(), cuda_emulation_launches();
    check_ok(run(plan, way, on_device ? in_there : in, on_device ? there : out, &exec));
    const taken t = {cuda_emulation_launches(), cuda_emulation_most_bytes() - before};
    if (on_device) from_device(out, there, 8 * NTRANS * nout);
    cudaFree(in_there), cudaFree(there);
    free(in);
    return t;
}

/* Values of all in one buffer, with few launches and the bits of one by one; with less memory, as
 * many as have room. */
static void check_together(const pair *p, int way, int on_device)
{
    const int64_t nout = NTRANS * lensing_outputs(p, way), budgets[] = {1, 2, 0};
    armilla_points_description d = {.size = sizeof d};
    double *made[3];
    taken t[3];
    check_ok(armilla_lensing_describe(p->gpu, 1, &d));
    for (int i = 0; i < 3; i++) {
        armilla_points_options options = gpu_options(&p->s);
        armilla_lensing *plan;
        options.device_bytes = i == 1 ? 2 * d.device_workspace_bytes : budgets[i];
        made[i] = checked_malloc(nout, 8);
        check_ok(armilla_lensing_new(p->s.grid, &p->s.deflection, p->s.c.lmax, p->s.c.mmax,
                                     &options, &plan));
        t[i] = run_many(plan, p, way, on_device, made[i]);
        if (i == 1 && on_device) assert_true(t[i].bytes <= options.device_bytes);
        assert_memory_equal(made[i], made[0], 8 * (size_t)nout);
        armilla_lensing_free(plan);
    }
    cuda_emulation_launches();
    check_ok(run(p->gpu, way, lensing_input(p, way), made[0], NULL));
    assert_true(t[2].launches <
                2 * cuda_emulation_launches()); /* one by one: NTRANS times as many */
    assert_true(t[2].launches < t[0].launches && t[1].launches <= t[0].launches);
    assert_true(t[2].bytes > t[0].bytes);
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("way %d: %d launches one by one, %d with room for some, %d together\n", way,
                      (int)t[0].launches, (int)t[1].launches, (int)t[2].launches);
    for (int i = 0; i < 3; i++) free(made[i]);
}

static void transforms_go_together(void **state)
{
    (void)state;
    const int kinds[] = {0, 1, 4}; /* RING, NESTED, gaps */
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 2; c++) { /* spins 0 and 2 */
            pair p = pair_open(kinds[k], &cases[c], 0.3);
            for (int way = 0; way < 2; way++) check_together(&p, way, (k + c) % 2);
            pair_close(&p);
        }
}

static int stop_at_once(void *data, double fraction)
{
    (void)fraction;
    ++*(int *)data;
    return 1;
}

static void progress_can_cancel(void **state)
{
    (void)state;
    pair p = pair_open(0, &cases[1], 0.3);
    armilla_progress_set_interval(0);
    for (int way = 0; way < 2; way++) {
        armilla_exec exec;
        int calls = 0;
        armilla_exec_init(&exec);
        exec.progress = stop_at_once, exec.progress_data = &calls;
        check_error(run(p.gpu, way, lensing_input(&p, way), p.made, &exec), ARMILLA_ERROR_CANCELLED,
                    "");
        assert_true(calls > 0);
    }
    pair_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_what_the_plan_tells),
        cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(failing_calls),
        cmocka_unit_test(plans_that_are_refused),
        cmocka_unit_test(deflections_that_are_not_finite_are_named),
        cmocka_unit_test(calls_that_are_refused),
        cmocka_unit_test(graphs_of_calls),
        cmocka_unit_test(transforms_go_together),
        cmocka_unit_test(progress_can_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

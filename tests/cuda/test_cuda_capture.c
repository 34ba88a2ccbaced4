/* Transforms in CUDA graphs: a call with arrays of the device puts the same work on a stream that
 * is captured, and each launch of the graph gives the bits of a call; what would have to wait is
 * refused before anything is captured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

enum { LMAX = 10, NSIDE = 4 };

/* Plans, a stream to capture, and arrays of the device with room for either side. */
typedef struct {
    pair_of_plans p;
    cudaStream_t stream;
    double *in, *out;
    armilla_exec exec;
} capture_scene;

static void scene_open(capture_scene *s, armilla_grid *grid, const armilla_sht_options *options)
{
    plans_open(&s->p, grid, LMAX, LMAX, 2, options);
    const int64_t most = s->p.nalm > s->p.nmap ? s->p.nalm : s->p.nmap;
    s->in = to_device(s->p.wanted, 8 * most), s->out = to_device(s->p.wanted, 8 * most);
    assert_int_equal(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking), cudaSuccess);
    s->exec = exec_of(&s->p);
    s->exec.stream = s->stream;
}

static void scene_close(capture_scene *s)
{
    cudaStreamDestroy(s->stream);
    cudaFree(s->in);
    cudaFree(s->out);
    plans_close(&s->p);
}

static void begin(const capture_scene *s)
{
    assert_int_equal(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeGlobal), cudaSuccess);
}

static cudaGraphExec_t end(const capture_scene *s)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    assert_int_equal(cudaStreamEndCapture(s->stream, &graph), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    return executable;
}

/* The bits of a plain call on the host's arrays, by a graph, twice, with other numbers in between.
 */
static void check_operator(capture_scene *s, int operation)
{
    pair_of_plans *p = &s->p;
    const size_t in_bytes = 8 * (size_t)count_in(p, operation);
    const size_t out_bytes = 8 * (size_t)count_out(p, operation);
    armilla_exec plain = exec_of(p);
    check_ok(operate(operation, p->gpu, input(p, operation), p->wanted, &plain));
    cuda_emulation_launches();
    begin(s);
    check_ok(operate(operation, p->gpu, s->in, s->out, &s->exec));
    const cudaGraphExec_t executable = end(s);
    assert_int_equal(cuda_emulation_launches(), 0); /* nothing has run */
    for (int round = 0; round < 3; round++) {
        assert_int_equal(cudaMemset(s->out, 0, out_bytes), cudaSuccess);
        if (round == 1)
            assert_int_equal(cudaMemset(s->in, 0, in_bytes), cudaSuccess);
        else
            assert_int_equal(
                cudaMemcpy(s->in, input(p, operation), in_bytes, cudaMemcpyHostToDevice), 0);
        assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
        assert_int_equal(cudaGraphLaunch(executable, s->stream), cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(s->stream), cudaSuccess);
        from_device(p->made, s->out, (int64_t)out_bytes);
        if (round == 1)
            for (int64_t i = 0; i < count_out(p, operation); i++) assert_true(p->made[i] == 0);
        else
            assert_memory_equal(p->made, p->wanted, out_bytes);
    }
    assert_int_equal(cudaGraphExecDestroy(executable), cudaSuccess);
}

/* Takes the grid. */
static void check_grid(armilla_grid *grid, const armilla_sht_options *options)
{
    const int64_t before = cuda_emulation_live_bytes();
    capture_scene s;
    scene_open(&s, grid, options);
    for (int operation = 0; operation < OPERATORS; operation++) check_operator(&s, operation);
    scene_close(&s);
    assert_int_equal(cuda_emulation_live_bytes(), before);
}

static void graphs_give_the_bits_of_calls(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    check_grid(healpix_grid(NSIDE), &options);
    options.device_bytes = 1; /* many passes and batches */
    check_grid(healpix_grid(NSIDE), &options);
    options = on_gpu(), options.spin = 2;
    check_grid(exact_grid(ARMILLA_GRID_MW, LMAX, LMAX, 0, 0), &options);
}

static int never(void *data, double fraction)
{
    (void)data, (void)fraction;
    return 0;
}

/* A refused call leaves the capture as it was: what is captured afterwards is all of the graph. */
static void check_refused(capture_scene *s, const double *in, double *out, const char *reason)
{
    begin(s);
    check_error(armilla_sht_synthesis(s->p.gpu, in, out, &s->exec), ARMILLA_ERROR_UNSUPPORTED,
                reason);
    assert_int_equal(cudaMemsetAsync(s->out, 0, 8, s->stream), cudaSuccess);
    const cudaGraphExec_t executable = end(s);
    cuda_emulation_launches();
    assert_int_equal(cudaGraphLaunch(executable, s->stream), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(s->stream), cudaSuccess);
    assert_int_equal(cuda_emulation_launches(), 0);
    assert_int_equal(cudaGraphExecDestroy(executable), cudaSuccess);
}

static void what_waits_is_refused(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    capture_scene s;
    scene_open(&s, healpix_grid(NSIDE), &options);
    check_refused(&s, s.p.alm, s.out, "alm: host arrays cannot be captured");
    check_refused(&s, s.in, s.p.made, "map: host arrays cannot be captured");
    s.exec.progress = never;
    check_refused(&s, s.in, s.out, "exec->progress");
    s.exec.progress = NULL;
    begin(&s);
    assert_int_equal(cudaStreamSynchronize(s.stream), cudaErrorStreamCaptureUnsupported);
    check_error(armilla_sht_synthesis(s.p.gpu, s.in, s.out, &s.exec), ARMILLA_ERROR_UNSUPPORTED,
                "its capture is broken");
    cudaGraph_t graph;
    assert_int_equal(cudaStreamEndCapture(s.stream, &graph), cudaErrorStreamCaptureInvalidated);
    scene_close(&s);
    cuda_emulation_set_pools(0);
    scene_open(&s, healpix_grid(NSIDE), &options);
    check_refused(&s, s.in, s.out, "without memory pools");
    scene_close(&s);
    cuda_emulation_set_pools(1);
}

/* A call on another stream does not disturb a capture in the sense of CUDA: no call of it is one of
 * those that no capture allows anywhere. */
static void calls_beside_a_capture(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    capture_scene s;
    cudaStream_t other;
    scene_open(&s, healpix_grid(NSIDE), &options);
    assert_int_equal(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    armilla_exec exec = exec_of(&s.p);
    check_ok(armilla_sht_synthesis(s.p.gpu, s.p.alm, s.p.wanted, &exec));
    exec.stream = other;
    begin(&s);
    check_ok(armilla_sht_synthesis(s.p.gpu, s.p.alm, s.p.made, &exec));
    assert_memory_equal(s.p.made, s.p.wanted, 8 * (size_t)s.p.nmap);
    cudaGraphExecDestroy(end(&s));
    cudaStreamDestroy(other);
    scene_close(&s);
}

/* Nobody waits for memory: the call is an error, the capture goes on, and with memory so does the
 * plan. */
static void short_memory_leaves_the_capture(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    capture_scene s;
    scene_open(&s, healpix_grid(NSIDE), &options);
    armilla_exec exec = exec_of(&s.p);
    check_ok(armilla_sht_synthesis(s.p.gpu, s.p.alm, s.p.wanted, &exec)); /* the pool has some */
    cuda_emulation_set_device(0, cuda_emulation_live_bytes() + cuda_emulation_pool_bytes(), 90);
    begin(&s);
    check_error(armilla_sht_synthesis(s.p.gpu, s.in, s.out, &s.exec), ARMILLA_ERROR_MEMORY,
                "of device memory are not to be had; set options->device_bytes");
    assert_int_equal(cudaMemsetAsync(s.out, 0, 8, s.stream), cudaSuccess);
    cudaGraphExecDestroy(end(&s));
    cuda_emulation_set_device(0, (int64_t)1 << 30, 90);
    check_ok(armilla_sht_synthesis(s.p.gpu, s.p.alm, s.p.made, &exec));
    assert_memory_equal(s.p.made, s.p.wanted, 8 * (size_t)s.p.nmap);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_give_the_bits_of_calls),
        cmocka_unit_test(what_waits_is_refused),
        cmocka_unit_test(calls_beside_a_capture),
        cmocka_unit_test(short_memory_leaves_the_capture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

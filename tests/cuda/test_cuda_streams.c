/* Checks calls whose Legendre stage runs beside the ring stage of a neighbouring batch, on two
 * streams: bits of one stream, whichever stream is late; that each wait between the streams is
 * missed where it is left out; what fails; and which calls take two streams. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/runtime/copies.h"
#include "cuda/test_cuda_scene.h"
#include "emulation.h"

#include <sys/wait.h>
#include <unistd.h>

/* How streams run: at once; each as late as it can; the others first; in turns. */
enum { AT_ONCE, LATE, OTHERS_FIRST, IN_TURNS, SEQUENCES };

/* --- Two plans -------------------------------------------------------------------------------- */

typedef struct {
    armilla_sht *of[2];         /* on one stream, on two */
    int64_t ntrans, nalm, nmap; /* doubles or floats of all transforms */
    int is_float;
    void *in, *wanted, *made; /* on the host */
    cudaStream_t stream;
} scene;

static armilla_sht_options plain(void)
{
    armilla_sht_options options = on_gpu();
    options.device_precision = ARMILLA_DEVICE_PRECISION_DOUBLE;
    return options;
}

static int64_t size_of(const scene *s)
{
    return s->is_float ? sizeof(float) : sizeof(double);
}

static int64_t most_of(const scene *s)
{
    return s->nalm > s->nmap ? s->nalm : s->nmap;
}

static int64_t out_bytes(const scene *s, int operation)
{
    return size_of(s) * (gives_map(operation) ? s->nmap : s->nalm);
}

/* Takes the grid. */
static void scene_open(scene *s, armilla_grid *grid, int64_t lmax, int64_t ntrans,
                       const armilla_sht_options *options, int is_float)
{
    armilla_sht_options o = *options;
    for (int i = 0; i < 2; i++) {
        o.device_streams = i + 1;
        check_ok(armilla_sht_new(grid, lmax, lmax, &o, &s->of[i]));
    }
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_sht_describe(s->of[0], 1, &d));
    s->ntrans = ntrans, s->is_float = is_float;
    s->nalm = 2 * d.alm_size * d.alm_ncomp * ntrans, s->nmap = d.npix * d.ncomp * ntrans;
    double *numbers = checked_malloc(most_of(s), sizeof *numbers);
    random_fill(3, most_of(s), numbers);
    s->in = checked_malloc(most_of(s), sizeof(double));
    s->wanted = checked_malloc(most_of(s), sizeof(double));
    s->made = checked_malloc(most_of(s), sizeof(double));
    if (is_float)
        to_float(most_of(s), numbers, s->in);
    else
        memcpy(s->in, numbers, 8 * (size_t)most_of(s));
    free(numbers);
    armilla_grid_free(grid);
    assert_int_equal(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking), cudaSuccess);
}

static void scene_close(scene *s)
{
    for (int i = 0; i < 2; i++) armilla_sht_free(s->of[i]);
    free(s->in), free(s->wanted), free(s->made);
    cudaStreamDestroy(s->stream);
}

static armilla_status operate_any(const scene *s, int operation, int streams, const void *in,
                                  void *out, const armilla_exec *exec)
{
    return s->is_float ? operate_float(operation, s->of[streams - 1], in, out, exec)
                       : operate(operation, s->of[streams - 1], in, out, exec);
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* Into `to`, whose numbers are the same before each call; the stream is all that is waited for. */
static armilla_status run(const scene *s, int operation, int streams, int on_device, void *to)
{
    const int64_t most = size_of(s) * most_of(s);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = s->ntrans, exec.stream = s->stream;
    memset(to, 0, (size_t)most);
    if (!on_device) return operate_any(s, operation, streams, s->in, to, &exec);
    void *in = to_device(s->in, most), *out = to_device(to, most);
    const armilla_status status = operate_any(s, operation, streams, in, out, &exec);
    if (!status) assert_int_equal(cudaStreamSynchronize(s->stream), cudaSuccess);
    from_device(to, out, most);
    cudaFree(out), cudaFree(in);
    return status;
}

/* By how many events were waited for in a call of two streams, it has them. */
static int64_t count_waits(const scene *s, int operation, int on_device)
{
    cuda_emulation_leave_out_wait_after(-1);
    check_ok(run(s, operation, 2, on_device, s->made));
    return cuda_emulation_leave_out_wait_after(-1);
}

static int is_right(const scene *s, int operation)
{
    return !memcmp(s->wanted, s->made, (size_t)out_bytes(s, operation));
}

/* --- Bits ------------------------------------------------------------------------------------- */

/* operators: 2, or 4 where those with weights have stages of their own. Takes the grid. */
static void check_bits(int operators, armilla_grid *grid, int64_t lmax, int64_t ntrans,
                       const armilla_sht_options *options, int is_float, const char *what)
{
    scene s;
    scene_open(&s, grid, lmax, ntrans, options, is_float);
    for (int operation = 0; operation < operators; operation++)
        for (int on_device = 0; on_device < 2; on_device++) {
            check_ok(run(&s, operation, 1, on_device, s.wanted));
            if (on_device) assert_true(count_waits(&s, operation, 1) >= 4);
            for (int sequence = LATE; sequence < SEQUENCES; sequence++) {
                cuda_emulation_set_deferred(sequence);
                check_ok(run(&s, operation, 2, on_device, s.made));
                cuda_emulation_set_deferred(AT_ONCE);
                if (!is_right(&s, operation))
                    fail_msg("%s, operator %d, %s arrays, sequence %d", what, operation,
                             on_device ? "device" : "host", sequence);
            }
        }
    scene_close(&s);
}

static armilla_grid *gauss(int64_t nrings)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, 2 * nrings, &grid));
    return grid;
}

static void bits_are_those_of_one_stream(void **state)
{
    (void)state;
    armilla_cuda_copier_set_sizes(1000, 1);
    armilla_sht_options options = plain();
    check_bits(2, healpix_grid(4), 9, 13, &options, 0, "HEALPix");
    check_bits(2, healpix_grid(4), 9, 13, &options, 1, "floats in doubles");
    options.device_bytes = 60000;
    check_bits(2, healpix_grid(8), 12, 9, &options, 0, "short memory");
    options.device_bytes = 0, options.device_precision = ARMILLA_DEVICE_PRECISION_SINGLE;
    check_bits(2, healpix_grid(4), 9, 13, &options, 1, "floats");
    check_bits(2, exact_grid(ARMILLA_GRID_MW, 9, 9, 0, 0), 9, 11, &options, 1, "floats on MW");
    options.device_precision = ARMILLA_DEVICE_PRECISION_TWO_FLOATS;
    check_bits(2, gauss(12), 9, 9, &options, 0, "two floats");
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        options = plain(), options.spin = spin;
        check_bits(2, gauss(12), 10, 23, &options, 0, "Gauss-Legendre");
        check_bits(4, exact_grid(ARMILLA_GRID_MW, 9, 9, 0, 0), 9, 11, &options, 0, "MW");
        options.device_precision = ARMILLA_DEVICE_PRECISION_HALVES;
        check_bits(2, gauss(8), 7, 40, &options, 1, "halves");
    }
    armilla_cuda_copier_set_sizes(0, 0);
}

/* --- Waits ------------------------------------------------------------------------------------ */

/* Is the call wrong without the wait, in one of the sequences? In a child, since a kernel may come
 * before its memory is there, which ends the process. */
static int is_missed(const scene *s, int operation, int on_device, int64_t wait)
{
    for (int sequence = LATE; sequence <= OTHERS_FIRST; sequence++) {
        int status;
        const pid_t child = fork();
        assert_true(child >= 0);
        if (!child) {
            if (freopen("/dev/null", "w", stderr) == NULL) _exit(2);
            cuda_emulation_set_deferred(sequence);
            cuda_emulation_leave_out_wait_after(wait);
            const int failed = run(s, operation, 2, on_device, s->made) != ARMILLA_OK;
            _exit(failed ? 2 : is_right(s, operation) ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 2);
        if (WEXITSTATUS(status)) return 1;
    }
    return 0;
}

/* 'x' for each wait that is missed, '.' for those that others imply:
 *
 *     device arrays, to maps: the first one, for all that the caller's stream has been given, is
 *     implied by the first leg's; then a leg full, a leg full; from the third batch on a leg empty
 *     and a leg full; at the end the caller's stream waits. Back the last leg full implies the end.
 *     host arrays: copies wait twice for the call's memory, and then for what has been computed,
 *     before the next input is put where the last one was (implied by the next wait, that of the
 *     output) and before the output is copied; kernels wait for what has arrived (which implies
 *     that the leg is empty) and for a full leg. At the end each of the caller's stream's two waits
 *     implies the other. */
static void each_wait_is_missed(void **state)
{
    (void)state;
    static const char *const wanted[2][2] = {{"...xx.xxx.x.xx.x.", ".xxxxx"},
                                             {"...xx.xxx.x.xx.x.", "xxxxx."}};
    scene s;
    const armilla_sht_options options = plain();
    armilla_cuda_copier_set_sizes(1000, 1);
    scene_open(&s, healpix_grid(4), 9, 11, &options, 0);
    for (int operation = 0; operation < 2; operation++)
        for (int on_device = 0; on_device < 2; on_device++) {
            char found[60] = "";
            const int64_t waits = count_waits(&s, operation, on_device);
            assert_true(waits < (int64_t)sizeof found);
            check_ok(run(&s, operation, 1, on_device, s.wanted));
            for (int64_t wait = 0; wait < waits; wait++)
                found[wait] = is_missed(&s, operation, on_device, wait) ? 'x' : '.';
            assert_string_equal(found, wanted[operation][on_device]);
        }
    scene_close(&s);
    armilla_cuda_copier_set_sizes(0, 0);
}

/* Calls on two streams of the caller share the plan's own one. */
static void calls_on_several_streams_do_not_meet(void **state)
{
    (void)state;
    scene s, other;
    const armilla_sht_options options = plain();
    scene_open(&s, healpix_grid(4), 9, 13, &options, 0);
    other = s;
    other.made = checked_malloc(most_of(&s), sizeof(double));
    assert_int_equal(cudaStreamCreateWithFlags(&other.stream, cudaStreamNonBlocking), cudaSuccess);
    for (int operation = 0; operation < OPERATORS; operation++)
        for (int sequence = LATE; sequence < SEQUENCES; sequence++) {
            const int64_t most = 8 * most_of(&s);
            void *in = to_device(s.in, most), *out[2];
            armilla_exec exec;
            armilla_exec_init(&exec);
            exec.ntrans = s.ntrans;
            check_ok(run(&s, operation, 1, 1, s.wanted));
            for (int i = 0; i < 2; i++) out[i] = to_device(s.in, most);
            cuda_emulation_set_deferred(sequence);
            for (int i = 0; i < 2; i++) {
                exec.stream = (i ? &other : &s)->stream;
                check_ok(operate(operation, s.of[1], in, out[i], &exec));
            }
            for (int i = 1; i >= 0; i--) {
                const scene *of = i ? &other : &s;
                assert_int_equal(cudaStreamSynchronize(of->stream), cudaSuccess);
                from_device(of->made, out[i], most);
                assert_true(is_right(of, operation));
            }
            cuda_emulation_set_deferred(AT_ONCE);
            cudaFree(in), cudaFree(out[0]), cudaFree(out[1]);
        }
    free(other.made);
    cudaStreamDestroy(other.stream);
    scene_close(&s);
}

/* --- Beside each other ------------------------------------------------------------------------ */

static char stages[60]; /* as they run: L is the Legendre stage, r the ring stage */

static double note_stage(const char *from)
{
    const size_t count = strlen(stages);
    if (count + 1 < sizeof stages && strstr(from, "kernel_shape")) stages[count] = 'L';
    if (count + 1 < sizeof stages && strstr(from, "_smooth")) stages[count] = 'r';
    return 0;
}

/* The stage that fills legs is up to two of them ahead, and not more. */
static void stages_are_beside_each_other(void **state)
{
    (void)state;
    static const char *const wanted[2][2] = {{"LLrLrLrr", "LrLrLrLr"}, {"rLrLrLrL", "rrLrLrLL"}};
    const armilla_sht_options options = plain();
    scene s;
    scene_open(&s, gauss(8), 7, 16, &options, 0);
    for (int operation = 0; operation < 2; operation++)
        for (int sequence = LATE; sequence <= OTHERS_FIRST; sequence++) {
            memset(stages, 0, sizeof stages);
            cuda_emulation_set_cost(note_stage);
            cuda_emulation_set_deferred(sequence);
            check_ok(run(&s, operation, 2, 1, s.made));
            cuda_emulation_set_deferred(AT_ONCE);
            cuda_emulation_set_cost(NULL);
            assert_string_equal(stages, wanted[operation][sequence - LATE]);
        }
    scene_close(&s);
}

/* --- Failures --------------------------------------------------------------------------------- */

/* Each call of CUDA fails once, the plan's stream and its events among them; the next call of the
 * plan is right, and nothing is left. */
static void failures_are_those_of_the_call(void **state)
{
    (void)state;
    const armilla_sht_options options = plain();
    armilla_cuda_copier_set_sizes(1000, 1);
    for (int operation = 0; operation < 2; operation++)
        for (int on_device = 0; on_device < 2; on_device++) {
            scene s;
            const int64_t before = cuda_emulation_live_bytes();
            scene_open(&s, healpix_grid(2), 4, 9, &options, 0);
            check_ok(run(&s, operation, 1, on_device, s.wanted));
            cuda_emulation_set_deferred(LATE);
            int ends = 0;
            for (int64_t i = 0; !ends; i++) {
                void *in = to_device(s.in, 8 * most_of(&s)),
                     *out = to_device(s.in, 8 * most_of(&s));
                armilla_exec exec;
                armilla_exec_init(&exec);
                exec.ntrans = s.ntrans, exec.stream = s.stream;
                cuda_emulation_fail_call_after(i);
                const armilla_status status = operate(operation, s.of[1], on_device ? in : s.in,
                                                      on_device ? out : s.made, &exec);
                ends = cuda_emulation_fail_call_after(-1) <= i;
                assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
                assert_int_equal(cudaPeekAtLastError(), cudaSuccess);
                if (on_device) from_device(s.made, out, 8 * most_of(&s));
                if (ends) check_ok(status);
                if (!status) assert_true(is_right(&s, operation));
                cudaFree(in), cudaFree(out);
                check_ok(run(&s, operation, 2, on_device, s.made));
                assert_true(is_right(&s, operation));
            }
            cuda_emulation_set_deferred(AT_ONCE);
            scene_close(&s);
            assert_int_equal(cuda_emulation_live_bytes(), before);
        }
    armilla_cuda_copier_set_sizes(0, 0);
}

/* The error of a kernel on either stream is the call's, which names the kernel and ends with the
 * batch. */
static void kernels_fail_on_both_streams(void **state)
{
    (void)state;
    const char *const kernels[] = {"legendre_synthesis", "write_smooth"};
    const armilla_sht_options options = plain();
    scene s;
    scene_open(&s, healpix_grid(4), 9, 13, &options, 0);
    cuda_emulation_launches();
    check_ok(run(&s, 0, 1, 1, s.wanted));
    const int64_t whole = cuda_emulation_launches();
    for (int i = 0; i < 2; i++) {
        char plant[60];
        snprintf(plant, sizeof plant, "fail:%s", kernels[i]);
        cuda_emulation_plant(plant);
        check_error(run(&s, 0, 2, 1, s.made), ARMILLA_ERROR_UNSUPPORTED, kernels[i]);
        assert_true(cuda_emulation_launches() < whole);
        cuda_emulation_plant(NULL);
        check_ok(run(&s, 0, 2, 1, s.made));
        assert_true(is_right(&s, 0) && cuda_emulation_launches() > 2 * whole);
    }
    scene_close(&s);
}

/* --- Who has two streams ---------------------------------------------------------------------- */

static int listen(void *data, double fraction)
{
    (void)data, (void)fraction;
    return 0;
}

/* A stream that is captured, a call that tells of its progress and copies of few bytes go without,
 * with the same bits. */
static void some_calls_have_one_stream(void **state)
{
    (void)state;
    const armilla_sht_options options = plain();
    scene s;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    armilla_exec exec;
    scene_open(&s, healpix_grid(4), 9, 13, &options, 0);
    const int64_t most = 8 * most_of(&s);
    void *in = to_device(s.in, most), *out = to_device(s.in, most);
    armilla_exec_init(&exec);
    exec.ntrans = s.ntrans, exec.stream = s.stream;
    check_ok(run(&s, 0, 1, 1, s.wanted));
    cuda_emulation_leave_out_wait_after(-1);
    assert_int_equal(cudaStreamBeginCapture(s.stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    check_ok(operate(0, s.of[1], in, out, &exec));
    assert_int_equal(cudaStreamEndCapture(s.stream, &graph), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(executable, s.stream), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(s.stream), cudaSuccess);
    from_device(s.made, out, most);
    assert_true(is_right(&s, 0));
    cudaGraphExecDestroy(executable), cudaGraphDestroy(graph);
    exec.progress = listen;
    check_ok(operate(0, s.of[1], s.in, s.made, &exec));
    assert_true(is_right(&s, 0));
    exec.progress = NULL;
    check_ok(operate(0, s.of[1], s.in, s.made, &exec)); /* few bytes to copy */
    assert_true(is_right(&s, 0));
    assert_int_equal(cuda_emulation_leave_out_wait_after(-1), 0);
    cudaFree(in), cudaFree(out);
    scene_close(&s);
}

typedef struct {
    int64_t ntrans, device_bytes;
    int wanted; /* of the option */
    int64_t streams, batch;
} choice;

/* Legs of 1 MB a transform: batches have 64 MB, an eighth of the transforms and whole groups of
 * four, if two legs have room. */
static void batches_are_large_and_whole(void **state)
{
    (void)state;
    const int64_t whole = (int64_t)1 << 30, mb = 1 << 20;
    const choice choices[] = {
        {1, whole, 0, 1, 1},        {100, whole, 0, 1, 100},      {200, whole, 0, 2, 52},
        {200, whole, 1, 1, 200},    {2000, 8 * whole, 0, 2, 252}, {2000, 400 * mb, 0, 2, 96},
        {2000, 150 * mb, 0, 1, 72}, {2000, 40 * mb, 2, 2, 8},     {2000, 12 * mb, 0, 1, 4},
        {6, whole, 2, 2, 3},        {1, whole, 2, 1, 1},          {40, whole, 2, 2, 8}};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const choice *c = &choices[i];
        armilla_sht_options options = plain();
        armilla_sht_description d = {.size = sizeof d};
        armilla_grid *grid = gauss(256);
        armilla_sht *sht;
        options.device_bytes = c->device_bytes, options.device_streams = c->wanted;
        check_ok(armilla_sht_new(grid, 255, 255, &options, &sht));
        check_ok(armilla_sht_describe_many(sht, 1, c->ntrans, &d));
        if (d.device_streams != c->streams || d.device_batch != c->batch)
            fail_msg("%d of the list: batches of %d on %d streams", (int)i, (int)d.device_batch,
                     (int)d.device_streams);
        armilla_sht_free(sht);
        armilla_grid_free(grid);
    }
}

/* Forty transforms: batches of 16, 16 and 8, which wait for six events, or five batches of 8. */
static void halves_go_by_sixteen(void **state)
{
    (void)state;
    for (int is_float = 0; is_float < 2; is_float++) {
        armilla_sht_options options = plain();
        scene s;
        options.device_precision = ARMILLA_DEVICE_PRECISION_HALVES;
        scene_open(&s, gauss(8), 7, 40, &options, is_float);
        assert_int_equal(count_waits(&s, 0, 1), is_float ? 6 : 10);
        scene_close(&s);
    }
}

static void others_are_refused(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    armilla_grid *grid = gauss(4);
    armilla_sht *sht;
    options.device_streams = 3;
    check_error(armilla_sht_new(grid, 3, 3, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->device_streams = 3");
    options.device_streams = -1;
    check_error(armilla_sht_new(grid, 3, 3, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->device_streams = -1");
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_one_stream),
        cmocka_unit_test(each_wait_is_missed),
        cmocka_unit_test(calls_on_several_streams_do_not_meet),
        cmocka_unit_test(stages_are_beside_each_other),
        cmocka_unit_test(failures_are_those_of_the_call),
        cmocka_unit_test(kernels_fail_on_both_streams),
        cmocka_unit_test(some_calls_have_one_stream),
        cmocka_unit_test(batches_are_large_and_whole),
        cmocka_unit_test(halves_go_by_sixteen),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Compares transforms on a GPU with the processor's, in every way that they are called: every
 * operator, and once more for the same bits; from threads of the host that call one plan, each on a
 * stream of its own; captured into a graph. Results begin as not-a-number. */
#include "check.h"
#include "problem.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* --- Against the processor -------------------------------------------------------------------- */

/* NaN where one of them is. */
static double relative_rms(int64_t count, const double *a, const double *b)
{
    double difference = 0, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        sum += a[i] * a[i];
    }
    return sqrt(difference / sum);
}

/* What differs first by more than the bound allows any value to. */
static int64_t first_wrong(int64_t count, const double *wanted, const double *got, double bound)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(wanted[i]));
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(wanted[i] - got[i]) <= 30 * bound * largest)) return i;
    return -1;
}

static void report_case(const gpu_problem *p, const gpu_operation *o, double *results[3])
{
    const int64_t count = gpu_problem_made(p, o);
    const double unit = p->what.single ? 1e-6 : p->what.two_floats ? 2e-12 : 3e-13;
    const double bound = unit * (1 + (double)p->what.lmax / 1000);
    const double error = relative_rms(count, results[0], results[1]);
    const int same = memcmp(results[1], results[2], (size_t)count * sizeof(double)) == 0;
    char key[GPU_KEY], members[GPU_MEMBERS], number[40] = "null";
    gpu_problem_key(p, o->name, key);
    gpu_problem_members(p, o->name, members);
    if (isfinite(error)) snprintf(number, sizeof number, "%.3e", error);
    gpu_report_row("\"key\": \"%s, error\", \"value\": %s, \"unit\": \"\", \"bound\": %.3e, "
                   "\"same_bits\": %s, %s",
                   key, number, bound, same ? "true" : "false", members);
    gpu_report_line(' ', "%s: error %.2e, bound %.2e, %s", key, error, bound,
                    same ? "the same bits twice" : "OTHER BITS");
    if (!same) gpu_report_wrong("%s: other bits the second time", key);
    if (error <= bound) return; /* not so for NaN */
    const int64_t at = first_wrong(count, results[0], results[1], bound);
    gpu_report_wrong("%s: error %.2e, bound %.1e; first wrong: number %lld of %lld, got %.17g, "
                     "wanted %.17g",
                     key, error, bound, (long long)at, (long long)count,
                     at < 0 ? 0 : results[1][at], at < 0 ? 0 : results[0][at]);
}

static void check_operation(const gpu_problem *p, const gpu_operation *o)
{
    const int64_t count = gpu_problem_made(p, o), given = gpu_problem_given(p, o);
    double *from = o->to_map ? p->alm : p->map;
    double *results[3];
    for (int i = 0; i < 3; i++) { /* processor, in double; GPU, GPU again */
        const int single = i > 0 && p->what.single;
        results[i] = gpu_host_array(count);
        memset(results[i], 0xff, (size_t)count * sizeof(double));
        if (single) gpu_narrow(given, from);
        gpu_problem_run(p, o, i > 0, single, from, results[i], NULL);
        if (single) gpu_widen(given, from), gpu_widen(count, results[i]);
    }
    report_case(p, o, results);
    for (int i = 0; i < 3; i++) free(results[i]);
}

static void check_cases(gpu_cases list)
{
    for (int i = 0; i < list.count; i++) {
        gpu_problem p;
        if (!gpu_case_suits(&list.cases[i])) continue;
        gpu_problem_open(&list.cases[i], 1, &p);
        for (int o = 0; o < GPU_OPERATIONS; o++) check_operation(&p, &gpu_operations[o]);
        gpu_problem_close(&p);
    }
    if (!gpu_report_outcome())
        gpu_report_line('=', "%d transforms, 4 operators each: as the processor's, the same bits",
                        list.count);
}

void gpu_step_cases(int small)
{
    check_cases(GPU_CHOOSE(small, gpu_tiny_cases, gpu_right_cases));
}

void gpu_step_cases_large(int small)
{
    check_cases(GPU_CHOOSE(small, gpu_tiny_large_cases, gpu_large_cases));
}

/* --- Where the processor would take too long -------------------------------------------------- */

/* Re sum over m >= 0 of a conj(b), twice for m > 0. */
static double dot_alm(const gpu_problem *p, const double *a, const double *b)
{
    const int64_t one = 2 * p->description.alm_size, zonal = 2 * (p->what.lmax + 1);
    double sum = 0;
    for (int64_t i = 0; i < p->alm_count; i++) sum += (i % one < zonal ? 1 : 2) * a[i] * b[i];
    return sum;
}

static double dot(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* <Y a, m> = <a, Y^T m>, relative to the lengths of Y a and m. */
void gpu_check_adjointness(const gpu_problem *p)
{
    const gpu_operation *synthesis = &gpu_operations[0], *adjoint = &gpu_operations[1];
    double *map = gpu_host_array(p->map_count), *alm = gpu_host_array(p->alm_count);
    char key[GPU_KEY];
    gpu_problem_run(p, synthesis, 1, 0, p->alm, map, NULL);
    gpu_problem_run(p, adjoint, 1, 0, p->map, alm, NULL);
    const double left = dot(p->map_count, map, p->map), right = dot_alm(p, p->alm, alm);
    const double size = sqrt(dot(p->map_count, map, map) * dot(p->map_count, p->map, p->map));
    const double error = fabs(left - right) / size, bound = 1e-13;
    gpu_problem_key(p, "adjointness", key);
    const gpu_figure figure = {key, "", error, 1, NULL};
    gpu_report_figure(&figure);
    if (!(error <= bound)) gpu_report_wrong("%s: %.2e, bound %.1e", key, error, bound);
    free(map);
    free(alm);
}

/* --- For compute-sanitizer -------------------------------------------------------------------- */

/* What is left of the device's memory is a leak for compute-sanitizer. */
static void sanitize(gpu_cases list)
{
    check_cases(list);
    cudaDeviceReset();
}

void gpu_step_sanitize_scalar(int small)
{
    (void)small;
    sanitize((gpu_cases){gpu_scalar_sanitized, GPU_COUNT(gpu_scalar_sanitized)});
}

void gpu_step_sanitize_spin(int small)
{
    (void)small;
    sanitize((gpu_cases){gpu_spin_sanitized, GPU_COUNT(gpu_spin_sanitized)});
}

enum { THREADS = 6, ROUNDS = 4 };

/* --- Threads, whose bits must be those of plain calls ------------------------------------------
 */

typedef struct caller {
    pthread_t thread;
    const gpu_problem *p;
    const double *alm, *map; /* on the device; all threads read the same */
    const double *wanted[2]; /* on the host: a map, coefficients */
    int number, wrong;
} caller;

/* Results into memory full of NaN, on the thread's own stream, which it alone waits for. */
static int call_once(const caller *c, const gpu_operation *o, cudaStream_t stream)
{
    const int64_t count = gpu_problem_made(c->p, o);
    const double *wanted = c->wanted[o->to_map ? 0 : 1];
    double *made = gpu_host_array(count), *device = gpu_device_array(count, NULL);
    gpu_stop_at_cuda(cudaDeviceSynchronize(), "filling memory");
    gpu_problem_run(c->p, o, 1, 0, o->to_map ? c->alm : c->map, device, stream);
    gpu_stop_at_cuda(cudaStreamSynchronize(stream), "a stream");
    gpu_stop_at_cuda(cudaMemcpy(made, device, (size_t)count * 8, cudaMemcpyDeviceToHost), "a copy");
    const int same = memcmp(made, wanted, (size_t)count * 8) == 0;
    cudaFree(device);
    free(made);
    return same;
}

static void *run_caller(void *data)
{
    caller *c = data;
    cudaStream_t stream;
    gpu_stop_at_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    for (int i = 0; i < ROUNDS; i++)
        c->wrong += !call_once(c, &gpu_operations[(c->number + i) % 2 ? 2 : 0], stream);
    cudaStreamDestroy(stream);
    return NULL;
}

static double *plain_result(const gpu_problem *p, const gpu_operation *o)
{
    double *result = gpu_host_array(gpu_problem_made(p, o));
    gpu_problem_run(p, o, 1, 0, o->to_map ? p->alm : p->map, result, NULL);
    return result;
}

static void check_threads(const gpu_case *what)
{
    gpu_problem p;
    caller callers[THREADS];
    int wrong = 0;
    char key[GPU_KEY];
    gpu_problem_open(what, 0, &p);
    double *alm = gpu_device_array(p.alm_count, p.alm), *map = gpu_device_array(p.map_count, p.map);
    double *results[2] = {plain_result(&p, &gpu_operations[0]),
                          plain_result(&p, &gpu_operations[2])};
    for (int i = 0; i < THREADS; i++) {
        callers[i] = (caller){
            .p = &p, .alm = alm, .map = map, .number = i, .wanted = {results[0], results[1]}};
        if (pthread_create(&callers[i].thread, NULL, run_caller, &callers[i]))
            gpu_report_stop("no thread");
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(callers[i].thread, NULL);
        wrong += callers[i].wrong;
    }
    gpu_problem_key(&p, "threads and streams", key);
    const gpu_figure figure = {key, "calls with other bits", wrong, 1, NULL};
    gpu_report_figure(&figure);
    if (wrong) gpu_report_wrong("%s: %d of %d calls gave other bits", key, wrong, THREADS * ROUNDS);
    free(results[0]), free(results[1]);
    cudaFree(alm), cudaFree(map);
    gpu_problem_close(&p);
}

void gpu_step_threads(int small)
{
    static const gpu_case tiny[] = {GPU_GL(.lmax = 15), GPU_HEALPIX(8, .lmax = 15, .spin = 2),
                                    GPU_GL(.lmax = 15, .ntrans = 9, .streams = 2)};
    static const gpu_case cases[] = {GPU_GL(.lmax = 511), GPU_HEALPIX(256, .lmax = 511, .spin = 2),
                                     GPU_CC(.lmax = 511),
                                     GPU_GL(.lmax = 255, .ntrans = 24, .streams = 2)};
    const gpu_cases list = GPU_CHOOSE(small, tiny, cases);
    for (int i = 0; i < list.count; i++) check_threads(&list.cases[i]);
}

/* --- Graphs ---------------------------------------------------------------------------------- */

#if !defined(ARMILLA_CUDA_EMULATION) || defined(CUDA_EMULATION_GRAPHS)

/* A transform, captured; NULL, and a row that says so, where CUDA or the library refuses. */
static cudaGraphExec_t capture(const gpu_problem *p, const gpu_operation *o, const double *from,
                               double *to, cudaStream_t stream)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t ready = NULL;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.stream = stream, exec.memory = ARMILLA_MEMORY_DEVICE;
    gpu_stop_at_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "a capture");
    const armilla_status status = o->run(p->sht[1], from, to, &exec);
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
    if (status || ended || !graph) {
        gpu_report_row("\"key\": \"capture, %s\", \"refused\": \"%s, CUDA: %s\"", o->name,
                       status ? "by the library" : "not by the library", cudaGetErrorName(ended));
        gpu_report_line('=', "capture, %s: refused: %s; %s", o->name,
                        status ? armilla_status_message() : "the library did not",
                        cudaGetErrorString(ended));
        cudaGetLastError();
        return NULL;
    }
    gpu_stop_at_cuda(cudaGraphInstantiate(&ready, graph, 0), "a graph");
    cudaGraphDestroy(graph);
    return ready;
}

static float replay_milliseconds(cudaGraphExec_t graph, cudaStream_t stream)
{
    enum { REPLAYS = 10 };
    float milliseconds;
    cudaEvent_t begin, end;
    gpu_stop_at_cuda(cudaEventCreate(&begin), "an event");
    gpu_stop_at_cuda(cudaEventCreate(&end), "an event");
    gpu_stop_at_cuda(cudaEventRecord(begin, stream), "timing");
    for (int i = 0; i < REPLAYS; i++) gpu_stop_at_cuda(cudaGraphLaunch(graph, stream), "a replay");
    gpu_stop_at_cuda(cudaEventRecord(end, stream), "timing");
    gpu_stop_at_cuda(cudaEventSynchronize(end), "replays");
    gpu_stop_at_cuda(cudaEventElapsedTime(&milliseconds, begin, end), "timing");
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return milliseconds / REPLAYS;
}

static void check_capture(const gpu_problem *p, const gpu_operation *o, double *from)
{
    const int64_t count = gpu_problem_made(p, o);
    double *wanted = plain_result(p, o), *made = gpu_host_array(count);
    double *to = gpu_device_array(count, NULL);
    cudaStream_t stream;
    char key[GPU_KEY], figure_key[GPU_KEY + 30];
    gpu_stop_at_cuda(cudaDeviceSynchronize(), "filling memory");
    gpu_stop_at_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
    cudaGraphExec_t graph = capture(p, o, from, to, stream);
    if (graph) {
        const float milliseconds = replay_milliseconds(graph, stream);
        gpu_stop_at_cuda(cudaMemcpy(made, to, (size_t)count * 8, cudaMemcpyDeviceToHost), "a copy");
        gpu_problem_key(p, o->name, key);
        snprintf(figure_key, sizeof figure_key, "%s, replayed graph", key);
        const gpu_figure figure = {figure_key, "ms", milliseconds, 1, NULL};
        gpu_report_figure(&figure);
        if (memcmp(made, wanted, (size_t)count * 8))
            gpu_report_wrong("%s: other bits than the plain call's", figure_key);
        cudaGraphExecDestroy(graph);
    }
    cudaStreamDestroy(stream);
    cudaFree(to);
    free(wanted), free(made);
}

void gpu_step_capture(int small)
{
    static const gpu_case tiny[] = {GPU_GL(.lmax = 15)};
    static const gpu_case cases[] = {GPU_GL(.lmax = 255), GPU_HEALPIX(256, .lmax = 511)};
    const gpu_cases list = GPU_CHOOSE(small, tiny, cases);
    for (int i = 0; i < list.count; i++) {
        gpu_problem p;
        gpu_problem_open(&list.cases[i], 0, &p);
        double *alm = gpu_device_array(p.alm_count, p.alm);
        double *map = gpu_device_array(p.map_count, p.map);
        check_capture(&p, &gpu_operations[0], alm);
        check_capture(&p, &gpu_operations[2], map);
        cudaFree(alm), cudaFree(map);
        gpu_problem_close(&p);
    }
}

#else

void gpu_step_capture(int small)
{
    (void)small;
    gpu_report_row("\"key\": \"capture\", \"absent\": \"the emulation has no graphs\"");
    gpu_report_line('=', "capture: the emulation has no graphs");
}

#endif

/* Times transforms on a GPU, by events at the ends of a stream and between the stages: whole, by
 * stage, in a plan, with arrays of the host, and on the processor in the same run. */
#include "check.h"
#include "peak.h"
#include "problem.h"

#include "cuda/runtime/marks.h"

#include <stdlib.h>
#include <string.h>

/* --- The clock -------------------------------------------------------------------------------- */

typedef void (*start_fn)(void *data); /* puts work on the default stream */

enum { FEW = 3, MARKS = 2000, STAGES = 5 };
static const double long_run = 0.1; /* seconds, from which on there are few runs */
/* For so long a GPU works before it is timed: its clock rises from a fifth of what it is under
 * load. An emulated one has none, and nobody reads its times. */
#ifdef ARMILLA_CUDA_EMULATION
enum { REPEATS = FEW };
static const double warm_up = 0;
#else
enum { REPEATS = 9 };
static const double warm_up = 0.05;
#endif

static cudaEvent_t new_event(void)
{
    cudaEvent_t event;
    gpu_stop_at_cuda(cudaEventCreate(&event), "an event");
    return event;
}

static double seconds_between(cudaEvent_t begin, cudaEvent_t end)
{
    float milliseconds;
    gpu_stop_at_cuda(cudaEventElapsedTime(&milliseconds, begin, end), "timing");
    return milliseconds * 1e-3;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The first run pays for memory and code. */
static void warm(start_fn start, void *data)
{
    const double begin = gpu_clock();
    do {
        start(data);
        gpu_stop_at_cuda(cudaDeviceSynchronize(), "warming up");
    } while (gpu_clock() - begin < warm_up);
}

/* Median seconds by events: of 9 runs, of fewer where they take long. Errors end the process. */
static double median_seconds(start_fn start, void *data)
{
    double times[REPEATS];
    int runs = REPEATS;
    cudaEvent_t begin = new_event(), end = new_event();
    warm(start, data);
    for (int i = 0; i < runs; i++) {
        gpu_stop_at_cuda(cudaEventRecord(begin, NULL), "timing");
        start(data);
        gpu_stop_at_cuda(cudaEventRecord(end, NULL), "timing");
        gpu_stop_at_cuda(cudaEventSynchronize(end), "timing");
        times[i] = seconds_between(begin, end);
        if (times[i] > long_run) runs = FEW;
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    qsort(times, (size_t)runs, sizeof *times, compare_doubles);
    return times[runs / 2];
}

/* The same by the host's clock, of what returns when it is done: the least of a few runs. */
static double host_seconds(start_fn start, void *data)
{
    double least = 1e300;
    for (int i = 0; i < FEW + 1; i++) {
        const double begin = gpu_clock();
        start(data);
        const double seconds = gpu_clock() - begin;
        if (i > 0 || seconds > 1) least = seconds < least ? seconds : least;
        if (seconds > 1) break;
    }
    return least;
}

/* --- By stage -------------------------------------------------------------------------------- */

static const char *const stage_names[STAGES] = {"copy to device", "legendre", "theta", "rings",
                                                "copy to host"};

typedef struct marks {
    cudaEvent_t events[MARKS];
    const char *stages[MARKS];
    int count, made;
} marks;

static void take_mark(void *data, const char *stage, cudaStream_t stream)
{
    marks *m = data;
    if (m->count == MARKS) return;
    if (m->count == m->made) m->events[m->made++] = new_event();
    m->stages[m->count] = stage;
    gpu_stop_at_cuda(cudaEventRecord(m->events[m->count++], stream), "timing a stage");
}

/* Milliseconds of the stages of a transform (src/cuda/runtime/marks.h), one run's. */
static void stage_milliseconds(start_fn start, void *data, double stages[STAGES])
{
    static marks m;
    m.count = 0;
    armilla_cuda_set_marks(take_mark, &m);
    start(data);
    armilla_cuda_set_marks(NULL, NULL);
    gpu_stop_at_cuda(cudaDeviceSynchronize(), "timing stages");
    for (int s = 0; s < STAGES; s++) stages[s] = 0;
    for (int i = 1; i < m.count; i++)
        for (int s = 0; s < STAGES; s++)
            if (!strcmp(m.stages[i], stage_names[s]))
                stages[s] += 1e3 * seconds_between(m.events[i - 1], m.events[i]);
    if (m.count == MARKS) gpu_report_line(' ', "stages: only the first %d marks count", MARKS);
}

/* --- Ceilings -------------------------------------------------------------------------------- */

typedef struct peak_call {
    int64_t multiprocessors, rounds;
    double *sink, flops;
} peak_call;

static void start_peak(void *data)
{
    peak_call *c = data;
    c->flops = gpu_peak_launch(c->multiprocessors, c->rounds, c->sink);
    gpu_stop_at_cuda(cudaPeekAtLastError(), "multiply-adds");
}

void gpu_step_ceilings(int small)
{
    armilla_device_description device = {.size = sizeof device};
    gpu_stop_at(armilla_device_describe(ARMILLA_CUDA, &device), "the GPU");
    gpu_report_row("\"gpu\": \"%s\", \"capability\": %lld, \"multiprocessors\": %lld, "
                   "\"memory_bytes\": %lld, \"free_bytes\": %lld, \"driver\": %lld, \"runtime\": "
                   "%lld, \"version\": \"%s\"",
                   device.name, (long long)device.compute_capability,
                   (long long)device.multiprocessors, (long long)device.memory_bytes,
                   (long long)device.free_bytes, (long long)device.driver_version,
                   (long long)device.runtime_version, armilla_version());
    peak_call call = {.multiprocessors = small ? 1 : device.multiprocessors,
                      .rounds = small ? 2 : 20000,
                      .sink = gpu_device_array(1, NULL)};
    const double seconds = median_seconds(start_peak, &call);
    const gpu_figure peak = {"FP64 multiply-adds alone", "Tflop/s", call.flops / seconds * 1e-12, 1,
                             NULL};
    gpu_report_figure(&peak);
    cudaFree(call.sink);
}

/* --- One operator ---------------------------------------------------------------------------- */

typedef struct timed_call {
    const gpu_problem *p;
    const gpu_operation *o;
    void *from, *to;
    int on_gpu, single;
} timed_call;

static void start_call(void *data)
{
    const timed_call *c = data;
    gpu_problem_run(c->p, c->o, c->on_gpu, c->single, c->from, c->to, NULL);
}

/* The processor, in this run: all cores, arrays of doubles, or of floats where the GPU's are. */
static void time_processor(const gpu_problem *p, const gpu_operation *o, double gpu_seconds)
{
    double *to = gpu_host_array(gpu_problem_made(p, o));
    timed_call call = {p, o, o->to_map ? p->alm : p->map, to, 0, p->what.single};
    const double seconds = host_seconds(start_call, &call);
    char key[GPU_KEY], figure_key[GPU_KEY + 20], members[GPU_MEMBERS];
    gpu_problem_key(p, o->name, key);
    gpu_problem_members(p, o->name, members);
    snprintf(figure_key, sizeof figure_key, "%s, processor", key);
    const gpu_figure time = {figure_key, "ms", seconds * 1e3, 0, members};
    gpu_report_figure(&time);
    snprintf(figure_key, sizeof figure_key, "%s, GPU over CPU", key);
    const gpu_figure ratio = {figure_key, "times as fast", seconds / gpu_seconds, 0, NULL};
    gpu_report_figure(&ratio);
    free(to);
}

/* Stages go into one row, and into one line. */
static void report_stages(const gpu_problem *p, const gpu_operation *o, timed_call *call,
                          double seconds)
{
    double stages[STAGES];
    char key[GPU_KEY], figure_key[GPU_KEY + 20], members[GPU_MEMBERS], more[GPU_MEMBERS + 300];
    char theta[40] = "";
    stage_milliseconds(start_call, call, stages);
    gpu_problem_key(p, o->name, key);
    gpu_problem_members(p, o->name, members);
    snprintf(more, sizeof more,
             "\"legendre_ms\": %.4f, \"theta_ms\": %.4f, \"rings_ms\": %.4f, \"copies_ms\": %.4f, "
             "\"legendre_flops\": %.4e, \"plan_seconds\": %.3f, \"workspace_bytes\": %lld, %s",
             stages[1], stages[2], stages[3], stages[0] + stages[4], p->description.useful_flops,
             p->plan.total, (long long)p->description.device_workspace_bytes, members);
    const gpu_figure whole = {key, "ms", seconds * 1e3, 0, more};
    gpu_report_figure(&whole);
    if (stages[2] > 0) snprintf(theta, sizeof theta, "theta %.3f, ", stages[2]);
    gpu_report_line(o == &gpu_operations[1] ? ' ' : '=',
                    "%s: %.3f ms (Legendre %.3f, %srings %.3f)", key, seconds * 1e3, stages[1],
                    theta, stages[3]);
    for (int s = 1; s < 4; s++) {
        snprintf(figure_key, sizeof figure_key, "%s, %s", key, stage_names[s]);
        const gpu_figure stage = {figure_key, "ms", stages[s], 0, NULL};
        if (stages[s] > 0) gpu_report_figure(&stage);
    }
}

static double time_operation(const gpu_problem *p, const gpu_operation *o, double *alm, double *map)
{
    timed_call call = {p, o, o->to_map ? alm : map, o->to_map ? map : alm, 1, p->what.single};
    const double seconds = median_seconds(start_call, &call);
    report_stages(p, o, &call, seconds);
    return seconds;
}

/* --- Lists ----------------------------------------------------------------------------------- */

/* The whole time, and its parts. */
static void report_plan(const gpu_problem *p)
{
    const gpu_plan_times *t = &p->plan;
    const struct {
        const char *name;
        double seconds;
    } parts[] = {{"plan", t->total},
                 {"plan, tables on the host", t->total - t->device},
                 {"plan, copies", t->copies},
                 {"plan, cuFFT plans", t->fft},
                 {"plan, rest", t->device - t->copies - t->fft}};
    for (int i = 0; i < GPU_COUNT(parts); i++) {
        char key[GPU_KEY];
        gpu_problem_key(p, parts[i].name, key);
        const gpu_figure plan = {key, "s", parts[i].seconds, 0, NULL};
        gpu_report_figure(&plan);
    }
}

/* Has the GPU memory for the arrays of a call, and for what the call takes besides? */
static int has_room(const gpu_problem *p)
{
    armilla_device_description device = {.size = sizeof device};
    char key[GPU_KEY];
    const int64_t copies = p->what.copies ? p->what.copies : 1;
    const int64_t bytes =
        8 * copies * (p->alm_count + p->map_count) + p->description.device_workspace_bytes;
    gpu_stop_at(armilla_device_describe(ARMILLA_CUDA, &device), "the GPU");
    if (bytes <= device.free_bytes) return 1;
    gpu_problem_key(p, "any operator", key);
    gpu_report_row("\"key\": \"%s\", \"absent\": \"%lld bytes, of which %lld are free\"", key,
                   (long long)bytes, (long long)device.free_bytes);
    return 0;
}

/* Analysis has weights that mix rings on some grids; else it is its adjoint with other numbers. */
static void time_operations(const gpu_problem *p)
{
    double seconds[GPU_TIMED];
    if (p->what.single) gpu_narrow(p->alm_count, p->alm), gpu_narrow(p->map_count, p->map);
    double *alm = gpu_problem_array(p, p->alm_count, p->alm);
    double *map = gpu_problem_array(p, p->map_count, p->map);
    for (int i = 0; i < GPU_TIMED; i++)
        seconds[i] = time_operation(p, &gpu_operations[i], alm, map);
    cudaFree(alm);
    cudaFree(map);
    for (int i = 0; i < GPU_TIMED && p->what.processor; i += 2)
        time_processor(p, &gpu_operations[i], seconds[i]);
}

static void time_case(const gpu_case *what)
{
    gpu_problem p;
    if (!gpu_case_suits(what)) return;
    gpu_problem_open(what, what->processor, &p);
    report_plan(&p);
    if (has_room(&p)) time_operations(&p);
    gpu_problem_close(&p);
}

static void time_list(gpu_cases list)
{
    for (int i = 0; i < list.count; i++) time_case(&list.cases[i]);
}

void gpu_step_times_gauss(int small)
{
    time_list(GPU_CHOOSE(small, gpu_tiny_gauss, gpu_gauss));
}

void gpu_step_times_healpix(int small)
{
    time_list(GPU_CHOOSE(small, gpu_tiny_healpix, gpu_healpix));
}

void gpu_step_times_many(int small)
{
    time_list(GPU_CHOOSE(small, gpu_tiny_many, gpu_many));
}

void gpu_step_times_o1280(int small)
{
    time_list(GPU_CHOOSE(small, gpu_tiny_o1280, gpu_o1280));
}

void gpu_step_times_grids(int small)
{
    time_list(GPU_CHOOSE(small, gpu_tiny_grids, gpu_grids));
}

void gpu_step_times_float(int small)
{
    time_list(GPU_CHOOSE(small, gpu_tiny_float, gpu_float));
}

/* There the processor's transforms would take most of the time; identities hold everywhere. */
void gpu_step_times_huge(int small)
{
    const gpu_cases list = GPU_CHOOSE(small, gpu_tiny_huge, gpu_huge);
    time_list(list);
    for (int i = 0; i < list.count; i++) {
        gpu_problem p;
        gpu_problem_open(&list.cases[i], 0, &p);
        gpu_check_adjointness(&p);
        gpu_problem_close(&p);
    }
}

/* --- Arrays of the host ---------------------------------------------------------------------- */

static void *pinned_copy(int64_t count, const double *from)
{
    void *pinned;
    gpu_stop_at_cuda(cudaMallocHost(&pinned, (size_t)count * sizeof *from), "pinned memory");
    memcpy(pinned, from, (size_t)count * sizeof *from);
    return pinned;
}

static void report_host_time(const gpu_problem *p, const gpu_operation *o, const char *kind,
                             timed_call *call)
{
    const double seconds = host_seconds(start_call, call);
    double stages[STAGES];
    char key[GPU_KEY], figure_key[GPU_KEY + 40], more[200];
    stage_milliseconds(start_call, call, stages);
    gpu_problem_key(p, o->name, key);
    snprintf(figure_key, sizeof figure_key, "%s, %s host arrays", key, kind);
    snprintf(more, sizeof more, "\"to_device_ms\": %.3f, \"to_host_ms\": %.3f", stages[0],
             stages[4]);
    const gpu_figure time = {figure_key, "ms", seconds * 1e3, 1, more};
    gpu_report_figure(&time);
}

static void time_host_case(const gpu_case *what)
{
    gpu_problem p;
    gpu_problem_open(what, 0, &p);
    void *alm = pinned_copy(p.alm_count, p.alm), *map = pinned_copy(p.map_count, p.map);
    for (int i = 0; i < GPU_TIMED; i += 2) {
        const gpu_operation *o = &gpu_operations[i];
        timed_call pageable = {&p, o, o->to_map ? p.alm : p.map, o->to_map ? p.map : p.alm, 1, 0};
        timed_call pinned = {&p, o, o->to_map ? alm : map, o->to_map ? map : alm, 1, 0};
        report_host_time(&p, o, "pageable", &pageable);
        report_host_time(&p, o, "pinned", &pinned);
    }
    cudaFreeHost(alm);
    cudaFreeHost(map);
    gpu_problem_close(&p);
}

void gpu_step_times_host(int small)
{
    const gpu_cases list = GPU_CHOOSE(small, gpu_tiny_host, gpu_host);
    for (int i = 0; i < list.count; i++) time_host_case(&list.cases[i]);
}

/* --- Shapes ---------------------------------------------------------------------------------- */

/* Milliseconds of synthesis and its adjoint. */
static double time_shape(const gpu_case *what)
{
    gpu_problem p;
    double seconds = 0;
    gpu_problem_open(what, 0, &p);
    if (what->single) gpu_narrow(p.alm_count, p.alm), gpu_narrow(p.map_count, p.map);
    double *alm = gpu_device_array(p.alm_count, p.alm), *map = gpu_device_array(p.map_count, p.map);
    for (int i = 0; i < 2; i++) {
        const gpu_operation *o = &gpu_operations[i];
        timed_call call = {&p, o, o->to_map ? alm : map, o->to_map ? map : alm, 1, what->single};
        seconds += median_seconds(start_call, &call);
    }
    cudaFree(alm);
    cudaFree(map);
    gpu_problem_close(&p);
    return seconds * 1e3;
}

/* With each shape: what the table of src/cuda/stages/shape.c should say. */
static void time_shapes(const gpu_case *what)
{
    gpu_case with = *what;
    char line[400], key[GPU_KEY];
    int used =
        snprintf(line, sizeof line, "%s lmax %lld spin %lld%s:", what->name, (long long)what->lmax,
                 (long long)what->spin, what->single ? " single" : "");
    for (int64_t i = 0; armilla_cuda_shape_at(i); i++) {
        if (!gpu_has_shape(armilla_cuda_shape_at(i))) continue;
        with.shape = armilla_cuda_shape_at(i)->name;
        const double milliseconds = time_shape(&with);
        const gpu_problem p = {.what = with};
        gpu_problem_key(&p, "there and back", key);
        const gpu_figure time = {key, "ms", milliseconds, 0, NULL};
        gpu_report_figure(&time);
        if (used < (int)sizeof line)
            used += snprintf(line + used, sizeof line - (size_t)used, " %s %.3f", with.shape,
                             milliseconds);
    }
    gpu_report_line('=', "%s", line);
}

void gpu_step_shapes(int small)
{
    const gpu_cases list = GPU_CHOOSE(small, gpu_tiny_shapes, gpu_shapes);
    for (int i = 0; i < list.count; i++) time_shapes(&list.cases[i]);
}

/* --- Names ----------------------------------------------------------------------------------- */

static void list_case(const gpu_case *what, const char *operation)
{
    const gpu_problem p = {.what = *what};
    char key[GPU_KEY];
    gpu_problem_key(&p, operation, key);
    printf("%s\n", key);
}

static void list_shapes(const gpu_case *what)
{
    gpu_case with = *what;
    for (int64_t i = 0; armilla_cuda_shape_at(i); i++) {
        with.shape = armilla_cuda_shape_at(i)->name;
        list_case(&with, "there and back");
    }
}

void gpu_list_keys(void)
{
    static const gpu_cases lists[] = {
        {gpu_gauss, GPU_COUNT(gpu_gauss)}, {gpu_healpix, GPU_COUNT(gpu_healpix)},
        {gpu_many, GPU_COUNT(gpu_many)},   {gpu_o1280, GPU_COUNT(gpu_o1280)},
        {gpu_host, GPU_COUNT(gpu_host)},   {gpu_grids, GPU_COUNT(gpu_grids)},
        {gpu_float, GPU_COUNT(gpu_float)}, {gpu_huge, GPU_COUNT(gpu_huge)},
    };
    for (int i = 0; i < GPU_COUNT(lists); i++)
        for (int j = 0; j < lists[i].count; j++) {
            for (int o = 0; o < GPU_TIMED; o++)
                list_case(&lists[i].cases[j], gpu_operations[o].name);
            list_case(&lists[i].cases[j], "plan");
        }
    for (int j = 0; j < GPU_COUNT(gpu_shapes); j++) list_shapes(&gpu_shapes[j]);
}

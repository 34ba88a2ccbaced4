/* Times work on a stream by events, at its ends and between its stages. */
#include "gpu_times.h"

#include "cuda/marks.h"
#include "gpu_problem.h"

#include <stdlib.h>
#include <string.h>

enum { REPEATS = 9, FEW = 3, MARKS = 2000 };
static const double long_run = 0.1; /* seconds, from which on there are few runs */
/* For so long a GPU works before it is timed: its clock rises from a fifth of what it is under
 * load. An emulated one has none. */
#ifdef ARMILLA_CUDA_EMULATION
static const double warm_up = 0;
#else
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
static void warm(gpu_start_fn start, void *data)
{
    const double begin = gpu_clock();
    do {
        start(data);
        gpu_stop_at_cuda(cudaDeviceSynchronize(), "warming up");
    } while (gpu_clock() - begin < warm_up);
}

double gpu_median_seconds(gpu_start_fn start, void *data)
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

double gpu_host_seconds(gpu_start_fn start, void *data)
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

const char *const gpu_stage_names[GPU_STAGES] = {"copy to device", "legendre", "theta", "rings",
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

void gpu_stage_milliseconds(gpu_start_fn start, void *data, double stages[GPU_STAGES])
{
    static marks m;
    m.count = 0;
    armilla_cuda_set_marks(take_mark, &m);
    start(data);
    armilla_cuda_set_marks(NULL, NULL);
    gpu_stop_at_cuda(cudaDeviceSynchronize(), "timing stages");
    for (int s = 0; s < GPU_STAGES; s++) stages[s] = 0;
    for (int i = 1; i < m.count; i++)
        for (int s = 0; s < GPU_STAGES; s++)
            if (!strcmp(m.stages[i], gpu_stage_names[s]))
                stages[s] += 1e3 * seconds_between(m.events[i - 1], m.events[i]);
    if (m.count == MARKS) gpu_report_line(' ', "stages: only the first %d marks count", MARKS);
}

/* Seconds of what is put on a stream of the GPU, whole and by stage. */
#ifndef ARMILLA_BENCH_GPU_TIMES_H
#define ARMILLA_BENCH_GPU_TIMES_H

typedef void (*gpu_start_fn)(void *data); /* puts work on the default stream */

/* Median seconds by events: of 9 runs, of fewer where they take long. Errors end the process. */
double gpu_median_seconds(gpu_start_fn start, void *data);

/* The same by the host's clock, of what returns when it is done: the least of a few runs. */
double gpu_host_seconds(gpu_start_fn start, void *data);

/* Milliseconds of the stages of a transform (src/cuda/marks.h), one run's. */
enum { GPU_STAGES = 5 };
extern const char *const gpu_stage_names[GPU_STAGES];
void gpu_stage_milliseconds(gpu_start_fn start, void *data, double stages[GPU_STAGES]);

#endif

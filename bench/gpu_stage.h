/* One stage of the library alone on the GPU, in memory full of not-a-number, and how its results
 * are compared with those of the processor's stage: the first wrong entry is reported. */
#ifndef ARMILLA_BENCH_GPU_STAGE_H
#define ARMILLA_BENCH_GPU_STAGE_H

#include "gpu_problem.h"

#include "base/work.h"
#include "cuda/work.h"
#include "leg/leg.h"

/* A copy of bytes on the device, 256 bytes of NaN behind it. Free with cudaFree. */
void *gpu_stage_put(const void *host, int64_t bytes);
void gpu_stage_get(void *host, const void *device, int64_t bytes);

/* A stream of its own and scratch full of NaN; end waits, and reports the work's error. */
void gpu_stage_begin(armilla_cuda_work *work, int64_t scratch_bytes);
void gpu_stage_end(armilla_cuda_work *work, const char *what);

/* A processor's work with one thread and so many doubles of scratch. Free scratch with
 * armilla_release. */
void gpu_stage_host_work(int64_t scratch_size, armilla_progress *progress, armilla_work *work);

/* Where a number is: "m 3, pair 7, set 0, north re". */
typedef struct gpu_place {
    const char *names[3];
    int64_t numbers[3];
    const char *part;
} gpu_place;

/* Results of a stage, as they are compared. */
typedef struct gpu_comparison {
    const char *what;         /* "synthesis, lmax 511, shape v4w4" */
    double bound;             /* of a difference, over the largest value */
    double difference;        /* the largest one so far; NaN stays */
    double largest;           /* value wanted */
    int64_t entries, missing; /* compared; NaN where there should be a number, or the reverse */
    char first[200];          /* the first wrong entry */
    double limit;             /* differences beyond it are wrong, once `largest` is known */
} gpu_comparison;

/* Two passes over all entries: the first with limit 0 finds `largest`, the second what is wrong. */
void gpu_compare(gpu_comparison *c, const gpu_place *place, double wanted, double got);
/* Between the passes. */
void gpu_compare_again(gpu_comparison *c);
/* A row, and a line where something is wrong. */
void gpu_compare_report(const gpu_comparison *c);

#endif

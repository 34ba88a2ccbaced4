/* Declares a transform, or one stage of it, that gpu_check checks or times: its plans, arrays and
 * runs. Calls that fail end the process, with a row that says what failed. */
#ifndef ARMILLA_BENCH_GPU_PROBLEM_H
#define ARMILLA_BENCH_GPU_PROBLEM_H

#include "armilla/armilla.h"
#include "cases.h"
#include "check.h"
#include "plan_clock.h"

#include "base/work.h"
#include "cuda/stages/shape.h"
#include "cuda/runtime/work.h"
#include "leg/leg.h"

#include <cuda_runtime.h>

typedef struct gpu_operation {
    const char *name;
    armilla_status (*run)(const armilla_sht *, const double *, double *, const armilla_exec *);
    armilla_status (*run_float)(const armilla_sht *, const float *, float *, const armilla_exec *);
    int to_map;
} gpu_operation;

enum { GPU_OPERATIONS = 4, GPU_TIMED = 3 };
extern const gpu_operation gpu_operations[GPU_OPERATIONS]; /* the timed ones first */

typedef struct gpu_problem {
    gpu_case what;
    armilla_grid *grid;
    armilla_sht *sht[2]; /* on the processor (NULL where it was not asked for), on the GPU */
    gpu_plan_times plan; /* of the GPU's */
    armilla_sht_description description;
    int64_t alm_count, map_count; /* numbers of all components of what.ntrans transforms */
    double *alm, *map;            /* on the host: random numbers, which floats have, too */
} gpu_problem;

void gpu_problem_open(const gpu_case *what, int with_processor, gpu_problem *p);
void gpu_problem_close(gpu_problem *p);

/* Has this GPU what the case asks for? Else there is a row that says so. */
int gpu_case_suits(const gpu_case *what);

/* A copy on the device of an array of p, as often as the case says. */
double *gpu_problem_array(const gpu_problem *p, int64_t count, const double *from);

/* "GL lmax 4095, spin 2, synthesis": its key in tables. */
enum { GPU_KEY = 200 };
void gpu_problem_key(const gpu_problem *p, const char *operation, char key[GPU_KEY]);

/* The members of a row that say what was run, as JSON. */
enum { GPU_MEMBERS = 600 };
void gpu_problem_members(const gpu_problem *p, const char *operation, char members[GPU_MEMBERS]);

/* Number of values in and out of an operation. */
int64_t gpu_problem_given(const gpu_problem *p, const gpu_operation *o);
int64_t gpu_problem_made(const gpu_problem *p, const gpu_operation *o);

/* On arrays of floats where single, else of doubles; exec has the problem's transforms. */
void gpu_problem_run(const gpu_problem *p, const gpu_operation *o, int on_gpu, int single,
                     const void *from, void *to, void *stream);

/* Are synthesis and its adjoint, on the GPU, each other's transposes? (check_transforms.c) */
void gpu_check_adjointness(const gpu_problem *p);

/* count doubles as floats, in the same memory; and back. */
void gpu_narrow(int64_t count, double *values);
void gpu_widen(int64_t count, double *values);

/* Uniform in [-1, 1), 23 bits. */
double gpu_random(uint64_t *state);

/* --- Calls that must succeed ------------------------------------------------------------------ */

void gpu_stop_at(armilla_status status, const char *what);
void gpu_stop_at_cuda(cudaError_t error, const char *what);
double *gpu_host_array(int64_t count); /* zeros */

/* A copy, or NaN where there is nothing to be copied. */
double *gpu_device_array(int64_t count, const double *from);

double gpu_clock(void); /* seconds */

/* Has this GPU kernels of the shape? */
int gpu_has_shape(const armilla_cuda_shape *shape);

/* --- One stage alone ---------------------------------------------------------------------------
 */

/* A stage of the library runs on the GPU in memory full of not-a-number; its results are compared
 * with those of the processor's stage, and the first wrong entry is reported. */

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
/* The same as a function of an entry's number in two arrays; data: a gpu_two_arrays. */
typedef struct gpu_two_arrays {
    gpu_comparison *c;
    const double *wanted, *got;
} gpu_two_arrays;
void gpu_compare_entry(void *data, const gpu_place *place, int64_t at);
/* Between the passes. */
void gpu_compare_again(gpu_comparison *c);
/* A row, and a line where something is wrong. */
void gpu_compare_report(const gpu_comparison *c);

#endif

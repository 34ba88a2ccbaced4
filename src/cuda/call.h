/* A call of a plan on a GPU: where its arrays are, the memory that it has there, and what is copied
 * to the device before a batch of transforms and back afterwards. */
#ifndef ARMILLA_CUDA_CALL_H
#define ARMILLA_CUDA_CALL_H

#include "base/progress.h"
#include "cuda/copies.h"
#include "cuda/flow.h"
#include "executor/executor.h"

#include <pthread.h>

struct armilla_cuda_devices; /* devices.h */

struct armilla_cuda_transform {
    armilla_cuda_object object;
    struct armilla_cuda_devices *all; /* it and its like on further GPUs; NULL: there is one GPU */
    armilla_cuda_problem problem;
    armilla_cuda_flow flow, weighted_flow;
    int64_t *mstart; /* on the device, like factor */
    double *factor;
    int open;                   /* is the device's pool open for it? */
    int64_t most;               /* bytes that a stage's scratch should not exceed */
    pthread_mutex_t *enqueuing; /* plans of cuFFT take one call after the other, like the copier */
    armilla_cuda_copier *copier;
};

/* As in the table of transform.h, of one GPU alone. */
armilla_status armilla_cuda_transform_new(const armilla_cuda_problem *problem,
                                          armilla_cuda_transform **transform);
armilla_cuda_needs armilla_cuda_transform_needs(const armilla_cuda_transform *transform,
                                                int64_t ntrans);
armilla_status armilla_cuda_transform_run(const armilla_cuda_transform *transform,
                                          const armilla_cuda_call *call);

/* As there; tuning.c. */
armilla_status armilla_cuda_transform_time(const armilla_cuda_transform *transform,
                                           const armilla_cuda_problem *problem, int64_t ntrans,
                                           double *milliseconds);
armilla_status armilla_cuda_tune(const armilla_cuda_tuning *of, armilla_cuda_measure_fn measure,
                                 void *data, const armilla_cuda_shape **shape);

/* One of a call's arrays. */
typedef struct armilla_cuda_array {
    armilla_array values; /* the caller's, at the device's address if it is there */
    int on_device;
    armilla_cuda_copied copied; /* what follows: of arrays that are on the host */
    int64_t bytes;              /* of a copy of a batch */
    char *copy[2];              /* one for each slot of the copier */
} armilla_cuda_array;

/* Is it an array that the host cannot read? No, where the driver does not answer. */
int armilla_cuda_is_device_array(const void *values);

/* Finds out where an array of a call is. Given: values; memory as the call says; device of the
 * plan. Errors: ARGUMENT, UNSUPPORTED. */
armilla_status armilla_cuda_find_place(const char *name, armilla_memory memory, int device,
                                       armilla_cuda_array *array);

typedef struct armilla_cuda_run {
    /* of the caller */
    const armilla_cuda_transform *t;
    const armilla_cuda_flow *flow;
    const armilla_cuda_call *call;
    int64_t batch;     /* transforms at once */
    int64_t leg_bytes; /* for the legs of a batch */
    int over_ranks;    /* one of several ranks calls, which wait for each other */

    armilla_cuda_array alm, map;
    int64_t sums_bytes, scratch_bytes; /* of the parts */
    char *memory;
    double *leg, *sums; /* sums: or NULL, as in armilla_alm_rows */
    int beside;         /* do copies go beside kernels? */
    int64_t done;       /* batches whose kernels are on the stream */
    int64_t waiting;    /* transforms of the last batch that have not been copied back */
    char *waiting_at;   /* where they go on the host */
    armilla_cuda_work work;
    armilla_progress progress;
} armilla_cuda_run;

const armilla_cuda_flow *armilla_cuda_choose_flow(const armilla_cuda_transform *t, int weighted);

/* Finds the arrays, and takes memory for legs, scratch, sums and copies. The plan's device is the
 * current one, and the plan is `enqueuing`, until the call is closed, unless ranks share it.
 * Errors: ARGUMENT, MEMORY, UNSUPPORTED (a stream whose capture the call would break); nothing is
 * taken then. */
armilla_status armilla_cuda_run_open(armilla_cuda_run *r);

/* Copies back what waits for it where `finished`; gives the memory back; waits, where an array is
 * on the host. Returned: what the device says. */
armilla_status armilla_cuda_run_close(armilla_cuda_run *r, int finished);

/* What a backend does before and after a batch; `call` is an armilla_cuda_run. */
void armilla_cuda_run_begin_batch(void *call, int64_t count, armilla_array *alm,
                                  armilla_array *map);
void armilla_cuda_run_end_batch(void *call, int64_t count, armilla_array alm, armilla_array map);

/* The rows of alm and the maps, as the executor goes through the caller's. */
armilla_alm_rows armilla_cuda_run_rows(const armilla_cuda_run *r);
armilla_ring_maps armilla_cuda_run_maps(const armilla_cuda_run *r);

/* Puts a stage on the stream. Given: pass  of the executor; leg  of the device. */
void armilla_cuda_run_stage(armilla_cuda_run *r, armilla_stage stage, const armilla_pass *pass,
                            const armilla_leg *leg);

#endif

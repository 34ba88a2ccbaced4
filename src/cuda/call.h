/* A call of a plan on a GPU: where its arrays are, the memory that it has there, and what is copied
 * to the device before a batch of transforms and back afterwards. */
#ifndef ARMILLA_CUDA_CALL_H
#define ARMILLA_CUDA_CALL_H

#include "base/progress.h"
#include "cuda/flow.h"

#include <pthread.h>

struct armilla_cuda_transform {
    armilla_cuda_problem problem;
    armilla_cuda_flow flow, weighted_flow;
    int64_t *mstart; /* on the device, like factor */
    double *factor;
    int device;
    int open;                   /* is the device's pool open for it? */
    int64_t most;               /* bytes that a stage's scratch should not exceed */
    pthread_mutex_t *enqueuing; /* plans of cuFFT take one call after the other */
};

typedef struct armilla_cuda_run {
    /* of the caller */
    const armilla_cuda_transform *t;
    const armilla_cuda_flow *flow;
    const armilla_cuda_call *call;
    int64_t batch;     /* transforms at once */
    int64_t leg_bytes; /* for the legs of a batch */
    int over_ranks;    /* one of several ranks calls, which wait for each other */

    armilla_array alm, map;       /* the caller's, at the device's addresses if they are there */
    int64_t alm_items, map_items; /* of a batch: numbers from the first to the last one */
    int alm_on_device, map_on_device;
    int64_t sums_bytes, scratch_bytes, alm_bytes, map_bytes; /* of the parts */
    char *memory, *alm_copy, *map_copy; /* copies: of the arrays that are on the host */
    double *leg, *sums;                 /* sums: or NULL, as in armilla_alm_rows */
    armilla_cuda_work work;
    armilla_progress progress;
} armilla_cuda_run;

const armilla_cuda_flow *armilla_cuda_choose_flow(const armilla_cuda_transform *t, int weighted);

/* Finds the arrays, and takes memory for legs, scratch, sums and copies. The plan's device is the
 * current one. Errors: ARGUMENT, MEMORY, UNSUPPORTED (a stream whose capture the call would break);
 * nothing is taken then. */
armilla_status armilla_cuda_run_open(armilla_cuda_run *r);

/* Gives the memory back; waits, where an array is on the host. Returned: what the device says. */
armilla_status armilla_cuda_run_close(armilla_cuda_run *r);

/* What a backend does before and after a batch; `call` is an armilla_cuda_run. */
void armilla_cuda_run_begin_batch(void *call, int64_t count, armilla_array *alm,
                                  armilla_array *map);
void armilla_cuda_run_end_batch(void *call, int64_t count, armilla_array alm, armilla_array map);

/* The rows of alm, as kernels read them. */
armilla_alm_rows armilla_cuda_run_rows(const armilla_cuda_run *r);

#endif

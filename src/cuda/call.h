/* A call of a plan on a GPU: the parts of its memory, and its stages. */
#ifndef ARMILLA_CUDA_CALL_H
#define ARMILLA_CUDA_CALL_H

#include "cuda/batches.h"
#include "cuda/runtime/frame.h"
#include "cuda/runtime/second_stream.h"
#include "executor/executor.h"

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
    pthread_mutex_t *enqueuing; /* plans of cuFFT take one call after the other, and so does: */
    armilla_cuda_second_stream *second;
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

enum { ARMILLA_CUDA_ALM, ARMILLA_CUDA_MAP }; /* arrays of the frame */

typedef struct armilla_cuda_run {
    /* of the caller */
    const armilla_cuda_transform *t;
    const armilla_cuda_flow *flow;
    const armilla_cuda_call *call;
    int over_ranks; /* one of several ranks calls, which wait for each other; given then: */
    armilla_cuda_batches batches;
    int64_t leg_bytes; /* for a leg of a batch */

    armilla_cuda_frame frame;
    int64_t sums_bytes, scratch_bytes, rings_bytes; /* of the parts */
    double *leg, *sums;                             /* sums: or NULL, as in armilla_alm_rows */
    armilla_cuda_work beside, *rings; /* rings: of the ring stage, that of the second stream or
                                         the frame's */
    int64_t emptied;                  /* legs so far */
} armilla_cuda_run;

static inline armilla_cuda_way armilla_cuda_way_of(const armilla_cuda_call *call)
{
    return (armilla_cuda_way){.weighted = call->weighted,
                              .to_map = call->to_map,
                              .is_float = call->map.is_float && call->alm.is_float};
}

/* Opens the frame, and takes memory for legs, scratch, sums and copies. The plan is `enqueuing`
 * until the call is closed, unless ranks share it. Errors: ARGUMENT, MEMORY, UNSUPPORTED (a stream
 * whose capture the call would break); nothing is to be closed then. */
armilla_status armilla_cuda_run_open(armilla_cuda_run *r);

/* As armilla_cuda_frame_close, after which the caller's stream comes behind all of the call. */
armilla_status armilla_cuda_run_close(armilla_cuda_run *r, armilla_status status);

/* What a backend does before and after a batch; `call` is an armilla_cuda_run. */
void armilla_cuda_run_begin_batch(void *call, int64_t count, armilla_array *alm,
                                  armilla_array *map);
void armilla_cuda_run_end_batch(void *call, int64_t count, armilla_array alm, armilla_array map);

/* The rows of alm and the maps, as the executor goes through the caller's. */
armilla_alm_rows armilla_cuda_run_rows(const armilla_cuda_run *r);
armilla_ring_maps armilla_cuda_run_maps(const armilla_cuda_run *r);

/* Where the leg of the next stages is; over ranks, where legs and messages begin. */
double *armilla_cuda_run_leg(const armilla_cuda_run *r);

/* Puts a stage on its stream: one that fills a leg, then one that empties it, as the executor does.
 * Given: pass  of the executor; leg  of the device. */
void armilla_cuda_run_stage(armilla_cuda_run *r, armilla_stage stage, const armilla_pass *pass,
                            const armilla_leg *leg);

#endif

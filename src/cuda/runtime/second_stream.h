/* A plan's own stream beside those of its calls, for two stages that share two legs in turn: while
 * one fills a leg the other empties the one before. Legs are counted from 0 in each call; one call
 * after the other puts its work there, under the plan's lock. */
#ifndef ARMILLA_CUDA_RUNTIME_SECOND_STREAM_H
#define ARMILLA_CUDA_RUNTIME_SECOND_STREAM_H

#include "base/status.h"
#include "cuda/runtime/work.h"

enum { ARMILLA_CUDA_LEGS = 2 };

typedef struct armilla_cuda_second_stream {
    cudaStream_t stream;
    cudaEvent_t filled, emptied[ARMILLA_CUDA_LEGS];
    cudaEvent_t met; /* where the two streams part, and where they meet again */
} armilla_cuda_second_stream;

/* The first call makes the stream. Returned: is it there? If not, the call does without. The device
 * is the current one, here and below. */
int armilla_cuda_second_is_there(armilla_cuda_second_stream *second);

/* Begins a call's work there, behind what its own stream has been given, its memory among it.
 * *other: its work, without scratch. Errors: MEMORY, UNSUPPORTED; nothing has begun. */
armilla_status armilla_cuda_second_begin(armilla_cuda_second_stream *second,
                                         const armilla_cuda_work *own, armilla_cuda_work *other);

/* Called before and after the stage that fills a leg, and after the one that empties it, whichever
 * stream each of them is on. */
void armilla_cuda_second_may_fill(armilla_cuda_second_stream *second, int64_t leg,
                                  armilla_cuda_work *filling);
void armilla_cuda_second_filled(armilla_cuda_second_stream *second, armilla_cuda_work *filling,
                                armilla_cuda_work *emptying);
void armilla_cuda_second_emptied(armilla_cuda_second_stream *second, int64_t leg,
                                 armilla_cuda_work *emptying);

/* What the call's stream gets from now on comes after all of the other's. Where that cannot be
 * said, the other one is waited for. */
void armilla_cuda_second_end(armilla_cuda_second_stream *second, armilla_cuda_work *own);

/* Waits for nothing. */
void armilla_cuda_second_clear(armilla_cuda_second_stream *second);

#endif

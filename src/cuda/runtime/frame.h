/* The frame of a call on a GPU, whatever the call computes: where its arrays are, why no capture
 * may have it, its memory of the device's pool, copies of the host's arrays to the device and back,
 * batch by batch and beside kernels, and the caller's progress function.
 *
 *     open   the device is current, arrays are found, a capture is refused
 *     take   memory: the call's own parts, then copies of a batch, once or for two slots
 *     begin, kernels, end, reached        for each batch
 *     close  memory goes back, the stream is waited for if the host has to see the result */
#ifndef ARMILLA_CUDA_RUNTIME_FRAME_H
#define ARMILLA_CUDA_RUNTIME_FRAME_H

#include "armilla/sht.h"
#include "base/array.h"
#include "base/parts.h"
#include "base/progress.h"
#include "cuda/runtime/copies.h"
#include "cuda/cuda.h"

#include <pthread.h>

enum { ARMILLA_CUDA_ARRAYS = 2 };

/* One of a call's arrays, [ntrans][ncomp]. */
typedef struct armilla_cuda_array {
    const char *name;     /* in errors; NULL: the call has no such array */
    armilla_array values; /* the caller's; if it is on the device, found at the address there */
    int comes, goes;      /* is it copied to the device before a batch, and back afterwards? */
    int on_device;
    armilla_cuda_copied copied; /* how its components lie; what follows: of arrays of the host */
    char *copy[2];              /* of a batch, one for each slot */
} armilla_cuda_array;

/* An array with so many items in each component, and so many from one component to the next. */
armilla_cuda_array armilla_cuda_array_of(const char *name, armilla_array values, int64_t ncomp,
                                         int64_t items, int64_t distance);

/* Finds out where an array of a call is. Given: values; memory as the call says; device of the
 * plan. Errors: ARGUMENT, UNSUPPORTED. */
armilla_status armilla_cuda_find_place(armilla_memory memory, int device,
                                       armilla_cuda_array *array);

/* Is it an array that the host cannot read? No, where the driver does not answer. */
int armilla_cuda_is_device_array(const void *values);

typedef struct armilla_cuda_frame {
    /* Given: */
    const char *what; /* the call, in errors: "a transform" */
    int device;
    const armilla_exec *exec;
    const char *waits;   /* why the call waits for the device, so that no capture can have it; NULL:
                            it waits for nothing but arrays of the host and progress */
    int takes_no_memory; /* of the pool, where all arrays are on the device */
    int share_copy;      /* both arrays have one copy, of which kernels make others */
    pthread_mutex_t *lock; /* of the plan, from when it is open until it is closed; NULL: none */
    armilla_cuda_array array[ARMILLA_CUDA_ARRAYS];
    /* Found: */
    int before; /* the device that was current */
    armilla_cuda_work work;
    armilla_cuda_work *first, *last; /* of a batch's first and last kernels: `work` unless the call
                                        has a second stream */
    armilla_progress progress;
    char *memory, *lent;         /* lent: what it does not give back; NULL: memory is its own */
    int64_t slots, slot_bytes;   /* of copies: 1 or 2, and how large they are */
    int64_t second;              /* where the copy of the second array begins in a slot */
    armilla_cuda_copier *copier; /* the call's own until it is closed; NULL: copies are put on the
                                    stream of the kernels */
    int64_t done;                /* batches whose kernels are on the stream */
    void *place;                 /* of the host, where what the batch makes goes */
    int64_t waiting;             /* transforms of the last batch that have not been copied back */
    void *waiting_place;
} armilla_cuda_frame;

/* Makes the device the current one, finds the arrays, and takes the lock, until the call is closed.
 * Errors: ARGUMENT, UNSUPPORTED (a capture that the call would break); nothing is to be closed
 * then. */
armilla_status armilla_cuda_frame_open(armilla_cuda_frame *f);

/* Takes a lock that is held until the call is closed, where it was not given before. */
void armilla_cuda_frame_lock(armilla_cuda_frame *f, pthread_mutex_t *lock);

int armilla_cuda_frame_is_on_host(const armilla_cuda_frame *f); /* is one of the arrays there? */

/* Transforms of the host go by batches of some MB, or of four transforms, so that copies of one go
 * beside kernels of another. Returned: batch, or fewer. */
int64_t armilla_cuda_frame_cut(const armilla_cuda_frame *f, int64_t ntrans, int64_t batch);

/* Bytes of the copies of so many transforms, for one slot. */
int64_t armilla_cuda_frame_copy_bytes(const armilla_cuda_frame *f, int64_t batch);

/* Chooses how batches are copied: by the device's copier, if it is free and there is enough to
 * copy, and with so many slots at most (1 or 2; 0: without the copier). */
void armilla_cuda_frame_plan(armilla_cuda_frame *f, int64_t batch, int64_t slots);

/* Memory: `own` bytes, then the copies that were planned. bounded: as in armilla_cuda_pool_obtain.
 * Errors: MEMORY (names the bytes), UNSUPPORTED. */
armilla_status armilla_cuda_frame_take(armilla_cuda_frame *f, int64_t own, int bounded);

/* Before and after the kernels of a batch.
 * Given:    here[ARMILLA_CUDA_ARRAYS]  where its transforms are in the caller's arrays;
 * Returned: where they are on the device, in the array or in a copy. */
void armilla_cuda_frame_begin(armilla_cuda_frame *f, int64_t count, armilla_array *here);
void armilla_cuda_frame_end(armilla_cuda_frame *f, int64_t count);

/* So many more units are on the stream. Where somebody listens, the device is waited for, since the
 * function hears of what is done. It is called without the lock, so that it may make calls of the
 * same plan, as other threads may meanwhile; if it leaves another device current, that becomes the
 * plan's again. units 0: only looks. Errors: CANCELLED, MEMORY, UNSUPPORTED (the call's first
 * error). */
armilla_status armilla_cuda_frame_reached(armilla_cuda_frame *f, int64_t units);

/* exec of a call inside another one, on one field of the device. */
armilla_exec armilla_cuda_inner_exec(int64_t map_distance, const armilla_cuda_work *work);

/* exec of the share that one of several GPUs has of a call: arrays of the host, a stream of its
 * own. */
armilla_exec armilla_cuda_member_exec(const armilla_exec *exec, int64_t ntrans, void *stream,
                                      const armilla_listener *listener);

/* Given: status of the call so far. Returned: that, or the device's first error. */
armilla_status armilla_cuda_frame_close(armilla_cuda_frame *f, armilla_status status);

#endif

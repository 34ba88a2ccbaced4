/* What a call does between two of its parts, on the way of the caller's progress function. */
#ifndef ARMILLA_CUDA_REACHED_H
#define ARMILLA_CUDA_REACHED_H

#include "base/progress.h"
#include "base/status.h"
#include "cuda/work.h"

#include <pthread.h>

/* A call of `what`, and the lock of its plan that it holds; NULL: none. */
typedef struct armilla_cuda_listened {
    armilla_progress *progress;
    armilla_cuda_work *work;
    pthread_mutex_t *held;
    const char *what;
} armilla_cuda_listened;

/* So many more units are on the stream. Where somebody listens, the device is waited for, since the
 * function hears of what is done. It is called without the lock, so that it may make calls of the
 * same plan, as other threads may meanwhile; if it leaves another device current, that becomes the
 * plan's again. units 0: only looks. Errors: CANCELLED, MEMORY, UNSUPPORTED (the call's first
 * error). */
armilla_status armilla_cuda_reached(const armilla_cuda_listened *call, int64_t units);

#endif

/* What a stage of a transform works with: a team of threads, scratch for each of them, and the
 * caller's progress function. The stage runs its own loop over the team. */
#ifndef ARMILLA_BASE_WORK_H
#define ARMILLA_BASE_WORK_H

#include "base/progress.h"

#include <stdint.h>

typedef struct armilla_work {
    int nthreads;
    int64_t scratch_size; /* doubles of a thread: what the stage asks for or more, whole lines */
    double *scratch;      /* of all threads, 64-byte aligned */
    armilla_progress *progress;
} armilla_work;

static inline double *armilla_work_scratch(const armilla_work *work, int thread)
{
    return work->scratch + (int64_t)thread * work->scratch_size;
}

#endif

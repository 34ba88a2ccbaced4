/* A team of threads works through numbered tasks. Built on POSIX threads that are kept (pool.h), or
 * on OpenMP where ARMILLA_THREADS=openmp was chosen. */
#ifndef ARMILLA_BASE_TEAM_H
#define ARMILLA_BASE_TEAM_H

#include "base/compiler.h"

#include <stdint.h>

/* index: number of the task; thread: 0 .. team size - 1, for per-thread workspace. Tasks must not
 * fail: allocate before the team starts. */
typedef void (*armilla_team_task)(void *context, int64_t index, int thread);

/* Number of threads a call with this argument uses: nthreads, or all available for 0 (or less). */
int armilla_team_size(int nthreads);

/* Runs task(context, i, thread) for every 0 <= i < ntasks, each once, in any order on at most
 * nthreads threads (0 = all); tasks with low numbers start first. Returns when all are done. */
ARMILLA_FOR_FILES void armilla_team_run(int nthreads, int64_t ntasks, armilla_team_task task,
                                        void *context);

#endif

/* Runs tasks by a team of threads, and decides how many these are. Tasks are handed out one at a
 * time by an atomic counter (tasks here are large: one order m or one batch of rings). */
#include "base/team.h"

#include "armilla/status.h"
#include "base/platform.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#if defined(ARMILLA_THREADS_PTHREAD)
#include "base/pool.h"
#endif

/* ThreadSanitizer takes a counter that all members change for an order of their tasks, and sees
 * only what two of them do at the same moment, which short tasks never do. There each member has
 * its own tasks, the same every time. */
#if !defined(ARMILLA_THREADS_PTHREAD) && defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TASKS_IN_TURNS
#endif
#endif
#if defined(TASKS_IN_TURNS)
enum { IN_TURNS = 1 };
#else
enum { IN_TURNS = 0 };
#endif

enum { MAX_THREADS = 1024 };

typedef struct {
    _Atomic int64_t next;
    int64_t ntasks;
    armilla_team_task task;
    void *context;
    int members;
} queue;

static void work(queue *tasks, int thread, int members)
{
    for (int64_t index = thread;; index += members) {
        if (!IN_TURNS) index = atomic_fetch_add(&tasks->next, 1);
        if (index >= tasks->ntasks) return;
        tasks->task(tasks->context, index, thread);
    }
}

/* The system is asked once per process: teams are short-lived and many. */
static int quota(void)
{
    static _Atomic int known = -1;
    int value = atomic_load_explicit(&known, memory_order_relaxed);
    if (value >= 0) return value;
    value = armilla_platform_quota();
    atomic_store_explicit(&known, value, memory_order_relaxed);
    return value;
}

/* The first number of a list, as OpenMP has them; 0: the variable does not say. */
static int number_of(const char *variable)
{
    const char *text = getenv(variable);
    char *end;
    if (!text) return 0;
    const long number = strtol(text, &end, 10);
    const int whole = end != text && end[strspn(end, " \t")] == 0;
    if (!(whole || *end == ',') || number < 1) return 0;
    return number < MAX_THREADS ? (int)number : MAX_THREADS;
}

/* What the environment says, read once per process; 0: nothing. */
static int wanted(void)
{
    static _Atomic int known = -1;
    int value = atomic_load_explicit(&known, memory_order_relaxed);
    if (value >= 0) return value;
    value = number_of("ARMILLA_NUM_THREADS");
    if (!value) value = number_of("OMP_NUM_THREADS");
    atomic_store_explicit(&known, value, memory_order_relaxed);
    return value;
}

int armilla_thread_count(void)
{
    if (wanted()) return wanted();
    int processors = armilla_platform_processors(), limit = quota();
    return limit > 0 && limit < processors ? limit : processors;
}

int armilla_team_size(int nthreads)
{
    if (nthreads <= 0) nthreads = armilla_thread_count();
    return nthreads < MAX_THREADS ? nthreads : MAX_THREADS;
}

#if defined(ARMILLA_THREADS_PTHREAD)

static void member_main(void *context, int member)
{
    queue *tasks = context;
    work(tasks, member, tasks->members);
}

static void run_parallel(queue *tasks, int nthreads)
{
    tasks->members = nthreads;
    armilla_pool_run(nthreads, armilla_thread_count, member_main, tasks);
}

#else

#include <omp.h>

static void run_parallel(queue *tasks, int nthreads)
{
#pragma omp parallel num_threads(nthreads)
    work(tasks, omp_get_thread_num(), omp_get_num_threads());
}

#endif

void armilla_team_run(int nthreads, int64_t ntasks, armilla_team_task task, void *context)
{
    nthreads = armilla_team_size(nthreads);
    if (nthreads > ntasks) nthreads = (int)ntasks;
    if (nthreads > 1) {
        queue tasks = {.ntasks = ntasks, .task = task, .context = context};
        run_parallel(&tasks, nthreads);
        return;
    }
    for (int64_t i = 0; i < ntasks; i++) task(context, i, 0); /* without a shared counter */
}

/* Runs the parts of a call on several GPUs, each in a thread of its own, adds up their progress for
 * the calling thread, and brings back the first error with its words, which belong to the thread
 * that found it. */
#include "base/parts.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>

enum { MESSAGE_SIZE = 512 };

typedef struct team team;

typedef struct {
    team *of;
    int64_t number;
    pthread_t thread;
    int has_thread;
    double fraction; /* done */
    armilla_status status;
    char message[MESSAGE_SIZE];
} part;

struct team {
    armilla_part_fn run;
    void *context;
    const armilla_listener *listener;
    pthread_t caller;
    double told; /* the last fraction that the caller has heard */
    int64_t nparts;
    part *parts;
    /* what follows, and the parts' fractions, belong to the lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t running; /* threads that have not ended */
    int cancelled;
};

static int64_t threads_left = -1;

void armilla_parts_limit_threads(int64_t most)
{
    threads_left = most;
}

/* --- Progress --------------------------------------------------------------------------------- */

/* In the calling thread; the lock is not held, since the function may take its time. */
static int tell(team *t)
{
    double sum = 0;
    pthread_mutex_lock(&t->lock);
    for (int64_t i = 0; i < t->nparts; i++) sum += t->parts[i].fraction;
    int cancelled = t->cancelled;
    pthread_mutex_unlock(&t->lock);
    t->told = sum / (double)t->nparts;
    if (cancelled || !t->listener->progress(t->listener->data, t->told)) return cancelled;
    pthread_mutex_lock(&t->lock);
    t->cancelled = 1;
    pthread_mutex_unlock(&t->lock);
    return 1;
}

/* An armilla_progress_fn: what a part says of itself. */
static int hear(void *data, double fraction)
{
    part *p = data;
    team *t = p->of;
    pthread_mutex_lock(&t->lock);
    p->fraction = fraction;
    const int cancelled = t->cancelled;
    pthread_cond_signal(&t->changed);
    pthread_mutex_unlock(&t->lock);
    return pthread_equal(pthread_self(), t->caller) ? tell(t) : cancelled;
}

/* --- Parts ------------------------------------------------------------------------------------ */

static void run_part(part *p)
{
    team *t = p->of;
    const armilla_listener own = {t->listener->progress ? hear : NULL, p};
    p->status = t->run(t->context, p->number, &own);
    if (p->status) snprintf(p->message, sizeof p->message, "%s", armilla_status_message());
    pthread_mutex_lock(&t->lock);
    p->fraction = 1;
    pthread_mutex_unlock(&t->lock);
}

static void *run_in_thread(void *data)
{
    part *p = data;
    team *t = p->of;
    run_part(p);
    pthread_mutex_lock(&t->lock);
    t->running--;
    pthread_cond_signal(&t->changed);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* Signals are for the program's own threads. */
static int make_thread(part *p)
{
    sigset_t all, before;
    if (threads_left == 0) return 0;
    if (threads_left > 0) threads_left--;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before)) return 0;
    const int error = pthread_create(&p->thread, NULL, run_in_thread, p);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !error;
}

static void start(team *t)
{
    for (int64_t i = 0; i < t->nparts; i++) t->parts[i] = (part){.of = t, .number = i};
    for (int64_t i = 1; i < t->nparts; i++) {
        pthread_mutex_lock(&t->lock);
        if ((t->parts[i].has_thread = make_thread(&t->parts[i]))) t->running++;
        pthread_mutex_unlock(&t->lock);
    }
}

/* Until all threads have ended; meanwhile the caller hears of them. */
static void wait_for_threads(team *t)
{
    pthread_mutex_lock(&t->lock);
    while (t->running) {
        pthread_cond_wait(&t->changed, &t->lock);
        if (!t->listener->progress) continue;
        pthread_mutex_unlock(&t->lock);
        tell(t);
        pthread_mutex_lock(&t->lock);
    }
    pthread_mutex_unlock(&t->lock);
    for (int64_t i = 1; i < t->nparts; i++)
        if (t->parts[i].has_thread) pthread_join(t->parts[i].thread, NULL);
}

/* A part that was told to stop is not the reason of an error elsewhere. */
static armilla_status first_error(const team *t)
{
    const part *found = NULL;
    for (int64_t i = 0; i < t->nparts; i++) {
        const part *p = &t->parts[i];
        if (!p->status) continue;
        if (!found || (found->status == ARMILLA_ERROR_CANCELLED && p->status != found->status))
            found = p;
    }
    return found ? armilla_status_record(found->status, found->message) : ARMILLA_OK;
}

armilla_status armilla_parts_run(int64_t nparts, armilla_part_fn run, void *context,
                                 const armilla_listener *listener)
{
    team t = {.run = run,
              .context = context,
              .listener = listener,
              .caller = pthread_self(),
              .nparts = nparts};
    armilla_status status = armilla_allocate(&t.parts, nparts, sizeof *t.parts);
    if (status) return status;
    pthread_mutex_init(&t.lock, NULL);
    pthread_cond_init(&t.changed, NULL);
    start(&t);
    for (int64_t i = 0; i < nparts; i++)
        if (!t.parts[i].has_thread) run_part(&t.parts[i]);
    wait_for_threads(&t);
    status = first_error(&t);
    if (!status && listener->progress && t.told < 1) tell(&t); /* threads had ended before */
    pthread_cond_destroy(&t.changed);
    pthread_mutex_destroy(&t.lock);
    armilla_release(t.parts);
    return status;
}

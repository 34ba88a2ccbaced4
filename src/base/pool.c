/* Keeps threads from one call to the next and hands each its work through an atomic variable, its
 * state. A worker is in one of three states:
 *
 *     IDLE --a call posts its work--> POSTED --the worker takes it--> RUNNING --done--> IDLE
 *                                        |
 *                                        +--the call, done before, takes it back--> IDLE
 *
 * so that a call waits for workers that have begun, but never for one to wake up. Who changes the
 * state then looks whether the other side sleeps; who goes to sleep says so and then looks at the
 * state. One of the two sees the other. That needs one total order, which C's atomic stores and
 * loads have, but not under QEMU 7.2, which lets a load of an Arm program overtake the store before
 * it: calls slept on for ever. What is written before such a look is therefore exchanged. */
#include "base/pool.h"

#include "base/compiler.h"
#include "base/integer.h"
#include "base/platform.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { IDLE, POSTED, RUNNING };
enum { SPINS = 2000 }; /* looks before sleep: some 20 to 80 us, longer than between two stages */

typedef struct worker {
    _Atomic int state, asleep, awaited; /* awaited: the call sleeps until it is IDLE */
    pthread_mutex_t mutex;
    pthread_cond_t posted, done;
    void (*work)(void *context, int member);
    void *context;
    int member;
    struct worker *next; /* of the idle ones, or of those of one call */
    pthread_t thread;
    armilla_affinity processors; /* on which it may run */
} worker;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static worker workers[ARMILLA_POOL_MOST], *idle; /* idle: the one used last comes first */
static int made, busy;                           /* busy: calls and their workers */
static unsigned generation;                      /* of processes: a fork begins a new one */

static void write_then_look(_Atomic int *flag, int value)
{
    (void)atomic_exchange(flag, value);
}

/* --- Forks ------------------------------------------------------------------------------------ */

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static void in_the_child(void)
{
    idle = NULL, made = 0, busy = 0, generation++;
    pthread_mutex_unlock(&lock);
}

static void heed_forks(void)
{
    pthread_atfork(before_fork, after_fork, in_the_child);
}

/* --- A worker --------------------------------------------------------------------------------- */

static int is_posted(worker *self)
{
    return atomic_load(&self->state) == POSTED;
}

static void wait_for_work(worker *self)
{
    for (int i = 0; i < SPINS; i++) {
        if (is_posted(self)) return;
        ARMILLA_PAUSE();
    }
    pthread_mutex_lock(&self->mutex);
    write_then_look(&self->asleep, 1);
    while (!is_posted(self)) pthread_cond_wait(&self->posted, &self->mutex);
    atomic_store(&self->asleep, 0);
    pthread_mutex_unlock(&self->mutex);
}

static void *worker_main(void *argument)
{
    worker *self = argument;
    for (;;) {
        int expected = POSTED;
        wait_for_work(self);
        if (!atomic_compare_exchange_strong(&self->state, &expected, RUNNING)) continue;
        self->work(self->context, self->member);
        write_then_look(&self->state, IDLE);
        if (!atomic_load(&self->awaited)) continue;
        pthread_mutex_lock(&self->mutex);
        pthread_cond_signal(&self->done);
        pthread_mutex_unlock(&self->mutex);
    }
    return NULL;
}

/* Signals are for the threads of the program. */
static int start_thread(worker *made_for)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before)) return 0;
    const int runs = armilla_platform_start_thread(&made_for->thread, worker_main, made_for);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return runs;
}

/* Under the lock. NULL: there cannot be more. */
static worker *new_worker(void)
{
    if (made == ARMILLA_POOL_MOST) return NULL;
    worker *self = &workers[made];
    *self = (worker){.state = IDLE};
    pthread_mutex_init(&self->mutex, NULL);
    pthread_cond_init(&self->posted, NULL);
    pthread_cond_init(&self->done, NULL);
    if (!start_thread(self)) return NULL;
    made++;
    return self;
}

/* --- A call ----------------------------------------------------------------------------------- */

/* Up to members - 1 workers for a call, as a list. *count: how many they are. */
static worker *take(int members, int (*processors)(void), int *count, unsigned *born)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    worker *taken = NULL;
    pthread_once(&once, heed_forks);
    pthread_mutex_lock(&lock);
    const int most = busy ? (int)armilla_larger(members, processors()) : members;
    busy++;
    for (*count = 0; *count < members - 1 && busy < most; ++*count, ++busy) {
        worker *next = idle ? idle : new_worker();
        if (!next) break;
        if (next == idle) idle = next->next;
        next->next = taken, taken = next;
    }
    *born = generation;
    pthread_mutex_unlock(&lock);
    return taken;
}

static void give_back(worker *taken, int count, unsigned born)
{
    pthread_mutex_lock(&lock);
    if (born == generation) {
        busy -= 1 + count;
        for (worker *next; taken; taken = next)
            next = taken->next, taken->next = idle, idle = taken;
    }
    pthread_mutex_unlock(&lock);
}

/* Workers run where the thread that calls may run, as threads that it made would. */
static void follow_caller(worker *taken)
{
    armilla_affinity mine;
    if (!taken || !armilla_platform_affinity(&mine)) return;
    for (worker *next = taken; next; next = next->next)
        if (memcmp(&next->processors, &mine, sizeof mine) != 0 &&
            armilla_platform_bind(next->thread, &mine))
            next->processors = mine;
}

static void post(worker *to, void (*work)(void *, int), void *context, int member)
{
    to->work = work, to->context = context, to->member = member;
    write_then_look(&to->state, POSTED);
    if (!atomic_load(&to->asleep)) return;
    pthread_mutex_lock(&to->mutex);
    pthread_cond_signal(&to->posted);
    pthread_mutex_unlock(&to->mutex);
}

/* Takes the work back, or waits until it is done. */
static void finish(worker *of)
{
    int expected = POSTED;
    if (atomic_compare_exchange_strong(&of->state, &expected, IDLE)) return;
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load(&of->state) == IDLE) return;
        ARMILLA_PAUSE();
    }
    pthread_mutex_lock(&of->mutex);
    write_then_look(&of->awaited, 1);
    while (atomic_load(&of->state) != IDLE) pthread_cond_wait(&of->done, &of->mutex);
    atomic_store(&of->awaited, 0);
    pthread_mutex_unlock(&of->mutex);
}

void armilla_pool_run(int members, int (*processors)(void), void (*work)(void *context, int member),
                      void *context)
{
    int count, member = 1;
    unsigned born;
    worker *taken = take(members, processors, &count, &born);
    follow_caller(taken);
    for (worker *next = taken; next; next = next->next) post(next, work, context, member++);
    work(context, 0);
    for (worker *next = taken; next; next = next->next) finish(next);
    give_back(taken, count, born);
}

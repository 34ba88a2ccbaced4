/* Many threads of the caller, each with a team of its own, go through calls that run on a team at
 * the same time and on the same plans: each must give the bits that one thread alone gives. Whether
 * they also keep off each other's memory is what ThreadSanitizer says: `make test-tsan` (POSIX
 * threads) and `make test-races` (OpenMP). Included after cmocka.h. */
#ifndef ARMILLA_TESTS_CONCURRENT_H
#define ARMILLA_TESTS_CONCURRENT_H

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Teams of one caller steal processors from those of others, so that their members start late, end
 * late and meet in every order, also where there are fewer processors than threads: the library is
 * told of as many as all teams together have, or it would give them to few. */
enum { CALLERS = 4, TEAM = 3, MOST_WORKS = 16 };

__attribute__((constructor)) static void tell_of_all_threads(void) /* is read once per process */
{
    setenv("ARMILLA_NUM_THREADS", "12", 1);
}

/* --- Works: calls with their inputs, each writing one array ----------------------------------- */

typedef armilla_status (*call)(const void *inputs, double *output, int nthreads);

typedef struct {
    const char *name;
    call run;
    const void *inputs;
} work;

typedef struct {
    work works[MOST_WORKS];
    double *expected[MOST_WORKS];
    int count, first;
    int64_t length; /* doubles; every output fits */
    pthread_barrier_t start;
} stress;

typedef struct {
    stress *s;
    int number;
    double *output;
    const char *failed; /* cmocka's assertions are not for other threads */
} caller;

static inline const char *try_work(const caller *c, int index)
{
    const work *w = &c->s->works[index];
    const size_t bytes = (size_t)c->s->length * sizeof(double);
    memset(c->output, 0, bytes);
    if (w->run(w->inputs, c->output, TEAM)) return armilla_status_message();
    return memcmp(c->output, c->s->expected[index], bytes) ? w->name : NULL;
}

/* Each caller begins elsewhere in the list, so that different calls meet, too. */
static inline void *run_caller(void *argument)
{
    caller *c = argument;
    const int count = c->s->count;
    pthread_barrier_wait(&c->s->start);
    for (int i = 0; i < count && !c->failed; i++)
        c->failed = try_work(c, (i + c->number * count / CALLERS) % count);
    return NULL;
}

static inline void run_callers(stress *s, const char *label)
{
    pthread_t thread[CALLERS];
    caller callers[CALLERS];
    assert_int_equal(pthread_barrier_init(&s->start, NULL, CALLERS), 0);
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (caller){s, i, checked_malloc(s->length, sizeof(double)), NULL};
        assert_int_equal(pthread_create(&thread[i], NULL, run_caller, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&s->start);
    for (int i = 0; i < CALLERS; i++) {
        if (callers[i].failed) fail_msg("%s, caller %d: %s", label, i, callers[i].failed);
        free(callers[i].output);
    }
}

/* count works, of which none writes more than length doubles. */
static inline void check_works(const work *works, int count, int64_t length, const char *label)
{
    stress s = {.count = count, .length = length};
    assert_true(count <= MOST_WORKS);
    assert_int_equal(armilla_thread_count(), CALLERS * TEAM);
    memcpy(s.works, works, (size_t)count * sizeof *works);
    for (int i = 0; i < count; i++) {
        s.expected[i] = checked_calloc(length, sizeof(double));
        check_ok(works[i].run(works[i].inputs, s.expected[i], 1));
    }
    run_callers(&s, label);
    for (int i = 0; i < count; i++) free(s.expected[i]);
}

static inline armilla_exec exec_with(int nthreads, int64_t ntrans)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = nthreads, exec.ntrans = ntrans;
    return exec;
}

#endif

/* Checks the threads that the library keeps: each takes part at most once, calls share the
 * processors, nothing is lost where threads cannot be made, and a forked child begins anew. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/compiler.h"
#include "base/pool.h"
#include "base/team.h"
#include "oracle/checks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(ARMILLA_THREADS_PTHREAD)
enum { OWN_TEAM = 1 };
#else
enum { OWN_TEAM = 0 };
#endif
#if defined(__SANITIZE_THREAD__)
enum { UNDER_TSAN = 1 };
#else
enum { UNDER_TSAN = 0 };
#endif
enum { MEMBERS = 5, ROUNDS = 2000, CALLERS = 4 };

/* --- Threads that cannot be made -------------------------------------------------------------- */

static _Atomic int allowed = -1, refused; /* how many more; -1: any number */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    static int (*original)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "pthread_create");
    if (allowed == 0) {
        refused++;
        return 11; /* EAGAIN */
    }
    if (allowed > 0) allowed--;
    return original(thread, attributes, start, argument);
}

/* --- Members ---------------------------------------------------------------------------------- */

static int four(void)
{
    return 4;
}

typedef struct {
    _Atomic int seen[MEMBERS], inside, most;
    int wait_for; /* until so many are inside, or seconds have passed */
} meeting;

static void come(void *context, int member)
{
    meeting *m = context;
    m->seen[member]++;
    int now = ++m->inside, most = m->most;
    while (now > most && !atomic_compare_exchange_weak(&m->most, &most, now)) continue;
    for (int i = 0; m->most < m->wait_for && i < 100000; i++) usleep(100);
    m->inside--;
}

static void each_member_comes_at_most_once(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        meeting m = {.wait_for = 0};
        armilla_pool_run(1 + round % MEMBERS, four, come, &m);
        assert_int_equal(m.seen[0], 1);
        assert_int_equal(m.inside, 0);
        for (int i = 1; i < MEMBERS; i++) assert_true(m.seen[i] <= (i <= round % MEMBERS));
    }
}

/* Awake, asleep, or yet to be made. */
static void members_work_side_by_side(void **state)
{
    (void)state;
    for (int round = 0; round < 4; round++) {
        meeting m = {.wait_for = MEMBERS};
        armilla_pool_run(MEMBERS, four, come, &m);
        assert_int_equal(m.most, MEMBERS);
        if (round % 2) usleep(20000);
    }
}

enum { WAKES = 6000, LOOKS = 2000 }; /* LOOKS: of pool.c before a call sleeps */

typedef struct {
    _Atomic int begun;
    int looks; /* how long the other member works after the first is done */
} long_work;

static void work_longer(void *context, int member)
{
    long_work *w = context;
    if (member) {
        atomic_store(&w->begun, 1);
        for (int i = 0; i < w->looks; i++) ARMILLA_PAUSE();
    } else
        for (int i = 0; !atomic_load(&w->begun) && i < 100000; i++) ARMILLA_PAUSE();
}

/* The other member ends when the call is about to sleep, or just after: a call that slept on would
 * be ended by the alarm. */
static void calls_that_go_to_sleep_are_woken(void **state)
{
    (void)state;
    const int wakes = getenv("ARMILLA_TEST_EMULATED") ? 10 * WAKES : WAKES;
    alarm(120);
    for (int round = 0; round < wakes; round++) {
        long_work w = {.looks = LOOKS / 2 + round % (3 * LOOKS)};
        armilla_pool_run(2, four, work_longer, &w);
    }
    alarm(0);
}

#if defined(__linux__)
static void note_processors(void *context, int member)
{
    cpu_set_t *sets = context;
    sched_getaffinity(0, sizeof *sets, &sets[member]);
    usleep(1000); /* so that the other member begins, too */
}
#endif

/* Kept threads were made when the caller was bound to one processor, or to all. */
static void members_run_where_the_caller_may(void **state)
{
    (void)state;
#if defined(__linux__)
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
    for (int round = 0; round < 20; round++) {
        const cpu_set_t *now = round % 2 ? &all : &one;
        cpu_set_t seen[2] = {*now, *now};
        assert_int_equal(sched_setaffinity(0, sizeof *now, now), 0);
        armilla_pool_run(2, four, note_processors, seen);
        assert_true(CPU_EQUAL(&seen[1], now));
    }
    sched_setaffinity(0, sizeof all, &all);
#endif
}

/* --- Calls side by side ----------------------------------------------------------------------- */

static _Atomic int working, most_working;

static void count_work(void *context, int member)
{
    (void)member;
    int now = ++working, most = most_working;
    while (now > most && !atomic_compare_exchange_weak(&most_working, &most, now)) continue;
    usleep(200);
    ++*(_Atomic int64_t *)context;
    working--;
}

static void *call_often(void *argument)
{
    for (int i = 0; i < 50; i++) armilla_pool_run(3, four, count_work, argument);
    return NULL;
}

/* Four callers, and never more than the four processors: nobody gets a helper while all call. */
static void calls_share_the_processors(void **state)
{
    (void)state;
    pthread_t threads[CALLERS];
    _Atomic int64_t count[CALLERS] = {0};
    most_working = 0;
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call_often, (void *)&count[i]), 0);
    for (int i = 0; i < CALLERS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < CALLERS; i++) assert_in_range(count[i], 50, 150);
    assert_in_range(most_working, 1, CALLERS + 3); /* those that were busy when the others came */
}

/* --- Transforms ------------------------------------------------------------------------------- */

typedef struct {
    armilla_grid *grid;
    armilla_sht *sht;
    double alm[2 * 33 * 34 / 2], map[3072], judge[3072];
    armilla_exec exec;
} scene;

static void transform(scene *s, double *map)
{
    assert_int_equal(armilla_sht_synthesis(s->sht, s->alm, map, &s->exec), ARMILLA_OK);
}

static void set_up(scene *s, int nthreads)
{
    random_fill(7, sizeof s->alm / sizeof *s->alm, s->alm);
    assert_int_equal(armilla_grid_new_healpix(16, &s->grid), ARMILLA_OK);
    assert_int_equal(armilla_sht_new(s->grid, 32, 32, NULL, &s->sht), ARMILLA_OK);
    armilla_exec_init(&s->exec);
    s->exec.nthreads = 1;
    transform(s, s->judge);
    s->exec.nthreads = nthreads;
}

static void check(scene *s)
{
    for (int i = 0; i < 20; i++) {
        memset(s->map, 0, sizeof s->map);
        transform(s, s->map);
        assert_memory_equal(s->map, s->judge, sizeof s->map);
    }
}

static void tear_down(scene *s)
{
    armilla_sht_free(s->sht);
    armilla_grid_free(s->grid);
}

/* More threads than the tests before have left, of which none, then one can be made. */
static void threads_that_cannot_be_made_are_done_without(void **state)
{
    (void)state;
    if (!OWN_TEAM) skip(); /* the OpenMP library ends the process */
    scene s;
    set_up(&s, 12);
    for (int more = 0; more < 2; more++) {
        allowed = more;
        refused = 0;
        check(&s);
        assert_true(refused > 0);
    }
    allowed = -1;
    check(&s);
    tear_down(&s);
}

/* The child's own: two work at once. Not by assertions, which end a test, not a process. */
static int two_meet(void)
{
    meeting m = {.wait_for = 2};
    armilla_pool_run(2, four, come, &m);
    return m.most == 2;
}

/* Both use two threads before and after; a child that waits for threads that it lacks is ended. */
static void a_forked_child_transforms(void **state)
{
    (void)state;
    if (!OWN_TEAM || UNDER_TSAN) skip(); /* neither has threads in a child of several threads */
    if (getenv("ARMILLA_TEST_EMULATED")) skip(); /* QEMU 7.2 itself fails in such a child */
    scene s;
    set_up(&s, 2);
    check(&s);
    for (int round = 0; round < 3; round++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(30);
            check(&s);
            _exit(two_meet() ? 0 : 1);
        }
        check(&s);
        int ended;
        assert_int_equal(waitpid(child, &ended, 0), child);
        assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    }
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_member_comes_at_most_once),
        cmocka_unit_test(members_work_side_by_side),
        cmocka_unit_test(calls_that_go_to_sleep_are_woken),
        cmocka_unit_test(members_run_where_the_caller_may),
        cmocka_unit_test(calls_share_the_processors),
        cmocka_unit_test(threads_that_cannot_be_made_are_done_without),
        cmocka_unit_test(a_forked_child_transforms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

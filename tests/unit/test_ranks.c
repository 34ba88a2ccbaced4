/* Transforms over ranks have the bits of one rank, whatever the ranks are and however late messages
 * come: ranks are threads here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/progress.h"
#include "oracle/checks.h"
#include "ranks/cases.h"
#include "ranks/checksums.h"
#include "ranks/thread_transport.h"

#include <pthread.h>

static int run_one(const armilla_transport *transport, void *context)
{
    return ranks_run_case(transport, context);
}

static void check_cases(int64_t nranks, unsigned delays)
{
    const ranks_threads_options options = {.nranks = nranks, .delays = delays};
    for (const ranks_case *c = ranks_cases; c->grid; c++)
        assert_int_equal(ranks_run_threads(&options, run_one, (void *)c), 0);
}

static void bits_do_not_depend_on_the_number_of_ranks(void **state)
{
    static const int64_t nranks[] = {3, 1, 2, 5, 8};
    const size_t count = checks_quick() ? 1 : sizeof nranks / sizeof *nranks;
    (void)state;
    for (size_t i = 0; i < count; i++) check_cases(nranks[i], 0);
}

/* Every case, its orders and rings dealt at random: numbers agree to rounding. */
static void any_rank_may_have_any_ring(void **state)
{
    static const int64_t nranks[] = {2, 1, 3, 5};
    const size_t count = checks_quick() ? 1 : sizeof nranks / sizeof *nranks;
    (void)state;
    for (int i = 0; ranks_cases[i].grid; i++)
        for (size_t k = 0; k < count; k++) {
            const ranks_threads_options options = {.nranks = nranks[k]};
            ranks_case c = ranks_cases[i];
            if (checks_quick() && i % 4) continue;
            c.scattered = 100 * (uint64_t)i + 10 * k + 7;
            c.pseudo = 0;
            assert_int_equal(ranks_run_threads(&options, run_one, &c), 0);
        }
}

static void messages_may_be_late(void **state)
{
    (void)state;
    if (!checks_quick()) check_cases(4, 300);
}

/* Pokes come from the thread that calls, and messages move while stages run. */
static void messages_move_while_ranks_compute(void **state)
{
    int64_t taken_early = 0;
    const ranks_threads_options options = {.nranks = 3, .taken_early = &taken_early};
    (void)state;
    armilla_progress_set_poke_interval(0);
    for (int i = 0; ranks_cases[i].grid; i++)
        if (!checks_quick() || i % 4 == 0)
            assert_int_equal(ranks_run_threads(&options, run_one, (void *)&ranks_cases[i]), 0);
    armilla_progress_set_poke_interval(1e-4);
    assert_true(taken_early > 0);
}

/* --- Checksums ------------------------------------------------------------------------------- */

typedef struct {
    pthread_mutex_t lock;
    int nthreads;
    uint64_t sums[RANKS_CHECKSUMS];
} total;

static int add_to_total(const armilla_transport *transport, void *context)
{
    total *all = context;
    uint64_t own[RANKS_CHECKSUMS] = {0};
    const int failed = ranks_add_checksums(transport, all->nthreads, 0, own);
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < RANKS_CHECKSUMS; i++) all->sums[i] += own[i];
    pthread_mutex_unlock(&all->lock);
    return failed;
}

static void add_up(int64_t nranks, int nthreads, total *all)
{
    const ranks_threads_options options = {.nranks = nranks};
    *all = (total){.lock = PTHREAD_MUTEX_INITIALIZER, .nthreads = nthreads};
    assert_int_equal(ranks_run_threads(&options, add_to_total, all), 0);
}

static void checksums_do_not_depend_on_ranks_and_threads(void **state)
{
    static const int64_t nranks[] = {1, 2, 3, 4, 5, 8};
    total first, other;
    (void)state;
    add_up(1, 1, &first);
    for (int i = checks_quick() ? 2 * 5 : 0; i < 2 * 6; i++) {
        add_up(nranks[i / 2], 1 + i % 2, &other);
        assert_memory_equal(other.sums, first.sums, sizeof first.sums);
    }
    for (int i = 0; i < RANKS_CHECKSUMS; i += 6) /* one field, with groups or without */
        assert_memory_equal(first.sums + i, first.sums + i + 4, 2 * sizeof *first.sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_do_not_depend_on_the_number_of_ranks),
        cmocka_unit_test(any_rank_may_have_any_ring),
        cmocka_unit_test(messages_may_be_late),
        cmocka_unit_test(messages_move_while_ranks_compute),
        cmocka_unit_test(checksums_do_not_depend_on_ranks_and_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

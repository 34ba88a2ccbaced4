/* Redistributions over ranks that are threads: every number arrives where it is wanted, on any
 * number of ranks, with late messages, and a failure on one rank is the failure of all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "ranks/moves.h"
#include "ranks/thread_transport.h"

static int run_one(const armilla_transport *transport, void *context)
{
    const ranks_move *move = context;
    return move->run(transport);
}

static void check_moves(int64_t nranks, unsigned delays)
{
    const ranks_threads_options options = {.nranks = nranks, .delays = delays};
    for (const ranks_move *move = ranks_moves; move->name; move++)
        assert_int_equal(ranks_run_threads(&options, run_one, (void *)move), 0);
}

static void numbers_arrive_on_any_number_of_ranks(void **state)
{
    static const int64_t nranks[] = {1, 2, 3, 5, 8};
    (void)state;
    for (size_t i = 0; i < sizeof nranks / sizeof *nranks; i++) check_moves(nranks[i], 0);
}

static void messages_may_be_late(void **state)
{
    (void)state;
    check_moves(4, 30);
}

/* --- Failures -------------------------------------------------------------------------------- */

/* All numbers of all ranks go to all ranks. Returned: 0, 1 for the status that context says, or 2.
 */
static int broadcast(const armilla_transport *t, void *context)
{
    const armilla_span from = {3 * t->rank, 3, 0}, to = {0, 3 * t->nranks, 0};
    double source[3] = {1, 2, 3}, target[24] = {0};
    armilla_redistribution *r = NULL;
    armilla_status status = armilla_redistribution_new(t, 1, &from, 1, &to, NULL, &r);
    if (!status) status = armilla_redistribution_run(r, 8, 1, source, 0, target, 0);
    if (status && target[0] != 0) status = ARMILLA_ERROR_INTERNAL;
    armilla_redistribution_free(r);
    if (!status) return target[3 * t->nranks - 1] == 3 ? 0 : 2;
    return status == *(armilla_status *)context ? 1 : 2;
}

/* Whichever allocation fails on whichever rank, no rank goes on. */
static void memory_may_be_short(void **state)
{
    armilla_status status = ARMILLA_ERROR_MEMORY;
    const ranks_threads_options options = {.nranks = 3};
    int64_t n = 0, failed = 3;
    (void)state;
    for (; failed; n++) {
        armilla_memory_fail_after(n);
        failed = ranks_run_threads(&options, broadcast, &status);
        armilla_memory_fail_after(-1);
        assert_true(failed == 0 || failed == 3);
    }
    assert_true(n > 60);
}

/* A single rank, since others would wait for one whose transport has failed. */
static void the_transport_may_fail(void **state)
{
    armilla_status status = ARMILLA_ERROR_TRANSPORT;
    ranks_threads_options options = {.nranks = 1, .fails_at = 1};
    (void)state;
    while (ranks_run_threads(&options, broadcast, &status) == 1) options.fails_at++;
    assert_true(options.fails_at > 10);
    assert_int_equal(ranks_run_threads(&options, broadcast, &status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_arrive_on_any_number_of_ranks),
        cmocka_unit_test(messages_may_be_late),
        cmocka_unit_test(memory_may_be_short),
        cmocka_unit_test(the_transport_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

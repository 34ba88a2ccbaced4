/* Transforms over ranks have the bits of one rank, whatever the ranks are and however late messages
 * come: ranks are threads here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/progress.h"
#include "ranks/cases.h"
#include "ranks/thread_transport.h"

#include <stdlib.h>

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
    const size_t count = getenv("ARMILLA_TEST_QUICK") ? 1 : sizeof nranks / sizeof *nranks;
    (void)state;
    for (size_t i = 0; i < count; i++) check_cases(nranks[i], 0);
}

static void messages_may_be_late(void **state)
{
    (void)state;
    check_cases(4, 300);
}

/* Pokes come from the thread that calls, and messages move while stages run. */
static void messages_move_while_ranks_compute(void **state)
{
    int64_t taken_early = 0;
    const ranks_threads_options options = {.nranks = 3, .taken_early = &taken_early};
    (void)state;
    armilla_progress_set_poke_interval(0);
    for (const ranks_case *c = ranks_cases; c->grid; c++)
        assert_int_equal(ranks_run_threads(&options, run_one, (void *)c), 0);
    armilla_progress_set_poke_interval(1e-4);
    assert_true(taken_early > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_do_not_depend_on_the_number_of_ranks),
        cmocka_unit_test(messages_may_be_late),
        cmocka_unit_test(messages_move_while_ranks_compute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

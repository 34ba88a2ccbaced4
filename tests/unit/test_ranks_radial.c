/* Radial convolutions over ranks have the bits of one rank, whatever the ranks are and however late
 * messages come: ranks are threads here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/checks.h"
#include "ranks/radial.h"
#include "ranks/thread_transport.h"

static int run_one(const armilla_transport *transport, void *context)
{
    return ranks_run_radial(transport, context);
}

static void check_cases(int64_t nranks, unsigned delays, int64_t step)
{
    const ranks_threads_options options = {.nranks = nranks, .delays = delays};
    int64_t number = 0;
    int failed = 0;
    for (const ranks_radial_case *c = ranks_radial_cases; c->grid; c++)
        if (number++ % step == 0) failed += ranks_run_threads(&options, run_one, (void *)c) != 0;
    assert_int_equal(failed, 0);
}

static void bits_do_not_depend_on_the_number_of_ranks(void **state)
{
    static const int64_t nranks[] = {3, 1, 2, 5, 8, 13};
    const size_t count = checks_quick() ? 1 : sizeof nranks / sizeof *nranks;
    (void)state;
    for (size_t i = 0; i < count; i++) check_cases(nranks[i], 0, i == 0 ? 1 : 2);
}

static void there_may_be_more_ranks_than_rings(void **state)
{
    (void)state;
    check_cases(40, 0, 3);
}

static void messages_may_be_late(void **state)
{
    (void)state;
    check_cases(4, 300, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_do_not_depend_on_the_number_of_ranks),
        cmocka_unit_test(there_may_be_more_ranks_than_rings),
        cmocka_unit_test(messages_may_be_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

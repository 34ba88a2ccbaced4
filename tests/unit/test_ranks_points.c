/* Points over ranks have the bits of one rank with all points, whatever the ranks are and however
 * late messages come: ranks are threads here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/checks.h"
#include "ranks/points.h"
#include "ranks/thread_transport.h"

static int run_one(const armilla_transport *transport, void *context)
{
    return ranks_run_points(transport, context);
}

static int lens_one(const armilla_transport *transport, void *context)
{
    return ranks_run_lensing(transport, context);
}

static void check_cases(int64_t nranks, unsigned delays)
{
    const ranks_threads_options options = {.nranks = nranks, .delays = delays};
    for (const ranks_points_case *c = ranks_points_cases; c->npoints >= 0; c++)
        assert_int_equal(ranks_run_threads(&options, run_one, (void *)c), 0);
    for (const ranks_lensing_case *c = ranks_lensing_cases; c->grid; c++)
        assert_int_equal(ranks_run_threads(&options, lens_one, (void *)c), 0);
}

static void bits_do_not_depend_on_the_number_of_ranks(void **state)
{
    static const int64_t nranks[] = {3, 1, 2, 5, 8};
    const size_t count = checks_quick() ? 1 : sizeof nranks / sizeof *nranks;
    (void)state;
    for (size_t i = 0; i < count; i++) check_cases(nranks[i], 0);
}

static void messages_may_be_late(void **state)
{
    (void)state;
    check_cases(4, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_do_not_depend_on_the_number_of_ranks),
        cmocka_unit_test(messages_may_be_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

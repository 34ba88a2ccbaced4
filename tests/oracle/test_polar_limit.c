/* Checks that above the polar limit no order matters and that just below it one may. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/polar_limit.h"
#include "oracle/checks.h"
#include "oracle/lambda_oracle.h"

#include <math.h>
#include <stdlib.h>

static double largest(int64_t m, int64_t lmax, double theta)
{
    double *row = checked_malloc(lmax - m + 1, sizeof *row), result = 0;
    oracle_lambda_row(m, lmax, theta, row);
    for (int64_t i = 0; i <= lmax - m; i++) result = larger_or_nan(result, fabs(row[i]));
    free(row);
    return result;
}

static void nothing_matters_above_the_limit(void **state)
{
    (void)state;
    const int64_t lmax[] = {1, 5, 40, 300, 2000, 8191};
    const double theta[] = {1e-15, 1e-12, 1e-9, 1e-6, 0.003, 0.02, 0.1, 0.3, 0.7, 1.2, 1.5};
    for (size_t i = 0; i < sizeof lmax / sizeof *lmax; i++)
        for (size_t j = 0; j < sizeof theta / sizeof *theta; j++) {
            int64_t limit = armilla_polar_limit(lmax[i], theta[j]);
            if (limit == lmax[i]) continue;
            check_at_most(largest(limit + 1, lmax[i], theta[j]), 1e-17, "lmax %lld, theta %g",
                          (long long)lmax[i], theta[j]);
            int64_t inner = limit - limit / 20; /* not wasteful either */
            if (limit > 100 && largest(inner, lmax[i], theta[j]) < 1e-30) fail();
        }
}

static void ends_are_exact(void **state)
{
    (void)state;
    assert_int_equal(armilla_polar_limit(100, 0), 0);
    assert_int_equal(armilla_polar_limit(100, M_PI_2), 100);
    assert_int_equal(armilla_polar_limit(0, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_matters_above_the_limit),
        cmocka_unit_test(ends_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks that radial kernels have the values of Legendre sums in high precision and of closed
 * forms, that tables and needlets are what they are called, and that bad input and failing
 * allocations are errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/kernel_oracle.h"
#include "oracle/lambda_oracle.h"
#include "unit/test_kernel_support.h"

#include <string.h>

/* --- Values ---------------------------------------------------------------------------------- */

/* K by MPFR's Legendre functions and the window; *whole: sum of |terms| at 0. */
static long double sum_oracle(int64_t lmax, const double *window, double theta, long double *whole)
{
    double *lambda = checked_malloc(lmax + 1, 8);
    oracle_lambda_row(0, lmax, theta, lambda);
    long double sum = 0;
    *whole = 0;
    for (int64_t l = 0; l <= lmax; l++) {
        const long double norm = (long double)(2 * l + 1) / (4 * ARMILLA_PI);
        sum += window[l] * sqrtl(norm) * lambda[l];
        *whole += norm * fabsl((long double)window[l]);
    }
    free(lambda);
    return sum;
}

/* Measured: 4e-16 (4.7 arcmin, where rounding of the window in the oracle counts), else 2e-16. */
static void values_are_legendre_sums(void **state)
{
    (void)state;
    const double scale[] = {0, 0.01, 0.13, 0.5, 1, 2, 5, 11, 40, 1000};
    for (int number = 0; number <= 10; number++) {
        armilla_kernel *kernel = kernel_number(number);
        const int64_t lmax = (int64_t)(armilla_kernel_frequency(kernel) + 2);
        double *window = checked_malloc(lmax + 1, 8);
        check_ok(armilla_kernel_window(kernel, M_PI, lmax, window));
        const double width = 10 / armilla_kernel_frequency(kernel);
        for (int i = 0; i < 10; i++) {
            const double theta = fmin(M_PI, scale[i] * width);
            long double whole, expected = sum_oracle(lmax, window, theta, &whole);
            const double error = (double)(fabsl(kernel_at(kernel, theta) - expected) / whole);
            check_at_most(error, 1e-15, "kernel %d at %g", number, theta);
        }
        free(window);
        armilla_kernel_free(kernel);
    }
}

/* The first correction to the plane is theta^2 / 12, here up to 2e-12. */
static void narrow_kernels_are_those_of_the_plane(void **state)
{
    (void)state;
    const double sigma = 1e-6 / sqrt(8 * log(2));
    armilla_kernel *gaussian, *hat;
    check_ok(armilla_kernel_new_gaussian(1e-6, &gaussian));
    check_ok(armilla_kernel_new_mexican_hat(1e-6, &hat));
    for (double x = 0; x < 12; x += 0.37) {
        const double expected = exp(-x * x / 2) / (2 * M_PI * sigma * sigma);
        check_at_most(fabs(kernel_at(gaussian, x * sigma) / expected - 1), 3e-12, "x = %g", x);
        check_at_most(fabs(kernel_at(hat, x * sigma) / expected - (2 - x * x)), 3e-12 * (2 + x * x),
                      "x = %g", x);
    }
    assert_true(kernel_at(gaussian, 1) == 0);
    armilla_kernel_free(hat);
    armilla_kernel_free(gaussian);
}

static void tophat_is_one_over_the_disc(void **state)
{
    (void)state;
    armilla_kernel *kernel;
    check_ok(armilla_kernel_new_tophat(0.3, &kernel));
    const double height = 1 / (2 * M_PI * (1 - cos(0.3)));
    check_at_most(fabs(kernel_at(kernel, 0.3) / height - 1), 1e-14, "at the border");
    check_at_most(fabs(kernel_at(kernel, 0) / height - 1), 1e-14, "at 0");
    assert_true(kernel_at(kernel, nextafter(0.3, 1)) == 0);
    armilla_kernel_free(kernel);
}

/* --- Needlets -------------------------------------------------------------------------------- */

static void needlets_follow_their_definition(void **state)
{
    (void)state;
    armilla_kernel *kernel;
    double window[16];
    check_ok(armilla_kernel_new_needlet(2, 3, &kernel));
    check_ok(armilla_kernel_window(kernel, M_PI, 15, window));
    const long double whole = oracle_bump_integral(1);
    for (int l = 0; l <= 15; l++) {
        const double xi = l / 8.0, t = xi > 1 ? xi / 2 : xi; /* phi(t) is not 0 or 1 */
        const long double phi = t <= 0.5 ? 1 : oracle_bump_integral(1 - 4 * (t - 0.5L)) / whole;
        const double square = (double)(xi > 1 ? phi : 1 - phi);
        check_at_most(fabs(window[l] * window[l] - square), 1e-14, "l = %d", l);
    }
    check_at_most(fabs(window[6] - sqrt(0.5)), 1e-15, "middle of the rise");
    assert_true(window[4] == 0 && window[8] == 1);
    armilla_kernel_free(kernel);
}

static void needlets_part_unity(void **state)
{
    (void)state;
    enum { LMAX = 1000 };
    const double bases[] = {2, 1.2, 3.7};
    for (int b = 0; b < 3; b++) {
        double window[LMAX + 1], sum[LMAX + 1] = {0};
        for (int64_t scale = 0; pow(bases[b], (double)scale - 1) < LMAX; scale++) {
            armilla_kernel *kernel;
            check_ok(armilla_kernel_new_needlet(bases[b], scale, &kernel));
            check_ok(armilla_kernel_window(kernel, M_PI, LMAX, window));
            for (int l = 0; l <= LMAX; l++) sum[l] += window[l] * window[l];
            armilla_kernel_free(kernel);
        }
        assert_true(sum[0] == 0);
        for (int l = 1; l <= LMAX; l++)
            check_at_most(fabs(sum[l] - 1), 1e-13, "base %g, l = %d", bases[b], l);
    }
}

/* --- Tables ---------------------------------------------------------------------------------- */

/* Worked by hand: secants 4 and 1, slopes 5, 12/7, 0. */
static void table_is_pchip_in_the_chord(void **state)
{
    (void)state;
    const double theta[] = {0, 2 * asin(0.25), 2 * asin(0.75)}, values[] = {1, 3, 4};
    armilla_kernel *kernel;
    check_ok(armilla_kernel_new_table(3, theta, values, &kernel));
    const double h[] = {0, 0.25, 0.5, 1, 1.5}, expected[] = {1, 247.0 / 112, 3, 26.0 / 7, 4};
    for (int i = 0; i < 5; i++)
        check_at_most(fabs(kernel_at(kernel, 2 * asin(h[i] / 2)) - expected[i]), 1e-15 * 4, "%g",
                      h[i]);
    assert_true(kernel_at(kernel, theta[2]) == 4);
    assert_true(kernel_at(kernel, nextafter(theta[2], 4)) == 0);
    armilla_kernel_free(kernel);
}

static void table_is_constant_before_its_first_node(void **state)
{
    (void)state;
    const double theta[] = {0.2, 0.4, M_PI}, values[] = {2, -1, 5};
    armilla_kernel *kernel;
    check_ok(armilla_kernel_new_table(3, theta, values, &kernel));
    assert_true(kernel_at(kernel, 0) == 2 && kernel_at(kernel, 0.2) == 2);
    assert_true(kernel_at(kernel, 0.4) == -1 && kernel_at(kernel, M_PI) == 5);
    armilla_kernel_free(kernel);
}

/* Random monotone tables, gaps of any size: never beyond the neighbouring nodes, never back. */
static void tables_keep_the_shape(void **state)
{
    (void)state;
    enum { NODES = 12 };
    uint64_t stream = 31;
    for (int table = 0; table < 200; table++) {
        double theta[NODES], values[NODES], at = 0, level = random_next(&stream);
        for (int i = 0; i < NODES; i++) {
            at += 0.2 * pow(10, 3 * (random_next(&stream) - 1));
            level += pow(fabs(random_next(&stream)), 6);
            theta[i] = fmin(at, M_PI);
            values[i] = level;
        }
        armilla_kernel *kernel;
        check_ok(armilla_kernel_new_table(NODES, theta, values, &kernel));
        for (int i = 0; i + 1 < NODES; i++) {
            double before = kernel_at(kernel, theta[i]);
            assert_true(before == values[i]);
            for (int j = 1; j <= 20; j++) {
                const double step = (theta[i + 1] - theta[i]) / 20;
                const double now = kernel_at(kernel, fmin(theta[i] + j * step, theta[i + 1]));
                check_at_most(before - now, 1e-15 * (1 + fabs(level)), "table %d, piece %d", table,
                              i);
                check_at_most(now - values[i + 1], 1e-15 * (1 + fabs(level)), "table %d, piece %d",
                              table, i);
                before = now;
            }
        }
        armilla_kernel_free(kernel);
    }
}

/* --- What goes wrong ------------------------------------------------------------------------- */

static void check_refused(armilla_status status, const armilla_kernel *kernel, const char *text)
{
    check_error(status, ARMILLA_ERROR_ARGUMENT, text);
    assert_ptr_equal(kernel, (void *)(uintptr_t)0x1230);
}

static void kernels_refuse_bad_arguments(void **state)
{
    (void)state;
    armilla_kernel *k = (armilla_kernel *)(uintptr_t)0x1230;
    check_refused(armilla_kernel_new_gaussian(0, &k), k, "fwhm = 0");
    check_refused(armilla_kernel_new_gaussian(NAN, &k), k, "fwhm = ");
    check_refused(armilla_kernel_new_gaussian(5, &k), k, "5 rad are 286.479 degrees");
    check_refused(armilla_kernel_new_mexican_hat(INFINITY, &k), k, "fwhm = inf");
    check_refused(armilla_kernel_new_tophat(3.15, &k), k, "radius = 3.15");
    check_refused(armilla_kernel_new_needlet(1, 3, &k), k, "base = 1");
    check_refused(armilla_kernel_new_needlet(NAN, 3, &k), k, "base = ");
    check_refused(armilla_kernel_new_needlet(2, 19, &k), k, "scale = 19");
    check_refused(armilla_kernel_new_needlet(2, -2, &k), k, "scale = -2");
    check_refused(armilla_kernel_new_needlet(2, INT64_MAX, &k), k, "scale = ");
    const double window[] = {1, 2, NAN};
    check_refused(armilla_kernel_new_window(2, window, &k), k, "window[2]");
    check_refused(armilla_kernel_new_window(-1, window, &k), k, "lmax = -1");
    check_refused(armilla_kernel_new_window(1000001, window, &k), k, "lmax = 1000001");
    check_refused(armilla_kernel_new_window(1, NULL, &k), k, "window = NULL");
    check_error(armilla_kernel_new_gaussian(1, NULL), ARMILLA_ERROR_ARGUMENT, "kernel = NULL");
}

static void tables_refuse_bad_arguments(void **state)
{
    (void)state;
    armilla_kernel *k = (armilla_kernel *)(uintptr_t)0x1230;
    const double good[] = {0, 1, 2}, level[] = {0, 1, 1}, falling[] = {0, 2, 1};
    const double beyond[] = {0, 1, 3.2}, nan[] = {0, NAN, 2}, infinite[] = {1, 1, INFINITY};
    check_refused(armilla_kernel_new_table(3, level, good, &k), k, "theta[2] = 1");
    check_refused(armilla_kernel_new_table(3, falling, good, &k), k, "theta[2] = 1");
    check_refused(armilla_kernel_new_table(3, beyond, good, &k), k, "theta[2] = 3.2");
    check_refused(armilla_kernel_new_table(3, nan, good, &k), k, "theta[1]");
    check_refused(armilla_kernel_new_table(3, good, nan, &k), k, "values[1]");
    check_refused(armilla_kernel_new_table(3, good, infinite, &k), k, "values[2] = inf");
    check_refused(armilla_kernel_new_table(1, good, good, &k), k, "count = 1");
    check_refused(armilla_kernel_new_table(2, NULL, good, &k), k, "theta = NULL");
    check_refused(armilla_kernel_new_table(2, good, NULL, &k), k, "values = NULL");
}

static void values_refuse_bad_arguments(void **state)
{
    (void)state;
    armilla_kernel *kernel = kernel_number(2);
    const double theta[] = {0, 3.2}, negative[] = {-1e-9}, nan[] = {NAN};
    double values[2] = {5, 5};
    check_error(armilla_kernel_values(kernel, 2, theta, values), ARMILLA_ERROR_ARGUMENT,
                "theta[1]");
    check_error(armilla_kernel_values(kernel, 1, negative, values), ARMILLA_ERROR_ARGUMENT,
                "theta[0]");
    check_error(armilla_kernel_values(kernel, 1, nan, values), ARMILLA_ERROR_ARGUMENT, "theta[0]");
    check_error(armilla_kernel_values(kernel, -1, theta, values), ARMILLA_ERROR_ARGUMENT,
                "count = -1");
    check_error(armilla_kernel_values(NULL, 1, theta, values), ARMILLA_ERROR_ARGUMENT, "kernel");
    check_error(armilla_kernel_values(kernel, 1, NULL, values), ARMILLA_ERROR_ARGUMENT, "theta");
    check_error(armilla_kernel_values(kernel, 1, theta, NULL), ARMILLA_ERROR_ARGUMENT, "values");
    check_ok(armilla_kernel_values(kernel, 0, NULL, NULL));
    assert_true(values[0] == 5 && values[1] == 5);
    armilla_kernel_free(kernel);
    armilla_kernel_free(NULL);
}

static void making_survives_every_failing_allocation(void **state)
{
    (void)state;
    armilla_kernel *const untouched = (armilla_kernel *)(uintptr_t)0x1230;
    for (int number = 0; number < KERNELS; number++)
        for (int64_t n = 0;; n++) {
            armilla_kernel *kernel = untouched;
            armilla_memory_fail_after(n);
            armilla_status status = new_number(number, &kernel);
            armilla_memory_fail_after(-1);
            if (status == ARMILLA_OK) {
                assert_true(n > 0);
                armilla_kernel_free(kernel);
                break;
            }
            check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
            assert_ptr_equal(kernel, untouched);
            assert_true(n < MOST_ALLOCATIONS);
        }
}

/* A copy gives the same bits when the original is gone. */
static void copies_stand_on_their_own(void **state)
{
    (void)state;
    for (int number = 0; number < KERNELS; number++) {
        armilla_kernel *kernel = kernel_number(number), *copy = NULL;
        const double theta[] = {0, 1e-4, 0.1, 0.3, 2};
        double before[5], after[5];
        int64_t n = 0;
        for (;; n++) {
            armilla_memory_fail_after(n);
            armilla_status status = armilla_kernel_copy(kernel, &copy);
            armilla_memory_fail_after(-1);
            if (status == ARMILLA_OK) break;
            check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
            assert_null(copy);
        }
        assert_true(n > 0);
        check_ok(armilla_kernel_values(kernel, 5, theta, before));
        armilla_kernel_free(kernel);
        check_ok(armilla_kernel_values(copy, 5, theta, after));
        assert_memory_equal(before, after, sizeof before);
        armilla_kernel_free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_legendre_sums),
        cmocka_unit_test(narrow_kernels_are_those_of_the_plane),
        cmocka_unit_test(tophat_is_one_over_the_disc),
        cmocka_unit_test(needlets_follow_their_definition),
        cmocka_unit_test(needlets_part_unity),
        cmocka_unit_test(table_is_pchip_in_the_chord),
        cmocka_unit_test(table_is_constant_before_its_first_node),
        cmocka_unit_test(tables_keep_the_shape),
        cmocka_unit_test(kernels_refuse_bad_arguments),
        cmocka_unit_test(tables_refuse_bad_arguments),
        cmocka_unit_test(values_refuse_bad_arguments),
        cmocka_unit_test(making_survives_every_failing_allocation),
        cmocka_unit_test(copies_stand_on_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

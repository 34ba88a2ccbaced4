/* Checks that profiles have the values of their kernels, of every kind, random tables and sizes,
 * and that failing allocations are errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "radial/profile/profile.h"
#include "unit/test_kernel_support.h"

static long double value_at(const armilla_kernel *kernel, long double x)
{
    const long double theta = 2 * asinl(fminl(1, sqrtl(x)));
    long double value;
    armilla_kernel_evaluate(kernel, 1, &theta, &value);
    return value;
}

/* Largest error over the peak, less what three roundings of x do to the kernel itself. Points are
 * spread equally in the chord, and crowd at both ends. */
static double profile_error(const armilla_kernel *kernel, const armilla_profile *profile)
{
    enum { POINTS = 1501 };
    long double error = 0;
    for (int i = 0; i < POINTS; i++) {
        const double part = (i + 0.37) / POINTS, y = i % 3 ? part : part * part * (3 - 2 * part);
        const double x = profile->end * y * y;
        const long double value = value_at(kernel, x), found = armilla_profile_value(profile, x);
        const long double slack = fabsl(value_at(kernel, x * (1 + 6.7e-16L)) - value) +
                                  fabsl(value_at(kernel, x * (1 - 6.7e-16L)) - value);
        const long double difference = fabsl(found - value) - slack;
        if (!(difference <= error)) error = difference;
    }
    return (double)error / profile->peak;
}

/* Measured: 1.5e-15 where s = 2 x / end - 1 is rounded at the steepest Gaussians, 2e-16 in cells.
 */
static void profiles_are_the_kernels(void **state)
{
    (void)state;
    for (int number = 0; number < KERNELS; number++) {
        armilla_kernel *kernel = kernel_number(number);
        double support[] = {0, 0.011, 0.4, M_PI};
        check_ok(armilla_kernel_choose_support(kernel, 1e-7, 0, NULL, &support[0]));
        for (int i = 0; i < 4; i++) {
            armilla_profile profile;
            check_ok(armilla_profile_make(kernel, support[i], 1, &profile));
            check_at_most(profile_error(kernel, &profile), profile.ncells ? 1e-15 : 4e-15,
                          "kernel %d, support %g", number, support[i]);
            assert_true(profile.support <= support[i]);
            assert_true(armilla_profile_value(&profile, nextafter(profile.end, 2)) == 0);
            armilla_profile_free(&profile);
            assert_null(profile.coef);
        }
        armilla_kernel_free(kernel);
    }
}

/* Beams are one polynomial of moderate degree at any width; discs a constant; tables are cubics in
 * few cells. */
static void profiles_are_small(void **state)
{
    (void)state;
    const double fwhm[] = {1e-6, 1e-3, 0.1, 0.3, 1};
    armilla_profile profile;
    armilla_kernel *kernel;
    double support;
    for (int i = 0; i < 5; i++) {
        check_ok(armilla_kernel_new_gaussian(fwhm[i], &kernel));
        check_ok(armilla_kernel_choose_support(kernel, 1e-7, 0, NULL, &support));
        check_ok(armilla_profile_make(kernel, support, 1, &profile));
        assert_int_equal(profile.ncells, 0);
        assert_true(profile.degree <= 30);
        check_at_most(fabs(profile.peak / kernel_at(kernel, 0) - 1), 1e-14, "peak");
        armilla_profile_free(&profile);
        armilla_kernel_free(kernel);
    }
    kernel = kernel_number(11);
    check_ok(armilla_profile_make(kernel, 1, 1, &profile));
    assert_true(profile.ncells == 0 && profile.degree == 0 && profile.support == 0.2);
    armilla_profile_free(&profile);
    armilla_kernel_free(kernel);
    kernel = kernel_number(13);
    check_ok(armilla_profile_make(kernel, 1, 1, &profile));
    assert_true(profile.ncells <= 512 && profile.degree == 3);
    armilla_profile_free(&profile);
    armilla_kernel_free(kernel);
}

static void factor_multiplies(void **state)
{
    (void)state;
    for (int number = 0; number < KERNELS; number++) {
        armilla_kernel *kernel = kernel_number(number);
        armilla_profile one, other;
        check_ok(armilla_profile_make(kernel, 0.3, 1, &one));
        check_ok(armilla_profile_make(kernel, 0.3, -4, &other));
        assert_true(other.peak == 4 * one.peak);
        for (double y = 0; y <= 1; y += 0.01) {
            const double x = y * y * one.end;
            assert_true(armilla_profile_value(&other, x) == -4 * armilla_profile_value(&one, x));
        }
        armilla_profile_free(&other);
        armilla_profile_free(&one);
        armilla_kernel_free(kernel);
    }
}

/* The value at the end belongs to the profile, that of a table's last node too. */
static void the_end_is_included(void **state)
{
    (void)state;
    const double theta[] = {0.1, 0.2, 0.25}, values[] = {1, 2, 3};
    armilla_kernel *kernel;
    check_ok(armilla_kernel_new_table(3, theta, values, &kernel));
    for (double support = 0.2; support < 3; support += 0.05) {
        armilla_profile profile;
        check_ok(armilla_profile_make(kernel, support, 1, &profile));
        const double expected = kernel_at(kernel, fmin(support, 0.25));
        check_at_most(fabs(armilla_profile_value(&profile, profile.end) - expected), 1e-14, "%g",
                      support);
        armilla_profile_free(&profile);
    }
    armilla_kernel_free(kernel);
}

/* Tables with nodes at random, some next to each other, some of them steps; supports at random and
 * at nodes. A profile is right, or says that the table is too fine, which it does only where gaps
 * come down to 1e-10, or near the antipode. */
static void random_tables_are_right_or_refused(void **state)
{
    (void)state;
    enum { MOST = 40 };
    uint64_t stream = 77;
    for (int table = 0; table < (checks_quick() ? 100 : 600); table++) {
        double theta[MOST], values[MOST], at = 0;
        const int most = 2 + (int)((1 + random_next(&stream)) * (MOST - 2) / 2);
        int count = 0;
        const double spread = table % 4 ? 1.5 : 5;
        for (; count < most && at < M_PI; count++) {
            theta[count] = at;
            values[count] = random_next(&stream) > 0.8 ? 0 : random_next(&stream);
            at += 0.5 * pow(10, spread * (random_next(&stream) - 1));
        }
        if (count < 2) continue;
        armilla_kernel *kernel;
        check_ok(armilla_kernel_new_table(count, theta, values, &kernel));
        const double support = table % 3 ? theta[count / 2] + 1e-3 : theta[count - 1];
        armilla_profile profile;
        if (armilla_profile_make(kernel, support, 1, &profile) == ARMILLA_OK) {
            check_at_most(profile_error(kernel, &profile), 2e-15, "table %d", table);
        } else {
            assert_true(table % 4 == 0 || support > 2.5);
            check_error(ARMILLA_ERROR_ARGUMENT, ARMILLA_ERROR_ARGUMENT, "too fine");
            assert_null(profile.coef);
        }
        armilla_profile_free(&profile);
        armilla_kernel_free(kernel);
    }
}

/* A table of the whole sphere, whose nodes crowd together at the antipode, gives its values. */
static void dense_tables_of_the_whole_sphere_fit(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static double theta[COUNT], values[COUNT];
    for (int i = 0; i < COUNT; i++) {
        theta[i] = fmin(M_PI, M_PI * i / (COUNT - 1));
        values[i] = 1.3 + cos(theta[i]) + exp(-50 * theta[i] * theta[i]);
    }
    armilla_kernel *kernel;
    armilla_profile profile;
    check_ok(armilla_kernel_new_table(COUNT, theta, values, &kernel));
    for (int i = 0; i < COUNT; i++)
        check_at_most(fabs(kernel_at(kernel, theta[i]) - values[i]), 4e-9, "node %d", i);
    check_ok(armilla_profile_make(kernel, M_PI, 1, &profile));
    check_at_most(profile_error(kernel, &profile), 2e-15, "dense table");
    armilla_profile_free(&profile);
    armilla_kernel_free(kernel);
}

static void impossible_profiles_are_refused(void **state)
{
    (void)state;
    const double theta[] = {0, 1, 1 + 1e-9, 2}, values[] = {1, 1, 0, 0};
    armilla_kernel *kernel;
    armilla_profile profile;
    check_ok(armilla_kernel_new_table(4, theta, values, &kernel));
    check_error(armilla_profile_make(kernel, 2, 1, &profile), ARMILLA_ERROR_ARGUMENT,
                "table too fine");
    assert_true(!profile.coef && !profile.border && profile.ncells == 0);
    check_ok(armilla_profile_make(kernel, 1, 1, &profile)); /* up to the step it is a constant */
    assert_true(armilla_profile_value(&profile, profile.end) == 1);
    armilla_profile_free(&profile);
    armilla_kernel_free(kernel);
}

static void profiles_survive_every_failing_allocation(void **state)
{
    (void)state;
    for (int number = 0; number < KERNELS; number++) {
        armilla_kernel *kernel = kernel_number(number);
        for (int64_t n = 0;; n++) {
            armilla_profile profile;
            armilla_memory_fail_after(n);
            armilla_status status = armilla_profile_make(kernel, 0.3, 1, &profile);
            armilla_memory_fail_after(-1);
            if (status == ARMILLA_OK) {
                assert_true(n > 0);
                armilla_profile_free(&profile);
                break;
            }
            check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
            assert_true(!profile.coef && !profile.border);
            assert_true(n < MOST_ALLOCATIONS);
        }
        armilla_kernel_free(kernel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_are_the_kernels),
        cmocka_unit_test(profiles_are_small),
        cmocka_unit_test(factor_multiplies),
        cmocka_unit_test(the_end_is_included),
        cmocka_unit_test(random_tables_are_right_or_refused),
        cmocka_unit_test(dense_tables_of_the_whole_sphere_fit),
        cmocka_unit_test(impossible_profiles_are_refused),
        cmocka_unit_test(profiles_survive_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks that the windows of kernels that are cut, the error of cutting, the support that is
 * chosen, integrals and widths agree with closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_kernel_support.h"

enum { LMAX = 600 };

/* Largest difference of two windows over the largest value of the second. */
static double window_error(int64_t lmax, const double *window, const double *expected)
{
    double error = 0, peak = 0;
    for (int64_t l = 0; l <= lmax; l++) {
        error = larger_or_nan(error, fabs(window[l] - expected[l]));
        peak = larger_or_nan(peak, fabs(expected[l]));
    }
    return error / peak;
}

/* b_l = (P_{l-1}(c) - P_{l+1}(c)) / ((2 l + 1) (1 - c)), c = cos radius */
static void disc_window(double radius, int64_t lmax, double *window)
{
    const long double c = cosl((long double)radius);
    long double before = 1, now = 1; /* P_{l-1}, P_l; P_{-1} = 1 */
    for (int64_t l = 0; l <= lmax; l++) {
        const long double odd = (long double)(2 * l + 1);
        const long double next = (odd * c * now - (long double)l * before) / (long double)(l + 1);
        window[l] = (double)((before - next) / (odd * (1 - c)));
        before = now;
        now = next;
    }
}

static void tophat_window_has_its_closed_form(void **state)
{
    (void)state;
    const double radius[] = {0.02, 0.3, 2, M_PI - 1e-3};
    double window[LMAX + 1], expected[LMAX + 1];
    for (int i = 0; i < 4; i++) {
        armilla_kernel *kernel;
        check_ok(armilla_kernel_new_tophat(radius[i], &kernel));
        check_ok(armilla_kernel_window(kernel, M_PI, LMAX, window));
        disc_window(radius[i], LMAX, expected);
        check_at_most(window_error(LMAX, window, expected), 1e-13, "radius %g", radius[i]);
        /* cut: the disc of the support, with its share of the area */
        check_ok(armilla_kernel_window(kernel, radius[i] / 2, LMAX, window));
        disc_window(radius[i] / 2, LMAX, expected);
        const double share = pow(sin(radius[i] / 4) / sin(radius[i] / 2), 2);
        for (int l = 0; l <= LMAX; l++) expected[l] *= share;
        check_at_most(window_error(LMAX, window, expected), 1e-13, "cut at %g", radius[i] / 2);
        armilla_kernel_free(kernel);
    }
}

/* K = h, the chord, up to r: b_0 = 2 pi r^3 / 3, b_1 = 2 pi (r^3 / 3 - r^5 / 10). */
static void table_window_has_its_closed_form(void **state)
{
    (void)state;
    const double r = 2 * sin(0.6), theta[] = {0, 1.2}, values[] = {0, r};
    armilla_kernel *kernel;
    double window[2];
    check_ok(armilla_kernel_new_table(2, theta, values, &kernel));
    check_ok(armilla_kernel_window(kernel, M_PI, 1, window));
    const double expected[] = {2 * M_PI * pow(r, 3) / 3,
                               2 * M_PI * (pow(r, 3) / 3 - pow(r, 5) / 10)};
    check_at_most(window_error(1, window, expected), 1e-14, "table");
    check_at_most(fabs(armilla_kernel_integral(kernel, 2) / expected[0] - 1), 1e-14, "integral");
    armilla_kernel_free(kernel);
}

/* Cut where nothing is left, so that quadrature must give the window back. */
static void quadrature_gives_windows_back(void **state)
{
    (void)state;
    double window[LMAX + 1], expected[LMAX + 1];
    for (int number = 0; number <= 10; number++) {
        armilla_kernel *kernel = kernel_number(number);
        /* not pi: pi would not ask for quadrature; beyond are 1e-16 of the sphere */
        const double support = nextafter(M_PI, 0);
        check_ok(armilla_kernel_window(kernel, M_PI, LMAX, expected));
        check_ok(armilla_kernel_window(kernel, support, LMAX, window));
        check_at_most(window_error(LMAX, window, expected), 1e-13, "kernel %d", number);
        armilla_kernel_free(kernel);
    }
}

static void gaussian_window_is_that_of_the_beam(void **state)
{
    (void)state;
    double window[LMAX + 1], expected[LMAX + 1];
    const double fwhm[] = {1e-3, DEGREE, 0.5};
    for (int i = 0; i < 3; i++) {
        armilla_kernel *kernel;
        check_ok(armilla_kernel_new_gaussian(fwhm[i], &kernel));
        check_ok(armilla_kernel_window(kernel, M_PI, LMAX, window));
        check_ok(armilla_spectrum_gaussian_beam(fwhm[i], 0, LMAX, expected));
        check_at_most(window_error(LMAX, window, expected), 1e-15, "fwhm %g", fwhm[i]);
        armilla_kernel_free(kernel);
    }
}

static void short_windows_are_the_beginning_of_long_ones(void **state)
{
    (void)state;
    double window[LMAX + 1], few[3];
    for (int number = 0; number < KERNELS; number++) {
        armilla_kernel *kernel = kernel_number(number);
        check_ok(armilla_kernel_window(kernel, 0.17, LMAX, window));
        check_ok(armilla_kernel_window(kernel, 0.17, 2, few));
        const double peak = fmax(fabs(window[0]), fabs(window[LMAX / 9])) + 1e-3;
        for (int l = 0; l < 3; l++)
            check_at_most(fabs(few[l] - window[l]) / peak, 1e-13, "kernel %d", number);
        check_at_most(fabs(armilla_kernel_integral(kernel, 0.17) - few[0]) / peak, 1e-13,
                      "integral");
        armilla_kernel_free(kernel);
    }
}

/* --- Cutting --------------------------------------------------------------------------------- */

static double error_at(const armilla_kernel *kernel, double support, const double *cl)
{
    double error;
    check_ok(armilla_kernel_truncation_error(kernel, support, cl ? LMAX : -7, cl, &error));
    return error;
}

static void truncation_error_has_closed_forms(void **state)
{
    (void)state;
    armilla_kernel *disc, *gaussian;
    check_ok(armilla_kernel_new_tophat(0.4, &disc));
    check_ok(armilla_kernel_new_gaussian(1e-5, &gaussian));
    const double sigma = 1e-5 / sqrt(8 * log(2));
    for (double part = 0.05; part < 1; part += 0.1) {
        const double share = pow(sin(0.2 * part) / sin(0.2), 2);
        check_at_most(fabs(error_at(disc, 0.4 * part, NULL) / sqrt(1 - share) - 1), 1e-13, "disc");
    }
    assert_true(error_at(disc, 0.4, NULL) == 0 && error_at(disc, M_PI, NULL) == 0);
    /* in the plane, exp(-x^2 / 2); far below rounding of the whole, too */
    for (double x = 0.5; x < 16; x += 0.5)
        check_at_most(fabs(error_at(gaussian, x * sigma, NULL) * exp(x * x / 2) - 1), 1e-9, "%g",
                      x);
    armilla_kernel_free(gaussian);
    armilla_kernel_free(disc);
}

/* With C_l: against differences of windows, where these keep digits. */
static void truncation_error_weighs_the_window_cut_off(void **state)
{
    (void)state;
    double whole[LMAX + 1], cut[LMAX + 1], cl[LMAX + 1];
    for (int l = 0; l <= LMAX; l++) cl[l] = 1 / (1.0 + l * l);
    for (int number = 0; number < KERNELS; number++) {
        armilla_kernel *kernel = kernel_number(number);
        const double width = 2 * armilla_kernel_half_width(kernel);
        const double support = 0.7 * fmin(width, armilla_kernel_extent(kernel));
        check_ok(armilla_kernel_window(kernel, M_PI, LMAX, whole));
        check_ok(armilla_kernel_window(kernel, support, LMAX, cut));
        double sum = 0, left = 0;
        for (int l = 0; l <= LMAX; l++) {
            sum += (2 * l + 1) * whole[l] * whole[l] * cl[l];
            left += (2 * l + 1) * pow(whole[l] - cut[l], 2) * cl[l];
        }
        const double expected = sqrt(left / sum);
        assert_true(expected > 1e-4);
        check_at_most(fabs(error_at(kernel, support, cl) - expected) / expected, 1e-9, "%d",
                      number);
        armilla_kernel_free(kernel);
    }
}

static void support_is_the_smallest_one(void **state)
{
    (void)state;
    double cl[LMAX + 1], support;
    for (int l = 0; l <= LMAX; l++) cl[l] = 1 / (1.0 + l * l);
    for (int number = 0; number < KERNELS; number++)
        for (int spectrum = 0; spectrum < 2; spectrum++) {
            armilla_kernel *kernel = kernel_number(number);
            const double *given = spectrum ? cl : NULL;
            check_ok(armilla_kernel_choose_support(kernel, 1e-7, LMAX, given, &support));
            check_at_most(error_at(kernel, support, given), 1e-7, "kernel %d", number);
            assert_true(error_at(kernel, support / 1.011, given) > 1e-7);
            assert_true(support <= armilla_kernel_extent(kernel));
            armilla_kernel_free(kernel);
        }
}

/* In the plane sigma sqrt(2 ln(1 / error)): 5.68 sigma for 1e-7. */
static void support_of_a_gaussian_has_its_closed_form(void **state)
{
    (void)state;
    armilla_kernel *kernel;
    double support;
    const double sigma = 1e-4 / sqrt(8 * log(2));
    check_ok(armilla_kernel_new_gaussian(1e-4, &kernel));
    check_ok(armilla_kernel_choose_support(kernel, nextafter(1, 0), 0, NULL, &support));
    assert_true(support > 0 && support < 1e-3 * sigma);
    for (double error = 0.5; error > 1e-15; error *= 0.7) {
        check_ok(armilla_kernel_choose_support(kernel, error, 0, NULL, &support));
        const double ratio = support / (sigma * sqrt(-2 * log(error)));
        assert_true(ratio >= 1 - 1e-6 && ratio <= 1.0101);
    }
    armilla_kernel_free(kernel);
}

static void zero_kernels_have_no_error(void **state)
{
    (void)state;
    armilla_kernel *kernel;
    const double zeros[] = {0, 0, 0};
    check_ok(armilla_kernel_new_window(2, zeros, &kernel));
    assert_true(error_at(kernel, 0.1, NULL) == 0 && kernel_at(kernel, 1) == 0);
    assert_true(armilla_kernel_half_width(kernel) == M_PI);
    double support = 0;
    check_ok(armilla_kernel_choose_support(kernel, 0.1, 0, NULL, &support));
    assert_true(support == M_PI);
    armilla_kernel_free(kernel);
}

/* --- Shape ----------------------------------------------------------------------------------- */

static void signs_and_widths_are_found(void **state)
{
    (void)state;
    const int negative[KERNELS] = {0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
    for (int number = 0; number < KERNELS; number++) {
        armilla_kernel *kernel = kernel_number(number);
        assert_int_equal(armilla_kernel_is_negative(kernel, M_PI), negative[number]);
        const double width = armilla_kernel_half_width(kernel),
                     half = fabs(kernel_at(kernel, 0)) / 2;
        check_at_most(fabs(kernel_at(kernel, width * (1 + 1e-15))), half * (1 + 1e-12), "kernel %d",
                      number);
        for (int i = 0; i < 50; i++) assert_true(fabs(kernel_at(kernel, width * i / 50)) > half);
        armilla_kernel_free(kernel);
    }
    armilla_kernel *hat = kernel_number(3); /* changes its sign at sqrt 2 sigma */
    const double zero = 3 * DEGREE / sqrt(4 * log(2));
    assert_int_equal(armilla_kernel_is_negative(hat, 0.99 * zero), 0);
    assert_int_equal(armilla_kernel_is_negative(hat, 1.01 * zero), 1);
    armilla_kernel_free(hat);
}

/* --- What goes wrong ------------------------------------------------------------------------- */

static void bad_arguments_leave_outputs_untouched(void **state)
{
    (void)state;
    armilla_kernel *kernel = kernel_number(2);
    double out[3] = {7, 7, 7};
    const double bad[] = {0, -1, NAN, 3.1416}, cl[] = {1, -1}, nan[] = {1, NAN};
    for (int i = 0; i < 4; i++) {
        check_error(armilla_kernel_window(kernel, bad[i], 2, out), ARMILLA_ERROR_ARGUMENT,
                    "support");
        check_error(armilla_kernel_truncation_error(kernel, bad[i], 0, NULL, out),
                    ARMILLA_ERROR_ARGUMENT, "support");
    }
    const double wrong[] = {0, 1, NAN, -1};
    for (int i = 0; i < 4; i++)
        check_error(armilla_kernel_choose_support(kernel, wrong[i], 0, NULL, out),
                    ARMILLA_ERROR_ARGUMENT, "error = ");
    check_error(armilla_kernel_window(kernel, 1, -1, out), ARMILLA_ERROR_ARGUMENT, "lmax = -1");
    check_error(armilla_kernel_window(kernel, 1, 1000001, out), ARMILLA_ERROR_ARGUMENT, "lmax");
    check_error(armilla_kernel_window(kernel, 1, 2, NULL), ARMILLA_ERROR_ARGUMENT, "window = NULL");
    check_error(armilla_kernel_window(NULL, 1, 2, out), ARMILLA_ERROR_ARGUMENT, "kernel = NULL");
    check_error(armilla_kernel_truncation_error(kernel, 1, 1, cl, out), ARMILLA_ERROR_ARGUMENT,
                "cl[1]");
    check_error(armilla_kernel_truncation_error(kernel, 1, 1, nan, out), ARMILLA_ERROR_ARGUMENT,
                "cl[1]");
    check_error(armilla_kernel_truncation_error(kernel, 1, -1, cl, out), ARMILLA_ERROR_ARGUMENT,
                "lmax");
    check_error(armilla_kernel_truncation_error(kernel, 1, 1, NULL, NULL), ARMILLA_ERROR_ARGUMENT,
                "error");
    check_error(armilla_kernel_truncation_error(NULL, 1, 1, NULL, out), ARMILLA_ERROR_ARGUMENT,
                "kernel");
    check_error(armilla_kernel_choose_support(kernel, 1e-3, 1, cl, out), ARMILLA_ERROR_ARGUMENT,
                "cl[1]");
    check_error(armilla_kernel_choose_support(kernel, 1e-3, 1, cl, NULL), ARMILLA_ERROR_ARGUMENT,
                "support");
    check_error(armilla_kernel_choose_support(NULL, 1e-3, 1, cl, out), ARMILLA_ERROR_ARGUMENT,
                "kernel");
    assert_true(out[0] == 7 && out[1] == 7 && out[2] == 7);
    armilla_kernel_free(kernel);
}

static void failing_allocations_are_reported(void **state)
{
    (void)state;
    armilla_kernel *kernel = kernel_number(2);
    const double cl[] = {1, 1, 1};
    double out[3] = {7, 7, 7};
    armilla_memory_fail_after(0);
    check_error(armilla_kernel_window(kernel, 1, 2, out), ARMILLA_ERROR_MEMORY, "could not");
    armilla_memory_fail_after(0);
    check_error(armilla_kernel_truncation_error(kernel, 1, 2, cl, out), ARMILLA_ERROR_MEMORY,
                "could");
    armilla_memory_fail_after(0);
    check_error(armilla_kernel_choose_support(kernel, 0.1, 2, cl, out), ARMILLA_ERROR_MEMORY,
                "could");
    armilla_memory_fail_after(-1);
    assert_true(out[0] == 7 && out[1] == 7 && out[2] == 7);
    armilla_kernel_free(kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tophat_window_has_its_closed_form),
        cmocka_unit_test(table_window_has_its_closed_form),
        cmocka_unit_test(quadrature_gives_windows_back),
        cmocka_unit_test(gaussian_window_is_that_of_the_beam),
        cmocka_unit_test(short_windows_are_the_beginning_of_long_ones),
        cmocka_unit_test(truncation_error_has_closed_forms),
        cmocka_unit_test(truncation_error_weighs_the_window_cut_off),
        cmocka_unit_test(support_is_the_smallest_one),
        cmocka_unit_test(support_of_a_gaussian_has_its_closed_form),
        cmocka_unit_test(zero_kernels_have_no_error),
        cmocka_unit_test(signs_and_widths_are_found),
        cmocka_unit_test(bad_arguments_leave_outputs_untouched),
        cmocka_unit_test(failing_allocations_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

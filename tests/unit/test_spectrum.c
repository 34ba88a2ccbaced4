/* Checks power spectra against their definition, and the Gaussian beam against values of high
 * precision. */
#include "unit/test_alm_support.h"

#include "armilla/alm.h"
#include "armilla/spectrum.h"
#include "base/memory.h"

/* The definition, degree by degree in long double; *size is the sum of the terms' magnitudes. */
static long double definition(int64_t lmax, int64_t mmax, int64_t l, const double *a,
                              const double *b, long double *size)
{
    long double sum = 0;
    *size = 0;
    for (int64_t m = -(l < mmax ? l : mmax); m <= l && m <= mmax; m++) {
        int64_t i = 2 * armilla_alm_index(lmax, l, m < 0 ? -m : m);
        long double term = (long double)a[i] * b[i];
        if (m != 0) term += (long double)a[i + 1] * b[i + 1];
        sum += term;
        *size += fabsl(term);
    }
    *size /= 2 * l + 1;
    return sum / (2 * l + 1);
}

static void spectra_are_the_definition_to_rounding(void **state)
{
    (void)state;
    const int64_t lmax = 2000;
    for (int64_t mmax = lmax; mmax >= 0; mmax -= 1000) {
        int64_t size = armilla_alm_size(lmax, mmax);
        double *a = noise(2 * size, 1), *b = noise(2 * size, 2);
        double *cl = noise(lmax + 1, 3);
        for (int automatic = 0; automatic < 2; automatic++) {
            const double *other = automatic ? a : b;
            assert_int_equal(armilla_spectrum_compute(lmax, mmax, a, other, cl), ARMILLA_OK);
            for (int64_t l = 0; l <= lmax; l++) {
                long double scale, expected = definition(lmax, mmax, l, a, other, &scale);
                assert_true(fabsl(cl[l] - expected) <= 3e-16L * scale);
            }
        }
        free(a), free(b), free(cl);
    }
}

static void imaginary_part_of_m0_is_ignored(void **state)
{
    (void)state;
    const double alm[6] = {3, 100, 1, 100, 2, -1}; /* (0,0) (1,0) (1,1) */
    double cl[2];
    assert_int_equal(armilla_spectrum_compute(1, 1, alm, alm, cl), ARMILLA_OK);
    assert_close(cl[0], 9, 0);
    assert_close(cl[1], 11.0 / 3, 1e-15);
}

static void small_terms_survive_beside_large_ones(void **state)
{
    (void)state;
    const int64_t lmax = 4000, size = armilla_alm_size(lmax, lmax);
    double *alm = calloc((size_t)(2 * size), sizeof *alm), *cl = noise(lmax + 1, 1);
    assert_non_null(alm);
    alm[2 * lmax] = 1e8; /* then 2 lmax terms, each half a unit in the last place of the first */
    for (int64_t m = 1; m <= lmax; m++) alm[2 * armilla_alm_index(lmax, lmax, m)] = sqrt(0.5);
    assert_int_equal(armilla_spectrum_compute(lmax, lmax, alm, alm, cl), ARMILLA_OK);
    double expected = (1e16 + (double)lmax) / (double)(2 * lmax + 1);
    assert_close(cl[lmax] / expected, 1, 3e-16);
    free(alm), free(cl);
}

static void spectrum_errors_leave_the_output(void **state)
{
    (void)state;
    double alm[2] = {1, 0}, cl[1] = {-7};
    assert_int_equal(armilla_spectrum_compute(-1, 0, alm, alm, cl), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_spectrum_compute(0, 1, alm, alm, cl), ARMILLA_ERROR_ARGUMENT);
    armilla_memory_fail_after(0);
    assert_int_equal(armilla_spectrum_compute(0, 0, alm, alm, cl), ARMILLA_ERROR_MEMORY);
    armilla_memory_fail_after(-1);
    assert_close(cl[0], -7, 0);
}

static void beam_agrees_with_high_precision_values(void **state)
{
    (void)state;
    /* exp(-(l (l + 1) - spin^2) sigma^2 / 2) with 40 digits (mpmath 1.3). Spin 0 and 2 also are the
     * first columns of healpy 1.20.1's gauss_beam(0.01, 1500, pol=True) to 5e-15. */
    static const struct {
        double fwhm;
        int64_t spin, l;
        double value;
    } cases[] = {
        {0.01, 0, 1, 0.99998196647459486213},      {0.01, 0, 300, 0.44298427166845165475},
        {0.01, 0, 1500, 1.5247669190897728953e-9}, {0.01, 2, 2, 0.99998196647459486213},
        {0.01, 2, 300, 0.44300024923688260408},    {0.01, 2, 1500, 1.5248219144233526804e-9},
        {0.5, 1, 3, 0.78038865312922810049},       {0.5, 3, 7, 0.34663630168209049905},
    };
    double window[1501];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(armilla_spectrum_gaussian_beam(cases[i].fwhm, cases[i].spin, 1500, window),
                         ARMILLA_OK);
        assert_close(window[cases[i].l] / cases[i].value, 1, 1e-14);
    }
}

static void beam_limits(void **state)
{
    (void)state;
    double window[11];
    assert_int_equal(armilla_spectrum_gaussian_beam(0, 2, 10, window), ARMILLA_OK);
    for (int l = 0; l <= 10; l++) assert_true(window[l] == (l < 2 ? 0 : 1));
    assert_int_equal(armilla_spectrum_gaussian_beam(M_PI, 0, 10, window), ARMILLA_OK);
    assert_close(window[1], exp(-M_PI * M_PI / (8 * log(2))), 1e-15);
}

static void beam_refuses_bad_arguments_by_name(void **state)
{
    (void)state;
    double window[1] = {-7};
    assert_int_equal(armilla_spectrum_gaussian_beam(-0.1, 0, 0, window), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_spectrum_gaussian_beam(5, 0, 0, window), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(),
                        "fwhm_rad = 5: must be from 0 to pi; 5 rad are 286.479 degrees");
    assert_int_equal(armilla_spectrum_gaussian_beam(NAN, 0, 0, window), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_spectrum_gaussian_beam(0.1, -1, 0, window), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "spin = -1: must be at least 0");
    assert_int_equal(armilla_spectrum_gaussian_beam(0.1, 0, -1, window), ARMILLA_ERROR_ARGUMENT);
    assert_close(window[0], -7, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spectra_are_the_definition_to_rounding),
        cmocka_unit_test(imaginary_part_of_m0_is_ignored),
        cmocka_unit_test(small_terms_survive_beside_large_ones),
        cmocka_unit_test(spectrum_errors_leave_the_output),
        cmocka_unit_test(beam_agrees_with_high_precision_values),
        cmocka_unit_test(beam_limits),
        cmocka_unit_test(beam_refuses_bad_arguments_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

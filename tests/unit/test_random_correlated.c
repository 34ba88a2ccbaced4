/* Checks that correlated random coefficients have the matrix of spectra that was asked for: limits
 * (one field, equal fields, fields without power), and spectra that no fields have. Statistical
 * bounds are 5 standard deviations; the seed is fixed. */
#include "unit/test_alm_support.h"

#include "armilla/alm.h"
#include "armilla/spectrum.h"
#include "base/memory.h"
#include <string.h>

enum { LMAX = 200, NL = LMAX + 1, NFIELDS = 3, NALM = NL * (LMAX + 2) / 2 };
static const uint64_t seed = 20261121;

/* The same matrix at every degree, times a power law. Above the diagonal: poison. */
static void fill(const double matrix[NFIELDS][NFIELDS], double *cl)
{
    for (int i = 0; i < NFIELDS; i++)
        for (int j = 0; j < NFIELDS; j++)
            for (int l = 0; l < NL; l++)
                cl[(i * NFIELDS + j) * NL + l] =
                    j <= i ? matrix[i][j] / ((l + 1) * (l + 2)) : (double)NAN;
}

static double *draw(int64_t nfields, const double *cl)
{
    double *alm = malloc((size_t)nfields * NALM * 2 * sizeof *alm);
    assert_non_null(alm);
    assert_int_equal(armilla_alm_random_correlated(LMAX, LMAX, nfields, NL, cl, seed, alm),
                     ARMILLA_OK);
    return alm;
}

static void spectra_of_the_fields_follow_the_matrix(void **state)
{
    (void)state;
    static double cl[NFIELDS * NFIELDS * NL], measured[NL];
    static const double matrix[NFIELDS][NFIELDS] = {{4}, {-3, 9}, {1, 2, 5}};
    fill(matrix, cl);
    double *alm = draw(NFIELDS, cl);
    for (int i = 0; i < NFIELDS; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0, wanted = matrix[i][j], modes = NL * NL;
            assert_int_equal(armilla_spectrum_compute(LMAX, LMAX, alm + 2 * i * NALM,
                                                      alm + 2 * j * NALM, measured),
                             ARMILLA_OK);
            for (int l = 0; l < NL; l++) sum += measured[l] * (2 * l + 1) * (l + 1) * (l + 2);
            double variance = matrix[i][i] * matrix[j][j] + wanted * wanted;
            assert_close(sum / modes, wanted, 5 * sqrt(variance / modes));
        }
    free(alm);
}

static void first_field_is_that_of_one_alone(void **state)
{
    (void)state;
    static double cl[NFIELDS * NFIELDS * NL], alone[2 * NALM];
    static const double matrix[NFIELDS][NFIELDS] = {{2}, {1, 3}, {1, -1, 4}};
    fill(matrix, cl);
    double *alm = draw(NFIELDS, cl), *one = draw(1, cl);
    assert_int_equal(armilla_alm_random(LMAX, LMAX, NL, cl, seed, 0, alone), ARMILLA_OK);
    assert_memory_equal(alm, alone, sizeof alone);
    assert_memory_equal(one, alone, sizeof alone);
    free(one), free(alm);
}

static void proportional_fields_are_proportional(void **state)
{
    (void)state;
    static double cl[NFIELDS * NFIELDS * NL];
    static const double matrix[NFIELDS][NFIELDS] = {{4}, {6, 9}, {0, 0, 0}};
    fill(matrix, cl);
    for (int l = 0; l < NL; l++) cl[4 * NL + l] *= 1 + ((l % 3) - 1) * 1e-6; /* files round */
    double *alm = draw(NFIELDS, cl);
    for (int64_t i = 0; i < 2 * NALM; i++) {
        assert_close(alm[2 * NALM + i], 1.5 * alm[i], 0.01 + 1e-12 * fabs(alm[i]));
        assert_true(alm[4 * NALM + i] == 0);
    }
    free(alm);
}

static void field_without_power_leaves_the_others(void **state)
{
    (void)state;
    static double cl[NFIELDS * NFIELDS * NL];
    static const double matrix[NFIELDS][NFIELDS] = {{0}, {0, 9}, {0, 3, 1}};
    fill(matrix, cl);
    double *alm = draw(NFIELDS, cl);
    for (int64_t i = 0; i < 2 * NALM; i++) {
        assert_true(alm[i] == 0);
        assert_close(alm[4 * NALM + i], alm[2 * NALM + i] / 3, 1e-14);
    }
    free(alm);
}

static void degrees_beyond_the_spectra_are_zero(void **state)
{
    (void)state;
    const double cl[4 * 2] = {1, 1, NAN, NAN, 0.5, 0.5, 1, 1};
    double alm[2][2 * 10];
    assert_int_equal(armilla_alm_random_correlated(3, 3, 2, 2, cl, seed, alm[0]), ARMILLA_OK);
    for (int i = 0; i < 2; i++)
        for (int64_t m = 0; m <= 3; m++)
            for (int64_t l = m; l <= 3; l++)
                assert_int_equal(alm[i][2 * armilla_alm_index(3, l, m)] != 0, l < 2);
    assert_int_equal(armilla_alm_random_correlated(3, 3, 2, 0, NULL, seed, alm[0]), ARMILLA_OK);
    for (int i = 0; i < 20; i++) assert_true(alm[1][i] == 0);
}

static void refuse(int64_t nfields, int64_t ncl, const double *cl, const char *message)
{
    double alm[3 * 2 * 10] = {0};
    assert_int_equal(armilla_alm_random_correlated(3, 3, nfields, ncl, cl, seed, alm),
                     ARMILLA_ERROR_ARGUMENT);
    assert_non_null(strstr(armilla_status_message(), message));
    for (int i = 0; i < 60; i++) assert_true(alm[i] == 0);
}

static void impossible_spectra_are_refused_by_degree(void **state)
{
    (void)state;
    const double large[4 * 2] = {1, 1, 0, 0, 0.5, 1.1, 1, 1};
    refuse(2, 2, large, "cl at l = 1: no fields have these spectra: field 1");
    const double negative[4 * 2] = {1, 1, 0, 0, 0, 0, 1, -1};
    refuse(2, 2, negative, "cl[1][1][1] = -1: must be finite and at least 0");
    const double nan_below[4] = {1, 0, NAN, 1};
    refuse(2, 1, nan_below, "cl[1][0][0] = nan: must be finite");
    const double without_power[4] = {0, 0, 0.1, 1};
    refuse(2, 1, without_power, "cl at l = 0: no fields have these spectra: field 1");
    /* Any two agree, the three do not. */
    const double three[9] = {1, 0, 0, 0.9, 1, 0, 0.9, -0.9, 1};
    refuse(3, 1, three, "cl at l = 0: no fields have these spectra: field 2");
    refuse(0, 1, large, "nfields = 0: must be from 1 to 64");
    refuse(65, 1, large, "nfields = 65");
    refuse(1, -1, large, "ncl = -1: must be at least 0");
    refuse(1, 1, NULL, "cl");
}

static void failing_allocation_is_reported(void **state)
{
    (void)state;
    const double cl[1] = {1};
    double alm[2] = {7, 7};
    armilla_memory_fail_after(0);
    assert_int_equal(armilla_alm_random_correlated(0, 0, 1, 1, cl, seed, alm),
                     ARMILLA_ERROR_MEMORY);
    armilla_memory_fail_after(-1);
    assert_true(alm[0] == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spectra_of_the_fields_follow_the_matrix),
        cmocka_unit_test(first_field_is_that_of_one_alone),
        cmocka_unit_test(proportional_fields_are_proportional),
        cmocka_unit_test(field_without_power_leaves_the_others),
        cmocka_unit_test(degrees_beyond_the_spectra_are_zero),
        cmocka_unit_test(impossible_spectra_are_refused_by_degree),
        cmocka_unit_test(failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

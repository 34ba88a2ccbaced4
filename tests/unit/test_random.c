/* Checks random coefficients: the published answers of the generator, invariances, statistics.
 * Statistical bounds are 5 standard deviations of the quantity; the seeds are fixed. */
#include "unit/test_alm_support.h"

#include "alm/philox.h"
#include "armilla/alm.h"
#include "armilla/spectrum.h"
#include <string.h>

enum { LMAX = 300 };
static const uint64_t seed = 20180717;

static void philox_gives_the_published_answers(void **state)
{
    (void)state;
    /* Known-answer vectors of philox4x32 with 10 rounds, distributed with the authors' Random123.
     */
    static const uint32_t counters[3][4] = {
        {0, 0, 0, 0}, {~0u, ~0u, ~0u, ~0u}, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
    static const uint32_t keys[3][2] = {{0, 0}, {~0u, ~0u}, {0xa4093822, 0x299f31d0}};
    static const uint32_t answers[3][4] = {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
                                           {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
                                           {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (int i = 0; i < 3; i++) {
        uint32_t block[4];
        memcpy(block, counters[i], sizeof block);
        armilla_philox(block, keys[i][0], keys[i][1]);
        assert_memory_equal(block, answers[i], sizeof block);
    }
}

/* Coefficients of a white spectrum cl = 1. */
static double *white(int64_t lmax, int64_t mmax, uint64_t key, uint64_t field)
{
    double *alm = malloc((size_t)armilla_alm_size(lmax, mmax) * 2 * sizeof *alm);
    double *cl = malloc((size_t)(lmax + 1) * sizeof *cl);
    assert_non_null(alm);
    assert_non_null(cl);
    for (int64_t l = 0; l <= lmax; l++) cl[l] = 1;
    assert_int_equal(armilla_alm_random(lmax, mmax, lmax + 1, cl, key, field, alm), ARMILLA_OK);
    free(cl);
    return alm;
}

static void modes_do_not_depend_on_lmax_or_mmax(void **state)
{
    (void)state;
    double *large = white(60, 60, seed, 3), *small = white(40, 25, seed, 3);
    for (int64_t m = 0; m <= 25; m++)
        for (int64_t l = m; l <= 40; l++)
            assert_memory_equal(large + 2 * armilla_alm_index(60, l, m),
                                small + 2 * armilla_alm_index(40, l, m), 2 * sizeof(double));
    free(large), free(small);
}

static void first_values_follow_from_philox_and_box_muller(void **state)
{
    (void)state;
    const uint64_t key = 0x0123456789abcdef, field = 0xfedcba9876543210;
    double *alm = white(3, 2, key, field);
    uint32_t block[4] = {3, 2, 0x76543210, 0xfedcba98};
    armilla_philox(block, 0x89abcdef, 0x01234567);
    double u = ((double)(((uint64_t)block[0] << 32 | block[1]) >> 11) + 1) / 9007199254740992.0;
    double v = ((double)(((uint64_t)block[2] << 32 | block[3]) >> 11) + 1) / 9007199254740992.0;
    double radius = sqrt(-log(u)); /* sqrt(-2 log u) times sqrt(1/2) */
    const double *a = alm + 2 * armilla_alm_index(3, 3, 2);
    assert_close(a[0], radius * cos(2 * M_PI * v), 1e-14);
    assert_close(a[1], radius * sin(2 * M_PI * v), 1e-14);
    free(alm);
}

/* All independent standard normal numbers of a white realisation; returns how many. */
static int64_t standard_normals(const double *alm, double *values)
{
    int64_t count = 0;
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t l = m; l <= LMAX; l++, alm += 2) {
            values[count++] = (m > 0 ? sqrt(2) : 1) * alm[0];
            if (m > 0) values[count++] = sqrt(2) * alm[1];
        }
    return count;
}

static void values_are_standard_normal(void **state)
{
    (void)state;
    double *alm = white(LMAX, LMAX, seed, 0);
    double *values = malloc((LMAX + 1) * (LMAX + 1) * sizeof *values);
    assert_non_null(values);
    int64_t count = standard_normals(alm, values);
    assert_int_equal(count, (LMAX + 1) * (LMAX + 1));
    double moment[5] = {0}, n = (double)count;
    int64_t above[3] = {0}; /* beyond 1, 2, 3 standard deviations */
    for (int64_t i = 0; i < count; i++) {
        for (int k = 1; k <= 4; k++) moment[k] += pow(values[i], k) / n;
        for (int k = 0; k < 3; k++) above[k] += fabs(values[i]) > k + 1;
    }
    assert_close(moment[1], 0, 5 * sqrt(1 / n));
    assert_close(moment[2], 1, 5 * sqrt(2 / n));
    assert_close(moment[3], 0, 5 * sqrt(15 / n));
    assert_close(moment[4], 3, 5 * sqrt(96 / n));
    for (int k = 0; k < 3; k++) {
        double p = erfc((k + 1) / sqrt(2));
        assert_close((double)above[k] / n, p, 5 * sqrt(p * (1 - p) / n));
    }
    free(alm), free(values);
}

/* Correlation coefficient of part p of (l, m) in a with part q of (l + dl, m + dm) in b, m > 0. */
static double correlation(const double *a, const double *b, int64_t dl, int64_t dm, int p, int q,
                          double *pairs)
{
    double sum = 0;
    *pairs = 0;
    for (int64_t m = 1; m + dm <= LMAX; m++)
        for (int64_t l = m + dm; l + dl <= LMAX; l++) {
            sum += 2 * a[2 * armilla_alm_index(LMAX, l, m) + p] *
                   b[2 * armilla_alm_index(LMAX, l + dl, m + dm) + q];
            *pairs += 1;
        }
    return sum / *pairs;
}

static void neighbours_fields_and_seeds_are_uncorrelated(void **state)
{
    (void)state;
    double *alm = white(LMAX, LMAX, seed, 0);
    double *field = white(LMAX, LMAX, seed, 1), *high = white(LMAX, LMAX, seed, 1ull << 32);
    double *key = white(LMAX, LMAX, seed + 1, 0), *far = white(LMAX, LMAX, seed + (1ull << 32), 0);
    const struct {
        const double *other;
        int64_t dl, dm;
        int p, q;
    } cases[] = {{alm, 0, 0, 0, 1},   {alm, 1, 0, 0, 0},  {alm, 1, 0, 1, 1}, {alm, 0, 1, 0, 0},
                 {alm, 0, 1, 1, 1},   {alm, 1, 1, 0, 0},  {alm, 1, 0, 0, 1}, {field, 0, 0, 0, 0},
                 {field, 0, 0, 1, 1}, {high, 0, 0, 0, 0}, {key, 0, 0, 0, 0}, {key, 0, 0, 1, 1},
                 {far, 0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double pairs;
        double r = correlation(alm, cases[i].other, cases[i].dl, cases[i].dm, cases[i].p,
                               cases[i].q, &pairs);
        assert_close(r, 0, 5 / sqrt(pairs));
    }
    free(alm), free(field), free(high), free(key), free(far);
}

static void spectrum_of_the_coefficients_follows_cl(void **state)
{
    (void)state;
    double cl[LMAX + 1], measured[LMAX + 1], chi2 = 0;
    for (int l = 0; l <= LMAX; l++) cl[l] = 1000.0 / ((l + 1) * (l + 2));
    double *alm = white(LMAX, LMAX, 0, 0);
    assert_int_equal(armilla_alm_random(LMAX, LMAX, LMAX + 1, cl, seed, 7, alm), ARMILLA_OK);
    assert_int_equal(armilla_spectrum_compute(LMAX, LMAX, alm, alm, measured), ARMILLA_OK);
    for (int l = 0; l <= LMAX; l++) {
        double deviation = (measured[l] / cl[l] - 1) * sqrt((2 * l + 1) / 2.0);
        assert_true(fabs(deviation) < 5);
        chi2 += deviation * deviation;
    }
    /* The square of a chi-squared deviate with 2 l + 1 degrees of freedom has variance 2 + O(1/l).
     */
    assert_close(chi2, LMAX + 1, 5 * sqrt(2.5 * (LMAX + 1)));
    free(alm);
}

static void degrees_without_power_are_zero_and_m0_is_real(void **state)
{
    (void)state;
    const double cl[3] = {1, 0, 4};
    double alm[2 * 15];
    assert_int_equal(armilla_alm_random(4, 4, 3, cl, seed, 0, alm), ARMILLA_OK);
    for (int64_t m = 0; m <= 4; m++)
        for (int64_t l = m; l <= 4; l++) {
            const double *a = alm + 2 * armilla_alm_index(4, l, m);
            assert_int_equal(a[0] != 0, l == 0 || l == 2);
            assert_int_equal(a[1] != 0, l == 2 && m > 0);
        }
}

static void bad_spectra_are_refused_by_degree(void **state)
{
    (void)state;
    const double cl[4] = {1, 2, -3, NAN};
    double alm[2 * 10] = {0};
    assert_int_equal(armilla_alm_random(3, 3, 4, cl, 0, 0, alm), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "cl[2] = -3: must be finite and at least 0");
    assert_int_equal(armilla_alm_random(0, 0, 1, cl + 3, 0, 0, alm), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "cl[0] = nan: must be finite and at least 0");
    assert_int_equal(armilla_alm_random(1, 1, -1, cl, 0, 0, alm), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "ncl = -1: must be at least 0");
    assert_int_equal(armilla_alm_random(1, 2, 2, cl, 0, 0, alm), ARMILLA_ERROR_ARGUMENT);
    for (int i = 0; i < 20; i++) assert_true(alm[i] == 0);
    assert_int_equal(armilla_alm_random(1, 1, 4, cl, 0, 0, alm), ARMILLA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_answers),
        cmocka_unit_test(modes_do_not_depend_on_lmax_or_mmax),
        cmocka_unit_test(first_values_follow_from_philox_and_box_muller),
        cmocka_unit_test(values_are_standard_normal),
        cmocka_unit_test(neighbours_fields_and_seeds_are_uncorrelated),
        cmocka_unit_test(spectrum_of_the_coefficients_follows_cl),
        cmocka_unit_test(degrees_without_power_are_zero_and_m0_is_real),
        cmocka_unit_test(bad_spectra_are_refused_by_degree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

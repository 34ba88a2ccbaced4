/* Checks the judge of Legendre functions against closed forms, values of another algorithm, sum
 * rules, and itself with more bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/checks.h"
#include "oracle/lambda_oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double angles[] = {1e-6, 0.01, 0.3, 1.0, 1.5707963267948966, 2.0, 3.14, 3.1415916};
enum { ANGLES = sizeof angles / sizeof *angles };

static void matches_closed_forms(void **state)
{
    (void)state;
    for (int i = 0; i < ANGLES; i++) {
        double s = sin(angles[i]), c = cos(angles[i]), row[4];
        oracle_lambda_row(0, 3, angles[i], row);
        check_at_most(fabs(row[0] - sqrt(1 / (4 * M_PI))), 2e-16, "lambda_00");
        check_at_most(fabs(row[1] - sqrt(3 / (4 * M_PI)) * c), 4e-16, "lambda_10");
        check_at_most(fabs(row[2] - sqrt(5 / (16 * M_PI)) * (3 * c * c - 1)), 8e-16, "lambda_20");
        oracle_lambda_row(1, 3, angles[i], row);
        check_at_most(fabs(row[0] + sqrt(3 / (8 * M_PI)) * s), 4e-16 * s, "lambda_11");
        check_at_most(fabs(row[1] + sqrt(15 / (8 * M_PI)) * s * c), 4e-16, "lambda_21");
        oracle_lambda_row(2, 3, angles[i], row);
        check_at_most(fabs(row[0] - sqrt(15 / (32 * M_PI)) * s * s), 8e-16 * s * s, "lambda_22");
        oracle_lambda_row(3, 3, angles[i], row);
        check_at_most(fabs(row[0] + sqrt(35 / (64 * M_PI)) * s * s * s), 1e-15 * s * s * s,
                      "lambda_33");
    }
}

/* Origin: the terminating hypergeometric series (DLMF 14.3.6 with 14.3.1 at integer order)
 *   (-1)^m sqrt((2l+1)/(4 pi) (l+m)!/(l-m)!) / (2^m m!) sin^m(theta)
 *     * sum_k (m-l)_k (l+m+1)_k / ((m+1)_k k!) sin^(2k)(theta/2)
 * summed with mpmath in 60 to 4500 decimal digits (more than the cancellation needs), theta the
 * exact double; for theta > 3 the series of pi - theta times (-1)^(l-m). */
static const struct {
    int64_t l, m;
    double theta;
    const char *digits;
} values[] = {
    {0, 0, 1.0, "2.8209479177387814347403972578038629292202531466450e-01"},
    {5, 3, 0.3, "-6.4408584018994598308944026382330026412046544438891e-02"},
    {100, 37, 0.3, "-9.4458272526216635140138647499041812507199828455882e-03"},
    {1000, 999, 1.5, "-4.3518884876526733454869112249315847991838647270058e-01"},
    {3000, 7, 2.0, "-7.6453313282859510257282802712482614526742641819942e-02"},
    {4096, 1000, 0.25, "1.2115062910429859758340372952735029448355171076676e+00"},
    {20000, 0, 0.01, "-8.5565238340817786632391261947053219796859120594941e-01"},
    {131072, 5, 1e-06, "-1.4540577282105476126391424264497684459229508321010e-06"},
    {131072, 0, 0.01, "-3.1657176053101319478468403773037802268955368899788e+00"},
    {131072, 100, 0.01, "2.6834710686704065536135857337046385795932752482482e+00"},
    {131072, 2, 3.1415916535897934, "3.0972564059237139128674208389270534049513245383929e-01"},
    {131072, 131072, 1.5, "9.5962835800773904236943209777678515520388872720622e-143"},
    {131072, 131070, 1.5707963, "-4.0316844248417418053958075997295680505403485568333e+00"},
};

static void matches_hypergeometric_sum_to_50_digits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[ORACLE_TEXT_SIZE];
        oracle_lambda_text(values[i].l, values[i].m, values[i].theta, ORACLE_PRECISION, text);
        assert_string_equal(text, values[i].digits);
    }
}

static void does_not_change_with_twice_the_bits(void **state)
{
    (void)state;
    static const int64_t orders[] = {0, 1, 5, 100, 65536, 131071};
    const int64_t l = 131072;
    char text[ORACLE_TEXT_SIZE], more[ORACLE_TEXT_SIZE];
    for (int i = 0; i < ANGLES; i += checks_quick() ? 4 : 1)
        for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
            oracle_lambda_text(l, orders[k], angles[i], ORACLE_PRECISION, text);
            oracle_lambda_text(l, orders[k], angles[i], 2 * ORACLE_PRECISION, more);
            assert_string_equal(text, more);
        }
}

/* Long double against 320 bits, over the largest value of the degree: the last bit of a double, and
 * what a rounding of cos theta does next to the poles. */
static void long_double_is_enough_for_tables(void **state)
{
    (void)state;
    static const int64_t orders[] = {0, 1, 2, 37, 900, 1999, 2000};
    static const double extremes[] = {0, 1e-300, 1e-7, M_PI};
    const int64_t lmax = 2000;
    double row[2001], exact[2001], peak[2001];
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        const int64_t m = orders[k];
        oracle_lambda_peaks(m, lmax, peak);
        for (int i = 0; i < ANGLES + 4; i++) {
            const double theta = i < ANGLES ? angles[i] : extremes[i - ANGLES];
            oracle_lambda_row(m, lmax, theta, exact);
            oracle_lambda_long(m, lmax, theta, row);
            for (int64_t l = m; l <= lmax; l++)
                check_at_most(fabs(row[l - m] - exact[l - m]),
                              (2.5e-16 + 6e-20 * (double)(l * l)) * peak[l - m],
                              "l = %d, m = %d, theta = %g", (int)l, (int)m, theta);
        }
    }
}

/* Addition theorem: sum_m |Y_lm|^2 = (2 l + 1) / (4 pi) at every point. */
static void fulfils_the_addition_theorem(void **state)
{
    (void)state;
    const int64_t l = 300;
    double row[301];
    for (int i = 0; i < ANGLES; i++) {
        double sum = 0;
        for (int64_t m = 0; m <= l; m++) {
            oracle_lambda_row(m, l, angles[i], row);
            sum += (m ? 2 : 1) * row[l - m] * row[l - m];
        }
        double expected = (2 * (double)l + 1) / (4 * M_PI);
        check_at_most(fabs(sum - expected), 1e-13 * expected, "theta = %g", angles[i]);
    }
}

static double scanned_peak(int64_t l, int64_t m)
{
    double row[64], largest = 0;
    for (int i = 0; i <= 4000; i++) {
        oracle_lambda_row(m, l, M_PI / 2 * i / 4000, row);
        largest = larger_or_nan(largest, fabs(row[l - m]));
    }
    return largest;
}

static void peaks_match_a_dense_scan(void **state)
{
    (void)state;
    static const int64_t cases[][2] = {{1, 0},   {1, 1},   {2, 1},   {5, 5},  {6, 5},
                                       {7, 5},   {20, 1},  {20, 13}, {63, 1}, {63, 31},
                                       {63, 60}, {63, 61}, {63, 62}, {63, 63}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t l = cases[i][0], m = cases[i][1];
        double scanned = scanned_peak(l, m), peak = oracle_lambda_peak(l, m);
        check_at_most(fabs(peak - scanned), 1e-3 * scanned, "l = %d, m = %d", (int)l, (int)m);
    }
}

/* The envelope is never above the true peak by more than the scan's error. */
static void envelope_is_not_generous(void **state)
{
    (void)state;
    static const int64_t orders[] = {0, 1, 17, 1000};
    const int64_t lmax = 2000;
    double *peak = malloc((size_t)(lmax + 1) * sizeof *peak);
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        int64_t m = orders[k];
        oracle_lambda_peaks(m, lmax, peak);
        for (int64_t l = m; l <= lmax; l += 7) {
            double ratio = peak[l - m] / oracle_lambda_peak(l, m);
            check_at_most(ratio, 1.01, "l = %d, m = %d", (int)l, (int)m);
            check_at_most(0.9, ratio, "l = %d, m = %d", (int)l, (int)m);
        }
    }
    free(peak);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_closed_forms),
        cmocka_unit_test(matches_hypergeometric_sum_to_50_digits),
        cmocka_unit_test(does_not_change_with_twice_the_bits),
        cmocka_unit_test(long_double_is_enough_for_tables),
        cmocka_unit_test(fulfils_the_addition_theorem),
        cmocka_unit_test(peaks_match_a_dense_scan),
        cmocka_unit_test(envelope_is_not_generous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

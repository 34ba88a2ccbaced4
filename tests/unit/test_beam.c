/* Checks coefficients of beams: ellipses against the series of Bessel's functions, sums of kernels
 * against Legendre sums; refusals, and allocations that fail. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/memory.h"
#include "oracle/checks.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LMAX = 60, KMAX = 11, SIZE = (KMAX + 1) * (LMAX + 1) - KMAX * (KMAX + 1) / 2 };

/* --- Ellipses --------------------------------------------------------------------------------- */

/* exp(-z) I_n(z) by its power series: all terms are positive. */
static long double scaled_bessel(int n, long double z)
{
    long double term = expl(-z), sum = 0;
    for (int j = 1; j <= n; j++) term *= z / 2 / j;
    for (int j = 0; j < 2000; j++, term *= z * z / 4 / j / (j + n)) sum += term;
    return sum;
}

/* b_lq of either sign of q. */
static long double complex wanted(const double widths[2], double psi, int l, int q)
{
    const long double deviation = sqrtl(8 * logl(2));
    const long double u = widths[1] / deviation, v = widths[0] / deviation;
    const long double square = (long double)l * (l + 1);
    if (q % 2) return 0;
    return sqrtl((2 * l + 1) / (4 * acosl(-1))) * expl(-square * v * v / 2) *
           scaled_bessel(abs(q) / 2, square * (u * u - v * v) / 4) * cexpl(-I * q * psi);
}

static void check_close(const double *made, long double complex want)
{
    assert_true(cabsl(made[0] + I * (long double)made[1] - want) < 2e-15L);
}

static void ellipses_are_the_series(void **state)
{
    (void)state;
    const double widths[][2] = {{0.1, 0.1}, {0.05, 0.3}, {0, 1}, {0.2, 0.21}, {0, 0}};
    const double psi = 0.7;
    for (int i = 0; i < 5; i++) {
        double beam[2 * SIZE];
        check_ok(armilla_beam_elliptical(widths[i][0], widths[i][1], psi, LMAX, KMAX, beam));
        for (int k = 0; k <= KMAX; k++)
            for (int l = k; l <= LMAX; l++)
                check_close(beam + 2 * armilla_alm_index(LMAX, l, k), wanted(widths[i], psi, l, k));
    }
}

/* (15.6) as it stands. */
static void polarised_ellipses_are_turned_ones(void **state)
{
    (void)state;
    const double widths[2] = {0.05, 0.3}, psi = 0.7, a = 0.4, leak = 0.1;
    static double beam[3][2 * SIZE], seen[2 * SIZE];
    check_ok(armilla_beam_elliptical_polarised(widths[0], widths[1], psi, a, leak, LMAX, KMAX,
                                               &beam[0][0]));
    check_ok(armilla_beam_elliptical(widths[0], widths[1], psi, LMAX, KMAX, seen));
    assert_memory_equal(seen, beam[0], sizeof seen);
    const long double squares = (0.05L * 0.05L + 0.3L * 0.3L) / (8 * logl(2));
    const long double f = expl(squares) * (1 - (long double)leak) / (1 + (long double)leak);
    for (int k = 0; k <= KMAX; k++)
        for (int l = k; l <= LMAX; l++) {
            const long double complex above =
                l < 2 ? 0 : -f * cexpl(2 * I * a) * wanted(widths, psi, l, k + 2);
            const long double complex below =
                l < 2 ? 0 : -f * cexpl(-2 * I * a) * wanted(widths, psi, l, k - 2);
            const int64_t at = 2 * armilla_alm_index(LMAX, l, k);
            check_close(beam[1] + at, (above + below) / 2);
            check_close(beam[2] + at, (above - below) / (2 * I));
        }
    for (int l = 0; l <= LMAX; l++) assert_true(beam[1][2 * l + 1] == 0 && beam[2][2 * l + 1] == 0);
}

/* Beams of one degree and a long axis, where I_n of the largest z leave the doubles. */
static void large_arguments(void **state)
{
    (void)state;
    enum { MANY = 4000 };
    double *beam = checked_malloc(2 * armilla_alm_size(MANY, 4), sizeof *beam);
    check_ok(armilla_beam_elliptical(0, 2, 0, MANY, 4, beam));
    for (int l = 1000; l <= MANY; l += 750) {
        const long double u = 2 / sqrtl(8 * logl(2)), z = (long double)l * (l + 1) * u * u / 4;
        const long double root = sqrtl((2 * l + 1) / (4 * acosl(-1)));
        const long double want = root / sqrtl(2 * acosl(-1) * z) * /* DLMF 10.40.1 */
                                 (1 + 1 / (8 * z) + 9 / (128 * z * z));
        assert_true(fabsl(beam[2 * l] / want - 1) < 1e-12L);
    }
    free(beam);
}

/* Where the short axis leaves nothing, the ratios of the long one, 6 l steps for each degree, are
 * not made: they would take minutes here. */
static void degrees_beyond_the_short_axis(void **state)
{
    (void)state;
    enum { MANY = 60000, PLACES = 7 };
    static const int64_t places[PLACES] = {100, 150, 175, 200, 1000, 20000, MANY};
    double *beam = checked_malloc(2 * armilla_alm_size(MANY, 2), sizeof *beam);
    check_ok(armilla_beam_elliptical(0.5, M_PI, 0, MANY, 2, beam)); /* nothing from l = 182 on */
    for (int i = 0; i < PLACES; i++)
        for (int k = 0; k <= 2; k += 2) {
            const double *b = beam + 2 * armilla_alm_index(MANY, places[i], k);
            assert_int_equal(b[0] > 0, places[i] < 182);
            assert_true(b[0] >= 0 && b[1] == 0);
        }
    free(beam);
}

/* --- Sums of kernels -------------------------------------------------------------------------- */

enum { COUNT = 4 };

static void fill_kernels(double offsets[COUNT][2], double *weights, double *windows)
{
    uint64_t stream = 5;
    for (int j = 0; j < COUNT; j++) {
        offsets[j][0] = 0.2 * (1 + random_next(&stream));
        offsets[j][1] = 3 * random_next(&stream);
        weights[j] = random_next(&stream);
    }
    for (int i = 0; i < COUNT * (LMAX + 1); i++) windows[i] = random_next(&stream);
}

/* Sum over l of (2 l + 1) / 4 pi w_l P_l(x). */
static double kernel_value(const double *window, double x)
{
    double before = 0, value = 1, sum = 0;
    for (int l = 0; l <= LMAX; l++) {
        sum += (2 * l + 1) / (4 * M_PI) * window[l] * value;
        const double next = ((2 * l + 1) * x * value - l * before) / (l + 1);
        before = value, value = next;
    }
    return sum;
}

static void sums_of_kernels_are_legendre_sums(void **state)
{
    (void)state;
    double offsets[COUNT][2], weights[COUNT], windows[COUNT * (LMAX + 1)], value;
    const double place[2] = {0.3, 1.1};
    double *beam = checked_malloc(2 * armilla_alm_size(LMAX, LMAX), sizeof *beam);
    fill_kernels(offsets, weights, windows);
    for (int nwindows = 1; nwindows <= COUNT; nwindows += COUNT - 1) {
        double want = 0;
        for (int j = 0; j < COUNT; j++) {
            const double x = cos(place[0]) * cos(offsets[j][0]) +
                             sin(place[0]) * sin(offsets[j][0]) * cos(place[1] - offsets[j][1]);
            want += weights[j] * kernel_value(windows + (nwindows > 1 ? j * (LMAX + 1) : 0), x);
        }
        check_ok(armilla_beam_sum_of_kernels(COUNT, &offsets[0][0], weights, nwindows, windows,
                                             LMAX, LMAX, beam));
        check_ok(armilla_points_evaluate(LMAX, LMAX, 1, place, NULL, beam, &value, NULL));
        assert_true(fabs(value - want) < 1e-11);
    }
    free(beam);
}

/* --- Calls ------------------------------------------------------------------------------------ */

static void what_cannot_be(void **state)
{
    (void)state;
    static double beam[3 * 2 * SIZE], windows[COUNT * (LMAX + 1)];
    double offsets[COUNT][2], weights[COUNT];
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    fill_kernels(offsets, weights, windows);
    const double *places = &offsets[0][0];
    check_error(armilla_beam_elliptical(0.2, 0.1, 0, 9, 2, beam), wrong, "fwhm_min = 0.2");
    check_error(armilla_beam_elliptical(-1, 0.1, 0, 9, 2, beam), wrong, "fwhm_min = -1");
    check_error(armilla_beam_elliptical(0.1, 4, 0, 9, 2, beam), wrong, "fwhm_max = 4");
    check_error(armilla_beam_elliptical(0.1, NAN, 0, 9, 2, beam), wrong, "fwhm_max");
    check_error(armilla_beam_elliptical(0.1, 0.1, INFINITY, 9, 2, beam), wrong, "psi");
    check_error(armilla_beam_elliptical(0.1, 0.1, 0, 9, 10, beam), wrong, "kmax = 10");
    check_error(armilla_beam_elliptical(0.1, 0.1, 0, -1, 0, beam), wrong, "lmax");
    check_error(armilla_beam_elliptical(0.1, 0.1, 0, 9, 2, NULL), wrong, "beam");
    check_error(armilla_beam_elliptical_polarised(0.1, 0.1, 0, NAN, 0, 9, 2, beam), wrong,
                "polarisation");
    check_error(armilla_beam_elliptical_polarised(0.1, 0.1, 0, 0, 2, 9, 2, beam), wrong,
                "cross_polar = 2");
    check_error(armilla_beam_sum_of_kernels(0, places, weights, 1, windows, 9, 2, beam), wrong,
                "nkernels");
    check_error(armilla_beam_sum_of_kernels(3, places, weights, 2, windows, 9, 2, beam), wrong,
                "nwindows = 2");
    check_error(armilla_beam_sum_of_kernels(3, NULL, weights, 1, windows, 9, 2, beam), wrong,
                "offsets");
    weights[1] = NAN;
    check_error(armilla_beam_sum_of_kernels(3, places, weights, 1, windows, 9, 2, beam), wrong,
                "weights[1]");
    weights[1] = 1, windows[3] = INFINITY;
    check_error(armilla_beam_sum_of_kernels(3, places, weights, 1, windows, 9, 2, beam), wrong,
                "windows[3]");
    windows[3] = 1, offsets[2][0] = -0.1;
    check_error(armilla_beam_sum_of_kernels(3, places, weights, 1, windows, 9, 2, beam), wrong,
                "offsets: theta of offset 2");
    offsets[1][1] = INFINITY;
    check_error(armilla_beam_sum_of_kernels(3, places, weights, 1, windows, 9, 2, beam), wrong,
                "offsets: phi of offset 1 = inf: must be finite");
}

static void every_allocation_fails(void **state)
{
    (void)state;
    static double beam[2 * SIZE], untouched[2 * SIZE], windows[COUNT * (LMAX + 1)];
    double offsets[COUNT][2], weights[COUNT];
    fill_kernels(offsets, weights, windows);
    for (int i = 0; i < 2 * SIZE; i++) beam[i] = untouched[i] = 1e100;
    for (int which = 0; which < 3; which++) {
        const int64_t nwindows = which == 1 ? 1 : COUNT;
        armilla_status status = ARMILLA_ERROR_MEMORY;
        int64_t n = 0;
        memcpy(beam, untouched, sizeof beam);
        for (; status; n++) {
            armilla_memory_fail_after(n);
            status = which == 2 ? armilla_beam_elliptical(0.1, 0.2, 0, LMAX, KMAX, beam)
                                : armilla_beam_sum_of_kernels(COUNT, &offsets[0][0], weights,
                                                              nwindows, windows, LMAX, KMAX, beam);
            armilla_memory_fail_after(-1);
            assert_true(!status || status == ARMILLA_ERROR_MEMORY);
            if (status) assert_memory_equal(beam, untouched, sizeof beam);
        }
        assert_memory_not_equal(beam, untouched, sizeof beam);
        assert_true(n > 2 && n < 300);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ellipses_are_the_series),
        cmocka_unit_test(polarised_ellipses_are_turned_ones),
        cmocka_unit_test(large_arguments),
        cmocka_unit_test(degrees_beyond_the_short_axis),
        cmocka_unit_test(sums_of_kernels_are_legendre_sums),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

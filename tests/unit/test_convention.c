/* Checks the conventions of coefficients: factors against factorials in MPFR, the field that
 * converted coefficients make, places, and what is refused. */
#include "unit/test_alm_support.h"

#include "base/memory.h"
#include "oracle/checks.h"
#include "oracle/lambda_oracle.h"
#include <complex.h>
#include <mpfr.h>
#include <string.h>

enum { LMAX = 9, MOST = 4096 };

/* --- Factors ---------------------------------------------------------------------------------- */

/* The square of the factor of complex harmonics. */
static void exact_square(int normalization, int64_t l, int64_t m, mpfr_t square)
{
    mpfr_t value;
    mpfr_init2(value, 200);
    mpfr_set_ui(square, 1, MPFR_RNDN);
    if (normalization != ARMILLA_NORM_ORTHONORMAL) {
        mpfr_const_pi(value, MPFR_RNDN);
        mpfr_mul_ui(value, value, 4, MPFR_RNDN);
        mpfr_div(square, square, value, MPFR_RNDN);
    }
    if (normalization >= ARMILLA_NORM_SCHMIDT)
        mpfr_mul_ui(square, square, (unsigned long)(2 * l + 1), MPFR_RNDN);
    if (normalization == ARMILLA_NORM_UNNORMALIZED)
        for (int64_t k = l - m + 1; k <= l + m; k++)
            mpfr_div_ui(square, square, (unsigned long)k, MPFR_RNDN);
    mpfr_clear(value);
}

static double exact_factor(const armilla_convention *c, int64_t l, int64_t m)
{
    mpfr_t square;
    mpfr_init2(square, 200);
    exact_square(c->normalization, l, m, square);
    if (c->integrals) mpfr_ui_div(square, 1, square, MPFR_RNDN);
    if (m > 0 && c->harmonics != ARMILLA_HARMONICS_COMPLEX)
        mpfr_mul_ui(square, square, c->normalization == ARMILLA_NORM_UNNORMALIZED ? 4 : 2,
                    MPFR_RNDN);
    mpfr_sqrt(square, square, MPFR_RNDN);
    const double factor = mpfr_get_d(square, MPFR_RNDN);
    mpfr_clear(square);
    return m % 2 && !c->condon_shortley ? -factor : factor;
}

static void factors_are_right_to_the_last_digit(void **state)
{
    (void)state;
    const int64_t cases[][2] = {{0, 0},     {1, 0},    {1, 1},     {7, 3},      {85, 85},
                                {150, 150}, {2000, 1}, {4000, 80}, {100000, 7}, {1 << 20, 2}};
    for (int norm = 0; norm <= ARMILLA_NORM_UNNORMALIZED; norm++)
        for (int cs = 0; cs < 2; cs++)
            for (int harmonics = 0; harmonics < (norm < 3 ? 4 : 2); harmonics++)
                for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                    armilla_convention c = {
                        norm, cs, harmonics % 2, ARMILLA_PACKING_ORDERS, 0, harmonics / 2};
                    const int64_t l = cases[i][0], m = cases[i][1];
                    double factor = 0;
                    check_ok(armilla_convention_factor(&c, l, m, &factor));
                    const double exact = exact_factor(&c, l, m);
                    check_at_most(fabs(factor / exact - 1), 4.5e-16, "norm %d, l %lld, m %lld",
                                  norm, (long long)l, (long long)m);
                }
}

/* Rows of factors, which conversions use, are carried from degree to degree. */
static void conversions_have_the_exact_factors(void **state)
{
    (void)state;
    const struct {
        int64_t lmax, mmax;
    } cases[] = {{150, 150}, {3000, 40}, {0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t lmax = cases[i].lmax, mmax = cases[i].mmax,
                      size = armilla_alm_size(lmax, mmax);
        const armilla_convention c = {ARMILLA_NORM_UNNORMALIZED, 0, ARMILLA_HARMONICS_COMPLEX,
                                      ARMILLA_PACKING_ORDERS,    0, 0};
        double *alm = calloc((size_t)size, 16), *array = calloc((size_t)size, 16);
        for (int64_t k = 0; k < 2 * size; k += 2) alm[k] = 1;
        check_ok(armilla_convention_from_alm(&c, lmax, mmax, alm, array));
        for (int64_t m = 0; m <= mmax; m += 1 + mmax / 9)
            for (int64_t l = m; l <= lmax; l += 1 + lmax / 9) {
                const double made = array[2 * armilla_alm_index(lmax, l, m)];
                check_at_most(fabs(made / exact_factor(&c, l, m) - 1), 4.5e-16, "l %lld, m %lld",
                              (long long)l, (long long)m);
            }
        check_ok(armilla_convention_to_alm(&c, lmax, mmax, array, alm));
        for (int64_t k = 0; k < 2 * size; k += 2) assert_close(alm[k], 1, 5e-16);
        free(alm);
        free(array);
    }
}

/* --- The field -------------------------------------------------------------------------------- */

/* The function of complex harmonics over e^(i m phi), m >= 0, from the orthonormal one. */
static double function_of(const armilla_convention *c, int64_t l, int64_t m, double lambda)
{
    const armilla_convention as_complex = {c->normalization, c->condon_shortley, 0, 0, 0, 0};
    return lambda / exact_factor(&as_complex, l, m);
}

/* The coefficient of the field at one point: what its item, or items, contribute. */
static double complex two_numbers(const armilla_convention *c, const double *array, int64_t l,
                                  int64_t m, double phi, double function)
{
    const int64_t plus = armilla_convention_index(c, LMAX, LMAX, l, m),
                  minus = armilla_convention_index(c, LMAX, LMAX, l, -m);
    const int two_sided = c->packing >= ARMILLA_PACKING_PLANES;
    if (c->harmonics != ARMILLA_HARMONICS_COMPLEX) {
        const double cosine = array[plus], sine = two_sided ? array[minus] : array[plus + 1];
        const double norm = c->normalization == ARMILLA_NORM_UNNORMALIZED || m == 0 ? 1 : sqrt(2);
        const double sign = c->harmonics == ARMILLA_HARMONICS_REAL ? 1 : -1;
        return norm * function *
               (cosine * cos((double)m * phi) + (m ? sign * sine * sin((double)m * phi) : 0));
    }
    const double complex wave = function * cexp(I * (double)m * phi);
    const double complex at_plus = (array[plus] + I * array[plus + 1]) * wave;
    if (!two_sided) return (m ? 2 : 1) * creal(at_plus);
    const double sign = m % 2 ? -1 : 1;
    return at_plus + (m ? (array[minus] + I * array[minus + 1]) * sign * conj(wave) : 0);
}

static double complex field_of(const armilla_convention *c, const double *array, double theta,
                               double phi)
{
    double complex sum = 0;
    for (int64_t m = 0; m <= LMAX; m++) {
        double lambda[LMAX + 1];
        oracle_lambda_row(m, LMAX, theta, lambda);
        for (int64_t l = m; l <= LMAX; l++)
            sum += two_numbers(c, array, l, m, phi, function_of(c, l, m, lambda[l - m]));
    }
    return sum;
}

static int is_possible(const armilla_convention *c)
{
    return armilla_convention_size(c, 1, 1) > 0;
}

static void check_field(const armilla_convention *c)
{
    const armilla_convention own = {0, 1, 0, 0, 0, 0};
    const int64_t size = armilla_alm_size(LMAX, LMAX);
    double alm[2 * 2 * 55], back[2 * 2 * 55], array[MOST];
    random_alm_triangle(1, LMAX, LMAX, alm);
    random_alm_triangle(2, LMAX, LMAX, alm + 2 * size);
    assert_true(armilla_convention_size(c, LMAX, LMAX) <= MOST);
    check_ok(armilla_convention_from_alm(c, LMAX, LMAX, alm, array));
    for (int i = 0; i < 3; i++) {
        const double theta = 0.3 + 0.9 * i, phi = 1.7 * i - 1;
        double complex expected = field_of(&own, alm, theta, phi);
        if (c->complex_field) expected += I * field_of(&own, alm + 2 * size, theta, phi);
        check_at_most(cabs(field_of(c, array, theta, phi) - expected), 1e-13,
                      "norm %d, CS %d, harmonics %d, packing %d, complex %d", c->normalization,
                      c->condon_shortley, c->harmonics, c->packing, c->complex_field);
    }
    check_ok(armilla_convention_to_alm(c, LMAX, LMAX, array, back));
    for (int64_t k = 0; k < 2 * size * (1 + c->complex_field); k++)
        assert_close(back[k], alm[k], 1e-15);
}

static void converted_coefficients_make_the_same_field(void **state)
{
    (void)state;
    int possible = 0;
    for (int code = 0; code < 4 * 2 * 3 * 7 * 2; code++) {
        const armilla_convention c = {code % 4,      code / 4 % 2, code / 8 % 3,
                                      code / 24 % 7, code / 168,   0};
        if (!is_possible(&c)) continue;
        check_field(&c);
        possible++;
    }
    assert_int_equal(possible, 8 * (20 + 3)); /* complex vectors are none; complex fields: 3 */
}

/* --- Places ----------------------------------------------------------------------------------- */

static void items_lie_where_the_header_says(void **state)
{
    (void)state;
    armilla_convention c = {0, 1, 1, 0, 0, 0};
    const int64_t l = 5, m = 3, n = 8; /* lmax 7, mmax 4 */
    const int64_t expected[][3] = {{m * (2 * 7 + 1 - m) / 2 + l, -1, 30},
                                   {l * (l + 1) / 2 + m, -1, 36},
                                   {l * 5 + m, -1, 40},
                                   {l * n + m, n * n + l * n + m, 128},
                                   {l * l + l + m, l * l + l - m, 64},
                                   {l * 15 + 7 + m, l * 15 + 7 - m, 120},
                                   {l * l + m, l * l + l + m, 64}};
    for (c.packing = 0; c.packing < 7; c.packing++) {
        const int64_t width = c.packing < ARMILLA_PACKING_PLANES ? 2 : 1, *e = expected[c.packing];
        assert_int_equal(armilla_convention_index(&c, 7, 4, l, m), width * e[0]);
        assert_int_equal(armilla_convention_index(&c, 7, 4, l, -m), e[1] < 0 ? -1 : width * e[1]);
        assert_int_equal(armilla_convention_size(&c, 7, 4), width * e[2]);
        assert_int_equal(armilla_convention_index(&c, 7, 4, 5, 5), -1);
        assert_int_equal(armilla_convention_index(&c, 7, 4, 2, 3), -1);
        assert_int_equal(armilla_convention_index(&c, 7, 4, 8, 0), -1);
        assert_int_equal(armilla_convention_size(&c, 7, 8), -1);
    }
}

static void names_make_their_conventions(void **state)
{
    (void)state;
    armilla_convention c;
    for (int64_t i = 0; armilla_convention_name(i); i++)
        check_ok(armilla_convention_named(armilla_convention_name(i), &c));
    assert_null(armilla_convention_name(-1));
    check_ok(armilla_convention_named("SHTns:Schmidt:nocs:real-norm", &c));
    assert_int_equal(c.normalization, ARMILLA_NORM_SCHMIDT);
    assert_int_equal(c.condon_shortley, 0);
    assert_int_equal(c.harmonics, ARMILLA_HARMONICS_REAL_CONJUGATE);
    assert_int_equal(c.packing, ARMILLA_PACKING_ORDERS);
    check_ok(armilla_convention_named("s2fft:complex-field", &c));
    assert_int_equal(c.packing, ARMILLA_PACKING_CENTRED);
    assert_int_equal(c.complex_field, 1);
    check_ok(armilla_convention_named("shtools:unnorm:cs:complex", &c));
    assert_int_equal(c.normalization, ARMILLA_NORM_UNNORMALIZED);
    const armilla_convention before = c;
    check_error(armilla_convention_named("shtool", &c), ARMILLA_ERROR_ARGUMENT, "shtools");
    check_error(armilla_convention_named("", &c), ARMILLA_ERROR_ARGUMENT, "healpy");
    check_error(armilla_convention_named("ifs:5pi", &c), ARMILLA_ERROR_ARGUMENT, "5pi");
    check_error(armilla_convention_named("ifs:", &c), ARMILLA_ERROR_ARGUMENT, "4pi");
    check_error(armilla_convention_named("ifs:complex-field", &c), ARMILLA_ERROR_ARGUMENT,
                "complex_field");
    const char *const contradictory[][2] = {
        {"healpy:ortho:4pi", "\"ortho\" and \"4pi\" contradict"},
        {"shtools:4pi:cs:schmidt", "\"4pi\" and \"schmidt\""},
        {"shtns:cs:nocs", "\"cs\" and \"nocs\""},
        {"s2fft:real:complex", "\"real\" and \"complex\""},
        {"healpy:real-norm:4pi:real", "\"real-norm\" and \"real\""},
    };
    for (size_t i = 0; i < sizeof contradictory / sizeof *contradictory; i++)
        check_error(armilla_convention_named(contradictory[i][0], &c), ARMILLA_ERROR_ARGUMENT,
                    contradictory[i][1]);
    armilla_convention same;
    check_ok(armilla_convention_named("healpy:4pi:fourpi:4PI", &same)); /* twice the same */
    assert_int_equal(same.normalization, ARMILLA_NORM_FOUR_PI);
    check_error(armilla_convention_named(NULL, &c), ARMILLA_ERROR_ARGUMENT, "name");
    check_error(armilla_convention_named("ifs", NULL), ARMILLA_ERROR_ARGUMENT, "convention");
    assert_memory_equal(&c, &before, sizeof c);
}

/* --- Refusals --------------------------------------------------------------------------------- */

static void factors_beyond_the_doubles_are_refused(void **state)
{
    (void)state;
    const armilla_convention c = {ARMILLA_NORM_UNNORMALIZED, 0, 1, ARMILLA_PACKING_PLANES, 0, 0};
    double factor = 3, *alm = calloc(2 * 20000, 8), *array = calloc(200000, 8);
    check_ok(armilla_convention_factor(&c, 150, 150, &factor));
    check_error(armilla_convention_factor(&c, 160, 160, &factor), ARMILLA_ERROR_ARGUMENT,
                "l = 160, m = 160");
    check_error(armilla_convention_factor(&c, 1 << 30, 1 << 30, &factor), ARMILLA_ERROR_ARGUMENT,
                "m = 1073741824"); /* at once */
    assert_true(factor > 0);
    array[7] = 42;
    check_error(armilla_convention_from_alm(&c, 160, 160, alm, array), ARMILLA_ERROR_ARGUMENT,
                "normalization");
    assert_true(array[7] == 42);
    check_error(armilla_convention_to_alm(&c, 160, 160, array, alm), ARMILLA_ERROR_ARGUMENT,
                "normalization");
    /* A factor that is a double, and its product with a coefficient that is none. */
    alm[2 * armilla_alm_index(150, 150, 150)] = 1e-5;
    check_error(armilla_convention_from_alm(&c, 150, 150, alm, array), ARMILLA_ERROR_ARGUMENT,
                "l = 150, m = 150");
    assert_true(array[7] == 42);
    memset(array, 0, 200000 * 8);
    array[150 * 151 + 150] = 1e10;
    check_error(armilla_convention_to_alm(&c, 150, 150, array, alm), ARMILLA_ERROR_ARGUMENT,
                "l = 150, m = 150");
    free(alm);
    free(array);
}

static void arrays_that_are_of_no_such_field_are_refused(void **state)
{
    (void)state;
    armilla_convention c = {0, 1, 0, ARMILLA_PACKING_ACN, 0, 0};
    double array[2 * 16] = {0}, alm[2 * 2 * 10] = {0};
    array[2 * (4 + 2 + 1)] = 1; /* (2, 1) without (2, -1) */
    check_error(armilla_convention_to_alm(&c, 3, 3, array, alm), ARMILLA_ERROR_ARGUMENT,
                "l = 2, m = 1");
    c.complex_field = 1;
    check_ok(armilla_convention_to_alm(&c, 3, 3, array, alm));
    c.complex_field = 0;
    array[2 * (4 + 2 - 1)] = -1 + 1e-7; /* single precision will do */
    check_ok(armilla_convention_to_alm(&c, 3, 3, array, alm));
    assert_close(alm[2 * armilla_alm_index(3, 2, 1)], 1, 0);
    array[2 * 2 + 1] = 0.5; /* Im a_10 */
    check_error(armilla_convention_to_alm(&c, 3, 3, array, alm), ARMILLA_ERROR_ARGUMENT,
                "l = 1, m = 0");
    array[2 * 2 + 1] = 0;
    array[2 * (9 + 3 - 3)] = 2; /* (3, -3), beyond mmax */
    check_error(armilla_convention_to_alm(&c, 3, 2, array, alm), ARMILLA_ERROR_ARGUMENT,
                "l = 3, m = -3");
}

/* torch-harmonics' Schmidt: integrals with the functions, not coefficients of them. */
static void integrals_are_those_of_the_field_with_the_functions(void **state)
{
    (void)state;
    armilla_convention c;
    double factor;
    check_ok(armilla_convention_named("torch-harmonics:schmidt", &c));
    assert_int_equal(c.integrals, 1);
    check_ok(armilla_convention_factor(&c, 3, 2, &factor));
    assert_close(factor, sqrt(4 * M_PI / 7), 2e-16 * 2);
    c.harmonics = ARMILLA_HARMONICS_REAL;
    check_ok(armilla_convention_factor(&c, 3, 2, &factor));
    assert_close(factor, sqrt(8 * M_PI / 7), 4e-16 * 2);
    check_error(armilla_convention_named("torch-harmonics:unnorm", &c), ARMILLA_ERROR_ARGUMENT,
                "integrals");
}

static void wrong_arguments_are_named(void **state)
{
    (void)state;
    armilla_convention c = {0, 1, 0, 0, 0, 0};
    double alm[40] = {0}, array[40], factor;
    check_error(armilla_convention_from_alm(NULL, 1, 1, alm, array), ARMILLA_ERROR_ARGUMENT,
                "convention");
    check_error(armilla_convention_from_alm(&c, 1, 1, NULL, array), ARMILLA_ERROR_ARGUMENT, "alm");
    check_error(armilla_convention_to_alm(&c, 1, 1, NULL, alm), ARMILLA_ERROR_ARGUMENT, "array");
    check_error(armilla_convention_to_alm(&c, 1, 2, array, alm), ARMILLA_ERROR_ARGUMENT, "mmax");
    check_error(armilla_convention_to_alm(&c, -1, 0, array, alm), ARMILLA_ERROR_ARGUMENT, "lmax");
    check_error(armilla_convention_factor(&c, 2, 3, &factor), ARMILLA_ERROR_ARGUMENT, "m = 3");
    check_error(armilla_convention_factor(&c, -2, 0, &factor), ARMILLA_ERROR_ARGUMENT, "l = -2");
    check_error(armilla_convention_factor(&c, 2, 0, NULL), ARMILLA_ERROR_ARGUMENT, "factor");
    int *const fields[] = {&c.normalization, &c.condon_shortley, &c.harmonics,
                           &c.packing,       &c.complex_field,   &c.integrals};
    const char *const names[] = {"normalization", "condon_shortley", "harmonics",
                                 "packing",       "complex_field",   "integrals"};
    for (int i = 0; i < 6; i++) {
        const int before = *fields[i];
        *fields[i] = 7;
        check_error(armilla_convention_factor(&c, 2, 0, &factor), ARMILLA_ERROR_ARGUMENT, names[i]);
        *fields[i] = -1;
        check_error(armilla_convention_factor(&c, 2, 0, &factor), ARMILLA_ERROR_ARGUMENT, names[i]);
        *fields[i] = before;
    }
    assert_int_equal(armilla_convention_size(NULL, 1, 1), -1);
    c.complex_field = 1;
    assert_int_equal(armilla_convention_size(&c, 1, 1), -1);
}

static void a_failed_allocation_leaves_outputs(void **state)
{
    (void)state;
    const armilla_convention c = {1, 0, 1, ARMILLA_PACKING_ACN, 0, 0};
    double alm[2 * 10] = {1}, array[16] = {42};
    armilla_memory_fail_after(0);
    assert_int_equal(armilla_convention_from_alm(&c, 3, 3, alm, array), ARMILLA_ERROR_MEMORY);
    armilla_memory_fail_after(-1);
    assert_true(array[0] == 42);
}

/* --- Power ------------------------------------------------------------------------------------ */

/* The sum of the squares of a degree's coefficients in a convention of real harmonics. */
static double squares(const armilla_convention *c, const double *array, int64_t l)
{
    double sum = 0;
    for (int64_t m = -l; m <= l; m++) {
        const double value = array[armilla_convention_index(c, LMAX, LMAX, l, m)];
        sum += value * value;
    }
    return sum;
}

static void power_is_that_of_the_coefficients(void **state)
{
    (void)state;
    double alm[2 * 55], array[100], power[LMAX + 1];
    random_alm_triangle(3, LMAX, LMAX, alm);
    for (int norm = 0; norm < 3; norm++) {
        const armilla_convention c = {norm, 0, 1, ARMILLA_PACKING_ACN, 0, 0};
        check_ok(armilla_convention_from_alm(&c, LMAX, LMAX, alm, array));
        for (int unit = 0; unit < 3; unit++) {
            check_ok(armilla_spectrum_power(LMAX, LMAX, alm, alm, ARMILLA_POWER_SQUARES, norm, unit,
                                            power));
            for (int64_t l = 0; l <= LMAX; l++) {
                const double by_unit[] = {1, 1 / (2.0 * (double)l + 1), (double)l};
                const double expected = squares(&c, array, l) * by_unit[unit];
                check_at_most(fabs(power[l] - expected), 2e-15 * expected, "norm %d, unit %d, %lld",
                              norm, unit, (long long)l);
            }
        }
    }
    double mean[LMAX + 1], integral[LMAX + 1];
    check_ok(armilla_spectrum_power(LMAX, LMAX, alm, alm, ARMILLA_POWER_MEAN, 9, 0, mean));
    check_ok(armilla_spectrum_power(LMAX, LMAX, alm, alm, ARMILLA_POWER_INTEGRAL, 9, 0, integral));
    check_ok(armilla_spectrum_power(LMAX, LMAX, alm, alm, ARMILLA_POWER_SQUARES, 1, 0, power));
    for (int64_t l = 0; l <= LMAX; l++) {
        assert_close(mean[l], power[l], 1e-15 * power[l]);
        assert_close(integral[l], 4 * M_PI * power[l], 4e-15 * power[l] * 4);
    }
    check_error(armilla_spectrum_power(1, 1, alm, alm, 3, 0, 0, power), ARMILLA_ERROR_ARGUMENT,
                "what");
    check_error(armilla_spectrum_power(1, 1, alm, alm, 2, 3, 0, power), ARMILLA_ERROR_ARGUMENT,
                "normalization");
    check_error(armilla_spectrum_power(1, 1, alm, alm, 0, 0, 3, power), ARMILLA_ERROR_ARGUMENT,
                "unit");
    check_error(armilla_spectrum_power(1, 1, alm, alm, 0, 0, 0, NULL), ARMILLA_ERROR_ARGUMENT,
                "power");
}

static void lowes_spectrum_is_the_sum_of_g_and_h(void **state)
{
    (void)state;
    double alm[2 * 55], gauss[100], power[LMAX + 1];
    random_alm_triangle(4, LMAX, LMAX, alm);
    const armilla_convention c = {ARMILLA_NORM_SCHMIDT, 0, 1, ARMILLA_PACKING_ACN, 0, 0};
    check_ok(armilla_convention_from_alm(&c, LMAX, LMAX, alm, gauss));
    check_ok(armilla_spectrum_lowes(LMAX, LMAX, alm, 0.75, power));
    for (int64_t l = 0; l <= LMAX; l++) {
        const double expected =
            ((double)l + 1) * pow(0.75, 2.0 * (double)l + 4) * squares(&c, gauss, l);
        check_at_most(fabs(power[l] - expected), 2e-15 * expected, "l %lld", (long long)l);
    }
    check_error(armilla_spectrum_lowes(1, 1, alm, 0, power), ARMILLA_ERROR_ARGUMENT, "ratio");
    check_error(armilla_spectrum_lowes(1, 1, alm, NAN, power), ARMILLA_ERROR_ARGUMENT, "ratio");
    check_error(armilla_spectrum_lowes(9, 9, alm, 1e30, power), ARMILLA_ERROR_ARGUMENT, "l = 9");
    check_error(armilla_spectrum_lowes(1, 2, alm, 1, power), ARMILLA_ERROR_ARGUMENT, "mmax");
}

/* NaN and infinity in every place that an array of a convention has, and in no other. */
static void numbers_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    enum { L = 3, M = 2 };
    const char *const names[] = {"healpy", "shtools", "icgem", "acn-n3d",
                                 "ssht",   "s2fft",   "ifs",   "ssht:complex-field"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        armilla_convention c;
        double alm[4 * 10] = {0}, array[2 * 50] = {0}, made[4 * 10];
        check_ok(armilla_convention_named(names[i], &c));
        const int64_t size = armilla_convention_size(&c, L, M);
        int64_t refusals = 0;
        for (int64_t k = 0; k < size; k++) {
            array[k] = k % 2 ? (double)NAN : (double)INFINITY;
            if (armilla_convention_to_alm(&c, L, M, array, made)) refusals++;
            array[k] = 0;
        }
        const int64_t at = armilla_convention_index(&c, L, M, 2, 1);
        array[at] = (double)NAN;
        check_error(armilla_convention_to_alm(&c, L, M, array, made), ARMILLA_ERROR_ARGUMENT,
                    "array: has nan at l = 2, m = 1: must be finite");
        assert_true(refusals >= (L + 1) * (L + 1) - 2); /* m = 3 has two numbers */
        alm[2 * armilla_alm_index(L, 3, 2) + 1] = -(double)INFINITY;
        check_error(armilla_convention_from_alm(&c, L, M, alm, array), ARMILLA_ERROR_ARGUMENT,
                    "alm: has -inf at l = 3, m = 2: must be finite");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_right_to_the_last_digit),
        cmocka_unit_test(conversions_have_the_exact_factors),
        cmocka_unit_test(converted_coefficients_make_the_same_field),
        cmocka_unit_test(items_lie_where_the_header_says),
        cmocka_unit_test(names_make_their_conventions),
        cmocka_unit_test(factors_beyond_the_doubles_are_refused),
        cmocka_unit_test(arrays_that_are_of_no_such_field_are_refused),
        cmocka_unit_test(integrals_are_those_of_the_field_with_the_functions),
        cmocka_unit_test(wrong_arguments_are_named),
        cmocka_unit_test(numbers_that_are_not_finite_are_refused),
        cmocka_unit_test(a_failed_allocation_leaves_outputs),
        cmocka_unit_test(power_is_that_of_the_coefficients),
        cmocka_unit_test(lowes_spectrum_is_the_sum_of_g_and_h),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

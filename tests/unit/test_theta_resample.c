/* Resampling in theta: trigonometric polynomials against direct sums, harmonics, the adjoint,
 * batches of orders, parts of rows, band limits of high orders. Every instruction set that this
 * machine has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "legendre/legendre.h"
#include "oracle/checks.h"
#include "sht/theta_resample.h"
#include <math.h>
#include <string.h>

static const long double PI = 3.14159265358979323846264338327950288L;

static double *doubles(int64_t count)
{
    double *result;
    assert_int_equal(armilla_allocate_zero(&result, count, sizeof *result), ARMILLA_OK);
    return result;
}

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53 - 0.5;
}

static void fill_random(double *values, int64_t count, uint64_t seed)
{
    for (int64_t i = 0; i < count; i++) values[i] = uniform(&seed);
}

/* Both sides of a resampling, with their rows. */
typedef struct {
    armilla_theta_resample *resample;
    int64_t nrings, ncoarse, npairs, norders; /* coarse rings; pairs of both sides */
    armilla_theta_side coarse, fine;
    double *scratch;
} setup;

static setup start(armilla_isa isa, int64_t npairs, const double *theta, int64_t lmax, int64_t spin,
                   int64_t norders)
{
    setup s = {.npairs = npairs, .norders = norders};
    assert_int_equal(armilla_theta_resample_new(isa, npairs, theta, lmax, spin, &s.resample), 0);
    s.nrings = armilla_theta_resample_coarse_rings(s.resample);
    s.ncoarse = (s.nrings + 1) / 2;
    assert_true(s.nrings >= lmax + 2 && s.nrings == armilla_theta_resample_rings(lmax));
    s.coarse.row_length = 4 * s.ncoarse;
    s.fine.row_length = 4 * npairs;
    s.coarse.rows = doubles(norders * s.coarse.row_length);
    s.fine.rows = doubles(norders * s.fine.row_length);
    s.scratch = doubles(armilla_theta_resample_scratch_size(s.resample));
    return s;
}

static void finish(setup *s)
{
    armilla_theta_resample_free(s->resample);
    armilla_release(s->coarse.rows);
    armilla_release(s->fine.rows);
    armilla_release(s->scratch);
}

static void run_forward(const setup *s, int64_t m)
{
    armilla_theta_resample_forward(s->resample, m, s->norders, &s->coarse, &s->fine, s->scratch);
}

static void run_adjoint(const setup *s, int64_t m)
{
    armilla_theta_resample_adjoint(s->resample, m, s->norders, &s->fine, &s->coarse, s->scratch);
}

/* Rings next to the pole and the equator, and others: sorted, some closer than a sample. */
enum { NANGLES = 37 };
static void fill_angles(double *theta)
{
    static const double near[] = {0, 1e-300, 1e-12, 1e-6, 1e-3};
    uint64_t seed = 5;
    for (int i = 0; i < NANGLES; i++)
        theta[i] = i < 5 ? near[i] : M_PI_2 * ((double)i - 4.7 + 0.6 * uniform(&seed)) / 32;
    theta[NANGLES - 2] = M_PI_2 - 1e-9;
    theta[NANGLES - 1] = M_PI_2;
}

/* sum_k c_k cos(k theta), or sin. The waves by recurrence, off by lmax roundings of long double:
 * sines of each would take 20 times as long, minutes where long double is software (Arm). */
static long double polynomial(int64_t lmax, int odd, const double *coefficients, long double theta)
{
    const long double cosine = cosl(theta), sine = sinl(theta);
    long double sum = 0, re = 1, im = 0; /* exp(i k theta) */
    for (int64_t k = 0; k <= lmax; k++) {
        sum += (long double)coefficients[2 * k] * (odd ? im : re);
        long double next = re * cosine - im * sine;
        im = re * sine + im * cosine;
        re = next;
    }
    return sum;
}

/* Random polynomials on the coarse side; the largest error on the fine side over the rms. */
static double polynomial_error(const setup *s, const double *theta, int64_t lmax, int64_t m,
                               int64_t spin)
{
    int64_t width = 2 * (lmax + 1);
    double *coefficients = doubles(s->norders * width), worst = 0;
    long double square = 0;
    fill_random(coefficients, s->norders * width, 11);
    for (int pass = 0; pass < 2; pass++) {
        int64_t count = pass ? s->npairs : s->ncoarse;
        double *rows = pass ? s->fine.rows : s->coarse.rows;
        for (int64_t i = 0; i < s->norders * count * 4; i++) {
            int64_t order = i / (4 * count), pair = i / 4 % count;
            int odd = (m + order + spin) % 2 != 0, south = i % 4 >= 2;
            long double north = pass ? (long double)theta[pair]
                                     : PI * (long double)pair / (long double)(s->nrings - 1);
            double value = (double)polynomial(lmax, odd, coefficients + order * width + i % 2,
                                              south ? PI - north : north);
            if (!pass) rows[i] = value;
            square += (long double)value * value;
            if (pass) worst = larger_or_nan(worst, fabs(rows[i] - value));
        }
        if (!pass) square = 0;
        if (!pass) run_forward(s, m);
    }
    armilla_release(coefficients);
    long double mean = square / (long double)(s->norders * s->npairs * 4);
    return mean > 0 ? worst / sqrt((double)mean) : worst;
}

static void polynomials_match_direct_sums(void **state)
{
    (void)state;
    static const int64_t lmax[] = {0,  1,  2,  3,   7,   14,  15,  16,  23,  31,  48,
                                   63, 79, 99, 134, 200, 242, 255, 256, 300, 342, 400};
    double theta[NANGLES];
    fill_angles(theta);
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (size_t i = 0; i < sizeof lmax / sizeof *lmax && armilla_isa_usable(isa);
             i += checks_quick() && lmax[i] > 48 ? 3 : 1)
            for (int64_t spin = 0; spin < 2; spin++) {
                setup s = start(isa, NANGLES, theta, lmax[i], spin, 3 + (int64_t)i % 4);
                int64_t m = (int64_t)i % 3;
                double error = polynomial_error(&s, theta, lmax[i], m, spin);
                if (!(error < 6e-14))
                    fail_msg("%s, lmax %lld, spin %lld: error %.2e", armilla_isa_label(isa),
                             (long long)lmax[i], (long long)spin, error);
                finish(&s);
            }
}

/* lambda_lm on one side, real parts of degree lmax and imaginary parts of degree m. */
static void fill_harmonics(double *row, int64_t count, const double *theta, int64_t lmax, int64_t m)
{
    double *lambda = doubles(lmax + 1);
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(armilla_legendre_row(ARMILLA_ISA_SCALAR, lmax, m, theta[i], lambda), 0);
        double sign = (lmax - m) % 2 ? -1 : 1;
        row[4 * i] = lambda[lmax - m], row[4 * i + 1] = lambda[0];
        row[4 * i + 2] = sign * lambda[lmax - m], row[4 * i + 3] = lambda[0];
    }
    armilla_release(lambda);
}

static void check_harmonics(int64_t lmax, int64_t band, int64_t m)
{
    double theta[NANGLES], equidistant[200], expected[4 * NANGLES], largest = 0;
    fill_angles(theta);
    setup s = start(ARMILLA_ISA_SCALAR, NANGLES, theta, band, 0, 1);
    assert_true(s.ncoarse <= 200);
    for (int64_t i = 0; i < s.ncoarse; i++)
        equidistant[i] = (double)(PI * (long double)i / (long double)(s.nrings - 1));
    fill_harmonics(s.coarse.rows, s.ncoarse, equidistant, lmax, m);
    fill_harmonics(expected, NANGLES, theta, lmax, m);
    run_forward(&s, m);
    for (int i = 0; i < 4 * NANGLES; i++) largest = larger_or_nan(largest, fabs(expected[i]));
    for (int i = 0; i < 4 * NANGLES; i++)
        if (!(fabs(s.fine.rows[i] - expected[i]) < 1e-15 * (double)(lmax + 100) * largest))
            fail_msg("lmax %lld, m %lld, entry %d: %.17g, not %.17g", (long long)lmax, (long long)m,
                     i, s.fine.rows[i], expected[i]);
    finish(&s);
}

static void harmonics_are_carried_over(void **state)
{
    (void)state;
    static const int64_t orders[] = {0, 1, 2, 37, 100, 180, 220, 240, 254, 255};
    for (int i = 0; i < 10; i++) {
        check_harmonics(255, 255, orders[i]);
        check_harmonics(255, armilla_theta_resample_band(255, orders[i]), orders[i]);
    }
    assert_true(armilla_theta_resample_band(255, 240) < 200);
    assert_int_equal(armilla_theta_resample_band(255, 0), 255);
}

static double dot(int64_t count, const double *a, const double *b)
{
    long double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += (long double)a[i] * b[i];
    return (double)sum;
}

/* Random rows: frequencies above lmax and values at the poles and of missing rings included. */
static void check_adjoint(armilla_isa isa, int64_t npairs, const double *theta, int64_t lmax,
                          int64_t m, int64_t norders)
{
    setup s = start(isa, npairs, theta, lmax, 1, norders);
    int64_t ncoarse = norders * s.coarse.row_length, nfine = norders * s.fine.row_length;
    double *coarse = doubles(ncoarse), *fine = doubles(nfine);
    fill_random(coarse, ncoarse, 3);
    fill_random(fine, nfine, 4);
    memcpy(s.coarse.rows, coarse, (size_t)ncoarse * sizeof(double));
    run_forward(&s, m);
    double left = dot(nfine, fine, s.fine.rows), size = dot(nfine, s.fine.rows, s.fine.rows);
    size = sqrt(size * dot(nfine, fine, fine));
    memcpy(s.fine.rows, fine, (size_t)nfine * sizeof(double));
    run_adjoint(&s, m);
    double right = dot(ncoarse, coarse, s.coarse.rows);
    size = larger_or_nan(
        size, sqrt(dot(ncoarse, coarse, coarse) * dot(ncoarse, s.coarse.rows, s.coarse.rows)));
    if (!(fabs(left - right) <= 1e-15 * size))
        fail_msg("%s, lmax %lld, %lld orders: %.17g, %.17g", armilla_isa_label(isa),
                 (long long)lmax, (long long)norders, left, right);
    armilla_release(coarse);
    armilla_release(fine);
    finish(&s);
}

static void adjoint_is_the_transpose(void **state)
{
    (void)state;
    double theta[NANGLES], backwards[NANGLES];
    fill_angles(theta);
    for (int i = 0; i < NANGLES; i++) backwards[i] = theta[NANGLES - 1 - i];
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int64_t lmax = 0; lmax < 300 && armilla_isa_usable(isa); lmax += 1 + lmax / 2)
            for (int64_t norders = 1; norders < 20; norders += 3) {
                check_adjoint(isa, NANGLES, theta, lmax, lmax % 2, norders);
                check_adjoint(isa, NANGLES, backwards, lmax, 1, norders);
                check_adjoint(isa, 1, theta + 9, lmax, 0, norders);
            }
}

/* Orders one by one, and in one call. */
static void check_batch(armilla_isa isa, int64_t norders)
{
    double theta[NANGLES];
    fill_angles(theta);
    setup all = start(isa, NANGLES, theta, 50, 0, norders),
          one = start(isa, NANGLES, theta, 50, 0, 1);
    assert_true(armilla_theta_resample_batch(all.resample) >= 2);
    fill_random(all.coarse.rows, norders * all.coarse.row_length, 8);
    run_forward(&all, 3);
    for (int64_t m = 0; m < norders; m++) {
        memcpy(one.coarse.rows, all.coarse.rows + m * one.coarse.row_length,
               (size_t)one.coarse.row_length * sizeof(double));
        run_forward(&one, 3 + m);
        for (int64_t i = 0; i < one.fine.row_length; i++)
            assert_true(fabs(one.fine.rows[i] - all.fine.rows[m * one.fine.row_length + i]) <
                        2e-14);
    }
    finish(&all);
    finish(&one);
}

static void batches_agree_with_single_orders(void **state)
{
    (void)state;
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int64_t norders = 1; norders < 20 && armilla_isa_usable(isa); norders++)
            check_batch(isa, norders);
}

/* The same with permuted pairs, and with NaN where nothing may be read or written. */
static void check_parts(armilla_isa isa, int64_t first_coarse, int64_t first_fine)
{
    enum { ORDERS = 5, LMAX = 60 };
    double theta[NANGLES];
    fill_angles(theta);
    setup a = start(isa, NANGLES, theta, LMAX, 0, ORDERS),
          b = start(isa, NANGLES, theta, LMAX, 0, ORDERS);
    int64_t coarse_places[LMAX], fine_places[NANGLES];
    for (int64_t i = 0; i < a.ncoarse; i++) coarse_places[i] = a.ncoarse - 1 - i;
    for (int64_t i = 0; i < NANGLES; i++) fine_places[i] = (i + 5) % NANGLES;
    b.coarse.places = coarse_places, b.coarse.first = first_coarse;
    b.fine.places = fine_places, b.fine.first = first_fine;
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        const setup *from = &a;
        fill_random(a.coarse.rows, ORDERS * a.coarse.row_length, 21);
        fill_random(a.fine.rows, ORDERS * a.fine.row_length, 22);
        for (int side = 0; side < 2; side++) {
            const armilla_theta_side *x = side ? &from->fine : &from->coarse;
            const armilla_theta_side *y = side ? &b.fine : &b.coarse;
            for (int64_t i = 0; i < ORDERS * x->row_length; i++) {
                int64_t row = i / x->row_length, pair = i / 4 % (x->row_length / 4);
                int64_t place = row * x->row_length + 4 * y->places[pair] + i % 4;
                y->rows[place] = pair < y->first ? NAN : x->rows[i];
                if (pair < y->first && side == adjoint) x->rows[i] = 0;
            }
        }
        adjoint ? run_adjoint(&a, 2) : run_forward(&a, 2);
        adjoint ? run_adjoint(&b, 2) : run_forward(&b, 2);
        const armilla_theta_side *x = adjoint ? &a.coarse : &a.fine;
        const armilla_theta_side *y = adjoint ? &b.coarse : &b.fine;
        for (int64_t i = 0; i < ORDERS * x->row_length; i++) {
            int64_t row = i / x->row_length, pair = i / 4 % (x->row_length / 4);
            double value = y->rows[row * x->row_length + 4 * y->places[pair] + i % 4];
            assert_true(pair < y->first ? isnan(value) : value == x->rows[i]);
        }
    }
    finish(&a);
    finish(&b);
}

static void parts_of_rows_are_left_alone(void **state)
{
    (void)state;
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int64_t first = 0; first < 38 && armilla_isa_usable(isa); first++)
            check_parts(isa, first < 31 ? first : 31, first < NANGLES ? first : NANGLES);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    armilla_theta_resample *resample = NULL;
    const armilla_isa isa = ARMILLA_ISA_SCALAR;
    double theta[] = {0.1, 2};
    assert_int_equal(armilla_theta_resample_new(isa, 2, theta, 5, 0, &resample),
                     ARMILLA_ERROR_ARGUMENT);
    assert_non_null(strstr(armilla_status_message(), "theta[1] = 2"));
    theta[1] = NAN;
    assert_int_equal(armilla_theta_resample_new(isa, 2, theta, 5, 0, &resample),
                     ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_theta_resample_new(isa, 1, theta, -1, 0, &resample),
                     ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_theta_resample_new(isa, -1, theta, 5, 0, &resample),
                     ARMILLA_ERROR_ARGUMENT);
    assert_null(resample);
    armilla_theta_resample_free(NULL);
}

static void failing_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    const double theta[] = {0.1, 0.2, 1};
    armilla_status status = ARMILLA_ERROR_MEMORY;
    for (int64_t n = 0; status; n++) {
        armilla_theta_resample *resample = NULL;
        armilla_memory_fail_after(n);
        status = armilla_theta_resample_new(ARMILLA_ISA_SCALAR, 3, theta, 30, 0, &resample);
        armilla_memory_fail_after(-1);
        if (status) assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        assert_int_equal(status == ARMILLA_OK, resample != NULL);
        if (!status) assert_true(n > 10 && armilla_theta_resample_bytes(resample) > 0);
        armilla_theta_resample_free(resample);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polynomials_match_direct_sums),
        cmocka_unit_test(harmonics_are_carried_over),
        cmocka_unit_test(adjoint_is_the_transpose),
        cmocka_unit_test(batches_agree_with_single_orders),
        cmocka_unit_test(parts_of_rows_are_left_alone),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(failing_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Weights of analysis on equidistant rings: orthonormality of the harmonics up to the grid's full
 * resolution, symmetry, parity of spin columns, pairs of columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "sht/theta_weights.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const armilla_grid_kind kinds[] = {ARMILLA_GRID_CC, ARMILLA_GRID_F1, ARMILLA_GRID_MW,
                                          ARMILLA_GRID_MWSS, ARMILLA_GRID_MWFLIP};
enum { NKINDS = sizeof kinds / sizeof *kinds, NPHI = 7 };

static double *doubles(int64_t count)
{
    double *result;
    assert_int_equal(armilla_allocate_zero(&result, count, sizeof *result), ARMILLA_OK);
    return result;
}

/* lambda_lm(theta) for m <= l <= lmax, orthonormal with the azimuthal factor exp(i m phi). */
static void lambda(int64_t lmax, int64_t m, double theta, double *result)
{
    double x = cos(theta), value = sqrt(1 / (4 * M_PI)), before = 0;
    for (int64_t k = 1; k <= m; k++) value *= -sin(theta) * sqrt((2.0 * k + 1) / (2.0 * k));
    double last = 0;
    for (int64_t l = m; l <= lmax; l++) {
        result[l - m] = value;
        double a =
            sqrt(((double)(l + 1) * (l + 1) - (double)m * m) / (4.0 * (l + 1) * (l + 1) - 1));
        double next = (x * value - last * before) / a;
        before = value;
        last = a;
        value = next;
    }
}

/* table[l - m][ring] */
static double *tabulate(const armilla_grid *grid, int64_t lmax, int64_t m)
{
    int64_t nrings = armilla_grid_nrings(grid), count = lmax - m + 1;
    double *table = doubles(count * nrings), *row = doubles(count);
    for (int64_t r = 0; r < nrings; r++) {
        armilla_ring ring;
        assert_int_equal(armilla_grid_ring(grid, r, &ring), ARMILLA_OK);
        lambda(lmax, m, ring.theta, row);
        for (int64_t l = 0; l < count; l++) table[l * nrings + r] = row[l];
    }
    armilla_release(row);
    return table;
}

/* NPHI sum_r f_a(theta_r) (W f_b)(theta_r): 2 pi times the integral of f_a f_b sin(theta) */
static void products(const armilla_theta_weights *weights, int64_t m, int64_t nrings, int64_t count,
                     const double *table, double *result)
{
    double *column = doubles(2 * nrings);
    double *scratch = doubles(armilla_theta_weights_scratch_size(weights));
    for (int64_t b = 0; b < count; b++) {
        for (int64_t r = 0; r < nrings; r++) {
            column[2 * r] = NPHI * table[b * nrings + r];
            column[2 * r + 1] = -2 * column[2 * r];
        }
        armilla_theta_weights_apply(weights, m, column, scratch);
        for (int64_t a = 0; a < count; a++) {
            double re = 0, im = 0;
            for (int64_t r = 0; r < nrings; r++) {
                re += table[a * nrings + r] * column[2 * r];
                im += table[a * nrings + r] * column[2 * r + 1];
            }
            result[a * count + b] = re;
            assert_true(fabs(im + 2 * re) < 1e-13 * (1 + fabs(re)));
        }
    }
    armilla_release(column);
    armilla_release(scratch);
}

static void check_orthonormal(armilla_grid_kind kind, int64_t nrings)
{
    armilla_grid *grid;
    armilla_theta_weights *weights;
    assert_int_equal(armilla_grid_new_equidistant(kind, nrings, NPHI, &grid), ARMILLA_OK);
    int64_t lmax = armilla_grid_exact_lmax(grid);
    assert_int_equal(armilla_theta_weights_new(grid, lmax, 0, &weights), ARMILLA_OK);
    for (int64_t m = 0; m <= lmax; m++) {
        int64_t count = lmax - m + 1;
        double *table = tabulate(grid, lmax, m), *result = doubles(count * count);
        products(weights, m, nrings, count, table, result);
        for (int64_t a = 0; a < count; a++)
            for (int64_t b = 0; b < count; b++)
                if (!(fabs(result[a * count + b] - (a == b)) <= 1e-14 * (2 + sqrt((double)lmax))))
                    fail_msg("%s, %lld rings, m %lld, l %lld %lld: %.17g",
                             armilla_grid_kind_name(kind), (long long)nrings, (long long)m,
                             (long long)(a + m), (long long)(b + m), result[a * count + b]);
        armilla_release(table);
        armilla_release(result);
    }
    armilla_theta_weights_free(weights);
    armilla_grid_free(grid);
}

static void harmonics_are_orthonormal_up_to_the_exact_lmax(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 12, 13, 24, 37};
    for (int k = 0; k < NKINDS; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            if (sizes[i] > 1 || (kinds[k] != ARMILLA_GRID_CC && kinds[k] != ARMILLA_GRID_MWSS))
                check_orthonormal(kinds[k], sizes[i]);
}

/* integral over [0, pi] of cos(k theta) sin(theta) */
static double cosine_integral(int64_t k)
{
    return k % 2 ? 0 : 2 / (1 - (double)k * (double)k);
}

/* 2 pi times the integral of f_j f_k sin(theta), f_k = cos(k theta) (even) or sin(k theta) (odd) */
static double product_of_waves(const armilla_theta_weights *weights, const armilla_grid *grid,
                               int odd, int64_t j, int64_t k)
{
    int64_t nrings = armilla_grid_nrings(grid);
    double *column = doubles(2 * nrings), sum = 0;
    double *scratch = doubles(armilla_theta_weights_scratch_size(weights));
    double *wave = doubles(nrings);
    for (int64_t r = 0; r < nrings; r++) {
        armilla_ring ring;
        assert_int_equal(armilla_grid_ring(grid, r, &ring), ARMILLA_OK);
        double t = ring.theta;
        wave[r] = odd ? sin((double)j * t) : cos((double)j * t);
        column[2 * r + 1] = NPHI * (odd ? sin((double)k * t) : cos((double)k * t));
    }
    armilla_theta_weights_apply(weights, odd, column, scratch);
    for (int64_t r = 0; r < nrings; r++) {
        assert_true(column[2 * r] == 0 || fabs(column[2 * r]) < 1e-14);
        sum += wave[r] * column[2 * r + 1];
    }
    armilla_release(column);
    armilla_release(scratch);
    armilla_release(wave);
    return sum;
}

static void waves_of_both_parities_are_integrated_exactly(void **state)
{
    (void)state;
    for (int c = 0; c < NKINDS; c++)
        for (int64_t nrings = 5; nrings <= 16; nrings += 11)
            for (int odd = 0; odd <= 1; odd++) {
                armilla_grid *grid;
                armilla_theta_weights *weights;
                assert_int_equal(armilla_grid_new_equidistant(kinds[c], nrings, NPHI, &grid), 0);
                int64_t lmax = armilla_grid_exact_lmax(grid);
                assert_int_equal(armilla_theta_weights_new(grid, lmax, 0, &weights), ARMILLA_OK);
                for (int64_t j = 0; j <= lmax; j++)
                    for (int64_t k = 0; k <= lmax; k++) {
                        double sign = odd ? -1 : 1;
                        double expected =
                            M_PI * (cosine_integral(j - k) + sign * cosine_integral(j + k));
                        double result = product_of_waves(weights, grid, odd, j, k);
                        assert_true(fabs(result - expected) < 1e-13);
                    }
                armilla_theta_weights_free(weights);
                armilla_grid_free(grid);
            }
}

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53 - 0.5;
}

static double *random_column(int64_t nrings, uint64_t seed)
{
    double *column = doubles(2 * nrings);
    for (int64_t i = 0; i < 2 * nrings; i++) column[i] = uniform(&seed);
    return column;
}

static double dot(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* Arbitrary columns, frequencies above the exact lmax and values at the poles included. */
static void check_symmetry_and_pairs(armilla_grid_kind kind, int64_t nrings, int64_t spin)
{
    armilla_grid *grid;
    armilla_theta_weights *weights;
    assert_int_equal(armilla_grid_new_equidistant(kind, nrings, 1, &grid), ARMILLA_OK);
    assert_int_equal(armilla_theta_weights_new(grid, nrings, spin, &weights), ARMILLA_OK);
    double *scratch = doubles(armilla_theta_weights_scratch_size(weights));
    for (int64_t m = 0; m <= 1; m++) {
        double *a = random_column(nrings, 1), *wa = random_column(nrings, 1);
        double *b = random_column(nrings, 2), *wb = random_column(nrings, 2);
        double *pair = random_column(nrings, 1), *next = random_column(nrings, 3);
        double *wnext = random_column(nrings, 3);
        armilla_theta_weights_apply(weights, m, wa, scratch);
        armilla_theta_weights_apply(weights, m, wb, scratch);
        armilla_theta_weights_apply(weights, m + 1, wnext, scratch);
        double left = dot(2 * nrings, a, wb), right = dot(2 * nrings, wa, b);
        double size = sqrt(dot(2 * nrings, a, a) * dot(2 * nrings, wb, wb));
        assert_true(fabs(left - right) <= 1e-14 * size);
        armilla_theta_weights_apply_pair(weights, m, pair, next, scratch);
        for (int64_t i = 0; i < 2 * nrings; i++) {
            assert_true(fabs(pair[i] - wa[i]) < 1e-14);
            assert_true(fabs(next[i] - wnext[i]) < 1e-14);
        }
        double *columns[] = {a, wa, b, wb, pair, next, wnext};
        for (int i = 0; i < 7; i++) armilla_release(columns[i]);
    }
    armilla_release(scratch);
    armilla_theta_weights_free(weights);
    armilla_grid_free(grid);
}

static void operator_is_symmetric_and_pairs_agree_with_single_columns(void **state)
{
    (void)state;
    for (int k = 0; k < NKINDS; k++)
        for (int64_t nrings = 2; nrings < 40; nrings += 1 + nrings / 3)
            for (int64_t spin = 0; spin <= 1; spin++)
                check_symmetry_and_pairs(kinds[k], nrings, spin);
}

static void other_kinds_are_refused(void **state)
{
    (void)state;
    armilla_grid *grid;
    armilla_theta_weights *weights = NULL;
    assert_int_equal(armilla_grid_new_gauss_legendre(4, 8, &grid), ARMILLA_OK);
    assert_int_equal(armilla_theta_weights_new(grid, 3, 0, &weights), ARMILLA_ERROR_ARGUMENT);
    assert_non_null(strstr(armilla_status_message(), "Gauss-Legendre"));
    armilla_grid_free(grid);
    assert_int_equal(armilla_grid_new_equidistant(ARMILLA_GRID_CC, 4, 8, &grid), ARMILLA_OK);
    assert_int_equal(armilla_theta_weights_new(grid, -1, 0, &weights), ARMILLA_ERROR_ARGUMENT);
    assert_null(weights);
    armilla_grid_free(grid);
    assert_false(armilla_theta_weights_needed(ARMILLA_GRID_DH));
    assert_false(armilla_theta_weights_needed(ARMILLA_GRID_HEALPIX));
    assert_true(armilla_theta_weights_needed(ARMILLA_GRID_MWSS));
}

static void failing_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    armilla_grid *grid;
    assert_int_equal(armilla_grid_new_equidistant(ARMILLA_GRID_MW, 9, 8, &grid), ARMILLA_OK);
    armilla_status status = ARMILLA_ERROR_MEMORY;
    for (int64_t n = 0; status; n++) {
        armilla_theta_weights *weights = NULL;
        armilla_memory_fail_after(n);
        status = armilla_theta_weights_new(grid, 8, 0, &weights);
        armilla_memory_fail_after(-1);
        if (status) assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        assert_int_equal(status == ARMILLA_OK, weights != NULL);
        if (!status) assert_true(n > 8 && armilla_theta_weights_bytes(weights) > 0);
        armilla_theta_weights_free(weights);
    }
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(harmonics_are_orthonormal_up_to_the_exact_lmax),
        cmocka_unit_test(waves_of_both_parities_are_integrated_exactly),
        cmocka_unit_test(operator_is_symmetric_and_pairs_agree_with_single_columns),
        cmocka_unit_test(other_kinds_are_refused),
        cmocka_unit_test(failing_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

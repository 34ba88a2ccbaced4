/* Checks the judge of spin against closed forms, edh by differences of the scalar judge, two
 * algorithms, the addition theorem, orthogonality and peaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/checks.h"
#include "oracle/lambda_oracle.h"
#include "oracle/spin_oracle.h"
#include <math.h>
#include <stdlib.h>

static const double angles[] = {0, 1e-6, 0.01, 0.3, 1.0, M_PI / 2, 2.0, 3.14, 3.1415916, M_PI};
enum { ANGLES = sizeof angles / sizeof *angles };

/* Goldberg et al. 1967 and Newman & Penrose 1966, written with half angles; no sum, no recurrence.
 */
static void matches_closed_forms(void **state)
{
    (void)state;
    for (int i = 0; i < ANGLES; i++) {
        const double t = angles[i], c = cos(t), s = sin(t);
        const double plus = 1 + c, minus = 2 * sin(t / 2) * sin(t / 2);
        const struct {
            int64_t l, m, spin;
            double expected;
        } cases[] = {
            {1, 1, 1, -sqrt(3 / (16 * M_PI)) * minus},
            {1, 0, 1, sqrt(3 / (8 * M_PI)) * s},
            {1, -1, 1, -sqrt(3 / (16 * M_PI)) * plus},
            {1, 1, -1, -sqrt(3 / (16 * M_PI)) * plus},
            {1, 0, -1, -sqrt(3 / (8 * M_PI)) * s},
            {2, 2, 2, sqrt(5 / (64 * M_PI)) * minus * minus},
            {2, 1, 2, -sqrt(5 / (16 * M_PI)) * s * minus},
            {2, 0, 2, sqrt(15 / (32 * M_PI)) * s * s},
            {2, -1, 2, -sqrt(5 / (16 * M_PI)) * s * plus},
            {2, 2, -2, sqrt(5 / (64 * M_PI)) * plus * plus},
            {2, 1, -2, sqrt(5 / (16 * M_PI)) * s * plus},
            {2, 1, 1, -sqrt(5 / (16 * M_PI)) * minus * (2 * c + 1)},
            {2, 1, -1, -sqrt(5 / (16 * M_PI)) * plus * (2 * c - 1)},
            {3, 0, 3, sqrt(35 / (64 * M_PI)) * s * s * s},
        };
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            check_at_most(fabs(oracle_spin_value(cases[k].l, cases[k].m, cases[k].spin, t) -
                               cases[k].expected),
                          1e-15, "l = %d, m = %d, spin = %d, theta = %g", (int)cases[k].l,
                          (int)cases[k].m, (int)cases[k].spin, t);
    }
}

/* edh and its conjugate take the scalar judge's functions to spin +-1 and those to +-2: derivatives
 * by central differences of order 4. */
static double difference(double (*f)(int64_t, int64_t, int64_t, double), const int64_t lms[3],
                         double theta)
{
    const double h = 2e-3;
    double near = f(lms[0], lms[1], lms[2], theta + h) - f(lms[0], lms[1], lms[2], theta - h);
    double far =
        f(lms[0], lms[1], lms[2], theta + 2 * h) - f(lms[0], lms[1], lms[2], theta - 2 * h);
    return (8 * near - far) / (12 * h);
}

static double any_spin(int64_t l, int64_t m, int64_t spin, double theta)
{
    if (spin) return oracle_spin_value(l, m, spin, theta);
    double row[16];
    const int64_t order = m < 0 ? -m : m;
    oracle_lambda_row(order, l, theta, row);
    return row[l - order] * (m < 0 && m % 2 ? -1 : 1);
}

static void edh_raises_and_lowers(void **state)
{
    (void)state;
    for (int64_t l = 1; l <= 6; l++)
        for (int64_t m = -l; m <= l; m++)
            for (int64_t spin = 1 - l; spin < l; spin++) {
                const int64_t lms[3] = {l, m, spin};
                const double t = 0.9, value = any_spin(l, m, spin, t);
                const double slope = difference(any_spin, lms, t);
                const double across = ((double)m + (double)spin * cos(t)) / sin(t) * value;
                double up = sqrt((double)((l - spin) * (l + spin + 1)));
                double down = sqrt((double)((l + spin) * (l - spin + 1)));
                check_at_most(fabs(-slope + across - up * any_spin(l, m, spin + 1, t)), 2e-8,
                              "edh, l = %d, m = %d, spin = %d", (int)l, (int)m, (int)spin);
                check_at_most(fabs(-slope - across + down * any_spin(l, m, spin - 1, t)), 2e-8,
                              "conjugate edh, l = %d, m = %d, spin = %d", (int)l, (int)m,
                              (int)spin);
            }
}

static void recurrence_equals_explicit_sum(void **state)
{
    (void)state;
    static const int64_t cases[][2] = {{0, 1},   {1, 1},   {-1, 1},    {2, -2},
                                       {-3, 2},  {5, 37},  {-5, 37},   {37, -37},
                                       {40, 37}, {100, 2}, {300, 280}, {7, 300}};
    const int64_t lmax = checks_quick() ? 400 : 2000;
    double *row = checked_malloc(lmax + 1, sizeof *row);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int i = 0; i < ANGLES; i++) {
            const int64_t m = cases[k][0], spin = cases[k][1], order = m < 0 ? -m : m;
            const int64_t low = order > spin ? order : spin > 0 ? spin : -spin;
            oracle_spin_row(m, spin, lmax, angles[i], row);
            for (int64_t l = low < order ? order : low; l <= lmax; l += 1 + (l - low) * 2 / 3) {
                double value = oracle_spin_value(l, m, spin, angles[i]);
                check_at_most(fabs(row[l - order] - value), 2e-16 * fabs(value),
                              "l = %d, m = %d, spin = %d, theta = %g", (int)l, (int)m, (int)spin,
                              angles[i]);
            }
        }
    free(row);
}

/* sum over m of |sY_lm|^2 = (2 l + 1) / (4 pi) at every point, and sum over m of sY_lm s'Y_lm = 0
 * for different spins. */
static void fulfils_the_addition_theorem(void **state)
{
    (void)state;
    static const int64_t pairs[][2] = {{1, -1}, {2, 0}, {3, 2}, {37, 36}, {60, -60}};
    const int64_t l = 60;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        for (int i = 0; i < ANGLES; i++) {
            double square = 0, mixed = 0;
            for (int64_t m = -l; m <= l; m++) {
                double value = oracle_spin_value(l, m, pairs[k][0], angles[i]);
                square += value * value;
                mixed += value * oracle_spin_value(l, m, pairs[k][1], angles[i]);
            }
            double expected = (2 * (double)l + 1) / (4 * M_PI);
            check_at_most(fabs(square - expected), 1e-13, "spin %d", (int)pairs[k][0]);
            check_at_most(fabs(mixed), 1e-13, "spins %d, %d", (int)pairs[k][0], (int)pairs[k][1]);
        }
}

/* 2 pi int slambda_lm slambda_l'm sin theta dtheta = delta_ll', by Gauss-Legendre rings. */
static void rows_are_orthonormal(void **state)
{
    (void)state;
    enum { LMAX = 40 };
    static const int64_t cases[][2] = {{0, 1}, {3, 2}, {-3, 2}, {5, -3}, {2, 37}, {40, 37}};
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(LMAX + 1, 1, &grid));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int64_t m = cases[k][0], order = m < 0 ? -m : m;
        double product[LMAX + 1] = {0}, row[LMAX + 1];
        for (int64_t r = 0; r <= LMAX; r++) {
            armilla_ring ring;
            check_ok(armilla_grid_ring(grid, r, &ring));
            oracle_spin_row(m, cases[k][1], LMAX, ring.theta, row);
            for (int64_t l = order; l <= LMAX; l++)
                product[l] += ring.weight * row[l - order] * row[LMAX - order];
        }
        for (int64_t l = order; l <= LMAX; l++)
            check_at_most(fabs(product[l] - (l == LMAX)), 1e-13, "l = %d, m = %d, spin = %d",
                          (int)l, (int)m, (int)cases[k][1]);
    }
    armilla_grid_free(grid);
}

static void peaks_match_a_dense_scan(void **state)
{
    (void)state;
    static const int64_t cases[][3] = {{1, 1, 1},    {2, 0, 2},    {2, 1, 2},     {20, 2, 2},
                                       {20, -2, 2},  {63, 3, 2},   {63, 31, 2},   {63, 63, 2},
                                       {63, 0, 37},  {63, 30, 37}, {63, -60, 37}, {63, 5, -63},
                                       {63, 62, 63}, {40, 1, 3},   {40, 0, 1},    {50, -49, 50}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int64_t l = cases[k][0], m = cases[k][1], spin = cases[k][2];
        double largest = 0, peak = oracle_spin_peak(l, m, spin);
        for (int i = 0; i <= 2000; i++)
            largest = larger_or_nan(largest, fabs(oracle_spin_value(l, m, spin, M_PI * i / 2000)));
        check_at_most(fabs(peak - largest), 1e-2 * largest, "l = %d, m = %d, spin = %d", (int)l,
                      (int)m, (int)spin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_closed_forms),
        cmocka_unit_test(edh_raises_and_lowers),
        cmocka_unit_test(recurrence_equals_explicit_sum),
        cmocka_unit_test(fulfils_the_addition_theorem),
        cmocka_unit_test(rows_are_orthonormal),
        cmocka_unit_test(peaks_match_a_dense_scan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

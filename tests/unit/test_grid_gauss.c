/* Checks nodes and weights of Gauss-Legendre grids against MPFR, what the rule integrates, and
 * reduced grids. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/grid.h"
#include "base/memory.h"
#include <math.h>
#include <mpfr.h>

enum { PRECISION = 192 };

/* P_n(cos theta) and its derivative in theta at a double theta, by the plain recurrence. */
static void legendre(int64_t n, double theta, mpfr_t value, mpfr_t slope)
{
    mpfr_t x, s, p0, p1, next;
    mpfr_inits2(PRECISION, x, s, p0, p1, next, (mpfr_ptr)0);
    mpfr_set_d(s, theta, MPFR_RNDN);
    mpfr_sin_cos(s, x, s, MPFR_RNDN);
    mpfr_set_ui(p0, 1, MPFR_RNDN);
    mpfr_set(p1, x, MPFR_RNDN);
    for (int64_t l = 1; l < n; l++) {
        mpfr_mul(next, x, p1, MPFR_RNDN);
        mpfr_mul_si(next, next, 2 * l + 1, MPFR_RNDN);
        mpfr_mul_si(p0, p0, l, MPFR_RNDN);
        mpfr_sub(next, next, p0, MPFR_RNDN);
        mpfr_div_si(next, next, l + 1, MPFR_RNDN);
        mpfr_swap(p0, p1);
        mpfr_swap(p1, next);
    }
    mpfr_mul(slope, x, p1, MPFR_RNDN);
    mpfr_sub(slope, slope, p0, MPFR_RNDN);
    mpfr_mul_si(slope, slope, n, MPFR_RNDN);
    mpfr_div(slope, slope, s, MPFR_RNDN);
    mpfr_set(value, p1, MPFR_RNDN);
    mpfr_clears(x, s, p0, p1, next, (mpfr_ptr)0);
}

/* One Newton step in MPFR gives the node's error; the weight is 2 / (dP/dtheta)^2 at the node,
 * where d^2 P / dtheta^2 = -cot(theta) dP/dtheta. */
static void check_node(int64_t n, const armilla_ring *ring)
{
    mpfr_t value, slope;
    mpfr_inits2(PRECISION, value, slope, (mpfr_ptr)0);
    legendre(n, ring->theta, value, slope);
    mpfr_div(value, value, slope, MPFR_RNDN);
    double error = mpfr_get_d(value, MPFR_RNDN);
    double unit = nextafter(ring->theta, 4) - ring->theta;
    if (!(fabs(error) < 1.1 * unit))
        fail_msg("n %lld theta %.17g: off by %g units", (long long)n, ring->theta, error / unit);
    mpfr_sqr(slope, slope, MPFR_RNDN);
    mpfr_ui_div(slope, 2, slope, MPFR_RNDN);
    double weight = 2 * M_PI * mpfr_get_d(slope, MPFR_RNDN) * (1 - 2 * error / tan(ring->theta));
    if (!(fabs(ring->weight / weight - 1) < 6e-16))
        fail_msg("n %lld theta %.17g: weight %.17g not %.17g", (long long)n, ring->theta,
                 ring->weight, weight);
    mpfr_clears(value, slope, (mpfr_ptr)0);
}

static void check_nodes(int64_t n, int64_t step)
{
    armilla_grid *grid;
    assert_int_equal(armilla_grid_new_gauss_legendre(n, 1, &grid), ARMILLA_OK);
    for (int64_t r = 0; r < n; r += r < 3 ? 1 : step) {
        armilla_ring ring;
        assert_int_equal(armilla_grid_ring(grid, r, &ring), ARMILLA_OK);
        check_node(n, &ring);
    }
    armilla_grid_free(grid);
}

static void nodes_and_weights_are_right_to_the_last_digits(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 40; n++) check_nodes(n, 1);
    check_nodes(99, 1);
    check_nodes(100, 1);
    check_nodes(101, 1);
    check_nodes(1000, 21);
    check_nodes(10000, 1249);
    check_nodes(1000000, 499998);
}

static void rule_integrates_legendre_polynomials(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 200; n += 1 + n / 2) {
        armilla_grid *grid;
        assert_int_equal(armilla_grid_new_gauss_legendre(n, 3, &grid), ARMILLA_OK);
        assert_int_equal(armilla_grid_exact_lmax(grid), n - 1);
        assert_int_equal(armilla_grid_npix(grid), 3 * n);
        for (int64_t degree = 0; degree < 2 * n; degree++) {
            double sum = 0;
            for (int64_t r = 0; r < n; r++) {
                armilla_ring ring;
                assert_int_equal(armilla_grid_ring(grid, r, &ring), ARMILLA_OK);
                double x = cos(ring.theta), p = 1, before = 0;
                for (int64_t l = 0; l < degree; l++) {
                    double next = ((2.0 * l + 1) * x * p - (double)l * before) / (l + 1.0);
                    before = p;
                    p = next;
                }
                sum += 3 * ring.weight * p;
            }
            assert_true(fabs(sum - (degree ? 0 : 4 * M_PI)) < 1e-14);
        }
        armilla_grid_free(grid);
    }
}

static void rings_are_mirrored_exactly(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 300; n += 29) {
        armilla_grid *grid;
        assert_int_equal(armilla_grid_new_gauss_legendre(n, 5, &grid), ARMILLA_OK);
        for (int64_t r = 0; 2 * r < n; r++) {
            armilla_ring north, south;
            assert_int_equal(armilla_grid_ring(grid, r, &north), ARMILLA_OK);
            assert_int_equal(armilla_grid_ring(grid, n - 1 - r, &south), ARMILLA_OK);
            assert_true(south.theta == M_PI - north.theta);
            assert_true(south.weight == north.weight);
            assert_int_equal(north.offset, 5 * r);
            assert_int_equal(south.offset, 5 * (n - 1 - r));
            assert_true(north.stride == 1 && north.nphi == 5 && north.phi0 == 0);
        }
        armilla_grid_free(grid);
    }
}

/* m lambda_lm(theta) at order m above a ring's Nyquist limit: log of its size by the largest
 * degree, from the normalised recurrence with scaling. */
static double log10_lambda(int64_t l, int64_t m, double theta)
{
    double log_size = 0.5 * log10(1 / (4 * M_PI));
    for (int64_t k = 1; k <= m; k++)
        log_size += log10(sin(theta)) + 0.5 * log10((2.0 * k + 1) / (2.0 * k));
    double value = 1, before = 0, a_last = 0;
    for (int64_t k = m; k < l; k++) {
        double degree = (double)(k + 1), order = (double)m;
        double a = sqrt((degree * degree - order * order) / (4 * degree * degree - 1));
        double next = (cos(theta) * value - a_last * before) / a;
        before = value;
        value = next;
        a_last = a;
        if (fabs(value) > 1e100) {
            value *= 1e-100;
            before *= 1e-100;
            log_size += 100;
        }
    }
    return log_size + log10(fabs(value) + 1e-300);
}

static void reduced_rings_drop_only_what_is_below_rounding(void **state)
{
    (void)state;
    static const int64_t lmaxes[] = {10, 400, 1500};
    for (int i = 0; i < 3; i++) {
        int64_t lmax = lmaxes[i];
        armilla_grid *grid;
        assert_int_equal(armilla_grid_new_reduced_gauss_legendre(lmax + 1, lmax, &grid), 0);
        assert_int_equal(armilla_grid_exact_lmax(grid), lmax);
        double area = 0;
        int64_t npix = 0, previous = 0;
        for (int64_t r = 0; r <= lmax; r++) {
            armilla_ring ring;
            assert_int_equal(armilla_grid_ring(grid, r, &ring), ARMILLA_OK);
            int64_t first_lost = (ring.nphi + 1) / 2;
            if (first_lost <= lmax) assert_true(log10_lambda(lmax, first_lost, ring.theta) < -17);
            assert_int_equal(ring.offset, npix);
            if (2 * r <= lmax) assert_true(ring.nphi >= previous);
            previous = ring.nphi;
            area += (double)ring.nphi * ring.weight;
            npix += ring.nphi;
        }
        assert_true(fabs(area / (4 * M_PI) - 1) < 2e-15);
        assert_int_equal(armilla_grid_npix(grid), npix);
        if (lmax > 1000) assert_true((double)npix < 0.85 * (double)(lmax + 1) * (2.0 * lmax + 1));
        armilla_grid_free(grid);
    }
}

static void wrong_sizes_are_refused(void **state)
{
    (void)state;
    armilla_grid *grid = NULL;
    assert_int_equal(armilla_grid_new_gauss_legendre(0, 4, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_string_equal(armilla_status_message(), "nrings = 0: must be at least 1");
    assert_int_equal(armilla_grid_new_gauss_legendre(4, 0, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_grid_new_gauss_legendre(INT64_MAX, 4, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_grid_new_reduced_gauss_legendre(0, 4, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_grid_new_reduced_gauss_legendre(4, -1, &grid), ARMILLA_ERROR_ARGUMENT);
    assert_null(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_and_weights_are_right_to_the_last_digits),
        cmocka_unit_test(rule_integrates_legendre_polynomials),
        cmocka_unit_test(rings_are_mirrored_exactly),
        cmocka_unit_test(reduced_rings_drop_only_what_is_below_rounding),
        cmocka_unit_test(wrong_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

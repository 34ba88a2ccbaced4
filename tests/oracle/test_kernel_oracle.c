/* The judges of radial convolution are right themselves: values of kernels against closed forms and
 * numbers worked by hand, Gauss-Legendre rules against integrals of powers, the rings of HEALPix
 * against what is known of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/checks.h"
#include "oracle/kernel_oracle.h"
#include "oracle/ring_oracle.h"
#include <math.h>
#include <stdlib.h>

static double at(const oracle_kernel *k, double theta)
{
    double value;
    oracle_kernel_values(k, 1, &theta, &value);
    return value;
}

/* The first correction to the plane is theta^2 / 12. */
static void narrow_beams_are_those_of_the_plane(void **state)
{
    (void)state;
    const oracle_kernel beam = {.kind = ORACLE_GAUSSIAN, .width = 1e-3};
    const oracle_kernel hat = {.kind = ORACLE_MEXICAN_HAT, .width = 1e-3};
    const double sigma = 1e-3 / sqrt(8 * log(2)), peak = 1 / (2 * M_PI * sigma * sigma);
    for (double x = 0; x < 4; x += 0.31) {
        const double expected = peak * exp(-x * x / 2);
        check_at_most(fabs(at(&beam, x * sigma) - expected), 1e-6 * peak, "x = %g", x);
        check_at_most(fabs(at(&hat, x * sigma) - (2 - x * x) * expected), 1e-6 * peak, "x = %g", x);
    }
}

/* P_0, P_1, P_2 by hand. */
static void windows_are_legendre_sums(void **state)
{
    (void)state;
    const oracle_kernel k = {.kind = ORACLE_WINDOW, .count = 3, .value = {2, -0.5, 3}};
    for (double theta = 0; theta < 3.2; theta += 0.3) {
        const double x = cos(theta);
        const double sum = 2 - 0.5 * 3 * x + 3 * 5 * (3 * x * x - 1) / 2;
        check_at_most(fabs(at(&k, theta) - sum / (4 * M_PI)), 1e-15, "theta = %g", theta);
    }
}

/* Secants 4 and 1, slopes 5, 12/7, 0. */
static void tables_are_monotone_cubics_in_the_chord(void **state)
{
    (void)state;
    const double h[] = {0, 0.25, 0.5, 1, 1.5}, expected[] = {1, 247.0 / 112, 3, 26.0 / 7, 4};
    const oracle_kernel k = {.kind = ORACLE_TABLE,
                             .count = 3,
                             .theta = {0, 2 * asin(0.25), 2 * asin(0.75)},
                             .value = {1, 3, 4}};
    for (int i = 0; i < 5; i++)
        check_at_most(fabs(at(&k, 2 * asin(h[i] / 2)) - expected[i]), 1e-15 * 4, "%g", h[i]);
    assert_true(at(&k, k.theta[2]) == 4 && at(&k, nextafter(k.theta[2], 4)) == 0);
}

/* Squares of all scales add up to 1; half of the rise lies in the middle. */
static void needlets_part_unity(void **state)
{
    (void)state;
    double sum[32] = {0};
    for (int64_t scale = 0; scale <= 5; scale++) {
        const oracle_kernel k = oracle_needlet(2, scale);
        for (int64_t l = 0; l < k.count && l < 32; l++) sum[l] += k.value[l] * k.value[l];
    }
    assert_true(sum[0] == 0);
    for (int l = 1; l < 32; l++) check_at_most(fabs(sum[l] - 1), 1e-14, "l = %d", l);
    const oracle_kernel k = oracle_needlet(2, 3);
    check_at_most(fabs(k.value[6] - sqrt(0.5)), 1e-15, "middle of the rise");
    assert_true(k.count == 16 && k.value[4] == 0 && k.value[8] == 1);
}

static void integrals_have_closed_forms(void **state)
{
    (void)state;
    const double pi = M_PI, radius = 0.7;
    const oracle_kernel beam = {.kind = ORACLE_GAUSSIAN, .width = 0.5};
    const oracle_kernel disc = {.kind = ORACLE_TOPHAT, .width = radius};
    const oracle_kernel wave = {.kind = ORACLE_WINDOW, .count = 2, .value = {0, 1}};
    check_at_most(fabs((double)oracle_kernel_integral(&beam, pi, 0, NULL) - 1), 1e-14, "beam");
    check_at_most(fabs((double)oracle_kernel_integral(&disc, pi, 1, &radius) - 1), 1e-14, "disc");
    const double part = 0.75 * sin(1.0) * sin(1.0); /* 2 pi int 3 cos t / (4 pi) sin t */
    check_at_most(fabs((double)oracle_kernel_integral(&wave, 1, 0, NULL) - part), 1e-14, "wave");
}

static void gauss_rules_integrate_powers(void **state)
{
    (void)state;
    long double x[16], w[16];
    for (int n = 1; n <= 16; n += 5) {
        oracle_gauss_rule(n, x, w);
        for (int power = 0; power < 2 * n; power++) {
            long double sum = 0;
            for (int i = 0; i < n; i++) sum += w[i] * powl(x[i], power);
            const long double exact = power % 2 ? 0 : 2.0L / (power + 1);
            check_at_most((double)fabsl(sum - exact), 1e-17, "%d points, x^%d", n, power);
        }
    }
}

/* Pixels of equal area: z of a ring halves what its pixels cover, to the order 1 / nside^2. */
static void healpix_rings_share_the_sphere(void **state)
{
    (void)state;
    for (int64_t nside = 1; nside <= 40; nside += 3) {
        armilla_ring *rings = oracle_healpix_rings(nside);
        const double npix = 12 * (double)(nside * nside);
        int64_t before = 0;
        for (int64_t i = 0; i < 4 * nside - 1; i++) {
            const double middle = 1 - 2 * ((double)before + 0.5 * (double)rings[i].nphi) / npix;
            check_at_most(fabs(cos(rings[i].theta) - middle), 1 / npix + 1e-15, "nside %d, ring %d",
                          (int)nside, (int)i);
            assert_int_equal(rings[i].offset, before);
            before += rings[i].nphi;
        }
        assert_int_equal(before, 12 * nside * nside);
        free(rings);
    }
}

/* Rings of the library are those, to a rounding. */
static void the_library_has_these_rings(void **state)
{
    (void)state;
    for (int64_t nside = 1; nside <= 200; nside += nside < 10 ? 1 : 47) {
        armilla_grid *grid = healpix_grid(nside);
        armilla_ring *rings = oracle_healpix_rings(nside), *own = grid_rings(grid);
        assert_int_equal(armilla_grid_nrings(grid), 4 * nside - 1);
        for (int64_t i = 0; i < 4 * nside - 1; i++) {
            check_at_most(fabs(own[i].theta - rings[i].theta), 4.5e-16, "nside %d, ring %d",
                          (int)nside, (int)i);
            check_at_most(fabs(own[i].weight / rings[i].weight - 1), 3e-16, "weight");
            assert_true(own[i].phi0 == rings[i].phi0 && own[i].nphi == rings[i].nphi);
            assert_true(own[i].offset == rings[i].offset && own[i].stride == 1);
        }
        free(own);
        free(rings);
        armilla_grid_free(grid);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_beams_are_those_of_the_plane),
        cmocka_unit_test(windows_are_legendre_sums),
        cmocka_unit_test(tables_are_monotone_cubics_in_the_chord),
        cmocka_unit_test(needlets_part_unity),
        cmocka_unit_test(integrals_have_closed_forms),
        cmocka_unit_test(gauss_rules_integrate_powers),
        cmocka_unit_test(healpix_rings_share_the_sphere),
        cmocka_unit_test(the_library_has_these_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks differential operators on coefficients: against products and derivatives of maps, of which
 * the functions are those of closed forms, against each other, and what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LMAX = 17, MMAX = 11 };

static double *random_triangle(int64_t lmax, int64_t mmax)
{
    double *alm = checked_calloc(2 * armilla_alm_size(lmax, mmax), sizeof *alm);
    random_alm_triangle(5, lmax, mmax, alm);
    return alm;
}

static double largest_difference(int64_t count, const double *a, const double *b)
{
    double error = 0;
    for (int64_t i = 0; i < count; i++) error = larger_or_nan(error, fabs(a[i] - b[i]));
    return error;
}

/* cos(theta) a, and sin(theta) da/dtheta, by maps on a grid that is exact for lmax + 1. */
static double *by_maps(const double *alm, int64_t result_lmax, int derive)
{
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, LMAX + 1, MMAX, 0, 0);
    armilla_sht_options options;
    armilla_sht *sht, *wide;
    armilla_sht_options_init(&options);
    if (derive) options.spin = 1, options.mode = ARMILLA_SHT_DERIVATIVES;
    check_ok(armilla_sht_new(grid, LMAX, MMAX, &options, &sht));
    check_ok(armilla_sht_new(grid, LMAX + 1, MMAX, NULL, &wide));
    const int64_t npix = armilla_grid_npix(grid), nrings = armilla_grid_nrings(grid);
    double *map = checked_malloc(2 * npix, 8);
    double *all = random_triangle(LMAX + 1, MMAX);
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    armilla_ring ring;
    for (int64_t r = 0; r < nrings; r++) {
        check_ok(armilla_grid_ring(grid, r, &ring));
        const double factor = derive ? sin(ring.theta) : cos(ring.theta);
        for (int64_t j = 0; j < ring.nphi; j++) map[ring.offset + j] *= factor;
    }
    check_ok(armilla_sht_analysis(wide, map, all, NULL));
    double *result = random_triangle(result_lmax, MMAX);
    for (int64_t m = 0; m <= MMAX; m++)
        memcpy(result + 2 * armilla_alm_index(result_lmax, m, m),
               all + 2 * armilla_alm_index(LMAX + 1, m, m), (size_t)(result_lmax - m + 1) * 16);
    free(all), free(map);
    armilla_sht_free(wide), armilla_sht_free(sht), armilla_grid_free(grid);
    return result;
}

static void neighbours_are_those_of_maps(void **state)
{
    (void)state;
    double *alm = random_triangle(LMAX, MMAX);
    for (int64_t result_lmax = MMAX; result_lmax <= LMAX + 1; result_lmax++)
        for (int derive = 0; derive < 2; derive++) {
            const int64_t count = 2 * armilla_alm_size(result_lmax, MMAX);
            double *expected = by_maps(alm, result_lmax, derive);
            double *made = checked_malloc(count, 8);
            check_ok(derive ? armilla_alm_derive_theta(LMAX, MMAX, alm, result_lmax, made)
                            : armilla_alm_multiply_cos_theta(LMAX, MMAX, alm, result_lmax, made));
            check_at_most(largest_difference(count, expected, made), derive ? 3e-13 : 1e-14,
                          "derive %d to %lld", derive, (long long)result_lmax);
            free(made), free(expected);
        }
    free(alm);
}

/* The matrix of cos(theta) from lmax to lmax + 1 is the transpose of that from lmax + 1 to lmax. */
static void cosine_is_symmetric(void **state)
{
    (void)state;
    double *a = random_triangle(LMAX, MMAX), *b = random_triangle(LMAX + 1, MMAX);
    double *ca = random_triangle(LMAX + 1, MMAX), *cb = random_triangle(LMAX, MMAX);
    check_ok(armilla_alm_multiply_cos_theta(LMAX, MMAX, a, LMAX + 1, ca));
    check_ok(armilla_alm_multiply_cos_theta(LMAX + 1, MMAX, b, LMAX, cb));
    const double left = dot_alm(LMAX + 1, MMAX, ca, b), right = dot_alm(LMAX, MMAX, a, cb);
    check_at_most(fabs(left - right), 1e-13, "%g and %g", left, right);
    free(cb), free(ca), free(b), free(a);
}

/* One coefficient: the smallest case of all. */
static void degree_zero_has_a_neighbour(void **state)
{
    (void)state;
    const double one[2] = {1, 0};
    double made[6] = {7, 7, 7, 7, 7, 7};
    check_ok(armilla_alm_multiply_cos_theta(0, 0, one, 1, made));
    check_at_most(fabs(made[0]) + fabs(made[1]) + fabs(made[3]), 0, "a_00");
    check_at_most(fabs(made[2] - 1 / sqrt(3.0)), 2e-16, "a_10");
    check_ok(armilla_alm_derive_theta(0, 0, one, 1, made));
    for (int i = 0; i < 4; i++) check_at_most(fabs(made[i]), 0, "of a constant");
    check_ok(armilla_alm_multiply_cos_theta(0, 0, one, 0, made));
    check_at_most(fabs(made[0]), 0, "cut");
    assert_true(made[4] == 7);
}

static void laplacian_and_longitude(void **state)
{
    (void)state;
    const int64_t size = armilla_alm_size(LMAX, MMAX);
    double *alm = random_triangle(LMAX, MMAX), *a = random_triangle(LMAX, MMAX);
    check_ok(armilla_alm_apply_laplacian(LMAX, MMAX, 2, a));
    for (int64_t m = 0; m <= MMAX; m++)
        for (int64_t l = m; l <= LMAX; l++) {
            const int64_t i = 2 * armilla_alm_index(LMAX, l, m);
            const double factor = -(double)(l * (l + 1)) / 4;
            check_at_most(fabs(a[i] - factor * alm[i]), 1e-13, "laplacian");
        }
    check_ok(armilla_alm_invert_laplacian(LMAX, MMAX, 2, ARMILLA_MEAN_ERROR, a));
    assert_true(a[0] == 0 && a[1] == 0);
    check_at_most(largest_difference(2 * size - 2, a + 2, alm + 2), 1e-15, "inverse");
    memcpy(a, alm, (size_t)size * 16);
    check_ok(armilla_alm_derive_phi(LMAX, MMAX, a));
    for (int64_t m = 0; m <= MMAX; m++)
        for (int64_t l = m; l <= LMAX; l++) {
            const int64_t i = 2 * armilla_alm_index(LMAX, l, m);
            assert_true(a[i] == -(double)m * alm[i + 1] && a[i + 1] == (double)m * alm[i]);
        }
    free(a), free(alm);
}

static void a_mean_is_refused(void **state)
{
    (void)state;
    double *alm = random_triangle(LMAX, MMAX);
    const double mean = alm[0], neighbour = alm[2];
    check_error(armilla_alm_invert_laplacian(LMAX, MMAX, 1, ARMILLA_MEAN_ERROR, alm),
                ARMILLA_ERROR_ARGUMENT, "alm: a_00 = ");
    assert_true(alm[0] == mean && alm[2] == neighbour);
    alm[0] = 1e-7; /* rounding, as an analysis leaves it */
    check_ok(armilla_alm_invert_laplacian(LMAX, MMAX, 1, ARMILLA_MEAN_ERROR, alm));
    alm[0] = NAN;
    check_error(armilla_alm_invert_laplacian(LMAX, MMAX, 1, ARMILLA_MEAN_ERROR, alm),
                ARMILLA_ERROR_ARGUMENT, "alm: a_00 = nan");
    alm[0] = 3;
    check_ok(armilla_alm_invert_laplacian(LMAX, MMAX, 1, ARMILLA_MEAN_IGNORE, alm));
    assert_true(alm[0] == 0);
    double constant[2] = {1e-300, 0}, huge[6] = {0, 0, 1e300, 0, -1e300, 1e300};
    check_error(armilla_alm_invert_laplacian(0, 0, 1, ARMILLA_MEAN_ERROR, constant),
                ARMILLA_ERROR_ARGUMENT, "alm: a_00 = 1e-300");
    huge[0] = 1e299;
    check_error(armilla_alm_invert_laplacian(1, 1, 1, ARMILLA_MEAN_ERROR, huge),
                ARMILLA_ERROR_ARGUMENT, "alm: a_00 = 1e+299");
    huge[0] = 1e290;
    check_ok(armilla_alm_invert_laplacian(1, 1, 1, ARMILLA_MEAN_ERROR, huge));
    free(alm);
}

static void arguments_are_named(void **state)
{
    (void)state;
    double alm[6] = {0}, result[20];
    const armilla_mean unknown = (armilla_mean)2;
    const armilla_status refused = ARMILLA_ERROR_ARGUMENT;
    check_error(armilla_alm_apply_laplacian(1, 2, 1, alm), refused, "mmax");
    check_error(armilla_alm_apply_laplacian(1, 1, 0, alm), refused, "radius = 0");
    check_error(armilla_alm_apply_laplacian(1, 1, -1, alm), refused, "radius = -1");
    check_error(armilla_alm_apply_laplacian(1, 1, 1, NULL), refused, "alm = NULL");
    check_error(armilla_alm_invert_laplacian(1, 1, NAN, 0, alm), refused, "radius = ");
    check_error(armilla_alm_invert_laplacian(1, 1, HUGE_VAL, 0, alm), refused, "radius = inf");
    check_error(armilla_alm_invert_laplacian(1, 1, 1e200, 0, alm), refused, "radius = 1e+200");
    check_error(armilla_alm_apply_laplacian(1, 1, 1e-200, alm), refused, "1e-140 to 1e+140");
    check_error(armilla_alm_invert_laplacian(1, 1, 1, unknown, alm), refused, "mean = 2");
    check_error(armilla_alm_derive_phi(-1, 0, alm), refused, "lmax");
    check_error(armilla_alm_multiply_cos_theta(1, 1, alm, 3, result), refused, "result_lmax = 3");
    check_error(armilla_alm_multiply_cos_theta(1, 1, alm, 0, result), refused, "result_lmax = 0");
    check_error(armilla_alm_derive_theta(1, 1, alm, 1, NULL), refused, "result = NULL");
    check_error(armilla_alm_derive_theta(1, 1, NULL, 1, result), refused, "alm = NULL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_those_of_maps),
        cmocka_unit_test(cosine_is_symmetric),
        cmocka_unit_test(degree_zero_has_a_neighbour),
        cmocka_unit_test(laplacian_and_longitude),
        cmocka_unit_test(a_mean_is_refused),
        cmocka_unit_test(arguments_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks the accuracy of whole rows lambda_lm, l = m .. 2^17, for large orders, where a transform
 * would be too costly: one order on one ring, by the kernels and tables of the transforms.
 *
 * Bound: |error| <= 5e-16 max(l, 100) max over theta of |lambda_lm|. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cpu.h"
#include "legendre/legendre.h"
#include "oracle/checks.h"
#include "oracle/lambda_oracle.h"
#include <math.h>
#include <stdlib.h>

enum { MOST_ANGLES = 32 };

static int64_t largest_degree(void)
{
    return checks_quick() ? 8192 : 131072;
}

/* Fixed angles of both hemispheres, among them those beside the borders of the fine forms,
 * docs/mathematics.md (2.10), and angles where order m has its turning points. */
static int angles_of_order(int64_t m, int64_t lmax, double theta[MOST_ANGLES])
{
    const double north[] = {0,
                            1e-6,
                            2e-3,
                            1e-2,
                            1.4e-2,
                            0.0251,
                            3e-2,
                            0.3,
                            1.0,
                            1.5,
                            M_PI / 2 - 0.0401,
                            M_PI / 2 - 2e-3,
                            M_PI / 2 - 1e-9};
    int count = 0;
    for (size_t i = 0; i < sizeof north / sizeof *north; i++) {
        theta[count++] = north[i];
        theta[count++] = M_PI - north[i];
    }
    theta[count++] = M_PI / 2;
    double ratio = (double)m / (double)lmax;
    theta[count++] = asin(ratio);
    theta[count++] = asin(fmin(1, ratio * 1.01));
    theta[count++] = asin(ratio * 0.99);
    theta[count++] = M_PI - asin(fmin(1, sqrt(ratio)));
    return count;
}

/* lambda_lm of one order, l = m .. lmax, by the kernels and tables of the transforms: the analysis
 * of a 1 on one ring. */
static armilla_status legendre_row(armilla_isa isa, int64_t lmax, int64_t m, double theta,
                                   double *lambda)
{
    armilla_legendre *legendre = NULL;
    armilla_ring_pairs pairs;
    double *alm = NULL, *scratch = NULL, leg[4] = {0};
    armilla_status status = armilla_ring_pairs_make(1, &theta, lmax, lmax, 0, &pairs);
    if (status) return status;
    const armilla_legendre_problem problem = {.machine = armilla_machine_with(isa),
                                              .lmax = lmax,
                                              .norders = 1,
                                              .orders = &m,
                                              .pairs = &pairs};
    if ((status = armilla_legendre_new(&problem, &legendre)) ||
        (status =
             armilla_allocate_zero(&alm, armilla_legendre_alm_row(legendre, m), sizeof(double))) ||
        (status = armilla_allocate(&scratch, armilla_legendre_scratch_size(legendre, 1),
                                   sizeof(double))))
        goto done;
    leg[pairs.north[0] >= 0 ? 0 : 2] = 1;
    const armilla_legendre_sets sets = {.count = 1, .alm = alm, .leg = leg};
    armilla_legendre_analysis(legendre, 0, 1, m, &sets, scratch);
    for (int64_t l = m; l <= lmax; l++) lambda[l - m] = alm[2 * (l - m)];

done:
    armilla_release(alm);
    armilla_release(scratch);
    armilla_legendre_free(legendre);
    armilla_ring_pairs_clear(&pairs);
    return status;
}

static void check_row(armilla_isa isa, int64_t m, int64_t lmax, double theta,
                      const double *expected, const double *peak, double *row)
{
    row[lmax - m + 1] = 12345; /* a fence */
    check_ok(legendre_row(isa, lmax, m, theta, row));
    for (int64_t l = m; l <= lmax; l++)
        check_at_most(fabs(row[l - m] - expected[l - m]),
                      5e-16 * fmax((double)l, 100) * peak[l - m],
                      "%s: l = %lld, m = %lld, theta = %.17g, lmax = %lld", armilla_isa_label(isa),
                      (long long)l, (long long)m, theta, (long long)lmax);
    check_at_most(fabs(row[lmax - m + 1] - 12345), 0, "fence behind the row");
}

static void check_order(int64_t m, int64_t lmax)
{
    double *expected = checked_malloc(lmax - m + 1, sizeof *expected);
    double *peak = checked_malloc(lmax - m + 1, sizeof *peak);
    double *row = checked_malloc(lmax - m + 2, sizeof *row);
    double theta[MOST_ANGLES];
    int count = angles_of_order(m, lmax, theta);
    oracle_lambda_peaks(m, lmax, peak);
    for (int i = 0; i < count; i++) {
        oracle_lambda_row(m, lmax, theta[i], expected);
        for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
            if (armilla_isa_usable((armilla_isa)isa))
                check_row((armilla_isa)isa, m, lmax, theta[i], expected, peak, row);
    }
    free(row);
    free(peak);
    free(expected);
}

static void rows_of_small_orders(void **state)
{
    (void)state;
    check_order(0, largest_degree());
    check_order(1, largest_degree());
    check_order(100, largest_degree());
}

static void rows_of_large_orders(void **state)
{
    (void)state;
    int64_t lmax = largest_degree();
    check_order(lmax / 131, lmax);
    check_order(lmax / 13, lmax);
    check_order(lmax / 2, lmax);
    check_order(lmax - 10, lmax);
    check_order(lmax - 1, lmax);
    check_order(lmax, lmax);
}

/* Every parity of m and of the number of degrees, every length up to a few blocks. */
static void short_rows(void **state)
{
    (void)state;
    for (int64_t lmax = 0; lmax <= (checks_quick() ? 9 : 40); lmax++)
        for (int64_t m = 0; m <= lmax; m++) check_order(m, lmax);
}

/* Where plain forms serve the poles and the equator, too, and beyond. */
static void rows_of_middle_length(void **state)
{
    (void)state;
    static const int64_t lmax[] = {80, 81, 101, 127, 255, 600};
    const size_t count = checks_quick() ? 2 : sizeof lmax / sizeof *lmax;
    for (size_t i = 0; i < count; i++)
        for (int64_t m = 0; m <= lmax[i]; m += lmax[i] / 60) check_order(m, lmax[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_rows),
        cmocka_unit_test(rows_of_middle_length),
        cmocka_unit_test(rows_of_small_orders),
        cmocka_unit_test(rows_of_large_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

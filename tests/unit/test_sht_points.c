/* Checks the accuracy of transforms point by point: synthesis and adjoint synthesis of single
 * coefficients on single rings, equator to poles, up to l = 2^17, for every instruction set,
 * against the high precision oracle.
 *
 * Bound: |error| <= 5e-16 max(l, 100) max over theta of |lambda_lm|. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/lambda_oracle.h"
#include <math.h>
#include <stdlib.h>

static const double thetas[] = {0,           1e-6,
                                1e-2,        0.3,
                                1.0,         M_PI / 2 - 1e-9,
                                M_PI / 2,    M_PI / 2 + 1e-9,
                                2.0,         M_PI - 1.0,
                                M_PI - 0.3,  M_PI - 1e-2,
                                M_PI - 1e-6, M_PI};
enum { RINGS = sizeof thetas / sizeof *thetas, MOST_DEGREES = 16 };

static int64_t largest_degree(void)
{
    return checks_quick() ? 4096 : 131072;
}

static armilla_grid *single_rings(void)
{
    armilla_ring rings[RINGS];
    for (int r = 0; r < RINGS; r++) rings[r] = (armilla_ring){thetas[r], 1, 0, r, 1, 1};
    armilla_grid *grid;
    check_ok(armilla_grid_new_custom(RINGS, rings, &grid));
    return grid;
}

static int degrees_of_order(int64_t m, int64_t lmax, int64_t degree[MOST_DEGREES])
{
    const int64_t wanted[] = {m,    m + 1, m + 2,  m + 3,    m + 10,   m + 60,
                              1000, 10000, 100000, lmax / 2, lmax - 1, lmax};
    int count = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (wanted[i] >= m && wanted[i] <= lmax) degree[count++] = wanted[i];
    return count;
}

static armilla_sht *new_plan(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                             const armilla_alm_layout *layout, const char *isa)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.layout = layout;
    options.isa = isa;
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, lmax, mmax, &options, &sht));
    return sht;
}

typedef struct {
    int64_t m, lmax;
    int ndegrees;
    int64_t degree[MOST_DEGREES];
    double expected[MOST_DEGREES][RINGS]; /* lambda */
    double bound[MOST_DEGREES];
} reference;

static void fill_reference(int64_t m, reference *r)
{
    r->m = m;
    r->lmax = largest_degree();
    r->ndegrees = degrees_of_order(m, r->lmax, r->degree);
    double *row = checked_malloc(r->lmax + 1, sizeof *row);
    for (int ring = 0; ring < RINGS; ring++) {
        oracle_lambda_row(m, r->lmax, thetas[ring], row);
        for (int i = 0; i < r->ndegrees; i++) r->expected[i][ring] = row[r->degree[i] - m];
    }
    for (int i = 0; i < r->ndegrees; i++)
        r->bound[i] = 5e-16 * fmax((double)r->degree[i], 100) * oracle_lambda_peak(r->degree[i], m);
    free(row);
}

/* One transform per degree, all in one call. */
static void check_synthesis(const reference *r, const armilla_grid *grid, const char *isa)
{
    armilla_alm_layout *layout = layout_of_order(r->m, r->lmax);
    armilla_sht *sht = new_plan(grid, r->lmax, r->m, layout, isa);
    int64_t size = armilla_alm_layout_size(layout);
    double *alm = checked_calloc(2 * size * r->ndegrees, sizeof *alm);
    double map[MOST_DEGREES][RINGS];
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = r->ndegrees;
    for (int i = 0; i < r->ndegrees; i++)
        alm[2 * (size * i + armilla_alm_layout_index(layout, r->degree[i], r->m))] = 1;
    check_ok(armilla_sht_synthesis(sht, alm, map[0], &exec));
    double factor = r->m ? 2 : 1;
    for (int i = 0; i < r->ndegrees; i++)
        for (int ring = 0; ring < RINGS; ring++)
            check_at_most(fabs(map[i][ring] / factor - r->expected[i][ring]), r->bound[i],
                          "%s: l = %lld, m = %lld, theta = %.17g", isa, (long long)r->degree[i],
                          (long long)r->m, thetas[ring]);
    free(alm);
    armilla_sht_free(sht);
    armilla_alm_layout_free(layout);
}

static void synthesis_of_single_coefficients(void **state)
{
    (void)state;
    static const int64_t orders[] = {0, 1, 2, 5, 100};
    armilla_grid *grid = single_rings();
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        reference r;
        fill_reference(orders[k], &r);
        const char *isa;
        for (int i = 0; (isa = armilla_isa_available(i)); i++) check_synthesis(&r, grid, isa);
    }
    armilla_grid_free(grid);
}

/* A unit pulse on each ring in turn gives lambda_lm of all (l, m) there. */
static void check_adjoint(const armilla_grid *grid, const char *isa, int64_t mmax,
                          double *const lambda[], double *const peak[])
{
    int64_t lmax = largest_degree(), size = armilla_alm_size(lmax, mmax);
    armilla_sht *sht = new_plan(grid, lmax, mmax, NULL, isa);
    double *alm = checked_malloc(2 * size, sizeof *alm);
    for (int ring = 0; ring < RINGS; ring++) {
        double map[RINGS] = {0};
        map[ring] = 1;
        check_ok(armilla_sht_adjoint_synthesis(sht, map, alm, NULL));
        for (int64_t m = 0; m <= mmax; m++)
            for (int64_t l = m; l <= lmax; l++) {
                const double *a = alm + 2 * armilla_alm_index(lmax, l, m);
                double expected = lambda[m][ring * (lmax + 1) + l - m];
                double bound = 5e-16 * fmax((double)l, 100) * peak[m][l - m];
                check_at_most(fabs(a[0] - expected), bound, "%s: l = %lld, m = %lld, theta = %.17g",
                              isa, (long long)l, (long long)m, thetas[ring]);
                check_at_most(fabs(a[1]), bound, "%s: imaginary part", isa);
            }
    }
    free(alm);
    armilla_sht_free(sht);
}

static void adjoint_synthesis_of_single_pixels(void **state)
{
    (void)state;
    enum { MMAX = 2 };
    int64_t lmax = largest_degree();
    double *lambda[MMAX + 1], *peak[MMAX + 1];
    for (int64_t m = 0; m <= MMAX; m++) {
        lambda[m] = checked_malloc(RINGS * (lmax + 1), sizeof *lambda[m]);
        peak[m] = checked_malloc(lmax + 1, sizeof *peak[m]);
        oracle_lambda_peaks(m, lmax, peak[m]);
        for (int ring = 0; ring < RINGS; ring++)
            oracle_lambda_row(m, lmax, thetas[ring], lambda[m] + ring * (lmax + 1));
    }
    armilla_grid *grid = single_rings();
    const char *isa;
    for (int i = 0; (isa = armilla_isa_available(i)); i++)
        check_adjoint(grid, isa, MMAX, lambda, peak);
    for (int64_t m = 0; m <= MMAX; m++) {
        free(lambda[m]);
        free(peak[m]);
    }
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synthesis_of_single_coefficients),
        cmocka_unit_test(adjoint_synthesis_of_single_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

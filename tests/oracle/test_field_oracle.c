/* Checks the oracle of values at points against harmonics in high precision, and its rms against
 * sums of squares on the sphere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/checks.h"
#include "oracle/field_oracle.h"
#include "oracle/lambda_oracle.h"
#include "oracle/spin_oracle.h"
#include <math.h>
#include <stdlib.h>

enum { LMAX = 40 };

static const double points[] = {1e-6, 0.3, 0.02, 2, 0.9, 1, 1.6, 4, 2.9, 6, M_PI, 1, 0, 0.5};
enum { COUNT = sizeof points / sizeof *points / 2 };

/* Q + i U of one coefficient E_lm, which also has an order -m. */
static void harmonic(int64_t l, int64_t m, int64_t spin, const double *point, double field[2])
{
    double row[LMAX + 1];
    field[0] = field[1] = 0;
    for (int side = 0; side < (m ? 2 : 1); side++) {
        const int64_t order = side ? -m : m;
        const double sign = (spin ? -1 : 1) * (side && m % 2 ? -1 : 1);
        if (spin)
            oracle_spin_row(order, spin, LMAX, point[0], row);
        else
            oracle_lambda_row(m, LMAX, point[0], row);
        const double value = (spin ? sign : 1) * row[l - m];
        field[0] += value * cos((double)order * point[1]);
        field[1] += value * sin((double)order * point[1]);
    }
}

static void single_harmonics(void **state)
{
    (void)state;
    const int64_t size = armilla_alm_size(LMAX, LMAX);
    for (int64_t spin = 0; spin <= 3; spin++)
        for (int64_t m = 0; m <= LMAX; m += m < 5 ? 1 : 7)
            for (int64_t l = m > spin ? m : spin; l <= LMAX; l += 5) {
                const oracle_field field = {LMAX, LMAX, spin, COUNT, points};
                double *alm = checked_calloc(4 * size, sizeof *alm), value[2 * COUNT];
                alm[2 * (m * (2 * LMAX + 1 - m) / 2 + l)] = 1;
                oracle_field_values(&field, alm, value);
                for (int i = 0; i < COUNT; i++) {
                    double wanted[2];
                    harmonic(l, m, spin, points + 2 * i, wanted);
                    const double error = larger_or_nan(
                        fabs(value[i] - wanted[0]), spin ? fabs(value[COUNT + i] - wanted[1]) : 0);
                    check_at_most(error, 2e-14, "l %d, m %d, spin %d, point %d", (int)l, (int)m,
                                  (int)spin, i);
                }
                free(alm);
            }
}

/* Mean square over the sphere, by Gauss-Legendre rings. */
static void root_mean_square(void **state)
{
    (void)state;
    enum { RINGS = LMAX + 1, NPHI = 2 * LMAX + 2 };
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(RINGS, NPHI, &grid));
    armilla_ring *rings = grid_rings(grid);
    double *where = checked_malloc(2 * RINGS * NPHI, sizeof *where);
    double *value = checked_malloc(2 * RINGS * NPHI, sizeof *value);
    const int64_t size = armilla_alm_size(LMAX, LMAX);
    for (int64_t i = 0; i < RINGS * NPHI; i++) {
        where[2 * i] = rings[i / NPHI].theta;
        where[2 * i + 1] = 2 * M_PI * (double)(i % NPHI) / NPHI;
    }
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        const oracle_field field = {LMAX, LMAX, spin, RINGS * NPHI, where};
        double *alm = checked_malloc(4 * size, sizeof *alm), sum = 0;
        for (int c = 0; c < 2; c++)
            random_alm_triangle(7 + (uint64_t)c, LMAX, LMAX, alm + 2 * c * size);
        oracle_field_values(&field, alm, value);
        const int ncomp = spin ? 2 : 1;
        for (int64_t i = 0; i < ncomp * RINGS * NPHI; i++)
            sum += rings[i / NPHI % RINGS].weight * value[i] * value[i];
        check_at_most(fabs(sqrt(sum / (4 * M_PI * ncomp)) / oracle_field_rms(&field, alm) - 1),
                      1e-13, "spin %d", (int)spin);
        free(alm);
    }
    free(value);
    free(where);
    free(rings);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(single_harmonics),
                                       cmocka_unit_test(root_mean_square)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

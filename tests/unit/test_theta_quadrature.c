/* Checks that quadrature on equidistant rings by way of Gauss-Legendre rings gives the same
 * numbers as the weights W of docs/mathematics.md (5.8), which are made densely here;
 * orthonormality of the harmonics up to the grid's full resolution; products of waves of both
 * parities. Every instruction set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "oracle/lambda_oracle.h"
#include "unit/test_theta_scene.h"

static const armilla_grid_kind kinds[] = {ARMILLA_GRID_CC, ARMILLA_GRID_F1, ARMILLA_GRID_MW,
                                          ARMILLA_GRID_MWSS, ARMILLA_GRID_MWFLIP};
enum { NKINDS = sizeof kinds / sizeof *kinds, NPHI = 7, PARTS = 4 };

/* A grid and its Gauss-Legendre rings, exact for degree lmax times any column of the grid. */
typedef struct {
    armilla_theta *theta;
    armilla_grid_kind kind;
    armilla_circle circle;
    armilla_ring_pairs far, near;
    int64_t nrings, lmax, spin;
    double *factor, *scratch;
} quadrature;

/* Nodes and their weights times 2 pi / NPHI. */
static void make_nodes(quadrature *q, int64_t band, int64_t mmax)
{
    const int64_t count = (q->lmax + band + 2) / 2;
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(count, NPHI, &grid));
    armilla_ring *rings = grid_rings(grid);
    double *theta = doubles(count);
    for (int64_t i = 0; i < count; i++) theta[i] = rings[i].theta;
    q->near = all_pairs(count, theta, mmax);
    q->factor = doubles(q->near.count);
    for (int64_t i = 0; i < q->near.count; i++) q->factor[i] = rings[q->near.north[i]].weight;
    armilla_release(theta);
    free(rings);
    armilla_grid_free(grid);
}

static void quadrature_open(quadrature *q, armilla_isa isa, armilla_grid_kind kind, int64_t nrings,
                            int64_t lmax, int64_t spin)
{
    *q = (quadrature){.kind = kind, .nrings = nrings, .lmax = lmax, .spin = spin};
    q->circle = armilla_grid_circle(kind, nrings);
    const int64_t band = q->circle.length / 2;
    double *theta = equidistant_rings(kind, nrings);
    q->far = all_pairs(nrings, theta, LARGEST_ORDER);
    make_nodes(q, band, LARGEST_ORDER);
    const armilla_theta_problem problem = {.machine = armilla_machine_with(isa),
                                           .spin = spin,
                                           .band = band,
                                           .from = &q->far,
                                           .to = &q->near,
                                           .circle_length = q->circle.length,
                                           .half_shifted = q->circle.half_shifted,
                                           .first = q->circle.first,
                                           .to_factor = q->factor,
                                           .near_is_to = 1};
    check_ok(armilla_theta_new(&problem, &q->theta));
    assert_ptr_equal(armilla_theta_near(q->theta), &q->near);
    assert_ptr_equal(armilla_theta_far(q->theta), &q->far);
    q->scratch = doubles(armilla_theta_scratch_size(q->theta));
    armilla_release(theta);
}

static void quadrature_close(quadrature *q)
{
    armilla_theta_free(q->theta);
    armilla_ring_pairs_clear(&q->far);
    armilla_ring_pairs_clear(&q->near);
    armilla_release(q->factor);
    armilla_release(q->scratch);
}

/* Rows of the grid's pairs from columns of two numbers per ring, and back. */
static void move_column(const armilla_ring_pairs *pairs, double *row, double *column, int to_row)
{
    for (int64_t i = 0; i < 2 * pairs->count; i++) {
        const int64_t ring = i % 2 ? pairs->south[i / 2] : pairs->north[i / 2];
        for (int part = 0; part < 2 && ring >= 0; part++) {
            double *entry = row + 4 * (i / 2) + 2 * (i % 2) + part;
            *(to_row ? entry : column + 2 * ring + part) =
                *(to_row ? column + 2 * ring + part : entry);
        }
    }
}

/* lambda_lm(theta) of all degrees for one order: [ring][degree]. */
static double *tabulate(const armilla_ring_pairs *pairs, int64_t nrings, int64_t lmax, int64_t m)
{
    double *table = doubles(nrings * (lmax + 1));
    for (int64_t i = 0; i < 2 * pairs->count; i++) {
        const int64_t ring = i % 2 ? pairs->south[i / 2] : pairs->north[i / 2];
        if (ring < 0) continue;
        double *row = table + ring * (lmax + 1);
        oracle_lambda_long(m, lmax, pairs->theta[i / 2], row + m);
        for (int64_t l = m; l <= lmax && i % 2; l++) row[l] *= (l + m) % 2 ? -1 : 1;
    }
    return table;
}

/* sum over rings of lambda column: [degree][2] */
static double *project(const armilla_ring_pairs *pairs, int64_t nrings, int64_t lmax, int64_t m,
                       const double *column)
{
    double *table = tabulate(pairs, nrings, lmax, m), *alm = doubles(2 * (lmax + 1));
    for (int64_t l = m; l <= lmax; l++)
        for (int64_t r = 0; r < nrings; r++)
            for (int part = 0; part < 2; part++)
                alm[2 * l + part] += table[r * (lmax + 1) + l] * column[2 * r + part];
    armilla_release(table);
    return alm;
}

/* --- The weights (5.7), (5.8), densely ------------------------------------------------------- */

/* D(pi j / P) */
static long double dense_weight(int64_t length, int64_t j)
{
    long double sum = 0;
    for (int64_t k = 0; k <= length; k += 2) {
        const long double term = 2 / (1 - (long double)k * (long double)k);
        const long double count = k == 0 || k == length ? 1 : 2;
        sum += count * term * cosl(PI * (long double)(k * j % (2 * length)) / (long double)length);
    }
    return sum / (2 * (long double)length);
}

/* Trigonometric interpolation between samples `distance` half steps apart, an odd number; without
 * frequency P / 2. */
static long double dense_interpolation(int64_t length, int64_t distance)
{
    const int64_t top = (length - 1) / 2;
    const long double x = PI * (long double)distance / (2 * (long double)length);
    return sinl((2 * (long double)top + 1) * x) / (sinl(x) * (long double)length);
}

/* E column, or E^T circle. */
static void extend(const quadrature *q, int odd, double *column, long double *circle,
                   int transposed)
{
    for (int64_t r = 0; r < q->nrings; r++) {
        const int64_t image = (q->circle.length - r - q->circle.half_shifted) % q->circle.length;
        const long double sign = odd ? -1 : 1;
        const int left_out = image == r && odd;
        if (transposed && left_out) column[r] = 0;
        if (transposed && !left_out)
            column[r] = (double)(circle[r] + (image == r ? 0 : sign * circle[image]));
        if (!transposed) circle[r] = left_out ? 0 : column[r];
        if (!transposed && image != r) circle[image] = sign * column[r];
    }
}

/* column <- W column, one part of it. */
static void apply_dense_weights(const quadrature *q, int odd, double *column)
{
    const int64_t length = q->circle.length, shift = q->circle.half_shifted;
    long double *circle = checked_calloc(3 * length, sizeof *circle);
    long double *between = circle + length, *result = circle + 2 * length;
    const long double scale = 2 * PI / NPHI;
    extend(q, odd, column, circle, 0);
    for (int64_t j = 0; j < length; j++) {
        for (int64_t i = 0; i < length; i++)
            between[j] += dense_interpolation(length, 2 * (j - i) + 1) * circle[i];
        between[j] *= scale * dense_weight(length, (2 * j + shift + 1) % (2 * length));
    }
    for (int64_t i = 0; i < length; i++) {
        result[i] = scale * dense_weight(length, 2 * i + shift) * circle[i];
        for (int64_t j = 0; j < length; j++)
            result[i] += dense_interpolation(length, 2 * (j - i) + 1) * between[j];
    }
    extend(q, odd, column, result, 1);
    free(circle);
}

/* --- Tests ----------------------------------------------------------------------------------- */

/* The coefficients of random columns, by W on the grid's rings and on Gauss-Legendre rings. */
static void check_same_numbers(const quadrature *q)
{
    enum { COUNT = 3 };
    const int64_t orders[COUNT] = {0, 1, 4}, row_length = 4 * q->far.count;
    double *far = doubles(COUNT * row_length), *near = doubles(4 * COUNT * q->near.count);
    double *columns = doubles(2 * COUNT * q->nrings), *nodes = doubles(2 * 2 * q->near.count);
    random_fill(31, 2 * COUNT * q->nrings, columns);
    for (int row = 0; row < COUNT; row++)
        move_column(&q->far, far + row * row_length, columns + 2 * row * q->nrings, 1);
    const armilla_theta_batch batch = {COUNT, orders, near, far, 4 * q->near.count, row_length};
    armilla_theta_to_near(q->theta, &batch, q->scratch);
    for (int row = 0; row < COUNT; row++) {
        /* the harmonics of order m + spin have the parity of those of order m and this spin */
        const int64_t m = orders[row] + q->spin, count = (q->lmax + q->circle.length / 2 + 2) / 2;
        double *column = columns + 2 * row * q->nrings, *part = doubles(q->nrings);
        if (m > q->lmax) continue;
        for (int i = 0; i < 2; i++) {
            for (int64_t r = 0; r < q->nrings; r++) part[r] = column[2 * r + i];
            apply_dense_weights(q, m % 2 != 0, part);
            for (int64_t r = 0; r < q->nrings; r++) column[2 * r + i] = part[r];
        }
        move_column(&q->near, near + row * 4 * q->near.count, nodes, 0);
        double *expected = project(&q->far, q->nrings, q->lmax, m, column);
        double *alm = project(&q->near, count, q->lmax, m, nodes);
        check_at_most(rms_error(2 * (q->lmax + 1), expected, alm), 2e-14, "%s, %d rings, m %d",
                      armilla_grid_kind_name(q->kind), (int)q->nrings, (int)m);
        armilla_release(expected);
        armilla_release(alm);
        armilla_release(part);
    }
    double *arrays[] = {far, near, columns, nodes};
    for (int i = 0; i < PARTS; i++) armilla_release(arrays[i]);
}

/* Every kind, with lengths of the circle that are smooth, have a factor 11, are twice a prime, or
 * odd; to the largest degree that the grid resolves and to a smaller one. */
static void analysis_has_the_numbers_of_the_weights(void **state)
{
    (void)state;
    static const int64_t sizes[] = {7, 12, 17, 23, 33, 38, 48, 61};
    for (int isa = 0; isa < ARMILLA_ISA_COUNT; isa++)
        for (int k = 0; k < NKINDS && armilla_isa_usable(isa); k++)
            for (int i = checks_quick() ? 3 : 0; i < 8; i += checks_quick() ? 4 : 1) {
                const int64_t top = (armilla_grid_circle(kinds[k], sizes[i]).length - 1) / 2;
                quadrature q;
                quadrature_open(&q, isa, kinds[k], sizes[i], i % 3 ? top : top * 2 / 3, i % 4);
                check_same_numbers(&q);
                quadrature_close(&q);
            }
}

/* sum of f_a (weighted f_b) over the nodes: 2 pi times the integral of f_a f_b sin(theta) */
static void check_orthonormal(const quadrature *q, int64_t m)
{
    const int64_t count = (q->lmax + q->circle.length / 2 + 2) / 2;
    double *table = tabulate(&q->far, q->nrings, q->lmax, m), *column = doubles(2 * q->nrings);
    double *far = doubles(4 * q->far.count), *near = doubles(4 * q->near.count);
    double *nodes = doubles(2 * count);
    for (int64_t b = m; b <= q->lmax; b++) {
        for (int64_t r = 0; r < q->nrings; r++) {
            column[2 * r] = NPHI * table[r * (q->lmax + 1) + b];
            column[2 * r + 1] = -2 * column[2 * r];
        }
        move_column(&q->far, far, column, 1);
        const armilla_theta_batch batch = {1, &m, near, far, 4 * q->near.count, 4 * q->far.count};
        armilla_theta_to_near(q->theta, &batch, q->scratch);
        move_column(&q->near, near, nodes, 0);
        double *alm = project(&q->near, count, q->lmax, m, nodes);
        for (int64_t a = m; a <= q->lmax; a++) {
            const double error = fabs(alm[2 * a] - (a == b)) + fabs(alm[2 * a + 1] + 2 * (a == b));
            check_at_most(error, 6e-14, "%s, %d rings, m %d, l %d %d",
                          armilla_grid_kind_name(q->kind), (int)q->nrings, (int)m, (int)a, (int)b);
        }
        armilla_release(alm);
    }
    double *arrays[] = {table, column, far, near, nodes};
    for (int i = 0; i < 5; i++) armilla_release(arrays[i]);
}

static void harmonics_are_orthonormal_up_to_the_exact_lmax(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 12, 13, 24, 37};
    for (int k = 0; k < NKINDS; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const int64_t lmax = (armilla_grid_circle(kinds[k], sizes[i]).length - 1) / 2;
            if (sizes[i] == 1 && (kinds[k] == ARMILLA_GRID_CC || kinds[k] == ARMILLA_GRID_MWSS))
                continue;
            quadrature q;
            quadrature_open(&q, ARMILLA_ISA_SCALAR, kinds[k], sizes[i], lmax, 0);
            for (int64_t m = 0; m <= lmax; m += 1 + m / 4) check_orthonormal(&q, m);
            quadrature_close(&q);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(analysis_has_the_numbers_of_the_weights),
        cmocka_unit_test(harmonics_are_orthonormal_up_to_the_exact_lmax),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks identities of the four operators on every grid: adjointness, linearity, rotation about z,
 * closed forms, and the direct sums of the oracle, aliasing and poles included. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/transform_oracle.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    armilla_grid *grid;
    armilla_sht *sht;
    int64_t lmax, mmax, size, npix; /* size in doubles */
    double *alm, *alm2, *map, *map2;
    armilla_exec exec; /* one thread: thousands of tiny transforms */
} bench;               /* a plan on its work bench: random alm and map, room for two results */

static void set_up(bench *b, armilla_grid *grid, int64_t lmax, int64_t mmax)
{
    b->grid = grid;
    b->lmax = lmax;
    b->mmax = mmax;
    b->size = 2 * armilla_alm_size(lmax, mmax);
    b->npix = armilla_grid_npix(grid);
    check_ok(armilla_sht_new(grid, lmax, mmax, NULL, &b->sht));
    b->alm = checked_malloc(b->size, sizeof(double));
    b->alm2 = checked_malloc(b->size, sizeof(double));
    b->map = checked_malloc(b->npix, sizeof(double));
    b->map2 = checked_calloc(b->npix, sizeof(double));
    armilla_exec_init(&b->exec);
    b->exec.nthreads = 1;
    random_alm_triangle(11, lmax, mmax, b->alm);
    random_fill(12, b->npix, b->map);
}

static void tear_down(bench *b)
{
    free(b->map2);
    free(b->map);
    free(b->alm2);
    free(b->alm);
    armilla_sht_free(b->sht);
    armilla_grid_free(b->grid);
}

/* |left - right| relative to the sizes of the two vectors whose product it is. */
static void check_equal_products(double left, double right, double scale, double bound,
                                 const bench *b, const char *name)
{
    check_at_most(fabs(left - right), bound * scale,
                  "%s on %s, %lld rings, %lld pixels, lmax = %lld, mmax = %lld", name,
                  armilla_grid_kind_name(armilla_grid_get_kind(b->grid)),
                  (long long)armilla_grid_nrings(b->grid), (long long)b->npix, (long long)b->lmax,
                  (long long)b->mmax);
}

static void check_adjoint_double(bench *b)
{
    check_ok(armilla_sht_synthesis(b->sht, b->alm, b->map2, &b->exec));
    check_ok(armilla_sht_adjoint_synthesis(b->sht, b->map, b->alm2, &b->exec));
    double scale = sqrt(dot_maps(b->npix, b->map, b->map) * dot_maps(b->npix, b->map2, b->map2));
    check_equal_products(dot_maps(b->npix, b->map2, b->map),
                         dot_alm(b->lmax, b->mmax, b->alm, b->alm2), scale, 1e-13, b,
                         "<Y a, m> = <a, Y^T m>");
    check_ok(armilla_sht_analysis(b->sht, b->map, b->alm2, &b->exec));
    check_ok(armilla_sht_adjoint_analysis(b->sht, b->alm, b->map2, &b->exec));
    scale = sqrt(dot_maps(b->npix, b->map, b->map) * dot_maps(b->npix, b->map2, b->map2));
    check_equal_products(dot_maps(b->npix, b->map2, b->map),
                         dot_alm(b->lmax, b->mmax, b->alm, b->alm2), scale, 1e-13, b,
                         "<analysis m, a> = <m, adjoint_analysis a>");
}

static void check_adjoint_float(bench *b)
{
    float *alm = checked_malloc(b->size, sizeof *alm), *alm2 = checked_malloc(b->size, 4);
    float *map = checked_malloc(b->npix, sizeof *map), *map2 = checked_calloc(b->npix, 4);
    to_float(b->size, b->alm, alm);
    to_float(b->npix, b->map, map);
    check_ok(armilla_sht_synthesis_float(b->sht, alm, map2, &b->exec));
    check_ok(armilla_sht_adjoint_synthesis_float(b->sht, map, alm2, &b->exec));
    to_double(b->npix, map2, b->map2);
    to_double(b->size, alm2, b->alm2);
    double scale = sqrt(dot_maps(b->npix, b->map, b->map) * dot_maps(b->npix, b->map2, b->map2));
    check_equal_products(dot_maps(b->npix, b->map2, b->map),
                         dot_alm(b->lmax, b->mmax, b->alm, b->alm2), scale, 1e-6, b,
                         "float <Y a, m> = <a, Y^T m>");
    check_ok(armilla_sht_analysis_float(b->sht, map, alm2, &b->exec));
    check_ok(armilla_sht_adjoint_analysis_float(b->sht, alm, map2, &b->exec));
    to_double(b->npix, map2, b->map2);
    to_double(b->size, alm2, b->alm2);
    scale = sqrt(dot_maps(b->npix, b->map, b->map) * dot_maps(b->npix, b->map2, b->map2));
    check_equal_products(dot_maps(b->npix, b->map2, b->map),
                         dot_alm(b->lmax, b->mmax, b->alm, b->alm2), scale, 1e-6, b,
                         "float <analysis m, a> = <m, adjoint_analysis a>");
    free(map2);
    free(map);
    free(alm2);
    free(alm);
}

/* Against the direct sums; worth it for small cases only. */
static void check_against_oracle(bench *b)
{
    armilla_ring *rings = grid_rings(b->grid);
    double *map = checked_calloc(b->npix, sizeof *map), *alm = checked_malloc(b->size, 8);
    oracle_synthesis(armilla_grid_nrings(b->grid), rings, b->lmax, b->mmax, b->alm, map);
    check_ok(armilla_sht_synthesis(b->sht, b->alm, b->map2, &b->exec));
    check_at_most(rms_error(b->npix, map, b->map2), 1e-13,
                  "%s, lmax = %lld, npix = %lld: synthesis",
                  armilla_grid_kind_name(armilla_grid_get_kind(b->grid)), (long long)b->lmax,
                  (long long)b->npix);
    oracle_adjoint_synthesis(armilla_grid_nrings(b->grid), rings, b->lmax, b->mmax, b->map, alm);
    check_ok(armilla_sht_adjoint_synthesis(b->sht, b->map, b->alm2, &b->exec));
    check_at_most(rms_error(b->size, alm, b->alm2), 1e-13, "%s, lmax = %lld: adjoint synthesis",
                  armilla_grid_kind_name(armilla_grid_get_kind(b->grid)), (long long)b->lmax);
    free(alm);
    free(map);
    free(rings);
}

static void check_all(armilla_grid *grid, int64_t lmax, int64_t mmax)
{
    bench b;
    set_up(&b, grid, lmax, mmax);
    check_adjoint_double(&b);
    check_adjoint_float(&b);
    const int64_t most = checks_quick() ? 300000 : 3000000;
    if (b.npix * (lmax + 1) * (mmax + 1) < most) check_against_oracle(&b);
    tear_down(&b);
}

static void healpix_any_nside_and_band_limit(void **state)
{
    (void)state;
    static const int64_t nsides[] = {1, 2, 3, 4, 5, 8, 17, 32};
    int count = checks_quick() ? 6 : 8;
    for (int i = 0; i < count; i++) {
        const int64_t n = nsides[i], lmaxs[] = {0, 1, n, 2 * n, 3 * n - 1, 4 * n + 3, 5 * n};
        for (size_t k = 0; k < sizeof lmaxs / sizeof *lmaxs; k++) {
            armilla_grid *grid;
            check_ok(armilla_grid_new_healpix(n, &grid));
            check_all(grid, lmaxs[k], lmaxs[k]);
            check_ok(armilla_grid_new_healpix(n, &grid));
            check_all(grid, lmaxs[k], lmaxs[k] / 2);
        }
    }
}

static void weighted_healpix(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix_weighted(8, 16, &grid));
    check_all(grid, 20, 20);
}

static void exact_grids_of_odd_and_even_sizes(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (int64_t lmax = 0; lmax < 25; lmax += 1 + lmax / 4)
            for (int64_t extra = 0; extra < 2; extra++)
                check_all(
                    exact_grid(exact_kinds[kind], lmax, lmax, extra, 2 * lmax + 1 + 3 * extra),
                    lmax, lmax);
}

/* Fewer pixels than 2 mmax + 1: orders alias onto one another, in both directions. */
static void aliasing_rings(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (int64_t nphi = 1; nphi <= 40; nphi += 1 + nphi / 5)
            check_all(exact_grid(exact_kinds[kind], 20, 20, 1, nphi), 20, 20);
}

/* Fewer rings than the exact rule needs: still four linear operators and their adjoints. */
static void too_few_rings(void **state)
{
    (void)state;
    for (int64_t nrings = 1; nrings < 12; nrings++) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_gauss_legendre(nrings, 9, &grid));
        check_all(grid, 12, 12);
        for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP; kind++) {
            if (nrings < fewest_weighted_rings(kind)) continue;
            check_ok(armilla_grid_new_equidistant((armilla_grid_kind)kind, nrings, 9, &grid));
            check_all(grid, 12, 12);
        }
    }
}

static void odd_custom_rings(void **state)
{
    (void)state;
    const armilla_ring rings[] = {{M_PI, 3, 0.1, 0, 1, 0.2},        {0, 5, 2.5, 3, 1, 0.1},
                                  {0.7, 1, -4.0, 8, 1, 0.3},        {0.7, 16, 1e-3, 30, -1, 0.3},
                                  {2.4, 7, 100, 31, 2, 1},          {M_PI / 2, 2, 0, 60, 1, 0},
                                  {M_PI - 0.7, 16, 0.3, 62, 1, 0.4}};
    armilla_grid *grid;
    for (int64_t count = 1; count <= 7; count++)
        for (int64_t first = 0; first + count <= 7; first++) {
            if (count == 1 && rings[first].weight == 0) continue; /* has no analysis */
            check_ok(armilla_grid_new_custom(count, rings + first, &grid));
            check_all(grid, 15, 15);
            check_ok(armilla_grid_new_custom(count, rings + first, &grid));
            check_all(grid, 15, 0);
        }
}

/* --- Closed forms and symmetries ------------------------------------------------------------- */

typedef double (*field)(double theta, double phi);

static double y00(double theta, double phi)
{
    (void)theta;
    (void)phi;
    return sqrt(1 / (4 * M_PI));
}

static double y10(double theta, double phi)
{
    (void)phi;
    return sqrt(3 / (4 * M_PI)) * cos(theta);
}

/* a_11 = 1 with its partner a_1,-1 = -1. */
static double y11(double theta, double phi)
{
    return -2 * sqrt(3 / (8 * M_PI)) * sin(theta) * cos(phi);
}

/* a_21 = i */
static double y21_imaginary(double theta, double phi)
{
    return 2 * sqrt(15 / (8 * M_PI)) * sin(theta) * cos(theta) * sin(phi);
}

static void check_field(armilla_grid *grid, int64_t l, int64_t m, int imaginary, field f)
{
    bench b;
    set_up(&b, grid, 5, 5);
    for (int64_t i = 0; i < b.size; i++) b.alm[i] = 0;
    b.alm[2 * armilla_alm_index(5, l, m) + imaginary] = 1;
    check_ok(armilla_sht_synthesis(b.sht, b.alm, b.map, &b.exec));
    for (int64_t r = 0; r < armilla_grid_nrings(grid); r++) {
        armilla_ring ring;
        check_ok(armilla_grid_ring(grid, r, &ring));
        for (int64_t j = 0; j < ring.nphi; j++) {
            double phi = ring.phi0 + 2 * M_PI * (double)j / (double)ring.nphi;
            check_at_most(fabs(b.map[ring.offset + j * ring.stride] - f(ring.theta, phi)), 1e-14,
                          "l = %lld, m = %lld at theta = %g, phi = %g", (long long)l, (long long)m,
                          ring.theta, phi);
        }
    }
    tear_down(&b);
}

static void closed_forms(void **state)
{
    (void)state;
    static const struct {
        int64_t l, m;
        int imaginary;
        field f;
    } cases[] = {{0, 0, 0, y00}, {1, 0, 0, y10}, {1, 1, 0, y11}, {2, 1, 1, y21_imaginary}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_healpix(6, &grid));
        check_field(grid, cases[i].l, cases[i].m, cases[i].imaginary, cases[i].f);
        check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_CC, 9, 4, &grid));
        check_field(grid, cases[i].l, cases[i].m, cases[i].imaginary, cases[i].f);
    }
}

/* Analysis integrates the trigonometric interpolant of the rings, up to the highest frequency K
 * that they tell apart: rings of 1, -1, 1, ... between both poles are cos(K theta), so that a_00 =
 * sqrt(pi) integral cos(K theta) sin(theta) dtheta. */
static void highest_frequency_of_the_rings_counts(void **state)
{
    (void)state;
    enum { LMAX = 6, NPHI = 15 };
    static const armilla_grid_kind kinds[] = {ARMILLA_GRID_CC, ARMILLA_GRID_MWSS};
    for (int i = 0; i < 2; i++)
        for (int64_t k = 8; k <= 20; k++) {
            armilla_grid *grid;
            armilla_sht *sht;
            double map[21 * NPHI], alm[2 * (LMAX + 1) * (LMAX + 2) / 2];
            check_ok(armilla_grid_new_equidistant(kinds[i], k + 1, NPHI, &grid));
            check_ok(armilla_sht_new(grid, LMAX, LMAX, NULL, &sht));
            for (int64_t j = 0; j < (k + 1) * NPHI; j++) map[j] = j / NPHI % 2 ? -1 : 1;
            check_ok(armilla_sht_analysis(sht, map, alm, NULL));
            const double order = (double)k;
            const double expected = k % 2 ? 0 : sqrt(M_PI) * 2 / (1 - order * order);
            check_at_most(fabs(alm[0] - expected), 1e-14, "kind %d, K = %d", i, (int)k);
            armilla_sht_free(sht);
            armilla_grid_free(grid);
        }
}

/* That integral does not know the band limit, however little harmonics up to it have of an order
 * near the poles: low coefficients of any map are those of a higher band limit. */
static void analysis_does_not_depend_on_the_band_limit(void **state)
{
    (void)state;
    enum { HIGH = 300, LOW = 200 }; /* below, nearly all orders matter on every ring */
    static const armilla_grid_kind kinds[] = {ARMILLA_GRID_CC, ARMILLA_GRID_F1, ARMILLA_GRID_MW,
                                              ARMILLA_GRID_MWSS, ARMILLA_GRID_MWFLIP};
    for (int i = 0; i < 5; i++) {
        armilla_grid *grid = exact_grid(kinds[i], HIGH, HIGH, 0, 0);
        armilla_sht *high, *low;
        const int64_t npix = armilla_grid_npix(grid);
        double *map = checked_malloc(npix, sizeof *map);
        double *all = checked_malloc((HIGH + 1) * (HIGH + 2), sizeof *all);
        double *some = checked_malloc((LOW + 1) * (LOW + 2), sizeof *some);
        random_fill(5, npix, map);
        check_ok(armilla_sht_new(grid, HIGH, HIGH, NULL, &high));
        check_ok(armilla_sht_new(grid, LOW, LOW, NULL, &low));
        check_ok(armilla_sht_analysis(high, map, all, NULL));
        check_ok(armilla_sht_analysis(low, map, some, NULL));
        for (int64_t m = 0; m <= LOW; m++) {
            const double *expected = all + 2 * armilla_alm_index(HIGH, m, m);
            const double *found = some + 2 * armilla_alm_index(LOW, m, m);
            check_at_most(rms_error(2 * (LOW - m + 1), expected, found), 2e-13, "%s, m = %d",
                          armilla_grid_kind_name(kinds[i]), (int)m);
        }
        armilla_sht_free(high);
        armilla_sht_free(low);
        armilla_grid_free(grid);
        free(some);
        free(all);
        free(map);
    }
}

/* Rotation by delta about z: a_lm -> a_lm e^{-i m delta} turns f(phi) into f(phi - delta). With
 * delta = 3 pixels the map moves by 3 pixels. */
static void rotation_about_z_moves_pixels(void **state)
{
    (void)state;
    enum { LMAX = 19, NPHI = 45, SHIFT = 3 };
    bench b;
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(LMAX + 1, NPHI, &grid));
    set_up(&b, grid, LMAX, LMAX);
    check_ok(armilla_sht_synthesis(b.sht, b.alm, b.map, &b.exec));
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t l = m; l <= LMAX; l++) {
            double *a = b.alm + 2 * armilla_alm_index(LMAX, l, m);
            double angle = -2 * M_PI * (double)(m * SHIFT) / NPHI;
            double re = a[0] * cos(angle) - a[1] * sin(angle);
            a[1] = a[0] * sin(angle) + a[1] * cos(angle);
            a[0] = re;
        }
    check_ok(armilla_sht_synthesis(b.sht, b.alm, b.map2, &b.exec));
    for (int64_t r = 0; r <= LMAX; r++)
        for (int64_t j = 0; j < NPHI; j++)
            check_at_most(fabs(b.map[r * NPHI + j] - b.map2[r * NPHI + (j + SHIFT) % NPHI]), 1e-12,
                          "ring %d, pixel %d", (int)r, (int)j);
    tear_down(&b);
}

/* Y (2 a + 3 a') = 2 Y a + 3 Y a', and Y^T alike. */
static void operators_are_linear(void **state)
{
    (void)state;
    bench b, c;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(5, &grid));
    set_up(&b, grid, 13, 13);
    check_ok(armilla_grid_new_healpix(5, &grid));
    set_up(&c, grid, 13, 13);
    random_alm_triangle(21, 13, 13, c.alm);
    check_ok(armilla_sht_synthesis(b.sht, b.alm, b.map, &b.exec));
    check_ok(armilla_sht_synthesis(c.sht, c.alm, c.map, &c.exec));
    for (int64_t i = 0; i < b.size; i++) b.alm2[i] = 2 * b.alm[i] + 3 * c.alm[i];
    check_ok(armilla_sht_synthesis(b.sht, b.alm2, b.map2, &b.exec));
    for (int64_t i = 0; i < b.npix; i++) c.map2[i] = 2 * b.map[i] + 3 * c.map[i];
    check_at_most(rms_error(b.npix, c.map2, b.map2), 1e-14, "synthesis");
    check_ok(armilla_sht_adjoint_synthesis(b.sht, b.map, b.alm, &b.exec));
    check_ok(armilla_sht_adjoint_synthesis(b.sht, c.map, c.alm, &b.exec));
    check_ok(armilla_sht_adjoint_synthesis(b.sht, b.map2, b.alm2, &b.exec));
    for (int64_t i = 0; i < b.size; i++) c.alm2[i] = 2 * b.alm[i] + 3 * c.alm[i];
    check_at_most(rms_error(b.size, c.alm2, b.alm2), 1e-14, "adjoint synthesis");
    tear_down(&c);
    tear_down(&b);
}

/* The imaginary parts of m = 0 are ignored on input, whatever they are. */
static void imaginary_parts_of_order_0_are_ignored(void **state)
{
    (void)state;
    bench b;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(4, &grid));
    set_up(&b, grid, 9, 9);
    check_ok(armilla_sht_synthesis(b.sht, b.alm, b.map, &b.exec));
    for (int64_t l = 0; l <= 9; l++) b.alm[2 * l + 1] = 1e3;
    check_ok(armilla_sht_synthesis(b.sht, b.alm, b.map2, &b.exec));
    assert_memory_equal(b.map, b.map2, (size_t)b.npix * sizeof *b.map);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(highest_frequency_of_the_rings_counts),
        cmocka_unit_test(analysis_does_not_depend_on_the_band_limit),
        cmocka_unit_test(rotation_about_z_moves_pixels),
        cmocka_unit_test(operators_are_linear),
        cmocka_unit_test(imaginary_parts_of_order_0_are_ignored),
        cmocka_unit_test(healpix_any_nside_and_band_limit),
        cmocka_unit_test(weighted_healpix),
        cmocka_unit_test(exact_grids_of_odd_and_even_sizes),
        cmocka_unit_test(aliasing_rings),
        cmocka_unit_test(too_few_rings),
        cmocka_unit_test(odd_custom_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

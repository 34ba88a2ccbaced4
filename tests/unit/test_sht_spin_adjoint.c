/* Checks identities of the four operators for fields of any spin: adjointness and the direct sums
 * of the oracle on every kind of grid, aliasing and poles included, in every mode and by both
 * methods; linearity; derivatives of closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/spin_checks.h"
#include "oracle/spin_oracle.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    armilla_grid *grid;
    armilla_sht *sht;
    spin_case c;
    int64_t size, npix; /* size: all components in doubles; npix: of one component */
    double *alm, *alm2, *map, *map2;
    armilla_exec exec; /* one thread: thousands of tiny transforms */
} bench;               /* random alm and map, room for two results */

/* Degrees below the spin hold numbers as well: they must not matter. */
static void set_up(bench *b, armilla_grid *grid, const spin_case *c)
{
    b->grid = grid;
    b->c = *c;
    b->sht = spin_plan(grid, c);
    b->size = spin_size(c);
    b->npix = armilla_grid_npix(grid);
    b->alm = checked_malloc(b->size, sizeof(double));
    b->alm2 = checked_malloc(b->size, sizeof(double));
    b->map = checked_malloc(2 * b->npix, sizeof(double));
    b->map2 = checked_calloc(2 * b->npix, sizeof(double));
    armilla_exec_init(&b->exec);
    b->exec.nthreads = 1;
    spin_random_alm(61, c, 0.5, b->alm);
    random_fill(63, 2 * b->npix, b->map);
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

static void check_case(const bench *b, double value, double bound, const char *name)
{
    check_at_most(
        value, bound,
        "%s: %s, %d rings, %d pixels, lmax = %d, mmax = %d, spin = %d, mode %d, method %d", name,
        armilla_grid_kind_name(armilla_grid_get_kind(b->grid)), (int)armilla_grid_nrings(b->grid),
        (int)b->npix, (int)b->c.lmax, (int)b->c.mmax, (int)b->c.spin, (int)b->c.mode,
        (int)b->c.method);
}

/* |<map2, map> - <alm, alm2>| relative to the lengths of both maps; nearly nothing (rings on poles)
 * counts as 1e-2. */
static void check_products(const bench *b, double bound, const char *name)
{
    double left = dot_maps(2 * b->npix, b->map2, b->map);
    double right = spin_dot_alm(&b->c, b->alm, b->alm2);
    double length = sqrt(dot_maps(2 * b->npix, b->map2, b->map2));
    double scale = sqrt(dot_maps(2 * b->npix, b->map, b->map)) * larger_or_nan(length, 1e-2);
    check_case(b, fabs(left - right), bound * scale, name);
}

static void check_adjoint_double(bench *b)
{
    check_ok(armilla_sht_synthesis(b->sht, b->alm, b->map2, &b->exec));
    check_ok(armilla_sht_adjoint_synthesis(b->sht, b->map, b->alm2, &b->exec));
    check_products(b, 1e-13, "<Y a, m> = <a, Y^T m>");
    check_ok(armilla_sht_analysis(b->sht, b->map, b->alm2, &b->exec));
    check_ok(armilla_sht_adjoint_analysis(b->sht, b->alm, b->map2, &b->exec));
    check_products(b, 1e-13, "<analysis m, a> = <m, adjoint_analysis a>");
}

static void check_adjoint_float(bench *b)
{
    float *alm = checked_malloc(b->size, 4), *alm2 = checked_malloc(b->size, 4);
    float *map = checked_malloc(2 * b->npix, 4), *map2 = checked_calloc(2 * b->npix, 4);
    to_float(b->size, b->alm, alm);
    to_float(2 * b->npix, b->map, map);
    check_ok(armilla_sht_synthesis_float(b->sht, alm, map2, &b->exec));
    check_ok(armilla_sht_adjoint_synthesis_float(b->sht, map, alm2, &b->exec));
    to_double(2 * b->npix, map2, b->map2);
    to_double(b->size, alm2, b->alm2);
    check_products(b, 1e-6, "float <Y a, m> = <a, Y^T m>");
    check_ok(armilla_sht_analysis_float(b->sht, map, alm2, &b->exec));
    check_ok(armilla_sht_adjoint_analysis_float(b->sht, alm, map2, &b->exec));
    to_double(2 * b->npix, map2, b->map2);
    to_double(b->size, alm2, b->alm2);
    check_products(b, 1e-6, "float <analysis m, a> = <m, adjoint_analysis a>");
    free(map2);
    free(map);
    free(alm2);
    free(alm);
}

/* Length of the difference relative to that of a; what is nearly zero (rings on poles) counts as 1.
 */
static double floored_error(int64_t count, const double *a, const double *b)
{
    double length = sqrt(dot_maps(count, a, a)), error = 0;
    for (int64_t i = 0; i < count; i++) error += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(error) / larger_or_nan(length, 1);
}

/* Against the direct sums; for small cases only. */
static void check_against_oracle(bench *b)
{
    const spin_case *c = &b->c;
    armilla_ring *rings = grid_rings(b->grid);
    const oracle_spin_problem p = {armilla_grid_nrings(b->grid), rings, c->lmax, c->mmax, c->spin};
    const int64_t size = 4 * armilla_alm_size(c->lmax, c->mmax);
    double *standard = checked_malloc(size, 8), *alm = checked_malloc(b->size, 8);
    double *map = checked_calloc(2 * b->npix, 8);
    spin_to_standard(c, b->alm, standard);
    oracle_spin_synthesis(&p, standard, map, map + b->npix);
    check_ok(armilla_sht_synthesis(b->sht, b->alm, b->map2, &b->exec));
    check_case(b, floored_error(2 * b->npix, map, b->map2), 1e-13, "synthesis");
    oracle_spin_adjoint(&p, b->map, b->map + b->npix, standard);
    spin_from_standard(c, standard, alm);
    check_ok(armilla_sht_adjoint_synthesis(b->sht, b->map, b->alm2, &b->exec));
    check_case(b, floored_error(b->size, alm, b->alm2), 1e-13, "adjoint synthesis");
    free(map);
    free(alm);
    free(standard);
    free(rings);
}

static void check_one(armilla_grid *grid, const spin_case *c, int oracle)
{
    bench b;
    set_up(&b, grid, c);
    check_adjoint_double(&b);
    check_adjoint_float(&b);
    if (oracle) check_against_oracle(&b);
    tear_down(&b);
}

/* --- Every grid ------------------------------------------------------------------------------ */

static const spin_case variants[] = {
    {.spin = 1},
    {.spin = 2},
    {.spin = 3},
    {.spin = -2},
    {.spin = -1},
    {.spin = 5},
    {.spin = 2, .method = ARMILLA_SPIN_RECURRENCE},
    {.spin = 2, .mode = ARMILLA_SHT_GRADIENT_ONLY},
    {.spin = 1, .rings = ARMILLA_SHT_RESAMPLE},
    {.spin = 2, .rings = ARMILLA_SHT_RESAMPLE},
    {.spin = 5, .rings = ARMILLA_SHT_DIRECT},
    {.spin = -3, .mode = ARMILLA_SHT_GRADIENT_ONLY},
    {.spin = 1, .mode = ARMILLA_SHT_DERIVATIVES},
    {.spin = 2, .mode = ARMILLA_SHT_DERIVATIVES},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static armilla_grid *subset_of(const armilla_grid *grid, int64_t first, int64_t count)
{
    armilla_grid *subset;
    check_ok(armilla_grid_new_subset(grid, first, count, 1, &subset));
    return subset;
}

/* Every variant that the band limit allows, and |spin| = lmax. Frees the grid. */
static void check_all(armilla_grid *grid, int64_t lmax, int64_t mmax, int oracle)
{
    const int64_t nrings = armilla_grid_nrings(grid);
    for (int i = 0; i < VARIANTS + 2; i++) {
        spin_case c = i < VARIANTS ? variants[i] : (spin_case){.spin = i % 2 ? lmax : -lmax};
        c.lmax = lmax, c.mmax = mmax;
        if (llabs(c.spin) > lmax || c.spin == 0) continue;
        check_one(subset_of(grid, 0, nrings), &c, oracle);
    }
    armilla_grid_free(grid);
}

static void healpix(void **state)
{
    (void)state;
    static const int64_t nsides[] = {1, 2, 3, 4, 8, 17};
    for (int i = 0; i < (checks_quick() ? 4 : 6); i++) {
        const int64_t n = nsides[i], lmaxs[] = {1, 2, 2 * n, 3 * n - 1, 5 * n};
        for (size_t k = 0; k < sizeof lmaxs / sizeof *lmaxs; k++) {
            armilla_grid *grid;
            check_ok(armilla_grid_new_healpix(n, &grid));
            check_all(grid, lmaxs[k], lmaxs[k], n < 4);
            check_ok(armilla_grid_new_healpix(n, &grid));
            check_all(grid, lmaxs[k], lmaxs[k] / 2, n < 4);
        }
    }
}

static void exact_grids_of_odd_and_even_sizes(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (int64_t lmax = 1; lmax < 20; lmax += 2 + lmax / 2)
            for (int64_t extra = 0; extra < 2; extra++) {
                int64_t mmax = extra ? lmax : lmax / 2;
                spin_case c = {.lmax = lmax, .mmax = mmax};
                for (int i = 0; i < VARIANTS; i++) {
                    c.spin = variants[i].spin;
                    c.mode = variants[i].mode;
                    c.method = variants[i].method;
                    c.rings = variants[i].rings;
                    if (llabs(c.spin) > lmax) continue;
                    check_one(exact_grid(exact_kinds[kind], lmax, mmax, extra, 0), &c, lmax < 10);
                }
            }
}

/* Rings above the borders between the methods, and lmax large enough for the fine forms. */
static void large_band_limits(void **state)
{
    (void)state;
    const int64_t lmax = checks_quick() ? 120 : 250;
    for (int i = 0; i < VARIANTS; i++) {
        spin_case c = variants[i];
        c.lmax = lmax, c.mmax = i % 2 ? 11 : lmax;
        check_one(exact_grid(exact_kinds[i % EXACT_KINDS], lmax, c.mmax, 0, 0), &c, 0);
    }
}

/* Fewer pixels than 2 mmax + 1: orders alias onto one another, in both directions. */
static void aliasing_rings(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        for (int64_t nphi = 1; nphi <= 20; nphi += 1 + nphi / 2)
            for (int i = 0; i < VARIANTS; i++) {
                spin_case c = variants[i];
                c.lmax = c.mmax = 9;
                check_one(exact_grid(exact_kinds[kind], 9, 9, 1, nphi), &c, nphi < 4);
            }
}

static void too_few_rings(void **state)
{
    (void)state;
    for (int64_t nrings = 1; nrings < 8; nrings++) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_gauss_legendre(nrings, 9, &grid));
        check_all(grid, 9, 9, nrings < 4);
        for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP; kind++)
            for (int i = 0; i < VARIANTS; i++) {
                if (nrings < fewest_weighted_rings(kind)) continue;
                check_ok(armilla_grid_new_equidistant((armilla_grid_kind)kind, nrings, 9, &grid));
                spin_case c = variants[i];
                c.lmax = 9, c.mmax = 8;
                check_one(grid, &c, nrings < 3);
            }
    }
}

static void odd_custom_rings(void **state)
{
    (void)state;
    const armilla_ring rings[] = {{M_PI, 3, 0.1, 0, 1, 0.2},  {0, 5, 2.5, 3, 1, 0.1},
                                  {0.7, 1, -4.0, 8, 1, 0.3},  {0.7, 16, 1e-3, 30, -1, 0.3},
                                  {2.4, 7, 100, 31, 2, 1},    {M_PI / 2, 2, 0, 60, 1, 0},
                                  {0.12, 4, 0.3, 62, 1, 0.1}, {M_PI - 0.7, 16, 0.3, 66, 1, 0.4}};
    armilla_grid *grid;
    for (int64_t count = 1; count <= 8; count += 1 + count / 3)
        for (int64_t first = 0; first + count <= 8; first++) {
            if (count == 1 && rings[first].weight == 0) continue; /* has no analysis */
            check_ok(armilla_grid_new_custom(count, rings + first, &grid));
            for (int i = 0; i < VARIANTS; i++) {
                spin_case c = variants[i];
                armilla_grid *own;
                c.lmax = 15, c.mmax = count % 2 ? 15 : 0;
                check_ok(armilla_grid_new_custom(count, rings + first, &own));
                check_one(own, &c, count < 3 || count == 8);
            }
            armilla_grid_free(grid);
        }
}

/* --- Linearity and closed forms -------------------------------------------------------------- */

static void operators_are_linear(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++) {
        bench b;
        armilla_grid *grid;
        spin_case c = variants[i];
        c.lmax = c.mmax = 13;
        check_ok(armilla_grid_new_healpix(5, &grid));
        set_up(&b, grid, &c);
        double *sum = checked_malloc(b.size, 8), *third = checked_malloc(2 * b.npix, 8);
        spin_random_alm(64, &c, 0, b.alm2);
        for (int64_t k = 0; k < b.size; k++) sum[k] = 2 * b.alm[k] + 3 * b.alm2[k];
        check_ok(armilla_sht_synthesis(b.sht, b.alm, b.map, &b.exec));
        check_ok(armilla_sht_synthesis(b.sht, b.alm2, b.map2, &b.exec));
        check_ok(armilla_sht_synthesis(b.sht, sum, third, &b.exec));
        for (int64_t k = 0; k < 2 * b.npix; k++) b.map[k] = 2 * b.map[k] + 3 * b.map2[k];
        check_case(&b, rms_error(2 * b.npix, b.map, third), 1e-14, "linear");
        free(third);
        free(sum);
        tear_down(&b);
    }
}

/* f = cos(theta)^2 + sin(theta)^2 cos(2 phi) + sin(theta) sin(phi); its derivatives by hand. */
static void derivatives_by_hand(int64_t spin, double t, double phi, double expected[2])
{
    const double s = sin(t), c = cos(t), c2 = cos(2 * phi), s2 = sin(2 * phi);
    if (spin == 1) {
        expected[0] = -2 * s * c + 2 * s * c * c2 + c * sin(phi);
        expected[1] = -2 * s * s2 + cos(phi);
        return;
    }
    /* f_tt - cot f_t - f_phiphi / sin^2, and 2 (f_theta,phi - cot f_phi) / sin */
    double f_tt = 2 * (c * c - s * s) * (c2 - 1) - s * sin(phi);
    double cot_ft = 2 * c * c * (c2 - 1) + c * c / s * sin(phi);
    expected[0] = f_tt - cot_ft + 4 * c2 + sin(phi) / s;
    double f_tp = -4 * s * c * s2 + c * cos(phi), cot_fp = -2 * s * c * s2 + c * cos(phi);
    expected[1] = 2 * (f_tp - cot_fp) / s;
}

static void derivatives_of_closed_forms(void **state)
{
    (void)state;
    for (int64_t spin = 1; spin <= 2; spin++) {
        bench b;
        armilla_grid *grid;
        const spin_case c = {.lmax = 4, .mmax = 3, .spin = spin, .mode = ARMILLA_SHT_DERIVATIVES};
        check_ok(armilla_grid_new_healpix(5, &grid));
        set_up(&b, grid, &c);
        for (int64_t i = 0; i < b.size; i++) b.alm[i] = 0;
        b.alm[2 * armilla_alm_index(4, 0, 0)] = 7; /* a constant has no derivatives */
        b.alm[2 * armilla_alm_index(4, 2, 0)] = sqrt(4 * M_PI / 5) * 2 / 3;
        b.alm[2 * armilla_alm_index(4, 2, 2)] = sqrt(8 * M_PI / 15);
        b.alm[2 * armilla_alm_index(4, 1, 1) + 1] = sqrt(2 * M_PI / 3);
        check_ok(armilla_sht_synthesis(b.sht, b.alm, b.map, &b.exec));
        for (int64_t r = 0; r < armilla_grid_nrings(grid); r++) {
            armilla_ring ring;
            check_ok(armilla_grid_ring(grid, r, &ring));
            for (int64_t j = 0; j < ring.nphi; j++) {
                double phi = ring.phi0 + 2 * M_PI * (double)j / (double)ring.nphi, expected[2];
                const double *value = b.map + ring.offset + j * ring.stride;
                derivatives_by_hand(spin, ring.theta, phi, expected);
                check_case(&b, fabs(value[0] - expected[0]), 3e-14, "first derivative");
                check_case(&b, fabs(value[b.npix] - expected[1]), 3e-14, "second derivative");
            }
        }
        tear_down(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_of_closed_forms),
        cmocka_unit_test(operators_are_linear),
        cmocka_unit_test(healpix),
        cmocka_unit_test(exact_grids_of_odd_and_even_sizes),
        cmocka_unit_test(large_band_limits),
        cmocka_unit_test(aliasing_rings),
        cmocka_unit_test(too_few_rings),
        cmocka_unit_test(odd_custom_rings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

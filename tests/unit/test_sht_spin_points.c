/* Checks the accuracy of functions of spin s point by point: synthesis and adjoint synthesis of
 * single coefficients on single rings, pole to pole, on both sides of the borders between the
 * methods, for every instruction set, against the explicit sum and its rows in high precision.
 *
 * Bound: |error| <= 1e-15 max(l, 100) max over theta of |slambda_lm|, of the means
 *     W = (slambda_lm + (-1)^m slambda_{l,-m}) / 2,  X = (slambda_lm - (-1)^m slambda_{l,-m}) / 2
 * that gradient and curl see. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/spin_oracle.h"
#include <math.h>
#include <stdlib.h>

static const double thetas[] = {0,           1e-6,           4.999e-4,        5.001e-4,
                                1e-3,        0.02999,        0.03001,         0.0399,
                                0.0401,      0.0999,         0.1001,          0.1999,
                                0.2001,      0.3021,         0.3023,          0.5,
                                0.5238,      0.524,          0.7856,          0.7858,
                                1.034,       1.0342,         M_PI / 2 - 1e-9, M_PI / 2,
                                2.0,         M_PI - 0.5,     M_PI - 0.2001,   M_PI - 0.0999,
                                M_PI - 0.05, M_PI - 0.02999, M_PI - 0.001,    M_PI - 1e-6,
                                M_PI};
enum { RINGS = sizeof thetas / sizeof *thetas, MOST_DEGREES = 12, PULSES = 4 };

/* Rings first .. first + count - 1, one pixel each. */
static armilla_grid *single_rings(int first, int count)
{
    armilla_ring rings[RINGS];
    for (int r = 0; r < count; r++) rings[r] = (armilla_ring){thetas[first + r], 1, 0, r, 1, 1};
    armilla_grid *grid;
    check_ok(armilla_grid_new_custom(count, rings, &grid));
    return grid;
}

typedef struct {
    int64_t lmax, spin;
    armilla_sht_spin_method method;
    const char *isa;
} setting;

static armilla_sht *new_plan(const armilla_grid *grid, const setting *s, int64_t mmax,
                             const armilla_alm_layout *layout)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.layout = layout;
    options.isa = s->isa;
    options.spin = s->spin;
    options.spin_method = s->method;
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, s->lmax, mmax, &options, &sht));
    return sht;
}

/* W and X of one order on all rings: [ring][l - m]. */
typedef struct {
    int64_t m, count;
    double *w, *x, *peak;
} functions;

static functions new_functions(int64_t lmax, int64_t spin, int64_t m)
{
    functions f = {.m = m, .count = lmax - m + 1};
    f.w = checked_malloc(RINGS * f.count, sizeof(double));
    f.x = checked_malloc(RINGS * f.count, sizeof(double));
    f.peak = checked_malloc(f.count, sizeof(double));
    oracle_spin_peaks(m, spin, lmax, f.peak);
    for (int ring = 0; ring < RINGS; ring++) {
        double *w = f.w + ring * f.count, *x = f.x + ring * f.count;
        oracle_spin_row(m, spin, lmax, thetas[ring], w);
        oracle_spin_row(-m, spin, lmax, thetas[ring], x);
        for (int64_t i = 0; i < f.count; i++) {
            double plus = w[i], minus = m % 2 ? -x[i] : x[i];
            w[i] = (plus + minus) / 2, x[i] = m ? (plus - minus) / 2 : 0;
        }
    }
    return f;
}

static void free_functions(functions *f)
{
    free(f->w);
    free(f->x);
    free(f->peak);
}

static double bound_of(const functions *f, int64_t l)
{
    return 1e-15 * fmax((double)l, 100) * f->peak[l - f->m];
}

/* --- Synthesis ------------------------------------------------------------------------------- */

static int choose_degrees(int64_t m, int64_t spin, int64_t lmax, int64_t degree[MOST_DEGREES])
{
    const int64_t size = spin < 0 ? -spin : spin, low = m > size ? m : size;
    const int64_t wanted[] = {low,      low + 1, low + 2,  low + 3,  low + 10,
                              low + 60, 1000,    lmax / 2, lmax - 1, lmax};
    int count = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (wanted[i] >= low && wanted[i] <= lmax) degree[count++] = wanted[i];
    return count;
}

/* Largest error of Q and U at phi = 0 of E = 1, E = i, B = 1, B = i:
 *     (-2 W, 0), (0, -2 X), (0, -2 W), (2 X, 0);  half of it for m = 0, where i counts as 0. */
static double pixel_error(double q, double u, int pulse, double w, double x)
{
    const double expected[PULSES][2] = {{-w, 0}, {0, -x}, {0, -w}, {x, 0}};
    return larger_or_nan(fabs(q - expected[pulse][0]), fabs(u - expected[pulse][1]));
}

/* All pulses of all degrees, as transforms of one call. */
static void check_synthesis(const setting *s, const functions *f, int first, int nrings)
{
    int64_t degree[MOST_DEGREES];
    const int count = choose_degrees(f->m, s->spin, s->lmax, degree);
    armilla_grid *grid = single_rings(first, nrings);
    armilla_alm_layout *layout = layout_of_order(f->m, s->lmax);
    armilla_sht *sht = new_plan(grid, s, f->m, layout);
    const int64_t size = armilla_alm_layout_size(layout);
    double *alm = checked_calloc(4 * size * count * PULSES, sizeof *alm);
    double *map = checked_malloc(2 * RINGS * count * PULSES, sizeof *map);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = (int64_t)count * PULSES;
    for (int t = 0; t < count * PULSES; t++) {
        int64_t at = armilla_alm_layout_index(layout, degree[t / PULSES], f->m);
        alm[2 * (size * (2 * t + t % PULSES / 2) + at) + t % 2] = 1;
    }
    check_ok(armilla_sht_synthesis(sht, alm, map, &exec));
    const double factor = f->m ? 0.5 : 1;
    for (int t = 0; t < count * PULSES; t++)
        for (int ring = 0; ring < nrings; ring++) {
            const int64_t l = degree[t / PULSES], at = (first + ring) * f->count + l - f->m;
            const double *q = map + 2 * nrings * t + ring;
            check_at_most(
                pixel_error(factor * q[0], factor * q[nrings], t % PULSES, f->w[at], f->x[at]),
                bound_of(f, l), "%s, method %d, pulse %d: spin %d, l = %d, m = %d, theta = %.17g",
                s->isa, (int)s->method, t % PULSES, (int)s->spin, (int)l, (int)f->m,
                thetas[first + ring]);
        }
    free(map);
    free(alm);
    armilla_sht_free(sht);
    armilla_alm_layout_free(layout);
    armilla_grid_free(grid);
}

/* Both methods on all rings at once, where neighbours share vectors; and each ring alone, where
 * none can help the other. */
static void check_order(int64_t lmax, int64_t spin, int64_t m, int alone)
{
    functions f = new_functions(lmax, spin, m);
    const char *isa;
    for (int i = 0; (isa = armilla_isa_available(i)); i++) {
        setting s = {lmax, spin, ARMILLA_SPIN_AUTO, isa};
        check_synthesis(&s, &f, 0, RINGS);
        for (int ring = 0; alone && ring < RINGS; ring++) check_synthesis(&s, &f, ring, 1);
        s.method = ARMILLA_SPIN_RECURRENCE;
        check_synthesis(&s, &f, 0, RINGS);
    }
    free_functions(&f);
}

static void synthesis_of_single_coefficients(void **state)
{
    (void)state;
    static const int64_t spins[] = {1, 2, 3, 37, -2, -3}, orders[] = {0, 1, 2, 3, 7, 37, 100};
    const int64_t lmax = checks_quick() ? 200 : 1024;
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++)
        for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
            check_order(lmax, spins[i], orders[k], i < 3 && k < 3 && k != 1);
}

static void large_degrees(void **state)
{
    (void)state;
    if (checks_quick()) skip();
    for (int64_t spin = 1; spin <= 3; spin++) check_order(4096, spin, 2, 0);
    check_order(4096, 37, 40, 0);
}

/* Sums of scalar functions, from lmax = 16 spin on; orders around the spin, and far from it. */
static void spins_above_3(void **state)
{
    (void)state;
    static const int64_t spins[] = {4, 7, -14, 32};
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) {
        const int64_t spin = llabs(spins[i]), orders[] = {0, 1, spin - 1, spin, spin + 1, 3 * spin};
        const int64_t lmax = checks_quick() ? 16 * spin : 512;
        for (size_t k = 0; k < sizeof orders / sizeof *orders; k++)
            check_order(lmax, spins[i], orders[k], k == 3 && i % 2);
        check_order(16 * spin - 1, spins[i], 2, 0);
        if (!checks_quick() && i == 2) check_order(4096, spins[i], 2, 0);
    }
}

static void spin_as_large_as_the_band_limit(void **state)
{
    (void)state;
    for (int64_t lmax = 1; lmax < 40; lmax += 1 + lmax)
        for (int64_t m = 0; m <= lmax; m++) {
            check_order(lmax, lmax, m, 0);
            check_order(lmax, -lmax, m, 0);
        }
    if (!checks_quick()) check_order(4096, 4096, 2, 0);
    check_order(300, 300, 299, 0);
    check_order(300, -299, 300, 0);
}

static void degrees_to_20000(void **state)
{
    (void)state;
    if (checks_quick()) skip();
    static const int64_t orders[] = {0, 2};
    static const int64_t spins[] = {2, 14};
    for (size_t k = 0; k < 4; k++) {
        functions f = new_functions(20000, spins[k / 2], orders[k % 2]);
        setting s = {20000, spins[k / 2], ARMILLA_SPIN_AUTO, armilla_isa_name()};
        check_synthesis(&s, &f, 0, RINGS);
        s.method = ARMILLA_SPIN_RECURRENCE;
        check_synthesis(&s, &f, 0, RINGS);
        free_functions(&f);
    }
}

/* --- Adjoint synthesis ----------------------------------------------------------------------- */

/* Largest error of what a unit pulse gives: of Q, E = -W and B = i X; of U, E = -i X and B = -W. */
static double coefficient_error(const double *e, const double *b, int in_u, double w, double x)
{
    const double *of_w = in_u ? b : e, *of_x = in_u ? e : b;
    double error_w = larger_or_nan(fabs(of_w[0] + w), fabs(of_w[1]));
    return larger_or_nan(error_w, larger_or_nan(fabs(of_x[0]), fabs(of_x[1] - (in_u ? -x : x))));
}

static void check_adjoint(const setting *s, const functions *all, int64_t mmax)
{
    armilla_grid *grid = single_rings(0, RINGS);
    armilla_sht *sht = new_plan(grid, s, mmax, NULL);
    const int64_t size = armilla_alm_size(s->lmax, mmax);
    double *alm = checked_malloc(4 * size, sizeof *alm);
    for (int pulse = 0; pulse < 2 * RINGS; pulse++) {
        const int ring = pulse % RINGS, in_u = pulse / RINGS;
        double map[2 * RINGS] = {0};
        map[pulse] = 1;
        check_ok(armilla_sht_adjoint_synthesis(sht, map, alm, NULL));
        for (int64_t m = 0; m <= mmax; m++)
            for (int64_t l = m; l <= s->lmax; l++) {
                const functions *f = &all[m];
                const int64_t at = ring * f->count + l - m;
                const double *e = alm + 2 * armilla_alm_index(s->lmax, l, m), *b = e + 2 * size;
                check_at_most(coefficient_error(e, b, in_u, f->w[at], f->x[at]), bound_of(f, l),
                              "%s, method %d, pulse of %s: spin %d, l = %d, m = %d, theta = %.17g",
                              s->isa, (int)s->method, in_u ? "U" : "Q", (int)s->spin, (int)l,
                              (int)m, thetas[ring]);
            }
    }
    free(alm);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

static void check_adjoints(int64_t lmax, int64_t spin, int64_t mmax)
{
    functions *all = checked_malloc(mmax + 1, sizeof *all);
    for (int64_t m = 0; m <= mmax; m++) all[m] = new_functions(lmax, spin, m);
    const char *isa;
    for (int i = 0; (isa = armilla_isa_available(i)); i++) {
        setting s = {lmax, spin, ARMILLA_SPIN_AUTO, isa};
        check_adjoint(&s, all, mmax);
        s.method = ARMILLA_SPIN_RECURRENCE;
        check_adjoint(&s, all, mmax);
    }
    for (int64_t m = 0; m <= mmax; m++) free_functions(&all[m]);
    free(all);
}

static void adjoint_synthesis_of_single_pixels(void **state)
{
    (void)state;
    static const int64_t spins[] = {1, 2, 3, 37, -2, 7, 40, -39};
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++) check_adjoints(40, spins[i], 40);
    check_adjoints(64, 4, 64);
    const int64_t lmax = checks_quick() ? 150 : 600;
    for (size_t i = 0; i < 6; i++) check_adjoints(lmax, spins[i], 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(synthesis_of_single_coefficients),
        cmocka_unit_test(large_degrees),
        cmocka_unit_test(spins_above_3),
        cmocka_unit_test(spin_as_large_as_the_band_limit),
        cmocka_unit_test(degrees_to_20000),
        cmocka_unit_test(adjoint_synthesis_of_single_pixels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

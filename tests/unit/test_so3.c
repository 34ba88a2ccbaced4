/* Checks functions on the rotation group: against the sum by Wigner's functions, against skies seen
 * through beams, round trips, adjoints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_so3_scene.h"
#include "unit/test_wigner.h"
#include <complex.h>

/* --- The sum ---------------------------------------------------------------------------------- */

static long double complex stored(const so3_scene *s, int l, int m, int n)
{
    const double *a = s->alm + (s->c.nmax + n) * s->size + 2 * armilla_alm_index(s->c.lmax, l, m);
    return a[0] + I * (long double)a[1];
}

/* f^l_mn of any m and n: that of -m, -n is its conjugate, and of m = 0 the mean of both counts. */
static long double complex coefficient(const so3_scene *s, int l, int m, int n)
{
    const int sign = (m + n) % 2 ? -1 : 1;
    if (m > 0) return stored(s, l, m, n);
    if (m < 0) return sign * conjl(stored(s, l, -m, -n));
    return (stored(s, l, 0, n) + sign * conjl(stored(s, l, 0, -n))) / 2;
}

static int least(int64_t a, int64_t b)
{
    return (int)(a < b ? a : b);
}

/* The parts e^{i m alpha} e^{i n gamma} of a function at beta: [mmax + m][nmax + n]. */
static void fill_parts(const so3_scene *s, double beta, long double complex *parts)
{
    const int64_t columns = 2 * s->c.nmax + 1, rows = 2 * s->c.mmax + 1;
    wigner *w = checked_malloc(1, sizeof *w);
    wigner_begin(w, beta);
    for (int64_t i = 0; i < rows * columns; i++) parts[i] = 0;
    for (int l = 0; l <= s->c.lmax; l++) {
        const int mmax = least(l, s->c.mmax), nmax = least(l, s->c.nmax);
        for (int m = -mmax; m <= mmax; m++)
            for (int n = -nmax; n <= nmax; n++)
                parts[(s->c.mmax + m) * columns + s->c.nmax + n] +=
                    (2 * l + 1) / (8 * (long double)(M_PI * M_PI)) * coefficient(s, l, m, n) *
                    wigner_entry(w, l - m, l - n);
        if (l < s->c.lmax) wigner_next(w), wigner_next(w);
    }
    free(w);
}

static double exact_sample(const so3_scene *s, const long double complex *parts, double alpha,
                           double gamma)
{
    long double complex sum = 0;
    for (int64_t m = -s->c.mmax; m <= s->c.mmax; m++)
        for (int64_t n = -s->c.nmax; n <= s->c.nmax; n++, parts++)
            sum += *parts * cexpl(I * ((long double)m * alpha + (long double)n * gamma));
    assert_true(fabsl(cimagl(sum)) <= 1e-15L * (1 + cabsl(sum)));
    return (double)creall(sum);
}

/* Some pixels of each ring, some gammas. */
static void check_rings(const so3_scene *s, const armilla_ring *rings, int64_t nrings)
{
    long double complex *parts =
        checked_malloc((2 * s->c.mmax + 1) * (2 * s->c.nmax + 1), sizeof *parts);
    double errors = 0, squares = 0;
    for (int64_t r = 0; r < nrings; r++) {
        fill_parts(s, rings[r].theta, parts);
        for (int64_t p = 0; p < rings[r].nphi; p += 1 + rings[r].nphi / 4)
            for (int64_t j = 0; j < s->c.ngamma; j += 1 + s->c.ngamma / 5) {
                const double alpha = rings[r].phi0 + 2 * M_PI * (double)p / (double)rings[r].nphi;
                const double exact =
                    exact_sample(s, parts, alpha, 2 * M_PI * (double)j / (double)s->c.ngamma);
                const double error =
                    s->map[j * s->npix + rings[r].offset + p * rings[r].stride] - exact;
                errors += error * error, squares += exact * exact;
            }
    }
    check_at_most(sqrt(errors / squares), 1e-14, "lmax %d, mmax %d, nmax %d", (int)s->c.lmax,
                  (int)s->c.mmax, (int)s->c.nmax);
    free(parts);
}

static armilla_grid *grid_named(const char *name)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_named(name, &grid));
    return grid;
}

static void samples_are_the_sum_over_degrees(void **state)
{
    (void)state;
    const struct {
        const char *grid;
        so3_case c;
    } cases[] = {{"gl:13x25", {12, 12, 12, 0}}, {"mwss:14x31", {12, 10, 5, 11}},
                 {"cc:9x20", {9, 9, 9, 20}},    {"healpix:4", {20, 20, 20, 41}},
                 {"gl:5x8", {3, 2, 1, 3}},      {"gl:2x3", {1, 0, 1, 4}},
                 {"f1:4x5", {0, 0, 0, 1}},      {"mw:7x66", {10, 10, 0, 2}},
                 {"gl:3x7", {40, 40, 40, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        armilla_grid *grid = grid_named(cases[i].grid);
        const int64_t nrings = armilla_grid_nrings(grid);
        armilla_ring *rings = grid_rings(grid);
        so3_scene s;
        so3_open(&s, grid, &cases[i].c);
        check_ok(armilla_so3_synthesis(s.plan, s.alm, s.map, NULL));
        check_rings(&s, rings, nrings);
        free(rings);
        so3_close(&s);
    }
}

/* f^l_mn = 8 pi^2 / (2 l + 1) a_lm conj(b_ln) */
static void set_product(so3_scene *s, const double *sky, const double *beam)
{
    for (int64_t n = -s->c.nmax; n <= s->c.nmax; n++)
        for (int64_t m = 0; m <= s->c.mmax; m++)
            for (int64_t l = m; l <= s->c.lmax; l++) {
                const int64_t at = 2 * armilla_alm_index(s->c.lmax, l, m);
                const double *b = beam + 2 * armilla_alm_index(s->c.lmax, l, n < 0 ? -n : n);
                const double scale = 8 * M_PI * M_PI / (double)(2 * l + 1);
                const double re = l < llabs(n) ? 0 : scale * (n < 0 && n % 2 ? -1 : 1) * b[0];
                const double im = l < llabs(n) ? 0 : scale * (n < 0 && n % 2 ? -1 : 1) * b[1];
                double *f = s->alm + (s->c.nmax + n) * s->size + at;
                const double conj = n < 0 ? im : -im; /* b_l,-n = (-1)^n conj(b_ln) */
                f[0] = sky[at] * re - sky[at + 1] * conj;
                f[1] = sky[at] * conj + sky[at + 1] * re;
            }
}

static void beams_are_functions_of_rotations(void **state)
{
    (void)state;
    const int64_t lmax = 30, nmax = 4, nrings = 6, nphi = 61;
    armilla_grid *grid = grid_named("gl:6x61");
    armilla_ring *rings = grid_rings(grid);
    so3_scene s;
    so3_open(&s, grid, &(so3_case){lmax, lmax, nmax, 9});
    double *sky = checked_malloc(s.size, 8), *exact = checked_malloc(s.nmap, 8);
    double *beam = checked_malloc(2 * armilla_alm_size(lmax, nmax), 8);
    double *pointings = checked_malloc(3 * s.nmap, 8), *p = pointings;
    random_alm_triangle(1, lmax, lmax, sky);
    random_alm_triangle(2, lmax, nmax, beam);
    for (int64_t j = 0; j < 9; j++)
        for (int64_t i = 0; i < nrings * nphi; i++, p += 3) {
            p[0] = rings[i / nphi].theta, p[1] = 2 * M_PI * (double)(i % nphi) / (double)nphi;
            p[2] = 2 * M_PI * (double)j / 9;
        }
    armilla_beams_options options;
    armilla_beams_options_init(&options);
    options.epsilon = 1e-12;
    armilla_beams *beams;
    check_ok(armilla_beams_new(lmax, lmax, nmax, s.nmap, pointings, &options, &beams));
    check_ok(armilla_beams_convolve(beams, sky, beam, exact, NULL));
    set_product(&s, sky, beam);
    check_ok(armilla_so3_synthesis(s.plan, s.alm, s.map, NULL));
    check_at_most(rms_error(s.nmap, exact, s.map), 1e-11, "samples of beams");
    armilla_beams_free(beams);
    free(rings), free(sky), free(exact), free(beam), free(pointings);
    so3_close(&s);
}

/* --- Round trips ------------------------------------------------------------------------------ */

static void check_round_trip(armilla_grid *grid, const so3_case *c, int kind)
{
    so3_scene s;
    so3_open(&s, grid, c);
    so3_make_real(&s);
    armilla_so3_description d = {.size = sizeof d};
    check_ok(armilla_so3_describe(s.plan, 1, &d));
    double *back = checked_malloc(s.nalm, 8);
    check_ok(armilla_so3_synthesis(s.plan, s.alm, s.map, NULL));
    check_ok(armilla_so3_analysis(s.plan, s.map, back, NULL));
    const double error = rms_error(s.nalm, s.alm, back);
    check_at_most(error, 1e-13, "kind %d, lmax %d, nmax %d", kind, (int)c->lmax, (int)c->nmax);
    assert_int_equal(d.exact, 1);
    free(back);
    so3_close(&s);
}

/* Also of reduced grids: where the rings are short, the orders that matter are few, about n. */
static void analysis_inverts_synthesis(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++) {
        const so3_case all = {40, 40, 40, 0}, few = {31, 17, 3, 8};
        check_round_trip(exact_grid(exact_kinds[kind], 40, 40, 0, 0), &all, kind);
        check_round_trip(exact_grid(exact_kinds[kind], 31, 17, 2, 40), &few, kind);
    }
    check_round_trip(grid_named("rgl:110:109"), &(so3_case){109, 109, 109, 0}, 1);
    check_round_trip(grid_named("gl:96x192"), &(so3_case){95, 95, 95, 0}, 0);
}

/* --- Adjoints --------------------------------------------------------------------------------- */

static void check_adjoint(const so3_scene *s, so3_operator *to_map, so3_operator *to_alm)
{
    double *map = checked_malloc(s->nmap, 8), *alm = checked_malloc(s->nalm, 8);
    check_ok(to_map(s->plan, s->alm, map, NULL));
    check_ok(to_alm(s->plan, s->map, alm, NULL));
    const double left = dot_maps(s->nmap, s->map, map), right = so3_dot(s, s->alm, alm);
    const double size = sqrt(dot_maps(s->nmap, s->map, s->map) * dot_maps(s->nmap, map, map));
    check_at_most(fabs(left - right) / size, 1e-13, "lmax %d, nmax %d", (int)s->c.lmax,
                  (int)s->c.nmax);
    free(map), free(alm);
}

static void adjoints_are_transposes(void **state)
{
    (void)state;
    const struct {
        const char *grid;
        so3_case c;
    } cases[] = {{"gl:41x81", {40, 40, 40, 0}}, {"mw:33x65", {32, 30, 32, 70}},
                 {"healpix:8", {20, 20, 7, 0}}, {"rgl:40:39", {39, 39, 12, 25}},
                 {"cc:34x66", {32, 32, 1, 4}},  {"gl:1x1", {0, 0, 0, 1}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        so3_scene s;
        so3_open(&s, grid_named(cases[i].grid), &cases[i].c);
        for (int64_t l = 0; l <= s.c.lmax; l++) s.alm[s.c.nmax * s.size + 2 * l + 1] = 0;
        check_adjoint(&s, armilla_so3_synthesis, armilla_so3_adjoint_synthesis);
        check_adjoint(&s, armilla_so3_adjoint_analysis, armilla_so3_analysis);
        so3_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_the_sum_over_degrees),
        cmocka_unit_test(beams_are_functions_of_rotations),
        cmocka_unit_test(analysis_inverts_synthesis),
        cmocka_unit_test(adjoints_are_transposes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

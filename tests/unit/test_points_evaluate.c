/* Checks that values and derivatives at points without a plan are right to rounding, at the poles
 * as elsewhere; the adjoint; instruction sets, threads, passes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "oracle/spin_oracle.h"
#include "oracle/transform_oracle.h"
#include "unit/test_points_scene.h"

/* A problem without a plan. */
typedef struct {
    spin_case c;
    int64_t derivatives, npoints, ncomp;
    double *points, *alm, *values;
    armilla_points_options options;
} few;

static void few_open(few *s, const spin_case *c, int64_t derivatives, int64_t npoints)
{
    *s = (few){.c = *c, .derivatives = derivatives, .npoints = npoints};
    s->ncomp = c->spin ? (derivatives ? 6 : 2) : derivatives == 2 ? 6 : derivatives ? 3 : 1;
    armilla_points_options_init(&s->options);
    s->options.spin = c->spin, s->options.mode = c->mode, s->options.spin_method = c->method;
    s->options.derivatives = derivatives;
    s->points = checked_malloc(2 * npoints, sizeof(double));
    s->alm = checked_malloc(spin_size(c), sizeof(double));
    s->values = checked_calloc(s->ncomp * npoints, sizeof(double));
    spin_random_alm(5, c, 0, s->alm);
}

static void few_close(few *s)
{
    free(s->values), free(s->alm), free(s->points);
}

static void few_run(few *s)
{
    check_ok(armilla_points_evaluate(s->c.lmax, s->c.mmax, s->npoints, s->points, &s->options,
                                     s->alm, s->values, NULL));
}

/* Errors of values to rounding, relative to their rms. Measured: 1.6e-15 at lmax 24, 1.2e-14 at
 * 120; at one place or a pole the field may be small. */
static double bound(int64_t lmax, point_kind kind)
{
    return (kind == RANDOM || kind == PATCH ? 2e-16 : 2e-15) * (double)(lmax + 10);
}

/* --- Values ----------------------------------------------------------------------------------- */

/* The judge is a grid whose rings have one pixel each. */
static double error_of_values(const spin_case *c, point_kind kind, int64_t npoints)
{
    few s;
    few_open(&s, c, 0, npoints);
    fill_points(kind, npoints, s.points);
    few_run(&s);
    const points_scene scene = {
        .c = *c, .npoints = npoints, .points = s.points, .alm = s.alm, .size = spin_size(c)};
    double *exact = exact_values(&scene);
    const double error = rms_error(s.ncomp * npoints, exact, s.values);
    free(exact);
    few_close(&s);
    return error;
}

static void every_kind_of_points(void **state)
{
    (void)state;
    const int64_t spins[] = {0, 1, 2, 3, -2, 5};
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++)
        for (int kind = 0; kind < POINT_KINDS; kind++) {
            const spin_case c = {.lmax = 120, .mmax = 100, .spin = spins[i]};
            check_at_most(error_of_values(&c, (point_kind)kind, 70), bound(120, (point_kind)kind),
                          "points of kind %d, spin %d", kind, (int)spins[i]);
        }
}

static void every_mode_and_band_limit(void **state)
{
    (void)state;
    const int64_t limits[][2] = {{0, 0},  {1, 0},   {1, 1},   {2, 1},    {5, 5},
                                 {33, 2}, {63, 63}, {64, 64}, {200, 130}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (int64_t spin = 0; spin <= 3 && spin <= limits[i][0]; spin++)
            for (int mode = 0; mode < (spin == 0 ? 1 : spin < 3 ? 3 : 2); mode++)
                for (int method = 0; method < 2; method++) {
                    const spin_case c = {.lmax = limits[i][0],
                                         .mmax = limits[i][1],
                                         .spin = spin,
                                         .mode = (armilla_sht_mode)mode,
                                         .method = (armilla_sht_spin_method)method};
                    check_at_most(error_of_values(&c, RANDOM, 37), bound(c.lmax, RANDOM),
                                  "lmax %d, mmax %d, spin %d, mode %d", (int)c.lmax, (int)c.mmax,
                                  (int)spin, mode);
                }
}

/* --- Derivatives: sums in long double --------------------------------------------------------- */

enum { LMAX = 24, COUNT = 40 };

/* What the oracle makes of E and B (or of two scalars, spin 0) at the points. */
static void oracle_fields(const few *s, int64_t spin, const double *alm, double *q, double *u)
{
    armilla_grid *grid = grid_of_points(s->npoints, s->points);
    armilla_ring *rings = grid_rings(grid);
    const oracle_spin_problem p = {
        .nrings = s->npoints, .rings = rings, .lmax = s->c.lmax, .mmax = s->c.mmax, .spin = spin};
    const int64_t size = 2 * armilla_alm_size(s->c.lmax, s->c.mmax);
    if (spin) {
        oracle_spin_synthesis(&p, alm, q, u);
    } else {
        oracle_synthesis(s->npoints, rings, s->c.lmax, s->c.mmax, alm, q);
        oracle_synthesis(s->npoints, rings, s->c.lmax, s->c.mmax, alm + size, u);
    }
    free(rings);
    armilla_grid_free(grid);
}

/* Twice the size of one component: both times a factor of the degree. */
static double *multiplied(const few *s, double (*factor)(int64_t l, int64_t spin))
{
    const int64_t size = 2 * armilla_alm_size(s->c.lmax, s->c.mmax);
    double *alm = checked_calloc(2 * size, sizeof *alm);
    memcpy(alm, s->alm, (size_t)spin_size(&s->c) * sizeof *alm);
    for (int64_t i = 0; i < 2; i++)
        for (int64_t m = 0; m <= s->c.mmax; m++)
            for (int64_t l = m; l <= s->c.lmax; l++)
                for (int64_t part = 0; part < 2; part++)
                    alm[i * size + 2 * armilla_alm_index(s->c.lmax, l, m) + part] *=
                        factor(l, s->c.spin);
    return alm;
}

static double raising(int64_t l, int64_t s)
{
    const double sign = s == 0 || s + 1 == 0 ? 1 : -1;
    return l < s || -l > s ? 0 : sign * sqrt((double)(l - s) * (double)(l + s + 1));
}

static double lowering(int64_t l, int64_t s)
{
    const double sign = s - 1 == 0 ? -1 : 1;
    return l < s || -l > s ? 0 : sign * sqrt((double)(l + s) * (double)(l - s + 1));
}

static double twice(int64_t l, int64_t s)
{
    const double x = (double)l;
    (void)s;
    return -sqrt((x - 1) * x * (x + 1) * (x + 2) * (l > 0));
}

static double laplacian(int64_t l, int64_t s)
{
    (void)s;
    return -(double)l * (double)(l + 1);
}

static void oracle_scalar(const few *s, double *wanted)
{
    const int64_t n = s->npoints;
    double spare[COUNT], trace[COUNT], difference[COUNT];
    double *one = multiplied(s, raising), *two = multiplied(s, twice);
    double *zero = multiplied(s, laplacian);
    oracle_fields(s, 1, one, wanted + n, wanted + 2 * n);
    oracle_fields(s, 2, two, difference, wanted + 4 * n);
    oracle_fields(s, 0, zero, trace, spare);
    memcpy(zero, s->alm, (size_t)spin_size(&s->c) * sizeof *zero);
    oracle_fields(s, 0, zero, wanted, spare);
    for (int64_t i = 0; i < n; i++) {
        wanted[3 * n + i] = (trace[i] + difference[i]) / 2;
        wanted[4 * n + i] /= 2;
        wanted[5 * n + i] = (trace[i] - difference[i]) / 2;
    }
    free(zero), free(two), free(one);
}

static void oracle_spin(const few *s, double *wanted)
{
    const int64_t n = s->npoints;
    double r[2][COUNT], l[2][COUNT];
    double *up = multiplied(s, raising), *down = multiplied(s, lowering);
    oracle_fields(s, s->c.spin, s->alm, wanted, wanted + n);
    oracle_fields(s, s->c.spin + 1, up, r[0], r[1]);
    oracle_fields(s, s->c.spin - 1, down, l[0], l[1]);
    for (int64_t i = 0; i < n; i++) {
        wanted[2 * n + i] = (r[0][i] + l[0][i]) / 2, wanted[3 * n + i] = (r[1][i] + l[1][i]) / 2;
        wanted[4 * n + i] = (r[1][i] - l[1][i]) / 2, wanted[5 * n + i] = (l[0][i] - r[0][i]) / 2;
    }
    free(down), free(up);
}

static void sums_in_long_double(void **state)
{
    (void)state;
    const int64_t spins[] = {0, 1, 2, 3, -1, -2};
    for (size_t i = 0; i < sizeof spins / sizeof *spins; i++)
        for (int kind = RANDOM; kind <= AT_POLES; kind++) {
            const spin_case c = {.lmax = LMAX, .mmax = LMAX, .spin = spins[i]};
            double wanted[6 * COUNT];
            few s;
            few_open(&s, &c, c.spin ? 1 : 2, COUNT);
            fill_points((point_kind)kind, COUNT, s.points);
            few_run(&s);
            (c.spin ? oracle_spin : oracle_scalar)(&s, wanted);
            for (int64_t k = 0; k < 6; k++)
                check_at_most(rms_error(COUNT, wanted + k * COUNT, s.values + k * COUNT),
                              bound(LMAX, (point_kind)kind), "spin %d, component %d, kind %d",
                              (int)c.spin, (int)k, kind);
            few_close(&s);
        }
}

/* --- Derivatives: differences ----------------------------------------------------------------- */

enum { DEGREES = 8, PLACES = 5, NEIGHBOURS = 9 };

/* (8 (f1 - f-1) - (f2 - f-2)) / (12 h) */
static double slope(const double *f, int64_t step, double h)
{
    return (8 * (f[step] - f[-step]) - (f[2 * step] - f[-2 * step])) / (12 * h);
}

/* Every component but the first is a derivative of earlier ones: D_p of a field of spin s has
 * i s cot(theta), and D_t, D_p of the gradient are those of its spin-1 field. */
static void differences(void **state)
{
    (void)state;
    const double h = 1e-3;
    for (int64_t spin = -2; spin <= 3; spin++) {
        const spin_case c = {.lmax = DEGREES, .mmax = DEGREES, .spin = spin};
        few s;
        few_open(&s, &c, spin ? 1 : 2, PLACES * NEIGHBOURS);
        for (int64_t i = 0; i < PLACES; i++)
            for (int64_t k = 0; k < NEIGHBOURS; k++) {
                double *p = s.points + 2 * (i * NEIGHBOURS + k);
                const double d = (double)(k < 5 ? k - 2 : (k - 5 < 2 ? k - 7 : k - 6)) * h;
                p[0] = 0.4 + 0.5 * (double)i + (k < 5 ? d : 0);
                p[1] = 1.1 * (double)i + (k < 5 ? 0 : d);
            }
        few_run(&s);
        for (int64_t i = 0; i < PLACES; i++) {
            double t[6], p[6], f[6];
            const double theta = s.points[2 * (i * NEIGHBOURS + 2)];
            for (int64_t k = 0; k < 6; k++) {
                const double *v = s.values + k * s.npoints + i * NEIGHBOURS;
                const double along[5] = {v[5], v[6], v[2], v[7], v[8]};
                f[k] = v[2], t[k] = slope(v + 2, 1, h), p[k] = slope(along + 2, 1, h) / sin(theta);
            }
            const double cot = cos(theta) / sin(theta), of_spin = (double)spin * cot;
            const double wanted[2][5] = {
                {t[0], p[0], t[1], t[2], p[2] + cot * f[1]},
                {t[0], t[1], p[0] - of_spin * f[1], p[1] + of_spin * f[0]}};
            for (int64_t k = 0; k < (spin ? 4 : 5); k++)
                check_at_most(fabs(wanted[spin != 0][k] - f[k + (spin ? 2 : 1)]), 1e-6,
                              "spin %d, derivative %d", (int)spin, (int)k);
        }
        few_close(&s);
    }
}

/* --- Adjoint -----------------------------------------------------------------------------------
 */

static void check_adjoint(const spin_case *c, int64_t derivatives, point_kind kind, int64_t npoints)
{
    few s;
    few_open(&s, c, derivatives, npoints);
    fill_points(kind, npoints, s.points);
    few_run(&s);
    const int64_t count = s.ncomp * npoints;
    double *other = checked_malloc(count, 8), *alm = checked_malloc(spin_size(c), 8);
    random_fill(3, count, other);
    random_fill(4, spin_size(c), alm);
    check_ok(armilla_points_adjoint_evaluate(c->lmax, c->mmax, npoints, s.points, &s.options, other,
                                             alm, NULL));
    const double a = dot_maps(count, s.values, other), b = spin_dot_alm(c, s.alm, alm);
    const double scale = sqrt(dot_maps(count, s.values, s.values) * dot_maps(count, other, other));
    check_at_most(fabs(a - b) / scale, 1e-13, "spin %d, derivatives %d, kind %d", (int)c->spin,
                  (int)derivatives, (int)kind);
    free(alm), free(other);
    few_close(&s);
}

static void adjoint(void **state)
{
    (void)state;
    for (int64_t spin = -2; spin <= 4; spin++)
        for (int64_t derivatives = 0; derivatives <= (spin ? 1 : 2); derivatives++)
            for (int kind = 0; kind < POINT_KINDS; kind++) {
                const spin_case c = {.lmax = 45, .mmax = 40, .spin = spin};
                check_adjoint(&c, derivatives, (point_kind)kind, 90);
            }
    const spin_case gradient = {.lmax = 30, .mmax = 30, .spin = 2, .mode = ARMILLA_SHT_DERIVATIVES};
    check_adjoint(&gradient, 1, RANDOM, 50);
}

/* --- Instruction sets, threads, passes ---------------------------------------------------------
 */

static void every_instruction_set(void **state)
{
    (void)state;
    for (int i = 0; armilla_isa_available(i); i++) {
        setenv("ARMILLA_ISA", armilla_isa_available(i), 1);
        for (int64_t spin = 0; spin <= 2; spin += 2) {
            const spin_case c = {.lmax = 150, .mmax = 150, .spin = spin};
            check_at_most(error_of_values(&c, RANDOM, 101), bound(150, RANDOM), "%s, spin %d",
                          armilla_isa_available(i), (int)spin);
            check_adjoint(&c, 1, RANDOM, 101);
        }
    }
    unsetenv("ARMILLA_ISA");
}

/* All points on three parallels, two of them mirror images, more than a chunk. */
static void many_on_a_parallel(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 90, .mmax = 90, .spin = 1};
    enum { MANY = 2500 };
    few s;
    few_open(&s, &c, 0, MANY);
    for (int64_t i = 0; i < MANY; i++) {
        s.points[2 * i] = i % 3 == 0 ? 0.7 : i % 3 == 1 ? M_PI - 0.7 : 1.2;
        s.points[2 * i + 1] = 0.37 * (double)i;
    }
    few_run(&s);
    const points_scene scene = {
        .c = c, .npoints = MANY, .points = s.points, .alm = s.alm, .size = spin_size(&c)};
    double *exact = exact_values(&scene);
    check_at_most(rms_error(2 * MANY, exact, s.values), bound(90, RANDOM), "parallels");
    free(exact);
    few_close(&s);
}

/* Enough points that leg comes in several passes and points in several chunks: parts of them alone
 * give the same, and the adjoint is the sum of parts. Bits do not depend on the threads. */
static void passes_and_threads(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 100, .mmax = 100, .spin = 0};
    enum { MANY = 8000, PART = 1000 };
    few s;
    few_open(&s, &c, 2, MANY);
    fill_points(RANDOM, MANY, s.points);
    few_run(&s);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 5;
    double *again = checked_malloc(6 * MANY, 8), *some = checked_malloc(6 * PART, 8);
    check_ok(armilla_points_evaluate(100, 100, MANY, s.points, &s.options, s.alm, again, &exec));
    assert_memory_equal(s.values, again, (size_t)(6 * MANY) * 8);
    check_ok(armilla_points_evaluate(100, 100, PART, s.points, &s.options, s.alm, some, NULL));
    for (int64_t k = 0; k < 6; k++)
        check_at_most(rms_error(PART, some + k * PART, s.values + k * MANY), 1e-14, "component %d",
                      (int)k);
    double *alm[2];
    for (int i = 0; i < 2; i++) {
        alm[i] = checked_malloc(spin_size(&c), 8);
        exec.nthreads = i ? 7 : 1;
        check_ok(armilla_points_adjoint_evaluate(100, 100, MANY, s.points, &s.options, s.values,
                                                 alm[i], &exec));
    }
    assert_memory_equal(alm[0], alm[1], (size_t)spin_size(&c) * 8);
    const double a = dot_maps(6 * MANY, s.values, s.values), b = spin_dot_alm(&c, s.alm, alm[0]);
    check_at_most(fabs(a - b) / a, 1e-13, "adjoint of several passes");
    free(alm[0]), free(alm[1]), free(some), free(again);
    few_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_points),
        cmocka_unit_test(every_mode_and_band_limit),
        cmocka_unit_test(sums_in_long_double),
        cmocka_unit_test(differences),
        cmocka_unit_test(adjoint),
        cmocka_unit_test(every_instruction_set),
        cmocka_unit_test(many_on_a_parallel),
        cmocka_unit_test(passes_and_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks skies seen through beams: against the sum over rotations by Wigner's functions, against
 * rotated beams, against fields at points; adjoints, and least squares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_beams_scene.h"
#include "unit/test_wigner.h"
#include <complex.h>

enum { LMAX = 40, KMAX = 7 };

/* --- The sum ---------------------------------------------------------------------------------- */

static long double complex coefficient(const double *alm, int64_t lmax, int l, int m)
{
    const double *a = alm + 2 * armilla_alm_index(lmax, l, m < 0 ? -m : m);
    const long double complex value = a[0] + (m ? I * (long double)a[1] : 0);
    if (m >= 0) return value;
    return (m % 2 ? -1 : 1) * conjl(value);
}

static long double complex sum_of_degree(const beams_scene *s, const wigner *w, int l,
                                         const double *p)
{
    const beams_case *c = &s->c;
    const int mmax = l < c->mmax ? l : (int)c->mmax, kmax = l < c->kmax ? l : (int)c->kmax;
    long double complex sum = 0;
    for (int64_t i = 0; i < c->components; i++)
        for (int m = -mmax; m <= mmax; m++)
            for (int k = -kmax; k <= kmax; k++) {
                const long double angle = (long double)m * p[1] + (long double)k * p[2];
                const double *sky = s->sky + i * (s->nsky / c->components);
                const double *beam = s->beam + i * (s->nbeam / c->components);
                sum += coefficient(sky, c->lmax, l, m) * conjl(coefficient(beam, c->lmax, l, k)) *
                       wigner_entry(w, l - m, l - k) * cexpl(I * angle);
            }
    return sum;
}

static double exact_sample(const beams_scene *s, const double *pointing)
{
    wigner *w = checked_malloc(1, sizeof *w);
    const double p[3] = {fmin(pointing[0], M_PI), pointing[1], pointing[2]};
    long double complex sum = 0;
    wigner_begin(w, p[0]);
    for (int l = 0; l <= s->c.lmax; l++) {
        sum += sum_of_degree(s, w, l, p);
        if (l < s->c.lmax) wigner_next(w), wigner_next(w);
    }
    free(w);
    return (double)creall(sum);
}

static void samples_are_the_sum_over_rotations(void **state)
{
    (void)state;
    const beams_case cases[] = {{LMAX, LMAX, KMAX, 1, 25, 1e-12}, {LMAX, 33, KMAX, 3, 25, 1e-6},
                                {LMAX, LMAX, 2, 2, 25, 1e-3},     {5, 2, 5, 3, 25, 1e-10},
                                {0, 0, 0, 3, 9, 1e-10},           {1, 0, 1, 1, 9, 1e-10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        beams_scene s;
        double squares = 0;
        beams_open(&s, &cases[i]);
        check_ok(armilla_beams_convolve(s.plan, s.sky, s.beam, s.samples, NULL));
        for (int64_t n = 0; n < s.c.npointings; n++) {
            const double error = s.samples[n] - exact_sample(&s, s.pointings + 3 * n);
            squares += error * error;
        }
        check_at_most(sqrt(squares / (double)s.c.npointings) / beams_size(&s), s.c.epsilon,
                      "case %d", (int)i);
        beams_close(&s);
    }
}

/* --- Rotated beams ---------------------------------------------------------------------------- */

static void a_sample_is_the_integral_over_the_turned_beam(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &(beams_case){64, 64, 64, 3, 12, 1e-12});
    double *turned = checked_malloc(s.nsky, 8);
    check_ok(armilla_beams_convolve(s.plan, s.sky, s.beam, s.samples, NULL));
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = 3;
    for (int64_t n = 0; n < s.c.npointings; n++) {
        const double *p = s.pointings + 3 * n;
        const armilla_rotation r = {.psi = p[2], .theta = fmin(p[0], M_PI), .phi = p[1]};
        check_ok(armilla_alm_rotate(&r, 64, 64, s.beam, 64, turned, &exec));
        const double sum = dot_components(3, 64, 64, s.sky, turned);
        check_at_most(fabs(s.samples[n] - sum) / beams_size(&s), 1e-11, "pointing %d", (int)n);
    }
    free(turned);
    beams_close(&s);
}

/* --- Adjoints --------------------------------------------------------------------------------- */

static void check_adjoint(const beams_scene *s, int64_t n, int64_t mmax, double *transposed,
                          const double *of)
{
    const beams_case *c = &s->c;
    double *values = checked_malloc(c->npointings, 8);
    random_fill(3, c->npointings, values);
    const double left = dot_maps(c->npointings, values, s->samples);
    const double right = dot_components(c->components, c->lmax, mmax, of, transposed);
    const double size = sqrt(dot_maps(c->npointings, values, values) *
                             dot_maps(c->npointings, s->samples, s->samples));
    check_at_most(fabs(left - right) / size, 1e-13, "epsilon %g, kmax %d", c->epsilon,
                  (int)c->kmax);
    for (int64_t i = 0; i < n; i++) assert_true(isfinite(transposed[i]));
    free(values);
}

static void adjoints_are_transposes(void **state)
{
    (void)state;
    const beams_case cases[] = {{50, 50, 9, 1, 3000, 1e-5},   {50, 41, 3, 3, 200, 1e-10},
                                {70, 70, 0, 1, 1000, 1e-7},   {33, 5, 33, 2, 700, 1e-2},
                                {20, 20, 1, 3, 1, 1e-8},      {0, 0, 0, 1, 7, 1e-8},
                                {300, 300, 4, 3, 40000, 1e-4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        beams_scene s;
        beams_open(&s, &cases[i]);
        double *values = checked_malloc(s.c.npointings, 8);
        double *sky = checked_malloc(s.nsky, 8), *beam = checked_malloc(s.nbeam, 8);
        random_fill(3, s.c.npointings, values);
        check_ok(armilla_beams_convolve(s.plan, s.sky, s.beam, s.samples, NULL));
        check_ok(armilla_beams_adjoint(s.plan, values, s.beam, sky, NULL));
        check_adjoint(&s, s.nsky, s.c.mmax, sky, s.sky);
        check_ok(armilla_beams_beam_adjoint(s.plan, values, s.sky, beam, NULL));
        check_adjoint(&s, s.nbeam, s.c.kmax, beam, s.beam);
        free(values), free(sky), free(beam);
        beams_close(&s);
    }
}

/* --- A cap ------------------------------------------------------------------------------------ */

enum { IN_CAP = 400 };

static armilla_beams *new_at(int64_t count, const double *pointings)
{
    armilla_beams_options options;
    armilla_beams_options_init(&options);
    options.epsilon = 1e-9;
    armilla_beams *plan;
    check_ok(armilla_beams_new(300, 300, 5, count, pointings, &options, &plan));
    return plan;
}

static double *random_triangle(int64_t mmax)
{
    double *alm = checked_malloc(2 * armilla_alm_size(300, mmax), 8);
    random_alm_triangle(8, 300, mmax, alm);
    return alm;
}

/* Pointings near a pole need few of the orders; with two elsewhere, whose samples are 0 in the
 * adjoint, the same need all. */
static void caps_are_parts_of_the_sphere(void **state)
{
    (void)state;
    const int64_t size = 2 * armilla_alm_size(300, 300);
    double p[3 * (IN_CAP + 2)], values[IN_CAP + 2], samples[2][IN_CAP + 2] = {{0}}, *adjoint[2];
    double *sky = random_triangle(300), *beam = random_triangle(5);
    fill_pointings(IN_CAP + 2, p);
    for (int64_t i = 0; i < IN_CAP; i++) p[3 * i] = 0.1 * fmin(p[3 * i], M_PI) / M_PI;
    p[3 * IN_CAP] = 1.5, p[3 * IN_CAP + 3] = 3;
    random_fill(9, IN_CAP, values);
    values[IN_CAP] = values[IN_CAP + 1] = 0;
    const armilla_poison before = armilla_memory_poison(ARMILLA_POISON_NAN);
    for (int whole = 0; whole < 2; whole++) {
        armilla_beams *plan = new_at(IN_CAP + 2 * whole, p);
        adjoint[whole] = checked_malloc(size, 8);
        check_ok(armilla_beams_convolve(plan, sky, beam, samples[whole], NULL));
        check_ok(armilla_beams_adjoint(plan, values, beam, adjoint[whole], NULL));
        armilla_beams_free(plan);
    }
    armilla_memory_poison(before);
    check_at_most(rms_error(IN_CAP, samples[1], samples[0]), 1e-8, "samples");
    check_at_most(rms_error(size, adjoint[1], adjoint[0]), 1e-8, "adjoint");
    for (int whole = 0; whole < 2; whole++) free(adjoint[whole]);
    free(sky), free(beam);
}

/* --- Beams that are simpler ------------------------------------------------------------------- */

/* Points of a scene's pointings. */
static armilla_points *new_points(const beams_scene *s, int64_t spin)
{
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = spin, options.epsilon = s->c.epsilon;
    double *points = checked_malloc(2 * s->c.npointings, 8);
    for (int64_t i = 0; i < s->c.npointings; i++)
        memcpy(points + 2 * i, s->pointings + 3 * i, 2 * sizeof *points);
    armilla_points *plan;
    check_ok(armilla_points_new(s->c.lmax, s->c.mmax, s->c.npointings, points, &options, &plan));
    free(points);
    return plan;
}

static void symmetric_beams_are_windows(void **state)
{
    (void)state;
    const int64_t lmax = 90, count = 50000;
    beams_scene s;
    beams_open(&s, &(beams_case){lmax, lmax, 0, 1, count, 1e-7});
    double *smoothed = checked_malloc(s.nsky, 8), *values = checked_malloc(count, 8);
    for (int64_t l = 0; l <= lmax; l++) {
        const double factor = sqrt(4 * M_PI / (double)(2 * l + 1)) * s.beam[2 * l];
        for (int64_t m = 0; m <= l; m++)
            for (int i = 0; i < 2; i++) {
                const int64_t at = 2 * armilla_alm_index(lmax, l, m) + i;
                smoothed[at] = factor * s.sky[at];
            }
    }
    armilla_points *points = new_points(&s, 0);
    check_ok(armilla_points_synthesis(points, smoothed, values, NULL));
    check_ok(armilla_beams_convolve(s.plan, s.sky, s.beam, s.samples, NULL));
    assert_memory_equal(values, s.samples, (size_t)count * 8);
    armilla_points_free(points);
    free(smoothed), free(values);
    beams_close(&s);
}

/* T + Q cos 2 psi + U sin 2 psi */
static void pencil_beams_see_stokes_parameters(void **state)
{
    (void)state;
    const int64_t lmax = 60, count = 500;
    beams_scene s;
    beams_open(&s, &(beams_case){lmax, lmax, 2, 3, count, 1e-11});
    memset(s.beam, 0, (size_t)s.nbeam * 8);
    for (int64_t l = 0; l <= lmax; l++) {
        const double b = sqrt((double)(2 * l + 1) / (4 * M_PI));
        const int64_t at = 2 * armilla_alm_index(lmax, l, 2), next = s.nbeam / 3;
        s.beam[2 * l] = b;
        if (l >= 2) s.beam[next + at] = s.beam[2 * next + at + 1] = -b / 2;
    }
    double *t = checked_malloc(3 * count, 8), *q = t + count, *u = q + count;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        armilla_points *points = new_points(&s, spin);
        check_ok(
            armilla_points_synthesis(points, s.sky + (spin ? s.nsky / 3 : 0), spin ? q : t, NULL));
        armilla_points_free(points);
    }
    check_ok(armilla_beams_convolve(s.plan, s.sky, s.beam, s.samples, NULL));
    for (int64_t i = 0; i < count; i++) {
        const double psi = s.pointings[3 * i + 2];
        const double value = t[i] + q[i] * cos(2 * psi) + u[i] * sin(2 * psi);
        check_at_most(fabs(s.samples[i] - value) / beams_size(&s), 1e-9, "pointing %d", (int)i);
    }
    free(t);
    beams_close(&s);
}

/* --- Least squares ---------------------------------------------------------------------------- */

/* Narrow in one direction, wide in the other: all degrees are seen. */
static void fill_ellipse(beams_scene *s)
{
    memset(s->beam, 0, (size_t)s->nbeam * 8);
    for (int64_t k = 0; k <= s->c.kmax; k += 2)
        for (int64_t l = k; l <= s->c.lmax; l++)
            s->beam[2 * armilla_alm_index(s->c.lmax, l, k)] =
                exp(-0.001 * (double)(l * l) - (double)k) * sqrt((double)(2 * l + 1));
}

static void deconvolution_gives_the_sky(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &(beams_case){24, 24, 4, 1, 4000, 1e-11});
    fill_ellipse(&s);
    check_ok(armilla_beams_convolve(s.plan, s.sky, s.beam, s.samples, NULL));
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.method = ARMILLA_PSEUDO_LSMR, options.tolerance = 1e-10, options.max_iterations = 200;
    double *found = checked_malloc(s.nsky, 8);
    armilla_pseudo_report report;
    check_ok(armilla_beams_deconvolve(s.plan, s.samples, s.beam, found, &options, &report, NULL));
    check_at_most(rms_error(s.nsky, s.sky, found), 1e-7, "sky, after %d iterations",
                  (int)report.iterations);
    assert_true(report.iterations > 1 && report.iterations < 200);
    s.samples[17] = NAN;
    check_error(armilla_beams_deconvolve(s.plan, s.samples, s.beam, found, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "17");
    free(found);
    beams_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_are_the_sum_over_rotations),
        cmocka_unit_test(a_sample_is_the_integral_over_the_turned_beam),
        cmocka_unit_test(adjoints_are_transposes),
        cmocka_unit_test(caps_are_parts_of_the_sphere),
        cmocka_unit_test(symmetric_beams_are_windows),
        cmocka_unit_test(pencil_beams_see_stokes_parameters),
        cmocka_unit_test(deconvolution_gives_the_sky),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

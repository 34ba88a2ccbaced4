/* Checks solid harmonics: closed forms of point masses, the library's derivatives on a sphere as
 * a second way, high degrees and poles against an oracle, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/lambda_oracle.h"
#include "oracle/solid_oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 70, COMPONENTS = 10 };

static int64_t index_of(int64_t lmax, int64_t l, int64_t m)
{
    return m * (2 * lmax + 1 - m) / 2 + l;
}

static void place(uint64_t *stream, int64_t count, double low, double high, double *points)
{
    for (int64_t i = 0; i < count; i++) {
        points[3 * i] = acos(random_next(stream));
        points[3 * i + 1] = 7 * random_next(stream);
        points[3 * i + 2] = low + (high - low) * 0.5 * (1 + random_next(stream));
    }
    points[0] = 0, points[3] = M_PI, points[6] = 1e-9, points[9] = M_PI / 2;
}

/* --- Point masses ----------------------------------------------------------------------------- */

/* a_lm of 1 / |x - x0| with R = 2, outside or inside of r0. */
static void point_mass(int interior, int64_t lmax, const double x0[3], double radius, double *alm)
{
    double *lambda = checked_malloc(lmax + 1, sizeof(double));
    for (int64_t m = 0; m <= lmax; m++) {
        oracle_lambda_row(m, lmax, x0[0], lambda);
        for (int64_t l = m; l <= lmax; l++) {
            const double s = interior ? radius / x0[2] : x0[2] / radius;
            const double far = interior ? x0[2] : radius;
            const double a =
                4 * M_PI / (2 * (double)l + 1) * pow(s, (double)l) / far * lambda[l - m];
            alm[2 * index_of(lmax, l, m)] = a * cos((double)m * x0[1]);
            alm[2 * index_of(lmax, l, m) + 1] = -a * sin((double)m * x0[1]);
        }
    }
    free(lambda);
}

static void cartesian(const double p[3], double x[3])
{
    x[0] = p[2] * sin(p[0]) * cos(p[1]), x[1] = p[2] * sin(p[0]) * sin(p[1]);
    x[2] = p[2] * cos(p[0]);
}

static void closed_form(const double p[3], const double p0[3], double value[COMPONENTS])
{
    double x[3], y[3], d2 = 0;
    int k = 4;
    cartesian(p, x), cartesian(p0, y);
    for (int i = 0; i < 3; i++) x[i] -= y[i], d2 += x[i] * x[i];
    const double d = sqrt(d2);
    value[0] = 1 / d;
    for (int i = 0; i < 3; i++) value[1 + i] = -x[i] / (d * d2);
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) value[k++] = (3 * x[i] * x[j] / d2 - (i == j)) / (d * d2);
}

static void check_point_mass(int interior)
{
    enum { LMAX = 15 };
    const double mass[3] = {1.1, 0.7, interior ? 60.0 : 0.07};
    double points[3 * POINTS], alm[(LMAX + 1) * (LMAX + 2)], values[COMPONENTS][POINTS];
    uint64_t stream = 3;
    armilla_solid_options options;
    armilla_solid_options_init(&options);
    options.kind = interior ? ARMILLA_SOLID_INTERIOR : ARMILLA_SOLID_EXTERIOR;
    options.derivatives = 2, options.radius = 2;
    place(&stream, POINTS, interior ? 0.5 : 1.5, 3, points);
    if (interior) points[5] = 0;
    point_mass(interior, LMAX, mass, options.radius, alm);
    check_ok(armilla_solid_evaluate(LMAX, LMAX, POINTS, points, &options, alm, values[0], NULL));
    for (int64_t i = 0; i < POINTS; i++) {
        double expected[COMPONENTS];
        closed_form(points + 3 * i, mass, expected);
        const double d = expected[0];
        for (int c = 0; c < COMPONENTS; c++)
            assert_true(fabs(values[c][i] - expected[c]) < 2e-14 * (c == 0  ? d
                                                                    : c < 4 ? d * d
                                                                            : d * d * d));
    }
}

static void point_masses_have_closed_forms(void **state)
{
    (void)state;
    check_point_mass(0);
    check_point_mass(1);
}

/* --- The derivatives of armilla/points.h, radius by radius -------------------------------------
 */

static void scale_degrees(int64_t lmax, int interior, double s, double radius, int times,
                          const double *alm, double *scaled)
{
    for (int64_t m = 0; m <= lmax; m++)
        for (int64_t l = m; l <= lmax; l++) {
            const double n = interior ? (double)l : -(double)(l + 1);
            const double power = pow(s, interior ? (double)l : (double)(l + 1));
            const double factor = power * (times == 0   ? 1
                                           : times == 1 ? n / radius
                                                        : n * (n - 1) / radius / radius);
            const int64_t i = 2 * index_of(lmax, l, m);
            scaled[i] = factor * alm[i], scaled[i + 1] = factor * alm[i + 1];
        }
}

/* Local components at a point from its sphere's jet: of V, of V_r, and V_rr. */
static void local_of_jets(double r, const double v[6], const double vr[6], double vrr,
                          double out[COMPONENTS])
{
    const double all[COMPONENTS] = {v[0],
                                    vr[0],
                                    v[1] / r,
                                    v[2] / r,
                                    vrr,
                                    vr[1] / r - v[1] / (r * r),
                                    vr[2] / r - v[2] / (r * r),
                                    v[3] / (r * r) + vr[0] / r,
                                    v[4] / (r * r),
                                    v[5] / (r * r) + vr[0] / r};
    memcpy(out, all, sizeof all);
}

static void expect_local(int64_t lmax, const armilla_solid_options *options, const double *alm,
                         const double point[3], double out[COMPONENTS])
{
    const int interior = options->kind == ARMILLA_SOLID_INTERIOR;
    const double r = point[2], s = interior ? r / options->radius : options->radius / r;
    double jet[3][6], *scaled = checked_malloc((lmax + 1) * (lmax + 2), sizeof(double));
    armilla_points_options sphere;
    armilla_points_options_init(&sphere);
    sphere.derivatives = 2;
    for (int times = 0; times < 3; times++) {
        scale_degrees(lmax, interior, s, r, times, alm, scaled);
        check_ok(armilla_points_evaluate(lmax, lmax, 1, point, &sphere, scaled, jet[times], NULL));
    }
    local_of_jets(r, jet[0], jet[1], jet[2][0], out);
    free(scaled);
}

/* Largest error of V, gradient and tensor, each relative to the largest value of its kind. */
static void check_jets(int64_t lmax, int interior, double bound)
{
    double points[3 * POINTS], *values = checked_malloc(COMPONENTS * POINTS, sizeof(double));
    double *alm = checked_malloc((lmax + 1) * (lmax + 2), sizeof(double));
    double largest[3] = {0}, error[3] = {0};
    uint64_t stream = 5;
    armilla_solid_options options;
    armilla_solid_options_init(&options);
    options.kind = interior ? ARMILLA_SOLID_INTERIOR : ARMILLA_SOLID_EXTERIOR;
    options.derivatives = 2, options.frame = ARMILLA_SOLID_LOCAL, options.radius = 1.5;
    place(&stream, POINTS, interior ? 1.3 : 1.49, interior ? 1.51 : 1.7, points);
    for (int64_t i = 0; i < (lmax + 1) * (lmax + 2); i++) alm[i] = random_next(&stream);
    check_ok(armilla_solid_evaluate(lmax, lmax, POINTS, points, &options, alm, values, NULL));
    for (int64_t i = 0; i < POINTS; i++) {
        double expected[COMPONENTS];
        expect_local(lmax, &options, alm, points + 3 * i, expected);
        for (int c = 0; c < COMPONENTS; c++) {
            const int kind = c == 0 ? 0 : c < 4 ? 1 : 2;
            largest[kind] = fmax(largest[kind], fabs(expected[c]));
            error[kind] = fmax(error[kind], fabs(expected[c] - values[c * POINTS + i]));
        }
    }
    for (int k = 0; k < 3; k++) {
        largest[k] = fmax(largest[k], largest[0]); /* where derivatives are 0 */
        if (error[k] > bound * largest[k])
            print_error("lmax %d, kind %d, derivative %d: %g\n", (int)lmax, interior, k,
                        error[k] / largest[k]);
        assert_true(error[k] <= bound * largest[k]);
    }
    free(values), free(alm);
}

static void derivatives_agree_with_those_on_spheres(void **state)
{
    (void)state;
    for (int interior = 0; interior < 2; interior++) {
        for (int64_t lmax = 0; lmax < 4; lmax++) check_jets(lmax, interior, 1e-14);
        check_jets(33, interior, 2e-14);
        check_jets(200, interior, 3e-14);
    }
}

/* --- High degrees ----------------------------------------------------------------------------- */

/* What rounding of a place does to degree lmax (docs/mathematics.md 13). */
static double bound_of(int64_t lmax)
{
    return 7e-16 * (double)(lmax + 10);
}

/* One order of degree 4096, from poles to the equator, against the oracle. */
static void high_degrees_neither_overflow_nor_underflow(void **state)
{
    (void)state;
    enum { LMAX = 4096, COUNT = 13 };
    const int64_t orders[] = {0, 1, 1000, LMAX};
    double points[3 * COUNT], values[COUNT];
    double *alm = checked_calloc((LMAX + 1) * (LMAX + 2), sizeof(double));
    double *lambda = checked_malloc(LMAX + 1, sizeof(double));
    for (int k = 0; k < 4; k++) {
        const int64_t m = orders[k], at = 2 * index_of(LMAX, LMAX, m);
        for (int64_t i = 0; i < COUNT; i++) {
            points[3 * i] = M_PI * (double)(i * i) / (COUNT - 1) / (COUNT - 1);
            points[3 * i + 1] = 0, points[3 * i + 2] = 1;
        }
        points[3 * 2] = 2e-4, points[3 * 3] = M_PI - 1e-3, points[3 * 4] = 0.39;
        const double peak = oracle_lambda_peak(LMAX, m);
        alm[at] = 1;
        check_ok(armilla_solid_evaluate(LMAX, LMAX, COUNT, points, NULL, alm, values, NULL));
        for (int64_t i = 0; i < COUNT; i++) {
            oracle_lambda_long(m, LMAX, points[3 * i], lambda);
            const double expected = (m ? 2 : 1) * lambda[LMAX - m];
            if (fabs(values[i] - expected) > bound_of(LMAX) * peak)
                print_error("m %d theta %g: %g off %g\n", (int)m, points[3 * i],
                            values[i] - expected, expected);
            assert_true(fabs(values[i] - expected) <= bound_of(LMAX) * peak);
        }
        alm[at] = 0;
    }
    free(lambda), free(alm);
}

/* --- Each component against its own largest value ----------------------------------------------
 */

enum { NEAR_POLES = 24 };

/* Points anywhere, some of them near poles, where rounding of cos theta would count. */
static void place_near(uint64_t *stream, double low, double high, double *points)
{
    place(stream, POINTS, low, high, points);
    points[0] = 1e-2, points[3] = M_PI - 1e-2, points[6] = 3e-3;
    for (int i = 3; i < NEAR_POLES; i++) {
        const double theta = exp(-5 + 4 * (double)i / NEAR_POLES);
        points[3 * i] = i % 2 ? theta : M_PI - theta;
    }
}

/* Given: bound  of each local component, relative to its largest value. */
static void check_components(int64_t lmax, const armilla_solid_options *options, const double *alm,
                             const double *points, double bound)
{
    double *values = checked_malloc(COMPONENTS * POINTS, sizeof(double));
    double largest[COMPONENTS] = {0}, error[COMPONENTS] = {0};
    check_ok(armilla_solid_evaluate(lmax, lmax, POINTS, points, options, alm, values, NULL));
    for (int64_t i = 0; i < POINTS; i++) {
        long double expected[COMPONENTS];
        oracle_solid(lmax, alm, points + 3 * i, options->radius, (int)options->kind, expected);
        for (int c = 0; c < COMPONENTS; c++) {
            const double difference = (double)(values[c * POINTS + i] - expected[c]);
            largest[c] = fmax(largest[c], fabs((double)expected[c]));
            error[c] = fmax(error[c], fabs(difference));
        }
    }
    for (int c = 0; c < COMPONENTS; c++) {
        if (!(error[c] <= bound * largest[c]))
            print_error("lmax %d, component %d: %g\n", (int)lmax, c, error[c] / largest[c]);
        assert_true(error[c] <= bound * largest[c]);
    }
    free(values);
}

/* A planet: mass and flattening hide horizontal components a million times smaller. */
static void small_components_keep_their_digits(void **state)
{
    (void)state;
    enum { LMAX = 120 };
    double points[3 * POINTS], *alm = checked_calloc((LMAX + 1) * (LMAX + 2), sizeof(double));
    uint64_t stream = 31;
    armilla_solid_options options;
    armilla_solid_options_init(&options);
    options.derivatives = 2, options.frame = ARMILLA_SOLID_LOCAL, options.radius = 6378136.3;
    place_near(&stream, 6.6e6, 8.4e6, points);
    for (int64_t m = 0; m <= LMAX; m++)
        for (int64_t l = m < 2 ? 2 : m; l <= LMAX; l++)
            for (int part = 0; part < 2; part++)
                alm[2 * index_of(LMAX, l, m) + part] =
                    1e-5 / (double)(l * l) * random_next(&stream);
    alm[0] = 1, alm[4] = -4.8e-4;
    check_components(LMAX, &options, alm, points, 1e-14);
    free(alm);
}

static void white_spectra_are_as_exact_as_places(void **state)
{
    (void)state;
    enum { LMAX = 360 };
    double points[3 * POINTS], *alm = checked_malloc((LMAX + 1) * (LMAX + 2), sizeof(double));
    uint64_t stream = 37;
    armilla_solid_options options;
    armilla_solid_options_init(&options);
    options.derivatives = 2, options.frame = ARMILLA_SOLID_LOCAL, options.radius = 1.01;
    for (int64_t i = 0; i < (LMAX + 1) * (LMAX + 2); i++) alm[i] = random_next(&stream);
    for (int interior = 0; interior < 2; interior++) {
        options.kind = interior ? ARMILLA_SOLID_INTERIOR : ARMILLA_SOLID_EXTERIOR;
        place_near(&stream, 1.01 - 1e-5, 1.01 + 1e-5, points);
        check_components(LMAX, &options, alm, points, bound_of(LMAX));
    }
    free(alm);
}

/* --- Refusals, threads, instruction sets -------------------------------------------------------
 */

typedef struct {
    armilla_solid_options options;
    double points[3 * POINTS], alm[12], values[COMPONENTS * POINTS];
} small;

static void small_open(small *s)
{
    uint64_t stream = 9;
    armilla_solid_options_init(&s->options);
    s->options.derivatives = 2;
    place(&stream, POINTS, 1, 2, s->points);
    for (int i = 0; i < 12; i++) s->alm[i] = random_next(&stream);
}

static armilla_status small_run(small *s)
{
    return armilla_solid_evaluate(2, 2, POINTS, s->points, &s->options, s->alm, s->values, NULL);
}

static void wrong_points_are_named(void **state)
{
    (void)state;
    const armilla_status refused = ARMILLA_ERROR_ARGUMENT;
    small s;
    small_open(&s);
    s.points[3 * 7 + 2] = 0;
    check_error(small_run(&s), refused, "points[7]: r = 0: must be finite and above 0");
    s.points[3 * 7 + 2] = NAN;
    check_error(small_run(&s), refused, "points[7]: r");
    s.points[3 * 7 + 2] = 1e-60;
    check_error(small_run(&s), refused, "might overflow");
    s.options.kind = ARMILLA_SOLID_INTERIOR;
    s.points[3 * 7 + 2] = 0;
    check_ok(small_run(&s));
    s.points[3 * 7 + 2] = -1;
    check_error(small_run(&s), refused, "points[7]: r = -1: must be finite and not negative");
    small_open(&s);
    s.points[3 * 8] = 4;
    check_error(small_run(&s), refused, "points[8]: theta = 4");
    s.points[3 * 8] = 1, s.points[3 * 8 + 1] = INFINITY;
    check_error(small_run(&s), refused, "points[8]: phi");
}

static void wrong_arguments_are_named(void **state)
{
    (void)state;
    const armilla_status refused = ARMILLA_ERROR_ARGUMENT;
    small s;
    armilla_exec exec;
    armilla_exec_init(&exec);
    small_open(&s), s.options.derivatives = 3;
    check_error(small_run(&s), refused, "options->derivatives = 3");
    small_open(&s), s.options.radius = 0;
    check_error(small_run(&s), refused, "options->radius = 0");
    small_open(&s), s.options.kind = (armilla_solid_kind)2;
    check_error(small_run(&s), refused, "options->kind = 2");
    small_open(&s), s.options.frame = (armilla_solid_frame)2;
    check_error(small_run(&s), refused, "options->frame = 2");
    small_open(&s), s.options.isa = "none";
    check_error(small_run(&s), ARMILLA_ERROR_UNSUPPORTED, "none");
    small_open(&s);
    check_error(armilla_solid_evaluate(2, 3, 1, s.points, NULL, s.alm, s.values, NULL), refused,
                "mmax = 3");
    check_error(armilla_solid_evaluate(2, 2, 1, NULL, NULL, s.alm, s.values, NULL), refused,
                "points = NULL");
    check_error(armilla_solid_evaluate(2, 2, 1, s.points, NULL, NULL, s.values, NULL), refused,
                "alm = NULL");
    check_error(armilla_solid_evaluate(2, 2, -1, s.points, NULL, s.alm, s.values, NULL), refused,
                "npoints = -1");
    exec.missing = ARMILLA_MISSING_ERROR;
    check_error(armilla_solid_evaluate(2, 2, 1, s.points, NULL, s.alm, s.values, &exec),
                ARMILLA_ERROR_UNSUPPORTED, "exec->missing");
    check_ok(armilla_solid_evaluate(2, 2, 0, NULL, NULL, s.alm, NULL, NULL));
}

/* A layout of every second order has no place for the others. */
static void layouts_of_some_orders_are_refused(void **state)
{
    (void)state;
    small s;
    armilla_alm_layout *layout;
    check_ok(armilla_alm_layout_new_mres(2, 1, 2, &layout));
    small_open(&s), s.options.layout = layout;
    check_error(small_run(&s), ARMILLA_ERROR_ARGUMENT, "options->layout: mres = 2");
    check_error(
        armilla_solid_adjoint_evaluate(2, 2, POINTS, s.points, &s.options, s.values, s.alm, NULL),
        ARMILLA_ERROR_ARGUMENT, "options->layout: mres = 2");
    armilla_alm_layout_free(layout);
}

/* --- Bits ------------------------------------------------------------------------------------- */

enum { MANY = 700, BAND = 40 };

static void run_many(int nthreads, const char *isa, const double *points, const double *alm,
                     double *values)
{
    armilla_exec exec;
    armilla_solid_options options;
    armilla_exec_init(&exec), armilla_solid_options_init(&options);
    exec.nthreads = nthreads, exec.ntrans = 2, options.isa = isa, options.derivatives = 2;
    check_ok(armilla_solid_evaluate(BAND, BAND, MANY, points, &options, alm, values, &exec));
}

static void threads_and_instruction_sets_agree(void **state)
{
    (void)state;
    const int64_t size = 2 * COMPONENTS * MANY, nalm = 2 * (BAND + 1) * (BAND + 2);
    double *points = checked_malloc(3 * MANY, sizeof(double));
    double *alm = checked_malloc(nalm, sizeof(double));
    double *one = checked_malloc(size, sizeof(double)),
           *other = checked_malloc(size, sizeof(double));
    uint64_t stream = 21;
    place(&stream, MANY, 1, 1.3, points);
    for (int64_t i = 0; i < nalm; i++) alm[i] = random_next(&stream);
    run_many(1, NULL, points, alm, one);
    run_many(3, NULL, points, alm, other);
    assert_memory_equal(one, other, (size_t)size * sizeof(double));
    run_many(1, "scalar", points, alm, other);
    double largest = 0;
    for (int64_t i = 0; i < size; i++) largest = fmax(largest, fabs(one[i]));
    for (int64_t i = 0; i < size; i++) assert_true(fabs(one[i] - other[i]) < 1e-14 * largest);
    for (int64_t i = 0; i < MANY; i++) /* the Laplacian */
        assert_true(fabs(one[4 * MANY + i] + one[7 * MANY + i] + one[9 * MANY + i]) <
                    1e-15 * largest);
    free(points), free(alm), free(one), free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_masses_have_closed_forms),
        cmocka_unit_test(derivatives_agree_with_those_on_spheres),
        cmocka_unit_test(high_degrees_neither_overflow_nor_underflow),
        cmocka_unit_test(small_components_keep_their_digits),
        cmocka_unit_test(white_spectra_are_as_exact_as_places),
        cmocka_unit_test(wrong_points_are_named),
        cmocka_unit_test(wrong_arguments_are_named),
        cmocka_unit_test(layouts_of_some_orders_are_refused),
        cmocka_unit_test(threads_and_instruction_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

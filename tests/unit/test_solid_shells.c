/* Checks potentials between spheres: the error that is promised, against direct sums; what is
 * chosen, told and refused; threads, distances, cancelling, and memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/memory.h"
#include "base/progress.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENTS = 10 };

typedef struct {
    int64_t lmax, mmax, npoints;
    armilla_solid_options options;
    double *alm, *points, *values;
} scene;

/* White or red spectra with a large mean; points in a shell, poles and one direction twice. */
static void scene_open(scene *s, int64_t lmax, int64_t npoints, double low, double high, int red)
{
    uint64_t stream = 77;
    *s = (scene){.lmax = lmax, .mmax = lmax, .npoints = npoints};
    armilla_solid_options_init(&s->options);
    s->options.derivatives = 2;
    s->alm = checked_malloc(2 * (lmax + 1) * (lmax + 2), sizeof(double));
    s->points = checked_malloc(3 * npoints, sizeof(double));
    s->values = checked_malloc(2 * COMPONENTS * npoints, sizeof(double));
    for (int64_t t = 0, i = 0; t < 2; t++)
        for (int64_t m = 0; m <= lmax; m++)
            for (int64_t l = m; l <= lmax; l++, i++) {
                const double size = red ? 1 / (1.0 + (double)(l * l)) : 1;
                s->alm[2 * i] = size * random_next(&stream);
                s->alm[2 * i + 1] = size * random_next(&stream);
            }
    s->alm[0] = 100;
    for (int64_t i = 0; i < npoints; i++) {
        s->points[3 * i] = acos(random_next(&stream));
        s->points[3 * i + 1] = 40 * random_next(&stream);
        s->points[3 * i + 2] = low + (high - low) * 0.5 * (1 + random_next(&stream));
    }
    s->points[0] = 0, s->points[3] = M_PI, s->points[6] = s->points[9], s->points[2] = low;
    s->points[5] = high;
}

static void scene_close(scene *s)
{
    free(s->alm), free(s->points), free(s->values);
}

static armilla_status scene_run(const scene *s, double *values, const armilla_exec *exec)
{
    return armilla_solid_evaluate(s->lmax, s->mmax, s->npoints, s->points, &s->options, s->alm,
                                  values, exec);
}

static double *direct(scene *s)
{
    double *values = checked_malloc(2 * COMPONENTS * s->npoints, sizeof(double));
    const armilla_solid_options kept = s->options;
    s->options.epsilon = 0, s->options.way = ARMILLA_SOLID_DIRECT;
    check_ok(scene_run(s, values, NULL));
    s->options = kept;
    return values;
}

/* --- The promise ------------------------------------------------------------------------------ */

/* Mean squares of the field of derivatives k on the sphere where it is largest, without l = 0: they
 * are those of solid harmonics of the next degrees. */
static double mean_square(const scene *s, int k, double r)
{
    const int interior = s->options.kind == ARMILLA_SOLID_INTERIOR;
    double sum = 0;
    const double *a = s->alm;
    for (int64_t m = 0; m <= s->lmax; m++)
        for (int64_t l = m; l <= s->lmax; l++, a += 2) {
            const double n = (double)l, power = interior ? n : -(n + 1);
            const double first = interior ? n * (2 * n + 1) : (n + 1) * (2 * n + 1);
            const double second = interior ? (n - 1) * (2 * n - 1) : (n + 2) * (2 * n + 3);
            const double factor = k == 0 ? 1 : k == 1 ? first : first * second;
            if (l)
                sum += pow(r, 2 * power - 2 * k) * factor *
                       (m ? 2 * (a[0] * a[0] + a[1] * a[1]) : a[0] * a[0]);
        }
    return sum / (4 * M_PI);
}

/* sum over components of the square, off-diagonals of the tensor twice. */
static double square_of(const double *values, const double *expected, int64_t npoints, int k,
                        int64_t i)
{
    const int first[] = {0, 1, 4, 10}, twice[] = {1, 1, 1, 1, 1, 2, 2, 1, 2, 1};
    double sum = 0;
    for (int c = first[k]; c < first[k + 1]; c++) {
        const double difference = values[c * npoints + i] - expected[c * npoints + i];
        sum += twice[c] * difference * difference;
    }
    return sum;
}

static void check_promise(int64_t lmax, int interior, int red, double thickness, double epsilon,
                          int frame)
{
    const double low = interior ? 1 - thickness : 1.0, high = interior ? 1.0 : 1 + thickness;
    scene s;
    scene_open(&s, lmax, 3000, low, high, red);
    s.options.kind = interior ? ARMILLA_SOLID_INTERIOR : ARMILLA_SOLID_EXTERIOR;
    s.options.frame = frame ? ARMILLA_SOLID_LOCAL : ARMILLA_SOLID_CARTESIAN;
    s.options.epsilon = epsilon, s.options.way = ARMILLA_SOLID_SHELLS;
    double *expected = direct(&s);
    check_ok(scene_run(&s, s.values, NULL));
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int64_t i = 0; i < s.npoints; i++)
            sum += square_of(s.values, expected, s.npoints, k, i);
        const double error = sqrt(sum / (double)s.npoints / mean_square(&s, k, 1.0));
        if (!(error <= epsilon))
            print_error("lmax %d interior %d derivative %d: %g of %g\n", (int)lmax, interior, k,
                        error, epsilon);
        assert_true(error <= epsilon);
        assert_true(error > 1e-5 * epsilon || epsilon < 1e-9); /* no more work than is asked for */
    }
    free(expected);
    scene_close(&s);
}

static void errors_are_within_epsilon(void **state)
{
    (void)state;
    for (int interior = 0; interior < 2; interior++)
        for (int red = 0; red < 2; red++) {
            check_promise(40, interior, red, 0.2, 1e-3, red);
            check_promise(40, interior, red, 0.2, 1e-6, !red);
            check_promise(90, interior, red, 0.05, 1e-10, red);
        }
    check_promise(2, 0, 0, 0.5, 1e-8, 1);
    check_promise(33, 0, 0, 0, 1e-8, 1); /* one sphere */
}

static void low_band_limits_work(void **state)
{
    (void)state;
    for (int64_t lmax = 0; lmax < 2; lmax++) {
        scene s;
        scene_open(&s, lmax, 100, 1, 1.5, 0);
        s.options.epsilon = 1e-9, s.options.way = ARMILLA_SOLID_SHELLS;
        double *expected = direct(&s), largest = 0;
        check_ok(scene_run(&s, s.values, NULL));
        for (int64_t i = 0; i < COMPONENTS * s.npoints; i++)
            largest = fmax(largest, fabs(expected[i]));
        for (int64_t i = 0; i < COMPONENTS * s.npoints; i++)
            assert_true(fabs(s.values[i] - expected[i]) <= 1e-8 * largest);
        free(expected);
        scene_close(&s);
    }
}

/* --- Choices ---------------------------------------------------------------------------------- */

typedef struct {
    int count;
    char way[120];
} told;

static void take(void *data, const armilla_choice *choice)
{
    told *t = data;
    if (!t->count++) snprintf(t->way, sizeof t->way, "%s: %s", choice->name, choice->value);
}

static told tell(const scene *s)
{
    told t = {0, ""};
    check_ok(armilla_solid_explain(s->lmax, s->mmax, s->npoints, s->points, &s->options, s->alm,
                                   take, &t));
    return t;
}

static void choices_are_told(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 100, 20000, 1.0, 1.02, 0);
    told t = tell(&s);
    assert_int_equal(t.count, 1);
    assert_string_equal(t.way, "solid.way: 20000 points summed directly, 0 between spheres");
    s.options.epsilon = 1e-5;
    t = tell(&s);
    assert_int_equal(t.count, 2);
    assert_string_equal(t.way, "solid.way: 0 points summed directly, 20000 between spheres");
    s.options.way = ARMILLA_SOLID_DIRECT;
    assert_non_null(strstr(tell(&s).way, "20000 points summed directly"));
    s.options.way = ARMILLA_SOLID_AUTO, s.npoints = 20;
    assert_non_null(strstr(tell(&s).way, "20 points summed directly"));
    check_error(armilla_solid_explain(100, 100, 20, s.points, NULL, s.alm, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "take");
    check_error(armilla_solid_explain(100, 100, 20, s.points, NULL, NULL, take, &t),
                ARMILLA_ERROR_ARGUMENT, "alm");
    scene_close(&s);
}

/* A dense shell, and a few points so far away that they are summed. */
static void a_few_points_elsewhere_are_summed(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 60, 20000, 1.0, 1.001, 0);
    for (int64_t i = 0; i < 5; i++) s.points[3 * i + 2] = 1.5 + 0.1 * (double)i;
    s.options.epsilon = 1e-6;
    const told t = tell(&s);
    assert_string_equal(t.way, "solid.way: 5 points summed directly, 19995 between spheres");
    double *expected = direct(&s);
    check_ok(scene_run(&s, s.values, NULL));
    for (int c = 0; c < COMPONENTS; c++)
        for (int64_t i = 0; i < 5; i++)
            assert_true(fabs(s.values[c * s.npoints + i] - expected[c * s.npoints + i]) < 1e-11);
    free(expected);
    scene_close(&s);
}

static void what_cannot_be_reached_is_refused(void **state)
{
    (void)state;
    const armilla_status refused = ARMILLA_ERROR_ARGUMENT;
    scene s;
    scene_open(&s, 60, 100, 1.0, 1.1, 0);
    const double wrong[] = {-1e-5, 1e-12, 0.2, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        s.options.epsilon = wrong[i];
        check_error(scene_run(&s, s.values, NULL), refused, "options->epsilon");
    }
    s.options.epsilon = 0, s.options.way = ARMILLA_SOLID_SHELLS;
    check_error(scene_run(&s, s.values, NULL), refused, "options->epsilon = 0: must be 1e-11");
    s.options.way = (armilla_solid_way)3;
    check_error(scene_run(&s, s.values, NULL), refused, "options->way = 3");
    s.options.way = ARMILLA_SOLID_SHELLS, s.options.epsilon = 1e-6, s.points[2] = 1e30;
    check_error(scene_run(&s, s.values, NULL), refused, "cannot be reached by shells");
    s.options.way = ARMILLA_SOLID_AUTO;
    check_ok(scene_run(&s, s.values, NULL));
    s.options.kind = ARMILLA_SOLID_INTERIOR, s.points[2] = 0;
    s.points[5] = 1;
    check_ok(scene_run(&s, s.values, NULL));
    s.options.way = ARMILLA_SOLID_SHELLS;
    check_error(scene_run(&s, s.values, NULL), refused, "cannot be reached by shells");
    scene_close(&s);
}

/* --- Calls ------------------------------------------------------------------------------------ */

/* The same degrees matter where the squares of coefficients are no doubles. */
static void sizes_of_coefficients_do_not_matter(void **state)
{
    (void)state;
    for (int way = ARMILLA_SOLID_AUTO; way <= ARMILLA_SOLID_SHELLS; way += 2) {
        scene s;
        scene_open(&s, 20, 2000, 1.0, 1.1, 0);
        s.options.way = (armilla_solid_way)way, s.options.epsilon = 1e-6;
        const int64_t count = COMPONENTS * s.npoints;
        double *expected = checked_malloc(2 * count, sizeof(double));
        check_ok(scene_run(&s, expected, NULL));
        for (int turn = 0; turn < 2; turn++) {
            const double size = turn ? 0x1p-650 : 0x1p650, back = turn ? 0x1p650 : 0x1p-650;
            for (int64_t i = 0; i < (s.lmax + 1) * (s.lmax + 2); i++)
                s.alm[i] = s.alm[i] * size * (turn ? size : 1);
            check_ok(scene_run(&s, s.values, NULL));
            for (int64_t i = 0; i < count; i++)
                assert_true(fabs(s.values[i] * back - expected[i]) <=
                            1e-13 * fabs(expected[i]) + 1e-9);
        }
        free(expected);
        scene_close(&s);
    }
}

/* A number that is none has no power, so that its degree would be left out. */
static void coefficients_are_finite(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 20, 2000, 1.0, 1.1, 0);
    s.options.epsilon = 1e-6;
    s.alm[2 * 5] = NAN;
    check_error(scene_run(&s, s.values, NULL), ARMILLA_ERROR_ARGUMENT,
                "alm: has nan at l = 5, m = 0 of transform 0");
    s.alm[2 * 5] = 1, s.alm[2 * (s.lmax + 1) + 1] = INFINITY;
    check_error(scene_run(&s, s.values, NULL), ARMILLA_ERROR_ARGUMENT,
                "alm: has inf at l = 1, m = 1 of transform 0");
    s.options.epsilon = 0;
    check_ok(scene_run(&s, s.values, NULL));
    assert_true(!isfinite(s.values[20]));
    scene_close(&s);
}

/* Second derivatives where r^2 is no double: so many points would go to a shell else. */
static void points_near_the_centre_are_right(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 100, 20000, 1.0, 1.1, 0);
    s.options.kind = ARMILLA_SOLID_INTERIOR, s.options.way = ARMILLA_SOLID_AUTO;
    s.options.epsilon = 0.1;
    for (int64_t i = 0; i < s.npoints; i++) s.points[3 * i + 2] = 1e-200;
    double *expected = direct(&s);
    check_ok(scene_run(&s, s.values, NULL));
    for (int64_t i = 0; i < COMPONENTS * s.npoints; i++)
        assert_true(fabs(s.values[i] - expected[i]) < 1e-12);
    free(expected);
    scene_close(&s);
}

static void threads_and_distances_change_no_bit(void **state)
{
    (void)state;
    for (int way = ARMILLA_SOLID_DIRECT; way <= ARMILLA_SOLID_SHELLS; way++) {
        scene s;
        armilla_exec exec;
        armilla_exec_init(&exec);
        scene_open(&s, 20, 2000, 1.0, 1.1, 0);
        s.options.way = (armilla_solid_way)way, s.options.epsilon = 1e-6;
        const int64_t gap = s.npoints + 7, size = (s.lmax + 1) * (s.lmax + 2) / 2;
        double *other = checked_calloc(2 * COMPONENTS * gap, sizeof(double));
        exec.ntrans = 2, exec.nthreads = 1;
        check_ok(scene_run(&s, s.values, &exec));
        exec.nthreads = 3, exec.map_distance = gap, exec.alm_distance = size;
        check_ok(scene_run(&s, other, &exec));
        for (int64_t c = 0; c < 2 * COMPONENTS; c++) {
            assert_memory_equal(other + c * gap, s.values + c * s.npoints,
                                (size_t)s.npoints * sizeof(double));
            for (int64_t i = s.npoints; i < gap; i++) assert_true(other[c * gap + i] == 0);
        }
        assert_true(other[COMPONENTS * gap] != other[0]);
        free(other);
        scene_close(&s);
    }
}

typedef struct {
    int calls, end;
    double last;
} watch;

static int hear(void *data, double fraction)
{
    watch *w = data;
    assert_true(fraction >= w->last && fraction <= 1);
    w->last = fraction;
    return ++w->calls == w->end;
}

static void calls_can_be_cancelled(void **state)
{
    (void)state;
    armilla_progress_set_interval(0);
    for (int way = ARMILLA_SOLID_DIRECT; way <= ARMILLA_SOLID_SHELLS; way++) {
        scene s;
        armilla_exec exec;
        watch w = {.end = -1};
        armilla_exec_init(&exec);
        scene_open(&s, 20, 2000, 1.0, 1.1, 0);
        s.options.way = (armilla_solid_way)way, s.options.epsilon = 1e-6;
        exec.nthreads = 1, exec.progress = hear, exec.progress_data = &w;
        check_ok(scene_run(&s, s.values, &exec));
        assert_true(w.calls >= 5 && w.last == 1);
        for (int end = 1; end < 4; end++) {
            w = (watch){.end = end};
            assert_int_equal(scene_run(&s, s.values, &exec), ARMILLA_ERROR_CANCELLED);
            assert_int_equal(w.calls, end);
        }
        scene_close(&s);
    }
    armilla_progress_set_interval(0.05);
}

static void memory_that_runs_out_is_told(void **state)
{
    (void)state;
    scene s;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1;
    scene_open(&s, 6, 60, 1.0, 1.01, 0);
    s.options.way = ARMILLA_SOLID_SHELLS, s.options.epsilon = 0.01;
    for (int64_t n = 0;; n++) {
        armilla_memory_fail_after(n);
        const armilla_status status = scene_run(&s, s.values, &exec);
        armilla_memory_fail_after(-1);
        if (!status) {
            assert_true(n > 20);
            break;
        }
        assert_int_equal(status, ARMILLA_ERROR_MEMORY);
    }
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_within_epsilon),
        cmocka_unit_test(low_band_limits_work),
        cmocka_unit_test(choices_are_told),
        cmocka_unit_test(a_few_points_elsewhere_are_summed),
        cmocka_unit_test(what_cannot_be_reached_is_refused),
        cmocka_unit_test(sizes_of_coefficients_do_not_matter),
        cmocka_unit_test(coefficients_are_finite),
        cmocka_unit_test(points_near_the_centre_are_right),
        cmocka_unit_test(threads_and_distances_change_no_bit),
        cmocka_unit_test(calls_can_be_cancelled),
        cmocka_unit_test(memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

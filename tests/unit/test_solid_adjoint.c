/* Checks the adjoint of solid harmonics: coefficient by coefficient against the sums whose
 * transpose it is, and against that of points on a sphere; batches, threads, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/progress.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int64_t lmax, mmax, npoints, ncomp, size;
    armilla_solid_options options;
    double *points, *values, *alm, *result;
} scene;

static void scene_open(scene *s, int64_t lmax, int64_t mmax, int64_t npoints, int64_t derivatives)
{
    uint64_t stream = 91;
    const int64_t ncomp = derivatives == 2 ? 10 : derivatives ? 4 : 1;
    *s = (scene){lmax, mmax, npoints, ncomp, armilla_alm_size(lmax, mmax), {0}, 0, 0, 0, 0};
    armilla_solid_options_init(&s->options);
    s->options.derivatives = derivatives, s->options.radius = 1.25;
    s->points = checked_malloc(3 * npoints + 1, sizeof(double));
    s->values = checked_malloc(2 * ncomp * npoints + 1, sizeof(double));
    s->alm = checked_malloc(2 * s->size, sizeof(double));
    s->result = checked_malloc(4 * s->size, sizeof(double));
    for (int64_t i = 0; i < npoints; i++) {
        s->points[3 * i] = acos(random_next(&stream)),
                      s->points[3 * i + 1] = 7 * random_next(&stream);
        s->points[3 * i + 2] = 1.25 + 0.1 * random_next(&stream);
    }
    if (npoints > 3) s->points[0] = 0, s->points[3] = M_PI, s->points[6] = 1e-3;
    for (int64_t i = 0; i < 2 * ncomp * npoints; i++) s->values[i] = random_next(&stream);
    for (int64_t i = 0; i < 2 * s->size; i++) s->alm[i] = random_next(&stream);
}

static void scene_close(scene *s)
{
    free(s->points), free(s->values), free(s->alm), free(s->result);
}

static armilla_status adjoint(const scene *s, double *alm, const armilla_exec *exec)
{
    return armilla_solid_adjoint_evaluate(s->lmax, s->mmax, s->npoints, s->points, &s->options,
                                          s->values, alm, exec);
}

/* <Y a, values>, and the largest that it could be. */
static double dot_of_values(const scene *s, const double *alm, double *bound)
{
    const int64_t count = s->ncomp * s->npoints;
    double *y = checked_malloc(count, sizeof(double)), sum = 0, yy = 0, vv = 0;
    check_ok(
        armilla_solid_evaluate(s->lmax, s->mmax, s->npoints, s->points, &s->options, alm, y, NULL));
    for (int64_t i = 0; i < count; i++) {
        sum += y[i] * s->values[i];
        yy += y[i] * y[i], vv += s->values[i] * s->values[i];
    }
    free(y);
    *bound = sqrt(yy * vv);
    return sum;
}

/* <a, b> of real fields; imaginary parts of m = 0 play no part. */
static double dot_of_alm(const scene *s, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t m = 0, i = 0; m <= s->mmax; m++)
        for (int64_t l = m; l <= s->lmax; l++, i++)
            sum +=
                m ? 2 * (a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1]) : a[2 * i] * b[2 * i];
    return sum;
}

static void check_transpose(int64_t lmax, int64_t mmax, int each)
{
    for (int64_t derivatives = 0; derivatives < 3; derivatives++)
        for (int way = 0; way < 4; way++) {
            scene s;
            double bound;
            scene_open(&s, lmax, mmax, 70, derivatives);
            s.options.kind = way % 2 ? ARMILLA_SOLID_INTERIOR : ARMILLA_SOLID_EXTERIOR;
            s.options.frame = way / 2 ? ARMILLA_SOLID_LOCAL : ARMILLA_SOLID_CARTESIAN;
            check_ok(adjoint(&s, s.result, NULL));
            for (int64_t i = 0; i < (each ? 2 * s.size : 1); i++) {
                for (int64_t k = 0; each && k < 2 * s.size; k++) s.alm[k] = k == i;
                const double expected = dot_of_values(&s, s.alm, &bound);
                const double found = dot_of_alm(&s, s.alm, s.result);
                if (!(fabs(found - expected) <= 3e-14 * bound))
                    print_error("lmax %d way %d derivatives %d number %d: %g, not %g\n", (int)lmax,
                                way, (int)derivatives, (int)i, found, expected);
                assert_true(fabs(found - expected) <= 3e-14 * bound);
            }
            scene_close(&s);
        }
}

static void each_coefficient_is_transposed(void **state)
{
    (void)state;
    for (int64_t lmax = 0; lmax < 5; lmax++) check_transpose(lmax, lmax, 1);
    check_transpose(4, 2, 1);
    check_transpose(3, 0, 1);
    check_transpose(150, 150, 0);
    check_transpose(60, 13, 0);
}

static void on_a_sphere_it_is_that_of_points(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 40, 40, 500, 0);
    double *expected = checked_malloc(2 * s.size, sizeof(double)), largest = 0;
    double *directions = checked_malloc(2 * s.npoints, sizeof(double));
    for (int64_t i = 0; i < s.npoints; i++) {
        s.points[3 * i + 2] = s.options.radius;
        directions[2 * i] = s.points[3 * i], directions[2 * i + 1] = s.points[3 * i + 1];
    }
    check_ok(adjoint(&s, s.result, NULL));
    check_ok(armilla_points_adjoint_evaluate(40, 40, s.npoints, directions, NULL, s.values,
                                             expected, NULL));
    for (int64_t i = 0; i < 2 * s.size; i++) largest = fmax(largest, fabs(expected[i]));
    for (int64_t i = 0; i < 2 * s.size; i++)
        assert_true(fabs(s.result[i] - expected[i]) <= 3.5e-14 * largest); /* 7e-16 (lmax + 10) */
    free(expected), free(directions);
    scene_close(&s);
}

/* More points than a batch, two transforms. */
static void threads_batches_and_sets_agree(void **state)
{
    (void)state;
    scene s;
    armilla_exec exec;
    armilla_exec_init(&exec);
    scene_open(&s, 20, 20, 20000, 1);
    double *other = checked_malloc(4 * s.size, sizeof(double)), bound;
    exec.nthreads = 1, exec.ntrans = 2;
    check_ok(adjoint(&s, s.result, &exec));
    exec.nthreads = 3;
    check_ok(adjoint(&s, other, &exec));
    assert_memory_equal(other, s.result, 4 * (size_t)s.size * sizeof(double));
    const double expected = dot_of_values(&s, s.alm, &bound);
    assert_true(fabs(dot_of_alm(&s, s.alm, s.result) - expected) <= 1e-14 * bound);
    s.options.isa = "scalar";
    check_ok(adjoint(&s, other, NULL));
    for (int64_t i = 0; i < 2 * s.size; i++)
        assert_true(fabs(other[i] - s.result[i]) <= 1e-12 * 20000);
    free(other);
    scene_close(&s);
}

static int stop(void *data, double fraction)
{
    (void)fraction;
    return --*(int *)data == 0;
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    scene s;
    armilla_exec exec;
    armilla_exec_init(&exec);
    scene_open(&s, 6, 6, 50, 2);
    s.options.epsilon = 1e-6;
    check_error(adjoint(&s, s.result, NULL), ARMILLA_ERROR_UNSUPPORTED, "options->epsilon");
    s.options.epsilon = 0, s.points[2] = 0;
    check_error(adjoint(&s, s.result, NULL), ARMILLA_ERROR_ARGUMENT, "points[0]: r = 0");
    s.points[2] = 1.3;
    int calls = 1;
    exec.nthreads = 1, exec.progress = stop, exec.progress_data = &calls;
    armilla_progress_set_interval(0);
    assert_int_equal(adjoint(&s, s.result, &exec), ARMILLA_ERROR_CANCELLED);
    armilla_progress_set_interval(0.05);
    s.npoints = 0;
    check_ok(adjoint(&s, s.result, NULL));
    for (int64_t i = 0; i < 2 * s.size; i++) assert_true(s.result[i] == 0);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_coefficient_is_transposed),
        cmocka_unit_test(on_a_sphere_it_is_that_of_points),
        cmocka_unit_test(threads_batches_and_sets_agree),
        cmocka_unit_test(what_is_wrong_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

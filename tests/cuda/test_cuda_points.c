/* Samples and points on a GPU: both directions are the processor's on the same samples, transposes
 * of each other, and the same bits whatever the sequence of threads, for every number of taps,
 * points wherever they are, and none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cuda/points_scene.h"

/* Bands that end at the equator, and that do not; rings of one tile and of several; zones; a ring
 * shorter than what is beside it. */
static const points_case cases[] = {
    {.nrings = 64, .nphi = 128, .ncomp = 1},
    {.nrings = 90, .nphi = 194, .ncomp = 2, .spin = 1},
    {.nrings = 40, .nphi = 30, .ncomp = 2, .spin = 2, .first = 7, .beyond = 12},
    {.nrings = 32, .nphi = 20, .ncomp = 1, .spin = 3, .floats = 1},
};
enum { CASES = sizeof cases / sizeof *cases };

/* --- The processor's ------------------------------------------------------------------------- */

/* Largest difference over largest number. */
static double compare(int64_t count, const double *wanted, const double *made)
{
    double error = 0, size = 0;
    for (int64_t i = 0; i < count; i++) {
        size = larger_or_nan(size, fabs(wanted[i]));
        error = larger_or_nan(error, fabs(wanted[i] - made[i]));
    }
    return size > 0 ? error / size : error;
}

static void check_values(const points_scene *s, double bound, const char *what)
{
    double *samples = random_samples(s, 1), *wanted = random_values(s, 2);
    double *made = random_values(s, 2);
    run_on_processor(s, 1, samples, wanted);
    points_run(s, 1, samples, made);
    check_at_most(compare(s->core.nmap * s->count, wanted, made), bound, "%s: %d taps, values",
                  what, s->of.taps);
    armilla_release(samples);
    armilla_release(wanted);
    armilla_release(made);
}

/* What is around the rings is folded back to them: which side a point on the equator is of, and on
 * which side of phi = 0 it is, is left to each. */
static void check_samples(const points_scene *s, double bound, const char *what)
{
    double *values = random_values(s, 3), *wanted = zeros(s->nsamples), error = 0, size = 0;
    double *made = random_samples(s, 4);
    run_on_processor(s, 0, wanted, values);
    points_run(s, 0, made, values);
    armilla_points_fold_halo(&s->core, &s->strip, both_sides(), wanted);
    armilla_points_fold_halo(&s->core, &s->strip, both_sides(), made);
    const int64_t reach = armilla_points_reach(&s->core), pitch = s->core.pitch;
    for (int64_t row = 0; row < 2 * s->core.nmap * s->core.most_rows; row++) {
        const int64_t of_side = row % s->core.most_rows;
        if (of_side < reach || of_side >= s->core.most_rows - reach) continue;
        for (int64_t i = 0; i < s->of.nphi; i++) {
            const int64_t at = row * pitch + s->core.left + i;
            size = larger_or_nan(size, fabs(wanted[at]));
            error = larger_or_nan(error, fabs(wanted[at] - made[at]));
        }
    }
    check_at_most(size > 0 ? error / size : error, bound, "%s: %d taps, samples", what, s->of.taps);
    armilla_release(values);
    armilla_release(wanted);
    armilla_release(made);
}

static void check_both(const points_case *of, int64_t count, double *points, const char *what)
{
    const double bound = of->single ? 3e-6 : of->floats ? 1e-7 : 3e-14;
    points_scene s;
    points_open(&s, of, count, points);
    check_values(&s, bound, what);
    check_samples(&s, of->single ? bound : 3e-14, what);
    points_close(&s);
}

static void all_taps_are_the_processors(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int taps = 2; taps <= ARMILLA_WINDOW_TAPS; taps++) {
            points_case of = cases[i];
            of.taps = taps;
            check_both(&of, 300, scattered_points(&of, 300), "scattered");
        }
}

static void floats_are_nearly_the_processors(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int taps = 2; taps <= 7; taps++) {
            points_case of = cases[i];
            of.taps = taps, of.single = 1, of.floats = taps % 2;
            check_both(&of, 300, scattered_points(&of, 300), "single");
        }
}

/* --- Where points are ------------------------------------------------------------------------ */

/* Calls set(i, point) for each of the points. */
static void check_places(const char *what, int64_t count, void (*set)(int64_t, double *))
{
    for (int i = 0; i < 4; i++) {
        points_case of = cases[i % 2];
        of.taps = i < 2 ? 16 : 9, of.single = i == 3;
        double *points = scattered_points(&of, count);
        for (int64_t n = 0; n < count; n++) set(n, points + 2 * n);
        check_both(&of, count, points, what);
    }
}

static void at_poles(int64_t i, double *point)
{
    point[0] = i % 2 ? 3.1415 : 1e-9 * (double)i;
}

static void in_one_place(int64_t i, double *point)
{
    (void)i;
    point[0] = 1, point[1] = 2;
}

static void on_one_ring(int64_t i, double *point)
{
    (void)i;
    point[0] = 1.5;
}

static void in_one_tile(int64_t i, double *point)
{
    (void)i;
    point[0] = 1 + 0.1 * fmod(point[0], 1), point[1] = 1 + 0.1 * fmod(point[1], 1);
}

static void beside_the_start(int64_t i, double *point)
{
    point[1] = (i % 2 ? 1e-5 : -1e-5) * (double)(1 + i);
}

static void anywhere(int64_t i, double *point)
{
    (void)i;
    (void)point;
}

static void points_may_be_anywhere(void **state)
{
    (void)state;
    check_places("none", 0, anywhere);
    check_places("one", 1, anywhere);
    check_places("poles", 300, at_poles);
    check_places("one place", 3000, in_one_place);
    check_places("one ring", 300, on_one_ring);
    check_places("one tile", 5000, in_one_tile);
    check_places("phi = 0", 300, beside_the_start);
}

static void points_may_be_many(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    const points_case of = {.nrings = 64, .nphi = 128, .taps = 5};
    check_both(&of, MANY, scattered_points(&of, MANY), "many");
}

/* The processor reduces angles exactly. */
static void longitudes_may_have_many_turns(void **state)
{
    (void)state;
    points_case of = cases[0];
    of.taps = 12;
    double *points = scattered_points(&of, 200);
    for (int64_t i = 0; i < 200; i++) points[2 * i + 1] *= pow(10, (double)(i % 100));
    check_both(&of, 200, points, "turns");
}

/* --- Transposes, bits ------------------------------------------------------------------------ */

static double dot(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* On samples with what is around them, which nothing fills or folds. */
static void directions_are_transposes(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; i++)
        for (int taps = 2; taps <= ARMILLA_WINDOW_TAPS; taps += 7) {
            points_case of = cases[i];
            points_scene s;
            of.taps = taps, of.floats = 0;
            points_open(&s, &of, 2000, scattered_points(&of, 2000));
            const int64_t nvalues = s.core.nmap * s.count;
            double *x = zeros(s.nsamples), *y = random_values(&s, 6);
            double *there = zeros(nvalues), *back = zeros(s.nsamples);
            random_fill(5, s.nsamples, x);
            points_run(&s, 1, x, there);
            points_run(&s, 0, back, y);
            const double size = sqrt(dot(nvalues, there, there) * dot(nvalues, y, y));
            check_at_most(fabs(dot(nvalues, there, y) - dot(s.nsamples, x, back)), 1e-13 * size,
                          "case %d, %d taps", i, taps);
            armilla_release(x);
            armilla_release(y);
            armilla_release(there);
            armilla_release(back);
            points_close(&s);
        }
}

static void set_order(int i)
{
    cuda_emulation_set_order(i == 0   ? CUDA_EMULATION_FORWARD
                             : i == 1 ? CUDA_EMULATION_REVERSED
                                      : CUDA_EMULATION_RANDOM,
                             (uint64_t)i);
}

/* Sorted anew, in each sequence; with tiles of many points and of few. */
static void bits_are_always_the_same(void **state)
{
    (void)state;
    enum { COUNT = 9000 };
    for (int single = 0; single < 2; single++) {
        points_case of = cases[1];
        points_scene s;
        of.taps = 6, of.single = single;
        double *points = scattered_points(&of, COUNT);
        for (int64_t i = 0; i < COUNT / 2; i++) in_one_tile(i, points + 2 * i);
        double *made[2][4];
        for (int i = 0; i < 4; i++) {
            double *copy = checked_malloc(2 * COUNT, sizeof *copy);
            memcpy(copy, points, 2 * COUNT * sizeof *copy);
            set_order(i);
            points_open(&s, &of, COUNT, copy);
            made[0][i] = random_samples(&s, 7), made[1][i] = random_values(&s, 8);
            points_run(&s, 0, made[0][i], made[1][i]);
            points_run(&s, 1, made[0][i], made[1][i]);
            set_order(0);
            assert_memory_equal(made[0][0], made[0][i], sizeof(double) * (size_t)s.nsamples);
            assert_memory_equal(made[1][0], made[1][i], sizeof(double) * 2 * COUNT);
            if (i < 3) points_close(&s);
        }
        for (int i = 0; i < 8; i++) armilla_release(made[i / 4][i % 4]);
        points_close(&s);
        free(points);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_taps_are_the_processors),
        cmocka_unit_test(floats_are_nearly_the_processors),
        cmocka_unit_test(points_may_be_anywhere),
        cmocka_unit_test(points_may_be_many),
        cmocka_unit_test(longitudes_may_have_many_turns),
        cmocka_unit_test(directions_are_transposes),
        cmocka_unit_test(bits_are_always_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

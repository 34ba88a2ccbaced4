/* Checks that upsampling and taps of a plan for points can be chosen: what the description tells is
 * the formula of armilla/points.h, values keep it against a judge that shares no code, and what
 * cannot be reached, or does not exist, is refused by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_points_scene.h"

enum { LMAX = 70, POINTS = 40 };

typedef struct {
    double upsampling;
    int64_t taps;
    double epsilon;
} wish;

static armilla_status new_plan(const wish *w, int64_t spin, int64_t count, const double *points,
                               armilla_points **plan)
{
    armilla_points_options options;
    armilla_points_options_init(&options);
    assert_true(options.upsampling == 0 && options.taps == 0);
    options.upsampling = w->upsampling, options.taps = w->taps;
    options.epsilon = w->epsilon, options.spin = spin;
    return armilla_points_new(LMAX, LMAX, count, points, &options, plan);
}

static armilla_points_description described(const armilla_points *plan)
{
    armilla_points_description d = {.size = sizeof d};
    check_ok(armilla_points_describe(plan, 1, &d));
    return d;
}

/* docs/mathematics.md (7.3), for points that are few. */
static double reached(double upsampling, int64_t taps)
{
    const double decay = M_PI * sqrt(1 - 1 / upsampling);
    return fmax(1e-13, 10 * exp(-decay * ((double)taps - 0.5)));
}

/* --- Values ----------------------------------------------------------------------------------- */

static void check_values(const wish *w, int64_t spin, point_kind kind)
{
    const spin_case c = {.lmax = LMAX, .mmax = LMAX, .spin = spin};
    const oracle_field field = {LMAX, LMAX, spin, POINTS, NULL};
    points_scene s = {.c = c, .npoints = POINTS, .size = spin_size(&c)};
    oracle_field at = field;
    s.points = checked_malloc(2 * POINTS, sizeof(double));
    s.alm = checked_malloc(s.size, sizeof(double));
    fill_points(kind, POINTS, s.points);
    spin_random_alm(5, &c, 0, s.alm);
    at.points = s.points;
    check_ok(new_plan(w, spin, POINTS, s.points, &s.plan));
    const armilla_points_description d = described(s.plan);
    double *exact = checked_malloc(points_values(&s), sizeof *exact);
    oracle_field_values(&at, s.alm, exact);
    check_at_most(points_error(&s, exact), fmax(d.epsilon, 2e-16 * (LMAX + 10)),
                  "upsampling %g, taps %d, spin %d, points of kind %d", w->upsampling, (int)w->taps,
                  (int)spin, (int)kind);
    if (w->taps) assert_int_equal(d.taps, w->taps);
    if (w->upsampling) {
        assert_true(fabs(d.epsilon / reached(w->upsampling, d.taps) - 1) < 1e-12);
        assert_true((double)d.nphi >= w->upsampling * 2 * (double)d.highest_order);
    } else
        assert_true(d.epsilon == w->epsilon);
    free(exact);
    points_scene_close(&s);
}

static void values_keep_what_is_told(void **state)
{
    static const wish wishes[] = {
        {1.1, 16, 0.1},   {1.2, 6, 0.1},  {1.25, 8, 0.01}, {1.25, 16, 1e-7}, {1.5, 4, 0.1},
        {1.5, 11, 1e-6},  {2, 3, 0.1},    {2, 7, 1e-3},    {2, 16, 1e-7},    {2.5, 5, 1e-3},
        {2.5, 13, 1e-12}, {3, 16, 1e-13}, {1.2, 0, 1e-4},  {2, 0, 1e-9},     {0, 6, 1e-3},
        {0, 16, 1e-7},    {0, 16, 1e-12}};
    (void)state;
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++)
        for (point_kind kind = RANDOM; kind < FAR_TURNS; kind++)
            check_values(&wishes[i], (int64_t)(i + kind) % 3, kind);
}

/* More of either errs less, and the fewest taps that reach epsilon are taken. */
static void upsampling_chooses_taps(void **state)
{
    double points[2 * POINTS];
    (void)state;
    fill_points(RANDOM, POINTS, points);
    for (double upsampling = 1.2; upsampling < 3; upsampling += 0.2) {
        armilla_points *plan;
        const wish w = {upsampling, 0, 1e-5};
        check_ok(new_plan(&w, 0, POINTS, points, &plan));
        const armilla_points_description d = described(plan);
        assert_true(reached(upsampling, d.taps) <= 1e-5 && reached(upsampling, d.taps - 1) > 1e-5);
        assert_true((double)d.nrings >= upsampling * (LMAX + 1));
        armilla_points_free(plan);
    }
}

/* Plans beside others choose by the same wishes, whatever their own points allow. */
static void plans_beside_keep_wishes(void **state)
{
    enum { MANY = 4000 };
    double *points = checked_malloc(2 * MANY, sizeof *points);
    armilla_points *many, *few;
    const wish w = {1.5, 8, 2e-5};
    (void)state;
    fill_points(RANDOM, MANY, points);
    check_ok(new_plan(&w, 0, MANY, points, &many));
    check_ok(armilla_points_new_beside(many, POINTS, points, &few));
    const armilla_points_description d = described(many), e = described(few);
    assert_true(fabs(d.epsilon / (0.4 / 1.5 * reached(1.5, 8)) - 1) < 1e-12);
    assert_true(fabs(e.epsilon / reached(1.5, 8) - 1) < 1e-12);
    assert_true(d.taps == 8 && e.taps == 8);
    armilla_points_free(few), armilla_points_free(many);
    free(points);
}

/* --- Refusals --------------------------------------------------------------------------------- */

static void what_cannot_be_is_refused(void **state)
{
    static const struct {
        wish w;
        const char *words;
    } bad[] = {
        {{1.09, 0, 1e-3}, "options->upsampling = 1.09: must be 0 (chosen) or 1.1 to 3"},
        {{3.01, 0, 1e-3}, "options->upsampling = 3.01"},
        {{-2, 0, 1e-3}, "options->upsampling = -2"},
        {{NAN, 0, 1e-3}, "options->upsampling"},
        {{2, 1, 1e-3}, "options->taps = 1: must be 0 (chosen) or 2 to 16"},
        {{2, 17, 1e-3}, "options->taps = 17"},
        {{0, -1, 1e-3}, "options->taps = -1"},
        {{2, 4, 1e-7}, "options->upsampling and options->taps: 4 taps with an upsampling of 2"},
        {{1.1, 0, 1e-9}, "options->upsampling: 16 taps with an upsampling of 1.1 reach"},
        {{0, 3, 1e-7}, "options->taps: 3 taps with an upsampling of 3 reach"}};
    double points[2 * POINTS];
    (void)state;
    fill_points(RANDOM, POINTS, points);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        armilla_points *plan = NULL;
        check_error(new_plan(&bad[i].w, 0, POINTS, points, &plan), ARMILLA_ERROR_ARGUMENT,
                    bad[i].words);
        assert_null(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_keep_what_is_told), cmocka_unit_test(upsampling_chooses_taps),
        cmocka_unit_test(plans_beside_keep_wishes), cmocka_unit_test(what_cannot_be_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

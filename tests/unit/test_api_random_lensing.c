/* Checks that the functions of lensing.h stand random arguments. Each trial makes one of many
 * plans and calls it, or one of the functions without a plan. */
#include "test_api_random_points.h"

#include "armilla/lensing.h"

enum { MOST_DIRECTIONS = 30 };

/* --- Deflections ------------------------------------------------------------------------------ */

typedef struct field {
    armilla_deflection d;
    double *gradient, *curl;
} field;

static field draw_field(trial *t)
{
    field f = {.gradient = checked_malloc(MOST_NUMBERS, sizeof(double)),
               .curl = checked_malloc(MOST_NUMBERS, sizeof(double))};
    random_fill(t->state, MOST_NUMBERS, f.gradient);
    random_fill(t->state + 1, MOST_NUMBERS, f.curl);
    armilla_deflection_init(&f.d);
    f.d.lmax = between(t, 1, MOST_LMAX), f.d.mmax = between(t, 0, f.d.lmax);
    f.d.kind = (armilla_deflection_kind)below(t, 2);
    f.d.gradient = f.gradient;
    if (below(t, 2)) f.d.curl = f.curl;
    f.d.nthreads = (int)below(t, 4);
    return f;
}

/* A coefficient of order 0 is seen at all pixels. Returned: what to give for the deflection. */
static const armilla_deflection *spoil_field(trial *t, field *f)
{
    armilla_deflection *d = &f->d;
    if (spoil(t, "deflection: at pixel")) f->gradient[2 * d->lmax] = not_finite(t);
    if (spoil(t, "deflection->gradient")) d->gradient = NULL;
    if (spoil(t, "deflection->kind")) d->kind = (armilla_deflection_kind)outside_int(t, 0, 2);
    if (spoil(t, "deflection->nthreads")) d->nthreads = outside_int(t, 0, INT32_MAX);
    if (spoil(t, "deflection->size"))
        d->size =
            wrong_size(t, offsetof(armilla_deflection, nthreads) + sizeof d->nthreads, sizeof *d);
    if (spoil(t, "deflection->mmax")) d->mmax = outside(t, 0, d->lmax);
    if (spoil(t, "deflection->lmax")) d->lmax = outside(t, 1, largest_lmax);
    return spoil(t, "deflection = NULL") ? NULL : d;
}

static void free_field(field *f)
{
    free(f->gradient);
    free(f->curl);
}

/* --- Plans ------------------------------------------------------------------------------------ */

static armilla_lensing *draw_plan(trial *t, const armilla_grid *grid, wish *w)
{
    armilla_lensing *lensing = NULL;
    field f = draw_field(t);
    *w = draw_wish(t, 0);
    const armilla_points_options options = options_of(t, w);
    check_ok(armilla_lensing_new(grid, &f.d, w->lmax, w->mmax, &options, &lensing));
    free_field(&f);
    return lensing;
}

static void try_plan(trial *t)
{
    armilla_lensing *lensing = MARK, **target = &lensing;
    armilla_grid *grid = draw_grid(t);
    field f = draw_field(t);
    wish w = draw_wish(t, 0);
    armilla_points_options options = options_of(t, &w);
    spoil_options(t, 0, &w, &options);
    const armilla_deflection *given = spoil_field(t, &f);
    const armilla_grid *on = spoil(t, "grid") ? NULL : grid;
    if (spoil(t, "lensing")) target = NULL;
    const uint64_t before = checksum(f.gradient, MOST_NUMBERS * sizeof(double));
    if (judge(t, armilla_lensing_new(on, given, w.lmax, w.mmax, &options, target)))
        armilla_lensing_free(lensing);
    else
        assert_marked(t, lensing);
    assert_unchanged(t, before, f.gradient, MOST_NUMBERS * sizeof(double));
    free_field(&f);
    armilla_alm_layout_free(w.layout);
    armilla_grid_free(grid);
}

static void try_beside(trial *t)
{
    armilla_lensing *made = MARK, **target = &made;
    armilla_grid *grid = draw_grid(t);
    wish first, w;
    armilla_lensing *lensing = draw_plan(t, grid, &first);
    w = draw_wish(t, 0);
    armilla_points_options options = options_of(t, &w);
    spoil_options(t, 0, &w, &options);
    const armilla_lensing *given = spoil(t, "lensing") ? NULL : lensing;
    if (spoil(t, "result")) target = NULL;
    if (judge(t, armilla_lensing_new_beside(given, w.lmax, w.mmax, &options, target)))
        armilla_lensing_free(made);
    else
        assert_marked(t, made);
    armilla_lensing_free(lensing);
    armilla_alm_layout_free(first.layout);
    armilla_alm_layout_free(w.layout);
    armilla_grid_free(grid);
}

static armilla_status run_describe(const void *plan, int nthreads, void *about)
{
    return armilla_lensing_describe(plan, nthreads, about);
}

static void try_describe(trial *t)
{
    wish w;
    armilla_grid *grid = draw_grid(t);
    armilla_lensing *lensing = draw_plan(t, grid, &w);
    const described_plan d = {"lensing", lensing, sizeof(armilla_points_description), 0,
                              run_describe};
    try_describe_of(t, &d);
    armilla_lensing_free(lensing);
    armilla_alm_layout_free(w.layout);
    armilla_grid_free(grid);
}

/* --- Operators -------------------------------------------------------------------------------- */

static armilla_status run_operator(int64_t which, int is_float, const void *plan, const void *from,
                                   void *to, const armilla_exec *exec)
{
    (void)is_float;
    return which < 2 ? armilla_lensing_alm2lenmap(plan, from, to, exec)
                     : armilla_lensing_adjoint(plan, from, to, exec);
}

static void try_operator(trial *t)
{
    wish w;
    armilla_points_description d = {.size = sizeof d};
    scene s = {.grid = draw_grid(t)};
    armilla_lensing *lensing = draw_plan(t, s.grid, &w);
    s.plan = lensing;
    s.lmax = w.lmax, s.mmax = w.mmax, s.layout = w.layout;
    check_ok(armilla_lensing_describe(lensing, 1, &d));
    s.about.alm_size = d.alm_size, s.about.alm_ncomp = d.alm_ncomp;
    s.about.npix = armilla_grid_npix(s.grid), s.about.ncomp = d.ncomp;
    draw_exec(t, &s);
    s.alm = draw_array(t, &s);
    s.map = draw_array(t, &s);
    try_operator_of(t, &s, "lensing", run_operator);
    armilla_lensing_free(lensing);
}

static void try_angles(trial *t)
{
    wish w;
    armilla_grid *grid = draw_grid(t);
    armilla_lensing *lensing = draw_plan(t, grid, &w);
    const int64_t npix = armilla_grid_npix(grid);
    double *points = checked_malloc(2 * npix, 8), *gamma = checked_malloc(npix, 8);
    const armilla_lensing *given = spoil(t, "lensing") ? NULL : lensing;
    judge(t,
          armilla_lensing_angles(given, below(t, 3) ? points : NULL, below(t, 3) ? gamma : NULL));
    free(gamma);
    free(points);
    armilla_lensing_free(lensing);
    armilla_alm_layout_free(w.layout);
    armilla_grid_free(grid);
}

/* --- Without a plan --------------------------------------------------------------------------- */

static void try_deflect(trial *t)
{
    double at[2 * MOST_DIRECTIONS], by[2 * MOST_DIRECTIONS], to[2 * MOST_DIRECTIONS];
    double gamma[MOST_DIRECTIONS];
    const double thetas[] = {-5e-324, -1, 3.1416, 1e300, not_finite(t)};
    int64_t count = between(t, 1, MOST_DIRECTIONS);
    for (int64_t i = 0; i < count; i++) {
        at[2 * i] = M_PI * (double)below(t, 1001) / 1000;
        at[2 * i + 1] = below(t, 4) ? (double)below(t, 7) : any_finite(t);
        by[i] = below(t, 4) ? 1e-3 * (double)below(t, 4000) : any_finite(t);
        by[count + i] = below(t, 4) ? 1e-3 * (double)below(t, 4000) : any_finite(t);
    }
    memset(to, 0x5a, sizeof to);
    const uint64_t before = checksum(to, sizeof to);
    if (spoil(t, "points: theta")) at[2 * below(t, count)] = thetas[below(t, 5)];
    if (spoil(t, "points: phi")) at[2 * below(t, count) + 1] = not_finite(t);
    if (spoil(t, "deflection of point")) by[below(t, 2 * count)] = not_finite(t);
    const double *points = spoil(t, "points = NULL") ? NULL : at;
    const double *deflection = spoil(t, "deflection = NULL") ? NULL : by;
    double *deflected = spoil(t, "deflected = NULL") ? NULL : to;
    const int nthreads = spoil(t, "nthreads") ? outside_int(t, 0, INT32_MAX) : (int)below(t, 4);
    if (spoil(t, "npoints")) count = -1 - below(t, 1000);
    if (judge(t, armilla_lensing_deflect(count, points, deflection, nthreads, deflected,
                                         below(t, 2) ? gamma : NULL)))
        for (int64_t i = 0; i < count; i++) assert_true(to[2 * i] >= 0 && to[2 * i] <= M_PI);
    else
        assert_unchanged(t, before, to, sizeof to);
}

static void try_distortion(trial *t)
{
    armilla_grid *grid = draw_grid(t);
    field f = draw_field(t);
    double *map = checked_malloc(4 * armilla_grid_npix(grid), sizeof *map);
    armilla_distortion_kind kind = (armilla_distortion_kind)below(t, 2);
    const armilla_deflection *given = spoil_field(t, &f);
    const armilla_grid *on = spoil(t, "grid") ? NULL : grid;
    if (spoil(t, "kind")) kind = (armilla_distortion_kind)outside_int(t, 0, 1);
    double *target = spoil(t, "map") ? NULL : map;
    judge(t, armilla_lensing_distortion(on, given, kind, target));
    free(map);
    free_field(&f);
    armilla_grid_free(grid);
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void plans_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_plan, 800);
    try_often(try_beside, 500);
    try_often(try_describe, 300);
}

static void operators_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_operator, 500);
    try_often(try_angles, 200);
}

static void calls_without_a_plan_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_deflect, 2000);
    try_often(try_distortion, 600);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_name_a_wrong_argument),
        cmocka_unit_test(operators_name_a_wrong_argument),
        cmocka_unit_test(calls_without_a_plan_name_a_wrong_argument),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}

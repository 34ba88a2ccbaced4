/* Checks that the functions of points.h stand random arguments. Each trial makes one of many plans
 * and calls it, or one of the functions without a plan. */
#include "test_api_random_points.h"
#include "test_points_scene.h"

enum { MOST_POINTS = 40 };

/* --- Points and options ----------------------------------------------------------------------- */

typedef struct places {
    int64_t count;
    double at[2 * MOST_POINTS];
} places;

/* Anywhere, both poles among them, of any number of turns. */
static places draw_places(trial *t, int64_t least)
{
    places p = {.count = between(t, least, MOST_POINTS)};
    const int patch = below(t, 3) == 0;
    for (int64_t i = 0; i < p.count; i++) {
        const double part = (double)below(t, 1001) / 1000;
        p.at[2 * i] = patch ? 1 + part / 4 : M_PI * part;
        p.at[2 * i + 1] = below(t, 4) ? 7 * (double)below(t, 1000) / 1000 : any_finite(t);
    }
    return p;
}

/* Returned: what to give for the points. */
static const double *spoil_places(trial *t, places *p)
{
    const double thetas[] = {-5e-324, -1, 3.1416, 1e300, not_finite(t)};
    if (p->count && spoil(t, "points: theta")) p->at[2 * below(t, p->count)] = thetas[below(t, 5)];
    if (p->count && spoil(t, "points: phi")) p->at[2 * below(t, p->count) + 1] = not_finite(t);
    const double *given = p->count && spoil(t, "points = NULL") ? NULL : p->at;
    if (spoil(t, "npoints")) p->count = outside(t, 0, (INT64_C(1) << 32) - 1);
    return given;
}

static int64_t most_derivatives(const armilla_points_options *o)
{
    return o->spin ? 1 : 2;
}

/* --- Plans ------------------------------------------------------------------------------------ */

static void try_plan(trial *t)
{
    armilla_points *plan = MARK, **target = &plan;
    places p = draw_places(t, 0);
    wish w = draw_wish(t, 0);
    armilla_points_options options = options_of(t, &w);
    spoil_options(t, 0, &w, &options);
    const double *points = spoil_places(t, &p);
    if (spoil(t, "plan")) target = NULL;
    const uint64_t before = checksum(p.at, sizeof p.at);
    if (judge(t, armilla_points_new(w.lmax, w.mmax, p.count, points, &options, target)))
        armilla_points_free(plan);
    else
        assert_marked(t, plan);
    assert_unchanged(t, before, p.at, sizeof p.at);
    armilla_alm_layout_free(w.layout);
}

static armilla_points *draw_plan(trial *t, const places *p, wish *w)
{
    armilla_points *plan = NULL;
    *w = draw_wish(t, 0);
    const armilla_points_options options = options_of(t, w);
    check_ok(armilla_points_new(w->lmax, w->mmax, p->count, p->at, &options, &plan));
    return plan;
}

static void try_beside(trial *t)
{
    armilla_points *made = MARK, **target = &made;
    wish w;
    places p = draw_places(t, 0);
    armilla_points *plan = draw_plan(t, &p, &w);
    p = draw_places(t, 0);
    const double *points = spoil_places(t, &p);
    const armilla_points *given = spoil(t, "plan") ? NULL : plan;
    if (spoil(t, "result")) target = NULL;
    if (judge(t, armilla_points_new_beside(given, p.count, points, target)))
        armilla_points_free(made);
    else
        assert_marked(t, made);
    armilla_points_free(plan);
    armilla_alm_layout_free(w.layout);
}

static armilla_status run_describe(const void *plan, int nthreads, void *about)
{
    return armilla_points_describe(plan, nthreads, about);
}

static void try_describe(trial *t)
{
    wish w;
    const places p = draw_places(t, 0);
    armilla_points *plan = draw_plan(t, &p, &w);
    const described_plan d = {"plan", plan, sizeof(armilla_points_description), 0, run_describe};
    try_describe_of(t, &d);
    armilla_points_free(plan);
    armilla_alm_layout_free(w.layout);
}

/* --- Operators -------------------------------------------------------------------------------- */

/* Draws points that are rings of a grid, which poles are not. */
static scene draw_points_scene(trial *t, places *p)
{
    wish w;
    armilla_points_description d = {.size = sizeof d};
    scene s = {.is_float = (int)below(t, 2)};
    *p = draw_places(t, 1);
    for (int64_t i = 0; i < p->count; i++) p->at[2 * i] = fmin(fmax(p->at[2 * i], 1e-3), 3.14);
    s.grid = grid_of_points(p->count, p->at);
    s.plan = s.points = draw_plan(t, p, &w);
    s.lmax = w.lmax, s.mmax = w.mmax, s.layout = w.layout;
    check_ok(armilla_points_describe(s.points, 1, &d));
    s.about.alm_size = d.alm_size, s.about.alm_ncomp = d.alm_ncomp;
    s.about.npix = d.npoints, s.about.ncomp = d.ncomp;
    draw_exec(t, &s);
    s.alm = draw_array(t, &s);
    s.map = draw_array(t, &s);
    return s;
}

static armilla_status run_operator(int64_t which, int is_float, const void *plan, const void *from,
                                   void *to, const armilla_exec *exec)
{
    if (which < 2)
        return is_float ? armilla_points_synthesis_float(plan, from, to, exec)
                        : armilla_points_synthesis(plan, from, to, exec);
    return is_float ? armilla_points_adjoint_synthesis_float(plan, from, to, exec)
                    : armilla_points_adjoint_synthesis(plan, from, to, exec);
}

static void try_operator(trial *t)
{
    places p;
    scene s = draw_points_scene(t, &p);
    try_operator_of(t, &s, "plan", run_operator);
}

static armilla_status run_pseudo(const scene *s, const pseudo_call *c)
{
    return s->is_float ? armilla_points_pseudo_analysis_float(c->plan, c->map, c->alm, c->options,
                                                              c->reports, c->exec)
                       : armilla_points_pseudo_analysis(c->plan, c->map, c->alm, c->options,
                                                        c->reports, c->exec);
}

static void try_pseudo(trial *t)
{
    places p;
    scene s = draw_points_scene(t, &p);
    try_pseudo_of(t, &s, "plan", run_pseudo);
}

/* --- Without a plan --------------------------------------------------------------------------- */

typedef struct question {
    const wish *w;
    const armilla_points_options *options;
    int64_t npoints;
    const double *points;
    void *alm, *values;
    const armilla_exec *exec;
} question;

static armilla_status ask(const question *q, int to_points, int is_float)
{
    const int64_t lmax = q->w->lmax, mmax = q->w->mmax;
    if (to_points)
        return is_float ? armilla_points_evaluate_float(lmax, mmax, q->npoints, q->points,
                                                        q->options, q->alm, q->values, q->exec)
                        : armilla_points_evaluate(lmax, mmax, q->npoints, q->points, q->options,
                                                  q->alm, q->values, q->exec);
    return is_float ? armilla_points_adjoint_evaluate_float(lmax, mmax, q->npoints, q->points,
                                                            q->options, q->values, q->alm, q->exec)
                    : armilla_points_adjoint_evaluate(lmax, mmax, q->npoints, q->points, q->options,
                                                      q->values, q->alm, q->exec);
}

static void try_evaluate(trial *t)
{
    scene s = {.is_float = (int)below(t, 2)};
    places p = draw_places(t, 1);
    wish w = draw_wish(t, 0);
    armilla_points_options options = options_of(t, &w);
    const int64_t most = most_derivatives(&options), to_points = below(t, 2);
    options.derivatives = between(t, 0, most);
    s.layout = w.layout, s.about.npix = p.count;
    s.about.alm_size =
        w.layout ? armilla_alm_layout_size(w.layout) : armilla_alm_size(w.lmax, w.mmax);
    s.about.alm_ncomp = options.spin && options.mode == ARMILLA_SHT_STANDARD ? 2 : 1;
    s.about.ncomp = options.spin ? 2 + 4 * options.derivatives
                                 : (const int64_t[]){1, 3, 6}[options.derivatives];
    draw_exec(t, &s);
    spoil_exec(t, &s);
    s.alm = draw_array(t, &s), s.map = draw_array(t, &s);
    spoil_options(t, most, &w, &options);
    const double *points = spoil_places(t, &p);
    const size_t bytes = MOST_NUMBERS * sizeof(double);
    double *input = to_points ? s.alm : s.map, *output = to_points ? s.map : s.alm;
    const uint64_t read = checksum(input, bytes), before = checksum(output, bytes);
    const question q = {.w = &w,
                        .options = &options,
                        .npoints = p.count,
                        .points = points,
                        .alm = spoil(t, "alm") ? NULL : s.alm,
                        .values = spoil(t, "values") ? NULL : s.map,
                        .exec = !t->spoilt && below(t, 4) == 0 ? NULL : &s.exec};
    if (!judge(t, ask(&q, (int)to_points, s.is_float))) assert_unchanged(t, before, output, bytes);
    assert_unchanged(t, read, input, bytes);
    free_scene(&s);
}

static void try_few(trial *t)
{
    int few = 77, *target = &few;
    places p = draw_places(t, 0);
    wish w = draw_wish(t, 0);
    armilla_points_options options = options_of(t, &w);
    const int64_t most = most_derivatives(&options);
    spoil_options(t, most, &w, &options);
    const double *points = spoil_places(t, &p);
    if (spoil(t, "few = NULL")) target = NULL;
    if (judge(t, armilla_points_few(w.lmax, w.mmax, p.count, points, &options, target)))
        assert_in_range(few, 0, 1);
    else
        assert_int_equal(few, 77);
    armilla_alm_layout_free(w.layout);
}

/* --- Maps ------------------------------------------------------------------------------------- */

static armilla_interpolation_options draw_interpolation(trial *t, const armilla_grid *grid)
{
    armilla_interpolation_options o;
    armilla_interpolation_options_init(&o);
    const int64_t exact = armilla_grid_exact_lmax(grid);
    if (exact < 0 || below(t, 2)) o.lmax = between(t, 0, MOST_LMAX);
    const int64_t lmax = o.lmax < 0 ? exact : o.lmax;
    if (below(t, 2)) o.mmax = between(t, 0, lmax);
    o.spin = between(t, -lmax, lmax);
    o.derivatives = between(t, 0, o.spin ? 1 : 2);
    o.max_iterations = below(t, 4);
    o.epsilon = below(t, 2) ? 1e-3 : 1e-9;
    if (below(t, 4) == 0) o.isa = armilla_isa_available(0);
    return o;
}

static void spoil_interpolation(trial *t, const armilla_grid *grid,
                                armilla_interpolation_options *o)
{
    const double epsilons[] = {0, 0.99e-13, -1e-7, 0.11, not_finite(t)};
    const int64_t exact = armilla_grid_exact_lmax(grid), lmax = o->lmax < 0 ? exact : o->lmax;
    if (spoil(t, "spin")) o->spin = outside(t, -lmax, lmax);
    if (spoil(t, "derivatives")) o->derivatives = outside(t, 0, o->spin ? 1 : 2);
    if (spoil(t, "max_iterations")) o->max_iterations = outside(t, 0, INT64_MAX);
    if (spoil(t, "epsilon")) o->epsilon = epsilons[below(t, 5)];
    if (spoil(t, "vax")) o->isa = "vax";
    if (spoil(t, "size")) o->size = wrong_size(t, sizeof *o, sizeof *o);
    if (spoil(t, "mmax")) o->mmax = outside(t, -1, lmax);
    if (spoil(t, "lmax")) o->lmax = outside(t, exact < 0 ? 0 : -1, largest_lmax);
}

static armilla_exec draw_call(trial *t)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = between(t, 1, 3), exec.nthreads = (int)below(t, 4);
    if (spoil(t, "nthreads")) exec.nthreads = outside_int(t, 0, INT32_MAX);
    if (spoil(t, "map_distance")) exec.map_distance = outside(t, 0, 0);
    if (spoil(t, "alm_distance")) exec.alm_distance = outside(t, 0, 0);
    if (spoil(t, "ntrans")) exec.ntrans = outside(t, 1, INT64_C(1) << 59);
    if (spoil(t, "size")) exec.size = wrong_size(t, offsetof(armilla_exec, memory), sizeof exec);
    return exec;
}

static void try_interpolate(trial *t)
{
    scene s = {.grid = draw_grid(t), .is_float = (int)below(t, 2)};
    places p = draw_places(t, 1);
    armilla_interpolation_options options = draw_interpolation(t, s.grid);
    armilla_pseudo_report reports[3];
    memset(reports, 0x5a, sizeof reports);
    const armilla_exec exec = draw_call(t);
    assert_true(6 * armilla_grid_npix(s.grid) <= MOST_NUMBERS);
    s.map = draw_array(t, &s), s.alm = draw_array(t, &s); /* alm: for the values */
    spoil_interpolation(t, s.grid, &options);
    const double *points = spoil_places(t, &p);
    const size_t bytes = MOST_NUMBERS * sizeof(double);
    const uint64_t read = checksum(s.map, bytes), before = checksum(s.alm, bytes);
    const uint64_t unreported = checksum(reports, sizeof reports);
    const armilla_grid *grid = spoil(t, "grid") ? NULL : s.grid;
    const void *map = spoil(t, "map") ? NULL : s.map;
    void *values = spoil(t, "values") ? NULL : s.alm;
    armilla_pseudo_report *told = below(t, 2) ? reports : NULL;
    const armilla_status status =
        s.is_float
            ? armilla_points_interpolate_float(grid, map, p.count, points, &options, values, told,
                                               &exec)
            : armilla_points_interpolate(grid, map, p.count, points, &options, values, told, &exec);
    if (!judge(t, status)) {
        assert_unchanged(t, before, s.alm, bytes);
        assert_unchanged(t, unreported, reports, sizeof reports);
    }
    assert_unchanged(t, read, s.map, bytes);
    free_scene(&s);
}

static void nothing_is_done_for_null(void **state)
{
    (void)state;
    armilla_points_options_init(NULL);
    armilla_interpolation_options_init(NULL);
    armilla_points_free(NULL);
}

static void plans_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_plan, 1200);
    try_often(try_beside, 500);
    try_often(try_describe, 300);
}

static void operators_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_operator, 800);
    try_often(try_pseudo, 500);
}

static void calls_without_a_plan_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_evaluate, 1500);
    try_often(try_few, 1000);
    try_often(try_interpolate, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_done_for_null),
        cmocka_unit_test(plans_name_a_wrong_argument),
        cmocka_unit_test(operators_name_a_wrong_argument),
        cmocka_unit_test(calls_without_a_plan_name_a_wrong_argument),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}

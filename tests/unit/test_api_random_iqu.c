/* Checks that the functions of iqu.h stand random arguments. Each trial makes one of many plans,
 * calls one of its operators. */
#include "test_api_random_sht.h"

/* Both must be the defaults. */
static void spoil_spin(trial *t, wish *w)
{
    armilla_sht_options *o = &w->options;
    o->spin = 0, o->mode = ARMILLA_SHT_STANDARD;
    if (spoil(t, "spin")) o->spin = outside(t, 0, 0);
    if (spoil(t, "mode")) o->mode = (armilla_sht_mode)outside_int(t, 0, 0);
}

static void try_plan(trial *t)
{
    armilla_iqu *iqu = MARK, **target = &iqu;
    armilla_grid *grid = draw_grid(t);
    wish w = draw_wish(t, 2);
    spoil_spin(t, &w);
    spoil_wish(t, 2, &w);
    const armilla_grid *given = spoil(t, "grid") ? NULL : grid;
    if (spoil(t, "iqu")) target = NULL;
    if (judge(t, armilla_iqu_new(given, w.lmax, w.mmax, &w.options, target)))
        armilla_iqu_free(iqu);
    else
        assert_marked(t, iqu);
    armilla_alm_layout_free(w.layout);
    armilla_grid_free(grid);
}

typedef armilla_status (*operator_double)(const armilla_iqu *, const double *, double *,
                                          const armilla_exec *);
typedef armilla_status (*operator_float)(const armilla_iqu *, const float *, float *,
                                         const armilla_exec *);

/* The first two make maps. */
static const operator_double doubles[] = {armilla_iqu_synthesis, armilla_iqu_adjoint_analysis,
                                          armilla_iqu_adjoint_synthesis, armilla_iqu_analysis};
static const operator_float floats[] = {
    armilla_iqu_synthesis_float, armilla_iqu_adjoint_analysis_float,
    armilla_iqu_adjoint_synthesis_float, armilla_iqu_analysis_float};

static armilla_status run_operator(int64_t which, int is_float, const void *plan, const void *from,
                                   void *to, const armilla_exec *exec)
{
    return is_float ? floats[which](plan, from, to, exec) : doubles[which](plan, from, to, exec);
}

static void try_operator(trial *t)
{
    scene s = draw_scene(t, 1);
    try_operator_of(t, &s, "iqu", run_operator);
}

static armilla_status run_pseudo(const scene *s, const pseudo_call *c)
{
    return s->is_float ? armilla_iqu_pseudo_analysis_float(c->plan, c->map, c->alm, c->options,
                                                           c->reports, c->exec)
                       : armilla_iqu_pseudo_analysis(c->plan, c->map, c->alm, c->options,
                                                     c->reports, c->exec);
}

static void try_pseudo(trial *t)
{
    scene s = draw_scene(t, 1);
    try_pseudo_of(t, &s, "iqu", run_pseudo);
}

static armilla_status run_describe(const void *plan, int nthreads, void *about)
{
    return armilla_iqu_describe(plan, nthreads, about);
}

static void try_describe(trial *t)
{
    scene s = draw_scene(t, 1);
    const described_plan d = {"iqu", s.iqu, sizeof s.about, 1, run_describe};
    try_describe_of(t, &d);
    free_scene(&s);
}

static void nothing_is_freed_for_null(void **state)
{
    (void)state;
    armilla_iqu_free(NULL);
}

static void plans_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_plan, 500);
    try_often(try_describe, 150);
}

static void operators_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_operator, 700);
    try_often(try_pseudo, 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_freed_for_null),
        cmocka_unit_test(plans_name_a_wrong_argument),
        cmocka_unit_test(operators_name_a_wrong_argument),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}

/* Checks that the functions of sht.h stand random arguments. Each trial makes one of many plans,
 * calls one of its operators. */
#include "test_api_random_sht.h"

static void spoil_spin(trial *t, wish *w)
{
    armilla_sht_options *o = &w->options;
    if (spoil(t, "spin")) o->spin = outside(t, -w->lmax, w->lmax);
    if (spoil(t, "mode")) o->mode = (armilla_sht_mode)outside_int(t, 0, 2);
}

static void try_plan(trial *t)
{
    armilla_sht *sht = MARK, **target = &sht;
    armilla_grid *grid = draw_grid(t);
    wish w = draw_wish(t, 0);
    spoil_spin(t, &w);
    spoil_wish(t, 0, &w);
    const armilla_grid *given = spoil(t, "grid") ? NULL : grid;
    if (spoil(t, "sht")) target = NULL;
    if (judge(t, armilla_sht_new(given, w.lmax, w.mmax, &w.options, target)))
        armilla_sht_free(sht);
    else
        assert_marked(t, sht);
    armilla_alm_layout_free(w.layout);
    armilla_grid_free(grid);
}

typedef armilla_status (*operator_double)(const armilla_sht *, const double *, double *,
                                          const armilla_exec *);
typedef armilla_status (*operator_float)(const armilla_sht *, const float *, float *,
                                         const armilla_exec *);

/* The first two make maps. */
static const operator_double doubles[] = {armilla_sht_synthesis, armilla_sht_adjoint_analysis,
                                          armilla_sht_adjoint_synthesis, armilla_sht_analysis};
static const operator_float floats[] = {
    armilla_sht_synthesis_float, armilla_sht_adjoint_analysis_float,
    armilla_sht_adjoint_synthesis_float, armilla_sht_analysis_float};

static armilla_status run_operator(int64_t which, int is_float, const void *plan, const void *from,
                                   void *to, const armilla_exec *exec)
{
    return is_float ? floats[which](plan, from, to, exec) : doubles[which](plan, from, to, exec);
}

static void try_operator(trial *t)
{
    scene s = draw_scene(t, 0);
    try_operator_of(t, &s, "sht", run_operator);
}

static armilla_status run_pseudo(const scene *s, const pseudo_call *c)
{
    return s->is_float ? armilla_sht_pseudo_analysis_float(c->plan, c->map, c->alm, c->options,
                                                           c->reports, c->exec)
                       : armilla_sht_pseudo_analysis(c->plan, c->map, c->alm, c->options,
                                                     c->reports, c->exec);
}

static void try_pseudo(trial *t)
{
    scene s = draw_scene(t, 0);
    try_pseudo_of(t, &s, "sht", run_pseudo);
}

static armilla_status run_describe(const void *plan, int nthreads, void *about)
{
    return armilla_sht_describe(plan, nthreads, about);
}

static void try_describe(trial *t)
{
    scene s = draw_scene(t, 0);
    const described_plan d = {"sht", s.sht, sizeof s.about, 1, run_describe};
    try_describe_of(t, &d);
    free_scene(&s);
}

static void options_take_null(void **state)
{
    (void)state;
    armilla_sht_options_init(NULL);
    armilla_exec_init(NULL);
    armilla_pseudo_options_init(NULL);
    armilla_sht_free(NULL);
}

static void plans_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_plan, 1000);
    try_often(try_describe, 300);
}

static void operators_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_operator, 1500);
    try_often(try_pseudo, 700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_take_null),
        cmocka_unit_test(plans_name_a_wrong_argument),
        cmocka_unit_test(operators_name_a_wrong_argument),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}

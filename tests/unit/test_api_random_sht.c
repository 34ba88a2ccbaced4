/* sht.h under random arguments. Each trial makes one of many plans, calls one of its operators. */
#include "oracle/spin_checks.h"
#include "test_api_random.h"

static const int64_t largest_lmax = INT64_C(1) << 30;

enum { MOST_LMAX = 9, MOST_NUMBERS = 20000 };

/* --- Plans ------------------------------------------------------------------------------------ */

static armilla_grid *draw_grid(trial *t)
{
    armilla_grid *grid = NULL;
    int64_t kind = below(t, EXACT_KINDS + 2), lmax = below(t, MOST_LMAX + 1);
    if (kind < EXACT_KINDS)
        return exact_grid(exact_kinds[kind], lmax, below(t, lmax + 1), below(t, 3), below(t, 20));
    check_ok(armilla_grid_new_healpix(between(t, 1, 5), &grid));
    if (kind == EXACT_KINDS) return grid;
    armilla_grid *part = NULL;
    int64_t nrings = armilla_grid_nrings(grid), first = below(t, nrings);
    check_ok(armilla_grid_new_subset(grid, first, between(t, 1, nrings - first), (int)below(t, 2),
                                     &part));
    armilla_grid_free(grid);
    return part;
}

typedef struct wish {
    int64_t lmax, mmax;
    armilla_sht_options options;
    armilla_alm_layout *layout; /* owned */
} wish;

static void draw_spin(trial *t, wish *w)
{
    armilla_sht_options *o = &w->options;
    o->mode = (armilla_sht_mode)below(t, 3);
    o->spin = between(t, -w->lmax, w->lmax);
    if (o->mode == ARMILLA_SHT_GRADIENT_ONLY && o->spin == 0) o->mode = ARMILLA_SHT_STANDARD;
    if (o->mode == ARMILLA_SHT_DERIVATIVES && w->lmax < 2) o->mode = ARMILLA_SHT_STANDARD;
    if (o->mode == ARMILLA_SHT_DERIVATIVES) o->spin = between(t, 1, 2);
}

static void draw_layout(trial *t, wish *w)
{
    int64_t mstart[MOST_LMAX + 1], stride = between(t, 1, 3);
    if (below(t, 2)) return;
    for (int64_t m = 0; m <= w->mmax; m++)
        mstart[m] = m * (w->lmax + 1) * stride + below(t, stride);
    check_ok(armilla_alm_layout_new_custom(w->lmax, w->mmax, mstart, stride, &w->layout));
    w->options.layout = w->layout;
}

static wish draw_wish(trial *t, const armilla_grid *grid)
{
    wish w = {.lmax = below(t, MOST_LMAX + 1)};
    w.mmax = below(t, w.lmax + 1);
    armilla_sht_options_init(&w.options);
    draw_spin(t, &w);
    draw_layout(t, &w);
    const int64_t methods = must_refuse_resampling(grid, w.lmax) ? ARMILLA_SHT_RESAMPLE : 3;
    w.options.method = (armilla_sht_method)below(t, methods);
    w.options.spin_method = (armilla_sht_spin_method)below(t, 2);
    if (below(t, 4) == 0) w.options.isa = armilla_isa_available(0);
    return w;
}

static void spoil_wish(trial *t, const armilla_grid *grid, wish *w)
{
    armilla_sht_options *o = &w->options;
    if (must_refuse_resampling(grid, w->lmax) && spoil(t, "method = RESAMPLE"))
        o->method = ARMILLA_SHT_RESAMPLE;
    if (spoil(t, "spin")) o->spin = outside(t, -w->lmax, w->lmax);
    if (spoil(t, "mode")) o->mode = (armilla_sht_mode)outside_int(t, 0, 2);
    if (spoil(t, "method")) o->method = (armilla_sht_method)outside_int(t, 0, 2);
    if (spoil(t, "spin_method")) o->spin_method = (armilla_sht_spin_method)outside_int(t, 0, 1);
    if (spoil(t, "vax")) o->isa = "vax";
    if (spoil(t, "size"))
        o->size = wrong_size(t, offsetof(armilla_sht_options, isa) + sizeof o->isa, sizeof *o);
    if (spoil(t, "mmax")) w->mmax = outside(t, 0, w->lmax);
    if (spoil(t, "lmax")) w->lmax = outside(t, 0, largest_lmax);
}

static void try_plan(trial *t)
{
    armilla_sht *sht = MARK, **target = &sht;
    armilla_grid *grid = draw_grid(t);
    wish w = draw_wish(t, grid);
    spoil_wish(t, grid, &w);
    const armilla_grid *given = spoil(t, "grid") ? NULL : grid;
    if (spoil(t, "sht")) target = NULL;
    if (judge(t, armilla_sht_new(given, w.lmax, w.mmax, &w.options, target)))
        armilla_sht_free(sht);
    else
        assert_marked(t, sht);
    armilla_alm_layout_free(w.layout);
    armilla_grid_free(grid);
}

/* --- Operators -------------------------------------------------------------------------------- */

typedef struct scene {
    armilla_sht *sht;
    armilla_sht_description about;
    armilla_exec exec;
    double *alm, *map;
} scene;

static scene draw_scene(trial *t)
{
    scene s = {.about = {.size = sizeof s.about}};
    armilla_grid *grid = draw_grid(t);
    wish w = draw_wish(t, grid);
    check_ok(armilla_sht_new(grid, w.lmax, w.mmax, &w.options, &s.sht));
    check_ok(armilla_sht_describe(s.sht, 1, &s.about));
    armilla_alm_layout_free(w.layout);
    armilla_grid_free(grid);
    armilla_exec_init(&s.exec);
    s.exec.ntrans = between(t, 1, 3);
    s.exec.nthreads = (int)below(t, 4);
    if (below(t, 2)) s.exec.alm_distance = s.about.alm_size + below(t, 9);
    if (below(t, 2)) s.exec.map_distance = s.about.npix + below(t, 9);
    s.alm = checked_malloc(MOST_NUMBERS, sizeof *s.alm);
    s.map = checked_malloc(MOST_NUMBERS, sizeof *s.map);
    random_fill((uint64_t)t->number, MOST_NUMBERS, s.alm);
    random_fill((uint64_t)t->number + 1, MOST_NUMBERS, s.map);
    return s;
}

static void free_scene(scene *s)
{
    armilla_sht_free(s->sht);
    free(s->alm);
    free(s->map);
}

static void spoil_distance(trial *t, const char *name, int64_t least, int64_t *distance)
{
    if (spoil(t, name))
        *distance = below(t, 2) && least > 1 ? least - 1 : outside(t, 0, INT64_C(1) << 58);
}

static void spoil_exec(trial *t, scene *s)
{
    armilla_exec *exec = &s->exec;
    if (spoil(t, "nthreads")) exec->nthreads = outside_int(t, 0, INT32_MAX);
    if (exec->ntrans * s->about.alm_ncomp > 1)
        spoil_distance(t, "alm_distance", s->about.alm_size, &exec->alm_distance);
    if (exec->ntrans * s->about.ncomp > 1)
        spoil_distance(t, "map_distance", s->about.npix, &exec->map_distance);
    if (spoil(t, "ntrans")) exec->ntrans = outside(t, 1, INT64_C(1) << 59);
    if (spoil(t, "size")) exec->size = wrong_size(t, sizeof *exec, sizeof *exec);
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

static void try_operator(trial *t)
{
    scene s = draw_scene(t);
    int64_t which = below(t, 4), is_float = below(t, 2);
    spoil_exec(t, &s);
    size_t bytes = MOST_NUMBERS * sizeof(double);
    double *input = which < 2 ? s.alm : s.map, *output = which < 2 ? s.map : s.alm;
    if (is_float) {
        float *copy = (float *)(void *)input;
        for (int64_t i = 0; i < MOST_NUMBERS; i++) copy[i] = (float)(i % 7);
    }
    uint64_t read = checksum(input, bytes), before = checksum(output, bytes);
    const armilla_sht *sht = spoil(t, "sht") ? NULL : s.sht;
    double *from = spoil(t, which < 2 ? "alm" : "map") ? NULL : input;
    double *to = spoil(t, which < 2 ? "map" : "alm") ? NULL : output;
    const armilla_exec *exec = !t->spoilt && below(t, 4) == 0 ? NULL : &s.exec;
    armilla_status status =
        is_float ? floats[which](sht, (const float *)(const void *)from, (float *)(void *)to, exec)
                 : doubles[which](sht, from, to, exec);
    if (!judge(t, status)) assert_unchanged(t, before, output, bytes);
    assert_unchanged(t, read, input, bytes);
    free_scene(&s);
}

static void spoil_pseudo(trial *t, armilla_pseudo_options *options)
{
    if (spoil(t, "method")) options->method = (armilla_pseudo_method)outside_int(t, 0, 1);
    if (options->method == ARMILLA_PSEUDO_LSMR && spoil(t, "tolerance"))
        options->tolerance = below(t, 2) ? -1e-300 : not_finite(t);
    if (spoil(t, "max_iterations")) options->max_iterations = outside(t, 0, INT64_MAX);
    if (spoil(t, "size"))
        options->size = wrong_size(t, offsetof(armilla_pseudo_options, weights), sizeof *options);
}

static void try_pseudo(trial *t)
{
    scene s = draw_scene(t);
    armilla_pseudo_options options;
    armilla_pseudo_report reports[3];
    memset(reports, 0x5a, sizeof reports);
    armilla_pseudo_options_init(&options);
    options.method = (armilla_pseudo_method)below(t, 2);
    options.max_iterations = below(t, 4);
    options.tolerance = fabs(any_finite(t));
    spoil_pseudo(t, &options);
    spoil_exec(t, &s);
    size_t bytes = MOST_NUMBERS * sizeof(double);
    uint64_t read = checksum(s.map, bytes), before = checksum(s.alm, bytes);
    uint64_t unreported = checksum(reports, sizeof reports);
    const armilla_sht *sht = spoil(t, "sht") ? NULL : s.sht;
    const double *map = spoil(t, "map") ? NULL : s.map;
    double *alm = spoil(t, "alm") ? NULL : s.alm;
    armilla_pseudo_report *target = below(t, 2) ? reports : NULL;
    if (!judge(t, armilla_sht_pseudo_analysis(sht, map, alm, &options, target, &s.exec))) {
        assert_unchanged(t, before, s.alm, bytes);
        assert_unchanged(t, unreported, reports, sizeof reports);
    }
    assert_unchanged(t, read, s.map, bytes);
    free_scene(&s);
}

static void try_describe(trial *t)
{
    scene s = draw_scene(t);
    armilla_sht_description about;
    memset(&about, 0x5a, sizeof about);
    about.size = between(t, sizeof(size_t) + 1, sizeof about);
    if (spoil(t, "size")) about.size = wrong_size(t, sizeof(size_t) + 1, sizeof about);
    uint64_t before = checksum(&about, sizeof about);
    const armilla_sht *sht = spoil(t, "sht") ? NULL : s.sht;
    armilla_sht_description *target = spoil(t, "description") ? NULL : &about;
    int nthreads = (int)any_integer(t); /* any number: of threads, or all */
    if (!judge(t, armilla_sht_describe(sht, nthreads, target)))
        assert_unchanged(t, before, &about, sizeof about);
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
    try_often(try_pseudo, 500);
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

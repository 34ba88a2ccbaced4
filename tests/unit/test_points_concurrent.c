/* Checks that every call of points and lensing that runs on a team can be made from many threads
 * at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/lensing.h"
#include "points/plan.h"
#include "unit/test_concurrent.h"
#include "unit/test_lensing_scene.h"
#include "unit/test_points_scene.h"

/* --- Points ----------------------------------------------------------------------------------- */

typedef struct {
    points_scene s;
    double *values;
} known_values;

static armilla_status synthesis(const void *inputs, double *output, int nthreads)
{
    const known_values *k = inputs;
    const armilla_exec exec = exec_with(nthreads, 1);
    return armilla_points_synthesis(k->s.plan, k->s.alm, output, &exec);
}

static armilla_status adjoint(const void *inputs, double *output, int nthreads)
{
    const known_values *k = inputs;
    const armilla_exec exec = exec_with(nthreads, 1);
    return armilla_points_adjoint_synthesis(k->s.plan, k->values, output, &exec);
}

static armilla_status least_squares(const void *inputs, double *output, int nthreads)
{
    const known_values *k = inputs;
    const armilla_exec exec = exec_with(nthreads, 1);
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.max_iterations = 2;
    return armilla_points_pseudo_analysis(k->s.plan, k->values, output, &options, NULL, &exec);
}

/* A plan of its own for each call. */
static armilla_status plan_and_run(const void *inputs, double *output, int nthreads)
{
    const points_scene *s = &((const known_values *)inputs)->s;
    const armilla_exec exec = exec_with(nthreads, 1);
    armilla_points *plan;
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = s->c.spin, options.nthreads = nthreads;
    armilla_status status =
        armilla_points_new(s->c.lmax, s->c.mmax, s->npoints, s->points, &options, &plan);
    if (status) return status;
    status = armilla_points_synthesis(plan, s->alm, output, &exec);
    armilla_points_free(plan);
    return status;
}

static armilla_status evaluate(const void *inputs, double *output, int nthreads)
{
    const points_scene *s = &((const known_values *)inputs)->s;
    const armilla_exec exec = exec_with(nthreads, 1);
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = s->c.spin;
    return armilla_points_evaluate(s->c.lmax, s->c.mmax, s->npoints, s->points, &options, s->alm,
                                   output, &exec);
}

static armilla_status adjoint_evaluate(const void *inputs, double *output, int nthreads)
{
    const known_values *k = inputs;
    const armilla_exec exec = exec_with(nthreads, 1);
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = k->s.c.spin;
    return armilla_points_adjoint_evaluate(k->s.c.lmax, k->s.c.mmax, k->s.npoints, k->s.points,
                                           &options, k->values, output, &exec);
}

/* Few orders, so that many rings cost little: several strips for each member of a team. */
static void check_points(int64_t spin)
{
    const spin_case c = {.lmax = 800, .mmax = 5, .spin = spin};
    known_values k;
    points_scene_open(&k.s, &c, 1e-7, RANDOM, 2000);
    assert_true(k.s.plan->core->nstrips > TEAM);
    const int64_t count = points_values(&k.s);
    k.values = checked_malloc(count, sizeof *k.values);
    random_fill(7, count, k.values);
    const work works[] = {
        {"synthesis", synthesis, &k},         {"adjoint synthesis", adjoint, &k},
        {"least squares", least_squares, &k}, {"a plan", plan_and_run, &k},
        {"evaluate", evaluate, &k},           {"adjoint evaluate", adjoint_evaluate, &k}};
    check_works(works, sizeof works / sizeof *works, count > k.s.size ? count : k.s.size, "points");
    free(k.values);
    points_scene_close(&k.s);
}

static void points_on_many_strips(void **state)
{
    (void)state;
    check_points(0);
    check_points(2);
}

/* --- Lensing ---------------------------------------------------------------------------------- */

static armilla_status lensed_map(const void *inputs, double *output, int nthreads)
{
    const lensing_scene *s = inputs;
    const armilla_exec exec = exec_with(nthreads, 1);
    return armilla_lensing_alm2lenmap(s->lensing, s->alm, output, &exec);
}

/* The plan and what it deflects: directions, and the turns of vectors. */
static armilla_status deflected_directions(const void *inputs, double *output, int nthreads)
{
    const lensing_scene *s = inputs;
    armilla_lensing *lensing;
    armilla_deflection deflection = s->deflection;
    armilla_points_options options = s->options;
    deflection.nthreads = options.nthreads = nthreads;
    armilla_status status =
        armilla_lensing_new(s->grid, &deflection, s->c.lmax, s->c.mmax, &options, &lensing);
    if (status) return status;
    status = armilla_lensing_angles(lensing, output, output + 2 * armilla_grid_npix(s->grid));
    armilla_lensing_free(lensing);
    return status;
}

static armilla_status distortion(const void *inputs, double *output, int nthreads)
{
    const lensing_scene *s = inputs;
    armilla_deflection deflection = s->deflection;
    deflection.nthreads = nthreads;
    return armilla_lensing_distortion(s->grid, &deflection, ARMILLA_DISTORTION_EXACT, output);
}

static void lensed_maps(void **state)
{
    (void)state;
    const spin_case c = {.lmax = 12, .mmax = 10, .spin = 2};
    lensing_scene s;
    lensing_scene_open(&s, HEALPIX_GRID, &c, 1e-7, 0.1);
    const work works[] = {{"lensed map", lensed_map, &s},
                          {"deflected directions", deflected_directions, &s},
                          {"distortion", distortion, &s}};
    check_works(works, 3, 4 * armilla_grid_npix(s.grid), "lensing");
    lensing_scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_on_many_strips),
        cmocka_unit_test(lensed_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

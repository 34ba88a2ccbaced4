/* Checks that every call of plans, stages and rotation that runs on a team can be made from many
 * threads at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_concurrent.h"
#include "unit/test_sht_scene.h"

/* --- Plans ------------------------------------------------------------------------------------ */

enum { NTRANS = 3 };

#define ONE(name, operation)                                                                       \
    static armilla_status name(const void *inputs, double *output, int nthreads)                   \
    {                                                                                              \
        const armilla_exec exec = exec_with(nthreads, 1);                                          \
        return run(operation, inputs, output, &exec);                                              \
    }
ONE(synthesis, 0)
ONE(adjoint_synthesis, 1)
ONE(analysis, 2)
ONE(adjoint_analysis, 3)

static armilla_status pseudo(const scene *s, double *output, int nthreads,
                             armilla_pseudo_method method)
{
    const armilla_exec exec = exec_with(nthreads, 1);
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.method = method, options.max_iterations = 2;
    return armilla_sht_pseudo_analysis(s->sht, s->map, output, &options, NULL, &exec);
}

static armilla_status lsmr(const void *inputs, double *output, int nthreads)
{
    return pseudo(inputs, output, nthreads, ARMILLA_PSEUDO_LSMR);
}

static armilla_status jacobi(const void *inputs, double *output, int nthreads)
{
    return pseudo(inputs, output, nthreads, ARMILLA_PSEUDO_JACOBI);
}

/* Inputs of several transforms: the arrays of the scene, which are long enough. */
static armilla_status synthesis_of_many(const void *inputs, double *output, int nthreads)
{
    const scene *s = inputs;
    const armilla_exec exec = exec_with(nthreads, NTRANS);
    return armilla_sht_synthesis(s->sht, s->alm, output, &exec);
}

static armilla_status analysis_of_many(const void *inputs, double *output, int nthreads)
{
    const scene *s = inputs;
    const armilla_exec exec = exec_with(nthreads, NTRANS);
    return armilla_sht_analysis(s->sht, s->map, output, &exec);
}

/* Any floats will do as input: the first halves of the scene's doubles, made narrow in place. */
typedef struct {
    const scene *s;
    float *alm, *map;
} narrow_scene;

static armilla_status float_synthesis(const void *inputs, double *output, int nthreads)
{
    const narrow_scene *n = inputs;
    const armilla_exec exec = exec_with(nthreads, 1);
    return armilla_sht_synthesis_float(n->s->sht, n->alm, (float *)output, &exec);
}

static armilla_status float_analysis(const void *inputs, double *output, int nthreads)
{
    const narrow_scene *n = inputs;
    const armilla_exec exec = exec_with(nthreads, 1);
    return armilla_sht_analysis_float(n->s->sht, n->map, (float *)output, &exec);
}

/* A scene whose arrays hold NTRANS transforms. */
static void open_long_scene(scene *s, armilla_grid *grid, const spin_case *c)
{
    scene_open_spin(s, grid, c);
    free(s->alm);
    free(s->map);
    s->alm = checked_malloc(NTRANS * s->size, sizeof(double));
    s->map = checked_malloc(NTRANS * s->npix, sizeof(double));
    for (int t = 0; t < NTRANS; t++) spin_random_alm(31 + (uint64_t)t, c, 0, s->alm + t * s->size);
    random_fill(41, NTRANS * s->npix, s->map);
}

static void check_plan(armilla_grid *grid, const spin_case *c, const char *label)
{
    scene s;
    open_long_scene(&s, grid, c);
    narrow_scene narrow = {&s, checked_malloc(s.size, 4), checked_malloc(s.npix, 4)};
    to_float(s.size, s.alm, narrow.alm);
    to_float(s.npix, s.map, narrow.map);
    const work works[] = {{"synthesis", synthesis, &s},
                          {"adjoint_synthesis", adjoint_synthesis, &s},
                          {"analysis", analysis, &s},
                          {"adjoint_analysis", adjoint_analysis, &s},
                          {"synthesis of several", synthesis_of_many, &s},
                          {"analysis of several", analysis_of_many, &s},
                          {"LSMR", lsmr, &s},
                          {"synthesis, float", float_synthesis, &narrow},
                          {"analysis, float", float_analysis, &narrow},
                          {"Jacobi", jacobi, &s}}; /* but with DERIVATIVES, where it diverges */
    const size_t count = sizeof works / sizeof *works - (c->mode == ARMILLA_SHT_DERIVATIVES);
    check_works(works, count, NTRANS * (s.size > s.npix ? s.size : s.npix), label);
    free(narrow.map);
    free(narrow.alm);
    scene_close(&s);
}

/* 40 orders and at least 20 pairs of rings: several tasks for every member of a team. */
static void weights_by_ring(void **state)
{
    (void)state;
    const spin_case scalar = {.lmax = 41, .mmax = 40},
                    derivatives = {
                        .lmax = 41, .mmax = 40, .spin = 1, .mode = ARMILLA_SHT_DERIVATIVES};
    check_plan(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 41, 40, 1, 0), &scalar, "Gauss-Legendre");
    check_plan(exact_grid(ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE, 41, 40, 0, 0), &derivatives,
               "reduced, derivatives");
}

static void weights_across_rings(void **state)
{
    (void)state;
    const spin_case scalar = {.lmax = 41, .mmax = 40}, spin = {.lmax = 41, .mmax = 40, .spin = 2};
    check_plan(exact_grid(ARMILLA_GRID_MW, 41, 40, 0, 0), &scalar, "MW");
    check_plan(exact_grid(ARMILLA_GRID_CC, 41, 40, 1, 0), &spin, "CC, spin 2");
}

static void every_ring_itself(void **state)
{
    (void)state;
    const spin_case scalar = {.lmax = 41, .mmax = 40, .rings = ARMILLA_SHT_DIRECT},
                    spin = {.lmax = 41, .mmax = 40, .spin = 2, .rings = ARMILLA_SHT_DIRECT},
                    recurrence = {.lmax = 41,
                                  .mmax = 40,
                                  .spin = 3,
                                  .method = ARMILLA_SPIN_RECURRENCE,
                                  .rings = ARMILLA_SHT_DIRECT};
    check_plan(healpix_grid(16), &scalar, "HEALPix, direct");
    check_plan(healpix_grid(15), &spin, "HEALPix, direct, spin 2");
    check_plan(healpix_grid(16), &recurrence, "HEALPix, direct, spin 3 by recurrence");
}

static void fewer_rings_resampled(void **state)
{
    (void)state;
    const spin_case scalar = {.lmax = 41, .mmax = 40, .rings = ARMILLA_SHT_RESAMPLE},
                    spin = {.lmax = 41, .mmax = 40, .spin = 2, .rings = ARMILLA_SHT_RESAMPLE};
    check_plan(healpix_grid(24), &scalar, "HEALPix, resampled");
    check_plan(healpix_grid(24), &spin, "HEALPix, resampled, spin 2");
}

/* Vectors of LSMR in several blocks: 26732 doubles, 16384 to a block. */
static void long_vectors(void **state)
{
    (void)state;
    const spin_case scalar = {.lmax = 162, .mmax = 162};
    scene s;
    scene_open_spin(&s, healpix_grid(64), &scalar);
    const work works[] = {{"LSMR", lsmr, &s}};
    check_works(works, 1, s.size, "HEALPix, long vectors");
    scene_close(&s);
}

/* --- Stages, rotation ------------------------------------------------------------------------- */

typedef struct {
    armilla_leg_problem problem;
    armilla_leg_rings rings;
    double *alm, *leg, *map;
} stages;

/* One call of a stage, with its own copy of what says how many threads it may use. */
#define STAGE(name, type, member, call, input)                                                     \
    static armilla_status name(const void *inputs, double *output, int nthreads)                   \
    {                                                                                              \
        const stages *s = inputs;                                                                  \
        type how = s->member;                                                                      \
        how.nthreads = nthreads;                                                                   \
        return call(&how, s->input, output);                                                       \
    }
STAGE(from_alm, armilla_leg_problem, problem, armilla_leg_from_alm, alm)
STAGE(to_alm, armilla_leg_problem, problem, armilla_leg_to_alm, leg)
STAGE(to_map, armilla_leg_rings, rings, armilla_leg_to_map, leg)
STAGE(from_map, armilla_leg_rings, rings, armilla_leg_from_map, map)

static void check_stages(int64_t spin)
{
    enum { DEGREE = 41 };
    const int64_t ncomp = spin ? 2 : 1;
    armilla_grid *grid = healpix_grid(16);
    const int64_t nrings = armilla_grid_nrings(grid), npix = ncomp * armilla_grid_npix(grid);
    const int64_t alm_size = ncomp * 2 * armilla_alm_size(DEGREE, DEGREE);
    const int64_t leg_size = ncomp * 2 * nrings * (DEGREE + 1);
    armilla_ring *rings = grid_rings(grid);
    double *theta = checked_malloc(nrings, sizeof *theta);
    for (int64_t i = 0; i < nrings; i++) theta[i] = rings[i].theta;
    stages s = {.alm = checked_malloc(alm_size, 8),
                .leg = checked_malloc(leg_size, 8),
                .map = checked_malloc(npix, 8)};
    random_fill(51, alm_size, s.alm);
    random_fill(52, leg_size, s.leg);
    random_fill(53, npix, s.map);
    armilla_leg_problem_init(&s.problem);
    s.problem.lmax = DEGREE, s.problem.norders = DEGREE + 1, s.problem.spin = spin;
    s.problem.nrings = nrings, s.problem.theta = theta;
    armilla_leg_rings_init(&s.rings);
    s.rings.ncomp = ncomp, s.rings.mmax = DEGREE;
    s.rings.nrings = nrings, s.rings.rings = rings;
    const work works[] = {{"leg_from_alm", from_alm, &s},
                          {"leg_to_alm", to_alm, &s},
                          {"leg_to_map", to_map, &s},
                          {"leg_from_map", from_map, &s}};
    check_works(works, 4, leg_size > npix ? leg_size : npix, "stages");
    free(s.map);
    free(s.leg);
    free(s.alm);
    free(theta);
    free(rings);
    armilla_grid_free(grid);
}

static void stages_on_their_own(void **state)
{
    (void)state;
    check_stages(0);
    check_stages(2);
}

enum { TURNED_LMAX = 60, TURNED_FIELDS = 3 };

static armilla_status rotate(const void *inputs, double *output, int nthreads)
{
    const armilla_exec exec = exec_with(nthreads, TURNED_FIELDS);
    armilla_rotation rotation;
    armilla_status status = armilla_rotation_from_euler(0.4, 1.1, -2.2, &rotation);
    if (status) return status;
    return armilla_alm_rotate(&rotation, TURNED_LMAX, TURNED_LMAX, inputs, TURNED_LMAX, output,
                              &exec);
}

static void rotations(void **state)
{
    (void)state;
    const int64_t length = 2 * TURNED_FIELDS * armilla_alm_size(TURNED_LMAX, TURNED_LMAX);
    double *alm = checked_malloc(length, sizeof *alm);
    random_fill(61, length, alm);
    const work works[] = {{"rotation", rotate, alm}};
    check_works(works, 1, length, "rotation");
    free(alm);
}

/* --- Making plans ----------------------------------------------------------------------------- */

/* A plan of its own for each call, of a length that others plan meanwhile. */
static armilla_status plan_and_run(const void *inputs, double *output, int nthreads)
{
    const int64_t *lmax = inputs;
    const armilla_exec exec = exec_with(nthreads, 1);
    double alm[2] = {1, 0};
    armilla_grid *grid;
    armilla_sht *sht;
    armilla_status status =
        armilla_grid_new_equidistant(ARMILLA_GRID_MW, *lmax + 1, 2 * *lmax + 1, &grid);
    if (status) return status;
    status = armilla_sht_new(grid, 0, 0, NULL, &sht);
    armilla_grid_free(grid);
    if (status) return status;
    status = armilla_sht_synthesis(sht, alm, output, &exec);
    armilla_sht_free(sht);
    return status;
}

static void plans_made_by_many_threads(void **state)
{
    (void)state;
    enum { SIZES = 12 };
    int64_t lmaxs[SIZES];
    work works[SIZES];
    for (int i = 0; i < SIZES; i++) {
        lmaxs[i] = 10 + i / 2;
        works[i] = (work){"a plan", plan_and_run, &lmaxs[i]};
    }
    check_works(works, SIZES, (lmaxs[SIZES - 1] + 1) * (2 * lmaxs[SIZES - 1] + 1), "plans");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_by_ring),   cmocka_unit_test(weights_across_rings),
        cmocka_unit_test(every_ring_itself), cmocka_unit_test(fewer_rings_resampled),
        cmocka_unit_test(long_vectors),      cmocka_unit_test(stages_on_their_own),
        cmocka_unit_test(rotations),         cmocka_unit_test(plans_made_by_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

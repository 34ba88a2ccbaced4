/* Several skies in a call, calls of floats, and beams that change from sample to sample: those of a
 * call are what single ones give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "unit/test_beams_scene.h"

enum { LMAX = 20, MMAX = 17, KMAX = 3, COMPONENTS = 3, COUNT = 500, MANY = 3 };

static const beams_case CASE = {LMAX, MMAX, KMAX, COMPONENTS, COUNT, 1e-9};

static double *random_doubles(uint64_t seed, int64_t count)
{
    double *made = checked_malloc(count, sizeof *made);
    for (int64_t i = 0; i < count; i++) made[i] = random_next(&seed);
    return made;
}

static float *floats_of(const double *from, int64_t count)
{
    float *made = checked_malloc(count, sizeof *made);
    to_float(count, from, made);
    return made;
}

/* --- Several transforms ----------------------------------------------------------------------- */

/* Skies whose components are apart, beams and samples of MANY transforms. */
typedef struct {
    int64_t distance, nsky, nbeam, nsamples; /* doubles of one transform, gaps included */
    double *sky, *beam, *samples;
    armilla_exec exec;
} many_arrays;

static many_arrays make_many(const beams_scene *s, uint64_t seed)
{
    many_arrays a = {
        .distance = armilla_alm_size(LMAX, MMAX) + 5, .nbeam = s->nbeam, .nsamples = COUNT + 3};
    a.nsky = 2 * COMPONENTS * a.distance;
    a.sky = random_doubles(seed, MANY * a.nsky), a.beam = random_doubles(seed + 1, MANY * a.nbeam);
    a.samples = random_doubles(seed + 2, MANY * a.nsamples);
    armilla_exec_init(&a.exec);
    a.exec.alm_distance = a.distance, a.exec.map_distance = a.nsamples;
    a.exec.ntrans = MANY;
    return a;
}

static void free_many(many_arrays *a)
{
    free(a->sky), free(a->beam), free(a->samples);
}

static void run(const armilla_beams *plan, int op, const many_arrays *a, int64_t t)
{
    double *sky = a->sky + t * a->nsky, *beam = a->beam + t * a->nbeam;
    double *samples = a->samples + t * a->nsamples;
    if (op == 0) check_ok(armilla_beams_convolve(plan, sky, beam, samples, &a->exec));
    if (op == 1) check_ok(armilla_beams_adjoint(plan, samples, beam, sky, &a->exec));
    if (op == 2) check_ok(armilla_beams_beam_adjoint(plan, samples, sky, beam, &a->exec));
}

static void several_transforms_are_those_one_by_one(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &CASE);
    for (int op = 0; op < 3; op++) {
        many_arrays together = make_many(&s, 7), single = make_many(&s, 7);
        single.exec.ntrans = 1;
        run(s.plan, op, &together, 0);
        for (int64_t t = 0; t < MANY; t++) run(s.plan, op, &single, t);
        assert_memory_equal(together.sky, single.sky, (size_t)(MANY * together.nsky) * 8);
        assert_memory_equal(together.beam, single.beam, (size_t)(MANY * together.nbeam) * 8);
        assert_memory_equal(together.samples, single.samples,
                            (size_t)(MANY * together.nsamples) * 8);
        free_many(&together), free_many(&single);
    }
    beams_close(&s);
}

/* --- Floats ----------------------------------------------------------------------------------- */

static void check_rounded(const float *found, const double *expected, int64_t count)
{
    float *rounded = floats_of(expected, count);
    assert_memory_equal(found, rounded, (size_t)count * sizeof *found);
    free(rounded);
}

static void floats_are_rounded_doubles(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &CASE);
    float *sky = floats_of(s.sky, s.nsky), *beam = floats_of(s.beam, s.nbeam);
    float *samples = checked_malloc(COUNT, sizeof *samples);
    to_double(s.nsky, sky, s.sky), to_double(s.nbeam, beam, s.beam);
    check_ok(armilla_beams_convolve(s.plan, s.sky, s.beam, s.samples, NULL));
    check_ok(armilla_beams_convolve_float(s.plan, sky, beam, samples, NULL));
    check_rounded(samples, s.samples, COUNT);
    to_double(COUNT, samples, s.samples);
    double *back = checked_malloc(s.nsky + s.nbeam, 8);
    check_ok(armilla_beams_adjoint(s.plan, s.samples, s.beam, back, NULL));
    check_ok(armilla_beams_beam_adjoint(s.plan, s.samples, s.sky, back + s.nsky, NULL));
    float *back_sky = checked_malloc(s.nsky, 4), *back_beam = checked_malloc(s.nbeam, 4);
    check_ok(armilla_beams_adjoint_float(s.plan, samples, beam, back_sky, NULL));
    check_ok(armilla_beams_beam_adjoint_float(s.plan, samples, sky, back_beam, NULL));
    check_rounded(back_sky, back, s.nsky);
    check_rounded(back_beam, back + s.nsky, s.nbeam);
    free(sky), free(beam), free(samples), free(back), free(back_sky), free(back_beam);
    beams_close(&s);
}

/* --- Modulated beams -------------------------------------------------------------------------- */

static armilla_beams *modulated_plan(const beams_scene *s, const double *modulation)
{
    armilla_beams_options options = beams_options(&s->c);
    armilla_beams *plan;
    options.nbeams = MANY, options.modulation = modulation;
    check_ok(armilla_beams_new(LMAX, MMAX, KMAX, COUNT, s->pointings, &options, &plan));
    return plan;
}

/* Arrays of a scene with MANY beams: what its plan makes, and what single beams add up to. */
typedef struct {
    double *modulation, *beams, *sky, *beams_back, *one, *sum, *sky_one, *sky_sum;
} sums;

static sums make_sums(const beams_scene *s)
{
    return (sums){.modulation = random_doubles(3, MANY * COUNT),
                  .beams = random_doubles(4, MANY * s->nbeam),
                  .sky = checked_malloc(s->nsky, 8),
                  .beams_back = checked_malloc(MANY * s->nbeam, 8),
                  .one = checked_malloc(COUNT + s->nbeam, 8),
                  .sum = checked_calloc(COUNT, 8),
                  .sky_one = checked_malloc(s->nsky, 8),
                  .sky_sum = checked_calloc(s->nsky, 8)};
}

static void free_sums(sums *a)
{
    free(a->modulation), free(a->beams), free(a->sky), free(a->beams_back);
    free(a->one), free(a->sum), free(a->sky_one), free(a->sky_sum);
}

static void add_to(int64_t count, const double *factor, const double *values, double *sum)
{
    for (int64_t i = 0; i < count; i++) sum[i] += (factor ? factor[i] : 1) * values[i];
}

/* What beam number j adds to samples and sky, and its own adjoint. */
static void add_beam(const beams_scene *s, sums *a, int64_t j)
{
    const double *beam = a->beams + j * s->nbeam, *factor = a->modulation + j * COUNT;
    double *back = a->one + COUNT;
    check_ok(armilla_beams_convolve(s->plan, s->sky, beam, a->one, NULL));
    add_to(COUNT, factor, a->one, a->sum);
    memset(a->one, 0, COUNT * 8);
    add_to(COUNT, factor, s->samples, a->one);
    check_ok(armilla_beams_adjoint(s->plan, a->one, beam, a->sky_one, NULL));
    add_to(s->nsky, NULL, a->sky_one, a->sky_sum);
    check_ok(armilla_beams_beam_adjoint(s->plan, a->one, s->sky, back, NULL));
    check_at_most(rms_error(s->nbeam, back, a->beams_back + j * s->nbeam), 1e-13, "beam");
}

static void modulated_beams_are_sums(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &CASE);
    sums a = make_sums(&s);
    armilla_beams *plan = modulated_plan(&s, a.modulation);
    check_ok(armilla_beams_convolve(plan, s.sky, a.beams, s.samples, NULL));
    check_ok(armilla_beams_adjoint(plan, s.samples, a.beams, a.sky, NULL));
    check_ok(armilla_beams_beam_adjoint(plan, s.samples, s.sky, a.beams_back, NULL));
    for (int64_t j = 0; j < MANY; j++) add_beam(&s, &a, j);
    check_at_most(rms_error(COUNT, a.sum, s.samples), 1e-13, "samples");
    check_at_most(rms_error(s.nsky, a.sky_sum, a.sky), 1e-13, "sky");
    armilla_beams_free(plan);
    free_sums(&a);
    beams_close(&s);
}

static void modulations_that_cannot_be(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &CASE);
    double *modulation = random_doubles(3, MANY * COUNT);
    armilla_beams_options options = beams_options(&CASE);
    armilla_beams *plan = NULL;
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    options.nbeams = 0;
    check_error(armilla_beams_new(LMAX, MMAX, KMAX, COUNT, s.pointings, &options, &plan), wrong,
                "options->nbeams = 0");
    options.nbeams = MANY;
    check_error(armilla_beams_new(LMAX, MMAX, KMAX, COUNT, s.pointings, &options, &plan), wrong,
                "options->modulation = NULL");
    options.modulation = modulation, modulation[COUNT + 9] = NAN;
    check_error(armilla_beams_new(LMAX, MMAX, KMAX, COUNT, s.pointings, &options, &plan), wrong,
                "options->modulation: that of beam 1 at pointing 9 = nan");
    assert_null(plan);
    free(modulation);
    beams_close(&s);
}

/* --- Plans beside others -----------------------------------------------------------------------
 */

/* What a plan makes of the scene's sky, beam, or samples. */
static double *results_of(const beams_scene *s, const armilla_beams *plan)
{
    double *all = checked_malloc(COUNT + s->nsky + s->nbeam, 8), *sky = all + COUNT;
    check_ok(armilla_beams_convolve(plan, s->sky, s->beam, all, NULL));
    check_ok(armilla_beams_adjoint(plan, all, s->beam, sky, NULL));
    check_ok(armilla_beams_beam_adjoint(plan, all, s->sky, sky + s->nsky, NULL));
    return all;
}

static int64_t bytes_of(const armilla_beams *plan)
{
    armilla_beams_description d = {.size = sizeof d};
    check_ok(armilla_beams_describe(plan, 1, &d));
    return d.plan_bytes;
}

/* The first plan is freed before the second is used; pointings in a cap may have tables of their
 * own. */
static void plans_beside_others_are_plans(void **state)
{
    (void)state;
    for (int in_a_cap = 0; in_a_cap < 2; in_a_cap++) {
        beams_scene s;
        beams_open(&s, &CASE);
        double *pointings = checked_malloc(3 * COUNT, 8);
        armilla_beams_options options = beams_options(&CASE);
        armilla_beams *alone, *beside;
        for (int64_t i = 0; i < 3 * COUNT; i++)
            pointings[i] = s.pointings[3 * COUNT - 3 * (i / 3 + 1) + i % 3] *
                           (in_a_cap && i % 3 == 0 ? 0.1 : 1);
        check_ok(armilla_beams_new(LMAX, MMAX, KMAX, COUNT, pointings, &options, &alone));
        check_ok(armilla_beams_new_beside(s.plan, COUNT, pointings, NULL, &beside));
        if (!in_a_cap) assert_int_equal(bytes_of(beside), bytes_of(alone));
        armilla_beams_free(s.plan), s.plan = NULL;
        double *found = results_of(&s, beside), *expected = results_of(&s, alone);
        check_at_most(rms_error(COUNT + s.nsky + s.nbeam, expected, found), in_a_cap ? 1e-8 : 1e-14,
                      "beside");
        free(found), free(expected), free(pointings);
        armilla_beams_free(alone), armilla_beams_free(beside);
        beams_close(&s);
    }
}

static void plans_beside_that_cannot_be(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &CASE);
    double *modulation = random_doubles(3, MANY * COUNT);
    armilla_beams *plan = modulated_plan(&s, modulation), *result = NULL;
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    check_error(armilla_beams_new_beside(NULL, COUNT, s.pointings, NULL, &result), wrong, "plan");
    check_error(armilla_beams_new_beside(plan, 0, s.pointings, NULL, &result), wrong, "npointings");
    check_error(armilla_beams_new_beside(plan, COUNT, NULL, NULL, &result), wrong, "pointings");
    check_error(armilla_beams_new_beside(plan, COUNT, s.pointings, NULL, &result), wrong,
                "modulation = NULL");
    check_error(armilla_beams_new_beside(plan, COUNT, s.pointings, modulation, NULL), wrong,
                "result");
    assert_null(result);
    check_ok(armilla_beams_new_beside(plan, 2, s.pointings, modulation, &result));
    armilla_beams_free(result), armilla_beams_free(plan);
    free(modulation);
    beams_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_transforms_are_those_one_by_one),
        cmocka_unit_test(floats_are_rounded_doubles),
        cmocka_unit_test(modulated_beams_are_sums),
        cmocka_unit_test(modulations_that_cannot_be),
        cmocka_unit_test(plans_beside_others_are_plans),
        cmocka_unit_test(plans_beside_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

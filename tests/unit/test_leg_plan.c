/* Checks that armilla_leg_plan gives the bits of the functions that plan for one call, and that
 * problems of several passes give those of small ones that take one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/memory.h"
#include "base/team.h"
#include "oracle/checks.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LMAX = 12, NORDERS = 5, NRINGS = 7, NPHI = 10, MMAX = 6 };

/* What a small problem of two components needs; the arrays that a plan must copy are its own. */
typedef struct {
    armilla_leg_problem problem;
    armilla_leg_rings places;
    double theta[NRINGS];
    int64_t orders[NORDERS], mstart[NORDERS];
    armilla_ring rings[NRINGS];
    int64_t nalm, nleg, nmap, nspectrum; /* doubles; spectrum: the leg of `places` */
    double *alm, *leg, *map, *spectrum;
} scene;

static void scene_open(scene *s)
{
    static const int64_t orders[NORDERS] = {9, 2, 0, 12, 7};
    armilla_leg_problem_init(&s->problem);
    armilla_leg_rings_init(&s->places);
    for (int64_t r = 0; r < NRINGS; r++) {
        s->theta[r] = 0.1 + 0.4 * (double)(r * 3 % NRINGS);
        s->rings[r] = (armilla_ring){.theta = s->theta[r],
                                     .phi0 = 0.1 * (double)r,
                                     .nphi = NPHI - r % 3,
                                     .offset = NPHI * r,
                                     .stride = 1,
                                     .weight = 0.5 + (double)r};
    }
    for (int64_t i = 0; i < NORDERS; i++) s->orders[i] = orders[i], s->mstart[i] = i * (LMAX + 1);
    s->problem.lmax = LMAX, s->problem.spin = 2, s->problem.nthreads = 2;
    s->problem.nrings = NRINGS, s->problem.theta = s->theta;
    s->problem.norders = NORDERS, s->problem.orders = s->orders, s->problem.mstart = s->mstart;
    s->places.ncomp = 2, s->places.nrings = NRINGS, s->places.rings = s->rings;
    s->places.mmax = MMAX, s->places.nthreads = 2;
    s->nalm = 4 * armilla_leg_alm_size(&s->problem), s->nleg = 4 * NRINGS * NORDERS;
    s->nmap = 2 * NRINGS * NPHI, s->nspectrum = 4 * NRINGS * (MMAX + 1);
    s->places.map_distance = NRINGS * NPHI;
    double **arrays[] = {&s->alm, &s->leg, &s->map, &s->spectrum};
    const int64_t counts[] = {s->nalm, s->nleg, s->nmap, s->nspectrum};
    for (int i = 0; i < 4; i++) {
        *arrays[i] = checked_malloc(counts[i], sizeof(double));
        random_fill(20 + (uint64_t)i, counts[i], *arrays[i]);
    }
}

static void scene_close(scene *s)
{
    free(s->alm), free(s->leg), free(s->map), free(s->spectrum);
}

/* --- The same bits ---------------------------------------------------------------------------- */

enum { FROM_ALM, TO_ALM, TO_MAP, FROM_MAP, WAYS };

static armilla_status run_once(const scene *s, int way, const double *in, double *out)
{
    return way == FROM_ALM ? armilla_leg_from_alm(&s->problem, in, out)
           : way == TO_ALM ? armilla_leg_to_alm(&s->problem, in, out)
           : way == TO_MAP ? armilla_leg_to_map(&s->places, in, out)
                           : armilla_leg_from_map(&s->places, in, out);
}

static armilla_status run_once_float(const scene *s, int way, const float *in, float *out)
{
    return way == FROM_ALM ? armilla_leg_from_alm_float(&s->problem, in, out)
           : way == TO_ALM ? armilla_leg_to_alm_float(&s->problem, in, out)
           : way == TO_MAP ? armilla_leg_to_map_float(&s->places, in, out)
                           : armilla_leg_from_map_float(&s->places, in, out);
}

static armilla_status run_planned(const armilla_leg_plan *plan, int64_t ntrans, int way,
                                  const double *in, double *out)
{
    return way == FROM_ALM ? armilla_leg_plan_from_alm(plan, ntrans, in, out)
           : way == TO_ALM ? armilla_leg_plan_to_alm(plan, ntrans, in, out)
           : way == TO_MAP ? armilla_leg_plan_to_map(plan, ntrans, in, out)
                           : armilla_leg_plan_from_map(plan, ntrans, in, out);
}

static armilla_status run_planned_float(const armilla_leg_plan *plan, int64_t ntrans, int way,
                                        const float *in, float *out)
{
    return way == FROM_ALM ? armilla_leg_plan_from_alm_float(plan, ntrans, in, out)
           : way == TO_ALM ? armilla_leg_plan_to_alm_float(plan, ntrans, in, out)
           : way == TO_MAP ? armilla_leg_plan_to_map_float(plan, ntrans, in, out)
                           : armilla_leg_plan_from_map_float(plan, ntrans, in, out);
}

static const double *input_of(const scene *s, int way, int64_t *count)
{
    *count = way == FROM_ALM ? s->nalm
             : way == TO_ALM ? s->nleg
             : way == TO_MAP ? s->nspectrum
                             : s->nmap;
    return way == FROM_ALM ? s->alm : way == TO_ALM ? s->leg : way == TO_MAP ? s->spectrum : s->map;
}

static int64_t output_count(const scene *s, int way)
{
    return way == FROM_ALM ? s->nleg
           : way == TO_ALM ? s->nalm
           : way == TO_MAP ? s->nmap
                           : s->nspectrum;
}

/* What a function does not write stays 7 on both sides. */
static void check_way(const scene *s, const armilla_leg_plan *plan, int way)
{
    int64_t nin;
    const int64_t nout = output_count(s, way);
    const double *in = input_of(s, way, &nin);
    double *judge = checked_malloc(nout, sizeof *judge), *made = checked_malloc(nout, sizeof *made);
    float *small = checked_malloc(nin, sizeof *small);
    float *judge_small = (float *)judge, *made_small = (float *)made;
    for (int64_t i = 0; i < nout; i++) judge[i] = made[i] = 7;
    check_ok(run_once(s, way, in, judge));
    for (int again = 0; again < 2; again++) {
        check_ok(run_planned(plan, 1, way, in, made));
        assert_memory_equal(made, judge, (size_t)nout * sizeof *made);
    }
    to_float(nin, in, small);
    for (int64_t i = 0; i < nout; i++) judge_small[i] = made_small[i] = 7;
    check_ok(run_once_float(s, way, small, judge_small));
    check_ok(run_planned_float(plan, 1, way, small, made_small));
    assert_memory_equal(made_small, judge_small, (size_t)nout * sizeof *made_small);
    free(judge);
    free(made);
    free(small);
}

static void plans_have_the_bits_of_single_calls(void **state)
{
    (void)state;
    scene s;
    scene_open(&s);
    for (int stages = 1; stages < 4; stages++) {
        armilla_leg_plan *plan;
        check_ok(armilla_leg_plan_new(stages & 1 ? &s.problem : NULL, stages & 2 ? &s.places : NULL,
                                      &plan));
        for (int way = 0; way < WAYS; way++)
            if (stages & (way < TO_MAP ? 1 : 2)) check_way(&s, plan, way);
        armilla_leg_plan_free(plan);
    }
    scene_close(&s);
}

/* The caller's arrays are gone when the plan runs. */
static void plans_copy_what_they_are_given(void **state)
{
    (void)state;
    scene s, other;
    armilla_leg_plan *plan;
    scene_open(&s);
    scene_open(&other);
    check_ok(armilla_leg_plan_new(&other.problem, &other.places, &plan));
    const int64_t nalm = other.nalm;
    scene_close(&other);
    memset(&other, 0xff, sizeof other);
    assert_int_equal(nalm, s.nalm);
    for (int way = 0; way < WAYS; way++) check_way(&s, plan, way);
    armilla_leg_plan_free(plan);
    scene_close(&s);
}

typedef struct {
    const armilla_leg_plan *plan;
    const scene *s;
    double *out[8];
} crowd;

static void run_one_of_many(void *context, int64_t index, int thread)
{
    const crowd *c = context;
    (void)thread;
    check_ok(index % 2 ? armilla_leg_plan_to_map(c->plan, 1, c->s->spectrum, c->out[index])
                       : armilla_leg_plan_from_alm(c->plan, 1, c->s->alm, c->out[index]));
}

static void many_threads_share_a_plan(void **state)
{
    (void)state;
    scene s;
    armilla_leg_plan *plan;
    scene_open(&s);
    s.problem.nthreads = s.places.nthreads = 1;
    check_ok(armilla_leg_plan_new(&s.problem, &s.places, &plan));
    crowd c = {.plan = plan, .s = &s};
    for (int i = 0; i < 8; i++) c.out[i] = checked_calloc(i % 2 ? s.nmap : s.nleg, sizeof(double));
    armilla_team_run(4, 8, run_one_of_many, &c);
    for (int i = 2; i < 8; i++)
        assert_memory_equal(c.out[i], c.out[i % 2],
                            (size_t)(i % 2 ? s.nmap : s.nleg) * sizeof(double));
    for (int i = 0; i < 8; i++) free(c.out[i]);
    armilla_leg_plan_free(plan);
    scene_close(&s);
}

/* --- Several fields --------------------------------------------------------------------------- */

enum { FIELDS = 13, DEEP_LMAX = 150, DEEP_RINGS = 9 }; /* more fields than share a recurrence */

/* nin, nout: numbers of one field. */
static void check_fields(const armilla_leg_plan *plan, int way, int64_t nin, int64_t nout)
{
    double *in = checked_malloc(FIELDS * nin, sizeof *in);
    float *small = checked_malloc(FIELDS * nin, sizeof *small);
    double *out = checked_calloc(FIELDS * nout, sizeof *out);
    double *judge = checked_calloc(FIELDS * nout, sizeof *judge);
    float *small_out = (float *)out, *small_judge = (float *)judge;
    random_fill(31, FIELDS * nin, in);
    to_float(FIELDS * nin, in, small);
    for (int64_t i = 0; i < FIELDS; i++)
        check_ok(run_planned(plan, 1, way, in + i * nin, judge + i * nout));
    check_ok(run_planned(plan, FIELDS, way, in, out));
    assert_memory_equal(out, judge, (size_t)(FIELDS * nout) * sizeof *out);
    for (int64_t i = 0; i < FIELDS; i++)
        check_ok(run_planned_float(plan, 1, way, small + i * nin, small_judge + i * nout));
    check_ok(run_planned_float(plan, FIELDS, way, small, small_out));
    assert_memory_equal(out, judge, (size_t)(FIELDS * nout) * sizeof *out);
    check_ok(run_planned(plan, 0, way, NULL, NULL));
    check_error(run_planned(plan, -1, way, in, out), ARMILLA_ERROR_ARGUMENT, "ntrans = -1: must");
    free(in), free(small), free(out), free(judge);
}

/* Stages with all orders, on rings in pairs, one alone and one at a pole. The distance between
 * components of alm is larger than needed. */
static void check_fields_of(int64_t spin, armilla_sht_mode mode, int nthreads)
{
    double theta[DEEP_RINGS];
    armilla_ring rings[DEEP_RINGS];
    armilla_leg_problem problem;
    armilla_leg_rings places;
    armilla_leg_plan *plan;
    armilla_leg_problem_init(&problem);
    armilla_leg_rings_init(&places);
    for (int64_t r = 0; r < DEEP_RINGS; r++) {
        theta[r] = r == 0 ? 0 : r < 5 ? 0.3 * (double)r : acos(-1.0) - 0.3 * (double)(r - 4);
        rings[r] = (armilla_ring){theta[r], NPHI + r, 0.1, 20 * r, 1, 0.5 + (double)r};
    }
    problem.lmax = DEEP_LMAX, problem.norders = DEEP_LMAX + 1, problem.spin = spin;
    problem.mode = mode, problem.nrings = DEEP_RINGS, problem.theta = theta;
    problem.alm_distance = armilla_leg_alm_size(&problem) + 3;
    places.ncomp = spin ? 2 : 1, places.nrings = DEEP_RINGS, places.rings = rings;
    places.mmax = DEEP_LMAX, places.map_distance = 20 * DEEP_RINGS;
    problem.nthreads = places.nthreads = nthreads;
    check_ok(armilla_leg_plan_new(&problem, &places, &plan));
    const int64_t nalm = 2 * problem.alm_distance * (spin && mode == ARMILLA_SHT_STANDARD ? 2 : 1);
    const int64_t nleg = 2 * places.ncomp * DEEP_RINGS * (DEEP_LMAX + 1);
    const int64_t nmap = places.ncomp * places.map_distance;
    check_fields(plan, FROM_ALM, nalm, nleg);
    check_fields(plan, TO_ALM, nleg, nalm);
    check_fields(plan, TO_MAP, nleg, nmap);
    check_fields(plan, FROM_MAP, nmap, nleg);
    armilla_leg_plan_free(plan);
}

static void many_fields_have_the_bits_of_one_by_one(void **state)
{
    (void)state;
    check_fields_of(0, ARMILLA_SHT_STANDARD, 1);
    check_fields_of(0, ARMILLA_SHT_STANDARD, 3);
    check_fields_of(2, ARMILLA_SHT_STANDARD, 2);
    check_fields_of(1, ARMILLA_SHT_GRADIENT_ONLY, 1);
}

/* --- Several passes --------------------------------------------------------------------------- */

enum { FEW = 40 }; /* orders that go in one pass */

/* The problem of the orders from number `first` on, a few of them. */
static armilla_leg_problem some_orders(const armilla_leg_problem *problem, int64_t first)
{
    armilla_leg_problem some = *problem;
    some.norders = problem->norders - first < FEW ? problem->norders - first : FEW;
    some.orders = problem->orders + first;
    return some;
}

/* Some orders of all rings, out of a leg or into it. */
static void copy_orders(const armilla_leg_problem *some, int64_t first, int64_t norders,
                        double *leg, double *columns, int to_leg)
{
    for (int64_t r = 0; r < some->nrings; r++) {
        double *in_leg = leg + 2 * (r * norders + first), *own = columns + 2 * r * some->norders;
        memcpy(to_leg ? in_leg : own, to_leg ? own : in_leg,
               (size_t)(2 * some->norders) * sizeof *leg);
    }
}

/* Either way by a few orders at a time. */
static void run_few_orders(const armilla_leg_problem *problem, int to_leg, double *alm, double *leg)
{
    double *columns = checked_malloc(2 * problem->nrings * FEW, sizeof *columns);
    for (int64_t first = 0; first < problem->norders; first += FEW) {
        const armilla_leg_problem some = some_orders(problem, first);
        if (!to_leg) copy_orders(&some, first, problem->norders, leg, columns, 0);
        check_ok(to_leg ? armilla_leg_from_alm(&some, alm, columns)
                        : armilla_leg_to_alm(&some, columns, alm));
        if (to_leg) copy_orders(&some, first, problem->norders, leg, columns, 1);
    }
    free(columns);
}

enum { MANY_RINGS = 1500, MANY_LMAX = 120 }; /* 87 orders a pass */

/* Both ways, bit by bit. Rings up to `theta` from the pole, none with a mirror image. */
static void check_order_passes(int falling, double theta)
{
    const int64_t nalm = 2 * armilla_alm_size(MANY_LMAX, MANY_LMAX);
    const int64_t nleg = 2 * MANY_RINGS * (MANY_LMAX + 1);
    int64_t orders[MANY_LMAX + 1];
    double *colatitudes = checked_malloc(MANY_RINGS, sizeof *colatitudes);
    for (int64_t m = 0; m <= MANY_LMAX; m++) orders[m] = falling ? MANY_LMAX - m : m;
    for (int64_t r = 0; r < MANY_RINGS; r++) colatitudes[r] = theta * (double)(r + 1) / MANY_RINGS;
    armilla_leg_problem problem;
    armilla_leg_problem_init(&problem);
    problem.lmax = MANY_LMAX, problem.nrings = MANY_RINGS, problem.theta = colatitudes;
    problem.norders = MANY_LMAX + 1, problem.orders = orders, problem.nthreads = 2;
    double *alm = checked_malloc(nalm, sizeof *alm), *leg = checked_malloc(nleg, sizeof *leg);
    double *judge_alm = checked_malloc(nalm, sizeof *alm);
    double *judge_leg = checked_malloc(nleg, sizeof *leg);
    random_fill(1, nalm, alm);
    run_few_orders(&problem, 1, alm, judge_leg);
    check_ok(armilla_leg_from_alm(&problem, alm, leg));
    assert_memory_equal(leg, judge_leg, (size_t)nleg * sizeof *leg);
    random_fill(2, nleg, leg);
    run_few_orders(&problem, 0, judge_alm, leg);
    check_ok(armilla_leg_to_alm(&problem, leg, alm));
    assert_memory_equal(alm, judge_alm, (size_t)nalm * sizeof *alm);
    void *parts[] = {judge_leg, judge_alm, leg, alm, colatitudes};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
}

static void passes_over_orders_change_nothing(void **state)
{
    (void)state;
    check_order_passes(0, 1.5);
    check_order_passes(1, 1.5);
    check_order_passes(0, 0.02); /* the last pass has orders without any entry */
    check_order_passes(1, 0.02); /* and here the first one: it is not the largest */
}

enum { SPECTRUM_MMAX = 2047, SPECTRUM_RINGS = 301, SPECTRUM_COMPONENTS = 2 }; /* 128 pairs a pass */

/* The pair of rings r and r + 1, alone: r is even. */
static armilla_leg_rings pair_of(const armilla_leg_rings *all, int64_t r)
{
    armilla_leg_rings pair = *all;
    pair.ncomp = 1, pair.rings = all->rings + r;
    pair.nrings = r + 1 < all->nrings ? 2 : 1;
    return pair;
}

static void check_pair_passes(const armilla_leg_rings *all, const double *leg, const double *map,
                              double *judge_leg, double *judge_map)
{
    const int64_t row = 2 * (all->mmax + 1);
    for (int64_t c = 0; c < all->ncomp; c++)
        for (int64_t r = 0; r < all->nrings; r += 2) {
            const armilla_leg_rings pair = pair_of(all, r);
            const int64_t place = (c * all->nrings + r) * row;
            check_ok(armilla_leg_to_map(&pair, leg + place, judge_map + c * all->map_distance));
            check_ok(armilla_leg_from_map(&pair, map + c * all->map_distance, judge_leg + place));
        }
}

static void passes_over_rings_change_nothing(void **state)
{
    (void)state;
    const int64_t nleg = 2 * SPECTRUM_COMPONENTS * SPECTRUM_RINGS * (SPECTRUM_MMAX + 1);
    const int64_t npix = SPECTRUM_RINGS * NPHI, nmap = SPECTRUM_COMPONENTS * npix;
    armilla_ring *rings = checked_malloc(SPECTRUM_RINGS, sizeof *rings);
    for (int64_t r = 0; r < SPECTRUM_RINGS; r++)
        rings[r] = (armilla_ring){.theta = 1,
                                  .phi0 = 0.01 * (double)(r / 2),
                                  .nphi = NPHI - r / 2 % 4,
                                  .offset = NPHI * r,
                                  .stride = 1,
                                  .weight = 1};
    armilla_leg_rings all;
    armilla_leg_rings_init(&all);
    all.ncomp = SPECTRUM_COMPONENTS, all.nrings = SPECTRUM_RINGS, all.rings = rings;
    all.mmax = SPECTRUM_MMAX, all.map_distance = npix, all.nthreads = 2;
    double *leg = checked_malloc(nleg, sizeof *leg), *judge_leg = checked_malloc(nleg, sizeof *leg);
    double *map = checked_calloc(nmap, sizeof *map), *judge_map = checked_calloc(nmap, sizeof *map);
    double *given = checked_malloc(nmap, sizeof *given);
    random_fill(3, nleg, leg);
    random_fill(4, nmap, given);
    check_pair_passes(&all, leg, given, judge_leg, judge_map);
    check_ok(armilla_leg_to_map(&all, leg, map));
    check_ok(armilla_leg_from_map(&all, given, leg));
    assert_memory_equal(map, judge_map, (size_t)nmap * sizeof *map);
    assert_memory_equal(leg, judge_leg, (size_t)nleg * sizeof *leg);
    void *parts[] = {leg, judge_leg, map, judge_map, given, rings};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void missing_arguments_are_named(void **state)
{
    (void)state;
    scene s;
    armilla_leg_plan *plan, *half[2];
    scene_open(&s);
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    check_error(armilla_leg_plan_new(NULL, NULL, &plan), wrong, "problem = NULL");
    check_error(armilla_leg_plan_new(&s.problem, NULL, NULL), wrong, "plan = NULL");
    check_ok(armilla_leg_plan_new(&s.problem, NULL, &half[0]));
    check_ok(armilla_leg_plan_new(NULL, &s.places, &half[1]));
    for (int way = 0; way < WAYS; way++) {
        int64_t count;
        const double *in = input_of(&s, way, &count);
        double out[1];
        const int map = way >= TO_MAP;
        static const char *const from[] = {"alm = NULL", "leg = NULL", "leg = NULL", "map = NULL"};
        static const char *const to[] = {"leg = NULL", "alm = NULL", "map = NULL", "leg = NULL"};
        check_error(run_planned(NULL, 1, way, in, out), wrong, "plan = NULL");
        check_error(run_planned(half[!map], 1, way, in, out), wrong,
                    map ? "without armilla_leg_rings" : "without an armilla_leg_problem");
        check_error(run_planned(half[map], 1, way, NULL, out), wrong, from[way]);
        check_error(run_planned(half[map], 1, way, in, NULL), wrong, to[way]);
    }
    s.problem.lmax = -1;
    check_error(armilla_leg_plan_new(&s.problem, &s.places, &plan), wrong, "lmax = -1");
    s.problem.lmax = LMAX, s.places.mmax = -1;
    check_error(armilla_leg_plan_new(&s.problem, &s.places, &plan), wrong, "mmax = -1");
    armilla_leg_plan_free(half[0]);
    armilla_leg_plan_free(half[1]);
    armilla_leg_plan_free(NULL);
    scene_close(&s);
}

/* Every allocation of plan and calls fails once; leaks show under AddressSanitizer. */
static void failing_allocations(void **state)
{
    (void)state;
    scene s;
    armilla_leg_plan *plan;
    armilla_status status = ARMILLA_ERROR_MEMORY;
    scene_open(&s);
    s.problem.nthreads = s.places.nthreads = 1;
    int64_t n = 0;
    for (; status && n < 300; n++) {
        plan = NULL;
        armilla_memory_fail_after(n);
        status = armilla_leg_plan_new(&s.problem, &s.places, &plan);
        armilla_memory_fail_after(-1);
        if (status) check_error(status, ARMILLA_ERROR_MEMORY, "");
        if (status) assert_null(plan);
    }
    assert_in_range(n, 40, 299);
    for (int way = 0; way < WAYS; way++) {
        int64_t count;
        const double *in = input_of(&s, way, &count);
        double *out = checked_malloc(output_count(&s, way), sizeof *out);
        armilla_memory_fail_after(0);
        check_error(run_planned(plan, 1, way, in, out), ARMILLA_ERROR_MEMORY, "");
        armilla_memory_fail_after(-1);
        check_way(&s, plan, way);
        free(out);
    }
    armilla_leg_plan_free(plan);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_have_the_bits_of_single_calls),
        cmocka_unit_test(plans_copy_what_they_are_given),
        cmocka_unit_test(many_threads_share_a_plan),
        cmocka_unit_test(many_fields_have_the_bits_of_one_by_one),
        cmocka_unit_test(passes_over_orders_change_nothing),
        cmocka_unit_test(passes_over_rings_change_nothing),
        cmocka_unit_test(missing_arguments_are_named),
        cmocka_unit_test(failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks that the promise of epsilon (armilla/points.h) is kept, without a factor: plans at random
 * for points of every kind, against a judge that shares no code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "oracle/checks.h"
#include "oracle/field_oracle.h"
#include "oracle/spin_checks.h"
#include <math.h>
#include <stdlib.h>

enum { MOST = 24 }; /* points */

typedef struct {
    spin_case c;
    double epsilon, points[2 * MOST];
    int64_t npoints;
    const char *kind;
} plan_case;

static double uniform(uint64_t *stream, double from, double to)
{
    return from + (to - from) * 0.5 * (1 + random_next(stream));
}

static int64_t whole(uint64_t *stream, int64_t below)
{
    return (int64_t)uniform(stream, 0, (double)below);
}

/* Caps, patches, rings and places; of all sizes down to 1e-6. */
static void choose_points(uint64_t *stream, plan_case *p)
{
    static const char *const kinds[] = {"sky", "north cap", "south cap", "patch", "place", "ring"};
    const int64_t kind = whole(stream, 6);
    const double size = pow(10, uniform(stream, -6, -1));
    const double place = acos(random_next(stream)), west = uniform(stream, 0, 7);
    p->kind = kinds[kind];
    p->npoints = 1 + whole(stream, MOST);
    for (int64_t i = 0; i < p->npoints; i++) {
        const double near = size * sqrt(uniform(stream, 0, 1)), any = uniform(stream, 0, 2 * M_PI);
        const double patch = place + size * random_next(stream);
        const double theta[] = {acos(random_next(stream)),  near,  M_PI - near,
                                fmin(fmax(patch, 0), M_PI), place, place};
        p->points[2 * i] = theta[kind];
        p->points[2 * i + 1] = kind == 3   ? west + size * random_next(stream)
                               : kind == 4 ? west
                                           : any;
    }
}

static void choose(uint64_t *stream, plan_case *p)
{
    const int64_t most = checks_quick() ? 60 : 800;
    const double log_lmax = uniform(stream, log(2), log((double)most + 2));
    const int64_t lmax = whole(stream, 3) ? (int64_t)exp(log_lmax) - 2 : whole(stream, 30);
    p->c = (spin_case){.lmax = lmax < 0 ? 0 : lmax, .spin = whole(stream, 4)};
    if (p->c.spin > p->c.lmax) p->c.spin = p->c.lmax;
    p->c.mmax = p->c.lmax;
    p->epsilon = pow(10, uniform(stream, -12, -2));
    choose_points(stream, p);
}

static armilla_points *new_plan(const plan_case *p, const char *isa)
{
    armilla_points *plan;
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.spin = p->c.spin, options.epsilon = p->epsilon, options.isa = isa;
    check_ok(armilla_points_new(p->c.lmax, p->c.mmax, p->npoints, p->points, &options, &plan));
    return plan;
}

/* epsilon, and not below the law of rounding. */
static double promised(const plan_case *p)
{
    return fmax(p->epsilon, 2e-16 * (double)(p->c.lmax + 10));
}

/* Root mean square of all components at all points. */
static double difference(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum / (double)count);
}

static void check_values(const plan_case *p, const char *isa, const double *alm,
                         const double *exact, double rms)
{
    const int64_t count = p->npoints * (p->c.spin ? 2 : 1);
    double values[2 * MOST];
    armilla_points *plan = new_plan(p, isa);
    check_ok(armilla_points_synthesis(plan, alm, values, NULL));
    check_at_most(difference(count, values, exact) / rms, promised(p),
                  "%s, %d points, lmax %d, spin %d, epsilon %g, %s", p->kind, (int)p->npoints,
                  (int)p->c.lmax, (int)p->c.spin, p->epsilon, isa);
    armilla_points_free(plan);
}

/* Floats are rounded themselves: each coefficient before, each value at the end. */
static void check_floats(const plan_case *p, const double *alm, const double *exact, double rms)
{
    const int64_t count = p->npoints * (p->c.spin ? 2 : 1), size = spin_size(&p->c);
    float *given = checked_malloc(size, sizeof *given), made[2 * MOST];
    double values[2 * MOST], largest = 0;
    armilla_points *plan = new_plan(p, NULL);
    to_float(size, alm, given);
    check_ok(armilla_points_synthesis_float(plan, given, made, NULL));
    to_double(count, made, values);
    for (int64_t i = 0; i < count; i++) largest = larger_or_nan(largest, fabs(exact[i]));
    check_at_most(difference(count, values, exact), promised(p) * rms + 6e-8 * largest,
                  "floats, %s, lmax %d, epsilon %g", p->kind, (int)p->c.lmax, p->epsilon);
    armilla_points_free(plan);
    free(given);
}

static int count_sets(void)
{
    int count = 0;
    while (armilla_isa_available(count)) count++;
    return count;
}

/* White fields, of floats that doubles hold as well. Every plan with the best set, and with one of
 * the others. */
static void plans_at_random(void **state)
{
    (void)state;
    const int nsets = count_sets(), nplans = checks_quick() ? 60 : 200;
    for (int i = 0; i < nplans; i++) {
        uint64_t stream = 1000 + (uint64_t)i;
        plan_case p;
        choose(&stream, &p);
        const int64_t size = spin_size(&p.c);
        double *alm = checked_malloc(size, sizeof *alm), exact[2 * MOST];
        float *single = checked_malloc(size, sizeof *single);
        spin_random_alm((uint64_t)i, &p.c, 0, alm);
        to_float(size, alm, single), to_double(size, single, alm);
        const oracle_field field = {p.c.lmax, p.c.mmax, p.c.spin, p.npoints, p.points};
        oracle_field_values(&field, alm, exact);
        const double rms = oracle_field_rms(&field, alm);
        check_values(&p, armilla_isa_available(0), alm, exact, rms);
        if (nsets > 1)
            check_values(&p, armilla_isa_available(1 + i % (nsets - 1)), alm, exact, rms);
        if (i % 3 == 0) check_floats(&p, alm, exact, rms);
        free(single);
        free(alm);
    }
}

/* --- Points that average errors out ----------------------------------------------------------- */

/* All over the sky but for every `at_one`th point. */
static double *sky(int64_t count, int64_t at_one)
{
    uint64_t stream = 9;
    double *points = checked_malloc(2 * count, sizeof *points);
    for (int64_t i = 0; i < count; i++) {
        const double theta = acos(random_next(&stream)), phi = uniform(&stream, 0, 7);
        points[2 * i] = i % at_one ? theta : 1, points[2 * i + 1] = i % at_one ? phi : 2;
    }
    return points;
}

static armilla_points_description described(const armilla_points *plan)
{
    armilla_points_description d = {.size = sizeof d};
    check_ok(armilla_points_describe(plan, 1, &d));
    return d;
}

static int64_t samples(const armilla_points *plan)
{
    const armilla_points_description d = described(plan);
    return d.taps * d.nrings * d.nphi;
}

/* A third of the points at one place need windows as good as all points at one place do, whether
 * their plan is new or beside one that can do with less. */
static void clusters_are_seen(void **state)
{
    (void)state;
    enum { COUNT = 5000, LMAX = 200 };
    double *points[2] = {sky(COUNT, COUNT), sky(COUNT, 3)};
    armilla_points *spread, *cluster, *beside, *few;
    check_ok(armilla_points_new(LMAX, LMAX, COUNT, points[0], NULL, &spread));
    check_ok(armilla_points_new(LMAX, LMAX, COUNT, points[1], NULL, &cluster));
    check_ok(armilla_points_new_beside(spread, COUNT, points[1], &beside));
    check_ok(armilla_points_new_beside(spread, 150, points[0], &few));
    assert_true(samples(spread) < samples(cluster));
    assert_true(samples(beside) == samples(cluster));
    assert_true(samples(few) > samples(spread));
    armilla_points *all[] = {spread, cluster, beside, few};
    for (int i = 0; i < 4; i++) armilla_points_free(all[i]);
    free(points[0]);
    free(points[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(plans_at_random),
                                       cmocka_unit_test(clusters_are_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Points over ranks: an error on one rank is the same error on all of them, and nobody waits for
 * ever: bad arguments, plans and calls that differ. Memory, messages, cancelling: tests/contract.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "armilla/armilla.h"
#include "ranks/cases.h"
#include "ranks/failures.h"
#include "ranks/thread_transport.h"

#include <math.h>
#include <string.h>

enum { LMAX = 12, RANKS = 3, POINTS = 20, NUMBERS = 2 * 91 };

/* What one rank does otherwise than the others. */
typedef struct {
    int64_t bad_rank;
    double theta; /* of its last point; 0: as the others */
    int64_t spin, ntrans, npoints;
    double epsilon, upsampling;
    int64_t taps;
    const char *isa;
    int recurrence;
    int64_t chunk_bytes;
    int null_values, other_operator, layout;
    int adjoint;    /* all ranks */
    int64_t groups; /* all ranks */
    armilla_status expected;
    const char *words;
} trouble;

/* The grid is freed. members: of rings; NULL: chosen. */
static armilla_distribution *make_on(armilla_grid *grid, int64_t groups, const int64_t *members)
{
    armilla_distribution_options options;
    armilla_distribution *distribution = NULL;
    armilla_distribution_options_init(&options);
    options.groups = groups ? groups : 1;
    options.ring_member = members;
    assert_int_equal(armilla_distribution_new(grid, LMAX, LMAX, RANKS, &options, &distribution),
                     ARMILLA_OK);
    armilla_grid_free(grid);
    return distribution;
}

static armilla_distribution *make_distribution(int64_t groups)
{
    return make_on(ranks_grid("gl 13", LMAX), groups, NULL);
}

typedef struct {
    const trouble *c;
    armilla_distribution *distribution;
} scene;

static armilla_status make_plan(const armilla_transport *t, const scene *s, int bad,
                                armilla_distributed_points **plan)
{
    const trouble *c = s->c;
    double points[2 * POINTS];
    armilla_points_options options;
    armilla_distributed_options distributed;
    armilla_alm_layout *layout = NULL;
    for (int i = 0; i < POINTS; i++)
        points[2 * i] = 0.1 + 0.14 * i, points[2 * i + 1] = i + (double)t->rank;
    armilla_points_options_init(&options);
    armilla_distributed_options_init(&distributed);
    if (bad && c->theta != 0) points[2 * POINTS - 2] = c->theta;
    if (bad && c->spin) options.spin = c->spin;
    if (bad && c->epsilon > 0) options.epsilon = c->epsilon;
    if (bad) options.upsampling = c->upsampling, options.taps = c->taps;
    if (bad && c->recurrence) options.spin_method = ARMILLA_SPIN_RECURRENCE;
    if (bad) options.isa = c->isa;
    if (bad) distributed.chunk_bytes = c->chunk_bytes;
    if (bad && c->layout && !armilla_alm_layout_new(LMAX, LMAX, &layout)) options.layout = layout;
    const armilla_status status =
        armilla_distributed_points_new(t, s->distribution, bad && c->npoints ? c->npoints : POINTS,
                                       points, &options, &distributed, plan);
    armilla_alm_layout_free(layout);
    return status;
}

static armilla_status call(const trouble *c, int bad, const armilla_distributed_points *plan,
                           double *values, double *alm)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1, exec.ntrans = 2;
    if (bad && c->ntrans) exec.ntrans = c->ntrans;
    if (bad && c->null_values) values = NULL;
    return c->adjoint != (bad && c->other_operator)
               ? armilla_distributed_points_adjoint_synthesis(plan, values, alm, &exec)
               : armilla_distributed_points_synthesis(plan, alm, values, &exec);
}

static int all_are(const double *values, int64_t count, double value)
{
    for (int64_t i = 0; i < count; i++)
        if (values[i] != value) return 0;
    return 1;
}

/* Returned: 0 if this rank has seen what it should. */
static int live(const armilla_transport *transport, void *context)
{
    const scene *s = context;
    const trouble *c = s->c;
    const int bad = transport->rank == c->bad_rank;
    double values[2 * POINTS], alm[2 * NUMBERS];
    armilla_distributed_points *plan = NULL;
    for (int i = 0; i < 2 * POINTS; i++) values[i] = 7;
    for (int i = 0; i < 2 * NUMBERS; i++) alm[i] = 7;
    armilla_status status = make_plan(transport, s, bad, &plan);
    if (!status) status = call(c, bad, plan, values, alm);
    const int touched =
        !all_are(c->adjoint ? alm : values, c->adjoint ? 2 * NUMBERS : 2 * POINTS, 7);
    const int failed = status != c->expected ||
                       (c->words && !strstr(armilla_status_message(), c->words)) ||
                       touched != !c->expected;
    if (failed)
        print_message("rank %d: status %d, %s\n", (int)transport->rank, (int)status,
                      armilla_status_message());
    armilla_distributed_points_free(plan);
    return failed;
}

static void check(trouble c)
{
    const ranks_threads_options options = {.nranks = RANKS};
    scene s = {&c, make_distribution(c.groups)};
    for (c.bad_rank = 0; c.bad_rank < RANKS; c.bad_rank++)
        assert_int_equal(ranks_run_threads(&options, live, &s), 0);
    armilla_distribution_free(s.distribution);
}

#define ARGUMENT .expected = ARMILLA_ERROR_ARGUMENT

static void an_argument_of_one_rank_stops_all(void **state)
{
    (void)state;
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        check((trouble){.adjoint = adjoint, .expected = ARMILLA_OK});
        check((trouble){.adjoint = adjoint, .theta = (double)(float)M_PI, .expected = ARMILLA_OK});
        check((trouble){.adjoint = adjoint, .null_values = 1, ARGUMENT, .words = "values = NULL"});
        check((trouble){
            .adjoint = adjoint, .theta = 3.15, ARGUMENT, .words = "theta of point 19 = 3.1"});
    }
    check((trouble){.npoints = -1, ARGUMENT, .words = "npoints = -1"});
    check((trouble){.layout = 1, ARGUMENT, .words = "options->layout: must be NULL"});
    check((trouble){.chunk_bytes = -1, ARGUMENT, .words = "distributed->chunk_bytes = -1"});
    check((trouble){.groups = 3,
                    .expected = ARMILLA_ERROR_UNSUPPORTED,
                    .words = "distribution: transforms to points are not offered by groups of "
                             "ranks; give each group a communicator"});
}

static void plans_that_differ_are_named(void **state)
{
    (void)state;
    check((trouble){.spin = 2,
                    ARGUMENT,
                    .words = "options->spin: must be the same on all ranks, but is 0 to 2"});
    check((trouble){.epsilon = 1e-3, ARGUMENT, .words = "options->epsilon"});
    check((trouble){.epsilon = nextafter(1e-7, 1), ARGUMENT, .words = "options->epsilon"});
    check((trouble){.upsampling = 2, ARGUMENT, .words = "options->upsampling"});
    check((trouble){.taps = 12, ARGUMENT, .words = "options->taps"});
    check((trouble){.recurrence = 1, ARGUMENT, .words = "options->spin_method: must be the same"});
    if (!ranks_have_scalar_set())
        check((trouble){.isa = "scalar", ARGUMENT, .words = "options->isa (instruction sets"});
    check((trouble){.chunk_bytes = 5000, ARGUMENT, .words = "distributed->chunk_bytes"});
}

static void calls_that_differ_are_named(void **state)
{
    (void)state;
    check((trouble){.ntrans = 1, ARGUMENT, .words = "exec->ntrans: must be the same"});
    check((trouble){.other_operator = 1, ARGUMENT, .words = "the operator: must be the same"});
}

static void a_plan_must_be_given(void **state)
{
    double number = 0;
    (void)state;
    assert_int_equal(armilla_distributed_points_synthesis(NULL, &number, &number, NULL),
                     ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_distributed_points_describe(NULL, 1, NULL), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_distributed_points_new(NULL, NULL, 0, NULL, NULL, NULL, NULL),
                     ARMILLA_ERROR_ARGUMENT);
    armilla_distributed_points_free(NULL);
}

/* --- Lensing -----------------------------------------------------------------------------------
 */

typedef struct {
    armilla_distribution *distribution, *other; /* of all ranks; of the bad one's deflection */
    armilla_distribution *beside;               /* of the bad one's second plan; NULL: the first */
    int64_t bad_rank;
    int infinite, null_map, no_curl, no_plan;
    armilla_status expected;
    const char *words;
} lensing_trouble;

static armilla_status lens(const armilla_transport *t, const lensing_trouble *c)
{
    const int bad = t->rank == c->bad_rank;
    const int64_t own = armilla_distribution_alm_size(c->distribution, t->rank);
    double gradient[NUMBERS] = {0}, curl[NUMBERS] = {0}, alm[NUMBERS] = {0}, map[2 * 13 * 25] = {0};
    armilla_distributed_deflection deflection;
    armilla_distributed_lensing *lensing = NULL, *beside = NULL;
    armilla_points_options options;
    armilla_distributed_deflection_init(&deflection);
    armilla_points_options_init(&options);
    options.spin = 2, options.mode = ARMILLA_SHT_GRADIENT_ONLY;
    deflection.distribution = bad && c->other ? c->other : c->distribution;
    deflection.gradient = gradient, deflection.curl = curl, deflection.has_curl = 1;
    if (bad && c->no_curl) deflection.curl = NULL, deflection.has_curl = 0;
    if (bad && c->infinite && own) gradient[2] = INFINITY;
    armilla_status status =
        armilla_distributed_lensing_new(t, c->distribution, &deflection, &options, NULL, &lensing);
    if (!status)
        status = armilla_distributed_lensing_new_beside(
            bad && c->no_plan ? NULL : lensing, t, bad && c->beside ? c->beside : c->distribution,
            &options, NULL, &beside);
    armilla_distributed_lensing_free(beside);
    if (!status)
        status = armilla_distributed_lensing_alm2lenmap(lensing, alm,
                                                        bad && c->null_map ? NULL : map, NULL);
    if (!status) status = armilla_distributed_lensing_adjoint(lensing, map, alm, NULL);
    armilla_distributed_lensing_free(lensing);
    return status;
}

static int live_lensing(const armilla_transport *transport, void *context)
{
    const lensing_trouble *c = context;
    const armilla_status status = lens(transport, c);
    const int failed =
        status != c->expected || (c->words && !strstr(armilla_status_message(), c->words));
    if (failed)
        print_message("rank %d: status %d, %s\n", (int)transport->rank, (int)status,
                      armilla_status_message());
    return failed;
}

static void check_lensing(lensing_trouble c)
{
    const ranks_threads_options options = {.nranks = RANKS};
    for (c.bad_rank = 0; c.bad_rank < RANKS; c.bad_rank++)
        assert_int_equal(ranks_run_threads(&options, live_lensing, &c), 0);
}

static void a_deflection_of_one_rank_stops_all(void **state)
{
    static const int64_t members[13] = {0, 1, 2, 0, 1, 2, 0, 2, 1, 0, 2, 1, 0};
    armilla_grid *grid;
    assert_int_equal(armilla_grid_new_equidistant(ARMILLA_GRID_CC, 13, 2 * LMAX + 1, &grid), 0);
    armilla_distribution *d = make_on(ranks_grid("gl 13", LMAX), 1, members);
    armilla_distribution *elsewhere = make_on(grid, 1, members), *groups = make_distribution(3);
    (void)state;
    check_lensing((lensing_trouble){.distribution = d, .expected = ARMILLA_OK});
    check_lensing((lensing_trouble){
        .distribution = d, .infinite = 1, ARGUMENT, .words = "deflection: at pixel "});
    check_lensing(
        (lensing_trouble){.distribution = d, .null_map = 1, ARGUMENT, .words = "map = NULL"});
    check_lensing((lensing_trouble){.distribution = d,
                                    .no_curl = 1,
                                    ARGUMENT,
                                    .words = "deflection->has_curl: must be the same on all"});
    check_lensing((lensing_trouble){.distribution = d,
                                    .other = groups,
                                    .expected = ARMILLA_ERROR_UNSUPPORTED,
                                    .words =
                                        "deflection->distribution: lensed fields are not offered "
                                        "by groups of ranks"});
    check_lensing((lensing_trouble){.distribution = d,
                                    .other = elsewhere,
                                    ARGUMENT,
                                    .words = "deflection->distribution: must have the rings"});
    check_lensing((lensing_trouble){.distribution = d,
                                    .beside = elsewhere,
                                    ARGUMENT,
                                    .words = "distribution: must have the rings of lensing"});
    check_lensing((lensing_trouble){.distribution = d,
                                    .beside = groups,
                                    .expected = ARMILLA_ERROR_UNSUPPORTED,
                                    .words = "distribution: lensed fields are not offered by"});
    check_lensing(
        (lensing_trouble){.distribution = d, .no_plan = 1, ARGUMENT, .words = "lensing = NULL"});
    armilla_distribution_free(d);
    armilla_distribution_free(groups);
    armilla_distribution_free(elsewhere);
}

/* --- Description -------------------------------------------------------------------------------
 */

typedef struct {
    armilla_distribution *distribution;
    _Atomic int64_t strips, own_points, here;
} tally;

static int describe(const armilla_transport *transport, void *context)
{
    tally *t = context;
    const trouble as_all = {.bad_rank = -1};
    const scene s = {&as_all, t->distribution};
    armilla_distributed_points *plan = NULL;
    armilla_distributed_points_description d = {.size = sizeof d};
    if (make_plan(transport, &s, 0, &plan) || armilla_distributed_points_describe(plan, 1, &d))
        return 1;
    t->strips += d.strips;
    t->own_points += d.npoints;
    t->here += d.points_here;
    const int failed = d.all_points != RANKS * POINTS || d.ncomp != 1 || d.alm_ncomp != 1 ||
                       d.chunks < 1 || d.plan_bytes <= 0 || d.workspace_bytes <= 0 ||
                       d.strips > d.nstrips;
    armilla_distributed_points_free(plan);
    return failed;
}

static void parts_add_up_to_the_whole(void **state)
{
    const ranks_threads_options options = {.nranks = RANKS};
    tally t = {.distribution = make_distribution(1)};
    (void)state;
    assert_int_equal(ranks_run_threads(&options, describe, &t), 0);
    assert_int_equal(t.strips, 1); /* few rings */
    assert_int_equal(t.own_points, RANKS * POINTS);
    assert_int_equal(t.here, RANKS * POINTS);
    armilla_distribution_free(t.distribution);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_argument_of_one_rank_stops_all),
        cmocka_unit_test(plans_that_differ_are_named),
        cmocka_unit_test(calls_that_differ_are_named),
        cmocka_unit_test(a_plan_must_be_given),
        cmocka_unit_test(a_deflection_of_one_rank_stops_all),
        cmocka_unit_test(parts_add_up_to_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

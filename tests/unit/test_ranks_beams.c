/* Skies through beams over ranks have the bits of one rank with all pointings, and what one rank
 * does otherwise than the others is the same error on all: ranks are threads here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/progress.h"
#include "oracle/checks.h"
#include "ranks/beams.h"
#include "ranks/cases.h"
#include "ranks/thread_transport.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run_one(const armilla_transport *transport, void *context)
{
    return ranks_run_beams(transport, context);
}

static void check_cases(int64_t nranks, unsigned delays)
{
    const ranks_threads_options options = {.nranks = nranks, .delays = delays};
    for (const ranks_beams_case *c = ranks_beams_cases; c->npointings >= 0; c++)
        assert_int_equal(ranks_run_threads(&options, run_one, (void *)c), 0);
}

static void bits_do_not_depend_on_the_number_of_ranks(void **state)
{
    static const int64_t nranks[] = {3, 1, 2, 5};
    (void)state;
    for (size_t i = 0; i < (checks_quick() ? 1 : sizeof nranks / sizeof *nranks); i++)
        check_cases(nranks[i], 0);
}

static void messages_may_be_late(void **state)
{
    (void)state;
    check_cases(2, 300);
}

/* --- Errors ---------------------------------------------------------------------------------- */

enum { LMAX = 12, RANKS = 3, COUNT = 20 };

/* What rank 1 does otherwise. */
typedef struct {
    double theta, epsilon;
    int64_t kmax, components, ntrans;
    int null_beam, other_beam, other_operator, modulated, cancels;
    armilla_status expected;
    const char *words;
} trouble;

static int stop(void *data, double fraction)
{
    (void)data, (void)fraction;
    return 1;
}

static armilla_status make_plan(const armilla_transport *t, const trouble *c, int bad,
                                const armilla_distribution *d, armilla_distributed_beams **plan)
{
    double pointings[3 * COUNT], modulation[COUNT];
    armilla_beams_options options;
    armilla_beams_options_init(&options);
    for (int i = 0; i < COUNT; i++) {
        pointings[3 * i] = 0.1 + 0.14 * i, pointings[3 * i + 1] = i, pointings[3 * i + 2] = 2 * i;
        modulation[i] = 1;
    }
    if (bad && c->theta != 0) pointings[3 * 7] = c->theta;
    if (bad && c->epsilon > 0) options.epsilon = c->epsilon;
    if (bad && c->components) options.components = c->components;
    if (bad && c->modulated) options.modulation = modulation;
    return armilla_distributed_beams_new(t, d, bad && c->kmax ? c->kmax : 2, COUNT, pointings,
                                         &options, NULL, plan);
}

static armilla_status call(const trouble *c, int bad, const armilla_distributed_beams *plan,
                           double *arrays)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1;
    double *sky = arrays, *beam = sky + 400, *samples = beam + 200;
    if (bad && c->ntrans) exec.ntrans = c->ntrans;
    if (bad && c->other_beam) beam[3] = 7;
    if (bad && c->cancels) exec.progress = stop;
    if (bad && c->other_operator)
        return armilla_distributed_beams_adjoint(plan, samples, beam, sky, &exec);
    return armilla_distributed_beams_convolve(plan, sky, bad && c->null_beam ? NULL : beam, samples,
                                              &exec);
}

static int run_trouble(const armilla_transport *t, void *context)
{
    const trouble *c = context;
    const int bad = t->rank == 1;
    armilla_grid *grid = ranks_grid("gl 13", LMAX);
    armilla_distribution *d = NULL;
    armilla_distributed_beams *plan = NULL;
    double *arrays = calloc(700, sizeof *arrays);
    if (!arrays || armilla_distribution_new(grid, LMAX, LMAX, RANKS, NULL, &d)) abort();
    armilla_status status = make_plan(t, c, bad, d, &plan);
    if (!status) status = call(c, bad, plan, arrays);
    const int failed = status != c->expected || !strstr(armilla_status_message(), c->words);
    if (failed)
        fprintf(stderr, "rank %d: %d, \"%s\", not \"%s\"\n", (int)t->rank, (int)status,
                armilla_status_message(), c->words);
    armilla_distributed_beams_free(plan);
    armilla_distribution_free(d);
    armilla_grid_free(grid);
    free(arrays);
    return failed;
}

static void an_error_of_one_rank_is_that_of_all(void **state)
{
    static const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    const trouble list[] = {
        {.theta = 4, .expected = wrong, .words = "pointings: theta of pointing 7 = 4"},
        {.theta = NAN, .expected = wrong, .words = "pointings: theta of pointing 7 = "},
        {.kmax = 3, .expected = wrong, .words = "kmax"},
        {.kmax = 13, .expected = wrong, .words = "kmax = 13"},
        {.components = 3, .expected = wrong, .words = "options->components"},
        {.modulated = 1, .expected = wrong, .words = "options->modulation = NULL"},
        {.epsilon = 1e-3, .expected = wrong, .words = "options->epsilon"},
        {.null_beam = 1, .expected = wrong, .words = "beam = NULL"},
        {.other_beam = 1, .expected = wrong, .words = "beam (its bits)"},
        {.other_operator = 1, .expected = wrong, .words = "the operator"},
        {.ntrans = -1, .expected = wrong, .words = "ntrans = -1"},
        {.cancels = 1, .expected = ARMILLA_ERROR_CANCELLED, .words = ""}};
    const ranks_threads_options options = {.nranks = RANKS};
    (void)state;
    armilla_progress_set_interval(0);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        assert_int_equal(ranks_run_threads(&options, run_trouble, (void *)&list[i]), 0);
}

static void describe(const armilla_transport *t, const armilla_distributed_beams *plan)
{
    armilla_distributed_beams_description d = {.size = sizeof d};
    if (armilla_distributed_beams_describe(plan, 1, &d) || d.npointings != COUNT ||
        d.all_pointings != RANKS * COUNT || d.blm_size != armilla_alm_size(LMAX, 2) ||
        d.pointings_here < 0 || d.workspace_bytes <= 0 || d.plan_bytes <= 0)
        fprintf(stderr, "rank %d: description\n", (int)t->rank), abort();
}

static int run_description(const armilla_transport *t, void *context)
{
    const trouble none = {0};
    armilla_grid *grid = ranks_grid("gl 13", LMAX);
    armilla_distribution *d = NULL;
    armilla_distributed_beams *plan = NULL;
    (void)context;
    if (armilla_distribution_new(grid, LMAX, LMAX, RANKS, NULL, &d) ||
        make_plan(t, &none, 0, d, &plan))
        return 1;
    describe(t, plan);
    armilla_distributed_beams_free(plan);
    armilla_distribution_free(d);
    armilla_grid_free(grid);
    return 0;
}

static void plans_describe_themselves(void **state)
{
    const ranks_threads_options options = {.nranks = RANKS};
    (void)state;
    assert_int_equal(ranks_run_threads(&options, run_description, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_do_not_depend_on_the_number_of_ranks),
        cmocka_unit_test(messages_may_be_late),
        cmocka_unit_test(an_error_of_one_rank_is_that_of_all),
        cmocka_unit_test(plans_describe_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

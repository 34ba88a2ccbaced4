/* An error on one rank is the same error on all of them, and nobody waits for ever: bad arguments,
 * plans and calls that differ. Memory, messages, cancelling: tests/contract. */
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

enum { LMAX = 12, RANKS = 3, PIXELS = 13 * 25, NUMBERS = 2 * 91 };

/* What one rank does otherwise than the others. */
typedef struct {
    int64_t bad_rank;
    int64_t spin, ntrans, groups, nthreads; /* of that rank; -1: as the others */
    int null_map, other_operator, refuses_missing;
    int iterates; /* pseudo_analysis by LSMR (1), Jacobi (2), LSMR with weights (3), of a map with
                     an infinity (null_map) */
    int iqu;      /* of I, Q and U */
    int ring_orders;         /* of all: an armilla_ring_orders */
    int form;                /* of all: one of armilla_sht_options' fields about coefficients */
    int option;              /* one of those that choose_option changes; 0: as the others */
    int other_grid;          /* with as many rings and pixels */
    armilla_status expected; /* of all ranks, from the plan or from the call */
    const char *words;       /* that the message of all ranks contains */
} trouble;

typedef struct {
    armilla_grid *grid;
    armilla_distribution *distribution;
    armilla_distributed_sht *sht;
    armilla_distributed_iqu *iqu;
} scene;

/* form: 0: as they are. */
static void choose_form(int form, armilla_sht_options *options)
{
    static const double scale[LMAX + 1] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    if (form == 1) options->mres = 2;
    if (form == 2) options->form = ARMILLA_ALM_REAL;
    if (form == 3) options->conjugate = 1;
    if (form == 4) options->degree_scale = scale;
    if (form == 5) options->order_scale = scale;
}

/* Options on which the last bits of results depend, or what ranks send to each other. */
static const char *const option_words[] = {"",
                                           "options->method: must be the same",
                                           "options->spin_method: must be the same",
                                           "options->isa (instruction sets by number, the slowest",
                                           "options->choices (a number made of the text): must be",
                                           ("options->cache_bytes: must be the same on all ranks, "
                                            "but is 0 to 4000000"),
                                           "options->host_bytes: must be the same"};

enum { OPTIONS = 6 };

static void choose_option(int option, armilla_sht_options *options)
{
    if (option == 1) options->method = ARMILLA_SHT_DIRECT;
    if (option == 2) options->spin_method = ARMILLA_SPIN_RECURRENCE;
    if (option == 3) options->isa = "scalar";
    if (option == 4) options->choices = "legendre.matrices=0";
    if (option == 5) options->cache_bytes = 4000000;
    if (option == 6) options->host_bytes = 4000000;
}

static armilla_status open_scene(const armilla_transport *t, const trouble *c, int bad, scene *s)
{
    armilla_sht_options options;
    armilla_distribution_options distribution;
    armilla_status status;
    armilla_sht_options_init(&options);
    armilla_distribution_options_init(&distribution);
    if (bad && c->spin >= 0) options.spin = c->spin;
    options.ring_orders = (armilla_ring_orders)c->ring_orders;
    choose_form(c->form, &options);
    if (bad) choose_option(c->option, &options);
    if (bad && c->groups >= 0) distribution.groups = c->groups;
    *s = (scene){.grid = NULL};
    if (!bad || !c->other_grid)
        s->grid = ranks_grid("gl 13", LMAX);
    else if ((status = armilla_grid_new_equidistant(ARMILLA_GRID_CC, 13, 2 * LMAX + 1, &s->grid)))
        return status;
    if ((status = armilla_distribution_new(s->grid, LMAX, LMAX, t->nranks, &distribution,
                                           &s->distribution)))
        return status;
    if (c->iqu)
        return armilla_distributed_iqu_new(t, s->distribution,
                                           c->form || c->option ? &options : NULL, NULL, &s->iqu);
    return armilla_distributed_sht_new(t, s->distribution, &options, NULL, &s->sht);
}

static void close_scene(scene *s)
{
    armilla_distributed_iqu_free(s->iqu);
    armilla_distributed_sht_free(s->sht);
    armilla_distribution_free(s->distribution);
    armilla_grid_free(s->grid);
}

static int all_are(const double *values, int64_t count, double value)
{
    for (int64_t i = 0; i < count; i++)
        if (values[i] != value) return 0;
    return 1;
}

/* Iterative analysis of one map of I, Q and U, or of two scalar ones. */
static armilla_status iterate(const trouble *c, int bad, const scene *s, armilla_exec *exec)
{
    double map[3 * PIXELS], alm[3 * NUMBERS], weights[PIXELS];
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.max_iterations = 2;
    options.method = c->iterates == 2 ? ARMILLA_PSEUDO_JACOBI : ARMILLA_PSEUDO_LSMR;
    if (c->iterates == 3) options.weights = weights;
    if (bad && c->other_operator) options.max_iterations = 3;
    for (int i = 0; i < 3 * PIXELS; i++) map[i] = 1 + i % 3;
    for (int i = 0; i < PIXELS; i++) weights[i] = 1 + i % 2;
    if (bad && c->null_map) map[0] = INFINITY;
    if (!c->iqu)
        return armilla_distributed_sht_pseudo_analysis(s->sht, map, alm, &options, NULL, exec);
    exec->ntrans--;
    return armilla_distributed_iqu_pseudo_analysis(s->iqu, map, alm, &options, NULL, exec);
}

static armilla_status call(const trouble *c, int bad, const scene *s, double *map)
{
    double alm[2 * NUMBERS] = {0};
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1, exec.ntrans = 2;
    if (bad && c->ntrans >= 0) exec.ntrans = c->ntrans;
    if (bad && c->refuses_missing) exec.missing = ARMILLA_MISSING_ERROR;
    if (c->iterates) return iterate(c, bad, s, &exec);
    if (bad && c->other_operator)
        return armilla_distributed_sht_adjoint_synthesis(s->sht, map, alm, &exec);
    return armilla_distributed_sht_synthesis(s->sht, alm, bad && c->null_map ? NULL : map, &exec);
}

/* Returned: 0 if this rank has seen what it should. */
static int live(const armilla_transport *transport, void *context)
{
    const trouble *c = context;
    const int bad = transport->rank == c->bad_rank;
    double map[2 * PIXELS];
    scene s;
    for (int i = 0; i < 2 * PIXELS; i++) map[i] = 7;
    armilla_status status = open_scene(transport, c, bad, &s);
    if (!status) status = call(c, bad, &s, map);
    const int failed = status != c->expected ||
                       (c->words && !strstr(armilla_status_message(), c->words)) ||
                       (c->expected && !c->iterates && !all_are(map, 2 * PIXELS, 7));
    if (failed)
        print_message("rank %d: status %d, %s\n", (int)transport->rank, (int)status,
                      armilla_status_message());
    close_scene(&s);
    return failed;
}

static void check(trouble c)
{
    const ranks_threads_options options = {.nranks = RANKS};
    for (c.bad_rank = 0; c.bad_rank < RANKS; c.bad_rank++)
        assert_int_equal(ranks_run_threads(&options, live, &c), 0);
}

#define AS_THE_OTHERS .spin = -1, .ntrans = -1, .groups = -1, .nthreads = -1

static void an_argument_of_one_rank_stops_all(void **state)
{
    (void)state;
    check((trouble){AS_THE_OTHERS, .expected = ARMILLA_OK});
    check((trouble){AS_THE_OTHERS, .ring_orders = ARMILLA_RING_ORDERS_ECTRANS,
                    .expected = ARMILLA_ERROR_UNSUPPORTED, .words = "options->ring_orders"});
    check((trouble){AS_THE_OTHERS, .null_map = 1, .expected = ARMILLA_ERROR_ARGUMENT,
                    .words = "map = NULL"});
}

static void coefficients_of_other_kinds_are_refused(void **state)
{
    static const char *const words[] = {"",
                                        "options->mres = 2: must be 1 over ranks",
                                        "options->form: must be ARMILLA_ALM_COMPLEX over ranks",
                                        "options->conjugate: must be 0 over ranks",
                                        "options->degree_scale: must be NULL over ranks",
                                        "options->order_scale: must be NULL over ranks"};
    (void)state;
    for (int form = 1; form <= 5; form++)
        for (int iqu = 0; iqu < 2; iqu++)
            check((trouble){AS_THE_OTHERS, .form = form, .iqu = iqu,
                            .expected = ARMILLA_ERROR_ARGUMENT, .words = words[form]});
}

static armilla_distribution *make_distribution(void)
{
    armilla_grid *grid = ranks_grid("gl 13", LMAX);
    armilla_distribution *distribution;
    assert_int_equal(armilla_distribution_new(grid, LMAX, LMAX, RANKS, NULL, &distribution),
                     ARMILLA_OK);
    armilla_grid_free(grid);
    return distribution;
}

static void plans_that_differ_are_named(void **state)
{
    (void)state;
    trouble c = {AS_THE_OTHERS, .expected = ARMILLA_ERROR_ARGUMENT,
                 .words = "options->spin: must be the same on all ranks, but is 0 to 2"};
    c.spin = 2;
    check(c);
    c.spin = -1, c.groups = 3, c.words = "options->groups: must be the same";
    check(c);
    c.groups = -1, c.other_grid = 1, c.words = "the grid: must be the same";
    check(c);
}

static void options_that_change_bits_are_named(void **state)
{
    (void)state;
    for (int option = 1; option <= OPTIONS; option++)
        for (int iqu = 0; iqu < 2; iqu++)
            if (option != 3 || !ranks_have_scalar_set())
                check((trouble){AS_THE_OTHERS, .option = option, .iqu = iqu,
                                .expected = ARMILLA_ERROR_ARGUMENT, .words = option_words[option]});
}

/* --- Rotations ------------------------------------------------------------------------------- */

typedef struct {
    armilla_distribution *distribution;
    int64_t bad_rank;
} turning;

/* The angle of one rank differs in its last bit. */
static int turn(const armilla_transport *t, void *context)
{
    const turning *c = context;
    const int bad = t->rank == c->bad_rank;
    const armilla_rotation rotation = {0.1, bad ? nextafter(0.2, 1) : 0.2, 0.3};
    double alm[NUMBERS] = {0};
    return armilla_distributed_rotate(t, c->distribution, &rotation, alm, NULL) !=
               ARMILLA_ERROR_ARGUMENT ||
           !strstr(armilla_status_message(), "rotation (its bits): must be the same");
}

static void rotations_that_differ_are_named(void **state)
{
    const ranks_threads_options options = {.nranks = RANKS};
    turning c = {.distribution = make_distribution()};
    (void)state;
    for (; c.bad_rank < RANKS; c.bad_rank++)
        assert_int_equal(ranks_run_threads(&options, turn, &c), 0);
    armilla_distribution_free(c.distribution);
}

static void calls_that_differ_are_named(void **state)
{
    (void)state;
    trouble c = {AS_THE_OTHERS, .expected = ARMILLA_ERROR_ARGUMENT,
                 .words = "exec->ntrans: must be the same"};
    c.ntrans = 1;
    check(c);
    c.ntrans = -1, c.other_operator = 1, c.words = "the operator: must be the same";
    check(c);
    c.other_operator = 0, c.refuses_missing = 1, c.words = "exec->missing: must be the same";
    check(c);
    c.iterates = 1;
    check(c);
}

static void iterations_of_one_rank_stop_all(void **state)
{
    (void)state;
    for (int way = 0; way < 6; way++) {
        const trouble usual = {AS_THE_OTHERS, .iterates = 1 + way / 2, .iqu = way % 2};
        trouble infinite = usual, longer = usual, more = usual;
        infinite.null_map = longer.other_operator = 1, more.ntrans = 3;
        infinite.expected = longer.expected = more.expected = ARMILLA_ERROR_ARGUMENT;
        infinite.words = "] = inf: must be finite"; /* tests/ranks/missing.c looks at indices */
        longer.words = "options->max_iterations: must be the same on all ranks";
        more.words = "exec->ntrans, twice";
        check(usual);
        check(infinite);
        check(longer);
        check(more);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_argument_of_one_rank_stops_all),
        cmocka_unit_test(coefficients_of_other_kinds_are_refused),
        cmocka_unit_test(plans_that_differ_are_named),
        cmocka_unit_test(options_that_change_bits_are_named),
        cmocka_unit_test(rotations_that_differ_are_named),
        cmocka_unit_test(calls_that_differ_are_named),
        cmocka_unit_test(iterations_of_one_rank_stop_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

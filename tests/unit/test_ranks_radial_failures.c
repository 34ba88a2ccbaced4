/* Radial convolution over ranks: an error on one rank is the same error on all of them, and nobody
 * waits for ever: bad arguments, plans and calls that differ. Memory, messages, cancelling:
 * tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "armilla/armilla.h"
#include "ranks/cases.h"
#include "ranks/radial.h"
#include "ranks/failures.h"
#include "ranks/thread_transport.h"

#include <math.h>
#include <string.h>

enum { RANKS = 3, NSIDE = 4, NPIX = 12 * NSIDE * NSIDE, PART = NPIX / RANKS, MAPS = 2 };

/* What one rank does otherwise than the others. */
typedef struct {
    int64_t bad_rank;
    /* of that rank's plan */
    int64_t spin, first, count;
    double angle;
    int other_grid, other_method, null_kernel;
    const char *isa;
    /* of its call */
    int64_t ntrans;
    int null_map, adjoint, weighted, missing;
    /* of the maps of all ranks, which look for missing values */
    int idle, hole; /* has that rank no pixels? Is a value of the next rank missing? */
    double weight, least;
    armilla_status expected; /* of all ranks, from the plan or from the call */
    const char *words;       /* that the message of all ranks contains */
} trouble;

/* Grids and kernels that all ranks have: making them is no collective call. */
typedef struct {
    armilla_grid *grid, *other;
    armilla_kernel *kernel;
} scene;

static scene shared;

static void open_shared(void)
{
    shared.grid = ranks_grid("healpix 4", 1), shared.other = ranks_grid("gl 12", 7);
    shared.kernel = ranks_radial_kernel_new(RADIAL_GAUSS, 0.8);
    assert_true(shared.grid && shared.other && shared.kernel);
}

static void close_shared(void)
{
    armilla_grid_free(shared.grid);
    armilla_grid_free(shared.other);
    armilla_kernel_free(shared.kernel);
}

/* Two ranks have all pixels; the third one has none. */
static armilla_span span_beside(int64_t rank, int64_t idle)
{
    const int first = rank == (idle ? 0 : 1);
    if (rank == idle) return (armilla_span){0, 0, 0};
    return first ? (armilla_span){0, 2 * PART, 0} : (armilla_span){2 * PART, PART, 0};
}

static armilla_status make_plan(const armilla_transport *t, const trouble *c, int bad,
                                armilla_distributed_radial **radial)
{
    armilla_radial_options options;
    armilla_kernel *kernel = NULL;
    armilla_radial_options_init(&options);
    options.method = ARMILLA_RADIAL_RINGS, options.normalization = ARMILLA_RADIAL_SUM;
    if (bad && c->other_method) options.method = ARMILLA_RADIAL_PIXELS;
    if (bad && c->spin) options.spin = c->spin;
    if (bad) options.isa = c->isa;
    if (bad && c->angle > 0) kernel = ranks_radial_kernel_new(RADIAL_GAUSS, c->angle);
    armilla_span span =
        c->idle ? span_beside(t->rank, c->bad_rank) : (armilla_span){PART * t->rank, PART, 0};
    if (bad) span.begin += c->first, span.count += c->count;
    const armilla_kernel *used = bad && c->null_kernel ? NULL : kernel ? kernel : shared.kernel;
    const armilla_status status = armilla_distributed_radial_new(
        t, bad && c->other_grid ? shared.other : shared.grid, used, &options, 1, &span, radial);
    armilla_kernel_free(kernel);
    return status;
}

static armilla_status call(const armilla_distributed_radial *radial, const trouble *c, int64_t rank,
                           double *out)
{
    const int bad = rank == c->bad_rank;
    double map[2 * MAPS * PART], weights[2 * PART];
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1, exec.ntrans = MAPS;
    for (int i = 0; i < 2 * MAPS * PART; i++) map[i] = i % 7;
    for (int i = 0; i < 2 * PART; i++) weights[i] = 1;
    if (bad && c->ntrans) exec.ntrans = c->ntrans;
    if (bad ? c->missing : c->idle || c->hole) exec.missing = ARMILLA_MISSING_ERROR;
    if (c->hole && rank == (c->bad_rank + 1) % RANKS) map[5] = (double)NAN;
    if (bad && c->weight != 0) weights[5] = c->weight;
    if (bad && c->adjoint) return armilla_distributed_radial_adjoint(radial, map, out, &exec);
    if (c->weighted)
        return armilla_distributed_radial_convolve_weighted(radial, map, weights,
                                                            bad ? c->least : 0, 0, out, &exec);
    return armilla_distributed_radial_convolve(radial, bad && c->null_map ? NULL : map, out, &exec);
}

/* Returned: 0 if this rank has seen what it should. */
static int live(const armilla_transport *transport, void *context)
{
    const trouble *c = context;
    const int bad = transport->rank == c->bad_rank;
    armilla_distributed_radial *radial = NULL;
    double out[2 * MAPS * PART];
    int failed = 0;
    for (int i = 0; i < 2 * MAPS * PART; i++) out[i] = 7.5;
    armilla_status status = make_plan(transport, c, bad, &radial);
    if (!status) status = call(radial, c, transport->rank, out);
    for (int i = 0; i < 2 * MAPS * PART; i++) failed |= status && out[i] != 7.5;
    failed |= status != c->expected || (c->words && !strstr(armilla_status_message(), c->words));
    if (failed)
        print_message("rank %d: status %d, %s\n", (int)transport->rank, (int)status,
                      armilla_status_message());
    armilla_distributed_radial_free(radial);
    return failed;
}

static void check(trouble c)
{
    const ranks_threads_options options = {.nranks = RANKS};
    if (c.words) c.expected = c.expected ? c.expected : ARMILLA_ERROR_ARGUMENT;
    for (c.bad_rank = 0; c.bad_rank < RANKS; c.bad_rank++)
        assert_int_equal(ranks_run_threads(&options, live, &c), 0);
}

/* Also where a rank has no pixels; a weight of 1 hides nothing. */
static void a_missing_value_of_one_rank_stops_all(void **state)
{
    (void)state;
    const char *words = "is missing, one of 1 values";
    check((trouble){.missing = 1, .idle = 1});
    for (int idle = 0; idle < 2; idle++)
        for (int weighted = 0; weighted < 2; weighted++)
            check((trouble){
                .missing = 1, .idle = idle, .hole = 1, .weighted = weighted, .words = words});
}

static void an_argument_of_one_rank_stops_all(void **state)
{
    (void)state;
    check((trouble){.expected = ARMILLA_OK});
    check((trouble){.null_kernel = 1, .words = "kernel"});
    check((trouble){.spin = 1, .words = "spin = 1: must be 0 or 2"});
    check((trouble){.null_map = 1, .words = "map"});
    check((trouble){.ntrans = -1, .words = "ntrans"});
    check((trouble){.weighted = 1, .weight = -2, .words = "weights[5] = -2: must be 0 or more"});
    check((trouble){.weighted = 1, .weight = INFINITY, .words = "weights[5] = inf"});
    check((trouble){.weighted = 1, .least = 2, .words = "least = 2: must be 0 to 1"});
    check((trouble){.missing = 1,
                    .words = "exec->missing: must be the same",
                    .expected = ARMILLA_ERROR_ARGUMENT});
}

static void each_pixel_has_one_rank(void **state)
{
    (void)state;
    check((trouble){.count = -1, .words = "has no source"});
    check((trouble){.first = -PART * RANKS, .words = "spans[0]"});
    check((trouble){.first = 1000, .words = "has no source"});
    check((trouble){.count = 1, .words = NULL, .expected = ARMILLA_ERROR_ARGUMENT});
}

static void plans_that_differ_are_named(void **state)
{
    (void)state;
    check((trouble){.spin = 2, .words = "options->spin: must be the same on all ranks"});
    check((trouble){.other_grid = 1, .words = "number of rings: must be the same on all ranks"});
    check((trouble){.angle = 0.7, .words = "must be the same on all ranks"});
    check((trouble){.other_method = 1, .words = "must be the same on all ranks"});
    if (!ranks_have_scalar_set())
        check((trouble){.isa = "scalar", .words = "options->isa (instruction sets"});
}

static void calls_that_differ_are_named(void **state)
{
    (void)state;
    check((trouble){.ntrans = 1, .words = "exec->ntrans: must be the same on all ranks"});
    check((trouble){.adjoint = 1, .words = "the operator: must be the same on all ranks"});
    check((trouble){.weighted = 1, .least = 0.5, .words = "least (its bits): must be the same"});
    check((trouble){.weighted = 1, .least = 5e-324, .words = "least (its bits)"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_missing_value_of_one_rank_stops_all),
        cmocka_unit_test(an_argument_of_one_rank_stops_all),
        cmocka_unit_test(each_pixel_has_one_rank),
        cmocka_unit_test(plans_that_differ_are_named),
        cmocka_unit_test(calls_that_differ_are_named),
    };
    open_shared();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close_shared();
    return failed;
}

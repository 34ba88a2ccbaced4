/* Checks that the functions of radial.h stand random arguments. Each trial makes one of many plans
 * and calls it. */
#include "test_api_random_sht.h"

enum { NUMBERS = 4000, CALLS = 3 };

/* --- Plans ------------------------------------------------------------------------------------ */

static armilla_kernel *draw_kernel(trial *t)
{
    static const double theta[] = {0, 0.3, 0.31, 1.5}, values[] = {2, 1, -0.5, 0.1};
    static const double window[] = {1, 0.7, -0.2, 0.1};
    armilla_kernel *kernel = NULL;
    const double angle = 0.1 + (double)below(t, 20) / 7;
    switch (below(t, 5)) {
    case 0:
        check_ok(armilla_kernel_new_gaussian(angle, &kernel));
        break;
    case 1:
        check_ok(armilla_kernel_new_mexican_hat(angle, &kernel));
        break;
    case 2:
        check_ok(armilla_kernel_new_tophat(angle, &kernel));
        break;
    case 3:
        check_ok(armilla_kernel_new_window(between(t, 0, 3), window, &kernel));
        break;
    default:
        check_ok(armilla_kernel_new_table(4, theta, values, &kernel));
    }
    return kernel;
}

static armilla_radial_options draw_options(trial *t)
{
    armilla_radial_options o;
    armilla_radial_options_init(&o);
    if (below(t, 2)) o.support = below(t, 5) ? 0.2 + (double)below(t, 29) / 10 : M_PI;
    if (below(t, 2)) o.truncation_error = below(t, 2) ? 1e-3 : 1e-10;
    o.normalization = (armilla_radial_normalization)below(t, 2); /* possible for every kernel */
    o.method = (armilla_radial_method)below(t, 2);
    if (below(t, 4) == 0) o.isa = armilla_isa_available(0);
    return o;
}

static void spoil_options(trial *t, armilla_radial_options *o)
{
    const double supports[] = {-5e-324, -1, 3.15, 1e9, not_finite(t)};
    const double errors[] = {0, -1e-7, 1, 1e9, not_finite(t)};
    if (spoil(t, "support")) o->support = supports[below(t, 5)];
    if (spoil(t, "truncation_error")) o->truncation_error = errors[below(t, 5)];
    if (spoil(t, "mode")) o->mode = (armilla_radial_mode)outside_int(t, 0, 1);
    if (spoil(t, "normalization"))
        o->normalization = (armilla_radial_normalization)outside_int(t, 0, 3);
    if (spoil(t, "method")) o->method = (armilla_radial_method)outside_int(t, 0, 2);
    if (spoil(t, "vax")) o->isa = "vax";
    if (spoil(t, "size"))
        o->size = wrong_size(t, offsetof(armilla_radial_options, isa) + sizeof o->isa, sizeof *o);
}

static void try_plan(trial *t)
{
    armilla_radial *radial = MARK, **target = &radial;
    armilla_grid *grid = draw_grid(t);
    armilla_kernel *kernel = draw_kernel(t);
    armilla_radial_options options = draw_options(t);
    spoil_options(t, &options);
    const armilla_grid *on = spoil(t, "grid") ? NULL : grid;
    const armilla_kernel *with = spoil(t, "kernel") ? NULL : kernel;
    if (spoil(t, "radial")) target = NULL;
    if (judge(t, armilla_radial_new(on, with, &options, target)))
        armilla_radial_free(radial);
    else
        assert_marked(t, radial);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

/* --- Calls ------------------------------------------------------------------------------------ */

static armilla_radial *draw_plan(trial *t, armilla_grid *grid)
{
    armilla_radial *radial = NULL;
    armilla_kernel *kernel = draw_kernel(t);
    const armilla_radial_options options = draw_options(t);
    check_ok(armilla_radial_new(grid, kernel, &options, &radial));
    armilla_kernel_free(kernel);
    return radial;
}

/* Room for as many numbers as any of the grids needs, of either kind; a third are not used. */
typedef struct arrays {
    double map[NUMBERS], out[NUMBERS], weights[NUMBERS];
} arrays;

static arrays *draw_arrays(trial *t, int is_float)
{
    arrays *a = checked_malloc(1, sizeof *a);
    random_fill(t->state, NUMBERS, a->map);
    random_fill(t->state + 1, NUMBERS, a->out);
    for (int i = 0; i < NUMBERS; i++) a->weights[i] = (double)below(t, 4);
    if (is_float)
        for (int i = 0; i < NUMBERS; i++) ((float *)(void *)a->map)[i] = (float)(i % 7);
    return a;
}

static armilla_exec draw_call(trial *t, int64_t npix)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = between(t, 1, 3);
    exec.nthreads = (int)below(t, 4);
    if (below(t, 2)) exec.map_distance = npix + below(t, 9);
    return exec;
}

static void spoil_call(trial *t, int64_t npix, armilla_exec *exec)
{
    if (spoil(t, "nthreads")) exec->nthreads = outside_int(t, 0, INT32_MAX);
    if (exec->ntrans > 1) spoil_distance(t, "map_distance", npix, &exec->map_distance);
    if (spoil(t, "ntrans")) exec->ntrans = outside(t, 1, INT64_C(1) << 59);
    if (spoil(t, "size")) exec->size = wrong_size(t, offsetof(armilla_exec, memory), sizeof *exec);
}

typedef struct question {
    const armilla_radial *radial;
    const double *map, *weights;
    double least, *out;
    const armilla_exec *exec;
} question;

static armilla_status ask(const question *q, int64_t which, int is_float)
{
    const float *from = (const float *)(const void *)q->map;
    float *to = (float *)(void *)q->out;
    if (which == 0)
        return is_float ? armilla_radial_convolve_float(q->radial, from, to, q->exec)
                        : armilla_radial_convolve(q->radial, q->map, q->out, q->exec);
    if (which == 1)
        return is_float ? armilla_radial_adjoint_float(q->radial, from, to, q->exec)
                        : armilla_radial_adjoint(q->radial, q->map, q->out, q->exec);
    return is_float ? armilla_radial_convolve_weighted_float(q->radial, from, q->weights, q->least,
                                                             -1, to, q->exec)
                    : armilla_radial_convolve_weighted(q->radial, q->map, q->weights, q->least, -1,
                                                       q->out, q->exec);
}

/* Weights of pixels that belong to no ring are not read: spoil one that is. */
static void spoil_weighted(trial *t, const armilla_grid *grid, question *q, double *weights)
{
    const double wrong[] = {-5e-324, -1, -1e300, not_finite(t)};
    armilla_ring ring;
    check_ok(armilla_grid_ring(grid, below(t, armilla_grid_nrings(grid)), &ring));
    if (spoil(t, "weights["))
        weights[ring.offset + ring.stride * below(t, ring.nphi)] = wrong[below(t, 4)];
    if (spoil(t, "weights")) q->weights = NULL;
    if (spoil(t, "least")) q->least = below(t, 2) ? -0.1 : not_finite(t);
}

static void try_call(trial *t)
{
    armilla_grid *grid = draw_grid(t);
    armilla_radial *radial = draw_plan(t, grid);
    const int64_t which = below(t, CALLS), npix = armilla_grid_npix(grid);
    const int is_float = (int)below(t, 2);
    armilla_exec exec = draw_call(t, npix);
    arrays *a = draw_arrays(t, is_float);
    question q = {radial, a->map, a->weights, (double)below(t, 11) / 10, a->out, &exec};
    assert_true(3 * (npix + 9) <= NUMBERS);
    spoil_call(t, npix, &exec);
    if (which == 2) spoil_weighted(t, grid, &q, a->weights);
    if (spoil(t, "radial")) q.radial = NULL;
    if (spoil(t, "map")) q.map = NULL;
    if (spoil(t, "out")) q.out = NULL;
    if (!t->spoilt && below(t, 4) == 0) q.exec = NULL;
    const uint64_t map = checksum(a->map, sizeof a->map), out = checksum(a->out, sizeof a->out);
    const uint64_t weights = checksum(a->weights, sizeof a->weights);
    if (!judge(t, ask(&q, which, is_float))) assert_unchanged(t, out, a->out, sizeof a->out);
    assert_unchanged(t, map, a->map, sizeof a->map);
    assert_unchanged(t, weights, a->weights, sizeof a->weights);
    free(a);
    armilla_radial_free(radial);
    armilla_grid_free(grid);
}

static armilla_status run_describe(const void *plan, int nthreads, void *about)
{
    return armilla_radial_describe(plan, nthreads, about);
}

static void try_describe(trial *t)
{
    armilla_grid *grid = draw_grid(t);
    armilla_radial *radial = draw_plan(t, grid);
    const described_plan d = {"radial", radial, sizeof(armilla_radial_description), 0,
                              run_describe};
    try_describe_of(t, &d);
    armilla_radial_free(radial);
    armilla_grid_free(grid);
}

static void plans_name_a_wrong_argument(void **state)
{
    (void)state;
    armilla_radial_options_init(NULL);
    armilla_radial_free(NULL);
    try_often(try_plan, 1000);
    try_often(try_describe, 300);
}

static void calls_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_call, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_name_a_wrong_argument),
        cmocka_unit_test(calls_name_a_wrong_argument),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}

/* What goes wrong in radial convolution goes wrong politely: a message that names the argument,
 * outputs untouched. Memory that is missing: tests/contract. */
#include "test_radial_scene.h"

enum { CALLS = 6 };

static armilla_radial *const untouched = (armilla_radial *)(uintptr_t)0x1230;

/* --- Plans ------------------------------------------------------------------------------------ */

static void refused(const armilla_grid *grid, const armilla_kernel *kernel,
                    const armilla_radial_options *options, const char *text)
{
    armilla_radial *radial = untouched;
    check_error(armilla_radial_new(grid, kernel, options, &radial), ARMILLA_ERROR_ARGUMENT, text);
    assert_ptr_equal(radial, untouched);
}

static void plans_name_what_is_wrong(void **state)
{
    (void)state;
    static const double supports[] = {-0.1, -5e-324, 3.15, 7};
    static const double errors[] = {0, -1, 1, 2};
    radial_scene s = healpix_scene(2);
    radial_case c = gaussian_case(1, 0);
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    const armilla_radial_options defaults = options;
    refused(NULL, c.kernel, &options, "grid");
    refused(s.grid, NULL, &options, "kernel");
    check_error(armilla_radial_new(s.grid, c.kernel, &options, NULL), ARMILLA_ERROR_ARGUMENT,
                "radial");
    for (int i = 0; i < 4; i++) {
        options.support = supports[i];
        refused(s.grid, c.kernel, &options, "support");
        options = defaults;
        options.truncation_error = errors[i];
        refused(s.grid, c.kernel, &options, "truncation_error");
        options = defaults;
    }
    options.support = (double)NAN;
    refused(s.grid, c.kernel, &options, "support");
    options = defaults, options.truncation_error = (double)NAN;
    refused(s.grid, c.kernel, &options, "truncation_error");
    options = defaults, options.mode = (armilla_radial_mode)2;
    refused(s.grid, c.kernel, &options, "mode");
    options = defaults, options.normalization = (armilla_radial_normalization)-1;
    refused(s.grid, c.kernel, &options, "normalization");
    options = defaults, options.method = (armilla_radial_method)3;
    refused(s.grid, c.kernel, &options, "method");
    for (int spin = -2; spin <= 3; spin++) {
        options = defaults, options.spin = spin;
        if (spin != 0 && spin != 2) refused(s.grid, c.kernel, &options, "spin");
    }
    options = defaults, options.size = 4;
    refused(s.grid, c.kernel, &options, "size");
    close_case(&c);
    close_scene(&s);
}

static void unknown_instruction_sets_are_refused(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(2);
    radial_case c = gaussian_case(1, 0);
    armilla_radial_options options = options_of(&c, 0, ARMILLA_RADIAL_FASTEST);
    options.isa = "vax";
    armilla_radial *radial = untouched;
    check_error(armilla_radial_new(s.grid, c.kernel, &options, &radial), ARMILLA_ERROR_UNSUPPORTED,
                "vax");
    assert_ptr_equal(radial, untouched);
    close_case(&c);
    close_scene(&s);
}

/* Kernels whose integral is 0 cannot be divided by it: a Mexican hat over the whole sphere, a
 * window without b_0, and a table of zeros. */
static void kernels_without_an_integral_are_not_normalised(void **state)
{
    (void)state;
    static const double window[] = {0, 1, -2}, theta[] = {0, 1}, zeros[] = {0, 0};
    radial_scene s = healpix_scene(3);
    radial_case cases[] = {
        mexican_hat_case(0.5, M_PI), {.name = "window", .support = M_PI}, {.name = "zeros"}};
    check_ok(armilla_kernel_new_window(2, window, &cases[1].kernel));
    check_ok(armilla_kernel_new_table(2, theta, zeros, &cases[2].kernel));
    for (int i = 0; i < 3; i++) {
        armilla_radial_options options =
            options_of(&cases[i], ARMILLA_RADIAL_INTEGRAL, ARMILLA_RADIAL_FASTEST);
        refused(s.grid, cases[i].kernel, &options, "normalization");
        options.normalization = ARMILLA_RADIAL_SUM;
        refused(s.grid, cases[i].kernel, &options, "normalization");
        options.normalization = ARMILLA_RADIAL_NONE;
        armilla_radial *radial = plan_of(&s, &cases[i], &options);
        check_ok(armilla_radial_convolve(radial, s.map, s.out, NULL));
        armilla_radial_free(radial);
        close_case(&cases[i]);
    }
    close_scene(&s);
}

/* --- Calls ------------------------------------------------------------------------------------ */

typedef struct {
    const armilla_radial *radial;
    const void *map;
    const double *weights;
    void *out;
    double least;
    const armilla_exec *exec;
} call;

/* Calls 0, 2, 4 are of doubles; 4 and 5 have weights. */
static armilla_status run(int which, const call *c)
{
    switch (which) {
    case 0:
        return armilla_radial_convolve(c->radial, c->map, c->out, c->exec);
    case 1:
        return armilla_radial_convolve_float(c->radial, c->map, c->out, c->exec);
    case 2:
        return armilla_radial_adjoint(c->radial, c->map, c->out, c->exec);
    case 3:
        return armilla_radial_adjoint_float(c->radial, c->map, c->out, c->exec);
    case 4:
        return armilla_radial_convolve_weighted(c->radial, c->map, c->weights, c->least, -1, c->out,
                                                c->exec);
    default:
        return armilla_radial_convolve_weighted_float(c->radial, c->map, c->weights, c->least, -1,
                                                      c->out, c->exec);
    }
}

static void check_refused(int which, const call *c, const char *text, const double *out,
                          int64_t npix)
{
    const uint64_t before = checksum(out, (size_t)npix * sizeof *out);
    check_error(run(which, c), ARMILLA_ERROR_ARGUMENT, text);
    assert_true(before == checksum(out, (size_t)npix * sizeof *out));
}

static void check_wrong_exec(int which, const call *good, const double *out, int64_t npix)
{
    call c = *good;
    armilla_exec exec = one_thread();
    c.exec = &exec;
    exec.nthreads = -1;
    check_refused(which, &c, "nthreads", out, npix);
    exec = one_thread(), exec.ntrans = 0;
    check_refused(which, &c, "ntrans", out, npix);
    exec = one_thread(), exec.ntrans = 2, exec.map_distance = npix - 1;
    check_refused(which, &c, "map_distance", out, npix);
    exec = one_thread(), exec.size = 3;
    check_refused(which, &c, "size", out, npix);
}

static void check_wrong_weights(int which, call c, double *weights, const double *out, int64_t npix)
{
    static const double wrong[] = {-1, -5e-324, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        weights[npix - 2] = wrong[i];
        check_refused(which, &c, "weights[", out, npix);
        weights[npix - 2] = 1;
    }
    c.weights = NULL;
    check_refused(which, &c, "weights", out, npix);
    c.weights = weights, c.least = (double)NAN;
    check_refused(which, &c, "least", out, npix);
    c.least = -0.1;
    check_refused(which, &c, "least", out, npix);
    c.least = 1.1;
    check_refused(which, &c, "least", out, npix);
}

static void calls_name_what_is_wrong(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(2);
    radial_case k = gaussian_case(1, 0);
    armilla_radial *radial = plan_of(&s, &k, NULL);
    double *weights = checked_malloc(s.npix, 8);
    for (int64_t p = 0; p < s.npix; p++) weights[p] = 1;
    for (int which = 0; which < CALLS; which++) {
        const call good = {radial, s.map, weights, s.out, 0.1, NULL};
        call c = good;
        c.radial = NULL;
        check_refused(which, &c, "radial", s.out, s.npix);
        c = good, c.map = NULL;
        check_refused(which, &c, "map", s.out, s.npix);
        c = good, c.out = NULL;
        check_refused(which, &c, "out", s.out, s.npix);
        check_wrong_exec(which, &good, s.out, s.npix);
        if (which >= 4) check_wrong_weights(which, good, weights, s.out, s.npix);
        check_ok(run(which, &good));
    }
    free(weights);
    armilla_radial_free(radial);
    close_case(&k);
    close_scene(&s);
}

/* Sizes that are smaller than ours belong to older callers: only what fits is written. */
static void descriptions_keep_to_their_size(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(2);
    radial_case c = gaussian_case(1, 0);
    armilla_radial *radial = plan_of(&s, &c, NULL);
    armilla_radial_description d, whole = described(radial);
    memset(&d, 0x5a, sizeof d);
    const double mark = d.width;
    d.size = offsetof(armilla_radial_description, width);
    check_ok(armilla_radial_describe(radial, 1, &d));
    assert_true(d.support == whole.support && d.integral == whole.integral);
    assert_memory_equal(&d.width, &mark, sizeof mark);
    d.size = 0;
    check_error(armilla_radial_describe(radial, 1, &d), ARMILLA_ERROR_ARGUMENT, "size");
    d.size = sizeof d + 1;
    check_error(armilla_radial_describe(radial, 1, &d), ARMILLA_ERROR_ARGUMENT, "size");
    check_error(armilla_radial_describe(radial, 1, NULL), ARMILLA_ERROR_ARGUMENT, "description");
    check_error(armilla_radial_describe(NULL, 1, &whole), ARMILLA_ERROR_ARGUMENT, "radial");
    armilla_radial_free(radial);
    armilla_radial_free(NULL);
    armilla_radial_options_init(NULL);
    close_case(&c);
    close_scene(&s);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static armilla_grid *grid_number(int number)
{
    armilla_grid *grid, *part;
    if (number == 0) {
        check_ok(armilla_grid_new_healpix(3, &grid));
        return grid;
    }
    if (number == 1) {
        check_ok(armilla_grid_new_gauss_legendre(5, 11, &grid));
        return grid;
    }
    check_ok(armilla_grid_new_healpix(4, &grid));
    check_ok(armilla_grid_new_subset(grid, 2, 5, 0, &part));
    armilla_grid_free(grid);
    return part;
}
/* A grid, with room for Q and U. */
static radial_scene pair_scene(int number)
{
    radial_scene s = open_scene(grid_number(number));
    free(s.map);
    free(s.out);
    s.map = checked_malloc(2 * s.npix, sizeof *s.map);
    s.out = checked_calloc(2 * s.npix, sizeof *s.out);
    random_fill(71, 2 * s.npix, s.map);
    return s;
}

static armilla_status no_read(void *data, int64_t first, int64_t count, double *values)
{
    (void)data, (void)first, (void)count, (void)values;
    return ARMILLA_OK;
}

static armilla_status no_write(void *data, int64_t first, int64_t count, const double *values)
{
    (void)data, (void)first, (void)count, (void)values;
    return ARMILLA_OK;
}

static void streams_are_of_scalars(void **state)
{
    (void)state;
    radial_scene s = pair_scene(0);
    radial_case c = gaussian_case(1, 0);
    armilla_radial_options options = options_of(&c, 0, ARMILLA_RADIAL_PIXELS);
    options.spin = 2;
    armilla_radial *radial = plan_of(&s, &c, &options);
    armilla_radial_stream stream;
    armilla_radial_stream_init(&stream);
    stream.read = no_read, stream.write = no_write;
    check_error(armilla_radial_convolve_stream(radial, &stream, NULL), ARMILLA_ERROR_ARGUMENT,
                "spin = 0");
    armilla_radial_free(radial);
    close_case(&c);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_name_what_is_wrong),
        cmocka_unit_test(unknown_instruction_sets_are_refused),
        cmocka_unit_test(kernels_without_an_integral_are_not_normalised),
        cmocka_unit_test(calls_name_what_is_wrong),
        cmocka_unit_test(descriptions_keep_to_their_size),
        cmocka_unit_test(streams_are_of_scalars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks single precision on a GPU: calls of floats against the processor in doubles, adjointness,
 * bits, and which of the two precisions runs. ARMILLA_TEST_VERBOSE=1 prints errors;
 * ARMILLA_TEST_SINGLE_LMAX=1023 ARMILLA_TEST_SINGLE_SPIN=2 adds one large transform. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

static armilla_sht_options in_single(int64_t spin)
{
    armilla_sht_options options = on_gpu();
    options.spin = spin, options.device_precision = ARMILLA_DEVICE_PRECISION_SINGLE;
    return options;
}

static armilla_grid *gauss(int64_t nrings, int64_t nphi)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, nphi, &grid));
    return grid;
}

/* --- Which kernels run ------------------------------------------------------------------------ */

static int64_t singles, doubles; /* launches of the scalar recurrence */

static double count_launch(const char *from)
{
    if (strstr(from, "in_single")) singles++;
    if (strstr(from, "in_double")) doubles++;
    return 0;
}

static void count_launches(void)
{
    singles = doubles = 0;
    cuda_emulation_set_cost(count_launch);
}

/* --- Calls of floats -------------------------------------------------------------------------- */

/* What transforms of floats are held to: docs/testing.md. */
static double bound(int64_t lmax)
{
    return 1e-6 * (1 + (double)lmax / 1000);
}

typedef struct {
    int64_t nin, nout;
    float *in, *out;
} floats;

static floats floats_of(const pair_of_plans *p, int operation)
{
    floats f = {.nin = count_in(p, operation), .nout = count_out(p, operation)};
    f.in = checked_malloc(f.nin, sizeof(float)), f.out = checked_malloc(f.nout, sizeof(float));
    to_float(f.nin, input(p, operation), f.in);
    return f;
}

static void floats_clear(floats *f)
{
    free(f->out);
    free(f->in);
}

static void run_floats(const pair_of_plans *p, int operation, floats *f)
{
    const armilla_exec exec = exec_of(p);
    for (int64_t i = 0; i < f->nout; i++) f->out[i] = NAN;
    check_ok(operate_float(operation, p->gpu, f->in, f->out, &exec));
}

/* Wanted: the processor's result in doubles of the same floats; made: the GPU's. */
static double error_of(const pair_of_plans *p, int operation)
{
    const armilla_exec exec = exec_of(p);
    floats f = floats_of(p, operation);
    double *exact = checked_malloc(f.nin, sizeof *exact);
    to_double(f.nin, f.in, exact);
    check_ok(operate(operation, p->cpu, exact, p->wanted, &exec));
    run_floats(p, operation, &f);
    to_double(f.nout, f.out, p->made);
    free(exact);
    const double error = relative_error(f.nout, p->wanted, p->made);
    floats_clear(&f);
    return error;
}

static void check_plan(armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t ntrans,
                       const armilla_sht_options *options, const char *what)
{
    pair_of_plans p;
    plans_open(&p, grid, lmax, mmax, ntrans, options);
    for (int operation = 0; operation < OPERATORS; operation++) {
        count_launches();
        const double error = error_of(&p, operation);
        if (getenv("ARMILLA_TEST_VERBOSE"))
            print_message("%s, lmax %lld, spin %lld, operator %d: %.2g\n", what, (long long)lmax,
                          (long long)options->spin, operation, error);
        check_at_most(error, bound(lmax), "%s, lmax %lld, spin %lld, operator %d", what,
                      (long long)lmax, (long long)options->spin, operation);
        assert_int_equal(doubles, 0);
        assert_true(singles > 0 || options->spin); /* a vector next to the poles is in double */
    }
    cuda_emulation_set_cost(NULL);
    plans_close(&p);
}

/* Measured: 3e-7 at most, and 5.3e-7 in the tests below. Poles are rings of CC, MWSS and others. */
static void every_grid(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 3; spin++) {
        const armilla_sht_options options = in_single(spin);
        for (int i = 0; i < EXACT_KINDS; i++)
            check_plan(exact_grid(exact_kinds[i], 14, 11, 1, 0), 14, 11, 1, &options, "exact grid");
        check_plan(healpix_grid(4), 12, 12, 1, &options, "HEALPix");
        check_plan(gauss(80, 80), 39, 39, 1, &options, "Gauss-Legendre");
    }
    const armilla_sht_options options = in_single(0);
    check_plan(gauss(3, 4), 0, 0, 1, &options, "lmax 0");
    check_plan(healpix_grid(32), 64, 64, 1, &options, "rings by convolutions");
    check_plan(gauss(66, 132), 65, 65, 3, &options, "several transforms");
}

static void resampled_rings(void **state)
{
    (void)state;
    armilla_sht_options options = in_single(0);
    options.method = ARMILLA_SHT_RESAMPLE;
    check_plan(healpix_grid(4), 12, 12, 1, &options, "resampled");
}

/* High degrees on few rings, all orders: what the recurrence accumulates, and the range of floats,
 * which orders near lmax need most. From lmax 81 on some groups have fine vectors, whose sums are
 * two floats: without them the ring next to the equator has 1.7e-6 at lmax 255. */
static void high_degrees(void **state)
{
    (void)state;
    const int64_t end = checks_quick() ? 200 : 600;
    const armilla_sht_options options = in_single(0);
    for (int64_t lmax = 127; lmax < end; lmax = 2 * lmax + 1)
        check_plan(gauss(20, 2 * lmax + 2), lmax, lmax, 1, &options, "few rings");
    check_plan(gauss(255, 8), 255, 3, 1, &options, "rings next to the equator");
    check_plan(gauss(12, 8), 4 * end, 3, 1, &options, "few orders");
}

/* 1024 pairs, 512 of either form: each lane of each shape's largest block of threads has a pair;
 * the first rings next to the poles in double. Quick: the smallest shape and the largest. */
static void every_shape(void **state)
{
    (void)state;
    const char *shape;
    for (int64_t i = 0; (shape = armilla_device_shape_name(i)); i++)
        for (int64_t spin = 0; spin <= 2; spin += 2) {
            if (checks_quick() && i > 0 && armilla_device_shape_name(i + 1)) continue;
            armilla_sht_options options = in_single(spin);
            options.device_shape = shape;
            check_plan(gauss(2048, 8), spin ? 20 : 90, 3, spin ? 1 : 3, &options, shape);
        }
}

/* Sums of scalar functions cancel where they are divided by sin^s theta, most in the lowest
 * degrees. Measured: 1.1e-7 at most; where sums are one float, 2.6e-7, 4.5e-7, 8.5e-7. */
static void low_degrees_next_to_the_poles(void **state)
{
    (void)state;
    enum { LMAX = 20, MMAX = 3, LAST = 4 };
    for (int64_t spin = 1; spin <= 3; spin++) {
        const armilla_sht_options options = in_single(spin);
        pair_of_plans p;
        plans_open(&p, gauss(1200, 8), LMAX, MMAX, 1, &options);
        for (int64_t m = 0; m <= MMAX; m++)
            for (int64_t l = LAST + 1; l <= LMAX; l++)
                for (int i = 0; i < 4; i++) {
                    const int64_t place = armilla_alm_index(LMAX, l, m);
                    p.alm[2 * place + i % 2 + i / 2 * p.nalm / 2] = 0;
                }
        const double error = error_of(&p, 0);
        if (getenv("ARMILLA_TEST_VERBOSE"))
            print_message("low degrees, spin %lld: %.2g\n", (long long)spin, error);
        check_at_most(error, 2e-7, "spin %lld", (long long)spin);
        plans_close(&p);
    }
}

/* One transform as large as the environment says: for the table of docs/gpu_inside.md. */
static void the_transform_that_is_asked_for(void **state)
{
    (void)state;
    const char *largest = getenv("ARMILLA_TEST_SINGLE_LMAX");
    const char *spin = getenv("ARMILLA_TEST_SINGLE_SPIN");
    if (!largest) skip();
    const int64_t lmax = atoll(largest);
    const armilla_sht_options options = in_single(spin ? atoll(spin) : 0);
    check_plan(gauss(lmax + 1, 2 * lmax + 2), lmax, lmax, 1, &options, "asked for");
}

/* Adds x, made as long as y, to y: their product is then no small number. */
static void add_as_long(int64_t count, const float *x, float *y)
{
    double of_x = 0, of_y = 0;
    for (int64_t i = 0; i < count; i++) {
        of_x += (double)x[i] * (double)x[i];
        of_y += (double)y[i] * (double)y[i];
    }
    for (int64_t i = 0; i < count; i++) y[i] += (float)(sqrt(of_y / of_x) * (double)x[i]);
}

/* <Y a, m> = <a, Y^T m>, and the same with W: far better than single numbers, whose roundings are
 * of either sign. m is Y a and as much that is random. Measured: 7e-10. */
static void adjoints(void **state)
{
    (void)state;
    const int adjoint_of[2][2] = {{0, 1}, {3, 2}}; /* operators: alm to map, map to alm */
    const int64_t lmax = 90;
    for (int64_t spin = 0; spin <= 2; spin += 2)
        for (int pair = 0; pair < 2; pair++) {
            const armilla_sht_options options = in_single(spin);
            const int64_t parts = spin ? 2 : 1, size = 2 * armilla_alm_size(lmax, lmax);
            double maps = 0, alms = 0, lengths[2] = {0, 0};
            pair_of_plans p;
            plans_open(&p, gauss(lmax + 40, 2 * lmax + 2), lmax, lmax, 1, &options);
            floats f = floats_of(&p, adjoint_of[pair][0]), g = floats_of(&p, adjoint_of[pair][1]);
            run_floats(&p, adjoint_of[pair][0], &f);
            add_as_long(f.nout, f.out, g.in);
            run_floats(&p, adjoint_of[pair][1], &g);
            for (int64_t i = 0; i < f.nout; i++) {
                maps += (double)f.out[i] * (double)g.in[i];
                lengths[0] += (double)f.out[i] * (double)f.out[i];
                lengths[1] += (double)g.in[i] * (double)g.in[i];
            }
            for (int64_t part = 0; part < parts; part++) {
                to_double(size, f.in + part * size, p.wanted);
                to_double(size, g.out + part * size, p.made);
                alms += dot_alm(lmax, lmax, p.wanted, p.made);
            }
            const double error = fabs(maps - alms) / sqrt(lengths[0] * lengths[1]);
            if (getenv("ARMILLA_TEST_VERBOSE"))
                print_message("adjoint, spin %lld, pair %d of operators: %.2g, product %.2g\n",
                              (long long)spin, pair, error, maps / sqrt(lengths[0] * lengths[1]));
            check_at_most(error, 5e-9, "spin %lld, pair %d of operators", (long long)spin, pair);
            floats_clear(&g);
            floats_clear(&f);
            plans_close(&p);
        }
}

/* --- Bits ------------------------------------------------------------------------------------- */

/* Tiles of several warps: sums of two are the same in either sequence. */
static void bits_do_not_change_from_run_to_run(void **state)
{
    (void)state;
    const armilla_sht_options options = in_single(0);
    const cuda_emulation_order orders[] = {CUDA_EMULATION_REVERSED, CUDA_EMULATION_RANDOM};
    pair_of_plans p;
    plans_open(&p, gauss(2200, 10), 90, 4, 3, &options);
    for (int operation = 0; operation < OPERATORS; operation++) {
        floats first = floats_of(&p, operation), again = floats_of(&p, operation);
        run_floats(&p, operation, &first);
        for (int i = 0; i < 2; i++) {
            cuda_emulation_set_order(orders[i], 9);
            run_floats(&p, operation, &again);
            cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
            assert_memory_equal(first.out, again.out, (size_t)first.nout * sizeof(float));
        }
        floats_clear(&again);
        floats_clear(&first);
    }
    plans_close(&p);
}

/* Calls of doubles have the bits of a plan in double precision, and its kernels. */
static void doubles_stay_doubles(void **state)
{
    (void)state;
    const armilla_sht_options single = in_single(0);
    armilla_sht_options in_double = in_single(0);
    in_double.device_precision = ARMILLA_DEVICE_PRECISION_DOUBLE;
    pair_of_plans p, q;
    plans_open(&p, gauss(300, 10), 90, 4, 1, &single);
    plans_open(&q, gauss(300, 10), 90, 4, 1, &in_double);
    for (int operation = 0; operation < OPERATORS; operation++) {
        count_launches();
        check_ok(operate(operation, p.gpu, input(&p, operation), p.made, NULL));
        assert_true(singles == 0 && doubles > 0);
        check_ok(operate(operation, q.gpu, input(&q, operation), q.made, NULL));
        assert_memory_equal(p.made, q.made, (size_t)count_out(&p, operation) * sizeof(double));
        count_launches();
        check_floats(&q, operation); /* to the rounding of the result */
        assert_true(singles == 0 && doubles > 0);
        cuda_emulation_set_cost(NULL);
    }
    plans_close(&q);
    plans_close(&p);
}

/* --- The choice ------------------------------------------------------------------------------- */

static void check_precision(const armilla_sht_options *options, const char *precision)
{
    armilla_sht *sht;
    armilla_sht_description d = {.size = sizeof d};
    armilla_grid *grid = gauss(8, 14);
    check_ok(armilla_sht_new(grid, 6, 6, options, &sht));
    check_ok(armilla_sht_describe(sht, 1, &d));
    if (precision)
        assert_string_equal(d.device_precision, precision);
    else
        assert_null(d.device_precision);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* By the ratio of the two precisions' speeds, and only where single precision is there. */
static void auto_asks_the_device(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    assert_int_equal(options.device_precision, ARMILLA_DEVICE_PRECISION_AUTO);
    check_precision(&options, "double");
    cuda_emulation_set_precision_ratio(15);
    check_precision(&options, "double");
    cuda_emulation_set_precision_ratio(16);
    check_precision(&options, "single");
    options.spin = -2;
    check_precision(&options, "single");
    options.spin_method = ARMILLA_SPIN_RECURRENCE;
    check_precision(&options, "double");
    options.spin = 0;
    check_precision(&options, "single");
    options.spin = 4, options.spin_method = ARMILLA_SPIN_AUTO;
    check_precision(&options, "double");
    options.spin = 0, options.device_precision = ARMILLA_DEVICE_PRECISION_DOUBLE;
    check_precision(&options, "double");
    options.device = ARMILLA_CPU;
    check_precision(&options, NULL);
    cuda_emulation_set_precision_ratio(2);
    options = in_single(1);
    check_precision(&options, "single");
}

/* Tuning keeps choices of the two precisions apart, and measures calls of floats in single. */
static void tuning_knows_the_precision(void **state)
{
    (void)state;
    armilla_sht_options options = in_single(0);
    options.device_tune = ARMILLA_DEVICE_TUNE_MEASURE;
    count_launches();
    check_precision(&options, "single");
    assert_true(singles > 0 && doubles == 0);
    count_launches();
    check_precision(&options, "single");
    assert_true(singles == 0 && doubles == 0);
    options.device_precision = ARMILLA_DEVICE_PRECISION_DOUBLE;
    check_precision(&options, "double");
    assert_true(singles == 0 && doubles > 0);
    cuda_emulation_set_cost(NULL);
}

static void wrong_arguments(void **state)
{
    (void)state;
    armilla_sht *sht = NULL;
    armilla_grid *grid = gauss(8, 14);
    armilla_sht_options options = in_single(4);
    const char *name = "device_precision = ARMILLA_DEVICE_PRECISION_SINGLE";
    check_error(armilla_sht_new(grid, 6, 6, &options, &sht), ARMILLA_ERROR_UNSUPPORTED, name);
    options = in_single(2), options.spin_method = ARMILLA_SPIN_RECURRENCE;
    check_error(armilla_sht_new(grid, 6, 6, &options, &sht), ARMILLA_ERROR_UNSUPPORTED, name);
    options = in_single(0);
    check_error(armilla_sht_new(grid, 65536, 0, &options, &sht), ARMILLA_ERROR_UNSUPPORTED, name);
    options.device_precision = (armilla_device_precision)5;
    check_error(armilla_sht_new(grid, 6, 6, &options, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->device_precision = 5");
    armilla_grid_free(grid);
}

/* Each allocation of the device fails in turn: an error, and nothing is lost. */
static void failures_are_reported(void **state)
{
    (void)state;
    const armilla_sht_options options = in_single(0);
    const int64_t before = cuda_emulation_live_bytes();
    armilla_grid *grid = exact_grid(ARMILLA_GRID_CC, 6, 6, 1, 0);
    armilla_sht *sht;
    cuda_emulation_fail_after(-1);
    check_ok(armilla_sht_new(grid, 6, 6, &options, &sht));
    const int64_t count = cuda_emulation_fail_after(-1);
    armilla_sht_free(sht);
    assert_true(count > 20);
    for (int64_t i = 0; i < count; i++) {
        cuda_emulation_fail_after(i);
        assert_int_equal(armilla_sht_new(grid, 6, 6, &options, &sht), ARMILLA_ERROR_MEMORY);
        assert_int_equal(cuda_emulation_live_bytes(), before);
    }
    cuda_emulation_fail_after(-1);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_grid),
        cmocka_unit_test(resampled_rings),
        cmocka_unit_test(high_degrees),
        cmocka_unit_test(every_shape),
        cmocka_unit_test(low_degrees_next_to_the_poles),
        cmocka_unit_test(the_transform_that_is_asked_for),
        cmocka_unit_test(adjoints),
        cmocka_unit_test(bits_do_not_change_from_run_to_run),
        cmocka_unit_test(doubles_stay_doubles),
        cmocka_unit_test(auto_asks_the_device),
        cmocka_unit_test(tuning_knows_the_precision),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(failures_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

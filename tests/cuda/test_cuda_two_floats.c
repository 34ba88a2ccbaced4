/* Checks calls of doubles whose Legendre functions a GPU makes in two floats: against the processor
 * in doubles, numbers far from 1, adjointness, bits, and when they run. ARMILLA_TEST_VERBOSE=1
 * prints errors. Orders one by one: test_cuda_two_floats_orders.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

static armilla_sht_options in_two_floats(int64_t spin)
{
    armilla_sht_options options = on_gpu();
    options.spin = spin, options.device_precision = ARMILLA_DEVICE_PRECISION_TWO_FLOATS;
    return options;
}

static armilla_grid *gauss(int64_t nrings, int64_t nphi)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, nphi, &grid));
    return grid;
}

/* --- Which kernels run ------------------------------------------------------------------------ */

static int64_t twos, singles; /* launches of the scalar recurrence */

static double count_launch(const char *from)
{
    if (strstr(from, "in_two_floats")) twos++;
    if (strstr(from, "in_single")) singles++;
    return 0;
}

static void count_launches(void)
{
    twos = singles = 0;
    cuda_emulation_set_cost(count_launch);
}

/* --- Errors ----------------------------------------------------------------------------------- */

/* What include/armilla/device.h promises. */
static double bound(int64_t lmax)
{
    return 2e-12 * (1 + (double)lmax / 1000);
}

/* A call on both plans; the processor's result is in p->wanted, the GPU's in p->made. */
static double error_of(const pair_of_plans *p, int operation)
{
    const armilla_exec exec = exec_of(p);
    const int64_t count = count_out(p, operation);
    for (int64_t i = 0; i < count; i++) p->made[i] = NAN;
    check_ok(operate(operation, p->cpu, input(p, operation), p->wanted, &exec));
    check_ok(operate(operation, p->gpu, input(p, operation), p->made, &exec));
    return relative_error(count, p->wanted, p->made);
}

static void check_open_plan(const pair_of_plans *p, int64_t lmax, const char *what)
{
    for (int operation = 0; operation < OPERATORS; operation++) {
        count_launches();
        const double error = error_of(p, operation);
        if (getenv("ARMILLA_TEST_VERBOSE"))
            print_message("%s, lmax %lld, operator %d: %.2g\n", what, (long long)lmax, operation,
                          error);
        check_at_most(error, bound(lmax), "%s, lmax %lld, operator %d", what, (long long)lmax,
                      operation);
        assert_int_equal(singles, 0);
    }
    cuda_emulation_set_cost(NULL);
}

/* On few rings with one next to the equator all are in doubles. */
static void check_plan(armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t ntrans,
                       const armilla_sht_options *options, const char *what)
{
    pair_of_plans p;
    plans_open(&p, grid, lmax, mmax, ntrans, options);
    check_open_plan(&p, lmax, what);
    assert_true(twos > 0 || options->spin || armilla_grid_nrings(p.grid) < 200);
    plans_close(&p);
}

static void every_grid(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 3; spin++) {
        const armilla_sht_options options = in_two_floats(spin);
        for (int i = 0; i < (spin ? 1 : EXACT_KINDS); i++)
            check_plan(exact_grid(exact_kinds[i], 14, 11, 1, 0), 14, 11, 1, &options, "exact grid");
        check_plan(healpix_grid(4), 12, 12, 1, &options, "HEALPix");
        check_plan(gauss(80, 80), 39, 39, 1, &options, "Gauss-Legendre");
    }
    const armilla_sht_options options = in_two_floats(0);
    check_plan(gauss(3, 4), 0, 0, 1, &options, "lmax 0");
    check_plan(gauss(66, 132), 65, 65, 3, &options, "several transforms");
}

/* High degrees on few rings, all orders: what the recurrence accumulates, and the range of floats,
 * which orders near lmax need most. */
static void high_degrees(void **state)
{
    (void)state;
    const int64_t end = checks_quick() ? 200 : 600;
    const armilla_sht_options options = in_two_floats(0);
    for (int64_t lmax = 127; lmax < end; lmax = 2 * lmax + 1)
        check_plan(gauss(20, 2 * lmax + 2), lmax, lmax, 1, &options, "few rings");
    check_plan(gauss(255, 8), 255, 3, 1, &options, "rings next to the equator");
    check_plan(gauss(12, 8), 4 * end, 3, 1, &options, "few orders");
    check_plan(gauss(checks_quick() ? 2000 : 8192, 8), checks_quick() ? 1023 : 4095, 0, 1, &options,
               "order 0, rings between those that carry it");
    for (int64_t spin = 1; spin <= 3; spin++) {
        const armilla_sht_options of_spin = in_two_floats(spin);
        check_plan(gauss(200, 16), 255, 3, 1, &of_spin, "few orders of spin");
    }
}

/* 1024 pairs: each lane of each shape's largest block of threads has a pair. */
static void every_shape(void **state)
{
    (void)state;
    const char *shape;
    for (int64_t i = 0; (shape = armilla_device_shape_name(i)); i++)
        for (int64_t spin = 0; spin <= 2; spin += 2) {
            if (checks_quick() && i > 0 && armilla_device_shape_name(i + 1)) continue;
            armilla_sht_options options = in_two_floats(spin);
            options.device_shape = shape;
            check_plan(gauss(2048, 8), spin ? 20 : 60, 3, spin ? 1 : 3, &options, shape);
        }
}

/* As little memory as there can be: leg comes in blocks, which end within tiles' runs; orders come
 * in lots. */
static void little_memory(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        armilla_sht_options options = in_two_floats(spin);
        options.device_bytes = 1;
        check_plan(healpix_grid(16), 31, 31, 2, &options, "HEALPix");
        check_plan(gauss(1200, 4), 40, 1, 1, &options, "many rings");
        check_plan(gauss(1200, 4), 40, 0, 1, &options, "many rings, order 0");
    }
}

/* --- The range of doubles --------------------------------------------------------------------- */

/* Inputs times a power of two give results times that power, bit by bit: floats reach from 2^-149
 * to 2^128 alone. */
static void scales_are_those_of_doubles(void **state)
{
    (void)state;
    const int powers[] = {-900, -300, 300, 900};
    const armilla_sht_options options = in_two_floats(0);
    pair_of_plans p;
    plans_open(&p, gauss(70, 100), 40, 40, 2, &options);
    for (int operation = 0; operation < OPERATORS; operation++)
        for (int i = 0; i < 4; i++) {
            double *in = gives_map(operation) ? p.alm : p.map;
            const int64_t nin = count_in(&p, operation), nout = count_out(&p, operation);
            const armilla_exec exec = exec_of(&p);
            check_ok(operate(operation, p.gpu, in, p.wanted, &exec));
            for (int64_t k = 0; k < nin; k++) in[k] = ldexp(in[k], powers[i]);
            check_ok(operate(operation, p.gpu, in, p.made, &exec));
            for (int64_t k = 0; k < nin; k++) in[k] = ldexp(in[k], -powers[i]);
            for (int64_t k = 0; k < nout; k++) p.wanted[k] = ldexp(p.wanted[k], powers[i]);
            assert_memory_equal(p.wanted, p.made, (size_t)nout * sizeof(double));
        }
    plans_close(&p);
}

/* The transforms of a call have scales of their own: one that is 1e-200 of another keeps its
 * digits, and gives the bits of a call of its own. */
static void transforms_do_not_share_a_scale(void **state)
{
    (void)state;
    const armilla_sht_options options = in_two_floats(0);
    pair_of_plans p;
    plans_open(&p, gauss(40, 60), 25, 25, 2, &options);
    for (int64_t k = p.nalm / 2; k < p.nalm; k++) p.alm[k] *= 1e-200;
    for (int64_t k = p.nmap / 2; k < p.nmap; k++) p.map[k] *= 1e-200;
    for (int operation = 0; operation < OPERATORS; operation++) {
        const double *in = input(&p, operation);
        const int64_t nin = count_in(&p, operation), nout = count_out(&p, operation);
        error_of(&p, operation);
        check_at_most(relative_error(nout / 2, p.wanted + nout / 2, p.made + nout / 2), bound(25),
                      "operator %d", operation);
        check_ok(operate(operation, p.gpu, in + nin / 2, p.wanted, NULL));
        assert_memory_equal(p.wanted, p.made + nout / 2, (size_t)nout / 2 * sizeof(double));
    }
    plans_close(&p);
}

/* A coefficient that is no number or infinite is in all pixels; zeros give zeros. */
static void what_is_no_number_propagates(void **state)
{
    (void)state;
    const armilla_sht_options options = in_two_floats(0);
    const double values[] = {NAN, INFINITY, 0};
    pair_of_plans p;
    plans_open(&p, gauss(12, 20), 8, 8, 1, &options);
    for (int i = 0; i < 3; i++) {
        if (i == 2) memset(p.alm, 0, (size_t)p.nalm * sizeof(double));
        p.alm[2 * armilla_alm_index(8, 5, 1)] = values[i];
        check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.made, NULL));
        for (int64_t k = 0; k < p.nmap; k++)
            assert_true(i < 2 ? !isfinite(p.made[k]) : p.made[k] == 0);
    }
    plans_close(&p);
}

/* --- Adjoints and bits ------------------------------------------------------------------------ */

/* <Y a, m> = <a, Y^T m>, with m = Y a, so that the product is as large as it can be. */
static void adjoints(void **state)
{
    (void)state;
    const int64_t lmax = 90, size = 2 * armilla_alm_size(lmax, lmax);
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        const armilla_sht_options options = in_two_floats(spin);
        double maps = 0, alms = 0;
        pair_of_plans p;
        plans_open(&p, gauss(lmax + 40, 2 * lmax + 2), lmax, lmax, 1, &options);
        check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.map, NULL));
        check_ok(armilla_sht_adjoint_synthesis(p.gpu, p.map, p.made, NULL));
        for (int64_t i = 0; i < p.nmap; i++) maps += p.map[i] * p.map[i];
        for (int64_t i = 0; i < p.nalm; i += size)
            alms += dot_alm(lmax, lmax, p.alm + i, p.made + i);
        check_at_most(fabs(maps / alms - 1), 1e-12, "spin %lld", (long long)spin);
        plans_close(&p);
    }
}

/* Tiles of several warps: sums of two are the same in either sequence. */
static void bits_do_not_change_from_run_to_run(void **state)
{
    (void)state;
    const armilla_sht_options options = in_two_floats(0);
    const cuda_emulation_order orders[] = {CUDA_EMULATION_REVERSED, CUDA_EMULATION_RANDOM};
    pair_of_plans p;
    plans_open(&p, gauss(2200, 10), 40, 4, 3, &options);
    const armilla_exec exec = exec_of(&p);
    for (int operation = 0; operation < OPERATORS; operation++) {
        check_ok(operate(operation, p.gpu, input(&p, operation), p.wanted, &exec));
        for (int i = 0; i < 2; i++) {
            cuda_emulation_set_order(orders[i], 9);
            check_ok(operate(operation, p.gpu, input(&p, operation), p.made, &exec));
            cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
            assert_memory_equal(p.wanted, p.made,
                                (size_t)count_out(&p, operation) * sizeof(double));
        }
    }
    plans_close(&p);
}

/* --- The choice ------------------------------------------------------------------------------- */

static void check_choice(const armilla_sht_options *options, const char *of_floats,
                         const char *of_doubles)
{
    armilla_sht *sht;
    armilla_sht_description d = {.size = sizeof d};
    armilla_grid *grid = gauss(8, 14);
    check_ok(armilla_sht_new(grid, 6, 6, options, &sht));
    check_ok(armilla_sht_describe(sht, 1, &d));
    if (of_floats) {
        assert_string_equal(d.device_precision, of_floats);
        assert_string_equal(d.device_doubles, of_doubles);
    } else {
        assert_null(d.device_doubles);
    }
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* By the ratio of the two precisions' speeds, and only where two floats are possible. */
static void auto_asks_the_device(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    check_choice(&options, "double", "double");
    cuda_emulation_set_precision_ratio(16);
    check_choice(&options, "single", "two floats");
    options.spin = 4;
    check_choice(&options, "double", "double");
    options.spin = -3;
    check_choice(&options, "single", "two floats");
    options.device_precision = ARMILLA_DEVICE_PRECISION_SINGLE;
    check_choice(&options, "single", "double");
    options.device_precision = ARMILLA_DEVICE_PRECISION_DOUBLE;
    check_choice(&options, "double", "double");
    options.device = ARMILLA_CPU;
    check_choice(&options, NULL, NULL);
    cuda_emulation_set_precision_ratio(2);
    options = in_two_floats(1);
    check_choice(&options, "single", "two floats");
}

/* Degrees above the limit are made in doubles where nobody asks, and refused where somebody does.
 */
static void wrong_arguments(void **state)
{
    (void)state;
    const int64_t most = 16383;
    const char *name = "device_precision = ARMILLA_DEVICE_PRECISION_TWO_FLOATS";
    armilla_sht_description d = {.size = sizeof d};
    armilla_sht *sht = NULL;
    armilla_grid *grid = gauss(8, 14);
    armilla_sht_options options = in_two_floats(4);
    check_error(armilla_sht_new(grid, 6, 6, &options, &sht), ARMILLA_ERROR_UNSUPPORTED, name);
    options = in_two_floats(2), options.spin_method = ARMILLA_SPIN_RECURRENCE;
    check_error(armilla_sht_new(grid, 6, 6, &options, &sht), ARMILLA_ERROR_UNSUPPORTED, name);
    options = in_two_floats(0);
    check_error(armilla_sht_new(grid, most + 1, 0, &options, &sht), ARMILLA_ERROR_UNSUPPORTED,
                "TWO_FLOATS: lmax is larger than 16383");
    cuda_emulation_set_precision_ratio(64);
    options.device_precision = ARMILLA_DEVICE_PRECISION_AUTO;
    check_ok(armilla_sht_new(grid, most + 1, 0, &options, &sht));
    check_ok(armilla_sht_describe(sht, 1, &d));
    assert_string_equal(d.device_precision, "single");
    assert_string_equal(d.device_doubles, "double");
    cuda_emulation_set_precision_ratio(2);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_grid),
        cmocka_unit_test(high_degrees),
        cmocka_unit_test(every_shape),
        cmocka_unit_test(little_memory),
        cmocka_unit_test(scales_are_those_of_doubles),
        cmocka_unit_test(transforms_do_not_share_a_scale),
        cmocka_unit_test(what_is_no_number_propagates),
        cmocka_unit_test(adjoints),
        cmocka_unit_test(bits_do_not_change_from_run_to_run),
        cmocka_unit_test(auto_asks_the_device),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

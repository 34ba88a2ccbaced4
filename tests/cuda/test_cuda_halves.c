/* Checks sums by products of halves on a GPU: calls of floats against the processor in doubles, by
 * the rms of maps and of each degree; bits, which calls have them, and which GPUs
 * refuse them. ARMILLA_TEST_VERBOSE=1 prints errors; ARMILLA_TEST_HALVES_LMAX=1279
 * ARMILLA_TEST_HALVES_ORDERS=8 adds large transforms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

static armilla_sht_options in_halves(int64_t spin)
{
    armilla_sht_options options = on_gpu();
    options.spin = spin, options.device_precision = ARMILLA_DEVICE_PRECISION_HALVES;
    return options;
}

static armilla_grid *gauss(int64_t nrings, int64_t nphi)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, nphi, &grid));
    return grid;
}

/* --- Which kernels run ------------------------------------------------------------------------ */

static int64_t halves, others; /* launches of the scalar recurrence */

static double count_launch(const char *from)
{
    if (strstr(from, "halves")) halves++;
    if (strstr(from, "kernel_shape")) others++;
    return 0;
}

/* --- Errors ----------------------------------------------------------------------------------- */

typedef struct {
    double rms, largest;
} errors;

/* Over the rms of what is wanted. */
static errors errors_of(int64_t n, const double *wanted, const float *made)
{
    double size = 0, square = 0, largest = 0;
    for (int64_t i = 0; i < n; i++) {
        const double error = fabs((double)made[i] - wanted[i]);
        assert_true(isfinite(made[i]));
        size += wanted[i] * wanted[i], square += error * error;
        largest = fmax(largest, error);
    }
    return (errors){sqrt(square / size), largest / sqrt(size / (double)n)};
}

/* The largest, over all degrees, of the rms of a degree's errors over that of its coefficients. */
static double degree_error(const pair_of_plans *p, int64_t lmax, int64_t mmax, const double *wanted,
                           const float *made)
{
    const int64_t of_one = 2 * armilla_alm_size(lmax, mmax), count = p->nalm / of_one;
    double worst = 0;
    for (int64_t l = 0; l <= lmax; l++) {
        double size = 0, square = 0;
        for (int64_t i = 0; i < count; i++)
            for (int64_t m = 0; m <= mmax && m <= l; m++)
                for (int part = 0; part < 2; part++) {
                    const int64_t at = i * of_one + 2 * armilla_alm_index(lmax, l, m) + part;
                    const double error = (double)made[at] - wanted[at];
                    size += wanted[at] * wanted[at], square += error * error;
                }
        if (size > 0) worst = fmax(worst, sqrt(square / size));
    }
    return worst;
}

/* The results in doubles on the processor and in floats on the GPU, of the same floats. */
static void run_both(const pair_of_plans *p, int operation, float *made)
{
    const armilla_exec exec = exec_of(p);
    const int64_t nin = count_in(p, operation), nout = count_out(p, operation);
    float *in = checked_malloc(nin, sizeof *in);
    double *exact = checked_malloc(nin, sizeof *exact);
    to_float(nin, input(p, operation), in);
    to_double(nin, in, exact);
    for (int64_t i = 0; i < nout; i++) made[i] = NAN;
    check_ok(operate(operation, p->cpu, exact, p->wanted, &exec));
    check_ok(operate_float(operation, p->gpu, in, made, &exec));
    free(exact);
    free(in);
}

static int is_verbose(void)
{
    return getenv("ARMILLA_TEST_VERBOSE") != NULL;
}

/* Takes the grid. Spectra fall as (l + 1)^-slope. Returned: launches of the kernels of halves. */
static int64_t check_plan(armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t ntrans, int slope,
                          const armilla_sht_options *options, const char *what)
{
    pair_of_plans p;
    int64_t all_halves = 0;
    plans_open(&p, grid, lmax, mmax, ntrans, options);
    const int64_t of_one = 2 * armilla_alm_size(lmax, mmax);
    for (int64_t i = 0; slope && i < p.nalm / of_one; i++)
        for (int64_t m = 0; m <= mmax; m++)
            for (int64_t l = m; l <= lmax; l++)
                for (int part = 0; part < 2; part++)
                    p.alm[i * of_one + 2 * armilla_alm_index(lmax, l, m) + part] *=
                        pow((double)l + 1, -slope);
    for (int operation = 0; operation < OPERATORS; operation++) {
        const int64_t nout = count_out(&p, operation);
        float *made = checked_malloc(nout, sizeof *made);
        halves = others = 0;
        cuda_emulation_set_cost(count_launch);
        run_both(&p, operation, made);
        cuda_emulation_set_cost(NULL);
        const errors e = errors_of(nout, p.wanted, made);
        const double of_degrees =
            gives_map(operation) ? 0 : degree_error(&p, lmax, mmax, p.wanted, made);
        if (is_verbose())
            print_message("%s, lmax %lld, spin %lld, operator %d: rms %.2g, largest %.2g, degrees "
                          "%.2g\n",
                          what, (long long)lmax, (long long)options->spin, operation, e.rms,
                          e.largest, of_degrees);
        check_at_most(e.rms, 5e-7, "%s, lmax %lld, operator %d", what, (long long)lmax, operation);
        check_at_most(of_degrees, 1e-6, "degrees of %s, lmax %lld, operator %d", what,
                      (long long)lmax, operation);
        assert_true(halves > 0);
        assert_true(others == 0 || options->spin); /* groups next to the poles are in double */
        all_halves += halves;
        free(made);
    }
    plans_close(&p);
    return all_halves;
}

static void every_grid(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 3; spin++) {
        const armilla_sht_options options = in_halves(spin);
        const int64_t ntrans = spin ? 3 : 5;
        for (int i = 0; i < EXACT_KINDS; i++)
            check_plan(exact_grid(exact_kinds[i], 14, 11, 1, 0), 14, 11, ntrans, 0, &options,
                       "exact grid");
        check_plan(healpix_grid(4), 12, 12, ntrans, 0, &options, "HEALPix");
        check_plan(gauss(80, 80), 39, 39, ntrans, 0, &options, "Gauss-Legendre");
    }
    armilla_sht_options options = in_halves(-2);
    check_plan(gauss(80, 80), 39, 39, 3, 0, &options, "negative spin");
    options = in_halves(1), options.mode = ARMILLA_SHT_DERIVATIVES;
    check_plan(gauss(80, 80), 39, 39, 3, 0, &options, "derivatives");
    options = in_halves(0), options.method = ARMILLA_SHT_RESAMPLE;
    check_plan(healpix_grid(4), 12, 12, 5, 0, &options, "resampled");
    options = in_halves(0);
    check_plan(gauss(3, 4), 0, 0, 5, 0, &options, "lmax 0");
    check_plan(gauss(80, 8), 79, 1, 5, 0, &options, "order 1");
    check_plan(gauss(66, 132), 65, 65, 37, 0, &options, "many transforms");
}

/* High degrees: of few orders, or on few rings. */
static void high_degrees(void **state)
{
    (void)state;
    const armilla_sht_options options = in_halves(0);
    check_plan(gauss(20, 256), 127, 127, 5, 0, &options, "few rings");
    for (int slope = 0; slope <= 3; slope += 3)
        check_plan(gauss(512, 8), 511, 3, 5, slope, &options, "few orders");
    for (int64_t spin = 1; spin <= 3; spin++) {
        const armilla_sht_options of_spin = in_halves(spin);
        check_plan(gauss(400, 8), 399, 3, 3, 0, &of_spin, "few orders");
    }
}

/* With little memory, the Legendre stage takes orders in lots: more launches than with much. */
static void orders_in_lots(void **state)
{
    (void)state;
    armilla_sht_options options = in_halves(0);
    const int64_t at_once = check_plan(gauss(200, 12), 1023, 2, 5, 0, &options, "orders at once");
    options.device_bytes = 400000;
    const int64_t in_lots = check_plan(gauss(200, 12), 1023, 2, 5, 0, &options, "orders in lots");
    assert_true(in_lots > at_once);
}

/* Analysis by iteration takes one map after the other, and so is in doubles. */
static void pseudo_analysis(void **state)
{
    (void)state;
    const armilla_sht_options options = in_halves(0);
    armilla_pseudo_options pseudo;
    armilla_pseudo_options_init(&pseudo);
    pseudo.method = ARMILLA_PSEUDO_JACOBI, pseudo.max_iterations = 3;
    pair_of_plans p;
    plans_open(&p, healpix_grid(16), 24, 24, 5, &options);
    const armilla_exec exec = exec_of(&p);
    float *map = checked_malloc(p.nmap, sizeof *map), *made = checked_malloc(p.nalm, sizeof *made);
    to_float(p.nmap, p.map, map);
    to_double(p.nmap, map, p.map);
    halves = 0;
    cuda_emulation_set_cost(count_launch);
    check_ok(armilla_sht_pseudo_analysis_float(p.gpu, map, made, &pseudo, NULL, &exec));
    cuda_emulation_set_cost(NULL);
    check_ok(armilla_sht_pseudo_analysis(p.cpu, p.map, p.wanted, &pseudo, NULL, &exec));
    check_at_most(errors_of(p.nalm, p.wanted, made).rms, 1e-6, "pseudo-analysis");
    assert_int_equal(halves, 0);
    free(map), free(made);
    plans_close(&p);
}

static void the_transforms_that_are_asked_for(void **state)
{
    (void)state;
    const char *largest = getenv("ARMILLA_TEST_HALVES_LMAX");
    const char *orders = getenv("ARMILLA_TEST_HALVES_ORDERS");
    if (!largest) skip();
    const int64_t lmax = atoll(largest), mmax = orders ? atoll(orders) : lmax;
    for (int64_t spin = 0; spin <= 3; spin++)
        for (int slope = 0; slope <= 3; slope += 3) {
            const armilla_sht_options options = in_halves(spin);
            check_plan(gauss(lmax + 1, 2 * mmax + 2), lmax, mmax, spin ? 3 : 5, slope, &options,
                       slope ? "asked for, steep" : "asked for, white");
        }
}

/* --- Bits and scales -------------------------------------------------------------------------- */

/* Tiles of several warps, and several tiles. */
static void bits_do_not_change_from_run_to_run(void **state)
{
    (void)state;
    const armilla_sht_options options = in_halves(0);
    const cuda_emulation_order orders[] = {CUDA_EMULATION_REVERSED, CUDA_EMULATION_RANDOM};
    pair_of_plans p;
    plans_open(&p, gauss(1100, 10), 60, 4, 6, &options);
    for (int operation = 0; operation < OPERATORS; operation++) {
        const int64_t nout = count_out(&p, operation);
        float *first = checked_malloc(nout, sizeof *first),
              *again = checked_malloc(nout, sizeof *again);
        run_both(&p, operation, first);
        for (int i = 0; i < 2; i++) {
            cuda_emulation_set_order(orders[i], 9);
            run_both(&p, operation, again);
            cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
            assert_memory_equal(first, again, (size_t)nout * sizeof *first);
        }
        free(again);
        free(first);
    }
    plans_close(&p);
}

/* Numbers are brought to the range of halves by powers of two, of each order and set. */
static void results_scale_with_their_input(void **state)
{
    (void)state;
    const armilla_sht_options options = in_halves(0);
    pair_of_plans p;
    plans_open(&p, gauss(20, 40), 19, 19, 5, &options);
    for (int operation = 0; operation < 2; operation++)
        for (int power = -90; power <= 90; power += 180) {
            const int64_t nin = count_in(&p, operation), nout = count_out(&p, operation);
            double *in = (double *)input(&p, operation);
            float *first = checked_malloc(nout, sizeof *first),
                  *scaled = checked_malloc(nout, sizeof *scaled);
            run_both(&p, operation, first);
            for (int64_t i = 0; i < nin; i++) in[i] = ldexp((double)(float)in[i], power);
            run_both(&p, operation, scaled);
            for (int64_t i = 0; i < nin; i++) in[i] = ldexp(in[i], -power);
            for (int64_t i = 0; i < nout; i++)
                if (scaled[i] != ldexpf(first[i], power))
                    fail_msg("operator %d, 2^%d, number %lld: %g of %g", operation, power,
                             (long long)i, (double)scaled[i], (double)first[i]);
            free(scaled);
            free(first);
        }
    plans_close(&p);
}

/* What is no number stays in its transform. */
static void what_is_no_number_stays_one(void **state)
{
    (void)state;
    const armilla_sht_options options = in_halves(0);
    pair_of_plans p;
    plans_open(&p, gauss(20, 40), 19, 19, 5, &options);
    const armilla_exec exec = exec_of(&p);
    float *alm = checked_malloc(p.nalm, sizeof *alm), *map = checked_malloc(p.nmap, sizeof *map);
    to_float(p.nalm, p.alm, alm);
    alm[2 * p.nalm / 5 + 2 * armilla_alm_index(19, 7, 3)] = INFINITY; /* of transform 2 */
    check_ok(armilla_sht_synthesis_float(p.gpu, alm, map, &exec));
    for (int64_t i = 0; i < p.nmap; i++)
        if (!isfinite(map[i]) != (i / (p.nmap / 5) == 2))
            fail_msg("pixel %lld is %g", (long long)i, (double)map[i]);
    free(map);
    free(alm);
    plans_close(&p);
}

/* --- The choice ------------------------------------------------------------------------------- */

static void check_launches(int64_t ntrans, int64_t spin, int are_halves)
{
    const armilla_sht_options options = in_halves(spin);
    pair_of_plans p;
    plans_open(&p, gauss(20, 40), 19, 19, ntrans, &options);
    float *made = checked_malloc(p.nalm > p.nmap ? p.nalm : p.nmap, sizeof *made);
    for (int operation = 0; operation < 2; operation++) {
        halves = others = 0;
        cuda_emulation_set_cost(count_launch);
        run_both(&p, operation, made);
        cuda_emulation_set_cost(NULL);
        assert_int_equal(halves > 0, are_halves);
        assert_int_equal(others > 0, !are_halves);
    }
    free(made);
    plans_close(&p);
}

static void few_sets_are_in_doubles(void **state)
{
    (void)state;
    check_launches(4, 0, 0);
    check_launches(5, 0, 1);
    check_launches(2, 2, 0);
}

/* Calls of doubles have the bits of a plan in double precision. */
static void doubles_stay_doubles(void **state)
{
    (void)state;
    const armilla_sht_options options = in_halves(0), plain = on_gpu();
    pair_of_plans p, q;
    plans_open(&p, gauss(20, 40), 19, 19, 5, &options);
    plans_open(&q, gauss(20, 40), 19, 19, 5, &plain);
    const armilla_exec exec = exec_of(&p);
    for (int operation = 0; operation < OPERATORS; operation++) {
        check_ok(operate(operation, p.gpu, input(&p, operation), p.made, &exec));
        check_ok(operate(operation, q.gpu, input(&p, operation), q.made, &exec));
        assert_memory_equal(p.made, q.made, (size_t)count_out(&p, operation) * sizeof(double));
    }
    plans_close(&q);
    plans_close(&p);
}

static armilla_status try_plan(int64_t lmax, const armilla_sht_options *options,
                               armilla_sht_description *d)
{
    armilla_grid *grid = gauss(8, 14);
    armilla_sht *sht = NULL;
    const armilla_status status = armilla_sht_new(grid, lmax, 2, options, &sht);
    if (!status) check_ok(armilla_sht_describe(sht, 1, d));
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    return status;
}

static void plans_say_what_they_are_in(void **state)
{
    (void)state;
    static const int without[] = {75, 86, 89, 100, 120};
    const char *name = "device_precision = ARMILLA_DEVICE_PRECISION_HALVES";
    armilla_sht_description d = {.size = sizeof d};
    armilla_sht_options options = in_halves(0);
    check_ok(try_plan(6, &options, &d));
    assert_string_equal(d.device_precision, "halves");
    assert_string_equal(d.device_doubles, "double");
    check_error(try_plan(16384, &options, &d), ARMILLA_ERROR_UNSUPPORTED, name);
    options.spin = 4;
    check_error(try_plan(6, &options, &d), ARMILLA_ERROR_UNSUPPORTED, name);
    options.spin = 2, options.spin_method = ARMILLA_SPIN_RECURRENCE;
    check_error(try_plan(6, &options, &d), ARMILLA_ERROR_UNSUPPORTED, name);
    options = in_halves(0);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        cuda_emulation_set_capability(without[i]);
        check_error(try_plan(6, &options, &d), ARMILLA_ERROR_UNSUPPORTED, name);
    }
    cuda_emulation_set_capability(90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_grid),
        cmocka_unit_test(high_degrees),
        cmocka_unit_test(orders_in_lots),
        cmocka_unit_test(pseudo_analysis),
        cmocka_unit_test(the_transforms_that_are_asked_for),
        cmocka_unit_test(bits_do_not_change_from_run_to_run),
        cmocka_unit_test(results_scale_with_their_input),
        cmocka_unit_test(what_is_no_number_stays_one),
        cmocka_unit_test(few_sets_are_in_doubles),
        cmocka_unit_test(doubles_stay_doubles),
        cmocka_unit_test(plans_say_what_they_are_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

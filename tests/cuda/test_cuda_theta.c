/* The theta stage on a GPU: analysis where weights mix rings, and fewer rings for the Legendre
 * stage (RESAMPLE), are those of the processor; operators are each other's transposes, analysis is
 * exact up to the last band limit, bits depend on nothing but the plan, memory is what the plan
 * tells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

/* Measured: 1.3e-14 against the processor, 2.3e-14 there and back. */
static const double BOUND = 1e-13;

static const armilla_grid_kind mixing_kinds[] = {ARMILLA_GRID_CC, ARMILLA_GRID_F1, ARMILLA_GRID_MW,
                                                 ARMILLA_GRID_MWSS, ARMILLA_GRID_MWFLIP};
enum { KINDS = sizeof mixing_kinds / sizeof *mixing_kinds };

static armilla_sht_options defaults(void)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    return options;
}

/* Operators from `first` on are the processor's. Returned: what the plan for the GPU tells. */
static armilla_sht_description check_plan(armilla_grid *grid, int64_t lmax, int64_t mmax,
                                          int64_t ntrans, int first,
                                          const armilla_sht_options *options, const char *what)
{
    pair_of_plans p;
    plans_open(&p, grid, lmax, mmax, ntrans, options);
    const armilla_exec exec = exec_of(&p);
    for (int operation = first; operation < OPERATORS; operation++) {
        const int64_t count = count_out(&p, operation);
        random_fill(3, count, p.wanted); /* gaps of a map stay as they are */
        check_ok(operate(operation, p.cpu, input(&p, operation), p.wanted, &exec));
        random_fill(3, count, p.made);
        check_ok(operate(operation, p.gpu, input(&p, operation), p.made, &exec));
        check_at_most(relative_error(count, p.wanted, p.made), BOUND,
                      "%s, %lld rings, lmax %lld, mmax %lld, spin %lld: operator %d", what,
                      (long long)armilla_grid_nrings(grid), (long long)lmax, (long long)mmax,
                      (long long)options->spin, operation);
    }
    armilla_sht_description told = {.size = sizeof told};
    check_ok(armilla_sht_describe(p.gpu, 1, &told));
    plans_close(&p);
    return told;
}

/* --- Quadrature ------------------------------------------------------------------------------ */

/* Maps are random numbers, of all frequencies; rings as few as lmax allows, and more. */
static void analysis_is_the_processors(void **state)
{
    (void)state;
    armilla_sht_options options = defaults();
    for (int i = 0; i < KINDS; i++)
        for (options.spin = 0; options.spin <= 3; options.spin++)
            for (int64_t lmax = 12; lmax <= 13; lmax++)
                for (int64_t extra = 0; extra <= 1; extra++)
                    check_plan(exact_grid(mixing_kinds[i], lmax, lmax - options.spin, extra, 0),
                               lmax, lmax - options.spin, 1, 2, &options, "quadrature");
    options.spin = -2;
    check_plan(exact_grid(ARMILLA_GRID_MW, 9, 9, 0, 0), 9, 9, 1, 2, &options, "spin -2");
    options.spin = 4;
    check_plan(exact_grid(ARMILLA_GRID_CC, 9, 9, 3, 0), 9, 9, 1, 2, &options, "spin 4");
    options.mode = ARMILLA_SHT_GRADIENT_ONLY;
    check_plan(exact_grid(ARMILLA_GRID_F1, 9, 7, 0, 0), 9, 7, 1, 2, &options, "gradient only");
}

/* As few rings as there can be, and lengths with large prime factors. */
static void small_and_odd_sizes(void **state)
{
    (void)state;
    const armilla_sht_options options = defaults();
    for (int i = 0; i < KINDS; i++)
        for (int64_t lmax = 0; lmax <= 3; lmax++)
            check_plan(exact_grid(mixing_kinds[i], lmax, 0, 0, 0), lmax, 0, 1, 2, &options,
                       "few rings");
    check_plan(exact_grid(ARMILLA_GRID_CC, 3, 3, 40, 0), 3, 3, 1, 2, &options, "many rings");
    check_plan(exact_grid(ARMILLA_GRID_F1, 46, 5, 0, 0), 46, 5, 1, 2, &options, "47 rings");
    check_plan(exact_grid(ARMILLA_GRID_MW, 72, 4, 0, 0), 72, 4, 1, 2, &options, "73 rings");
    check_plan(exact_grid(ARMILLA_GRID_MWFLIP, 63, 63, 0, 0), 63, 63, 1, 2, &options, "MWFLIP");
}

static void several_transforms(void **state)
{
    (void)state;
    armilla_sht_options options = defaults();
    for (int64_t ntrans = 2; ntrans <= 7; ntrans++)
        check_plan(exact_grid(ARMILLA_GRID_CC, 6, 6, 0, 0), 6, 6, ntrans, 0, &options, "several");
    options.spin = 2;
    check_plan(exact_grid(ARMILLA_GRID_MW, 6, 5, 0, 0), 6, 5, 3, 0, &options, "several");
}

/* alm from their own map: nothing of the processor's is the judge. */
static void analysis_is_exact(void **state)
{
    (void)state;
    armilla_sht_options options = defaults();
    for (int i = 0; i < KINDS; i++)
        for (options.spin = 0; options.spin <= 2; options.spin += 2) {
            pair_of_plans p;
            plans_open(&p, exact_grid(mixing_kinds[i], 17, 17, 0, 0), 17, 17, 1, &options);
            check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.map, NULL));
            check_ok(armilla_sht_analysis(p.gpu, p.map, p.made, NULL));
            double error = 0;
            for (int64_t lm = 0, m = 0; m <= 17; m++)
                for (int64_t l = m; l <= 17; l++, lm++)
                    for (int64_t part = 0; part < (options.spin ? 2 : 1); part++) {
                        if (l < options.spin) continue; /* there is no such function */
                        const int64_t at = part * p.nalm / 2 + 2 * lm;
                        error = larger_or_nan(error, fabs(p.alm[at] - p.made[at]));
                        error = larger_or_nan(error, fabs(p.alm[at + 1] - p.made[at + 1]));
                    }
            check_at_most(error, BOUND, "round trip, kind %d, spin %lld", (int)mixing_kinds[i],
                          (long long)options.spin);
            plans_close(&p);
        }
}

/* Rows from the south, from east to west, along theta, with gaps, shifted: W mixes rings still. */
static void laid_out_otherwise(void **state)
{
    (void)state;
    static const armilla_grid_layout layouts[] = {
        {.size = sizeof layouts[0], .phi0 = 0.3, .south_first = 1, .west_first = 1},
        {.size = sizeof layouts[0], .ring_stride = 40, .west_first = 1},
        {.size = sizeof layouts[0], .theta_contiguous = 1, .south_first = 1}};
    armilla_sht_options options = defaults();
    for (int i = 0; i < KINDS; i++)
        for (int j = 0; j < 3; j++) {
            armilla_grid *plain = exact_grid(mixing_kinds[i], 12, 12, 1, 0), *grid;
            options.spin = 2 * ((i + j) % 2);
            check_ok(armilla_grid_new_laid_out(plain, &layouts[j], &grid));
            armilla_grid_free(plain);
            const armilla_sht_description told = check_plan(grid, 12, 12, 1, 1, &options, "layout");
            assert_true(told.exact == 1 && strcmp(told.method, "theta weights") == 0);
        }
}

static double dot_alms(const pair_of_plans *p, int64_t lmax, int64_t mmax, const double *a,
                       const double *b)
{
    const int64_t size = 2 * armilla_alm_size(lmax, mmax);
    double sum = 0;
    for (int64_t i = 0; i < p->nalm; i += size) sum += dot_alm(lmax, mmax, a + i, b + i);
    return sum;
}

/* <analysis(map), alm> = <map, adjoint(alm)>, of any map and any alm. */
static void operators_are_transposes(void **state)
{
    (void)state;
    enum { LMAX = 15, MMAX = 14 };
    armilla_sht_options options = defaults();
    for (int i = 0; i < 2 * KINDS; i++)
        for (options.spin = 0; options.spin <= 3; options.spin++) {
            pair_of_plans p;
            options.method = i < KINDS ? ARMILLA_SHT_DIRECT : ARMILLA_SHT_RESAMPLE;
            plans_open(&p, exact_grid(mixing_kinds[i % KINDS], LMAX, MMAX, 2, 0), LMAX, MMAX, 1,
                       &options);
            double *there = p.wanted, *back = p.made;
            for (int weighted = 0; weighted < 2; weighted++) {
                check_ok(operate(weighted ? 2 : 1, p.gpu, p.map, there, NULL));
                const double left = dot_alms(&p, LMAX, MMAX, there, p.alm);
                const double size = sqrt(dot_alms(&p, LMAX, MMAX, there, there) *
                                         dot_alms(&p, LMAX, MMAX, p.alm, p.alm));
                check_ok(operate(weighted ? 3 : 0, p.gpu, p.alm, back, NULL));
                check_at_most(fabs(left - dot_maps(p.nmap, p.map, back)) / size, 1e-15,
                              "kind %d, spin %lld, weighted %d", (int)mixing_kinds[i % KINDS],
                              (long long)options.spin, weighted);
            }
            plans_close(&p);
        }
}

/* --- Fewer rings ------------------------------------------------------------------------------ */

/* Rings on poles, rings without mirror images, a ring alone at the equator, gaps at the poles. */
static void fewer_rings_are_the_processors(void **state)
{
    (void)state;
    armilla_sht_options options = defaults();
    options.method = ARMILLA_SHT_RESAMPLE;
    for (int i = 0; i < EXACT_KINDS; i++)
        for (options.spin = 0; options.spin <= 3; options.spin++)
            check_plan(exact_grid(exact_kinds[i], 13, 12, options.spin, 0), 13, 12, 1, 0, &options,
                       "fewer rings");
    for (options.spin = 0; options.spin <= 2; options.spin += 2) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_healpix(16, &grid));
        check_plan(grid, 20, 20, 3, 0, &options, "fewer rings, HEALPix");
        check_ok(armilla_grid_new_healpix(2, &grid)); /* 7 rings: rows of near ones are longer */
        check_plan(grid, 30, 30, 1, 0, &options, "more rings, HEALPix");
    }
    pair_of_plans p;
    plans_open(&p, exact_grid(ARMILLA_GRID_MW, 9, 9, 0, 0), 9, 9, 1, &options);
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_sht_describe(p.gpu, 1, &d));
    assert_string_equal(d.method, "resampled");
    plans_close(&p);
}

/* --- Memory and bits ---------------------------------------------------------------------------
 */

static void floats(void **state)
{
    (void)state;
    const armilla_sht_options options = defaults();
    pair_of_plans p;
    plans_open(&p, exact_grid(ARMILLA_GRID_MWSS, 20, 20, 0, 0), 20, 20, 2, &options);
    for (int operation = 2; operation < OPERATORS; operation++) check_floats(&p, operation);
    plans_close(&p);
}

/* One column at a time, all at once, threads in other sequences: the same bits. A call takes the
 * memory that was told, and not more. */
static void bits_and_memory(void **state)
{
    (void)state;
    enum { LMAX = 20 };
    armilla_sht_options options = defaults();
    for (options.spin = 0; options.spin <= 2; options.spin += 2) {
        pair_of_plans p;
        plans_open(&p, exact_grid(ARMILLA_GRID_MW, LMAX, LMAX, 0, 0), LMAX, LMAX, 1, &options);
        armilla_sht *little;
        options.device = ARMILLA_CUDA, options.device_bytes = 1;
        check_ok(armilla_sht_new(p.grid, LMAX, LMAX, &options, &little));
        options.device_bytes = 0;
        armilla_sht_description large = {.size = sizeof large}, small = large;
        check_ok(armilla_sht_describe(p.gpu, 1, &large));
        check_ok(armilla_sht_describe(little, 1, &small));
        assert_string_equal(large.method, "theta weights");
        assert_true(small.device_workspace_bytes < large.device_workspace_bytes);
        for (int operation = 2; operation < OPERATORS; operation++) {
            const size_t bytes = (size_t)count_out(&p, operation) * sizeof(double);
            double *in = to_device(input(&p, operation), 8 * count_in(&p, operation));
            double *out = to_device(p.made, (int64_t)bytes);
            check_ok(operate(operation, p.gpu, input(&p, operation), p.wanted, NULL));
            const int64_t before = cuda_emulation_live_bytes();
            cuda_emulation_most_bytes();
            check_ok(operate(operation, little, in, out, NULL));
            assert_true(cuda_emulation_most_bytes() - before <= small.device_workspace_bytes);
            from_device(p.made, out, (int64_t)bytes);
            assert_memory_equal(p.wanted, p.made, bytes);
            cuda_emulation_set_order(CUDA_EMULATION_REVERSED, 0);
            check_ok(operate(operation, p.gpu, in, out, NULL));
            cuda_emulation_set_order(CUDA_EMULATION_RANDOM, 5);
            from_device(p.made, out, (int64_t)bytes);
            assert_memory_equal(p.wanted, p.made, bytes);
            check_ok(operate(operation, p.gpu, input(&p, operation), p.made, NULL));
            cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
            assert_memory_equal(p.wanted, p.made, bytes);
            cudaFree(in);
            cudaFree(out);
        }
        armilla_sht_free(little);
        plans_close(&p);
    }
}

/* The result is there when the stream has been waited for, and not before. */
static void nothing_waits_for_the_device(void **state)
{
    (void)state;
    const armilla_sht_options options = defaults();
    pair_of_plans p;
    plans_open(&p, exact_grid(ARMILLA_GRID_CC, 8, 8, 0, 0), 8, 8, 1, &options);
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    armilla_exec exec = exec_of(&p);
    exec.stream = stream;
    check_ok(armilla_sht_analysis(p.gpu, p.map, p.wanted, NULL));
    double *in = to_device(p.map, 8 * p.nmap), *out = to_device(p.wanted, 8 * p.nalm);
    cuda_emulation_set_deferred(1);
    check_ok(armilla_sht_analysis(p.gpu, in, out, &exec));
    assert_int_equal(cudaStreamQuery(stream), cudaErrorNotReady);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    cuda_emulation_set_deferred(0);
    from_device(p.made, out, 8 * p.nalm);
    assert_memory_equal(p.wanted, p.made, (size_t)p.nalm * 8);
    cudaFree(in);
    cudaFree(out);
    cudaStreamDestroy(stream);
    plans_close(&p);
}

/* The recurrence's tables, 33 bytes a step (docs/gpu_inside.md), which do not depend on the rings,
 * are on the device once: without that F1 would take twice as much as Gauss-Legendre rings. */
static void flows_share_tables(void **state)
{
    (void)state;
    const int64_t lmax = 400, steps = (lmax + 2) * (lmax + 2) / 4;
    const armilla_sht_options options = defaults();
    pair_of_plans one, two;
    plans_open(&one, exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, lmax, lmax, 0, 0), lmax, lmax, 1,
               &options);
    plans_open(&two, exact_grid(ARMILLA_GRID_F1, lmax, lmax, 0, 0), lmax, lmax, 1, &options);
    armilla_sht_description first = {.size = sizeof first}, second = first;
    check_ok(armilla_sht_describe(one.gpu, 1, &first));
    check_ok(armilla_sht_describe(two.gpu, 1, &second));
    const double more = (double)(second.device_plan_bytes - first.device_plan_bytes);
    assert_true(more > 0);
    check_at_most(more / (33 * (double)steps), 0.5, "bytes of a second flow, in tables");
    plans_close(&two);
    plans_close(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(analysis_is_the_processors),
        cmocka_unit_test(small_and_odd_sizes),
        cmocka_unit_test(several_transforms),
        cmocka_unit_test(analysis_is_exact),
        cmocka_unit_test(laid_out_otherwise),
        cmocka_unit_test(operators_are_transposes),
        cmocka_unit_test(fewer_rings_are_the_processors),
        cmocka_unit_test(floats),
        cmocka_unit_test(bits_and_memory),
        cmocka_unit_test(nothing_waits_for_the_device),
        cmocka_unit_test(flows_share_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

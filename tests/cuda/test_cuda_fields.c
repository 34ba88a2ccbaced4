/* Several fields of spin s in one call on the emulated GPU: they go through one leg, two share a
 * recurrence, and each has the bits that it has alone; memory keeps its bound; adjoints are exact.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

/* Measured: 2e-14 at most. */
static const double BOUND = 1e-13;

static armilla_sht_options of_spin(int64_t spin)
{
    armilla_sht_options options = on_gpu();
    options.spin = spin;
    return options;
}

/* --- Which kernels run ------------------------------------------------------------------------ */

static int64_t shared, alone; /* launches of the large kernels: for two fields, and for one */

static double count_launch(const char *from)
{
    shared += strstr(from, "launch<in_double, 4>") || strstr(from, "launch<2>");
    alone += strstr(from, "launch<in_double, 2>") || strstr(from, "launch<1>");
    return 0;
}

static void count_launches(void)
{
    shared = alone = 0;
    cuda_emulation_set_cost(count_launch);
}

/* --- The same as one by one ------------------------------------------------------------------- */

/* The operator, field by field, on the GPU; into p->wanted. */
static void run_one_by_one(const pair_of_plans *p, int operation)
{
    const int64_t in = count_in(p, operation) / p->ntrans,
                  out = count_out(p, operation) / p->ntrans;
    for (int64_t t = 0; t < p->ntrans; t++)
        check_ok(
            operate(operation, p->gpu, input(p, operation) + t * in, p->wanted + t * out, NULL));
}

static void check_operator(const pair_of_plans *p, int operation, const char *what)
{
    const armilla_exec exec = exec_of(p);
    const int64_t count = count_out(p, operation);
    const size_t bytes = (size_t)count * sizeof(double);
    check_ok(operate(operation, p->cpu, input(p, operation), p->wanted, &exec));
    random_fill(3, count, p->made);
    check_ok(operate(operation, p->gpu, input(p, operation), p->made, &exec));
    check_at_most(relative_error(count, p->wanted, p->made), BOUND, "%s: operator %d", what,
                  operation);
    run_one_by_one(p, operation);
    assert_memory_equal(p->wanted, p->made, bytes);
    if (operation > 1) return; /* the kernels of synthesis and of its adjoint once more */
    cuda_emulation_set_order(CUDA_EMULATION_RANDOM, 5);
    check_ok(operate(operation, p->gpu, input(p, operation), p->made, &exec));
    cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
    assert_memory_equal(p->wanted, p->made, bytes);
}

static void fields_have_the_bits_that_they_have_alone(void **state)
{
    (void)state;
    const int64_t spins[] = {1, 2, 5}, ntrans[] = {1, 2, 3, 5};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            const armilla_sht_options options = of_spin(spins[i]);
            check_operators(check_operator, healpix_grid(4), 11, 9, ntrans[j], &options, "HEALPix");
            if (ntrans[j] == 3)
                check_operators(check_operator,
                                exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 17, 17, 0, 0), 17, 17, 3,
                                &options, "Gauss-Legendre");
        }
}

/* Batches of scalars share recurrences, too. */
static void scalars_have_the_bits_that_they_have_alone(void **state)
{
    (void)state;
    const armilla_sht_options options = of_spin(0);
    for (int64_t ntrans = 3; ntrans <= 7; ntrans += 2)
        check_operators(check_operator, healpix_grid(3), 8, 8, ntrans, &options, "scalars");
}

static void modes_and_other_ways(void **state)
{
    (void)state;
    armilla_sht_options options = of_spin(2);
    options.mode = ARMILLA_SHT_GRADIENT_ONLY;
    check_operators(check_operator, healpix_grid(4), 11, 11, 3, &options, "gradient only");
    options.mode = ARMILLA_SHT_DERIVATIVES;
    check_operators(check_operator, healpix_grid(3), 7, 7, 3, &options, "second derivatives");
    options.spin = 1;
    check_operators(check_operator, healpix_grid(3), 7, 7, 3, &options, "derivatives");
    options = of_spin(-2);
    options.spin_method = ARMILLA_SPIN_RECURRENCE;
    check_operators(check_operator, healpix_grid(4), 11, 11, 3, &options, "recurrence");
    options = of_spin(2);
    check_operators(check_operator, exact_grid(ARMILLA_GRID_CC, 14, 11, 1, 0), 14, 11, 3, &options,
                    "weights that mix rings");
    options.method = ARMILLA_SHT_RESAMPLE;
    check_operators(check_operator, healpix_grid(4), 11, 11, 3, &options, "resampled");
}

/* 38 pairs: for spin 2 those next to the poles have functions of their own, others sums of scalar
 * ones. */
static void two_fields_share_a_recurrence(void **state)
{
    (void)state;
    for (int64_t spin = 2; spin <= 5; spin += 3)
        for (int64_t ntrans = 1; ntrans <= 5; ntrans++) {
            const armilla_sht_options options = of_spin(spin);
            const int64_t kinds = spin == 2 ? 2 : 1;
            pair_of_plans p;
            plans_open(&p, exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 75, 3, 0, 0), 12, 3, ntrans,
                       &options);
            const armilla_exec exec = exec_of(&p);
            for (int operation = 0; operation < OPERATORS; operation++) {
                count_launches();
                check_ok(operate(operation, p.gpu, input(&p, operation), p.made, &exec));
                assert_int_equal(shared, kinds * (ntrans >= 2)); /* however many twos */
                assert_int_equal(alone, kinds * (ntrans % 2));
            }
            cuda_emulation_set_cost(NULL);
            plans_close(&p);
        }
}

/* --- Floats ----------------------------------------------------------------------------------- */

static void check_floats_alone(const pair_of_plans *p, int operation, double bound)
{
    const armilla_exec exec = exec_of(p);
    const int64_t nin = count_in(p, operation), nout = count_out(p, operation);
    const int64_t in_step = nin / p->ntrans, out_step = nout / p->ntrans;
    float *in = checked_malloc(nin, sizeof *in), *out = checked_malloc(nout, sizeof *out);
    float *each = checked_malloc(nout, sizeof *each);
    to_float(nin, input(p, operation), in);
    check_ok(operate_float(operation, p->gpu, in, out, &exec));
    for (int64_t t = 0; t < p->ntrans; t++)
        check_ok(operate_float(operation, p->gpu, in + t * in_step, each + t * out_step, NULL));
    assert_memory_equal(out, each, (size_t)nout * sizeof *out);
    to_double(nout, out, p->made);
    check_ok(operate_float(operation, p->cpu, in, out, &exec));
    to_double(nout, out, p->wanted);
    check_at_most(relative_error(nout, p->wanted, p->made), bound, "float operator %d", operation);
    free(each);
    free(out);
    free(in);
}

/* In single precision there are sums of scalar functions only, spins up to 3; 38 pairs, of which
 * the first 32 have functions of their own. */
static void floats_in_either_precision(void **state)
{
    (void)state;
    const int64_t spins[] = {2, 1, 5}, ntrans[] = {3, 5};
    for (int i = 0; i < 3; i++)
        for (int single = 0; single < (spins[i] < 4 ? 2 : 1); single++)
            for (int j = 0; j < 2; j++) {
                armilla_sht_options options = of_spin(spins[i]);
                options.device_precision =
                    single ? ARMILLA_DEVICE_PRECISION_SINGLE : ARMILLA_DEVICE_PRECISION_DOUBLE;
                pair_of_plans p;
                plans_open(&p, exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 75, 3, 0, 0), 20, 3,
                           ntrans[j], &options);
                for (int operation = 0; operation < OPERATORS; operation++)
                    check_floats_alone(&p, operation, single ? 1.1e-6 : 1.2e-7);
                plans_close(&p);
            }
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* The most device memory of a call beside its arrays, which are on the device. */
static int64_t bytes_of_call(const pair_of_plans *p, int operation)
{
    armilla_exec exec = exec_of(p);
    const int64_t in_bytes = 8 * count_in(p, operation), out_bytes = 8 * count_out(p, operation);
    double *in = to_device(input(p, operation), in_bytes), *out = to_device(p->wanted, out_bytes);
    const int64_t before = cuda_emulation_live_bytes();
    cuda_emulation_most_bytes();
    check_ok(operate(operation, p->gpu, in, out, &exec));
    assert_int_equal(cudaStreamSynchronize(exec.stream), cudaSuccess);
    const int64_t most = cuda_emulation_most_bytes();
    from_device(p->made, out, out_bytes);
    cudaFree(out);
    cudaFree(in);
    return most - before;
}

/* Bits are those of the fields alone, by the same plan. Returned: whether two went together. */
static int check_memory(int64_t spin, int64_t device_bytes)
{
    /* leg and scratch begin at multiples of 256 bytes; the least that a plan allows by default */
    enum { PARTS = 2 * 256, LEAST = 512 << 20 };
    armilla_sht_options options = of_spin(spin);
    armilla_sht_description d = {.size = sizeof d};
    int together = 0;
    pair_of_plans p;
    options.device_bytes = device_bytes;
    plans_open(&p, healpix_grid(8), 14, 14, 3, &options);
    check_ok(armilla_sht_describe(p.gpu, 1, &d));
    for (int operation = 0; operation < OPERATORS; operation++) {
        count_launches();
        const int64_t bytes = bytes_of_call(&p, operation);
        if (getenv("ARMILLA_TEST_VERBOSE"))
            print_message("spin %lld, %lld bytes allowed: %lld taken, %lld told, together %lld\n",
                          (long long)spin, (long long)device_bytes, (long long)bytes,
                          (long long)d.device_workspace_bytes, (long long)shared);
        const int64_t allowed = (device_bytes ? device_bytes : LEAST) + PARTS;
        assert_true(bytes <= allowed || bytes <= d.device_workspace_bytes);
        together += shared > 0;
        cuda_emulation_set_cost(NULL);
        run_one_by_one(&p, operation);
        assert_memory_equal(p.wanted, p.made, (size_t)count_out(&p, operation) * 8);
    }
    plans_close(&p);
    assert_true(together == 0 || together == OPERATORS);
    return together > 0;
}

/* Half of the bytes are for legs. One of a field has 16 pairs x 15 orders x 64 bytes, and some more
 * for rows that begin at round addresses. */
static void fewer_go_together_where_memory_is_short(void **state)
{
    (void)state;
    const int64_t spins[] = {2, 5}, leg = 16 * 15 * 64;
    for (int i = 0; i < 2; i++) {
        assert_false(check_memory(spins[i], 1));
        assert_false(check_memory(spins[i], 4 * leg - 2));
        assert_true(check_memory(spins[i], 5 * leg));
        assert_true(check_memory(spins[i], 0));
    }
}

/* --- Adjoints and gaps ------------------------------------------------------------------------ */

/* (Y a, m) = (a, Y^T m) for m = Y a, fields together, so that nothing cancels; then with weights.
 */
static void adjoints_are_exact(void **state)
{
    (void)state;
    enum { LMAX = 20, NTRANS = 3 };
    const int64_t spins[] = {1, 2, 5}, size = 2 * armilla_alm_size(LMAX, LMAX);
    for (int i = 0; i < 3; i++) {
        const armilla_sht_options options = of_spin(spins[i]);
        pair_of_plans p;
        plans_open(&p, healpix_grid(6), LMAX, LMAX, NTRANS, &options);
        const armilla_exec exec = exec_of(&p);
        for (int weighted = 0; weighted < 2; weighted++) {
            check_ok(operate(weighted ? 3 : 0, p.gpu, p.alm, p.map, &exec));
            check_ok(operate(weighted ? 2 : 1, p.gpu, p.map, p.made, &exec));
            const double there = dot_maps(p.nmap, p.map, p.map);
            double back = 0;
            for (int64_t k = 0; k < 2 * NTRANS; k++)
                back += dot_alm(LMAX, LMAX, p.alm + k * size, p.made + k * size);
            const double error = fabs(there - back) / there;
            if (getenv("ARMILLA_TEST_VERBOSE"))
                print_message("adjointness, spin %lld: %.2g\n", (long long)spins[i], error);
            check_at_most(error, 1e-15, "spin %lld", (long long)spins[i]);
        }
        plans_close(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_have_the_bits_that_they_have_alone),
        cmocka_unit_test(scalars_have_the_bits_that_they_have_alone),
        cmocka_unit_test(modes_and_other_ways),
        cmocka_unit_test(two_fields_share_a_recurrence),
        cmocka_unit_test(floats_in_either_precision),
        cmocka_unit_test(fewer_go_together_where_memory_is_short),
        cmocka_unit_test(adjoints_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

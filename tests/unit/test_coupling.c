/* Checks spectra through masks against sums of 3j symbols, their adjoints, threads, short memory
 * and wrong plans. */
#include "unit/test_coupling_support.h"

/* --- Against 3j symbols ------------------------------------------------------------------------
 */

/* What a spectrum `from` adds to `to`, among EE, EB, BE, BB: 1: M+, -1: M-, 0: nothing; *negative:
 * with a minus. */
static int sign_of(int from, int to, int *negative)
{
    *negative = from != to && (from == 1 || from == 2);
    if (from == to) return 1;
    return from + to == 3 ? -1 : 0;
}

static double expected(const double *mask, int lmask, const int64_t spin[2], int64_t ncl,
                       const double *cl, int64_t to, int l)
{
    const int s1 = (int)spin[0], s2 = (int)spin[1];
    double sum = 0;
    for (int other = 0; other <= LMAX; other++)
        for (int from = 0; from < ncl; from++) {
            int negative = 0;
            const int sign = ncl == 4 ? sign_of(from, (int)to, &negative) : 0;
            if (ncl == 4 ? !sign : from != to) continue;
            const double m = coupling_oracle_matrix(l, other, lmask, mask, s1, s2, sign);
            sum += (negative ? -m : m) * cl[from * LENGTH + other];
        }
    return sum;
}

static void check_products(int64_t lmask, const int64_t spin[2])
{
    enum { NTRANS = 3 };
    armilla_coupling *plan = new_plan(LMAX, lmask, spin);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = NTRANS;
    const int64_t ncl = armilla_coupling_ncl(plan), size = NTRANS * MASKS * ncl * LENGTH;
    double *masks = new_masks(lmask), *cl = new_random(size, 5), *coupled = new_random(size, 6);
    check_ok(armilla_coupling_apply(plan, cl, coupled, &exec));
    for (int64_t i = 0; i < size; i++) {
        const int64_t spectrum = i / LENGTH, first = spectrum / ncl * ncl * LENGTH;
        const double *mask = masks + spectrum / ncl % MASKS * (lmask + 1);
        const double want =
            expected(mask, (int)lmask, spin, ncl, cl + first, spectrum % ncl, (int)(i % LENGTH));
        if (!(fabs(coupled[i] - want) < 2e-14))
            fail_msg("spins %d, %d, lmask %d, spectrum %d, l = %d: %.17g, expected %.17g",
                     (int)spin[0], (int)spin[1], (int)lmask, (int)spectrum, (int)(i % LENGTH),
                     coupled[i], want);
    }
    free(masks), free(cl), free(coupled);
    armilla_coupling_free(plan);
}

static void products_are_those_of_3j_symbols(void **state)
{
    (void)state;
    const int64_t lmasks[] = {0, 1, 7, LMAX, 17, 2 * LMAX, 29};
    for (int s = 0; s < SPINS; s++)
        for (int i = 0; i < 7; i++) check_products(lmasks[i], spins[s]);
}

static void check_whole_sky(int64_t lmax, const int64_t spin[2])
{
    const double mask = 4 * M_PI;
    const int64_t least = spin[0] > spin[1] ? spin[0] : spin[1];
    armilla_coupling *plan;
    armilla_coupling_options options;
    armilla_coupling_options_init(&options);
    options.spin1 = spin[0], options.spin2 = spin[1];
    check_ok(armilla_coupling_new(lmax, 0, 1, &mask, &options, &plan));
    const int64_t size = armilla_coupling_ncl(plan) * (lmax + 1);
    double *cl = new_random(size, 7), *coupled = new_random(size, 8);
    check_ok(armilla_coupling_apply(plan, cl, coupled, NULL));
    for (int64_t i = 0; i < size; i++)
        assert_true(fabs(coupled[i] - (i % (lmax + 1) < least ? 0 : cl[i])) < 1e-12);
    free(cl), free(coupled);
    armilla_coupling_free(plan);
}

static void a_mask_of_1_changes_nothing(void **state)
{
    (void)state;
    const int64_t lmaxes[] = {0, 1, 2, 3, 4, 5, 700};
    for (int s = 0; s < SPINS; s++)
        for (int i = 0; i < 7; i++)
            if (spins[s][0] <= lmaxes[i] && spins[s][1] <= lmaxes[i])
                check_whole_sky(lmaxes[i], spins[s]);
}

/* --- Adjoints -------------------------------------------------------------------------------- */

static void adjoints_are_transposes(void **state)
{
    (void)state;
    enum { L = 150, LMASK = 210 };
    for (int s = 0; s < SPINS; s++) {
        armilla_coupling *plan = new_plan(L, LMASK, spins[s]), *other;
        armilla_coupling_options options;
        armilla_coupling_options_init(&options);
        options.spin1 = spins[s][0], options.spin2 = spins[s][1];
        const int64_t size = MASKS * armilla_coupling_ncl(plan) * (L + 1);
        double *cl = new_random(size, 1), *g = new_random(size, 2), *out = new_random(size, 3);
        double *masks = new_masks(LMASK), *gradient = new_random(MASKS * (LMASK + 1), 4);
        check_ok(armilla_coupling_apply(plan, cl, out, NULL));
        const double value = dot(out, g, size), scale = sqrt(dot(out, out, size) * dot(g, g, size));
        check_ok(armilla_coupling_adjoint(plan, g, out, NULL));
        assert_true(fabs(dot(out, cl, size) - value) < 1e-13 * scale);
        check_ok(armilla_coupling_mask_adjoint(plan, cl, g, gradient, NULL));
        assert_true(fabs(dot(gradient, masks, MASKS * (LMASK + 1)) - value) < 1e-13 * scale);
        /* linear in the masks: another spectrum of masks as well */
        for (int64_t i = 0; i < MASKS * (LMASK + 1); i++) masks[i] = cos(0.3 * (double)i);
        check_ok(armilla_coupling_new(L, LMASK, MASKS, masks, &options, &other));
        check_ok(armilla_coupling_apply(other, cl, out, NULL));
        assert_true(fabs(dot(out, g, size) - dot(gradient, masks, MASKS * (LMASK + 1))) <
                    1e-13 * sqrt(dot(out, out, size) * dot(g, g, size)));
        free(cl), free(g), free(out), free(masks), free(gradient);
        armilla_coupling_free(plan);
        armilla_coupling_free(other);
    }
}

/* --- Size --------------------------------------------------------------------------------------
 */

static int never(void *data, double fraction)
{
    (void)fraction;
    return ++*(int *)data > 2;
}

/* Several blocks of nodes; one vector is a task a block. */
static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    enum { L = 3000, N = L + 1, FEW = 25 };
    int64_t begin[FEW], end[FEW];
    armilla_bands bands;
    armilla_bands_init(&bands);
    bands.nbands = FEW, bands.begin = begin, bands.end = end;
    for (int b = 0; b < FEW; b++) begin[b] = 2 + 119 * b, end[b] = begin[b] + 119;
    for (int s = 0; s < 5; s += 4) {
        armilla_coupling *plan = new_plan(L, 2500, spins[s]);
        const int64_t ncl = armilla_coupling_ncl(plan), nkinds = ncl == 4 ? 2 : 1;
        const int64_t size = MASKS * ncl * N, whole = MASKS * nkinds * FEW * N;
        double *cl = new_random(size, 1), *one = new_random(size, 2), *many = new_random(size, 3);
        double *windows[2] = {new_random(whole, 4), new_random(whole, 5)};
        armilla_exec exec;
        armilla_exec_init(&exec);
        for (int i = 0; i < 2; i++) {
            exec.nthreads = i ? 3 : 1;
            check_ok(armilla_coupling_apply(plan, cl, i ? many : one, &exec));
            check_ok(armilla_coupling_windows(plan, &bands, windows[i], NULL, &exec));
        }
        assert_memory_equal(one, many, 8 * (size_t)size);
        assert_memory_equal(windows[0], windows[1], 8 * (size_t)whole);
        int calls = 0;
        armilla_progress_set_interval(0);
        exec.nthreads = 1, exec.progress = never, exec.progress_data = &calls;
        assert_int_equal(armilla_coupling_windows(plan, &bands, windows[0], NULL, &exec),
                         ARMILLA_ERROR_CANCELLED);
        free(cl), free(one), free(many), free(windows[0]), free(windows[1]);
        armilla_coupling_free(plan);
    }
}

/* --- Memory ------------------------------------------------------------------------------------
 */

/* Every allocation fails once. */
static void short_memory_is_an_error(void **state)
{
    (void)state;
    enum { L = 40, N = L + 1, ONE = 1 };
    const int64_t begin[] = {2}, end[] = {20};
    armilla_bands bands;
    armilla_bands_init(&bands);
    bands.nbands = ONE, bands.begin = begin, bands.end = end;
    for (int s = 0; s < 5; s += 4) {
        const int64_t size = MASKS * 4 * N;
        double *cl = new_random(size, 1), *out = new_random(size, 2), matrix[2 * MASKS], power[8];
        double *masks = new_masks(50), *whole = new_random(2 * MASKS * N * N, 3);
        armilla_coupling_options options;
        armilla_coupling_options_init(&options);
        options.spin1 = spins[s][0], options.spin2 = spins[s][1];
        const armilla_covariance_term term = {0, 0, 0};
        armilla_covariance_problem problem;
        armilla_covariance_problem_init(&problem);
        problem.nx = problem.ny = problem.nterms = 1, problem.x = problem.y = cl;
        problem.terms = &term;
        armilla_status status = ARMILLA_ERROR_MEMORY;
        int failed = 0;
        for (; status == ARMILLA_ERROR_MEMORY; failed++) {
            armilla_coupling *plan = NULL;
            armilla_memory_fail_after(failed);
            status = armilla_coupling_new(L, 50, MASKS, masks, &options, &plan);
            if (!status) status = armilla_coupling_apply(plan, cl, out, NULL);
            if (!status) status = armilla_coupling_mask_adjoint(plan, cl, cl, masks, NULL);
            if (!status) status = armilla_coupling_covariance(plan, &bands, &problem, matrix, NULL);
            if (!status) status = armilla_coupling_matrix(plan, whole, NULL);
            if (!status) status = armilla_coupling_windows(plan, &bands, NULL, matrix, NULL);
            if (!status) status = armilla_coupling_decouple(plan, &bands, matrix, out, power, NULL);
            armilla_memory_fail_after(-1);
            armilla_coupling_free(plan);
        }
        check_ok(status);
        assert_true(failed > 20);
        free(cl), free(out), free(masks), free(whole);
    }
}

/* --- Wrong input ---------------------------------------------------------------------------------
 */

static void wrong_plans_are_named(void **state)
{
    (void)state;
    armilla_coupling *plan = NULL;
    armilla_coupling_options options;
    double masks[] = {1, 2, 3, 4};
    armilla_coupling_options_init(&options);
    check_refused(armilla_coupling_new(-1, 1, 1, masks, NULL, &plan), "lmax");
    check_refused(armilla_coupling_new(3, -1, 1, masks, NULL, &plan), "lmask");
    check_refused(armilla_coupling_new(3, 1, 0, masks, NULL, &plan), "nmasks");
    check_refused(armilla_coupling_new(3, 1, 1, NULL, NULL, &plan), "masks");
    check_refused(armilla_coupling_new(3, 1, 1, masks, NULL, NULL), "coupling");
    options.spin2 = 4;
    check_refused(armilla_coupling_new(3, 1, 1, masks, &options, &plan), "options->spin2 = 4");
    options.spin2 = 0, options.spin1 = -2;
    check_refused(armilla_coupling_new(3, 1, 1, masks, &options, &plan), "options->spin1 = -2");
    masks[3] = (double)NAN;
    check_refused(armilla_coupling_new(3, 1, 2, masks, NULL, &plan), "mask 1 at L = 1 is nan");
    assert_null(plan);
    assert_int_equal(armilla_coupling_ncl(NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_3j_symbols),
        cmocka_unit_test(a_mask_of_1_changes_nothing),
        cmocka_unit_test(adjoints_are_transposes),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(short_memory_is_an_error),
        cmocka_unit_test(wrong_plans_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

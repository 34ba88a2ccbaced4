/* Checks windows of bands, powers without a mask, and covariances of bands. */
#include "unit/test_coupling_support.h"

/* --- Windows --------------------------------------------------------------------------------- */

/* Bands of products are windows times spectra; the matrix is windows times what is constant in
 * bands. */
static void windows_are_bands_of_products(void **state)
{
    (void)state;
    enum { L = 100, N = L + 1 };
    double memory[2 * N];
    const armilla_bands bands = new_bands(L, memory);
    for (int s = 0; s < SPINS; s++) {
        armilla_coupling *plan = new_plan(L, 130, spins[s]);
        const int64_t ncl = armilla_coupling_ncl(plan), nkinds = ncl == 4 ? 2 : 1;
        const int64_t size = MASKS * ncl * N;
        double *cl = new_random(size, 1), *out = new_random(size, 2);
        double *windows = new_random(MASKS * nkinds * BANDS * N, 3);
        double *matrix = new_random(MASKS * nkinds * BANDS * BANDS, 4), powers[4 * BANDS];
        check_ok(armilla_coupling_windows(plan, &bands, windows, matrix, NULL));
        check_ok(armilla_coupling_apply(plan, cl, out, NULL));
        for (int64_t mask = 0; mask < MASKS; mask++) {
            const double *w = windows + mask * nkinds * BANDS * N, *own = cl + mask * ncl * N;
            check_ok(armilla_bands_average(&bands, L, ncl, out + mask * ncl * N, powers));
            for (int b = 0; b < BANDS; b++) {
                double sum = dot(w + b * N, own, N);
                if (ncl == 4) sum += dot(w + (BANDS + b) * N, own + 3 * N, N);
                assert_true(fabs(powers[b] - sum) < 1e-11);
                for (int other = 0; other < BANDS; other++) {
                    sum = 0;
                    for (int64_t l = BEGIN[other]; l < END[other]; l++)
                        sum += w[b * N + l] / bands.factor[l];
                    assert_true(fabs(matrix[(mask * nkinds * BANDS + b) * BANDS + other] - sum) <
                                1e-13);
                }
            }
        }
        free(cl), free(out), free(windows), free(matrix);
        armilla_coupling_free(plan);
    }
}

/* Spectra that are constant in bands come back. */
static void powers_without_a_mask_are_those_that_went_in(void **state)
{
    (void)state;
    enum { L = 100, N = L + 1 };
    const int64_t begin[] = {2, 5, 20, 40, 70}, end[] = {5, 20, 40, 70, 101};
    double memory[2 * N], condition;
    armilla_bands bands = new_bands(L, memory);
    bands.begin = begin, bands.end = end;
    for (int s = 0; s < SPINS; s++) {
        armilla_coupling *plan = new_plan(L, 130, spins[s]);
        const int64_t ncl = armilla_coupling_ncl(plan), nkinds = ncl == 4 ? 2 : 1;
        double *wanted = new_random(MASKS * ncl * BANDS, 1),
               *made = new_random(MASKS * ncl * BANDS, 2);
        double *cl = checked_calloc(MASKS * ncl * N, 8), *out = new_random(MASKS * ncl * N, 3);
        double *matrix = new_random(MASKS * nkinds * BANDS * BANDS, 4);
        const int64_t least = spins[s][0] > spins[s][1] ? spins[s][0] : spins[s][1];
        for (int64_t i = 0; i < MASKS * ncl * BANDS; i++)
            for (int64_t l = begin[i % BANDS]; l < end[i % BANDS]; l++)
                cl[i / BANDS * N + l] = wanted[i] / bands.factor[l];
        check_ok(armilla_coupling_apply(plan, cl, out, NULL));
        check_ok(armilla_coupling_windows(plan, &bands, NULL, matrix, NULL));
        check_ok(armilla_coupling_decouple(plan, &bands, matrix, out, made, &condition));
        assert_true(condition >= 1 && condition < 1e6 && least < 5);
        for (int64_t i = 0; i < MASKS * ncl * BANDS; i++)
            assert_true(fabs(made[i] - wanted[i]) < 1e-14 * 10 * condition);
        free(wanted), free(made), free(cl), free(out), free(matrix);
        armilla_coupling_free(plan);
    }
}

/* --- Whole matrices ----------------------------------------------------------------------------
 */

/* Entries are products with spectra that are 1 at one degree, at sizes that tiles do not divide,
 * and more nodes than go at once; small ones are those of 3j symbols. */
static void check_matrix(int64_t lmax, int64_t lmask, const int64_t spin[2], int nthreads)
{
    armilla_coupling *plan = new_plan(lmax, lmask, spin);
    const int64_t n = lmax + 1, ncl = armilla_coupling_ncl(plan), nkinds = ncl == 4 ? 2 : 1;
    const int64_t size = MASKS * ncl * n;
    double *matrix = new_random(MASKS * nkinds * n * n, 1), *masks = new_masks(lmask);
    double *cl = checked_calloc(size, 8), *out = new_random(size, 2), most = 0;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = nthreads;
    check_ok(armilla_coupling_matrix(plan, matrix, &exec));
    for (int64_t i = 0; i < MASKS * nkinds * n * n; i++) most = fmax(most, fabs(matrix[i]));
    for (int64_t other = lmax; other >= 0; other -= lmax > 20 ? 37 : 1) {
        for (int64_t i = 0; i < MASKS; i++) cl[i * ncl * n + other] = 1;
        check_ok(armilla_coupling_apply(plan, cl, out, NULL));
        for (int64_t i = 0; i < MASKS; i++) cl[i * ncl * n + other] = 0;
        for (int64_t i = 0; i < MASKS * nkinds * n; i++) {
            const int64_t mask = i / (nkinds * n), kind = i / n % nkinds, l = i % n;
            const double made = matrix[i * n + other];
            assert_true(fabs(made - out[(mask * ncl + 3 * kind) * n + l]) < 2e-13 * most);
            if (lmax > LMAX) continue;
            const int sign = nkinds == 1 ? 0 : kind ? -1 : 1;
            assert_true(fabs(made - coupling_oracle_matrix((int)l, (int)other, (int)lmask,
                                                           masks + mask * (lmask + 1), (int)spin[0],
                                                           (int)spin[1], sign)) < 2e-14);
        }
    }
    free(matrix), free(masks), free(cl), free(out);
    armilla_coupling_free(plan);
}

static void matrices_hold_what_products_do(void **state)
{
    (void)state;
    for (int s = 0; s < SPINS; s++) {
        check_matrix(LMAX, 17, spins[s], 1);
        check_matrix(LMAX - 1, 24, spins[s], 2);
        check_matrix(323, 646, spins[s], 3);
    }
    check_matrix(0, 0, spins[0], 1);
    check_matrix(600, 500, (const int64_t[]){150, 90}, 0);
    check_matrix(600, 900, (const int64_t[]){40, 300}, 0);
}

/* --- Covariances -------------------------------------------------------------------------------
 */

/* A term by sums of 3j symbols. */
static double expected_term(const double *mask, int lmask, const int64_t spin[2], int sign,
                            const armilla_bands *bands, int b, int other, const double *x,
                            const double *y)
{
    double sum = 0, weight[2] = {0, 0};
    const int at[2] = {b, other};
    for (int i = 0; i < 2; i++)
        for (int64_t l = bands->begin[at[i]]; l < bands->end[at[i]]; l++)
            weight[i] += bands->weights[l];
    for (int64_t l = bands->begin[b]; l < bands->end[b]; l++)
        for (int64_t k = bands->begin[other]; k < bands->end[other]; k++)
            sum += bands->weights[l] * bands->factor[l] * x[l] * y[k] * bands->weights[k] *
                   bands->factor[k] / (double)(2 * k + 1) *
                   coupling_oracle_matrix((int)l, (int)k, lmask, mask, (int)spin[0], (int)spin[1],
                                          sign);
    return sum / (weight[0] * weight[1]);
}

static void covariances_are_those_of_3j_symbols(void **state)
{
    (void)state;
    enum { FEW = 3, LMASK = 17, NX = 2, NY = 3, TERMS = 5 };
    const int64_t begin[] = {1, 4, 7}, end[] = {4, 8, LENGTH};
    const armilla_covariance_term terms[TERMS] = {
        {0, 0, 0}, {1, 1, 2}, {0, 0, 1}, {1, 0, 0}, {0, 1, 1}};
    double memory[2 * LENGTH];
    armilla_bands bands = new_bands(LMAX, memory);
    bands.nbands = FEW, bands.begin = begin, bands.end = end;
    double *masks = new_masks(LMASK), *x = new_random(NX * LENGTH, 1),
           *y = new_random(NY * LENGTH, 2);
    armilla_covariance_problem problem;
    armilla_covariance_problem_init(&problem);
    problem.nx = NX, problem.ny = NY, problem.x = x, problem.y = y;
    problem.nterms = TERMS, problem.terms = terms;
    for (int s = 0; s < SPINS; s++) {
        armilla_coupling *plan = new_plan(LMAX, LMASK, spins[s]);
        const int nkinds = armilla_coupling_ncl(plan) == 4 ? 2 : 1;
        double cov[TERMS][2][FEW][FEW], *made = &cov[0][0][0][0];
        check_ok(armilla_coupling_covariance(plan, &bands, &problem, made, NULL));
        for (int i = 0; i < TERMS * nkinds * FEW * FEW; i++) {
            const armilla_covariance_term *t = &terms[i / (nkinds * FEW * FEW)];
            const int kind = i / (FEW * FEW) % nkinds, sign = nkinds == 1 ? 0 : kind ? -1 : 1;
            const double want =
                expected_term(masks + t->mask * (LMASK + 1), LMASK, spins[s], sign, &bands,
                              i / FEW % FEW, i % FEW, x + t->x * LENGTH, y + t->y * LENGTH);
            assert_true(fabs(made[i] - want) < 1e-13 * (1 + fabs(want)));
        }
        armilla_coupling_free(plan);
    }
    free(masks), free(x), free(y);
}

/* --- Wrong input ----------------------------------------------------------------------------- */

static void wrong_spectra_and_bands_are_named(void **state)
{
    (void)state;
    armilla_coupling *plan = new_plan(3, 2, spins[0]);
    double cl[8] = {0}, out[8], weights[4] = {0, 0, 1, -1}, matrix[8], factor[4] = {1, 1, 0, 1};
    const int64_t begin[2] = {0, 2}, end[2] = {2, 5}, good[2] = {2, 4}, empty[2] = {2, 2};
    armilla_bands bands;
    armilla_bands_init(&bands);
    cl[6] = (double)INFINITY;
    check_refused(armilla_coupling_apply(plan, cl, out, NULL), "cl: spectrum 1 at l = 2 is inf");
    check_refused(armilla_coupling_apply(plan, cl, NULL, NULL), "cl");
    check_refused(armilla_coupling_apply(NULL, cl, out, NULL), "coupling");
    check_refused(armilla_coupling_windows(plan, &bands, out, NULL, NULL), "bands->nbands = 0");
    bands.nbands = 2, bands.begin = begin, bands.end = end;
    check_refused(armilla_coupling_windows(plan, &bands, out, NULL, NULL),
                  "band 1 has degrees 2 .. 4");
    bands.end = empty;
    check_refused(armilla_coupling_windows(plan, &bands, out, NULL, NULL),
                  "band 1 has degrees 2 .. 1");
    bands.end = good, bands.weights = weights;
    check_refused(armilla_coupling_windows(plan, &bands, out, NULL, NULL), "band 0 has no degree");
    weights[1] = 1;
    check_refused(armilla_coupling_windows(plan, &bands, out, NULL, NULL), "at l = 3 it is -1");
    bands.weights = NULL, bands.factor = factor;
    check_refused(armilla_coupling_windows(plan, &bands, out, NULL, NULL),
                  "bands->factor: at l = 2");
    bands.factor = NULL;
    check_refused(armilla_coupling_windows(plan, &bands, NULL, NULL, NULL), "windows");
    armilla_covariance_term term = {1, 0, 0};
    armilla_covariance_problem problem;
    armilla_covariance_problem_init(&problem);
    problem.nx = problem.ny = problem.nterms = 1, problem.x = cl, problem.y = cl + 4;
    problem.terms = &term;
    check_refused(armilla_coupling_covariance(plan, &bands, &problem, out, NULL),
                  "problem->y: spectrum 0 at l = 2 is inf");
    memset(cl, 0, sizeof cl);
    term.y = 1;
    check_refused(armilla_coupling_covariance(plan, &bands, &problem, out, NULL),
                  "problem->terms[0].y = 1: must be 0 .. 0");
    problem.nterms = 0;
    check_refused(armilla_coupling_covariance(plan, &bands, &problem, out, NULL),
                  "problem->nterms = 0");
    check_refused(armilla_coupling_covariance(plan, &bands, NULL, out, NULL), "problem");
    for (int i = 0; i < 8; i++) matrix[i] = i < 4 ? 1 + 2 * (i == 3) : 1;
    check_refused(armilla_coupling_decouple(plan, &bands, matrix, cl, out, NULL),
                  "that of mask 1 cannot be solved: band 1");
    armilla_coupling_free(plan);
    armilla_coupling_free(NULL);
}

/* --- Windows of beams --------------------------------------------------------------------------
 */

/* A plan with a window is one without whose spectra were multiplied by it first, in all that it
 * makes. */
static void a_window_multiplies_spectra(void **state)
{
    (void)state;
    enum { FEW = 3, LMASK = 17 };
    const int64_t begin[] = {2, 5, 9}, end[] = {5, 9, LENGTH};
    double window[LENGTH], memory[2 * LENGTH], *masks = new_masks(LMASK);
    double windows[2][MASKS * 2 * FEW * LENGTH], matrix[MASKS * 2 * FEW * FEW];
    armilla_bands bands = new_bands(LMAX, memory);
    bands.nbands = FEW, bands.begin = begin, bands.end = end;
    for (int l = 0; l < LENGTH; l++) window[l] = 1 / (1 + 0.1 * l);
    for (int s = 0; s < SPINS; s++) {
        armilla_coupling_options options;
        armilla_coupling *plain = new_plan(LMAX, LMASK, spins[s]), *plan;
        armilla_coupling_options_init(&options);
        options.spin1 = spins[s][0], options.spin2 = spins[s][1], options.window = window;
        check_ok(armilla_coupling_new(LMAX, LMASK, MASKS, masks, &options, &plan));
        const int ncl = (int)armilla_coupling_ncl(plan), n = MASKS * ncl * LENGTH;
        const int nkinds = (int)armilla_coupling_nkinds(plan);
        double *cl = new_random(n, 1), *seen = new_random(n, 1), *made = new_random(n, 2);
        double *wanted = new_random(n, 2);
        for (int i = 0; i < n; i++) seen[i] *= window[i % LENGTH];
        check_ok(armilla_coupling_apply(plan, cl, made, NULL));
        check_ok(armilla_coupling_apply(plain, seen, wanted, NULL));
        for (int i = 0; i < n; i++) assert_true(fabs(made[i] - wanted[i]) < 1e-13);
        check_ok(armilla_coupling_adjoint(plan, cl, made, NULL));
        check_ok(armilla_coupling_adjoint(plain, cl, wanted, NULL));
        for (int i = 0; i < n; i++)
            assert_true(fabs(made[i] - window[i % LENGTH] * wanted[i]) < 1e-13);
        check_ok(armilla_coupling_windows(plan, &bands, windows[0], matrix, NULL));
        check_ok(armilla_coupling_windows(plain, &bands, windows[1], NULL, NULL));
        for (int i = 0; i < MASKS * nkinds * FEW * LENGTH; i++)
            assert_true(fabs(windows[0][i] - window[i % LENGTH] * windows[1][i]) < 1e-13);
        for (int i = 0; i < MASKS * nkinds * FEW * FEW; i++) {
            double sum = 0;
            for (int64_t l = begin[i % FEW]; l < end[i % FEW]; l++)
                sum += windows[0][i / FEW * LENGTH + l] / bands.factor[l];
            assert_true(fabs(matrix[i] - sum) < 1e-12);
        }
        free(cl), free(seen), free(made), free(wanted);
        armilla_coupling_free(plan), armilla_coupling_free(plain);
    }
    armilla_coupling_options options;
    armilla_coupling *plan = NULL;
    armilla_coupling_options_init(&options);
    options.window = window, window[4] = (double)NAN;
    check_refused(armilla_coupling_new(LMAX, LMASK, MASKS, masks, &options, &plan),
                  "options->window: at l = 4 it is nan");
    free(masks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_bands_of_products),
        cmocka_unit_test(powers_without_a_mask_are_those_that_went_in),
        cmocka_unit_test(matrices_hold_what_products_do),
        cmocka_unit_test(covariances_are_those_of_3j_symbols),
        cmocka_unit_test(a_window_multiplies_spectra),
        cmocka_unit_test(wrong_spectra_and_bands_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

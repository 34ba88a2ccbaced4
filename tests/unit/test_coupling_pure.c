/* Checks spectra of pure fields through masks against all terms of 3j symbols that the slopes of
 * the masks have: products, adjoints, windows, powers without a mask, whole matrices. */
#include "unit/test_coupling_support.h"

enum { LMASK = 17, MOST = 4 * LENGTH };

static const coupling_oracle_field fields[][2] = {
    {{2, 1}, {2, 1}}, {{2, 1}, {2, 0}}, {{2, 0}, {2, 1}}, {{0, 0}, {2, 1}},
    {{2, 1}, {0, 0}}, {{2, 1}, {1, 0}}, {{3, 0}, {2, 1}},
};
enum { PAIRS = sizeof fields / sizeof *fields };

static armilla_coupling_options options_of(const coupling_oracle_field field[2])
{
    armilla_coupling_options options;
    armilla_coupling_options_init(&options);
    options.spin1 = field[0].spin, options.spin2 = field[1].spin;
    options.pure1 = field[0].is_pure, options.pure2 = field[1].is_pure;
    return options;
}

static armilla_coupling *new_pure_plan(const coupling_oracle_field field[2])
{
    const armilla_coupling_options options = options_of(field);
    double *masks = new_masks(LMASK);
    armilla_coupling *plan;
    check_ok(armilla_coupling_new(LMAX, LMASK, MASKS, masks, &options, &plan));
    free(masks);
    return plan;
}

/* [MASKS][n][n], n = ncl LENGTH: what goes from all spectra to all spectra. */
static double *new_whole(const coupling_oracle_field field[2], int ncl)
{
    const int n = ncl * LENGTH;
    double *whole = checked_calloc(MASKS * n * n, 8), *masks = new_masks(LMASK);
    for (int i = 0; i < MASKS * n * n; i++) {
        const int to = i / n % n / LENGTH, l = i / n % LENGTH;
        const int from = i % n / LENGTH, other = i % LENGTH;
        if (from != to && (ncl < 4 || from + to != 3)) continue;
        const int sign = ncl < 4 ? 0 : from == to ? 1 : -1;
        const double value = coupling_oracle_pure_matrix(
            l, other, LMASK, masks + i / (n * n) * (LMASK + 1), field, sign);
        whole[i] = from != to && (from == 1 || from == 2) ? -value : value;
    }
    free(masks);
    return whole;
}

static double largest(int64_t count, const double *values)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, fabs(values[i]));
    return most;
}

static void check_close(double made, double expected, double off, const char *what, int place)
{
    if (!(fabs(made - expected) <= off))
        fail_msg("%s %d: %.17g, expected %.17g", what, place, made, expected);
}

/* The same numbers, by both operators, one unit spectrum after the other, and at once. */
static void products_are_all_terms(void **state)
{
    (void)state;
    for (int p = 0; p < PAIRS; p++) {
        armilla_coupling *plan = new_pure_plan(fields[p]);
        const int ncl = (int)armilla_coupling_ncl(plan), n = ncl * LENGTH;
        double *whole = new_whole(fields[p], ncl), cl[MASKS * MOST], out[MASKS * MOST];
        const double off = 1e-13 * largest(MASKS * n * n, whole);
        assert_int_equal(ncl, fields[p][0].spin && fields[p][1].spin ? 4 : 2);
        assert_int_equal(armilla_coupling_nkinds(plan), 1);
        for (int adjoint = 0; adjoint < 2; adjoint++)
            for (int from = 0; from < n; from++) {
                for (int i = 0; i < MASKS * n; i++) cl[i] = i % n == from;
                check_ok((adjoint ? armilla_coupling_adjoint : armilla_coupling_apply)(plan, cl,
                                                                                       out, NULL));
                for (int i = 0; i < MASKS * n; i++) {
                    const int row = adjoint ? from : i % n, column = adjoint ? i % n : from;
                    check_close(out[i], whole[(i / n * n + row) * n + column], off,
                                adjoint ? "adjoint" : "product", i);
                }
            }
        free(whole);
        armilla_coupling_free(plan);
    }
}

static void gradients_in_masks_are_transposes(void **state)
{
    (void)state;
    for (int p = 0; p < PAIRS; p++) {
        armilla_coupling *plan = new_pure_plan(fields[p]);
        const int64_t size = MASKS * armilla_coupling_ncl(plan) * LENGTH;
        double *cl = new_random(size, 1), *g = new_random(size, 2), *out = new_random(size, 3);
        double *masks = new_masks(LMASK), gradient[MASKS * (LMASK + 1)];
        check_ok(armilla_coupling_apply(plan, cl, out, NULL));
        check_ok(armilla_coupling_mask_adjoint(plan, cl, g, gradient, NULL));
        assert_true(fabs(dot(out, g, size) - dot(gradient, masks, MASKS * (LMASK + 1))) <
                    1e-13 * sqrt(dot(out, out, size) * dot(g, g, size)));
        free(cl), free(g), free(out), free(masks);
        armilla_coupling_free(plan);
    }
}

/* There is one kind. Bands of whole matrices are windows, and powers that are constant in bands
 * come back. */
static void bands_are_those_of_whole_matrices(void **state)
{
    (void)state;
    enum { FEW = 3 };
    const int64_t begin[] = {2, 5, 9}, end[] = {5, 9, LENGTH};
    double memory[2 * LENGTH], windows[MASKS * FEW * LENGTH], matrix[MASKS * FEW * FEW];
    double *made = new_random(MASKS * LENGTH * LENGTH, 1);
    armilla_bands bands = new_bands(LMAX, memory);
    bands.nbands = FEW, bands.begin = begin, bands.end = end;
    for (int p = 0; p < PAIRS; p++) {
        armilla_coupling *plan = new_pure_plan(fields[p]);
        const int ncl = (int)armilla_coupling_ncl(plan), n = ncl * LENGTH;
        double *whole = new_whole(fields[p], ncl), cl[MASKS * MOST], out[MASKS * MOST];
        double powers[MASKS * 4 * FEW], condition, *wanted = new_random(MASKS * ncl * FEW, 2);
        const double off = 1e-13 * largest(MASKS * n * n, whole);
        check_ok(armilla_coupling_matrix(plan, made, NULL));
        check_ok(armilla_coupling_windows(plan, &bands, windows, matrix, NULL));
        for (int i = 0; i < MASKS * LENGTH * LENGTH; i++) {
            const int mask = i / (LENGTH * LENGTH), l = i / LENGTH % LENGTH, other = i % LENGTH;
            check_close(made[i], whole[(mask * n + l) * n + other], off, "matrix", i);
        }
        for (int i = 0; i < MASKS * FEW * LENGTH; i++) {
            const int b = i / LENGTH % FEW;
            double column[LENGTH], mean[FEW];
            for (int l = 0; l < LENGTH; l++)
                column[l] = whole[(i / LENGTH / FEW * n + l) * n + i % LENGTH];
            check_ok(armilla_bands_average(&bands, LMAX, 1, column, mean));
            check_close(windows[i], mean[b], 30 * off, "window", i);
        }
        for (int i = 0; i < MASKS * n; i++) cl[i] = 0;
        for (int i = 0; i < MASKS * ncl * FEW; i++)
            for (int64_t l = begin[i % FEW]; l < end[i % FEW]; l++)
                cl[i / FEW * LENGTH + l] = wanted[i] / bands.factor[l];
        check_ok(armilla_coupling_apply(plan, cl, out, NULL));
        check_ok(armilla_coupling_decouple(plan, &bands, matrix, out, powers, &condition));
        for (int i = 0; i < MASKS * ncl * FEW; i++)
            check_close(powers[i], wanted[i], 1e-13 * condition, "power", i);
        free(whole), free(wanted);
        armilla_coupling_free(plan);
    }
    free(made);
}

/* Degrees far from one another do not mix where the mask has no such degrees, and a white spectrum
 * comes back, though M is multiplied by (l' / l)^4: of scalars 1e-16 would be 1e-4. */
static void low_degrees_are_right(void **state)
{
    (void)state;
    enum { MANY = 1500, WIDE = 200, FEW = 30 };
    double *mask = checked_calloc(WIDE + 1, 8), *cl = checked_calloc(4 * (MANY + 1), 8);
    double *out = checked_calloc(4 * (MANY + 1), 8), *windows = checked_calloc(FEW * (MANY + 1), 8);
    double matrix[FEW * FEW], powers[4 * FEW], condition;
    int64_t begin[FEW], end[FEW];
    armilla_coupling *plan;
    armilla_bands bands;
    armilla_coupling_options options = options_of(fields[0]);
    for (int l = 0; l <= WIDE; l++) mask[l] = exp(-0.001 * (l * l));
    for (int i = 0; i < 4 * (MANY + 1); i++) cl[i] = 1;
    for (int b = 0; b < FEW; b++) begin[b] = 2 + b * MANY / FEW, end[b] = 2 + (b + 1) * MANY / FEW;
    armilla_bands_init(&bands);
    bands.nbands = FEW, bands.begin = begin, bands.end = end, end[FEW - 1] = MANY + 1;
    check_ok(armilla_coupling_new(MANY, WIDE, 1, mask, &options, &plan));
    check_ok(armilla_coupling_apply(plan, cl, out, NULL));
    check_ok(armilla_coupling_windows(plan, &bands, windows, matrix, NULL));
    for (int l = end[0] + WIDE; l <= MANY; l++)
        check_close(windows[l], 0, 1e-6 * windows[end[0] - 1], "window of low degrees at", l);
    check_ok(armilla_coupling_decouple(plan, &bands, matrix, out, powers, &condition));
    for (int i = 0; i < 4 * FEW; i++) check_close(powers[i], 1, 1e-8, "white power", i);
    free(mask), free(cl), free(out), free(windows);
    armilla_coupling_free(plan);
}

static void wrong_pure_fields_are_named(void **state)
{
    (void)state;
    armilla_coupling *plan = NULL;
    armilla_coupling_options options;
    armilla_covariance_problem problem;
    armilla_bands bands;
    double masks[] = {1, 2, 3, 4}, cov;
    armilla_coupling_options_init(&options);
    options.spin1 = 2, options.pure2 = 1;
    check_refused(armilla_coupling_new(3, 1, 1, masks, &options, &plan),
                  "options->pure2 = 1: the spin of that field is 0");
    options.spin2 = 1, options.pure1 = -7, options.pure2 = 0;
    check_refused(armilla_coupling_new(1, 1, 1, masks, &options, &plan), "options->spin1 = 2");
    options.spin1 = 1;
    check_refused(armilla_coupling_new(3, 1, 1, masks, &options, &plan),
                  "options->pure1 = -7: the spin of that field is 1");
    assert_null(plan);
    assert_int_equal(armilla_coupling_nkinds(NULL), -1);
    plan = new_pure_plan(fields[1]);
    armilla_bands_init(&bands);
    bands.nbands = 1, bands.begin = BEGIN, bands.end = END;
    armilla_covariance_problem_init(&problem);
    assert_int_equal(armilla_coupling_covariance(plan, &bands, &problem, &cov, NULL),
                     ARMILLA_ERROR_UNSUPPORTED);
    assert_non_null(strstr(armilla_status_message(), "make a plan with spin 0 in its place"));
    armilla_coupling_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_all_terms),
        cmocka_unit_test(gradients_in_masks_are_transposes),
        cmocka_unit_test(bands_are_those_of_whole_matrices),
        cmocka_unit_test(low_degrees_are_right),
        cmocka_unit_test(wrong_pure_fields_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

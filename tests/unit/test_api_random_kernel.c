/* Checks that the functions of kernel.h stand random arguments: right ones work, wrong ones are
 * refused by name. */
#include "test_api_random.h"

enum { MOST = 40 };

static double numbers[MOST], results[MOST];

/* A number outside of low .. high, neighbours among them. */
static double out_of(trial *t, double low, double high)
{
    const double values[] = {
        nextafter(low, -INFINITY), nextafter(high, INFINITY), -1, 1e300, -1e308, not_finite(t)};
    return values[below(t, 6)];
}

/* From low to high, both among them. */
static double within(trial *t, double low, double high)
{
    const int64_t part = below(t, 101);
    return part == 0 ? low : part == 100 ? high : low + (high - low) * (double)part / 100;
}

/* --- Kernels that are made -------------------------------------------------------------------- */

static void judge_kernel(trial *t, armilla_status status, armilla_kernel **kernel)
{
    if (judge(t, status))
        armilla_kernel_free(*kernel);
    else
        assert_marked(t, *kernel);
}

typedef armilla_status (*maker)(double, armilla_kernel **);

static void try_angle(trial *t)
{
    static const maker makers[] = {armilla_kernel_new_gaussian, armilla_kernel_new_mexican_hat,
                                   armilla_kernel_new_tophat};
    const int64_t which = below(t, 3);
    armilla_kernel *kernel = MARK, **target = &kernel;
    double angle = below(t, 4) ? within(t, 1e-3, M_PI) : 1e-6;
    if (spoil(t, which == 2 ? "radius" : "fwhm")) angle = out_of(t, 1e-6, (float)M_PI);
    if (spoil(t, "kernel")) target = NULL;
    judge_kernel(t, makers[which](angle, target), &kernel);
}

static void try_needlet(trial *t)
{
    static const double bases[] = {1.0625, 1.5, 2, 3, 10, 1000};
    armilla_kernel *kernel = MARK, **target = &kernel;
    double base = bases[below(t, 6)];
    const int64_t last = (int64_t)floor(log(1e6) / log(base) + 1e-9) - 1;
    /* Tables of b_l up to 1e6 take seconds: not here. */
    int64_t scale = between(t, -1, (int64_t)floor(log(1e3) / log(base)) - 1);
    if (spoil(t, "scale")) scale = below(t, 2) ? last + 1 : outside(t, -1, last);
    if (spoil(t, "base")) base = below(t, 2) ? 1 - (double)below(t, 3) : not_finite(t);
    if (spoil(t, "kernel")) target = NULL;
    judge_kernel(t, armilla_kernel_new_needlet(base, scale, target), &kernel);
}

static void try_window(trial *t)
{
    armilla_kernel *kernel = MARK, **target = &kernel;
    int64_t lmax = below(t, MOST);
    random_fill(t->state, MOST, numbers);
    numbers[0] = any_finite(t) / 1e10;
    const double *window = numbers;
    if (spoil(t, "window[")) numbers[below(t, lmax + 1)] = not_finite(t);
    if (spoil(t, "window")) window = NULL;
    if (spoil(t, "lmax")) lmax = outside(t, 0, 1000000);
    if (spoil(t, "kernel")) target = NULL;
    const uint64_t before = checksum(numbers, sizeof numbers);
    judge_kernel(t, armilla_kernel_new_window(lmax, window, target), &kernel);
    assert_unchanged(t, before, numbers, sizeof numbers);
}

/* Angles in any steps, of values of any size. */
static int64_t draw_table(trial *t, double *theta, double *values)
{
    const int64_t count = between(t, 2, MOST);
    double sum = below(t, 2) ? 0 : 1e-3;
    for (int64_t i = 0; i < count; i++) {
        theta[i] = sum;
        sum += below(t, 5) ? 0.075 : 1e-12;
        values[i] = below(t, 5) ? random_next(&t->state) : any_finite(t) / 1e10;
    }
    if (below(t, 4) == 0) theta[count - 1] = M_PI;
    return count;
}

static void spoil_table(trial *t, int64_t count, double *theta, double *values)
{
    if (spoil(t, "values[")) values[below(t, count)] = not_finite(t);
    if (spoil(t, "theta[")) {
        const int64_t i = between(t, 1, count - 1);
        const double wrong[] = {theta[i - 1], -1e-300, 3.2, not_finite(t)};
        theta[i] = wrong[below(t, 4)];
    }
}

static void try_table(trial *t)
{
    armilla_kernel *kernel = MARK, **target = &kernel;
    double theta[MOST], values[MOST], *angles = theta, *heights = values;
    int64_t count = draw_table(t, theta, values);
    spoil_table(t, count, theta, values);
    if (spoil(t, "theta")) angles = NULL;
    if (spoil(t, "values")) heights = NULL;
    if (spoil(t, "count")) count = below(t, 2) ? 1 : outside(t, 2, 1000000);
    if (spoil(t, "kernel")) target = NULL;
    judge_kernel(t, armilla_kernel_new_table(count, angles, heights, target), &kernel);
}

/* --- What is asked of a kernel ---------------------------------------------------------------- */

static armilla_kernel *draw_kernel(trial *t)
{
    armilla_kernel *kernel = NULL;
    double theta[MOST], values[MOST];
    random_fill(t->state, MOST, numbers);
    switch (below(t, 6)) {
    case 0:
        check_ok(armilla_kernel_new_gaussian(within(t, 0.05, 3), &kernel));
        break;
    case 1:
        check_ok(armilla_kernel_new_mexican_hat(within(t, 0.05, 3), &kernel));
        break;
    case 2:
        check_ok(armilla_kernel_new_tophat(within(t, 0.05, M_PI), &kernel));
        break;
    case 3:
        check_ok(armilla_kernel_new_needlet(2, between(t, -1, 5), &kernel));
        break;
    case 4:
        check_ok(armilla_kernel_new_window(below(t, MOST), numbers, &kernel));
        break;
    default:
        check_ok(armilla_kernel_new_table(draw_table(t, theta, values), theta, values, &kernel));
    }
    return kernel;
}

static void judge_results(const trial *t, armilla_status status, uint64_t before)
{
    if (!judge(t, status)) assert_unchanged(t, before, results, sizeof results);
}

static void try_values(trial *t)
{
    armilla_kernel *kernel = draw_kernel(t), *given = spoil(t, "kernel") ? NULL : kernel;
    int64_t count = below(t, MOST + 1);
    for (int i = 0; i < MOST; i++) numbers[i] = within(t, 0, M_PI);
    const double *theta = numbers;
    double *values = results;
    if (count > 0 && spoil(t, "theta[")) numbers[below(t, count)] = out_of(t, 0, (float)M_PI);
    if (count > 0 && spoil(t, "theta")) theta = NULL;
    if (count > 0 && spoil(t, "values")) values = NULL;
    if (spoil(t, "count")) count = outside(t, 0, INT64_MAX);
    const uint64_t before = checksum(results, sizeof results);
    judge_results(t, armilla_kernel_values(given, count, theta, values), before);
    armilla_kernel_free(kernel);
}

static double draw_support(trial *t)
{
    return spoil(t, "support") ? (below(t, 2) ? 0 : out_of(t, 5e-324, (float)M_PI))
                               : within(t, 0.1, M_PI);
}

static void try_kernel_window(trial *t)
{
    armilla_kernel *kernel = draw_kernel(t), *given = spoil(t, "kernel") ? NULL : kernel;
    const double support = draw_support(t);
    const int64_t lmax = spoil(t, "lmax") ? outside(t, 0, 1000000) : below(t, MOST);
    double *window = spoil(t, "window") ? NULL : results;
    const uint64_t before = checksum(results, sizeof results);
    judge_results(t, armilla_kernel_window(given, support, lmax, window), before);
    armilla_kernel_free(kernel);
}

/* C_l of a few degrees, or NULL. */
static const double *draw_spectrum(trial *t, int64_t *lmax)
{
    static double cl[MOST];
    *lmax = below(t, MOST);
    if (below(t, 2)) return NULL;
    for (int i = 0; i < MOST; i++) cl[i] = within(t, 0, 3);
    if (spoil(t, "cl[")) cl[below(t, *lmax + 1)] = below(t, 2) ? -5e-324 : not_finite(t);
    if (spoil(t, "lmax")) *lmax = outside(t, 0, 1000000);
    return cl;
}

/* The support of an error, or the error of a support. */
static void try_error(trial *t)
{
    armilla_kernel *kernel = draw_kernel(t), *given = spoil(t, "kernel") ? NULL : kernel;
    const int choose = (int)below(t, 2);
    int64_t lmax;
    double error = below(t, 2) ? 1e-7 : 0.5;
    if (choose && spoil(t, "error")) error = below(t, 2) ? 0 : out_of(t, 5e-324, nextafter(1, 0));
    const double support = choose ? 0 : draw_support(t), *cl = draw_spectrum(t, &lmax);
    double *result = spoil(t, choose ? "support" : "error") ? NULL : results;
    const uint64_t before = checksum(results, sizeof results);
    const armilla_status status =
        choose ? armilla_kernel_choose_support(given, error, lmax, cl, result)
               : armilla_kernel_truncation_error(given, support, lmax, cl, result);
    judge_results(t, status, before);
    if (!t->spoilt && !(results[0] >= 0 && results[0] <= (choose ? M_PI : 1e9)))
        fail_msg("trial %lld: %g", (long long)t->number, results[0]);
    armilla_kernel_free(kernel);
}

static void kernels_name_a_wrong_argument(void **state)
{
    (void)state;
    armilla_kernel_free(NULL);
    try_often(try_angle, 1000);
    try_often(try_needlet, 1000);
    try_often(try_window, 1000);
    try_often(try_table, 3000);
}

static void questions_name_a_wrong_argument(void **state)
{
    (void)state;
    try_often(try_values, 1000);
    try_often(try_kernel_window, 300);
    try_often(try_error, 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_name_a_wrong_argument),
        cmocka_unit_test(questions_name_a_wrong_argument),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("last trial %lld\n", (long long)last_trial);
    return failed;
}

/* Checks that LSMR solves dense random systems as direct solutions in long double do, and that its
 * reports are true. */
#include "unit/test_alm_support.h"

#include "base/memory.h"
#include "base/status.h"
#include "sht/lsmr.h"
#include "sht/vector.h"
#include <float.h>
#include <string.h>

/* --- Dense problems -------------------------------------------------------------------------- */

typedef struct dense {
    int64_t rows, columns;
    double *matrix; /* row-major */
    int64_t calls, fail_at;
} dense;

static armilla_status count_call(dense *a)
{
    if (++a->calls != a->fail_at) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_INTERNAL, "operator failed on purpose");
}

static armilla_status dense_forward(void *context, const double *in, double *out)
{
    dense *a = context;
    for (int64_t i = 0; i < a->rows; i++) {
        out[i] = 0;
        for (int64_t j = 0; j < a->columns; j++) out[i] += a->matrix[i * a->columns + j] * in[j];
    }
    return count_call(a);
}

static armilla_status dense_adjoint(void *context, const double *in, double *out)
{
    dense *a = context;
    for (int64_t j = 0; j < a->columns; j++) {
        out[j] = 0;
        for (int64_t i = 0; i < a->rows; i++) out[j] += a->matrix[i * a->columns + j] * in[i];
    }
    return count_call(a);
}

static dense random_matrix(int64_t rows, int64_t columns, uint32_t seed)
{
    return (dense){.rows = rows, .columns = columns, .matrix = noise(rows * columns, seed)};
}

static dense product(const dense *a, const dense *b)
{
    dense c = random_matrix(a->rows, b->columns, 0);
    for (int64_t i = 0; i < c.rows; i++)
        for (int64_t j = 0; j < c.columns; j++) {
            double sum = 0;
            for (int64_t k = 0; k < a->columns; k++)
                sum += a->matrix[i * a->columns + k] * b->matrix[k * b->columns + j];
            c.matrix[i * c.columns + j] = sum;
        }
    return c;
}

static armilla_lsmr_problem problem_of(dense *a, double tolerance)
{
    return (armilla_lsmr_problem){.nrows = a->rows,
                                  .ncolumns = a->columns,
                                  .forward = dense_forward,
                                  .adjoint = dense_adjoint,
                                  .context = a,
                                  .tolerance = tolerance,
                                  .max_iterations = 10000,
                                  .nthreads = 1};
}

/* Solves with a copy of b; x is new. */
static double *solve(dense *a, const double *b, double tolerance, armilla_pseudo_report *report)
{
    armilla_lsmr_problem problem = problem_of(a, tolerance);
    double *x = noise(a->columns, 99), *u = noise(a->rows, 0);
    memcpy(u, b, (size_t)a->rows * sizeof *u);
    assert_int_equal(armilla_lsmr_solve(&problem, u, x, report), ARMILLA_OK);
    free(u);
    return x;
}

/* --- Direct solutions ------------------------------------------------------------------------ */

/* b <- (G^T G)^-1 b (rows >= columns; transposed = 0) or (G G^T)^-1 b (transposed = 1), by Gaussian
 * elimination of the positive definite matrix in long double. */
static void solve_gram(const dense *g, int transposed, long double *b)
{
    int64_t n = transposed ? g->rows : g->columns, terms = transposed ? g->columns : g->rows;
    long double *gram = calloc((size_t)(n * n), sizeof *gram);
    assert_non_null(gram);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = 0; k < terms; k++) {
                int64_t p = transposed ? i * g->columns + k : k * g->columns + i;
                int64_t q = transposed ? j * g->columns + k : k * g->columns + j;
                gram[i * n + j] += (long double)g->matrix[p] * g->matrix[q];
            }
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = i + 1; k < n; k++) {
            long double factor = gram[k * n + i] / gram[i * n + i];
            for (int64_t j = i; j < n; j++) gram[k * n + j] -= factor * gram[i * n + j];
            b[k] -= factor * b[i];
        }
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t j = i + 1; j < n; j++) b[i] -= gram[i * n + j] * b[j];
        b[i] /= gram[i * n + i];
    }
    free(gram);
}

/* The least squares solution of smallest norm for A = C D, C and D of full rank:
 * x = D^T (D D^T)^-1 (C^T C)^-1 C^T b. */
static double *direct(const dense *c, const dense *d, const double *b)
{
    long double *y = calloc((size_t)d->rows, sizeof *y);
    double *x = noise(d->columns, 0);
    assert_non_null(y);
    for (int64_t k = 0; k < d->rows; k++)
        for (int64_t i = 0; i < c->rows; i++)
            y[k] += (long double)c->matrix[i * c->columns + k] * b[i];
    solve_gram(c, 0, y);
    solve_gram(d, 1, y);
    for (int64_t j = 0; j < d->columns; j++) {
        long double sum = 0;
        for (int64_t k = 0; k < d->rows; k++) sum += d->matrix[k * d->columns + j] * y[k];
        x[j] = (double)sum;
    }
    free(y);
    return x;
}

static double norm(int64_t n, const double *x)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
}

static void assert_vectors_close(int64_t n, const double *x, const double *expected,
                                 double tolerance)
{
    double scale = norm(n, expected);
    for (int64_t i = 0; i < n; i++) assert_close(x[i], expected[i], tolerance * scale);
}

/* A random rows x columns matrix of rank `rank`, random b: LSMR against the direct solution. */
static void check_rank(int64_t rows, int64_t columns, int64_t rank, armilla_pseudo_stop expected)
{
    dense c = random_matrix(rows, rank, 1), d = random_matrix(rank, columns, 2);
    dense a = product(&c, &d);
    double *b = noise(rows, 3);
    armilla_pseudo_report report;
    double *x = solve(&a, b, 1e-14, &report), *exact = direct(&c, &d, b);
    assert_vectors_close(columns, x, exact, 1e-10);
    assert_int_equal(report.stop, expected);
    free(c.matrix), free(d.matrix), free(a.matrix), free(b), free(x), free(exact);
}

static void overdetermined_system_gives_the_least_squares_solution(void **state)
{
    (void)state;
    check_rank(60, 20, 20, ARMILLA_STOP_GRADIENT);
}

static void underdetermined_system_gives_the_smallest_solution(void **state)
{
    (void)state;
    check_rank(20, 60, 20, ARMILLA_STOP_RESIDUAL);
}

static void singular_systems_give_the_smallest_least_squares_solution(void **state)
{
    (void)state;
    check_rank(50, 30, 10, ARMILLA_STOP_GRADIENT);
    check_rank(30, 50, 10, ARMILLA_STOP_GRADIENT);
    check_rank(30, 30, 1, ARMILLA_STOP_GRADIENT);
}

static void consistent_overdetermined_system_stops_by_the_residual(void **state)
{
    (void)state;
    dense a = random_matrix(60, 20, 1);
    double *exact = noise(20, 2), *b = noise(60, 3);
    dense_forward(&a, exact, b);
    armilla_pseudo_report report;
    double *x = solve(&a, b, 1e-13, &report);
    assert_int_equal(report.stop, ARMILLA_STOP_RESIDUAL);
    assert_vectors_close(20, x, exact, 1e-11);
    free(a.matrix), free(b), free(x), free(exact);
}

/* --- Reports --------------------------------------------------------------------------------- */

static void report_is_true(void **state)
{
    (void)state;
    dense a = random_matrix(80, 40, 4);
    double *b = noise(80, 5), *r = noise(80, 0), *gradient = noise(40, 0);
    double frobenius = norm(80 * 40, a.matrix), last = 1;
    for (int digits = 1; digits <= 11; digits += 2) {
        armilla_pseudo_report report;
        double *x = solve(&a, b, pow(10, -digits), &report);
        dense_forward(&a, x, r);
        for (int i = 0; i < 80; i++) r[i] = b[i] - r[i];
        dense_adjoint(&a, r, gradient);
        assert_int_equal(report.stop, ARMILLA_STOP_GRADIENT);
        assert_close(report.residual, norm(80, r) / norm(80, b), 1e-13);
        assert_true(report.gradient <= pow(10, -digits));
        /* The solver's |A| lies between the largest singular value and some sqrt(k) times it. */
        double with_frobenius = norm(40, gradient) / (frobenius * norm(80, r));
        assert_true(report.gradient > 0.2 * with_frobenius &&
                    report.gradient < 10 * with_frobenius);
        assert_true(report.residual <= last);
        last = report.residual;
        free(x);
    }
    free(a.matrix), free(b), free(r), free(gradient);
}

static void zero_right_hand_side_stops_at_once(void **state)
{
    (void)state;
    dense a = random_matrix(9, 5, 1);
    const double b[9] = {0};
    armilla_pseudo_report report;
    double *x = solve(&a, b, 1e-10, &report);
    assert_int_equal(report.stop, ARMILLA_STOP_ZERO);
    assert_int_equal(report.iterations, 0);
    assert_int_equal(a.calls, 0);
    assert_true(report.residual == 0 && report.gradient == 0);
    for (int i = 0; i < 5; i++) assert_true(x[i] == 0);
    free(a.matrix), free(x);
}

static void right_hand_side_beyond_the_range_gives_zero(void **state)
{
    (void)state;
    double matrix[3] = {1, 2, 0};
    const double b[3] = {0, 0, 5};
    dense a = {.rows = 3, .columns = 1, .matrix = matrix};
    armilla_pseudo_report report;
    double *x = solve(&a, b, 1e-10, &report);
    assert_int_equal(report.stop, ARMILLA_STOP_GRADIENT);
    assert_int_equal(report.iterations, 0);
    assert_true(x[0] == 0 && report.residual == 1 && report.gradient == 0);
    free(x);
}

static void orthogonal_columns_need_one_iteration(void **state)
{
    (void)state;
    double matrix[6] = {3, 0, 0, 3, 0, 0};
    const double b[3] = {6, -9, 1};
    dense a = {.rows = 3, .columns = 2, .matrix = matrix};
    armilla_pseudo_report report;
    double *x = solve(&a, b, 1e-10, &report);
    assert_int_equal(report.iterations, 1);
    assert_int_equal(report.stop, ARMILLA_STOP_GRADIENT);
    assert_close(x[0], 2, 1e-14);
    assert_close(x[1], -3, 1e-14);
    assert_close(report.residual, 1 / norm(3, b), 1e-14);
    free(x);
}

static void iteration_limit_is_kept_and_reported(void **state)
{
    (void)state;
    dense a = random_matrix(40, 40, 1);
    for (int64_t limit = 0; limit <= 3; limit++) {
        armilla_lsmr_problem problem = problem_of(&a, 0);
        armilla_pseudo_report report;
        double *b = noise(40, 2), *x = noise(40, 3);
        problem.max_iterations = limit;
        a.calls = 0;
        assert_int_equal(armilla_lsmr_solve(&problem, b, x, &report), ARMILLA_OK);
        assert_int_equal(report.stop, ARMILLA_STOP_ITERATIONS);
        assert_int_equal(report.iterations, limit);
        assert_int_equal(a.calls, 2 * limit + 1);
        if (limit == 0) assert_true(report.residual == 1 && norm(40, x) == 0);
        free(b), free(x);
    }
    free(a.matrix);
}

static void singular_looking_problem_stops_by_its_condition(void **state)
{
    (void)state;
    enum { N = 12 };
    double matrix[N * N] = {0}, b[N];
    for (int i = 0; i < N; i++) matrix[i * N + i] = pow(10, -2 * i), b[i] = i % 2 ? -1 : 1;
    dense a = {.rows = N, .columns = N, .matrix = matrix};
    armilla_pseudo_report report;
    double *x = solve(&a, b, 0, &report);
    assert_int_equal(report.stop, ARMILLA_STOP_CONDITION);
    free(x);
}

/* --- Errors, progress, threads --------------------------------------------------------------- */

static void errors_of_operators_and_allocations_come_through(void **state)
{
    (void)state;
    dense a = random_matrix(10, 6, 1);
    armilla_lsmr_problem problem = problem_of(&a, 1e-10);
    armilla_pseudo_report report;
    double *b = noise(10, 2), *x = noise(6, 3);
    for (a.fail_at = 1; a.fail_at <= 5; a.fail_at++) {
        a.calls = 0;
        assert_int_equal(armilla_lsmr_solve(&problem, b, x, &report), ARMILLA_ERROR_INTERNAL);
        assert_int_equal(a.calls, a.fail_at);
    }
    for (int64_t n = 0; n < 6; n++) {
        armilla_memory_fail_after(n);
        assert_int_equal(armilla_lsmr_solve(&problem, b, x, &report), ARMILLA_ERROR_MEMORY);
    }
    armilla_memory_fail_after(-1);
    free(a.matrix), free(b), free(x);
}

typedef struct watcher {
    int calls, stop_at;
    double last;
} watcher;

static int watch(void *data, double fraction)
{
    watcher *w = data;
    assert_true(fraction >= w->last && fraction <= 1);
    w->last = fraction;
    return ++w->calls == w->stop_at;
}

static void progress_rises_and_can_cancel(void **state)
{
    (void)state;
    dense a = random_matrix(60, 30, 1);
    armilla_lsmr_problem problem = problem_of(&a, 1e-10);
    armilla_pseudo_report report;
    watcher w = {0};
    double *b = noise(60, 2), *x = noise(30, 3);
    problem.progress = watch, problem.progress_data = &w;
    assert_int_equal(armilla_lsmr_solve(&problem, b, x, &report), ARMILLA_OK);
    assert_int_equal(w.calls, report.iterations);
    assert_true(w.last > 0.5);
    w = (watcher){.stop_at = 3};
    assert_int_equal(armilla_lsmr_solve(&problem, b, x, &report), ARMILLA_ERROR_CANCELLED);
    assert_int_equal(w.calls, 3);
    free(a.matrix), free(b), free(x);
}

enum { LONG = 100000 }; /* several blocks of the vector arithmetic */

/* Rows i and i + 1 share column i. */
static armilla_status chain_forward(void *context, const double *in, double *out)
{
    (void)context;
    for (int64_t i = 0; i <= LONG; i++)
        out[i] = (i < LONG ? 2 * in[i] : 0) + (i > 0 ? in[i - 1] : 0);
    return ARMILLA_OK;
}

static armilla_status chain_adjoint(void *context, const double *in, double *out)
{
    (void)context;
    for (int64_t i = 0; i < LONG; i++) out[i] = 2 * in[i] + in[i + 1];
    return ARMILLA_OK;
}

static void result_does_not_depend_on_threads(void **state)
{
    (void)state;
    double *first = NULL;
    for (int nthreads = 1; nthreads <= 8; nthreads++) {
        armilla_lsmr_problem problem = {.nrows = LONG + 1,
                                        .ncolumns = LONG,
                                        .forward = chain_forward,
                                        .adjoint = chain_adjoint,
                                        .tolerance = 1e-10,
                                        .max_iterations = 100,
                                        .nthreads = nthreads};
        armilla_pseudo_report report;
        double *b = noise(LONG + 1, 1), *x = noise(LONG, 2);
        assert_int_equal(armilla_lsmr_solve(&problem, b, x, &report), ARMILLA_OK);
        assert_int_equal(report.stop, ARMILLA_STOP_GRADIENT);
        free(b);
        if (!first) {
            first = x;
            continue;
        }
        assert_memory_equal(first, x, LONG * sizeof *x);
        free(x);
    }
    free(first);
}

static void vector_norms_are_accurate_at_every_length(void **state)
{
    (void)state;
    double *x = noise(LONG, 1), *y = noise(LONG, 2), *z = noise(LONG, 0);
    for (int64_t n = 0; n <= LONG; n = n < 40 ? n + 1 : 2 * n + 7) {
        armilla_vector_space space;
        long double sum = 0;
        assert_int_equal(armilla_vector_space_make(n, 0, NULL, 0, &space), ARMILLA_OK);
        memcpy(z, y, (size_t)n * sizeof *z);
        for (int64_t i = 0; i < n; i++) {
            double value = 3 * x[i] - 0.5 * y[i];
            sum += (long double)value * value;
        }
        double expected = (double)sqrtl(sum);
        assert_close(armilla_vector_combine(&space, 3, x, -0.5, z, 2), expected,
                     4 * DBL_EPSILON * expected);
        assert_close(armilla_vector_norm(&space, z, 2), expected, 4 * DBL_EPSILON * expected);
        armilla_vector_scale(&space, 2, z, 2);
        for (int64_t i = 0; i < n; i++) assert_true(z[i] == 2 * (3 * x[i] - 0.5 * y[i]));
        armilla_vector_space_clear(&space);
    }
    free(x), free(y), free(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overdetermined_system_gives_the_least_squares_solution),
        cmocka_unit_test(underdetermined_system_gives_the_smallest_solution),
        cmocka_unit_test(singular_systems_give_the_smallest_least_squares_solution),
        cmocka_unit_test(consistent_overdetermined_system_stops_by_the_residual),
        cmocka_unit_test(report_is_true),
        cmocka_unit_test(zero_right_hand_side_stops_at_once),
        cmocka_unit_test(right_hand_side_beyond_the_range_gives_zero),
        cmocka_unit_test(orthogonal_columns_need_one_iteration),
        cmocka_unit_test(iteration_limit_is_kept_and_reported),
        cmocka_unit_test(singular_looking_problem_stops_by_its_condition),
        cmocka_unit_test(errors_of_operators_and_allocations_come_through),
        cmocka_unit_test(progress_rises_and_can_cancel),
        cmocka_unit_test(result_does_not_depend_on_threads),
        cmocka_unit_test(vector_norms_are_accurate_at_every_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

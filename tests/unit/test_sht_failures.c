/* Checks that what goes wrong, goes wrong politely: every allocation failing in turn,
 * cancellation, and many threads on one plan. Arguments: test_sht_arguments.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "unit/test_sht_scene.h"
#include "unit/test_watcher.h"
#include <pthread.h>
#include <string.h>

enum { THREADS = 8 };

/* Ways a plan of a field of spin s can be made: sums of scalar functions, the recurrence, both. */
static const spin_case spin_cases[] = {
    {.lmax = LMAX, .mmax = MMAX, .spin = 2},
    {.lmax = LMAX, .mmax = MMAX, .spin = -3, .method = ARMILLA_SPIN_RECURRENCE},
    {.lmax = LMAX, .mmax = MMAX, .spin = 1, .mode = ARMILLA_SHT_DERIVATIVES},
    {.lmax = LMAX, .mmax = MMAX, .spin = LMAX, .mode = ARMILLA_SHT_GRADIENT_ONLY},
};
enum { SPIN_CASES = sizeof spin_cases / sizeof *spin_cases };

/* --- Memory ---------------------------------------------------------------------------------- */

enum { MOST_ALLOCATIONS = 5000 };

/* The plan gives what a plan made in peace gives. */
static void check_plan_works(const armilla_sht *sht, const armilla_grid *grid, const spin_case *c)
{
    const int64_t npix = armilla_grid_npix(grid) * (c->spin ? 2 : 1);
    double *alm = checked_malloc(spin_size(c), 8);
    double *map = checked_calloc(npix, 8), *expected = checked_calloc(npix, 8);
    armilla_sht *plain = spin_plan(grid, c);
    spin_random_alm(36, c, 0, alm);
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    check_ok(armilla_sht_synthesis(plain, alm, expected, NULL));
    assert_memory_equal(map, expected, (size_t)npix * 8);
    armilla_sht_free(plain);
    free(expected);
    free(map);
    free(alm);
}

static void check_failing_plans(const armilla_grid *grid, const spin_case *c)
{
    armilla_sht *const untouched = (armilla_sht *)(uintptr_t)0x1230;
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.spin = c->spin;
    options.mode = c->mode;
    options.spin_method = c->method;
    options.method = c->rings;
    int64_t n = 0;
    for (;; n++) {
        armilla_sht *sht = untouched;
        armilla_memory_fail_after(n);
        armilla_status status = armilla_sht_new(grid, LMAX, MMAX, &options, &sht);
        armilla_memory_fail_after(-1);
        if (status == ARMILLA_OK) {
            check_plan_works(sht, grid, c);
            armilla_sht_free(sht);
            break;
        }
        check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
        assert_ptr_equal(sht, untouched);
        assert_true(n < MOST_ALLOCATIONS);
    }
    assert_true(n > 0);
}

static void plan_survives_every_failing_allocation(void **state)
{
    (void)state;
    const spin_case scalar = {.lmax = LMAX, .mmax = MMAX};
    for (int number = 0; number < GRIDS; number++) {
        armilla_grid *grid = grid_number(number);
        check_failing_plans(grid, &scalar);
        for (int i = 0; i < SPIN_CASES; i++) check_failing_plans(grid, &spin_cases[i]);
        armilla_grid_free(grid);
    }
}

static void check_failing_allocations(int operation, const scene *s, int nthreads)
{
    int64_t count = output_size(operation, s);
    size_t bytes = (size_t)count * sizeof(double);
    double *expected = checked_malloc(count, 8), *output = checked_malloc(count, 8);
    double *before = checked_malloc(count, 8);
    random_fill(34, count, before);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = nthreads;
    memcpy(expected, before, bytes);
    check_ok(run(operation, s, expected, &exec));
    int64_t n = 0;
    for (;; n++) {
        scene fresh = *s; /* a plan that keeps no workspace yet */
        fresh.sht = spin_plan(s->grid, &s->c);
        memcpy(output, before, bytes);
        armilla_memory_fail_after(n);
        armilla_status status = run(operation, &fresh, output, &exec);
        armilla_memory_fail_after(-1);
        armilla_sht_free(fresh.sht);
        if (status == ARMILLA_OK) break;
        check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
        assert_memory_equal(output, before, bytes);
        assert_true(n < MOST_ALLOCATIONS);
    }
    assert_true(n > 0);
    assert_memory_equal(output, expected, bytes);
    free(before);
    free(output);
    free(expected);
}

static void operators_survive_every_failing_allocation(void **state)
{
    (void)state;
    for (int number = 0; number < GRIDS; number++) {
        scene s;
        scene_open(&s, grid_number(number));
        for (int operation = 0; operation < OPERATORS; operation++) {
            if (operation == 4 && number % 4) continue; /* many allocations; some grids do */
            check_failing_allocations(operation, &s, 1);
            check_failing_allocations(operation, &s, 2);
        }
        scene_close(&s);
    }
}

static void spin_operators_survive_every_failing_allocation(void **state)
{
    (void)state;
    for (int number = 0; number < GRIDS; number++) {
        scene s;
        scene_open_spin(&s, grid_number(number), &spin_cases[number % SPIN_CASES]);
        for (int operation = 0; operation < OPERATORS; operation++) {
            if (operation == 4 && number % 4) continue;
            check_failing_allocations(operation, &s, 1 + number % 2);
        }
        scene_close(&s);
    }
}

/* Plans and operators on fewer rings, which no other grid here takes by itself. */
static void resampling_survives_every_failing_allocation(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin < 3; spin += 2) {
        const spin_case c = {
            .lmax = LMAX, .mmax = MMAX, .spin = spin, .rings = ARMILLA_SHT_RESAMPLE};
        scene s;
        scene_open_spin(&s, healpix_grid(9), &c);
        check_failing_plans(s.grid, &c);
        for (int operation = 0; operation < OPERATORS; operation++)
            check_failing_allocations(operation, &s, 1 + operation % 2);
        scene_close(&s);
    }
}

/* --- Cancellation ---------------------------------------------------------------------------- */

static void long_calls_can_be_cancelled(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, healpix_grid(16));
    double *output = checked_malloc(s.size, sizeof *output);
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.method = ARMILLA_PSEUDO_JACOBI;
    options.max_iterations = 100000; /* would take minutes */
    watcher w = {.stop = 1};
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.progress = watch;
    exec.progress_data = &w;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, &exec),
                ARMILLA_ERROR_CANCELLED, "progress");
    assert_int_equal(w.calls, 1);
    assert_false(w.bad);
    free(output);
    scene_close(&s);
}

static void synthesis_reports_and_can_be_cancelled(void **state)
{
    (void)state;
    int64_t lmax = 255, size = 2 * armilla_alm_size(lmax, lmax);
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, lmax, lmax, 0, 2 * lmax + 2);
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, lmax, lmax, NULL, &sht));
    double *alm = checked_malloc(size, 8), *map = checked_malloc(armilla_grid_npix(grid), 8);
    random_alm_triangle(35, lmax, lmax, alm);
    for (int stop = 0; stop < 2; stop++) {
        watcher w = {.stop = stop};
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.nthreads = 1;
        exec.progress = watch;
        exec.progress_data = &w;
        armilla_status status = armilla_sht_synthesis(sht, alm, map, &exec);
        assert_false(w.bad);
        assert_true(w.calls > 0);
        assert_int_equal(status, stop ? ARMILLA_ERROR_CANCELLED : ARMILLA_OK);
        if (stop) assert_int_equal(w.calls, 1);
    }
    free(map);
    free(alm);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
}

/* --- Threads --------------------------------------------------------------------------------- */

typedef struct {
    const scene *s;
    int operation;
    double *output;
    armilla_status status;
} job;

static void *run_job(void *argument)
{
    job *j = argument;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1 + j->operation % 2;
    for (int repeat = 0; repeat < 5 && j->status == ARMILLA_OK; repeat++)
        j->status = run(j->operation, j->s, j->output, &exec);
    return NULL;
}

static void check_concurrent_use(const scene *s)
{
    pthread_t thread[THREADS];
    job jobs[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){s, i % OPERATORS, NULL, ARMILLA_OK};
        jobs[i].output = checked_malloc(output_size(jobs[i].operation, s), sizeof(double));
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, run_job, &jobs[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        int64_t count = output_size(jobs[i].operation, s);
        double *expected = checked_malloc(count, sizeof *expected);
        assert_int_equal(jobs[i].status, ARMILLA_OK);
        check_ok(run(jobs[i].operation, s, expected, NULL));
        assert_memory_equal(jobs[i].output, expected, (size_t)count * sizeof *expected);
        free(expected);
        free(jobs[i].output);
    }
}

static void one_plan_serves_many_threads(void **state)
{
    (void)state;
    for (int number = 0; number < GRIDS; number++) {
        scene s;
        scene_open(&s, grid_number(number));
        check_concurrent_use(&s);
        scene_close(&s);
        scene_open_spin(&s, grid_number(number), &spin_cases[number % SPIN_CASES]);
        check_concurrent_use(&s);
        scene_close(&s);
    }
}

/* cmocka's assertions are not for other threads: report by status. */
static void *make_plans(void *argument)
{
    armilla_status *status = argument;
    for (int i = 0; i < 10 && *status == ARMILLA_OK; i++) {
        armilla_grid *grid;
        armilla_sht *sht;
        *status = armilla_grid_new_equidistant(ARMILLA_GRID_MW, 11 + i, 25 + i, &grid);
        if (*status) break;
        *status = armilla_sht_new(grid, 10, 10, NULL, &sht);
        armilla_grid_free(grid);
        if (*status == ARMILLA_OK) armilla_sht_free(sht);
    }
    return NULL;
}

static void many_threads_make_plans(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    armilla_status status[THREADS] = {ARMILLA_OK};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, make_plans, &status[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) assert_int_equal(status[i], ARMILLA_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan_survives_every_failing_allocation),
        cmocka_unit_test(operators_survive_every_failing_allocation),
        cmocka_unit_test(spin_operators_survive_every_failing_allocation),
        cmocka_unit_test(resampling_survives_every_failing_allocation),
        cmocka_unit_test(long_calls_can_be_cancelled),
        cmocka_unit_test(synthesis_reports_and_can_be_cancelled),
        cmocka_unit_test(one_plan_serves_many_threads),
        cmocka_unit_test(many_threads_make_plans),
    };
    return cmocka_run_group_tests(tests, report_every_unit, NULL);
}

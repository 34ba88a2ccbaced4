/* Checks many threads that use one plan, and many that make plans. What goes wrong in a call:
 * tests/contract; arguments: test_sht_arguments.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

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
        cmocka_unit_test(one_plan_serves_many_threads),
        cmocka_unit_test(many_threads_make_plans),
    };
    return cmocka_run_group_tests(tests, report_every_unit, NULL);
}

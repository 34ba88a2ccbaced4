/* Checks that a plan for I, Q, U needs less than two plans, serves many threads, and names what is
 * wrong. What all calls promise: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/memory.h"
#include "unit/test_iqu_scene.h"
#include <pthread.h>

enum { THREADS = 8 };

/* --- Memory and threads ---------------------------------------------------------------------- */

static armilla_sht_description describe(const armilla_sht *sht)
{
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_sht_describe(sht, 2, &d));
    return d;
}

static void check_description(armilla_grid *grid, armilla_sht_method method)
{
    sky s;
    sky_open(&s, grid, method, 1, 0);
    const armilla_sht_description scalar = describe(s.scalar), polar = describe(s.polar);
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_iqu_describe(s.iqu, 2, &d));
    assert_int_equal(d.ncomp, 3);
    assert_int_equal(d.alm_ncomp, 3);
    assert_int_equal(d.npix, s.npix);
    assert_int_equal(d.alm_size, s.size);
    assert_int_equal(d.workspace_bytes, polar.workspace_bytes);
    assert_true(polar.workspace_bytes > scalar.workspace_bytes);
    check_at_most(fabs(d.useful_flops / (scalar.useful_flops + polar.useful_flops) - 1), 1e-15,
                  "flops");
    const int64_t rings = armilla_grid_nrings(grid); /* the FFT tables have 48 bytes of each */
    assert_true(d.plan_bytes < scalar.plan_bytes + polar.plan_bytes - 48 * rings);
    assert_true(d.plan_bytes > polar.plan_bytes);
    d.size = offsetof(armilla_sht_description, mmax), d.mmax = -5;
    check_ok(armilla_iqu_describe(s.iqu, 2, &d));
    assert_int_equal(d.mmax, -5);
    sky_close(&s);
}

static void memory_is_shared(void **state)
{
    (void)state;
    check_description(healpix_grid(16), ARMILLA_SHT_AUTO);
    check_description(healpix_grid(16), ARMILLA_SHT_RESAMPLE);
    /* more ring pairs than one pass takes without regard to the number of samples */
    check_description(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, LMAX, MMAX, 1400, 200),
                      ARMILLA_SHT_DIRECT);
    sky s;
    sky_open(&s, healpix_grid(16), ARMILLA_SHT_AUTO, 1, 0);
    double *map = checked_calloc(s.nmap, 8);
    check_ok(run_iqu(0, s.iqu, &s, map, NULL, NULL));
    armilla_memory_fail_after(-1);
    check_ok(run_iqu(0, s.iqu, &s, map, NULL, NULL));
    assert_int_equal(armilla_memory_fail_after(-1), 1); /* the call's store; its block was kept */
    free(map);
    sky_close(&s);
}

typedef struct {
    const sky *s;
    int operation;
    double *out;
    armilla_status status;
} job;

static void *run_job(void *argument)
{
    job *j = argument;
    armilla_exec exec = j->s->exec;
    exec.nthreads = 1 + j->operation % 2;
    for (int repeat = 0; repeat < 5 && j->status == ARMILLA_OK; repeat++)
        j->status = run_iqu(j->operation, j->s->iqu, j->s, j->out, NULL, &exec);
    return NULL;
}

static void one_plan_serves_many_threads(void **state)
{
    (void)state;
    sky s;
    sky_open(&s, healpix_grid(8), ARMILLA_SHT_AUTO, 2, 0);
    pthread_t thread[THREADS];
    job jobs[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){&s, i % CALLS, NULL, ARMILLA_OK};
        jobs[i].out = checked_calloc(result_size(&s, i % CALLS), 8);
        assert_int_equal(pthread_create(&thread[i], NULL, run_job, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        const int64_t count = result_size(&s, i % CALLS);
        double *expected = checked_calloc(count, 8);
        assert_int_equal(jobs[i].status, ARMILLA_OK);
        check_ok(run_iqu(i % CALLS, s.iqu, &s, expected, NULL, &s.exec));
        assert_memory_equal(jobs[i].out, expected, (size_t)count * 8);
        free(expected);
        free(jobs[i].out);
    }
    sky_close(&s);
}

/* --- Progress -------------------------------------------------------------------------------- */

typedef struct {
    double stop_from, first, last; /* stops at the first fraction from stop_from on */
    int calls, calls_at_end, calls_after, bad;
} watcher;

/* --- Arguments ------------------------------------------------------------------------------- */

static void check_plan_refused(const armilla_grid *grid, int64_t lmax,
                               const armilla_sht_options *options, const char *text)
{
    armilla_iqu *iqu = NULL;
    check_error(armilla_iqu_new(grid, lmax, 2, options, &iqu), ARMILLA_ERROR_ARGUMENT, text);
    assert_null(iqu);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    sky s;
    sky_open(&s, healpix_grid(4), ARMILLA_SHT_AUTO, 2, 0);
    armilla_sht_options options = s.options;
    check_plan_refused(NULL, LMAX, NULL, "grid = NULL");
    check_plan_refused(s.grid, 1, NULL, "lmax = 1");
    options.spin = 2;
    check_plan_refused(s.grid, LMAX, &options, "options->spin = 2");
    options.spin = 0, options.mode = ARMILLA_SHT_DERIVATIVES;
    check_plan_refused(s.grid, LMAX, &options, "options->mode = 2");
    options.size = 1;
    check_plan_refused(s.grid, LMAX, &options, "options->size = 1");
    armilla_iqu_free(NULL);
    armilla_sht_description d = {.size = sizeof d};
    check_error(armilla_iqu_describe(NULL, 1, &d), ARMILLA_ERROR_ARGUMENT, "iqu = NULL");
    check_error(armilla_iqu_describe(s.iqu, 1, NULL), ARMILLA_ERROR_ARGUMENT, "description");
    double *out = checked_malloc(s.nmap + s.nalm, 8);
    for (int operation = 0; operation < CALLS; operation++) {
        armilla_exec exec = s.exec;
        sky none = s;
        none.alm = none.map = NULL;
        check_error(run_iqu(operation, NULL, &s, out, NULL, &exec), ARMILLA_ERROR_ARGUMENT,
                    "iqu = NULL");
        check_error(run_iqu(operation, s.iqu, &s, NULL, NULL, &exec), ARMILLA_ERROR_ARGUMENT,
                    "= NULL: must be an array");
        check_error(run_iqu(operation, s.iqu, &none, out, NULL, &exec), ARMILLA_ERROR_ARGUMENT,
                    "= NULL: must be an array");
        exec.alm_distance = s.size - 1;
        check_error(run_iqu(operation, s.iqu, &s, out, NULL, &exec), ARMILLA_ERROR_ARGUMENT,
                    "alm_distance");
        exec.alm_distance = 0, exec.map_distance = INT64_MAX / 16 / 5;
        check_error(run_iqu(operation, s.iqu, &s, out, NULL, &exec), ARMILLA_ERROR_ARGUMENT,
                    "map_distance");
        exec.map_distance = 0, exec.ntrans = 0;
        check_error(run_iqu(operation, s.iqu, &s, out, NULL, &exec), ARMILLA_ERROR_ARGUMENT,
                    "ntrans = 0");
    }
    free(out);
    sky_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_shared),
        cmocka_unit_test(one_plan_serves_many_threads),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

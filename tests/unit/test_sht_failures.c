/* What goes wrong, goes wrong politely: bad arguments, every allocation failing in turn,
 * cancellation, and many threads on one plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/memory.h"
#include "oracle/checks.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { LMAX = 12, MMAX = 10, OPERATORS = 5, THREADS = 8 };

typedef struct {
    armilla_grid *grid;
    armilla_sht *sht;
    int64_t size, npix; /* in doubles */
    double *alm, *map;
} scene;

static void scene_open(scene *s, armilla_grid *grid)
{
    s->grid = grid;
    s->size = 2 * armilla_alm_size(LMAX, MMAX);
    s->npix = armilla_grid_npix(grid);
    check_ok(armilla_sht_new(grid, LMAX, MMAX, NULL, &s->sht));
    s->alm = checked_malloc(s->size, sizeof(double));
    s->map = checked_malloc(s->npix, sizeof(double));
    random_alm_triangle(31, LMAX, MMAX, s->alm);
    random_fill(32, s->npix, s->map);
}

static void scene_close(scene *s)
{
    free(s->map);
    free(s->alm);
    armilla_sht_free(s->sht);
    armilla_grid_free(s->grid);
}

static armilla_grid *healpix(int64_t nside)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(nside, &grid));
    return grid;
}

/* A grid of every way a plan can be made: HEALPix, weights, theta resampling, custom rings. */
static armilla_grid *grid_number(int number)
{
    if (number < EXACT_KINDS) return exact_grid(exact_kinds[number], LMAX, MMAX, 1, 0);
    return healpix(number - EXACT_KINDS + 3);
}

enum { GRIDS = EXACT_KINDS + 2 };

static int64_t output_size(int operation, const scene *s)
{
    return operation == 0 || operation == 3 ? s->npix : s->size;
}

static armilla_status run(int operation, const scene *s, double *output, const armilla_exec *exec)
{
    switch (operation) {
    case 0:
        return armilla_sht_synthesis(s->sht, s->alm, output, exec);
    case 1:
        return armilla_sht_adjoint_synthesis(s->sht, s->map, output, exec);
    case 2:
        return armilla_sht_analysis(s->sht, s->map, output, exec);
    case 3:
        return armilla_sht_adjoint_analysis(s->sht, s->alm, output, exec);
    default:
        return armilla_sht_pseudo_analysis(s->sht, s->map, output, NULL, NULL, exec);
    }
}

/* --- Arguments ---------------------------------------------------------------------------------
 */

static void refused(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                    const armilla_sht_options *options, armilla_status expected, const char *text)
{
    armilla_sht *const untouched = (armilla_sht *)(uintptr_t)0x1230;
    armilla_sht *sht = untouched;
    check_error(armilla_sht_new(grid, lmax, mmax, options, &sht), expected, text);
    assert_ptr_equal(sht, untouched);
}

static void plans_refuse_bad_arguments(void **state)
{
    (void)state;
    armilla_grid *grid = healpix(4);
    armilla_sht_options options;
    refused(grid, -1, 0, NULL, ARMILLA_ERROR_ARGUMENT, "lmax = -1");
    refused(grid, 4, -1, NULL, ARMILLA_ERROR_ARGUMENT, "mmax = -1");
    refused(grid, 4, 5, NULL, ARMILLA_ERROR_ARGUMENT, "mmax = 5");
    refused(grid, INT64_MAX, 5, NULL, ARMILLA_ERROR_ARGUMENT, "lmax = 9223372036854775807");
    armilla_sht_options_init(&options);
    options.spin = 5;
    refused(grid, 4, 4, &options, ARMILLA_ERROR_ARGUMENT, "spin");
    options.spin = -5;
    refused(grid, 4, 4, &options, ARMILLA_ERROR_ARGUMENT, "spin");
    options.spin = 0, options.mode = ARMILLA_SHT_GRADIENT_ONLY;
    refused(grid, 4, 4, &options, ARMILLA_ERROR_ARGUMENT, "spin");
    options.spin = 3, options.mode = ARMILLA_SHT_DERIVATIVES;
    refused(grid, 4, 4, &options, ARMILLA_ERROR_ARGUMENT, "spin");
    options.mode = (armilla_sht_mode)7;
    refused(grid, 4, 4, &options, ARMILLA_ERROR_ARGUMENT, "mode");
    options.mode = ARMILLA_SHT_STANDARD;
    armilla_sht_options_init(&options);
    options.isa = "vax";
    refused(grid, 4, 4, &options, ARMILLA_ERROR_UNSUPPORTED, "vax");
    armilla_alm_layout *layout;
    check_ok(armilla_alm_layout_new(6, 3, &layout));
    armilla_sht_options_init(&options);
    options.layout = layout;
    refused(grid, 5, 3, &options, ARMILLA_ERROR_ARGUMENT, "lmax");
    refused(grid, 6, 2, &options, ARMILLA_ERROR_ARGUMENT, "mmax");
    armilla_alm_layout_free(layout);
    setenv("ARMILLA_ISA", "vax", 1);
    refused(grid, 4, 4, NULL, ARMILLA_ERROR_UNSUPPORTED, "vax");
    unsetenv("ARMILLA_ISA");
    armilla_grid_free(grid);
    armilla_sht_free(NULL);
    armilla_grid_free(NULL);
}

static void calls_refuse_bad_arguments(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, healpix(4));
    double *output = checked_malloc(s.size + s.npix, sizeof *output);
    random_fill(33, s.size + s.npix, output);
    uint64_t before = checksum(output, (size_t)(s.size + s.npix) * sizeof *output);
    for (int operation = 0; operation < OPERATORS; operation++) {
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.ntrans = 0;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "ntrans = 0");
        exec.ntrans = -3;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "ntrans = -3");
        exec.ntrans = INT64_MAX; /* no array is that long */
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "ntrans");
        armilla_exec_init(&exec);
        exec.nthreads = -1;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "nthreads = -1");
        armilla_exec_init(&exec);
        exec.size = 0;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "exec->size = 0");
        exec.size = sizeof exec + 8;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "exec->size");
        armilla_exec_init(&exec);
        exec.ntrans = 2; /* one distance too short in turn */
        exec.alm_distance = s.size / 2 - 1;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "alm_distance");
        exec.alm_distance = 0;
        exec.map_distance = s.npix - 1;
        check_error(run(operation, &s, output, &exec), ARMILLA_ERROR_ARGUMENT, "map_distance");
        check_error(run(operation, &s, NULL, NULL), ARMILLA_ERROR_ARGUMENT, "NULL");
        assert_true(before == checksum(output, (size_t)(s.size + s.npix) * sizeof *output));
    }
    free(output);
    scene_close(&s);
}

static void pseudo_analysis_refuses_bad_options(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, healpix(4));
    double *output = checked_malloc(s.size, sizeof *output);
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.tolerance = -1;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "tolerance");
    options.tolerance = (double)NAN;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "tolerance");
    options.size = 0;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "options->size = 0");
    options.size = sizeof options + 8;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "options->size");
    armilla_pseudo_options_init(&options);
    options.max_iterations = -1;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "max_iterations = -1");
    armilla_pseudo_options_init(&options);
    options.method = (armilla_pseudo_method)5;
    check_error(armilla_sht_pseudo_analysis(s.sht, s.map, output, &options, NULL, NULL),
                ARMILLA_ERROR_ARGUMENT, "method");
    free(output);
    scene_close(&s);
}

static void describes_what_will_run(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, healpix(4));
    armilla_sht_description d = {.size = sizeof d};
    check_ok(armilla_sht_describe(s.sht, 1, &d));
    assert_string_equal(d.backend, "cpu");
    assert_string_equal(d.isa, armilla_isa_name());
    assert_string_equal(d.method, "direct");
    assert_int_equal(d.lmax, LMAX);
    assert_int_equal(d.mmax, MMAX);
    assert_int_equal(d.nrings, 15);
    assert_int_equal(d.npix, 192);
    assert_int_equal(d.alm_size, s.size / 2);
    assert_int_equal(d.ncomp, 1);
    assert_true(d.plan_bytes > 0 && d.workspace_bytes > 0);
    /* 2 flop for recurrence, 4 for accumulation per (l, m, ring), halved by the two-step form:
     * at most 3, and most triples of so small a case matter. */
    double triples = (double)(s.size / 2) * 15;
    assert_true(d.useful_flops > triples && d.useful_flops <= 8 * triples);
    scene_close(&s);
}

static void describes_what_fits(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, healpix(4));
    check_error(armilla_sht_describe(s.sht, 1, NULL), ARMILLA_ERROR_ARGUMENT, "description = NULL");
    armilla_sht_description d = {.size = 0};
    const size_t wrong[] = {0, sizeof(size_t), sizeof d + 1, SIZE_MAX};
    for (int i = 0; i < 4; i++) {
        d.size = wrong[i];
        check_error(armilla_sht_describe(s.sht, 1, &d), ARMILLA_ERROR_ARGUMENT,
                    "description->size");
        assert_null(d.backend);
    }
    d.size = offsetof(armilla_sht_description, mmax); /* of a program older than the fields */
    d.mmax = -5;
    check_ok(armilla_sht_describe(s.sht, 1, &d));
    assert_int_equal(d.size, offsetof(armilla_sht_description, mmax));
    assert_int_equal(d.lmax, LMAX);
    assert_int_equal(d.mmax, -5);
    assert_true(d.useful_flops == 0);
    scene_close(&s);
}

/* --- Memory ------------------------------------------------------------------------------------
 */

enum { MOST_ALLOCATIONS = 5000 };

static void plan_survives_every_failing_allocation(void **state)
{
    (void)state;
    for (int number = 0; number < GRIDS; number++) {
        armilla_grid *grid = grid_number(number);
        armilla_sht *const untouched = (armilla_sht *)(uintptr_t)0x1230;
        int64_t n = 0;
        for (;; n++) {
            armilla_sht *sht = untouched;
            armilla_memory_fail_after(n);
            armilla_status status = armilla_sht_new(grid, LMAX, MMAX, NULL, &sht);
            armilla_memory_fail_after(-1);
            if (status == ARMILLA_OK) {
                armilla_sht_free(sht);
                break;
            }
            check_error(status, ARMILLA_ERROR_MEMORY, "could not allocate");
            assert_ptr_equal(sht, untouched);
            assert_true(n < MOST_ALLOCATIONS);
        }
        assert_true(n > 0);
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
        check_ok(armilla_sht_new(s->grid, LMAX, MMAX, NULL, &fresh.sht));
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

/* --- Cancellation -------------------------------------------------------------------------------
 */

typedef struct {
    int calls, stop, bad;
    double last;
} watcher;

static int watch(void *data, double fraction)
{
    watcher *w = data;
    w->calls++;
    w->bad |= !(fraction >= w->last && fraction <= 1);
    w->last = fraction;
    return w->stop;
}

static void long_calls_can_be_cancelled(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, healpix(16));
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
    int64_t lmax = checks_quick() ? 1023 : 2047, size = 2 * armilla_alm_size(lmax, lmax);
    armilla_grid *grid = exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, lmax, lmax, 0, 2 * lmax + 2);
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.isa = "scalar"; /* slow on purpose */
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, lmax, lmax, &options, &sht));
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

/* --- Threads -----------------------------------------------------------------------------------
 */

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
        cmocka_unit_test(plans_refuse_bad_arguments),
        cmocka_unit_test(calls_refuse_bad_arguments),
        cmocka_unit_test(pseudo_analysis_refuses_bad_options),
        cmocka_unit_test(describes_what_will_run),
        cmocka_unit_test(describes_what_fits),
        cmocka_unit_test(plan_survives_every_failing_allocation),
        cmocka_unit_test(operators_survive_every_failing_allocation),
        cmocka_unit_test(long_calls_can_be_cancelled),
        cmocka_unit_test(synthesis_reports_and_can_be_cancelled),
        cmocka_unit_test(one_plan_serves_many_threads),
        cmocka_unit_test(many_threads_make_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

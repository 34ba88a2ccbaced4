/* Checks calls of functions on the rotation group: what is refused, and in which words; bits, gaps,
 * memory, progress. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_so3_scene.h"

static so3_operator *const operators[] = {armilla_so3_synthesis, armilla_so3_adjoint_analysis,
                                          armilla_so3_analysis, armilla_so3_adjoint_synthesis};
enum { OPERATORS = 4, TO_MAP = 2 };

static armilla_grid *gauss(int64_t nrings, int64_t nphi)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(nrings, nphi, &grid));
    return grid;
}

/* --- Refusals --------------------------------------------------------------------------------- */

static void check_refused(const so3_case *c, const armilla_so3_options *options, const char *text)
{
    armilla_grid *grid = gauss(6, 11);
    armilla_so3 *plan = NULL;
    check_error(armilla_so3_new(grid, c->lmax, c->mmax, c->nmax, options, &plan),
                ARMILLA_ERROR_ARGUMENT, text);
    assert_null(plan);
    armilla_grid_free(grid);
}

static void plans_that_cannot_be(void **state)
{
    (void)state;
    armilla_so3_options options = so3_options(&(so3_case){5, 5, 5, 10});
    armilla_so3 *plan = NULL;
    check_refused(&(so3_case){-1, 0, 0, 0}, NULL, "lmax = -1");
    check_refused(&(so3_case){5, 6, 0, 0}, NULL, "mmax = 6");
    check_refused(&(so3_case){5, 5, 6, 0}, NULL, "nmax = 6");
    check_refused(&(so3_case){5, 5, -1, 0}, NULL, "nmax = -1");
    check_refused(&(so3_case){5, 5, 5, 0}, &options, "options->ngamma = 10");
    options.ngamma = -1;
    check_refused(&(so3_case){5, 5, 5, 0}, &options, "options->ngamma = -1");
    options.ngamma = 0, options.table_bytes = -1;
    check_refused(&(so3_case){5, 5, 5, 0}, &options, "options->table_bytes = -1");
    options.table_bytes = 0, options.plane_bytes = -2;
    check_refused(&(so3_case){5, 5, 5, 0}, &options, "options->plane_bytes = -2");
    options.plane_bytes = 0, options.size = 9;
    check_refused(&(so3_case){5, 5, 5, 0}, &options, "size = 9");
    check_error(armilla_so3_new(NULL, 5, 5, 5, NULL, &plan), ARMILLA_ERROR_ARGUMENT, "grid = NULL");
    armilla_grid *grid = gauss(6, 11), *nested;
    check_error(armilla_so3_new(grid, 5, 5, 5, NULL, NULL), ARMILLA_ERROR_ARGUMENT, "plan");
    options = so3_options(&(so3_case){5, 5, 5, 0}), options.isa = "abacus";
    check_error(armilla_so3_new(grid, 5, 5, 5, &options, &plan), ARMILLA_ERROR_UNSUPPORTED,
                "abacus");
    armilla_grid_free(grid);
    check_ok(armilla_grid_new_named("healpix:4:nested", &nested));
    check_error(armilla_so3_new(nested, 5, 5, 5, NULL, &plan), ARMILLA_ERROR_UNSUPPORTED, "NESTED");
    assert_null(plan);
    armilla_grid_free(nested);
}

static void calls_that_cannot_be(void **state)
{
    (void)state;
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    so3_scene s;
    so3_open(&s, gauss(6, 11), &(so3_case){5, 5, 2, 0});
    const uint64_t alm = checksum(s.alm, (size_t)s.nalm * 8);
    for (int i = 0; i < OPERATORS; i++) {
        const double *in = i < TO_MAP ? s.alm : s.map;
        double *out = i < TO_MAP ? s.map : s.alm;
        check_error(operators[i](NULL, in, out, NULL), wrong, "plan");
        check_error(operators[i](s.plan, NULL, out, NULL), wrong, i < TO_MAP ? "alm" : "map");
        check_error(operators[i](s.plan, in, NULL, NULL), wrong, i < TO_MAP ? "map" : "alm");
    }
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.alm_distance = s.size / 2 - 1;
    check_error(armilla_so3_analysis(s.plan, s.map, s.alm, &exec), wrong, "alm_distance");
    exec.alm_distance = 0, exec.map_distance = s.npix - 1;
    check_error(armilla_so3_analysis(s.plan, s.map, s.alm, &exec), wrong, "map_distance");
    exec.map_distance = 0, exec.missing = ARMILLA_MISSING_ERROR, s.map[3 * s.npix + 5] = NAN;
    check_error(armilla_so3_analysis(s.plan, s.map, s.alm, &exec), wrong, "nan");
    assert_int_equal(alm, checksum(s.alm, (size_t)s.nalm * 8));
    armilla_so3_description d = {.size = 3};
    check_error(armilla_so3_describe(s.plan, 1, &d), wrong, "size = 3");
    d.size = sizeof d;
    check_error(armilla_so3_describe(s.plan, -1, &d), wrong, "nthreads");
    check_error(armilla_so3_describe(NULL, 1, &d), wrong, "plan");
    so3_close(&s);
    armilla_so3_free(NULL);
}

/* Rings without weights cannot be analysed. */
static void analysis_needs_weights(void **state)
{
    (void)state;
    const armilla_ring ring = {.theta = 1, .nphi = 7, .stride = 1};
    armilla_grid *grid;
    so3_scene s;
    check_ok(armilla_grid_new_custom(1, &ring, &grid));
    so3_open(&s, grid, &(so3_case){3, 3, 1, 0});
    check_ok(armilla_so3_adjoint_synthesis(s.plan, s.map, s.alm, NULL));
    check_error(armilla_so3_analysis(s.plan, s.map, s.alm, NULL), ARMILLA_ERROR_ARGUMENT,
                "weights");
    check_error(armilla_so3_adjoint_analysis(s.plan, s.alm, s.map, NULL), ARMILLA_ERROR_ARGUMENT,
                "weights");
    so3_close(&s);
}

/* --- Bits ------------------------------------------------------------------------------------- */

/* All results of a plan, one after the other. */
static double *all_results(const so3_scene *s, const armilla_so3 *plan, int nthreads)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = nthreads;
    double *results = checked_malloc(2 * (s->nmap + s->nalm), 8), *next = results;
    for (int i = 0; i < OPERATORS; i++) {
        check_ok(operators[i](plan, i < TO_MAP ? s->alm : s->map, next, &exec));
        next += i < TO_MAP ? s->nmap : s->nalm;
    }
    return results;
}

static void check_same(const so3_scene *s, const armilla_so3 *plan, int nthreads, const double *one)
{
    double *results = all_results(s, plan, nthreads);
    assert_memory_equal(one, results, (size_t)(2 * (s->nmap + s->nalm)) * 8);
    free(results);
}

static uint64_t inputs_of(const so3_scene *s)
{
    return checksum(s->alm, (size_t)s->nalm * 8) ^ checksum(s->map, (size_t)s->nmap * 8);
}

static void threads_do_not_change_bits(void **state)
{
    (void)state;
    so3_scene s;
    so3_open(&s, gauss(41, 83), &(so3_case){40, 37, 40, 0});
    const uint64_t inputs = inputs_of(&s);
    double *one = all_results(&s, s.plan, 1);
    check_same(&s, s.plan, 2, one);
    check_same(&s, s.plan, 4, one);
    const armilla_poison before = armilla_memory_poison(ARMILLA_POISON_NAN);
    check_same(&s, s.plan, 1, one);
    armilla_memory_poison(before);
    assert_int_equal(inputs, inputs_of(&s));
    free(one);
    so3_close(&s);
}

/* Planes in parts and tables that are made anew change nothing but memory. */
static void little_memory_does_not_change_bits(void **state)
{
    (void)state;
    so3_scene s;
    so3_open(&s, gauss(30, 60), &(so3_case){28, 28, 28, 61});
    armilla_so3_description whole = {.size = sizeof whole}, small = whole;
    armilla_so3_options options = so3_options(&s.c);
    armilla_grid *grid = gauss(30, 60);
    armilla_so3 *plan;
    double *one = all_results(&s, s.plan, 1);
    options.table_bytes = 300000, options.plane_bytes = 5 * 16 * s.npix;
    check_ok(armilla_so3_new(grid, 28, 28, 28, &options, &plan));
    check_same(&s, plan, 2, one);
    check_ok(armilla_so3_describe(s.plan, 1, &whole));
    check_ok(armilla_so3_describe(plan, 1, &small));
    assert_int_equal(whole.kept, 29);
    assert_int_equal(whole.parts, 1);
    assert_int_equal(small.parts, 6);
    assert_true(small.kept > 1 && small.kept < 29);
    assert_true(small.plan_bytes < whole.plan_bytes);
    assert_true(whole.workspace_bytes - small.workspace_bytes >= (29 - 5) * 16 * s.npix);
    assert_int_equal(whole.ngamma, 61);
    assert_int_equal(whole.npix, 1800);
    assert_int_equal(whole.alm_size, armilla_alm_size(28, 28));
    free(one);
    armilla_so3_free(plan);
    armilla_grid_free(grid);
    so3_close(&s);
}

/* --- Distances -------------------------------------------------------------------------------- */

/* What lies between is kept. */
static void check_gaps(const double *array, int64_t count, int64_t size, int64_t distance)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = size; j < distance; j++) assert_true(array[i * distance + j] == 77);
}

static double *copy_apart(int64_t count, const double *from, int64_t size, int64_t distance)
{
    double *apart = checked_malloc(count * distance, 8);
    for (int64_t i = 0; i < count * distance; i++) apart[i] = 77;
    for (int64_t i = 0; i < count; i++)
        memcpy(apart + i * distance, from + i * size, (size_t)size * 8);
    return apart;
}

static void several_functions_may_be_apart(void **state)
{
    (void)state;
    const int64_t ntriangles = 7, ngamma = 9;
    so3_scene s, t;
    so3_open(&s, gauss(12, 23), &(so3_case){11, 9, 3, ngamma});
    so3_open(&t, gauss(12, 23), &(so3_case){11, 9, 3, ngamma});
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = 2, exec.alm_distance = s.size / 2 + 3, exec.map_distance = s.npix + 11;
    double *alm = checked_malloc(2 * s.nalm, 8), *map = checked_malloc(2 * s.nmap, 8);
    random_fill(20, 2 * s.nalm, alm);
    double *alms = copy_apart(2 * ntriangles, alm, s.size, s.size + 6);
    double *maps = copy_apart(2 * ngamma, map, s.npix, s.npix + 11);
    check_ok(armilla_so3_synthesis(s.plan, alms, maps, &exec));
    check_ok(armilla_so3_analysis(s.plan, maps, alms, &exec));
    check_gaps(maps, 2 * ngamma, s.npix, s.npix + 11);
    check_gaps(alms, 2 * ntriangles, s.size, s.size + 6);
    for (int i = 0; i < 2; i++) {
        check_ok(armilla_so3_synthesis(t.plan, alm + i * s.nalm, t.map, NULL));
        check_ok(armilla_so3_analysis(t.plan, t.map, t.alm, NULL));
        for (int64_t j = 0; j < ngamma; j++)
            assert_memory_equal(t.map + j * s.npix, maps + (i * ngamma + j) * (s.npix + 11),
                                (size_t)s.npix * 8);
        for (int64_t n = 0; n < ntriangles; n++)
            assert_memory_equal(t.alm + n * s.size, alms + (i * ntriangles + n) * (s.size + 6),
                                (size_t)s.size * 8);
    }
    free(alm), free(map), free(alms), free(maps);
    so3_close(&s), so3_close(&t);
}

/* Pixels between the rows are not written, and columns may be what is contiguous. */
static void maps_have_layouts(void **state)
{
    (void)state;
    for (int transposed = 0; transposed < 2; transposed++) {
        armilla_grid_layout layout;
        armilla_grid *grid = gauss(12, 23), *laid_out;
        armilla_grid_layout_init(&layout);
        layout.theta_contiguous = transposed, layout.pixel_stride = transposed ? 17 : 1;
        if (!transposed) layout.ring_stride = 30;
        check_ok(armilla_grid_new_laid_out(grid, &layout, &laid_out));
        so3_scene s, plain;
        so3_open(&s, laid_out, &(so3_case){11, 11, 5, 0});
        so3_open(&plain, grid, &(so3_case){11, 11, 5, 0});
        for (int64_t i = 0; i < s.nmap; i++) s.map[i] = 77;
        check_ok(armilla_so3_synthesis(s.plan, s.alm, s.map, NULL));
        check_ok(armilla_so3_synthesis(plain.plan, s.alm, plain.map, NULL));
        int64_t kept = 0;
        for (int64_t i = 0; i < s.nmap; i++) kept += s.map[i] == 77;
        assert_int_equal(kept, s.nmap - plain.nmap);
        for (int64_t i = 0; i < plain.nmap; i++) {
            const int64_t j = i / plain.npix, r = i % plain.npix / 23, p = i % 23;
            const int64_t at = transposed ? r + 17 * p : 30 * r + p;
            assert_true(plain.map[i] == s.map[j * s.npix + at]);
        }
        check_ok(armilla_so3_analysis(s.plan, s.map, s.alm, NULL));
        check_ok(armilla_so3_analysis(plain.plan, plain.map, plain.alm, NULL));
        assert_memory_equal(s.alm, plain.alm, (size_t)s.nalm * 8);
        so3_close(&s), so3_close(&plain);
    }
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void every_allocation_fails(void **state)
{
    (void)state;
    so3_scene s;
    armilla_grid *grid = gauss(9, 17);
    so3_open(&s, gauss(9, 17), &(so3_case){8, 8, 2, 0});
    armilla_so3_options options = so3_options(&s.c);
    options.table_bytes = 1;
    armilla_so3 *plan = NULL;
    armilla_memory_fail_after(-1);
    check_ok(armilla_so3_new(grid, 8, 8, 2, &options, &plan));
    const int64_t count = armilla_memory_fail_after(-1);
    assert_true(count > 20);
    for (int64_t i = 0; i < count; i += checks_quick() ? 5 : 1) {
        armilla_so3 *failed = NULL;
        armilla_memory_fail_after(i);
        const armilla_status status = armilla_so3_new(grid, 8, 8, 2, &options, &failed);
        armilla_memory_fail_after(-1);
        assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        assert_null(failed);
    }
    check_ok(armilla_so3_analysis(plan, s.map, s.alm, NULL));
    const int64_t in_call = armilla_memory_fail_after(-1);
    assert_true(in_call > 20);
    for (int64_t i = 0; i < in_call - 8; i += 7) {
        armilla_memory_fail_after(i);
        assert_int_equal(armilla_so3_analysis(plan, s.map, s.alm, NULL), ARMILLA_ERROR_MEMORY);
        armilla_memory_fail_after(-1);
    }
    check_ok(armilla_so3_analysis(plan, s.map, s.alm, NULL));
    armilla_so3_free(plan);
    armilla_grid_free(grid);
    so3_close(&s);
}

/* --- Progress --------------------------------------------------------------------------------- */

typedef struct {
    int calls, end; /* end: the call that cancels; 0: none */
    double last;
} watcher;

static int watch(void *data, double fraction)
{
    watcher *w = data;
    assert_true(fraction >= w->last && fraction <= 1 + 1e-12);
    w->last = fraction, w->calls++;
    return w->calls == w->end;
}

static void progress_and_cancelling(void **state)
{
    (void)state;
    so3_scene s;
    so3_open(&s, gauss(30, 60), &(so3_case){29, 29, 20, 0});
    armilla_progress_set_interval(0);
    for (int i = 0; i < OPERATORS; i++) {
        watcher w = {0};
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.progress = watch, exec.progress_data = &w, exec.nthreads = 1;
        for (int pass = 0; pass < 2; pass++) {
            const armilla_status status =
                operators[i](s.plan, i < TO_MAP ? s.alm : s.map, i < TO_MAP ? s.map : s.alm, &exec);
            assert_int_equal(status, pass ? ARMILLA_ERROR_CANCELLED : ARMILLA_OK);
            assert_true(w.calls > (pass ? 0 : 2));
            if (pass) assert_int_equal(w.calls, w.end);
            check_at_most(1 - w.last, pass ? 0.95 : 0.06, "operator %d", i);
            w = (watcher){.end = w.calls / 2};
        }
    }
    armilla_progress_set_interval(0.05);
    so3_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_that_cannot_be),
        cmocka_unit_test(calls_that_cannot_be),
        cmocka_unit_test(analysis_needs_weights),
        cmocka_unit_test(threads_do_not_change_bits),
        cmocka_unit_test(little_memory_does_not_change_bits),
        cmocka_unit_test(several_functions_may_be_apart),
        cmocka_unit_test(maps_have_layouts),
        cmocka_unit_test(every_allocation_fails),
        cmocka_unit_test(progress_and_cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

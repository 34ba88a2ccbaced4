/* Checks calls of beams: what is refused, and in which words; bits, memory, progress. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unit/test_beams_scene.h"

static const beams_case ordinary = {60, 55, 4, 3, 40000, 1e-6};

/* --- Refusals --------------------------------------------------------------------------------- */

static void check_refused(const beams_case *c, int64_t count, const double *pointings,
                          const char *text)
{
    const armilla_beams_options options = beams_options(c);
    armilla_beams *plan = NULL;
    check_error(armilla_beams_new(c->lmax, c->mmax, c->kmax, count, pointings, &options, &plan),
                ARMILLA_ERROR_ARGUMENT, text);
    assert_null(plan);
}

static void plans_that_cannot_be(void **state)
{
    (void)state;
    double p[30];
    fill_pointings(10, p);
    check_refused(&(beams_case){-1, 0, 0, 1, 10, 1e-6}, 10, p, "lmax");
    check_refused(&(beams_case){5, 6, 0, 1, 10, 1e-6}, 10, p, "mmax");
    check_refused(&(beams_case){5, 5, 6, 1, 10, 1e-6}, 10, p, "kmax = 6");
    check_refused(&(beams_case){5, 5, -1, 1, 10, 1e-6}, 10, p, "kmax = -1");
    check_refused(&(beams_case){5, 5, 2, 4, 10, 1e-6}, 10, p, "options->components = 4");
    check_refused(&(beams_case){5, 5, 2, 0, 10, 1e-6}, 10, p, "options->components = 0");
    check_refused(&(beams_case){5, 5, 2, 1, 10, 1}, 10, p, "options->epsilon");
    check_refused(&(beams_case){5, 5, 2, 1, 10, NAN}, 10, p, "options->epsilon");
    check_refused(&(beams_case){5, 5, 2, 1, 10, 1e-6}, 0, p, "npointings = 0");
    check_refused(&(beams_case){5, 5, 2, 1, 10, 1e-6}, 10, NULL, "pointings = NULL");
    for (int angle = 0; angle < 3; angle++) {
        const char *const texts[] = {"theta of pointing 7", "phi of pointing 7",
                                     "psi of pointing 7"};
        const double before = p[21 + angle];
        p[21 + angle] = NAN, p[27 + angle] = INFINITY;
        check_refused(&ordinary, 10, p, texts[angle]);
        p[21 + angle] = before, p[27 + angle] = 1;
    }
    p[3] = -1e-9;
    check_refused(&ordinary, 10, p, "theta of pointing 1 = -1.0000000000000001e-09");
    check_error(armilla_beams_new(5, 5, 2, 10, p, NULL, NULL), ARMILLA_ERROR_ARGUMENT, "plan");
}

static void calls_that_cannot_be(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &(beams_case){12, 10, 2, 3, 30, 1e-6});
    armilla_exec exec;
    armilla_exec_init(&exec);
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    check_error(armilla_beams_convolve(NULL, s.sky, s.beam, s.samples, NULL), wrong, "plan");
    check_error(armilla_beams_convolve(s.plan, NULL, s.beam, s.samples, NULL), wrong, "sky");
    check_error(armilla_beams_convolve(s.plan, s.sky, NULL, s.samples, NULL), wrong, "beam");
    check_error(armilla_beams_adjoint(s.plan, NULL, s.beam, s.sky, NULL), wrong, "samples");
    check_error(armilla_beams_beam_adjoint(s.plan, s.samples, s.sky, NULL, NULL), wrong, "beam");
    exec.ntrans = 2;
    check_error(armilla_beams_deconvolve(s.plan, s.samples, s.beam, s.sky, NULL, NULL, &exec),
                wrong, "exec->ntrans = 2");
    s.beam[41] = NAN;
    check_error(armilla_beams_deconvolve(s.plan, s.samples, s.beam, s.sky, NULL, NULL, NULL), wrong,
                "beam[20] = nan");
    s.beam[41] = 0;
    armilla_exec_init(&exec);
    exec.alm_distance = armilla_alm_size(12, 10) - 1;
    check_error(armilla_beams_convolve(s.plan, s.sky, s.beam, s.samples, &exec), wrong,
                "alm_distance");
    armilla_beams_description d = {.size = 3};
    check_error(armilla_beams_describe(s.plan, 1, &d), wrong, "size = 3");
    beams_close(&s);
    armilla_beams_free(NULL);
}

/* --- Bits ------------------------------------------------------------------------------------- */

/* All results of a scene, one after the other. */
static double *all_results(const beams_scene *s, int nthreads, int64_t *count)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = nthreads;
    *count = s->c.npointings + s->nsky + s->nbeam;
    double *samples = checked_malloc(*count, 8), *sky = samples + s->c.npointings;
    check_ok(armilla_beams_convolve(s->plan, s->sky, s->beam, samples, &exec));
    check_ok(armilla_beams_adjoint(s->plan, samples, s->beam, sky, &exec));
    check_ok(armilla_beams_beam_adjoint(s->plan, samples, s->sky, sky + s->nsky, &exec));
    return samples;
}

static void threads_do_not_change_bits(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &ordinary);
    int64_t count;
    double *one = all_results(&s, 1, &count);
    const uint64_t inputs =
        checksum(s.sky, (size_t)s.nsky * 8) ^ checksum(s.beam, (size_t)s.nbeam * 8);
    for (int nthreads = 2; nthreads <= 4; nthreads += 2) {
        double *several = all_results(&s, nthreads, &count);
        assert_memory_equal(one, several, (size_t)count * 8);
        free(several);
    }
    const armilla_poison before = armilla_memory_poison(ARMILLA_POISON_NAN);
    double *poisoned = all_results(&s, 1, &count);
    armilla_memory_poison(before);
    assert_memory_equal(one, poisoned, (size_t)count * 8);
    assert_int_equal(inputs,
                     checksum(s.sky, (size_t)s.nsky * 8) ^ checksum(s.beam, (size_t)s.nbeam * 8));
    free(one), free(poisoned);
    beams_close(&s);
}

static void components_of_the_sky_may_be_apart(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &(beams_case){30, 30, 3, 3, 100, 1e-6});
    const int64_t size = s.nsky / 3, distance = size + 20;
    double *apart = checked_calloc(3 * distance, 8), *samples = checked_malloc(100, 8);
    for (int64_t i = 0; i < 3; i++)
        memcpy(apart + i * distance, s.sky + i * size, (size_t)size * 8);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.alm_distance = distance / 2;
    check_ok(armilla_beams_convolve(s.plan, s.sky, s.beam, s.samples, NULL));
    check_ok(armilla_beams_convolve(s.plan, apart, s.beam, samples, &exec));
    assert_memory_equal(s.samples, samples, 100 * 8);
    check_ok(armilla_beams_adjoint(s.plan, samples, s.beam, s.sky, NULL));
    check_ok(armilla_beams_adjoint(s.plan, samples, s.beam, apart, &exec));
    for (int64_t i = 0; i < 3; i++)
        assert_memory_equal(apart + i * distance, s.sky + i * size, (size_t)size * 8);
    free(apart), free(samples);
    beams_close(&s);
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void every_allocation_fails(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &(beams_case){40, 40, 3, 3, 2000, 1e-6});
    const armilla_beams_options options = beams_options(&s.c);
    armilla_beams *plan = NULL;
    armilla_memory_fail_after(-1);
    check_ok(armilla_beams_new(40, 40, 3, 2000, s.pointings, &options, &plan));
    const int64_t count = armilla_memory_fail_after(-1);
    assert_true(count > 20);
    for (int64_t i = 0; i < count; i++) {
        armilla_beams *failed = NULL;
        armilla_memory_fail_after(i);
        const armilla_status status =
            armilla_beams_new(40, 40, 3, 2000, s.pointings, &options, &failed);
        armilla_memory_fail_after(-1);
        assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        assert_null(failed);
    }
    armilla_memory_fail_after(0);
    check_error(armilla_beams_convolve(plan, s.sky, s.beam, s.samples, NULL), ARMILLA_ERROR_MEMORY,
                "");
    armilla_memory_fail_after(-1);
    check_ok(armilla_beams_convolve(plan, s.sky, s.beam, s.samples, NULL));
    armilla_beams_free(plan);
    beams_close(&s);
}

static armilla_beams_description describe(const beams_case *c)
{
    armilla_beams_description d = {.size = sizeof d};
    beams_scene s;
    beams_open(&s, c);
    check_ok(armilla_beams_describe(s.plan, 1, &d));
    beams_close(&s);
    return d;
}

/* The workspace of a call does not grow with kmax, beyond what the few degrees of a task take. */
static void memory_of_a_call(void **state)
{
    (void)state;
    const beams_case few = {200, 200, 4, 3, 100000, 1e-5}, many = {200, 200, 14, 3, 100000, 1e-5};
    const armilla_beams_description a = describe(&few), b = describe(&many);
    check_at_most((double)b.workspace_bytes, 1.1 * (double)a.workspace_bytes, "kmax 14");
    assert_int_equal(a.kmax, 4);
    assert_int_equal(a.components, 3);
    assert_int_equal(a.npointings, 100000);
    assert_int_equal(a.blm_size, armilla_alm_size(200, 4));
    assert_int_equal(a.alm_size, armilla_alm_size(200, 200));
    assert_true(a.plan_bytes > 100000 * 36 && b.plan_bytes > a.plan_bytes);
}

/* --- Progress --------------------------------------------------------------------------------- */

typedef struct {
    int calls, end; /* end: the call that cancels; 0: none */
    double last;
} watcher;

static int watch(void *data, double fraction)
{
    watcher *w = data;
    assert_true(fraction >= w->last && fraction <= 1);
    w->last = fraction, w->calls++;
    return w->calls == w->end;
}

static void progress_and_cancelling(void **state)
{
    (void)state;
    beams_scene s;
    beams_open(&s, &ordinary);
    armilla_progress_set_interval(0);
    for (int op = 0; op < 3; op++) {
        watcher w = {0};
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.progress = watch, exec.progress_data = &w, exec.nthreads = 1;
        for (int pass = 0; pass < 2; pass++) {
            const armilla_status status =
                op == 0   ? armilla_beams_convolve(s.plan, s.sky, s.beam, s.samples, &exec)
                : op == 1 ? armilla_beams_adjoint(s.plan, s.samples, s.beam, s.sky, &exec)
                          : armilla_beams_beam_adjoint(s.plan, s.samples, s.sky, s.beam, &exec);
            assert_int_equal(status, pass ? ARMILLA_ERROR_CANCELLED : ARMILLA_OK);
            if (pass) assert_int_equal(w.calls, w.end);
            check_at_most(1 - w.last, pass ? 0.9 : 1e-9, "operator %d", op);
            w = (watcher){.end = w.calls / 2};
        }
    }
    armilla_progress_set_interval(0.05);
    beams_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_that_cannot_be),
        cmocka_unit_test(calls_that_cannot_be),
        cmocka_unit_test(threads_do_not_change_bits),
        cmocka_unit_test(components_of_the_sky_may_be_apart),
        cmocka_unit_test(every_allocation_fails),
        cmocka_unit_test(memory_of_a_call),
        cmocka_unit_test(progress_and_cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

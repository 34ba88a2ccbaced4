/* Plans and calls for lensed maps on a GPU: memory is what the plan tells, transforms go together,
 * and what is not offered is refused by name. Failures: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/lensing_scene.h"
#include "cuda/runtime/copies.h"
#include "emulation.h"

/* --- Memory and failures ---------------------------------------------------------------------- */

static void memory_is_what_the_plan_tells(void **state)
{
    (void)state;
    for (int kind = 0; kind < GRIDS; kind += 4) {
        pair p = pair_open(kind, &cases[1], 0.3);
        armilla_points_description d = {.size = sizeof d};
        check_ok(armilla_lensing_describe(p.gpu, 1, &d));
        assert_string_equal(d.backend, "cuda");
        assert_int_equal(cuda_emulation_live_bytes(), d.device_plan_bytes);
        double *alm = to_device(p.s.alm, 8 * p.nalm), *map = to_device(p.map, 8 * p.nmap);
        int64_t most = 0;
        for (int way = 0; way < 2; way++) {
            const int64_t before = cuda_emulation_live_bytes();
            cuda_emulation_most_bytes();
            check_ok(run(p.gpu, way, way ? map : alm, way ? alm : map, NULL));
            const int64_t taken = cuda_emulation_most_bytes() - before;
            most = taken > most ? taken : most;
        }
        assert_true(most <= d.device_workspace_bytes);
        assert_true(d.device_workspace_bytes <= 3 * most);
        cudaFree(alm), cudaFree(map);
        pair_close(&p);
    }
}

/* --- What is refused -------------------------------------------------------------------------- */

static void plans_that_are_refused(void **state)
{
    (void)state;
    pair p = pair_open(1, &cases[1], 0.3);
    const spin_case *c = &cases[1];
    armilla_points_options options = gpu_options(&p.s);
    armilla_lensing *made = NULL;
    options.points_memory = ARMILLA_MEMORY_HOST;
    check_error(armilla_lensing_new(p.s.grid, &p.s.deflection, c->lmax, c->mmax, &options, &made),
                ARMILLA_ERROR_ARGUMENT, "options->points_memory");
    check_error(armilla_lensing_new_beside(p.gpu, c->lmax, c->mmax, &p.s.options, &made),
                ARMILLA_ERROR_ARGUMENT, "options->device = ARMILLA_CPU");
    options = gpu_options(&p.s);
    check_error(armilla_lensing_new_beside(p.s.lensing, c->lmax, c->mmax, &options, &made),
                ARMILLA_ERROR_ARGUMENT, "options->device = ARMILLA_CUDA");
    cuda_emulation_set_devices(0);
    check_error(new_on_gpu(&p.s, &made), ARMILLA_ERROR_UNSUPPORTED, "no GPU");
    cuda_emulation_set_devices(1);
    assert_null(made);
    pair_close(&p);
}

/* The pixel of the map is named, as on the processor. */
static void deflections_that_are_not_finite_are_named(void **state)
{
    (void)state;
    const int64_t live = cuda_emulation_live_bytes(); /* what calls that failed to free it keep */
    for (int kind = 0; kind < GRIDS; kind++) {
        pair p = pair_open(kind, &cases[0], 0.3);
        const spin_case *c = &cases[0];
        armilla_lensing *made = NULL;
        p.s.potentials[2] = 1e308 * 10;
        check_error(
            armilla_lensing_new(p.s.grid, &p.s.deflection, c->lmax, c->mmax, &p.s.options, &made),
            ARMILLA_ERROR_ARGUMENT, "deflection: at pixel");
        char wanted[60];
        snprintf(wanted, sizeof wanted, "%.40s", armilla_status_message());
        check_error(new_on_gpu(&p.s, &made), ARMILLA_ERROR_ARGUMENT, "deflection: at pixel");
        const size_t end = strcspn(wanted, "(");
        assert_true(!strncmp(wanted, armilla_status_message(), end));
        assert_null(made);
        pair_close(&p);
    }
    assert_int_equal(cuda_emulation_live_bytes(), live);
}

static void calls_that_are_refused(void **state)
{
    (void)state;
    pair p = pair_open(0, &cases[1], 0.3);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(run(p.gpu, 0, p.s.alm, p.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "alm: is in host memory");
    check_error(run(p.s.lensing, 0, p.s.alm, p.made, &exec), ARMILLA_ERROR_ARGUMENT, "CPU");
    armilla_exec_init(&exec);
    exec.missing = ARMILLA_MISSING_ERROR;
    for (int i = 0; i < 2; i++) /* a good map: it is looked at, then used */
        check_ok(run(i ? p.gpu : p.s.lensing, 1, p.map, i ? p.made : p.wanted, &exec));
    check_at_most(relative_error(p.nalm, p.wanted, p.made), BOUND, "missing");
    p.map[5] = (double)NAN;
    check_error(run(p.gpu, 1, p.map, p.made, &exec), ARMILLA_ERROR_ARGUMENT, "map[5]");
    pair_close(&p);
}

/* --- Several transforms ------------------------------------------------------------------------
 */

enum { NTRANS = 5 };

typedef struct {
    int64_t launches, bytes;
} taken;

/* A call of the same input NTRANS times, arrays on the device or the host; `out` is 7 before. */
static taken run_many(const armilla_lensing *plan, const pair *p, int way, int on_device,
                      double *out)
{
    const int64_t nin = lensing_outputs(p, !way), nout = lensing_outputs(p, way);
    double *in = checked_malloc(NTRANS * nin, 8);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = NTRANS;
    for (int64_t i = 0; i < NTRANS * nin; i++)
        in[i] = lensing_input(p, way)[i % nin] * (1 + (double)(i / nin));
    for (int64_t i = 0; i < NTRANS * nout; i++) out[i] = 7;
    double *in_there = to_device(in, 8 * NTRANS * nin), *there = to_device(out, 8 * NTRANS * nout);
    const int64_t before = cuda_emulation_live_bytes();
    cuda_emulation_most_bytes(), cuda_emulation_launches();
    check_ok(run(plan, way, on_device ? in_there : in, on_device ? there : out, &exec));
    const taken t = {cuda_emulation_launches(), cuda_emulation_most_bytes() - before};
    if (on_device) from_device(out, there, 8 * NTRANS * nout);
    cudaFree(in_there), cudaFree(there);
    free(in);
    return t;
}

/* Values of all in one buffer, with few launches and the bits of one by one; with less memory, as
 * many as have room. */
static void check_together(const pair *p, int way, int on_device)
{
    const int64_t nout = NTRANS * lensing_outputs(p, way), budgets[] = {1, 2, 0};
    armilla_points_description d = {.size = sizeof d};
    double *made[3];
    taken t[3];
    check_ok(armilla_lensing_describe(p->gpu, 1, &d));
    for (int i = 0; i < 3; i++) {
        armilla_points_options options = gpu_options(&p->s);
        armilla_lensing *plan;
        options.device_bytes = i == 1 ? 2 * d.device_workspace_bytes : budgets[i];
        made[i] = checked_malloc(nout, 8);
        check_ok(armilla_lensing_new(p->s.grid, &p->s.deflection, p->s.c.lmax, p->s.c.mmax,
                                     &options, &plan));
        t[i] = run_many(plan, p, way, on_device, made[i]);
        if (i == 1 && on_device) assert_true(t[i].bytes <= options.device_bytes);
        assert_memory_equal(made[i], made[0], 8 * (size_t)nout);
        armilla_lensing_free(plan);
    }
    cuda_emulation_launches();
    check_ok(run(p->gpu, way, lensing_input(p, way), made[0], NULL));
    assert_true(t[2].launches <
                2 * cuda_emulation_launches()); /* one by one: NTRANS times as many */
    assert_true(t[2].launches < t[0].launches && t[1].launches <= t[0].launches);
    assert_true(t[2].bytes > t[0].bytes);
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("way %d: %d launches one by one, %d with room for some, %d together\n", way,
                      (int)t[0].launches, (int)t[1].launches, (int)t[2].launches);
    for (int i = 0; i < 3; i++) free(made[i]);
}

static void transforms_go_together(void **state)
{
    (void)state;
    const int kinds[] = {0, 1, 4}; /* RING, NESTED, gaps */
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 2; c++) { /* spins 0 and 2 */
            pair p = pair_open(kinds[k], &cases[c], 0.3);
            for (int way = 0; way < 2; way++) check_together(&p, way, (k + c) % 2);
            pair_close(&p);
        }
}

/* Arrays of the host in batches of two or three beside each other, one by one where there is no
 * room for more, and copies that come late: the bits of arrays on the GPU, all at once. */
static void copies_go_beside_kernels(void **state)
{
    (void)state;
    pair p = pair_open(4, &cases[1], 0.3); /* spin 2, gaps */
    armilla_points_description d = {.size = sizeof d};
    check_ok(armilla_lensing_describe(p.gpu, 1, &d));
    const int64_t budgets[] = {1, 3 * d.device_workspace_bytes, 0};
    for (int i = 0; i < 6; i++) {
        const int way = i % 2;
        const int64_t nout = NTRANS * lensing_outputs(&p, way);
        double *wanted = checked_malloc(nout, 8), *made = checked_malloc(nout, 8);
        armilla_points_options options = gpu_options(&p.s);
        armilla_lensing *plan;
        run_many(p.gpu, &p, way, 1, wanted);
        options.device_bytes = budgets[i / 2];
        armilla_cuda_copier_set_sizes(1000, 1);
        cuda_emulation_set_deferred(1);
        check_ok(armilla_lensing_new(p.s.grid, &p.s.deflection, p.s.c.lmax, p.s.c.mmax, &options,
                                     &plan));
        run_many(plan, &p, way, 0, made);
        cuda_emulation_set_deferred(0);
        assert_memory_equal(made, wanted, 8 * (size_t)nout);
        armilla_lensing_free(plan);
        armilla_cuda_copier_set_sizes(0, 0);
        free(made), free(wanted);
    }
    pair_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_what_the_plan_tells),
        cmocka_unit_test(plans_that_are_refused),
        cmocka_unit_test(deflections_that_are_not_finite_are_named),
        cmocka_unit_test(calls_that_are_refused),
        cmocka_unit_test(transforms_go_together),
        cmocka_unit_test(copies_go_beside_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

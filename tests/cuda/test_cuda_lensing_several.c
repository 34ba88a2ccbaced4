/* Lensed maps on several GPUs: both operators have the bits of one GPU, on every kind of grid, and
 * what belongs to one GPU is refused by name. Failures: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/progress.h"
#include "lensing/plan.h"
#include "points/device.h"

#include "cuda/lensing_scene.h"
#include "cuda/several_scene.h"

#include <pthread.h>

/* Three GPUs share these, a strip each: mmax is small, so that it is quick. */
static const spin_case shared[] = {{.lmax = 100, .mmax = 5},
                                   {.lmax = 100, .mmax = 6, .spin = 2},
                                   {.lmax = 100, .mmax = 3, .spin = -1}};

enum { GAP = 5 };

/* --- Plans and calls -------------------------------------------------------------------------- */

static armilla_points_options options_on(const lensing_scene *s, int count)
{
    armilla_points_options options = gpu_options(s);
    options.devices = lists[count - 1], options.ndevices = count;
    return options;
}

static armilla_status new_on_list(const lensing_scene *s, int count, armilla_lensing **lensing)
{
    const armilla_points_options options = options_on(s, count);
    *lensing = NULL;
    return armilla_lensing_new(s->grid, &s->deflection, s->c.lmax, s->c.mmax, &options, lensing);
}

/* Calls of several transforms with gaps between their components. */
typedef struct {
    armilla_exec exec;
    int64_t nmap, nalm; /* numbers of arrays */
    double *map, *alm;  /* that go in */
    double *wanted, *made;
} arrays;

static arrays arrays_open(const pair *p, int64_t ntrans)
{
    const int64_t npix = armilla_grid_npix(p->s.grid), ncomp = lensing_ncomp(&p->s);
    const int64_t size = armilla_alm_size(p->s.c.lmax, p->s.c.mmax);
    arrays a;
    armilla_exec_init(&a.exec);
    a.exec.ntrans = ntrans, a.exec.map_distance = npix + GAP, a.exec.alm_distance = size + GAP;
    a.nmap = ntrans * ncomp * (npix + GAP);
    a.nalm = ntrans * (p->nalm / size / 2) * 2 * (size + GAP);
    const int64_t most = a.nmap > a.nalm ? a.nmap : a.nalm;
    a.map = checked_malloc(a.nmap, 8), a.alm = checked_malloc(a.nalm, 8);
    a.wanted = checked_malloc(most, 8), a.made = checked_malloc(most, 8);
    random_fill(7, a.nmap, a.map), random_fill(8, a.nalm, a.alm);
    for (int64_t i = 0; i < most; i++) a.wanted[i] = a.made[i] = 7;
    return a;
}

static void arrays_close(arrays *a)
{
    free(a->map), free(a->alm), free(a->wanted), free(a->made);
}

/* Both operators; what is no pixel, and no coefficient, stays as it is. */
static void check_same_bits(const pair *p, const armilla_lensing *plan, int64_t ntrans,
                            const char *what)
{
    for (int way = 0; way < 2; way++) {
        arrays a = arrays_open(p, ntrans);
        const double *in = way ? a.map : a.alm;
        check_ok(run(p->gpu, way, in, a.wanted, &a.exec));
        check_ok(run(plan, way, in, a.made, &a.exec));
        if (memcmp(a.wanted, a.made, 8 * (size_t)(way ? a.nalm : a.nmap)))
            fail_msg("%s, spin %d: other bits, way %d", what, (int)p->s.c.spin, way);
        arrays_close(&a);
    }
}

/* --- Bits ------------------------------------------------------------------------------------- */

static void bits_do_not_depend_on_how_many(void **state)
{
    (void)state;
    const int kinds[] = {0, 1, 4, 5}; /* RING, NESTED, gaps, a part of the sky */
    for (int k = 0; k < 4; k++) {
        pair p = pair_open(kinds[k], &shared[k % 3], 0.5);
        for (int count = 1; count <= MOST; count++) {
            armilla_lensing *plan;
            check_ok(new_on_list(&p.s, count, &plan));
            assert_int_equal(plan->points->core->ndevices, count);
            check_same_bits(&p, plan, k == 1 ? 3 : 1 + k / 2, "grid");
            armilla_lensing_free(plan);
        }
        pair_close(&p);
    }
}

static void strips_and_batches_change_no_bits(void **state)
{
    (void)state;
    pair p = pair_open(0, &shared[1], 0.5);
    armilla_points_options options = options_on(&p.s, MOST);
    for (options.device_bytes = 1; options.device_bytes < 1 << 24; options.device_bytes <<= 12) {
        armilla_lensing *plan;
        check_ok(armilla_lensing_new(p.s.grid, &p.s.deflection, p.s.c.lmax, p.s.c.mmax, &options,
                                     &plan));
        check_same_bits(&p, plan, 3, "memory");
        armilla_lensing_free(plan);
    }
    pair_close(&p);
}

/* The processor's plan, so that one GPU is not the only witness. */
static void values_are_the_processors(void **state)
{
    (void)state;
    pair p = pair_open(4, &shared[1], 0.5);
    armilla_lensing_free(p.gpu);
    check_ok(new_on_list(&p.s, MOST, &p.gpu));
    assert_int_equal(armilla_points_device_needs(p.gpu->points).ngpus, MOST);
    for (int way = 0; way < 2; way++) {
        const int64_t count = lensing_outputs(&p, way);
        for (int64_t i = 0; i < count; i++) p.wanted[i] = p.made[i] = 7;
        check_ok(run(p.s.lensing, way, lensing_input(&p, way), p.wanted, NULL));
        check_ok(run(p.gpu, way, lensing_input(&p, way), p.made, NULL));
        check_at_most(relative_error(count, p.wanted, p.made), BOUND, "way %d", way);
    }
    pair_close(&p);
}

/* --- What plans are --------------------------------------------------------------------------- */

static void angles_are_those_of_one(void **state)
{
    (void)state;
    pair p = pair_open(4, &shared[0], 0.5);
    const int64_t npix = armilla_grid_npix(p.s.grid);
    double *wanted = checked_calloc(3 * npix, 8), *made = checked_calloc(3 * npix, 8);
    armilla_lensing *plan;
    check_ok(new_on_list(&p.s, 2, &plan));
    check_ok(armilla_lensing_angles(p.gpu, wanted, wanted + 2 * npix));
    check_ok(armilla_lensing_angles(plan, made, made + 2 * npix));
    assert_memory_equal(wanted, made, 24 * (size_t)npix);
    armilla_lensing_free(plan);
    free(wanted), free(made);
    pair_close(&p);
}

/* Directions are shared, whichever plan is freed first, and so are the GPUs, with a list or none.
 */
static void a_plan_beside_has_the_same_gpus(void **state)
{
    (void)state;
    pair p = pair_open(4, &shared[1], 0.5);
    armilla_lensing *first, *beside, *third = NULL;
    armilla_points_options options = options_on(&p.s, 2);
    int list[2] = {options.devices[0], options.devices[1]};
    options.devices = list, options.spin = 0;
    check_ok(
        armilla_lensing_new(p.s.grid, &p.s.deflection, p.s.c.lmax, p.s.c.mmax, &options, &first));
    list[0] = list[1] = 77;
    options = gpu_options(&p.s);
    check_ok(armilla_lensing_new_beside(first, p.s.c.lmax, p.s.c.mmax, &options, &beside));
    options = options_on(&p.s, MOST);
    check_error(armilla_lensing_new_beside(first, p.s.c.lmax, p.s.c.mmax, &options, &third),
                ARMILLA_ERROR_ARGUMENT, "options->devices: must be NULL or the GPUs of lensing");
    check_error(armilla_lensing_new_beside(p.gpu, p.s.c.lmax, p.s.c.mmax, &options, &third),
                ARMILLA_ERROR_ARGUMENT, "options->devices: must be NULL or the GPUs of lensing");
    assert_null(third);
    options = options_on(&p.s, 2);
    check_ok(armilla_lensing_new_beside(first, p.s.c.lmax, p.s.c.mmax, &options, &third));
    armilla_lensing_free(first);
    assert_int_equal(beside->points->core->ndevices, 2);
    check_same_bits(&p, beside, 2, "beside");
    check_same_bits(&p, third, 1, "beside, with a list");
    armilla_lensing_free(third), armilla_lensing_free(beside);
    pair_close(&p);
}

/* Device memory of each GPU is at most what the description tells, and that of one of them is. */
static void a_description_tells_of_the_fullest(void **state)
{
    (void)state;
    pair p = pair_open(0, &shared[1], 0.5);
    armilla_points_description one = {.size = sizeof one}, several = {.size = sizeof several};
    armilla_lensing *plan;
    size_t before[MOST];
    check_ok(armilla_lensing_describe(p.gpu, 1, &one));
    for (int device = 0; device < MOST; device++) before[device] = room_on(device);
    check_ok(new_on_list(&p.s, MOST, &plan));
    check_ok(armilla_lensing_describe(plan, 1, &several));
    int64_t most = 0;
    for (int device = 0; device < MOST; device++) {
        const int64_t taken = (int64_t)(before[device] - room_on(device));
        if (taken > most) most = taken;
    }
    assert_true(several.device_plan_bytes <= most);
    assert_true(several.device_plan_bytes > most * 9 / 10);
    assert_true(several.device_plan_bytes < one.device_plan_bytes);
    assert_true(several.plan_bytes >= one.plan_bytes + 24 * armilla_grid_npix(p.s.grid));
    armilla_lensing_free(plan);
    pair_close(&p);
}

/* --- What is refused -------------------------------------------------------------------------- */

static void what_belongs_to_one_gpu_is_refused(void **state)
{
    (void)state;
    pair p = pair_open(0, &shared[1], 0.5);
    armilla_lensing *plan;
    armilla_exec exec;
    cudaStream_t stream;
    check_ok(new_on_list(&p.s, 2, &plan));
    double *alm = to_device(p.s.alm, 8 * p.nalm), *map = to_device(p.map, 8 * p.nmap);
    armilla_exec_init(&exec);
    exec.missing = ARMILLA_MISSING_ERROR;
    check_error(run(plan, 0, alm, p.made, NULL), ARMILLA_ERROR_ARGUMENT,
                "alm: is in the memory of a GPU");
    check_error(run(plan, 0, p.s.alm, map, NULL), ARMILLA_ERROR_ARGUMENT,
                "map: is in the memory of a GPU");
    check_error(run(plan, 1, map, p.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "map: is in the memory of a GPU");
    check_ok(run(plan, 1, p.map, p.made, &exec));
    p.map[5] = (double)NAN;
    check_error(run(plan, 1, p.map, p.made, &exec), ARMILLA_ERROR_ARGUMENT, "map[5]");
    exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(run(plan, 0, p.s.alm, p.made, &exec), ARMILLA_ERROR_ARGUMENT, "exec->memory");
    armilla_exec_init(&exec);
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    exec.stream = stream;
    check_error(run(plan, 0, p.s.alm, p.made, &exec), ARMILLA_ERROR_ARGUMENT, "exec->stream");
    cudaStreamDestroy(stream), cudaFree(alm), cudaFree(map);
    armilla_lensing_free(plan);
    pair_close(&p);
}

static void bad_lists_and_deflections_are_named(void **state)
{
    (void)state;
    pair p = pair_open(1, &shared[0], 0.5);
    const int unknown[] = {0, MOST};
    armilla_points_options options = options_on(&p.s, 2);
    armilla_lensing *plan = NULL;
    options.devices = unknown;
    check_error(
        armilla_lensing_new(p.s.grid, &p.s.deflection, p.s.c.lmax, p.s.c.mmax, &options, &plan),
        ARMILLA_ERROR_ARGUMENT, "options->devices[1] = 3");
    p.s.potentials[2] = 1e308 * 10;
    check_error(new_on_list(&p.s, 2, &plan), ARMILLA_ERROR_ARGUMENT, "deflection: at pixel");
    assert_null(plan);
    assert_int_equal(current_device(), 0);
    pair_close(&p);
}

/* Coefficients of the deflection may be in the memory of the first GPU, not of another one. */
static void a_deflection_may_be_on_the_first_gpu(void **state)
{
    (void)state;
    pair p = pair_open(0, &shared[0], 0.5);
    const int64_t bytes = 32 * armilla_alm_size(DEFLECTION_LMAX, DEFLECTION_MMAX);
    const armilla_deflection before = p.s.deflection;
    for (int first = 0; first < 2; first++) {
        armilla_lensing *plan;
        assert_int_equal(cudaSetDevice(first ? lists[1][0] : lists[1][1]), cudaSuccess);
        double *there = to_device(p.s.potentials, bytes);
        assert_int_equal(cudaSetDevice(0), cudaSuccess);
        p.s.deflection.gradient = there, p.s.deflection.curl = there + bytes / 16;
        const armilla_status status = new_on_list(&p.s, 2, &plan);
        if (first) {
            check_ok(status);
            check_same_bits(&p, plan, 1, "deflection");
        } else
            check_error(status, ARMILLA_ERROR_ARGUMENT,
                        "deflection->gradient: is in the memory of GPU 0");
        armilla_lensing_free(plan);
        cudaFree(there);
    }
    p.s.deflection = before;
    pair_close(&p);
}

/* --- Failures --------------------------------------------------------------------------------- */

static void the_gpu_with_too_little_memory_is_named(void **state)
{
    (void)state;
    pair p = pair_open(0, &shared[1], 0.5);
    armilla_lensing *plan;
    armilla_lensing_free(p.gpu), p.gpu = NULL;
    for (int device = 0; device < 2; device++) {
        char words[20];
        snprintf(words, sizeof words, "GPU %d: ", device);
        cuda_emulation_set_device(device, 1000, 90);
        check_error(new_on_list(&p.s, 2, &plan), ARMILLA_ERROR_MEMORY, words);
        assert_null(plan);
        cuda_emulation_set_device(device, (int64_t)1 << 30, 90);
    }
    pair_close(&p);
}

/* --- Progress --------------------------------------------------------------------------------- */

static void the_caller_hears_of_all(void **state)
{
    (void)state;
    pair p = pair_open(4, &shared[1], 0.5);
    armilla_lensing *plan;
    check_ok(new_on_list(&p.s, MOST, &plan));
    armilla_progress_set_interval(0);
    for (int round = 0; round < 4; round++) {
        listener l = {.thread = pthread_self(), .stop = round % 2};
        arrays a = arrays_open(&p, 2);
        a.exec.progress = hear, a.exec.progress_data = &l;
        const armilla_status status =
            run(plan, round / 2, round / 2 ? a.map : a.alm, a.made, &a.exec);
        assert_int_equal(status, l.stop ? ARMILLA_ERROR_CANCELLED : ARMILLA_OK);
        assert_true(l.stop ? l.calls == 1 : l.calls >= 1);
        arrays_close(&a);
    }
    armilla_progress_set_interval(0.05);
    armilla_lensing_free(plan);
    pair_close(&p);
}

#define ON_DEVICES(test) cmocka_unit_test_setup_teardown(test, set_devices, reset_devices)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_DEVICES(bits_do_not_depend_on_how_many),
        ON_DEVICES(strips_and_batches_change_no_bits),
        ON_DEVICES(values_are_the_processors),
        ON_DEVICES(angles_are_those_of_one),
        ON_DEVICES(a_plan_beside_has_the_same_gpus),
        ON_DEVICES(a_description_tells_of_the_fullest),
        ON_DEVICES(what_belongs_to_one_gpu_is_refused),
        ON_DEVICES(bad_lists_and_deflections_are_named),
        ON_DEVICES(a_deflection_may_be_on_the_first_gpu),
        ON_DEVICES(the_gpu_with_too_little_memory_is_named),
        ON_DEVICES(the_caller_hears_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

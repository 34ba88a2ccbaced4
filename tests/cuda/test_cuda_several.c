/* Plans on several GPUs: transforms of a call are dealt out among them, with the bits of one of
 * them, and what goes wrong on one is named and leaves the others usable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/progress.h"
#include "base/parts.h"
#include "cuda/several_scene.h"
#include "cuda/test_cuda_scene.h"

#include <pthread.h>

enum { LMAX = 10, NSIDE = 4 };

static armilla_sht_options on_list(int count)
{
    armilla_sht_options options = on_gpu();
    options.devices = lists[count - 1], options.ndevices = count;
    return options;
}

/* A plan for the first `count` of a list, on the grid of the pair. */
static armilla_sht *plan_on(const pair_of_plans *p, int count, int64_t spin)
{
    armilla_sht *sht;
    armilla_sht_options options = on_list(count);
    options.spin = spin;
    check_ok(armilla_sht_new(p->grid, LMAX, LMAX, &options, &sht));
    return sht;
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Arrays of the plan on one device, which others are compared with. */
static void open_pair(pair_of_plans *p, armilla_grid *grid, int64_t ntrans, int64_t spin)
{
    armilla_sht_options options = on_gpu();
    options.spin = spin;
    plans_open(p, grid, LMAX, LMAX, ntrans, &options);
}

static void check_bits(const pair_of_plans *p, const armilla_sht *several, int operation,
                       const char *what)
{
    const armilla_exec exec = exec_of(p);
    const size_t bytes = 8 * (size_t)count_out(p, operation);
    check_ok(operate(operation, p->gpu, input(p, operation), p->wanted, &exec));
    random_fill(3, count_out(p, operation), p->made);
    check_ok(operate(operation, several, input(p, operation), p->made, &exec));
    if (memcmp(p->wanted, p->made, bytes)) fail_msg("%s, operator %d: other bits", what, operation);
    check_ok(operate(operation, p->cpu, input(p, operation), p->wanted, &exec));
    check_at_most(relative_error(count_out(p, operation), p->wanted, p->made), 1e-12, "%s", what);
}

static void check_float_bits(const pair_of_plans *p, const armilla_sht *several, int operation)
{
    const armilla_exec exec = exec_of(p);
    const int64_t nin = count_in(p, operation), nout = count_out(p, operation);
    float *in = checked_malloc(nin, sizeof *in), *out = checked_malloc(2 * nout, sizeof *out);
    to_float(nin, input(p, operation), in);
    check_ok(operate_float(operation, p->gpu, in, out, &exec));
    check_ok(operate_float(operation, several, in, out + nout, &exec));
    assert_memory_equal(out, out + nout, (size_t)nout * sizeof *out);
    free(out);
    free(in);
}

/* Takes the grid. */
static void check_grid(armilla_grid *grid, int64_t ntrans, int64_t spin, const char *what)
{
    pair_of_plans p;
    open_pair(&p, grid, ntrans, spin);
    for (int count = 1; count <= MOST; count++) {
        armilla_sht *several = plan_on(&p, count, spin);
        for (int operation = 0; operation < OPERATORS; operation++)
            check_bits(&p, several, operation, what);
        if (count == MOST) check_float_bits(&p, several, spin ? 0 : 2);
        armilla_sht_free(several);
    }
    plans_close(&p);
}

static void bits_do_not_depend_on_how_many(void **state)
{
    (void)state;
    check_grid(healpix_grid(NSIDE), 7, 0, "HEALPix, scalars");
    check_grid(healpix_grid(NSIDE), 2, 2, "HEALPix, spin 2, fewer transforms than GPUs");
    check_grid(exact_grid(ARMILLA_GRID_CC, LMAX, LMAX, 0, 0), 4, 0, "CC, weights mix rings");
}

/* Where the work is done shows in the pools, which keep what calls took. */
static void all_devices_work(void **state)
{
    (void)state;
    pair_of_plans p;
    size_t with_plan[MOST];
    open_pair(&p, healpix_grid(NSIDE), 2, 0);
    armilla_sht *several = plan_on(&p, MOST, 0);
    armilla_exec exec = exec_of(&p);
    for (int device = 0; device < MOST; device++) with_plan[device] = room_on(device);
    check_ok(armilla_sht_synthesis(several, p.alm, p.made, &exec));
    assert_int_equal(current_device(), 0);
    for (int i = 0; i < MOST; i++) {
        const int device = lists[MOST - 1][i];
        assert_int_equal(room_on(device) < with_plan[device], i < 2); /* two transforms */
    }
    exec.ntrans = 1;
    check_ok(armilla_sht_synthesis(several, p.alm, p.made, &exec));
    armilla_sht_free(several);
    plans_close(&p);
}

static void a_description_tells_of_the_fullest(void **state)
{
    (void)state;
    armilla_sht_description d[2];
    armilla_grid *grid = healpix_grid(NSIDE);
    for (int i = 0; i < 2; i++) {
        const armilla_sht_options options = on_list(1 + i);
        armilla_sht *sht;
        const size_t before = room_on(0);
        check_ok(armilla_sht_new(grid, LMAX, LMAX, &options, &sht));
        d[i] = (armilla_sht_description){.size = sizeof d[i]};
        check_ok(armilla_sht_describe(sht, 1, &d[i]));
        const int64_t taken = (int64_t)(before - room_on(0));
        assert_int_equal(taken > 0, i); /* device 0 comes second */
        if (i) assert_true(d[i].device_plan_bytes <= taken);
        armilla_sht_free(sht);
    }
    assert_true(d[0].device_plan_bytes > 0);
    assert_int_equal(d[0].device_plan_bytes, d[1].device_plan_bytes);
    assert_int_equal(d[0].device_workspace_bytes, d[1].device_workspace_bytes);
    armilla_grid_free(grid);
}

/* --- Threads ---------------------------------------------------------------------------------- */

typedef struct {
    const pair_of_plans *p;
    const armilla_sht *several;
    double *made;
    armilla_status status;
} caller;

static void *call_twice(void *data)
{
    caller *c = data;
    const armilla_exec exec = exec_of(c->p);
    for (int i = 0; i < 2 && !c->status; i++)
        c->status = armilla_sht_synthesis(c->several, c->p->alm, c->made, &exec);
    return NULL;
}

static void several_threads_may_call(void **state)
{
    (void)state;
    enum { CALLERS = 3 };
    pair_of_plans p;
    pthread_t threads[CALLERS];
    caller callers[CALLERS];
    open_pair(&p, healpix_grid(NSIDE), 5, 0);
    const armilla_exec exec = exec_of(&p);
    armilla_sht *several = plan_on(&p, MOST, 0);
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.wanted, &exec));
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (caller){&p, several, checked_malloc(p.nmap, 8), ARMILLA_OK};
        assert_int_equal(pthread_create(&threads[i], NULL, call_twice, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(callers[i].status, ARMILLA_OK);
        assert_memory_equal(callers[i].made, p.wanted, 8 * (size_t)p.nmap);
        free(callers[i].made);
    }
    armilla_sht_free(several);
    plans_close(&p);
}

static void calls_do_without_threads(void **state)
{
    (void)state;
    pair_of_plans p;
    open_pair(&p, healpix_grid(NSIDE), 5, 0);
    armilla_sht *several = plan_on(&p, MOST, 0);
    for (int most = 0; most < 2; most++) {
        armilla_parts_limit_threads(most);
        check_bits(&p, several, 0, "few threads");
    }
    armilla_parts_limit_threads(-1);
    armilla_sht_free(several);
    plans_close(&p);
}

/* --- Progress --------------------------------------------------------------------------------- */

/* With one transform at once, so that there is something to tell; with and without threads. */
static void the_caller_hears_of_all(void **state)
{
    (void)state;
    pair_of_plans p;
    armilla_sht_options options = on_list(MOST);
    options.device_bytes = 1;
    plans_open(&p, exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, LMAX, LMAX, 0, 0), LMAX, LMAX, 30,
               &options);
    armilla_exec exec = exec_of(&p);
    armilla_progress_set_interval(0);
    for (int round = 0; round < 4; round++) {
        listener l = {.thread = pthread_self(), .stop = round & 1};
        armilla_parts_limit_threads(round < 2 ? -1 : 0);
        exec.progress = hear, exec.progress_data = &l;
        const armilla_status status = armilla_sht_synthesis(p.gpu, p.alm, p.made, &exec);
        assert_int_equal(status, l.stop ? ARMILLA_ERROR_CANCELLED : ARMILLA_OK);
        if (l.stop)
            assert_int_equal(l.calls, 1);
        else
            assert_true(l.calls > 1 && l.last > 0.99);
    }
    armilla_progress_set_interval(0.05);
    armilla_parts_limit_threads(-1);
    plans_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bits_do_not_depend_on_how_many, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(all_devices_work, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(a_description_tells_of_the_fullest, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(several_threads_may_call, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(calls_do_without_threads, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(the_caller_hears_of_all, set_devices, reset_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

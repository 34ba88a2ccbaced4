/* Device memory of calls: one pool per device keeps it for the calls of all plans, gives it back
 * when somebody needs it and when the last plan is gone, and never makes one stream wait for
 * another. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/runtime/device_pool.h"
#include "cuda/test_cuda_scene.h"
#include "emulation.h"

#include <pthread.h>
#include <time.h>

enum { LMAX = 12, NSIDE = 4 };

static const int64_t PLENTY = (int64_t)1 << 30;

static void open_plans(pair_of_plans *p)
{
    const armilla_sht_options options = on_gpu();
    plans_open(p, healpix_grid(NSIDE), LMAX, LMAX, 1, &options);
}

static void call_once(pair_of_plans *p)
{
    check_ok(armilla_sht_synthesis(p->gpu, p->alm, p->made, NULL));
}

static void plans_of_a_device_share_what_their_calls_leave(void **state)
{
    (void)state;
    pair_of_plans first, second, third;
    open_plans(&first);
    open_plans(&second);
    assert_int_equal(cuda_emulation_pools(), 1);
    assert_int_equal(cuda_emulation_pool_bytes(), 0);
    call_once(&first);
    const int64_t kept = cuda_emulation_pool_bytes();
    assert_true(kept > 0); /* no call of the driver the next time */
    call_once(&second);
    call_once(&first);
    assert_int_equal(cuda_emulation_pool_bytes(), kept);
    plans_close(&first);
    assert_int_equal(cuda_emulation_pool_bytes(), kept);
    open_plans(&third);
    call_once(&third);
    assert_int_equal(cuda_emulation_pool_bytes(), kept);
    assert_int_equal(cuda_emulation_pools(), 1);
    plans_close(&second);
    plans_close(&third);
    assert_int_equal(cuda_emulation_pools(), 0);
    assert_int_equal(cuda_emulation_pool_bytes(), 0);
}

/* A plan whose call has left memory in the pool. Returned: how much. */
static int64_t fill_pool(pair_of_plans *p)
{
    open_plans(p);
    call_once(p);
    return cuda_emulation_pool_bytes();
}

/* Bytes of the device that a small plan takes. */
static int64_t bytes_of_plan(const armilla_grid *grid, const armilla_sht_options *options)
{
    armilla_sht *sht;
    const int64_t before = cuda_emulation_live_bytes();
    check_ok(armilla_sht_new(grid, 1, 1, options, &sht));
    const int64_t bytes = cuda_emulation_live_bytes() - before;
    armilla_sht_free(sht);
    return bytes;
}

static void the_pool_gives_way_to_plans(void **state)
{
    (void)state;
    pair_of_plans p;
    armilla_sht *other;
    const armilla_sht_options options = on_gpu();
    const int64_t kept = fill_pool(&p), bytes = bytes_of_plan(p.grid, &options);
    cuda_emulation_set_memory(cuda_emulation_live_bytes() + kept + bytes - 64);
    check_ok(armilla_sht_new(p.grid, 1, 1, &options, &other));
    assert_true(cuda_emulation_pool_bytes() < kept);
    armilla_sht_free(other);
    call_once(&p); /* now the pool takes it again */
    assert_int_equal(cuda_emulation_pool_bytes(), kept);
    cuda_emulation_set_memory(cuda_emulation_live_bytes());
    check_error(armilla_sht_new(p.grid, LMAX, LMAX, &options, &other), ARMILLA_ERROR_MEMORY,
                " of device memory are not to be had");
    cuda_emulation_set_memory(PLENTY);
    plans_close(&p);
}

/* Memory that another stream has freed is not reused while its work is on the way: a call that has
 * too little waits for the device, then has it. */
static void the_pool_gives_way_to_calls(void **state)
{
    (void)state;
    pair_of_plans p;
    cudaStream_t streams[2];
    const int64_t kept = fill_pool(&p);
    double *alm = to_device(p.alm, 8 * p.nalm), *maps[2];
    for (int i = 0; i < 2; i++) {
        maps[i] = to_device(p.map, 8 * p.nmap);
        assert_int_equal(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking), 0);
    }
    cuda_emulation_set_memory(cuda_emulation_live_bytes() + kept + 64);
    cuda_emulation_set_deferred(1);
    cuda_emulation_dependencies();
    for (int i = 0; i < 2; i++) {
        armilla_exec exec = exec_of(&p);
        exec.stream = streams[i];
        check_ok(armilla_sht_synthesis(p.gpu, alm, maps[i], &exec));
    }
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    cuda_emulation_set_deferred(0);
    assert_int_equal(cuda_emulation_dependencies(), 0);
    cuda_emulation_set_memory(PLENTY);
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.wanted, NULL));
    for (int i = 0; i < 2; i++) {
        from_device(p.made, maps[i], 8 * p.nmap);
        assert_memory_equal(p.made, p.wanted, 8 * (size_t)p.nmap);
        cudaFree(maps[i]);
        cudaStreamDestroy(streams[i]);
    }
    cudaFree(alm);
    plans_close(&p);
}

/* --- Two devices ------------------------------------------------------------------------------ */

static int asked, answered; /* has another thread's question been answered? */

static void *ask_for_pool(void *data)
{
    (void)data;
    return armilla_cuda_pool_exists(1) ? &answered : NULL;
}

/* Stands in the way of device 0 while that is waited for: its work asks for the pool of device 1
 * from another thread, as a call there does, and waits for some seconds. */
static double ask_meanwhile(const char *from)
{
    pthread_t thread;
    struct timespec end;
    void *result = NULL;
    (void)from;
    if (asked++) return 1;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 5;
    assert_int_equal(pthread_create(&thread, NULL, ask_for_pool, NULL), 0);
    answered = !pthread_timedjoin_np(thread, &result, &end) && result == &answered;
    if (!answered) pthread_detach(thread);
    return 1;
}

/* A pool is trimmed while its device has work: calls on other devices go on. */
static void trimming_stops_no_other_device(void **state)
{
    (void)state;
    pair_of_plans first, second;
    cudaStream_t stream;
    cuda_emulation_set_devices(2);
    open_plans(&first);
    assert_int_equal(cudaSetDevice(1), cudaSuccess);
    open_plans(&second);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    double *alm = to_device(first.alm, 8 * first.nalm), *map = to_device(first.map, 8 * first.nmap);
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    armilla_exec exec = exec_of(&first);
    exec.stream = stream;
    cuda_emulation_set_deferred(1);
    check_ok(armilla_sht_synthesis(first.gpu, alm, map, &exec));
    asked = answered = 0;
    cuda_emulation_set_cost(ask_meanwhile);
    armilla_cuda_pool_trim(0);
    cuda_emulation_set_cost(NULL);
    assert_true(asked > 0);
    assert_int_equal(answered, 1);
    cuda_emulation_set_deferred(0);
    cudaStreamDestroy(stream);
    cudaFree(alm);
    cudaFree(map);
    plans_close(&first);
    plans_close(&second);
    cuda_emulation_set_devices(1);
    assert_int_equal(cuda_emulation_pools(), 0);
}

/* Each stream has its own memory while both have work; neither waits for the other one. */
static void streams_do_not_wait_for_each_other(void **state)
{
    (void)state;
    pair_of_plans p;
    cudaStream_t streams[2];
    open_plans(&p);
    double *alm = to_device(p.alm, 8 * p.nalm), *maps[2];
    for (int i = 0; i < 2; i++) {
        maps[i] = to_device(p.map, 8 * p.nmap);
        assert_int_equal(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking), 0);
    }
    cuda_emulation_set_deferred(1);
    cuda_emulation_dependencies();
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 2; i++) {
            armilla_exec exec = exec_of(&p);
            exec.stream = streams[i];
            check_ok(armilla_sht_synthesis(p.gpu, alm, maps[i], &exec));
        }
    assert_int_equal(cuda_emulation_dependencies(), 0);
    assert_int_equal(cudaStreamSynchronize(streams[1]), cudaSuccess);
    assert_int_equal(cudaStreamQuery(streams[0]), cudaErrorNotReady);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    cuda_emulation_set_deferred(0);
    for (int i = 0; i < 2; i++) {
        cudaFree(maps[i]);
        cudaStreamDestroy(streams[i]);
    }
    cudaFree(alm);
    plans_close(&p);
}

static void devices_without_pools(void **state)
{
    (void)state;
    pair_of_plans with, without;
    open_plans(&with);
    cuda_emulation_set_pools(0);
    /* the pool of a device is asked for when the first plan is made */
    plans_close(&with);
    open_plans(&without);
    const int64_t before = cuda_emulation_live_bytes();
    for (int deferred = 0; deferred < 2; deferred++) {
        cuda_emulation_set_deferred(deferred);
        for (int operation = 0; operation < OPERATORS; operation++) {
            const double *in = input(&without, operation);
            check_ok(operate(operation, without.cpu, in, without.wanted, NULL));
            check_ok(operate(operation, without.gpu, in, without.made, NULL));
            check_at_most(
                relative_error(count_out(&without, operation), without.wanted, without.made), 1e-12,
                "operator %d without pools", operation);
            assert_int_equal(cuda_emulation_live_bytes(), before);
        }
    }
    cuda_emulation_set_deferred(0);
    plans_close(&without);
    cuda_emulation_set_pools(1);
    assert_int_equal(cuda_emulation_live_bytes(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_of_a_device_share_what_their_calls_leave),
        cmocka_unit_test(the_pool_gives_way_to_plans),
        cmocka_unit_test(the_pool_gives_way_to_calls),
        cmocka_unit_test(trimming_stops_no_other_device),
        cmocka_unit_test(streams_do_not_wait_for_each_other),
        cmocka_unit_test(devices_without_pools),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Plans on several GPUs: a plan belongs to the one that was current when it was made; calls and its
 * end are there, whatever is current later. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

#include <pthread.h>

enum { LMAX = 12, NSIDE = 4 };

static int current(void)
{
    int device;
    assert_int_equal(cudaGetDevice(&device), cudaSuccess);
    return device;
}

/* Free bytes of a device. */
static size_t room_on(int device)
{
    const int before = current();
    size_t room, all;
    assert_int_equal(cudaSetDevice(device), cudaSuccess);
    assert_int_equal(cudaMemGetInfo(&room, &all), cudaSuccess);
    assert_int_equal(cudaSetDevice(before), cudaSuccess);
    return room;
}

/* A plan on device 1, current at the end: 0. */
static void open_on_second(pair_of_plans *p, armilla_grid *grid, const armilla_sht_options *options)
{
    cuda_emulation_set_devices(2);
    assert_int_equal(cudaSetDevice(1), cudaSuccess);
    plans_open(p, grid, LMAX, LMAX, 1, options);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
}

static void calls_run_on_the_device_of_the_plan(void **state)
{
    (void)state;
    const armilla_sht_options options = on_gpu();
    const size_t untouched = room_on(0);
    pair_of_plans p;
    open_on_second(&p, exact_grid(ARMILLA_GRID_CC, LMAX, LMAX, 0, 0), &options);
    for (int operation = 0; operation < OPERATORS; operation++) {
        const double *in = input(&p, operation);
        check_ok(operate(operation, p.cpu, in, p.wanted, NULL));
        check_ok(operate(operation, p.gpu, in, p.made, NULL));
        check_at_most(relative_error(count_out(&p, operation), p.wanted, p.made), 1e-12,
                      "operator %d on the second device", operation);
        assert_int_equal(current(), 0);
        assert_int_equal(room_on(0), untouched);
    }
    assert_true(room_on(1) < untouched);
    plans_close(&p);
    assert_int_equal(current(), 0);
    assert_int_equal(room_on(1), untouched);
    cuda_emulation_set_devices(1);
}

static void arrays_of_another_device_are_refused(void **state)
{
    (void)state;
    const armilla_sht_options options = on_gpu();
    pair_of_plans p;
    open_on_second(&p, healpix_grid(NSIDE), &options);
    double *map = to_device(p.map, 8 * p.nmap);
    check_error(armilla_sht_synthesis(p.gpu, p.alm, map, NULL), ARMILLA_ERROR_ARGUMENT,
                "map: is in the memory of GPU 0, but the plan is on GPU 1");
    cudaFree(map);
    plans_close(&p);
    cuda_emulation_set_devices(1);
}

static void each_device_has_a_pool(void **state)
{
    (void)state;
    const armilla_sht_options options = on_gpu();
    pair_of_plans first, second;
    open_on_second(&second, healpix_grid(NSIDE), &options);
    plans_open(&first, healpix_grid(NSIDE), LMAX, LMAX, 1, &options);
    assert_int_equal(cuda_emulation_pools(), 2);
    check_ok(armilla_sht_synthesis(first.gpu, first.alm, first.wanted, NULL));
    const int64_t one = cuda_emulation_pool_bytes();
    check_ok(armilla_sht_synthesis(second.gpu, second.alm, second.made, NULL));
    assert_int_equal(cuda_emulation_pool_bytes(), 2 * one);
    assert_memory_equal(first.wanted, second.made, 8 * (size_t)first.nmap);
    assert_int_equal(cudaSetDevice(1), cudaSuccess);
    plans_close(&first);
    assert_int_equal(cuda_emulation_pool_bytes(), one);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    plans_close(&second);
    assert_int_equal(cuda_emulation_pools(), 0);
    cuda_emulation_set_devices(1);
}

/* A thread of its own begins on device 0. */
static void *free_plan(void *plan)
{
    armilla_sht_free(plan);
    return NULL;
}

static void plans_end_in_any_thread(void **state)
{
    (void)state;
    const armilla_sht_options options = on_gpu();
    const int64_t before = cuda_emulation_live_bytes();
    pair_of_plans p;
    pthread_t thread;
    open_on_second(&p, healpix_grid(NSIDE), &options);
    assert_int_equal(pthread_create(&thread, NULL, free_plan, p.gpu), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    p.gpu = NULL;
    assert_int_equal(cuda_emulation_live_bytes(), before);
    assert_int_equal(cuda_emulation_pools(), 0);
    plans_close(&p);
    cuda_emulation_set_devices(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_run_on_the_device_of_the_plan),
        cmocka_unit_test(arrays_of_another_device_are_refused),
        cmocka_unit_test(each_device_has_a_pool),
        cmocka_unit_test(plans_end_in_any_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

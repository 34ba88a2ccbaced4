/* What the tests of plans on several GPUs share: how many there are, plans on a list of them, and a
 * progress function. */
#ifndef ARMILLA_TESTS_SEVERAL_SCENE_H
#define ARMILLA_TESTS_SEVERAL_SCENE_H

#include "cuda/runtime/runtime.h"
#include "emulation.h"

#include <pthread.h>

enum { MOST = 3 }; /* devices */

/* Lists that begin with one device, so that all of them have its bits. */
static const int lists[MOST][MOST] = {{1}, {1, 0}, {1, 2, 0}};

static inline int current_device(void)
{
    int device;
    assert_int_equal(cudaGetDevice(&device), cudaSuccess);
    return device;
}

/* Free bytes of a device. */
static inline size_t room_on(int device)
{
    const int before = current_device();
    size_t room, all;
    assert_int_equal(cudaSetDevice(device), cudaSuccess);
    assert_int_equal(cudaMemGetInfo(&room, &all), cudaSuccess);
    assert_int_equal(cudaSetDevice(before), cudaSuccess);
    return room;
}

static inline int set_devices(void **state)
{
    (void)state;
    cuda_emulation_set_devices(MOST);
    return 0;
}

static inline int reset_devices(void **state)
{
    (void)state;
    assert_int_equal(current_device(), 0);
    assert_int_equal(cuda_emulation_live_bytes(), 0);
    assert_int_equal(cuda_emulation_pools(), 0);
    for (int device = 0; device < MOST; device++)
        cuda_emulation_set_device(device, (int64_t)1 << 30, 90);
    cuda_emulation_set_devices(1);
    return 0;
}

/* A progress function for the thread that calls: fractions rise. */
typedef struct {
    pthread_t thread;
    double last;
    int calls, stop;
} listener;

static inline int hear(void *data, double fraction)
{
    listener *l = data;
    assert_true(pthread_equal(pthread_self(), l->thread));
    assert_true(fraction >= l->last && fraction <= 1);
    l->last = fraction, l->calls++;
    return l->stop;
}

#endif

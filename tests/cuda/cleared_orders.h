/* Runs the kernel that writes zeros to orders of alm, for tests that look at each kernel. Included
 * behind cmocka.h. */
#ifndef ARMILLA_TESTS_CUDA_CLEARED_ORDERS_H
#define ARMILLA_TESTS_CUDA_CLEARED_ORDERS_H

#include "armilla/alm.h"
#include "cuda/runtime/device_memory.h"
#include "cuda/stages/legendre.h"
#include "oracle/checks.h"
#include <stdlib.h>

/* The upper half of the orders, of two components. */
static inline void cleared_orders_run(int64_t lmax, int is_float)
{
    const int64_t size = armilla_alm_size(lmax, lmax);
    int64_t *mstart = checked_malloc(lmax + 1, sizeof *mstart);
    armilla_cuda_work work = {.scratch_bytes = 0};
    void *device_mstart, *alm;
    for (int64_t m = 0; m <= lmax; m++) mstart[m] = m * (2 * lmax + 1 - m) / 2;
    check_ok(armilla_cuda_upload(mstart, lmax + 1, sizeof *mstart, "test", &device_mstart));
    check_ok(armilla_cuda_allocate(4 * size * (int64_t)sizeof(double), "test", &alm));
    const armilla_alm_rows rows = {.values = {alm, is_float},
                                   .distance = size,
                                   .ncomp = 2,
                                   .nsets = 2,
                                   .lmax = lmax,
                                   .stride = 1,
                                   .mstart = device_mstart,
                                   .spin = 2,
                                   .last = 1};
    armilla_cuda_legendre_clear_orders(&rows, 2, lmax / 2, lmax, &work);
    armilla_cuda_note(&work, cudaDeviceSynchronize());
    assert_int_equal(work.error, cudaSuccess);
    armilla_cuda_release(alm);
    armilla_cuda_release(device_mstart);
    free(mstart);
}

#endif

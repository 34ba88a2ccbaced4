/* Transforms over ranks whose stages run on GPUs have the bits of a plan on one GPU, however many
 * ranks and GPUs there are: ranks are threads here, GPUs are emulated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/runtime/runtime.h"
#include "emulation.h"
#include "ranks/cases.h"
#include "ranks/thread_transport.h"

#include <stdlib.h>

#define GPU    .device = ARMILLA_CUDA, .nthreads = 1
#define SINGLE .is_float = 1, .device_precision = ARMILLA_DEVICE_PRECISION_SINGLE

static const ranks_case cases[] = {
    {GPU, .grid = "gl 12", .lmax = 11, .mmax = 11, .nfields = 1},
    {GPU, .grid = "gl 12", .lmax = 11, .mmax = 9, .spin = 1, .nfields = 1, .is_float = 1},
    {GPU, .grid = "healpix 8", .lmax = 16, .mmax = 16, .nfields = 1},
    /* some orders, some pairs after the other */
    {GPU, .grid = "healpix 8", .lmax = 31, .mmax = 31, .nfields = 1, .chunk_bytes = 5000},
    {GPU, .grid = "mw 40", .lmax = 39, .mmax = 39, .spin = 2, .nfields = 1, .chunk_bytes = 9000},
    {GPU, .grid = "healpix 4", .lmax = 11, .mmax = 11, .spin = 2, .nfields = 1},
    {GPU, .grid = "healpix 4", .lmax = 11, .mmax = 11, .nfields = 5, .groups = 2},
    {GPU, .grid = "healpix 4", .lmax = 9, .mmax = 9, .spin = 2, .nfields = 1, SINGLE},
    {GPU, .grid = "healpix 4", .lmax = 9, .mmax = 9, .nfields = 1, .listed = 1, SINGLE},
    {GPU, .grid = "healpix 4", .lmax = 9, .mmax = 9, .nfields = 1, .groups = 2},
    /* a ring on another rank than its mirror image */
    {GPU, .grid = "healpix 4", .lmax = 9, .mmax = 9, .spin = 2, .nfields = 1, .scattered = 1},
    {GPU, .grid = "mw 40", .lmax = 39, .mmax = 39, .nfields = 1, .chunk_bytes = 9000,
     .scattered = 2},
    {GPU, .grid = "cc 17", .lmax = 15, .mmax = 15, .nfields = 2, .is_float = 1, .scattered = 3},
    {GPU, .grid = "healpix 4", .lmax = 9, .mmax = 7, .spin = 1, .mode = ARMILLA_SHT_DERIVATIVES,
     .nfields = 1},
    {GPU, .grid = "healpix 4", .lmax = 9, .mmax = 9, .spin = -2, .mode = ARMILLA_SHT_GRADIENT_ONLY,
     .nfields = 1},
    {GPU, .grid = "gl 12", .lmax = 11, .mmax = 11, .spin = 4, .nfields = 1},
    {GPU, .grid = "cc 17", .lmax = 15, .mmax = 15, .nfields = 1},
    {GPU, .grid = "cc 14", .lmax = 11, .mmax = 11, .spin = 1, .nfields = 2, .is_float = 1},
    {GPU, .grid = "mw 12", .lmax = 11, .mmax = 11, .spin = 2, .nfields = 1},
    {GPU, .grid = "healpix 4", .lmax = 9, .mmax = 9, .nfields = 1, .method = ARMILLA_SHT_RESAMPLE},
    /* rows of the Legendre stage's rings are longer than those of the grid's */
    {GPU, .grid = "healpix 2", .lmax = 20, .mmax = 20, .nfields = 1,
     .method = ARMILLA_SHT_RESAMPLE},
    /* legs in passes, rings in batches */
    {GPU, .grid = "gl 100", .lmax = 9, .mmax = 9, .nfields = 2, .device_bytes = 1},
    {GPU, .grid = "gl 100", .lmax = 9, .mmax = 9, .spin = 2, .nfields = 1, .device_bytes = 1,
     .is_float = 1},
    {GPU, .grid = "cc 17", .lmax = 12, .mmax = 12, .nfields = 1, .device_bytes = 1},
    /* lengths whose method depends on how many rings have them */
    {GPU, .grid = "equal 36", .lmax = 8, .mmax = 8, .nfields = 1},
    {GPU, .grid = "odd 60", .lmax = 10, .mmax = 10, .nfields = 1},
    {GPU, .grid = "equal 3083", .lmax = 8, .mmax = 8, .nfields = 1},
    {GPU, .grid = "long 12", .lmax = 8, .mmax = 8, .nfields = 1},
    {GPU, .grid = "shuffled 12", .lmax = 11, .mmax = 11, .nfields = 1},
    {GPU, .grid = "patch 8", .lmax = 8, .mmax = 8, .spin = 1, .nfields = 1},
    {GPU, .grid = "gl 1", .lmax = 0, .mmax = 0, .nfields = 1},
    {GPU, .grid = "cc 5", .lmax = 3, .mmax = 0, .nfields = 1},
    {GPU, .grid = "healpix 2", .lmax = 5, .mmax = 5, .nfields = 2, .iqu = 1},
    {GPU, .grid = "healpix 2", .lmax = 4, .mmax = 4, .nfields = 1, .pseudo = 1},
};

static int run_case(const armilla_transport *transport, void *context)
{
    return ranks_run_case(transport, context);
}

static _Atomic int64_t copied_on_devices;

/* Messages of transforms are on GPUs; those of spectra and rotations are not. */
static void copy_on_devices(void *to, const void *from, int64_t bytes)
{
    struct cudaPointerAttributes there, here;
    if (cudaPointerGetAttributes(&there, from) || cudaPointerGetAttributes(&here, to) ||
        there.type != here.type || cudaMemcpy(to, from, (size_t)bytes, cudaMemcpyDefault))
        abort();
    copied_on_devices += here.type == cudaMemoryTypeDevice;
}

enum { CASES = sizeof cases / sizeof *cases };

static void check_cases(int64_t nranks, int ndevices, int direct, int count)
{
    const ranks_threads_options options = {.nranks = nranks,
                                           .copy = direct ? copy_on_devices : NULL};
    cuda_emulation_set_devices(ndevices);
    for (int i = 0; i < count; i++)
        assert_int_equal(ranks_run_threads(&options, run_case, (void *)&cases[i]), 0);
    assert_int_equal(cuda_emulation_pools(), 0);
    cuda_emulation_set_devices(1);
}

static void bits_are_those_of_one_gpu(void **state)
{
    (void)state;
    check_cases(3, 4, 0, CASES);
    check_cases(2, 1, 0, CASES);
    check_cases(1, 2, 0, CASES);
}

static void transports_may_take_device_memory(void **state)
{
    (void)state;
    check_cases(3, 2, 1, CASES);
    assert_true(copied_on_devices > 100);
    check_cases(2, 3, 1, CASES);
}

/* What is put on a stream runs when somebody waits for it, and copies from the host land late. */
static void messages_wait_for_the_gpu(void **state)
{
    enum { SOME = 6 };
    (void)state;
    cuda_emulation_set_deferred(1);
    cuda_emulation_set_late_copies(1);
    check_cases(3, 2, 0, SOME);
    check_cases(3, 2, 1, SOME);
    cuda_emulation_set_late_copies(0);
    cuda_emulation_set_deferred(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_one_gpu),
        cmocka_unit_test(transports_may_take_device_memory),
        cmocka_unit_test(messages_wait_for_the_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

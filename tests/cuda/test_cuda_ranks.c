/* Transforms over ranks whose stages run on GPUs have the bits of a plan on one GPU, however many
 * ranks and GPUs there are: ranks are threads here, GPUs are emulated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "emulation.h"
#include "ranks/cases.h"
#include "ranks/thread_transport.h"

#define GPU    .device = ARMILLA_CUDA, .nthreads = 1
#define SINGLE .is_float = 1, .device_precision = ARMILLA_DEVICE_PRECISION_SINGLE

static const ranks_case cases[] = {
    {GPU, .grid = "gl 12", .lmax = 11, .mmax = 11, .nfields = 1},
    {GPU, .grid = "gl 12", .lmax = 11, .mmax = 9, .spin = 1, .nfields = 1, .is_float = 1},
    {GPU, .grid = "healpix 8", .lmax = 16, .mmax = 16, .nfields = 1},
    {GPU, .grid = "healpix 4", .lmax = 11, .mmax = 11, .spin = 2, .nfields = 1},
    {GPU, .grid = "healpix 4", .lmax = 11, .mmax = 11, .nfields = 5, .groups = 2},
    {GPU, .grid = "healpix 4", .lmax = 9, .mmax = 9, .spin = 2, .nfields = 1, SINGLE},
    {GPU, .grid = "healpix 4", .lmax = 9, .mmax = 9, .nfields = 1, .listed = 1, SINGLE},
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
    {GPU, .grid = "shuffled 12", .lmax = 11, .mmax = 11, .nfields = 1},
    {GPU, .grid = "patch 8", .lmax = 8, .mmax = 8, .spin = 1, .nfields = 1},
    {GPU, .grid = "gl 1", .lmax = 0, .mmax = 0, .nfields = 1},
    {GPU, .grid = "healpix 2", .lmax = 5, .mmax = 5, .nfields = 2, .iqu = 1},
    {GPU, .grid = "healpix 2", .lmax = 4, .mmax = 4, .nfields = 1, .pseudo = 1},
};

static int run_case(const armilla_transport *transport, void *context)
{
    return ranks_run_case(transport, context);
}

static void check_cases(int64_t nranks, int ndevices)
{
    const ranks_threads_options options = {.nranks = nranks};
    cuda_emulation_set_devices(ndevices);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(ranks_run_threads(&options, run_case, (void *)&cases[i]), 0);
    assert_int_equal(cuda_emulation_pools(), 0);
    cuda_emulation_set_devices(1);
}

static void bits_are_those_of_one_gpu(void **state)
{
    (void)state;
    check_cases(3, 4);
    check_cases(2, 1);
    check_cases(1, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_one_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

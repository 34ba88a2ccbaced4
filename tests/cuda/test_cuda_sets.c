/* Many sets of a call in one launch of every stage on the emulated GPU: how many launches calls
 * take, on grids whose rings have many lengths as well, and that sets have the bits that they have
 * alone, in whatever batches memory makes them go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

/* --- Grids ----------------------------------------------------------------------------------- */

/* The rings of an octahedral grid O<size>: 20, 24, 28, ... samples from either pole on, colatitudes
 * evenly spaced. */
static armilla_grid *octahedral_grid(int64_t size)
{
    const int64_t nrings = 2 * size;
    armilla_ring *rings = checked_malloc(nrings, sizeof *rings);
    armilla_grid *grid = NULL;
    int64_t offset = 0;
    for (int64_t i = 0; i < nrings; i++) {
        const int64_t from_pole = i < size ? i : nrings - 1 - i;
        const double theta = M_PI * ((double)i + 0.5) / (double)nrings;
        rings[i] = (armilla_ring){theta, 20 + 4 * from_pole, 0, offset, 1, sin(theta)};
        offset += rings[i].nphi;
    }
    check_ok(armilla_grid_new_custom(nrings, rings, &grid));
    free(rings);
    return grid;
}

/* --- Launches -------------------------------------------------------------------------------- */

/* Launches of an operator with arrays in device memory. Blocks: some of each launch alone run. */
static int64_t count_launches(const armilla_sht *sht, int operation, int64_t ntrans, void *alm,
                              void *map)
{
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans;
    cuda_emulation_launches();
    check_ok(operate(operation, sht, gives_map(operation) ? alm : map,
                     gives_map(operation) ? map : alm, &exec));
    return cuda_emulation_launches();
}

/* Takes the grid. The most launches of any operator. */
static int64_t most_launches(armilla_grid *grid, int64_t lmax, int64_t ntrans,
                             const armilla_sht_options *options)
{
    const int64_t components = options->spin ? 2 : 1;
    const int64_t nalm = 2 * armilla_alm_size(lmax, lmax) * components * ntrans;
    const int64_t nmap = armilla_grid_npix(grid) * components * ntrans;
    double *zeros = checked_calloc(nalm > nmap ? nalm : nmap, sizeof *zeros);
    double *alm = to_device(zeros, 8 * nalm), *map = to_device(zeros, 8 * nmap);
    int64_t most = 0;
    armilla_sht *sht;
    check_ok(armilla_sht_new(grid, lmax, lmax, options, &sht));
    cuda_emulation_set_blocks(2);
    for (int operation = 0; operation < OPERATORS; operation++) {
        const int64_t launches = count_launches(sht, operation, ntrans, alm, map);
        if (launches > most) most = launches;
    }
    cuda_emulation_set_blocks(0);
    armilla_sht_free(sht);
    armilla_grid_free(grid);
    cudaFree(map), cudaFree(alm);
    free(zeros);
    return most;
}

static void check_launches(armilla_grid *grid, int64_t lmax, int64_t ntrans,
                           const armilla_sht_options *options, int64_t bound, const char *what)
{
    const int64_t launches = most_launches(grid, lmax, ntrans, options);
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("%s: %lld launches\n", what, (long long)launches);
    if (launches > bound) fail_msg("%s: %lld launches", what, (long long)launches);
}

/* By default. The emulation's cuFFT has a work area as large as the data, so rings go in two parts:
 * coefficients, synthesis, two times fill, cuFFT and store. */
static void many_scalars_take_few_launches(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    check_launches(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 256, 512, 0, 0), 255, 64, &options, 12,
                   "64 scalars, lmax 255");
    check_launches(exact_grid(ARMILLA_GRID_CC, 66, 130, 0, 0), 63, 64, &options, 14,
                   "64 scalars, weights that mix rings");
    check_launches(healpix_grid(32), 63, 64, &options, 12, "64 scalars, HEALPix nside 32");
    options.spin = 2;
    check_launches(exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 64, 128, 0, 0), 63, 32, &options, 12,
                   "32 fields of spin 2");
}

/* Rings of O160 have five times as many lengths as those of O32, and lengths up to 656 for 144: one
 * padded length for every power of two. */
static void launches_do_not_count_rings(void **state)
{
    (void)state;
    const armilla_sht_options options = on_gpu();
    const int64_t few = most_launches(octahedral_grid(32), 47, 16, &options);
    const int64_t many = most_launches(octahedral_grid(160), 191, 16, &options);
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("O32: %lld launches, O160: %lld\n", (long long)few, (long long)many);
    assert_true(few <= 12);
    assert_true(many <= few + 6);
}

/* --- Bits ------------------------------------------------------------------------------------ */

/* An operator on all transforms at once, in whatever batches, and one by one. */
static void check_operator(const pair_of_plans *p, int operation, const char *what)
{
    const armilla_exec exec = exec_of(p);
    const int64_t in = count_in(p, operation) / p->ntrans;
    const int64_t out = count_out(p, operation) / p->ntrans;
    random_fill(3, count_out(p, operation), p->made);
    check_ok(operate(operation, p->gpu, input(p, operation), p->made, &exec));
    for (int64_t t = 0; t < p->ntrans; t++)
        check_ok(
            operate(operation, p->gpu, input(p, operation) + t * in, p->wanted + t * out, NULL));
    if (memcmp(p->wanted, p->made, (size_t)count_out(p, operation) * 8))
        fail_msg("%s: operator %d: bits differ", what, operation);
    check_ok(operate(operation, p->cpu, input(p, operation), p->wanted, &exec));
    check_at_most(relative_error(count_out(p, operation), p->wanted, p->made), 1e-13,
                  "%s: operator %d", what, operation);
}

static armilla_grid *grid_of(int number)
{
    return number == 0   ? octahedral_grid(16)
           : number == 1 ? healpix_grid(8)
           : number == 2 ? exact_grid(ARMILLA_GRID_CC, 13, 12, 0, 0)
                         : exact_grid(ARMILLA_GRID_GAUSS_LEGENDRE, 13, 25, 0, 0);
}

/* Numbers of sets that plans of cuFFT are not made for, and memory for all of them down to none. */
static void sets_have_the_bits_that_they_have_alone(void **state)
{
    (void)state;
    const int64_t ntrans[] = {23, 70}, bytes[] = {0, 200000, 60000, 1};
    for (int grid = 0; grid < 4; grid++)
        for (int i = 0; i < 4; i++) {
            armilla_sht_options options = on_gpu();
            options.device_bytes = bytes[i];
            check_operators(check_operator, grid_of(grid), 11, 10, ntrans[i == 0], &options,
                            "scalars");
            options.spin = 2;
            check_operators(check_operator, grid_of(grid), 11, 10, 9, &options, "spin 2");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_scalars_take_few_launches),
        cmocka_unit_test(launches_do_not_count_rings),
        cmocka_unit_test(sets_have_the_bits_that_they_have_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

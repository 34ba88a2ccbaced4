/* What is told beforehand of calls of many transforms by a plan for I, Q and U on the emulated GPU:
 * the bytes that the emulation counts, whatever the memory of a call is, and the transforms that go
 * together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

enum { LMAX = 11, FIELDS = 3 };

typedef armilla_status (*operator_fn)(const armilla_iqu *, const double *, double *,
                                      const armilla_exec *);
static const operator_fn operators[OPERATORS] = {
    armilla_iqu_synthesis, armilla_iqu_adjoint_synthesis, armilla_iqu_analysis,
    armilla_iqu_adjoint_analysis};

/* The most device bytes that any operator takes, with arrays there. */
static int64_t most_taken(const armilla_iqu *iqu, int64_t npix, int64_t ntrans)
{
    const int64_t nalm = 2 * FIELDS * ntrans * armilla_alm_size(LMAX, LMAX);
    const int64_t nmap = FIELDS * ntrans * npix;
    double *zeros = checked_calloc(nalm > nmap ? nalm : nmap, sizeof *zeros);
    double *alm = to_device(zeros, 8 * nalm), *map = to_device(zeros, 8 * nmap);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans;
    int64_t most = 0;
    for (int operation = 0; operation < OPERATORS; operation++) {
        const int64_t before = cuda_emulation_live_bytes();
        cuda_emulation_most_bytes();
        check_ok(operators[operation](iqu, gives_map(operation) ? alm : map,
                                      gives_map(operation) ? map : alm, &exec));
        const int64_t taken = cuda_emulation_most_bytes() - before;
        if (taken > most) most = taken;
    }
    cudaFree(alm), cudaFree(map);
    free(zeros);
    return most;
}

/* Takes the grid. Returned: how many transforms go together at least. */
static int64_t check_told(armilla_grid *grid, int64_t ntrans, int64_t device_bytes)
{
    armilla_sht_options options = on_gpu();
    armilla_sht_description one = {.size = sizeof one}, many = one;
    armilla_iqu *iqu;
    options.device_bytes = device_bytes;
    check_ok(armilla_iqu_new(grid, LMAX, LMAX, &options, &iqu));
    check_ok(armilla_iqu_describe(iqu, 1, &one));
    check_ok(armilla_iqu_describe_many(iqu, 1, ntrans, &many));
    cuda_emulation_set_blocks(1);
    assert_int_equal(most_taken(iqu, armilla_grid_npix(grid), ntrans), many.device_workspace_bytes);
    cuda_emulation_set_blocks(0);
    assert_int_equal(one.device_batch, 1);
    assert_int_equal(one.device_plan_bytes, many.device_plan_bytes);
    armilla_iqu_free(iqu);
    armilla_grid_free(grid);
    return many.device_batch;
}

static void calls_take_what_is_told_beforehand(void **state)
{
    (void)state;
    for (int mixes = 0; mixes < 2; mixes++)
        for (int some = 0; some < 2; some++) {
            armilla_grid *grid = healpix_grid(4);
            if (mixes) {
                armilla_grid_free(grid);
                check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_CC, LMAX + 2, 24, &grid));
            }
            const int64_t ntrans = some ? 40 : 9;
            const int64_t batch = check_told(grid, ntrans, some ? 200000 : 0);
            assert_true(some ? batch > 1 && batch < ntrans : batch == ntrans);
        }
    assert_int_equal(check_told(healpix_grid(4), 5, 1), 1);
}

/* On the processor, too, where device_batch is 0. */
static void descriptions_of_many_have_bounds(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    armilla_sht_description one = {.size = sizeof one}, many = one;
    armilla_iqu *iqu;
    check_ok(armilla_iqu_new(grid, LMAX, LMAX, NULL, &iqu));
    check_ok(armilla_iqu_describe(iqu, 2, &one));
    check_ok(armilla_iqu_describe_many(iqu, 2, 1, &many));
    assert_memory_equal(&one, &many, sizeof one);
    check_ok(armilla_iqu_describe_many(iqu, 2, 16, &many));
    assert_int_equal(many.device_batch, 0);
    assert_true(many.workspace_bytes >= one.workspace_bytes);
    check_error(armilla_iqu_describe_many(iqu, 2, 0, &many), ARMILLA_ERROR_ARGUMENT, "ntrans = 0");
    check_error(armilla_iqu_describe_many(iqu, 2, INT64_MAX / 16, &many), ARMILLA_ERROR_ARGUMENT,
                "ntrans = ");
    check_error(armilla_iqu_describe_many(NULL, 2, 2, &many), ARMILLA_ERROR_ARGUMENT, "iqu = NULL");
    armilla_iqu_free(iqu);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_take_what_is_told_beforehand),
        cmocka_unit_test(descriptions_of_many_have_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What goes wrong on a GPU is named, and leaves the plan usable and nothing allocated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/test_cuda_scene.h"
#include "emulation.h"

#include <stdio.h>

enum { LMAX = 6, NSIDE = 2 };

static armilla_status try_plan(const armilla_grid *grid, const armilla_sht_options *options)
{
    armilla_sht *sht = NULL;
    armilla_status status = armilla_sht_new(grid, LMAX, LMAX, options, &sht);
    if (status) assert_null(sht);
    armilla_sht_free(sht);
    return status;
}

static void no_gpu(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(NSIDE);
    armilla_sht_options options = on_gpu();
    armilla_device_description d = {.size = sizeof d};
    cuda_emulation_set_devices(0);
    check_error(try_plan(grid, &options), ARMILLA_ERROR_UNSUPPORTED, "no GPU can be used");
    check_error(armilla_device_describe(ARMILLA_CUDA, &d), ARMILLA_ERROR_UNSUPPORTED, "no GPU");
    cuda_emulation_set_devices(1);
    check_ok(try_plan(grid, &options));
    check_ok(armilla_device_describe(ARMILLA_CUDA, &d));
    assert_true(strlen(d.name) > 0 && d.memory_bytes > 0 && d.free_bytes <= d.memory_bytes);
    armilla_grid_free(grid);
}

static void wrong_arguments(void **state)
{
    (void)state;
    armilla_device_description d = {.size = 3};
    check_error(armilla_device_describe(ARMILLA_CUDA, NULL), ARMILLA_ERROR_ARGUMENT, "description");
    check_error(armilla_device_describe(ARMILLA_CUDA, &d), ARMILLA_ERROR_ARGUMENT, "size = 3");
    check_error(armilla_device_describe(ARMILLA_CPU, &d), ARMILLA_ERROR_ARGUMENT, "device = 0");
    armilla_grid *grid = healpix_grid(NSIDE);
    armilla_sht_options options = on_gpu();
    options.device = (armilla_device)7;
    check_error(try_plan(grid, &options), ARMILLA_ERROR_ARGUMENT, "options->device = 7");
    options = on_gpu();
    options.device_bytes = -1;
    check_error(try_plan(grid, &options), ARMILLA_ERROR_ARGUMENT, "options->device_bytes = -1");
    armilla_grid_free(grid);
}

static void arrays_on_the_wrong_side(void **state)
{
    (void)state;
    const armilla_sht_options options = on_gpu();
    pair_of_plans p;
    plans_open(&p, healpix_grid(NSIDE), LMAX, LMAX, 1, &options);
    armilla_exec exec = exec_of(&p);
    exec.memory = ARMILLA_MEMORY_DEVICE;
    double *map = to_device(p.map, 8 * p.nmap);
    check_error(armilla_sht_synthesis(p.gpu, p.alm, map, &exec), ARMILLA_ERROR_ARGUMENT,
                "alm: is in host memory");
    check_error(armilla_sht_analysis(p.gpu, map, p.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "alm: is in host memory");
    check_error(armilla_sht_synthesis(p.cpu, p.alm, p.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "runs on the CPU");
    exec.memory = (armilla_memory)9;
    check_error(armilla_sht_synthesis(p.gpu, p.alm, p.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "memory = 9");
    check_error(armilla_sht_pseudo_analysis(p.gpu, map, p.made, NULL, NULL, NULL),
                ARMILLA_ERROR_UNSUPPORTED, "map: is in device memory");
    cudaFree(map);
    plans_close(&p);
}

/* Too little memory for the call: an error with the bytes, and the plan still works. */
static void memory_of_a_call(void **state)
{
    (void)state;
    const armilla_sht_options options = on_gpu();
    pair_of_plans p;
    plans_open(&p, healpix_grid(NSIDE), LMAX, LMAX, 1, &options);
    cuda_emulation_fail_after(0);
    random_fill(1, p.nmap, p.made);
    memcpy(p.wanted, p.made, (size_t)p.nmap * 8);
    check_error(armilla_sht_synthesis(p.gpu, p.alm, p.made, NULL), ARMILLA_ERROR_MEMORY,
                "of device memory are not to be had");
    assert_memory_equal(p.wanted, p.made, (size_t)p.nmap * 8);
    cuda_emulation_fail_after(-1);
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.made, NULL));
    plans_close(&p);
}

/* --- What a message names --------------------------------------------------------------------- */

static void check_named(const pair_of_plans *p, int operation, const char *kernel)
{
    char fault[64], words[64];
    snprintf(fault, sizeof fault, "fail:%s", kernel);
    snprintf(words, sizeof words, "launching the kernel %s: unspecified", kernel);
    cuda_emulation_plant(fault);
    const armilla_status status = operate(operation, p->gpu, input(p, operation), p->made, NULL);
    cuda_emulation_plant(NULL);
    if (status != ARMILLA_ERROR_UNSUPPORTED || !strstr(armilla_status_message(), words))
        fail_msg("%s: %s: %s", kernel, armilla_status_name(status), armilla_status_message());
    check_ok(operate(operation, p->gpu, input(p, operation), p->made, NULL));
}

/* Takes the grid. to, from: kernels of adjoint analysis and of analysis. */
static void check_kernels(armilla_grid *grid, int64_t spin, const char *const *to,
                          const char *const *from)
{
    armilla_sht_options options = on_gpu();
    options.spin = spin;
    pair_of_plans p;
    plans_open(&p, grid, LMAX, LMAX, 1, &options);
    for (; *to; to++) check_named(&p, 3, *to);
    for (; *from; from++) check_named(&p, 2, *from);
    plans_close(&p);
}

static void launches_that_fail_name_the_kernel(void **state)
{
    (void)state;
    static const char *const to_rings[] = {"legendre_coefficients", "legendre_synthesis", "fill",
                                           "store", NULL};
    static const char *const from_rings[] = {"load", "gather", "legendre_analysis",
                                             "legendre_degrees", NULL};
    static const char *const to_wide[] = {
        "spin_coefficients", "spin_synthesis", "spread", "narrow", "take", NULL};
    static const char *const from_wide[] = {"put", "widen", "interpolate", "spin_analysis", NULL};
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(LMAX + 1, 4099, &grid));
    check_kernels(grid, 0, to_rings, from_rings);
    check_kernels(exact_grid(ARMILLA_GRID_MW, LMAX, LMAX, 0, 0), 4, to_wide, from_wide);
}

/* All calls fail, one after the other; what cuFFT says names its result and the length. */
static void cufft_is_named_with_result_and_length(void **state)
{
    (void)state;
    const armilla_sht_options options = on_gpu();
    int planning = 0, running = 0;
    pair_of_plans p;
    armilla_sht *sht = NULL;
    armilla_grid *grid;
    static const char length[] = "transforms of length 4099: cuFFT error ";
    check_ok(armilla_grid_new_gauss_legendre(LMAX + 1, 4099, &grid));
    plans_open(&p, grid, LMAX, LMAX, 1, &options);
    cuda_emulation_fail_call_after(-1);
    check_ok(try_plan(p.grid, &options));
    for (int64_t i = cuda_emulation_fail_call_after(-1); i-- > 0;) {
        cuda_emulation_fail_call_after(i);
        if (armilla_sht_new(p.grid, LMAX, LMAX, &options, &sht))
            planning += strstr(armilla_status_message(), length) != NULL &&
                        strstr(armilla_status_message(), "2 (CUFFT_ALLOC_FAILED)") != NULL;
        else
            armilla_sht_free(sht);
        cuda_emulation_fail_call_after(-1);
    }
    cuda_emulation_fail_call_after(-1);
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.made, NULL));
    for (int64_t i = cuda_emulation_fail_call_after(-1); i-- > 0;) {
        cuda_emulation_fail_call_after(i);
        assert_true(armilla_sht_synthesis(p.gpu, p.alm, p.made, NULL) != ARMILLA_OK);
        cuda_emulation_fail_call_after(-1);
        running += strstr(armilla_status_message(), length) != NULL &&
                   strstr(armilla_status_message(), "6 (CUFFT_EXEC_FAILED)") != NULL;
    }
    assert_int_equal(planning, 2); /* cufftCreate, cufftMakePlanMany64 */
    assert_int_equal(running, 1);
    plans_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_gpu),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(arrays_on_the_wrong_side),
        cmocka_unit_test(memory_of_a_call),
        cmocka_unit_test(launches_that_fail_name_the_kernel),
        cmocka_unit_test(cufft_is_named_with_result_and_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

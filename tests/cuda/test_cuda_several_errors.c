/* What goes wrong on several GPUs: lists that are none, arrays and streams of one of them, plans
 * that have no such lists. Failures of memory and of calls: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/one_rank.h"
#include "cuda/several_scene.h"

enum { LMAX = 6, NSIDE = 2 };

static armilla_sht_options on_list(const int *devices, int64_t count)
{
    armilla_sht_options options = on_gpu();
    options.devices = devices, options.ndevices = count;
    return options;
}

static armilla_status try_plan(const armilla_grid *grid, const armilla_sht_options *options)
{
    armilla_sht *sht = NULL;
    const armilla_status status = armilla_sht_new(grid, LMAX, LMAX, options, &sht);
    if (status) assert_null(sht);
    armilla_sht_free(sht);
    return status;
}

/* --- Lists ------------------------------------------------------------------------------------ */

static void check_list(const int *devices, int64_t count, const char *words)
{
    armilla_grid *grid = healpix_grid(NSIDE);
    const armilla_sht_options options = on_list(devices, count);
    check_error(try_plan(grid, &options), ARMILLA_ERROR_ARGUMENT, words);
    armilla_grid_free(grid);
}

static void wrong_lists_are_named(void **state)
{
    (void)state;
    const int twice[] = {0, 2, 0}, negative[] = {1, -1}, unknown[] = {0, MOST};
    check_list(twice, 3, "options->devices[2] = 0: is in the list twice");
    check_list(negative, 2, "options->devices[1] = -1: must be the number of a GPU");
    check_list(unknown, 2, "options->devices[1] = 3: the process sees 3 GPUs");
    check_list(unknown + 1, 1, "options->devices[0] = 3: the process sees 3 GPUs");
    check_list(NULL, 2, "options->ndevices = 2: must be 0 where devices is NULL");
    check_list(twice, 0, "options->ndevices = 0: must be at least 1 where devices is given");
    check_list(twice, -1, "options->ndevices = -1");
}

/* Where there is no GPU, lists say so like plans without one. */
static void a_list_needs_gpus(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(NSIDE);
    const armilla_sht_options options = on_list(lists[1], 2);
    cuda_emulation_set_devices(0);
    check_error(try_plan(grid, &options), ARMILLA_ERROR_UNSUPPORTED, "no GPU can be used");
    cuda_emulation_set_devices(MOST);
    armilla_grid_free(grid);
}

/* --- Who has no lists ------------------------------------------------------------------------- */

static void refuse_on_the_processor(const armilla_grid *grid)
{
    armilla_sht_options options = on_list(lists[1], 2);
    armilla_vector_options vectors;
    armilla_complex_sht *complex_sht;
    armilla_vector *vector;
    options.device = ARMILLA_CPU;
    check_error(try_plan(grid, &options), ARMILLA_ERROR_ARGUMENT,
                "options->devices: must be NULL where device is ARMILLA_CPU");
    check_error(armilla_complex_sht_new(grid, LMAX, LMAX, &options, &complex_sht),
                ARMILLA_ERROR_ARGUMENT, "options->devices: must be NULL");
    armilla_vector_options_init(&vectors);
    vectors.sht = &options;
    check_error(armilla_vector_new(grid, LMAX, LMAX, &vectors, &vector), ARMILLA_ERROR_ARGUMENT,
                "options->devices: must be NULL");
}

static void refuse_on_gpus(const armilla_grid *grid)
{
    const armilla_sht_options options = on_list(lists[1], 2);
    armilla_vector_options vectors;
    armilla_complex_sht *complex_sht;
    armilla_vector *vector;
    check_error(armilla_complex_sht_new(grid, LMAX, LMAX, &options, &complex_sht),
                ARMILLA_ERROR_UNSUPPORTED, "options->device: transforms of complex fields are not");
    armilla_vector_options_init(&vectors);
    vectors.sht = &options;
    check_error(armilla_vector_new(grid, LMAX, LMAX, &vectors, &vector), ARMILLA_ERROR_UNSUPPORTED,
                "options->sht->device: transforms of vector fields are not");
}

static void refuse_over_ranks(const armilla_grid *grid)
{
    const armilla_transport transport = {.size = sizeof transport,
                                         .nranks = 1,
                                         .start = one_rank_start,
                                         .wait = one_rank_wait,
                                         .largest = one_rank_largest};
    const armilla_sht_options options = on_list(lists[1], 2);
    armilla_distribution *distribution;
    armilla_distributed_sht *sht = NULL;
    check_ok(armilla_distribution_new(grid, LMAX, LMAX, 1, NULL, &distribution));
    check_error(armilla_distributed_sht_new(&transport, distribution, &options, NULL, &sht),
                ARMILLA_ERROR_UNSUPPORTED, "options->devices: must be NULL over ranks");
    armilla_distribution_free(distribution);
}

static void plans_without_lists_refuse_them(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(NSIDE);
    refuse_on_the_processor(grid);
    refuse_on_gpus(grid);
    refuse_over_ranks(grid);
    armilla_grid_free(grid);
}

/* --- Arrays and streams ----------------------------------------------------------------------- */

static void open_on(pair_of_plans *p, int64_t count, int64_t ntrans)
{
    const armilla_sht_options options = on_list(lists[count - 1], count);
    plans_open(p, healpix_grid(NSIDE), LMAX, LMAX, ntrans, &options);
}

static void what_belongs_to_one_gpu_is_refused(void **state)
{
    (void)state;
    pair_of_plans p;
    cudaStream_t stream;
    open_on(&p, 2, 3);
    armilla_exec exec = exec_of(&p);
    double *map = to_device(p.map, 8 * p.nmap), *alm = to_device(p.alm, 8 * p.nalm);
    check_error(armilla_sht_synthesis(p.gpu, p.alm, map, &exec), ARMILLA_ERROR_ARGUMENT,
                "map: is in the memory of a GPU");
    check_error(armilla_sht_synthesis(p.gpu, alm, p.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "alm: is in the memory of a GPU");
    exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(armilla_sht_synthesis(p.gpu, p.alm, p.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "exec->memory = ARMILLA_MEMORY_DEVICE");
    exec = exec_of(&p);
    assert_int_equal(cudaStreamCreate(&stream), 0);
    exec.stream = stream;
    check_error(armilla_sht_synthesis(p.gpu, p.alm, p.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "exec->stream: must be NULL");
    cudaStreamDestroy(stream), cudaFree(map), cudaFree(alm);
    plans_close(&p);
}

/* A list of one has all that a plan on one GPU has. */
static void a_list_of_one_is_that_gpu(void **state)
{
    (void)state;
    pair_of_plans p;
    open_on(&p, 1, 3);
    const armilla_exec exec = exec_of(&p);
    assert_int_equal(cudaSetDevice(lists[0][0]), 0);
    double *map = to_device(p.map, 8 * p.nmap);
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, map, &exec));
    from_device(p.made, map, 8 * p.nmap);
    cudaFree(map);
    assert_int_equal(cudaSetDevice(0), 0);
    check_ok(armilla_sht_synthesis(p.cpu, p.alm, p.wanted, &exec));
    check_at_most(relative_error(p.nmap, p.wanted, p.made), 1e-12, "list of one");
    plans_close(&p);
}

/* Managed and pinned memory are the host's. */
static void memory_that_all_see_is_the_hosts(void **state)
{
    (void)state;
    pair_of_plans p;
    void *alm, *map;
    open_on(&p, MOST, 4);
    const armilla_exec exec = exec_of(&p);
    assert_int_equal(cudaMallocManaged(&alm, (size_t)p.nalm * 8, cudaMemAttachGlobal), 0);
    assert_int_equal(cudaMallocHost(&map, (size_t)p.nmap * 8), 0);
    memcpy(alm, p.alm, (size_t)p.nalm * 8);
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.wanted, &exec));
    check_ok(armilla_sht_synthesis(p.gpu, alm, map, &exec));
    assert_memory_equal(map, p.wanted, (size_t)p.nmap * 8);
    cudaFreeHost(map), cudaFree(alm);
    plans_close(&p);
}

/* --- Failures --------------------------------------------------------------------------------- */

static void the_gpu_with_too_little_memory_is_named(void **state)
{
    (void)state;
    pair_of_plans p;
    armilla_grid *grid = healpix_grid(NSIDE);
    const armilla_sht_options options = on_list(lists[MOST - 1], MOST);
    cuda_emulation_set_device(2, 4096, 90);
    check_error(try_plan(grid, &options), ARMILLA_ERROR_MEMORY, "GPU 2: ");
    cuda_emulation_set_device(2, (int64_t)1 << 30, 90);
    open_on(&p, MOST, 7);
    const armilla_exec exec = exec_of(&p);
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.wanted, &exec));
    cuda_emulation_set_device(2, 0, 90); /* its pool keeps what it has: another call fits */
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.made, &exec));
    armilla_exec more = exec;
    more.ntrans = 1;
    plans_close(&p);
    open_on(&p, 2, 7);
    cuda_emulation_set_device(0, 0, 90); /* second in the list */
    check_error(armilla_sht_synthesis(p.gpu, p.alm, p.made, &exec), ARMILLA_ERROR_MEMORY,
                "GPU 0: ");
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.made, &more)); /* the first one has room */
    cuda_emulation_set_device(0, (int64_t)1 << 30, 90);
    check_ok(armilla_sht_synthesis(p.gpu, p.alm, p.made, &exec));
    plans_close(&p);
    armilla_grid_free(grid);
}

static void the_gpu_without_kernels_is_named(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(NSIDE);
    armilla_sht_options options = on_list(lists[MOST - 1], MOST);
    options.device_shape = "v4w4t";
    cuda_emulation_set_device(2, (int64_t)1 << 30, 86);
    check_error(try_plan(grid, &options), ARMILLA_ERROR_UNSUPPORTED,
                "GPU 2: options->device_shape");
    options.device_shape = NULL;
    options.device_precision = ARMILLA_DEVICE_PRECISION_HALVES;
    check_error(try_plan(grid, &options), ARMILLA_ERROR_UNSUPPORTED,
                "GPU 2: options->device_precision = ARMILLA_DEVICE_PRECISION_HALVES");
    cuda_emulation_set_device(2, (int64_t)1 << 30, 80);
    check_ok(try_plan(grid, &options));
    options.device_shape = "v4w4t", options.device_precision = ARMILLA_DEVICE_PRECISION_AUTO;
    check_ok(try_plan(grid, &options));
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(wrong_lists_are_named, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(a_list_needs_gpus, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(plans_without_lists_refuse_them, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(what_belongs_to_one_gpu_is_refused, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(a_list_of_one_is_that_gpu, set_devices, reset_devices),
        cmocka_unit_test_setup_teardown(memory_that_all_see_is_the_hosts, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(the_gpu_with_too_little_memory_is_named, set_devices,
                                        reset_devices),
        cmocka_unit_test_setup_teardown(the_gpu_without_kernels_is_named, set_devices,
                                        reset_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

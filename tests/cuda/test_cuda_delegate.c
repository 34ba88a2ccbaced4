/* What GPUs leave to the host (options->delegate): calls that the contract does not draw, streams,
 * arrays in the wrong place, lists of GPUs, and what describe and explain say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include "base/progress.h"
#include "cuda/runtime/runtime.h"
#include "emulation.h"
#include "oracle/checks.h"
#include <stdlib.h>
#include <string.h>

enum { NSIDE = 2, LMAX = 5, NPIX = 12 * NSIDE * NSIDE, SIZE = (LMAX + 1) * (LMAX + 2) / 2 };
enum { MAP = 2 * NPIX, ALM = 4 * SIZE, NPOINTS = 3 }; /* doubles of two components */

static const double POINTS[3 * NPOINTS] = {0.4, 1, 1.5, 1.2, 3, 2, 2.9, -1, 1.1};

/* --- Plans and arrays ------------------------------------------------------------------------- */

static armilla_sht_options delegating(const int *devices, int64_t ndevices)
{
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.device = ARMILLA_CUDA, options.delegate = 1;
    options.devices = devices, options.ndevices = ndevices;
    return options;
}

/* sht NULL: on the host. */
static armilla_vector *vector_of(const armilla_sht_options *sht, int radial)
{
    armilla_grid *grid = healpix_grid(NSIDE);
    armilla_vector_options options;
    armilla_vector *vector;
    armilla_vector_options_init(&options);
    options.form = ARMILLA_VECTOR_STREAM_POTENTIAL, options.sht = sht, options.radial = radial;
    check_ok(armilla_vector_new(grid, LMAX, LMAX, &options, &vector));
    armilla_grid_free(grid);
    return vector;
}

static armilla_vector *vector_with(const armilla_sht_options *sht)
{
    return vector_of(sht, 0);
}

static armilla_vector *delegated(void)
{
    const armilla_sht_options options = delegating(NULL, 0);
    return vector_with(&options);
}

static armilla_solid_options solid_options(void)
{
    armilla_solid_options options;
    armilla_solid_options_init(&options);
    options.device = ARMILLA_CUDA, options.delegate = 1;
    return options;
}

/* In the memory of a GPU; values NULL: zeros. */
static double *there(int device, const double *values, int64_t count)
{
    double *array;
    int before;
    assert_false(cudaGetDevice(&before));
    assert_false(cudaSetDevice(device));
    assert_false(cudaMalloc((void **)&array, (size_t)count * sizeof *array));
    if (values)
        assert_false(
            cudaMemcpy(array, values, (size_t)count * sizeof *array, cudaMemcpyHostToDevice));
    else
        assert_false(cudaMemset(array, 0, (size_t)count * sizeof *array));
    assert_false(cudaSetDevice(before));
    return array;
}

static void check_there(const double *array, const double *wanted, int64_t count)
{
    double *values = checked_malloc(count, sizeof *values);
    assert_false(cudaMemcpy(values, array, (size_t)count * sizeof *array, cudaMemcpyDeviceToHost));
    assert_memory_equal(values, wanted, (size_t)count * sizeof *values);
    free(values);
}

/* --- Calls ------------------------------------------------------------------------------------ */

static void all_calls_of_vectors_have_the_bits_of_the_host(void **state)
{
    (void)state;
    double map[MAP], alm[ALM], out[MAP];
    armilla_vector *host = vector_with(NULL), *vector = delegated();
    armilla_pseudo_report report;
    random_fill(1, MAP, map);
    double *map_there = there(0, map, MAP), *alm_there = there(0, NULL, ALM);
    double *out_there = there(0, NULL, MAP);
    check_ok(armilla_vector_pseudo_analysis(host, map, alm, NULL, NULL, NULL));
    check_ok(armilla_vector_pseudo_analysis(vector, map_there, alm_there, NULL, &report, NULL));
    check_there(alm_there, alm, ALM);
    const armilla_vector_form to = ARMILLA_VECTOR_VORTICITY_DIVERGENCE;
    check_ok(armilla_vector_convert_map(host, ARMILLA_VECTOR_COMPONENTS, map, to, out, NULL));
    check_ok(armilla_vector_convert_map(vector, ARMILLA_VECTOR_COMPONENTS, map_there, to, out_there,
                                        NULL));
    check_there(out_there, out, MAP);
    check_ok(armilla_vector_synthesis(host, alm, out, NULL)); /* one array of each kind */
    check_ok(armilla_vector_synthesis(vector, alm, out_there, NULL));
    check_there(out_there, out, MAP);
    check_there(map_there, map, MAP);
    assert_false(cudaFree(map_there) || cudaFree(alm_there) || cudaFree(out_there));
    armilla_vector_free(host);
    armilla_vector_free(vector);
}

/* Work that is on the stream, and has not begun, writes what the call reads, on the GPU or in
 * pinned memory of the host. */
static void calls_wait_for_their_stream(void **state)
{
    (void)state;
    double alm[ALM], map[MAP], made[MAP], *late;
    armilla_vector *host = vector_with(NULL), *vector = delegated();
    armilla_exec exec;
    cudaStream_t stream;
    random_fill(2, ALM, alm);
    check_ok(armilla_vector_synthesis(host, alm, map, NULL));
    double *alm_there = there(0, NULL, ALM), *map_there = there(0, NULL, MAP);
    double *source = there(0, alm, ALM);
    assert_false(cudaMallocHost((void **)&late, sizeof alm));
    assert_false(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    armilla_exec_init(&exec);
    exec.stream = stream;
    cuda_emulation_set_deferred(1);
    assert_false(cudaMemcpyAsync(alm_there, source, sizeof alm, cudaMemcpyDeviceToDevice, stream));
    check_ok(armilla_vector_synthesis(vector, alm_there, map_there, &exec));
    check_there(map_there, map, MAP);
    memset(late, 0, sizeof alm);
    assert_false(cudaMemcpyAsync(late, source, sizeof alm, cudaMemcpyDeviceToHost, stream));
    check_ok(armilla_vector_synthesis(vector, late, made, &exec));
    assert_memory_equal(made, map, sizeof map);
    cuda_emulation_set_deferred(0);
    assert_false(cudaStreamDestroy(stream) || cudaFreeHost(late));
    assert_false(cudaFree(alm_there) || cudaFree(map_there) || cudaFree(source));
    armilla_vector_free(host);
    armilla_vector_free(vector);
}

/* --- What is written -------------------------------------------------------------------------- */

enum { GAP = 2, DISTANCE = NPIX + GAP, THREE_MAPS = 3 * DISTANCE, THREE_ALM = 6 * SIZE };

/* Somebody who writes, while the call runs, what the call must not: its input, and a gap of its
 * output. */
typedef struct {
    double *in, *gap;
    int reports, stop;
} meddler;

static int meddle(void *data, double fraction)
{
    meddler *m = data;
    (void)fraction;
    assert_false(cudaMemset(m->in, 1, THREE_ALM * sizeof *m->in));
    assert_false(cudaMemset(m->gap, 2, GAP * sizeof *m->gap));
    return ++m->reports == m->stop;
}

static void check_bytes(const double *array, int64_t count, int value)
{
    double wanted[THREE_MAPS];
    memset(wanted, value, sizeof wanted);
    check_there(array, wanted, count);
}

/* The last report comes when the radial component is made, which a call that is stopped then does
 * not take back. */
static void only_a_result_is_written(void **state)
{
    (void)state;
    const armilla_sht_options options = delegating(NULL, 0);
    double alm[THREE_ALM], map[THREE_MAPS];
    armilla_vector *host = vector_of(NULL, 1), *vector = vector_of(&options, 1);
    armilla_exec exec;
    random_fill(4, THREE_ALM, alm);
    check_ok(armilla_vector_synthesis(host, alm, map, NULL));
    double *alm_there = there(0, alm, THREE_ALM), *map_there = there(0, NULL, THREE_MAPS);
    meddler m = {.in = alm_there, .gap = map_there + NPIX};
    armilla_exec_init(&exec);
    exec.map_distance = DISTANCE, exec.progress = meddle, exec.progress_data = &m;
    exec.nthreads = 1; /* as many reports each time */
    armilla_progress_set_interval(0);
    check_ok(armilla_vector_synthesis(vector, alm_there, map_there, &exec));
    for (int i = 0; i < 3; i++) check_there(map_there + i * DISTANCE, map + i * NPIX, NPIX);
    check_bytes(m.gap, GAP, 2);
    check_bytes(alm_there, THREE_ALM, 1);
    assert_false(cudaMemcpy(alm_there, alm, sizeof alm, cudaMemcpyHostToDevice));
    assert_false(cudaMemset(map_there, 3, sizeof map));
    m.stop = m.reports, m.reports = 0;
    check_error(armilla_vector_synthesis(vector, alm_there, map_there, &exec),
                ARMILLA_ERROR_CANCELLED, "progress");
    armilla_progress_set_interval(0.05);
    for (int i = 0; i < 3; i++) check_bytes(map_there + i * DISTANCE, NPIX, 3);
    assert_false(cudaFree(alm_there) || cudaFree(map_there));
    armilla_vector_free(host);
    armilla_vector_free(vector);
}

/* --- Where arrays are ------------------------------------------------------------------------- */

static void arrays_elsewhere_are_named(void **state)
{
    (void)state;
    const armilla_status wrong = ARMILLA_ERROR_ARGUMENT;
    const armilla_vector_form wind = ARMILLA_VECTOR_COMPONENTS;
    const armilla_solid_options options = solid_options();
    double alm[ALM] = {0}, map[MAP] = {0};
    cuda_emulation_set_devices(2);
    armilla_vector *vector = delegated();
    double *far = there(1, NULL, MAP), *near = there(0, POINTS, 3 * NPOINTS);
    armilla_exec exec;
    check_error(armilla_vector_synthesis(vector, alm, far, NULL), wrong,
                "map: is in the memory of GPU 1, but the plan is on GPU 0");
    check_error(armilla_vector_convert_map(vector, wind, map, wind, far, NULL), wrong,
                "out: is in the memory of GPU 1");
    check_error(armilla_vector_convert_map(vector, wind, far, wind, map, NULL), wrong,
                "in: is in the memory of GPU 1");
    check_error(armilla_solid_evaluate(LMAX, LMAX, NPOINTS, POINTS, &options, alm, far, NULL),
                wrong, "values: is in the memory of GPU 1");
    check_error(armilla_solid_evaluate(LMAX, LMAX, NPOINTS, near, &options, alm, map, NULL), wrong,
                "points: is in the memory of a GPU, but must be an array of the host");
    armilla_exec_init(&exec);
    exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(armilla_vector_synthesis(vector, alm, map, &exec), wrong,
                "alm: is in host memory, but exec->memory = ARMILLA_MEMORY_DEVICE");
    exec.memory = ARMILLA_MEMORY_HOST;
    check_ok(armilla_vector_synthesis(vector, alm, map, &exec));
    assert_false(cudaFree(far) || cudaFree(near));
    armilla_vector_free(vector);
    cuda_emulation_set_devices(1);
}

static void lists_of_gpus_are_those_of_other_plans(void **state)
{
    (void)state;
    const int second[] = {1}, both[] = {1, 0}, none[] = {7};
    const armilla_sht_options on_second = delegating(second, 1), on_both = delegating(both, 2);
    armilla_sht_options nowhere = delegating(none, 1);
    armilla_grid *grid = healpix_grid(NSIDE);
    armilla_complex_sht *sht;
    double alm[ALM], map[MAP], made[MAP];
    int device = -1;
    cuda_emulation_set_devices(2);
    armilla_vector *host = vector_with(NULL), *vector = vector_with(&on_second);
    random_fill(3, ALM, alm);
    check_ok(armilla_vector_synthesis(host, alm, map, NULL));
    double *far = there(1, NULL, MAP);
    check_ok(armilla_vector_synthesis(vector, alm, far, NULL));
    check_there(far, map, MAP);
    assert_false(cudaGetDevice(&device));
    assert_int_equal(device, 0);
    armilla_vector_free(vector);
    vector = vector_with(&on_both);
    check_ok(armilla_vector_synthesis(vector, alm, made, NULL));
    assert_memory_equal(made, map, sizeof map);
    check_error(armilla_vector_synthesis(vector, alm, far, NULL), ARMILLA_ERROR_ARGUMENT,
                "map: is in the memory of a GPU; a plan on several GPUs");
    check_error(armilla_complex_sht_new(grid, LMAX, LMAX, &nowhere, &sht), ARMILLA_ERROR_ARGUMENT,
                "options->devices[0] = 7");
    cuda_emulation_set_devices(0);
    nowhere.devices = NULL, nowhere.ndevices = 0;
    check_error(armilla_complex_sht_new(grid, LMAX, LMAX, &nowhere, &sht),
                ARMILLA_ERROR_UNSUPPORTED, "no GPU can be used");
    cuda_emulation_set_devices(2);
    assert_false(cudaFree(far));
    armilla_vector_free(vector);
    armilla_vector_free(host);
    armilla_grid_free(grid);
    cuda_emulation_set_devices(1);
}

/* --- What runs -------------------------------------------------------------------------------- */

static void note_place(void *data, const armilla_choice *choice)
{
    if (!strcmp(choice->name, "place"))
        ++*(int *)data, assert_string_equal(choice->value, "by the host");
}

static void plans_say_that_the_host_runs_them(void **state)
{
    (void)state;
    const armilla_sht_options options = delegating(NULL, 0);
    const armilla_solid_options solid = solid_options();
    const double alm[ALM] = {0};
    armilla_sht_description told = {.size = sizeof told};
    armilla_grid *grid = healpix_grid(NSIDE);
    armilla_vector *vector = delegated(), *host = vector_with(NULL);
    armilla_complex_sht *sht;
    int places = 0;
    check_ok(armilla_complex_sht_new(grid, LMAX, LMAX, &options, &sht));
    check_ok(armilla_vector_describe(vector, 1, &told));
    assert_string_equal(told.backend, "by the host");
    check_ok(armilla_complex_sht_describe(sht, 1, &told));
    assert_string_equal(told.backend, "by the host");
    check_ok(armilla_vector_describe(host, 1, &told));
    assert_string_equal(told.backend, "cpu");
    check_ok(armilla_vector_explain(host, note_place, &places));
    assert_int_equal(places, 0);
    check_ok(armilla_vector_explain(vector, note_place, &places));
    check_ok(armilla_complex_sht_explain(sht, note_place, &places));
    check_ok(armilla_solid_explain(LMAX, LMAX, NPOINTS, POINTS, &solid, alm, note_place, &places));
    assert_int_equal(places, 3);
    armilla_complex_sht_free(sht);
    armilla_vector_free(vector);
    armilla_vector_free(host);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_calls_of_vectors_have_the_bits_of_the_host),
        cmocka_unit_test(calls_wait_for_their_stream),
        cmocka_unit_test(arrays_elsewhere_are_named),
        cmocka_unit_test(only_a_result_is_written),
        cmocka_unit_test(lists_of_gpus_are_those_of_other_plans),
        cmocka_unit_test(plans_say_that_the_host_runs_them)};
    armilla_progress_set_interval(0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

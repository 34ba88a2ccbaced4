/* Missing values of maps in the memory of a GPU: all plans that read maps name the first one, with
 * the words of the same call on maps of the host. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "armilla/io.h"
#include "armilla/iqu.h"
#include "armilla/radial.h"
#include "cuda/test_cuda_scene.h"
#include "emulation.h"
#include "unit/test_lensing_scene.h"

enum { NSIDE = 4, LMAX = 6, NPIX = 12 * NSIDE * NSIDE, GAP = 3, TEXT = 400 };

/* --- Calls that read maps --------------------------------------------------------------------- */

typedef struct reader reader;

/* A plan and a call of it, whose result goes to `out`. */
struct reader {
    const char *name;
    int is_float;
    int64_t ncomp, ntrans, npix;
    armilla_sht *sht;
    armilla_iqu *iqu;
    armilla_radial *radial;
    armilla_lensing *lensing;
    armilla_points *points;
    armilla_status (*run)(const reader *r, const void *map, void *out, const armilla_exec *exec);
};

static armilla_status run_sht(const reader *r, const void *map, void *out, const armilla_exec *exec)
{
    return r->is_float ? armilla_sht_analysis_float(r->sht, map, out, exec)
                       : armilla_sht_adjoint_synthesis(r->sht, map, out, exec);
}

static armilla_status run_iqu(const reader *r, const void *map, void *out, const armilla_exec *exec)
{
    return armilla_iqu_adjoint_synthesis(r->iqu, map, out, exec);
}

static armilla_status run_radial(const reader *r, const void *map, void *out,
                                 const armilla_exec *exec)
{
    return r->is_float ? armilla_radial_convolve_float(r->radial, map, out, exec)
                       : armilla_radial_convolve(r->radial, map, out, exec);
}

static armilla_status run_lensing(const reader *r, const void *map, void *out,
                                  const armilla_exec *exec)
{
    return armilla_lensing_adjoint(r->lensing, map, out, exec);
}

/* --- Plans ------------------------------------------------------------------------------------ */

static reader sht_reader(const char *name, armilla_grid *grid, int64_t spin, int is_float)
{
    reader r = {name, is_float, spin ? 2 : 1, 2, armilla_grid_npix(grid), .run = run_sht};
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.device = ARMILLA_CUDA, options.spin = spin;
    check_ok(armilla_sht_new(grid, LMAX, LMAX, &options, &r.sht));
    armilla_grid_free(grid);
    return r;
}

static reader iqu_reader(void)
{
    reader r = {"iqu", 0, 3, 2, NPIX, .run = run_iqu};
    armilla_grid *grid = healpix_grid(NSIDE);
    armilla_sht_options options;
    armilla_sht_options_init(&options);
    options.device = ARMILLA_CUDA;
    check_ok(armilla_iqu_new(grid, LMAX, LMAX, &options, &r.iqu));
    armilla_grid_free(grid);
    return r;
}

static reader radial_reader(const char *name, armilla_radial_method method, int is_float)
{
    reader r = {name, is_float, 1, 2, NPIX, .run = run_radial};
    armilla_grid *grid = healpix_grid(NSIDE);
    armilla_radial_options options;
    armilla_kernel *kernel;
    armilla_radial_options_init(&options);
    options.device = ARMILLA_CUDA, options.method = method;
    check_ok(armilla_kernel_new_gaussian(0.3, &kernel));
    check_ok(armilla_radial_new(grid, kernel, &options, &r.radial));
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
    return r;
}

static armilla_points_options points_options(void)
{
    armilla_points_options options;
    armilla_points_options_init(&options);
    options.device = ARMILLA_CUDA, options.epsilon = 1e-3;
    return options;
}

/* On a grid with gaps. */
static reader lensing_reader(void)
{
    armilla_grid *grid = gaps_grid();
    reader r = {"lensing", 0, 2, 2, armilla_grid_npix(grid), .run = run_lensing};
    armilla_points_options options = points_options();
    double *potentials = new_potentials(0.1);
    const armilla_deflection deflection = deflection_of(potentials);
    options.spin = 2;
    check_ok(armilla_lensing_new(grid, &deflection, LMAX, LMAX, &options, &r.lensing));
    free(potentials);
    armilla_grid_free(grid);
    return r;
}

static void reader_free(reader *r)
{
    armilla_sht_free(r->sht);
    armilla_iqu_free(r->iqu);
    armilla_radial_free(r->radial);
    armilla_lensing_free(r->lensing);
    armilla_points_free(r->points);
}

/* --- Maps ------------------------------------------------------------------------------------- */

typedef struct {
    int64_t count, bytes; /* of maps, and of outputs, whose size they have at least */
    void *host, *there, *out;
    armilla_exec exec;
} maps;

static maps maps_open(const reader *r)
{
    const int64_t distance = r->npix + GAP, item = r->is_float ? 4 : 8;
    const int64_t alm = 2 * armilla_alm_size(LMAX, LMAX) * 3;
    maps m = {.count = r->ntrans * r->ncomp * distance};
    m.bytes = item * (m.count > r->ntrans * alm ? m.count : r->ntrans * alm);
    m.host = checked_calloc(m.bytes, 1), m.out = checked_calloc(m.bytes, 1);
    m.there = to_device(m.host, m.bytes);
    armilla_exec_init(&m.exec);
    m.exec.ntrans = r->ntrans, m.exec.map_distance = distance;
    m.exec.missing = ARMILLA_MISSING_ERROR;
    return m;
}

static void maps_close(maps *m)
{
    cudaFree(m->there);
    free(m->host), free(m->out);
}

static void set(const reader *r, maps *m, int64_t i, double value)
{
    if (r->is_float)
        ((float *)m->host)[i] = (float)value;
    else
        ((double *)m->host)[i] = value;
    cudaMemcpy(m->there, m->host, (size_t)m->bytes, cudaMemcpyHostToDevice);
}

/* The host's words for maps of both kinds. */
static void check_same_error(const reader *r, maps *m, const char *words)
{
    char wanted[TEXT];
    check_error(r->run(r, m->host, m->out, &m->exec), ARMILLA_ERROR_ARGUMENT, words);
    snprintf(wanted, sizeof wanted, "%s", armilla_status_message());
    check_error(r->run(r, m->there, m->out, &m->exec), ARMILLA_ERROR_ARGUMENT, words);
    if (strcmp(wanted, armilla_status_message()))
        fail_msg("%s: '%s' on a GPU, '%s' on the host", r->name, armilla_status_message(), wanted);
}

/* --- Tests ------------------------------------------------------------------------------------ */

/* pixel: one that is there in all grids, of the last component. */
static void check_reader(reader r)
{
    char words[40];
    maps m = maps_open(&r);
    const int64_t last = (r.ntrans * r.ncomp - 1) * m.exec.map_distance, pixel = 5;
    check_ok(r.run(&r, m.there, m.out, &m.exec));
    set(&r, &m, r.npix + 1, (double)NAN); /* between components */
    check_ok(r.run(&r, m.there, m.out, &m.exec));
    set(&r, &m, last + pixel, ARMILLA_UNSEEN);
    snprintf(words, sizeof words, "map[%d] = -1.6375e+30", (int)(last + pixel));
    check_same_error(&r, &m, words);
    set(&r, &m, pixel, (double)INFINITY);
    check_same_error(&r, &m, "map[5] = inf: is missing, one of 2 values");
    m.exec.missing = ARMILLA_MISSING_PROPAGATE;
    check_ok(r.run(&r, m.there, m.out, &m.exec));
    m.exec.missing = ARMILLA_MISSING_ERROR;
    set(&r, &m, pixel, -1.63e30); /* a large value */
    set(&r, &m, last + pixel, 1.7e30);
    check_ok(r.run(&r, m.there, m.out, &m.exec));
    maps_close(&m);
    reader_free(&r);
}

static void plans_name_the_first_one(void **state)
{
    (void)state;
    check_reader(sht_reader("sht", healpix_grid(NSIDE), 0, 0));
    check_reader(sht_reader("sht, floats", healpix_grid(NSIDE), 0, 1));
    check_reader(sht_reader("sht, spin 2, gaps", gaps_grid(), 2, 0));
    check_reader(iqu_reader());
    check_reader(radial_reader("pixels", ARMILLA_RADIAL_PIXELS, 0));
    check_reader(radial_reader("rings", ARMILLA_RADIAL_RINGS, 1));
    check_reader(lensing_reader());
    assert_int_equal(cuda_emulation_live_bytes(), 0);
}

/* No pixel is at place 0 of the grid with gaps, and what is there does not matter. */
static void gaps_are_not_looked_at(void **state)
{
    (void)state;
    reader readers[] = {lensing_reader(), sht_reader("gaps", gaps_grid(), 2, 0)};
    for (int i = 0; i < 2; i++) {
        maps m = maps_open(&readers[i]);
        set(&readers[i], &m, 0, (double)NAN);
        check_ok(readers[i].run(&readers[i], m.there, m.out, &m.exec));
        set(&readers[i], &m, m.exec.map_distance + 5, (double)NAN);
        check_same_error(&readers[i], &m, "one of 1 values");
        maps_close(&m);
        reader_free(&readers[i]);
    }
}

/* Pixels of weight 0 are left out; weights are the host's. */
static void pixels_without_weight_are_not_looked_at(void **state)
{
    (void)state;
    reader r = radial_reader("weights", ARMILLA_RADIAL_PIXELS, 0);
    double weights[NPIX];
    maps m = maps_open(&r);
    double *out = to_device(m.out, m.bytes);
    for (int i = 0; i < NPIX; i++) weights[i] = i != 9;
    set(&r, &m, 9, (double)NAN);
    check_ok(armilla_radial_convolve_weighted(r.radial, m.there, weights, 0.1, 0, out, &m.exec));
    set(&r, &m, 10, (double)NAN);
    check_error(armilla_radial_convolve_weighted(r.radial, m.there, weights, 0.1, 0, out, &m.exec),
                ARMILLA_ERROR_ARGUMENT, "map[10] = nan: is missing, one of 1 values");
    cudaFree(out);
    maps_close(&m);
    reader_free(&r);
}

/* The call would have to wait for its answer: the capture is left as it was. */
static void captured_streams_are_refused(void **state)
{
    (void)state;
    reader readers[] = {sht_reader("sht", healpix_grid(NSIDE), 0, 0),
                        radial_reader("pixels", ARMILLA_RADIAL_PIXELS, 0), lensing_reader()};
    for (int i = 0; i < 3; i++) {
        maps m = maps_open(&readers[i]);
        void *out = to_device(m.out, m.bytes);
        cudaStream_t stream;
        cudaGraph_t graph;
        assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
        m.exec.stream = stream;
        assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        check_error(readers[i].run(&readers[i], m.there, out, &m.exec), ARMILLA_ERROR_UNSUPPORTED,
                    "exec->missing = ERROR: maps cannot be looked at on a stream that is captured");
        m.exec.missing = ARMILLA_MISSING_PROPAGATE;
        check_ok(readers[i].run(&readers[i], m.there, out, &m.exec));
        assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
        assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
        cudaFree(out);
        maps_close(&m);
        reader_free(&readers[i]);
    }
}

/* A value that is still on its way on the call's stream is seen. */
static void the_stream_is_waited_for(void **state)
{
    (void)state;
    reader r = sht_reader("sht", healpix_grid(NSIDE), 0, 0);
    maps m = maps_open(&r);
    const double late = (double)NAN;
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    m.exec.stream = stream;
    cuda_emulation_set_deferred(1);
    assert_int_equal(
        cudaMemcpyAsync((double *)m.there + 8, &late, sizeof late, cudaMemcpyHostToDevice, stream),
        cudaSuccess);
    check_error(r.run(&r, m.there, m.out, &m.exec), ARMILLA_ERROR_ARGUMENT, "map[8] = nan");
    cuda_emulation_set_deferred(0);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    maps_close(&m);
    reader_free(&r);
}

/* In memory that the host can read, too: managed or pinned, whatever the call says of it. */
static void the_stream_is_waited_for_everywhere(void **state)
{
    (void)state;
    reader readers[] = {sht_reader("sht", healpix_grid(NSIDE), 0, 0), lensing_reader(),
                        radial_reader("pixels", ARMILLA_RADIAL_PIXELS, 0)};
    for (int i = 0; i < 9; i++) {
        const reader *r = &readers[i / 3];
        const armilla_memory memory = (armilla_memory)(i % 3);
        maps m = maps_open(r);
        void *out = to_device(m.out, m.bytes), *map[2];
        m.exec.memory = memory;
        assert_int_equal(cudaMallocManaged(&map[0], (size_t)m.bytes, 1), cudaSuccess);
        assert_int_equal(cudaMallocHost(&map[1], (size_t)m.bytes), cudaSuccess);
        for (int pinned = 0; pinned < 2; pinned++) {
            memset(map[pinned], 0, (size_t)m.bytes);
            set(r, &m, 5, (double)NAN);
            cuda_emulation_set_deferred(1);
            assert_int_equal(cudaMemcpyAsync(map[pinned], m.there, (size_t)m.bytes,
                                             pinned ? cudaMemcpyDeviceToHost : cudaMemcpyDefault,
                                             NULL),
                             cudaSuccess);
            check_error(
                r->run(r, map[pinned], memory == ARMILLA_MEMORY_HOST ? m.out : out, &m.exec),
                ARMILLA_ERROR_ARGUMENT, "map[5] = nan: is missing, one of 1 values");
            cuda_emulation_set_deferred(0);
        }
        cudaFree(map[0]), cudaFreeHost(map[1]), cudaFree(out);
        maps_close(&m);
    }
    for (int i = 0; i < 3; i++) reader_free(&readers[i]);
}

/* The stream is of the plan's GPU, and can do nothing on another one. */
static void maps_of_another_gpu_are_refused(void **state)
{
    (void)state;
    reader r = sht_reader("sht", healpix_grid(NSIDE), 0, 0);
    maps m = maps_open(&r);
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    cuda_emulation_set_devices(2);
    assert_int_equal(cudaSetDevice(1), cudaSuccess);
    double *there = to_device(m.host, m.bytes);
    for (int i = 0; i < 2; i++) {
        m.exec.stream = i ? stream : NULL;
        check_error(r.run(&r, there, m.out, &m.exec), ARMILLA_ERROR_ARGUMENT,
                    "map: is in the memory of GPU 1, but the plan is on GPU 0");
    }
    cudaFree(there);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    cuda_emulation_set_devices(1);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    maps_close(&m);
    reader_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_name_the_first_one),
        cmocka_unit_test(gaps_are_not_looked_at),
        cmocka_unit_test(pixels_without_weight_are_not_looked_at),
        cmocka_unit_test(captured_streams_are_refused),
        cmocka_unit_test(the_stream_is_waited_for),
        cmocka_unit_test(the_stream_is_waited_for_everywhere),
        cmocka_unit_test(maps_of_another_gpu_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

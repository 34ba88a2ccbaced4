/* Progress functions of calls on a GPU: they are called without a lock, so that they may make calls
 * of the same plan, and may leave another device current. Such calls waited for each other for
 * ever: an alarm ends the process then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/points.h"
#include "armilla/radial.h"
#include "base/progress.h"
#include "cuda/runtime/copies.h"
#include "cuda/test_cuda_scene.h"
#include "emulation.h"

#include <unistd.h>

enum { LMAX = 12, NSIDE = 4, SETS = 6, SECONDS = 100 };

/* A call to be made again by its own progress function. */
typedef struct {
    armilla_status (*call)(const void *plan, const double *in, double *out,
                           const armilla_exec *exec);
    const void *plan;
    const double *in;
    double *out; /* of the inner call */
    armilla_exec inner;
    int device; /* to be left current, or -1 */
    int times;
} repeated;

static int repeat(void *data, double fraction)
{
    repeated *r = data;
    (void)fraction;
    r->times++;
    if (r->device >= 0) assert_int_equal(cudaSetDevice(r->device), cudaSuccess);
    check_ok(r->call(r->plan, r->in, r->out, &r->inner));
    return 0;
}

/* Both calls have the bits of one without a progress function. size: of the output. */
static void check_repeated(repeated *r, int64_t ntrans, int64_t size, const char *what)
{
    double *wanted = checked_malloc(size, 8), *made = checked_malloc(size, 8);
    r->out = checked_malloc(size, 8), r->times = 0;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = ntrans, r->inner = exec;
    check_ok(r->call(r->plan, r->in, wanted, &exec));
    exec.progress = repeat, exec.progress_data = r;
    check_ok(r->call(r->plan, r->in, made, &exec));
    if (!r->times) fail_msg("%s: the function was never called", what);
    assert_memory_equal(made, wanted, (size_t)size * 8);
    assert_memory_equal(r->out, wanted, (size_t)size * 8);
    free(r->out), free(made), free(wanted);
}

static armilla_status synthesis(const void *plan, const double *in, double *out,
                                const armilla_exec *exec)
{
    return armilla_sht_synthesis(plan, in, out, exec);
}

static armilla_status analysis(const void *plan, const double *in, double *out,
                               const armilla_exec *exec)
{
    return armilla_sht_analysis(plan, in, out, exec);
}

static armilla_status at_points(const void *plan, const double *in, double *out,
                                const armilla_exec *exec)
{
    return armilla_points_synthesis(plan, in, out, exec);
}

static armilla_status convolve(const void *plan, const double *in, double *out,
                               const armilla_exec *exec)
{
    return armilla_radial_convolve(plan, in, out, exec);
}

/* Copies go beside kernels in the outer call; the inner one finds the copier in use. */
static void check_transforms(int device, const armilla_sht_options *options)
{
    pair_of_plans p;
    plans_open(&p, healpix_grid(NSIDE), LMAX, LMAX, SETS, options);
    repeated r = {.call = synthesis, .plan = p.gpu, .in = p.alm, .device = device};
    check_repeated(&r, SETS, p.nmap, "synthesis");
    r.call = analysis, r.in = p.map;
    check_repeated(&r, SETS, p.nalm, "analysis");
    r.plan = p.cpu, r.device = -1;
    check_repeated(&r, SETS, p.nalm, "analysis on the processor");
    plans_close(&p);
}

static void transforms_can_be_made_meanwhile(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    options.device_bytes = 1;
    for (int beside = 0; beside < 2; beside++) {
        if (beside) armilla_cuda_copier_set_sizes(1000, 1);
        check_transforms(-1, &options);
        armilla_cuda_copier_set_sizes(0, 0);
    }
}

static void another_device_may_be_current_then(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    options.device_bytes = 1;
    cuda_emulation_set_devices(2);
    check_transforms(1, &options);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    cuda_emulation_set_devices(1);
}

static void several_devices(void **state)
{
    (void)state;
    static const int both[] = {0, 1};
    armilla_sht_options options = on_gpu();
    cuda_emulation_set_devices(2);
    options.device_bytes = 1, options.devices = both, options.ndevices = 2;
    check_transforms(-1, &options);
    cuda_emulation_set_devices(1);
}

static int stop(void *data, double fraction)
{
    (void)data, (void)fraction;
    return 1;
}

/* Nobody has the device's copier then; the next call that takes it has it alone. */
static void a_call_that_was_cancelled_leaves_the_copier(void **state)
{
    (void)state;
    armilla_sht_options options = on_gpu();
    armilla_cuda_work work = {.stream = NULL};
    pair_of_plans p;
    options.device_bytes = 1;
    armilla_cuda_copier_set_sizes(1000, 1);
    plans_open(&p, healpix_grid(NSIDE), LMAX, LMAX, SETS, &options);
    armilla_exec exec = exec_of(&p);
    exec.progress = stop;
    assert_int_equal(armilla_sht_synthesis(p.gpu, p.alm, p.made, &exec), ARMILLA_ERROR_CANCELLED);
    armilla_cuda_copier *copier = armilla_cuda_copier_take(0, 1000);
    assert_non_null(copier);
    assert_null(armilla_cuda_copier_take(0, 1000));
    armilla_cuda_copier_end(copier, &work);
    assert_int_equal(work.error, cudaSuccess);
    plans_close(&p);
    armilla_cuda_copier_set_sizes(0, 0);
}

static void values_at_points_can_be_made_meanwhile(void **state)
{
    (void)state;
    enum { COUNT = 50 };
    double points[2 * COUNT];
    for (int i = 0; i < COUNT; i++) points[2 * i] = 0.06 * i, points[2 * i + 1] = i;
    const int64_t size = 2 * armilla_alm_size(LMAX, LMAX) * SETS;
    double *alm = checked_malloc(size, 8);
    for (int i = 0; i < SETS; i++)
        random_alm_triangle((uint64_t)i, LMAX, LMAX, alm + size / SETS * i);
    armilla_points_options options;
    armilla_points *plan;
    armilla_points_options_init(&options);
    options.device = ARMILLA_CUDA;
    check_ok(armilla_points_new(LMAX, LMAX, COUNT, points, &options, &plan));
    repeated r = {.call = at_points, .plan = plan, .in = alm, .device = -1};
    check_repeated(&r, SETS, COUNT * SETS, "points");
    armilla_points_free(plan);
    free(alm);
}

/* Slabs of few rows. */
static void convolutions_can_be_made_meanwhile(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(8);
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.device = ARMILLA_CUDA, options.method = ARMILLA_RADIAL_PIXELS;
    options.device_bytes = 1;
    check_ok(armilla_kernel_new_gaussian(0.3, &kernel));
    check_ok(armilla_radial_new(grid, kernel, &options, &radial));
    const int64_t size = armilla_grid_npix(grid);
    double *map = checked_malloc(size, 8);
    random_fill(1, size, map);
    repeated r = {.call = convolve, .plan = radial, .in = map, .device = -1};
    for (int beside = 0; beside < 2; beside++) {
        if (beside) armilla_cuda_copier_set_sizes(1000, 1);
        check_repeated(&r, 1, size, "slabs");
        armilla_cuda_copier_set_sizes(0, 0);
    }
    free(map);
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transforms_can_be_made_meanwhile),
        cmocka_unit_test(another_device_may_be_current_then),
        cmocka_unit_test(several_devices),
        cmocka_unit_test(a_call_that_was_cancelled_leaves_the_copier),
        cmocka_unit_test(values_at_points_can_be_made_meanwhile),
        cmocka_unit_test(convolutions_can_be_made_meanwhile),
    };
    alarm(SECONDS);
    armilla_progress_set_interval(0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

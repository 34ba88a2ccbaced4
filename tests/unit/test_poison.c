/* Checks for operations of every kind that their results do not depend on memory that nobody has
 * written: the bits are the same when new memory is filled with zeros and when it is filled with
 * NaN. Random transforms are in test_sht_poison; the asan preset runs all tests with NaN. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/workspace.h"
#include "ranks/checksums.h"
#include "ranks/thread_transport.h"
#include "test_points_scene.h"

#include <pthread.h>

enum { LMAX = 20, MMAX = 13, NSIDE = 8, SIZE = 3 * 2 * (LMAX + 1) * (LMAX + 1), MOST = 256 };
enum { NPIX = 12 * NSIDE * NSIDE, NPOINTS = 500 };

/* What an operation is given, and checksums of what it returned. */
typedef struct {
    armilla_grid *grid;
    double alm[SIZE], map[4 * NPIX], points[2 * NPOINTS];
    double out[11 * NPIX]; /* of the operation, zeros before it */
    uint64_t sums[MOST];
    const char *names[MOST];
    int count;
} scene;

/* Remembers the bits of the result. */
static void note(scene *s, const char *name)
{
    assert_true(s->count < MOST);
    s->names[s->count] = name;
    s->sums[s->count++] = checksum(s->out, sizeof s->out);
    memset(s->out, 0, sizeof s->out);
}

/* --- Operations ------------------------------------------------------------------------------ */

static void run_pseudo(scene *s)
{
    armilla_sht *sht;
    armilla_pseudo_options options;
    armilla_pseudo_options_init(&options);
    options.max_iterations = 5;
    check_ok(armilla_sht_new(s->grid, LMAX, MMAX, NULL, &sht));
    for (int i = 0; i < 3; i++) {
        options.method = (armilla_pseudo_method)i;
        check_ok(armilla_sht_pseudo_analysis(sht, s->map, s->out, &options, NULL, NULL));
        note(s, "pseudo_analysis");
    }
    armilla_sht_free(sht);
}

static void run_complex(scene *s)
{
    for (int64_t spin = 0; spin < 3; spin++) {
        armilla_complex_sht *sht;
        armilla_sht_options options;
        armilla_sht_options_init(&options);
        options.spin = spin;
        check_ok(armilla_complex_sht_new(s->grid, LMAX, LMAX, &options, &sht));
        check_ok(armilla_complex_sht_synthesis(sht, s->alm, s->out, NULL));
        note(s, "complex synthesis");
        check_ok(armilla_complex_sht_analysis(sht, s->map, s->out, NULL));
        note(s, "complex analysis");
        armilla_complex_sht_free(sht);
    }
}

static void run_vector(scene *s)
{
    armilla_vector *vector;
    armilla_vector_options options;
    armilla_vector_options_init(&options);
    options.radial = 1, options.mean = ARMILLA_MEAN_IGNORE;
    check_ok(armilla_vector_new(s->grid, LMAX, MMAX, &options, &vector));
    check_ok(armilla_vector_synthesis(vector, s->alm, s->out, NULL));
    note(s, "vector synthesis");
    check_ok(armilla_vector_adjoint_synthesis(vector, s->map, s->out, NULL));
    note(s, "vector adjoint_synthesis");
    check_ok(armilla_vector_analysis(vector, s->map, s->out, NULL));
    note(s, "vector analysis");
    armilla_vector_free(vector);
}

static void run_solid(scene *s)
{
    double points[3 * NPOINTS];
    armilla_solid_options options;
    armilla_solid_options_init(&options);
    options.derivatives = 2;
    for (int i = 0; i < NPOINTS; i++) {
        points[3 * i] = 1 + 0.5 * i / NPOINTS;
        points[3 * i + 1] = s->points[2 * i], points[3 * i + 2] = s->points[2 * i + 1];
    }
    check_ok(armilla_solid_evaluate(LMAX, MMAX, NPOINTS, points, &options, s->alm, s->out, NULL));
    note(s, "solid evaluate");
    check_ok(armilla_solid_adjoint_evaluate(LMAX, MMAX, NPOINTS, points, &options, s->map, s->out,
                                            NULL));
    note(s, "solid adjoint_evaluate");
    options.derivatives = 0, options.epsilon = 1e-6;
    for (int way = 0; way < 3; way++) {
        options.way = (armilla_solid_way)way;
        check_ok(
            armilla_solid_evaluate(LMAX, MMAX, NPOINTS, points, &options, s->alm, s->out, NULL));
        note(s, "solid evaluate with epsilon");
    }
}

static void run_plan_of_points(scene *s, const armilla_points_options *options,
                               const double *points)
{
    armilla_points *plan;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.nthreads = 1 + (int)options->spin % 2;
    check_ok(armilla_points_new(LMAX, MMAX, NPOINTS, points, options, &plan));
    check_ok(armilla_points_synthesis(plan, s->alm, s->out, &exec));
    note(s, "points synthesis");
    check_ok(armilla_points_adjoint_synthesis(plan, s->map, s->out, &exec));
    note(s, "points adjoint_synthesis");
    armilla_points_free(plan);
}

static void run_evaluate(scene *s, armilla_points_options options, const double *points)
{
    options.derivatives = options.spin ? 1 : 2;
    check_ok(armilla_points_evaluate(LMAX, MMAX, NPOINTS, points, &options, s->alm, s->out, NULL));
    note(s, "evaluate");
    check_ok(armilla_points_adjoint_evaluate(LMAX, MMAX, NPOINTS, points, &options, s->map, s->out,
                                             NULL));
    note(s, "adjoint_evaluate");
}

static void run_points(scene *s)
{
    double points[2 * NPOINTS];
    armilla_points_options options;
    armilla_points_options_init(&options);
    for (int kind = 0; kind < POINT_KINDS; kind++) {
        fill_points((point_kind)kind, NPOINTS, points);
        for (options.spin = 0; options.spin < 4; options.spin++) {
            run_plan_of_points(s, &options, points);
            run_evaluate(s, options, points);
        }
    }
}

static void run_interpolation(scene *s)
{
    armilla_interpolation_options options;
    armilla_interpolation_options_init(&options);
    options.lmax = options.mmax = NSIDE;
    check_ok(armilla_points_interpolate(s->grid, s->map, NPOINTS, s->points, &options, s->out, NULL,
                                        NULL));
    note(s, "interpolate");
}

static void run_lensing(scene *s)
{
    armilla_lensing *lensing;
    armilla_points_options options;
    armilla_deflection deflection;
    armilla_points_options_init(&options);
    armilla_deflection_init(&deflection);
    double phi[SIZE];
    for (int i = 0; i < SIZE; i++) phi[i] = 1e-4 * s->alm[i];
    deflection.gradient = phi, deflection.lmax = LMAX, deflection.mmax = MMAX;
    for (options.spin = 0; options.spin < 3; options.spin += 2) {
        check_ok(armilla_lensing_new(s->grid, &deflection, LMAX, MMAX, &options, &lensing));
        check_ok(armilla_lensing_alm2lenmap(lensing, s->alm, s->out, NULL));
        note(s, "alm2lenmap");
        check_ok(armilla_lensing_adjoint(lensing, s->map, s->out, NULL));
        note(s, "lensing adjoint");
        armilla_lensing_free(lensing);
    }
    for (int kind = 0; kind < 2; kind++) {
        check_ok(armilla_lensing_distortion(s->grid, &deflection, (armilla_distortion_kind)kind,
                                            s->out));
        note(s, "distortion");
    }
}

static void convolve(scene *s, const armilla_grid *grid, const armilla_kernel *kernel,
                     const armilla_radial_options *options, const double *weights)
{
    armilla_radial *radial;
    check_ok(armilla_radial_new(grid, kernel, options, &radial));
    check_ok(armilla_radial_convolve(radial, s->map, s->out, NULL));
    note(s, "convolve");
    check_ok(armilla_radial_adjoint(radial, s->map, s->out, NULL));
    note(s, "radial adjoint");
    if (!options->spin) {
        check_ok(armilla_radial_convolve_weighted(radial, s->map, weights, 0.1, 7, s->out, NULL));
        note(s, "convolve_weighted");
    }
    armilla_radial_free(radial);
}

static void run_radial(scene *s)
{
    static const armilla_radial_method methods[] = {ARMILLA_RADIAL_PIXELS, ARMILLA_RADIAL_RINGS};
    armilla_kernel *kernel;
    armilla_grid *part; /* with gaps in its maps */
    armilla_radial_options options;
    double weights[NPIX];
    check_ok(armilla_grid_new_subset(s->grid, 5, 12, 0, &part));
    for (int i = 0; i < NPIX; i++) weights[i] = i % 7 ? 1 : 0;
    check_ok(armilla_kernel_new_gaussian(0.3, &kernel));
    armilla_radial_options_init(&options);
    for (int i = 0; i < 8; i++) {
        options.method = methods[i % 2];
        options.mode = i / 2 % 2 ? ARMILLA_RADIAL_STANDARD : ARMILLA_RADIAL_EXACT;
        options.spin = i / 4 ? 2 : 0;
        convolve(s, s->grid, kernel, &options, weights);
        convolve(s, part, kernel, &options, weights);
    }
    armilla_grid_free(part);
    armilla_kernel_free(kernel);
}

static void run_kernels(scene *s)
{
    armilla_kernel *kernel[3];
    check_ok(armilla_kernel_new_needlet(2, 3, &kernel[0]));
    check_ok(armilla_kernel_new_mexican_hat(0.1, &kernel[1]));
    check_ok(armilla_kernel_new_table(3, (double[]){0, 0.1, 0.2}, s->map, &kernel[2]));
    for (int i = 0; i < 3; i++) {
        check_ok(armilla_kernel_window(kernel[i], 0.5, 100, s->out));
        check_ok(armilla_kernel_choose_support(kernel[i], 1e-3, 100, NULL, &s->out[200]));
        note(s, "kernel");
        armilla_kernel_free(kernel[i]);
    }
}

static void run_rotation(scene *s)
{
    armilla_rotation rotation;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = 2;
    check_ok(armilla_rotation_from_euler(0.3, 1.1, -2, &rotation));
    check_ok(armilla_alm_rotate(&rotation, LMAX, MMAX, s->alm, LMAX, s->out, &exec));
    note(s, "rotate");
}

/* --- Ranks ----------------------------------------------------------------------------------- */

typedef struct {
    pthread_mutex_t lock;
    uint64_t sums[RANKS_CHECKSUMS];
} total;

static int add_to_total(const armilla_transport *transport, void *context)
{
    total *all = context;
    uint64_t own[RANKS_CHECKSUMS] = {0};
    const int failed = ranks_add_checksums(transport, 1, 0, own);
    pthread_mutex_lock(&all->lock);
    for (int i = 0; i < RANKS_CHECKSUMS; i++) all->sums[i] += own[i];
    pthread_mutex_unlock(&all->lock);
    return failed;
}

static void run_ranks(scene *s)
{
    const ranks_threads_options options = {.nranks = 3};
    total all = {.lock = PTHREAD_MUTEX_INITIALIZER};
    assert_int_equal(ranks_run_threads(&options, add_to_total, &all), 0);
    memcpy(s->out, all.sums, sizeof all.sums);
    note(s, "transforms over ranks");
}

/* --- Checks ---------------------------------------------------------------------------------- */

static void run_all(scene *s, armilla_poison pattern)
{
    static void (*const operations[])(scene *) = {
        run_pseudo,        run_complex, run_vector, run_solid,   run_rotation, run_points,
        run_interpolation, run_lensing, run_radial, run_kernels, run_ranks,
    };
    memset(s->out, 0, sizeof s->out);
    s->count = 0;
    armilla_memory_poison(pattern);
    s->grid = healpix_grid(NSIDE);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) operations[i](s);
    armilla_grid_free(s->grid);
}

static void results_do_not_depend_on_unwritten_memory(void **state)
{
    (void)state;
    static scene s, expected;
    random_fill(1, SIZE, s.alm);
    random_fill(2, 4 * NPIX, s.map);
    fill_points(RANDOM, NPOINTS, s.points);
    const armilla_poison before = armilla_memory_poison(ARMILLA_POISON_NONE);
    run_all(&s, ARMILLA_POISON_ZEROS);
    expected = s;
    run_all(&s, ARMILLA_POISON_NAN);
    armilla_memory_poison(before);
    assert_int_equal(s.count, expected.count);
    for (int i = 0; i < s.count; i++)
        if (s.sums[i] != expected.sums[i])
            fail_msg("result %d, %s: it depends on memory that nobody wrote", i, s.names[i]);
}

/* --- The patterns themselves ----------------------------------------------------------------- */

static void check_all_nan(const double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        float halves[2];
        memcpy(halves, &values[i], sizeof halves);
        assert_true(isnan(values[i]) && isnan(halves[0]) && isnan(halves[1]));
    }
}

static void new_memory_has_the_pattern(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 1000, 1 << 19};
    const armilla_poison before = armilla_memory_poison(ARMILLA_POISON_NAN);
    for (int i = 0; i < 3; i++) {
        double *values;
        armilla_memory_poison(ARMILLA_POISON_NAN);
        check_ok(armilla_allocate(&values, counts[i], sizeof *values));
        check_all_nan(values, counts[i]);
        armilla_release(values);
        armilla_memory_poison(ARMILLA_POISON_ZEROS);
        check_ok(armilla_allocate(&values, counts[i], sizeof *values));
        for (int64_t k = 0; k < counts[i]; k++) assert_true(values[k] == 0);
        armilla_release(values);
    }
    armilla_memory_poison(before);
}

/* A call must not find what the one before it left. */
static void kept_memory_has_the_pattern_again(void **state)
{
    (void)state;
    const armilla_poison before = armilla_memory_poison(ARMILLA_POISON_NAN);
    armilla_workspace_store *store;
    double *memory[2];
    check_ok(armilla_workspace_store_new(&store));
    for (int i = 0; i < 2; i++) {
        check_ok(armilla_workspace_take(store, 100, &memory[i]));
        check_all_nan(memory[i], 100);
        for (int k = 0; k < 100; k++) memory[i][k] = k;
        armilla_workspace_give(store, memory[i]);
    }
    assert_ptr_equal(memory[0], memory[1]);
    armilla_workspace_store_free(store);
    armilla_memory_poison(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_memory_has_the_pattern),
        cmocka_unit_test(kept_memory_has_the_pattern_again),
        cmocka_unit_test(results_do_not_depend_on_unwritten_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

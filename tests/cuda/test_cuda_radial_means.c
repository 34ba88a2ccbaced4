/* Means over weights of radial convolution on a GPU by the method RINGS and in the mode STANDARD,
 * and weights in the memory of the GPU by any method: results are the processor's, of scalars and
 * pairs Q, U, of doubles and floats, on grids of every kind; holes are not read, pixels of no ring
 * not written; bits depend neither on where arrays are nor on who runs first; wrong weights are
 * named, wherever they are; each allocation and each call fails once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/memory.h"
#include "cuda/radial_rings_scene.h"

static const double BOUND = 1e-13, FLOAT_BOUND = 1e-6, LEAST = 0.1, FILL = 7;

enum { NTRANS = 2, GAP = 5 };

/* What is tried: methods of the mode EXACT, and STANDARD by both. */
static const struct {
    armilla_radial_mode mode;
    armilla_radial_method method;
} WAYS[] = {{ARMILLA_RADIAL_EXACT, ARMILLA_RADIAL_RINGS},
            {ARMILLA_RADIAL_STANDARD, ARMILLA_RADIAL_PIXELS},
            {ARMILLA_RADIAL_STANDARD, ARMILLA_RADIAL_RINGS},
            {ARMILLA_RADIAL_EXACT, ARMILLA_RADIAL_PIXELS}};

enum { APART = 3 /* ways whose sums of weights are maps of their own */, EVERY = 4 };

static armilla_radial_options options_of(int way, int64_t spin)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.mode = WAYS[way].mode, options.method = WAYS[way].method, options.spin = spin;
    options.normalization = ARMILLA_RADIAL_SUM;
    return options;
}

/* The same plan on either side, and maps with holes. */
typedef struct {
    scene s;
    int64_t npix;
    double *weights;
} masked;

static masked masked_open(const armilla_grid *grid, int kernel, armilla_radial_options options)
{
    masked m = {.npix = armilla_grid_npix(grid)};
    armilla_kernel *k;
    armilla_radial_description d = {.size = sizeof d};
    m.s.size = m.npix * (options.spin ? 2 : 1);
    options.support = make_kernel(kernel, &k), options.device = ARMILLA_CUDA;
    check_ok(armilla_radial_new(grid, k, &options, &m.s.gpu));
    check_ok(armilla_radial_describe(m.s.gpu, 1, &d));
    options.device = ARMILLA_CPU, options.support = d.support;
    check_ok(armilla_radial_new(grid, k, &options, &m.s.cpu));
    armilla_kernel_free(k);
    m.s.map = checked_malloc(m.s.size, 8), m.s.wanted = checked_malloc(m.s.size, 8);
    m.s.made = checked_malloc(m.s.size, 8), m.weights = checked_malloc(m.npix, 8);
    random_fill(5, m.s.size, m.s.map), random_fill(9, m.npix, m.weights);
    for (int64_t i = 0; i < m.npix; i++) {
        m.weights[i] = i % 3 && i < 2 * m.npix / 3 ? 0 : fabs(m.weights[i]);
        for (int64_t at = i; at < m.s.size && m.weights[i] == 0; at += m.npix)
            m.s.map[at] = (double)NAN;
    }
    return m;
}

static void masked_close(masked *m)
{
    free(m->weights);
    scene_close(&m->s);
}

static armilla_status weigh(const masked *m, const armilla_radial *radial, const double *map,
                            const double *weights, double *out, const armilla_exec *exec)
{
    (void)m;
    return armilla_radial_convolve_weighted(radial, map, weights, LEAST, FILL, out, exec);
}

/* --- Results ---------------------------------------------------------------------------------- */

static void check_in_floats(const masked *m, const char *what)
{
    const scene *s = &m->s;
    float *map = checked_malloc(s->size, 4), *made = checked_malloc(s->size, 4);
    float *wanted = checked_malloc(s->size, 4);
    to_float(s->size, s->map, map), to_float(s->size, s->made, made);
    to_float(s->size, s->made, wanted);
    check_ok(
        armilla_radial_convolve_weighted_float(s->cpu, map, m->weights, LEAST, FILL, wanted, NULL));
    check_ok(
        armilla_radial_convolve_weighted_float(s->gpu, map, m->weights, LEAST, FILL, made, NULL));
    for (int64_t i = 0; i < s->size; i++) s->wanted[i] = wanted[i], s->made[i] = made[i];
    check_at_most(relative_error(s->size, s->wanted, s->made), FLOAT_BOUND, "%s: floats", what);
    free(map), free(made), free(wanted);
}

/* Takes the grid. What is between rings stays as it is. */
static void check_grid(armilla_grid *grid, int ways, const char *name)
{
    for (int way = 0; way < ways; way++)
        for (int kind = 0; kind < 4; kind++) {
            static const int kernels[] = {1, 0}; /* the whole sky, narrow */
            masked m = masked_open(grid, kernels[kind / 2], options_of(way, kind % 2 ? 2 : 0));
            const scene *s = &m.s;
            char what[80];
            snprintf(what, sizeof what, "%s: way %d, kind %d", name, way, kind);
            random_fill(3, s->size, s->wanted), random_fill(3, s->size, s->made);
            check_ok(weigh(&m, s->cpu, s->map, m.weights, s->wanted, NULL));
            check_ok(weigh(&m, s->gpu, s->map, m.weights, s->made, NULL));
            check_at_most(relative_error(s->size, s->wanted, s->made), BOUND, "%s", what);
            check_in_floats(&m, what);
            masked_close(&m);
        }
    armilla_grid_free(grid);
}

static armilla_grid *any_rings(void)
{
    static const armilla_ring rings[] = {{0.0, 1, 0.3, 0, 1, 0.2},    {0.4, 7, 0.1, 2, 2, 0.1},
                                         {1.1, 15, 5.0, 20, 1, 0.15}, {1.2, 12, -0.7, 50, -1, 0.1},
                                         {2.0, 8, 0.5, 60, 3, 0.12},  {2.5, 16, 0.3, 90, 1, 0.1},
                                         {2.9, 2, 1.0, 110, 1, 0.3}};
    armilla_grid *grid;
    check_ok(armilla_grid_new_custom(7, rings, &grid));
    return grid;
}

static void results_are_the_processors(void **state)
{
    (void)state;
    check_grid(healpix_grid(1), APART, "nside 1");
    check_grid(healpix_grid(4), APART, "nside 4");
    check_grid(any_rings(), APART, "any rings");
    check_grid(gauss(7, 16), APART, "Gauss-Legendre");
}

/* A weight of nothing: fill everywhere. All weights alike: the map of SUM. */
static void weights_of_nothing_and_of_one(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(3);
    for (int way = 0; way < APART; way++) {
        masked m = masked_open(grid, 0, options_of(way, 2));
        const scene *s = &m.s;
        for (int64_t i = 0; i < m.npix; i++) m.weights[i] = 0;
        check_ok(weigh(&m, s->gpu, s->map, m.weights, s->made, NULL));
        for (int64_t i = 0; i < s->size; i++) assert_true(s->made[i] == FILL);
        for (int64_t i = 0; i < m.npix; i++) m.weights[i] = 3;
        random_fill(4, s->size, s->map);
        check_ok(weigh(&m, s->gpu, s->map, m.weights, s->made, NULL));
        check_ok(armilla_radial_convolve(s->cpu, s->map, s->wanted, NULL));
        check_at_most(relative_error(s->size, s->wanted, s->made), BOUND, "way %d", way);
        masked_close(&m);
    }
    armilla_grid_free(grid);
}

/* Means do not depend on the unit of weights, though floats have no room for their products: bits
 * stay on either side. */
static void check_units(const masked *m, const armilla_radial *radial)
{
    const scene *s = &m->s;
    const size_t bytes = (size_t)s->size * 4;
    float *map = checked_malloc(s->size, 4), *made = checked_malloc(s->size, 4);
    float *wanted = checked_malloc(s->size, 4);
    double *weights = checked_malloc(m->npix, 8);
    to_float(s->size, s->map, map);
    check_ok(
        armilla_radial_convolve_weighted_float(radial, map, m->weights, 0, FILL, wanted, NULL));
    for (int power = -600; power <= 600; power += 400) {
        for (int64_t i = 0; i < m->npix; i++) weights[i] = ldexp(m->weights[i], power);
        check_ok(armilla_radial_convolve_weighted_float(radial, map, weights, 0, FILL, made, NULL));
        assert_memory_equal(wanted, made, bytes);
    }
    free(map), free(made), free(wanted), free(weights);
}

static void units_of_weights_change_no_bits(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(3);
    for (int way = 0; way < EVERY; way++)
        for (int64_t spin = 0; spin <= 2; spin += 2) {
            masked m = masked_open(grid, 0, options_of(way, spin));
            check_units(&m, m.s.gpu), check_units(&m, m.s.cpu);
            masked_close(&m);
        }
    armilla_grid_free(grid);
}

/* --- Arrays and bits -------------------------------------------------------------------------- */

static void check_arrays(const masked *m, int64_t ncomp)
{
    const int64_t distance = m->npix + GAP, all = NTRANS * ncomp * distance;
    double *map = checked_malloc(all, 8), *out = checked_malloc(all, 8);
    double *first = checked_malloc(all, 8), *weights = to_device(m->weights, 8 * m->npix);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = NTRANS, exec.map_distance = distance;
    random_fill(8, all, map);
    for (int64_t i = 0; i < all; i++) first[i] = out[i] = 123;
    check_ok(weigh(m, m->s.gpu, map, m->weights, first, &exec));
    for (int kind = 0; kind < 3; kind++) { /* weights, or maps, or both there */
        double *there = to_device(map, 8 * all), *made = to_device(out, 8 * all);
        const double *from = kind == 1 ? m->weights : weights;
        for (int64_t i = 0; i < all; i++) out[i] = 123;
        check_ok(weigh(m, m->s.gpu, kind ? there : map, from, kind ? made : out, &exec));
        if (kind) from_device(out, made, 8 * all);
        assert_memory_equal(first, out, (size_t)all * 8);
        from_device(out, there, 8 * all);
        assert_memory_equal(map, out, (size_t)all * 8); /* inputs are never written */
        for (int64_t i = 0; i < all; i++) out[i] = 123;
        cudaFree(there), cudaFree(made);
    }
    for (int order = 0; order < 3; order++) {
        cuda_emulation_set_order((cuda_emulation_order)order, 11);
        check_ok(weigh(m, m->s.gpu, map, m->weights, out, &exec));
        cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
        assert_memory_equal(first, out, (size_t)all * 8);
    }
    for (int t = 0; t < NTRANS * ncomp; t++) assert_true(out[t * distance + m->npix] == 123);
    cudaFree(weights), free(map), free(out), free(first);
}

static void arrays_and_orders_change_no_bits(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(3);
    for (int way = 0; way < EVERY; way++)
        for (int64_t spin = 0; spin <= 2; spin += 2) {
            masked m = masked_open(grid, 0, options_of(way, spin));
            check_arrays(&m, spin ? 2 : 1);
            masked_close(&m);
        }
    armilla_grid_free(grid);
}

/* Pixels of no ring may have any weight. */
static void gaps_have_any_weights(void **state)
{
    (void)state;
    armilla_grid *grid = any_rings();
    for (int way = 0; way < EVERY; way++) {
        masked m = masked_open(grid, 0, options_of(way, 0));
        const scene *s = &m.s;
        for (int64_t i = 0; i < m.npix; i++) s->wanted[i] = s->made[i] = 123;
        random_fill(5, m.npix, s->map);
        check_ok(weigh(&m, s->gpu, s->map, m.weights, s->wanted, NULL));
        m.weights[1] = (double)NAN, m.weights[3] = -1; /* neither is a pixel */
        double *map = to_device(s->map, 8 * m.npix), *out = to_device(s->made, 8 * m.npix);
        double *weights = to_device(m.weights, 8 * m.npix);
        check_ok(weigh(&m, s->gpu, map, weights, out, NULL));
        from_device(s->made, out, 8 * m.npix);
        assert_memory_equal(s->wanted, s->made, (size_t)m.npix * 8);
        cudaFree(map), cudaFree(out), cudaFree(weights);
        masked_close(&m);
    }
    armilla_grid_free(grid);
}

/* --- Memory and errors ------------------------------------------------------------------------ */

/* Beside that of the sums, 8 bytes a pixel for the weights, the divisors, the sums of ones and each
 * component. */
static void memory_is_what_is_told(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    const int64_t part = (8 * armilla_grid_npix(grid) + 255) / 256 * 256;
    for (int way = 0; way < APART; way++)
        for (int64_t spin = 0; spin <= 2; spin += 2) {
            masked m = masked_open(grid, 0, options_of(way, spin));
            armilla_radial_description d = {.size = sizeof d};
            check_ok(armilla_radial_describe(m.s.gpu, 1, &d));
            assert_int_equal(cuda_emulation_live_bytes(), d.device_plan_bytes);
            cuda_emulation_most_bytes();
            check_ok(weigh(&m, m.s.gpu, m.s.map, m.weights, m.s.made, NULL));
            const int64_t most = cuda_emulation_most_bytes() - d.device_plan_bytes;
            assert_true(most > 4 * part);
            assert_true(most <= d.device_workspace_bytes + (spin ? 5 : 4) * part);
            masked_close(&m);
            assert_int_equal(cuda_emulation_live_bytes(), 0);
        }
    armilla_grid_free(grid);
}

/* Wherever weights and maps are; one that a weight of 0 covers is none. */
static void missing_values_are_errors(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(2);
    for (int way = 0; way < EVERY; way++) {
        masked m = masked_open(grid, 0, options_of(way, 0));
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.missing = ARMILLA_MISSING_ERROR;
        m.s.map[5] = m.s.map[9] = NAN;
        m.weights[5] = 0, m.weights[9] = 1;
        double *map = to_device(m.s.map, 8 * m.npix), *out = to_device(m.s.map, 8 * m.npix);
        double *weights = to_device(m.weights, 8 * m.npix);
        for (int there = 0; there < 2; there++)
            check_error(weigh(&m, m.s.gpu, map, there ? weights : m.weights, out, &exec),
                        ARMILLA_ERROR_ARGUMENT, "map[9]");
        check_ok(weigh(&m, m.s.gpu, map, weights, out, NULL));
        cudaFree(map), cudaFree(out), cudaFree(weights);
        masked_close(&m);
    }
    armilla_grid_free(grid);
}

/* Each allocation of the device, each call of CUDA, each allocation of the host: an error, and the
 * plan stays usable. Weights on the host, or on the device. */
static void check_failures(const masked *m, const double *map, const double *weights, double *out)
{
    int64_t (*const fail_after[3])(int64_t) = {
        cuda_emulation_fail_twice_after, cuda_emulation_fail_call_after, armilla_memory_fail_after};
    for (int kind = 0; kind < 3; kind++) {
        fail_after[kind](-1);
        check_ok(weigh(m, m->s.gpu, map, weights, out, NULL));
        const int64_t count = fail_after[kind](-1);
        for (int64_t n = 0; n < count; n++) {
            fail_after[kind](n);
            const armilla_status status = weigh(m, m->s.gpu, map, weights, out, NULL);
            fail_after[kind](-1);
            assert_true(status == ARMILLA_ERROR_MEMORY ||
                        (kind == 1 && status == ARMILLA_ERROR_UNSUPPORTED));
        }
        check_ok(weigh(m, m->s.gpu, map, weights, out, NULL));
    }
}

static void failures_leave_the_plan_usable(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(1);
    for (int way = 0; way < EVERY; way++) {
        masked m = masked_open(grid, 0, options_of(way, 0));
        double *map = to_device(m.s.map, 8 * m.npix), *out = to_device(m.s.map, 8 * m.npix);
        double *weights = to_device(m.weights, 8 * m.npix);
        check_failures(&m, m.s.map, m.weights, m.s.made);
        check_failures(&m, map, weights, out);
        cudaFree(map), cudaFree(out), cudaFree(weights);
        masked_close(&m);
    }
    armilla_grid_free(grid);
}

/* On the host, and there. */
static void check_wrong(masked *m, int64_t number, double weight, const char *words)
{
    const double kept = m->weights[number];
    m->weights[number] = weight;
    double *map = to_device(m->s.map, 8 * m->s.size), *weights = to_device(m->weights, 8 * m->npix);
    double *out = to_device(m->s.map, 8 * m->s.size);
    check_error(weigh(m, m->s.gpu, m->s.map, m->weights, m->s.made, NULL), ARMILLA_ERROR_ARGUMENT,
                words);
    check_error(weigh(m, m->s.gpu, map, weights, out, NULL), ARMILLA_ERROR_ARGUMENT, words);
    cudaFree(map), cudaFree(weights), cudaFree(out);
    m->weights[number] = kept;
}

static void wrong_weights_are_named(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    for (int way = 0; way < EVERY; way++) {
        masked m = masked_open(grid, 0, options_of(way, 2));
        check_wrong(&m, 0, -1, "weights[0]");
        check_wrong(&m, 191, (double)NAN, "weights[191]");
        check_wrong(&m, 7, (double)INFINITY, "weights[7]");
        check_error(armilla_radial_convolve_weighted(m.s.gpu, m.s.map, NULL, 0, 0, m.s.made, NULL),
                    ARMILLA_ERROR_ARGUMENT, "weights");
        double *weights = to_device(m.weights, 8 * m.npix);
        check_error(
            armilla_radial_convolve_weighted(m.s.gpu, m.s.map, weights, 2, 0, m.s.made, NULL),
            ARMILLA_ERROR_ARGUMENT, "least");
        cudaFree(weights);
        masked_close(&m);
    }
    armilla_grid_free(grid);
}

/* A call with weights waits, which nobody can on a stream that is captured. */
static void captures_are_refused(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(2);
    cudaStream_t stream;
    cudaGraph_t graph;
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    for (int way = 0; way < EVERY; way++) {
        masked m = masked_open(grid, 0, options_of(way, 0));
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.stream = stream;
        double *map = to_device(m.s.map, 8 * m.npix), *weights = to_device(m.weights, 8 * m.npix);
        double *out = to_device(m.s.map, 8 * m.npix);
        assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        check_error(weigh(&m, m.s.gpu, map, m.weights, out, &exec), ARMILLA_ERROR_UNSUPPORTED,
                    "weights: a call with them waits for its result");
        check_error(weigh(&m, m.s.gpu, map, weights, out, &exec), ARMILLA_ERROR_UNSUPPORTED,
                    "weights: on a GPU they are looked at");
        assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
        check_ok(weigh(&m, m.s.gpu, map, weights, out, &exec));
        cudaFree(map), cudaFree(weights), cudaFree(out);
        masked_close(&m);
    }
    cudaStreamDestroy(stream);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_processors),
        cmocka_unit_test(weights_of_nothing_and_of_one),
        cmocka_unit_test(units_of_weights_change_no_bits),
        cmocka_unit_test(arrays_and_orders_change_no_bits),
        cmocka_unit_test(gaps_have_any_weights),
        cmocka_unit_test(memory_is_what_is_told),
        cmocka_unit_test(missing_values_are_errors),
        cmocka_unit_test(failures_leave_the_plan_usable),
        cmocka_unit_test(wrong_weights_are_named),
        cmocka_unit_test(captures_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

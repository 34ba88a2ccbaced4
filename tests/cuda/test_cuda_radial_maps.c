/* Radial convolution on a GPU of all kinds of maps: floats, NESTED order, pairs of spin 2, maps
 * with weights. Results are those of the processor, the same bits wherever arrays are and whoever
 * runs first; slabs and ranges of rows change no bits, take what was told, and fail once each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/integer.h"
#include "cuda/runtime/copies.h"
#include "cuda/radial_plan.h"
#include "cuda/radial_scene.h"
#include "emulation.h"
#include "radial/plan.h"

#include <stdio.h>

static const double BOUND = 1e-13, FLOAT_BOUND = 1e-6;

enum { GRIDS = 5 };

/* In sequence, in NESTED order, all rings alike, reduced, of any kind with gaps. */
static armilla_grid *make_grid(int number)
{
    static const double theta[] = {0, 0.5, 2, 1.1}, phi0[] = {0, 1, 0.3, 2};
    static const double weight[] = {0.1, 0.5, 1.5, 0.3};
    static const int64_t nphi[] = {3, 4, 5, 1}, offset[] = {40, 0, 7, 30}, stride[] = {-1, 1, 3, 1};
    armilla_ring rings[4];
    armilla_grid *grid;
    for (int i = 0; i < 4; i++)
        rings[i] = (armilla_ring){.theta = theta[i],
                                  .phi0 = phi0[i],
                                  .weight = weight[i],
                                  .nphi = nphi[i],
                                  .offset = offset[i],
                                  .stride = stride[i]};
    if (number == 0) return healpix_grid(5);
    if (number == 1) check_ok(armilla_grid_new_named("healpix:8:nested", &grid));
    if (number == 2) check_ok(armilla_grid_new_gauss_legendre(9, 17, &grid));
    if (number == 3) check_ok(armilla_grid_new_reduced_gauss_legendre(9, 8, &grid));
    if (number == 4) check_ok(armilla_grid_new_custom(4, rings, &grid));
    return grid;
}

static armilla_radial_options options_of(int64_t spin, int sum)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.spin = spin;
    options.normalization = sum ? ARMILLA_RADIAL_SUM : ARMILLA_RADIAL_NONE;
    return options;
}

/* --- Results ---------------------------------------------------------------------------------- */

static armilla_status apply_float(int adjoint, const armilla_radial *radial, const float *map,
                                  float *out)
{
    return (adjoint ? armilla_radial_adjoint_float : armilla_radial_convolve_float)(radial, map,
                                                                                    out, NULL);
}

/* What is between rings stays as it is. */
static void check_floats_of(const scene *s, int adjoint, const char *what)
{
    float *map = checked_malloc(s->npix, 4), *made = checked_malloc(s->npix, 4);
    float *wanted = checked_malloc(s->npix, 4);
    to_float(s->npix, s->map, map), to_float(s->npix, s->map, made);
    to_float(s->npix, s->map, wanted);
    check_ok(apply_float(adjoint, s->cpu, map, wanted));
    check_ok(apply_float(adjoint, s->gpu, map, made));
    for (int64_t i = 0; i < s->npix; i++) s->wanted[i] = wanted[i], s->made[i] = made[i];
    check_at_most(relative_error(s->npix, s->wanted, s->made), FLOAT_BOUND, "%s: floats", what);
    free(map), free(made), free(wanted);
}

static void check_both(const scene *s, const char *what)
{
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        random_fill(3, s->npix, s->wanted), random_fill(3, s->npix, s->made);
        check_ok(apply(adjoint, s->cpu, s->map, s->wanted, NULL));
        check_ok(apply(adjoint, s->gpu, s->map, s->made, NULL));
        check_at_most(relative_error(s->npix, s->wanted, s->made), BOUND, "%s, adjoint %d", what,
                      adjoint);
        check_floats_of(s, adjoint, what);
    }
}

/* Every grid; of spin 2 every kernel, others than those with an integral not divided. */
static void results_are_the_processors(void **state)
{
    (void)state;
    for (int number = 0; number < GRIDS; number++) {
        armilla_grid *grid = make_grid(number);
        for (int kernel = number > 2 ? 2 : 0; kernel < KERNELS; kernel++)
            for (int spin = 0; spin <= 2; spin += 2)
                for (int sum = 0; sum < 2; sum++) {
                    if (sum && (kernel == 1 || kernel == 5)) continue;
                    if (number > 2 && kernel == 5) continue;
                    char what[80];
                    snprintf(what, sizeof what, "grid %d, kernel %d, spin %d, sum %d", number,
                             kernel, spin, sum);
                    scene s = scene_open_as(grid, kernel, options_of(spin, sum));
                    check_both(&s, what);
                    scene_close(&s);
                }
        armilla_grid_free(grid);
    }
}

/* Arcs of more than one tile, belts and caps. */
static void long_rows(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(2, 1100, &grid));
    scene s = scene_open_as(grid, 3, options_of(2, 0));
    check_both(&s, "long rings");
    scene_close(&s);
    armilla_grid_free(grid);
    check_ok(armilla_grid_new_named("healpix:64:nested", &grid));
    s = scene_open_as(grid, 0, options_of(2, 1));
    check_both(&s, "nside 64");
    scene_close(&s);
    armilla_grid_free(grid);
}

/* --- Weights ---------------------------------------------------------------------------------- */

/* Weights of 0 around pixels that are none, in one map and in the second. */
static double *make_weights(scene *s, int64_t npix)
{
    double *weights = checked_malloc(npix, 8);
    random_fill(9, npix, weights);
    for (int64_t i = 0; i < npix; i++) {
        weights[i] = fabs(weights[i]);
        if (i % 3 && i < 2 * npix / 3) weights[i] = 0;
        for (int64_t at = i; at < s->npix && weights[i] == 0; at += npix) s->map[at] = (double)NAN;
    }
    return weights;
}

static void check_weighted(const armilla_grid *grid, int kernel, int64_t spin)
{
    const int64_t npix = armilla_grid_npix(grid);
    scene s = scene_open_as(grid, kernel, options_of(spin, 0));
    double *weights = make_weights(&s, npix);
    for (int t = 0; t < 2; t++) {
        const double least = t ? 0.2 : 0, fill = 7;
        random_fill(3, s.npix, s.wanted), random_fill(3, s.npix, s.made);
        check_ok(
            armilla_radial_convolve_weighted(s.cpu, s.map, weights, least, fill, s.wanted, NULL));
        check_ok(
            armilla_radial_convolve_weighted(s.gpu, s.map, weights, least, fill, s.made, NULL));
        check_at_most(relative_error(s.npix, s.wanted, s.made), BOUND,
                      "%d pixels, kernel %d, spin %d, least %g", (int)npix, kernel, (int)spin,
                      least);
    }
    free(weights);
    scene_close(&s);
}

static void means_are_the_processors(void **state)
{
    (void)state;
    for (int number = 0; number < GRIDS; number++) {
        armilla_grid *grid = make_grid(number);
        for (int kernel = number > 2 ? 2 : 0; kernel < 5; kernel++)
            for (int spin = 0; spin <= 2; spin += 2)
                if (kernel != 1) check_weighted(grid, kernel, spin);
        armilla_grid_free(grid);
    }
}

/* Long rings of different lengths: polynomials in place of the profile; a table has none. */
static void polynomials_between_rings(void **state)
{
    (void)state;
    enum { RINGS = 5 };
    armilla_ring rings[RINGS];
    armilla_grid *grid;
    for (int i = 0; i < RINGS; i++)
        rings[i] = (armilla_ring){.theta = 1.2 + 0.03 * i,
                                  .phi0 = 0.1 * i,
                                  .weight = 0.01 + 0.001 * i,
                                  .nphi = 1024 + 16 * i,
                                  .offset = 1100 * i,
                                  .stride = 1};
    check_ok(armilla_grid_new_custom(RINGS, rings, &grid));
    for (int spin = 0; spin <= 2; spin += 2)
        for (int kernel = 0; kernel <= 4; kernel += 4) {
            scene s = scene_open_as(grid, kernel, options_of(spin, 1));
            const armilla_cuda_radial *there = armilla_cuda_radial_first(s.gpu->cuda);
            assert_int_equal(there->view.fits != NULL, kernel == 0);
            check_both(&s, "long rings of different lengths");
            scene_close(&s);
            check_weighted(grid, kernel, spin);
        }
    armilla_grid_free(grid);
}

/* --- Arrays and bits -------------------------------------------------------------------------- */

/* Calls that all must have the same bits: two maps or pairs of floats or doubles with gaps. */
typedef struct {
    const armilla_radial *radial;
    int adjoint, is_float;
    const double *weights; /* NULL: none; no adjoint then */
    armilla_exec exec;
} call;

static armilla_status make_call(const call *c, const void *map, void *out)
{
    if (c->weights && c->is_float)
        return armilla_radial_convolve_weighted_float(c->radial, map, c->weights, 0.1, 7, out,
                                                      &c->exec);
    if (c->weights)
        return armilla_radial_convolve_weighted(c->radial, map, c->weights, 0.1, 7, out, &c->exec);
    if (c->is_float)
        return (c->adjoint ? armilla_radial_adjoint_float
                           : armilla_radial_convolve_float)(c->radial, map, out, &c->exec);
    return apply(c->adjoint, c->radial, map, out, &c->exec);
}

static void check_on_device(const call *c, const void *map, const void *wanted, void *out,
                            int64_t bytes)
{
    void *there = to_device(map, bytes), *made = to_device(out, bytes);
    cuda_emulation_launches();
    check_ok(make_call(c, there, made));
    assert_in_range(cuda_emulation_launches(), 1, 4);
    from_device(out, made, bytes);
    cudaFree(there), cudaFree(made);
    assert_memory_equal(wanted, out, (size_t)bytes);
}

enum { NTRANS = 2, GAP = 3 };

/* map: of doubles. */
static void check_arrays(call c, int64_t ncomp, int64_t npix, const double *map)
{
    const int64_t all = NTRANS * ncomp * (npix + GAP), bytes = all * (c.is_float ? 4 : 8);
    double *in = checked_malloc(all, 8), *wanted = checked_malloc(all, 8);
    double *out = checked_malloc(all, 8);
    memcpy(in, map, (size_t)all * 8);
    if (c.is_float) to_float(all, map, (float *)(void *)in);
    memset(wanted, 1, (size_t)bytes), memset(out, 1, (size_t)bytes);
    armilla_exec_init(&c.exec);
    c.exec.ntrans = NTRANS, c.exec.map_distance = npix + GAP;
    check_ok(make_call(&c, in, wanted));
    check_on_device(&c, in, wanted, out, bytes);
    for (int order = 0; order < 3; order++) {
        memset(out, 1, (size_t)bytes);
        cuda_emulation_set_order((cuda_emulation_order)order, 11);
        check_ok(make_call(&c, in, out));
        cuda_emulation_set_order(CUDA_EMULATION_FORWARD, 0);
        assert_memory_equal(wanted, out, (size_t)bytes);
    }
    free(in), free(wanted), free(out);
}

static void arrays_and_orders_change_no_bits(void **state)
{
    (void)state;
    armilla_grid *grid = make_grid(1);
    const int64_t npix = armilla_grid_npix(grid);
    double *map = checked_malloc(NTRANS * 2 * (npix + GAP), 8), *weights = checked_malloc(npix, 8);
    random_fill(1, NTRANS * 2 * (npix + GAP), map), random_fill(2, npix, weights);
    for (int64_t i = 0; i < npix; i++) weights[i] = i % 7 ? fabs(weights[i]) : 0;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        scene s = scene_open_as(grid, 0, options_of(spin, 1));
        for (int kind = 0; kind < 6; kind++) {
            const call c = {.radial = s.gpu,
                            .adjoint = kind % 3 == 1,
                            .is_float = kind / 3,
                            .weights = kind % 3 == 2 ? weights : NULL};
            check_arrays(c, spin ? 2 : 1, npix, map);
        }
        scene_close(&s);
    }
    free(map), free(weights);
    armilla_grid_free(grid);
}

/* --- Slabs and rows --------------------------------------------------------------------------- */

/* What a call takes beside its arrays and its plan. */
static int64_t bytes_of_call(const call *c, const void *map, void *out)
{
    cuda_emulation_most_bytes();
    const int64_t before = cuda_emulation_live_bytes();
    check_ok(make_call(c, map, out));
    return cuda_emulation_most_bytes() - before;
}

static int64_t told_bytes(const armilla_radial *radial)
{
    armilla_radial_description d = {.size = sizeof d};
    check_ok(armilla_radial_describe(radial, 1, &d));
    return d.device_workspace_bytes;
}

/* Slabs of few rows and of one, whose floor is told. */
static void check_slabs(const armilla_grid *grid, int64_t spin, const double *map,
                        const double *weights)
{
    const int64_t npix = armilla_grid_npix(grid), count = npix * (spin ? 2 : 1);
    armilla_radial_options options = options_of(spin, 1);
    scene whole = scene_open_as(grid, 0, options);
    const int64_t full = told_bytes(whole.gpu);
    int64_t floor = full;
    for (int cut = 0; cut < 2; cut++) {
        options.device_bytes = cut ? armilla_larger(floor, full - 256) : 1;
        scene s = scene_open_as(grid, 0, options);
        if (cut)
            assert_true(told_bytes(s.gpu) <= options.device_bytes);
        else
            floor = told_bytes(s.gpu);
        for (int kind = 0; kind < 6; kind++) {
            call c = {.radial = whole.gpu,
                      .adjoint = kind % 3 == 1,
                      .is_float = kind / 3,
                      .weights = kind % 3 == 2 ? weights : NULL};
            armilla_exec_init(&c.exec);
            memset(s.wanted, 1, (size_t)count * 8), memset(s.made, 1, (size_t)count * 8);
            double *in = checked_malloc(count, 8);
            memcpy(in, map, (size_t)count * 8);
            if (c.is_float) to_float(count, map, (float *)(void *)in);
            check_ok(make_call(&c, in, s.wanted));
            c.radial = s.gpu;
            const int64_t bytes = bytes_of_call(&c, in, s.made);
            assert_memory_equal(s.wanted, s.made, (size_t)count * 8);
            if (!c.weights && !c.is_float) assert_int_equal(bytes, told_bytes(s.gpu));
            free(in);
        }
        scene_close(&s);
    }
    scene_close(&whole);
}

static void slabs_change_no_bits(void **state)
{
    (void)state;
    double *map = checked_malloc(2 * 3072, 8), *weights = checked_malloc(3072, 8);
    random_fill(1, 2 * 3072, map), random_fill(2, 3072, weights);
    for (int64_t i = 0; i < 3072; i++) weights[i] = i % 7 ? fabs(weights[i]) : 0;
    for (int beside = 0; beside < 2; beside++) {
        if (beside) armilla_cuda_copier_set_sizes(1000, 1);
        for (int64_t spin = 0; spin <= 2; spin += 2)
            for (int number = 0; number < GRIDS; number++) {
                armilla_grid *grid = number ? make_grid(number) : healpix_grid(16);
                if (number != 4) check_slabs(grid, spin, map, weights);
                armilla_grid_free(grid);
            }
        armilla_cuda_copier_set_sizes(0, 0);
    }
    free(map), free(weights);
}

/* Parts of the rows, in any sequence, write their pixels and no others. */
static void rows_in_parts(void **state)
{
    (void)state;
    enum { PARTS = 3 };
    for (int number = 0; number < GRIDS; number++) {
        armilla_grid *grid = make_grid(number);
        scene s = scene_open_as(grid, 2, options_of(0, 0));
        const armilla_cuda_radial *plan = armilla_cuda_radial_first(s.gpu->cuda);
        memset(s.wanted, 1, (size_t)s.npix * 8), memset(s.made, 1, (size_t)s.npix * 8);
        check_ok(apply(0, s.gpu, s.map, s.wanted, NULL));
        double *there = to_device(s.map, 8 * s.npix), *out = to_device(s.made, 8 * s.npix);
        for (int part = PARTS - 1; part >= 0; part--) {
            int64_t rows[2];
            armilla_cuda_radial_part(plan, PARTS, part, rows);
            if (rows[0] == rows[1]) continue;
            armilla_cuda_radial_call c = {.map = armilla_array_of_doubles(s.map),
                                          .out = armilla_array_of_doubles(s.made),
                                          .exec = {.ntrans = 1, .map_distance = s.npix},
                                          .begin = rows[0],
                                          .end = rows[1]};
            check_ok(armilla_cuda_radial_run(plan, &c));
            if (part) assert_memory_not_equal(s.wanted, s.made, (size_t)s.npix * 8);
            c.map.values = there, c.out.values = out;
            check_ok(armilla_cuda_radial_run(plan, &c));
        }
        assert_memory_equal(s.wanted, s.made, (size_t)s.npix * 8);
        from_device(s.made, out, 8 * s.npix);
        assert_memory_equal(s.wanted, s.made, (size_t)s.npix * 8);
        cudaFree(there), cudaFree(out);
        scene_close(&s);
        armilla_grid_free(grid);
    }
}

/* nside 8192 under a beam of an arc minute has room in 8 GB; nothing is convolved. */
static void large_maps_have_room(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(8192);
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_options options = options_of(0, 0);
    armilla_radial_description d = {.size = sizeof d};
    options.device = ARMILLA_CUDA, options.device_bytes = INT64_C(7000000000);
    check_ok(armilla_kernel_new_gaussian(3.14159265358979 / 10800, &kernel));
    check_ok(armilla_radial_new(grid, kernel, &options, &radial));
    check_ok(armilla_radial_describe(radial, 1, &d));
    assert_in_range(d.device_workspace_bytes, 1, options.device_bytes);
    assert_true(d.device_plan_bytes + d.device_workspace_bytes < INT64_C(8000000000));
    if (getenv("ARMILLA_TEST_VERBOSE"))
        print_message("plan %lld, call %lld bytes\n", (long long)d.device_plan_bytes,
                      (long long)d.device_workspace_bytes);
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

/* Each call of CUDA and each allocation, by slabs with weights, fails once: an error, nothing is
 * left, and the plan stays usable. */
static void failures_leave_nothing_behind(void **state)
{
    (void)state;
    armilla_grid *grid = make_grid(1);
    armilla_radial_options options = options_of(2, 0);
    options.device_bytes = 20000;
    armilla_cuda_copier_set_sizes(1000, 1);
    scene s = scene_open_as(grid, 0, options);
    double *weights = make_weights(&s, armilla_grid_npix(grid));
    call c = {.radial = s.gpu, .weights = weights};
    armilla_exec_init(&c.exec);
    memset(s.wanted, 1, (size_t)s.npix * 8), memset(s.made, 1, (size_t)s.npix * 8);
    check_ok(make_call(&c, s.map, s.wanted));
    for (int calls = 0; calls < 2; calls++) {
        int64_t (*const fail_after)(int64_t) =
            calls ? cuda_emulation_fail_call_after : cuda_emulation_fail_twice_after;
        fail_after(-1);
        check_ok(make_call(&c, s.map, s.made));
        const int64_t count = fail_after(-1), held = cuda_emulation_live_bytes();
        assert_true(count > 0);
        for (int64_t n = 0; n < count; n += 1 + (n > 40) * 7) {
            fail_after(n);
            const armilla_status status = make_call(&c, s.map, s.made);
            fail_after(-1);
            assert_true(status == ARMILLA_OK || status == ARMILLA_ERROR_MEMORY ||
                        status == ARMILLA_ERROR_UNSUPPORTED);
            /* a call that gives memory back and fails keeps it */
            assert_true(calls || cuda_emulation_live_bytes() <= held);
        }
        check_ok(make_call(&c, s.map, s.made));
        assert_memory_equal(s.wanted, s.made, (size_t)s.npix * 8);
        if (!calls) assert_int_equal(cuda_emulation_live_bytes(), held);
    }
    free(weights);
    scene_close(&s);
    armilla_cuda_copier_set_sizes(0, 0);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_processors),
        cmocka_unit_test(long_rows),
        cmocka_unit_test(means_are_the_processors),
        cmocka_unit_test(polynomials_between_rings),
        cmocka_unit_test(arrays_and_orders_change_no_bits),
        cmocka_unit_test(slabs_change_no_bits),
        cmocka_unit_test(rows_in_parts),
        cmocka_unit_test(large_maps_have_room),
        cmocka_unit_test(failures_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The mode STANDARD of radial convolution on a GPU: results are the processor's on every kind of
 * grid, by either method, of scalars and pairs Q, U, of doubles and floats; bits depend neither on
 * where arrays are nor on who runs first; memory is what the plan tells; what is not offered is
 * refused by name. Failures, adjoints, captures: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/radial_rings_scene.h"

static const double BOUND = 1e-13, FLOAT_BOUND = 1e-6;

/* The same plan on either side. */
static scene open_scene(const armilla_grid *grid, int kernel, armilla_radial_options options)
{
    scene s = {.size = armilla_grid_npix(grid) * (options.spin ? 2 : 1)};
    armilla_kernel *k;
    options.mode = ARMILLA_RADIAL_STANDARD;
    options.support = make_kernel(kernel, &k), options.device = ARMILLA_CUDA;
    armilla_radial_description d = {.size = sizeof d};
    check_ok(armilla_radial_new(grid, k, &options, &s.gpu));
    check_ok(armilla_radial_describe(s.gpu, 1, &d));
    options.device = ARMILLA_CPU, options.support = d.support;
    check_ok(armilla_radial_new(grid, k, &options, &s.cpu));
    armilla_kernel_free(k);
    scene_fill(&s);
    return s;
}

static armilla_radial_options options_of(int64_t spin, armilla_radial_method method, int sum)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.spin = spin, options.method = method;
    options.normalization = sum ? ARMILLA_RADIAL_SUM : ARMILLA_RADIAL_NONE;
    return options;
}

/* --- Results ---------------------------------------------------------------------------------- */

static void check_in_floats(const scene *s, int adjoint, const char *what)
{
    float *map = checked_malloc(s->size, 4), *made = checked_malloc(s->size, 4);
    float *wanted = checked_malloc(s->size, 4);
    armilla_status (*const convolve)(const armilla_radial *, const float *, float *,
                                     const armilla_exec *) =
        adjoint ? armilla_radial_adjoint_float : armilla_radial_convolve_float;
    to_float(s->size, s->map, map), to_float(s->size, s->map, made);
    to_float(s->size, s->map, wanted);
    check_ok(convolve(s->cpu, map, wanted, NULL));
    check_ok(convolve(s->gpu, map, made, NULL));
    for (int64_t i = 0; i < s->size; i++) s->wanted[i] = wanted[i], s->made[i] = made[i];
    check_at_most(relative_error(s->size, s->wanted, s->made), FLOAT_BOUND, "%s: floats", what);
    free(map), free(made), free(wanted);
}

/* What is between rings stays as it is. */
static void check_scene(const scene *s, const char *what)
{
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        random_fill(3, s->size, s->wanted), random_fill(3, s->size, s->made);
        check_ok(apply(adjoint, s->cpu, s->map, s->wanted, NULL));
        check_ok(apply(adjoint, s->gpu, s->map, s->made, NULL));
        check_at_most(relative_error(s->size, s->wanted, s->made), BOUND, "%s, adjoint %d", what,
                      adjoint);
        check_in_floats(s, adjoint, what);
    }
}

/* Takes the grid. */
static void check_grid(armilla_grid *grid, const char *name)
{
    for (int kind = 0; kind < 12; kind++) {
        static const int kernels[] = {1, 4, 0}; /* the whole sky, a disc, narrow */
        const armilla_radial_method method = (armilla_radial_method)(kind % 3);
        const int64_t spin = kind % 2 ? 2 : 0;
        for (int i = 0; i < 3; i++) {
            char what[80];
            snprintf(what, sizeof what, "%s: method %d, spin %d, sum %d, kernel %d", name,
                     (int)method, (int)spin, kind / 6, kernels[i]);
            scene s = open_scene(grid, kernels[i], options_of(spin, method, kind / 6));
            check_scene(&s, what);
            scene_close(&s);
        }
    }
    armilla_grid_free(grid);
}

/* Odd and even lengths, one pixel, two, the longest one's length; longitudes and strides of any
 * kind; a ring that is alone with its length. */
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
    armilla_grid *grid;
    check_grid(healpix_grid(1), "nside 1");
    check_grid(healpix_grid(3), "nside 3");
    check_grid(any_rings(), "any rings");
    check_ok(armilla_grid_new_named("O4", &grid));
    check_grid(grid, "octahedral");
    check_ok(armilla_grid_new_reduced_gauss_legendre(9, 8, &grid));
    check_grid(grid, "reduced");
}

/* Rings of one length need no others: the sums are those of EXACT, bit by bit. */
static void equal_rings_are_exact(void **state)
{
    (void)state;
    armilla_grid *grid = gauss(9, 18);
    armilla_kernel *kernel;
    armilla_radial *exact;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        armilla_radial_options options = options_of(spin, ARMILLA_RADIAL_PIXELS, 1);
        scene s = open_scene(grid, 4, options);
        options.support = make_kernel(4, &kernel), options.device = ARMILLA_CUDA;
        check_ok(armilla_radial_new(grid, kernel, &options, &exact));
        check_ok(apply(0, exact, s.map, s.wanted, NULL));
        check_ok(apply(0, s.gpu, s.map, s.made, NULL));
        assert_memory_equal(s.wanted, s.made, (size_t)s.size * 8);
        armilla_radial_free(exact);
        armilla_kernel_free(kernel);
        scene_close(&s);
    }
    armilla_grid_free(grid);
}

/* --- Arrays, bits, several kernels ------------------------------------------------------------ */

static void arrays_and_orders_change_no_bits(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    for (int kind = 0; kind < 4; kind++) {
        const armilla_radial_method method =
            kind / 2 ? ARMILLA_RADIAL_RINGS : ARMILLA_RADIAL_PIXELS;
        scene s = open_scene(grid, 0, options_of(kind % 2 ? 2 : 0, method, 1));
        check_arrays_of(&s, kind % 2 ? 2 : 1, 2, 0);
        scene_close(&s);
    }
    armilla_grid_free(grid);
}

/* Beside plans of the mode EXACT. */
static void several_kernels_are_one_by_one(void **state)
{
    (void)state;
    enum { PLANS = 3 };
    armilla_grid *grid = healpix_grid(4);
    scene s[PLANS];
    const armilla_radial *list[PLANS];
    s[0] = open_scene(grid, 0, options_of(0, ARMILLA_RADIAL_RINGS, 0));
    s[1] = scene_open(grid, 1, 0, ARMILLA_RADIAL_NONE, ARMILLA_RADIAL_RINGS);
    s[2] = open_scene(grid, 4, options_of(0, ARMILLA_RADIAL_PIXELS, 0));
    for (int i = 0; i < PLANS; i++) list[i] = s[i].gpu;
    double *all = checked_malloc(PLANS * s[0].size, 8);
    check_ok(armilla_radial_convolve_many(list, PLANS, s[0].map, all, NULL));
    for (int i = 0; i < PLANS; i++) {
        check_ok(apply(0, list[i], s[0].map, s[i].made, NULL));
        assert_memory_equal(s[i].made, all + i * s[0].size, (size_t)s[0].size * 8);
    }
    free(all);
    for (int i = 0; i < PLANS; i++) scene_close(&s[i]);
    armilla_grid_free(grid);
}

/* --- Memory and errors ------------------------------------------------------------------------ */

/* A field of the adjoint over its divisors is copied by RINGS: told for both operators. */
static void memory_is_what_the_plan_tells(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(6);
    for (int kind = 0; kind < 8; kind++) {
        const armilla_radial_method method =
            kind / 4 ? ARMILLA_RADIAL_RINGS : ARMILLA_RADIAL_PIXELS;
        scene s = open_scene(grid, 0, options_of(kind % 2 ? 2 : 0, method, kind / 2 % 2));
        armilla_radial_description d = {.size = sizeof d};
        check_ok(armilla_radial_describe(s.gpu, 1, &d));
        assert_string_equal(d.method, kind / 4 ? "rings" : "pixels");
        assert_true(d.workspace_bytes == 0 && d.device_workspace_bytes > 0);
        assert_int_equal(cuda_emulation_live_bytes(), d.device_plan_bytes);
        cuda_emulation_most_bytes();
        check_ok(apply(0, s.gpu, s.map, s.made, NULL));
        assert_true(cuda_emulation_most_bytes() <= d.device_plan_bytes + d.device_workspace_bytes);
        check_ok(apply(1, s.gpu, s.map, s.made, NULL));
        assert_int_equal(cuda_emulation_most_bytes(),
                         d.device_plan_bytes + d.device_workspace_bytes);
        scene_close(&s);
        assert_int_equal(cuda_emulation_live_bytes(), 0);
    }
    armilla_grid_free(grid);
}

static void what_is_refused(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    scene s = open_scene(grid, 0, options_of(0, ARMILLA_RADIAL_PIXELS, 0));
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.missing = ARMILLA_MISSING_ERROR, s.map[7] = (double)NAN;
    check_error(apply(0, s.gpu, s.map, s.made, &exec), ARMILLA_ERROR_ARGUMENT, "map");
    exec.missing = ARMILLA_MISSING_PROPAGATE, exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(apply(0, s.gpu, s.map, s.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "map: is in host memory");
    scene_close(&s);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_processors),
        cmocka_unit_test(equal_rings_are_exact),
        cmocka_unit_test(arrays_and_orders_change_no_bits),
        cmocka_unit_test(several_kernels_are_one_by_one),
        cmocka_unit_test(memory_is_what_the_plan_tells),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

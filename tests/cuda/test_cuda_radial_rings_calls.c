/* Calls of radial convolution on a GPU by Fourier coefficients of rings: bits depend neither on who
 * runs first nor on other kernels of the call; launches do not count rings; memory is what the plan
 * tells; and what is not offered is refused by name. Failures: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/radial_rings_scene.h"

enum { LAUNCHES = 20 };

/* --- Arrays, bits, launches ------------------------------------------------------------------- */

static void arrays_and_orders_change_no_bits(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(6);
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        scene s = scene_open(grid, 0, spin, ARMILLA_RADIAL_SUM, ARMILLA_RADIAL_RINGS);
        check_arrays_of(&s, spin ? 2 : 1, 3, 0);
        scene_close(&s);
    }
    armilla_grid_free(grid);
}

static int64_t count_launches(armilla_grid *grid)
{
    scene s = scene_open(grid, 0, 0, ARMILLA_RADIAL_SUM, ARMILLA_RADIAL_RINGS);
    double *there = to_device(s.map, 8 * s.size), *made = to_device(s.map, 8 * s.size);
    cuda_emulation_launches();
    check_ok(apply(0, s.gpu, there, made, NULL));
    const int64_t launches = cuda_emulation_launches();
    cudaFree(there), cudaFree(made);
    scene_close(&s);
    armilla_grid_free(grid);
    return launches;
}

/* Two ring stages, the mixing, the divisors: rings are not counted. */
static void launches_do_not_count_rings(void **state)
{
    (void)state;
    assert_int_equal(count_launches(gauss(12, 64)), 2 + 2);
    assert_int_equal(count_launches(gauss(60, 64)), 2 + 2);
    const int64_t some = count_launches(healpix_grid(20)), more = count_launches(healpix_grid(32));
    assert_int_equal(some, more);
    check_at_most((double)more, LAUNCHES, "launches");
}

/* --- Several kernels -------------------------------------------------------------------------- */

/* The leg of the plan with most orders serves all: bits are those of calls one by one. */
static void several_kernels_are_one_by_one(void **state)
{
    (void)state;
    enum { PLANS = 3 };
    armilla_grid *grid = healpix_grid(6);
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        scene s[PLANS];
        const armilla_radial *list[PLANS];
        for (int i = 0; i < PLANS; i++) {
            s[i] = scene_open(grid, i ? 3 * (i - 1) : 1, spin, ARMILLA_RADIAL_INTEGRAL,
                              ARMILLA_RADIAL_RINGS);
            list[i] = s[i].gpu;
        }
        const int64_t size = s[0].size;
        double *all = checked_malloc(2 * PLANS * size, 8), *map = checked_malloc(2 * size, 8);
        armilla_exec exec;
        armilla_exec_init(&exec);
        exec.ntrans = 2;
        random_fill(9, 2 * size, map);
        double *there = to_device(map, 16 * size), *out = to_device(all, 16 * PLANS * size);
        cuda_emulation_launches();
        check_ok(armilla_radial_convolve_many(list, PLANS, there, out, &exec));
        const int64_t together = cuda_emulation_launches();
        from_device(all, out, 16 * PLANS * size);
        int64_t alone = 0;
        for (int i = 0; i < 2 * PLANS; i++) {
            check_ok(apply(0, list[i / 2], map + i % 2 * size, s[0].made, NULL));
            alone += cuda_emulation_launches();
            assert_memory_equal(s[0].made, all + i * size, (size_t)size * 8);
        }
        assert_true(5 * together < 4 * alone);
        check_ok(armilla_radial_convolve_many(list, PLANS, map, all, &exec));
        assert_memory_equal(s[0].made, all + (2 * PLANS - 1) * size, (size_t)size * 8);
        cudaFree(there), cudaFree(out);
        free(all), free(map);
        for (int i = 0; i < PLANS; i++) scene_close(&s[i]);
    }
    armilla_grid_free(grid);
}

/* What a call of some plans takes, on either side, is what is told. */
static void check_many_bytes(const armilla_radial *const *list, int64_t count, int64_t size)
{
    double *map = checked_malloc(size, 8), *out = checked_malloc(count * size, 8);
    armilla_exec exec;
    int64_t bytes, told;
    armilla_exec_init(&exec);
    random_fill(9, size, map);
    double *there = to_device(map, 8 * size), *made = to_device(out, 8 * count * size);
    for (int on_host = 0; on_host < 2; on_host++) {
        exec.memory = on_host ? ARMILLA_MEMORY_HOST : ARMILLA_MEMORY_DEVICE;
        check_ok(armilla_radial_many_bytes(list, count, &exec, &bytes, &told));
        assert_int_equal(bytes, 0);
        cuda_emulation_most_bytes();
        const int64_t before = cuda_emulation_live_bytes();
        check_ok(armilla_radial_convolve_many(list, count, on_host ? map : there,
                                              on_host ? out : made, &exec));
        assert_int_equal(cuda_emulation_most_bytes() - before, told);
    }
    cudaFree(there), cudaFree(made), free(map), free(out);
}

static void memory_of_several_kernels_is_told(void **state)
{
    (void)state;
    enum { PLANS = 5 };
    armilla_grid *grid = healpix_grid(6), *nested;
    armilla_kernel *kernel;
    armilla_radial *list[PLANS];
    check_ok(armilla_grid_new_named("healpix:4:nested", &nested));
    check_ok(armilla_kernel_new_gaussian(0.5, &kernel));
    for (int64_t spin = 0; spin <= 2; spin += 2)
        for (int order = 0; order < 2; order++) {
            const armilla_grid *of = order ? nested : grid;
            for (int i = 0; i < PLANS; i++) { /* two by RINGS, STANDARD by both, PIXELS */
                armilla_radial_options options = options_on(ARMILLA_CUDA);
                options.spin = spin, options.support = i ? 0 : 1.7;
                options.mode = i == 2 || i == 3 ? ARMILLA_RADIAL_STANDARD : ARMILLA_RADIAL_EXACT;
                if (i > 2) options.method = ARMILLA_RADIAL_PIXELS;
                check_ok(armilla_radial_new(of, kernel, &options, &list[i]));
            }
            for (int i = 0; i < PLANS; i++)
                check_many_bytes((const armilla_radial *const *)list + i, PLANS - i,
                                 armilla_grid_npix(of) * (spin ? 2 : 1));
            for (int i = 0; i < PLANS; i++) armilla_radial_free(list[i]);
        }
    armilla_kernel_free(kernel);
    armilla_grid_free(nested), armilla_grid_free(grid);
}

/* --- Memory and errors ------------------------------------------------------------------------ */

static void memory_is_what_the_plan_tells(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(6);
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        scene s = scene_open(grid, 0, spin, ARMILLA_RADIAL_SUM, ARMILLA_RADIAL_RINGS);
        armilla_radial_description d = {.size = sizeof d};
        check_ok(armilla_radial_describe(s.gpu, 1, &d));
        assert_true(d.workspace_bytes == 0 && d.device_workspace_bytes > 0);
        assert_int_equal(cuda_emulation_live_bytes(), d.device_plan_bytes);
        double *there = to_device(s.map, 8 * s.size), *made = to_device(s.map, 8 * s.size);
        cuda_emulation_most_bytes();
        const int64_t before = cuda_emulation_live_bytes();
        check_ok(apply(0, s.gpu, there, made, NULL));
        const int64_t of_device = cuda_emulation_most_bytes() - before;
        assert_true(of_device > 0 && of_device < d.device_workspace_bytes);
        check_ok(apply(0, s.gpu, s.map, s.made, NULL));
        assert_int_equal(cuda_emulation_most_bytes(), before + d.device_workspace_bytes);
        cudaFree(there), cudaFree(made);
        scene_close(&s);
        assert_int_equal(cuda_emulation_live_bytes(), 0);
    }
    armilla_grid_free(grid);
}

static void what_is_refused(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(4);
    armilla_kernel *disc;
    armilla_radial *radial = NULL, *pixels;
    armilla_radial_options options = options_on(ARMILLA_CUDA);
    make_kernel(4, &disc);
    check_error(armilla_radial_new(grid, disc, &options, &radial), ARMILLA_ERROR_UNSUPPORTED,
                "method = RINGS: some rings");
    armilla_grid *unequal; /* no ring can go by RINGS */
    check_ok(armilla_grid_new_named("O4", &unequal));
    check_error(armilla_radial_new(unequal, disc, &options, &radial), ARMILLA_ERROR_UNSUPPORTED,
                "method = RINGS: some rings");
    armilla_grid_free(unequal);
    assert_null(radial);
    scene s = scene_open(grid, 0, 0, ARMILLA_RADIAL_NONE, ARMILLA_RADIAL_RINGS);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.missing = ARMILLA_MISSING_ERROR, s.map[7] = (double)NAN;
    check_error(apply(0, s.gpu, s.map, s.made, &exec), ARMILLA_ERROR_ARGUMENT, "map");
    exec.missing = ARMILLA_MISSING_PROPAGATE, exec.memory = ARMILLA_MEMORY_DEVICE;
    check_error(apply(0, s.gpu, s.map, s.made, &exec), ARMILLA_ERROR_ARGUMENT,
                "map: is in host memory");
    options = options_on(ARMILLA_CPU);
    check_ok(armilla_radial_new(grid, disc, &options, &pixels));
    const armilla_radial *list[2] = {s.gpu, pixels};
    check_error(armilla_radial_convolve_many(list, 2, s.map, s.made, NULL),
                ARMILLA_ERROR_UNSUPPORTED, "radials[1]");
    armilla_radial_free(pixels);
    scene_close(&s);
    armilla_kernel_free(disc);
    armilla_grid_free(grid);
}

/* --- Choices ---------------------------------------------------------------------------------- */

static void keep_method(void *data, const armilla_choice *choice)
{
    if (!strcmp(choice->name, "radial.method"))
        snprintf(data, 256, "%s: %s", choice->value, choice->why);
}

static void check_choice_of(const armilla_grid *grid, int number, double support, int64_t spin,
                            const char *method, const char *words)
{
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_description d = {.size = sizeof d};
    armilla_radial_options options = options_on(ARMILLA_CUDA);
    char text[256] = "";
    make_kernel(number, &kernel);
    options.method = ARMILLA_RADIAL_FASTEST, options.support = support, options.spin = spin;
    check_ok(armilla_radial_new(grid, kernel, &options, &radial));
    check_ok(armilla_radial_describe(radial, 1, &d));
    assert_string_equal(d.method, method);
    check_ok(armilla_radial_explain(radial, keep_method, text));
    if (!strstr(text, words)) fail_msg("'%s' has no '%s'", text, words);
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
}

/* Takes the grid. Scalars, and pairs. */
static void check_choice(armilla_grid *grid, int number, double support, const char *method,
                         const char *words)
{
    for (int64_t spin = 0; spin <= 2; spin += 2)
        check_choice_of(grid, number, support, spin, method, words);
    armilla_grid_free(grid);
}

static void the_cheaper_method_is_taken(void **state)
{
    (void)state;
    check_choice(gauss(128, 256), 1, 3.141592653589793, "rings", "all rings by RINGS");
    check_choice(gauss(128, 256), 3, 0, "pixels", "all rings by PIXELS");
    check_choice(gauss(128, 256), 3, 0, "pixels", "is cheaper");
    check_choice(healpix_grid(16), 4, 0, "pixels", "not all rings can go by RINGS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_and_orders_change_no_bits),
        cmocka_unit_test(launches_do_not_count_rings),
        cmocka_unit_test(several_kernels_are_one_by_one),
        cmocka_unit_test(memory_of_several_kernels_is_told),
        cmocka_unit_test(memory_is_what_the_plan_tells),
        cmocka_unit_test(the_cheaper_method_is_taken),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

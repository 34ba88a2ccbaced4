/* Maps in NESTED order by the method RINGS and in the mode STANDARD on a GPU: each result has the
 * bits of a plan for RING order, pixel by pixel, and is the processor's, wherever arrays are;
 * memory is what the plan tells. Failures: tests/contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/nested.h"
#include "cuda/radial_rings_scene.h"

enum { NSIDE = 4, NPIX = 12 * NSIDE * NSIDE, NTRANS = 2, GAP = 5, WAYS = 3 };

static const double BOUND = 1e-13;

static armilla_radial_options options_of(int way, int64_t spin)
{
    armilla_radial_options options;
    armilla_radial_options_init(&options);
    options.mode = way ? ARMILLA_RADIAL_STANDARD : ARMILLA_RADIAL_EXACT;
    options.method = way == 1 ? ARMILLA_RADIAL_PIXELS : ARMILLA_RADIAL_RINGS;
    options.spin = spin, options.normalization = ARMILLA_RADIAL_SUM;
    return options;
}

static armilla_radial *plan_on(const armilla_grid *grid, armilla_radial_options options,
                               armilla_device device)
{
    armilla_kernel *kernel;
    armilla_radial *radial;
    options.support = make_kernel(0, &kernel), options.device = device;
    if (options.support == 0) options.support = 1.2; /* the same on either side */
    check_ok(armilla_radial_new(grid, kernel, &options, &radial));
    armilla_kernel_free(kernel);
    return radial;
}

static armilla_grid *nested_grid(void)
{
    armilla_grid *grid;
    check_ok(armilla_grid_new_named("healpix:4:nested", &grid));
    return grid;
}

/* Where a pixel of RING order is. */
static int64_t place_of(int64_t pixel)
{
    const armilla_scheme scheme = armilla_nested_scheme(NSIDE);
    const armilla_face_position at = armilla_ring_to_face(&scheme, pixel);
    return armilla_face_to_nest(&scheme, &at);
}

static void to_nested(int64_t count, const double *ring, double *nested)
{
    for (int64_t i = 0; i < count * NPIX; i++)
        nested[i / NPIX * NPIX + place_of(i % NPIX)] = ring[i];
}

/* --- Results ---------------------------------------------------------------------------------- */

typedef struct {
    armilla_radial *ring, *nested, *cpu;
    int64_t ncomp;
} plans;

static plans open_plans(int way, int64_t spin)
{
    armilla_grid *ring = healpix_grid(NSIDE), *nested = nested_grid();
    const armilla_radial_options options = options_of(way, spin);
    const plans p = {plan_on(ring, options, ARMILLA_CUDA), plan_on(nested, options, ARMILLA_CUDA),
                     plan_on(nested, options, ARMILLA_CPU), spin ? 2 : 1};
    armilla_grid_free(ring), armilla_grid_free(nested);
    return p;
}

static void close_plans(plans *p)
{
    armilla_radial_free(p->ring), armilla_radial_free(p->nested), armilla_radial_free(p->cpu);
}

/* kind: the convolution, its adjoint, means over weights. */
static void call(int kind, const armilla_radial *radial, const double *map, const double *weights,
                 double *out, const armilla_exec *exec)
{
    if (kind < 2)
        check_ok(apply(kind, radial, map, out, exec));
    else
        check_ok(armilla_radial_convolve_weighted(radial, map, weights, 0.1, 7, out, exec));
}

static void check_plans(const plans *p, int kind)
{
    const int64_t size = NTRANS * p->ncomp * NPIX;
    double *map = checked_malloc(size, 8), *other = checked_malloc(size, 8);
    double *wanted = checked_malloc(size, 8), *made = checked_malloc(size, 8);
    double weights[NPIX], there[NPIX];
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = NTRANS;
    random_fill(1, size, map), random_fill(2, NPIX, weights);
    for (int64_t i = 0; i < NPIX; i++) weights[i] = i % 5 ? fabs(weights[i]) : 0;
    to_nested(NTRANS * p->ncomp, map, other), to_nested(1, weights, there);
    call(kind, p->ring, map, weights, made, &exec);
    to_nested(NTRANS * p->ncomp, made, wanted);
    call(kind, p->nested, other, there, made, &exec);
    assert_memory_equal(wanted, made, (size_t)size * 8);
    call(kind, p->cpu, other, there, wanted, &exec);
    check_at_most(relative_error(size, wanted, made), BOUND, "kind %d", kind);
    free(map), free(other), free(wanted), free(made);
}

static void results_are_those_of_ring_order(void **state)
{
    (void)state;
    for (int way = 0; way < WAYS; way++)
        for (int64_t spin = 0; spin <= 2; spin += 2) {
            plans p = open_plans(way, spin);
            for (int kind = 0; kind < 3; kind++) check_plans(&p, kind);
            close_plans(&p);
        }
}

/* Floats, and fields with gaps, on either side, and one array on each. */
static void check_arrays(const armilla_radial *radial, int64_t ncomp)
{
    const int64_t distance = NPIX + GAP, all = NTRANS * ncomp * distance;
    double *map = checked_malloc(all, 8), *first = checked_malloc(all, 8);
    double *out = checked_malloc(all, 8);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = NTRANS, exec.map_distance = distance;
    random_fill(3, all, map);
    for (int64_t i = 0; i < all; i++) first[i] = 123;
    check_ok(armilla_radial_convolve(radial, map, first, &exec));
    for (int t = 0; t < NTRANS * ncomp; t++) assert_true(first[t * distance + NPIX] == 123);
    for (int kind = 1; kind < 4; kind++) {
        for (int64_t i = 0; i < all; i++) out[i] = 123;
        double *there = to_device(map, 8 * all), *made = to_device(out, 8 * all);
        check_ok(
            armilla_radial_convolve(radial, kind & 1 ? there : map, kind & 2 ? made : out, &exec));
        if (kind & 2) from_device(out, made, 8 * all);
        assert_memory_equal(first, out, (size_t)all * 8);
        cudaFree(there), cudaFree(made);
    }
    float *map_floats = checked_malloc(all, 4), *out_floats = checked_malloc(all, 4);
    to_float(all, map, map_floats), to_float(all, first, out_floats);
    check_ok(armilla_radial_convolve_float(radial, map_floats, out_floats, &exec));
    for (int64_t i = 0; i < all; i++) out[i] = out_floats[i];
    check_at_most(relative_error(all, first, out), 1e-6, "floats");
    free(map_floats), free(out_floats), free(map), free(first), free(out);
}

static void arrays_change_no_bits(void **state)
{
    (void)state;
    armilla_grid *grid = nested_grid();
    for (int way = 0; way < WAYS; way++) {
        armilla_radial *radial = plan_on(grid, options_of(way, 2), ARMILLA_CUDA);
        check_arrays(radial, 2);
        armilla_radial_free(radial);
    }
    armilla_grid_free(grid);
}

/* Kernels on one map, which is brought to RING order once; FASTEST may take RINGS. */
static void several_kernels_are_one_by_one(void **state)
{
    (void)state;
    armilla_grid *grid = nested_grid();
    armilla_radial *list[3];
    double map[NPIX], all[3 * NPIX], made[NPIX];
    for (int i = 0; i < 3; i++) list[i] = plan_on(grid, options_of(i == 2, 0), ARMILLA_CUDA);
    random_fill(4, NPIX, map);
    check_ok(armilla_radial_convolve_many((const armilla_radial *const *)list, 3, map, all, NULL));
    for (int i = 0; i < 3; i++) {
        check_ok(armilla_radial_convolve(list[i], map, made, NULL));
        assert_memory_equal(made, all + i * NPIX, sizeof made);
        armilla_radial_free(list[i]);
    }
    armilla_grid_free(grid);
}

/* --- Memory and errors ------------------------------------------------------------------------ */

static void memory_is_what_the_plan_tells(void **state)
{
    (void)state;
    armilla_grid *grid = nested_grid();
    for (int way = 0; way < WAYS; way++) {
        armilla_radial *radial = plan_on(grid, options_of(way, 0), ARMILLA_CUDA);
        armilla_radial_description d = {.size = sizeof d};
        double map[NPIX], out[NPIX];
        random_fill(7, NPIX, map);
        check_ok(armilla_radial_describe(radial, 1, &d));
        assert_int_equal(cuda_emulation_live_bytes(), d.device_plan_bytes);
        cuda_emulation_most_bytes();
        check_ok(armilla_radial_adjoint(radial, map, out, NULL));
        assert_int_equal(cuda_emulation_most_bytes(),
                         d.device_plan_bytes + d.device_workspace_bytes);
        armilla_radial_free(radial);
        assert_int_equal(cuda_emulation_live_bytes(), 0);
    }
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_of_ring_order),
        cmocka_unit_test(arrays_change_no_bits),
        cmocka_unit_test(several_kernels_are_one_by_one),
        cmocka_unit_test(memory_is_what_the_plan_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Radial convolution on a GPU, pixel by pixel, against its definition: direct sums in long double
 * judge polynomials between rings of unequal length, of scalars and of pairs Q, U; and of pairs the
 * adjoint is the adjoint. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cuda/radial_plan.h"
#include "cuda/radial_scene.h"
#include "oracle/radial_oracle.h"
#include "oracle/turned_oracle.h"
#include "radial/plan.h"

static const double BOUND = 1e-13, WIDTH = 0.1, SUPPORT = 0.25;

/* --- Direct sums ------------------------------------------------------------------------------ */

enum { RINGS = 5, STEP = 37 /* pixels that are judged: one of so many */ };

/* Long rings of different lengths: polynomials in place of the profile. */
static armilla_grid *unequal_rings(armilla_ring *rings)
{
    armilla_grid *grid;
    int64_t offset = 0;
    for (int i = 0; i < RINGS; i++) {
        rings[i] = (armilla_ring){.theta = 1.2 + 0.03 * i,
                                  .phi0 = 0.1 * i,
                                  .weight = 0.01 + 0.001 * i,
                                  .nphi = 512 + 4 * i,
                                  .offset = offset,
                                  .stride = 1};
        offset += rings[i].nphi;
    }
    check_ok(armilla_grid_new_custom(RINGS, rings, &grid));
    return grid;
}

static armilla_radial *make_plan(const armilla_grid *grid, int64_t spin)
{
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_options options = options_on(ARMILLA_CUDA);
    options.spin = spin, options.support = SUPPORT;
    options.normalization = ARMILLA_RADIAL_NONE;
    check_ok(armilla_kernel_new_gaussian(WIDTH, &kernel));
    check_ok(armilla_radial_new(grid, kernel, &options, &radial));
    armilla_kernel_free(kernel);
    assert_non_null(armilla_cuda_radial_first(radial->cuda)->view.fits);
    return radial;
}

/* The adjoint has the weight of the result's ring in place of the source's. */
static void scalars_are_direct_sums(void **state)
{
    (void)state;
    armilla_ring rings[RINGS];
    armilla_grid *grid = unequal_rings(rings);
    const int64_t npix = armilla_grid_npix(grid);
    const oracle_kernel judge = {.kind = ORACLE_GAUSSIAN, .width = WIDTH};
    armilla_radial *radial = make_plan(grid, 0);
    double *map = checked_malloc(npix, 8), *out = checked_malloc(npix, 8);
    random_fill(5, npix, map);
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        const radial_oracle oracle = {RINGS, rings, &judge, SUPPORT, 1, adjoint};
        double largest = 0, worst = 0;
        check_ok(apply(adjoint, radial, map, out, NULL));
        for (int64_t i = 0; i < RINGS; i++)
            for (int64_t j = i; j < rings[i].nphi; j += STEP) {
                const radial_sum sum = oracle_radial_sum(&oracle, i, j, map, NULL);
                const double wanted = (double)sum.value * (adjoint ? rings[i].weight : 1);
                assert_true(sum.ties == 0);
                largest = larger_or_nan(largest, fabs(wanted));
                worst = larger_or_nan(worst, fabs(out[rings[i].offset + j] - wanted));
            }
        check_at_most(worst, BOUND * largest, "adjoint %d", adjoint);
    }
    free(map), free(out);
    armilla_radial_free(radial);
    armilla_grid_free(grid);
}

static void pairs_are_direct_sums(void **state)
{
    (void)state;
    armilla_ring rings[RINGS];
    armilla_grid *grid = unequal_rings(rings);
    const int64_t npix = armilla_grid_npix(grid);
    armilla_radial *radial = make_plan(grid, 2);
    turned_oracle oracle = turned_oracle_new(RINGS, rings, turned_beam(WIDTH, 0), SUPPORT);
    double *map = checked_malloc(2 * npix, 8), *out = checked_malloc(2 * npix, 8);
    double largest = 0, worst = 0;
    random_fill(5, 2 * npix, map);
    check_ok(apply(0, radial, map, out, NULL));
    for (int64_t p = 0; p < npix; p += STEP) {
        const turned_sum sum = oracle_turned_sum(&oracle, p, map, map + npix);
        const int64_t at = oracle.pixel[p].number;
        assert_true(sum.tie == 0);
        largest = larger_or_nan(largest, fmax(fabs((double)sum.q), fabs((double)sum.u)));
        worst = larger_or_nan(worst, fabs(out[at] - (double)sum.q));
        worst = larger_or_nan(worst, fabs(out[npix + at] - (double)sum.u));
    }
    check_at_most(worst, BOUND * largest, "pairs");
    turned_oracle_free(&oracle);
    free(map), free(out);
    armilla_radial_free(radial);
    armilla_grid_free(grid);
}

/* --- Adjoints --------------------------------------------------------------------------------- */

/* Takes the grid. <convolve a, b> = <a, adjoint b>, for all kernels. */
static void check_adjoint(armilla_grid *grid, const char *what)
{
    for (int kernel = 0; kernel < 2 * KERNELS; kernel++) {
        const int number = kernel / 2, sum = kernel % 2;
        armilla_radial_options options = options_on(ARMILLA_CPU);
        if (sum && (number == 1 || number == 5)) continue; /* they have no integral */
        options.spin = 2;
        options.normalization = sum ? ARMILLA_RADIAL_SUM : ARMILLA_RADIAL_NONE;
        scene s = scene_open_as(grid, number, options);
        double *other = checked_malloc(s.npix, 8), there = 0, back = 0, size = 0;
        random_fill(6, s.npix, other);
        check_ok(apply(0, s.gpu, s.map, s.wanted, NULL));
        check_ok(apply(1, s.gpu, other, s.made, NULL));
        for (int64_t p = 0; p < s.npix; p++) {
            there += s.wanted[p] * other[p], back += s.map[p] * s.made[p];
            size += fabs(s.wanted[p] * other[p]);
        }
        check_at_most(fabs(there - back), BOUND * size, "%s: kernel %d, sum %d", what, number, sum);
        free(other);
        scene_close(&s);
    }
    armilla_grid_free(grid);
}

static void adjoints_of_pairs(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_adjoint(healpix_grid(4), "HEALPix");
    check_ok(armilla_grid_new_gauss_legendre(7, 15, &grid));
    check_adjoint(grid, "Gauss-Legendre");
    check_ok(armilla_grid_new_named("O4", &grid));
    check_adjoint(grid, "octahedral");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_are_direct_sums),
        cmocka_unit_test(pairs_are_direct_sums),
        cmocka_unit_test(adjoints_of_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

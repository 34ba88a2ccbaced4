/* Radial convolution on a GPU by Fourier coefficients of rings: results are those of direct sums
 * and of the processor, on every kind of grid and kernel, of scalars and of pairs Q, U, of doubles
 * and floats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cuda/radial_rings_scene.h"

/* Errors are held to this part of the largest value. */
static const double BOUND = 1e-13;

/* --- Results ---------------------------------------------------------------------------------- */

/* Both operators against sums over pixels; what is between rings stays as it is. */
static void check_scene(scene *s, const char *what, int kernel)
{
    for (int adjoint = 0; adjoint < 2; adjoint++) {
        random_fill(3, s->size, s->wanted), random_fill(3, s->size, s->made);
        check_ok(apply(adjoint, s->cpu, s->map, s->wanted, NULL));
        check_ok(apply(adjoint, s->gpu, s->map, s->made, NULL));
        check_at_most(relative_error(s->size, s->wanted, s->made), BOUND,
                      "%s: kernel %d, adjoint %d", what, kernel, adjoint);
    }
}

/* Takes the grid. */
static void check_grid(armilla_grid *grid, int first, int last, int64_t spin, const char *what)
{
    for (int kernel = first; kernel <= last; kernel++)
        for (int sum = 0; sum < 2; sum++) {
            if (sum && kernel == 2) continue; /* it has no integral */
            scene s = scene_open(grid, kernel, spin, sum ? ARMILLA_RADIAL_SUM : ARMILLA_RADIAL_NONE,
                                 ARMILLA_RADIAL_PIXELS);
            check_scene(&s, what, kernel);
            scene_close(&s);
        }
    armilla_grid_free(grid);
}

static void results_are_direct_sums(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        check_grid(healpix_grid(1), 0, 1, spin, "nside 1");
        check_grid(healpix_grid(5), 0, 3, spin, "nside 5");
        check_grid(gauss(9, 18), 0, 5, spin, "Gauss-Legendre");
        check_grid(gauss(8, 17), 0, 5, spin, "odd rings");
        check_grid(gauss(1, 5), 1, 5, spin, "one ring");
        check_grid(gauss(4, 1), 1, 5, spin, "rings of one pixel");
    }
}

/* Several tiles and groups, more than 128 low orders, more than 128 samples; a belt and caps. */
static void larger_grids(void **state)
{
    (void)state;
    check_grid(healpix_grid(16), 0, 3, 0, "nside 16");
    check_grid(gauss(6, 600), 4, 4, 0, "long rings");
    check_grid(gauss(3, 600), 4, 4, 2, "long rings");
}

static void other_grids(void **state)
{
    (void)state;
    static const double theta[] = {0, 0.5, 2, 1.1}, phi0[] = {0, 1, 0.3, 2};
    static const double weight[] = {0.1, 0.5, 1.5, 0.3};
    static const int64_t nphi[] = {3, 4, 5, 1}, offset[] = {40, 0, 7, 30}, stride[] = {-1, 1, 3, 1};
    armilla_ring rings[4];
    armilla_grid *grid, *whole;
    for (int i = 0; i < 4; i++)
        rings[i] = (armilla_ring){.theta = theta[i],
                                  .phi0 = phi0[i],
                                  .weight = weight[i],
                                  .nphi = nphi[i],
                                  .offset = offset[i],
                                  .stride = stride[i]};
    check_ok(armilla_grid_new_custom(4, rings, &grid));
    check_grid(grid, 1, 3, 0, "rings of any kind, with gaps");
    check_ok(armilla_grid_new_custom(4, rings, &grid));
    check_grid(grid, 1, 3, 2, "rings of any kind, with gaps");
    check_ok(armilla_grid_new_reduced_gauss_legendre(9, 8, &grid));
    check_grid(grid, 0, 3, 0, "reduced");
    check_ok(armilla_grid_new_named("cc:9x17", &grid));
    check_grid(grid, 0, 5, 0, "equidistant, with poles");
    whole = healpix_grid(6);
    check_ok(armilla_grid_new_subset(whole, 3, 15, 0, &grid));
    armilla_grid_free(whole);
    check_grid(grid, 0, 3, 2, "some rings");
}

/* Against the processor's own RINGS: what both methods leave of a sum is not looked at. */
static void results_are_the_processors(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(8);
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        scene s = scene_open(grid, 3, spin, ARMILLA_RADIAL_INTEGRAL, ARMILLA_RADIAL_RINGS);
        check_scene(&s, "RINGS", 3);
        scene_close(&s);
    }
    armilla_grid_free(grid);
}

static void floats(void **state)
{
    (void)state;
    armilla_grid *grid = healpix_grid(5);
    for (int sum = 0; sum < 2; sum++) {
        scene s = scene_open(grid, 0, 2 * sum, sum ? ARMILLA_RADIAL_SUM : ARMILLA_RADIAL_INTEGRAL,
                             ARMILLA_RADIAL_RINGS);
        float *map = checked_malloc(s.size, 4), *out = checked_malloc(s.size, 4);
        to_float(s.size, s.map, map);
        for (int64_t i = 0; i < s.size; i++) s.map[i] = (double)map[i];
        for (int adjoint = 0; adjoint < 2; adjoint++) {
            check_ok(apply(adjoint, s.cpu, s.map, s.wanted, NULL));
            check_ok(adjoint ? armilla_radial_adjoint_float(s.gpu, map, out, NULL)
                             : armilla_radial_convolve_float(s.gpu, map, out, NULL));
            for (int64_t i = 0; i < s.size; i++) s.made[i] = (double)out[i];
            check_at_most(relative_error(s.size, s.wanted, s.made), 1.2e-7, "sum %d, adjoint %d",
                          sum, adjoint);
        }
        free(map), free(out);
        scene_close(&s);
    }
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_direct_sums),
        cmocka_unit_test(larger_grids),
        cmocka_unit_test(other_grids),
        cmocka_unit_test(results_are_the_processors),
        cmocka_unit_test(floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

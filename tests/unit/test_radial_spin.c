/* Radial convolution of maps of spin 2 is the sum over pixels of what comes along the great
 * circles: every kind of kernel and grid, poles and antipodes included, every instruction set. */
#include "test_radial_spin_scene.h"

/* --- Grids ------------------------------------------------------------------------------------ */

static void check_kernels(armilla_grid *grid, const int *numbers, int count)
{
    spin_scene s = open_spin_scene(grid);
    for (int i = 0; i < count; i++) {
        radial_case c = radial_case_number(numbers[i], s.one.pixel);
        check_turned(&s, &c, spin_options(&c, ARMILLA_RADIAL_AUTO, ARMILLA_RADIAL_FASTEST));
        close_case(&c);
    }
    close_spin_scene(&s);
}

static const int all_kernels[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const int some_kernels[] = {0, 3, 5, 8, 9, 11};
enum {
    ALL = sizeof all_kernels / sizeof *all_kernels,
    SOME = sizeof some_kernels / sizeof *some_kernels
};

static void every_kernel_on_healpix(void **state)
{
    (void)state;
    /* from 512 pixels of a ring on weights are polynomials of the difference in longitude */
    static const int64_t nsides[] = {1, 2, 3, 5, 8, 160};
    for (int i = 0; i < (checks_quick() ? 4 : 6); i++) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_healpix(nsides[i], &grid));
        check_kernels(grid, all_kernels, nsides[i] < 20 ? ALL : 2);
    }
}

/* Rings at the poles, odd and prime numbers of pixels. */
static void equidistant_and_gauss_legendre(void **state)
{
    (void)state;
    armilla_grid *grid;
    for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP; kind++) {
        check_ok(armilla_grid_new_equidistant((armilla_grid_kind)kind, 9, 15, &grid));
        check_kernels(grid, some_kernels, SOME);
    }
    check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_CC, 6, 2, &grid));
    check_kernels(grid, some_kernels, SOME);
    check_ok(armilla_grid_new_gauss_legendre(8, 37, &grid));
    check_kernels(grid, some_kernels, SOME);
    check_ok(armilla_grid_new_reduced_gauss_legendre(21, 20, &grid));
    check_kernels(grid, some_kernels, SOME);
}

/* No symmetry at all, parts of the sky, rings at and near the poles. */
static void any_rings(void **state)
{
    (void)state;
    const armilla_ring rings[] = {{2.4, 7, 100, 31, 2, 1},      {M_PI, 3, 0.1, 0, 1, 0.2},
                                  {0, 5, 2.5, 3, 1, 0.1},       {0.7, 16, 1e-3, 90, -1, 0.3},
                                  {1.5, 64, 6.1, 300, 1, 0.05}, {1.52, 63, -50.5, 400, 1, 0.05},
                                  {1e-3, 11, 0.3, 120, 3, 0.02}};
    armilla_grid *grid, *part;
    check_ok(armilla_grid_new_custom(7, rings, &grid));
    check_kernels(grid, all_kernels, ALL);
    check_ok(armilla_grid_new_healpix(9, &grid));
    check_ok(armilla_grid_new_subset(grid, 7, 11, 0, &part));
    armilla_grid_free(grid);
    check_kernels(part, some_kernels, SOME);
}

static void every_instruction_set(void **state)
{
    (void)state;
    spin_scene s = healpix_spin_scene(6);
    for (int number = 0; number < RADIAL_CASES; number += 3) {
        radial_case c = radial_case_number(number, s.one.pixel);
        armilla_radial_options options =
            spin_options(&c, ARMILLA_RADIAL_AUTO, ARMILLA_RADIAL_FASTEST);
        for (int set = 0; (options.isa = armilla_isa_available(set)); set++)
            check_turned(&s, &c, options);
        close_case(&c);
    }
    close_spin_scene(&s);
}

/* --- Methods ---------------------------------------------------------------------------------- */

static void check_method(armilla_grid *grid, int number, const char *expected)
{
    spin_scene s = open_spin_scene(grid);
    radial_case c = radial_case_number(number, s.one.pixel);
    const armilla_radial_options options =
        spin_options(&c, ARMILLA_RADIAL_AUTO, ARMILLA_RADIAL_RINGS);
    armilla_radial *radial = plan_of(&s.one, &c, &options);
    assert_string_equal(described(radial).method, expected);
    armilla_radial_free(radial);
    close_case(&c);
    close_spin_scene(&s);
}

/* RINGS makes the rings on which the kernel allows it: all of them under one that falls to
 * rounding, or where all rings have as many pixels. On HEALPix under one that jumps only those that
 * see rings as long as they are; not under a disc that is as large as the sphere, either, whose
 * rotation jumps around antipodes. */
static void rings_takes_what_it_can(void **state)
{
    (void)state;
    static const struct {
        int number;
        const char *on_healpix;
    } cases[] = {{0, "rings"},  {3, "rings"},  {4, "rings"},           {11, "rings"},
                 {7, "pixels"}, {8, "pixels"}, {9, "pixels and rings"}};
    armilla_grid *grid;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_ok(armilla_grid_new_healpix(8, &grid));
        check_method(grid, cases[i].number, cases[i].on_healpix);
        check_method(exact_grid(exact_kinds[0], 11, 11, 1, 0), cases[i].number, "rings");
    }
}

/* --- Kernels ---------------------------------------------------------------------------------- */

/* Windows without degrees above 1 leave nothing of a field of spin 2. */
static void low_degrees_do_not_count(void **state)
{
    (void)state;
    static const double window[] = {3, 0.5};
    spin_scene s = healpix_spin_scene(3);
    radial_case c = {.name = "monopole and dipole", .support = M_PI};
    check_ok(armilla_kernel_new_window(1, window, &c.kernel));
    const armilla_radial_options options =
        spin_options(&c, ARMILLA_RADIAL_NONE, ARMILLA_RADIAL_FASTEST);
    armilla_radial *radial = plan_of(&s.one, &c, &options);
    check_ok(armilla_radial_convolve(radial, s.map, s.out, NULL));
    for (int64_t p = 0; p < 2 * s.one.npix; p++) assert_true(s.out[p] == 0);
    armilla_radial_free(radial);
    close_case(&c);
    close_spin_scene(&s);
}

/* --- Normalizations --------------------------------------------------------------------------- */

/* SUM, over the sums of the scalar kernel, which convolves a map of ones. */
static void check_sums(spin_scene *s, const radial_case *c, armilla_radial_method method)
{
    const int64_t npix = s->one.npix;
    double *ones = checked_malloc(npix, 8), *sums = checked_malloc(npix, 8);
    double *expected = checked_malloc(2 * npix, 8);
    for (int64_t p = 0; p < npix; p++) ones[p] = 1;
    armilla_radial_options options = spin_options(c, ARMILLA_RADIAL_NONE, method);
    armilla_radial *plain = plan_of(&s->one, c, &options);
    options.normalization = ARMILLA_RADIAL_SUM;
    armilla_radial *divided = plan_of(&s->one, c, &options);
    options = options_of(c, ARMILLA_RADIAL_NONE, ARMILLA_RADIAL_PIXELS);
    const armilla_radial_description told = described(plain);
    options.support = told.support;
    armilla_radial *scalar = plan_of(&s->one, c, &options);
    check_ok(armilla_radial_convolve(scalar, ones, sums, NULL));
    check_ok(armilla_radial_convolve(plain, s->map, expected, NULL));
    check_ok(armilla_radial_convolve(divided, s->map, s->out, NULL));
    for (int64_t p = 0; p < 2 * npix; p++)
        check_at_most(fabs(s->out[p] - expected[p] / sums[p % npix]), 1e-14, "%s, %s, %lld",
                      c->name, told.method, (long long)p);
    armilla_radial_free(plain);
    armilla_radial_free(divided);
    armilla_radial_free(scalar);
    free(expected);
    free(sums);
    free(ones);
}

/* HEALPix, where discs are made by pixels, and rings of equal length, where they are not. */
static void sums_are_divided_by_those_of_the_scalar_kernel(void **state)
{
    (void)state;
    static const int numbers[] = {0, 2, 6, 9};
    for (int equal = 0; equal < 2; equal++) {
        spin_scene s = equal ? open_spin_scene(exact_grid(exact_kinds[0], 11, 11, 1, 0))
                             : healpix_spin_scene(5);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            radial_case c = radial_case_number(numbers[i], s.one.pixel);
            for (int method = ARMILLA_RADIAL_FASTEST; method <= LAST_METHOD; method++)
                check_sums(&s, &c, (armilla_radial_method)method);
            close_case(&c);
        }
        close_spin_scene(&s);
    }
}

/* With AVX-512 the model makes scalars by pixels here, some rings of pairs not: their divisors are
 * then a map that the scalar plan does not have. */
static void pairs_may_need_divisors_of_their_own(void **state)
{
    (void)state;
    spin_scene s = healpix_spin_scene(64);
    radial_case c = gaussian_case(1.2 * s.one.pixel, 4.4 * s.one.pixel);
    check_sums(&s, &c, ARMILLA_RADIAL_FASTEST);
    close_case(&c);
    close_spin_scene(&s);
}

/* Means over weights: the pair times weights, over the scalar kernel's sums of weights; where they
 * are 0 maps may hold NaN, and where little is left comes the fill. */
static void check_weights(armilla_radial_method method)
{
    spin_scene s = healpix_spin_scene(6);
    radial_case c = gaussian_case(20 * DEGREE, 80 * DEGREE);
    const int64_t npix = s.one.npix;
    armilla_radial_options options = spin_options(&c, ARMILLA_RADIAL_AUTO, method);
    armilla_radial *plan = plan_of(&s.one, &c, &options);
    options.spin = 0, options.method = ARMILLA_RADIAL_PIXELS;
    armilla_radial *scalar = plan_of(&s.one, &c, &options);
    double *v = checked_malloc(npix, 8), *sums = checked_malloc(npix, 8);
    double *pair = checked_malloc(2 * npix, 8), *expected = checked_malloc(2 * npix, 8);
    for (int64_t p = 0; p < npix; p++) v[p] = p < npix / 2 ? 0 : (double)(p % 3);
    for (int64_t p = 0; p < 2 * npix; p++) pair[p] = v[p % npix] * s.map[p];
    check_ok(armilla_radial_convolve(scalar, v, sums, NULL));
    check_ok(armilla_radial_convolve(plan, pair, expected, NULL));
    for (int64_t p = 0; p < 2 * npix; p++)
        if (v[p % npix] == 0) s.map[p] = (double)NAN;
    check_ok(armilla_radial_convolve_weighted(plan, s.map, v, 0.01, -7, s.out, NULL));
    int64_t filled = 0;
    for (int64_t p = 0; p < 2 * npix; p++) {
        filled += s.out[p] == -7;
        if (s.out[p] != -7)
            check_at_most(fabs(s.out[p] - expected[p] / sums[p % npix]), 1e-13, "%lld",
                          (long long)p);
        else
            assert_true(sums[p % npix] < 0.02);
    }
    assert_true(filled > npix / 10 && filled < npix);
    free(expected);
    free(pair);
    free(sums);
    free(v);
    armilla_radial_free(scalar);
    armilla_radial_free(plan);
    close_case(&c);
    close_spin_scene(&s);
}

static void weights_are_those_of_the_scalar_kernel(void **state)
{
    (void)state;
    for (int method = ARMILLA_RADIAL_PIXELS; method <= LAST_METHOD; method++)
        check_weights((armilla_radial_method)method);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_on_healpix),
        cmocka_unit_test(equidistant_and_gauss_legendre),
        cmocka_unit_test(any_rings),
        cmocka_unit_test(every_instruction_set),
        cmocka_unit_test(rings_takes_what_it_can),
        cmocka_unit_test(low_degrees_do_not_count),
        cmocka_unit_test(sums_are_divided_by_those_of_the_scalar_kernel),
        cmocka_unit_test(pairs_may_need_divisors_of_their_own),
        cmocka_unit_test(weights_are_those_of_the_scalar_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

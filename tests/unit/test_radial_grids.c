/* Radial convolution is the direct sum on every kind of grid: rings of any lengths, in any order,
 * with any strides, at the poles, and parts of the sky. Nothing but their pixels is written. */
#include "test_radial_scene.h"

/* Kernels enough for a grid: narrow, wide, with kinks, to pi. */
static const int kernels[] = {0, 1, 4, 5, 7, 9, 11};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static const double mark = -7.25e77; /* in gaps of maps */

/* Both methods, AUTO normalization. The map is NaN where no ring has a pixel. */
static void check_grid(armilla_grid *grid)
{
    radial_scene s = open_scene(grid);
    char *there = pixels_of_rings(&s);
    for (int64_t p = 0; p < s.npix; p++)
        if (!there[p]) s.map[p] = (double)NAN, s.out[p] = mark;
    for (int i = 0; i < KERNELS; i++) {
        radial_case c = radial_case_number(kernels[i], s.pixel);
        for (int method = ARMILLA_RADIAL_PIXELS; method <= LAST_METHOD; method++) {
            const armilla_radial_options options =
                options_of(&c, ARMILLA_RADIAL_AUTO, (armilla_radial_method)method);
            check_convolution(&s, &c, &options);
            for (int64_t p = 0; p < s.npix; p++)
                if (!there[p] && s.out[p] != mark)
                    fail_msg("%s: number %lld was written", c.name, (long long)p);
        }
        close_case(&c);
    }
    free(there);
    close_scene(&s);
}

static void equidistant_rings(void **state)
{
    (void)state;
    static const int64_t nphis[] = {1, 2, 15, 16, 31};
    for (int kind = ARMILLA_GRID_CC; kind <= ARMILLA_GRID_MWFLIP; kind++)
        for (size_t i = 0; i < sizeof nphis / sizeof *nphis; i++) {
            if (kind != ARMILLA_GRID_CC && nphis[i] != 15) continue; /* phi is CC's */
            armilla_grid *grid;
            const int64_t nrings = 9 + (int64_t)i;
            check_ok(
                armilla_grid_new_equidistant((armilla_grid_kind)kind, nrings, nphis[i], &grid));
            check_grid(grid);
        }
}

/* Odd, even, prime and smooth numbers of pixels. */
static void gauss_legendre_of_any_length(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1, 1}, {2, 3}, {13, 27}, {16, 32}, {15, 37}, {8, 97}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_gauss_legendre(sizes[i][0], sizes[i][1], &grid));
        check_grid(grid);
    }
}

static void reduced_gauss_legendre(void **state)
{
    (void)state;
    for (int64_t lmax = 5; lmax <= 50; lmax += 15) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_reduced_gauss_legendre(lmax + 1, lmax, &grid));
        check_grid(grid);
    }
}

static void weighted_healpix(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix_weighted(6, 12, &grid));
    check_grid(grid);
}

/* Lengths without a common divisor, any first longitude, strides of both signs, rings that lie on
 * one another, at and near the poles, weights of any sign, in no order. */
static const armilla_ring odd_rings[] = {
    {2.4, 7, 100, 31, 2, 1},
    {M_PI, 3, 0.1, 0, 1, 0.2},
    {0, 5, 2.5, 3, 1, 0.1},
    {0.7, 16, 1e-3, 30 + 60, -1, 0.3},
    {M_PI / 2, 2, 0, 95, 1, 0},
    {0.7, 1, -4.0, 8, 1, 0.3},
    {M_PI - 0.7, 16, 0.3, 220, 1, -0.4},
    {1e-3, 11, 0.3, 120, 3, 0.02},
    {0.7000001, 17, -0.3, 219, -4, 0.2},
    {1.5, 64, 6.1, 300, 1, 0.05},
    {1.52, 63, -50.5, 400, 1, 0.05},
    {1.54, 61, 3.0, 480, 2, 0.05},
    {3.1, 1, 1, 700, 1, 0.4},
};
enum { ODD_RINGS = sizeof odd_rings / sizeof *odd_rings };

static void custom_rings_in_any_order(void **state)
{
    (void)state;
    for (int64_t count = 1; count <= ODD_RINGS; count += count < 3 ? 1 : 5)
        for (int64_t first = 0; first + count <= ODD_RINGS; first++) {
            armilla_grid *grid;
            if (count == 1 && odd_rings[first].weight == 0) continue; /* no plan: test_refusals */
            check_ok(armilla_grid_new_custom(count, odd_rings + first, &grid));
            check_grid(grid);
        }
}

/* All longitudes of a grid shifted by whole turns and by a part of a pixel: no ring begins where
 * another does. */
static void rings_of_one_length_shifted(void **state)
{
    (void)state;
    enum { RINGS = 20, NPHI = 24 };
    armilla_ring rings[RINGS];
    for (int64_t r = 0; r < RINGS; r++)
        rings[r] = (armilla_ring){.theta = M_PI * ((double)r + 0.5) / RINGS,
                                  .nphi = NPHI,
                                  .phi0 = 0.37 * (double)(r * r) - 40,
                                  .offset = (RINGS - 1 - r) * NPHI,
                                  .stride = 1,
                                  .weight = 0.03};
    armilla_grid *grid;
    check_ok(armilla_grid_new_custom(RINGS, rings, &grid));
    check_grid(grid);
}

static void parts_of_the_sky(void **state)
{
    (void)state;
    static const int64_t parts[][2] = {{0, 1}, {0, 5}, {4, 7}, {13, 3}, {15, 1}, {20, 11}, {30, 1}};
    for (int compact = 0; compact < 2; compact++)
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            armilla_grid *whole, *part;
            check_ok(armilla_grid_new_healpix(8, &whole));
            check_ok(armilla_grid_new_subset(whole, parts[i][0], parts[i][1], compact, &part));
            armilla_grid_free(whole);
            check_grid(part);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equidistant_rings),         cmocka_unit_test(gauss_legendre_of_any_length),
        cmocka_unit_test(reduced_gauss_legendre),    cmocka_unit_test(weighted_healpix),
        cmocka_unit_test(custom_rings_in_any_order), cmocka_unit_test(rings_of_one_length_shifted),
        cmocka_unit_test(parts_of_the_sky),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

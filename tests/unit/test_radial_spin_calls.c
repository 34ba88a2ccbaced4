/* Checks radial convolution of spin 2: distances that are too short, zeros beyond the support, and
 * harmonic smoothing, whose sums are others altogether. What all calls promise: tests/contract. */
#include "test_radial_spin_scene.h"

/* --- Calls ------------------------------------------------------------------------------------ */

static void distances_must_hold_a_component(void **state)
{
    (void)state;
    spin_scene s = healpix_spin_scene(2);
    radial_case c = gaussian_case(1, 0);
    const armilla_radial_options options =
        spin_options(&c, ARMILLA_RADIAL_AUTO, ARMILLA_RADIAL_FASTEST);
    armilla_radial *radial = plan_of(&s.one, &c, &options);
    armilla_exec exec = one_thread();
    exec.map_distance = s.one.npix - 1;
    check_error(armilla_radial_convolve(radial, s.map, s.out, &exec), ARMILLA_ERROR_ARGUMENT,
                "map_distance");
    armilla_radial_free(radial);
    close_case(&c);
    close_spin_scene(&s);
}

/* --- Zeros ------------------------------------------------------------------------------------ */

/* One bright pixel of Q: beyond the support Q and U are exactly 0 by PIXELS, by RINGS on rings that
 * it does not reach; on the others below 1e-15 of the maximum. */
static void check_zeros(spin_scene *s, armilla_radial_method method, int64_t ring, int64_t pixel)
{
    radial_case c = gaussian_case(0.15, 0);
    const armilla_radial_options options = spin_options(&c, ARMILLA_RADIAL_NONE, method);
    armilla_radial *radial = plan_of(&s->one, &c, &options);
    const double support = described(radial).support * (1 + 1e-12);
    const armilla_ring *bright = &s->one.rings[ring];
    const int64_t npix = s->one.npix;
    for (int64_t p = 0; p < 2 * npix; p++) s->map[p] = 0;
    s->map[bright->offset + pixel] = 1e10;
    check_ok(armilla_radial_convolve(radial, s->map, s->out, NULL));
    double most = 0;
    for (int64_t p = 0; p < 2 * npix; p++) most = larger_or_nan(most, fabs(s->out[p]));
    assert_true(most > 0);
    for (int64_t r = 0; r < s->one.nrings; r++) {
        const armilla_ring *other = &s->one.rings[r];
        const int reached = fabs(other->theta - bright->theta) <= support;
        const double bound = reached && method == ARMILLA_RADIAL_RINGS ? 1e-15 * most : 0;
        for (int64_t j = 0; j < other->nphi; j++) {
            const double *out = s->out + other->offset + j;
            if (oracle_radial_angle(bright, pixel, other, j) > support)
                check_at_most(larger_or_nan(fabs(out[0]), fabs(out[npix])), bound,
                              "from ring %lld to %lld, pixel %lld", (long long)ring, (long long)r,
                              (long long)j);
        }
    }
    armilla_radial_free(radial);
    close_case(&c);
}

static void nothing_lies_outside_of_the_support(void **state)
{
    (void)state;
    static const int64_t places[][2] = {{0, 0}, {12, 0}, {25, 7}, {50, 3}};
    spin_scene s = healpix_spin_scene(13);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        for (int method = ARMILLA_RADIAL_PIXELS; method <= LAST_METHOD; method++)
            check_zeros(&s, (armilla_radial_method)method, places[k][0], places[k][1]);
    close_spin_scene(&s);
}

/* --- Harmonic space --------------------------------------------------------------------------- */

/* Random E and B of degrees up to lmax -> Q, U, and the same under a window. */
static void synthesise(const spin_scene *s, int64_t lmax, const double *window, double *map,
                       double *smooth)
{
    armilla_sht_options options;
    armilla_sht *sht;
    armilla_sht_options_init(&options);
    options.spin = 2;
    check_ok(armilla_sht_new(s->one.grid, lmax, lmax, &options, &sht));
    const int64_t size = armilla_alm_size(lmax, lmax);
    double *alm = checked_calloc(4 * size, sizeof *alm);
    random_alm_triangle(91, lmax, lmax, alm);
    random_alm_triangle(92, lmax, lmax, alm + 2 * size);
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    for (int component = 0; component < 2; component++)
        check_ok(
            armilla_alm_multiply_window(lmax, lmax, lmax + 1, window, alm + component * 2 * size));
    check_ok(armilla_sht_synthesis(sht, alm, smooth, NULL));
    free(alm);
    armilla_sht_free(sht);
}

/* Largest difference over the largest value. */
static void check_harmonic(armilla_grid *grid, radial_case c, int64_t lmax, const double *window,
                           double bound)
{
    spin_scene s = open_spin_scene(grid);
    const armilla_radial_options options =
        spin_options(&c, ARMILLA_RADIAL_NONE, ARMILLA_RADIAL_RINGS);
    armilla_radial *radial = plan_of(&s.one, &c, &options);
    double *judge = checked_malloc(2 * s.one.npix, 8), worst = 0, most = 0;
    synthesise(&s, lmax, window, s.map, judge);
    check_ok(armilla_radial_convolve(radial, s.map, s.out, NULL));
    for (int64_t p = 0; p < 2 * s.one.npix; p++) {
        worst = larger_or_nan(worst, fabs(s.out[p] - judge[p]));
        most = larger_or_nan(most, fabs(judge[p]));
    }
    check_at_most(worst / most, bound, "%s, npix = %lld, lmax = %lld", c.name,
                  (long long)s.one.npix, (long long)lmax);
    free(judge);
    armilla_radial_free(radial);
    close_case(&c);
    close_spin_scene(&s);
}

/* Exact where the grid's rule is: degrees of the map and of the kernel together. */
static void agrees_with_harmonic_smoothing(void **state)
{
    (void)state;
    enum { LMAX = 30 };
    double window[LMAX + 1];
    armilla_grid *grid;
    radial_case c = {.name = "window", .support = M_PI};
    random_fill(93, LMAX + 1, window);
    check_ok(armilla_kernel_new_window(LMAX, window, &c.kernel));
    check_ok(armilla_grid_new_gauss_legendre(LMAX + 1, 2 * LMAX + 1, &grid));
    check_harmonic(grid, c, LMAX, window, 1e-12);
    /* a narrow Gaussian, by the integral of the heat kernel */
    check_ok(armilla_spectrum_gaussian_beam(6 * DEGREE, 2, LMAX, window));
    check_ok(armilla_grid_new_gauss_legendre(150, 300, &grid));
    check_harmonic(grid, gaussian_case(6 * DEGREE, 30 * DEGREE), LMAX, window, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_must_hold_a_component),
        cmocka_unit_test(nothing_lies_outside_of_the_support),
        cmocka_unit_test(agrees_with_harmonic_smoothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

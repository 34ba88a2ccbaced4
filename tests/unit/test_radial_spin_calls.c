/* Checks how calls of radial convolution of spin 2 run: their adjoint, threads, several maps,
 * distances, floats, and harmonic smoothing, whose sums are others altogether. */
#include "test_radial_spin_scene.h"

/* --- Adjoints --------------------------------------------------------------------------------- */

typedef struct vectors {
    double *a, *b, *forth, *back; /* pairs */
} vectors;

static vectors new_vectors(int64_t npix)
{
    vectors v = {checked_malloc(2 * npix, 8), checked_malloc(2 * npix, 8),
                 checked_calloc(2 * npix, 8), checked_calloc(2 * npix, 8)};
    random_fill(81, 2 * npix, v.a);
    random_fill(82, 2 * npix, v.b);
    return v;
}

static void free_vectors(vectors *v)
{
    free(v->a);
    free(v->b);
    free(v->forth);
    free(v->back);
}

/* |<forth, b> - <a, back>| relative to the lengths of the vectors. */
static double adjointness(int64_t count, const vectors *v)
{
    const double left = dot_maps(count, v->forth, v->b), right = dot_maps(count, v->a, v->back);
    return fabs(left - right) /
           sqrt(dot_maps(count, v->forth, v->forth) * dot_maps(count, v->b, v->b));
}

static void check_plan(const spin_scene *s, const vectors *v, int number, int way, int method)
{
    radial_case c = radial_case_number(number, s->one.pixel);
    const armilla_radial_options options =
        spin_options(&c, (armilla_radial_normalization)way, (armilla_radial_method)method);
    armilla_radial *radial = plan_of(&s->one, &c, &options);
    check_ok(armilla_radial_convolve(radial, v->a, v->forth, NULL));
    check_ok(armilla_radial_adjoint(radial, v->b, v->back, NULL));
    check_at_most(adjointness(2 * s->one.npix, v), 1e-13, "%s, normalization %d, %lld rings, %s",
                  c.name, way, (long long)s->one.nrings, described(radial).method);
    armilla_radial_free(radial);
    close_case(&c);
}

/* There are no gaps in the maps of these grids. */
static void check_adjoint(armilla_grid *grid)
{
    static const int numbers[] = {0, 2, 5, 6, 9};
    spin_scene s = open_spin_scene(grid);
    vectors v = new_vectors(s.one.npix);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int way = ARMILLA_RADIAL_NONE; way <= ARMILLA_RADIAL_SUM; way++) {
            if (numbers[i] == 5 && way != ARMILLA_RADIAL_NONE) continue; /* its integral is 0 */
            for (int method = ARMILLA_RADIAL_PIXELS; method <= LAST_METHOD; method++)
                check_plan(&s, &v, numbers[i], way, method);
        }
    free_vectors(&v);
    close_spin_scene(&s);
}

static void adjoint_is_that_of_the_real_inner_product(void **state)
{
    (void)state;
    static const int64_t nsides[] = {1, 3, 8};
    armilla_grid *grid, *part;
    for (int i = 0; i < 3; i++) {
        check_ok(armilla_grid_new_healpix(nsides[i], &grid));
        check_adjoint(grid);
    }
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        check_adjoint(exact_grid(exact_kinds[kind], 11, 11, 1, 0));
    check_ok(armilla_grid_new_healpix(9, &grid));
    check_ok(armilla_grid_new_subset(grid, 0, 11, 0, &part));
    armilla_grid_free(grid);
    check_adjoint(part);
}

/* --- Calls ------------------------------------------------------------------------------------ */

enum { MAPS = 3 };

/* Several pairs at once, any distance and number of threads, give the bits of one after the other
 * by one thread; nothing between components is written. */
static void check_calls(int64_t nside, int weighted, armilla_radial_method method)
{
    spin_scene s = healpix_spin_scene(nside);
    radial_case c = gaussian_case(4 * s.one.pixel, 0);
    const int64_t npix = s.one.npix, distance = npix + 7, pair = 2 * distance;
    double *map = checked_malloc(MAPS * pair, 8), *out = checked_malloc(MAPS * pair, 8);
    double *one = checked_malloc(pair, 8), *v = checked_malloc(npix, 8);
    const armilla_radial_options options = spin_options(&c, ARMILLA_RADIAL_AUTO, method);
    armilla_radial *radial = plan_of(&s.one, &c, &options);
    random_fill(5, MAPS * pair, map);
    for (int64_t p = 0; p < npix; p++) v[p] = (double)(p % 4);
    for (int nthreads = 1; nthreads <= 3; nthreads++) {
        armilla_exec exec = one_thread();
        exec.ntrans = MAPS, exec.map_distance = distance, exec.nthreads = nthreads;
        for (int64_t i = 0; i < MAPS * pair; i++) out[i] = -77;
        check_ok(weighted ? armilla_radial_convolve_weighted(radial, map, v, 0, 0, out, &exec)
                          : armilla_radial_convolve(radial, map, out, &exec));
        exec.ntrans = 1, exec.nthreads = 1;
        for (int t = 0; t < MAPS; t++) {
            const double *from = map + t * pair;
            for (int64_t i = 0; i < pair; i++) one[i] = -77;
            check_ok(weighted ? armilla_radial_convolve_weighted(radial, from, v, 0, 0, one, &exec)
                              : armilla_radial_convolve(radial, from, one, &exec));
            assert_memory_equal(one, out + t * pair, (size_t)pair * 8);
            for (int64_t i = npix; i < distance; i++) assert_true(one[i] == -77);
        }
    }
    free(v);
    free(one);
    free(out);
    free(map);
    armilla_radial_free(radial);
    close_case(&c);
    close_spin_scene(&s);
}

static void several_pairs_threads_and_distances(void **state)
{
    (void)state;
    for (int weighted = 0; weighted < 2; weighted++)
        for (int method = ARMILLA_RADIAL_PIXELS; method <= LAST_METHOD; method++) {
            check_calls(5, weighted, (armilla_radial_method)method);
            check_calls(32, weighted, (armilla_radial_method)method);
        }
}

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

static void check_float(armilla_radial_method method)
{
    spin_scene s = healpix_spin_scene(8);
    radial_case c = gaussian_case(0.5, 0);
    const int64_t count = 2 * s.one.npix;
    const armilla_radial_options options = spin_options(&c, ARMILLA_RADIAL_AUTO, method);
    armilla_radial *radial = plan_of(&s.one, &c, &options);
    float *from = checked_malloc(count, 4), *to = checked_malloc(count, 4);
    to_float(count, s.map, from);
    to_double(count, from, s.map);
    check_ok(armilla_radial_convolve(radial, s.map, s.out, NULL));
    check_ok(armilla_radial_convolve_float(radial, from, to, NULL));
    for (int64_t i = 0; i < count; i++) assert_true(to[i] == (float)s.out[i]);
    check_ok(armilla_radial_adjoint(radial, s.map, s.out, NULL));
    check_ok(armilla_radial_adjoint_float(radial, from, to, NULL));
    for (int64_t i = 0; i < count; i++) assert_true(to[i] == (float)s.out[i]);
    free(to);
    free(from);
    armilla_radial_free(radial);
    close_case(&c);
    close_spin_scene(&s);
}

static void float_is_rounded_once(void **state)
{
    (void)state;
    for (int method = ARMILLA_RADIAL_PIXELS; method <= LAST_METHOD; method++)
        check_float((armilla_radial_method)method);
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
        cmocka_unit_test(adjoint_is_that_of_the_real_inner_product),
        cmocka_unit_test(several_pairs_threads_and_distances),
        cmocka_unit_test(distances_must_hold_a_component),
        cmocka_unit_test(float_is_rounded_once),
        cmocka_unit_test(nothing_lies_outside_of_the_support),
        cmocka_unit_test(agrees_with_harmonic_smoothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

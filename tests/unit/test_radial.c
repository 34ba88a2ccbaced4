/* Radial convolution on HEALPix is the direct sum over pixels, to rounding: any nside, kernels from
 * 1.5 pixels to 60 degrees, supports up to pi, both methods, every instruction set. */
#include "test_radial_scene.h"

static const int64_t nsides[] = {1, 2, 3, 5, 8, 16, 31, 64};
enum { NSIDES = sizeof nsides / sizeof *nsides };

static void sums_of_every_method(void **state)
{
    (void)state;
    for (int i = 0; i < (checks_quick() ? 5 : NSIDES); i++) {
        radial_scene s = healpix_scene(nsides[i]);
        for (int number = 0; number < RADIAL_CASES; number++) {
            radial_case c = radial_case_number(number, s.pixel);
            const int few = nsides[i] <= 31 || c.support <= 1; /* pairs of pixels */
            const int step = nsides[i] > 16 ? 2 : 1;           /* FASTEST and RINGS */
            for (int method = 0; few && method <= LAST_METHOD; method += step) {
                const armilla_radial_options options =
                    options_of(&c, ARMILLA_RADIAL_AUTO, (armilla_radial_method)method);
                check_convolution(&s, &c, &options);
            }
            close_case(&c);
        }
        close_scene(&s);
    }
}

static void every_instruction_set(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(6);
    for (int number = 0; number < RADIAL_CASES; number++) {
        radial_case c = radial_case_number(number, s.pixel);
        armilla_radial_options options =
            options_of(&c, ARMILLA_RADIAL_AUTO, ARMILLA_RADIAL_FASTEST);
        for (int set = 0; (options.isa = armilla_isa_available(set)); set++)
            for (int method = ARMILLA_RADIAL_PIXELS; method <= LAST_METHOD; method++) {
                options.method = (armilla_radial_method)method;
                check_convolution(&s, &c, &options);
            }
        close_case(&c);
    }
    close_scene(&s);
}

/* From 512 pixels on rings have polynomials for each distance between pixels; those of the widest
 * kernel do not fit into the room for them at once. */
static void rings_of_many_pixels(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(160);
    for (int i = 0; i < 4; i++) {
        const double wide = 25 * s.pixel;
        radial_case c = i < 2    ? radial_case_number(i, s.pixel)
                        : i == 2 ? mexican_hat_case(3 * s.pixel, 0)
                                 : gaussian_case(wide, 2.4 * wide);
        armilla_radial_options options = options_of(&c, ARMILLA_RADIAL_AUTO, ARMILLA_RADIAL_PIXELS);
        for (int set = 0; (options.isa = armilla_isa_available(set)); set++)
            if (set == 0 || (i < 3 && !checks_quick())) check_convolution(&s, &c, &options);
        close_case(&c);
    }
    close_scene(&s);
}

static void every_normalization(void **state)
{
    (void)state;
    static const int kernels[] = {0, 2, 3, 6, 9, 11}; /* whose integral is not 0 */
    radial_scene s = healpix_scene(7);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        radial_case c = radial_case_number(kernels[i], s.pixel);
        for (int way = ARMILLA_RADIAL_AUTO; way <= ARMILLA_RADIAL_SUM; way++) {
            const armilla_radial_options options =
                options_of(&c, (armilla_radial_normalization)way, ARMILLA_RADIAL_FASTEST);
            check_convolution(&s, &c, &options);
        }
        close_case(&c);
    }
    close_scene(&s);
}

/* NONE where a kernel value is below 0, INTEGRAL elsewhere, SUM where pixels are too large. */
static void automatic_normalization_looks_at_signs_and_widths(void **state)
{
    (void)state;
    static const char *const expected[] = {"sum",      "integral", "sum",  "integral",
                                           "none",     "none",     "sum",  "sum",
                                           "integral", "none",     "none", "none"};
    radial_scene s = healpix_scene(4); /* pixels of 14.7 degrees */
    for (int number = 0; number < RADIAL_CASES; number++) {
        radial_case c = radial_case_number(number, s.pixel);
        const armilla_radial_options options =
            options_of(&c, ARMILLA_RADIAL_AUTO, ARMILLA_RADIAL_FASTEST);
        armilla_radial *radial = plan_of(&s, &c, &options);
        assert_string_equal(described(radial).normalization, expected[number]);
        armilla_radial_free(radial);
        close_case(&c);
    }
    close_scene(&s);
}

/* What a plan without a wish for a normalization makes of a map of ones, at worst. */
static double worst_of_ones(radial_scene *s, const radial_case *c, armilla_radial_options options,
                            const char *expected)
{
    double worst = 0, *out = checked_calloc(s->npix, sizeof *out);
    armilla_radial *radial = plan_of(s, c, &options);
    assert_string_equal(described(radial).normalization, expected);
    check_ok(armilla_radial_convolve(radial, s->map, out, NULL));
    for (int64_t i = 0; i < s->npix; i++) worst = fmax(worst, fabs(out[i] - 1));
    armilla_radial_free(radial);
    free(out);
    return worst;
}

/* The case, which ends here, with the default normalization: which one that is, and by how much a
 * map of ones changes at most. */
static void check_ones(radial_scene *s, radial_case c, int mode, int method, const char *expected,
                       double bound)
{
    armilla_radial_options options =
        options_of(&c, ARMILLA_RADIAL_AUTO, (armilla_radial_method)method);
    options.mode = (armilla_radial_mode)mode;
    check_at_most(worst_of_ones(s, &c, options, expected), bound,
                  "%s, %g within %g, constant, mode %d, method %d", c.name, c.judge.width,
                  c.support, mode, method);
    close_case(&c);
}

/* Kernels that pixels sample badly, by both methods and modes, as Gaussians, discs, a disc with a
 * wider support, which makes it no other kernel, and Gaussians that a support cuts to discs; wider
 * ones are near their integral. */
static void constants_stay_by_default(void **state)
{
    (void)state;
    static const double gaussians[] = {0.05, 0.3, 0.8, 1, 1.7, 2.4},
                        discs[] = {0.05, 0.4, 1, 2.2, 4.8};
    radial_scene s = healpix_scene(16);
    const double pixel = s.pixel;
    for (int64_t i = 0; i < s.npix; i++) s.map[i] = 1;
    for (int mode = 0; mode < 2; mode++)
        for (int method = 0; method < 3; method++) {
            for (int i = 0; i < 6; i++)
                check_ones(&s, gaussian_case(gaussians[i] * pixel, 0), mode, method, "sum", 1e-12);
            for (int i = 0; i < 5; i++)
                check_ones(&s, tophat_case(discs[i] * pixel, 0), mode, method, "sum", 1e-12);
            check_ones(&s, tophat_case(1.5 * pixel, 1.51 * pixel), mode, method, "sum", 1e-12);
            check_ones(&s, gaussian_case(40 * pixel, 0.9 * pixel), mode, method, "sum", 1e-12);
            check_ones(&s, gaussian_case(2.6 * pixel, 0), mode, method, "integral", 0.05);
        }
    close_scene(&s);
}

/* Kernels that a constant map passes unchanged. */
static void constants_stay_under_sum(void **state)
{
    (void)state;
    static const int kernels[] = {0, 1, 2, 3, 6, 7, 8};
    radial_scene s = healpix_scene(6);
    for (int64_t i = 0; i < s.npix; i++) s.map[i] = -2.5;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        radial_case c = radial_case_number(kernels[i], s.pixel);
        const armilla_radial_options options =
            options_of(&c, ARMILLA_RADIAL_SUM, ARMILLA_RADIAL_FASTEST);
        armilla_radial *radial = plan_of(&s, &c, &options);
        check_ok(armilla_radial_convolve(radial, s.map, s.out, NULL));
        for (int64_t p = 0; p < s.npix; p++)
            check_at_most(fabs(s.out[p] + 2.5), 2.5e-13, "%s, pixel %lld", c.name, (long long)p);
        armilla_radial_free(radial);
        close_case(&c);
    }
    close_scene(&s);
}

/* One bright pixel: pixel by pixel, what is further away than the support is exactly 0; by Fourier
 * coefficients of rings exactly 0 on rings that it does not reach, and on the others below 1e-15 of
 * the maximum (measured: 2.2e-16). */
static void check_zeros_around(radial_scene *s, const radial_case *c, armilla_radial_method method,
                               const int64_t place[2])
{
    const armilla_radial_options options = options_of(c, ARMILLA_RADIAL_NONE, method);
    armilla_radial *radial = plan_of(s, c, &options);
    const armilla_radial_description d = described(radial);
    const armilla_ring *bright = &s->rings[place[0]];
    for (int64_t p = 0; p < s->npix; p++) s->map[p] = 0;
    s->map[bright->offset + place[1]] = 1e10;
    check_ok(armilla_radial_convolve(radial, s->map, s->out, NULL));
    double most = 0;
    for (int64_t p = 0; p < s->npix; p++) most = larger_or_nan(most, fabs(s->out[p]));
    assert_true(most > 0);
    for (int64_t r = 0; r < s->nrings; r++) {
        const int reached = fabs(s->rings[r].theta - bright->theta) <= d.support * (1 + 1e-12);
        const double bound = reached && strcmp(d.method, "pixels") ? 1e-15 * most : 0;
        for (int64_t j = 0; j < s->rings[r].nphi; j++)
            if (oracle_radial_angle(bright, place[1], &s->rings[r], j) > d.support * (1 + 1e-12))
                check_at_most(fabs(s->out[s->rings[r].offset + j]), bound,
                              "%s, %s, from ring %lld to %lld, pixel %lld", c->name, d.method,
                              (long long)place[0], (long long)r, (long long)j);
    }
    armilla_radial_free(radial);
}

static void nothing_lies_outside_of_the_support(void **state)
{
    (void)state;
    static const int kernels[] = {0, 2, 4, 6, 9};
    static const int64_t places[][2] = {{0, 0}, {1, 5}, {12, 0}, {13, 51}, {25, 7}, {50, 3}};
    radial_scene s = healpix_scene(13);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        radial_case c = radial_case_number(kernels[i], s.pixel);
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            for (int method = 0; method <= LAST_METHOD; method++)
                check_zeros_around(&s, &c, (armilla_radial_method)method, places[k]);
        }
        close_case(&c);
    }
    close_scene(&s);
}

static void nothing_lies_outside_of_the_support_of_polynomials(void **state)
{
    (void)state;
    static const int64_t places[][2] = {{140, 0}, {157, 333}, {481, 12}};
    radial_scene s = healpix_scene(160);
    for (int number = 0; number < 2; number++) {
        radial_case c = radial_case_number(number, s.pixel);
        for (size_t k = 0; k < sizeof places / sizeof *places; k++)
            check_zeros_around(&s, &c, ARMILLA_RADIAL_PIXELS, places[k]);
        close_case(&c);
    }
    close_scene(&s);
}

/* Rings next to both poles, a disc that is the whole sphere or all but a little of it: sums are
 * those of all pixels. */
static void rings_next_to_opposite_poles_see_each_other(void **state)
{
    static const double angles[] = {1e-12, 1e-9, 2.5e-8, 1e-7, 1e-3};
    (void)state;
    for (int i = 0; i < 5; i++)
        for (int whole = 0; whole < 2; whole++) {
            const double angle = angles[i], radius = whole ? M_PI : M_PI - angle / 4;
            const armilla_ring rings[] = {{angle, 4, 0, 0, 1, 1}, {M_PI - angle, 4, 0, 4, 1, 1}};
            double one[8] = {1}, sum[8];
            armilla_grid *grid;
            armilla_kernel *kernel;
            armilla_radial *radial;
            armilla_radial_options options;
            armilla_radial_options_init(&options);
            options.method = ARMILLA_RADIAL_PIXELS, options.support = radius;
            options.normalization = ARMILLA_RADIAL_NONE;
            check_ok(armilla_grid_new_custom(2, rings, &grid));
            check_ok(armilla_kernel_new_tophat(radius, &kernel));
            check_ok(armilla_radial_new(grid, kernel, &options, &radial));
            check_ok(armilla_radial_convolve(radial, one, sum, NULL));
            /* whole: all eight pixels; else not the antipode, pixel 6, if sin^2(alpha / 2), which
             * kernels are functions of, can tell it from the edge */
            for (int j = 0; j < 8; j++) {
                if (!whole && j == 6 && angle < 1e-6) continue;
                const double right = whole || j != 6 ? 1 : 0;
                const double found = sum[j] * 2 * M_PI * (1 - cos(radius));
                if (!(fabs(found - right) < 1e-6))
                    fail_msg("angle %g, radius %.17g: pixel %d is %g", angle, radius, j, found);
            }
            armilla_radial_free(radial), armilla_kernel_free(kernel), armilla_grid_free(grid);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_every_method),
        cmocka_unit_test(every_instruction_set),
        cmocka_unit_test(rings_of_many_pixels),
        cmocka_unit_test(every_normalization),
        cmocka_unit_test(automatic_normalization_looks_at_signs_and_widths),
        cmocka_unit_test(constants_stay_by_default),
        cmocka_unit_test(constants_stay_under_sum),
        cmocka_unit_test(nothing_lies_outside_of_the_support),
        cmocka_unit_test(nothing_lies_outside_of_the_support_of_polynomials),
        cmocka_unit_test(rings_next_to_opposite_poles_see_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

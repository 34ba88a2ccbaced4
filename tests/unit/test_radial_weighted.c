/* Convolution of maps with holes is the quotient of two direct sums: weights, masks, NaN where the
 * weight is 0, the fill where there is too little. */
#include "test_radial_scene.h"

static const double fill = -1.6375e30;

/* Weights of random size, 0 within a cap and at every fifth pixel; the map is NaN there. */
static double *weights_of(radial_scene *s)
{
    double *v = checked_malloc(s->npix, sizeof *v);
    uint64_t stream = 95;
    for (int64_t p = 0; p < s->npix; p++) v[p] = (double)NAN; /* in gaps */
    for (int64_t r = 0; r < s->nrings; r++)
        for (int64_t j = 0; j < s->rings[r].nphi; j++) {
            const int64_t p = s->rings[r].offset + j * s->rings[r].stride;
            v[p] = 1.5 + random_next(&stream);
            if (r < s->nrings / 3 || j % 5 == 2) v[p] = 0, s->map[p] = (double)NAN;
        }
    return v;
}

/* Returned: is this pixel filled? -1: so near to `least` that either is right. */
static int is_filled(const radial_sum *holes, const radial_sum *full, double least)
{
    const long double share = holes->divisor / full->divisor - least;
    if (fabsl(share) < 1e-12L) return -1;
    return share < 0;
}

static int64_t check_pixel(const radial_oracle *o, const radial_scene *s, const double *v,
                           double least, int64_t r, int64_t j)
{
    const radial_sum holes = oracle_radial_sum(o, r, j, s->map, v);
    const radial_sum full = oracle_radial_sum(o, r, j, NULL, NULL);
    const double out = s->out[s->rings[r].offset + j * s->rings[r].stride];
    const int filled = is_filled(&holes, &full, least);
    if (filled > 0 || (filled < 0 && out == fill)) {
        if (out != fill)
            fail_msg("pixel %lld of ring %lld is not filled", (long long)j, (long long)r);
        return 1;
    }
    const double size = (double)(holes.size / fabsl(holes.divisor));
    const double ties = 2 * (double)((holes.tie + holes.ties) / fabsl(holes.divisor));
    const double bound = 1e-13 * size * fmax(1, (double)(full.size / holes.size));
    check_at_most(fabs(out - (double)(holes.value / holes.divisor)) - ties, bound,
                  "pixel %lld of ring %lld, least = %g", (long long)j, (long long)r, least);
    return 0;
}

/* Returned: pixels that are filled. */
static int64_t check_weighted(radial_scene *s, const radial_case *c, const double *v, double least,
                              armilla_radial_method method)
{
    const armilla_radial_options options = options_of(c, ARMILLA_RADIAL_AUTO, method);
    armilla_radial *radial = plan_of(s, c, &options);
    radial_oracle o = oracle_of(s, c, radial);
    o.factor = 1;
    int64_t filled = 0;
    check_ok(armilla_radial_convolve_weighted(radial, s->map, v, least, fill, s->out, NULL));
    for (int64_t r = 0; r < s->nrings; r++)
        for (int64_t j = 0; j < s->rings[r].nphi; j++)
            if (s->npix < 500 || is_chosen(s, r, j)) filled += check_pixel(&o, s, v, least, r, j);
    armilla_radial_free(radial);
    return filled;
}

static void check_scene(radial_scene *s)
{
    static const int kernels[] = {0, 1, 2, 3, 6, 7};
    double *v = weights_of(s);
    int64_t filled = 0;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        radial_case c = radial_case_number(kernels[i], s->pixel);
        for (int method = ARMILLA_RADIAL_PIXELS; method <= LAST_METHOD; method++) {
            filled += check_weighted(s, &c, v, 0.1, (armilla_radial_method)method);
            filled += check_weighted(s, &c, v, 0.6, (armilla_radial_method)method);
        }
        close_case(&c);
    }
    assert_true(filled > 0);
    free(v);
}

static void quotients_of_direct_sums(void **state)
{
    (void)state;
    static const int64_t nsides[] = {2, 5, 8};
    for (int i = 0; i < 3; i++) {
        radial_scene s = healpix_scene(nsides[i]);
        check_scene(&s);
        close_scene(&s);
    }
}

static void quotients_on_other_grids(void **state)
{
    (void)state;
    armilla_grid *grid, *part;
    check_ok(armilla_grid_new_gauss_legendre(9, 19, &grid));
    radial_scene gauss = open_scene(grid);
    check_scene(&gauss);
    close_scene(&gauss);
    check_ok(armilla_grid_new_healpix(6, &grid));
    check_ok(armilla_grid_new_subset(grid, 5, 12, 0, &part));
    armilla_grid_free(grid);
    radial_scene patch = open_scene(part);
    check_scene(&patch);
    close_scene(&patch);
}

/* With weights of 1 it is the normalization SUM. */
static void weights_of_one_are_normalization_by_sums(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(8);
    radial_case c = gaussian_case(6 * DEGREE, 14 * DEGREE);
    const armilla_radial_options options =
        options_of(&c, ARMILLA_RADIAL_SUM, ARMILLA_RADIAL_FASTEST);
    armilla_radial *radial = plan_of(&s, &c, &options);
    double *ones = checked_malloc(s.npix, 8), *out = checked_malloc(s.npix, 8);
    for (int64_t p = 0; p < s.npix; p++) ones[p] = 1;
    check_ok(armilla_radial_convolve(radial, s.map, s.out, NULL));
    check_ok(armilla_radial_convolve_weighted(radial, s.map, ones, 0.5, fill, out, NULL));
    for (int64_t p = 0; p < s.npix; p++)
        check_at_most(fabs(out[p] - s.out[p]), 1e-14, "pixel %lld", (long long)p);
    free(out);
    free(ones);
    armilla_radial_free(radial);
    close_case(&c);
    close_scene(&s);
}

/* A constant is that constant wherever there is anything; a map of which nothing is there is all
 * fill. */
static void constants_stay_behind_masks(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(8);
    radial_case c = gaussian_case(6 * DEGREE, 14 * DEGREE);
    armilla_radial *radial = plan_of(&s, &c, NULL);
    double *v = weights_of(&s);
    for (int64_t p = 0; p < s.npix; p++) s.map[p] = v[p] > 0 ? 3.5 : (double)NAN;
    check_ok(armilla_radial_convolve_weighted(radial, s.map, v, 1e-3, fill, s.out, NULL));
    int64_t filled = 0;
    for (int64_t p = 0; p < s.npix; p++) {
        filled += s.out[p] == fill;
        if (s.out[p] != fill) check_at_most(fabs(s.out[p] - 3.5), 1e-10, "pixel %d", (int)p);
    }
    assert_in_range(filled, s.npix / 20, s.npix / 3);
    for (int64_t p = 0; p < s.npix; p++) v[p] = 0, s.map[p] = (double)NAN;
    check_ok(armilla_radial_convolve_weighted(radial, s.map, v, 1e-3, fill, s.out, NULL));
    for (int64_t p = 0; p < s.npix; p++) assert_true(s.out[p] == fill);
    free(v);
    armilla_radial_free(radial);
    close_case(&c);
    close_scene(&s);
}

/* Threads, several maps at distances, float: as in test_radial_calls.c. */
static void calls_agree(void **state)
{
    (void)state;
    enum { NTRANS = 3, GAP = 4 };
    radial_scene s = healpix_scene(9);
    double *v = weights_of(&s);
    const int64_t distance = s.npix + GAP;
    double *maps = checked_malloc(NTRANS * distance, 8),
           *outs = checked_malloc(NTRANS * distance, 8);
    float *from = checked_malloc(s.npix, 4), *to = checked_malloc(s.npix, 4);
    random_fill(96, NTRANS * distance, maps);
    for (int i = 0; i < 3; i++) {
        radial_case c = radial_case_number(i, s.pixel);
        armilla_radial *radial = plan_of(&s, &c, NULL);
        armilla_exec exec = one_thread();
        for (int threads = 1; threads <= 3; threads++) {
            exec.ntrans = NTRANS, exec.map_distance = distance, exec.nthreads = threads;
            check_ok(armilla_radial_convolve_weighted(radial, maps, v, 0.3, fill, outs, &exec));
            exec = one_thread();
            for (int k = 0; k < NTRANS; k++) {
                check_ok(armilla_radial_convolve_weighted(radial, maps + k * distance, v, 0.3, fill,
                                                          s.out, &exec));
                assert_memory_equal(s.out, outs + k * distance, (size_t)s.npix * 8);
            }
        }
        to_float(s.npix, maps, from);
        to_double(s.npix, from, s.map);
        check_ok(armilla_radial_convolve_weighted(radial, s.map, v, 0.3, fill, s.out, NULL));
        check_ok(armilla_radial_convolve_weighted_float(radial, from, v, 0.3, fill, to, NULL));
        for (int64_t p = 0; p < s.npix; p++)
            check_at_most(fabs(to[p] - s.out[p]), 1.5e-7 * fabs(s.out[p]) + 1e-12, "pixel %d",
                          (int)p);
        armilla_radial_free(radial);
        close_case(&c);
    }
    free(to);
    free(from);
    free(outs);
    free(maps);
    free(v);
    close_scene(&s);
}

/* Far inside of a hole there is nothing but rounding: no mean is made of that, however little
 * weight is asked for. Means of what is there lie between its least and its largest value. */
static void rounding_is_no_weight(void **state)
{
    (void)state;
    radial_scene s = healpix_scene(16);
    double *v = checked_malloc(s.npix, sizeof *v);
    radial_case c = {.name = "Gaussian"};
    check_ok(armilla_kernel_new_gaussian(0.2, &c.kernel));
    for (int64_t p = 0; p < s.npix; p++) v[p] = p < s.npix / 2 ? 0 : 40;
    for (int mode = 0; mode <= LAST_MODE; mode++)
        for (int method = 0; method <= LAST_METHOD; method++) {
            armilla_radial_options options =
                options_of(&c, ARMILLA_RADIAL_AUTO, (armilla_radial_method)method);
            options.mode = (armilla_radial_mode)mode;
            armilla_radial *radial = plan_of(&s, &c, &options);
            check_ok(armilla_radial_convolve_weighted(radial, s.map, v, 0, fill, s.out, NULL));
            const armilla_radial_description d = described(radial);
            for (int64_t r = 0; r < s.nrings; r++)
                for (int64_t j = 0; j < s.rings[r].nphi; j++) {
                    const double value = s.out[s.rings[r].offset + j * s.rings[r].stride];
                    if (s.rings[r].theta < M_PI / 2 - d.support - 0.1) assert_true(value == fill);
                    /* band-limited rings overshoot, and more so where little weight is left */
                    if (value != fill && mode == 0)
                        check_at_most(fabs(value), 1.001, "%s, ring %d", d.method, (int)r);
                }
            armilla_radial_free(radial);
        }
    close_case(&c);
    close_scene(&s);
    free(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients_of_direct_sums),
        cmocka_unit_test(quotients_on_other_grids),
        cmocka_unit_test(weights_of_one_are_normalization_by_sums),
        cmocka_unit_test(constants_stay_behind_masks),
        cmocka_unit_test(calls_agree),
        cmocka_unit_test(rounding_is_no_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

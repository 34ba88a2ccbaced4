/* Checks identities of radial convolution: <K a, b> = <a, K^T b>, linearity, and agreement with
 * harmonic space, whose sums are others altogether. */
#include "test_radial_scene.h"

typedef struct vectors {
    double *a, *b, *forth, *back;
} vectors; /* of npix numbers, 0 where no ring has a pixel */

static vectors new_vectors(const radial_scene *s)
{
    vectors v = {checked_malloc(s->npix, 8), checked_malloc(s->npix, 8), checked_calloc(s->npix, 8),
                 checked_calloc(s->npix, 8)};
    char *there = pixels_of_rings(s);
    random_fill(81, s->npix, v.a);
    random_fill(82, s->npix, v.b);
    for (int64_t p = 0; p < s->npix; p++)
        if (!there[p]) v.a[p] = v.b[p] = 0;
    free(there);
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
static double adjointness(const radial_scene *s, const vectors *v)
{
    const double left = dot_maps(s->npix, v->forth, v->b);
    const double right = dot_maps(s->npix, v->a, v->back);
    return fabs(left - right) /
           sqrt(dot_maps(s->npix, v->forth, v->forth) * dot_maps(s->npix, v->b, v->b));
}

static double adjointness_of_floats(const radial_scene *s, vectors *v, const armilla_radial *radial)
{
    float *from = checked_malloc(s->npix, 4), *to = checked_calloc(s->npix, 4);
    to_float(s->npix, v->a, from);
    check_ok(armilla_radial_convolve_float(radial, from, to, NULL));
    to_double(s->npix, from, v->a);
    to_double(s->npix, to, v->forth);
    to_float(s->npix, v->b, from);
    check_ok(armilla_radial_adjoint_float(radial, from, to, NULL));
    to_double(s->npix, from, v->b);
    to_double(s->npix, to, v->back);
    free(from);
    free(to);
    return adjointness(s, v);
}

static void check_adjoint(const radial_scene *s, const radial_case *c,
                          armilla_radial_normalization normalization, armilla_radial_method method,
                          armilla_radial_mode mode)
{
    armilla_radial_options options = options_of(c, normalization, method);
    options.mode = mode;
    armilla_radial *radial = plan_of(s, c, &options);
    vectors v = new_vectors(s);
    check_ok(armilla_radial_convolve(radial, v.a, v.forth, NULL));
    check_ok(armilla_radial_adjoint(radial, v.b, v.back, NULL));
    const armilla_radial_description d = described(radial);
    check_at_most(adjointness(s, &v), 1e-13, "%s, %s, %s, npix = %lld, mode %d", c->name, d.method,
                  d.normalization, (long long)s->npix, (int)mode);
    check_at_most(adjointness_of_floats(s, &v, radial), 1e-6, "float: %s, %s, %s, npix = %lld",
                  c->name, d.method, d.normalization, (long long)s->npix);
    free_vectors(&v);
    armilla_radial_free(radial);
}

/* Only kernels whose integral is not 0 can be normalised. */
static int can_be_normalised(int number)
{
    return number != 4 && number != 5 && number != 10;
}

static void check_grid(armilla_grid *grid)
{
    radial_scene s = open_scene(grid);
    for (int number = 0; number < RADIAL_CASES; number++) {
        radial_case c = radial_case_number(number, s.pixel);
        for (int way = ARMILLA_RADIAL_NONE; way <= ARMILLA_RADIAL_SUM; way++) {
            if (way != ARMILLA_RADIAL_NONE && !can_be_normalised(number)) continue;
            for (int method = 0; method <= LAST_METHOD; method++)
                check_adjoint(&s, &c, (armilla_radial_normalization)way,
                              (armilla_radial_method)method, ARMILLA_RADIAL_EXACT);
        }
        for (int mode = 1; mode <= (checks_quick() && number % 4 ? 0 : LAST_MODE); mode++)
            check_adjoint(&s, &c, ARMILLA_RADIAL_NONE, ARMILLA_RADIAL_FASTEST,
                          (armilla_radial_mode)mode);
        close_case(&c);
    }
    close_scene(&s);
}

static void adjoint_on_healpix(void **state)
{
    (void)state;
    static const int64_t nsides[] = {1, 3, 8, 17};
    for (int i = 0; i < (checks_quick() ? 3 : 4); i++) {
        armilla_grid *grid;
        check_ok(armilla_grid_new_healpix(nsides[i], &grid));
        check_grid(grid);
    }
}

static void adjoint_on_exact_grids(void **state)
{
    (void)state;
    for (int kind = 0; kind < EXACT_KINDS; kind++)
        check_grid(exact_grid(exact_kinds[kind], 11, 11, 1, 0));
}

static void adjoint_on_any_rings(void **state)
{
    (void)state;
    const armilla_ring rings[] = {{2.4, 7, 100, 31, 2, 1},      {M_PI, 3, 0.1, 0, 1, 0.2},
                                  {0, 5, 2.5, 3, 1, 0.1},       {0.7, 16, 1e-3, 90, -1, 0.3},
                                  {1.5, 64, 6.1, 300, 1, 0.05}, {1.52, 63, -50.5, 400, 1, 0.05}};
    armilla_grid *grid, *part;
    check_ok(armilla_grid_new_custom(6, rings, &grid));
    check_grid(grid);
    check_ok(armilla_grid_new_healpix(9, &grid));
    check_ok(armilla_grid_new_subset(grid, 7, 11, 0, &part));
    armilla_grid_free(grid);
    check_grid(part);
}

/* t_q = w_q sum over p of K map_p (SUM: of map_p over its divisor), by the oracle. */
static void check_adjoint_sums(radial_scene *s, const radial_case *c,
                               armilla_radial_normalization way, armilla_radial_method method)
{
    const armilla_radial_options options = options_of(c, way, method);
    armilla_radial *radial = plan_of(s, c, &options);
    radial_oracle o = oracle_of(s, c, radial);
    double *scaled = checked_malloc(s->npix, 8), worst = 0, size = 0;
    memcpy(scaled, s->map, (size_t)s->npix * 8);
    for (int64_t r = 0; way == ARMILLA_RADIAL_SUM && r < s->nrings; r++)
        for (int64_t j = 0; j < s->rings[r].nphi; j++)
            scaled[s->rings[r].offset + j] /=
                (double)oracle_radial_sum(&o, r, j, NULL, NULL).divisor;
    o.adjoint = 1;
    check_ok(armilla_radial_adjoint(radial, s->map, s->out, NULL));
    for (int64_t r = 0; r < s->nrings; r++)
        for (int64_t j = 0; j < s->rings[r].nphi; j++) {
            const radial_sum sum = oracle_radial_sum(&o, r, j, scaled, NULL);
            const long double weight = s->rings[r].weight;
            const double error =
                fabs((double)(weight * sum.value) - s->out[s->rings[r].offset + j]);
            worst = larger_or_nan(worst, error - 2 * (double)(weight * sum.tie));
            size = larger_or_nan(size, (double)(weight * sum.size));
        }
    check_at_most(worst / size, 1e-13, "%s, normalization %d, method %d", c->name, (int)way,
                  (int)method);
    free(scaled);
    armilla_radial_free(radial);
}

static void adjoint_is_the_sum_of_its_definition(void **state)
{
    (void)state;
    static const int kernels[] = {0, 2, 3, 7};
    armilla_grid *grid;
    check_ok(armilla_grid_new_gauss_legendre(9, 17, &grid));
    for (int which = 0; which < 2; which++) {
        radial_scene s = which ? open_scene(grid) : healpix_scene(4);
        for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
            radial_case c = radial_case_number(kernels[i], s.pixel);
            for (int way = ARMILLA_RADIAL_NONE; way <= ARMILLA_RADIAL_SUM; way++)
                for (int method = ARMILLA_RADIAL_PIXELS; method <= LAST_METHOD; method++)
                    check_adjoint_sums(&s, &c, (armilla_radial_normalization)way,
                                       (armilla_radial_method)method);
            close_case(&c);
        }
        close_scene(&s);
    }
}

/* --- Harmonic space --------------------------------------------------------------------------- */

/* map -> map: adjoint synthesis of w map, times b_l, synthesis. With b_l up to where they vanish it
 * is the same sum over pixels. */
static void smooth(const radial_scene *s, int64_t lmax, const double *window, double *map)
{
    armilla_sht *sht;
    check_ok(armilla_sht_new(s->grid, lmax, lmax, NULL, &sht));
    double *alm = checked_malloc(2 * armilla_alm_size(lmax, lmax), sizeof *alm);
    for (int64_t r = 0; r < s->nrings; r++)
        for (int64_t j = 0; j < s->rings[r].nphi; j++)
            map[s->rings[r].offset + j * s->rings[r].stride] *= s->rings[r].weight;
    check_ok(armilla_sht_adjoint_synthesis(sht, map, alm, NULL));
    for (int64_t m = 0; m <= lmax; m++)
        for (int64_t l = m; l <= lmax; l++)
            for (int i = 0; i < 2; i++) alm[2 * armilla_alm_index(lmax, l, m) + i] *= window[l];
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    free(alm);
    armilla_sht_free(sht);
}

/* Every pixel, largest difference over the largest value. */
static void check_harmonic(armilla_grid *grid, radial_case c, int64_t lmax, double bound)
{
    radial_scene s = open_scene(grid);
    armilla_radial_options options = options_of(&c, ARMILLA_RADIAL_NONE, ARMILLA_RADIAL_FASTEST);
    armilla_radial *radial = plan_of(&s, &c, &options);
    double *window = checked_malloc(lmax + 1, sizeof *window), worst = 0, most = 0;
    check_ok(armilla_kernel_window(c.kernel, M_PI, lmax, window));
    check_ok(armilla_radial_convolve(radial, s.map, s.out, NULL));
    smooth(&s, lmax, window, s.map);
    for (int64_t p = 0; p < s.npix; p++) {
        worst = larger_or_nan(worst, fabs(s.map[p] - s.out[p]));
        most = larger_or_nan(most, fabs(s.map[p]));
    }
    check_at_most(worst / most, bound, "%s, npix = %lld, lmax = %lld", c.name, (long long)s.npix,
                  (long long)lmax);
    free(window);
    armilla_radial_free(radial);
    close_scene(&s);
    close_case(&c);
}

static void agrees_with_harmonic_smoothing(void **state)
{
    (void)state;
    const int64_t nside = checks_quick() ? 16 : 64;
    const double pixel = sqrt(4 * M_PI / 12) / (double)nside;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(nside, &grid));
    check_harmonic(grid, gaussian_case(4 * pixel, 14 * pixel), 5 * nside, 1e-12);
    check_ok(armilla_grid_new_healpix(nside / 2 + 1, &grid));
    check_harmonic(grid, mexican_hat_case(6 * pixel, 24 * pixel), 6 * nside, 1e-12);
    check_ok(armilla_grid_new_gauss_legendre(2 * nside + 1, 4 * nside - 1, &grid));
    check_harmonic(grid, gaussian_case(6 * pixel, 21 * pixel), 4 * nside, 1e-12);
}

/* The default support changes a map of the unit spectrum by less than 1e-7; one of random pixels is
 * nearly that. */
static void default_support_keeps_its_promise(void **state)
{
    (void)state;
    const int64_t nside = 32;
    const double pixel = sqrt(4 * M_PI / 12) / (double)nside;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(nside, &grid));
    check_harmonic(grid, gaussian_case(4 * pixel, 0), 5 * nside, 3e-7);
    check_ok(armilla_grid_new_healpix(nside, &grid));
    check_harmonic(grid, mexican_hat_case(4 * pixel, 0), 6 * nside, 3e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjoint_on_healpix),
        cmocka_unit_test(adjoint_on_exact_grids),
        cmocka_unit_test(adjoint_on_any_rings),
        cmocka_unit_test(adjoint_is_the_sum_of_its_definition),
        cmocka_unit_test(agrees_with_harmonic_smoothing),
        cmocka_unit_test(default_support_keeps_its_promise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

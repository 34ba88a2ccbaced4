/* Goes over all that the library does with maps and checks that it takes maps in NESTED order: with
 * the results of RING order at their places, or with an error that names the order. */
#include "test_nested_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { NSIDE = 16, NPIX = 12 * NSIDE * NSIDE, LMAX = 24, ALM = (LMAX + 1) * (LMAX + 2) / 2 };

/* Grids and maps of both orders: RING, NESTED. */
typedef struct {
    armilla_grid *grid[2];
    double *map[2];  /* [3][NPIX]: the same three maps */
    double *made[2]; /* [4][NPIX] */
    double *alm;     /* [3][ALM] complex */
} scene;

static void open_scene(armilla_grid *plain, scene *s)
{
    s->grid[0] = plain, s->grid[1] = nested_of(plain);
    s->alm = checked_malloc(2 * 3 * ALM, 8);
    for (int64_t c = 0; c < 3; c++)
        random_alm_triangle(5 + (uint64_t)c, LMAX, LMAX, s->alm + 2 * c * ALM);
    for (int64_t i = 0; i < 10; i++) s->alm[2 * ALM + i] = s->alm[4 * ALM + i] = 0;
    for (int i = 0; i < 2; i++) {
        s->map[i] = checked_malloc(3 * NPIX, 8), s->made[i] = checked_malloc(4 * NPIX, 8);
        memset(s->made[i], 0, 4 * NPIX * sizeof(double));
    }
    random_fill(9, 3 * NPIX, s->map[0]);
    to_nested(NSIDE, 3, 8, s->map[0], s->map[1]);
}

static void close_scene(scene *s)
{
    for (int i = 0; i < 2; i++) {
        free(s->map[i]);
        free(s->made[i]);
        armilla_grid_free(s->grid[i]);
    }
    free(s->alm);
}

/* --- Transforms ------------------------------------------------------------------------------- */

static void weights_of_rings(void **state)
{
    (void)state;
    armilla_grid *weighted;
    scene s;
    double *alm[2];
    check_ok(armilla_grid_new_healpix_weighted(NSIDE, 2 * NSIDE, &weighted));
    open_scene(weighted, &s);
    for (int i = 0; i < 2; i++) {
        armilla_sht *sht;
        alm[i] = checked_malloc(2 * ALM, 8);
        check_ok(armilla_sht_new(s.grid[i], LMAX, LMAX, NULL, &sht));
        check_ok(armilla_sht_analysis(sht, s.map[i], alm[i], NULL));
        armilla_sht_free(sht);
    }
    assert_memory_equal(alm[0], alm[1], 2 * ALM * sizeof(double));
    free(alm[0]);
    free(alm[1]);
    close_scene(&s);
}

static void polarised_maps(void **state)
{
    (void)state;
    scene s;
    double *alm[2];
    open_scene(healpix_grid(NSIDE), &s);
    for (int i = 0; i < 2; i++) {
        armilla_iqu *iqu;
        alm[i] = checked_malloc(2 * 3 * ALM, 8);
        check_ok(armilla_iqu_new(s.grid[i], LMAX, LMAX, NULL, &iqu));
        check_ok(armilla_iqu_synthesis(iqu, s.alm, s.made[i], NULL));
        check_ok(armilla_iqu_analysis(iqu, s.map[i], alm[i], NULL));
        armilla_iqu_free(iqu);
    }
    check_moved(NSIDE, 3, 8, s.made[0], s.made[1], "I, Q, U");
    assert_memory_equal(alm[0], alm[1], 2 * 3 * ALM * sizeof(double));
    free(alm[0]);
    free(alm[1]);
    close_scene(&s);
}

/* Sums over pixels come in another order, so that the last bits differ. A pixel of weight 0 is not
 * read. */
static void check_pseudo(armilla_pseudo_method method, int is_weighted)
{
    scene s;
    double *alm[2], *weights[2] = {NULL, NULL};
    open_scene(healpix_grid(NSIDE), &s);
    for (int i = 0; i < 2; i++) {
        armilla_pseudo_options options;
        armilla_pseudo_report report;
        armilla_sht *sht;
        const int64_t hole = i ? armilla_healpix_ring_to_nest(NSIDE, 77) : 77;
        armilla_pseudo_options_init(&options);
        options.method = method, options.max_iterations = method ? 3 : 100;
        weights[i] = checked_malloc(NPIX, 8);
        alm[i] = checked_malloc(2 * ALM, 8);
        for (int64_t p = 0; p < NPIX; p++) weights[0][p] = 0.5 + 0.4 * sin((double)p);
        weights[0][77] = 0;
        if (i) to_nested(NSIDE, 1, 8, weights[0], weights[1]);
        if (is_weighted) options.weights = weights[i], s.map[i][hole] = NAN;
        check_ok(armilla_sht_new(s.grid[i], LMAX, LMAX, NULL, &sht));
        check_ok(armilla_sht_pseudo_analysis(sht, s.map[i], alm[i], &options, &report, NULL));
        char text[64];
        snprintf(text, sizeof text, "(pixel %lld of component 0)", (long long)hole + 1);
        s.map[i][hole + 1] = NAN;
        check_error(armilla_sht_pseudo_analysis(sht, s.map[i], alm[i], &options, &report, NULL),
                    ARMILLA_ERROR_ARGUMENT, text);
        armilla_sht_free(sht);
    }
    check_at_most(rms_error(2 * ALM, alm[0], alm[1]), 1e-13, "method %d, %s", (int)method,
                  is_weighted ? "with weights" : "without");
    for (int i = 0; i < 2; i++) free(alm[i]), free(weights[i]);
    close_scene(&s);
}

static void iterative_analysis(void **state)
{
    (void)state;
    for (int is_weighted = 0; is_weighted < 2; is_weighted++) {
        check_pseudo(ARMILLA_PSEUDO_LSMR, is_weighted);
        check_pseudo(ARMILLA_PSEUDO_JACOBI, is_weighted);
    }
}

static void missing_values_are_named_by_their_places(void **state)
{
    (void)state;
    scene s;
    armilla_sht *sht;
    armilla_exec exec;
    char text[64];
    const int64_t at = armilla_healpix_ring_to_nest(NSIDE, 100);
    open_scene(healpix_grid(NSIDE), &s);
    armilla_exec_init(&exec);
    exec.missing = ARMILLA_MISSING_ERROR;
    check_ok(armilla_sht_new(s.grid[1], LMAX, LMAX, NULL, &sht));
    check_ok(armilla_sht_analysis(sht, s.map[1], s.made[1], &exec));
    s.map[1][at] = NAN;
    snprintf(text, sizeof text, "map[%lld] = nan: is missing, one of 1 values", (long long)at);
    check_error(armilla_sht_analysis(sht, s.map[1], s.made[1], &exec), ARMILLA_ERROR_ARGUMENT,
                text);
    armilla_sht_free(sht);
    close_scene(&s);
}

/* --- Radial convolutions ---------------------------------------------------------------------- */

typedef struct {
    armilla_radial_mode mode;
    armilla_radial_method method;
    armilla_radial_normalization normalization;
    int64_t spin;
} convolution;

static void check_convolution(const convolution *c)
{
    const int64_t ncomp = c->spin ? 2 : 1;
    armilla_kernel *kernel;
    scene s;
    open_scene(healpix_grid(NSIDE), &s);
    check_ok(armilla_kernel_new_gaussian(0.3, &kernel));
    for (int step = 0; step < (c->spin ? 2 : 3); step++) {
        for (int i = 0; i < 2; i++) {
            armilla_radial_options options;
            armilla_radial *radial;
            armilla_radial_options_init(&options);
            options.mode = c->mode, options.method = c->method, options.spin = c->spin;
            options.normalization = c->normalization;
            check_ok(armilla_radial_new(s.grid[i], kernel, &options, &radial));
            double *const weights = s.made[i] + 3 * NPIX;
            for (int64_t p = 0; p < NPIX; p++) weights[p] = fabs(s.map[i][p + NPIX]);
            if (step == 0)
                check_ok(armilla_radial_convolve(radial, s.map[i], s.made[i], NULL));
            else if (step == 1)
                check_ok(armilla_radial_adjoint(radial, s.map[i], s.made[i], NULL));
            else
                check_ok(armilla_radial_convolve_weighted(radial, s.map[i], weights, 0.01, -1,
                                                          s.made[i], NULL));
            armilla_radial_free(radial);
        }
        check_moved(NSIDE, ncomp, 8, s.made[0], s.made[1], "radial convolution");
    }
    armilla_kernel_free(kernel);
    close_scene(&s);
}

static void radial_convolutions(void **state)
{
    (void)state;
    for (int64_t spin = 0; spin <= 2; spin += 2) {
        check_convolution(&(convolution){0, ARMILLA_RADIAL_PIXELS, 0, spin});
        check_convolution(&(convolution){0, ARMILLA_RADIAL_RINGS, 0, spin});
        check_convolution(&(convolution){0, ARMILLA_RADIAL_FASTEST, ARMILLA_RADIAL_SUM, spin});
    }
    check_convolution(&(convolution){ARMILLA_RADIAL_STANDARD, 0, 0, 0});
}

static void floats_are_convolved(void **state)
{
    (void)state;
    armilla_kernel *kernel;
    float *map[2], *made[2];
    scene s;
    open_scene(healpix_grid(NSIDE), &s);
    check_ok(armilla_kernel_new_tophat(0.2, &kernel));
    for (int i = 0; i < 2; i++) {
        armilla_radial *radial;
        map[i] = checked_malloc(NPIX, 4), made[i] = checked_malloc(NPIX, 4);
        to_float(NPIX, s.map[i], map[i]);
        check_ok(armilla_radial_new(s.grid[i], kernel, NULL, &radial));
        check_ok(armilla_radial_convolve_float(radial, map[i], made[i], NULL));
        armilla_radial_free(radial);
    }
    check_moved(NSIDE, 1, 4, made[0], made[1], "floats");
    for (int i = 0; i < 2; i++) free(map[i]), free(made[i]);
    armilla_kernel_free(kernel);
    close_scene(&s);
}

static armilla_status no_pixels(void *data, int64_t first, int64_t count, double *values)
{
    (void)data, (void)first, (void)count, (void)values;
    return ARMILLA_ERROR_INTERNAL;
}

static armilla_status no_output(void *data, int64_t first, int64_t count, const double *values)
{
    (void)data, (void)first, (void)count, (void)values;
    return ARMILLA_ERROR_INTERNAL;
}

/* A stream comes ring by ring. */
static void streams_are_refused(void **state)
{
    (void)state;
    armilla_grid *grid = nested_grid(NSIDE);
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_options options;
    armilla_radial_stream stream;
    armilla_radial_options_init(&options);
    armilla_radial_stream_init(&stream);
    options.method = ARMILLA_RADIAL_PIXELS;
    stream.read = no_pixels, stream.write = no_output;
    check_ok(armilla_kernel_new_tophat(0.2, &kernel));
    check_ok(armilla_radial_new(grid, kernel, &options, &radial));
    check_error(armilla_radial_convolve_stream(radial, &stream, NULL), ARMILLA_ERROR_UNSUPPORTED,
                "grid: is in NESTED order, which a stream does not take");
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

/* --- Lensing, points, pictures ---------------------------------------------------------------- */

static void check_lensing(int64_t spin)
{
    scene s;
    double *gradient = checked_malloc(2 * ALM, 8), *back[2];
    open_scene(healpix_grid(NSIDE), &s);
    memcpy(gradient, s.alm, 2 * ALM * sizeof *gradient);
    for (int64_t i = 0; i < 2 * ALM; i++) gradient[i] *= 1e-4;
    for (int i = 0; i < 2; i++) {
        armilla_deflection deflection;
        armilla_points_options options;
        armilla_lensing *lensing;
        armilla_deflection_init(&deflection);
        armilla_points_options_init(&options);
        options.spin = spin;
        deflection.lmax = deflection.mmax = LMAX, deflection.gradient = gradient;
        back[i] = checked_malloc(4 * ALM, 8);
        check_ok(armilla_lensing_new(s.grid[i], &deflection, LMAX, LMAX, &options, &lensing));
        check_ok(
            armilla_lensing_alm2lenmap(lensing, s.alm + (spin ? 2 * ALM : 0), s.made[i], NULL));
        check_ok(armilla_lensing_adjoint(lensing, s.map[i], back[i], NULL));
        armilla_lensing_free(lensing);
    }
    /* sums at points depend on nothing but the point; those of the adjoint on the points' sequence
     */
    check_moved(NSIDE, spin ? 2 : 1, 8, s.made[0], s.made[1], "lensed map");
    check_at_most(rms_error((spin ? 4 : 2) * ALM, back[0], back[1]), 1e-13, "adjoint");
    for (int i = 0; i < 2; i++) {
        armilla_deflection deflection;
        armilla_deflection_init(&deflection);
        deflection.lmax = deflection.mmax = LMAX, deflection.gradient = gradient;
        check_ok(armilla_lensing_distortion(s.grid[i], &deflection, ARMILLA_DISTORTION_EXACT,
                                            s.made[i]));
        free(back[i]);
    }
    check_moved(NSIDE, 4, 8, s.made[0], s.made[1], "distortion");
    free(gradient);
    close_scene(&s);
}

static void lensed_maps(void **state)
{
    (void)state;
    check_lensing(0);
    check_lensing(2);
}

static void interpolation(void **state)
{
    (void)state;
    enum { N = 5 };
    const double points[2 * N] = {0, 0, 0.3, 1, 1.5, 2, 2.2, 5, M_PI, 4};
    armilla_interpolation_options options;
    double values[2][N];
    scene s;
    open_scene(healpix_grid(NSIDE), &s);
    armilla_interpolation_options_init(&options);
    options.lmax = LMAX;
    for (int i = 0; i < 2; i++)
        check_ok(armilla_points_interpolate(s.grid[i], s.map[i], N, points, &options, values[i],
                                            NULL, NULL));
    for (int i = 0; i < N; i++) check_at_most(fabs(values[0][i] - values[1][i]), 1e-8, "%d", i);
    close_scene(&s);
}

static void *read_file(const char *path, long *size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    void *bytes = checked_malloc(*size, 1);
    assert_int_equal(fread(bytes, 1, (size_t)*size, file), *size);
    fclose(file);
    return bytes;
}

static void pictures(void **state)
{
    (void)state;
    scene s;
    void *bytes[2];
    long size[2];
    open_scene(healpix_grid(NSIDE), &s);
    for (int i = 0; i < 2; i++) {
        char path[64];
        snprintf(path, sizeof path, "nested_%d_%ld.png", i, (long)getpid());
        check_ok(armilla_picture_write_map(path, s.grid[i], s.map[i], NULL, 1));
        bytes[i] = read_file(path, &size[i]);
        remove(path);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], (size_t)size[0]);
    free(bytes[0]);
    free(bytes[1]);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_of_rings),
        cmocka_unit_test(polarised_maps),
        cmocka_unit_test(iterative_analysis),
        cmocka_unit_test(missing_values_are_named_by_their_places),
        cmocka_unit_test(radial_convolutions),
        cmocka_unit_test(floats_are_convolved),
        cmocka_unit_test(streams_are_refused),
        cmocka_unit_test(lensed_maps),
        cmocka_unit_test(interpolation),
        cmocka_unit_test(pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

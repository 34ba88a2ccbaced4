/* Convolution with sums of radial kernels at offsets is the direct sum over pixels, on any grid,
 * over the poles and with an angle for each ring; its adjoint is the transpose; no influence from
 * beyond the supports; refusals, memory that fails, bits. */
#include "test_radial_scene.h"

#include "base/memory.h"
#include "base/progress.h"

enum { KERNELS = 4 };

typedef struct {
    armilla_kernel *kernel[KERNELS];
    double offsets[KERNELS][2], weights[KERNELS];
    double *psi; /* of each ring */
} beam;

/* Widths in pixels of the scene; offsets: none, small, over poles, to the antipode. */
static beam make_beam(const radial_scene *s)
{
    static const double widths[KERNELS] = {3, 2.6, 4, 3};
    beam b = {.offsets = {{0, 0.3}, {0.13, 2.5}, {0.9, -1.2}, {(float)M_PI, 0.4}},
              .weights = {1, -0.6, 0.7, 0.3}};
    for (int j = 0; j < KERNELS; j++)
        check_ok(armilla_kernel_new_gaussian(fmin(widths[j] * s->pixel, 2), &b.kernel[j]));
    b.psi = checked_malloc(s->nrings, sizeof *b.psi);
    random_fill(5, s->nrings, b.psi);
    return b;
}

static void free_beam(beam *b)
{
    for (int j = 0; j < KERNELS; j++) armilla_kernel_free(b->kernel[j]);
    free(b->psi);
}

static armilla_asymmetric *make_plan(const radial_scene *s, const beam *b,
                                     armilla_radial_normalization normalization)
{
    armilla_radial_options options;
    armilla_asymmetric *plan;
    armilla_radial_options_init(&options);
    options.normalization = normalization, options.truncation_error = 1e-4;
    check_ok(armilla_asymmetric_new(s->grid, KERNELS, (const armilla_kernel *const *)b->kernel,
                                    &b->offsets[0][0], b->weights, b->psi, &options, &plan));
    return plan;
}

/* --- The sum ---------------------------------------------------------------------------------- */

static void set_vector(long double theta, long double phi, long double v[3])
{
    v[0] = sinl(theta) * cosl(phi), v[1] = sinl(theta) * sinl(phi), v[2] = cosl(theta);
}

static long double angle_between(const long double a[3], const long double b[3])
{
    const long double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
                      z = a[0] * b[1] - a[1] * b[0];
    return atan2l(sqrtl(x * x + y * y + z * z), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/* R_z(phi) R_y(theta) R_z(psi) offset. */
static void set_place(const armilla_ring *ring, int64_t pixel, const double *offset, double psi,
                      long double v[3])
{
    const long double phi =
        (long double)ring->phi0 + 2 * acosl(-1) * (long double)pixel / ring->nphi;
    const long double theta = ring->theta;
    long double n[3];
    set_vector(offset[0] > M_PI ? acosl(-1) : offset[0], (long double)offset[1] + psi, n);
    const long double x = cosl(theta) * n[0] + sinl(theta) * n[2];
    v[0] = cosl(phi) * x - sinl(phi) * n[1], v[1] = sinl(phi) * x + cosl(phi) * n[1];
    v[2] = cosl(theta) * n[2] - sinl(theta) * n[0];
}

/* Sums of weight K map, or over those of weight K, about a place; *size: of the values' sizes. */
static double direct_sum(const radial_scene *s, const armilla_kernel *kernel, double support,
                         const long double place[3], int is_mean, double *size)
{
    long double sum = 0, norm = 0, sizes = 0;
    for (int64_t r = 0; r < s->nrings; r++)
        for (int64_t i = 0; i < s->rings[r].nphi; i++) {
            long double source[3];
            double value;
            set_vector(s->rings[r].theta,
                       s->rings[r].phi0 + 2 * acosl(-1) * (long double)i / s->rings[r].nphi,
                       source);
            const double angle = (double)angle_between(place, source);
            if (angle > support) continue;
            check_ok(armilla_kernel_values(kernel, 1, &angle, &value));
            const long double weight = (long double)s->rings[r].weight * value;
            const double pixel = s->map[s->rings[r].offset + i * s->rings[r].stride];
            sum += weight * pixel, norm += weight, sizes += fabsl(weight * pixel);
        }
    *size += (double)(is_mean ? sizes / norm : sizes);
    return (double)(is_mean ? sum / norm : sum);
}

static double support_of(const armilla_kernel *kernel)
{
    double support;
    check_ok(armilla_kernel_choose_support(kernel, 1e-4, 0, NULL, &support));
    return support;
}

/* Every few pixels. */
static void check_pixels(const radial_scene *s, const beam *b, int is_mean)
{
    double supports[KERNELS];
    for (int j = 0; j < KERNELS; j++) supports[j] = support_of(b->kernel[j]);
    for (int64_t r = 0; r < s->nrings; r++)
        for (int64_t i = r % 3; i < s->rings[r].nphi; i += 1 + s->rings[r].nphi / 2) {
            double want = 0, size = 0;
            for (int j = 0; j < KERNELS; j++) {
                long double place[3];
                set_place(&s->rings[r], i, b->offsets[j], b->psi[r], place);
                want +=
                    b->weights[j] * direct_sum(s, b->kernel[j], supports[j], place, is_mean, &size);
            }
            const double made = s->out[s->rings[r].offset + i * s->rings[r].stride];
            if (!(fabs(made - want) <= 1e-13 * size))
                fail_msg("ring %lld, pixel %lld: %.17g, not %.17g", (long long)r, (long long)i,
                         made, want);
        }
}

static double dot(int64_t count, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static void check_grid(armilla_grid *grid)
{
    radial_scene s = open_scene(grid);
    beam b = make_beam(&s);
    double *other = checked_calloc(s.npix, sizeof *other), *back = checked_calloc(s.npix, 8);
    for (int64_t r = 0; r < s.nrings; r++)
        for (int64_t i = 0; i < s.rings[r].nphi; i++)
            other[s.rings[r].offset + i * s.rings[r].stride] = sin((double)(17 * i + 3 * r));
    for (int is_mean = 0; is_mean < 2; is_mean++) {
        armilla_asymmetric *plan =
            make_plan(&s, &b, is_mean ? ARMILLA_RADIAL_SUM : ARMILLA_RADIAL_NONE);
        check_ok(armilla_asymmetric_convolve(plan, s.map, s.out, NULL));
        check_pixels(&s, &b, is_mean);
        check_ok(armilla_asymmetric_adjoint(plan, other, back, NULL));
        const double size = sqrt(dot(s.npix, s.out, s.out) * dot(s.npix, other, other));
        assert_true(fabs(dot(s.npix, s.out, other) - dot(s.npix, s.map, back)) <= 1e-13 * size);
        armilla_asymmetric_free(plan);
    }
    free(other), free(back);
    free_beam(&b);
    close_scene(&s);
}

static void sums_are_direct_ones(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(4, &grid));
    check_grid(grid);
    check_ok(armilla_grid_new_gauss_legendre(13, 27, &grid));
    check_grid(grid);
    check_ok(armilla_grid_new_reduced_gauss_legendre(21, 20, &grid));
    check_grid(grid);
    check_ok(armilla_grid_new_equidistant(ARMILLA_GRID_CC, 12, 16, &grid)); /* both poles */
    check_grid(grid);
}

/* --- Alike ------------------------------------------------------------------------------------ */

/* A kernel without an offset is a radial convolution by PIXELS, bit by bit, whatever psi is. */
static void no_offset_is_a_radial_convolution(void **state)
{
    (void)state;
    static const double widths[] = {1.5, 4}; /* SUM and INTEGRAL */
    for (int i = 0; i < 2; i++) {
        armilla_grid *grid;
        armilla_kernel *kernel;
        armilla_radial *radial;
        armilla_asymmetric *plan;
        armilla_radial_options options;
        armilla_radial_description told = {.size = sizeof told};
        armilla_asymmetric_description own = {.size = sizeof own};
        const double none[2] = {0, 0.7}, weight = 1;
        armilla_radial_options_init(&options);
        options.method = ARMILLA_RADIAL_PIXELS;
        check_ok(armilla_grid_new_healpix(16, &grid));
        radial_scene s = open_scene(grid);
        double *want = checked_malloc(s.npix, sizeof *want);
        double *psi = checked_malloc(s.nrings, sizeof *psi);
        check_ok(armilla_kernel_new_gaussian(widths[i] * s.pixel, &kernel));
        random_fill(6, s.nrings, psi);
        check_ok(armilla_radial_new(grid, kernel, &options, &radial));
        check_ok(armilla_asymmetric_new(grid, 1, (const armilla_kernel *const[]){kernel}, none,
                                        &weight, psi, NULL, &plan));
        check_ok(armilla_radial_convolve(radial, s.map, want, NULL));
        check_ok(armilla_asymmetric_convolve(plan, s.map, s.out, NULL));
        assert_memory_equal(s.out, want, (size_t)s.npix * sizeof *want);
        check_ok(armilla_radial_describe(radial, 1, &told));
        check_ok(armilla_asymmetric_describe(plan, 1, &own));
        assert_int_equal(own.pairs, told.pairs);
        armilla_asymmetric_free(plan);
        armilla_radial_free(radial);
        armilla_kernel_free(kernel);
        free(want), free(psi);
        close_scene(&s);
    }
}

/* Pixels that see the point and no others. */
static void a_point_does_not_ring(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(16, &grid));
    radial_scene s = open_scene(grid);
    beam b = make_beam(&s);
    armilla_asymmetric *plan = make_plan(&s, &b, ARMILLA_RADIAL_NONE);
    const armilla_ring *of = &s.rings[20];
    long double point[3], place[3];
    int64_t seen = 0;
    double supports[KERNELS];
    for (int j = 0; j < KERNELS; j++) supports[j] = support_of(b.kernel[j]);
    memset(s.map, 0, (size_t)s.npix * sizeof *s.map);
    s.map[of->offset + 7] = 1;
    set_vector(of->theta, of->phi0 + 2 * acosl(-1) * 7 / of->nphi, point);
    check_ok(armilla_asymmetric_convolve(plan, s.map, s.out, NULL));
    for (int64_t r = 0; r < s.nrings; r++)
        for (int64_t i = 0; i < s.rings[r].nphi; i++) {
            int is_near = 0;
            for (int j = 0; j < KERNELS; j++) {
                set_place(&s.rings[r], i, b.offsets[j], b.psi[r], place);
                is_near |= (double)angle_between(point, place) <= supports[j];
            }
            assert_int_equal(s.out[s.rings[r].offset + i] != 0, is_near);
            seen += is_near;
        }
    assert_true(seen > 50 && seen < s.npix / 2);
    armilla_asymmetric_free(plan);
    free_beam(&b);
    close_scene(&s);
}

/* Six maps apart, of doubles and floats, on one thread and three. */
static void maps_threads_and_types(void **state)
{
    (void)state;
    enum { MAPS = 6, GAP = 11 };
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(8, &grid));
    radial_scene s = open_scene(grid);
    beam b = make_beam(&s);
    armilla_asymmetric *plan = make_plan(&s, &b, ARMILLA_RADIAL_AUTO);
    const int64_t distance = s.npix + GAP, count = MAPS * distance;
    double *maps = checked_malloc(count, 8), *out[2], *one = checked_malloc(s.npix, 8);
    float *floats = checked_malloc(count, 4), *short_out = checked_malloc(count, 4);
    random_fill(9, count, maps);
    for (int64_t i = 0; i < count; i++) floats[i] = (float)maps[i];
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.ntrans = MAPS, exec.map_distance = distance;
    for (int i = 0; i < 2; i++) {
        exec.nthreads = 1 + 2 * i, out[i] = checked_calloc(count, 8);
        check_ok(armilla_asymmetric_convolve(plan, maps, out[i], &exec));
    }
    assert_memory_equal(out[0], out[1], (size_t)count * 8);
    check_ok(armilla_asymmetric_convolve_float(plan, floats, short_out, &exec));
    for (int64_t t = 0; t < MAPS; t++) {
        check_ok(armilla_asymmetric_convolve(plan, maps + t * distance, one, NULL));
        assert_memory_equal(one, out[0] + t * distance, (size_t)s.npix * 8);
        for (int64_t p = 0; p < s.npix; p++)
            assert_true(fabs((double)short_out[t * distance + p] - one[p]) < 1e-6);
    }
    for (int i = 0; i < 2; i++) free(out[i]);
    free(maps), free(floats), free(short_out), free(one);
    armilla_asymmetric_free(plan);
    free_beam(&b);
    close_scene(&s);
}

/* --- Calls ------------------------------------------------------------------------------------ */

static void check_refused(const radial_scene *s, const beam *b, int64_t count,
                          const armilla_radial_options *options, const char *text)
{
    armilla_asymmetric *plan = NULL;
    check_error(armilla_asymmetric_new(s->grid, count, (const armilla_kernel *const *)b->kernel,
                                       &b->offsets[0][0], b->weights, b->psi, options, &plan),
                ARMILLA_ERROR_ARGUMENT, text);
    assert_null(plan);
}

static void what_cannot_be(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(4, &grid));
    radial_scene s = open_scene(grid);
    beam b = make_beam(&s);
    armilla_radial_options options;
    check_refused(&s, &b, 0, NULL, "nkernels = 0");
    armilla_radial_options_init(&options);
    options.mode = ARMILLA_RADIAL_STANDARD;
    check_refused(&s, &b, KERNELS, &options, "options->mode");
    armilla_radial_options_init(&options);
    options.method = ARMILLA_RADIAL_RINGS;
    check_refused(&s, &b, KERNELS, &options, "options->method");
    armilla_radial_options_init(&options);
    options.spin = 2;
    check_refused(&s, &b, KERNELS, &options, "options->spin = 2");
    b.weights[1] = NAN;
    check_refused(&s, &b, KERNELS, NULL, "weights[1]");
    b.weights[1] = 1, b.offsets[2][0] = 4;
    check_refused(&s, &b, KERNELS, NULL, "offsets: theta of offset 2");
    b.offsets[2][0] = 1, b.offsets[1][1] = INFINITY;
    check_refused(&s, &b, KERNELS, NULL, "offsets: phi of offset 1 = inf: must be finite");
    b.offsets[1][1] = 1, b.psi[3] = NAN;
    check_refused(&s, &b, KERNELS, NULL, "psi[3]");
    b.psi[3] = 0;
    armilla_asymmetric *plan = make_plan(&s, &b, ARMILLA_RADIAL_NONE);
    check_error(armilla_asymmetric_convolve(plan, NULL, s.out, NULL), ARMILLA_ERROR_ARGUMENT,
                "map");
    check_error(armilla_asymmetric_convolve(NULL, s.map, s.out, NULL), ARMILLA_ERROR_ARGUMENT,
                "plan");
    s.map[5] = NAN;
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.missing = ARMILLA_MISSING_ERROR;
    check_error(armilla_asymmetric_convolve(plan, s.map, s.out, &exec), ARMILLA_ERROR_ARGUMENT,
                "missing");
    armilla_asymmetric_free(plan);
    free_beam(&b);
    close_scene(&s);
    check_ok(armilla_grid_new_named("healpix:4:nested", &grid));
    check_error(armilla_asymmetric_new(grid, 1, NULL, NULL, NULL, NULL, NULL, &plan),
                ARMILLA_ERROR_UNSUPPORTED, "NESTED");
    armilla_grid_free(grid);
}

static void every_allocation_fails(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(4, &grid));
    radial_scene s = open_scene(grid);
    beam b = make_beam(&s);
    armilla_asymmetric *plan = NULL;
    armilla_status status = ARMILLA_ERROR_MEMORY;
    int64_t n = 0;
    for (; status; n++) {
        armilla_memory_fail_after(n);
        status = armilla_asymmetric_new(s.grid, KERNELS, (const armilla_kernel *const *)b.kernel,
                                        &b.offsets[0][0], b.weights, b.psi, NULL, &plan);
        armilla_memory_fail_after(-1);
        assert_true(!status || (status == ARMILLA_ERROR_MEMORY && !plan));
    }
    assert_true(n > 20 && n < 10000);
    for (status = ARMILLA_ERROR_MEMORY, n = 0; status; n++) {
        armilla_memory_fail_after(n);
        status = armilla_asymmetric_convolve(plan, s.map, s.out, NULL);
        armilla_memory_fail_after(-1);
        assert_true(!status || status == ARMILLA_ERROR_MEMORY);
    }
    assert_true(n > 1);
    armilla_asymmetric_description told = {.size = sizeof told};
    check_ok(armilla_asymmetric_describe(plan, 1, &told));
    assert_true(told.nkernels == KERNELS && told.npix == s.npix && told.nrings == s.nrings);
    assert_true(told.pairs > s.npix && told.workspace_bytes > 8 * s.npix && told.support > 0);
    armilla_asymmetric_free(plan);
    free_beam(&b);
    close_scene(&s);
}

static int64_t calls;
static double last;

static int watch(void *data, double done)
{
    (void)data;
    assert_true(done >= last && done <= 1);
    last = done;
    return calls-- == 0;
}

static void progress_and_cancelling(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_ok(armilla_grid_new_healpix(32, &grid));
    radial_scene s = open_scene(grid);
    beam b = make_beam(&s);
    armilla_asymmetric *plan = make_plan(&s, &b, ARMILLA_RADIAL_NONE);
    armilla_exec exec;
    armilla_exec_init(&exec);
    exec.progress = watch, exec.nthreads = 1;
    armilla_progress_set_interval(0);
    last = 0, calls = 1 << 30;
    check_ok(armilla_asymmetric_convolve(plan, s.map, s.out, &exec));
    if (fabs(last - 1) > 1e-12) fail_msg("ended at %.17g", last);
    last = 0, calls = 0;
    assert_int_equal(armilla_asymmetric_convolve(plan, s.map, s.out, &exec),
                     ARMILLA_ERROR_CANCELLED);
    armilla_progress_set_interval(0.05);
    armilla_asymmetric_free(plan);
    free_beam(&b);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_direct_ones),
        cmocka_unit_test(no_offset_is_a_radial_convolution),
        cmocka_unit_test(a_point_does_not_ring),
        cmocka_unit_test(maps_threads_and_types),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(every_allocation_fails),
        cmocka_unit_test(progress_and_cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

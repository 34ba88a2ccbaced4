/* Checks that convolution of maps that are streamed gives the bits of the whole map, every pixel
 * once, with no more memory than armilla_radial_stream_bytes says. */
#include "test_radial_scene.h"

/* What the callbacks read and write. */
typedef struct tape {
    const double *map; /* NaN: a hole */
    double *out;
    int64_t *written; /* [npix]: how often */
    int64_t read, largest, pieces;
    int64_t wrote;
    int fails_at; /* read number that fails; -1: none */
} tape;

static armilla_status read_pixels(void *data, int64_t first, int64_t count, double *values)
{
    tape *t = data;
    if (t->fails_at-- == 0) return ARMILLA_ERROR_IO;
    if (t->wrote) t->read = t->wrote = 0; /* a new piece */
    t->read += count;
    memcpy(values, t->map + first, (size_t)count * sizeof *values);
    return ARMILLA_OK;
}

static armilla_status write_pixels(void *data, int64_t first, int64_t count, const double *values)
{
    tape *t = data;
    t->pieces += t->wrote == 0;
    t->wrote += count;
    if (t->read + t->wrote > t->largest) t->largest = t->read + t->wrote;
    memcpy(t->out + first, values, (size_t)count * sizeof *values);
    for (int64_t i = 0; i < count; i++) t->written[first + i]++;
    return ARMILLA_OK;
}

static armilla_radial *new_plan(const radial_scene *s, double fwhm, int normalization)
{
    armilla_radial_options options;
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_options_init(&options);
    options.method = ARMILLA_RADIAL_PIXELS;
    options.normalization = (armilla_radial_normalization)normalization;
    check_ok(armilla_kernel_new_gaussian(fwhm, &kernel));
    check_ok(armilla_radial_new(s->grid, kernel, &options, &radial));
    armilla_kernel_free(kernel);
    return radial;
}

/* What a call with the whole map takes. */
static double scratch_bytes(const armilla_radial *radial, int nthreads)
{
    armilla_radial_description told = {.size = sizeof told};
    check_ok(armilla_radial_describe(radial, nthreads, &told));
    return (double)told.workspace_bytes;
}

/* The same map streamed with some memory; returns the number of pieces. */
static int64_t stream_map(const radial_scene *s, const armilla_radial *radial,
                          const double *expected, int weighted, int64_t memory, int nthreads)
{
    tape t = {.map = s->map, .fails_at = -1};
    t.out = checked_calloc(s->npix, sizeof *t.out);
    t.written = checked_calloc(s->npix, sizeof *t.written);
    armilla_radial_stream stream;
    armilla_exec exec;
    armilla_radial_stream_init(&stream);
    armilla_exec_init(&exec);
    exec.nthreads = nthreads;
    stream.read = read_pixels, stream.write = write_pixels, stream.data = &t;
    stream.memory_bytes = memory;
    stream.weighted = weighted;
    stream.least = weighted ? 0.01 : 0;
    stream.fill = -7;
    int64_t bytes = 0, least = 0;
    check_ok(armilla_radial_stream_bytes(radial, &stream, &exec, &bytes));
    check_ok(armilla_radial_convolve_stream(radial, &stream, &exec));
    for (int64_t i = 0; i < s->npix; i++) {
        assert_int_equal(t.written[i], 1);
        if (memcmp(&t.out[i], &expected[i], sizeof expected[i]))
            fail_msg("pixel %lld: %.17g, not %.17g", (long long)i, t.out[i], expected[i]);
    }
    /* What passed through the callbacks was in memory, and the weights; the rest is scratch. */
    assert_true(8 * t.largest <= bytes);
    if (t.pieces == 1)
        assert_true(8.0 * (double)t.largest + scratch_bytes(radial, nthreads) <= (double)bytes);
    const int64_t rest = bytes - 8 * t.largest;
    check_at_most((double)rest,
                  (weighted ? 8.0 * (double)t.largest : 0) + 2.0 * scratch_bytes(radial, nthreads),
                  "%d threads, memory %lld", nthreads, (long long)memory);
    stream.memory_bytes = 1; /* one ring at a time */
    check_ok(armilla_radial_stream_bytes(radial, &stream, &exec, &least));
    if (memory > 0)
        check_at_most((double)bytes,
                      fmax((double)memory + 16.0 * (double)s->nrings + 200, (double)least),
                      "memory %lld", (long long)memory);
    free(t.written);
    free(t.out);
    return t.pieces;
}

static void check_grid(armilla_grid *grid, double fwhm, int normalization, int weighted)
{
    radial_scene s = open_scene(grid);
    armilla_radial *radial = new_plan(&s, fwhm, normalization);
    double *weights = checked_malloc(s.npix, sizeof *weights);
    for (int64_t i = 0; i < s.npix; i++) {
        weights[i] = !(weighted && (i * 7919) % 1000 < 300);
        if (weights[i] == 0) s.map[i] = (double)NAN;
    }
    if (weighted)
        check_ok(armilla_radial_convolve_weighted(radial, s.map, weights, 0.01, -7, s.out, NULL));
    else
        check_ok(armilla_radial_convolve(radial, s.map, s.out, NULL));
    assert_int_equal(stream_map(&s, radial, s.out, weighted, 0, 1), 1);
    const int64_t some = stream_map(&s, radial, s.out, weighted, 4 * s.npix, 1);
    const int64_t many = stream_map(&s, radial, s.out, weighted, 1, 2);
    assert_true(many >= s.nrings / 2 && some >= 1 && some <= many);
    free(weights);
    armilla_radial_free(radial);
    close_scene(&s);
}

static void streams_have_the_bits_of_whole_maps(void **state)
{
    (void)state;
    armilla_grid *grid;
    check_grid(healpix_grid(64), 3 * DEGREE, ARMILLA_RADIAL_AUTO, 0);
    check_grid(healpix_grid(64), 3 * DEGREE, ARMILLA_RADIAL_SUM, 0);
    check_grid(healpix_grid(32), 5 * DEGREE, ARMILLA_RADIAL_AUTO, 1);
    check_grid(healpix_grid(15), 12 * DEGREE, ARMILLA_RADIAL_AUTO, 0);
    check_grid(healpix_grid(15), 12 * DEGREE, ARMILLA_RADIAL_AUTO, 1);
    check_ok(armilla_grid_new_gauss_legendre(40, 80, &grid));
    check_grid(grid, 9 * DEGREE, ARMILLA_RADIAL_AUTO, 0);
}

static void more_memory_makes_fewer_pieces(void **state)
{
    (void)state;
    radial_scene s = open_scene(healpix_grid(64));
    armilla_radial *radial = new_plan(&s, 2 * DEGREE, ARMILLA_RADIAL_AUTO);
    check_ok(armilla_radial_convolve(radial, s.map, s.out, NULL));
    int64_t last = s.nrings;
    for (int64_t memory = 100000; memory < 8000000; memory *= 2) {
        const int64_t pieces = stream_map(&s, radial, s.out, 0, memory, 1);
        assert_true(pieces <= last);
        last = pieces;
    }
    assert_int_equal(last, 1);
    armilla_radial_free(radial);
    close_scene(&s);
}

static void errors_of_reads_end_the_call(void **state)
{
    (void)state;
    radial_scene s = open_scene(healpix_grid(16));
    armilla_radial *radial = new_plan(&s, 6 * DEGREE, ARMILLA_RADIAL_AUTO);
    tape t = {.map = s.map, .out = s.out, .fails_at = 3};
    t.written = checked_calloc(s.npix, sizeof *t.written);
    armilla_radial_stream stream;
    armilla_radial_stream_init(&stream);
    stream.read = read_pixels, stream.write = write_pixels, stream.data = &t;
    stream.memory_bytes = 1;
    assert_int_equal(armilla_radial_convolve_stream(radial, &stream, NULL), ARMILLA_ERROR_IO);
    assert_int_equal(t.pieces, 1);
    int64_t bytes;
    check_error(armilla_radial_stream_bytes(radial, &stream, NULL, NULL), ARMILLA_ERROR_ARGUMENT,
                "bytes = NULL");
    check_error(armilla_radial_stream_bytes(NULL, &stream, NULL, &bytes), ARMILLA_ERROR_ARGUMENT,
                "radial = NULL");
    stream.memory_bytes = -1;
    check_error(armilla_radial_stream_bytes(radial, &stream, NULL, &bytes), ARMILLA_ERROR_ARGUMENT,
                "memory_bytes = -1");
    free(t.written);
    armilla_radial_free(radial);
    close_scene(&s);
}

/* A plan that cannot be streamed: named error. Takes the grid. */
static void check_refused(armilla_grid *grid, const armilla_radial_options *options,
                          const char *words)
{
    armilla_kernel *kernel;
    armilla_radial *radial;
    armilla_radial_stream stream;
    int64_t bytes = 77;
    armilla_radial_stream_init(&stream);
    stream.read = read_pixels, stream.write = write_pixels;
    check_ok(armilla_kernel_new_gaussian(6 * DEGREE, &kernel));
    check_ok(armilla_radial_new(grid, kernel, options, &radial));
    check_error(armilla_radial_stream_bytes(radial, &stream, NULL, &bytes), ARMILLA_ERROR_ARGUMENT,
                words);
    assert_int_equal(bytes, 77);
    armilla_radial_free(radial);
    armilla_kernel_free(kernel);
    armilla_grid_free(grid);
}

static void plans_that_cannot_be_streamed_are_named(void **state)
{
    (void)state;
    const armilla_ring southward[2] = {
        {.theta = 2, .nphi = 4, .offset = 0, .stride = 1, .weight = 1},
        {.theta = 1, .nphi = 4, .offset = 4, .stride = 1, .weight = 1}};
    armilla_radial_options options;
    armilla_grid *grid;
    armilla_radial_options_init(&options);
    options.method = ARMILLA_RADIAL_PIXELS;
    check_ok(armilla_grid_new_custom(2, southward, &grid));
    check_refused(grid, &options, "does not follow the one to its north");
    options.spin = 2;
    check_refused(healpix_grid(8), &options, "must have spin = 0");
    options.spin = 0, options.method = ARMILLA_RADIAL_RINGS;
    check_refused(healpix_grid(8), &options, "must have method = PIXELS");
    options.method = ARMILLA_RADIAL_FASTEST, options.mode = ARMILLA_RADIAL_STANDARD;
    check_refused(healpix_grid(8), &options, "must have mode = EXACT");
}

static void wrong_streams_are_named(void **state)
{
    (void)state;
    radial_scene s = open_scene(healpix_grid(8));
    armilla_radial *radial = new_plan(&s, 6 * DEGREE, ARMILLA_RADIAL_AUTO);
    armilla_radial_stream stream;
    armilla_exec exec;
    int64_t bytes;
    armilla_radial_stream_init(&stream);
    armilla_exec_init(&exec);
    check_error(armilla_radial_stream_bytes(radial, &stream, NULL, &bytes), ARMILLA_ERROR_ARGUMENT,
                "stream->read = NULL");
    stream.read = read_pixels;
    check_error(armilla_radial_stream_bytes(radial, &stream, NULL, &bytes), ARMILLA_ERROR_ARGUMENT,
                "stream->write = NULL");
    stream.write = write_pixels, stream.least = 1.5;
    check_error(armilla_radial_stream_bytes(radial, &stream, NULL, &bytes), ARMILLA_ERROR_ARGUMENT,
                "stream->least = 1.5");
    stream.least = NAN;
    check_error(armilla_radial_convolve_stream(radial, &stream, NULL), ARMILLA_ERROR_ARGUMENT,
                "stream->least = nan");
    stream.least = 0, exec.ntrans = 2;
    check_error(armilla_radial_convolve_stream(radial, &stream, &exec), ARMILLA_ERROR_ARGUMENT,
                "ntrans = 2: must be 1");
    armilla_radial_free(radial);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_have_the_bits_of_whole_maps),
        cmocka_unit_test(more_memory_makes_fewer_pieces),
        cmocka_unit_test(errors_of_reads_end_the_call),
        cmocka_unit_test(plans_that_cannot_be_streamed_are_named),
        cmocka_unit_test(wrong_streams_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

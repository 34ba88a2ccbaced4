/* Checks HEALPix maps of nside 16384 (12.9 GB of floats) and 32768 (51.5 GB) without such memory:
 * pixels by closed forms, single rings, files that list a few pixels, and files of the whole sky,
 * whose disk holds only what was written, read in pieces. */
#include "unit/test_io_support.h"

#include "oracle/checks.h"
#include "oracle/field_oracle.h"
#include "oracle/spin_checks.h"
#include <fcntl.h>
#include <math.h>

static const int64_t SIZES[] = {16384, 32768};
enum { NSIZES = 2 };

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Colatitude and longitude of pixel j of ring i, counted from 1; Gorski et al. 2005, (4) to (9). */
static void ring_pixel(int64_t nside, int64_t i, int64_t j, double *theta, double *phi)
{
    const long double n = (long double)nside, mirrored = (long double)(4 * nside - i);
    if (i < nside || i > 3 * nside) {
        const long double r = i < nside ? (long double)i : mirrored;
        const long double half = asinl(r / (sqrtl(6) * n)); /* of the distance from the pole */
        *theta = (double)(i < nside ? 2 * half : acosl(-1) - 2 * half);
        *phi = (double)(acosl(-1) / 2 * ((long double)j + 0.5L) / r);
    } else {
        const long double shift = (i - nside) % 2 ? 0 : 0.5L;
        *theta = (double)acosl((2 * n - (long double)i) * 2 / (3 * n));
        *phi = (double)(acosl(-1) / 2 * ((long double)j + shift) / n);
    }
}

static int64_t first_of_ring(int64_t nside, int64_t i)
{
    const int64_t rest = 4 * nside - i;
    if (i < nside) return 2 * i * (i - 1);
    if (i <= 3 * nside) return 2 * nside * (nside - 1) + 4 * nside * (i - nside);
    return 12 * nside * nside - 2 * rest * (rest + 1);
}

static int64_t length_of_ring(int64_t nside, int64_t i)
{
    const int64_t nearest = i < 4 * nside - i ? i : 4 * nside - i;
    return 4 * (nearest < nside ? nearest : nside);
}

static void check_pixel(int64_t nside, int64_t i, int64_t j)
{
    const int64_t ring = first_of_ring(nside, i) + j;
    const int64_t nest = armilla_healpix_ring_to_nest(nside, ring);
    double at[2], expected[2], vector[3];
    int64_t found[2];
    ring_pixel(nside, i, j, &expected[0], &expected[1]);
    assert_int_equal(armilla_healpix_nest_to_ring(nside, nest), ring);
    for (int nested = 0; nested < 2; nested++) {
        const int64_t pixel = nested ? nest : ring;
        check_ok(armilla_healpix_pixels_to_ang(nside, nested, 1, &pixel, &at[0], &at[1], 1));
        check_at_most(fabs(at[0] - expected[0]) + fabs(at[1] - expected[1]), 2e-15,
                      "nside %d, pixel %d of ring %d", (int)nside, (int)j, (int)i);
        check_ok(armilla_healpix_pixels_to_vec(nside, nested, 1, &pixel, 0, vector, 1));
        check_ok(armilla_healpix_ang_to_pixels(nside, nested, 1, &at[0], &at[1], &found[0], 1));
        check_ok(armilla_healpix_vec_to_pixels(nside, nested, 1, vector, 0, &found[1], 1));
        assert_true(found[0] == pixel && found[1] == pixel);
    }
}

/* First, last and other pixels of rings at poles, corners of faces and the equator, and of any. */
static void pixels_are_where_they_should_be(void **state)
{
    uint64_t stream = 3;
    (void)state;
    for (int k = 0; k < NSIZES; k++) {
        const int64_t n = SIZES[k];
        const int64_t rings[] = {1,         2,         n - 1,     n,         n + 1,
                                 2 * n - 1, 2 * n,     3 * n - 1, 3 * n,     3 * n + 1,
                                 4 * n - 2, 4 * n - 1, n / 2,     3 * n / 2, 7 * n / 2};
        for (int64_t r = 0; r < 2000; r++) {
            const int64_t any = 1 + (int64_t)((1 + random_next(&stream)) / 2 * (double)(4 * n - 1));
            const int64_t ring = r < 15 ? rings[r] : any;
            const int64_t length = length_of_ring(n, ring);
            check_pixel(n, ring, 0), check_pixel(n, ring, length - 1);
            check_pixel(n, ring, (int64_t)((1 + random_next(&stream)) / 2 * (double)length));
        }
        assert_int_equal(armilla_healpix_npix(n), 12 * n * n);
    }
}

/* A disc of 20 pixels' width has the pixels whose centres lie within, of all around it. */
static void discs_and_neighbours(void **state)
{
    (void)state;
    for (int k = 0; k < NSIZES; k++) {
        const int64_t n = SIZES[k], pixel = first_of_ring(n, n) + n / 3;
        const double radius = 10 * sqrt(M_PI / 3) / (double)n;
        double centre[2], vector[3];
        int64_t around[8], inside = 0;
        armilla_healpix_ranges *ranges;
        check_ok(armilla_healpix_pixels_to_ang(n, 0, 1, &pixel, &centre[0], &centre[1], 1));
        check_ok(armilla_healpix_pixels_to_vec(n, 0, 1, &pixel, 0, vector, 1));
        check_ok(armilla_healpix_query_disc(n, 0, vector, radius, 0, &ranges));
        for (int64_t i = n - 20; i <= n + 20; i++)
            for (int64_t j = n / 3 - 60; j < n / 3 + 60; j++) {
                double theta, phi;
                ring_pixel(n, i, j, &theta, &phi);
                const double up = sin((theta - centre[0]) / 2), side = sin((phi - centre[1]) / 2);
                inside +=
                    2 * asin(sqrt(up * up + sin(theta) * sin(centre[0]) * side * side)) < radius;
            }
        assert_int_equal(armilla_healpix_ranges_npixels(ranges), inside);
        assert_true(inside > 290 && inside < 340); /* about 100 pi */
        armilla_healpix_ranges_free(ranges);
        check_ok(armilla_healpix_neighbours(n, 0, 1, &pixel, around));
        for (int i = 0; i < 8; i++) {
            double at[3];
            check_ok(armilla_healpix_pixels_to_vec(n, 0, 1, &around[i], 0, at, 1));
            const double dot = at[0] * vector[0] + at[1] * vector[1] + at[2] * vector[2];
            assert_true(acos(fmin(dot, 1)) < 2.2 * sqrt(M_PI / 3) / (double)n);
        }
    }
}

/* --- Single rings ----------------------------------------------------------------------------- */

enum { LMAX = 60, SEEN = 40 };

/* Synthesis to a few rings of the grid, at some of their pixels against direct sums; the adjoint
 * by <Y a, x> = <a, Y^T x>. */
static void check_rings(int64_t nside, int64_t spin)
{
    const int64_t numbers[] = {1, nside / 3, nside, 2 * nside, 3 * nside + 5, 4 * nside - 1};
    enum { RINGS = sizeof numbers / sizeof *numbers };
    const spin_case c = {.lmax = LMAX, .mmax = LMAX, .spin = spin};
    armilla_ring rings[RINGS];
    armilla_grid *whole, *grid;
    int64_t npix = 0;
    check_ok(armilla_grid_new_healpix(nside, &whole));
    for (int r = 0; r < RINGS; r++) {
        check_ok(armilla_grid_ring(whole, numbers[r] - 1, &rings[r]));
        assert_int_equal(rings[r].offset, first_of_ring(nside, numbers[r]));
        rings[r].offset = npix, npix += rings[r].nphi;
    }
    check_ok(armilla_grid_new_custom(RINGS, rings, &grid));
    armilla_sht *sht = spin_plan(grid, &c);
    const int64_t ncomp = spin ? 2 : 1, size = spin_size(&c);
    double *alm = checked_malloc(size, sizeof *alm), *back = checked_malloc(size, sizeof *back);
    double *map = checked_malloc(ncomp * npix, sizeof *map);
    double points[2 * RINGS * SEEN], exact[2 * RINGS * SEEN];
    spin_random_alm(7, &c, 0, alm);
    check_ok(armilla_sht_synthesis(sht, alm, map, NULL));
    for (int i = 0; i < RINGS * SEEN; i++) {
        const int r = i / SEEN;
        ring_pixel(nside, numbers[r], i % SEEN * rings[r].nphi / SEEN, &points[2 * i],
                   &points[2 * i + 1]);
    }
    const oracle_field field = {LMAX, LMAX, spin, RINGS * SEEN, points};
    oracle_field_values(&field, alm, exact);
    for (int64_t k = 0; k < ncomp; k++)
        for (int i = 0; i < RINGS * SEEN; i++) {
            const armilla_ring *ring = &rings[i / SEEN];
            const double value = map[k * npix + ring->offset + i % SEEN * ring->nphi / SEEN];
            check_at_most(fabs(value - exact[k * RINGS * SEEN + i]),
                          2e-13 * oracle_field_rms(&field, alm), "nside %d, spin %d, ring %d",
                          (int)nside, (int)spin, i / SEEN);
        }
    const double squares = dot_maps(ncomp * npix, map, map);
    check_ok(armilla_sht_adjoint_synthesis(sht, map, back, NULL));
    check_at_most(fabs(spin_dot_alm(&c, alm, back) / squares - 1), 1e-13, "adjoint");
    free(alm), free(back), free(map);
    armilla_sht_free(sht), armilla_grid_free(grid), armilla_grid_free(whole);
}

static void single_rings_against_direct_sums(void **state)
{
    (void)state;
    for (int k = 0; k < NSIZES; k++)
        for (int64_t spin = 0; spin < 3; spin += 2) check_rings(SIZES[k], spin);
}

/* --- Files ------------------------------------------------------------------------------------ */

static void begin_map(int64_t nside, int64_t rows, int partial, const char *order)
{
    maker_begin();
    maker_table("BINTABLE", partial ? 12 : 4096, rows, partial ? 2 : 1);
    if (partial) maker_column(1, "PIXEL", "1K");
    maker_column(partial ? 2 : 1, "SIGNAL", partial ? "1E" : "1024E");
    maker_card("PIXTYPE = 'HEALPIX'");
    maker_card("ORDERING= '%s'", order);
    maker_card("NSIDE   = %d", (int)nside);
    if (partial) maker_card("OBJECT  = 'PARTIAL'");
    if (partial) maker_card("INDXSCHM= 'EXPLICIT'");
    maker_end_header();
}

/* Tables of listed pixels are read as they are, without the other pixels. */
static void partial_maps(void **state)
{
    (void)state;
    for (int k = 0; k < NSIZES; k++) {
        const int64_t npix = armilla_healpix_npix(SIZES[k]);
        const int64_t pixels[] = {0, 4294967297, npix / 2 + 3, npix - 1};
        armilla_raw_table *table;
        char *text, largest[40];
        begin_map(SIZES[k], 4, 1, "NESTED");
        for (int i = 0; i < 4; i++) maker_integer(pixels[i] % npix, 8), maker_float((float)i);
        maker_save("partial.fits");
        check_ok(armilla_io_verify("partial.fits"));
        check_ok(armilla_io_describe("partial.fits", &text));
        snprintf(largest, sizeof largest, "%lld", (long long)SIZES[k]);
        if (!strstr(text, largest) || !strstr(text, "int64")) fail_msg("%s", text);
        armilla_io_text_free(text);
        check_ok(armilla_raw_table_read("partial.fits", 1, &table));
        assert_true(table->rows == 4 && table->row_bytes == 12);
        for (int i = 0; i < 4; i++) {
            int64_t number = 0;
            for (int b = 0; b < 8; b++) number = number * 256 + table->bytes[12 * i + b];
            assert_int_equal(number, pixels[i] % npix);
        }
        armilla_raw_table_free(table);
    }
}

static void put_floats(int file, int64_t at, int64_t count, float first)
{
    for (int64_t i = 0; i < count; i++) {
        const float value = first + (float)i;
        unsigned char bytes[4];
        uint32_t bits;
        memcpy(&bits, &value, 4);
        for (int b = 0; b < 4; b++) bytes[b] = (unsigned char)(bits >> (24 - 8 * b));
        assert_int_equal(pwrite(file, bytes, 4, at + 4 * i), 4);
    }
}

/* What was never written is 0, as the disk has it. */
static void whole_maps_in_pieces(void **state)
{
    enum { COUNT = 50 };
    double values[2 * COUNT];
    (void)state;
    for (int k = 0; k < NSIZES; k++) {
        const int64_t npix = armilla_healpix_npix(SIZES[k]);
        const int64_t places[] = {0, 4294967296 % (npix - 2 * COUNT), npix - COUNT};
        armilla_map_input *input;
        begin_map(SIZES[k], npix / 1024, 0, "RING");
        maker_save("whole.fits");
        const int64_t header = (int64_t)maker.used;
        const int file = open("whole.fits", O_WRONLY);
        if (ftruncate(file, header + (4 * npix + 2879) / 2880 * 2880)) skip(); /* no such disk */
        for (int p = 0; p < 3; p++)
            put_floats(file, header + 4 * places[p], COUNT, 100 * (float)p + 1);
        close(file);
        check_ok(armilla_map_input_open("whole.fits", 0, &input));
        assert_true(armilla_map_input_map(input)->npix == npix);
        for (int p = 0; p < 3; p++) {
            const int64_t count = p < 2 ? 2 * COUNT : COUNT;
            check_ok(armilla_map_input_read(input, 0, places[p], count, values));
            for (int64_t i = 0; i < count; i++)
                assert_true(values[i] == (i < COUNT ? 100.0 * p + 1 + (double)i : 0));
        }
        check_error(armilla_map_input_read(input, 0, npix - 1, 2, values), ARMILLA_ERROR_ARGUMENT,
                    "count");
        armilla_map_input_free(input);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_where_they_should_be), cmocka_unit_test(discs_and_neighbours),
        cmocka_unit_test(single_rings_against_direct_sums), IN_DIRECTORY(partial_maps),
        IN_DIRECTORY(whole_maps_in_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

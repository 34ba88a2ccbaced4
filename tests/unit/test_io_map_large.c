/* Checks partial maps whose pixel numbers do not fit 32 bits: 64-bit PIXEL columns, written and
 * read.
 *
 * A map struct always has all pixels, 17 GB at nside 13378, the first that needs 64 bits. Here one
 * file of 16 MB of missing pixels is mapped again and again to look like that; reading such a file
 * as a map would need the memory, so what was written is read by armilla_io_describe. */
#include "unit/test_io_support.h"

#include "armilla/grid.h"
#include "oracle/checks.h"
#include <sys/mman.h>

enum { CHUNK = 1 << 24 };

/* count doubles that are all ARMILLA_UNSEEN, and can be written to; NULL: no such address space. */
static double *map_missing(int64_t count, size_t *bytes)
{
    FILE *file = tmpfile();
    if (!file) return NULL;
    const double missing = ARMILLA_UNSEEN;
    for (int i = 0; i < CHUNK / 8; i++) assert_int_equal(fwrite(&missing, 8, 1, file), 1);
    assert_int_equal(fflush(file), 0);
    *bytes = ((size_t)count * 8 + CHUNK - 1) / CHUNK * CHUNK;
    char *whole = mmap(NULL, *bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int failed = whole == MAP_FAILED;
    for (size_t at = 0; !failed && at < *bytes; at += CHUNK)
        failed = mmap(whole + at, CHUNK, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, fileno(file), 0) == MAP_FAILED;
    fclose(file); /* the mappings hold it */
    return failed ? NULL : (double *)whole;
}

static void describe_holds(const char *path, const char *part)
{
    char *text;
    check_ok(armilla_io_describe(path, &text));
    if (!strstr(text, part)) fail_msg("no \"%s\" in:\n%s", part, text);
    armilla_io_text_free(text);
}

static void pixel_numbers_above_2_31_are_written_with_64_bits(void **state)
{
    (void)state;
    if (checks_quick()) skip(); /* looks at 2^31 pixels twice: 10 seconds */
    const int64_t nside = 13378, npix = armilla_healpix_npix(nside);
    assert_int_equal(npix, 2147650608);
    size_t bytes;
    double *values = map_missing(npix, &bytes);
    if (!values) skip();
    values[5] = 1, values[2147483646] = 2, values[npix - 1] = 3;
    armilla_field field = {.name = "TEMPERATURE", .type = ARMILLA_IO_DOUBLE, .values = values};
    const armilla_map map = {
        .nside = nside, .npix = npix, .nfields = 1, .fields = &field, .partial = 1};
    check_ok(armilla_map_write("large.fits", &map, 0));
    munmap(values, bytes);
    size_t count;
    unsigned char *file = get_bytes("large.fits", &count);
    assert_true(count < 20 * 2880);
    describe_holds("large.fits", "int64");
    describe_holds("large.fits", "2.14765e+09"); /* the largest PIXEL */
    /* the same, big endian */
    static const unsigned char last[8] = {0, 0, 0, 0, 0x80, 0x02, 0x8c, 0x2f};
    int found = 0;
    for (size_t i = 0; i + 8 <= count; i++) found += memcmp(file + i, last, 8) == 0;
    assert_int_equal(found, 1);
    free(file);
}

/* One listed pixel of a partial map, number in 64 bits. */
static void make_partial(const char *path, int nside, const char *order, int64_t pixel)
{
    maker_begin();
    maker_table("BINTABLE", 12, 1, 2);
    maker_column(1, "PIXEL", "1K");
    maker_column(2, "SIGNAL", "1E");
    maker_card("PIXTYPE = 'HEALPIX'");
    maker_card("ORDERING= '%s'", order);
    maker_card("NSIDE   = %d", nside);
    maker_card("OBJECT  = 'PARTIAL'");
    maker_end_header();
    maker_integer(pixel, 8);
    maker_float(1);
    maker_save(path);
}

/* 2^32 + 3 is no pixel 3. */
static void wide_pixel_numbers_are_not_cut(void **state)
{
    (void)state;
    static const int64_t wrong[] = {((int64_t)1 << 32) + 3, -((int64_t)1 << 32) + 3, INT64_MAX};
    for (int i = 0; i < 3; i++) {
        char expected[80];
        armilla_map *map;
        make_partial("wide.fits", 1, "RING", wrong[i]);
        snprintf(expected, sizeof expected, "PIXEL = %lld", (long long)wrong[i]);
        check_error(armilla_map_read("wide.fits", 0, 0, NULL, &map), ARMILLA_ERROR_FORMAT,
                    expected);
    }
}

/* In place of an attempt that would end the process: nside 2^20 needs 105 TB. */
static void maps_larger_than_the_machine_are_refused(void **state)
{
    (void)state;
    armilla_map *map;
    make_partial("huge.fits", 1 << 20, "NESTED", ((int64_t)1 << 40) + 3);
    check_error(armilla_map_read("huge.fits", 0, 0, NULL, &map), ARMILLA_ERROR_MEMORY,
                "NSIDE = 1048576");
    describe_holds("huge.fits", "int64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixel_numbers_above_2_31_are_written_with_64_bits),
        cmocka_unit_test(wide_pixel_numbers_are_not_cut),
        cmocka_unit_test(maps_larger_than_the_machine_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}

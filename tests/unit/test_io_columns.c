/* Checks columns of map files that are not plain numbers of pixels: text beside a map, pixel
 * numbers that are stored as reals, missing pixels in columns of bytes. */
#include "test_io_support.h"

#include <math.h>

/* --- Beside a map ----------------------------------------------------------------------------- */

/* A column of this form, `width` bytes a row, then a map of 12 pixels whose values are 100 + i. */
static void make_second(const char *form, int width, const char *card)
{
    maker_begin();
    maker_table("BINTABLE", width + 4, 12, 2);
    maker_column(1, "label", form);
    maker_column(2, "signal", "E");
    maker_card("%s", card);
    maker_end_header();
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < width; k++) maker_integer(0, 1);
        maker_float((float)(100 + i));
    }
    maker_save("map.fits");
}

static void assert_second(int hdu)
{
    const int64_t second = 1;
    armilla_map *map = NULL;
    assert_works(armilla_map_read("map.fits", hdu, 1, &second, &map));
    assert_int_equal(map->nside, 1);
    assert_string_equal(map->fields[0].name, "signal");
    for (int i = 0; i < 12; i++) assert_true(map->fields[0].values[i] == 100 + i);
    armilla_map_free(map);
}

static void assert_second_in_pieces(void)
{
    double values[12];
    armilla_map_input *input = NULL;
    assert_works(armilla_map_input_open("map.fits", 0, &input));
    assert_works(armilla_map_input_read(input, 1, 0, 12, values));
    for (int i = 0; i < 12; i++) assert_true(values[i] == 100 + i);
    armilla_map_input_free(input);
}

/* Only the columns asked for may fail: the first one is refused by its name, the second is read. */
static void columns_in_front_of_a_map_do_not_hide_it(void **state)
{
    (void)state;
    static const struct {
        const char *form;
        int width;
    } first[] = {{"8A", 8},  {"3X", 1}, {"12X", 2}, {"1PE(9)", 8}, {"1QD(9)", 16},
                 {"2C", 16}, {"M", 16}, {"0A", 0},  {"20A", 20},   {"1024X", 128}};
    static const char *const cards[] = {"NSIDE   = 1", "PIXTYPE = 'HEALPIX '"};
    char *text;
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        make_second(first[i].form, first[i].width, cards[i % 2]);
        assert_second(0);
        assert_second(1);
        assert_second_in_pieces();
        const int64_t label = 0;
        armilla_map *map = NULL;
        assert_int_equal(armilla_map_read("map.fits", 0, 1, &label, &map), ARMILLA_ERROR_FORMAT);
        assert_message_has("'label'");
        assert_int_equal(armilla_map_read("map.fits", 0, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
        assert_works(armilla_io_describe("map.fits", &text));
        assert_non_null(strstr(text, "nside 1 (12 pixels)"));
        armilla_io_text_free(text);
    }
}

/* Numbers of another length: NSIDE tells which column is the map. */
static void columns_of_another_length_do_not_hide_a_map(void **state)
{
    (void)state;
    static const char *const forms[] = {"3E", "L", "2B", "5D"};
    static const int widths[] = {12, 1, 2, 40};
    for (int i = 0; i < 4; i++) {
        const int is_map = i == 1; /* as many as pixels: a mask is a map, too */
        make_second(forms[i], widths[i], "NSIDE   = 1");
        assert_second(0);
        const int64_t label = 0;
        armilla_map *map = NULL;
        const armilla_status status = armilla_map_read("map.fits", 0, 1, &label, &map);
        assert_int_equal(status, is_map ? ARMILLA_OK : ARMILLA_ERROR_FORMAT);
        if (!is_map) assert_message_has("values per row");
        armilla_map_free(map);
    }
}

static void table_without_numbers_is_no_map(void **state)
{
    (void)state;
    maker_begin();
    maker_table("BINTABLE", 8, 12, 1);
    maker_column(1, "label", "8A");
    maker_card("NSIDE   = 1");
    maker_end_header();
    for (int i = 0; i < 12; i++) maker_text("abcdefgh");
    maker_save("map.fits");
    armilla_map *map = NULL;
    assert_int_equal(armilla_map_read("map.fits", 1, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
    assert_message_has("none of its columns holds numbers");
}

/* --- Pixel numbers as reals ------------------------------------------------------------------- */

static void put_real(char form, double value)
{
    if (form == 'E')
        maker_float((float)value);
    else
        maker_double(value);
}

/* A partial map of one pixel, of this number, whose value is 7. */
static void make_listed(char form, double pixel, int64_t nside, const char *name)
{
    const char text[2] = {form, '\0'};
    maker_begin();
    maker_table("BINTABLE", (form == 'E' ? 4 : 8) + 4, 1, 2);
    maker_column(1, name, text);
    maker_column(2, "signal", "E");
    maker_card("NSIDE   = %lld", (long long)nside);
    maker_card("OBJECT  = 'PARTIAL'");
    maker_end_header();
    put_real(form, pixel);
    maker_float(7);
    maker_save("map.fits");
}

static void assert_listed_refused(const char *word)
{
    armilla_map *map = NULL;
    assert_int_equal(armilla_map_read("map.fits", 0, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
    assert_message_has("map.fits");
    assert_message_has(word);
}

static void whole_reals_are_pixel_numbers(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char form = "ED"[i];
        for (int pixel = 0; pixel < 48; pixel += 47) {
            armilla_map *map = NULL;
            make_listed(form, pixel, 2, "pixel");
            assert_works(armilla_map_read("map.fits", 0, 0, NULL, &map));
            assert_int_equal(map->nfields, 1);
            for (int k = 0; k < 48; k++)
                assert_true(map->fields[0].values[k] == (k == pixel ? 7 : ARMILLA_UNSEEN));
            armilla_map_free(map);
        }
        make_listed(form, 5.5, 2, "PIXEL");
        assert_listed_refused("row 1: PIXEL = 5.5: must be a whole number");
        make_listed(form, (double)NAN, 2, "PIXEL");
        assert_listed_refused("must be a whole number");
        make_listed(form, (double)INFINITY, 2, "PIXEL");
        assert_listed_refused("PIXEL = inf");
        make_listed(form, 48, 2, "PIXEL");
        assert_listed_refused("PIXEL = 48: must be from 0 to 47");
        make_listed(form, -1, 2, "PIXEL");
        assert_listed_refused("PIXEL = -1: must be from 0 to 47");
        make_listed(form, 5, 2, "number"); /* the first column, but of no name that tells */
        assert_listed_refused("column 1 ('number') holds others");
    }
}

/* What a float may have rounded is no pixel number: 2^24 may have been 2^24 + 1. */
static void reals_that_may_be_rounded_are_no_pixel_numbers(void **state)
{
    (void)state;
    armilla_map *map = NULL;
    make_listed('E', 0x1p24 - 1, 1183, "PIXEL");
    assert_works(armilla_map_read("map.fits", 0, 0, NULL, &map));
    assert_true(map->fields[0].values[(1 << 24) - 1] == 7);
    armilla_map_free(map);
    make_listed('E', 0x1p24, 1183, "PIXEL");
    assert_listed_refused("PIXEL = 16777216: reals of this type hold no whole numbers so large");
}

/* --- Missing pixels in bytes ------------------------------------------------------------------ */

/* A map of nside 8 of one field of this type; its first values, then 0. */
static armilla_map *new_bytes(armilla_io_type type, const double *values, int count)
{
    armilla_map *map = NULL;
    assert_works(armilla_map_new(8, 1, &map));
    map->fields[0].type = type;
    memcpy(map->fields[0].values, values, (size_t)count * sizeof *values);
    return map;
}

/* The value of TNULL1 in the file; -1: it has none. */
static int null_of(const char *path)
{
    char *text = NULL;
    assert_works(armilla_io_header(path, 1, &text));
    const char *card = strstr(text, "TNULL1  =");
    const int value = card ? atoi(card + 9) : -1;
    armilla_io_text_free(text);
    return value;
}

/* Writes, reads, compares: missing pixels become ARMILLA_UNSEEN. */
static void assert_round_trip(const armilla_map *map)
{
    armilla_map *back = NULL;
    assert_works(armilla_map_write("bytes.fits", map, 1));
    assert_works(armilla_map_read("bytes.fits", 0, 0, NULL, &back));
    for (int64_t i = 0; i < map->npix; i++) {
        const double value = map->fields[0].values[i], found = back->fields[0].values[i];
        const int is_missing = isnan(value) || value == ARMILLA_UNSEEN;
        if (map->partial && !is_missing) assert_true(found == value);
        if (!map->partial) assert_true(found == (is_missing ? ARMILLA_UNSEEN : value));
    }
    armilla_map_free(back);
}

static void missing_bytes_are_marked(void **state)
{
    (void)state;
    const double plain[] = {0, 255, 7}, holes[] = {3, ARMILLA_UNSEEN, 0, (double)NAN, 254};
    const double full[] = {255, 254, 252, ARMILLA_UNSEEN, 7};
    const double *const values[] = {plain, holes, full};
    const int counts[] = {3, 5, 5}, nulls[] = {-1, 255, 253};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            armilla_map *map = new_bytes(ARMILLA_IO_UINT8, values[i], counts[i]);
            map->order = k ? ARMILLA_IO_NESTED : ARMILLA_IO_RING;
            assert_round_trip(map);
            assert_int_equal(null_of("bytes.fits"), nulls[i]);
            armilla_map_free(map);
        }
    armilla_map *map = new_bytes(ARMILLA_IO_BOOL, (const double[]){1, ARMILLA_UNSEEN, 0}, 3);
    assert_round_trip(map);
    assert_int_equal(null_of("bytes.fits"), -1);
    map->partial = 1;
    assert_round_trip(map);
    armilla_map_free(map);
}

static void bytes_without_a_number_to_spare_are_refused(void **state)
{
    (void)state;
    double values[258];
    for (int i = 0; i < 256; i++) values[i] = i;
    values[256] = ARMILLA_UNSEEN, values[257] = 3;
    armilla_map *map = new_bytes(ARMILLA_IO_UINT8, values, 258);
    assert_int_equal(armilla_map_write("bytes.fits", map, 1), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("map->fields[0]: has missing pixels and all 256 numbers");
    assert_int_equal(count_entries(), 0);
    map->fields[0].values[256] = 0; /* nothing is missing: every number may be used */
    assert_round_trip(map);
    map->fields[0].values[256] = 256;
    assert_int_equal(armilla_map_write("bytes.fits", map, 1), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("values[256] = 256: does not fit");
    armilla_map_free(map);
}

/* In pieces the header is written before the pixels are known. */
static void bytes_in_pieces_have_no_mark(void **state)
{
    (void)state;
    const double values[] = {1, ARMILLA_UNSEEN};
    armilla_map *map = new_bytes(ARMILLA_IO_UINT8, values, 1);
    armilla_map_output *output = NULL;
    assert_works(armilla_map_output_new("pieces.fits", map, NULL, &output));
    assert_int_equal(armilla_map_output_write(output, 0, 0, 2, values), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("field 0, pixel 1 = -1.6375e+30: does not fit into the type uint8, which");
    assert_works(armilla_map_output_write(output, 0, 0, map->npix, map->fields[0].values));
    assert_works(armilla_map_output_finish(output));
    armilla_map_output_free(output);
    size_t count, pieces;
    assert_works(armilla_map_write("whole.fits", map, 0));
    unsigned char *a = get_bytes("whole.fits", &count), *b = get_bytes("pieces.fits", &pieces);
    assert_int_equal(count, pieces);
    assert_memory_equal(a, b, count);
    free(a), free(b);
    armilla_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(columns_in_front_of_a_map_do_not_hide_it),
        IN_DIRECTORY(columns_of_another_length_do_not_hide_a_map),
        IN_DIRECTORY(table_without_numbers_is_no_map),
        IN_DIRECTORY(whole_reals_are_pixel_numbers),
        IN_DIRECTORY(reals_that_may_be_rounded_are_no_pixel_numbers),
        IN_DIRECTORY(missing_bytes_are_marked),
        IN_DIRECTORY(bytes_without_a_number_to_spare_are_refused),
        IN_DIRECTORY(bytes_in_pieces_have_no_mark),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

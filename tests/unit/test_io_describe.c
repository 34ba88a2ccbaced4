/* Checks the text that tells people what a file holds, and that many threads can read files at
 * once. */
#include "test_io_support.h"

#include "base/team.h"

static char *describe(const char *path)
{
    char *text = NULL;
    assert_works(armilla_io_describe(path, &text));
    return text;
}

static void assert_says(const char *text, const char *words)
{
    if (!strstr(text, words)) fail_msg("\"%s\" is missing in:\n%s", words, text);
}

static void maps_are_described(void **state)
{
    (void)state;
    armilla_map *map;
    assert_works(armilla_map_new(4, 2, &map));
    map->order = ARMILLA_IO_NESTED;
    map->partial = map->iau = 1;
    map->coordsys = 'E';
    map->fields[1].type = ARMILLA_IO_INT16;
    strcpy(map->fields[0].unit, "mK_CMB");
    for (int64_t i = 0; i < map->npix; i++) {
        map->fields[0].values[i] = i < 20 ? (double)i - 1.5 : ARMILLA_UNSEEN;
        map->fields[1].values[i] = i < 15 ? -(double)i : ARMILLA_UNSEEN;
    }
    assert_works(armilla_map_write("map.fits", map, 0));
    armilla_map_free(map);
    char *text = describe("map.fits");
    assert_says(text, "map.fits: FITS file, ");
    assert_says(text, "HDU 1 \"xtension\": HEALPix map, nside 4 (192 pixels), NESTED, partial sky "
                      "(EXPLICIT), coordinates ecliptic, polarisation IAU\n"
                      "  20 of 192 pixels listed (10.42 %)\n");
    assert_says(text, "  column          type   unit    minimum  maximum  missing\n");
    assert_says(text, "  Q_POLARISATION  float  mK_CMB     -1.5     17.5        0\n");
    assert_says(text, "  U_POLARISATION  int16                0       14        5\n");
    armilla_io_text_free(text);
}

/* Columns of every type that FITS has. */
static void columns_of_any_type_are_described(void **state)
{
    (void)state;
    static const char *const forms[] = {"1L", "1B", "1K", "1C", "1M", "9X", "1PE(2)", "1QE(2)"};
    static const char *const types[] = {"logical", "uint8", "int64", "complex",
                                        "complex", "bits",  "list",  "list"};
    maker_begin();
    maker_table("BINTABLE", 1 + 1 + 8 + 8 + 16 + 2 + 8 + 16, 0, 8);
    for (int i = 0; i < 8; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        maker_column(i + 1, name, forms[i]);
    }
    maker_end_header();
    maker_save("types.fits");
    char *text = describe("types.fits");
    for (int i = 0; i < 8; i++) {
        char words[32];
        snprintf(words, sizeof words, "  c%d      %s ", i, types[i]);
        assert_says(text, words);
    }
    armilla_io_text_free(text);
}

static void texts_are_no_raw_tables(void **state)
{
    (void)state;
    armilla_raw_table *table = NULL;
    maker_begin();
    maker_table("TABLE", 5, 1, 1);
    maker_card("TBCOL1  = 1");
    maker_column(1, "ELL", "I5");
    maker_end_header();
    maker_text("    7");
    maker_save("text.fits");
    assert_int_equal(armilla_raw_table_read("text.fits", 1, &table), ARMILLA_ERROR_UNSUPPORTED);
    assert_message_has("is a table of text");
    assert_null(table);
}

static void coefficients_and_spectra_are_described(void **state)
{
    (void)state;
    armilla_alm_file *alm;
    armilla_cl_file *cl;
    assert_works(armilla_alm_file_new(6, 5, 2, &alm));
    assert_works(armilla_alm_write("alm.fits", alm, 0));
    assert_works(armilla_cl_file_new(9, 2, &cl));
    assert_works(armilla_cl_write("cl.fits", cl, 0));
    armilla_alm_file_free(alm);
    armilla_cl_file_free(cl);
    char *text = describe("alm.fits");
    assert_says(text, "HDU 2 \"A_LM\": coefficients a_lm, l up to 6, 27 rows");
    assert_says(text, "l*l+l+m+1");
    armilla_io_text_free(text);
    text = describe("cl.fits");
    assert_says(text, "power spectra, l from 0 to 9, 2 column(s)");
    armilla_io_text_free(text);
}

static void a_damaged_hdu_does_not_hide_the_others(void **state)
{
    (void)state;
    maker_begin();
    maker_table("BINTABLE", 9, 2, 2);
    maker_column(1, "label", "5A");
    maker_column(2, "value", "E");
    maker_end_header();
    for (int i = 0; i < 2; i++) {
        maker_text("hello");
        maker_float((float)i);
    }
    maker_pad(0);
    maker_table("BINTABLE", 4, 3, 1);
    maker_column(1, "broken", "1Z");
    maker_end_header();
    for (int i = 0; i < 3; i++) maker_float(1);
    maker_pad(0);
    maker_card("XTENSION= 'BINTABLE'");
    maker_save("parts.fits");
    char *text = describe("parts.fits");
    assert_says(text, "HDU 2: cannot be read: parts.fits");
    assert_says(text, "HDU 1: table, 2 rows, 2 column(s)");
    assert_says(text, "  label   text               -        -        0\n");
    assert_says(text, "truncated or damaged in the header of HDU 3");
    armilla_io_text_free(text);
    assert_int_equal(armilla_io_verify("parts.fits"), ARMILLA_ERROR_FORMAT);
    assert_message_has("'1Z'");
}

/* Cut anywhere, a file is not whole, and the text says so; only the blanks that fill up the last
 * block may be missing. */
static void truncated_files_are_not_whole(void **state)
{
    (void)state;
    maker_begin();
    maker_table("BINTABLE", 4, 12, 1);
    maker_column(1, "signal", "E");
    maker_end_header();
    for (int i = 0; i < 12; i++) maker_float((float)i);
    maker_pad(0);
    maker_card("XTENSION= 'IMAGE   '");
    maker_card("BITPIX  = 16");
    maker_card("NAXIS   = 1");
    maker_card("NAXIS1  = 100");
    maker_card("PCOUNT  = 0");
    maker_card("GCOUNT  = 1");
    maker_end_header();
    for (int i = 0; i < 100; i++) maker_integer(i, 2);
    const size_t end = maker.used;
    maker_save("whole.fits");
    assert_works(armilla_io_verify("whole.fits"));
    put_bytes("cut.fits", maker.bytes, end);
    assert_works(armilla_io_verify("cut.fits"));
    const size_t lengths[] = {end - 1,       end - 200,    end - 201,
                              2 * 2880 + 47, 2 * 2880 + 1, 2880 + 80};
    for (int i = 0; i < 6; i++) {
        put_bytes("cut.fits", maker.bytes, lengths[i]);
        char *text = describe("cut.fits");
        assert_says(text, "truncated");
        armilla_io_text_free(text);
        assert_int_equal(armilla_io_verify("cut.fits"), ARMILLA_ERROR_FORMAT);
        assert_message_has("cut.fits: truncated");
    }
    put_bytes("cut.fits", maker.bytes, end - 150);
    assert_int_equal(armilla_io_verify("cut.fits"), ARMILLA_ERROR_FORMAT);
    assert_message_has("truncated: 150 bytes of the data of HDU 2 are missing");
    assert_int_equal(armilla_io_verify("none.fits"), ARMILLA_ERROR_IO);
    put_text("text.fits", "no FITS");
    assert_int_equal(armilla_io_verify("text.fits"), ARMILLA_ERROR_FORMAT);
}

/* --- Threads ---------------------------------------------------------------------------------- */

enum { TASKS = 24 };

static int failures[TASKS];

static void write_and_read(void *context, int64_t index, int thread)
{
    char path[32];
    (void)context;
    (void)thread;
    armilla_map *map = NULL, *back = NULL;
    snprintf(path, sizeof path, "map%d.fits", (int)index);
    failures[index] = armilla_map_new(8, 1, &map) != ARMILLA_OK;
    for (int64_t i = 0; map && i < map->npix; i++)
        map->fields[0].values[i] = (double)(1000 * index + i);
    for (int round = 0; map && round < 5; round++) {
        failures[index] |= armilla_map_write(path, map, 1) != ARMILLA_OK;
        failures[index] |= armilla_map_read("nowhere.fits", 0, 0, NULL, &back) == ARMILLA_OK;
        failures[index] |= armilla_map_read(path, 0, 0, NULL, &back) != ARMILLA_OK;
        for (int64_t i = 0; back && i < back->npix; i++)
            failures[index] |= back->fields[0].values[i] != map->fields[0].values[i];
        armilla_map_free(back);
        back = NULL;
    }
    armilla_map_free(map);
}

static void files_may_be_used_from_many_threads(void **state)
{
    (void)state;
    armilla_team_run(6, TASKS, write_and_read, NULL);
    for (int i = 0; i < TASKS; i++) assert_int_equal(failures[i], 0);
    assert_int_equal(count_entries(), TASKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(maps_are_described),
        IN_DIRECTORY(coefficients_and_spectra_are_described),
        IN_DIRECTORY(columns_of_any_type_are_described),
        IN_DIRECTORY(texts_are_no_raw_tables),
        IN_DIRECTORY(a_damaged_hdu_does_not_hide_the_others),
        IN_DIRECTORY(truncated_files_are_not_whole),
        IN_DIRECTORY(files_may_be_used_from_many_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

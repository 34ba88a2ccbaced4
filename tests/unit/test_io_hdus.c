/* Checks that HDUs are found by number and by name, and that a wrong one is refused by a message
 * that lists those of the file. */
#include "test_io_support.h"

/* A map, a spectrum, and coefficients, by these names and versions; "": no card. */
static void make_file(const char *const *names, const int *versions)
{
    maker_begin();
    for (int i = 0; i < 3; i++) {
        maker_table("BINTABLE", i == 2 ? 20 : 8, i == 2 ? 1 : 12, i == 2 ? 3 : 1);
        maker_column(1, i == 2 ? "index" : "signal", i == 2 ? "J" : "D");
        if (i == 2) maker_column(2, "real", "D"), maker_column(3, "imag", "D");
        if (i == 0) maker_card("PIXTYPE = 'HEALPIX'");
        if (*names[i]) maker_card("EXTNAME = '%s'", names[i]);
        if (versions[i]) maker_card("EXTVER  = %d", versions[i]);
        maker_end_header();
        if (i == 2) maker_integer(1, 4), maker_double(5), maker_double(0);
        for (int k = 0; k < 12 && i < 2; k++) maker_double(100 * i + k);
        maker_pad(0);
    }
    maker_save("file.fits");
}

static const char *const names[] = {"MAP", "Part", "PART"};
static const int versions[] = {0, 0, 2};

static void hdus_are_found_by_number_and_name(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int hdu;
    } cases[] = {{"0", 0},       {"1", 1},       {"3", 3},       {"-1", 3},
                 {"-3", 1},      {"-4", 0},      {"MAP", 1},     {"map", 1},
                 {"PRIMARY", 0}, {"Primary", 0}, {"part", 2},    {"PART,1", 2},
                 {"part,2", 3},  {"MAP,1", 1},   {"PART, 2", 3}, {"PRIMARY,1", 0}};
    make_file(names, versions);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int hdu = -7;
        assert_works(armilla_io_find_hdu("file.fits", cases[i].name, 0, &hdu));
        assert_int_equal(hdu, cases[i].hdu);
    }
}

static void missing_hdus_are_refused_with_a_list(void **state)
{
    (void)state;
    const char *const wrong[] = {
        "4",   "-5", "MASK", "MAP,2", "PART,0", "PART,3",         "",
        "1.0", "+1", ",",    "part,", "PART,x", "99999999999999", "-99999999999999999999999"};
    int hdu = -7, needs_table = 1;
    armilla_map *map = NULL;
    armilla_alm_file *alm = NULL;
    armilla_cl_file *cl = NULL;
    make_file(names, versions);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(armilla_io_find_hdu("file.fits", wrong[i], needs_table, &hdu),
                         ARMILLA_ERROR_ARGUMENT);
        assert_message_has(wrong[i]);
        assert_message_has("file.fits has 3 extension(s): 0 PRIMARY, 1 MAP, 2 Part, 3 PART,2");
    }
    assert_int_equal(armilla_map_read("file.fits", 4, 0, NULL, &map), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("hdu = 4: file.fits has 3 extension(s): 0 PRIMARY, 1 MAP");
    assert_int_equal(armilla_alm_read("file.fits", 5, &alm), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("hdu = 5: file.fits has 3 extension(s): 0 PRIMARY, 1 MAP");
    assert_int_equal(armilla_cl_read_hdu("file.fits", 6, &cl), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("hdu = 6: file.fits has 3 extension(s): 0 PRIMARY, 1 MAP");
    assert_int_equal(armilla_io_find_hdu("file.fits", "PRIMARY", needs_table, &hdu),
                     ARMILLA_ERROR_ARGUMENT);
    assert_message_has("hdu = PRIMARY: HDU 0 of file.fits holds no table");
    assert_int_equal(hdu, -7);
    assert_int_equal(armilla_io_find_hdu("file.fits", NULL, 0, &hdu), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_io_find_hdu("file.fits", "1", 0, NULL), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_io_find_hdu("none.fits", "1", 0, &hdu), ARMILLA_ERROR_IO);
}

static void files_that_are_cut_off_say_so(void **state)
{
    (void)state;
    int hdu;
    make_file(names, versions);
    for (size_t block = 3; block <= 4; block++) { /* within the header and the data of the second */
        put_bytes("cut.fits", maker.bytes, block * 2880 + 50);
        assert_works(armilla_io_find_hdu("cut.fits", "MAP", 1, &hdu));
        assert_int_equal(hdu, 1);
        assert_int_equal(armilla_io_find_hdu("cut.fits", "PART,2", 1, &hdu), ARMILLA_ERROR_FORMAT);
        assert_message_has("truncated");
        assert_int_equal(armilla_io_find_hdu("cut.fits", "-1", 1, &hdu), ARMILLA_ERROR_FORMAT);
        assert_message_has("truncated");
    }
}

static void lists_of_many_hdus_end(void **state)
{
    (void)state;
    int hdu;
    maker_begin();
    for (int i = 0; i < 90; i++) {
        maker_table("BINTABLE", 8, 0, 1);
        maker_column(1, "signal", "D");
        maker_card("EXTNAME = 'a name that is long, of number %d'", i);
        maker_end_header();
    }
    maker_save("many.fits");
    assert_int_equal(armilla_io_find_hdu("many.fits", "none", 1, &hdu), ARMILLA_ERROR_ARGUMENT);
    assert_message_has(
        "many.fits has 90 extension(s): 0 PRIMARY, 1 a name that is long, of number");
    assert_message_has(", ...");
    assert_works(armilla_io_find_hdu("many.fits", "A NAME that is long, of number 89", 1, &hdu));
    assert_int_equal(hdu, 90);
}

static void spectra_of_one_hdu_are_read(void **state)
{
    (void)state;
    armilla_cl_file *cl = NULL;
    make_file(names, versions);
    for (int hdu = 0; hdu <= 2; hdu += 2) { /* 0: the first one */
        assert_works(armilla_cl_read_hdu("file.fits", hdu, &cl));
        assert_int_equal(cl->lmax, 11);
        assert_true(cl->cl[3] == 103);
        armilla_cl_file_free(cl);
        cl = NULL;
    }
    for (int hdu = 1; hdu <= 3; hdu += 2) {
        assert_int_equal(armilla_cl_read_hdu("file.fits", hdu, &cl), ARMILLA_ERROR_FORMAT);
        assert_message_has("holds no power spectrum");
    }
    put_text("cl.txt", "0 1\n1 2\n");
    assert_int_equal(armilla_cl_read_hdu("cl.txt", 1, &cl), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("hdu = 1: cl.txt holds text");
    assert_int_equal(armilla_cl_read_hdu("file.fits", -1, &cl), ARMILLA_ERROR_ARGUMENT);
    assert_null(cl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(hdus_are_found_by_number_and_name),
        IN_DIRECTORY(missing_hdus_are_refused_with_a_list),
        IN_DIRECTORY(files_that_are_cut_off_say_so),
        IN_DIRECTORY(lists_of_many_hdus_end),
        IN_DIRECTORY(spectra_of_one_hdu_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

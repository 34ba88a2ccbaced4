/* Checks that files keep power spectra: round trips, FITS tables of other programs, text tables. */
#include "test_io_support.h"

#include "io/cl_table.h"
#include <locale.h>
#include <math.h>

static armilla_cl_file *make_cl(int64_t lmax, int64_t nspectra, armilla_io_type type)
{
    armilla_cl_file *cl;
    uint64_t seed = 11;
    assert_works(armilla_cl_file_new(lmax, nspectra, &cl));
    cl->type = type;
    strcpy(cl->unit, "K^2");
    for (int64_t i = 0; i < nspectra * (lmax + 1); i++) {
        double value = (double)draw_below(&seed, 1000003) * 1.3e-7;
        cl->cl[i] = type == ARMILLA_IO_FLOAT ? (double)(float)value : value;
    }
    return cl;
}

static void every_size_and_type_survives(void **state)
{
    (void)state;
    const int64_t lmax[] = {0, 1, 47, 191, 5000}, nspectra[] = {1, 2, 4, 6, 9};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++)
            for (int type = 0; type < 2; type++) {
                armilla_cl_file *cl = make_cl(lmax[i], nspectra[k], type), *back;
                assert_works(armilla_cl_write("cl.fits", cl, 1));
                assert_works(armilla_cl_read("cl.fits", &back));
                assert_int_equal(back->lmax, cl->lmax);
                assert_int_equal(back->nspectra, cl->nspectra);
                assert_int_equal(back->type, type);
                assert_string_equal(back->unit, "K^2");
                assert_memory_equal(back->names, cl->names, nspectra[k] * ARMILLA_IO_NAME_SIZE);
                assert_same_values(back->cl, cl->cl, nspectra[k] * (lmax[i] + 1));
                armilla_cl_file_free(back);
                armilla_cl_file_free(cl);
            }
}

static void assert_refused(const char *path, const char *word)
{
    armilla_cl_file *cl = NULL;
    assert_int_equal(armilla_cl_read(path, &cl), ARMILLA_ERROR_FORMAT);
    assert_null(cl);
    assert_message_has(path);
    assert_message_has(word);
}

/* --- FITS ------------------------------------------------------------------------------------- */

static void ascii_tables_of_healpix_fortran_are_read(void **state)
{
    (void)state;
    maker_begin();
    maker_table("TABLE", 31, 3, 2);
    maker_card("TBCOL1  = 1");
    maker_column(1, "TEMPERATURE", "E15.7");
    maker_card("TBCOL2  = 17");
    maker_column(2, "GRADIENT", "D15.7");
    maker_card("TUNIT1  = 'K^2'");
    maker_end_header();
    maker_text("  0.1000000E+01   0.2500000D+01");
    maker_text("  0.2000000E-01          -3.5  ");
    maker_text("              3   0.5000000-101");
    maker_save("cl.fits");
    armilla_cl_file *cl;
    assert_works(armilla_cl_read("cl.fits", &cl));
    assert_int_equal(cl->lmax, 2);
    assert_int_equal(cl->nspectra, 2);
    assert_string_equal(cl->names[1], "GRADIENT");
    assert_string_equal(cl->unit, "K^2");
    const double values[] = {1, 0.02, 3, 2.5, -3.5, 0.5e-101};
    assert_same_values(cl->cl, values, 6);
    armilla_cl_file_free(cl);
}

static void degrees_and_dl_in_columns_are_understood(void **state)
{
    (void)state;
    maker_begin();
    maker_table("BINTABLE", 20, 3, 3);
    maker_column(1, "ELL", "J");
    maker_column(2, "D_ELL", "D");
    maker_column(3, "TT", "D");
    maker_end_header();
    for (int l = 2; l < 5; l++) {
        maker_integer(l, 4);
        maker_double(l * (l + 1) / (2 * M_PI));
        maker_double(l);
    }
    maker_save("cl.fits");
    armilla_cl_file *cl;
    assert_works(armilla_cl_read("cl.fits", &cl));
    assert_int_equal(cl->lmax, 4);
    assert_int_equal(cl->nspectra, 2);
    for (int l = 0; l < 5; l++) {
        assert_true(fabs(cl->cl[l] - (l < 2 ? 0 : 1)) < 1e-15);
        assert_true(cl->cl[5 + l] == (l < 2 ? 0 : l));
    }
    armilla_cl_file_free(cl);
}

static void maps_coefficients_and_holes_are_refused(void **state)
{
    (void)state;
    armilla_map *map;
    armilla_alm_file *alm;
    assert_works(armilla_map_new(4, 1, &map));
    assert_works(armilla_map_write("map.fits", map, 0));
    armilla_map_free(map);
    assert_works(armilla_alm_file_new(4, 4, 1, &alm));
    assert_works(armilla_alm_write("alm.fits", alm, 0));
    armilla_alm_file_free(alm);
    assert_refused("map.fits", "no power spectrum");
    assert_refused("alm.fits", "no power spectrum");
    maker_begin();
    maker_table("BINTABLE", 4, 2, 1);
    maker_column(1, "TT", "E");
    maker_end_header();
    maker_float(1);
    maker_float(NAN);
    maker_save("hole.fits");
    assert_refused("hole.fits", "row 2 of column TT: is no number");
}

/* --- Text ------------------------------------------------------------------------------------- */

static armilla_cl_file *read_text(const char *text)
{
    armilla_cl_file *cl = NULL;
    put_text("cl.txt", text);
    assert_works(armilla_cl_read("cl.txt", &cl));
    return cl;
}

static void text_tables_are_read_in_every_layout(void **state)
{
    (void)state;
    const char *texts[] = {
        "# l TT EE\n2 1 2\n3 1.5 -2.5e0\n4 0 4\n",
        "\xef\xbb\xbf#l,TT,EE\r\n2,1,2\r\n3,1.5D0,-2.5D+0\r\n4,0,4\r\n",
        "# a comment\n\n  2\t1\t2   # first\n # ell TT EE\n 3, 1.5, -2.5\n   4 0 4",
        "#    L    TT    EE\n   2   1.0   2.0\n   3   0.15E+01  -2.5\n   4.  0.  4.\n\n\n",
    };
    const double values[] = {0, 0, 1, 1.5, 0, 0, 0, 2, -2.5, 4};
    for (int k = 0; k < 4; k++) {
        armilla_cl_file *cl = read_text(texts[k]);
        assert_int_equal(cl->lmax, 4);
        assert_int_equal(cl->nspectra, 2);
        assert_int_equal(cl->type, ARMILLA_IO_DOUBLE);
        assert_same_values(cl->cl, values, 10);
        assert_string_equal(cl->names[1], k == 2 ? "COLUMN_2" : "EE");
        armilla_cl_file_free(cl);
    }
}

static void columns_without_names_get_the_common_ones(void **state)
{
    (void)state;
    const char *texts[] = {"0 1\n", "0 1 2 3 4\n", "0 1 2 3 4 5 6\n", "0 1 2 3\n",
                           "# l is the degree\n0 1\n"};
    const char *last[] = {"TT", "TE", "TB", "COLUMN_3", "TT"};
    for (int k = 0; k < 5; k++) {
        armilla_cl_file *cl = read_text(texts[k]);
        assert_string_equal(cl->names[cl->nspectra - 1], last[k]);
        armilla_cl_file_free(cl);
    }
}

static void headers_that_name_dl_are_recognised(void **state)
{
    (void)state;
    const char *yes[] = {"l Dl",
                         "D_l in muK^2",
                         "ell D_ell^TT",
                         "columns: l DlTT DlEE",
                         "l(l+1)C_l/2pi",
                         "l (l + 1) C_l / (2 pi)",
                         "ell*(ell+1)*C_ell/(2*pi)",
                         "units: \xe2\x84\x93(\xe2\x84\x93+1)C\xe2\x84\x93/2\xcf\x80 in muK^2",
                         "[l(l+1)/2pi] C_l",
                         "$\\ell(\\ell+1)C_\\ell/2\\pi$",
                         "DL_TT"};
    const char *no[] = {"l TT EE",  "C_l",          "handled badly", "Dlat", "l(l+1)",
                        "Download", "Idle",         "DELTA",         "d",    "D",
                        "",         "l(l+1)C_l/4pi"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!armilla_text_names_dl(yes[i], strlen(yes[i]))) fail_msg("missed: %s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (armilla_text_names_dl(no[i], strlen(no[i]))) fail_msg("false alarm: %s", no[i]);
}

static void dl_become_cl(void **state)
{
    (void)state;
    armilla_cl_file *cl = read_text("# l D_l\n0 5\n1 1\n2 6\n");
    assert_true(cl->cl[0] == 0);
    assert_true(fabs(cl->cl[1] - M_PI) < 1e-15);
    assert_true(fabs(cl->cl[2] - 2 * M_PI) < 1e-15);
    armilla_cl_file_free(cl);
}

static void text_that_is_no_table_is_refused(void **state)
{
    (void)state;
    const char *cases[][2] = {
        {"# only a comment\n", "no numbers"},
        {"\n\n", "no numbers"},
        {"0 1\n1 x\n", "line 2: 'x' is no number"},
        {"0 1\n2 1\n", "line 2: l must rise by one"},
        {"0 1\n0 1\n", "line 2: l must rise by one"},
        {"-1 1\n", "line 1: l must begin"},
        {"2000000 1\n", "line 1: l must begin"},
        {"0.5 1\n", "line 1: '0.5'"},
        {"5\n", "line 1: needs at least two columns"},
        {"0 1 2\n1 1\n", "line 2: has another number of columns"},
        {"0 nan\n", "'nan' is no number"},
        {"0 1e999\n", "'1e999' is no number"},
        {"0 0x10\n", "'0x10' is no number"},
        {"TT 0 1\n", "'TT' is no number"},
        {"0 1\n\n# end\n1 1;2\n", "line 4: '1;2' is no number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_text("cl.txt", cases[i][0]);
        assert_refused("cl.txt", cases[i][1]);
    }
    put_bytes("cl.txt", "0 1\0\n1 2", 8);
    assert_refused("cl.txt", "neither FITS nor text");
}

static void decimal_comma_of_the_locale_does_not_matter(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) skip();
    armilla_cl_file *cl = read_text("# l TT\n0 1.5\n1 2.5e-3\n"), *back;
    assert_true(cl->cl[0] == 1.5 && cl->cl[1] == 2.5e-3);
    assert_works(armilla_cl_write("cl.fits", cl, 0));
    assert_works(armilla_cl_read("cl.fits", &back));
    assert_same_values(back->cl, cl->cl, 2);
    char *text;
    assert_works(armilla_io_describe("cl.fits", &text));
    assert_non_null(strstr(text, "1.5"));
    armilla_io_text_free(text);
    armilla_cl_file_free(back);
    armilla_cl_file_free(cl);
    setlocale(LC_ALL, "C");
}

static void write_checks_its_argument(void **state)
{
    (void)state;
    armilla_cl_file *cl = make_cl(5, 2, ARMILLA_IO_FLOAT);
    assert_int_equal(armilla_cl_write("cl.fits", NULL, 1), ARMILLA_ERROR_ARGUMENT);
    cl->cl[8] = -1e60;
    assert_int_equal(armilla_cl_write("cl.fits", cl, 1), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("l = 2, spectrum 1");
    cl->type = ARMILLA_IO_INT64;
    assert_int_equal(armilla_cl_write("cl.fits", cl, 1), ARMILLA_ERROR_ARGUMENT);
    armilla_cl_file_free(cl);
    cl = NULL;
    assert_int_equal(armilla_cl_file_new(-1, 1, &cl), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_cl_file_new(1, 0, &cl), ARMILLA_ERROR_ARGUMENT);
    assert_null(cl);
    armilla_cl_file_free(NULL);
    assert_int_equal(count_entries(), 0);
}

static void assert_header_says(const char *header, const char *name, const char *unit)
{
    char text[512];
    armilla_cl_file *cl;
    snprintf(text, sizeof text, "%s\n0 1\n1 2\n", header);
    put_text("cl.txt", text);
    assert_works(armilla_cl_read("cl.txt", &cl));
    assert_string_equal(cl->names[0], name);
    assert_string_equal(cl->unit, unit);
    assert_true(cl->cl[0] == 1 && cl->cl[1] == 2);
    armilla_cl_file_free(cl);
}

static void text_headers_tell_names_and_unit(void **state)
{
    (void)state;
    assert_header_says("# l EE", "EE", "");
    assert_header_says("# l EE in uK^2", "EE", "uK^2");
    assert_header_says("#l,EE in  uK mK \r", "EE", "uK mK");
    assert_header_says("# l in", "in", "");
    assert_header_says("# l EE in", "EE", "");
    assert_header_says("# l EE uK^2", "TT", ""); /* a word too many: no guess */
    assert_header_says("# Unit: K^2\n# l EE", "EE", "K^2");
    assert_header_says("# l EE\n# unit:\tK^2", "EE", "K^2");
    assert_header_says("# l EE in uK^2\n# unit: K^2", "EE", "K^2");
    assert_header_says("# unit:\n# l EE in uK^2", "EE", "uK^2");
    assert_header_says("# unit: \xc2\xb5K^2", "TT", ""); /* FITS has no such letter */
    assert_header_says("# unit: 0123456789012345678901234567890123456789"
                       "0123456789012345678901234567",
                       "TT",
                       "01234567890123456789012345678901234567890123456789012345678901234567");
    assert_header_says("# unit: 0123456789012345678901234567890123456789"
                       "01234567890123456789012345678",
                       "TT", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(every_size_and_type_survives),
        IN_DIRECTORY(ascii_tables_of_healpix_fortran_are_read),
        IN_DIRECTORY(degrees_and_dl_in_columns_are_understood),
        IN_DIRECTORY(maps_coefficients_and_holes_are_refused),
        IN_DIRECTORY(text_tables_are_read_in_every_layout),
        IN_DIRECTORY(columns_without_names_get_the_common_ones),
        cmocka_unit_test(headers_that_name_dl_are_recognised),
        IN_DIRECTORY(dl_become_cl),
        IN_DIRECTORY(text_headers_tell_names_and_unit),
        IN_DIRECTORY(text_that_is_no_table_is_refused),
        IN_DIRECTORY(decimal_comma_of_the_locale_does_not_matter),
        IN_DIRECTORY(write_checks_its_argument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

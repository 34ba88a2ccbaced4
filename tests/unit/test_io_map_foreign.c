/* Checks that HEALPix maps are read as other programs lay them out, and that headers that
 * contradict themselves are refused. */
#include "test_io_support.h"

#define NPIX(nside) (12 * (int64_t)(nside) * (nside))

/* --- Files of other programs ------------------------------------------------------------------ */

/* Twelve pixels of value 100 + i in one column of this form, with extra cards. */
static void make_implicit(const char *form, int width, int repeat, const char *const *cards)
{
    maker_begin();
    maker_table("BINTABLE", width * repeat, 12 / repeat, 1);
    maker_column(1, "signal", form);
    for (int i = 0; cards[i]; i++) maker_card("%s", cards[i]);
    maker_end_header();
    for (int i = 0; i < 12; i++)
        if (strchr(form, 'E'))
            maker_float((float)(100 + i));
        else if (strchr(form, 'D'))
            maker_double(100 + i);
        else
            maker_integer(100 + i, width);
    maker_save("map.fits");
}

static armilla_map *read_map(void)
{
    armilla_map *map = NULL;
    assert_works(armilla_map_read("map.fits", 0, 0, NULL, &map));
    return map;
}

static void forms_and_repeat_counts_are_all_read(void **state)
{
    (void)state;
    const char *const letters = "EDBIJK", *const cards[] = {"NSIDE   = 1", NULL};
    const int widths[] = {4, 8, 1, 2, 4, 8};
    const armilla_io_type types[] = {ARMILLA_IO_FLOAT, ARMILLA_IO_DOUBLE, ARMILLA_IO_INT16,
                                     ARMILLA_IO_INT16, ARMILLA_IO_INT32,  ARMILLA_IO_INT64};
    const int repeats[] = {1, 2, 3, 4, 6, 12};
    for (int k = 0; k < 6; k++)
        for (int r = 0; r < 6; r++) {
            char form[16];
            snprintf(form, sizeof form, "%d%c", repeats[r], letters[k]);
            make_implicit(repeats[r] == 1 ? form + 1 : form, widths[k], repeats[r], cards);
            armilla_map *map = read_map();
            assert_int_equal(map->fields[0].type, types[k]);
            for (int i = 0; i < 12; i++) assert_true(map->fields[0].values[i] == 100 + i);
            armilla_map_free(map);
        }
}

static void tscal_tzero_tnull_and_bad_data_are_honoured(void **state)
{
    (void)state;
    const char *const cards[] = {"NSIDE   = 1",   "TSCAL1  = 0.5", "TZERO1  = -1.0D1",
                                 "TNULL1  = 103", "BAD_DATA= 45",  NULL};
    const char *const unsigned_cards[] = {"NSIDE   = 1", "TZERO1  = 32768", NULL};
    make_implicit("I", 2, 1, cards);
    armilla_map *map = read_map();
    assert_int_equal(map->fields[0].type, ARMILLA_IO_DOUBLE);
    for (int i = 0; i < 12; i++)
        assert_true(map->fields[0].values[i] ==
                    (i == 3 || i == 10 ? ARMILLA_UNSEEN : 0.5 * (100 + i) - 10));
    armilla_map_free(map);
    make_implicit("I", 2, 1, unsigned_cards);
    map = read_map();
    assert_int_equal(map->fields[0].type, ARMILLA_IO_INT32);
    for (int i = 0; i < 12; i++) assert_true(map->fields[0].values[i] == 32868 + i);
    armilla_map_free(map);
}

static void logical_columns_are_masks_of_0_and_1(void **state)
{
    (void)state;
    maker_begin();
    maker_table("BINTABLE", 12, 1, 1);
    maker_column(1, "mask", "12L");
    maker_end_header();
    maker_text("TFTFTFTFTFT");
    maker_save("map.fits");
    armilla_map *map = read_map();
    assert_true(map->fields[0].values[0] == 1 && map->fields[0].values[1] == 0);
    assert_true(map->fields[0].values[11] == ARMILLA_UNSEEN);
    armilla_map_free(map);
}

static void unseen_of_any_precision_becomes_exact(void **state)
{
    (void)state;
    const float stored[] = {-1.6375e30F, -1.63750e30F * 1.000005F, -1.6376e30F, 0};
    maker_begin();
    maker_table("BINTABLE", 4, 12, 1);
    maker_column(1, "signal", "E");
    maker_end_header();
    for (int i = 0; i < 12; i++) maker_float(stored[i % 4]);
    maker_save("map.fits");
    armilla_map *map = read_map();
    assert_true(map->fields[0].values[0] == ARMILLA_UNSEEN);
    assert_true(map->fields[0].values[1] == ARMILLA_UNSEEN);
    assert_true(map->fields[0].values[2] == (double)-1.6376e30F);
    assert_true(map->fields[0].values[3] == 0);
    armilla_map_free(map);
}

static void ordering_is_understood_in_any_spelling(void **state)
{
    (void)state;
    const char *spellings[] = {"ORDERING= 'RING    '", "ORDERING= ' ring '", "ORDERING= 'NESTED'",
                               "ORDERING= 'nested  '", "ORDERING= ' Nest '"};
    for (int k = 0; k < 5; k++) {
        const char *const cards[] = {"NSIDE   = 1", spellings[k], NULL};
        make_implicit("E", 4, 1, cards);
        armilla_map *map = read_map();
        assert_int_equal(map->order, k < 2 ? ARMILLA_IO_RING : ARMILLA_IO_NESTED);
        armilla_map_free(map);
    }
    const char *const none[] = {"NSIDE   = 1", NULL};
    make_implicit("E", 4, 1, none);
    armilla_map *map = read_map();
    assert_int_equal(map->order, ARMILLA_IO_RING);
    armilla_map_free(map);
}

static void nested_pixels_go_to_their_ring_pixels(void **state)
{
    (void)state;
    enum { NSIDE = 4 };
    maker_begin();
    maker_table("BINTABLE", 8, (int)NPIX(NSIDE), 1);
    maker_column(1, "signal", "D");
    maker_card("NSIDE   = %d", NSIDE);
    maker_card("ORDERING= 'NESTED  '");
    maker_end_header();
    for (int i = 0; i < NPIX(NSIDE); i++) maker_double(i);
    maker_save("map.fits");
    armilla_map *map = read_map();
    for (int64_t i = 0; i < NPIX(NSIDE); i++)
        assert_true(map->fields[0].values[armilla_healpix_nest_to_ring(NSIDE, i)] == (double)i);
    /* Base pixel 0, its northern corner: nested pixel 15 is ring pixel 0. */
    assert_true(map->fields[0].values[0] == 15);
    armilla_map_free(map);
}

static void coordsys_is_understood_in_any_spelling(void **state)
{
    (void)state;
    const char *texts[] = {"G", "galactic",   "E",         "ECLIPTIC", "C",
                           "Q", "Equatorial", "celestial", "unknown",  ""};
    const char letters[] = {'G', 'G', 'E', 'E', 'C', 'C', 'C', 'C', 0, 0};
    for (int k = 0; k < 10; k++) {
        char card[80];
        snprintf(card, sizeof card, "COORDSYS= '%s'", texts[k]);
        const char *const cards[] = {"NSIDE   = 1", card, NULL};
        make_implicit("E", 4, 1, cards);
        armilla_map *map = read_map();
        assert_int_equal(map->coordsys, letters[k]);
        armilla_map_free(map);
    }
}

/* Two fields and a PIXEL column at this place; pixels 11, 3, 7 in this order. */
static void make_explicit(int place, const char *form, int width, const char *const *cards)
{
    const int pixels[] = {11, 3, 7};
    maker_begin();
    maker_table("BINTABLE", width + 8, 3, 3);
    for (int i = 0, field = 0; i < 3; i++)
        if (i == place)
            maker_column(i + 1, "Pixel", form);
        else
            maker_column(i + 1, field++ ? "second" : "first", "E");
    for (int i = 0; cards[i]; i++) maker_card("%s", cards[i]);
    maker_end_header();
    for (int row = 0; row < 3; row++)
        for (int i = 0, field = 0; i < 3; i++)
            if (i == place)
                maker_integer(pixels[row], width);
            else
                maker_float((float)(10 * ++field + row));
    maker_save("map.fits");
}

static void assert_explicit(void)
{
    armilla_map *map = read_map();
    assert_int_equal(map->partial, 1);
    assert_int_equal(map->nfields, 2);
    assert_string_equal(map->fields[0].name, "first");
    for (int f = 0; f < 2; f++)
        for (int i = 0; i < 12; i++) {
            int row = i == 11 ? 0 : i == 3 ? 1 : i == 7 ? 2 : -1;
            double expected = row < 0 ? ARMILLA_UNSEEN : 10 * (f + 1) + row;
            assert_true(map->fields[f].values[i] == expected);
        }
    armilla_map_free(map);
}

static void pixel_column_may_have_any_place_and_integer_type(void **state)
{
    (void)state;
    const char *const cards[] = {"NSIDE   = 1", "OBJECT  = 'PARTIAL'", "INDXSCHM= 'EXPLICIT'",
                                 NULL};
    const char *const object[] = {"NSIDE   = 1", "OBJECT  = 'PARTIAL'", NULL};
    const char *const scheme[] = {"NSIDE   = 1", "INDXSCHM= 'EXPLICIT'", "OBJECT  = 'M31'", NULL};
    const char *const neither[] = {"NSIDE   = 1", NULL}; /* the column's name tells */
    const char *const forms[] = {"B", "I", "J", "K"};
    const int widths[] = {1, 2, 4, 8};
    for (int place = 0; place < 3; place++)
        for (int k = 0; k < 4; k++) {
            make_explicit(place, forms[k], widths[k], cards);
            assert_explicit();
        }
    make_explicit(1, "J", 4, object);
    assert_explicit();
    make_explicit(1, "J", 4, scheme);
    assert_explicit();
    make_explicit(1, "J", 4, neither);
    assert_explicit();
}

static void implicit_range_of_pixels_is_placed(void **state)
{
    (void)state;
    const char *const cards[] = {"NSIDE   = 2", "FIRSTPIX= 30", "LASTPIX = 41", NULL};
    make_implicit("E", 4, 1, cards);
    armilla_map *map = read_map();
    assert_int_equal(map->npix, 48);
    for (int i = 0; i < 48; i++)
        assert_true(map->fields[0].values[i] ==
                    (i >= 30 && i <= 41 ? 100 + i - 30 : ARMILLA_UNSEEN));
    armilla_map_free(map);
}

static void map_is_found_behind_other_tables(void **state)
{
    (void)state;
    maker_begin();
    maker_table("BINTABLE", 4, 3, 1);
    maker_column(1, "TEMPERATURE", "E");
    maker_end_header();
    for (int i = 0; i < 3; i++) maker_float(1);
    maker_pad(0);
    maker_table("BINTABLE", 4, 12, 1);
    maker_column(1, "signal", "E");
    maker_card("PIXTYPE = 'HEALPIX '");
    maker_end_header();
    for (int i = 0; i < 12; i++) maker_float((float)i);
    maker_save("map.fits");
    armilla_map *map = read_map();
    assert_string_equal(map->fields[0].name, "signal");
    armilla_map_free(map);
    assert_int_equal(armilla_map_read("map.fits", 1, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
    assert_works(armilla_map_read("map.fits", 2, 0, NULL, &map));
    armilla_map_free(map);
}

/* --- Contradictions --------------------------------------------------------------------------- */

static void assert_refused(armilla_status expected, const char *word)
{
    armilla_map *map = NULL;
    assert_int_equal(armilla_map_read("map.fits", 1, 0, NULL, &map), expected);
    assert_null(map);
    assert_message_has("map.fits");
    assert_message_has(word);
}

static void contradictory_headers_are_refused(void **state)
{
    (void)state;
    const char *const cases[][5] = {
        {"NSIDE   = 2", NULL, NULL, NULL, "NSIDE = 2 needs 48 pixels"},
        {"NSIDE   = 0", NULL, NULL, NULL, "NSIDE = 0"},
        {"NSIDE   = -1", NULL, NULL, NULL, "NSIDE = -1"},
        {"NSIDE   = 1000000000", NULL, NULL, NULL, "NSIDE = 1000000000"},
        {"NSIDE   = 'many'", NULL, NULL, NULL, "NSIDE = 'many'"},
        {"ORDERING= 'NESTED'", NULL, NULL, NULL, "NSIDE is missing"},
        {"ORDERING= 'SPIRAL'", NULL, NULL, NULL, "ORDERING = 'SPIRAL'"},
        {"NSIDE   = 1", "OBJECT  = 'FULLSKY'", "INDXSCHM= 'EXPLICIT'", NULL, "contradicts"},
        {"NSIDE   = 1", "OBJECT  = 'PARTIAL'", "INDXSCHM= 'IMPLICIT'", NULL, "contradicts"},
        {"NSIDE   = 1", "INDXSCHM= 'SPARSE'", NULL, NULL, "INDXSCHM = 'SPARSE'"},
        {"NSIDE   = 1", "PIXTYPE = 'CAR'", NULL, NULL, "PIXTYPE = 'CAR': must be HEALPIX"},
        {"NSIDE   = 1", "POLCCONV= 'xyz'", NULL, NULL, "POLCCONV = 'xyz': must be COSMO or IAU"},
        {"NSIDE   = 3", "ORDERING= 'NESTED'", NULL, NULL, "power of two"},
        {"NSIDE   = 1", "INDXSCHM= 'EXPLICIT'", NULL, NULL, "PIXEL"},
        {"NSIDE   = 2", "FIRSTPIX= 40", "LASTPIX = 51", NULL, "NSIDE = 2"},
        {"NSIDE   = 2", "FIRSTPIX= 40", "LASTPIX = -9223372036854775808", NULL, "NSIDE = 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_implicit("E", 4, 1, cases[i]);
        assert_refused(ARMILLA_ERROR_FORMAT, cases[i][4]);
    }
}

static void pixels_outside_the_sphere_are_refused(void **state)
{
    (void)state;
    const char *const cards[] = {"NSIDE   = 1", "OBJECT  = 'PARTIAL'", NULL};
    const char *const shifted[] = {"NSIDE   = 1", "OBJECT  = 'PARTIAL'", "TZERO1  = 1", NULL};
    const char *const negative[] = {"NSIDE   = 1", "OBJECT  = 'PARTIAL'", "TZERO1  = -4", NULL};
    const char *const fraction[] = {"NSIDE   = 1", "OBJECT  = 'PARTIAL'", "TSCAL1  = 0.5", NULL};
    const char *const grain[] = {"NSIDE   = 1", "OBJECT  = 'PARTIAL'", "GRAIN   = 4", NULL};
    const char *const huge[] = {"NSIDE   = 536870912", "OBJECT  = 'PARTIAL'", NULL};
    const char *const lost[] = {"OBJECT  = 'PARTIAL'", NULL};
    make_explicit(0, "J", 4, cards);
    assert_explicit();
    make_explicit(0, "J", 4, shifted);
    assert_refused(ARMILLA_ERROR_FORMAT, "row 1: PIXEL = 12");
    make_explicit(0, "J", 4, negative);
    assert_refused(ARMILLA_ERROR_FORMAT, "row 2: PIXEL = -1");
    make_explicit(0, "J", 4, fraction);
    assert_refused(ARMILLA_ERROR_FORMAT, "row 1: PIXEL = 5.5: must be a whole number");
    make_explicit(0, "J", 4, grain);
    assert_refused(ARMILLA_ERROR_UNSUPPORTED, "GRAIN = 4");
    make_explicit(0, "J", 4, huge);
    assert_refused(ARMILLA_ERROR_MEMORY, "NSIDE = 536870912");
    make_explicit(0, "J", 4, lost);
    assert_refused(ARMILLA_ERROR_FORMAT, "NSIDE is missing");
}

static void columns_that_are_no_fields_are_refused(void **state)
{
    (void)state;
    const char *forms[] = {"4A", "C", "1PE(9)"};
    const int widths[] = {4, 8, 8};
    for (int k = 0; k < 3; k++) {
        maker_begin();
        maker_table("BINTABLE", 4 + widths[k], 12, 2);
        maker_column(1, "signal", "E");
        maker_column(2, "strange", forms[k]);
        maker_end_header();
        for (int i = 0; i < 12 * (4 + widths[k]); i++) maker_integer(0, 1);
        maker_save("map.fits");
        assert_refused(ARMILLA_ERROR_FORMAT, "'strange'");
        const int64_t first = 0;
        armilla_map *map;
        assert_works(armilla_map_read("map.fits", 1, 1, &first, &map));
        armilla_map_free(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(forms_and_repeat_counts_are_all_read),
        IN_DIRECTORY(tscal_tzero_tnull_and_bad_data_are_honoured),
        IN_DIRECTORY(logical_columns_are_masks_of_0_and_1),
        IN_DIRECTORY(unseen_of_any_precision_becomes_exact),
        IN_DIRECTORY(ordering_is_understood_in_any_spelling),
        IN_DIRECTORY(nested_pixels_go_to_their_ring_pixels),
        IN_DIRECTORY(coordsys_is_understood_in_any_spelling),
        IN_DIRECTORY(pixel_column_may_have_any_place_and_integer_type),
        IN_DIRECTORY(implicit_range_of_pixels_is_placed),
        IN_DIRECTORY(map_is_found_behind_other_tables),
        IN_DIRECTORY(contradictory_headers_are_refused),
        IN_DIRECTORY(pixels_outside_the_sphere_are_refused),
        IN_DIRECTORY(columns_that_are_no_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

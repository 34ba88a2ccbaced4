/* Checks that cards of a HEALPix map that contradict one another, or the number of its values, are
 * refused, and that the layouts of real files with parts of the sky are read. */
#include "test_io_support.h"

enum { MOST_CARDS = 8, ROWS = 3 };

/* One column of `count` values 100 + i, with extra cards. */
static void make_implicit(int count, const char *const *cards)
{
    maker_begin();
    maker_table("BINTABLE", 4, count, 1);
    maker_column(1, "signal", "E");
    for (int i = 0; cards[i]; i++) maker_card("%s", cards[i]);
    maker_end_header();
    for (int i = 0; i < count; i++) maker_float((float)(100 + i));
    maker_save("map.fits");
}

/* Pixel numbers and a field of values, with extra cards. */
static void make_table(const char *name, const int *pixels, const float *values,
                       const char *const *cards)
{
    maker_begin();
    maker_table("BINTABLE", 8, ROWS, 2);
    maker_column(1, name, "J");
    maker_column(2, "signal", "E");
    for (int i = 0; cards[i]; i++) maker_card("%s", cards[i]);
    maker_end_header();
    for (int i = 0; i < ROWS; i++) {
        maker_integer(pixels[i], 4);
        maker_float(values[i]);
    }
    maker_save("map.fits");
}

static void make_listed(const char *name, const int *pixels, const char *const *cards)
{
    make_table(name, pixels, (const float[ROWS]){100, 101, 102}, cards);
}

static void assert_refused(const char *words)
{
    armilla_map *map = NULL;
    armilla_map_input *input = NULL;
    assert_int_equal(armilla_map_read("map.fits", 0, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
    assert_null(map);
    assert_message_has("map.fits");
    assert_message_has(words);
    assert_int_equal(armilla_map_input_open("map.fits", 0, &input), ARMILLA_ERROR_FORMAT);
    assert_message_has(words);
}

static armilla_map *read_map(void)
{
    armilla_map *map = NULL;
    assert_works(armilla_map_read("map.fits", 0, 0, NULL, &map));
    return map;
}

/* --- IMPLICIT --------------------------------------------------------------------------------- */

typedef struct implicit_case {
    int count;
    const char *cards[MOST_CARDS];
    const char *words; /* of the refusal; NULL: it is read */
    int first;         /* pixel */
} implicit_case;

static const implicit_case implicit_cases[] = {
    /* all pixels of another NSIDE */
    {3072,
     {"NSIDE   = 17", "OBJECT  = 'FULLSKY'", "FIRSTPIX= 0", "LASTPIX = 3071"},
     "NSIDE = 17 needs 3468 pixels, the table has 3072 values per column, as the sky of NSIDE "
     "= 16 has",
     0},
    {3072,
     {"NSIDE   = 17", "OBJECT  = 'FULLSKY'", "INDXSCHM= 'IMPLICIT'", "FIRSTPIX= 0",
      "LASTPIX = 3071"},
     "as the sky of NSIDE = 16 has",
     0},
    {3072, {"NSIDE   = 17", "FIRSTPIX= 0", "LASTPIX = 3071"}, "NSIDE = 16 has", 0},
    {3072, {"NSIDE   = 17", "LASTPIX = 3071"}, "NSIDE = 16 has", 0},
    {3000,
     {"NSIDE   = 17", "OBJECT  = 'FULLSKY'", "FIRSTPIX= 0", "LASTPIX = 2999"},
     "NSIDE = 17 needs 3468 pixels, the table has 3000 values per column",
     0},
    /* a table of all pixels */
    {48, {"NSIDE   = 2", "FIRSTPIX= 0", "LASTPIX = 46"}, "LASTPIX = 46: contradicts NSIDE = 2", 0},
    {48, {"NSIDE   = 2", "LASTPIX = 48"}, "LASTPIX = 48: contradicts NSIDE = 2", 0},
    {48, {"LASTPIX = 191"}, "LASTPIX = 191: contradicts NSIDE = 2", 0},
    {48, {"NSIDE   = 2", "FIRSTPIX= 1"}, "FIRSTPIX = 1: contradicts NSIDE = 2", 0},
    {48, {"NSIDE   = 2", "OBS_NPIX= 49"}, "OBS_NPIX = 49: contradicts NSIDE = 2", 0},
    {48,
     {"NSIDE   = 2", "OBJECT  = 'PARTIAL'", "INDXSCHM= 'IMPLICIT'"},
     "OBJECT = 'PARTIAL': contradicts",
     0},
    {48, {"NSIDE   = 2", "INDXSCHM= 'IMPLICIT'", "GRAIN   = 1"}, "GRAIN = 1: contradicts", 0},
    {48, {"NSIDE   = 2", "OBJECT  = 'FULLSKY'", "GRAIN   = 1"}, "GRAIN = 1: contradicts", 0},
    /* of files that are read */
    {48,
     {"NSIDE   = 2", "OBJECT  = 'FULLSKY'", "INDXSCHM= 'IMPLICIT'", "GRAIN   = 0", "FIRSTPIX= 0",
      "LASTPIX = 47", "NPIX    = 768"},
     NULL,
     0}, /* a mask of Planck has such an NPIX */
    {48, {"NSIDE   = 2", "OBS_NPIX= 30"}, NULL, 0},
    {48, {"NSIDE   = 2", "OBJECT  = 'ALL-SKY'"}, NULL, 0},
    {20, {"NSIDE   = 2", "FIRSTPIX= 28", "LASTPIX = 47"}, NULL, 28},
    {20, {"NSIDE   = 2", "LASTPIX = 19"}, NULL, 0},
    {12,
     {"NSIDE   = 2", "OBJECT  = 'PARTIAL'", "INDXSCHM= 'IMPLICIT'", "FIRSTPIX= 0", "LASTPIX = 11"},
     NULL,
     0},
    {12, {"NSIDE   = 2", "FIRSTPIX= 12", "LASTPIX = 23"}, NULL, 12},
};

static void implicit_cards_agree_or_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof implicit_cases / sizeof *implicit_cases; i++) {
        const implicit_case *one = &implicit_cases[i];
        make_implicit(one->count, one->cards);
        if (one->words) {
            assert_refused(one->words);
            continue;
        }
        armilla_map *map = read_map();
        assert_int_equal(map->nside, 2);
        for (int64_t p = 0; p < map->npix; p++) {
            const int64_t at = p - one->first;
            const int is_there = at >= 0 && at < one->count;
            assert_true(map->fields[0].values[p] == (is_there ? 100 + (double)at : ARMILLA_UNSEEN));
        }
        armilla_map_free(map);
    }
}

/* --- EXPLICIT --------------------------------------------------------------------------------- */

/* As healpy, healsparse, HEALPix' cut-sky files, gammapy, and the IACT community write them. */
static void parts_of_the_sky_are_read(void **state)
{
    (void)state;
    const int pixels[ROWS] = {4, 40, 7};
    const char *const cases[][MOST_CARDS] = {
        {"NSIDE   = 2", "OBJECT  = 'PARTIAL'", "INDXSCHM= 'EXPLICIT'"},
        {"NSIDE   = 2", "OBJECT  = 'PARTIAL'", "INDXSCHM= 'EXPLICIT'", "OBS_NPIX= 3",
         "GRAIN   = 1"},
        {"NSIDE   = 2", "INDXSCHM= 'EXPLICIT'", "FIRSTPIX= 0", "LASTPIX = 47"},
        {"NSIDE   = 2", "OBJECT  = 'PARTIAL'", "FIRSTPIX= 4", "LASTPIX = 40", "OBS_NPIX= 3"},
        {"NSIDE   = 2", "OBJECT  = 'PARTIAL'", "FIRSTPIX= 4", "OBS_NPIX= 3", "GRAIN   = 1"},
        {"NSIDE   = 2", "GRAIN   = 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_listed(i % 2 ? "PIXEL" : "PIX", pixels, cases[i]);
        armilla_map *map = read_map();
        assert_int_equal(map->partial, 1);
        for (int64_t p = 0; p < map->npix; p++) {
            const int row = p == 4 ? 0 : p == 40 ? 1 : p == 7 ? 2 : -1;
            assert_true(map->fields[0].values[p] == (row < 0 ? ARMILLA_UNSEEN : 100 + row));
        }
        armilla_map_free(map);
    }
}

static void listed_cards_agree_or_are_refused(void **state)
{
    (void)state;
    const int pixels[ROWS] = {4, 40, 7};
    const char *const cases[][MOST_CARDS] = {
        {"NSIDE   = 2", "OBJECT  = 'PARTIAL'", "OBS_NPIX= 2"},
        {"NSIDE   = 2", "INDXSCHM= 'EXPLICIT'", "OBS_NPIX= 4"},
        {"NSIDE   = 2", "INDXSCHM= 'EXPLICIT'", "LASTPIX = 191"},
        {"NSIDE   = 2", "INDXSCHM= 'EXPLICIT'", "GRAIN   = 0"},
        {"NSIDE   = 2", "OBJECT  = 'PARTIAL'", "GRAIN   = 0"},
        {"NSIDE   = 2", "GRAIN   = 0"},
    };
    const char *const words[] = {
        "OBS_NPIX = 2: contradicts",          "OBS_NPIX = 4: contradicts",
        "LASTPIX = 191: contradicts",         "GRAIN = 0: contradicts an EXPLICIT",
        "GRAIN = 0: contradicts an EXPLICIT", "NSIDE = 2 needs 48 pixels"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_listed("PIXEL", pixels, cases[i]);
        assert_refused(words[i]);
    }
}

static void pixels_that_are_listed_twice_have_one_value(void **state)
{
    (void)state;
    const int pixels[ROWS] = {4, 40, 4};
    const char *const orders[] = {"ORDERING= 'RING'", "ORDERING= 'NESTED'"};
    armilla_map *map = NULL;
    for (int i = 0; i < 2; i++) {
        const char *const cards[] = {"NSIDE   = 2", "OBJECT  = 'PARTIAL'", orders[i], NULL};
        make_listed("PIXEL", pixels, cards);
        assert_int_equal(armilla_map_read("map.fits", 0, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
        assert_message_has("row 3: its pixel is listed twice, with the values 100 and 102");
        make_table("PIXEL", pixels, (const float[ROWS]){100, 101, 100}, cards);
        map = read_map();
        assert_true(map->fields[0].values[i ? armilla_healpix_nest_to_ring(2, 4) : 4] == 100);
        armilla_map_free(map);
        map = NULL;
    }
}

/* --- Pixels of several sizes ------------------------------------------------------------------ */

static void multi_order_tables_are_named(void **state)
{
    (void)state;
    const int pixels[ROWS] = {4, 17, 70};
    const char *const cases[][MOST_CARDS] = {
        {"PIXTYPE = 'HEALPIX'", "ORDERING= 'NUNIQ'", "COORDSYS= 'C'", "INDXSCHM= 'EXPLICIT'",
         "MOCORDER= 2"},
        {"PIXTYPE = 'HEALPIX'", "ORDERING= 'UNIQ'"},
        {"INDXSCHM= 'EXPLICIT'"},
    };
    char *text = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_listed("UNIQ", pixels, cases[i]);
        assert_refused("a multi-order table (NUNIQ), whose pixels have several sizes");
        assert_message_has("ligo.skymap, or with mhealpy");
    }
    make_listed("UNIQ", pixels, cases[0]);
    assert_works(armilla_io_describe("map.fits", &text));
    assert_non_null(strstr(text, "a multi-order table (NUNIQ)"));
    armilla_io_text_free(text);
}

static void descriptions_tell_contradictions(void **state)
{
    (void)state;
    const char *const cards[] = {"PIXTYPE = 'HEALPIX'", "NSIDE   = 17", "OBJECT  = 'FULLSKY'",
                                 "LASTPIX = 3071", NULL};
    char *text = NULL;
    make_implicit(3072, cards);
    assert_works(armilla_io_describe("map.fits", &text));
    assert_non_null(strstr(text, "HEALPix map that cannot be read: map.fits: NSIDE = 17 needs"));
    armilla_io_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(implicit_cards_agree_or_are_refused),
        IN_DIRECTORY(parts_of_the_sky_are_read),
        IN_DIRECTORY(listed_cards_agree_or_are_refused),
        IN_DIRECTORY(pixels_that_are_listed_twice_have_one_value),
        IN_DIRECTORY(multi_order_tables_are_named),
        IN_DIRECTORY(descriptions_tell_contradictions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

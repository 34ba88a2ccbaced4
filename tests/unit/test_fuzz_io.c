/* Checks that everything that reads files stands damaged ones: seeded mutations of good files. No
 * crash, no hang, no allocation out of proportion (AddressSanitizer adds: no stray access, no
 * leak); an error comes with a message and without a result. The seed and the step are printed
 * where one fails. */
#include "test_io_support.h"

#include "base/memory.h"
#include "fuzz/fits_cards.h"
#include "io/fits_screen.h"

#include <sys/resource.h>

enum { SEED = 7101, STEPS_SMALL = 500, STEPS_REAL = 60, MAX_MEMORY_MB = 2000 };

static const char path[] = "damaged.fits";

/* --- Reading ---------------------------------------------------------------------------------- */

static void check_error(armilla_status status, const void *result)
{
    if (!status) return;
    assert_null(result);
    assert_true(strlen(armilla_status_message()) > 0);
    assert_int_not_equal(status, ARMILLA_ERROR_INTERNAL);
}

static void read_as_map(int hdu)
{
    armilla_map *map = NULL;
    armilla_status status = armilla_map_read(path, hdu, 0, NULL, &map);
    check_error(status, map);
    for (int64_t f = 0; map && f < map->nfields; f++)
        for (int64_t i = 0; i < map->npix; i++)
            assert_true(map->fields[f].values[i] == map->fields[f].values[i]); /* no NaN */
    armilla_map_free(map);
}

static void read_as_everything(void)
{
    armilla_alm_file *alm = NULL;
    armilla_cl_file *cl = NULL;
    char *text = NULL;
    read_as_map(0);
    read_as_map(1);
    check_error(armilla_alm_read(path, 0, &alm), alm);
    armilla_alm_file_free(alm);
    check_error(armilla_cl_read(path, &cl), cl);
    armilla_cl_file_free(cl);
    check_error(armilla_io_describe(path, &text), text);
    armilla_io_text_free(text);
}

/* --- Damage ----------------------------------------------------------------------------------- */

static void replace_card(unsigned char *bytes, size_t size, uint64_t *seed)
{
    size_t place = (size_t)draw_below(seed, 108) * 80; /* the first three blocks */
    const char *card = fits_cards[draw_below(seed, sizeof fits_cards / sizeof *fits_cards)];
    if (place + 80 > size) return;
    memset(bytes + place, ' ', 80);
    memcpy(bytes + place, card, strlen(card));
}

/* Another digit or letter where there is one, mostly in headers. */
static void replace_character(unsigned char *bytes, size_t size, uint64_t *seed)
{
    size_t place = (size_t)draw_below(seed, size < 8640 ? (int64_t)size : 8640);
    if (bytes[place] >= '0' && bytes[place] <= '9')
        bytes[place] = (unsigned char)('0' + draw_below(seed, 10));
    else if (bytes[place] != ' ')
        bytes[place] = (unsigned char)(' ' + draw_below(seed, 95));
}

static void copy_piece(unsigned char *bytes, size_t size, uint64_t *seed)
{
    size_t length = (size_t)draw_below(seed, 200);
    size_t from = (size_t)draw_below(seed, (int64_t)size),
           to = (size_t)draw_below(seed, (int64_t)size);
    if (from + length <= size && to + length <= size) memmove(bytes + to, bytes + from, length);
}

static void damage(unsigned char *bytes, size_t *size, uint64_t *seed)
{
    switch (draw_below(seed, 8)) {
    case 0:
        *size = (size_t)draw_below(seed, (int64_t)*size) + 1;
        break;
    case 1:
        bytes[draw_below(seed, (int64_t)*size)] ^= (unsigned char)(1 << draw_below(seed, 8));
        break;
    case 2:
        bytes[draw_below(seed, (int64_t)*size)] = (unsigned char)draw_below(seed, 256);
        break;
    case 3:
        copy_piece(bytes, *size, seed);
        break;
    case 4:
    case 5:
        replace_card(bytes, *size, seed);
        break;
    default:
        replace_character(bytes, *size, seed);
        break;
    }
}

static int current_step;

static void fuzz(const char *original, int steps)
{
    size_t whole;
    uint64_t seed = SEED;
    unsigned char *bytes = get_bytes(original, &whole), *copy = malloc(whole);
    for (current_step = 0; current_step < steps; current_step++) {
        size_t size = whole;
        memcpy(copy, bytes, whole);
        for (int64_t n = draw_below(&seed, 6) + 1; n > 0; n--) damage(copy, &size, &seed);
        put_bytes(path, copy, size);
        read_as_everything();
    }
    free(copy);
    free(bytes);
}

/* --- Originals -------------------------------------------------------------------------------- */

static void damaged_maps_do_no_harm(void **state)
{
    (void)state;
    const armilla_io_type types[] = {ARMILLA_IO_FLOAT, ARMILLA_IO_INT16, ARMILLA_IO_DOUBLE};
    armilla_map *map;
    assert_works(armilla_map_new(4, 3, &map));
    for (int k = 0; k < 4; k++) {
        for (int f = 0; f < 3; f++) map->fields[f].type = types[f];
        map->order = k & 1 ? ARMILLA_IO_NESTED : ARMILLA_IO_RING;
        map->partial = k >> 1;
        assert_works(armilla_map_write("map.fits", map, 1));
        fuzz("map.fits", STEPS_SMALL);
    }
    armilla_map_free(map);
}

/* A grid with a name, one without, and an image. */
static void damaged_ring_grids_do_no_harm(void **state)
{
    (void)state;
    static const char *const names[] = {"O4", "cc:5x8", "cc:5x8"};
    for (int k = 0; k < 3; k++) {
        armilla_grid *named, *grid;
        armilla_map *map;
        armilla_write_options options;
        armilla_write_options_init(&options);
        options.overwrite = 1;
        options.image = k == 2;
        assert_works(armilla_grid_new_named(names[k], &named));
        assert_works(armilla_grid_new_subset(named, 0, armilla_grid_nrings(named), 1, &grid));
        assert_works(armilla_map_new_grid(k == 1 ? grid : named, 3, &map));
        map->coordsys = 'G';
        assert_works(armilla_map_write_with("map.fits", map, &options));
        fuzz("map.fits", STEPS_SMALL);
        armilla_map_free(map);
        armilla_grid_free(grid);
        armilla_grid_free(named);
    }
}

static void damaged_coefficients_do_no_harm(void **state)
{
    (void)state;
    armilla_alm_file *alm;
    assert_works(armilla_alm_file_new(12, 10, 2, &alm));
    assert_works(armilla_alm_write("alm.fits", alm, 0));
    armilla_alm_file_free(alm);
    fuzz("alm.fits", STEPS_SMALL);
}

static void damaged_spectra_do_no_harm(void **state)
{
    (void)state;
    armilla_cl_file *cl;
    assert_works(armilla_cl_file_new(20, 4, &cl));
    assert_works(armilla_cl_write("cl.fits", cl, 0));
    armilla_cl_file_free(cl);
    fuzz("cl.fits", STEPS_SMALL);
    put_text("cl.txt", "# l D_l^TT EE\n# l(l+1)C_l/2pi\n0, 1.5D0 2\n1 2e-3,4\n2 .5 6.\n3 0 0\n");
    fuzz("cl.txt", 4 * STEPS_SMALL);
    maker_begin();
    maker_table("TABLE", 20, 4, 2);
    maker_card("TBCOL1  = 1");
    maker_column(1, "ELL", "I4");
    maker_card("TBCOL2  = 6");
    maker_column(2, "TT", "E15.7");
    maker_end_header();
    for (int l = 2; l < 6; l++)
        maker_text(l == 4 ? "   4   0.1000000E+01" : "   5   0.1000000D-01");
    maker_save("ascii.fits");
    fuzz("ascii.fits", STEPS_SMALL);
}

static void damaged_real_files_do_no_harm(void **state)
{
    (void)state;
    const char *originals[] = {
        ARMILLA_SHARED_DATA
        "/cl_wmap_band_iqumap_r9_7yr_W_v4_udgraded32_IQU_lmax64_rmmono_3iter.fits",
        ARMILLA_SHARED_DATA "/wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits",
        ARMILLA_SHARED_DATA "/wmap_band_iqumap_r9_7yr_W_v4_udgraded32_smoothed10deg_fortran.fits"};
    if (access(originals[0], R_OK)) skip();
    fuzz(originals[0], STEPS_SMALL);
    fuzz(originals[1], STEPS_REAL);
    fuzz(originals[2], STEPS_REAL);
}

/* --- What the fuzz targets (tests/fuzz) found ------------------------------------------------- */

/* 200 bytes asked for 512 MB: 65 columns that begin with l = 1000000. 999 of them: 8 GB. */
static void a_high_first_degree_is_not_believed(void **state)
{
    (void)state;
    armilla_cl_file *cl = NULL;
    char text[4096] = "1000000";
    put_text("high.txt", "1000000 1 2 3\n1000001 4 5 6\n");
    assert_works(armilla_cl_read("high.txt", &cl));
    assert_int_equal(cl->lmax, 1000001);
    armilla_cl_file_free(cl);
    cl = NULL;
    for (int i = 0; i < 998; i++) strcat(text, " 1");
    put_text("wide.txt", text);
    assert_int_equal(armilla_cl_read("wide.txt", &cl), ARMILLA_ERROR_FORMAT);
    assert_message_has("1 row(s) of 998 spectra that begin with l = 1000000");
    maker_begin();
    maker_table("BINTABLE", 4 * 65, 1, 65);
    maker_column(1, "ELL", "1J");
    for (int i = 2; i <= 65; i++) maker_column(i, "TT", "1E");
    maker_end_header();
    maker_integer(1000000, 4);
    for (int i = 2; i <= 65; i++) maker_float(1);
    maker_save("wide.fits");
    assert_int_equal(armilla_cl_read("wide.fits", &cl), ARMILLA_ERROR_FORMAT);
    assert_message_has("1 row(s) of 64 spectra that begin with l = 1000000");
    assert_null(cl);
}

static int sound_hdus(const char *name)
{
    armilla_screen found;
    size_t size;
    free(get_bytes(name, &size));
    assert_works(armilla_fits_screen(name, (int64_t)size, &found));
    armilla_release(found.starts);
    assert_int_equal(found.is_cut, found.count == 1);
    return found.count;
}

/* A table whose card number `place` is another one. */
static int sound_with(int place, const char *card)
{
    const char *cards[] = {"XTENSION= 'BINTABLE'", "BITPIX  = 8", "NAXIS   = 2", "NAXIS1  = 4",
                           "NAXIS2  = 12",         "PCOUNT  = 0", "GCOUNT  = 1", "TFIELDS = 1"};
    cards[place] = card;
    maker_begin();
    for (int i = 0; i < 8; i++) maker_card("%s", cards[i]);
    maker_column(1, "signal", "1E");
    maker_end_header();
    for (int i = 0; i < 12; i++) maker_float(1);
    maker_save("damaged.fits");
    read_as_everything();
    return sound_hdus("damaged.fits") == 2;
}

/* cfitsio refused these numbers and went on with a number of columns that was never set: it asked
 * for 2^54 bytes. */
static void numbers_that_cfitsio_refuses_stop_the_screen(void **state)
{
    (void)state;
    assert_true(sound_with(4, "NAXIS2  = +12 / rows"));
    assert_true(sound_with(4, "NAXIS2  =   12/rows"));
    assert_false(sound_with(4, "NAXIS2  = 12."));
    assert_false(sound_with(4, "NAXIS2  = 1.2E1"));
    assert_false(sound_with(4, "NAXIS2  = 12\n"));
    assert_false(sound_with(4, "NAXIS2  = \t12"));
    assert_false(sound_with(4, "NAXIS2  = '12'"));
    assert_false(sound_with(4, "NAXIS2  = "));
    assert_false(sound_with(7, "TFIELDS = 1.0"));
    assert_false(sound_with(3, "NAXIS1  = - 4"));
}

/* cfitsio copied 71 bytes to 70: the C library ended the process. */
static void names_without_quotes_stop_the_screen(void **state)
{
    (void)state;
    char card[81] = "TTYPE1  = ";
    memset(card + 10, 'x', 70);
    for (int length = 1; length <= 70; length += 23) {
        maker_begin();
        maker_table("BINTABLE", 4, 12, 1);
        maker_card("%.*s", 10 + length, card);
        maker_card("TFORM1  = '1E'");
        maker_end_header();
        for (int i = 0; i < 12; i++) maker_float(1);
        maker_save("damaged.fits");
        read_as_everything();
        assert_int_equal(sound_hdus("damaged.fits"), 1);
    }
}

/* What cfitsio takes for a table must be screened as one. */
static void tables_are_known_by_any_spelling(void **state)
{
    (void)state;
    const char *const tables[] = {"XTENSION= 'BINTABLE'", "XTENSION= '  BINTABLE'",
                                  "XTENSION=   'A3DTABLE'", "XTENSION= '3DTABLE '"};
    for (int i = 0; i < 4; i++) {
        assert_true(sound_with(0, tables[i]));
        maker_begin();
        maker_card("%s", tables[i]);
        maker_card("BITPIX  = 8");
        maker_card("NAXIS   = 2");
        maker_card("NAXIS1  = 4");
        maker_card("NAXIS2  = 1");
        maker_card("PCOUNT  = 0");
        maker_card("GCOUNT  = 1");
        maker_card("TFIELDS = 1000");
        maker_end_header();
        maker_save("columns.fits");
        assert_int_equal(sound_hdus("columns.fits"), 1);
    }
    assert_false(sound_with(0, "XTENSION= 4294967296"));
    assert_false(sound_with(0, "XTENSION= BINTABLE"));
}

/* cfitsio skips the data of random groups, the screen knows none: the table it would read next was
 * never looked at. */
static void hdus_must_lie_where_the_screen_saw_them(void **state)
{
    (void)state;
    char *text = NULL;
    const char *const names[] = {"screened", "unseen"};
    maker.used = 0;
    maker_card("SIMPLE  =                    T");
    maker_card("BITPIX  = 8");
    maker_card("NAXIS   = 2");
    maker_card("NAXIS1  = 0");
    maker_card("NAXIS2  = 2880");
    maker_card("GROUPS  =                    T");
    maker_card("PCOUNT  = 0");
    maker_card("GCOUNT  = 1");
    maker_end_header();
    for (int i = 0; i < 2; i++) {
        maker_table("BINTABLE", 4, 0, 1);
        maker_column(1, names[i], "1E");
        maker_end_header();
    }
    maker_save("groups.fits");
    assert_works(armilla_io_describe("groups.fits", &text));
    assert_null(strstr(text, "unseen"));
    assert_non_null(strstr(text, "truncated or damaged in the header of HDU 1"));
    armilla_io_text_free(text);
}

/* The byte before the first one: reckoned beyond 64 bits. cfitsio looks at TBCOL only where rows
 * are not empty. */
static void columns_begin_in_their_row(void **state)
{
    (void)state;
    const char *const places[] = {"-9223372036854775808", "-9223372036854775807", "-1", "1",
                                  "9223372036854775807"};
    for (int i = 0; i < 5; i++) {
        armilla_raw_table *table = NULL;
        maker_begin();
        maker_table("TABLE", 0, 3, 1);
        maker_card("TBCOL1  = %s", places[i]);
        maker_column(1, "ELL", "I4");
        maker_end_header();
        maker_save("damaged.fits");
        assert_int_equal(armilla_raw_table_read("damaged.fits", 1, &table), ARMILLA_ERROR_FORMAT);
        assert_message_has("column 1 (I4) ends beyond NAXIS1 = 0 bytes");
        read_as_everything();
    }
}

static void memory_stayed_in_proportion(void **state)
{
    (void)state;
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    print_message("largest resident size: %ld MB\n", usage.ru_maxrss / 1000);
    assert_true(usage.ru_maxrss / 1000 < MAX_MEMORY_MB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(damaged_maps_do_no_harm),
        IN_DIRECTORY(damaged_ring_grids_do_no_harm),
        IN_DIRECTORY(damaged_coefficients_do_no_harm),
        IN_DIRECTORY(damaged_spectra_do_no_harm),
        IN_DIRECTORY(damaged_real_files_do_no_harm),
        IN_DIRECTORY(a_high_first_degree_is_not_believed),
        IN_DIRECTORY(numbers_that_cfitsio_refuses_stop_the_screen),
        IN_DIRECTORY(names_without_quotes_stop_the_screen),
        IN_DIRECTORY(tables_are_known_by_any_spelling),
        IN_DIRECTORY(hdus_must_lie_where_the_screen_saw_them),
        IN_DIRECTORY(columns_begin_in_their_row),
        cmocka_unit_test(memory_stayed_in_proportion),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (failed) print_message("seed %d, last step %d\n", SEED, current_step);
    return failed;
}

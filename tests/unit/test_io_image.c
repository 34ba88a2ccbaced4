/* Maps as FITS images in plate carree: what is written comes back bit by bit; images that begin at
 * any longitude and go either way are read to the pixels that their cards put them at; images that
 * are no whole sky in CAR are refused by the name of the card. */
#include "test_io_grids.h"

#include <float.h>
#include <math.h>

/* --- What was written ------------------------------------------------------------------------- */

static armilla_map *make_map(const armilla_grid *grid, int64_t nfields, armilla_io_type type)
{
    armilla_map *map = NULL;
    assert_works(armilla_map_new_grid(grid, nfields, &map));
    map->coordsys = 'G';
    for (int64_t f = 0; f < nfields; f++) {
        map->fields[f].type = type;
        strcpy(map->fields[f].unit, "uK");
        for (int64_t i = 0; i < map->npix; i++)
            map->fields[f].values[i] = i % 11 == 5 ? ARMILLA_UNSEEN : (double)(1000 * f + i) + 0.25;
    }
    return map;
}

static armilla_status write_image(const char *path, const armilla_map *map)
{
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.overwrite = 1;
    options.image = 1;
    return armilla_map_write_with(path, map, &options);
}

static void check_round_trip(const armilla_grid *grid, int64_t nfields, armilla_io_type type)
{
    armilla_map *map = make_map(grid, nfields, type), *read = NULL;
    map->iau = nfields > 1;
    assert_works(write_image("map.fits", map));
    assert_works(armilla_map_load("map.fits", &read));
    assert_int_equal(read->nside, 0);
    assert_int_equal(read->nfields, nfields);
    assert_int_equal(read->coordsys, 'G');
    assert_int_equal(read->iau, map->iau);
    assert_string_equal(read->grid_name, map->grid_name);
    assert_same_rings(read->grid, grid);
    assert_int_equal(armilla_grid_get_kind(read->grid), armilla_grid_get_kind(grid));
    for (int64_t f = 0; f < nfields; f++) {
        assert_string_equal(read->fields[f].name, map->fields[f].name);
        assert_string_equal(read->fields[f].unit, "uK");
        assert_int_equal(read->fields[f].type, type);
        assert_same_values(read->fields[f].values, map->fields[f].values, map->npix);
    }
    armilla_map_free(read);
    armilla_map_free(map);
}

static void test_round_trip(void **state)
{
    (void)state;
    static const char *const names[] = {"cc:13x24",  "f1:8x15",     "f2:7x16", "dh:8x16", "mw:9x17",
                                        "mwss:9x16", "mwflip:9x17", "f1:1x1",  "cc:2x3"};
    static const double angles[] = {0, 0.1, -1.0 / 3, 6, 100};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            armilla_grid *grid = new_turned(names[i], angles[k]);
            check_round_trip(grid, 1, ARMILLA_IO_DOUBLE);
            check_round_trip(grid, 3, ARMILLA_IO_FLOAT);
            armilla_grid_free(grid);
        }
}

/* --- Images of others ------------------------------------------------------------------------- */

/* Longitudes CRVAL1 + CDELT1 (x - CRPIX1), latitudes CDELT2 (y - CRPIX2). */
typedef struct picture {
    int width, height;
    double value, pixel, step; /* CRVAL1, CRPIX1, CDELT1 */
    double row, row_step;      /* CRPIX2, CDELT2 */
    const char *name;          /* of the grid; "": its pixels do not begin at 0 */
    armilla_grid_kind kind;
} picture;

static double longitude_of(const picture *p, int x)
{
    const double angle = p->value + p->step * (x + 1 - p->pixel);
    return angle - 360 * floor((angle + 1e-6) / 360);
}

static double latitude_of(const picture *p, int y)
{
    return p->row_step * (y + 1 - p->row);
}

static void maker_image(int bits, int width, int height)
{
    maker.used = 0;
    maker_card("SIMPLE  =                    T");
    maker_card("BITPIX  = %20d", bits);
    maker_card("NAXIS   =                    2");
    maker_card("NAXIS1  = %20d", width);
    maker_card("NAXIS2  = %20d", height);
}

static void make_picture(const picture *p, int has_matrix)
{
    maker_image(-64, p->width, p->height);
    maker_card("CTYPE1  = 'RA---CAR'");
    maker_card("CTYPE2  = 'DEC--CAR'");
    maker_card("CRVAL1  = %20.12f", p->value);
    maker_card("CRVAL2  = 0.0");
    maker_card("CRPIX1  = %20.12f", p->pixel);
    maker_card("CRPIX2  = %20.12f", p->row);
    maker_card("%-8s= %20.12f", has_matrix ? "CD1_1" : "CDELT1", p->step);
    maker_card("%-8s= %20.12f", has_matrix ? "CD2_2" : "CDELT2", p->row_step);
    maker_end_header();
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            maker_double(1000 * latitude_of(p, y) + longitude_of(p, x));
    maker_save("map.fits");
}

static const picture pictures[] = {
    {24, 13, 180, 12.5, -15, 7, 15, "", ARMILLA_GRID_CC},
    {24, 13, 0, 12.5, -15, 7, 15, "", ARMILLA_GRID_CC},
    {24, 13, 0, 13, -15, 7, 15, "cc:13x24", ARMILLA_GRID_CC},
    {24, 13, 0, 1, 15, 7, -15, "cc:13x24", ARMILLA_GRID_CC},
    {24, 13, 15, 1, 15, 7, 15, "cc:13x24", ARMILLA_GRID_CC},
    {24, 12, 7.5, 12, -15, 6.5, 15, "", ARMILLA_GRID_F1}, /* pixell's fejer1 */
    {24, 12, 359.9999999, 5, -15, 6.5, -15, "f1:12x24", ARMILLA_GRID_F1},
    {24, 12, -3, 5, 15, 6.5, 15, "", ARMILLA_GRID_F1},
    {7, 12, -720, 900, 360.0 / 7, 6, 15, "dh:12x7", ARMILLA_GRID_DH},
    {7, 11, 0, 1, 360.0 / 7, 6, 15, "f2:11x7", ARMILLA_GRID_F2},
    {1, 1, 33, 1, 360, 1, 180, "", ARMILLA_GRID_F1},
    {5, 8, 0, 4, 72, 4.75, 24, "mw:8x5", ARMILLA_GRID_MW},
    {5, 8, 0, 4, 72, 4.25, 24, "mwflip:8x5", ARMILLA_GRID_MWFLIP},
};

static void check_picture(const picture *p)
{
    armilla_map *map = NULL;
    assert_works(armilla_map_read("map.fits", 0, 0, NULL, &map));
    assert_int_equal(armilla_grid_get_kind(map->grid), p->kind);
    assert_string_equal(map->grid_name, p->name);
    assert_int_equal(armilla_grid_nrings(map->grid), p->height);
    assert_int_equal(map->coordsys, 'C');
    for (int64_t r = 0; r < p->height; r++) {
        armilla_ring ring;
        assert_works(armilla_grid_ring(map->grid, r, &ring));
        assert_int_equal(ring.nphi, p->width);
        assert_true(ring.phi0 >= 0 && ring.phi0 < 2 * M_PI / p->width);
        for (int64_t j = 0; j < ring.nphi; j++) {
            const double latitude = 90 - ring.theta * 180 / M_PI;
            const double longitude = (ring.phi0 * 180 + 360 * M_PI * (double)j / p->width) / M_PI;
            const double due = 1000 * latitude + longitude;
            const double value = map->fields[0].values[ring.offset + j];
            if (fabs(value - due) > 1e-3)
                fail_msg("ring %d, pixel %d: %.9g, not %.9g", (int)r, (int)j, value, due);
        }
    }
    armilla_map_free(map);
}

static void test_foreign(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        for (int has_matrix = 0; has_matrix < 2; has_matrix++) {
            make_picture(&pictures[i], has_matrix);
            check_picture(&pictures[i]);
        }
}

/* --- Refusals --------------------------------------------------------------------------------- */

static const char *const sound[] = {"CTYPE1  = 'GLON-CAR'", "CTYPE2  = 'GLAT-CAR'", "CRVAL1  = 0",
                                    "CRVAL2  = 0",          "CRPIX1  = 1",          "CRPIX2  = 2.5",
                                    "CDELT1  = 45",         "CDELT2  = 45"};

/* An image of 8 by 4 pixels with these cards, but `card`, which replaces the one of its name. */
static void make_changed(const char *card, int is_removed)
{
    maker_image(-32, 8, 4);
    int is_new = 1;
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
        const int is_it = card && !strncmp(card, sound[i], 8);
        if (is_it) is_new = 0;
        if (!is_it || !is_removed) maker_card("%s", is_it ? card : sound[i]);
    }
    if (card && is_new && !is_removed) maker_card("%s", card);
    maker_end_header();
    for (int i = 0; i < 32; i++) maker_float((float)i);
    maker_save("map.fits");
}

static void assert_refused(const char *card, int is_removed, const char *words)
{
    armilla_map *map = NULL;
    make_changed(card, is_removed);
    if (armilla_map_load("map.fits", &map) != ARMILLA_ERROR_FORMAT)
        fail_msg("\"%s\" is taken", card);
    assert_null(map);
    assert_message_has("map.fits: ");
    assert_message_has(words);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"CTYPE1  = 'GLON-CEA'", "CTYPE1 = GLON-CEA: must be RA---CAR, GLON-CAR or ELON-CAR"},
        {"CTYPE2  = 'DEC--CAR'", "CTYPE2 = DEC--CAR: must be the latitude"},
        {"CRVAL2  = 45", "CRVAL2 = 45: must be 0, so that rows are rings"},
        {"CDELT1  = 40", "CDELT1 = 40: 8 columns of this width cover 320 deg"},
        {"CDELT1  = 51.428571428571", "the last column repeats the first one: cut it off"},
        {"CDELT1  = 0", "CDELT1 = 0: must be the degrees from pixel to pixel"},
        {"CDELT2  = 30", "the 4 rows go from latitude 45 to -45 deg, as those of no grid"},
        {"CRPIX2  = 3", "CRPIX2, CDELT2: the 4 rows go from latitude 45 to -90 deg"},
        {"CUNIT1  = 'arcmin'", "CUNIT1 = arcmin: must be deg"},
        {"LONPOLE = 180", "LONPOLE = 180: must be 0"},
        {"LATPOLE = -90", "LATPOLE = -90: must not be negative"},
        {"PC1_2   = 0.1", "PC1_2 = 0.1: must be 0"},
        {"CROTA2  = 10", "CROTA2 = 10: must be 0"},
        {"PV1_1   = 3", "PV1_1 = 3: must be 0"},
        {"GRID    = 'f1:4x9'", "GRID = f1:4x9: contradicts NAXIS1"},
        {"PHI0    = 0.1", "PHI0 = 0.1: contradicts CRVAL1"},
        {"POLCCONV= 'left'", "POLCCONV = 'left': must be COSMO or IAU"},
    };
    armilla_map *map = NULL;
    make_changed(NULL, 0);
    assert_works(armilla_map_load("map.fits", &map)); /* without the wrong card it is read */
    assert_string_equal(map->grid_name, "f1:4x8");
    armilla_map_free(map);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused(wrong[i][0], 0, wrong[i][1]);
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
        char words[64];
        snprintf(words, sizeof words, "%.6s%s", sound[i], " is missing");
        assert_refused(sound[i], 1, words);
    }
}

/* A name that is no name of a grid is another program's card. */
static void test_grid_of_others(void **state)
{
    (void)state;
    armilla_map *map = NULL;
    make_changed("GRID    = 'fine'", 0);
    assert_works(armilla_map_load("map.fits", &map));
    assert_string_equal(map->grid_name, "f1:4x8");
    armilla_map_free(map);
}

static void test_cut_off(void **state)
{
    (void)state;
    armilla_map *map = NULL;
    make_changed(NULL, 0);
    put_bytes("map.fits", maker.bytes, 2880 + 100);
    assert_int_equal(armilla_map_load("map.fits", &map), ARMILLA_ERROR_FORMAT);
    assert_message_has("truncated");
}

/* --- Types, planes, HDUs ---------------------------------------------------------------------- */

static void test_integers(void **state)
{
    (void)state;
    armilla_map *map = NULL;
    maker_image(16, 8, 4);
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) maker_card("%s", sound[i]);
    maker_card("BLANK   = -99");
    maker_card("BSCALE  = 0.5");
    maker_card("BUNIT   = 'mK'");
    maker_end_header();
    for (int i = 0; i < 32; i++) maker_integer(i == 3 ? -99 : i, 2);
    maker_save("map.fits");
    assert_works(armilla_map_load("map.fits", &map));
    const double *ring = map->fields[0].values + 24; /* the first row is the one furthest south */
    assert_true(ring[3] == ARMILLA_UNSEEN);
    assert_true(ring[7] == 3.5);
    assert_string_equal(map->fields[0].unit, "mK");
    assert_int_equal(map->fields[0].type, ARMILLA_IO_DOUBLE);
    armilla_map_free(map);
}

static void test_choice_of_fields(void **state)
{
    (void)state;
    armilla_grid *grid = new_turned("cc:5x8", 0);
    armilla_map *map = make_map(grid, 3, ARMILLA_IO_DOUBLE), *read = NULL;
    const int64_t fields[] = {2, 0}, beyond = 3;
    map->iau = 1;
    assert_works(write_image("map.fits", map));
    assert_works(armilla_map_read("map.fits", 0, 2, fields, &read));
    assert_int_equal(read->nfields, 2);
    assert_same_values(read->fields[0].values, map->fields[2].values, map->npix);
    assert_same_values(read->fields[1].values, map->fields[0].values, map->npix);
    assert_string_equal(read->fields[0].name, "U_POLARISATION");
    armilla_map_free(read);
    read = NULL;
    assert_int_equal(armilla_map_read("map.fits", 0, 1, &beyond, &read), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("field = 3: map.fits has 3 plane(s)");
    armilla_map_free(map);
    armilla_grid_free(grid);
}

/* A table that is a map comes first, wherever it is; an image is read by its number. */
static void test_choice_of_hdu(void **state)
{
    (void)state;
    armilla_map *map = NULL;
    maker_begin();
    maker_card("XTENSION= 'IMAGE   '");
    maker_card("BITPIX  =                  -64");
    maker_card("NAXIS   =                    2");
    maker_card("NAXIS1  =                    8");
    maker_card("NAXIS2  =                    4");
    maker_card("PCOUNT  =                    0");
    maker_card("GCOUNT  =                    1");
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) maker_card("%s", sound[i]);
    maker_end_header();
    for (int i = 0; i < 32; i++) maker_double(i);
    maker_pad(0);
    maker_table("BINTABLE", 4, 12, 1);
    maker_column(1, "signal", "E");
    maker_card("PIXTYPE = 'HEALPIX'");
    maker_card("NSIDE   = 1");
    maker_end_header();
    for (int i = 0; i < 12; i++) maker_float((float)(100 + i));
    maker_save("map.fits");
    assert_works(armilla_map_load("map.fits", &map));
    assert_int_equal(map->nside, 1);
    armilla_map_free(map);
    assert_works(armilla_map_read("map.fits", 1, 0, NULL, &map));
    assert_string_equal(map->grid_name, "f1:4x8");
    armilla_map_free(map);
    assert_works(armilla_map_read("map.fits", 2, 0, NULL, &map));
    assert_int_equal(map->nside, 1);
    armilla_map_free(map);
}

static void test_pieces(void **state)
{
    (void)state;
    armilla_grid *grid = new_turned("cc:5x8", 0);
    armilla_map *map = make_map(grid, 1, ARMILLA_IO_DOUBLE);
    armilla_map_input *input = NULL;
    armilla_map_output *output = NULL;
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.image = 1;
    assert_works(write_image("map.fits", map));
    assert_int_equal(armilla_map_input_open("map.fits", 0, &input), ARMILLA_ERROR_UNSUPPORTED);
    assert_message_has("its map is an image, so it cannot be read in pieces: armilla_map_read");
    assert_int_equal(armilla_map_output_new("a.fits", map, &options, &output),
                     ARMILLA_ERROR_UNSUPPORTED);
    assert_message_has("options->image = 1: armilla_map_write_with");
    assert_int_equal(count_entries(), 1);
    armilla_map_free(map);
    armilla_grid_free(grid);
}

static void test_describe(void **state)
{
    (void)state;
    armilla_grid *grid = new_turned("cc:5x8", 0);
    armilla_map *map = make_map(grid, 3, ARMILLA_IO_DOUBLE);
    char *text = NULL;
    assert_works(write_image("map.fits", map));
    assert_works(armilla_io_describe("map.fits", &text));
    assert_non_null(strstr(text, "map on the grid cc:5x8 (Clenshaw-Curtis, 5 rings, 40 pixels), "
                                 "image in CAR, 3 field(s) in uK, coordinates galactic"));
    assert_works(armilla_io_verify("map.fits"));
    armilla_io_text_free(text);
    armilla_map_free(map);
    armilla_grid_free(grid);
}

/* --- Wrong arguments -------------------------------------------------------------------------- */

static void assert_unwritten(const armilla_map *map, const char *words)
{
    assert_int_equal(write_image("map.fits", map), ARMILLA_ERROR_ARGUMENT);
    assert_message_has(words);
    assert_int_equal(count_entries(), 0);
}

static void test_wrong_maps(void **state)
{
    (void)state;
    armilla_grid *grid = new_turned("O16", 0);
    armilla_map *map = make_map(grid, 1, ARMILLA_IO_FLOAT);
    assert_unwritten(map, "options->image = 1: an image holds a map on equidistant rings");
    assert_message_has("not this map's grid O16");
    armilla_map_free(map);
    armilla_grid_free(grid);
    assert_works(armilla_map_new(4, 1, &map));
    assert_unwritten(map, "not this map's grid healpix:4");
    armilla_map_free(map);
    grid = new_turned("cc:5x8", 0);
    map = make_map(grid, 2, ARMILLA_IO_FLOAT);
    map->coordsys = 0;
    assert_unwritten(map, "map->coordsys = 0: an image says in which coordinates it is");
    map->coordsys = 'E';
    map->partial = 1;
    assert_unwritten(map, "map->partial = 1: must be 0 for an image");
    map->partial = 0;
    map->fields[1].type = ARMILLA_IO_DOUBLE;
    assert_unwritten(map, "map->fields[1].type = double: the fields of an image must all be");
    map->fields[1].type = ARMILLA_IO_FLOAT;
    strcpy(map->fields[1].unit, "K");
    assert_unwritten(map, "map->fields[1].unit = \"K\": an image has one unit");
    strcpy(map->fields[1].unit, "uK");
    map->fields[1].values[7] = 2.0 * (double)FLT_MAX;
    assert_unwritten(map, "map->fields[1].values[7] = 6.80565e+38: does not fit into the type");
    armilla_map_free(map);
    armilla_grid_free(grid);
}

/* Cards that the map's grid decides are not the caller's, others are. */
static void test_keywords(void **state)
{
    (void)state;
    static const char *const words[] = {"CRVAL1", "PC1_2", "LONPOLE", "GRID", "PHI0", "NSIDE"};
    armilla_grid *grid = new_turned("cc:5x8", 0);
    armilla_map *map = make_map(grid, 1, ARMILLA_IO_DOUBLE);
    armilla_keyword keyword = {.value = "3"};
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.nkeywords = 1;
    options.keywords = &keyword;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (options.image = i < 3; options.image < 2; options.image++) {
            char message[64];
            keyword.name = words[i];
            snprintf(message, sizeof message, "options->keywords[0] (%s): says where", words[i]);
            assert_int_equal(armilla_map_write_with("map.fits", map, &options),
                             ARMILLA_ERROR_ARGUMENT);
            assert_message_has(message);
            assert_int_equal(count_entries(), 0);
        }
    options.image = 1;
    keyword.name = "LMAX";
    assert_works(armilla_map_write_with("map.fits", map, &options));
    armilla_map_free(map);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(test_round_trip),       IN_DIRECTORY(test_foreign),
        IN_DIRECTORY(test_refusals),         IN_DIRECTORY(test_grid_of_others),
        IN_DIRECTORY(test_cut_off),          IN_DIRECTORY(test_integers),
        IN_DIRECTORY(test_choice_of_fields), IN_DIRECTORY(test_choice_of_hdu),
        IN_DIRECTORY(test_pieces),           IN_DIRECTORY(test_describe),
        IN_DIRECTORY(test_wrong_maps),       IN_DIRECTORY(test_keywords),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Maps on grids of rings that are not HEALPix come back from tables as they were written, grids
 * without a name included, bit by bit; tables whose cards, columns and lists of rings contradict
 * one another are refused by name. */
#include "test_io_grids.h"

#include <math.h>

enum { MOST_CARDS = 8 };

/* --- Writing and reading ---------------------------------------------------------------------- */

/* Values of which some are missing. */
static armilla_map *make_map(const armilla_grid *grid, int64_t nfields)
{
    armilla_map *map = NULL;
    assert_works(armilla_map_new_grid(grid, nfields, &map));
    assert_int_equal(map->npix, armilla_grid_npix(grid));
    for (int64_t f = 0; f < nfields; f++) {
        map->fields[f].type = f == 1 ? ARMILLA_IO_INT32 : ARMILLA_IO_DOUBLE;
        strcpy(map->fields[f].unit, "K");
        for (int64_t i = 0; i < map->npix; i++)
            map->fields[f].values[i] = i % 7 == 3 ? ARMILLA_UNSEEN : (double)(100 * i + f);
    }
    return map;
}

static void assert_same_maps(const armilla_map *map, const armilla_map *read)
{
    assert_int_equal(read->nside, 0);
    assert_int_equal(read->npix, map->npix);
    assert_int_equal(read->nfields, map->nfields);
    assert_int_equal(read->partial, map->partial);
    assert_int_equal(read->coordsys, map->coordsys);
    assert_int_equal(read->iau, map->iau);
    assert_string_equal(read->grid_name, map->grid_name);
    for (int64_t f = 0; f < map->nfields; f++) {
        assert_string_equal(read->fields[f].name, map->fields[f].name);
        assert_string_equal(read->fields[f].unit, map->fields[f].unit);
        assert_int_equal(read->fields[f].type, map->fields[f].type);
        assert_same_values(read->fields[f].values, map->fields[f].values, map->npix);
    }
    assert_same_rings(read->grid, map->grid);
}

static void check_round_trip(const armilla_grid *grid, int partial, const char *name)
{
    armilla_map *read = NULL, *map = make_map(grid, 3);
    map->partial = partial;
    map->coordsys = 'G';
    map->iau = 1;
    assert_string_equal(map->grid_name, name);
    assert_works(armilla_map_write("map.fits", map, 1));
    assert_works(armilla_map_read("map.fits", 0, 0, NULL, &read));
    assert_same_maps(map, read);
    armilla_map_free(read);
    assert_works(armilla_map_read("map.fits", 1, 1, (const int64_t[]){2}, &read));
    assert_same_values(read->fields[0].values, map->fields[2].values, map->npix);
    armilla_map_free(read);
    armilla_map_free(map);
}

static void test_named(void **state)
{
    (void)state;
    static const char *const names[] = {
        "O16",     "N16",     "F8",      "rgl:21:20", "gl:9x20",     "cc:13x24", "f1:8x15",
        "f2:7x16", "dh:8x16", "mw:9x17", "mwss:9x16", "mwflip:9x17", "cc:2x1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int partial = 0; partial < 2; partial++) {
            armilla_grid *grid = NULL;
            assert_works(armilla_grid_new_named(names[i], &grid));
            check_round_trip(grid, partial, names[i]);
            armilla_grid_free(grid);
        }
}

/* What a layout adds to the longitudes is kept, and with it the exact rule. */
static void test_turned(void **state)
{
    (void)state;
    static const char *const names[] = {"cc:13x24", "O16", "H8"};
    static const double angles[] = {0.1, -1.0 / 3, 6, 1e-17};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            armilla_grid *grid = new_turned(names[i], angles[k]);
            check_round_trip(grid, 0, "");
            armilla_grid_free(grid);
        }
}

static armilla_grid *new_custom(void)
{
    static const double theta[] = {0.3, 1.0 / 3, M_PI / 2, 3, 3.1};
    armilla_ring rings[5];
    armilla_grid *grid = NULL;
    for (int64_t r = 0, next = 0; r < 5; next += 4 + r, r++)
        rings[r] = (armilla_ring){theta[r], 4 + r, 0.1 * (double)r, next, 1, 1.0 / (double)(3 + r)};
    assert_works(armilla_grid_new_custom(5, rings, &grid));
    return grid;
}

static void test_without_name(void **state)
{
    (void)state;
    const int64_t lengths[] = {3, 5, 7, 6, 2};
    armilla_grid *grid = new_custom(), *part = NULL;
    check_round_trip(grid, 0, "");
    check_round_trip(grid, 1, "");
    armilla_grid_free(grid);
    assert_works(armilla_grid_new_reduced(5, lengths, &grid));
    check_round_trip(grid, 0, "");
    assert_works(armilla_grid_new_subset(grid, 1, 3, 1, &part));
    check_round_trip(part, 0, "");
    armilla_grid_free(part);
    armilla_grid_free(grid);
}

static void test_healpix(void **state)
{
    (void)state;
    armilla_grid *grid = NULL;
    armilla_map *map = NULL, *plain = NULL;
    assert_works(armilla_grid_new_healpix_weighted(4, 8, &grid));
    assert_works(armilla_map_new_grid(grid, 2, &map));
    assert_works(armilla_map_new(4, 2, &plain));
    assert_int_equal(map->nside, 4);
    assert_null(map->grid);
    assert_string_equal(map->grid_name, "healpix:4");
    assert_string_equal(plain->grid_name, "healpix:4");
    armilla_map_free(map);
    assert_works(armilla_map_write("map.fits", plain, 0));
    assert_works(armilla_map_read("map.fits", 0, 0, NULL, &map));
    assert_string_equal(map->grid_name, "healpix:4");
    assert_null(map->grid);
    armilla_map_free(map);
    armilla_map_free(plain);
    armilla_grid_free(grid);
}

/* --- In pieces -------------------------------------------------------------------------------- */

static void assert_same_files(const char *a, const char *b)
{
    size_t na, nb;
    unsigned char *x = get_bytes(a, &na), *y = get_bytes(b, &nb);
    assert_int_equal(na, nb);
    assert_memory_equal(x, y, na);
    free(x);
    free(y);
}

static void test_pieces(void **state)
{
    (void)state;
    armilla_grid *grid = new_turned("O16", 0.25);
    armilla_map *map = make_map(grid, 2);
    armilla_map_output *output = NULL;
    armilla_map_input *input = NULL;
    double *values = malloc((size_t)map->npix * sizeof *values);
    assert_works(armilla_map_write("whole.fits", map, 0));
    assert_works(armilla_map_output_new("pieces.fits", map, NULL, &output));
    for (int64_t f = 0; f < 2; f++)
        for (int64_t i = 0; i < map->npix; i += 100) {
            const int64_t count = map->npix - i < 100 ? map->npix - i : 100;
            assert_works(armilla_map_output_write(output, f, i, count, map->fields[f].values + i));
        }
    assert_works(armilla_map_output_finish(output));
    armilla_map_output_free(output);
    assert_same_files("whole.fits", "pieces.fits");
    assert_works(armilla_map_input_open("pieces.fits", 0, &input));
    assert_same_rings(armilla_map_input_map(input)->grid, grid);
    assert_works(armilla_map_input_read(input, 1, 37, map->npix - 37, values));
    assert_same_values(values, map->fields[1].values + 37, map->npix - 37);
    armilla_map_input_free(input);
    free(values);
    armilla_map_free(map);
    armilla_grid_free(grid);
}

/* The rings would have to follow the map; a map that lists them is read in pieces. */
static void test_pieces_without_name(void **state)
{
    (void)state;
    armilla_grid *grid = new_custom();
    armilla_map *map = make_map(grid, 1);
    armilla_map_output *output = NULL;
    armilla_map_input *input = NULL;
    double values[5];
    assert_int_equal(armilla_map_output_new("a.fits", map, NULL, &output),
                     ARMILLA_ERROR_UNSUPPORTED);
    assert_message_has("armilla_map_write");
    assert_int_equal(count_entries(), 0);
    assert_works(armilla_map_write("b.fits", map, 0));
    assert_works(armilla_map_input_open("b.fits", 0, &input));
    assert_works(armilla_map_input_read(input, 0, 4, 5, values));
    assert_same_values(values, map->fields[0].values + 4, 5);
    armilla_map_input_free(input);
    armilla_map_free(map);
    armilla_grid_free(grid);
}

/* --- Bad input -------------------------------------------------------------------------------- */

static void test_wrong_arguments(void **state)
{
    (void)state;
    armilla_grid *plain = NULL, *grid = NULL;
    armilla_map *map = NULL;
    armilla_grid_layout layout;
    armilla_grid_layout_init(&layout);
    layout.south_first = 1;
    assert_works(armilla_grid_new_named("cc:13x24", &plain));
    assert_works(armilla_grid_new_laid_out(plain, &layout, &grid));
    assert_int_equal(armilla_map_new_grid(grid, 1, &map), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("grid: ring 0 is not stored behind the ring before it");
    assert_message_has("armilla_grid_new_laid_out");
    assert_int_equal(armilla_map_new_grid(NULL, 1, &map), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("grid = NULL");
    assert_int_equal(armilla_map_new_grid(plain, 0, &map), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("nfields = 0");
    assert_int_equal(armilla_map_new_grid(plain, 1, NULL), ARMILLA_ERROR_ARGUMENT);
    assert_null(map);
    map = make_map(plain, 1);
    map->order = ARMILLA_IO_NESTED;
    assert_int_equal(armilla_map_write("map.fits", map, 0), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("map->order = 1: must be RING with map->grid");
    map->order = ARMILLA_IO_RING;
    map->npix--;
    assert_int_equal(armilla_map_write("map.fits", map, 0), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("map->npix = 311: must be that of map->grid");
    map->npix++;
    map->nside = 4;
    assert_int_equal(armilla_map_write("map.fits", map, 0), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("map->nside = 4: must be 0");
    assert_int_equal(count_entries(), 0);
    armilla_map_free(map);
    armilla_grid_free(plain);
    armilla_grid_free(grid);
}

/* --- Tables that lie about themselves --------------------------------------------------------- */

/* 8 values of one column; then RINGS of two rings, if nphi is given. */
static void make_table(const char *const *cards, const int *nphi, double theta)
{
    maker_begin();
    maker_table("BINTABLE", 4, 8, 1);
    maker_column(1, "signal", "E");
    maker_card("PIXTYPE = 'RING GRID'");
    for (int i = 0; i < MOST_CARDS && cards[i]; i++) maker_card("%s", cards[i]);
    maker_end_header();
    for (int i = 0; i < 8; i++) maker_float((float)i);
    maker_pad(0);
    if (nphi) {
        maker_table("BINTABLE", 32, 2, 4);
        maker_column(1, "WEIGHT", "D"); /* in another order, which columns may have */
        maker_column(2, "THETA", "D");
        maker_column(3, "NPHI", "K");
        maker_column(4, "PHI0", "D");
        maker_card("EXTNAME = 'rings   '");
        maker_end_header();
        for (int r = 0; r < 2; r++) {
            maker_double(M_PI / 2);
            maker_double(r ? M_PI - theta : theta);
            maker_integer(nphi[r], 8);
            maker_double(0);
        }
    }
    maker_save("map.fits");
}

typedef struct lie {
    const char *cards[MOST_CARDS];
    int has_list;
    int nphi[2];
    double theta;
    const char *words; /* of the refusal; NULL: it is read */
} lie;

#define QUARTER (M_PI / 4)

static const lie lies[] = {
    {{"GRID    = 'f1:2x4'"}, 0, {0, 0}, 0, NULL},
    {{"GRID    = 'f1:2x4'", "NRINGS  = 2", "NPIX = 8", "LASTPIX = 7"}, 0, {0, 0}, 0, NULL},
    {{"GRID    = 'f1:2x4'"}, 1, {4, 4}, QUARTER, NULL},
    {{"NPIX    = 8"}, 1, {3, 5}, 1, NULL},
    {{"NPIX    = 8"}, 0, {0, 0}, 0, "neither the card GRID nor a table RINGS"},
    {{"GRID    = 'f1:2x5'"},
     0,
     {0, 0},
     0,
     "GRID = 'f1:2x5' needs 10 pixels, the table has 8 values per column"},
    {{"GRID    = 'f1:2x5'", "LASTPIX = 7"}, 0, {0, 0}, 0, "GRID = 'f1:2x5' needs 10 pixels"},
    {{"GRID    = 'f1:2x4'", "NPIX    = 9"}, 0, {0, 0}, 0, "NPIX = 9: the grid"},
    {{"GRID    = 'f1:2x4'", "NRINGS  = 3"}, 0, {0, 0}, 0, "NRINGS = 3: the grid"},
    {{"GRID    = 'f1:2x4'", "LASTPIX = 8"},
     0,
     {0, 0},
     0,
     "LASTPIX = 8: contradicts GRID = 'f1:2x4' and a table of 8 pixels"},
    {{"GRID    = 'f1:2x4'", "NSIDE   = 1"}, 0, {0, 0}, 0, "NSIDE = '1': contradicts PIXTYPE"},
    {{"GRID    = 'f1:2x4'", "ORDERING= 'NESTED'"},
     0,
     {0, 0},
     0,
     "ORDERING = 'NESTED': contradicts"},
    {{"GRID    = 'H1'"}, 0, {0, 0}, 0, "GRID = H1: a HEALPix map has PIXTYPE = 'HEALPIX'"},
    {{"GRID    = 'Q17'"}, 0, {0, 0}, 0, "GRID = Q17: no name of a grid"},
    {{"GRID    = 'cc:1000000000x1'"}, 0, {0, 0}, 0, "GRID = cc:1000000000x1: "},
    {{"GRID    = 'cc:2000000x1'"}, 0, {0, 0}, 0, "has 2000000 rings, the table only 8 pixels"},
    {{"GRID    = 'f1:2x4'", "PHI0    = 'east'"}, 0, {0, 0}, 0, "PHI0 = east: must be an angle"},
    {{"GRID    = 'f1:2x4'"}, 1, {4, 4}, 1, "the table RINGS contradicts GRID at ring 0"},
    {{"GRID    = 'f1:2x4'"}, 1, {5, 3}, QUARTER, "the table RINGS contradicts GRID at ring 0"},
    {{"NPIX    = 8"}, 1, {3, 4}, 1, "NPIX = 8: the grid that the file names or lists has 7"},
    {{NULL}, 1, {3, 4}, 1, "the grid of 2 rings needs 7 pixels"},
    {{NULL}, 1, {3, -5}, 1, "the table RINGS: "},
    {{NULL}, 1, {3, 5}, -1, "the table RINGS: "},
};

static void test_lies(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        const lie *l = &lies[i];
        armilla_map *map = NULL;
        char *text = NULL;
        make_table(l->cards, l->has_list ? l->nphi : NULL, l->theta);
        const armilla_status status = armilla_map_read("map.fits", 0, 0, NULL, &map);
        if (!l->words) {
            assert_works(status);
            assert_int_equal(map->npix, 8);
            assert_true(map->fields[0].values[7] == 7);
            armilla_map_free(map);
            continue;
        }
        assert_int_equal(status, ARMILLA_ERROR_FORMAT);
        assert_null(map);
        assert_message_has("map.fits: ");
        assert_message_has(l->words);
        assert_works(armilla_io_describe("map.fits", &text));
        assert_non_null(strstr(text, l->words));
        armilla_io_text_free(text);
    }
}

static void test_describe(void **state)
{
    (void)state;
    armilla_grid *grid = new_custom();
    armilla_map *map = make_map(grid, 1);
    char *text = NULL;
    assert_works(armilla_map_write("map.fits", map, 0));
    assert_works(armilla_io_describe("map.fits", &text));
    assert_non_null(strstr(text, "map on a grid without a name (custom, 5 rings, 30 pixels), full "
                                 "sky, coordinates unknown"));
    assert_non_null(strstr(text, "HDU 2 \"RINGS\": table, 5 rows, 4 column(s)"));
    armilla_io_text_free(text);
    armilla_map_free(map);
    armilla_grid_free(grid);
    assert_works(armilla_grid_new_named("O16", &grid));
    map = make_map(grid, 1);
    assert_works(armilla_map_write("map.fits", map, 1));
    assert_works(armilla_io_describe("map.fits", &text));
    assert_non_null(strstr(text, "map on the grid O16 (reduced Gauss-Legendre, 32 rings, 1600 "
                                 "pixels), full sky"));
    armilla_io_text_free(text);
    armilla_map_free(map);
    armilla_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(test_named),           IN_DIRECTORY(test_turned),
        IN_DIRECTORY(test_without_name),    IN_DIRECTORY(test_healpix),
        IN_DIRECTORY(test_pieces),          IN_DIRECTORY(test_pieces_without_name),
        IN_DIRECTORY(test_wrong_arguments), IN_DIRECTORY(test_lies),
        IN_DIRECTORY(test_describe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks that maps can be read and written in pieces: what comes out of armilla_map_input is what
 * armilla_map_read has, bit by bit; what armilla_map_output leaves is what armilla_map_write
 * makes, byte by byte. */
#include "test_io_stream_scene.h"

/* --- Helpers ---------------------------------------------------------------------------------- */

/* Writes the field in ranges of up to `longest` pixels, drawn in any sequence. */
static void write_shuffled(armilla_map_output *output, const armilla_map *map, int64_t field,
                           int64_t longest, uint64_t *state)
{
    typedef struct {
        int64_t first, count;
    } range;
    range *ranges = malloc((size_t)map->npix * sizeof *ranges);
    int64_t left = 0;
    assert_non_null(ranges);
    for (int64_t at = 0; at < map->npix; at += ranges[left++].count) {
        ranges[left].first = at;
        ranges[left].count = 1 + draw_below(state, longest);
        if (ranges[left].count > map->npix - at) ranges[left].count = map->npix - at;
    }
    while (left > 0) {
        const int64_t pick = draw_below(state, left);
        const range now = ranges[pick];
        assert_works(armilla_map_output_write(output, field, now.first, now.count,
                                              map->fields[field].values + now.first));
        ranges[pick] = ranges[--left];
    }
    free(ranges);
}

static void check_output(const armilla_map *map, const armilla_write_options *options,
                         const char *suffix, int64_t longest)
{
    char whole[40], pieces[40];
    uint64_t state = SEED;
    armilla_map_output *output;
    snprintf(whole, sizeof whole, "whole.fits%s", suffix);
    snprintf(pieces, sizeof pieces, "pieces.fits%s", suffix);
    assert_works(armilla_map_write_with(whole, map, options));
    assert_works(armilla_map_output_new(pieces, map, options, &output));
    assert_int_not_equal(access(pieces, F_OK), 0); /* nothing appears before it is finished */
    for (int64_t f = map->nfields - 1; f >= 0; f--) write_shuffled(output, map, f, longest, &state);
    assert_int_equal(access(armilla_map_output_temporary(output), F_OK), 0);
    assert_works(armilla_map_output_finish(output));
    assert_null(armilla_map_output_temporary(output));
    armilla_map_output_free(output);
    assert_same_files(whole, pieces);
    assert_int_equal(count_entries(), 2);
    assert_int_equal(unlink(whole), 0);
    assert_int_equal(unlink(pieces), 0);
}

/* Reads every field of a file in ranges and as a whole. */
static void check_input(const char *path, int64_t longest)
{
    armilla_map *map;
    armilla_map_input *input;
    uint64_t state = SEED;
    assert_works(armilla_map_read(path, 0, 0, NULL, &map));
    assert_works(armilla_map_input_open(path, 0, &input));
    const armilla_map *told = armilla_map_input_map(input);
    assert_int_equal(told->nside, map->nside);
    assert_int_equal(told->nfields, map->nfields);
    assert_int_equal(told->coordsys, map->coordsys);
    assert_int_equal(told->iau, map->iau);
    double *values = malloc((size_t)map->npix * sizeof *values);
    assert_non_null(values);
    for (int64_t f = 0; f < map->nfields; f++) {
        assert_string_equal(told->fields[f].name, map->fields[f].name);
        assert_string_equal(told->fields[f].unit, map->fields[f].unit);
        assert_int_equal(told->fields[f].type, map->fields[f].type);
        assert_null(told->fields[f].values);
        assert_works(armilla_map_input_read(input, f, 0, map->npix, values));
        assert_same_values(values, map->fields[f].values, map->npix);
        for (int round = 0; round < 200; round++) {
            const int64_t first = draw_below(&state, map->npix);
            int64_t count = draw_below(&state, longest);
            if (count > map->npix - first) count = map->npix - first;
            values[count < map->npix ? count : 0] = 0.5;
            assert_works(armilla_map_input_read(input, f, first, count, values));
            assert_same_values(values, map->fields[f].values + first, count);
            if (count < map->npix) assert_true(values[count] == 0.5); /* and nothing beyond */
        }
    }
    free(values);
    armilla_map_input_free(input);
    armilla_map_free(map);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void pieces_make_the_bytes_of_a_whole_write(void **state)
{
    (void)state;
    static const int64_t nsides[] = {1, 2, 3, 16, 37};
    static const int64_t counts[] = {1, 2, 3, 7};
    for (int n = 0; n < 5; n++)
        for (int c = 0; c < 4; c++) {
            armilla_map *map = make_map(nsides[n], counts[c], every_type);
            const armilla_write_options options = default_options();
            check_output(map, &options, "", 1 + map->npix / 5);
            map->iau = 1; /* U changes its sign */
            map->coordsys = 'G';
            strcpy(map->fields[0].unit, "mK");
            check_output(map, NULL, "", 700);
            armilla_map_free(map);
        }
}

/* One field of more than one buffer; rows of all lengths; keywords; NaN that stays; gzip. */
static void options_and_lengths_of_rows_are_followed(void **state)
{
    (void)state;
    static const int64_t repeats[] = {1, 2, 12, 96, 1536, 49152};
    const armilla_keyword keywords[] = {{"OBSERVER", "'Ada'", "who"}, {"HISTORY", "made", NULL}};
    armilla_map *map = make_map(64, 3, every_type);
    for (int r = 0; r < 6; r++) {
        armilla_write_options options = default_options();
        options.row_pixels = repeats[r];
        options.keep_nan = r % 2;
        options.nkeywords = 2;
        options.keywords = keywords;
        check_output(map, &options, r == 3 ? ".gz" : "", 20000);
    }
    armilla_map_free(map);
    map = make_map(256, 1, every_type);
    check_output(map, NULL, "", 400000);
    armilla_map_free(map);
}

static void later_values_replace_earlier_ones(void **state)
{
    (void)state;
    armilla_map *map = make_map(16, 2, every_type);
    armilla_map_output *output;
    const double wrong[100] = {7};
    assert_works(armilla_map_write("whole.fits", map, 0));
    assert_works(armilla_map_output_new("pieces.fits", map, NULL, &output));
    assert_works(armilla_map_output_write(output, 1, 1000, 100, wrong));
    assert_works(armilla_map_output_write(output, 1, 0, 0, wrong));
    for (int f = 0; f < 2; f++)
        assert_works(armilla_map_output_write(output, f, 0, map->npix, map->fields[f].values));
    assert_works(armilla_map_output_finish(output));
    assert_int_equal(armilla_map_output_finish(output), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("finished already");
    assert_int_equal(armilla_map_output_write(output, 0, 0, 1, wrong), ARMILLA_ERROR_ARGUMENT);
    armilla_map_output_free(output);
    armilla_map_output_free(NULL);
    assert_same_files("whole.fits", "pieces.fits");
    armilla_map_free(map);
}

/* Pixels that nobody wrote are 0, and the file is a whole one. */
static void what_is_not_written_is_zero(void **state)
{
    (void)state;
    armilla_map *map;
    armilla_map_output *output;
    const double one = 1;
    assert_works(armilla_map_new(8, 2, &map));
    assert_works(armilla_map_output_new("pieces.fits", map, NULL, &output));
    assert_works(armilla_map_output_write(output, 1, 767, 1, &one));
    assert_works(armilla_map_output_finish(output));
    armilla_map_output_free(output);
    map->fields[1].values[767] = 1;
    assert_works(armilla_map_write("whole.fits", map, 0));
    assert_same_files("whole.fits", "pieces.fits");
    armilla_map_free(map);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void ranges_are_those_of_the_whole_map(void **state)
{
    (void)state;
    static const int64_t nsides[] = {1, 3, 16, 45};
    for (int n = 0; n < 4; n++)
        for (int64_t nfields = 1; nfields <= 7; nfields += 3) {
            armilla_map *map = make_map(nsides[n], nfields, every_type);
            map->iau = nfields > 1;
            map->coordsys = 'C';
            armilla_write_options options = default_options();
            options.keep_nan = options.overwrite = 1;
            options.row_pixels = n == 2 ? 12 : 0;
            assert_works(armilla_map_write_with("map.fits", map, &options));
            check_input("map.fits", 3000);
            assert_works(armilla_map_write_with("map.fits.gz", map, &options));
            check_input("map.fits.gz", 3000);
            armilla_map_free(map);
        }
    armilla_map *map = make_map(256, 1, every_type); /* more than one buffer */
    assert_works(armilla_map_write("large.fits", map, 0));
    check_input("large.fits", 300000);
    armilla_map_free(map);
}

/* A foreign file: the map in the second table, scaled integers with their own null, unsigned ones,
 * bytes, logical values, a mark of the file's own; sizes so that cells are read one by one. */
static void foreign_columns_are_decoded_as_in_a_whole_read(void **state)
{
    (void)state;
    uint64_t random = SEED;
    maker_begin();
    maker_table("BINTABLE", 4, 1, 1);
    maker_column(1, "OTHER", "1J");
    maker_end_header();
    maker_integer(1, 4);
    maker_pad(0);
    maker_table("BINTABLE", 768 * (2 + 4 + 1 + 1 + 4), 4, 5);
    maker_column(1, "SCALED", "768I");
    maker_column(2, "UNSIGNED", "768J");
    maker_column(3, "BYTES", "768B");
    maker_column(4, "FLAGS", "768L");
    maker_column(5, "U_POL", "768E");
    maker_card("TSCAL1  = 0.25");
    maker_card("TZERO1  = -3");
    maker_card("TNULL1  = -7");
    maker_card("TZERO2  = 2147483648");
    maker_card("BAD_DATA= 12.5");
    maker_card("POLCCONV= 'IAU'");
    maker_card("PIXTYPE = 'HEALPIX'");
    maker_card("ORDERING= 'RING'");
    maker_card("NSIDE   = 16");
    maker_end_header();
    for (int row = 0; row < 4; row++) {
        for (int i = 0; i < 768; i++) maker_integer(draw_below(&random, 100) - 10, 2);
        for (int i = 0; i < 768; i++) maker_integer((int64_t)draw_bits(&random), 4);
        for (int i = 0; i < 768; i++) maker_integer((int64_t)draw_bits(&random), 1);
        for (int i = 0; i < 768; i++) maker_integer(i % 3 ? i % 2 ? 'T' : 'F' : 0, 1);
        for (int i = 0; i < 768; i++)
            maker_float(i % 50 == 1   ? -1.6375e30F
                        : i % 50 == 2 ? NAN
                                      : (float)(0.5 * (double)draw_below(&random, 100)));
    }
    maker_save("foreign.fits");
    check_input("foreign.fits", 2000);
    armilla_map_input *input;
    double value[50];
    assert_works(armilla_map_input_open("foreign.fits", 2, &input));
    assert_works(armilla_map_input_read(input, 4, 768, 50, value));
    assert_true(value[1] == ARMILLA_UNSEEN && value[2] == ARMILLA_UNSEEN);
    int negative = 0;
    for (int i = 3; i < 50; i++) negative += value[i] < 0 && value[i] > -100;
    assert_true(negative > 30); /* the sign of COSMO */
    armilla_map_input_free(input);
}

/* A range of RING pixels meets squares of a NESTED file, in every way. */
static void nested_files_have_ranges_of_ring_pixels(void **state)
{
    (void)state;
    static const int64_t nsides[] = {1, 2, 8, 32, 64, 256}, counts[] = {2, 1, 3, 1, 2, 1};
    for (int n = 0; n < 6; n++) {
        armilla_map *map = make_map(nsides[n], counts[n], every_type);
        map->order = ARMILLA_IO_NESTED;
        assert_works(armilla_map_write("nested.fits", map, 1));
        check_input("nested.fits", 1 + map->npix / 3);
        check_input("nested.fits", 100);
        armilla_map_free(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(pieces_make_the_bytes_of_a_whole_write),
        IN_DIRECTORY(options_and_lengths_of_rows_are_followed),
        IN_DIRECTORY(later_values_replace_earlier_ones),
        IN_DIRECTORY(what_is_not_written_is_zero),
        IN_DIRECTORY(ranges_are_those_of_the_whole_map),
        IN_DIRECTORY(nested_files_have_ranges_of_ring_pixels),
        IN_DIRECTORY(foreign_columns_are_decoded_as_in_a_whole_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

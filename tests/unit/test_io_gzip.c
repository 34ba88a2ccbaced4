/* Checks files packed by gzip, keywords of one's own, headers and tables as they stand in the
 * file. */
#include "test_io_support.h"

#include "base/memory.h"
#include <math.h>
#include <sys/stat.h>
#include <zlib.h>

/* --- Files ------------------------------------------------------------------------------------ */

static armilla_status write_map(const char *path, const armilla_write_options *options)
{
    armilla_map *map = NULL;
    armilla_status status = armilla_map_new(4, 2, &map);
    if (status) return status;
    for (int i = 0; i < 192; i++) {
        map->fields[0].values[i] = 0.25 * i;
        map->fields[1].values[i] = i % 7 ? -i : ARMILLA_UNSEEN;
    }
    map->fields[0].values[3] = (double)NAN;
    status = armilla_map_write_with(path, map, options);
    armilla_map_free(map);
    return status;
}

static armilla_status write_alm(const char *path, const armilla_write_options *options)
{
    armilla_alm_file *alm = NULL;
    armilla_status status = armilla_alm_file_new(5, 3, 3, &alm);
    if (status) return status;
    alm->alm[8] = 1.5;
    status = armilla_alm_write_with(path, alm, options);
    armilla_alm_file_free(alm);
    return status;
}

static armilla_status write_cl(const char *path, const armilla_write_options *options)
{
    armilla_cl_file *cl = NULL;
    armilla_status status = armilla_cl_file_new(9, 2, &cl);
    if (status) return status;
    cl->cl[12] = 2.5;
    status = armilla_cl_write_with(path, cl, options);
    armilla_cl_file_free(cl);
    return status;
}

static armilla_status read_map(const char *path, double *value)
{
    armilla_map *map = NULL;
    armilla_status status = armilla_map_read(path, 0, 0, NULL, &map);
    if (!status) *value = map->fields[0].values[191];
    armilla_map_free(map);
    return status;
}

static armilla_status read_alm(const char *path, double *value)
{
    armilla_alm_file *alm = NULL;
    armilla_status status = armilla_alm_read(path, 0, &alm);
    if (!status) *value = alm->alm[8];
    armilla_alm_file_free(alm);
    return status;
}

static armilla_status read_cl(const char *path, double *value)
{
    armilla_cl_file *cl = NULL;
    armilla_status status = armilla_cl_read(path, &cl);
    if (!status) *value = cl->cl[12];
    armilla_cl_file_free(cl);
    return status;
}

typedef struct kind {
    const char *name;
    armilla_status (*write)(const char *path, const armilla_write_options *options);
    armilla_status (*read)(const char *path, double *value);
    double value;
} kind;

static const kind kinds[] = {{"map", write_map, read_map, 0.25 * 191},
                             {"alm", write_alm, read_alm, 1.5},
                             {"cl", write_cl, read_cl, 2.5}};

/* Unpacks with zlib itself; the caller frees. */
static unsigned char *unpacked(const char *path, size_t *count)
{
    gzFile stream = gzopen(path, "rb");
    assert_non_null(stream);
    unsigned char *bytes = malloc(1 << 20);
    int length = gzread(stream, bytes, 1 << 20);
    assert_int_equal(gzdirect(stream), 0); /* was packed */
    assert_int_equal(gzclose(stream), Z_OK);
    assert_true(length > 0);
    *count = (size_t)length;
    return bytes;
}

/* --- gzip ------------------------------------------------------------------------------------- */

static void packed_files_hold_the_bytes_of_plain_ones(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        double value = 0;
        size_t plain_count, count;
        assert_works(kinds[i].write("plain.fits", NULL));
        assert_works(kinds[i].write("packed.fits.gz", NULL));
        unsigned char *plain = get_bytes("plain.fits", &plain_count);
        unsigned char *packed = unpacked("packed.fits.gz", &count);
        assert_int_equal(count, plain_count);
        assert_memory_equal(packed, plain, count);
        assert_works(kinds[i].read("packed.fits.gz", &value));
        assert_true(value == kinds[i].value);
        assert_int_equal(count_entries(), 2); /* no temporary file stays */
        assert_int_equal(kinds[i].write("packed.fits.gz", NULL), ARMILLA_ERROR_IO);
        assert_message_has("exists already");
        free(plain);
        free(packed);
        remove("plain.fits");
        remove("packed.fits.gz");
    }
}

static void packed_files_are_known_by_their_bytes(void **state)
{
    (void)state;
    double value = 0;
    char *text = NULL;
    assert_works(write_map("map.fits.gz", NULL));
    assert_int_equal(rename("map.fits.gz", "map.fits"), 0);
    assert_works(read_map("map.fits", &value));
    assert_true(value == 0.25 * 191);
    assert_works(armilla_io_describe("map.fits", &text));
    assert_non_null(strstr(text, "nside 4"));
    armilla_io_text_free(text);
}

static void packed_text_is_read(void **state)
{
    (void)state;
    armilla_cl_file *cl = NULL;
    gzFile stream = gzopen("cl.txt.gz", "wb");
    assert_true(gzputs(stream, "# l TT\n0 1.0\n1 2.5\n") > 0);
    assert_int_equal(gzclose(stream), Z_OK);
    assert_works(armilla_cl_read("cl.txt.gz", &cl));
    assert_int_equal(cl->lmax, 1);
    assert_true(cl->cl[1] == 2.5);
    armilla_cl_file_free(cl);
}

/* Every shorter file, and every changed byte (but of the header's time, system and flags, which
 * say nothing about the contents), is refused, or read as if it were whole: never a crash. */
static void damaged_packed_files_are_refused(void **state)
{
    (void)state;
    size_t count;
    double value;
    assert_works(write_cl("cl.fits.gz", NULL));
    unsigned char *bytes = get_bytes("cl.fits.gz", &count);
    for (size_t length = 0; length < count; length++) {
        put_bytes("short.fits.gz", bytes, length);
        assert_int_equal(read_cl("short.fits.gz", &value), ARMILLA_ERROR_FORMAT);
    }
    for (size_t i = 10; i < count; i++) {
        bytes[i] ^= 0x55;
        put_bytes("changed.fits.gz", bytes, count);
        assert_int_equal(read_cl("changed.fits.gz", &value), ARMILLA_ERROR_FORMAT);
        bytes[i] ^= 0x55;
    }
    put_bytes("whole.fits.gz", bytes, count);
    assert_works(read_cl("whole.fits.gz", &value));
    free(bytes);
}

static void where_nothing_can_be_unpacked_is_told(void **state)
{
    (void)state;
    double value;
    assert_works(write_cl("cl.fits.gz", NULL));
    setenv("TMPDIR", "/nowhere", 1);
    assert_int_equal(read_cl("cl.fits.gz", &value), ARMILLA_ERROR_IO);
    assert_message_has("TMPDIR");
    unsetenv("TMPDIR");
    assert_works(read_cl("cl.fits.gz", &value));
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    double value;
    setenv("TMPDIR", ".", 1); /* so that a file that stays is seen */
    for (int i = 0; i < 3; i++) {
        armilla_status status = ARMILLA_ERROR_MEMORY;
        for (int64_t n = 0; status; n++) {
            armilla_memory_fail_after(n);
            status = kinds[i].write("file.fits.gz", NULL);
            if (!status) status = kinds[i].read("file.fits.gz", &value);
            armilla_memory_fail_after(-1);
            assert_true(status == ARMILLA_OK || status == ARMILLA_ERROR_MEMORY);
            remove("file.fits.gz");
            assert_int_equal(count_entries(), 0);
            assert_true(n < 1000);
        }
    }
    unsetenv("TMPDIR");
}

/* --- Keywords --------------------------------------------------------------------------------- */

static char *header_of(const char *path)
{
    char *text = NULL;
    assert_works(armilla_io_header(path, 1, &text));
    return text;
}

static void assert_has_card(const char *path, const char *card)
{
    char *text = header_of(path);
    if (!strstr(text, card)) fail_msg("\"%s\" is not in\n%s", card, text);
    armilla_io_text_free(text);
}

static void keywords_are_written_and_replaced(void **state)
{
    (void)state;
    char text[200] = "'";
    memset(text + 1, 'x', 150);
    strcpy(text + 151, "'");
    const armilla_keyword keywords[] = {{"OBSERVER", "'O''Brien'", "who"},
                                        {"NUMBER", "12", NULL},
                                        {"REAL", "1.5E-7", ""},
                                        {"LOGIC", "T", NULL},
                                        {"EXTNAME", "'sky'", NULL},
                                        {"LONG", text, "long"},
                                        {"COMMENT", "a remark", NULL},
                                        {"COMMENT", "another", NULL},
                                        {"EMPTY", "", "nothing"},
                                        {"long name", "3", NULL},
                                        {"NUMBER", "13", "again"}};
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.nkeywords = sizeof keywords / sizeof *keywords;
    options.keywords = keywords;
    for (int i = 0; i < 3; i++) {
        double value;
        options.overwrite = i > 0;
        assert_works(kinds[i].write("file.fits", &options));
        assert_has_card("file.fits", "OBSERVER= 'O''Brien'           / who\n");
        assert_has_card("file.fits", "NUMBER  =                   13 / again\n");
        assert_has_card("file.fits", "REAL    =               1.5E-7\n");
        assert_has_card("file.fits", "LOGIC   =                    T\n");
        assert_has_card("file.fits", "EXTNAME = 'sky     '           / name of this binary table");
        assert_has_card("file.fits", "CONTINUE  'xxx");
        assert_has_card("file.fits", "COMMENT a remark\nCOMMENT another\n");
        assert_has_card("file.fits", "EMPTY   =                    / nothing\n");
        assert_has_card("file.fits", "HIERARCH LONG NAME");
        assert_works(kinds[i].read("file.fits", &value));
        assert_true(value == kinds[i].value);
    }
}

static void wrong_keywords_are_refused(void **state)
{
    (void)state;
    static const armilla_keyword wrong[] = {
        {NULL, "1", NULL},     {"A", NULL, NULL},     {"", "1", NULL},    {"A=B", "1", NULL},
        {"NAXIS2", "1", NULL}, {"TFORM1", "1", NULL}, {"END", "1", NULL}, {"TFIELDS", "1", NULL},
        {"A\n", "1", NULL},    {"A", "'\n'", NULL},   {"A", "1", "\x7f"}};
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.nkeywords = 1;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        options.keywords = &wrong[i];
        assert_int_equal(write_cl("file.fits", &options), ARMILLA_ERROR_ARGUMENT);
        assert_message_has("options->keywords[0]");
        assert_int_equal(count_entries(), 0);
    }
}

static void wrong_options_are_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        armilla_write_options options;
        armilla_write_options_init(&options);
        if (i == 0) options.size = 8;
        if (i == 1) options.size += 8;
        if (i == 2) options.nkeywords = 1;
        if (i == 3) options.nkeywords = -1;
        if (i == 4) options.row_pixels = 5; /* does not divide 192 */
        if (i == 5) options.row_pixels = -1;
        assert_int_equal(write_map("file.fits", &options), ARMILLA_ERROR_ARGUMENT);
        assert_int_equal(count_entries(), 0);
    }
}

/* --- Tables as they stand in the file --------------------------------------------------------- */

static void tables_come_as_bytes(void **state)
{
    (void)state;
    armilla_write_options options;
    armilla_raw_table *table = NULL;
    armilla_write_options_init(&options);
    options.keep_nan = 1;
    options.row_pixels = 2;
    assert_works(write_map("map.fits", &options));
    assert_works(armilla_raw_table_read("map.fits", 1, &table));
    assert_int_equal(table->rows, 96);
    assert_int_equal(table->row_bytes, 16);
    const unsigned char nan_bits[] = {0x7f, 0xc0, 0, 0}, one[] = {0x3f, 0x80, 0, 0};
    assert_memory_equal(table->bytes + 16 + 4, nan_bits, 4); /* field 0, pixel 3 */
    assert_memory_equal(table->bytes + 32, one, 4);          /* pixel 4 */
    assert_non_null(strstr(table->header, "TFORM1  = '2E"));
    armilla_raw_table_free(table);
    table = NULL;
    assert_int_equal(armilla_raw_table_read("map.fits", 0, &table), ARMILLA_ERROR_FORMAT);
    assert_int_equal(armilla_raw_table_read("map.fits", 2, &table), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_raw_table_read("none.fits", 1, &table), ARMILLA_ERROR_IO);
    assert_null(table);
    armilla_raw_table_free(NULL);
}

static void bytes_and_truth_values_are_written(void **state)
{
    (void)state;
    armilla_map *map = NULL;
    armilla_raw_table *table = NULL;
    assert_works(armilla_map_new(1, 2, &map));
    map->fields[0].type = ARMILLA_IO_UINT8;
    map->fields[1].type = ARMILLA_IO_BOOL;
    map->fields[0].values[11] = 255;
    map->fields[1].values[11] = 1;
    assert_works(armilla_map_write("map.fits", map, 0));
    assert_works(armilla_raw_table_read("map.fits", 1, &table));
    assert_int_equal(table->rows * table->row_bytes, 24);
    /* rows of four pixels: the last one is pixel 3 of row 2 */
    assert_int_equal(table->bytes[2 * 8 + 3], 255);
    assert_int_equal(table->bytes[2 * 8 + 4 + 3], 'T');
    assert_int_equal(table->bytes[4], 'F');
    armilla_raw_table_free(table);
    for (int field = 0; field < 2; field++) {
        const double wrong[] = {-1, field ? 2 : 256}; /* missing ones: test_io_columns */
        for (int i = 0; i < 2; i++) {
            double before = map->fields[field].values[0];
            map->fields[field].values[0] = wrong[i];
            assert_int_equal(armilla_map_write("map.fits", map, 1), ARMILLA_ERROR_ARGUMENT);
            map->fields[field].values[0] = before;
        }
    }
    armilla_map_free(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(packed_files_hold_the_bytes_of_plain_ones),
        IN_DIRECTORY(packed_files_are_known_by_their_bytes),
        IN_DIRECTORY(packed_text_is_read),
        IN_DIRECTORY(damaged_packed_files_are_refused),
        IN_DIRECTORY(where_nothing_can_be_unpacked_is_told),
        IN_DIRECTORY(every_allocation_may_fail),
        IN_DIRECTORY(keywords_are_written_and_replaced),
        IN_DIRECTORY(wrong_keywords_are_refused),
        IN_DIRECTORY(wrong_options_are_refused),
        IN_DIRECTORY(tables_come_as_bytes),
        IN_DIRECTORY(bytes_and_truth_values_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

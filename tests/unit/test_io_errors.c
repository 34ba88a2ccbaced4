/* Checks that files that are not what they should be, disks that are full, and memory that runs
 * out are errors, and that an old file stays as it was. */
#include "test_io_support.h"

#include "base/memory.h"
#include "io/fits_screen.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* --- What is done to files -------------------------------------------------------------------- */

static armilla_map *a_map, *a_named_map, *a_listed_map;
static armilla_alm_file *an_alm;
static armilla_cl_file *a_cl;

static int make_objects(void **state)
{
    (void)state;
    armilla_grid *grid, *part;
    if (armilla_grid_new_named("mw:5x8", &grid) || armilla_grid_new_subset(grid, 1, 3, 1, &part) ||
        armilla_map_new_grid(grid, 3, &a_named_map) || armilla_map_new_grid(part, 2, &a_listed_map))
        return -1;
    armilla_grid_free(grid);
    armilla_grid_free(part);
    a_named_map->coordsys = 'C';
    a_named_map->iau = 1;
    if (armilla_map_new(16, 3, &a_map) || armilla_alm_file_new(20, 20, 3, &an_alm) ||
        armilla_cl_file_new(30, 4, &a_cl))
        return -1;
    for (int64_t i = 0; i < a_map->npix; i++)
        for (int f = 0; f < 3; f++) a_map->fields[f].values[i] = (double)i + f;
    return 0;
}

static int free_objects(void **state)
{
    (void)state;
    armilla_map_free(a_map);
    armilla_map_free(a_named_map);
    armilla_map_free(a_listed_map);
    armilla_alm_file_free(an_alm);
    armilla_cl_file_free(a_cl);
    return 0;
}

static armilla_status read_map(const char *path)
{
    armilla_map *map = NULL;
    armilla_status status = armilla_map_read(path, 0, 0, NULL, &map);
    assert_true((status == ARMILLA_OK) == (map != NULL));
    armilla_map_free(map);
    return status;
}

static armilla_status read_alm(const char *path)
{
    armilla_alm_file *alm = NULL;
    armilla_status status = armilla_alm_read(path, 0, &alm);
    assert_true((status == ARMILLA_OK) == (alm != NULL));
    armilla_alm_file_free(alm);
    return status;
}

static armilla_status read_cl(const char *path)
{
    armilla_cl_file *cl = NULL;
    armilla_status status = armilla_cl_read(path, &cl);
    assert_true((status == ARMILLA_OK) == (cl != NULL));
    armilla_cl_file_free(cl);
    return status;
}

static armilla_status describe(const char *path)
{
    char *text = NULL;
    armilla_status status = armilla_io_describe(path, &text);
    assert_true((status == ARMILLA_OK) == (text != NULL));
    armilla_io_text_free(text);
    return status;
}

static armilla_status write_ring(const char *path)
{
    a_map->order = ARMILLA_IO_RING;
    a_map->partial = a_map->iau = 0;
    return armilla_map_write(path, a_map, 1);
}

static armilla_status write_nested_partial(const char *path)
{
    a_map->order = ARMILLA_IO_NESTED;
    a_map->partial = a_map->iau = 1;
    return armilla_map_write(path, a_map, 1);
}

static armilla_status write_named(const char *path)
{
    return armilla_map_write(path, a_named_map, 1);
}

static armilla_status write_listed(const char *path)
{
    return armilla_map_write(path, a_listed_map, 1);
}

static armilla_status write_image(const char *path)
{
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.overwrite = options.image = 1;
    return armilla_map_write_with(path, a_named_map, &options);
}

static armilla_status write_alm(const char *path)
{
    return armilla_alm_write(path, an_alm, 1);
}

static armilla_status write_cl(const char *path)
{
    return armilla_cl_write(path, a_cl, 1);
}

typedef armilla_status (*operation)(const char *path);

static const operation readers[] = {read_map, read_alm, read_cl, describe};
enum { WRITERS = 7 };
static const operation writers[WRITERS] = {write_ring,  write_nested_partial, write_alm,  write_cl,
                                           write_named, write_listed,         write_image};

/* --- Foreign and damaged files ---------------------------------------------------------------- */

static void all_refuse(const char *path, armilla_status expected, const char *word)
{
    for (int i = 0; i < 4; i++) {
        armilla_status status = readers[i](path);
        if (status != expected) fail_msg("reader %d: status %d for %s", i, (int)status, path);
        assert_message_has(path);
        assert_message_has(word);
    }
}

static void foreign_files_are_named_for_what_they_are(void **state)
{
    (void)state;
    put_text("empty.fits", "");
    put_bytes("png.fits", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    put_bytes("gzip.fits", "\x1f\x8b\x08\0\0\0\0\0", 8);
    put_bytes("numpy.fits", "\x93NUMPY\x01\0", 8);
    all_refuse("empty.fits", ARMILLA_ERROR_FORMAT, "is empty");
    all_refuse("png.fits", ARMILLA_ERROR_FORMAT, "PNG");
    all_refuse("gzip.fits", ARMILLA_ERROR_FORMAT, "compressed by gzip, but empty");
    all_refuse("numpy.fits", ARMILLA_ERROR_FORMAT, "NumPy");
    put_text("text.fits", "Dear reader,\nthis is no table.\n");
    for (int i = 0; i < 4; i++) assert_int_equal(readers[i]("text.fits"), ARMILLA_ERROR_FORMAT);
    assert_int_equal(read_map("text.fits"), ARMILLA_ERROR_FORMAT);
    assert_message_has("text.fits: no FITS file: it holds text");
}

static void what_cannot_be_opened_is_an_io_error(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(mkfifo("pipe", 0666), 0); /* must not wait for a writer */
    all_refuse("nowhere.fits", ARMILLA_ERROR_IO, "No such file");
    all_refuse("folder", ARMILLA_ERROR_IO, "directory");
    all_refuse("pipe", ARMILLA_ERROR_IO, "no regular file");
    all_refuse("/dev/zero", ARMILLA_ERROR_IO, "no regular file");
    for (int i = 0; i < 4; i++) assert_int_equal(readers[i](NULL), ARMILLA_ERROR_ARGUMENT);
    for (int i = 0; i < 4; i++) assert_int_equal(readers[i](""), ARMILLA_ERROR_ARGUMENT);
    put_text("secret.fits", "x");
    assert_int_equal(chmod("secret.fits", 0), 0);
    uid_t user = geteuid(); /* root may read everything: become nobody meanwhile */
    assert_int_equal(chmod(".", 0755), 0);
    if (user == 0) assert_int_equal(seteuid(65534), 0);
    armilla_status status = read_map("secret.fits");
    if (user == 0) assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, ARMILLA_ERROR_IO);
    assert_message_has("Permission denied");
}

/* cfitsio's extended syntax would read the first as another HDU of map.fits, the second as a row
 * filter, the third as a network address, the last as a home directory. */
static void names_are_taken_as_they_are(void **state)
{
    (void)state;
    assert_works(write_ring("map.fits"));
    assert_int_equal(read_map("map.fits[1]"), ARMILLA_ERROR_IO);
    assert_int_equal(read_map("map.fits[col x=3]"), ARMILLA_ERROR_IO);
    assert_int_equal(read_map("http://127.0.0.1/map.fits"), ARMILLA_ERROR_IO);
    assert_int_equal(read_map("map"), ARMILLA_ERROR_IO);
    const char *names[] = {"~",    "~root", " map.fits", "!map.fits",     "map.fits[1]",
                           "mem:", "-",     "stdout",    "map(out).fits", "map.fits.gz"};
    for (int i = 0; i < 10; i++) {
        assert_works(write_ring(names[i]));
        assert_works(read_map(names[i]));
        assert_int_equal(unlink(names[i]), 0);
    }
    assert_int_equal(count_entries(), 1);
}

static void paths_beyond_the_limit_are_refused(void **state)
{
    (void)state;
    char path[1200] = "";
    while (strlen(path) < 1100) strcat(path, "./");
    strcat(path, "map.fits");
    assert_works(write_cl("map.fits"));
    assert_int_equal(read_map(path), ARMILLA_ERROR_IO);
    assert_message_has("longer than");
    assert_int_equal(write_cl(path), ARMILLA_ERROR_IO);
    assert_message_has("longer than");
    assert_int_equal(count_entries(), 1);
}

/* Every length that is no whole number of FITS blocks, and some that are. */
static void truncated_files_are_refused_at_every_length(void **state)
{
    (void)state;
    for (int w = 0; w < 4; w++) {
        size_t size;
        assert_works(writers[w]("whole.fits"));
        unsigned char *bytes = get_bytes("whole.fits", &size);
        for (size_t length = 9; length + 2880 <= size; length += length < 6000 ? 97 : 1499) {
            put_bytes("short.fits", bytes, length);
            for (int r = 0; r < 3; r++) {
                armilla_status status = readers[r]("short.fits");
                if (status != ARMILLA_ERROR_FORMAT && status != ARMILLA_ERROR_IO)
                    fail_msg("writer %d, reader %d, %zu of %zu bytes: status %d", w, r, length,
                             size, (int)status);
                assert_message_has("short.fits");
            }
            describe("short.fits");
        }
        free(bytes);
    }
}

static void a_cut_table_says_how_much_is_missing(void **state)
{
    (void)state;
    assert_works(write_ring("map.fits"));
    assert_int_equal(truncate("map.fits", 3 * 2880 + 100), 0);
    assert_int_equal(read_map("map.fits"), ARMILLA_ERROR_FORMAT);
    assert_message_has("the table has 3 rows of 12288 bytes, 36.9 kB in all, the file only 2.98");
}

/* No allocation may trust these numbers. */
static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    const char *const cards[][3] = {{"NAXIS1", "4611686018427387904", "1E"},
                                    {"NAXIS2", "4611686018427387904", "1E"},
                                    {"NAXIS2", "9223372036854775807", "1E"},
                                    {"NAXIS2", "-5", "1E"},
                                    {"TFIELDS", "100000", "1E"},
                                    {"TFIELDS", "-1", "1E"},
                                    {"NAXIS1", "4", "4611686018427387904E"},
                                    {"NAXIS1", "4", "-1E"},
                                    {"NAXIS1", "4", "0E"},
                                    {"NAXIS1", "4", "1Z"},
                                    {"NAXIS1", "4", ""},
                                    {"NAXIS1", "8", "1E"},
                                    {"NAXIS1", "0", "0E"},
                                    {"NAXIS1", "4", "99999999999999999999E"}};
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        const char *name = cards[i][0], *value = cards[i][1];
        maker_begin();
        maker_card("XTENSION= 'BINTABLE'");
        maker_card("BITPIX  =                    8");
        maker_card("NAXIS   =                    2");
        maker_card("NAXIS1  = %s", strcmp(name, "NAXIS1") ? "4" : value);
        maker_card("NAXIS2  = %s", strcmp(name, "NAXIS2") ? "12" : value);
        maker_card("PCOUNT  =                    0");
        maker_card("GCOUNT  =                    1");
        maker_card("TFIELDS = %s", strcmp(name, "TFIELDS") ? "1" : value);
        maker_column(1, "signal", cards[i][2]);
        maker_end_header();
        for (int k = 0; k < 12; k++) maker_float(1);
        maker_save("size.fits");
        for (int r = 0; r < 3; r++) assert_int_not_equal(readers[r]("size.fits"), ARMILLA_OK);
        describe("size.fits");
    }
}

static armilla_status screen_file(const char *path, size_t size, int *count, int *is_cut)
{
    armilla_screen found;
    armilla_status status = armilla_fits_screen(path, (int64_t)size, &found);
    *count = found.count, *is_cut = found.is_cut;
    if (*count > 0) assert_int_equal(found.starts[0], 0);
    if (*count > 1) assert_int_equal(found.starts[1], 2880);
    assert_int_equal(found.lacking, 0);
    armilla_release(found.starts);
    return status;
}

/* cfitsio must not see the headers it does not survive. */
static void unsound_headers_stop_the_screen(void **state)
{
    (void)state;
    const char *const cards[] = {"NAXIS2  = -5",    "NAXIS1  = -1",
                                 "TFIELDS = 1000",  "TFIELDS = -1",
                                 "NAXIS   = 3",     "BITPIX  = 16",
                                 "PCOUNT  = -2880", "GCOUNT  = 2",
                                 "TFIELDX = 1",     "NAXIS2  = 5000000000000000000"};
    const int places[] = {4, 3, 7, 7, 2, 1, 5, 6, 7, 4};
    int count, is_cut;
    assert_works(write_cl("cl.fits"));
    size_t size;
    unsigned char *bytes = get_bytes("cl.fits", &size);
    assert_works(screen_file("cl.fits", size, &count, &is_cut));
    assert_int_equal(count, 2);
    assert_int_equal(is_cut, 0);
    for (int i = 0; i < 10; i++) {
        unsigned char card[80], *place = bytes + 2880 + 80 * places[i];
        memcpy(card, place, 80);
        memset(place, ' ', 80);
        memcpy(place, cards[i], strlen(cards[i]));
        put_bytes("cl.fits", bytes, size);
        memcpy(place, card, 80);
        assert_works(screen_file("cl.fits", size, &count, &is_cut));
        assert_int_equal(count, 1);
        assert_int_equal(is_cut, 1);
        assert_int_equal(read_cl("cl.fits"), ARMILLA_ERROR_FORMAT);
        assert_message_has("header of HDU 1");
    }
    free(bytes);
}

static void fits_without_a_table_is_refused(void **state)
{
    (void)state;
    maker_begin();
    maker_save("bare.fits");
    for (int r = 0; r < 3; r++) {
        assert_int_equal(readers[r]("bare.fits"), ARMILLA_ERROR_FORMAT);
        assert_message_has("bare.fits");
    }
    assert_works(describe("bare.fits"));
    maker_begin();
    maker_card("XTENSION= 'IMAGE   '");
    maker_card("BITPIX  =                    8");
    maker_card("NAXIS   =                    1");
    maker_card("NAXIS1  =                   12");
    maker_card("PCOUNT  =                    0");
    maker_card("GCOUNT  =                    1");
    maker_end_header();
    maker_text("abcdefghijkl");
    maker_save("image.fits");
    armilla_map *map;
    assert_int_equal(armilla_map_read("image.fits", 1, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
    assert_message_has("is an image");
    assert_works(describe("image.fits"));
}

/* --- Full disk -------------------------------------------------------------------------------- */

static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    const rlim_t limits[] = {0, 100, 2880, 3000, 5760, 8000};
    put_text("new.fits", "precious");
    for (int w = 0; w < 4; w++)
        for (int i = 0; i < 6; i++) {
            small = old;
            small.rlim_cur = limits[i]; /* raises SIGXFSZ, which ends a process by default */
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
            armilla_status status = writers[w]("new.fits");
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
            assert_int_equal(status, ARMILLA_ERROR_IO);
            assert_message_has("new.fits");
            assert_message_has("File too large");
            assert_int_equal(count_entries(), 1);
            size_t size;
            unsigned char *bytes = get_bytes("new.fits", &size);
            assert_memory_equal(bytes, "precious", size);
            free(bytes);
        }
}

static void an_existing_file_is_kept_unless_overwriting(void **state)
{
    (void)state;
    put_text("old.fits", "precious");
    assert_int_equal(armilla_map_write("old.fits", a_map, 0), ARMILLA_ERROR_IO);
    assert_message_has("old.fits: exists already");
    assert_int_equal(armilla_alm_write("old.fits", an_alm, 0), ARMILLA_ERROR_IO);
    assert_int_equal(armilla_cl_write("old.fits", a_cl, 0), ARMILLA_ERROR_IO);
    assert_int_equal(armilla_map_write("/dev/null", a_map, 1), ARMILLA_ERROR_IO);
    assert_int_equal(armilla_map_write(".", a_map, 1), ARMILLA_ERROR_IO);
    assert_int_equal(armilla_map_write("no/where.fits", a_map, 1), ARMILLA_ERROR_IO);
    assert_int_equal(count_entries(), 1);
    assert_works(write_cl("old.fits"));
    assert_works(read_cl("old.fits"));
}

/* --- No memory -------------------------------------------------------------------------------- */

static void assert_each_allocation_may_fail(operation act, const char *path, int entries)
{
    armilla_status status = ARMILLA_ERROR_MEMORY;
    int failures = -1;
    for (int n = 0; status; n++, failures++) {
        assert_true(n < 1000);
        armilla_memory_fail_after(n);
        status = act(path);
        armilla_memory_fail_after(-1);
        if (status) assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        if (status) assert_message_has("could not allocate");
        if (status) assert_int_equal(count_entries(), entries);
    }
    assert_true(failures >= 3); /* the loop did meet allocations */
}

static void every_allocation_of_reading_may_fail(void **state)
{
    (void)state;
    assert_works(write_ring("ring.fits"));
    assert_works(write_nested_partial("partial.fits"));
    assert_works(write_alm("alm.fits"));
    assert_works(write_cl("cl.fits"));
    put_text("cl.txt", "# l TT\n0 1\n1 2\n");
    for (int w = 4; w < WRITERS; w++) {
        assert_works(writers[w]("grid.fits"));
        assert_each_allocation_may_fail(read_map, "grid.fits", 6);
        assert_each_allocation_may_fail(describe, "grid.fits", 6);
        assert_int_equal(unlink("grid.fits"), 0);
    }
    assert_each_allocation_may_fail(read_map, "ring.fits", 5);
    assert_each_allocation_may_fail(read_map, "partial.fits", 5);
    assert_each_allocation_may_fail(read_alm, "alm.fits", 5);
    assert_each_allocation_may_fail(read_cl, "cl.fits", 5);
    assert_each_allocation_may_fail(read_cl, "cl.txt", 5);
    assert_each_allocation_may_fail(describe, "alm.fits", 5);
}

static void every_allocation_of_writing_may_fail(void **state)
{
    (void)state;
    for (int w = 0; w < WRITERS; w++) {
        assert_each_allocation_may_fail(writers[w], "new.fits", 0);
        assert_int_equal(unlink("new.fits"), 0);
    }
}

static armilla_status make_map(const char *path)
{
    (void)path;
    armilla_map *map = NULL;
    armilla_status status = armilla_map_new(2, 2, &map);
    armilla_map_free(map);
    return status;
}

static armilla_status make_cl(const char *path)
{
    (void)path;
    armilla_cl_file *cl = NULL;
    armilla_status status = armilla_cl_file_new(2, 2, &cl);
    armilla_cl_file_free(cl);
    return status;
}

static void every_allocation_of_making_may_fail(void **state)
{
    (void)state;
    assert_each_allocation_may_fail(make_map, NULL, 0);
    assert_each_allocation_may_fail(make_cl, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(foreign_files_are_named_for_what_they_are),
        IN_DIRECTORY(what_cannot_be_opened_is_an_io_error),
        IN_DIRECTORY(names_are_taken_as_they_are),
        IN_DIRECTORY(paths_beyond_the_limit_are_refused),
        IN_DIRECTORY(truncated_files_are_refused_at_every_length),
        IN_DIRECTORY(a_cut_table_says_how_much_is_missing),
        IN_DIRECTORY(impossible_sizes_are_refused),
        IN_DIRECTORY(unsound_headers_stop_the_screen),
        IN_DIRECTORY(fits_without_a_table_is_refused),
        IN_DIRECTORY(a_full_disk_leaves_the_old_file),
        IN_DIRECTORY(an_existing_file_is_kept_unless_overwriting),
        IN_DIRECTORY(every_allocation_of_reading_may_fail),
        IN_DIRECTORY(every_allocation_of_writing_may_fail),
        IN_DIRECTORY(every_allocation_of_making_may_fail),
    };
    return cmocka_run_group_tests(tests, make_objects, free_objects);
}

/* Checks what goes wrong with maps in pieces: what is refused, memory and disks that run out,
 * writers that are killed, and files that are open at the same time. */
#include "test_io_stream_scene.h"

#include "base/memory.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* --- Refused ---------------------------------------------------------------------------------- */

static void refuse_input(const char *path, armilla_status expected, const char *words)
{
    armilla_map_input *input = (armilla_map_input *)path;
    assert_int_equal(armilla_map_input_open(path, 0, &input), expected);
    assert_message_has(path);
    assert_message_has(words);
    assert_ptr_equal(input, path); /* untouched */
}

static void files_that_have_no_ranges_are_refused(void **state)
{
    (void)state;
    armilla_map *map = make_map(4, 1, every_type);
    map->partial = 1;
    assert_works(armilla_map_write("partial.fits", map, 0));
    refuse_input("partial.fits", ARMILLA_ERROR_UNSUPPORTED, "partial");
    assert_message_has("armilla_map_write makes a RING map");
    armilla_map_free(map);
    maker_begin();
    maker_table("BINTABLE", 4, 12, 1);
    maker_column(1, "T", "1E");
    maker_card("NSIDE   = 2");
    maker_card("ORDERING= 'RING'");
    maker_card("FIRSTPIX= 12");
    maker_card("LASTPIX = 23");
    maker_end_header();
    for (int i = 0; i < 12; i++) maker_float((float)i);
    maker_save("part.fits");
    refuse_input("part.fits", ARMILLA_ERROR_UNSUPPORTED, "a part of the sky");
    refuse_input("nowhere.fits", ARMILLA_ERROR_IO, "No such file");
    put_text("text.fits", "l TT");
    refuse_input("text.fits", ARMILLA_ERROR_FORMAT, "no FITS file");
    armilla_map_input *input;
    assert_int_equal(armilla_map_input_open(NULL, 0, &input), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_map_input_open("part.fits", 0, NULL), ARMILLA_ERROR_ARGUMENT);
    assert_null(armilla_map_input_map(NULL));
    armilla_map_input_free(NULL);
}

static void wrong_ranges_are_named(void **state)
{
    (void)state;
    armilla_map *map = make_map(4, 2, every_type);
    armilla_map_input *input;
    armilla_map_output *output;
    double values[200] = {0};
    assert_works(armilla_map_write("map.fits", map, 0));
    assert_works(armilla_map_input_open("map.fits", 0, &input));
    assert_works(armilla_map_output_new("new.fits", map, NULL, &output));
    static const struct {
        int64_t field, first, count;
        const char *word;
    } cases[] = {
        {2, 0, 1, "field = 2"},     {-1, 0, 1, "field = -1"},      {0, -1, 1, "first = -1"},
        {0, 193, 0, "first = 193"}, {0, 0, 193, "count = 193"},    {0, 192, 1, "count = 1"},
        {0, 5, -1, "count = -1"},   {0, 2, INT64_MAX, "count = "}, {0, INT64_MAX, 1, "first = "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t f = cases[i].field, first = cases[i].first, count = cases[i].count;
        assert_int_equal(armilla_map_input_read(input, f, first, count, values),
                         ARMILLA_ERROR_ARGUMENT);
        assert_message_has(cases[i].word);
        assert_int_equal(armilla_map_output_write(output, f, first, count, values),
                         ARMILLA_ERROR_ARGUMENT);
        assert_message_has(cases[i].word);
    }
    assert_int_equal(armilla_map_input_read(input, 0, 0, 1, NULL), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_map_output_write(output, 0, 0, 1, NULL), ARMILLA_ERROR_ARGUMENT);
    values[3] = 1e300; /* field 1 is float */
    assert_int_equal(armilla_map_output_write(output, 1, 10, 5, values), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("field 1, pixel 13 = 1e+300: does not fit into the type float");
    armilla_map_output_free(output);
    armilla_map_input_free(input);
    armilla_map_free(map);
    assert_int_equal(count_entries(), 1); /* new.fits was not finished */
}

static void wrong_outputs_are_named(void **state)
{
    (void)state;
    armilla_map *map = make_map(4, 1, every_type);
    armilla_map_output *output;
    put_text("old.fits", "precious");
    assert_int_equal(armilla_map_output_new("old.fits", map, NULL, &output), ARMILLA_ERROR_IO);
    assert_message_has("exists already");
    assert_int_equal(armilla_map_output_new("no/where.fits", map, NULL, &output), ARMILLA_ERROR_IO);
    assert_int_equal(armilla_map_output_new(NULL, map, NULL, &output), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_map_output_new("new.fits", NULL, NULL, &output),
                     ARMILLA_ERROR_ARGUMENT);
    map->partial = 1;
    assert_int_equal(armilla_map_output_new("new.fits", map, NULL, &output),
                     ARMILLA_ERROR_ARGUMENT);
    assert_message_has("map->partial = 1");
    map->partial = 0;
    map->order = ARMILLA_IO_NESTED;
    assert_int_equal(armilla_map_output_new("new.fits", map, NULL, &output),
                     ARMILLA_ERROR_ARGUMENT);
    assert_message_has("must be RING");
    map->order = ARMILLA_IO_RING;
    map->nfields = -1;
    assert_int_equal(armilla_map_output_new("new.fits", map, NULL, &output),
                     ARMILLA_ERROR_ARGUMENT);
    assert_message_has("map->nfields = -1");
    map->nfields = 1;
    armilla_map_free(map);
    assert_int_equal(count_entries(), 1);
}

/* --- Failures --------------------------------------------------------------------------------- */

static armilla_map *a_map; /* of the next functions */

static armilla_status read_some(void)
{
    armilla_map_input *input;
    double values[30];
    armilla_status status = armilla_map_input_open("map.fits", 0, &input);
    if (status) return status;
    status = armilla_map_input_read(input, 1, 20, 30, values);
    armilla_map_input_free(input);
    return status;
}

static armilla_status write_some(void)
{
    armilla_map_output *output;
    armilla_write_options options = default_options();
    options.overwrite = 1;
    armilla_status status = armilla_map_output_new("new.fits", a_map, &options, &output);
    if (status) return status;
    for (int f = 0; !status && f < 2; f++)
        status = armilla_map_output_write(output, f, 0, a_map->npix, a_map->fields[f].values);
    if (!status) status = armilla_map_output_finish(output);
    armilla_map_output_free(output);
    return status;
}

static void assert_each_allocation_may_fail(armilla_status (*act)(void), int entries)
{
    armilla_status status = ARMILLA_ERROR_MEMORY;
    int failures = -1;
    for (int n = 0; status; n++, failures++) {
        assert_true(n < 100);
        armilla_memory_fail_after(n);
        status = act();
        armilla_memory_fail_after(-1);
        if (!status) break;
        assert_int_equal(status, ARMILLA_ERROR_MEMORY);
        assert_message_has("could not allocate");
        assert_int_equal(count_entries(), entries);
    }
    assert_true(failures >= 5);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    a_map = make_map(8, 2, every_type);
    a_map->iau = 1;
    assert_works(armilla_map_write("map.fits", a_map, 0));
    assert_each_allocation_may_fail(read_some, 1);
    assert_each_allocation_may_fail(write_some, 1);
    a_map->order = ARMILLA_IO_NESTED;
    assert_works(armilla_map_write("map.fits", a_map, 1));
    assert_each_allocation_may_fail(read_some, 2);
    armilla_map_free(a_map);
}

/* A limit of the size of files raises SIGXFSZ, which ends a process by default. */
static void a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    const rlim_t limits[] = {0, 100, 2880, 3000, 5760, 8000};
    a_map = make_map(16, 2, every_type);
    put_text("new.fits", "precious");
    for (int i = 0; i < 6; i++) {
        small = old;
        small.rlim_cur = limits[i];
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        const armilla_status status = write_some();
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(status, ARMILLA_ERROR_IO);
        assert_message_has("new.fits");
        assert_message_has("File too large");
        assert_int_equal(count_entries(), 1);
        size_t size;
        unsigned char *bytes = get_bytes("new.fits", &size);
        assert_int_equal(size, 8);
        assert_memory_equal(bytes, "precious", 8);
        free(bytes);
    }
    armilla_map_free(a_map);
}

/* The disk has room when the file begins, and later has not; two files are open, and the first one
 * is done when the second one fails. */
static void a_write_that_fails_is_reported(void **state)
{
    (void)state;
    struct rlimit old, small;
    armilla_map_output *first, *second;
    a_map = make_map(16, 1, every_type);
    assert_works(armilla_map_output_new("first.fits", a_map, NULL, &first));
    assert_works(armilla_map_output_new("second.fits", a_map, NULL, &second));
    armilla_map_output_free(first);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = old;
    small.rlim_cur = 10000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const armilla_status status =
        armilla_map_output_write(second, 0, 0, a_map->npix, a_map->fields[0].values);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, ARMILLA_ERROR_IO);
    assert_message_has("second.fits: could not write it: File too large");
    sigset_t pending; /* and no signal is left behind */
    assert_int_equal(sigpending(&pending), 0);
    assert_int_equal(sigismember(&pending, SIGXFSZ), 0);
    armilla_map_output_free(second);
    assert_int_equal(count_entries(), 0);
    armilla_map_free(a_map);
}

static void a_file_that_shrinks_is_an_error(void **state)
{
    (void)state;
    armilla_map_input *input;
    double values[100];
    a_map = make_map(16, 1, every_type);
    assert_works(armilla_map_write("map.fits", a_map, 0));
    assert_works(armilla_map_input_open("map.fits", 0, &input));
    assert_int_equal(truncate("map.fits", 3 * 2880), 0);
    assert_int_equal(armilla_map_input_read(input, 0, 3000, 50, values), ARMILLA_ERROR_IO);
    assert_message_has("map.fits: could not read it");
    armilla_map_input_free(input);
    armilla_map_free(a_map);
}

/* Between writes, and not only in one: what stays is the old file, and something that nothing
 * reads. */
static void a_kill_leaves_the_old_file(void **state)
{
    (void)state;
    a_map = make_map(16, 2, every_type);
    assert_works(armilla_map_write("new.fits", a_map, 0));
    assert_works(armilla_map_write("old.fits", a_map, 0));
    pid_t child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0) {
        armilla_map_output *output;
        armilla_write_options options = default_options();
        options.overwrite = 1;
        const double zeros[1000] = {0};
        if (armilla_map_output_new("new.fits", a_map, &options, &output) ||
            armilla_map_output_write(output, 0, 0, 1000, zeros))
            _exit(1);
        raise(SIGKILL);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended));
    assert_same_files("new.fits", "old.fits");
    assert_int_equal(count_entries(), 3); /* and a temporary file */
    assert_works(write_some());
    assert_same_files("new.fits", "old.fits");
    armilla_map_free(a_map);
}

/* Two inputs and two outputs at once, in one thread: nobody waits for cfitsio's lock. */
static void files_may_be_open_at_the_same_time(void **state)
{
    (void)state;
    armilla_map_input *in[2];
    armilla_map_output *out[2];
    double values[100];
    a_map = make_map(16, 1, every_type);
    assert_works(armilla_map_write("map.fits", a_map, 0));
    for (int i = 0; i < 2; i++) assert_works(armilla_map_input_open("map.fits", 0, &in[i]));
    assert_works(armilla_map_output_new("a.fits", a_map, NULL, &out[0]));
    assert_works(armilla_map_output_new("b.fits", a_map, NULL, &out[1]));
    for (int64_t at = a_map->npix; (at -= 96) >= 0;)
        for (int i = 0; i < 2; i++) {
            assert_works(armilla_map_input_read(in[i], 0, at, 96, values));
            assert_works(armilla_map_output_write(out[i], 0, at, 96, values));
        }
    for (int i = 0; i < 2; i++) {
        assert_works(armilla_map_output_finish(out[i]));
        armilla_map_output_free(out[i]);
        armilla_map_input_free(in[i]);
    }
    assert_same_files("map.fits", "a.fits");
    assert_same_files("map.fits", "b.fits");
    armilla_map_free(a_map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(files_that_have_no_ranges_are_refused),
        IN_DIRECTORY(wrong_ranges_are_named),
        IN_DIRECTORY(wrong_outputs_are_named),
        IN_DIRECTORY(every_allocation_may_fail),
        IN_DIRECTORY(a_full_disk_leaves_the_old_file),
        IN_DIRECTORY(a_write_that_fails_is_reported),
        IN_DIRECTORY(a_file_that_shrinks_is_an_error),
        IN_DIRECTORY(a_kill_leaves_the_old_file),
        IN_DIRECTORY(files_may_be_open_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks that coefficients can be read and written in pieces: files made of ranges of degrees, in
 * any sequence, are those of a whole write, byte by byte; rows of some orders are those of a whole
 * read, bit by bit. */
#include "test_io_stream_scene.h"

#include "base/memory.h"
#include <sys/resource.h>

static armilla_alm_file *make_alm(int64_t lmax, int64_t mmax, int64_t ncomp, armilla_io_type type)
{
    armilla_alm_file *alm;
    uint64_t seed = SEED;
    assert_works(armilla_alm_file_new(lmax, mmax, ncomp, &alm));
    alm->type = type;
    alm->coordsys = 'E';
    const int64_t count = 2 * ncomp * armilla_alm_size(lmax, mmax);
    for (int64_t i = 0; i < count; i++)
        alm->alm[i] = (double)(float)(((double)draw_below(&seed, 2000001) - 1e6) * 1.7e-11);
    return alm;
}

/* The degrees first .. last of a component, order by order. */
static double *cut(const armilla_alm_file *alm, int64_t component, int64_t first, int64_t last)
{
    const int64_t size = armilla_alm_size(alm->lmax, alm->mmax);
    const double *values = alm->alm + 2 * component * size;
    double *part = malloc((size_t)size * 2 * sizeof *part), *at = part;
    assert_non_null(part);
    for (int64_t m = 0; m <= alm->mmax && m <= last; m++)
        for (int64_t l = m > first ? m : first; l <= last; l++, at += 2)
            memcpy(at, values + 2 * armilla_alm_index(alm->lmax, l, m), 2 * sizeof *at);
    return part;
}

/* Every other range first, from the end. */
static void write_component(armilla_alm_output *output, const armilla_alm_file *alm,
                            int64_t component, int64_t degrees)
{
    for (int64_t pass = 0; pass < 2; pass++)
        for (int64_t i = alm->lmax / degrees; i >= 0; i--) {
            const int64_t first = i * degrees;
            const int64_t last = first + degrees > alm->lmax ? alm->lmax : first + degrees - 1;
            if (i % 2 != pass) continue;
            double *part = cut(alm, component, first, last);
            assert_works(armilla_alm_output_write(output, component, first, last, part));
            free(part);
        }
}

static const int64_t sizes[][3] = {{0, 0, 1},   {1, 1, 3},   {5, 3, 2},    {40, 0, 1},
                                   {40, 40, 3}, {300, 7, 1}, {300, 290, 2}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void pieces_make_the_bytes_of_a_whole_write(void **state)
{
    (void)state;
    const armilla_keyword keywords[] = {{"OBSERVER", "'Ada'", "who"}};
    armilla_write_options options = default_options();
    options.overwrite = 1;
    for (int i = 0; i < SIZES; i++)
        for (int64_t degrees = 1; degrees <= 128; degrees *= 8) {
            armilla_alm_output *output;
            armilla_alm_file *alm = make_alm(sizes[i][0], sizes[i][1], sizes[i][2],
                                             i % 2 ? ARMILLA_IO_FLOAT : ARMILLA_IO_DOUBLE);
            options.nkeywords = i % 2, options.keywords = keywords;
            assert_works(armilla_alm_write_with("whole.fits", alm, &options));
            assert_works(armilla_alm_output_new("pieces.fits", alm, &options, &output));
            for (int64_t c = alm->ncomp - 1; c >= 0; c--) write_component(output, alm, c, degrees);
            assert_int_equal(access(armilla_alm_output_temporary(output), F_OK), 0);
            assert_works(armilla_alm_output_finish(output));
            assert_null(armilla_alm_output_temporary(output));
            assert_int_equal(armilla_alm_output_finish(output), ARMILLA_ERROR_ARGUMENT);
            armilla_alm_output_free(output);
            assert_same_files("whole.fits", "pieces.fits");
            armilla_alm_file_free(alm);
        }
    assert_int_equal(count_entries(), 2);
}

/* Rows l = m .. lmax of every third order, from the last one on, and of all. */
static void check_orders(const armilla_alm_input *input, const armilla_alm_file *alm, int64_t lmax)
{
    const int64_t mmax = alm->mmax < lmax ? alm->mmax : lmax;
    const int64_t size = armilla_alm_size(alm->lmax, alm->mmax);
    int64_t *orders = malloc((size_t)(mmax + 1) * sizeof *orders), count = 0;
    double *rows = malloc((size_t)size * 2 * sizeof *rows), *at = rows;
    assert_true(orders && rows);
    for (int64_t m = mmax; m >= 0; m -= 3) orders[count++] = m;
    for (int64_t c = 0; c < alm->ncomp; c++, at = rows) {
        const double *values = alm->alm + 2 * c * size;
        assert_works(armilla_alm_input_read(input, c, lmax, count, orders, rows));
        for (int64_t i = 0; i < count; at += 2 * (lmax + 1 - orders[i]), i++)
            assert_same_values(at, values + 2 * armilla_alm_index(alm->lmax, orders[i], orders[i]),
                               2 * (lmax + 1 - orders[i]));
    }
    assert_works(armilla_alm_input_read(input, 0, lmax, mmax + 1, NULL, rows));
    for (int64_t m = 0; m <= mmax; m++)
        assert_same_values(rows + 2 * armilla_alm_index(lmax, m, m),
                           alm->alm + 2 * armilla_alm_index(alm->lmax, m, m), 2 * (lmax + 1 - m));
    free(orders);
    free(rows);
}

static void orders_are_those_of_a_whole_read(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; i++)
        for (int is_packed = 0; is_packed < 2; is_packed++) {
            const char *path = is_packed ? "alm.fits.gz" : "alm.fits";
            armilla_alm_input *input;
            armilla_alm_file *alm =
                make_alm(sizes[i][0], sizes[i][1], sizes[i][2], ARMILLA_IO_DOUBLE);
            assert_works(armilla_alm_write(path, alm, 1));
            assert_works(armilla_alm_input_open(path, 0, &input));
            const armilla_alm_file *told = armilla_alm_input_alm(input);
            assert_int_equal(told->lmax, alm->lmax);
            assert_int_equal(told->mmax, alm->mmax);
            assert_int_equal(told->ncomp, alm->ncomp);
            assert_int_equal(told->type, alm->type);
            assert_int_equal(told->coordsys, 'E');
            assert_null(told->alm);
            check_orders(input, alm, alm->lmax);
            check_orders(input, alm, alm->lmax / 2);
            armilla_alm_input_free(input);
            armilla_alm_file_free(alm);
        }
}

/* A file without the rows of some degrees: they are 0, whatever was in memory. */
static void omitted_rows_are_zero(void **state)
{
    (void)state;
    armilla_alm_input *input;
    double alm[12];
    for (int i = 0; i < 12; i++) alm[i] = 7;
    maker_begin();
    maker_table("BINTABLE", 12, 2, 3);
    maker_column(1, "INDEX", "1J");
    maker_column(2, "REAL", "1E");
    maker_column(3, "IMAG", "1E");
    maker_end_header();
    const int index[] = {9, 1}; /* l = 2, m = 2, then l = 0 */
    for (int i = 0; i < 2; i++) {
        maker_integer(index[i], 4);
        maker_float((float)index[i]);
        maker_float(-1);
    }
    maker_save("few.fits");
    assert_works(armilla_alm_input_open("few.fits", 0, &input));
    assert_works(armilla_alm_input_read(input, 0, 2, 3, NULL, alm));
    for (int i = 0; i < 12; i++) {
        const double expected = i == 0 ? 1 : i == 10 ? 9 : i == 1 || i == 11 ? -1 : 0;
        assert_true(alm[i] == expected);
    }
    armilla_alm_input_free(input);
}

static void wrong_arguments_are_named(void **state)
{
    (void)state;
    armilla_alm_file *alm = make_alm(6, 4, 2, ARMILLA_IO_FLOAT);
    armilla_alm_input *input;
    armilla_alm_output *output;
    const int64_t twice[] = {1, 3, 1}, high[] = {5};
    double *all = alm->alm;
    assert_works(armilla_alm_write("alm.fits", alm, 0));
    assert_works(armilla_alm_input_open("alm.fits", 0, &input));
    assert_int_equal(armilla_alm_input_read(input, 2, 6, 1, NULL, all), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("component = 2");
    assert_int_equal(armilla_alm_input_read(input, 0, 7, 1, NULL, all), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("lmax = 7");
    assert_int_equal(armilla_alm_input_read(input, 0, 6, 3, twice, all), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("orders = 1: is there twice");
    assert_int_equal(armilla_alm_input_read(input, 0, 6, 1, high, all), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("orders = 5");
    assert_int_equal(armilla_alm_input_read(input, 0, 6, -1, NULL, all), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_alm_input_read(NULL, 0, 6, 1, NULL, all), ARMILLA_ERROR_ARGUMENT);
    assert_works(armilla_alm_input_read(input, 0, 6, 0, NULL, NULL));
    armilla_alm_input_free(input);
    assert_int_equal(armilla_alm_input_open("none.fits", 0, &input), ARMILLA_ERROR_IO);
    assert_int_equal(armilla_alm_input_open("alm.fits", 3, &input), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_alm_output_new("alm.fits", alm, NULL, &output), ARMILLA_ERROR_IO);
    assert_message_has("exists already");
    assert_works(armilla_alm_output_new("new.fits", alm, NULL, &output));
    assert_int_equal(armilla_alm_output_write(output, 2, 0, 6, all), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_alm_output_write(output, 0, 3, 7, all), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_alm_output_write(output, 0, 3, 2, all), ARMILLA_ERROR_ARGUMENT);
    all[2] = 1e300;
    assert_int_equal(armilla_alm_output_write(output, 0, 0, 6, all), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("l = 1, m = 0 holds 1e+300");
    armilla_alm_output_free(output);
    assert_int_equal(count_entries(), 1);
    armilla_alm_file_free(alm);
}

/* --- Failures --------------------------------------------------------------------------------- */

static armilla_status write_some(const armilla_alm_file *alm)
{
    armilla_alm_output *output;
    armilla_status status = armilla_alm_output_new("new.fits", alm, NULL, &output);
    if (status) return status;
    status = armilla_alm_output_write(output, 0, 0, alm->lmax, alm->alm);
    armilla_alm_output_free(output);
    return status;
}

static armilla_status read_some(void)
{
    armilla_alm_input *input;
    double alm[30];
    armilla_status status = armilla_alm_input_open("alm.fits", 0, &input);
    if (status) return status;
    status = armilla_alm_input_read(input, 0, 2, 3, NULL, alm);
    armilla_alm_input_free(input);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    armilla_alm_file *alm = make_alm(6, 4, 2, ARMILLA_IO_DOUBLE);
    assert_works(armilla_alm_write("alm.fits", alm, 0));
    for (int writes = 0; writes < 2; writes++) {
        armilla_status status = ARMILLA_ERROR_MEMORY;
        int n = 0;
        for (; status; n++) {
            armilla_memory_fail_after(n);
            status = writes ? write_some(alm) : read_some();
            armilla_memory_fail_after(-1);
            if (status) assert_int_equal(status, ARMILLA_ERROR_MEMORY);
            assert_int_equal(count_entries(), 1);
        }
        assert_true(n > 5);
    }
    armilla_alm_file_free(alm);
}

static void a_full_disk_leaves_nothing(void **state)
{
    (void)state;
    struct rlimit old, small;
    const rlim_t limits[] = {0, 2880, 8000, 20000, 40000};
    armilla_alm_file *alm = make_alm(40, 40, 2, ARMILLA_IO_DOUBLE);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    for (int i = 0; i < 5; i++) {
        small = old;
        small.rlim_cur = limits[i];
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        const armilla_status status = write_some(alm);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_int_equal(status, ARMILLA_ERROR_IO);
        assert_message_has("File too large");
        assert_int_equal(count_entries(), 0);
    }
    armilla_alm_file_free(alm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(pieces_make_the_bytes_of_a_whole_write),
        IN_DIRECTORY(orders_are_those_of_a_whole_read),
        IN_DIRECTORY(omitted_rows_are_zero),
        IN_DIRECTORY(wrong_arguments_are_named),
        IN_DIRECTORY(every_allocation_may_fail),
        IN_DIRECTORY(a_full_disk_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Checks that files keep spherical harmonic coefficients: round trips, rows in any order, damaged
 * indices. */
#include "test_io_support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static armilla_alm_file *make_alm(int64_t lmax, int64_t mmax, int64_t ncomp, armilla_io_type type)
{
    armilla_alm_file *alm;
    uint64_t seed = (uint64_t)(lmax * 1000 + mmax);
    assert_works(armilla_alm_file_new(lmax, mmax, ncomp, &alm));
    alm->type = type;
    alm->coordsys = 'G';
    int64_t count = 2 * ncomp * armilla_alm_size(lmax, mmax);
    for (int64_t i = 0; i < count; i++) {
        double value = ((double)draw_below(&seed, 2000001) - 1000000) * 1.7e-11;
        alm->alm[i] = type == ARMILLA_IO_FLOAT ? (double)(float)value : value;
    }
    return alm;
}

static void assert_same_alm(const armilla_alm_file *a, const armilla_alm_file *b)
{
    assert_int_equal(a->lmax, b->lmax);
    assert_int_equal(a->mmax, b->mmax);
    assert_int_equal(a->ncomp, b->ncomp);
    assert_int_equal(a->type, b->type);
    assert_int_equal(a->coordsys, b->coordsys);
    assert_same_values(a->alm, b->alm, 2 * a->ncomp * armilla_alm_size(a->lmax, a->mmax));
}

static void every_size_and_type_survives(void **state)
{
    (void)state;
    const int64_t sizes[][3] = {{0, 0, 1},  {1, 0, 1},   {1, 1, 3},   {5, 3, 2},
                                {40, 0, 1}, {64, 64, 3}, {300, 7, 1}, {300, 300, 1}};
    for (int i = 0; i < 8; i++)
        for (int type = 0; type < 2; type++) {
            armilla_alm_file *alm = make_alm(sizes[i][0], sizes[i][1], sizes[i][2], type), *back;
            assert_works(armilla_alm_write("alm.fits", alm, 1));
            assert_works(armilla_alm_read("alm.fits", 0, &back));
            assert_same_alm(alm, back);
            armilla_alm_file_free(back);
            armilla_alm_file_free(alm);
        }
}

static void one_component_is_read_from_its_hdu(void **state)
{
    (void)state;
    armilla_alm_file *alm = make_alm(8, 8, 3, ARMILLA_IO_DOUBLE), *back = NULL;
    assert_works(armilla_alm_write("alm.fits", alm, 0));
    for (int hdu = 1; hdu <= 3; hdu++) {
        assert_works(armilla_alm_read("alm.fits", hdu, &back));
        assert_int_equal(back->ncomp, 1);
        assert_same_values(back->alm, alm->alm + (hdu - 1) * 90, 90);
        armilla_alm_file_free(back);
        back = NULL;
    }
    assert_int_equal(armilla_alm_read("alm.fits", 4, &back), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("hdu = 4: alm.fits has 3 extension(s)");
    assert_int_equal(armilla_alm_read("alm.fits", -1, &back), ARMILLA_ERROR_ARGUMENT);
    assert_null(back);
    armilla_alm_file_free(alm);
}

/* HEALPix C++ stops at the first index beyond the lmax it was asked for. */
static void rows_are_written_in_ascending_order(void **state)
{
    (void)state;
    armilla_alm_file *alm = make_alm(6, 4, 1, ARMILLA_IO_FLOAT);
    assert_works(armilla_alm_write("alm.fits", alm, 0));
    size_t size;
    unsigned char *bytes = get_bytes("alm.fits", &size), *row = bytes + 2 * 2880;
    int previous = 0, rows = (int)armilla_alm_size(6, 4);
    assert_int_equal(size, 3 * 2880);
    for (int i = 0; i < rows; i++, row += 12) {
        int index = row[0] << 24 | row[1] << 16 | row[2] << 8 | row[3];
        assert_true(index > previous);
        previous = index;
    }
    assert_int_equal(previous, 6 * 6 + 6 + 4 + 1);
    free(bytes);
    armilla_alm_file_free(alm);
}

static void index_is_64_bits_wide_where_32_do_not_suffice(void **state)
{
    (void)state;
    const int64_t lmax[] = {46340, 46341};
    for (int i = 0; i < 2; i++) {
        armilla_alm_file *alm, *back;
        assert_works(armilla_alm_file_new(lmax[i], 1, 1, &alm));
        int64_t last = armilla_alm_index(lmax[i], lmax[i], 1);
        alm->alm[2 * last] = 2;
        alm->alm[2 * last + 1] = 3;
        assert_works(armilla_alm_write("alm.fits", alm, 1));
        size_t size;
        unsigned char *bytes = get_bytes("alm.fits", &size);
        bytes[size] = '\0';
        assert_non_null(strstr((char *)bytes, i ? "TFORM1  = '1K" : "TFORM1  = '1J"));
        free(bytes);
        assert_works(armilla_alm_read("alm.fits", 1, &back));
        assert_same_alm(alm, back);
        armilla_alm_file_free(back);
        armilla_alm_file_free(alm);
    }
}

/* --- Files of other programs ------------------------------------------------------------------ */

/* A table of rows (index, real, imag); real = index, imag = -index. */
static void make_table(const char *form, int width, const int64_t *index, int rows,
                       const char *const *cards)
{
    maker_begin();
    maker_table("BINTABLE", width + 12, rows, 3);
    maker_column(1, "index", form);
    maker_column(2, "alm (real)", "D");
    maker_column(3, "alm (imaginary)", "E");
    for (int i = 0; cards && cards[i]; i++) maker_card("%s", cards[i]);
    maker_end_header();
    for (int i = 0; i < rows; i++) {
        maker_integer(index[i], width);
        maker_double((double)index[i]);
        maker_float(-(float)index[i]);
    }
    maker_save("alm.fits");
}

static void rows_may_come_in_any_order_and_be_left_out(void **state)
{
    (void)state;
    const int64_t index[] = {14, 3, 9, 1}; /* l^2 + l + m + 1 of (3,1) (1,0) (2,2) (0,0) */
    const int64_t l[] = {3, 1, 2, 0}, m[] = {1, 0, 2, 0};
    const char *forms[] = {"I", "J", "K"};
    for (int k = 0, width = 2; k < 3; k++, width *= 2) {
        make_table(forms[k], width, index, 4, NULL);
        armilla_alm_file *alm;
        assert_works(armilla_alm_read("alm.fits", 0, &alm));
        assert_int_equal(alm->lmax, 3);
        assert_int_equal(alm->mmax, 2);
        assert_int_equal(alm->type, ARMILLA_IO_DOUBLE);
        double sum = 0;
        for (int64_t i = 0; i < armilla_alm_size(3, 2); i++) sum += alm->alm[2 * i];
        assert_true(sum == 14 + 3 + 9 + 1);
        for (int i = 0; i < 4; i++) {
            const double *value = alm->alm + 2 * armilla_alm_index(3, l[i], m[i]);
            assert_true(value[0] == (double)index[i] && value[1] == -(double)index[i]);
        }
        armilla_alm_file_free(alm);
    }
}

static void keywords_are_believed_where_rows_allow_it(void **state)
{
    (void)state;
    const int64_t index[] = {1, 3, 4}; /* up to l = 1, m = 1 */
    const char *const more[] = {"MAX-LPOL= 5", "MAX-MPOL= 4", NULL};
    const char *const less[] = {"MAX-LPOL= 0", "MAX-MPOL= 0", NULL};
    const char *const wrong[] = {"MAX-LPOL= 2000000000", "MAX-MPOL= 2000000000", NULL};
    const char *const crossed[] = {"MAX-LPOL= 2", "MAX-MPOL= 9", NULL};
    const char *const *const cards[] = {more, less, wrong, crossed};
    const int64_t lmax[] = {5, 1, 1, 1}, mmax[] = {4, 1, 1, 1};
    for (int k = 0; k < 4; k++) {
        make_table("J", 4, index, 3, cards[k]);
        armilla_alm_file *alm;
        assert_works(armilla_alm_read("alm.fits", 0, &alm));
        assert_int_equal(alm->lmax, lmax[k]);
        assert_int_equal(alm->mmax, mmax[k]);
        armilla_alm_file_free(alm);
    }
}

/* 32 tables that promise 2^59 coefficients each: their product is no int64_t. */
static void promises_of_many_tables_do_not_overflow(void **state)
{
    (void)state;
    maker_begin();
    for (int i = 0; i < 32; i++) {
        maker_table("BINTABLE", 20, 1, 3);
        maker_column(1, "index", "J");
        maker_column(2, "real", "D");
        maker_column(3, "imag", "D");
        maker_card("MAX-LPOL= 1073741824");
        maker_card("MAX-MPOL= 1073741824");
        maker_end_header();
        maker_integer(1, 4);
        maker_double(i);
        maker_double(0);
        maker_pad(0);
    }
    maker_save("alm.fits");
    armilla_alm_file *alm;
    assert_works(armilla_alm_read("alm.fits", 0, &alm));
    assert_int_equal(alm->lmax, 0);
    assert_int_equal(alm->ncomp, 32);
    for (int i = 0; i < 32; i++) assert_true(alm->alm[2 * i] == i);
    armilla_alm_file_free(alm);
}

static void assert_refused(const char *word)
{
    armilla_alm_file *alm = NULL;
    assert_int_equal(armilla_alm_read("alm.fits", 0, &alm), ARMILLA_ERROR_FORMAT);
    assert_null(alm);
    assert_message_has("alm.fits");
    assert_message_has(word);
}

static void impossible_indices_are_refused(void **state)
{
    (void)state;
    const int64_t wrong[] = {0, -5, 2 /* l = 1, m = -1 */, INT64_MAX, INT64_MIN};
    char word[64];
    for (int k = 0; k < 5; k++) {
        const int64_t index[] = {1, wrong[k]};
        make_table("K", 8, index, 2, NULL);
        snprintf(word, sizeof word, "value 2: index = %lld", (long long)wrong[k]);
        assert_refused(word);
    }
    /* l = m = 10^5: 5 10^9 coefficients from one row is a damaged file. */
    const int64_t huge[] = {INT64_C(10000200001)};
    make_table("K", 8, huge, 1, NULL);
    assert_refused("l = 100000");
    make_table("J", 4, NULL, 0, NULL);
    assert_refused("no rows");
}

static void other_tables_are_refused(void **state)
{
    (void)state;
    armilla_map *map;
    assert_works(armilla_map_new(4, 3, &map));
    assert_works(armilla_map_write("alm.fits", map, 0));
    armilla_map_free(map);
    assert_refused("no table with columns index, real, imag");
    armilla_alm_file *alm = make_alm(4, 4, 1, ARMILLA_IO_FLOAT);
    assert_works(armilla_alm_write("alm.fits", alm, 1));
    armilla_alm_file_free(alm);
    assert_int_equal(armilla_map_read("alm.fits", 0, 0, NULL, &map), ARMILLA_ERROR_FORMAT);
    assert_message_has("coefficients");
}

static void write_checks_its_argument(void **state)
{
    (void)state;
    armilla_alm_file *alm = make_alm(4, 4, 1, ARMILLA_IO_FLOAT);
    assert_int_equal(armilla_alm_write("alm.fits", NULL, 1), ARMILLA_ERROR_ARGUMENT);
    alm->alm[2] = 1e300;
    assert_int_equal(armilla_alm_write("alm.fits", alm, 1), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("l = 1, m = 0");
    alm->type = ARMILLA_IO_INT16;
    assert_int_equal(armilla_alm_write("alm.fits", alm, 1), ARMILLA_ERROR_ARGUMENT);
    alm->type = ARMILLA_IO_FLOAT;
    alm->mmax = 5;
    assert_int_equal(armilla_alm_write("alm.fits", alm, 1), ARMILLA_ERROR_ARGUMENT);
    assert_message_has("mmax = 5");
    armilla_alm_file_free(alm);
    alm = NULL;
    assert_int_equal(armilla_alm_file_new(3, 4, 1, &alm), ARMILLA_ERROR_ARGUMENT);
    assert_int_equal(armilla_alm_file_new(3, 3, 0, &alm), ARMILLA_ERROR_ARGUMENT);
    assert_null(alm);
    armilla_alm_file_free(NULL);
    assert_int_equal(count_entries(), 0);
}

/* --- A file that changes ---------------------------------------------------------------------- */

/* Where the index of the last row is, and what it is: l = m = lmax. */
static int64_t find_last_index(const char *path, const unsigned char index[4])
{
    size_t size;
    unsigned char *bytes = get_bytes(path, &size);
    int64_t at = (int64_t)size - 4;
    while (at > 0 && memcmp(bytes + at, index, 4)) at--;
    free(bytes);
    assert_true(at > 0);
    return at;
}

static void flip_for_ever(const char *path, int64_t at, const unsigned char index[4])
{
    const unsigned char larger[4] = {0, 15, 0, 1}; /* l = 991 */
    int file = open(path, O_WRONLY);
    for (uint64_t seed = 5;;) {
        struct timespec pause = {0, (long)draw_below(&seed, 400000)};
        if (pwrite(file, draw_below(&seed, 2) ? larger : index, 4, at) != 4) _exit(1);
        nanosleep(&pause, NULL);
    }
}

static void file_may_change_between_the_two_walks(void **state)
{
    (void)state;
    const unsigned char index[4] = {0, 0, 0x9c, 0x40}; /* 40000: l = m = 199 */
    armilla_alm_file *alm;
    assert_works(armilla_alm_file_new(199, 199, 1, &alm));
    assert_works(armilla_alm_write("alm.fits", alm, 1));
    armilla_alm_file_free(alm);
    int64_t at = find_last_index("alm.fits", index);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) flip_for_ever("alm.fits", at, index);
    int changed = 0;
    for (int i = 0; i < 1000 && changed < 3; i++) { /* without the check: writes out of bounds */
        armilla_status status = armilla_alm_read("alm.fits", 0, &alm);
        if (status == ARMILLA_OK) armilla_alm_file_free(alm);
        if (status == ARMILLA_OK) continue;
        assert_int_equal(status, ARMILLA_ERROR_FORMAT);
        changed += strstr(armilla_status_message(), "changed while it was read") != NULL;
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_true(changed > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_DIRECTORY(every_size_and_type_survives),
        IN_DIRECTORY(one_component_is_read_from_its_hdu),
        IN_DIRECTORY(rows_are_written_in_ascending_order),
        IN_DIRECTORY(index_is_64_bits_wide_where_32_do_not_suffice),
        IN_DIRECTORY(rows_may_come_in_any_order_and_be_left_out),
        IN_DIRECTORY(keywords_are_believed_where_rows_allow_it),
        IN_DIRECTORY(promises_of_many_tables_do_not_overflow),
        IN_DIRECTORY(impossible_indices_are_refused),
        IN_DIRECTORY(other_tables_are_refused),
        IN_DIRECTORY(file_may_change_between_the_two_walks),
        IN_DIRECTORY(write_checks_its_argument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

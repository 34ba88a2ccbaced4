/* For the tests of files: a working directory, messages, and FITS files made by hand, so that
 * reading is tested against the standard and not against our own writing. */
#ifndef TEST_IO_SUPPORT_H
#define TEST_IO_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "armilla/armilla.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Directory -------------------------------------------------------------------------------- */

static char work_directory[64];

static inline int enter_directory(void **state)
{
    (void)state;
    strcpy(work_directory, "/tmp/armilla_io_XXXXXX");
    return mkdtemp(work_directory) && chdir(work_directory) == 0 ? 0 : -1;
}

static inline int count_entries(void)
{
    DIR *stream = opendir(".");
    int count = 0;
    while (readdir(stream)) count++;
    closedir(stream);
    return count - 2;
}

static inline int leave_directory(void **state)
{
    (void)state;
    DIR *stream = opendir(".");
    for (struct dirent *entry; (entry = readdir(stream));)
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) remove(entry->d_name);
    closedir(stream);
    return chdir("/") || rmdir(work_directory);
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, enter_directory, leave_directory)

/* --- Results ---------------------------------------------------------------------------------- */

static inline void assert_message_has(const char *part)
{
    if (!strstr(armilla_status_message(), part))
        fail_msg("\"%s\" lacks \"%s\"", armilla_status_message(), part);
}

#define assert_works(call)                                                                         \
    do {                                                                                           \
        armilla_status assert_status = (call);                                                     \
        if (assert_status) fail_msg("%s: %s", #call, armilla_status_message());                    \
    } while (0)

static inline uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void assert_same_values(const double *a, const double *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (bits_of(a[i]) != bits_of(b[i]))
            fail_msg("value %lld: %.17g is not %.17g", (long long)i, a[i], b[i]);
}

static inline void put_bytes(const char *path, const void *bytes, size_t count)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, count, stream), count);
    assert_int_equal(fclose(stream), 0);
}

static inline void put_text(const char *path, const char *text)
{
    put_bytes(path, text, strlen(text));
}

/* The whole file; the caller frees. */
static inline unsigned char *get_bytes(const char *path, size_t *count)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    fseek(stream, 0, SEEK_END);
    *count = (size_t)ftell(stream);
    rewind(stream);
    unsigned char *bytes = malloc(*count + 1);
    assert_int_equal(fread(bytes, 1, *count, stream), *count);
    fclose(stream);
    return bytes;
}

/* --- Numbers to draw -------------------------------------------------------------------------- */

static inline uint64_t draw_bits(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9E3779B97F4A7C15); /* SplitMix64 */
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

/* Uniform in 0 .. limit - 1. */
static inline int64_t draw_below(uint64_t *state, int64_t limit)
{
    return (int64_t)(draw_bits(state) % (uint64_t)limit);
}

/* --- FITS by hand ----------------------------------------------------------------------------- */

enum { MAKER_SIZE = 1 << 20 };

typedef struct fits_maker {
    unsigned char bytes[MAKER_SIZE];
    size_t used;
} fits_maker;

static fits_maker maker;

static inline void maker_pad(int filler)
{
    while (maker.used % 2880) maker.bytes[maker.used++] = (unsigned char)filler;
}

static inline void maker_card(const char *format, ...)
{
    char card[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(card, sizeof card, format, arguments);
    va_end(arguments);
    memset(maker.bytes + maker.used, ' ', 80);
    memcpy(maker.bytes + maker.used, card, length < 80 ? (size_t)length : 80);
    maker.used += 80;
}

static inline void maker_end_header(void)
{
    maker_card("END");
    maker_pad(' ');
}

static inline void maker_begin(void)
{
    maker.used = 0;
    maker_card("SIMPLE  =                    T");
    maker_card("BITPIX  =                    8");
    maker_card("NAXIS   =                    0");
    maker_card("EXTEND  =                    T");
    maker_end_header();
}

/* kind: "BINTABLE" or "TABLE". TTYPE, TFORM and keywords follow, then maker_end_header. */
static inline void maker_table(const char *kind, int row_bytes, int rows, int columns)
{
    maker_card("XTENSION= '%-8s'", kind);
    maker_card("BITPIX  =                    8");
    maker_card("NAXIS   =                    2");
    maker_card("NAXIS1  = %20d", row_bytes);
    maker_card("NAXIS2  = %20d", rows);
    maker_card("PCOUNT  =                    0");
    maker_card("GCOUNT  =                    1");
    maker_card("TFIELDS = %20d", columns);
}

static inline void maker_column(int number, const char *name, const char *form)
{
    maker_card("TTYPE%-3d= '%s'", number, name);
    maker_card("TFORM%-3d= '%s'", number, form);
}

/* A number, big endian, in `width` bytes. */
static inline void maker_integer(int64_t value, int width)
{
    for (int i = width - 1; i >= 0; i--)
        maker.bytes[maker.used++] = (unsigned char)((uint64_t)value >> (8 * i));
}

static inline void maker_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    maker_integer((int64_t)bits, 4);
}

static inline void maker_double(double value)
{
    maker_integer((int64_t)bits_of(value), 8);
}

static inline void maker_text(const char *text)
{
    memcpy(maker.bytes + maker.used, text, strlen(text));
    maker.used += strlen(text);
}

static inline void maker_save(const char *path)
{
    maker_pad(0);
    put_bytes(path, maker.bytes, maker.used);
}

#endif

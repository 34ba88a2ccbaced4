/* Reads the rows of a FITS table in blocks and decodes their columns to doubles or whole numbers
 * (fits_table.c reads what the header says of the columns).
 *
 * NaN is the mark of a missing value on this level: TNULL in integer columns, NaN itself in float
 * columns, a zero byte in logical ones, blank, TNULL or unreadable fields in ASCII tables. */
#include "io/fits_table.h"

#include "base/memory.h"
#include "io/number.h"
#include <math.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 }; /* stays in the second-level cache while it is decoded */

armilla_status armilla_rows_begin(const armilla_fits *fits, const armilla_table *table,
                                  armilla_rows *rows)
{
    memset(rows, 0, sizeof *rows);
    rows->fits = fits;
    rows->table = table;
    rows->capacity = table->row_bytes > 0 ? BLOCK_BYTES / table->row_bytes : table->rows;
    if (rows->capacity > table->rows) rows->capacity = table->rows;
    if (rows->capacity < 1) rows->capacity = 1;
    return armilla_allocate(&rows->bytes, rows->capacity, (size_t)table->row_bytes);
}

armilla_status armilla_rows_next(armilla_rows *rows)
{
    const armilla_table *table = rows->table;
    rows->first += rows->count;
    rows->count = table->rows - rows->first;
    if (rows->count > rows->capacity) rows->count = rows->capacity;
    int64_t bytes = rows->count * table->row_bytes;
    int code = 0;
    if (bytes > 0)
        fits_read_tblbytes(rows->fits->handle, rows->first + 1, 1, bytes, rows->bytes, &code);
    return code ? armilla_fits_fail(rows->fits, "read the table", code) : ARMILLA_OK;
}

void armilla_rows_end(armilla_rows *rows)
{
    armilla_release(rows->bytes);
    rows->bytes = NULL;
}

/* --- Big endian numbers ----------------------------------------------------------------------- */

static uint16_t load16(const unsigned char *b)
{
    return (uint16_t)(b[0] << 8 | b[1]);
}

static uint32_t load32(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static uint64_t load64(const unsigned char *b)
{
    return (uint64_t)load32(b) << 32 | load32(b + 4);
}

static int64_t load_integer(const unsigned char *b, char form)
{
    switch (form) {
    case 'B':
        return b[0];
    case 'I':
        return (int16_t)load16(b);
    case 'J':
        return (int32_t)load32(b);
    default:
        return (int64_t)load64(b);
    }
}

/* --- One row's values of a column ------------------------------------------------------------- */

static void decode_floats(const unsigned char *bytes, int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits = load32(bytes + 4 * i);
        float value;
        memcpy(&value, &bits, sizeof value);
        values[i] = (double)value;
    }
}

static void decode_doubles(const unsigned char *bytes, int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = load64(bytes + 8 * i);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

static void decode_logicals(const unsigned char *bytes, int64_t count, double *values)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = bytes[i] == 'T' ? 1 : bytes[i] == 'F' ? 0 : (double)NAN;
}

static void decode_integers(const unsigned char *bytes, int64_t count, const armilla_column *column,
                            double *values)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t stored = load_integer(bytes + column->width * i, column->form);
        int is_null = column->has_null && stored == column->null;
        values[i] = is_null ? (double)NAN : (double)stored;
    }
}

/* Does the column hold unsigned numbers of 64 bits, as FITS writes them? */
static int is_unsigned(const armilla_column *column)
{
    return column->form == 'K' && column->scale == 1 && column->zero == 0x1p63;
}

/* The number whose value is stored + 2^63. */
static uint64_t unsigned_of(int64_t stored)
{
    return (uint64_t)stored ^ ((uint64_t)1 << 63);
}

static void decode_unsigned(const unsigned char *bytes, int64_t count, const armilla_column *column,
                            double *values)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t stored = load_integer(bytes + column->width * i, 'K');
        const int is_null = column->has_null && stored == column->null;
        values[i] = is_null ? (double)NAN : (double)unsigned_of(stored);
    }
}

/* Has the number at most the 53 bits of a double? */
static int is_exact(uint64_t number)
{
    const uint64_t limit = (uint64_t)1 << 53;
    return number <= limit || number / (number & (~number + 1)) < limit;
}

int64_t armilla_column_inexact(const armilla_column *column, const unsigned char *bytes,
                               int64_t count)
{
    const int has_sign = !is_unsigned(column);
    if (column->form != 'K' || column->scale != 1 || (has_sign && column->zero != 0)) return -1;
    for (int64_t i = 0; i < count; i++) {
        const int64_t stored = load_integer(bytes + column->width * i, 'K');
        const uint64_t size = stored < 0 ? ~(uint64_t)stored + 1 : (uint64_t)stored;
        if (is_exact(has_sign ? size : unsigned_of(stored))) continue;
        if (!column->has_null || stored != column->null) return i;
    }
    return -1;
}

static void scale(const armilla_column *column, int64_t count, double *values)
{
    if (column->scale == 1 && column->zero == 0) return;
    for (int64_t i = 0; i < count; i++) values[i] = column->zero + column->scale * values[i];
}

/* The TNULL of a text column is the text of the field, blanks around it aside. */
static int is_null_text(const armilla_column *column, const char *field)
{
    size_t length = strlen(column->null_text), width = (size_t)column->width;
    size_t blanks = 0;
    while (blanks < width && field[blanks] == ' ') blanks++;
    if (length == 0 || width - blanks < length) return 0;
    if (memcmp(field + blanks, column->null_text, length)) return 0;
    for (size_t i = blanks + length; i < width; i++)
        if (field[i] != ' ') return 0;
    return 1;
}

static void decode_text(const char *field, const armilla_column *column, double *value)
{
    *value = (double)NAN;
    if (!is_null_text(column, field)) armilla_parse_number(field, (size_t)column->width, value);
    scale(column, 1, value);
}

void armilla_column_decode(const armilla_column *column, const unsigned char *bytes, int64_t count,
                           double *values)
{
    if (column->form == 'E')
        decode_floats(bytes, count, values);
    else if (column->form == 'D')
        decode_doubles(bytes, count, values);
    else if (column->form == 'L')
        decode_logicals(bytes, count, values);
    else if (is_unsigned(column)) {
        decode_unsigned(bytes, count, column, values);
        return;
    } else
        decode_integers(bytes, count, column, values);
    scale(column, count, values);
}

void armilla_rows_decode(const armilla_rows *rows, const armilla_column *column, double *values)
{
    const armilla_table *table = rows->table;
    const unsigned char *bytes = rows->bytes + column->offset;
    for (int64_t row = 0; row < rows->count; row++, bytes += table->row_bytes)
        if (table->is_text)
            decode_text((const char *)bytes, column, &values[row]);
        else
            armilla_column_decode(column, bytes, column->repeat, values + row * column->repeat);
}

/* TZERO of an integer column, modulo 2^64: 2^63 marks unsigned 64-bit numbers. */
static uint64_t integer_zero(const armilla_column *column)
{
    const double two63 = 9223372036854775808.0;
    return column->zero >= two63 ? (uint64_t)1 << 63 : (uint64_t)(int64_t)column->zero;
}

void armilla_rows_decode_integer(const armilla_rows *rows, const armilla_column *column,
                                 int64_t *values)
{
    const unsigned char *bytes = rows->bytes + column->offset;
    uint64_t zero = integer_zero(column);
    for (int64_t row = 0; row < rows->count; row++, bytes += rows->table->row_bytes)
        for (int64_t i = 0; i < column->repeat; i++) {
            int64_t stored = load_integer(bytes + i * column->width, column->form);
            *values++ = (int64_t)((uint64_t)stored + zero);
        }
}

/* Reads from the header of a FITS table what its columns hold (type, repeat count, unit, scaling,
 * mark of missing values) and makes sure that the file is long enough for all rows; fits_rows.c
 * decodes them. */
#include "io/fits_table.h"

#include "base/memory.h"
#include "io/file_error.h"
#include "io/number.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 999, KEYWORD_SIZE = 32 };

static armilla_status fail_format(const armilla_fits *fits, const char *what, int64_t value)
{
    return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: damaged table: %s = %lld",
                        armilla_path_shown(fits->path), what, (long long)value);
}

/* "TTYPE3" and the like; number counts from 0. */
static const char *indexed(const char *stem, int64_t number, char keyword[KEYWORD_SIZE])
{
    snprintf(keyword, KEYWORD_SIZE, "%s%lld", stem, (long long)number + 1);
    return keyword;
}

/* --- TFORM ------------------------------------------------------------------------------------ */

static int64_t width_of(char form)
{
    static const char letters[] = "LBAIJKEDCMPQ";
    static const int widths[] = {1, 1, 1, 2, 4, 8, 4, 8, 8, 16, 8, 16};
    const char *at = form ? strchr(letters, form) : NULL;
    return at ? widths[at - letters] : 0;
}

/* rT: repeat count and letter. X (bits) becomes a column of bytes that is no number. */
static int parse_binary_form(const char *text, armilla_column *column)
{
    size_t digits = strspn(text, "0123456789");
    column->repeat = 1;
    if (digits && !armilla_parse_integer(text, digits, &column->repeat)) return 0;
    char form = text[digits];
    if (form >= 'a' && form <= 'z') form = (char)(form - 'a' + 'A');
    column->form = form;
    column->width = width_of(form);
    if (form == 'X') {
        column->repeat = column->repeat / 8 + (column->repeat % 8 != 0);
        column->width = 1;
    }
    if ((form == 'P' || form == 'Q') && column->repeat > 1) return 0;
    return column->width > 0;
}

/* Aw, Iw, Fw.d, Ew.d, Dw.d: one field of w characters. */
static int parse_text_form(const char *text, armilla_column *column)
{
    column->repeat = 1;
    column->form = *text == 'F' || *text == 'D' ? 'E' : *text;
    size_t digits = *text ? strspn(text + 1, "0123456789") : 0;
    if (!digits || !strchr("AIE", column->form)) return 0;
    return armilla_parse_integer(text + 1, digits, &column->width) && column->width > 0;
}

/* --- Columns ---------------------------------------------------------------------------------- */

static void read_scaling(const armilla_fits *fits, int64_t number, armilla_column *column)
{
    char keyword[KEYWORD_SIZE];
    column->scale = 1;
    armilla_fits_number(fits, indexed("TSCAL", number, keyword), &column->scale);
    armilla_fits_number(fits, indexed("TZERO", number, keyword), &column->zero);
    indexed("TNULL", number, keyword);
    column->has_null = armilla_fits_integer(fits, keyword, &column->null);
    armilla_fits_text(fits, keyword, column->null_text);
}

static armilla_status read_column(const armilla_fits *fits, int64_t number, armilla_table *table,
                                  int64_t *end)
{
    char keyword[KEYWORD_SIZE], form[ARMILLA_IO_NAME_SIZE] = "";
    armilla_column *column = &table->columns[number];
    armilla_fits_text(fits, indexed("TTYPE", number, keyword), column->name);
    armilla_fits_text(fits, indexed("TUNIT", number, keyword), column->unit);
    if (armilla_text_is(column->unit, "unknown")) *column->unit = '\0';
    armilla_fits_text(fits, indexed("TFORM", number, keyword), form);
    int known = table->is_text ? parse_text_form(form, column) : parse_binary_form(form, column);
    if (!known)
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: damaged table: %s = '%s'",
                            armilla_path_shown(fits->path), keyword, form);
    column->offset = *end;
    if (table->is_text && armilla_fits_integer(fits, indexed("TBCOL", number, keyword), end))
        column->offset = *end > 0 ? *end - 1 : -1;
    read_scaling(fits, number, column);
    int64_t room = column->offset < 0 ? -1 : table->row_bytes - column->offset;
    if (room < 0 || column->repeat > room / column->width)
        return armilla_fail(ARMILLA_ERROR_FORMAT,
                            "%s: damaged table: column %lld (%s) ends beyond NAXIS1 = %lld bytes",
                            armilla_path_shown(fits->path), (long long)number + 1, form,
                            (long long)table->row_bytes);
    *end = column->offset + column->repeat * column->width;
    return ARMILLA_OK;
}

static armilla_status read_columns(const armilla_fits *fits, armilla_table *table)
{
    int64_t end = 0;
    armilla_status status =
        armilla_allocate_zero(&table->columns, table->ncolumns, sizeof *table->columns);
    for (int64_t i = 0; !status && i < table->ncolumns; i++)
        status = read_column(fits, i, table, &end);
    if (!status && !table->is_text && end != table->row_bytes)
        status = fail_format(fits, "the columns do not fill a row; NAXIS1", table->row_bytes);
    return status;
}

/* The header promises rows * row_bytes bytes: no allocation trusts it before the file has them. */
static armilla_status check_size(const armilla_fits *fits, const armilla_table *table)
{
    LONGLONG header = 0, data = 0, end = 0;
    int code = 0;
    fits_get_hduaddrll(fits->handle, &header, &data, &end, &code);
    if (code) return armilla_fits_fail(fits, "find the table", code);
    int64_t available = fits->size - data;
    if (available < 0) available = 0;
    if (table->row_bytes == 0 || table->rows <= available / table->row_bytes) return ARMILLA_OK;
    char needed[ARMILLA_SIZE_TEXT], there[ARMILLA_SIZE_TEXT];
    return armilla_fail(
        ARMILLA_ERROR_FORMAT,
        "%s: truncated: the table has %lld rows of %lld bytes, %s in all, the file only %s for "
        "them: copy or download it again",
        armilla_path_shown(fits->path), (long long)table->rows, (long long)table->row_bytes,
        armilla_size_text((double)table->rows * (double)table->row_bytes, needed),
        armilla_size_text((double)available, there));
}

armilla_status armilla_table_open(const armilla_fits *fits, int type, armilla_table *table)
{
    memset(table, 0, sizeof *table);
    if (type == IMAGE_HDU)
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: this HDU is an image, not a table",
                            armilla_path_shown(fits->path));
    table->is_text = type == ASCII_TBL;
    armilla_fits_integer(fits, "NAXIS1", &table->row_bytes);
    armilla_fits_integer(fits, "NAXIS2", &table->rows);
    armilla_fits_integer(fits, "TFIELDS", &table->ncolumns);
    if (table->row_bytes < 0) return fail_format(fits, "NAXIS1", table->row_bytes);
    if (table->rows < 0) return fail_format(fits, "NAXIS2", table->rows);
    if (table->ncolumns < 0 || table->ncolumns > MAX_COLUMNS)
        return fail_format(fits, "TFIELDS", table->ncolumns);
    if (table->row_bytes == 0) table->rows = 0;
    armilla_status status = check_size(fits, table);
    if (!status) status = read_columns(fits, table);
    if (status) armilla_table_clear(table);
    return status;
}

void armilla_table_clear(armilla_table *table)
{
    armilla_release(table->columns);
    memset(table, 0, sizeof *table);
}

int64_t armilla_table_find(const armilla_table *table, const char *name)
{
    for (int64_t i = 0; i < table->ncolumns; i++)
        if (armilla_text_is(table->columns[i].name, name)) return i;
    return -1;
}

/* --- Types ------------------------------------------------------------------------------------ */

int armilla_column_is_number(const armilla_column *column)
{
    return strchr("LBIJKED", column->form) != NULL;
}

int armilla_column_is_integer(const armilla_column *column)
{
    return strchr("BIJK", column->form) && column->scale == 1 &&
           fabs(column->zero) <= 9223372036854775808.0 && column->zero == rint(column->zero);
}

armilla_io_type armilla_column_type(const armilla_column *column)
{
    if (column->form == 'E') return ARMILLA_IO_FLOAT;
    if (column->form == 'D') return ARMILLA_IO_DOUBLE;
    if (column->form == 'L') return ARMILLA_IO_INT16;
    if (!armilla_column_is_integer(column)) return ARMILLA_IO_DOUBLE;
    if (column->form == 'B') return ARMILLA_IO_INT16;
    int is_shifted = column->zero != 0; /* an unsigned type needs the next one */
    if (column->form == 'I') return is_shifted ? ARMILLA_IO_INT32 : ARMILLA_IO_INT16;
    if (column->form == 'J') return is_shifted ? ARMILLA_IO_INT64 : ARMILLA_IO_INT32;
    return ARMILLA_IO_INT64;
}

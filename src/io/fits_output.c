/* Writes files of FITS binary tables for maps, coefficients and spectra: cfitsio writes headers and
 * moves bytes, and numbers are made big-endian bytes here. The file gets its name only when it is
 * whole. */
#include "io/fits_output.h"

#include "base/memory.h"
#include "io/file_error.h"
#include "io/gzip_file.h"
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FORM_SIZE = 24, MAX_TEXT = 68 };

/* --- File ------------------------------------------------------------------------------------- */

armilla_status armilla_output_begin(const char *path, int overwrite, armilla_output *output)
{
    memset(output, 0, sizeof *output);
    output->is_packed = path && armilla_gzip_is_name(path);
    armilla_status status = armilla_atomic_begin(path, overwrite, &output->file);
    if (status) return status;
    const char *name = armilla_atomic_name(output->file);
    unlink(name); /* cfitsio insists on creating the file itself */
    status = armilla_fits_create(name, path, &output->fits);
    if (status) {
        armilla_atomic_abort(output->file);
        return status;
    }
    int code = 0;
    fits_create_img(output->fits.handle, BYTE_IMG, 0, NULL, &code);
    if (!code) return ARMILLA_OK;
    return armilla_output_end(output, armilla_fits_fail(&output->fits, "write it", code));
}

armilla_status armilla_output_end(armilla_output *output, armilla_status status)
{
    if (status)
        armilla_fits_close(&output->fits);
    else
        status = armilla_fits_finish(&output->fits);
    if (!status && output->is_packed)
        status = armilla_gzip_pack(armilla_atomic_name(output->file), output->fits.path);
    if (!status) return armilla_atomic_commit(output->file);
    armilla_atomic_abort(output->file);
    return status;
}

/* --- Keywords --------------------------------------------------------------------------------- */

/* FITS headers hold printable ASCII, 68 characters of text with each quote counted twice. */
static armilla_status check_text(const char *keyword, const char *text)
{
    int length = 0;
    for (int i = 0; i < ARMILLA_IO_NAME_SIZE && text[i]; i++) {
        if (text[i] < ' ' || text[i] > '~')
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "%s = '%.72s': character %d is no printable ASCII: FITS cannot "
                                "hold it",
                                keyword, text, i + 1);
        length += 1 + (text[i] == '\'');
    }
    if (length <= MAX_TEXT) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_ARGUMENT, "%s = '%.72s': longer than 68 characters", keyword,
                        text);
}

armilla_status armilla_output_text(armilla_output *output, const char *keyword, const char *value,
                                   const char *comment)
{
    int code = 0;
    armilla_status status = check_text(keyword, value);
    if (status) return status;
    char copy[ARMILLA_IO_NAME_SIZE];
    snprintf(copy, sizeof copy, "%s", value);
    fits_write_key(output->fits.handle, TSTRING, keyword, copy, comment, &code);
    return code ? armilla_fits_fail(&output->fits, "write a keyword", code) : ARMILLA_OK;
}

armilla_status armilla_output_integer(armilla_output *output, const char *keyword, int64_t value,
                                      const char *comment)
{
    int code = 0;
    LONGLONG copy = value;
    fits_write_key(output->fits.handle, TLONGLONG, keyword, &copy, comment, &code);
    return code ? armilla_fits_fail(&output->fits, "write a keyword", code) : ARMILLA_OK;
}

armilla_status armilla_output_number(armilla_output *output, const char *keyword, double value,
                                     const char *comment)
{
    int code = 0;
    fits_write_key_dbl(output->fits.handle, keyword, value, -17, comment, &code);
    return code ? armilla_fits_fail(&output->fits, "write a keyword", code) : ARMILLA_OK;
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* What cfitsio wants: arrays of texts. */
typedef struct table_texts {
    char (*forms)[FORM_SIZE];
    char **form, **name, **unit;
} table_texts;

static armilla_status fill_texts(int64_t ncolumns, const armilla_output_column *columns,
                                 table_texts *texts)
{
    armilla_status status = armilla_allocate(&texts->forms, ncolumns, sizeof *texts->forms);
    if (!status) status = armilla_allocate(&texts->form, 3 * ncolumns, sizeof *texts->form);
    if (status) return status;
    texts->name = texts->form + ncolumns;
    texts->unit = texts->name + ncolumns;
    for (int64_t i = 0; i < ncolumns; i++) {
        snprintf(texts->forms[i], FORM_SIZE, "%lld%c", (long long)columns[i].repeat,
                 "DEIJKBL"[columns[i].type]);
        texts->form[i] = texts->forms[i];
        texts->name[i] = (char *)(uintptr_t)columns[i].name; /* cfitsio lacks const, only reads */
        texts->unit[i] = (char *)(uintptr_t)columns[i].unit;
    }
    return ARMILLA_OK;
}

static armilla_status check_columns(int64_t ncolumns, const armilla_output_column *columns)
{
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; !status && i < ncolumns; i++) {
        status = check_text("name of a column", columns[i].name);
        if (!status) status = check_text("unit of a column", columns[i].unit);
    }
    return status;
}

/* Integer columns: the number that stands for missing. */
static armilla_status write_nulls(armilla_output *output, int64_t ncolumns,
                                  const armilla_output_column *columns)
{
    static const int64_t nulls[] = {0, 0, INT16_MIN, INT32_MIN, INT64_MIN, 0, 0};
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; !status && i < ncolumns; i++) {
        const armilla_output_column *column = &columns[i];
        const int is_byte = column->type == ARMILLA_IO_UINT8;
        char keyword[32];
        snprintf(keyword, sizeof keyword, "TNULL%lld", (long long)i + 1);
        if (column->has_null && (is_byte || nulls[column->type]))
            status = armilla_output_integer(
                output, keyword, is_byte ? column->null : nulls[column->type], "missing value");
    }
    return status;
}

armilla_status armilla_output_table(armilla_output *output, int64_t rows, int64_t ncolumns,
                                    armilla_output_column *columns)
{
    table_texts texts = {NULL, NULL, NULL, NULL};
    armilla_status status = check_columns(ncolumns, columns);
    if (!status) status = fill_texts(ncolumns, columns, &texts);
    int code = 0;
    errno = 0;
    if (!status)
        fits_create_tbl(output->fits.handle, BINARY_TBL, rows, (int)ncolumns, texts.name,
                        texts.form, texts.unit, NULL, &code);
    if (code) status = armilla_fits_fail(&output->fits, "write a table", code);
    armilla_release(texts.forms);
    armilla_release(texts.form);
    output->row_bytes = 0;
    for (int64_t i = 0; i < ncolumns; i++) {
        columns[i].offset = output->row_bytes;
        output->row_bytes += columns[i].repeat * armilla_type_width(columns[i].type);
    }
    return status ? status : write_nulls(output, ncolumns, columns);
}

armilla_status armilla_output_rows(armilla_output *output, int64_t first, int64_t count,
                                   unsigned char *bytes)
{
    int code = 0;
    errno = 0;
    if (count > 0)
        fits_write_tblbytes(output->fits.handle, first + 1, 1, count * output->row_bytes, bytes,
                            &code);
    return code ? armilla_fits_fail(&output->fits, "write the table", code) : ARMILLA_OK;
}

/* --- Values ----------------------------------------------------------------------------------- */

int64_t armilla_type_width(armilla_io_type type)
{
    static const int widths[] = {8, 4, 2, 4, 8, 1, 1};
    size_t index = (size_t)type;
    return index < sizeof widths / sizeof *widths ? widths[index] : 0;
}

const char *armilla_type_name(armilla_io_type type)
{
    static const char *const names[] = {"double", "float", "int16", "int32",
                                        "int64",  "uint8", "bool"};
    size_t index = (size_t)type;
    return index < sizeof names / sizeof *names ? names[index] : "unknown";
}

static inline void store(uint64_t bits, int64_t width, unsigned char *bytes)
{
    for (int64_t i = width; i-- > 0; bits >>= 8) bytes[i] = (unsigned char)(bits & 0xff);
}

int armilla_real_store(armilla_io_type type, double value, unsigned char *bytes)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (type == ARMILLA_IO_FLOAT) {
        if (isfinite(value) && fabs(value) > (double)FLT_MAX) return 0;
        float narrow = (float)value;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
        bits = narrow_bits;
    }
    store(bits, armilla_type_width(type), bytes);
    return 1;
}

/* Doubles whose bits are stored as they are, or as those of the nearest float: several values at a
 * time, as compilers make it of loops without branches. */
static int64_t store_doubles(int64_t count, const double *values, unsigned char *bytes)
{
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        store(bits, 8, bytes + 8 * i);
    }
    return count;
}

static int64_t store_floats(int64_t count, const double *values, unsigned char *bytes)
{
    int is_wrong = 0;
    for (int64_t i = 0; i < count; i++) {
        const double size = fabs(values[i]);
        const int fits = !((size > (double)FLT_MAX) & (size <= DBL_MAX));
        const float narrow = (float)(fits ? values[i] : 0);
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        is_wrong |= !fits;
        store(bits, 4, bytes + 4 * i);
    }
    if (!is_wrong) return count;
    int64_t first = 0;
    while (armilla_real_store(ARMILLA_IO_FLOAT, values[first], bytes + 4 * first)) first++;
    return first;
}

int64_t armilla_reals_store(armilla_io_type type, int64_t count, const double *values,
                            unsigned char *bytes)
{
    return type == ARMILLA_IO_FLOAT ? store_floats(count, values, bytes)
                                    : store_doubles(count, values, bytes);
}

void armilla_integer_store(armilla_io_type type, int64_t value, unsigned char *bytes)
{
    store((uint64_t)value, armilla_type_width(type), bytes);
}

static int store_byte(armilla_io_type type, double value, unsigned char *byte)
{
    double rounded = rint(value);
    if (type == ARMILLA_IO_BOOL && value == ARMILLA_UNSEEN) {
        *byte = 0; /* neither T nor F: "invalid" (FITS standard 4.0, section 7.3.2) */
        return 1;
    }
    if (!(rounded >= 0 && rounded <= (type == ARMILLA_IO_BOOL ? 1 : UINT8_MAX))) return 0;
    *byte = (unsigned char)rounded;
    if (type == ARMILLA_IO_BOOL) *byte = rounded > 0 ? 'T' : 'F';
    return 1;
}

static int store_integer(armilla_io_type type, double value, unsigned char *bytes)
{
    double limit = ldexp(1, (int)(8 * armilla_type_width(type) - 1));
    int64_t number = -(int64_t)(limit / 2) * 2; /* missing */
    if (value != ARMILLA_UNSEEN) {
        double rounded = rint(value);
        if (!(rounded > -limit && rounded < limit)) return 0;
        number = (int64_t)rounded;
    }
    armilla_integer_store(type, number, bytes);
    return 1;
}

int armilla_value_store(armilla_io_type type, double value, unsigned char *bytes)
{
    if (isnan(value)) value = ARMILLA_UNSEEN;
    if (type == ARMILLA_IO_DOUBLE || type == ARMILLA_IO_FLOAT)
        return armilla_real_store(type, value, bytes);
    if (type == ARMILLA_IO_UINT8 || type == ARMILLA_IO_BOOL) return store_byte(type, value, bytes);
    return store_integer(type, value, bytes);
}

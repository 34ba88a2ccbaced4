/* Writes spherical harmonic coefficients into FITS tables, at once or in ranges of degrees.
 *
 * One table per component (T, E, B), columns index = l^2 + l + m + 1, real, imag, rows in order
 * of index, which is l by l: HEALPix C++ stops reading at the first l it does not need. */
#include "armilla/alm.h"
#include "armilla/io.h"
#include "base/integer.h"
#include "base/memory.h"
#include "io/alm_table.h"
#include "io/table_file.h"
#include <string.h>

enum { BLOCK_ROWS = 1 << 15, ROW_BYTES = 24, COLUMNS = 3 };

struct armilla_alm_output {
    armilla_alm_file alm; /* without coefficients */
    armilla_output_column columns[COLUMNS];
    armilla_table_file file;
    unsigned char *bytes; /* of BLOCK_ROWS rows */
};

/* --- Headers ---------------------------------------------------------------------------------- */

static armilla_status check_alm(const armilla_alm_file *alm)
{
    armilla_status status = armilla_check_given("alm", alm);
    if (status) return status;
    if (alm->ncomp < 1 || alm->ncomp > ARMILLA_ALM_MAX_TABLES)
        return armilla_fail_argument("alm->ncomp", alm->ncomp, "must be from 1 to 998");
    if (alm->type != ARMILLA_IO_DOUBLE && alm->type != ARMILLA_IO_FLOAT)
        return armilla_fail_argument("alm->type", alm->type, "must be double or float");
    if (alm->coordsys && !strchr("GEC", alm->coordsys))
        return armilla_fail_argument("alm->coordsys", alm->coordsys, "must be 'G', 'E', 'C' or 0");
    return armilla_check_band_limit(alm->lmax, alm->mmax);
}

static armilla_status write_keywords(armilla_output *output, const armilla_alm_file *alm,
                                     int64_t component)
{
    static const char *const names[] = {"A_LM T", "A_LM E", "A_LM B"};
    const char coordsys[2] = {alm->coordsys, '\0'};
    int is_named = alm->ncomp == 1 || alm->ncomp == 3;
    armilla_status status =
        armilla_output_text(output, "EXTNAME", is_named ? names[component] : "A_LM",
                            "name of this binary table extension");
    if (!status) status = armilla_output_integer(output, "MAX-LPOL", alm->lmax, "Maximum degree l");
    if (!status) status = armilla_output_integer(output, "MAX-MPOL", alm->mmax, "Maximum order m");
    if (!status && alm->coordsys)
        status = armilla_output_text(output, "COORDSYS", coordsys,
                                     "Ecliptic, Galactic or Celestial (equatorial)");
    if (!status)
        status = armilla_output_text(output, "CREATOR", "Armilla " ARMILLA_VERSION,
                                     "Software creating the FITS file");
    return status;
}

static void make_columns(const armilla_alm_file *alm, armilla_output_column columns[COLUMNS])
{
    const int64_t largest = alm->lmax * alm->lmax + alm->lmax + alm->mmax + 1;
    const armilla_io_type index = largest > INT32_MAX ? ARMILLA_IO_INT64 : ARMILLA_IO_INT32;
    columns[0] = (armilla_output_column){"index", "l*l+l+m+1", index, 1, 0, 0, 0};
    columns[1] = (armilla_output_column){"real", "", alm->type, 1, 0, 0, 0};
    columns[2] = (armilla_output_column){"imag", "", alm->type, 1, 0, 0, 0};
}

static armilla_status write_headers(armilla_alm_output *self, const armilla_write_options *options)
{
    armilla_output *output = &self->file.output;
    armilla_status status = ARMILLA_OK;
    for (int64_t i = 0; !status && i < self->alm.ncomp; i++) {
        status = armilla_output_table(output, 0, COLUMNS, self->columns);
        if (!status) status = write_keywords(output, &self->alm, i);
        if (!status) status = armilla_output_keywords(output, options);
    }
    return status;
}

static armilla_status begin(const char *path, const armilla_write_options *options,
                            armilla_alm_output *self)
{
    const armilla_alm_file *alm = &self->alm;
    armilla_status status = armilla_allocate(&self->bytes, BLOCK_ROWS, ROW_BYTES);
    if (!status) status = armilla_table_file_begin(path, options->overwrite, &self->file);
    if (status) return status;
    make_columns(alm, self->columns);
    status = write_headers(self, options);
    return armilla_table_file_lay_out(&self->file, status, alm->ncomp,
                                      armilla_alm_size(alm->lmax, alm->mmax));
}

armilla_status armilla_alm_output_new(const char *path, const armilla_alm_file *alm,
                                      const armilla_write_options *options,
                                      armilla_alm_output **output)
{
    armilla_write_options chosen;
    armilla_alm_output *new = NULL;
    armilla_status status = armilla_check_given("output", output);
    if (!status) status = check_alm(alm);
    if (!status) status = armilla_write_options_take(options, &chosen);
    if (!status) status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (status) return status;
    new->alm = *alm;
    new->alm.alm = NULL;
    status = begin(path, &chosen, new);
    if (status)
        armilla_alm_output_free(new);
    else
        *output = new;
    return status;
}

void armilla_alm_output_free(armilla_alm_output *output)
{
    if (!output) return;
    armilla_table_file_clear(&output->file);
    armilla_release(output->bytes);
    armilla_release(output);
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Where the next row is. */
typedef struct position {
    int64_t l, m;
} position;

/* Rows of a table in front of those of degree l. */
static int64_t rows_before(int64_t mmax, int64_t l)
{
    if (l <= mmax) return l * (l + 1) / 2;
    return (mmax + 1) * (mmax + 2) / 2 + (l - mmax - 1) * (mmax + 1);
}

/* The place of a_lm among coefficients of the degrees first .. last, order by order: orders up to
 * first have all of these degrees, each of the others one less than the order before it. */
static int64_t place_in(int64_t first, int64_t last, int64_t l, int64_t m)
{
    const int64_t count = last - first + 1, shorter = m - first - 1;
    if (m <= first) return m * count + l - first;
    return (first + 1) * count + shorter * (count - 1) - shorter * (shorter - 1) / 2 + l - m;
}

static armilla_status store_row(const armilla_alm_output *self, const double *value, position at,
                                unsigned char *bytes)
{
    const armilla_output_column *columns = self->columns;
    armilla_integer_store(columns[0].type, at.l * at.l + at.l + at.m + 1, bytes);
    for (int part = 0; part < 2; part++)
        if (!armilla_real_store(self->alm.type, value[part], bytes + columns[part + 1].offset))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "a_lm of l = %lld, m = %lld holds %g: does not fit into float",
                                (long long)at.l, (long long)at.m, value[part]);
    return ARMILLA_OK;
}

static armilla_status write_rows(armilla_alm_output *self, int64_t component, int64_t first,
                                 int64_t last, const double *alm)
{
    const int64_t mmax = self->alm.mmax, row_bytes = self->file.output.row_bytes;
    const int64_t end = rows_before(mmax, last + 1);
    position at = {first, 0};
    armilla_status status = ARMILLA_OK;
    for (int64_t row = rows_before(mmax, first), count; !status && row < end; row += count) {
        count = armilla_smaller(end - row, BLOCK_ROWS);
        for (int64_t i = 0; !status && i < count; i++) {
            const double *value = alm + 2 * place_in(first, last, at.l, at.m);
            status = store_row(self, value, at, self->bytes + i * row_bytes);
            const int64_t top = armilla_smaller(at.l, mmax);
            at = at.m < top ? (position){at.l, at.m + 1} : (position){at.l + 1, 0};
        }
        if (!status)
            status =
                armilla_table_file_write(&self->file, self->file.start[component] + row * row_bytes,
                                         count * row_bytes, self->bytes);
    }
    return status;
}

armilla_status armilla_alm_output_write(armilla_alm_output *output, int64_t component,
                                        int64_t first, int64_t last, const double *alm)
{
    armilla_status status = armilla_check_given("output", output);
    if (!status) status = armilla_table_file_check(&output->file);
    if (!status) status = armilla_check_given("alm", alm);
    if (status) return status;
    if (component < 0 || component >= output->alm.ncomp)
        return armilla_fail_argument("component", component, "must be one of the file's tables");
    if (first < 0 || first > output->alm.lmax)
        return armilla_fail_argument("first", first, "must be a degree of the file");
    if (last < first || last > output->alm.lmax)
        return armilla_fail_argument("last", last, "must be a degree from first on");
    return write_rows(output, component, first, last, alm);
}

const char *armilla_alm_output_temporary(const armilla_alm_output *output)
{
    return output ? armilla_table_file_temporary(&output->file) : NULL;
}

armilla_status armilla_alm_output_finish(armilla_alm_output *output)
{
    const armilla_status status = armilla_check_given("output", output);
    return status ? status : armilla_table_file_finish(&output->file);
}

/* --- At once ---------------------------------------------------------------------------------- */

armilla_status armilla_alm_write_with(const char *path, const armilla_alm_file *alm,
                                      const armilla_write_options *options)
{
    armilla_alm_output *output = NULL;
    armilla_status status = check_alm(alm);
    if (!status) status = armilla_check_given("alm->alm", alm->alm);
    if (!status) status = armilla_alm_output_new(path, alm, options, &output);
    const int64_t size = status ? 0 : armilla_alm_size(alm->lmax, alm->mmax);
    for (int64_t i = 0; !status && i < alm->ncomp; i++)
        status = write_rows(output, i, 0, alm->lmax, alm->alm + 2 * i * size);
    if (!status) status = armilla_alm_output_finish(output);
    armilla_alm_output_free(output);
    return status;
}

armilla_status armilla_alm_write(const char *path, const armilla_alm_file *alm, int overwrite)
{
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.overwrite = overwrite;
    return armilla_alm_write_with(path, alm, &options);
}

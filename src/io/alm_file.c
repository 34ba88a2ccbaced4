/* Spherical harmonic coefficients in FITS tables: the table, and writing.
 *
 * One table per component (T, E, B), columns index = l^2 + l + m + 1, real, imag, rows in order
 * of index, which is l by l: HEALPix C++ stops reading at the first l it does not need. */
#include "armilla/alm.h"
#include "armilla/io.h"
#include "base/memory.h"
#include "base/status.h"
#include "io/alm_table.h"
#include "io/fits_output.h"
#include <string.h>

enum { BLOCK_ROWS = 1 << 15, ROW_BYTES = 24 };

armilla_status armilla_alm_file_new(int64_t lmax, int64_t mmax, int64_t ncomp,
                                    armilla_alm_file **alm)
{
    armilla_status status = armilla_check_band_limit(lmax, mmax);
    if (status) return status;
    if (ncomp < 1 || ncomp > ARMILLA_ALM_MAX_TABLES)
        return armilla_fail_argument("ncomp", ncomp, "must be from 1 to 998");
    int64_t size = armilla_alm_size(lmax, mmax);
    if (size > INT64_MAX / ncomp)
        return armilla_fail_argument("lmax", lmax, "ncomp times its coefficients pass 64 bits");
    armilla_alm_file *new = NULL;
    status = armilla_check_given("alm", alm);
    if (!status) status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (status) return status;
    new->lmax = lmax;
    new->mmax = mmax;
    new->ncomp = ncomp;
    status = armilla_allocate_zero(&new->alm, ncomp * size, 2 * sizeof *new->alm);
    if (status)
        armilla_alm_file_free(new);
    else
        *alm = new;
    return status;
}

void armilla_alm_file_free(armilla_alm_file *alm)
{
    if (!alm) return;
    armilla_release(alm->alm);
    armilla_release(alm);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static armilla_status check_alm(const armilla_alm_file *alm)
{
    if (!alm || !alm->alm)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, alm ? "alm->alm = NULL" : "alm = NULL");
    if (alm->ncomp < 1 || alm->ncomp > ARMILLA_ALM_MAX_TABLES)
        return armilla_fail_argument("alm->ncomp", alm->ncomp, "must be from 1 to 998");
    if (alm->type != ARMILLA_IO_DOUBLE && alm->type != ARMILLA_IO_FLOAT)
        return armilla_fail_argument("alm->type", alm->type, "must be double or float");
    if (alm->coordsys && !strchr("GEC", alm->coordsys))
        return armilla_fail_argument("alm->coordsys", alm->coordsys, "must be 'G', 'E', 'C' or 0");
    return armilla_check_band_limit(alm->lmax, alm->mmax);
}

/* Where the next row is. */
typedef struct position {
    int64_t l, m;
} position;

static armilla_status store_row(const armilla_alm_file *alm, const double *values, position at,
                                const armilla_output_column *columns, unsigned char *bytes)
{
    const double *value = values + 2 * armilla_alm_index(alm->lmax, at.l, at.m);
    armilla_integer_store(columns[0].type, at.l * at.l + at.l + at.m + 1, bytes);
    for (int part = 0; part < 2; part++)
        if (!armilla_real_store(alm->type, value[part], bytes + columns[part + 1].offset))
            return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                "a_lm of l = %lld, m = %lld holds %g: does not fit into float",
                                (long long)at.l, (long long)at.m, value[part]);
    return ARMILLA_OK;
}

static armilla_status write_rows(armilla_output *output, const armilla_alm_file *alm,
                                 const double *values, const armilla_output_column *columns,
                                 unsigned char *bytes)
{
    armilla_status status = ARMILLA_OK;
    int64_t rows = armilla_alm_size(alm->lmax, alm->mmax);
    position at = {0, 0};
    for (int64_t first = 0; !status && first < rows; first += BLOCK_ROWS) {
        int64_t count = rows - first < BLOCK_ROWS ? rows - first : BLOCK_ROWS;
        for (int64_t i = 0; !status && i < count; i++) {
            status = store_row(alm, values, at, columns, bytes + i * output->row_bytes);
            int64_t last = at.l < alm->mmax ? at.l : alm->mmax;
            at = at.m < last ? (position){at.l, at.m + 1} : (position){at.l + 1, 0};
        }
        if (!status) status = armilla_output_rows(output, first, count, bytes);
    }
    return status;
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

static armilla_status write_component(armilla_output *output, const armilla_alm_file *alm,
                                      const armilla_write_options *options, int64_t component,
                                      unsigned char *bytes)
{
    int64_t largest = alm->lmax * alm->lmax + alm->lmax + alm->mmax + 1;
    armilla_output_column columns[3] = {{"index", "l*l+l+m+1",
                                         largest > INT32_MAX ? ARMILLA_IO_INT64 : ARMILLA_IO_INT32,
                                         1, 0, 0, 0},
                                        {"real", "", alm->type, 1, 0, 0, 0},
                                        {"imag", "", alm->type, 1, 0, 0, 0}};
    int64_t rows = armilla_alm_size(alm->lmax, alm->mmax);
    armilla_status status = armilla_output_table(output, rows, 3, columns);
    if (!status) status = write_keywords(output, alm, component);
    if (!status) status = armilla_output_keywords(output, options);
    if (!status) status = write_rows(output, alm, alm->alm + 2 * component * rows, columns, bytes);
    return status;
}

armilla_status armilla_alm_write_with(const char *path, const armilla_alm_file *alm,
                                      const armilla_write_options *options)
{
    armilla_write_options chosen;
    armilla_output output;
    unsigned char *bytes = NULL;
    armilla_status status = check_alm(alm);
    if (!status) status = armilla_write_options_take(options, &chosen);
    if (!status) status = armilla_allocate(&bytes, BLOCK_ROWS, ROW_BYTES);
    if (!status) status = armilla_output_begin(path, chosen.overwrite, &output);
    if (!status) {
        for (int64_t i = 0; !status && i < alm->ncomp; i++)
            status = write_component(&output, alm, &chosen, i, bytes);
        status = armilla_output_end(&output, status);
    }
    armilla_release(bytes);
    return status;
}

armilla_status armilla_alm_write(const char *path, const armilla_alm_file *alm, int overwrite)
{
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.overwrite = overwrite;
    return armilla_alm_write_with(path, alm, &options);
}

/* Power spectra: the table in memory, dispatch of reading, writing. */
#include "io/cl_table.h"

#include "base/memory.h"
#include "io/file_error.h"
#include "io/fits_output.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* HEALPix' names; the order is TT, EE, BB, TE, TB, EB. */
static void default_name(int64_t nspectra, int64_t index, char name[ARMILLA_IO_NAME_SIZE])
{
    static const char *const names[] = {"TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-T", "C-G"};
    if (nspectra <= 6)
        snprintf(name, ARMILLA_IO_NAME_SIZE, "%s", names[index]);
    else
        snprintf(name, ARMILLA_IO_NAME_SIZE, "COLUMN_%lld", (long long)index + 1);
}

armilla_status armilla_cl_file_new(int64_t lmax, int64_t nspectra, armilla_cl_file **cl)
{
    armilla_status status = armilla_check_band_limit(lmax, 0);
    if (status) return status;
    if (nspectra < 1 || nspectra > ARMILLA_CL_MAX_SPECTRA)
        return armilla_fail_argument("nspectra", nspectra, "must be from 1 to 998");
    armilla_cl_file *new = NULL;
    status = armilla_check_given("cl", cl);
    if (!status) status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (status) return status;
    new->lmax = lmax;
    new->nspectra = nspectra;
    status = armilla_allocate_zero(&new->names, nspectra, sizeof *new->names);
    if (!status) status = armilla_allocate_zero(&new->cl, nspectra * (lmax + 1), sizeof *new->cl);
    if (status) {
        armilla_cl_file_free(new);
        return status;
    }
    for (int64_t i = 0; i < nspectra; i++) default_name(nspectra, i, new->names[i]);
    *cl = new;
    return ARMILLA_OK;
}

void armilla_cl_file_free(armilla_cl_file *cl)
{
    if (!cl) return;
    armilla_release(cl->names);
    armilla_release(cl->cl);
    armilla_release(cl);
}

armilla_status armilla_cl_read(const char *path, armilla_cl_file **cl)
{
    return armilla_cl_read_hdu(path, 0, cl);
}

armilla_status armilla_cl_read_hdu(const char *path, int hdu, armilla_cl_file **cl)
{
    armilla_file_look look;
    if (hdu < 0) return armilla_fail_argument("hdu", hdu, "must be at least 0");
    armilla_status status = armilla_check_given("cl", cl);
    if (!status) status = armilla_file_inspect(path, &look);
    if (status) return status;
    if (look.kind == ARMILLA_FILE_FITS) return armilla_cl_read_fits(path, hdu, cl);
    if (look.kind == ARMILLA_FILE_TEXT && hdu > 0)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "hdu = %d: %s holds text, which has no HDUs",
                            hdu, armilla_path_shown(path));
    if (look.kind == ARMILLA_FILE_TEXT) return armilla_cl_read_text(path, &look, cl);
    return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: neither FITS nor text: it %s",
                        armilla_path_shown(path), look.description);
}

enum { MAX_EXPANSION = 1024, SMALL_SIZE = 1 << 24 };

armilla_status armilla_cl_check_extent(const char *path, int64_t start, int64_t rows,
                                       int64_t nspectra)
{
    int64_t degrees = start + rows;
    if (degrees <= SMALL_SIZE / nspectra || degrees / MAX_EXPANSION <= rows) return ARMILLA_OK;
    return armilla_fail(
        ARMILLA_ERROR_FORMAT, "%s: damaged: %lld row(s) of %lld spectra that begin with l = %lld",
        armilla_path_shown(path), (long long)rows, (long long)nspectra, (long long)start);
}

/* --- D_l -------------------------------------------------------------------------------------- */

int armilla_text_is_degree(const char *text)
{
    static const char *const names[] = {"l", "ell", "ells", "multipole", "degree"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (armilla_text_is(text, names[i])) return 1;
    return 0;
}

void armilla_cl_from_dl(int64_t lmax, double *spectrum)
{
    spectrum[0] = 0;
    for (int64_t l = 1; l <= lmax; l++) spectrum[l] *= 2 * M_PI / ((double)l * ((double)l + 1));
}

/* --- Writing ---------------------------------------------------------------------------------- */

static armilla_status check_cl(const armilla_cl_file *cl)
{
    if (!cl) return armilla_fail(ARMILLA_ERROR_ARGUMENT, "cl = NULL");
    if (!cl->cl || !cl->names)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, cl->cl ? "cl->names = NULL" : "cl->cl = NULL");
    if (cl->nspectra < 1 || cl->nspectra > ARMILLA_CL_MAX_SPECTRA)
        return armilla_fail_argument("cl->nspectra", cl->nspectra, "must be from 1 to 998");
    if (cl->type != ARMILLA_IO_DOUBLE && cl->type != ARMILLA_IO_FLOAT)
        return armilla_fail_argument("cl->type", cl->type, "must be double or float");
    return armilla_check_band_limit(cl->lmax, 0);
}

static armilla_status write_rows(armilla_output *output, const armilla_cl_file *cl,
                                 unsigned char *row)
{
    armilla_status status = ARMILLA_OK;
    int64_t width = armilla_type_width(cl->type);
    for (int64_t l = 0; !status && l <= cl->lmax; l++) {
        for (int64_t i = 0; i < cl->nspectra; i++) {
            double value = cl->cl[i * (cl->lmax + 1) + l];
            if (!armilla_real_store(cl->type, value, row + i * width))
                return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                                    "cl of l = %lld, spectrum %lld = %g: does not fit into float",
                                    (long long)l, (long long)i, value);
        }
        status = armilla_output_rows(output, l, 1, row);
    }
    return status;
}

static armilla_status write_table(armilla_output *output, const armilla_cl_file *cl,
                                  const armilla_write_options *options,
                                  armilla_output_column *columns, unsigned char *row)
{
    for (int64_t i = 0; i < cl->nspectra; i++) {
        columns[i].name = cl->names[i];
        columns[i].unit = cl->unit;
        columns[i].type = cl->type;
        columns[i].repeat = 1;
    }
    armilla_status status = armilla_output_table(output, cl->lmax + 1, cl->nspectra, columns);
    if (!status)
        status = armilla_output_text(output, "EXTNAME", "POWER SPECTRUM",
                                     "name of this binary table extension");
    if (!status) status = armilla_output_integer(output, "MAX-LPOL", cl->lmax, "Maximum degree l");
    if (!status)
        status = armilla_output_text(output, "CREATOR", "Armilla " ARMILLA_VERSION,
                                     "Software creating the FITS file");
    if (!status) status = armilla_output_keywords(output, options);
    return status ? status : write_rows(output, cl, row);
}

armilla_status armilla_cl_write_with(const char *path, const armilla_cl_file *cl,
                                     const armilla_write_options *options)
{
    armilla_write_options chosen;
    armilla_output output;
    armilla_output_column *columns = NULL;
    unsigned char *row = NULL;
    armilla_status status = check_cl(cl);
    if (!status) status = armilla_write_options_take(options, &chosen);
    if (!status) status = armilla_allocate_zero(&columns, cl->nspectra, sizeof *columns);
    if (!status) status = armilla_allocate(&row, cl->nspectra, sizeof(double));
    if (!status) status = armilla_output_begin(path, chosen.overwrite, &output);
    if (!status)
        status = armilla_output_end(&output, write_table(&output, cl, &chosen, columns, row));
    armilla_release(columns);
    armilla_release(row);
    return status;
}

armilla_status armilla_cl_write(const char *path, const armilla_cl_file *cl, int overwrite)
{
    armilla_write_options options;
    armilla_write_options_init(&options);
    options.overwrite = overwrite;
    return armilla_cl_write_with(path, cl, &options);
}

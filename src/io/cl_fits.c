/* Power spectra out of FITS tables, binary (healpy, HEALPix C++) or ASCII (HEALPix Fortran).
 *
 * Row = degree from 0, one column per spectrum; or a first column named L or ELL tells the degree.
 * Columns named D_ELL, DL_TT or the like hold D_l and become C_l. */
#include "io/cl_table.h"

#include "base/memory.h"
#include "io/alm_table.h"
#include "io/file_error.h"
#include "io/map_header.h"
#include <math.h>
#include <string.h>

typedef struct cl_reader {
    const armilla_fits *fits;
    armilla_table table;
    armilla_rows rows;
    int has_degrees; /* column 0 */
    int64_t start;   /* degree of the first row */
    double *block;   /* one column of a block of rows */
    armilla_cl_file *cl;
} cl_reader;

/* --- Finding the table ------------------------------------------------------------------------ */

static int is_numbers(const armilla_table *table)
{
    for (int64_t i = 0; i < table->ncolumns; i++) {
        const armilla_column *column = &table->columns[i];
        if (!armilla_column_is_number(column) || column->repeat != table->columns[0].repeat)
            return 0;
    }
    return table->ncolumns > 0;
}

static int holds_spectra(const cl_reader *r)
{
    return is_numbers(&r->table) && !armilla_alm_table_fits(&r->table) &&
           !armilla_map_header_fits(r->fits, &r->table);
}

/* The first table that holds spectra. */
static armilla_status open_first(cl_reader *r)
{
    int type, count = r->fits->count, tables = 0;
    for (int hdu = 1; hdu < count; hdu++) {
        armilla_status status = armilla_fits_move(r->fits, hdu, &type);
        if (!status && type == IMAGE_HDU) continue;
        if (!status) status = armilla_table_open(r->fits, type, &r->table);
        if (status) return status;
        if (holds_spectra(r)) return ARMILLA_OK;
        armilla_table_clear(&r->table);
        tables++;
    }
    if (r->fits->is_cut) return armilla_fits_check_end(r->fits);
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: no power spectrum in its %d table(s): they hold a map, coefficients "
                        "or no numbers",
                        armilla_path_shown(r->fits->path), tables);
}

static armilla_status open_table(cl_reader *r, int hdu)
{
    int type;
    armilla_status status = armilla_fits_move(r->fits, hdu, &type);
    if (!status) status = armilla_table_open(r->fits, type, &r->table);
    if (status || holds_spectra(r)) return status;
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: HDU %d holds no power spectrum: it holds a map, coefficients or no "
                        "numbers",
                        armilla_path_shown(r->fits->path), hdu);
}

/* --- Values ----------------------------------------------------------------------------------- */

static armilla_status read_start(cl_reader *r)
{
    const armilla_table *table = &r->table;
    r->has_degrees = table->ncolumns > 1 && armilla_text_is_degree(table->columns[0].name);
    if (!r->has_degrees || r->rows.count == 0) return ARMILLA_OK;
    armilla_rows_decode(&r->rows, &table->columns[0], r->block);
    if (r->block[0] >= 0 && r->block[0] <= ARMILLA_CL_MAX_START) {
        r->start = (int64_t)r->block[0];
        return ARMILLA_OK;
    }
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: column %s begins with %g: must be from 0 to 1000000",
                        armilla_path_shown(r->fits->path), table->columns[0].name, r->block[0]);
}

static armilla_status new_spectra(cl_reader *r)
{
    int64_t count = r->table.rows * r->table.columns[0].repeat;
    const armilla_column *columns = r->table.columns + r->has_degrees;
    if (count < 1)
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: the table of spectra has no rows",
                            armilla_path_shown(r->fits->path));
    int64_t nspectra = r->table.ncolumns - r->has_degrees;
    armilla_status status = armilla_cl_check_extent(r->fits->path, r->start, count, nspectra);
    if (!status) status = armilla_cl_file_new(r->start + count - 1, nspectra, &r->cl);
    if (status) return status;
    r->cl->type = ARMILLA_IO_FLOAT;
    for (int64_t i = 0; i < nspectra; i++) {
        if (columns[i].name[0]) memcpy(r->cl->names[i], columns[i].name, sizeof columns[i].name);
        if (r->table.is_text || columns[i].form != 'E') r->cl->type = ARMILLA_IO_DOUBLE;
    }
    memcpy(r->cl->unit, columns[0].unit, sizeof r->cl->unit);
    return ARMILLA_OK;
}

static armilla_status check_value(const cl_reader *r, int64_t column, int64_t row, double value,
                                  double degree)
{
    int is_degree = r->has_degrees && column == 0;
    if (is_degree ? value == degree : !isnan(value)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: row %lld of column %s: %s",
                        armilla_path_shown(r->fits->path), (long long)row + 1,
                        r->table.columns[column].name,
                        is_degree ? "the degree must rise by one" : "is no number");
}

static armilla_status copy_block(cl_reader *r, int64_t column)
{
    int64_t repeat = r->table.columns[0].repeat;
    int64_t first = r->rows.first * repeat, count = r->rows.count * repeat;
    armilla_status status = ARMILLA_OK;
    armilla_rows_decode(&r->rows, &r->table.columns[column], r->block);
    for (int64_t i = 0; !status && i < count; i++)
        status = check_value(r, column, first + i, r->block[i], (double)(r->start + first + i));
    int64_t spectrum = column - r->has_degrees;
    if (status || spectrum < 0) return status;
    double *target = r->cl->cl + spectrum * (r->cl->lmax + 1) + r->start + first;
    memcpy(target, r->block, (size_t)count * sizeof *target);
    return ARMILLA_OK;
}

static armilla_status read_spectra(cl_reader *r, int hdu)
{
    armilla_status status = hdu > 0 ? open_table(r, hdu) : open_first(r);
    if (!status) status = armilla_rows_begin(r->fits, &r->table, &r->rows);
    if (status) return status;
    int64_t size = r->rows.capacity * r->table.columns[0].repeat;
    status = armilla_allocate(&r->block, size, sizeof *r->block);
    if (!status) status = armilla_rows_next(&r->rows);
    if (!status) status = read_start(r);
    if (!status) status = new_spectra(r);
    while (!status && r->rows.count > 0) {
        for (int64_t i = 0; !status && i < r->table.ncolumns; i++) status = copy_block(r, i);
        if (!status) status = armilla_rows_next(&r->rows);
    }
    return status;
}

static void convert_spectra(armilla_cl_file *cl)
{
    for (int64_t i = 0; i < cl->nspectra; i++)
        if (armilla_text_names_dl(cl->names[i], strlen(cl->names[i])))
            armilla_cl_from_dl(cl->lmax, cl->cl + i * (cl->lmax + 1));
}

armilla_status armilla_cl_read_fits(const char *path, int hdu, armilla_cl_file **cl)
{
    armilla_fits fits;
    armilla_status status = armilla_fits_open(path, &fits);
    if (status) return status;
    cl_reader r;
    memset(&r, 0, sizeof r);
    r.fits = &fits;
    status = read_spectra(&r, hdu);
    armilla_release(r.block);
    armilla_rows_end(&r.rows);
    armilla_table_clear(&r.table);
    armilla_fits_close(&fits);
    if (status) {
        armilla_cl_file_free(r.cl);
        return status;
    }
    convert_spectra(r.cl);
    *cl = r.cl;
    return ARMILLA_OK;
}

/* Spherical harmonic coefficients out of FITS tables, all of them or those of some orders.
 *
 * A table has columns index, real, imag (and perhaps their errors), by position; the index
 * l^2 + l + m + 1 gives l = floor(sqrt(index - 1)) and m. A first walk over all tables finds lmax
 * and mmax, a second one fills the rows of the orders that are wanted. */
#include "armilla/alm.h"
#include "armilla/io.h"
#include "base/integer.h"
#include "base/memory.h"
#include "io/alm_table.h"
#include "io/file_error.h"
#include <math.h>
#include <string.h>

/* A damaged index may ask for any lmax. Files list nearly all coefficients, so that one that would
 * need far more memory than it has rows (and more than a small file's worth) is not believed. */
enum { MAX_EXPANSION = 1024, SMALL_SIZE = 1 << 24 };

typedef struct extent {
    int64_t lmax, mmax, rows; /* -1, -1, 0: no rows yet */
} extent;

typedef struct alm_reader {
    const armilla_fits *fits;
    extent found;
    extent promised; /* MAX-LPOL, MAX-MPOL */
    int is_double;
    char coordsys;
    int hdus[ARMILLA_ALM_MAX_TABLES];
    armilla_alm_file alm; /* what the file holds; without coefficients */
} alm_reader;

/* Which coefficients are wanted, and where they go. */
typedef struct wanted {
    int64_t lmax;
    int64_t size;   /* how many there are */
    int64_t *place; /* of each order m of the file: a_lm is number place[m] + l; or UNWANTED */
    double *alm;
} wanted;

#define UNWANTED INT64_MIN

struct armilla_alm_input {
    char *path;
    alm_reader reader; /* its fits is open during calls only */
};

/* Block of decoded rows. */
typedef struct block {
    armilla_table table;
    armilla_rows rows;
    int64_t *index;
    double *real, *imag;
    int64_t count;
} block;

/* --- Tables ----------------------------------------------------------------------------------- */

static int has_forms(const armilla_table *table)
{
    const armilla_column *columns = table->columns;
    return !table->is_text && table->ncolumns >= 3 && armilla_column_is_integer(&columns[0]) &&
           strchr("ED", columns[1].form) && strchr("ED", columns[2].form) &&
           columns[1].repeat == columns[0].repeat && columns[2].repeat == columns[0].repeat;
}

int armilla_alm_table_fits(const armilla_table *table)
{
    return has_forms(table) && (armilla_text_is(table->columns[0].name, "index") ||
                                armilla_text_is(table->columns[0].unit, "l*l+l+m+1"));
}

static armilla_status open_table(const alm_reader *r, int hdu, armilla_table *table)
{
    int type;
    armilla_status status = armilla_fits_move(r->fits, hdu, &type);
    if (!status) status = armilla_table_open(r->fits, type, table);
    if (status || has_forms(table)) return status;
    armilla_table_clear(table);
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: HDU %d holds no coefficients: columns index, real, imag are needed",
                        armilla_path_shown(r->fits->path), hdu);
}

/* --- Rows ------------------------------------------------------------------------------------- */

static armilla_status block_begin(const alm_reader *r, int hdu, block *b)
{
    memset(b, 0, sizeof *b);
    armilla_status status = open_table(r, hdu, &b->table);
    if (!status) status = armilla_rows_begin(r->fits, &b->table, &b->rows);
    if (status) return status;
    int64_t size = b->rows.capacity * b->table.columns[0].repeat;
    status = armilla_allocate(&b->index, size, sizeof *b->index);
    if (!status) status = armilla_allocate(&b->real, size, sizeof *b->real);
    if (!status) status = armilla_allocate(&b->imag, size, sizeof *b->imag);
    return status;
}

static armilla_status block_next(block *b)
{
    armilla_status status = armilla_rows_next(&b->rows);
    if (status) return status;
    b->count = b->rows.count * b->table.columns[0].repeat;
    armilla_rows_decode_integer(&b->rows, &b->table.columns[0], b->index);
    armilla_rows_decode(&b->rows, &b->table.columns[1], b->real);
    armilla_rows_decode(&b->rows, &b->table.columns[2], b->imag);
    return ARMILLA_OK;
}

static void block_end(block *b)
{
    armilla_release(b->index);
    armilla_release(b->real);
    armilla_release(b->imag);
    armilla_rows_end(&b->rows);
    armilla_table_clear(&b->table);
}

/* index = l^2 + l + m + 1 with 0 <= m <= l; 0: there is no such l, m. */
static int split_index(int64_t index, int64_t *l, int64_t *m)
{
    if (index < 1 || index > (int64_t)1 << 60) return 0;
    int64_t root = (int64_t)sqrt((double)(index - 1));
    while (root * root > index - 1) root--;
    while ((root + 1) * (root + 1) <= index - 1) root++;
    *l = root;
    *m = index - 1 - root * root - root;
    return *m >= 0;
}

static armilla_status fail_index(const alm_reader *r, int hdu, int64_t row, int64_t index)
{
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: HDU %d, value %lld: index = %lld: is no l^2 + l + m + 1 with 0 <= m "
                        "<= l",
                        armilla_path_shown(r->fits->path), hdu, (long long)row + 1,
                        (long long)index);
}

/* --- First walk ------------------------------------------------------------------------------- */

static armilla_status widen(alm_reader *r, const block *b, int hdu)
{
    int64_t l, m, before = b->rows.first * b->table.columns[0].repeat;
    for (int64_t i = 0; i < b->count; i++) {
        if (!split_index(b->index[i], &l, &m)) return fail_index(r, hdu, before + i, b->index[i]);
        if (l > r->found.lmax) r->found.lmax = l;
        if (m > r->found.mmax) r->found.mmax = m;
    }
    r->found.rows += b->count;
    return ARMILLA_OK;
}

static void read_keywords(alm_reader *r, const block *b)
{
    int64_t value;
    if (armilla_fits_integer(r->fits, "MAX-LPOL", &value) && value > r->promised.lmax)
        r->promised.lmax = value;
    if (armilla_fits_integer(r->fits, "MAX-MPOL", &value) && value > r->promised.mmax)
        r->promised.mmax = value;
    if (!r->coordsys) r->coordsys = armilla_fits_coordsys(r->fits);
    if (b->table.columns[1].form == 'D' || b->table.columns[2].form == 'D') r->is_double = 1;
}

static armilla_status scan_table(alm_reader *r, int hdu)
{
    block b;
    armilla_status status = block_begin(r, hdu, &b);
    if (!status) read_keywords(r, &b);
    if (!status) status = block_next(&b);
    while (!status && b.count > 0) {
        status = widen(r, &b, hdu);
        if (!status) status = block_next(&b);
    }
    block_end(&b);
    return status;
}

/* --- Second walk ------------------------------------------------------------------------------ */

/* The first walk has seen every index; but another program may write to the file meanwhile. */
static armilla_status fill_block(const alm_reader *r, const block *b, int hdu, const wanted *want)
{
    int64_t l, m;
    for (int64_t i = 0; i < b->count; i++) {
        if (!split_index(b->index[i], &l, &m) || l > r->alm.lmax || m > r->alm.mmax)
            return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: HDU %d changed while it was read",
                                armilla_path_shown(r->fits->path), hdu);
        if (l > want->lmax || want->place[m] == UNWANTED) continue;
        double *value = want->alm + 2 * (want->place[m] + l);
        value[0] = b->real[i];
        value[1] = b->imag[i];
    }
    return ARMILLA_OK;
}

/* Rows that the table does not have are 0. */
static armilla_status fill_table(const alm_reader *r, int hdu, const wanted *want)
{
    block b;
    armilla_status status = block_begin(r, hdu, &b);
    if (!status) status = block_next(&b);
    if (!status && want->size) memset(want->alm, 0, (size_t)want->size * 2 * sizeof *want->alm);
    while (!status && b.count > 0) {
        status = fill_block(r, &b, hdu, want);
        if (!status) status = block_next(&b);
    }
    block_end(&b);
    return status;
}

/* Rows l = m .. lmax of the orders, one behind the other. orders NULL: 0 .. norders - 1. */
static armilla_status want_orders(const alm_reader *r, int64_t lmax, int64_t norders,
                                  const int64_t *orders, wanted *want)
{
    const int64_t mmax = r->alm.mmax;
    *want = (wanted){.lmax = lmax};
    armilla_status status = armilla_allocate(&want->place, mmax + 1, sizeof *want->place);
    for (int64_t m = 0; !status && m <= mmax; m++) want->place[m] = UNWANTED;
    for (int64_t i = 0; !status && i < norders; i++) {
        const int64_t m = orders ? orders[i] : i;
        if (m < 0 || m > armilla_smaller(mmax, lmax))
            return armilla_fail_argument("orders", m, "must be an order of the file up to lmax");
        if (want->place[m] != UNWANTED) return armilla_fail_argument("orders", m, "is there twice");
        want->place[m] = want->size - m;
        want->size += lmax + 1 - m;
    }
    return status;
}

static int is_plausible(const alm_reader *r, int64_t lmax, int64_t mmax, int64_t count)
{
    if (lmax > 1 << 30) return 0;
    int64_t one = armilla_alm_size(lmax, mmax);
    if (one < 0 || one > INT64_MAX / count) return 0;
    int64_t size = count * one;
    return size <= SMALL_SIZE || size / MAX_EXPANSION <= r->found.rows;
}

/* Keywords may promise more than the rows show, never less. */
static armilla_status choose_extent(const alm_reader *r, int64_t count, int64_t *lmax,
                                    int64_t *mmax)
{
    *lmax = r->promised.lmax > r->found.lmax ? r->promised.lmax : r->found.lmax;
    *mmax = r->promised.mmax > r->found.mmax ? r->promised.mmax : r->found.mmax;
    if (*lmax >= 0 && *mmax >= 0 && is_plausible(r, *lmax, *mmax, count)) return ARMILLA_OK;
    *lmax = r->found.lmax;
    *mmax = r->found.mmax;
    const char *shown = armilla_path_shown(r->fits->path);
    if (*lmax < 0)
        return armilla_fail(ARMILLA_ERROR_FORMAT, "%s: holds no coefficients: no rows", shown);
    if (is_plausible(r, *lmax, *mmax, count)) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: damaged: %lld rows with an index of l = %lld, m up to %lld", shown,
                        (long long)r->found.rows, (long long)*lmax, (long long)*mmax);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Lists the HDUs to read: the one asked for, or all that hold coefficients. */
static armilla_status list_tables(alm_reader *r, int hdu)
{
    int64_t count = 0;
    int type, total = hdu == 0 ? r->fits->count : 0;
    if (hdu != 0) r->hdus[count++] = hdu;
    if (hdu == 0 && armilla_fits_check_end(r->fits)) return ARMILLA_ERROR_FORMAT;
    for (int i = 1; i < total && count < ARMILLA_ALM_MAX_TABLES; i++) {
        armilla_table table;
        armilla_status status = armilla_fits_move(r->fits, i, &type);
        if (!status && type != BINARY_TBL) continue;
        if (!status) status = armilla_table_open(r->fits, type, &table);
        if (status) return status;
        if (armilla_alm_table_fits(&table)) r->hdus[count++] = i;
        armilla_table_clear(&table);
    }
    r->alm.ncomp = count;
    if (count > 0) return ARMILLA_OK;
    return armilla_fail(ARMILLA_ERROR_FORMAT,
                        "%s: holds no coefficients: no table with columns index, real, imag",
                        armilla_path_shown(r->fits->path));
}

/* What the file holds. */
static armilla_status look(alm_reader *r, int hdu)
{
    if (hdu < 0) return armilla_fail_argument("hdu", hdu, "must be at least 0");
    r->found = r->promised = (extent){-1, -1, 0};
    armilla_status status = list_tables(r, hdu);
    for (int64_t i = 0; !status && i < r->alm.ncomp; i++) status = scan_table(r, r->hdus[i]);
    if (!status) status = choose_extent(r, r->alm.ncomp, &r->alm.lmax, &r->alm.mmax);
    r->alm.type = r->is_double ? ARMILLA_IO_DOUBLE : ARMILLA_IO_FLOAT;
    r->alm.coordsys = r->coordsys;
    return status;
}

/* All coefficients of the file. */
static armilla_status fill_all(const alm_reader *r, armilla_alm_file **alm)
{
    wanted want = {.place = NULL};
    armilla_alm_file *new = NULL;
    armilla_status status = armilla_alm_file_new(r->alm.lmax, r->alm.mmax, r->alm.ncomp, &new);
    if (!status) status = want_orders(r, r->alm.lmax, r->alm.mmax + 1, NULL, &want);
    for (int64_t i = 0; !status && i < new->ncomp; i++) {
        want.alm = new->alm + 2 * i *want.size;
        status = fill_table(r, r->hdus[i], &want);
    }
    armilla_release(want.place);
    if (status) {
        armilla_alm_file_free(new);
        return status;
    }
    new->type = r->alm.type, new->coordsys = r->alm.coordsys;
    *alm = new;
    return ARMILLA_OK;
}

armilla_status armilla_alm_read(const char *path, int hdu, armilla_alm_file **alm)
{
    armilla_fits fits;
    alm_reader reader = {.fits = &fits};
    if (hdu < 0) return armilla_fail_argument("hdu", hdu, "must be at least 0");
    armilla_status status = armilla_check_given("alm", alm);
    if (!status) status = armilla_fits_open(path, &fits);
    if (status) return status;
    status = look(&reader, hdu);
    if (!status) status = fill_all(&reader, alm);
    armilla_fits_close(&fits);
    return status;
}

/* --- In pieces -------------------------------------------------------------------------------- */

static armilla_status open_input(armilla_alm_input *input, const char *path, int hdu)
{
    armilla_fits fits;
    const int64_t size = (int64_t)strlen(path) + 1;
    armilla_status status = armilla_allocate(&input->path, size, 1);
    if (status) return status;
    memcpy(input->path, path, (size_t)size);
    if ((status = armilla_fits_open(input->path, &fits))) return status;
    input->reader.fits = &fits;
    status = look(&input->reader, hdu);
    input->reader.fits = NULL;
    armilla_fits_close(&fits);
    return status;
}

armilla_status armilla_alm_input_open(const char *path, int hdu, armilla_alm_input **input)
{
    armilla_alm_input *new = NULL;
    armilla_status status = armilla_check_given("input", input);
    if (!status) status = armilla_check_given("path", path);
    if (!status) status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (status) return status;
    status = open_input(new, path, hdu);
    if (status)
        armilla_alm_input_free(new);
    else
        *input = new;
    return status;
}

void armilla_alm_input_free(armilla_alm_input *input)
{
    if (!input) return;
    armilla_release(input->path);
    armilla_release(input);
}

const armilla_alm_file *armilla_alm_input_alm(const armilla_alm_input *input)
{
    return input ? &input->reader.alm : NULL;
}

static armilla_status check_read(const armilla_alm_input *input, int64_t component, int64_t lmax,
                                 int64_t norders)
{
    armilla_status status = armilla_check_given("input", input);
    if (status) return status;
    if (component < 0 || component >= input->reader.alm.ncomp)
        return armilla_fail_argument("component", component, "must be one of the file's tables");
    if (lmax < 0 || lmax > input->reader.alm.lmax)
        return armilla_fail_argument("lmax", lmax, "must be a degree of the file");
    return norders >= 0 ? ARMILLA_OK
                        : armilla_fail_argument("norders", norders, "must be at least 0");
}

armilla_status armilla_alm_input_read(const armilla_alm_input *input, int64_t component,
                                      int64_t lmax, int64_t norders, const int64_t *orders,
                                      double *alm)
{
    armilla_fits fits;
    wanted want = {.place = NULL};
    armilla_status status = check_read(input, component, lmax, norders);
    if (!status && norders > 0) status = armilla_check_given("alm", alm);
    if (status || norders == 0) return status;
    alm_reader reader = input->reader;
    reader.fits = &fits;
    if ((status = armilla_fits_open(input->path, &fits))) return status;
    status = want_orders(&reader, lmax, norders, orders, &want);
    want.alm = alm;
    if (!status) status = fill_table(&reader, reader.hdus[component], &want);
    armilla_release(want.place);
    armilla_fits_close(&fits);
    return status;
}

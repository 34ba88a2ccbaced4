/* What a FITS file holds, as text for people. */
#include "armilla/io.h"

#include "base/memory.h"
#include "base/platform.h"
#include "base/unseen.h"
#include "io/alm_table.h"
#include "io/file_error.h"
#include "io/fits_output.h"
#include "io/image_header.h"
#include "io/map_header.h"
#include "io/number.h"
#include "io/text_builder.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum table_kind { KIND_MAP, KIND_NO_MAP, KIND_ALM, KIND_CL, KIND_OTHER } table_kind;
enum { PROBLEM = 512 };

/* What is known about a column after the walk through the rows. */
typedef struct column_report {
    double minimum, maximum;
    int64_t missing, values;
    char type[16], low[16], high[16], count[24];
} column_report;

typedef struct describer {
    armilla_fits fits;
    armilla_text text;
    armilla_table table;
    armilla_map_header header; /* of a map */
    table_kind kind;
    char problem[PROBLEM];  /* of KIND_NO_MAP, what contradicts itself */
    column_report *reports; /* one for each column */
    int has_damage;         /* of a table, which the text tells */
} describer;

/* --- Statistics ------------------------------------------------------------------------------- */

static int is_missing(double value)
{
    return isnan(value) || armilla_is_unseen(value);
}

static void add_values(column_report *report, int64_t count, const double *values)
{
    report->values += count;
    for (int64_t i = 0; i < count; i++) {
        double value = values[i];
        if (is_missing(value)) {
            report->missing++;
            continue;
        }
        if (value < report->minimum) report->minimum = value;
        if (value > report->maximum) report->maximum = value;
    }
}

static int64_t largest_repeat(const armilla_table *table)
{
    int64_t largest = 0;
    for (int64_t i = 0; i < table->ncolumns; i++)
        if (table->columns[i].repeat > largest) largest = table->columns[i].repeat;
    return largest;
}

static armilla_status walk(describer *d)
{
    armilla_rows rows;
    double *values = NULL;
    armilla_status status = armilla_rows_begin(&d->fits, &d->table, &rows);
    if (!status) status = armilla_allocate(&values, rows.capacity * largest_repeat(&d->table), 8);
    if (!status) status = armilla_rows_next(&rows);
    while (!status && rows.count > 0) {
        for (int64_t i = 0; i < d->table.ncolumns; i++) {
            const armilla_column *column = &d->table.columns[i];
            if (!armilla_column_is_number(column)) continue;
            armilla_rows_decode(&rows, column, values);
            add_values(&d->reports[i], rows.count * column->repeat, values);
        }
        status = armilla_rows_next(&rows);
    }
    armilla_release(values);
    armilla_rows_end(&rows);
    return status;
}

/* --- Columns ---------------------------------------------------------------------------------- */

static const char *stored_type(const armilla_column *column)
{
    switch (column->form) {
    case 'L':
        return "logical";
    case 'B':
        return "uint8";
    case 'I':
        return "int16";
    case 'J':
        return "int32";
    case 'K':
        return "int64";
    case 'E':
        return "float";
    case 'D':
        return "double";
    case 'A':
        return "text";
    case 'C':
    case 'M':
        return "complex";
    case 'X':
        return "bits";
    default:
        return "list";
    }
}

static void format_report(const describer *d, int64_t index)
{
    column_report *report = &d->reports[index];
    const armilla_column *column = &d->table.columns[index];
    const char *type = stored_type(column);
    if (d->table.is_text && column->form == 'E') type = "decimal";
    if (d->table.is_text && column->form == 'I') type = "integer";
    snprintf(report->type, sizeof report->type, "%s", type);
    int has_values = report->values > report->missing;
    snprintf(report->low, sizeof report->low, "%.6g", has_values ? report->minimum : (double)NAN);
    snprintf(report->high, sizeof report->high, "%.6g", has_values ? report->maximum : (double)NAN);
    if (!has_values) strcpy(report->low, "-");
    if (!has_values) strcpy(report->high, "-");
    snprintf(report->count, sizeof report->count, "%lld", (long long)report->missing);
}

/* Longest text among the columns and the heading, the member being at offset of each item. */
static int widest(const char *heading, const void *items, int64_t count, size_t size)
{
    size_t width = strlen(heading);
    for (int64_t i = 0; i < count; i++) {
        size_t length = strlen((const char *)items + (size_t)i * size);
        if (length > width) width = length;
    }
    return (int)width;
}

static void print_columns(describer *d)
{
    const armilla_column *c = d->table.columns;
    const column_report *r = d->reports;
    int64_t n = d->table.ncolumns;
    if (n == 0) return;
    int name = widest("column", c->name, n, sizeof *c),
        unit = widest("unit", c->unit, n, sizeof *c);
    int type = widest("type", r->type, n, sizeof *r);
    int low = widest("minimum", r->low, n, sizeof *r),
        high = widest("maximum", r->high, n, sizeof *r);
    int count = widest("missing", r->count, n, sizeof *r);
    armilla_text_add(&d->text, "  %-*s  %-*s  %-*s  %*s  %*s  %*s\n", name, "column", type, "type",
                     unit, "unit", low, "minimum", high, "maximum", count, "missing");
    for (int64_t i = 0; i < n; i++)
        armilla_text_add(&d->text, "  %-*s  %-*s  %-*s  %*s  %*s  %*s\n", name, c[i].name, type,
                         r[i].type, unit, c[i].unit, low, r[i].low, high, r[i].high, count,
                         r[i].count);
}

/* --- Kinds ------------------------------------------------------------------------------------ */

static int are_numbers(const armilla_table *table)
{
    for (int64_t i = 0; i < table->ncolumns; i++)
        if (!armilla_column_is_number(&table->columns[i])) return 0;
    return table->ncolumns > 0;
}

static int has_spectrum_names(const armilla_table *table)
{
    static const char *const names[] = {"TEMPERATURE", "GRADIENT", "TT", "ELL", "L"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (armilla_table_find(table, names[i]) >= 0) return 1;
    return 0;
}

static table_kind find_kind(describer *d)
{
    int64_t lmax;
    if (armilla_alm_table_fits(&d->table)) return KIND_ALM;
    if (armilla_map_header_fits(&d->fits, &d->table)) {
        const armilla_status status = armilla_map_header_read(&d->fits, &d->table, &d->header);
        if (!status) return KIND_MAP;
        if (status == ARMILLA_ERROR_MEMORY) d->text.status = status;
        snprintf(d->problem, sizeof d->problem, "%s", armilla_status_message());
        return KIND_NO_MAP;
    }
    if (!are_numbers(&d->table)) return KIND_OTHER;
    int is_spectrum =
        has_spectrum_names(&d->table) || armilla_fits_integer(&d->fits, "MAX-LPOL", &lmax);
    return is_spectrum ? KIND_CL : KIND_OTHER;
}

static const char *sky_name(char coordsys)
{
    switch (coordsys) {
    case 'G':
        return "galactic";
    case 'E':
        return "ecliptic";
    case 'C':
        return "equatorial";
    default:
        return "unknown";
    }
}

/* "map on the grid O160 (reduced Gauss-Legendre, 320 rings, 108160 pixels)". */
static void print_grid(describer *d, const armilla_grid *grid)
{
    char name[ARMILLA_GRID_NAME_SIZE];
    armilla_text_add(&d->text, "map on ");
    if (d->text.status) return; /* whose message is to stay */
    if (armilla_grid_name(grid, name))
        armilla_text_add(&d->text, "a grid without a name");
    else
        armilla_text_add(&d->text, "the grid %s", name);
    armilla_text_add(&d->text, " (%s, %lld rings, %lld pixels)",
                     armilla_grid_kind_name(armilla_grid_get_kind(grid)),
                     (long long)armilla_grid_nrings(grid), (long long)armilla_grid_npix(grid));
}

static void print_map(describer *d)
{
    const armilla_map_header *h = &d->header;
    if (h->grid)
        print_grid(d, h->grid);
    else
        armilla_text_add(&d->text, "HEALPix map, nside %lld (%lld pixels), %s", (long long)h->nside,
                         (long long)h->npix, h->order == ARMILLA_IO_RING ? "RING" : "NESTED");
    armilla_text_add(&d->text, ", %s, coordinates %s%s\n",
                     h->pixel >= 0         ? "partial sky (EXPLICIT)"
                     : h->count == h->npix ? "full sky"
                                           : "partial sky (IMPLICIT)",
                     sky_name(h->coordsys), h->iau ? ", polarisation IAU" : "");
    if (h->count != h->npix)
        armilla_text_add(&d->text, "  %lld of %lld pixels listed (%.2f %%)\n", (long long)h->count,
                         (long long)h->npix, 100.0 * (double)h->count / (double)h->npix);
}

static void print_alm(describer *d)
{
    double index = d->reports[0].maximum;
    int64_t l = index >= 1 && index < 0x1p62 ? (int64_t)sqrt(index - 1) : -1; /* l^2 + l + m + 1 */
    armilla_text_add(&d->text, "coefficients a_lm, l up to %lld, %lld rows\n", (long long)l,
                     (long long)d->table.rows);
}

static void print_kind(describer *d)
{
    int64_t values = d->table.ncolumns ? d->table.rows * d->table.columns[0].repeat : 0;
    if (d->kind == KIND_MAP) print_map(d);
    if (d->kind == KIND_NO_MAP)
        armilla_text_add(&d->text, "HEALPix map that cannot be read: %s\n", d->problem);
    if (d->kind == KIND_ALM) print_alm(d);
    if (d->kind == KIND_CL)
        armilla_text_add(&d->text, "power spectra, l from 0 to %lld, %lld column(s)\n",
                         (long long)values - 1, (long long)d->table.ncolumns);
    if (d->kind == KIND_OTHER)
        armilla_text_add(&d->text, "table, %lld rows, %lld column(s)\n", (long long)d->table.rows,
                         (long long)d->table.ncolumns);
}

/* --- HDUs ------------------------------------------------------------------------------------- */

static armilla_status describe_table(describer *d, int type)
{
    armilla_status status = armilla_table_open(&d->fits, type, &d->table);
    if (status) return status;
    d->kind = find_kind(d);
    status = armilla_allocate_zero(&d->reports, d->table.ncolumns, sizeof *d->reports);
    for (int64_t i = 0; !status && i < d->table.ncolumns; i++) {
        d->reports[i].minimum = (double)INFINITY;
        d->reports[i].maximum = -(double)INFINITY;
    }
    if (!status) status = walk(d);
    if (status) return status;
    for (int64_t i = 0; i < d->table.ncolumns; i++) format_report(d, i);
    print_kind(d);
    print_columns(d);
    return ARMILLA_OK;
}

static void describe_axes(describer *d)
{
    int64_t naxis = 0, length;
    armilla_fits_integer(&d->fits, "NAXIS", &naxis);
    armilla_text_add(&d->text, naxis > 0 ? "image" : "no data");
    for (int64_t i = 1; i <= naxis && i < 1000; i++) {
        char keyword[16];
        snprintf(keyword, sizeof keyword, "NAXIS%d", (int)i);
        if (armilla_fits_integer(&d->fits, keyword, &length))
            armilla_text_add(&d->text, "%s%lld", i == 1 ? ", " : " x ", (long long)length);
    }
    armilla_text_add(&d->text, "\n");
}

/* An image that armilla_map_read reads, or any other. */
static armilla_status describe_image(describer *d)
{
    armilla_image_header h;
    const armilla_status status = armilla_image_header_read(&d->fits, &h);
    if (status == ARMILLA_ERROR_MEMORY) return status;
    if (status) {
        describe_axes(d);
        return ARMILLA_OK;
    }
    print_grid(d, h.grid);
    armilla_text_add(&d->text, ", image in CAR, %lld field(s)%s%s, coordinates %s%s\n",
                     (long long)h.planes, *h.unit ? " in " : "", h.unit, sky_name(h.coordsys),
                     h.iau ? ", polarisation IAU" : "");
    armilla_image_header_clear(&h);
    return ARMILLA_OK;
}

static armilla_status describe_contents(describer *d, int hdu)
{
    int type;
    char name[ARMILLA_IO_NAME_SIZE] = "";
    armilla_status status = armilla_fits_move(&d->fits, hdu, &type);
    if (!status) armilla_fits_text(&d->fits, "EXTNAME", name);
    armilla_text_add(&d->text, "\nHDU %d%s%s%s: ", hdu, *name ? " \"" : "", name,
                     *name ? "\"" : "");
    if (status) return status;
    return type == IMAGE_HDU ? describe_image(d) : describe_table(d, type);
}

/* A damaged table is part of the answer; the other HDUs are still worth a look. */
static armilla_status describe_hdu(describer *d, int hdu)
{
    armilla_status status = describe_contents(d, hdu);
    armilla_map_header_clear(&d->header);
    armilla_table_clear(&d->table);
    armilla_release(d->reports);
    d->reports = NULL;
    if (status == ARMILLA_ERROR_FORMAT) {
        armilla_text_add(&d->text, "cannot be read: %s\n", armilla_status_message());
        d->has_damage = 1;
        status = ARMILLA_OK;
    }
    return status ? status : d->text.status;
}

/* An empty primary HDU before extensions has nothing to tell. */
static int first_hdu(const describer *d)
{
    int type;
    int64_t naxis = 0;
    if (d->fits.count < 2 || armilla_fits_move(&d->fits, 0, &type)) return 0;
    armilla_fits_integer(&d->fits, "NAXIS", &naxis);
    return naxis == 0;
}

static armilla_status describe_file(describer *d)
{
    int count = d->fits.count;
    char size[ARMILLA_SIZE_TEXT];
    armilla_status status = ARMILLA_OK;
    armilla_text_add(&d->text, "%s: FITS file, %s, %d extension(s)\n",
                     armilla_path_shown(d->fits.path),
                     armilla_size_text((double)d->fits.size, size), count - 1);
    for (int hdu = first_hdu(d); !status && hdu < count; hdu++) status = describe_hdu(d, hdu);
    if (!status && (d->fits.is_cut || !d->has_damage) && armilla_fits_check_end(&d->fits))
        armilla_text_add(&d->text, "\n%s\n", armilla_status_message());
    return status ? status : d->text.status;
}

armilla_status armilla_io_describe(const char *path, char **text)
{
    describer d;
    armilla_c_locale scope;
    memset(&d, 0, sizeof d);
    armilla_status status = armilla_check_given("text", text);
    if (!status) status = armilla_fits_open(path, &d.fits);
    if (status) return status;
    armilla_c_locale_enter(&scope);
    status = describe_file(&d);
    armilla_c_locale_leave(&scope);
    armilla_fits_close(&d.fits);
    if (status)
        armilla_release(d.text.data);
    else
        *text = d.text.data;
    return status;
}

void armilla_io_text_free(char *text)
{
    armilla_release(text);
}

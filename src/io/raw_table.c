/* Headers as text, tables as bytes: for callers that decode by themselves. */
#include "armilla/io.h"
#include "base/memory.h"
#include "io/fits_table.h"
#include "io/text_builder.h"
#include <string.h>

/* --- Headers ---------------------------------------------------------------------------------- */

static armilla_status list_cards(const armilla_fits *fits, char **text)
{
    int count = 0, code = 0;
    char card[FLEN_CARD];
    armilla_text builder = {0};
    fits_get_hdrspace(fits->handle, &count, NULL, &code);
    for (int i = 1; !code && i <= count; i++) {
        fits_read_record(fits->handle, i, card, &code);
        if (!code) armilla_text_add(&builder, "%s\n", card);
    }
    armilla_status status = code ? armilla_fits_fail(fits, "read a header", code) : builder.status;
    if (status)
        armilla_release(builder.data);
    else
        *text = builder.data;
    return status;
}

armilla_status armilla_io_header(const char *path, int hdu, char **text)
{
    armilla_fits fits;
    int type;
    armilla_status status = armilla_check_given("text", text);
    if (!status) status = armilla_fits_open(path, &fits);
    if (status) return status;
    status = armilla_fits_move(&fits, hdu, &type);
    if (!status) status = list_cards(&fits, text);
    armilla_fits_close(&fits);
    return status;
}

/* --- Tables ----------------------------------------------------------------------------------- */

static armilla_status read_bytes(const armilla_fits *fits, armilla_raw_table *raw)
{
    int code = 0;
    armilla_status status = armilla_allocate(&raw->bytes, raw->rows, (size_t)raw->row_bytes);
    if (status || !raw->rows || !raw->row_bytes) return status;
    fits_read_tblbytes(fits->handle, 1, 1, raw->rows * raw->row_bytes, raw->bytes, &code);
    return code ? armilla_fits_fail(fits, "read the table", code) : ARMILLA_OK;
}

static armilla_status read_table(const armilla_fits *fits, int hdu, armilla_raw_table *raw)
{
    int type;
    armilla_table table = {0};
    armilla_status status = armilla_fits_move(fits, hdu, &type);
    if (!status) status = armilla_table_open(fits, type, &table); /* checks the sizes */
    if (!status && table.is_text)
        status = armilla_fail(ARMILLA_ERROR_UNSUPPORTED, "hdu = %d: is a table of text", hdu);
    raw->rows = table.rows;
    raw->row_bytes = table.row_bytes;
    armilla_table_clear(&table);
    if (!status) status = list_cards(fits, &raw->header);
    return status ? status : read_bytes(fits, raw);
}

armilla_status armilla_raw_table_read(const char *path, int hdu, armilla_raw_table **table)
{
    armilla_fits fits;
    armilla_raw_table *new = NULL;
    armilla_status status = armilla_check_given("table", table);
    if (!status) status = armilla_allocate_zero(&new, 1, sizeof *new);
    if (!status) status = armilla_fits_open(path, &fits);
    if (!status) {
        status = read_table(&fits, hdu, new);
        armilla_fits_close(&fits);
    }
    if (status)
        armilla_raw_table_free(new);
    else
        *table = new;
    return status;
}

void armilla_raw_table_free(armilla_raw_table *table)
{
    if (!table) return;
    armilla_release(table->header);
    armilla_release(table->bytes);
    armilla_release(table);
}

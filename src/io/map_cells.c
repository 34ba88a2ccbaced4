/* Computes where in a FITS file the pixels of one field are, and cuts a range of them into
 * windows small enough for the second-level cache. */
#include "io/map_cells.h"

#include "base/integer.h"

enum {
    BLOCK_BYTES = 1 << 20, /* stays in the second-level cache, as in fits_rows.c */
    SMALL_CELL = 2048      /* bytes below which a call per cell costs more than whole rows */
};

int64_t armilla_cells_byte(const armilla_cells *cells, int64_t pixel)
{
    return cells->start + pixel / cells->repeat * cells->row_bytes + cells->offset +
           pixel % cells->repeat * cells->width;
}

int64_t armilla_cells_run(const armilla_cells *cells, int64_t pixel)
{
    return cells->repeat - pixel % cells->repeat;
}

armilla_cells_window armilla_cells_look(const armilla_cells *cells, int64_t first, int64_t count)
{
    const int64_t cell = cells->repeat * cells->width;
    const int64_t run = armilla_cells_run(cells, first);
    int64_t most = run;
    if (cell == cells->row_bytes)
        most = BLOCK_BYTES / cells->width;
    else if (cell < SMALL_CELL) /* the rest of this row, and whole ones */
        most = run + BLOCK_BYTES / cells->row_bytes * cells->repeat;
    else
        most = armilla_smaller(run, BLOCK_BYTES / cells->width);
    armilla_cells_window window = {.count = armilla_smaller(count, most),
                                   .at = armilla_cells_byte(cells, first)};
    const int64_t last = armilla_cells_byte(cells, first + window.count - 1);
    window.bytes = last + cells->width - window.at;
    window.is_whole = window.bytes == window.count * cells->width;
    return window;
}

int64_t armilla_cells_room(const armilla_cells *cells, int64_t count)
{
    const int64_t most = BLOCK_BYTES + cells->row_bytes;
    const int64_t rows = count / cells->repeat + 2; /* that the pixels touch */
    return rows < most / cells->row_bytes ? rows * cells->row_bytes : most;
}

armilla_status armilla_cells_check(int64_t first, int64_t count, int64_t npix)
{
    if (first < 0 || first > npix)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT, "first = %lld: must be from 0 to %lld",
                            (long long)first, (long long)npix);
    if (count < 0 || count > npix - first)
        return armilla_fail(ARMILLA_ERROR_ARGUMENT,
                            "count = %lld: must be from 0 to %lld, the pixels from %lld on",
                            (long long)count, (long long)(npix - first), (long long)first);
    return ARMILLA_OK;
}

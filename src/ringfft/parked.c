/* Parks the rows of the first part of the orders in the samples that synthesis is about to make,
 * and fetches them when those of the second part are there; copies rows between the leg of a part
 * and rows of all orders. */
#include "ringfft/parked.h"

#include "base/compiler.h"

#include <string.h>

enum { ROW = 4, ROW_BYTES = ROW * (int)sizeof(double) };

static int64_t first_half(int64_t rows)
{
    return (rows + 1) / 2;
}

int64_t armilla_parked_rows(const armilla_ring_pair *pair, int64_t n)
{
    const int64_t rows = armilla_orders_rows(ARMILLA_ORDERS_FIRST, pair->last);
    return ROW * first_half(rows) <= n ? rows : 0;
}

void armilla_rows_park(int64_t count, const double *leg, int64_t row_length,
                       double *const samples[2])
{
    const int64_t half = first_half(count);
    for (int64_t i = 0; i < half; i++)
        memcpy(samples[0] + ROW * i, leg + i * row_length, ROW_BYTES);
    for (int64_t i = half; i < count; i++)
        memcpy(samples[1] + ROW * (i - half), leg + i * row_length, ROW_BYTES);
}

void armilla_rows_fetch(int64_t count, double *const samples[2], double *rows)
{
    const int64_t half = first_half(count);
    memcpy(rows, samples[0], ROW_BYTES * (size_t)half);
    memcpy(rows + ROW * half, samples[1], ROW_BYTES * (size_t)(count - half));
}

void armilla_rows_transpose(int64_t count, const double *from, int64_t row_length, double *to)
{
    for (int64_t i = 0; i < count; i++, from += row_length, to += ROW) {
        const double im = from[1], south = from[2];
        to[0] = from[0], to[1] = south, to[2] = im, to[3] = from[3];
    }
}

/* --- Rows of all orders ---------------------------------------------------------------------- */

/* Of lengths that are frequent, without a call. */
ARMILLA_ALWAYS_INLINE void copy_columns(double *to, const double *from, int64_t width)
{
    if (width == 4 * ROW)
        memcpy(to, from, 4 * ROW_BYTES);
    else if (width == 2 * ROW)
        memcpy(to, from, 2 * ROW_BYTES);
    else
        memcpy(to, from, sizeof *to * (size_t)width);
}

/* Orders of a part repeat after four rows, with 8 added. */
static void find_first_orders(armilla_orders part, int64_t first[ROW])
{
    for (int64_t row = 0; row < ROW; row++) first[row] = armilla_orders_at(part, row);
}

ARMILLA_ALWAYS_INLINE void copy_part(armilla_orders part, double *leg, int64_t row_length,
                                     const armilla_all_rows *all, const int to_leg)
{
    int64_t first[ROW];
    find_first_orders(part, first);
    for (int64_t low = 0; low <= all->last; low += 8)
        for (int64_t i = 0; i < ROW; i++, leg += row_length) {
            double *row = all->values + (low + first[i]) * all->width;
            if (low + first[i] > all->last) continue;
            copy_columns(to_leg ? leg : row, to_leg ? row : leg, all->width);
        }
}

void armilla_rows_from_part(armilla_orders part, const double *leg, int64_t row_length,
                            const armilla_all_rows *all)
{
    copy_part(part, (double *)leg, row_length, all, 0);
}

void armilla_rows_to_part(armilla_orders part, const armilla_all_rows *all, double *leg,
                          int64_t row_length)
{
    copy_part(part, leg, row_length, all, 1);
}

void armilla_rows_fetch_all(int64_t last, double *const samples[2], int64_t column,
                            const armilla_all_rows *all)
{
    const int64_t rows = armilla_orders_rows(ARMILLA_ORDERS_FIRST, last), half = first_half(rows);
    double *to = all->values + column;
    int64_t first[ROW];
    find_first_orders(ARMILLA_ORDERS_FIRST, first);
    for (int64_t row = 0; row < rows; row++) {
        const int64_t m = row / ROW * 8 + first[row % ROW];
        const double *from = row < half ? samples[0] + ROW * row : samples[1] + ROW * (row - half);
        if (m <= all->last) memcpy(to + m * all->width, from, ROW_BYTES);
    }
}

/* Converts orders m to rows of the ring spectrum and back, for all orders and for either of the two
 * parts into which they are split to halve its memory, by tables of one period. */
#include "leg/orders.h"

/* The first rows of each kind, after which the orders repeat with 4 or 8 added. Even and odd orders
 * take turns: the theta stage takes them in twos. */
static const int64_t orders[3][4] = {{0, 1, 2, 3}, {0, 1, 4, 7}, {2, 3, 6, 5}};

static const int64_t places[3][8] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, -1, -1, 2, -1, -1, 3}, {-1, -1, 0, 1, -1, 3, 2, -1}};

int64_t armilla_orders_row(armilla_orders kind, int64_t m)
{
    if (!kind) return m;
    int64_t row = places[kind][m % 8];
    return row < 0 ? -1 : m / 8 * 4 + row;
}

int64_t armilla_orders_at(armilla_orders kind, int64_t row)
{
    return kind ? row / 4 * 8 + orders[kind][row % 4] : row;
}

int64_t armilla_orders_rows(armilla_orders kind, int64_t mmax)
{
    if (!kind) return mmax + 1;
    int64_t count = 0;
    for (int64_t m = mmax < 7 ? 0 : mmax - 7; m <= mmax; m++) {
        int64_t row = armilla_orders_row(kind, m);
        if (row >= count) count = row + 1;
    }
    return count;
}

int64_t armilla_orders_two(int64_t m)
{
    static const int64_t two[8] = {0, 0, 1, 1, 2, 3, 3, 2};
    return m / 8 * 4 + two[m % 8];
}

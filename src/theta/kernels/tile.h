/* Between rows of leg and a tile, which holds the four vectors of ARMILLA_THETA_TILE ring pairs:
 * even north, even south, odd north, odd south. */
#ifndef ARMILLA_THETA_KERNELS_TILE_H
#define ARMILLA_THETA_KERNELS_TILE_H

#include "legendre/simd/simd.h"
#include "theta/kernels/kernels.h"

#include <stddef.h>
#include <string.h>

enum {
    CHUNK = VLEN > 1 ? 2 : 1, /* neighbouring doubles of a row that share a vector */
    SLOTS = VLEN / CHUNK,
    PAIR = 4 * VLEN /* doubles of a pair in the tile */
};

ARMILLA_ALWAYS_INLINE int64_t tile_end(int64_t begin, int64_t npairs)
{
    return npairs - begin < ARMILLA_THETA_TILE ? npairs : begin + ARMILLA_THETA_TILE;
}

/* The pairs first .. end - 1 of one row. */
ARMILLA_ALWAYS_INLINE void copy_pairs(int64_t first, int64_t end, double *row, double *lanes,
                                      const int to_row)
{
    for (int64_t i = first; i < end; i++, lanes += PAIR) {
        double *pair = row + 4 * i;
        memcpy(to_row ? pair : lanes, to_row ? lanes : pair, CHUNK * sizeof *row);
        memcpy(to_row ? pair + 2 : lanes + VLEN, to_row ? lanes + VLEN : pair + 2,
               CHUNK * sizeof *row);
    }
}

ARMILLA_ALWAYS_INLINE void copy_tile(const armilla_theta_rows *rows, int64_t begin, int64_t end,
                                     double *tile, const int to_rows)
{
    for (int parity = 0; parity < 2; parity++)
        for (int slot = 0; slot < SLOTS; slot++) {
            const int64_t row_first = rows->first[parity][slot];
            const int64_t first = begin < row_first ? row_first : begin;
            double *row = rows->row[parity][slot];
            double *lanes = tile + (first - begin) * PAIR + 2 * parity * VLEN + slot * CHUNK;
            if (row) copy_pairs(first, end, row, lanes, to_rows);
        }
}

/* Pairs begin .. end - 1 of the rows to the tile; zeros where a row does not exist. */
static inline void gather(const armilla_theta_rows *rows, int64_t begin, int64_t end, double *tile)
{
    int complete = 1;
    for (int i = 0; i < 2 * SLOTS; i++)
        complete &= rows->row[i / SLOTS][i % SLOTS] && rows->first[i / SLOTS][i % SLOTS] <= begin;
    if (!complete) memset(tile, 0, (size_t)((end - begin) * PAIR) * sizeof *tile);
    copy_tile(rows, begin, end, tile, 0);
}

static inline void scatter(const armilla_theta_rows *rows, int64_t begin, int64_t end, double *tile)
{
    copy_tile(rows, begin, end, tile, 1);
}

#endif

/* Where the entries of a leg are, and how stages reach them.
 *
 * A leg is in memory, but for the first pairs, which may wait in the array that the call will write
 * in the end:
 *
 *     synthesis   in the samples of the map, pair by pair: all orders of a pair
 *     analysis    in alm, order by order: of order m, the pairs from the poles on whose entries fit
 *                 into its row
 *
 * That is the home of these pairs. The stage that writes leg puts their entries there; the other
 * stage takes those of an order or a pair just before it writes the same memory. Maps and alm hold
 * doubles, alm without gaps in its rows. docs/architecture.md 1.
 *
 * Stages see none of this. They open rows (Legendre, theta) or columns (rings): these are the leg's
 * own memory, or copies in the stage's scratch, filled for a stage that reads, and put where they
 * belong when a stage that writes closes them. */
#ifndef ARMILLA_LEG_HOME_H
#define ARMILLA_LEG_HOME_H

#include "armilla/grid.h"
#include "base/healpix.h"
#include "base/machine.h"
#include "leg/leg.h"

/* Where a pair waits in maps. Its first orders are in its north ring, the next ones in its south
 * ring. Those for which the samples have no room, the rest, are in memory of the call. All three
 * begin at a cache line: in a ring at its first one, wherever the map begins. In NESTED order
 * number i of an entry or of a ring's entries is at the ring's pixel i: no place belongs to two
 * rings. */
typedef struct armilla_home_place {
    int64_t ring[2];  /* place of the first sample in the map; NESTED: the ring's number */
    int64_t nrows[2]; /* orders in each ring, a multiple of eight unless it has all of them */
    int64_t rest;     /* place of the others, doubles */
} armilla_home_place;

/* A plan makes it; a call says where its arrays are. */
struct armilla_leg_home {
    const armilla_ring_pairs *pairs; /* borrowed */
    int64_t npairs;                  /* the pairs 0 .. npairs - 1 are there */
    armilla_home_place *places;      /* in maps: of each pair; NULL: in alm */
    int64_t rest_size; /* in maps: doubles in memory of the call, for one set; whole cache lines */
    armilla_scheme nested; /* of maps in NESTED order, else nside = 0 */

    double *values;        /* map or alm */
    int64_t distance;      /* doubles between the arrays of two sets */
    double *rest;          /* in maps: of all sets */
    int64_t lmax;          /* in alm */
    const int64_t *mstart; /* in alm: a_lm is complex number mstart[m] + l of its set */
};

/* All pairs in maps. Given: the rings of the pairs; no two pairs share one; nside of maps in NESTED
 * order, else 0. Errors: MEMORY; *home is empty then. */
armilla_status armilla_leg_home_in_maps(const armilla_ring_pairs *pairs, const armilla_ring *rings,
                                        int64_t nside, armilla_leg_home *home);

/* As many pairs in alm as can have all their entries there. */
armilla_leg_home armilla_leg_home_in_alm(const armilla_ring_pairs *pairs, int64_t lmax,
                                         int64_t mmax);

/* Frees what the struct holds and empties it. */
void armilla_leg_home_clear(armilla_leg_home *home);
int64_t armilla_leg_home_bytes(const armilla_leg_home *home);

/* --- Rows ------------------------------------------------------------------------------------ */

/* Some rows of some sets of a leg. */
typedef struct armilla_leg_rows {
    /* given */
    const armilla_leg *of;
    int64_t first_set, nsets;
    int64_t first, count; /* rows */
    int whole;            /* in one block, in which each row has all pairs */

    /* opened: the rows are those from `row` on, from set `set` on, of this leg, in memory */
    const armilla_leg *leg;
    int64_t set, row;
    armilla_leg copy; /* in scratch */
    armilla_leg_layout layout;
    armilla_leg_block block;
} armilla_leg_rows;

/* Opens rows of which `of`, the sets, `first`, `count` and `whole` are given. reads: what they hold
 * is asked for. scratch: armilla_leg_row_length of all pairs, for each row and set, if they are
 * whole, else armilla_leg_rows_scratch doubles. */
void armilla_leg_rows_open(armilla_leg_rows *rows, int reads, double *scratch);

/* After every entry that exists has been written. machine: whose caches copies may go past. */
void armilla_leg_rows_close(armilla_leg_rows *rows, const armilla_machine *machine);

/* Rows of a leg that is nothing but them, in memory for count nsets armilla_leg_row_length. */
void armilla_leg_rows_make(const armilla_ring_pairs *pairs, const int64_t *orders, int64_t count,
                           int64_t nsets, double *values, armilla_leg_rows *rows);

/* How many rows to open at once where any number up to `most` is as good; and the scratch for them,
 * doubles, 0 where they are in memory. home: of the leg, or what it will be; NULL: memory. */
int64_t armilla_leg_rows_at_once(const armilla_leg_home *home, int64_t most);
int64_t armilla_leg_rows_scratch(const armilla_leg_home *home, int64_t nsets);

/* The order of a row. */
static inline int64_t armilla_leg_rows_order(const armilla_leg_rows *rows, int64_t i)
{
    return rows->leg->layout->orders[rows->row + i];
}

/* --- Columns --------------------------------------------------------------------------------- */

/* Neighbouring pairs of a leg with their orders. */
typedef struct armilla_leg_columns {
    const armilla_leg *of;
    int64_t first, count;           /* pairs */
    armilla_orders kind;            /* of their orders */
    const armilla_leg_block *block; /* NULL: they are copies */
} armilla_leg_columns;

/* The pairs of a leg fall into batches of `size` neighbours, or less: how many batches, and one of
 * them. Pairs that wait elsewhere come first. With orders in parts, the leg of order 0 has them,
 * with all orders. */
int64_t armilla_leg_columns_count(const armilla_leg *leg, int64_t size);
armilla_leg_columns armilla_leg_columns_batch(const armilla_leg *leg, int64_t size, int64_t index);

/* Are they copies? The lines of the array that they belong to are in the caches then. */
static inline int armilla_leg_columns_are_near(const armilla_leg_columns *columns)
{
    return !columns->block;
}

/* How many of `count` columns to open at once: of copies no more than `most`. */
static inline int64_t armilla_leg_columns_at_once(const armilla_leg_columns *columns, int64_t count,
                                                  int64_t most)
{
    return columns->block || count < most ? count : most;
}

/* Columns that are open: of nsets sets from `set` on. Pairs are neighbours, rows row_length apart.
 */
typedef struct armilla_leg_view {
    int64_t first, count, set, nsets;
    double *values;
    int64_t row_length, set_length;
} armilla_leg_view;

/* Opens the columns view->first .. view->first + view->count - 1 from the set view->set on, which
 * are given, and finds out how many sets come at once. reads, scratch: as for rows. */
void armilla_leg_columns_open(const armilla_leg_columns *columns, int reads, double *scratch,
                              armilla_leg_view *view);
void armilla_leg_columns_close(const armilla_leg_columns *columns, const armilla_leg_view *view);

/* Doubles of scratch for columns of so many orders and pairs at once. home: as for rows. */
int64_t armilla_leg_columns_scratch(const armilla_leg_home *home, int64_t norders, int64_t pairs);

#endif

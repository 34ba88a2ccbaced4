/* The ring spectrum leg, which every transform passes between its stages: for every order m and
 * every ring at colatitude theta the complex number F_m(theta).
 *
 *     legendre    alm <-> leg
 *     theta       leg on some rings <-> leg on others
 *     ringfft     leg <-> map
 *
 * An entry holds both rings of a pair: north re, north im, south re, south im. Pairs are cut into
 * blocks of neighbours; a block has rows of entries, one per order, pair fastest:
 *
 *     values + nsets block->begin + (set block->nrows + row) block->row_length + 4 (pair - first)
 *
 * A set is one component of one transform. Entry (m, pair) exists if and only if
 * m <= pairs->limit[pair]: a stage writes all entries that exist and reads no others, so nobody has
 * to clear anything. Near the poles few orders exist: a block has no rows behind the last one with
 * an entry in it. A *pass* is a leg that fits the memory budget of a plan: some of the pairs with
 * all orders, or all pairs with some of the orders (leg/passes.h). */
#ifndef ARMILLA_LEG_LEG_H
#define ARMILLA_LEG_LEG_H

#include "leg/orders.h"
#include "leg/pairs.h"

typedef struct armilla_leg_block {
    int64_t first, npairs; /* pairs */
    int64_t nrows;         /* rows of the layout's first orders */
    int64_t row_length;    /* doubles between rows, whole cache lines */
    int64_t begin;         /* doubles that the blocks before it take for one set */
} armilla_leg_block;

/* Kinds other than LISTED are those of orders divided by pairs->step. */
typedef struct armilla_leg_layout {
    const armilla_ring_pairs *pairs; /* borrowed */
    armilla_orders kind;             /* which orders the list has */
    int64_t norders;
    int64_t *orders; /* of the rows, in any sequence; an order above every limit has no entries */
    int64_t nblocks;
    armilla_leg_block *blocks; /* neighbours */
    int64_t size;              /* doubles for one set */
} armilla_leg_layout;

typedef struct armilla_leg_home armilla_leg_home; /* leg/home.h */

typedef struct armilla_leg {
    const armilla_leg_layout *layout;
    int64_t nsets;
    double *values;               /* nsets layout->size doubles, 64-byte aligned */
    const armilla_leg_home *home; /* of pairs that the layout leaves out; NULL: there are none */
    int is_float;                 /* values are floats, as many of them; on a GPU alone */
} armilla_leg;

/* What a layout is made of. */
typedef struct armilla_leg_shape {
    const armilla_ring_pairs *pairs; /* must outlive the layout */
    int64_t first_pair, npairs;      /* the part of the pairs it covers */
    int64_t block_size;              /* pairs of a block, the last one may have less */
    int64_t room;                    /* rows have room for whole multiples of so many pairs */
    armilla_orders kind;
    int64_t mmax;          /* kinds other than LISTED: the largest order, divided by pairs->step */
    int64_t norders;       /* LISTED */
    const int64_t *orders; /* LISTED: copied */
} armilla_leg_shape;

/* Errors: MEMORY; *layout is empty then. */
armilla_status armilla_leg_layout_make(const armilla_leg_shape *shape, armilla_leg_layout *layout);

/* Gives a layout of one block a row for each of its orders, and rows of that length. */
void armilla_leg_layout_even(armilla_leg_layout *layout, int64_t row_length);

/* Frees what the struct holds and empties it. */
void armilla_leg_layout_clear(armilla_leg_layout *layout);

int64_t armilla_leg_layout_bytes(const armilla_leg_layout *layout);

/* Doubles of a row of so many pairs: whole cache lines, an odd number of them, since rows must not
 * all fall into one cache set. */
int64_t armilla_leg_row_length(int64_t npairs);

/* The entry of a block's first pair. */
static inline double *armilla_leg_row(const armilla_leg *leg, const armilla_leg_block *block,
                                      int64_t set, int64_t row)
{
    return leg->values + leg->nsets * block->begin + (set * block->nrows + row) * block->row_length;
}

/* Doubles between the rows of two sets. */
static inline int64_t armilla_leg_set_length(const armilla_leg_block *block)
{
    return block->nrows * block->row_length;
}

#endif

/* What a plan for the mixing of rings holds.
 *
 * Pairs of rings go by tiles of TILE neighbours, tiles by slabs. Slabs come one after the other: a
 * slab of the map is read when the first tile sees it, and written when the last one that sees it
 * is done, so that only the slabs within the support are in memory. What pairs p of a tile and q of
 * another give each other is K_m(theta_p, theta_q) times the orders of the other, both ways; tiles
 * further north have done their part already.
 *
 * A kernel that jumps has all orders of rings, and wide supports would have most of them in memory.
 * Its orders do not share sums, so that they can go by passes: some blocks of orders of all slabs,
 * then the next ones, which are added to the map. Each pass transforms all rings once more. */
#ifndef ARMILLA_RADIAL_MIXING_PLAN_H
#define ARMILLA_RADIAL_MIXING_PLAN_H

#include "base/integer.h"
#include "leg/leg.h"
#include "radial/mixing/mixing.h"
#include "radial/mixing/frame.h"
#include "radial/mixing/table.h"
#include "ringfft/ringfft.h"

enum {
    ARMILLA_MIXING_TILE = 16, /* pairs */
    ARMILLA_MIXING_SHARE = 8, /* blocks of the lower half in a task, at most */
    ARMILLA_MIXING_INPUT = 0,
    ARMILLA_MIXING_OUTPUT = 1
};

typedef struct armilla_mixing_tile {
    int64_t nblocks; /* of orders, even */
    int64_t part;    /* pairs of another tile that go together: all, a half or a quarter */
    int smooth;      /* table of a smooth kernel; -1: none */
    int64_t piece,
        nsegments; /* what the tile sees: its pieces are piece .. piece + nsegments - 1 */
    int wanted;    /* output */
} armilla_mixing_tile;

/* A segment of a tile: groups and samples of all pieces before it. */
typedef struct armilla_mixing_piece {
    int64_t groups, samples;
} armilla_mixing_piece;

/* Pieces whose samples are in memory at once: those of tiles of one slab, with equal nblocks; or,
 * where those of one tile are too many, some of them. */
typedef struct armilla_mixing_round {
    int64_t first, count; /* tiles */
    int64_t from, to;     /* pieces */
    int last;             /* none is left of these tiles */
} armilla_mixing_round;

/* The pairs of a slab whose rings are read, or written. */
typedef struct armilla_mixing_side {
    armilla_ring_pairs pairs;
    int64_t *place;              /* of each pair of the grid in `pairs`; -1: not there */
    armilla_leg_layout *layouts; /* of each slab; without blocks where there are no pairs */
} armilla_mixing_side;

struct armilla_mixing {
    const armilla_mixing_kernels *kernels;
    const armilla_profile *profile; /* borrowed */
    armilla_mixing_frame frame;
    armilla_ringfft *ringfft;
    int64_t ntables;
    armilla_mixing_table *tables;
    int32_t (*discrete)[2]; /* of a pair: tables for even and odd half pixels; -1: none */
    int64_t ntiles, nrounds;
    armilla_mixing_tile *tiles;
    int64_t npieces;
    armilla_mixing_piece *pieces; /* and one more: the end */
    armilla_mixing_round *rounds;
    int64_t slab, nslabs, nslots;     /* pairs of a slab; slabs in memory */
    int64_t span, npasses;            /* blocks of orders of a pass, even */
    int64_t *slab_blocks, *slab_last; /* blocks of orders of a slab; the last slab that it sees */
    int64_t nblocks;                  /* the most */
    int64_t npixels;                  /* of all rings */
    armilla_mixing_side side[2];
    int64_t leg_size;                                 /* doubles of the largest layout */
    int64_t most_groups, most_samples, most_segments; /* of a round; segments too */
    int64_t waves_size; /* doubles of the waves of a block that tasks make; 0: they make none */
    int64_t most_share; /* blocks of the lower half that a task has at most */
};

/* Blocks for orders up to `limit`: tables of few sizes, each at most 1/16 too large. */
int64_t armilla_mixing_blocks(int64_t limit);

/* Samples of the kernel that pieces of a round have together, unless one alone has more: 5 % of
 * input and output. */
static inline int64_t armilla_mixing_room(const armilla_mixing *mixing)
{
    return (1 + mixing->profile->turns) * mixing->npixels / 10;
}

/* Behind the last pair of a tile. */
static inline int64_t armilla_mixing_tile_end(const armilla_mixing *mixing, int64_t tile)
{
    return armilla_smaller((tile + 1) * ARMILLA_MIXING_TILE, mixing->frame.pairs.count);
}

/* Chooses slabs, passes and rounds for a plan that has its tiles. Errors: MEMORY. */
armilla_status armilla_mixing_make_slabs(armilla_mixing *mixing);

#endif

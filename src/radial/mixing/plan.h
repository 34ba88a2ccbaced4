/* What a plan for the mixing of rings holds, in five words:
 *
 *              q = 0    16    32    48    64                 orders of a pair of rings
 *          p = 0 +-----+-----+-----+- - -+ -                m = 0    16    32    48
 *               /|  s  |  s  |  s  |     .   \                +-----+-----+-----+-----+
 *   slab, two  / +-----+-----+-----+-----+    one or more     |span |span |span |span |
 *   tiles      \ .     |  s  |  s  |  s  |    rounds          +-----+-----+-----+-----+
 *               \. - - +-----+-----+-----+   /                 |  a pass   |   another
 *              32       .     |  s  |  s  |  -
 *
 *   tile     16 neighbouring pairs of rings, p of one and q of another
 *   segment  (s) the (p, q) of a tile with itself, or with one further south, or some pairs of it,
 *            that it sees. Their K_m serve both ways: p get what q have, and q what p have. Four
 *            (p, q) that need the same cosines are sampled side by side
 *   round    segments whose samples of the kernel are in memory at once: those of tiles of one slab
 *   slab     tiles that are read and written at once: read when the first tile sees them, written
 *            when the last one that sees them is done. Only slabs within the support are in memory
 *   span     16 orders, which kernels work on at once
 *
 * A kernel that jumps has all orders of rings, and wide supports would have most of them in memory.
 * Its orders do not share sums, so that they can go by passes: some spans of all slabs, then the
 * next ones, which are added to the map. Each pass transforms all rings once more. */
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
    ARMILLA_MIXING_TASK = 8,  /* spans of the lower half in a task, at most */
    ARMILLA_MIXING_INPUT = 0,
    ARMILLA_MIXING_OUTPUT = 1
};

typedef struct armilla_mixing_tile {
    int64_t nspans;                   /* even */
    int64_t most_pairs;               /* of another tile in a segment: all, a half or a quarter */
    int smooth;                       /* table of a smooth kernel; -1: none */
    int64_t first_segment, nsegments; /* what the tile sees */
    int wanted;                       /* output */
} armilla_mixing_tile;

/* Where a segment begins: fours (p, q) and samples of all segments before it. */
typedef struct armilla_mixing_start {
    int64_t fours, samples;
} armilla_mixing_start;

/* Segments of tiles of one slab, with equal nspans; or, where those of one tile are too many, some
 * of them. */
typedef struct armilla_mixing_round {
    int64_t first, count; /* tiles */
    int64_t from, to;     /* segments */
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
    int64_t nsegments;
    armilla_mixing_start *starts; /* and one more: the end */
    armilla_mixing_round *rounds;
    int64_t slab, nslabs, nkept;     /* pairs of a slab; slabs in memory */
    int64_t in_pass, npasses;        /* spans of a pass, even */
    int64_t *slab_spans, *slab_last; /* spans of a slab; the last slab that it sees */
    int64_t nspans;                  /* the most */
    int64_t npixels;                 /* of all rings */
    armilla_mixing_side side[2];
    int64_t leg_size;                                /* doubles of the largest layout */
    int64_t most_fours, most_samples, most_segments; /* of a round; segments too */
    int64_t waves_size;   /* doubles of the waves of a span that tasks make; 0: they make none */
    int64_t most_in_task; /* spans of the lower half that a task has at most */
};

/* Spans for orders up to `limit`: tables of few sizes, each at most 1/16 too large. */
int64_t armilla_mixing_spans(int64_t limit);

/* Samples of the kernel that segments of a round have together, unless one alone has more: 5 % of
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

/* Samples of the kernel between the pairs of a tile and all that they see. */
#ifndef ARMILLA_RADIAL_MIXING_TILES_H
#define ARMILLA_RADIAL_MIXING_TILES_H

#include "radial/mixing/plan.h"

/* Pairs q that a tile sees: a tile further south or itself, or some of it; directly or (crossed)
 * the northern rings of one and the southern of the other. */
typedef struct armilla_mixing_segment {
    int64_t first, count; /* pairs */
    int64_t from;         /* pair of the tile: those before it see nothing of the segment */
    int crossed;
    int64_t first_four, nfours;
} armilla_mixing_segment;

/* Where they are written to. */
typedef struct armilla_mixing_list {
    armilla_mixing_segment *segments;
    armilla_mixing_four *fours;
    double *samples; /* NULL: counted only */
    int64_t nsegments, nfours, nsamples;
    int64_t from, to, seen; /* segments of the tile that are wanted; those looked at, 0 at first */
    armilla_mixing_start *starts; /* NULL, or [segment of the tile]: where it begins */
} armilla_mixing_list;

/* Appends what the tile sees. Given: nsegments, nfours, nsamples: places of the first ones. */
void armilla_mixing_list_segments(const armilla_mixing *mixing, int64_t tile,
                                  armilla_mixing_list *list);

#endif

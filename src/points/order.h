/* Points in the sequence in which they are worked on: by half of the zone, by bands of rings from
 * the pole to the equator, by tiles along the rings; so that neighbours see the same samples. */
#ifndef ARMILLA_POINTS_ORDER_H
#define ARMILLA_POINTS_ORDER_H

#include "points/survey.h"

enum {
    ARMILLA_TILE_RINGS = 16,  /* of a band */
    ARMILLA_TILE_SAMPLES = 96 /* along a ring: a tile's samples stay in the first-level cache */
};

/* Rows u = theta whole / pi - 1/2 - first and columns v = phi nphi / (2 pi) are kept relative to
 * the tile: as numbers below 100 they have 1e-14 of a sample, where their own rounding would have
 * 1e-12. */
typedef struct armilla_points_order {
    int64_t count;
    double *u, *v;   /* from armilla_points_band_row, and from ARMILLA_TILE_SAMPLES tile, on */
    uint32_t *place; /* of the caller's points; or NULL, and: */
    uint32_t *turn;  /* of each of the caller's points, its number here; NULL if places are there */
    int64_t nrings, nbands, ntiles; /* bands of a hemisphere; tiles of a band */
    int64_t *start; /* first point of each tile, [2 nbands][ntiles], and the end; north first */
} armilla_points_order;

/* The northernmost ring of a band; below 0 where that of the south reaches beyond the north pole.
 */
static inline int64_t armilla_points_band_row(const armilla_points_order *order, int south,
                                              int64_t band)
{
    return south ? order->nrings - (band + 1) * ARMILLA_TILE_RINGS : band * ARMILLA_TILE_RINGS;
}

/* Bands of a hemisphere. */
static inline int64_t armilla_points_count_bands(const armilla_sampling *sampling)
{
    return (sampling->nrings / 2 + ARMILLA_TILE_RINGS - 1) / ARMILLA_TILE_RINGS;
}

/* Given: locations within the sampling's extent; nthreads that sort, 0: all; ncomp of the values.
 * Where neighbours lie far from each other in the caller's arrays, and there are two components,
 * turns take the place of places (turns.h).
 * Errors: MEMORY; *order is empty then. */
armilla_status armilla_points_order_make(const armilla_points_locations *locations,
                                         const armilla_sampling *sampling, int nthreads,
                                         int64_t ncomp, armilla_points_order *order);
/* The band of each point, of either hemisphere: 0 at the poles.
 * Returned: band  [locations->count].  Errors: MEMORY. */
armilla_status armilla_points_find_bands(const armilla_points_locations *locations,
                                         const armilla_sampling *sampling, int64_t *band);
void armilla_points_order_clear(armilla_points_order *order);
int64_t armilla_points_order_bytes(const armilla_points_order *order);

#endif

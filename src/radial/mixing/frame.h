/* Which rings see each other, and how many orders they need. */
#ifndef ARMILLA_RADIAL_MIXING_FRAME_H
#define ARMILLA_RADIAL_MIXING_FRAME_H

#include "armilla/grid.h"
#include "leg/pairs.h"
#include "radial/mixing/band.h"

typedef struct armilla_mixing_frame {
    int64_t nrings;
    armilla_ring *rings;
    int64_t nested;           /* nside of maps in NESTED order, else 0 */
    armilla_ring_pairs pairs; /* limit: orders that matter */
    double *sine;             /* of each pair's colatitude */
    /* Pairs with the same number of pixels, next to each other, whose longitudes differ by whole
     * half pixels, have the same stretch: the discrete K_m serve them. -1: none. */
    int64_t *stretch;
    uint8_t *half; /* pixels lie at odd multiples of half a pixel */
    /* pairs first .. last are within the support, and those from `across` on, whose southern ring
     * is within the support of the northern one */
    int64_t *first, *last, *across;
    int smooth;
} armilla_mixing_frame;

/* Errors: MEMORY; *frame is empty then. */
armilla_status armilla_mixing_frame_make(const armilla_grid *grid, const armilla_profile *profile,
                                         armilla_isa isa, armilla_mixing_frame *frame);

/* A cleared one is allowed. */
void armilla_mixing_frame_clear(armilla_mixing_frame *frame);

/* Do the discrete K_m serve all that the pair sees? */
int armilla_mixing_is_discrete(const armilla_mixing_frame *frame, int64_t pair);

/* Pixels of a pair's rings; 0 if they differ. */
int64_t armilla_mixing_pixels(const armilla_mixing_frame *frame, int64_t pair);

/* About how many samples of the kernel make K_m of a ring within sight of the pair, up to the end
 * of the profile. */
double armilla_mixing_samples(const armilla_mixing_frame *frame, const armilla_profile *profile,
                              int64_t pair);

int64_t armilla_mixing_frame_bytes(const armilla_mixing_frame *frame);

#endif

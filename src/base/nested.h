/* Where the pixels of HEALPix rings are in a map of NESTED order. The ring goes through faces from
 * west to east; on a face, x grows by 1 and y falls by 1 from pixel to pixel. The bits of x are at
 * the even places of the pixel's number, those of y at the odd ones, and both step there:
 *
 *     x + 1  ->  (x - EVEN) and EVEN        y - 1  ->  (y - 2) and ODD
 *
 * because carries go through places that are all ones, and borrows through zeros.
 * docs/mathematics.md (12.1); L. Stocco and G. Schrack, 1995, "Integer dilation and contraction for
 * quadtrees and octrees". */
#ifndef ARMILLA_BASE_NESTED_H
#define ARMILLA_BASE_NESTED_H

#include "base/healpix.h"

#define ARMILLA_NESTED_EVEN ((uint64_t)0x5555555555555555u)
#define ARMILLA_NESTED_ODD  ((uint64_t)0xaaaaaaaaaaaaaaaau)

/* A stretch of a ring on one face: `count` pixels. */
typedef struct armilla_nested_run {
    int64_t face;  /* number of the face's first pixel */
    uint64_t x, y; /* of the first pixel, at their places in its number */
    int64_t count;
} armilla_nested_run;

static inline armilla_scheme armilla_nested_scheme(int64_t nside)
{
    int order = 0;
    while ((int64_t)1 << order < nside) order++;
    return (armilla_scheme){.nside = nside,
                            .npix = 12 * nside * nside,
                            .cap = 2 * nside * (nside - 1),
                            .order = order,
                            .nested = 1};
}

/* From pixel j of ring r (0 to 4 nside - 2) on, to the end of the face, and at most `most`. */
static inline armilla_nested_run armilla_nested_run_at(const armilla_scheme *s, int64_t r,
                                                       int64_t j, int64_t most)
{
    const armilla_face_position at = armilla_ring_place(s, r + 1, j);
    const int64_t right = s->nside - 1 - at.x, end = (right < at.y ? right : at.y) + 1;
    return (armilla_nested_run){at.face << (2 * s->order), (uint64_t)armilla_spread_bits(at.x),
                                (uint64_t)armilla_spread_bits(at.y) << 1, end < most ? end : most};
}

/* On to the next pixel, whose number is face + (x | y). */
static inline void armilla_nested_step(armilla_nested_run *run)
{
    run->x = (run->x - ARMILLA_NESTED_EVEN) & ARMILLA_NESTED_EVEN;
    run->y = (run->y - 2) & ARMILLA_NESTED_ODD;
}

#endif

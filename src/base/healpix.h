/* The HEALPix numbers of one nside as short functions for loops over pixels: rings, places on the
 * 12 faces, numbers in RING and NESTED order. Whole numbers alone: directions are in
 * grid/healpix_scheme.h. Those that kernels of a GPU use are C++ as well. docs/mathematics.md
 * (12.1), (12.2). */
#ifndef ARMILLA_BASE_HEALPIX_H
#define ARMILLA_BASE_HEALPIX_H

#include "base/host_device.h"

#include <math.h>
#include <stdint.h>

typedef struct armilla_scheme {
    int64_t nside, npix;
    int64_t cap; /* pixels of a polar cap: those of the rings 1 .. nside - 1 */
    int order;   /* log2(nside); -1: nside is no power of two */
    int nested;  /* how pixels are numbered */
} armilla_scheme;

/* 0 <= x, y < nside; x grows to the north-east, y to the north-west. Faces 0 .. 3 touch the north
 * pole, 4 .. 7 lie on the equator, 8 .. 11 touch the south pole. */
typedef struct armilla_face_position {
    int64_t face, x, y;
} armilla_face_position;

/* --- Whole numbers ---------------------------------------------------------------------------- */

/* Puts the bits 0, 1, 2, ... of v at the places 0, 2, 4, ... */
ARMILLA_HOST_DEVICE int64_t armilla_spread_bits(int64_t value)
{
    uint64_t v = (uint64_t)value;
    v = (v | v << 16) & 0x0000ffff0000ffffu;
    v = (v | v << 8) & 0x00ff00ff00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0f0f0f0f0fu;
    v = (v | v << 2) & 0x3333333333333333u;
    return (int64_t)((v | v << 1) & 0x5555555555555555u);
}

/* The inverse: bits at odd places are dropped. */
ARMILLA_HOST_DEVICE int64_t armilla_gather_bits(int64_t value)
{
    uint64_t v = (uint64_t)value & 0x5555555555555555u;
    v = (v | v >> 1) & 0x3333333333333333u;
    v = (v | v >> 2) & 0x0f0f0f0f0f0f0f0fu;
    v = (v | v >> 4) & 0x00ff00ff00ff00ffu;
    v = (v | v >> 8) & 0x0000ffff0000ffffu;
    return (int64_t)((v | v >> 16) & 0x00000000ffffffffu);
}

/* floor(sqrt(v)) in integers: the rounded square root may be one off for large v. */
ARMILLA_HOST_DEVICE int64_t armilla_integer_sqrt(int64_t v)
{
    int64_t root = (int64_t)sqrt((double)v);
    while (root * root > v) root--;
    while ((root + 1) * (root + 1) <= v) root++;
    return root;
}

/* floor(v), |v| < 2^62, without a call. */
ARMILLA_HOST_DEVICE int64_t armilla_floor(double v)
{
    int64_t cut = (int64_t)v;
    return cut - (v < (double)cut);
}

/* --- Rings 1 .. 4 nside - 1 --------------------------------------------------------------------
 */

/* A quarter of the ring's pixels. */
ARMILLA_HOST_DEVICE int64_t armilla_ring_quarter(const armilla_scheme *s, int64_t ring)
{
    int64_t mirrored = 4 * s->nside - ring;
    int64_t quarter = ring < mirrored ? ring : mirrored;
    return quarter < s->nside ? quarter : s->nside;
}

/* RING number of the ring's first pixel. Selections instead of branches: pixels come in any order.
 */
ARMILLA_HOST_DEVICE int64_t armilla_ring_first(const armilla_scheme *s, int64_t ring)
{
    int64_t n = s->nside, quarter = armilla_ring_quarter(s, ring);
    int64_t north = 2 * quarter * (quarter - 1), south = s->npix - north - 4 * quarter;
    int64_t belt = s->cap + (ring - n) * 4 * n, cap = ring < 2 * n ? north : south;
    return quarter < n ? cap : belt;
}

/* 1 where the first pixel lies half a pixel east of longitude 0, else 0. */
ARMILLA_HOST_DEVICE int64_t armilla_ring_shift(const armilla_scheme *s, int64_t ring)
{
    return (armilla_ring_quarter(s, ring) < s->nside) | (((ring - s->nside) & 1) == 0);
}

/* The ring of a RING number. */
ARMILLA_HOST_DEVICE int64_t armilla_ring_of(const armilla_scheme *s, int64_t pixel)
{
    if (pixel < s->cap) return (1 + armilla_integer_sqrt(1 + 2 * pixel)) / 2;
    if (pixel >= s->npix - s->cap)
        return 4 * s->nside - (1 + armilla_integer_sqrt(1 + 2 * (s->npix - 1 - pixel))) / 2;
    int64_t inside = pixel - s->cap;
    return s->nside + (s->order >= 0 ? inside >> (s->order + 2) : inside / (4 * s->nside));
}

/* --- Places on faces ---------------------------------------------------------------------------
 */

/* Longitude of the face's middle in units of pi / 4. */
ARMILLA_HOST_DEVICE int64_t armilla_face_column(int64_t face)
{
    return 2 * (face & 3) + (face >> 2 != 1);
}

ARMILLA_HOST_DEVICE int64_t armilla_face_ring(const armilla_scheme *s,
                                              const armilla_face_position *at)
{
    return (2 + (at->face >> 2)) * s->nside - at->x - at->y - 1;
}

ARMILLA_HOST_DEVICE int64_t armilla_face_to_ring(const armilla_scheme *s,
                                                 const armilla_face_position *at)
{
    int64_t ring = armilla_face_ring(s, at), quarter = armilla_ring_quarter(s, ring);
    int64_t p = armilla_face_column(at->face) * quarter + at->x - at->y;
    int64_t j =
        (p - armilla_ring_shift(s, ring)) / 2; /* even: exact; -nside / 2 .. 4 quarter - 1 */
    return armilla_ring_first(s, ring) + j + (j < 0 ? 4 * quarter : 0);
}

/* floor(v / nside) for v >= 0. */
ARMILLA_HOST_DEVICE int64_t armilla_faces_in(const armilla_scheme *s, int64_t v)
{
    return s->order >= 0 ? v >> s->order : v / s->nside;
}

/* The pixel of the belt that has so many lines of constant y (falling) and of constant x (rising)
 * to the west of it, counted from half a face west of longitude 0: on ring 2 nside + falling -
 * rising, at p = falling + rising - nside + 1. */
ARMILLA_HOST_DEVICE armilla_face_position armilla_belt_position(const armilla_scheme *s,
                                                                int64_t falling, int64_t rising)
{
    int64_t down = armilla_faces_in(s, falling), up = armilla_faces_in(s, rising);
    int64_t face = 4 * (1 + down - up) + ((down + up) & 7) / 2;
    armilla_face_position at = {face, rising - up * s->nside,
                                s->nside - 1 - (falling - down * s->nside)};
    return at;
}

/* The inverse of armilla_face_to_ring for pixel j of a ring. In the caps the face is the quarter of
 * the ring. */
ARMILLA_HOST_DEVICE armilla_face_position armilla_ring_place(const armilla_scheme *s, int64_t ring,
                                                             int64_t j)
{
    int64_t quarter = armilla_ring_quarter(s, ring);
    if (quarter == s->nside) {
        int64_t sum = 2 * j + armilla_ring_shift(s, ring) + s->nside - 1,
                apart = ring - 2 * s->nside;
        return armilla_belt_position(s, (sum + apart) / 2, (sum - apart) / 2);
    }
    int64_t turn = (j >= quarter) + (j >= 2 * quarter) + (j >= 3 * quarter);
    int64_t rising = j - turn * quarter, falling = quarter - 1 - rising;
    armilla_face_position at = {8 + turn, rising, falling};
    if (ring < s->nside)
        at.face = turn, at.x = s->nside - 1 - falling, at.y = s->nside - 1 - rising;
    return at;
}

ARMILLA_HOST_DEVICE armilla_face_position armilla_ring_to_face(const armilla_scheme *s,
                                                               int64_t pixel)
{
    int64_t ring = armilla_ring_of(s, pixel);
    return armilla_ring_place(s, ring, pixel - armilla_ring_first(s, ring));
}

ARMILLA_HOST_DEVICE armilla_face_position armilla_nest_to_face(const armilla_scheme *s,
                                                               int64_t pixel)
{
    int64_t face = pixel >> (2 * s->order), inside = pixel - (face << (2 * s->order));
    return (armilla_face_position){face, armilla_gather_bits(inside),
                                   armilla_gather_bits(inside >> 1)};
}

ARMILLA_HOST_DEVICE int64_t armilla_face_to_nest(const armilla_scheme *s,
                                                 const armilla_face_position *at)
{
    return (at->face << (2 * s->order)) + armilla_spread_bits(at->x) +
           2 * armilla_spread_bits(at->y);
}

/* Number -> place and back, in the order of the scheme; pixels must be in range. */
ARMILLA_HOST_DEVICE armilla_face_position armilla_scheme_locate(const armilla_scheme *s,
                                                                int64_t pixel)
{
    return s->nested ? armilla_nest_to_face(s, pixel) : armilla_ring_to_face(s, pixel);
}

ARMILLA_HOST_DEVICE int64_t armilla_scheme_number(const armilla_scheme *s,
                                                  const armilla_face_position *at)
{
    return s->nested ? armilla_face_to_nest(s, at) : armilla_face_to_ring(s, at);
}

#endif

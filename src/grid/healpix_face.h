/* A HEALPix pixel as a place on one of the 12 faces; docs/mathematics.md (12.1), (12.2). */
#ifndef ARMILLA_GRID_HEALPIX_FACE_H
#define ARMILLA_GRID_HEALPIX_FACE_H

#include "armilla/grid.h"

/* 0 <= x, y < nside; x grows to the north-east, y to the north-west. Faces 0 .. 3 touch the north
 * pole, 4 .. 7 lie on the equator, 8 .. 11 touch the south pole. */
typedef struct armilla_face_position {
    int64_t face, x, y;
} armilla_face_position;

/* Longitude of the face's middle in units of pi / 4. */
int64_t armilla_healpix_face_column(int64_t face);

/* Number -> place and back; nside and pixel as armilla_healpix_check_pixels demands. */
armilla_face_position armilla_healpix_locate(int64_t nside, int nested, int64_t pixel);
int64_t armilla_healpix_number(int64_t nside, int nested, const armilla_face_position *at);

/* ARMILLA_ERROR_ARGUMENT unless nside is in range (nested: a power of two), npixels >= 0, and each
 * of pixels is one of 0 .. 12 nside^2 - 1; names the first that is not. */
armilla_status armilla_healpix_check_pixels(int64_t nside, int nested, int64_t npixels,
                                            const int64_t *pixels);

#endif

/* HEALPix pixels: their numbers, directions and neighbours; interpolation; maps in another order or
 * at another nside; and the pixels in discs, polygons and strips.
 *
 * For all functions, unless they say otherwise:
 * Given:    nside  1 to 876706528 (12 nside^2 fits in 63 bits); nested numbers: a power of two;
 *           nested  0: pixel numbers are RING, else NESTED;  npixels, npoints >= 0; with 0 the
 *           arrays may be NULL;  pixels  0 .. 12 nside^2 - 1, in any order;  theta  colatitude,
 *           radians, 0 to pi;  phi  longitude, radians, any finite number (|phi| > 1000 counts as
 *           fmod(phi, 2 pi));  nthreads >= 0  threads to share the work, 0: all that the process
 *           has; the calling thread does up to some 10^4 pixels alone.
 * Returned: outputs must not overlap inputs or each other.
 * Errors:   ARGUMENT (names the first item of an array that is wrong).
 * Notes:    results have the same bits whatever nthreads is. All calls may run in any thread at any
 *           time; arrays are in host memory.
 * Reference: Gorski et al. 2005, ApJ 622, 759; docs/mathematics.md (12). */
#ifndef ARMILLA_HEALPIX_H
#define ARMILLA_HEALPIX_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The mark of a missing pixel in maps, equal to ARMILLA_UNSEEN in io.h. */
#define ARMILLA_HEALPIX_MISSING (-1.6375e30)

/* --- One pixel -------------------------------------------------------------------------------- */

/* Returned: 12 nside^2, or -1 if nside < 1 or the product does not fit. */
ARMILLA_API int64_t armilla_healpix_npix(int64_t nside);

/* Returned: nside with npix pixels, or -1 if there is none. */
ARMILLA_API int64_t armilla_healpix_nside(int64_t npix);

/* NESTED pixel number -> RING pixel number and back; nside a power of two.
 * Returned: the number, or -1 if nside is no power of two or the pixel is out of range. */
ARMILLA_API int64_t armilla_healpix_nest_to_ring(int64_t nside, int64_t pixel);
ARMILLA_API int64_t armilla_healpix_ring_to_nest(int64_t nside, int64_t pixel);

/* The RING pixel that contains a direction, for any nside. theta is in [0, pi] and phi is any
 * angle, in radians; -1 if either is not finite or out of range. */
ARMILLA_API int64_t armilla_healpix_ang_to_ring(int64_t nside, double theta, double phi);

/* --- Many pixels ------------------------------------------------------------------------------ */

/* Pixels that contain directions. A point on the edge of two pixels is in one of them.
 * Given:    theta, phi  [npixels].
 * Returned: pixels  [npixels].
 * Reference: docs/mathematics.md (12.7). */
ARMILLA_API armilla_status armilla_healpix_ang_to_pixels(int64_t nside, int nested, int64_t npixels,
                                                         const double *theta, const double *phi,
                                                         int64_t *pixels, int nthreads);

/* Centres of pixels.
 * Returned: theta, phi  [npixels], radians, 0 <= phi < 2 pi. */
ARMILLA_API armilla_status armilla_healpix_pixels_to_ang(int64_t nside, int nested, int64_t npixels,
                                                         const int64_t *pixels, double *theta,
                                                         double *phi, int nthreads);

/* Pixels that contain the directions of vectors.
 * Given:    vectors  x, y, z of any length but 0, up to 1e300;  planar  0: [npixels][3], else
 *           [3][npixels].
 * Returned: pixels  [npixels]. */
ARMILLA_API armilla_status armilla_healpix_vec_to_pixels(int64_t nside, int nested, int64_t npixels,
                                                         const double *vectors, int planar,
                                                         int64_t *pixels, int nthreads);

/* Centres of pixels as unit vectors.
 * Given:    planar  as above.
 * Returned: vectors  [npixels][3], or [3][npixels]. */
ARMILLA_API armilla_status armilla_healpix_pixels_to_vec(int64_t nside, int nested, int64_t npixels,
                                                         const int64_t *pixels, int planar,
                                                         double *vectors, int nthreads);

/* RING -> NESTED numbers (to_nested != 0), or NESTED -> RING.
 * Given:    nside  a power of two.
 * Returned: numbers  [npixels]; may be pixels. */
ARMILLA_API armilla_status armilla_healpix_renumber(int64_t nside, int to_nested, int64_t npixels,
                                                    const int64_t *pixels, int64_t *numbers,
                                                    int nthreads);

/* Where pixels are on the 12 faces.
 * Returned: x, y  [npixels], 0 .. nside - 1, x to the north-east, y to the north-west;
 *           face  [npixels], 0 .. 11. */
ARMILLA_API armilla_status armilla_healpix_pixels_to_faces(int64_t nside, int nested,
                                                           int64_t npixels, const int64_t *pixels,
                                                           int64_t *x, int64_t *y, int64_t *face,
                                                           int nthreads);

/* The inverse.
 * Returned: pixels  [npixels]. */
ARMILLA_API armilla_status armilla_healpix_faces_to_pixels(int64_t nside, int nested,
                                                           int64_t npixels, const int64_t *x,
                                                           const int64_t *y, const int64_t *face,
                                                           int64_t *pixels, int nthreads);

/* The pixels around pixels: those that share an edge or a corner. All threads of the process share
 * long arrays.
 * Given:    nside  1 to 876706528 (nested: a power of two);  nested  0: RING numbers, else NESTED;
 *           npixels >= 0;  pixels  numbers, 0 .. 12 nside^2 - 1, in any order.
 * Returned: neighbours  [npixels][8], numbers in the same order: to the SW, W, NW, N, NE, E, SE, S;
 *           -1 where there is none. Must not overlap pixels.
 * Errors:   ARGUMENT (names the first pixel that is out of range).
 * Notes:    eight points of the sphere, at |z| = 2/3, are corners of three pixels only; the 24
 *           pixels around them have 7 neighbours (at nside 1 each pixel has 6). Directions are
 *           those of the pixel's face: next to the meridian where two polar faces meet, the
 *           neighbour on the other side is called NE or NW (SE or SW), although its colatitude is
 *           the same.
 * Reference: docs/mathematics.md (12.5). */
ARMILLA_API armilla_status armilla_healpix_neighbours(int64_t nside, int nested, int64_t npixels,
                                                      const int64_t *pixels, int64_t *neighbours);

/* The same, with the layout and the number of threads that the caller wants.
 * Given:    planar  0: as above, else neighbours are [8][npixels]. */
ARMILLA_API armilla_status armilla_healpix_neighbours_with(int64_t nside, int nested,
                                                           int64_t npixels, const int64_t *pixels,
                                                           int planar, int64_t *neighbours,
                                                           int nthreads);

/* Points on the boundaries of pixels: from the north corner to the west, south and east corner and
 * back to the north, step points on each side (the corner where it begins and step - 1 more), in
 * equal parts of the pixel's own coordinates. All threads of the process share long arrays.
 * Given:    nside, nested, npixels, pixels  as above;  step  1 to 2^24.
 * Returned: vectors  [npixels][4 step][3], unit vectors x, y, z. Must not overlap pixels.
 * Errors:   ARGUMENT.
 * Notes:    each coordinate to 4e-16. Sides are no great circles.
 * Reference: docs/mathematics.md (12.6). */
ARMILLA_API armilla_status armilla_healpix_boundaries(int64_t nside, int nested, int64_t npixels,
                                                      const int64_t *pixels, int64_t step,
                                                      double *vectors);

/* --- Maps ------------------------------------------------------------------------------------- */

/* A map: where its values are, and in which order. */
typedef struct armilla_healpix_map {
    int64_t nside;
    int nested;   /* 0: RING, else NESTED; nside is then a power of two */
    int is_float; /* 0: values are double, else float */
    void *values; /* 12 nside^2 of them; the values of inputs are only read */
} armilla_healpix_map;

/* A map in the other order.
 * Given:    nside  a power of two up to 2^29;  to_nested  0: from NESTED to RING, else from RING to
 *           NESTED;  width  bytes of a value: 1, 2, 4, 8 or 16;  map  12 nside^2 values of any type
 *           of that width.
 * Returned: reordered  12 nside^2 values. */
ARMILLA_API armilla_status armilla_healpix_reorder(int64_t nside, int to_nested, int width,
                                                   const void *map, void *reordered, int nthreads);

/* A map at another nside: the mean of the pixels that make up a coarser one, or, for finer pixels,
 * repeated values; times (to->nside / from->nside)^power.
 * Given:    from, to  nside a power of two up to 2^29, each in its own order and type;
 *           pessimistic  0: a mean is missing where all its pixels are, else where one is;
 *           power  finite; 0: none.
 * Returned: to->values.
 * Notes:    a value is missing if it is within a relative 1e-5 of ARMILLA_HEALPIX_MISSING. A NaN or
 *           infinity makes a mean NaN (pessimistic, or if there is nothing else: missing). Sums are
 *           double.
 * Reference: docs/mathematics.md (12.9). */
ARMILLA_API armilla_status armilla_healpix_change_nside(const armilla_healpix_map *from,
                                                        const armilla_healpix_map *to,
                                                        int pessimistic, double power,
                                                        int nthreads);

/* Bilinear interpolation: the four pixels next to directions, two on each of two rings, and their
 * weights.
 * Given:    theta, phi  [npoints].
 * Returned: pixels, weights  [4][npoints]: two on the ring to the north, west before east, and two
 *           on that to the south; the weights of a point add up to 1 and are not below 0 (to
 *           rounding). Next to a pole they are the four pixels of the last ring.
 * Reference: docs/mathematics.md (12.8). */
ARMILLA_API armilla_status armilla_healpix_interpolation_weights(int64_t nside, int nested,
                                                                 int64_t npoints,
                                                                 const double *theta,
                                                                 const double *phi, int64_t *pixels,
                                                                 double *weights, int nthreads);

/* Sums of these weights and the values of a map. Missing pixels are numbers like all others.
 * Returned: values  [npoints]. */
ARMILLA_API armilla_status armilla_healpix_interpolate(const armilla_healpix_map *map,
                                                       int64_t npoints, const double *theta,
                                                       const double *phi, double *values,
                                                       int nthreads);

/* --- Regions ---------------------------------------------------------------------------------- */

/* A set of pixels, as runs of consecutive numbers. */
typedef struct armilla_healpix_ranges armilla_healpix_ranges;

/* Pixels in a disc.
 * Given:    centre  a vector x, y, z, of any length but 0;  radius  radians; below 0 nothing is in
 *           the disc, from pi on everything;  fact  0: pixels with their centre in the disc, else
 *           all pixels that overlap with it and perhaps a few more, but only pixels with at least
 *           one of fact^2 parts whose middle is no farther from the disc than the largest such part
 *           reaches. nside fact is at most 876706528; in nested order it is at most 2^29, and fact
 *           is a power of two.
 * Returned: *ranges  new, free with armilla_healpix_ranges_free.
 * Errors:   ARGUMENT, MEMORY.
 * Notes:    time and memory follow the length of the edge in pixels (RING: the number of rings that
 *           the disc touches), never nside.
 * Reference: docs/mathematics.md (12.10). */
ARMILLA_API armilla_status armilla_healpix_query_disc(int64_t nside, int nested,
                                                      const double *centre, double radius,
                                                      int64_t fact,
                                                      armilla_healpix_ranges **ranges);

/* The same for small discs, written into the caller's memory, for programs that ask for many discs.
 * Given:    capacity  how many pixel numbers there is room for;  others as above.
 * Returned: *npixels  how many pixels the disc has;  pixels  [*npixels], rising, if that is at most
 *           capacity, else untouched. */
ARMILLA_API armilla_status armilla_healpix_query_disc_pixels(int64_t nside, int nested,
                                                             const double *centre, double radius,
                                                             int64_t fact, int64_t capacity,
                                                             int64_t *npixels, int64_t *pixels);

/* Pixels in a convex polygon, whose sides are parts of great circles.
 * Given:    nvertices  3 to 2^20;  vertices  [nvertices][3], vectors of any length but 0, in order
 *           around the polygon, either way;  fact  as above.
 * Errors:   ARGUMENT (also a polygon that is not convex, or three vertices in a row that are on one
 *           great circle to 1e-10), MEMORY.
 * Notes:    with fact, RING: pixels with parts that come close to each side from within, each side
 *           by itself, and to the smallest circle around the polygon; NESTED: pixels with one part
 *           that comes close to all of these. */
ARMILLA_API armilla_status armilla_healpix_query_polygon(int64_t nside, int nested,
                                                         int64_t nvertices, const double *vertices,
                                                         int64_t fact,
                                                         armilla_healpix_ranges **ranges);

/* Pixels with their centre at theta1 <= theta <= theta2, or, for theta1 > theta2, at
 * theta <= theta2 or theta >= theta1.
 * Given:    theta1, theta2  radians, not NaN;  inclusive  1: also the next ring on each side, which
 *           holds the pixels that overlap at the edge; pixels of the rings beyond it are left out.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_healpix_query_strip(int64_t nside, int nested, double theta1,
                                                       double theta2, int inclusive,
                                                       armilla_healpix_ranges **ranges);

/* Returned: the number of runs, and the number of pixels in all of them; -1 for NULL. */
ARMILLA_API int64_t armilla_healpix_ranges_count(const armilla_healpix_ranges *ranges);
ARMILLA_API int64_t armilla_healpix_ranges_npixels(const armilla_healpix_ranges *ranges);

/* Returned: runs  [count][2], the first pixel of each and the one after its last, rising.
 * Errors:   ARGUMENT. */
ARMILLA_API armilla_status armilla_healpix_ranges_get(const armilla_healpix_ranges *ranges,
                                                      int64_t *runs);

/* Returned: pixels  [npixels of the ranges], rising.
 * Errors:   ARGUMENT. */
ARMILLA_API armilla_status armilla_healpix_ranges_pixels(const armilla_healpix_ranges *ranges,
                                                         int64_t *pixels);

/* NULL is allowed. */
ARMILLA_API void armilla_healpix_ranges_free(armilla_healpix_ranges *ranges);

#ifdef __cplusplus
}
#endif
#endif

/* Grids: where the pixels are. Every grid is a list of iso-latitude rings with equidistant pixels.
 *
 * theta is colatitude in radians, 0 at the north pole; phi is longitude in radians. Pixel j of ring
 * r lies at phi = phi0[r] + 2 pi j / nphi[r] and is stored at map[offset[r] + j * stride[r]].
 * weight[r] is the quadrature weight of one pixel of the ring, in steradians: the integral of f
 * over the sphere is about sum over pixels of weight * f. */
#ifndef ARMILLA_GRID_H
#define ARMILLA_GRID_H

#include "healpix.h" /* pixel numbers: they were declared here once */
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_grid armilla_grid;

typedef struct armilla_ring {
    double theta;   /* colatitude, radians, 0 <= theta <= pi */
    int64_t nphi;   /* pixels on the ring, >= 1 */
    double phi0;    /* longitude of pixel 0, radians */
    int64_t offset; /* index of pixel 0 in the map, >= 0 */
    int64_t stride; /* distance between neighbouring pixels in the map, != 0 */
    double weight;  /* quadrature weight of one pixel, steradians */
} armilla_ring;

typedef enum armilla_grid_kind {
    ARMILLA_GRID_CUSTOM = 0,
    ARMILLA_GRID_HEALPIX = 1,
    ARMILLA_GRID_GAUSS_LEGENDRE = 2,
    ARMILLA_GRID_REDUCED_GAUSS_LEGENDRE = 3,
    ARMILLA_GRID_CC = 4,   /* Clenshaw-Curtis: theta = pi i / (n - 1), both poles, n >= 2 */
    ARMILLA_GRID_F1 = 5,   /* Fejer 1: theta = pi (i + 1/2) / n, no pole */
    ARMILLA_GRID_F2 = 6,   /* Fejer 2: theta = pi (i + 1) / (n + 1), no pole */
    ARMILLA_GRID_DH = 7,   /* Driscoll-Healy: theta = pi i / n, north pole only */
    ARMILLA_GRID_MW = 8,   /* McEwen-Wiaux: theta = pi (2 i + 1) / (2 n - 1), south pole only */
    ARMILLA_GRID_MWSS = 9, /* McEwen-Wiaux, symmetric: theta = pi i / (n - 1), both poles, n >= 2 */
    ARMILLA_GRID_MWFLIP = 10 /* MW mirrored: theta = 2 pi i / (2 n - 1), north pole only */
} armilla_grid_kind;

/* HEALPix in RING order, any nside >= 1 (not only powers of two), weights 4 pi / npix.
 * Given:    nside  1 to 2^28.
 * Returned: *grid  new; free with armilla_grid_free.
 * Errors:   ARGUMENT, MEMORY.
 * Reference: Gorski et al. 2005, ApJ 622, 759. */
ARMILLA_API armilla_status armilla_grid_new_healpix(int64_t nside, armilla_grid **grid);

/* HEALPix with ring weights: the smallest change of the weights 4 pi / npix that makes the
 * quadrature of the degrees l <= lmax exact to rounding, but for orders m that the rings alias
 * (m = 4 i on ring i of a cap). Solved locally, no file is read.
 * Given:    nside >= 1;  lmax  0 <= lmax <= 4 nside - 2 (healpy's files: 2 nside).
 * Errors:   ARGUMENT (also where lmax has no such weights), MEMORY.
 * Notes:    up to 3.5 nside they always exist and are within 25 % of 4 pi / npix. Above, they exist
 *           for small nside only, are large and of both signs; what violates a condition by more
 *           than 1e-12 is refused (at nside 256 from 3.77 nside on).
 * Reference: docs/mathematics.md (5.10). */
ARMILLA_API armilla_status armilla_grid_new_healpix_weighted(int64_t nside, int64_t lmax,
                                                             armilla_grid **grid);

/* Gauss-Legendre: nrings nodes of the Gauss rule, nphi pixels each, phi0 = 0. Exact analysis for
 * lmax <= nrings - 1 and nphi >= 2 mmax + 1.
 * Given:    nrings, nphi  1 to 2^30.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_grid_new_gauss_legendre(int64_t nrings, int64_t nphi,
                                                           armilla_grid **grid);

/* Reduced Gauss-Legendre: as above, but ring r holds only as many pixels as modes matter there,
 * rounded up to a 2,3,5-smooth number (docs/mathematics.md (5.3)).
 * Given:    nrings >= 1;  lmax >= 0, the band limit the grid is meant for.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_grid_new_reduced_gauss_legendre(int64_t nrings, int64_t lmax,
                                                                   armilla_grid **grid);

/* Equidistant colatitudes (kind CC, F1, F2, DH, MW, MWSS, MWFLIP), phi0 = 0, any nrings, even or
 * odd.
 * Given:    kind;  nrings  1 (2 for CC and MWSS) to 2^28;  nphi  1 to 2^30.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_grid_new_equidistant(armilla_grid_kind kind, int64_t nrings,
                                                        int64_t nphi, armilla_grid **grid);

/* Any rings, in any order. No two pixels may share an index.
 * Given:    nrings >= 1;  rings  array of nrings, copied.
 * Errors:   ARGUMENT (names the first ring that is wrong), MEMORY. */
ARMILLA_API armilla_status armilla_grid_new_custom(int64_t nrings, const armilla_ring *rings,
                                                   armilla_grid **grid);

/* The rings first .. first + count - 1 of a grid (rings in the grid's order, north to south in the
 * named families). compact != 0: the map holds only these rings, pixel 0 is the first of them
 * (memory in proportion to the patch); compact = 0: indices of the full map are kept.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_grid_new_subset(const armilla_grid *grid, int64_t first,
                                                   int64_t count, int compact,
                                                   armilla_grid **subset);

/* NULL is allowed. */
ARMILLA_API void armilla_grid_free(armilla_grid *grid);

/* For grid = NULL the getters return -1, the kind CUSTOM. */

/* Returned: the family the grid was made as (CUSTOM for subsets). */
ARMILLA_API armilla_grid_kind armilla_grid_get_kind(const armilla_grid *grid);

/* Returned: static text such as "Gauss-Legendre". */
ARMILLA_API const char *armilla_grid_kind_name(armilla_grid_kind kind);

/* Returned: number of values a map needs (largest index + 1). */
ARMILLA_API int64_t armilla_grid_npix(const armilla_grid *grid);

/* Returned: number of rings. */
ARMILLA_API int64_t armilla_grid_nrings(const armilla_grid *grid);

/* Returned: ring index of the grid, copied into *ring. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_grid_ring(const armilla_grid *grid, int64_t index,
                                             armilla_ring *ring);

/* Returned: largest lmax for which armilla_sht_analysis inverts synthesis exactly (to rounding)
 * when nphi > 2 mmax; -1 where the grid has no exact rule (HEALPix, custom, subsets). */
ARMILLA_API int64_t armilla_grid_exact_lmax(const armilla_grid *grid);

#ifdef __cplusplus
}
#endif
#endif

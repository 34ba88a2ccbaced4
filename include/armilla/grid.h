/* Grids: where the pixels are. Every grid is a list of iso-latitude rings with equidistant pixels.
 *
 * theta is colatitude in radians, 0 at the north pole; phi is longitude in radians. Pixel j of ring
 * r lies at phi = phi0[r] + 2 pi j / nphi[r] and is stored at map[offset[r] + j * stride[r]].
 * weight[r] is the quadrature weight of one pixel of the ring, in steradians: the integral of f
 * over the sphere is about sum over pixels of weight * f.
 *
 * In NESTED order (armilla_grid_layout, nested) the pixels of a ring have no common distance:
 * stride is 0 then, and offset is the place of pixel 0. Pixel j is stored at
 * map[armilla_healpix_ring_to_nest(nside, armilla_healpix_nest_to_ring(nside, offset) + j)]. */
#ifndef ARMILLA_GRID_H
#define ARMILLA_GRID_H

#include "healpix.h" /* pixel numbers, which used to be declared here */
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_grid armilla_grid;

typedef struct armilla_ring {
    double theta;   /* colatitude, radians, 0 <= theta <= pi, or the float nearest to pi */
    int64_t nphi;   /* pixels on the ring, >= 1 */
    double phi0;    /* longitude of pixel 0, radians */
    int64_t offset; /* index of pixel 0 in the map, >= 0 */
    int64_t stride; /* distance between neighbouring pixels in the map; 0: there is none, NESTED */
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
 * quadrature of the degrees l <= lmax exact to rounding, except for orders m that the rings alias
 * (m = 4 i on ring i of a cap). They are computed on the spot; no file is read.
 * Given:    nside >= 1;  lmax  0 <= lmax <= 4 nside - 2 (healpy's files: 2 nside).
 * Errors:   ARGUMENT (also where lmax has no such weights), MEMORY.
 * Notes:    up to 3.5 nside such weights always exist and are within 25 % of 4 pi / npix. Above
 *           that they exist for small nside only, are large and have both signs; weights that
 *           violate a condition by more than 1e-12 are refused (at nside 256 from 3.77 nside on).
 * Reference: docs/mathematics.md (5.10). */
ARMILLA_API armilla_status armilla_grid_new_healpix_weighted(int64_t nside, int64_t lmax,
                                                             armilla_grid **grid);

/* Gauss-Legendre: rings at the nrings nodes of the Gauss rule, with nphi pixels each and phi0 = 0.
 * Analysis is exact for lmax <= nrings - 1 and nphi >= 2 mmax + 1.
 * Given:    nrings, nphi  1 to 2^30.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_grid_new_gauss_legendre(int64_t nrings, int64_t nphi,
                                                           armilla_grid **grid);

/* Reduced Gauss-Legendre: as above, but ring r has only as many pixels as the modes that matter
 * there need, rounded up to a 2,3,5-smooth number (docs/mathematics.md (5.3)).
 * Given:    nrings >= 1;  lmax >= 0, the band limit for which the grid is meant.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_grid_new_reduced_gauss_legendre(int64_t nrings, int64_t lmax,
                                                                   armilla_grid **grid);

/* Reduced Gauss-Legendre with any numbers of pixels: rings at the nrings nodes of the Gauss rule,
 * from north to south, with nphi[r] pixels each and phi0 = 0. The kind is REDUCED_GAUSS_LEGENDRE.
 * Given:    nrings  1 to 2^30;  nphi  array of nrings, each 1 to 2^30.
 * Errors:   ARGUMENT (names the first number that is wrong), MEMORY.
 * Notes:    up to which lmax analysis is exact depends on the numbers: armilla_grid_exact_lmax_for
 *           tells. */
ARMILLA_API armilla_status armilla_grid_new_reduced(int64_t nrings, const int64_t *nphi,
                                                    armilla_grid **grid);

/* The octahedral reduced Gaussian grid O<n> of ECMWF: 2 n rings, of which the i-th from a pole, i =
 * 1 to n, has 16 + 4 i pixels; 4 n (n + 9) pixels in all.
 * Given:    n  1 to 2^28 - 4.
 * Errors:   ARGUMENT, MEMORY.
 * Notes:    with lmax = n - 1 (cubic truncation) analysis is exact to 1e-12 of the largest
 *           coefficient; with 4 n / 3 (quadratic) and 2 n - 1 (linear) it is not.
 * Reference: Malardel et al. 2016, ECMWF Newsletter 146, 23. */
ARMILLA_API armilla_status armilla_grid_new_octahedral(int64_t n, armilla_grid **grid);

/* The classic reduced Gaussian grid N<n> of ECMWF: 2 n rings with numbers of pixels from a
 * published table, 4 n of them at the equator.
 * Given:    n  16, 24, 32, 48, 64, 80, 96, 128, 160, 200, 256, 320, 400, 512, 576, 640, 800, 1024,
 *           1280, 1600, 2000, 4000 or 8000.
 * Errors:   ARGUMENT (names the nearest n), MEMORY.
 * Notes:    made for lmax = 2 n - 1 (linear truncation), with which analysis is exact to some 1e-5
 *           only, and two or three steps of Jacobi's method (armilla_sht_pseudo_analysis) make it
 *           so. With n (cubic) it is exact. Another table of n = 64 is about, with 24 572 pixels:
 *           armilla_grid_new_reduced takes its numbers.
 * Reference: Hortal & Simmons 1991, Mon. Weather Rev. 119, 1057; src/grid/classic_tables.c. */
ARMILLA_API armilla_status armilla_grid_new_classic(int64_t n, armilla_grid **grid);

/* Equidistant colatitudes (kind CC, F1, F2, DH, MW, MWSS, MWFLIP), phi0 = 0, any nrings, even or
 * odd.
 * Given:    kind;  nrings  1 (2 for CC and MWSS) to 2^28;  nphi  1 to 2^30.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_grid_new_equidistant(armilla_grid_kind kind, int64_t nrings,
                                                        int64_t nphi, armilla_grid **grid);

/* A grid of any rings, in any order. No two pixels may share an index.
 * Given:    nrings >= 1;  rings  array of nrings, copied.
 * Errors:   ARGUMENT (names the first ring that is wrong), MEMORY.
 * Notes:    analysis on such a grid is the sum with the weights of its rings, whatever colatitudes
 *           they have. The rings of CC, F1, MW, MWSS and MWFLIP lose the rule that is exact up to
 *           armilla_grid_exact_lmax; armilla_grid_new_laid_out moves pixels and keeps that rule,
 *           and armilla_grid_lost_rule tells where the rule would be of use. */
ARMILLA_API armilla_status armilla_grid_new_custom(int64_t nrings, const armilla_ring *rings,
                                                   armilla_grid **grid);

/* The rings first .. first + count - 1 of a grid (rings in the grid's order, north to south in the
 * named families). With compact != 0 the map holds only these rings and begins with the first of
 * them, so that memory is in proportion to the patch; with compact = 0 the indices of the full map
 * are kept, which those of NESTED order cannot be.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_grid_new_subset(const armilla_grid *grid, int64_t first,
                                                   int64_t count, int compact,
                                                   armilla_grid **subset);

/* --- Names ------------------------------------------------------------------------------------ */

/* Names of grids, the same in all languages and in the command; letters and words in upper or lower
 * case.
 *
 *     O1280   N320   F640          octahedral, classic reduced, full Gaussian grids of 2 n rings;
 *                                  F640 is gl:1280x2560
 *     H512    H512n                HEALPix with nside = 512, RING or NESTED; also healpix:512,
 *                                  healpix:512:ring, healpix:512:nested
 *     gl:257x512   cc:721x1440     NRINGSxNPHI, rings and pixels of each: gl, cc, f1, f2, dh, mw,
 *                                  mwss, mwflip
 *     rgl:257:256                  NRINGS:LMAX, armilla_grid_new_reduced_gauss_legendre
 *
 * The names of other programs mean the grids that they mean there:
 *
 *     0.25    0.25x0.25   1/0.5    degrees between meridians and between parallels, at most 10, as
 *                                  ECMWF has them: cc:721x1440, cc:361x360. With x both are equal
 *     r360x180   r360x181          NLONxNLAT (CDO), rows from SOUTH to north: f1:180x360; with an
 *                                  odd NLAT cc:181x360, whose first and last rows are the poles
 *     global_0.5                   degrees (CDO): f1:360x720 from south to north, whose first
 *                                  meridian is at -179.75 degrees; global is global_1
 *     hp64    hpz6    hpr6         HEALPix by nside or its power of two (CDO): NESTED, H64n; RING
 *                                  with _ring, as in hp64_ring
 *     TCo1279   TL639              truncations of IFS and the grids it has for them: cubic O1280,
 *                                  linear N320
 *     T63     t63grid              quadratic truncation: F48, the smallest N with 4 N >= 3 T + 1
 *     tl63grid   tc63grid          full grids for linear and cubic truncation (CDO): F32,
 *                                  gl:128x272
 *
 * n80 is N80 here, and F80 with CDO. Names that mean two grids are errors which name both: ERA5,
 * TQ213, TC1279, and truncations such as T255 that are linear in IFS and quadratic elsewhere.
 * Reference: CDO User Guide, Horizontal grids; CDI, gridGenYvals; OpenIFS, Horizontal Resolution
 *            and Configurations. */

/* Makes the grid of a name.
 * Given:    name  as above.
 * Returned: *grid  new; free with armilla_grid_free.
 * Errors:   ARGUMENT (names the nearest name that there is), MEMORY. */
ARMILLA_API armilla_status armilla_grid_new_named(const char *name, armilla_grid **grid);

/* What a name says, without a grid, which could be large. */
typedef struct armilla_grid_sizes {
    size_t size; /* sizeof(armilla_grid_sizes), set by the caller */
    armilla_grid_kind kind;
    int64_t nrings;
    int64_t nphi;    /* pixels of each ring; 0 where rings differ */
    int64_t nside;   /* HEALPix, else 0 */
    int nested;      /* not 0: HEALPix in NESTED order */
    int south_first; /* not 0: the first row of a map is the ring furthest south */
    double phi0;     /* radians, added to the longitudes of all pixels */
} armilla_grid_sizes;

/* Given:    name  as above;  sizes->size set by the caller.
 * Returned: the other fields of *sizes that lie within its size.
 * Errors:   ARGUMENT (names the nearest name that there is). */
ARMILLA_API armilla_status armilla_grid_read_name(const char *name, armilla_grid_sizes *sizes);

/* The name of a grid, the shortest of Armilla's own names.
 * Returned: name  ARMILLA_GRID_NAME_SIZE characters, with a 0 behind the text.
 * Errors:   ARGUMENT (rings of the caller, subsets, other layouts than the default but NESTED,
 *           weighted HEALPix, which have no names), MEMORY. */
#define ARMILLA_GRID_NAME_SIZE 48
ARMILLA_API armilla_status armilla_grid_name(const armilla_grid *grid,
                                             char name[ARMILLA_GRID_NAME_SIZE]);

/* --- Layouts ---------------------------------------------------------------------------------- */

/* Where the pixels of a grid are: in longitude, and in the array that holds a map. Rows are the
 * places of the rings in the array. Fill with armilla_grid_layout_init, then change fields. */
typedef struct armilla_grid_layout {
    size_t size;          /* sizeof(armilla_grid_layout), set by _init */
    double phi0;          /* radians, added to the longitudes of all pixels; default 0 */
    int south_first;      /* not 0: the last ring is the first row; default 0 */
    int west_first;       /* not 0: pixel 0 of a ring is the last of its row, so that longitudes
                             decrease along the row; default 0 */
    int theta_contiguous; /* not 0: pixels of one longitude are neighbours in the array, and all
                             rings must have the same number of pixels. Default 0: pixels of one
                             ring are neighbours */
    int64_t ring_stride;  /* values from one row to the next; 0, the default: 1 where
                             theta_contiguous, else no gaps between the rows */
    int64_t pixel_stride; /* values from one pixel of a row to the next; 0, the default: no gaps
                             between the columns where theta_contiguous, else 1 */
    int nested;           /* not 0: the pixels of HEALPix in NESTED order; nside must be a power of
                             two, and the fields above must have their defaults. Default 0 */
} armilla_grid_layout;

/* Fills in the defaults, which put the rings one after the other, as all families have them. */
ARMILLA_API void armilla_grid_layout_init_sized(armilla_grid_layout *layout, size_t size);
#define armilla_grid_layout_init(layout)                                                           \
    armilla_grid_layout_init_sized(layout, sizeof(armilla_grid_layout))

/* Makes a grid of the same rings with another layout. Rings keep their numbers (north to south in
 * the families), and pixels keep theirs, eastward from phi0; what changes is where they are in
 * memory, and that phi0 is added to all longitudes. The grid keeps its kind, its weights, and its
 * exact rule. With rings of nphi pixels, pixel j of ring r of nrings is
 *
 *     map[row * ring_stride + column * pixel_stride],    row = r, or nrings - 1 - r
 *                                                        column = j, or nphi - 1 - j
 *
 * and with nested != 0 map[armilla_healpix_ring_to_nest(nside, its RING number)]. Transforms read
 * and write such maps where they are, with the bits and the memory of RING order.
 *
 * Given:    grid  of any kind, itself laid out or not (its longitudes count, its places do not);
 *           layout  or NULL for the defaults.
 * Returned: *laid_out  new; free with armilla_grid_free.
 * Errors:   ARGUMENT (names the field that is wrong: also where rows or columns would overlap),
 *           MEMORY. */
ARMILLA_API armilla_status armilla_grid_new_laid_out(const armilla_grid *grid,
                                                     const armilla_grid_layout *layout,
                                                     armilla_grid **laid_out);

/* Returned: *layout  how the grid is laid out: phi0 is the sum of what was added, the strides are
 *           the strides in use, and ring_stride is 0 where rings of different lengths follow each
 *           other without gaps, and in NESTED order.
 * Given:    layout->size set by the caller, or by armilla_grid_layout_init.
 * Errors:   ARGUMENT, also for rings of the caller (armilla_grid_new_custom) and for subsets that
 *           keep the indices of the full map, which have no layout. */
ARMILLA_API armilla_status armilla_grid_get_layout(const armilla_grid *grid,
                                                   armilla_grid_layout *layout);

/* NULL is allowed. */
ARMILLA_API void armilla_grid_free(armilla_grid *grid);

/* For grid = NULL the getters return -1, and the kind is CUSTOM. */

/* Returned: the family the grid was made as (CUSTOM for subsets). */
ARMILLA_API armilla_grid_kind armilla_grid_get_kind(const armilla_grid *grid);

/* Returned: static text such as "Gauss-Legendre". */
ARMILLA_API const char *armilla_grid_kind_name(armilla_grid_kind kind);

/* Returned: the number of values that a map needs (largest index + 1). */
ARMILLA_API int64_t armilla_grid_npix(const armilla_grid *grid);

/* Returned: number of rings. */
ARMILLA_API int64_t armilla_grid_nrings(const armilla_grid *grid);

/* Returned: ring index of the grid, copied into *ring. Errors: ARGUMENT. */
ARMILLA_API armilla_status armilla_grid_ring(const armilla_grid *grid, int64_t index,
                                             armilla_ring *ring);

/* The pixels to which directions belong. HEALPix pixels are those of the HEALPix geometry; on other
 * grids they are rectangles, which meet in the middle between neighbouring rings and between
 * neighbouring pixels of a ring; the outermost rings reach as far outwards as inwards, or to the
 * pole if that is not farther away than the next ring.
 * Given:    n;  theta, phi  n each, radians.
 * Returned: pixels  n indices of the map; -1 where the grid has no rings, and for colatitudes
 *           outside of 0 to pi, NaN and infinity.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status armilla_grid_pixels_at(const armilla_grid *grid, int64_t n,
                                                  const double *theta, const double *phi,
                                                  int64_t *pixels);

/* Returned: the largest lmax for which the colatitudes of the rings allow armilla_sht_analysis to
 *           invert synthesis exactly (to rounding), whatever nphi is; it does so where nphi > 2
 *           mmax. -1 where the grid has no exact rule (HEALPix, custom, subsets). */
ARMILLA_API int64_t armilla_grid_exact_lmax(const armilla_grid *grid);

/* Returned: the largest lmax >= mmax for which analysis inverts synthesis for coefficients of
 *           orders up to mmax, with the numbers of pixels that the rings have; -1 where there is
 *           none, because the grid has no exact rule or orders up to mmax alias. mmax = -1 means
 *           all orders, mmax = lmax.
 * Notes:    a ring needs pixels only for those orders that are not below rounding there, so that
 *           reduced grids keep their exact_lmax. Exact means that no coefficient leaks more than
 *           1.2e-12 of itself into another one by rings that are too short (on grids of
 *           weather models; elsewhere less than rounding): errors are some 1e-13 in the mean. */
ARMILLA_API int64_t armilla_grid_exact_lmax_for(const armilla_grid *grid, int64_t mmax);

/* The largest order of each ring in ECMWF's transform package ecTrans, for the field ring_limits of
 * armilla_sht_options. It depends on the truncation: with L = lmax, R rings, n pixels of the ring
 * and s = sin(theta),
 *
 *     L >= R - 1 (linear), or all n alike     (n - 1) / 2
 *     L >= 2 R / 3 - 1 (quadratic)            (n - 1) / (2 + [3 (R - 1 - L) / R] s^2)
 *     else (cubic)                            (n - 1) / (2 + s^2) - 1
 *
 * rounded down, as are 2 R / 3 and [...]; not above L, and of the last two not below the next ring
 * towards the pole.
 *
 * Given:    grid  rings from north to south;  lmax >= 0.
 * Returned: limits  armilla_grid_nrings numbers, 0 to lmax.
 * Errors:   ARGUMENT.
 * Reference: ecTrans, setup_geom_mod.F90 (NMEN). */
ARMILLA_API armilla_status armilla_grid_ectrans_limits(const armilla_grid *grid, int64_t lmax,
                                                       int64_t *limits);

/* Does a custom grid give away an exact rule? It may have the rings of a family (any order, equal
 * nphi; colatitudes to 1e-6 of their distance) on which analysis with lmax, mmax is exact, while
 * the sum with its own weights is not.
 * Returned: that family: armilla_grid_new_equidistant or _gauss_legendre makes the grid of these
 *           nrings and nphi, and armilla_grid_new_laid_out puts its pixels where they are now, if
 *           all rings have one phi0 and lie at equal distances in memory. CUSTOM where nothing is
 *           lost (other grids, other rings, larger lmax or mmax), and if memory is short. */
ARMILLA_API armilla_grid_kind armilla_grid_lost_rule(const armilla_grid *grid, int64_t lmax,
                                                     int64_t mmax);

#ifdef __cplusplus
}
#endif
#endif

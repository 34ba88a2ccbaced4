/* What a grid holds, and what its families share. Public functions: include/armilla/grid.h. */
#ifndef ARMILLA_GRID_GRID_H
#define ARMILLA_GRID_GRID_H

#include "armilla/grid.h"
#include "base/status.h"

struct armilla_grid {
    armilla_grid_kind kind;
    int64_t nrings, npix;
    int64_t nside;              /* HEALPix, else 0 */
    int64_t exact_lmax;         /* -1: no exact rule */
    int has_layout;             /* rings of layout.nested have stride 0 and offsets of RING order */
    armilla_grid_layout layout; /* if it has one, with the strides in use */
    armilla_ring *rings;
};

/* Where pixel j of a ring is in a map. A ring of stride 0 is in NESTED order: its offset is that of
 * RING order. */
static inline int64_t armilla_ring_item(const armilla_ring *ring, int64_t nside, int64_t j)
{
    return ring->stride ? ring->offset + j * ring->stride
                        : armilla_healpix_ring_to_nest(nside, ring->offset + j);
}

/* Where pixel j of a ring is in a map. */
static inline int64_t armilla_grid_place(const armilla_grid *grid, int64_t ring, int64_t j)
{
    return armilla_ring_item(&grid->rings[ring], grid->nside, j);
}

/* The nside of maps in NESTED order, else 0. */
int64_t armilla_grid_nested(const armilla_grid *grid);

/* Have both grids the same pixels? stored: also at the same places of a map, with the same weights.
 */
int armilla_grid_is_same(const armilla_grid *a, const armilla_grid *b, int stored);

/* UNSUPPORTED for a grid in NESTED order. what: "a plan on a GPU", the subject of the message. */
armilla_status armilla_grid_refuse_nested(const armilla_grid *grid, const char *what);

/* Limit of nrings and nphi of every family. */
#define ARMILLA_GRID_COUNT_LIMIT ((int64_t)1 << 30)

/* A grid with cleared rings, to be filled by a family. Errors: ARGUMENT (nrings), MEMORY. */
armilla_status armilla_grid_allocate(armilla_grid_kind kind, int64_t nrings, armilla_grid **grid);

/* A copy of everything. Errors: MEMORY. */
armilla_status armilla_grid_copy(const armilla_grid *grid, armilla_grid **copy);

/* Gives the rings consecutive pixels (offset, stride) in their order, sets npix and the layout.
 * Errors: ARGUMENT if the number of pixels does not fit. */
armilla_status armilla_grid_number_pixels(armilla_grid *grid);

/* Can analysis with these band limits invert synthesis? It can if lmax is within the exact rule and
 * every ring has enough pixels for the orders that matter there: 0, mres, ..., mmax mres, pixels
 * being those of a sector. */
int armilla_grid_resolves(const armilla_grid *grid, int64_t lmax, int64_t mmax, int64_t mres);

/* Do rings lack orders that matter, where each has only those up to its limit? For exact rules. */
int armilla_grid_misses_orders(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                               const int64_t *limits);

/* Do all rings have as many pixels? */
int armilla_grid_has_equal_rings(const armilla_grid *grid);

/* Has any ring a weight? Without one every weighted sum over pixels is 0. */
int armilla_grid_has_weights(const armilla_grid *grid);

/* Pixels of all rings: fewer than npix where maps have gaps. */
int64_t armilla_grid_samples(const armilla_grid *grid);

/* The colatitudes of all rings: new, free with armilla_release. Errors: MEMORY. */
armilla_status armilla_grid_copy_theta(const armilla_grid *grid, double **theta);

/* Ends the making of a grid whose rings have integrals over the colatitude as weights: numbers the
 * pixels, and multiplies the weights by 2 pi / nphi. After an error, that of `status` too, `made`
 * is freed. Returned: *grid  made. Errors: those of status and of numbering. */
armilla_status armilla_grid_finish(armilla_status status, armilla_grid *made, armilla_grid **grid);

/* ARMILLA_ERROR_ARGUMENT unless minimum <= value <= ARMILLA_GRID_COUNT_LIMIT. */
armilla_status armilla_grid_check_count(const char *name, int64_t value, int64_t minimum);

/* The double nearest to pi p / q. Given: 0 <= p, q <= 2^52, q > 0. */
double armilla_grid_pi_fraction(int64_t p, int64_t q);

/* Colatitudes and weights (integral over the colatitude) of the northern rings, equator included,
 * of the Gauss-Legendre rule of n nodes: (n + 1) / 2 of each. */
void armilla_gauss_legendre_half(int64_t n, double *theta, double *weight);

/* Pixels on a ring of an octahedral grid, rings counted from 0 at the pole; the largest n. */
int64_t armilla_octahedral_length(int64_t ring);
#define ARMILLA_OCTAHEDRAL_MOST (((int64_t)1 << 28) - 4)

/* Sets colatitudes and weights (integral over the colatitude) of all rings. Errors: MEMORY. */
armilla_status armilla_grid_fill_gauss_legendre(armilla_grid *grid);

#endif

/* What each rank has in distributed transforms: fields, orders m of alm, and rings of maps.
 *
 *     ranks = groups of fields x members;   rank = group * nmembers + member
 *
 * Whole transforms go to groups, since hundreds of fields need no exchange between groups. Within a
 * group each member has some orders, with all degrees of them, and some rings, with all their
 * pixels, whatever the others have. A rank's arrays are
 *
 *     alm   the rows l = m .. lmax of its orders, m rising, one after the other: complex numbers
 *     map   its rings in the grid's sequence, one after the other, without gaps
 *
 * A distribution says where things are and holds no data. It does not depend on the spin.
 * Thread rule: immutable; any thread may use it. None of the calls is collective. */
#ifndef ARMILLA_DISTRIBUTION_H
#define ARMILLA_DISTRIBUTION_H

#include "alm.h"
#include "grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct armilla_distribution armilla_distribution;

typedef struct armilla_distribution_options {
    size_t size;                 /* set by _init */
    int64_t groups;              /* of fields; divides the number of ranks; default 1 */
    const int64_t *order_member; /* mmax + 1: which member has order m; NULL: dealt by what they
                                    usually cost, which depends on lmax and mmax alone */
    const int64_t *ring_member;  /* one for each ring of the grid: which member has it; NULL: dealt
                                    by cost */
    int count_resampling;        /* armilla_distribution_order_cost counts what plans with
                                    ARMILLA_SHT_RESAMPLE do; nothing is dealt by it; default 0 */
} armilla_distribution_options;

ARMILLA_API void armilla_distribution_options_init_sized(armilla_distribution_options *options,
                                                         size_t size);
#define armilla_distribution_options_init(options)                                                 \
    armilla_distribution_options_init_sized(options, sizeof(armilla_distribution_options))

/* Given:    grid (copied);  0 <= mmax <= lmax;  nranks >= 1;  options or NULL for the defaults.
 * Returned: *distribution  new; free with armilla_distribution_free.
 * Errors:   ARGUMENT (names an order or a ring whose member does not exist), MEMORY.
 * Notes:    members may have no orders or rings. The library deals out orders by lmax, mmax and
 *           the number of members alone: plans on all grids, and plans for points and beams, whose
 *           grid plays no part, then have the same orders on a rank. Rings go together with their
 *           mirror images, which share all sums over degrees. Where a list of the caller's gives
 *           them to two members, entries of both rings go to both, and results agree with those of
 *           one rank to rounding, since the Fourier transform has one ring where it had two.
 *           Plans that resample rings (HEALPix from nside 600 on; CC, F1, MW, MWSS, MWFLIP; on
 *           request), and plans for points, transform orders in pairs: 0 1, 2 3, 4 7, 6 5 modulo
 *           8. The library always deals out such pairs together, so that results have the bits of
 *           one rank; with a list of the caller's that separates them, results agree to rounding.
 */
ARMILLA_API armilla_status armilla_distribution_new(const armilla_grid *grid, int64_t lmax,
                                                    int64_t mmax, int64_t nranks,
                                                    const armilla_distribution_options *options,
                                                    armilla_distribution **distribution);

/* NULL is allowed. */
ARMILLA_API void armilla_distribution_free(armilla_distribution *distribution);

/* Returned: the number of ranks. This getter and those below return -1 for distribution = NULL, and
 * for a rank that is not in 0 .. nranks - 1. */
ARMILLA_API int64_t armilla_distribution_nranks(const armilla_distribution *distribution);

/* Returned: the number of a rank's orders; orders, unless NULL, are filled with them, rising. */
ARMILLA_API int64_t armilla_distribution_orders(const armilla_distribution *distribution,
                                                int64_t rank, int64_t *orders);

/* Returned: the number of a rank's rings; rings, unless NULL, are filled with their numbers,
 * rising.
 */
ARMILLA_API int64_t armilla_distribution_rings(const armilla_distribution *distribution,
                                               int64_t rank, int64_t *rings);

/* Complex numbers of a rank's alm, and pixels of its map, of one component. */
ARMILLA_API int64_t armilla_distribution_alm_size(const armilla_distribution *distribution,
                                                  int64_t rank);
ARMILLA_API int64_t armilla_distribution_npix(const armilla_distribution *distribution,
                                              int64_t rank);

/* Where a_lm is in the alm of a rank, a complex number, and where a ring begins in its map; -1
 * where the rank does not have it. */
ARMILLA_API int64_t armilla_distribution_alm_index(const armilla_distribution *distribution,
                                                   int64_t rank, int64_t l, int64_t m);
ARMILLA_API int64_t armilla_distribution_ring_offset(const armilla_distribution *distribution,
                                                     int64_t rank, int64_t ring);

/* The fields of a rank's group, which are consecutive and as many as in other groups or one more.
 * Returned: how many; first, unless NULL: the number of the first one. */
ARMILLA_API int64_t armilla_distribution_fields(const armilla_distribution *distribution,
                                                int64_t rank, int64_t nfields, int64_t *first);

/* --- A rank's own coefficients ---------------------------------------------------------------- */

/* These do what armilla_alm_multiply_window, _random and _random_correlated do, on the orders of a
 * rank; the numbers are the same on any ranks. These calls are not collective.
 * Given:    alm  of the rank, of one field, or of nfields fields one after the other; may be NULL
 *           for a rank without orders.
 * Errors:   ARGUMENT, MEMORY. */
ARMILLA_API armilla_status
armilla_distribution_multiply_window(const armilla_distribution *distribution, int64_t rank,
                                     int64_t nwindow, const double *window, double *alm);
ARMILLA_API armilla_status armilla_distribution_random(const armilla_distribution *distribution,
                                                       int64_t rank, int64_t ncl, const double *cl,
                                                       uint64_t seed, uint64_t field, double *alm);
ARMILLA_API armilla_status armilla_distribution_random_correlated(
    const armilla_distribution *distribution, int64_t rank, int64_t nfields, int64_t ncl,
    const double *cl, uint64_t seed, double *alm);

/* What dealing out balances, exactly counted: units of work that a scalar's Legendre stage has with
 * a rank's orders (including resampling, where rings are resampled), and units of work that the
 * ring stage has with its rings. */
ARMILLA_API int64_t armilla_distribution_order_cost(const armilla_distribution *distribution,
                                                    int64_t rank);
ARMILLA_API int64_t armilla_distribution_ring_cost(const armilla_distribution *distribution,
                                                   int64_t rank);

#ifdef __cplusplus
}
#endif
#endif

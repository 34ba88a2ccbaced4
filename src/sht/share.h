/* What a rank has of a transform whose other parts are on other ranks: some orders of alm, some
 * rings of the map. A plan with a share makes every choice as the plan of the whole does, so that
 * its stages give the bits of the whole; it holds tables for its own orders and rings alone. Only
 * src/ranks runs it, since no stage has all that it needs without the other ranks. */
#ifndef ARMILLA_SHT_SHARE_H
#define ARMILLA_SHT_SHARE_H

#include "armilla/sht.h"

enum { ARMILLA_STARTS_OF_ALL = -1 }; /* groups */

typedef struct armilla_share {
    int64_t norders;
    const int64_t *orders; /* rising; alm has their rows one behind the other, from l = m on */
    const int64_t *places; /* of each ring of the grid: where its samples begin in the rank's map,
                              one behind the other; -1: another rank has them */
    int64_t samples;       /* of all rings of the rank */
    int64_t starts_end[2]; /* or ARMILLA_STARTS_OF_ALL: up to which place the Legendre stages of
                              both flows keep starts */
} armilla_share;

/* What starts_end is to be, as a plan of the whole has it: it depends on what that plan and its
 * calls take, so that this makes such a plan, but for the starts and the tables of FFTs, and frees
 * it. Errors: as armilla_sht_new. */
armilla_status armilla_share_find_starts(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                         const armilla_sht_options *options, int64_t starts_end[2]);

/* A plan as armilla_sht_new makes it, of the grid whatever its memory layout. options: complete; no
 * layout, no measuring of shapes; its stages are on the calling thread's current GPU where options
 * ask for one. The share is not copied: it must outlive the plan.
 * Errors: ARGUMENT, MEMORY, UNSUPPORTED. */
armilla_status armilla_sht_new_share(const armilla_grid *grid, int64_t lmax, int64_t mmax,
                                     const armilla_sht_options *options, const armilla_share *share,
                                     armilla_sht **sht);

/* The layout of the rank's alm. Returned: *layout  new; free with armilla_alm_layout_free. Errors:
 * MEMORY. */
armilla_status armilla_share_make_layout(const armilla_share *share, int64_t lmax, int64_t mmax,
                                         armilla_alm_layout **layout);

/* Complex numbers of the rows of these orders. */
int64_t armilla_share_alm_size(const armilla_share *share, int64_t lmax);

#endif

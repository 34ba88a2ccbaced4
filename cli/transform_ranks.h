/* Transforms over ranks, behind transform.h: a plan for I, and one of spin 2 for Q and U. */
#ifndef ARMILLA_CLI_TRANSFORM_RANKS_H
#define ARMILLA_CLI_TRANSFORM_RANKS_H

#include "transform.h"

typedef struct transform_ranks {
    armilla_distribution *distribution;
    armilla_distributed_sht *scalar, *polar; /* polar: NULL for one field */
    int64_t rank;
} transform_ranks;

/* Collective. Given: a transform with its grid, lmax, mmax and ncomp, and the pixels that are here;
 * without plans both may be NULL. Returned: its ranks and alm_size; an exit code, after a message
 * unless CLI_OK. */
int transform_ranks_deal(const pixel_share *pixels, transform *self); /* without plans */
int transform_ranks_new(const pixel_share *pixels, transform *self);
void transform_ranks_free(transform_ranks *self); /* NULL is allowed */

/* As armilla_iqu_pseudo_analysis and _synthesis, or of one field armilla_sht_...; collective. The
 * fields of a map are neighbours. */
armilla_status transform_ranks_analysis(const transform *self, const reals *maps, double *alm,
                                        const armilla_pseudo_options *options,
                                        armilla_pseudo_report *reports, const armilla_exec *exec);
armilla_status transform_ranks_synthesis(const transform *self, const double *alm,
                                         const reals *maps, const armilla_exec *exec);

#endif
